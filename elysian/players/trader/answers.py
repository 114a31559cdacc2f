"""Answering offers: any clauses, from anyone; nobody gets rich on a bot that answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from elysian.deals import ANYONE, AnyClause, CardId, Deal, Pledge, Reason, Seat, Undertake, parties_to, sides
from elysian.deck import CATALOG
from elysian.players.trader.reasons import DeedName, against, deed_of, for_it, subject_of
from elysian.players.trader.search import EVEN_FOR_ALL, WHOLE, DealSearch
from elysian.state import TURNS
from elysian.view import View
from elysian.worth import IMPOSSIBLE, Judgement, Prices, after, judge
from elysian.worth.clauses import overdrawn
from elysian.worth.meaning import meaning_of, steps_of

PATIENCE = 12  # offers of one seat that are thought about in a turn
SLACK = 0.3  # points by which all deals of one seat together may leave a bot less than its share
WORD = 1.5  # what a deal must bring more if it undoes what a bot told a person it would do


class OfferReply(Struct, frozen=True):
    """Yes or no, and why."""

    agrees: bool
    reason: Reason
    gain: float = 0.0
    surplus: float = 0.0  # what the deal brings all its parties, where that was looked at


class Judge:
    """How one seat answers; it remembers who bothered it and who broke a promise."""

    def __init__(
        self,
        rates: Prices,
        least: float,
        floor: float,
        people: frozenset[Seat] = frozenset(),
        ahead: DealSearch | None = None,
        share: float = 0.0,
    ) -> None:
        """Accept what brings at least `least`, and `floor` of what the deal brings two parties.

        Of all that the offers of one seat have brought both it wants `share`, give or take `SLACK` points:
        one deal may be uneven, not all of them. What people were given as a reason is not lightly undone;
        `ahead` is how this seat looks for the deals with bots that may undo it.
        """
        self.people = people
        self.ahead = ahead
        self.rates = rates
        self.least = least
        self.floor = floor
        self.share = share
        self.account: dict[Seat, float] = {}  # how far what each seat's offers brought me is above my share
        self.heard: dict[Seat, int] = {}
        self.distrusted: set[Seat] = set()
        self.refused: set[object] = set()  # terms turned down this turn, as things stood then
        self.meant: set[DeedName] = set()  # deeds that people were told of this turn
        self.words: dict[str, tuple[Seat, CardId, int]] = {}  # who undertook to invent what in which turn

    def new_turn(self) -> None:
        """What was said last turn is forgotten; broken promises are not."""
        self.heard.clear()
        self.refused.clear()
        self.meant.clear()

    def has_said(self, reason: str | Reason, parties: Iterable[Seat]) -> None:
        """Remember what people among these were given as the reason for a deal."""
        deed = deed_of(reason)
        if deed is not None and self.people & {*parties}:
            self.meant.add(deed)

    def keeps_to(self, mine: Judgement) -> bool:
        """Whether a deal leaves what people were told of to be done, or brings enough to think again."""
        undone = {(step.verb, subject_of(step)) for step in meaning_of(mine).stops} & self.meant
        return not undone or mine.gain >= self.least + WORD

    def notice(self, view: View) -> None:
        """A pledge due at the start of this turn that still stands was not kept, nor a deed never done."""
        self._notice_deeds(view)
        if view.step not in ("trade", "settle"):
            return
        for promise in view.obligations.values():
            clause = promise.clause
            if not isinstance(clause, Pledge) or promise.debtor == view.seat:
                continue
            if clause.due <= view.turn and clause.at == "start" and not promise.waits:
                self.distrusted.add(promise.debtor)

    def _notice_deeds(self, view: View) -> None:
        made = {*view.shared, *(card for area in view.players for card in area.invented)}
        for name, (who, team, turn) in tuple(self.words.items()):
            if name not in view.obligations:
                del self.words[name]
                # A word that goes while trading is still on was kept, replaced or released.
                if team not in made and (view.turn, view.phase) != (turn, "trade"):
                    self.distrusted.add(who)
        for name, promise in view.obligations.items():
            clause = promise.clause
            if not isinstance(clause, Undertake) or clause.deed.verb != "invent":
                continue
            if view.seat in promise.parties and clause.deed.who != view.seat:
                self.words[name] = (clause.deed.who, CATALOG.team(clause.deed.subject), clause.turn)

    def answer(self, view: View, deal: Deal) -> OfferReply:
        """Whether the deal brings enough, and a fair share of what it brings all its parties."""
        me = view.seat
        assert me is not None
        if deal.is_open and me not in deal.parties:
            deal = deal.taken_by(me)
        self.heard[deal.proposer] = self.heard.get(deal.proposer, 0) + 1
        terms = (deal.clauses, view.me.stock, view.me.donation)
        if self.heard[deal.proposer] > PATIENCE or terms in self.refused:
            return OfferReply(agrees=False, reason=Reason(code="busy"))
        answer = self._weigh(view, me, deal)
        if not answer.agrees:
            self.refused.add(terms)
        return answer

    def _weigh(self, view: View, me: Seat, deal: Deal) -> OfferReply:
        mine = self._judged(view, me, deal)
        if mine.gain <= IMPOSSIBLE:
            return OfferReply(agrees=False, reason=Reason(code="impossible"))
        if mine.gain < self.least:
            if self._leans_on_doubt(view, deal, me):
                return OfferReply(agrees=False, reason=Reason(code="unsure"), gain=mine.gain)
            if mine.gain > 0:
                return OfferReply(agrees=False, reason=Reason(code="little"), gain=mine.gain)
            return OfferReply(agrees=False, reason=against(me, deal.clauses, mine), gain=mine.gain)
        if not self.people & {*deal.parties} and not self.keeps_to(mine):
            return OfferReply(agrees=False, reason=Reason(code="little"), gain=mine.gain)
        surplus = self._surplus(view, me, deal, mine.gain)
        if len(deal.parties) >= WHOLE:
            fair = self._is_even_for_all(view, deal, mine.gain, surplus)
        else:
            fair = self._is_fair(deal, mine.gain, surplus) and not self._is_milked(deal, mine.gain, surplus)
        if not fair:
            return OfferReply(agrees=False, reason=Reason(code="uneven"), gain=mine.gain, surplus=surplus)
        reason = self.why(view, me, deal.clauses, mine)
        return OfferReply(agrees=True, reason=reason, gain=mine.gain, surplus=surplus)

    def has_agreed(self, me: Seat, deal: Deal, reply: OfferReply) -> None:
        """Remember what a deal brings me above or below my share; rings may fail and earn nobody trust."""
        deal = deal.taken_by(me) if deal.is_open else deal
        if len(deal.parties) >= WHOLE:
            return  # whoever made it gains no more than the others
        over = self._over(deal, reply.gain, reply.surplus)
        if len(deal.parties) > 2:
            over = min(0.0, over)
        self.account[deal.proposer] = self.account.get(deal.proposer, 0.0) + over

    def _over(self, deal: Deal, gain: float, surplus: float) -> float:
        return gain - self.share * 2.0 / len(deal.parties) * surplus

    def _is_milked(self, deal: Deal, gain: float, surplus: float) -> bool:
        """Whether it would be one more deal of which its maker has most."""
        over = self._over(deal, gain, surplus)
        return over < 0 and self.account.get(deal.proposer, 0.0) + over < -SLACK

    def _is_even_for_all(self, view: View, deal: Deal, gain: float, surplus: float) -> bool:
        """Whether a deal of the whole table leaves enough, and its maker no more than an equal share."""
        share = surplus / len(deal.parties)
        return gain >= EVEN_FOR_ALL * share and self._judged(view, deal.proposer, deal).gain <= share + SLACK

    def why(self, view: View, me: Seat, clauses: Sequence[AnyClause], mine: Judgement) -> Reason:
        """Why a deal is wanted; people are told of a deed only if it is likely to be done."""
        if not self.people:
            return for_it(me, clauses, mine)
        if view.turn == TURNS:  # every deal changes what is done with everything
            return for_it(me, clauses, mine, likely=(), last=True)
        # What may follow is looked for only where there is a deed that it could undo.
        asked = bool(meaning_of(mine).starts) and self.people & {*parties_to(clauses)}
        return for_it(me, clauses, mine, self._likely(view, me, clauses) if asked else None)

    def _likely(self, view: View, me: Seat, clauses: Sequence[AnyClause]) -> set[DeedName] | None:
        """What is still done after the best deal with bots that can be seen to follow; None: none follows."""
        then = after(view, tuple(clauses))
        if then is None or self.ahead is None:
            return None
        follows = self.ahead.best(then, me, set(), None, self.distrusted, self.people)
        if follows is None:
            return None
        done = judge(then, me, follows.clauses, self.rates).after
        return {(step.verb, subject_of(step)) for step in steps_of(done)}

    def takes(self, view: View, seat: Seat, deal: Deal) -> bool:
        """Whether a seat that judges as this one does would agree, with nothing between it and the maker."""
        gain = self._judged(view, seat, deal).gain
        surplus = self._surplus(view, seat, deal, gain)
        if gain < self.least or not self._is_fair(deal, gain, surplus):
            return False
        return self._over(deal, gain, surplus) >= -SLACK

    def _surplus(self, view: View, seat: Seat, deal: Deal, gain: float) -> float:
        others = (self._judged(view, one, deal).gain for one in deal.parties if one not in (seat, ANYONE))
        return gain + sum(max(0.0, other) for other in others)

    def _is_fair(self, deal: Deal, gain: float, surplus: float) -> bool:
        return gain >= self.floor * 2.0 / len(deal.parties) * surplus

    def _judged(self, view: View, seat: Seat, deal: Deal) -> Judgement:
        return judge(view, seat, deal.clauses, self.rates, deal.settles, frozenset(self.distrusted))

    def _leans_on_doubt(self, view: View, deal: Deal, me: Seat) -> bool:
        then = after(view, deal.clauses, deal.settles)
        doubted = self.distrusted | (set() if then is None else overdrawn(then.obligations.values()))
        bonds = [sides(clause) for clause in deal.clauses if isinstance(clause, Pledge | Undertake)]
        return any(creditor == me and debtor in doubted for debtor, creditor in bonds)
