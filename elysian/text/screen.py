"""The terminal game's drawing: lines of at most 80 columns made from a view, and the stream they go to."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator
from fractions import Fraction
from textwrap import wrap
from typing import TextIO

from elysian.actions import AcceptDeal
from elysian.catalog import Card, Upgrade, pair_converter
from elysian.deals import ANYONE, CardId, Deal, Seat
from elysian.deck import CATALOG
from elysian.goods import KINDS
from elysian.messages import Messages, Telling, load
from elysian.messages.telling import mixed
from elysian.options import Options
from elysian.state import TURNS, Held
from elysian.text.cards import converter_words, cost_words
from elysian.view import SeatView, View

WIDTH = 80
HEIGHT = 24
COLOURS = {
    "green": "32",
    "white": "1",
    "brown": "38;5;137",
    "black": "38;5;245",
    "blue": "38;5;75",
    "yellow": "93",
    "wild_small": "38;5;250",
    "wild_large": "38;5;250",
    "ultratech": "38;5;213",
    "ship": "36",
    "envoy": "31",
    "acknowledgement": "38;5;180",
}
SIGNS = {good.letter: COLOURS[kind] for kind, good in load().good.items() if kind in COLOURS}
PIECES = re.compile(rf"(?<![\w;\[])\d+([{''.join(SIGNS)}])\b")
ALWAYS = KINDS[:10]  # columns of the table strip; tokens only when somebody has some
TOKENS = ("envoy", "acknowledgement")
PLAIN = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "–": "-", "…": "..."}
)


class Screen:
    """Where the game is printed: wraps at 80 columns, colours only a terminal, spares old encodings."""

    def __init__(self, out: TextIO) -> None:
        """Print to `out`."""
        self.out = out
        self.coloured = out.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    def line(self, text: str = "") -> None:
        """One line, as it is; pieces such as 2G have their colour."""
        text = PIECES.sub(lambda found: self.paint(SIGNS[found[1]], found[0]), text.rstrip())
        self.out.write(self._fit(text) + "\n")

    def say(self, text: str, indent: str = "", hang: str | None = None) -> None:
        """A text in lines that fit; `hang` begins all but the first."""
        for line in folded(text, indent, hang):
            self.line(line)

    def ask(self, prompt: str) -> None:
        """A prompt, with the cursor behind it."""
        self.out.write(self._fit(self.paint("1", prompt)))
        self.out.flush()

    def paint(self, code: str, text: str) -> str:
        """The text in a colour, if this is a terminal that wants it."""
        return f"\x1b[{code}m{text}\x1b[0m" if self.coloured else text

    def _fit(self, text: str) -> str:
        """What the stream's encoding cannot hold is written with the letters it has."""
        encoding = self.out.encoding or "utf-8"
        try:
            text.encode(encoding)
        except UnicodeEncodeError:
            text = unicodedata.normalize("NFKD", text.translate(PLAIN))
            return text.encode("ascii", "ignore").decode()
        return text


def folded(text: str, indent: str = "", hang: str | None = None) -> list[str]:
    """The text in lines that fit, never broken inside a word with a hyphen."""
    hanging = indent if hang is None else hang
    return wrap(text, WIDTH, initial_indent=indent, subsequent_indent=hanging, break_on_hyphens=False)


class Drawing:
    """What a seat sees, as lines in its language."""

    def __init__(
        self,
        view: View,
        options: Options,
        messages: Messages,
        screen: Screen,
        telling: type[Telling] = Telling,
    ) -> None:
        """Draw one moment of the table; `telling` says how others are quoted."""
        self.view = view
        self.options = options
        self.messages = messages
        self.screen = screen
        self.telling = telling(messages, view.settings.species, view.obligations)

    def words(self, key: str, **names: object) -> str:
        """A text of the terminal game."""
        return self.messages.terminal[key].format(**names)

    # ------------------------------------------------------------ the head and the table

    def head(self) -> Iterator[str]:
        """Turn, phase and step; the bonus, one's own points; who is waited for."""
        view = self.view
        title = self.words("turn", turn=view.turn, turns=TURNS, phase=self.messages.phase[view.phase])
        bonus = view.bonus[view.turn - 1][0]
        right = self.words("points", points=view.score, bonus=bonus)
        ruled = f"== {title} {'=' * (WIDTH - len(title) - len(right) - 8)} {right} =="
        yield self.screen.paint("1;7", ruled)
        names = [self.name(seat) for seat in view.waiting]
        if len(names) == len(view.players):
            names = [self.words("everyone")]
        step = self.messages.step[view.step]
        yield from folded(self.words("waiting", step=step, names=", ".join(names) or "-"), hang="  ")

    def name(self, seat: Seat) -> str:
        """A seat's short name; one's own is marked."""
        said = self.telling.seat(seat)
        return self.words("yourself", name=said) if seat == self.view.seat else said

    def strip(self) -> Iterator[str]:
        """A row per player: stock by letter, donation goods, colonies and teams, done."""
        players = self.view.players
        kinds = [*ALWAYS, *(kind for kind in TOKENS if any(getattr(p.stock, kind) for p in players))]
        letters = "".join(self._cell(kind, self.messages.good[kind].letter) for kind in kinds)
        heads = [self.messages.terminal[key] for key in ("donation", "colonies", "teams")]
        yield f"{'':<9} {letters}  {heads[0]:<14} {heads[1]:<5} {heads[2]:<4}".rstrip()
        for player in players:
            mark = ">" if player.seat == self.view.seat else " "
            name = f"{mark} {self.telling.seat(player.seat):<7}"
            stock = "".join(self._cell(kind, getattr(player.stock, kind) or ".") for kind in kinds)
            aside = self.telling.letters(player.donation + player.tied)
            done = self.messages.terminal["done"] if player.done else ""
            row = f"{aside:<14.14} {self._colonies(player):<5} {self._teams(player):<4} {done}"
            yield f"{self.screen.paint('1', name) if mark == '>' else name} {stock}  {row}".rstrip()

    def _cell(self, kind: str, content: object) -> str:
        text = f"{content!s:>3}"
        return text if content == "." else self.screen.paint(COLOURS[kind], text)

    def _colonies(self, player: SeatView) -> str:
        held = sum(CATALOG.cards[card].is_colony for card in player.cards)
        return f"{held}/{'-' if player.support is None else player.support}"

    def _teams(self, player: SeatView) -> str:
        return str(sum(CATALOG.cards[card].research is not None for card in player.cards))

    def example(self) -> str:
        """An offer the person could make: one of what they have most of, for one of another's most."""
        me = self.view.me
        for other in sorted(self.view.players, key=lambda player: player.done):
            theirs = [kind for kind in ALWAYS if getattr(other.stock, kind) > getattr(me.stock, kind)]
            if other.seat != me.seat and theirs:
                given = max(ALWAYS, key=lambda kind: getattr(me.stock, kind))
                got = max(theirs, key=lambda kind: getattr(other.stock, kind))
                give = f"1{self._typed(given)}" if getattr(me.stock, given) else ""
                return f"{self.telling.seat(other.seat).lower()} {give} > 1{self._typed(got)}"
        return "anyone 1g > 1w"

    def _typed(self, kind: str) -> str:
        letter = self.messages.good[kind].letter
        return letter if kind == "wild_large" else letter.lower()

    # ------------------------------------------------------------ cards

    def cards(self, seat: Seat, upgrades: bool = True) -> Iterator[str]:
        """Everything a seat holds, with the converters of the sides that show and how to upgrade it."""
        player = self.view.players[seat]
        yield self.words("cards_of", name=self.name(seat))
        for card, held in player.cards.items():
            printed = CATALOG.cards[card]
            yield from columns(self.title(player, printed, held), self.says(player, printed, held, upgrades))
        lent = [
            (card, other.seat)
            for other in self.view.players
            for card, held in other.cards.items()
            if held.owner == seat and other.seat != seat
        ]
        for card, holder in lent:
            said = self.words("lent_to", card=CATALOG.cards[card].front.name, name=self.name(holder))
            yield from folded(said, "  ", "    ")

    def says(self, player: SeatView, card: Card, held: Held, upgrades: bool = True) -> list[str]:
        """What a card in play does: converters, what it invents, how it is upgraded."""
        said = list(self.converters(card.id, player.cards))
        if card.research is not None:
            said.append(research_line(card))
        if upgrades and card.upgrades and not held.flipped:
            said.append(self.words("upgrade", ways=" / ".join(map(self._way, card.upgrades))))
        return said

    def title(self, player: SeatView, card: Card, held: Held) -> str:
        """The name of a card in play, with its marks."""
        face = card.face(held.flipped)
        marks = [
            *([self.messages.climate[face.climate]] if face.climate is not None else []),
            *([self.words("twice")] if held.seedling else []),
            *([self.words("fleets_needed", n=face.fleets_needed)] if face.fleets_needed else []),
            *([self.words("fleets", n=face.fleets)] if face.fleets else []),
            *([self.words("support", n=face.support)] if face.support else []),
            *([self.words("others_only")] if card.lent_only and held.owner == player.seat else []),
            *(
                [self.words("lent_by", name=self.name(held.owner))]
                if held.owner is not None and held.owner != player.seat
                else []
            ),
        ]
        return face.name + (f" ({', '.join(marks)})" if marks else "")

    def _way(self, way: Upgrade) -> str:
        """What an upgrade asks for: a price, or a technology to spend."""
        if way.technology is not None:
            return self.telling.technology(way.technology)
        return self.printed(cost_words(way.cost)) if way.cost is not None else ""

    def printed(self, text: str) -> str:
        """What is printed on a card, in the person's language."""
        return translated(text, self.messages)

    def converters(self, card: CardId, cards: dict[CardId, Held]) -> Iterator[str]:
        """The converters a card in play shows; a pair's stands on its leading half."""
        printed = CATALOG.cards[card]
        if printed.mate is None:
            for converter in printed.face(cards[card].flipped).converters:
                yield self.printed(converter_words(converter))
        elif printed.leads and printed.mate in cards:
            mate = CATALOG.cards[printed.mate].face(cards[printed.mate].flipped)
            both = pair_converter(printed.face(cards[card].flipped), mate)
            yield self.printed(converter_words(both))

    def tracks(self, only: str | None = None) -> Iterator[str]:
        """The tracks, or the `only` one being resolved: minimum bid of each space and the card on it."""
        view = self.view
        if only != "research":
            yield self.words("colony_track")
            for minimum, card in zip(view.colony_minimums, view.colony_track, strict=True):
                yield from self._space(minimum, card)
        if only != "colony":
            yield self.words("research_track")
            for minimum, card in zip(view.research_minimums, view.research_track, strict=True):
                yield from self._space(minimum, card)

    def _space(self, minimum: int, card: CardId | None) -> Iterator[str]:
        if card is None:
            yield f"  {minimum:>2} -"
            return
        printed = CATALOG.cards[card]
        if printed.research is not None:
            yield from columns(f"{minimum:>2} {printed.front.name}", [research_line(printed)])
            return
        said = ", ".join(map(converter_words, printed.front.converters))
        for way in printed.upgrades:
            back = printed.face(flipped=True)
            climate = self.messages.climate[back.climate or "any"]
            out = ", ".join(map(converter_words, back.converters))
            said += self.words("terraform", way=self._way(way), climate=climate, out=out)
        climate = self.messages.climate[printed.front.climate or "any"]
        yield from columns(f"{minimum:>2} {printed.front.name} ({climate})", [said])

    # ------------------------------------------------------------ deals

    def offers(self, most: int | None = None) -> Iterator[str]:
        """The open offers the person can answer, in plain words, with what stands in the way of each."""
        found = [deal for deal in self.view.deals.values() if is_for(deal, self.view.seat)]
        if found:
            yield from folded(self.words("offers", number=_number(found[0].id)))
        for deal in found[:most]:
            yield from folded(f"{'#' + _number(deal.id):>4}  {self.telling.terms(deal)}", " ", "       ")
            for choice in self.options.choices:
                if choice.action == AcceptDeal(deal=deal.id) and choice.refused is not None:
                    why = self.telling.refusal(choice.refused.code, choice.refused.facts)
                    yield from folded(self.words("not_now", why=why), "       ")
        if most is not None and len(found) > most:
            yield "  " + self.words("more_offers", count=len(found) - most)

    def my_offers(self) -> Iterator[str]:
        """The open offers the person made."""
        found = [deal for deal in self.view.deals.values() if deal.proposer == self.view.seat]
        if found:
            yield self.words("my_offers")
        for deal in found:
            yield from folded(f"{'#' + _number(deal.id):>4}  {self.telling.terms(deal)}", " ", "       ")

    def standing(self) -> Iterator[str]:
        """In one line: open offers of one's own, promises to keep, promises to be kept."""
        me, view = self.view.seat, self.view
        counts = {
            "mine": sum(deal.proposer == me for deal in view.deals.values()),
            "owed": sum(owed.debtor == me for owed in view.obligations.values()),
            "due": sum(owed.creditor == me for owed in view.obligations.values()),
        }
        if any(counts.values()):
            yield from folded(self.words("standing", **counts))

    def ledger(self) -> Iterator[str]:
        """Every promise that stands: number, words; those of others among themselves last."""
        promises = self.view.obligations.values()
        yield self.words("ledger") if promises else self.words("no_promises")
        for owed in sorted(promises, key=lambda one: self.view.seat not in (one.debtor, one.creditor)):
            said = f"{_number(owed.id):>5}  {self.telling.terms(owed)}"
            if owed.id in self.view.choices:
                said += self.words("chosen", goods=self.telling.goods(self.view.choices[owed.id]))
            yield from folded(said, "  ", "         ")

    def scores(self) -> Iterator[str]:
        """How every score came about, the best first."""
        yield self.words("scores")
        for score in sorted(self.view.scores, key=lambda one: -one.total):
            said = self.telling.say("score", score)
            left = self.words(
                "score_parts",
                points=self.telling.say("points", score.points),
                goods=mixed(Fraction(score.goods, 12)),
            )
            yield from folded(f"{said}: {left}", "  ", "    ")


def research_line(card: Card) -> str:
    """What a research team asks and brings, in one line."""
    assert card.research is not None
    paid = " / ".join(map(cost_words, card.research.costs))
    technology = card.research.technology
    named = f" {CATALOG.technologies[technology].name}" if technology is not None else ""
    return f"{paid} ==> {card.research.points}*{named}"


def columns(name: str, said: Iterable[str], left_width: int = 34) -> Iterator[str]:
    """A name on the left, lines on the right; a long name has a line to itself."""
    left = f"  {name}"
    for text in said or ("",):
        if len(left) >= left_width:
            yield from folded(left, hang="    ")
            left = ""
        for line in wrap(text, WIDTH - left_width, subsequent_indent="  ", break_on_hyphens=False) or [""]:
            yield f"{left:<{left_width}}{line}".rstrip()
            left = ""
    if left.strip():
        yield from folded(left, hang="    ")


def is_for(deal: Deal, seat: Seat | None) -> bool:
    """Whether a seat can answer an offer."""
    return (
        seat is not None
        and deal.proposer != seat
        and seat not in deal.accepted
        and (seat in deal.parties or ANYONE in deal.parties)
    )


def translated(text: str, messages: Messages) -> str:
    """The words `elysian cards` prints on a card, in another language; letters and numbers stay."""
    for printed, said in messages.printed.items():
        text = text.replace(printed, said)
    return text


def _number(name: str) -> str:
    """The number by which a person calls an offer or a promise."""
    return name.removeprefix("d")
