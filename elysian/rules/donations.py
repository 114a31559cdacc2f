"""Donation goods: which pile they leave, and the gifts that are forced when trading has closed."""

from elysian.actions import GiveGifts
from elysian.deals import Seat
from elysian.draft import Draft, IllegalAction
from elysian.events import GiftGiven
from elysian.goods import NOTHING, Goods
from elysian.parts import Moved
from elysian.state import PlayerState


def split_donation(player: PlayerState, to: Seat, wanted: Goods) -> tuple[Goods, Goods, Goods]:
    """What of `wanted` leaves the donation card for `to`: the free part, the tied part; and the rest.

    Goods of one run that must stay together go to one player (ZETH-10): first what is already bound to
    the receiver, then free goods, then a run of which nothing has gone yet.
    """
    if not player.to_give_away:
        return NOTHING, NOTHING, wanted
    tied = NOTHING
    if player.tied_to == to:
        tied = player.tied.common(wanted)
        wanted = wanted - tied
    free = player.donation.common(wanted)
    wanted = wanted - free
    if player.tied_to is None and player.tied and wanted:
        tied = player.tied.common(wanted)
        wanted = wanted - tied
    return free, tied, wanted


def give_gifts(now: Draft, seat: Seat, action: GiveGifts) -> None:
    """Donation goods left after trading go to players of the producer's choice, who cannot refuse (DON-6)."""
    if now.state.step != "gifts":
        raise IllegalAction("wrong_step", step=now.state.step)
    if not action.gifts:
        raise IllegalAction("empty_gift")
    for gift in action.gifts:
        if gift.to == seat or gift.to not in now.state.seats():
            raise IllegalAction("bad_receiver")
        if not gift.goods or not gift.goods.is_count():
            raise IllegalAction("empty_gift")
        _give(now, seat, gift.to, gift.goods)


def _give(now: Draft, seat: Seat, to: Seat, goods: Goods) -> None:
    if not goods:
        return
    player = now.state.players[seat]
    free, tied, missing = split_donation(player, to, goods)
    if missing:
        if player.to_give_away.covers(goods):
            raise IllegalAction("must_go_to_one", seat=player.tied_to)
        raise IllegalAction("lacks_donation", seat=seat, goods=missing)
    now.emit(GiftGiven(moved=Moved(giver=seat, to=to, donation=free, tied=tied)))


def give_all_to_next(now: Draft, seat: Seat) -> None:
    """The producer did not choose in time: everything goes to the next player in seat order (DON-8)."""
    player = now.state.players[seat]
    after = (seat + 1) % len(now.state.players)
    if player.tied and player.tied_to is not None and player.tied_to != after:
        _give(now, seat, player.tied_to, player.tied)
        _give(now, seat, after, player.donation)
    else:
        _give(now, seat, after, player.to_give_away)
