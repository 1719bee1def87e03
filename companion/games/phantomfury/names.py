"""Names and readings of the position: places, kinds of pieces, faces, marks, flags (declared in game.toml)."""

from __future__ import annotations

# -- kinds of pieces, and the faces that they turn ---------------------------------------------------------------------

SQUAD = "squad"
IIF = "iif"
TANK = "tank"
INSURGENT = "insurgent"
SUSPECT = "suspect"
CONTROL = "control"
MARKER = "marker"
ELEMENT = "element"
REDUCED = "reduced"
USMC = "usmc"
LATER = "0030"
"""The second side of a Phantom Fury marker [14.5]."""

# -- places ------------------------------------------------------------------------------------------------------------

INSURGENTS_CUP = "insurgents cup"
SUSPECTS_CUP = "suspects cup"
ZONES_CUP = "zones cup"
SQUADS_CUP = "squads cup"
CUPS = {INSURGENTS_CUP: INSURGENT, SUSPECTS_CUP: SUSPECT, ZONES_CUP: CONTROL, SQUADS_CUP: SQUAD}
"""The cups, each with the kind of piece that belongs in it."""
DRAWN = "drawn"
COMPANY = "company box"
BATTALION = "battalion box"
ARMOUR = "armour box"
IRAQI = "iraqi box"
OUT = "out of the game"
OFF = "beside the map"
STREET = "street "
"""Prefix of the place of a Street Section."""
BOX = "box "
"""Prefix of the place of a Zone's Control box."""

# -- markers by name ---------------------------------------------------------------------------------------------------

PLAIN = "Activated Zone"
STRONG = "Activated Strong Point"
START_ZONE = "Activated Start Zone"
FURY = "Phantom Fury"
FANATICISM = "Fanaticism"
NO_EVENT = "No Insurgents Event"
RUBBLE = "Rubble"

# -- marks on units ----------------------------------------------------------------------------------------------------

FIRED = "fired"
PINNED = "pinned"
CAAT = "caat"
AMMO = "ammo"
EXPLOSIVES = "explosives"
HERO = "hero"

# -- flags -------------------------------------------------------------------------------------------------------------

ZONES = "zones"
START_ZONES = "start"
MOVED = "moved"
ASSAULTED = "assaulted"
BROUGHT_BACK = "brought back"
SUPPORT_OVER = "support over"
TURNS = "turns"
BATTALION_TURN = "battalion turn"
MOSQUE_REACHED = "mosque reached"
OVER = "over"
WINNER = "winner"
LATE = "late"
TOLD_ZONE = "zone:"
"""Prefix of the flag with what is printed on a Zone."""
TOLD_SECTION = "section:"
"""Prefix of the flag with the surroundings of a Street Section."""
TALLY = "tally "
"""Prefix of the flag that counts how often a row of the chart of points was scored [7.2.1]."""

# -- tracks ------------------------------------------------------------------------------------------------------------

MISSIONS = {"uav": "UAV", "ah1w": "AH-1W", "fa18": "F/A-18"}
"""The track of each Mission (also its row in the chart) with a short name [9.2.1]."""
