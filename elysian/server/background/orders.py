"""The order desk: whenever a table has changed, it sees whether an order of somebody is to be carried out."""

from __future__ import annotations

import asyncio

from elysian.deals import Deal, Seat
from elysian.server.live.appraisal import worth_of
from elysian.server.live.commands import RunOrder
from elysian.server.live.queries import bot_levels
from elysian.server.live.table import Table
from elysian.server.ops.errors import Refused
from elysian.server.table_state.order_moves import next_firing, same_ground, to_appraise
from elysian.server.table_state.orders import PlacedOrder, WorthRule
from elysian.state import State
from elysian.view import view

SeatKey = tuple[str, Seat]
Verdicts = dict[tuple[int, str], bool]  # of an order on an offer


class OrderDesk:
    """The orders of one process: what is to be done is decided at the table, here it is only noticed."""

    def __init__(self) -> None:
        self._asking: dict[SeatKey, asyncio.Task[None]] = {}  # what an offer is worth is being worked out
        self._known: dict[SeatKey, tuple[State, Verdicts]] = {}  # and the game it was so in
        self._refused: set[str] = set()  # tables of which too much was asked
        self._closed = False

    def look(self, table: Table) -> None:
        """Carry out one order of every seat that has one to carry out; the line it makes leads here again."""
        if self._closed or table.state is None:
            return
        fires = table.firings.at(table.current)
        for seat, chair in enumerate(table.lobby.chairs):
            if not chair.orders:
                if seat in fires:
                    table.put(RunOrder(seat))
                continue
            seen, verdicts = self._verdicts(table.state, (table.game, seat))
            worthy = frozenset(pair for pair, enough in verdicts.items() if enough)
            if next_firing(table.current, seat, worthy) is not None:
                table.put(RunOrder(seat, worthy, seen))
            elif any(isinstance(one.order, WorthRule) for one in chair.orders):
                self._appraise(table, seat)

    def look_again(self, table: Table) -> None:
        """Where an offer could not be appraised: nothing else need happen at the table for it to be."""
        if table.game in self._refused:
            self._refused.discard(table.game)
            self.look(table)

    def _verdicts(self, state: State, key: SeatKey) -> tuple[State, Verdicts]:
        """What is known of offers to a seat; nothing more once something of its own has changed."""
        seen, verdicts = self._known.get(key, (state, {}))
        return (seen, verdicts) if same_ground(seen, state, key[1]) else (state, {})

    def _appraise(self, table: Table, seat: Seat) -> None:
        """Ask what offers are worth that nothing is known of."""
        key, state = (table.game, seat), table.state
        if key in self._asking or state is None:
            return
        seen, known = self._verdicts(state, key)
        offers = to_appraise(table.current, seat)
        new = [(one, deal) for one, deal in offers if (one.id, deal.id) not in known]
        if new:
            self._known[key] = seen, known
            self._asking[key] = asyncio.create_task(self._ask(table, seat, state, new))

    async def _ask(self, table: Table, seat: Seat, state: State, new: list[tuple[PlacedOrder, Deal]]) -> None:
        key, levels, seen = (table.game, seat), bot_levels(table.lobby), view(state, seat)
        found: Verdicts = {}
        try:
            for deal in {deal.id: deal for _, deal in new}.values():  # once, however many rules ask for it
                terms = deal.taken_by(seat) if deal.is_open else deal
                # On the account of who made the offer: a flood of them must not cost whom they are made to.
                [(_, means)] = await table.context.pool.run(
                    f"{table.game}/{deal.proposer}",
                    worth_of,
                    seen,
                    (seat,),
                    levels,
                    terms.clauses,
                    terms.settles,
                )
                for one, other in new:
                    if other is deal and isinstance(one.order, WorthRule):
                        found[one.id, deal.id] = means is not None and means.gain >= one.order.least
        except Refused:
            self._refused.add(table.game)
            return
        finally:
            self._asking.pop(key, None)
            first, known = self._known.get(key, (state, {}))
            if same_ground(first, state, seat):
                self._known[key] = first, known | found
        self.look(table)

    def forget(self, table: Table) -> None:
        """The table leaves memory; whoever loads it again looks."""
        for key in [key for key in self._known if key[0] == table.game]:
            del self._known[key]
        self._refused.discard(table.game)

    def close(self) -> None:
        """Carry out nothing any more."""
        self._closed = True
        for task in self._asking.values():
            task.cancel()
