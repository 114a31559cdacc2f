"""What is there before an attack: honest people at tables, some with bots, a long game, and Eve's own."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from tools.drive.server import Browser, full_table, serving
from tools.drive.waiting import until

SPEAKERS = 4  # tables of honest people
WITH_BOTS = 2  # tables of an honest person with bots
LONG = 3000  # lines of a long game
LOBBIES = 20  # tables that wait for people
STORIES = 3  # games that are over
PLANNERS = 3  # tables of Eve's with nine bots each


class Laid(Struct):
    """Names of tables, and keys of people."""

    spoken: list[tuple[str, str]]  # a table and the key of one of four who play there
    with_bots: list[tuple[str, str]]
    long: str
    lobbies: list[str]
    over: list[str]
    eve: str  # Eve's key
    eves: str  # her own table, which she plays at with friends
    nines: list[str]  # her tables of nine bots, not begun


def lay(folder: Path) -> Laid:
    """Play what has to be there, with a server that limits nobody."""
    with serving(folder, "--bot-pace", "0") as served:
        spoken = [full_table(served) for _ in range(SPEAKERS)]
        host = Browser(served, "Holly")
        eve = Browser(served, "Eve")
        with_bots = [host.open(bots={str(n): "standard" for n in (1, 2, 3)}) for _ in range(WITH_BOTS)]
        for table in with_bots:
            assert host.do(table, {"kind": "start_game"}).status == 200
        over = [host.open(seat=None, bots={str(n): "random" for n in range(4)}) for _ in range(STORIES)]
        for table in over:
            assert host.do(table, {"kind": "start_game"}).status == 200
        eves = eve.open(help="both", bots={str(n): "random" for n in (1, 2, 3)})
        assert eve.do(eves, {"kind": "start_game"}).status == 200
        nine = {str(n): "planner" for n in range(9)}
        laid = Laid(
            spoken=[(table, str(people[1].key)) for table, people in spoken],
            with_bots=[(table, str(host.key)) for table in with_bots],
            long=long_game(full_table(served)),
            lobbies=[Browser(served, "Anna").open(public=True) for _ in range(LOBBIES)],
            over=over,
            eve=str(eve.key),
            eves=eves,
            nines=[eve.open(seat=None, seats=9, bots=nine) for _ in range(PLANNERS)],
        )
        until(lambda: all(host.get(f"/api/tables/{t}").json["view"]["step"] == "over" for t in over))
    return laid


def long_game(laid: tuple[str, list[Browser]]) -> str:
    """A table with a long log."""
    table, people = laid
    with people[1].sit(table) as seat:
        while seat.n < LONG:
            done = seat.view["players"][1]["done"]
            assert seat.do("not_done" if done else "done")["kind"] == "accepted"
    return table
