"""Games told up to the moment a test is about, and the people who go on from there."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, expect

from elysian.actions import AcceptDeal, Action, Done, Invent, ProposeDeal, TimeUp
from elysian.deals import Give
from elysian.deck import CATALOG
from elysian.goods import NOTHING, Goods
from elysian.payment import suggest
from elysian.record import Record, dump
from elysian.rules import begin, decide
from elysian.state import Settings, State
from tests.support.table import player, seat_of
from tools.drive.person import Person, Visitors
from tools.drive.playing import presses
from tools.drive.waiting import until

Fits = Callable[[State], bool]


class Tale:
    """A game that is being told, action by action; its first species is Anna's, its second may be Bela's."""

    def __init__(self, *species: str, fits: Fits = lambda state: True) -> None:
        seeds = range(500)
        begun = (Record.begin(Settings(species=species), seed) for seed in seeds)
        self.record = next(one for one in begun if fits(begin(one.head.started)))
        self.state = begin(self.record.head.started)

    def does(self, who: str | None, action: Action) -> Tale:
        seat = None if who is None else seat_of(self.state, who)
        events, self.state = decide(self.state, seat, action)
        self.record.add(seat, action, events)
        return self

    def gives(self, giver: str, to: str, goods: Goods = NOTHING, *cards: str) -> Tale:
        """One hands something to another, and asks for nothing."""
        one, other = seat_of(self.state, giver), seat_of(self.state, to)
        handed = Give(giver=one, to=other, goods=goods, cards=cards)
        self.does(giver, ProposeDeal(parties=(one, other), clauses=(handed,)))
        return self.does(to, AcceptDeal(deal=f"d{self.state.made}"))

    def done(self, *who: str) -> Tale:
        for one in who:
            self.does(one, Done())
        return self

    def endows(self, to: str, *givers: str) -> Tale:
        """One gets all that these others have."""
        for one in givers:
            self.gives(one, to, player(self.state, one).stock)
        return self

    def until(self, step: str) -> Tale:
        """Nobody does more than they must."""
        for _ in range(40):
            if self.state.step == step:
                return self
            self.does(None, TimeUp())
        raise AssertionError(f"the tale never comes to {step}")


def held(state: State, who: str, kind: str = "colony") -> list[str]:
    """The cards of a kind in front of a species."""
    cards = state.players[seat_of(state, who)].cards
    return [card for card in cards if CATALOG.cards[card].kind == kind]


def lives_on(who: str, *climates: str) -> Fits:
    """Whether a species begins with colonies of these climates."""
    return lambda game: [CATALOG.cards[card].front.climate for card in held(game, who)] == [*climates]


def named(card: str) -> str:
    return CATALOG.cards[card].front.name


def invention(state: State, who: str, *givers: str) -> Invent | None:
    """How a species could invent with its first team if these others gave it all they have."""
    [team, *_] = held(state, who, "research")
    goods = sum((player(state, one).stock for one in givers), player(state, who).stock)
    research = CATALOG.cards[team].research
    assert research is not None
    paid = (suggest(cost, goods) for cost in research.costs)
    return next((Invent(card=team, cost=n, pay=pay) for n, pay in enumerate(paid) if pay is not None), None)


def can_invent(who: str, *givers: str) -> Fits:
    return lambda game: invention(game, who, *givers) is not None


# ---------------------------------------------------------------- sitting down


def alone(visitors: Visitors, tale: Tale) -> Person:
    """Anna goes on with bots."""
    return _sit(visitors, tale, 1)[0]


def both(visitors: Visitors, tale: Tale) -> tuple[Person, Person]:
    """Anna and Bela go on, each in front of a window; bots hold the other seats."""
    anna, bela = _sit(visitors, tale, 2)
    return anna, bela


def _sit(visitors: Visitors, tale: Tale, people: int) -> list[Person]:
    anna = visitors.come("Anna").arrives()
    bots = {str(seat): "novice" for seat in tale.state.seats() if seat >= people}
    body = {"name": "Anna", "seat": 0, "bots": bots, "from": {"record": dump(tale.record).decode()}}
    opened = anna.page.request.post(f"{anna.origin}/api/tables", data=body, headers={"Origin": anna.origin})
    assert opened.ok, opened.text()
    link = f"/t/{opened.json()['table']}#{opened.json()['invitation']}"
    came = [anna.goes(link)]
    if people > 1:
        bela = visitors.come("Bela").goes(link)
        bela.page.get_by_label("Your name").fill("Bela")
        bela.button("Sit down").click()
        came.append(bela)
    expect(anna.page.get_by_text("all seats are taken")).to_be_visible()
    anna.button("Start the game").click()
    for person in came:
        if tale.state.turn > 1:
            expect(person.page.get_by_role("region", name="Deals")).to_be_visible()
            continue
        # Whoever plays for the first time is led through the first turn.
        led = person.button(re.compile("^(End the guide|Understood)$"))
        led.click()
        expect(led).to_have_count(0)
    return came


# ---------------------------------------------------------------- at the table


def economy(person: Person) -> Locator:
    return person.page.get_by_role("region", name="My economy")


def dialog(person: Person) -> Locator:
    return person.page.get_by_role("dialog")


def card(person: Person, name: str) -> Locator:
    """A card of one's own."""
    cards = economy(person).get_by_role("group", name="My economy").get_by_role("article")
    return cards.filter(has=person.page.get_by_role("heading", name=name, exact=True))


def opens(person: Person, name: str, words: str) -> Locator:
    """Press what can be done with a card; what is asked then."""
    person.button(re.compile(f"^{re.escape(words)}"), card(person, name)).first.click()
    expect(dialog(person)).to_be_visible()
    return dialog(person)


def agrees(person: Person, name: str) -> None:
    """Answer what is asked."""
    person.button(name, dialog(person)).click()
    expect(dialog(person)).to_have_count(0)


def ticks(person: Person, name: str) -> None:
    person.page.get_by_role("checkbox", name=f"Run {name}", exact=True).check()


def pays(person: Person, name: str, goods: str) -> None:
    """Choose how a converter of the plan is paid."""
    person.button(re.compile("^Paid with; choose otherwise"), card(person, name)).click()
    dialog(person).get_by_role("radio", name=re.compile(f"^{goods}")).click()
    paid = re.compile(f"^Paid with; choose otherwise {goods}")
    expect(person.button(paid, card(person, name))).to_be_visible()


def ends_trading(*people: Person) -> None:
    """They are done, with the last inventions and upgrades too, until the table asks what is to run."""

    def is_asked(person: Person) -> bool:
        presses(person.button(re.compile("^Done( trading)?$")))
        return person.button("Run these").is_visible()

    until(lambda: not [person for person in people if not is_asked(person)])


def runs(person: Person) -> None:
    """Run what is ticked, as soon as everybody is done trading."""
    lay = person.button("Run these")
    lay.click()

    def is_laid() -> bool:
        presses(person.button("Run these", dialog(person)))
        return lay.count() == 0

    until(is_laid)


def logged(person: Person, words: str) -> None:
    """This person reads it in the log."""
    person.tab("Log").click()
    expect(person.page.get_by_role("tabpanel").get_by_text(re.compile(words)).first).to_be_visible()
