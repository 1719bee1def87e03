"""The command that plays whole games without people."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from signal import SIGTERM, default_int_handler, signal
from threading import current_thread, main_thread
from time import monotonic
from typing import Annotated, NamedTuple

import typer

from companion.cli.commands.options import GameName, Json, Policies, Scenario
from companion.cli.commands.simulated import Told
from companion.cli.shell.archives import load_game
from companion.cli.shell.arguments import between
from companion.cli.shell.output import show, width
from companion.core.errors import Unreadable
from companion.core.game import Game
from companion.core.text import clean
from companion.session.controller import random_seed
from companion.session.row_files import RowFile, open_rows
from companion.session.simulation import MAX_GAMES, Series, SimulatedGame, Tally, row_columns, shard_numbers
from companion.session.worker_pool import MAX_JOBS, cluster, cores, in_order, in_process, processes
from companion.views.statistics import SimulationRun, simulation_data, simulation_lines

FAILED = 70
"""What the command leaves with where every game has failed."""
STOPPED = 130


class Way(NamedTuple):
    """Who plays: so many processes of this machine, or the cluster at an address."""

    jobs: int
    address: str


def simulate(
    game: GameName,
    scenario: Scenario = "",
    option: Annotated[list[str] | None, typer.Option("--option", metavar="K=V", help="May be repeated.")] = None,
    policy: Policies = None,
    games: Annotated[str, typer.Option("--games", metavar="N", help="How many games.")] = "100",
    seed: Annotated[str, typer.Option("--seed", metavar="S", help="The same seed, the same games; by chance without it.")] = "",
    jobs: Annotated[str, typer.Option("--jobs", metavar="N|all", help="Processes; all: one a core.")] = "1",
    shard: Annotated[
        str, typer.Option("--shard", metavar="3/10", help="Only the third of ten parts of the games of --seed S.")
    ] = "",
    cluster: Annotated[
        str, typer.Option("--cluster", metavar="tcp://HOST:PORT", help="The workers of a dask.distributed scheduler.")
    ] = "",
    think: Annotated[
        str,
        typer.Option(
            "--think", metavar="N", help="Playouts a candidate; 0, as without it: by priorities alone; usual: as in a session."
        ),
    ] = "",
    out: Annotated[
        str,
        typer.Option("--out", metavar="FILE.csv|FILE.db", help="A row a game; what a run that was cut off left out is added."),
    ] = "",
    json: Json = False,
) -> None:
    """Play whole games without people, and count how they end.

    A game depends on the seed and its number alone: however many processes, parts or machines play, the rows are the same.

    Example: companion simulate GAME --policy SEAT=random --games 1000 --jobs all --out games.csv
    """
    loaded = load_game(game)
    wanted = between(games, "number of games", 1, MAX_GAMES)
    part = shard_of(shard)
    way = _way(jobs, cluster)
    if shard and not clean(seed):
        raise Unreadable("a shard is a part of the games of one seed", cure="Give every part the same seed: --seed S")
    series = Told(scenario, option or [], policy or [], think).series(loaded, clean(seed) or random_seed())
    run = play(loaded, series, shard_numbers(wanted, part), part, way, out)
    show(json, lambda: simulation_data(run), lambda: simulation_lines(run, width()))
    raise typer.Exit(STOPPED if run.stopped else FAILED if run.tally.games and not run.tally.completed else 0)


def shard_of(text: str) -> tuple[int, int]:
    """``3/10``; all of it for "". Raises Unreadable: it is no part."""
    if not text:
        return 1, 1
    number, slash, of = text.partition("/")
    if slash and all(part.isdecimal() and len(part) < 6 for part in (number, of)) and 1 <= int(number) <= int(of):
        return int(number), int(of)
    raise Unreadable(f"'{clean(text)}' is not a shard", cure="Give part and parts: --shard 1/10 to --shard 10/10")


def _way(jobs: str, address: str) -> Way:
    many = cores() if jobs == "all" else between(jobs, "number of jobs (or: all)", 1, MAX_JOBS)
    if address and jobs != "1":
        raise Unreadable("--jobs and --cluster exclude each other", cure="A cluster has as many jobs as it has workers")
    return Way(many, address)


def play(game: Game, series: Series, numbers: range, part: tuple[int, int], way: Way, out: str) -> SimulationRun:
    """Play what a file does not hold yet; Ctrl-C ends it, or whoever else asks for that, and what is done stays."""
    tally, known = Tally(), bytearray(numbers.stop)
    file = open_rows(out, series, row_columns(game)) if out else None
    try:
        if file:
            tally.add(_standing(file, numbers, known))
        kept = tally.games
        stopped = _played(series, _Missing(numbers, known), way, tally, file)
    finally:
        if file:
            file.close()
    return SimulationRun(series, tally, len(numbers), part, kept, out, stopped)


class _Missing:
    """The numbers that a file does not hold, as often as they are asked for."""

    def __init__(self, numbers: range, known: bytearray) -> None:
        self._numbers = numbers
        self._known = known
        self.all = len(numbers)

    def __iter__(self) -> Iterator[int]:
        return (number for number in self._numbers if not self._known[number])


def _standing(file: RowFile, numbers: range, known: bytearray) -> Iterator[SimulatedGame]:
    """The rows of a file that are asked for, each once; they are marked in ``known``."""
    for row in file.rows():
        if row.number in numbers and not known[row.number]:
            known[row.number] = 1
            yield row


def _played(series: Series, missing: _Missing, way: Way, tally: Tally, file: RowFile | None) -> bool:
    """Play, count and write; whether Ctrl-C ended it."""
    try:
        with _ended_kindly(), _progress(missing.all, tally) as told:
            for rows in in_order(_chunks(series, missing, way), missing):
                tally.add(rows)
                if file:
                    file.add(rows)
                told()
    except KeyboardInterrupt:
        return True
    return False


def _chunks(series: Series, missing: _Missing, way: Way) -> Iterator[Sequence[SimulatedGame]]:
    if way.address:
        return cluster(series, missing, way.address)
    return processes(series, missing, way.jobs) if way.jobs > 1 else in_process(series, missing)


@contextmanager
def _ended_kindly() -> Iterator[None]:
    """Who asks the program to end, as ``timeout`` and a machine that goes down do, ends it as Ctrl-C does."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal(SIGTERM, default_int_handler)
    try:
        yield
    finally:
        signal(SIGTERM, before)


@contextmanager
def _progress(games: int, tally: Tally) -> Iterator[Callable[[], None]]:
    """A bar with rate and time left for whoever watches; nothing in a pipe."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich import progress as rich
    from rich.table import Column

    from companion.cli.shell.progress import console

    rate = rich.TextColumn("{task.fields[rate]}")
    many, left = (kind(table_column=Column(no_wrap=True)) for kind in (rich.MofNCompleteColumn, rich.TimeRemainingColumn))
    columns = (rich.BarColumn(), many, rate, left)  # on a narrow screen the bar gets shorter, and no number
    with rich.Progress(*columns, console=console(), transient=True) as bar:
        task, before, begun = bar.add_task("", total=games, completed=tally.games, rate=""), tally.games, monotonic()

        def told() -> None:
            each = (tally.games - before) / max(monotonic() - begun, 0.001)
            bar.update(task, completed=tally.games, rate=f"{each:,.1f} a second")

        yield told
