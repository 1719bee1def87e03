"""[7.1(2)] Openings: ways to compose the first order of battle, with a prior in VP for each, from ``ai.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.core.errors import BadData
from companion.core.values import JsonObject


class Opening(NamedTuple):
    """A composition of the first order of battle.

    Attributes:
        id, title: a stable name, and what the player reads.
        army: the share of the OPs for units.
        prior: VP a game, relative to the first opening.
        support: strikes and NetWar markers by kind, as many as are for sale.
        prefer: factors of the quality of units by their type; ``iraqi`` stands for Iraqi units, 0 leaves units out.
    """

    id: str
    title: str
    army: float
    prior: float
    support: Mapping[str, int]
    prefer: Mapping[str, float]


def read_openings(data: JsonObject) -> tuple[Opening, ...]:
    """The openings of ``ai.toml``. Raises BadData: one lacks a key or has an unknown one, or there is none."""
    openings: list[Opening] = []
    for name, item in data.get("opening", {}).items():
        if set(item) != {*Opening._fields} - {"id"}:
            raise BadData("the openings of the planner cannot be used", faults=[f"ai.toml: opening.{name}: {', '.join(item)}"])
        openings.append(Opening(name, **item))
    if not openings:
        raise BadData("the openings of the planner cannot be used", faults=["ai.toml: opening: none"])
    return tuple(openings)
