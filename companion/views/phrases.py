"""Short texts used by all views: values, reply sources, names of pieces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.core.history import Reply
from companion.core.position import Piece
from companion.core.text import join_counted

SOURCES: dict[str, str] = {
    "typed": "you",
    "scripted": "you",
    "computer": "computer",
    "remembered": "remembered",
    "rulebook": "rulebook",
    "sample": "SAMPLE",
    "learnt": "learnt",
    "suggested": "suggested",
    "only": "the only one",
}
"""Reply source -> its name for the player."""


def value_text(value: Any) -> str:
    """Return the display text of a reply, mark or flag."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return f"{len(value)} known"
    if isinstance(value, Sequence) and not isinstance(value, str):
        between = " " if all(isinstance(item, int) for item in value) else ", "
        return between.join(value_text(item) for item in value) or "none"
    return str(value)


def named_value_text(value: Any, pieces: Mapping[str, Piece]) -> str:
    """Return the display text of a value with the names of pieces in place of their ids."""
    if isinstance(value, str) and value in pieces:
        return pieces[value].name
    if isinstance(value, list | tuple) and value and all(isinstance(item, str) for item in value):
        return counted_names(named_value_text(item, pieces) for item in value)
    return value_text(value)


def adjustment_text(reply: Reply) -> str:
    """Return a correction made at a question, such as `adjust supply = 3, Red = ford`."""
    return f"{reply.key} " + ", ".join(f"{what} = {value}" for what, value in reply.value["changes"])


def source_text(source: str) -> str:
    """Return the display name of a reply source."""
    return SOURCES.get(source, source)


def counted_names(names: Iterable[str]) -> str:
    """Join names, each once with its count, in order of first appearance: `2 x A, B`."""
    return join_counted(list(names))
