"""Requests: a line holds the words of a command line, or fields that are translated into such words."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from companion.cli.shell.output import PROTOCOL, Unsupported
from companion.core.errors import Unreadable
from companion.core.text import clean
from companion.core.values import JsonDict, JsonObject

SUPPORTED = (PROTOCOL,)
"""Versions of the protocol."""

_INFINITY = float("inf")
"""JSON has no infinity, but a number that is too large is read as one."""

QUICK = "quick"
"""The level of a review that names none."""

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


def wants_messages(fields: JsonObject, before: bool) -> bool:
    """Return whether documents have messages from this request on; as ``before`` if it does not say. Raises Unreadable."""
    value = fields.get("messages", before)
    if not isinstance(value, bool):
        raise Unreadable("'messages' is neither true nor false")
    return value


def parse_request(
    fields: JsonObject, key_of: Callable[[JsonObject], str], turn_of: Callable[[JsonObject], int] = lambda fields: 0
) -> Parsed:
    """Translate the fields of a request into the words of a command line.

    Args:
        fields: The fields; unknown ones are ignored.
        key_of: Returns the key of the open question in the session that the fields name.
        turn_of: Returns the turn of its last action; 0 if nothing was played.

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
    if name == "review":
        fields = _limited(fields, turn_of)
    return Parsed(number, name, _command(name, fields, key_of), fields)


def _limited(fields: JsonObject, turn_of: Callable[[JsonObject], int]) -> JsonObject:
    """The fields of a review: of the last turn, and quick, if they do not say. No other request is answered meanwhile."""
    limits: JsonDict = {"level": fields.get("level") or QUICK}
    if fields.get("from") is None and fields.get("to") is None:
        limits |= dict.fromkeys(("from", "to"), turn_of(fields))
    return {**fields, **limits}


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


def _changes(value: Any, name: str) -> list[str]:
    """What is set and its value, in turn. Raises Unreadable: it is not an object, or has nothing in it."""
    words = [word for pair in _pairs(value, name) for word in pair.split("=", 1)]
    if not words:
        raise Unreadable(f"'{name}' is empty", cure='Like this: {"TRACK": 3}')
    return words


def _choices(value: Any, name: str) -> list[str]:
    return [f"--option={pair}" for pair in _pairs(value, name)]


class Form(NamedTuple):
    """A request by fields: its command, how each field becomes words, and the fields that must be given."""

    command: str
    fields: Mapping[str, Callable[[Any, str], list[str]]]
    needed: Sequence[str] = ()


_WHERE = {"session": _option("--session"), "db": _option("--db")}
_SEAT = {"seat": _option("--seat")}
_PLAY = {**_WHERE, "brief": _flag("--brief"), **_SEAT}
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
    "legal": Form("status", _PLAY),
    "begin": Form("do", {"action": _word, **_ANSWERS}, ("action",)),
    "answer": Form("answer", {"at": _option("--at"), **_ANSWERS}),
    "share": Form("share", {"nonce": _word, "at": _option("--at"), "seat": _option("--seat"), **_PLAY}, ("nonce", "at", "seat")),
    "consent": Form("consent", {"allow": _word, "seat": _option("--seat"), **_PLAY}, ("allow", "seat")),
    "undo": Form("undo", {"count": _word, "to": _option("--to"), "reply": _flag("--reply"), **_PLAY}),
    "redo": Form("redo", _PLAY),
    "adjust": Form(
        "adjust",
        {"changes": _changes, "why": _option("--why"), "anyway": _flag("--anyway"), **_WHERE, "brief": _PLAY["brief"]},
        ("changes",),
    ),
    "note": Form("note", {"text": _word, **_WHERE}, ("text",)),
    "odds": Form("odds", {"game": _word, "situation": _word, "values": _pairs, **_SEAT, **_WHERE}),
    "bot": Form("bot", {"values": _pairs, "think": _option("--think"), **_SEAT, **_WHERE}),
    "review": Form("review", {"level": _option("--level"), "from": _option("--from"), "to": _option("--to"), **_SEAT, **_WHERE}),
    "map": Form("map", {"game": _word, "space": _word, "format": _option("--format"), **_WHERE}, ("game",)),
    "log": Form("log", {"last": _option("--last"), "since": _option("--since"), "undone": _flag("--undone"), **_SEAT, **_WHERE}),
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
    marked = [(word, form.fields[field] in _PLAIN) for field, value in given.items() for word in form.fields[field](value, field)]
    if name == "answer" and fields.get("value") is not None:
        marked.append((_value(fields, key_of), False))
    if any(is_plain and word.startswith("-") for word, is_plain in marked):  # it is text, not an option
        options = [word for word, is_plain in marked if not is_plain and word.startswith("--")]
        return [form.command, *options, "--", *(word for word, is_plain in marked if is_plain or not word.startswith("--"))]
    return [form.command, *(word for word, _ in marked)]


_PLAIN = (_word, _changes)
"""Fields that become words of the command line, and could be taken for options."""


def _value(fields: JsonObject, key_of: Callable[[JsonObject], str]) -> str:
    """The answer in `value`, with the key that is given; if `at` numbers the question, with the key of the open one."""
    text = _answer(fields["value"], "value")
    key = _text(fields["key"], "key") if fields.get("key") is not None else ""
    if not key and ("=" in text or text.startswith("-")):
        if not fields.get("at"):
            raise Unreadable("an answer with '=' or a leading '-' needs the 'key' of its question, or 'at'")
        key = key_of(fields)
    return f"{key}={text}" if key else text
