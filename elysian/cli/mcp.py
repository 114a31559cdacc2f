"""The command `mcp`: a seat for an assistant, in a game here or at a table of a server."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Annotated, cast

import typer

if TYPE_CHECKING:
    from elysian.mcp.local import LocalSeat

TOKEN = "ELYSIAN_TOKEN"
ASSISTANT = "assistant"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("mcp")(mcp)


def mcp(
    table: Annotated[
        str | None,
        typer.Option(help=f"A server's table, http://HOST/t/TABLE#INVITATION; {TOKEN} says who comes."),
    ] = None,
    name: Annotated[str, typer.Option(help="At a server's table without a token: come as this guest.")] = "",
    species: Annotated[
        str | None, typer.Option(help="Here: species in seat order, the assistant's first. [default: drawn]")
    ] = None,
    players: Annotated[int | None, typer.Option(help="Here: how many seats, 4 to 9.")] = None,
    bots: Annotated[str, typer.Option(help="Here: who plays against it, as in `elysian play`.")] = "standard",
    seed: Annotated[int | None, typer.Option(help="Here: same seed, same decks. [default: drawn]")] = None,
    edition: Annotated[str, typer.Option(help="Here: the rules, 2017, 2020 or de2021.")] = "2020",
    records: Annotated[Path, typer.Option(help="Here: the folder for the record.")] = Path(),
    http: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="Streamable HTTP on this port (0: any free). [default: stdio]"),
    ] = None,
    host: Annotated[str, typer.Option(help="The address to listen on, with --http.")] = "127.0.0.1",
) -> None:
    """Give an assistant a seat, over the Model Context Protocol: stdio, or HTTP with --http."""
    from elysian.mcp.seat import SeatFromOutside
    from elysian.mcp.server import SeatTools, run_http, run_stdio

    seat: SeatFromOutside
    if table is not None:
        from elysian.mcp.remote import RemoteSeat

        seat = RemoteSeat(table, os.environ.get(TOKEN, ""), name)
    else:
        seat = _local(species, players, bots, seed, edition, records)
    if http is None:
        run_stdio(SeatTools(seat))
    else:
        run_http(SeatTools(seat), host, http, lambda url: print(f"Listening at {url}", file=sys.stderr))


def _local(
    species: str | None, players: int | None, bots: str, seed: int | None, edition: str, records: Path
) -> LocalSeat:
    from elysian.cli.simulate import line_up
    from elysian.draft import IllegalAction
    from elysian.mcp.local import LocalSeat
    from elysian.messages import sentence
    from elysian.players.levels import check_levels
    from elysian.record import Record
    from elysian.sim.local import against, free_name
    from elysian.state import Edition, Settings

    levels = tuple(one.strip() for one in bots.split(",") if one.strip())
    check_levels(levels)
    seed = SystemRandom().randrange(1_000_000) if seed is None else seed
    wanted = tuple(one.strip() for one in (species or "").split(",") if one.strip())
    names = line_up(wanted, players, Random(f"{seed}/species"))
    if len(levels) >= len(names):
        raise ValueError(f"{len(levels)} bots, but only {len(names) - 1} seats beside the assistant's.")
    try:
        settings = Settings(species=names, edition=cast(Edition, edition))
        record = Record.begin(settings, seed, against(ASSISTANT, levels, len(names)))
    except IllegalAction as illegal:
        raise ValueError(sentence(illegal, names)) from None
    records.mkdir(parents=True, exist_ok=True)
    return LocalSeat(record, free_name(record, records))
