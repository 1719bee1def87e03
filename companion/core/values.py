"""Plain data: what JSON and TOML files, log rows and SQL results hold."""

from _json import encode_basestring_ascii as quoted
from _json import make_encoder, make_scanner
from collections.abc import Mapping

from companion.core.hints import Any

Json = Any
"""A value that JSON can hold."""

ReplyValue = Any
"""The value of a reply as it is stored: a text, a whole number, a truth value, or a list of them."""

JsonObject = Mapping[str, Any]
"""A JSON object or TOML table that is only read."""

JsonDict = dict[str, Any]
"""A JSON object that is being built."""


class _JsonSettings:
    """The settings of `json.loads`."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float = parse_constant = float
    parse_int = int


_scan = make_scanner(_JsonSettings)  # type: ignore[arg-type]  # it only reads these attributes


def read_json(text: str) -> Json:
    """Parse JSON as `json.loads` does. Raises ValueError: it is no JSON."""
    # the package compiles six regular expressions when it is imported, so it only reads what the scanner does not
    try:
        value, end = _scan(text, 0)
    except (StopIteration, SystemError):  # SystemError: the scanner's own error class is in the package, not imported here
        end = -1
    if end == len(text):
        return value
    import json

    return json.loads(text)


def _refuse(value: object) -> None:
    raise TypeError(f"{type(value).__name__} has no form in JSON")


_parts = make_encoder(None, _refuse, quoted, None, ":", ",", False, False, True)  # as `json` does


def compact_json(value: Json) -> str:
    """The text that `json.dumps` returns without spaces. Raises TypeError: JSON has no form for a value."""
    return "".join(_parts(value, 0))


def indented_json(value: Json) -> str:
    """The text that `json.dumps` returns with an indent of two; values that JSON has no form for are lists of their items."""
    return _indented(value, "\n")


def _indented(value: Json, newline: str) -> str:
    # the package writes indented text in Python, one part at a time; this takes a quarter of that
    inner = f"{newline}  "
    if isinstance(value, dict):
        parts = [
            f"{quoted(key if isinstance(key, str) else _indented(key, ''))}: "
            f"{quoted(item) if isinstance(item, str) else _indented(item, inner)}"
            for key, item in value.items()
        ]
        return f"{{{inner}{f',{inner}'.join(parts)}{newline}}}" if parts else "{}"
    if isinstance(value, str):
        return quoted(value)
    if value is None or value is True or value is False:
        return "null" if value is None else "true" if value else "false"
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        text = float.__repr__(value)
        return _NOT_FINITE.get(text, text)
    parts = [_indented(item, inner) for item in value]
    return f"[{inner}{f',{inner}'.join(parts)}{newline}]" if parts else "[]"


_NOT_FINITE = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}
