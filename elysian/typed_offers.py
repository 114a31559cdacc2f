"""Typed offers: `anyone 2g+1s > 1y` and its kin, read into an offer; what is wrong is said in a sentence.

Before the > stands what I give, behind it what I get. Things are joined by +; a comma begins a part of
its own, and @3 behind a part puts it off to turn 3. A d before a count takes it from the donation card.
A semicolon begins what passes elsewhere in the same deal: `NAME 2g > 1y; NAME 1b > NAME; 1s > NAME`.
A choice has slashes between its lots and says whose it is: `1u / 3 small, your choice @3`. Deeds and
restraint begin with a verb: `invent`, `upgrade`, `run`, `enter`, `take`, `bid 2 colonies`; `no steal`,
`no trade NAME`, `no take Vega`, `no invent Nanotechnology`, `most 2 research`, `only Vega`,
`only license Nanotechnology`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from elysian.actions import ProposeDeal
from elysian.catalog import Card
from elysian.deals import (
    ANYONE,
    AnyClause,
    CardId,
    Deal,
    Deed,
    Forbear,
    Give,
    Lend,
    License,
    Lot,
    NoBid,
    NoHand,
    NoInvent,
    NoLicense,
    NoSteal,
    NoTake,
    NoTrade,
    OneOf,
    Owing,
    Pledge,
    Restraint,
    Seat,
    Track,
    Undertake,
)
from elysian.deck import CATALOG
from elysian.goods import CUBES, LARGE_CUBES, MOST, NOTHING, SMALL_CUBES, Goods
from elysian.messages import DEFAULT, Messages, load
from elysian.view import View

GOODS = re.compile(r"(d)?(\d*)\s*([^\W\d]+|\*|★)", re.IGNORECASE)
PART = re.compile(r"(?P<items>[^@]*)(?:@\s*(?P<turn>\d{1,3})\s*)?")
LENDING = re.compile(r"lend\s+(?P<card>.+?)\s+to\s+(?P<rest>.+)", re.IGNORECASE)
SPECIAL = re.compile(
    r"(?P<verb>lend|license|licence|run|invent|upgrade|enter|take|bid|most|only\s+licen[sc]e|only"
    r"|no\s?(?:steal|trade|take|invent|hand|licen[sc]e))\b\s*(?P<name>.*)",
    re.IGNORECASE,
)
COUNTED = re.compile(r"(?P<count>\d{1,4})\s*(?P<name>[^\W\d]+)", re.IGNORECASE)
DEADLINES: dict[str, Literal["trade", "economy", "confluence"]] = {
    "run": "economy",
    "invent": "trade",
    "upgrade": "trade",
    "enter": "trade",
    "take": "confluence",
    "bid": "confluence",
}


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
    text, *legs = text.split(";")
    sides = text.split(">")
    if len(sides) != 2:
        raise ValueError(words.offer["arrow"])
    assert view.seat is not None
    reader = _Side(view, words)
    clauses = [*reader.read(sides[0], view.seat, other), *reader.read(sides[1], other, view.seat)]
    parties = [view.seat, other]
    for leg in legs:
        giver, things, to = _leg(leg, view, words)
        clauses += reader.read(things, giver, to)
        parties += [seat for seat in (giver, to) if seat not in parties]
    if not clauses:
        raise ValueError(words.offer["empty"])
    return ProposeDeal(parties=tuple(parties), clauses=tuple(clauses), answers=answers)


def _leg(text: str, view: View, words: Messages) -> tuple[Seat, str, Seat]:
    """Who gives what to whom: `NAME 1b > NAME`; without a giver it is oneself."""
    sides = text.split(">")
    if len(sides) != 2 or not sides[1].strip():
        raise ValueError(words.offer["leg"])
    assert view.seat is not None
    to, rest = find_seat(sides[1], view, words)
    try:
        giver, things = find_seat(sides[0], view, words)
    except ValueError:
        giver, things = view.seat, sides[0]
    if rest or ANYONE in (giver, to) or giver == to or not things.strip():
        raise ValueError(words.offer["leg"])
    return giver, things, to


def parse_question(text: str, view: View, to: Seat | None = None, language: str = DEFAULT) -> Give | None:
    """What somebody asks the price of: `NAME, 2 green?`, `what would you want for Vega, NAME?`.

    What would be paid may stand behind: `NAME, 2 green for 3 white?`. None: it is no such question. `to` is
    whom it was said to, if to one alone.
    """
    words = load(language)
    if not text.rstrip().endswith("?") or view.seat is None:
        return None
    without_price = re.sub(rf"\s(?:{re.escape(words.word['for'])}|for)\s+\d[^,?]*", "", text)
    for asks in (text, without_price):
        asked = _asked(asks, view, to, words)
        wish = None if asked is None else _wish(*asked, view, words)
        if wish is not None:
            return wish
    return None


def asked_seat(text: str, view: View, to: Seat | None = None, language: str = DEFAULT) -> Seat | None:
    """Whom a question of any kind is for; None: it is none, or for nobody in particular."""
    if not text.rstrip().endswith("?") or view.seat is None:
        return None
    asked = _asked(text, view, to, load(language))
    return None if asked is None else asked[0]


def _wish(seat: Seat, rest: str, view: View, words: Messages) -> Give | None:
    """What is named of a seat's, goods and cards; None: something else is."""
    assert view.seat is not None
    goods, cards = NOTHING, list[CardId]()
    for item in re.split(rf"[+,]|\s(?:{re.escape(words.word['and'].strip())}|and)\s", rest):
        found = _goods(item.strip(), words)
        if found is not None and not found[1]:
            goods = goods + found[0]
            continue
        named = find_cards(item, view.players[seat].cards)
        if len(named) != 1:
            return None
        cards += named
    if not goods and not cards:
        return None
    return Give(giver=seat, to=view.seat, goods=goods, cards=tuple(cards))


def _asked(text: str, view: View, to: Seat | None, words: Messages) -> tuple[Seat, str] | None:
    """Whom a question is for, and what is left of it without the name and the usual words."""
    rest = text.strip().rstrip("?").strip()
    rest = re.sub(words.word["asking"], " ", f" {rest} ", flags=re.IGNORECASE).strip(" ,:")
    typed = rest.split()
    if to is not None and 0 <= to < len(view.players) and to != view.seat:
        return to, rest
    for count in (3, 2, 1):
        for opening, others in ((typed[:count], typed[count:]), (typed[-count:], typed[:-count])):
            named = plain("".join(opening))
            found = _seats_called(named, view, words, begun=count == 1 and len(named) > 2) if named else []
            if len(found) == 1 and found[0] not in (view.seat, ANYONE):
                return found[0], " ".join(others).strip(" ,:")
    return None


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
        for part in re.sub(r",(?=\s*(?:my|your)\s+choice\b)", " ", self._plain_choice(text)).split(","):
            match = PART.fullmatch(part.strip())
            if match is None:
                raise ValueError(self.words.offer["turn"])
            due = int(match["turn"]) if match["turn"] else None
            clauses += self._part(match["items"], giver, to, due)
        return clauses

    def _part(self, text: str, giver: Seat, to: Seat, due: int | None) -> list[AnyClause]:
        if "/" in text or text.endswith("choice"):
            return [self._choice(text, giver, to, due)]
        goods = donation = NOTHING
        cards: list[CardId] = []
        handed: list[Owing] = []
        promised: list[AnyClause] = []
        for item in filter(None, (one.strip() for one in text.split("+"))):
            found = _goods(item, self.words)
            special = SPECIAL.fullmatch(item)
            if found is not None and found[1]:
                donation = donation + found[0]
            elif found is not None:
                goods = goods + found[0]
            elif special is not None:
                said = self._special(_verb(special["verb"]), special["name"], giver, to, due)
                if isinstance(said, Lend | License):
                    handed.append(said)
                else:
                    promised.append(said)
            elif item not in ("-", "0", self.words.word["nothing"]):
                cards.append(self._card(item, giver))
        if due is not None and donation:
            raise ValueError(self.words.offer["donation_later"])
        if goods or donation or cards:
            handed.insert(0, Give(giver=giver, to=to, goods=goods, donation=donation, cards=tuple(cards)))
        return self._at(due, handed, promised)

    def _at(self, due: int | None, handed: list[Owing], promised: list[AnyClause]) -> list[AnyClause]:
        """What is handed over now, or promised for a turn."""
        if due is None:
            now = [one for one in handed if not isinstance(one, OneOf)]
            return [*now, *promised]
        return [*(Pledge(what=one, due=due) for one in handed), *promised]

    def _plain_choice(self, text: str) -> str:
        """The words for whose choice it is, in English."""
        for key, english in (("my_choice", "my choice"), ("your_choice", "your choice")):
            text = re.sub(re.escape(self.words.word[key]), english, text, flags=re.IGNORECASE)
        return text

    def _choice(self, text: str, giver: Seat, to: Seat, due: int | None) -> Pledge:
        """A promise of one of several lots; whose choice it is stands behind them (TRADE-17)."""
        match = re.fullmatch(r"(?P<lots>.*?)\s*\b(?P<whose>my|your)\s+choice", text.strip(), re.IGNORECASE)
        if match is None or due is None:
            raise ValueError(self.words.offer["choice"])
        mine = match["whose"].lower() == "my"
        by: Literal["debtor", "creditor"] = "debtor" if mine == (giver == self.view.seat) else "creditor"
        lots = tuple(self._lot(one) for one in match["lots"].split("/"))
        return Pledge(what=OneOf(giver=giver, to=to, lots=lots, chosen_by=by), due=due)

    def _lot(self, text: str) -> Lot:
        goods, cubes = NOTHING, 0
        kinds: tuple[str, ...] = ()
        for item in filter(None, (one.strip() for one in text.split("+"))):
            counted = COUNTED.fullmatch(item)
            of_size = self._size(counted["name"]) if counted else None
            found = _goods(item, self.words)
            if counted and of_size and not cubes:
                cubes, kinds = int(counted["count"]), of_size
            elif found is not None and not found[1]:
                goods = goods + found[0]
            else:
                raise ValueError(self.words.offer["item"].format(item=item))
        return Lot(goods=goods, cubes=cubes, kinds=kinds)

    def _size(self, name: str) -> tuple[str, ...] | None:
        """The kinds of cube that "small", "large" or "any" means."""
        sizes = {"small": SMALL_CUBES, "large": LARGE_CUBES, "any": CUBES}
        for size, kinds in sizes.items():
            if name.casefold() in (size, self.words.word[size]):
                return kinds
        return None

    def _special(self, verb: str, name: str, giver: Seat, to: Seat, due: int | None) -> AnyClause:
        """What begins with a verb: a loan, a licence, a deed or a restraint."""
        if verb == "lend":
            return Lend(giver=giver, to=to, card=self._card(name, giver))
        if verb == "license":
            return License(giver=giver, to=to, technology=self._technology(name))
        turn = self.view.turn if due is None else due
        if verb in DEADLINES:
            return Undertake(to=to, deed=self._deed(verb, name, giver), turn=turn, by=DEADLINES[verb])
        return Forbear(who=giver, to=to, what=self._restraint(verb, name, giver, to), until=turn)

    def _deed(self, verb: str, name: str, giver: Seat) -> Deed:
        if verb == "bid":
            track, count = self._bid(name)
            return Deed(who=giver, verb="bid", subject=track, least=count)
        if verb == "invent":
            return Deed(who=giver, verb="invent", subject=self._technology(name))
        if verb == "take":
            return Deed(who=giver, verb="buy", subject=self._on_track(name))
        if verb == "enter":
            deck = () if giver == ANYONE else self.view.players[giver].deck
            return Deed(who=giver, verb="enter", subject=self._only(name, find_cards(name, deck)))
        return Deed(who=giver, verb="run" if verb == "run" else "upgrade", subject=self._card(name, giver))

    def _restraint(self, verb: str, name: str, giver: Seat, to: Seat) -> Restraint:
        if verb == "nosteal":
            return NoSteal(target=to)
        if verb == "notrade":
            return NoTrade(partner=find_seat(name, self.view, self.words)[0])
        if verb == "notake":
            return NoTake(card=self._on_track(name))
        if verb == "noinvent":
            return NoInvent(subject=self._technology(name))
        if verb == "most":
            track, count = self._bid(name)
            return NoBid(track=track, most=count)
        but = to if verb.startswith("only") else None
        if verb.endswith("license"):
            return NoLicense(technology=self._technology(name), but=but)
        return NoHand(card=self._card(name, giver), but=but)

    def _bid(self, text: str) -> tuple[Track, int]:
        counted = COUNTED.fullmatch(text.strip())
        track = None if counted is None else self._track(counted["name"])
        if counted is None or track is None:
            raise ValueError(self.words.offer["bid"])
        return track, int(counted["count"])

    def _track(self, name: str) -> Track | None:
        tracks: tuple[Track, ...] = ("colony", "research")
        for track in tracks:
            known = (
                track,
                *plain_words(self.words.track[track]),
                "colonies" if track == "colony" else "teams",
            )
            if name.casefold() in known:
                return track
        return None

    def _on_track(self, name: str) -> CardId:
        lying = [card for card in (*self.view.colony_track, *self.view.research_track) if card is not None]
        return self._only(name, find_cards(name, lying))

    def _card(self, name: str, giver: Seat) -> CardId:
        """A card of the giver by its name or a part of it; else one with exactly that name."""
        if giver != ANYONE:
            mine = find_cards(name, self.view.players[giver].cards)
            if mine:
                return self._only(name, mine)
        found = [card.id for card in CATALOG.cards.values() if plain(name) in _names(card)]
        return self._only(name, found)

    def _only(self, name: str, found: Sequence[CardId]) -> CardId:
        if not found:
            raise ValueError(self.words.offer["item"].format(item=name.strip()))
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


def _verb(typed: str) -> str:
    """A verb in one word and one spelling."""
    return re.sub(r"\s", "", typed.lower()).replace("licence", "license")


def plain_words(text: str) -> list[str]:
    """The words of a name, without capitals."""
    return text.casefold().split()


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
