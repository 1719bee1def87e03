"""What is printed only on the components of Fallujah 2004, and how the owner tells it."""

from __future__ import annotations

from companion.core.game import Fact
from companion.core.notation import whole_number
from companion.games.fallujah2004.referee import MORALE, STAND
from companion.games.fallujah2004.words.counters import OPFOR_LOTS, STRIKE_LOTS, UNIT
from companion.games.fallujah2004.words.spaces import BROOKLYN, GRID, GROUND, ROUTE, TERRAINS

NODE_KINDS = ("abandoned_position", "al_qaeda", "arms_cache", "c2", "hostage_house", "ied_factory", "strongpoint")
OPFOR_KINDS = ("hvt", "jihadists", "fedayeen", "militia", "heavy_weapons")
EVENT_KINDS = (
    "ambush",
    "blow_bridges",
    "civilians",
    "deception",
    "downed_helicopter",
    "intel",
    "iraqis_balk",
    "martyrs",
    "media_wars",
    "mob_attack",
    "morale_check",
    "negotiations",
    "rear_area_raid",
    "uprising_elsewhere",
)
STRIKE_KINDS = ("air", "soa", "artillery", "netwar")
COUNT = whole_number("number of counters", 0, 60)

FACTS = (
    Fact(
        "stand",
        "OPFOR Morale Chart: Stand or Break-off by morale and terrain",
        "9.3(2)",
        STAND,
        tuple(f"{morale}:{terrain}" for morale in MORALE for terrain in TERRAINS),
    ),
    Fact("nodes", "How many Node counters of each kind the set holds", "4.5", COUNT, NODE_KINDS),
    Fact("opfor", "OPFOR combat units: what is printed on how many", "4.6", OPFOR_LOTS, OPFOR_KINDS),
    Fact("events", "How many Event markers of each kind the set holds", "4.7", COUNT, EVENT_KINDS),
    Fact("strikes", "Fire Support and NetWar counters: firepower and number", "4.3", STRIKE_LOTS, STRIKE_KINDS),
    Fact("leaders", "How many Coalition leaders the set holds", "29.0", whole_number("number of leaders", 0, 20), single=True),
    Fact("bridge", "The spaces of the two bridges", "14.7", GRID, ("brooklyn", "main"), rulebook_values={"brooklyn": BROOKLYN}),
    Fact("unit", "Coalition units, one a counter, by nation and name", "4.2", UNIT),
    Fact("route", "What joins two neighbours, learnt from moves: land, bridge, either of them, river; or none", "13.0", ROUTE),
    Fact("space", "Spaces of the map by route and phase line: terrain, MSR, bridge, water, name", "3.1", GROUND),
)
