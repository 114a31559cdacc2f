"""What may stand in an offer: legality of clauses, whatever the stocks of the moment."""

from __future__ import annotations

from msgspec.structs import replace

from elysian.actions import ProposeDeal
from elysian.deals import (
    ANYONE,
    AnyClause,
    CardId,
    Deed,
    Forbear,
    Give,
    Handing,
    Lend,
    License,
    NoBid,
    NoSteal,
    NoTake,
    Note,
    Pledge,
    Seat,
    Undertake,
)
from elysian.deck import CATALOG
from elysian.draft import IllegalAction
from elysian.goods import NOTHING
from elysian.rules.paying import is_bordered
from elysian.rules.promises import is_due
from elysian.species import rules_of
from elysian.state import State

BIDDING = ("bid", "colony_auction", "research_auction")
ORDER = ("trade", "economy", "confluence")


def check_proposal(state: State, seat: Seat, action: ProposeDeal) -> None:
    """Raise unless the offer could ever be struck: parties, step, every clause."""
    _check_parties(state, seat, action.parties)
    if not action.clauses and not action.settles:
        raise IllegalAction("empty_offer")
    if len(action.clauses) > 60 or len(action.reason) > 500:
        raise IllegalAction("offer_too_long")
    if action.answers is not None:
        answered = state.deals.get(action.answers)
        if answered is None or (seat not in answered.parties and not answered.is_open):
            raise IllegalAction("no_such_offer")
    _check_settles(state, action)
    for clause in action.clauses:
        _check_clause(state, action.parties, clause)
    _check_step(state, seat, action)


def _check_parties(state: State, seat: Seat, parties: tuple[Seat, ...]) -> None:
    if seat not in parties or len(parties) < 2 or len(set(parties)) != len(parties):
        raise IllegalAction("bad_parties")
    if not all(party in state.seats() or party == ANYONE for party in parties):
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
    if state.step == "settle":
        # After trading has closed only compensation for a broken promise is left (TRADE-11).
        due = [state.obligations[name] for name in action.settles]
        if not any(is_due(state, owed) and owed.debtor == seat for owed in due):
            raise IllegalAction("only_compensation")
    elif state.step in BIDDING:
        _check_bidding(state, action)
    else:
        raise IllegalAction("wrong_step", step=state.step)


def _check_bidding(state: State, action: ProposeDeal) -> None:
    """While bidding, deals are about the cards bid on, and nothing changes hands yet (TRADE-15)."""
    for clause in action.clauses:
        if isinstance(clause, Give | Lend | License):
            raise IllegalAction("nothing_moves_now")
        if isinstance(clause, Forbear) and isinstance(clause.what, NoBid) and state.step != "bid":
            raise IllegalAction("too_late")
    on_track = {card for card in (*state.colony_track, *state.research_track) if card is not None}
    if not any(_about_bids(clause, on_track) for clause in action.clauses):
        raise IllegalAction("only_about_bids")


def _about_bids(clause: AnyClause, on_track: set[CardId]) -> bool:
    if isinstance(clause, Forbear):
        what = clause.what
        return isinstance(what, NoBid) or (isinstance(what, NoTake) and what.card in on_track)
    if isinstance(clause, Undertake):
        return clause.deed.verb == "buy" and clause.deed.subject in on_track
    if isinstance(clause, Pledge):
        deed = clause.only_if
        if deed is not None and deed.verb == "buy" and deed.subject in on_track:
            return True
        return isinstance(clause.what, Give) and not on_track.isdisjoint(clause.what.cards)
    return False


# ---------------------------------------------------------------- single clauses


def _check_clause(state: State, parties: tuple[Seat, ...], clause: AnyClause) -> None:
    if isinstance(clause, Note):
        if not clause.text.strip() or len(clause.text) > 500:
            raise IllegalAction("empty_note")
    elif isinstance(clause, Pledge):
        _check_pledge(state, parties, clause)
    elif isinstance(clause, Undertake):
        _check_two(parties, clause.deed.who, clause.to)
        _check_deed(state, clause.deed)
        _check_deadline(state, clause)
    elif isinstance(clause, Forbear):
        _check_two(parties, clause.who, clause.to)
        _check_forbearance(state, clause)
    else:
        _check_handing(state, parties, clause)
        if isinstance(clause, Give) and clause.goods.point:
            raise IllegalAction("points_not_tradable")


def _check_two(parties: tuple[Seat, ...], giver: Seat, to: Seat) -> None:
    if giver == to or giver not in parties or to not in parties:
        raise IllegalAction("bad_parties")


def _check_handing(state: State, parties: tuple[Seat, ...], what: Handing, pledged: bool = False) -> None:
    _check_two(parties, what.giver, what.to)
    if isinstance(what, Give):
        _check_give(state, what, pledged)
    elif isinstance(what, Lend):
        card = CATALOG.cards.get(what.card)
        if card is None:
            raise IllegalAction("unknown_card", card=str(what.card))
        if not is_bordered(card):
            raise IllegalAction("not_lent_but_given", card=card.id)
        if not card.tradable:
            raise IllegalAction("not_tradable", card=card.id)
    else:
        _check_license(state, what)


def _check_give(state: State, what: Give, pledged: bool) -> None:
    if not what.goods.is_count() or not what.donation.is_count():
        raise IllegalAction("bad_quantity")
    if what.goods == NOTHING and what.donation == NOTHING and not what.cards:
        raise IllegalAction("empty_clause")
    if what.donation.acknowledgement or not _may_hand_on(state, what, pledged):
        raise IllegalAction("tokens_not_tradable")
    for name in what.cards:
        card = CATALOG.cards.get(name)
        if card is None:
            raise IllegalAction("unknown_card", card=str(name))
        if is_bordered(card):
            raise IllegalAction("only_lent", card=card.id)
        if not card.tradable:
            raise IllegalAction("not_tradable", card=card.id)
    if len(set(what.cards)) != len(what.cards):
        raise IllegalAction("bad_quantity")


def _may_hand_on(state: State, what: Give, pledged: bool) -> bool:
    """Tokens in stock stay where they are; those who make them may promise them ahead (TRADE-2)."""
    if what.giver == ANYONE:
        return not what.goods.envoy and not what.goods.acknowledgement
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
    still_to_come = state.step == "trade" and pledge.at == "close"
    if pledge.due < (state.turn if still_to_come else state.turn + 1):
        raise IllegalAction("too_late")
    if pledge.only_if is not None:
        _check_deed(state, pledge.only_if)


def _check_deed(state: State, deed: Deed) -> None:
    if deed.who not in state.seats() and deed.who != ANYONE:
        raise IllegalAction("bad_parties")
    if deed.subject in CATALOG.technologies:
        if deed.verb != "invent":
            raise IllegalAction("impossible_deed")
        return
    card = CATALOG.cards.get(deed.subject)
    if card is None:
        raise IllegalAction("unknown_card", card=str(deed.subject))
    possible = {
        "run": card.research is None,
        "invent": card.research is not None and card.research.technology is None,
        "upgrade": bool(card.upgrades),
        "buy": card.kind in ("colony", "research"),
    }
    if not possible.get(deed.verb):
        raise IllegalAction("impossible_deed")


def _check_deadline(state: State, clause: Undertake) -> None:
    _check_word(clause.by, ORDER)
    late = clause.turn == state.turn and ORDER.index(clause.by) < ORDER.index(state.phase)
    if clause.turn < state.turn or late:
        raise IllegalAction("too_late")


def _check_forbearance(state: State, clause: Forbear) -> None:
    if clause.until < state.turn:
        raise IllegalAction("too_late")
    what = clause.what
    if isinstance(what, NoSteal):
        if what.target not in state.seats() and what.target != ANYONE:
            raise IllegalAction("bad_parties")
    elif isinstance(what, NoTake):
        if what.card not in CATALOG.cards:
            raise IllegalAction("unknown_card", card=str(what.card))
    else:
        _check_word(what.track, ("colony", "research"))
        if what.most < 0:
            raise IllegalAction("bad_quantity")


def _check_word(word: str, known: tuple[str, ...]) -> None:
    if word not in known:
        raise IllegalAction("malformed", problem=str(word))
