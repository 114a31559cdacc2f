"""The table without anything that only POSIX systems have, as on Windows: it opens, is played at and kept."""

from __future__ import annotations

import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.support import absent
from tools.drive.server import Browser, Served
from tools.drive.waiting import PATIENCE


class Elsewhere(Served):
    """A server on a machine that lacks what only POSIX systems have; no file is read in its own encoding."""

    program = ("-X", "warn_default_encoding", "-W", "error::EncodingWarning", str(absent.SCRIPT))


def test_a_game_with_bots_is_begun_left_and_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ABSENT", ",".join(absent.POSIX))
    served = Elsewhere(tmp_path, "--bot-pace", "0").start()
    try:
        host = Browser(served, "Anna")
        table = host.open(bots={"1": "random", "2": "fair", "3": "novice"})
        assert host.do(table, {"kind": "start_game"}).status == 200
        with host.sit(table) as seat:
            assert seat.do("done")["kind"] == "accepted"
            # The three think in processes of their own, which must find their way there too.
            while seat.view["step"] == "trade":
                seat.next()
            # Trading ends when one alone is left, who may have done nothing before the plans.
            while not {line["seat"] for line in seat.lines} >= {0, 1, 2, 3}:
                seat.next()
        assert host.get("/").status == 200
        served.stop()
        served.start()
        assert host.get(f"/api/tables/{table}").json["view"]["players"][0]["species"]
    finally:
        served.kill()
    assert "Traceback" not in served.log(), served.log()


def test_a_second_server_on_the_same_file_is_refused_there_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ABSENT", ",".join(absent.POSIX))
    first = Elsewhere(tmp_path).start()
    try:
        with pytest.raises(AssertionError, match=r"Another server uses .*tables.db"):
            Elsewhere(tmp_path).start()
        assert Browser(first, "Anna").get("/api/me").json["name"] == "Anna"
    finally:
        first.stop()
    Elsewhere(tmp_path).start().stop()


def test_the_table_of_one_person_opens_there_too(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, *Elsewhere.program, "web", "--no-browser", "--port", "0"],
        env={**absent.without(*absent.POSIX), "XDG_DATA_HOME": str(tmp_path), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        text=True,
    ) as table:
        try:
            assert table.stdout is not None
            said = table.stdout.readline()
            address = next(word for word in said.split() if word.startswith("http://"))
            with urllib.request.urlopen(address + "healthz", timeout=PATIENCE) as answer:
                assert answer.status == 200
        finally:
            table.kill()
    assert (tmp_path / "elysian" / "elysian.db").exists()
