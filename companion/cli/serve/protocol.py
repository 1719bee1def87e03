"""Protocol 1: the requests of programs, and the JSON Schemas of all documents.

The line of a request holds the words of a command line, or fields that are translated into such words.

The schemas are read from the tables of `companion/docs/protocol.md`, the only place that defines them. A shape is a heading
`### name` with a table of `key`, `type` and `what it is` below it, or with a line `Type: ... .` A key that may be missing has
a question mark after it. ``With the keys of `other`.`` before the table includes those of another shape. A type is a word of
JSON Schema, `any`, a shape in backticks, a literal text in quotes, `list of` or `map of` (by ids) one of these, or several
with `or` between them. Keys of one type may share a row, separated by commas. The table of `command` and `document` tells
which command prints which.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import companion
from companion.cli.shell.output import PROTOCOL, Unsupported
from companion.core.errors import Unreadable
from companion.core.text import clean
from companion.core.values import JsonDict, JsonObject

SUPPORTED = (PROTOCOL,)
"""Versions of the protocol."""

_INFINITY = float("inf")
"""JSON has no infinity, but a number that is too large is read as one."""

Id = str | int | float | None


class Parsed(NamedTuple):
    """A request.

    Attributes:
        id: Sent back with the answer.
        kind: `argv`, `hello` or the name of a form.
        words: The command line; none for `hello`.
        fields: All fields of the request.
    """

    id: Id
    kind: str
    words: Sequence[str]
    fields: JsonObject


def parse_line(line: bytes) -> JsonObject:
    """Read the JSON object of a line. Raises Unreadable: it holds none."""

    def refuse_constant(word: str) -> Any:
        raise ValueError(word)

    try:
        fields = json.loads(line.decode("utf-8"), parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        raise Unreadable("the line is not JSON", cure=_CURE) from None
    if not isinstance(fields, dict):
        raise Unreadable("the line is not a JSON object", cure=_CURE)
    return fields


_CURE = 'One object a line: {"id": 1, "argv": ["status"]}'


def request_id(fields: JsonObject) -> Id:
    """The id of a request; None without one. Raises Unreadable: it is neither text nor a number."""
    value = fields.get("id")
    if isinstance(value, bool) or not isinstance(value, str | int | float | None) or value in (_INFINITY, -_INFINITY):
        raise Unreadable("'id' is neither text nor a number")
    return value


def parse_request(fields: JsonObject, key_of: Callable[[JsonObject], str]) -> Parsed:
    """Translate the fields of a request into the words of a command line.

    Args:
        fields: The fields; unknown ones are ignored.
        key_of: Returns the key of the open question in the session that the fields name.

    Raises:
        Unreadable: The request is empty or ambiguous, or a field has a wrong value.
        Unsupported: The request requires another version of the protocol.
    """
    _check_protocol(fields)
    kinds = [kind for kind in ("argv", "do", "hello") if kind in fields]
    if len(kinds) != 1:
        raise Unreadable("a request has one of 'argv', 'do' and 'hello'", cure=_CURE)
    number = request_id(fields)
    if kinds == ["hello"]:
        return Parsed(number, "hello", (), fields)
    if kinds == ["argv"]:
        return Parsed(number, "argv", _words(fields["argv"], "argv"), fields)
    name = fields["do"]
    if not isinstance(name, str) or name not in FORMS:
        raise Unreadable(f"there is no request '{clean(str(name))[:60]}'", cure=f"You can name: {', '.join(FORMS)}")
    return Parsed(number, name, _command(name, fields, key_of), fields)


def _check_protocol(fields: JsonObject) -> None:
    """Check that the client accepts a version that is supported. Raises Unsupported, Unreadable."""
    hello = fields.get("hello", {})
    if not isinstance(hello, dict):
        raise Unreadable("'hello' is not an object", cure='Like this: {"hello": {"protocol": [1]}}')
    for holder in (fields, hello):
        wanted = holder.get("protocol", list(SUPPORTED))
        numbers = wanted if isinstance(wanted, list) else [wanted]
        if not any(number in SUPPORTED for number in numbers if isinstance(number, int) and not isinstance(number, bool)):
            raise Unsupported("this version of the protocol is not supported", cure=f"Use: {', '.join(map(str, SUPPORTED))}")


def _text(value: Any, name: str) -> str:
    """A text or whole number as a word. Raises Unreadable: it is something else."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise Unreadable(f"'{name}' is neither text nor a whole number")
    return _valid_text(str(value), name)


def _valid_text(text: str, name: str) -> str:
    """Text that a command line can hold. Raises Unreadable: it has other characters."""
    if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise Unreadable(f"'{name}' has characters that are not text")
    return text


def _words(value: Any, name: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        raise Unreadable(f"'{name}' must be a list of words", cure=_CURE)
    return [_valid_text(word, name) for word in value]


def _answer(value: Any, name: str) -> str:
    """An answer as it is typed: yes or no for a boolean, commas in a list, and after the die of a list of one."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        words = [_text(item, name) for item in value]
        return ",".join(words) + ("," if len(words) == 1 and isinstance(value[0], int) else "") or "none"
    return _text(value, name)


def _pairs(value: Any, name: str) -> list[str]:
    """`K=V` words in the order of the keys. Raises Unreadable: the value is not an object."""
    if not isinstance(value, dict):
        raise Unreadable(f"'{name}' must be an object of keys and answers")
    for key in value:
        if not key or "=" in key or key.startswith("-"):
            raise Unreadable(f"'{clean(key)[:60]}' in '{name}' cannot be a key")
    return [f"{_valid_text(key, name)}={_answer(item, name)}" for key, item in value.items()]


def _option(option: str) -> Callable[[Any, str], list[str]]:
    return lambda value, name: [f"{option}={_text(value, name)}"]


def _options(option: str) -> Callable[[Any, str], list[str]]:
    return lambda value, name: [f"{option}={word}" for word in _words(value, name)]


def _dice(value: Any, name: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(face, int) and not isinstance(face, bool) for face in value):
        raise Unreadable(f"'{name}' must be a list of faces", cure="Like this: [3, 5, 2]")
    return [f"--dice={''.join(f'{face},' for face in value)}"] if value else []


def _flag(option: str) -> Callable[[Any, str], list[str]]:
    def words(value: Any, name: str) -> list[str]:
        if not isinstance(value, bool):
            raise Unreadable(f"'{name}' is neither true nor false")
        return [option] if value else []

    return words


def _word(value: Any, name: str) -> list[str]:
    return [_text(value, name)]


def _choices(value: Any, name: str) -> list[str]:
    return [f"--option={pair}" for pair in _pairs(value, name)]


class Form(NamedTuple):
    """A request by fields: its command, how each field becomes words, and the fields that must be given."""

    command: str
    fields: Mapping[str, Callable[[Any, str], list[str]]]
    needed: Sequence[str] = ()


_WHERE = {"session": _option("--session"), "db": _option("--db")}
_PLAY = {**_WHERE, "brief": _flag("--brief")}
_ANSWERS = {
    "values": _pairs,
    "dice": _dice,
    "draw": _options("--draw"),
    "anyway": _flag("--anyway"),
    "accept": _flag("--accept"),
    **_PLAY,
}
_NEW = {"game": _word, "scenario": _option("--scenario"), "options": _choices, "seed": _option("--seed")}

FORMS: Mapping[str, Form] = {
    "games": Form("games", {"game": _word, "db": _WHERE["db"]}),
    "new": Form(
        "new",
        {
            **_NEW,
            "name": _option("--name"),
            **{key: _option(f"--{key}") for key in ("dice", "draws", "think")},
            "values": _pairs,
            "db": _WHERE["db"],
            "brief": _PLAY["brief"],
        },
        ("game",),
    ),
    "practice": Form("practice", {**_NEW, "db": _WHERE["db"], "brief": _PLAY["brief"]}, ("game",)),
    "sessions": Form("sessions", {"db": _WHERE["db"]}),
    "status": Form("status", _PLAY),
    "legal": Form("legal", _WHERE),
    "begin": Form("do", {"action": _word, **_ANSWERS}, ("action",)),
    "answer": Form("answer", {"at": _option("--at"), **_ANSWERS}),
    "undo": Form("undo", {"count": _word, "to": _option("--to"), "reply": _flag("--reply"), **_PLAY}),
    "redo": Form("redo", _PLAY),
    "note": Form("note", {"text": _word, **_WHERE}, ("text",)),
    "odds": Form("odds", {"game": _word, "situation": _word, "values": _pairs, **_WHERE}),
    "bot": Form("bot", {"values": _pairs, "think": _option("--think"), **_WHERE}),
    "log": Form("log", {"last": _option("--last"), "since": _option("--since"), "undone": _flag("--undone"), **_WHERE}),
    "follow": Form("status", _PLAY),
    "unfollow": Form("status", _PLAY),
}
"""All requests by fields; every other command goes by `argv`."""


def _command(name: str, fields: JsonObject, key_of: Callable[[JsonObject], str]) -> list[str]:
    form = FORMS[name]
    missing = [field for field in form.needed if fields.get(field) is None]
    if missing:
        raise Unreadable(f"'{name}' needs '{missing[0]}'")
    given = {field: fields[field] for field in form.fields if fields.get(field) is not None}
    words = [word for field, value in given.items() for word in form.fields[field](value, field)]
    if name == "answer" and fields.get("value") is not None:
        words.append(_value(fields, key_of))
    return [form.command, *words]


def _value(fields: JsonObject, key_of: Callable[[JsonObject], str]) -> str:
    """The answer in `value`, with the key that is given; if `at` numbers the question, with the key of the open one."""
    text = _answer(fields["value"], "value")
    key = _text(fields["key"], "key") if fields.get("key") is not None else ""
    if not key and ("=" in text or text.startswith("-")):
        if not fields.get("at"):
            raise Unreadable("an answer with '=' or a leading '-' needs the 'key' of its question, or 'at'")
        key = key_of(fields)
    return f"{key}={text}" if key else text


# -- schemas --------------------------------------------------------------------------------------------------------------

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
    with open(os.path.join(os.path.dirname(companion.__file__), "docs", "protocol.md"), encoding="utf-8") as file:
        return file.read()


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
