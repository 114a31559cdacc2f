"""Every card of the box: whatever it prints can be paid and puts out what it says."""

from itertools import product

import pytest
from msgspec.structs import replace

from elysian.actions import Invent, LayPlan, PutIntoPlay, RunConverter, Steal, UpgradeCard
from elysian.catalog import Cost, pair_converter
from elysian.deck import CATALOG
from elysian.goods import Goods
from elysian.state import Run
from tests.support.table import change, hold, play, player, seat_of, stock, table, why_not

CARDS = CATALOG.cards
NINE = tuple(CATALOG.species)
BASE = table(*NINE)
FLEET = "imdril.fleet_3"
NO_EFFECT = "relic.library_of_entelechy"  # a relic world that does nothing when it arrives


# ---------------------------------------------------------------- what is printed


def sides(card):
    """Front, and back if there is one to play."""
    return (False, True) if card.back is not None and card.research is None else (False,)


def showing(card):
    """Each way a card can lie, with its converters: for a pair, each side of either half."""
    if card.mate is None:
        for flipped in sides(card):
            yield {card.id: flipped}, card.face(flipped).converters
    elif card.leads:
        mate = CARDS[card.mate]
        for lead, other in product(sides(card), sides(mate)):
            yield {card.id: lead, mate.id: other}, (pair_converter(card.face(lead), mate.face(other)),)


def printed(card, when):
    """Each converter with this arrow: how the card lies, the number, the converter, and each input set."""
    for lying, converters in showing(card):
        for n, converter in enumerate(converters):
            if converter.when == when:
                for alternative, cost in enumerate(converter.costs):
                    yield lying, n, converter, alternative, cost


WHITE = [name for name, card in CARDS.items() if any(printed(card, "economy"))]
VIOLET = [name for name, card in CARDS.items() if any(printed(card, "trade"))]
RED = [name for name, card in CARDS.items() if any(printed(card, "steal"))]
ENTERING = [name for name, card in CARDS.items() if card.entry is not None and card.entry.cost is not None]
RELICS = list(CATALOG.relics)
UPGRADED = [name for name, card in CARDS.items() if card.upgrades]
TEAMS = [name for name, card in CARDS.items() if card.research is not None]


# ---------------------------------------------------------------- what is given


def exactly(cost):
    """What is printed, its any-colour icons in mixed colours and its one-colour icons in one."""
    mixed = Goods(
        white=cost.any_small // 2,
        green=cost.any_small - cost.any_small // 2,
        blue=cost.any_large // 2,
        black=cost.any_large - cost.any_large // 2,
    )
    return cost.goods + mixed + Goods(brown=cost.same_small, yellow=cost.same_large)


def named(cost):
    """The payment to name: none where the printed goods leave no choice."""
    return None if replace(cost, colonies=(), envoys=0) == Cost(goods=cost.goods) else exactly(cost)


def holder_of(card):
    """Who runs a card: its species, somebody else where the owner may not or there is none."""
    return "kit" if card.species is None or card.lent_only else card.species


def giving(game, who, goods):
    """The table with exactly these goods before a seat; points in its score."""
    return change(stock(game, who, replace(goods, point=0)), who, score=goods.point)


def colonies_for(cost, card):
    """Different colonies with the climates that are printed."""
    chosen: list[str] = []
    for climate, count in cost.colonies:
        fitting = [
            name
            for name in CATALOG.colonies
            if name not in (*chosen, card) and climate in ("any", CARDS[name].front.climate)
        ]
        chosen += fitting[:count]
    return tuple(chosen)


def one_less(goods):
    """The goods less one piece, for each kind of piece."""
    return [goods - Goods(**{kind: 1}) for kind, _ in goods.items()]


def lay(game, who, lying):
    """The table with cards lying as said before a seat."""
    for name, flipped in lying.items():
        game = hold(game, who, name, flipped=flipped)
    return game


def assert_has(area, goods, donation=Goods()):  # noqa: B008 - frozen
    """Everything a seat has, points in the score, and on its donation card."""
    assert replace(area.stock, acknowledgement=0) == replace(goods, point=0)
    assert area.score == goods.point
    assert area.to_give_away == donation


# ---------------------------------------------------------------- converters


@pytest.mark.parametrize("name", WHITE)
def test_a_white_converter_takes_what_is_printed_and_makes_what_is_printed(name):
    """ECON-4, ECON-5, ECON-6, ECON-11, DON-1, UPG-3, UPG-4, IMD-2, KIT-1, ENI-3."""
    card = CARDS[name]
    who = holder_of(card)
    others = frozenset(BASE.seats()) - {seat_of(BASE, who)}
    for lying, n, converter, alternative, cost in printed(card, "economy"):
        game = lay(replace(BASE, step="plan", done=others), who, lying)
        if card.face(lying[name]).fleets_needed:
            game = hold(game, who, FLEET)
        plan = LayPlan(runs=(Run(card=name, converter=n, cost=alternative, pay=named(cost)),))
        for short in one_less(exactly(cost)):
            assert why_not(giving(game, who, short), who, plan) == "lacks_goods"
        made = player(play(giving(game, who, exactly(cost)), (who, plan)), who)
        interest = Goods(**{"brown" if cost.same_small else "yellow": converter.same})
        assert_has(made, converter.gain + interest, converter.donate)
        assert made.tied == (converter.donate if converter.to_one else Goods())


@pytest.mark.parametrize("name", VIOLET)
def test_a_violet_converter_takes_what_is_printed_and_makes_what_is_printed(name):
    """VIO-3, VIO-5, VIO-6."""
    card = CARDS[name]
    who = holder_of(card)
    for lying, n, converter, alternative, cost in printed(card, "trade"):
        colonies = colonies_for(cost, name)
        game = hold(lay(replace(BASE, relics=(NO_EFFECT,)), who, lying), who, *colonies)
        run = RunConverter(card=name, converter=n, cost=alternative, pay=named(cost), colonies=colonies)
        for short in one_less(exactly(cost)):
            assert why_not(giving(game, who, short), who, run) == "lacks_goods"
        game = play(giving(game, who, exactly(cost)), (who, run))
        assert_has(player(game, who), converter.gain)
        assert game.colonies.cards[-len(colonies) :] == colonies
        assert (NO_EFFECT in player(game, who).cards) == (converter.draws == "relic")


def at_night(game):
    """The table at the step of thefts, whether or not there is anything to be stolen."""
    return replace(game, step="steal")


@pytest.mark.parametrize("name", RED)
def test_a_red_converter_takes_what_is_printed_from_its_target(name):
    """ZETH-1, ZETH-5, ZETH-7."""
    target = seat_of(BASE, "kit")
    for lying, n, converter, alternative, cost in printed(CARDS[name], "steal"):
        there = Goods(green=4, blue=4, ultratech=4, envoy=cost.envoys)
        game = stock(lay(BASE, "zeth", lying), target, there)
        take = Goods(
            green=converter.take_small, blue=converter.take_large, ultratech=converter.take_ultratech
        )
        theft = Steal(card=name, converter=n, cost=alternative, target=target, take=take)
        for short in one_less(exactly(cost)):
            assert why_not(at_night(stock(game, "zeth", short)), "zeth", theft) == "lacks_goods"
        if cost.envoys:
            safe = at_night(stock(game, target, there - Goods(envoy=1)))
            assert why_not(safe, "zeth", theft) == "too_few_envoys"
        game = play(at_night(stock(game, "zeth", exactly(cost))), ("zeth", theft))
        assert_has(player(game, "zeth"), take)
        assert player(game, target).stock == there - take


# ---------------------------------------------------------------- entering play


@pytest.mark.parametrize("name", ENTERING)
def test_a_card_enters_play_for_what_is_printed(name):
    """VIO-4, VIO-6, KIT-3, UNI-4, KJAS-6, IMD-3."""
    card = CARDS[name]
    who, cost = card.species, card.entry.cost
    colonies = colonies_for(cost, name)
    game = hold(BASE, who, *colonies)
    action = PutIntoPlay(card=name, pay=named(cost), colonies=colonies)
    for short in one_less(exactly(cost)):
        assert why_not(giving(game, who, short), who, action) == "lacks_goods"
    game = play(giving(game, who, exactly(cost)), (who, action))
    assert_has(player(game, who), card.entry.gain)
    held = player(game, who).cards[name]
    assert not held.flipped
    assert held.owner == (None if card.keeps else seat_of(game, who))
    assert not set(colonies) & set(player(game, who).cards)


@pytest.mark.parametrize("name", RELICS)
def test_a_relic_world_is_drawn_and_does_what_is_printed_when_it_arrives(name):
    """FAD-2, FAD-10, VIO-5."""
    card = CARDS[name]
    game = stock(replace(hold(BASE, "faderan", "colony.spica"), relics=(name,)), "faderan", white=4)
    game = stock(game, "kit", acknowledgement=4)
    top = game.colonies.cards[: card.entry.colonies if card.entry else 0]
    draw = RunConverter(card="faderan.relic_deck", colonies=("colony.spica",))
    game = play(game, ("faderan", draw))
    gain = card.entry.gain if card.entry else Goods()
    if card.entry and card.entry.sharing_bonus:
        gain = gain + Goods(point=game.bonus[0][0])
    if card.entry and card.entry.rule == "acknowledged":
        gain = gain + Goods(point=2)  # a point for each three of the four, rounded up
    assert_has(player(game, "faderan"), gain)
    assert {name, *top} <= set(player(game, "faderan").cards)
    assert game.relics == ()


# ---------------------------------------------------------------- upgrades and inventions


@pytest.mark.parametrize("name", UPGRADED)
def test_a_card_is_upgraded_in_each_printed_way(name):
    """UPG-1, UPG-2, UPG-4, KIT-2, ENI-5."""
    card = CARDS[name]
    who = card.species or "kit"
    for number, way in enumerate(card.upgrades):
        cost = way.cost or Cost()
        colonies = colonies_for(cost, name)
        game = hold(hold(BASE, who, name), who, *colonies)
        action = UpgradeCard(card=name, way=number, pay=named(cost), colonies=colonies)
        spent = {}
        if way.technology is not None:
            assert why_not(game, who, action) == "lacks_technology"
            prerequisite = CATALOG.species_technology[who, way.technology]
            game = hold(game, who, prerequisite)
            spent = {prerequisite: name}
        for short in one_less(exactly(cost)):
            assert why_not(giving(game, who, short), who, action) == "lacks_goods"
        game = play(giving(game, who, exactly(cost)), (who, action))
        after = player(game, who)
        assert_has(after, way.gain)
        assert after.cards[name].flipped
        assert after.spent == spent
        assert not {*colonies, *spent} & set(after.cards)


@pytest.mark.parametrize("name", TEAMS)
def test_a_research_team_invents_for_each_printed_set(name):
    """INV-1, INV-2, INV-4."""
    research = CARDS[name].research
    for who, (number, cost) in product(NINE, enumerate(research.costs)):
        game = hold(BASE, who, name)
        action = Invent(card=name, cost=number)
        for short in one_less(exactly(cost)):
            assert why_not(giving(game, who, short), who, action) == "lacks_goods"
        before = player(game, who)
        after = player(play(giving(game, who, exactly(cost)), (who, action)), who)
        assert_has(after, Goods(point=research.points))
        assert after.invented == (name,)
        own = CATALOG.species_technology.get((who, research.technology))
        assert set(after.cards) - set(before.cards) == ({own} if own else set())
        assert (own is None) == (CARDS[name].era == 4)


def test_no_card_is_left_out():
    """All but the fleet that starts in play and prints nothing but its support."""
    walked = {*WHITE, *VIOLET, *RED, *ENTERING, *RELICS, *UPGRADED, *TEAMS}
    assert set(CARDS) - walked == {"imdril.starting_fleet"}
