"""A person's seat in the terminal: reads commands, draws what was asked for, returns actions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import TextIO

from msgspec.structs import replace

from elysian.actions import (
    AcceptDeal,
    Action,
    DeclineDeal,
    Done,
    Invent,
    LayPlan,
    NotDone,
    Pass,
    ProposeDeal,
    PutIntoPlay,
    RunConverter,
    UpgradeCard,
)
from elysian.cli.talk import Left, Talk
from elysian.deals import Deal, Give, License, Note
from elysian.deck import CATALOG
from elysian.goods import Goods
from elysian.messages import label
from elysian.options import Options
from elysian.text import planner
from elysian.text.cards import cost_words, describe, find
from elysian.text.moves import TypedMoves
from elysian.text.screen import HEIGHT, Drawing, Screen, columns, folded
from elysian.typed_offers import find_seat, parse_counter, parse_offer
from elysian.view import View

# How many offers and menu entries the main screen shows: as many as fit; `offers` and `menu` show all.
SHOWN = ((4, 9), (4, 7), (3, 6), (3, 5), (2, 5), (2, 4), (1, 4), (1, 3))
PUZZLING = ("name_the_payment", "wrong_colonies")  # reasons that the price explains better
VIOLET = (Invent, PutIntoPlay, RunConverter, UpgradeCard)


class Person(Talk):
    """Talks with one person about what they see and can do; knows a view and options, nothing else."""

    def __init__(self, screen: Screen, source: TextIO, language: str) -> None:
        """Read commands from `source`, answer on `screen`."""
        super().__init__(screen, source, language)
        self.log: list[str] = []
        self.view: View
        self.options: Options
        self.ticked: frozenset[int] | None = None  # None: nothing ticked yet this turn
        self.commands: dict[str, Callable[[str], Action | None]] = {
            "accept": self._accept,
            "back": lambda rest: NotDone(),
            "bid": lambda rest: self.typed().bid(rest),
            "cards": self._cards,
            "choose": lambda rest: self.typed().choose_goods(rest),
            "counter": self._counter,
            "decline": self._decline,
            "discard": lambda rest: self.typed().discard(rest),
            "done": self._done,
            "give": lambda rest: self.typed().give(rest),
            "help": self._help,
            "ledger": lambda rest: self.print(self.draw().ledger()),
            "lend": lambda rest: self._offer(f"lend {rest}"),
            "log": self._log,
            "menu": self._whole_menu,
            "offer": self._offer,
            "offers": self._offers,
            "pass": lambda rest: Pass(),
            "plan": self._plan,
            "quit": self._quit,
            "release": lambda rest: self.typed().release(rest),
            "show": self._show,
            "table": lambda rest: self.main_screen(),
            "tracks": lambda rest: self.print(self.draw().tracks()),
            "withdraw": lambda rest: self.typed().withdraw(rest),
        }

    def draw(self) -> Drawing:
        """The table as it is now."""
        return Drawing(self.view, self.options, self.messages, self.screen)

    def typed(self) -> TypedMoves:
        """What can be typed now."""
        return TypedMoves(self.view, self.options, self.messages)

    # ------------------------------------------------------------ one command

    def act(self) -> Action | None:
        """What the person asks for with one command; None when it only asked to see something."""
        me = CATALOG.species[self.view.me.species].in_language(self.messages.code).short
        typed = self.read(f"{me}> ")
        if not typed:
            self.main_screen()
            return None
        try:
            return self._understand(typed)
        except ValueError as problem:
            self.screen.say(str(problem))
            return None

    def _understand(self, typed: str) -> Action | None:
        first, _, rest = typed.partition(" ")
        if first.isdecimal():
            return self._choose(int(first), rest.strip())
        if ">" in typed and self._command(first) not in ("offer", "lend", "counter"):
            return self._offer(typed)
        command = self._command(first)
        if command is None:
            near = get_close_matches(first.casefold(), [*self.commands, *self.messages.command.values()], n=1)
            key = "did_you_mean" if near else "not_understood"
            raise ValueError(self.words(key, typed=first[:30], near=near[0] if near else ""))
        return self.commands[command](rest.strip())

    def _command(self, typed: str) -> str | None:
        """The command with that name in English or the person's language, or the only one that begins so."""
        typed = typed.casefold().lstrip("/")
        names = {name: name for name in self.commands}
        names |= {word: name for name, word in self.messages.command.items()}
        if typed in ("?", "h"):
            return "help"
        if typed in names:
            return names[typed]
        begun = {name for word, name in names.items() if typed and word.startswith(typed)}
        return begun.pop() if len(begun) == 1 else None

    # ------------------------------------------------------------ the main screen

    def main_screen(self) -> None:
        """What matters in this step, in as few lines as it takes."""
        draw = self.draw()
        table = [*draw.head(), *draw.strip(), *self._matter()]
        standing, hint = list(draw.standing()), self._hint()
        for offers, menu in SHOWN:
            below = [*draw.offers(offers), *standing, *self._menu(menu), *hint]
            if len(table) + len(below) < HEIGHT:
                break
        self.print([*table, *below])

    def _matter(self) -> Iterable[str]:
        """What the step is about."""
        draw, step = self.draw(), self.view.step
        if step in ("bid", "colony_auction", "research_auction"):
            yield from draw.tracks(only=None if step == "bid" else step.partition("_")[0])
        if step == "plan":
            yield from self._planner()
        if step == "support":
            yield from folded(self.words("must_discard", count=self.options.discard))
            yield from self._colonies()
        if step == "gifts":
            yield from folded(self.words("must_give", goods=draw.telling.goods(self.options.give_away)))

    def _hint(self) -> list[str]:
        """What can be typed now."""
        draw = self.draw()
        hint = self.messages.terminal.get(f"hint_{self.view.step}", self.messages.terminal["hint"])
        ships = self.options.ships or 0
        bid = f"{ships - ships // 3} {ships // 3}"
        return folded(hint.format(offer=draw.example(), ships=draw.telling.say("ships", ships), bid=bid))

    def welcome(self, name: str, others: str, greeting: str = "welcome") -> None:
        """The first screen: who plays, what wins, what the signs mean and what to type."""
        for part in (greeting, "goal", "signs", "typing"):
            self.screen.say(self.words(part, name=name, others=others))
            self.screen.line()

    def _menu(self, most: int) -> Iterable[str]:
        choices = self.typed().menu()
        if choices:
            yield self.words("menu")
        for n, choice in enumerate(choices[:most], start=1):
            yield from folded(f"{n:>4}) {self._label(choice.action, choice.gain)}", " ", "       ")
        if len(choices) > most:
            yield "  " + self.words("more", count=len(choices) - most)

    def _label(self, action: Action, gain: Goods) -> str:
        return label(action, self.view.settings.species, self.language, self.view.obligations, gain)

    def _whole_menu(self, rest: str) -> None:
        """Everything the person can do; `menu all` adds what they cannot, with the reason."""
        self.print(self._menu(len(self.typed().menu())))
        if rest not in ("all", self.messages.terminal["all"]):
            return
        self.screen.line(self.words("refused"))
        telling = self.draw().telling
        for choice in self.options.choices:
            refused = choice.refused
            if refused is None or choice.price is None or not isinstance(choice.action, VIOLET):
                continue
            colonies = {} if isinstance(choice.action, Invent) else {"colonies": ()}
            said = self._label(replace(choice.action, pay=None, **colonies), choice.gain)
            price = self.draw().printed(cost_words(choice.price))
            why = "" if refused.code in PUZZLING else telling.refusal(refused.code, refused.facts)
            self.screen.say(f"{said} [{price}]{why and ': ' + why}", "  ", "    ")

    def _choose(self, number: int, rest: str) -> Action | None:
        """Menu entry `number`; `pay 2g` or `take 1w` behind it name other cubes than those suggested."""
        choice = self.typed().numbered(number, rest)
        return choice.action if self._means(choice.action, choice.gain) else None

    def _means(self, action: Action, gain: Goods) -> bool:
        """Ask before what cannot be taken back: inventing, spending a card, consuming a colony."""
        final = isinstance(action, Invent)
        if isinstance(action, UpgradeCard):
            final = CATALOG.cards[action.card].upgrades[action.way].technology is not None
        if isinstance(action, RunConverter | PutIntoPlay | UpgradeCard):
            final = final or bool(action.colonies)
        if not final:
            return True
        return self.sure(self.words("cannot_be_undone", action=self._label(action, gain)))

    # ------------------------------------------------------------ deals

    def _offer(self, rest: str) -> Action | None:
        return self._proposed(parse_offer(rest, self.view, self.language))

    def _proposed(self, offer: ProposeDeal) -> Action | None:
        assert self.view.seat is not None
        said = self.draw().telling.terms(_deal(offer, self.view.seat))
        self.screen.say(self.words("you_offer", terms=said), hang="  ")
        return offer

    def _counter(self, rest: str) -> Action | None:
        number, _, terms = rest.partition(" ")
        return self._proposed(parse_counter(terms, self.view, self.typed().deal(number), self.language))

    def _accept(self, rest: str) -> Action | None:
        deal = self.typed().deal(rest)
        assert self.view.seat is not None
        taken = deal.taken_by(self.view.seat) if deal.is_open else deal
        if all(isinstance(clause, Give | License | Note) for clause in deal.clauses):
            return AcceptDeal(deal=deal.id)
        terms = self.draw().telling.terms(taken)
        return AcceptDeal(deal=deal.id) if self.sure(self.words("binding", terms=terms)) else None

    def _decline(self, rest: str) -> Action | None:
        return DeclineDeal(deal=self.typed().deal(rest).id)

    def _offers(self, rest: str) -> None:
        lines = [*self.draw().offers(), *self.draw().my_offers()]
        self.print(lines or [self.words("no_offers")])

    # ------------------------------------------------------------ what the steps ask for

    def _done(self, rest: str) -> Action | None:
        step = self.view.step
        if step == "plan":
            return LayPlan(runs=self._current().runs)
        if step in ("bid", "support", "gifts", "colony_auction", "research_auction"):
            raise ValueError(self.words(f"not_done_{step}"))
        return Done()

    def _current(self) -> planner.Plan:
        """The plan as ticked; the best simple one as long as nothing was."""
        if self.ticked is None:
            return planner.best(self.view, self.options)
        return planner.plan(self.view, self.options, self.ticked)

    def _plan(self, rest: str) -> Action | None:
        """Tick converters: `plan 1 3`, `plan +2`, `plan -2`, `plan best`, `plan none`; or only look."""
        if not self.options.runs:
            raise ValueError(self.words("no_converters"))
        words = rest.replace(",", " ").split()
        if words:
            self.ticked = planner.ticked_by(words, self._current(), self.view, self.options, self.messages)
        made = self._current()
        self.print(self._planner())
        if not words:
            return None
        self.ticked = made.ticked | set(made.unpaid) | set(made.unsupported)
        return LayPlan(runs=made.runs, ready=False)

    def _planner(self) -> Iterable[str]:
        return planner.drawn(self._current(), self.view, self.options, self.messages)

    def _colonies(self) -> Iterable[str]:
        cards = self.view.me.cards
        for n, card in enumerate(self.typed().colonies(), start=1):
            name = CATALOG.cards[card].face(cards[card].flipped).name
            yield from columns(f"{n:>2}  {name}", self.draw().converters(card, cards))

    # ------------------------------------------------------------ looking things up

    def _cards(self, rest: str) -> None:
        seat = self.view.seat
        if rest and rest not in ("me", "mine"):
            seat, _ = find_seat(rest, self.view, self.messages)
        if seat is not None and seat >= 0:
            self.print(self.draw().cards(seat))

    def _show(self, rest: str) -> None:
        try:
            found = find(rest)
        except LookupError:
            raise ValueError(self.words("no_card", typed=rest[:40])) from None
        if len(found) > 1:
            some = dict.fromkeys(card.front.name for card in found[:12])
            names = ", ".join([*some, *(["..."] if len(found) > 12 else [])])
            self.screen.say(self.words("several", count=len(found), names=names))
        else:
            self.print(describe(found[0]))

    def _log(self, rest: str) -> None:
        count = int(rest) if rest.isdecimal() and len(rest) < 5 else 20
        for line in self.log[-count:]:
            self.screen.say(line, hang="  ")

    def _help(self, rest: str) -> None:
        for line in self.messages.terminal["help"].splitlines():
            self.screen.line(line)

    def _quit(self, rest: str) -> None:
        if self.sure(self.words("really_quit")):
            raise Left


def _deal(offer: ProposeDeal, proposer: int) -> Deal:
    """An offer as it will lie on the table."""
    return Deal(id="d0", proposer=proposer, parties=offer.parties, clauses=offer.clauses)
