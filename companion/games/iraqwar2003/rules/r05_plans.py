"""[5.2(1)] A planned bombing mission: the group, its target, and what it will meet there."""

from __future__ import annotations

from typing import NamedTuple

from companion.core.position import Piece
from companion.games.iraqwar2003.rules.r05_air_groups import Group


class Plan(NamedTuple):
    """One group on its target.

    Attributes:
        kind: ``box``, ``palace``, ``unit`` or ``road``. id: of the piece, or the hex. target: in words.
        shots: firepower of each anti-air shot at it. value: the bombing value as it counts there.
        sectors: air sectors of the target; () where it does not matter.
        interceptor: who intercepts it, or None. city: the value was halved.
    """

    group: Group
    kind: str
    id: str
    target: str
    shots: tuple[int, ...]
    value: int
    sectors: tuple[str, ...]
    interceptor: Piece | None
    city: bool = False
