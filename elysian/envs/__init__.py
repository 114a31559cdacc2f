"""Environments for learning: the game by the interfaces of PettingZoo, made of views and options alone.

`elysian_v0` is the environment. Its parts: `games` is what both of its forms share, `episode` keeps one game
and says who is asked next, `slots` gives every action its place, `offers` thinks of deals to propose,
`encoding` turns a view into numbers, `free_offers` lets a policy word its own deals.
"""
