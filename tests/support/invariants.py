"""What must be true of every table, whatever was asked of it."""

from __future__ import annotations

from collections import Counter
from functools import cache

from elysian.deals import ANYONE, Deal, Forbear, Obligation, Pledge, Undertake
from elysian.deck import CATALOG
from elysian.events import Event
from elysian.state import PHASE_OF, TURNS, PlayerState, Settings, State
from tests.support.accounting import actual, expected, strayed

ORDER = ("trade", "economy", "confluence", "over")
TOKENS = 6  # seedlings in the box (CAY-6)
ENVOYS = 7
ACKNOWLEDGEMENTS = {"2017": 10, "2020": 11, "de2021": 11}


def check_invariants(state: State, event: Event | None = None, before: State | None = None) -> None:
    """Raise AssertionError unless the table is sound; `event` is what led to it from `before`.

    Without an event the table is at rest: the action that led to it is over.
    """
    check_cards(state)
    check_goods(state)
    check_tokens(state)
    check_tracks(state)
    check_deals(state)
    check_seats(state)
    if event is None:
        check_bids(state)
        check_deadlines(state)
    else:
        assert before is not None
        assert actual(before, state) == expected(event), event
        assert not strayed(before, state, event), event


# ---------------------------------------------------------------- cards


@cache
def _in_the_box(species: tuple[str, ...]) -> frozenset[str]:
    """The cards a line-up plays with."""
    return frozenset(
        card.id
        for card in CATALOG.cards.values()
        if card.kind in ("colony", "research") or card.species in species
    )


def _area(player: PlayerState) -> list[str]:
    return [*player.cards, *player.deck, *player.spent, *player.invented]


def check_cards(state: State) -> None:
    """Every card of the line-up is in exactly one place."""
    lying = [card for player in state.players for card in _area(player)]
    lying += [card for card in (*state.colony_track, *state.research_track) if card is not None]
    lying += [*state.colonies.cards, *state.research.cards, *state.relics, *state.shared, *state.removed]
    box = _in_the_box(state.settings.species)
    assert len(lying) == len(set(lying)), [card for card, n in Counter(lying).items() if n > 1]
    assert set(lying) == box, set(lying) ^ box
    assert all(CATALOG.cards[card].kind == "relic" for card in state.relics)
    assert all(CATALOG.cards[card].kind == "nullspace" for card in state.removed)
    assert all(CATALOG.cards[card].research for card in state.shared)
    for seat, player in enumerate(state.players):
        _check_area(state, seat, player)


def _check_area(state: State, seat: int, player: PlayerState) -> None:
    assert player.species == state.settings.species[seat]
    for name, held in player.cards.items():
        card = CATALOG.cards[name]
        if card.species is None or card.keeps:
            assert held.owner is None, name
        else:
            assert held.owner == state.settings.species.index(card.species), name
        assert not held.flipped or card.back is not None, name
        if card.mate is not None:
            assert card.mate in player.cards, f"{name} is torn from its other half"
    for name in player.deck:
        assert CATALOG.cards[name].species == player.species, name
    for name, over in player.spent.items():
        assert CATALOG.cards[name].species == player.species, name
        lying = [other.cards[over] for other in state.players if over in other.cards]
        assert [held.flipped for held in lying] == [True], f"{name} lies under {over}"
    assert all(CATALOG.cards[name].research for name in player.invented)


def check_tracks(state: State) -> None:
    """Tracks keep their length; the decks hold cards of their kind, the eras in order."""
    extra = sum(CATALOG.species[species].extra_colony_spaces for species in state.settings.species)
    assert len(state.colony_track) == len(state.colony_minimums) == len(state.players) + extra
    assert len(state.research_track) == len(state.research_minimums) == len(state.players)
    for pile, track, kind in (
        (state.colonies, state.colony_track, "colony"),
        (state.research, state.research_track, "research"),
    ):
        assert 0 <= pile.known <= len(pile.cards)
        assert all(CATALOG.cards[card].kind == kind for card in pile.cards)
        assert all(card is None or CATALOG.cards[card].kind == kind for card in track)
    unseen = state.research.cards[: len(state.research.cards) - state.research.known]
    eras = [CATALOG.cards[card].era or 0 for card in unseen]
    assert eras == sorted(eras)


# ---------------------------------------------------------------- goods and tokens


def check_goods(state: State) -> None:
    """No pile goes below zero, no stock holds points, goods are tied to one receiver only."""
    for player in state.players:
        for pile in (player.stock, player.donation, player.tied):
            assert min(pile.counts()) >= 0, pile
        assert player.stock.point == 0
        assert player.donation.acknowledgement == 0
        assert player.tied.acknowledgement == 0
        assert player.donation.envoy == 0
        if player.tied_to is not None:
            assert player.tied
            assert player.tied_to in state.seats()
            assert state.players[player.tied_to] is not player


def check_tokens(state: State) -> None:
    """Tokens of which the box holds only so many."""
    species = state.settings.species
    envoys = sum(p.stock.envoy + p.donation.envoy + p.tied.envoy for p in state.players)
    assert envoys <= (ENVOYS if "zeth" in species else 0)
    held = sum(player.stock.acknowledgement for player in state.players)
    assert held == (ACKNOWLEDGEMENTS[state.settings.edition] if "faderan" in species else 0)
    seedlings = [card for player in state.players for card, held in player.cards.items() if held.seedling]
    assert len(seedlings) <= (TOKENS if "caylion" in species else 0)
    assert all(CATALOG.cards[card].kind == "colony" for card in seedlings)


# ---------------------------------------------------------------- deals and promises


def check_deals(state: State) -> None:
    """Offers and promises name seats of this table and one another rightly."""
    for name, deal in state.deals.items():
        assert name == deal.id
        _check_deal(state, deal)
    for name, owed in state.obligations.items():
        assert name == owed.id
        assert owed.id.startswith(owed.deal + ".")
        _check_obligation(state, owed)


def _check_deal(state: State, deal: Deal) -> None:
    assert len(deal.parties) >= 2
    assert len(set(deal.parties)) == len(deal.parties)
    assert all(party in state.seats() or party == ANYONE for party in deal.parties)
    assert deal.proposer in deal.accepted
    assert len(set(deal.accepted)) == len(deal.accepted) < len(deal.parties)
    assert set(deal.accepted) <= set(deal.parties)
    assert 1 <= int(deal.id[1:]) <= state.made
    assert deal.clauses or deal.settles


def _check_obligation(state: State, owed: Obligation) -> None:
    assert all(party in state.seats() for party in owed.parties)
    assert owed.debtor in owed.parties
    assert owed.creditor in owed.parties
    assert owed.debtor != owed.creditor
    assert 1 <= owed.made <= state.turn
    deed = owed.clause.deed if isinstance(owed.clause, Undertake) else None
    if isinstance(owed.clause, Pledge):
        deed = owed.clause.only_if
        assert not owed.met or deed is not None
    assert deed is None or deed.who in state.seats()


def check_deadlines(state: State) -> None:
    """At rest no promise stands whose time is over."""
    for owed in state.obligations.values():
        clause = owed.clause
        if isinstance(clause, Pledge):
            still = state.phase == "trade"
            assert clause.due >= (state.turn if still else state.turn + 1), owed
        elif isinstance(clause, Undertake):
            due = (clause.turn, ORDER.index(clause.by))
            # A deed of a later phase that was not done waits for the settlement of the next turn (TRADE-11).
            waits = clause.by != "trade" and state.step in ("trade", "settle")
            assert due >= (state.turn - 1 if waits else state.turn, 0), owed
            assert clause.by != "trade" or due >= (state.turn, ORDER.index(state.phase)), owed
        else:
            assert isinstance(clause, Forbear)
            assert clause.until >= state.turn, owed


# ---------------------------------------------------------------- seats, steps, bids


def check_seats(state: State) -> None:
    """Whoever is named in the marks of a turn sits at the table."""
    seats = set(state.seats())
    assert state.done <= seats
    assert state.plans.keys() <= seats
    assert state.bids.keys() <= seats
    assert state.robbed <= seats
    assert state.serving <= seats
    assert state.phase == "trade" or not state.serving
    assert state.choices.keys() <= state.obligations.keys()
    assert all(one in seats and other in seats and one != other for one, other in state.traded)
    assert all((other, one) in state.traded for one, other in state.traded)
    assert 1 <= state.turn <= TURNS
    assert state.step in PHASE_OF
    assert (state.step == "over") == bool(state.scores)
    assert all(made.seat in seats for made in state.invented)
    _check_marks(state.settings, state)


def _check_marks(settings: Settings, state: State) -> None:
    assert len(state.players) == len(settings.species)
    for card, n in state.ran:
        converters = max(len(CATALOG.cards[card].face(flipped).converters) for flipped in (False, True))
        assert -1 <= n < converters, (card, n)


def check_bids(state: State) -> None:
    """Ships bid lie in stock until a card is bought with them."""
    auction = state.step in ("colony_auction", "research_auction")
    assert auction or not state.queue
    for seat, player in enumerate(state.players):
        mine = [bidder for bidder in state.queue if bidder.seat == seat]
        assert len(mine) <= 1 or (len(mine) == 2 and all(bidder.half for bidder in mine))
        assert all(bidder.ships > 0 or bidder.half for bidder in mine)
        waiting = sum(bidder.ships for bidder in mine)
        bid = state.bids.get(seat)
        if state.step == "bid" and bid is not None:
            assert 0 <= bid.colony + bid.research <= player.stock.ship
            assert min(bid.colony, bid.research) >= 0
        elif state.step == "colony_auction":
            assert waiting + (bid.research if bid else 0) <= player.stock.ship
            assert waiting <= (bid.colony if bid else 0)
        elif state.step == "research_auction":
            assert waiting <= player.stock.ship
            assert waiting in (0, bid.research if bid else 0)
