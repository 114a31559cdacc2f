"""Moves as they are typed: `3`, `bid 2 1`, `give NAME 2g`; what is wrong with one is said in a sentence."""

from __future__ import annotations

from msgspec.structs import replace

from elysian.actions import (
    AcceptDeal,
    Action,
    ChooseGoods,
    DeclineDeal,
    DiscardColonies,
    Gift,
    GiveGifts,
    LayPlan,
    NotDone,
    PlaceBid,
    Release,
    WithdrawDeal,
)
from elysian.deals import Deal
from elysian.deck import CATALOG
from elysian.goods import Goods
from elysian.messages import Messages
from elysian.options import Choice, Options
from elysian.text.screen import is_for
from elysian.typed_offers import find_cards, find_seat, parse_goods
from elysian.view import View

# Ready-made actions that have a command of their own are not in the numbered menu.
BY_COMMAND = (
    AcceptDeal,
    ChooseGoods,
    DeclineDeal,
    DiscardColonies,
    LayPlan,
    NotDone,
    PlaceBid,
    Release,
    WithdrawDeal,
)


class TypedMoves:
    """What a seat can type at one moment of the table."""

    def __init__(self, view: View, options: Options, messages: Messages) -> None:
        """Read what is typed by one who sees this and can do that."""
        self.view = view
        self.options = options
        self.messages = messages

    def words(self, key: str, **names: object) -> str:
        """A text of the terminal game."""
        return self.messages.terminal[key].format(**names)

    # ------------------------------------------------------------ the menu

    def menu(self) -> list[Choice]:
        """The numbered choices: ready-made actions without a command of their own."""
        found = [choice for choice in self.options.choices if not isinstance(choice.action, BY_COMMAND)]
        found.sort(key=lambda choice: not isinstance(choice.action, GiveGifts))  # what must be done first
        return [choice for choice in found if choice.refused is None]

    def numbered(self, number: int, rest: str) -> Choice:
        """Menu entry `number`; `pay 2g` or `take 1w` behind it name other cubes than those suggested."""
        choices = self.menu()
        if not 1 <= number <= len(choices):
            raise ValueError(self.words("no_such_number", number=number, most=len(choices)))
        choice = choices[number - 1]
        verb, _, goods = rest.partition(" ")
        if rest and (verb not in ("pay", "take") or not hasattr(choice.action, verb)):
            raise ValueError(self.words("not_understood", typed=rest[:30]))
        if rest:
            changed = replace(choice.action, **{verb: parse_goods(goods, self.messages)})
            return replace(choice, action=changed)
        return choice

    # ------------------------------------------------------------ deals and promises

    def deal(self, number: str) -> Deal:
        """The offer with that number that the seat can answer; with no number, the only one."""
        number = number.removeprefix("#").removeprefix("d")
        open_to_me = [deal for deal in self.view.deals.values() if is_for(deal, self.view.seat)]
        if not number and len(open_to_me) == 1:
            return open_to_me[0]
        for deal in open_to_me:
            if deal.id == f"d{number}":
                return deal
        which = "no_such_offer" if number or not open_to_me else "which_offer"
        raise ValueError(self.words(which, number=number[:10] or "#", count=len(open_to_me)))

    def withdraw(self, rest: str) -> Action:
        """Take an offer of one's own back; with no number, the only one."""
        mine = [deal.id for deal in self.view.deals.values() if deal.proposer == self.view.seat]
        if not rest and len(mine) == 1:
            return WithdrawDeal(deal=mine[0])
        return WithdrawDeal(deal=f"d{rest.lstrip('#d')}")

    def release(self, rest: str) -> Action:
        """Let somebody off a promise: `release 3.1`."""
        return Release(obligation=f"d{rest.lstrip('#d')}")

    def choose_goods(self, rest: str) -> Action:
        """What shall keep a promise of a choice: choose 3.1 2g; without goods the choice is taken back."""
        name, _, goods = rest.partition(" ")
        chosen = parse_goods(goods, self.messages) if goods.strip() else Goods()
        return ChooseGoods(obligation=f"d{name.lstrip('#d')}", goods=chosen)

    # ------------------------------------------------------------ what the steps ask for

    def bid(self, rest: str) -> Action:
        """Two numbers: ships for colonies, ships for research."""
        numbers = rest.replace(",", " ").split()
        if len(numbers) != 2 or not all(number.isdecimal() and len(number) < 5 for number in numbers):
            raise ValueError(self.words("bid_how"))
        return PlaceBid(colony=int(numbers[0]), research=int(numbers[1]))

    def colonies(self) -> list[str]:
        """The colonies of the seat, in the order of their numbers."""
        return [card for card in self.view.me.cards if CATALOG.cards[card].is_colony]

    def discard(self, rest: str) -> Action:
        """Colonies by their numbers or names, in the order they go under the deck."""
        mine = self.colonies()
        chosen: list[str] = []
        for word in filter(None, rest.replace(",", " ").split()):
            named = find_cards(word, mine) if not word.isdecimal() else []
            if word.isdecimal() and 1 <= int(word) <= len(mine):
                named = [mine[int(word) - 1]]
            if len(named) != 1:
                raise ValueError(self.words("discard_how", typed=word[:20]))
            chosen += named
        return DiscardColonies(cards=tuple(chosen))

    def give(self, rest: str) -> Action:
        """A gift of donation goods: `give NAME 2g`, or all of them."""
        to, what = find_seat(rest, self.view, self.messages) if rest else (None, "")
        if to is None or not what:
            raise ValueError(self.words("give_how"))
        everything = what.casefold() in ("all", self.messages.terminal["all"])
        goods = self.options.give_away if everything else parse_goods(what, self.messages)
        return GiveGifts(gifts=(Gift(to=to, goods=goods),))
