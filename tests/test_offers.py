"""Offers as a person types them."""

import re

import pytest

from elysian.actions import ProposeDeal
from elysian.deals import (
    ANYONE,
    AnyClause,
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
    NoTrade,
    OneOf,
    Pledge,
    Undertake,
)
from elysian.deck import CATALOG
from elysian.goods import MOST, SMALL_CUBES, Goods
from elysian.messages import load
from elysian.typed_offers import asked_seat, parse_counter, parse_goods, parse_offer, parse_question
from elysian.view import view
from tests.support.table import hold, offer, play, stock, table

CAYLION, ZETH, KIT, ENI = 0, 1, 2, 3


def seen():
    game = table("caylion", "zeth", "kit", "eni_et")
    game = hold(game, "caylion", "colony.regulus", "colony.spica")
    return view(hold(game, "zeth", "research.sociologists"), CAYLION)


def clauses(text: str) -> tuple[AnyClause, ...]:
    return parse_offer(text, seen()).clauses


def gives(**counts: int) -> Give:
    return Give(giver=CAYLION, to=ZETH, goods=Goods(**counts))


def gets(**counts: int) -> Give:
    return Give(giver=ZETH, to=CAYLION, goods=Goods(**counts))


def test_before_the_arrow_is_given_behind_it_is_got() -> None:
    assert parse_offer("zeth 2g+1s > 1y", seen()) == ProposeDeal(
        parties=(CAYLION, ZETH), clauses=(gives(green=2, ship=1), gets(yellow=1))
    )


def test_behind_a_semicolon_stands_what_passes_elsewhere() -> None:
    """A deal may have any number of parties (TRADE-5)."""
    ring = parse_offer("zeth 2g > 1y; zeth 1b, 2g @2 > kit; 1s > kit", seen())
    black = Give(giver=ZETH, to=KIT, goods=Goods(black=1))
    later = Pledge(what=Give(giver=ZETH, to=KIT, goods=Goods(green=2)), due=2)
    ships = Give(giver=CAYLION, to=KIT, goods=Goods(ship=1))
    assert ring == ProposeDeal(
        parties=(CAYLION, ZETH, KIT), clauses=(gives(green=2), gets(yellow=1), black, later, ships)
    )


@pytest.mark.parametrize(
    "leg", ["zeth 1b", "zeth 1b >", "> kit", "zeth 1b > zeth", "anyone 1b > kit", "1b > kit 2g"]
)
def test_who_else_gives_what_to_whom_is_said_whole(leg: str) -> None:
    with pytest.raises(ValueError, match="Behind a semicolon"):
        parse_offer(f"zeth 2g > 1y; {leg}", seen())


@pytest.mark.parametrize(
    ("letters", "kind"),
    [
        ("g", "green"),
        ("W", "white"),
        ("n", "brown"),
        ("b", "black"),
        ("t", "blue"),
        ("Y", "yellow"),
        ("a", "wild_small"),
        ("A", "wild_large"),
        ("u", "ultratech"),
        ("S", "ship"),
        ("k", "acknowledgement"),
        ("green", "green"),
        ("ships", "ship"),
    ],
)
def test_each_kind_of_goods_has_its_letter(letters: str, kind: str) -> None:
    assert clauses(f"zeth 3{letters} > 1u")[0] == gives(**{kind: 3})


@pytest.mark.parametrize("text", ["offer zeth 2g>1y", " OFFER Zeth 2 g > y", "ze g+g > 1Y", "zeth 2G > 1 y"])
def test_spaces_capitals_and_counts_of_one_are_free(text: str) -> None:
    assert clauses(text) == (gives(green=2), gets(yellow=1))


def test_a_turn_behind_a_part_makes_it_a_pledge() -> None:
    """TRADE-9."""
    assert clauses("zeth 1u > 5g @3") == (gives(ultratech=1), Pledge(what=gets(green=5), due=3))
    assert clauses("zeth 1g, 2w@2, 1n @3 > ") == (
        gives(green=1),
        Pledge(what=gives(white=2), due=2),
        Pledge(what=gives(brown=1), due=3),
    )


def test_a_card_is_lent_for_goods() -> None:
    """TRADE-6."""
    lent = Lend(giver=CAYLION, to=ZETH, card="caylion.distributed_telenet")
    assert clauses("lend telenet to zeth > 2w") == (lent, gets(white=2))
    assert clauses("zeth lend distributed telenet > 2w") == (lent, gets(white=2))
    assert clauses("zeth 1g > lend envoys") == (
        gives(green=1),
        Lend(giver=ZETH, to=CAYLION, card="zeth.envoys"),
    )
    assert clauses("zeth 1g > lend envoys @2")[1] == Pledge(
        what=Lend(giver=ZETH, to=CAYLION, card="zeth.envoys"), due=2
    )


def test_a_borderless_card_is_given_by_name_on_either_side() -> None:
    assert clauses("zeth regulus+1g > sociologists") == (
        Give(giver=CAYLION, to=ZETH, goods=Goods(green=1), cards=("colony.regulus",)),
        Give(giver=ZETH, to=CAYLION, cards=("research.sociologists",)),
    )


def test_donation_goods_are_marked_with_a_d() -> None:
    """DON-2."""
    (give,) = clauses("zeth d2y+d1*+1g >")
    assert give == Give(giver=CAYLION, to=ZETH, goods=Goods(green=1), donation=Goods(yellow=2, point=1))


def test_a_licence_and_the_promise_not_to_steal_can_be_typed() -> None:
    assert clauses("zeth 1g > nosteal @2")[1] == Forbear(
        who=ZETH, to=CAYLION, what=NoSteal(target=CAYLION), until=2
    )
    assert clauses("zeth license nanotechnology > 1g")[0] == License(
        giver=CAYLION, to=ZETH, technology="nanotechnology"
    )


@pytest.mark.parametrize(
    ("name", "seat"), [("eni", ENI), ("Eni Et", ENI), ("eni_et", ENI), ("k", KIT), ("Kt'Zr'Kt'Rtl", KIT)]
)
def test_a_player_is_named_by_the_beginning_of_the_name(name: str, seat: int) -> None:
    assert parse_offer(f"{name} 1g > 1y", seen()).parties == (CAYLION, seat)


def test_an_offer_to_anyone_is_open() -> None:
    assert parse_offer("anyone 1g > 1y", seen()).parties == (CAYLION, ANYONE)
    assert parse_offer("jemand 1g > 1y", seen(), "de").parties == (CAYLION, ANYONE)


def test_a_counter_answers_the_offer_and_its_maker() -> None:
    game = table("caylion", "zeth", "kit", "eni_et")
    game = offer(game, "zeth", ["caylion"], Give(giver=ZETH, to=CAYLION, goods=Goods(green=1)))
    now = view(game, CAYLION)
    (deal,) = now.deals.values()
    assert isinstance(deal, Deal)
    countered = parse_counter("1w > 2g", now, deal)
    assert countered == ProposeDeal(
        parties=(CAYLION, ZETH), clauses=(gives(white=1), gets(green=2)), answers=deal.id
    )
    assert len(play(game, ("caylion", countered)).deals) == 2


def test_what_was_typed_can_be_put_on_the_table() -> None:
    game = stock(table("caylion", "zeth", "kit", "eni_et"), "caylion", green=2)
    typed = parse_offer("zeth 2g, 1s@2 > 1y @3", view(game, CAYLION))
    assert [deal.clauses for deal in play(game, ("caylion", typed)).deals.values()] == [typed.clauses]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Nobody here is called"),
        ("zeth", "one >"),
        ("zeth 2g", "one >"),
        ("zeth 2g > 1y > 1w", "one >"),
        ("zeth > ", "empty"),
        ("nobody 1g > 1y", "Zeth, Kit, Eni Et; or anyone"),
        ("caylion 1g > 1y", "yourself"),
        ("zeth 2q > 1y", "'2q' is neither"),
        ("zeth 0g > 1y", "'0g' is neither"),
        ("zeth 99999g > 1y", "'99999g' is neither"),
        ("zeth -1g > 1y", "'-1g' is neither"),
        ("zeth 1g > 1y @x", "behind @"),
        ("zeth 1g > 1y @", "behind @"),
        ("zeth 1g @2 @3 > 1y", "behind @"),
        ("zeth d1g @2 > 1y", "leave out the d"),
        ("zeth colony > 1y", "'colony' could be Regulus, Spica"),
        ("lend nothing such to zeth > 1y", "'nothing such' is neither"),
        ("zeth license o > 1g", "'o' is neither"),
    ],
)
def test_a_mistake_is_answered_with_a_sentence(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        parse_offer(text, seen())
    with pytest.raises(ValueError, match=r"\.$"):
        parse_offer(text, seen(), "de")


def test_goods_alone_can_be_typed_for_a_payment() -> None:
    assert parse_goods("2g+1a 1S", load()) == Goods(green=2, wild_small=1, ship=1)
    assert parse_goods(f"{MOST}g", load()) == Goods(green=MOST)
    for wrong in ("", "regulus", "d1g", "2g+"):
        with pytest.raises(ValueError, match="neither"):
            parse_goods(wrong, load())


LOTS = (Lot(goods=Goods(ultratech=1)), Lot(cubes=3, kinds=SMALL_CUBES))


@pytest.mark.parametrize(
    ("text", "giver", "to", "by"),
    [
        ("zeth 1u / 3 small, your choice @3 >", CAYLION, ZETH, "creditor"),
        ("zeth 1u/3small my choice @3 >", CAYLION, ZETH, "debtor"),
        ("zeth > 1u / 3 small, my choice @3", ZETH, CAYLION, "creditor"),
        ("zeth > 1u / 3 small your choice @3", ZETH, CAYLION, "debtor"),
    ],
)
def test_a_choice_is_typed_with_its_lots_and_whose_it_is(text: str, giver: int, to: int, by: str) -> None:
    """TRADE-17."""
    what = OneOf(giver=giver, to=to, lots=LOTS, chosen_by=by)  # type: ignore[arg-type]
    assert clauses(text) == (Pledge(what=what, due=3),)


def test_a_choice_is_typed_in_german_too() -> None:
    """TRADE-17."""
    german = parse_offer("zeth 1u / 3 klein, deine Wahl @3 >", seen(), "de")
    assert german.clauses == clauses("zeth 1u / 3 small, your choice @3 >")


@pytest.mark.parametrize("text", ["zeth 1u / 3 small @3 >", "zeth 1u / 3 small, your choice >", "zeth 2g/ >"])
def test_a_choice_without_a_chooser_or_a_turn_is_not_understood(text: str) -> None:
    """TRADE-17."""
    with pytest.raises(ValueError, match="A choice names"):
        clauses(text)


def test_deeds_are_typed_with_their_verb() -> None:
    """TRADE-10."""
    card = next(iter(seen().players[CAYLION].cards))
    name = CATALOG.cards[card].front.name
    for text, verb, subject, by in (
        (f"run {name}", "run", card, "economy"),
        ("invent nanotechnology", "invent", "nanotechnology", "trade"),
        ("upgrade regulus", "upgrade", "colony.regulus", "trade"),
    ):
        deed = Deed(who=CAYLION, verb=verb, subject=subject)  # type: ignore[arg-type]
        assert clauses(f"zeth {text} > 1y")[0] == Undertake(to=ZETH, deed=deed, turn=1, by=by)  # type: ignore[arg-type]
    kit = clauses("kit > enter zd'nx @2")
    entered = Deed(who=KIT, verb="enter", subject="nullspace.zd_nx")
    assert kit == (Undertake(to=CAYLION, deed=entered, turn=2, by="trade"),)
    track = seen().colony_track[0]
    assert track is not None
    taken = Deed(who=ZETH, verb="buy", subject=track)
    assert clauses(f"zeth > take {CATALOG.cards[track].front.name}") == (
        Undertake(to=CAYLION, deed=taken, turn=1, by="confluence"),
    )
    bids = Deed(who=ZETH, verb="bid", subject="research", least=2)
    assert clauses("zeth > bid 2 research") == (Undertake(to=CAYLION, deed=bids, turn=1, by="confluence"),)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("no trade kit", NoTrade(partner=KIT)),
        ("no invent nanotechnology", NoInvent(subject="nanotechnology")),
        ("most 2 colonies", NoBid(track="colony", most=2)),
        ("only sociologists", NoHand(card="research.sociologists", but=CAYLION)),
        ("no hand sociologists", NoHand(card="research.sociologists", but=None)),
        ("only licence nanotechnology", NoLicense(technology="nanotechnology", but=CAYLION)),
        ("no license nanotechnology", NoLicense(technology="nanotechnology", but=None)),
    ],
)
def test_restraint_is_typed_with_its_verb(text: str, what: object) -> None:
    """TRADE-10."""
    assert clauses(f"zeth 1g > {text} @4")[1] == Forbear(who=ZETH, to=CAYLION, what=what, until=4)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text", ["bid colonies", "bid 2 moons", "most research", "take atlantis", "enter core"]
)
def test_a_deed_that_is_not_understood_is_said_to_be(text: str) -> None:
    with pytest.raises(ValueError, match=r"A bid names|neither goods"):
        clauses(f"zeth > {text}")


@pytest.mark.parametrize(
    ("text", "to", "language"),
    [
        ("zeth, 2 green?", None, "en"),
        ("what would you want for 2 green, zeth?", None, "en"),
        ("2g?", ZETH, "en"),
        ("zeth, 2 green for 3 white?", None, "en"),
        ("2 green for 3 white, zeth?", None, "en"),
        ("zeth, would you give me 2 green for 3w?", None, "en"),
        ("Zeth, gibst du mir 2 Grün für 3 Weiß?", None, "de"),
        ("zeth: 2 grün?", None, "de"),
        ("Zeth, was willst du für 2 Grün?", None, "de"),
    ],
)
def test_a_question_for_a_price_is_read(text: str, to: int | None, language: str) -> None:
    asked = parse_question(text, seen(), to, language)
    assert asked == Give(giver=ZETH, to=CAYLION, goods=Goods(green=2))


@pytest.mark.parametrize(
    "text", ["zeth, 2 green", "zeth?", "how are you, zeth?", "2 green?", "caylion, 2 green?"]
)
def test_what_asks_nobody_for_anything_is_just_talk(text: str) -> None:
    assert parse_question(text, seen()) is None


@pytest.mark.parametrize(
    ("text", "to", "whom"),
    [
        ("zeth, what do you need?", None, ZETH),
        ("how are you, zeth?", None, ZETH),
        ("what now?", ZETH, ZETH),
        ("what now?", None, None),
        ("zeth, what now", None, None),
    ],
)
def test_whom_any_question_is_for_is_known(text: str, to: int | None, whom: int | None) -> None:
    assert asked_seat(text, seen(), to) == whom
