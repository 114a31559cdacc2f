"""`elysian serve`, `backup`, `restore`, `export`: the table server and what it keeps."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

DatabaseOption = Annotated[
    str,
    typer.Option(
        envvar="ELYSIAN_DATABASE", help="sqlite:///FILE, or postgresql://… when several servers share it."
    ),
]
SQLITE = "sqlite:///elysian.db"


def add_to(app: typer.Typer) -> None:
    """Add the commands of the server."""
    app.command("serve")(serve)
    app.command("backup")(backup)
    app.command("restore")(restore)
    app.command("export")(export)


def serve(
    host: Annotated[str, typer.Option(envvar="ELYSIAN_HOST", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(envvar="ELYSIAN_PORT", min=0, max=65535, help="The port; 0: any free one.")
    ] = 8000,
    database: DatabaseOption = SQLITE,
    workers: Annotated[
        int, typer.Option(envvar="ELYSIAN_WORKERS", min=1, max=64, help="Server processes; need PostgreSQL.")
    ] = 1,
    base_url: Annotated[
        str, typer.Option(envvar="ELYSIAN_BASE_URL", help="The server as people see it, https://….")
    ] = "",
    origins: Annotated[
        str, typer.Option(envvar="ELYSIAN_ORIGINS", help="Other pages that may speak to it, by commas.")
    ] = "",
    proxies: Annotated[
        str, typer.Option(envvar="ELYSIAN_PROXIES", help="Whose X-Forwarded-For is believed, by commas.")
    ] = "127.0.0.1",
    bots: Annotated[
        str,
        typer.Option(
            envvar="ELYSIAN_BOTS",
            help="Players beside our levels: package.module:Class, whose code is trusted, or llm:MODEL@URL.",
        ),
    ] = "",
    bot_processes: Annotated[
        int,
        typer.Option(
            envvar="ELYSIAN_BOT_PROCESSES",
            min=0,
            max=64,
            help="Processes in which bots think; 0: one for each core.",
        ),
    ] = 1,
    transcripts: Annotated[
        str,
        typer.Option(envvar="ELYSIAN_TRANSCRIPTS", help="A folder for what language models say."),
    ] = "",
    webhooks: Annotated[
        str, typer.Option(envvar="ELYSIAN_WEBHOOKS", help="Hosts notices may be sent to, by commas.")
    ] = "discord.com,discordapp.com",
    gather: Annotated[
        float,
        typer.Option(envvar="ELYSIAN_GATHER", min=0, help="Seconds for which notices are gathered into one."),
    ] = 20.0,
    smtp: Annotated[
        str,
        typer.Option(
            envvar="ELYSIAN_SMTP",
            help="The mail server notices go out by: smtp://USER@HOST:PORT (STARTTLS), smtps://…, or"
            " smtp+plain://… on this machine. The password is read from ELYSIAN_SMTP_PASSWORD.",
        ),
    ] = "",
    mail_from: Annotated[
        str, typer.Option(envvar="ELYSIAN_MAIL_FROM", help="The address mail comes from.")
    ] = "",
    contact: Annotated[
        str, typer.Option(envvar="ELYSIAN_CONTACT", help="An address push services may write to.")
    ] = "",
    page: Annotated[
        str,
        typer.Option(
            envvar="ELYSIAN_PAGE", help="The folder of the built web page. [default: the one installed]"
        ),
    ] = "",
    idle: Annotated[
        float, typer.Option(envvar="ELYSIAN_IDLE", min=1, help="Seconds until an unused table leaves memory.")
    ] = 600.0,
    ping: Annotated[
        float,
        typer.Option(envvar="ELYSIAN_PING", min=0.1, help="Seconds until a silent connection is asked."),
    ] = 20.0,
    hand_over: Annotated[
        float,
        typer.Option(
            envvar="ELYSIAN_HAND_OVER",
            min=0,
            help="Seconds in which one may refuse that others hand one's seat over; a day at slow tables.",
        ),
    ] = 300.0,
    bot_pace: Annotated[
        float, typer.Option(envvar="ELYSIAN_BOT_PACE", min=0, help="Seconds a bot takes at least.")
    ] = 0.6,
    offer_idle: Annotated[
        float,
        typer.Option(
            envvar="ELYSIAN_OFFER_IDLE",
            min=1,
            help="Seconds an offer of a bot lies before a person of whom nothing is heard.",
        ),
    ] = 90.0,
    limits: Annotated[
        str, typer.Option(envvar="ELYSIAN_LIMITS", help='Bounds to change, as JSON: {"tables": 30}.')
    ] = "{}",
) -> None:
    """Keep tables for people and bots; the page, the routes and the sockets are on one port."""
    import os

    import msgspec

    from elysian.players.levels import LEVELS, check_levels
    from elysian.server.edge.main import run
    from elysian.server.edge.static_files import BUILT
    from elysian.server.ops.settings import ServerLimits, ServerSettings, mail_settings

    try:
        bounds = msgspec.json.decode(limits, type=ServerLimits)
    except msgspec.MsgspecError as problem:
        raise ValueError(f"The limits cannot be read: {problem}.") from None
    plug_ins = _list(bots)
    check_levels(plug_ins)
    defaults = ServerSettings()
    run(
        ServerSettings(
            host=host,
            port=port,
            database=database,
            base_url=base_url.rstrip("/"),
            origins=_list(origins),
            proxies=proxies,
            webhook_hosts=_list(webhooks),
            push_hosts=(*defaults.push_hosts, *(one for one in _list(webhooks) if ":" in one)),
            gather=gather,
            mail=mail_settings(smtp, os.environ.get("ELYSIAN_SMTP_PASSWORD", ""), mail_from, base_url),
            contact=contact,
            bots=bot_processes,
            plug_ins=tuple(name for name in plug_ins if name not in LEVELS),
            transcripts=transcripts,
            bot_pace=bot_pace,
            offer_idle=offer_idle,
            idle=idle,
            hand_over=hand_over,
            ping=ping,
            workers=workers,
            page=page or str(BUILT),
            limits=bounds,
        )
    )


def backup(
    file: Annotated[Path, typer.Argument(help="Where to write it; compressed when it ends in .gz.")],
    database: DatabaseOption = SQLITE,
) -> None:
    """Write everything a database holds to a file, also while the server runs."""
    from elysian.server.store.backup import write_backup

    typer.echo(write_backup(database, file))


def restore(
    file: Annotated[Path, typer.Argument(help="A file `elysian backup` wrote.")],
    database: DatabaseOption = SQLITE,
    digest: Annotated[
        str, typer.Option(help="What `elysian backup` said of it; a backup that was changed is refused.")
    ] = "",
) -> None:
    """Read a backup into an empty database, of either kind, once every game in it can be loaded."""
    from elysian.server.store.backup import read_backup

    typer.echo(read_backup(database, file, digest))


def export(
    folder: Annotated[Path, typer.Argument(help="Where to write them, one file per game.")],
    database: DatabaseOption = SQLITE,
) -> None:
    """Write the record of every finished game; `elysian replay` reads them."""
    from elysian.server.store.backup import export_records

    typer.echo(export_records(database, folder))


def _list(text: str) -> tuple[str, ...]:
    return tuple(one.strip() for one in text.split(",") if one.strip())
