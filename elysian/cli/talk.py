"""Talking with a person at a terminal: prompts, answers, and leaving."""

from collections.abc import Iterable
from typing import TextIO

from elysian.cli.screen import Screen
from elysian.messages import load


class Left(Exception):  # noqa: N818 - not an error: the person got up
    """The person has left the table."""


class Talk:
    """Reads lines from a person and answers in their language."""

    def __init__(self, screen: Screen, source: TextIO, language: str) -> None:
        """Read from `source`, answer on `screen`."""
        self.screen = screen
        self.source = source
        self.language = language
        self.messages = load(language)

    def words(self, key: str, **names: object) -> str:
        """A text of the terminal game."""
        return self.messages.terminal[key].format(**names)

    def read(self, prompt: str) -> str:
        """The next line; raises Left when there are no more."""
        self.screen.ask(prompt)
        line = self.source.readline()
        if not self.source.isatty():
            self.screen.line(line.strip())
        elif not line:
            self.screen.line()
        if not line:
            raise Left
        return line.strip()

    def pause(self) -> None:
        """Let the person at a terminal read before it scrolls away."""
        if self.source.isatty():
            self.read(self.words("pause"))

    def sure(self, question: str) -> bool:
        """Whether the person really means it."""
        self.screen.say(question)
        answer = self.read(self.words("yes_or_no")).casefold()
        if answer in self.messages.terminal["yes"].split():
            return True
        self.screen.say(self.words("left_alone"))
        return False

    def print(self, lines: Iterable[str]) -> None:
        """Lines that fit already."""
        for line in lines:
            self.screen.line(line)
