"""Typed offers: `anyone 2g+1s > 1y` and its kin, read into an offer; what is wrong is said in a sentence.

Before the > stands what I give, behind it what I get. Things are joined by +; a comma begins a part of
its own, and @3 behind a part puts it off to turn 3. A d before a count takes it from the donation card.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from elysian.actions import ProposeDeal
from elysian.catalog import Card
from elysian.deals import (
    ANYONE,
    AnyClause,
    CardId,
    Deal,
    Forbear,
    Give,
    Handing,
    Lend,
    License,
    NoSteal,
    Pledge,
    Seat,
)
from elysian.deck import CATALOG
from elysian.goods import MOST, NOTHING, Goods
from elysian.messages import DEFAULT, Messages, load
from elysian.view import View

GOODS = re.compile(r"(d)?(\d*)\s*([^\W\d]+|\*|★)", re.IGNORECASE)
PART = re.compile(r"(?P<items>[^@]*)(?:@\s*(?P<turn>\d{1,3})\s*)?")
LENDING = re.compile(r"lend\s+(?P<card>.+?)\s+to\s+(?P<rest>.+)", re.IGNORECASE)
SPECIAL = re.compile(r"(?P<verb>lend|license|licence|no\s?steal)\b\s*(?P<name>.*)", re.IGNORECASE)


def parse_offer(text: str, view: View, language: str = DEFAULT) -> ProposeDeal:
    """The offer somebody typed; raises ValueError with a sentence in their language."""
    words = load(language)
    text = re.sub(r"^offer\s+", "", text.strip(), flags=re.IGNORECASE)
    lending = LENDING.fullmatch(text)
    if lending is not None:
        other, rest = find_seat(lending["rest"], view, words)
        text = f"lend {lending['card']} {rest if rest.startswith('>') else '>' + rest}"
    else:
        other, text = find_seat(text, view, words)
    return _offer(text, view, other, words)


def parse_counter(text: str, view: View, deal: Deal, language: str = DEFAULT) -> ProposeDeal:
    """A typed answer to an offer, for the one who made it; raises ValueError with a sentence."""
    return _offer(text, view, deal.proposer, load(language), answers=deal.id)


def _offer(text: str, view: View, other: Seat, words: Messages, answers: str | None = None) -> ProposeDeal:
    sides = text.split(">")
    if len(sides) != 2:
        raise ValueError(words.offer["arrow"])
    assert view.seat is not None
    reader = _Side(view, words)
    clauses = [*reader.read(sides[0], view.seat, other), *reader.read(sides[1], other, view.seat)]
    if not clauses:
        raise ValueError(words.offer["empty"])
    return ProposeDeal(parties=(view.seat, other), clauses=tuple(clauses), answers=answers)


# ---------------------------------------------------------------- who


def find_seat(text: str, view: View, words: Messages) -> tuple[Seat, str]:
    """The player whose name, or the beginning of it, opens the text; and the rest of the text."""
    typed = text.split()
    for count in (3, 2, 1):
        opening = typed[:count]
        named = len(opening) == count and all(map(plain, opening))
        found = _seats_called(plain("".join(opening)), view, words, begun=count == 1) if named else []
        if len(found) == 1:
            if found[0] == view.seat:
                raise ValueError(words.offer["yourself"])
            return found[0], " ".join(typed[count:])
    others = [CATALOG.species[p.species].in_language(words.code) for p in view.players if p.seat != view.seat]
    names = [facts.short for facts in others]
    raise ValueError(words.offer["who"].format(typed=" ".join(typed[:1]), names=", ".join(names)))


def _seats_called(name: str, view: View, words: Messages, begun: bool) -> list[Seat]:
    """The seats with that name, else, if `begun`, those whose name begins so."""
    if name in (plain(words.word["anyone"]), "anyone"):
        return [ANYONE]
    exact, beginning = [], []
    for player in view.players:
        facts = CATALOG.species[player.species]
        known = [plain(one) for one in (facts.id, facts.short, facts.name, facts.full_name)]
        known.append(plain(facts.in_language(words.code).name))
        if name in known:
            exact.append(player.seat)
        elif any(one.startswith(name) for one in known):
            beginning.append(player.seat)
    return exact or (beginning if begun else [])


def plain(text: str) -> str:
    """A name without spaces, signs and capitals."""
    return "".join(sign for sign in text.casefold() if sign.isalnum())


# ---------------------------------------------------------------- what


def parse_goods(text: str, words: Messages) -> Goods:
    """Goods such as 2g+1s, without cards or donation goods; raises ValueError with a sentence."""
    total = NOTHING
    for item in re.split(r"[+\s]+", text.strip()):
        found = _goods(item, words)
        if found is None or found[1]:
            raise ValueError(words.offer["item"].format(item=item))
        total = total + found[0]
    return total


def _goods(item: str, words: Messages) -> tuple[Goods, bool] | None:
    """Goods and whether they are donation goods; None when the item is something else."""
    match = GOODS.fullmatch(item)
    if match is None:
        return None
    kind = _kind(match[3], words)
    if kind is None and match[1]:
        kind = _kind(match[1] + match[3], words) if not match[2] else None
        return None if kind is None else (Goods(**{kind: 1}), False)
    if kind is None:
        return None
    count = int(match[2] or 1)
    if not 1 <= count <= MOST:
        raise ValueError(words.offer["item"].format(item=item))
    return Goods(**{kind: count}), bool(match[1])


def _kind(typed: str, words: Messages) -> str | None:
    if typed == "A":
        return "wild_large"
    if typed in ("★", "p", "P"):
        return "point"
    for kind, good in words.good.items():
        if typed.casefold() in (kind, f"{kind}s", good.letter.casefold(), good.one, good.many):
            return kind
    return None


class _Side:
    """Reads what one of two seats gives the other."""

    def __init__(self, view: View, words: Messages) -> None:
        self.view = view
        self.words = words

    def read(self, text: str, giver: Seat, to: Seat) -> list[AnyClause]:
        clauses: list[AnyClause] = []
        for part in text.split(","):
            match = PART.fullmatch(part.strip())
            if match is None:
                raise ValueError(self.words.offer["turn"])
            due = int(match["turn"]) if match["turn"] else None
            clauses += self._part(match["items"], giver, to, due)
        return clauses

    def _part(self, text: str, giver: Seat, to: Seat, due: int | None) -> list[AnyClause]:
        goods = donation = NOTHING
        cards: list[CardId] = []
        handed: list[Handing] = []
        promised: list[AnyClause] = []
        for item in filter(None, (one.strip() for one in text.split("+"))):
            found = _goods(item, self.words)
            special = SPECIAL.fullmatch(item)
            if found is not None and found[1]:
                donation = donation + found[0]
            elif found is not None:
                goods = goods + found[0]
            elif special is not None and special["verb"].lower().startswith("no"):
                until = self.view.turn if due is None else due
                promised.append(Forbear(who=giver, to=to, what=NoSteal(target=to), until=until))
            elif special is not None and special["verb"].lower() == "lend":
                handed.append(Lend(giver=giver, to=to, card=self._card(special["name"], giver)))
            elif special is not None:
                handed.append(License(giver=giver, to=to, technology=self._technology(special["name"])))
            elif item not in ("-", "0", self.words.word["nothing"]):
                cards.append(self._card(item, giver))
        if due is not None and donation:
            raise ValueError(self.words.offer["donation_later"])
        if goods or donation or cards:
            handed.insert(0, Give(giver=giver, to=to, goods=goods, donation=donation, cards=tuple(cards)))
        if due is None:
            return [*handed, *promised]
        return [*(Pledge(what=one, due=due) for one in handed), *promised]

    def _card(self, name: str, giver: Seat) -> CardId:
        """A card of the giver by its name or a part of it; else one with exactly that name."""
        if giver != ANYONE:
            mine = find_cards(name, self.view.players[giver].cards)
            if mine:
                return self._only(name, mine)
        found = [card.id for card in CATALOG.cards.values() if plain(name) in _names(card)]
        if not found:
            raise ValueError(self.words.offer["item"].format(item=name.strip()))
        return self._only(name, found)

    def _only(self, name: str, found: Sequence[CardId]) -> CardId:
        if len(found) > 1:
            names = ", ".join(CATALOG.cards[card].front.name for card in found[:4])
            raise ValueError(self.words.offer["several"].format(name=name.strip(), names=names))
        return found[0]

    def _technology(self, name: str) -> str:
        found = [t.id for t in CATALOG.technologies.values() if plain(name) in plain(t.name)]
        exact = [t.id for t in CATALOG.technologies.values() if plain(name) in (plain(t.name), plain(t.id))]
        if len(exact or found) != 1:
            raise ValueError(self.words.offer["item"].format(item=name.strip()))
        return (exact or found)[0]


def _names(card: Card) -> list[str]:
    faces = [card.front] if card.back is None else [card.front, card.back]
    return [plain(card.id), *(plain(face.name) for face in faces)]


def find_cards(name: str, cards: Iterable[CardId]) -> list[CardId]:
    """The cards with that name, else those with that in their name."""
    wanted = plain(name)
    known = [CATALOG.cards[card] for card in cards]
    exact = [card.id for card in known if wanted in _names(card)]
    if exact or not wanted:
        return exact
    return [card.id for card in known if any(wanted in one for one in _names(card))]
