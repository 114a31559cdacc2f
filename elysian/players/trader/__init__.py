"""Trader: the player that plans with the solver, proposes deals, and keeps its word."""
