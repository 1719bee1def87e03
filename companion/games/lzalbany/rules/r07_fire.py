"""[7.3] Fire activations: ranged infantry fire with return fire and advance; mortars are in ``r07_mortars``."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial

from companion.core.hints import TYPE_CHECKING
from companion.core.named_tuple import NamedTuple
from companion.core.position import Piece, Position
from companion.core.requests import Choice, Choose, Confirm, Number, Odds, Pick, Text
from companion.core.text import plural
from companion.core.values import ReplyValue
from companion.games.lzalbany import notation, odds, state
from companion.games.lzalbany.areas import JUNGLE, TRANSITION, is_area, title
from companion.games.lzalbany.rules import r02_map, r07_melee, r07_mortars, r08_hits
from companion.games.lzalbany.state import Side

if TYPE_CHECKING:
    from companion.games.lzalbany.referee import AlbanyReferee

DONE, MELEE = "done", "melee"
AIMED_TURN = 1
"""[7.3(4)] The turn on which fire may be aimed at officers."""


class Fire(NamedTuple):
    """[7.3(1)] A combat of infantry or mortars: the primary target first, `helpers` are officers activated with the units.

    `used`: units of the area that have fired before.
    """

    side: Side
    area: str
    targets: tuple[str, ...]
    units: Sequence[Piece]
    helpers: Sequence[Piece] = ()
    used: int = 0


class FireOptions:
    """[5.2A] What an activated group can still do in a Fire activation: unfired units by area, and melees not yet fought."""

    def __init__(self, referee: AlbanyReferee, group: str, spent: set[str], fought: set[str]) -> None:
        self.infantry = firing_units(referee, group, state.INFANTRY, spent)
        self.mortars = firing_units(referee, group, (state.MORTAR,), spent)
        self._cache: tuple[tuple[Position, str, dict[str, int]], tuple[list[Fire], list[Fire]]] | None = None
        units = [p for p in referee.group(group) if p.kind == state.UNIT]
        self.melees = sorted({p.place for p in units if referee.is_disputed(p.place)} - fought)

    def fires(self, referee: AlbanyReferee, side: Side, used: Mapping[str, int]) -> tuple[list[Fire], list[Fire]]:
        """The possible fires of infantry and of mortars, at one area each. `used`: units of each area that have fired."""
        key = (referee.position, side, dict(used))
        if self._cache is None or self._cache[0][0] is not referee.position or self._cache[0][1:] != key[1:]:
            infantry = [
                Fire(side, area, (place,), units, officers_with(referee, units, area), used.get(area, 0))
                for area, units in sorted(self.infantry.items())
                for place in ranged_targets(referee, side, area)
            ]
            mortars = [
                Fire(side, area, (place,), units, (), used.get(area, 0))
                for area, units in sorted(self.mortars.items())
                for place in r07_mortars.mortar_choices(referee, side, area, units, used.get(area, 0))
            ]
            self._cache = key, ([fire for fire in infantry if has_dice(referee, fire)], mortars)
        return self._cache[1]

    def origins(self, referee: AlbanyReferee, side: Side, used: Mapping[str, int]) -> list[Choice]:
        """The areas that can fire next, and the melees."""
        choices: dict[str, Choice] = {}
        for prefix, fires in zip(("", f"{state.MORTAR} "), self.fires(referee, side, used), strict=True):
            for area, units in {fire.area: fire.units for fire in fires}.items():
                names = partial(referee.piece_names, units)
                choices[f"{prefix}{area}"] = Choice(f"{prefix}{area}", f"{prefix}{title(area)}", names)
        return [*choices.values(), *self._melee_choices(referee, side)]

    def _melee_choices(self, referee: AlbanyReferee, side: Side) -> list[Choice]:
        occupants = {area: partial(referee.occupants, area, side) for area in self.melees}
        return [Choice(f"{MELEE} {area}", f"{MELEE} {title(area)}", names) for area, names in occupants.items()]

    def shots(self, referee: AlbanyReferee, side: Side, used: Mapping[str, int]) -> list[Choice]:
        """The fires that are possible, each with its target, and the melees."""
        infantry, mortars = self.fires(referee, side, used)
        choices = [_fire_choice(referee, fire, "") for fire in infantry]
        choices += [_fire_choice(referee, fire, f"{state.MORTAR} ") for fire in mortars]
        return [*choices, *self._melee_choices(referee, side)]

    def suggested(self, referee: AlbanyReferee, side: Side, group: str, used: Mapping[str, int]) -> str | None:
        """The first fire or melee that is known to have dice and, for mortars, range and sight; None if there is none.

        Of infantry, only fire at an area that is known to be adjacent.
        """
        infantry, mortars = self.fires(referee, side, used)
        near = [fire for fire in infantry if referee.map.adjacent(fire.area, fire.targets[0])]
        seen = [fire for fire in mortars if r07_mortars.is_sure_target(referee, side, fire.area, fire.targets[0])]
        fights = [area for area in self.melees if r07_melee.group_dice(referee, side, group, area)]
        values = [*map(_fire_value, near), *(_fire_value(fire, f"{state.MORTAR} ") for fire in seen)]
        values += [f"{MELEE} {area}" for area in fights]
        return next(iter(values), None)

    def odds(self, referee: AlbanyReferee, side: Side, used: Mapping[str, int]) -> Odds:
        """The odds of each possible fire."""
        infantry, mortars = self.fires(referee, side, used)
        parts = {_fire_value(fire): fire_odds(referee, fire, _fire_title(fire)) for fire in infantry}
        for fire in mortars:
            barrage_odds = r07_mortars.mortar_odds(referee, side, fire.area, fire.units, fire.targets[0], fire.used)
            parts[_fire_value(fire, f"{state.MORTAR} ")] = barrage_odds._replace(title=f"{state.MORTAR} {_fire_title(fire)}")
        return odds.choice_odds("Fire", "7.3", parts)

    def obstacle(self, referee: AlbanyReferee, side: Side, group: str) -> tuple[str, str]:
        """[5.2A, 7.3, 7.4] Why a group cannot fire at all, with the rule."""
        units = [p for p in referee.group(group) if p.kind == state.UNIT and state.strength(p, "fire") and p.place != TRANSITION]
        if not units:
            return "it has no platoon on the map that could fire", "7.3(1)"
        if all(not state.may_fire(p) for p in units):
            return "markers forbid it", "3.5"
        for area in sorted(self.infantry):
            if lost := self._lost_dice(referee, side, area):
                return lost
        mortars = self.mortar_obstacle(referee, side)
        return mortars or ("no enemy is next to its platoons", "7.3")

    def _lost_dice(self, referee: AlbanyReferee, side: Side, area: str) -> tuple[str, str] | None:
        """[6.1, 7.3(3), 11.1B] That no die is left for the infantry of an area at its first target, with the rule."""
        units = self.infantry[area]
        for place in ranged_targets(referee, side, area):
            fire = Fire(side, area, (place,), units, officers_with(referee, units, area))
            return f"no die is left for fire from {title(area)} at {title(place)}", _lost_by(referee, fire)
        return None

    def obstacle_from(self, referee: AlbanyReferee, side: Side, area: str, is_mortar: bool) -> tuple[str, str] | None:
        """[7.3, 7.4] Why the infantry, or the mortars, of an area that has some fire at nothing, with the rule."""
        if is_mortar:
            return self.mortar_obstacle(referee, side, [area])
        return self._lost_dice(referee, side, area) or (f"no enemy that can be fired at is next to {title(area)}", "7.3")

    def mortar_obstacle(self, referee: AlbanyReferee, side: Side, areas: Sequence[str] = ()) -> tuple[str, str] | None:
        """[7.8, 7.4, 7.4(1), 7.4(2)] Why the remaining mortars, or those of some areas, do not fire, with the rule."""
        if not self.mortars:
            return None
        areas, foe = areas or sorted(self.mortars), state.enemy(side)
        where = ", ".join(map(title, areas))
        if any(r07_mortars.mortar_targets(referee, side, area) for area in areas):
            return f"no die is left for the mortars in {where}", "11.1B" if referee.night else "7.4(2)"
        if any(referee.units(area, foe) and r02_map.in_sight(referee, side, area) for area in referee.held_areas(foe)):
            in_melee = ", or in a melee" if side == state.US else ""
            return f"all that {side} officers see is out of range of the mortars in {where}{in_melee}", "7.4"
        dark = "; by night they see adjacent areas only" if referee.night else ""
        return f"no {side} officer sees a target for the mortars in {where}{dark}", "11.1A" if dark else "7.8"


def firing_units(
    referee: AlbanyReferee, group: str, types: Collection[str], spent: Collection[str] = ()
) -> dict[str, list[Piece]]:
    """[5.2A, 7.3, 7.4] The units of a group, of some types, that can fire at another area, by area; without those spent."""
    by_area: dict[str, list[Piece]] = {}
    for piece in referee.group(group):
        if piece.kind != state.UNIT or state.type_of(piece) not in types or piece.id in spent:
            continue
        able = state.may_fire(piece) and state.strength(piece, "fire") > 0
        if able and piece.place != TRANSITION and not referee.is_disputed(piece.place):
            by_area.setdefault(piece.place, []).append(piece)
    return by_area


def can_fire(referee: AlbanyReferee, side: Side, group: str) -> bool:
    """[5.2A] True if a Fire of the group is known to do something: a combat with dice, or a melee."""
    return FireOptions(referee, group, set(), set()).suggested(referee, side, group, {}) is not None


def _lost_by(referee: AlbanyReferee, fire: Fire) -> str:
    """The rule by which no die is left for fire at an area: over-stacking, night or jungle."""
    stack = referee.unit_count(fire.area, fire.side)
    if not referee.dice_rules.may_fire(stack, fire.used):
        return "6.1"
    if referee.is_dark(fire.area, fire.targets[0]) and referee.map.terrain(fire.targets[0]) != JUNGLE:
        return "11.1B"
    return "7.3(3)"


def officers_with(referee: AlbanyReferee, units: Sequence[Piece], area: str) -> list[Piece]:
    """Unwounded officers of the units' group in their area."""
    group = state.group_of(units[0])
    return [p for p in referee.officers(area, state.side_of(units[0])) if group and state.group_of(p) == group]


def _fire_title(fire: Fire) -> str:
    return f"{title(fire.area)} > {title(fire.targets[0])}"


def _fire_choice(referee: AlbanyReferee, fire: Fire, prefix: str) -> Choice:
    def note() -> str:
        return f"{referee.piece_names(fire.units)} at {referee.occupants(fire.targets[0], state.enemy(fire.side))}"

    return Choice(_fire_value(fire, prefix), f"{prefix}{_fire_title(fire)}", note)


def _fire_value(fire: Fire, prefix: str = "") -> str:
    return f"{prefix}{fire.area} > {fire.targets[0]}"


class CombatRequest(Choose):
    """Asks for the next fire; of an area that fires, several targets can be named: ``c2 > c1, c3``."""

    __slots__ = ()

    def _joined(self, text: str) -> str:
        """Several targets of one area in normal form; "" if the text does not name several that are offered."""
        where, arrow, targets = text.partition(">")
        parts = [part.strip() for part in targets.split(",") if part.strip()]
        if not arrow or len(parts) < 2 or where.strip().startswith(state.MORTAR):
            return ""
        shots = {choice.value for choice in self.choices}
        wanted = [f"{where.strip()} > {part}".casefold() for part in parts]
        return (
            f"{where.strip()} > {', '.join(parts)}".casefold()
            if len(set(wanted)) == len(wanted) and shots.issuperset(wanted)
            else ""
        )

    def read(self, text: str) -> str:
        return self._joined(text) or super().read(text)

    def check(self, value: ReplyValue) -> str:
        return self._joined(value) or super().check(value) if isinstance(value, str) else super().check(value)

    def is_excluded(self, text: str) -> bool:
        return not self._joined(text) and super().is_excluded(text)


async def _next_combat(
    referee: AlbanyReferee,
    side: Side,
    group: str,
    number: int,
    options: FireOptions,
    origins: Sequence[Choice],
    used: Mapping[str, int],
) -> str:
    """[7.3(1)] Ask for the next fire; an area named alone is asked for its targets, which may be several."""
    done = Choice(DONE, "done")
    values = [choice.value for choice in origins]
    prompt = f"{side}: {referee.group_title(group)} fires{f' (fire {number})' if number > 1 else ''}. From where"
    if referee.is_computer(side):
        request = Choose("combat", f"{prompt}?", "7.3(1)", [*origins, done], origins[0].value)
        request.is_repeatable = True
        return await referee.decide(request, side, "combat", lambda planner: planner.combat(group, values), auto=True)
    shots = options.shots(referee, side, used)
    others = [choice for choice in origins if choice not in shots]
    suggest = options.suggested(referee, side, group, used) or (DONE if number > 1 else None)
    request = CombatRequest("combat", f"{prompt} at what?", "7.3(1)", [*shots, done], suggest, others, "fire")
    request.why_not = partial(why_no_fire, referee, side, group, options, used)
    request.odds = lambda: options.odds(referee, side, used)
    request.has_quick_odds = request.is_repeatable = True

    def aimed(value: str) -> str:
        target = referee.data.planner(referee, side).aim(group, value)
        shot = f"{value} > {target}" if target else value
        return shot if shot in {choice.value for choice in shots} else value

    return await referee.decide(request, side, "combat", lambda planner: planner.combat(group, values), auto=True, value=aimed)


def why_no_fire(
    referee: AlbanyReferee, side: Side, group: str, options: FireOptions, used: Mapping[str, int], text: str
) -> tuple[str, str] | None:
    """[7.2A, 7.3, 7.4] Why a fire such as ``mortar c1 > c2``, or a melee, is impossible, with the rule; None without an area."""
    where, _, goals = text.partition(">")
    kind, _, name = where.strip().casefold().rpartition(" ")
    area = referee.area_called(name)
    if not area:
        return None
    if not kind and not goals and any(area in fire.targets for fires in options.fires(referee, side, used) for fire in fires):
        return f"{title(area)} can be fired at, and the fire begins with the area that it comes from", "7.3(1)"
    if kind == MELEE:
        if not referee.is_disputed(area):
            return f"{title(area)} is not disputed: no melee is fought there", "7.2"
        return f"no melee of {referee.group_title(group)} is left in {title(area)}", "7.2"
    if referee.is_disputed(area):
        return f"{title(area)} is disputed, and nobody fires out of it", "7.2A"
    is_mortar = kind == state.MORTAR
    units = (options.mortars if is_mortar else options.infantry).get(area, [])
    if not units:
        return _why_nobody_fires(referee, side, group, area, is_mortar)
    if not goals:
        return options.obstacle_from(referee, side, area, is_mortar)
    for place in (referee.area_called(goal) for goal in goals.split(",")):
        if place and (reason := _why_not_at(referee, side, area, place, units, used.get(area, 0), is_mortar)):
            return reason
    return None


def _why_nobody_fires(referee: AlbanyReferee, side: Side, group: str, area: str, is_mortar: bool) -> tuple[str, str]:
    """Why no infantry, or no mortar, of a group fires from an area, with the rule."""
    rule, what = ("7.4", "mortar") if is_mortar else ("7.3(1)", "infantry platoon")
    types = (state.MORTAR,) if is_mortar else state.INFANTRY
    own = [p for p in referee.units(area, side) if state.group_of(p) == group and state.type_of(p) in types]
    if not own:
        return f"no {what} of {referee.group_title(group)} is in {title(area)}", rule
    if all(not state.may_fire(piece) for piece in own):
        return f"a marker forbids {referee.piece_names(own)} to fire", "3.5"
    if area == TRANSITION:
        return f"nobody fights in the {title(area)}", "6.5"
    return f"{referee.piece_names(own)} has fired with this chit, or has no fire strength", rule


def _why_not_at(
    referee: AlbanyReferee, side: Side, area: str, place: str, units: Sequence[Piece], used: int, is_mortar: bool
) -> tuple[str, str] | None:
    """Why units of an area do not fire at a place, with the rule; None if nothing is against it."""
    foe, at = state.enemy(side), title(place)
    if not referee.is_present(place, foe) or place == TRANSITION:
        return f"no enemy to fire at is in {at}", "7.4(1)" if is_mortar else "7.3(1)"
    if not is_mortar:
        if referee.is_disputed(place):
            return f"{at} is disputed, and nobody fires into it", "7.2A"
        if referee.map.adjacent(area, place) is False:
            return f"{at} is not next to {title(area)}", "7.3"
        if not referee.unit_count(place, foe) and referee.turn != AIMED_TURN:
            return f"only officers are in {at}; they are aimed at on turn 1", "7.3(4)"
        if referee.unit_count(place, side):
            return f"the {side} itself has units in {at}", "7.3(1)"
        fire = Fire(side, area, (place,), units, officers_with(referee, units, area), used)
        return None if has_dice(referee, fire) else (f"no die is left for fire at {at}", _lost_by(referee, fire))
    return r07_mortars.mortar_obstacle(referee, side, area, units, used, place)


async def _choose_firing(referee: AlbanyReferee, side: Side, area: str, units: Sequence[Piece], used: int) -> Sequence[Piece]:
    """[6.1] The units that fire from an over-stacked area: its owner chooses them, the strongest by default (ruling C-1)."""
    able = referee.dice_rules.may_fire(referee.unit_count(area, side), used)
    ranked = sorted(units, key=lambda piece: -state.strength(piece, "fire"))
    if not 0 < able < len(units) or not referee.interactive or referee.is_computer(side):
        return units
    choices = [Choice(p.name, p.name, f"fire {state.strength(p, 'fire')}") for p in ranked]
    prompt = f"{side}: {title(area)} is over-stacked. Which {able} of its platoons fire?"
    request = Pick("firing", prompt, "6.1", choices, able, able, [p.name for p in ranked[:able]], whole=False)
    request.why_not = partial(_why_not_firing, referee, side, area, units[0])
    names = await referee.for_side(side, request)
    return [piece for piece in units if piece.name in names]


def _why_not_firing(referee: AlbanyReferee, side: Side, area: str, unit: Piece, name: str) -> tuple[str, str] | None:
    """[3.5, 5.2, 7.3(1), 7.4] Why a counter that is named does not fire with a unit from its area, with the rule."""
    group = state.group_of(unit)
    piece = referee.counter_called(name, side, group)
    if piece is None or not is_area(piece.place):
        return None
    is_mortar = state.type_of(unit) == state.MORTAR
    rule, what = ("7.4", "mortars") if is_mortar else ("7.3(1)", "infantry platoons")
    if state.side_of(piece) != side or piece.place != area:
        return f"{piece.name} is in {title(piece.place)}, and {side} {what} fire from {title(area)}", rule
    if state.type_of(piece) not in ((state.MORTAR,) if is_mortar else state.INFANTRY):
        return f"{piece.name} is none of the {what} that fire from {title(area)}", rule
    if state.group_of(piece) != group:
        groups = referee.group_title(state.group_of(piece)), referee.group_title(group)
        return f"{piece.name} belongs to {groups[0]}, and this chit activates {groups[1]}", "5.2"
    if not state.may_fire(piece):
        return f"a marker forbids {piece.name} to fire", "3.5"
    return f"{piece.name} has fired with this chit, or has no fire strength", rule


async def fire_action(referee: AlbanyReferee, side: Side, group: str) -> None:
    """[7.3, 7.4, 7.2] A Fire activation; in disputed areas melee takes its place, and none is omitted (ruling D-4)."""
    spent: set[str] = set()
    fought: set[str] = set()
    used: dict[str, int] = {}
    number, why, rule = 0, "", "5.2A"
    while True:
        options = FireOptions(referee, group, spent, fought)
        origins = options.origins(referee, side, used)
        if not origins or (len(origins) == 1 and options.melees):
            text, rule = options.mortar_obstacle(referee, side) or ("nothing else can be fired", "7.3(1)")
            if not origins and not spent:
                text, rule = options.obstacle(referee, side, group)
                why = f": {text}"
            referee.skip_question("combat", text, rule, equivalent=(DONE, *(choice.value for choice in origins)))
            break
        number += 1
        chosen = await _next_combat(referee, side, group, number, options, origins, used)
        where, _, target = chosen.partition(" > ")
        kind, _, area = where.rpartition(" ")
        if chosen == DONE:
            break
        if kind == MELEE:
            fought.add(area)
            spent |= {piece.id for piece in referee.group(group) if piece.place == area}
            await r07_melee.melee(referee, side, area, referee.group(group))
            continue
        units = options.mortars[area] if kind == state.MORTAR else options.infantry[area]
        before = used.get(area, 0)
        firing = await _choose_firing(referee, side, area, units, before)
        if kind == state.MORTAR:
            used[area] = before + await r07_mortars.mortar_fire(referee, side, area, firing, before, target)
        else:
            helpers = officers_with(referee, firing, area) if firing else []
            used[area] = before + await infantry_fire(referee, side, area, firing, helpers, before, target)
        spent |= {piece.id for piece in units}
    if not spent and not fought:
        referee.say(f"{referee.group_title(group)} does not fire{why}.", rule if why else "5.2A")
    await r07_melee.melees(referee, side, referee.group(group), sorted(fought))


def ranged_targets(referee: AlbanyReferee, side: Side, area: str) -> list[str]:
    """[7.3, 7.2A, 7.3(4)] Adjacent areas, as far as is known, with enemy platoons and none of the own side.

    On turn 1 areas with enemy officers alone as well.
    """
    foe, area_map = state.enemy(side), referee.map
    return [
        place
        for place in referee.held_areas(foe)
        if place not in (area, TRANSITION)
        and area_map.adjacent(area, place) is not False
        and (referee.turn == AIMED_TURN or referee.unit_count(place, foe))
        and not referee.unit_count(place, side)
    ]


def force_of(referee: AlbanyReferee, side: Side, area: str, units: Sequence[Piece], officers: int) -> r07_melee.Force:
    """The units that fire from an area."""
    return r07_melee.Force(tuple(state.strength(p, "fire") for p in units), officers, referee.unit_count(area, side))


def aim_at(referee: AlbanyReferee, side: Side, place: str, dark: bool) -> r07_melee.Aim:
    """The conditions of fire at an area; unknown terrain counts as open."""
    return r07_melee.Aim(referee.unit_count(place, state.enemy(side)), referee.map.terrain(place) == JUNGLE, dark)


def has_dice(referee: AlbanyReferee, fire: Fire) -> bool:
    """[7.3(2), 7.3(3), 11.1B] True if a die is left for an area with all possible helpers; unknown terrain counts as open."""
    (place,) = fire.targets
    seniors = sum(r08_hits.can_join(referee, officer) for officer in referee.officers(fire.area, fire.side))
    force = force_of(referee, fire.side, fire.area, fire.units, len(fire.helpers) + seniors)
    aim = aim_at(referee, fire.side, place, referee.is_dark(fire.area, place))
    return bool(r07_melee.pool_at(referee.dice_rules, force, aim, fire.used).dice)


async def infantry_fire(
    referee: AlbanyReferee, side: Side, area: str, units: Sequence[Piece], helpers: Sequence[Piece], used: int, target: str = ""
) -> int:
    """[7.3(1)] All activated infantry of an area fires, asked if no target was named; returns how many units fired."""
    fires = {place: Fire(side, area, (place,), units, helpers, used) for place in ranged_targets(referee, side, area)}
    text = target or await _ask_targets(referee, side, area, units, fires)
    targets = tuple(text.split(", "))
    _check_targets(referee, side, area, targets)
    for place in targets if len(targets) == 1 else ():
        if place in fires and not has_dice(referee, fires[place]):
            referee.forbid(f"no die is left for fire at {title(place)}", "7.3(3)", "Fire elsewhere, or not at all")
    await r02_map.infer_adjacency(referee, [(area, place) for place in targets], "7.3")
    fire, stack = Fire(side, area, targets, units, helpers, used), referee.unit_count(area, side)
    volleys = await prepare(referee, fire)
    await odds.play(referee, volleys.parts)
    fired = min(len(units), referee.dice_rules.may_fire(stack, used))
    await _advance(referee, fire._replace(helpers=[referee.piece(officer) for officer in volleys.helpers]), fired)
    return fired


async def _ask_targets(referee: AlbanyReferee, side: Side, area: str, units: Sequence[Piece], fires: Mapping[str, Fire]) -> str:
    """[7.3(1)] The target areas of an area; `fires` holds the known possibilities."""
    known = [place for place, fire in fires.items() if has_dice(referee, fire)]
    choices = referee.area_choices(known, state.enemy(side))
    suggest = next((place for place in known if referee.map.adjacent(area, place)), None)
    prompt = f"{side}: at which areas does {title(area)} fire? ({referee.piece_names(units)}; of several the primary one first)"
    request = Text("target", prompt, "7.3(1)", r02_map.areas_notation(referee), choices, suggest)
    head = f"Fire from {title(area)}"
    request.odds = lambda: odds.choice_odds(head, "7.3", {place: fire_odds(referee, fires[place]) for place in known})
    request.has_quick_odds = True
    return await referee.decide(request, side, "target", lambda planner: planner.fire_target(area, known), auto=False)


async def prepare(referee: AlbanyReferee, fire: Fire) -> Volleys:
    """[7.3(2), 7.3(3)] The volleys in order: at each target, then from each target in return."""
    able = min(len(fire.units), referee.dice_rules.may_fire(referee.unit_count(fire.area, fire.side), fire.used))
    helpers = (*fire.helpers, *await r08_hits.joining(referee, fire.side, fire.area, able - len(fire.helpers)))
    force = force_of(referee, fire.side, fire.area, fire.units, len(helpers))
    shares = await _ask_shares(referee, fire, force)
    for place in fire.targets:
        await r02_map.terrain_of(referee, place, "7.3(3)")
    aims = [aim_at(referee, fire.side, place, referee.is_dark(fire.area, place)) for place in fire.targets]
    pools = r07_melee.fire_pools(referee.dice_rules, force, aims, shares, fire.used)
    shots = [
        Volley(fire.side, fire.area, place, pool, place == fire.targets[0], "fire", "7.3(4)")
        for place, pool in zip(fire.targets, pools, strict=True)
    ]
    answers = [ReturnFire(state.enemy(fire.side), place, fire.area) for place in fire.targets]
    return Volleys(tuple(shots), tuple(answers), tuple(officer.id for officer in helpers))


def _check_targets(referee: AlbanyReferee, side: Side, area: str, targets: Sequence[str]) -> None:
    for place in targets:
        if not referee.is_present(place, state.enemy(side)):
            referee.forbid(f"no enemy is in {title(place)}", "7.3(1)", "Choose another target")
        elif referee.turn != AIMED_TURN and not referee.unit_count(place, state.enemy(side)):
            text = f"only officers are in {title(place)}; they are aimed at on turn 1"
            referee.forbid(text, "7.3(4)", "Choose another target")
        if referee.is_disputed(place):
            referee.forbid(f"{title(place)} is disputed, and nobody fires into it", "7.2A", "Choose another target")
        elif referee.units(place, side):
            referee.forbid(f"the {side} itself has units in {title(place)}", "7.3(1)", "Choose another target")
        if referee.map.adjacent(area, place) is False:
            referee.forbid(f"{title(place)} is not next to {title(area)}", "7.3", "Infantry fires at adjacent areas")


async def _ask_shares(referee: AlbanyReferee, fire: Fire, force: r07_melee.Force) -> list[int]:
    """[7.3(2)] The dice assigned to each of several areas; the last one gets the rest."""
    left = sum(r07_melee.unit_dice(referee.dice_rules, force, fire.used)[0])
    shares: list[int] = []
    for number, place in enumerate(fire.targets[:-1]):
        even = left // (len(fire.targets) - number)
        request = Number("dice", f"How many of {plural(left, 'die', 'dice')} go to {title(place)}?", "7.3(2)", 0, 40, even)
        request.odds = lambda: fire_odds(referee, fire, "Fire divided evenly")
        dice = await referee.for_side(fire.side, request)
        if dice > left:
            text = f"{plural(dice, 'die', 'dice')} at {title(place)}, and there are {left}"
            referee.forbid(text, "7.3(2)", f"At most {left}")
        shares.append(min(dice, left))
        left -= shares[-1]
    return shares


class VolleyResult(NamedTuple):
    """Whether a volley scored a hit, and the hits that were taken."""

    scored: bool
    hits: int


class Volley(NamedTuple):
    """A roll of infantry fire: the dice, and whether the firer places the first hit."""

    side: Side
    origin: str
    place: str
    pool: r07_melee.Pool
    is_primary: bool
    key: str
    rule: str

    @property
    def parts(self) -> tuple[odds.Part, ...]:
        return self.fire, self.check

    async def fire(self, referee: AlbanyReferee, results: odds.Results = ()) -> VolleyResult:
        """[7.3(4)] Roll; the firer places the first hit in the primary area, the owner all others."""
        dice, victims = self.pool.dice, referee.pieces(self.place, state.enemy(self.side))
        head = f"The {self.side} fires from {title(self.origin)} at {title(self.place)}"
        referee.say(f"{head} with {plural(dice, 'die', 'dice')}.", "7.3(2)", *self.pool.because)
        faces = await referee.volley(self.key, f"{head}: hits on 6", self.rule, dice, r08_hits.room(victims), side=self.side)
        hits = referee.count(faces)
        if dice:
            referee.say(notation.volley_text("", faces, hits, title(self.place)), self.rule)
        if not hits:
            return VolleyResult(False, 0)
        aimed = referee.turn == AIMED_TURN
        first = (r08_hits.ANYBODY if aimed else r08_hits.NO_OFFICER) if self.is_primary else (r08_hits.OWNERS,) if aimed else ()
        return VolleyResult(True, await r08_hits.take_hits(referee, self.side, victims, hits, self.rule, "infantry fire", first))

    async def check(self, referee: AlbanyReferee, results: odds.Results) -> None:
        """[7.3(4), 10.4] After any hit, applied or not, check one officer there (ruling C-11)."""
        if results[-1].scored and referee.option("fire_casualties") != "off":
            await r08_hits.officer_check(referee, self.place, (state.enemy(self.side),), "7.3(4)")


def return_fire_units(referee: AlbanyReferee, side: Side, area: str) -> list[Piece]:
    """[7.3(5)] The units of a side in an area that may return fire: infantry, or mortars too (ruling C-36)."""
    types = (*state.INFANTRY, state.MORTAR) if referee.option("return_by") == "all" else state.INFANTRY
    return [p for p in referee.units(area, side) if state.type_of(p) in types and state.may_fire(p) and state.strength(p, "fire")]


def return_fire_pool(referee: AlbanyReferee, side: Side, origin: str, place: str) -> r07_melee.Pool:
    """[7.3(5)] The dice of a side that returns fire."""
    units = return_fire_units(referee, side, origin)
    force = force_of(referee, side, origin, units, len(referee.officers(origin, side)))
    return r07_melee.pool_at(referee.dice_rules, force, aim_at(referee, side, place, referee.is_dark(origin, place)))


def _has_targets(referee: AlbanyReferee, side: Side, place: str) -> bool:
    """[7.3(4)] True if a side can fire at an area: an enemy platoon is there, or on turn 1 an unwounded officer."""
    foe = state.enemy(side)
    return bool(referee.unit_count(place, foe)) or (referee.turn == AIMED_TURN and referee.is_present(place, foe))


class ReturnFire(NamedTuple):
    """[7.3(5)] The survivors of a target area fire back at the firing area."""

    side: Side
    origin: str
    place: str

    @property
    def parts(self) -> tuple[odds.Part, ...]:
        return self.fire, self.check

    async def fire(self, referee: AlbanyReferee, results: odds.Results = ()) -> VolleyResult:
        """[7.3(5)] Return fire if possible and wanted."""
        side, origin, place = self
        units = return_fire_units(referee, side, origin)
        if silent := [p for p in referee.units(origin, side) if p not in units and state.type_of(p) == state.MORTAR]:
            referee.say(f"{referee.piece_names(silent)}: mortars do not return fire.", "7.3(5)")
        if not units:
            return VolleyResult(False, 0)
        if not _has_targets(referee, side, place):
            referee.skip_question("return", f"no platoon is left in {title(place)}", "7.3(4)", equivalent=("yes", "no"))
            return VolleyResult(False, 0)
        if not return_fire_pool(referee, side, origin, place).dice:
            referee.say(f"The {side} in {title(origin)} has no dice to return fire.", "7.3(5)")
            referee.skip_question("return", "there are no dice for it", "7.3(5)", equivalent=("yes", "no"))
            return VolleyResult(False, 0)
        if referee.option("answer_fire") == "always":
            referee.skip_question("return", "it is always given in this session", "7.3(5)", equivalent=("yes",))
        else:
            prompt = f"{side} in {title(origin)}: return fire at {title(place)}? ({referee.piece_names(units)})"
            request = Confirm("return", prompt, "7.3(5)", True)
            if not await referee.decide(request, side, "return", lambda planner: planner.return_fire(), auto=True):
                return VolleyResult(False, 0)
        await r02_map.terrain_of(referee, place, "7.3(3)")
        return await self._volley(return_fire_pool(referee, side, origin, place)).fire(referee)

    async def check(self, referee: AlbanyReferee, results: odds.Results) -> None:
        """[7.3(5), 10.4] Check an officer, as for the fire that is answered."""
        await self._volley(r07_melee.NO_POOL).check(referee, results)

    def _volley(self, pool: r07_melee.Pool) -> Volley:
        return Volley(self.side, self.origin, self.place, pool, True, "return_fire", "7.3(5)")


async def _advance(referee: AlbanyReferee, fire: Fire, fired: int) -> None:
    """[7.3(6)] Units that fired and officers who took part may enter a primary area without enemy platoons."""
    side, area, primary = fire.side, fire.area, fire.targets[0]
    units = sorted(fire.units, key=lambda piece: -state.strength(piece, "fire"))[:fired]
    ready = [referee.piece(p.id) for p in (*units, *fire.helpers)]
    ready = [p for p in ready if p.place == area and state.is_unwounded(p)]
    if referee.unit_count(primary, state.enemy(side)) or not ready:
        return
    choices = [Choice(piece.name, piece.name) for piece in ready]
    prompt = f"{title(primary)} is empty of the enemy. Who of the {side} advances into it?"
    request = Pick("advance", prompt, "7.3(6)", choices, suggest=())

    def why_not(name: str) -> tuple[str, str] | None:
        piece = referee.counter_called(name, side)
        if piece is None or not is_area(piece.place):
            return None
        return f"{piece.name} has not fired from {title(area)} in this combat", "7.3(6)"

    request.why_not = why_not
    names = await referee.decide(request, side, "advance", lambda planner: planner.advance(primary, ready), auto=True)
    for piece in [piece for piece in ready if piece.name in names]:
        referee.move(piece.id, primary, "7.3(6)", "advance")


class Volleys(NamedTuple):
    """[7.3(4), 7.3(5)] The fire at each target area, the return fire from each, and the officers who take part."""

    shots: tuple[Volley, ...]
    answers: tuple[ReturnFire, ...]
    helpers: tuple[str, ...]

    @property
    def parts(self) -> tuple[odds.Part, ...]:
        shots = [part for shot in self.shots for part in shot.parts]
        return (*shots, *(part for answer in self.answers for part in answer.parts))


def fire_odds(referee: AlbanyReferee, fire: Fire, head: str = "") -> Odds:
    """The odds of fire and return fire with officer checks; for several areas the dice are divided evenly."""
    table = referee.limited_to((fire.area, *fire.targets))
    volleys = odds.settled(prepare(table, fire))
    parts = [_pair_odds(table, shot, answer) for shot, answer in zip(volleys.shots, volleys.answers, strict=True)]
    return parts[0]._replace(title=head or parts[0].title) if len(parts) == 1 else odds.join_odds(head, "7.3", parts)


def _pair_odds(table: AlbanyReferee, shot: Volley, answer: ReturnFire) -> Odds:
    outcomes = odds.enumerate_outcomes(table.limited_to((shot.origin, shot.place)), *shot.parts, *answer.parts)
    targets = outcomes.fates(table.pieces(shot.place, answer.side))
    own_left = ("no firing platoon left", outcomes.cleared(shot.side))
    sections = (
        (f"Hits ({plural(shot.pool.dice, 'die', 'dice')})", outcomes.numbers()),
        ("Target", (*targets, ("no platoon left there", outcomes.cleared(answer.side)))),
        ("Hits by return fire", outcomes.numbers(part=2)),
        ("Firing side", (*outcomes.fates(table.pieces(shot.origin, shot.side)), own_left)),
    )
    means = (("hits", outcomes.mean()), ("hits by return fire", outcomes.mean(part=2)))
    return Odds(title(shot.place), "7.3", sections, means, (odds.PLACED, *shot.pool.because))
