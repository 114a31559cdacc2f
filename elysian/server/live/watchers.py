"""Watchers: who is connected to a table, at this process and at others."""

from __future__ import annotations

from collections.abc import Iterator

from elysian.deals import Seat
from elysian.server.cluster.bus import Bus, BusMessage
from elysian.server.live.context import Watcher
from elysian.server.protocol.messages import Presence, Present, encode


class Watchers:
    """The connections of one table."""

    def __init__(self, game: str, bus: Bus) -> None:
        self.game = game
        self._bus = bus
        self._here: set[Watcher] = set()
        self._elsewhere: dict[str, tuple[frozenset[Seat], int]] = {}  # seats and spectators, by process

    def __iter__(self) -> Iterator[Watcher]:
        return iter(tuple(self._here))  # some of them may leave while all are told

    def __bool__(self) -> bool:
        return bool(self._here)

    def add(self, watcher: Watcher) -> None:
        """Somebody is connected; nobody is told yet."""
        self._here.add(watcher)

    def discard(self, watcher: Watcher) -> None:
        """Somebody is no longer connected."""
        self._here.discard(watcher)

    # ------------------------------------------------------------ who is here

    def connected(self) -> tuple[frozenset[Seat], int]:
        """The seats connected to this process, and how many watch without one."""
        seats = frozenset(watcher.seat for watcher in self._here if watcher.seat is not None)
        return seats, sum(watcher.seat is None for watcher in self._here)

    def present(self) -> frozenset[Seat]:
        """The seats whose person is connected, to this process or another."""
        here = frozenset([watcher.seat for watcher in self._here if watcher.seat is not None])
        return here.union(*(seats for seats, _ in self._elsewhere.values())) if self._elsewhere else here

    def presence(self) -> Presence:
        """Who is connected, as everybody may know."""
        watching = self.connected()[1] + sum(watching for _, watching in self._elsewhere.values())
        return Presence(here=tuple(sorted(self.present())), watching=watching)

    # ------------------------------------------------------------ telling

    def broadcast(self, frame: bytes) -> None:
        """Send everybody here the same."""
        for watcher in self._here:
            watcher.send(frame)

    def tell_presence(self) -> None:
        """Everybody connected to this process hears who is here."""
        now = self.presence()
        self.broadcast(encode(Present(here=now.here, watching=now.watching)))

    def publish(self) -> None:
        """Tell the other processes who is connected to this one."""
        seats, watching = self.connected()
        self._bus.publish("here", game=self.game, seats=tuple(sorted(seats)), watching=watching)

    def heard(self, message: BusMessage) -> None:
        """Another process has said who is connected there."""
        self._elsewhere[message.worker] = frozenset(message.seats), message.watching
        self.tell_presence()

    def left(self, worker: str) -> None:
        """Another process is gone, and with it whoever was connected there."""
        if self._elsewhere.pop(worker, None) is not None:
            self.tell_presence()
