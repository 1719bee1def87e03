"""Exact odds: the procedures of the rules, run silently over all outcomes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any

from companion.core.odds import Continued, Finished, distribution, round_outcomes
from companion.core.position import Piece
from companion.core.request import AnyRequest
from companion.core.requests import Odds
from companion.games.phantomfury.names import EXPLOSIVES, INSURGENT, SUSPECT
from companion.games.phantomfury.odds.flooding import descent_results, flood_results, squad_fate
from companion.games.phantomfury.pieces import controlled
from companion.games.phantomfury.referee import Fury
from companion.games.phantomfury.rules.r03_die import shown
from companion.games.phantomfury.rules.r05_suspects import AMBUSH, roll_activation
from companion.games.phantomfury.rules.r09_missions import call_up, roll_reaction
from companion.games.phantomfury.rules.r11_shot import Shot, fire_modifiers, shoot
from companion.games.phantomfury.rules.r11_sniper import Street, crossing_results, crossing_text, shot_back
from companion.games.phantomfury.rules.r12_defence import Entry, meet
from companion.games.phantomfury.rules.r12_paths import CAPACITY, reachable, shortest
from companion.games.phantomfury.rules.r13_melee import Outcomes, assault_one, clash, flood_order
from companion.games.phantomfury.rules.r13_muster import defenders, enemies_of, entry_at, left, scene, street_at
from companion.games.phantomfury.rules.r13_retreat import retreat
from companion.games.phantomfury.rules.r13_scene import Enemy, Scene, Stage, assault_type
from companion.games.phantomfury.rules.r14_regroup import steady
from companion.games.phantomfury.words.town import location_of, place, section_of, zone_of

Rows = tuple[tuple[str, float], ...]


def rows(results: Mapping[Any, float], label: Callable[[Any], str]) -> Rows:
    """Sum results with the same label; the likeliest first."""
    by_label: dict[str, float] = defaultdict(float)
    for result, chance in results.items():
        by_label[label(result)] += chance
    return tuple(sorted(by_label.items(), key=lambda item: -item[1]))


def _both(results: Mapping[tuple[str, str], float]) -> Rows:
    """Rows for the Location, then for the squad."""
    return (*rows(results, lambda result: str(result[0])), *rows(results, lambda result: f"squad {result[1]}"))


# -- Fire --------------------------------------------------------------------------------------------------------------


def hit_chance(referee: Fury, shot: Shot) -> float:
    """[11.2] The chance that a shot takes effect."""

    async def play() -> bool:
        return (await shoot(referee, shot, ""))[1]

    return distribution(play).get(True, 0.0)


def fire_odds(referee: Fury, shot: Shot, around: int = 0) -> Odds:
    """[11.2] Odds of one shot. For a Suspect also what it turns out to be and what its Sniper does to the squad.

    Args:
        around: The number of enemies around the squad, including the Suspect.
    """
    hit = hit_chance(referee, shot)
    notes = (f"Modifiers: {shown(fire_modifiers(referee, shot))}.",)
    sections = (("The shot is a", (("hit", hit), ("no effect", 1 - hit))), *_turned_out(referee, shot, hit, around))
    return Odds("Fire Combat", "11.2", sections, (), notes)


def _turned_out(referee: Fury, shot: Shot, hit: float, around: int) -> tuple[tuple[str, Rows], ...]:
    """[5.3.3, 11.4.1] What a Suspect is once it is hit, and what a squad suffers from its Sniper."""
    if shot.target != SUSPECT:
        return ()
    kinds = distribution(lambda: roll_activation(referee, "the Suspect", shot.strong))
    kind_rows = rows(kinds, lambda result: "a Sniper" if result[1] == AMBUSH else str(result[1]).title())
    ambush = hit * dict(kind_rows).get("a Sniper", 0.0)
    back = rows(distribution(lambda: shot_back("the squad", around)), lambda result: crossing_text(result[2], result[1]))
    fates = tuple((what, ambush * chance) for what, chance in back if what != "unharmed")
    return ("The Suspect is", tuple((what, hit * chance) for what, chance in kind_rows)), ("A squad that fires suffers", fates)


# -- Assaults ----------------------------------------------------------------------------------------------------------


def _fates(before: Scene, results: Mapping[Outcomes, float]) -> dict[tuple[str, str], float]:
    fates: dict[tuple[str, str], float] = defaultdict(float)
    for out, chance in results.items():
        fates["clear" if out.empty else "held", squad_fate(before, out.scene)] += chance
    return dict(fates)


def assault_results(referee: Fury, scene: Scene, kind: str, explosives: bool = False) -> dict[tuple[str, str], float]:
    """The distribution of (Location, squad) after one Assault; the Location is ``clear`` or ``held``."""
    return _fates(scene, distribution(lambda: assault_one(referee, scene, kind, Stage(explosives))))


def assault_odds(referee: Fury, scene: Scene, kind: str, explosives: bool = False) -> Odds:
    """Odds of one Assault: the Location and the squad."""
    results = assault_results(referee, scene, kind, explosives)
    title = f"{kind.title()} Assault{' with explosives' if explosives else ''}"
    enemy, squad = rows(results, lambda result: str(result[0])), rows(results, lambda result: str(result[1]))
    return Odds(title, "13.4", (("The enemy's Location is", enemy), ("The squad is", squad)), (), _notes(scene))


LOSSES = "A Step Loss is taken by a full squad before its CAAT, unless that has spent everything."
"""The policy of the suggested answers [5.1.1.2]."""


def _notes(scene: Scene) -> tuple[str, ...]:
    notes = ["clear: eliminated, gone or retreated.", way_note(scene)]
    return (*notes, *([LOSSES] if scene.squad.caat else []))


def explosives_odds(referee: Fury, zone: str, scene: Scene, kind: str, behind: Sequence[Piece] = ()) -> Odds:
    """[13.7.1] Odds with and without explosives.

    Args:
        behind: The enemies that a squad coming from the roof would meet by Flooding afterwards.
    """
    scene = scene._replace(ways=ways_out(referee, zone, 1 + len(behind)))
    apart = len(left(referee, zone)) > 1 + len(behind)
    chain = scene._replace(enemies=scene.enemies[:1] + enemies_of(behind), apart=apart)
    sections = []
    for use in (False, True):
        head = "With explosives" if use else "Without"
        results = distribution(lambda use=use: clash(referee, scene, kind, use, Stage(use)))  # type: ignore[misc]
        sections.append((head, _both(_fates(scene, results))))
        if behind:
            sections.append((f"{head}, and Flooding: Zone {zone}", _both(descent_results(referee, chain, use))))
    return Odds("Explosives", "13.7.1", tuple(sections), (), _notes(scene))


def targets_odds(referee: Fury, squad: Piece, able: Sequence[Piece], floods: Mapping[str, Sequence[Piece]]) -> Odds:
    """Odds of each target of a squad, without and with explosives.

    Args:
        floods: By place, for targets that lead to Flooding: all enemies that the squad would meet.
    """
    sections, beside = [], []
    for piece in able:
        kind, zone = assault_type(squad.place, piece.place), zone_of(piece.place)
        met = floods.get(piece.place, ())
        now = scene(referee, squad, [piece])._replace(ways=ways_out(referee, zone, 1))
        chain = scene(referee, squad, met)._replace(ways=ways_out(referee, zone, len(met))) if len(met) > 1 else None
        for use in (False, True) if squad.mark(EXPLOSIVES) else (False,):
            head = f"{piece.place}, {kind}{', with explosives' if use else ''}"
            outcome_rows = _both(assault_results(referee, now, kind, use))
            sections.append((head, outcome_rows))
            beside.append((piece.place, f"{dict(outcome_rows).get('clear', 0.0):.0%} clear"))
            if chain is not None:
                sections.append((f"{head}, and Flooding: Zone {zone}", _both(descent_results(referee, chain, use))))
    notes = ("clear: eliminated, gone or retreated.",)
    return Odds(f"Assaults of {squad.name}", "13.4", tuple(sections), (), notes, tuple(dict(reversed(beside)).items()))


# -- ways out ----------------------------------------------------------------------------------------------------------


class _Untold(Exception):
    """A map fact is missing that only the player can provide."""


def _nobody(request: AnyRequest) -> Any:
    raise _Untold(request.key)


def ways_out(referee: Fury, zone: str, many: int) -> tuple[float, ...]:
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


async def _flee(referee: Fury, zone: str, gone: tuple[str, ...]) -> str:
    """The place where one more unit ends up after others of its Zone fled to these places; its Zone if it finds no way out."""
    table = referee.again()
    for where in gone:
        table.make(INSURGENT, "G1/M1", where, "13.6")
    unit = table.make(INSURGENT, "G1/M1", place(zone, "1"), "13.6")
    return table.piece(unit).place if await retreat(table, table.piece(unit)) else zone


def way_note(scene: Scene) -> str:
    """The assumption about Guerillas that must retreat, in words."""
    if scene.ways[0] in (0.0, 1.0):
        return f"Guerillas that must retreat find {'a' if scene.ways[0] else 'no'} way out."
    return f"Guerillas that must retreat find a way out with {scene.ways[0]:.0%}."


# -- Flooding ----------------------------------------------------------------------------------------------------------


def flood_odds(referee: Fury, scene: Scene) -> Odds:
    """[13.4.8] Odds of Flooding to its end."""
    results = flood_results(referee, scene)
    zone, squad = rows(results, lambda result: str(result[0])), rows(results, lambda result: str(result[1]))
    return Odds("Flooding to its end", "13.4.8", (("The Zone is", zone), ("The squad is", squad)), (), (way_note(scene),))


def zone_flood_odds(referee: Fury, squad: Piece, enemies: Sequence[Piece]) -> Odds:
    """[13.4.8] Odds of Flooding a Zone of the map, with its Egress Routes."""
    ways = ways_out(referee, zone_of(enemies[0].place), len(enemies))
    return flood_odds(referee, scene(referee, squad, enemies)._replace(ways=ways))


# -- entering a Zone, crossing a street --------------------------------------------------------------------------------


def entry_results(referee: Fury, scene: Scene, entry: Entry) -> dict[str, float]:
    """[12.7] The distribution of the fate of a squad that enters Open Ground or a Courtyard under Defensive Fire."""
    whole = scene

    async def play(state: Scene) -> Continued | Finished:
        after, remains = await meet(referee, state, entry, Stage())
        rest = after.past() if remains else after
        if rest.enemies and rest.squad.steps:
            return Continued(rest)
        return Finished(entry_fate(whole, rest))

    if not scene.enemies:
        return {"unharmed": 1.0}
    fates: dict[str, float] = defaultdict(float)
    for (fate, _), chance in round_outcomes(scene, play).items():
        fates[fate] += chance
    return dict(fates)


def entry_fate(before: Scene, after: Scene) -> str:
    """The fate in words: losses first, then whether the squad is Pinned."""
    fate = squad_fate(before, after._replace(squad=after.squad._replace(pinned=before.squad.pinned)))
    pinned = after.squad.pinned and after.squad.steps > 0
    return fate if not pinned else "Pinned" if fate == "unharmed" else f"{fate} and Pinned"


def entry_odds(referee: Fury, scene: Scene, entry: Entry) -> Odds:
    """Odds of Defensive Fire on entering."""
    return Odds("Defensive Fire on entering", "12.7", (("The squad is", rows(entry_results(referee, scene, entry), str)),))


def crossing_rows(street: Street) -> Rows:
    """The results of a crossing in words."""
    return rows(crossing_results(street), lambda result: crossing_text(*result).removeprefix("a "))


def crossing_odds(street: Street) -> Odds:
    """[12.5.2] Odds of crossing a street."""
    return Odds("Crossing a street", "12.5.2", (("The squad is", crossing_rows(street)),))


def ways_odds(referee: Fury, squad: Piece) -> Odds:
    """Odds of each street and of each Courtyard or Open Ground within reach, including the streets on the way."""
    costs = reachable(referee, squad)
    near = dict.fromkeys(name for where in [squad.place, *costs] for name in referee.town.streets_at(where))
    away = {where for where in costs if zone_of(where) != zone_of(squad.place)}
    streets = [name for name in near if not away.isdisjoint(referee.town.doors(name))]
    sections = [(f"Crossing street {name}", crossing_rows(street_at(referee, name))) for name in streets]
    for where in costs:
        foes = defenders(referee, zone_of(where))
        if location_of(where) in ("C", "OG") and foes and not controlled(referee.position, zone_of(where)):
            sections += _entered(referee, squad, where, foes, costs[where] < CAPACITY)
    notes = ("+: with the Security Element detached there.",) if any("+" in head for head, _ in sections) else ()
    return Odds(f"Ways of {squad.name}", "12.5", tuple(sections), (), notes)


def _entered(referee: Fury, squad: Piece, where: str, foes: Sequence[Piece], detach: bool) -> list[tuple[str, Rows]]:
    """Odds of entering a place after the streets on the way; also with the Security Element detached."""
    names = [section_of(step) for step in shortest(referee, squad, squad.place, where) if section_of(step)]
    across = prod(crossing_results(street_at(referee, name)).get((False, False), 0.0) for name in names)
    by = f" by street {', '.join(names)}" if names else ""
    before, entry = scene(referee, squad, foes), entry_at(referee, squad, where)
    ways = [("", before, entry)]
    if detach and location_of(where) == "C" and not before.squad.element:
        alone = before.with_squad(before.squad._replace(element=True))
        ways.append(("+", alone, entry._replace(element=True)))
    sections = []
    for sign, now, site in ways:
        fates = [(fate, across * chance) for fate, chance in rows(entry_results(referee, now, site), str)]
        stopped = [("stopped in the street", 1 - across)] if across < 1 else []
        sections.append((f"Entering {where}{sign}{by}", (*fates, *stopped)))
    return sections


# -- Missions, regrouping ----------------------------------------------------------------------------------------------


def missions_results(referee: Fury, which: str, times: int) -> dict[tuple[int, str], float]:
    """[9.1] The distribution of (successes, Reaction to the failure) of Missions in a row."""

    async def play(left: int) -> Continued | Finished:
        if (await call_up(referee, which))[1]:
            return Continued(left - 1) if left > 1 else Finished((times, ""))
        return Finished((times - left, (await roll_reaction(referee))[1]))

    return {result: chance for (result, _), chance in round_outcomes(times, play).items()}


def missions_odds(referee: Fury, which: str, times: int) -> Odds:
    """[9.1] Odds of Missions in a row, up to the first failure."""
    results = missions_results(referee, which, times)
    done = tuple(sorted(rows(results, lambda result: f"{result[0]} succeed")))
    return Odds("Missions in a row", "9.1", (("Missions", done), ("Reaction", rows(results, lambda result: result[1] or "none"))))


def next_mission_odds(referee: Fury, missions: Sequence[str]) -> Odds:
    """[9.1] The chance of each Mission, and of each Reaction if it fails."""
    titles = referee.chart("missions")
    chances, beside = [], []
    for which in missions:
        good = sum(chance for (done, _), chance in missions_results(referee, which, 1).items() if done)
        chances.append((titles.text(which, "title"), good))
        beside.append((which, f"{good:.0%}"))
    reactions = rows(distribution(lambda: roll_reaction(referee)), lambda result: str(result[1]))
    sections = (("Succeeds", tuple(chances)), ("If it is postponed, the Reaction is", reactions))
    return Odds("Missions", "9.1", sections, (), ("A Reaction ends the Support Phase.",), tuple(beside))


def regroup_odds(referee: Fury, cf: int, row: str) -> Odds:
    """[14.3.4] The chance that a Pinned squad regroups, this turn and by later turns."""

    async def play() -> bool:
        return (await steady(referee, "the squad", cf, row))[1]

    good = distribution(play).get(True, 0.0)
    turns = tuple((f"by the end of turn {turn}", 1 - (1 - good) ** turn) for turn in (1, 2, 3))
    return Odds("Regrouping", "14.3.4", (("No longer Pinned", turns),), (), ("Automatic with no enemy around.",))


def in_order(enemies: Sequence[tuple[str, Enemy]]) -> tuple[Enemy, ...]:
    """Sort enemies by their Locations into the order of Flooding."""
    order = flood_order(location for location, _ in enemies)
    return tuple(enemy for _, enemy in sorted(enemies, key=lambda item: order.index(item[0])))
