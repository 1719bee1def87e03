"""Mistakes of authors of games that would otherwise be reported as something else: found, and put into words with their place."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import wraps
from types import CoroutineType, FrameType
from typing import Any

from companion.core.errors import RuleFault
from companion.core.game import Banner, Field, Game, Score
from companion.core.referee import Referee
from companion.core.request import Request
from companion.core.values import JsonObject

# -- a forgotten await -------------------------------------------------------------------------------------------------

_USERS = tuple(os.path.join("companion", "core", f"{name}.py") for name in ("referee", "position", "events", "charts"))
"""Modules whose functions take ids and values, never a request."""


def unawaited_text(coroutine: str) -> str:
    """Return what is wrong if a coroutine of this qualified name was not awaited."""
    name = coroutine.rpartition(".")[2]
    if hasattr(Referee, name):
        return f"a request was used without await: write 'await referee.{name}(...)'"
    return f"'{name}' was called without await: write 'await {name}(...)'"


def unawaited_in(fault: BaseException) -> str:
    """Return what is wrong if an error comes from a coroutine or request that was used without await; else ""."""
    traceback = fault.__traceback__
    while traceback is not None:
        frame, traceback = traceback.tb_frame, traceback.tb_next
        for value in _values_in(frame):
            if isinstance(value, CoroutineType) and value.cr_frame is not None and not value.cr_running and _is_new(value):
                value.close()  # else Python warns of it later
                return unawaited_text(value.__qualname__)
            if isinstance(value, Request) and frame.f_code.co_filename.endswith(_USERS):
                return f"a request was used without await: write 'await {type(value).__name__}(...)'"
    return ""


def _values_in(frame: FrameType) -> Iterator[object]:
    for value in list(frame.f_locals.values()):
        yield value
        if isinstance(value, tuple):
            yield from value


def _is_new(coroutine: CoroutineType[Any, Any, Any]) -> bool:
    """True if a coroutine has not begun to run."""
    from inspect import CORO_CREATED, getcoroutinestate

    return getcoroutinestate(coroutine) == CORO_CREATED


# -- what the description of a game returns ----------------------------------------------------------------------------

_NEEDED = {
    "referee": "referee(position, options)",
    "setup": "setup(referee)",
    "banner": "banner(position, options)",
    "score": "score(position, options)",
}
"""The methods that every game has; without ``over(position)`` a game does not end."""


def missing_methods(game: Game) -> list[str]:
    """Return the methods that a game must have and has not, with class and file."""
    kind = type(game)
    missing = [call for name, call in _NEEDED.items() if getattr(kind, name) is getattr(Game, name)]
    file, line = place_of(kind)
    return [f"{os.path.basename(file)} line {line}: the class {kind.__name__} has no {call}" for call in missing]


def place_of(kind: type) -> tuple[str, int]:
    """Return file and line of a class."""
    from inspect import getsourcefile, getsourcelines

    try:
        return getsourcefile(kind) or "", getsourcelines(kind)[1]
    except (OSError, TypeError):  # without its source
        return "", 0


def check_results(game: Game) -> None:
    """Let banner, score and end of a game raise RuleFault if what they return is of the wrong type."""
    for name, fault_of in (("banner", _banner_fault), ("score", _score_fault), ("over", _over_fault)):
        setattr(game, name, _checked(getattr(game, name), fault_of))


def _checked(method: Callable[..., Any], fault_of: Callable[[Any], str]) -> Callable[..., Any]:
    @wraps(method)
    def checked(*given: Any, **named: Any) -> Any:
        result = method(*given, **named)
        if fault := fault_of(result):
            raise RuleFault.of(method, f"'{method.__name__}' returns {fault}")
        return result

    return checked


def _banner_fault(banner: Any) -> str:
    if not isinstance(banner, Banner):
        return f"no Banner: {banner!r}"
    if not isinstance(banner.stage, str):
        return f"Banner(stage, fields) with a stage that is no text: {banner.stage!r}"
    for field in banner.fields if isinstance(banner.fields, tuple | list) else (banner.fields,):
        if not isinstance(field, Field):
            return f"Banner(stage, fields) with fields that are not a tuple of Field(key, label, value): {field!r}"
        for name in ("key", "label", "value"):
            if not isinstance(value := getattr(field, name), str):
                return f"Field(key, label, value, number) whose {name} is no text: {value!r}"
        if not isinstance(field.number, int | None):
            return f"Field(key, label, value, number) whose number is no whole number: {field.number!r}"
    return ""


def _score_fault(score: Any) -> str:
    if not isinstance(score, Score):
        return f"no Score: {score!r}"
    for name, kind, what in (("items", tuple | list, "a tuple"), ("total", int | float, "a number"), ("verdict", str, "a text")):
        if not isinstance(value := getattr(score, name), kind):
            return f"Score(items, total, verdict, rule) whose {name} is not {what}: {value!r}"
    for item in score.items:
        if not (isinstance(item, tuple) and len(item) == len(_ITEM) and all(map(isinstance, item, _ITEM))):
            return f"Score(items, total, verdict, rule) with an item that is not (label, points, rule): {item!r}"
    return "" if isinstance(score.rule, str) else f"Score(items, total, verdict, rule) whose rule is no text: {score.rule!r}"


_ITEM = (str, int | float, str)
"""The types of an item of a score: label, points, rule."""


def _over_fault(over: Any) -> str:
    return "" if isinstance(over, str) else f"no text, empty while the game goes on: {over!r}"


# -- sections that nothing reads ---------------------------------------------------------------------------------------


class ReadTable(dict[str, Any]):
    """A table that notes which of its keys have been read."""

    def __init__(self, table: JsonObject) -> None:
        super().__init__(table)
        self.unread = dict.fromkeys(table)

    def __getitem__(self, key: str) -> Any:
        self.unread.pop(key, None)
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self.unread.pop(key, None)
        return super().get(key, default)

    def __iter__(self) -> Iterator[str]:
        self.unread.clear()
        return super().__iter__()

    def items(self) -> Any:
        self.unread.clear()
        return super().items()

    def values(self) -> Any:
        self.unread.clear()
        return super().values()
