"""Writes elysian/server/schema/: OpenAPI of the HTTP routes, JSON Schema of the socket.

python -m tools.server_schema          write the files anew
python -m tools.server_schema --check  fail when they are stale
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from elysian.server.edge.openapi import openapi, socket_schema

FOLDER = Path(__file__).resolve().parent.parent / "elysian" / "server" / "schema"


def pages() -> dict[Path, str]:
    """What each file should hold."""
    made = {"openapi.json": openapi(), "socket.json": socket_schema()}
    return {FOLDER / name: json.dumps(page, indent=1, default=str) + "\n" for name, page in made.items()}


def main() -> int:
    """Write the files, or with --check compare them; the exit code says whether all is well."""
    stale = [p for p, text in pages().items() if not p.exists() or p.read_text(encoding="utf-8") != text]
    if "--check" in sys.argv[1:]:
        for path in stale:
            print(f"{path.name} is stale: run python -m tools.server_schema", file=sys.stderr)
        return 1 if stale else 0
    for path in stale:
        path.parent.mkdir(exist_ok=True)
        path.write_text(pages()[path], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
