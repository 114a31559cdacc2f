"""Running the server: uvicorn with the bounds we keep to, and a stop that drains."""

from __future__ import annotations

import asyncio
import logging
import socket as sockets
import sys
from collections.abc import Callable
from types import ModuleType

import uvicorn

from elysian.server.cluster.parent import end_at_the_latest
from elysian.server.cluster.supervisor import supervise
from elysian.server.edge.asgi import App
from elysian.server.edge.connections import Doors, Frames, Requests
from elysian.server.ops.logs import Relay
from elysian.server.ops.reach import Link, bound
from elysian.server.ops.settings import ServerSettings
from elysian.server.protocol.messages import LARGEST_FRAME
from elysian.server.server import Server

resource: ModuleType | None
try:
    import resource
except ImportError:  # not on every system
    resource = None

LETS_GO = 0.0005  # seconds after which the loop lets a thread that stores or reads have Python's lock
FILES = 65_536  # files and connections one process asks for at most
MakeServer = Callable[[ServerSettings], Server]
MakeLoop = Callable[[], asyncio.AbstractEventLoop]

LEAVES = 5.0  # seconds to close the database and leave, after drain and connections


def allowed_files() -> int:
    """How many files and connections this process may have; as many as the system lets it ask for."""
    if resource is None:
        return FILES
    soft: int
    hard: int
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(hard, FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            return wanted
        except (OSError, ValueError):
            return soft  # a filter of the operator's does not let us ask
    return FILES if soft == resource.RLIM_INFINITY else soft


def config_of(settings: ServerSettings, app: App) -> uvicorn.Config:
    """How uvicorn is told of us."""
    doors = Doors(settings.limits.connections, allowed_files(), settings.proxies)
    return uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        loop="auto",
        lifespan="on",
        http=type("Requests", (Requests,), {"doors": doors}),
        ws=Frames,
        ws_max_size=LARGEST_FRAME,
        ws_max_queue=32,
        ws_ping_interval=settings.ping,
        ws_ping_timeout=settings.ping,
        ws_per_message_deflate=False,
        proxy_headers=True,
        forwarded_allow_ips=settings.proxies,
        server_header=False,
        date_header=False,
        access_log=False,
        log_config=None,
        log_level="error",  # a line for every garbled request would let anybody fill the disk
        timeout_graceful_shutdown=int(settings.drain),
        timeout_keep_alive=max(1, int(1.5 * settings.ping)),
        h11_max_incomplete_event_size=32 * 1024,
    )


def run(settings: ServerSettings, make: MakeServer = Server, loop: MakeLoop | None = None) -> None:
    """Serve until told to stop; raises ValueError when the server cannot start.

    Whoever has another clock gives the server on it (`make`), and the loop its timers run on.
    """
    if settings.workers > 1 and settings.database.startswith("sqlite:"):
        raise ValueError("Several workers need PostgreSQL: give its address by --database.")
    if settings.workers > 1:
        supervise(settings, _run)
    elif not _run(settings, make=make, loop=loop):
        sys.exit(1)


def serve_at(
    settings: ServerSettings, listening: list[sockets.socket], ready: Callable[[tuple[Link, ...]], None]
) -> bool:
    """Serve on sockets until told to stop, call `ready` once people may come; False: it did not start."""
    return _run(settings, listening, ready)


def _run(
    settings: ServerSettings,
    listening: list[sockets.socket] | None = None,
    ready: Callable[[tuple[Link, ...]], None] | None = None,
    make: MakeServer = Server,
    loop: MakeLoop | None = None,
) -> bool:
    if loop is None:  # uvloop where there is one
        loop = uvicorn.Config(_serve, loop="auto", log_config=None).get_loop_factory()
    with asyncio.Runner(loop_factory=loop) as runner:
        return runner.run(_serve(make, settings, listening, ready))


async def _serve(
    make: MakeServer,
    settings: ServerSettings,
    listening: list[sockets.socket] | None,
    ready: Callable[[tuple[Link, ...]], None] | None,
) -> bool:
    server = make(settings)
    logging.getLogger().addHandler(Relay(server.log))
    web = _Drained(config_of(settings, App(server)), server, ready)
    server.stop = lambda: setattr(web, "should_exit", True)
    if settings.at_home:
        server.listen = web.listen_also
    server.collection.begin()
    sys.setswitchinterval(LETS_GO)
    try:
        await web.serve(listening)
    finally:
        server.collection.end()
    return web.started


class _Drained(uvicorn.Server):
    """Says where it listens; on stop, answers what was asked before the connections are ended."""

    def __init__(
        self, config: uvicorn.Config, server: Server, ready: Callable[[tuple[Link, ...]], None] | None
    ) -> None:
        super().__init__(config)
        self.tables = server
        self.is_ready = ready

    async def startup(self, sockets: list[sockets.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and self.is_ready is not None:
            self.is_ready(self.tables.links)
            return
        for one in self.servers if self.started else ():
            for listening in one.sockets:
                host, port = listening.getsockname()[:2]
                self.tables.log.say("listening", host=host, port=port)

    async def listen_also(self, host: str) -> None:
        """Listen on one more address, at the port there is; raises OSError."""
        config = self.config
        listening = bound(host, config.port)

        def protocol() -> asyncio.Protocol:
            made: asyncio.Protocol = config.http_protocol_class(  # type: ignore[call-arg]
                config=config, server_state=self.server_state, app_state=self.lifespan.state
            )
            return made

        self.servers.append(await asyncio.get_running_loop().create_server(protocol, sock=listening))

    async def shutdown(self, sockets: list[sockets.socket] | None = None) -> None:
        drain = self.config.timeout_graceful_shutdown or 0
        end_at_the_latest(2 * drain + LEAVES)
        self.tables.ready = False
        await self.tables.drain()
        await super().shutdown(sockets)
        for connection in list(self.server_state.connections):
            connection.transport.abort()
