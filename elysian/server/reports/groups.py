"""What a group remembers: its evenings and games, and how its people fared, apart from the bots."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from msgspec import Struct

from elysian.server.reports.listing import read_face
from elysian.server.reports.statistics import sound_rows
from elysian.server.store.database import Database
from elysian.server.store.groups import handle_of
from elysian.sim.ratings import likely_ratings

MOST_SEATS = 4500  # results that are looked at, the latest: five hundred games of nine
SAME_EVENING = 6 * 3600_000  # ms between the ends of two games of one evening, at most
MIDDLE = 1500  # of the ratings
RANKED = 10  # games somebody has played before they have a place
MOST_MOMENTS = 16  # of the course of ratings
PER_POINT = 12


class GroupSeat(Struct, frozen=True):
    """How a seat fared in a game of a group."""

    person: str | None  # in the group; None: a bot
    level: str | None  # of a bot, or what a bot with a token calls itself; None: a person
    species: str
    points: float
    winner: bool
    deals: int
    kept: int
    broken: int
    waited: int | None = None  # ms the table waited for them; None: not measured


class GroupGame(Struct, frozen=True):
    """A finished game of a group."""

    table: str
    title: str
    ended: int
    evening: int  # games of one evening have the same number; the first is 1
    pace: str
    edition: str
    counts: bool  # a game that goes on from a record does not
    seats: tuple[GroupSeat, ...]


class Place(Struct, frozen=True):
    """A rating, and where it is with 95 in 100."""

    rating: int
    low: int
    high: int
    ranked: bool  # after enough games


class RatingMoment(Struct, frozen=True):
    """Where people stood after an evening, as what was known then told."""

    ended: int
    games: int  # that counted until then
    places: dict[str, Place]  # by person


class Fared(Struct, frozen=True):
    """How somebody fared with a species, or at all."""

    games: int
    wins: int
    mean: float  # points


class WithSpecies(Struct, frozen=True):
    """How somebody fared with a species."""

    species: str
    fared: Fared


class GroupPerson(Struct, frozen=True):
    """Somebody who played for a group."""

    person: str
    name: str
    member: bool  # False: a guest, or somebody who has left
    fared: Fared
    place: Place | None  # None: never played with another person
    kept: int
    broken: int
    live: int | None  # ms a live game waited for them, in the mean; None: not measured
    slow: int | None  # the same of games over days
    species: tuple[WithSpecies, ...]  # most played first
    ahead: dict[str, int]  # of whom, and in how many games


class GroupBots(Struct, frozen=True):
    """A level of bots."""

    level: str
    fared: Fared
    place: Place | None  # None: never played with another level


class GroupSpecies(Struct, frozen=True):
    """How a species fared in the hands of people, and of bots."""

    species: str
    people: Fared | None  # None: nobody played it
    bots: Fared | None


RecordKind = Literal["score", "deals", "kept", "closest", "widest"]


class GroupRecord(Struct, frozen=True):
    """What nobody in the group has done better; of people, and games that count."""

    kind: RecordKind
    value: float
    table: str
    ended: int
    person: str  # whose it is


class GroupReport(Struct, frozen=True):
    """What a group remembers."""

    games: tuple[GroupGame, ...] = ()  # the latest first
    people: tuple[GroupPerson, ...] = ()  # those with a place first, by rating
    course: tuple[RatingMoment, ...] = ()  # of people's ratings, evening by evening; the last is today's
    bots: tuple[GroupBots, ...] = ()
    species: tuple[GroupSpecies, ...] = ()
    records: tuple[GroupRecord, ...] = ()


class NamedSeat(Struct, frozen=True):
    """A row of the results, with who it was."""

    game: str
    ended: int
    edition: str
    counts: bool
    face: bytes
    name: str
    member: bool
    seat: GroupSeat


async def group_seats(database: Database, group: str, members: Iterable[str]) -> list[NamedSeat]:
    """What is stored of the finished games of a group, the latest first."""
    rows = await database.read(
        "SELECT r.game, r.ended, r.edition, r.counts, t.face, p.name, r.person, r.level, r.species, r.total,"
        " r.winner, r.deals, r.kept, r.broken, r.waited FROM results r JOIN tables t ON t.game = r.game"
        " LEFT JOIN people p ON p.person = r.person"
        " WHERE r.of_group = ? ORDER BY r.ended DESC, r.game, r.seat LIMIT ?",
        group,
        MOST_SEATS,
    )
    if len(rows) == MOST_SEATS:  # the oldest game may not be whole
        rows = [row for row in rows if row[0] != rows[-1][0]]
    there = frozenset(members)
    found = []
    with sound_rows():
        for game, ended, edition, counts, face, name, person, level, species, total, winner, *more in rows:
            who = handle_of(group, person) if person and level is None else None
            seat = GroupSeat(who, level, species, round(total / PER_POINT, 2), bool(winner), *more)
            named = NamedSeat(game, ended, edition, bool(counts), face, name or "", person in there, seat)
            found.append(named)
    return found


def group_report(rows: Sequence[NamedSeat]) -> GroupReport:
    """What a group remembers, of the results of its games."""
    games = _games(rows)
    counted = [game for game in games if game.counts]
    return GroupReport(
        games=games,
        people=_people(rows, counted),
        course=_course(counted),
        bots=_bots(counted),
        species=_species(counted),
        records=_records(counted),
    )


def _games(rows: Sequence[NamedSeat]) -> tuple[GroupGame, ...]:
    by: dict[str, list[NamedSeat]] = {}
    for row in rows:
        by.setdefault(row.game, []).append(row)
    games: list[GroupGame] = []
    count, evening, last = 0, 0, None  # how many evenings, and the live one of which the last game ended
    for seats in reversed(by.values()):
        one = seats[0]
        face = read_face(one.face)
        pace = "live" if face is None else face.pace
        live = pace == "live"  # a game over days is an evening of its own
        if not live or last is None or one.ended - last > SAME_EVENING:
            count += 1
            evening = count if live else evening
        last = one.ended if live else last
        games.append(
            GroupGame(
                table=one.game,
                title="" if face is None else face.title,
                ended=one.ended,
                evening=evening if live else count,
                pace=pace,
                edition=one.edition,
                counts=one.counts,
                seats=tuple(row.seat for row in seats),
            )
        )
    return tuple(reversed(games))


def _fared(seats: Sequence[GroupSeat]) -> Fared:
    mean = sum(seat.points for seat in seats) / len(seats)
    return Fared(len(seats), sum(seat.winner for seat in seats), round(mean, 2))


def _people(rows: Sequence[NamedSeat], games: Sequence[GroupGame]) -> tuple[GroupPerson, ...]:
    names = {row.seat.person: (row.name, row.member) for row in reversed(rows) if row.seat.person}
    places = _rated(games, lambda seat: seat.person)
    ahead = _ahead(games)
    people = []
    for person, (name, member) in names.items():
        played = [(game, seat) for game in games for seat in game.seats if seat.person == person]
        if person is None or not played:
            continue
        seats = [seat for _, seat in played]
        by: dict[str, list[GroupSeat]] = defaultdict(list)
        for seat in seats:
            by[seat.species].append(seat)
        species = [WithSpecies(one, _fared(some)) for one, some in by.items()]
        species.sort(key=lambda one: (-one.fared.games, -one.fared.mean))
        people.append(
            GroupPerson(
                person=person,
                name=name,
                member=member,
                fared=_fared(seats),
                place=places.get(person),
                kept=sum(seat.kept for seat in seats),
                broken=sum(seat.broken for seat in seats),
                live=_mean(seat.waited for game, seat in played if game.pace == "live"),
                slow=_mean(seat.waited for game, seat in played if game.pace != "live"),
                species=tuple(species),
                ahead=ahead[person],
            )
        )
    return tuple(sorted(people, key=lambda one: _order(one.place)))


def _course(games: Sequence[GroupGame]) -> tuple[RatingMoment, ...]:
    """People's ratings after the evenings there were, evenly drawn where they are many; the last is one."""
    last = {game.evening: n for n, game in enumerate(reversed(games))}  # of each evening, its last game
    ends = sorted(last.values())
    step = max(1, -(-len(ends) // MOST_MOMENTS))
    moments = []
    for end in ends[::-1][::step][::-1]:
        known = games[len(games) - 1 - end :]
        places = _rated(known, lambda seat: seat.person)
        if places:
            moments.append(RatingMoment(ended=known[0].ended, games=len(known), places=places))
    return tuple(moments)


def _order(place: Place | None) -> tuple[bool, bool, int]:
    if place is None:
        return True, True, 0
    return False, not place.ranked, -place.rating


def _mean(times: Iterable[int | None]) -> int | None:
    known = [time for time in times if time is not None]
    return round(sum(known) / len(known)) if known else None


def _rated(games: Sequence[GroupGame], who: Callable[[GroupSeat], str | None]) -> dict[str, Place]:
    """Ratings among one kind of seats: the others of a game are left out, and their order says nothing."""
    finishes = []
    played: dict[str, int] = defaultdict(int)
    for game in games:
        finish = tuple((seat.points, one) for seat in game.seats if (one := who(seat)) is not None)
        for one in {one for _, one in finish}:
            played[one] += 1
        if len({one for _, one in finish}) > 1:
            finishes.append(finish)
    return {
        one: Place(
            rating=MIDDLE + round(found.rating),
            low=MIDDLE + round(found.low),
            high=MIDDLE + round(found.high),
            ranked=played[one] >= RANKED,
        )
        for one, found in likely_ratings(finishes).items()
    }


def _ahead(games: Sequence[GroupGame]) -> dict[str, dict[str, int]]:
    """In how many games somebody had more points than somebody else."""
    ahead: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for game in games:
        people = [(seat.person, seat.points) for seat in game.seats if seat.person is not None]
        for one, points in people:
            for other, theirs in people:
                if points > theirs:
                    ahead[one][other] += 1
    return ahead


def _bots(games: Sequence[GroupGame]) -> tuple[GroupBots, ...]:
    by: dict[str, list[GroupSeat]] = defaultdict(list)
    for game in games:
        for seat in game.seats:
            if seat.level is not None:
                by[seat.level].append(seat)
    places = _rated(games, lambda seat: seat.level)
    bots = [GroupBots(level, _fared(seats), places.get(level)) for level, seats in by.items()]
    return tuple(sorted(bots, key=lambda one: _order(one.place)))


def _species(games: Sequence[GroupGame]) -> tuple[GroupSpecies, ...]:
    people: dict[str, list[GroupSeat]] = defaultdict(list)
    bots: dict[str, list[GroupSeat]] = defaultdict(list)
    for game in games:
        for seat in game.seats:
            (people if seat.person is not None else bots)[seat.species].append(seat)
    lines = [
        GroupSpecies(
            species=one,
            people=_fared(people[one]) if one in people else None,
            bots=_fared(bots[one]) if one in bots else None,
        )
        for one in sorted({*people, *bots})
    ]
    return tuple(sorted(lines, key=lambda one: -(one.people.games if one.people else 0)))


def _records(games: Sequence[GroupGame]) -> tuple[GroupRecord, ...]:
    best: dict[RecordKind, GroupRecord] = {}

    def note(kind: RecordKind, value: float, game: GroupGame, seat: GroupSeat, least: bool = False) -> None:
        held = best.get(kind)
        if held is None or (value < held.value if least else value > held.value):
            best[kind] = GroupRecord(kind, round(value, 2), game.table, game.ended, seat.person or "")

    for game in reversed(games):  # whoever was first keeps it until somebody does better
        order = sorted(game.seats, key=lambda seat: (-seat.points, not seat.winner))
        for seat in order:
            if seat.person is None:
                continue
            note("score", seat.points, game, seat)
            if seat.deals:
                note("deals", seat.deals, game, seat)
            if seat.kept and not seat.broken:
                note("kept", seat.kept, game, seat)
        if order[0].person is not None and len(order) > 1 and order[0].winner:
            lead = order[0].points - order[1].points
            note("closest", lead, game, order[0], least=True)
            note("widest", lead, game, order[0])
    return tuple(best.values())
