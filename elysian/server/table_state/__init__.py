"""Table state: who sits where and what was agreed; pure, like the game."""
