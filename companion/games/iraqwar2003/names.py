"""The places, kinds, marks and flags of Iraq War 2003 by their names in the log; game.toml says what each is."""

from __future__ import annotations

COALITION, IRAQ = "coalition", "iraq"
SIDE_TITLES = {COALITION: "Coalition", IRAQ: "Iraqi"}

# -- places ------------------------------------------------------------------------------------------------------------

MAP = "map"
OFF_MAP = "off map"
REMOVED = "removed"
ASIDE = "off"
ROADS = "roads"
PALACE = "palace"
"""The pile of palace markers; also the site that they lie on, and the kind of piece."""

# -- kinds of pieces (the roads of a hex are a kind and a place, so are palace markers) ----------------------------------

UNIT = "unit"
AIR = "air"
BOX = "box"
MARKER = "marker"

# -- marks -------------------------------------------------------------------------------------------------------------

DISRUPTED = "disrupted"
OUT_OF_SUPPLY = "oos"
MOVED = "moved"
DAMAGED = "damaged"

# -- flags -------------------------------------------------------------------------------------------------------------

SIDE = "side"
PHASE = "phase"
STORM = "storm"
GROUNDED = "grounded"
DROPPED = "dropped"
RAIL = "rail"
SADDAM = "saddam"
FOUND = "found"
OVER = "over"

# -- phases of a player turn -------------------------------------------------------------------------------------------

FACILITY, BOMBING, SUPPLY, OPERATIONS = PHASES = ("facility", "bombing", "supply", "operations")


def available(side: str) -> str:
    """The Air Unit Available box of a side [2.1.3]."""
    return f"{side} available"


def used(side: str) -> str:
    """The Air Unit Used box of a side [2.1.4]."""
    return f"{side} used"


def site_place(site: str) -> str:
    """Where the boxes of a site of the Air Operation Display lie [6.1.2]."""
    return f"{site} site"


def option_flag(option: str) -> str:
    """Whether an optional rule is in force [16.0]: ``on`` or ``off``."""
    return f"option {option}"


def air_flag(stem: str) -> str:
    """The values of an air unit, in its notation [2.3]."""
    return f"air:{stem}"


def city_flag(target: str) -> str:
    """The city in which a target was bombed [5.7(3)]."""
    return f"city:{target}"


CONTROL = "control:"
BONUS = "kurdish bonus:"


def control_flag(place: str) -> str:
    """Who holds a place that counts [15.2]."""
    return f"{CONTROL}{place}"


def bonus_flag(place: str) -> str:
    """That the Kurds held a place at the end of turn 2 [15.2]."""
    return f"{BONUS}{place}"


def other(side: str) -> str:
    """The other side of the two."""
    return IRAQ if side == COALITION else COALITION
