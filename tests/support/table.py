"""Arranging a table, playing on it, and asking what became of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from elysian.actions import AcceptDeal, Action, Done, LayPlan, PlaceBid, ProposeDeal, TimeUp
from elysian.deals import Give, Lend, Obligation, Pledge, Seat
from elysian.events import Event
from elysian.goods import NOTHING, Goods
from elysian.positions import Area, Placed, arrange, rearrange
from elysian.rules import decide, refusal, waiting
from elysian.state import Run, State

Who = str | int  # a species or a seat


def table(*species: str, seed: int = 1, turn: int = 1, bare: bool = True, **settings: object) -> State:
    """A game set up for these species; `bare` takes away colonies, research teams and all stocks."""
    return arrange(species, seed=seed, turn=turn, bare=bare, options=settings)


def seat_of(game: State, who: Who) -> Seat:
    """The seat of a species."""
    if isinstance(who, int):
        return who
    return game.settings.species.index(who)


def player(game: State, who: Who):
    """A seat's area."""
    return game.players[seat_of(game, who)]


def goods_of(game: State, who: Who) -> Goods:
    """What lies in a seat's stock, but for acknowledgements: they are always all at the table."""
    return replace(player(game, who).stock, acknowledgement=0)


def change(game: State, who: Who, **changes: object) -> State:
    """The table with fields of one area replaced."""
    seat = seat_of(game, who)
    return game.with_player(seat, replace(game.players[seat], **changes))


def stock(game: State, who: Who, goods: Goods | None = None, **counts: int) -> State:
    """The table with exactly these goods in a seat's stock."""
    return rearrange(game, seats={who: Area(goods=goods or Goods(**counts))})


def put_away(game: State, card: str) -> State:
    """The table with a card back in the deck it comes from."""
    return rearrange(game, put_back=[card])


def hold(game: State, who: Who, *cards: str, flipped: bool = False, seedling: bool = False) -> State:
    """The table with cards in play in a seat's area."""
    placed = [Placed(card, flipped=flipped, seedling=seedling) for card in cards]
    return rearrange(game, seats={who: Area(also=placed)})


def play(game: State, *moves: tuple[Who | None, Action]) -> State:
    """The table after these actions, each by its seat."""
    for who, action in moves:
        _, game = decide(game, None if who is None else seat_of(game, who), action)
    return game


def happened(game: State, who: Who | None, action: Action) -> tuple[Event, ...]:
    """The events of one action."""
    return decide(game, None if who is None else seat_of(game, who), action)[0]


def swap(game: State, one: Who, gives: Goods, other: Who, back: Goods = NOTHING) -> State:
    """The table after two seats exchanged goods from their stocks."""
    a, b = seat_of(game, one), seat_of(game, other)
    clauses = [Give(giver=a, to=b, goods=gives)] if gives else []
    clauses += [Give(giver=b, to=a, goods=back)] if back else []
    return deal(game, a, (b,), *clauses)


def offer(game: State, proposer: Who, others: Iterable[Who], *clauses: object, **more: object) -> State:
    """The table with an offer on it."""
    a = seat_of(game, proposer)
    parties = (a, *(seat_of(game, who) for who in others))
    return play(game, (a, ProposeDeal(parties=parties, clauses=clauses, **more)))  # type: ignore[arg-type]


def newest(game: State) -> str:
    """The id of the last offer made."""
    return f"d{game.made}"


def deal(game: State, proposer: Who, others: Iterable[Who], *clauses: object, **more: object) -> State:
    """The table after a deal that everybody accepted."""
    others = [seat_of(game, who) for who in others]
    game = offer(game, proposer, others, *clauses, **more)
    name = newest(game)
    return play(game, *((who, AcceptDeal(deal=name)) for who in others))


def lend(game: State, giver: Who, to: Who, card: str) -> State:
    """The table after a species card was lent for nothing."""
    a, b = seat_of(game, giver), seat_of(game, to)
    return deal(game, a, (b,), Lend(giver=a, to=b, card=card))


def close_trading(game: State) -> State:
    """The table after all but the last undecided seat have said done."""
    for seat in waiting(game)[:-1]:
        game = play(game, (seat, Done()))
    return game


def until(game: State, step: str, turn: int | None = None) -> State:
    """The table at the next time it reaches a step, everybody doing the cautious thing."""
    for _ in range(400):
        if game.step == step and turn in (None, game.turn):
            return game
        game = play(game, (None, TimeUp()))
    raise AssertionError(f"never reached {step}")


def run_economy(game: State, plans: dict[Who, tuple[Run, ...]]) -> State:
    """The table after the Economy Phase with these plans, everybody else running nothing."""
    game = until(game, "plan")
    for seat in game.seats():
        runs = next((r for who, r in plans.items() if seat_of(game, who) == seat), ())
        game = play(game, (seat, LayPlan(runs=runs)))
    return game


def bid(game: State, **ships: tuple[int, int]) -> State:
    """The table with all bids placed (colony, research) by species; everybody else bids nothing."""
    for seat, species in enumerate(game.settings.species):
        colony, research = ships.get(species, (0, 0))
        game = play(game, (seat, PlaceBid(colony=colony, research=research)))
    return game


def why_not(game: State, who: Who | None, action: Action) -> str | None:
    """The code with which an action is refused; None when it is legal."""
    illegal = refusal(game, None if who is None else seat_of(game, who), action)
    return None if illegal is None else illegal.code


def next_turn(game: State) -> State:
    """The table when the next turn's Trade Phase begins; nobody ran a white converter or bid."""
    return until(run_economy(game, {}), "trade")


def pledged(owed: Obligation) -> Any:
    """What a pledge hands over."""
    assert isinstance(owed.clause, Pledge)
    return owed.clause.what


def promise(game: State, n: int = 1) -> str:
    """The id of the nth promise made in the last deal offered."""
    return f"{newest(game)}.{n}"
