"""What ``companion.api`` promises, as text: each name with its signature, its attributes and their kinds.

``python -m tests.api.promise`` writes the file anew, where a change is meant; a name that goes or means something else needs
a new major version.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion import api

STORED = Path(__file__).with_name("promise.txt")

OURS = {"Position": ("at", "flag", "flags", "pieces", "track", "tracks")}
"""Of a value of the core, what the page for developers promises; the rest of it is the core's own."""


def told() -> str:
    """All of it."""
    return "".join(f"{line}\n" for name in api.__all__ for line in _lines(name, getattr(api, name)))


def _lines(name: str, thing: Any) -> Iterator[str]:
    if inspect.isfunction(thing):
        yield f"{name}{inspect.signature(thing)}"
    elif not inspect.isclass(thing):
        yield f"{name} = {thing if isinstance(thing, str) else _alias(thing)}"
    elif issubclass(thing, BaseException):
        yield f"{name}({thing.__bases__[0].__name__})"
    elif hasattr(thing, "_fields"):
        fields = ", ".join(
            f"{field} = {thing._field_defaults[field]!r}" if field in thing._field_defaults else field for field in thing._fields
        )
        yield f"{name}({fields})"
        yield from _members(name, thing)
    else:
        yield name
        yield from _members(name, thing)


def _alias(thing: Any) -> str:
    return str(thing).replace("collections.abc.", "").replace("companion.api.values.", "")


def _members(name: str, thing: Any) -> Iterator[str]:
    attributes = {} if hasattr(thing, "_fields") else inspect.get_annotations(thing)
    for own in OURS.get(name, sorted({**vars(thing), **attributes})):
        member = inspect.getattr_static(thing, own, None)
        if own.startswith("_") or own in getattr(thing, "_fields", ()):
            continue
        if isinstance(member, property):
            yield f"    {name}.{own}: {member.fget.__annotations__.get('return')}"
        elif inspect.isfunction(member):
            yield f"    {name}.{own}{inspect.signature(member)}"
        else:
            yield f"    {name}.{own}"


if __name__ == "__main__":
    STORED.write_text(told(), encoding="utf-8")
