"""`elysian web` and `./play`: the table opens in the browser, its games are kept, and Ctrl-C ends it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from elysian.cli.web import PORT, data_folder, has_browser
from elysian.server.ops.reach import where_is
from tests.support.web_command import clean, started
from tools.drive.waiting import PATIENCE, until

ROOT = Path(__file__).resolve().parent.parent

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent as a signal")


def ask(address: str, path: str, body: object = None, cookie: str = "") -> tuple[Any, str]:
    """An answer of the table, and the key it gave."""
    request = urllib.request.Request(
        address + path,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Content-Type": "application/json", "Cookie": cookie},
    )
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return json.load(answer), str(answer.headers.get("set-cookie") or "").partition(";")[0]


def test_the_table_opens_in_the_browser_and_its_games_go_on_after_ctrl_c(tmp_path: Path) -> None:
    with started(tmp_path) as first:
        address = first.address()
        assert until(lambda: first.seen.exists() and first.seen.read_text()) == f"{address}\n"
        _, key = ask(address, "api/me", {"name": "Anna"})
        ask(address, "api/tables", {"options": {"title": "The long evening"}, "seat": 0}, key)
        assert first.interrupt() == 0
        assert len(first.lines()) == 2, first.lines()
    with started(tmp_path) as again:
        me, _ = ask(again.address(), "api/me", cookie=key)
        assert [table["title"] for table in me["tables"]] == ["The long evening"]
        assert again.interrupt() == 0


def test_a_second_start_opens_the_table_that_runs_already(tmp_path: Path) -> None:
    with started(tmp_path) as first:
        address = first.address()
        until(lambda: first.seen.exists())
        with started(tmp_path) as second:
            assert second.process.wait(PATIENCE) == 0
            assert second.lines() == [f"Elysian runs already: {address}"]
        assert first.interrupt() == 0


def test_friends_come_by_the_networks_address_and_by_no_other(tmp_path: Path) -> None:
    with started(tmp_path, "--no-browser", "--friends", "--address", "127.0.0.2") as one:
        here = one.address()
        there = here.replace("127.0.0.1", "127.0.0.2")
        until(lambda: f"  {there}" in one.lines())
        assert any("--base-url" in line for line in one.lines()), one.lines()
        reach, _ = ask(there, "api/reach")
        assert {link["url"] + "/" for link in reach["links"]} == {here, there}
        assert not reach["may_open"]
        with pytest.raises(OSError, match="refused"):
            ask(here.replace("127.0.0.1", "127.0.0.3"), "api/reach")
        assert one.interrupt() == 0


def test_alone_nobody_else_comes_until_who_sits_there_says_so(tmp_path: Path) -> None:
    with started(tmp_path, "--no-browser", "--address", "127.0.0.2") as one:
        here = one.address()
        there = here.replace("127.0.0.1", "127.0.0.2")
        assert ask(here, "api/reach")[0]["may_open"]
        with pytest.raises(OSError, match="refused"):
            ask(there, "api/reach")
        # Through a proxy, a tunnel or from another machine the table is called otherwise.
        for name, address in (("192.168.7.7", ""), ("", "192.168.7.7")):
            request = urllib.request.Request(here + "api/reach", data=b"", method="POST")
            request.add_header(*(("Host", name) if name else ("X-Forwarded-For", address)))
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(request, timeout=PATIENCE)
            assert refused.value.code == 403
            refused.value.close()
        with started(tmp_path, "--no-browser", "--friends") as second:  # opens the one that runs
            assert second.process.wait(PATIENCE) == 0
            assert f"  {there}" in second.lines()
        assert not ask(there, "api/reach")[0]["may_open"]
        assert one.interrupt() == 0


def test_an_address_that_is_not_ours_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with started(tmp_path, "--no-browser", "--friends", "--address", "203.0.113.9") as one:
        assert one.process.wait(PATIENCE) == 2
        assert "cannot be opened" in one.lines()[-1]


@pytest.mark.parametrize(
    ("host", "where"),
    [
        ("127.0.0.2", "machine"),
        ("localhost", "machine"),
        ("192.168.1.5", "network"),
        ("100.101.1.1", "network"),
        ("fd00::2", "network"),
        ("desk.local", "network"),
        ("8.8.8.8", "internet"),
        ("play.example.org", "internet"),
    ],
)
def test_an_address_says_from_where_it_works(host: str, where: str) -> None:
    assert where_is(host) == where


def test_a_port_that_is_taken_is_left_to_its_owner(tmp_path: Path) -> None:
    with socket.socket() as theirs:
        theirs.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            theirs.bind(("127.0.0.1", PORT))
            theirs.listen()
        except OSError:
            pass  # somebody else has it: as good
        with started(tmp_path, "--no-browser") as one:
            assert f":{PORT}/" not in one.address()
            assert one.interrupt() == 0


def test_a_port_asked_for_and_taken_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with socket.socket() as theirs:
        theirs.bind(("127.0.0.1", 0))
        theirs.listen()
        port = theirs.getsockname()[1]
        with started(tmp_path, "--port", str(port)) as one:
            assert one.process.wait(PATIENCE) == 2
            assert one.lines() == [f"elysian: Port {port} is taken; leave --port out to take a free one."]


def test_without_a_browser_the_address_is_printed_and_it_says_so(tmp_path: Path) -> None:
    with (tmp_path / "said").open("w") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "elysian", "web"],
            cwd=ROOT,
            env={**clean(), "XDG_DATA_HOME": str(tmp_path)},
            stdout=out,
        )
    try:
        until(lambda: "open that address" in (tmp_path / "said").read_text())
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0


def test_a_browser_needs_a_screen() -> None:
    assert not has_browser({}, "linux")
    assert has_browser({"BROWSER": "firefox"}, "linux")


@pytest.mark.parametrize(
    ("platform", "environment", "end"),
    [
        ("linux", {}, (".local", "share", "elysian")),
        ("linux", {"XDG_DATA_HOME": "/data"}, ("/", "data", "elysian")),
        ("darwin", {}, ("Library", "Application Support", "Elysian")),
        ("win32", {"LOCALAPPDATA": "/local"}, ("/", "local", "Elysian")),
    ],
)
def test_games_are_kept_where_programs_keep_their_data(
    platform: str, environment: dict[str, str], end: tuple[str, ...]
) -> None:
    assert data_folder(environment, platform).parts[-len(end) :] == end


def test_the_script_says_which_table_is_which() -> None:
    said = subprocess.run(
        [sys.executable, str(ROOT / "play"), "--help"], capture_output=True, text=True, check=True
    ).stdout
    assert "table in the browser" in said
    assert "--terminal" in said
