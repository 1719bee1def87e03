"""Printed facts: list, set, import and export them; the made-up sets and archives for practice.

The file is TOML: ``game = "id"`` and a table ``[facts]`` of quoted keys and values, each in the notation of its kind. Others may
have written it, so it is read strictly and within bounds, and all faults are reported at once.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from companion.core import limits
from companion.core.errors import BadData, Illegal, Unreadable
from companion.core.game import Fact, Game
from companion.core.text import clean, pick_name, plural
from companion.core.values import JsonDict
from companion.games import GAMES
from companion.session.database import archive_path
from companion.session.files import PRACTICE, game_folder
from companion.session.map_facts import MAX_FAULTS, from_table, refuse_faults
from companion.session.store import TOLD, Archive

NO_FACTS: Mapping[str, str] = MappingProxyType({})
MAX_BYTES = limits.FACTS_FILE
MAX_FACTS = limits.FACTS


FactSource = Literal["told", "learnt", "rulebook", "missing"]


class FactLine(NamedTuple):
    """One printed fact in a list.

    Attributes:
        key: The full key.
        fact: Its kind.
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
        archive: The archive.
        game: The game.
        key, value: The fact.
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

    Args:
        game: The game that the file must be of.
        content: The file.
        name: Its name, for messages.
        known: The facts known before.

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
        raise BadData(f"{name} is not a text in UTF-8") from None
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
        archive: The archive.
        game: The game.
        content: The file.
        name: Its name, for messages.
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


_PRACTICE_SUFFIX = "-practice"


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


def practice_path(path: str) -> str:
    """Return the archive for practice beside another one, so that made-up facts never mix with those of a real set."""
    stem, end = os.path.splitext(archive_path(path or None))
    return stem + end if stem.endswith(_PRACTICE_SUFFIX) else f"{stem}{_PRACTICE_SUFFIX}{end}"


def last_played_archive() -> str:
    """Return the default archive or the one for practice beside it, whichever was written last."""
    return max((archive_path(None), practice_path("")), key=_last_write)


def _last_write(path: str) -> float:
    """Return when an archive was last written, with its -wal file; 0 if there is none."""
    times = [os.stat(file).st_mtime for file in (path, f"{path}-wal") if os.path.isfile(file)]
    return max(times, default=0.0)


def is_practice(archive: Archive) -> bool:
    """True if it is an archive for practice."""
    return os.path.splitext(archive.path)[0].endswith(_PRACTICE_SUFFIX)


def install_practice_set(archive: Archive, game: Game) -> None:
    """Record a game's made-up set in an archive for practice.

    Raises:
        BadData: The file has faults.
    """
    known, facts = archive.printed(game.id), practice_facts(game)
    new = {key: value for key, value in facts.items() if known.get(key) != value}
    if new:
        archive.record_facts(game.id, new)


def next_practice_name(archive: Archive) -> str:
    """Return the name of the next practice session, which says that the set is made up."""
    taken = {item.name for item in archive.sessions()}
    return next(name for name in map("made-up-{}".format, range(1, len(taken) + 2)) if name not in taken)


def practice_defaults(game: Game, options: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """Return a game's scenario for practice ("" for the first), and its options with the chosen ones."""
    practice = dict(game.players.practice_options())
    scenario = practice.pop("scenario", "")
    return scenario, {**practice, **game.alone, **options}
