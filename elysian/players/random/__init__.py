"""Random: the player that makes random legal moves, deals and promises included."""
