"""Computer players: `levels` names them, `base` says what a player is.

`random` plays legal moves by lot, `fair` swaps what is even by the reference card, `trader` plans, bargains
and keeps its word; its levels are the bots a table offers. `language_model` asks a model at some endpoint.
"""

from elysian.players.base import Listener, NotAnAction, Player, chosen
from elysian.text.heard import Heard

__all__ = ["Heard", "Listener", "NotAnAction", "Player", "chosen"]
