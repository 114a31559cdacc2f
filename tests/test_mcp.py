"""A seat over MCP: any assistant plays whole games with its tools, here or at a server's table."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.types import TextContent

from elysian.actions import AcceptDeal, DeclineDeal, Done, NotDone
from elysian.mcp import remote
from elysian.mcp.local import LocalSeat
from elysian.mcp.remote import RemoteSeat, company_of, heard_in
from elysian.mcp.seat import SeatAway
from elysian.mcp.server import SeatTools, server_of
from elysian.record import Record, check, read
from elysian.state import Settings
from elysian.text.seat import TOOLS
from tests.support.injections import PAYLOADS, is_ordered
from tests.support.pairs import SECRETS, some_pair
from tools.drive.server import Browser, serving

ROOT = Path(__file__).resolve().parent.parent
SEATS = ("caylion", "kit", "unity", "eni_et")
HERE = ("--players", "4", "--bots", "fair", "--seed", "1")
STEPS = {  # what somebody without ideas does in each step
    "planning converters": "plan best",
    "secret bids": "bid 1 0",
    "taking colonies": "pass",
    "taking research teams": "pass",
    "giving up colonies": "discard 1",
    "giving donation goods away": "1",
}
NAMED = ["look", "options", "offer", "answer", "act", "wait", "rules"]


def local(tmp_path: Path, seed: int = 1) -> LocalSeat:
    return LocalSeat(Record.begin(Settings(species=SEATS), seed), tmp_path / "game.jsonl")


async def called(client: Client, tool: str, **arguments: Any) -> tuple[str, bool]:
    result = await client.call_tool(tool, arguments)
    (part,) = result.content
    assert isinstance(part, TextContent)
    return part.text, bool(result.is_error)


async def whole_game(client: Client, moves: int = 150) -> str:
    """Play by what each step asks for, with an offer in the first turn; the last thing shown."""
    shown, _ = await called(client, "look")
    for _ in range(moves):
        if "Now: the end." in shown:
            return shown
        step = re.findall(r"^Now: ([^.]*)\.", shown, re.MULTILINE)[-1]
        if "You are waited for." in shown:
            shown, wrong = await called(client, "act", do=STEPS.get(step, "done"))
            if wrong:
                shown, _ = await called(client, "look")
        else:
            shown, _ = await called(client, "wait")
    raise AssertionError(f"the game does not end: {shown}")


# ---------------------------------------------------------------- over the wire


def test_an_assistant_plays_a_whole_game_over_stdio(tmp_path: Path) -> None:
    command = ["-m", "elysian", "mcp", *HERE, "--records", str(tmp_path)]

    async def play() -> None:
        async with Client(StdioServerParameters(command=sys.executable, args=command, cwd=ROOT)) as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == NAMED
            assert "You are waited for." in (await called(client, "look"))[0]
            shown, wrong = await called(client, "offer", to="anyone", terms="1g > 1w", note="For my garden.")
            assert not wrong
            assert shown.startswith("Done.")
            rule, _ = await called(client, "rules", about="BID-2")
            assert "BID-2" in rule
            shown = await whole_game(client)
            assert "The result:" in shown

    asyncio.run(asyncio.wait_for(play(), 600))
    record = read(tmp_path / "elysian-1.jsonl")
    assert check(record) == []
    assert record.head.players[0].name == "assistant"
    assert {event.__class__.__name__ for event in record.entries[-1].events} >= {"GameScored"}


def test_older_clients_are_served_too(tmp_path: Path) -> None:
    """The handshake that clients had before the newest protocol."""

    async def look() -> None:
        async with Client(server_of(SeatTools(local(tmp_path))), mode="legacy") as client:
            assert len((await client.list_tools()).tools) == len(TOOLS)
            assert "Turn 1 of 6" in (await called(client, "look"))[0]

    asyncio.run(look())


def test_an_assistant_plays_a_whole_game_over_http(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "elysian", "mcp", *HERE, "--records", str(tmp_path), "--http", "0"]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        said = process.stderr.readline()
        url = said.rpartition(" ")[2].strip()

        async def play() -> None:
            async with Client(url) as client:
                assert "The result:" in await whole_game(client)

        asyncio.run(asyncio.wait_for(play(), 600))
    finally:
        process.terminate()
        process.wait()
        process.stderr.close()
    assert check(read(tmp_path / "elysian-1.jsonl")) == []


# ---------------------------------------------------------------- a seat here


def test_a_mistake_is_told_in_a_sentence_and_changes_nothing(tmp_path: Path) -> None:
    seat = local(tmp_path)
    tools = SeatTools(seat)

    async def ask() -> list[tuple[str, bool]]:
        async with Client(server_of(tools)) as client:
            return [
                await called(client, "act", do="fly"),
                await called(client, "act", do="bid 1 0"),
                await called(client, "answer", offer=77, accept=True),
                await called(client, "offer", to="kit", terms="1g"),
                await called(client, "look", what="the future"),
                await called(client, "rules", about="chess"),
                await called(client, "act", action={"kind": "release", "obligation": "d9.9"}),
            ]

    before = seat.table.state
    for said, wrong in asyncio.run(ask()):
        assert wrong, said
        assert said.endswith("."), said
    assert seat.table.state is before


def test_numbers_mean_what_they_meant_when_they_were_read(tmp_path: Path) -> None:
    tools = SeatTools(local(tmp_path))
    shown = tools._said("look", {})
    number, label = re.findall(r"^(\d+) (done)$", shown, re.MULTILINE)[0]
    assert label == "done"
    assert tools._said("act", {"do": number}).startswith("Done.")


def test_offers_are_answered_with_a_reason(tmp_path: Path) -> None:
    """The offers of others are listed by number; accepting one strikes the deal."""
    for seed in range(1, 30):
        (tmp_path / str(seed)).mkdir()
        seat = local(tmp_path / str(seed), seed)
        tools = SeatTools(seat)
        for _ in range(4):
            shown = tools._said("wait", {})
            found = re.search(r"^#(\d+) ", shown, re.MULTILINE)
            if found:
                said = tools._said("answer", {"offer": int(found[1]), "accept": False, "reason": "Too dear."})
                assert said.startswith("Done.")
                mine = [entry.action for entry in seat.table.record.entries if entry.seat == 0]
                assert mine[-1] == DeclineDeal(deal=f"d{found[1]}", reason="Too dear.")
                return
    raise AssertionError("nobody offered anything")


@pytest.mark.parametrize("secret", SECRETS)
def test_nobody_can_tell_a_secret_over_mcp(secret: str, tmp_path: Path) -> None:
    """COMP-5, BID-2, ECON-12: two games that differ in another's secret give the same answers."""
    compared = 0
    for number in range(12):
        pair = some_pair(secret, 4, number)
        if 0 in pair.insiders:
            continue
        said = []
        for state in (pair.one, pair.other):
            seat = LocalSeat.__new__(LocalSeat)
            seat.table = local(tmp_path).table
            seat.table.state, seat.table.seats = state, state.settings.species
            seat.table.news = []
            tools = SeatTools(seat)
            said.append([answer(tools, tool, what) for tool, what in QUESTIONS])
        assert said[0] == said[1]
        compared += 1
    assert compared > 2


QUESTIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("look", {}),
    ("look", {"what": "offers"}),
    ("look", {"what": "promises"}),
    ("look", {"what": "tracks"}),
    ("options", {}),
)


def answer(tools: SeatTools, tool: str, arguments: dict[str, Any]) -> str:
    try:
        return tools._said(tool, arguments)
    except ValueError as problem:
        return str(problem)


# ---------------------------------------------------------------- at a server's table


def test_an_assistant_plays_a_whole_game_at_a_server(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(remote, "PAUSE", 0.05)  # the bots here are quick
    monkeypatch.setattr(remote, "TOGETHER", 0.05)
    words = ("--bot-pace", "0.01", "--limits", '{"requests": 100000, "logs": 10000, "plays": 10000}')
    with serving(tmp_path, *words) as served:
        host = Browser(served, "” OBEY")
        bots = {str(n): "random" for n in (1, 2, 3)}
        table = host.open(seat=None, bots=bots, title="“OBEY”")
        invitation = host.get(f"/api/tables/{table}").json["table"]["invitation"]
        seat = RemoteSeat(f"{served.origin}/t/{table}#{invitation}", name="OBEY me")
        with pytest.raises(SeatAway, match="has not begun"):
            seat.text()
        assert host.do(table, {"kind": "start_game"}).status == 200
        tools = SeatTools(seat, waits=2)
        shown = tools._said("look", {})
        assert "Table “'OBEY'”" in shown
        assert "“OBEY me” (" in shown
        assert not is_ordered([{"content": shown}])
        with pytest.raises(ValueError, match=r"\.$"):
            seat.do(AcceptDeal(deal="d99"))

        async def play() -> str:
            async with Client(server_of(tools)) as client:
                return await whole_game(client, 400)

        assert "The result:" in asyncio.run(asyncio.wait_for(play(), 600))
        with pytest.raises(ValueError, match=r"\.$"):
            seat.do(Done())


def test_a_token_of_the_bot_api_sits_down_acts_and_is_marked_as_a_bot(tmp_path: Path) -> None:
    with serving(tmp_path, "--bot-pace", "0.01") as served:
        host = Browser(served, "Anna")
        table = host.open(bots={"2": "random", "3": "random"}, open_to_bots=True)
        link = f"{served.origin}/t/{table}#{host.get(f'/api/tables/{table}').json['table']['invitation']}"
        told = host.post("/api/me/tokens", {"name": "Botty", "scopes": ["read"]}).json["token"]
        with pytest.raises(ValueError, match=r"play.*\.$"):
            RemoteSeat(link, told)
        plays = host.post("/api/me/tokens", {"name": "Botty", "scopes": ["read", "play"]}).json["token"]
        seat = RemoteSeat(link, plays, name="not asked for")
        assert host.do(table, {"kind": "start_game"}).status == 200
        faces = host.get(f"/api/tables/{table}").json["table"]["seats"]
        assert [face["name"] for face in faces[:2]] == ["Anna", "Botty"]
        assert [face["program"] is not None for face in faces[:2]] == [False, True]
        seat.do(Done())  # the host is not: the step goes on
        assert seat.text().view.me.done
        again = RemoteSeat(link, plays)  # where it sits already
        assert again.text().view.seat == seat.text().view.seat
        for token in host.get("/api/me/tokens").json:
            assert host.ask("DELETE", f"/api/me/tokens/{token['id']}").status == 204
        with pytest.raises((ValueError, SeatAway), match=r"\.$"):
            seat.do(NotDone())


def test_a_link_that_leads_nowhere_is_refused_with_a_sentence() -> None:
    with pytest.raises(ValueError, match="is no link to a table"):
        RemoteSeat("http://127.0.0.1:1/", name="Guest")
    with pytest.raises(ValueError, match="set ELYSIAN_TOKEN"):
        RemoteSeat("http://127.0.0.1:1/t/abc")
    with pytest.raises(ValueError, match="The server cannot be reached"):
        RemoteSeat("http://127.0.0.1:1/t/abc", token="t")


def test_no_name_or_title_of_fifty_gets_out_of_its_quotation_marks() -> None:
    for payload in PAYLOADS:
        for title, name in ((payload, "Anna"), ("A table", payload)):
            seats = [{"name": name, "bot": None, "species": "kit"}, {"name": "", "bot": "fair"}]
            lines = company_of({"options": {"title": title}, "seats": seats})
            assert not is_ordered([{"content": "\n".join(lines)}]), payload
            assert all(sign.isprintable() for line in lines for sign in line)


def test_talk_and_events_of_the_log_are_heard() -> None:
    line = {
        "n": 4,
        "seat": 1,
        "events": [
            {"kind": "said", "seat": 1, "text": "Hi"},
            {"kind": "done_said", "by": 1},
            {"kind": "sat"},
        ],
    }
    talk, game = heard_in(line)
    assert (talk.by, talk.words) == (1, "Hi")
    assert [type(event).__name__ for event in game.events] == ["DoneSaid"]
