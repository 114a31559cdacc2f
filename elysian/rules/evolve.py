"""evolve: what each event does to the table; never refuses, looks nothing up."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from msgspec.structs import replace

from elysian import events as e
from elysian.deals import CardId, Pledge, Seat
from elysian.event_parts import Moved, Paid
from elysian.goods import NOTHING, Goods
from elysian.rules.pieces import (
    drawn,
    drop_choices,
    drop_deals,
    drop_obligations,
    enter,
    licence,
    move,
    pay,
    under,
    without,
)
from elysian.species import SPECIES, Evolver
from elysian.state import Bid, Held, Invention, State


def evolve(state: State, event: e.Event) -> State:
    """The table after the event."""
    return EVOLVERS[type(event)](state, event)


# ---------------------------------------------------------------- the table


def _step_began(state: State, event: e.StepBegan) -> State:
    return replace(state, step=event.step, done=frozenset())


def _turn_began(state: State, event: e.TurnBegan) -> State:
    return replace(
        state,
        turn=event.turn,
        step="trade",
        done=frozenset(),
        ran=frozenset(),
        traded=frozenset(),
        robbed=frozenset(),
        invented=(),
        plans={},
        bids={},
        queue=(),
    )


def _time_called(state: State, event: e.TimeCalled) -> State:
    return state


def _handicap_chosen(state: State, event: e.HandicapChosen) -> State:
    player = state.players[event.by]
    changed = replace(player, stock=player.stock + event.gained - event.lost)
    return replace(state.with_player(event.by, changed), done=state.done | {event.by})


def _done_said(state: State, event: e.DoneSaid) -> State:
    return replace(state, done=state.done | {event.by})


def _done_taken_back(state: State, event: e.DoneTakenBack) -> State:
    return replace(state, done=state.done - {event.by})


def _gained(state: State, event: e.Gained) -> State:
    state = state.with_player(event.seat, state.players[event.seat].gaining(event.goods))
    return replace(state, ran=state.ran | {(event.card, -1)}) if event.once else state


# ---------------------------------------------------------------- deals and promises


def _deal_offered(state: State, event: e.DealOffered) -> State:
    return replace(state, deals={**state.deals, event.deal.id: event.deal}, made=state.made + 1)


def _deal_accepted(state: State, event: e.DealAccepted) -> State:
    deal = state.deals[event.deal]
    if event.as_anyone:
        deal = deal.taken_by(event.by)
    agreed = replace(deal, accepted=(*deal.accepted, event.by))
    return replace(state, deals={**state.deals, event.deal: agreed})


def _deal_gone(state: State, event: e.DealDeclined | e.DealWithdrawn) -> State:
    return drop_deals(state, (event.deal,))


def _deals_lapsed(state: State, event: e.DealsLapsed) -> State:
    return drop_deals(state, event.deals)


def _deal_struck(state: State, event: e.DealStruck) -> State:
    for licensed in event.licensed:
        state = licence(state, licensed)
    if event.moved:
        state = move(state, *event.moved)
    deals = dict(state.deals)
    deals.pop(event.deal, None)
    changes: dict[str, Any] = {"deals": deals}
    if state.phase == "trade":
        changes["traded"] = state.traded.union(permutations(event.parties, 2))
    if event.obligations or event.settled:
        obligations = {k: o for k, o in state.obligations.items() if k not in event.settled}
        changes["obligations"] = {**obligations, **{o.id: o for o in event.obligations}}
        state = drop_choices(state, event.settled)
    if event.rebid:
        changes["bids"] = {seat: bid for seat, bid in state.bids.items() if seat not in event.rebid}
        changes["done"] = state.done.difference(event.rebid)
    return replace(state, **changes)


def _pledge_paid(state: State, event: e.PledgePaid) -> State:
    if event.moved is not None:
        state = move(state, event.moved)
    if event.licensed is not None:
        state = licence(state, event.licensed)
    if event.moved is not None or event.licensed is not None:
        state = replace(state, traded=state.traded.union(permutations(event.parties, 2)))
    if event.left is None:
        return drop_obligations(state, (event.obligation,))
    owed = state.obligations[event.obligation]
    assert isinstance(owed.clause, Pledge)
    rest = replace(owed, clause=replace(owed.clause, what=event.left))
    state = drop_choices(state, (owed.id,))
    return replace(state, obligations={**state.obligations, owed.id: rest})


def _goods_chosen(state: State, event: e.GoodsChosen) -> State:
    if not event.goods:
        return drop_choices(state, (event.obligation,))
    return replace(state, choices={**state.choices, event.obligation: event.goods})


def _creditors_wait(state: State, event: e.CreditorsWait) -> State:
    return replace(state, serving=state.serving | {event.by})


def _creditors_served(state: State, event: e.CreditorsServed) -> State:
    return replace(state, serving=state.serving - {event.by})


def _obligation_met(state: State, event: e.ObligationMet) -> State:
    owed = state.obligations[event.obligation]
    return replace(state, obligations={**state.obligations, owed.id: replace(owed, met=True)})


def _obligation_gone(
    state: State, event: e.ObligationKept | e.ObligationReleased | e.ObligationLapsed
) -> State:
    return drop_obligations(state, (event.obligation,))


def _obligation_broken(state: State, event: e.ObligationBroken) -> State:
    player = state.players[event.by]
    state = state.with_player(event.by, replace(player, score=player.score - event.points))
    return drop_obligations(state, (event.obligation,))


# ---------------------------------------------------------------- the Trade Phase


def _gift_given(state: State, event: e.GiftGiven) -> State:
    return move(state, event.moved)


def _converter_run(state: State, event: e.ConverterRun) -> State:
    state, player = pay(state, event.by, event.paid, event.gain)
    return replace(state.with_player(event.by, player), ran=state.ran | {(event.card, event.converter)})


def _card_drawn(state: State, event: e.CardDrawn) -> State:
    player = state.players[event.by]
    held = Held(owner=event.by if event.bordered else None)
    player = replace(player, cards={**player.cards, event.card: held})
    return replace(state.with_player(event.by, player), relics=state.relics[1:])


def _colonies_drawn(state: State, event: e.ColoniesDrawn) -> State:
    player = state.players[event.by]
    player = replace(player, cards={**player.cards, **{card: Held() for card in event.cards}})
    return replace(state.with_player(event.by, player), colonies=drawn(state.colonies, len(event.cards)))


def _card_put_into_play(state: State, event: e.CardPutIntoPlay) -> State:
    state, player = pay(state, event.by, event.paid, event.gain)
    held = Held(owner=event.by if event.bordered else None)
    return state.with_player(event.by, enter(player, event.card, held))


def _card_upgraded(state: State, event: e.CardUpgraded) -> State:
    state, player = pay(state, event.by, event.paid, event.gain)
    flipped = replace(player.cards[event.card], flipped=True)
    cards = {**player.cards, event.card: flipped}
    if event.spent is not None:
        del cards[event.spent]
        player = replace(player, spent={**player.spent, event.spent: event.card})
    return state.with_player(event.by, replace(player, cards=cards))


def _technology_invented(state: State, event: e.TechnologyInvented) -> State:
    player = state.players[event.by].paying(event.paid)
    player = replace(
        player,
        score=player.score + event.points + event.bonus,
        cards=without(player.cards, (event.card,)),
        invented=(*player.invented, event.card),
    )
    if event.entered is not None:
        player = enter(player, event.entered, Held(owner=event.by))
    return replace(
        state.with_player(event.by, player),
        invented=(*state.invented, Invention(seat=event.by, card=event.card)),
    )


# ---------------------------------------------------------------- the Economy Phase


def _colonies_discarded(state: State, event: e.ColoniesDiscarded) -> State:
    paid = Paid(under=event.under, removed=event.removed)
    state, player = pay(state, event.by, paid, NOTHING)
    return state.with_player(event.by, player)


def _plan_saved(state: State, event: e.PlanSaved) -> State:
    return replace(state, plans={**state.plans, event.by: event.runs})


def _plan_laid(state: State, event: e.PlanLaid) -> State:
    plans = {**state.plans, event.by: event.runs or ()}
    return replace(state, plans=plans, done=state.done | {event.by})


def _production_run(state: State, event: e.ProductionRun) -> State:
    player = state.players[event.by]
    if event.paid:
        player = player.paying(event.paid)
    player = player.gaining(event.gain)
    if event.donation:
        player = replace(player, donation=player.donation + event.donation)
    if event.tied:
        player = replace(player, tied=player.tied + event.tied)
    return state.with_player(event.by, player)


# ---------------------------------------------------------------- the Confluence Phase


def _technologies_shared(state: State, event: e.TechnologiesShared) -> State:
    players = list(state.players)
    for bonus in event.bonuses:
        player = players[bonus.seat]
        players[bonus.seat] = replace(player, score=player.score + bonus.points)
    for entered in event.entered:
        players[entered.seat] = enter(players[entered.seat], entered.card, Held(owner=entered.seat))
    for seat, player in enumerate(players):
        if any(card in event.shared for card in player.invented):
            kept = tuple(card for card in player.invented if card not in event.shared)
            players[seat] = replace(player, invented=kept)
    return replace(state, players=tuple(players), shared=state.shared + event.shared)


def _bid_placed(state: State, event: e.BidPlaced) -> State:
    return replace(state, bids={**state.bids, event.by: event.bid or Bid()}, done=state.done | {event.by})


def _bids_revealed(state: State, event: e.BidsRevealed) -> State:
    return replace(state, queue=tuple(bidder for bidder in event.bids if bidder.ships))


def _card_bought(state: State, event: e.CardBought) -> State:
    player = state.players[event.by].paying(Goods(ship=event.ships))
    held = Held(seedling=event.seedling)
    player = replace(player, cards={**player.cards, event.card: held})
    state = _acted(state.with_player(event.by, player), event.by, event.ships)
    if event.track == "colony":
        return replace(state, colony_track=_emptied(state.colony_track, event.space))
    return replace(state, research_track=_emptied(state.research_track, event.space))


def _emptied(track: tuple[CardId | None, ...], space: int) -> tuple[CardId | None, ...]:
    return (*track[:space], None, *track[space + 1 :])


def _bid_passed(state: State, event: e.BidPassed) -> State:
    return _acted(state, event.by, event.ships)


def _acted(state: State, seat: Seat, ships: int) -> State:
    """Take one bid of a seat out of the queue."""
    queue = list(state.queue)
    queue.remove(next(b for b in queue if b.seat == seat and b.ships == ships))
    return replace(state, queue=tuple(queue))


def _bid_split(state: State, event: e.BidSplit) -> State:
    others = tuple(bidder for bidder in state.queue if bidder.seat != event.by)
    return replace(state, queue=others + event.halves)


def _tracks_refreshed(state: State, event: e.TracksRefreshed) -> State:
    colony, research = event.colony, event.research
    return replace(
        state,
        colonies=drawn(under(state.colonies, colony.under), colony.drawn),
        research=drawn(under(state.research, research.under), research.drawn),
        colony_track=colony.track,
        research_track=research.track,
    )


def _cards_returned(state: State, event: e.CardsReturned) -> State:
    home = [Moved(giver=back.holder, to=back.owner, cards=(back.card,)) for back in event.cards]
    return move(state, *home)


def _game_scored(state: State, event: e.GameScored) -> State:
    return replace(state, scores=event.scores, step="over", done=frozenset())


EVOLVERS: dict[type[e.Event], Evolver] = {
    e.StepBegan: _step_began,
    e.TurnBegan: _turn_began,
    e.TimeCalled: _time_called,
    e.HandicapChosen: _handicap_chosen,
    e.DoneSaid: _done_said,
    e.DoneTakenBack: _done_taken_back,
    e.Gained: _gained,
    e.DealOffered: _deal_offered,
    e.DealAccepted: _deal_accepted,
    e.DealDeclined: _deal_gone,
    e.DealWithdrawn: _deal_gone,
    e.DealsLapsed: _deals_lapsed,
    e.DealStruck: _deal_struck,
    e.PledgePaid: _pledge_paid,
    e.GoodsChosen: _goods_chosen,
    e.CreditorsWait: _creditors_wait,
    e.CreditorsServed: _creditors_served,
    e.ObligationMet: _obligation_met,
    e.ObligationKept: _obligation_gone,
    e.ObligationReleased: _obligation_gone,
    e.ObligationLapsed: _obligation_gone,
    e.ObligationBroken: _obligation_broken,
    e.GiftGiven: _gift_given,
    e.ConverterRun: _converter_run,
    e.CardDrawn: _card_drawn,
    e.ColoniesDrawn: _colonies_drawn,
    e.CardPutIntoPlay: _card_put_into_play,
    e.CardUpgraded: _card_upgraded,
    e.TechnologyInvented: _technology_invented,
    e.ColoniesDiscarded: _colonies_discarded,
    e.PlanSaved: _plan_saved,
    e.PlanLaid: _plan_laid,
    e.ProductionRun: _production_run,
    e.TechnologiesShared: _technologies_shared,
    e.BidPlaced: _bid_placed,
    e.BidsRevealed: _bids_revealed,
    e.CardBought: _card_bought,
    e.BidPassed: _bid_passed,
    e.BidSplit: _bid_split,
    e.TracksRefreshed: _tracks_refreshed,
    e.CardsReturned: _cards_returned,
    e.GameScored: _game_scored,
}
for species in SPECIES.values():
    EVOLVERS.update(species.evolvers)
