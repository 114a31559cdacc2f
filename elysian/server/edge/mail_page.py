"""The page behind the link that ends mail: plain HTML, for whatever browser a mail is read in."""

from __future__ import annotations

from html import escape

from elysian.server.edge.http import Response
from elysian.server.ops.errors import told_notice

# A browser that names no referrer calls itself the origin "null" when it sends a form, which is refused.
PAGE = """<!doctype html>
<html lang="{language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="referrer" content="same-origin"><meta name="robots" content="noindex"><title>Elysian</title>
<h1>Elysian</h1><p>{text}</p>{form}
"""


def mail_page(what: str, language: str, button: bool = False) -> Response:
    """A sentence, and where something is to be done a button."""
    label = escape(told_notice("mail_stop_button", language))
    form = f'<form method="post"><button>{label}</button></form>' if button else ""
    text = PAGE.format(language=language, text=escape(told_notice(what, language)), form=form)
    return Response(body=text.encode(), kind="text/html; charset=utf-8")
