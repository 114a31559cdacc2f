"""The command `play`: a whole game in the terminal, a person against random seats or bots."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random, SystemRandom
from typing import TextIO, cast

from elysian.actions import Action, Done, LayPlan, TimeUp
from elysian.cli.person import Person
from elysian.cli.simulate import line_up
from elysian.cli.talk import Left
from elysian.deals import Seat
from elysian.deck import CATALOG
from elysian.draft import IllegalAction
from elysian.events import (
    BidPlaced,
    DealAccepted,
    DealDeclined,
    DealOffered,
    DealsLapsed,
    DealWithdrawn,
    DoneSaid,
    DoneTakenBack,
    Event,
    PlanLaid,
    PlanSaved,
    StepBegan,
)
from elysian.messages import DEFAULT, languages, load, sentence, tell
from elysian.options import options
from elysian.players import Player
from elysian.players.levels import check_levels, make, versions
from elysian.players.random.player import RandomPlayer
from elysian.record import Record, Seated, read, replay, write
from elysian.rules import decide, waiting
from elysian.state import Edition, Settings, State
from elysian.text.screen import Screen
from elysian.view import all_seen_by, view

ME: Seat = 0
PERSON = Seated(name="person")
RANDOM = "random"
LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")
OFFERS = 2  # of each random seat in a Trade Phase
IDLE_ROUNDS = 3  # so often everybody is asked in vain before the clock runs out
PATIENCE = 60  # rounds of trading after the person is done
NEWS = 8  # lines of news at once; `log` shows all
# What happens all the time is in the log, not in the news; the main screen lists the offers.
QUIET = (BidPlaced, DealOffered, DealsLapsed, DoneSaid, DoneTakenBack, PlanLaid, PlanSaved, StepBegan)
ANSWERS = (DealAccepted, DealDeclined, DealWithdrawn)


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
        record = Record.begin(settings, seed, against(bots, len(names)))
    except IllegalAction as illegal:
        raise ValueError(sentence(illegal, names, language)) from None
    TerminalGame(record, Person(Screen(sys.stdout), sys.stdin, language), free_name(record, Path())).play()


def go_on(file: Path, language: str = "en", bots: tuple[str, ...] = ()) -> None:
    """Go on with a stored game on the standard streams; raises ValueError when it cannot be read.

    A file may come from anybody: a class it names is loaded only when `bots` names it too.
    """
    record = read(file)
    check_levels(bots)
    for one in record.head.players:
        if ":" in one.name and one.name not in bots:
            raise ValueError(
                f"{one.name} sits at this table. If you trust its code, name it: --bots {one.name}"
            )
    TerminalGame(record, Person(Screen(sys.stdout), sys.stdin, language), file).play()


def against(bots: tuple[str, ...], seats: int) -> tuple[Seated, ...]:
    """The person and, dealt round the other seats, the players named; without any nothing is noted."""
    if not bots:
        return ()
    of = versions(bots)
    others = (bots[n % len(bots)] for n in range(seats - 1))
    return (PERSON, *(Seated(name=name, version=of[name]) for name in others))


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


def free_name(record: Record, folder: Path) -> Path:
    """A file that is not there yet, named after the seed."""
    stem = f"elysian-{record.head.seed}"
    path = folder / f"{stem}.jsonl"
    number = 2
    while path.exists():
        path = folder / f"{stem}-{number}.jsonl"
        number += 1
    return path


def started_by() -> str:
    """How the person started the game: the installed command, or the script of the checkout."""
    return "elysian play" if Path(sys.argv[0]).stem == "elysian" else "./play --terminal"


class TerminalGame:
    """The table while it is being played; the person is at the first seat."""

    def __init__(self, record: Record, person: Person, file: Path) -> None:
        """Sit down at a table; `file` always holds what was played so far. Raises DamagedRecord."""
        self.record = record
        self.person = person
        self.file = file
        self.stored = len(record.entries)  # entries in the file
        self.state: State = replay(record)
        self.seats = self.state.settings.species
        self.rng = Random(f"{record.head.seed}/terminal/{self.stored}")
        self.others = {seat: self._player(seat) for seat in self.state.seats() if seat != ME}
        self.news: list[str] = []
        self.begun = 0  # the turn whose cards and tracks were shown
        self.shown: tuple[int, str] | None = None  # None: the main screen is out of date

    def _level(self, seat: Seat) -> str:
        players = self.record.head.players
        return players[seat].name if players else RANDOM

    def _player(self, seat: Seat) -> Player:
        """Whoever the record says sits there; raises UnknownPlayer."""
        level = self._level(seat)
        if level == RANDOM:
            return RandomPlayer(offers=OFFERS)
        return make(level, frozenset({ME}), self.person.language)

    def play(self) -> None:
        """Play to the end, or until the person leaves; what was played is stored either way."""
        say = self.person.screen.say
        try:
            if not self.file.exists():
                self._store()
            if self.record.entries:
                self._remember()
            else:
                self._welcome()
            while self.state.step != "over":
                if not self._asked():
                    self._others_move()
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
            say(self.person.words("saved", command=started_by(), file=self.file))
        if len(self.record.entries) > self.stored:
            self._store()
        self.person.screen.out.flush()

    # ------------------------------------------------------------ the person

    def _welcome(self) -> None:
        person = self.person
        self._look()
        seat = person.draw().telling.seat
        levels = {self._level(other) for other in self.others}
        if levels == {RANDOM}:
            person.welcome(seat(ME), ", ".join(map(seat, self.others)))
        else:
            named = (f"{seat(other)} ({self._level(other)})" for other in self.others)
            person.welcome(seat(ME), ", ".join(named), "welcome_bots")
        person.pause()

    def _remember(self) -> None:
        """Hear again what was played before the person left; go on where they did."""
        states = list(self.record.states())
        for before, after, entry in zip(states, states[1:], self.record.entries, strict=False):
            self._hear(before, after, entry.events)
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
            self._trade_round()
        self._look()
        self._tell_news()
        if moment != self.shown:
            self.shown = moment
            person.screen.line()
            person.main_screen()

    def _asked(self) -> bool:
        """Whether the person has something to decide; the last look at converters may hold nothing."""
        if ME not in waiting(self.state):
            return False
        only_done = [choice.action for choice in options(self.state, ME).choices] == [Done()]
        if self.state.step in ("window", "steal") and only_done:
            self._do(ME, Done())
            return False
        return True

    def _person_moves(self) -> None:
        """One command; after a move of the person's everybody else trades a little too."""
        action = self.person.act()
        if action is None:
            return
        try:
            self._do(ME, action)
        except IllegalAction as illegal:
            self.person.screen.say(sentence(illegal, self.seats, self.person.language, ME))
            return
        if isinstance(action, LayPlan) and not action.ready:
            return
        self.shown = None
        if self.state.step == "trade":
            self._trade_round()
        self._store()

    def _tell_news(self) -> None:
        screen = self.person.screen
        if len(self.news) > NEWS:
            screen.line("  " + self.person.words("earlier", count=len(self.news) - NEWS))
        for line in self.news[-NEWS:]:
            screen.say(line, "- ", "  ")
        self.news.clear()

    # ------------------------------------------------------------ everybody else

    def _trade_round(self) -> None:
        """Everybody else acts once; nobody closes trading while the person is not done (TRADE-14)."""
        for seat in self.rng.sample(list(self.others), len(self.others)):
            if self.state.step != "trade":
                return
            action = self.others[seat].choose(view(self.state, seat), options(self.state, seat), self.rng)
            last = len(self.state.done) + 2 >= len(self.seats) and ME not in self.state.done
            if action is not None and not (last and isinstance(action, Done)):
                self._try(seat, action)

    def _others_move(self) -> None:
        """The others act until the step is over or the person is asked again."""
        step = self.state.turn, self.state.step
        idle = 0
        for _ in range(PATIENCE):
            before = len(self.record.entries)
            if self.state.step == "trade":
                self._trade_round()
            else:
                self._answers()
            if (self.state.turn, self.state.step) != step or ME in waiting(self.state):
                return
            idle = idle + 1 if len(self.record.entries) == before else 0
            if idle == IDLE_ROUNDS:
                break
        self._do(None, TimeUp())

    def _answers(self) -> None:
        """Those the table waits for answer."""
        for seat in waiting(self.state):
            if seat in self.others and seat in waiting(self.state):
                action = self.others[seat].choose(view(self.state, seat), options(self.state, seat), self.rng)
                if action is not None:
                    self._try(seat, action)

    def _try(self, seat: Seat, action: Action) -> None:
        try:
            self._do(seat, action)
        except IllegalAction:
            return  # random offers are not tried out first

    # ------------------------------------------------------------ the record

    def _do(self, seat: Seat | None, action: Action) -> None:
        """Decide the action, note it, and hear of it what the person may hear; raises IllegalAction."""
        before = self.state
        events, self.state = decide(before, seat, action)
        self.record.add(seat, action, events)
        self._hear(before, self.state, events)

    def _hear(self, before: State, after: State, events: Iterable[Event]) -> None:
        promises = {**before.obligations, **after.obligations}
        for event in all_seen_by(before, ME, events):
            line = tell(event, self.seats, self.person.language, promises)
            self.person.log.append(line)
            if self._is_news(before, event):
                self.news.append(line)

    def _is_news(self, before: State, event: Event) -> bool:
        if isinstance(event, QUIET):
            return False
        if isinstance(event, ANSWERS):
            return before.deals[event.deal].proposer == ME
        return True

    def _store(self) -> None:
        """Write the record beside its file and put it there at once: whatever happens, one is whole."""
        fresh = self.file.with_suffix(".part")
        write(self.record, fresh)
        fresh.replace(self.file)
        self.stored = len(self.record.entries)
