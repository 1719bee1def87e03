"""The names that a game uses for what it keeps: places, kinds of pieces, faces, marks and flags, as ``game.toml`` declares them.

A slip of the pen would otherwise be a new place, and a rule that looks into the old one would silently do nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from typing import Any

from companion.core.events import Event, FlagSet, PieceFlipped, PieceMade, PieceMarked, PieceMoved, TrackMoved
from companion.core.forms import ValueType

FRONT = "front"
"""The face of a piece that was never turned; every game has it."""

PLAYER = "player"
"""The seat of a solitaire game."""


class NameSet:
    """Names of one sort. One with a ``*`` in it stands for a family: ``zone *`` for each name that begins so; one of ``#`` alone,
    for each that has as many digits.
    """

    def __init__(self, names: Iterable[str]) -> None:
        every = list(names)
        self.digits = frozenset(len(name) for name in every if not name.strip("#"))
        self.exact = frozenset(name for name in every if "*" not in name and name.strip("#"))
        self.families = tuple(name.partition("*")[::2] for name in every if "*" in name)

    def __contains__(self, name: object) -> bool:
        if name in self.exact:
            return True
        text = str(name)
        number = len(text) in self.digits and text.isascii() and text.isdecimal()
        return number or any(self._of_family(text, head, tail) for head, tail in self.families)

    @staticmethod
    def _of_family(name: str, head: str, tail: str) -> bool:
        return len(name) > len(head) + len(tail) and name.startswith(head) and name.endswith(tail)


class Vocabulary:
    """What a game declares.

    Args:
        head: the data of ``game.toml``.

    Attributes:
        whole: whether the game declares its names at all; without, every name goes.
        sets: the flags that hold a set of words.
    """

    def __init__(self, head: Mapping[str, Any]) -> None:
        flags: Mapping[str, Any] = head.get("flags", {})
        self.is_complete = "kinds" in head
        self._forms = {name: ValueType.from_declaration(body) for name, body in flags.items()}
        self._marks = {name: ValueType.from_declaration(body) for name, body in head.get("marks", {}).items()}
        self.sets = frozenset(name for name, form in self._forms.items() if form.set)
        self.tracks = frozenset(head["tracks"])
        self.places = NameSet(head.get("places", ()))
        self.kinds = NameSet(head.get("kinds", ()))
        self.faces = NameSet((FRONT, *head.get("faces", ())))
        self.marks = NameSet(head.get("marks", ()))
        self.flags = NameSet(flags)

    def flag_type(self, flag: str) -> ValueType:
        """The values that a flag may hold; those of its family where it has one."""
        found = self._forms.get(flag)
        if found is not None:
            return found
        return next((form for name, form in self._forms.items() if "*" in name and flag in NameSet((name,))), ValueType())

    def mark_type(self, mark: str) -> ValueType:
        """The values that a mark may have on some piece or other."""
        return self._marks.get(mark, ValueType())

    def event_fault(self, event: Event, own: Callable[[], Container[str]] = tuple) -> str:
        """What of an event the game does not know, in words; "" where it knows all of it.

        Args:
            event: one that is about to happen.
            own: gives the places of a player's own, which are known besides.
        """
        if isinstance(event, TrackMoved):
            return "" if event.track in self.tracks else f"the game has no track '{event.track}'"
        if not self.is_complete:
            return ""
        if isinstance(event, FlagSet):
            return self._flag(event)
        if isinstance(event, PieceMoved):
            return self._place(event.now, own)
        if isinstance(event, PieceMarked):
            return _unknown("mark", event.mark, self.marks)
        if isinstance(event, PieceFlipped):
            return _unknown("face", event.now, self.faces)
        if isinstance(event, PieceMade):
            return (
                _unknown("kind of piece", event.piece, self.kinds)
                or self._place(event.place, own)
                or _unknown("face", event.face, self.faces)
            )
        return ""

    def _place(self, place: str, own: Callable[[], Container[str]]) -> str:
        return "" if place in self.places or place in own() else f"the game has no place '{place}'"

    def _flag(self, event: FlagSet) -> str:
        fault = _unknown("flag", event.flag, self.flags)
        form = self.flag_type(event.flag)
        if fault or form.accepts(event.now):
            return fault
        if form.set or isinstance(event.now, tuple):
            return f"the flag '{event.flag}' is {'a' if form.set else 'no'} set"
        return f"the flag '{event.flag}' cannot be {event.now!r}, but {form.expects()}"


def _unknown(what: str, name: str, names: NameSet) -> str:
    return "" if name in names else f"the game has no {what} '{name}'"
