"""Writes web/src/wire.ts: the TypeScript of everything that travels between server and page.

python -m tools.wire_types          write the file anew
python -m tools.wire_types --check  fail when it is stale

The tag `kind` is always there, and so is a field that is always sent. A field that its struct leaves out at
its default, or that a client need not send, is optional: the page is told where something may be missing.
The page hears reasons in words, and gives them in words: the codes they are stored by are not its business.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from textwrap import wrap
from typing import Any

from msgspec import UNSET, inspect

from elysian import catalog, deals, state
from elysian.actions import Action, TimeUp
from elysian.book_value import BOOK
from elysian.events import Event
from elysian.goods import KINDS, LARGE, SMALL
from elysian.options import Options
from elysian.rules import DECIDERS, EVOLVERS
from elysian.server.edge import bodies, groups
from elysian.server.edge.catalog_page import Printed
from elysian.server.protocol import messages as wire
from elysian.server.reports import review_words, statistics, story
from elysian.server.store import people, tokens
from elysian.server.table_state import actions as table_actions
from elysian.server.table_state import events as table_events
from elysian.view import View

FILE = Path(__file__).resolve().parent.parent / "web" / "src" / "wire.ts"
WIDTH = 120
HEAD = "// Written by tools/wire_types.py from the structs of the server; not to be edited.\n"

# Unions and literals that have a name of their own.
NAMED: dict[str, Any] = {
    "Climate": catalog.Climate,
    "Arrow": catalog.Arrow,
    "CardKind": catalog.Kind,
    "Track": deals.Track,
    "Clause": deals.AnyClause,
    "Handing": deals.Handing,
    "Binding": deals.Binding,
    "Edition": state.Edition,
    "Phase": state.Phase,
    "Step": state.Step,
}

SERVER: dict[str, Any] = {
    "TableAction": table_actions.AnyTableAction,
    "TableEvent": table_events.AnyTableEvent,
    "FromClient": wire.FromClient,
    "FromServer": wire.FromServer,
    "FromStream": wire.FromStream,
    "Scope": tokens.Scope,
}
# What is sent and answered over HTTP.
ROUTES: tuple[type, ...] = (
    Printed,
    catalog.Technology,
    bodies.Me,
    bodies.NewTable,
    bodies.JoinTable,
    bodies.Joined,
    bodies.Listed,
    bodies.LogPage,
    bodies.MadeToken,
    groups.MyGroup,
    groups.GroupPage,
    groups.InvitedTo,
    groups.GroupInvitation,
    bodies.Reach,
    bodies.Tested,
    bodies.Drawn,
    people.Code,
    people.Notices,
    statistics.Statistics,
    statistics.History,
    story.Story,
    story.PastTable,
    review_words.ToldReview,
)
# Where a field says no more than "an action", every action may stand.
BASES: dict[type, str] = {Action: "Action", Event: "GameEvent"}


def union(types: Iterable[Any]) -> Any:
    """One union of several types."""
    made: Any = None
    for one in types:
        made = one if made is None else made | one
    return made


PLAIN: dict[type[inspect.Type], str] = {
    inspect.StrType: "string",
    inspect.BoolType: "boolean",
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.NoneType: "null",
    inspect.AnyType: "unknown",
    inspect.CustomType: "unknown",
}


class TypesFile:
    """The types met so far, each written once, in the order of their names."""

    def __init__(self, named: dict[str, Any]) -> None:
        """Know the unions that have a name."""
        self.written: dict[str, str] = {}
        self.classes: dict[str, type] = {}
        self.aliases: dict[object, str] = {}
        self.name(named)

    def name(self, named: dict[str, Any]) -> None:
        """Write unions down under a name."""
        self.aliases.update({self._key(inspect.type_info(shape)): name for name, shape in named.items()})
        for name, shape in named.items():
            self.written[name] = f"export type {name} = {self.inline(inspect.type_info(shape))};"

    def _key(self, info: inspect.Type) -> object:
        if isinstance(info, inspect.LiteralType):
            return tuple(info.values)
        if isinstance(info, inspect.UnionType):
            return frozenset(self._key(one) for one in info.types if not isinstance(one, inspect.NoneType))
        return getattr(info, "cls", type(info))

    def text(self, info: inspect.Type) -> str:
        """The type by its name, if it has one."""
        none = isinstance(info, inspect.UnionType) and any(
            isinstance(one, inspect.NoneType) for one in info.types
        )
        name = self.aliases.get(self._key(info))
        if name is None:
            return self.inline(info)
        return f"{name} | null" if none else name

    def inline(self, info: inspect.Type) -> str:
        """The type written out."""
        match info:
            case inspect.Metadata():
                return self.text(info.type)
            case inspect.StructType():
                return self.struct(info)
            case inspect.UnionType():
                return " | ".join(dict.fromkeys(self._members(info)))
            case inspect.LiteralType():
                return " | ".join(
                    f'"{value}"' if isinstance(value, str) else str(value) for value in info.values
                )
            case inspect.VarTupleType() | inspect.ListType() | inspect.SetType() | inspect.FrozenSetType():
                inner = self.text(info.item_type)
                return f"({inner})[]" if " " in inner else f"{inner}[]"
            case inspect.TupleType():
                return f"[{', '.join(map(self.text, info.item_types))}]"
            case inspect.DictType():
                key = "number" if isinstance(info.key_type, inspect.IntType) else "string"
                return f"Record<{key}, {self.text(info.value_type)}>"
        if type(info) not in PLAIN:
            raise TypeError(f"no TypeScript for {info}")
        return PLAIN[type(info)]

    def _members(self, info: inspect.UnionType) -> Iterator[str]:
        """The members of a union, null last; a smaller union that has a name keeps it."""
        types = [one for one in info.types if getattr(one, "cls", None) is not deals.Reason]
        if any(isinstance(one, inspect.FloatType) for one in types):
            yield "number | null"  # a whole number or infinity, which travels as null
            return
        for name, shape in self.named_unions(types):
            yield name
            types = [one for one in types if self._key(one) not in shape]
        for one in sorted(types, key=lambda one: isinstance(one, inspect.NoneType)):
            yield from (
                self.text(one).split(" | ") if not isinstance(one, inspect.LiteralType) else [self.text(one)]
            )

    def named_unions(self, types: list[inspect.Type]) -> Iterator[tuple[str, frozenset[object]]]:
        """The named unions, largest first, that are part of these types but not all of them."""
        keys = {self._key(one) for one in types}
        whole = frozenset(keys)
        shapes = sorted(
            self.aliases.items(), key=lambda item: -len(item[0]) if isinstance(item[0], frozenset) else 0
        )
        for shape, name in shapes:
            if isinstance(shape, frozenset) and len(shape) > 1 and shape <= keys and shape != whole:
                keys -= shape
                yield name, shape

    def struct(self, info: inspect.StructType) -> str:
        """The name of a struct, which is written on first sight."""
        if info.cls in BASES:
            return BASES[info.cls]
        name = self._name(info)
        if name not in self.written:
            self.written[name] = ""  # it may hold itself
            self.written[name] = self._interface(name, info)
        return name

    def _name(self, info: inspect.StructType) -> str:
        """The name of the class; two classes with one name would be one type on the page."""
        name = info.cls.__name__
        if self.classes.setdefault(name, info.cls) is not info.cls:
            raise TypeError(f"two structs are called {name}")
        return name

    def _interface(self, name: str, info: inspect.StructType) -> str:
        lines = [f"/** {(info.cls.__doc__ or name).splitlines()[0]} */", f"export interface {name} {{"]
        if info.tag_field is not None:
            lines.append(f'  {info.tag_field}: "{info.tag}";')
        config = info.cls.__struct_config__
        leaves_out = config.omit_defaults or config.forbid_unknown_fields  # not sent, or need not be
        for field in info.fields:
            may_miss = self._may_be_unset(field.type) or (leaves_out and not field.required)
            lines.append(
                f"  {field.encode_name}{'?' if may_miss else ''}: {self.text(self._set(field.type))};"
            )
        return "\n".join([*lines, "}"])

    def _may_be_unset(self, info: inspect.Type) -> bool:
        return isinstance(info, inspect.UnionType) and any(
            isinstance(one, inspect.CustomType) and one.cls is type(UNSET) for one in info.types
        )

    def _set(self, info: inspect.Type) -> inspect.Type:
        """The type without the mark for a field that may be left out."""
        if not isinstance(info, inspect.UnionType) or not self._may_be_unset(info):
            return info
        left = [one for one in info.types if not isinstance(one, inspect.CustomType)]
        return left[0] if len(left) == 1 else inspect.UnionType(tuple(left))


def render() -> str:
    """The whole file."""
    actions = [action for action in DECIDERS if action is not TimeUp]
    page = TypesFile({**NAMED, "Action": union(actions), "GameEvent": union(EVOLVERS)})
    first: tuple[type, ...] = (View, Options, catalog.Card, catalog.SpeciesFacts)
    for shape in first:
        page.inline(inspect.type_info(shape))
    page.name(SERVER)
    for shape in ROUTES:
        page.inline(inspect.type_info(shape))
    kinds = ", ".join(f'"{kind}"' for kind in KINDS)
    small, large = ([f'"{kind}"' for kind in size] for size in (SMALL, LARGE))
    book = ", ".join(f"{kind}: {value}" for kind, value in BOOK.items())
    constants = [
        f"export const KINDS = [{kinds}] as const;",
        "export type GoodsKind = (typeof KINDS)[number];",
        f"export const SMALL = [{', '.join(small)}] as const;",
        f"export const LARGE = [{', '.join(large)}] as const;",
        f"export const BOOK: Partial<Record<GoodsKind, number>> = {{ {book} }};",
        f"export const TURNS = {state.TURNS};",
        f"export const ANYONE = {deals.ANYONE};",
        "export type Seat = number;",
        "export type CardId = string;",
    ]
    parts = [HEAD.rstrip(), "\n".join(constants), *(page.written[name] for name in sorted(page.written))]
    return "\n".join(folded("\n\n".join(parts))) + "\n"


def folded(text: str) -> Iterator[str]:
    """The lines, each long union or list over several."""
    for line in text.split("\n"):
        yield from [line] if len(line) <= WIDTH else wrap(line, WIDTH, subsequent_indent="  ")


def main(arguments: list[str]) -> int:
    """Write the file, or say whether it is current."""
    text = render()
    if "--check" not in arguments:
        FILE.write_text(text, encoding="utf-8")
        return 0
    if FILE.exists() and FILE.read_text(encoding="utf-8") == text:
        return 0
    print("web/src/wire.ts is stale: run python -m tools.wire_types", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
