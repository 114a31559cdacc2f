"""Set-up: everything chance decides, written into one event; the only place that shuffles."""

from random import Random
from typing import get_args

from msgspec.structs import replace

from elysian.catalog import SpeciesFacts
from elysian.deals import CardId
from elysian.deck import CATALOG
from elysian.draft import IllegalAction
from elysian.events import GameStarted
from elysian.goods import SMALL, SMALL_CUBES, Goods
from elysian.parts import Start
from elysian.state import Edition, Handicap, Held, Pile, PlayerState, Settings, State

FEWEST, MOST = 4, 9


def start(settings: Settings, seed: int | str) -> GameStarted:
    """Shuffle and deal a game (SETUP-1 to SETUP-8); raises IllegalAction for an impossible line-up."""
    check_settings(settings)
    # A default is left out of a record only where it is the very same object, however it was spelled.
    settings = replace(settings, edition=next(name for name in get_args(Edition) if name == settings.edition))
    rng = Random(f"elysian/{seed}")
    colonies = list(CATALOG.colonies)
    rng.shuffle(colonies)
    eras = [list(era) for era in CATALOG.research]
    for era in eras:
        rng.shuffle(era)
    relics = list(CATALOG.by_kind("relic"))
    rng.shuffle(relics)

    players = []
    for seat, name in enumerate(settings.species):
        facts = CATALOG.species[name]
        cards, deck = _species_cards(seat, name)
        teams = {eras[0].pop(0): Held() for _ in range(facts.research)}
        settled = {colonies.pop(0): Held(seedling=facts.seedling) for _ in range(facts.colonies)}
        players.append(
            Start(
                species=name,
                stock=_stock(settings, seat, facts),
                cards={**cards, **settled, **teams},
                deck=deck,
            )
        )

    spaces = len(settings.species) + sum(CATALOG.species[s].extra_colony_spaces for s in settings.species)
    teams_left = [card for era in eras for card in era]
    colony_minimums = CATALOG.minimums(spaces, settings.edition, "colony")
    research_minimums = CATALOG.minimums(len(settings.species), settings.edition, "research")
    return GameStarted(
        settings=settings,
        players=tuple(players),
        colonies=tuple(colonies[len(colony_minimums) :]),
        research=tuple(teams_left[len(research_minimums) :]),
        relics=tuple(relics) if any(_draws_relics(p.cards) for p in players) else (),
        colony_track=tuple(colonies[: len(colony_minimums)]),
        research_track=tuple(teams_left[: len(research_minimums)]),
        colony_minimums=colony_minimums,
        research_minimums=research_minimums,
        bonus=CATALOG.bonus(max(FEWEST, len(settings.species))),
    )


def check_settings(settings: Settings) -> None:
    """Raise IllegalAction unless a table can be laid with these settings (SETUP-1, OPT-2)."""
    fewest = 3 if settings.allow_three else FEWEST
    if not fewest <= len(settings.species) <= MOST:
        raise IllegalAction("bad_player_count", players=len(settings.species), fewest=fewest, most=MOST)
    for name in settings.species:
        if name not in CATALOG.species:
            raise IllegalAction("unknown_species", species=str(name))
    if len(set(settings.species)) < len(settings.species):
        raise IllegalAction("species_twice")
    if settings.edition not in ("2017", "2020", "de2021"):
        raise IllegalAction("unknown_edition", edition=str(settings.edition))
    if settings.precise_when_tied and settings.edition != "de2021":
        raise IllegalAction("german_tie")
    if settings.trade_minutes is not None and settings.trade_minutes < 1:
        raise IllegalAction("bad_timer")
    seats = [handicap.seat for handicap in settings.handicaps]
    if len(set(seats)) < len(seats) or not set(seats) <= set(range(len(settings.species))):
        raise IllegalAction("bad_handicap")
    for handicap in settings.handicaps:
        _check_handicap(settings, handicap)


def _check_handicap(settings: Settings, handicap: Handicap) -> None:
    """2017 and 2020 name the colour at set-up; in the German edition the player may choose it (B-27)."""
    if handicap.cubes not in (-1, 1):
        raise IllegalAction("bad_handicap")
    if handicap.colour is None:
        if settings.edition != "de2021":
            raise IllegalAction("handicap_needs_colour", seat=handicap.seat)
        return
    stock = _printed_stock(settings, CATALOG.species[settings.species[handicap.seat]])
    if handicap.colour not in handicap_colours(stock, handicap):
        raise IllegalAction("bad_handicap_colour", colour=str(handicap.colour))


def handicap_colours(stock: Goods, handicap: Handicap) -> tuple[str, ...]:
    """The colours a handicap cube may have: any to be added, one that is there to be removed.

    A wild cube is added only where wild cubes are part of the start.
    """
    if handicap.cubes > 0:
        return SMALL_CUBES if stock.wild_small else SMALL
    return tuple(colour for colour in SMALL_CUBES if getattr(stock, colour))


def _printed_stock(settings: Settings, facts: SpeciesFacts) -> Goods:
    return facts.stock_in(settings.edition)


def _stock(settings: Settings, seat: int, facts: SpeciesFacts) -> Goods:
    stock = _printed_stock(settings, facts)
    for handicap in settings.handicaps:
        if handicap.seat == seat and handicap.colour is not None:
            cube = Goods(**{handicap.colour: 1})
            stock = stock + cube if handicap.cubes > 0 else stock - cube
    return stock


def _species_cards(seat: int, name: str) -> tuple[dict[CardId, Held], tuple[CardId, ...]]:
    """The starting cards in play, and the deck of the others (SETUP-2)."""
    cards: dict[CardId, Held] = {}
    deck: list[CardId] = []
    own = (*CATALOG.deck_of[name], *CATALOG.by_kind("nullspace"))
    for card in own:
        if CATALOG.cards[card].species != name:
            continue
        if CATALOG.cards[card].start:
            cards[card] = Held(owner=seat)
        else:
            deck.append(card)
    return cards, tuple(deck)


def _draws_relics(cards: dict[CardId, Held]) -> bool:
    return any(c.draws == "relic" for card in cards for c in CATALOG.cards[card].front.converters)


def begin(event: GameStarted) -> State:
    """The table as it stands when the game has been set up."""
    return State(
        settings=event.settings,
        players=tuple(
            PlayerState(species=p.species, stock=p.stock, cards=p.cards, deck=p.deck) for p in event.players
        ),
        colony_minimums=event.colony_minimums,
        research_minimums=event.research_minimums,
        bonus=event.bonus,
        colonies=Pile(cards=event.colonies),
        research=Pile(cards=event.research),
        relics=event.relics,
        colony_track=event.colony_track,
        research_track=event.research_track,
        step="handicap" if any(h.colour is None for h in event.settings.handicaps) else "trade",
    )
