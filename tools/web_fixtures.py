"""Writes web/fixtures/: what the page is sent at several moments of a game, for looking at screens.

python -m tools.web_fixtures [language]    a game of bots is played; seat 0 is looked at

Each file holds the messages of the socket at one moment: `welcome`, the answer to `ask options`, the log.
The page shows them in development at /dev.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import msgspec

from elysian.deals import Seat
from elysian.messages import DEFAULT, explain, label, tell
from elysian.options import options, white_runs
from elysian.plan_preview import planned
from elysian.players.levels import LEVELS, make
from elysian.record import RecordLine
from elysian.rules import waiting
from elysian.server.edge.catalog_page import printed
from elysian.server.live.wording import worded_events, worded_view
from elysian.server.protocol.messages import Choices, Presence, SeatFace, TableView, Welcome
from elysian.server.table_state.table_options import TableOptions
from elysian.sim import play_game
from elysian.state import Run, Settings, State
from elysian.view import all_seen_by, view
from elysian.worth import best_plan

FOLDER = Path(__file__).resolve().parent.parent / "web" / "fixtures"
ME: Seat = 0
NAMES = ("mara", "okoro", "", "lindqvist", "amara", "jun", "", "", "")
BEGAN = 1_760_000_000_000  # ms since 1970

Moment = Callable[[State], bool]

MOMENTS: dict[str, Moment] = {
    "first": lambda now: now.step == "trade" and bool(now.deals),
    "trade": lambda now: now.turn == 3 and _offers(now) >= 2 and ME not in now.done,
    "promises": lambda now: now.turn >= 2 and now.step == "trade" and len(now.obligations) >= 2,
    "gifts": lambda now: now.step == "gifts" and ME in waiting(now),
    "plan": lambda now: now.turn == 3 and now.step == "plan" and ME in waiting(now),
    "bid": lambda now: now.turn == 3 and now.step == "bid" and ME in waiting(now),
    "auction": lambda now: now.turn >= 2 and now.step == "colony_auction" and ME in waiting(now),
    "research": lambda now: now.turn >= 2 and now.step == "research_auction" and ME in waiting(now),
    "steal": lambda now: now.step == "steal" and ME in waiting(now),
    "over": lambda now: now.step == "over",
}


def _offers(now: State) -> int:
    return sum(1 for deal in now.deals.values() if ME in deal.parties and deal.proposer != ME)


def game(species: tuple[str, ...], level: str, seed: int) -> Iterator[tuple[State, RecordLine | None]]:
    """A whole game of bots: the table at the start and after every entry."""
    record = play_game(Settings(species=species), seed, [make(level) for _ in species], seed).record
    entries: list[RecordLine | None] = [None, *record.entries]
    yield from zip(record.states(), entries, strict=True)


def lines(
    history: list[tuple[State, RecordLine | None]], language: str, me: Seat = ME
) -> list[dict[str, Any]]:
    """The log as a seat sees it."""
    seen = []
    for (before, _), (_, entry) in pairwise(history):
        assert entry is not None
        events = all_seen_by(before, me, entry.events)
        species, owed = before.settings.species, before.obligations
        told = [tell(event, species, language, owed, before.deals) for event in events]
        at = BEGAN + 7000 * entry.n
        words = worded_events(events, language)
        seen.append({"n": entry.n, "at": at, "seat": entry.seat, "events": words, "told": told})
    return seen


def table(
    species: tuple[str, ...], status: Any, free: frozenset[Seat] = frozenset(), me: Seat = ME
) -> TableView:
    """The table besides its game."""
    seats = tuple(
        SeatFace(
            seat=seat,
            name="" if seat in free else NAMES[seat] or ("mara" if seat == me else ""),
            bot=None if NAMES[seat] or seat in free or seat == me else "standard",
            species=None if seat in free else name,
            covered=seat == 5,
            host=seat == me,
        )
        for seat, name in enumerate(species)
    )
    return TableView(
        table="fixture", options=TableOptions(title="Friday six", seats=len(species)), status=status,
        seats=seats, order=(), paused=False, due=None, left=None, asked=(), asks=(),
        pause_asked=(), continues=False,
        standing=None, rematch=None, muted=(), orders=(), barred=0, invitation="abcdef", chance="",
    )  # fmt: skip


def moment(history: list[tuple[State, RecordLine | None]], language: str, me: Seat = ME) -> dict[str, Any]:
    """What a seat is sent when it comes back at the end of this history."""
    now = history[-1][0]
    species = now.settings.species
    face = table(species, "over" if now.step == "over" else "playing", me=me)
    here = Presence(here=(0, 1, 3, 4), watching=1)
    log = lines(history, language, me)
    at = BEGAN + 7000 * len(history)
    open_now = options(now, me, with_refused=True)
    told = tuple(label(one.action, species, language, now.obligations, one.gain) for one in open_now.choices)
    why = tuple(
        None if one.refused is None else explain(one.refused.code, one.refused.facts, species, language)
        for one in open_now.choices
    )
    first = open_now.must
    must = "" if first is None else label(first, species, language, now.obligations, you=me)
    return {
        "welcome": Welcome(
            n=len(log), you=me, table=face, view=worded_view(view(now, me), language), here=here, now=at
        ),
        "options": Choices(id="fixture-1", n=len(log), options=open_now, told=told, why=why, must=must),
        "plan": planned(now, me, _runs(now, me)) if now.phase in ("trade", "economy") else None,
        "lines": log,
    }


def _runs(now: State, me: Seat) -> tuple[Run, ...]:
    """The plan that stands, or the best one and a converter that lacks something."""
    saved = now.plans.get(me)
    if saved is not None:
        return saved
    best = best_plan(view(now, me), me).runs
    idle = (one for one in white_runs(now, me) if one.card not in {run.card for run in best})
    return (*best, *(Run(card=one.card, converter=one.converter) for one in islice(idle, 1)))


def write(name: str, content: object) -> None:
    """Store one file, with its size said."""
    raw = msgspec.json.encode(content)
    (FOLDER / f"{name}.json").write_bytes(raw)
    print(f"{name}: {len(raw)} bytes")


def main(arguments: list[str]) -> int:
    """Play the games and write every moment that was found."""
    language = arguments[0] if arguments else DEFAULT
    FOLDER.mkdir(exist_ok=True)
    write("catalog", msgspec.Raw(printed(language, LEVELS)))
    six = ("faderan", "caylion", "eni_et", "imdril", "kjas", "zeth")
    waiting_room = table(six, "waiting", free=frozenset({3, 4}))
    here = Presence(here=(0, 1), watching=0)
    write("waiting", {"welcome": Welcome(n=4, you=ME, table=waiting_room, view=None, here=here, now=BEGAN)})
    find(list(game(six, "standard", 7)), MOMENTS, "", language)
    thief = ("zeth", "unity", "kit", "yengii", "caylion", "eni_et", "faderan", "imdril", "kjas")
    nine = {name: MOMENTS[name] for name in ("steal", "bid", "over")}
    nine["trade"] = lambda now: now.turn == 3 and now.step == "trade"
    find(list(game(thief, "novice", 7)), nine, "nine-", language)
    return 0


def find(
    history: list[tuple[State, RecordLine | None]], wanted: dict[str, Moment], prefix: str, language: str
) -> None:
    """Write the first of each kind of moment."""
    for name, is_there in wanted.items():
        n = next((n for n, (now, _) in enumerate(history) if is_there(now)), None)
        if n is None:
            print(f"{prefix}{name}: not in this game")
        else:
            write(prefix + name, moment(history[: n + 1], language))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
