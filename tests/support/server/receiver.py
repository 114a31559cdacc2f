"""A receiver of the tests' own, on this machine: it keeps what is posted to it, and answers as it is told."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue

Post = tuple[str, dict[str, str], bytes]


@contextmanager
def receiver(status: int = 204, leads_to: str = "") -> Iterator[tuple[int, Queue[Post]]]:
    posts: Queue[Post] = Queue()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            posts.put((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
            self.send_response(status)
            if leads_to:
                self.send_header("location", leads_to)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield server.server_port, posts
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
