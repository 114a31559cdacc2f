"""Tries the mutants of a seeded sample that were not tried yet, keeps what came of each, prints the counts.

The copy of the project and what the tests touch are made anew with --anew (after a change of code or tests);
--survivors tries those again that no test noticed.
"""

from __future__ import annotations

import argparse
import shutil
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
# Files of tests that are not asked: a browser, long runs of chance, and those of bots and programs, which use
# the rules and do not say what they are.
NOT_ASKED = (
    *(
        "tests/web/",
        "faults",
        "fuzz",
        "damage",
        "properties",
        "notebooks",
        "install",
        "house",
        "deploy",
        "company",
        "mutants",
    ),
    *("arena", "benchmark", "bots", "bound", "cli", "envs", "exploit", "language_models", "line_ups", "mcp"),
    *(
        "needs",
        "planning",
        "plans",
        "plugins",
        "proposals",
        "restraint",
        "review",
        "simulation",
        "suggestions",
    ),
    *("taste", "terminal", "tournament", "tune", "test_web", "worth", "support", "bot_api", "fair_share"),
)


def main() -> None:
    """Go on with the sample."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--sample", type=int, default=SAMPLE)
    asked.add_argument("--minutes", type=float, default=600.0, help="no mutant is begun after so long")
    asked.add_argument("--budget", type=float, default=BUDGET, help="seconds of tests a mutant may cost")
    asked.add_argument("--anew", action="store_true", help="copy the project and run its tests anew")
    asked.add_argument("--survivors", action="store_true", help="try those again that survived")
    asked.add_argument("--measure", action="store_true", help="only find out which test runs which line")
    words = asked.parse_args()
    ends = time.monotonic() + 60 * words.minutes
    if words.anew or not (WORK / "tree").exists():
        shutil.rmtree(WORK, ignore_errors=True)
        copy_of(ROOT, WORK)
    tree = WORK / "tree"
    measure(tree, files_of_tests(tree), subjects(tree), WORK / "touched")
    touched = Touched(WORK / "touched")
    sample = sampled(tree, touched, words.seed, words.sample)
    kept = Kept(RESULTS)
    kept.tidy({mutant.name for mutant in sample})
    for mutant in () if words.measure else sample:
        before = kept.all.get(mutant.name)
        if before is not None and not (words.survivors and before.verdict == "survived"):
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
    return [file for file in found if not any(part in file for part in NOT_ASKED)]


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
