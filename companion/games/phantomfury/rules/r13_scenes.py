"""Scenes of Assaults: read from the position, or described by the player."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from companion.core.dice import cup_contents
from companion.core.graph import distances
from companion.core.notation import read_counter_lots
from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Confirm, LazyText, Number, Text
from companion.games.phantomfury import state
from companion.games.phantomfury.notation.counters import (
    CIRCUMSTANCES,
    ENEMY,
    EXTRAS,
    NOTHING,
    Enemy,
    Fighter,
    cf_of,
    insurgent_name,
    kind_of,
    read_enemy,
    read_sides,
)
from companion.games.phantomfury.notation.zones import MOSQUE
from companion.games.phantomfury.referee import FuryReferee
from companion.games.phantomfury.rules.r13_combat import TYPES, Cup, Scene, Stage, assault_one, flood_order, may_flood
from companion.games.phantomfury.state import is_fortified, is_squad, location_of, zone_marker, zone_of


def scene_of(referee: FuryReferee, squad: Piece, targets: Sequence[Piece], plain: bool = False) -> Scene:
    """The scene of an Assault against these counters of one Zone, from the position."""
    zone = zone_of(targets[0].place)
    now = scene_in(referee, squad, zone, enemies_of(targets), plain)
    return now._replace(apart=len(targets) < len(enemies_left(referee, zone)))


def enemies_of(counters: Sequence[Piece]) -> tuple[Enemy, ...]:
    """Enemy counters as values."""
    return tuple(Enemy(kind_of(piece), cf_of(piece), "" if piece.kind == state.SUSPECT else piece.name) for piece in counters)


def enemies_left(referee: FuryReferee, zone: str) -> list[Piece]:
    """[13.4.8] The enemies still in a Zone, in the order of Flooding."""
    enemies = referee.enemies_in(zone)
    order = flood_order(location_of(piece.place) for piece in enemies)
    return sorted(enemies, key=lambda piece: order.index(location_of(piece.place)))


def flooded_enemies(referee: FuryReferee, zone: str, start: str, fallen: str = "") -> list[Piece]:
    """[13.4.8.1] The enemies of a Zone in the order in which a squad floods them: each time the first in the printed order that
    it can get Adjacent to. Enemies that it can never reach are left out (ruling C-70).

    Args:
        fallen: A Location that is emptied by then.
    """
    rest, current, targets = [piece for piece in enemies_left(referee, zone) if piece.place != fallen], start, []
    while rest:
        held = {piece.place for piece in rest}
        spots = ((piece, foothold(referee, current, piece.place, held)) for piece in rest)
        target, spot = next((pair for pair in spots if pair[1]), (None, ""))
        if target is None:
            break
        current = spot
        rest.remove(target)
        targets.append(target)
    return targets


def foothold(referee: FuryReferee, start: str, goal: str, held: Collection[str]) -> str:
    """[13.4.8.1] The nearest place from which a squad is Adjacent to a Location, moving through free Locations of its Zone; ""
    if there is none.
    """
    town, position, zone = referee.town, referee.position, zone_of(goal)

    def steps(where: str) -> list[str]:
        near = [other for other in town.next_to(where) if zone_of(other) == zone and other not in held]
        return [other for other in near if not any(is_squad(piece) for piece in position.at(other))]

    return next((where for where in distances([start], steps) if goal in town.next_to(where)), "")


def scene_in(referee: FuryReferee, squad: Piece, zone: str, enemies: tuple[Enemy, ...], plain: bool = False) -> Scene:
    """The scene of a squad against enemies in a Zone, with everything in effect there."""
    return Scene(
        referee.fighter(squad),
        enemies,
        is_fortified(referee.position, zone),
        zone == MOSQUE,
        referee.near_fury(zone_of(squad.place)),
        zone_marker(referee.position, zone, state.FANATICISM) is not None,
        bool(referee.elements_in(zone)),
        zone_marker(referee.position, zone, state.NO_EVENT) is not None,
        plain=plain,
        both=referee.option("explosives_drm") == "both",
        cup=tuple(referee.cup(state.INSURGENTS_CUP).items()),
    )


# -- described Assaults ------------------------------------------------------------------------------------------------


async def ask_enemy(rule: str) -> Enemy:
    """Ask for one enemy."""
    return read_enemy(await Text("enemy", "Against: s (Suspect), g2 (Guerillas CF 2), m3 (Martyrs CF 3)", rule, ENEMY))


async def ask_extras(rule: str) -> list[str]:
    """Ask for the circumstances."""
    text = await Text("with", f"Besides: {', '.join(CIRCUMSTANCES)}", rule, EXTRAS, suggest=NOTHING)
    return [] if text == NOTHING else text.split(", ")


async def ask_type() -> str:
    """[13.1 - 13.3] Ask for the type of an Assault."""
    return await Choose("type", "Type of the Assault", "13.0", [Choice(kind, kind) for kind in TYPES], TYPES[0])


def sample_cup(referee: FuryReferee) -> Cup:
    """The Insurgents cup of the session, or our sample."""
    held = cup_contents(referee.position, state.INSURGENTS_CUP)
    if held:
        return tuple(held.items())
    lots: dict[str, int] = {}
    for values, count in read_counter_lots(referee.chart("sample").text("insurgents", "values")):
        lots[insurgent_name(*read_sides(values))] = count
    return tuple(sorted(lots.items()))


async def describe(referee: FuryReferee, enemies: tuple[Enemy, ...], rule: str) -> Scene:
    """Ask for the squad and the circumstances of a described scene."""
    cf = await Number("cf", "CF of the squad as it is now", rule, 1, 9, 5)
    words = await ask_extras(rule)
    steps = 1 if "reduced" in words else 2
    return Scene(
        Fighter(cf + int(steps == 1), steps, caat="caat" in words, iif="iif" in words),
        enemies,
        "fortified" in words or "mosque" in words,
        "mosque" in words,
        "fury" in words,
        "fanaticism" in words,
        "element" in words,
        "quiet" in words,
        (0.0 if "trapped" in words else 1.0,),
        both=referee.option("explosives_drm") == "both",
        cup=sample_cup(referee),
    )


class DescribedStage(Stage):
    """Stage of a described Assault: results are said, and nothing is moved."""

    def __init__(self, referee: FuryReferee) -> None:
        super().__init__()
        self.referee = referee

    def say(self, text: LazyText, rule: str, *because: LazyText) -> None:
        self.referee.say_lazily(text, rule, because)

    async def explosives(self, scene: Scene, kind: str) -> bool:
        return scene.squad.caat and await Confirm("explosives", "Use explosives?", "13.7.1", False)

    async def drawn(self, name: str, kind: str, rule: str, face: int) -> None:
        self.say(f"The Suspect: {face}, {kind.title()} ({name}).", rule)

    async def pinned(self, rule: str, why: str) -> None:
        self.say("The squad is PINNED.", "11.5", why)

    async def hurt(self, who: str, rule: str, why: str) -> None:
        self.say(f"STEP LOSS on the {'CAAT' if who == 'caat' else 'squad'}.", "5.1.1.1", why)

    async def eliminated(self, rule: str, why: str) -> None:
        self.say("The unit is ELIMINATED.", "5.2.1", why)

    async def destroyed(self, rule: str, why: str) -> None:
        self.say("The squad is ELIMINATED.", rule, why)

    async def retreat(self, scene: Scene) -> bool:
        return await Confirm("retreats", "Does an Egress Route let the Guerillas out?", "13.6.2", scene.ways[0] > 0)


async def described_assault(referee: FuryReferee) -> None:
    """[13.4] Resolve a described Assault; nothing is moved in the session."""
    enemy = await ask_enemy("13.4")
    kind = await ask_type()
    out = await assault_one(referee, await describe(referee, (enemy,), "13.4"), kind, DescribedStage(referee))
    if out.scene.squad.steps:
        free = out.empty and not out.scene.squad.pinned
        referee.say("The squad enters the Location." if free else "The squad stays where it is.", "13.4.7.2")
    if out.scene.enemies and may_flood(out.scene):
        referee.say("It can go on with Flooding.", "13.4.8", tone="reminder")
