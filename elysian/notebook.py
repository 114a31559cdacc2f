"""Notebooks: views, cards and records as small pieces of HTML, without scripts, every word escaped."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from elysian.catalog import Card
from elysian.deals import CardId
from elysian.deck import CATALOG
from elysian.goods import Goods
from elysian.messages import DEFAULT, Telling, describe, load, tell
from elysian.record import Record, replay
from elysian.state import FinalScore
from elysian.text.cards import describe as card_lines
from elysian.view import SeatView, View

# Fill and letter of each good; what a screen cannot colour the title says.
COLOURS = {
    "green": ("#2e7d32", "#fff"),
    "white": ("#fafafa", "#222"),
    "brown": ("#795548", "#fff"),
    "black": ("#222", "#fff"),
    "blue": ("#1565c0", "#fff"),
    "yellow": ("#f9c80e", "#222"),
    "wild_small": ("#9e9e9e", "#222"),
    "wild_large": ("#616161", "#fff"),
    "ultratech": ("#e65100", "#fff"),
    "ship": ("#b71c1c", "#fff"),
    "point": ("#6a1b9a", "#fff"),
    "envoy": ("#00838f", "#fff"),
    "acknowledgement": ("#4e342e", "#fff"),
}
CHIP = "display:inline-block;border:1px solid #888;border-radius:3px;padding:0 4px;margin:1px"
LAST = 12  # lines of a record


def html(value: object) -> str:
    """A view, a card or a record; raises TypeError for anything else."""
    if isinstance(value, View):
        return "".join(_view(value))
    if isinstance(value, Record):
        return "".join(_record(value))
    if isinstance(value, Card):
        return f"<pre>{escape(chr(10).join(card_lines(value)))}</pre>"
    raise TypeError(f"a {type(value).__name__} cannot be drawn")


def chips(goods: Goods) -> str:
    """Goods as coloured counts."""
    return "".join(
        f'<span title="{kind}" style="{CHIP};background:{fill};color:{text}">{n}</span>'
        for kind, n in goods.items()
        for fill, text in (COLOURS[kind],)
    )


def _view(view: View) -> Iterable[str]:
    words = load()
    species = view.settings.species
    whose = "a spectator" if view.seat is None else CATALOG.species[species[view.seat]].name
    score = "" if view.score is None else f" · {view.score} points"
    yield f"<p><b>Turn {view.turn}, {escape(words.step[view.step])}</b> · seen by {escape(whose)}{score}</p>"
    yield _table(("seat", "species", "goods", "to give", "cards", ""), map(_seat, view.players))
    for name, track, minimums in (
        ("Colonies", view.colony_track, view.colony_minimums),
        ("Research", view.research_track, view.research_minimums),
    ):
        laid = (
            f"{_card(card)} <small>({least})</small>"
            for card, least in zip(track, minimums, strict=False)
            if card is not None
        )
        yield f"<p><b>{name}:</b> {', '.join(laid) or '–'}</p>"
    if view.deals:
        you, telling = view.seat, Telling(load(DEFAULT), species)
        offers = (
            f"<li>{escape(name)}: {escape(describe(deal, species, you=you))}"
            f"{' <i>' + escape(telling.reason(deal.reason)) + '</i>' if deal.reason else ''}</li>"
            for name, deal in view.deals.items()
        )
        yield f"<p><b>Offers</b></p><ul>{''.join(offers)}</ul>"
    if view.scores:
        yield _scores(view.scores, species)


def _seat(area: SeatView) -> tuple[str, ...]:
    cards = ", ".join(map(_card, area.cards))
    return (
        str(area.seat + 1),
        escape(CATALOG.species[area.species].name),
        chips(area.stock),
        chips(area.donation + area.tied),
        f"<details><summary>{len(area.cards)}</summary>{cards}</details>",
        "done" if area.done else "",
    )


def _card(card: CardId) -> str:
    return escape(CATALOG.cards[card].front.name)


def _record(record: Record) -> Iterable[str]:
    species = record.head.started.settings.species
    state = replay(record)
    yield (
        f"<p><b>A game of {len(species)}</b>, edition {escape(record.head.started.settings.edition)}, "
        f"seed {escape(str(record.head.seed))}: {len(record.entries)} actions, turn {state.turn}</p>"
    )
    players = record.head.players
    if players:
        named = (
            f"{escape(CATALOG.species[who].name)}: {escape(one.name)}"
            f"{f' <small>({escape(one.version)})</small>' if one.version else ''}"
            for who, one in zip(species, players, strict=True)
        )
        yield f"<p>{', '.join(named)}</p>"
    if state.scores:
        yield _scores(state.scores, species)
    told = [
        escape(tell(event, species, promises=state.obligations))
        for entry in record.entries[-LAST:]
        for event in entry.events
    ]
    lines = "".join(f"<li>{line}</li>" for line in told[-LAST:])
    yield f"<details><summary>the last of it</summary><ul>{lines}</ul></details>"


def _scores(scores: Iterable[FinalScore], species: tuple[str, ...]) -> str:
    ranked = sorted(scores, key=lambda score: -score.total)
    rows = (
        (
            escape(CATALOG.species[species[score.seat]].name),
            f"{score.total / 12:.2f}",
            "won" if score.winner else "",
        )
        for score in ranked
    )
    return _table(("species", "points", ""), rows)


def _table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    head = "".join(f"<th>{name}</th>" for name in heads)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


__all__ = ["chips", "html"]
