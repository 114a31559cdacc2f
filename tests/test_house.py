"""The house rules: what must be true of the files themselves."""

import ast
import doctest
import re
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import elysian
from tools import rulebook

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "elysian"

# Long names are found inside other words too (KjasSplit), short ones only whole (not in "community").
SPECIES = re.compile(
    r"caylion|faderan|im'?dril|kjas|kt'zr|yengii|zeth|(?<![a-z])(?:eni[ _-]?et|unity|kit)(?![a-z])",
    re.IGNORECASE,
)
RULE_ID = re.compile(r"\b[A-Z]+-\d+\b")  # ZETH-10 cites a rule, it singles nobody out
REGISTRY = re.compile(r"(?:pypi|pythonhosted|npmjs|yarnpkg)\.(?:org|com)|/simple/?\s*$", re.MULTILINE)
# A file of ours in full; xx stands for a language that is to be added.
NAMED_PATH = re.compile(
    r"`((?:elysian|tests|tools|docs|web/src|deploy|games|results)/(?![\w/.]*\bxx\b)[\w/.]+\.[a-z]+)`"
)
OWN_PATH = re.compile(r"(?<![\w.])/(?:home|work|root|Users)/\w")

ABOVE_THE_ENGINE = {
    "__init__",
    "__main__",
    "cli",
    "mcp",
    "server",
    "sim",
    "players",
    "worth",
    "plan_preview",
    "positions",
    "typed_offers",
    "record",
    "messages",
    "envs",
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


def test_a_class_name_means_one_thing() -> None:
    """Nor is it the name of a type elsewhere, which a reader would take for the class."""
    classes: dict[str, list[str]] = {}
    types: dict[str, list[str]] = {}
    for path in python_files("elysian"):
        tree, place = ast.parse(path.read_text(encoding="utf-8")), path.relative_to(ROOT).as_posix()
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                classes.setdefault(node.name, []).append(place)
        for node in tree.body:
            for target in node.targets if isinstance(node, ast.Assign) else ():
                if isinstance(target, ast.Name) and re.match("[A-Z]+[a-z]", target.id):
                    types.setdefault(target.id, []).append(place)
    places = {name: found + types.get(name, []) for name, found in classes.items()}
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_no_tool_imports_from_the_tests() -> None:
    found = [
        path.relative_to(ROOT).as_posix()
        for path in python_files("tools", "elysian")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "tests"
    ]
    assert found == []


def test_what_tests_share_is_in_their_support() -> None:
    found = [
        f"{path.relative_to(ROOT).as_posix()} imports {node.module}"
        for path in python_files("tests")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and re.match(r"tests\b.*\btest_", node.module or "")
    ]
    assert found == []


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


def test_the_version_stands_in_one_place() -> None:
    assert elysian.__version__ == version("elysian")


def test_the_page_of_the_package_needs_no_file_of_ours() -> None:
    pytest.importorskip("hatchling", reason="hatchling is only there with the development tools")
    from hatch_build import package_page

    page = package_page(ROOT)
    assert "Caylion> offer zeth" in page  # the picture of the terminal, as text
    assert re.findall(r"!\[|<!--|\]\((?!https?:)", page) == []


def test_what_the_documents_point_to_is_there() -> None:
    """Links of one file to another, and the paths that are named in full."""
    gone = []
    for path in shared_files():
        if path.suffix != ".md":
            continue
        text = path.read_text(encoding="utf-8")
        links = [path.parent / link for link in re.findall(r"\]\(([^)#:\s]+)", text)]
        named = [ROOT / name for name in NAMED_PATH.findall(text)]
        gone += [f"{path.relative_to(ROOT)}: {one}" for one in (*links, *named) if not one.exists()]
    assert gone == []


def test_the_hooks_run_what_make_lint_runs() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("$(PYTHON)", ".venv/bin/python")
    (recipe,) = re.findall(r"^lint:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert re.findall(r"^ *entry: (.+)$", hooks, re.MULTILINE) == recipe.replace("\t", "").splitlines()


# ------------------------------------------------------------------ the map from rules to tests

RULES = [rulebook.Rule("A", "TRADE-4", "all or nothing"), rulebook.Rule("D", "D-41", "half bids")]


SOME_TESTS = '''
def test_a():
    """D-41, CAY-1."""

class TestB:
    def test_b(self):
        """SETUP-7 and more."""
'''


def citing(*ids: str) -> list[rulebook.Test]:
    return [rulebook.Test("tests/test_x.py", "test_it", ids)]


def test_a_rule_no_test_cites_is_a_gap() -> None:
    assert rulebook.find_gaps(RULES, citing("D-41"), {}) == ["TRADE-4 is cited by no test"]
    assert rulebook.find_gaps(RULES, citing("D-41"), {"TRADE-4": "nothing to test"}) == []


def test_a_rule_is_either_tested_or_has_a_reason_not_both() -> None:
    (gap,) = rulebook.find_gaps(RULES, citing("TRADE-4", "D-41"), {"D-41": "nothing to test"})
    assert gap.startswith("D-41 is cited by a test, but")


def test_a_cited_id_must_be_a_rule() -> None:
    (gap,) = rulebook.find_gaps(RULES, citing("TRADE-4", "D-41", "D-99"), {})
    assert gap == "D-99 is no rule, but tests/test_x.py::test_it cites it"


def test_ids_are_read_from_the_docstrings_of_tests(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_y.py").write_text(SOME_TESTS)
    assert rulebook.read_tests(tmp_path) == [
        rulebook.Test("tests/test_y.py", "test_a", ("D-41", "CAY-1")),
        rulebook.Test("tests/test_y.py", "TestB::test_b", ("SETUP-7",)),
    ]


# ------------------------------------------------------------------ the rulebook and what is made from it

A_LAW = """# Rulebook

## Trading

### All agree

A deal needs everybody,
as a whole.

- **TRADE-4** *All or nothing.* A trade needs the consent of every party. `2020`
- **TRADE-5** *Any number of parties.* …

| id | what | 2017 |
|---|---|---|
| **B-8** | Once a turn | — |

## Cases

### Bids

- **D-41** *Half bids.* (CAY-1) Given …
"""
A_TRANSLATION = "## Handel\n\n### Alle stimmen zu\n\nEin Handel braucht alle.\n\n`TRADE-4` `TRADE-5` `B-8`\n"


def read_book(folder: Path, text: str) -> list[rulebook.Entry]:
    file = folder / "book.md"
    file.write_text(text, encoding="utf-8")
    return rulebook.read_entries(file)


def test_the_rulebook_gives_short_texts_and_rules(tmp_path: Path) -> None:
    trading, case = read_book(tmp_path, A_LAW)
    assert (trading.section, trading.title, trading.ids) == ("Trading", "All agree", "TRADE-4 TRADE-5 B-8")
    assert trading.text == "A deal needs everybody, as a whole."
    assert [rule.title for rule in trading.rules] == [
        "All or nothing",
        "Any number of parties",
        "Once a turn",
    ]
    assert (case.ids, case.text) == ("D-41", "")


def test_a_rule_stands_in_the_rulebook_once_and_under_a_short_text(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="TRADE-4 stands there twice"):
        read_book(tmp_path, A_LAW.replace("TRADE-5", "TRADE-4"))
    with pytest.raises(ValueError, match="All agree has rules, but no short text"):
        read_book(tmp_path, A_LAW.replace("A deal needs everybody,\nas a whole.\n\n", ""))


def test_a_translation_has_the_entries_of_the_rulebook(tmp_path: Path) -> None:
    law = read_book(tmp_path, A_LAW)[:1]
    assert rulebook.compare(law, read_book(tmp_path, A_TRANSLATION), "de") == []
    assert rulebook.compare(law, read_book(tmp_path, A_TRANSLATION.replace(" `B-8`", "")), "de") == [
        "de lacks the entry TRADE-4 TRADE-5 B-8",
        "de has the entry TRADE-4 TRADE-5, docs/rulebook.md has not",
    ]


def test_the_tests_that_are_most_about_a_rule_stand_beside_it() -> None:
    tests = [
        rulebook.Test("tests/test_x.py", "test_much_at_once", ("D-41", "TRADE-4")),
        rulebook.Test("tests/test_y.py", "test_half_bids_count_half", ("D-41",)),
        rulebook.Test("tests/test_z.py", "TestBids::test_half_a_ship_buys_nothing", ("D-41",)),
    ]
    *_, last = rulebook.render_table(RULES, tests, {}).splitlines()
    assert last == (
        "| D-41 | half bids | [Half bids count half](../tests/test_y.py)<br>"
        "[Half a ship buys nothing](../tests/test_z.py)<br>and 1 more |"
    )
