"""Mail: notices go to an address that was confirmed and to no other, through a real mail server."""

from __future__ import annotations

import asyncio
import datetime
import ipaddress
import re
import ssl
from contextlib import AbstractContextManager
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from elysian.server.background.mail import Mailer, mail_of
from elysian.server.ops.errors import Refused
from elysian.server.ops.logs import Log
from elysian.server.ops.metrics import Metrics
from elysian.server.ops.settings import MailSettings, ServerSettings, mail_settings
from elysian.server.store.mail_codes import clean_address
from tests.support.server.mailbox import BELA, Mailbox, code_in, mailbox
from tools.drive.server import Browser, Served, serving
from tools.drive.waiting import PATIENCE, until

BASE = "https://table.example"


def mailing(folder: Path, box: Mailbox, **how: Any) -> AbstractContextManager[Served]:
    smtp = "--smtp", f"smtp+plain://127.0.0.1:{box.port}", "--mail-from", "table@example.com"
    return serving(folder, *smtp, "--gather", "0.2", base_url=BASE, **how)


def confirmed(served: Served, box: Mailbox, name: str = "Bela", address: str = BELA, **more: str) -> Browser:
    person = Browser(served, name)
    assert person.post("/api/me/mail", {"address": address}, **more).status == 204
    code = code_in(box.mails.get(timeout=PATIENCE).text)
    reply = person.ask("PUT", "/api/me/mail", {"address": address, "code": code}, **more)
    assert reply.status == 200, reply.raw
    return person


def game_of(served: Served, bela: Browser, title: str = "Friday") -> str:
    people = [Browser(served, "Anna"), bela, *(Browser(served, name) for name in ("Cleo", "Dora"))]
    table = people[0].open(title=title)
    for person in people[1:]:
        assert person.join(table).status == 200
    assert people[0].do(table, {"kind": "start_game"}).status == 200
    return table


def test_a_confirmed_address_gets_notices_in_its_language_and_can_end_them_by_one_click(
    tmp_path: Path,
) -> None:
    with mailbox() as box, mailing(tmp_path, box) as served:
        bela = confirmed(served, box, accept_language="de")
        assert bela.get("/api/me/notices").json == {"email": BELA, "language": "de"}
        table = game_of(served, bela, "Fünf Freunde 🙂")
        mail = box.mails.get(timeout=PATIENCE)
        assert mail.to == [BELA]
        assert mail.message["Subject"] == "Fünf Freunde 🙂"
        assert mail.message["From"] == "Elysian <table@example.com>"
        assert mail.message.get_content_type() == "text/plain"
        assert mail.message["Auto-Submitted"] == "auto-generated"
        assert mail.message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert "du bist am Zug, Bela" in mail.text
        assert f"{BASE}/t/{table}" in mail.text
        link = mail.message["List-Unsubscribe"].strip("<>")
        assert link in mail.text
        assert mail.raw.isascii()
        path = link.removeprefix(BASE)
        stranger = Browser(served)
        shown = stranger.get(path)
        assert shown.status == 200
        assert b"<form" in shown.raw
        assert bela.get("/api/me/notices").json["email"] == BELA, "a program that looks at links ends nothing"
        forged = path[:-4] + ("aaaa" if not path.endswith("aaaa") else "bbbb")
        assert stranger.ask("POST", forged, Origin="").status == 200
        assert bela.get("/api/me/notices").json["email"] == BELA, "a forged word ends nothing"
        body = b"List-Unsubscribe=One-Click"
        assert stranger.ask("POST", path, body, Origin="").status == 200
        assert "email" not in bela.get("/api/me/notices").json


def test_nothing_but_codes_goes_to_an_address_that_was_not_confirmed(tmp_path: Path) -> None:
    with mailbox() as box, mailing(tmp_path, box) as served:
        bela = Browser(served, "Visit evil.example")
        reply = bela.ask("PUT", "/api/me/notices", {"email": BELA})
        assert (reply.status, reply.json["code"]) == (400, "mail_unconfirmed")
        assert bela.post("/api/me/mail", {"address": BELA}).status == 204
        mail = box.mails.get(timeout=PATIENCE)
        assert "evil" not in mail.text + mail.message["Subject"], "nothing of the asker's making is sent"
        wrong = {"address": BELA, "code": "AAAA-AAAA"}
        assert bela.ask("PUT", "/api/me/mail", wrong).status == 403
        code = code_in(mail.text)
        other = {"address": "other@example.org", "code": code}
        assert bela.ask("PUT", "/api/me/mail", other).status == 403, "the code is of one address"
        right = {"address": BELA, "code": code}
        assert Browser(served, "Mallory").ask("PUT", "/api/me/mail", right).status == 403, "and one person"
        assert bela.post("/api/me/exchange", {"code": code}).status == 403, "and opens nothing else"
        assert bela.post("/api/me/notices/test").json["taken"] == 0
        game_of(served, bela)
        with pytest.raises(Empty):
            box.mails.get(timeout=1.0)
        assert bela.ask("PUT", "/api/me/mail", right).status == 200
        assert bela.ask("PUT", "/api/me/mail", right).status == 403, "once"
        kept = {"email": BELA, "language": "de"}
        assert bela.ask("PUT", "/api/me/notices", kept).json == kept
        assert bela.ask("PUT", "/api/me/notices", {}).json == {}


def test_codes_are_few_by_person_and_by_address_also_after_a_restart(tmp_path: Path) -> None:
    limits = {"mails": 1000, "tries": 1000, "requests": 1000}
    with mailbox() as box, mailing(tmp_path, box, limits=limits) as served:
        people = [Browser(served, f"Person {n}") for n in range(4)]

        def ask(n: int, address: str) -> int:
            return people[n].post("/api/me/mail", {"address": address}).status

        assert [ask(n, BELA) for n in range(2)] == [204, 204]
        served.kill()
        served.start()
        assert [ask(2, BELA), ask(3, BELA), ask(3, BELA.upper())] == [204, 429, 429], "three to an address"
        assert [ask(0, f"a{n}@example.org") for n in range(5)] == [204] * 4 + [429], "five by a person"
        assert box.mails.qsize() == 7


def test_codes_are_few_by_block_of_addresses(tmp_path: Path) -> None:
    with mailbox() as box, mailing(tmp_path, box, limits={"mails": 2}) as served:
        told = [
            Browser(served, f"Person {n}").post("/api/me/mail", {"address": f"a{n}@example.org"}).status
            for n in range(3)
        ]
        assert told == [204, 204, 429]


def test_a_refused_mail_is_counted_told_and_at_last_not_sent_again(tmp_path: Path) -> None:
    with mailbox() as box, mailing(tmp_path, box) as served:
        bela = confirmed(served, box)
        assert bela.post("/api/me/notices/test").json["mail"]["sent"] == 2
        box.refuses[BELA] = "550 no such\tmailbox"
        tested = bela.post("/api/me/notices/test").json
        assert tested["taken"] == 0
        assert tested["mail"] == {"offered": True, "sent": 2, "refused": 1, "why": "550 no such mailbox"}
        box.refuses[BELA] = "451 later"
        assert bela.post("/api/me/notices/test").json["mail"]["refused"] == 1, "later is not never"
        box.refuses = {"DATA": "554 spam"}
        assert bela.post("/api/me/notices/test").json["mail"]["refused"] == 2
        assert bela.get("/api/me/notices").json["email"] == BELA
        assert bela.post("/api/me/notices/test").json["mail"]["refused"] == 3
        assert "email" not in bela.get("/api/me/notices").json
        assert re.search(r"mails_failed\S* 4$", bela.get("/metrics").raw.decode(), re.M)
        box.refuses = {"new@example.org": "550 nobody"}
        reply = bela.post("/api/me/mail", {"address": "new@example.org"})
        assert (reply.status, reply.json["code"]) == (502, "mail_refused")
        assert "550 nobody" in reply.json["sentence"]


def test_without_a_mail_server_no_mail_is_offered(served: Served) -> None:
    bela = Browser(served, "Bela")
    assert bela.get("/api/me/mail").json["offered"] is False
    reply = bela.post("/api/me/mail", {"address": BELA})
    assert (reply.status, reply.json["code"]) == (400, "no_mail")


@pytest.mark.parametrize(
    "address",
    [
        "",
        "bela",
        "bela@example.org\r\nBcc: all@example.org",
        "bela@example.org\n",
        "bela@example.org,anna@example.org",
        "bela@example.org anna@example.org",
        "<bela@example.org>",
        '"bela\\r\\nBcc: x"@example.org',
        "bela@[127.0.0.1]",
        "bela@localhost",
        "bela@exa mple.org",
        "béla@example.org",
        "bela@example.org\0",
        "bela@-example.org",
        "bela..b@example.org",
        "b" * 65 + "@example.org",
        "bela@" + "a." * 130 + "org",
    ],
)
def test_an_address_is_one_address(address: str) -> None:
    with pytest.raises(Refused) as refused:
        clean_address(address)
    assert refused.value.code == "bad_address"


def test_an_address_is_kept_as_it_is_but_for_its_domain() -> None:
    assert clean_address(" Bela.B+x@Example.ORG ") == "Bela.B+x@example.org"


@pytest.mark.parametrize(
    "title",
    [
        "Friday\r\nBcc: all@example.org",
        "Friday\nBcc: all@example.org\n\nbody",
        "Friday\x0bBcc: x\x85Bcc: y\u2028Bcc: z",
        "Zoë & Łukasz =?utf-8?q?=0d=0aBcc:_x?=",
        "=?utf-8?b?DQpCY2M6IHg=?= =?=?utf-8?q?=0d=0aBcc:_x?=",
        "x" * 5000,
        "é" * 5000,
        "\ud800",
        "",
    ],
)
def test_no_title_and_no_text_makes_a_header(title: str) -> None:
    mail = mail_of("table@example.com", BELA, title, f"{title}\n.\n{title}", {})
    raw = mail.as_bytes()
    head = raw.partition(b"\r\n\r\n")[0]
    names = [line.partition(b":")[0] for line in head.split(b"\r\n") if line[:1] not in (b" ", b"\t")]
    expected = {
        *("From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted"),
        *("MIME-Version", "Content-Type", "Content-Transfer-Encoding"),
    }
    assert len(names) == len(set(names))
    assert {name.decode() for name in names} == expected
    assert raw.isascii()
    assert "\n" not in message_from_bytes(raw, policy=default)["Subject"]
    assert max(len(line) for line in raw.split(b"\r\n")) <= 998, "the longest line a mail server must take"
    assert b"\n" not in raw.replace(b"\r\n", b"")


def test_a_long_link_stays_whole() -> None:
    link = f"<https://{'a' * 200}.example/api/mail/0>"
    address = f"{'b' * 60}@{'c' * 60}.example"
    raw = mail_of("table@example.com", address, "Friday", "hello", {"List-Unsubscribe": link}).as_bytes()
    assert f"\r\nList-Unsubscribe: {link}\r\n".encode() in raw
    assert f"\r\nTo: {address}\r\n".encode() in raw
    with pytest.raises(ValueError, match="Header"):
        mail_of("table@example.com", BELA, "Friday", "hello", {"List-Unsubscribe": "<x>\r\nBcc: y"})


@pytest.mark.parametrize(
    ("url", "sender", "base"),
    [
        ("http://mail.example", "table@example.com", BASE),
        ("smtp://user:secret@mail.example", "table@example.com", BASE),
        ("smtp+plain://user@mail.example", "table@example.com", BASE),
        ("smtp://mail.example", "", BASE),
        ("smtp://mail.example", "a@b.example\r\nBcc: c@d.example", BASE),
        ("smtp://mail.example", "table@example.com", ""),
    ],
)
def test_bad_settings_of_mail_are_told_in_a_sentence(url: str, sender: str, base: str) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        mail_settings(url, "secret", sender, base)


def test_settings_of_mail() -> None:
    made = mail_settings("smtps://table%40example.com@mail.example", "secret", "table@example.com", BASE)
    expected = MailSettings("mail.example", 465, "ssl", "table@example.com", "table@example.com", "secret")
    assert made == expected
    assert "secret" not in repr(made)
    assert mail_settings("", "", "", "") is None


def test_with_starttls_nothing_is_said_in_the_clear(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secure, trusted = _certificate(tmp_path)
    with mailbox(secure) as box:
        settings = MailSettings("127.0.0.1", box.port, "starttls", "table@example.com", "me", "secret")
        assert not _sends(settings), "a certificate nobody vouches for"
        monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
        assert _sends(settings)
        assert box.mails.get(timeout=PATIENCE).user
        spoken = {line.split()[0] for line in box.in_the_clear}
        assert spoken <= {b"ehlo", b"STARTTLS"}, spoken
    with mailbox() as box:
        settings = MailSettings("127.0.0.1", box.port, "starttls", "table@example.com", "me", "secret")
        assert not _sends(settings), "where STARTTLS is not offered nothing is sent"
        assert box.mails.empty()
        assert not box.logins


def _sends(settings: MailSettings) -> bool:
    mailer = Mailer(ServerSettings(base_url=BASE, mail=settings), Metrics(), Log())
    mailer.key = b"key"
    return asyncio.run(mailer.notify("0123456789abcdef", BELA, "Friday", "hello", "en"))


def _certificate(folder: Path) -> tuple[ssl.SSLContext, Path]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test")])
    now = datetime.datetime.now(datetime.UTC)
    day = datetime.timedelta(days=1)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - day)
        .not_valid_after(now + day)
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem, private = folder / "cert.pem", folder / "key.pem"
    pem.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    private.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem, private)
    return context, pem


def test_a_mail_server_that_is_gone_holds_nobody_up(tmp_path: Path) -> None:
    with mailbox() as box, mailing(tmp_path, box) as served:
        bela = confirmed(served, box)
        box.refuses[BELA] = "421 leaving"
        assert bela.post("/api/me/notices/test").json["taken"] == 0
        game_of(served, bela)
        until(lambda: served.log().count("mail failed") == 2)
        assert bela.get("/api/me").status == 200
