"""What tests of orders ask of a table."""

from __future__ import annotations

from tools.drive.server import Browser

GOODS = ("green", "white", "brown", "black", "blue", "yellow", "ship", "wild_small", "wild_large")


def swappable(person: Browser, table: str) -> tuple[str, str]:
    """A good of the first seat, and another of the second."""
    first, second = (
        [kind for kind in GOODS if player["stock"].get(kind)]
        for player in person.get(f"/api/tables/{table}").json["view"]["players"][:2]
    )
    return next((mine, theirs) for mine in first for theirs in second if mine != theirs)


def struck(person: Browser, table: str) -> int:
    """How many deals there were so far."""
    log = person.get(f"/api/tables/{table}/log").json
    return sum(event["kind"] == "deal_struck" for line in log["lines"] for event in line["events"])
