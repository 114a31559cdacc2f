"""`elysian web`: the table in this machine's browser; what is played is kept from one start to the next."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import threading
import urllib.request
import webbrowser
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated

import typer

HOST = "127.0.0.1"
PORT = 8000  # the same as last time, unless somebody else has it
FILE = "sqlite:///"


def add_to(app: typer.Typer) -> None:
    """Add the command of the web table."""
    app.command("web")(web)


def web(
    port: Annotated[
        int | None,
        typer.Option(envvar="ELYSIAN_PORT", min=0, max=65535, help="The port. [default: a free one]"),
    ] = None,
    database: Annotated[
        str,
        typer.Option(
            envvar="ELYSIAN_DATABASE",
            help="sqlite:///FILE, where the games are kept. [default: in the folder for data of programs]",
        ),
    ] = "",
    browser: Annotated[bool, typer.Option(help="Open the browser.")] = True,
) -> None:
    """Open the web table in the browser; the games are kept, and Ctrl-C ends it."""
    database = database or FILE + str(_own_file())
    if not database.startswith(FILE):
        raise ValueError(
            "The web table keeps its games in a file, sqlite:///FILE; `elysian serve` takes others."
        )
    file = Path(database.removeprefix(FILE))
    address = file.with_suffix(".address")
    running = _running(address)
    if running:
        typer.echo(f"Elysian runs already: {running}")
        _show(running, browser)
        return
    with _listening(port) as at, _log(file.with_suffix(".log")):
        here = f"http://{HOST}:{at.getsockname()[1]}/"
        _serve(at, database, here, address, browser)


def data_folder(environment: Mapping[str, str], platform: str = sys.platform) -> Path:
    """Where programs of this machine keep what a person makes with them."""
    home = Path.home()
    if platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local") / "Elysian"
    if platform == "darwin":
        return home / "Library" / "Application Support" / "Elysian"
    return Path(environment.get("XDG_DATA_HOME") or home / ".local" / "share") / "elysian"


def has_browser(environment: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Whether there is a screen with a browser; one that draws in the terminal would take it from us."""
    if environment.get("BROWSER"):
        return True
    if platform not in ("win32", "darwin") and not (
        environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")
    ):
        return False
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True


def _own_file() -> Path:
    folder = data_folder(os.environ)
    folder.mkdir(parents=True, exist_ok=True)
    return folder / "elysian.db"


def _serve(at: socket.socket, database: str, here: str, address: Path, browser: bool) -> None:
    from elysian.server.edge.main import serve_at
    from elysian.server.edge.static_files import BUILT
    from elysian.server.ops.settings import ServerLimits, ServerSettings

    def ready() -> None:
        address.write_text(here, encoding="utf-8")
        typer.echo(f"Elysian is at {here}   (Ctrl-C ends it; the games are kept)")
        _show(here, browser)

    # One's own machine needs no bounds on what one asks of it.
    bounds = ServerLimits(tables=10_000, tables_a_day=10_000, requests=10_000, logs=1000)
    settings = ServerSettings(
        host=HOST, port=at.getsockname()[1], database=database, page=str(BUILT), limits=bounds
    )
    started = True
    with contextlib.suppress(KeyboardInterrupt):
        started = serve_at(settings, at, ready)
    if not started:
        log = address.with_suffix(".log")
        raise ValueError(f"The table could not be opened; the last lines of {log} say why.")
    address.unlink(missing_ok=True)
    typer.echo("Ended. The games go on when you start it again.")


@contextlib.contextmanager
def _listening(port: int | None) -> Iterator[socket.socket]:
    """A socket on the port asked for, or on the usual one, or on any that is free."""
    with socket.socket() as at:
        if os.name != "nt":
            at.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # ended a moment ago is free
        try:
            at.bind((HOST, PORT if port is None else port))
        except OSError:
            if port is not None:
                raise ValueError(f"Port {port} is taken; leave --port out to take a free one.") from None
            at.bind((HOST, 0))
        at.listen(128)
        yield at


@contextlib.contextmanager
def _log(file: Path) -> Iterator[None]:
    """The lines for operators go to a file; the terminal is for the person."""
    with file.open("w", encoding="utf-8") as out, contextlib.redirect_stderr(out):
        yield


def _running(address: Path) -> str | None:
    """Where a table on the same file is open already."""
    try:
        here = address.read_text(encoding="utf-8")
        with urllib.request.urlopen(here + "healthz", timeout=2) as answer:
            return here if answer.status == 200 else None
    except (OSError, ValueError):
        return None


def _show(here: str, browser: bool) -> None:
    if not browser:
        return
    if has_browser(os.environ):
        threading.Thread(target=webbrowser.open, args=(here,), daemon=True).start()
    else:
        typer.echo("There is no browser here: open that address in one.")
