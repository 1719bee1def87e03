"""Use a session without writing to it: odds, advice, what can be begun now; and follow one that other processes play."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress

from companion.core.errors import BadData, CompanionError, Illegal, Unreadable
from companion.core.events import Event, Said, fold
from companion.core.game import Action, Game, Obstacle, Situation
from companion.core.hints import TYPE_CHECKING, Any, TypeVar
from companion.core.history import LOOK, Change
from companion.core.named_tuple import NamedTuple
from companion.core.position import Position
from companion.core.procedures import AnyEffect, Procedure, Progress, ProgressCallback, ResolvedReply, ignore_progress
from companion.core.referee import Referee
from companion.core.requests import AnyRequest, Number, Odds, Pick, Printed, Text
from companion.core.resolver import Answers, MissingAnswer, QueryResponder, ReplyResolver, drive
from companion.core.text import pick_name
from companion.session import database
from companion.session.state import SessionState
from companion.session.store import Archive

if TYPE_CHECKING:
    import sqlite3

    from companion.core.candidates import Candidate
    from companion.core.match import PlannedAction
    from companion.session.advance import Result

R = TypeVar("R")


class Inquiry:
    """Runs procedures on a table without storing the outcome.

    Args:
        answers: Answers to questions, and options that override those of the session.
        ask: Asks the player; None if there is no player to ask.
        session: The session whose table is used; by default the last used one, if it is of this game.
        think: Rollouts per candidate; "" for the session's setting.
        watch: Called with the progress of long computations.
    """

    def __init__(
        self,
        game: Game,
        archive: Archive,
        answers: Answers,
        ask: Callable[[AnyRequest], ResolvedReply] | None = None,
        session: SessionState | None = None,
        think: str = "",
        watch: ProgressCallback = ignore_progress,
    ) -> None:
        self.game = game
        self.archive = archive
        self.answers = answers
        self.ask = ask
        self.session = session
        self.think = think
        self.watch = watch

    def position_and_options(self) -> tuple[Position, dict[str, str]]:
        """Return the table of the session, or an empty one. Options among the answers take precedence, and are used up."""
        from companion.session.controller import SessionController

        last = self.archive.last()
        if self.session is None and last is not None and last.game == self.game.id:
            self.session = SessionController.open(self.archive, last)
        if self.session is not None:
            return self.session.position, self.take_options(self.session.options)
        return Position(), self.take_options({})

    def take_options(self, session: Mapping[str, str]) -> dict[str, str]:
        """Return the options among the answers, over those of a session, over the game's defaults."""
        options = {**self.game.default_options(), **session}
        for key, value in [pair for pair in self.answers.keyed if pair[0] in options]:
            choices = list(self.game.scenarios) if key == "scenario" else self.game.options[key].choices
            options[key] = pick_name(value, choices, f"choice of {key}") if choices else value
            self.answers.keyed.remove((key, value))
        return options

    def run(
        self, position: Position, options: Mapping[str, str], procedure: Callable[[Any], Procedure[R]]
    ) -> tuple[Referee, R | None]:
        """Run a procedure to its end; return the referee with the events, and the result. Facts entered on the way are recorded.

        Raises:
            MissingAnswer: A question has no answer, and there is no player to ask.
            Unreadable: An answer cannot be read, or was not asked for.
        """
        resolver, referee = self._resolver(), self.game.new_referee(position, options)
        result = drive(referee, procedure(referee), QueryResponder(resolver, self.answers, self.ask, self.watch))
        self.answers.check_all_used(referee, None)
        if resolver.new_facts:
            self.archive.record_facts(self.game.id, resolver.new_facts)
        return referee, result

    def _resolver(self) -> ReplyResolver:
        from secrets import token_hex

        facts = self.archive.printed(self.game.id)
        return ReplyResolver(self.game, lambda: facts, {}, token_hex(8))  # nothing is stored, so nothing need be repeatable

    def open_questions(self, procedure: Callable[[Any], Procedure[R]]) -> list[OpenQuestion]:
        """Return the questions that the answers leave open. Each is answered by an example for the time being."""
        position, options = self.position_and_options()
        refused: set[tuple[str, str]] = set()
        questions: list[OpenQuestion] = []

        def ask(request: AnyRequest) -> ResolvedReply:
            examples = [text for text in example_replies(request) if (request.key, text) not in refused]
            if not examples:
                raise Unreadable(f"no example of {request.key} is accepted")
            questions.append(OpenQuestion(request, examples[0]))
            return request.parse_reply(examples[0], "typed", False)

        for _ in range(_MAX_TRIALS):
            questions.clear()
            referee, answers = self.game.new_referee(position, options), self.answers.copy()
            try:
                drive(referee, procedure(referee), QueryResponder(self._resolver(), answers, ask))
                break
            except CompanionError:
                needed = [question for question in questions if not question.is_optional]
                if not needed:
                    break  # report the questions up to the mistake
                refused.add((needed[-1].request.key, needed[-1].example))
        return questions


class OpenQuestion(NamedTuple):
    """A question without an answer, and an answer that could be typed."""

    request: AnyRequest
    example: str

    @property
    def is_optional(self) -> bool:
        """True if the suggested answer is taken where none is given."""
        return self.request.suggest is not None


_EXAMPLE_NUMBER = 3
_MAX_TRIALS = 100


def example_replies(request: AnyRequest) -> list[str]:
    """Return answers as they can be typed: the suggested one; else each choice; else the notation's example or a small number."""
    if request.suggest is not None:
        return [request.to_input(request.suggest)]
    if isinstance(request, Number):
        return [str(min(max(_EXAMPLE_NUMBER, request.low), request.high))]
    if choices := request.legal_choices():
        if isinstance(request, Pick):
            return [request.to_input(request.check([choice.value])) for choice in choices]
        return [request.to_input(request.read(choice.name)) for choice in choices]
    if not isinstance(request, Text | Printed):
        return []
    example = request.notation.example
    compact = example.replace(", ", ",")  # without blanks it needs no quotes in a shell
    with suppress(Unreadable):
        return [compact if request.read(compact) == request.read(example) else example]
    return [example]


def find_situation(game: Game, name: str) -> Situation:
    """Return a situation by unique prefix; raise Unreadable if the game has none."""
    situations = {situation.id: situation for situation in game.situations}
    return situations[pick_name(name, list(situations), "situation")]


def situation_odds(inquiry: Inquiry, name: str) -> Odds:
    """Return the odds of a situation.

    Raises:
        MissingAnswer: Something must be known first, and there is no player to ask.
        Unreadable: There is no such situation, or an answer cannot be read.
        Illegal: The game ends during it.
    """
    situation = find_situation(inquiry.game, name)
    _, odds = inquiry.run(*inquiry.position_and_options(), situation.run)
    return _require_odds(odds, situation)


def odds_on_table(
    game: Game, position: Position, options: Mapping[str, str], facts: Mapping[str, str], name: str, answers: Answers
) -> Odds:
    """Return the odds of a situation on a table that no session holds. Raises as `situation_odds`."""
    situation, referee = find_situation(game, name), game.new_referee(position, options)
    answers.check_keys(game)
    odds = drive(referee, situation.run(referee), QueryResponder(ReplyResolver(game, lambda: facts, {}, name), answers))
    answers.check_all_used(referee, None)
    return _require_odds(odds, situation)


def _require_odds(odds: Odds | None, situation: Situation) -> Odds:
    if odds is None:
        raise Illegal("that ends the game, so it has no odds", rule=situation.rule)
    return odds


class Advice(NamedTuple):
    """Advice as events to show, and as data.

    Attributes:
        events: What is said, with the reasons.
        at: The number of the question that the plan answers; "" between actions.
        plan: The action to begin, or the answer to the question; None if there is nothing to do.
        candidates: What was compared, the advised one first; none if the advice rests on no comparison.
    """

    events: list[Event]
    at: str = ""
    plan: PlannedAction | None = None
    candidates: tuple[Candidate[PlannedAction], ...] = ()

    @property
    def reasons(self) -> tuple[str, ...]:
        """The reasons of all events."""
        return tuple([line for event in self.events if isinstance(event, Said) for line in event.because])

    @property
    def passed_over(self) -> str:
        """Why the second best candidate is passed over; "" without one."""
        from companion.core.candidates import describe_second

        return describe_second(self.candidates)


def advice(session: SessionState, inquiry: Inquiry) -> Advice:
    """Return the advice of the game's adviser or opponent.

    Raises:
        Unreadable: The game has neither.
        MissingAnswer: Something must be known first, and there is no player to ask.
    """
    game = session.game
    is_decision = not game.has_bot or session.pending is not None
    is_advised = is_decision or game.players.advises_between(session.position, session.options)
    if is_advised and (move := session.advised(inquiry.think)):
        return Advice([move.said], session.question_number, move.plan, move.candidates)
    if not game.has_bot:
        what = f"{game.title} has no opponent that gives advice: a second side, if it has one, is played by its actions"
        raise Unreadable(what, cure="See: companion why")
    referee, _ = inquiry.run(session.position, session.options, game.bot)
    return Advice(referee.events, plan=None if session.pending else _usual_plan(session))


def _usual_plan(session: SessionState) -> PlannedAction | None:
    """The usual action now, in a game whose opponent is only asked within actions; None if there is none."""
    from companion.core.match import PlannedAction

    action = session.game.default_action(session.committed_position)
    if not action or session.game.obstacle_to(action, session.committed_position):
        return None
    return PlannedAction(action)


class ActionState(NamedTuple):
    """An action, and whether it can be begun now.

    Attributes:
        obstacle: Why it cannot be begun, or None.
        question: Its first question; None if it asks nothing, or if that cannot be told beforehand.
    """

    action: Action
    obstacle: Obstacle | None = None
    question: AnyRequest | None = None


def action_states(session: SessionState) -> Iterator[ActionState]:
    """Yield the state of every action. Each is begun on trial, and nothing is kept; an open question blocks all."""
    blocked = Obstacle("a question is open", session.pending.rule, "Answer it") if session.pending else None
    if session.broken:
        blocked = Obstacle(session.broken, "", "Take the action back: companion undo")
    for action in session.game.actions:
        obstacle = blocked or session.game.obstacle_to(action.id, session.committed_position)
        yield ActionState(action, obstacle) if obstacle else _try_action(session, action)


class _Unpredictable(Exception):
    """The opponent would decide, or a long computation would run."""


class _Trial:
    """Gives forced and automatic replies, and stops at the first question. Nothing is rolled or drawn."""

    def __init__(self, resolver: ReplyResolver) -> None:
        self._resolver = resolver

    def reply(self, request: AnyRequest) -> Any:
        resolved = None if request.chance_setting else self._resolver.resolve(request, Answers(), 0, False)
        if resolved is None:
            raise MissingAnswer(request)
        return resolved.value

    def run_effect(self, effect: AnyEffect) -> Any:
        from companion.core.rollouts import RolloutDecision

        if isinstance(effect, Progress) or effect.kind == RolloutDecision.kind:
            raise _Unpredictable
        return self._resolver.run_effect(effect).value


def _try_action(session: SessionState, action: Action) -> ActionState:
    """Begin an action on trial."""
    from companion.session.entry import reject_unawaited

    referee = session.game.new_referee(session.committed_position, session.options)
    try:
        with reject_unawaited():
            drive(referee, action.run(referee), _Trial(session.resolver()))
    except MissingAnswer as missing:
        return ActionState(action, None, missing.request)
    except CompanionError as refusal:
        return ActionState(action, Obstacle(refusal.message, refusal.rule, refusal.cure))
    except Exception:  # unpredictable; or a fault in the rules, which is reported when the action is begun
        pass
    return ActionState(action)


# -- follow a session that other processes play ------------------------------------------------------------------------


class SessionViewer:
    """A read-only view of a session.

    Args:
        path: The archive; "" for the default one.
        session: Its name, by unique prefix; "" for the last used one, even when that changes.
    """

    def __init__(self, path: str, session: str) -> None:
        self._path = database.archive_path(path or None)
        self._session = session
        self._open: tuple[sqlite3.Connection, Archive] | None = None
        self._file: tuple[int, ...] = ()
        self._version = -1
        self._content: tuple[object, ...] = ()
        self._state: SessionState | None = None

    def poll(self) -> SessionState | None:
        """Return the session if anything of it has changed since the last call, else None.

        Raises:
            BadData: The archive is missing or cannot be read; the next call tries again.
            Unreadable: There is no such session.
        """
        connection, archive = self._archive()
        version = database.data_version(self._path, connection)
        if version == self._version:
            return None
        info = archive.session(self._session)
        if self._state is None or self._state.info != info:
            self._state = SessionState.open(archive, info)
        else:
            self._state.refresh()
        self._version = version
        # a review writes every few seconds, and other sessions are played: nothing is drawn again for those
        content = info, self._state.history.seq, archive.fact_revision(info.game)
        is_new, self._content = content != self._content, content
        return self._state if is_new else None

    def _archive(self) -> tuple[sqlite3.Connection, Archive]:
        """Return the archive, reopened if its file has been replaced."""
        identity = database.file_identity(self._path)
        file = (*identity, *database.snapshot_stamp(self._path)) if identity else ()
        if file != self._file or not file:
            self.close()
        if not file:
            raise BadData(f"the archive {self._path} is gone", cure="It is shown again as soon as it is back")
        if self._open is None:
            connection = database.connect_read_only(self._path)
            self._open, self._file = (connection, Archive(self._path, connection)), file
        return self._open

    def close(self) -> None:
        """Close the archive."""
        if self._open is not None:
            self._open[1].close()
        self._open, self._state, self._version, self._content = None, None, -1, ()


class SeenState(NamedTuple):
    """How much of a session has been shown.

    Attributes:
        next: The number of the next entry.
        open: The number of the open entry, or 0.
        events: The number of its events.
        changes, notes: The numbers of corrections and notes.
        others: The number of rows read that other processes wrote.
    """

    position: Position
    next: int
    open: int
    events: int
    changes: int
    notes: int
    others: int

    @classmethod
    def of(cls, session: SessionState) -> SeenState:
        """Return all of a session as seen."""
        history, number = session.history, session.pending_entry
        events = len(session.events_of(number)) if number else 0
        counts = len(history.changes), len(history.notes), session.log.foreign_rows
        return cls(session.position, history.next_number, number, events, *counts)


def changes_since(session: SessionState, seen: SeenState) -> Result:
    """Return what has happened in a session since, as the result of one call.

    The events are those of new play. If entries left or entered force, `fix` leads from the old table to the new one.
    """
    from companion.core.board_fix import board_fix
    from companion.session.advance import Result

    changes = [change for change in session.history.changes[seen.changes :] if change.how != LOOK]
    events, notes = _events(session, seen, changes), [note.text for note in session.history.notes[seen.notes :]]
    after, pending = session.position, session.pending
    lost = session.events_in(number for change in changes for number in change.take)
    gained = session.events_in(number for change in changes for number in change.give)
    fix = board_fix(seen.position, after, session.game, lost, gained) if changes else ()
    notes += [session.broken] if session.broken else []
    entry = session.pending_entry or (session.history.force[-1] if session.history.force else 0)
    done = session.history.open_entry is None
    return Result(seen.position, after, tuple(events), pending, entry, done, tuple(fix), tuple(notes))


def _events(session: SessionState, seen: SeenState, changes: Sequence[Change]) -> list[Event]:
    """Return the events of the entries that were played on, in order."""
    restored = {number for change in changes for number in change.give}
    events: list[Event] = []
    for number in session.history.force:
        if number == seen.open and number not in restored:
            events += session.events_of(number)[seen.events :]
        elif number >= seen.next and number not in restored:
            events += session.events_of(number)
    return events


def last_correction(session: SessionState) -> Result | None:
    """Return the last undo, redo, amend or abort as the result of one call; None if play has gone on since."""
    from companion.core.board_fix import board_fix
    from companion.session.advance import Result

    history, change = session.history, session.history.correction
    if change is None:
        return None
    moved = {*change.take, *change.give}
    numbers = sorted((set(history.force) - set(change.give)) | set(change.take))
    before, lost = history.position(before=min(moved)), list[Event]()
    for number in numbers[bisect_left(numbers, min(moved)) :]:
        events = _old_events(session, number, before)
        before = fold(events, before)
        lost += events if number in moved else ()
    fix = board_fix(before, session.position, session.game, lost, session.events_in(change.give))
    done = history.open_entry is None
    return Result(before, session.position, (), session.pending, history.force[-1], done, tuple(fix))


def _old_events(session: SessionState, number: int, before: Position) -> Sequence[Event]:
    """Return the events of an entry that was in force; one that was never completed is run again from its replies."""
    entry = session.history.entries[number]
    if entry.events is not None or number == session.pending_entry:
        return session.events_of(number)
    from companion.session.entry import resume_entry

    try:  # nothing is rolled, since every reply is stored
        return resume_entry(session.game, session.options, before, entry, 0, session.resolver()).referee.events
    except BadData:  # the rules have changed since
        return ()
