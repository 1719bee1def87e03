"""[7.3, 7.4] Fire activations: ranged infantry fire with return fire and advance, and mortar fire."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from companion.core.position import Piece, Position
from companion.core.requests import Choice, Choose, Confirm, Number, Odds, Pick, Text
from companion.core.text import plural
from companion.games.lzalbany import notation, odds, state
from companion.games.lzalbany.areas import JUNGLE, MORTAR_AREAS, TRANSITION, title
from companion.games.lzalbany.rules import r02_map, r07_melee, r08_hits
from companion.games.lzalbany.state import Side

if TYPE_CHECKING:
    from companion.games.lzalbany.referee import AlbanyReferee

DONE, MELEE = "done", "melee"
AIMED_TURN = 1
"""[7.3(4)] The turn on which fire may be aimed at officers."""
MORTAR_CAP = 2
"""[7.4(3)] The most hits that mortars leave on a unit."""


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
                for place in mortar_choices(referee, side, area, units, used.get(area, 0))
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

    def odds(self, referee: AlbanyReferee, side: Side, used: Mapping[str, int]) -> Odds:
        """The odds of each possible fire."""
        infantry, mortars = self.fires(referee, side, used)
        parts = {_fire_value(fire): fire_odds(referee, fire, _fire_title(fire)) for fire in infantry}
        for fire in mortars:
            barrage_odds = mortar_odds(referee, side, fire.area, fire.units, fire.targets[0], fire.used)
            parts[_fire_value(fire, f"{state.MORTAR} ")] = barrage_odds._replace(title=f"{state.MORTAR} {_fire_title(fire)}")
        return odds.choice_odds("Fire", "7.3", parts)

    def mortar_obstacle(self, referee: AlbanyReferee, side: Side) -> tuple[str, str] | None:
        """[7.8, 7.4, 7.4(1), 7.4(2)] Why the remaining mortars do not fire, with the rule."""
        if not self.mortars:
            return None
        where, foe = ", ".join(map(title, sorted(self.mortars))), state.enemy(side)
        if any(mortar_targets(referee, side, area) for area in self.mortars):
            return f"no die is left for the mortars in {where}", "7.4(2)"
        if any(referee.units(area, foe) and r02_map.in_sight(referee, side, area) for area in referee.held_areas(foe)):
            in_melee = ", or in a melee" if side == state.US else ""
            return f"all that {side} officers see is out of range of the mortars in {where}{in_melee}", "7.4"
        return f"no {side} officer sees a target for the mortars in {where}", "7.8"


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
    request = Choose("combat", f"{prompt} at what?", "7.3(1)", [*shots, done], shots[0].value, others, "fire")
    request.odds = lambda: options.odds(referee, side, used)
    request.has_quick_odds = request.is_repeatable = True

    def aimed(value: str) -> str:
        target = referee.data.planner(referee, side).aim(group, value)
        shot = f"{value} > {target}" if target else value
        return shot if shot in {choice.value for choice in shots} else value

    return await referee.decide(request, side, "combat", lambda planner: planner.combat(group, values), auto=True, value=aimed)


async def fire_action(referee: AlbanyReferee, side: Side, group: str) -> None:
    """[7.3, 7.4, 7.2] A Fire activation; in disputed areas melee takes its place, and none is omitted (ruling D-4)."""
    spent: set[str] = set()
    fought: set[str] = set()
    used: dict[str, int] = {}
    number = 0
    while True:
        options = FireOptions(referee, group, spent, fought)
        origins = options.origins(referee, side, used)
        if not origins or (len(origins) == 1 and options.melees):
            text, rule = options.mortar_obstacle(referee, side) or ("nothing else can be fired", "7.3(1)")
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
        if kind == state.MORTAR:
            used[area] = before + await mortar_fire(referee, side, area, units, before, target)
        else:
            helpers = officers_with(referee, units, area)
            used[area] = before + await infantry_fire(referee, side, area, units, helpers, before, target)
        spent |= {piece.id for piece in units}
    if not spent and not fought:
        referee.say(f"{referee.group_title(group)} does not fire.", "5.2A")
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
    choices, suggest = referee.area_choices(known, state.enemy(side)), known[0] if known else None
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
        faces = await referee.volley(self.key, f"{head}: hits on 6", self.rule, dice, r08_hits.room(victims))
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
    """[7.3(5)] Infantry of a side in an area that may return fire."""
    return [p for p in referee.units(area, side) if state.is_infantry(p) and state.may_fire(p) and state.strength(p, "fire")]


def return_fire_pool(referee: AlbanyReferee, side: Side, origin: str, place: str) -> r07_melee.Pool:
    """[7.3(5)] The dice of a side that returns fire."""
    units = return_fire_units(referee, side, origin)
    force = force_of(referee, side, origin, units, len(referee.officers(origin, side)))
    return r07_melee.pool_at(referee.dice_rules, force, aim_at(referee, side, place, referee.is_dark(origin, place)))


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
        if not units or not referee.is_present(place, state.enemy(side)):
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


def mortar_pool(referee: AlbanyReferee, side: Side, area: str, units: Sequence[Piece], target: str, used: int) -> r07_melee.Pool:
    """[7.4(2)] Sum of strengths; over-stacking and night count, jungle and officers do not."""
    force = r07_melee.Force(tuple(state.strength(piece, "fire") for piece in units), 0, referee.unit_count(area, side))
    aim = r07_melee.Aim(referee.unit_count(target, state.enemy(side)), False, referee.is_dark(target))
    return r07_melee.pool_at(referee.dice_rules, force, aim, used)


def mortar_targets(referee: AlbanyReferee, side: Side, area: str) -> list[str]:
    """[7.4(1), 7.8] Areas with enemy platoons in range and sight, as far as is known; disputed ones for the NVA only."""
    foe = state.enemy(side)
    return [
        target
        for target in referee.held_areas(foe)
        if target != TRANSITION
        and not (side == state.US and referee.is_disputed(target))
        and referee.unit_count(target, foe)
        and referee.map.within(area, target, MORTAR_AREAS) is not False
        and r02_map.in_sight(referee, side, target) is not False
    ]


def mortar_choices(referee: AlbanyReferee, side: Side, area: str, units: Sequence[Piece], used: int) -> list[str]:
    """[7.4(2), 11.1B] The targets at which a die is left."""
    targets = mortar_targets(referee, side, area)
    return [target for target in targets if mortar_pool(referee, side, area, units, target, used).dice]


async def mortar_fire(referee: AlbanyReferee, side: Side, area: str, units: Sequence[Piece], used: int, target: str = "") -> int:
    """[7.4] All activated mortars of an area fire at one target, asked if none was named; returns how many units fired."""
    target = target or await _ask_mortar_target(referee, side, area, units, used)
    while target != notation.NONE:
        pool = mortar_pool(referee, side, area, units, target, used)
        if await _check_mortar_target(referee, side, area, target, pool):
            await barrage(referee, side, area, units, target, used)
            return min(len(units), referee.dice_rules.may_fire(referee.unit_count(area, side), used))
        target = await _ask_mortar_target(referee, side, area, units, used)
    return 0


async def _ask_mortar_target(referee: AlbanyReferee, side: Side, area: str, units: Sequence[Piece], used: int) -> str:
    """[7.4(1)] The target, or `notation.NONE`."""
    known = mortar_choices(referee, side, area, units, used)
    foes = referee.held_areas(state.enemy(side))
    others = [Choice(place, title(place)) for place in foes if place not in known and place != TRANSITION]
    offered = known
    if referee.is_computer(side):
        within = partial(r02_map.in_range, referee, area, limit=MORTAR_AREAS)
        offered = [p for p in known if await r02_map.spotted(referee, side, p, "7.4") and await within(p)]
    prompt = f"{side}: at which area do the mortars in {title(area)} fire?"
    choices = [*referee.area_choices(offered, state.enemy(side)), r02_map.NO_CHOICE]
    request = Choose("target", prompt, "7.4(1)", choices, notation.NONE, others, "target")
    request.odds = lambda: odds.choice_odds(
        "Mortar fire", "7.4", {place: mortar_odds(referee, side, area, units, place, used) for place in offered}
    )
    request.has_quick_odds = True
    return await referee.decide(request, side, "target", lambda planner: planner.mortar_target(offered), auto=False)


async def barrage(
    referee: AlbanyReferee, side: Side, area: str, units: Sequence[Piece], target: str, used: int = 0
) -> r08_hits.AttackResult:
    """[7.4(2)] The dice of the mortars of an area at a target."""
    pool = mortar_pool(referee, side, area, units, target, used)
    dice = plural(pool.dice, "die", "dice")
    referee.say(f"Mortars fire at {title(target)} with {dice} ({referee.piece_names(units)}).", "7.4(2)", *pool.because)
    return r08_hits.AttackResult(pool.dice, await _resolve_barrage(referee, side, area, target, pool.dice) if pool.dice else 0)


async def _check_mortar_target(referee: AlbanyReferee, side: Side, area: str, target: str, pool: r07_melee.Pool) -> bool:
    """[7.4, 7.4(1)] Check range, sight and friends; False if the player has just said that it is out of range or sight."""
    if side == state.US and referee.is_disputed(target):
        referee.forbid("US mortars do not fire into a disputed area", "7.4(1)", "Choose another target")
    if not pool.dice:
        referee.forbid(f"no die is left for mortar fire at {title(target)}", "7.4(2)", "Choose another target, or none")
    known = referee.map.within(area, target, MORTAR_AREAS)
    if not await r02_map.in_range(referee, area, target, MORTAR_AREAS):
        text = f"{title(target)} is more than six areas from {title(area)}"
        if known is None:
            referee.say(f"{text}. Choose another target, or none.", "7.4")
            return False
        referee.forbid(text, "7.4", "Choose a nearer target")
    return await r02_map.confirm_sight(referee, side, target, "7.4")


async def _resolve_barrage(referee: AlbanyReferee, side: Side, area: str, target: str, dice: int) -> int:
    """[7.4(3), 7.4(4), 7.4(5)] Dice, hits on the enemy, hits on the own side, an officer."""
    hits_friends = side == state.NVA and referee.is_disputed(target)
    victims, friends = referee.units(target, state.enemy(side)), referee.units(target, side)
    columns = ("hit", "friendly") if hits_friends else ("hit",)

    def limit() -> int:
        return max(1, r08_hits.room(victims, MORTAR_CAP)(), r08_hits.room(friends, MORTAR_CAP)())

    prompt = f"Mortars in {title(area)} fire at {title(target)}: hits on 6"
    faces = await referee.volley("mortar", prompt, "7.4(3)", dice, limit, *columns)
    hits = referee.count(faces)
    referee.say(notation.volley_text("", faces, hits, title(target)), "7.4(3)")
    taken = await r08_hits.take_hits(referee, side, victims, hits, "7.4(3)", "mortars", cap=MORTAR_CAP) if hits else 0
    ones = referee.count(faces, "friendly") if hits_friends else 0
    if hits_friends:
        referee.say(f"Friendly fire on 1: {notation.hits_text(ones)} on the NVA in {title(target)}.", "7.4(4)")
    if ones:
        await _friendly_fire(referee, side, target, ones)
    if hits or ones:
        await r08_hits.officer_check(referee, target, state.SIDES, "7.4(5)")
    return taken


async def _friendly_fire(referee: AlbanyReferee, side: Side, target: str, ones: int) -> None:
    """[7.4(4)] Hits on own platoons, placed by the player who was fired at (ruling C-59)."""
    shooter, rule, why = state.enemy(side), "7.4(4)", "friendly fire"
    if referee.option("friendly_fire") == "owner":
        await r08_hits.take_hits(referee, shooter, referee.units(target, side), ones, rule, why, cap=MORTAR_CAP)
        return
    for _ in range(ones):
        await r08_hits.take_hits(referee, shooter, referee.units(target, side), 1, rule, why, (state.UNIT,), MORTAR_CAP)


def mortar_odds(referee: AlbanyReferee, side: Side, area: str, units: Sequence[Piece], target: str, used: int = 0) -> Odds:
    """The odds of mortar fire at one area."""
    table = referee.limited_to((area, target))
    outcomes = odds.enumerate_outcomes(table, lambda copy, _: barrage(copy, side, area, units, target, used))
    return odds.attack_odds(title(target), "7.4", side, outcomes, table.position.at(target))
