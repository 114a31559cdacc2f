"""Groups: people who gather by invitation; what they play for the group is remembered with it."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from elysian.server.ops.errors import Refused
from elysian.server.store.database import Conflict, Database, Row, Statement
from elysian.server.store.schema import insert
from elysian.server.table_state.names import clean_talk

ID_BYTES = 9
INVITATION_BYTES = 16
LONGEST_NAME = 40


class Group(Struct, frozen=True):
    """A group of people."""

    id: str
    name: str
    owner: str  # the person who may rename and delete it, and send people away
    invitation: str  # whoever has it may join
    made: int


class Member(Struct, frozen=True):
    """Somebody in a group."""

    person: str
    name: str
    since: int


def handle_of(group: str, person: str) -> str:
    """What a person is called by in a group where a name will not do; it tells nothing of them elsewhere."""
    return hashlib.sha256(f"{group}/{person}".encode()).hexdigest()[:12]


def clean_group_name(typed: str) -> str:
    """What a group may be called; raises Refused."""
    try:
        return clean_talk(" ".join(typed.split()))[:LONGEST_NAME].strip()
    except Refused:
        raise Refused("bad_group_name", status=400) from None


class Groups:
    """Every group the server knows; to who is not in it, a group does not exist."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        """Keep groups in an open database."""
        self.database = database
        self.now = now

    async def of(self, person: str) -> list[Group]:
        """The groups a person is in, the oldest first."""
        rows = await self.database.read(
            f"SELECT {_ALL} FROM members m JOIN groups g ON g.id = m.of_group WHERE m.person = ?"
            " ORDER BY g.made, g.id",
            person,
        )
        return [Group(*row) for row in rows]

    async def with_tables(self, person: str) -> list[tuple[str, str, int]]:
        """The groups a person is in: id, name, and how many of its tables are not over."""
        rows = await self.database.read(
            "SELECT g.id, g.name, count(t.game) FROM members m JOIN groups g ON g.id = m.of_group"
            " LEFT JOIN tables t ON t.of_group = g.id AND t.status IN ('waiting', 'drafting', 'playing')"
            " WHERE m.person = ? GROUP BY g.id, g.name, g.made ORDER BY g.made, g.id",
            person,
        )
        return [(row[0], row[1], row[2]) for row in rows]

    async def get(self, group: str, person: str | None) -> Group:
        """A group as one of its members asks for it; raises Refused when it is not there for them."""
        rows = await self.database.read(
            f"SELECT {_ALL} FROM members m JOIN groups g ON g.id = m.of_group"
            " WHERE m.of_group = ? AND m.person = ?",
            group,
            person or "",
        )
        return _only(rows)

    async def has(self, group: str, person: str) -> bool:
        """Whether somebody is in a group."""
        query = "SELECT 1 FROM members WHERE of_group = ? AND person = ?"
        return bool(await self.database.read(query, group, person))

    async def owned(self, group: str, person: str) -> Group:
        """A group as its owner asks for it; raises Refused."""
        found = await self.get(group, person)
        if found.owner != person:
            raise Refused("owner_only", status=403)
        return found

    async def invited(self, group: str, invitation: str) -> Group:
        """The group somebody is invited to; raises Refused when the invitation is none."""
        rows = await self.database.read(f"SELECT {_ALL} FROM groups g WHERE g.id = ?", group)
        found = _only(rows)
        if not secrets.compare_digest(found.invitation.encode(), invitation.encode()):
            raise Refused("no_such_group", status=404)
        return found

    async def name_of(self, group: str) -> str:
        """What a group is called; empty when it is gone."""
        rows = await self.database.read("SELECT name FROM groups WHERE id = ?", group)
        return str(rows[0][0]) if rows else ""

    async def members(self, group: str) -> list[Member]:
        """Who is in a group, the longest first."""
        rows = await self.database.read(
            "SELECT m.person, p.name, m.since FROM members m JOIN people p ON p.person = m.person"
            " WHERE m.of_group = ? ORDER BY m.since, m.person",
            group,
        )
        return [Member(*row) for row in rows]

    async def make(self, owner: str, name: str, most: int) -> Group:
        """A new group of one; raises Refused for a bad name, or one group too many."""
        name = clean_group_name(name)
        await self._check_room(owner, most)
        new = Group(secrets.token_urlsafe(ID_BYTES), name, owner, _invitation(), self.now())
        row = (new.id, new.name, new.owner, new.invitation, new.made)
        await self.database.write(
            [(insert("groups"), row), (insert("members"), (new.id, owner, new.made))],
        )
        return new

    async def _check_room(self, person: str, most: int) -> None:
        if len(await self.of(person)) >= most:
            raise Refused("too_many_groups", status=409, most=most)

    async def join(self, group: Group, person: str, most: int, most_groups: int) -> None:
        """Be in a group from now on; who is in it already stays. Raises Refused where there is no room."""
        there = await self.members(group.id)
        if person in (one.person for one in there):
            return
        if len(there) >= most:
            raise Refused("group_full", most=most)
        await self._check_room(person, most_groups)
        try:
            await self.database.write([(insert("members"), (group.id, person, self.now()))])
        except Conflict:
            return  # asked twice at once

    async def leave(self, group: Group, person: str) -> None:
        """Be in a group no more; the next owner is who was in it longest, and without anybody it is gone."""
        others = [one for one in await self.members(group.id) if one.person != person]
        if not others:
            await self.delete(group.id)
            return
        gone: list[Statement] = [
            ("DELETE FROM members WHERE of_group = ? AND person = ?", (group.id, person))
        ]
        if group.owner == person:
            gone.append(("UPDATE groups SET owner = ? WHERE id = ?", (others[0].person, group.id)))
        await self.database.write(gone)

    async def send_away(self, group: Group, handle: str) -> str:
        """Somebody is in the group no more, and the invitation they know has ended; raises Refused.

        Who it is.
        """
        found = [one for one in await self.members(group.id) if handle_of(group.id, one.person) == handle]
        if not found or found[0].person == group.owner:
            raise Refused("no_such_member", status=404)
        await self.leave(group, found[0].person)
        await self.renew(group)
        return found[0].person

    async def rename(self, group: Group, name: str) -> Group:
        """The group under another name; raises Refused for a bad one."""
        renamed = replace(group, name=clean_group_name(name))
        await self.database.write([("UPDATE groups SET name = ? WHERE id = ?", (renamed.name, group.id))])
        return renamed

    async def renew(self, group: Group) -> Group:
        """The group with a new invitation; the old one lets nobody in any more."""
        renewed = replace(group, invitation=_invitation())
        await self.database.write(
            [("UPDATE groups SET invitation = ? WHERE id = ?", (renewed.invitation, group.id))]
        )
        return renewed

    async def delete(self, group: str) -> None:
        """The group is gone, with all that tied people and games to it; a game stays with who played it."""
        await self.database.write(
            [
                ("DELETE FROM members WHERE of_group = ?", (group,)),
                ("DELETE FROM groups WHERE id = ?", (group,)),
                ("UPDATE results SET of_group = NULL WHERE of_group = ?", (group,)),
                ("UPDATE tables SET of_group = NULL WHERE of_group = ?", (group,)),
            ]
        )

    async def tables(self, group: str, most: int = 50) -> list[tuple[str, bytes]]:
        """The tables of a group at which a game is to begin or goes on, the latest first."""
        rows = await self.database.read(
            "SELECT game, face FROM tables WHERE of_group = ?"
            " AND status IN ('waiting', 'drafting', 'playing') ORDER BY touched DESC LIMIT ?",
            group,
            most,
        )
        return [(row[0], row[1]) for row in rows]


_ALL = "g.id, g.name, g.owner, g.invitation, g.made"


def _invitation() -> str:
    return secrets.token_urlsafe(INVITATION_BYTES)


def _only(rows: list[Row]) -> Group:
    if not rows:
        raise Refused("no_such_group", status=404)
    return Group(*rows[0])
