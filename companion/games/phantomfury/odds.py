"""Exact odds: the procedures of the rules, run silently over all outcomes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from math import prod
from typing import Any, NamedTuple

from companion.core.odds import Continued, Finished, distribution, round_outcomes
from companion.core.position import Piece
from companion.core.procedures import AnyProcedure
from companion.core.request import AnyRequest
from companion.core.requests import Choice, Choose, Confirm, Number, Odds, Text
from companion.games.phantomfury.notation.counters import ENEMIES, GUERILLAS, MARTYRS, Enemy, listed
from companion.games.phantomfury.referee import FuryReferee
from companion.games.phantomfury.rules.r03_die import modifiers_text
from companion.games.phantomfury.rules.r05_counters import AMBUSH, roll_activation
from companion.games.phantomfury.rules.r09_missions import call_up, roll_reaction
from companion.games.phantomfury.rules.r11_shots import (
    Shot,
    Street,
    crossing_results,
    crossing_text,
    fire_modifiers,
    roll_sniper,
    shoot,
    street_at,
)
from companion.games.phantomfury.rules.r12_defence import EntryPlace, defenders, draws_fire, entry_at, resolve_defender
from companion.games.phantomfury.rules.r12_paths import CAPACITY, reachable, shortest
from companion.games.phantomfury.rules.r13_combat import (
    TOP_DOWN,
    AssaultOutcome,
    Cup,
    EventEffect,
    Scene,
    Stage,
    Thresholds,
    assault_modifiers,
    assault_one,
    assault_type,
    clash,
    cup_with,
    dice_hits,
    events,
    flood_order,
    flooding_over,
    may_flood,
    must_flood,
    replacement,
    resolve,
    results,
    retreat,
    reveal,
    roll_assault,
    thresholds,
)
from companion.games.phantomfury.rules.r13_scenes import (
    ask_enemy,
    ask_extras,
    ask_type,
    describe,
    enemies_left,
    enemies_of,
    scene_of,
)
from companion.games.phantomfury.rules.r14_reorganisation import regroup_row, roll_regroup
from companion.games.phantomfury.state import EXPLOSIVES, INSURGENT, SUSPECT, location_of, place, section_of, zone_of


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
        self._known: dict[Hashable, list[tuple[Any, float]]] = {}
        self._out: dict[Scene, list[tuple[AssaultOutcome, float]]] = {}

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

    def out(self, front: Scene) -> list[tuple[AssaultOutcome, float]]:
        """[13.4.2] The outcomes against the enemy in front."""
        if front not in self._out:
            unit = front.enemies[0].kind in (GUERILLAS, MARTYRS)
            self._out[front] = self._clash(front) if unit else self._once(resolve, self.referee, front, TOP_DOWN, self.silent)
        return self._out[front]

    def _clash(self, front: Scene) -> list[tuple[AssaultOutcome, float]]:
        """The outcomes of a clash; dice that cause the same Event, or hit alike, are merged."""
        outcomes: dict[AssaultOutcome, float] = defaultdict(float)
        referee, silent, goal = self.referee, self.silent, self._aim(EventEffect(front))
        thrown: dict[tuple[int, ...], list[tuple[tuple[int, ...], float]]] = defaultdict(list)
        for roll, share in self._once(roll_assault, goal, TOP_DOWN, front.enemies[0].kind):
            thrown[tuple([face and 9 for face in roll])].append((roll, share))
        for zeros, rolls in thrown.items():
            for swing, chance in self._once(events, referee, front, zeros, silent):
                after = swing._replace(extra=0)  # it has had its effect on the dice
                for dice, share in self._alike(swing, rolls).items():
                    for out, rest in self._once(results, referee, after, TOP_DOWN, False, dice, silent):
                        outcomes[out] += share * chance * rest
        return list(outcomes.items())

    def _alike(self, swing: EventEffect, rolls: Sequence[tuple[tuple[int, ...], float]]) -> dict[tuple[int, ...], float]:
        """Dice that represent those rolled by their hits, each with its chance; empty if Events leave nothing to resolve."""
        if swing.over:
            return {(): sum(share for _, share in rolls)}
        chances: dict[tuple[int, ...], float] = defaultdict(float)
        goal = self._aim(swing)
        for roll, share in rolls:
            chances[tuple([0 if hit else 9 for hit in dice_hits(goal, roll, swing.drugged)])] += share
        return chances

    def _aim(self, swing: EventEffect) -> Thresholds:
        return thresholds(swing.scene, assault_modifiers(self.referee, swing.scene, TOP_DOWN, False), False, swing.extra)


class _Behind(NamedTuple):
    """What a clash does not depend on: the whole cup, and which counters are involved."""

    cup: Cup | None
    own: str
    spare: str
    chance: float

    def after(self, own: int, spare: int) -> Cup | None:
        """The cup with the counts of both counters changed."""
        return cup_with(cup_with(self.cup, self.spare, spare) if spare else self.cup, self.own, own)


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


def flood_results(referee: FuryReferee, whole: Scene) -> dict[tuple[str, str], float]:
    """The distribution of (Zone, squad) after Flooding to its end. Leaves no decision to the player."""
    return _flooded(referee, whole, {whole: 1.0}) if may_flood(whole) else {("not cleared", "unharmed"): 1.0}


def descent_results(referee: FuryReferee, whole: Scene, explosives: bool) -> dict[tuple[str, str], float]:
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
                if flooding_over(AssaultOutcome(after, out.empty)):
                    ends[_end(whole, AssaultOutcome(after, out.empty))] += chance * mass
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
                swap = replacement(after, enemy)
                key = enemy.kind, enemy.cf, bool(swap)
                if key not in alike:
                    alike[key] = fronts[_front(state, enemy, swap, after)]
                alike[key].append(_Behind(after, enemy.name, swap, mass * chance))
    return fronts


Rows = tuple[tuple[str, float], ...]


def labelled_rows(results: Mapping[Any, float], label: Callable[[Any], str]) -> Rows:
    """Sum results with the same label; the likeliest first."""
    by_label: dict[str, float] = defaultdict(float)
    for result, chance in results.items():
        by_label[label(result)] += chance
    return tuple(sorted(by_label.items(), key=lambda item: -item[1]))


def _location_and_squad_rows(results: Mapping[tuple[str, str], float]) -> Rows:
    """Rows for the Location, then for the squad."""
    return (*labelled_rows(results, lambda result: str(result[0])), *labelled_rows(results, lambda result: f"squad {result[1]}"))


# -- Fire --------------------------------------------------------------------------------------------------------------


def hit_chance(referee: FuryReferee, shot: Shot) -> float:
    """[11.2] The chance that a shot takes effect."""

    async def play() -> bool:
        return (await shoot(referee, shot, ""))[1]

    return distribution(play).get(True, 0.0)


def fire_odds(referee: FuryReferee, shot: Shot, around: int = 0) -> Odds:
    """[11.2] Odds of one shot. For a Suspect also what it turns out to be and what its Sniper does to the squad.

    Args:
        around: The number of enemies around the squad, including the Suspect.
    """
    hit = hit_chance(referee, shot)
    notes = (f"Modifiers: {modifiers_text(fire_modifiers(referee, shot))}.",)
    sections = (("The shot is a", (("hit", hit), ("no effect", 1 - hit))), *_turned_out(referee, shot, hit, around))
    return Odds("Fire Combat", "11.2", sections, (), notes)


def _turned_out(referee: FuryReferee, shot: Shot, hit: float, around: int) -> tuple[tuple[str, Rows], ...]:
    """[5.3.3, 11.4.1] What a Suspect is once it is hit, and what a squad suffers from its Sniper."""
    if shot.target != SUSPECT:
        return ()
    kinds = distribution(lambda: roll_activation(referee, "the Suspect", shot.strong))
    kind_rows = labelled_rows(kinds, lambda result: "a Sniper" if result[1] == AMBUSH else str(result[1]).title())
    ambush = hit * dict(kind_rows).get("a Sniper", 0.0)
    back = labelled_rows(
        distribution(lambda: roll_sniper("the squad", around)), lambda result: crossing_text(result[2], result[1])
    )
    fates = tuple((what, ambush * chance) for what, chance in back if what != "unharmed")
    return ("The Suspect is", tuple((what, hit * chance) for what, chance in kind_rows)), ("A squad that fires suffers", fates)


# -- Assaults ----------------------------------------------------------------------------------------------------------


def _fates(before: Scene, results: Mapping[AssaultOutcome, float]) -> dict[tuple[str, str], float]:
    fates: dict[tuple[str, str], float] = defaultdict(float)
    for out, chance in results.items():
        fates["clear" if out.empty else "held", squad_fate(before, out.scene)] += chance
    return dict(fates)


def assault_results(referee: FuryReferee, scene_of: Scene, kind: str, explosives: bool = False) -> dict[tuple[str, str], float]:
    """The distribution of (Location, squad) after one Assault; the Location is ``clear`` or ``held``."""
    return _fates(scene_of, distribution(lambda: assault_one(referee, scene_of, kind, Stage(explosives))))


def assault_odds(referee: FuryReferee, scene_of: Scene, kind: str, explosives: bool = False) -> Odds:
    """Odds of one Assault: the Location and the squad."""
    results = assault_results(referee, scene_of, kind, explosives)
    title = f"{kind.title()} Assault{' with explosives' if explosives else ''}"
    enemy, squad = labelled_rows(results, lambda result: str(result[0])), labelled_rows(results, lambda result: str(result[1]))
    return Odds(title, "13.4", (("The enemy's Location is", enemy), ("The squad is", squad)), (), _notes(scene_of))


LOSSES = "A Step Loss is taken by a full squad before its CAAT, unless that has spent everything."
"""The policy of the suggested answers [5.1.1.2]."""


def _notes(scene_of: Scene) -> tuple[str, ...]:
    notes = ["clear: eliminated, gone or retreated.", way_note(scene_of)]
    return (*notes, *([LOSSES] if scene_of.squad.caat else []))


def explosives_odds(referee: FuryReferee, zone: str, scene_of: Scene, kind: str, behind: Sequence[Piece] = ()) -> Odds:
    """[13.7.1] Odds with and without explosives.

    Args:
        behind: The enemies that a squad coming from the roof would meet by Flooding afterwards.
    """
    scene_of = scene_of._replace(ways=ways_out(referee, zone, 1 + len(behind)))
    apart = len(enemies_left(referee, zone)) > 1 + len(behind)
    chain = scene_of._replace(enemies=scene_of.enemies[:1] + enemies_of(behind), apart=apart)
    sections = []
    for use in (False, True):
        head = "With explosives" if use else "Without"
        results = distribution(lambda use=use: clash(referee, scene_of, kind, use, Stage(use)))  # type: ignore[misc]
        sections.append((head, _location_and_squad_rows(_fates(scene_of, results))))
        if behind:
            sections.append(
                (f"{head}, and Flooding: Zone {zone}", _location_and_squad_rows(descent_results(referee, chain, use)))
            )
    return Odds("Explosives", "13.7.1", tuple(sections), (), _notes(scene_of))


def targets_odds(referee: FuryReferee, squad: Piece, able: Sequence[Piece], floods: Mapping[str, Sequence[Piece]]) -> Odds:
    """Odds of each target of a squad, without and with explosives.

    Args:
        floods: By place, for targets that lead to Flooding: all enemies that the squad would meet.
    """
    sections, beside = [], []
    for piece in able:
        kind, zone = assault_type(squad.place, piece.place), zone_of(piece.place)
        met = floods.get(piece.place, ())
        now = scene_of(referee, squad, [piece])._replace(ways=ways_out(referee, zone, 1))
        chain = scene_of(referee, squad, met)._replace(ways=ways_out(referee, zone, len(met))) if len(met) > 1 else None
        for use in (False, True) if squad.mark(EXPLOSIVES) else (False,):
            head = f"{piece.place}, {kind}{', with explosives' if use else ''}"
            outcome_rows = _location_and_squad_rows(assault_results(referee, now, kind, use))
            sections.append((head, outcome_rows))
            beside.append((piece.place, f"{dict(outcome_rows).get('clear', 0.0):.0%} clear"))
            if chain is not None:
                sections.append(
                    (f"{head}, and Flooding: Zone {zone}", _location_and_squad_rows(descent_results(referee, chain, use)))
                )
    notes = ("clear: eliminated, gone or retreated.",)
    return Odds(f"Assaults of {squad.name}", "13.4", tuple(sections), (), notes, tuple(dict(reversed(beside)).items()))


# -- ways out ----------------------------------------------------------------------------------------------------------


class _Untold(Exception):
    """A map fact is missing that only the player can provide."""


def _nobody(request: AnyRequest) -> Any:
    raise _Untold(request.key)


def ways_out(referee: FuryReferee, zone: str, many: int) -> tuple[float, ...]:
    """[13.6] The chances that Guerillas find a way out of a Zone one after the other, each if those before it did. Where the
    map is not known, they find one.
    """
    spots: dict[tuple[str, ...], float] = {(): 1.0}
    chances: list[float] = []
    while spots and len(chances) < many:
        after: dict[tuple[str, ...], float] = defaultdict(float)
        try:
            for gone, chance in spots.items():
                for arrived, share in distribution(lambda gone=gone: _flee(referee, zone, gone), _nobody).items():  # type: ignore[misc]
                    if arrived != zone:
                        after[tuple(sorted((*gone, arrived)))] += chance * share
        except _Untold:
            return (1.0,)
        chances.append(sum(after.values()) / sum(spots.values()))
        spots = after
    return (1.0,) if min(chances) > 1 - 1e-12 else tuple(chances)


async def _flee(referee: FuryReferee, zone: str, gone: tuple[str, ...]) -> str:
    """The place where one more unit ends up after others of its Zone fled to these places; its Zone if it finds no way out."""
    table = referee.hypothetical()
    for where in gone:
        table.make(INSURGENT, "G1/M1", where, "13.6")
    unit = table.make(INSURGENT, "G1/M1", place(zone, "1"), "13.6")
    return table.piece(unit).place if await retreat(table, table.piece(unit)) else zone


def way_note(scene_of: Scene) -> str:
    """The assumption about Guerillas that must retreat, in words."""
    if scene_of.ways[0] in (0.0, 1.0):
        return f"Guerillas that must retreat find {'a' if scene_of.ways[0] else 'no'} way out."
    return f"Guerillas that must retreat find a way out with {scene_of.ways[0]:.0%}."


# -- Flooding ----------------------------------------------------------------------------------------------------------


def flood_odds(referee: FuryReferee, scene_of: Scene) -> Odds:
    """[13.4.8] Odds of Flooding to its end."""
    results = flood_results(referee, scene_of)
    zone, squad = labelled_rows(results, lambda result: str(result[0])), labelled_rows(results, lambda result: str(result[1]))
    return Odds("Flooding to its end", "13.4.8", (("The Zone is", zone), ("The squad is", squad)), (), (way_note(scene_of),))


def zone_flood_odds(referee: FuryReferee, squad: Piece, enemies: Sequence[Piece]) -> Odds:
    """[13.4.8] Odds of Flooding a Zone of the map, with its Egress Routes."""
    ways = ways_out(referee, zone_of(enemies[0].place), len(enemies))
    return flood_odds(referee, scene_of(referee, squad, enemies)._replace(ways=ways))


# -- entering a Zone, crossing a street --------------------------------------------------------------------------------


def entry_results(referee: FuryReferee, scene_of: Scene, entry: EntryPlace) -> dict[str, float]:
    """[12.7] The distribution of the fate of a squad that enters Open Ground or a Courtyard under Defensive Fire."""
    whole = scene_of

    async def play(state: Scene) -> Continued | Finished:
        after, remains = await resolve_defender(referee, state, entry, Stage())
        rest = after.past() if remains else after
        if rest.enemies and rest.squad.steps:
            return Continued(rest)
        return Finished(entry_fate(whole, rest))

    if not scene_of.enemies:
        return {"unharmed": 1.0}
    fates: dict[str, float] = defaultdict(float)
    for (fate, _), chance in round_outcomes(scene_of, play).items():
        fates[fate] += chance
    return dict(fates)


def entry_fate(before: Scene, after: Scene) -> str:
    """The fate in words: losses first, then whether the squad is Pinned."""
    fate = squad_fate(before, after._replace(squad=after.squad._replace(pinned=before.squad.pinned)))
    pinned = after.squad.pinned and after.squad.steps > 0
    return fate if not pinned else "Pinned" if fate == "unharmed" else f"{fate} and Pinned"


def entry_odds(referee: FuryReferee, scene_of: Scene, entry: EntryPlace) -> Odds:
    """Odds of Defensive Fire on entering."""
    return Odds(
        "Defensive Fire on entering", "12.7", (("The squad is", labelled_rows(entry_results(referee, scene_of, entry), str)),)
    )


def crossing_rows(street: Street) -> Rows:
    """The results of a crossing in words."""
    return labelled_rows(crossing_results(street), lambda result: crossing_text(*result).removeprefix("a "))


def crossing_odds(street: Street) -> Odds:
    """[12.5.2] Odds of crossing a street."""
    return Odds("Crossing a street", "12.5.2", (("The squad is", crossing_rows(street)),))


def ways_odds(referee: FuryReferee, squad: Piece) -> Odds:
    """Odds of each street and of each Courtyard or Open Ground within reach, including the streets on the way."""
    costs = reachable(referee, squad)
    near = dict.fromkeys(name for where in [squad.place, *costs] for name in referee.town.streets_at(where))
    away = {where for where in costs if zone_of(where) != zone_of(squad.place)}
    streets = [name for name in near if not away.isdisjoint(referee.town.doors(name))]
    sections = [(f"Crossing street {name}", crossing_rows(street_at(referee, name))) for name in streets]
    for where in costs:
        foes = defenders(referee, zone_of(where))
        if foes and draws_fire(referee, where):
            sections += _entered(referee, squad, where, foes, costs[where] < CAPACITY)
    notes = ("+: with the Security Element detached there.",) if any("+" in head for head, _ in sections) else ()
    return Odds(f"Ways of {squad.name}", "12.5", tuple(sections), (), notes)


def _entered(referee: FuryReferee, squad: Piece, where: str, foes: Sequence[Piece], detach: bool) -> list[tuple[str, Rows]]:
    """Odds of entering a place after the streets on the way; also with the Security Element detached."""
    names = [section_of(step) for step in shortest(referee, squad, squad.place, where) if section_of(step)]
    across = prod(crossing_results(street_at(referee, name)).get((False, False), 0.0) for name in names)
    by = f" by street {', '.join(names)}" if names else ""
    before, entry = scene_of(referee, squad, foes), entry_at(referee, squad, where)
    ways = [("", before, entry)]
    if detach and location_of(where) == "C" and not before.squad.element:
        alone = before.with_squad(before.squad._replace(element=True))
        ways.append(("+", alone, entry._replace(element=True)))
    sections = []
    for sign, now, site in ways:
        fates = [(fate, across * chance) for fate, chance in labelled_rows(entry_results(referee, now, site), str)]
        stopped = [("stopped in the street", 1 - across)] if across < 1 else []
        sections.append((f"Entering {where}{sign}{by}", (*fates, *stopped)))
    return sections


# -- Missions, regrouping ----------------------------------------------------------------------------------------------


def missions_results(referee: FuryReferee, which: str, times: int) -> dict[tuple[int, str], float]:
    """[9.1] The distribution of (successes, Reaction to the failure) of Missions in a row."""

    async def play(left: int) -> Continued | Finished:
        if (await call_up(referee, which))[1]:
            return Continued(left - 1) if left > 1 else Finished((times, ""))
        return Finished((times - left, (await roll_reaction(referee))[1]))

    return {result: chance for (result, _), chance in round_outcomes(times, play).items()}


def missions_odds(referee: FuryReferee, which: str, times: int) -> Odds:
    """[9.1] Odds of Missions in a row, up to the first failure."""
    results = missions_results(referee, which, times)
    done = tuple(sorted(labelled_rows(results, lambda result: f"{result[0]} succeed")))
    return Odds(
        "Missions in a row", "9.1", (("Missions", done), ("Reaction", labelled_rows(results, lambda result: result[1] or "none")))
    )


def next_mission_odds(referee: FuryReferee, missions: Sequence[str]) -> Odds:
    """[9.1] The chance of each Mission, and of each Reaction if it fails."""
    titles = referee.chart("missions")
    chances, beside = [], []
    for which in missions:
        good = sum(chance for (done, _), chance in missions_results(referee, which, 1).items() if done)
        chances.append((titles.text(which, "title"), good))
        beside.append((which, f"{good:.0%}"))
    reactions = labelled_rows(distribution(lambda: roll_reaction(referee)), lambda result: str(result[1]))
    sections = (("Succeeds", tuple(chances)), ("If it is postponed, the Reaction is", reactions))
    return Odds("Missions", "9.1", sections, (), ("A Reaction ends the Support Phase.",), tuple(beside))


def regroup_odds(referee: FuryReferee, cf: int, row: str) -> Odds:
    """[14.3.4] The chance that a Pinned squad regroups, this turn and by later turns."""

    async def play() -> bool:
        return (await roll_regroup(referee, "the squad", cf, row))[1]

    good = distribution(play).get(True, 0.0)
    turns = tuple((f"by the end of turn {turn}", 1 - (1 - good) ** turn) for turn in (1, 2, 3))
    return Odds("Regrouping", "14.3.4", (("No longer Pinned", turns),), (), ("Automatic with no enemy around.",))


def in_order(enemies: Sequence[tuple[str, Enemy]]) -> tuple[Enemy, ...]:
    """Sort enemies by their Locations into the order of Flooding."""
    order = flood_order(location for location, _ in enemies)
    return tuple(enemy for _, enemy in sorted(enemies, key=lambda item: order.index(item[0])))


# -- situations that can be asked for ----------------------------------------------------------------------------------


async def odds_of_assault(referee: FuryReferee) -> Odds:
    """One Assault of any type, with or without explosives."""
    enemy = await ask_enemy("13.4")
    kind = await ask_type()
    scene = await describe(referee, (enemy,), "13.4")
    explosives = await Confirm("explosives", "With explosives", "13.7.1", False)
    return assault_odds(referee, scene, kind, explosives)


async def odds_of_flood(referee: FuryReferee) -> Odds:
    """[13.4.8] Flooding to its end."""
    text = await Text("enemies", "Enemies left in the Zone, with their Locations: 2':s,1:g2", "13.4.8", ENEMIES)
    return flood_odds(referee, await describe(referee, in_order(listed(text)), "13.4.8"))


async def odds_of_entry(referee: FuryReferee) -> Odds:
    """[12.7] Defensive Fire on entering a Courtyard or Open Ground."""
    text = await Text("enemies", "Enemies in the Zone: g2,s,s", "12.7", ENEMIES)
    location = await Choose("location", "Entering", "12.7.1", [Choice("C", "Courtyard"), Choice("OG", "Open Ground")], "C")
    tank = location == "OG" and await Confirm("tank", "With an M1A1 in Open Ground", "12.7.2", False)
    element = location == "C" and await Confirm("detach", "Security Element detached in the Courtyard", "12.7.2", False)
    ruins = location == "C" and await Confirm("ruins", "A Ruins Zone", "12.7.2", False)
    enemies = sorted((enemy for _, enemy in listed(text)), key=lambda piece: piece.kind == SUSPECT)
    scene = await describe(referee, tuple(enemies), "12.7")
    scene = scene._replace(squad=scene.squad._replace(element=element))
    return entry_odds(referee, scene, EntryPlace(location, tank, element, ruins))


async def odds_of_fire(referee: FuryReferee) -> Odds:
    """[11.2] One shot."""
    cf = await Number("cf", "CF of the firer, with CAAT Ammo if used", "11.2.2", 1, 12)
    enemy = await ask_enemy("11.2.1")
    roof = await Confirm("roof", "On a Rooftop", "11.2.1", False)
    words = await ask_extras("11.2.1")
    around = 0
    if enemy.kind == SUSPECT:
        around = await Number("around", "Enemies around the squad that fires, this one too (a Sniper)", "11.4.1.1", 0, 20, 1)
    return fire_odds(referee, Shot(cf, enemy.kind, roof, "fortified" in words or "mosque" in words, "fury" in words), around)


async def odds_of_crossing(referee: FuryReferee) -> Odds:
    """[12.5.2] Crossing a street."""
    units = await Number("units", "Insurgents units beside the street", "11.4.2.1", 0, 12, 0)
    suspects = await Number("suspects", "Suspects beside the street", "11.4.2.1", 0, 12, 0)
    tank = await Confirm("tank", "An M1A1 in the street", "11.4.2.2", False)
    return crossing_odds(Street(units, suspects, tank))


async def odds_of_mission(referee: FuryReferee) -> Odds:
    """[9.1] A number of Missions in a row, up to the first failure."""
    chart = referee.chart("missions")
    choices = [Choice(name, chart.text(name, "title")) for name in chart.rows]
    which = await Choose("mission", "Which Mission is called each time?", "9.3", choices, "uav")
    most = chart.number(which, "max") - (referee.position.track(which) if referee.position.track("turn") else 0)
    times = await Number("times", "How many times at most?", "9.2", 1, max(most, 1), min(2, max(most, 1)))
    return missions_odds(referee, which, times)


_COVERS = {
    "elsewhere": ("1, 2 or R", ("", False)),
    "courtyard": ("a Courtyard", ("1-C", False)),
    "open": ("Open Ground", ("1-OG", False)),
    "beside": ("Open Ground with an M1A1", ("1-OG", True)),
    "street": ("a street", ("street a", False)),
    "covered": ("a street with an M1A1", ("street a", True)),
}


async def odds_of_regrouping(referee: FuryReferee) -> Odds:
    """[14.3.4] Regrouping of a Pinned squad, this turn and by later turns."""
    cf = await Number("cf", "CF of the Pinned squad", "14.3.4", 1, 9)
    choices = [Choice(name, text) for name, (text, _) in _COVERS.items()]
    where = await Choose("at", "Where is it?", "14.3.4", choices, "elsewhere")
    return regroup_odds(referee, cf, regroup_row(referee, *_COVERS[where][1]))
