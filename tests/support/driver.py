"""A small seeded player over options: legal moves and sensible deals, for games that run by themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from elysian import actions as a
from elysian.deals import (
    ANYONE,
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
    OneOf,
    Pledge,
    Seat,
    Undertake,
)
from elysian.deck import CATALOG
from elysian.events import Event
from elysian.goods import CUBES, LARGE, LARGE_CUBES, NOTHING, SMALL, SMALL_CUBES, Goods
from elysian.options import options
from elysian.payment import colour_paid, suggest
from elysian.rules import IllegalAction, decide, new_game, refusal, waiting
from elysian.rules.clauses import BIDDING
from elysian.rules.confluence import default_bid
from elysian.rules.economy import default_plan
from elysian.rules.paying import colonies_held
from elysian.rules.promises import to_settle
from elysian.state import Edition, Handicap, PlayerState, Run, Settings, State

Move = tuple[Seat | None, a.Action]
Entry = tuple[State, Seat | None, a.Action, tuple[Event, ...], State]

SPECIES = tuple(CATALOG.species)
EDITIONS: tuple[Edition, ...] = ("2017", "2020", "de2021")


def pick(rng: Random, things: Sequence[Any]) -> Any:
    """One of these; only `random()` is asked, which draws the same numbers in every Python."""
    return things[int(rng.random() * len(things))]


def some(rng: Random, things: Sequence[Any], most: int) -> list[Any]:
    """Up to `most` different ones, in any order."""
    left = list(things)
    return [left.pop(int(rng.random() * len(left))) for _ in range(min(most, len(left)))]


def chance(rng: Random, share: float) -> bool:
    """True in this share of cases."""
    return rng.random() < share


def some_settings(rng: Random, players: int | None = None, **fixed: Any) -> Settings:
    """Any line-up of four to nine species with any edition and options."""
    species = tuple(some(rng, SPECIES, players or 4 + int(rng.random() * 6)))
    edition = fixed.get("edition") or pick(rng, EDITIONS)
    handicaps: tuple[Handicap, ...] = ()
    if chance(rng, 0.3):
        colour = None if edition == "de2021" and chance(rng, 0.7) else pick(rng, SMALL)
        handicaps = (Handicap(seat=int(rng.random() * len(species)), cubes=1, colour=colour),)
    chosen = {
        "edition": edition,
        "precise_scoring": chance(rng, 0.3),
        "handicaps": handicaps,
        "private_offers": chance(rng, 0.4),
        "trade_minutes": pick(rng, (None, 8, 10)),
    }
    return Settings(species=species, **{**chosen, **fixed})


def set_up(settings: Settings, seed: int | str) -> State:
    """The table with these settings."""
    names = settings.__struct_fields__
    chosen = {name: getattr(settings, name) for name in names if name not in ("species", "edition")}
    return new_game(settings.species, seed=seed, edition=settings.edition, **chosen)


# ---------------------------------------------------------------- legal moves


def legal_move(state: State, rng: Random) -> Move:
    """Something a seat may do now, mostly a seat the table waits for."""
    waited = waiting(state)
    seat = pick(rng, waited if waited and chance(rng, 0.85) else list(state.seats()))
    open_now = options(state, seat)
    if state.step == "plan" and seat in waited:
        return seat, a.LayPlan(runs=some_plan(state, seat, rng))
    if state.step == "bid" and seat in waited:
        return seat, some_bid(state, seat, rng)
    if state.step == "gifts" and seat in waited:
        return seat, _some_gift(state, seat, rng)
    if state.step == "support" and seat in waited:
        return seat, a.DiscardColonies(
            cards=tuple(some(rng, colonies_held(state.players[seat]), open_now.discard))
        )
    choices = [choice.action for choice in open_now.choices]
    busy = [action for action in choices if not isinstance(action, a.Done | a.NotDone | a.Release | a.Pass)]
    offered = [action for action in choices if isinstance(action, a.AcceptDeal)]
    if offered and chance(rng, 0.5):
        return seat, pick(rng, offered)
    if state.step == "trade" and chance(rng, 0.1):
        return seat, a.LayPlan(runs=some_plan(state, seat, rng), ready=False)
    if busy and chance(rng, 0.8):
        return seat, pick(rng, busy)
    if choices:
        return seat, pick(rng, choices)
    return None, a.TimeUp()


def some_plan(state: State, seat: Seat, rng: Random) -> tuple[Run, ...]:
    """White converters that can all run at once, chosen at random."""
    player = state.players[seat]
    stock = player.stock + Goods(point=max(0, player.score))
    runs: tuple[Run, ...] = ()
    offered = options(state, seat).runs
    for choice in some(rng, offered, 12):
        cost = int(rng.random() * len(choice.printed.costs))
        pay = suggest(choice.printed.costs[cost], stock)
        if pay is None or not stock.covers(pay):
            continue
        colour = None
        if choice.printed.same and colour_paid(pay) is None and chance(rng, 0.9):
            colour = pick(rng, SMALL if choice.printed.costs[cost].same_small else LARGE)
        run = Run(card=choice.card, converter=choice.converter, cost=cost, pay=pay, colour=colour)
        for _ in range(choice.times):
            if _fits(state, seat, (*runs, run)) and stock.covers(pay):
                runs, stock = (*runs, run), stock - pay
    # Now and then a seat forgets what it promised to run, and the table reminds it.
    if state.step == "plan" and chance(rng, 0.8) and refusal(state, seat, a.LayPlan(runs=runs)):
        return default_plan(state, seat)
    return runs


def _fits(state: State, seat: Seat, runs: tuple[Run, ...]) -> bool:
    if state.step == "plan":
        illegal = refusal(state, seat, a.LayPlan(runs=runs))
        return illegal is None or illegal.code == "keep_your_word"
    return True


def some_bid(state: State, seat: Seat, rng: Random) -> a.PlaceBid:
    """A split of the ships that the seat has not promised away."""
    ships = state.players[seat].stock.ship
    colony = int(rng.random() * (ships + 1))
    action = a.PlaceBid(colony=colony, research=int(rng.random() * (ships - colony + 1)))
    return action if refusal(state, seat, action) is None else default_bid(state, seat)


def _some_gift(state: State, seat: Seat, rng: Random) -> a.GiveGifts:
    player = state.players[seat]
    to = pick(rng, [other for other in state.seats() if other != seat])
    if player.tied_to is not None:
        to = player.tied_to
    goods = player.to_give_away
    if player.tied_to is None and player.donation and chance(rng, 0.5):
        goods = pick(rng, player.donation.units())
    elif player.tied_to is not None:
        goods = player.tied
    return a.GiveGifts(gifts=(a.Gift(to=to, goods=goods),))


# ---------------------------------------------------------------- deals


def some_deal(state: State, rng: Random) -> Move:
    """An offer that makes sense: real parties, things that are there; not always one that can be struck."""
    seats = list(state.seats())
    proposer = pick(rng, seats)
    others = some(rng, [seat for seat in seats if seat != proposer], 1 + int(rng.random() * 1.4))
    if state.step in ("settle", "window"):
        return _compensation(state, proposer, rng)
    if chance(rng, 0.15):
        others[-1] = ANYONE
    parties = (proposer, *others)
    clauses = tuple(
        some_clause(state, parties, rng, bidding=state.step in BIDDING)
        for _ in range(1 + int(rng.random() * 3))
    )
    settles: tuple[str, ...] = ()
    if ANYONE not in parties and chance(rng, 0.15):
        settles = tuple(o.id for o in state.obligations.values() if set(o.parties) <= set(parties))[:2]
    answers = pick(rng, list(state.deals)) if state.deals and chance(rng, 0.1) else None
    return proposer, a.ProposeDeal(parties=parties, clauses=clauses, settles=settles, answers=answers)


def _compensation(state: State, seat: Seat, rng: Random) -> Move:
    owed = to_settle(state) or list(state.obligations.values())
    if not owed:
        return seat, a.Done()
    due = pick(rng, owed)
    clause = Give(giver=due.debtor, to=due.creditor, goods=_some_goods(state.players[due.debtor].stock, rng))
    proposer = pick(rng, (due.debtor, due.debtor, due.creditor))
    return proposer, a.ProposeDeal(
        parties=(proposer, *(p for p in due.parties if p != proposer)),
        clauses=(clause,),
        settles=(due.id,),
    )


def some_clause(state: State, parties: tuple[Seat, ...], rng: Random, bidding: bool) -> Any:
    """One clause of any kind."""
    giver, to = some(rng, parties, 2)
    if bidding:
        return _about_bids(state, giver, to, rng)
    kind = rng.random()
    if kind < 0.45:
        return _give(state, giver, to, rng)
    if kind < 0.6:
        return _lend(state, giver, to, rng)
    if kind < 0.65:
        return License(giver=giver, to=to, technology=_technology(state, giver, rng))
    if kind < 0.82:
        return _pledge(state, giver, to, rng)
    if kind < 0.9:
        return Undertake(
            to=to,
            deed=_deed(state, giver, rng),
            turn=state.turn + int(rng.random() * 2),
            by=pick(rng, ("trade", "economy", "confluence")),
        )
    if kind < 0.97:
        return _forbear(state, giver, to, rng)
    return Note(text="I owe you one")


def _about_bids(state: State, giver: Seat, to: Seat, rng: Random) -> Any:
    if chance(rng, 0.6):
        return _forbear(state, giver, to, rng)
    on_track = [card for card in (*state.colony_track, *state.research_track) if card is not None]
    card = pick(rng, on_track)
    if chance(rng, 0.5):
        deed = Deed(who=giver, verb="buy", subject=card)
        if chance(rng, 0.5):
            deed = _bidding(giver, rng)
        return Undertake(to=to, deed=deed, turn=state.turn, by="confluence")
    what = Give(giver=to, to=giver, goods=Goods(ship=1), cards=())
    return Pledge(what=what, due=state.turn + 1, only_if=Deed(who=giver, verb="buy", subject=card))


def _player(state: State, seat: Seat) -> PlayerState:
    return state.players[max(seat, 0)]


def _some_goods(goods: Goods, rng: Random) -> Goods:
    units = [unit for unit in goods.units() if not unit.envoy] or [Goods(green=1)]
    total = NOTHING
    for unit in some(rng, units, 1 + int(rng.random() * 3)):
        total = total + unit
    return total


def _give(state: State, giver: Seat, to: Seat, rng: Random) -> Give:
    player = _player(state, giver)
    cards = [c for c, held in player.cards.items() if held.owner is None]
    if cards and chance(rng, 0.25):
        return Give(giver=giver, to=to, cards=(pick(rng, cards),))
    if player.to_give_away and chance(rng, 0.6):
        return Give(giver=giver, to=to, donation=pick(rng, (player.to_give_away, player.donation)))
    stock = player.stock
    if player.species != "faderan" and stock.acknowledgement:
        stock = stock - Goods(acknowledgement=stock.acknowledgement)
    return Give(giver=giver, to=to, goods=_some_goods(stock, rng))


def _lend(state: State, giver: Seat, to: Seat, rng: Random) -> Lend | Give:
    cards = [c for c, h in _player(state, giver).cards.items() if h.owner is not None]
    cards = [c for c in cards if CATALOG.cards[c].tradable]
    return Lend(giver=giver, to=to, card=pick(rng, cards)) if cards else _give(state, giver, to, rng)


def _technology(state: State, giver: Seat, rng: Random) -> str:
    own = [CATALOG.cards[card].research for card in _player(state, giver).invented]
    known = [research.technology for research in own if research and research.technology]
    return pick(rng, known or list(CATALOG.technologies))


def _pledge(state: State, giver: Seat, to: Seat, rng: Random) -> Pledge:
    kind = rng.random()
    what: Any
    if kind < 0.15:
        what = _choice(giver, to, rng)
    elif kind < 0.6:
        card = pick(rng, [c for c in (*state.colony_track, *state.research_track) if c] or ["colony.regulus"])
        cards = (card,) if chance(rng, 0.2) else ()
        what = Give(giver=giver, to=to, goods=_some_goods(_player(state, giver).stock, rng), cards=cards)
    elif kind < 0.85:
        what = _lend(state, giver, to, rng)
    else:
        what = License(giver=giver, to=to, technology=_technology(state, giver, rng))
    only_if = _deed(state, pick(rng, (giver, to)), rng) if chance(rng, 0.3) else None
    at = pick(rng, ("start", "close"))
    return Pledge(what=what, due=state.turn + int(rng.random() * 2), at=at, only_if=only_if)


def _choice(giver: Seat, to: Seat, rng: Random) -> OneOf:
    lots = []
    for _ in range(1 + int(rng.random() * 2)):
        kinds = pick(rng, (SMALL_CUBES, LARGE_CUBES, CUBES, ("white", "blue"), ()))
        goods = NOTHING if kinds else Goods(**{pick(rng, ("ultratech", "ship", "green")): 1})
        lots.append(Lot(goods=goods, cubes=1 + int(rng.random() * 3) if kinds else 0, kinds=kinds))
    return OneOf(giver=giver, to=to, lots=tuple(lots), chosen_by=pick(rng, ("debtor", "creditor")))


def _bidding(who: Seat, rng: Random) -> Deed:
    return Deed(
        who=who, verb="bid", subject=pick(rng, ("colony", "research")), least=1 + int(rng.random() * 3)
    )


def _deed(state: State, who: Seat, rng: Random) -> Deed:
    player = _player(state, who)
    verb: Any = pick(rng, ("run", "invent", "upgrade", "buy", "enter", "bid"))
    if verb == "bid":
        return _bidding(who, rng)
    enters = [card for card in player.deck if (e := CATALOG.cards[card].entry) and e.cost is not None]
    if verb == "enter" and enters:
        return Deed(who=who, verb=verb, subject=pick(rng, enters))
    verb = "run" if verb == "enter" else verb
    if verb == "invent" and chance(rng, 0.7):
        teams = [r.technology or c for c in player.cards if (r := CATALOG.cards[c].research)]
        if teams:
            return Deed(who=who, verb=verb, subject=pick(rng, teams))
    if verb == "invent":
        return Deed(who=who, verb=verb, subject=_technology(state, who, rng))
    if verb == "buy":
        on_track = [c for c in (*state.colony_track, *state.research_track) if c]
        return Deed(who=who, verb=verb, subject=pick(rng, on_track or ["colony.regulus"]))
    return Deed(who=who, verb=verb, subject=pick(rng, list(player.cards) or ["colony.regulus"]))


def _forbear(state: State, who: Seat, to: Seat, rng: Random) -> Forbear:
    on_track = [c for c in (*state.colony_track, *state.research_track) if c] or ["colony.regulus"]
    what = pick(
        rng,
        (
            NoSteal(target=to),
            NoTake(card=pick(rng, on_track)),
            NoBid(track=pick(rng, ("colony", "research")), most=int(rng.random() * 3)),
            NoTrade(partner=pick(rng, [seat for seat in state.seats() if seat != who])),
            NoHand(card=pick(rng, list(_player(state, who).cards)), but=pick(rng, (None, to))),
            NoLicense(technology=_technology(state, who, rng), but=pick(rng, (None, to))),
            NoInvent(subject=_technology(state, who, rng)),
        ),
    )
    return Forbear(who=who, to=to, what=what, until=state.turn + int(rng.random() * 2))


# ---------------------------------------------------------------- whole games


def any_move(state: State, rng: Random, clock: float = 0.05) -> Move:
    """A legal move, now and then a deal, now and then the clock."""
    luck = rng.random()
    if luck < clock:
        return None, a.TimeUp()
    if luck < clock + 0.25 and state.step in ("trade", "settle", *BIDDING):
        return some_deal(state, rng)
    return legal_move(state, rng)


def game(settings: Settings, seed: int | str, moves: int, clock: float = 0.05) -> Iterator[Entry]:
    """A game of random moves, entry by entry; refused moves are left out."""
    rng = Random(f"driver/{seed}")
    state = set_up(settings, seed)
    for _ in range(moves):
        if state.step == "over":
            return
        seat, action = any_move(state, rng, clock)
        try:
            events, after = decide(state, seat, action)
        except IllegalAction:
            continue
        yield state, seat, action, events, after
        state = after
