"""Settings of a server: from flags or the environment, with the bounds it keeps to."""

from __future__ import annotations

import re
from typing import Literal
from urllib.parse import unquote, urlsplit

from msgspec import Struct

LOOPBACK = ("localhost", "127.0.0.1", "::1")


class ServerLimits(Struct, frozen=True):
    """How much one address, one person or one connection may ask for."""

    # A person is somebody with a key; those without one count as one person for each address.
    plays: int = 100  # frames of one person in 20 s, at all tables together
    plays_of_address: int = 500  # frames of one address in 20 s, whoever sent them
    talk: int = 30  # things one person says in a minute
    broken: int = 5  # unreadable frames of one person in a minute
    bytes: int = 400_000  # sent by one person in a minute, read or refused
    bytes_of_address: int = 2_000_000
    bytes_of_table: int = 1_000_000  # sent to one table in a minute, by everybody: its log grows no faster
    cpu: float = 6.0  # seconds the server decides for one person in a minute
    search: float = 30.0  # seconds worker processes look for deals for one person in a minute
    questions: float = 30.0  # seconds worker processes answer one person in a minute
    joins: int = 12  # seats one address or person takes without an invitation in ten minutes
    sockets: int = 50  # connections of one address
    connections: int = 200  # of one address, that bring requests; a named proxy may have more
    tables: int = 3  # opened by one address in ten minutes
    tables_a_day: int = 30
    mails: int = 6  # codes one address has mailed in an hour
    tries: int = 10  # unknown keys, codes and invitations of one address in a minute
    requests: int = 300  # HTTP requests of one address in a minute
    logs: int = 20  # whole logs and records asked for by one address in ten seconds
    queue: int = 256  # frames that wait for a slow reader
    queued_bytes: int = 1 << 20  # of one connection
    queued_bytes_each: int = 4 << 20  # of all connections of a person, or of an address without a key
    queued_bytes_all: int = 128 << 20  # of all connections of the process
    # A bot is somebody with a token: it has the budgets of a person for itself, and none of its address's.
    tokens: int = 50  # of one person
    tokens_a_day: int = 60  # made from one address
    lookups: int = 300  # tokens shown by one address in a minute that must be looked up
    streams: int = 10  # open streams of one token
    bots_at_once: int = 1  # commands of bots that are worked on; others of them wait, people do not
    groups: int = 20  # one person is in
    groups_a_day: int = 10  # made from one address
    members: int = 60  # of one group
    page_patience: float = 20.0  # seconds to take a page of the log


class MailSettings(Struct, frozen=True):
    """The mail server notices go out by."""

    host: str
    port: int
    security: Literal["starttls", "ssl", "plain"]
    sender: str  # the address mail comes from, and to which what cannot be delivered goes back
    user: str = ""  # empty: it asks for none
    password: str = ""

    def __repr__(self) -> str:
        """Without the password, wherever it is written."""
        return f"MailSettings({self.security}, {self.host}:{self.port})"


SCHEMES: dict[str, tuple[Literal["starttls", "ssl", "plain"], int]] = {
    "smtp": ("starttls", 587),
    "smtps": ("ssl", 465),
    "smtp+plain": ("plain", 25),
}


def mail_settings(url: str, password: str, sender: str, base_url: str) -> MailSettings | None:
    """The mail server smtp://, smtps:// or smtp+plain://USER@HOST:PORT; None: no mail. Raises ValueError."""
    if not url:
        return None
    parts = urlsplit(url)
    security, usual = SCHEMES.get(parts.scheme, (None, 0))
    if security is None or not parts.hostname or parts.path.strip("/"):
        raise ValueError("The mail server is named as smtp://USER@HOST:PORT, smtps://… or smtp+plain://….")
    if parts.password is not None:
        raise ValueError("The password of the mail server is given in ELYSIAN_SMTP_PASSWORD, not in its URL.")
    if not re.fullmatch(r"[^@\s<>,;\"]+@[^@\s<>,;\"]+", sender) or not sender.isascii():
        raise ValueError("Mail needs the address it comes from: --mail-from ADDRESS.")
    if not base_url:
        raise ValueError("Mail carries links: say with --base-url how people reach the server.")
    user = unquote(parts.username or "")
    if user and security == "plain" and parts.hostname not in LOOPBACK:
        raise ValueError("A password is not sent in the clear: use smtp:// (STARTTLS) or smtps://.")
    return MailSettings(parts.hostname, parts.port or usual, security, sender, user, password)


class ServerSettings(Struct, frozen=True):
    """How a server is run."""

    host: str = "127.0.0.1"
    port: int = 8000
    database: str = "sqlite:///elysian.db"
    base_url: str = ""  # as people see it; empty: as they come
    origins: tuple[str, ...] = ()  # other pages that may speak to the server
    proxies: str = "127.0.0.1"  # whose word on a client's address is taken
    webhook_hosts: tuple[str, ...] = ("discord.com", "discordapp.com")
    push_hosts: tuple[str, ...] = (
        "fcm.googleapis.com",
        "updates.push.services.mozilla.com",
        "web.push.apple.com",
        "notify.windows.com",
    )
    gather: float = 20.0  # seconds in which what happens to somebody becomes one notice
    mail: MailSettings | None = None  # None: no mail is sent
    contact: str = ""  # an address push services may write to
    bots: int = 1  # worker processes in which bots think; 0: one for each core
    plug_ins: tuple[str, ...] = ()  # players beside our levels; the operator trusts their code
    transcripts: str = ""  # the folder for what language models say; empty: none are kept
    bot_pace: float = 0.6  # seconds a bot takes at least, and again as much at most
    offer_idle: float = 90.0  # seconds a bot's offer to a person lies open when nothing is heard of them
    idle: float = 600.0  # seconds after which an unused table is dropped from memory
    ping: float = 20.0  # seconds between questions to a silent connection; unanswered as long, it is dead
    hand_over: float = 300.0  # seconds in which one may refuse what others decided about one's seat
    drain: float = 5.0  # seconds a stop may take
    workers: int = 1
    page: str = ""  # the folder of the built web page; empty: none
    at_home: bool = False  # one's own machine: who sits at it may open the table to the network
    friends: tuple[str, ...] = ()  # at home: addresses of this machine that are open to others from the start
    addresses: tuple[str, ...] = ()  # at home: those that may be opened; empty: those that are found
    limits: ServerLimits = ServerLimits()

    @property
    def secure(self) -> bool:
        """Whether people come over HTTPS."""
        return self.base_url.startswith("https://")
