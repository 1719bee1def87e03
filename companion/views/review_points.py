"""The points of a review as data for its page: what lies where, what was done, and what each decision cost.

Each text and each row of texts is stored once. Of the table only the differences to the point before are stored, so that the
page of a campaign stays small.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

from companion.core.events import fold
from companion.core.game import Game
from companion.core.map import Space
from companion.core.position import Position
from companion.core.review import Alternative, GraphPoint, ReviewedDecision, Step
from companion.core.text import clean
from companion.core.values import JsonDict
from companion.session.state import SessionState
from companion.views import map_text
from companion.views.board import occupied_places, place_text
from companion.views.lines import cited, value_text
from companion.views.log import entry_lines
from companion.views.map_svg import MapPicture
from companion.views.review import (
    WITH_ARTICLE,
    SessionReview,
    amount_text,
    as_sentence,
    because,
    cost_text,
    decision_title,
    part_title,
    shown_win,
    step_number,
)

SECTIONS = ("tracks", "places", "map", "counters")
"""Parts of the table at a point; each is a list of rows."""

_BETWEEN = ", "  # long texts are lists, whose items recur


class Interned:
    """Values that are stored once, with their numbers."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._numbers: dict[Hashable, int] = {}

    def number(self, value: Hashable) -> int:
        """Return the number of a value, and store it if it is new."""
        number = self._numbers.setdefault(value, len(self.values))
        if number == len(self.values):
            self.values.append(value)
        return number


class PageData:
    """Collects the points of the page."""

    def __init__(self) -> None:
        self.texts = Interned()
        self.rows = Interned()
        self._shown: dict[str, list[int]] = {name: [] for name in SECTIONS}

    def text(self, text: str) -> int:
        """Return the number of a text, without control characters."""
        return self.texts.number(clean(text))

    def row(self, *cells: str | float, listed: str = "") -> int:
        """Return the number of a row: its cells, and the items of a list. Numbers stay as they are."""
        parts = [self.text(cell) if isinstance(cell, str) else cell for cell in cells]
        return self.rows.number((*parts, *(self.text(item) for item in listed.split(_BETWEEN) if listed)))

    def differences(self, sections: Mapping[str, list[int]]) -> JsonDict:
        """Return the parts of the table that differ from the point before, each as the splices that lead to it."""
        found = {name: splices(self._shown[name], rows) for name, rows in sections.items()}
        self._shown.update(sections)
        return {name: changes for name, changes in found.items() if changes}


def splices(before: Sequence[int], after: Sequence[int]) -> list[list[int]]:
    """Return what changes one list into another: the first index, how many go, and what takes their place.

    >>> splices([1, 2, 3, 4], [1, 9, 3, 8]), splices([1, 2, 3], [1, 3]), splices([1], [1])
    ([[1, 1, 9], [3, 1, 8]], [[1, 1]], [])
    """
    if len(before) == len(after):
        changes: list[list[int]] = []
        for index, (old, new) in enumerate(zip(before, after, strict=True)):
            if old == new:
                continue
            if changes and changes[-1][0] + changes[-1][1] == index:
                changes[-1][1] += 1
                changes[-1].append(new)
            else:
                changes.append([index, 1, new])
        return changes
    start = _common(before, after)
    end = _common(before[start:][::-1], after[start:][::-1])
    return [[start, len(before) - start - end, *after[start : len(after) - end]]]


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    """Return how many items two lists begin with alike."""
    shorter = min(len(one), len(other))
    return next((index for index in range(shorter) if one[index] != other[index]), shorter)


class _PointPicture(MapPicture):
    """A drawing in which the counters are apart from all that stays the same."""

    def fixed_rows(self) -> list[str]:
        """Return the rows of the picture without counters, heading and styles, which the page has once."""
        rows = self.document().split("\n")
        return [row for row in rows if row and not row.startswith("<style>") and 'class="head"' not in row]

    def _content(self, space: Space) -> str:
        return super()._content(space._replace(stacks=()))

    def counters(self) -> Iterator[tuple[float, float, str, str, str]]:
        """Yield each counter: its corner, its class, what is written on it, and its pieces."""
        for name in self.cells:
            for x, y, stack in self.placed_stacks(self.map.spaces[name]):
                if stack is None:
                    yield x, y, "", "+", f"{name}: more"
                else:
                    text = map_text.stack_text(stack, self.marks)[:4]
                    yield x, y, self.counter_kind(stack.side), text, f"{name}: {_BETWEEN.join(stack.names)}"


class TableReader:
    """Reads what lies on the table at the positions of a session."""

    def __init__(self, session: SessionState, data: PageData) -> None:
        self._game: Game = session.game
        self._options = session.options
        self._facts = session.log.facts()
        self._learnt = session.archive.inferred_facts(session.game.id) if session.game.has_map else ()
        self._data = data
        self._drawn: tuple[Any, list[int]] = (None, [])

    def sections(self, position: Position) -> dict[str, list[int]]:
        """Return the rows of each part of the table."""
        game, row = self._game, self._data.row
        tracks = [name for name in {**game.tracks, **position.tracks} if game.track_title(name)]
        flags = [(game.flag_title(flag), value) for flag, value in sorted(position.flags.items()) if game.flag_title(flag)]
        places = [(game.place_title(place), place_text(game, position, place)) for place in occupied_places(game, position)]
        return {
            "tracks": [
                *(row(game.track_title(track), game.track(track, position.track(track))) for track in tracks),
                *(row(title, value_text(value)) for title, value in flags),
            ],
            "places": [row(title, listed=text) for title, text in places],
            **self._map(position),
        }

    def _map(self, position: Position) -> dict[str, list[int]]:
        game, row = self._game, self._data.row
        if not game.has_map:
            return {"map": [], "counters": []}
        map = map_text.known_map(game, position, self._options, self._facts, self._learnt)
        cells = map_text.space_cells(map)
        left, top = (min((cell[axis] for cell in cells.values()), default=0) for axis in (0, 1))
        picture = _PointPicture(map, {name: (x - left, y - top) for name, (x, y) in cells.items()}, "")
        counters = [row(*counter[:4], listed=counter[4]) for counter in picture.counters()]
        # what does not change is drawn once: the letters are those of the legend
        letters = {(stack.side, stack.letter) for space in map.spaces.values() for stack in space.stacks}
        bare = (letters, map.links, map.notes, [space._replace(stacks=()) for space in map.spaces.values()])
        if bare != self._drawn[0]:
            self._drawn = bare, [row(text) for text in picture.fixed_rows()] if cells else []
        return {"map": self._drawn[1], "counters": counters if cells else []}


def positions(session: SessionState) -> Iterator[tuple[int, Position]]:
    """Yield the number of each complete action in force with the position after it."""
    position = Position()
    for entry in session.history.in_force:
        if entry.events is not None:
            position = fold(entry.events, position)
            yield entry.number, position


def points_data(session: SessionState, about: SessionReview) -> JsonDict:
    """Return the points of a review with all that the page shows of them."""
    data, review = PageData(), about.review
    table = TableReader(session, data)
    ends = _last_actions(session, about)

    def place(entry: int) -> int:
        """The point that shows an action: some have none of their own."""
        return min(bisect_left(ends, entry), len(ends) - 1)

    decided: dict[int, list[int]] = {}
    for index, decision in enumerate(review.decisions):
        decided.setdefault(place(decision.entry), []).append(index)
    steps: dict[int, list[int]] = {}
    for step in review.steps:
        steps.setdefault(place(step.entry), []).append(_step_row(about, step, data))
    logs: dict[int, list[int]] = {}
    for entry, rows in _logs(session, data).items():
        if entry > ends[0] or (entry == ends[0] and not about.first):
            marked = rows if entry == review.points[place(entry)].entry else [-entry, *rows]
            logs.setdefault(place(entry), []).extend(marked)
    boards = positions(session)
    upcoming = next(boards, None)
    position = upcoming[1] if upcoming else Position()
    points = []
    for index, point in enumerate(review.points):
        while upcoming is not None and upcoming[0] <= ends[index]:
            position, upcoming = upcoming[1], next(boards, None)
        parts = {"log": logs, "steps": steps, "decisions": decided}
        shown = {name: numbers[index] for name, numbers in parts.items() if index in numbers}
        points.append({"is": _figures(about, point, data), **shown, **data.differences(table.sections(position))})
    decisions = [_decision_data(about, decision, data) for decision in review.decisions]
    start = part_title(about, review.shares()[0])
    return {"start": start, "points": points, "decisions": decisions, "texts": data.texts.values, "rows": data.rows.values}


def _last_actions(session: SessionState, about: SessionReview) -> list[int]:
    """Return the last action before each point; of the start that is the set-up, or what was played before the first turn."""
    points, force = about.review.points, session.history.force
    before = [number for number in force if len(points) > 1 and number < points[1].entry] if about.first else []
    return [point.entry or (before or force)[-1 if before else 0] for point in points]


def _logs(session: SessionState, data: PageData) -> dict[int, list[int]]:
    """Return the rows of each action: the kind of a line, what precedes it after the number of the action, and its text."""
    pieces: dict[str, Any] = {}
    logs = {}
    for entry in session.history.in_force:
        lines = entry_lines(session.game, entry, session.history.status(entry.number), pieces)
        # the number of the action is left out, so that more rows are alike
        leads = [line.lead.strip().removeprefix(str(entry.number)) for line in lines]
        logs[entry.number] = [data.row(line.tone, lead, listed=line.cited) for line, lead in zip(lines, leads, strict=True)]
    return logs


def _figures(about: SessionReview, point: GraphPoint, data: PageData) -> list[float]:
    """Return a point: its action, turn and text, the texts of its values, and the values with their errors."""
    turn = f"{about.game.track_title('turn') or 'Turn'} {point.turn}" if point.turn else ""
    win = shown_win(about, point.win)
    vp = amount_text(point.vp, None, sign=False)
    worth = vp if win is None else amount_text(point.vp, win, sign=False)
    texts = map(data.text, (turn, point.text, worth, vp if win is not None else ""))
    return [point.entry, *texts, *(round(figure, 3) for figure in point.vp), *(round(figure, 4) for figure in win or ())]


def _step_row(about: SessionReview, step: Step, data: PageData) -> int:
    """Return the row of a step: what kind it is, what was done, and what it changed."""
    win = shown_win(about, step.change.win_estimate)
    return data.row(part_title(about, step), step.text, amount_text(step.change.vp_estimate, win))


def _decision_data(about: SessionReview, decision: ReviewedDecision, data: PageData) -> JsonDict:
    """Return a decision with its alternatives; texts are numbers."""
    grade = about.review.grade(decision)
    texts = {
        "title": decision_title(about, decision),
        "asked": cited(decision.prompt or "Which action?", decision.rule),
        "grade": grade,
        "said": verdict_text(about, decision),
    }
    return {
        "at": step_number(decision.entry, decision.reply),
        **{key: data.text(text) for key, text in texts.items()},
        "of": [_alternative_data(about, decision, one, data) for one in decision.alternatives],
    }


def _alternative_data(about: SessionReview, decision: ReviewedDecision, one: Alternative, data: PageData) -> list[float]:
    """Return an alternative: texts of it, of its worth, of how far it is behind and what it is, then its worth and the error."""
    win = shown_win(about, one.win)
    worth, places = (one.vp, 2) if win is None else (win, 4)
    remark = "taken" if one.is_taken else "best" if one.text == decision.best else ""
    remark = "taken, best" if one.is_taken and one.text == decision.best else remark
    text = f"{one.text} ({one.plan})" if one.plan else one.text
    cells = (text, amount_text(one.vp, win, sign=False), behind_text(about, decision, one), remark)
    return [*map(data.text, cells), round(worth.mean, places), round(worth.error, places)]


def behind_text(about: SessionReview, decision: ReviewedDecision, one: Alternative) -> str:
    """Return how far an alternative is behind the best, and whether that is within the error; "" for the best."""
    win = shown_win(about, one.win_loss)
    loss = one.loss if win is None else win
    if not loss.mean and not loss.error:
        return ""
    text = f"{amount_text(one.loss, win, sign=False)} behind"
    return f"{text}, within the error" if about.review.is_within_error(decision, one) else text


def verdict_text(about: SessionReview, decision: ReviewedDecision) -> str:
    """Return what a decision cost in a sentence, and why."""
    grade, cost = about.review.grade(decision), cost_text(about, decision)
    if decision.taken == decision.best:
        return "Nothing better was found."
    why = because(decision)
    reason = f" {as_sentence(why)}" if why else ""
    if grade == "within error":
        return f"{as_sentence(f'{cost}, which is within the error; better perhaps: {decision.best}')}{reason}"
    said = "Good" if grade == "good" else WITH_ARTICLE[grade]
    return f"{as_sentence(f'{said}: {cost}; better: {decision.best}')}{reason}"
