"""Groups: people gather by invitation, and what they play is remembered; outside, a group does not exist."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from elysian.deck import CATALOG
from elysian.record import check, load
from elysian.server.protocol.close_codes import SEAT_LOST
from elysian.server.reports.groups import GroupSeat, NamedSeat, group_report
from elysian.server.store import database_at
from elysian.server.store.backup import read_backup, write_backup
from elysian.server.store.groups import Groups
from elysian.server.table_state.fresh_species import fresh_deal
from tests.support.server.groups import begun, gathered, invitation, page, played
from tests.support.server.seats import closed
from tools.drive.server import OPEN_LIMITS, Browser, Served, serving

OPEN = {**OPEN_LIMITS, "groups_a_day": 10_000}


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("club"), "--bot-pace", "0.01", limits=OPEN) as running:
        yield running


# ---------------------------------------------------------------- gathering


def test_people_gather_by_invitation_and_see_who_is_there(club: Served) -> None:
    group, (anna, bela, cleo) = gathered(club, "Anna", "Bela", "Cleo")
    seen = page(cleo, group)
    assert [one["name"] for one in seen["members"]] == ["Anna", "Bela", "Cleo"]
    assert [one["owner"] for one in seen["members"]] == [True, False, False]
    assert seen["you"] == seen["members"][2]["person"]
    assert (seen["owner"], page(anna, group)["owner"]) == (False, True)
    assert [one["name"] for one in bela.get("/api/groups").json] == ["The Friday table"]
    again = bela.post(f"/api/groups/{group}/join", {"invitation": seen["invitation"]})
    assert again.json["members"] == 3, "who is in it already stays"


def test_somebody_new_joins_with_a_name_and_a_tap(club: Served) -> None:
    group, (anna,) = gathered(club, "Anna")
    new, word = Browser(club), invitation(anna, group)
    told = new.post(f"/api/groups/{group}/invited", {"invitation": word}).json
    assert told == {"name": "The Friday table", "members": 1, "joined": False}
    assert new.post(f"/api/groups/{group}/join", {"invitation": word}).status == 401
    assert new.post(f"/api/groups/{group}/join", {"invitation": word, "name": "Dora"}).status == 200
    assert [one["name"] for one in page(new, group)["members"]] == ["Anna", "Dora"]


@pytest.mark.parametrize("name", ["", "   ", "\u202e", "\x00\x07"])
def test_a_group_has_a_name_that_can_be_read(club: Served, name: str) -> None:
    assert Browser(club, "Anna").post("/api/groups", {"name": name}).json["code"] == "bad_group_name"


def test_a_hostile_name_is_text_and_nothing_else(club: Served) -> None:
    anna = Browser(club, "Anna")
    typed = "<img src=x onerror=alert(1)>\r\nBcc: a@b.c {0.__class__}\u202egnp"
    made = anna.post("/api/groups", {"name": typed}).json
    assert made["name"] == "<img src=x onerror=alert(1)> Bcc: a@b.c "[:40].strip()
    group = made["group"]
    assert anna.ask("PUT", f"/api/groups/{group}", {"name": "'; DROP TABLE groups; --"}).status == 200
    assert page(anna, group)["name"] == "'; DROP TABLE groups; --"
    anna.open(group=group)
    assert anna.get("/api/groups").status == 200


# ---------------------------------------------------------------- outside


def requests(group: str, table: str) -> list[tuple[str, str, object]]:
    return [
        ("GET", f"/api/groups/{group}", None),
        ("PUT", f"/api/groups/{group}", {"name": "Mine"}),
        ("DELETE", f"/api/groups/{group}", None),
        ("POST", f"/api/groups/{group}/invitations", {}),
        ("DELETE", f"/api/groups/{group}/members/me", None),
        ("POST", f"/api/groups/{group}/tables/{table}", {}),
        ("GET", f"/api/groups/{group}/export", None),
        ("POST", f"/api/groups/{group}/join", {"invitation": "x" * 22}),
        ("POST", f"/api/groups/{group}/invited", {"invitation": "x" * 22}),
        ("POST", "/api/tables", {"options": {"group": group}}),
    ]


def test_to_who_is_outside_a_group_is_as_one_that_does_not_exist(club: Served) -> None:
    group, (anna, bela) = gathered(club, "Anna", "Bela")
    table = anna.open(group=group)
    outsider = Browser(club, "Mallory")
    former = bela
    assert former.ask("DELETE", f"/api/groups/{group}/members/me").status == 204
    for somebody in (outsider, former):
        for (method, path, body), (_, other, its) in zip(
            requests(group, table), requests("nothing", table), strict=True
        ):
            here, nowhere = somebody.ask(method, path, body), somebody.ask(method, other, its)
            assert (here.status, here.raw) == (nowhere.status, nowhere.raw), path
            assert here.status == 404
        assert group not in somebody.get("/api/groups").raw.decode()
    for method, path, body in requests(group, table)[:7]:
        assert Browser(club).ask(method, path, body).status == 401
    assert table not in outsider.get("/api/tables").raw.decode(), "a table of a group is not listed"
    assert outsider.get(f"/api/tables/{table}").status == 404
    assert page(anna, group)["name"] == "The Friday table", "nothing of it has happened"


def test_a_bot_with_a_token_is_nobody_in_a_group(club: Served) -> None:
    group, (anna,) = gathered(club, "Anna")
    secret = anna.post("/api/me/tokens", {"name": "Robo", "scopes": ["read", "play", "host"]}).json["token"]
    bot = Browser(club)
    let_in = {"authorization": f"Bearer {secret}"}
    assert bot.get(f"/api/groups/{group}", **let_in).status == 404
    assert bot.get("/api/groups", **let_in).json == []
    word = {"invitation": invitation(anna, group)}
    assert bot.post(f"/api/groups/{group}/join", word, **let_in).status == 403
    assert bot.post("/api/tables", {"options": {"group": group}}, **let_in).status == 404


def test_a_table_of_a_group_stays_the_groups_and_off_the_list(club: Served) -> None:
    group, (anna, bela) = gathered(club, "Anna", "Bela")
    other, _ = gathered(club, "Cleo")
    table = anna.open(group=group, public=True, open_to_bots=True)
    options = anna.get(f"/api/tables/{table}").json["table"]["options"]
    assert options["public"] is False
    assert "open_to_bots" not in options
    for wrong in (other, "", "nothing"):
        changed = anna.do(table, {"kind": "change_table", "options": {**options, "group": wrong}})
        assert changed.json["code"] == "group_fixed"
    kept = anna.do(
        table, {"kind": "change_table", "options": {**options, "public": True, "title": "Tonight"}}
    )
    assert kept.status == 200
    assert anna.get(f"/api/tables/{table}").json["table"]["options"]["public"] is False
    assert [one["table"] for one in page(bela, group)["tables"]] == [table]
    assert bela.get("/api/me").json["groups"] == [{"group": group, "name": "The Friday table", "tables": 1}]
    plain = anna.open()
    stolen = anna.do(plain, {"kind": "change_table", "options": {"group": other}})
    assert stolen.json["code"] == "group_fixed"


def test_guessing_an_invitation_is_counted(tmp_path: Path) -> None:
    with serving(tmp_path, limits={**OPEN, "tries": 3}) as served:
        group, (anna,) = gathered(served, "Anna")
        guesser = Browser(served, "Mallory")
        codes = [
            guesser.post(f"/api/groups/{group}/{how}", {"invitation": f"guess{n}"}).status
            for n, how in enumerate(("join", "invited", "join", "invited", "join"))
        ]
        assert codes == [404, 404, 404, 429, 429]
        word = invitation(anna, group)
        assert guesser.post(f"/api/groups/{group}/join", {"invitation": word}).status == 200


def test_groups_and_members_have_bounds(tmp_path: Path) -> None:
    few = {**OPEN, "groups": 2, "members": 2, "groups_a_day": 4}
    with serving(tmp_path, limits=few) as served:
        anna, bela, cleo = (Browser(served, name) for name in ("Anna", "Bela", "Cleo"))
        made = [anna.post("/api/groups", {"name": f"G{n}"}) for n in range(3)]
        assert [one.status for one in made] == [200, 200, 409]
        assert made[2].json["code"] == "too_many_groups"
        group = made[0].json["group"]
        word = invitation(anna, group)
        assert bela.post(f"/api/groups/{group}/join", {"invitation": word}).status == 200
        full = cleo.post(f"/api/groups/{group}/join", {"invitation": word})
        assert full.json["code"] == "group_full"
        nobody = Browser(served)
        assert nobody.post(f"/api/groups/{group}/join", {"invitation": word, "name": "Eve"}).status == 409
        assert nobody.key is None, "who is refused is not made"
        assert bela.post("/api/groups", {"name": "B"}).status == 200
        assert cleo.post("/api/groups", {"name": "C"}).status == 429, "one address makes so many a day"


# ---------------------------------------------------------------- owners


def test_who_is_sent_away_does_not_come_back_by_the_old_invitation(club: Served) -> None:
    group, (anna, bela, cleo) = gathered(club, "Anna", "Bela", "Cleo")
    before = page(anna, group)
    b, c = (before["members"][n]["person"] for n in (1, 2))
    assert bela.ask("DELETE", f"/api/groups/{group}/members/{c}").json["code"] == "owner_only"
    assert anna.ask("DELETE", f"/api/groups/{group}/members/{b}").status == 204
    assert bela.get(f"/api/groups/{group}").status == 404
    old = {"invitation": before["invitation"]}
    assert bela.post(f"/api/groups/{group}/join", old).status == 404
    assert anna.ask("DELETE", f"/api/groups/{group}/members/{b}").status == 404
    assert [one["name"] for one in page(cleo, group)["members"]] == ["Anna", "Cleo"]


def test_an_owner_who_leaves_hands_on_and_the_last_takes_it_along(club: Served) -> None:
    group, (anna, bela) = gathered(club, "Anna", "Bela")
    for how in ("PUT", "DELETE"):
        refused = bela.ask(how, f"/api/groups/{group}", {"name": "Mine"} if how == "PUT" else None)
        assert refused.json["code"] == "owner_only"
    assert bela.post(f"/api/groups/{group}/invitations").json["code"] == "owner_only"
    assert anna.ask("DELETE", f"/api/groups/{group}/members/me").status == 204
    assert page(bela, group)["owner"] is True
    word = invitation(bela, group)
    assert bela.ask("DELETE", f"/api/groups/{group}/members/me").status == 204
    assert anna.post(f"/api/groups/{group}/join", {"invitation": word}).status == 404


def test_a_new_invitation_ends_the_old_one(club: Served) -> None:
    group, (anna,) = gathered(club, "Anna")
    old = invitation(anna, group)
    new = anna.post(f"/api/groups/{group}/invitations").json["invitation"]
    bela = Browser(club, "Bela")
    assert bela.post(f"/api/groups/{group}/join", {"invitation": old}).status == 404
    assert bela.post(f"/api/groups/{group}/join", {"invitation": new}).status == 200


# ---------------------------------------------------------------- games


def test_a_game_of_a_group_is_remembered_taken_along_and_deleted(club: Served) -> None:
    group, people = gathered(club, "Anna", "Bela", "Cleo")
    anna, bela, cleo = people
    table = played(group, [anna, bela])
    seen = page(cleo, group)
    (game,) = seen["report"]["games"]
    assert game["table"] == table
    assert [seat["level"] for seat in game["seats"]] == [None, None, "random", "random"]
    names = {one["person"]: one["name"] for one in seen["report"]["people"]}
    assert [names.get(seat["person"]) for seat in game["seats"]] == ["Anna", "Bela", None, None]
    assert all(seat["waited"] is not None for seat in game["seats"])
    lines = anna.get("/api/statistics").json["lines"]
    assert {line["by"] for line in lines if line["species"] == game["seats"][0]["species"]} >= {"people"}
    assert {line["by"] for line in lines if line["species"] == game["seats"][2]["species"]} >= {"bots"}
    assert cleo.get(f"/api/tables/{table}/story").status == 200, "who was not there sees the replay"

    raw = bela.get(f"/api/groups/{group}/export?records=true").raw
    head, told, report, record = (json.loads(line) for line in raw.splitlines())
    assert head["name"] == "The Friday table"
    assert sorted(head["names"].values()) == ["Anna", "Bela", "Cleo"]
    assert told["game"] == game
    assert report["report"]["people"] == seen["report"]["people"]
    whole = load(b"\n".join(json.dumps(line).encode() for line in record["record"]))
    assert check(whole) == []

    late = Browser(club, "Dora")
    late.post(f"/api/groups/{group}/join", {"invitation": seen["invitation"]})
    assert late.get(f"/api/tables/{table}").status == 404
    assert late.post(f"/api/groups/{group}/tables/{table}").json["table"] == table
    assert late.get(f"/api/tables/{table}").status == 200

    assert anna.ask("DELETE", f"/api/groups/{group}").status == 204
    for person in people:
        assert person.get(f"/api/groups/{group}").status == 404
        assert person.get("/api/groups").json == []
    assert anna.get("/api/me/games").json[0]["table"] == table, "a game stays with who played it"


@pytest.mark.parametrize("how", ["leaves", "is sent away"])
def test_who_is_in_the_group_no_more_opens_only_tables_they_have_a_seat_at(club: Served, how: str) -> None:
    group, (anna, bela, cleo) = gathered(club, "Anna", "Bela", "Cleo")
    own, other, waiting = begun(group, [anna, bela]), begun(group, [anna]), anna.open(group=group, seats=4)
    word = bela.post(f"/api/groups/{group}/tables/{other}").json["invitation"]
    with bela.sit(other) as looks_on:
        if how == "leaves":
            assert bela.ask("DELETE", f"/api/groups/{group}/members/me").status == 204
        else:
            handle = next(one["person"] for one in page(anna, group)["members"] if one["name"] == "Bela")
            assert anna.ask("DELETE", f"/api/groups/{group}/members/{handle}").status == 204
        with pytest.raises(ConnectionClosed):
            looks_on.until("whatever else may come")
    assert bela.get(f"/api/tables/{own}").status == 200
    for table in (other, waiting):
        assert bela.get(f"/api/tables/{table}").status == 404
        assert bela.get(f"/api/tables/{table}/log?since=0").status == 404
        with pytest.raises(InvalidStatus):
            bela.sit(table)
    assert bela.join(other, watch=True, invitation=word).json["code"] == "not_invited"
    assert bela.join(waiting).json["code"] == "not_invited"
    assert bela.post(f"/api/tables/{other}/seat", {"seat": 0, "invitation": word}).status == 404
    assert cleo.get(f"/api/tables/{other}").status == 200, "who stays may look on"
    assert bela.post(f"/api/groups/{group}/join", {"invitation": invitation(anna, group)}).status == 200
    assert bela.get(f"/api/tables/{other}").status == 200, "and who comes again, again"


def test_who_is_in_the_group_no_more_is_sent_off_by_every_process(postgres: str, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    with (
        serving(tmp_path / "one", database=postgres) as one,
        serving(tmp_path / "two", database=postgres) as two,
    ):
        group, (anna, bela) = gathered(one, "Anna", "Bela")
        own, other = begun(group, [anna, bela]), begun(group, [anna])
        assert bela.post(f"/api/groups/{group}/tables/{other}").status == 200
        elsewhere = Browser(two)
        elsewhere.key = bela.key
        with elsewhere.sit(other) as looks_on, elsewhere.sit(own) as sits:
            assert (looks_on.you, sits.you) == (None, 1)
            assert bela.ask("DELETE", f"/api/groups/{group}/members/me").status == 204
            assert closed(looks_on) == SEAT_LOST
            assert sits.do("done")["kind"] == "accepted", "whoever has a seat keeps it"


def test_whoever_was_invited_to_a_table_of_a_group_need_not_be_in_it(club: Served) -> None:
    group, (anna, _) = gathered(club, "Anna", "Bela")
    table = begun(group, [anna])
    guest = Browser(club, "Dora")
    word = anna.get(f"/api/tables/{table}").json["table"]["invitation"]
    assert guest.join(table, watch=True, invitation=word).status == 200
    assert guest.get(f"/api/tables/{table}").status == 200


def test_only_tables_of_the_group_are_let_in_to_by_it(club: Served) -> None:
    group, (anna, bela) = gathered(club, "Anna", "Bela")
    other, (cleo,) = gathered(club, "Cleo")
    for table in (cleo.open(group=other), cleo.open(public=False)):
        assert bela.post(f"/api/groups/{group}/tables/{table}").json["code"] == "no_such_table"
        assert bela.get(f"/api/tables/{table}").status == 404
    own = anna.open(group=group)
    assert bela.join(own).status == 200
    anna.do(own, {"kind": "remove", "seat": 1})
    assert bela.post(f"/api/groups/{group}/tables/{own}").json["code"] == "barred"


def test_records_with_private_offers_are_for_those_who_played(club: Served) -> None:
    group, (anna, bela, cleo) = gathered(club, "Anna", "Bela", "Cleo")
    played(group, [anna, bela], private_offers=True)
    for person, key in ((anna, "record"), (cleo, "refused")):
        last = person.get(f"/api/groups/{group}/export?records=true").raw.splitlines()[-1]
        assert key in json.loads(last)


def test_a_rematch_with_rotated_species_stays_with_the_group(club: Served) -> None:
    group, (anna, bela) = gathered(club, "Anna", "Bela")
    table = begun(group, [anna, bela])
    before = [seat["species"] for seat in anna.get(f"/api/tables/{table}").json["table"]["seats"]]
    assert anna.do(table, {"kind": "end_table"}).status == 200
    new = bela.post(f"/api/tables/{table}/rematch?rotate=true").json
    assert anna.post(f"/api/tables/{table}/rematch").json["table"] == new["table"]
    told = anna.get(f"/api/tables/{new['table']}").json["table"]
    assert [seat["name"] for seat in told["seats"]][:2] == ["Anna", "Bela"], "everybody at their seat"
    assert [seat["species"] for seat in told["seats"]] == [before[-1], *before[:-1]]
    assert told["options"]["group"] == group
    bela.do(new["table"], {"kind": "start_game"})
    for person in (anna, bela):
        person.ask("DELETE", f"/api/groups/{group}/members/me")
    bela.do(new["table"], {"kind": "end_table"})
    third = bela.post(f"/api/tables/{new['table']}/rematch").json["table"]
    assert "group" not in bela.get(f"/api/tables/{third}").json["table"]["options"]


def test_in_an_evening_of_fresh_species_nobody_has_one_twice(club: Served) -> None:
    group, (anna, bela) = gathered(club, "Anna", "Bela")
    had: dict[int, list[str]] = {0: [], 1: []}
    for _ in range(3):
        table = played(group, [anna, bela], species="fresh")
        for seat in had:
            told = anna.get(f"/api/tables/{table}").json["table"]["seats"][seat]
            had[seat].append(told["species"])
    assert all(len(set(one)) == 3 for one in had.values()), had
    (first, *_, last) = page(anna, group)["report"]["games"]
    assert first["evening"] == last["evening"] == 1


@pytest.mark.parametrize("seed", range(20))
def test_a_fresh_deal_goes_back_as_far_as_it_can(seed: int) -> None:
    chance = Random(seed)
    allowed = list(CATALOG.species)[: chance.randint(4, 9)]
    people = ["p", "q", None, "r"]
    played = {one: chance.sample(allowed, chance.randrange(len(allowed))) for one in ("p", "q", "r")}
    dealt = fresh_deal(people, allowed, played, chance)
    assert len(set(dealt)) == 4
    assert set(dealt) <= set(allowed)
    if len(allowed) >= 5:  # three people who played last need but one more than the seats
        assert all(
            name != played[one][0] for one, name in zip(people, dealt, strict=True) if one and played[one]
        )


# ---------------------------------------------------------------- what is remembered


def row(
    game: str,
    ended: int,
    who: str | None,
    points: float,
    winner: bool = False,
    species: str = "caylion",
    **more: int,
) -> NamedSeat:
    seat = GroupSeat(
        person=who,
        level=None if who else "novice",
        species=species,
        points=points,
        winner=winner,
        deals=more.get("deals", 3),
        kept=more.get("kept", 1),
        broken=more.get("broken", 0),
        waited=more.get("waited", 60_000),
    )
    return NamedSeat(game, ended, "2020", bool(more.get("counts", 1)), b"{}", (who or "").title(), True, seat)


HOUR = 3600_000


def test_a_report_tells_people_and_bots_apart() -> None:
    rows = [
        *(
            row("c", 40 * HOUR, "anna", 50, True),
            row("c", 40 * HOUR, "bela", 49.5),
            row("c", 40 * HOUR, None, 60),
        ),
        *(
            row("b", 12 * HOUR, "anna", 40),
            row("b", 12 * HOUR, "bela", 45, True, kept=4),
            row("b", 12 * HOUR, None, 9),
        ),
        *(
            row("a", 9 * HOUR, "anna", 71, True, broken=1),
            row("a", 9 * HOUR, "bela", 60),
            row("a", 9 * HOUR, None, 9),
        ),
    ]
    report = group_report(rows)
    assert [game.evening for game in report.games] == [2, 1, 1]
    anna = next(one for one in report.people if one.person == "anna")
    bela = next(one for one in report.people if one.person == "bela")
    assert (anna.fared.games, anna.fared.wins, anna.fared.mean) == (3, 2, 53.67)
    assert (anna.ahead, bela.ahead) == ({"bela": 2}, {"anna": 1})
    assert (anna.kept, anna.broken, anna.live, anna.slow) == (3, 1, 60_000, None)
    assert {one.person for one in report.people} == {"anna", "bela"}
    (bots,) = report.bots
    assert (bots.level, bots.fared.games, bots.place) == ("novice", 3, None)
    assert anna.place is not None
    assert anna.place.low < anna.place.rating < anna.place.high
    assert not anna.place.ranked, "after three games nobody has a place"
    (species,) = report.species
    assert species.people is not None
    assert species.bots is not None
    assert (species.people.games, species.bots.games) == (6, 3)
    records = {one.kind: (one.value, one.person, one.table) for one in report.records}
    assert records == {
        "score": (71, "anna", "a"),
        "deals": (3, "anna", "a"),
        "kept": (4, "bela", "b"),
        "closest": (5, "bela", "b"),
        "widest": (11, "anna", "a"),
    }


def test_a_rating_becomes_surer_with_games_and_has_a_place_after_ten() -> None:
    def games(count: int) -> list[NamedSeat]:
        return [
            one
            for n in range(count)
            for one in (
                row(f"g{n}", n, "anna", 50 if n % 3 else 30, bool(n % 3)),
                row(f"g{n}", n, "bela", 40, not n % 3),
            )
        ]

    few, many = (group_report(games(count)).people for count in (3, 30))
    wide, narrow = ({one.person: one.place for one in people} for people in (few, many))
    for person in ("anna", "bela"):
        before, after = wide[person], narrow[person]
        assert before is not None
        assert after is not None
        assert after.high - after.low < before.high - before.low
        assert (before.ranked, after.ranked) == (False, True)
    assert [one.person for one in many] == ["anna", "bela"], "who wins two of three stands first"


def test_the_course_of_ratings_tells_where_people_stood_after_each_evening() -> None:
    """What came later does not change what was known then, and every moment says how sure it was."""
    evenings = [("anna", "bela"), ("anna", "bela"), ("bela", "anna"), ("bela", "cleo")]
    rows = [
        one
        for n, (first, second) in reversed(list(enumerate(evenings)))
        for one in (
            row(f"g{n}", 24 * HOUR * n, first, 50, True),
            row(f"g{n}", 24 * HOUR * n, second, 40),
            row(f"g{n}", 24 * HOUR * n, None, 60),
        )
    ]
    report = group_report(rows)
    assert [one.ended for one in report.course] == [24 * HOUR * n for n in range(4)]
    assert [one.games for one in report.course] == [1, 2, 3, 4]
    assert [sorted(one.places) for one in report.course] == [
        *(3 * [["anna", "bela"]]),
        ["anna", "bela", "cleo"],
    ]
    first, *_, last = report.course
    assert first.places["anna"].rating > first.places["bela"].rating
    assert last.places == {one.person: one.place for one in report.people}, "the last is how they stand now"
    earlier = group_report(rows[3:]).course
    assert earlier == report.course[:3]
    for moment in report.course:
        assert all(place.low < place.rating < place.high for place in moment.places.values())


def test_a_course_of_many_evenings_is_drawn_from_them_evenly_and_ends_with_the_last() -> None:
    rows = [
        one
        for n in reversed(range(40))
        for one in (row(f"g{n}", 24 * HOUR * n, "anna", 50, True), row(f"g{n}", 24 * HOUR * n, "bela", 40))
    ]
    course = group_report(rows).course
    days = [one.ended // (24 * HOUR) for one in course]
    assert len(days) <= 16
    assert days[-1] == 39
    assert {later - before for before, later in itertools.pairwise(days)} == {3}
    bots = [row(f"g{n}", n, who, 50) for n in range(3) for who in ("anna", None)]
    assert group_report(bots).course == (), "against bots alone nobody has a rating"


def test_a_game_from_a_record_is_listed_but_does_not_count() -> None:
    rows = [row("a", 1, "anna", 50, True, counts=0), row("a", 1, "bela", 40, counts=0)]
    report = group_report(rows)
    assert len(report.games) == 1
    assert (report.people, report.records) == ((), ())


# ---------------------------------------------------------------- stored


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_groups_are_kept_in_both_databases_and_their_backups(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = f"sqlite:///{tmp_path / 'groups.db'}"
    if kind == "postgres":
        url = str(request.getfixturevalue("postgres"))

    async def fill() -> str:
        database = database_at(url)
        await database.open()
        try:
            await database.write(
                [
                    ("INSERT INTO people (person, name, made) VALUES (?, ?, 1)", (f"{kind}-{one}", one))
                    for one in ("anna", "bela")
                ]
            )
            groups = Groups(database, lambda: 5)
            made = await groups.make(f"{kind}-anna", "Us", 3)
            await groups.join(made, f"{kind}-bela", 9, 3)
            await groups.join(made, f"{kind}-bela", 9, 3)
            assert [one.name for one in await groups.members(made.id)] == ["anna", "bela"]
            assert (await groups.rename(made, "We")).name == "We"
            return made.id
        finally:
            await database.close()

    async def read(where: str, group: str) -> list[str]:
        database = database_at(where)
        await database.open()
        try:
            groups = Groups(database, lambda: 5)
            assert (await groups.get(group, f"{kind}-bela")).name == "We"
            return [one.name for one in await groups.members(group)]
        finally:
            await database.close()

    group = asyncio.run(fill())
    backup = tmp_path / "backup.gz"
    write_backup(url, backup)
    copy = f"sqlite:///{tmp_path / 'copy.db'}"
    read_backup(copy, backup)
    assert asyncio.run(read(copy, group)) == ["anna", "bela"]
