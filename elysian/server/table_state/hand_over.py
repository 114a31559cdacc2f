"""Hand-over: a seat goes to another person while a game is on: by its holder at once, by others in a while.

Somebody without a seat asks for one. Its holder may give it away at once. The host, or more than half of the
other people, may do so while the holder is not there; then it waits, the holder is told wherever they can be,
and whoever comes back in time keeps the seat. Programs have no vote. A bot's seat waits for nobody.
"""

from __future__ import annotations

from elysian.deals import Seat
from elysian.server.ops.errors import Refused
from elysian.server.table_state import events as e
from elysian.server.table_state.names import clean_name, skeleton
from elysian.server.table_state.state import Lobby, SeatAsk

MOST_ASKS = 40  # of one table, ever: whoever asks without end is not heard
BEGUN = ("drafting", "playing")
SLOW = 24 * 3600 * 1000  # ms a hand-over waits at a table over days, at least

Events = tuple[e.TableEvent, ...]


def ask_seat(lobby: Lobby, person: str, name: str, seat: Seat | None, invitation: str = "") -> Events:
    """Somebody without a seat asks for one; without a number, for that of the same name. Raises Refused."""
    _check_asker(lobby, person, invitation)
    name = clean_name(name)
    alike = [s for s, chair in enumerate(lobby.chairs) if skeleton(chair.name) == skeleton(name)]
    if seat is None:
        if not alike:
            raise Refused("which_seat")
        seat = alike[0]
    if seat >= len(lobby.chairs):
        raise Refused("no_such_seat", status=400)
    if any(other != seat for other in alike):
        raise Refused("name_taken", name=name)
    if any(one.seat == seat or one.person == person for one in lobby.asks):
        raise Refused("seat_asked")
    return (e.SeatAsked(seat=seat, name=name, ask=lobby.asked_ever + 1, person=person),)


def _check_asker(lobby: Lobby, person: str, invitation: str) -> None:
    if lobby.status not in BEGUN:
        raise Refused("not_playing")
    if person in lobby.barred or person in lobby.turned_down:
        raise Refused("barred" if person in lobby.barred else "ask_refused", status=403)
    if not (lobby.options.public or person in lobby.guests or lobby.invites(invitation)):
        raise Refused("not_invited", status=403)
    if lobby.seat_of(person) is not None:
        raise Refused("already_seated")
    if lobby.asked_ever >= MOST_ASKS:
        raise Refused("too_many", status=429)


def hand_over(lobby: Lobby, by: Seat | None, number: int, present: frozenset[Seat], due: int) -> Events:
    """The holder gives the seat away, or another says that it should be given; raises Refused.

    `by` is None for a host who only watches; `due` is when it changes hands, if others decide it now.
    """
    ask = next((one for one in lobby.asks if one.ask == number), None)
    if ask is None:
        raise Refused("no_such_ask")
    if by == ask.seat:
        return handed_over(lobby, ask)
    if ask.seat in present:
        raise Refused("seat_present")
    if ask.due is not None or by in ask.vouched:
        raise Refused("already_vouched")
    vouched = e.SeatVouched(seat=ask.seat, by=by)
    voters = lobby.voters() - {ask.seat}
    is_host = by is None or lobby.chairs[by].person == lobby.host
    if not is_host and 2 * len((ask.vouched | {by}) & voters) <= len(voters):
        return (vouched,)
    if lobby.chairs[ask.seat].person is None:
        return (vouched, *handed_over(lobby, ask))
    return vouched, e.HandOverSet(seat=ask.seat, due=due)


def handed_over(lobby: Lobby, ask: SeatAsk) -> Events:
    """The seat changes hands; with it the table, if it was the host's."""
    chair = lobby.chairs[ask.seat]
    over = e.SeatHandedOver(seat=ask.seat, name=ask.name, was=chair.name, person=ask.person)
    if chair.person and chair.person == lobby.host:
        return over, e.HostChanged(seat=ask.seat, person=ask.person)
    return (over,)


def refuse_seat(lobby: Lobby, by: Seat | None, number: int) -> Events:
    """The holder or the host says no; whoever asked is not asked for again. Raises Refused."""
    ask = next((one for one in lobby.asks if one.ask == number), None)
    if ask is None:
        raise Refused("no_such_ask")
    if by is not None and by != ask.seat and lobby.chairs[by].person != lobby.host:
        raise Refused("host_only", status=403)
    return (e.SeatAskEnded(seat=ask.seat, refused=True),)


def come_back(lobby: Lobby, seat: Seat | None) -> Events:
    """The holder is there: what others had decided about the seat is off."""
    if any(one.seat == seat and one.due is not None for one in lobby.asks):
        assert seat is not None
        return (e.SeatAskEnded(seat=seat),)
    return ()


def due_hand_overs(lobby: Lobby, present: frozenset[Seat], at: int) -> Events:
    """Seats whose time has come change hands; those whose holder is there do not."""
    events: Events = ()
    for ask in lobby.asks if lobby.status in BEGUN else ():
        if ask.due is not None and ask.due <= at:
            events += (e.SeatAskEnded(seat=ask.seat),) if ask.seat in present else handed_over(lobby, ask)
    return events
