"""[3.1, 13.3, 13.4] What joins two spaces, as far as it has been told or was learnt from moves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import ClassVar

from companion.core.game import Obstacle
from companion.core.position import FlagReader, Position
from companion.core.procedures import Procedure
from companion.games.fallujah2004.names import SPACE, space_flag
from companion.games.fallujah2004.referee import Fallujah, blown_bridges, ground_at
from companion.games.fallujah2004.words.spaces import (
    BASES,
    BRIDGE,
    EITHER,
    LAND,
    LINES,
    NO_ROUTE,
    NO_SPACE,
    RIVER,
    WEST_BASE,
    WEST_ENTRIES,
    between,
    crossing,
    northern,
    on_map,
    pair,
)

Steps = Sequence[tuple[str, str]]
"""From one space or base into the next."""


class Map:
    """What is known of the routes: by pairs of spaces, whether by land, by bridge, by either, by river, or not at all; and which
    phase line is the northern one, looked up once.
    """

    __slots__ = ("bridges", "position", "told")

    _latest: ClassVar[tuple[Mapping[str, str], int]] = {}, 0
    """What was told last, which nobody changes any more, with its northern phase line: a map is made anew for each question."""

    def __init__(self, told: Mapping[str, str], position: Position, bridges: frozenset[str]) -> None:
        self.told = told
        self.position = position
        self.bridges = bridges

    @property
    def north(self) -> int:
        told, found = Map._latest
        if told is not self.told:
            found = northern(self.told)
            Map._latest = self.told, found
        return found

    def route(self, one: str, other: str) -> str:
        """What joins two spaces, or "" where nobody has said."""
        return self.told.get(f"{one}/{other}") or self.told.get(f"{other}/{one}") or ""

    def joined(self, one: str, other: str) -> bool:
        """Whether they are known to be neighbours."""
        return self.route(one, other) not in ("", NO_ROUTE)

    def likely(self, one: str, other: str) -> bool:
        """Whether two spaces lie next to each other on a route or a phase line [3.1], or aslant on the MSR [13.2], or a space at
        the edge where a base is [13.4]: a slip of the pen seldom does.
        """
        if one in BASES or other in BASES:
            return self._edge(one, other) if one in BASES else self._edge(other, one)
        known = self.position.cached_from_flags(_NEAR)
        if (one, other) not in known:
            known[one, other] = self._near(one, other)
        return known[one, other]

    def _near(self, one: str, other: str) -> bool:
        (route, line), (route2, line2) = crossing(one), crossing(other)
        if route != route2 and line != line2:
            return max(abs(route - route2), abs(line - line2)) == 1 and self._all("msr", one, other)
        return all(self._lacks(space) for space in between(one, other))

    def _lacks(self, space: str) -> bool:
        return self.position.flag(space_flag(space)) == NO_SPACE

    def open(self, one: str, other: str) -> bool:
        """Whether two places are neighbours, or may be, by what is known."""
        return self.joined(one, other) or (not self.route(one, other) and self.likely(one, other))

    def _edge(self, base: str, space: str) -> bool:
        north = 0 if base in ("east base", WEST_BASE) else self.north
        known, key = self.position.cached_from_flags(_EDGES), (base, space, north)
        if key not in known:
            known[key] = self._at_edge(base, space, north)
        return known[key]

    def _at_edge(self, base: str, space: str, north: int) -> bool:
        spaces = self.position.cached_from_flags(_SPACES)
        route, line = crossing(space)
        if base in ("east base", WEST_BASE):
            beyond = [route2 - route for route2, line2 in spaces if line2 == line]
            return not any(by > 0 if base == "east base" else by < 0 for by in beyond)
        along = [line2 - line for route2, line2 in spaces if route2 == route]
        upward = 1 if (north == LINES[-1]) == (base == "north base") else -1
        return not any(by * upward > 0 for by in along) or not (north or any(by * upward < 0 for by in along))

    def wet(self, one: str, other: str) -> bool:
        """Whether a river route may join them: both have a water symbol [25.1], or one has, without a bridge, and the other is
        the West Base, which lies beyond the river [13.3].
        """
        ashore = [place for place in (one, other) if place != WEST_BASE]
        return self._all("water", *ashore) and (len(ashore) == 2 or not self._bridged(*ashore))

    def _all(self, feature: str, *places: str) -> bool:
        grounds = [ground_at(self.position, place) for place in places]
        return all(ground and feature in ground.features for ground in grounds)

    def _bridged(self, *places: str) -> bool:
        grounds = [ground_at(self.position, place) for place in places if on_map(place)]
        return bool(self.bridges.intersection(places)) or any(not ground or "bridge" in ground.features for ground in grounds)

    def blown(self, one: str, other: str) -> set[str]:
        """[14.7] The blown bridges at either end."""
        return {one, other}.intersection(blown_bridges(self.position))

    def settled(self, one: str, other: str) -> bool:
        """Whether it is known what joins them, or that nothing does; a bridge that may do so matters once it is blown [14.7]."""
        how = self.route(one, other)
        return bool(how) and not (how == EITHER and self.blown(one, other))

    def dry(self, one: str, other: str) -> str:
        """What a way must be that is no river route: by land, or by a bridge too where one stands, or may, at either end."""
        return EITHER if self._bridged(one, other) and not self.blown(one, other) else LAND


def _spaces(position: Position) -> list[tuple[int, int]]:
    """Route and phase line of every space that was told."""
    told = [flag.removeprefix(SPACE) for flag, value in position.flags.items() if flag.startswith(SPACE) and value != NO_SPACE]
    return [crossing(space) for space in told]


def _none_yet(position: Position) -> dict[tuple[str, str, int], bool]:
    return {}


def _no_pair_yet(position: Position) -> dict[tuple[str, str], bool]:
    return {}


_SPACES = FlagReader(_spaces, (SPACE,))
_EDGES = FlagReader(_none_yet, (SPACE,))
"""Whether a base is beside a space, by the northern phase line; of those that have been looked at."""
_NEAR = FlagReader(_no_pair_yet, (SPACE,))
"""Whether two spaces are likely neighbours; of those that have been looked at."""


async def known_routes(game: Fallujah) -> Map:
    """[3.1] What has been told of the routes up to now."""
    bridges = await game.known_facts("bridge", "14.7")
    return map_of(await game.known_facts("route", "13.0"), game.position, bridges.values())


def map_of(told: Mapping[str, str], position: Position, bridges: Iterable[str]) -> Map:
    """The routes as they were told, by pairs of spaces, with the spaces of the bridges."""
    return Map(told, position, frozenset(bridges))


def steps_of(start: str, path: Sequence[str]) -> Steps:
    """A way, step by step."""
    return list(pairwise((start, *path)))


def route_fault(game: Fallujah, known: Map, steps: Steps, dry: bool) -> Obstacle | None:
    """Why a way cannot be gone, by what is known: no route [13.0], or a river for those who cannot cross one [13.3].

    ``dry``: who goes there cannot cross a river.
    """
    for one, other in steps:
        how = known.route(one, other)
        where = f"{game.title(one)} and {game.title(other)}"
        if one == other:
            return Obstacle(f"{game.title(one)} is named twice in a row", "13.0", "Name the spaces that are entered, in order")
        if WEST_BASE in (one, other) and (fault := west_fault(other if one == WEST_BASE else one)):
            return fault
        if how == NO_ROUTE:
            cure = f"If one does: companion printed fallujah2004 set route:{pair(one, other)} land"
            return Obstacle(f"no route joins {where}, as you entered it", "13.0", cure)
        if dry and (how == RIVER or (how == BRIDGE and known.blown(one, other))):
            what = "a blown bridge" if how == BRIDGE else "a river route"
            text = f"{what} joins {where}: only Amtracs with their loads and SOF cross it"
            return Obstacle(text, "13.3", "Name another way, or repair the bridge: j4" if how == BRIDGE else "Name another way")
    return None


def west_fault(space: str) -> Obstacle | None:
    """[13.4] The West Base opens on certain phase lines only (ruling C-12)."""
    if not on_map(space) or crossing(space)[1] in WEST_ENTRIES:
        return None
    lines = ", ".join(map(str, WEST_ENTRIES))
    return Obstacle(f"the West Base opens on phase lines {lines}, not on {crossing(space)[1]}", "13.4")


async def may_go(game: Fallujah, known: Map, steps: Steps, dry: bool) -> bool:
    """[13.0, 13.3] What only the map shows of a way is asked once, a step that looks like a slip and a crossing of the river;
    what is answered is remembered as told and what is gone as learnt, so that no answer is suggested. False where another way
    must be named.
    """
    doubted = [step for step in steps if not known.route(*step) and not known.likely(*step)]
    for one, other in doubted:
        prompt = f"Does a route join {game.title(one)} and {game.title(other)}?"
        if not await game.confirm("joined", prompt, "13.0"):
            await _tell(game, NO_ROUTE, [(one, other)])
            game.say(f"No route joins {game.title(one)} and {game.title(other)}: name another way.", "13.0", tone="warning")
            return False
    unknown = [step for step in dict.fromkeys(steps) if not known.settled(*step)]
    for step in unknown:
        for space in filter(on_map, step if WEST_BASE in step or all(map(on_map, step)) else ()):
            await game.ground(space, "13.3")
    known = await known_routes(game)
    doubtful = [step for step in unknown if known.blown(*step) or known.wet(*step)]
    if dry and doubtful and await _crosses(game, known, doubtful):
        return False
    for step in unknown:
        if dry or step not in doubtful:
            await _remember(game.record_fact if step in doubted + doubtful else game.infer_fact, known.dry(*step), [step])
    return True


async def _crosses(game: Fallujah, known: Map, steps: Steps) -> bool:
    """[13.3] Whether a way goes by the route west of a blown bridge or by a river, so that another must be named."""
    bridges = sorted(set().union(*(known.blown(*step) for step in steps)))
    wet = [f"from {game.title(one)} to {game.title(other)}" for one, other in steps if known.wet(one, other)]
    parts = [f"the blown bridge at {' or '.join(map(game.title, bridges))}"] if bridges else []
    parts += [f"a river route {' or '.join(wet)}"] if wet else []
    if not await game.confirm("river", f"Does the move cross {', or '.join(parts)}?", "13.3"):
        return False
    told = "only Amtracs with their loads and SOF cross a river route"
    if game.anyway:
        game.forbid(told, "13.3")
        return False
    if len(steps) == 1 and not (bridges and wet):
        await _tell(game, BRIDGE if bridges else RIVER, steps)
    game.say(f"{told.capitalize()}: name another way, or stay and repair the bridge (j4).", "13.3", tone="warning")
    return True


async def learn_apart(game: Fallujah, one: str, others: Iterable[str]) -> None:
    """[28.2] These spaces are no neighbours of a space, as the player has said."""
    await _tell(game, NO_ROUTE, [(one, other) for other in others])


async def learn_joined(game: Fallujah, known: Map, one: str, other: str) -> None:
    """[28.2] Two spaces are neighbours, as the player has said; what joins them is known where no river is near."""
    if not known.wet(one, other) and not known.blown(one, other):
        await _tell(game, known.dry(one, other), [(one, other)])


async def _tell(game: Fallujah, how: str, steps: Steps) -> None:
    await _remember(game.record_fact, how, steps)


async def _remember(so: Callable[[str, str, str], Procedure[str]], how: str, steps: Steps) -> None:
    for one, other in steps:
        await so(f"route:{pair(one, other)}", how, "13.0")
