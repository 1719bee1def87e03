"""The map as a file that a person writes: lines, a table of a TOML file, or a spreadsheet.

A file is imported completely or not at all, and every fault is reported with its line.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from companion.core import limits
from companion.core.errors import BadData, CompanionError, Unreadable
from companion.core.game import Game
from companion.core.map import GameMap, split_lines
from companion.core.text import clean, normalised, pick_name, plural

MAX_LINES = limits.MAP_LINES
MAX_FAULTS = 100
_SEPARATORS = (";", "\t", ",")
"""Possible separators of a spreadsheet's cells."""


class MapStatement(NamedTuple):
    """A statement about the map: its line, and a function that reads its facts, given those before it."""

    line: int
    read: Callable[[Mapping[str, str]], Mapping[str, str]]


def geography_of(game: Game) -> GameMap:
    """Return how a game's map is described.

    Raises:
        Unreadable: Nothing of the map can be entered.
    """
    description = game.map
    if description is None or not description.columns:
        raise Unreadable(f"{game.title} has no map to enter", cure=f"What it asks for: companion printed {game.id}")
    return description


def refuse_faults(name: str, faults: Sequence[str]) -> None:
    """Raise BadData if a file has faults; of very many the first are listed."""
    if faults:
        more = [f"and {len(faults) - MAX_FAULTS} more"] if len(faults) > MAX_FAULTS else []
        count = plural(len(faults), "fault")
        raise BadData(f"{name} has {count}", faults=[*faults[:MAX_FAULTS], *more], cure="Nothing of it is taken over")


def collect_facts(statements: Iterable[MapStatement], known: Mapping[str, str], name: str) -> dict[str, str]:
    """Return the facts (full key -> value) of all statements.

    Args:
        tellings: The statements, in order.
        known: The facts known before.
        name: The name of the file, for messages.

    Raises:
        BadData: Some cannot be read; all faults are listed with their lines.
    """
    facts: dict[str, str] = {}
    first_lines: dict[str, int] = {}
    faults: list[str] = []
    for telling in statements:
        try:
            for key, value in telling.read({**known, **facts}).items():
                if facts.setdefault(key, value) != value:
                    raise Unreadable(f"{key} is {value}, but {facts[key]} in line {first_lines[key]}")
                first_lines.setdefault(key, telling.line)
        except CompanionError as fault:
            faults.append(f"line {telling.line}: {fault}")
    refuse_faults(name, faults)
    return facts


# -- lines -------------------------------------------------------------------------------------------------------------


def from_lines(game: Game, text: str, known: Mapping[str, str], name: str = "the file") -> dict[str, str]:
    """Return the facts of a text with one line per space; a line with only a name is skipped.

    Raises:
        BadData: A line cannot be read.
    """
    geography = geography_of(game)
    lines = list(split_lines(text))
    if len(lines) > MAX_LINES:
        raise BadData(f"{name} has {len(lines)} lines, at most {MAX_LINES}", cure="Nothing of it is taken over")
    return collect_facts([MapStatement(number, _reader(geography, line)) for number, line in lines], known, name)


def from_typed(game: Game, text: str, known: Mapping[str, str]) -> dict[str, str]:
    """Return the facts of typed text: one line or several.

    Raises:
        Unreadable: The only line cannot be read.
        BadData: One of several lines cannot be read.
    """
    lines = [line for _, line in split_lines(text)]
    return geography_of(game).read_line(lines[0], known) if len(lines) == 1 else from_lines(game, text, known, "what you entered")


def _reader(geography: GameMap, line: str) -> Callable[[Mapping[str, str]], Mapping[str, str]]:
    def read(known: Mapping[str, str]) -> Mapping[str, str]:
        # a form names the spaces of which nothing is known yet
        return {} if _is_name(geography, line) else geography.read_line(line, known)

    return read


def _is_name(geography: GameMap, line: str) -> bool:
    """True if a line is only the name of a space."""
    try:
        return geography.read_name(line) == line
    except Unreadable:
        return False


def from_table(game: Game, table: object, known: Mapping[str, str], name: str, text: str) -> dict[str, str]:
    """Return the facts of the table ``[map]`` of a TOML file: space -> the rest of its line.

    Args:
        game: The game.
        table: The table.
        known: The facts known before.
        name: The name of the file, for messages.
        text: The file, to find line numbers.

    Raises:
        BadData: An entry cannot be read.
    """
    geography = geography_of(game)
    if not isinstance(table, dict) or len(table) > MAX_LINES:
        fault = f"{name}: [map] must be a table of quoted texts, at most {MAX_LINES}"
        raise BadData(fault, cure=f"Like this: {_as_toml(geography.example)}")
    lines = _lines_of_entries(text)
    return collect_facts(
        [MapStatement(lines.get(space, 1), _entry_reader(geography, space, value)) for space, value in table.items()], known, name
    )


def _lines_of_entries(text: str) -> dict[str, int]:
    """Return the line of each entry of the table ``[map]``; the TOML parser does not tell."""
    rows = list(enumerate(text.splitlines(), 1))
    first = next((number for number, row in rows if row.replace(" ", "").startswith("[map]")), 0)
    return {row.partition("=")[0].strip().strip("\"'"): number for number, row in reversed(rows[first:])}


def _entry_reader(geography: GameMap, space: str, value: object) -> Callable[[Mapping[str, str]], Mapping[str, str]]:
    def read(known: Mapping[str, str]) -> Mapping[str, str]:
        if not isinstance(value, str):
            cure = f"Like this: {_as_toml(geography.example)}"
            raise Unreadable(f"what is entered of '{clean(space)}' must be a quoted text", cure=cure)
        return _reader(geography, f"{clean(space)} {clean(value)}".strip())(known)

    return read


def _as_toml(line: str) -> str:
    space, _, rest = line.partition(" ")
    return f'"{space}" = "{rest}"'


def as_lines(geography: GameMap, facts: Mapping[str, str]) -> Iterator[str]:
    """Yield what is known of the map, one line per space; facts of two spaces are given with the first of them."""
    left = dict(facts)
    for name in geography.form_spaces(facts):
        line = geography.line(name, left)
        yield line or name
        for key in [key for key in left if name in geography.spaces_of(key)] if line else ():
            del left[key]


def as_form(game: Game, facts: Mapping[str, str]) -> str:
    """Return what is known of the map, as a form to fill in."""
    geography = geography_of(game)
    heads = [f"{column.name}: {geography.fact_kind(column).title}" for column in geography.columns]
    lines = [
        f"# The map of {clean(game.title)}: one {geography.space} a line, like this:",
        f"#   {geography.example}",
        *(f"# {clean(head)}" for head in heads),
        "# What you take out of a line is forgotten; a line with a name alone says nothing. # begins a remark.",
        "",
        *as_lines(geography, facts),
    ]
    return "\n".join(lines) + "\n"


def as_table(game: Game, facts: Mapping[str, str]) -> str:
    """Return what is known of the map, as a TOML file."""
    geography = geography_of(game)
    lines = [line.replace("\\", "\\\\").replace('"', '\\"') for line in as_lines(geography, facts) if " " in line]
    return "\n".join([f'game = "{game.id}"', "", "[map]", *map(_as_toml, lines)]) + "\n"


# -- a spreadsheet -----------------------------------------------------------------------------------------------------


def from_sheet(game: Game, text: str, known: Mapping[str, str], name: str) -> dict[str, str]:
    """Return the facts of a spreadsheet (CSV): a row per space, a column per property.

    Raises:
        BadData: It is no such spreadsheet, or a row cannot be read.
    """
    geography = geography_of(game)
    rows = _read_rows(text, name)
    wanted = [geography.space, *(column.name for column in geography.columns)]
    try:
        heads = [pick_name(head, wanted, "column") if normalised(head) else "" for head in rows[0][1]]
    except Unreadable as fault:
        raise BadData(f"{name}, line 1: {fault.message}", cure=f"The columns are: {', '.join(wanted)}") from None
    named = [head for head in heads if head]
    if geography.space not in named or len(set(named)) != len(named):
        lacks = f"no column '{geography.space}'" if geography.space not in named else "a column twice"
        raise BadData(f"{name}, line 1: {lacks}", cure=f"The columns are: {', '.join(wanted)}")
    return collect_facts([MapStatement(number, _row_reader(geography, heads, cells)) for number, cells in rows[1:]], known, name)


def _read_rows(text: str, name: str) -> list[tuple[int, list[str]]]:
    """Return the non-empty rows of a spreadsheet, each with its line; the first is the header."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    # the line that spreadsheets write before all others to say what stands between the cells
    said = plain[:4].casefold() == "sep=" and plain[4:5] in _SEPARATORS and plain[5:6] == "\n"
    head = plain.lstrip().partition("\n")[0]
    between = plain[4] if said else max(_SEPARATORS, key=head.count)
    reader = csv.reader(io.StringIO(plain[5:] if said else plain), delimiter=between, strict=True)
    rows: list[tuple[int, list[str]]] = []
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append((line, [clean(cell).strip() for cell in cells]))
            line = reader.line_num + 1
    except csv.Error as fault:
        raise BadData(f"{name}, line {line}: {fault}", cure="Save it as CSV once more") from None
    if not rows or len(rows) > MAX_LINES:
        raise BadData(f"{name} has {plural(len(rows), 'row')}", cure=f"A heading, and at most {MAX_LINES} rows")
    return rows


def _row_reader(
    geography: GameMap, heads: Sequence[str], cells: Sequence[str]
) -> Callable[[Mapping[str, str]], Mapping[str, str]]:
    def read(known: Mapping[str, str]) -> Mapping[str, str]:
        if any(cells[len(heads) :]):
            raise Unreadable(
                f"{plural(len(cells), 'cell')} under {plural(len(heads), 'head')}",
                cure="Put a cell with commas into quotation marks",
            )
        row = {head: cell for head, cell in zip(heads, cells, strict=False) if head and cell}
        space = row.pop(geography.space, "")
        if not space:
            raise Unreadable(f"no {geography.space} is named")
        return geography.read_row(geography.read_name(space), row, known)

    return read


def as_sheet(game: Game, facts: Mapping[str, str]) -> str:
    """Return the map as a spreadsheet (CSV)."""
    geography = geography_of(game)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([geography.space, *(column.name for column in geography.columns)])
    left = dict(facts)
    for name in geography.form_spaces(facts):
        writer.writerow([name, *geography.cells(name, left)])
        for key in [key for key in left if name in geography.spaces_of(key)]:
            del left[key]
    return out.getvalue()
