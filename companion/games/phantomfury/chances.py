"""Exact odds of Phantom Fury, from the procedures that resolve it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.core.odds import Ended, Onward, distribution, settle
from companion.core.position import Piece
from companion.core.referee import Referee
from companion.core.requests import Odds
from companion.games.phantomfury.counters import SUSPECT, sides
from companion.games.phantomfury.defence import Entry, meet
from companion.games.phantomfury.melee import (
    Outcomes,
    assault_one,
    clash,
    flood_order,
    may_flood,
    unmask,
)
from companion.games.phantomfury.scene import TOP_DOWN, Enemy, Field, Scene
from companion.games.phantomfury.sniper import Street, in_street
from companion.games.phantomfury.town import location_of, zone_of

Rows = tuple[tuple[str, float], ...]
Cup = tuple[tuple[str, int], ...]
_NO_COUNTER = "G9/M9"
"""Stands in a cup that holds no counter to swap a unit for."""


class Paper(Field):
    """Where nothing is moved; explosives are used as it was decided beforehand."""

    def __init__(self, explosives: bool = False) -> None:
        self.with_explosives = explosives

    async def explosives(self, scene: Scene, kind: str, fresh: bool) -> bool:
        return self.with_explosives


def squad_fate(before: Scene, after: Scene) -> str:
    """What became of the squad: ``eliminated``, ``reduced``, ``CAAT lost``, ``Pinned`` or ``unharmed``."""
    if not after.squad.steps:
        return "eliminated"
    if after.squad.steps < before.squad.steps:
        return "reduced"
    if before.squad.caat and not after.squad.caat:
        return "CAAT lost"
    return "Pinned" if after.squad.pinned and not before.squad.pinned else "unharmed"


def _sum(results: dict[Any, float], label: Any) -> Rows:
    found: dict[str, float] = {}
    for result, chance in results.items():
        found[label(result)] = found.get(label(result), 0.0) + chance
    return tuple(sorted(found.items(), key=lambda item: -item[1]))


def assault_results(game: Referee, scene: Scene, kind: str, explosives: bool = False) -> dict[tuple[str, str], float]:
    """The distribution of (what becomes of the Location, what becomes of the squad) of one Assault.

    The Location is ``taken`` (the enemy eliminated, or nobody there), ``left`` by Guerillas, or ``held``.
    """

    async def play() -> tuple[str, str]:
        out = await assault_one(game, scene, kind, Paper(explosives))
        fate = squad_fate(scene, out.scene)
        return ("clear" if out.empty else "held"), fate

    return distribution(play)


def assault_odds(game: Referee, scene: Scene, kind: str, explosives: bool = False) -> Odds:
    """One Assault: the Location cleared, and what becomes of the squad."""
    results = assault_results(game, scene, kind, explosives)
    title = f"{kind.title()} Assault{' with explosives' if explosives else ''}"
    return Odds(
        title,
        "13.4",
        (
            ("The enemy's Location is", _sum(results, lambda one: one[0])),
            ("The squad is", _sum(results, lambda one: one[1])),
        ),
        (),
        _notes(scene),
    )


def _notes(scene: Scene) -> tuple[str, ...]:
    notes = ["clear: eliminated, gone or retreated."] if scene.escape else ["Guerillas are taken to find no way out."]
    return (*notes, *(["A Step Loss is taken by a full squad before its CAAT."] if scene.squad.caat else []))


def explosives_odds(game: Referee, scene: Scene, kind: str, fresh: bool) -> Odds:
    """[13.7.1] Both ways, against the unit that is there."""

    def rows(use: bool) -> Rows:
        async def play() -> tuple[str, str]:
            out = await clash(game, scene, kind, fresh, use, Paper(use))
            return ("clear" if out.empty else "held"), squad_fate(scene, out.scene)

        results = distribution(play)
        return (*_sum(results, lambda one: one[0]), *_sum(results, lambda one: f"squad {one[1]}"))

    return Odds("Explosives", "13.7.1", (("Without", rows(False)), ("With explosives", rows(True))), (), _notes(scene))


def targets_odds(game: Any, squad: Piece, able: Sequence[Piece]) -> Odds:
    """Each target that a squad could Assault, without and with explosives."""
    from companion.games.phantomfury.assault import assault_type
    from companion.games.phantomfury.ontable import scene

    sections = []
    for one in able:
        kind = assault_type(squad.place, one.place)
        now = scene(game, squad, [one])
        for use in (False, True) if squad.mark("explosives") else (False,):
            results = assault_results(game, now, kind, use)
            head = f"{one.place}, {kind}{', with explosives' if use else ''}"
            sections.append((head, (*_sum(results, lambda r: r[0]), *_sum(results, lambda r: f"squad {r[1]}"))))
    return Odds(f"Assaults of {squad.name}", "13.4", tuple(sections), (), ("clear: eliminated, gone or retreated.",))


# -- Flooding ----------------------------------------------------------------------------------------------------------


class Flooding:
    """Flooding on paper, Assault by Assault; each state and each clash is worked out once."""

    def __init__(self, game: Referee, whole: Scene) -> None:
        self.game = game
        self.whole = whole
        self._states: dict[Scene, dict[tuple[str, str], float]] = {}
        self._clashes: dict[tuple[Scene, bool], dict[Outcomes, float]] = {}

    def results(self, scene: Scene) -> dict[tuple[str, str], float]:
        """The distribution of (Zone, squad) from a scene in which the squad can flood."""
        if scene not in self._states:
            found: dict[tuple[str, str], float] = {}
            for out, chance in self._assaults(scene).items():
                if out.empty and may_flood(out.scene):
                    ends = self.results(out.scene)
                else:
                    clear = out.empty and not out.scene.enemies
                    ends = {("cleared" if clear else "not cleared", squad_fate(self.whole, out.scene)): 1.0}
                for end, share in ends.items():
                    found[end] = found.get(end, 0.0) + chance * share
            self._states[scene] = found
        return self._states[scene]

    def _assaults(self, scene: Scene) -> dict[Outcomes, float]:
        """What the next Assault leaves: Activation first, then the clash with what turned up."""
        if scene.enemies[0].kind != SUSPECT:
            return self._clash(scene, False)
        found: dict[Outcomes, float] = {}
        for met, chance in distribution(lambda: unmask(self.game, scene, Paper())).items():
            ended = met.empty or not met.scene.squad.steps or met.scene.squad.pinned
            for out, share in ({met: 1.0} if ended else self._clash(met.scene, True)).items():
                found[out] = found.get(out, 0.0) + chance * share
        return found

    def _clash(self, scene: Scene, fresh: bool) -> dict[Outcomes, float]:
        """A clash looks at one enemy, and into the cup for one counter to swap it for: the rest is put back afterwards."""
        enemy = scene.enemies[0]
        spare = [name for name, _ in scene.cup if sides(name)[enemy.kind] == enemy.cf - 1][:1] or [_NO_COUNTER]
        cup = ((spare[0], 1),) if scene.cup else ()
        bare = scene._replace(enemies=(enemy,), cup=cup)
        key = bare, fresh
        if key not in self._clashes:
            self._clashes[key] = distribution(lambda: clash(self.game, bare, TOP_DOWN, fresh, False, Paper()))
        return {self._whole(scene, cup, out): chance for out, chance in self._clashes[key].items()}

    def _whole(self, scene: Scene, cup: Cup, out: Outcomes) -> Outcomes:
        counts = dict(scene.cup)
        for name, number in cup:
            counts[name] = counts.get(name, 0) - number
        for name, number in out.scene.cup:
            counts[name] = counts.get(name, 0) + number
        back = tuple((name, number) for name, number in sorted(counts.items()) if number > 0 and name != _NO_COUNTER)
        return out._replace(scene=out.scene._replace(enemies=(*out.scene.enemies, *scene.enemies[1:]), cup=back))


def flood_results(game: Referee, scene: Scene) -> dict[tuple[str, str], float]:
    """The distribution of (Zone, squad) of Flooding to its end. Nothing is left to the player."""
    if not may_flood(scene):
        return {("not cleared", "unharmed"): 1.0}
    return Flooding(game, scene).results(scene)


def flood_odds(game: Referee, scene: Scene) -> Odds:
    """[13.4.8] Flooding to its end: Zone cleared, squad reduced, squad lost."""
    results = flood_results(game, scene)
    return Odds(
        "Flooding to its end",
        "13.4.8",
        (
            ("The Zone is", _sum(results, lambda one: one[0])),
            ("The squad is", _sum(results, lambda one: one[1])),
        ),
        (),
        ("Guerillas that survive are taken to find a way out." if scene.escape else "Guerillas find no way out.",),
    )


def in_order(enemies: Sequence[tuple[str, Enemy]]) -> tuple[Enemy, ...]:
    """Enemies with their Locations, in the order in which they are flooded."""
    left = list(enemies)
    found = []
    for location in flood_order(one for one, _ in enemies):
        at = next(one for one in left if one[0] == location)
        left.remove(at)
        found.append(at[1])
    return tuple(found)


# -- entering a Zone ---------------------------------------------------------------------------------------------------


def entry_results(game: Referee, scene: Scene, entry: Entry) -> dict[str, float]:
    """[12.7] What becomes of a squad that enters Open Ground or a Courtyard under Defensive Fire."""
    whole = scene

    async def play(state: Scene) -> Onward | Ended:
        after, there = await meet(game, state, entry, Paper())
        rest = after.fled() if there else after
        if rest.enemies and rest.squad.steps:
            return Onward(rest)
        return Ended(entry_fate(whole, rest))

    if not scene.enemies:
        return {"unharmed": 1.0}
    found: dict[str, float] = {}
    for (fate, _), chance in settle(scene, play).items():
        found[fate] = found.get(fate, 0.0) + chance
    return found


def entry_fate(before: Scene, after: Scene) -> str:
    """Losses first, and whether it is Pinned as well."""
    fate = squad_fate(before, after._replace(squad=after.squad._replace(pinned=before.squad.pinned)))
    pinned = after.squad.pinned and after.squad.steps > 0
    return fate if not pinned else "Pinned" if fate == "unharmed" else f"{fate} and Pinned"


def entry_odds(game: Referee, scene: Scene, entry: Entry) -> Odds:
    """Defensive Fire on entering."""
    results = entry_results(game, scene, entry)
    return Odds("Defensive Fire on entering", "12.7", (("The squad is", _sum(results, str)),))


def crossing_results(street: Street) -> dict[tuple[bool, bool], float]:
    """[11.4.2] The distribution of (Step Loss, Pinned) in a street."""

    async def play() -> tuple[bool, bool]:
        loss, pinned, _ = await in_street(street)
        return loss, pinned

    return distribution(play)


def crossing_rows(street: Street) -> Rows:
    """The results of a crossing in words."""
    words = {
        (False, False): "unharmed",
        (True, False): "Step Loss",
        (False, True): "Pinned",
        (True, True): "Step Loss and Pinned",
    }
    return _sum(dict(crossing_results(street)), lambda one: words[one])


def ways_odds(game: Any, squad: Piece) -> Odds:
    """For each street and each Courtyard or Open Ground within reach: what the squad risks there."""
    from companion.games.phantomfury.ontable import scene
    from companion.games.phantomfury.paths import reachable
    from companion.games.phantomfury.referee import controlled, enemies_in
    from companion.games.phantomfury.town import street

    sections: list[tuple[str, Rows]] = []
    town = game.town
    for name in dict.fromkeys(one for where in [squad.place, *reachable(game, squad)] for one in town.streets_at(where)):
        zones = town.sections[name].zones
        enemies = [one for zone in zones for one in enemies_in(game.position, zone)]
        suspects = sum(one.kind == "suspect" for one in enemies)
        met = Street(len(enemies) - suspects, suspects, game.tank_in(street(name)) is not None)
        sections.append((f"Crossing street {name}", crossing_rows(met)))
    for where in reachable(game, squad):
        zone = zone_of(where)
        foes = sorted(enemies_in(game.position, zone), key=lambda one: one.kind == "suspect")
        if location_of(where) in ("C", "OG") and foes and not controlled(game.position, zone):
            results = entry_results(game, scene(game, squad, foes), Entry(location_of(where)))
            sections.append((f"Entering {where}", _sum(results, str)))
    return Odds(f"Ways of {squad.name}", "12.5", tuple(sections), (), ("Without a Security Element.",))
