"""Exact results: the procedures of the rules, run silently over all outcomes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from operator import itemgetter

from companion.core.hints import Any
from companion.core.named_tuple import NamedTuple
from companion.core.odds import Continued, Finished, distribution, round_outcomes
from companion.core.procedures import AnyProcedure
from companion.core.requests import Odds
from companion.games.phantomfury import state
from companion.games.phantomfury.referee import FuryReferee
from companion.games.phantomfury.rules import r11_shots, r13_combat
from companion.games.phantomfury.rules.r13_combat import AssaultOutcome, AssaultType, Cup, Scene, Stage
from companion.games.phantomfury.state import Enemy

Dice = tuple[int, ...]


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

    def __init__(self, referee: FuryReferee, whole: Scene) -> None:
        self.referee = referee
        self.whole = whole
        self.silent = Stage()
        self._results: dict[Hashable, list[tuple[Any, float]]] = {}
        self._out: dict[Scene, list[tuple[AssaultOutcome, float]]] = {}

    def _once(self, part: Callable[..., AnyProcedure], *arguments: Hashable) -> list[tuple[Any, float]]:
        results = self._results.get((part, arguments))
        if results is None:
            results = self._results[part, arguments] = list(distribution(partial(part, *arguments)).items())
        return results

    def met(self, scene: Scene, cup: Cup | None) -> list[tuple[Scene, float]]:
        """[13.4.1] The enemy in front after its Activation, with the cup."""
        if scene.enemies[0].kind != state.SUSPECT:
            return [(scene._replace(cup=cup), 1.0)]
        return self._once(r13_combat.reveal, self.referee, self.whole._replace(enemies=scene.enemies[:1], cup=cup), self.silent)

    def out(self, front: Scene) -> list[tuple[AssaultOutcome, float]]:
        """[13.4.2] The outcomes against the enemy in front."""
        if front not in self._out:
            unit = front.enemies[0].kind in (state.GUERILLAS, state.MARTYRS)
            resolved = partial(self._once, r13_combat.resolve, self.referee, front, r13_combat.TOP_DOWN, self.silent)
            self._out[front] = self._clash(front) if unit else resolved()
        return self._out[front]

    def _clash(self, front: Scene) -> list[tuple[AssaultOutcome, float]]:
        """The outcomes of a clash; dice that cause the same Event, or hit alike, are merged."""
        outcomes: dict[AssaultOutcome, float] = defaultdict(float)
        referee, silent, goal = self.referee, self.silent, self._aim(r13_combat.EventEffect(front))
        thrown: dict[Dice, list[tuple[Dice, float]]] = defaultdict(list)
        for roll, share in self._once(r13_combat.roll_assault, goal, r13_combat.TOP_DOWN, front.enemies[0].kind):
            thrown[tuple([face and 9 for face in roll])].append((roll, share))
        for zeros, rolls in thrown.items():
            for swing, chance in self._once(r13_combat.events, referee, front, zeros, silent):
                after = swing._replace(extra=0)  # it has had its effect on the dice
                for dice, share in self._alike(swing, rolls).items():
                    for out, rest in self._once(r13_combat.results, referee, after, r13_combat.TOP_DOWN, False, dice, silent):
                        outcomes[out] += share * chance * rest
        return list(outcomes.items())

    def _alike(self, swing: r13_combat.EventEffect, rolls: Sequence[tuple[Dice, float]]) -> dict[Dice, float]:
        """Dice that represent those rolled by their hits, each with its chance; empty if Events leave nothing to resolve."""
        if swing.over:
            return {(): sum(share for _, share in rolls)}
        chances: dict[Dice, float] = defaultdict(float)
        goal = self._aim(swing)
        for roll, share in rolls:
            chances[tuple([0 if hit else 9 for hit in r13_combat.dice_hits(goal, roll, swing.drugged)])] += share
        return chances

    def _aim(self, swing: r13_combat.EventEffect) -> r13_combat.Thresholds:
        lines = r13_combat.assault_modifiers(self.referee, swing.scene, r13_combat.TOP_DOWN, False)
        return r13_combat.thresholds(swing.scene, lines, False, swing.extra)


class _Behind(NamedTuple):
    """What a clash does not depend on: the whole cup, and which counters are involved."""

    cup: Cup | None
    own: str
    spare: str
    chance: float

    def after(self, own: int, spare: int) -> Cup | None:
        """The cup with the counts of both counters changed."""
        return r13_combat.cup_with(r13_combat.cup_with(self.cup, self.spare, spare) if spare else self.cup, self.own, own)


def _front(scene: Scene, enemy: Enemy, swap: str, cup: Cup | None) -> Scene:
    """The scene that a clash depends on: the enemy in front and, in the cup, one counter to swap it for, by placeholder names."""
    placeholders = None if cup is None else ((_stand_in(enemy.cf - 1), 1),) if swap else ()
    return scene._replace(enemies=(enemy._replace(name=_stand_in(enemy.cf) if enemy.name else ""),), cup=placeholders)


def _stand_in(cf: int) -> str:
    return f"G{cf}/M{cf}"


def _moves(front: Scene, out: Scene) -> tuple[int, int]:
    """The changes of the cup in a clash: of the unit's own counter, and of the one to swap it for."""
    enemy, before, after = front.enemies[0], dict(front.cup or ()), dict(out.cup or ())
    own, swap = _stand_in(enemy.cf), _stand_in(enemy.cf - 1)
    return after.get(own, 0), after.get(swap, 0) - before.get(swap, 0)


def flood_results(referee: FuryReferee, whole: Scene) -> dict[tuple[str, str], float]:
    """The distribution of (Zone, squad) after Flooding to its end. Leaves no decision to the player."""
    return _flooded(referee, whole, {whole: 1.0}) if r13_combat.may_flood(whole) else {("not cleared", "unharmed"): 1.0}


def descent_results(referee: FuryReferee, whole: Scene, explosives: bool) -> dict[tuple[str, str], float]:
    """[13.4.7.2] (Zone, squad) after a Top-Down Assault from the roof and the Flooding that a full squad must then carry out."""
    ends: dict[tuple[str, str], float] = defaultdict(float)
    begun: dict[Scene, float] = defaultdict(float)
    first = distribution(lambda: r13_combat.assault_one(referee, whole, r13_combat.TOP_DOWN, Stage(explosives)))
    for out, chance in first.items():
        if r13_combat.flooding_over(out) or not r13_combat.must_flood(out.scene):
            ends[_end(whole, out)] += chance
        else:
            begun[out.scene] += chance
    for end, chance in _flooded(referee, whole, begun).items():
        ends[end] += chance
    return dict(ends)


def _end(whole: Scene, out: AssaultOutcome) -> tuple[str, str]:
    clear = out.empty and not out.scene.enemies and not out.scene.apart
    return "cleared" if clear else "not cleared", squad_fate(whole, out.scene)


def _flooded(referee: FuryReferee, whole: Scene, begun: Mapping[Scene, float]) -> dict[tuple[str, str], float]:
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
                if r13_combat.flooding_over(AssaultOutcome(after, out.empty)):
                    ends[_end(whole, AssaultOutcome(after, out.empty))] += chance * mass
                    continue
                cups, moves = wave[after], _moves(front, out.scene)
                for rest in behind:
                    cups[rest.after(*moves)] += chance * rest.chance
    return dict(ends)


def _fronts(parts: _Flooding, wave: Mapping[Scene, Mapping[Cup | None, float]]) -> dict[Scene, list[_Behind]]:
    """Activate the enemy in front in each scene; scenes that a clash cannot distinguish are grouped."""
    fronts: dict[Scene, list[_Behind]] = defaultdict(list)
    for scene, cups in wave.items():
        alike: dict[Hashable, list[_Behind]] = {}
        for cup, mass in cups.items():
            for met, chance in parts.met(scene, cup):
                enemy, after = met.enemies[0], met.cup
                swap = r13_combat.replacement(after, enemy)
                key = enemy.kind, enemy.cf, bool(swap)
                if key not in alike:
                    alike[key] = fronts[_front(scene, enemy, swap, after)]
                alike[key].append(_Behind(after, enemy.name, swap, mass * chance))
    return fronts


Rows = tuple[tuple[str, float], ...]


def labelled_rows(results: Mapping[Any, float], label: Callable[[Any], str]) -> Rows:
    """Sum results with the same label; the likeliest first."""
    by_label: dict[str, float] = defaultdict(float)
    for result, chance in results.items():
        by_label[label(result)] += chance
    return tuple(sorted(by_label.items(), key=lambda item: -item[1]))


def location_and_squad_rows(results: Mapping[tuple[str, str], float]) -> Rows:
    """Rows for the Location, then for the squad."""
    return (*labelled_rows(results, itemgetter(0)), *labelled_rows(results, lambda result: f"squad {result[1]}"))


def fates_of(before: Scene, results: Mapping[AssaultOutcome, float]) -> dict[tuple[str, str], float]:
    """The distribution of (Location, squad) of outcomes; the Location is ``clear`` or ``held``."""
    fates: dict[tuple[str, str], float] = defaultdict(float)
    for out, chance in results.items():
        fates["clear" if out.empty else "held", squad_fate(before, out.scene)] += chance
    return dict(fates)


def assault_results(
    referee: FuryReferee, scene: Scene, kind: AssaultType, explosives: bool = False
) -> dict[tuple[str, str], float]:
    """The distribution of (Location, squad) after one Assault; the Location is ``clear`` or ``held``."""
    return fates_of(scene, distribution(lambda: r13_combat.assault_one(referee, scene, kind, Stage(explosives))))


def result_odds(title: str, rule: str, place: str, results: Mapping[tuple[str, str], float], notes: tuple[str, ...]) -> Odds:
    """Odds of what becomes of a place and of the squad."""
    places, squads = labelled_rows(results, itemgetter(0)), labelled_rows(results, itemgetter(1))
    return Odds(title, rule, ((f"{place} is", places), ("The squad is", squads)), (), notes)


LOSSES = "A Step Loss is taken by a full squad before its CAAT, unless that has spent everything."
"""The policy of the suggested answers [5.1.1.2]."""


def fight_notes(scene: Scene) -> tuple[str, ...]:
    """The notes below the odds of an Assault."""
    notes = ["clear: eliminated, gone or retreated.", way_note(scene)]
    return (*notes, *([LOSSES] if scene.squad.caat else []))


def way_note(scene: Scene) -> str:
    """The assumption about Guerillas that must retreat, in words."""
    if scene.ways[0] in (0.0, 1.0):
        return f"Guerillas that must retreat find {'a' if scene.ways[0] else 'no'} way out."
    return f"Guerillas that must retreat find a way out with {scene.ways[0]:.0%}."


def flood_odds(referee: FuryReferee, scene: Scene) -> Odds:
    """[13.4.8] Odds of Flooding to its end."""
    return result_odds("Flooding to its end", "13.4.8", "The Zone", flood_results(referee, scene), (way_note(scene),))


def entry_results(referee: FuryReferee, whole: Scene, entry: r11_shots.EntryPlace) -> dict[str, float]:
    """[12.7] The distribution of the fate of a squad that enters Open Ground or a Courtyard under Defensive Fire."""

    async def play(scene: Scene) -> Continued | Finished:
        after, remains = await r11_shots.resolve_defender(referee, scene, entry, Stage())
        rest = after.past() if remains else after
        if rest.enemies and rest.squad.steps:
            return Continued(rest)
        return Finished(entry_fate(whole, rest))

    if not whole.enemies:
        return {"unharmed": 1.0}
    fates: dict[str, float] = defaultdict(float)
    for (fate, _), chance in round_outcomes(whole, play).items():
        fates[fate] += chance
    return dict(fates)


def entry_fate(before: Scene, after: Scene) -> str:
    """The fate in words: losses first, then whether the squad is Pinned."""
    fate = squad_fate(before, after._replace(squad=after.squad._replace(pinned=before.squad.pinned)))
    pinned = after.squad.pinned and after.squad.steps > 0
    return fate if not pinned else "Pinned" if fate == "unharmed" else f"{fate} and Pinned"


def crossing_rows(street: r11_shots.Street) -> Rows:
    """The results of a crossing in words."""
    return labelled_rows(r11_shots.crossing_results(street), lambda result: r11_shots.crossing_text(*result).removeprefix("a "))
