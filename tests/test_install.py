"""What an install is made of: the engine alone, the command line, its extras, and the source package."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import tarfile
from importlib import metadata
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from typer.main import get_command

from elysian.__main__ import COMMANDS
from elysian.cli import app
from tests.support import absent

ROOT = Path(__file__).resolve().parent.parent
ENGINE = "from elysian import *; import elysian.record"
# What the engine must not bring along: all that other parts of Elysian are made of.
HEAVY = {"typer", "click", "rich", "pygments", "asyncio", "sqlite3", "multiprocessing", *absent.extras()}
REST = {
    f"elysian.{part}"
    for part in ("cli", "server", "sim", "envs", "players", "worth", "messages", "text", "mcp", "notebook")
}


def loaded_by(*command: str) -> set[str]:
    """Every module that a Python has loaded when it is done."""
    code = "import atexit, sys; atexit.register(lambda: print('\\n' + ' '.join(sys.modules)));"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}{command[0]}", *command[1:]],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    return set(done.stdout.splitlines()[-1].split())


def elysian(*words: str, lacking: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    """The command, where some modules are missing."""
    return subprocess.run(
        [sys.executable, str(absent.SCRIPT), *words],
        env=absent.without(*lacking),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


# ---------------------------------------------------------------- what is loaded


def test_the_engine_brings_nothing_of_the_rest_along() -> None:
    modules = loaded_by(ENGINE)
    assert {"msgspec", "elysian.rules", "elysian.view"} <= modules
    assert modules & HEAVY == set()
    assert modules & REST == set()


def test_the_page_of_help_is_printed_before_anything_is_loaded() -> None:
    """It takes about as long as starting Python: `make bench-cli` measures it."""
    modules = loaded_by("from elysian.__main__ import main; main()", "--help")
    assert {name for name in modules if name.startswith("elysian")} == {"elysian", "elysian.__main__"}
    assert modules & (HEAVY | {"msgspec", "typing", "re", "pathlib", "tomllib"}) == set()


def test_names_of_the_library_are_functions_although_modules_bear_them_too() -> None:
    said = subprocess.run(
        [
            sys.executable,
            "-c",
            "import elysian.view, elysian.options; from elysian import options, view;"
            "print(view is elysian.view is elysian.view, callable(options), hasattr(elysian, 'nothing'))",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout == "True True False\n"


def test_the_base_install_takes_thirty_megabytes_at_most() -> None:
    """The engine, the command line and all that these ask for, with the bytecode Python writes."""
    assert {"msgspec", "typer", "rich"} <= needed_for("elysian")
    assert needed_for("elysian").isdisjoint(absent.extras())
    files = [path for path in (ROOT / "elysian").rglob("*") if path.is_file() and path.suffix != ".pyc"]
    for name in needed_for("elysian") - {"elysian"}:
        there = metadata.distribution(name)
        files += [Path(str(there.locate_file(path))) for path in there.files or () if path.suffix != ".pyc"]
    # Bytecode is about as large as its source.
    size = sum(path.stat().st_size * (2 if path.suffix == ".py" else 1) for path in files if path.is_file())
    assert 10_000_000 < size < 30_000_000


def needed_for(name: str) -> set[str]:
    """The packages that come along when one is installed without extras, itself among them."""
    found, wanted = set(), {name}
    while wanted:
        found |= wanted
        asked = [Requirement(line) for one in wanted for line in metadata.requires(one) or ()]
        wanted = {one.name.lower() for one in asked if not one.marker or one.marker.evaluate({"extra": ""})}
        wanted -= found
    return found


@pytest.mark.parametrize("words", [("--help",), ("cards", "--json")])
def test_who_has_read_enough_may_stop_reading(words: tuple[str, ...]) -> None:
    """As in `elysian --help | head`: nothing is said of a reader that is gone."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "elysian", *words],
        cwd=ROOT,
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)
    assert done.stderr == b""


def test_the_page_of_help_names_every_command() -> None:
    done = elysian("--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert all(len(line) <= 80 for line in done.stdout.splitlines())
    listed = [line.split()[0] for line in done.stdout.partition("Commands:\n")[2].splitlines()]
    assert listed == list(COMMANDS)
    assert set(COMMANDS) == set(get_command(app).commands)  # type: ignore[attr-defined]
    assert elysian().stdout == done.stdout
    assert elysian().returncode == 2


# ---------------------------------------------------------------- extras


def test_without_extras_the_terminal_has_its_commands(tmp_path: Path) -> None:
    base = absent.extras()
    played = elysian("simulate", "--players", "4", "--json", "--records", str(tmp_path), lacking=base)
    assert (played.returncode, played.stderr) == (0, "")
    assert json.loads(played.stdout)["players"] == 4
    (record,) = tmp_path.glob("*.jsonl")
    assert elysian("replay", str(record), "--check", lacking=base).returncode == 0
    assert elysian("cards", lacking=base).returncode == 0
    assert elysian("play", "nowhere.jsonl", lacking=base).stderr.startswith("elysian: nowhere.jsonl: ")


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        (("simulate", "--players", "4", "--bots", "standard"), "bots"),
        (("simulate", "--players", "4", "--bots", "standard", "--games", "2", "--jobs", "2"), "bots"),
        (("bound", "--seed", "1", "--players", "4"), "bots"),
        (("simulate", "--players", "4", "--cluster", "local"), "cluster"),
        (("web", "--no-browser"), "server"),
        (("serve", "--port", "0"), "server"),
        (("export", "games"), "server"),
        (("mcp", "--players", "4", "--bots", "random"), "mcp"),
    ],
)
def test_a_command_that_lacks_an_extra_says_which_in_one_sentence(words, extra) -> None:
    done = elysian(*words, lacking=absent.extras())
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("elysian: This needs ")
    assert line.endswith(f'which is not installed: pip install "elysian[{extra}]"')


def test_a_module_that_no_extra_brings_is_a_mistake_of_ours() -> None:
    done = elysian("cards", lacking=("textwrap",))
    assert done.returncode == 1
    assert "Traceback" in done.stderr


# ---------------------------------------------------------------- the source package


def test_the_source_package_holds_what_a_checkout_holds(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as package:
        held = {name.partition("/")[2] for name in package.getnames()}
    for folder in ("deploy", "results", "games", "docs", "tools"):
        there = {path.relative_to(ROOT).as_posix() for path in (ROOT / folder).iterdir() if path.is_file()}
        assert there
        assert there - held == set()
    assert {"play", "Makefile", "constraints.txt", ".dockerignore", "LICENSE", "README.md"} <= held
    assert not any("node_modules" in name or name.startswith(".venv") for name in held)


# ---------------------------------------------------------------- ./play


@pytest.mark.parametrize(
    ("words", "parts", "with_page"),
    [
        ([], {"server"}, True),
        (["--terminal"], set(), False),
        (["--setup"], {"server"}, True),
        (["--setup", "--dev"], {"server", "dev"}, True),
        (["--test"], {"server", "dev"}, True),
        (["--bench"], {"server", "bench"}, True),
    ],
)
def test_the_script_installs_what_is_needed_and_no_more(words, parts, with_page, monkeypatch) -> None:
    play = script()
    asked: list[Any] = []

    def refuses(*wanted: Any) -> tuple[str]:
        asked.append(wanted)
        return ("Not today.",)

    monkeypatch.setattr(play, "set_up", refuses)
    monkeypatch.setattr(play, "node_group", lambda _: set())
    monkeypatch.setattr(sys, "argv", ["play", *words])
    assert play.main() == 1
    assert asked == [(parts, with_page)]


def test_the_script_brings_node_only_where_something_is_to_be_built(monkeypatch) -> None:
    play = script()
    monkeypatch.delenv("ELYSIAN_SKIP_WEB", raising=False)
    facts = {"--is-built": True, "--has-node": False}
    monkeypatch.setattr(play, "quiet", lambda command: facts[command[-1]])
    assert play.node_group(set()) == set()
    assert play.node_group({"--test"}) == {"web"}
    facts["--is-built"] = False
    assert play.node_group(set()) == {"web"}
    assert play.node_group({"--terminal"}) == set()
    facts["--has-node"] = True
    assert play.node_group({"--test"}) == set()


def test_a_whole_run_of_tests_goes_file_by_file_and_a_file_is_shared_out() -> None:
    play = script()
    processes = ["-n", str(play.cores() + 1)]
    assert play.workers(["-q"]) == [*processes, "--dist", "loadfile", "--no-loadscope-reorder"]
    assert play.workers([f"{__file__}::test_one", "-q"]) == processes
    assert play.workers(["-n", "2"]) == play.workers(["--pdb"]) == []


def test_a_page_that_cannot_be_built_is_no_reason_not_to_start(monkeypatch, tmp_path, capsys) -> None:
    play = script()
    builder = tmp_path / "builder.py"
    builder.write_text("import sys; sys.exit('npm is on strike')", encoding="utf-8")
    monkeypatch.setattr(play, "BUILD_PAGE", str(builder))
    monkeypatch.setattr(play, "PYTHON", sys.executable)
    page = play.Page()
    page.finish()
    assert capsys.readouterr().err == ""
    page.begin()
    page.begin()
    page.finish()
    said = capsys.readouterr().err
    assert said.count("Building the web page") == 1
    assert "npm is on strike" in said
    assert "./play --terminal works without it" in said


def test_an_old_python_gets_as_far_as_the_sentence_that_it_is_too_old() -> None:
    text = (ROOT / "play").read_text(encoding="utf-8")
    ast.parse(text, feature_version=(3, 6))
    outside = ast.parse(text).body
    assert not any(alias.name == "tomllib" for line in outside for alias in getattr(line, "names", ()))


def script():
    """./play as a module."""
    loader = SourceFileLoader("play_script", str(ROOT / "play"))
    module = module_from_spec(spec_from_loader("play_script", loader))
    loader.exec_module(module)
    return module
