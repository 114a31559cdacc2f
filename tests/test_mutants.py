"""Mutants: the mistakes that are put in, and the tests that are asked about each."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.mutants.changes import Mutant, mutants_of
from tools.mutants.touched import Touched, measure
from tools.mutants.trying import Kept, Tried, asked_of, try_out

CASES = {
    "a < b": {"(a <= b)"},
    "a in b": {"(a not in b)"},
    "a == b != c": {"(a != b != c)", "(a == b == c)"},
    "a and b": {"(a or b)", "(a)", "(b)"},
    "not a": {"(a)"},
    "a - b": {"(a + b)"},
    "a | b": {"(a & b)"},
    "7": {"8"},
    "True": {"False"},
    "min(a)": {"max(a)"},
    "b if a else c": {"(not a)"},
    "[a for a in b if c]": {"[a for a in b]"},
    "f'{a}' + b": set(),
    "cast(int, 1)": set(),
    "'text'": set(),
}


def changes(source: str) -> set[str]:
    return {mutant.new for mutant in mutants_of("x.py", source.encode())}


@pytest.mark.parametrize(("code", "new"), CASES.items(), ids=CASES)
def test_an_expression_is_changed_where_it_decides(code: str, new: set[str]) -> None:
    assert changes(f"def f(a, b, c):\n    return {code}\n") == new


def test_steps_are_left_out() -> None:
    loop = "    for b in a:\n        if b: raise b\n        a += b\n        b()\n        break\n"
    source = f'def f(a):\n    """Says."""\n{loop}'
    assert changes(source) == {"pass", "(not b)", "continue"}


def test_what_decides_nothing_is_left_alone() -> None:
    assert changes("A = 1 < 2\n\n\nclass B:\n    c: int = 3\n") == set()
    assert (
        changes(
            "def f(a: Literal[1] = 2) -> Literal[3]:\n    assert a < 3\n    b: Literal[4] = a\n    return b\n"
        )
        == set()
    )


def test_a_mutant_stands_where_it_says_also_behind_other_letters() -> None:
    source = 'def f(a):\n    return "é–ü", a == 1, a == 1\n'.encode()
    texts = {mutant.put_in(source).decode() for mutant in mutants_of("x.py", source) if "!=" in mutant.new}
    assert texts == {
        'def f(a):\n    return "é–ü", (a != 1), a == 1\n',
        'def f(a):\n    return "é–ü", a == 1, (a != 1)\n',
    }


def test_every_mutant_is_a_program() -> None:
    path = Path(__file__).parents[1] / "elysian" / "rules" / "paying.py"
    source = path.read_bytes()
    for mutant in mutants_of("paying.py", source):
        compile(mutant.put_in(source), mutant.name, "exec")


def test_a_mutant_is_known_again_when_other_code_has_moved_it() -> None:
    before = mutants_of("x.py", b"def f(a):\n    return a < 1\n")
    after = mutants_of("x.py", b"import os\n\n\ndef g():\n    return 2\n\n\ndef f(a):\n    return a < 1\n")
    assert {mutant.name for mutant in before} < {mutant.name for mutant in after}
    ranks = {mutant.name: mutant.rank(1) for mutant in after}
    assert [mutant.rank(1) for mutant in before] == [ranks[mutant.name] for mutant in before]


# ---------------------------------------------------------------- a small project

PROGRAM = """def may(age: int) -> bool:
    return age >= 18


def told(age: int) -> str:
    return "yes" if may(age) else "no"
"""
TESTS = """from program import may, told


def test_may():
    assert may(40) and not may(2)


def test_told():
    assert told(40) == "yes"


def test_that_fails():
    assert may(40) == told(2)
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "tree"
    folder.mkdir()
    (folder / "program.py").write_text(PROGRAM)
    (folder / "test_program.py").write_text(TESTS)
    (folder / "tools").symlink_to(Path(__file__).parents[1] / "tools")
    return folder


def test_a_mistake_is_noticed_where_a_test_tells_it_from_the_rule(tree: Path, tmp_path: Path) -> None:
    """Nobody of eighteen is asked for: that one survives. What fails anyway is not asked."""
    measure(tree, ["test_program.py"], ["program.py"], tmp_path / "touched")
    touched = Touched(tmp_path / "touched")
    tests = {"test_program.py::test_may", "test_program.py::test_told"}
    kept = Kept(tmp_path / "kept.jsonl")
    for mutant in mutants_of("program.py", PROGRAM.encode()):
        asked = asked_of(mutant, touched)
        assert set(asked) == (tests if mutant.function == "may" else {"test_program.py::test_told"})
        kept.add(try_out(mutant, tree, touched, asked))
    assert {tried.name.partition(": ")[2]: tried.verdict for tried in kept.all.values()} == {
        "age >= 18 -> (age > 18) #0": "survived",
        "18 -> 19 #0": "survived",
        "may(age) -> (not may(age)) #0": "killed",
    }
    assert (tree / "program.py").read_text() == PROGRAM


def test_what_was_tried_is_kept_once_and_only_as_long_as_it_is_in_the_sample(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "kept.jsonl")
    kept.add(Tried("a", 1, "survived", 3, 1.0))
    kept.add(Tried("b", 2, "killed", 3, 1.0))
    kept.add(Tried("a", 1, "killed", 4, 1.0))
    again = Kept(tmp_path / "kept.jsonl")
    assert again.all == {"a": Tried("a", 1, "killed", 4, 1.0), "b": Tried("b", 2, "killed", 3, 1.0)}
    again.tidy({"b"})
    assert list(Kept(tmp_path / "kept.jsonl").all) == ["b"]


def test_the_quickest_tests_are_asked_first_and_servers_last(tmp_path: Path) -> None:
    touched = Touched(tmp_path)
    touched.lines = {"x.py": {3: {"a.py::slow", "a.py::quick", "a.py::gone", "b.py"}}}
    touched.seconds = {"a.py::slow": 9.0, "a.py::quick": 0.1, "b.py": 5.0}
    mutant = Mutant("x.py", "f", 4, 3, 0, 1, "1", "2", 0)
    assert asked_of(mutant, touched, 100.0) == ["a.py::quick", "a.py::slow", "b.py"]
    assert asked_of(mutant, touched, 9.5) == ["a.py::quick", "a.py::slow"]
