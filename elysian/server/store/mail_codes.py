"""Mail codes: an address is a person's own once they have typed the code that was sent to it."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable

from elysian.server.ops.errors import Refused
from elysian.server.store.database import Conflict, Database, Statement
from elysian.server.store.people import LEGIBLE, MISREAD, digest
from elysian.server.store.schema import insert

SIGNS = 8  # 40 bits; who guesses has ten tries a minute
LIFE = 30 * 60_000
DAY = 24 * 3600 * 1000
OF_PERSON = 5  # codes one person has sent in a day, to whatever address
TO_ADDRESS = 3  # codes sent to one address in a day, whoever asks
LONGEST = 254
LONGEST_LOCAL = 64
# Narrower than the standard: no quotes, comments, spaces or lists, so that an address is always one address.
ADDRESS = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]"
)


def clean_address(typed: str) -> str:
    """The address with its domain in small letters; raises Refused when it is none that we write to."""
    address = typed.strip(" ")
    if len(address) > LONGEST or not ADDRESS.fullmatch(address):
        raise Refused("bad_address", status=400)
    local, _, domain = address.rpartition("@")
    if len(local) > LONGEST_LOCAL:
        raise Refused("bad_address", status=400)
    return f"{local}@{domain.lower()}"


class MailCodes:
    """The codes under way, and how many were sent; kept among the other codes, so that no restart forgets."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        """Keep codes in an open database."""
        self._database = database
        self._now = now

    async def make(self, person: str, address: str) -> str:
        """A code to be sent to a clean address; raises Refused when there were too many."""
        code = "".join(secrets.choice(LEGIBLE) for _ in range(SIGNS))
        now = self._now()
        counted = [
            await self._place(f"from {person}", OF_PERSON),
            await self._place(f"to {address.lower()}", TO_ADDRESS),
        ]
        try:
            await self._database.write(
                [
                    ("DELETE FROM codes WHERE expires <= ?", (now,)),
                    *counted,
                    (insert("codes"), (_kept(person, address, code), person, now + LIFE)),
                ]
            )
        except Conflict:  # somebody took the last place meanwhile
            raise Refused("too_many_mails", status=429) from None
        return f"{code[:4]}-{code[4:]}"

    async def _place(self, who: str, most: int) -> Statement:
        """What counts one more for somebody; raises Refused when they had as many as they may."""
        name = f"mailed {digest(who)} "
        rows = await self._database.read(
            "SELECT hash FROM codes WHERE hash LIKE ? AND expires > ?", name + "%", self._now()
        )
        taken = {row[0] for row in rows}
        for n in range(most):
            if f"{name}{n}" not in taken:
                return insert("codes"), (f"{name}{n}", "", self._now() + DAY)
        raise Refused("too_many_mails", status=429)

    async def redeem(self, person: str, address: str, typed: str) -> None:
        """Take the code that was sent to this address for this person; raises Refused when it is another."""
        code = "".join(sign for sign in typed.upper().translate(MISREAD) if sign in LEGIBLE)
        kept = _kept(person, address, code)
        rows = await self._database.read(
            "SELECT hash FROM codes WHERE hash = ? AND expires > ?", kept, self._now()
        )
        if not rows:
            raise Refused("bad_code", status=403)
        await self._database.write([("DELETE FROM codes WHERE hash = ?", (kept,))])


def _kept(person: str, address: str, code: str) -> str:
    """What a code is kept under; it holds for this person and this address only."""
    return "mail " + digest(f"{person} {address} {code}")
