"""The built web page: files that were there when the server started, and nothing else."""

from __future__ import annotations

from collections.abc import Collection
from mimetypes import MimeTypes
from pathlib import Path

from msgspec.structs import replace

from elysian.server.edge.http import Response, encoded, packed

BUILT = Path(__file__).parent.parent / "static"  # there in a wheel, and in a checkout once the page was built

# Python's own list: that of the machine may call a script plain text, on Windows if any program has said so.
KINDS = MimeTypes()

FRESH = ((b"cache-control", b"no-cache"),)
FOREVER = ((b"cache-control", b"public, max-age=31536000, immutable"),)  # their names change with them

NOTE = b"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Elysian</title>
<p>The table server is running. The web page was not built with it; the HTTP routes are listed at
<a href="/api/openapi.json">/api/openapi.json</a>.</p></html>"""


PACKED = ".br"  # beside a file: the same in brotli, made when the page was built


class Page:
    """The files of a folder, by path; a path that is not one of them is not looked for on the disk."""

    def __init__(self, folder: str) -> None:
        """Read every file of the folder; an empty name stands for no page."""
        self._files: dict[str, Response] = {}
        self._brotli: dict[str, Response] = {}
        if folder:
            root = Path(folder).resolve()
            for path in sorted(root.rglob("*")):
                if path.is_file() and path.suffix != PACKED:
                    name = "/" + path.relative_to(root).as_posix()
                    self._files[name] = _answer(path, root)
                    beside = path.with_name(path.name + PACKED)
                    if beside.is_file():
                        self._brotli[name] = encoded(self._files[name], beside.read_bytes(), "br")
        self._gzip = {name: packed(answer) for name, answer in self._files.items()}

    def find(self, path: str, reads: Collection[str] = ()) -> Response | None:
        """The file at a path, or the page itself for the paths it draws; None when there is neither.

        `reads` names the encodings that the client can read.
        """
        files = self._gzip if "gzip" in reads else self._files
        found = (self._brotli.get(path) if "br" in reads else None) or files.get(path)
        if found is not None:
            return found
        if path == "/" or path.startswith(("/t/", "/g/")):
            return self._itself(reads)
        return None

    def nowhere(self, reads: Collection[str] = ()) -> Response:
        """The page for a person who followed a wrong link; it says so, and leads back."""
        return replace(self._itself(reads), status=404)

    def _itself(self, reads: Collection[str]) -> Response:
        files = self._gzip if "gzip" in reads else self._files
        return files.get("/index.html") or Response(body=NOTE, kind="text/html; charset=utf-8")


def _answer(path: Path, root: Path) -> Response:
    kind = KINDS.guess_type(path.name)[0] or "application/octet-stream"
    if kind.startswith("text/") or kind.endswith(("javascript", "json")):
        kind += "; charset=utf-8"
    hashed = path.relative_to(root).parts[0] == "assets"
    return Response(body=path.read_bytes(), kind=kind, headers=FOREVER if hashed else FRESH)
