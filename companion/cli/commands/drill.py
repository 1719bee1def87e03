"""The command drill: exercises of a game, at the terminal or for a program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from companion.cli.shell import catalog
from companion.cli.shell.archives import load_game, session_archives
from companion.cli.shell.arguments import parse_between
from companion.cli.shell.bar import BAR
from companion.cli.shell.output import error_lines, flush, height, on_terminal, show, width, write, write_paged
from companion.cli.shell.shared import later_odds
from companion.core.errors import BadData, CompanionError, Impossible, Unreadable
from companion.core.text import clean, plural
from companion.core.values import JsonDict
from companion.session.database import archive_path
from companion.session.exercises import Drill, DrillMemory, today
from companion.views import drill as views
from companion.views.lines import BLANK, Line

if TYPE_CHECKING:
    from companion.core.exercises import Exercise
    from companion.core.game import Game
    from companion.session.state import SessionState
    from companion.session.store import Archive
    from companion.views.drill import Answer

_COUNT = 10
_MOST = 1_000
_KEYS = "Type a number. + the whole table, * the odds, ? the question again, - ends"
_Ask = Callable[[str], str]
_NEXT = "[Enter: the next one, - ends] > "


@catalog.DRILL
def drill(
    game: str, own: bool, shipped: bool, count: str, answer: Sequence[str], stats: bool, brief: bool, db: str, json: bool
) -> int:
    """Practise decisions: what costs how much is shown after each answer, and what was wrong comes again after some days.

    Exercises are the mistakes that companion review has found in your own games, and a set made with the made-up components of
    practice. On a terminal each is asked in turn. A program lists them with --json, and answers with --answer.

    Example: companion drill lzalbany --shipped --count 5
    """
    if own and shipped:
        raise Unreadable("--own and --shipped exclude each other", cure="Use one of them, or neither for both")
    number = parse_between(count, "number of exercises", 1, _MOST)
    loaded = _game(game, db, json)
    exercises = Drill(
        loaded, _sessions(loaded, db), DrillMemory(archive_path(db or None)), uses_set=not own, uses_own=not shipped
    )
    if stats:
        rows = exercises.statistics(today())
        data = {"game": loaded.id, "statistics": [row._asdict() for row in rows]}
        show(json, lambda: data, lambda: views.statistics_lines(loaded, rows))
        return 0
    if answer:
        return _answer(exercises, answer, json)
    if not exercises.ids:
        if own:
            what = "no mistakes of yours are known"
            raise Impossible(
                what, cure=f"Review a game: companion review. Those of the set: companion drill {loaded.id} --shipped"
            )
        raise Impossible(f"{loaded.title} has no exercises", cure="Take another game: companion games")
    due = exercises.due(today())
    queue = [*due, *exercises.new()][:number]
    if on_terminal() and not json:
        return _ask_all(exercises, queue)
    return _list(exercises, queue, due, brief, json)


def _game(name: str, db: str, json: bool) -> Game:
    """The named game; else that of the session last played, else the one chosen at the terminal."""
    if name:
        return load_game(name)
    sessions = [last for archive in _archives(db) if (last := archive.last())]
    if sessions:
        return load_game(sessions[0].game)
    if json or not on_terminal():
        raise Unreadable("which game?", cure="companion drill GAME; see: companion games")
    from companion.cli.repl.menus import choose_game

    return load_game(choose_game(None))


def _archives(db: str) -> list[Archive]:
    """The archives of the player's sessions; none if nothing was played yet."""
    with suppress(Unreadable):
        return session_archives(db)
    return []


def _sessions(game: Game, db: str) -> Iterator[SessionState]:
    """The player's sessions of a game, without those that cannot be read."""
    from companion.session.state import SessionState

    for archive in _archives(db):
        for info in archive.sessions():
            if info.game == game.id:
                with suppress(BadData):
                    yield SessionState.open(archive, info)


# -- for a program ---------------------------------------------------------------------------------------------------------


def _list(exercises: Drill, queue: Sequence[str], due: Sequence[str], brief: bool, json: bool) -> int:
    opened = [(exercise, session, views.answers_of(exercise, session)) for exercise, session in _opened(exercises, queue)]
    game = exercises.game
    document: JsonDict = {
        "game": game.id,
        "exercises": [views.exercise_data(*one, due=one[0].id in due, brief=brief) for one in opened],
        "due": len(due),
        "new": len(exercises.new()),
    }

    def lines() -> list[Line]:
        parts = [[*views.exercise_lines(*one), _command_line(game, one[0], one[2]), BLANK] for one in opened]
        rest = views.due_lines(len(due), exercises.next_due(), today())
        return [line for part in parts for line in part] + (rest or [Line("Nothing is due", "dim")] * (not parts))

    show(json, lambda: document, lines)
    return 0


def _command_line(game: Game, exercise: Exercise, answers: Sequence[Answer]) -> Line:
    return Line(f"Answer it with: companion drill {game.id} --answer {exercise.id}={answers[0].label}", "dim")


def _opened(exercises: Drill, ids: Sequence[str]) -> Iterator[tuple[Exercise, SessionState]]:
    """The exercises with the sessions that they open, without those that the rules do not lead to any more."""
    for id in ids:
        with suppress(CompanionError):
            exercise = exercises.exercise(id)
            yield exercise, exercises.open(exercise)


def _answer(exercises: Drill, given: Sequence[str], json: bool) -> int:
    """Answer exercises, all or none."""
    taken: list[tuple[Exercise, list[Answer], Answer]] = []
    for text in given:
        id, equals, label = text.partition("=")
        if not equals or id not in exercises.ids:
            cure = f"See: companion drill {exercises.game.id} --json"
            raise Unreadable(f"'{clean(text)}' is no answer to an exercise, such as ID=1", cure=cure)
        exercise = exercises.exercise(id)
        answers = views.answers_of(exercise, exercises.open(exercise))
        taken.append((exercise, answers, _chosen(label.strip(), answers)))
    for exercise, _, answer in taken:
        exercises.answer(exercise, answer.alternative)
    data = {"game": exercises.game.id, "results": [views.result_data(*one) for one in taken], "kept": not exercises.memory.fault}
    show(json, lambda: data, lambda: [line for one in taken for line in (*views.result_lines(*one), *_not_kept(exercises))])
    return 0


def _chosen(typed: str, answers: Sequence[Answer]) -> Answer:
    """The answer of a number. Raises Unreadable: there is none."""
    for answer in answers:
        if typed.casefold() in (answer.label.casefold(), answer.text.casefold()):
            return answer
    labels = ", ".join(answer.label for answer in answers)
    raise Unreadable(f"'{clean(typed)}' is none of the answers", cure=f"Type one of: {labels}")


def _not_kept(exercises: Drill) -> list[Line]:
    fault = exercises.memory.fault
    return [Line(f"The answer is not remembered: {fault} ({exercises.memory.path})", "warning", "", "! ")] if fault else []


# -- at a terminal ---------------------------------------------------------------------------------------------------------


class _Left(Exception):
    """The player leaves."""


def _ask_all(exercises: Drill, queue: Sequence[str]) -> int:
    """Ask exercises in turn until the player leaves; what was answered is kept at once."""
    from companion.cli.repl.prompt import Prompt
    from companion.cli.repl.terminal import Terminal

    terminal = Terminal()
    costs: list[float] = []
    right = 0

    def ask(text: str) -> str:
        flush()
        return clean(terminal.ask(Prompt(text))).strip()

    with suppress(_Left, KeyboardInterrupt, EOFError):
        for place, id in enumerate(queue, 1):
            with suppress(BadData):
                exercise = exercises.exercise(id)
                session = exercises.open(exercise)
                session.watch = BAR.show
                answer = _ask_one(exercises, exercise, session, f"{place} of {len(queue)}", ask, is_first=place == 1)
                right += exercise.is_right(answer.alternative)
                costs.append(max(0.0, exercise.loss(answer.alternative).mean))
                if place < len(queue):
                    while (typed := ask(_NEXT)) and not _has_run(typed, session):
                        pass
    waiting = len(exercises.due(today()))
    write([BLANK, *views.summary_lines(right, costs, waiting, exercises.next_due(), today())])
    if not queue:
        write([Line(f"Nothing is due of {plural(len(exercises.ids), 'exercise')}", "dim")])
    flush()
    return 0


def _ask_one(exercises: Drill, exercise: Exercise, session: SessionState, place: str, ask: _Ask, *, is_first: bool) -> Answer:
    """Ask an exercise, keep the answer and show what it costs. `is_first`: name the keys. Raises _Left."""
    answers = views.answers_of(exercise, session)
    keys = [Line(_KEYS, "dim")] if is_first else []
    question = views.exercise_lines(exercise, session, answers, place, max(height() - len(keys), 0), width())
    write([BLANK, *question, *keys])
    while True:
        typed = ask("> ")
        if typed in ("?", ""):
            write([*(question if typed else ()), Line(_KEYS, "dim")])
            continue
        if _has_run(typed, session):
            continue
        try:
            answer = _chosen(typed, answers)
        except Unreadable as error:
            write(error_lines(error))
            continue
        exercises.answer(exercise, answer.alternative)
        write([*views.result_lines(exercise, answers, answer, width()), *_not_kept(exercises)])
        return answer


def _has_run(typed: str, session: SessionState) -> bool:
    """Carry out a key that is no answer; return False if it is none. Raises _Left."""
    if typed.casefold() in ("-", "/quit", "/exit", "/q", "quit", "exit", "q"):
        raise _Left
    if typed in ("+", "/show", "show"):
        write_paged(views.table_on_demand(session))
        return True
    if typed in ("*", "/odds", "odds"):
        from companion.views.question import odds_lines

        if session.pending is None:
            write([Line("The choice of an action has no odds: type its number", "dim")])
            return True
        try:
            odds = session.odds()
            write_paged(odds_lines(odds), later_odds(odds))
        except CompanionError as error:
            write(error_lines(error))
        return True
    return False
