"""Usage: what a model's seat has cost."""

from __future__ import annotations

from msgspec import Struct


class Usage(Struct, omit_defaults=True):
    """What a seat has cost in a game, and how often it was played without its model."""

    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    estimated: bool = False  # some tokens were counted by us, at four characters each
    seconds: float = 0.0  # waited for answers
    plain: int = 0  # decisions without the model
    why: str = ""  # the last reason for that

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            requests=self.requests + other.requests,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            estimated=self.estimated or other.estimated,
            seconds=self.seconds + other.seconds,
            plain=self.plain + other.plain,
            why=other.why or self.why,
        )
