"""Printed facts: list, set, import and export them; the made-up sets and archives for practice.

The file is TOML: ``game = "id"`` and a table ``[facts]`` of quoted keys and values, each in the notation of its kind. Others may
have written it, so it is read strictly and within bounds, and all faults are reported at once.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType

from companion.core import limits
from companion.core.errors import BadData, CompanionError, Illegal, Unreadable
from companion.core.game import Fact, Game
from companion.core.hints import Literal, TypeVar
from companion.core.map import GameMap, split_lines
from companion.core.named_tuple import NamedTuple
from companion.core.text import clean, normalised, pick_name, plural
from companion.core.values import JsonDict
from companion.games import GAMES
from companion.session.files import PRACTICE, game_folder, read_toml
from companion.session.shipped import is_file, read_bytes
from companion.session.store import TOLD, Archive

NO_FACTS: Mapping[str, str] = MappingProxyType({})
MAX_BYTES = limits.FACTS_FILE
MAX_FACTS = limits.FACTS

FactSource = Literal["told", "learnt", "rulebook", "missing"]


class FactLine(NamedTuple):
    """One printed fact in a list. The value is that entered or shipped; "" if it is missing."""

    key: str
    fact: Fact
    value: str
    source: FactSource


def list_facts(game: Game, facts: Mapping[str, str], inferred: Collection[str] = ()) -> list[FactLine]:
    """Return every printed fact that is known or can be asked for at once, kind by kind.

    Of kinds with an open list (units, for example) these are the known ones.
    """
    lines: list[FactLine] = []
    for fact in game.facts:
        known = [key for key in facts if (kind := game.fact(key)) and (kind.id, kind.single) == (fact.id, fact.single)]
        shipped = {(fact.id if fact.single else f"{fact.id}:{tail}"): value for tail, value in fact.rulebook_values.items()}
        for key in dict.fromkeys([*fact.all_keys(), *shipped, *known]):
            if key in facts:
                lines.append(FactLine(key, fact, facts[key], "learnt" if key in inferred else TOLD))
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


def readable_facts(game: Game, facts: Mapping[str, str]) -> dict[str, str]:
    """Return the facts without damaged ones, which must not keep the player from entering them again."""
    return {key: value for key, value in facts.items() if not fact_fault(game, key, value)}


def fact_fault(game: Game, key: str, value: str) -> str:
    """Return why a printed fact cannot be read, or ""."""
    fact = game.fact(key)
    if fact is None:
        return "the game knows no such fact"
    try:
        fact.notation.read(value)
    except CompanionError as fault:
        return fault.message
    return ""


class Contradiction(BadData):
    """Printed facts contradict each other or those known before; `anyway` records them all the same."""


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
    if not anyway and (fault := game.contradiction(readable_facts(game, archive.printed(game.id)), full, read)):
        raise Illegal(fault, cure="Enter the other one again first")
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
    missing = missing_facts(game, facts)
    if missing:
        lines += ["", "# Missing; remove the # and write what your set says instead of the example."]
        lines += [f"# {_quoted(line.key)} = {_quoted(line.fact.notation.example)}" for line in missing]
    return "\n".join(lines) + "\n"


def read_file(game: Game, content: bytes | str, name: str = "the file", known: Mapping[str, str] = NO_FACTS) -> dict[str, str]:
    """Return the facts of a file in their normal form; a table ``[map]`` describes the map, one entry per space.

    Raises:
        BadData: The file has faults; all are listed.
    """
    raw = content if isinstance(content, bytes) else content.encode("utf-8", "replace")
    if len(raw) > MAX_BYTES:
        raise BadData(f"{name} is too large", cure=f"At most {MAX_BYTES // 1_000_000} MB")
    data = _parse(raw, name)
    faults = [f"{clean(str(key))}: unknown key" for key in data if key not in ("game", "facts", "map")]
    if data.get("game") != game.id:
        faults.append(f"game: must be '{game.id}', not {_excerpt(data.get('game'))}")
    facts = data.get("facts", {} if "map" in data else None)
    if not isinstance(facts, dict):
        faults.append("facts: is missing or is not a table")
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
    map_facts = from_table(game, data["map"], {**known, **facts_read}, name, raw.decode("utf-8-sig"))
    differing = [key for key, value in facts_read.items() if map_facts.get(key, value) != value]
    if differing:
        faults = [f"{key} is {map_facts[key]} in [map], but {facts_read[key]} in [facts]" for key in differing[:MAX_FAULTS]]
        raise BadData(f"{name} has {plural(len(differing), 'contradiction')}", faults=faults, cure="Give each value once")
    return facts_read | map_facts


def _parse(raw: bytes, name: str) -> JsonDict:
    try:
        return read_toml(raw.decode("utf-8-sig"))  # Windows Notepad writes a BOM first
    except UnicodeDecodeError:
        raise BadData(f"{name} is not UTF-8 text") from None
    except ValueError as fault:
        cure = "Correct that line; nothing of the file is taken over"
        raise BadData(f"{name} is not TOML: {clean(str(fault))}", cure=cure) from None
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
    except (RecursionError, ValueError):  # thousands of nested tables; a number of thousands of digits
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
        Contradiction: They contradict each other or those known before, and `anyway` is not set; nothing is recorded.
    """
    known = archive.printed(game.id)
    readable = readable_facts(game, known)
    before = game.contradictions(readable)
    now = {key: value for key, value in {**readable, **facts}.items() if value}
    faults = [] if anyway else [fault for fault in game.contradictions(now) if fault not in before]
    if faults:
        what = f"{name} has {plural(len(faults), 'contradiction')}"
        raise Contradiction(what, faults=faults[:MAX_FAULTS], cure="Nothing is taken over: correct one of the two")
    inferred = archive.inferred_facts(game.id)
    changed = {key: value for key, value in facts.items() if known.get(key, "") != value}
    archive.record_facts(game.id, {key: value for key, value in facts.items() if key in changed or key in inferred})
    return changed


def practice_facts(game: Game) -> dict[str, str]:
    """Return the facts of a game's made-up set, by full key; none if there is none. Raise BadData if the file has faults."""
    path = practice_set_file(game)
    if not path:
        return {}
    return read_file(game, read_bytes(path), path)


def practice_faults(game: Game) -> list[str]:
    """Return every fault of a game's made-up set."""
    try:
        practice_facts(game)
    except CompanionError as fault:
        return [fault.message, *getattr(fault, "faults", ())]
    return []


def practice_set_file(game: Game) -> str:
    """Return the path of a game's made-up set, or ""."""
    if game.id in GAMES:
        folder = game_folder(game.id)
    else:
        from companion.session.plugins import tables_folder

        folder = tables_folder(game.id)
    path = os.path.join(folder, PRACTICE)
    return path if is_file(path) else ""


def install_practice_set(archive: Archive, game: Game) -> bool:
    """Record a game's made-up set in an archive for practice; return whether it has one. Raise BadData if the file has faults."""
    known, facts = archive.printed(game.id), {**practice_facts(game), **game.whole_map_facts}
    new = {key: value for key, value in facts.items() if known.get(key) != value}
    if new:
        archive.record_facts(game.id, new)
    return bool(facts)


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


S = TypeVar("S")


def geography_of(game: Game) -> GameMap:
    """Return how a game's map is described; raise Unreadable if nothing of the map can be entered."""
    if game.map is None or not game.map.columns:
        raise Unreadable(f"{game.title} has no map to enter", cure=f"What it asks for: companion printed {game.id}")
    return game.map


def refuse_faults(name: str, faults: Sequence[str]) -> None:
    """Raise BadData if a file has faults; of very many the first are listed."""
    if faults:
        more = [f"and {len(faults) - MAX_FAULTS} more"] if len(faults) > MAX_FAULTS else []
        count = plural(len(faults), "fault")
        raise BadData(f"{name} has {count}", faults=[*faults[:MAX_FAULTS], *more], cure="Nothing of it is taken over")


def collect_facts(
    statements: Iterable[tuple[int, S]],
    read: Callable[[S, Mapping[str, str]], Mapping[str, str]],
    known: Mapping[str, str],
    name: str,
) -> dict[str, str]:
    """Return the facts (full key -> value) of all statements about the map.

    Args:
        statements: Each with its line number.
        read: Returns the facts of a statement, given those before it.

    Raises:
        BadData: Some cannot be read; all faults are listed with their lines.
    """
    facts: dict[str, str] = {}
    first_lines: dict[str, int] = {}
    faults: list[str] = []
    for line, statement in statements:
        try:
            for key, value in read(statement, {**known, **facts}).items():
                if facts.setdefault(key, value) != value:
                    raise Unreadable(f"{key} is {value}, but {facts[key]} in line {first_lines[key]}")
                first_lines.setdefault(key, line)
        except CompanionError as fault:
            faults.append(f"line {line}: {fault}")
    refuse_faults(name, faults)
    return facts


def from_lines(game: Game, text: str, known: Mapping[str, str], name: str = "the file") -> dict[str, str]:
    """Return the facts of a text with one line per space; a line with only a name is skipped.

    Raises:
        BadData: A line cannot be read.
    """
    geography = geography_of(game)
    lines = list(split_lines(text))
    if len(lines) > MAX_LINES:
        raise BadData(f"{name} has {len(lines)} lines, at most {MAX_LINES}", cure="Nothing of it is taken over")
    return collect_facts(lines, lambda line, before: _read_line(geography, line, before), known, name)


def from_typed(game: Game, text: str, known: Mapping[str, str]) -> dict[str, str]:
    """Return the facts of typed text: one line or several.

    Raises:
        Unreadable: The only line cannot be read.
        BadData: One of several lines cannot be read.
    """
    lines = [line for _, line in split_lines(text)]
    return geography_of(game).read_line(lines[0], known) if len(lines) == 1 else from_lines(game, text, known, "what you entered")


def _read_line(geography: GameMap, line: str, known: Mapping[str, str]) -> Mapping[str, str]:
    with suppress(Unreadable):
        if geography.read_name(line) == line:
            return {}  # a form names the spaces of which nothing is known yet
    return geography.read_line(line, known)


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
    # the TOML parser does not report line numbers
    rows = list(enumerate(text.splitlines(), 1))
    first = next((number for number, row in rows if row.replace(" ", "").startswith("[map]")), 0)
    lines = {row.partition("=")[0].strip().strip("\"'"): number for number, row in reversed(rows[first:])}

    def read(space: str, before: Mapping[str, str]) -> Mapping[str, str]:
        if not isinstance(table[space], str):
            cure = f"Like this: {_as_toml(geography.example)}"
            raise Unreadable(f"the entry of '{clean(space)}' must be a quoted text", cure=cure)
        return _read_line(geography, f"{clean(space)} {clean(table[space])}".strip(), before)

    return collect_facts([(lines.get(space, 1), space) for space in table], read, known, name)


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


def example_line(geography: GameMap, facts: Mapping[str, str]) -> str:
    """Return a line that can be entered: one of what is known of the map, which contradicts nothing, or the game's example."""
    lines = (geography.line(name, facts) for name in geography.form_spaces(facts))
    return next(filter(None, lines), geography.example)


def as_form(game: Game, facts: Mapping[str, str]) -> str:
    """Return what is known of the map, as a form to fill in."""
    geography = geography_of(game)
    heads = [f"{column.name}: {geography.fact_kind(column).title}" for column in geography.columns]
    lines = [
        f"# The map of {clean(game.title)}: one {geography.space} a line, like this:",
        f"#   {geography.example}",
        *(f"# {clean(head)}" for head in heads),
        "# What you remove from a line is withdrawn; a line with only a name says nothing. # begins a comment.",
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

    def read(cells: Sequence[str], before: Mapping[str, str]) -> Mapping[str, str]:
        if any(cells[len(heads) :]):
            what = f"{plural(len(cells), 'cell')} under {plural(len(heads), 'head')}"
            raise Unreadable(what, cure="Put a cell with commas into quotation marks")
        row = {head: cell for head, cell in zip(heads, cells, strict=False) if head and cell}
        space = row.pop(geography.space, "")
        if not space:
            raise Unreadable(f"no {geography.space} is named")
        return geography.read_row(geography.read_name(space), row, before)

    return collect_facts(rows[1:], read, known, name)


def _read_rows(text: str, name: str) -> list[tuple[int, list[str]]]:
    """Return the non-empty rows of a spreadsheet, each with its line; the first is the header."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    # some spreadsheets name the separator in a line before all others
    is_declared = plain[:4].casefold() == "sep=" and plain[4:5] in _SEPARATORS and plain[5:6] == "\n"
    header = plain.lstrip().partition("\n")[0]
    separator = plain[4] if is_declared else max(_SEPARATORS, key=header.count)
    reader = csv.reader(io.StringIO(plain[5:] if is_declared else plain), delimiter=separator, strict=True)
    rows: list[tuple[int, list[str]]] = []
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append((line, [clean(cell).strip() for cell in cells]))
            line = reader.line_num + 1
    except csv.Error as fault:
        raise BadData(f"{name}, line {line}: {fault}", cure="Save it as CSV again") from None
    if not rows or len(rows) > MAX_LINES:
        raise BadData(f"{name} has {plural(len(rows), 'row')}", cure=f"A heading, and at most {MAX_LINES} rows")
    return rows


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
