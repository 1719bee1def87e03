"""Sealed requests: several seats answer unseen, and all answers are revealed together.

The parts of a sealed request are ordinary requests, each of one seat. They are awaited one by one in the order of the seats;
a driver may turn to another open part first. The reply to a part is hidden in a `SealedValue` until all parts are answered.
"""

# no future import of annotations: see request.py
from collections.abc import Generator, Mapping

from companion.core.errors import RuleFault
from companion.core.hints import TYPE_CHECKING, Any
from companion.core.values import ReplyValue

if TYPE_CHECKING:
    from companion.core.request import AnyRequest

SEALED = "sealed"
"""What is shown in place of a reply that is not revealed."""


class SealedValue(str):
    """A reply that is not revealed: text, JSON and a representation show only `SEALED`.

    Only code that replays or stores replies calls `unsealed`; everything that shows a reply shows this object.
    """

    reply: ReplyValue

    @classmethod
    def of(cls, reply: ReplyValue) -> "SealedValue":
        sealed = cls(SEALED)
        sealed.reply = reply
        return sealed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SealedValue) and self.reply == other.reply

    def __hash__(self) -> int:
        return hash(SEALED)

    def __reduce__(self) -> tuple[Any, ...]:
        return SealedValue.of, (self.reply,)


def unsealed(value: ReplyValue) -> ReplyValue:
    """The reply itself, sealed or not."""
    return value.reply if isinstance(value, SealedValue) else value


class Sealed:
    """A question to several seats, each of which answers its part unseen by the others.

    Awaiting it returns the answers by seat, when all are there.

    Attributes:
        parts: The question of each seat. Decisions only: a roll, a draw or a printed value is seen on the table.
    """

    __slots__ = ("_current", "_replies", "parts")

    def __init__(self, parts: Mapping[str, "AnyRequest"]) -> None:
        self.parts = dict(parts)
        self._replies: dict[str, ReplyValue] = {}
        self._current = next(iter(self.parts))
        for seat, part in self.parts.items():
            part.seat, part.sealed = seat, self

    @property
    def open_seats(self) -> tuple[str, ...]:
        """The seats that have not answered, in order."""
        return tuple(seat for seat in self.parts if seat not in self._replies)

    def open_part(self, seat: str) -> "AnyRequest | None":
        """The question of a seat; None if it has answered, or has no part."""
        return None if seat in self._replies else self.parts.get(seat)

    def place_of(self, seat: str) -> tuple[str, int]:
        """A seat with the number of seats that are left when it answers, as a reply stores them."""
        return seat, len(self.open_seats) - 1

    def turn_to(self, seat: str) -> "AnyRequest | None":
        """Make an open part the one that the next reply answers, and return it; None if the seat has no open part."""
        if part := self.open_part(seat):
            self._current = seat
        return part

    def __await__(self) -> "Generator[AnyRequest, Any, dict[str, Any]]":
        for part in self.parts.values():
            fault = "is a roll, a draw or a printed value" if part.chance_setting or part.kind == "printed" else part.dead_end()
            if fault:
                raise RuleFault(f"the sealed question '{part.key}' {fault}: {part.prompt} [{part.rule}]")
        while open_seats := self.open_seats:
            self._current = open_seats[0]
            reply = yield self.parts[self._current]
            self._replies[self._current] = reply
        return {seat: part.result(self._replies[seat]) for seat, part in self.parts.items()}
