"""What a line asks for: the shell's own words, or the same said by fields, which are put into such words."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from companion.cli.shell.output import PROTOCOL, Unsupported
from companion.core.errors import Unreadable
from companion.core.text import clean
from companion.core.values import JsonObject

SUPPORTED = (PROTOCOL,)
"""The forms of the documents that can be spoken."""

_ENDLESS = float("inf")
"""What JSON has no number for, though a number in it can be as large."""

Id = str | int | float | None


class Asked(NamedTuple):
    """What a line asks for.

    Attributes:
        id: comes back with the answer.
        what: ``argv``, ``hello`` or the name of one of the FORMS.
        words: the command line that says it; none for ``hello``.
        fields: all that was said.
    """

    id: Id
    what: str
    words: Sequence[str]
    fields: JsonObject


# -- reading -----------------------------------------------------------------------------------------------------------


def parsed(line: bytes) -> JsonObject:
    """The object of a line. Raises Unreadable: it holds none."""

    def no_number(word: str) -> Any:
        raise ValueError(word)

    try:
        found = json.loads(line.decode("utf-8"), parse_constant=no_number)
    except (ValueError, RecursionError):
        raise Unreadable("the line is no JSON", cure=_CURE) from None
    if not isinstance(found, dict):
        raise Unreadable("the line holds no JSON object", cure=_CURE)
    return found


_CURE = 'One object a line: {"id": 1, "argv": ["status"]}'


def id_of(fields: JsonObject) -> Id:
    """What comes back with the answer; None where there is none. Raises Unreadable: it is neither text nor a number."""
    found = fields.get("id")
    if isinstance(found, bool) or not isinstance(found, str | int | float | None) or found in (_ENDLESS, -_ENDLESS):
        raise Unreadable("'id' is neither text nor a number")
    return found


def asked(fields: JsonObject, key_of: Callable[[JsonObject], str]) -> Asked:
    """What an object asks for.

    Args:
        fields: of the object; those that are not known are let be.
        key_of: the key of the question that is open in the session that the fields name.

    Raises:
        Unreadable: it asks for nothing, for two things, or a field holds what it cannot.
        Unsupported: it is said in a form that is not spoken here.
    """
    _spoken(fields)
    ways = [way for way in ("argv", "do", "hello") if way in fields]
    if len(ways) != 1:
        raise Unreadable("a request has one of 'argv', 'do' and 'hello'", cure=_CURE)
    number = id_of(fields)
    if ways == ["hello"]:
        return Asked(number, "hello", (), fields)
    if ways == ["argv"]:
        return Asked(number, "argv", _words(fields["argv"], "argv"), fields)
    name = fields["do"]
    if not isinstance(name, str) or name not in FORMS:
        raise Unreadable(f"there is no request '{clean(str(name))[:60]}'", cure=f"You can name: {', '.join(FORMS)}")
    return Asked(number, name, _command(name, fields, key_of), fields)


def _spoken(fields: JsonObject) -> None:
    """See to it that a client speaks what is spoken here. Raises Unsupported, Unreadable."""
    hello = fields.get("hello", {})
    if not isinstance(hello, dict):
        raise Unreadable("'hello' holds no object", cure='Like this: {"hello": {"protocol": [1]}}')
    for place in (fields, hello):
        wanted = place.get("protocol", list(SUPPORTED))
        numbers = wanted if isinstance(wanted, list) else [wanted]
        if not any(number in SUPPORTED for number in numbers if isinstance(number, int) and not isinstance(number, bool)):
            raise Unsupported("no such protocol is spoken here", cure=f"It is: {', '.join(map(str, SUPPORTED))}")


# -- putting fields into words -------------------------------------------------------------------------------------------


def _text(value: Any, name: str) -> str:
    """A word. Raises Unreadable: it cannot be one."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise Unreadable(f"'{name}' is neither text nor a whole number")
    return _sound(str(value), name)


def _sound(text: str, name: str) -> str:
    """Text that a command line could hold. Raises Unreadable: it holds what is none."""
    if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise Unreadable(f"'{name}' holds what is no text")
    return text


def _words(value: Any, name: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        raise Unreadable(f"'{name}' must be a list of words", cure=_CURE)
    return [_sound(word, name) for word in value]


def _answer(value: Any, name: str) -> str:
    """An answer as it is typed: yes or no for a truth, commas between several; dice of a list of one with a comma behind it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        said = [_text(one, name) for one in value]
        return ",".join(said) + ("," if len(said) == 1 and isinstance(value[0], int) else "") or "none"
    return _text(value, name)


def _pairs(value: Any, name: str) -> list[str]:
    """``K=V`` words; a key with a list of lists, or of texts, keeps its order. Raises Unreadable: it is no object."""
    if not isinstance(value, dict):
        raise Unreadable(f"'{name}' must be an object of keys and answers")
    for key in value:
        if not key or "=" in key or key.startswith("-"):
            raise Unreadable(f"'{clean(key)[:60]}' in '{name}' cannot be a key")
    return [f"{_sound(key, name)}={_answer(one, name)}" for key, one in value.items()]


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
    """A request: its command, and in which order its fields become words. The ``needed`` ones must be there."""

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
"""Every request that is said by fields; what else there is goes by ``argv``."""


def _command(name: str, fields: JsonObject, key_of: Callable[[JsonObject], str]) -> list[str]:
    form = FORMS[name]
    lacking = [field for field in form.needed if fields.get(field) is None]
    if lacking:
        raise Unreadable(f"'{name}' needs '{lacking[0]}'")
    given = {field: fields[field] for field in form.fields if fields.get(field) is not None}
    words = [word for field, value in given.items() for word in form.fields[field](value, field)]
    if name == "answer" and fields.get("value") is not None:
        words.append(_value(fields, key_of))
    return [form.command, *words]


def _value(fields: JsonObject, key_of: Callable[[JsonObject], str]) -> str:
    """The one answer, by the key that is named; where a number names the question, by the key of that which is open."""
    text = _answer(fields["value"], "value")
    key = _text(fields["key"], "key") if fields.get("key") is not None else ""
    if not key and ("=" in text or text.startswith("-")):
        if not fields.get("at"):
            raise Unreadable("such an answer needs the 'key' of its question, or 'at'")
        key = key_of(fields)
    return f"{key}={text}" if key else text
