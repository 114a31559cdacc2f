"""What an offer means to the one who reads it: from the reader's own plan with it and without."""

from __future__ import annotations

from elysian.deals import Give
from elysian.goods import Goods
from elysian.messages import load
from elysian.view import View, view
from elysian.worth import judge, meaning_of
from elysian.worth.meaning_words import told
from tests.support.table import hold, stock, table

FOUR = ("faderan", "kit", "caylion", "zeth")


def sociologists() -> View:
    """Faderan lack white cubes for the research team they hold."""
    game = hold(stock(table(*FOUR, turn=5), "faderan", green=3), "faderan", "research.sociologists")
    return view(stock(game, "kit", white=9, brown=2), 0)


def test_an_offer_says_what_it_lets_the_reader_do() -> None:
    """The invention is in the plan with the goods and not in the one without them."""
    seen = sociologists()
    judged = judge(seen, 0, (Give(giver=1, to=0, goods=Goods(white=6)),))
    meaning = meaning_of(judged)
    assert [step.verb for step in meaning.starts][:1] == ["invent"]
    assert judged.after.invents - judged.before.invents
    english, german = told(meaning, FOUR), told(meaning, FOUR, "de")
    assert english[0].startswith("Lets you invent ")
    assert german[0].startswith("Damit kannst du ")
    assert "erfinden" in german[0]


def test_an_offer_that_loses_says_so_and_what_it_stops() -> None:
    """Whoever has the goods for an invention and gives them away is told both."""
    seen = sociologists()
    rich = judge(seen, 0, (Give(giver=1, to=0, goods=Goods(white=6)),))
    game = hold(stock(table(*FOUR, turn=5), "faderan", green=3, white=6), "faderan", "research.sociologists")
    lost = meaning_of(judge(view(game, 0), 0, (Give(giver=0, to=1, goods=Goods(white=6)),)))
    assert rich.gain > 0 > lost.gain
    assert {step.card for step in lost.stops} & {step.card for step in meaning_of(rich).starts}
    assert told(lost, FOUR)[0].startswith("You could no longer invent ")
    assert told(lost, FOUR)[-1] == "You would lose by this."
    assert told(lost, FOUR, "de")[-1] == "Dabei würdest du verlieren."


def test_what_changes_no_plan_is_said_to_change_none() -> None:
    """A cube more or less that no converter takes."""
    game = stock(table(*FOUR, turn=6), "kit", ship=2)
    more = meaning_of(judge(view(game, 0), 0, (Give(giver=1, to=0, goods=Goods(ship=1)),)))
    assert not more.starts
    assert told(more, FOUR) == ("Your plan stays the same; you would keep more for later.",)


def test_both_languages_say_the_same_with_the_same_names() -> None:
    english, german = load("en").means, load("de").means
    assert set(english) == set(german)
    for key, text in english.items():
        for name in ("{deeds}", "{still}", "{stops}", "{what}", "{one}", "{other}"):
            assert (name in text) == (name in german[key]), key
