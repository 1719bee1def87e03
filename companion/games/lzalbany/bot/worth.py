"""What hits, officers and areas are worth in VP, for a side: the points of 4.1, and what is likely to follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.values import JsonObject
from companion.games.lzalbany.names import NVA, OFFICER, UNIT, US, WOUNDED
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules.r08_hits import Target

LAST_TURN = 10
_GONE = 4


class Worth:
    """The numbers of ``bot.toml`` on a turn.

    Attributes:
        left: how much of the game is left for what may follow, 1 to nearly 0.
        told, ahead: the numbers as they stand there.
    """

    def __init__(self, game: LzAlbany) -> None:
        self.told: JsonObject = game.book.priorities["worth"]
        self.ahead: Mapping[str, float] = game.book.priorities["ahead"]
        self.turn = max(1, game.turn)
        self.left = min(1.0, (LAST_TURN + 1 - self.turn) / self.told["fading"])
        self.points = game.book.wishes
        self._lost = {side: self._losses(side) for side in (US, NVA)}

    def _losses(self, side: str) -> Sequence[float]:
        """What a side has lost with a platoon, by its hits."""
        points = {US: (0, 0, 0, 2, 4 + 1), NVA: (0, 0, 0, 1, 3)}[side]
        whole = (0.0, *self.told[side.casefold()])
        return tuple(scored + self.left * (lost - scored) for scored, lost in zip(points, whole, strict=True))

    def lost(self, target: Target) -> float:
        """What its side has lost with a counter as it stands."""
        if target.kind == UNIT:
            return self._lost[target.side][min(target.hits, _GONE)]
        if target.kind == OFFICER:
            return self.officer(target) if target.hits else 0.0
        return self._lost[US][_GONE]

    def officer(self, target: Target) -> float:
        """What a wound of an officer costs his side."""
        points = self.points.points(target._replace(hits=1))
        return float(self.told["officer"] * self.left + self.told["dead"] * points)

    def hit(self, target: Target) -> float:
        """What one more hit on a counter costs its side."""
        if target.kind == WOUNDED:
            return float(self.told["marker"])
        if target.kind == OFFICER:
            return self.officer(target) if not target.hits else float(self.points.points(target))
        losses = self._lost[target.side]
        return losses[min(target.hits + 1, _GONE)] - losses[min(target.hits, _GONE)]

    def after(self, target: Target, hits: int, cap: int = 0) -> float:
        """What so many hits on a platoon cost its side; ``cap``: the most that it may have in the end."""
        most = min(target.hits + hits, cap or _GONE) if target.hits < (cap or _GONE) else target.hits
        return self._lost[target.side][min(most, _GONE)] - self._lost[target.side][min(target.hits, _GONE)]
