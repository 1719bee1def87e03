"""Values printed only on the components, and how they are entered."""

from __future__ import annotations

from companion.core.game import Fact
from companion.core.notation import whole_number
from companion.games.phantomfury.words.counters import INSURGENT_LOTS, SUSPECT_LOTS
from companion.games.phantomfury.words.zones import SECTION, START, ZONE

ZONES = tuple(str(number) for number in range(1, 62))
SQUADS = tuple(str(number) for number in range(1, 16))
CF = whole_number("CF of a squad at full strength", 4, 6)
COUNT = whole_number("number of markers", 4, 80)

FACTS = (
    Fact("start", "The nine Zones with a black circle", "6.2", START, single=True),
    Fact("insurgents", "Insurgents counters: CF as Guerillas/CF as Martyrs, and how many", "5.2.1", INSURGENT_LOTS, single=True),
    Fact("suspects", "Suspect markers: the Locations on the bottom, and how many", "5.3.2.2", SUSPECT_LOTS, single=True),
    Fact("activated", "How many 'Activated Zone' markers the set holds", "6.1.2", COUNT, single=True),
    Fact("squad", "CF of each USMC squad, front side", "5.1.1", CF, SQUADS, rulebook_values={"1": "6", "4": "6", "12": "5"}),
    Fact("zone", "Zones: Locations, symbols, Adjacent Zones, streets, lines of fire, Egress Routes", "4.1", ZONE, ZONES),
    Fact("section", "Street Sections by a name of your own: Zones around, Sections next to it, edge", "4.3", SECTION),
)
"""Squads #1, #4 and #12 are stated by the printed examples of rules 11 to 13 and of game turn 3."""
