"""The command `elysian`, also as `python -m elysian`: it says what there is before anything is loaded."""

import os
import sys

COMMANDS = {
    "play": "Play a whole game in the terminal against random seats or bots.",
    "web": "Open the web table in the browser.",
    "simulate": "Let bots, or random legal seats, play whole games.",
    "tournament": "Let levels of bots play against each other.",
    "benchmark": "Measure a player by a fixed protocol.",
    "bound": "Say what a central player reaches on the same decks.",
    "tune": "Learn the prices of the bots by letting them play.",
    "replay": "Read a recorded game back.",
    "cards": "Print cards as the table prints them.",
    "serve": "Keep tables for people and bots, as a server.",
    "mcp": "Give an assistant a seat, over the Model Context Protocol.",
    "backup": "Write everything a database holds to a file.",
    "restore": "Read a backup into an empty database.",
    "export": "Write the record of every finished game.",
}

HELP = """\
Usage: elysian COMMAND [ARGUMENTS]...

  An unofficial implementation of the board game Sidereal Confluence.

Options:
  --version  Print the version.
  --help     Print this page; after a command, what it takes.

Commands:
"""


def main() -> None:
    """Print the page of help, or leave the rest to the command line proper, which takes longer to load."""
    if sys.argv[1:] not in ([], ["--help"]):
        from elysian.cli import main as run

        run()
        return
    try:
        lines = (f"  {name:<10} {sentence}" for name, sentence in COMMANDS.items())
        print(HELP + "\n".join(lines), flush=True)
    except BrokenPipeError:
        # Whoever reads has read enough; Python, which flushes once more when it ends, is not to say so.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(0 if sys.argv[1:] else 2)  # no command is a mistake, as everywhere


if __name__ == "__main__":
    main()
