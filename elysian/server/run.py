"""Running the server: uvicorn with the bounds we keep to, and a stop that drains."""

from __future__ import annotations

import asyncio
import logging
import socket as sockets
import sys

import uvicorn

from elysian.server.app import App
from elysian.server.connections import Frames, Requests
from elysian.server.logs import Relay
from elysian.server.server import Server
from elysian.server.settings import Settings
from elysian.server.wire import LARGEST_FRAME


def config_of(settings: Settings, app: App) -> uvicorn.Config:
    """How uvicorn is told of us."""
    return uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        loop="auto",
        lifespan="on",
        http=Requests,
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
        log_level="warning",
        timeout_graceful_shutdown=int(settings.drain),
        timeout_keep_alive=30,
        h11_max_incomplete_event_size=32 * 1024,
    )


def run(settings: Settings) -> None:
    """Serve until told to stop; raises ValueError when the server cannot start."""
    if settings.workers > 1:
        raise ValueError("Several workers are not possible yet; start one.")
    loop = uvicorn.Config(_serve, loop="auto").get_loop_factory()  # uvloop where there is one
    with asyncio.Runner(loop_factory=loop) as runner:
        if not runner.run(_serve(settings)):
            sys.exit(1)


async def _serve(settings: Settings) -> bool:
    server = Server(settings)
    logging.getLogger().addHandler(Relay(server.log))
    web = _Drained(config_of(settings, App(server)), server)
    server.stop = lambda: setattr(web, "should_exit", True)
    await web.serve()
    return web.started


class _Drained(uvicorn.Server):
    """Says where it listens; on stop, answers what was asked before the connections are ended."""

    def __init__(self, config: uvicorn.Config, server: Server) -> None:
        super().__init__(config)
        self.tables = server

    async def startup(self, sockets: list[sockets.socket] | None = None) -> None:
        await super().startup(sockets)
        for one in self.servers if self.started else ():
            for listening in one.sockets:
                host, port = listening.getsockname()[:2]
                self.tables.log.say("listening", host=host, port=port)

    async def shutdown(self, sockets: list[sockets.socket] | None = None) -> None:
        self.tables.ready = False
        await self.tables.drain()
        await super().shutdown(sockets)
