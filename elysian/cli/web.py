"""`elysian web`: the table in this machine's browser; what is played is kept from one start to the next."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import threading
import urllib.error
import urllib.request
import webbrowser
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from elysian.server.ops.reach import Link
    from elysian.server.ops.settings import ServerSettings

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
    friends: Annotated[
        bool, typer.Option("--friends", help="Let others in this network come too, for instance by phone.")
    ] = False,
    address: Annotated[
        str,
        typer.Option(help="Addresses of this machine to open to others, by commas. [default: those found]"),
    ] = "",
    base_url: Annotated[
        str,
        typer.Option(envvar="ELYSIAN_BASE_URL", help="Where a proxy or tunnel of yours shows it, https://…"),
    ] = "",
) -> None:
    """Open the web table in the browser; the games are kept, and Ctrl-C ends it."""
    database = database or FILE + str(_own_file())
    if not database.startswith(FILE):
        raise ValueError(
            "The web table keeps its games in a file, sqlite:///FILE; `elysian serve` takes others."
        )
    from elysian.server.edge.static_files import BUILT
    from elysian.server.ops.reach import own_addresses
    from elysian.server.ops.settings import ServerLimits, ServerSettings

    file = Path(database.removeprefix(FILE))
    noted = file.with_suffix(".address")
    running = _running(noted)
    if running:
        typer.echo(f"Elysian runs already: {running}")
        if friends:
            _invite(_opened(running))
        _show(running, browser)
        return
    others = tuple(one.strip() for one in address.split(",") if one.strip())
    open_to = (others or own_addresses()) if friends else ()
    with _listening(port, open_to) as listening, _log(file.with_suffix(".log")):
        # One's own machine needs few bounds on what one asks of it; whom one invites, some.
        settings = ServerSettings(
            host=HOST,
            port=listening[0].getsockname()[1],
            database=database,
            base_url=base_url.rstrip("/"),
            page=str(BUILT),
            at_home=True,
            friends=open_to,
            addresses=others,
            limits=ServerLimits(tables=1000, tables_a_day=10_000, joins=100, requests=10_000, logs=1000),
        )
        _serve(settings, listening, noted, browser, friends)


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


def _serve(
    settings: ServerSettings, listening: list[socket.socket], noted: Path, browser: bool, friends: bool
) -> None:
    from elysian.server.edge.main import serve_at

    here = f"http://{HOST}:{settings.port}/"

    def ready(links: tuple[Link, ...]) -> None:
        noted.write_text(here, encoding="utf-8")
        typer.echo(f"Elysian is at {here}   (Ctrl-C ends it; the games are kept)")
        if friends or settings.base_url:
            _invite(links)
        _show(here, browser)

    started = True
    with contextlib.suppress(KeyboardInterrupt):
        started = serve_at(settings, listening, ready)
    if not started:
        log = noted.with_suffix(".log")
        raise ValueError(f"The table could not be opened; the last lines of {log} say why.")
    noted.unlink(missing_ok=True)
    typer.echo("Ended. The games go on when you start it again.")


WHERE = {
    "internet": "For everybody who has the link, if nothing stands between:",
    "network": "For others in this network, for instance a phone in the same Wi-Fi:",
    "machine": "Only on this machine:",
}


def _invite(links: tuple[Link, ...]) -> None:
    """Say who can come by which link; the first that is for others is drawn, for phones."""
    import segno

    for where, words in WHERE.items():
        found = [link.url for link in links if link.where == where]
        if found:
            typer.echo("\n".join((words, *(f"  {url}/" for url in found))))
    drawn = next((link for link in links if link.where != "machine"), None)
    if drawn is None:
        typer.echo("No network was found: nobody else can come. --address names an address of this machine.")
    elif sys.stdout.isatty():
        segno.make(drawn.url + "/", micro=False).terminal(compact=True)
    if all(link.where != "internet" for link in links):
        typer.echo(
            "Whoever is elsewhere does not reach it. For them it takes a proxy or tunnel of your own to this"
            " port, and --base-url with its address (docs/hosting.md)."
        )


def _opened(running: str) -> tuple[Link, ...]:
    """Open the table that runs already to the network; raises ValueError when that cannot be."""
    import msgspec

    from elysian.server.ops.reach import Link

    request = urllib.request.Request(running + "api/reach", data=b"", method="POST")
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            links = msgspec.json.decode(answer.read())["links"]
    except urllib.error.HTTPError as refused:
        raise ValueError(msgspec.json.decode(refused.read())["sentence"]) from None
    return msgspec.convert(links, tuple[Link, ...])


@contextlib.contextmanager
def _listening(port: int | None, open_to: tuple[str, ...]) -> Iterator[list[socket.socket]]:
    """Sockets on the port asked for, or on the usual one, or on any that is free; our own address first."""
    from elysian.server.ops.reach import bound

    listening: list[socket.socket] = []
    try:
        try:
            listening.append(bound(HOST, PORT if port is None else port))
        except OSError:
            if port is not None:
                raise ValueError(f"Port {port} is taken; leave --port out to take a free one.") from None
            listening.append(bound(HOST, 0))
        taken = listening[0].getsockname()[1]
        for address in open_to:
            try:
                listening.append(bound(address, taken))
            except OSError as problem:
                raise ValueError(f"{address}, port {taken}, cannot be opened: {problem.strerror}.") from None
        yield listening
    finally:
        for one in listening:
            one.close()


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
