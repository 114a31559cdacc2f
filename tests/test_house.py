"""The house rules: what must be true of the files themselves."""

import ast
import doctest
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools import rule_ids

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "elysian"

# Long names are found inside other words too (KjasSplit), short ones only whole (not in "community").
SPECIES = re.compile(
    r"caylion|faderan|im'?dril|kjas|kt'zr|yengii|zeth|(?<![a-z])(?:eni[ _-]?et|unity|kit)(?![a-z])",
    re.IGNORECASE,
)
RULE_ID = re.compile(r"\b[A-Z]+-\d+\b")  # ZETH-10 cites a rule, it singles nobody out
REGISTRY = re.compile(r"(?:pypi|pythonhosted|npmjs|yarnpkg)\.(?:org|com)|/simple/?\s*$", re.MULTILINE)
OWN_PATH = re.compile(r"(?<![\w.])/(?:home|work|root|Users)/\w")

ABOVE_THE_ENGINE = {
    "__init__",
    "__main__",
    "cli",
    "server",
    "sim",
    "players",
    "worth",
    "plan_preview",
    "typed_offers",
    "record",
    "messages",
}


def python_files(*folders: str) -> list[Path]:
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def shared_files() -> list[Path]:
    """What is under version control; in a copy without it, everything that is not hidden or generated."""
    if shutil.which("git") and (ROOT / ".git").exists():
        listing = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
        )
        return [ROOT / name for name in listing.stdout.split("\0") if name and (ROOT / name).is_file()]
    left_out = {".git", ".venv", ".hypothesis", "__pycache__", "build", "dist", "node_modules"}
    return [
        path
        for path in sorted(ROOT.rglob("*"))
        if path.is_file()
        and not any(part in left_out or part.endswith("_cache") for part in path.relative_to(ROOT).parts)
    ]


def lines_matching(pattern: re.Pattern[str], path: Path) -> list[str]:
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    where = path.relative_to(ROOT).as_posix()
    return [
        f"{where}:{n}: {line.strip()[:80]}"
        for n, line in enumerate(lines, 1)
        if pattern.search(RULE_ID.sub("", line))
    ]


def test_only_the_species_package_names_a_species() -> None:
    named = [
        line
        for path in sorted(PACKAGE.rglob("*"))
        if path.suffix in {".py", ".toml"} and (PACKAGE / "species") not in path.parents
        for line in lines_matching(SPECIES, path)
    ]
    assert named == []


@pytest.mark.parametrize(
    "text", ["zeth", "Im'dril", "imdril", "KjasSplit", "ENI_ET", "Eni Et", "the Kit", "kit_"]
)
def test_a_species_name_is_recognised(text: str) -> None:
    assert SPECIES.search(text)


@pytest.mark.parametrize("text", ["community", "opportunity", "kitchen", "toolkit", "genie etc", "denied"])
def test_a_common_word_is_not_taken_for_a_species(text: str) -> None:
    assert not SPECIES.search(text)


def test_every_module_opens_with_a_docstring() -> None:
    silent = [
        path.relative_to(ROOT).as_posix()
        for path in python_files("elysian", "tests", "tools")
        if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert silent == []


def test_no_file_names_a_package_registry_or_a_place_on_one_machine() -> None:
    found = [
        line
        for path in shared_files()
        for pattern in (REGISTRY, OWN_PATH)
        for line in lines_matching(pattern, path)
    ]
    assert found == []


def test_the_engine_uses_only_the_standard_library_and_msgspec() -> None:
    allowed = {*sys.stdlib_module_names, "msgspec", "elysian"}
    foreign = [
        f"{path.relative_to(ROOT).as_posix()} imports {name}"
        for path in python_files("elysian")
        if path.relative_to(PACKAGE).parts[0].removesuffix(".py") not in ABOVE_THE_ENGINE
        for name in imported_by(path)
        if name.partition(".")[0] not in allowed
    ]
    assert foreign == []


def imported_by(path: Path) -> list[str]:
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names.append(node.module or "elysian")
    return names


def test_the_python_of_the_readme_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    readme = ROOT / "README.md"
    monkeypatch.chdir(ROOT)
    blocks = re.findall(
        r"^```python\n(.*?)^```", readme.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    assert blocks, "README.md shows no Python"
    namespace: dict[str, object] = {"__name__": "readme"}
    for n, block in enumerate(blocks, 1):
        if ">>>" in block:
            example = doctest.DocTestParser().get_doctest(block, namespace, f"block {n}", "README.md", 0)
            doctest.DebugRunner().run(example, clear_globs=False)
            namespace.update(example.globs)
        else:
            exec(compile(block, f"README.md, block {n}", "exec"), namespace)


# ------------------------------------------------------------------ the map from rules to tests

RULES = [rule_ids.Rule("A", "TRADE-4", "all or nothing"), rule_ids.Rule("D", "D-41", "half bids")]


SOME_TESTS = '''
def test_a():
    """D-41, CAY-1."""

class TestB:
    def test_b(self):
        """SETUP-7 and more."""
'''


def citing(*ids: str) -> list[rule_ids.Test]:
    return [rule_ids.Test("tests/test_x.py", "test_it", ids)]


def test_a_rule_no_test_cites_is_a_gap() -> None:
    assert rule_ids.find_gaps(RULES, citing("D-41"), {}) == ["TRADE-4 is cited by no test"]
    assert rule_ids.find_gaps(RULES, citing("D-41"), {"TRADE-4": "nothing to test"}) == []


def test_a_rule_is_either_tested_or_has_a_reason_not_both() -> None:
    (gap,) = rule_ids.find_gaps(RULES, citing("TRADE-4", "D-41"), {"D-41": "nothing to test"})
    assert gap.startswith("D-41 is cited by a test, but")


def test_a_cited_id_must_be_a_rule() -> None:
    (gap,) = rule_ids.find_gaps(RULES, citing("TRADE-4", "D-41", "D-99"), {})
    assert gap == "D-99 is no rule, but tests/test_x.py::test_it cites it"


def test_the_list_of_ids_follows_the_rules() -> None:
    law = "* **TRADE-4** x\n\n| B-1 | x |\n\n**D-41** [certain] x\n"
    gaps = rule_ids.find_gaps(RULES, citing("TRADE-4", "D-41"), {}, law)
    assert gaps == ["B-1 is a rule, but not in docs/rule-ids.txt"]


def test_ids_are_read_from_the_docstrings_of_tests(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_y.py").write_text(SOME_TESTS)
    assert rule_ids.read_tests(tmp_path) == [
        rule_ids.Test("tests/test_y.py", "test_a", ("D-41", "CAY-1")),
        rule_ids.Test("tests/test_y.py", "TestB::test_b", ("SETUP-7",)),
    ]
