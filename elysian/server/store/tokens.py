"""Tokens: what a bot shows to be let in; made by a person, shown once, kept only as a digest.

A token is a bot: it has a name of its own and sits at tables as somebody of its own, never as its person.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from elysian.server.ops.errors import Refused
from elysian.server.store.database import Database, Row
from elysian.server.store.people import BELIEVED, REMEMBERED, digest
from elysian.server.store.schema import insert
from elysian.server.table_state.names import clean_name

# What a token may do: see tables and streams; sit down and act; open tables.
Scope = Literal["read", "play", "host"]
SCOPES: tuple[Scope, ...] = ("read", "play", "host")
PREFIX = "elysian_"  # by which a secret that was published by mistake is found
SECRET_BYTES = 32
NOTED = 24 * 3600_000  # ms after which it is noted again that a token is in use


class Token(Struct, frozen=True):
    """A bot somebody has let in."""

    id: str  # the bot's, as a person has one
    owner: str  # the person who made it
    name: str
    scopes: tuple[Scope, ...]
    made: int
    used: int | None = None  # when it was last seen, to about a day; None: never


class Tokens:
    """Every token the server knows."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        """Keep tokens in an open database."""
        self.database = database
        self.now = now
        self._known: OrderedDict[str, tuple[int, Token]] = OrderedDict()  # by digest, with a time

    def remembers(self, secret: str) -> bool:
        """Whether a secret need not be looked up."""
        found = self._known.get(digest(secret))
        return found is not None and self.now() - found[0] < BELIEVED

    async def by_secret(self, secret: str) -> Token | None:
        """Whose secret this is; None when it is nobody's, or was revoked."""
        hashed = digest(secret)
        if self.remembers(secret):
            return self._known[hashed][1]
        self._known.pop(hashed, None)
        rows = await self.database.read(
            "SELECT bot, owner, name, scopes, made, used FROM tokens WHERE hash = ? AND ended IS NULL", hashed
        )
        if not rows:
            return None
        token = _token(rows[0])
        if token.used is None or self.now() - token.used > NOTED:
            await self.database.write([("UPDATE tokens SET used = ? WHERE hash = ?", (self.now(), hashed))])
        self._known[hashed] = (self.now(), token)
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return token

    async def make(self, owner: str, name: str, scopes: tuple[Scope, ...], most: int) -> tuple[Token, str]:
        """A new token of a person, and its secret; raises Refused for a bad name, or one too many."""
        if len(await self.of(owner)) >= most:
            raise Refused("too_many_tokens", status=409, most=most)
        wanted = tuple(scope for scope in SCOPES if scope in scopes)
        token = Token(f"bot-{secrets.token_hex(8)}", owner, clean_name(name), wanted, self.now())
        secret = PREFIX + secrets.token_urlsafe(SECRET_BYTES)
        row = (digest(secret), token.id, owner, token.name, " ".join(wanted), token.made, None, None)
        await self.database.write([(insert("tokens"), row)])
        return token, secret

    async def of(self, owner: str) -> list[Token]:
        """The tokens of a person that are in force, the oldest first."""
        rows = await self.database.read(
            "SELECT bot, owner, name, scopes, made, used FROM tokens WHERE owner = ? AND ended IS NULL"
            " ORDER BY made, bot",
            owner,
        )
        return [_token(row) for row in rows]

    async def revoke(self, owner: str, bot: str) -> str:
        """A token of a person opens nothing any more; its digest. Raises Refused when there is none."""
        rows = await self.database.read(
            "SELECT hash FROM tokens WHERE owner = ? AND bot = ? AND ended IS NULL", owner, bot
        )
        if not rows:
            raise Refused("no_such_token", status=404)
        hashed: str = rows[0][0]
        await self.database.write([("UPDATE tokens SET ended = ? WHERE hash = ?", (self.now(), hashed))])
        self.forget(hashed)
        return hashed

    def forget(self, hashed: str) -> None:
        """Ask the database anew: another process may have revoked it."""
        self._known.pop(hashed, None)


def _token(row: Row) -> Token:
    bot, owner, name, scopes, made, used = row
    words = scopes.split()
    return Token(
        id=bot,
        owner=owner,
        name=name,
        scopes=tuple(scope for scope in SCOPES if scope in words),
        made=made,
        used=used,
    )
