"""[13.0 - 13.6] The Assault as a value: scene, stage, modifiers, resolution, Flooding, retreat."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from companion.core.requests import Draw, LazyText
from companion.games.phantomfury.referee import Fury
from companion.games.phantomfury.rules.r03_die import Lines, modifiers
from companion.games.phantomfury.words.counters import GUERILLAS, MARTYRS, Fighter
from companion.games.phantomfury.words.locations import family
from companion.games.phantomfury.words.town import location_of, zone_of

TOP_DOWN = "top-down"
BOTTOM_UP = "bottom-up"
NORMAL = "normal"
TYPES = (NORMAL, TOP_DOWN, BOTTOM_UP)
EXPLOSIVES_CF = 8

Cup = tuple[tuple[str, int], ...]
"""The Insurgents cup, as (name, number)."""


class Enemy(NamedTuple):
    """A Suspect, or an Insurgents unit. A Suspect just Activated may also be a Dummy or an IED.

    Attributes:
        name: Its counter, if known.
        fresh: It was a Suspect until now.
    """

    kind: str
    cf: int = 0
    name: str = ""
    fresh: bool = False


class Scene(NamedTuple):
    """Everything that an Assault depends on.

    Attributes:
        squad: The squad.
        enemies: The enemies in this Zone to be met, the next one first.
        fortified: The Zone is Fortified.
        mosque: It is Zone 26.
        fury, fanatic: The Events are in effect here.
        kept: A Security Element is in the Zone, so that Guerillas cannot retreat [13.6.4].
        quiet: A No Insurgents Event marker is there.
        ways: The chance that Guerillas find a way out, for the first that must retreat, the second, and so on; the last one
        is repeated.
        plain: No modifiers, as in a Counter-attack [9.4].
        both: Explosives cancel the modifiers of both dice (ruling C-13).
        cup: The Insurgents cup; None if unknown.
        apart: There are other enemies in the Zone that the squad does not meet [13.4.8.1].
    """

    squad: Fighter
    enemies: tuple[Enemy, ...]
    fortified: bool = False
    mosque: bool = False
    fury: bool = False
    fanatic: bool = False
    kept: bool = False
    quiet: bool = False
    ways: tuple[float, ...] = (1.0,)
    plain: bool = False
    both: bool = False
    cup: Cup | None = None
    apart: bool = False

    def rest(self) -> Scene:
        """Without the first enemy; its counter returns to the cup [5.2.1]."""
        return self._replace(enemies=self.enemies[1:], cup=added(self.cup, self.enemies[0].name, 1))

    def past(self) -> Scene:
        """With the next enemy in front; the first one stays where it is."""
        return self._replace(enemies=self.enemies[1:])

    def fled(self) -> Scene:
        """Without the first enemy, which is now in another Zone or off the map."""
        return self.past()._replace(ways=self.ways[1:] or self.ways)

    def first(self, enemy: Enemy) -> Scene:
        return self._replace(enemies=(enemy, *self.enemies[1:]))

    def with_squad(self, squad: Fighter) -> Scene:
        return self._replace(squad=squad)


@lru_cache(maxsize=4096)
def added(cup: Cup | None, name: str, by: int) -> Cup | None:
    """The cup with more or fewer counters of a name; unchanged for an unknown counter."""
    if not name or cup is None:
        return cup
    counts = dict(cup)
    counts[name] = counts.get(name, 0) + by
    return tuple((counter, count) for counter, count in sorted(counts.items()) if count > 0)


class Stage:
    """Effects of an Assault. This base class is silent: it says and moves nothing, chance decides retreats, and the use of
    explosives is decided beforehand.
    """

    at = ""
    """The place of the enemy in front, as a suffix in questions."""

    def __init__(self, explosives: bool = False) -> None:
        self.armed = explosives

    def say(self, text: LazyText, rule: str, *because: LazyText) -> None:
        """Say one line of explanation, with its reasons."""

    async def explosives(self, scene: Scene, kind: str) -> bool:
        """[13.7.1] Whether explosives are used."""
        return self.armed

    async def drawn(self, name: str, kind: str, rule: str, face: int) -> None:
        """A Suspect turned out to be this unit."""

    async def gone(self, rule: str, why: str) -> None:
        """A Suspect was removed."""

    async def weakened(self, cf: int, rule: str, why: str) -> None:
        """The unit is swapped for one of the same type with this CF, if there is one (ruling C-57)."""

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
        """[13.6] Whether the Guerillas leave the Zone."""
        way = round(scene.ways[0] * _PARTS)
        if way in (0, _PARTS):
            return way == _PARTS
        return await Draw("way", "a way out", "13.6.2", "", {"open": way, "closed": _PARTS - way}) == "open"


_PARTS = 10**12

# -- type and modifiers ---------------------------------------------------------------------------------------------------------


def assault_type(start: str, target: str) -> str:
    """[13.1 - 13.3] Top-Down, Bottom-Up or Normal, by the two Locations."""
    step = family(location_of(start)), family(location_of(target))
    if zone_of(start) != zone_of(target):
        return NORMAL
    if step in (("R", "2"), ("2", "1")):
        return TOP_DOWN
    return BOTTOM_UP if step in (("1", "2"), ("2", "R")) else NORMAL


def comes_down(start: str, where: str) -> bool:
    """[13.4.7.2] True if Flooding may follow: a Top-Down Assault from the roof."""
    return assault_type(start, where) == TOP_DOWN and family(location_of(start)) == "R"


class Weights(NamedTuple):
    """The modifiers of the squad's die, and of the Insurgents' die if their unit is eliminated and if it is not."""

    squad: Lines
    fallen: Lines
    standing: Lines


def weights(referee: Fury, scene: Scene, kind: str, explosives: bool) -> Weights:
    """[13.4.4 - 13.4.6, 13.7.1] The modifiers of an Assault; explosives cancel those of the squad, or of both dice (ruling
    C-13).
    """
    enemy = scene.enemies[0]
    kind = "" if scene.plain or (explosives and scene.both) else kind.replace("-", "_")
    squad = (
        kind,
        "suspect" if enemy.fresh else "",
        "martyrs" if enemy.kind == MARTYRS else "",
        "fortified" if enemy.kind == GUERILLAS and scene.fortified else "",
        "fury" if scene.fury and not scene.squad.iif else "",
    )
    unit = ("fanaticism",) if scene.fanatic and kind else ()
    ours = () if explosives or scene.plain else squad
    return referee.once(("weights", ours, unit, kind), lambda: _weights(referee, ours, unit, kind))


def _weights(referee: Fury, squad: tuple[str, ...], unit: tuple[str, ...], kind: str) -> Weights:
    chart = "assault_modifiers"
    return Weights(
        modifiers(referee, chart, "squad", *squad),
        modifiers(referee, chart, "insurgents", *unit),
        modifiers(referee, chart, "insurgents", kind, *unit),
    )
