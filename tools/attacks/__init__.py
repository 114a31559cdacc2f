"""Attacks: what honest people wait, and what the server holds, without and with each attack of a stranger.

`laid` prepares tables and people, `attackers` are the attacks, each in its own process, `honest` measures.
`python -m tools.attacks` runs them one after the other on loopback, bounded by seconds, and prints a table.
"""
