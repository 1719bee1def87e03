"""[5.5 - 5.7] Air combat, anti-air fire and bombing, on small values.

The same is fought on the table (missions.py, support.py) and on paper for exact odds (chances.py); a Display is told what
happens.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.core.dice import summed
from companion.core.requests import Choice, Choose, Roll

MISSION_ROLES = ("bombing", "support")
FLYING = "flying"
USED = "used"
REMOVED = "removed"


class Flier(NamedTuple):
    """A unit in an air operation.

    Attributes:
        name: unique in its operation.
        side: ``coalition`` or ``iraq``.
        role: ``bombing``, ``support``, ``escort`` or ``intercept`` [5.3].
        air: air combat value. stealth: white silhouette [2.3.2].
        id: of its piece, "" on paper.
    """

    name: str
    side: str
    role: str
    air: int
    stealth: bool = False
    id: str = ""

    @property
    def on_mission(self) -> bool:
        return self.role in MISSION_ROLES


class Display:
    """Is told what happens. This one keeps silent: odds need no words."""

    def shot(self, shooter: str, target: Flier, value: int, first: int, second: int, fate: str, rule: str) -> None:
        """Somebody fired at a flier. ``second`` is 0 where there was no second die."""

    def bombed(self, what: str, value: int, face: int, hit: bool) -> None:
        """A bombing unit rolled."""


SILENT = Display()


def hit_fate(value: int, second: int) -> str:
    """[5.5(6), 5.6(2)] What a hit does: removed on a second roll of the value or less, else into the Used box."""
    return REMOVED if second <= value else USED


async def shoot(key: str, shooter: str, value: int, target: Flier, rule: str, display: Display) -> str:
    """[5.5(5), 5.6(1)] One shot: a die of at most the value hits, and a second die decides; the target's fate."""
    roll = await Roll(
        key,
        lambda: f"{shooter} ({value}) at {target.name}: {value} or less hits",
        rule,
        outcomes=lambda: summed(1, lambda face: int(face <= value)),
    )
    if roll[0] > value:
        display.shot(shooter, target, value, roll[0], 0, FLYING, rule)
        return FLYING
    again = await Roll(
        f"{key}_hit",
        lambda: f"{target.name} is hit: {value} or less removes it, else it goes to the Used box",
        rule,
        outcomes=lambda: summed(1, lambda face: int(face <= value)),
    )
    fate = hit_fate(value, again[0])
    display.shot(shooter, target, value, roll[0], again[0], fate, rule)
    return fate


def targets_of(shooter: Flier, fliers: Sequence[Flier]) -> list[Flier]:
    """[5.5(3), 5.5(4)] Whom a unit may fire at: escorts and interceptors at any enemy, units on a mission only at those.

    A white silhouette is no target (ruling C-37).
    """
    enemies = [flier for flier in fliers if flier.side != shooter.side and not flier.stealth]
    return [flier for flier in enemies if not (shooter.on_mission and flier.on_mission)]


def best_target(shooter: Flier, targets: Sequence[Flier]) -> Flier:
    """What is suggested: an escort fires at the interceptor, an interceptor at the unit on the mission."""
    wanted = shooter.role == "intercept"
    return next((flier for flier in targets if flier.on_mission == wanted), targets[0])


async def choose_target(shooter: Flier, targets: Sequence[Flier]) -> Flier:
    """[5.5(3)] The shooter's player names the target, where there are several."""
    if len(targets) == 1:
        return targets[0]
    choices = [Choice(flier.name, flier.name, f"{flier.role}, air combat {flier.air}") for flier in targets]
    chosen = await Choose(
        "aim",
        lambda: f"{shooter.name} (air combat {shooter.air}) fires at",
        "5.5(3)",
        choices,
        best_target(shooter, targets).name,
    )
    return next(flier for flier in targets if flier.name == chosen)


def worse(one: str, two: str) -> str:
    """The worse of two fates."""
    order = (FLYING, USED, REMOVED)
    return max(one, two, key=order.index)


async def air_combat(fliers: Sequence[Flier], display: Display = SILENT) -> dict[str, str]:
    """[5.5] Everybody fires once [5.5(9)], in order of air combat value from the highest [5.5(1)]; equal values at the same
    time [5.5(2)].

    Returns the fate of each flier by name. Who has been hit by a higher value neither fires [5.5(8)] nor is fired at any
    more [5.5(7)].
    """
    fates = {flier.name: FLYING for flier in fliers}
    for value in sorted({flier.air for flier in fliers if flier.air > 0}, reverse=True):
        left = [flier for flier in fliers if fates[flier.name] == FLYING]
        shooters = sorted((flier for flier in left if flier.air == value), key=lambda flier: flier.side != "iraq")
        aims: list[tuple[Flier, Flier]] = []
        for shooter in shooters:  # [5.5(2)] Iraq names its targets first
            targets = targets_of(shooter, left)
            if targets:
                aims.append((shooter, await choose_target(shooter, targets)))
        hits: list[tuple[str, str]] = []
        for shooter, target in aims:
            hits.append((target.name, await shoot("air", shooter.name, value, target, "5.5(5)", display)))
        for name, fate in hits:
            fates[name] = worse(fates[name], fate)
    return fates


async def anti_air(flier: Flier, shots: Sequence[int], display: Display = SILENT, rule: str = "5.6(1)") -> str:
    """[5.6, 5.6(3)] Anti-air fire at a unit on a mission, never at a white silhouette [2.3.2, 2.5.3]; after
    the first hit nobody fires at it any more [6.3(5)] (ruling C-6).

    Args:
        shots: the anti-air firepower of each shot.
    """
    if flier.stealth:
        return FLYING
    for number, value in enumerate(shots, 1):
        who = "Anti-air fire" if len(shots) == 1 else f"Anti-air fire {number} of {len(shots)}"
        fate = await shoot("aa", who, value, flier, rule, display)
        if fate != FLYING:
            return fate
    return FLYING


def bombing_value(printed: int, city: bool) -> int:
    """[5.7(3)] The bombing value, halved with fractions dropped in Baghdad, Basra and Mosul."""
    return printed // 2 if city else printed


async def drop_bombs(name: str, value: int, what: str, display: Display = SILENT) -> bool:
    """[5.7(1)] One die of at most the bombing value hits; there is no second one."""
    roll = await Roll(
        "bomb",
        lambda: f"{name} bombs {what}: {value} or less hits",
        "5.7(1)",
        outcomes=lambda: summed(1, lambda face: int(face <= value)),
    )
    display.bombed(f"{name} on {what}", value, roll[0], roll[0] <= value)
    return roll[0] <= value


class Mission(NamedTuple):
    """An air group with everything that it meets on its way.

    Attributes:
        fliers: the group and who intercepts it; the unit on the mission comes first.
        shots: anti-air firepowers. value: the bombing value as it counts there, 0 for ground support.
        what: the target in words.
    """

    fliers: tuple[Flier, ...]
    shots: tuple[int, ...]
    value: int
    what: str = "the target"


class Flown(NamedTuple):
    """What became of a mission: the fate of each flier in order, and whether it did what it set out for."""

    fates: tuple[str, ...]
    done: bool


async def fly(mission: Mission, display: Display = SILENT) -> Flown:
    """[5.2] One air operation on paper: air combat, anti-air fire, bombing."""
    fates = await air_combat(mission.fliers, display)
    lead = mission.fliers[0]
    if fates[lead.name] == FLYING:
        fates[lead.name] = await anti_air(lead, mission.shots, display)
    done = fates[lead.name] == FLYING
    if done and mission.value:
        done = await drop_bombs(lead.name, mission.value, mission.what, display)
    elif mission.value == 0 and lead.role == "bombing":
        done = False
    return Flown(tuple(fates[flier.name] for flier in mission.fliers), done)
