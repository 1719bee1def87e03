"""Turns that are typed and counted: the set-up and two turns of the practice map with one's own dice and draws, and one with
Companion's. The turn of the rulebook's example is counted by ``test_keystrokes``.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle, islice

from companion.core.resolver import Answers
from companion.session.controller import SessionController
from companion.session.store import Archive
from companion.testing.table import desk_at
from tests.games.phantomfury.test_turn_3 import start
from tests.support.turns import Turn

MARKERS = tuple(islice(cycle(("2/1/R", "1/2/R", "r/2/1", "2/r/1", "1/r/2", "r/1/2")), 60))
"""Suspect markers as they come out of the cup."""
FIRST = ("mi uav;14,15", "mo 1;2", "mo 11;1", "mo 7;2", "a 1", "a 11", "a 7", "e")
SECOND = ("r 2,12;2;2", "f 1;13-2", "mo 9;16-C", "mo 7;c", "a 9", "e")


THIRD = ("mi uav;15,16", "r 12,m1;3", "f 1;15-1", "f 4;16", "f 8;14-R", "mo m1;s", "mo 12;14-C", "a 12", "e")
"""The turn of the rulebook's example [8.0]: each action a line."""


def third(archive: Archive) -> SessionController:
    """The start of that turn, the map known; Companion rolls and draws."""
    desk = desk_at(archive, "phantomfury", "practice", start().position, seed="keys")
    desk.setting("computer", "computer")
    return desk


def practice(how: str) -> Callable[[Archive], SessionController]:
    """The practice map, set up by Companion; ``how``: who rolls and draws from there on."""

    def begun(archive: Archive) -> SessionController:
        desk = SessionController.create(archive, "phantomfury", "practice", seed="keys", answers=Answers(accept=True))
        desk.setting(how, how)
        return desk

    return begun


TURNS = (
    Turn(
        "practice: set-up by hand",
        lambda archive: SessionController.create(archive, "phantomfury", "practice", {}, "physical", "physical", seed="keys"),
        (),
        {
            "suspect": MARKERS,
            "activate": ("6", "1", "9", "3", "2", "7", "0", "4"),
            "insurgent": ("G1/M1", "G2/M3", "G2/M2"),
            "squad": ("1", "4", "7", "12", "2", "3", "5", "6", "8"),
            "squads": ("4,1,7,12",),
            "caats": ("1,4",),
        },
        (31, 115),
        True,
    ),
    Turn(
        "practice: turns 1 and 2 by hand",
        practice("physical"),
        (*FIRST, *SECOND),
        {"roll": ("3",) * 60, "assault": ("2 8",) * 9, "suspect": MARKERS, "nature": ("activated z",) * 9},
        (49, 274),
    ),
    Turn("practice: turn 1, Companion's dice", practice("computer"), FIRST, {}, (10, 52), True),
    Turn("turn 3 of the example, the map known", third, THIRD, {}, (11, 91), before=(11, 76)),
)
