"""What is special about each species, used by somebody in front of the page."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from elysian.deck import CATALOG
from elysian.goods import Goods
from elysian.state import State
from tests.support.web.tales import (
    Tale,
    agrees,
    alone,
    both,
    can_invent,
    card,
    dialog,
    economy,
    ends_trading,
    held,
    invention,
    lives_on,
    logged,
    named,
    opens,
    pays,
    runs,
    ticks,
)
from tools.drive.person import Person, Visitors
from tools.drive.together import accepts, composer, has, picks, sends, stock

# ---------------------------------------------------------------- cards of their own


def test_caylion_are_told_which_colony_an_upgrade_takes(visitors: Visitors) -> None:
    """CAY-3, CAY-4, CAY-7."""
    tale = Tale("caylion", "kjas", "eni_et", "imdril", fits=lives_on("caylion", "jungle"))
    colony = named(held(tale.state, "caylion")[0])
    anna = alone(visitors, tale.done("kjas", "eni_et", "imdril"))
    expect(anna.button("Runs 2 times", card(anna, colony))).to_be_visible()
    asked = opens(anna, "Oceanic Processing", f"Upgrade Oceanic Processing for 2 black and {colony}")
    expect(handed_in(asked)).to_contain_text(colony)
    agrees(anna, "Upgrade")
    expect(card(anna, "Planet-wide Industrial Mariculture")).to_be_visible()
    expect(card(anna, colony)).to_have_count(0)
    has(anna, "Caylion", 0, "black")
    has(anna, "Caylion", 1, "yellow")


def test_faderan_explore_a_relic_world(visitors: Visitors) -> None:
    """FAD-1, FAD-2."""
    tale = Tale("faderan", "caylion", "eni_et", "kjas", fits=lives_on("faderan", "ice"))
    colony, relic = named(held(tale.state, "faderan")[0]), named(tale.state.relics[0])
    tale.gives("caylion", "faderan", Goods(white=1))
    anna, bela = both(visitors, tale.done("eni_et", "kjas"))
    asked = opens(anna, "Relic deck", "Run Relic deck")
    expect(handed_in(asked)).to_contain_text(colony)
    agrees(anna, "Run")
    expect(card(anna, relic)).to_be_visible()
    logged(bela, relic)


def test_imdril_send_a_fleet_and_more_converters_can_run(visitors: Visitors) -> None:
    """IMD-2, IMD-3."""
    tale = Tale("imdril", "kjas", "eni_et", "caylion").gives("caylion", "imdril", Goods(black=1))
    anna = alone(visitors, tale.done("kjas", "eni_et", "caylion"))
    for name in ("Asteroid Mining", "Galactic Exploration"):
        ticks(anna, name)
    lacking = anna.page.get_by_role("definition").get_by_text("needs 2 fleet support")
    expect(lacking).to_be_visible()
    fleet = "Fleet, 2 support (ultratech)"
    opens(anna, fleet, f"Put {fleet} into play")
    agrees(anna, "Put into play")
    expect(lacking).to_have_count(0)
    has(anna, "Im'dril", 0, "brown")
    logged(anna, re.escape(f"Im'dril puts {fleet} into play"))


def test_kit_settle_a_colony_of_nullspace(visitors: Visitors) -> None:
    """KIT-3, KIT-4, KIT-6."""
    anna, bela = both(visitors, Tale("kit", "caylion", "eni_et", "imdril").done("eni_et", "imdril"))
    expect(economy(anna).get_by_text("Colonies 1, no limit")).to_be_visible()
    opens(anna, "Nx'Dr", "Put Nx'Dr into play for 1 yellow")
    agrees(anna, "Put into play")
    expect(economy(anna).get_by_text("Colonies 2, no limit")).to_be_visible()
    ticks(anna, "Nx'Dr")
    has(bela, "Kit", 0, "yellow")
    bela.page.get_by_title("Kit: show all cards").click()
    expect(dialog(bela).get_by_role("heading", name="Nx'Dr")).to_be_visible()


def test_kjas_take_a_territory_over_for_two_colonies(visitors: Visitors) -> None:
    """KJAS-6."""
    name = "Balkanized States' Colonies"
    tale = Tale("kjas", "caylion", "eni_et", "imdril", fits=lives_on("kjas", "desert", "ice"))
    colonies = [named(one) for one in held(tale.state, "kjas")]
    anna = alone(visitors, tale.done("caylion", "eni_et", "imdril"))
    asked = opens(anna, name, f"Put {name} into play")
    for colony in colonies:
        expect(handed_in(asked)).to_contain_text(colony)
    agrees(anna, "Put into play")
    expect(card(anna, name).get_by_role("checkbox")).to_have_count(2)
    expect(economy(anna).get_by_text("Colonies 0 of 6")).to_be_visible()
    has(anna, "Kjas", 0, "yellow")


def test_unity_choose_where_wild_cubes_go(visitors: Visitors) -> None:
    """UNI-1, UNI-3."""
    tale = Tale("unity", "caylion", "kjas", "eni_et", fits=lambda game: len(terraforming(game)) == 1)
    colony, colour = named(held(tale.state, "unity")[0]), terraforming(tale.state)[0]
    tale.gives("caylion", "unity", Goods(green=3)).gives("kjas", "unity", Goods(black=1, blue=1, yellow=1))
    anna = alone(visitors, tale.done("caylion", "kjas", "eni_et"))
    asked = opens(anna, colony, f"Upgrade {colony} for 1 {colour}")
    asked.get_by_role("radio", name="1 large wild", exact=True).check()
    expect(asked.get_by_text("You pay 1 large wild.")).to_be_visible()
    agrees(anna, "Upgrade")
    has(anna, "Unity", 2, "large wild")
    has(anna, "Unity", 1, colour)
    ticks(anna, "Explorer Collection")
    pays(anna, "Explorer Collection", "1 green, 2 small wild")
    ends_trading(anna)
    runs(anna)
    logged(anna, "Unity produces from 1 green, 2 small wild:")
    has(anna, "Unity", 4 - 2 + 1, "small wild")  # Adaptive Fabrication makes one


def handed_in(asked: Locator) -> Locator:
    return asked.get_by_role("paragraph").filter(has_text="Handed in")


def terraforming(game: State) -> list[str]:
    """The colour of the one large cube that terraforms the first colony of the Unity."""
    price = CATALOG.cards[held(game, "unity")[0]].upgrades[0].cost
    large = ("black", "blue", "yellow")
    return [colour for colour in large if price is not None and price.goods == Goods(**{colour: 1})]


# ---------------------------------------------------------------- deals


def test_eni_et_lend_an_interest_converter_and_the_borrower_runs_it(visitors: Visitors) -> None:
    """ENI-2, ENI-3, ENI-6."""
    name = "Mutual Understanding"
    anna, bela = both(visitors, Tale("eni_et", "caylion", "kjas", "imdril").done("kjas", "imdril"))
    expect(card(anna, name).get_by_text("only others may run it")).to_be_visible()
    expect(card(anna, name).get_by_role("checkbox")).to_have_count(0)
    picks(anna, "Caylion", "ship")
    anna.button("Cards", composer(anna)).click()
    anna.button(f"loan {name}", anna.page.get_by_role("group", name="Cards")).click()
    sends(anna)
    accepts(bela, "Eni Et")
    expect(anna.page.get_by_role("heading", name="Lent out")).to_be_visible()
    ticks(bela, name)
    pays(bela, name, "2 white")
    ends_trading(anna, bela)
    for person in (anna, bela):
        runs(person)
    logged(anna, r"Caylion produces from 2 white: .*\b[5-7] white")


def test_faderan_acknowledge_an_inventor_and_score(visitors: Visitors) -> None:
    """FAD-5, FAD-8."""
    rich = "caylion", "kjas"
    tale = Tale("faderan", "imdril", *rich, fits=can_invent("imdril", *rich)).endows("imdril", *rich)
    team = named(held(tale.state, "imdril", "research")[0])
    anna, bela = both(visitors, tale.done(*rich))
    picks(anna, "Im'dril", "ship")
    picks(anna, "Faderan", "acknowledgement")
    sends(anna)
    accepts(bela, "Faderan")
    for person in (anna, bela):
        has(person, "Faderan", 10, "acknowledgement")
    table = bela.page.get_by_role("region", name="Table")
    token = table.get_by_role("img", name="Im'dril: 1 acknowledgement", exact=True)
    expect(token).to_be_visible()
    opens(bela, team, f"Invent with {team} for ")
    agrees(bela, "Invent")
    expect(token).to_have_count(0)
    has(anna, "Faderan", 11, "acknowledgement")
    logged(anna, "Im'dril returns an acknowledgement to Faderan, who scores 1 point")


def test_yengii_sell_a_licence(visitors: Visitors) -> None:
    """YEN-1, YEN-5."""
    rich = "kjas", "imdril"
    tale = Tale("yengii", "caylion", *rich, fits=can_invent("yengii", *rich))
    invents = invention(tale.state, "yengii", *rich)
    assert invents is not None
    tale.endows("yengii", *rich).does("yengii", invents)
    research = CATALOG.cards[invents.card].research
    assert research is not None
    technology = research.technology
    own = CATALOG.cards[f"caylion.{technology}"].front.name
    anna, bela = both(visitors, tale.done(*rich))
    expect(card(bela, own)).to_have_count(0)
    picks(anna, "Caylion", "green")
    technology_card = CATALOG.cards[f"yengii.{technology}"].front.name
    anna.button(f"{technology_card} in an offer …", card(anna, technology_card)).click()
    anna.button("License it now: you → Caylion", dialog(anna)).click()
    sends(anna)
    accepts(bela, "Yengii")
    expect(card(bela, own)).to_be_visible()
    has(anna, "Caylion", 4, "green")
    logged(anna, f"Caylion may use {own} by leave of Yengii")


# ---------------------------------------------------------------- bids and thefts


def test_a_bid_of_the_caylion_counts_half_between_the_halves_of_the_kjas(visitors: Visitors) -> None:
    """CAY-1, CAY-2, KJAS-2, KJAS-3: of five ships each, three come first, then two and a half, then two."""
    tale = Tale("caylion", "kjas", "eni_et", "imdril").gives("imdril", "caylion", Goods(ship=4))
    anna, bela = both(visitors, tale.gives("eni_et", "kjas", Goods(ship=1)).until("bid"))
    for person in (anna, bela):
        for n in range(5):
            person.button("One ship more for Colonies").click()
            expect(person.page.get_by_role("slider", name="Colonies")).to_have_value(str(n + 1))
    expect(anna.page.get_by_role("region", name="Colonies").get_by_text("counts 2.5")).to_be_visible()
    for person in (anna, bela):
        person.button("Lock bids").click()
    bela.button("Split the bid in two").click()
    ships = stock(anna, "Kjas", "ship")
    for person in (anna, bela):
        for n, (bid, words) in enumerate(((3, "half of a split bid"), (5, "counts 2.5"), (2, "half of"))):
            expect(bids(person).nth(n).get_by_role("img", name=f"{bid} ships")).to_be_visible()
            expect(bids(person).nth(n)).to_contain_text(words)
    taken = [takes_colony(person) for person in (bela, anna, bela)]
    for colony in (taken[0], taken[2]):
        expect(card(bela, colony)).to_be_visible()
    expect(card(anna, taken[1]).get_by_role("img", name="Seedling: runs twice")).to_be_visible()
    has(anna, "Kjas", ships - 5, "ship")


def bids(person: Person) -> Locator:
    """The bids, in the order in which they are acted on."""
    queue = person.page.get_by_role("region", name="Bids, in the order they are acted on")
    return queue.get_by_role("listitem")


def takes_colony(person: Person) -> str:
    """Take the first colony the bid reaches; its name."""
    takes = person.button(re.compile("^Take: "))
    colony = (takes.first.get_attribute("aria-label") or "").removeprefix("Take: ")
    takes.first.click()
    person.button(f"Take {colony}").click()
    expect(takes).to_have_count(0)
    return colony


def test_zeth_rob_whom_they_did_not_trade_with(visitors: Visitors) -> None:
    """ZETH-2, ZETH-3, ZETH-5."""
    tale = Tale("zeth", "caylion", "eni_et", "kjas").gives("eni_et", "zeth", Goods(white=1)).until("steal")
    anna, bela = both(visitors, tale)
    green = stock(bela, "Caylion", "green")
    safe = anna.page.get_by_role("region", name="Who is safe from you").get_by_role("listitem")
    expect(safe.filter(has_text="Eni Et")).to_contain_text("safe: traded with Zeth this turn")
    expect(safe.filter(has_text="Caylion")).to_contain_text("can be robbed")
    bribery = anna.page.get_by_role("note", name="Systemic Bribery")
    theft = anna.page.get_by_role("listitem").filter(has=bribery, has_text="Caylion")
    expect(theft.get_by_role("img", name="2 green", exact=True)).to_be_visible()
    anna.button("Take other colours: brown", theft).click()
    expect(theft.get_by_role("img", name="1 green, 1 brown", exact=True)).to_be_visible()
    anna.button("Steal", theft).click()
    expect(dialog(anna)).to_contain_text("You steal 1 green, 1 brown from Caylion with Systemic Bribery.")
    agrees(anna, "Steal")
    for person in (anna, bela):
        has(person, "Caylion", green - 1, "green")
        logged(person, "Zeth steals 1 green, 1 brown from Caylion with Systemic Bribery")
