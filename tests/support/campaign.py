"""Long runs in parts: what was done is kept in a file, so that a run that was ended goes on where it was.

ELYSIAN_CAMPAIGN names the folder of these files; without it nothing is kept. A part is known by the name of
the run, its seed and its number, so that it can be done again alone.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path


class Campaign:
    """One kind of run, of so many parts."""

    def __init__(self, name: str, seed: int, parts: int) -> None:
        self.name, self.seed, self.parts = name, seed, parts
        self.counts: Counter[str] = Counter()
        self.done = 0
        folder = os.environ.get("ELYSIAN_CAMPAIGN")
        self._file = Path(folder) / f"{name.replace(' ', '-')}-{seed}.json" if folder else None
        if self._file is not None and self._file.exists():
            kept = json.loads(self._file.read_text())
            self.done, self.counts = kept["done"], Counter(kept["counts"])
            print(f"\n{self}: goes on", flush=True)

    def left(self) -> Iterator[int]:
        """The parts still to be done; each counts once the next is asked for."""
        while self.done < self.parts:
            yield self.done
            self.done += 1
            self._keep()
            print(f"\n{self}", flush=True)

    def _keep(self) -> None:
        if self._file is None:
            return
        self._file.parent.mkdir(parents=True, exist_ok=True)
        aside = self._file.with_suffix(".part")
        aside.write_text(json.dumps({"done": self.done, "counts": self.counts}))
        aside.replace(self._file)

    def __str__(self) -> str:
        """What was done so far."""
        told = ", ".join(f"{count:,} {what}" for what, count in sorted(self.counts.items()))
        return f"{self.name} (seed {self.seed}), part {self.done} of {self.parts}: {told or 'nothing yet'}"
