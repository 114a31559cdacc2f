"""The web page: its types are current, it passes its own checks, and it is packed into the wheel."""

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest

from elysian.server.edge.http import encodings, request_of
from elysian.server.edge.static_files import Page
from tools import build_web, wire_types

ROOT = Path(__file__).resolve().parent.parent

needs_node = pytest.mark.skipif(
    build_web.node() is None and not os.environ.get("CI"),
    reason="there is no Node here that is new enough; ./play --test brings one",
)


def run(*script: str) -> None:
    build_web.install()
    done = build_web.npm("run", "--silent", *script, capture=True)
    assert done.returncode == 0, done.stdout[-4000:]


def test_the_generated_types_of_the_page_are_current() -> None:
    assert wire_types.FILE.read_text(encoding="utf-8") == wire_types.render()


def test_a_stale_file_of_types_is_told_from_a_current_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire_types, "FILE", tmp_path / "wire.ts")
    assert wire_types.main(["--check"]) == 1
    assert wire_types.main([]) == 0
    assert wire_types.main(["--check"]) == 0


@needs_node
def test_the_page_passes_its_type_check() -> None:
    run("check")


@needs_node
def test_the_page_passes_its_unit_tests() -> None:
    run("test")


def test_the_lock_file_names_no_registry() -> None:
    lock = (ROOT / "web" / "package-lock.json").read_text(encoding="utf-8")
    assert '"resolved"' not in lock
    assert "registry" not in lock


def test_the_page_is_built_anew_only_when_its_sources_change(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(build_web, "STAMP", tmp_path / "stamp")
    assert not build_web.is_built()
    (tmp_path / "stamp").write_text(build_web.fingerprint())
    assert build_web.is_built()
    (tmp_path / "stamp").write_text("something older")
    assert not build_web.is_built()


def test_without_node_the_build_says_what_it_takes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(build_web, "STAMP", tmp_path / "stamp")
    monkeypatch.setattr(build_web, "node", lambda: None)
    monkeypatch.setattr(build_web, "install", lambda dev: None)
    assert build_web.main([]) == 1
    assert "Node" in capsys.readouterr().err


@needs_node
def test_a_wheel_holds_the_page_and_needs_no_node(tmp_path: Path) -> None:
    """The page is in the wheel as files, where the server finds it; so is the rulebook."""
    pytest.importorskip("hatchling", reason="hatchling is only there with the development tools")
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    from zipfile import ZipFile

    (wheel,) = tmp_path.glob("*.whl")
    names = ZipFile(wheel).namelist()
    assert "elysian/server/static/index.html" in names
    assert "elysian/text/rulebook.md" in names
    scripts = [name for name in names if name.startswith("elysian/server/static/assets/page-")]
    assert {name.rsplit(".", 1)[1] for name in scripts} >= {"js", "br"}
    assert not any(name.startswith("web/") or "node_modules" in name for name in names)


def test_the_page_and_the_cards_travel_compressed_to_those_who_can_read_it(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "index-1.js").write_text("let here;" * 1000)
    (tmp_path / "index.html").write_text("<!doctype html>")
    page = Page(str(tmp_path))
    plain, short = page.find("/assets/index-1.js"), page.find("/assets/index-1.js", ["gzip"])
    assert plain is not None
    assert short is not None
    assert gzip.decompress(short.body) == plain.body
    assert (b"content-encoding", b"gzip") in short.headers
    assert (b"content-encoding", b"gzip") not in plain.headers
    # What would not get shorter is sent as it is.
    assert page.find("/", ["gzip"]) == page.find("/")


def test_what_was_packed_when_the_page_was_built_goes_to_those_who_can_read_it(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "index-1.js").write_text("let here;" * 1000)
    (tmp_path / "assets" / "index-1.js.br").write_bytes(b"as brotli")
    page = Page(str(tmp_path))
    found = page.find("/assets/index-1.js", ["gzip", "br"])
    assert found is not None
    assert found.body == b"as brotli"
    assert found.kind.endswith("/javascript; charset=utf-8")
    assert (b"content-encoding", b"br") in found.headers
    assert (b"vary", b"accept-encoding") in found.headers
    other = page.find("/assets/index-1.js", ["gzip"])
    assert other is not None
    assert (b"content-encoding", b"gzip") in other.headers
    assert page.find("/assets/index-1.js.br", ["br"]) is None


@pytest.mark.parametrize(
    ("said", "reads"),
    [("", {""}), ("gzip, br", {"gzip", "br"}), ("br;q=0, GZIP ;q=0.5", {"gzip"}), ("*;q=0", set())],
)
def test_a_client_says_what_it_can_read(said: str, reads: set[str]) -> None:
    request = request_of({"type": "http", "path": "/", "headers": [(b"accept-encoding", said.encode())]})
    assert encodings(request) == reads
