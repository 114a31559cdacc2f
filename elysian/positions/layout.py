"""Layout: where every card lies, while cards are moved between their places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from elysian.catalog import Card
from elysian.deals import CardId, Seat
from elysian.deck import CATALOG
from elysian.positions.area import Area, Changes, ImpossiblePosition, Placed
from elysian.state import Held, Pile, State


def _printed(card: CardId) -> Card:
    if card not in CATALOG.cards:
        raise ImpossiblePosition(f"There is no card {card!r}.")
    return CATALOG.cards[card]


def _team(name: str) -> CardId:
    """The research team of a technology; a team may also be named itself."""
    if name in CATALOG.technologies:
        return CATALOG.technologies[name].research
    if _printed(name).research is None:
        raise ImpossiblePosition(f"{name!r} is no technology and no research team.")
    return name


def _placed(card: CardId | Placed) -> Placed:
    return card if isinstance(card, Placed) else Placed(card)


def _era(card: CardId) -> int:
    return CATALOG.cards[card].era or 0


class Layout:
    """The places of a table, while cards are moved between them."""

    def __init__(self, game: State) -> None:
        self.game = game
        self.areas = [dict(player.cards) for player in game.players]
        self.decks = [list(player.deck) for player in game.players]
        self.spent = [dict(player.spent) for player in game.players]
        self.invented = [list(player.invented) for player in game.players]
        self.piles = {"colony": game.colonies, "research": game.research}
        self.tracks = {"colony": list(game.colony_track), "research": list(game.research_track)}
        self.relics, self.shared, self.removed = list(game.relics), list(game.shared), list(game.removed)
        self.named: set[CardId] = set()

    # ------------------------------------------------------------ moving

    def lay(self, areas: Mapping[Seat, Area], what: Changes) -> None:
        """Take every card that is named from where it lies, and lay it where it shall be."""
        for seat, area in areas.items():
            self._area(seat, area)
        if "colony_track" in what:
            self._track("colony", what["colony_track"])
        if "research_track" in what:
            self._track("research", what["research_track"])
        for card in what.get("put_back", ()):
            self._take(card)
            self._home(card)
        if "shared" in what:
            self._share(what["shared"])
        for seat, area in areas.items():
            if area.invented is not None:
                self._invent(seat, area.invented)
        self._top("colony", what.get("colonies", ()))
        self._top("research", what.get("research", ()))
        self._top_relics(what.get("relics", ()))

    def _take(self, card: CardId) -> None:
        """A card leaves its place; nobody may lay it twice."""
        printed = _printed(card)
        if printed.species is not None and printed.species not in self.game.settings.species:
            raise ImpossiblePosition(f"{card!r} is a card of a species that is not at this table.")
        if card in self.named:
            raise ImpossiblePosition(f"{card!r} is laid in two places.")
        self.named.add(card)
        for area in self.areas:
            area.pop(card, None)
        for spent in self.spent:
            spent.pop(card, None)
        for pile in (*self.decks, *self.invented, self.relics, self.shared, self.removed):
            if card in pile:
                pile.remove(card)
        for kind, track in self.tracks.items():
            self.tracks[kind] = [None if one == card else one for one in track]
            self._draw(kind, card)

    def _draw(self, kind: str, card: CardId) -> None:
        pile = self.piles[kind]
        if card in pile.cards:
            at = pile.cards.index(card)
            known = pile.known - (at >= len(pile.cards) - pile.known)
            self.piles[kind] = Pile(cards=pile.cards[:at] + pile.cards[at + 1 :], known=known)

    def _home(self, card: CardId) -> None:
        """A card goes back to the deck it comes from: to the last of its era, if it has one."""
        printed = _printed(card)
        if printed.kind in self.piles:
            pile = self.piles[printed.kind]
            unseen = len(pile.cards) - pile.known
            later = (n for n in range(unseen) if _era(pile.cards[n]) > _era(card))
            at = next(later, unseen)
            self.piles[printed.kind] = replace(pile, cards=(*pile.cards[:at], card, *pile.cards[at:]))
        elif printed.kind == "relic":
            self.relics.append(card)
        else:
            self.decks[self.game.settings.species.index(printed.species or "")].append(card)

    # ------------------------------------------------------------ places

    def _area(self, seat: Seat, area: Area) -> None:
        placed = [_placed(card) for card in (*(area.cards or ()), *area.also)]
        for one in placed:
            self._take(one.card)
        if area.cards is not None:
            for card in list(self.areas[seat]):
                self._leave(self.areas[seat], card)
        for one in placed:
            self.areas[seat][one.card] = self._held(one)
            if one.spent is not None:
                self._spend(seat, one.spent, one)

    def _spend(self, seat: Seat, card: CardId, over: Placed) -> None:
        if not over.flipped or _printed(card).technology is None:
            raise ImpossiblePosition(f"{card!r} cannot have been spent on {over.card!r}.")
        self._take(card)
        self.spent[seat][card] = over.card

    def _leave(self, area: dict[CardId, Held], card: CardId) -> None:
        """Whatever was there goes home, unless it is laid elsewhere."""
        del area[card]
        self._home(card)

    def _held(self, placed: Placed) -> Held:
        printed = _printed(placed.card)
        bordered = printed.species is not None and not printed.keeps
        owner = self.game.seat_of(printed.species or "") if bordered else None
        return Held(owner=owner, flipped=placed.flipped, seedling=placed.seedling)

    def _track(self, kind: str, track: Sequence[CardId | None]) -> None:
        spaces = len(self.tracks[kind])
        if len(track) > spaces:
            raise ImpossiblePosition(f"The {kind} track has {spaces} spaces, not {len(track)}.")
        for card in filter(None, track):
            self._of_kind(card, kind)
            self._take(card)
        for card in filter(None, self.tracks[kind]):
            self._home(card)
        self.tracks[kind] = [*track, *(None for _ in range(spaces - len(track)))]

    def _top(self, kind: str, cards: Sequence[CardId]) -> None:
        for card in cards:
            self._of_kind(card, kind)
            self._take(card)
        pile = replace(self.piles[kind], cards=(*cards, *self.piles[kind].cards))
        eras = [_era(card) for card in pile.cards[: len(pile.cards) - pile.known]]
        if cards and eras != sorted(eras):
            raise ImpossiblePosition("Teams of an earlier era lie above those of a later one.")
        self.piles[kind] = pile

    def _top_relics(self, cards: Sequence[CardId]) -> None:
        for card in cards:
            self._of_kind(card, "relic")
            self._take(card)
        self.relics = [*cards, *self.relics]

    def _of_kind(self, card: CardId, kind: str) -> None:
        if _printed(card).kind != kind:
            raise ImpossiblePosition(
                f"{card!r} is a card of another kind, and does not lie with the {kind} cards."
            )

    def _share(self, technologies: Iterable[str]) -> None:
        teams = [_team(name) for name in technologies]
        for card in teams:
            self._take(card)
        for card in self.shared:
            self._home(card)
        self.shared = teams
        for seat in self.game.seats():
            for card in teams:
                self._enter(seat, card)

    def _invent(self, seat: Seat, technologies: Iterable[str]) -> None:
        teams = [_team(name) for name in technologies]
        for card in teams:
            self._take(card)
        for card in self.invented[seat]:
            self._home(card)
        self.invented[seat] = teams
        for card in teams:
            self._enter(seat, card)

    def _enter(self, seat: Seat, team: CardId) -> None:
        """A seat's own card of a technology comes into play, if it is not there already."""
        research = CATALOG.cards[team].research
        if research is None or research.technology is None:
            return
        own = CATALOG.species_technology[self.game.settings.species[seat], research.technology]
        if own in self.decks[seat]:
            self.decks[seat].remove(own)
            self.areas[seat][own] = Held(owner=seat)

    # ------------------------------------------------------------ the table

    def state(self) -> State:
        """The table with every card in its place."""
        upgraded = {card for area in self.areas for card, held in area.items() if held.flipped}
        for seat, spent in enumerate(self.spent):
            for card, over in list(spent.items()):
                if over not in upgraded:  # what it was paid for is no longer upgraded
                    del spent[card]
                    self.decks[seat].append(card)
        players = tuple(
            replace(
                player,
                cards=self.areas[seat],
                deck=tuple(self.decks[seat]),
                spent=self.spent[seat],
                invented=tuple(self.invented[seat]),
            )
            for seat, player in enumerate(self.game.players)
        )
        return replace(
            self.game,
            players=players,
            colonies=self.piles["colony"],
            research=self.piles["research"],
            relics=tuple(self.relics),
            colony_track=tuple(self.tracks["colony"]),
            research_track=tuple(self.tracks["research"]),
            shared=tuple(self.shared),
            removed=tuple(self.removed),
        )


def check_cards(game: State) -> None:
    """Cards lie as cards can."""
    for player in game.players:
        for card, held in player.cards.items():
            printed = CATALOG.cards[card]
            if held.flipped and printed.back is None:
                raise ImpossiblePosition(f"{card!r} has no other side.")
            if held.seedling and printed.kind != "colony":
                raise ImpossiblePosition(f"{card!r} is no colony, and takes no seedling.")
            if printed.mate is not None and printed.mate not in player.cards:
                raise ImpossiblePosition(
                    f"{card!r} and {printed.mate!r} are halves of one card, and stay together."
                )
