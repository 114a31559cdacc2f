"""The files in deploy/ name only settings and commands that there are."""

from __future__ import annotations

import re
from pathlib import Path

import typer
from typer.main import get_command

from elysian.cli import app

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"


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
    own = {"ELYSIAN_LISTEN"}  # of the compose file itself
    named = {
        name
        for path in DEPLOY.iterdir()
        for name in re.findall(r"\bELYSIAN_[A-Z_]+\b", path.read_text(encoding="utf-8"))
    }
    assert named - own <= settings()
    assert "ELYSIAN_DATABASE" in named


def test_what_the_container_copies_is_there() -> None:
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    copied = [
        name
        for line in re.findall(r"^COPY (?!--from)(.*)$", text, re.MULTILINE)
        for name in line.split()[:-1]
    ]
    missing = [name for name in copied if not (DEPLOY.parent / name).exists()]
    assert copied
    assert missing == []
