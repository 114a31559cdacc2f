"""`python -m elysian` is the command `elysian`."""

from elysian.cli import main

main()
