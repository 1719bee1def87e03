"""Printed facts: list, set, import and export them; the made-up sets and archives for practice.

The file is TOML: ``game = "id"`` and a table ``[facts]`` of quoted keys and values, each in the notation of its kind. Others may
have written it, so it is read strictly and within bounds, and all faults are reported at once.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple

from companion.core import limits
from companion.core.errors import BadData, CompanionError, Illegal, Unreadable
from companion.core.game import Fact, Game
from companion.core.map import GameMap, split_lines
from companion.core.text import clean, normalised, pick_name, plural
from companion.core.values import JsonDict
from companion.games import GAMES
from companion.session.files import PRACTICE, game_folder
from companion.session.store import TOLD, Archive

NO_FACTS: Mapping[str, str] = MappingProxyType({})
MAX_BYTES = limits.FACTS_FILE
MAX_FACTS = limits.FACTS


FactSource = Literal["told", "learnt", "rulebook", "missing"]


class FactLine(NamedTuple):
    """One printed fact in a list.

    Attributes:
        value: As entered or as shipped; "" if it is missing.
        source: ``told``, ``learnt``, ``rulebook`` or ``missing``.
    """

    key: str
    fact: Fact
    value: str
    source: FactSource


def list_facts(game: Game, facts: Mapping[str, str], learnt: Collection[str] = ()) -> list[FactLine]:
    """Return every printed fact that is known or can be asked for at once, kind by kind.

    Of kinds with an open list (units, for example) these are the known ones.
    """
    lines: list[FactLine] = []
    for fact in game.facts:
        mine = [key for key in facts if (kind := game.fact(key)) and (kind.id, kind.single) == (fact.id, fact.single)]
        shipped = {(fact.id if fact.single else f"{fact.id}:{tail}"): value for tail, value in fact.rulebook_values.items()}
        for key in dict.fromkeys([*fact.all_keys(), *shipped, *mine]):
            if key in facts:
                lines.append(FactLine(key, fact, facts[key], "learnt" if key in learnt else TOLD))
            elif key in shipped:
                lines.append(FactLine(key, fact, shipped[key], "rulebook"))
            else:
                lines.append(FactLine(key, fact, "", "missing"))
    return lines


def missing_facts(game: Game, facts: Mapping[str, str]) -> list[FactLine]:
    """Return the facts that the player can still be asked for at once."""
    return [line for line in list_facts(game, facts) if line.source == "missing"]


def full_key(game: Game, text: str) -> tuple[str, Fact]:
    """Return the full key that a text means, and its kind. Both parts may be unique prefixes if the list is fixed.

    Raises:
        Unreadable: There is no such fact.
    """
    head, colon, tail = (part.strip() for part in clean(text).partition(":"))
    kinds = {fact.id: fact for fact in game.facts}
    fact = kinds[pick_name(head, list(kinds), "printed fact", cure=f"See: companion printed {game.id}")]
    if fact.single:
        if colon:
            raise Unreadable(f"'{fact.id}' is one fact and takes nothing after a colon")
        return fact.id, fact
    if not tail:
        example = fact.keys[0] if fact.keys else "NAME"
        raise Unreadable(f"'{fact.id}' needs to know which one", cure=f"Type it like this: {fact.id}:{example}")
    full = f"{fact.id}:{pick_name(tail, fact.keys, fact.title) if fact.keys else tail[:120]}"
    return (game.map.normalise_key(full) if game.map else full), fact


def set_fact(archive: Archive, game: Game, key: str, value: str, anyway: bool = False) -> tuple[str, str]:
    """Record one fact; return its full key and its value as stored.

    Args:
        anyway: Record it even if it contradicts others.

    Raises:
        Unreadable: There is no such fact, or the value cannot be read.
        Illegal: It contradicts another fact.
    """
    full, fact = full_key(game, key)
    read = fact.notation(clean(value))
    if not anyway and (fault := game.contradiction(archive.printed(game.id), full, read)):
        raise Illegal(fault, cure="Enter the other one again first, or record it anyway: --anyway")
    archive.record_facts(game.id, {full: read})
    return full, read


def withdraw_fact(archive: Archive, game: Game, key: str) -> str:
    """Withdraw one fact, so that it is asked for again; return its full key.

    Raises:
        Unreadable: It was never entered.
    """
    facts = archive.printed(game.id)
    full = pick_name(clean(key), list(facts), "fact that was entered", cure=f"See: companion printed {game.id}")
    archive.record_facts(game.id, {full: ""})
    return full


# -- the file ----------------------------------------------------------------------------------------------------------


def _quoted(text: str) -> str:
    return '"' + clean(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def export_text(archive: Archive, game: Game) -> str:
    """Return the facts entered, as a file to be imported; missing ones follow, commented out, with an example."""
    facts = archive.printed(game.id)
    lines = [f"# Printed facts of {clean(game.title)}, as copied from a set", f"game = {_quoted(game.id)}", "", "[facts]"]
    lines += [f"{_quoted(key)} = {_quoted(value)}" for key, value in sorted(facts.items())]
    lacking = missing_facts(game, facts)
    if lacking:
        lines += ["", "# Missing; take the # away and write what your set says instead of the example."]
        lines += [f"# {_quoted(line.key)} = {_quoted(line.fact.notation.example)}" for line in lacking]
    return "\n".join(lines) + "\n"


def read_file(game: Game, content: bytes | str, name: str = "the file", known: Mapping[str, str] = NO_FACTS) -> dict[str, str]:
    """Return the facts of a file in their normal form; a table ``[map]`` describes the map, one entry per space.

    Raises:
        BadData: The file has faults; all are listed.
    """
    raw = content if isinstance(content, bytes) else content.encode("utf-8", "replace")
    if len(raw) > MAX_BYTES:
        raise BadData(f"{name} is too big", cure=f"At most {MAX_BYTES // 1_000_000} MB")
    data = _parse(raw, name)
    faults = [f"{clean(str(key))}: unknown key" for key in data if key not in ("game", "facts", "map")]
    if data.get("game") != game.id:
        faults.append(f"game: must be '{game.id}', not {_excerpt(data.get('game'))}")
    facts = data.get("facts", {} if "map" in data else None)
    if not isinstance(facts, dict):
        faults.append("facts: is missing or is no table")
        facts = {}
    if len(facts) > MAX_FACTS:
        faults.append(f"facts: {plural(len(facts), 'value')}, at most {MAX_FACTS}")
        facts = {}
    facts_read: dict[str, str] = {}
    for key, value in facts.items():
        try:
            full, read = _read_entry(game, key, value)
            facts_read[full] = read
        except Unreadable as fault:
            faults.append(f"facts.{clean(key)[:80]}: {fault}")
    refuse_faults(name, faults)
    if "map" not in data:
        return facts_read
    mapped = from_table(game, data["map"], {**known, **facts_read}, name, raw.decode("utf-8-sig"))
    twice = [key for key, value in facts_read.items() if mapped.get(key, value) != value]
    if twice:
        said = [f"{key} is {mapped[key]} in [map], but {facts_read[key]} in [facts]" for key in twice[:MAX_FAULTS]]
        raise BadData(f"{name} has {plural(len(twice), 'contradiction')}", faults=said, cure="Say it once")
    return facts_read | mapped


def _parse(raw: bytes, name: str) -> JsonDict:
    import tomllib

    try:
        return tomllib.loads(raw.decode("utf-8-sig"))  # a BOM is what Windows Notepad puts first
    except UnicodeDecodeError:
        raise BadData(f"{name} is not UTF-8 text") from None
    except ValueError as fault:
        raise BadData(
            f"{name} is no TOML: {clean(str(fault))}", cure="Put that line right; nothing of it is taken over"
        ) from None
    except RecursionError:
        raise BadData(f"{name} is nested too deeply") from None


def _read_entry(game: Game, key: str, value: object) -> tuple[str, str]:
    """Return full key and value of one entry."""
    if not isinstance(value, str):
        raise Unreadable(f"must be quoted text, not {_excerpt(value)}")
    plain = clean(key)
    fact = game.fact(plain)
    if fact is None:
        raise Unreadable(f"{game.id} has no such fact")
    tail = plain.partition(":")[2]
    if fact.keys and tail not in fact.keys:
        raise Unreadable(f"'{fact.id}' has no '{tail}'")
    if not fact.single and not tail:
        raise Unreadable(f"'{fact.id}' needs to know which one")
    return plain[:200], fact.notation(clean(value))


def _excerpt(value: object) -> str:
    try:
        return clean(repr(value))[:60]
    except (RecursionError, ValueError):  # thousands of tables within each other; a number of thousands of digits
        return f"such a {type(value).__name__}"


def import_text(
    archive: Archive, game: Game, content: bytes | str, name: str = "the file", anyway: bool = False
) -> dict[str, str]:
    """Record all facts of a file; return those that are new or changed.

    Args:
        anyway: Record facts that contradict each other or those known before.

    Raises:
        BadData: The file has faults; nothing is recorded.
    """
    known = archive.printed(game.id)
    return take_over(archive, game, read_file(game, content, name, known), name, anyway)


def take_over(archive: Archive, game: Game, facts: Mapping[str, str], name: str, anyway: bool = False) -> dict[str, str]:
    """Record facts in their normal form ("" withdraws one); return those that are new or changed.

    Raises:
        BadData: They contradict each other or those known before, and `anyway` is not set; nothing is recorded.
    """
    known = archive.printed(game.id)
    before = game.contradictions(known)
    now = {key: value for key, value in {**known, **facts}.items() if value}
    faults = [] if anyway else [fault for fault in game.contradictions(now) if fault not in before]
    if faults:
        count = plural(len(faults), "contradiction")
        raise BadData(
            f"{name} has {count}", faults=faults[:MAX_FAULTS], cure="Nothing is taken over; --anyway does it all the same"
        )
    learnt = archive.inferred_facts(game.id)
    archive.record_facts(game.id, {key: value for key, value in facts.items() if known.get(key, "") != value or key in learnt})
    return {key: value for key, value in facts.items() if known.get(key, "") != value}


def practice_facts(game: Game) -> dict[str, str]:
    """Return the facts of a game's made-up set, by full key; none if the game needs none.

    Raises:
        BadData: The file has faults.
    """
    path = practice_set_file(game)
    if not path:
        return {}
    with open(path, "rb") as file:
        return read_file(game, file.read(), path)


def practice_set_file(game: Game) -> str:
    """Return the path of a game's made-up set, or ""."""
    path = os.path.join(_tables(game.id), PRACTICE)
    return path if os.path.isfile(path) else ""


def _tables(game_id: str) -> str:
    if game_id in GAMES:
        return game_folder(game_id)
    from companion.session.plugins import tables_folder

    return tables_folder(game_id)


def install_practice_set(archive: Archive, game: Game) -> None:
    """Record a game's made-up set in an archive for practice.

    Raises:
        BadData: The file has faults.
    """
    known, facts = archive.printed(game.id), {**practice_facts(game), **game.whole_map_facts}
    new = {key: value for key, value in facts.items() if known.get(key) != value}
    if new:
        archive.record_facts(game.id, new)


def practice_defaults(game: Game, options: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """Return a game's scenario for practice ("" for the first), and its options with the chosen ones."""
    practice = dict(game.players.practice_options())
    scenario = practice.pop("scenario", "")
    return scenario, {**practice, **game.alone, **options}


# -- the map: lines, a table of a TOML file, or a spreadsheet ----------------------------------------------------------


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

    Raises:
        BadData: Some cannot be read; all faults are listed with their lines.
    """
    facts: dict[str, str] = {}
    first_lines: dict[str, int] = {}
    faults: list[str] = []
    for statement in statements:
        try:
            for key, value in statement.read({**known, **facts}).items():
                if facts.setdefault(key, value) != value:
                    raise Unreadable(f"{key} is {value}, but {facts[key]} in line {first_lines[key]}")
                first_lines.setdefault(key, statement.line)
        except CompanionError as fault:
            faults.append(f"line {statement.line}: {fault}")
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
        text: The file, to find line numbers.

    Raises:
        BadData: An entry cannot be read.
    """
    geography = geography_of(game)
    if not isinstance(table, dict) or len(table) > MAX_LINES:
        fault = f"{name}: [map] must be a table of quoted texts, at most {MAX_LINES}"
        raise BadData(fault, cure=f"Like this: {_as_toml(geography.example)}")
    lines = _lines_of_entries(text)
    statements = [MapStatement(lines.get(space, 1), _entry_reader(geography, space, value)) for space, value in table.items()]
    return collect_facts(statements, known, name)


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
