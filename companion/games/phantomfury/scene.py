"""[13.4] What an Assault depends on, as a small value; the Field that it is fought on; and its modifiers."""

from __future__ import annotations

from typing import NamedTuple

from companion.games.phantomfury.counters import GUERILLAS, MARTYRS

TOP_DOWN = "top-down"
BOTTOM_UP = "bottom-up"
NORMAL = "normal"
TYPES = (NORMAL, TOP_DOWN, BOTTOM_UP)
EXPLOSIVES_CF = 8


class Fighter(NamedTuple):
    """A squad: CF at full strength, Strength steps left (0: eliminated), Hero bonus, what is with it."""

    cf: int
    steps: int = 2
    hero: int = 0
    element: bool = False
    caat: bool = False
    pinned: bool = False
    iif: bool = False

    @property
    def now(self) -> int:
        """The CF as it is [5.1.1.1, 5.1.5.3, 12.3.2.2]."""
        return self.cf - int(self.steps == 1) + self.hero - int(self.element)


class Enemy(NamedTuple):
    """A Suspect, or an Insurgents unit with its CF and, where it is known, its counter."""

    kind: str
    cf: int = 0
    name: str = ""


class Scene(NamedTuple):
    """Everything that an Assault depends on.

    Attributes:
        squad: the squad.
        enemies: those to be met in this Zone, the next one first.
        fortified: the Zone is Fortified; mosque: it is Zone 26.
        fury, fanatic: the Events are in effect here.
        kept: a Security Element is in the Zone, so that Guerillas cannot retreat [13.6.4].
        quiet: a No Insurgents Event marker is there.
        escape: whether Guerillas find a way out, where nobody works it out.
        plain: without any modifier, as in a Counter-attack [9.4].
        both: explosives take the modifiers from both rolls (ruling C-13).
        cup: the Insurgents cup, as (name, number).
    """

    squad: Fighter
    enemies: tuple[Enemy, ...]
    fortified: bool = False
    mosque: bool = False
    fury: bool = False
    fanatic: bool = False
    kept: bool = False
    quiet: bool = False
    escape: bool = True
    plain: bool = False
    both: bool = False
    cup: tuple[tuple[str, int], ...] = ()

    def rest(self) -> Scene:
        """Without the first enemy; its counter is in the cup again [5.2.1]."""
        return self._replace(enemies=self.enemies[1:], cup=added(self.cup, self.enemies[0].name, 1))

    def fled(self) -> Scene:
        """Without the first enemy, which is still on the map."""
        return self._replace(enemies=self.enemies[1:])

    def first(self, enemy: Enemy) -> Scene:
        """With another first enemy."""
        return self._replace(enemies=(enemy, *self.enemies[1:]))

    def with_squad(self, squad: Fighter) -> Scene:
        """With the squad changed."""
        return self._replace(squad=squad)


def added(cup: tuple[tuple[str, int], ...], name: str, by: int) -> tuple[tuple[str, int], ...]:
    """The cup with one counter more or less of a name; nothing changes for a counter that is not known."""
    if not name:
        return cup
    counts = dict(cup)
    counts[name] = counts.get(name, 0) + by
    return tuple((one, count) for one, count in sorted(counts.items()) if count > 0)


class Field:
    """Where it is fought. This one is paper: nothing is moved, Guerillas get away as the scene says."""

    def say(self, text: str, rule: str, *because: str) -> None:
        """One line of explanation."""

    async def explosives(self, scene: Scene, kind: str, fresh: bool) -> bool:
        """[13.7.1] Whether explosives back the squad up."""
        return False

    async def drawn(self, name: str, kind: str, rule: str, face: int) -> None:
        """A Suspect turned out to be this unit."""

    async def gone(self, rule: str, why: str) -> None:
        """A Suspect was removed."""

    async def weakened(self, cf: int, rule: str, why: str) -> None:
        """The unit is swapped for one of the same type with this CF."""

    async def eliminated(self, rule: str, why: str) -> None:
        """The unit is eliminated."""

    async def hero(self, level: int) -> None:
        """A Hero appears or is honoured."""

    async def fury(self) -> None:
        """The Phantom Fury Event."""

    async def fanatic(self) -> None:
        """The Fanaticism Event."""

    async def pinned(self, rule: str, why: str) -> None:
        """The squad is Pinned."""

    async def hurt(self, who: str, rule: str, why: str) -> None:
        """``squad`` or ``caat`` takes a Step Loss."""

    async def destroyed(self, rule: str, why: str) -> None:
        """The squad is eliminated outright."""

    async def kept(self) -> None:
        """A Security Element kept Guerillas from retreating."""

    async def retreat(self, scene: Scene) -> bool:
        """[13.6] Whether the Guerillas get out of the Zone."""
        return scene.escape


Lines = tuple[tuple[str, int], ...]


def squad_modifiers(scene: Scene, kind: str, fresh: bool) -> Lines:
    """[13.4.4 - 13.4.6] What is added to the squad's die, one by one."""
    if scene.plain:
        return ()
    enemy = scene.enemies[0]
    found = [("Suspect just Activated", 1)] if fresh else []
    found += [("Martyrs", 1)] if enemy.kind == MARTYRS else []
    found += [("Guerillas in a Fortified Zone", 1)] if enemy.kind == GUERILLAS and scene.fortified else []
    found += [("Phantom Fury", -1)] if scene.fury and not scene.squad.iif else []
    found += [("Top-Down", -1)] if kind == TOP_DOWN else [("Bottom-Up", 1)] if kind == BOTTOM_UP else []
    return tuple(found)


def enemy_modifiers(scene: Scene, kind: str, survived: bool) -> Lines:
    """[13.4.4 - 13.4.6] What is added to the Insurgents' die."""
    if scene.plain:
        return ()
    found = [("Fanaticism", -1)] if scene.fanatic else []
    if survived:
        found += [("Top-Down, not eliminated", -1)] if kind == TOP_DOWN else []
        found += [("Bottom-Up, not eliminated", 1)] if kind == BOTTOM_UP else []
    return tuple(found)


def total(lines: Lines) -> int:
    """The sum of modifiers."""
    return sum(value for _, value in lines)


def shown(lines: Lines) -> str:
    """Modifiers one by one: ``+1 Martyrs, -1 Top-Down``."""
    return ", ".join(f"{value:+d} {label}" for label, value in lines) or "none"


def hits(face: int, modifier: int, cf: int) -> bool:
    """[13.4.2] A final result up to the CF, never on an unmodified 9."""
    return face != 9 and face + modifier <= cf
