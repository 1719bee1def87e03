"""[13.4.8] Exact odds of Flooding to its end. Equal states are merged after each part of the procedure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from companion.core.odds import distribution
from companion.core.procedures import AnyProcedure
from companion.games.phantomfury.names import SUSPECT
from companion.games.phantomfury.referee import Fury
from companion.games.phantomfury.rules.r13_melee import (
    Aim,
    Outcomes,
    Swing,
    aim,
    assault_one,
    events,
    flooding_over,
    may_flood,
    must_flood,
    resolve,
    results,
    reveal,
    spare,
    struck,
    throw,
)
from companion.games.phantomfury.rules.r13_scene import TOP_DOWN, Cup, Enemy, Scene, Stage, added, weights
from companion.games.phantomfury.words.counters import GUERILLAS, MARTYRS


def squad_fate(before: Scene, after: Scene) -> str:
    """What happened to the squad: ``eliminated``, ``reduced``, ``CAAT lost``, ``Pinned`` or ``unharmed``."""
    if not after.squad.steps:
        return "eliminated"
    if after.squad.steps < before.squad.steps:
        return "reduced"
    if before.squad.caat and not after.squad.caat:
        return "CAAT lost"
    return "Pinned" if after.squad.pinned and not before.squad.pinned else "unharmed"


class _Flooding:
    """The parts of Flooding, cached by what each part depends on."""

    def __init__(self, referee: Fury, whole: Scene) -> None:
        self.referee = referee
        self.whole = whole
        self.silent = Stage()
        self._known: dict[Hashable, list[tuple[Any, float]]] = {}
        self._out: dict[Scene, list[tuple[Outcomes, float]]] = {}

    def _once(self, part: Callable[..., AnyProcedure], *seen: Hashable) -> list[tuple[Any, float]]:
        results_list = self._known.get((part, seen))
        if results_list is None:
            results_list = self._known[part, seen] = list(distribution(partial(part, *seen)).items())
        return results_list

    def met(self, state: Scene, cup: Cup | None) -> list[tuple[Scene, float]]:
        """[13.4.1] The enemy in front after its Activation, with the cup."""
        if state.enemies[0].kind != SUSPECT:
            return [(state._replace(cup=cup), 1.0)]
        return self._once(reveal, self.referee, self.whole._replace(enemies=state.enemies[:1], cup=cup), self.silent)

    def out(self, front: Scene) -> list[tuple[Outcomes, float]]:
        """[13.4.2] The outcomes against the enemy in front."""
        if front not in self._out:
            unit = front.enemies[0].kind in (GUERILLAS, MARTYRS)
            self._out[front] = self._clash(front) if unit else self._once(resolve, self.referee, front, TOP_DOWN, self.silent)
        return self._out[front]

    def _clash(self, front: Scene) -> list[tuple[Outcomes, float]]:
        """The outcomes of a clash; dice that cause the same Event, or hit alike, are merged."""
        outcomes: dict[Outcomes, float] = defaultdict(float)
        referee, silent, goal = self.referee, self.silent, self._aim(Swing(front))
        thrown: dict[tuple[int, ...], list[tuple[tuple[int, ...], float]]] = defaultdict(list)
        for roll, share in self._once(throw, goal, TOP_DOWN, front.enemies[0].kind):
            thrown[tuple([face and 9 for face in roll])].append((roll, share))
        for zeros, rolls in thrown.items():
            for swing, chance in self._once(events, referee, front, zeros, silent):
                after = swing._replace(extra=0)  # it has had its effect on the dice
                for dice, share in self._alike(swing, rolls).items():
                    for out, rest in self._once(results, referee, after, TOP_DOWN, False, dice, silent):
                        outcomes[out] += share * chance * rest
        return list(outcomes.items())

    def _alike(self, swing: Swing, rolls: Sequence[tuple[tuple[int, ...], float]]) -> dict[tuple[int, ...], float]:
        """Dice that represent those rolled by their hits, each with its chance; empty if Events leave nothing to resolve."""
        if swing.over:
            return {(): sum(share for _, share in rolls)}
        chances: dict[tuple[int, ...], float] = defaultdict(float)
        goal = self._aim(swing)
        for roll, share in rolls:
            chances[tuple([0 if hit else 9 for hit in struck(goal, roll, swing.drugged)])] += share
        return chances

    def _aim(self, swing: Swing) -> Aim:
        return aim(swing.scene, weights(self.referee, swing.scene, TOP_DOWN, False), False, swing.extra)


class _Behind(NamedTuple):
    """What a clash does not depend on: the whole cup, and which counters are involved."""

    cup: Cup | None
    own: str
    spare: str
    chance: float

    def after(self, own: int, spare: int) -> Cup | None:
        """The cup with the counts of both counters changed."""
        return added(added(self.cup, self.spare, spare) if spare else self.cup, self.own, own)


def _front(state: Scene, enemy: Enemy, swap: str, cup: Cup | None) -> Scene:
    """The scene that a clash depends on: the enemy in front and, in the cup, one counter to swap it for, by placeholder names."""
    seen = None if cup is None else ((_stand_in(enemy.cf - 1), 1),) if swap else ()
    return state._replace(enemies=(enemy._replace(name=_stand_in(enemy.cf) if enemy.name else ""),), cup=seen)


def _stand_in(cf: int) -> str:
    return f"G{cf}/M{cf}"


def _moves(front: Scene, out: Scene) -> tuple[int, int]:
    """The changes of the cup in a clash: of the unit's own counter, and of the one to swap it for."""
    enemy, seen, left = front.enemies[0], dict(front.cup or ()), dict(out.cup or ())
    own, swap = _stand_in(enemy.cf), _stand_in(enemy.cf - 1)
    return left.get(own, 0), left.get(swap, 0) - seen.get(swap, 0)


def flood_results(referee: Fury, whole: Scene) -> dict[tuple[str, str], float]:
    """The distribution of (Zone, squad) after Flooding to its end. Leaves no decision to the player."""
    return _flooded(referee, whole, {whole: 1.0}) if may_flood(whole) else {("not cleared", "unharmed"): 1.0}


def descent_results(referee: Fury, whole: Scene, explosives: bool) -> dict[tuple[str, str], float]:
    """[13.4.7.2] The distribution of (Zone, squad) after a Top-Down Assault from the roof and the Flooding that a full squad
    must carry out afterwards; a squad reduced by then stops.
    """
    ends: dict[tuple[str, str], float] = defaultdict(float)
    begun: dict[Scene, float] = defaultdict(float)
    for out, chance in distribution(lambda: assault_one(referee, whole, TOP_DOWN, Stage(explosives))).items():
        if flooding_over(out) or not must_flood(out.scene):
            ends[_end(whole, out)] += chance
        else:
            begun[out.scene] += chance
    for end, chance in _flooded(referee, whole, begun).items():
        ends[end] += chance
    return dict(ends)


def _end(whole: Scene, out: Outcomes) -> tuple[str, str]:
    clear = out.empty and not out.scene.enemies and not out.scene.apart
    return "cleared" if clear else "not cleared", squad_fate(whole, out.scene)


def _flooded(referee: Fury, whole: Scene, begun: Mapping[Scene, float]) -> dict[tuple[str, str], float]:
    """Flood from scenes with the same enemies left, each with its chance."""
    ends: dict[tuple[str, str], float] = defaultdict(float)
    parts = _Flooding(referee, whole)
    wave: dict[Scene, dict[Cup | None, float]] = defaultdict(lambda: defaultdict(float))
    for start, chance in begun.items():
        wave[start._replace(cup=None)][start.cup] += chance
    left = next(iter(begun)).enemies if begun else ()
    for number in range(1, len(left) + 1):
        fronts = _fronts(parts, wave)
        wave = defaultdict(lambda: defaultdict(float))
        for front, behind in fronts.items():
            mass = sum(rest.chance for rest in behind)
            for out, chance in parts.out(front):
                after = out.scene._replace(enemies=out.scene.enemies + left[number:], cup=None)
                if flooding_over(Outcomes(after, out.empty)):
                    ends[_end(whole, Outcomes(after, out.empty))] += chance * mass
                    continue
                cups, moves = wave[after], _moves(front, out.scene)
                for rest in behind:
                    cups[rest.after(*moves)] += chance * rest.chance
    return dict(ends)


def _fronts(parts: _Flooding, wave: Mapping[Scene, Mapping[Cup | None, float]]) -> dict[Scene, list[_Behind]]:
    """Activate the enemy in front in each scene; scenes that a clash cannot distinguish are grouped."""
    fronts: dict[Scene, list[_Behind]] = defaultdict(list)
    for state, cups in wave.items():
        alike: dict[Hashable, list[_Behind]] = {}
        for cup, mass in cups.items():
            for met, chance in parts.met(state, cup):
                enemy, after = met.enemies[0], met.cup
                swap = spare(after, enemy)
                key = enemy.kind, enemy.cf, bool(swap)
                if key not in alike:
                    alike[key] = fronts[_front(state, enemy, swap, after)]
                alike[key].append(_Behind(after, enemy.name, swap, mass * chance))
    return fronts
