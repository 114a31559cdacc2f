"""How events, refusals, actions and clauses become sentences: every field turned into words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any, Union

import msgspec
from msgspec import Struct

from elysian.actions import Action, Gift, UpgradeCard
from elysian.deals import (
    ANYONE,
    AnyClause,
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
    Note,
    NoTrade,
    Obligation,
    OneOf,
    Owing,
    Pledge,
    Reason,
    Restraint,
    Undertake,
)
from elysian.deck import CATALOG
from elysian.event_parts import Bonus, Entered, Licensed, Moved, Paid, Returned, Standing, Start
from elysian.events import DealAccepted, DealStruck, Event
from elysian.goods import CUBES, LARGE_CUBES, NOTHING, SMALL_CUBES, Goods
from elysian.messages.words import Messages
from elysian.rules import DECIDERS
from elysian.state import Bid, Bidder, FinalScore, Run

# What a number or a text means follows from the name of its field.
SEATS = {"seat", "by", "to", "giver", "target", "who", "proposer", "holder", "owner", "parties", "rebid"}
CARDS = {"card", "cards", "colonies", "under", "removed", "spent", "shared", "entered"}
COUNTED = {"points": "point", "bonus": "point", "ships": "ship"}
NAMED = {"deal", "deals", "bid", "order"}  # those that say more than one word, or another
# Told apart in a moment, for every field of every line: as tuples, not as unions made anew each time.
SEVERAL = (tuple, list, dict)
LONG_PARTS = (Moved, Obligation, Licensed)
LONGEST = 60  # of what somebody else typed, repeated in a sentence


def fill(template: str, words: Mapping[str, str]) -> str:
    """The template with its names filled in; a part in brackets is dropped when a name in it is empty."""
    parts = _parts(template)
    if len(parts) > 1:
        template = "".join([part for part, names in parts if not names or all(map(words.get, names))])
    return template.format_map(words)


@cache
def _parts(template: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """A template of a message file cut at its brackets; each part with the names that must not be empty."""
    cut = enumerate(re.split(r"\[([^\]]*)\]", template))
    return tuple((part, tuple(re.findall(r"\{(\w+)\}", part)) if n % 2 else ()) for n, part in cut)


@cache
def _names(template: str) -> frozenset[str]:
    """The names in a template of a message file."""
    return frozenset(re.findall(r"\{(\w+)", template))


@cache
def _short_name(species: str, language: str) -> str:
    """The short name of a species."""
    return CATALOG.species[species].in_language(language).short


def harmless(text: str) -> str:
    """What somebody typed, without control signs, in one line."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else " " for sign in text)


def card_name(card: str) -> str:
    """The printed name of a card; of an unknown one, what was typed."""
    printed = CATALOG.cards.get(card)
    return printed.front.name if printed is not None else harmless(card)[:LONGEST]


class Telling:
    """One language at one table."""

    def __init__(
        self,
        messages: Messages,
        species: Sequence[str],
        promises: Mapping[str, Obligation] | None = None,
        you: int | None = None,
        offers: Mapping[str, Deal] | None = None,
    ) -> None:
        """Speak of these species, by seat, and of known promises; clauses say "you" to seat `you`.

        An offer is told by its number where people answer by number; where they do not, `offers` are those
        that lie on the table, and it is told by whose it is and what for.
        """
        self.messages = messages
        self.species = species
        self.promises = promises or {}
        self.you = you
        self.offers = offers

    # ------------------------------------------------------------ whole sentences

    def refusal(self, code: str, facts: Mapping[str, object]) -> str:
        """Why an action was refused."""
        words = {name: self.say(name, _as_stored(name, fact)) for name, fact in facts.items()}
        if facts.get("seat", 0) is None:
            words["seat"] = self.messages.word["one_player"]
        about_you = self.you is not None and facts.get("seat") == self.you
        said = self.messages.refused_you.get(code) if about_you else None
        return fill(said or self.messages.refused[code], words)

    def event(self, event: Event, reason: str | Reason = "") -> str:
        """A line of the log, with the reason somebody gave for it."""
        template = self.messages.event[_kind(event)]
        told = fill(template, self._words(event, _names(template)))
        said = self.spoken(self.reason(reason))
        return self.messages.word["reason"].format(told=told, reason=said) if said else told

    def reason(self, reason: str | Reason) -> str:
        """What somebody gives as a reason: their own words, or a sentence of ours in this language.

        A code that is not known here, of another version, says nothing.
        """
        if isinstance(reason, str):
            return reason
        named = self.handed(reason.goods, NOTHING, reason.cards)
        known = reason.subject in CATALOG.technologies
        what = self.technology(reason.subject) if known else card_name(reason.subject)
        said = self.messages.reason.get(reason.code, "")
        said = said.format(named=named, what=what, price=self.goods(reason.price))
        return f"{said[:1].upper()}{said[1:]}." if said else ""

    def action(self, action: Action, gain: Goods = NOTHING) -> str:
        """A line of a menu."""
        words = {"gain": "", "technology": "", **self._words(action)}
        if gain:
            words["gain"] = self.goods(gain)
        if isinstance(action, UpgradeCard) and action.card in CATALOG.cards:
            way = CATALOG.cards[action.card].upgrades[action.way]
            words["technology"] = "" if way.technology is None else self.technology(way.technology)
        return fill(self.messages.action[_kind(action)], words)

    def _words(self, what: Struct, wanted: frozenset[str] | None = None) -> dict[str, str]:
        """Every field in words; of those that stand for themselves, only the wanted ones. None: all."""
        words: dict[str, str] = {}
        for field in what.__struct_fields__:
            if field in NAMED:
                words |= self._named(what, field, getattr(what, field))
            elif wanted is None or field in wanted:
                words[field] = self.say(field, getattr(what, field))
        return words

    def _named(self, what: Struct, field: str, value: Any) -> dict[str, str]:
        """What a field says that stands for more than itself."""
        if isinstance(value, Deal):
            return self._offer(value)
        if field == "bid":
            return dict(zip(("colony", "research"), self._bid(value), strict=True))
        if field == "order":
            return {field: self._ties(value)}
        return self._offers(what, field, (value,) if isinstance(value, str) else value)

    def _offer(self, deal: Deal) -> dict[str, str]:
        """An offer by its number or, where nobody sees that, by whose it is; and what for."""
        by, terms = self.seat(deal.proposer), self.terms(deal)
        number = deal.id.removeprefix("d")
        return {"number": number if self.offers is None else "", "proposer": by, "terms": terms}

    def _offers(self, what: Struct, field: str, ids: Sequence[str]) -> dict[str, str]:
        """Offers that are named; one that is no longer known has its number."""
        numbers = ", ".join(one.removeprefix("d") for one in ids)
        known = [] if self.offers is None else [self.offers[one] for one in ids if one in self.offers]
        told = {field: numbers, "among": "", "proposer": "", "terms": ""}
        if isinstance(what, DealStruck) and self.offers is not None:
            return {**told, field: "", "among": self.say("parties", what.parties)}
        if not known or len(known) < len(ids):
            return told
        if isinstance(what, DealAccepted) and what.as_anyone:
            known = [known[0].taken_by(what.by)]
        makers = self.say("proposer", tuple(dict.fromkeys(one.proposer for one in known)))
        return {**told, field: "", "proposer": makers, "terms": self.terms(known[0])}

    def _bid(self, bid: Bid | None) -> tuple[str, str]:
        return ("", "") if bid is None else (str(bid.colony), str(bid.research))

    def _ties(self, order: Sequence[Standing]) -> str:
        """Of bids in their order, what put one before the next where the bid itself did not."""
        tied = [(one, next_) for one, next_ in pairwise(order) if one.ahead in ("cards", "tiebreaker")]
        return "; ".join(
            self.messages.word[f"ahead_{one.ahead}"].format(
                seat=self.seat(one.seat), other=self.seat(next_.seat)
            )
            for one, next_ in tied
        )

    def spoken(self, words: str) -> str:
        """Free words of a player, to stand between quotation marks."""
        return harmless(words)

    # ------------------------------------------------------------ single fields

    def say(self, field: str, value: object) -> str:
        """The value of a field in words; nothing when there is nothing to say."""
        if value is None or isinstance(value, bool):
            return ""
        if isinstance(value, str):
            return self._text(field, value)
        if isinstance(value, SEVERAL):
            between = "; " if any(isinstance(one, LONG_PARTS) for one in value) else ", "
            return between.join(filter(None, [self.say(field, one) for one in value]))
        if isinstance(value, Goods):
            return self.goods(value) if value else ""
        if isinstance(value, Struct):
            return self._part(value)
        if isinstance(value, int):
            return self.seat(value) if field in SEATS else self._number(field, value)
        return self._text(field, str(value))

    def _number(self, field: str, value: int) -> str:
        if field in COUNTED:
            return self.goods(Goods(**{COUNTED[field]: value})) if value or field != "bonus" else ""
        return str(value)

    def _text(self, field: str, value: str) -> str:
        messages = self.messages
        if field in CARDS:
            return ", ".join(map(card_name, value.split(", ")))
        if field == "technology":
            return self.technology(value)
        if field == "deal":
            return value.removeprefix("d")
        if field in ("obligation", "obligations", "settled"):
            return self.promise(value)
        if field == "step":
            return messages.step.get(value, value)
        if field == "track":
            return messages.track.get(value, value)
        if field == "colour" and value in messages.good:
            return messages.good[value].one
        return harmless(value)[: LONGEST if field != "notes" else None]

    def _part(self, part: Struct) -> str:
        """A part of an event or action."""
        word = self.messages.word
        if isinstance(part, Paid):
            return ", ".join(filter(None, map(self.say, ("goods", "cards"), (part.goods, _colonies(part)))))
        if isinstance(part, Moved):
            what = self.handed(part.goods, part.donation + part.tied, part.cards)
            return word["moved"].format(giver=self.seat(part.giver), to=self.seat(part.to), what=what)
        if isinstance(part, Gift):
            return f"{self.seat(part.to)}: {self.goods(part.goods)}"
        if isinstance(part, Bonus):
            return word["bonus"].format(seat=self.seat(part.seat), points=part.points) if part.points else ""
        if isinstance(part, FinalScore):
            key = "winner" if part.winner else "score"
            return word[key].format(seat=self.seat(part.seat), total=mixed(Fraction(part.total, 12)))
        return self._one_thing(part)

    def _one_thing(self, part: Struct) -> str:
        """A part that is about one card, one seat or one clause."""
        word = self.messages.word
        if isinstance(part, Bidder):
            return word["bidder"].format(seat=self.seat(part.seat), ships=part.ships)
        if isinstance(part, Run | Entered | Returned):
            return card_name(part.card)
        if isinstance(part, Start):
            return self._species(part.species)
        if isinstance(part, Licensed):
            words = {name: self.say(name, getattr(part, name)) for name in ("giver", "to", "technology")}
            return word["licensed"].format_map(words)
        if isinstance(part, Action):
            return self.action(part)
        return self.terms(part) if isinstance(part, CLAUSES) else ""

    def seat(self, seat: int) -> str:
        """The short name of the species at a seat."""
        if seat == ANYONE:
            return self.messages.word["anyone"]
        if not 0 <= seat < len(self.species):
            return str(seat)
        return self._species(self.species[seat])

    def _species(self, species: str) -> str:
        """The short name of a species in this language."""
        return _short_name(species, self.messages.code)

    def technology(self, technology: str) -> str:
        """The name of a technology; of an unknown one, what was typed."""
        known = CATALOG.technologies.get(technology)
        return known.name if known is not None else harmless(technology)[:LONGEST]

    def subject(self, verb: str, card: str) -> str:
        """What something is done with; of an invention, what is invented."""
        research = CATALOG.cards[card].research if card in CATALOG.cards else None
        if verb == "invent" and research is not None and research.technology is not None:
            return self.technology(research.technology)
        return card_name(card)

    def promise(self, name: str) -> str:
        """A promise by its number and, when it is known, what it says."""
        said = self.messages.word["promise"].format(number=name.removeprefix("d"))
        known = self.promises.get(name)
        return said if known is None else f"{said} ({self.terms(known, loss=False)})"

    def goods(self, goods: Goods) -> str:
        """Goods in words."""
        kinds = self.messages.good
        said = [f"{n} {kinds[kind].one if n == 1 else kinds[kind].many}" for kind, n in goods.items()]
        return ", ".join(said) or self.messages.word["nothing"]

    def letters(self, goods: Goods) -> str:
        """Goods in counts and letters."""
        return " ".join(f"{n}{self.messages.good[kind].letter}" for kind, n in goods.items())

    def handed(self, goods: Goods, donation: Goods, cards: Iterable[str]) -> str:
        """What changes hands, donation goods marked."""
        said = [self.goods(goods)] if goods else []
        said += [self.messages.word["donated"].format(goods=self.goods(donation))] if donation else []
        return ", ".join([*said, *map(card_name, cards)])

    # ------------------------------------------------------------ deals

    def terms(self, what: Struct, loss: bool = True) -> str:
        """A clause, a deal or a promise in plain words; `loss` adds what breaking it costs."""
        clause = self.messages.clause
        if isinstance(what, Deal):
            said = [self.terms(one, loss) for one in what.clauses]
            if what.settles:
                said.append(clause["settles"].format(promises=", ".join(map(self.promise, what.settles))))
            return "; ".join(said)
        if isinstance(what, Obligation):
            return self.terms(what.clause, loss)
        if isinstance(what, Pledge):
            return self._pledge(what, loss)
        if isinstance(what, Undertake):
            return self._undertaking(what, loss)
        if isinstance(what, Forbear):
            return self._forbearance(what)
        if isinstance(what, Note):
            return clause["note"].format(text=self.spoken(what.text))
        assert isinstance(what, Owing)
        return self._said(what.giver, _kind(what), self._handing(what))

    def _said(self, who: int, key: str, words: Mapping[str, str]) -> str:
        """What `who` does by a clause; of oneself one hears in the second person."""
        said = self.messages.you if who == self.you else self.messages.clause
        return said[key].format_map(words)

    def _whom(self, seat: int) -> str:
        return self.messages.you["whom"] if seat == self.you else self.seat(seat)

    def _handing(self, what: Owing) -> dict[str, str]:
        words = {"giver": self.seat(what.giver), "to": self._whom(what.to)}
        if isinstance(what, Give):
            return {**words, "what": self.handed(what.goods, what.donation, what.cards)}
        if isinstance(what, OneOf):
            return {**words, "what": self.lots(what)}
        if isinstance(what, Lend):
            return {**words, "card": card_name(what.card)}
        return {**words, "technology": self.technology(what.technology)}

    def lots(self, what: OneOf) -> str:
        """The lots of a promise of a choice, and who chooses."""
        clause = self.messages.clause
        said = clause["or"].join(map(self._lot, what.lots))
        if what.chooser == self.you:
            return clause["your_choice"].format(lots=said)
        return clause["choice"].format(lots=said, chooser=self.seat(what.chooser))

    def _lot(self, lot: Lot) -> str:
        word = self.messages.word
        said = [self.goods(lot.goods)] if lot.goods else []
        if lot.cubes:
            key = {frozenset(SMALL_CUBES): "small", frozenset(LARGE_CUBES): "large", frozenset(CUBES): "any"}
            size = key.get(frozenset(lot.kinds))
            if size is not None:
                said.append(word[f"{size}_one" if lot.cubes == 1 else f"{size}_many"].format(n=lot.cubes))
            else:
                good = self.messages.good
                kinds = "/".join(good[kind].one if kind in good else harmless(kind) for kind in lot.kinds)
                said.append(f"{lot.cubes} {kinds}")
        return ", ".join(said)

    def _pledge(self, pledge: Pledge, loss: bool) -> str:
        clause = self.messages.clause
        when = clause[pledge.at].format(turn=pledge.due)
        words = {**self._handing(pledge.what), "when": when}
        said = self._said(pledge.what.giver, f"pledge_{_kind(pledge.what)}", words)
        if pledge.only_if is not None:
            said = clause["condition"].format(pledge=said, deed=self._deed(pledge.only_if))
        return clause["penalty"].format(promise=said, loss=self._loss(pledge.what)) if loss else said

    def _loss(self, what: Owing) -> str:
        """What is lost when it is not handed over (TRADE-11)."""
        clause, word = self.messages.clause, self.messages.word
        if isinstance(what, OneOf):
            return clause["loss_choice"]
        if not isinstance(what, Give):
            return clause["loss_flat"].format(points=2)
        dear = what.goods.ultratech + what.goods.point + len(what.cards)
        cheap = len(what.goods) - what.goods.ultratech - what.goods.point
        if dear:
            return clause["loss_mixed"] if cheap or dear > 1 else clause["loss_flat"].format(points=2)
        ships = what.goods.ship
        piece = "cube" if not ships else "ship" if ships == cheap else "piece"
        return clause["loss_each"].format(piece=word[piece])

    def _deed(self, deed: Deed, prefix: str = "") -> str:
        said = self.messages.track.get(deed.subject) or self._subject(deed.subject)
        words = {"who": self.seat(deed.who), "subject": said, "least": str(deed.least)}
        return self._said(deed.who, prefix + deed.verb, words)

    def _subject(self, subject: str) -> str:
        return self.technology(subject) if subject in CATALOG.technologies else card_name(subject)

    def _undertaking(self, what: Undertake, loss: bool) -> str:
        clause = self.messages.clause
        said = clause["undertake"].format(
            deed=self._deed(what.deed, "will_"),
            to=self._whom(what.to),
            phase=self.messages.phase[what.by],
            turn=what.turn,
        )
        if not loss:
            return said
        return clause["penalty"].format(promise=said, loss=clause["loss_flat"].format(points=2))

    def _forbearance(self, what: Forbear) -> str:
        key, words = self._restraint(what.what)
        return self._said(what.who, key, {"who": self.seat(what.who), "until": str(what.until), **words})

    def _restraint(self, move: Restraint) -> tuple[str, dict[str, str]]:
        """The sentence for a restraint, and its words."""
        if isinstance(move, NoSteal):
            return "not_steal", {"target": self._whom(move.target)}
        if isinstance(move, NoBid):
            return "not_bid", {"most": str(move.most), "track": self.messages.track[move.track]}
        if isinstance(move, NoTake):
            return "not_take", {"card": card_name(move.card)}
        if isinstance(move, NoTrade):
            you = move.partner == self.you
            return "not_trade", {
                "partner": self.messages.word["with_you"] if you else self.seat(move.partner)
            }
        if isinstance(move, NoInvent):
            return "not_invent", {"subject": self._subject(move.subject)}
        but = {} if move.but is None else {"but": self._whom(move.but)}
        key = {NoHand: "not_hand", NoLicense: "not_license"}[type(move)] + ("_but" if but else "")
        if isinstance(move, NoHand):
            return key, {"card": card_name(move.card), **but}
        return key, {"technology": self.technology(move.technology), **but}


CLAUSES = (Give, Lend, License, OneOf, Pledge, Undertake, Forbear, Note, Obligation, Deal)


def _kind(told: Event | Action | AnyClause | OneOf) -> str:
    """The name under which it travels, and under which its sentence stands."""
    return str(told.__struct_config__.tag)


def _as_stored(name: str, fact: object) -> object:
    """A fact as it was before it was stored with a refusal as plain data."""
    kind = {"goods": Goods, "deed": Union[tuple(DECIDERS)]}.get(name)  # noqa: UP007 - made at run time
    if kind is None or not isinstance(fact, dict):
        return fact
    try:
        return msgspec.convert(fact, kind)
    except msgspec.ValidationError:
        return fact


def _colonies(paid: Paid) -> tuple[str, ...]:
    return paid.under + paid.removed


def mixed(number: Fraction) -> str:
    """A number as people write it: 12 1/2."""
    whole, rest = divmod(abs(number), 1)
    said = f"{whole} {rest}" if whole and rest else str(rest or whole)
    return f"-{said}" if number < 0 else said
