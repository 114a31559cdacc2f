"""The handful of changes most events are made of."""

from msgspec.structs import replace

from elysian.deals import CardId, Seat
from elysian.event_parts import Licensed, Moved, Paid
from elysian.goods import Goods
from elysian.state import Held, Pile, PlayerState, State


def without(cards: dict[CardId, Held], gone: tuple[CardId, ...]) -> dict[CardId, Held]:
    """An area less some cards."""
    return {card: held for card, held in cards.items() if card not in gone}


def under(pile: Pile, cards: tuple[CardId, ...]) -> Pile:
    """Cards go under the deck in the open, in this order."""
    return Pile(cards=pile.cards + cards, known=pile.known + len(cards)) if cards else pile


def drawn(pile: Pile, count: int) -> Pile:
    """Cards leave the top of the deck."""
    cards = pile.cards[count:]
    return Pile(cards=cards, known=min(pile.known, len(cards)))


def pay(state: State, seat: Seat, paid: Paid, gain: Goods) -> tuple[State, PlayerState]:
    """Take a converter's input from a seat and give it the output; colonies leave its area (VIO-6)."""
    player = state.players[seat]
    if paid.goods:
        player = player.paying(paid.goods)
    if gain:
        player = player.gaining(gain)
    gone = paid.under + paid.removed
    if gone:
        player = replace(player, cards=without(player.cards, gone))
        state = replace(
            state, colonies=under(state.colonies, paid.under), removed=state.removed + paid.removed
        )
    return state, player


def move(state: State, *transfers: Moved) -> State:
    """Carry out transfers, one after the other."""
    players = list(state.players)
    for moved in transfers:
        _carry(players, moved)
    return replace(state, players=tuple(players))


def _carry(players: list[PlayerState], moved: Moved) -> None:
    """Carry out one transfer; what was on a donation card is ordinary for its receiver (DON-4)."""
    giver, to = players[moved.giver], players[moved.to]
    if moved.goods:
        giver = giver.paying(moved.goods)
    if moved.donation:
        giver = replace(giver, donation=giver.donation - moved.donation)
    if moved.tied:
        left = giver.tied - moved.tied
        giver = replace(giver, tied=left, tied_to=moved.to if left else None)
    received = moved.goods
    if moved.donation:
        received = received + moved.donation
    if moved.tied:
        received = received + moved.tied
    if received:
        to = to.gaining(received)
    if moved.cards:
        carried = {card: giver.cards[card] for card in moved.cards}
        giver = replace(giver, cards=without(giver.cards, moved.cards))
        to = replace(to, cards={**to.cards, **carried})
    players[moved.giver], players[moved.to] = giver, to


def enter(player: PlayerState, card: CardId, held: Held) -> PlayerState:
    """A card leaves the species deck for the area."""
    deck = player.deck
    if card in deck:
        place = deck.index(card)
        deck = deck[:place] + deck[place + 1 :]
    return replace(player, deck=deck, cards={**player.cards, card: held})


def licence(state: State, licensed: Licensed) -> State:
    """The licensee's own card enters play for good."""
    player = state.players[licensed.to]
    return state.with_player(licensed.to, enter(player, licensed.card, Held(owner=licensed.to)))


def drop_deals(state: State, deals: tuple[str, ...]) -> State:
    """Offers leave the table."""
    return replace(state, deals={k: deal for k, deal in state.deals.items() if k not in deals})


def drop_obligations(state: State, gone: tuple[str, ...]) -> State:
    """Promises no longer stand."""
    state = replace(state, obligations={k: o for k, o in state.obligations.items() if k not in gone})
    return drop_choices(state, gone)


def drop_choices(state: State, gone: tuple[str, ...]) -> State:
    """What was chosen for promises counts no more."""
    if not state.choices:
        return state
    return replace(state, choices={k: goods for k, goods in state.choices.items() if k not in gone})
