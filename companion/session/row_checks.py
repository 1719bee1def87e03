"""What the rows of a log must look like; damaged and foreign ones are refused before anything reads them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import get_origin

from companion.core.errors import BadData, CompanionError
from companion.core.events import EVENT_TYPES, Event
from companion.core.hints import TYPE_CHECKING, Any, Literal
from companion.core.history import ADJUST_ACTIONS, ADJUSTED, ROW_SCHEMAS, History, LogRow, RowSchema
from companion.core.position import FlagValue, Value
from companion.core.trusted import NONCE_LENGTH, STEPS, is_chance, is_nonce
from companion.core.values import JsonObject, read_json

if TYPE_CHECKING:
    from companion.session.store import Archive, Session

MAX_POINTS = 1_000_000.0

_PLAIN = (str, int, type(None))
_STORED: dict[Any, type | tuple[type, ...]] = {
    str: str,
    int: int,
    Value: _PLAIN,
    FlagValue: (*_PLAIN, list),
    Mapping[str, Value]: dict,
    tuple[str, ...]: list,
    Literal: str,
}
"""Type of an event's field, or its origin -> the type in JSON."""


def event_shape(kind: type[Event]) -> RowSchema:
    """Return the fields of a kind of event in the log."""
    fields = {name: _STORED.get(field) or _STORED[get_origin(field)] for name, field in kind.__annotations__.items()}
    optional = {name: fields.pop(name) for name in kind._field_defaults}
    return RowSchema({"kind": str, **fields}, {"v": int, **optional})


def check_rows(rows: Iterable[Sequence[Any]], sets: Collection[str] = ()) -> tuple[int, str]:
    """Return how many rows of a session's log are sound from the first on, and what is wrong with the next one.

    Args:
        rows: As stored or as read.
        sets: The flags of the game that hold sets.
    """
    history, number = History(sets=sets), 0
    for number, (seq, kind, entry, body, at) in enumerate(rows, 1):
        try:
            row = LogRow(seq, kind, entry, body if isinstance(body, dict) else read_json(body), at)
            faults = row_faults(row, number)
            if not faults:
                history.add(row)
                history.position()
        except (CompanionError, ValueError, TypeError, KeyError, RecursionError) as fault:
            faults = [fault.message if isinstance(fault, CompanionError) else type(fault).__name__]
        if faults:
            return number - 1, faults[0]
    return number, ""


def row_faults(row: LogRow, number: int) -> list[str]:
    """Return what is wrong with a row of a log that should have this number."""
    where = f"rows.{number}"
    if row.kind not in ROW_SCHEMAS:
        return [f"{where}: unknown kind"]
    if not isinstance(row.body, dict):
        return [f"{where}.body: must be an object"]
    faults = [f"{where}: is numbered {row.seq}"] if row.seq != number else []
    faults += [] if isinstance(row.at, str) and _is_time(row.at) else [f"{where}: has no time such as {_TIME}"]
    return [*faults, *misfits(f"{where}.", row.body, ROW_SCHEMAS[row.kind]), *_body_faults(f"{where}.", row)]


_TIME = "2026-11-22T18:30:00Z"


@lru_cache(maxsize=1000)  # rows that were written together have the same time
def _is_time(text: str) -> bool:
    """True for a time with its zone; also for none, as in a document of notes."""
    try:
        moment = datetime.fromisoformat(text) if text else None
    except ValueError:
        return False
    return moment is None or (moment.tzinfo is not None and 1970 <= moment.year < 9999)


def _body_faults(where: str, row: LogRow) -> list[str]:
    """Check the parts of a body beyond the types of its fields."""
    if row.kind == "note":
        return []
    if row.kind == "change":
        parts = [*_list(row.body, "take"), *_list(row.body, "give")]
        return [] if all(type(part) is int for part in parts) else [f"{where}take: must be numbers of entries"]
    if row.kind == "trust":
        return _trust_faults(where, row.body)
    if row.kind == "setting":
        return [] if all_texts(row.body) else [f"{where}body: must be texts"]
    result = row.body.get("result", {})
    if not all(isinstance(value, str | int) or is_score(key, value) for key, value in result.items()):
        return [f"{where}result: must be texts and numbers"]
    faults = _adjustment_faults(where, row)
    for number, event in enumerate(_list(row.body, "events") if row.kind in ("done", ADJUSTED) else ()):
        kind = EVENT_TYPES.get(str(event.get("kind"))) if isinstance(event, dict) else None
        path = f"{where}events.{number}"
        if kind is None:
            faults.append(f"{path}: unknown event")
        else:
            faults += misfits(f"{path}.", event, event_shape(kind)) + _value_faults(path, event)
    return faults


def _trust_faults(where: str, body: JsonObject) -> list[str]:
    """Check a step of trusted dice: its values, and what a commitment is for."""
    step, value, of = body.get("step"), body.get("value"), body.get("of", {})
    faults = [f"{where}step: unknown step"] if step not in STEPS else []
    if step in ("commit", "share", "reveal") and not is_nonce(value):
        faults.append(f"{where}value: must be {NONCE_LENGTH} hexadecimal digits")
    if step == "commit" and not is_chance(of):
        faults.append(f"{where}of: must be dice or the counters of a draw")
    if not all(isinstance(row, str) for row in _list(body, "rows")):
        faults.append(f"{where}rows: must be texts")
    return faults


def _value_faults(where: str, event: JsonObject) -> list[str]:
    """Check the values of marks, flags, pieces and explanations."""
    values = event.get("values")
    marks = list(values.values()) if isinstance(values, dict) else []
    texts = [text for field in ("was", "now", "because", "seats") for text in _list(event, field)]
    is_valid = all(isinstance(mark, _PLAIN) for mark in marks) and all(isinstance(text, str) for text in texts)
    return [] if is_valid else [f"{where}: has a value of a wrong type"]


def _adjustment_faults(where: str, row: LogRow) -> list[str]:
    """Check an adjustment, as an entry of its own or within one; a reply must not pose as one."""
    if row.kind == "reply":
        value = row.body.get("value")
        dice = value if isinstance(value, list) else [value]
        is_roll = row.body.get("kind") != "roll" or all(type(die) is int for die in dice)
        faults = [] if is_roll else [f"{where}value: must be dice"]
        left = row.body.get("left", 0)
        is_sealed = bool(left) and "seat" in row.body and left > 0 if isinstance(left, int) else False
        if is_sealed != ("part" in row.body) or (left and not is_sealed):
            faults.append(f"{where}part: belongs to a seat of which others are left to answer")
        return [*faults, f"{where}kind: is not a reply"] if row.body.get("kind") == ADJUSTED else faults
    args = row.body.get("args") if row.kind == "entry" else row.body
    is_adjustment = row.body.get("action") in ADJUST_ACTIONS
    if not isinstance(args, dict) or not (row.kind == ADJUSTED or (row.kind == "entry" and is_adjustment)):
        return []
    faults = [] if is_adjustment else [f"{where}action: is not an adjustment"]
    faults += [] if isinstance(args.get("why"), str) else [f"{where}why: must be a text"]
    changes = args.get("changes")
    if isinstance(changes, list) and all(isinstance(pair, list) and [*map(type, pair)] == [str, str] for pair in changes):
        return faults
    return [*faults, f"{where}changes: must be pairs of texts"]


def _list(body: JsonObject, key: str) -> list[Any]:
    items = body.get(key)
    return items if isinstance(items, list) else []


def misfits(where: str, data: object, shape: RowSchema) -> list[str]:
    """Return the unknown, missing and wrongly typed fields of an object."""
    if not isinstance(data, dict):
        return [f"{where or 'document'}: must be an object"]
    if _fits(data, shape):
        return []
    fields = {**shape.required, **shape.optional}
    faults = [f"{where}{key}: unknown key" for key in data if key not in fields]
    faults += [f"{where}{key}: is missing" for key in shape.required if key not in data]
    for key, kind in fields.items():
        if key in data and (not isinstance(data[key], kind) or (kind is int and isinstance(data[key], bool))):
            faults.append(f"{where}{key}: of a wrong type")
    return faults


def _fits(data: JsonObject, shape: RowSchema) -> bool:
    """True if an object has all required fields, no unknown ones, and each of its type."""
    if not shape.required.keys() <= data.keys():
        return False
    for key, value in data.items():
        kind = shape.required.get(key) or shape.optional.get(key)
        if kind is None or not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            return False
    return True


def all_texts(data: object) -> bool:
    """True if the data is an object whose values are texts."""
    return isinstance(data, dict) and all(isinstance(value, str) for value in data.values())


def is_points(value: object) -> bool:
    """True if a value is a fraction that can be a number of victory points."""
    return isinstance(value, float) and abs(value) < MAX_POINTS


def is_score(key: str, value: object) -> bool:
    """True if a value is a score, which may be a fraction."""
    return key == "total" and is_points(value)


_RESCUE = "Rescue what can be read: companion doctor --repair FILE"


def require_sound_summaries(archive: Archive) -> None:
    """Raise BadData if a summary table differs from the log; to explain an error that this may have caused."""
    if wrong := archive.wrong_summaries():
        raise BadData(f"the archive is damaged: its table '{wrong[0]}' does not agree with the log", cure=_RESCUE)


def require_sound(archive: Archive, session: Session) -> None:
    """Raise BadData if a session's log is damaged; to explain an error that this may have caused."""
    sound, why = check_rows(archive.rows(session.id))
    if why:
        raise BadData(f"the log of session '{session.name}' is damaged from row {sound + 1} on: {why}", cure=_RESCUE)
