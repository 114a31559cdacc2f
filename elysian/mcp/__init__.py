"""A seat for any assistant that speaks the Model Context Protocol: in a game here, or at a server's table.

`seat` says what such a seat is, `local` and `remote` are the two kinds, `server` offers its tools. What is
read and how one acts is `elysian.text.seat`, the same as for language models that sit here.
"""
