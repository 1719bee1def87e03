"""Statistics over all sessions of an archive (``companion stats``), queries offered to Datasette, and the luck of a session."""

from __future__ import annotations

import csv
import os
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from time import process_time
from typing import Any, NamedTuple

from companion.core import limits
from companion.core.errors import BadData, Unreadable
from companion.core.events import fold
from companion.core.history import EFFECT_KINDS, ROW_SCHEMAS, Entry, Reply
from companion.core.luck import (
    MAX_BRANCHES,
    ReplayMismatch,
    RollLuck,
    expected_value,
    follow_branches,
    roll_luck,
    run_to_next_roll,
)
from companion.core.match import DecisionPoint
from companion.core.position import Position
from companion.core.procedures import AnyEffect, ProcedureRun, Progress, ProgressCallback, ignore_progress
from companion.core.request import AnyRequest
from companion.core.requests import Choose, Confirm
from companion.core.text import clean, plural
from companion.core.values import JsonDict, ReplyValue
from companion.session import database
from companion.session.entry import SETUP
from companion.session.files import read_queries
from companion.session.simulation import ERROR
from companion.session.state import SessionState


class Query(NamedTuple):
    """A query with the title of its result. Parameters are written ``:name``."""

    title: str
    sql: str


_PLAIN = "CASE instr(verdict, ' (') WHEN 0 THEN verdict ELSE substr(verdict, 1, instr(verdict, ' (') - 1) END"
_PLACEHOLDERS = {
    "{result}": f"CASE instr({_PLAIN}, ' VP: ') WHEN 0 THEN {_PLAIN} ELSE substr({_PLAIN}, instr({_PLAIN}, ' VP: ') + 5) END",
    "{known}": ", ".join(map(repr, ROW_SCHEMAS)),
}


def _read_queries(name: str) -> dict[str, Query]:
    """Return the queries of a file by name, with the placeholders filled in."""

    def fill_in(sql: str) -> str:
        for placeholder, text in _PLACEHOLDERS.items():
            sql = sql.replace(placeholder, text)
        return sql

    return {key: Query(title, fill_in(sql)) for key, (title, sql) in read_queries(name).items()}


STATISTICS = _read_queries("statistics")
"""Name -> query over the sessions that were played."""
PLAYED = STATISTICS.pop("played").sql
"""A row per session; the other queries read it. Single actions outside a session are left out."""
DATASETTE_QUERIES = _read_queries("datasette")
"""Name -> query that Datasette offers beside the views."""

SIMULATED = "SELECT series, result, score FROM games"
"""Query of a file of simulated games."""


class Table(NamedTuple):
    """The result of a query."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    def data(self) -> list[JsonDict]:
        """Return a dictionary per row."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def played_tables(path: str, game: str = "", watch: ProgressCallback = ignore_progress) -> dict[str, Table]:
    """Return every table of an archive by name, with sessions of one game or of all ("").

    Raises:
        BadData: The archive cannot be read.
    """
    with database.player_errors(path), closing(database.connect_with_temp_tables(path)) as connection:
        connection.execute(PLAYED, {"game": game})
        tables = {}
        for number, (name, query) in enumerate(STATISTICS.items()):
            watch(Progress(number, len(STATISTICS), ""))
            tables[name] = _table(connection, query)
        watch(Progress(len(STATISTICS), len(STATISTICS), ""))
        return tables


def _table(connection: sqlite3.Connection, query: Query) -> Table:
    cursor = connection.execute(query.sql)
    columns = tuple(column for column, *_ in cursor.description)
    rows = (tuple(clean(cell) if isinstance(cell, str) else cell for cell in row) for row in cursor)
    return Table(query.title, columns, tuple(rows))


def sql_script(game: str = "") -> str:
    """Return all queries as a script for the sqlite3 program."""
    quoted = game.replace("'", "''")
    queries = [f"-- {query.title}\n{query.sql};" for query in STATISTICS.values()]
    return "\n\n".join([PLAYED.strip().replace(":game", f"'{quoted}'") + ";", *queries]) + "\n"


class SimulatedScores(NamedTuple):
    """The series in a file written by ``companion simulate --out``, and how often each score occurred."""

    description: str
    scores: Mapping[float, int]


def read_simulated(path: str, game: str) -> SimulatedScores:
    """Read the scores of a simulated series from a file.

    Raises:
        Unreadable: There is no such file.
        BadData: It holds no series, or one of another game.
    """
    if not os.path.isfile(path):
        raise Unreadable(f"there is no file {clean(path)}", cure=f"Write one: companion simulate {game} --out FILE.db")
    if os.path.getsize(path) > limits.SERIES:
        what = f"{clean(path)} is larger than {limits.SERIES} bytes"
        raise BadData(what, cure=f"A series has at most {plural(limits.GAMES, 'game')}")
    try:
        rows = _read_scores(path)
    except (sqlite3.Error, OSError, ValueError, KeyError, csv.Error):
        what = f"{clean(path)} holds no games that were simulated"
        raise BadData(what, cure=f"companion simulate {game} --out FILE.db") from None
    series = next((item for item, _, _ in rows), "")
    if series.partition(" ")[0] != game:
        raise BadData(f"{clean(path)} holds games of another kind: {clean(series)}", cure=f"Simulate {game}")
    return SimulatedScores(clean(series), Counter(score for _, result, score in rows if result != ERROR and score is not None))


def _read_scores(path: str) -> list[tuple[str, str, float | None]]:
    """Return series, result and score of each game."""
    if path.endswith(".db"):
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            return [(str(series), str(result), score) for series, result, score in connection.execute(SIMULATED)]
    with open(path, newline="", encoding="utf-8") as file:
        return [(row["series"], row["result"], float(row["score"]) if row["score"] else None) for row in csv.DictReader(file)]


# -- luck of a session -------------------------------------------------------------------------------------------------
# A position is worth its victory points as if the game ended there. Entries are replayed to their rolls, and each outcome is
# played on by the procedure itself (`core.luck`).


TIME_LIMIT = 60.0
"""Seconds of processor time; rolls not weighed by then are skipped."""
UNIT = "VP"

_NO_TIME = "no time was left"
_RULES_CHANGED = "today's rules play its action differently"
_CORRECTED = "its action was adjusted or recorded against the rules"


class WeighedRoll(NamedTuple):
    """A roll and its luck.

    Attributes:
        entry, reply: The numbers that ``amend`` takes.
        key, rule: Of the question.
        vp: Its values in victory points.
        value: Its values by the opponent's valuation of the board.
        side: The seat that the points count for.
    """

    entry: int
    reply: int
    turn: int
    key: str
    rule: str
    by_player: bool
    faces: tuple[int, ...]
    vp: RollLuck
    value: RollLuck
    side: str

    @property
    def title(self) -> str:
        """What was rolled for, in words."""
        return self.key.replace("_", " ")

    @property
    def expected(self) -> float:
        """The VP that it gains on average."""
        return self.vp.expected - self.vp.before

    @property
    def actual(self) -> float:
        """The VP that it gained."""
        return self.vp.actual - self.vp.before

    @property
    def unit(self) -> str:
        return UNIT

    @property
    def percentile(self) -> float:
        """The share of outcomes that gain less, plus half of those that gain the same, from 0 to 1."""
        return self.vp.percentile


class LuckShare(NamedTuple):
    """The luck of some rolls: their number, how many of them matter, the sum in VP and its standard error."""

    rolls: int
    relevant: int
    luck: float
    error: float

    @property
    def errors(self) -> float:
        """The luck in standard errors; 0 if nothing depends on the dice."""
        return self.luck / self.error if self.error else 0.0


class SessionLuck(NamedTuple):
    """The luck of a session.

    Attributes:
        rolls: The rolls that could be weighed, in order.
        skipped: Reason -> number of rolls skipped.
        start_score, current_score: The score after the set-up and now, in VP.
        side: The seat that the points count for.
    """

    rolls: tuple[WeighedRoll, ...]
    skipped: Mapping[str, int]
    start_score: float
    current_score: float
    side: str

    @property
    def total(self) -> LuckShare:
        return combined(roll.vp for roll in self.rolls)

    @property
    def rest(self) -> float:
        """What everything but the dice gained: the change of the score less the luck."""
        return self.current_score - self.start_score - self.total.luck


def combined(lucks: Iterable[RollLuck]) -> LuckShare:
    """Return the luck of some rolls together; their variances add up, since rolls are independent."""
    rolls = list(lucks)
    error = sum(roll.variance for roll in rolls) ** 0.5
    return LuckShare(len(rolls), sum(roll.matters for roll in rolls), sum(roll.luck for roll in rolls), error)


class _Weigher:
    """Weighs the rolls of a session, entry by entry."""

    def __init__(self, session: SessionState, seconds: float, runs: int) -> None:
        self.session = session
        self.until = process_time() + seconds
        self.runs = runs
        self.players = session.game.players
        self.side = self.players.seats[0]
        self.skipped: Counter[str] = Counter()
        self.done = 0
        self.total = sum(_roll_count(entry) for entry in session.history.in_force)

    def score(self, position: Position) -> float:
        """Return the VP if the game ended there."""
        return float(self.session.game.score(position, self.session.options).total)

    def value(self, position: Position) -> float:
        """Return the value of a position by the opponent's valuation."""
        return self.players.value(position, self.session.options, self.side)

    def rolls(self) -> Iterator[WeighedRoll]:
        """Yield every roll that can be weighed."""
        position = Position()
        for entry in self.session.history.in_force:
            if _roll_count(entry):
                yield from self._weigh_entry(entry, position)
            position = fold(entry.events or (), position)

    def _weigh_entry(self, entry: Entry, before: Position) -> Iterator[WeighedRoll]:
        point = _entry_start(self.session, entry, before)
        reason = self._obstacle(entry, point) if point else _RULES_CHANGED
        if reason or not point:
            self.skipped[reason] += _roll_count(entry)
            self.done += _roll_count(entry)
            return
        turn = self.players.turn(before)
        for index, reply in enumerate(entry.replies):
            if reply.kind == "roll" and (lucks := self._weigh_roll(point, index)):
                head = entry.number, index + 1, turn, reply.key, reply.rule, reply.is_from_player
                vp, value = lucks
                yield WeighedRoll(*head, tuple(reply.value), vp, value, self.side)

    def _obstacle(self, entry: Entry, point: DecisionPoint) -> str:
        """Return why an entry cannot be weighed, or ""."""
        if entry.anyway or any(reply.anyway or reply.is_adjustment for reply in entry.replies):
            return _CORRECTED
        if process_time() > self.until:
            return _NO_TIME
        try:
            stop = run_to_next_roll(point, entry.replies)
        except ReplayMismatch:
            return _RULES_CHANGED
        return "" if entry.is_open or stop.position == fold(entry.events or (), point.start) else _RULES_CHANGED

    def _weigh_roll(self, point: DecisionPoint, index: int) -> Sequence[RollLuck] | None:
        self.done += 1
        self.session.watch(Progress(self.done, self.total + 1, ""))
        if process_time() > self.until:
            self.skipped[_NO_TIME] += 1
            return None
        try:
            return roll_luck(point, index, (self.score, self.value), self.runs)
        except ReplayMismatch as fault:
            self.skipped[str(fault)] += 1
            return None


def _entry_start(session: SessionState, entry: Entry, before: Position) -> DecisionPoint | None:
    """Return the point before an entry's first question; None if the game no longer has its action."""
    run = next((action.run for action in session.game.actions if action.id == entry.action), None)
    facts = session.log.facts()
    return run and DecisionPoint(session.game, session.options, facts, before, run, entry.replies, anyway=entry.anyway)


def _roll_count(entry: Entry) -> int:
    """Return the number of rolls of an entry; those of the set-up are not counted."""
    return 0 if entry.action == SETUP else sum(reply.kind == "roll" for reply in entry.replies)


def session_luck(session: SessionState, seconds: float = TIME_LIMIT, runs: int = MAX_BRANCHES) -> SessionLuck:
    """Return the luck of a session. Takes some milliseconds a roll; ``session.watch`` is called with the progress."""
    weigher = _Weigher(session, seconds, runs)
    in_force = session.history.in_force
    setup = in_force[0].events or () if in_force else ()
    try:
        rolls = tuple(weigher.rolls())
    finally:
        session.watch(Progress(1, 1, ""))
    return SessionLuck(rolls, weigher.skipped, weigher.score(fold(setup)), weigher.score(session.position), weigher.side)


def luck_by_entry(session: SessionState, seconds: float = TIME_LIMIT) -> dict[int, list[WeighedRoll]]:
    """Return the rolls that matter, by entry."""
    rolls: dict[int, list[WeighedRoll]] = {}
    for roll in session_luck(session, seconds).rolls:
        if roll.vp.matters:
            rolls.setdefault(roll.entry, []).append(roll)
    return rolls


RUNS_PER_ANSWER = 60
"""Continuations followed per answer."""
MAX_ANSWERS = 12
"""Questions with more answers are not weighed."""
MIN_LOSS = 0.005
"""VP from which on a loss is reported."""


class DecisionLoss(NamedTuple):
    """A decision and the value of its answers, in VP.

    Attributes:
        entry, reply: The numbers that ``amend`` takes.
        key, rule: Of the question.
        taken, best: Answers as the question shows them.
        given: The VP by which the best answer exceeds the one taken.
    """

    entry: int
    reply: int
    key: str
    rule: str
    taken: str
    best: str
    given: float


def decision_losses(session: SessionState, seconds: float = 60.0) -> list[DecisionLoss]:
    """Return the player's decisions with odds and few answers that lost something, in order."""
    until, losses, position = process_time() + seconds, list[DecisionLoss](), Position()
    for entry in session.history.in_force:
        if process_time() < until and (point := _entry_start(session, entry, position)):
            losses += _entry_losses(session, entry, point)
        position = fold(entry.events or (), position)
    return losses


def _entry_losses(session: SessionState, entry: Entry, point: DecisionPoint) -> Iterator[DecisionLoss]:
    for index, reply in enumerate(entry.replies):
        if reply.is_from_player and reply.kind in (Choose.kind, Confirm.kind):
            request = _question_after(point, point.replies[:index])
            loss = request and _weigh_decision(session, entry.number, index, point, request)
            if loss and loss.given > MIN_LOSS:
                yield loss


def _question_after(point: DecisionPoint, replies: Sequence[Reply]) -> AnyRequest | None:
    """Return the question after these replies if it has odds and few answers, else None."""
    queue = list(replies)

    def run_effect(effect: AnyEffect) -> Any:
        return queue.pop(0).value if effect.stored and queue and queue[0].kind in EFFECT_KINDS else effect.default_result()

    referee = point.game.new_referee(point.start, point.options)
    assert point.procedure is not None
    try:
        run = ProcedureRun(referee, point.procedure(referee), run_effect)
        while queue and run.request is not None:
            run.send(queue.pop(0).value)
    except Exception:  # whatever today's rules do with an old action
        return None
    request = run.request
    has_few_answers = isinstance(request, Choose | Confirm) and 1 < len(request.legal_choices()) <= MAX_ANSWERS
    return request if has_few_answers and request is not None and request.odds is not None else None


def _weigh_decision(
    session: SessionState, entry: int, index: int, point: DecisionPoint, request: AnyRequest
) -> DecisionLoss | None:
    """Return the decision with its best answer for the seat that took it; None if an answer cannot be played on."""
    players, options = session.game.players, session.options
    sign = 1 if players.asked_seat(request, players.acting_seat(point.start)) == players.seats[0] else -1
    before, reply = point.replies[:index], point.replies[index]

    def score(position: Position) -> float:
        return sign * float(session.game.score(position, options).total)

    def expected_score(answer: ReplyValue) -> float:
        return expected_value(follow_branches(point, (*before, reply._replace(value=answer)), RUNS_PER_ANSWER), score)

    answers = {choice.label: request.read(choice.value) for choice in request.legal_choices()}
    taken = next((label for label, answer in answers.items() if answer == reply.value), "")
    if not taken:
        return None
    try:
        scores = {label: expected_score(answer) for label, answer in answers.items()}
    except ReplayMismatch:
        return None
    best = max(answers, key=lambda label: scores[label])
    return DecisionLoss(entry, index + 1, reply.key, reply.rule, taken, best, scores[best] - scores[taken])
