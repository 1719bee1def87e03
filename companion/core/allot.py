"""Hits and the like, dealt out among those who can take several of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from companion.core.request import Choice, LazyText
from companion.core.requests import Choose, Pick
from companion.core.words import join_counted


class Allot(Pick):
    """Who takes how many: the reply names each as often as it takes one, in the order in which they were named.

    Fewer may be named than there are; the procedure asks for the rest again.

    Args:
        rows: each choice, with how many it can take; may be worked out late.
        number: how many there are to take, at most what all rows can take.
        suggest: the values in order, each as often as it takes one.
    """

    former_kind = Choose.kind
    __slots__ = ()

    def __init__(
        self,
        key: str,
        prompt: LazyText,
        rule: str,
        rows: Callable[[], Sequence[tuple[Choice, int]]],
        number: int,
        suggest: Callable[[], Sequence[str]],
        others: Sequence[Choice] = (),
    ) -> None:
        def choices() -> list[Choice]:
            return [one._replace(value=_nth(one.value, at)) for one, most in rows() for at in range(most)]

        def suggested() -> list[str]:
            named = list(suggest())
            return [_nth(name, named[:at].count(name)) for at, name in enumerate(named)]

        super().__init__(key, prompt, rule, choices, 1, number, suggested, others)

    def result(self, value: Any) -> tuple[str, ...]:
        return tuple(one.partition(_MARK)[0] for one in value)

    def display(self, value: Any) -> str:
        """By names: what a hit leaves of each is told where it is asked."""
        return join_counted([self.input_name(one) for one in value])

    def input_name(self, value: str) -> str:
        return super().input_name(value.partition(_MARK)[0])

    def check(self, value: Any) -> list[str]:
        # A stored reply to a Choose, which asked for each by itself, is one name.
        return super().check([value] if isinstance(value, str) else value)


_MARK = " #"


def _nth(value: str, before: int) -> str:
    return f"{value}{_MARK}{before + 1}" if before else value
