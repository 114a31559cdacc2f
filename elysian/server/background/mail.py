"""Mail: plain text to a confirmed address, by the operator's mail server, with a way to end it in each."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import re
import smtplib
import ssl
from collections import OrderedDict
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import formatdate, make_msgid
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from elysian.server.ops.errors import Refused, told_notice
from elysian.server.ops.logs import Log
from elysian.server.ops.metrics import Metrics
from elysian.server.ops.settings import MailSettings, ServerSettings

PATIENCE = 10.0  # seconds for each answer of the mail server
LONGEST = 60.0  # seconds for one mail
AT_ONCE = 2
LONGEST_SUBJECT = 120
LONGEST_REPLY = 160
REMEMBERED = 10_000
PERSON = 16  # signs of a person's id, with which the word that ends mail begins
FAILURES = (OSError, smtplib.SMTPException, ValueError)


class SevenBit(EmailPolicy):
    """What every mail server takes; and addresses and links are never broken, or encoded for being long."""

    WHOLE = ("to", "message-id", "list-unsubscribe")

    def fold_binary(self, name: str, value: str) -> bytes:
        """A header as it is sent."""
        if name.lower() in self.WHOLE:
            return f"{name}: {value}{self.linesep}".encode("ascii")
        folded = super().fold_binary(name, value)
        if re.search(rb"[\r\n][^ \t\r\n]", folded):
            raise ValueError("A header would become two.")
        return folded


class MailState(Struct, frozen=True):
    """Whether mail is sent at all, and what became of a person's since the server was started."""

    offered: bool = False
    sent: int = 0
    refused: int = 0  # those in a row the mail server would not take for this address
    why: str = ""  # what it said last; empty: it took the last one


class Mailer:
    """Sends mail; does nothing unless the operator has named a mail server."""

    def __init__(self, settings: ServerSettings, metrics: Metrics, log: Log) -> None:
        self._settings = settings.mail
        self._base = settings.base_url.rstrip("/")
        self._metrics = metrics
        self._log = log
        self.key = b""  # with which the words that end mail are made; empty: none can be
        self._places = asyncio.Semaphore(AT_ONCE)
        self._states: OrderedDict[str, MailState] = OrderedDict()  # by person

    @property
    def offered(self) -> bool:
        """Whether mail can be sent."""
        return self._settings is not None and bool(self.key)

    def state(self, person: str) -> MailState:
        """What became of a person's mail."""
        return replace(self._states.get(person, MailState()), offered=self.offered)

    # ------------------------------------------------------------ what is sent

    async def confirm(self, person: str, address: str, code: str, language: str) -> None:
        """Send a code, and nothing anybody has written; raises Refused when it is not taken."""
        subject = told_notice("mail_code_subject", language)
        text = told_notice("mail_code", language, code=code, base=self._base)
        if not await self._send(person, address, subject, text, {}):
            why = self.state(person).why or "-"
            self._states.pop(person, None)  # it says nothing of the address they have
            raise Refused("mail_refused", status=502, why=why)

    async def notify(self, person: str, address: str, title: str, text: str, language: str) -> bool:
        """Send a notice to a confirmed address; whether the mail server took it."""
        stop = f"{self._base}/api/mail/{self.word(person, address)}"
        ending = told_notice("mail_stop", language, link=stop)
        headers = {"List-Unsubscribe": f"<{stop}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
        return await self._send(person, address, title, f"{text}\n\n-- \n{ending}", headers)

    def word(self, person: str, address: str) -> str:
        """The word by which anybody who has the mail ends all further mail to this address."""
        known = hmac.new(self.key, f"{person} {address}".encode(), hashlib.sha256)
        return person + known.hexdigest()[: 40 - PERSON]

    def ends(self, word: str, person: str, address: str | None) -> bool:
        """Whether the word is that of the address the person has."""
        return bool(address and self.key) and hmac.compare_digest(word, self.word(person, address or ""))

    # ------------------------------------------------------------ how

    async def _send(self, person: str, address: str, title: str, text: str, more: dict[str, str]) -> bool:
        if self._settings is None or not self.offered:
            raise Refused("no_mail", status=400)
        state = self._states.get(person, MailState())
        try:
            message = mail_of(self._settings.sender, address, title, text, more)
            async with self._places, asyncio.timeout(LONGEST):
                await asyncio.to_thread(_hand_over, self._settings, self._name(), address, message.as_bytes())
            self._metrics.count("mails")
            state = replace(state, sent=state.sent + 1, refused=0, why="")
        except FAILURES as problem:
            self._metrics.count("mails_failed")
            self._log.say("mail failed", kind=type(problem).__name__)
            refusal = reply_of(problem)
            more_refused = state.refused + (refusal[:1] == "5")
            state = replace(state, refused=more_refused, why=refusal or type(problem).__name__)
        self._states[person] = state
        self._states.move_to_end(person)
        if len(self._states) > REMEMBERED:
            self._states.popitem(last=False)
        return not state.why

    def _name(self) -> str:
        """What we call ourselves to the mail server: as people know us, not as the machine is called."""
        return urlsplit(self._base).hostname or "localhost"


def mail_of(sender: str, address: str, title: str, text: str, more: dict[str, str]) -> EmailMessage:
    """A mail of plain text; whatever a title or a text holds, no header comes of it."""
    message = EmailMessage(policy=SevenBit(linesep="\r\n", cte_type="7bit"))
    message["From"] = Address("Elysian", addr_spec=sender)
    message["To"] = Address(addr_spec=address)
    # Python's policy decodes encoded words in what it is given, and line ends among them: none is left whole.
    message["Subject"] = one_line(title).replace("=?", "= ?")[:LONGEST_SUBJECT] or "Elysian"
    message["Date"] = formatdate()
    message["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2])
    message["Auto-Submitted"] = "auto-generated"
    for name, value in more.items():
        message[name] = value
    lines = "\n".join(one_line(line) if line != "-- " else line for line in text.split("\n"))
    message.set_content(lines, charset="utf-8", cte="quoted-printable")
    return message


def one_line(text: str) -> str:
    """A text without anything that ends a line or is no sign to be read."""
    plain = "".join(sign if sign.isprintable() else " " for sign in text)
    return " ".join(plain.encode("utf-8", "replace").decode().split())


def _hand_over(settings: MailSettings, name: str, address: str, mail: bytes) -> None:
    """Give one mail to the mail server; takes its time, and raises when it is not taken."""
    secure = ssl.create_default_context()
    if settings.security == "ssl":
        server: smtplib.SMTP = smtplib.SMTP_SSL(
            settings.host, settings.port, name, timeout=PATIENCE, context=secure
        )
    else:
        server = smtplib.SMTP(settings.host, settings.port, name, timeout=PATIENCE)
    with server:
        if settings.security == "starttls":
            server.starttls(context=secure)  # raises when it is not offered: nothing goes in the clear
        if settings.user:
            server.login(settings.user, settings.password)
        server.sendmail(settings.sender, [address], mail)


def reply_of(problem: Exception) -> str:
    """What the mail server said of the address or the mail; empty when the trouble is between it and us."""
    if isinstance(problem, smtplib.SMTPRecipientsRefused):
        code, said = next(iter(problem.recipients.values()))
    elif isinstance(problem, smtplib.SMTPDataError):
        code, said = problem.smtp_code, problem.smtp_error  # type: ignore[assignment]
    else:
        return ""
    words = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
    return one_line(f"{code} {words}")[:LONGEST_REPLY]
