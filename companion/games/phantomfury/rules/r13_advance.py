"""[13.4] One Assault on the table and the advance after it, whoever keeps the enemies of the Zone."""

from __future__ import annotations

from typing import NamedTuple

from companion.core.position import Piece
from companion.games.phantomfury.names import PINNED
from companion.games.phantomfury.referee import Fury
from companion.games.phantomfury.rules.r13_melee import Outcomes, assault_one
from companion.games.phantomfury.rules.r13_ontable import OnTable
from companion.games.phantomfury.rules.r13_scene import BOTTOM_UP, NORMAL, TOP_DOWN, Scene, assault_type, comes_down
from companion.games.phantomfury.words.town import zone_of


class Foe(NamedTuple):
    """The target of an Assault on the map: place, text, scene, stage."""

    where: str
    text: str
    scene: Scene
    stage: OnTable


async def open_assault(referee: Fury, squad: Piece, foe: Foe) -> bool:
    """[13.4.7.2] Carry out the Assault of a squad. Returns whether Flooding may follow."""
    start = referee.piece(squad.id).place
    kind = assault_type(start, foe.where)
    referee.say(f"{referee.who(squad)} Assaults {foe.text} at {foe.where}: {kind.title()}.", _type_rule(kind))
    return await advance(referee, squad, foe, kind) and comes_down(start, foe.where)


def _type_rule(kind: str) -> str:
    return {TOP_DOWN: "13.1", BOTTOM_UP: "13.2", NORMAL: "13.3"}[kind]


async def advance(referee: Fury, squad: Piece, foe: Foe, kind: str) -> bool:
    """[13.4.7.2, 13.5] Resolve an Assault and enter the Location if it is empty. Returns whether the squad is in it and not
    Pinned.
    """
    start = referee.piece(squad.id).place
    out = await fight(referee, foe, kind)
    if not alive(referee, squad):
        return False
    if not out.empty:
        referee.say(f"{squad.name} stays at {start}.", "13.4.7.2")
        return False
    if referee.piece(squad.id).mark(PINNED) and not foe.scene.squad.pinned:
        referee.say(f"{squad.name} is Pinned at {start} and does not enter {foe.where}.", "13.5")
        return False
    enter(referee, squad, foe.where)
    return True


async def fight(referee: Fury, foe: Foe, kind: str) -> Outcomes:
    """Resolve one Assault on the map; used explosives are removed."""
    out = await assault_one(referee, foe.scene, kind, foe.stage)
    foe.stage.clear_explosives()
    return out


def alive(referee: Fury, squad: Piece) -> bool:
    """True if a squad is still on the map."""
    return bool(zone_of(referee.piece(squad.id).place))


def enter(referee: Fury, squad: Piece, where: str) -> None:
    """[13.4.7.2] Move the squad into the emptied Location."""
    referee.move(squad.id, where, "13.4.7.2", "the Location is empty")
