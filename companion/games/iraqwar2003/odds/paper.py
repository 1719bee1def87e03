"""A referee on paper: what it plays out is forgotten, so that exact odds come from the very procedures of the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.core.events import Event, apply
from companion.core.odds import suggested_policy
from companion.core.position import Position
from companion.core.request import Request
from companion.games.iraqwar2003.referee import IraqWar
from companion.games.iraqwar2003.words.results import UNKNOWN


class Paper(IraqWar):
    """Starts where a game stands, or from a position that is only described.

    Args:
        game: whose options and charts hold.
        told: the columns of the Combat Results Chart that the owner has told.
    """

    def __init__(self, game: IraqWar, told: Mapping[str, str] | None = None, position: Position | None = None) -> None:
        super().__init__(game.position if position is None else position, game.options, game.charts)
        self.told = told or {}
        self.quiet = True

    def again(self) -> Paper:
        """The same once more."""
        return Paper(self, self.told)

    def emit(self, event: Event) -> None:
        self.position = apply(self.position, event)

    async def known_facts(self, fact: str, rule: str) -> Mapping[str, str]:
        return self.told if fact == "crt" else {}


def on_paper(request: Request[Any]) -> Any:
    """Every player does what is suggested; what nobody has told stays unknown."""
    return UNKNOWN if request.key == "crt" else suggested_policy(request)
