"""Sessions at the start of the turns of ``turns.toml``."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.resolver import Answers
from companion.session.controller import SessionController
from companion.session.store import Archive
from tests.games.iraqwar2003.field import FACTS, FRONT
from tests.games.iraqwar2003.ground import FAR, GROUND

UNIT = {**GROUND, **{f"at:{name}": number for name, number in {**FAR, "1/3ID": "2130", "51M": "2430"}.items()}}
"""A unit beside a road that leads to the hex next to an Iraqi division, on a known patch of the map."""
MAPS = {"front": FRONT, "unit": UNIT, "stack": {**UNIT, "at:2/3ID": "2130"}}
"""Known map facts and places of units, by name."""


def supplied(
    archive: Archive, known: str = "", destroyed: Sequence[str] = (), dice: str = "physical", iraq: str = "bot"
) -> SessionController:
    """The Operation Phase of a game of the made-up set, all units in supply; ``destroyed``: beginnings of names of boxes."""
    session = begun(archive, known, destroyed, dice, iraq)
    session.do("supply", Answers(accept=True))
    if cut := [piece.name for piece in session.position.pieces.values() if piece.mark("oos")]:
        session.adjust([(f"{name}.oos", "off") for name in cut], "the table shows an open line")
    return session


def begun(
    archive: Archive,
    known: str = "",
    destroyed: Sequence[str] = (),
    dice: str = "physical",
    iraq: str = "bot",
    opponent: str = "proposes",
) -> SessionController:
    """A new game of the made-up set, with the boxes destroyed whose names begin with ``destroyed``."""
    archive.record_facts("iraqwar2003", {**FACTS, **MAPS.get(known, {})})
    options = {"recommended": "on", "iraq": iraq, "opponent": opponent}
    session = SessionController.create(archive, "iraqwar2003", "war", options, dice=dice, draws=dice, seed="april")
    for box in session.position.of_kind("box"):
        if box.name.startswith(tuple(destroyed)):
            session.adjust([(f"{box.name}.damaged", "1")], "bombed before")
    return session
