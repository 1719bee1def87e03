"""The printed facts of LZ Albany that the owner enters."""

from __future__ import annotations

from companion.core.game import Fact
from companion.games.lzalbany.areas import BESIDE, GROUND, IN_RANGE, LIST, SIGHT, START
from companion.games.lzalbany.notation import COMPANIES, COMPANY, EFFECT, GUNSHIP

_CHOI_OI_ROLLS = tuple(f"{side}-{face}" for side in ("us", "nva") for face in range(1, 7))

FACTS = (
    Fact("roster", "Counters of each company: label, kind, fire-melee/reduced", "2.4", COMPANY, COMPANIES),
    Fact("gunship", "Fire strength of a gunship, full and damaged", "7.6(3)", GUNSHIP, single=True),
    Fact("choi", "Choi Oi Table: result by side and die", "3.5", EFFECT, _CHOI_OI_ROLLS),
    Fact("area", "Areas by your own names: terrain, and edge or east", "2.2", GROUND),
    Fact("next", "The areas next to an area", "2.2", LIST),
    Fact("los", "Whether two areas have a line of sight", "7.8", SIGHT),
    Fact("range", "Whether two areas are within six areas of each other", "7.4", IN_RANGE),
    Fact("beside", "Whether two areas are adjacent, if neither has its full list of neighbours", "6.2", BESIDE),
    Fact("start", "The circle of an area, 1 or 2, green ('us') or tan ('nva'), or its green dot", "3.2", START),
)
