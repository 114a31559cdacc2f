"""view() and seen_by(): what a seat may know; the one file that handles secrets (hidden information)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from elysian.deals import CardId, Deal, Obligation, OneOf, Pledge, Seat
from elysian.drawn import drawn
from elysian.event_parts import Standing
from elysian.events import (
    BidPlaced,
    DealAccepted,
    DealDeclined,
    DealOffered,
    DealsLapsed,
    DealWithdrawn,
    Event,
    GameStarted,
    GoodsChosen,
    PlanLaid,
    PlanSaved,
)
from elysian.goods import Goods
from elysian.rules import waiting
from elysian.rules.confluence import auction_of, standing
from elysian.rules.economy import colony_support
from elysian.state import Bid, Bidder, FinalScore, Held, Invention, Phase, Pile, Run, Settings, State, Step


class SeatView(Struct, frozen=True, gc=False):
    """What everybody may know of a seat."""

    seat: Seat
    species: str
    stock: Goods
    donation: Goods
    tied: Goods
    tied_to: Seat | None  # None: not bound to anybody yet
    cards: dict[CardId, Held]
    deck: tuple[CardId, ...]
    spent: dict[CardId, CardId]
    invented: tuple[CardId, ...]
    support: int | None  # None: no limit
    done: bool


class DeckView(Struct, frozen=True, gc=False):
    """A deck with its top card open and the cards that were put under it in the open."""

    top: CardId | None  # None: the deck is empty
    count: int
    under: tuple[CardId, ...]


class View(Struct, frozen=True, gc=False):
    """What one seat may know; it has no place for anybody else's points, plan or bid."""

    seat: Seat | None  # None: a spectator
    settings: Settings
    turn: int
    step: Step
    phase: Phase
    waiting: tuple[Seat, ...]
    players: tuple[SeatView, ...]
    colony_track: tuple[CardId | None, ...]
    research_track: tuple[CardId | None, ...]
    colony_minimums: tuple[int, ...]
    research_minimums: tuple[int, ...]
    colony_deck: DeckView
    research_deck: DeckView
    relics: int
    bonus: tuple[tuple[int, int], ...]
    shared: tuple[CardId, ...]
    removed: tuple[CardId, ...]
    deals: dict[str, Deal]
    obligations: dict[str, Obligation]
    choices: dict[str, Goods]  # what shall keep promises of a choice, as far as one chose it oneself
    serving: tuple[Seat, ...]  # debtors who choose whom to serve
    ran: tuple[tuple[CardId, int], ...]
    traded: tuple[tuple[Seat, Seat], ...]
    robbed: tuple[Seat, ...]
    invented: tuple[Invention, ...]
    queue: tuple[Bidder, ...]
    scores: tuple[FinalScore, ...]
    score: int | None  # one's own; None: a spectator
    plan: tuple[Run, ...] | None  # one's own; None: none laid
    bid: Bid | None  # one's own; None: none placed
    standing: tuple[Standing, ...] = ()

    @property
    def me(self) -> SeatView:
        """One's own seat; a spectator has none."""
        assert self.seat is not None
        return self.players[self.seat]

    def _repr_html_(self) -> str:
        """As a notebook shows it."""
        return drawn(self)


Last = tuple[State, View]  # a state, and what anybody was shown of it


def view(state: State, seat: Seat | None, last: Last | None = None) -> View:
    """What a seat may know of the table (COMP-5); None is a spectator.

    `last` is a view that was made of the same game: what has not changed since is taken from it.
    """
    me = None if seat is None else state.players[seat]
    return View(
        seat=seat,
        settings=state.settings,
        turn=state.turn,
        step=state.step,
        phase=state.phase,
        waiting=waiting(state),
        players=_areas(state, last),
        colony_track=state.colony_track,
        research_track=state.research_track,
        colony_minimums=state.colony_minimums,
        research_minimums=state.research_minimums,
        colony_deck=_deck(state.colonies),
        research_deck=_deck(state.research),
        relics=len(state.relics),
        bonus=state.bonus,
        shared=state.shared,
        removed=state.removed,
        deals=deals_of(state, seat),
        obligations=state.obligations,
        choices=choices_of(state, seat),
        serving=tuple(sorted(state.serving)),
        ran=tuple(sorted(state.ran)),
        traded=last[1].traded if last and last[0].traded is state.traded else tuple(sorted(state.traded)),
        robbed=tuple(sorted(state.robbed)),
        invented=state.invented,
        queue=state.queue,
        scores=state.scores,
        score=None if me is None else me.score,
        plan=None if seat is None else state.plans.get(seat),
        bid=None if seat is None else state.bids.get(seat),
        standing=standing(state, auction_of(state), state.queue) if state.queue else (),
    )


def _areas(state: State, last: Last | None) -> tuple[SeatView, ...]:
    if last is None:
        return tuple([area(state, seat) for seat in state.seats()])
    was, seen = last
    if was.players is state.players and was.done is state.done:
        return seen.players
    return tuple(
        [
            made if player is old and (made.done is (seat in state.done)) else area(state, seat)
            for seat, (player, old, made) in enumerate(
                zip(state.players, was.players, seen.players, strict=True)
            )
        ]
    )


def area(state: State, seat: Seat) -> SeatView:
    """What everybody may know of a seat."""
    player = state.players[seat]
    support = colony_support(player)
    return SeatView(
        seat=seat,
        species=player.species,
        stock=player.stock,
        donation=player.donation,
        tied=player.tied,
        tied_to=player.tied_to,
        cards=player.cards,
        deck=player.deck,
        spent=player.spent,
        invented=player.invented,
        support=None if support == float("inf") else int(support),
        done=seat in state.done,
    )


def choices_of(state: State, seat: Seat | None) -> dict[str, Goods]:
    """What a seat chose is its own affair until the promise is due (TRADE-17)."""
    if not state.choices:
        return state.choices
    return {
        name: goods
        for name, goods in state.choices.items()
        if (clause := state.obligations[name].clause)
        and isinstance(clause, Pledge)
        and isinstance(clause.what, OneOf)
        and clause.what.chooser == seat
    }


def _deck(pile: Pile) -> DeckView:
    known = pile.cards[len(pile.cards) - pile.known :]
    return DeckView(top=pile.cards[0] if pile.cards else None, count=len(pile.cards), under=known)


def deals_of(state: State, seat: Seat | None) -> dict[str, Deal]:
    """The offers a seat may see."""
    if not state.settings.private_offers:
        return state.deals
    return {name: deal for name, deal in state.deals.items() if _may_see(state, seat, deal)}


def _may_see(state: State, seat: Seat | None, deal: Deal) -> bool:
    """At a table with private offers only their parties see them; an offer to anyone is for all to see."""
    return not state.settings.private_offers or deal.is_open or seat in deal.parties


# Events of which each seat may hear something else; and those where offers are private.
_OWN = (PlanSaved, GoodsChosen, PlanLaid, BidPlaced)  # of which only whoever does it hears more
_SECRET = (GameStarted, *_OWN)
_OF_OFFERS = (DealOffered, DealAccepted, DealDeclined, DealWithdrawn, DealsLapsed)


def is_for_all(before: State, event: Event) -> bool:
    """Whether everybody hears of an event, and of all of it; `before` is the table before the action."""
    return not isinstance(event, _SECRET) and not (
        before.settings.private_offers and isinstance(event, _OF_OFFERS)
    )


def hearing_otherwise(before: State, event: Event) -> tuple[Seat, ...] | None:
    """The seats that hear otherwise of an event than a spectator; None: `seen_by` must be asked for each."""
    if isinstance(event, _OWN):
        return (event.by,)
    return () if isinstance(event, GameStarted) or is_for_all(before, event) else None


def seen_by(before: State, seat: Seat | None, event: Event) -> Event | None:
    """The event as a seat may hear of it, None when it may not; `before` is the table before the action."""
    if is_for_all(before, event):
        return event
    if isinstance(event, GameStarted):
        return replace(event, colonies=event.colonies[:1], research=event.research[:1], relics=())
    if isinstance(event, PlanSaved | GoodsChosen):
        return event if event.by == seat else None
    if isinstance(event, PlanLaid):
        return event if event.by == seat else replace(event, runs=None)
    if isinstance(event, BidPlaced):
        return event if event.by == seat else replace(event, bid=None)
    return _private(before, seat, event)


def _private(before: State, seat: Seat | None, event: Event) -> Event | None:
    if isinstance(event, DealOffered):
        return event if _may_see(before, seat, event.deal) else None
    if isinstance(event, DealAccepted | DealDeclined | DealWithdrawn):
        return event if _may_see(before, seat, before.deals[event.deal]) else None
    if isinstance(event, DealsLapsed):
        seen = tuple(name for name in event.deals if _may_see(before, seat, before.deals[name]))
        return replace(event, deals=seen) if seen else None
    return event


def all_seen_by(before: State, seat: Seat | None, events: Iterable[Event]) -> tuple[Event, ...]:
    """Everything of one action's events that a seat may hear of."""
    seen = (seen_by(before, seat, event) for event in events)
    return tuple(event for event in seen if event is not None)
