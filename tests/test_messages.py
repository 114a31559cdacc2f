"""The words of every language: nothing missing, nothing that gives the program away."""

import ast
import string
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins

from elysian.actions import Done, LayPlan, PlaceBid, UpgradeCard, snake
from elysian.deals import (
    ANYONE,
    Deal,
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
    Obligation,
    OneOf,
    Pledge,
    Undertake,
)
from elysian.draft import IllegalAction
from elysian.event_parts import Moved, Paid
from elysian.events import (
    BidPlaced,
    CardUpgraded,
    DealAccepted,
    DealDeclined,
    DealOffered,
    DealsLapsed,
    DealStruck,
    GameScored,
    GameStarted,
    ObligationBroken,
    PlanLaid,
    ProductionRun,
)
from elysian.goods import KINDS, SMALL_CUBES, Goods
from elysian.messages import describe, explain, goods, label, languages, load, sentence, tell
from elysian.players.random.player import RandomPlayer
from elysian.record import dump
from elysian.rules import DECIDERS, EVOLVERS
from elysian.sim import play_game
from elysian.state import PHASE_OF, Bid, FinalScore, Run, Settings
from elysian.view import seen_by
from tests.support.table import table

PACKAGE = Path(__file__).resolve().parent.parent / "elysian"
SEATS = ("kit", "zeth", "caylion", "yengii")
LANGUAGES = languages()


def refusals() -> dict[str, set[str]]:
    """Every code of the source, with the facts that all its refusals carry."""
    found: dict[str, set[str]] = {}
    for path in PACKAGE.rglob("*.py"):
        if PACKAGE / "server" in path.parents:
            continue  # hands on what the rules have refused
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or getattr(node.func, "id", "") != "IllegalAction":
                continue
            assert isinstance(node.args[0], ast.Constant), f"{path}: a refusal without a plain code"
            facts = {keyword.arg or "" for keyword in node.keywords}
            code = str(node.args[0].value)
            found[code] = found[code] & facts if code in found else facts
    return found


def names_in(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def test_there_are_two_languages_to_begin_with() -> None:
    assert {"de", "en"} <= set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_has_a_sentence_whose_names_are_among_its_facts(language: str) -> None:
    words, codes = load(language).refused, refusals()
    assert len(codes) > 80
    assert set(words) == set(codes)
    assert {
        code: names_in(text) - codes[code] for code, text in words.items() if names_in(text) - codes[code]
    } == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_has_a_line_whose_names_are_its_fields(language: str) -> None:
    words = load(language).event
    kinds: tuple[type[Any], ...] = (*EVOLVERS, GameStarted)
    classes = {snake(event.__name__): event for event in kinds}
    assert set(words) == set(classes)
    for kind, text in words.items():
        fields = {*classes[kind].__struct_fields__}
        fields |= {"number", "proposer", "terms", "among"} if fields & {"deal", "deals"} else set()
        fields |= {"colony", "research"} if "bid" in fields else set()
        assert names_in(text) <= fields, kind


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_action_has_a_line_whose_names_are_its_fields(language: str) -> None:
    words = load(language).action
    classes = {snake(action.__name__): action for action in DECIDERS}
    assert set(words) == {*classes, "time_up"}
    for kind, action in classes.items():
        assert names_in(words[kind]) <= {*action.__struct_fields__, "gain", "technology"}, kind


@pytest.mark.parametrize("language", LANGUAGES)
def test_goods_steps_and_phases_have_words(language: str) -> None:
    words = load(language)
    assert tuple(words.good) == KINDS
    assert set(words.step) == set(PHASE_OF)
    assert set(words.phase) == set(PHASE_OF.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_says_all_that_english_says_with_the_same_names(language: str) -> None:
    theirs, ours = load(language), load("en")
    for part in ("clause", "refused_you", "you", "word", "offer", "terminal", "track", "climate"):
        one, other = getattr(theirs, part), getattr(ours, part)
        assert set(one) == set(other), part
        for key in other:
            assert names_in(one[key]) == names_in(other[key]), f"{part}.{key}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_a_clause_says_of_a_seat_can_be_said_to_it(language: str) -> None:
    messages = load(language)
    of_a_seat = {key for key, text in messages.clause.items() if names_in(text) & {"giver", "who"}}
    assert set(messages.you) == {*of_a_seat, "whom"}
    for key in of_a_seat:
        assert names_in(messages.you[key]) == names_in(messages.clause[key]) - {"giver", "who"}, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_letters_of_goods_are_the_same_everywhere(language: str) -> None:
    letters = [good.letter for good in load(language).good.values()]
    assert letters == ["G", "W", "N", "B", "T", "Y", "a", "A", "U", "S", "*", "E", "K"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_command_is_called_like_another(language: str) -> None:
    words = load(language).command
    foreign = [word for name, word in words.items() if word != name]
    assert len(set(foreign)) == len(foreign)
    assert not set(foreign) & set(load("en").command)


def test_an_unknown_language_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"'xx'.*de, en"):
        load("xx")


def test_a_refusal_names_seats_cards_and_goods_in_words() -> None:
    illegal = IllegalAction("lacks_goods", seat=1, goods=Goods(green=2, ship=1))
    assert sentence(illegal, SEATS) == "Zeth has too little: 2 green, 1 ship missing."
    assert sentence(illegal, SEATS, "de") == "Zeth hat zu wenig. Es fehlt: 2 grün, 1 Raumschiff."
    assert explain("not_your_card", {"card": "colony.regulus"}, SEATS) == "You do not hold Regulus."
    assert explain("wrong_step", {"step": "bid"}, SEATS) == "That is not possible now: secret bids."


def test_a_refusal_speaks_to_the_one_it_is_about() -> None:
    illegal = IllegalAction("lacks_goods", seat=1, goods=Goods(green=2))
    assert sentence(illegal, SEATS, you=1) == "You have too little: 2 green missing."
    assert sentence(illegal, SEATS, "de", you=1) == "Du hast zu wenig. Es fehlt: 2 grün."
    assert sentence(illegal, SEATS, you=0) == "Zeth has too little: 2 green missing."
    assert set(load("en").refused_you) < set(load("en").refused)


def test_a_species_has_the_name_the_language_gives_it() -> None:
    refused = IllegalAction("already_robbed", seat=1)
    assert "Harmonie" in sentence(refused, ("kit", "unity"), "de")
    assert "Unity" in sentence(refused, ("kit", "unity"), "en")


def test_goods_that_belong_together_go_to_one_player_known_or_not() -> None:
    assert explain("must_go_to_one", {"seat": 2}, SEATS).endswith("go to Caylion.")
    assert explain("must_go_to_one", {"seat": None}, SEATS).endswith("go to one and the same player.")


def test_what_somebody_typed_is_repeated_without_control_signs() -> None:
    said = explain("unknown_card", {"card": "\x1b[31mhello\n" + "x" * 500}, SEATS)
    assert said.isprintable()
    assert len(said) < 120


def test_a_pledge_says_what_is_due_when_and_what_breaking_it_costs() -> None:
    deal = Deal(
        id="d3",
        proposer=0,
        parties=(0, 1),
        clauses=(
            Give(giver=0, to=1, goods=Goods(green=2)),
            Pledge(what=Give(giver=1, to=0, goods=Goods(yellow=1)), due=3),
        ),
    )
    assert describe(deal, SEATS) == (
        "Kit gives Zeth 2 green; Zeth will give Kit 1 yellow at the start of turn 3, "
        "or lose 1 point for each missing cube"
    )
    assert describe(deal, SEATS, "de") == (
        "Kit gibt 2 grün an Zeth; Zeth gibt 1 gelb am Anfang von Runde 3 an Kit; "
        "sonst Verlust von 1 Siegpunkt je fehlendem Würfel"
    )


def test_those_who_read_a_clause_are_spoken_to() -> None:
    pledge = Pledge(what=Give(giver=3, to=0, goods=Goods(green=1)), due=3)
    cost = "at the start of turn 3, or lose 1 point for each missing cube"
    assert describe(pledge, SEATS, you=3) == f"you will give Kit 1 green {cost}"
    assert describe(pledge, SEATS, you=0) == f"Yengii will give you 1 green {cost}"
    assert describe(pledge, SEATS, you=1) == describe(pledge, SEATS)
    assert describe(pledge, SEATS, "de", you=3).startswith("du gibst 1 grün am Anfang von Runde 3 an Kit;")
    assert describe(pledge, SEATS, "de", you=0).startswith(
        "Yengii gibt 1 grün am Anfang von Runde 3 an dich;"
    )
    spared = Forbear(who=1, to=0, what=NoSteal(target=0), until=2)
    assert describe(spared, SEATS, you=0) == "Zeth will not steal from you up to and including turn 2"
    assert describe(spared, SEATS, "de", you=0) == "Zeth bestiehlt dich bis einschließlich Runde 2 nicht"
    bought = Undertake(to=1, deed=Deed(who=0, verb="buy", subject="colony.regulus"), turn=1, by="confluence")
    assert describe(bought, SEATS, you=0).startswith("you will take Regulus from its track for Zeth")


@pytest.mark.parametrize(
    ("what", "loss"),
    [
        (Give(giver=0, to=1, goods=Goods(ship=2)), "1 point for each missing ship"),
        (Give(giver=0, to=1, goods=Goods(ship=2, green=1)), "1 point for each missing cube or ship"),
        (Give(giver=0, to=1, goods=Goods(ultratech=1)), "2 points"),
        (Give(giver=0, to=1, cards=("colony.regulus",)), "2 points"),
        (Give(giver=0, to=1, goods=Goods(ultratech=2)), "and 2 for anything else missing"),
        (Lend(giver=0, to=1, card="kit.hand_crafted"), "2 points"),
        (License(giver=3, to=1, technology="nanotechnology"), "2 points"),
    ],
)
def test_a_pledge_says_what_each_missing_piece_costs(what: Give | Lend | License, loss: str) -> None:
    """TRADE-11."""
    assert describe(Pledge(what=what, due=2), SEATS).endswith(loss)


LOTS = (
    Lot(goods=Goods(ultratech=1)),
    Lot(cubes=3, kinds=SMALL_CUBES),
    Lot(goods=Goods(ship=1), cubes=2, kinds=("white", "brown")),
)


def test_a_choice_is_told_to_the_one_who_chooses() -> None:
    """TRADE-17."""
    clause = Pledge(what=OneOf(giver=0, to=1, lots=LOTS[:2], chosen_by="creditor"), due=2)
    assert "1 ultratech or 3 small cubes (as you choose)" in describe(clause, SEATS, you=1)
    assert "1 Ultratech oder 3 kleine Würfel (nach deiner Wahl)" in describe(clause, SEATS, "de", you=1)
    shunned = Forbear(who=1, to=0, what=NoTrade(partner=3), until=2)
    assert "keinen Handel mit dir" in describe(shunned, SEATS, "de", you=3)


def test_a_word_to_be_kept_names_the_promise_and_the_deed() -> None:
    """TRADE-10."""
    upgrade = UpgradeCard(card="colony.regulus", pay=Goods(yellow=1))
    refused = IllegalAction("keep_your_word", obligation="d1.1", deed=upgrade)
    said = sentence(refused, SEATS)
    assert said == explain(refused.code, to_builtins(refused.facts), SEATS)
    assert "upgrade Regulus for 1 yellow" in said
    assert "promise 1.1" in said


def test_every_kind_of_clause_can_be_described() -> None:
    buy = Deed(who=0, verb="buy", subject="colony.regulus")
    said = {
        describe(clause, SEATS)
        for clause in (
            Give(giver=0, to=ANYONE, donation=Goods(blue=1), cards=("colony.regulus",)),
            Lend(giver=0, to=1, card="kit.hand_crafted"),
            License(giver=3, to=1, technology="nanotechnology"),
            Pledge(what=Give(giver=0, to=1, goods=Goods(green=1)), due=2, at="close", only_if=buy),
            Undertake(to=1, deed=buy, turn=1, by="confluence"),
            Forbear(who=1, to=0, what=NoSteal(target=0), until=2),
            Forbear(who=1, to=0, what=NoTake(card="colony.regulus"), until=2),
            Forbear(who=1, to=0, what=NoBid(track="colony", most=2), until=2),
            Forbear(who=1, to=0, what=NoTrade(partner=3), until=2),
            Forbear(who=1, to=0, what=NoHand(card="colony.regulus", but=None), until=2),
            Forbear(who=1, to=0, what=NoHand(card="colony.regulus", but=0), until=2),
            Forbear(who=1, to=0, what=NoLicense(technology="nanotechnology", but=None), until=2),
            Forbear(who=3, to=0, what=NoLicense(technology="nanotechnology", but=0), until=6),
            Forbear(who=1, to=0, what=NoInvent(subject="nanotechnology"), until=2),
            Undertake(to=1, deed=Deed(who=0, verb="enter", subject="nullspace.zd_nx"), turn=1, by="trade"),
            Undertake(to=1, deed=Deed(who=0, verb="bid", subject="colony", least=3), turn=1, by="confluence"),
            Pledge(what=OneOf(giver=0, to=1, lots=LOTS, chosen_by="creditor"), due=2),
            Note(text="be\nnice"),
        )
    }
    assert said == {
        "Kit gives anyone 1 blue (donation goods), Regulus",
        "Kit lends Zeth Hand Crafted for this turn",
        "Yengii licenses Nanotechnology to Zeth",
        "Kit will give Zeth 1 green when trading closes in turn 2 if Kit takes Regulus from its track, "
        "or lose 1 point for each missing cube",
        "Kit will take Regulus from its track for Zeth by the end of the Confluence Phase of turn 1, "
        "or lose 2 points",
        "Zeth will not steal from Kit up to and including turn 2",
        "Zeth will not take Regulus from its track up to and including turn 2",
        "Zeth will bid at most 2 for colonies up to and including turn 2",
        "Zeth will strike no deal with Yengii up to and including turn 2",
        "Zeth will neither give nor lend Regulus up to and including turn 2",
        "Zeth will give or lend Regulus to nobody but Kit up to and including turn 2",
        "Zeth will not license Nanotechnology up to and including turn 2",
        "Yengii will license Nanotechnology to nobody but Kit up to and including turn 6",
        "Zeth will not invent Nanotechnology up to and including turn 2",
        "Kit will put Zd'Nx into play for Zeth by the end of the Trade Phase of turn 1, or lose 2 points",
        "Kit will bid at least 3 for colonies for Zeth by the end of the Confluence Phase of turn 1, "
        "or lose 2 points",
        "Kit will give Zeth 1 ultratech or 3 small cubes or 1 ship, 2 white/brown (as Zeth chooses) "
        "at the start of turn 2, or lose what the missing part of the cheapest of these costs",
        "note: “be nice”",
    }


def test_parts_that_have_nothing_to_say_are_left_out() -> None:
    upgraded = CardUpgraded(by=0, card="colony.regulus", paid=Paid(goods=Goods(yellow=1)))
    assert tell(upgraded, SEATS) == "Kit upgrades Regulus for 1 yellow."
    assert tell(ProductionRun(by=1, runs=()), SEATS) == "Zeth produces."
    struck = DealStruck(by=1, deal="d7", parties=(0, 1), moved=(Moved(giver=0, to=1, goods=Goods(green=1)),))
    assert tell(struck, SEATS) == "Deal 7 is struck: Kit to Zeth: 1 green."


def test_an_offer_has_its_number_or_is_told_by_whose_it_is_and_what_for() -> None:
    gift = Give(giver=0, to=ANYONE, goods=Goods(green=1))
    offer = Deal(id="d7", proposer=0, parties=(0, ANYONE), clauses=(gift,))
    declined, known = DealDeclined(by=1, deal="d7"), {"d7": offer}
    assert tell(declined, SEATS) == "Zeth declines offer 7."
    assert tell(declined, SEATS, offers={}) == "Zeth declines offer 7."
    said = "the offer of Kit: Kit gives anyone 1 green."
    assert tell(declined, SEATS, offers=known) == f"Zeth declines {said}"
    assert tell(DealOffered(deal=offer), SEATS) == "Offer 7 by Kit: Kit gives anyone 1 green."
    assert tell(DealOffered(deal=offer), SEATS, offers={}) == "Offer by Kit: Kit gives anyone 1 green."
    taken = DealAccepted(by=1, deal="d7", as_anyone=True)
    assert tell(taken, SEATS, offers=known) == "Zeth accepts the offer of Kit: Kit gives Zeth 1 green."
    lapsed = DealsLapsed(deals=("d7",))
    assert tell(lapsed, SEATS) == "Open offers have lapsed: 7."
    assert tell(lapsed, SEATS, offers=known) == "Open offers have lapsed, by Kit."
    struck = DealStruck(by=1, deal="d7", parties=(0, 1), moved=(Moved(giver=0, to=1, goods=Goods(green=1)),))
    assert tell(struck, SEATS, offers=known) == "Kit, Zeth strike a deal: Kit to Zeth: 1 green."


def test_a_broken_promise_says_what_was_promised_when_that_is_known() -> None:
    clause = Pledge(what=Give(giver=0, to=1, goods=Goods(green=1)), due=2)
    owed = Obligation(id="d1.1", deal="d1", parties=(0, 1), clause=clause, made=1)
    broken = ObligationBroken(by=0, obligation="d1.1", points=1)
    assert tell(broken, SEATS) == "Kit breaks a promise and loses 1 point: promise 1.1."
    assert "Kit will give Zeth 1 green at the start of turn 2" in tell(broken, SEATS, "en", {"d1.1": owed})


def test_scores_are_told_in_whole_points_and_parts() -> None:
    scores = (
        FinalScore(seat=0, points=12, goods=6, total=150, winner=True),
        FinalScore(seat=1, points=-1, goods=6, total=-6, winner=False),
    )
    assert tell(GameScored(scores=scores), SEATS) == "The game is over: Kit 12 1/2 (wins), Zeth -1/2."


def test_others_hear_of_a_plan_or_a_bid_but_not_what_it_is() -> None:
    """COMP-5."""
    game = table(*SEATS)
    plan = PlanLaid(by=0, runs=(Run(card="kit.hand_crafted"),))
    bid = BidPlaced(by=0, bid=Bid(colony=3, research=1))
    seen_plan, seen_bid = seen_by(game, 1, plan), seen_by(game, 1, bid)
    assert seen_plan is not None
    assert seen_bid is not None
    assert "Hand Crafted" in tell(plan, SEATS)
    assert tell(seen_plan, SEATS) == "Kit has a plan."
    assert "3" in tell(bid, SEATS)
    assert tell(seen_bid, SEATS) == "Kit has bid."


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seed", [1, 2])
def test_everything_that_happens_in_a_game_can_be_told(language: str, seed: int) -> None:
    seats = ("zeth", "faderan", "kjas", "yengii", "kit", "eni_et")
    settings = Settings(species=seats, edition="de2021" if language == "de" else "2020")
    record = play_game(settings, seed, [RandomPlayer() for _ in seats], seed).record
    promises: dict[str, Obligation] = {}
    told = [tell(record.head.started, seats, language)]
    for entry in record.entries:
        told.append(label(entry.action, seats, language, promises))
        for event in entry.events:
            told.append(tell(event, seats, language, promises))
            if isinstance(event, DealStruck):
                promises.update({owed.id: owed for owed in event.obligations})
    assert dump(record)
    wrong = [line for line in told if any(sign in line for sign in "{}[]_") or not line.isprintable()]
    assert wrong == []
    assert not [line for line in told if "Goods(" in line or "None" in line or " ." in line or "::" in line]


def test_actions_are_told_as_lines_of_a_menu() -> None:
    assert label(Done(), SEATS) == "done"
    assert label(PlaceBid(colony=2), SEATS) == "bid 2 for colonies, 0 for research"
    upgrade = UpgradeCard(card="colony.regulus", pay=Goods(yellow=1))
    assert label(upgrade, SEATS, gain=Goods(point=1)) == "upgrade Regulus for 1 yellow, gaining 1 point"
    assert label(LayPlan(runs=(Run(card="colony.regulus"),)), SEATS, "de") == "Regulus aktivieren"


def test_goods_are_told_in_words_or_letters() -> None:
    some = Goods(green=2, brown=1, wild_large=1, ship=1)
    assert goods(some) == "2 green, 1 brown, 1 large wild, 1 ship"
    assert goods(some, short=True) == "2G 1N 1A 1S"
    assert goods(Goods()) == "nothing"
