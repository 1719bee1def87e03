"""The advice of a request: what the game's opponent would answer, with its reasons."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

C = TypeVar("C")


class Passed(NamedTuple):
    """A candidate that was passed over, and why."""

    name: str
    why: str


class Advice(NamedTuple, Generic[C]):
    """Advice for a request.

    Attributes:
        choice: The recommended reply.
        name: The reply in words.
        because: The reasons, one line each.
        passed: The candidates passed over.
        rivals: Other replies worth a rollout, each with its name.
        others: All remaining replies, each with its name; an easy opponent may take them by mistake.
    """

    choice: C
    name: str
    because: tuple[str, ...]
    passed: tuple[Passed, ...]
    rivals: tuple[tuple[C, str], ...] = ()
    others: tuple[tuple[C, str], ...] = ()

    def lines(self) -> tuple[str, ...]:
        """The reasons and the candidates passed over, for ``why``."""
        return (*self.because, *(f"{candidate.name}: out ({candidate.why})" for candidate in self.passed))
