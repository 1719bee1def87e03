"""Chances that the captain reckons with: the exact odds of the rules, each worked out once for all that is alike."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from companion.core.position import Position
from companion.games.phantomfury.captain.worth import ELIMINATION, PIN, REDUCTION, STUCK
from companion.games.phantomfury.notation.counters import Fighter, sides
from companion.games.phantomfury.odds import assault_results, descent_results, entry_results, hit_chance, missions_results
from companion.games.phantomfury.referee import Fury
from companion.games.phantomfury.rules.r11_shots import Shot, Street, crossing_results
from companion.games.phantomfury.rules.r12_defence import Entry
from companion.games.phantomfury.rules.r13_combat import Cup, Scene
from companion.games.phantomfury.state import INSURGENT

T = TypeVar("T")
TYPICAL = 3
"""Counters that stand for the whole mix in a cup: of three thirds of it, by their CF, the middle ones."""

BOARDS, NEAR, KNOWN = 8, 512, 16_384
"""Boards of which is kept what has been looked up, how often what is near a squad, and how many odds."""


class Fate(NamedTuple):
    """What is to be expected of an Assault, of Flooding, of entering a Zone, or of crossing a street.

    Attributes:
        good: the chance that the Location (by Flooding: the Zone) is cleared; that the squad can go on.
        loss: the chance of a Step Loss, or of more.
        cost: what the squad suffers, in VP, on the average.
        force: what is lost of the squad on the average, for all the turns to go: 1 is a squad.
    """

    good: float
    loss: float
    cost: float
    force: float


def harm(squad: Fighter, fate: str, pin: float = PIN) -> float:
    """[7.2.1] What a fate costs: a squad reduced, eliminated, its CAAT lost, Pinned; an IIF squad only when it is eliminated."""
    points = {"reduced": 0.0 if squad.iif else 2.0, "CAAT lost": 2.0, "eliminated": 2.0 if squad.iif else 5.0, "Pinned": pin}
    return sum(points.get(word, 0.0) for word in fate.split(" and "))


def weakened(squad: Fighter, fate: str) -> float:
    """How much of a squad a fate costs."""
    lost = {"reduced": REDUCTION, "eliminated": ELIMINATION + (REDUCTION if squad.steps == 2 else 0.0)}
    return sum(lost.get(word, 0.0) for word in fate.split(" and "))


def doom(squad: Fighter, fate: str) -> Fate:
    """A fate that is certain."""
    return Fate(0.0, float(hurt(fate)), harm(squad, fate), weakened(squad, fate))


def hurt(fate: str) -> bool:
    """Whether a fate is a Step Loss."""
    return fate.startswith(("reduced", "CAAT", "eliminated"))


class Estimates:
    """Odds by what they depend on. Between games only what was worked out is kept."""

    def __init__(self) -> None:
        self._known: dict[Hashable, Any] = {}
        self._boards: dict[Hashable, dict[Hashable, Any]] = {}
        self._near: dict[Hashable, Any] = {}

    def alike(self, board: Hashable) -> dict[Hashable, Any]:
        """What is known of a board, to be added to; that of the last few is kept."""
        found = self._boards.get(board)
        if found is None:
            if len(self._boards) >= BOARDS:
                self._boards.clear()
            found = self._boards[board] = {}
        return found

    def once_nearby(self, where: Hashable, look: Callable[[], T]) -> T:
        """What depends on a squad and on what is near it; that of the last few hundred is kept."""
        found: T | None = self._near.get(where)
        if found is None:
            if len(self._near) >= NEAR:
                self._near.clear()
            found = self._near[where] = look()
        return found

    def _once(self, key: Hashable, work: Callable[[], Any]) -> Any:
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= KNOWN:
                self._known.clear()
            found = self._known[key] = work()
        return found

    def cup(self, position: Position) -> Cup:
        """Counters that stand for all of the game: chances change little with those that lie on the map just now."""
        names = tuple(sorted((one.name for one in position.of_kind(INSURGENT)), key=lambda name: tuple(sides(name).values())))
        return self._once(names, lambda: _typical(names))  # type: ignore[no-any-return]

    def plain(self, referee: Fury, scene: Scene) -> Scene:
        """The scene without what matters little."""
        squad = scene.squad._replace(caat=False, spent=False, pinned=False)
        enemies = tuple([one._replace(name="") for one in scene.enemies])
        return scene._replace(squad=squad, enemies=enemies, cup=self.cup(referee.position), quiet=False, apart=False)

    def assault(self, referee: Fury, scene: Scene, kind: str, explosives: bool = False) -> Fate:
        """[13.4] One Assault of the first enemy."""
        now = self.plain(referee, scene)
        return self._once(  # type: ignore[no-any-return]
            (now, kind, explosives), lambda: _fate(now.squad, assault_results(referee, now, kind, explosives), "clear")
        )

    def flood(self, referee: Fury, scene: Scene) -> Fate:
        """[13.4.7.2, 13.4.8] An Assault from the roof and the Flooding after it."""
        now = self.plain(referee, scene)
        return self._once((now, "flood"), lambda: _fate(now.squad, descent_results(referee, now, False), "cleared"))  # type: ignore[no-any-return]

    def entry(self, referee: Fury, scene: Scene, entry: Entry) -> Fate:
        """[12.7] Defensive Fire on entering; ``good``: the squad can go on."""
        now = self.plain(referee, scene)
        return self._once((now, entry), lambda: _entry(now.squad, entry_results(referee, now, entry)))  # type: ignore[no-any-return]

    def shot(self, referee: Fury, shot: Shot) -> float:
        """[11.2] The chance that a shot has its effect."""
        return self._once(shot, lambda: hit_chance(referee, shot))  # type: ignore[no-any-return]

    def mission(self, referee: Fury, which: str) -> float:
        """[9.1] The chance that a Mission comes."""
        return self._once(("mission", which), lambda: _comes(missions_results(referee, which, 1)))  # type: ignore[no-any-return]

    def crossing(self, squad: Fighter, street: Street) -> Fate:
        """[11.4.2, 12.5.3] A street: hit, the squad goes no further."""
        return self._once((squad.steps, squad.iif, street), lambda: _crossing(squad, street))  # type: ignore[no-any-return]


def _comes(results: Mapping[tuple[int, str], float]) -> float:
    return sum([chance for (done, _), chance in results.items() if done])


def _typical(names: tuple[str, ...]) -> Cup:
    places = [(2 * third + 1) * len(names) // (2 * TYPICAL) for third in range(TYPICAL)]
    found = [names[at] for at in places if at < len(names)]
    return tuple((name, found.count(name)) for name in dict.fromkeys(sorted(found)))


def _fate(squad: Fighter, results: Mapping[tuple[str, str], float], good: str) -> Fate:
    cleared = sum([chance for (what, _), chance in results.items() if what == good])
    return _toll(squad, cleared, [(fate, chance) for (_, fate), chance in results.items()])


def _entry(squad: Fighter, results: Mapping[str, float]) -> Fate:
    goes_on = sum([chance for fate, chance in results.items() if "Pinned" not in fate and fate != "eliminated"])
    return _toll(squad, goes_on, list(results.items()))


def _crossing(squad: Fighter, street: Street) -> Fate:
    lost = "reduced" if squad.steps == 2 else "eliminated"
    fates = {(True, True): f"{lost} and Pinned", (True, False): lost, (False, True): "Pinned", (False, False): ""}
    results = crossing_results(street)
    return _toll(squad, results.get((False, False), 0.0), [(fates[one], chance) for one, chance in results.items()], STUCK)


def _toll(squad: Fighter, good: float, fates: Sequence[tuple[str, float]], pin: float = PIN) -> Fate:
    """What comes of fates with their chances."""
    return Fate(
        good,
        sum([chance for fate, chance in fates if hurt(fate)]),
        sum([chance * harm(squad, fate, pin) for fate, chance in fates]),
        sum([chance * weakened(squad, fate) for fate, chance in fates]),
    )
