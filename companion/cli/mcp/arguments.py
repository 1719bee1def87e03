"""Checks the arguments of a call against the schema of its tool, with messages that say how to put it right."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from companion.cli.mcp.tools import Tool
from companion.core.errors import Unreadable
from companion.core.text import clean
from companion.core.values import JsonDict, JsonObject

_MOST = 60_000
"""Characters of all arguments of a call."""
_KINDS: Mapping[str, tuple[type, str]] = {
    "string": (str, "text"),
    "integer": (int, "a whole number"),
    "boolean": (bool, "true or false"),
    "array": (list, "a list"),
    "object": (dict, "an object"),
}


def checked(tool: Tool, arguments: JsonObject) -> JsonDict:
    """The arguments of a call, without those that are null.

    Raises Unreadable: one is missing, unknown, too long, or of another type than the schema says.
    """
    given = {key: value for key, value in arguments.items() if value is not None}
    if unknown := [key for key in given if key not in tool.fields]:
        takes = f"It takes: {', '.join(tool.fields)}" if tool.fields else "It takes none"
        raise Unreadable(f"{tool.name} has no argument '{clean(str(unknown[0]))[:60]}'", cure=takes)
    if missing := [key for key in tool.required if key not in given]:
        raise Unreadable(f"{tool.name} needs '{missing[0]}'", cure=str(tool.fields[missing[0]]["description"]))
    if len(json.dumps(given)) > _MOST:
        raise Unreadable(f"the arguments are longer than {_MOST:,} characters", cure="Send less at once")
    for key, value in given.items():
        if fault := _fault(value, tool.fields[key]):
            raise Unreadable(f"'{key}' must be {fault}", cure=str(tool.fields[key]["description"]))
    return given


def _fault(value: Any, schema: JsonObject) -> str:
    """What a value must be; "" if it is."""
    if "anyOf" in schema:
        faults = [_fault(value, item) for item in schema["anyOf"]]
        return "" if "" in faults else " or ".join(dict.fromkeys(faults))
    kind, words = _KINDS[schema["type"]]
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        return words
    if "enum" in schema and value not in schema["enum"]:
        return f"one of {', '.join(schema['enum'])}"
    if isinstance(value, int):
        return "" if _is_within(value, schema) else f"from {schema['minimum']} to {schema['maximum']}"
    if isinstance(value, str | list) and len(value) > schema.get("maxLength", schema.get("maxItems", _MOST)):
        return f"shorter: at most {schema.get('maxLength', schema.get('maxItems'))}"
    if isinstance(value, list):
        return _fault_within(value, schema["items"], words)
    return _fault_within(value.values(), schema["additionalProperties"], words) if isinstance(value, dict) else ""


def _is_within(value: int, schema: JsonObject) -> bool:
    return bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))


def _fault_within(parts: Iterable[Any], schema: JsonObject, words: str) -> str:
    """What each part of a list or an object must be; "" if all are."""
    faults = [fault for part in parts if (fault := _fault(part, schema))]
    return f"{words}; each must be {faults[0]}" if faults else ""
