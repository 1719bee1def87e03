"""The names a game declares in ``game.toml``: places, kinds of pieces, faces, marks and flags with their values.

Undeclared names are refused: a misspelt place would otherwise be a new place, which rules silently ignore.
"""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence

from companion.core.errors import Unreadable
from companion.core.events import Event, FlagSet, PieceFlipped, PieceMade, PieceMarked, PieceMoved, TrackMoved
from companion.core.hints import Any
from companion.core.named_tuple import NamedTuple
from companion.core.position import FlagValue, Value
from companion.core.text import pick_name
from companion.core.values import JsonDict, JsonObject

OFF = ("none", "-")  # Typed to remove a flag or mark

_TRUE, _FALSE = ("yes", "true", "on"), ("no", "false", "off")


class ValueType(NamedTuple):
    """The possible values of a flag or mark besides none; without restrictions anything is possible.

    It is one of ``words``, a number, a set of words, a ``piece`` of one of these kinds, or the value of a ``fact`` of this kind;
    with ``yes`` it holds or is removed (``off`` is the word for that), with ``truth`` yes and no are both values.
    """

    text: str = ""
    words: tuple[str, ...] = ()
    low: int | None = None
    high: int | None = None
    yes: bool = False
    truth: bool = False
    off: str = ""
    set: bool = False
    piece: tuple[str, ...] = ()
    fact: str = ""

    @classmethod
    def from_declaration(cls, body: Any) -> "ValueType":
        """Read a declaration: a text, or a table with ``text`` and restrictions."""
        if not isinstance(body, Mapping):
            return cls(str(body))
        fields: JsonDict = {key: tuple(value) if isinstance(value, list) else value for key, value in body.items()}
        return cls(**fields)

    @classmethod
    def of_values(cls, values: Sequence[Value], text: str = "") -> "ValueType":
        """The type of a few values."""
        if set(values) <= {True} and not any(type(value) is int for value in values):
            return cls(text, yes=bool(values))
        numbers = [value for value in values if isinstance(value, int)]
        if len(numbers) == len(values):
            return cls(text, low=min(numbers), high=max(numbers))
        return cls(text, words=tuple(map(str, values)))

    @property
    def number(self) -> bool:
        """True if it is a whole number."""
        return self.low is not None and self.high is not None

    @property
    def free(self) -> bool:
        """True if anything is possible."""
        return not (self.words or self.number or self.yes or self.truth or self.set or self.piece or self.fact)

    def accepts(self, value: FlagValue) -> bool:
        """True if it can hold the value."""
        if value is None or self.free:
            return value is None or not isinstance(value, tuple)
        if self.set or isinstance(value, tuple):
            return self.set == isinstance(value, tuple)
        if self.yes or self.truth:
            return value is True or (self.truth and value is False)
        if self.number:
            return type(value) is int and (self.low or 0) <= value <= (self.high or 0)
        return isinstance(value, str) and (not self.words or value in self.words)

    def expects(self) -> str:
        """What can be typed, in a few words, with its meaning."""
        if self.number:
            expected = f"{self.low} to {self.high}, or none"
        elif self.yes:
            expected = f"yes, or {self.off or 'no'}"
        elif self.truth:
            expected = "yes, no, or none"
        else:
            expected = f"{', '.join(self.words)}, or none" if self.words else "anything"
        return f"{expected} ({self.text})" if self.text else expected

    def read(self, text: str, what: str) -> Value:
        """Read a typed value. Raises Unreadable: it is impossible."""
        plain = " ".join(text.casefold().split())
        if plain in OFF or (plain and plain == self.off) or (self.yes and plain in _FALSE):
            return None
        try:
            value = self._value(text, plain)
        except (Unreadable, ValueError):
            value = None
        if value is None or not self.accepts(value):
            raise Unreadable(f"{what} cannot be '{text}'", cure=f"It can be: {self.expects()}")
        return value

    def _value(self, text: str, plain: str) -> Value:
        if self.number:
            return int(text)
        if self.words:
            return pick_name(text, self.words, "word")
        if plain in _TRUE or plain in _FALSE:
            return plain in _TRUE
        return text if self.free and not text.lstrip("+-").isdecimal() else int(text)


FRONT = "front"  # The face of a piece that was never turned

PLAYER = "player"  # The seat of a solitaire game


class NameSet:
    """A set of names; ``zone *`` stands for all names with that prefix, ``####`` for all numbers of as many digits."""

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
        families = [(head, tail) for head, tail in self.families if len(text) > len(head) + len(tail)]
        return number or any(text.startswith(head) and text.endswith(tail) for head, tail in families)


class Vocabulary:
    """The names that a game declares; all are valid if it is not complete. ``sets`` are the flags that are sets of words."""

    def __init__(self, head: JsonObject) -> None:
        flags: JsonObject = head.get("flags", {})
        self.is_complete = "kinds" in head
        self._forms = {name: ValueType.from_declaration(body) for name, body in flags.items()}
        self._marks = {name: ValueType.from_declaration(body) for name, body in head.get("marks", {}).items()}
        self.sets = frozenset(name for name, form in self._forms.items() if form.set)
        self.tracks = frozenset(head["tracks"])
        self.places = NameSet(head.get("places", ()))
        self.kinds = NameSet(head.get("kinds", ()))
        self._kind_texts: Mapping[str, str] = head.get("kinds", {})
        self.faces = NameSet((FRONT, *head.get("faces", ())))
        self.marks = NameSet(head.get("marks", ()))
        self.flags = NameSet(flags)

    def flag_type(self, flag: str) -> "ValueType":
        """The possible values of a flag, or of its family."""
        value_type = self._forms.get(flag)
        if value_type is not None:
            return value_type
        return next((form for name, form in self._forms.items() if "*" in name and flag in NameSet((name,))), ValueType())

    def kind_noun(self, kind: str) -> str:
        """A piece of a kind as a noun with its article: ``a platoon``; "" if the game declares none."""
        noun = self._kind_texts.get(kind, "").partition(",")[0].partition(":")[0]
        return noun if noun.startswith(("a ", "an ")) else ""

    def mark_type(self, mark: str) -> "ValueType":
        """The possible values of a mark."""
        return self._marks.get(mark, ValueType())

    def event_fault(self, event: Event, named: Callable[[], Container[str]] = tuple) -> str:
        """What the event names that is not declared, in words, or "". ``named`` returns the places that the player named."""
        if isinstance(event, TrackMoved):
            return "" if event.track in self.tracks else f"the game has no track '{event.track}'"
        if not self.is_complete:
            return ""
        if isinstance(event, FlagSet):
            return self._flag(event)
        if isinstance(event, PieceMoved):
            return self._place(event.now, named)
        if isinstance(event, PieceMarked):
            return _unknown("mark", event.mark, self.marks)
        if isinstance(event, PieceFlipped):
            return _unknown("face", event.now, self.faces)
        if isinstance(event, PieceMade):
            fault = _unknown("kind of piece", event.piece, self.kinds) or self._place(event.place, named)
            return fault or _unknown("face", event.face, self.faces)
        return ""

    def _place(self, place: str, named: Callable[[], Container[str]]) -> str:
        return "" if place in self.places or place in named() else f"the game has no place '{place}'"

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
