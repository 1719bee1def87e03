"""The names that a position of LZ Albany uses: sides, groups, kinds, places, flags, marks. ``game.toml`` says what each is."""

from __future__ import annotations

US, NVA = "US", "NVA"
SIDES = (US, NVA)
GROUPS = ("ab15", "ab27", "cd27", "33", "66", "66hq")

# Kinds of pieces, and their faces.

UNIT, OFFICER, WOUNDED, CHIT, FLARE = "unit", "officer", "wounded", "chit", "flare"
FRONT, REDUCED_SIDE, WOUNDED_SIDE = "front", "reduced", "wounded"

# Places beside the map.

POOL, TO_COME, TO_PLACE, AIRLIFT = "pool", "to come", "to place", "airlift"
FLARE_TRACK, FLARES_USED = "flare track", "flares used"
ELIMINATED, DEAD, EVACUATED, LEFT, OUT = "eliminated", "dead", "evacuated", "left", "out"
SPENT = "box spent"
BOXES = "box "
"""Before the name of every box in which a drawn chit lies."""

FIRE, MOVE = "fire", "move"

COMPANION = "companion"
"""Who plays a side, as an option says: our opponent."""


def track_box(group: str, action: str) -> str:
    """The box of a group's track for chits played as Fire or as Move."""
    return f"{BOXES}{group} {action}"


def held_box(side: str) -> str:
    """The box in which a side keeps its Adrenaline."""
    return f"{BOXES}{side.casefold()} adrenaline"


def support_box(chit: str) -> str:
    """The box of a chit that is no Fire/Move chit, by its row in the chart of chits."""
    return f"{BOXES}{chit.replace(' ', '')}"


VISIBILITY_BOX = support_box("visibility")

# Tracks, flags, marks.

TURN, US_VP, NVA_VP, FLARES = "turn", "us_vp", "nva_vp", "flares"
PHASE, RETREAT, OVER, COUNTED = "phase", "retreat", "over", "counted"
MAP_WHOLE, MAP_PRACTICE = "map whole", "map practice"
NAMED_AREA = "named:"
HITS, INCIDENT, ACTS = "hits", "incident", "acts"
INCIDENTS = (NO_FIRE, NO_MOVE, NOTHING) = ("no fire", "no move", "no fire or move")


def points_flag(item: str) -> str:
    """What one item of the victory point schedules has brought."""
    return f"vp:{item}"


def named_flag(area: str) -> str:
    """Whether a player has named an area of which nothing is told."""
    return f"{NAMED_AREA}{area}"


def terrain_flag(area: str) -> str:
    """The terrain of an area."""
    return f"terrain:{area}"


def edge_flag(area: str) -> str:
    """Whether the map ends at an area: ``edge`` or ``east``."""
    return f"edge:{area}"


def next_flag(area: str) -> str:
    """The areas next to one, with commas between."""
    return f"next:{area}"


def start_flag(area: str) -> str:
    """The circle or the dot of an area: who is placed there."""
    return f"start:{area}"


def sight_flag(one: str, other: str) -> str:
    """The line of sight between two areas; the same both ways round."""
    return "los:" + " ".join(sorted((one, other)))


def beside_flag(one: str, other: str) -> str:
    """Whether two areas are next to each other, where not all neighbours of either were told; the same both ways round."""
    return "beside:" + " ".join(sorted((one, other)))


def range_flag(one: str, other: str) -> str:
    """Whether two areas are within the range of mortars of each other; the same both ways round."""
    return "range:" + " ".join(sorted((one, other)))
