"""The values that a flag or a mark may hold, as a game declares them: how they are typed, and what cannot be."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from companion.core.errors import Unreadable
from companion.core.position import FlagValue, Value
from companion.core.words import pick_name

OFF = ("none", "-")
"""What takes a flag or a mark away."""

_TRUE, _FALSE = ("yes", "true", "on"), ("no", "false", "off")


class ValueType(NamedTuple):
    """The values of one flag or mark besides none; without any of them, anything goes.

    Attributes:
        text: what it means.
        words: one of a few words.
        low, high: a whole number between these.
        yes: it holds or it does not; then it is taken away.
        truth: yes and no are two answers, and it may have neither.
        off: what the table calls it where it does not hold.
        set: a set of words.
        piece: a piece, of these kinds.
        fact: what was told of a printed fact; its kind.
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
        """As ``game.toml`` has it: a text, or a table with ``text`` and what the value must be."""
        if not isinstance(body, Mapping):
            return cls(str(body))
        fields: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in body.items()}
        return cls(**fields)

    @classmethod
    def of_values(cls, values: Sequence[Value], text: str = "") -> "ValueType":
        """The form of a few values."""
        if set(values) <= {True} and not any(type(value) is int for value in values):
            return cls(text, yes=bool(values))
        numbers = [value for value in values if isinstance(value, int)]
        if len(numbers) == len(values):
            return cls(text, low=min(numbers), high=max(numbers))
        return cls(text, words=tuple(map(str, values)))

    @property
    def number(self) -> bool:
        """Whether it is a whole number."""
        return self.low is not None and self.high is not None

    @property
    def free(self) -> bool:
        """Whether anything goes."""
        return not (self.words or self.number or self.yes or self.truth or self.set or self.piece or self.fact)

    def accepts(self, value: FlagValue) -> bool:
        """Whether it can hold a value."""
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
        """What can be typed, in a few words, with what it means."""
        if self.number:
            told = f"{self.low} to {self.high}, or none"
        elif self.yes:
            told = f"yes, or {self.off or 'no'}"
        elif self.truth:
            told = "yes, no, or none"
        else:
            told = f"{', '.join(self.words)}, or none" if self.words else "anything"
        return f"{told} ({self.text})" if self.text else told

    def read(self, text: str, what: str) -> Value:
        """The value that a typed text means.

        Args:
            text: as typed.
            what: whose value it is, for the message.

        Raises:
            Unreadable: it can be none; the cure says what can be.
        """
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
