"""Tries the mutants of a seeded sample that were not tried yet, keeps what came of each, prints the counts.

Which test runs which line is found out first, for files of tests that have changed since; --survivors tries
those again that no test noticed. Several can work at once, each on its --share.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter
from pathlib import Path

from tools.mutants.changes import Mutant, mutants_of
from tools.mutants.touched import Touched, measure
from tools.mutants.trying import BUDGET, Kept, asked_of, copy_of, try_out

ROOT = Path(__file__).parents[2]
WORK = ROOT / "build" / "mutants"
RESULTS = ROOT / "results" / "mutants.jsonl"
RULES = ("elysian/rules/*.py", "elysian/deals.py", "elysian/options.py", "elysian/payment.py")
VIEW = ("elysian/view.py", "elysian/server/live/audience.py", "elysian/server/table_state/record.py")
STORE = (
    *(
        f"elysian/server/table_state/{name}.py"
        for name in ("clock", "cover", "decide", "fold", "fresh_species")
    ),
    *(
        f"elysian/server/table_state/{name}.py"
        for name in ("hand_over", "names", "order_moves", "orders", "state")
    ),
    *(
        f"elysian/server/store/{name}.py"
        for name in ("__init__", "backup", "chain", "session", "sqlite", "upcast")
    ),
)
SUBJECTS = {"rules": RULES, "view": VIEW, "store": STORE}
SAMPLE = 500
# Files of tests that are not asked: a browser, long runs of chance, and those of bots, of programs and of the
# server's edge, which use what decides and do not say what it is.
NOT_ASKED = re.compile(
    r"/web/|fault|fuzz|damage|soak|properties|notebook|install|house|deploy|company|mutants|arena|benchmark|bots"
    r"|bound|cli|envs|exploit|language|line_ups|mcp|needs|plugin|proposals|review|simulation"
    r"|suggest|taste|terminal|tournament|tune|test_web|worth|bot_api|fair_share|mail|notices|reach|test_story"
    r"|stop|routes|people|collection|connections|everywhere"
)


def main() -> None:
    """Go on with the sample."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--sample", type=int, default=SAMPLE)
    asked.add_argument("--minutes", type=float, default=600.0, help="no mutant is begun after so long")
    asked.add_argument("--budget", type=float, default=BUDGET, help="seconds of tests a mutant may cost")
    asked.add_argument("--survivors", action="store_true", help="try only those again that were not killed")
    asked.add_argument("--share", type=int, default=0, help="of several at once: which one this is, from 0")
    asked.add_argument("--of", type=int, default=1, help="how many there are at once")
    words = asked.parse_args()
    ends = time.monotonic() + 60 * words.minutes
    with copy_of(ROOT, WORK) as tree:
        measure(tree, files_of_tests(tree), subjects(tree), WORK / "touched")
        touched = Touched(WORK / "touched")
        sample = sampled(tree, touched, words.seed, words.sample)
        kept = Kept(RESULTS)
        for mutant in sample[words.share :: words.of]:
            before = kept.all.get(mutant.name)
            again = before is not None and before.verdict != "killed"
            if again != words.survivors or (before is not None and not again):
                continue
            if time.monotonic() > ends:
                break
            tried = try_out(mutant, tree, touched, asked_of(mutant, touched, words.budget))
            kept.add(tried)
            print(f"{told(kept)}  {tried.verdict} in {tried.seconds:.0f} s: {tried.name}", flush=True)
    kept.tidy({mutant.name for mutant in sample})
    report(kept, len(sample))


def files_of_tests(tree: Path) -> list[str]:
    """Every file of tests that is asked, those without a server first."""
    found = [str(path.relative_to(tree)) for path in (tree / "tests").rglob("test_*.py")]
    found.sort(key=lambda file: ("/server/" in file, file))
    return [file for file in found if NOT_ASKED.search(file) is None]


def subjects(tree: Path) -> list[str]:
    """The files that decide something."""
    patterns = (pattern for some in SUBJECTS.values() for pattern in some)
    return sorted(str(path.relative_to(tree)) for pattern in patterns for path in tree.glob(pattern))


def sampled(tree: Path, touched: Touched, seed: int, size: int) -> list[Mutant]:
    """The mutants of a seed, of all that stand on a line some test runs."""
    every = [mutant for path in subjects(tree) for mutant in mutants_of(path, (tree / path).read_bytes())]
    reached = [mutant for mutant in every if touched.by(mutant.path, mutant.line, mutant.statement)]
    print(f"{len(every):,} mutants, {len(reached):,} on lines that tests run", flush=True)
    return sorted(reached, key=lambda mutant: mutant.rank(seed))[:size]


def told(kept: Kept) -> str:
    """How many were tried and noticed so far."""
    noticed = sum(tried.verdict != "survived" for tried in kept.all.values())
    return f"{noticed} of {len(kept.all)} noticed"


def report(kept: Kept, sample: int) -> None:
    """The counts by part, and the survivors."""
    print(f"\n{told(kept)}, {sample} in the sample")
    for subject, patterns in SUBJECTS.items():
        some = [
            t for t in kept.all.values() if any(Path(t.name.partition("::")[0]).match(p) for p in patterns)
        ]
        counts = Counter(tried.verdict for tried in some)
        share = 100 * (len(some) - counts["survived"]) / len(some) if some else 0.0
        print(f"  {subject:6} {share:5.1f} %  {dict(counts)}")
    for tried in kept.all.values():
        if tried.verdict == "survived":
            print(f"survived, line {tried.line}: {tried.name}")


if __name__ == "__main__":
    main()
