"""Charts: look-up tables by die, scale or row name, with columns and a rule number.

A chart is refused if rows are missing or overlap, a cell does not fit its column, or a citation is missing. All faults
are reported at once.
"""

from collections.abc import Callable, Mapping, Sequence

from companion.core.dice import Dice, parse_dice
from companion.core.errors import RuleFault, Unreadable
from companion.core.hints import Any
from companion.core.named_tuple import NamedTuple
from companion.core.text import pick_name, plural
from companion.core.values import JsonObject

Cell = int | str | bool

KEYS = {
    "title": "title of the chart",
    "rule": "rule that it belongs to",
    "source": "printed chart that it copies",
    "die": 'dice rolled on it, `"d6"`, `"2d6"`; every total needs a row',
    "scale": "instead of dice: meaning of the number; the rows cover every number",
    "names": "instead of dice: names of the rows",
    "columns": 'name = `"integer"`, `"boolean"`, `"text"`, `"fraction"`, or a list of the allowed texts',
    "rows": 'a number, a range such as `"1-2"`, or a name = a list with a cell for each column',
    "cites": "rules of single rows",
    "note": "a remark",
}
"""The keys of a chart file. Required: ``title``, ``rule``, ``source``, ``columns``, ``rows``, and one of the next three."""
_FAR = 10**9


class Span(NamedTuple):
    """A range of whole numbers, both ends included."""

    low: int
    high: int


class Chart(NamedTuple):
    """A chart: the cells of each row by row key as written, the dice rolled on it or None, and what each column may hold.

    ``spans``: for charts on dice or a scale, the numbers of each row key. ``read``: cache of the cells looked up.
    """

    id: str
    title: str
    rule: str
    source: str
    dice: Dice | None
    columns: Mapping[str, str | Sequence[str]]
    rows: Mapping[str, tuple[Cell, ...]]
    spans: Mapping[str, Span]
    cites: Mapping[str, str]
    note: str
    read: dict[tuple[str | int, str], Cell]

    def row(self, key: str | int) -> str:
        """The row key for a number on a die or scale, or for a row name (unique prefix). Raises Unreadable: there is none."""
        if str(key) in self.rows:
            return str(key)
        if self.spans:
            try:
                number = max(-_FAR, min(_FAR, int(key)))
            except ValueError:
                raise Unreadable(f"the {self.title} is read by a number, not '{key}'", rule=self.rule) from None
            for name, span in self.spans.items():
                if span.low <= number <= span.high:
                    return name
            raise Unreadable(f"the {self.title} has no row for {number}", rule=self.rule)
        return pick_name(str(key), list(self.rows), f"row of the {self.title}")

    def cell(self, key: str | int, column: str) -> Cell:
        """The value of a cell. Raises RuleFault: there is no such row or column."""
        cell = self.read.get((key, column))
        if cell is None:
            if column not in self.columns:
                raise RuleFault(f"the chart '{self.id}' has no column '{column}': {', '.join(self.columns)}")
            cell = self.read[key, column] = self.rows[self._row_for_rules(key)][[*self.columns].index(column)]
        return cell

    def _row_for_rules(self, key: str | int) -> str:
        """As `row`. Raises RuleFault: there is none, and the rules looked it up."""
        try:
            return self.row(key)
        except Unreadable as fault:
            raise RuleFault(f"the chart '{self.id}': {fault.message}") from None

    def number(self, key: str | int, column: str) -> int:
        """The value of a cell in a column of whole numbers."""
        return int(self.cell(key, column))

    def text(self, key: str | int, column: str) -> str:
        """The value of a cell in a column of texts."""
        return str(self.cell(key, column))

    def cite(self, key: str | int) -> str:
        """The rule of a row: its own, or the chart's. Raises RuleFault: there is no such row."""
        return self.cites.get(self._row_for_rules(key), self.rule)


def read_span(text: str) -> Span:
    """Parse ``3``, ``1-2``, ``..0``, ``101..`` or ``-3..-1``. Raises ValueError.

    >>> read_span("1-2"), read_span("-3..-1")
    (Span(low=1, high=2), Span(low=-3, high=-1))
    """
    if ".." in text:
        low, _, high = text.partition("..")
        span = Span(int(low) if low else -_FAR, int(high) if high else _FAR)
    else:
        low, dash, high = text.partition("-") if not text.startswith("-") else (text, "", "")
        span = Span(int(low), int(high) if dash else int(low))
    if span.low > span.high:
        raise ValueError(text)
    return span


_CHECKS: dict[str, Callable[[Any], bool]] = {
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "text": lambda value: isinstance(value, str),
    "fraction": lambda value: isinstance(value, str) and value in ("-", "1/4", "1/2", "3/4", *map(str, range(1, 21))),
}
"""The kinds of columns, with a test for their cells."""


def _cell_fits(cell: Any, allowed: Any) -> bool:
    if isinstance(allowed, str):
        return allowed in _CHECKS and _CHECKS[allowed](cell)
    return cell in allowed


def _head_faults(name: str, data: JsonObject) -> list[str]:
    faults = [f"{name}: unknown key '{key}'" for key in data if key not in KEYS]
    missing = [key for key in ("title", "rule", "source") if not isinstance(data.get(key), str) or not data[key]]
    faults += [f"{name}: '{key}' is missing or is no text" for key in missing]
    faults += [f"{name}: '{key}' is missing or is no table" for key in ("columns", "rows") if not isinstance(data.get(key), dict)]
    if sum(key in data for key in ("die", "scale", "names")) != 1:
        faults.append(f"{name}: needs exactly one of 'die', 'scale' and 'names'")
    return faults


def _spans(name: str, rows: JsonObject, low: int, high: int, what: str) -> tuple[dict[str, Span], list[str]]:
    spans: dict[str, Span] = {}
    faults: list[str] = []
    for key in rows:
        try:
            spans[key] = read_span(key)
        except ValueError:
            faults.append(f"{name}: rows.{key}: is neither a number nor a range of numbers")
    expected = low
    for key, span in sorted(spans.items(), key=lambda item: item[1]):
        if span.low > expected:
            faults.append(f"{name}: rows: nothing for {expected} to {span.low - 1} of {what}")
        if span.low < expected:
            faults.append(f"{name}: rows.{key}: overlaps another row or leaves {what}")
        expected = max(expected, span.high + 1)
    if expected <= high:
        faults.append(f"{name}: rows: nothing for {expected} and above of {what}")
    if expected > high + 1:
        faults.append(f"{name}: rows: goes beyond {what}")
    return spans, faults


def _row_faults(name: str, columns: JsonObject, rows: JsonObject) -> list[str]:
    faults = []
    for key, cells in rows.items():
        if not isinstance(cells, list) or len(cells) != len(columns):
            count = len(cells) if isinstance(cells, list) else "no"
            faults.append(f"{name}: rows.{key}: {count} of {plural(len(columns), 'cell')}")
            continue
        for (column, allowed), cell in zip(columns.items(), cells, strict=True):
            if not _cell_fits(cell, allowed):
                faults.append(f"{name}: rows.{key}: {column} cannot be {cell!r}")
    return faults


def build_chart(chart_id: str, data: JsonObject, name: str = "") -> tuple[Chart | None, list[str]]:
    """Return the chart, or None, and all faults. ``name`` is the file, for messages."""
    name = name or chart_id
    faults = _head_faults(name, data)
    if faults:
        return None, faults
    rows, columns, cites = data["rows"], data["columns"], data.get("cites", {})
    dice: Dice | None = None
    spans: dict[str, Span] = {}
    if "die" in data:
        try:
            dice = parse_dice(str(data["die"]))
        except Unreadable as fault:
            return None, [f"{name}: die: {fault}"]
        spans, faults = _spans(name, rows, dice.number + dice.plus, dice.number * dice.sides + dice.plus, str(dice))
    elif "scale" in data:
        spans, faults = _spans(name, rows, -_FAR, _FAR, "the scale")
    else:
        faults = [f"{name}: rows.{row}: is missing" for row in data["names"] if row not in rows]
        faults += [f"{name}: rows.{row}: is not among the names" for row in rows if row not in data["names"]]
    faults += [f"{name}: columns.{column}: unknown kind {kind!r}" for column, kind in columns.items() if not _is_kind(kind)]
    faults += _row_faults(name, columns, rows)
    faults += [f"{name}: cites.{row}: there is no such row" for row in cites if row not in rows]
    faults += [f"{name}: cites.{row}: a rule number is quoted text" for row, cite in cites.items() if not isinstance(cite, str)]
    if faults:
        return None, faults
    cells = {key: tuple(row) for key, row in rows.items()}
    head = chart_id, data["title"], data["rule"], data["source"]
    return Chart(*head, dice, columns, cells, spans, cites, data.get("note", ""), {}), []


def _is_kind(kind: Any) -> bool:
    if isinstance(kind, str):
        return kind in _CHECKS
    return isinstance(kind, list) and bool(kind) and all(isinstance(item, str) for item in kind)
