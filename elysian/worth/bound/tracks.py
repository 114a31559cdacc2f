"""Tracks, colonies and relic worlds over the turns: what can be had, when, and for how many ships."""

from __future__ import annotations

from collections import Counter, defaultdict
from math import inf

from elysian.actions import PutIntoPlay, UpgradeCard
from elysian.catalog import Card
from elysian.deals import Seat
from elysian.deck import CATALOG
from elysian.goods import Goods
from elysian.species import rules_of
from elysian.state import TURNS, State
from elysian.worth.bound.flows import Flow
from elysian.worth.bound.inventions import Inventions
from elysian.worth.problem import Terms


class Tracks(Inventions):
    """Cards bought, colonies used, relic worlds drawn."""

    def __init__(self, state: State, whole: bool, once: bool = False) -> None:
        super().__init__(state, whole, once)
        self.ships: dict[int, Terms] = defaultdict(list)
        self.buys: list[tuple[int, str, Seat, int]] = []  # (variable, card, seat, ships), when bidding now
        self.seeded: dict[tuple[int, str], Terms] = defaultdict(list)  # bought to run twice
        self.dear: dict[tuple[str, int], Terms] = defaultdict(list)  # bought on spaces that cost more than 1
        self.drawn: dict[int, Terms] = defaultdict(list)  # colonies that relic worlds bring
        self.kept: dict[int, Terms] = defaultdict(list)  # colonies that need support in a turn
        self.handed: dict[tuple[int, str], Terms] = defaultdict(list)  # (turn, climate) -> colonies handed in
        self.handing: list[tuple[int, str, str]] = []  # (variable, colony, icon), in the turn at hand
        species = [rules_of(player.species) for player in state.players]
        self.seeds = any(one.settles_with_seedling for one in species)
        self.splits = sum(one.splits_colony_bid for one in species)

    def reachable(self, track: str, turn: int) -> list[str]:
        """Cards that could lie on a track in a turn: no more are drawn than it has spaces (TRACK-1)."""
        there = self.state.colony_track if track == "colony" else self.state.research_track
        pile = (self.state.colonies if track == "colony" else self.state.research).cards
        now = [card for card in there if card is not None]
        if turn == self.first:
            return now
        drawn = (turn - self.first) * len(there)
        back: list[str] = []
        if drawn > len(pile) and track == "colony":
            # Colonies used up or given up go under the deck, and may come round again (VIO-6, ECON-1).
            back = [card for card in self.held if CATALOG.cards[card].kind == "colony"]
        return [*now, *pile[:drawn], *back]

    def add_tracks(self) -> None:
        """What can be bought in the auctions of each turn but the last."""
        for turn in self.turns:
            if turn == TURNS:
                break
            for track in ("colony", "research"):
                if turn == self.first and not self.trading and self.whole:
                    self._bids(track)
                elif turn == self.first:
                    self._buys_now(track)
                else:
                    self._buys_later(track, turn)

    def _bids(self, track: str) -> None:
        """The auction at hand: each seat bids for one card with ships of its own."""
        cards = self.state.colony_track if track == "colony" else self.state.research_track
        minimums = self.state.colony_minimums if track == "colony" else self.state.research_minimums
        bids: dict[Seat, Terms] = defaultdict(list)
        for card, minimum in zip(cards, minimums, strict=True):
            if card is None:
                continue
            buyers: Terms = []
            for seat, player in enumerate(self.state.players):
                rules = rules_of(player.species)
                twice = track == "colony" and rules.settles_with_seedling
                ships = 2 * minimum if twice else minimum
                if ships > player.stock.ship:
                    continue
                buy = self.variable(self.first, 1.0)
                self.buys.append((buy, card, seat, ships))
                bids[seat].append((buy, 1.0))
                buyers.append((buy, 1.0))
                self.ships[self.first].append((buy, ships))
                (self.seeded if twice else self.bought)[self.first, card].append((buy, 1.0))
            self.programme.bind(buyers, most=1.0)
        for buys in bids.values():
            self.programme.bind(buys, most=1.0)

    def bind_bids(self) -> None:
        """Nobody bids more ships on both tracks together than are there (BID-2)."""
        for seat, player in enumerate(self.state.players):
            mine = [(variable, float(ships)) for variable, _, by, ships in self.buys if by == seat]
            if mine:
                self.programme.bind(mine, most=player.stock.ship)

    def _buys_now(self, track: str) -> None:
        """The auctions of the turn at hand, for the printed minimum."""
        cards = self.state.colony_track if track == "colony" else self.state.research_track
        minimums = self.state.colony_minimums if track == "colony" else self.state.research_minimums
        for card, minimum in zip(cards, minimums, strict=True):
            if card is not None:
                for buy, twice in self._buy(track, self.first, card):
                    self.ships[self.first].append((buy, 2.0 * minimum if twice else minimum))
                    if minimum > 1:
                        self.dear[track, self.first].append((buy, 1.0))
        self._buyers(track, self.first)

    def _buys_later(self, track: str, turn: int) -> None:
        """Later auctions: any card that could be there, but every space is paid for only once."""
        minimums = self.state.colony_minimums if track == "colony" else self.state.research_minimums
        spaces: Terms = []
        for minimum, n in sorted(Counter(minimums).items()):
            # Which card will lie on which space is not known: spaces are paid for, cards are taken, and there
            # are as many of the one as of the other.
            space = self.programme.variable(most=n, whole=False)
            spaces.append((space, -1.0))
            self.ships[turn].append((space, minimum))
            if minimum > 1:
                self.dear[track, turn].append((space, 1.0))
        every: Terms = []
        for card in self.reachable(track, turn):
            for buy, twice in self._buy(track, turn, card):
                every.append((buy, 1.0))
                if twice:
                    # Ships count half (CAY-1): paid twice, the second time at least as the cheapest.
                    self.ships[turn].append((buy, float(min(minimums))))
        # A space that is paid for with no card taken would only make others come out sooner (`bind_draws`).
        self.programme.bind([*every, *spaces], least=0.0 if self.once else -inf, most=0.0)
        self._buyers(track, turn)

    def _buy(self, track: str, turn: int, card: str) -> list[tuple[int, bool]]:
        """A card is bought; perhaps by those whose bids count half and whose colonies run twice (CAY-1)."""
        buy = self.programme.variable(most=1.0, whole=self.once)
        self.bought[turn, card].append((buy, 1.0))
        if track != "colony" or not self.seeds:
            return [(buy, False)]
        twice = self.programme.variable(most=1.0, whole=self.once)
        self.seeded[turn, card].append((twice, 1.0))
        self.programme.bind([(buy, 1.0), (twice, 1.0)], most=1.0)
        return [(buy, False), (twice, True)]

    def _buyers(self, track: str, turn: int) -> None:
        """Each seat buys one card, or two where it may split its bid (KJAS-2)."""
        seats = len(self.state.players)
        kind = self.reachable(track, turn)
        plain = [term for card in kind for term in self.bought[turn, card]]
        if track == "research":
            self.programme.bind(plain, most=seats)
            return
        # The one seat whose colonies run twice buys through `seeded` alone: it is no plain buyer besides.
        twice = [term for card in kind for term in self.seeded[turn, card]]
        self.programme.bind(plain, most=seats + self.splits - self.seeds)
        if twice:
            self.programme.bind(twice, most=1.0)

    def bind_draws(self) -> None:
        """A team comes out only when those above it have (TRACK-1).

        A space of 1 is filled anew each turn, a dearer one only when its card was bought: so the tenth team
        of the deck needs so many purchases on dear spaces before, and a share of it that share of them.
        """
        track = self.state.research_track
        minimums = self.state.research_minimums
        ones = sum(1 for minimum in minimums if minimum == 1)
        empty = sum(1 for card, minimum in zip(track, minimums, strict=True) if card is None and minimum > 1)
        for place, card in enumerate(self.state.research.cards):
            bought: Terms = []
            dear: Terms = []
            for turn in self.turns:
                bought += self.bought[turn, card]
                needed = place + 1 - empty - ones * (turn - self.first)
                if bought and needed > 0:
                    self.programme.bind(
                        [*((v, needed * n) for v, n in bought), *((v, -n) for v, n in dear)], most=0.0
                    )
                dear += self.dear["research", turn]

    # ------------------------------------------------------------ colonies

    def add_colonies(self) -> None:
        """Colonies are kept, terraformed, consumed or given up."""
        names = {card for _, card in (*self.bought, *self.seeded) if CATALOG.cards[card].is_colony}
        names |= {card for card in self.held if CATALOG.cards[card].is_colony}
        if any(self.drawn.values()):
            names |= set(self.state.colonies.cards)
        taken: dict[int, Terms] = defaultdict(list)
        for name in sorted(names):
            self._colony(CATALOG.cards[name], None, taken)
        for seat, player in enumerate(self.state.players):
            for name in player.deck:
                if CATALOG.cards[name].is_colony:
                    self._colony(CATALOG.cards[name], seat, taken)
        for turn in self.acting:
            self.programme.bind([*taken[turn], *((v, -n) for v, n in self.drawn[turn])], most=0.0)
        self._bind_colonies()

    def _colony(self, card: Card, deck_of: Seat | None, taken: dict[int, Terms]) -> None:
        """One colony, run once or, with a seedling, twice a turn; never in two places."""
        # Bought by those whose colonies run twice it is another thing than bought by others: both are laid
        # out, and a row for each turn keeps them from being the same colony twice.
        together: dict[int, Terms] = defaultdict(list)
        for times in (1, 2) if self.seeds and deck_of is None else (1,):
            holder, held = self.held.get(card.id, (-1, None))
            mine = held is not None and (2 if held.seedling else 1) == times
            front: Terms = [(self.one, 1.0)] if mine and held is not None and not held.flipped else []
            back: Terms = [(self.one, 1.0)] if mine and held is not None and held.flipped else []
            ever: Terms = []
            buys = self.bought if times == 1 else self.seeded
            for turn in self.turns:
                if turn in self.acting:
                    if deck_of is not None and card.entry is not None and card.entry.cost is not None:
                        put = self.variable(turn, 1.0)
                        ever.append((put, 1.0))
                        self.programme.bind(ever, most=1.0)
                        self.violet(
                            turn, deck_of, card.entry.cost, card.entry.gain, put, PutIntoPlay(card=card.id)
                        )
                        front = [*front, (put, 1.0)]
                    elif self.drawn[turn] and times == 1:
                        drawn = self.programme.variable(most=1.0, whole=False)
                        taken[turn].append((drawn, 1.0))
                        front = [*front, (drawn, 1.0)]
                    front, back = self._use(card, holder, turn, times, front, back)
                    together[turn] += [*front, *back]
                front = [*front, *buys[turn, card.id]]
        for turn, there in together.items():
            self.programme.bind(there, most=1.0)
            self.kept[turn] += there

    def _use(
        self, card: Card, holder: Seat, turn: int, times: int, front: Terms, back: Terms
    ) -> tuple[Terms, Terms]:
        """A turn of a colony: some is handed in, some terraformed; the rest runs, if it is kept."""
        if not front and not back:
            return front, back
        up: Terms = []
        if front and card.back is not None:
            for way, upgrade in enumerate(card.upgrades):
                if upgrade.cost is not None:
                    variable = self.variable(turn, 1.0)
                    move = UpgradeCard(card=card.id, way=way)
                    self.violet(turn, holder, upgrade.cost, upgrade.gain, variable, move)
                    up.append((variable, 1.0))
        sides: list[Terms] = []
        for face, there, change in (
            (card.front, front, [(v, -n) for v, n in up]),
            (card.back, back, up),
        ):
            before = [*there, *change]
            if face is None or not before:
                sides.append([])
                continue
            out = self._handed(card, turn, face.climate or "")
            # What is neither handed in nor turned over is left; at most, since a colony may be given up.
            left = self.programme.variable(most=1.0, whole=False)
            self.programme.bind([(left, 1.0), *out, *((v, -n) for v, n in before)], most=0.0)
            self.runs(turn, card.id, holder, face, times, [(left, 1.0)])
            sides.append([(left, 1.0)])
        return sides[0], sides[1]

    def _handed(self, card: Card, turn: int, climate: str) -> Terms:
        """Handing it in, for an icon of its climate or of any (VIO-6)."""
        out: Terms = []
        for icon in (climate, "any"):
            if self.wanted[turn, icon]:
                slot = self.variable(turn, 1.0)
                self.handed[turn, icon].append((slot, 1.0))
                out.append((slot, 1.0))
                if turn == self.first:
                    self.handing.append((slot, card.id, icon))
        return out

    def _bind_colonies(self) -> None:
        """Every icon takes a colony, and nobody keeps more than is supported (ECON-1)."""
        for key, wanted in self.wanted.items():
            self.programme.bind([*self.handed[key], *((v, -n) for v, n in wanted)], least=0.0, most=0.0)
        support = sum(float(CATALOG.species[player.species].support) for player in self.state.players)
        if support == inf:
            return
        for turn, kept in self.kept.items():
            self.programme.bind([*kept, *((v, -n) for v, n in self.support[turn])], most=support)

    # ------------------------------------------------------------ relic worlds

    def add_relics(self) -> None:
        """Relic worlds come in the order of their deck; each does something when it arrives (FAD-2)."""
        seat = next(
            (
                holder
                for name, (holder, held) in self.held.items()
                if any(c.draws for c in CATALOG.cards[name].face(held.flipped).converters)
            ),
            None,
        )
        if seat is None:
            return
        before: dict[int, int] = {}
        ever: Terms = []
        for turn in self.acting:
            after: dict[int, int] = {}
            for k, name in enumerate(self.state.relics):
                card = CATALOG.cards[name]
                after[k] = self.variable(turn, 1.0)
                arrives = self.programme.variable(most=1.0, whole=False)
                earlier = [(before[k], -1.0)] if k in before else []
                self.programme.bind(
                    [(arrives, 1.0), (after[k], -1.0), *((v, -n) for v, n in earlier)], 0.0, 0.0
                )
                if k:
                    self.programme.bind([(after[k], 1.0), (after[k - 1], -1.0)], most=0.0)
                # A plan for the turn at hand must not lean on a card nobody has seen.
                unseen = self.whole and turn == self.first
                self._arrival(card, turn, arrives, self.made if unseen else self.now)
                if not unseen:
                    self.in_play(seat, card, turn, [(after[k], 1.0)], [])
            ever += self.draws[turn]
            there = [(variable, 1.0) for variable in after.values()]
            self.programme.bind([*there, *((v, -n) for v, n in ever)], most=0.0)
            before = after

    def _arrival(self, card: Card, turn: int, arrives: int, flows: Flow) -> None:
        if card.entry is None:
            return
        self.bring(turn, card.entry.gain, arrives, flows)
        if card.entry.sharing_bonus:
            self.score(arrives, self.state.bonus[turn - 1][0])
        if card.entry.colonies:
            self.drawn[turn].append((arrives, float(card.entry.colonies)))
        if card.entry.rule is not None:
            # A point for every three tokens that others hold, rounded up; here all tokens count.
            tokens = sum((player.stock for player in self.state.players), Goods()).acknowledgement
            self.score(arrives, -(-tokens // 3))


__all__ = ["Tracks"]
