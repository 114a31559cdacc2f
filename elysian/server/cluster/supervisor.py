"""Supervisor: several server processes on one port; one that dies is started again."""

from __future__ import annotations

import multiprocessing
import signal
import socket as sockets
import sys
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from elysian.server.cluster.parent import leave_with_parent
from elysian.server.ops.logs import Log
from elysian.server.ops.reach import Link
from elysian.server.ops.settings import ServerSettings

STARTS_WITHIN = 60.0  # seconds
LOOK = 0.2  # seconds between two looks for one that has ended
REST = 1.0  # seconds between two starts of the same worker: a backoff for one that dies at once
AFTER_DRAIN = 5.0  # seconds a worker has to end after its drain

Ready = Callable[[tuple[Link, ...]], None]
Work = Callable[[ServerSettings, list[sockets.socket], Ready], bool]


class ServerProcess:
    """One process, started again when it ends."""

    def __init__(self, settings: ServerSettings, listening: sockets.socket, work: Work) -> None:
        """Start the first one."""
        self._settings, self._listening, self._work = settings, listening, work
        self.start()

    def start(self) -> None:
        """Start the process."""
        context = multiprocessing.get_context("spawn")
        self.ready, theirs = context.Pipe(duplex=False)
        arguments = self._settings, self._listening, self._work, theirs
        self.process: BaseProcess = context.Process(target=_begin, args=arguments)
        self.process.start()
        self.began = time.monotonic()
        theirs.close()

    def comes_up(self) -> bool:
        """Whether it can be spoken to in good time."""
        try:
            return self.ready.poll(STARTS_WITHIN) and bool(self.ready.recv())
        except EOFError:
            return False

    def end(self, patience: float) -> None:
        """Let it drain; one that does not end is ended."""
        self.process.join(patience)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


def _begin(settings: ServerSettings, listening: sockets.socket, work: Work, ready: Connection) -> None:
    """In the worker: serve, and leave when the parent does, however that ends."""
    leave_with_parent(settings.drain + AFTER_DRAIN)
    if not work(settings, [listening], lambda links: ready.send(True)):
        sys.exit(1)


def supervise(settings: ServerSettings, work: Work) -> None:
    """Serve with several workers until told to stop; ends the program when they cannot start."""
    log = Log()
    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    listening = _listen(settings)
    workers = [ServerProcess(settings, listening, work) for _ in range(settings.workers)]
    up = all(worker.comes_up() for worker in workers)
    if up:
        host, port = listening.getsockname()[:2]
        log.say("listening", host=host, port=port, workers=len(workers))
    while up and not stopping.wait(LOOK):
        for worker in workers:
            if not worker.process.is_alive() and time.monotonic() - worker.began > REST:
                log.say("worker ended", code=worker.process.exitcode)
                worker.start()
    for worker in workers:
        worker.process.terminate()
    for worker in workers:
        worker.end(settings.drain + AFTER_DRAIN)
    listening.close()
    if not up:
        sys.exit(1)


def _listen(settings: ServerSettings) -> sockets.socket:
    family = sockets.AF_INET6 if ":" in settings.host else sockets.AF_INET
    listening = sockets.socket(family)
    listening.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
    listening.bind((settings.host, settings.port))
    listening.listen(2048)
    listening.set_inheritable(True)
    return listening
