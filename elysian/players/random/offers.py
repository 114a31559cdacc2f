"""Random offers: what a seat might propose, made from its view alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
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
    Note,
    NoTrade,
    Obligation,
    OneOf,
    Owing,
    Pledge,
    Restraint,
    Seat,
    Track,
    Undertake,
)
from elysian.deck import CATALOG
from elysian.goods import CUBES, LARGE, LARGE_CUBES, NOTHING, SMALL, SMALL_CUBES, Goods
from elysian.players.random.plans import needed_to_invent
from elysian.species import rules_of
from elysian.state import TURNS
from elysian.view import SeatView, View

NOTES = ("We will trade again.", "You may bid first next time.", "Remember this one.", "Between friends.")
DEADLINES: dict[str, Literal["trade", "economy", "confluence"]] = {
    "run": "economy",
    "invent": "trade",
    "upgrade": "trade",
    "enter": "trade",
    "buy": "confluence",
    "bid": "confluence",
}


def to_settle(view: View) -> list[Obligation]:
    """Promises by or to the viewer that are settled when trading has closed (TRADE-11)."""
    return [
        owed
        for owed in view.obligations.values()
        if view.seat in (owed.debtor, owed.creditor)
        and (_is_unpaid(view, owed) or _is_undone(view, owed.clause))
    ]


def _is_unpaid(view: View, owed: Obligation) -> bool:
    return isinstance(owed.clause, Pledge) and owed.clause.due <= view.turn and not owed.waits


def _is_undone(view: View, clause: object) -> bool:
    if not isinstance(clause, Undertake):
        return False
    ending = view.step == "window" and (clause.turn, clause.by) == (view.turn, "trade")
    return ending or clause.turn < view.turn


def is_lent(card: Card) -> bool:
    """Whether a trade of the card ends with the turn (TRADE-6)."""
    return card.species is not None and not card.keeps


class Offers:
    """Random offers of one seat at one moment; each is None when nothing came to mind."""

    def __init__(self, view: View, rng: Random) -> None:
        assert view.seat is not None
        self.view = view
        self.rng = rng
        self.me: Seat = view.seat
        self.others = [seat for seat in range(len(view.players)) if seat != view.seat]

    # ------------------------------------------------------------ whole offers

    def in_trade(self) -> ProposeDeal | None:
        """Any offer the Trade Phase allows: of two, of three in a circle, to anyone, about old promises."""
        (shape,) = self.rng.choices(("two", "circle", "anyone", "promise"), (7, 1.5, 1.5, 0.5))
        if shape == "circle":
            a, b = self.rng.sample(self.others, 2)
            ring = (self.me, a, b)
            clauses = [self._clause(giver, to) for giver, to in zip(ring, (a, b, self.me), strict=True)]
            return self._offer(ring, clauses)
        if shape == "anyone":
            mine = self._any_of((self._goods, 5), (self._donation, 2), (self._pledge, 2), (self._loan, 1))
            return self._offer((self.me, ANYONE), [mine(self.me, ANYONE), self._goods(ANYONE, self.me)])
        if shape == "promise":
            return self._new_terms(list(self.view.obligations.values()))
        return self._between(self.rng.choice(self.others))

    def counter(self, deal: Deal) -> ProposeDeal | None:
        """Other terms for the parties of an offer."""
        partner = deal.proposer
        clauses = [self._clause(partner, self.me), self._clause(self.me, partner)]
        parties = (self.me, partner) if deal.is_open else deal.parties
        return self._offer(parties, clauses, answers=deal.id)

    def of_compensation(self) -> ProposeDeal | None:
        """Something else for a promise that could not be kept (TRADE-11)."""
        return self._new_terms(to_settle(self.view))

    def while_bidding(self) -> ProposeDeal | None:
        """A deal about the cards bid on; nothing changes hands yet (TRADE-15)."""
        other = self.rng.choice(self.others)
        giver, to = (self.me, other) if self.rng.random() < 0.5 else (other, self.me)
        doer = self.rng.choice((giver, to))
        wanted = self._deed_of_bidding(doer) if self.rng.random() < 0.4 else self._deed_of_buying(doer)
        about: AnyClause | None
        if self.rng.random() < 0.4:
            about = self._forbearance_in_bidding(giver, to)
        elif wanted is not None and self.rng.random() < 0.5:
            creditor = to if wanted.who == giver else giver
            about = Undertake(to=creditor, deed=wanted, turn=self.view.turn, by="confluence")
        else:
            about = self._pledge(giver, to, only_if=wanted) if wanted is not None else None
        if about is None:
            return None
        return self._offer((self.me, other), [about, self._pledge(to, giver)])

    def _between(self, other: Seat) -> ProposeDeal | None:
        clauses = [self._clause(self.me, other), self._clause(other, self.me)]
        if self.rng.random() < 0.15:
            clauses = [self.rng.choice(clauses)]  # something for nothing
        elif self.rng.random() < 0.2:
            clauses.append(self._clause(self.me, other))
        return self._offer((self.me, other), clauses)

    def _new_terms(self, owed: list[Obligation]) -> ProposeDeal | None:
        """A promise replaced by something else from its debtor, or by nothing, with everybody's consent."""
        mine = [one for one in owed if self.me in one.parties]
        if not mine:
            return None
        one = self.rng.choice(mine)
        instead = self._any_of((self._goods, 2), (self._pledge, 1))(one.debtor, one.creditor)
        return self._offer(one.parties, [instead], settles=(one.id,))

    def _offer(
        self,
        parties: tuple[Seat, ...],
        clauses: Iterable[AnyClause | None],
        answers: str | None = None,
        settles: tuple[str, ...] = (),
    ) -> ProposeDeal | None:
        named = tuple(clause for clause in clauses if clause is not None)
        if not named and not settles:
            return None
        reason = "A fair exchange." if self.rng.random() < 0.1 else ""
        return ProposeDeal(parties=parties, clauses=named, answers=answers, settles=settles, reason=reason)

    # ------------------------------------------------------------ clauses

    def _any_of(self, *makers: tuple[_Maker, float]) -> _Maker:
        (maker,) = self.rng.choices([one for one, _ in makers], [weight for _, weight in makers])
        return maker

    def _clause(self, giver: Seat, to: Seat) -> AnyClause | None:
        """Anything one seat can do for another; mostly goods, and goods when nothing else comes to mind."""
        maker = self._any_of(
            (self._goods, 10),
            (self._donation, 5),
            (self._card, 2),
            (self._loan, 2),
            (self._licence, 3),
            (self._pledge, 4),
            (self._undertaking, 2.5),
            (self._forbearance, 1.5),
            (self._note, 0.5),
        )
        return maker(giver, to) or self._goods(giver, to)

    def _area(self, seat: Seat) -> SeatView:
        return self.view.players[seat]

    def _some(self, goods: Goods, most: int) -> Goods:
        """One to `most` pieces out of some goods."""
        units = goods.units()
        count = min(len(units), self.rng.randint(1, most))
        return sum(self.rng.sample(units, count), NOTHING)

    def _goods(self, giver: Seat, to: Seat) -> Give | None:
        """A few pieces from stock, often such as the receiver could invent with, sometimes not there yet."""
        if giver == ANYONE or self.rng.random() < 0.05:
            goods = Goods(**{self.rng.choice((*SMALL, *LARGE, "ship")): self.rng.randint(1, 2)})
        else:
            area = self._area(giver)
            stock = area.stock
            if not rules_of(area.species).may_hand_on(stock):
                stock = stock - Goods(envoy=stock.envoy, acknowledgement=stock.acknowledgement)
            # Eleven tokens would drown the cubes.
            stock = stock - Goods(acknowledgement=max(0, stock.acknowledgement - 2))
            wanted = NOTHING
            if to != ANYONE and self.rng.random() < 0.5:
                wanted = stock.common(needed_to_invent(self._area(to), self.rng))
            goods = self._some(wanted or stock, 4 if wanted else 3)
        return Give(giver=giver, to=to, goods=goods) if goods else None

    def _donation(self, giver: Seat, to: Seat) -> Give | None:
        if giver == ANYONE:
            return None
        area = self._area(giver)
        donation = area.donation
        if area.tied_to in (None, to):
            donation = donation + area.tied
        donation = self._some(donation, 4)
        return Give(giver=giver, to=to, donation=donation) if donation else None

    def _cards(self, seat: Seat, *, lent: bool) -> list[CardId]:
        """Cards in play that may be traded: those that are lent, or those that go for good."""
        if seat == ANYONE:
            return []
        cards = (CATALOG.cards[name] for name in self._area(seat).cards)
        return [card.id for card in cards if card.tradable and is_lent(card) == lent]

    def _card(self, giver: Seat, to: Seat) -> Give | None:
        cards = self._cards(giver, lent=False)
        return Give(giver=giver, to=to, cards=(self.rng.choice(cards),)) if cards else None

    def _loan(self, giver: Seat, to: Seat) -> Lend | None:
        cards = self._cards(giver, lent=True)
        return Lend(giver=giver, to=to, card=self.rng.choice(cards)) if cards else None

    def _licence(self, giver: Seat, to: Seat) -> License | None:
        """A technology that the giver invented and does not share, and the receiver lacks."""
        if ANYONE in (giver, to) or rules_of(self._area(giver).species).shares:
            return None
        invented = (CATALOG.cards[team].research for team in self._area(giver).invented)
        receiver = self._area(to)
        wanted = [
            research.technology
            for research in invented
            if research is not None
            and research.technology is not None
            and CATALOG.species_technology[receiver.species, research.technology] in receiver.deck
        ]
        return License(giver=giver, to=to, technology=self.rng.choice(wanted)) if wanted else None

    def _pledge(self, giver: Seat, to: Seat, only_if: Deed | None = None) -> Pledge | None:
        what: Owing | None
        roll = self.rng.random()
        if roll < 0.15:
            what = self._choice(giver, to)
        elif roll < 0.6:
            what = self._goods(giver, to)
        elif roll < 0.7:
            what = self._card(giver, to)
        else:
            what = self._loan(giver, to) if roll < 0.9 else self._licence(giver, to)
        if what is None or (isinstance(what, Give) and what.goods.envoy):
            return None
        at: Literal["start", "close"] = self.rng.choice(("start", "start", "close"))
        now = at == "close" and self.view.step == "trade"
        due = self.view.turn + self.rng.choice((0, 1) if now else (1, 1, 1, 2))
        if only_if is None and self.rng.random() < 0.3:
            only_if = self._deed(self.rng.choice((giver, to)))
        return Pledge(what=what, due=due, at=at, only_if=only_if) if due <= TURNS else None

    def _choice(self, giver: Seat, to: Seat) -> OneOf:
        """One of a lot or two: cubes of a size, of some colours, or some goods (TRADE-17)."""
        lots = []
        for _ in range(self.rng.randint(1, 2)):
            kinds = self.rng.choice((SMALL_CUBES, LARGE_CUBES, CUBES, tuple(self.rng.sample(SMALL, 2)), ()))
            goods = NOTHING if kinds else Goods(**{self.rng.choice(("ultratech", "ship", *LARGE)): 1})
            lots.append(Lot(goods=goods, cubes=self.rng.randint(1, 3) if kinds else 0, kinds=kinds))
        by: Literal["debtor", "creditor"] = self.rng.choice(("debtor", "creditor"))
        return OneOf(giver=giver, to=to, lots=tuple(lots), chosen_by=by)

    # ------------------------------------------------------------ deeds and restraint

    def _deed(self, who: Seat) -> Deed | None:
        """Something a seat could do with a card it holds, or buy."""
        if who == ANYONE:
            return None
        deeds = []
        for name, held in self._area(who).cards.items():
            card = CATALOG.cards[name]
            if card.research is not None:
                deeds.append(Deed(who=who, verb="invent", subject=card.research.technology or name))
            elif card.face(held.flipped).converters:
                deeds.append(Deed(who=who, verb="run", subject=name))
            if card.upgrades and not held.flipped:
                deeds.append(Deed(who=who, verb="upgrade", subject=name))
        enters = [c for c in self._area(who).deck if (e := CATALOG.cards[c].entry) and e.cost is not None]
        if enters:
            deeds.append(Deed(who=who, verb="enter", subject=self.rng.choice(enters)))
        buying = self._deed_of_buying(who)
        if buying is not None:
            deeds.append(buying)
        if self.view.step in ("trade", "bid"):
            deeds.append(self._deed_of_bidding(who))
        return self.rng.choice(deeds) if deeds else None

    def _on_tracks(self) -> list[CardId]:
        colonies = () if self.view.step == "research_auction" else self.view.colony_track
        return [card for card in (*colonies, *self.view.research_track) if card is not None]

    def _deed_of_buying(self, who: Seat) -> Deed | None:
        cards = self._on_tracks()
        return Deed(who=who, verb="buy", subject=self.rng.choice(cards)) if cards else None

    def _deed_of_bidding(self, who: Seat) -> Deed:
        track: Track = self.rng.choice(("colony", "research"))
        return Deed(who=who, verb="bid", subject=track, least=self.rng.randint(1, 3))

    def _undertaking(self, giver: Seat, to: Seat) -> Undertake | None:
        deed = self._deed(giver)
        if deed is None:
            return None
        turn = min(TURNS, self.view.turn + self.rng.choice((0, 0, 1)))
        return Undertake(to=to, deed=deed, turn=turn, by=DEADLINES[deed.verb])

    def _forbearance(self, giver: Seat, to: Seat) -> Forbear | None:
        if giver != ANYONE and rules_of(self._area(giver).species).steals and self.rng.random() < 0.7:
            return Forbear(who=giver, to=to, what=NoSteal(target=to), until=self._until())
        if giver != ANYONE and self.rng.random() < 0.5:
            return Forbear(who=giver, to=to, what=self._restraint(giver, to), until=self._until())
        return self._forbearance_in_bidding(giver, to)

    def _restraint(self, giver: Seat, to: Seat) -> Restraint:
        """Something not to be done while trading: with a seat, a card, a licence, a research team."""
        area = self._area(giver)
        teams = [r.technology or name for name in area.cards if (r := CATALOG.cards[name].research)]
        if teams and self.rng.random() < 0.4:
            return NoInvent(subject=self.rng.choice(teams))
        roll = self.rng.random()
        if roll < 0.4:
            return NoTrade(
                partner=self.rng.choice([seat for seat in (*self.others, self.me) if seat != giver])
            )
        but = self.rng.choice((None, to))
        if roll < 0.6 and not rules_of(area.species).shares:
            return NoLicense(technology=self.rng.choice(sorted(CATALOG.technologies)), but=but)
        return NoHand(card=self.rng.choice(list(area.cards)), but=but)

    def _forbearance_in_bidding(self, giver: Seat, to: Seat) -> Forbear | None:
        cards = self._on_tracks()
        if cards and (self.view.step not in ("trade", "bid") or self.rng.random() < 0.5):
            return Forbear(who=giver, to=to, what=NoTake(card=self.rng.choice(cards)), until=self._until())
        if self.view.step not in ("trade", "bid"):
            return None
        track: Track = self.rng.choice(("colony", "research"))
        return Forbear(
            who=giver, to=to, what=NoBid(track=track, most=self.rng.randint(0, 4)), until=self._until()
        )

    def _until(self) -> int:
        return min(TURNS, self.view.turn + self.rng.choice((0, 0, 0, 1)))

    def _note(self, giver: Seat, to: Seat) -> Note | None:
        return Note(text=self.rng.choice(NOTES))


_Maker = Callable[[Seat, Seat], "AnyClause | None"]
