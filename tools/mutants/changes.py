"""The mistakes that can be made in a file: a comparison turned, a condition dropped, a step left out."""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
SWAPPED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
RENAMED = {"min": "max", "max": "min", "any": "all", "all": "any"}
Functions = ast.FunctionDef | ast.AsyncFunctionDef
Place = tuple[str, int, ast.expr | ast.stmt]  # function, where its statement begins, what stands there
Change = tuple[ast.expr | ast.stmt, str]  # what is replaced, by what


@dataclass(frozen=True)
class Mutant:
    """One mistake: which bytes of which file become which others."""

    path: str
    function: str
    line: int  # where it stands
    statement: int  # where its statement begins
    start: int
    end: int
    old: str
    new: str
    again: int  # how many of the same stand before it in this function

    @property
    def name(self) -> str:
        """What it is known by; moving the function about does not change it."""
        return f"{self.path}::{self.function}: {self.old} -> {self.new} #{self.again}"

    def rank(self, seed: int) -> str:
        """Where it stands in the sample of a seed; this too stays when other code changes."""
        return hashlib.sha256(f"{seed}/{self.name}".encode()).hexdigest()

    def put_in(self, source: bytes) -> bytes:
        """The file with the mistake in it."""
        return source[: self.start] + self.new.encode() + source[self.end :]


def mutants_of(path: str, source: bytes) -> list[Mutant]:
    """Every mistake of a file; what stands outside of functions is left alone."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    seen: Counter[tuple[str, str, str]] = Counter()
    found = []
    for function, statement, node in _outside(ast.parse(source), ""):
        for part, new in _changed(node):
            start = starts[part.lineno - 1] + part.col_offset
            end = starts[(part.end_lineno or 0) - 1] + (part.end_col_offset or 0)
            told = (function, ast.unparse(part), new)
            mutant = Mutant(path, function, part.lineno, statement, start, end, *told[1:], seen[told])
            seen[told] += 1
            found.append(mutant)
    return found


# ---------------------------------------------------------------- where


def _outside(node: ast.AST, name: str) -> Iterator[Place]:
    """Every place inside of the functions of a module or class."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Functions):
            for step in child.body:
                yield from _inside(step, f"{name}{child.name}", child.lineno)
        elif isinstance(child, ast.ClassDef):
            yield from _outside(child, f"{name}{child.name}.")


def _inside(node: ast.AST, function: str, statement: int) -> Iterator[Place]:
    """A node of a function and all within it."""
    if isinstance(node, ast.Assert | ast.JoinedStr) or _names_a_type(node):
        return  # texts with places in them: Python 3.11 does not say where in the file those are
    if isinstance(node, ast.stmt):
        statement = node.lineno
    if isinstance(node, ast.expr | ast.stmt):
        yield function, statement, node
    for child in _parts(node):
        yield from _inside(child, function, statement)


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    """What a node is made of, without types: those decide nothing."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        yield from (
            part for part in (value if isinstance(value, list) else [value]) if isinstance(part, ast.AST)
        )


def _names_a_type(node: ast.AST) -> bool:
    """Whether it only tells the type checker something."""
    called = (
        node.func if isinstance(node, ast.Call) else node.value if isinstance(node, ast.Subscript) else None
    )
    return isinstance(called, ast.Name) and called.id in ("cast", "assert_never", "Literal")


# ---------------------------------------------------------------- what


def _changed(node: ast.expr | ast.stmt) -> Iterator[Change]:
    """What could stand there by mistake."""
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        yield from _turned_condition(node.test)
    for kind, changes in _CHANGES:
        if isinstance(node, kind):
            yield from ((node, new) for new in changes(node))


def _turned_condition(test: ast.expr) -> Iterator[Change]:
    """Comparisons and the like turn by themselves."""
    if not isinstance(test, ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Constant | ast.NamedExpr):
        yield test, f"(not {ast.unparse(test)})"


def _compare(node: ast.Compare) -> Iterator[str]:
    for place, operator in enumerate(node.ops):
        other = deepcopy(node)
        other.ops[place] = TURNED[type(operator)]()
        yield _in_brackets(other)


def _bool_op(node: ast.BoolOp) -> Iterator[str]:
    other = deepcopy(node)
    other.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    yield _in_brackets(other)
    for place in range(len(node.values)):
        fewer = deepcopy(node)
        del fewer.values[place]
        yield _in_brackets(fewer if len(fewer.values) > 1 else fewer.values[0])


def _unary_op(node: ast.UnaryOp) -> Iterator[str]:
    if isinstance(node.op, ast.Not | ast.USub):
        yield _in_brackets(node.operand)


def _bin_op(node: ast.BinOp) -> Iterator[str]:
    swapped = SWAPPED.get(type(node.op))
    if swapped is not None and not _is_text(node.left) and not _is_text(node.right):
        other = deepcopy(node)
        other.op = swapped()
        yield _in_brackets(other)


def _is_text(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str | bytes)
    return isinstance(node, ast.JoinedStr)


def _constant(node: ast.Constant) -> Iterator[str]:
    if isinstance(node.value, bool):
        yield str(not node.value)
    elif isinstance(node.value, int):
        yield str(node.value + 1)


def _call(node: ast.Call) -> Iterator[str]:
    if isinstance(node.func, ast.Name) and node.func.id in RENAMED:
        other = deepcopy(node)
        other.func = ast.Name(RENAMED[node.func.id])
        yield ast.unparse(other)


def _comprehension(node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Iterator[str]:
    """One of the conditions is forgotten."""
    for loop, generator in enumerate(node.generators):
        for place in range(len(generator.ifs)):
            other = deepcopy(node)
            del other.generators[loop].ifs[place]
            yield ast.unparse(other)


def _expression(node: ast.Expr) -> Iterator[str]:
    """What is done is left out."""
    if not isinstance(node.value, ast.Constant | ast.Yield | ast.YieldFrom):
        yield "pass"


def _in_brackets(node: ast.expr) -> str:
    return f"({ast.unparse(node)})"


_CHANGES: tuple[tuple[Any, Callable[[Any], Iterator[str]]], ...] = (
    (ast.Compare, _compare),
    (ast.BoolOp, _bool_op),
    (ast.UnaryOp, _unary_op),
    (ast.BinOp, _bin_op),
    (ast.Constant, _constant),
    (ast.Call, _call),
    (ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, _comprehension),
    (ast.Raise | ast.AugAssign | ast.Delete, lambda _: iter(("pass",))),
    (ast.Expr, _expression),
    (ast.Break, lambda _: iter(("continue",))),
    (ast.Continue, lambda _: iter(("break",))),
)
