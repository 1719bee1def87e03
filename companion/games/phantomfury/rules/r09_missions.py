"""[9.0] Missions: which are available, where they can go, their dice and those of the Reaction."""

from __future__ import annotations

from companion.core.text import die_range
from companion.games.phantomfury.referee import Fury
from companion.games.phantomfury.rules.r03_die import d10, on_chart


async def call_up(referee: Fury, which: str) -> tuple[int, bool]:
    """[9.1] Roll for a Mission: (face, success)."""
    chart = referee.chart("missions")
    most = chart.number(which, "success_to")
    title = chart.text(which, "title")
    face = await d10("mission", f"{title}: it comes on {die_range(0, most)}", "9.1", lambda die: die <= most)
    return face, face <= most


async def roll_reaction(referee: Fury) -> tuple[int, str]:
    """[9.4.1] Roll for the Reaction: (face, title)."""
    return await on_chart(referee, "reactions", "title", "reaction", "Insurgent Reaction", "9.4.1")
