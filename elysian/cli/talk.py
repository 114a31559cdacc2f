"""Talking with a person at a terminal: prompts, answers, and leaving."""

import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import TextIO

from elysian.messages import load
from elysian.text.screen import Screen


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
        if self.source is sys.stdin and self.source.isatty():
            return self._edited(prompt)
        self.screen.ask(prompt)
        line = self.source.readline()
        self.screen.line(line.strip())
        if not line:
            raise Left
        return line.strip()

    def _edited(self, prompt: str) -> str:
        """A line typed at a terminal, where the arrow keys bring earlier ones back."""
        with suppress(ImportError):  # where there is no readline, lines are typed without it
            import readline

            # It must be told which signs take no place; its relative libedit would print the marks.
            if self.screen.coloured and "libedit" not in (readline.__doc__ or ""):
                prompt = f"\1\x1b[1m\2{prompt}\1\x1b[0m\2"
        self.screen.out.flush()
        try:
            return input(prompt).strip()
        except (EOFError, KeyboardInterrupt):
            self.screen.line()
            raise Left from None

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
        """Show lines as they are: they are no wider than the screen."""
        for line in lines:
            self.screen.line(line)
