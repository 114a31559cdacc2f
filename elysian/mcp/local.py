"""A seat in a game of this process, against players of ours."""

from __future__ import annotations

from pathlib import Path

from elysian.actions import Action, LayPlan
from elysian.deals import Seat
from elysian.draft import IllegalAction
from elysian.events import Event
from elysian.messages import sentence
from elysian.options import options
from elysian.record import Record
from elysian.sim.local import ME, LocalGame
from elysian.state import State
from elysian.text.heard import Heard, overheard
from elysian.text.seat import SeatText
from elysian.view import view


class TableWithNews(LocalGame):
    """The game; what the first seat hears of it is kept until it is asked for."""

    def __init__(self, record: Record, file: Path) -> None:
        self.news: list[Heard] = []
        super().__init__(record, file)

    def hear(
        self, before: State, after: State, seat: Seat | None, action: Action, events: tuple[Event, ...]
    ) -> None:
        """Something happened at the table."""
        heard = overheard(before, ME, seat, action, events)
        if heard is not None:
            self.news.append(heard)


class LocalSeat:
    """The first seat of a game here; everybody else moves when it has, or when it waits."""

    def __init__(self, record: Record, file: Path) -> None:
        """Sit down; `file` always holds what was played so far."""
        self.table = TableWithNews(record, file)
        self.table.store()
        self._go_on()

    def text(self) -> SeatText:
        """The table as it is now."""
        return SeatText(view(self.table.state, ME), options(self.table.state, ME))

    def heard(self) -> list[Heard]:
        """What happened since this was last asked."""
        news, self.table.news = self.table.news, []
        return news

    def company(self) -> list[str]:
        """Nobody here has a name of their own."""
        return []

    def do(self, action: Action) -> None:
        """Act, and let the others answer; raises ValueError with a sentence."""
        try:
            self.table.do(ME, action)
        except IllegalAction as illegal:
            raise ValueError(sentence(illegal, self.table.seats, you=ME)) from None
        if not (isinstance(action, LayPlan) and not action.ready):
            if self.table.state.step == "trade":
                self.table.trade_round()
            self._go_on()
        self.table.store()

    def wait(self, seconds: float) -> None:
        """Let the others act once more while the table trades; in other steps they wait for this seat."""
        if self.table.state.step == "trade" and self.table.asked():
            self.table.trade_round()
        self._go_on()
        self.table.store()

    def _go_on(self) -> None:
        """Until this seat is asked for something, or the game is over."""
        while self.table.state.step != "over" and not self.table.asked():
            self.table.others_move()
