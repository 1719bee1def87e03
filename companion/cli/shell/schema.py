"""JSON Schemas of all documents, read from the tables of `companion/docs/protocol.md`, the only place that defines them.

A shape is a heading `### name` with a table of `key`, `type` and `what it is` below it, or with a line `Type: ... .` A key
that may be missing has a question mark after it. ``With the keys of `other`.`` before the table includes those of another
shape. A type is a word of JSON Schema, `any`, a shape in backticks, a literal text in quotes, `list of` or `map of` (by ids)
one of these, or several with `or` between them. Keys of one type may share a row, separated by commas. The table of `command`
and `document` tells which command prints which.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.core.values import JsonDict, JsonObject
from companion.session.files import help_page

_HEADING = r"^#+ (.*)$"
_ROW = r"^\| (`[\w$]+`\??(?:, `[\w$]+`\??)*) +\| (.*?) \| ?(.*) \|$"
_KEY = r"`([\w$]+)`(\??)"
_BASE = r"^With the keys of `(\w+)`\."
_ALIAS = r"^Type: (.*)\.$"
_COMMANDS = r"^\| (`[^|]*`) \| ((?:`\w+`(?:, )?)+) \|$"
_NAMED = r"`([^`]+)`"

DIALECT = "https://json-schema.org/draft/2020-12/schema"
ERROR = "error"
"""The document of every command that fails."""


class Shapes(NamedTuple):
    """The content of the page.

    Attributes:
        schemas: The schema of each shape, in the order of the page.
        commands: The documents that each command prints.
    """

    schemas: Mapping[str, JsonObject]
    commands: Mapping[str, tuple[str, ...]]


def protocol_page() -> str:
    """The text of the page."""
    return help_page("protocol")


def read_shapes(text: str, strict: bool = False) -> Shapes:
    """Read the shapes of a page.

    Args:
        text: The page.
        strict: Forbid keys that no table has. Clients must allow them, because keys may be added at any time.

    Raises ValueError: a type is unknown, a shape is missing, or something is defined twice.
    """
    import re

    shapes: dict[str, JsonDict] = {}
    parts = re.split(_HEADING, text, flags=re.M)
    for name, body in zip(parts[1::2], parts[2::2], strict=True):
        rows, alias = re.findall(_ROW, body, re.M), re.search(_ALIAS, body, re.M)
        if name in shapes and (rows or alias):
            raise ValueError(f"a shape is defined twice: {name}")
        if alias:
            shapes[name] = {"description": _description(body), **_type_schema(alias[1])}
        elif rows and re.fullmatch(r"\w+", name):
            bases = [_find(shapes, base) for base in re.findall(_BASE, body, re.M)]
            shapes[name] = _object_schema(bases, rows, _description(body), strict)
    printed = [
        (name, re.findall(_NAMED, documents))
        for names, documents in re.findall(_COMMANDS, text, re.M)
        for name in re.findall(_NAMED, names)
    ]
    commands = {command: tuple(documents) for command, documents in printed}
    if len(commands) < len(printed):
        raise ValueError("a command is listed twice")
    references = re.findall(r"#/\$defs/(\w+)", repr(shapes))
    for name in [*references, *(document for documents in commands.values() for document in documents)]:
        _find(shapes, name)
    return Shapes(shapes, commands)


def _find(shapes: Mapping[str, JsonDict], name: str) -> JsonDict:
    if name not in shapes:
        raise ValueError(f"no such shape: {name}")
    return shapes[name]


def _description(body: str) -> str:
    """The first paragraph below a heading, if it is text."""
    paragraph = body.strip().partition("\n\n")[0]
    return "" if paragraph.startswith(("|", "With the keys of", "Type:")) else " ".join(paragraph.split())


def _object_schema(bases: list[JsonDict], rows: list[tuple[str, ...]], description: str, strict: bool) -> JsonDict:
    import re

    properties = {key: schema for base in bases for key, schema in base["properties"].items()}
    required = [key for base in bases for key in base["required"]]
    for keys, type_text, description_of_key in rows:
        for key, optional in re.findall(_KEY, keys):
            properties[key] = {"description": description_of_key, **_type_schema(type_text)}
            required = [name for name in required if name != key] + ([] if optional else [key])
    schema = {"description": description, "type": "object", "properties": properties, "required": required}
    return {**schema, "additionalProperties": False} if strict else schema


def _type_schema(text: str) -> JsonDict:
    types = text.split(" or ")
    if len(types) == 1:
        return _single_type_schema(text)
    if all(name.startswith('"') for name in types):
        return {"enum": [name.strip('"') for name in types]}
    return {"anyOf": [_single_type_schema(name) for name in types]}


def _single_type_schema(text: str) -> JsonDict:
    if text.startswith("list of "):
        return {"type": "array", "items": _type_schema(text.removeprefix("list of "))}
    if text.startswith("map of "):
        return {"type": "object", "additionalProperties": _type_schema(text.removeprefix("map of "))}
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


def json_schema(shapes: Shapes, document: str = "") -> JsonDict:
    """Return the JSON Schema of all documents, or of one, with all shapes."""
    documents = dict.fromkeys(name for printed in shapes.commands.values() for name in printed)
    any_of = [{"$ref": f"#/$defs/{name}"} for name in (*documents, ERROR)]
    top = {"$ref": f"#/$defs/{document}"} if document else {"anyOf": any_of}
    commands = {command: list(printed) for command, printed in shapes.commands.items()}
    return {"$schema": DIALECT, "title": "Companion", **top, "commands": commands, "$defs": dict(shapes.schemas)}
