"""Wording: a reason is stored as a code and facts, and every reader gets a sentence of their language."""

from __future__ import annotations

import msgspec
import pytest

from elysian.actions import DeclineDeal, ProposeDeal
from elysian.deals import Deal, Give, Reason
from elysian.draft import IllegalAction
from elysian.events import DealOffered
from elysian.goods import Goods
from elysian.messages import Telling, languages, load
from elysian.rules import decide
from elysian.server.live.wording import worded_changes, worded_events, worded_view
from elysian.server.store.upcast import decode_line, encode_line
from elysian.server.table_state.events import Line, Said
from elysian.state import State
from elysian.view import view
from tests.support.table import newest, table

WHY = Reason(code="loses_run", goods=Goods(green=2), subject="research.sociologists")
READ = {
    "en": "Without 2 green I would not run Sociologists this turn.",
    "de": "Ohne 2 grün würde ich in dieser Runde nicht Sociologists nutzen.",
}


def offered(reason: str | Reason) -> tuple[State, Deal]:
    game = table("kit", "eni_et", "caylion", "zeth")
    swap = Give(giver=0, to=1, goods=Goods(white=1)), Give(giver=1, to=0, goods=Goods(brown=1))
    _, game = decide(game, 0, ProposeDeal(parties=(0, 1), clauses=swap, reason=reason))
    return game, game.deals[newest(game)]


@pytest.mark.parametrize("language", sorted(READ))
def test_views_changes_events_and_talk_say_a_reason_in_the_language_of_the_reader(language: str) -> None:
    game, deal = offered(WHY)
    said = READ[language]
    assert worded_view(view(game, 1), language).deals[deal.id].reason == said
    assert worded_changes({"deals": {deal.id: deal, "d99": None}}, language)["deals"][deal.id].reason == said
    events = worded_events((DealOffered(deal=deal), Said(seat=0, text=WHY)), language)
    assert [events[0].deal.reason, events[1].text] == [said, said]
    assert game.deals[deal.id].reason == WHY, "what is stored is the same for all"


def test_what_somebody_said_in_words_is_shown_as_it_is() -> None:
    """People's own words, and what bots of earlier versions said, are in the log as text."""
    game, deal = offered("I need 2 green for Sociologists.")
    seen = view(game, 1)
    assert worded_view(seen, "de") is seen
    assert worded_events((DealOffered(deal=deal),), "de")[0].deal.reason == deal.reason


def test_a_log_holds_both_and_reads_both() -> None:
    for reason in (WHY, "Nothing for me."):
        line = Line(n=1, at=1, seat=0, action=DeclineDeal(deal="d1", reason=reason), events=())
        assert decode_line(encode_line(line)) == line


def test_every_reason_of_every_language_can_be_said_of_anything() -> None:
    for language in languages():
        telling = Telling(load(language), ())
        for code in load(language).reason:
            said = telling.reason(Reason(code=code, goods=Goods(green=1), price=Goods(blue=1), subject="x"))
            assert said.endswith("."), code
            assert "{" not in said, code
        assert telling.reason(Reason(code="of_a_later_version")) == ""


@pytest.mark.parametrize(
    ("reason", "refused"),
    [
        (Reason(code="run", cards=("no.such.card",)), "unknown_card"),
        (Reason(code="run", subject="no.such.card"), "unknown_card"),
        (Reason(code="run", goods=Goods(green=-1)), "bad_quantity"),
        (Reason(code="run", price=Goods(green=-1)), "bad_quantity"),
        (Reason(code="x" * 41), "offer_too_long"),
        (Reason(code="run", cards=("research.sociologists",) * 21), "offer_too_long"),
    ],
)
def test_a_reason_that_names_what_there_is_not_is_refused(reason: Reason, refused: str) -> None:
    with pytest.raises(IllegalAction, match=refused):
        offered(reason)


def test_a_reason_from_outside_is_read_strictly() -> None:
    read = msgspec.json.Decoder(ProposeDeal).decode
    offer = b'{"kind":"propose_deal","parties":[0,1],"clauses":[],"reason":%b}'
    assert read(offer % b'{"code":"run"}').reason == Reason(code="run")
    for bad in (b'{"code":"run","html":"x"}', b"7", b'{"code":"%b"}' % (b"x" * 41)):
        with pytest.raises(msgspec.ValidationError):
            read(offer % bad)
