"""What Phantom Fury keeps, each name written once: places, kinds of pieces, faces, marks and flags (declared in game.toml)."""

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
"""How the place of a Street Section begins; the Section's name follows."""
BOX = "box "
"""How the place of a Zone's Control box begins; the Zone's number follows."""

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
"""What is printed on a Zone; its number follows."""
TOLD_SECTION = "section:"
"""What lies around a Street Section; its name follows."""
TALLY = "tally "
"""How often something was worth points; its row in the chart of points follows [7.2.1]."""

# -- tracks ------------------------------------------------------------------------------------------------------------

MISSIONS = {"uav": "UAV", "ah1w": "AH-1W", "fa18": "F/A-18"}
"""The track of each Mission, which is its row in the chart as well, with a short name for it [9.2.1]."""
