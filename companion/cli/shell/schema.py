"""The shapes of all JSON documents, as ``companion/docs/protocol.md`` tells them: its tables are read, and nothing is told twice.

A shape is a heading ``### name`` with a table of ``key``, ``type`` and ``what it is`` below it, or with a line ``Type: ... .``
A key that may be missing has a question mark behind it. ``With the keys of `other`.`` before the table takes those of another.
A type is one of the words of JSON Schema, ``any``, a shape in backticks, a text in quotes that is meant as it stands,
``list of`` or ``map of`` (by ids) one of these, or several of them with ``or`` between. Keys of one type may stand in one row,
with commas between. The table of ``command`` and ``document`` says which command prints which.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

import companion
from companion.core.values import JsonDict, JsonObject

_HEADING = r"^#+ (.*)$"
_ROW = r"^\| (`[\w$]+`\??(?:, `[\w$]+`\??)*) +\| (.*?) \| ?(.*) \|$"
_KEY = r"`([\w$]+)`(\??)"
_BASE = r"^With the keys of `(\w+)`\."
_ALIAS = r"^Type: (.*)\.$"
_COMMANDS = r"^\| (`[^|]*`) \| ((?:`\w+`(?:, )?)+) \|$"
_NAMED = r"`([^`]+)`"

DIALECT = "https://json-schema.org/draft/2020-12/schema"
FAULT = "error"
"""The document of a command that failed, whichever it was."""


class Shapes(NamedTuple):
    """What the page tells.

    Attributes:
        schemas: shape -> its schema, in the order of the page.
        commands: command -> the documents that it prints, any of them where it is done.
    """

    schemas: Mapping[str, JsonObject]
    commands: Mapping[str, tuple[str, ...]]


def page() -> str:
    """The text of the page."""
    with open(os.path.join(os.path.dirname(companion.__file__), "docs", "protocol.md"), encoding="utf-8") as file:
        return file.read()


def read(text: str, strict: bool = False) -> Shapes:
    """The shapes that a page tells.

    Args:
        text: of the page.
        strict: whether a key that no table has is a fault. Other programs leave such keys alone: there may be new ones any time.

    Raises:
        ValueError: a type is none of those above, a shape is spoken of that the page does not have, or something is told twice.
    """
    import re

    found: dict[str, JsonDict] = {}
    parts = re.split(_HEADING, text, flags=re.M)
    for name, body in zip(parts[1::2], parts[2::2], strict=True):
        rows, alias = re.findall(_ROW, body, re.M), re.search(_ALIAS, body, re.M)
        if name in found and (rows or alias):
            raise ValueError(f"a shape is told twice: {name}")
        if alias:
            found[name] = {"description": _first(body), **_type(alias[1])}
        elif rows and re.fullmatch(r"\w+", name):
            found[name] = _object([_known(found, base) for base in re.findall(_BASE, body, re.M)], rows, _first(body), strict)
    told = [
        (one, re.findall(_NAMED, kinds))
        for names, kinds in re.findall(_COMMANDS, text, re.M)
        for one in re.findall(_NAMED, names)
    ]
    commands = {command: tuple(documents) for command, documents in told}
    if len(commands) < len(told):
        raise ValueError("a command is told twice")
    for one in [*re.findall(r"#/\$defs/(\w+)", repr(found)), *(one for printed in commands.values() for one in printed)]:
        _known(found, one)
    return Shapes(found, commands)


def _known(found: Mapping[str, JsonDict], name: str) -> JsonDict:
    """A shape of the page. Raises ValueError: there is none of that name."""
    if name not in found:
        raise ValueError(f"no such shape: {name}")
    return found[name]


def _first(body: str) -> str:
    """The first paragraph below a heading, if it is one of words."""
    paragraph = body.strip().partition("\n\n")[0]
    return "" if paragraph.startswith(("|", "With the keys of", "Type:")) else " ".join(paragraph.split())


def _object(bases: list[JsonDict], rows: list[tuple[str, ...]], told: str, strict: bool) -> JsonDict:
    import re

    properties = {key: schema for base in bases for key, schema in base["properties"].items()}
    required = [key for base in bases for key in base["required"]]
    for keys, kind, what in rows:
        for key, optional in re.findall(_KEY, keys):
            properties[key] = {"description": what, **_type(kind)}
            required = [one for one in required if one != key] + ([] if optional else [key])
    body = {"description": told, "type": "object", "properties": properties, "required": required}
    return {**body, "additionalProperties": False} if strict else body


def _type(text: str) -> JsonDict:
    """The schema of a type."""
    kinds = text.split(" or ")
    if len(kinds) == 1:
        return _one(text)
    if all(kind.startswith('"') for kind in kinds):
        return {"enum": [kind.strip('"') for kind in kinds]}
    return {"anyOf": [_one(kind) for kind in kinds]}


def _one(text: str) -> JsonDict:
    if text.startswith("list of "):
        return {"type": "array", "items": _type(text.removeprefix("list of "))}
    if text.startswith("map of "):
        return {"type": "object", "additionalProperties": _type(text.removeprefix("map of "))}
    if text.startswith('"'):
        return {"const": text.strip('"')}
    if text.startswith("`"):
        return {"$ref": f"#/$defs/{text.strip('`')}"}
    if text == "any":
        return {}
    if text.isdecimal():
        return {"const": int(text)}
    if text not in ("string", "integer", "number", "boolean", "null", "object"):
        raise ValueError(f"no such type: {text}")
    return {"type": text}


def schema(shapes: Shapes, document: str = "") -> JsonDict:
    """The JSON Schema of every document, or of one, with all shapes that it may speak of."""
    documents = dict.fromkeys(one for told in shapes.commands.values() for one in told)
    top = {"$ref": f"#/$defs/{document}"} if document else {"anyOf": [{"$ref": f"#/$defs/{one}"} for one in (*documents, FAULT)]}
    commands = {command: list(told) for command, told in shapes.commands.items()}
    return {"$schema": DIALECT, "title": "Companion", **top, "commands": commands, "$defs": dict(shapes.schemas)}
