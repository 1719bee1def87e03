"""Sessions in which the turns of ``turns.toml`` begin."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from companion.core.resolver import Answers
from companion.games import make_game
from companion.session.controller import SessionController
from companion.session.facts import import_text
from companion.session.store import Archive
from companion.session.tables import load

SET = Path(__file__).parent / "scripts" / "short_set.toml"


def landed(
    archive: Archive, dice: str = "physical", unknown: Sequence[str] = (), third_unit: str = "", seed: str = "april"
) -> SessionController:
    """3/1 and CEB at 2-11 after a first J-3, 3/5 in the North Base or elsewhere; the made-up set known but for some facts."""
    omitted = tuple(f'"{fact}"' for fact in unknown)
    lines = [line for line in SET.read_text().splitlines() if not line.startswith(omitted)]
    import_text(archive, make_game("fallujah2004", load("fallujah2004")), "\n".join(lines))
    session = SessionController.create(archive, "fallujah2004", "vigilant", dice="physical", draws="physical", seed=seed)
    session.do("buy", Answers([("buy", "3/1, 3/5, CEB, 2 air, netwar"), ("at", "north base")]))
    session.do("j3", Answers([("force", "3/1, CEB"), ("to", "2-11")], draws=["deception", "civilians"], accept=True))
    if third_unit:
        session.adjust([("3/5", third_unit)], "it is placed there")
    session.setting(dice, dice)
    return session
