"""Exercises at the table: a game's set, the player's own mistakes, the session that an exercise opens, and what was answered."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from hashlib import sha256
from typing import NamedTuple

from companion.core import limits
from companion.core.errors import BadData, CompanionError, Unreadable
from companion.core.events import Event, FlagSet, PieceMade, PieceMarked, TrackMoved
from companion.core.exercises import Attempt, Exercise, ExerciseSet, Progress, progress_of
from companion.core.game import Game
from companion.core.history import Entry
from companion.core.position import Position
from companion.core.request import AnyRequest
from companion.core.review import Alternative, ReviewedDecision, grade_of, share_of_loss
from companion.core.values import Json, ReplyValue, compact_json, read_json
from companion.games import GAMES
from companion.session import database
from companion.session.entry import SETUP
from companion.session.facts import practice_facts
from companion.session.files import create_folder, game_folder, read_bounded
from companion.session.shipped import is_file
from companion.session.state import SessionLog, SessionState
from companion.session.store import Archive, Session, utc_now

_SET = "exercises.json"
_MEMORY = ".drill"


# -- the set of a game ---------------------------------------------------------------------------------------------------


def set_file(game_id: str) -> str:
    """Return the path of the set of exercises of a game; it may not exist."""
    return os.path.join(game_folder(game_id), _SET)


def exercise_set(game: Game) -> ExerciseSet | None:
    """Return the set of exercises of a game; None if it has none. Raises BadData: it is damaged."""
    path = set_file(game.id) if game.id in GAMES else ""
    if not path or not is_file(path):
        return None
    try:
        data = json.loads(read_bounded(path, limits.TABLE))
    except (OSError, ValueError, RecursionError) as fault:
        raise BadData(f"{path} cannot be read: {fault}", cure="Install Companion again") from None
    return ExerciseSet(data, practice_facts(game), game.players.vp_per_win, path)


# -- own mistakes ----------------------------------------------------------------------------------------------------------


def own_exercises(session: SessionState) -> Iterator[Exercise]:
    """Yield the mistakes of persons in a session, by the closest review that is kept of each action in force.

    A review of what was undone or amended since, or made by other rules, is not found there, and so left out.
    """
    from companion.session.review import kept_decisions, known_facts

    facts, per_win = known_facts(session), session.game.players.vp_per_win
    for entry, decision in kept_decisions(session):
        is_mistake = grade_of(share_of_loss(decision, per_win)) not in ("good", "within error")
        if not is_mistake or any(reply.is_adjustment for reply in entry.replies):
            continue
        before = session.history.position(before=entry.number)
        action, replies = (entry.action, entry.replies[: decision.reply - 1]) if decision.reply else ("", ())
        own, name = exercise_of(session, entry, decision.reply), session.info.name
        made = _as_reviewed(decision)
        yield Exercise(own, session.options, facts, before, action, replies, made, per_win, entry.anyway, name)


def _as_reviewed(decision: ReviewedDecision) -> ReviewedDecision:
    """Return a decision in which the taken alternative costs what the review says.

    The review measures that in other worlds than those in which it chose the best.
    """
    loss, win_loss = decision.loss, decision.win_loss
    rows = [one._replace(loss=loss, win_loss=win_loss) if one.is_taken else one for one in decision.alternatives]
    return decision._replace(alternatives=tuple(rows))


def exercise_of(session: SessionState, entry: Entry, reply: int) -> str:
    """Return the id of the exercise of a decision of a session; reply 0 is the choice of the action."""
    info = session.info
    return sha256(compact_json([info.game, info.seed, info.created, entry.number, reply]).encode()).hexdigest()[:8]


# -- the session that an exercise opens --------------------------------------------------------------------------------------


class _ExerciseLog(SessionLog):
    """The log of a session that is not stored, with the printed facts of its exercise."""

    def __init__(self, archive: Archive, info: Session, game: Game, facts: Mapping[str, str]) -> None:
        super().__init__(archive, info, game.vocabulary.sets, last_used=False)
        self._facts = facts

    def facts(self) -> Mapping[str, str]:
        return self._facts


def open_exercise(game: Game, exercise: Exercise, archive: Archive | None = None) -> SessionState:
    """Return a session that stands at an exercise and is not stored.

    Args:
        archive: Where it would be stored; by default an empty one in memory.

    Raises:
        BadData: The rules do not lead to its question any more.
    """
    archive = archive or empty_archive()
    options = dict(exercise.options)
    info = Session(0, f"exercise {exercise.id}", game.id, options.get("scenario", ""), options, exercise.id)
    session = SessionState(_ExerciseLog(archive, info, game, exercise.facts), game)
    batch = session.log.new_batch()
    batch.entry(1, SETUP, {})
    batch.complete(1, list(events_to(exercise.position)))
    if exercise.action:
        batch.entry(2, exercise.action, {}, exercise.anyway)
        batch.replies(2, exercise.replies)
    session.log.stage(batch)
    if game.hides:
        from companion.session.seat_view import seat_view

        session = seat_view(session, exercise.decision.seat)
    request, decision = session.pending, exercise.decision
    if exercise.action and (request is None or request.key != decision.key or request.kind != decision.kind):
        raise BadData(session.broken or f"the rules do not ask '{decision.key}' there any more")
    if exercise.action and request is not None:
        for alternative in decision.alternatives:
            read_answer(request, alternative.text)
    return session


def read_answer(request: AnyRequest, text: str) -> ReplyValue:
    """Return the answer that an alternative of a question means; a title may follow it in brackets. Raises Unreadable."""
    try:
        return request.read(text)
    except Unreadable:
        begin = text.find(" (")
        while begin > 0:
            with suppress(Unreadable):
                return request.read(text[:begin])
            begin = text.find(" (", begin + 1)
        raise


def empty_archive() -> Archive:
    """Return an archive in memory."""
    return Archive(database.IN_MEMORY, database.connect(database.IN_MEMORY)).close_on_collection()


def events_to(position: Position) -> Iterator[Event]:
    """Yield events that lead from an empty table to a position."""
    for track, value in position.tracks.items():
        yield TrackMoved(track, 0, value)
    for flag, set_to in position.flags.items():
        yield FlagSet(flag, None, set_to)
    for piece in position.pieces.values():
        yield PieceMade(piece.id, piece.kind, piece.name, piece.place, piece.face, piece.values)
        for mark, put in piece.marks.items():
            yield PieceMarked(piece.id, mark, None, put)


# -- what was answered -------------------------------------------------------------------------------------------------------


class DrillMemory:
    """What was answered, a line an answer, in a file beside the archive.

    Lines are only appended, each in one write, so that two processes do not disturb each other. A line that cannot be read is
    passed over. A file that cannot be read or written costs the memory and nothing else.

    Attributes:
        fault: Why the last answer could not be kept; "" if it was.
    """

    def __init__(self, archive: str) -> None:
        self.path = archive + _MEMORY
        self.fault = ""

    def attempts(self, game: str) -> list[Attempt]:
        """Return the answers of a game, in order."""
        try:
            with open(self.path, "rb") as file:
                file.seek(max(0, os.path.getsize(self.path) - limits.DRILL))
                lines = file.read(limits.DRILL).split(b"\n")
        except OSError:
            return []
        return [attempt for line in lines if (attempt := _read_attempt(line, game))]

    def add(self, game: str, exercise: Exercise, alternative: Alternative) -> None:
        """Keep an answer that is given now."""
        cost = max(0.0, exercise.loss(alternative).mean)
        row: list[Json] = [game, exercise.id, exercise.decision.key, utc_now(), exercise.is_right(alternative), round(cost, 4)]
        self.fault = ""
        try:
            if not os.path.isdir(folder := os.path.dirname(self.path)):
                create_folder(folder, 0o700)
            file = os.open(self.path, os.O_CREAT | os.O_APPEND | os.O_RDWR, 0o600)
            try:
                size = os.fstat(file).st_size
                whole = not size or os.pread(file, 1, size - 1) == b"\n" if hasattr(os, "pread") else True
                os.write(file, (b"" if whole else b"\n") + compact_json(row).encode() + b"\n")
            finally:
                os.close(file)
        except OSError as fault:
            self.fault = fault.strerror or str(fault)


def _read_attempt(line: bytes, game: str) -> Attempt | None:
    with suppress(ValueError, TypeError, RecursionError):
        played, exercise, key, at, right, cost = read_json(line.decode())
        if played == game and isinstance(exercise, str) and isinstance(key, str) and isinstance(right, bool):
            return Attempt(exercise, key, day_of(at), right, float(cost))
    return None


def day_of(at: str) -> int:
    """Return the ordinal number of the date of a time in UTC."""
    return date.fromisoformat(at[:10]).toordinal()


def today() -> int:
    """Return the ordinal number of today's date in UTC."""
    return day_of(utc_now())


class KeyStatistics(NamedTuple):
    """The answers to one kind of decision: how many, the share that was right, the mean cost, and how many exercises are due."""

    key: str
    answers: int
    right: float
    cost: float
    due: int


class Drill:
    """The exercises of a game, and what is due.

    Args:
        sessions: The player's own sessions.
        memory: What was answered.
        uses_set, uses_own: Take exercises of the set; own mistakes.
    """

    def __init__(
        self, game: Game, sessions: Iterable[SessionState], memory: DrillMemory, *, uses_set: bool = True, uses_own: bool = True
    ) -> None:
        self.game = game
        self.memory = memory
        self._set = exercise_set(game) if uses_set else None
        self._archive = empty_archive()
        mistakes = [one for session in sessions for one in own_exercises(session)] if uses_own else []
        self._own = {one.id: one for one in mistakes if self._opens(one)}
        self.attempts = memory.attempts(game.id)

    def _opens(self, exercise: Exercise) -> bool:
        with suppress(CompanionError):
            self.open(exercise)
            return True
        return False

    def open(self, exercise: Exercise) -> SessionState:
        """Return a session that stands at an exercise. Raises BadData: the rules have changed."""
        return open_exercise(self.game, exercise, self._archive)

    @property
    def ids(self) -> list[str]:
        """The ids of all exercises: own mistakes first, the costliest at the head."""
        own = sorted(self._own.values(), key=lambda one: -one.loss(_taken(one)).mean)
        return [*(one.id for one in own), *(self._set.ids if self._set else ())]

    def exercise(self, id: str) -> Exercise:
        """Return an exercise by its id. Raises KeyError: there is none."""
        if id in self._own:
            return self._own[id]
        if self._set is None:
            raise KeyError(id)
        return self._set.exercise(id)

    def progress(self) -> dict[str, Progress]:
        """Return how far each exercise is learnt that was answered."""
        answers: dict[str, list[Attempt]] = {}
        for attempt in self.attempts:
            answers.setdefault(attempt.exercise, []).append(attempt)
        return {id: progress for id, tried in answers.items() if (progress := progress_of(tried))}

    def due(self, day: int) -> list[str]:
        """Return the exercises to repeat on a day, those that wait longest first; only what was once wrong is repeated."""
        progress = self.progress()
        waiting = [id for id in self.ids if id in progress and progress[id].was_wrong and progress[id].due <= day]
        return sorted(waiting, key=lambda id: progress[id].due)

    def new(self) -> list[str]:
        """Return the exercises that were never answered."""
        answered = {attempt.exercise for attempt in self.attempts}
        return [id for id in self.ids if id not in answered]

    def next_due(self) -> int:
        """Return the day on which the next exercise is due; 0 if none will be."""
        progress = self.progress()
        return min((progress[id].due for id in self.ids if id in progress and progress[id].was_wrong), default=0)

    def answer(self, exercise: Exercise, alternative: Alternative) -> None:
        """Keep an answer."""
        self.memory.add(self.game.id, exercise, alternative)
        day, cost = today(), max(0.0, exercise.loss(alternative).mean)
        self.attempts.append(Attempt(exercise.id, exercise.decision.key, day, exercise.is_right(alternative), cost))

    def statistics(self, day: int) -> list[KeyStatistics]:
        """Return the answers by kind of decision, the most frequent first."""
        by_key: dict[str, list[Attempt]] = {}
        for attempt in self.attempts:
            by_key.setdefault(attempt.key, []).append(attempt)
        waiting = set(self.due(day))
        rows = []
        for key, attempts in by_key.items():
            ids = {attempt.exercise for attempt in attempts}
            count = len(attempts)
            right, cost = sum(one.is_right for one in attempts) / count, sum(one.cost for one in attempts) / count
            rows.append(KeyStatistics(key, count, right, cost, len(ids & waiting)))
        return sorted(rows, key=lambda row: (-row.answers, row.key))


def _taken(exercise: Exercise) -> Alternative:
    """What was played; the worst alternative if it is not known."""
    alternatives: Sequence[Alternative] = exercise.decision.alternatives
    return next((one for one in alternatives if one.is_taken), alternatives[-1])
