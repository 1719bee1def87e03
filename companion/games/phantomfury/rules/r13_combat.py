"""[13.0 - 13.6] The Assault as a value: scene, stage, modifiers, resolution, Flooding, retreat."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache, partial

from companion.core.dice import RollOutcome, grouped_rolls
from companion.core.hints import Literal
from companion.core.named_tuple import NamedTuple
from companion.core.position import Piece
from companion.core.requests import Draw, LazyText, Roll
from companion.core.text import die_range
from companion.games.phantomfury import state
from companion.games.phantomfury.notation import CLOSED, EGRESS, EXIT, MOSQUE, family
from companion.games.phantomfury.referee import FuryReferee
from companion.games.phantomfury.rules import r03_basics
from companion.games.phantomfury.state import Enemy, Fighter

AssaultType = Literal["normal", "top-down", "bottom-up"]
TOP_DOWN: AssaultType = "top-down"
BOTTOM_UP: AssaultType = "bottom-up"
NORMAL: AssaultType = "normal"
TYPES = (NORMAL, TOP_DOWN, BOTTOM_UP)
EXPLOSIVES_CF = 8

Cup = tuple[tuple[str, int], ...]
"""The Insurgents cup, as (name, number)."""


class Scene(NamedTuple):
    """Everything that an Assault depends on.

    Attributes:
        squad: The squad.
        enemies: The enemies in this Zone to be met, the next one first.
        fortified: The Zone is Fortified.
        mosque: It is Zone 26.
        fury, fanatic: The Events are in effect here.
        kept: A Security Element is in the Zone, so that Guerillas cannot retreat [13.6.4].
        quiet: A No Insurgents Event marker is there.
        ways: The chance that Guerillas find a way out, for the first that must retreat, the second, and so on; the last one
        is repeated.
        plain: No modifiers, as in a Counter-attack [9.4].
        both: Explosives cancel the modifiers of both dice (ruling C-13).
        cup: The Insurgents cup; None if unknown.
        apart: There are other enemies in the Zone that the squad does not meet [13.4.8.1].
    """

    squad: Fighter
    enemies: tuple[Enemy, ...]
    fortified: bool = False
    mosque: bool = False
    fury: bool = False
    fanatic: bool = False
    kept: bool = False
    quiet: bool = False
    ways: tuple[float, ...] = (1.0,)
    plain: bool = False
    both: bool = False
    cup: Cup | None = None
    apart: bool = False

    def rest(self) -> Scene:
        """Without the first enemy; its counter returns to the cup [5.2.1]."""
        return self._replace(enemies=self.enemies[1:], cup=cup_with(self.cup, self.enemies[0].name, 1))

    def past(self) -> Scene:
        """With the next enemy in front; the first one stays where it is."""
        return self._replace(enemies=self.enemies[1:])

    def fled(self) -> Scene:
        """Without the first enemy, which is now in another Zone or off the map."""
        return self.past()._replace(ways=self.ways[1:] or self.ways)

    def first(self, enemy: Enemy) -> Scene:
        return self._replace(enemies=(enemy, *self.enemies[1:]))

    def with_squad(self, squad: Fighter) -> Scene:
        return self._replace(squad=squad)


@lru_cache(maxsize=4096)
def cup_with(cup: Cup | None, name: str, by: int) -> Cup | None:
    """The cup with more or fewer counters of a name; unchanged for an unknown counter."""
    if not name or cup is None:
        return cup
    counts = dict(cup)
    counts[name] = counts.get(name, 0) + by
    return tuple((counter, count) for counter, count in sorted(counts.items()) if count > 0)


class Stage:
    """Effects of an Assault. This base class is silent: chance decides retreats, and explosives are decided beforehand."""

    at = ""
    """The place of the enemy in front, as a suffix in questions."""

    def __init__(self, explosives: bool = False) -> None:
        self.armed = explosives

    def say(self, text: LazyText, rule: str, *because: LazyText) -> None:
        """Say one line of explanation, with its reasons."""

    async def explosives(self, scene: Scene, kind: AssaultType) -> bool:
        """[13.7.1] Whether explosives are used."""
        return self.armed

    async def drawn(self, name: str, kind: state.EnemyKind, rule: str, face: int) -> None:
        """A Suspect turned out to be this unit."""

    async def gone(self, rule: str, why: str) -> None:
        """A Suspect was removed."""

    async def weakened(self, cf: int, rule: str, why: str) -> None:
        """The unit is swapped for one of the same type with this CF, if there is one (ruling C-57)."""

    async def eliminated(self, rule: str, why: str) -> None:
        """The unit is eliminated."""

    async def hero(self, level: int) -> None:
        """A Hero appears or is honoured."""

    async def fury(self) -> None:
        """The Phantom Fury Event."""

    async def fanatic(self) -> None:
        """The Fanaticism Event."""

    async def pinned(self, rule: str, why: str) -> None:
        """The squad is Pinned."""

    async def hurt(self, who: r03_basics.LossTaker, rule: str, why: str) -> None:
        """``squad`` or ``caat`` takes a Step Loss."""

    async def destroyed(self, rule: str, why: str) -> None:
        """The squad is eliminated outright."""

    async def kept(self) -> None:
        """A Security Element kept Guerillas from retreating."""

    async def retreat(self, scene: Scene) -> bool:
        """[13.6] Whether the Guerillas leave the Zone."""
        way = round(scene.ways[0] * _PARTS)
        if way in (0, _PARTS):
            return way == _PARTS
        return await Draw("way", "a way out", "13.6.2", "", {"open": way, "closed": _PARTS - way}) == "open"


_PARTS = 10**12


def assault_type(start: str, target: str) -> AssaultType:
    """[13.1 - 13.3] Top-Down, Bottom-Up or Normal, by the two Locations."""
    step = family(state.location_of(start)), family(state.location_of(target))
    if state.zone_of(start) != state.zone_of(target):
        return NORMAL
    if step in (("R", "2"), ("2", "1")):
        return TOP_DOWN
    return BOTTOM_UP if step in (("1", "2"), ("2", "R")) else NORMAL


def comes_down(start: str, where: str) -> bool:
    """[13.4.7.2] True if Flooding may follow: a Top-Down Assault from the roof."""
    return assault_type(start, where) == TOP_DOWN and family(state.location_of(start)) == "R"


class AssaultModifiers(NamedTuple):
    """The modifiers of the squad's die, and of the Insurgents' die if their unit is eliminated and if it is not."""

    squad: r03_basics.Lines
    fallen: r03_basics.Lines
    standing: r03_basics.Lines


def assault_modifiers(referee: FuryReferee, scene: Scene, kind: AssaultType, explosives: bool) -> AssaultModifiers:
    """[13.4.4 - 13.4.6, 13.7.1] The modifiers; explosives cancel those of the squad, or of both dice (ruling C-13)."""
    enemy = scene.enemies[0]
    row = "" if scene.plain or (explosives and scene.both) else kind.replace("-", "_")
    squad = (
        row,
        "suspect" if enemy.fresh else "",
        "martyrs" if enemy.kind == state.MARTYRS else "",
        "fortified" if enemy.kind == state.GUERILLAS and scene.fortified else "",
        "fury" if scene.fury and not scene.squad.iif else "",
    )
    unit = ("fanaticism",) if scene.fanatic and row else ()
    ours = () if explosives or scene.plain else squad

    def read() -> AssaultModifiers:
        lines = partial(r03_basics.modifiers, referee, "assault_modifiers")
        return AssaultModifiers(lines("squad", *ours), lines("insurgents", *unit), lines("insurgents", row, *unit))

    return referee.cached_chart(("weights", ours, unit, row), read)


class AssaultOutcome(NamedTuple):
    """The result of an Assault: the scene (without the enemy if its Location is empty), and whether it is empty."""

    scene: Scene
    empty: bool


async def assault_one(referee: FuryReferee, scene: Scene, kind: AssaultType, stage: Stage) -> AssaultOutcome:
    """[13.4] Assault the first enemy of the scene, from Activation to retreat."""
    return await resolve(referee, await reveal(referee, scene, stage), kind, stage)


async def reveal(referee: FuryReferee, scene: Scene, stage: Stage) -> Scene:
    """[13.4.1, 5.3.3, 5.3.4] Activate a Suspect in front: it becomes a Dummy, an IED or a unit."""
    if scene.enemies[0].kind != state.SUSPECT:
        return scene
    rule = "5.3.4" if scene.fortified else "5.3.3"
    face, result = await r03_basics.roll_activation(referee, f"the Suspect{stage.at}", scene.fortified, "IED")
    if result in (state.DUMMY, state.AMBUSH) or not scene.cup:
        text = "an IED" if result == state.AMBUSH else "a Dummy"
        stage.say(f"The Suspect: {face}, {text}.", rule)
        await stage.gone(rule, text)
        return scene.first(Enemy(state.AMBUSH if result == state.AMBUSH else state.DUMMY))
    name = await Draw("insurgent", f"Insurgents unit ({result.title()} side)", rule, state.INSURGENTS_CUP, dict(scene.cup))
    await stage.drawn(name, result, rule, face)
    unit = Enemy(result, state.sides(name)[result], name, True)
    return scene.first(unit)._replace(cup=cup_with(scene.cup, name, -1))


async def without_unit(scene: Scene, stage: Stage) -> Scene | None:
    """[5.3.3, 5.3.4] The scene after a Dummy or an IED in front; None if a unit is in front."""
    kind = scene.enemies[0].kind
    if kind not in (state.DUMMY, state.AMBUSH):
        return None
    return await ied(scene.rest(), stage) if kind == state.AMBUSH else scene.rest()


async def ied(scene: Scene, stage: Stage) -> Scene:
    """[13.5] Resolve an IED: Pinned up to the CF, a Step Loss above."""
    cf = scene.squad.now
    prompt = f"IED: on {die_range(0, cf)} the squad is Pinned, on {die_range(cf + 1, 9)} it takes a Step Loss"
    face = await r03_basics.d10("ied", prompt, "13.5", lambda die: die <= cf)
    if face <= cf:
        stage.say(f"IED: {face}, Pinned on {die_range(0, cf)}. PINNED.", "13.5")
        return await pinned(scene, stage, "13.5", "IED")
    stage.say(f"IED: {face}, Pinned on {die_range(0, cf)}. STEP LOSS.", "13.5")
    return await lose_step(scene, stage, "13.5", "IED")


async def pinned(scene: Scene, stage: Stage, rule: str, why: str) -> Scene:
    """[11.5] Pin the squad."""
    await stage.pinned(rule, why)
    return scene.with_squad(scene.squad._replace(pinned=True))


async def lose_step(scene: Scene, stage: Stage, rule: str, why: str) -> Scene:
    """[5.1.1.1, 5.1.1.2] Apply a Step Loss to the squad or its CAAT, as the player chooses."""
    squad = scene.squad
    who = await r03_basics.ask_loss(squad.caat, squad.steps == 1 or squad.spent)
    await stage.hurt(who, rule, why)
    if who == "caat":
        return scene.with_squad(squad._replace(caat=False))
    return scene.with_squad(squad._replace(steps=squad.steps - 1, caat=squad.caat and squad.steps > 1))


async def resolve(referee: FuryReferee, scene: Scene, kind: AssaultType, stage: Stage) -> AssaultOutcome:
    """[13.4.2, 13.5] Resolve the Activated enemy in front: a Dummy, an IED, or a clash."""
    after = await without_unit(scene, stage)
    if after is not None:
        return AssaultOutcome(after, True)
    return await clash(referee, scene, kind, await stage.explosives(scene, kind), stage)


class Thresholds(NamedTuple):
    """The squad hits on ``need`` or less; the Insurgents up to their CF, with a modifier if their unit is eliminated or not."""

    need: int
    cf: int
    fallen: int
    standing: int


def thresholds(scene: Scene, lines: AssaultModifiers, explosives: bool, extra: int = 0) -> Thresholds:
    """[13.4.2, 13.7.1] What the dice of a clash are compared with; ``extra``: the bonus of an Event to the squad's CF."""
    cf = EXPLOSIVES_CF if explosives else scene.squad.now + extra
    ours, fallen, standing = map(r03_basics.total, lines)
    return Thresholds(cf - ours, scene.enemies[0].cf, fallen, standing)


def dice_hits(goal: Thresholds, roll: tuple[int, ...], drugged: bool) -> tuple[bool, bool]:
    """[13.4.2, 13.4.3] Whether the squad hits, and whether the Insurgents do. Drugged Fighters are not eliminated."""
    ours, theirs = roll
    kill = r03_basics.hits(ours, 0, goal.need)
    return kill, r03_basics.hits(theirs, goal.fallen if kill and not drugged else goal.standing, goal.cf)


@lru_cache(maxsize=4096)
def _outcomes(goal: Thresholds) -> tuple[RollOutcome, ...]:
    """Both dice merged by their effect. With one 0, an Event may change both CFs before the other die counts."""

    def read(roll: tuple[int, ...]) -> object:
        ours, theirs = roll
        if ours == 0 < theirs:
            either = (goal.fallen, goal.standing)
            return "ours", [r03_basics.hits(theirs, plus, goal.cf - less) for plus in either for less in (0, 1)].count(True)
        if theirs == 0 < ours:
            return "theirs", [r03_basics.hits(ours, 0, goal.need + more) for more in (0, 1, 2)].count(True)
        return dice_hits(goal, roll, False)

    return grouped_rolls(2, 10, 0, read)


async def clash(referee: FuryReferee, scene: Scene, kind: AssaultType, explosives: bool, stage: Stage) -> AssaultOutcome:
    """[13.4.2] Both sides roll; Events come first, then both results apply simultaneously."""
    goal = thresholds(scene, assault_modifiers(referee, scene, kind, explosives), explosives)
    roll = await roll_assault(goal, kind, scene.enemies[0].kind)
    return await results(referee, await events(referee, scene, roll, stage), kind, explosives, roll, stage)


async def roll_assault(goal: Thresholds, kind: AssaultType, enemy: str) -> tuple[int, ...]:
    """[13.4.2] Roll the dice of both sides."""

    def prompt() -> str:
        faces = r03_basics.hit_faces(goal.need)
        fallen, standing = (r03_basics.hit_faces(goal.cf - plus) for plus in (goal.fallen, goal.standing))
        theirs = fallen if fallen == standing else f"{fallen} if eliminated, {standing} if not"
        return f"{kind.title()} Assault: roll the squad (hits on {faces}), then the {enemy.title()} (hit on {theirs})"

    return await Roll("assault", prompt, "13.4.2", 2, 10, 0, lambda: _outcomes(goal))


class EventEffect(NamedTuple):
    """The effect of Events on an Assault: not resolved, the Location empty, a CF bonus of the squad, Drugged Fighters."""

    scene: Scene
    over: bool = False
    empty: bool = False
    extra: int = 0
    drugged: bool = False


async def events(referee: FuryReferee, scene: Scene, roll: tuple[int, ...], stage: Stage) -> EventEffect:
    """[13.4.3] Determine and apply the Event, if any."""
    ours, theirs = roll
    if ours == theirs == 0:
        stage.say("Both sides rolled 0: no Event.", "13.4.3.1")
    if (ours == 0) == (theirs == 0):
        return EventEffect(scene)
    if theirs == 0 and scene.quiet:
        stage.say("The Insurgents' Event is nullified: No Insurgents Event marker.", "13.4.3.1")
        return EventEffect(scene)
    if scene.squad.iif and scene.mosque:
        return await _event(referee, scene, "iif_events", "13.4.3.4", stage)
    if ours == 0:
        if scene.squad.iif:
            stage.say("A 0 by an IIF squad outside Zone 26: it has no Events there.", "5.1.6.2")
            return EventEffect(scene)
        return await _event(referee, scene, "usmc_events", "13.4.3", stage)
    return await _event(referee, scene, "insurgent_events", "13.4.3", stage)


async def _event(referee: FuryReferee, scene: Scene, table: str, rule: str, stage: Stage) -> EventEffect:
    chart = referee.chart(table)
    face, event = await r03_basics.on_chart(referee, table, "event", "event", chart.title, rule)
    stage.say(lambda: f"Event: {face}, {chart.text(face, 'title')}: {chart.text(face, 'effect')}", rule)
    return await _effect(scene, event, stage)


async def _effect(scene: Scene, event: str, stage: Stage) -> EventEffect:
    """Apply one Event."""
    enemy = scene.enemies[0]
    if event == "fury":
        await stage.fury()
        return EventEffect(scene._replace(fury=True))
    if event == "hero":
        if scene.squad.hero == 2:
            stage.say("The squad's Hero has the Medal of Honor already: nothing changes.", "5.1.5.2")
            return EventEffect(scene)
        level = scene.squad.hero + 1
        await stage.hero(level)
        return EventEffect(scene.with_squad(scene.squad._replace(hero=level)))
    if event == "sniper" and enemy.cf == 1:
        await stage.eliminated("13.4.3", "USMC sniper")
        return EventEffect(scene.rest(), True, True)
    if event == "sniper" or (event == "flight" and enemy.kind == state.GUERILLAS and enemy.cf > 1):
        return EventEffect(await weaken(scene, stage, "13.4.3", "USMC sniper" if event == "sniper" else "Flight"))
    if event == "fanaticism":
        await stage.fanatic()
        return EventEffect(scene._replace(fanatic=True))
    if event == "confusion":
        return EventEffect(scene, True)
    if event == "bomber" and enemy.kind == state.MARTYRS:
        await stage.eliminated("13.4.3", "Suicide Bomber")
        await stage.destroyed("13.4.3", "Suicide Bomber")
        return EventEffect(scene.rest().with_squad(scene.squad._replace(steps=0)), True, True)
    if event in ("al_fajr", "fallujah"):
        return EventEffect(scene, extra=2 if event == "al_fajr" else 1)
    if event == "drugged":
        return EventEffect(scene, drugged=True)
    stage.say("It has no effect here.", "13.4.3")
    return EventEffect(scene)


async def results(
    referee: FuryReferee, swing: EventEffect, kind: AssaultType, explosives: bool, roll: tuple[int, ...], stage: Stage
) -> AssaultOutcome:
    """[13.4.2, 13.4.7] Apply both Step Losses simultaneously, then the Insurgents' reaction."""
    scene = swing.scene
    if swing.over:
        return AssaultOutcome(scene, swing.empty)
    enemy = scene.enemies[0]
    lines = assault_modifiers(referee, scene, kind, explosives)
    goal = thresholds(scene, lines, explosives, swing.extra)
    kill, loss = dice_hits(goal, roll, swing.drugged)
    survives = not kill or swing.drugged
    answer = lines.standing if survives else lines.fallen
    ours, theirs = roll

    def text() -> str:
        squad = r03_basics.result_text(ours, lines.squad, goal.need + r03_basics.total(lines.squad))
        unit = r03_basics.result_text(theirs, answer, enemy.cf, "hit")
        words = ["HIT" if hit else "miss" for hit in (kill, loss)]
        return f"{'Explosives' if explosives else 'Squad'}: {squad}: {words[0]}; {enemy.kind.title()}: {unit}: {words[1]}."

    because = [
        lambda: f"squad: {r03_basics.modifiers_text(lines.squad)}",
        lambda: f"{enemy.kind.title()}: {r03_basics.modifiers_text(answer)}",
    ]
    stage.say(text, "13.4.2", *because, *(["an unmodified 9 never hits"] if 9 in roll else []))
    if kill and swing.drugged:
        stage.say("Drugged Fighters: the unit is weakened instead of eliminated.", "13.4.3")
        scene = await weaken(scene, stage, "13.4.3", "Drugged Fighters")
    elif kill:
        await stage.eliminated("13.4.2", "Assault")
        scene = scene.rest()
    if loss:
        scene = await lose_step(scene, stage, "13.4.2", "Assault")
    return await aftermath(scene, stage) if survives else AssaultOutcome(scene, True)


async def aftermath(scene: Scene, stage: Stage) -> AssaultOutcome:
    """[13.4.7.1] A surviving unit: Martyrs stay, Guerillas retreat if they may and can."""
    if scene.enemies[0].kind != state.GUERILLAS:
        stage.say("Martyrs stay where they are.", "13.4.7.1")
        return AssaultOutcome(scene, False)
    if scene.mosque or scene.fanatic:
        stage.say(f"The Guerillas stay: {'they are in Zone 26' if scene.mosque else 'Fanaticism'}.", "13.6.1")
        return AssaultOutcome(scene, False)
    if scene.kept:
        stage.say("A Security Element keeps the Guerillas from retreating.", "13.6.4")
        scene = await weaken(scene, stage, "13.6.4", "retreat refused")
        await stage.kept()
        return AssaultOutcome(scene._replace(quiet=True), False)
    if await stage.retreat(scene):
        return AssaultOutcome(scene.fled(), True)
    return AssaultOutcome(scene, False)


async def weaken(scene: Scene, stage: Stage, rule: str, why: str) -> Scene:
    """Swap the first enemy for one of its type with CF 1 lower, unless its CF is 1 or the cup has none."""
    enemy = scene.enemies[0]
    if enemy.cf == 1:
        stage.say("Its CF is 1: it stays unchanged.", rule, why)
        return scene
    await stage.weakened(enemy.cf - 1, rule, why)
    name = replacement(scene.cup, enemy)
    if scene.cup is not None and not name:
        return scene
    cup = cup_with(cup_with(scene.cup, name, -1), enemy.name, 1)
    return scene.first(enemy._replace(cf=enemy.cf - 1, name=name))._replace(cup=cup)


@lru_cache(maxsize=4096)
def replacement(cup: Cup | None, unit: Enemy) -> str:
    """The counter in the cup for a weakened unit; "" if there is none."""
    return next((name for name, _ in cup or () if state.sides(name).get(unit.kind) == unit.cf - 1), "")


def no_flooding(scene: Scene) -> tuple[str, str] | None:
    """[4.1.5, 11.5, 13.4.8.2] Why a squad can neither start nor continue Flooding: (why, rule)."""
    squad = scene.squad
    if scene.fortified:
        return "the Zone is Fortified", "4.1.5"
    if squad.pinned:
        return "the squad is Pinned", "11.5"
    return (f"the squad's CF is {squad.now}, 4 or less", "13.4.8.2") if squad.now <= 4 else None


def flooding_over(out: AssaultOutcome) -> tuple[str, str] | None:
    """[13.4.8.1] Why Flooding ends after an Assault: (why, rule); None while it continues."""
    if not out.scene.squad.steps:
        return "the squad is eliminated", "13.4.8.1"
    if not out.empty:
        return "the Location is still held", "13.4.8.1"
    if not out.scene.enemies:
        return "the squad gets next to no other enemy" if out.scene.apart else "the Zone is clear", "13.4.8.1"
    return no_flooding(out.scene)


def may_flood(scene: Scene) -> bool:
    """[13.4.7.2] True if a squad that has come down from the roof can flood."""
    return flooding_over(AssaultOutcome(scene, True)) is None


def must_flood(scene: Scene) -> bool:
    """[13.4.7.2] True if Flooding is compulsory: the squad is at full strength."""
    return scene.squad.steps == 2


def flooding_follows(scene: Scene, start: str, where: str) -> bool:
    """[13.4.7.2] True if a won Assault between these Locations leads to compulsory Flooding, if the squad stays as it is."""
    return comes_down(start, where) and no_flooding(scene) is None and must_flood(scene)


def flood_order(locations: Iterable[str]) -> list[str]:
    """[13.4.8] Sort Locations into the order of Flooding: 2', 1, 1'; the others by ruling C-19."""
    order = ("2'", "2", "1", "1'", "1''", "C", "OG", "R")
    return sorted(locations, key=order.index)


def no_retreat(referee: FuryReferee, unit: Piece) -> str:
    """[13.6.1] Why Guerillas make no Retreat Movement; "" if they do."""
    zone = state.zone_of(unit.place)
    if zone == MOSQUE:
        return "they are in Zone 26"
    return "Fanaticism" if referee.zone_marker(zone, state.FANATICISM) else ""


async def retreat(referee: FuryReferee, unit: Piece, rule: str = "13.6") -> bool:
    """[13.6.2, 13.6.2.1, 13.6.2.2, 13.6.2.3] Follow the Egress Routes, best first. Returns whether the unit left its Location."""
    zone = state.zone_of(unit.place)
    printed = await referee.survey(zone, "13.6.2")
    if not printed.egress:
        await referee.complete(zone, "its Egress Routes from left to right", "4.1.7", EGRESS)
        printed = referee.town.zones[zone]
    because: list[str] = []
    for number, route in enumerate(printed.egress, 1):
        reason = await _closed_route(referee, zone, route)
        if not reason and route == EXIT:  # without a Victory Point [13.6.6] (ruling C-23)
            is_returned = referee.option("exit") == "returned"
            referee.say(f"{state.enemy_text(unit)} leaves the map from {unit.place}.", "13.6.6", *because)
            referee.move(unit.id, state.INSURGENTS_CUP if is_returned else state.OUT, "13.6.6", "EXIT")
            return True
        if not reason:
            where, reason = await _destination(referee, route)
            if where:
                _arrive(referee, unit, route, where, f"Egress Route {number}", because)
                return True
        because.append(f"Egress Route {number} to {route}: {reason}")
    referee.say(f"{state.enemy_text(unit)} finds no way out of Zone {zone} and stays at {unit.place}.", "13.6.2.4", *because)
    return False


async def _closed_route(referee: FuryReferee, zone: str, route: str) -> str:
    """[13.6.3, 13.6.5, 13.6.6] Why a route is closed; "" if it is open."""
    if route == EXIT:
        sections = referee.town.sections
        edge = [name for name in referee.town.zones[zone].streets if name in sections and sections[name].south]
        return "Isolated" if edge and all(is_street_covered(referee, name) for name in edge) else ""
    if route == CLOSED:
        return "no unit may enter Zone 27"
    await referee.zone(route, "13.6.2")
    if referee.is_controlled(route) and referee.squads_in(route):
        return "under USMC Control with a squad in it"
    if route in referee.town.adjacent(zone):
        return ""
    streets = referee.town.between(zone, route)
    if streets and all(is_street_covered(referee, name) for name in streets):
        return f"Isolated (street {', '.join(streets)})"
    return ""


def is_street_covered(referee: FuryReferee, section: str) -> bool:
    """[13.6.5] True if an M1A1 in or next to a Street Section, or a squad in a USMC Zone beside it, closes it."""
    printed = referee.town.sections[section]
    if any(piece.kind == state.TANK for name in (section, *printed.next) for piece in referee.at_section(name)):
        return True
    return any(referee.is_controlled(zone) and referee.squads_in(zone) for zone in printed.zones)


async def open_routes(referee: FuryReferee, zone: str) -> tuple[str, ...]:
    """[13.6.2] The open Egress Routes of a Zone, best first."""
    return tuple([route for route in referee.town.zones[zone].egress if not await _closed_route(referee, zone, route)])


async def _destination(referee: FuryReferee, zone: str) -> tuple[str, str]:
    """[13.6.2.1] The Location in the new Zone, by a drawn Suspect marker, or why there is none."""
    if not any(r03_basics.is_free(referee, state.place(zone, location)) for location in referee.locations(zone)):
        return "", "every Location is occupied"
    markers = referee.cup(state.SUSPECTS_CUP)
    if not markers:
        return "", "no Suspect marker is left to place it by"
    if not any(r03_basics.free_location(referee, zone, name) for name in markers):
        return "", "no Suspect marker leads to a free Location of it"
    marker = await r03_basics.draw_marker(referee, zone, "13.6.2.1")
    where = r03_basics.free_location(referee, zone, marker.name)
    if where:
        referee.say(f"Suspect marker {marker.name} drawn: {where}; it goes back.", "13.6.2.1")
    return where, "" if where else f"no free Location on marker {marker.name}"


def _arrive(referee: FuryReferee, unit: Piece, zone: str, where: str, route: str, because: list[str]) -> None:
    origin = unit.place
    referee.move(unit.id, where, "13.6.2.1", route)
    referee.say(f"{state.enemy_text(unit)} retreats from {origin} to {where} ({route}).", "13.6.2.1", *because)
    if referee.is_controlled(zone):
        referee.lose_control(zone, "13.6.3", "Guerillas retreated into it")
        referee.say(f"Zone {zone} passes back to the insurgents.", "13.6.3")
