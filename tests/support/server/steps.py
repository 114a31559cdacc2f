"""People at open sockets who play on to a step; the table itself answers for who has nothing to decide."""

from __future__ import annotations

from tools.drive.server import Seat

ANSWERS = {
    "trade": {"kind": "done"},
    "window": {"kind": "done"},
    "plan": {"kind": "lay_plan", "runs": []},
    "steal": {"kind": "done"},
}
LATE = ("already_done", "wrong_step", "not_waited_for")  # the table had answered before


def reach(seats: list[Seat], step: str) -> None:
    """Play on with as little as possible until a step is reached, and everybody is asked who will be."""
    for _ in range(60):
        settle(seats)
        now = seats[0].view["step"]
        if now == step:
            return
        waited = seats[0].view["waiting"][0]
        reply = seats[waited].answer(seats[waited].send(kind="do", action=ANSWERS[now]))
        assert reply["kind"] == "accepted" or reply["code"] in LATE, reply
    raise AssertionError(f"the step {step} was not reached")


def settle(seats: list[Seat]) -> None:
    """Until the table does nothing more by itself, and all have seen the same.

    What it does for a seat is queued when the line before it is stored. A command is queued behind that, so
    when nothing has happened between two of them, nothing is on its way.
    """
    seen = -1
    while seen != seats[0].n:
        seen = seats[0].n
        refused = seats[0].do("buy", card="")
        assert refused["kind"] == "refused"
    for seat in seats:
        seat.up_to(seen)


def asked(seats: list[Seat]) -> list[int]:
    """Who is waited for, once the table has answered for who has nothing to decide."""
    settle(seats)
    return list(seats[0].view["waiting"])
