"""The Economy Phase: colony support, plans, and all white converters at once."""

from __future__ import annotations

from msgspec import Struct

from elysian.actions import DiscardColonies, LayPlan
from elysian.book_value import book
from elysian.deals import CardId, Seat
from elysian.deck import CATALOG
from elysian.deeds import awaited, deed_done
from elysian.draft import Draft, IllegalAction
from elysian.events import ColoniesDiscarded, DoneTakenBack, PlanLaid, PlanSaved, ProductionRun
from elysian.goods import LARGE, NOTHING, SMALL, Goods
from elysian.payment import colour_paid, comes_out, fits_colour, suggest
from elysian.rules.duties import duties, leads
from elysian.rules.paying import colonies_held, converters_of, discarded, fleets_of, payment, short_of
from elysian.rules.promises import with_mate
from elysian.state import TURNS, Held, PlayerState, Run, State

MOST_RUNS = 99
_SUPPORTING = frozenset(  # few cards do, and every area is asked for every view
    card.id
    for card in CATALOG.cards.values()
    if any(face.support for face in (card.front, card.back) if face)
)


# ---------------------------------------------------------------- colony support


def colony_support(player: PlayerState) -> float:
    """How many colonies a seat may keep: its board's number and what cards it holds add (ECON-1)."""
    support = CATALOG.species[player.species].support
    for card in _SUPPORTING:
        if card in player.cards:
            support += CATALOG.cards[card].face(player.cards[card].flipped).support
    return support


def over_support(player: PlayerState) -> int:
    """How many colonies a seat must give up."""
    colonies = len(colonies_held(player))
    if colonies <= CATALOG.species[player.species].support:
        return 0  # cards only ever add
    support = colony_support(player)
    return 0 if colonies <= support else int(colonies - support)


def discard_colonies(now: Draft, seat: Seat, action: DiscardColonies) -> None:
    """The seat chooses which colonies to give up, down to its support (ECON-1, ECON-2)."""
    if now.state.step != "support":
        raise IllegalAction("wrong_step", step=now.state.step)
    player = now.state.players[seat]
    if not set(action.cards) <= set(colonies_held(player)) or len(set(action.cards)) != len(action.cards):
        raise IllegalAction("not_your_colony", card=", ".join(map(str, action.cards)))
    if len(action.cards) != over_support(player):
        raise IllegalAction("discard_exactly", count=over_support(player))
    if not action.cards:
        raise IllegalAction("nothing_to_do")
    if any(over_support(earlier) for earlier in now.state.players[:seat]):
        raise IllegalAction("not_waited_for")
    _discard(now, seat, action.cards)


def _discard(now: Draft, seat: Seat, cards: tuple[CardId, ...]) -> None:
    paid = discarded(cards, NOTHING)
    now.emit(ColoniesDiscarded(by=seat, under=paid.under, removed=paid.removed))


def discard_by_default(now: Draft, seat: Seat) -> None:
    """Time is up: the latest colonies go first, those terraformed or with a seedling last."""
    player = now.state.players[seat]
    latest_first = colonies_held(player)[::-1]
    order = sorted(latest_first, key=lambda card: player.cards[card].flipped or player.cards[card].seedling)
    _discard(now, seat, tuple(order[: over_support(player)]))


# ---------------------------------------------------------------- plans


class Produced(Struct, frozen=True):
    """What a plan takes and makes."""

    paid: Goods
    gain: Goods
    donation: Goods
    tied: Goods


def lay_plan(now: Draft, seat: Seat, action: LayPlan) -> None:
    """A plan may be saved from the Trade Phase on and changed until everyone is ready (ECON-12)."""
    state = now.state
    if state.phase not in ("trade", "economy"):
        raise IllegalAction("wrong_step", step=state.step)
    if len(action.runs) > MOST_RUNS:
        raise IllegalAction("plan_too_long", most=MOST_RUNS)
    for run in action.runs:
        if run.card not in CATALOG.cards:
            raise IllegalAction("unknown_card", card=str(run.card))
        if run.pay is not None and not run.pay.is_count():
            raise IllegalAction("bad_quantity")
        if run.colour is not None and run.colour not in (*SMALL, *LARGE):
            raise IllegalAction("wrong_colour", card=run.card)
    if state.step != "plan" and action.ready:
        raise IllegalAction("only_saved", step=state.step)
    if action.ready:
        judge(state, seat, action.runs)
        check_promised(state, seat, action.runs)
        now.emit(PlanLaid(by=seat, runs=action.runs))
        return
    now.emit(PlanSaved(by=seat, runs=action.runs))
    if seat in state.done and state.step == "plan":
        now.emit(DoneTakenBack(by=seat))


def judge(state: State, seat: Seat, runs: tuple[Run, ...]) -> Produced:
    """What the runs take and make together; raises unless all of them can run at once (ECON-4)."""
    player = state.players[seat]
    paid = gain = donation = tied = NOTHING
    times: dict[tuple[CardId, int], int] = {}
    for run in runs:
        held = player.cards.get(run.card)
        if held is None:
            raise IllegalAction("not_your_card", card=str(run.card))
        converter = run.card, run.converter
        times[converter] = times.get(converter, 0) + 1
        if times[converter] > (2 if held.seedling else 1):
            raise IllegalAction("already_ran", card=run.card)
        once = _run_once(player, seat, held, run)
        paid, gain = paid + once.paid, gain + once.gain
        donation, tied = donation + once.donation, tied + once.tied
    if not player.can_pay(paid):
        raise IllegalAction("lacks_goods", seat=seat, goods=short_of(player, paid))
    _check_fleets(player, {card for card, _ in times})
    if tied.envoy:
        tied = _within_supply(state, tied)
    if state.turn == TURNS:
        # In the last turn producers keep what would have been donated (END-2).
        return Produced(paid=paid, gain=gain + donation + tied, donation=NOTHING, tied=NOTHING)
    return Produced(paid=paid, gain=gain, donation=donation, tied=tied)


def _run_once(player: PlayerState, seat: Seat, held: Held, run: Run) -> Produced:
    """One complete input, one complete output (ECON-5)."""
    converters = converters_of(player.cards, run.card)
    if not 0 <= run.converter < len(converters) or converters[run.converter].when != "economy":
        raise IllegalAction("no_such_converter", card=run.card)
    if CATALOG.cards[run.card].lent_only and held.owner == seat:
        raise IllegalAction("only_others_run_it", card=run.card)
    converter = converters[run.converter]
    if not 0 <= run.cost < len(converter.costs):
        raise IllegalAction("no_such_cost", card=run.card)
    cost = converter.costs[run.cost]
    pay = payment(run.card, cost, run.pay)
    if run.colour is not None:
        if not (converter.same and fits_colour(cost, run.colour) and colour_paid(pay) in (None, run.colour)):
            raise IllegalAction("wrong_colour", card=run.card)
    elif converter.same and colour_paid(pay) is None and len(pay) < converter.same:
        raise IllegalAction("name_the_colour", card=run.card)
    donate = converter.donate
    return Produced(
        paid=pay,
        gain=comes_out(converter, cost, pay, run.colour),
        donation=NOTHING if converter.to_one else donate,
        tied=donate if converter.to_one else NOTHING,
    )


def _check_fleets(player: PlayerState, running: set[CardId]) -> None:
    """Each support symbol serves one card face; one face switches on all its converters (IMD-2, IMD-6)."""
    needed = 0
    for card in running:
        needed += CATALOG.cards[card].face(player.cards[card].flipped).fleets_needed
    if not needed:
        return
    there = fleets_of(player.cards)
    if needed > there:
        raise IllegalAction("too_few_fleets", needed=needed, there=there)


def _within_supply(state: State, made: Goods) -> Goods:
    """If no envoy is left the converter runs without that output (ZETH-8)."""
    supply = max(CATALOG.species[species].supply.envoy for species in state.settings.species)
    out = sum(p.stock.envoy + p.donation.envoy + p.tied.envoy for p in state.players)
    return made - Goods(envoy=max(0, made.envoy - max(0, supply - out)))


def check_promised(state: State, seat: Seat, runs: tuple[Run, ...]) -> None:
    """A plan contains every run that was promised and can be paid beside the others promised (TRADE-10)."""
    owing = duties(state, seat, "run")
    if not owing:
        return
    cards = {leads(deed.subject) for _, deed in owing}
    inside = tuple(run for run in runs if run.card in cards)
    for owed, deed in owing:
        if any(run.card == leads(deed.subject) for run in inside):
            continue
        run = _cheapest_run(state, seat, inside, leads(deed.subject))
        if run is not None:
            raise IllegalAction("keep_your_word", obligation=owed.id, deed=LayPlan(runs=(*inside, run)))


def _cheapest_run(state: State, seat: Seat, runs: tuple[Run, ...], card: CardId) -> Run | None:
    """A run of a card that can be paid beside others, for the least by the reference card."""
    player = state.players[seat]
    if card not in player.cards:
        return None
    paid = judge(state, seat, runs).paid
    left = player.stock + Goods(point=max(0, player.score)) - paid
    found: list[tuple[int, int, Run]] = []
    for n, converter in enumerate(converters_of(player.cards, card)):
        for alternative, cost in enumerate(converter.costs):
            pay = suggest(cost, left)
            if pay is None:
                continue
            colours = SMALL if cost.same_small else LARGE
            colour = colours[0] if converter.same and colour_paid(pay) is None else None
            run = Run(card=card, converter=n, cost=alternative, pay=pay, colour=colour)
            if _can_run(state, seat, (*runs, run)):
                found.append((book(pay), len(found), run))
    return min(found)[2] if found else None


def _can_run(state: State, seat: Seat, runs: tuple[Run, ...]) -> bool:
    try:
        judge(state, seat, runs)
    except IllegalAction:
        return False
    return True


def default_plan(state: State, seat: Seat) -> tuple[Run, ...]:
    """Time is up: what was promised, and the plan as last saved, less what no longer fits.

    Without a plan, what costs nothing.
    """
    player = state.players[seat]
    wanted = state.plans.get(seat)
    if wanted is None:
        wanted = tuple(
            Run(card=card, converter=n)
            for card, held in player.cards.items()
            for n, converter in enumerate(converters_of(player.cards, card))
            if converter.when == "economy" and converter.costs[0].is_free()
            for _ in range(2 if held.seedling else 1)
        )
    kept = _promised_runs(state, seat, wanted)
    for run in wanted:
        if kept.count(run) < wanted.count(run) and _can_run(state, seat, (*kept, run)):
            kept = (*kept, run)
    return kept


def _promised_runs(state: State, seat: Seat, wanted: tuple[Run, ...]) -> tuple[Run, ...]:
    """The runs a seat has promised, as it wanted them or else for the least, as far as they can be paid."""
    kept: tuple[Run, ...] = ()
    for _, deed in duties(state, seat, "run"):
        card = leads(deed.subject)
        if any(run.card == card for run in kept):
            continue
        mine = next((r for r in wanted if r.card == card and _can_run(state, seat, (*kept, r))), None)
        run = mine or _cheapest_run(state, seat, kept, card)
        kept = kept if run is None else (*kept, run)
    return kept


def produce(now: Draft) -> None:
    """All converters of all players run at the same moment (ECON-4)."""
    for seat in now.state.seats():
        runs = now.state.plans.get(seat, ())
        made = judge(now.state, seat, runs)
        now.emit(
            ProductionRun(
                by=seat,
                runs=runs,
                paid=made.paid,
                gain=made.gain,
                donation=made.donation,
                tied=made.tied,
            )
        )
        if awaited(now.state, seat, "run"):
            # Who runs a pair runs both halves (KIT-1).
            for card in dict.fromkeys(half for run in runs for half in with_mate(run.card)):
                deed_done(now, seat, "run", card)
