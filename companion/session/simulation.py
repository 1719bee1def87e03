"""Games without people: a series, its games, each a function of the series and its number alone, and their file."""

from __future__ import annotations

import csv
import gc
import io
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import lru_cache
from shutil import copymode
from time import monotonic, process_time
from typing import Any, BinaryIO, NamedTuple

from companion import __version__
from companion.core import limits
from companion.core.errors import BadData, CompanionError, Unreadable
from companion.core.game import Game
from companion.core.match import Match, PlayedAction
from companion.core.policies import DecisionContext, Policy, RandomStream
from companion.core.position import Position
from companion.core.text import clean, pick_name, plural
from companion.session.advance import Result
from companion.session.controller import SessionController
from companion.session.database import check_side_files
from companion.session.entry import RunningEntry
from companion.session.facts import practice_facts
from companion.session.files import replacing, sync_file, sync_folder_of
from companion.session.state import LogBatch, SessionLog, fill_options, load_game, resolve_ids
from companion.session.store import Archive, Session

MAX_GAMES = limits.GAMES

ERROR, UNFINISHED = "error", "unfinished"
"""The results of a game that failed, and of one that was stopped short of its end."""

_MAX_FAULT = 200
"""Characters kept of an error."""


class Series(NamedTuple):
    """The games of one set-up, policies and seed.

    Attributes:
        options: Every option with its choice; the scenario under ``scenario``.
        policies: The policy of each seat.
        seed: Seed of all games; each adds its number.
        think: Rollouts per candidate; 0 for none.
        given: The options that were asked for; the others follow from the game and the policies.
        description: Everything but the seed, with the version of Companion, in one line.
        variants: Series that are played one after the other on the same luck; () for this one alone. Games 1 to the number of
            variants have the luck of game 1, and so on.
    """

    game: str
    options: Mapping[str, str]
    policies: Mapping[str, str]
    seed: str
    think: int = 0
    given: tuple[tuple[str, str], ...] = ()
    description: str = ""
    version: str = __version__
    variants: tuple[Series, ...] = ()

    def variant(self, number: int) -> tuple[Series, int]:
        """Return the series that a game is played by, and the number of its luck."""
        if not self.variants:
            return self, number
        luck, index = divmod(number - 1, len(self.variants))
        return self.variants[index], luck + 1


class PolicyTime(NamedTuple):
    """Processor seconds and decisions of a policy in a seat; the seconds include the rules' work before each decision."""

    seat: str
    policy: str
    seconds: float
    decisions: int


class SimulatedGame(NamedTuple):
    """The result of one game.

    Attributes:
        result: As in ``Players.outcome``; ``error`` or ``unfinished``.
        score: In VP; None if the game failed.
        turns: The turn in which it ended.
        decisions: The number of replies by policies or chance.
        seconds: Processor time; this and `times` alone differ between runs.
        tracks: The game's tracks at the end.
        refused: The number of answers of policies that the rules refused; not kept in files.
        times: The time that each seat took; not kept in files.
    """

    number: int
    result: str
    score: float | None
    turns: int
    decisions: int
    seconds: float
    tracks: tuple[int, ...] = ()
    error: str = ""
    refused: int = 0
    times: tuple[PolicyTime, ...] = ()


class TimedPolicy:
    """A policy with a clock: processor seconds since the last decision of any seat, and decisions."""

    def __init__(self, policy: Policy, seat: str, name: str, clock: list[float]) -> None:
        self._policy = policy
        self._seat, self._name = seat, name
        self._clock = clock
        self.seconds, self.decisions = 0.0, 0
        self.counts_refusals = policy.counts_refusals and type(policy) is not Policy

    def __getattr__(self, name: str) -> Any:
        return getattr(self._policy, name)

    def act(self, context: DecisionContext) -> Any:
        action = self._policy.act(context)
        self._stop()
        return action

    def reply(self, context: DecisionContext) -> Any:
        answer = self._policy.reply(context)
        self._stop()
        return answer

    def _stop(self) -> None:
        # an opponent may decide inside the rules before its policy is asked, so that time is the seat's too
        now = process_time()
        self.seconds += now - self._clock[0]
        self.decisions += 1
        self._clock[0] = now

    @property
    def time(self) -> PolicyTime:
        return PolicyTime(self._seat, self._name, self.seconds, self.decisions)


@lru_cache(maxsize=4)
def _load_with_facts(game_id: str) -> tuple[Game, Mapping[str, str]]:
    """Return a game with the facts of its made-up set."""
    game = load_game(game_id)
    return game, practice_facts(game)


def make_series(
    game: Game,
    scenario: str,
    given: Mapping[str, str],
    policies: Mapping[str, str],
    seed: str,
    think: int = 0,
    *,
    is_mirrored: bool = False,
) -> Series:
    """Return a series with all defaults filled in: those that the game's players use for practice.

    Args:
        scenario, given: The scenario and options, by unique prefix.
        policies: By seat, both by unique prefix; under "" for every other seat.
        is_mirrored: Play every game again on the same luck with the policies of the two seats swapped.

    Raises:
        Unreadable: There is no such scenario, option, seat or policy, an option contradicts a policy, the seed is too long, or
            a game without two seats is mirrored.
    """
    if is_mirrored:
        straight = make_series(game, scenario, given, policies, seed, think)
        if len(straight.policies) != 2:
            raise Unreadable(f"{game.title} has no two sides to swap", cure="Leave out --mirrored")
        swapped = dict(zip(straight.policies, [*straight.policies.values()][::-1], strict=True))
        return mirrored_series(straight, make_series(game, scenario, given, swapped, seed, think))
    players = game.players
    chosen_policies = _policies(game, policies)
    defaults = dict(players.practice_options())
    scenario = scenario or defaults.get("scenario", "")
    defaults.pop("scenario", None)
    defaults |= players.options_for_policies(chosen_policies)
    chosen_options = resolve_ids(given, list(game.options), "option")
    options = fill_options(game, scenario, {**defaults, **chosen_options})
    by_policy = fill_options(game, scenario, defaults)
    for seat, policy in chosen_policies.items():
        if options.get(seat) != by_policy.get(seat):
            what = f"the policy of '{seat}' is {policy}, and the option {seat}={options[seat]} contradicts it"
            raise Unreadable(what, cure=f"Give only the policy: --policy {seat}=POLICY")
    seed = limits.limit_length(clean(seed), limits.SEED, "seed")
    series = Series(game.id, options, chosen_policies, seed, think, tuple(chosen_options.items()))
    return series._replace(description=_describe(game, series))


def mirrored_series(straight: Series, *others: Series) -> Series:
    """Return the series that plays several on the same luck."""
    return straight._replace(description=f"mirrored: {straight.description}", variants=(straight, *others))


def _policies(game: Game, given: Mapping[str, str]) -> dict[str, str]:
    """Return the policy of each seat: as given, else the default."""
    players = game.players
    named = resolve_ids({seat: name for seat, name in given.items() if seat}, players.seats, "seat")
    chosen = {}
    for seat in players.seats:
        names = list(players.policies(seat))
        name = named.get(seat, given.get("", ""))
        chosen[seat] = pick_name(name, names, f"policy of '{seat}'") if name else names[0]
    return chosen


def _describe(game: Game, series: Series) -> str:
    defaults = game.default_options()
    options = [f"{key}={value}" for key, value in series.options.items() if key != "scenario" and value != defaults[key]]
    seats = [f"{seat}: {name}" for seat, name in series.policies.items()]
    think = [f"think {series.think}"] if series.think else []
    return "; ".join([f"{game.id} {series.options['scenario']}", *seats, *options, *think, f"Companion {series.version}"])


def make_match(series: Series, number: int, keep: bool = False, own: Mapping[str, Policy] | None = None) -> Match:
    """Return a game of the series, not yet begun.

    Args:
        keep: Keep its actions and replies too.
        own: Policies that replace those of the series, by seat.
    """
    game, facts = _load_with_facts(series.game)
    players, clock = game.players, [process_time()]
    seats: dict[str, Any] = {}
    for seat, name in series.policies.items():
        policy = own[seat] if own and seat in own else players.policy(seat, name)
        seats[seat] = TimedPolicy(policy, seat, name, clock)
    think = dict.fromkeys(players.seats, series.think)
    return Match(game, series.options, seats, RandomStream(f"{series.seed}/{number}"), facts, think=think, keep=keep)


def play_game(series: Series, number: int, own: Mapping[str, Policy] | None = None) -> SimulatedGame:
    """Play one game of the series. An error becomes its result, so that the series goes on."""
    begun = process_time()
    played, luck = series.variant(number)
    try:
        match = make_match(played, luck, own=own)
    except Exception as fault:
        return SimulatedGame(number, ERROR, None, 0, 0, process_time() - begun, (), describe_fault(fault))
    row = _result_row(match, number, play_out(match))
    times = tuple(policy.time for policy in match.seats.values() if isinstance(policy, TimedPolicy))
    return row._replace(seconds=round(process_time() - begun, 6), times=times)


def play_out(match: Match) -> str:
    """Play a game to its end; return its error, or ""."""
    from companion.session.entry import reject_unawaited

    try:
        with reject_unawaited() if match.game.is_from_outside else nullcontext():
            match.begin()
            match.play()
    except Exception as fault:
        return describe_fault(fault)
    return ""


def _result_row(match: Match, number: int, fault: str) -> SimulatedGame:
    position, players = match.position, match.players
    tracks = tuple(position.track(track) for track in match.game.tracks)
    result, score = ERROR, None
    if not fault:
        try:
            outcome = players.outcome(position, match.options)
            result, score = (outcome.result if match.over else UNFINISHED), float(outcome.score)
        except Exception as error:
            fault = describe_fault(error)
    return SimulatedGame(number, result, score, players.turn(position), match.decisions, 0.0, tracks, fault, match.refused)


def describe_fault(fault: Exception) -> str:
    """Return an error of a game in one line."""
    if isinstance(fault, CompanionError):
        return clean(str(fault))[:_MAX_FAULT]
    from companion.session.plugins import describe_context, describe_error, error_origin

    origin = error_origin(fault)
    place = f" ({os.path.basename(origin.file)} line {origin.line}){describe_context(fault)}" if origin.game else ""
    return f"{describe_error(fault)[: _MAX_FAULT - len(place)]}{place}"


_GC_THRESHOLD = 25_000
"""Allocations between two runs of the garbage collector; games make hardly any reference cycles."""


@contextmanager
def rare_garbage_collection() -> Iterator[None]:
    """Run the garbage collector less often meanwhile."""
    before = gc.get_threshold()
    if 0 < before[0] < _GC_THRESHOLD:
        gc.set_threshold(_GC_THRESHOLD, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def play_games(series: Series, numbers: Sequence[int]) -> list[SimulatedGame]:
    """Play several games of a series; raise Unreadable if another version of Companion made it."""
    if series.version != __version__:
        what = f"a worker has Companion {__version__}, and the series is played by {series.version}"
        raise Unreadable(what, cure="Install the same Companion on every machine")
    from companion.session.stalls import limited_rules

    with rare_garbage_collection(), limited_rules():
        return [play_game(series, number) for number in numbers]


def shard_numbers(games: int, shard: tuple[int, int] = (1, 1), variants: int = 1) -> Sequence[int]:
    """Return the numbers of a shard's games: of shard 3 of 10 these are 3, 13, 23 and so on.

    Games on the same luck stay together: of shard 2 of 2 with 2 variants these are 3, 4, 7, 8 and so on.
    """
    if variants == 1:
        return range(shard[0], games + 1, shard[1])
    lucks = range(shard[0] - 1, -(-games // variants), shard[1])
    return [number for luck in lucks for number in range(luck * variants + 1, min((luck + 1) * variants, games) + 1)]


def row_columns(game: Game) -> tuple[str, ...]:
    """Return the columns of a file of games."""
    return ("index", "seed", "result", "score", "turns", "decisions", "seconds", *game.tracks, "series", "error")


def row_cells(series: Series, row: SimulatedGame, width: int) -> list[int | float | str | None]:
    """Return a game in the order of `row_columns`, padded to `width`; values missing after an error are empty."""
    score = None if row.score is None else int(row.score) if row.score.is_integer() else row.score
    head: list[int | float | str | None] = [row.number, series.seed, row.result, score, row.turns, row.decisions, row.seconds]
    tracks = [*row.tracks, *[None] * (width - len(head) - len(row.tracks) - 2)]
    return [*head, *tracks, series.description, row.error]


_BOUND = 1e9
"""A bound for every number in a row."""


def parse_row(cells: Sequence[str | int | float | None]) -> SimulatedGame:
    """Return the game in a row of cells, without its tracks.

    Raises:
        ValueError: The cells hold none.
    """
    index, _, result, score, turns, decisions, seconds, *_, error = cells
    vp = None if score in (None, "") else float(str(score))
    figures = (int(str(turns)), int(str(decisions)), float(str(seconds)))
    if not all(abs(figure) <= _BOUND for figure in (*figures, vp or 0)):  # false for NaN too
        raise ValueError
    return SimulatedGame(int(str(index)), str(result), vp, *figures, (), str(error or ""))


class ReplayedGame(NamedTuple):
    """A simulated game stored as a session, which ends with the game or before the action that failed (`fault`)."""

    session: SessionController
    result: Result
    fault: str


def replay_as_session(archive: Archive, series: Series, index: int, name: str = "") -> ReplayedGame:
    """Play a game of a series again and store it as a session, which becomes the last used one.

    Raises:
        Unreadable: The game fails before it is set up, or the name is taken.
    """
    match = make_match(series, index, keep=True)
    fault = play_out(match)
    if not match.story:
        raise Unreadable(f"game {index} fails in its set-up: {fault}", cure="Try another game")
    game = load_game(series.game)
    seed = f"{series.seed}/{index}"[-limits.SEED :]
    name = limits.limit_length(clean(name), limits.NAME, "name")
    info = Session(0, name, game.id, series.options["scenario"], series.options, seed)
    session = SessionController(SessionLog(archive, info, game.vocabulary.sets), game)
    session.log.commit(_log_rows(session, match.story))
    return ReplayedGame(session, Result(Position(), session.position, (), None, len(match.story), True), fault)


def _log_rows(session: SessionController, story: list[PlayedAction]) -> LogBatch:
    """Return the log rows of a game."""
    batch = session.log.new_batch()
    batch.add("setting", 0, {"dice": "computer", "draws": "computer"})
    position, index = Position(), 0
    for number, action in enumerate(story, 1):
        running = RunningEntry(session.game, session.options, position, number, action.action, index, stored=action.replies)
        while running.stored:
            reply = running.stored.popleft()
            # a simulated game draws from an empty cup what it might have held; in a log that is a reply that was insisted on
            running.replay(reply._replace(anyway=reply.is_random and bool(running.mismatch(reply))))
        batch.entry(number, action.action, {})
        batch.replies(number, running.replies)
        batch.complete(number, running.referee.events, session.game_result(running.position))
        position, index = running.position, running.next_roll
    return batch


# -- the file of a series: a row per game, as CSV or SQLite ------------------------------------------------------------


TABLE_NAME = "games"
_FLUSH_SECONDS = 0.5
"""Seconds between writes."""
_REALS = ("score", "seconds")
_TEXTS = ("seed", "result", "series", "error")

Cells = Sequence[str | int | float | None]


class RowFile:
    """A file with the rows of one series."""

    def __init__(self, path: str, series: Series, columns: Sequence[str]) -> None:
        self.path = path
        self.series = series
        self.columns = tuple(columns)
        self._pending: list[Cells] = []
        self._flushed_at = monotonic()
        self._last_number = 0
        self._is_sorted = True

    def rows(self) -> Iterator[SimulatedGame]:
        """Yield every game in the file; raise BadData if it holds something else."""
        for cells in self._cells():
            try:
                row = parse_row(cells)
            except ValueError:
                raise self._wrong_file("it has a row that is not a game") from None
            if (cells[1], cells[-2]) != (self.series.seed, self.series.description):
                raise self._wrong_file(f"its games are: {clean(str(cells[-2]))}; seed {clean(str(cells[1]))}")
            self._note_number(row.number)
            yield row

    def _note_number(self, number: int) -> None:
        self._is_sorted = self._is_sorted and number > self._last_number
        self._last_number = number

    def _wrong_file(self, why: str) -> BadData:
        cure = "Name another file with --out; nothing was changed"
        return BadData(f"{clean(self.path)} belongs to something else: {why}", cure=cure)

    def add(self, rows: Iterable[SimulatedGame]) -> None:
        """Add games; they are written within half a second, or with the next ones."""
        for row in rows:
            self._note_number(row.number)
            self._pending.append(row_cells(self.series, row, len(self.columns)))
        if monotonic() - self._flushed_at > _FLUSH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write what has been added."""
        waiting, self._pending = self._pending, []
        if waiting:
            with _writing(self.path):
                self._write(waiting)
        self._flushed_at = monotonic()

    def close(self) -> None:
        """Write what has been added, and sort the rows by number if needed."""
        self.flush()

    def _cells(self) -> Iterator[Cells]:
        raise NotImplementedError

    def _write(self, waiting: Sequence[Cells]) -> None:
        raise NotImplementedError


class CsvFile(RowFile):
    """Rows as text. An incomplete last line is removed."""

    def __init__(self, path: str, series: Series, columns: Sequence[str]) -> None:
        super().__init__(path, series, columns)
        self._head = (",".join(columns) + "\n").encode()
        with _writing(path), open(path, "a+b") as file:
            self._repair(file)

    def _repair(self, file: BinaryIO) -> None:
        """Write the header of a new file, and cut off an incomplete last line."""
        file.seek(0)
        head = file.readline(len(self._head) + 1)
        if self._head != head and self._head.startswith(head):  # the file is empty, or has only a part of the first line
            file.truncate(0)
            file.write(self._head)
            return
        if head != self._head:
            raise self._wrong_file("it has other columns")
        end = size = file.seek(0, os.SEEK_END)
        while end and not (tail := _read_part(file, end)).endswith(b"\n"):
            end -= len(tail) - tail.rfind(b"\n") - 1 if b"\n" in tail else len(tail)
        if end < size:
            file.truncate(end)

    def _cells(self) -> Iterator[Cells]:
        try:
            with open(self.path, encoding="utf-8", newline="") as file:
                lines = csv.reader(file, strict=True)
                next(lines)
                for cells in lines:
                    if len(cells) != len(self.columns):
                        raise self._wrong_file(f"line {lines.line_num} has {plural(len(cells), 'column')}")
                    yield cells
        except (csv.Error, ValueError):
            raise self._wrong_file("it is not CSV") from None
        except OSError as fault:
            cure = "Check the disk; what is in the file stays"
            raise BadData(f"{clean(self.path)} cannot be read: {fault.strerror}", cure=cure) from None

    def _write(self, waiting: Sequence[Cells]) -> None:
        text = io.StringIO(newline="")
        csv.writer(text, lineterminator="\n").writerows(waiting)
        rest = text.getvalue().encode()
        with open(self.path, "ab", buffering=0) as file:  # unbuffered: closing the file does not repeat a write that failed
            while rest:
                rest = rest[file.write(rest) :]

    def close(self) -> None:
        super().close()
        if not self._is_sorted:
            self._sort()
        with _writing(self.path):
            sync_file(self.path)
        sync_folder_of(self.path)

    def _sort(self) -> None:
        """Sort the rows by number."""
        rows = {int(str(cells[0])): cells for cells in self._cells()}
        path = os.path.realpath(self.path)  # keep a symbolic link
        with _writing(self.path), replacing(path) as beside:
            with open(beside, "w", encoding="utf-8", newline="") as file:
                csv.writer(file, lineterminator="\n").writerows([self.columns, *(rows[index] for index in sorted(rows))])
            copymode(path, beside)


def _read_part(file: BinaryIO, end: int) -> bytes:
    """Return up to 4,096 bytes that end at a position."""
    begin = max(0, end - 4096)
    file.seek(begin)
    content: bytes = file.read(end - begin)
    return content


class SqliteFile(RowFile):
    """Rows in the table ``games`` of an SQLite file."""

    def __init__(self, path: str, series: Series, columns: Sequence[str]) -> None:
        super().__init__(path, series, columns)
        from sqlite_utils import Database

        check_side_files(path)
        with _writing(path):
            try:
                self._db = Database(sqlite3.connect(path, timeout=10), execute_plugins=False)
                self._table: Any = self._db[TABLE_NAME]
                self._begin()
            except sqlite3.DatabaseError as fault:
                if "not a database" not in str(fault):
                    raise
                raise self._wrong_file("it is not an SQLite file") from None

    def _begin(self) -> None:
        names = self._db.table_names()
        if names and names != [TABLE_NAME]:
            raise self._wrong_file(f"it has the tables {clean(', '.join(names[:5]))}")
        if self._db.view_names() or self._db.triggers:
            raise self._wrong_file("it has views or triggers")
        if not names:
            kinds = {name: float if name in _REALS else str if name in _TEXTS else int for name in self.columns}
            self._table.create(kinds, pk="index")
        elif tuple(column.name for column in self._table.columns) != self.columns:
            raise self._wrong_file("its table has other columns")

    def _cells(self) -> Iterator[Cells]:
        with _writing(self.path):
            for row in self._table.rows_where(order_by='"index"'):
                yield tuple(row.values())

    def _write(self, waiting: Sequence[Cells]) -> None:
        self._table.insert_all([dict(zip(self.columns, cells, strict=True)) for cells in waiting], ignore=True)

    def close(self) -> None:
        super().close()
        self._db.close()
        sync_folder_of(self.path)  # also the removal of SQLite's journal, which would roll the last rows back


KINDS: dict[str, type[RowFile]] = {".csv": CsvFile, ".db": SqliteFile}


def open_rows(path: str, series: Series, columns: Sequence[str]) -> RowFile:
    """Open the file of a series; create it if missing.

    Raises:
        Unreadable: Its name ends neither in .csv nor in .db, or it cannot be written.
        BadData: It holds something else.
    """
    kind = KINDS.get(os.path.splitext(path)[1].casefold())
    if kind is None:
        raise Unreadable(f"'{clean(path)}' is not a name for the rows", cure="Its ending is the format: FILE.csv or FILE.db")
    return kind(path, series, columns)


@contextmanager
def _writing(path: str) -> Iterator[None]:
    """Raise the player's error if a file cannot be written."""
    try:
        yield
    except (OSError, sqlite3.Error) as fault:
        why = clean(getattr(fault, "strerror", None) or str(fault))
        cure = "Name another file with --out, or free some room; what is in it stays"
        raise Unreadable(f"{clean(path)} cannot be written: {why}", cure=cure) from None
