"""Fights away from the table, by the very procedures of the table: on paper for exact odds, or described to the player."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from companion.core.events import Event, apply
from companion.core.notation import Notation
from companion.core.position import Position
from companion.core.requests import LazyText, Request
from companion.games.lzalbany.names import OFFICER, TURN
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules.r08_hits import Target
from companion.games.lzalbany.rules.r08_placing import state_text

T = TypeVar("T")

_PLAIN_TURN = 2
"""By day, and without what is special about turn 1 [7.3(4)]."""
_UNTOLD = {"area": "sawgrass", "next": "elsewhere"}
"""What is assumed of a map that was not told: open ground, and next to it a place where nobody is."""


class Paper(LzAlbany):
    """A copy of a few areas for exact odds: it keeps no record, says nothing, counts no points, and nobody is asked; everybody
    does what the questions suggest.
    """

    def __init__(self, table: LzAlbany, position: Position) -> None:
        super().__init__(position, table.options, table.book)
        self.table = table
        self.asks = False
        self.quiet = True
        self.lit, self.rapid, self.acting = table.lit, table.rapid, set(table.acting)

    def again(self, position: Position) -> Paper:
        """The same paper with another stand of things."""
        return Paper(self, position)

    def emit(self, event: Event) -> None:
        self.position = apply(self.position, event)

    def skip_question(self, key: str, text: LazyText, rule: str, cure: str = "", as_good: tuple[str, ...] = ()) -> None:
        return None

    def award(self, item: str, why: str, times: int = 1) -> None:
        return None

    async def printed(self, fact: str, prompt: str, rule: str, notation: Notation, fallback: str | None = None) -> str:
        return fallback or _UNTOLD[fact.partition(":")[0]]

    def played(self, side: str) -> bool:
        return False

    async def ask(self, request: Request[T]) -> T:
        return request.result(request.suggest)


def _fate_of(after: Target | None) -> str:
    """What has become of a counter that was hit."""
    if after is None:
        return "ELIMINATED"
    words = {"reduced": "REDUCED", "officer, wounded": "a CASUALTY", "wounded marker": "ELIMINATED, a wounded marker is left"}
    state = state_text(after)
    return words.get(state, f"at {state}")


def on_paper(game: LzAlbany, places: Iterable[str]) -> Paper:
    """A copy of some areas, with everybody who is there."""
    here = set(places)
    few = {piece.id: piece for piece in game.position.pieces.values() if piece.place in here}
    return Paper(game, game.position.changed(pieces=few))


class Described(Paper):
    """A table for forces that are only described: the player is asked and told, and Companion keeps nothing of it."""

    def __init__(self, table: LzAlbany) -> None:
        super().__init__(table, Position({TURN: _PLAIN_TURN}))
        self.asks = True
        self.quiet = False

    def say(self, text: LazyText, rule: str, *because: LazyText, tone: str = "") -> None:
        self.table.say(text, rule, *because, tone=tone)

    def skip_question(self, key: str, text: LazyText, rule: str, cure: str = "", as_good: tuple[str, ...] = ()) -> None:
        self.table.skip_question(key, text, rule, cure, as_good)

    def forbid(self, text: str, rule: str, cure: str = "") -> None:
        self.table.forbid(text, rule, cure)

    def apply_hits(self, before: Sequence[Target], after: Sequence[Target | None], rule: str, why: str) -> None:
        """[8.2] Hits happen and are said, since no counter shows them."""
        super().apply_hits(before, after, rule, why)
        for old, new in zip(before, after, strict=True):
            if new != old:
                self.say(f"{old.name} is {_fate_of(new)}.", "8.2" if old.kind != OFFICER else "10.4")

    async def ask(self, request: Request[T]) -> T:
        return await request
