"""The places, kinds, marks and flags of Iraq War 2003 by their names in the log; game.toml says what each is."""

from __future__ import annotations

from functools import lru_cache

COALITION, IRAQ = "coalition", "iraq"
"""The sides; a piece's nation is one of those in words/counters.py."""
WHO = {COALITION: "The Coalition", IRAQ: "Iraq"}
"""The sides as who does something."""
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
TURNS = "turns"
"""How many turns the game has, once that has been said."""

# -- phases of a player turn -------------------------------------------------------------------------------------------

FACILITY, BOMBING, SUPPLY, OPERATIONS = PHASES = ("facility", "bombing", "supply", "operations")


# -- options -----------------------------------------------------------------------------------------------------------

ON, OFF = "on", "off"
PROPOSES, ACTS = "proposes", "acts"
"""Whether our opponent says what it would do, for an Enter, or does it."""
PARATROOPS = "paratroops"
ARTILLERY = "artillery"
ANTI_AIR_UNIT = "anti_air_unit"
NATIONALITY = "nationality"
SAND_STORMS = "sand_storms"
RAILWAY = "railway"
REINFORCEMENTS = "reinforcements"
MOUNTAINS = "mountains"
TURKEY = "turkey"
SAME_DIVISION = "same_division"
RECOMMENDED = (PARATROOPS, ARTILLERY, ANTI_AIR_UNIT, NATIONALITY)
"""The optional rules that 16.0 recommends: 16.2 to 16.5."""
OPTIONAL = (PALACE, *RECOMMENDED, SAND_STORMS, RAILWAY, REINFORCEMENTS, MOUNTAINS, TURKEY, SAME_DIVISION)
"""Every optional rule of section 16."""

# -- answers that name nothing -----------------------------------------------------------------------------------------

NONE = "none"


def is_none(text: str) -> bool:
    """Whether a hurried hand means nothing or nobody."""
    return text.casefold() in (NONE, "-", "")


# -- families of names -------------------------------------------------------------------------------------------------

available = lru_cache(maxsize=64)("{} available".format)
"""The Air Unit Available box of a side [2.1.3]."""
used = lru_cache(maxsize=64)("{} used".format)
"""The Air Unit Used box of a side [2.1.4]."""
site_place = lru_cache(maxsize=64)("{} site".format)
"""Where the boxes of a site of the Air Operation Display lie [6.1.2]."""
option_flag = lru_cache(maxsize=64)("option {}".format)
"""Whether an optional rule is in force [16.0]: ON or OFF."""
air_flag = "air:{}".format
"""The values of an air unit, in its notation [2.3]."""
city_flag = "city:{}".format
"""The city in which a target was bombed [5.7(3)]."""
CONTROL = "control:"
control_flag = (CONTROL + "{}").format
"""Who holds a place that counts [15.2]."""
HELD = "held:"
held_flag = (HELD + "{}").format
"""Who has entered a hex last, where a way of hexes has told so [10.0(3)]."""
BONUS = "kurdish bonus:"
bonus_flag = (BONUS + "{}").format
"""That the Kurds held a place at the end of turn 2 [15.2]."""


def other(side: str) -> str:
    """The other side of the two."""
    return IRAQ if side == COALITION else COALITION
