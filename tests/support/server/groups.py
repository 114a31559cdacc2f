"""People in a group, and a game of theirs that is over before long."""

from __future__ import annotations

from typing import Any

from tools.drive.server import Browser, Served
from tools.drive.waiting import until

# Bots play for people who are away: the game is over before long, and its results are of people.
QUICK = {"seats": 4, "cover_kind": "full", "cover_level": "random"}


def gathered(served: Served, *names: str, group: str = "The Friday table") -> tuple[str, list[Browser]]:
    """A group, and the people in it, its owner first."""
    people = [Browser(served, name) for name in names]
    made = people[0].post("/api/groups", {"name": group})
    assert made.status == 200, made.raw
    name = made.json["group"]
    for person in people[1:]:
        joined = person.post(f"/api/groups/{name}/join", {"invitation": invitation(people[0], name)})
        assert joined.status == 200, joined.raw
    return name, people


def invitation(person: Browser, group: str) -> str:
    return str(page(person, group)["invitation"])


def page(person: Browser, group: str) -> dict[str, Any]:
    reply = person.get(f"/api/groups/{group}")
    assert reply.status == 200, reply.raw
    return dict(reply.json)


def begun(group: str, people: list[Browser], **options: Any) -> str:
    """A table for the group at which these people and bots play."""
    bots = {str(seat): "random" for seat in range(len(people), 4)}
    table = people[0].open(bots=bots, group=group, **{**QUICK, **options})
    for person in people[1:]:
        assert person.join(table).status == 200, "whoever is in the group was asked to come"
    assert people[0].do(table, {"kind": "start_game"}).status == 200
    return table


def played(group: str, people: list[Browser], **options: Any) -> str:
    """A game of the group that is over."""
    table = begun(group, people, **options)
    for seat in reversed(range(len(people))):  # the host last: who does something is back
        assert people[0].do(table, {"kind": "cover", "seat": seat}).status == 200
    until(lambda: people[0].get(f"/api/tables/{table}").json["table"]["status"] == "over")
    return table
