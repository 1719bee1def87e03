"""Sessions in which the turns of ``turns.toml`` begin."""

from __future__ import annotations

from companion.core.resolver import Answers
from companion.session.controller import SessionController
from companion.session.store import Archive
from tests.games.lzalbany.player import AREAS, TOLD


def new_game(archive: Archive, draws: str = "physical", **options: str) -> SessionController:
    """The set-up, on the practice map unless the options say otherwise."""
    chosen = {"map": "practice", **options}
    return SessionController.create(archive, "lzalbany", "battle", chosen, draws=draws, seed="ia drang")


def ambush(archive: Archive, **options: str) -> SessionController:
    """Turn 1, every counter where the program suggests; dice by Companion, draws at the table."""
    session = new_game(archive, **options)
    for _ in range(2):
        session.do("next", Answers(accept=True))
    return session


def ambush_on_own_map(archive: Archive, **options: str) -> SessionController:
    """The same on a map of the player's own, of which all but lines of sight is known."""
    circles = {f"start:{name}": area["start"] for name, area in AREAS.items() if area["start"]}
    archive.record_facts("lzalbany", {**TOLD, **circles, **{f"choi:nva-{face}": "none" for face in range(1, 7)}})
    return ambush(archive, map="own", **options)


def second_turn(archive: Archive, **options: str) -> SessionController:
    """The Action Phase of turn 2, everything before it as suggested; Companion rolls and draws."""
    session = new_game(archive, draws="computer", **options)
    while session.position.track("turn") < 2 or session.position.flag("phase") != "action":
        session.do("next", Answers(accept=True))
    return session
