"""People: a name and a key; the key is kept in the browser, here only its digest."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Callable, Collection
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from elysian.server.ops.errors import Refused
from elysian.server.store.database import Conflict, Database, Statement, Unreadable
from elysian.server.store.schema import insert
from elysian.server.table_state.clock import Hours
from elysian.server.table_state.names import clean_name

KEY_BYTES = 32
CODE_BYTES = 16
RECOVERY = "recovery "  # what a recovery code is kept under, among the keys
RECOVERY_SIGNS = 16
MOST_BROWSERS = 8  # of one person, reached by push; the latest
LEGIBLE = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # 80 bits in 16 signs, none of which is read for another
MISREAD = str.maketrans("OIL", "011")
CODE_LIFE = 10 * 60_000
REMEMBERED = 10_000
BELIEVED = 30_000  # ms for which a key is not looked up again


class Subscription(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a browser is reached by web push, as the browser says it."""

    endpoint: str
    p256dh: str
    auth: str


class Notices(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a person wants to be told that it is their move, and when they play; as one browser sees it."""

    webhook: str | None = None  # None: not that way
    push: Subscription | None = None  # of this browser
    email: Annotated[str, Meta(max_length=254)] | None = None  # confirmed; None: no mail
    hours: Hours | None = None  # None: at all hours
    language: Annotated[str, Meta(max_length=10)] = "en"  # what notices are written in


class StoredNotices(Notices, frozen=True):
    """The same with every browser that is reached by push. Each ends with the key of that browser.

    `push` was stored when there was only one, of a browser nobody knows: whoever saves next replaces it.
    """

    browsers: dict[str, Subscription] = {}  # by the digest of the key

    def seen_from(self, key: str) -> Notices:
        """What the browser of that digest is told."""
        push = self.browsers.get(key, self.push)
        return Notices(self.webhook, push, self.email, self.hours, self.language)

    def saved_from(self, key: str, wanted: Notices) -> StoredNotices:
        """What is kept once the browser of that digest has said how it shall be."""
        others = {
            other: one
            for other, one in self.browsers.items()
            if other != key and (wanted.push is None or one.endpoint != wanted.push.endpoint)
        }
        browsers = others | ({key: wanted.push} if wanted.push else {})
        latest = dict(list(browsers.items())[-MOST_BROWSERS:])
        return StoredNotices(
            webhook=wanted.webhook,
            email=wanted.email,
            hours=wanted.hours,
            language=wanted.language,
            browsers=latest,
        )

    def without(self, ended: Collection[str]) -> StoredNotices:
        """What is left when keys have ended; a browser nobody knows may be one of theirs."""
        return replace(self, push=None, browsers={k: v for k, v in self.browsers.items() if k not in ended})

    def without_browser(self, gone: Subscription) -> StoredNotices:
        """What is left when one browser no longer listens."""
        left = {key: one for key, one in self.browsers.items() if one != gone}
        return replace(self, push=None if self.push == gone else self.push, browsers=left)

    @property
    def reached(self) -> bool:
        """Whether they can be told anything."""
        return bool(self.webhook or self.email or self.pushes)

    @property
    def pushes(self) -> tuple[Subscription, ...]:
        """Every browser that is told."""
        return (*((self.push,) if self.push else ()), *self.browsers.values())


class Account(Struct, frozen=True):
    """Somebody with a key."""

    id: str
    name: str
    program: str | None = None  # what a bot with a token calls itself, with its version; None: a person


class Code(Struct, frozen=True):
    """A one-time code for another device."""

    code: str
    expires: int  # ms since 1970


def digest(secret: str) -> str:
    """What is stored of a key or code; they are too long to be guessed, so no salt is needed."""
    return hashlib.sha256(secret.encode()).hexdigest()


class People:
    """Everybody the server knows."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        """Keep people in an open database."""
        self.database = database
        self.now = now
        self.changed: Callable[[str], None] = lambda person: None  # called for other processes to hear
        self._known: OrderedDict[str, tuple[int, Account]] = OrderedDict()  # by key digest, with a time
        self._notices: OrderedDict[str, StoredNotices] = OrderedDict()
        self._changing = asyncio.Lock()

    async def by_key(self, key: str | None) -> Account | None:
        """Whose key this is; None when it is nobody's, or has ended."""
        if not key or len(key) > 100:
            return None
        hashed = digest(key)
        found = self._known.get(hashed)
        if found is not None and self.now() - found[0] < BELIEVED:
            return found[1]
        rows = await self.database.read(
            "SELECT p.person, p.name FROM keys k JOIN people p ON p.person = k.person"
            " WHERE k.hash = ? AND k.ended IS NULL",
            hashed,
        )
        self._known.pop(hashed, None)
        if not rows:
            return None
        person = Account(rows[0][0], rows[0][1])
        self._known[hashed] = (self.now(), person)
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return person

    async def make(self, name: str) -> tuple[Account, str]:
        """A new person, and the key that is theirs; raises Refused for a bad name."""
        person = Account(secrets.token_hex(8), clean_name(name))
        await self.database.write([(insert("people"), (person.id, person.name, None, self.now()))])
        return person, await self._key(person)

    async def _key(self, person: Account) -> str:
        key = secrets.token_urlsafe(KEY_BYTES)
        await self.database.write([(insert("keys"), (digest(key), person.id, self.now(), None))])
        return key

    async def rename(self, person: Account, name: str) -> Account:
        """The person under another name; raises Refused for a bad one."""
        renamed = Account(person.id, clean_name(name))
        await self.database.write(
            [("UPDATE people SET name = ? WHERE person = ?", (renamed.name, person.id))]
        )
        self._forget(person.id)
        self.changed(person.id)
        return renamed

    async def end(self, person: str, key: str) -> None:
        """The key opens nothing any more."""
        hashed = digest(key)
        await self.database.write(
            [
                ("UPDATE keys SET ended = ? WHERE hash = ?", (self.now(), hashed)),
                *await self._untold(person, (hashed,)),
            ]
        )
        await self.learn(person)

    async def end_others(self, person: str, key: str) -> list[str]:
        """All keys of a person but this one open nothing any more; their digests. Codes go with them."""
        own = digest(key)
        rows = await self.database.read(
            "SELECT hash FROM keys WHERE person = ? AND ended IS NULL AND hash <> ?", person, own
        )
        ended = [row[0] for row in rows]
        await self.database.write(
            [
                (
                    "UPDATE keys SET ended = ? WHERE person = ? AND ended IS NULL AND hash <> ?",
                    (self.now(), person, own),
                ),
                ("DELETE FROM codes WHERE person = ?", (person,)),
                *await self._untold(person, ended),
            ]
        )
        await self.learn(person)
        return ended

    def _forget(self, person: str) -> None:
        for hashed in [hashed for hashed, (_, one) in self._known.items() if one.id == person]:
            del self._known[hashed]

    async def learn(self, person: str) -> None:
        """Something of a person has changed, here or at another process: ask the database anew."""
        self._forget(person)
        if self._notices.pop(person, None) is not None:
            await self.notices(person)  # their hours are known without asking

    # ------------------------------------------------------------ another device

    async def code(self, person: Account) -> Code:
        """A code another device may exchange for a key of its own, once."""
        code = Code(secrets.token_urlsafe(CODE_BYTES), self.now() + CODE_LIFE)
        await self.database.write(
            [
                ("DELETE FROM codes WHERE expires < ?", (self.now(),)),
                (insert("codes"), (digest(code.code), person.id, code.expires)),
            ]
        )
        return code

    async def exchange(self, code: str) -> tuple[Account, str]:
        """Whose code it is, and a new key for them; raises Refused for an unknown, used or old one."""
        rows = await self.database.read(
            "SELECT p.person, p.name FROM codes c JOIN people p ON p.person = c.person"
            " WHERE c.hash = ? AND c.expires > ?",
            digest(code),
            self.now(),
        )
        if not rows:
            raise Refused("bad_code", status=403)
        person = Account(rows[0][0], rows[0][1])
        key = secrets.token_urlsafe(KEY_BYTES)
        # The key is named after the code, so that of two who use it at once only one gets in.
        try:
            await self.database.write(
                [
                    (insert("keys"), (f"code {digest(code)}", person.id, self.now(), 0)),
                    ("DELETE FROM codes WHERE hash = ?", (digest(code),)),
                    (insert("keys"), (digest(key), person.id, self.now(), None)),
                ]
            )
        except Conflict:
            raise Refused("bad_code", status=403) from None
        return person, key

    # ------------------------------------------------------------ a lost browser

    async def recovery(self, person: Account) -> str:
        """A code that brings a person back, once, who has lost every browser; an earlier one has ended."""
        code = "".join(secrets.choice(LEGIBLE) for _ in range(RECOVERY_SIGNS))
        await self.database.write(
            [
                (
                    "UPDATE keys SET ended = ? WHERE person = ? AND ended IS NULL AND hash LIKE ?",
                    (self.now(), person.id, RECOVERY + "%"),
                ),
                (insert("keys"), (RECOVERY + digest(code), person.id, self.now(), None)),
            ]
        )
        return "-".join(code[n : n + 4] for n in range(0, RECOVERY_SIGNS, 4))

    async def recover(self, typed: str) -> tuple[Account, str, list[str]]:
        """Whose recovery code it is, a new key, and the digests of all their others, which have ended.

        Raises Refused for one that is unknown or used.
        """
        code = typed.upper().translate(MISREAD)
        hashed = digest("".join(sign for sign in code if sign in LEGIBLE))
        rows = await self.database.read(
            "SELECT p.person, p.name FROM keys k JOIN people p ON p.person = k.person"
            " WHERE k.hash = ? AND k.ended IS NULL",
            RECOVERY + hashed,
        )
        if not rows:
            raise Refused("bad_recovery", status=403)
        person, key = Account(rows[0][0], rows[0][1]), secrets.token_urlsafe(KEY_BYTES)
        rows = await self.database.read("SELECT hash FROM keys WHERE person = ? AND ended IS NULL", person.id)
        lost = [row[0] for row in rows]
        try:
            await self.database.write(
                [
                    # Named after the code, so that of two who use it at once only one gets in.
                    (insert("keys"), (f"recovered {hashed}", person.id, self.now(), 0)),
                    (
                        "UPDATE keys SET ended = ? WHERE person = ? AND ended IS NULL",
                        (self.now(), person.id),
                    ),
                    ("DELETE FROM codes WHERE person = ?", (person.id,)),
                    (insert("keys"), (digest(key), person.id, self.now(), None)),
                    *await self._untold(person.id, lost),
                ]
            )
        except Conflict:
            raise Refused("bad_recovery", status=403) from None
        await self.learn(person.id)
        return person, key, lost

    # ------------------------------------------------------------ notices

    async def notices(self, person: str) -> StoredNotices:
        """How a person wants to be told."""
        if person not in self._notices:
            self._notices[person] = await self._stored_notices(person)
            if len(self._notices) > REMEMBERED:
                self._notices.popitem(last=False)
        return self._notices[person]

    async def _stored_notices(self, person: str) -> StoredNotices:
        """How a person wanted to be told; where that is damaged they are not told, and can still play."""
        try:
            rows = await self.database.read("SELECT notices FROM people WHERE person = ?", person)
            raw = rows[0][0] if rows else None
            return msgspec.json.decode(raw, type=StoredNotices) if raw else StoredNotices()
        except (Unreadable, msgspec.MsgspecError, TypeError, ValueError):
            return StoredNotices()

    async def change_notices(
        self, person: str, change: Callable[[StoredNotices], StoredNotices]
    ) -> StoredNotices:
        """Tell a person otherwise from now on; one change after the other, so that none undoes another."""
        async with self._changing:
            before = await self.notices(person)
            after = change(before)
            if after != before:
                await self.database.write([_keep_notices(person, after)])
                self._notices[person] = after
                self.changed(person)
            return after

    async def reads(self, person: str, language: str) -> None:
        """Somebody reads the table in this language: so what they are told comes in it too."""
        if (await self.notices(person)).reached:
            await self.change_notices(person, lambda notices: replace(notices, language=language))

    async def _untold(self, person: str, ended: Collection[str]) -> list[Statement]:
        """What is to be written so that browsers whose keys end hear no more: they are told secrets."""
        before = await self.notices(person)
        after = before.without(ended)
        return [] if after == before else [_keep_notices(person, after)]

    def hours(self, person: str) -> Hours | None:
        """When a person plays, as far as is known without asking the database."""
        known = self._notices.get(person)
        return None if known is None else known.hours


def _keep_notices(person: str, notices: StoredNotices) -> Statement:
    return "UPDATE people SET notices = ? WHERE person = ?", (msgspec.json.encode(notices), person)
