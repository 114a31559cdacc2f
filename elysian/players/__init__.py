"""Computer players: `levels` names them, `base` says what a player is.

`random` plays legal moves by lot, `fair` swaps what is even by the reference card, `trader` plans, bargains
and keeps its word; its levels are the bots a table offers.
"""

from elysian.players.base import Player

__all__ = ["Player"]
