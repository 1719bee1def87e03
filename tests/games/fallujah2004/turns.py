"""Turns that are typed and counted: one J-3 by hand with a Node and hits, the same without, and with Companion's dice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion.core.resolver import Answers
from companion.games import make_game
from companion.session.controller import SessionController
from companion.session.facts import import_text
from companion.session.store import Archive
from companion.session.tables import load
from tests.support.turns import First, Turn

SET = Path(__file__).parent / "scripts" / "short_set.toml"


def landed(dice: str, *untold: str, beside: str = "", seed: str = "april") -> Callable[[Archive], SessionController]:
    """3/1 and CEB at 2-11 after a first J-3, 3/5 in the North Base or ``beside``; the made-up set is told but for those facts."""

    def start(archive: Archive) -> SessionController:
        told = [line for line in SET.read_text().splitlines() if not line.startswith(tuple(f'"{fact}"' for fact in untold))]
        import_text(archive, make_game("fallujah2004", load("fallujah2004")), "\n".join(told))
        desk = SessionController.create(archive, "fallujah2004", "vigilant", dice="physical", draws="physical", seed=seed)
        desk.do("buy", Answers([("buy", "3/1, 3/5, CEB, 2 air, netwar"), ("at", "north base")]))
        first = Answers([("force", "3/1, CEB"), ("to", "2-11")], draws=["deception", "civilians"], accept=True)
        desk.do("j3", first)
        if beside:
            desk.adjust([("3/5", beside)], "it stands there")
        desk.setting(dice, dice)
        return desk

    return start


TURNS = (
    Turn(
        "J-3 by hand: Node, 2+1 picks, two hits",
        landed("physical", "space:2-9", beside="2-10"),
        ("j3 3/1,CEB;2-10 2-9",),
        {
            "space:2-9": ("mosque Jolan",),
            "node": ("arms",),
            "pick": ("hvt", "fed", "heavy"),
            "edge": ("15",),
            "opfor_fire": ("126",),
            "hit": ("3/1", "CEB"),
            "fire": ("11", "1"),
            "leader_check": ("34",),
            "continue": ("w",),
            "refuge": ("2-10",),
        },
        (15, 75),
    ),
    Turn(
        "J-3 by hand: no Node, no hits",
        landed("physical"),
        ("j3 3/1,CEB;2-10",),
        {"pick": ("mil", "civ"), "edge": ("61",), "fire": ("36",), "leader_check": ("34",), "move_on": ("n",)},
        (9, 36),
        True,
        (9, 36),
    ),
    Turn("J-3 with Companion's dice", landed("computer"), ("j3 3/1,CEB;2-10",), {}, (4, 19)),
    Turn(
        "J-3 with Companion's dice: 2 picks, 2 hits",
        landed("computer", seed="two 32"),
        ("j3 3/1,CEB;2-10",),
        {"hit": ("3/1, CEB",)},
        (5, 28),
        True,
    ),
    Turn(
        "the same as one line",
        landed("computer", seed="two 32"),
        ("j3 3/1,CEB;2-10 netwar=no strikes=none hit=3/1,CEB move_on=no",),
        {},
        (1, 62),
    ),
)

FIRST_MINUTES = First(
    (),
    (
        ("", "What would you like to do"),
        ("", "Which game"),
        ("", "which scenario"),
        ("", "Play as published"),
        ("", "Who rolls and draws"),
        ("2", "[buy] action >"),
        ("buy 3/1, 3/5, CEB, 2 air at=north", "recruited"),
        ("j3 3/1, CEB to=2-11", "Draw 1 of 2"),
        ("deception", "Draw 2 of 2"),
        ("militia", "Tactical Edge"),
        ("24", "Which Fire Support"),
        ("", "The Coalition fires"),
        ("35", "WON"),
    ),
)
"""From the README's command, with the lines of its tour, to the first battle that is won."""
