"""The command `play`: a whole game in the terminal, a person against random seats or bots."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from random import Random, SystemRandom
from typing import TextIO, cast

from elysian.actions import Action, LayPlan
from elysian.cli.person import Person
from elysian.cli.simulate import line_up
from elysian.cli.talk import Left
from elysian.deals import Seat
from elysian.deck import CATALOG
from elysian.draft import IllegalAction
from elysian.events import Event
from elysian.messages import DEFAULT, languages, load, sentence, tell
from elysian.options import options
from elysian.players.levels import check_levels, is_model
from elysian.record import Record, read
from elysian.sim.local import ME, RANDOM, LocalGame, against, free_name
from elysian.state import Edition, Settings, State
from elysian.text.heard import ANSWERS, QUIET
from elysian.text.screen import Screen
from elysian.view import all_seen_by, view

PERSON = "person"
LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")
NEWS = 8  # lines of news at once; `log` shows all


def run(
    *,
    species: tuple[str, ...],
    players: int | None,
    seed: int | None,
    edition: str,
    bots: tuple[str, ...] = (),
    language: str = "en",
) -> None:
    """Play a game on the standard streams; raises ValueError with a sentence for an impossible table."""
    check_levels(bots)
    seed = SystemRandom().randrange(1_000_000) if seed is None else seed
    load(language)
    names = line_up(species, players, Random(f"{seed}/species"))
    if not species:
        names = easiest_first(names)
    if len(bots) >= len(names):
        raise ValueError(f"{len(bots)} bots, but only {len(names) - 1} seats beside yours.")
    try:
        # An edition that does not exist is refused by the set-up.
        settings = Settings(species=names, edition=cast(Edition, edition))
        record = Record.begin(settings, seed, against(PERSON, bots, len(names)))
    except IllegalAction as illegal:
        raise ValueError(sentence(illegal, names, language)) from None
    TerminalGame(record, Person(Screen(sys.stdout), sys.stdin, language), free_name(record, Path())).play()


def go_on(file: Path, language: str = "en", bots: tuple[str, ...] = ()) -> None:
    """Go on with a stored game on the standard streams; raises ValueError when it cannot be read.

    A file may come from anybody: a class it names is loaded, and an endpoint asked, only when `bots` names
    it too.
    """
    record = read(file)
    check_levels(bots)
    for one in record.head.players:
        if ":" in one.name and one.name not in bots:
            trusted = "want it to be asked" if is_model(one.name) else "trust its code"
            raise ValueError(f"{one.name} sits at this table. If you {trusted}, name it: --bots {one.name}")
    TerminalGame(record, Person(Screen(sys.stdout), sys.stdin, language), file).play()


def easiest_first(names: tuple[str, ...]) -> tuple[str, ...]:
    """The species drawn, the one that is easiest to play at the person's seat."""
    first = min(names, key=lambda name: CATALOG.species[name].difficulty)
    return (first, *(name for name in names if name != first))


def language_of(environment: Mapping[str, str]) -> str:
    """The language the environment asks for, if there is a file of it; else English."""
    asked = next((value for name in LOCALE if (value := environment.get(name))), "")
    language = asked.partition("_")[0].partition(".")[0].lower()
    return language if language in languages() else DEFAULT


def play(record: Record, source: TextIO, out: TextIO, file: Path, language: str = "en") -> None:
    """Play a game, begun or not, on any two streams and leave its record in `file`."""
    TerminalGame(record, Person(Screen(out), source, language), file).play()


def started_by() -> str:
    """How the person started the game: the installed command, or the script of the checkout."""
    return "elysian play" if Path(sys.argv[0]).stem == "elysian" else "./play --terminal"


class TerminalGame(LocalGame):
    """The table while it is being played; the person is at the first seat."""

    def __init__(self, record: Record, person: Person, file: Path) -> None:
        """Sit down at a table; `file` always holds what was played so far. Raises DamagedRecord."""
        super().__init__(record, file, person.language)
        self.person = person
        self.news: list[str] = []
        self.begun = 0  # the turn whose cards and tracks were shown
        self.shown: tuple[int, str] | None = None  # None: the main screen is out of date
        self.plain: dict[Seat, str] = {}  # seats that play without their model, and why

    def play(self) -> None:
        """Play to the end, or until the person leaves; what was played is stored either way."""
        say = self.person.screen.say
        try:
            if not self.file.exists():
                self.store()
            if self.record.entries:
                self._remember()
            else:
                self._welcome()
            while self.state.step != "over":
                if not self.asked():
                    self.others_move()
                    continue
                self._show()
                self._person_moves()
            self._tell_news()
            self._look()
            self.person.screen.line()
            self.person.print(self.person.draw().scores())
            say(self.person.words("over", file=self.file))
        except (Left, KeyboardInterrupt):
            say(self.person.words("goodbye"))
            say(self.person.words("saved", command=started_by(), file=f"{self.file}{self._trusted()}"))
        if len(self.record.entries) > self.stored:
            self.store()
        self.person.screen.out.flush()

    def _trusted(self) -> str:
        """What must be named again to go on: no file makes us load code or ask an endpoint by itself."""
        names = dict.fromkeys(one.name for one in self.record.head.players if ":" in one.name)
        return f" --bots {','.join(names)}" if names else ""

    # ------------------------------------------------------------ the person

    def _welcome(self) -> None:
        person = self.person
        self._look()
        seat = person.draw().telling.seat
        levels = {self.level(other) for other in self.others}
        if levels == {RANDOM}:
            person.welcome(seat(ME), ", ".join(map(seat, self.others)))
        else:
            named = (f"{seat(other)} ({self.level(other)})" for other in self.others)
            person.welcome(seat(ME), ", ".join(named), "welcome_bots")
        person.pause()

    def _remember(self) -> None:
        """Hear again what was played before the person left; go on where they did."""
        states = list(self.record.states())
        for before, after, entry in zip(states, states[1:], self.record.entries, strict=False):
            self.hear(before, after, entry.seat, entry.action, entry.events)
        self.news.clear()
        self.begun = self.state.turn
        self._look()
        self.person.screen.say(self.person.words("resumed", name=self.person.draw().telling.seat(ME)))

    def _look(self) -> None:
        self.person.view = view(self.state, ME)
        self.person.options = options(self.state, ME, with_refused=True)

    def _show(self) -> None:
        """The news; after a move the main screen; at the start of a turn cards and tracks before it."""
        person, moment = self.person, (self.state.turn, self.state.step)
        if self.state.step == "trade" and self.state.turn != self.begun:
            self.begun = self.state.turn
            person.ticked = None
            self._look()
            self._tell_news()
            person.screen.line()
            person.print(person.draw().tracks())
            person.print(person.draw().cards(ME, upgrades=False))
            person.pause()
            self.trade_round()
        self._look()
        self._tell_news()
        if moment != self.shown:
            self.shown = moment
            person.screen.line()
            person.main_screen()

    def _person_moves(self) -> None:
        """One command; after a move of the person's everybody else trades a little too."""
        action = self.person.act()
        if action is None:
            return
        try:
            self.do(ME, action)
        except IllegalAction as illegal:
            self.person.screen.say(sentence(illegal, self.seats, self.person.language, ME))
            return
        if isinstance(action, LayPlan) and not action.ready:
            return
        self.shown = None
        if self.state.step == "trade":
            self.trade_round()
        self.store()

    def _tell_news(self) -> None:
        screen = self.person.screen
        if len(self.news) > NEWS:
            screen.line("  " + self.person.words("earlier", count=len(self.news) - NEWS))
        for line in self.news[-NEWS:]:
            screen.say(line, "- ", "  ")
        self.news.clear()

    # ------------------------------------------------------------ what is heard

    def hear(
        self, before: State, after: State, seat: Seat | None, action: Action, events: tuple[Event, ...]
    ) -> None:
        """Something happened: it goes into the log, and into the news unless it happens all the time."""
        promises = {**before.obligations, **after.obligations}
        for event in all_seen_by(before, ME, events):
            line = tell(event, self.seats, self.person.language, promises)
            self.person.log.append(line)
            if self._is_news(before, event):
                self.news.append(line)
        self._tell_of_models()

    def _tell_of_models(self) -> None:
        """A seat whose model gives no answer plays plainly, and the person hears of it once."""
        for seat, player in self.others.items():
            usage = getattr(player, "usage", None)
            if usage is not None and usage.plain and self.plain.get(seat) != usage.why:
                self.plain[seat] = usage.why
                name = CATALOG.species[self.seats[seat]].in_language(self.person.language).short
                self.news.append(self.person.words("plays_plainly", name=name, why=usage.why))

    def _is_news(self, before: State, event: Event) -> bool:
        if isinstance(event, QUIET):
            return False
        if isinstance(event, ANSWERS):
            return before.deals[event.deal].proposer == ME
        return True
