"""Assaults and Fire as the captain weighs them, by their odds."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.match import PlannedAction
from companion.core.position import Piece
from companion.games.phantomfury.captain.sight import Option, Sight, at_once
from companion.games.phantomfury.captain.worth import PIN
from companion.games.phantomfury.notation.counters import GUERILLAS, enemy_text, kind_of, short
from companion.games.phantomfury.rules import r11_fire, r13_assault
from companion.games.phantomfury.rules.r12_paths import closed
from companion.games.phantomfury.rules.r13_combat import assault_type, comes_down, no_flooding, open_routes
from companion.games.phantomfury.rules.r13_scenes import reached, scene_of
from companion.games.phantomfury.state import AMMO, SUSPECT, TANK, fortified, location_of, zone_of

KILL = {GUERILLAS: 0.6, SUSPECT: 0.15}
"""VP that a cleared Location brings on the average: Guerillas eliminated rather than gone [7.2.1]."""
OPEN = 1.0
"""[14.4] What is lost of the worth of a Zone of ours that could be infiltrated: whoever comes opens the next ones."""
FOLLOWED = 2.0
"""How much more a hit brings in a Zone that a squad can enter in the same turn: there is less to meet on its way, and inside."""
SHOWN = 0.35
"""What it brings to know who a Suspect was: Guerillas can be eliminated then."""


def assault_options(sight: Sight) -> Iterator[Option]:
    """[13.0] Every Assault that can be declared, with what it adds to where its squad stands."""
    referee = sight.referee
    for squad in sight.squads:
        if r13_assault.why_not(referee, squad):
            continue
        for target in r13_assault.targets_of(referee, squad):
            if r13_assault.why_not_there(referee, squad, target.place) is None:
                yield _assault(sight, squad, target)


def _assault(sight: Sight, squad: Piece, target: Piece) -> Option:
    zone, home = zone_of(target.place), zone_of(squad.place)
    after, why = outcome_of(sight, squad, target)
    before = sight.idle(zone) if zone == home else sight.begun(zone) + OPEN * sight.price * sight.left_open(squad, target.place)
    name = f"{squad.name} Assaults {enemy_text(target)} at {target.place}"
    plan = PlannedAction("assault", {"squad": short(squad), "target": target.place})
    return Option(after - before, plan, name, why)


def outcome_of(sight: Sight, squad: Piece, target: Piece) -> tuple[float, str]:
    """[13.4, 13.4.8] What a Zone is worth after an Assault from where the squad is, less its losses; and the odds in words."""
    referee, zone = sight.referee, zone_of(target.place)
    kind = assault_type(squad.place, target.place)
    now = scene_of(referee, squad, [target])._replace(ways=(ways(sight, zone),))
    fate = sight.estimates.assault(referee, now, kind)
    stays = sight.hold(zone) if zone == zone_of(squad.place) else sight.begun(zone)
    gain = KILL.get(kind_of(target), 0.0) * fate.good
    value = fate.good * sight.hold(zone, target) + (1 - fate.good) * stays + gain - sight.toll(fate)
    text = f"{kind.title()} Assault: cleared {fate.good:.0%}, a Step Loss {fate.loss:.0%}, {-sight.toll(fate):+.1f} VP [13.4.2]"
    if sight.enemies(zone) > 1 and floods(sight, squad, target):
        return _flood(sight, squad, target)
    return value, text


def _flood(sight: Sight, squad: Piece, target: Piece) -> tuple[float, str]:
    referee, zone = sight.referee, zone_of(target.place)
    met = [target, *reached(referee, zone, target.place, target.place)]
    now = scene_of(referee, squad, met)._replace(ways=(ways(sight, zone),))
    fate = sight.estimates.flood(referee, now)
    gain = sum(KILL.get(kind_of(one), 0.0) for one in met) * fate.good
    value = fate.good * sight.hold(zone, *met) + (1 - fate.good) * sight.hold(zone, target) + gain - sight.toll(fate)
    return value, f"Flooding: the Zone cleared {fate.good:.0%}, a Step Loss {fate.loss:.0%}, {-sight.toll(fate):+.1f} VP [13.4.8]"


def floods(sight: Sight, squad: Piece, target: Piece) -> bool:
    """[13.4.7.2] Whether Flooding follows: from the roof, by a full squad of CF 5 or more, in a Normal Zone."""
    now = scene_of(sight.referee, squad, [target])
    return comes_down(squad.place, target.place) and squad.face != "reduced" and no_flooding(now) is None


def ways(sight: Sight, zone: str) -> float:
    """[13.6.2] Whether Guerillas find a way out: 1 or 0."""
    return sight.once(("ways", zone), lambda: float(bool(at_once(open_routes(sight.referee, zone), ("?",)))))


def best_from(sight: Sight, squad: Piece, where: str) -> tuple[float, str]:
    """What a squad could make of its Zone, or of the next one, by an Assault from a place; with the odds in words."""
    moved = squad._replace(place=where)
    zone = zone_of(where)
    found = [(sight.idle(zone) if zone not in sight.ours else 0.0, "")]
    for target in r13_assault.targets_of(sight.referee, moved):
        there = zone_of(target.place)
        if there == zone or (zone in sight.ours and closed(sight.referee, moved, where, target.place) is None):
            value, why = outcome_of(sight, moved, target)
            found.append((value - (0.0 if there == zone else sight.begun(there)), why))
    return max(found, key=lambda one: one[0])


# -- Fire --------------------------------------------------------------------------------------------------------------


def fire_options(sight: Sight) -> Iterator[Option]:
    """[11.0] The best shot of each unit that can fire."""
    referee = sight.referee
    for firer in [*sight.squads, *referee.tanks()]:
        if r11_fire.cannot_fire(referee, firer) is None and not _beside_held(sight, firer):
            zones = at_once(r11_fire.zones_in_range(referee, firer), ())
            shots = [_shot(sight, firer, one) for one in r11_fire.targets_of(referee, firer, zones)]
            if shots:
                yield max(shots, key=lambda one: one.value)


def _beside_held(sight: Sight, firer: Piece) -> bool:
    """[12.2.2] Whether a unit stands where another cannot move on any more, so that it must."""
    return any(one.place == firer.place and one.id != firer.id and sight.referee.held(one) for one in sight.squads)


def _shot(sight: Sight, firer: Piece, target: Piece) -> Option:
    referee = sight.referee
    ammo = bool(firer.mark(AMMO)) and location_of(firer.place) in ("OG", "C", "R")
    hit = sight.estimates.shot(referee, r11_fire.shot_at(referee, firer, target, ammo))
    name = f"{firer.name} fires at {enemy_text(target)} at {target.place}"
    why = f"it has its effect with {hit:.0%}{' with CAAT Ammo' if ammo else ''} [11.2.2]"
    value = hit * _effect(sight, firer, target) * (FOLLOWED if sight.entrants(zone_of(target.place)) - {firer.id} else 1.0)
    return Option(value, PlannedAction("fire", {"unit": short(firer), "target": target.place}), name, why)


def _effect(sight: Sight, firer: Piece, target: Piece) -> float:
    """What a hit brings: a Zone with one enemy less, points for Guerillas, knowledge of a Suspect less its Sniper."""
    zone = zone_of(target.place)
    less = sight.begun(zone, target) - sight.begun(zone)
    if target.kind != SUSPECT:
        return less + (1.0 if kind_of(target) == GUERILLAS else 0.3)
    strong = fortified(sight.referee.position, zone)
    gone, sniper = (0.3, 0.2) if strong else (0.6, 0.1)
    back = 0.0 if firer.kind == TANK else sniper * 0.4 * (PIN + 0.5)
    return gone * less + (1 - gone) * SHOWN - back
