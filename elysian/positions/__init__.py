"""Positions: a table arranged as one wants it, for a test, a puzzle or a study.

`arrange` begins with a game that has just been set up and changes what is named; `rearrange` does the same
to any table. What is not named stays as it was. A table no game could come to is refused with
ImpossiblePosition, whose sentence says why. Promises, plans, bids and who is done are put to the rules
themselves: what they refuse is refused here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Unpack, get_args

from msgspec.structs import replace

from elysian.actions import AcceptDeal, Action, Done, LayPlan, PlaceBid, ProposeDeal
from elysian.deals import Binding, Forbear, Pledge, Seat, Undertake, sides
from elysian.deck import CATALOG
from elysian.draft import IllegalAction
from elysian.goods import KINDS, NOTHING, Goods
from elysian.messages import sentence
from elysian.positions.area import Area, Areas, Changes, ImpossiblePosition, Placed, Promise
from elysian.positions.layout import Layout, check_cards
from elysian.rules import decide, new_game, waiting
from elysian.rules.economy import over_support
from elysian.species import rules_of
from elysian.state import TURNS, PlayerState, State, Step

SEEDLINGS = 6  # tokens in the box (CAY-6)
AUCTIONS = ("colony_auction", "research_auction")


def arrange(
    species: Sequence[str],
    *,
    seed: int | str = 1,
    bare: bool = False,
    options: Mapping[str, Any] = {},
    **what: Unpack[Changes],
) -> State:
    """A table for these species, seat by seat, set up with `seed` and then changed.

    `bare` begins without goods, colonies and research teams; `options` are those of Settings. Raises
    ImpossiblePosition.
    """
    try:
        game = new_game(tuple(species), seed=seed, **options)
    except IllegalAction as illegal:
        known = [name for name in species if name in CATALOG.species]
        raise ImpossiblePosition(sentence(illegal, known)) from None
    if bare:
        game = rearrange(game, seats={seat: _emptied(player) for seat, player in enumerate(game.players)})
    return rearrange(game, **what)


def _emptied(player: PlayerState) -> Area:
    kept = [card for card in player.cards if CATALOG.cards[card].kind not in ("colony", "research")]
    return Area(goods=NOTHING, cards=kept)


def rearrange(game: State, **what: Unpack[Changes]) -> State:
    """The table with what is named changed; raises ImpossiblePosition."""
    if unknown := what.keys() - Changes.__annotations__:
        raise TypeError(f"nothing of a table is called {', '.join(sorted(unknown))}")
    game = _moment(game, what.get("turn"), what.get("step"))
    areas = _areas(game, what.get("seats", {}))
    layout = Layout(game)
    layout.lay(areas, what)
    game = _stocks(layout.state(), areas)
    check_cards(game)
    _check_tokens(game)
    if "promises" in what:
        game = _promised(replace(game, obligations={}), what["promises"])
    game = _answered(game, areas)
    _check_moment(game)
    return game


def _areas(game: State, seats: Areas) -> dict[Seat, Area]:
    areas: dict[Seat, Area] = {}
    for who, area in seats.items():
        seat = game.seat_of(who) if isinstance(who, str) else who
        if seat is None or seat not in game.seats():
            raise ImpossiblePosition(f"Nobody at this table is {who!r}.")
        if seat in areas:
            raise ImpossiblePosition(f"The seat of {who!r} is named twice.")
        areas[seat] = area
    return areas


# ---------------------------------------------------------------- when


def _moment(game: State, turn: int | None, step: Step | None) -> State:
    """The table at another moment: what was said and done in the one it left is gone."""
    if turn is not None and not (type(turn) is int and 1 <= turn <= TURNS):
        raise ImpossiblePosition(f"There is no turn {turn}: a game has turns 1 to {TURNS}.")
    if step is not None and step not in get_args(Step):
        raise ImpossiblePosition(f"There is no step {step!r}: it is one of {', '.join(get_args(Step))}.")
    if step in ("over", *AUCTIONS):
        raise ImpossiblePosition(
            f"The step {step!r} cannot be arranged: arrange the one before it, and play on."
        )
    if turn is not None and turn != game.turn:
        game = replace(game, turn=turn, ran=frozenset(), traded=frozenset(), robbed=frozenset(), invented=())
        game = _silent(game)
    if step is not None and step != game.step:
        game = replace(_silent(game), step=step)
    return game


def _silent(game: State) -> State:
    return replace(game, deals={}, done=frozenset(), plans={}, bids={}, queue=(), scores=())


def _check_moment(game: State) -> None:
    """Somebody is waited for, or the table would already have gone on."""
    if not waiting(game) or (game.step == "trade" and len(game.done) >= len(game.players) - 1):
        raise ImpossiblePosition(f"The step {game.step!r} would be over: nobody is waited for.")
    if game.step == "plan":
        for player in game.players:
            if over := over_support(player):
                name = CATALOG.species[player.species].name
                raise ImpossiblePosition(f"{name} must give up {over} colonies before it can lay a plan.")
    for owed in game.obligations.values():
        if _is_past(game, owed.clause):
            raise ImpossiblePosition(f"The time of the promise {owed.id} is over.")


def _is_past(game: State, clause: Binding) -> bool:
    """Whether a promise would have been kept or broken by now."""
    match clause:
        case Pledge():
            return clause.due < game.turn + (game.phase != "trade")
        case Undertake():
            if clause.by == "trade":
                return clause.turn < game.turn + (game.phase != "trade")
            # A deed of a later phase that was not done waits for the settlement of the next turn (TRADE-11).
            return clause.turn < game.turn - (game.step in ("trade", "settle"))
        case Forbear():
            return clause.until < game.turn


# ---------------------------------------------------------------- goods


def _stocks(game: State, areas: Mapping[Seat, Area]) -> State:
    for seat, area in areas.items():
        player = game.players[seat]
        name = CATALOG.species[player.species].name
        if area.goods is not None:
            _check_goods(area.goods, f"the stock of {name}", "point")
            player = replace(player, stock=area.goods)
        if area.donation is not None:
            _check_goods(area.donation, f"what {name} must give away", "envoy", "acknowledgement")
            player = replace(player, donation=area.donation, tied=NOTHING, tied_to=None)
        if area.score is not None:
            player = replace(player, score=area.score)
        game = game.with_player(seat, player)
    return _tokens_returned(game, areas)


def _check_goods(goods: Goods, where: str, *never: str) -> None:
    for kind in KINDS:
        if getattr(goods, kind) < 0:
            raise ImpossiblePosition(f"There are less than no {kind} in {where}.")
        if kind in never and getattr(goods, kind):
            more = " Points are its score." if kind == "point" else ""
            raise ImpossiblePosition(f"There is no {kind} in {where}.{more}")


def _tokens_returned(game: State, areas: Mapping[Seat, Area]) -> State:
    """Acknowledgements are always all at the table: the rest lies with the species that hands them out."""
    for seat, player in enumerate(game.players):
        total = CATALOG.species[player.species].stock_in(game.settings.edition).acknowledgement
        if total:
            rest = total - sum(other.stock.acknowledgement for other in game.players if other is not player)
            stated = areas[seat].goods if seat in areas else None
            if rest < 0 or (stated is not None and stated.acknowledgement not in (0, rest)):
                raise ImpossiblePosition(
                    f"There are {total} acknowledgements at the table, no more and no less."
                )
            stock = replace(player.stock, acknowledgement=rest)
            game = game.with_player(seat, replace(player, stock=stock))
    return game


def _check_tokens(game: State) -> None:
    """Of some tokens there are only so many, and only where their species plays."""
    printed = [CATALOG.species[player.species] for player in game.players]
    held = sum((player.stock for player in game.players), NOTHING)
    envoys = sum(facts.supply.envoy for facts in printed)
    if held.envoy > envoys:
        raise ImpossiblePosition(f"There are {envoys} envoys at this table, not {held.envoy}.")
    if held.acknowledgement and not any(facts.stock.acknowledgement for facts in printed):
        raise ImpossiblePosition("Nobody at this table hands out acknowledgements.")
    seedlings = sum(card.seedling for player in game.players for card in player.cards.values())
    most = SEEDLINGS if any(rules_of(player.species).settles_with_seedling for player in game.players) else 0
    if seedlings > most:
        raise ImpossiblePosition(f"There are {most} seedlings at this table, not {seedlings}.")


# ---------------------------------------------------------------- what the rules judge


def _asked(game: State, seat: Seat, action: Action, what: str) -> State:
    """The table after an action; the rules say why it cannot be."""
    try:
        return decide(game, seat, action)[1]
    except IllegalAction as illegal:
        said = sentence(illegal, game.settings.species)
        raise ImpossiblePosition(f"{what}: {said}") from None


def _promised(game: State, promises: Sequence[Binding | Promise]) -> State:
    """The table with these promises standing; each is agreed on in the turn it was made in."""
    for given in promises:
        promise = given if isinstance(given, Promise) else Promise(given)
        made = game.turn if promise.made is None else promise.made
        debtor, creditor = sides(promise.clause)
        if debtor == creditor or not {debtor, creditor} <= set(game.seats()):
            raise ImpossiblePosition("A promise is made by one seat of the table to another.")
        if not 1 <= made <= game.turn:
            raise ImpossiblePosition(f"In turn {game.turn} no promise can have been made in turn {made}.")
        then = replace(_silent(game), turn=made, step="trade")
        what = f"The promise {promise.clause}"
        offer = ProposeDeal(parties=(debtor, creditor), clauses=(promise.clause,))
        then = _asked(then, debtor, offer, what)
        then = _asked(then, creditor, AcceptDeal(deal=f"d{then.made}"), what)
        game = replace(game, obligations=then.obligations, made=then.made)
    return game


def _answered(game: State, areas: Mapping[Seat, Area]) -> State:
    """The table after what seats have answered in this step; it must still be this step."""
    step = game.step
    for seat, area in areas.items():
        for action in _answers(area):
            name = CATALOG.species[game.players[seat].species].name
            game = _asked(game, seat, action, f"{name} cannot have answered so in the step {step!r}")
            if game.step != step:
                raise ImpossiblePosition(f"The step {step!r} would be over: nobody is waited for.")
    return game


def _answers(area: Area) -> Iterator[Action]:
    if area.plan is not None:
        yield LayPlan(runs=tuple(area.plan))
    if area.bid is not None:
        yield PlaceBid(*area.bid)
    if area.done:
        yield Done()


__all__ = ["Area", "Changes", "ImpossiblePosition", "Placed", "Promise", "arrange", "rearrange"]
