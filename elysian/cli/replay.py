"""The command `replay`: a recorded game read back, and what today's rules would decide otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap

import msgspec
import typer

from elysian.deck import CATALOG
from elysian.messages import tell
from elysian.record import DamagedRecord, Difference, Record, prove, read
from elysian.record import check as differences_in
from elysian.record import replay as replay_record
from elysian.state import State
from elysian.text.cards import WIDTH, goods_words


def run(path: Path, check: bool, telling: bool = False) -> None:
    """Print how the game ended, or how it stands; raises ValueError or OSError when it cannot be read.

    With `telling` everything that happened comes before it. With `check` every action is decided again; the
    command fails when one comes out otherwise.
    """
    try:
        record = read(path)
        state = replay_record(record)
        found = differences_in(record) if check else []
        edited = check and prove(record) == "edited"
    except DamagedRecord as damaged:
        raise ValueError(f"{path}: {damaged}") from None
    if telling:
        typer.echo("\n".join(told(record)))
    typer.echo("\n".join(standing(state)))
    if not check:
        return
    total = len(record.entries)
    if edited:
        typer.echo("Its seed does not deal this beginning: the record was edited, or is of another program.")
    if not found and not edited:
        typer.echo(f"{total} actions, all decided the same today.")
        return
    for difference in found:
        typer.echo("\n".join(shown(record, difference)))
    typer.echo(f"{len(found)} of {total} actions would be decided otherwise today.")
    raise typer.Exit(1)


def told(record: Record) -> Iterator[str]:
    """The log of a game, a line for every event; whoever holds a record may know all of it."""
    states = list(record.states())
    turn = 0
    for before, after, entry in zip(states, states[1:], record.entries, strict=False):
        if before.turn != turn:
            turn = before.turn
            yield f"turn {turn}"
        promises = {**before.obligations, **after.obligations}
        for event in entry.events:
            line = tell(event, before.settings.species, promises=promises)
            yield from wrap(line, WIDTH, initial_indent="  ", subsequent_indent="    ")
    yield ""


def standing(state: State) -> Iterator[str]:
    """The final scores; for an unfinished game turn, step and stocks."""
    names = [CATALOG.species[species].name for species in state.settings.species]
    if state.scores:
        yield f"{len(names)} players, edition {state.settings.edition}: the game is over"
        yield f"{'species':<20}{'points':>7}{'goods':>8}{'total':>8}"
        for score in state.scores:
            goods, total = score.goods / 12, score.total / 12
            mark = "  winner" if score.winner else ""
            yield f"{names[score.seat]:<20}{score.points:>7}{goods:>8.2f}{total:>8.2f}{mark}"
        return
    yield f"{len(names)} players, edition {state.settings.edition}: turn {state.turn}, step {state.step}"
    for name, player in zip(names, state.players, strict=True):
        stock = " ".join(goods_words(player.stock)) or "nothing"
        aside = " ".join(goods_words(player.to_give_away))
        line = f"{name:<16}{stock}" + (f"; to give away {aside}" if aside else "")
        yield from wrap(line, WIDTH, subsequent_indent=" " * 16)


def shown(record: Record, difference: Difference) -> Iterator[str]:
    """One entry with what was recorded and what would happen today, from the first event that differs."""
    entry = record.entries[difference.n - 1]
    who = "the clock" if entry.seat is None else f"seat {entry.seat}"
    yield f"entry {entry.n}: {who}, {_kind(entry.action)}"
    recorded = [_text(event) for event in difference.recorded]
    if isinstance(difference.decided, str):
        yield _cut(f"  recorded: {', '.join(map(_kind, difference.recorded))}")
        yield f"  today:    refused ({difference.decided})"
        return
    decided = [_text(event) for event in difference.decided]
    same = 0
    while same < min(len(recorded), len(decided)) and recorded[same] == decided[same]:
        same += 1
    yield _cut(f"  recorded: {' '.join(recorded[same:]) or 'nothing more'}")
    yield _cut(f"  today:    {' '.join(decided[same:]) or 'nothing more'}")


def _kind(value: msgspec.Struct) -> str:
    return str(value.__struct_config__.tag)


def _text(value: msgspec.Struct) -> str:
    return msgspec.json.encode(value).decode()


def _cut(line: str) -> str:
    return line if len(line) <= WIDTH else f"{line[: WIDTH - 3]}..."
