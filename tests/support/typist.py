"""A person at the terminal game: types lines, looks at what is printed, leaves a record."""

import io
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path

from elysian.actions import ProposeDeal
from elysian.cli.terminal import play
from elysian.deals import Give, Pledge
from elysian.goods import Goods
from elysian.messages import load
from elysian.record import Record, read
from elysian.rules import begin, decide
from elysian.sim.local import free_name
from elysian.state import Settings
from elysian.text.screen import WIDTH

MOVES = 400  # more than a whole game takes
SEATS = ("caylion", "zeth", "kit", "faderan")


class Typed(io.StringIO):
    """Lines of a person who looks at the screen before typing."""

    def __init__(self, out: io.StringIO, answer: Callable[[str], str | None]) -> None:
        super().__init__()
        self.out = out
        self.answer = answer
        self.seen = 0

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        shown = self.out.getvalue()
        fresh, self.seen = shown[self.seen :], len(shown)
        typed = self.answer(fresh)
        return f"{typed}\n" if typed is not None else ""


def game(
    answer: Callable[[str], str | None],
    folder: Path,
    *,
    species: tuple[str, ...] = SEATS,
    seed: int = 1,
    language: str = "en",
    edition: str = "2020",
    record: Record | None = None,
) -> tuple[str, Record]:
    """What was printed, and the record that was left."""
    out = io.StringIO()
    record = record or Record.begin(Settings(species=species, edition=edition), seed)  # type: ignore[arg-type]
    with chdir(folder):
        play(record, Typed(out, answer), out, free_name(record, Path()), language)
    (file,) = (one for one in folder.iterdir() if ".transcript." not in one.name)
    return out.getvalue(), read(file)


def with_an_offer(seed: int) -> Record:
    """A game in which Zeth offered Caylion a green cube for a white one in turn 2, and no more."""
    record = Record.begin(Settings(species=SEATS), seed)
    later = Pledge(what=Give(giver=0, to=1, goods=Goods(white=1)), due=2)
    deal = ProposeDeal(parties=(1, 0), clauses=(Give(giver=1, to=0, goods=Goods(green=1)), later))
    record.add(1, deal, decide(begin(record.head.started), 1, deal)[0])
    return record


def lines_typed(*typed: str) -> Callable[[str], str | None]:
    """Somebody who types these lines and then goes away."""
    waiting = iter(typed)
    return lambda shown: next(waiting, None)


def cautious(language: str) -> Callable[[str], str | None]:
    """Somebody who says done, and what the step asks for where that is not enough."""
    terminal = load(language).terminal
    answers = {
        "not_done_bid": "bid 1 0",
        "not_done_support": "discard 1",
        "not_done_gifts": "give zeth all",
        "not_done_colony_auction": "1",
        "not_done_research_auction": "pass",
    }
    asked = {terminal[key].splitlines()[0][:40]: typed for key, typed in answers.items()}
    patience = iter(range(MOVES))

    def answer(shown: str) -> str | None:
        if next(patience, None) is None:
            return None
        return next((typed for sentence, typed in asked.items() if sentence in shown), "done")

    return answer


def too_wide(text: str) -> list[str]:
    return [line for line in text.splitlines() if len(line) > WIDTH]
