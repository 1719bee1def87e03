"""Exercises on the screen: the position with its question and numbered answers, what an answer costs, and the statistics."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from companion.core.exercises import Exercise
from companion.core.game import Game
from companion.core.position import Position
from companion.core.request import AnyRequest
from companion.core.requests import Confirm, Number
from companion.core.review import Alternative, Estimate
from companion.core.text import natural_key, plural
from companion.core.values import JsonDict
from companion.session.exercises import KeyStatistics, read_answer
from companion.session.state import SessionState
from companion.views.banner import answered_lines, banner_lines
from companion.views.board import occupied_places, place_lines
from companion.views.data import position_data
from companion.views.lines import BLANK, WIDTH, Line, aligned_cells, figure_lines, percent, row_count, table_lines, verbatim_line
from companion.views.question import choice_cells, prompt_line, quick_odds
from companion.views.review import WITH_ARTICLE, amount_text, as_sentence, because, kind_title

_SEPARATORS = ",='\">"
_INDENT = "    "
MADE_UP = "Made-up set: what is printed only on components is made up by us here"


class Answer(NamedTuple):
    """A numbered answer of an exercise: what is typed for it, what it says, and its value."""

    label: str
    text: str
    note: str
    alternative: Alternative


def answers_of(exercise: Exercise, session: SessionState) -> list[Answer]:
    """Return the alternatives of an exercise with a number each, in the order in which the question lists them.

    Of a question for a number each is its own number.
    """
    alternatives, request = exercise.decision.alternatives, _request(exercise, session)
    if request is None:
        ordered = sorted(alternatives, key=lambda one: natural_key(one.text))
        return [Answer(str(number), one.text, _in_brackets(one.plan), one) for number, one in enumerate(ordered, 1)]
    values = {one.text: read_answer(request, one.text) for one in alternatives}
    if isinstance(request, Number):
        ordered = sorted(alternatives, key=lambda one: int(values[one.text]))
        return [Answer(str(values[one.text]), one.text, _in_brackets(one.plan), one) for one in ordered]
    choices, labels = request.legal_choices(), request.labels()
    if isinstance(request, Confirm):
        values = {text: "yes" if value else "no" for text, value in values.items()}
    places = {choice.value: place for place, choice in enumerate(choices)}
    ordered = sorted(alternatives, key=lambda one: (_place(values[one.text], places), natural_key(one.text)))
    is_listed = all(isinstance(value, str) and value in places for value in values.values())
    is_whole = is_listed and bool(labels) and all(map(str.isdecimal, labels))
    odds, answers = quick_odds(request), []
    for number, one in enumerate(ordered, 1):
        value = values[one.text]
        choice = choices[places[value]] if is_whole else None
        text, note = choice_cells(choice, odds.get(choice.value, "")) if choice else (one.text, "")
        label = labels[places[value]] if is_whole else str(number)
        answers.append(Answer(label, text, " ".join(filter(None, [note, _in_brackets(one.plan)])), one))
    return answers


def _in_brackets(text: str) -> str:
    return f"({text})" if text else ""


def _place(value: object, places: dict[str, int]) -> int:
    return places.get(value, len(places)) if isinstance(value, str) else len(places)


def _request(exercise: Exercise, session: SessionState) -> AnyRequest | None:
    return session.pending if exercise.action else None


def heading(exercise: Exercise, game: Game, place: str = "") -> Line:
    """Return what an exercise is of. `place`: which of how many."""
    whose = f"from your session {exercise.source}" if exercise.source else "of the set"
    seat = game.seats.get(exercise.decision.seat, exercise.decision.seat)
    side = f"you are {seat}" if len(game.players.seats) > 1 else ""
    return Line(", ".join(filter(None, [f"Exercise {place}".strip(), whose, side])), "title")


def exercise_lines(
    exercise: Exercise, session: SessionState, answers: Sequence[Answer], place: str = "", rows: int = 0, columns: int = 80
) -> list[Line]:
    """Return an exercise: the position as far as it fits on the screen, the question and its answers.

    Args:
        exercise, session, answers: The exercise, the session that it opens, and its numbered answers.
        place: Which of how many it is.
        rows, columns: Of the screen; 0 rows: no limit.
    """
    game, position, request = session.game, session.position, _request(exercise, session)
    head = [heading(exercise, game, place)]
    if exercise.facts and not exercise.source:
        head.append(Line(MADE_UP, "warning", "", "! "))
    head += banner_lines(game, position, session.options)
    entry = session.history.open_entry
    asked = answered_lines(entry, request, position) if entry and request else []
    asked += [prompt_line(request, to_tap=True) if request else Line("Which action?", "question", "", "? ")]
    notes = any(one.note for one in answers)
    asked += table_lines([(one.label.rjust(2), one.text, *([one.note] if notes else [])) for one in answers], indent="  ")
    # a list has more answers than choices
    others = 0 if request is None or request.accepts_list else len(request.legal_choices()) - len(answers)
    if others > 0:
        asked.append(
            Line(f"Compared are these; {plural(others, 'more answer is', 'more answers are')} legal", "dim", "", _INDENT)
        )
    table = place_lines(game, position, occupied_places(game, position), full=False)
    room = rows - row_count([*head, *asked], columns) - 3
    if rows and row_count(table, columns) > room:
        table = place_lines(game, position, _named_first(game, position, [answer.text for answer in answers]), full=False)
    shown: list[Line] = []
    for line in table:
        if rows and row_count([*shown, line], columns) > room:
            break
        shown.append(line)
    hidden = len(table) - len(shown)
    more = [Line(f"and {plural(hidden, 'more place')}: + shows all", "dim")] if hidden else []
    return [*head, *shown, *more, *asked]


def _named_first(game: Game, position: Position, texts: Sequence[str]) -> list[str]:
    """Return the occupied places, first those that the answers name, or of which they name a piece."""
    named = _spaced(" ".join(texts))

    def is_named(place: str) -> bool:
        return _spaced(place) in named or any(_spaced(piece.name) in named for piece in position.at(place))

    return sorted(occupied_places(game, position), key=lambda place: place in game.cups or not is_named(place))


def _spaced(text: str) -> str:
    """The words of a text, with blanks around each.

    >>> _spaced("move units='11Av > 1525'")
    ' move units 11Av 1525 '
    """
    for separator in _SEPARATORS:
        text = text.replace(separator, " ")
    return f" {' '.join(text.split())} "


def table_on_demand(session: SessionState) -> list[Line]:
    """Return all that lies on the table of an exercise."""
    game, position = session.game, session.position
    return place_lines(game, position, occupied_places(game, position))


def cost_of(exercise: Exercise, alternative: Alternative) -> str:
    """Return what an alternative costs: in the chance to win where it is known, else in VP."""
    return amount_text(alternative.loss, alternative.win_loss if exercise.counts_wins else None, sign=False)


def result_lines(exercise: Exercise, answers: Sequence[Answer], given: Answer, columns: int = WIDTH) -> list[Line]:
    """Return whether an answer is right, what it costs, the value of each alternative, and the reason.

    `columns`: of the screen.
    """
    best = next(one for one in answers if one.alternative == exercise.best)
    grade, wins = exercise.grade(given.alternative), exercise.counts_wins
    if given is best:
        verdict = Line(f"Right: {given.text} is the best", "gain")
    elif exercise.is_right(given.alternative):
        why = "too little to matter" if exercise.is_cheap(given.alternative) else "within the error"
        verdict = Line(f"Right: {given.text} costs {cost_of(exercise, given.alternative)}, {why}", "gain")
    else:
        what = f" is {WITH_ARTICLE[grade]}; it" if grade in WITH_ARTICLE else ""
        verdict = Line(f"Wrong: {given.text}{what} costs {cost_of(exercise, given.alternative)}", "loss")
    by_label = {one.alternative.text: one for one in answers}
    rows = [("", "VP", "+-", *(("to win", "+-") if wins else ()), "behind", "+-", "")]
    for one in exercise.decision.alternatives:
        answer = by_label[one.text]
        win = (percent(one.win.mean), f"{100 * one.win.error:.1f}") if wins and one.win else ()
        behind = one.win_loss if wins and one.win_loss else one.loss
        remark = "best" if one == exercise.best else "as good" if exercise.is_as_good(one) else ""
        remark = "; ".join(filter(None, ["your answer" if answer is given else "", remark]))
        rows.append(
            (f"{answer.label.rjust(2)} {answer.text}", *_cells(one.vp), *win, *_cells(behind, 100 if wins else 1), remark)
        )
    lines = [verdict, *(line for lines in figure_lines(rows, columns) for line in lines)]
    why = because(exercise.decision)
    if given is not best:
        lines.append(Line(f"The best: {best.text}", "", "" if why else exercise.decision.rule))
    if why:
        lines.append(Line(as_sentence(why), "", exercise.decision.rule, "Why: "))
    return lines


def _cells(estimate: Estimate, scale: int = 1) -> tuple[str, str]:
    return f"{scale * estimate.mean + 0.0:.1f}", f"{scale * estimate.error:.1f}"


def summary_lines(right: int, costs: Sequence[float], due: int, next_due: int, today: int) -> list[Line]:
    """Return how a drill went, and when something is due again."""
    if not costs:
        return [*due_lines(due, next_due, today)]
    mean = sum(costs) / len(costs)
    text = f"{right} of {plural(len(costs), 'answer')} right, mean cost {100 * mean:.1f} % of a win"
    return [Line(text, "title"), *due_lines(due, next_due, today)]


def due_lines(due: int, next_due: int, today: int) -> list[Line]:
    """Return how many exercises are due, or on which day the next one is."""
    if due:
        return [Line(f"{plural(due, 'exercise is', 'exercises are')} due", "dim")]
    if not next_due:
        return []
    when = "tomorrow" if next_due == today + 1 else date.fromordinal(next_due).isoformat()
    return [Line(f"The next one is due {when}", "dim")]


def statistics_lines(game: Game, rows: Sequence[KeyStatistics]) -> list[Line]:
    """Return the answers by kind of decision."""
    if not rows:
        return [Line(f"{game.title}: nothing was answered yet. Begin: companion drill {game.id}", "dim")]
    answers, due = sum(row.answers for row in rows), sum(row.due for row in rows)
    right = sum(row.right * row.answers for row in rows) / answers
    cost = sum(row.cost * row.answers for row in rows) / answers
    cells: list[tuple[str, ...]] = [("decision", "answers", "right", "mean cost", "due")]
    cells += [_statistics_row(kind_title(row.key), row.answers, row.right, row.cost, row.due) for row in rows]
    cells.append(_statistics_row("all", answers, right, cost, due))
    note = "Cost: in a hundredth of a win; where no chance to win is known, VP are counted as a share of one"
    title = Line(f"Exercises of {game.title}", "title")
    return [title, *(verbatim_line(f"  {row}") for row in aligned_cells(cells)), BLANK, Line(note, "dim")]


def _statistics_row(name: str, answers: int, right: float, cost: float, due: int) -> tuple[str, ...]:
    return name, str(answers), f"{right:.0%}", f"{100 * cost:.1f}", str(due)


# -- plain data ----------------------------------------------------------------------------------------------------------


def exercise_data(exercise: Exercise, session: SessionState, answers: Sequence[Answer], due: bool, brief: bool) -> JsonDict:
    """Return an exercise as JSON data, without the values. `brief`: without the position."""
    request, decision = _request(exercise, session), exercise.decision
    return {
        "id": exercise.id,
        "source": exercise.source,
        "due": due,
        "turn": decision.turn,
        "seat": decision.seat,
        "key": decision.key,
        "kind": decision.kind,
        "rule": decision.rule,
        "prompt": request.prompt if request else "Which action?",
        "answers": [{"number": one.label, "text": one.text, "note": one.note} for one in answers],
        **({} if brief else {"position": position_data(session.position)}),
    }


def result_data(exercise: Exercise, answers: Sequence[Answer], given: Answer) -> JsonDict:
    """Return an answer as JSON data, with the values of all alternatives, the best first."""
    by_text = {one.alternative.text: one for one in answers}
    wins = exercise.counts_wins
    return {
        "id": exercise.id,
        "number": given.label,
        "right": exercise.is_right(given.alternative),
        "grade": exercise.grade(given.alternative),
        "best": exercise.best.text,
        "reason": exercise.decision.reason,
        **_loss_data(given.alternative, wins),
        "alternatives": [
            {
                "number": by_text[one.text].label,
                "text": one.text,
                "vp": one.vp.mean,
                "vp_error": one.vp.error,
                "win": one.win.mean if wins and one.win else None,
                "win_error": one.win.error if wins and one.win else None,
                **_loss_data(one, wins),
                "right": exercise.is_right(one),
            }
            for one in exercise.decision.alternatives
        ],
    }


def _loss_data(one: Alternative, wins: bool) -> JsonDict:
    shown = one.win_loss if wins else None
    return {
        "loss": one.loss.mean,
        "loss_error": one.loss.error,
        "win_loss": None if shown is None else shown.mean,
        "win_loss_error": None if shown is None else shown.error,
    }
