"""A command, carried out in this process: what it would have printed, as plain data.

The words of most command lines hold nothing that a parser would be needed for; the function of the command is then called as it
is. Whatever is not as plain as that goes to Typer, which also says what is wrong with it.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

import typer
from typer.models import ArgumentInfo, OptionInfo

from companion.cli.shell import preferences
from companion.cli.shell.app import carried_out, hoisted
from companion.cli.shell.catalog import COMMANDS
from companion.cli.shell.fast import fast
from companion.cli.shell.output import SINK, guarded
from companion.core.errors import Unreadable
from companion.core.text import pick_name
from companion.core.values import JsonDict, JsonObject

INTERRUPTED = 130
"""What a command leaves with after Ctrl-C."""
FAULT = 70
"""What it leaves with after a fault in Companion itself."""
_NO_TERMINAL = ("play", "serve")
"""Commands that nothing but a terminal, or another stream, is good for."""


class Outcome(NamedTuple):
    """What a command came to: its exit code, and the document that its ``--json`` prints."""

    code: int
    document: JsonObject


class _NoInput(io.TextIOBase):
    """The standard input of a command, whose lines are the server's."""

    def _refuse(self, *_: object) -> Any:
        raise Unreadable("there is no standard input here: it brings the requests", cure="Name a file instead of -")

    read = readline = readlines = __next__ = _refuse

    @property
    def buffer(self) -> Any:
        return self

    def isatty(self) -> bool:
        return False


@contextmanager
def apart() -> Iterator[None]:
    """Commands neither read from the standard input nor write to the standard output; what they print is taken up."""
    before = sys.stdin, sys.stdout
    sys.stdin, sys.stdout = _NoInput(), io.StringIO()
    SINK.documents = []
    try:
        yield
    finally:
        sys.stdin, sys.stdout = before
        SINK.documents = None


def outcome(words: Sequence[str]) -> Outcome:
    """Carry out a command by the shell's own words, as if with ``--json``. To be called ``apart``."""
    return told(lambda: _run(list(words)))


def told(run: Callable[[], int]) -> Outcome:
    """What something printed that is carried out like a command."""
    assert SINK.documents is not None and isinstance(sys.stdout, io.StringIO)
    documents, text = SINK.documents, sys.stdout
    documents.clear()
    code = guarded(run, True)
    printed = text.getvalue()
    if printed:
        text.seek(0)
        text.truncate()
    if documents:
        return Outcome(code, documents[-1])
    return Outcome(code, {"text": printed} if printed else {})


def _run(words: list[str]) -> int:
    given = hoisted(words)
    if given[0].startswith("-"):
        code = fast([*given, "--json"] if given == ["--version"] else given)
        return carried_out(given) if code is None else code
    name = pick_name(given[0], list(COMMANDS), "command")
    if name in _NO_TERMINAL:
        raise Unreadable(f"'{name}' is not for a program", cure="It can: do, answer, undo, status, and every command with --json")
    rest = given[1:]
    if "--json" in COMMANDS[name].options and "--json" not in rest and not {"--help", "-h"} & {*rest}:
        rest = ["--json", *rest]
    form = form_of(name)
    arguments = form.read(rest) if form else None
    if form is None or arguments is None:
        return carried_out([name, *preferences.taken(rest)])
    try:
        form.call(**arguments)
    except typer.Exit as leaving:
        return int(leaving.exit_code)
    return 0


# -- command lines without Typer ---------------------------------------------------------------------------------------


class Slot(NamedTuple):
    """Where a word of a command line goes: the argument of the function, what it takes (``bool``, ``int`` or ``str``), whether
    as a list, and between which numbers.
    """

    name: str
    kind: type
    many: bool
    low: float | None
    high: float | None

    def value(self, word: str) -> Any:
        """A word as the function takes it. Raises ValueError: it is none of that kind."""
        if self.kind is not int:
            return word
        number = int(word)
        if (self.low is not None and number < self.low) or (self.high is not None and number > self.high):
            raise ValueError(word)
        return number


class Form(NamedTuple):
    """A command: its function, where its words go, its options, and whether a word may be a negative number."""

    call: Callable[..., None]
    words: Sequence[Slot]
    needed: int
    options: Mapping[str, Slot]
    numbers: bool

    def read(self, words: Sequence[str]) -> JsonDict | None:
        """The arguments of the function; None where anything is not plain."""
        found: JsonDict = {}
        plain: list[str] = []
        left = iter(words)
        try:
            for word in left:
                if not word.startswith("-") or word == "-" or (self.numbers and word[1:].isdigit()):
                    plain.append(word)
                elif not self._take(found, word, left):
                    return None
            return self._take_words(found, plain)
        except ValueError:
            return None

    def _take(self, found: JsonDict, word: str, left: Iterator[str]) -> bool:
        """An option, with the next word where that is its value; whether there is such an option."""
        name, equals, value = word.partition("=")
        slot = self.options.get(name)
        if slot is None or (slot.kind is bool and equals):
            return False
        if slot.kind is bool:
            found[slot.name] = True
            return True
        if not equals:
            following = next(left, None)
            if following is None:
                return False
            value = following
        if slot.many:
            found.setdefault(slot.name, []).append(slot.value(value))
        else:
            found[slot.name] = slot.value(value)
        return True

    def _take_words(self, found: JsonDict, plain: Sequence[str]) -> JsonDict | None:
        fixed = [slot for slot in self.words if not slot.many]
        if len(plain) < self.needed or (len(plain) > len(fixed) and len(fixed) == len(self.words)):
            return None
        for slot, word in zip(fixed, plain, strict=False):
            found[slot.name] = slot.value(word)
        if len(plain) > len(fixed):
            found[self.words[-1].name] = list(plain[len(fixed) :])
        return found


@cache
def form_of(name: str) -> Form | None:
    """How a command is called; None where that is not plain."""
    module = import_module(f"companion.cli.commands.{COMMANDS[name].module}")
    call = getattr(module, name)
    words: list[Slot] = []
    options: dict[str, Slot] = {}
    hints = get_type_hints(call, include_extras=True)
    hints.pop("return", None)
    defaults = len(call.__defaults__ or ())
    without = [*hints][: len(hints) - defaults]
    for argument, hint in hints.items():
        told = _told(argument, hint)
        if told is None:
            return None
        slot, names = told
        words += [] if names else [slot]
        options |= dict.fromkeys(names, slot)
    if any(slot.many for slot in words[:-1]):
        return None
    settings = getattr(module, "SETTINGS", {}).get(name, {})
    needed = sum(slot.name in without for slot in words)
    return Form(call, words, needed, options, bool(settings.get("ignore_unknown_options")))


def _told(argument: str, hint: Any) -> tuple[Slot, Sequence[str]] | None:
    """Where the words for an argument go, and the options that name it; None where it takes what is not plain."""
    base, info = get_args(hint)[:2] if len(get_args(hint)) > 1 else (hint, None)
    if not isinstance(info, ArgumentInfo | OptionInfo):
        return None
    kinds = [kind for kind in get_args(base) or (base,) if kind is not type(None)]
    if get_origin(base) is list or (kinds and get_origin(kinds[0]) is list):
        (kind,), many = (get_args(base) if get_origin(base) is list else get_args(kinds[0])), True
    else:
        kind, many = kinds[0], False
    if kind not in (str, int, bool):
        return None
    # behind ``Annotated`` the first name of an option stands where its default would
    named = (info.default, *(info.param_decls or ())) if isinstance(info, OptionInfo) else ()
    names = [name for name in named if isinstance(name, str) and name.startswith("--")]
    return (Slot(argument, kind, many, info.min, info.max), names) if len(names) == len(named) else None
