"""Arranging what only some species need: their decks, a track, an auction, a night of thefts."""

from msgspec.structs import replace

from elysian.goods import Goods
from elysian.rules import waiting
from elysian.rules.confluence import next_bidder
from elysian.state import Held, Pile, Run, State
from tests.support.table import Who, bid, change, player, put_away, run_economy, seat_of, until


def run(card: str, converter: int = 0, cost: int = 0, colour: str | None = None, **pay: int) -> Run:
    """One run of a white converter, paid with these goods or, when none are named, as printed."""
    return Run(card=card, converter=converter, cost=cost, colour=colour, pay=Goods(**pay) if pay else None)


def relics(game: State, *cards: str) -> State:
    """The table with exactly these relic worlds in the face-down deck, top first."""
    return replace(game, relics=cards)


def colonies_on_top(game: State, *cards: str) -> State:
    """The table with these colonies on top of the colony deck."""
    for card in cards:
        game = put_away(game, card)
    rest = tuple(card for card in game.colonies.cards if card not in cards)
    return replace(game, colonies=Pile(cards=(*cards, *rest)))


def colony_track(game: State, *cards: str) -> State:
    """The table with exactly these colonies on the first spaces of the colony track."""
    game = colonies_on_top(game, *cards)
    empty = (None,) * (len(game.colony_minimums) - len(cards))
    deck = Pile(cards=game.colonies.cards[len(cards) :])
    return replace(game, colonies=deck, colony_track=(*cards, *empty))


def at_auction(game: State, **ships: tuple[int, int]) -> State:
    """The table after a quiet economy with these bids (colony, research), each with just those ships."""
    for species, (colony, research) in ships.items():
        stock = replace(player(game, species).stock, ship=colony + research)
        game = change(game, species, stock=stock)
    return bid(run_economy(game, {}), **ships)


def acting(game: State) -> tuple[str, int]:
    """The species whose turn it is in the auction, and with how many ships."""
    bidder = next_bidder(game)
    assert bidder is not None
    assert waiting(game) == (bidder.seat,)
    return game.settings.species[bidder.seat], bidder.ships


def stealing(game: State) -> State:
    """The table at the steal step, after a turn in which nobody ran or bid anything."""
    return until(run_economy(game, {}), "steal")


def held(game: State, who: Who, card: str) -> Held:
    """How a card lies in a seat's area."""
    return player(game, who).cards[card]


def holder(game: State, card: str) -> str:
    """The species in whose area a card lies."""
    (found,) = [p.species for p in game.players if card in p.cards]
    return found


def seats(game: State, *who: Who) -> tuple[int, ...]:
    """The seats of some species."""
    return tuple(seat_of(game, name) for name in who)
