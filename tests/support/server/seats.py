"""What tests ask of people at open sockets: an offer, whether they see the truth, how they were sent off."""

from __future__ import annotations

from typing import Any

from websockets.exceptions import ConnectionClosed

from tools.drive.server import Browser, Seat


def closed(seat: Seat) -> int | None:
    """The code a connection is closed with."""
    try:
        while True:
            seat.next()
    except ConnectionClosed as end:
        return end.rcvd.code if end.rcvd else None


def give(view: Any, giver: int | None, to: int | None) -> dict[str, Any]:
    """An offer of one cube for nothing."""
    stock = view["players"][giver]["stock"]
    colour = next(kind for kind in stock if kind not in ("ship", "point", "envoy", "acknowledgement"))
    return {
        "kind": "propose_deal",
        "parties": [giver, to],
        "clauses": [{"kind": "give", "giver": giver, "to": to, "goods": {colour: 1}}],
    }


def truth(person: Browser, table: str) -> Any:
    return person.get(f"/api/tables/{table}").json


def same(seat: Seat, person: Browser) -> bool:
    """Whether a seat's view, kept up by updates, is the one the server would send whole."""
    now = truth(person, seat.table_id)
    seat.up_to(now["n"])
    return seat.view == now["view"] and seat.table == now["table"]
