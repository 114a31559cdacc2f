"""Company: how scripted people fare at a real server with bots, on a clock that skips waiting.

`people` sit down, `games` plays theirs and the bot's in their place, `figures` reads both off the lines that
were stored. `python -m tools.company` plays what is missing of the cells, keeps it and prints everything.
"""
