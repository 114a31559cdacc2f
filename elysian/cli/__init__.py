"""The command `elysian`: one module per command, called from here; bad input ends with a sentence."""

import os
import re
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from elysian.__main__ import COMMANDS
from elysian.cli import mcp, serve, web

# What bad input raises carries a sentence. Anything else is a mistake of ours and keeps its traceback.
BAD_INPUT = (ValueError, LookupError, OSError)
MISTAKES = (KeyError, IndexError)  # themselves, not what is derived from them

app = typer.Typer(
    name="elysian",
    help="An unofficial implementation of the board game Sidereal Confluence.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

SpeciesOption = Annotated[
    str | None, typer.Option(help="Species by name, in seat order, separated by commas. [default: drawn]")
]
Players = Annotated[int | None, typer.Option(help="How many seats, 4 to 9. [default: as many as species]")]
EditionOption = Annotated[str, typer.Option(help="The rules to play by: 2017, 2020 or de2021.")]
Seed = Annotated[int | None, typer.Option(help="Same seed, same game. [default: drawn]")]
BotsOption = Annotated[
    str | None,
    typer.Option(
        help="Levels, installed players, package.module:Class, llm:MODEL@URL; dealt round. [default: random]"
    ),
]
Jobs = Annotated[int, typer.Option(min=1, help="Processes that work at the same time.")]
Cluster = Annotated[
    str | None, typer.Option(help="Work on the Ray cluster at this address; `local` starts one here.")
]
Out = Annotated[
    Path | None, typer.Option(help="A folder for results; a run broken off goes on there where it stopped.")
]
ProgressOption = Annotated[
    bool, typer.Option("--progress", help="Tell how far it is also where the errors go to no terminal.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def main() -> None:
    """Run the command line; bad input ends with a sentence on the error stream and exit code 2."""
    try:
        app()
    except BAD_INPUT as problem:
        if type(problem) in MISTAKES:
            raise
        _refuse(_sentence(problem))
    except ModuleNotFoundError as missing:
        extra = _extra_with(missing.name or "")
        if extra is None:
            raise
        _refuse(f'This needs {missing.name}, which is not installed: pip install "elysian[{extra}]"')


def _refuse(sentence: str) -> NoReturn:
    print(f"elysian: {sentence}", file=sys.stderr)
    sys.exit(2)


def _extra_with(module: str) -> str | None:
    """The extra of this package that brings a module; None when it is none of ours."""
    from importlib.metadata import requires

    for line in requires("elysian") or ():
        wanted = re.match(r"""([\w-]+).*extra == ["']([\w-]+)["']""", line)
        if wanted is not None and wanted[1] == module.partition(".")[0]:
            return wanted[2]
    return None


def _sentence(problem: Exception) -> str:
    """What an exception says to a person."""
    if isinstance(problem, OSError) and problem.filename is not None:
        return f"{problem.filename}: {problem.strerror}"
    # The text of a KeyError is the repr of its sentence.
    return str(problem.args[0]) if isinstance(problem, KeyError) and problem.args else str(problem)


def _print_version(wanted: bool) -> None:
    """Print the version and stop, if that is wanted."""
    if wanted:
        from importlib.metadata import version

        typer.echo(f"elysian {version('elysian')}")
        raise typer.Exit


@app.callback()
def _elysian(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True),
    ] = False,
) -> None:
    pass


# The commands import what they need only when they are called, so that `elysian --help` is quick.


@app.command("play")
def _play(
    game: Annotated[
        Path | None, typer.Argument(help="A game you left, to go on with. [default: a new one]")
    ] = None,
    species: SpeciesOption = None,
    players: Players = None,
    seed: Seed = None,
    edition: Annotated[
        str | None, typer.Option(help="The rules to play by: 2017, 2020 or de2021. [default: 2020]")
    ] = None,
    bots: BotsOption = None,
    language: Annotated[str | None, typer.Option(help="en or de. [default: as LANG says]")] = None,
) -> None:
    """Play a whole game in the terminal against random seats or bots; yours is the first."""
    from elysian.cli.terminal import go_on, language_of, run

    language = language or language_of(os.environ)
    if game is None:
        run(
            species=_names(species),
            players=players,
            seed=seed,
            edition=edition or "2020",
            bots=_names(bots),
            language=language,
        )
    elif (species, players, seed, edition) != (None, None, None, None):
        raise ValueError("A stored game brings its own table: name the file and at most a language.")
    else:
        go_on(game, language, _names(bots))


@app.command("simulate")
def _simulate(
    players: Players = None,
    species: SpeciesOption = None,
    edition: EditionOption = "2020",
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 1,
    seed: Annotated[int, typer.Option(help="Same seed, same games.")] = 0,
    bots: BotsOption = None,
    jobs: Jobs = 1,
    cluster: Cluster = None,
    out: Out = None,
    records: Annotated[Path | None, typer.Option(help="A folder for the records of the games.")] = None,
    progress: ProgressOption = False,
    json: Json = False,
) -> None:
    """Let bots, or random legal seats, play whole games and print their scores."""
    from elysian.cli.simulate import run
    from elysian.sim.shards import Where

    run(
        players=players,
        species=_names(species),
        edition=edition,
        games=games,
        seed=seed,
        json=json,
        bots=_names(bots),
        where=Where(jobs=jobs, cluster=cluster, folder=out, records=records),
        progress=progress,
    )


@app.command("tournament")
def _tournament(
    levels: Annotated[
        str | None, typer.Argument(help="Two levels or players of others, or more, separated by commas.")
    ] = None,
    bots: Annotated[str | None, typer.Option(help="More: package.module:Class, llm:MODEL@URL.")] = None,
    players: Players = None,
    species: SpeciesOption = None,
    edition: EditionOption = "2020",
    decks: Annotated[int, typer.Option(min=1, help="Each is played once for every level.")] = 4,
    seed: Annotated[int, typer.Option(help="Same seed, same tournament.")] = 0,
    jobs: Jobs = 1,
    cluster: Cluster = None,
    out: Out = None,
    records: Annotated[Path | None, typer.Option(help="A folder for the records of the games.")] = None,
    picture: Annotated[Path | None, typer.Option(help="Draw the ratings into this SVG file.")] = None,
    progress: ProgressOption = False,
    json: Json = False,
) -> None:
    """Let levels play against each other, every one of them once on every seat."""
    from elysian.cli.tournament import run
    from elysian.sim.shards import Where

    run(
        levels=(*_names(levels), *_names(bots)),
        players=players,
        species=_names(species),
        edition=edition,
        decks=decks,
        seed=seed,
        json=json,
        drawing=picture,
        where=Where(jobs=jobs, cluster=cluster, folder=out, records=records),
        progress=progress,
    )


@app.command("benchmark")
def _benchmark(
    player: Annotated[
        str | None, typer.Option(help="A level, an installed player or package.module:Class.")
    ] = None,
    protocol: Annotated[str, typer.Option(help="full, small or trial.")] = "full",
    check: Annotated[
        Path | None, typer.Option(help="Instead: check a file of results against its records.")
    ] = None,
    opponents: Annotated[
        bool, typer.Option("--opponents", help="With --check: let the opponents choose anew too.")
    ] = False,
    file: Annotated[
        Path | None, typer.Option(help="Where the results go. [default: named after protocol and player]")
    ] = None,
    jobs: Jobs = 1,
    cluster: Cluster = None,
    out: Out = None,
    json: Json = False,
) -> None:
    """Measure a player by a fixed protocol, or check the results of another."""
    from elysian.cli.benchmark import run, run_check
    from elysian.sim.shards import Where

    if (player is None) == (check is None):
        raise ValueError("Name a player by --player, or a file of results by --check.")
    if check is not None:
        run_check(check, opponents=opponents, json=json)
    elif opponents:
        raise ValueError("--opponents goes with --check.")
    elif player is not None:
        where = Where(jobs=jobs, cluster=cluster, folder=out)
        run(player=player, protocol=protocol, file=file, json=json, where=where)


@app.command("bound")
def _bound(
    files: Annotated[
        list[Path] | None, typer.Argument(help="Recorded games that are over, or folders of them.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Instead: the games `simulate` plays with it.")] = None,
    players: Players = None,
    species: SpeciesOption = None,
    edition: EditionOption = "2020",
    games: Annotated[
        int | None, typer.Option(min=1, help="How many games of the seed [default: 1], or of each folder.")
    ] = None,
    only_bound: Annotated[
        bool, typer.Option("--only-bound", help="No central play: quick, and good for nothing but a limit.")
    ] = False,
    work: Annotated[int, typer.Option(min=1, help="How hard the central player thinks about a plan.")] = 50,
    jobs: Jobs = 1,
    cluster: Cluster = None,
    out: Out = None,
    records: Annotated[Path | None, typer.Option(help="A folder for the central player's games.")] = None,
    json: Json = False,
) -> None:
    """Say what a central player with everybody's goods reaches on the same decks."""
    from elysian.cli.bound import run
    from elysian.sim.shards import Where

    run(
        files=files or [],
        players=players,
        species=_names(species),
        edition=edition,
        games=games,
        seed=seed,
        central=not only_bound,
        work=work,
        json=json,
        where=Where(jobs=jobs, cluster=cluster, folder=out, records=records),
    )


@app.command("tune")
def _tune(
    out: Annotated[Path, typer.Argument(help="A folder for the new prices, the log and the games.")],
    level: Annotated[str, typer.Option(help="The level whose tables are played.")] = "standard",
    players: Players = None,
    edition: EditionOption = "2020",
    steps: Annotated[int, typer.Option(min=1, help="How often the prices are moved.")] = 4,
    decks: Annotated[int, typer.Option(min=1, help="Decks for each step; each is played twice.")] = 2,
    judging: Annotated[int, typer.Option(min=1, help="Decks to judge the result on.")] = 4,
    seed: Annotated[int, typer.Option(help="Same seed, same search.")] = 0,
    start: Annotated[Path | None, typer.Option(help="Prices to begin with. [default: our own]")] = None,
    jobs: Jobs = 1,
    cluster: Cluster = None,
) -> None:
    """Learn the prices of the bots by letting them play; broken off, it goes on where it stopped."""
    from elysian.cli.tune import run
    from elysian.sim.shards import Where
    from elysian.sim.tuning import Tuner

    run(
        tuner=Tuner(level=level, steps=steps, decks=decks, judging=judging, seed=seed),
        players=players,
        edition=edition,
        start=start,
        where=Where(jobs=jobs, cluster=cluster, folder=out),
    )


@app.command("replay")
def _replay(
    file: Annotated[Path, typer.Argument(help="A recorded game, one JSON line per action.")],
    check: Annotated[
        bool, typer.Option("--check", help="Decide every action again; report differences.")
    ] = False,
    tell: Annotated[bool, typer.Option("--tell", help="Tell what happened, line by line.")] = False,
) -> None:
    """Read a recorded game back."""
    from elysian.cli.replay import run

    run(file, check, tell)


@app.command("cards")
def _cards(
    name: Annotated[str | None, typer.Argument(help="A card, or part of its name. [default: all]")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the whole catalog as JSON.")] = False,
) -> None:
    """Print cards as the table prints them."""
    from elysian.text.cards import show

    typer.echo(show(name, json))


web.add_to(app)
serve.add_to(app)
mcp.add_to(app)

for command in app.registered_commands:
    command.short_help = COMMANDS[str(command.name)]


def _names(species: str | None) -> tuple[str, ...]:
    """The names in a comma-separated list."""
    return tuple(name.strip() for name in (species or "").split(",") if name.strip())
