"""Plain data: what JSON and TOML files, log rows and SQL results hold."""

from _json import make_scanner
from collections.abc import Mapping
from typing import Any

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
