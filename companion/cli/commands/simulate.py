"""The command that plays whole games without people, and the replay of such a game as a session."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from signal import SIGTERM, default_int_handler, signal
from threading import current_thread, main_thread
from time import monotonic
from typing import NamedTuple

from companion.cli.commands.start import closing_lines, parse_options
from companion.cli.shell import catalog
from companion.cli.shell.archives import load_game, open_archive, view_session
from companion.cli.shell.arguments import Words, pairs, parse_between, parse_jobs, parse_positive
from companion.cli.shell.output import InternalError, Interrupted, show, width
from companion.cli.shell.process import PROCESS
from companion.core.errors import Unreadable
from companion.core.game import Game
from companion.core.rollouts import LEVELS
from companion.core.text import clean, plural
from companion.session import game_rows, simulation
from companion.session.controller import random_seed
from companion.session.game_rows import RowFile
from companion.session.game_start import Start, parse_fixed
from companion.session.simulation import OwnPolicy, Series, SimulatedGame, make_series, shard_numbers
from companion.session.state import USUAL, think_budget
from companion.session.tally import PAIR, Tally
from companion.session.worker_pool import cluster, in_order, in_process, processes
from companion.views.banner import session_heading
from companion.views.lines import Line
from companion.views.result import result_data
from companion.views.statistics import SimulationRun, simulation_data, simulation_lines


class SeriesOptions(NamedTuple):
    """The options of the command line that define a series of games."""

    scenario: str
    options: Words
    policies: Words
    think: str
    is_mirrored: bool = False
    base: Words = ()
    fixed: Words = ()
    start: Start | None = None

    def series(self, game: Game, seed: str) -> Series:
        """Return the series of games. Raises Unreadable: there can be no such games."""
        options = parse_options(self.options)
        names, own = _strategies(game, parse_policies(self.policies), parse_policies(self.base, "--base"))
        fixed = parse_fixed(_parse_fixed_words(self.fixed), game)
        think = think_budget(self.think or "0")
        usual = game.players.default_playouts(self.start.options if self.start else options)
        make = partial(
            make_series,
            game,
            self.scenario,
            options,
            names,
            seed,
            is_mirrored=self.is_mirrored,
            own=own,
            fixed=fixed,
            start=self.start,
        )
        series = make(usual if think == USUAL else int(think))
        if not self.think and not LEVELS.keys().isdisjoint(series.policies.values()):  # a level says how far it thinks
            return make(usual)
        return series


def _strategies(game: Game, policies: Mapping[str, str], base: Mapping[str, str]) -> tuple[dict[str, str], dict[str, OwnPolicy]]:
    """Return the policies of the game and the strategies in files, by seat.

    Raises Unreadable: a file cannot be used, or a client of a server names one.
    """
    from companion.api.strategies import is_file, own_policies, with_base

    if not base and not any(map(is_file, policies.values())):
        return dict(policies), {}
    if PROCESS.cache and any(map(is_file, policies.values())):
        raise Unreadable("a client of a server cannot run a file", cure="Run it in a shell")
    names, own = own_policies(game, policies)
    return with_base(game, names, own, base), own


def _parse_fixed_words(words: Words) -> list[tuple[str, str]]:
    """Read `KEY=VALUE` words. Raises Unreadable: a word is not a pair."""
    keyed, others = pairs(words)
    if others:
        raise Unreadable(f"'{clean(others[0])}' is not an answer", cure="Like this: --set KEY=VALUE, or --set SEAT.KEY=VALUE")
    return keyed


def parse_policies(words: Words, option: str = "--policy") -> dict[str, str]:
    """Read `SEAT=POLICY` words; a policy for all seats is under "". Names are checked when the series is made.

    Raises Unreadable: a word names no policy, or a seat is given twice.
    """
    policies: dict[str, str] = {}
    for word in words:
        seat, equals, name = word.partition("=") if "=" in word else ("", "", word)
        if not name or (equals and not seat):
            cure = f"Like this: {option} SEAT=POLICY, or {option} POLICY for all"
            raise Unreadable(f"'{clean(word)}' is not a policy", cure=cure)
        if seat in policies:
            raise Unreadable(f"the policy of '{clean(seat) or 'every seat'}' is given twice", cure="Give it once")
        policies[seat] = name
    return policies


class Workers(NamedTuple):
    """What plays the games: processes of this machine, or the cluster at an address."""

    jobs: int
    address: str


@catalog.SIMULATE
def simulate(
    game: str,
    scenario: str,
    option: Words,
    policy: Words,
    base: Words,
    fixed: Words,
    start: str,
    games: str,
    seed: str,
    jobs: str,
    shard: str,
    cluster: str,
    think: str,
    mirrored: bool,
    out: str,
    db: str,
    json: bool,
) -> int:
    """Play whole games automatically and count the results.

    A game depends only on the seed and its number: any number of processes, parts or machines gives the same rows.
    FILE.py:FUNCTION as a policy runs that file: name only files that you trust. See: companion help strategies

    Example: companion simulate fallujahcards --policy random --games 20 --out games.csv
    """
    loaded, position = _game_and_start(game, start, db)
    count = parse_between(games, "number of games", 1, simulation.MAX_GAMES)
    part = parse_shard(shard)
    workers = _parse_workers(jobs, cluster)
    if shard and not clean(seed):
        raise Unreadable("a shard is a part of the games of one seed", cure="Give every part the same seed: --seed S")
    if mirrored and count % PAIR:
        raise Unreadable(f"{plural(count, 'game')} cannot be paired", cure="Give an even number: --games 20 plays ten pairs")
    series = SeriesOptions(scenario, option, policy, think, mirrored, base, fixed, position).series(
        loaded, clean(seed) or random_seed()
    )
    numbers = shard_numbers(count, part, len(series.variants) or 1)
    run = play_series(loaded, series, numbers, part, workers, out)
    show(json, lambda: simulation_data(run), lambda: simulation_lines(run, width()))
    if run.stopped:
        return Interrupted.exit_code
    has_failed = run.tally.games and not run.tally.completed  # every game that was played
    return InternalError.exit_code if has_failed else 0


def _game_and_start(name: str, start: str, db: str) -> tuple[Game, Start | None]:
    """Return the game, and the position `SESSION[@ENTRY]` that is played on from.

    Raises Unreadable: no game is named, or there is no such session, or it is one of another game.
    """
    if not start:
        if not name:
            raise Unreadable("no game is named", cure="Name one: companion simulate GAME")
        return load_game(name), None
    from companion.session.game_start import start_of

    session_name, at, number = start.rpartition("@")
    if not (at and number.isdecimal()):
        session_name, number = start, "0"
    session = view_session(db, session_name)
    if name and (named := load_game(name)).id != session.game.id:
        cure = f"Leave the game out, or name another session of {named.id}"
        raise Unreadable(f"session {session.info.name} is one of {session.game.id}, not of {named.id}", cure=cure)
    return session.game, start_of(session, int(number))


def parse_shard(text: str) -> tuple[int, int]:
    """Read `3/10`; "" is the whole. Raises Unreadable: it is not a part."""
    if not text:
        return 1, 1
    number, slash, total = text.partition("/")
    if slash and all(part.isdecimal() and len(part) < 6 for part in (number, total)) and 1 <= int(number) <= int(total):
        return int(number), int(total)
    raise Unreadable(f"'{clean(text)}' is not a shard", cure="Give part and parts: --shard 1/10 to --shard 10/10")


def _parse_workers(jobs: str, address: str) -> Workers:
    count = parse_jobs(jobs)
    if address and jobs != "1":
        raise Unreadable("--jobs and --cluster exclude each other", cure="A cluster has as many jobs as it has workers")
    return Workers(count, address)


def play_series(
    game: Game, series: Series, numbers: Sequence[int], part: tuple[int, int], workers: Workers, out: str
) -> SimulationRun:
    """Play the games that the file does not hold yet. Ctrl-C or SIGTERM ends the run; finished games are kept."""
    tally, known = Tally(series), bytearray(max(numbers, default=0) + 1)
    file = game_rows.open_rows(out, series, game_rows.row_columns(game)) if out else None
    try:
        if file:
            tally.add(_known_rows(file, numbers, known))
        kept = tally.games
        stopped = _play_missing(series, _MissingNumbers(numbers, known), workers, tally, file)
    finally:
        if file:
            file.close()
    return SimulationRun(series, tally, len(numbers), part, kept, out, stopped)


class _MissingNumbers:
    """The numbers of the games that a file does not hold; can be iterated repeatedly."""

    def __init__(self, numbers: Sequence[int], known: bytearray) -> None:
        self._numbers = numbers
        self._known = known
        self.all = len(numbers)

    def __iter__(self) -> Iterator[int]:
        return (number for number in self._numbers if not self._known[number])


def _known_rows(file: RowFile, numbers: Sequence[int], known: bytearray) -> Iterator[SimulatedGame]:
    """The wanted rows of a file, each once; they are marked in `known`."""
    wanted = numbers if isinstance(numbers, range) else frozenset(numbers)
    for row in file.rows():
        if row.number in wanted and not known[row.number]:
            known[row.number] = 1
            yield row


def _play_missing(series: Series, missing: _MissingNumbers, workers: Workers, tally: Tally, file: RowFile | None) -> bool:
    """Play, count and write; return True if the run was interrupted."""
    try:
        with _sigterm_as_interrupt(), _progress(missing.all, tally) as update:
            for rows in in_order(_batches(series, missing, workers), missing):
                tally.add(rows)
                if file:
                    file.add(rows)
                update()
    except KeyboardInterrupt:
        return True
    return False


def _batches(series: Series, missing: _MissingNumbers, workers: Workers) -> Iterator[Sequence[SimulatedGame]]:
    if workers.address:
        return cluster(series, missing, workers.address)
    return processes(series, missing, workers.jobs) if workers.jobs > 1 else in_process(series, missing)


@contextmanager
def _sigterm_as_interrupt() -> Iterator[None]:
    """Treat SIGTERM, as `timeout` and a shutdown send it, like Ctrl-C."""
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
    """A progress bar with rate and time left; nothing without a terminal."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich import progress as rich
    from rich.table import Column

    from companion.cli.shell.bar import BAR, console

    rate = rich.TextColumn("{task.fields[rate]}")
    done, left = (kind(table_column=Column(no_wrap=True)) for kind in (rich.MofNCompleteColumn, rich.TimeRemainingColumn))
    columns = (rich.BarColumn(), done, rate, left)  # on a narrow screen only the bar gets shorter
    with BAR.paused(), rich.Progress(*columns, console=console(), transient=True) as bar:
        task, before, begun = bar.add_task("", total=games, completed=tally.games, rate=""), tally.games, monotonic()

        def update() -> None:
            per_second = (tally.games - before) / max(monotonic() - begun, 0.001)
            bar.update(task, completed=tally.games, rate=f"{per_second:,.1f} a second")

        yield update


def refuse_with_replay(given: Mapping[str, object]) -> None:
    """Raise Unreadable if options are given that a simulated game has already."""
    for word, value in given.items():
        if value:
            raise Unreadable(f"a simulated game has its own dice, draws and answers: no {word}", cure="Leave it out")


def replay_game(db: str, game: str, text: str, options: SeriesOptions, name: str, json: bool) -> int:
    """Create a session from the simulated game `GAME/SEED/INDEX`, and show its end; return 0.

    Raises Unreadable: there can be no such game.
    """
    game_id, seed, index = _parse_simulated_game(text)
    loaded = load_game(game_id)
    if game and load_game(game).id != loaded.id:
        raise Unreadable(f"'{clean(text)}' is a game of {loaded.id}", cure=f"companion new --replay {clean(text)}")
    series = options.series(loaded, seed)
    controller, result, fault = simulation.replay_as_session(open_archive(db), series, index, name)
    notes = [f"Here the game failed: {fault}"] if fault else []
    result = result._replace(notes=tuple(notes))
    show(
        json,
        lambda: result_data(controller, result),
        lambda: [
            session_heading(controller.info.name, controller.game, controller.options.get("scenario", "")),
            Line(f"{plural(result.entry, 'action')}: {series.description}; seed {series.seed}, game {index}", "dim"),
            *(Line(note, "warning", "", "! ") for note in notes),
            *closing_lines(controller, result),
        ],
    )
    return 0


def _parse_simulated_game(text: str) -> tuple[str, str, int]:
    """Read `GAME/SEED/INDEX`; the seed may contain slashes. Raises Unreadable: it has another form."""
    game, _, rest = text.partition("/")
    seed, slash, index = rest.rpartition("/")
    if not (game and slash and seed):
        raise Unreadable(f"'{clean(text)}' is not a simulated game", cure="Like this: --replay GAME/SEED/INDEX")
    return game, seed, parse_positive(index, "number of a game")
