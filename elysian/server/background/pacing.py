"""Pacing: at a table with people bots trade at people's speed; here the time is kept, and bots are told.

For a while after a turn begins bots make no deals among themselves. Then one at a time, at a rate that
follows what people do: every answer or offer of a person lets one more happen soon, and so does time, so that
one who never moves holds nobody up. An offer to a person lies until nothing has been heard of them for a
while, and what a person was told they could offer stays possible for a moment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf

from msgspec import Struct

from elysian.actions import AcceptDeal, Action, DeclineDeal, ProposeDeal
from elysian.deals import Deal, Seat
from elysian.events import DealOffered, DealStruck
from elysian.players.trader.company import Company
from elysian.server.live.shown import Shown
from elysian.server.live.table import Table
from elysian.server.table_state.events import Line, Resumed
from elysian.server.table_state.table_options import BotPace, TableOptions
from elysian.state import State

READ = 20.0  # seconds in which an offer to a person is not taken back while it is possible
LOOKS = 30.0  # seconds for which bots leave possible what a person was told they could offer
LONGEST = 3.0  # times as long as when idle an offer lies before somebody who does other things meanwhile
QUICKER = 3.0  # times as fast bots deal with each other where people move than where they do not
USUAL_BOT = 0.6  # seconds a bot takes for a move
USUAL_TRADE = 600.0  # seconds of trading for which the paces below are meant
DAY = 86_400.0  # how long trading takes at a table over days that has no clock


class Pace(Struct, frozen=True):
    """How long bots leave people to themselves."""

    head_start: float  # seconds of a turn before bots deal with each other
    between: float  # seconds from one such deal to the next, unless people move
    patience: float  # times as long as usual an offer to a person lies open
    open_at_once: int  # offers of bots that lie before one person
    offers: int  # that one person gets in a turn


PACES: dict[BotPace, Pace] = {
    "slow": Pace(head_start=90.0, between=30.0, patience=2.0, open_at_once=2, offers=4),
    "normal": Pace(head_start=40.0, between=15.0, patience=1.0, open_at_once=2, offers=5),
    "fast": Pace(head_start=15.0, between=5.0, patience=0.5, open_at_once=3, offers=7),
}


class _Trading(Struct):
    """One Trade Phase of a table with people, as it has gone so far."""

    turn: int
    began: int  # ms, like all times here
    read: int  # lines
    dealt: int  # when bots last struck a deal, or could have
    allowance: int = 0  # deals that people's moves allow
    offered: dict[str, int] = {}  # when offers of bots reached people
    between: dict[str, int] = {}  # when offers of bots reached only bots
    moved: dict[Seat, int] = {}  # when each person last did something
    asked: dict[Seat, int] = {}  # offers each person got
    struck: dict[Seat, int] = {}  # deals of each person with bots


class Pacing:
    """The pace of every table of one process."""

    def __init__(self, now: Callable[[], int], idle: float, bot_pace: float = USUAL_BOT) -> None:
        """Keep time by this clock; an offer lies `idle` seconds before somebody of whom nothing is heard.

        Bots that take less than usual for a move also wait less for each other.
        """
        self._now = now
        self._slower = bot_pace / USUAL_BOT
        self._idle = idle
        self._tables: dict[str, _Trading] = {}
        self._turns: dict[str, Seat] = {}  # the bot that is looking for a deal with bots

    def forget(self, table: Table) -> None:
        """The table leaves memory."""
        self._tables.pop(table.game, None)
        self._turns.pop(table.game, None)

    # ------------------------------------------------------------ what has happened

    def look(self, table: Table) -> None:
        """Take note of what is new at a table."""
        state = table.state
        if state is None or state.step != "trade" or not table.lobby.people():
            self.forget(table)
            return
        trading = self._tables.get(table.game)
        if trading is None or trading.turn != state.turn:
            now = self._now()
            trading = _Trading(turn=state.turn, began=now, read=table.n - 1, dealt=now)
            self._tables[table.game] = trading
        for line, _, _ in table.tail:
            if line.n > trading.read:
                self._read(trading, line, table.lobby.people())
        trading.read = table.n
        for deal in _asked(state, table.lobby.people()):
            trading.offered.setdefault(deal.id, self._now())
        for deal in _between(state, table.lobby.people()):
            trading.between.setdefault(deal.id, self._now())

    def _read(self, trading: _Trading, line: Line, people: frozenset[Seat]) -> None:
        if line.seat in people and isinstance(line.action, Action):  # talk does not hold bots up
            trading.moved[line.seat] = line.at
            trading.allowance += isinstance(line.action, AcceptDeal | DeclineDeal | ProposeDeal)
        for event in line.events:
            if isinstance(event, Resumed):  # nobody could do anything meanwhile
                trading.offered = dict.fromkeys(trading.offered, line.at)
            elif isinstance(event, DealOffered) and event.deal.proposer not in people:
                for seat in people & {*event.deal.parties}:
                    trading.asked[seat] = trading.asked.get(seat, 0) + 1
            elif isinstance(event, DealStruck) and not people & {*event.parties}:
                trading.allowance = max(0, trading.allowance - 1)
                trading.dealt = line.at
            elif isinstance(event, DealStruck) and not {*event.parties} <= people:
                for seat in people & {*event.parties}:
                    trading.struck[seat] = trading.struck.get(seat, 0) + 1

    # ------------------------------------------------------------ what a bot is told

    def company(self, table: Table, seat: Seat) -> Company:
        """What the people's pace allows a bot now; the first that may look for a deal with bots does."""
        people, state = table.lobby.people(), table.state
        trading = self._tables.get(table.game)
        if state is None or trading is None or people <= state.done:
            return Company(people)
        now = self._now()
        pace, _ = _pace(table.lobby.options)
        idle = self._idle_ms(table.lobby.options)
        lie = {d.id: _lies(trading, d, people, idle) for d in _asked(state, people)}
        free = self._free_from(trading, table.lobby.options) <= now
        return Company(
            people,
            may_deal=free and self._its_turn(table, seat, trading),
            reachable=frozenset(self._reachable(trading, state, people, pace, idle)),
            overdue=frozenset(name for name, until in lie.items() if until <= now),
            fresh=frozenset(n for n in lie if now - trading.offered[n] < READ * 1000),
            shown=tuple(
                deal
                for seat, shown in table.shown.items()
                if seat in people - state.done and now < self._shown_until(seat, shown, table)
                for deal in shown.deals
            ),
        )

    def _shown_until(self, seat: Seat, shown: Shown, table: Table) -> float:
        """Until when a suggestion is left possible; whoever asks for one after another gets a few a turn.

        A deal that a bot has agreed to gives one more: who trades on what they are shown holds nobody up.
        """
        pace, factor = _pace(table.lobby.options)
        trading = self._tables.get(table.game)
        struck = 0 if trading is None else trading.struck.get(seat, 0)
        if table.state is None or shown.turn != table.state.turn or shown.times > pace.offers + struck:
            return -inf
        return shown.at + LOOKS * pace.patience * factor * 1000

    def _its_turn(self, table: Table, seat: Seat, trading: _Trading) -> bool:
        """Bots look for deals with each other one at a time, so that none goes stale while it is read.

        A bot that does not answer holds the others up no longer than somebody who never moves.
        """
        assert table.state is not None
        pace, factor = _pace(table.lobby.options)
        since = self._now() - pace.between * factor * self._slower * 1000
        between = _between(table.state, table.lobby.people())
        read = any(trading.between.get(deal.id, since) > since for deal in between)
        if read or self._turns.get(table.game, seat) != seat:
            return False
        self._turns[table.game] = seat
        return True

    def ended(self, table: Table, seat: Seat) -> bool:
        """A bot has made up its mind; whether it was its turn, so that another may have it."""
        if self._turns.get(table.game) != seat:
            return False
        del self._turns[table.game]
        return True

    def _idle_ms(self, options: TableOptions) -> float:
        pace, factor = _pace(options)
        return self._idle * pace.patience * factor * 1000

    def _reachable(
        self, trading: _Trading, state: State, people: frozenset[Seat], pace: Pace, idle: float
    ) -> Iterable[Seat]:
        """The people who have time for another offer; who lets offers lie gets no more until they move."""
        for seat in people - state.done:
            lying = sum(seat in deal.parties for deal in _asked(state, people))
            got = trading.asked.get(seat, 0)
            awake = self._now() - max(trading.began, trading.moved.get(seat, 0)) < idle
            if lying < pace.open_at_once and got < pace.offers and (awake or not got):
                yield seat

    def _free_from(self, trading: _Trading, options: TableOptions) -> float:
        """From when on bots may deal with each other."""
        pace, factor = _pace(options)
        second = factor * self._slower * 1000
        head_start = trading.began + pace.head_start * second
        after_the_last = pace.between * second / (QUICKER if trading.allowance else 1.0)
        return max(head_start, trading.dealt + after_the_last)

    def wakes_in(self, table: Table) -> float | None:
        """Seconds until something is allowed that is not now; None: nothing will be, by time alone."""
        state, people = table.state, table.lobby.people()
        trading = self._tables.get(table.game)
        if state is None or trading is None or people <= state.done:
            return None
        now, idle = self._now(), self._idle_ms(table.lobby.options)
        times = [self._free_from(trading, table.lobby.options)]
        pace, factor = _pace(table.lobby.options)
        for deal in _between(state, people):
            times.append(trading.between[deal.id] + pace.between * factor * self._slower * 1000)
        for deal in _asked(state, people):
            at = trading.offered[deal.id]
            times += [_lies(trading, deal, people, idle), at + READ * 1000]
        times += [self._shown_until(seat, shown, table) for seat, shown in table.shown.items()]
        later = [time for time in times if time > now]
        return (min(later) - now) / 1000 + 0.001 if later else None


def _asked(state: State, people: frozenset[Seat]) -> list[Deal]:
    """Offers of bots that wait for a person's answer."""
    return Company(people).asked(state)


def _between(state: State, people: frozenset[Seat]) -> list[Deal]:
    """Offers of bots that wait for certain other bots."""
    return [d for d in state.deals.values() if not d.is_open and not people & {*d.parties, d.proposer}]


def _lies(trading: _Trading, deal: Deal, people: frozenset[Seat], idle: float) -> float:
    """Until when an offer lies before those who have not answered it."""
    at = trading.offered[deal.id]
    heard = max(trading.moved.get(seat, 0) for seat in people & {*deal.parties})
    return min(max(at, heard) + idle, at + LONGEST * idle)


def _pace(options: TableOptions) -> tuple[Pace, float]:
    """The pace of a table, and how much slower than usual its time goes."""
    trade = None if options.clock is None else float(options.clock.trade)
    if options.pace == "async":
        return PACES[options.bots], (trade or DAY) / USUAL_TRADE
    return PACES[options.bots], min(1.0, (trade or USUAL_TRADE) / USUAL_TRADE)
