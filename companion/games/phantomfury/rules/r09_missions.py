"""[9.0] Missions: which are available, where they can go, their dice and those of the Reaction."""

from __future__ import annotations

from companion.core.text import die_range
from companion.games.phantomfury.notation.zones import CLOSED, MOSQUE
from companion.games.phantomfury.referee import FuryReferee
from companion.games.phantomfury.rules.r03_die import d10, on_chart
from companion.games.phantomfury.state import is_controlled

AH1W_TARGETS = 2
"""[9.3] The number of counters that an AH-1W removes at most."""


async def call_up(referee: FuryReferee, which: str) -> tuple[int, bool]:
    """[9.1] Roll for a Mission: (face, success)."""
    chart = referee.chart("missions")
    most = chart.number(which, "success_to")
    title = chart.text(which, "title")
    face = await d10("mission", f"{title}: it comes on {die_range(0, most)}", "9.1", lambda die: die <= most)
    return face, face <= most


async def roll_reaction(referee: FuryReferee) -> tuple[int, str]:
    """[9.4.1] Roll for the Reaction: (face, title)."""
    return await on_chart(referee, "reactions", "title", "reaction", "Insurgent Reaction", "9.4.1")


def missions_left(referee: FuryReferee, which: str) -> int:
    """[9.2.1] The number of Missions of a kind that can still succeed."""
    return referee.chart("missions").number(which, "max") - referee.position.track(which)


def unavailable(referee: FuryReferee, which: str) -> tuple[str, str] | None:
    """[9.2, 9.3] Why a Mission cannot be called up: (why, rule)."""
    title, maximum = referee.chart("missions").text(which, "title"), referee.chart("missions").number(which, "max")
    if missions_left(referee, which) <= 0:
        return f"{title} has been used up ({maximum} of {maximum})", "9.2"
    somewhere = any(unfit(referee, which, zone) is None for zone in referee.zones())
    return None if somewhere else (f"{_NOWHERE[which]}: no {title}", "9.3")


_NOWHERE = {
    "uav": "USMC units are in every Zone of the insurgents",
    "ah1w": "no Zone of the insurgents without USMC units holds an enemy",
    "fa18": "no Zone of the insurgents is far enough from the USMC units",
}


def unfit(referee: FuryReferee, which: str, zone: str) -> tuple[str, str] | None:
    """[9.3] Why a Mission cannot go to a Zone, as far as the map is entered: (why, rule). The Zone must be under insurgent
    Control, clear of USMC units, and meet the conditions of the Mission.
    """
    if zone == CLOSED:
        return f"neither side Controls Zone {zone}", "4.1.4"
    if is_controlled(referee.position, zone):
        return f"Zone {zone} is under USMC Control", "9.3"
    if referee.usmc_units_in(zone):
        return f"{referee.usmc_units_in(zone)[0].name} is in Zone {zone}", "9.3"
    if which != "uav" and zone == MOSQUE:
        return "no air strike on Zone 26, the mosque", "9.3"
    if which == "ah1w" and not referee.enemies_in(zone):
        return f"Zone {zone} holds no Insurgents unit and no Suspect", "9.3"
    if which == "fa18":
        for occupied in zones_with_units(referee):
            if zone in referee.town.around(occupied) or occupied in referee.town.around(zone):
                return f"{referee.usmc_units_in(occupied)[0].name} is in Zone {occupied}, too close to Zone {zone}", "9.3"
    return None


def zones_with_units(referee: FuryReferee) -> list[str]:
    """The Zones with USMC units, in numerical order."""
    return sorted(referee.usmc_zones() - {""}, key=int)
