"""Export a session as one JSON document, and import such a document.

Others may have written the document, so it is parsed strictly and within bounds, and control characters are stripped. It holds no
path and no name of the machine that it comes from.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from companion import __version__
from companion.core import limits
from companion.core.errors import BadData, CompanionError, Unreadable
from companion.core.game import Game
from companion.core.history import History, LogRow, RowSchema
from companion.core.text import clean
from companion.core.values import JsonDict, JsonObject
from companion.session.database import SCHEMA
from companion.session.row_checks import all_texts, is_points, is_score, misfits, row_faults
from companion.session.state import load_game
from companion.session.store import Archive, Session

FORMAT = "companion session"
VERSION = 4
"""1: no adjustments within an entry; 2: no flags that are sets; 3: no result of a finished game. All are still read."""
MAX_BYTES = limits.BUNDLE
MAX_ROWS = limits.ROWS
MAX_DEPTH = limits.DEEPEST

_HEAD = RowSchema(
    {"format": str, "version": int, "made_by": dict, "session": dict, "rows": list, "printed": dict},
    {"companion": str, "protocol": int},
)
_SESSION = RowSchema(
    {"name": str, "game": str, "scenario": str, "options": dict, "seed": str, "created": str, "version": str},
    {"parent": (str, int, type(None)), "flags": str},
)
_LONGEST = {"seed": limits.SEED, "name": limits.NAME}


def bundle(archive: Archive, session: Session) -> JsonDict:
    """Return a session as plain data: its log, the printed facts that it used, and all versions."""
    import sqlite3

    rows = archive.rows(session.id)
    about = {key: value for key, value in session._asdict().items() if key not in ("id", "parent")}
    return {
        "format": FORMAT,
        "version": VERSION,
        "made_by": {
            "companion": __version__,
            "schema": SCHEMA,
            "python": ".".join(str(part) for part in sys.version_info[:3]),
            "sqlite": sqlite3.sqlite_version,
            "system": sys.platform,
        },
        "session": about,
        "rows": [[row.seq, row.kind, row.entry, dict(row.body), row.at] for row in rows],
        "printed": _facts_used(rows, archive.printed(session.game)),
    }


def _facts_used(rows: list[LogRow], facts: Mapping[str, str]) -> dict[str, str]:
    """Return the printed facts that a log has used."""
    keys, kinds = set(), set()
    for row in rows:
        kind, key = row.body.get("kind"), str(row.body.get("key", ""))
        if row.kind == "reply" and kind == "known":
            kinds.add(key.removeprefix("known ") + ":")
        elif row.kind == "reply" and kind in ("printed", "tell", "learn"):
            keys.add(key.removeprefix("tell ").removeprefix("learn "))
    return {key: value for key, value in facts.items() if key in keys or key.partition(":")[0] + ":" in kinds}


def restore(archive: Archive, content: bytes | str, name: str = "") -> Session:
    """Store a session from a document under a new name; its printed facts are not imported.

    Args:
        name: The name of the new session; by default the old one, with a number if that is taken.

    Raises:
        BadData: The document has faults; nothing is stored.
        Unreadable: The name is taken.
    """
    about, rows = read_document(content)
    _load_game(about)
    return store(archive, about, rows, name)


def store(
    archive: Archive, about: JsonObject, rows: list[LogRow], name: str = "", own_seat: tuple[str, str] | None = None
) -> Session:
    """Store a session that was read from a document. `name` as in `restore`, `own_seat` as in ``Archive.create``."""
    new_name = limits.limit_length(clean(name), limits.NAME, "name") or _free_name(archive, about["name"] or about["game"])
    session = Session(0, new_name, about["game"], about["scenario"], about["options"], about["seed"])
    return archive.create(session, rows, own_seat=own_seat)


def _load_game(about: JsonObject) -> Game:
    """Return the game of a document; raise BadData if it is not installed, or has no such scenario or options."""
    try:
        game = load_game(about["game"])
    except Unreadable as fault:
        raise BadData(f"the document is a session of another game: {fault.message}", cure=fault.cure) from None
    if faults := _game_faults(about, game):
        what = "the document is of another game or another version of it"
        raise BadData(what, faults=faults, cure="Nothing of it is taken over")
    return game


def read_session_document(content: bytes | str) -> tuple[JsonDict, Game, list[LogRow]]:
    """Return what a document says of its session, the game, and the log, without storing it; raise BadData if it has faults."""
    about, rows = read_document(content)
    return about, _load_game(about), rows


def read_session(content: bytes | str) -> tuple[str, Game, dict[str, str], list[LogRow]]:
    """Return name, game, options and log of a document without storing it; raise BadData if it has faults."""
    about, game, rows = read_session_document(content)
    return about["name"], game, {**game.default_options(about["scenario"]), **about["options"]}, rows


def _game_faults(about: JsonObject, game: Game) -> list[str]:
    """Return what the game does not know of a session's scenario and options."""
    known = {name: (*option.choices, *option.unlisted) for name, option in game.options.items()}
    known |= {"scenario": tuple(game.scenarios)}
    chosen = {**about["options"], "scenario": about["scenario"]}
    faults = [f"session.options.{clean(name)[:60]}: {game.id} has no such option" for name in chosen if name not in known]
    faults += [
        f"session.options.{name}: {game.id} has no '{clean(value)[:60]}'"
        for name, value in chosen.items()
        if known.get(name) and value not in known[name]
    ]
    faults += [f"session.{key}: is too long" for key, most in _LONGEST.items() if len(about[key]) > most]
    return faults


def _free_name(archive: Archive, name: str) -> str:
    taken = {session.name for session in archive.sessions()}
    number, free = 2, name[:60]
    while free in taken:
        free, number = f"{name[:54]}-{number}", number + 1
    return free


def read_document(content: bytes | str) -> tuple[JsonDict, list[LogRow]]:
    """Return the session and its log from a document; raise BadData if it has faults."""
    if len(content) > MAX_BYTES:
        raise BadData("the document is too large", cure=f"At most {MAX_BYTES // 1_000_000} MB")
    text = content.encode("utf-8", "replace") if isinstance(content, str) else content
    if text.lstrip(_BEFORE_JSON)[:1] != b"{" and b"\0" not in text[:4]:  # UTF-16 has zeros
        raise BadData("the document is no JSON object, as a session of Companion is")
    if text.count(b"[") + text.count(b"{") > limits.BUNDLE_PARTS or text.count(b",") > limits.BUNDLE_VALUES:
        raise BadData(
            f"the document has too many lists, objects or values: limits {limits.BUNDLE_PARTS} and {limits.BUNDLE_VALUES}",
            cure="No session has as many",
        )
    try:
        data = json.loads(content, object_hook=_as_read)
    except RecursionError:
        raise BadData("the document is nested too deeply") from None
    except ValueError as fault:
        raise BadData(f"the document is not JSON: {clean(str(fault))}") from None
    data = _sanitize(data, 0)
    faults = misfits("", data, _HEAD)
    if faults:
        raise BadData("the document is not a session of Companion", faults=faults)
    if data["format"] != FORMAT or not 1 <= data["version"] <= VERSION:
        raise BadData("the document is of an unknown kind or version", cure="Update Companion")
    faults = misfits("session.", data["session"], _SESSION)
    options = data["session"].get("options")
    faults += ["session.options: must be texts"] if not all_texts(options) else []
    rows = _read_rows(data["rows"], faults)
    if faults:
        raise BadData("the document has faults", faults=faults[:50], cure="Nothing of it is taken over")
    _check_consistency(rows)
    return data["session"], rows


def _as_read(value: JsonDict) -> JsonDict:
    return value  # between two objects the decoder, which is written in C, comes here, and Ctrl-C is noticed


_BEFORE_JSON = b" \t\r\n\xef\xbb\xbf"
"""Bytes that may precede a document."""


_SMALL = 2**31


def _sanitize(value: Any, depth: int, by_rollouts: bool = False) -> Any:
    """Strip control characters, and limit the depth.

    `by_rollouts`: it belongs to a decision by rollouts, which is stored with the value of each candidate.
    """
    if depth > MAX_DEPTH:
        raise BadData("the document is nested too deeply")
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        if depth >= MAX_DEPTH and value:
            raise BadData("the document is nested too deeply")
        # texts and small numbers, which are most of a document, cost no call
        return [
            item
            if (kind := type(item)) is int and -_SMALL < item < _SMALL
            else clean(item)
            if kind is str
            else _sanitize(item, depth + 1, by_rollouts)
            for item in value
        ]
    if isinstance(value, dict):
        if depth >= MAX_DEPTH and value:
            raise BadData("the document is nested too deeply")
        by_rollouts = by_rollouts or value.get("kind") == "think"
        return {
            clean(key): clean(item)
            if type(item) is str
            else item
            if is_score(key, item)
            else _sanitize(item, depth + 1, by_rollouts)
            for key, item in value.items()
        }
    if isinstance(value, float) and not (by_rollouts and is_points(value)):
        raise BadData("the document holds a fraction where a log has none")
    if isinstance(value, int) and abs(value) >= 2**63:
        raise BadData("the document holds a number that no log can hold")
    return value


def _read_rows(data: list[object], faults: list[str]) -> list[LogRow]:
    if len(data) > MAX_ROWS:
        faults.append(f"rows: {len(data)}, at most {MAX_ROWS}")
        return []
    rows = []
    for number, item in enumerate(data, 1):
        if not (isinstance(item, list) and [type(part) for part in item] == [int, str, int, dict, str]):
            faults.append(f"rows.{number}: must be a number, a kind, an entry, a body and a time")
            continue
        row = LogRow(*item)
        faults += row_faults(row, number)
        rows.append(row)
    return rows


def _check_consistency(rows: list[LogRow]) -> None:
    """Raise BadData if the log is inconsistent, with the row if it is the order of its rows."""
    history, place = History(), ""
    try:
        for row in rows:
            place = f" at row {row.seq}"
            history.add(row)
        place = ""
        history.position()
        for entry in history.entries.values():
            list(entry.events or ())  # explanations, and entries out of force, must be readable too
        is_complete = bool(history.force) and all(number in history.entries for number in history.force)
    except (CompanionError, KeyError, TypeError, ValueError, AttributeError) as fault:
        why = fault.message if isinstance(fault, CompanionError) else type(fault).__name__
        raise BadData(f"the log of the document is inconsistent{place}: {why}", cure="Nothing of it is taken over") from None
    if not is_complete:
        raise BadData("the log of the document has no action in force")
