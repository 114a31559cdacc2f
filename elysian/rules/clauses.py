"""What may stand in an offer: legality of clauses, whatever the stocks of the moment."""

from __future__ import annotations

from msgspec.structs import replace

from elysian.actions import ProposeDeal
from elysian.catalog import Card
from elysian.deals import (
    ANYONE,
    AnyClause,
    CardId,
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
    Reason,
    Seat,
    Undertake,
)
from elysian.deck import CATALOG
from elysian.draft import IllegalAction
from elysian.goods import CUBES, MOST, NOTHING, Goods
from elysian.rules.conflicts import HANDING, check_conflicts
from elysian.rules.duties import ORDER, is_past, last_chance, moment
from elysian.rules.paying import is_bordered
from elysian.rules.promises import to_settle
from elysian.species import rules_of
from elysian.state import TURNS, State

BIDDING = ("bid", "colony_auction", "research_auction")
WITH_DEED = (Undertake, Pledge)


def check_proposal(state: State, seat: Seat, action: ProposeDeal) -> None:
    """Raise unless the offer could ever be struck: parties, step, every clause."""
    _check_parties(state, seat, action.parties)
    if not action.clauses and not action.settles:
        raise IllegalAction("empty_offer")
    if len(action.clauses) > 60:
        raise IllegalAction("offer_too_long")
    check_reason(action.reason)
    if action.answers is not None:
        answered = state.deals.get(action.answers)
        if answered is None or (seat not in answered.parties and not answered.is_open):
            raise IllegalAction("no_such_offer")
    _check_settles(state, action)
    for clause in action.clauses:
        _check_clause(state, action.parties, clause)
    _check_step(state, seat, action)
    check_timely(state, action.clauses)
    check_conflicts(state, action.parties, action.clauses, action.settles)


def check_reason(reason: str | Reason) -> None:
    """Raise where the words beside an offer or an answer have no end, or name what there is not."""
    if isinstance(reason, str):
        if len(reason) > 500:
            raise IllegalAction("offer_too_long")
        return
    if len(reason.code) > 40 or len(reason.cards) > 20:
        raise IllegalAction("offer_too_long")
    if not reason.goods.is_count() or not reason.price.is_count():
        raise IllegalAction("bad_quantity")
    subject = () if reason.subject in ("", *CATALOG.technologies) else (reason.subject,)
    for card in (*reason.cards, *subject):
        if card not in CATALOG.cards:
            raise IllegalAction("unknown_card", card=str(card)[:60])


def _check_parties(state: State, seat: Seat, parties: tuple[Seat, ...]) -> None:
    if seat not in parties or len(parties) < 2 or len(set(parties)) != len(parties):
        raise IllegalAction("bad_parties")
    seats = state.seats()
    for party in parties:
        if party not in seats and party != ANYONE:
            raise IllegalAction("bad_parties")


def _check_settles(state: State, action: ProposeDeal) -> None:
    """A promise is changed only with everybody's consent who was party to its deal (TRADE-9, TRADE-11)."""
    if action.settles and ANYONE in action.parties:
        raise IllegalAction("bad_parties")
    for name in action.settles:
        owed = state.obligations.get(name)
        if owed is None or not set(owed.parties) <= set(action.parties):
            raise IllegalAction("no_such_promise")


def _check_step(state: State, seat: Seat, action: ProposeDeal) -> None:
    if state.step == "trade":
        return
    if state.step in ("settle", "window"):
        # After trading has closed only compensation is left, among the parties of what is due (TRADE-11).
        due = [state.obligations[name] for name in action.settles]
        parties = {party for owed in due for party in owed.parties}
        open_now = to_settle(state)
        if state.step == "window" and not open_now:
            raise IllegalAction("wrong_step", step=state.step)
        if not any(seat in (owed.debtor, owed.creditor) for owed in due):
            raise IllegalAction("only_compensation")
        if not all(owed in open_now for owed in due):
            raise IllegalAction("only_compensation")
        if set(action.parties) != parties:
            raise IllegalAction("only_compensation")
    elif state.step not in BIDDING:
        raise IllegalAction("wrong_step", step=state.step)


def check_timely(state: State, clauses: tuple[AnyClause, ...]) -> None:
    """Raise where a clause comes too late: its deed is done already, or its card no longer bid on."""
    for clause in clauses:
        if isinstance(clause, WITH_DEED) and (deed := _deed(clause)) is not None and _is_over(state, deed):
            raise IllegalAction("too_late")
    if state.step in BIDDING:
        _check_bidding(state, clauses)


def _deed(clause: AnyClause) -> Deed | None:
    if isinstance(clause, Undertake):
        return clause.deed
    return clause.only_if if isinstance(clause, Pledge) else None


def _is_over(state: State, deed: Deed) -> bool:
    """A technology is invented, a card upgraded and a fleet found only once: before the deal is too late."""
    if deed.verb == "invent":
        card = CATALOG.team(deed.subject)
        return card in state.shared or any(card in player.invented for player in state.players)
    if deed.verb == "upgrade":
        return any(
            deed.subject in player.cards and player.cards[deed.subject].flipped for player in state.players
        )
    if deed.verb == "enter" or (deed.verb == "run" and not _shows_converter(CATALOG.cards[deed.subject])):
        return not any(deed.subject in player.deck for player in state.players)
    return False


def _check_bidding(state: State, clauses: tuple[AnyClause, ...]) -> None:
    """While bidding, deals are about the cards bid on, and nothing changes hands yet (TRADE-15)."""
    colonies = () if state.step == "research_auction" else state.colony_track
    bid_on = {card for card in (*colonies, *state.research_track) if card is not None}
    for clause in clauses:
        deed = _deed(clause)
        if isinstance(clause, Give | Lend | License):
            raise IllegalAction("nothing_moves_now")
        capped = isinstance(clause, Forbear) and isinstance(clause.what, NoBid)
        if (capped or (deed is not None and deed.verb == "bid")) and state.step != "bid":
            raise IllegalAction("too_late")  # bids are locked for both auctions (BID-2)
        if deed is not None and deed.verb == "buy" and deed.subject not in bid_on:
            raise IllegalAction("only_about_bids")
    if not any(_about_bids(clause, bid_on) for clause in clauses):
        raise IllegalAction("only_about_bids")


def _about_bids(clause: AnyClause, bid_on: set[CardId]) -> bool:
    if isinstance(clause, Forbear):
        what = clause.what
        return isinstance(what, NoBid) or (isinstance(what, NoTake) and what.card in bid_on)
    deed = _deed(clause)
    if deed is not None and deed.verb in ("buy", "bid"):
        return deed.verb == "bid" or deed.subject in bid_on
    return (
        isinstance(clause, Pledge)
        and isinstance(clause.what, Give)
        and not bid_on.isdisjoint(clause.what.cards)
    )


# ---------------------------------------------------------------- single clauses


def _check_clause(state: State, parties: tuple[Seat, ...], clause: AnyClause) -> None:
    if isinstance(clause, HANDING):  # most are
        _check_handing(state, parties, clause)
        if isinstance(clause, Give) and clause.goods.point:
            raise IllegalAction("points_not_tradable")
    elif isinstance(clause, Pledge):
        _check_pledge(state, parties, clause)
    elif isinstance(clause, Undertake):
        _check_two(parties, clause.deed.who, clause.to)
        _check_deed(state, parties, clause.deed)
        _check_deadline(state, clause)
    elif isinstance(clause, Forbear):
        _check_two(parties, clause.who, clause.to)
        _check_forbearance(state, parties, clause)
    elif not clause.text.strip() or len(clause.text) > 500:
        raise IllegalAction("empty_note")


def _check_two(parties: tuple[Seat, ...], giver: Seat, to: Seat) -> None:
    if giver == to or giver not in parties or to not in parties:
        raise IllegalAction("bad_parties")


def _check_handing(state: State, parties: tuple[Seat, ...], what: Owing, pledged: bool = False) -> None:
    _check_two(parties, what.giver, what.to)
    if isinstance(what, Give):
        _check_give(state, what, pledged)
    elif isinstance(what, OneOf):
        _check_choice(what)
    elif isinstance(what, Lend):
        card = _card(state, what.card)
        if not is_bordered(card):
            raise IllegalAction("not_lent_but_given", card=card.id)
        if not card.tradable:
            raise IllegalAction("not_tradable", card=card.id)
    else:
        _check_license(state, what)


def _check_give(state: State, what: Give, pledged: bool) -> None:
    goods, donation = what.goods, what.donation
    if not ((goods is NOTHING or goods.is_count()) and (donation is NOTHING or donation.is_count())):
        raise IllegalAction("bad_quantity")
    if not what.cards and goods == NOTHING and donation == NOTHING:
        raise IllegalAction("empty_clause")
    if what.donation.acknowledgement or not _may_hand_on(state, what, pledged):
        raise IllegalAction("tokens_not_tradable")
    for name in what.cards:
        card = _card(state, name)
        if is_bordered(card):
            raise IllegalAction("only_lent", card=card.id)
        if not card.tradable:
            raise IllegalAction("not_tradable", card=card.id)
    if len(what.cards) > 1 and len(set(what.cards)) != len(what.cards):
        raise IllegalAction("bad_quantity")


def _card(state: State, name: CardId) -> Card:
    """The card that a clause names; raises where it cannot come to anybody any more (TRADE-16)."""
    card = CATALOG.cards.get(name)
    if card is None:
        raise IllegalAction("unknown_card", card=str(name))
    if is_gone(state, card):
        raise IllegalAction("out_of_the_game", card=card.id)
    return card


def is_gone(state: State, card: Card) -> bool:
    """Whether a card will never again lie in play: spent, invented, removed, or of a species not here."""
    if card.species is not None and card.species not in state.settings.species:
        return True
    name = card.id
    if name in state.removed or name in state.shared:
        return True
    return any(name in player.spent or name in player.invented for player in state.players)


def _check_choice(what: OneOf) -> None:
    """Lots of cubes, ships and octagons, each of something, and nothing that is not goods (TRADE-17)."""
    _check_word(what.chosen_by, ("debtor", "creditor"))
    if not 1 <= len(what.lots) <= 6:
        raise IllegalAction("empty_clause")
    for lot in what.lots:
        _check_lot(lot)


def _check_lot(lot: Lot) -> None:
    goods = lot.goods
    if not goods.is_count() or not Goods(green=lot.cubes).is_count():
        raise IllegalAction("bad_quantity")
    if goods.point or goods.envoy or goods.acknowledgement:
        raise IllegalAction("tokens_not_tradable")
    if len(set(lot.kinds)) != len(lot.kinds) or not set(lot.kinds) <= set(CUBES):
        raise IllegalAction("bad_quantity")
    if (not goods and not lot.cubes) or bool(lot.cubes) != bool(lot.kinds):
        raise IllegalAction("empty_clause")


def _may_hand_on(state: State, what: Give, pledged: bool) -> bool:
    """Tokens in stock stay where they are; those who make them may promise them ahead (TRADE-2)."""
    if not what.goods.envoy and not what.goods.acknowledgement:
        return True
    if what.giver == ANYONE:
        return False
    species = state.players[what.giver].species
    ahead = pledged and CATALOG.species[species].supply.envoy > 0
    return rules_of(species).may_hand_on(replace(what.goods, envoy=0) if ahead else what.goods)


def _check_license(state: State, what: License) -> None:
    if what.technology not in CATALOG.technologies:
        raise IllegalAction("unknown_technology", technology=str(what.technology))
    if what.giver == ANYONE or rules_of(state.players[what.giver].species).shares:
        raise IllegalAction("cannot_license", technology=what.technology)
    if what.to != ANYONE:
        player = state.players[what.to]
        if CATALOG.species_technology[player.species, what.technology] not in player.deck:
            raise IllegalAction("already_has_technology", seat=what.to, technology=what.technology)


def _check_pledge(state: State, parties: tuple[Seat, ...], pledge: Pledge) -> None:
    """Goods are named without saying where they will come from; points only from a donation card."""
    _check_two(parties, pledge.what.giver, pledge.what.to)
    _check_word(pledge.at, ("start", "close"))
    if isinstance(pledge.what, Give) and pledge.what.donation:
        raise IllegalAction("pledge_names_goods")
    _check_handing(state, parties, pledge.what, pledged=True)
    if pledge.due > TURNS:
        raise IllegalAction("after_the_end", turns=TURNS)
    still_to_come = state.step == "trade" and pledge.at == "close"
    if pledge.due < (state.turn if still_to_come else state.turn + 1):
        raise IllegalAction("too_late")
    if pledge.only_if is not None:
        _check_deed(state, parties, pledge.only_if)


def _check_named(state: State, parties: tuple[Seat, ...], seat: Seat) -> None:
    """A seat outside the deal may be named in it; "anyone" only where anyone may accept."""
    if seat not in state.seats() and seat not in parties:
        raise IllegalAction("bad_parties")


def _check_deed(state: State, parties: tuple[Seat, ...], deed: Deed) -> None:
    _check_named(state, parties, deed.who)
    if deed.verb == "bid":
        _check_word(deed.subject, ("colony", "research"))
        if not 1 <= deed.least <= MOST:
            raise IllegalAction("bad_quantity")
        return
    if deed.least:
        raise IllegalAction("bad_quantity")
    if deed.subject in CATALOG.technologies:
        if deed.verb != "invent":
            raise IllegalAction("impossible_deed")
        return
    card = CATALOG.cards.get(deed.subject)
    if card is None:
        raise IllegalAction("unknown_card", card=str(deed.subject))
    possible = {
        "run": _can_run(card) and not (card.lent_only and _is_of(state, deed.who, card)),
        "invent": card.research is not None and card.research.technology is None,
        "upgrade": bool(card.upgrades),
        "enter": card.entry is not None and card.entry.cost is not None and _is_of(state, deed.who, card),
        "buy": card.kind in ("colony", "research"),
    }
    if not possible.get(deed.verb):
        raise IllegalAction("impossible_deed")
    if deed.verb != "invent":  # what was invented already comes too late
        _card(state, card.id)


def _is_of(state: State, seat: Seat, card: Card) -> bool:
    """Whether a card belongs to the species at a seat; whoever may still accept could have any."""
    return seat == ANYONE or (seat in state.seats() and card.species == state.players[seat].species)


def _can_run(card: Card) -> bool:
    """Whether it has a converter at all, if only the one by which it enters play."""
    return _shows_converter(card) or (card.entry is not None and card.entry.cost is not None)


def _shows_converter(card: Card) -> bool:
    faces = (card.front, card.back or card.front)
    return any(face.converters or face.half for face in faces)


def _check_deadline(state: State, clause: Undertake) -> None:
    _check_word(clause.by, ORDER)
    if clause.turn > TURNS:
        raise IllegalAction("after_the_end", turns=TURNS)
    late = clause.turn == state.turn and ORDER.index(clause.by) < ORDER.index(state.phase)
    if clause.turn < state.turn or late or is_past(state, clause):
        raise IllegalAction("too_late")
    _check_reachable(state, clause)


def _check_reachable(state: State, clause: Undertake) -> None:
    """A card not on its track this turn, or a team nobody holds, comes too late for a deed of this turn."""
    deed = clause.deed
    if deed.verb == "buy" and last_chance(clause)[0] == state.turn:
        there = deed.subject in (*state.colony_track, *state.research_track)
    elif deed.verb == "invent" and last_chance(clause) == moment(state):
        there = any(CATALOG.team(deed.subject) in player.cards for player in state.players)
    else:
        return
    if not there:
        raise IllegalAction("too_late")


def _check_forbearance(state: State, parties: tuple[Seat, ...], clause: Forbear) -> None:
    if clause.until < state.turn:
        raise IllegalAction("too_late")
    what = clause.what
    if isinstance(what, NoSteal):
        _check_named(state, parties, what.target)
    elif isinstance(what, NoTake):
        if what.card not in CATALOG.cards:
            raise IllegalAction("unknown_card", card=str(what.card))
    elif not isinstance(what, NoBid):
        _check_restraint(state, parties, clause.who, what)
    else:
        _check_word(what.track, ("colony", "research"))
        if what.most < 0:
            raise IllegalAction("bad_quantity")


def _check_restraint(
    state: State, parties: tuple[Seat, ...], who: Seat, what: NoTrade | NoHand | NoLicense | NoInvent
) -> None:
    """Restraint about partners, cards, licences and inventions names what is there."""
    if isinstance(what, NoTrade):
        _check_named(state, parties, what.partner)
        if what.partner == who:
            raise IllegalAction("bad_parties")
    elif isinstance(what, NoInvent):
        _check_deed(state, parties, Deed(who=who, verb="invent", subject=what.subject))
    else:
        if what.but is not None:
            _check_named(state, parties, what.but)
        if isinstance(what, NoHand):
            _card(state, what.card)
        elif what.technology not in CATALOG.technologies:
            raise IllegalAction("unknown_technology", technology=str(what.technology))


def _check_word(word: str, known: tuple[str, ...]) -> None:
    if word not in known:
        raise IllegalAction("malformed", problem=str(word))
