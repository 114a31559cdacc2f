"""Every clause is composed by taps on what lies on the table, on desk and phone; the taps are counted."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Locator, expect

from elysian.deck import CATALOG
from tests.support.web.tales import Tale, both, can_invent, card, held, invention, named
from tools.drive.person import PHONE, Person, Visitors
from tools.drive.together import accepts, chip, composer

SPECIES = "kit", "yengii", "caylion", "zeth"
ME = "Kit"
SEND = 1


@dataclass
class Hand:
    """Somebody who taps, and how often; choosing from a list is two taps."""

    person: Person
    phone: bool
    taps: int = field(default=0)

    def tap(self, what: Locator) -> None:
        what.click()
        self.taps += 1

    def press(self, name: str | re.Pattern[str], within: Locator | None = None) -> None:
        self.tap(self.person.button(name, within).first)

    def choose(self, name: str, option: str) -> None:
        composer(self.person).get_by_label(name).last.select_option(label=option)
        self.taps += 2

    def goes(self, part: str) -> None:
        """To a part of the table: all of them are in sight on a desk."""
        if self.phone:
            parts = self.person.page.get_by_role("navigation", name="Parts of the table")
            self.press(re.compile(part), parts)

    def about(self, name: str) -> None:
        """Tap a card where it lies."""
        self.press(f"{name} in an offer …")

    def about_sale(self, name: str) -> None:
        if self.phone:
            self.goes("Tracks")
        else:
            self.press(re.compile("^Tracks"))
        self.about(name)

    def about_seat(self, name: str) -> None:
        self.goes("Table")
        self.tap(self.person.page.get_by_title(f"{name}: show all cards"))
        self.press("In an offer …", self.person.page.get_by_role("dialog"))

    def says(self, words: str, shown: str | None) -> None:
        """Add a line; the offer then has it."""
        self.press(words)
        expect(self.person.page.get_by_role("dialog", name="in your offer")).to_have_count(0)
        if shown is not None:
            expect(composer(self.person).get_by_text(shown).first).to_be_visible()

    def gives(self, good: str) -> None:
        """Tap a chip of mine: in the strip, or in the composer on a phone."""
        if self.phone:
            self.tap(self.person.button(re.compile(rf"^\d+ {good}"), composer(self.person)).last)
        else:
            self.tap(chip(self.person, ME, good))

    def wants(self, of: str, good: str) -> None:
        """Tap a chip of somebody else's; a phone shows them behind a tab."""
        if self.phone:
            self.goes("Table")
        self.tap(chip(self.person, of, good))

    def reviews(self) -> None:
        """A phone shows the offer in a sheet."""
        if self.phone and not composer(self.person).is_visible():
            self.press(re.compile("^Your offer: "))

    def sends(self) -> int:
        """Send it: the server takes it, and nothing is left to send; how many taps it took."""
        self.press(re.compile("^Send"))
        if self.phone:
            expect(composer(self.person)).to_have_count(0)
        else:
            expect(composer(self.person).get_by_text("pick chips first")).to_be_visible()
        taps, self.taps = self.taps, 0
        return taps


@pytest.fixture(params=["desk", "phone"])
def phone(request: pytest.FixtureRequest) -> bool:
    return bool(request.param == "phone")


def sits(visitors: Visitors, tale: Tale, phone: bool) -> tuple[Hand, Person]:
    anna, bela = both(visitors, tale)
    if phone:
        anna.page.set_viewport_size(PHONE)  # type: ignore[arg-type]
        expect(anna.page.get_by_role("navigation", name="Parts of the table")).to_be_visible()
    return Hand(anna, phone), bela


def test_deeds_and_forbearance_about_a_card_of_mine_take_three_taps(visitors: Visitors, phone: bool) -> None:
    """TRADE-10: to run, to upgrade, to invent, to put into play; to hand on to nobody, not to invent."""
    tale = Tale(*SPECIES)
    hand, _ = sits(visitors, tale, phone)
    works = named(next(one for one in held(tale.state, "kit", "starting") if CATALOG.cards[one].leads))
    team, entering = named(held(tale.state, "kit", "research")[0]), "Nx'Dr"
    technology = invented(tale, "kit")
    for name, words, shown in (
        (works, "Run it this turn", f"you run {works}"),
        (works, "Upgrade it", f"you upgrade {works}"),
        (works, "Hand it to nobody else", f"you give or lend {works} to nobody but Yengii"),
        (works, "Hand it to nobody", f"you neither give nor lend {works}"),
        (team, "Invent it", f"you invent {technology}"),
        (team, "Do not invent it", f"you do not invent {technology}"),
        (entering, "Put it into play", f"you put {entering} into play"),
    ):
        hand.about(name)
        hand.says(f"{words}: you → Yengii", shown)
        assert hand.sends() == 2 + SEND


def invented(tale: Tale, who: str) -> str:
    """What the first team of a species invents, as that species calls it."""
    research = CATALOG.cards[held(tale.state, who, "research")[0]].research
    assert research is not None
    return CATALOG.cards[f"{who}.{research.technology}"].front.name


def test_licences_and_cards_out_of_play_are_promised_in_three_or_four_taps(
    visitors: Visitors, phone: bool
) -> None:
    """TRADE-10, YEN-9: a licence of what is not invented yet, a card that is not in play yet."""
    tale = Tale(*SPECIES)
    hand, _ = sits(visitors, tale, phone)
    hand.goes("Table")
    hand.tap(hand.person.page.get_by_title("Yengii: show all cards"))
    hand.about(named(held(tale.state, "yengii", "research")[0]))
    hand.says("License it next turn: Yengii → you", None)
    expect(composer(hand.person).get_by_label("When")).to_have_value("2 start")
    assert hand.sends() == 3 + phone + SEND
    hand.goes("Table")
    hand.tap(hand.person.page.get_by_title("Yengii: show all cards"))
    technology = invented(tale, "yengii")
    hand.about(technology)
    hand.says("Lend it next turn: Yengii → you", technology)
    hand.choose("When", "turn 3, when trading closes")
    assert hand.sends() == 3 + phone + 2 + SEND


def test_an_exclusive_licence_and_a_licence_for_sale_take_four_taps(visitors: Visitors, phone: bool) -> None:
    """YEN-5, TRADE-10, D-85: chip, card, licence, Send."""
    rich = "caylion", "zeth"
    species = "yengii", "kit", *rich
    tale = Tale(*species, fits=can_invent("yengii", *rich))
    invents = invention(tale.state, "yengii", *rich)
    assert invents is not None
    own, theirs = invented(tale, "yengii"), invented_as(tale, "yengii", "kit")
    tale.endows("yengii", *rich).does("yengii", invents)
    hand, bela = sits(visitors, tale, phone)
    if phone:
        hand.about(own)
        hand.says(f"License it now: you → {ME}", None)
        hand.press(re.compile(r"^\d+ green"), composer(hand.person))
    else:
        hand.wants(ME, "green")
        hand.about(own)
        hand.says(f"License it now: you → {ME}", None)
    assert hand.sends() == 4
    accepts(bela, "Yengii")
    expect(card(bela, theirs)).to_be_visible()
    hand.goes("Me")
    hand.taps = 0
    hand.about(own)
    hand.says(f"License it to nobody: you → {ME}", f"you do not license {own}")
    assert hand.sends() == 2 + SEND


def invented_as(tale: Tale, inventor: str, who: str) -> str:
    research = CATALOG.cards[held(tale.state, inventor, "research")[0]].research
    assert research is not None
    return CATALOG.cards[f"{who}.{research.technology}"].front.name


def test_what_is_for_sale_is_taken_left_or_handed_on_in_four_taps(visitors: Visitors, phone: bool) -> None:
    """TRADE-10: take a card the bid reaches, or leave it; hand on what was taken."""
    tale = Tale(*SPECIES)
    hand, _ = sits(visitors, tale, phone)
    colony = next(named(one) for one in tale.state.colony_track if one is not None)
    for words, shown in (
        ("Take it, if the bid reaches it: Yengii → you", f"Yengii takes {colony}"),
        ("Do not take it: you → Yengii", f"you do not take {colony}"),
        ("Take it and hand it on next turn: Yengii → you", f"only if Yengii takes {colony}"),
    ):
        hand.about_sale(colony)
        hand.says(words, shown)
        assert hand.sends() == 3 + SEND


def test_bids_thefts_and_partners_are_agreed_by_tapping_a_player(visitors: Visitors, phone: bool) -> None:
    """TRADE-10, TRADE-17: bid at least and at most n, steal nothing, no deals with one, cubes to choose."""
    hand, _ = sits(visitors, Tale(*SPECIES), phone)
    for who, words, before, after in (
        ("Yengii", "Bid for colonies, at least …", "bids at least 1 for", "bids at least 2 for colonies"),
        ("Yengii", "Bid for research, at most …", "bids at most 0 for", "bids at most 1 for research"),
        ("Yengii", "Strike no deal with Zeth", "Yengii strikes no deal with Zeth", None),
        ("Yengii", "Small cubes of choice, next turn", "2 green/white/brown", "3 green/white/brown"),
        ("Zeth", "Steal nothing", "Zeth does not steal from you", None),
    ):
        hand.about_seat(who)
        hand.says(f"{words}: {who} → you", before)
        if after:
            hand.press("One more", composer(hand.person))
            expect(composer(hand.person).get_by_text(after).first).to_be_visible()
        assert hand.sends() == 3 + phone + bool(after) + SEND


def test_one_good_or_another_is_promised_with_who_chooses(visitors: Visitors, phone: bool) -> None:
    """TRADE-17: an ultratech or two green; the debtor chooses."""
    hand, bela = sits(visitors, Tale(*SPECIES), phone)
    hand.wants("Yengii", "yellow")
    hand.reviews()
    opened = hand.taps
    hand.gives("ultratech")
    hand.press("Or something else from you", composer(hand.person))
    hand.gives("green")
    hand.gives("green")
    hand.choose("Who chooses", "you choose")
    assert hand.sends() == opened + 6 + SEND
    bela.tab("For me").click()
    bela.sees(re.compile(r"1 ultratech or 2 green, as .* chooses"))


def test_a_ring_of_three_takes_no_more_than_three_taps_a_leg(visitors: Visitors, phone: bool) -> None:
    """TRADE-8: Yengii to me, Caylion to Yengii, I to Caylion."""
    hand, _ = sits(visitors, Tale(*SPECIES), phone)
    hand.wants("Yengii", "yellow")
    if phone:
        hand.reviews()
    hand.press("party", composer(hand.person))
    if phone:
        hand.press("Caylion", composer(hand.person))
        hand.press("Close")
        hand.tap(chip(hand.person, "Caylion", "green"))
        hand.reviews()
    else:
        hand.wants("Caylion", "green")
    hand.gives("white")
    making = composer(hand.person)
    for giver, to in (("Caylion", "Yengii"), ("you", "Caylion")):
        leg = making.get_by_text(f"{giver} →", exact=True).locator("..")
        expect(leg.get_by_label("To whom").locator("option:checked")).to_have_text(to)
    assert hand.sends() <= 3 * 3 + SEND


def test_what_i_have_none_of_is_promised_by_its_chip(visitors: Visitors, phone: bool) -> None:
    """TRADE-9: goods not yet produced are due in the next turn at the earliest."""
    hand, _ = sits(visitors, Tale(*SPECIES), phone)
    hand.wants("Yengii", "yellow")
    hand.reviews()
    opened = hand.taps
    hand.gives("ship")
    expect(composer(hand.person).get_by_label("When")).to_have_value("2 start")
    assert hand.sends() == opened + 1 + SEND


def test_a_promise_hangs_on_a_deed_tapped_on_its_card(visitors: Visitors, phone: bool) -> None:
    """TRADE-10: only if it is run."""
    tale = Tale(*SPECIES)
    hand, _ = sits(visitors, tale, phone)
    works = named(next(one for one in held(tale.state, "kit", "starting") if CATALOG.cards[one].leads))
    hand.about(works)
    hand.says("Lend it next turn: you → Yengii", None)
    if phone:
        hand.press("Close")
    hand.about(works)
    hand.says(f"you run {works}", f"only if you run {works}")
    assert hand.sends() == 4 + phone + SEND


def test_anyone_stays_chosen_and_nobody_is_never_everybody(visitors: Visitors) -> None:
    hand, bela = sits(visitors, Tale(*SPECIES), False)
    anna, making = hand.person, composer(hand.person)
    anyone = anna.button("Anyone", making)
    hand.gives("green")
    expect(making.get_by_text("choose whom it is for")).to_be_visible()
    anna.page.keyboard.press("Enter")
    anyone.click()
    hand.wants("Yengii", "yellow")
    expect(anyone).to_have_attribute("aria-pressed", "true")
    anyone.press("Enter")
    expect(anyone).to_have_attribute("aria-pressed", "true")
    anna.tab("Mine").click()
    expect(anna.page.get_by_role("article", name=re.compile("^Offer by"))).to_have_count(0)
    anyone.click()
    anna.page.keyboard.press("Enter")
    bela.tab("Market").click()
    bela.sees("to anyone")
