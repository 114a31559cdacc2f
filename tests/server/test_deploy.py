"""The files in deploy/ name only settings and commands that there are."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from pathlib import Path
from shutil import copyfile

import pytest
import typer
from typer.main import get_command

from elysian.cli import app
from tools.drive.server import Browser, Served
from tools.hashes import hashes, pip, text

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"


def settings() -> set[str]:
    """Every environment variable a command of the server reads."""
    group = get_command(app)
    assert isinstance(group, typer.core.TyperGroup)
    return {
        str(parameter.envvar)
        for command in group.commands.values()
        for parameter in command.params
        if parameter.envvar
    }


def test_every_setting_in_a_file_is_one_of_the_server() -> None:
    # Of the compose file itself; and what is never told on a command line, where others could read it.
    own = {"ELYSIAN_LISTEN", "ELYSIAN_SMTP_PASSWORD"}
    named = {
        name
        for path in DEPLOY.iterdir()
        for name in re.findall(r"\bELYSIAN_[A-Z_]+\b", path.read_text(encoding="utf-8"))
    }
    assert named - own <= settings()
    assert "ELYSIAN_DATABASE" in named


# ---------------------------------------------------------------- the container


def lines_of(word: str) -> list[str]:
    """The lines of the first stage of the Containerfile that begin with a word, without it."""
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    stage = text.partition("FROM ")[2].partition("FROM ")[0]
    return re.findall(rf"^{word} (.*)$", stage, re.MULTILINE)


def ignored(path: str) -> bool:
    """Whether a container is built without a path, though it lies in a folder that is copied."""
    for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines():
        name = line.removeprefix("**/")
        assert re.fullmatch(r"#.*|[\w./-]+", name), f"this test cannot read {line!r}"
        if path == line or path.startswith(f"{line}/") or (name != line and name in path.split("/")):
            return True
    return False


def copy_as_the_container_does(to: Path) -> None:
    """Lay exactly what the Containerfile copies into a folder."""
    for line in lines_of("COPY"):
        *sources, target = line.split()
        for source in map(ROOT.__truediv__, sources):
            assert source.exists(), f"{source} is copied, but not there"
            for path in sorted(source.rglob("*")) if source.is_dir() else [source]:
                if path.is_dir() or ignored(path.relative_to(ROOT).as_posix()):
                    continue
                place = to / target / (path.relative_to(source) if source.is_dir() else source.name)
                place.parent.mkdir(parents=True, exist_ok=True)
                copyfile(path, place)


@pytest.mark.skipif(os.name == "nt", reason="the container's commands are those of a POSIX shell")
def test_the_container_builds_and_serves_from_what_it_copies(tmp_path: Path) -> None:
    """Its own command installs into a folder of ours, from nothing but the files that are copied."""
    source, place = tmp_path / "source", tmp_path / "installed"
    copy_as_the_container_does(source)
    assert not (source / "elysian" / "server" / "static").exists(), "the page is built anew"
    assert not (source / "web" / "node_modules").exists()
    (command,) = lines_of("RUN")
    assert command.startswith("python -m venv /elysian ")
    command = command.replace("python -m venv", f"{sys.executable} -m venv").replace("/elysian", str(place))
    done = subprocess.run(
        ["sh", "-c", command.replace("--no-cache-dir ", "-q ")],
        cwd=source,
        # A page that cannot be built is a failure; what is installed is compiled when it is used.
        env={**os.environ, "CI": "true", "PIP_NO_COMPILE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    served = Served(tmp_path)
    served.python, served.program, served.imports_from = str(place / "bin" / "python"), ("-m", "elysian"), ""
    served.start()
    try:
        assert b"<script" in Browser(served).get("/").raw
        host = Browser(served, "Anna")
        assert host.do(host.open(bots=dict.fromkeys("123", "novice")), {"kind": "start_game"}).status == 200
    finally:
        served.stop()


def test_what_pip_would_install_is_written_with_its_hashes(tmp_path: Path) -> None:
    """Pip takes the file, and takes nothing that has another hash."""
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    found = hashes([here], [platform.machine()])
    assert {"uvicorn", "msgspec", "hatchling"} <= {pinned.partition("==")[0] for pinned in found}

    def takes(what: dict[str, set[str]]) -> bool:
        file = tmp_path / "hashes.txt"
        file.write_text(text(what), encoding="utf-8")
        command = [*pip(), "install", "-q", "--dry-run", "--ignore-installed", "--no-deps"]
        done = subprocess.run([*command, "--require-hashes", "-r", str(file)], capture_output=True, text=True)
        return done.returncode == 0

    name = next(pinned for pinned in found if pinned.startswith("uvicorn=="))
    assert takes({name: found[name]})
    assert not takes({name: {"0" * 64}})


def test_the_proxies_keep_what_is_for_operators_from_the_public() -> None:
    for example in re.findall(r"```\n(.*?)```", (DEPLOY / "proxy.md").read_text(encoding="utf-8"), re.DOTALL):
        assert "/metrics" in example
        assert "404" in example
