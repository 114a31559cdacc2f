"""Events: what happened, in game words; the log of a game is a list of these."""

from __future__ import annotations

from msgspec import Struct

from elysian.actions import snake
from elysian.deals import CardId, Deal, Obligation, Owing, Seat, Track
from elysian.event_parts import Bonus, Entered, Licensed, Moved, Paid, Refreshed, Returned, Standing, Start
from elysian.goods import NOTHING, Goods
from elysian.state import Bid, Bidder, FinalScore, Run, Settings, Step


class Event(
    Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True, tag_field="kind", tag=snake
):
    """What happened."""


# ---------------------------------------------------------------- the table


class GameStarted(Event, frozen=True):
    """The game was set up; everything chance decided is in here."""

    settings: Settings
    players: tuple[Start, ...]
    colonies: tuple[CardId, ...]  # deck, top first
    research: tuple[CardId, ...]
    relics: tuple[CardId, ...]
    colony_track: tuple[CardId | None, ...]
    research_track: tuple[CardId | None, ...]
    colony_minimums: tuple[int, ...]
    research_minimums: tuple[int, ...]
    bonus: tuple[tuple[int, int], ...]


class StepBegan(Event, frozen=True):
    """The table went on to a new step of the turn."""

    step: Step


class TurnBegan(Event, frozen=True):
    """A new turn began; all marks of the last one are cleared (ENDT-2)."""

    turn: int


class TimeCalled(Event, frozen=True):
    """The soft timer ran out: a reminder, trading goes on."""


class HandicapChosen(Event, frozen=True):
    """A seat's stock was changed by its handicap cube."""

    by: Seat
    gained: Goods = NOTHING
    lost: Goods = NOTHING


class DoneSaid(Event, frozen=True):
    """A seat has nothing more to do in this step."""

    by: Seat


class DoneTakenBack(Event, frozen=True):
    """A seat goes on trading after all."""

    by: Seat


class Gained(Event, frozen=True):
    """A seat got goods or points from the supply because of a card."""

    seat: Seat
    goods: Goods
    card: CardId
    once: bool = False  # the card gives this only once a turn


# ---------------------------------------------------------------- deals and promises


class DealOffered(Event, frozen=True):
    """An offer lies on the table."""

    deal: Deal


class DealAccepted(Event, frozen=True):
    """One party of an offer has agreed."""

    by: Seat
    deal: str
    as_anyone: bool = False  # took the open place of an offer to anyone


class DealDeclined(Event, frozen=True):
    """A party turned an offer down; it is gone."""

    by: Seat
    deal: str


class DealWithdrawn(Event, frozen=True):
    """The proposer took an offer back."""

    by: Seat
    deal: str


class DealsLapsed(Event, frozen=True):
    """Offers that were open when their time ended are gone."""

    deals: tuple[str, ...]


class DealStruck(Event, frozen=True):
    """The last party agreed; everything in the deal happened at once."""

    by: Seat
    deal: str
    parties: tuple[Seat, ...]
    moved: tuple[Moved, ...] = ()
    licensed: tuple[Licensed, ...] = ()
    obligations: tuple[Obligation, ...] = ()
    notes: tuple[str, ...] = ()
    settled: tuple[str, ...] = ()  # promises this deal replaced
    rebid: tuple[Seat, ...] = ()  # seats that promised about bids and must bid again


class PledgePaid(Event, frozen=True):
    """A promise fell due and what the debtor had of it changed hands."""

    obligation: str
    parties: tuple[Seat, Seat]
    moved: Moved | None = None
    licensed: Licensed | None = None
    left: Owing | None = None  # None: kept in full


class GoodsChosen(Event, frozen=True):
    """Who may choose said with what a promise shall be kept; nobody else hears of it before it is due."""

    by: Seat
    obligation: str
    goods: Goods


class CreditorsWait(Event, frozen=True):
    """Promises fell due and their debtor has too little for all: he chooses whom to serve (TRADE-12)."""

    by: Seat
    obligations: tuple[str, ...]


class CreditorsServed(Event, frozen=True):
    """The debtor has served whom he would; what is left was served in the order of the promises."""

    by: Seat


class ObligationMet(Event, frozen=True):
    """The deed a pledge hung on was done: it is now owed without condition."""

    obligation: str


class ObligationKept(Event, frozen=True):
    """A promise was kept or has run its time."""

    obligation: str


class ObligationReleased(Event, frozen=True):
    """The seat a promise was owed to let it go."""

    by: Seat
    obligation: str


class ObligationLapsed(Event, frozen=True):
    """A promise ended without anybody's fault: its condition never came, or the game is over."""

    obligation: str


class ObligationBroken(Event, frozen=True):
    """A promise was not kept; the debtor lost points to the supply (TRADE-11)."""

    by: Seat
    obligation: str
    points: int


# ---------------------------------------------------------------- the Trade Phase


class GiftGiven(Event, frozen=True):
    """Donation goods were given away by force; not a trade (DON-7)."""

    moved: Moved


class ConverterRun(Event, frozen=True):
    """A violet converter was run."""

    by: Seat
    card: CardId
    converter: int
    paid: Paid
    gain: Goods = NOTHING


class CardDrawn(Event, frozen=True):
    """The top card of a face-down deck entered play."""

    by: Seat
    card: CardId
    bordered: bool = True  # False: a trade of it is for good


class ColoniesDrawn(Event, frozen=True):
    """Colonies from the top of the colony deck came to a seat."""

    by: Seat
    cards: tuple[CardId, ...]


class CardPutIntoPlay(Event, frozen=True):
    """A species card entered play by its own converter."""

    by: Seat
    card: CardId
    paid: Paid
    gain: Goods = NOTHING
    bordered: bool = True


class CardUpgraded(Event, frozen=True):
    """A card was flipped."""

    by: Seat
    card: CardId
    paid: Paid = Paid()
    gain: Goods = NOTHING
    spent: CardId | None = None  # the card that now lies under it


class TechnologyInvented(Event, frozen=True):
    """A research team became a technology."""

    by: Seat
    card: CardId
    paid: Goods
    points: int
    bonus: int = 0  # the sharing bonus, where it is paid at once (B-12)
    technology: str | None = None  # None: era IV
    entered: CardId | None = None  # the inventor's own card, if it was still out of play


# ---------------------------------------------------------------- the Economy Phase


class ColoniesDiscarded(Event, frozen=True):
    """Colonies above a seat's support were given up."""

    by: Seat
    under: tuple[CardId, ...] = ()
    removed: tuple[CardId, ...] = ()


class PlanSaved(Event, frozen=True):
    """A seat noted a plan for itself; nobody else hears of it."""

    by: Seat
    runs: tuple[Run, ...]


class PlanLaid(Event, frozen=True):
    """A seat decided which converters to run; secret until all run together (ECON-12)."""

    by: Seat
    runs: tuple[Run, ...] | None  # None: not yours to see


class ProductionRun(Event, frozen=True):
    """All white converters of a seat ran at once."""

    by: Seat
    runs: tuple[Run, ...]
    paid: Goods = NOTHING
    gain: Goods = NOTHING
    donation: Goods = NOTHING
    tied: Goods = NOTHING


# ---------------------------------------------------------------- the Confluence Phase


class TechnologiesShared(Event, frozen=True):
    """This turn's technologies were shared and paid for."""

    shared: tuple[CardId, ...] = ()  # research cards that went to the middle
    entered: tuple[Entered, ...] = ()
    bonuses: tuple[Bonus, ...] = ()


class BidPlaced(Event, frozen=True):
    """A seat set its ships aside; secret until revealed."""

    by: Seat
    bid: Bid | None  # None: not yours to see


class BidsRevealed(Event, frozen=True):
    """All bids for one track were opened together; `order` says in which order they act, and why."""

    track: Track
    bids: tuple[Bidder, ...]
    order: tuple[Standing, ...] = ()  # empty in records from before it was told


class CardBought(Event, frozen=True):
    """A seat took a card from a track and returned all ships bid."""

    by: Seat
    track: Track
    space: int
    card: CardId
    ships: int
    seedling: bool = False


class BidPassed(Event, frozen=True):
    """A seat took nothing and kept its ships."""

    by: Seat
    track: Track
    ships: int


class BidSplit(Event, frozen=True):
    """A seat split its colony bid in two; both halves wait for their turn (KJAS-2)."""

    by: Seat
    halves: tuple[Bidder, ...]


class TracksRefreshed(Event, frozen=True):
    """Unbought cards moved on and the tracks were filled again (TRACK-1)."""

    colony: Refreshed
    research: Refreshed


class CardsReturned(Event, frozen=True):
    """Lent species cards went home (ENDT-1)."""

    cards: tuple[Returned, ...]


class GameScored(Event, frozen=True):
    """The game is over."""

    scores: tuple[FinalScore, ...]
