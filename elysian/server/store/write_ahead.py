"""Write-ahead: what SQLite has written to its log is moved to its place by a thread of its own.

Left to itself SQLite moves it inside the commit that made the log too long, and whoever waits for that commit
waits for the move. Here another thread moves it, on a connection of its own, beside the one that writes. What
is written meanwhile stays in the log, which under load would never be empty and so never begin anew, and each
commit would wait for its file to grow; where it has become long, the thread that writes moves the little that
is left after a move, between two commits. Both wait for the disk, so they come seldom.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable

ROWS = 6000  # written, after which they are moved
SECONDS = 30.0  # after which they are moved, however few
LONGEST = 4096  # pages of 4 kB in the log, after which it is to begin anew
KEPT = 1 << 26  # bytes the file of the log keeps; what a long reading made longer than that is let go


class WriteAhead:
    """The log of one database, from its opening until it is closed."""

    def __init__(
        self, connect: Callable[[], sqlite3.Connection], failed: Callable[[sqlite3.Error], None]
    ) -> None:
        """`connect` opens the database; `failed` is told why something could not be moved."""
        self._connect, self._failed = connect, failed
        self._rows = 0  # written and not moved; a few more or less do not matter
        self._too_long = False
        self._due = threading.Event()
        self._closed = False
        self._thread = threading.Thread(target=self._move_all, name="sqlite-move")

    def begin(self) -> None:
        """Begin to move; raises sqlite3.Error where the database cannot be opened."""
        self._connection = self._connect()
        self._thread.start()

    def close(self) -> None:
        """Move no more; what is in the log is moved when the last connection is closed, or found there."""
        self._closed = True
        self._due.set()
        self._thread.join()

    def wrote(self, connection: sqlite3.Connection, rows: int) -> None:
        """The thread that writes has stored so many rows, on its connection."""
        if self._too_long:
            self._too_long = False
            self._move(connection)
        self._rows += rows
        if self._rows >= ROWS:
            self._due.set()

    def _move_all(self) -> None:
        while not self._closed:
            self._due.wait(SECONDS)
            self._due.clear()
            if self._rows and not self._closed:
                self._rows = 0
                self._too_long = self._move(self._connection) > LONGEST
        self._connection.close()

    def _move(self, connection: sqlite3.Connection) -> int:
        """Move what can be moved without waiting for anybody; the pages of the log.

        That all of them were moved says nothing: more may have come since they were counted.
        """
        try:
            _, pages, _ = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        except sqlite3.Error as problem:
            self._failed(problem)
            return 0
        return int(pages)
