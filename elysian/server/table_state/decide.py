"""Decide: what comes of what people ask of a table, without any clock or disk."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from elysian.deals import Seat
from elysian.deck import CATALOG
from elysian.draft import IllegalAction
from elysian.rules.setup import FEWEST, MOST, check_settings, start
from elysian.server.ops.errors import Refused
from elysian.server.table_state import actions as a
from elysian.server.table_state import events as e
from elysian.server.table_state.actions import TableAction
from elysian.server.table_state.clock import Hours
from elysian.server.table_state.fresh_species import fresh_deal
from elysian.server.table_state.hand_over import SLOW, hand_over, refuse_seat
from elysian.server.table_state.names import clean_name, clean_talk, skeleton
from elysian.server.table_state.orders import MOST_ORDERS, StandingOffer, SwapRule, WorthRule
from elysian.server.table_state.state import Chair, Lobby, allowed_species, evolve_table, settings_of
from elysian.server.table_state.table_options import TableOptions

SEED_BITS = 128
EXTENSION_MS = 120_000


class Asker(Struct, frozen=True):
    """Who asks."""

    person: str
    seat: Seat | None  # None: a watcher


class Circumstances(Struct, frozen=True):
    """What a decision depends on besides the table."""

    at: int  # ms since 1970
    chance: Random
    present: frozenset[Seat] = frozenset()
    levels: tuple[str, ...] = ("random",)
    versions: Mapping[str, str] = {}  # of the levels, for records
    hours: Callable[[str], Hours | None] = lambda person: None  # a person's playing hours
    played: Mapping[str, Sequence[str]] = {}  # the species of somebody's last games, the latest first
    wait: int = 300_000  # ms a hand-over decided by others waits at a live table


Events = tuple[Any, ...]


def check_options(options: TableOptions, levels: tuple[str, ...]) -> TableOptions:
    """The options, tidied; raises Refused or IllegalAction when no table can be laid so."""
    if options.seats < FEWEST and not options.allow_three:
        raise Refused("bad_seats", status=400, fewest=FEWEST, most=MOST)
    unknown = [name for name in options.exclude if name not in CATALOG.species]
    if unknown:
        raise Refused("no_such_species", status=400, species=unknown[0])
    if len(allowed_species(options)) < options.seats:
        raise Refused("too_few_species", status=400, seats=options.seats)
    _check_level(options.cover_level, levels)
    if any(handicap.seat >= options.seats for handicap in options.handicaps):
        raise Refused("bad_handicap_seat", status=400)
    if options.precise_when_tied and options.edition != "de2021":
        raise IllegalAction("german_tie")
    if options.group:  # nobody outside hears of its tables
        options = replace(options, public=False, open_to_bots=False)
    return replace(options, title=clean_talk(options.title)[:60] if options.title.strip() else "")


# ---------------------------------------------------------------- joining


def join(
    lobby: Lobby,
    person: str,
    name: str,
    seat: Seat | None = None,
    watch: bool = False,
    invitation: str = "",
    program: str | None = None,
) -> Events:
    """Sit down, or be let in to watch; `program` is what a bot with a token calls itself. Raises Refused."""
    if lobby.seat_of(person) is not None:
        return ()
    if person in lobby.barred:
        raise Refused("barred", status=403)
    invited = lobby.options.public or person == lobby.host or person in lobby.guests
    if not invited and not lobby.invites(invitation):
        raise Refused("not_invited", status=403)
    if watch:
        if not lobby.options.watchers:
            raise Refused("no_watchers", status=403)
        admitted = e.GuestAdmitted(person=person, invited=lobby.invites(invitation))
        return () if lobby.may_watch(person) else (admitted,)
    if lobby.status != "waiting":
        raise Refused("already_begun")
    _check_program(lobby, person, program, invitation)
    free = [s for s, chair in enumerate(lobby.chairs) if chair.free]
    if seat is not None and seat not in free:
        raise Refused("seat_taken" if seat < len(lobby.chairs) else "no_such_seat")
    if not free:
        raise Refused("table_full")
    name = clean_name(name)
    if skeleton(name) in (skeleton(chair.name) for chair in lobby.chairs if chair.name):
        raise Refused("name_taken", name=name)
    at = free[0] if seat is None else seat
    taken = e.SeatTaken(seat=at, name=name, person=person, program=program)
    return (taken,) if lobby.host else (taken, e.HostChanged(seat=taken.seat, person=person))


def _check_program(lobby: Lobby, person: str, program: str | None, invitation: str) -> None:
    """A bot takes a seat where bots are asked for or it was invited, so that nobody is surprised by it."""
    asked = lobby.options.open_to_bots or person == lobby.host or lobby.invites(invitation)
    if program is not None and not asked:
        raise Refused("bots_not_asked", status=403)


# ---------------------------------------------------------------- deciding


def decide_table(lobby: Lobby, asker: Asker, action: TableAction, now: Circumstances) -> Events:
    """What happens when somebody asks something of the table; raises Refused or IllegalAction."""
    if lobby.status == "ended" and not isinstance(action, a.Say | a.Mute):
        raise Refused("table_ended")
    if isinstance(action, _HOST_ONLY) and asker.person != lobby.host:
        raise Refused("host_only", status=403)
    of_host = isinstance(action, (*_HOST_ONLY, *_ALSO_HOST)) and asker.person == lobby.host
    if asker.seat is None and not of_host:
        raise Refused("not_seated", status=403)
    return _DECIDERS[type(action)](lobby, asker, action, now)


def _waiting(lobby: Lobby) -> None:
    if lobby.status != "waiting":
        raise Refused("already_begun")


def _playing(lobby: Lobby) -> None:
    if lobby.status != "playing":
        raise Refused("not_playing")


def _begun(lobby: Lobby) -> None:
    if lobby.status not in ("drafting", "playing"):
        raise Refused("not_playing")


def _chair(lobby: Lobby, seat: Seat) -> Chair:
    if not 0 <= seat < len(lobby.chairs):
        raise Refused("no_such_seat", status=400)
    return lobby.chairs[seat]


def _check_level(level: str, levels: tuple[str, ...]) -> None:
    if level not in levels:
        raise Refused("no_such_level", status=400, level=level, levels=", ".join(levels))


def _change(lobby: Lobby, asker: Asker, action: a.ChangeTable, now: Circumstances) -> Events:
    _waiting(lobby)
    options = check_options(action.options, now.levels)
    if any(not chair.free for chair in lobby.chairs[options.seats :]):
        raise Refused("seats_in_use")
    if options.group != lobby.options.group:  # who opens a table for a group was seen to be in it
        raise Refused("group_fixed")
    if lobby.continues:
        old = lobby.options
        fixed = (
            "seats",
            "edition",
            "precise_scoring",
            "precise_when_tied",
            "handicaps",
            "private_offers",
            "allow_three",
            "species",
        )
        if any(getattr(options, name) != getattr(old, name) for name in fixed):
            raise Refused("fixed_by_record")
    return (e.TableChanged(options=options),)


def _sit(lobby: Lobby, asker: Asker, action: a.Sit, now: Circumstances) -> Events:
    _waiting(lobby)
    assert asker.seat is not None
    if action.seat == asker.seat:
        return ()
    if not _chair(lobby, action.seat).free:
        raise Refused("seat_taken")
    chair = lobby.chairs[asker.seat]
    taken = e.SeatTaken(seat=action.seat, name=chair.name, person=asker.person, program=chair.program)
    return e.SeatLeft(seat=asker.seat), taken


def _leave(lobby: Lobby, asker: Asker, action: a.Leave, now: Circumstances) -> Events:
    if lobby.status in ("drafting", "playing"):
        return _resign(lobby, asker, action, now)
    assert asker.seat is not None
    # Where nobody is left who could begin a game, no table waits for one.
    alone = lobby.status == "waiting" and lobby.host == asker.person and not lobby.people() - {asker.seat}
    closed = (e.TableEnded(),) if alone else ()
    return (e.SeatLeft(seat=asker.seat), *_new_host(lobby, asker.seat), *closed)


def _resign(lobby: Lobby, asker: Asker, action: TableAction, now: Circumstances) -> Events:
    _begun(lobby)
    assert asker.seat is not None
    gone = e.Resigned(seat=asker.seat, level=lobby.options.cover_level)
    events: Events = (gone, *_new_host(lobby, asker.seat))
    if lobby.status == "drafting" and lobby.order[0] == asker.seat:
        for event in events:
            lobby = evolve_table(lobby, event)
        return (*events, *_draft_on(lobby, now))
    return events


def _new_host(lobby: Lobby, leaving: Seat) -> Events:
    """When the host gets up, the next person at the table is the host; a bot only where nobody else sits."""
    if lobby.chairs[leaving].person != lobby.host:
        return ()
    others = [s for s, chair in enumerate(lobby.chairs) if chair.person and s != leaving]
    others.sort(key=lambda s: lobby.chairs[s].program is not None)
    if not others:
        return (e.HostChanged(),)
    return (e.HostChanged(seat=others[0], person=lobby.chairs[others[0]].person or ""),)


def _choose(lobby: Lobby, asker: Asker, action: a.ChooseSpecies, now: Circumstances) -> Events:
    if lobby.continues:
        raise Refused("fixed_by_record")
    species = action.species
    if species is not None and species not in CATALOG.species:
        raise Refused("no_such_species", status=400, species=species)
    if species is not None and species not in allowed_species(lobby.options):
        raise Refused("species_not_allowed", species=species)
    if species is not None and any(
        c.species == species for s, c in enumerate(lobby.chairs) if s != asker.seat
    ):
        raise Refused("species_taken", species=species)
    assert asker.seat is not None
    chosen = e.SpeciesChosen(seat=asker.seat, species=species)
    if lobby.status == "drafting":
        if lobby.order[0] != asker.seat or species is None:
            raise Refused("not_your_pick")
        return (chosen, *_draft_on(evolve_table(lobby, chosen), now))
    _waiting(lobby)
    if lobby.options.species != "choice":
        raise Refused("species_by_chance")
    return (chosen,)


def _add_bot(lobby: Lobby, asker: Asker, action: a.AddBot, now: Circumstances) -> Events:
    _waiting(lobby)
    _check_level(action.level, now.levels)
    if _chair(lobby, action.seat).person:
        raise Refused("seat_taken")
    return (e.BotSeated(seat=action.seat, level=action.level),)


def _remove(lobby: Lobby, asker: Asker, action: a.Remove, now: Circumstances) -> Events:
    """Whoever is removed stays out; once the game has begun a bot plays on for them."""
    chair = _chair(lobby, action.seat)
    if chair.free:
        raise Refused("seat_free")
    if chair.person is None or chair.person == lobby.host:
        _waiting(lobby)
        return (e.SeatLeft(seat=action.seat), *_new_host(lobby, action.seat))
    barred = e.PersonBarred(seat=action.seat, person=chair.person)
    if lobby.status == "waiting":
        return barred, e.SeatLeft(seat=action.seat)
    return (barred, *_resign(lobby, Asker(chair.person, action.seat), action, now))


def _readmit(lobby: Lobby, asker: Asker, action: a.Readmit, now: Circumstances) -> Events:
    return (e.BarsLifted(),) if lobby.barred else ()


def _start(lobby: Lobby, asker: Asker, action: a.StartGame, now: Circumstances) -> Events:
    _waiting(lobby)
    free = [seat for seat, chair in enumerate(lobby.chairs) if chair.free]
    if free:
        raise Refused("seats_free", seats=len(free))
    if lobby.continues:
        return e.Shuffled(seed=_seed(now)), _began(lobby, now)
    if lobby.options.species == "draft":
        order = list(range(len(lobby.chairs)))
        now.chance.shuffle(order)
        began = e.DraftBegan(order=tuple(order))
        return (began, *_draft_on(evolve_table(lobby, began), now))
    return _begin(lobby, now)


def _draft_on(lobby: Lobby, now: Circumstances) -> Events:
    """Bots pick at once; after the last pick the game begins."""
    events: list[Any] = []
    while lobby.order and lobby.order[0] not in lobby.people():
        left = [name for name in allowed_species(lobby.options) if name not in _species(lobby)]
        events.append(e.SpeciesChosen(seat=lobby.order[0], species=now.chance.choice(left)))
        lobby = evolve_table(lobby, events[-1])
    return (*events, *(() if lobby.order else _begin(lobby, now)))


def _species(lobby: Lobby) -> list[str | None]:
    return [chair.species for chair in lobby.chairs]


def _begin(lobby: Lobby, now: Circumstances) -> Events:
    """Whoever has not chosen is dealt a species; then everything chance decides is decided (SETUP-1)."""
    species = _dealt(lobby, now)
    settings = settings_of(lobby, species)
    check_settings(settings)
    seed = _seed(now)
    dealt = tuple(
        e.SpeciesChosen(seat=seat, species=name)
        for seat, name in enumerate(species)
        if lobby.chairs[seat].species != name
    )
    return (*dealt, e.Shuffled(seed=seed), start(settings, seed), _began(lobby, now))


def _dealt(lobby: Lobby, now: Circumstances) -> tuple[str, ...]:
    """What everybody has chosen, or is dealt."""
    allowed = allowed_species(lobby.options)
    if lobby.options.species == "fresh":
        people = [chair.person for chair in lobby.chairs]
        return fresh_deal(people, allowed, now.played, now.chance)
    keep = lobby.options.species != "random"
    chosen = [chair.species if keep else None for chair in lobby.chairs]
    left = [name for name in allowed if name not in chosen]
    now.chance.shuffle(left)
    return tuple(name or left.pop() for name in chosen)


def _began(lobby: Lobby, now: Circumstances) -> e.PlayBegan:
    levels = {chair.bot for chair in lobby.chairs} | {lobby.options.cover_level}
    return e.PlayBegan(versions={name: of for name, of in sorted(now.versions.items()) if name in levels})


def _seed(now: Circumstances) -> str:
    return f"{now.chance.getrandbits(SEED_BITS):032x}"


def _pause(lobby: Lobby, asker: Asker, action: TableAction, now: Circumstances) -> Events:
    _playing(lobby)
    if lobby.paused:
        raise Refused("already_paused")
    left = None if lobby.due is None else max(0, lobby.due - now.at)
    return (e.Paused(), *(() if left is None else (e.ClockStopped(left=left),)))


def _resume(lobby: Lobby, asker: Asker, action: a.Resume, now: Circumstances) -> Events:
    if not lobby.paused:
        raise Refused("not_paused")
    # A pause most people asked for must not outlast a host who has gone.
    if asker.person != lobby.host and lobby.seat_of(lobby.host) in now.present:
        raise Refused("host_only", status=403)
    return (e.Resumed(), *(() if lobby.left is None else (e.ClockSet(due=now.at + lobby.left),)))


def _extension(lobby: Lobby, asker: Asker, action: a.AskExtension, now: Circumstances) -> Events:
    _playing(lobby)
    if lobby.due is None or lobby.options.clock is None:
        raise Refused("no_clock")
    assert asker.seat is not None
    if asker.seat in lobby.asked:
        raise Refused("already_asked")
    asked = e.ExtensionAsked(seat=asker.seat), *_in_words(asker.seat, action.text)
    if not _most(lobby, lobby.asked | {asker.seat}):
        return asked
    more = max(EXTENSION_MS, 500 * lobby.options.clock.trade)
    return (*asked, e.ClockSet(due=max(lobby.due, now.at) + more))


def _ask_pause(lobby: Lobby, asker: Asker, action: a.AskPause, now: Circumstances) -> Events:
    _playing(lobby)
    assert asker.seat is not None
    if lobby.paused:
        raise Refused("already_paused")
    if asker.seat in lobby.pause_asked:
        raise Refused("already_asked_pause")
    asked = e.PauseAsked(seat=asker.seat), *_in_words(asker.seat, action.text)
    if not _most(lobby, lobby.pause_asked | {asker.seat}):
        return asked
    return (*asked, *_pause(lobby, asker, action, now))


def _most(lobby: Lobby, asked: frozenset[Seat]) -> bool:
    """Whether most of the people who play ask for something; programs have no vote."""
    voters = lobby.voters()
    return 2 * len(asked & voters) > len(voters)


def _in_words(seat: Seat, text: str) -> Events:
    """Why somebody asks, said to the table."""
    return (e.Said(seat=seat, text=clean_talk(text)),) if text.strip() else ()


def _cover(lobby: Lobby, asker: Asker, action: a.Cover, now: Circumstances) -> Events:
    _begun(lobby)
    chair = _chair(lobby, action.seat)
    if chair.person is None or chair.covered:
        raise Refused("seat_is_bot")
    if action.seat in now.present:
        raise Refused("seat_present")
    return cover(lobby, action.seat, now)


def cover(lobby: Lobby, seat: Seat, now: Circumstances) -> Events:
    """A bot plays for a person who is away; in a draft it picks at once, if it is their turn."""
    covered = e.SeatCovered(seat=seat)
    if lobby.status == "drafting" and lobby.order[0] == seat:
        return (covered, *_draft_on(evolve_table(lobby, covered), now))
    return (covered,)


def _hand_over(lobby: Lobby, asker: Asker, action: a.HandOver, now: Circumstances) -> Events:
    wait = now.wait if lobby.options.pace == "live" else max(now.wait, SLOW)
    return hand_over(lobby, asker.seat, action.ask, now.present, now.at + wait)


def _refuse_seat(lobby: Lobby, asker: Asker, action: a.RefuseSeat, now: Circumstances) -> Events:
    return refuse_seat(lobby, asker.seat, action.ask)


def _mute(lobby: Lobby, asker: Asker, action: a.Mute, now: Circumstances) -> Events:
    _chair(lobby, action.seat)
    assert asker.seat is not None
    return (e.SeatMuted(by=asker.seat, seat=action.seat, muted=action.muted),)


def _place_order(lobby: Lobby, asker: Asker, action: a.PlaceOrder, now: Circumstances) -> Events:
    _begun(lobby)
    assert asker.seat is not None
    order = action.order
    if isinstance(order, WorthRule) and lobby.options.help == "off":
        raise Refused("help_off", status=403)
    if (isinstance(order, SwapRule) and not order.get) or (
        isinstance(order, StandingOffer) and (asker.seat not in order.parties or not order.clauses)
    ):
        raise Refused("empty_order", status=400)
    placed = e.OrderPlaced(seat=asker.seat, id=lobby.ordered_ever + 1, order=order)
    if len(evolve_table(lobby, placed).chairs[asker.seat].orders) > MOST_ORDERS:
        raise Refused("too_many_orders", most=MOST_ORDERS)
    return (placed,)


def _cancel_order(lobby: Lobby, asker: Asker, action: a.CancelOrder, now: Circumstances) -> Events:
    assert asker.seat is not None
    if all(one.id != action.order for one in lobby.chairs[asker.seat].orders):
        raise Refused("no_such_order", status=404)
    return (e.OrderCancelled(seat=asker.seat, id=action.order),)


def _show_wants(lobby: Lobby, asker: Asker, action: a.ShowWants, now: Circumstances) -> Events:
    _begun(lobby)
    assert asker.seat is not None
    return (e.WantsShown(seat=asker.seat, wants=action.wants, haves=action.haves),)


def _end(lobby: Lobby, asker: Asker, action: a.EndTable, now: Circumstances) -> Events:
    stop = () if lobby.due is None else (e.ClockStopped(),)
    return (e.TableEnded(), *stop)


def _say(lobby: Lobby, asker: Asker, action: a.Say, now: Circumstances) -> Events:
    assert asker.seat is not None
    if action.to is not None and _chair(lobby, action.to).free:
        raise Refused("seat_free")
    return (e.Said(seat=asker.seat, text=clean_talk(action.text), to=action.to),)


_HOST_ONLY = (a.ChangeTable, a.AddBot, a.Remove, a.Readmit, a.StartGame, a.Pause, a.Cover, a.EndTable)
_ALSO_HOST = (a.HandOver, a.RefuseSeat, a.Resume)  # by those who sit, and by a host who does not
_DECIDERS: dict[type[TableAction], Callable[[Lobby, Asker, Any, Circumstances], Events]] = {
    a.ChangeTable: _change,
    a.Sit: _sit,
    a.Leave: _leave,
    a.ChooseSpecies: _choose,
    a.AddBot: _add_bot,
    a.Remove: _remove,
    a.Readmit: _readmit,
    a.StartGame: _start,
    a.Pause: _pause,
    a.Resume: _resume,
    a.AskPause: _ask_pause,
    a.AskExtension: _extension,
    a.Cover: _cover,
    a.Resign: _resign,
    a.HandOver: _hand_over,
    a.RefuseSeat: _refuse_seat,
    a.Mute: _mute,
    a.PlaceOrder: _place_order,
    a.CancelOrder: _cancel_order,
    a.ShowWants: _show_wants,
    a.EndTable: _end,
    a.Say: _say,
}
