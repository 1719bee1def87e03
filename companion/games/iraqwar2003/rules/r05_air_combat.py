"""[5.2, 5.5 - 5.7] An air operation: air combat, anti-air fire, bombs and ground support, on small values.

The same is flown on the table and on paper for exact odds (odds/air.py); a Display is told what happens.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from companion.core.dice import RollOutcome, summed_rolls
from companion.core.requests import Choice, Choose, Roll
from companion.core.words import die_range
from companion.games.iraqwar2003.names import IRAQ

BOMBING, SUPPORT, DROP, ESCORT, INTERCEPT = "bombing", "support", "drop", "escort", "intercept"
MISSIONS = (BOMBING, SUPPORT, DROP)
FLYING = "flying"
USED = "used"
REMOVED = "removed"


class Flier(NamedTuple):
    """A unit in an air operation.

    Attributes:
        name: unique in its operation.
        side: ``coalition`` or ``iraq``.
        role: BOMBING, SUPPORT, ESCORT or INTERCEPT [5.3]; DROP for paratroops on their way [16.2(5)].
        air: air combat value. stealth: white silhouette [2.3.2].
        worth: what it brings if it gets through: its bombing value as it counts there, or columns of ground support, negative
            for the defender.
        shots: the firepower of each anti-air shot that it meets. fire_rule: by which rule.
        id: of its piece, "" on paper.
    """

    name: str
    side: str
    role: str
    air: int
    stealth: bool = False
    worth: int = 0
    shots: tuple[int, ...] = ()
    fire_rule: str = "5.6(1)"
    id: str = ""

    @property
    def on_mission(self) -> bool:
        return self.role in MISSIONS


class Mission(NamedTuple):
    """All the air units at one target, or over one ground combat: first who is on the mission, then who meets it there.

    Attributes:
        what: the target in words.
    """

    fliers: tuple[Flier, ...]
    what: str = "the target"


class Flown(NamedTuple):
    """What became of a mission.

    Attributes:
        fates: FLYING, USED or REMOVED for each flier in order.
        done: the first of them did what it set out for.
        shift: columns of ground support that arrived, positive for the attacker [13.3(2-1)].
    """

    fates: tuple[str, ...]
    done: bool
    shift: int = 0


class Display:
    """Is told what happens. This one keeps silent: odds need no words."""

    def combat(self, mission: Mission) -> None:
        """Air combat begins."""

    def shot(self, shooter: str, target: Flier, value: int, first: int, second: int, fate: str, rule: str) -> None:
        """Somebody fired at a flier. ``second`` is 0 where there was no second die."""

    def decides(self, shooter: Flier) -> bool:
        """Whether our opponent flies the shooter, and aims as is suggested."""
        return False

    def untouchable(self, flier: Flier) -> None:
        """There is anti-air fire, and none at this flier."""

    async def bombed(self, mission: Mission, value: int, face: int, hit: bool) -> None:
        """A bombing unit rolled."""

    def supported(self, mission: Mission, fates: Mapping[str, str], shift: int) -> None:
        """Ground support has come through, or not."""


SILENT = Display()


@lru_cache(maxsize=32)
def at_most(value: int) -> tuple[RollOutcome, ...]:
    """A die tells apart only whether it shows the value or less."""
    return summed_rolls(1, lambda face: int(face <= value))


def hit_fate(value: int, second: int) -> str:
    """[5.5(6), 5.6(2)] What a hit does: removed on a second roll of the value or less, else into the Used box."""
    return REMOVED if second <= value else USED


class Shot(NamedTuple):
    """A kind of shot: the key of its question, the rule of its first die, and that of its second."""

    key: str
    rule: str
    second: str


AIR_COMBAT = Shot("air", "5.5(5)", "5.5(6)")


ANTI_AIR = "Anti-air fire"
SIX = 6
"""The faces of the die."""


def hits_on(value: int) -> str:
    """[5.5(5), 5.6(1), 5.7(1)] What a die must show: ``hits on 1-3``."""
    return f"hits on {die_range(1, value, SIX)}"


def at(shooter: str, target: str) -> str:
    """Who fires at whom; a site or a hex has no name of its own."""
    return f"{shooter} at {target}" if shooter.startswith(ANTI_AIR) else f"{shooter} fires at {target}"


async def shoot(shot: Shot, shooter: str, value: int, target: Flier, display: Display) -> str:
    """[5.5(5), 5.6(1)] One shot: a die of at most the value hits, and a second die decides; the target's fate."""
    roll = await Roll(
        shot.key, lambda: f"{at(shooter, target.name)}: {hits_on(value)}", shot.rule, outcomes=lambda: at_most(value)
    )
    if roll[0] > value:
        display.shot(shooter, target, value, roll[0], 0, FLYING, shot.rule)
        return FLYING
    again = await Roll(
        f"{shot.key}_hit",
        lambda: f"{target.name} is hit: shot down on {die_range(1, value, SIX)}, else it goes to the Used box",
        shot.rule,
        outcomes=lambda: at_most(value),
    )
    fate = hit_fate(value, again[0])
    display.shot(shooter, target, value, roll[0], again[0], fate, shot.second)
    return fate


def targets_of(shooter: Flier, fliers: Sequence[Flier]) -> list[Flier]:
    """[5.5(3), 5.5(4)] Whom a unit may fire at: escorts and interceptors at any enemy, units on a mission only at those.

    A white silhouette is no target (ruling C-37).
    """
    enemies = [flier for flier in fliers if flier.side != shooter.side and not flier.stealth]
    return [flier for flier in enemies if not (shooter.on_mission and flier.on_mission)]


def best_target(shooter: Flier, targets: Sequence[Flier]) -> Flier:
    """What is suggested: an escort fires at the interceptor, an interceptor at the unit on the mission."""
    wanted = shooter.role == INTERCEPT
    return next((flier for flier in targets if flier.on_mission == wanted), targets[0])


async def choose_target(shooter: Flier, targets: Sequence[Flier], display: Display = SILENT) -> Flier:
    """[5.5(3)] The shooter's player names the target, where there are several."""
    if len(targets) == 1 or display.decides(shooter):
        return best_target(shooter, targets)
    choices = [Choice(flier.name, flier.name, f"{flier.role}, air combat {flier.air}") for flier in targets]
    chosen = await Choose(
        "aim",
        lambda: f"At whom does {shooter.name} fire? (air combat {shooter.air})",
        "5.5(3)",
        choices,
        best_target(shooter, targets).name,
    )
    return next(flier for flier in targets if flier.name == chosen)


def worse(one: str, two: str) -> str:
    """The worse of two fates."""
    order = (FLYING, USED, REMOVED)
    return max(one, two, key=order.index)


async def air_combat(mission: Mission, display: Display = SILENT) -> dict[str, str]:
    """[5.5] Everybody fires once [5.5(9)], in order of air combat value from the highest [5.5(1)]; equal values at the same
    time [5.5(2)].

    Returns the fate of each flier by name. Who has been hit by a higher value neither fires [5.5(8)] nor is fired at any
    more [5.5(7)].
    """
    fliers = mission.fliers
    fates = {flier.name: FLYING for flier in fliers}
    if not any(flier.air and targets_of(flier, fliers) for flier in fliers):
        return fates
    display.combat(mission)
    for value in sorted({flier.air for flier in fliers if flier.air > 0}, reverse=True):
        left = [flier for flier in fliers if fates[flier.name] == FLYING]
        shooters = sorted((flier for flier in left if flier.air == value), key=lambda flier: flier.side != IRAQ)
        aims: list[tuple[Flier, Flier]] = []
        for shooter in shooters:  # [5.5(2)] Iraq names its targets first
            targets = targets_of(shooter, left)
            if targets:
                aims.append((shooter, await choose_target(shooter, targets, display)))
        hits: list[tuple[str, str]] = []
        for shooter, target in aims:
            hits.append((target.name, await shoot(AIR_COMBAT, shooter.name, value, target, display)))
        for name, fate in hits:
            fates[name] = worse(fates[name], fate)
    return fates


async def anti_air(flier: Flier, display: Display = SILENT) -> str:
    """[5.6, 5.6(3)] Anti-air fire at a unit on a mission, never at a white silhouette [2.3.2, 2.5.3, 5.6.1(1)]; after
    the first hit nobody fires at it any more [6.3(5)] (ruling C-6).
    """
    if flier.stealth and flier.shots:
        display.untouchable(flier)
        return FLYING
    for number, value in enumerate(flier.shots, 1):
        who = ANTI_AIR if len(flier.shots) == 1 else f"{ANTI_AIR} {number} of {len(flier.shots)}"
        fate = await shoot(Shot("aa", flier.fire_rule, "5.6(2)"), who, value, flier, display)
        if fate != FLYING:
            return fate
    return FLYING


def bombing_value(printed: int, city: bool) -> int:
    """[5.7(3)] The bombing value, halved with fractions dropped in Baghdad, Basra and Mosul."""
    return printed // 2 if city else printed


async def drop_bombs(mission: Mission, display: Display = SILENT) -> bool:
    """[5.7(1)] One die of at most the bombing value hits; there is no second one."""
    name, value = mission.fliers[0].name, mission.fliers[0].worth
    roll = await Roll("bomb", lambda: f"{name} bombs {mission.what}: {hits_on(value)}", "5.7(1)", outcomes=lambda: at_most(value))
    hit = roll[0] <= value
    await display.bombed(mission, value, roll[0], hit)
    return hit


async def air_combats(missions: Sequence[Mission], display: Display, joined: bool) -> list[dict[str, str]]:
    """[5.5] The fates by name for each mission: one air combat for each separate target, in which all groups that are met there
    take part, unless the missions are not ``joined`` (ruling C-47).
    """
    fates: list[dict[str, str]] = []
    for at, mission in enumerate(missions):
        alike = [one for one in missions if joined and one.what == mission.what and _is_met(one) and _is_met(mission)]
        first = missions.index(alike[0]) if alike else at
        together = mission._replace(fliers=tuple(flier for one in alike or [mission] for flier in one.fliers))
        fates.append(fates[first] if first < at else await air_combat(together, display))
    return fates


def _is_met(mission: Mission) -> bool:
    """Whether enemies have come for it."""
    return len({flier.side for flier in mission.fliers}) > 1


async def fly(missions: Sequence[Mission], display: Display = SILENT, joined: bool = True) -> list[Flown]:
    """[5.2(3), 5.2(4), 5.2(5)] All air combats, then all anti-air fire, then who is left does what he came for [5.6(4)]
    (ruling C-5).
    """
    ends = await air_combats(missions, display, joined)
    for mission, fates in zip(missions, ends, strict=True):
        for flier in mission.fliers:
            if flier.on_mission and fates[flier.name] == FLYING:
                fates[flier.name] = await anti_air(flier, display)
    return [await _arrive(mission, fates, display) for mission, fates in zip(missions, ends, strict=True)]


async def _arrive(mission: Mission, fates: Mapping[str, str], display: Display) -> Flown:
    """[5.2(5)] Bombs [5.7], or columns of ground support: the difference where both sides give some [13.3(2), 13.3(2-1)], and
    none by who was hit [13.3(2-3)].
    """
    lead = mission.fliers[0]
    shift = sum(flier.worth for flier in mission.fliers if flier.role == SUPPORT and fates[flier.name] == FLYING)
    done = fates[lead.name] == FLYING
    if lead.role == BOMBING:
        done = done and await drop_bombs(mission, display)
    elif lead.role != DROP:
        display.supported(mission, fates, shift)
    return Flown(tuple(fates[flier.name] for flier in mission.fliers), done, shift)
