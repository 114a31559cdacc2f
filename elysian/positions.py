"""Positions: a table arranged as one wants it, for a test, a puzzle or a study.

`arrange` begins with a game that has just been set up and changes what is named; `rearrange` does the same
to any table. What is not named stays as it was. A table no game could come to is refused with
ImpossiblePosition, whose sentence says why. Promises, plans, bids and who is done are put to the rules
themselves: what they refuse is refused here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypedDict, Unpack, get_args

from msgspec import Struct
from msgspec.structs import replace

from elysian.actions import AcceptDeal, Action, Done, LayPlan, PlaceBid, ProposeDeal
from elysian.catalog import Card
from elysian.deals import Binding, CardId, Forbear, Pledge, Seat, Undertake, sides
from elysian.deck import CATALOG
from elysian.draft import IllegalAction
from elysian.goods import KINDS, NOTHING, Goods
from elysian.messages import sentence
from elysian.rules import decide, new_game, waiting
from elysian.rules.economy import over_support
from elysian.species import rules_of
from elysian.state import TURNS, Held, Pile, PlayerState, Run, State, Step

SEEDLINGS = 6  # tokens in the box (CAY-6)
AUCTIONS = ("colony_auction", "research_auction")


class ImpossiblePosition(ValueError):  # noqa: N818 - it says what it is
    """No game comes to such a table; the sentence says why."""


class Placed(Struct, frozen=True):
    """A card in play, and how it lies."""

    card: CardId
    flipped: bool = False  # upgraded
    seedling: bool = False  # a colony that runs twice
    spent: CardId | None = None  # the technology that was paid for the upgrade, and lies under it


class Area(Struct, frozen=True, kw_only=True):
    """What one seat has and has done; None leaves it as it was."""

    goods: Goods | None = None  # exactly these in stock
    donation: Goods | None = None  # exactly these to be given away
    score: int | None = None
    cards: Sequence[CardId | Placed] | None = None  # exactly these in play
    also: Sequence[CardId | Placed] = ()  # in play besides
    invented: Sequence[str] | None = None  # technologies, or research teams, it keeps to itself
    done: bool = False  # has said so in this step
    plan: Sequence[Run] | None = None  # laid, in the step "plan"
    bid: tuple[int, int] | None = None  # ships for colonies and research, locked in the step "bid"


class Promise(Struct, frozen=True):
    """A promise that stands, and the turn it was made in."""

    clause: Binding
    made: int | None = None  # None: in the turn that is arranged


Areas = Mapping[str, Area] | Mapping[Seat, Area] | Mapping[str | Seat, Area]  # by species or by seat


class Changes(TypedDict, total=False):
    """What can be changed about a table; what is left out stays as it was."""

    turn: int
    step: Step
    seats: Areas
    colony_track: Sequence[CardId | None]  # the first spaces; the others are empty
    research_track: Sequence[CardId | None]
    colonies: Sequence[CardId]  # on top of the deck
    research: Sequence[CardId]
    relics: Sequence[CardId]
    shared: Sequence[str]  # technologies in the middle; everybody's own card of one comes into play
    put_back: Sequence[CardId]  # to the deck they come from, as what lay where others are put
    promises: Sequence[Binding | Promise]  # exactly these stand


def arrange(
    species: Sequence[str],
    *,
    seed: int | str = 1,
    bare: bool = False,
    options: Mapping[str, Any] = {},
    **what: Unpack[Changes],
) -> State:
    """A table for these species, seat by seat, set up with `seed` and then changed.

    `bare` begins without goods, colonies and research teams; `options` are those of Settings. Raises
    ImpossiblePosition.
    """
    try:
        game = new_game(tuple(species), seed=seed, **options)
    except IllegalAction as illegal:
        known = [name for name in species if name in CATALOG.species]
        raise ImpossiblePosition(sentence(illegal, known)) from None
    if bare:
        game = rearrange(game, seats={seat: _emptied(player) for seat, player in enumerate(game.players)})
    return rearrange(game, **what)


def _emptied(player: PlayerState) -> Area:
    kept = [card for card in player.cards if CATALOG.cards[card].kind not in ("colony", "research")]
    return Area(goods=NOTHING, cards=kept)


def rearrange(game: State, **what: Unpack[Changes]) -> State:
    """The table with what is named changed; raises ImpossiblePosition."""
    if unknown := what.keys() - Changes.__annotations__:
        raise TypeError(f"nothing of a table is called {', '.join(sorted(unknown))}")
    game = _moment(game, what.get("turn"), what.get("step"))
    areas = _areas(game, what.get("seats", {}))
    layout = _Layout(game)
    layout.lay(areas, what)
    game = _stocks(layout.state(), areas)
    _check_cards(game)
    _check_tokens(game)
    if "promises" in what:
        game = _promised(replace(game, obligations={}), what["promises"])
    game = _answered(game, areas)
    _check_moment(game)
    return game


def _areas(game: State, seats: Areas) -> dict[Seat, Area]:
    areas: dict[Seat, Area] = {}
    for who, area in seats.items():
        seat = game.seat_of(who) if isinstance(who, str) else who
        if seat is None or seat not in game.seats():
            raise ImpossiblePosition(f"Nobody at this table is {who!r}.")
        if seat in areas:
            raise ImpossiblePosition(f"The seat of {who!r} is named twice.")
        areas[seat] = area
    return areas


# ---------------------------------------------------------------- when


def _moment(game: State, turn: int | None, step: Step | None) -> State:
    """The table at another moment: what was said and done in the one it left is gone."""
    if turn is not None and not (type(turn) is int and 1 <= turn <= TURNS):
        raise ImpossiblePosition(f"There is no turn {turn}: a game has turns 1 to {TURNS}.")
    if step is not None and step not in get_args(Step):
        raise ImpossiblePosition(f"There is no step {step!r}: it is one of {', '.join(get_args(Step))}.")
    if step in ("over", *AUCTIONS):
        raise ImpossiblePosition(
            f"The step {step!r} cannot be arranged: arrange the one before it, and play on."
        )
    if turn is not None and turn != game.turn:
        game = replace(game, turn=turn, ran=frozenset(), traded=frozenset(), robbed=frozenset(), invented=())
        game = _silent(game)
    if step is not None and step != game.step:
        game = replace(_silent(game), step=step)
    return game


def _silent(game: State) -> State:
    return replace(game, deals={}, done=frozenset(), plans={}, bids={}, queue=(), scores=())


def _check_moment(game: State) -> None:
    """Somebody is waited for, or the table would already have gone on."""
    if not waiting(game) or (game.step == "trade" and len(game.done) >= len(game.players) - 1):
        raise ImpossiblePosition(f"The step {game.step!r} would be over: nobody is waited for.")
    if game.step == "plan":
        for player in game.players:
            if over := over_support(player):
                name = CATALOG.species[player.species].name
                raise ImpossiblePosition(f"{name} must give up {over} colonies before it can lay a plan.")
    for owed in game.obligations.values():
        if _is_past(game, owed.clause):
            raise ImpossiblePosition(f"The time of the promise {owed.id} is over.")


def _is_past(game: State, clause: Binding) -> bool:
    """Whether a promise would have been kept or broken by now."""
    match clause:
        case Pledge():
            return clause.due < game.turn + (game.phase != "trade")
        case Undertake():
            if clause.by == "trade":
                return clause.turn < game.turn + (game.phase != "trade")
            # A deed of a later phase that was not done waits for the settlement of the next turn (TRADE-11).
            return clause.turn < game.turn - (game.step in ("trade", "settle"))
        case Forbear():
            return clause.until < game.turn


# ---------------------------------------------------------------- where every card lies


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


class _Layout:
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


def _check_cards(game: State) -> None:
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


# ---------------------------------------------------------------- goods


def _stocks(game: State, areas: Mapping[Seat, Area]) -> State:
    for seat, area in areas.items():
        player = game.players[seat]
        name = CATALOG.species[player.species].name
        if area.goods is not None:
            _check_goods(area.goods, f"the stock of {name}", "point")
            player = replace(player, stock=area.goods)
        if area.donation is not None:
            _check_goods(area.donation, f"what {name} must give away", "envoy", "acknowledgement")
            player = replace(player, donation=area.donation, tied=NOTHING, tied_to=None)
        if area.score is not None:
            player = replace(player, score=area.score)
        game = game.with_player(seat, player)
    return _tokens_returned(game, areas)


def _check_goods(goods: Goods, where: str, *never: str) -> None:
    for kind in KINDS:
        if getattr(goods, kind) < 0:
            raise ImpossiblePosition(f"There are less than no {kind} in {where}.")
        if kind in never and getattr(goods, kind):
            more = " Points are its score." if kind == "point" else ""
            raise ImpossiblePosition(f"There is no {kind} in {where}.{more}")


def _tokens_returned(game: State, areas: Mapping[Seat, Area]) -> State:
    """Acknowledgements are always all at the table: the rest lies with the species that hands them out."""
    for seat, player in enumerate(game.players):
        total = CATALOG.species[player.species].stock_in(game.settings.edition).acknowledgement
        if total:
            rest = total - sum(other.stock.acknowledgement for other in game.players if other is not player)
            stated = areas[seat].goods if seat in areas else None
            if rest < 0 or (stated is not None and stated.acknowledgement not in (0, rest)):
                raise ImpossiblePosition(
                    f"There are {total} acknowledgements at the table, no more and no less."
                )
            stock = replace(player.stock, acknowledgement=rest)
            game = game.with_player(seat, replace(player, stock=stock))
    return game


def _check_tokens(game: State) -> None:
    """Of some tokens there are only so many, and only where their species plays."""
    printed = [CATALOG.species[player.species] for player in game.players]
    held = sum((player.stock for player in game.players), NOTHING)
    envoys = sum(facts.supply.envoy for facts in printed)
    if held.envoy > envoys:
        raise ImpossiblePosition(f"There are {envoys} envoys at this table, not {held.envoy}.")
    if held.acknowledgement and not any(facts.stock.acknowledgement for facts in printed):
        raise ImpossiblePosition("Nobody at this table hands out acknowledgements.")
    seedlings = sum(card.seedling for player in game.players for card in player.cards.values())
    most = SEEDLINGS if any(rules_of(player.species).settles_with_seedling for player in game.players) else 0
    if seedlings > most:
        raise ImpossiblePosition(f"There are {most} seedlings at this table, not {seedlings}.")


# ---------------------------------------------------------------- what the rules judge


def _asked(game: State, seat: Seat, action: Action, what: str) -> State:
    """The table after an action; the rules say why it cannot be."""
    try:
        return decide(game, seat, action)[1]
    except IllegalAction as illegal:
        said = sentence(illegal, game.settings.species)
        raise ImpossiblePosition(f"{what}: {said}") from None


def _promised(game: State, promises: Sequence[Binding | Promise]) -> State:
    """The table with these promises standing; each is agreed on in the turn it was made in."""
    for given in promises:
        promise = given if isinstance(given, Promise) else Promise(given)
        made = game.turn if promise.made is None else promise.made
        debtor, creditor = sides(promise.clause)
        if debtor == creditor or not {debtor, creditor} <= set(game.seats()):
            raise ImpossiblePosition("A promise is made by one seat of the table to another.")
        if not 1 <= made <= game.turn:
            raise ImpossiblePosition(f"In turn {game.turn} no promise can have been made in turn {made}.")
        then = replace(_silent(game), turn=made, step="trade")
        what = f"The promise {promise.clause}"
        offer = ProposeDeal(parties=(debtor, creditor), clauses=(promise.clause,))
        then = _asked(then, debtor, offer, what)
        then = _asked(then, creditor, AcceptDeal(deal=f"d{then.made}"), what)
        game = replace(game, obligations=then.obligations, made=then.made)
    return game


def _answered(game: State, areas: Mapping[Seat, Area]) -> State:
    """The table after what seats have answered in this step; it must still be this step."""
    step = game.step
    for seat, area in areas.items():
        for action in _answers(area):
            name = CATALOG.species[game.players[seat].species].name
            game = _asked(game, seat, action, f"{name} cannot have answered so in the step {step!r}")
            if game.step != step:
                raise ImpossiblePosition(f"The step {step!r} would be over: nobody is waited for.")
    return game


def _answers(area: Area) -> Iterator[Action]:
    if area.plan is not None:
        yield LayPlan(runs=tuple(area.plan))
    if area.bid is not None:
        yield PlaceBid(*area.bid)
    if area.done:
        yield Done()
