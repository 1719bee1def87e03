"""[13.0] The Assault Phase: scenes, legal Assaults, the Assault and the advance, Flooding; described Assaults."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import partial

from companion.core.dice import cup_contents
from companion.core.errors import Impossible
from companion.core.graph import distances
from companion.core.hints import Any
from companion.core.named_tuple import NamedTuple
from companion.core.notation import read_counter_lots
from companion.core.odds import distribution
from companion.core.position import Piece
from companion.core.requests import AnyRequest, Choice, Choose, Confirm, LazyText, Number, Odds, Text
from companion.games.phantomfury import odds, state
from companion.games.phantomfury.notation import MOSQUE
from companion.games.phantomfury.referee import ASSAULT, FuryReferee
from companion.games.phantomfury.rules import r03_basics, r12_paths, r13_combat
from companion.games.phantomfury.rules.r13_combat import AssaultType, Scene, Stage
from companion.games.phantomfury.state import Enemy, Fighter


def scene_of(referee: FuryReferee, squad: Piece, targets: Sequence[Piece], plain: bool = False) -> Scene:
    """The scene of an Assault against these counters of one Zone, from the position."""
    zone = state.zone_of(targets[0].place)
    now = scene_in(referee, squad, zone, enemies_of(targets), plain)
    return now._replace(apart=len(targets) < len(enemies_left(referee, zone)))


def enemies_of(counters: Sequence[Piece]) -> tuple[Enemy, ...]:
    """Enemy counters as values."""
    named = ((piece, "" if piece.kind == state.SUSPECT else piece.name) for piece in counters)
    return tuple(Enemy(state.kind_of(piece), state.cf_of(piece), name) for piece, name in named)


def enemies_left(referee: FuryReferee, zone: str) -> list[Piece]:
    """[13.4.8] The enemies still in a Zone, in the order of Flooding."""
    enemies = referee.enemies_in(zone)
    order = r13_combat.flood_order(state.location_of(piece.place) for piece in enemies)
    return sorted(enemies, key=lambda piece: order.index(state.location_of(piece.place)))


def flooded_enemies(referee: FuryReferee, zone: str, start: str, fallen: str = "") -> list[Piece]:
    """[13.4.8.1] The enemies that a squad floods, in order, without those never reached (ruling C-70); ``fallen`` is empty."""
    rest, current, targets = [piece for piece in enemies_left(referee, zone) if piece.place != fallen], start, []
    while rest:
        held = {piece.place for piece in rest}
        spots = ((piece, foothold(referee, current, piece.place, held)) for piece in rest)
        target, spot = next((pair for pair in spots if pair[1]), (None, ""))
        if target is None:
            break
        current = spot
        rest.remove(target)
        targets.append(target)
    return targets


def foothold(referee: FuryReferee, start: str, goal: str, held: Collection[str]) -> str:
    """[13.4.8.1] The nearest place Adjacent to a Location that a squad reaches through free Locations of its Zone; "" if none."""
    town, position, zone = referee.town, referee.position, state.zone_of(goal)

    def steps(where: str) -> list[str]:
        near = [other for other in town.next_to(where) if state.zone_of(other) == zone and other not in held]
        return [other for other in near if not any(state.is_squad(piece) for piece in position.at(other))]

    return next((where for where in distances([start], steps) if goal in town.next_to(where)), "")


def scene_in(referee: FuryReferee, squad: Piece, zone: str, enemies: tuple[Enemy, ...], plain: bool = False) -> Scene:
    """The scene of a squad against enemies in a Zone, with everything in effect there."""
    return Scene(
        referee.fighter(squad),
        enemies,
        referee.is_fortified(zone),
        zone == MOSQUE,
        referee.near_fury(state.zone_of(squad.place)),
        referee.zone_marker(zone, state.FANATICISM) is not None,
        bool(referee.elements_in(zone)),
        referee.zone_marker(zone, state.NO_EVENT) is not None,
        plain=plain,
        both=referee.option("explosives_drm") == "both",
        cup=tuple(referee.cup(state.INSURGENTS_CUP).items()),
    )


async def ask_enemy(rule: str) -> Enemy:
    """Ask for one enemy."""
    prompt = "Against: s (Suspect), g2 (Guerillas CF 2), m3 (Martyrs CF 3)"
    return state.read_enemy(await Text("enemy", prompt, rule, state.ENEMY))


async def ask_extras(rule: str) -> list[str]:
    """Ask for the circumstances."""
    text = await Text("with", f"Besides: {', '.join(state.CIRCUMSTANCES)}", rule, state.EXTRAS, suggest=state.NOTHING)
    return [] if text == state.NOTHING else text.split(", ")


async def ask_type() -> AssaultType:
    """[13.1 - 13.3] Ask for the type of an Assault."""
    choices = [Choice(kind, kind) for kind in r13_combat.TYPES]
    answer = await Choose("type", "Type of the Assault", "13.0", choices, r13_combat.TYPES[0])
    return next(kind for kind in r13_combat.TYPES if kind == answer)


def sample_cup(referee: FuryReferee) -> r13_combat.Cup:
    """The Insurgents cup of the session, or our sample."""
    held = cup_contents(referee.position, state.INSURGENTS_CUP)
    if held:
        return tuple(held.items())
    lots: dict[str, int] = {}
    for values, count in read_counter_lots(referee.chart("sample").text("insurgents", "values")):
        lots[state.insurgent_name(*state.read_sides(values))] = count
    return tuple(sorted(lots.items()))


async def describe(referee: FuryReferee, enemies: tuple[Enemy, ...], rule: str) -> Scene:
    """Ask for the squad and the circumstances of a described scene."""
    cf = await Number("cf", "CF of the squad as it is now", rule, 1, 9, 5)
    words = await ask_extras(rule)
    steps = 1 if "reduced" in words else 2
    return Scene(
        Fighter(cf + int(steps == 1), steps, caat="caat" in words, iif="iif" in words),
        enemies,
        "fortified" in words or "mosque" in words,
        "mosque" in words,
        "fury" in words,
        "fanaticism" in words,
        "element" in words,
        "quiet" in words,
        (0.0 if "trapped" in words else 1.0,),
        both=referee.option("explosives_drm") == "both",
        cup=sample_cup(referee),
    )


class DescribedStage(Stage):
    """Stage of a described Assault: results are said, and nothing is moved."""

    def __init__(self, referee: FuryReferee) -> None:
        super().__init__()
        self.referee = referee

    def say(self, text: LazyText, rule: str, *because: LazyText) -> None:
        self.referee.say_lazily(text, rule, because)

    async def explosives(self, scene: Scene, kind: AssaultType) -> bool:
        return scene.squad.caat and await Confirm("explosives", "Use explosives?", "13.7.1", False)

    async def drawn(self, name: str, kind: state.EnemyKind, rule: str, face: int) -> None:
        self.say(f"The Suspect: {face}, {kind.title()} ({name}).", rule)

    async def pinned(self, rule: str, why: str) -> None:
        self.say("The squad is PINNED.", "11.5", why)

    async def hurt(self, who: r03_basics.LossTaker, rule: str, why: str) -> None:
        self.say(f"STEP LOSS on the {'CAAT' if who == 'caat' else 'squad'}.", "5.1.1.1", why)

    async def eliminated(self, rule: str, why: str) -> None:
        self.say("The unit is ELIMINATED.", "5.2.1", why)

    async def destroyed(self, rule: str, why: str) -> None:
        self.say("The squad is ELIMINATED.", rule, why)

    async def retreat(self, scene: Scene) -> bool:
        return await Confirm("retreats", "Does an Egress Route let the Guerillas out?", "13.6.2", scene.ways[0] > 0)


async def described_assault(referee: FuryReferee) -> None:
    """[13.4] Resolve a described Assault; nothing is moved in the session."""
    enemy = await ask_enemy("13.4")
    kind = await ask_type()
    out = await r13_combat.assault_one(referee, await describe(referee, (enemy,), "13.4"), kind, DescribedStage(referee))
    if out.scene.squad.steps:
        free = out.empty and not out.scene.squad.pinned
        referee.say("The squad enters the Location." if free else "The squad stays where it is.", "13.4.7.2")
    if out.scene.enemies and r13_combat.may_flood(out.scene):
        referee.say("It can go on with Flooding.", "13.4.8", tone="reminder")


class TableStage(Stage):
    """Stage of an Assault on the map: moves counters, scores points, asks about explosives."""

    def __init__(self, referee: FuryReferee, squad: Piece, target: Piece, explosives: bool) -> None:
        self.referee = referee
        self.squad = squad
        self.target = target
        self.zone = state.zone_of(target.place)
        self.where = target.place
        super().__init__(explosives)
        self.at = f" at {self.where}"
        self.used = False

    def say(self, text: LazyText, rule: str, *because: LazyText) -> None:
        self.referee.say_lazily(text, rule, because)

    async def explosives(self, scene: Scene, kind: AssaultType) -> bool:
        squad = self.referee.piece(self.squad.id)
        if not self.armed or not squad.mark(state.EXPLOSIVES):
            return False
        request = Confirm("explosives", "Use the CAAT's explosives? (CF 8, once a game)", "13.7.1", False)
        request.odds = lambda: explosives_odds(self.referee, self.zone, scene, kind, self._behind(squad))
        self.used = await request
        return self.used

    def _behind(self, squad: Piece) -> list[Piece]:
        """[13.4.7.2] The enemies that Flooding would go on with, if the squad comes down from the roof."""
        comes_down = r13_combat.comes_down(squad.place, self.where)
        return flooded_enemies(self.referee, self.zone, self.where, self.where) if comes_down else []

    async def drawn(self, name: str, kind: state.EnemyKind, rule: str, face: int) -> None:
        self.referee.move(self.target.id, state.SUSPECTS_CUP, "5.3.5", "Activated")
        self.target = r03_basics.place_insurgent(self.referee, name, kind, self.where, rule, f"The Suspect: {face}, ")

    async def gone(self, rule: str, why: str) -> None:
        self.referee.move(self.target.id, state.SUSPECTS_CUP, "5.3.5", why)

    async def weakened(self, cf: int, rule: str, why: str) -> None:
        self.target = await r03_basics.swap(self.referee, self.referee.piece(self.target.id), cf, rule, why)

    async def eliminated(self, rule: str, why: str) -> None:
        r03_basics.eliminate_enemy(self.referee, self.referee.piece(self.target.id), rule, why)

    async def hero(self, level: int) -> None:
        name = next(name for name, worth in state.HEROES.items() if worth == level)
        self.referee.mark(self.squad.id, state.HERO, name, "5.1.5.2" if level == 2 else "5.1.5.1", "Hero Event")

    async def fury(self) -> None:
        marker = self.referee.zone_marker(self.zone, state.FURY)
        if marker:
            self.referee.flip(marker.id, "front", "13.4.3.2", "a new Phantom Fury Event")
        else:
            self.referee.put_marker(state.FURY, self.zone, "13.4.3.2", "Event: until the end of the next turn")

    async def fanatic(self) -> None:
        for zone in await self.referee.block(self.zone, "13.4.3.3"):
            if not self.referee.is_controlled(zone) and self.referee.zone_marker(zone, state.FANATICISM) is None:
                self.referee.put_marker(state.FANATICISM, zone, "13.4.3.3", "Event: the Block's Zones under insurgent Control")

    async def pinned(self, rule: str, why: str) -> None:
        r03_basics.pin(self.referee, self.squad, rule, why)

    async def hurt(self, who: r03_basics.LossTaker, rule: str, why: str) -> None:
        r03_basics.apply_loss(self.referee, self.squad, who, rule, why)

    async def destroyed(self, rule: str, why: str) -> None:
        r03_basics.eliminate(self.referee, self.referee.piece(self.squad.id), rule, why)

    async def kept(self) -> None:
        if self.referee.zone_marker(self.zone, state.NO_EVENT) is None:
            self.referee.put_marker(state.NO_EVENT, self.zone, "13.6.4", "a Security Element refused a retreat")

    async def retreat(self, scene: Scene) -> bool:
        return await r13_combat.retreat(self.referee, self.referee.piece(self.target.id))


class AssaultTarget(NamedTuple):
    """The target of an Assault on the map: place, text, scene, stage."""

    where: str
    text: str
    scene: Scene
    stage: TableStage


async def open_assault(referee: FuryReferee, squad: Piece, foe: AssaultTarget) -> bool:
    """[13.4.7.2] Carry out the Assault of a squad. Returns whether Flooding may follow."""
    start = referee.piece(squad.id).place
    kind = r13_combat.assault_type(start, foe.where)
    rule = {r13_combat.TOP_DOWN: "13.1", r13_combat.BOTTOM_UP: "13.2", r13_combat.NORMAL: "13.3"}[kind]
    referee.say(f"{referee.unit_text(squad)} Assaults {foe.text} at {foe.where}: {kind.title()}.", rule)
    return await advance(referee, squad, foe, kind) and r13_combat.comes_down(start, foe.where)


async def advance(referee: FuryReferee, squad: Piece, foe: AssaultTarget, kind: AssaultType) -> bool:
    """[13.4.7.2, 13.5] Resolve an Assault and enter an empty Location. Returns whether the squad is in it and not Pinned."""
    start = referee.piece(squad.id).place
    out = await resolve_on_table(referee, foe, kind)
    if not is_alive(referee, squad):
        return False
    if not out.empty:
        referee.say(f"{squad.name} stays at {start}.", "13.4.7.2")
        return False
    if referee.piece(squad.id).mark(state.PINNED) and not foe.scene.squad.pinned:
        referee.say(f"{squad.name} is Pinned at {start} and does not enter {foe.where}.", "13.5")
        return False
    referee.move(squad.id, foe.where, "13.4.7.2", "the Location is empty")
    return True


async def resolve_on_table(referee: FuryReferee, foe: AssaultTarget, kind: AssaultType) -> r13_combat.AssaultOutcome:
    """[13.4, 13.7.1] Resolve one Assault on the map; used explosives are removed."""
    out = await r13_combat.assault_one(referee, foe.scene, kind, foe.stage)
    squad = referee.piece(foe.stage.squad.id)
    if foe.stage.used and squad.mark(state.CAAT):
        referee.mark(squad.id, state.EXPLOSIVES, None, "13.7.1", "used")
    return out


def is_alive(referee: FuryReferee, squad: Piece) -> bool:
    """True if a squad is still on the map."""
    return bool(state.zone_of(referee.piece(squad.id).place))


def no_assault(referee: FuryReferee, squad: Piece) -> tuple[str, str] | None:
    """Why a squad cannot Assault at all: (why, rule). A street is no Location (ruling C-80)."""
    if squad.mark(state.PINNED):
        return f"{squad.name} is Pinned", "11.5"
    if squad.mark(state.FIRED):
        return f"{squad.name} has Fired", "11.3"
    if state.short(squad) in referee.members(state.ASSAULTED):
        return f"{squad.name} has made its Assault this turn", "13.0"
    return None if state.zone_of(squad.place) else (f"{squad.name} is in no Location", "13.0")


def no_assault_into(referee: FuryReferee, squad: Piece, where: str) -> tuple[str, str] | None:
    """[13.4.7.2] Why a squad cannot Assault into a Location, which it must be able to enter: (why, rule) (ruling C-78)."""
    stays = r12_paths.no_exit(referee, squad, squad.place, where)
    # By a switch only a Zone without enemies holds the squad [12.1.2].
    if stays and referee.option("assault_out") == "allowed" and referee.enemies_in(state.zone_of(squad.place)):
        stays = None
    return stays or r12_paths.no_entry(referee, squad, squad.place, where)


def targets_of(referee: FuryReferee, squad: Piece) -> list[Piece]:
    """The enemy counters in Locations Adjacent to a squad [4.2.2]."""
    near = referee.town.next_to(squad.place)
    enemies = [enemy for where in near if (enemy := referee.enemy_at(where))]
    return [enemy for enemy in enemies if state.location_of(enemy.place) in referee.locations(state.zone_of(enemy.place))]


def no_targets(referee: FuryReferee, squad: Piece) -> tuple[str, str] | None:
    """Why a squad has nothing to Assault: (why, rule)."""
    reasons = [no_assault_into(referee, squad, piece.place) for piece in targets_of(referee, squad)]
    if None in reasons:
        return None
    return reasons[0] if reasons else (f"no enemy is Adjacent to {squad.name} at {squad.place}", "4.2.2")


async def assault(referee: FuryReferee) -> None:
    """[13.0, 13.4] One Assault of one squad, the advance into the emptied Location, and Flooding."""
    r12_paths.end_movement(referee)
    referee.begin(ASSAULT)
    for zone in {state.zone_of(piece.place) for piece in referee.squads() if state.zone_of(piece.place)}:
        await referee.zone(zone, "13.0")

    def barred(squad: Piece) -> tuple[str, str] | None:
        return no_assault(referee, squad) or no_targets(referee, squad)

    squad = await referee.ask_unit("squad", "Which squad Assaults?", "13.0", referee.squads(), barred)
    await referee.survey(state.zone_of(squad.place), "13.0")
    target = await ask_target(referee, squad)
    referee.add_member(state.ASSAULTED, state.short(squad), "13.0")
    if await open_assault(referee, squad, assault_target(referee, squad, [target], True)):
        await flooding(referee, squad)


async def ask_target(referee: FuryReferee, squad: Piece) -> Piece:
    """Ask for the target; an illegal Location is refused by its rule."""
    near = targets_of(referee, squad)
    if not near:
        text = f"no Suspect and no Insurgents unit is Adjacent to {squad.name} at {squad.place}"
        free = next((where for where in referee.town.next_to(squad.place) if r03_basics.is_free(referee, where)), "PLACE")
        raise Impossible(text, rule="13.0", cure=f'If one is there: companion adjust new:suspect "{free}"')
    able = [piece for piece in near if no_assault_into(referee, squad, piece.place) is None] or near  # insisted on: aimless
    zones = {state.zone_of(squad.place), *(state.zone_of(piece.place) for piece in near)}
    taken = {piece.place for piece in able}

    def others() -> list[Choice]:
        places = [state.place(zone, location) for zone in zones for location in referee.locations(zone)]
        return [Choice(where, "not to be Assaulted") for where in places if where not in taken]

    choices = [Choice(piece.place, state.enemy_text(piece), r13_combat.assault_type(squad.place, piece.place)) for piece in able]
    request = Choose("target", f"{squad.name} at {squad.place} Assaults which target?", "13.0", choices, None, others, "target")
    request.odds = lambda: targets_odds(referee, squad, able, descents(referee, squad, able))
    request.has_quick_odds = True
    request.why_not = lambda name: r03_basics.why_no_enemy(referee, name, "13.0", partial(no_assault_at, referee, squad))
    answer = await request
    target = referee.enemy_at(answer)
    if target is None:
        cure = f'If it is not: companion adjust new:suspect "{answer}"'
        raise Impossible(f"{answer} is empty: there is nothing to Assault", rule="13.0", cure=cure)
    if refusal := no_assault_at(referee, squad, answer):
        referee.forbid(*refusal, "Move next to it first" if target not in near else "")
    return target


def no_assault_at(referee: FuryReferee, squad: Piece, where: str) -> tuple[str, str] | None:
    """[4.2.2, 13.4.7.2] Why a squad cannot Assault an enemy at a Location: (why, rule)."""
    if all(piece.place != where for piece in targets_of(referee, squad)):
        return f"{where} is not Adjacent to {squad.place}", "4.2.2"
    return no_assault_into(referee, squad, where)


def assault_target(
    referee: FuryReferee, squad: Piece, targets: Sequence[Piece], explosives: bool, plain: bool = False
) -> AssaultTarget:
    """The first of these counters of one Zone as a target, with the others behind it."""
    first = targets[0]
    referee.pin(squad.id, *(piece.id for piece in targets), state.box(state.zone_of(first.place)))
    scene, stage = scene_of(referee, squad, targets, plain), TableStage(referee, squad, first, explosives)
    return AssaultTarget(first.place, state.enemy_text(first), scene, stage)


def descents(referee: FuryReferee, squad: Piece, able: list[Piece]) -> dict[str, list[Piece]]:
    """The targets after which the squad would go on Flooding, each with all enemies that it would meet, in order."""
    down = {piece.place: piece for piece in able if r13_combat.comes_down(squad.place, piece.place)}
    return {place: [piece, *flooded_enemies(referee, state.zone_of(place), place, place)] for place, piece in down.items()}


def flooding_targets(referee: FuryReferee, squad: Piece) -> list[Piece]:
    """[13.4.8.1] The enemies that a squad meets by Flooding from its place, in order."""
    place = referee.piece(squad.id).place
    return flooded_enemies(referee, state.zone_of(place), place)


async def flooding(referee: FuryReferee, squad: Piece) -> None:
    """[13.4.8] Assault everything left in the Zone, from Location 2 down."""
    zone = state.zone_of(referee.piece(squad.id).place)
    if not enemies_left(referee, zone) or not await will_flood(referee, squad, zone):
        return
    referee.say(f"{squad.name} floods Zone {zone}.", "13.4.8")
    over = None
    while over is None:
        targets = flooding_targets(referee, squad)
        approach(referee, squad, targets[0].place)
        foe = assault_target(referee, squad, targets, False)  # no explosives [13.7.2]
        referee.say(f"Flooding: {foe.text} at {foe.where}.", "13.4.8.1")
        over = r13_combat.flooding_over(await resolve_on_table(referee, foe, r13_combat.TOP_DOWN))
    if is_alive(referee, squad):
        referee.say(f"Flooding ends: {over[0]}.", over[1])
        if not enemies_left(referee, zone) and not referee.piece(squad.id).mark(state.PINNED):
            referee.move(squad.id, foe.where, "13.4.7.2", "the Location is empty")


async def will_flood(referee: FuryReferee, squad: Piece, zone: str) -> bool:
    """[13.4.7.2] Whether the squad floods: compulsory at full strength, a choice if reduced, never if Fortified or at CF 4."""
    targets = flooding_targets(referee, squad)
    if not targets:
        referee.say(f"No Flooding: {squad.name} gets next to no enemy.", "13.4.8.1")
        return False
    now = scene_of(referee, squad, targets)
    if barred := r13_combat.no_flooding(now):
        referee.say(f"No Flooding: {barred[0]}.", barred[1])
        return False
    if r13_combat.must_flood(now):
        return True
    request = Confirm("flood", f"{squad.name} is reduced. Does it flood Zone {zone}?", "13.4.7.2", False)
    request.odds = lambda: zone_flood_odds(referee, squad, targets)
    return await request


def approach(referee: FuryReferee, squad: Piece, where: str) -> None:
    """[13.4.8.1] Move Adjacent to the next target, if necessary, through Locations without enemies."""
    start = referee.piece(squad.id).place
    spot = foothold(referee, start, where, {piece.place for piece in enemies_left(referee, state.zone_of(where))})
    if spot != start:
        referee.move(squad.id, spot, "13.4.8.1", "Adjacent to the next target")


def explosives_odds(referee: FuryReferee, zone: str, scene: Scene, kind: AssaultType, behind: Sequence[Piece] = ()) -> Odds:
    """[13.7.1] Odds with and without explosives; ``behind``: the enemies that a squad from the roof would flood afterwards."""
    scene = scene._replace(ways=ways_out(referee, zone, 1 + len(behind)))
    apart = len(enemies_left(referee, zone)) > 1 + len(behind)
    chain = scene._replace(enemies=scene.enemies[:1] + enemies_of(behind), apart=apart)
    sections = []
    for use in (False, True):
        head = "With explosives" if use else "Without"
        results = distribution(lambda use=use: r13_combat.clash(referee, scene, kind, use, Stage(use)))  # type: ignore[misc]
        sections.append((head, odds.location_and_squad_rows(odds.fates_of(scene, results))))
        if behind:
            rows = odds.location_and_squad_rows(odds.descent_results(referee, chain, use))
            sections.append((f"{head}, and Flooding: Zone {zone}", rows))
    return Odds("Explosives", "13.7.1", tuple(sections), (), odds.fight_notes(scene))


def targets_odds(referee: FuryReferee, squad: Piece, able: Sequence[Piece], floods: Mapping[str, Sequence[Piece]]) -> Odds:
    """Odds of each target of a squad, without and with explosives; ``floods``: by place, all enemies met if Flooding follows."""
    sections, beside = [], []
    for piece in able:
        kind, zone = r13_combat.assault_type(squad.place, piece.place), state.zone_of(piece.place)
        met = floods.get(piece.place, ())
        now = scene_of(referee, squad, [piece])._replace(ways=ways_out(referee, zone, 1))
        chain = scene_of(referee, squad, met)._replace(ways=ways_out(referee, zone, len(met))) if len(met) > 1 else None
        for use in (False, True) if squad.mark(state.EXPLOSIVES) else (False,):
            head = f"{piece.place}, {kind}{', with explosives' if use else ''}"
            outcome_rows = odds.location_and_squad_rows(odds.assault_results(referee, now, kind, use))
            sections.append((head, outcome_rows))
            beside.append((piece.place, f"{dict(outcome_rows).get('clear', 0.0):.0%} clear"))
            if chain is not None:
                rows = odds.location_and_squad_rows(odds.descent_results(referee, chain, use))
                sections.append((f"{head}, and Flooding: Zone {zone}", rows))
    notes = ("clear: eliminated, gone or retreated.",)
    return Odds(f"Assaults of {squad.name}", "13.4", tuple(sections), (), notes, tuple(dict(reversed(beside)).items()))


class _NotEntered(Exception):
    """A map fact is missing that only the player can provide."""


def _refuse_question(request: AnyRequest) -> Any:
    raise _NotEntered(request.key)


def ways_out(referee: FuryReferee, zone: str, count: int) -> tuple[float, ...]:
    """[13.6] The chances that Guerillas leave a Zone one after the other, each if those before it did; 1 if it is not entered."""
    spots: dict[tuple[str, ...], float] = {(): 1.0}
    chances: list[float] = []
    while spots and len(chances) < count:
        after: dict[tuple[str, ...], float] = defaultdict(float)
        try:
            for gone, chance in spots.items():
                for arrived, share in distribution(lambda gone=gone: _flee(referee, zone, gone), _refuse_question).items():  # type: ignore[misc]
                    if arrived != zone:
                        after[tuple(sorted((*gone, arrived)))] += chance * share
        except _NotEntered:
            return (1.0,)
        chances.append(sum(after.values()) / sum(spots.values()))
        spots = after
    return (1.0,) if min(chances) > 1 - 1e-12 else tuple(chances)


async def _flee(referee: FuryReferee, zone: str, gone: tuple[str, ...]) -> str:
    """The place where one more unit ends up after others of its Zone fled to these places; its Zone if it finds no way out."""
    table = referee.hypothetical()
    for where in gone:
        table.make(state.INSURGENT, "G1/M1", where, "13.6")
    unit = table.make(state.INSURGENT, "G1/M1", state.place(zone, "1"), "13.6")
    return table.piece(unit).place if await r13_combat.retreat(table, table.piece(unit)) else zone


def zone_flood_odds(referee: FuryReferee, squad: Piece, enemies: Sequence[Piece]) -> Odds:
    """[13.4.8] Odds of Flooding a Zone of the map, with its Egress Routes."""
    ways = ways_out(referee, state.zone_of(enemies[0].place), len(enemies))
    return odds.flood_odds(referee, scene_of(referee, squad, enemies)._replace(ways=ways))


async def odds_of_assault(referee: FuryReferee) -> Odds:
    """One Assault of any type, with or without explosives."""
    enemy = await ask_enemy("13.4")
    kind = await ask_type()
    scene = await describe(referee, (enemy,), "13.4")
    explosives = await Confirm("explosives", "With explosives", "13.7.1", False)
    results = odds.assault_results(referee, scene, kind, explosives)
    head = f"{kind.title()} Assault{' with explosives' if explosives else ''}"
    return odds.result_odds(head, "13.4", "The enemy's Location", results, odds.fight_notes(scene))


async def odds_of_flood(referee: FuryReferee) -> Odds:
    """[13.4.8] Flooding to its end."""
    text = await Text("enemies", "Enemies left in the Zone, with their Locations: 2':s,1:g2", "13.4.8", state.ENEMIES)
    listed = state.listed(text)
    order = r13_combat.flood_order(location for location, _ in listed)
    enemies = tuple(enemy for _, enemy in sorted(listed, key=lambda item: order.index(item[0])))
    return odds.flood_odds(referee, await describe(referee, enemies, "13.4.8"))
