"""[5.1 - 5.8] Air groups and air operations: assignment, air combat, anti-air fire, bombs and ground support.

Missions are flown on plain values, so that the same code serves play and exact odds; an observer receives what happens.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial

from companion.core.dice import RollOutcome, summed_rolls
from companion.core.errors import Impossible
from companion.core.game import Obstacle
from companion.core.hints import Final, Literal
from companion.core.named_tuple import NamedTuple
from companion.core.notation import Notation
from companion.core.position import Piece
from companion.core.requests import Choice, Choose, LazyText, Roll
from companion.core.text import clean, die_range, pick_name, plural
from companion.games.iraqwar2003 import notation, state
from companion.games.iraqwar2003.referee import IraqWarReferee, boxes, intact, radar_works
from companion.games.iraqwar2003.state import Side

Role = Literal["bombing", "support", "drop", "escort", "intercept"]
BOMBING: Final = "bombing"
SUPPORT: Final = "support"
DROP: Final = "drop"
ESCORT: Final = "escort"
INTERCEPT: Final = "intercept"
MISSIONS = (BOMBING, SUPPORT, DROP)
Fate = Literal["flying", "used", "removed"]
FLYING: Final = "flying"
USED: Final = "used"
SHOT_DOWN: Final = "removed"
FATES: tuple[Fate, ...] = (FLYING, USED, SHOT_DOWN)
"""Fates of an air unit, from the best to the worst."""


AIR_FIGURES = "5-2-4: air combat-support-bombing"
"""[2.3] What the figures beside an air unit are."""


class Flier(NamedTuple):
    """A unit in an air operation.
    | Attributes:
        name: Unique in its operation.
        role: BOMBING, SUPPORT, ESCORT or INTERCEPT [5.3]; DROP for paratroops [16.2(5)].
        worth: Its bombing value at the target, or columns of ground support, negative for the defender.
        shots: Firepower of each anti-air shot at it.
        id: Id of its piece, "" if it has none.
    """

    name: str
    side: Side
    role: Role
    air: int
    stealth: bool = False
    worth: int = 0
    shots: tuple[int, ...] = ()
    fire_rule: str = "5.6(1)"
    id: str = ""

    @property
    def on_mission(self) -> bool:
        return self.role in MISSIONS


class Mission(NamedTuple):
    """All air units at one target or combat: first the unit on the mission, then the others. ``what``: the target in words."""

    fliers: tuple[Flier, ...]
    what: str = "the target"


class MissionResult(NamedTuple):
    """The fate of each flier, whether the first carried out its mission, and the columns of support that arrived [13.3(2-1)]."""

    fates: tuple[Fate, ...]
    done: bool
    shift: int = 0


class AirObserver:
    """Receives the events of an air operation. This one ignores them, for odds."""

    def combat(self, mission: Mission) -> None:
        """Air combat begins."""

    def shot(self, shooter: str, target: Flier, value: int, first: int, second: int, fate: Fate, rule: str) -> None:
        """A shot was fired. ``second`` is 0 if there was no second die."""

    def decides(self, shooter: Flier) -> bool:
        """Return True if the computer flies the shooter, so that it fires at the suggested target."""
        return False

    def untouchable(self, flier: Flier) -> None:
        """Anti-air fire does not apply to this flier."""

    async def bombed(self, mission: Mission, value: int, face: int, hit: bool) -> None:
        """A bomber rolled."""

    def supported(self, mission: Mission, fates: Mapping[str, Fate], shift: int) -> None:
        """Ground support arrived or failed."""


SILENT = AirObserver()


@lru_cache(maxsize=32)
def at_most_outcomes(value: int) -> tuple[RollOutcome, ...]:
    """The two outcomes of a die: at most the value, or more."""
    return summed_rolls(1, lambda face: int(face <= value))


class ShotKind(NamedTuple):
    """A kind of shot: the key of its question, and the rules of its two dice."""

    key: str
    rule: str
    second: str


AIR_COMBAT = ShotKind("air", "5.5(5)", "5.5(6)")


ANTI_AIR = "Anti-air fire"
FACES = 6
"""Faces of the die."""


def hit_text(value: int) -> str:
    """[5.5(5), 5.6(1), 5.7(1)] The faces that hit: ``hits on 1-3``."""
    return f"hits on {die_range(1, value, FACES)}"


def fire_text(shooter: str, target: str) -> str:
    """Say who fires at what; for anti-air fire without a verb."""
    return f"{shooter} at {target}" if shooter.startswith(ANTI_AIR) else f"{shooter} fires at {target}"


def surviving_text(target: Flier) -> str:
    """[5.5(6), 16.2(5)] Say what becomes of a unit that is hit and not shot down; paratroops are driven back (ruling C-39)."""
    return "is driven back" if target.role == DROP else "goes to the Used box"


async def shoot(shot: ShotKind, shooter: str, value: int, target: Flier, display: AirObserver) -> Fate:
    """[5.5(5), 5.5(6), 5.6(1), 5.6(2)] Resolve one shot: at most the value hits, and a second die decides the fate."""

    def to_hit() -> str:
        return f"{fire_text(shooter, target.name)}: {hit_text(value)}"

    def to_remove() -> str:
        return f"{target.name} is hit: shot down on {die_range(1, value, FACES)}, else it {surviving_text(target)}"

    def roll(key: str, prompt: LazyText) -> Roll:
        roll = Roll(key, prompt, shot.rule, outcomes=partial(at_most_outcomes, value))
        roll.seat = state.other(target.side)  # [5.6(1)] the side that is not fired at rolls
        return roll

    (first,) = await roll(shot.key, to_hit)
    if first > value:
        display.shot(shooter, target, value, first, 0, FLYING, shot.rule)
        return FLYING
    (second,) = await roll(f"{shot.key}_hit", to_remove)
    fate: Fate = SHOT_DOWN if second <= value else USED
    display.shot(shooter, target, value, first, second, fate, shot.second)
    return fate


def targets_of(shooter: Flier, fliers: Sequence[Flier]) -> list[Flier]:
    """[5.5(3), 5.5(4)] Legal targets, not white silhouettes (ruling C-37); units on a mission do not fire at each other."""
    enemies = [flier for flier in fliers if flier.side != shooter.side and not flier.stealth]
    return [flier for flier in enemies if not (shooter.on_mission and flier.on_mission)]


def best_target(shooter: Flier, targets: Sequence[Flier]) -> Flier:
    """The suggested target: the interceptor for an escort, the unit on the mission for an interceptor."""
    wanted = shooter.role == INTERCEPT
    return next((flier for flier in targets if flier.on_mission == wanted), targets[0])


def _target_excluded(shooter: Flier, fliers: Sequence[Flier], name: str) -> tuple[str, str]:
    """[5.5, 5.5(4), 5.5(7)] Why an air unit is no target, and the rule."""
    flier = next((flier for flier in fliers if flier.name.casefold() == name.casefold()), None)
    if flier is None:
        return f"'{clean(name)}' does not take part in this air combat, or is out of it", "5.5(7)"
    if flier.side == shooter.side:
        return f"{flier.name} flies on the same side as {shooter.name}", "5.5(3)"
    if flier.stealth:
        return f"{flier.name} has a white silhouette: it is no target (ruling C-37)", "5.4.1(1)"
    return f"{shooter.name} and {flier.name} are both on a mission, and do not fire at each other", "5.5(4)"


async def choose_target(
    shooter: Flier, targets: Sequence[Flier], display: AirObserver = SILENT, fliers: Sequence[Flier] = ()
) -> Flier:
    """[5.5(3)] Ask for the target if there are several. ``fliers``: all that are in the air combat."""
    if len(targets) == 1 or display.decides(shooter):
        return best_target(shooter, targets)
    choices = [Choice(flier.name, flier.name, f"{flier.role}, air combat {flier.air}") for flier in targets]
    prompt = f"Which unit does {shooter.name} fire at? (air combat {shooter.air})"
    request = Choose("aim", prompt, "5.5(3)", choices, best_target(shooter, targets).name)
    request.seat = shooter.side
    request.why_not = partial(_target_excluded, shooter, fliers)
    chosen = await request
    return next(flier for flier in targets if flier.name == chosen)


async def air_combat(mission: Mission, display: AirObserver = SILENT) -> dict[str, Fate]:
    """[5.5, 5.5(1), 5.5(2), 5.5(7), 5.5(8), 5.5(9)] Resolve an air combat, highest value first; returns fates by name."""
    fliers = mission.fliers
    fates: dict[str, Fate] = {flier.name: FLYING for flier in fliers}
    if not any(flier.air and targets_of(flier, fliers) for flier in fliers):
        return fates
    display.combat(mission)
    for value in sorted({flier.air for flier in fliers if flier.air > 0}, reverse=True):
        still_flying = [flier for flier in fliers if fates[flier.name] == FLYING]
        shooters = sorted((flier for flier in still_flying if flier.air == value), key=lambda flier: flier.side != state.IRAQ)
        aims: list[tuple[Flier, Flier]] = []
        for shooter in shooters:  # [5.5(2)] Iraq names its targets first
            targets = targets_of(shooter, still_flying)
            if targets:
                aims.append((shooter, await choose_target(shooter, targets, display, still_flying)))
        hits: list[tuple[str, Fate]] = []
        for shooter, target in aims:
            hits.append((target.name, await shoot(AIR_COMBAT, shooter.name, value, target, display)))
        for name, fate in hits:
            fates[name] = max(fates[name], fate, key=FATES.index)
    return fates


async def anti_air(flier: Flier, display: AirObserver = SILENT) -> Fate:
    """[5.6, 5.6(3), 6.3(5), 2.3.2, 2.5.3] Resolve anti-air fire until the first hit (ruling C-6); not at white silhouettes."""
    if flier.stealth and flier.shots:
        display.untouchable(flier)
        return FLYING
    for number, value in enumerate(flier.shots, 1):
        shooter = ANTI_AIR if len(flier.shots) == 1 else f"{ANTI_AIR} {number} of {len(flier.shots)}"
        fate = await shoot(ShotKind("aa", flier.fire_rule, "5.6(2)"), shooter, value, flier, display)
        if fate != FLYING:
            return fate
    return FLYING


def bombing_value(printed: int, city: bool) -> int:
    """[5.7(3)] The bombing value, halved and rounded down in Baghdad, Basra and Mosul."""
    return printed // 2 if city else printed


async def drop_bombs(mission: Mission, display: AirObserver = SILENT, remaining: int = 1) -> bool:
    """[5.7(1)] Roll one die; at most the bombing value hits. ``remaining``: bombings that come, this one included."""
    name, value = mission.fliers[0].name, mission.fliers[0].worth

    def prompt() -> str:
        return f"{name} bombs {mission.what}: {hit_text(value)}"

    roll = Roll("bomb", prompt, "5.7(1)", outcomes=partial(at_most_outcomes, value))
    roll.seat, roll.remaining = mission.fliers[0].side, remaining
    (face,) = await roll
    await display.bombed(mission, value, face, face <= value)
    return face <= value


async def air_combats(missions: Sequence[Mission], display: AirObserver, joined: bool) -> list[dict[str, Fate]]:
    """[5.5] The fates by name for each mission: one air combat per target, or one per mission unless ``joined`` (ruling C-47)."""
    fates: list[dict[str, Fate]] = []
    for index, mission in enumerate(missions):
        same_target = [other for other in missions if joined and other.what == mission.what and _is_intercepted(other)]
        alike = same_target if _is_intercepted(mission) else []
        first = missions.index(alike[0]) if alike else index
        together = mission._replace(fliers=tuple(flier for other in alike or [mission] for flier in other.fliers))
        fates.append(fates[first] if first < index else await air_combat(together, display))
    return fates


def _is_intercepted(mission: Mission) -> bool:
    return len({flier.side for flier in mission.fliers}) > 1


async def fly(missions: Sequence[Mission], display: AirObserver = SILENT, joined: bool = True) -> list[MissionResult]:
    """[5.2(3), 5.2(4), 5.2(5)] Fly missions: air combats, anti-air fire, then bombs and support [5.6(4)] (ruling C-5)."""
    ends = await air_combats(missions, display, joined)
    for mission, fates in zip(missions, ends, strict=True):
        for flier in mission.fliers:
            if flier.on_mission and fates[flier.name] == FLYING:
                fates[flier.name] = await anti_air(flier, display)
    flights = list(zip(missions, ends, strict=True))
    bombing = [mission.fliers[0].role == BOMBING and fates[mission.fliers[0].name] == FLYING for mission, fates in flights]
    return [await _finish_mission(*flight, display, sum(bombing[index:])) for index, flight in enumerate(flights)]


async def _finish_mission(mission: Mission, fates: Mapping[str, Fate], display: AirObserver, remaining: int) -> MissionResult:
    """[5.2(5)] Drop bombs [5.7], or add up ground support [13.3(2-1)]; units that were hit give none [13.3(2-3)].

    ``remaining``: bombings that come, this one included.
    """
    lead = mission.fliers[0]
    shift = sum(flier.worth for flier in mission.fliers if flier.role == SUPPORT and fates[flier.name] == FLYING)
    done = fates[lead.name] == FLYING
    if lead.role == BOMBING:
        done = done and await drop_bombs(mission, display, remaining)
    elif lead.role != DROP:
        display.supported(mission, fates, shift)
    return MissionResult(tuple(fates[flier.name] for flier in mission.fliers), done, shift)


# -- [5.5 - 5.7] Air operations on the table ---------------------------------------------------------------------------


class TableObserver(AirObserver):
    """Announces each event and moves the units that were hit."""

    def __init__(self, referee: IraqWarReferee) -> None:
        self.referee = referee

    def combat(self, mission: Mission) -> None:
        values = ", ".join(f"{flier.name} {flier.air}" for flier in mission.fliers)
        where = "at" if mission.fliers[0].role == BOMBING else "over"
        self.referee.say(f"Air combat {where} {mission.what}: {values}.", "5.5")

    def shot(self, shooter: str, target: Flier, value: int, first: int, second: int, fate: Fate, rule: str) -> None:
        rolled = f"{fire_text(shooter, target.name)}: {first}, {hit_text(value)}"
        if fate == FLYING:
            self.referee.say(f"{rolled}. MISS.", rule)
            return
        removed = fate == SHOT_DOWN
        outcome = f"{target.name} is SHOT DOWN" if removed else f"{target.name} {surviving_text(target)}"
        self.referee.say(f"{rolled}. HIT; second die {second}: {outcome}.", rule)
        remove_hit(self.referee, target, removed, rule)

    def decides(self, shooter: Flier) -> bool:
        return self.referee.computer_plays(shooter.side)

    def untouchable(self, flier: Flier) -> None:
        self.referee.say(f"{flier.name} is stealthy: no anti-air fire at it.", "5.6.1(1)")

    async def bombed(self, mission: Mission, value: int, face: int, hit: bool) -> None:
        action = f"{mission.fliers[0].name} bombs {mission.what}"
        self.referee.say(f"{action}: {face}, {hit_text(value)}. {'HIT' if hit else 'MISS'}.", "5.7(1)")

    def supported(self, mission: Mission, fates: Mapping[str, Fate], shift: int) -> None:
        rows = []
        for unit in (flier for flier in mission.fliers if flier.role == SUPPORT):
            given = f"gives {plural(abs(unit.worth), 'column')} to the {state.SIDE_TITLES[unit.side]} side"
            rows.append(f"{unit.name} {given if fates[unit.name] == FLYING else 'was hit and gives none [13.3(2-3)]'}")
        if rows:
            columns = f"{plural(abs(shift), 'column')} to the {'attacker' if shift > 0 else 'defender'}"
            text = columns if shift else "no column for either side"
            self.referee.say(f"Air support: {text}.", "13.3(2-1)" if len(rows) > 1 else "13.3(2)", *rows)


def remove_hit(referee: IraqWarReferee, target: Flier, removed: bool, rule: str) -> None:
    """[5.5(6), 5.6(2)] Move a hit air unit out of the game or to the Used box; paratroops stay in place."""
    piece = referee.piece(target.id)
    if piece.kind != state.AIR or piece.place == state.REMOVED:
        return
    if not removed:
        referee.move(piece.id, state.used_box(target.side), rule, "hit")
        return
    shot_down(referee, piece, rule, "shot down")


def shot_down(referee: IraqWarReferee, piece: Piece, rule: str, why: str) -> None:
    """[5.8.2(1), 15.2] Remove an air unit from the game; an Iraqi one leaves a marker, because its Air Field is used."""
    referee.move(piece.id, state.REMOVED, rule, why)
    if notation.side_of(piece) == state.IRAQ:
        box, why = state.used_box(state.IRAQ), "its air field has been used this turn"
        referee.make(state.MARKER, "Damaged marker", box, "5.8.2(1)", why)
    elif notation.counts_for_victory(piece):
        referee.say(f"The Coalition loses {piece.name}: {referee.points('air')}.", "15.2")


# -- [5.1 - 5.4, 5.8] Air groups ---------------------------------------------------------------------------------------

_USED = frozenset((state.used_box(state.COALITION), state.used_box(state.IRAQ)))
_RULE_OF_ROLE = {BOMBING: "5.3(4)", SUPPORT: "5.3(3)", ESCORT: "5.3(1)", INTERCEPT: "5.3(2)"}
_VALUE_OF_ROLE = {BOMBING: "bombing", SUPPORT: "support", ESCORT: "air", INTERCEPT: "air"}
_WORD_OF_VALUE = {"bombing": "bombing value", "support": "ground support value", "air": "air combat value"}


class AirGroup(NamedTuple):
    """[5.1.1(2)] The unit on the mission or None, and its escort or interceptor or None."""

    lead: Piece | None = None
    other: Piece | None = None
    role: Role = BOMBING
    other_role: Role = ESCORT

    @property
    def pieces(self) -> list[Piece]:
        return [piece for piece, _ in self.roles]

    @property
    def roles(self) -> list[tuple[Piece, Role]]:
        """The units with their roles."""
        both: tuple[tuple[Piece | None, Role], ...] = ((self.lead, self.role), (self.other, self.other_role))
        return [(piece, role) for piece, role in both if piece]

    @property
    def title(self) -> str:
        return "+".join(piece.name for piece in self.pieces)


class PlannedMission(NamedTuple):
    """[5.2(1)] One group at its target, with everything that it meets.
    | Attributes:
        kind: ``box``, ``palace``, ``unit``, ``road`` or ``drop``. id: Of the piece, or the hex. target: In words.
        value: The bombing value at the target. city: Whether it was halved.
        sectors: Air sectors of the target, empty where they do not matter.
    """

    group: AirGroup
    kind: str
    id: str
    target: str
    shots: tuple[int, ...] = ()
    fire_rule: str = "5.6(1)"
    value: int = 0
    city: bool = False
    sectors: tuple[str, ...] = ()
    interceptor: Piece | None = None

    @property
    def lead(self) -> Piece:
        """The unit on the mission."""
        assert self.group.lead
        return self.group.lead


# -- notation ----------------------------------------------------------------------------------------------------------


def group_notation(names: Sequence[str], example: str, words: Sequence[str] = ()) -> Notation:
    """Notation of an air group, ``B-1+F-15`` or ``none``, with optional words before a single unit."""

    def read(text: str) -> str:
        plain = clean(text)
        if state.is_none(plain) or plain.casefold() == "done":
            return state.NONE
        word, _, rest = plain.partition(" ")
        if "," in plain:
            parts = [pick_name(part.strip(), names, "air unit") for part in plain.replace("+", ",").split(",")]
            rule = "5.1.1(5)" if words else "5.1.1(2)"
            cure = f"Name one unit, or two: {parts[0]}+ESCORT"
            raise Impossible(f"{' and '.join(parts)} are several air groups, and one flies at a target", rule=rule, cure=cure)
        if word.casefold() == ESCORT and rest and not words:
            cure = f"Name the bomber first: BOMBER+{rest}"
            raise Impossible("no escort flies here without a unit on the mission", rule="5.3.1(1)", cure=cure)
        lead = next((candidate for candidate in words if rest and len(word) > 1 and candidate.startswith(word.casefold())), "")
        parts = [pick_name(part.strip(), names, "air unit") for part in (rest if lead else plain).split("+")]
        if len(parts) > 2 or len(set(parts)) != len(parts) or (lead and len(parts) > 1):
            raise Impossible("a group has one unit on a mission and at most one more", rule="5.1.1(2)", cure=f"Like: {example}")
        return f"{lead} {parts[0]}" if lead else "+".join(parts)

    return Notation("air group", example, read)


# -- checks ------------------------------------------------------------------------------------------------------------


async def check_unit(referee: IraqWarReferee, piece: Piece, role: Role, facility: bool = False) -> notation.AirValues:
    """[5.3] Check that a unit can have a role; asks for unknown values. ``facility``: the only mission for a naval unit."""
    for check in _CHECKS:
        referee.enforce(check(referee, piece, role, facility))
    values = await referee.air_values(piece)
    referee.enforce(_value_obstacle(piece, role, values))
    referee.pin(piece.id)
    return values


def ready_for(referee: IraqWarReferee, side: Side, role: Role, facility: bool = False, but: Sequence[Piece] = ()) -> list[Piece]:
    """[5.3] Units of a side that can have a role now, as far as values are known, except ``but``."""
    cache, key = referee.position.cache_for(referee.options), (ready_for, side, role, facility)
    if key not in cache:
        candidates = [piece for piece in referee.air_units(side) if not _is_unavailable(piece)]
        cache[key] = [piece for piece in candidates if not role_obstacle(referee, piece, role, facility)]
    named = [piece.id for piece in but]
    return [piece for piece in cache[key] if piece.id not in named] if named else list(cache[key])


def role_obstacle(referee: IraqWarReferee, piece: Piece, role: Role, facility: bool = False) -> Obstacle | None:
    """[5.3] Why a unit cannot have a role, as far as its values are known."""
    for check in _CHECKS:
        if obstacle := check(referee, piece, role, facility):
            return obstacle
    values = referee.known_values(piece)
    return _value_obstacle(piece, role, values) if values else None


def _is_unavailable(piece: Piece) -> bool:
    """[2.1.4, 5.5(6)] Return True for a removed or used unit."""
    return piece.place == state.REMOVED or (piece.place in _USED and piece.place == state.used_box(notation.side_of(piece)))


def _used_obstacle(referee: IraqWarReferee, piece: Piece, role: Role, facility: bool) -> Obstacle | None:
    """[2.1.4, 2.5.4(2), 5.5(6)] The unit was removed or used."""
    if not _is_unavailable(piece):
        return None
    if piece.place == state.REMOVED:
        return Obstacle(f"{piece.name} has been removed from the game", "5.5(6)", "Name another")
    if notation.is_naval(piece):
        text = f"{piece.name} has fired its cruise missiles; each ship does so once a game"
        return Obstacle(text, "2.5.4(2)", "Name another")
    return Obstacle(f"{piece.name} has been used this turn", "2.1.4", "It comes back at the end of the turn")


def _naval_obstacle(referee: IraqWarReferee, piece: Piece, role: Role, facility: bool) -> Obstacle | None:
    """[2.5.4(1)] A ship bombs facilities only."""
    if not notation.is_naval(piece) or (role == BOMBING and facility):
        return None
    return Obstacle(f"{piece.name} is a naval unit: it bombs facilities and nothing else", "2.5.4(1)", "Name an air unit")


def _storm_obstacle(referee: IraqWarReferee, piece: Piece, role: Role, facility: bool) -> Obstacle | None:
    """[16.6(3)] A storm grounds all units but ships (ruling C-24) and drop escorts (ruling C-45)."""
    if notation.is_naval(piece) or not referee.position.flag(state.GROUNDED):
        return None
    return Obstacle("the sand storm grounds all air units now", "16.6(3)", "Naval units still fire")


_CHECKS = (_used_obstacle, _naval_obstacle, _storm_obstacle)


def _value_obstacle(piece: Piece, role: Role, values: notation.AirValues) -> Obstacle | None:
    """[5.3] The unit lacks the value that its role needs."""
    value_name = _VALUE_OF_ROLE[role]
    if getattr(values, value_name):
        return None
    text = f"{piece.name} ({values}) has no {_WORD_OF_VALUE[value_name]}, so it cannot be on {role}"
    return Obstacle(text, _RULE_OF_ROLE[role], "Name another")


def airfield_obstacle(referee: IraqWarReferee, count: int) -> Obstacle | None:
    """[5.8.2, 5.4.1(3)] Iraq uses one air unit a turn per intact Air Field. ``count``: units named but not in the Used box."""
    fields = boxes(referee.position, notation.AIRFIELD)
    airfields_left = referee.airfields_left()
    if fields and not intact(fields):
        return Obstacle("every Air Field is destroyed: Iraq can perform no air operation", "5.8.2(2)", "Play on without")
    if count > airfields_left:
        text = f"{plural(count, 'air unit')} named, and the Air Fields allow {airfields_left} more this turn"
        return Obstacle(text, "5.8.2(1)", "Name fewer")
    return None


def stealth_obstacle(referee: IraqWarReferee, lead: Piece) -> Obstacle | None:
    """[5.4.1(1)] A white silhouette is not intercepted."""
    values = referee.known_values(lead)
    if values and values.stealth:
        return Obstacle(f"{lead.name} has a white silhouette: it cannot be intercepted", "5.4.1(1)", "Name none")
    return None


def radar_obstacle(referee: IraqWarReferee, sectors: Sequence[str]) -> Obstacle | None:
    """[5.4.1(2), 5.8.1(3)] Iraq intercepts only where a Radar of the sector, or of either sector of a border hex, works."""
    if not sectors or any(radar_works(referee.position, sector) for sector in sectors):
        return None
    text = f"both Radars of the sector ({' and '.join(sectors)}) are destroyed: Iraq cannot intercept there"
    return Obstacle(text, "5.4.1(2)", "Name none")


def interception_obstacle(referee: IraqWarReferee, plan: PlannedMission, foe: Side) -> Obstacle | None:
    """[5.4.1] Why a group cannot be intercepted."""
    return stealth_obstacle(referee, plan.lead) or (radar_obstacle(referee, plan.sectors) if foe == state.IRAQ else None)


# -- missions ----------------------------------------------------------------------------------------------------------


def flier_of(referee: IraqWarReferee, piece: Piece, role: Role) -> Flier | None:
    """A unit as a flier; None while its values are unknown."""
    values = referee.known_values(piece)
    return Flier(piece.name, notation.side_of(piece), role, values.air, values.stealth, id=piece.id) if values else None


def mission_of(referee: IraqWarReferee, plan: PlannedMission, interceptor: Piece | None = None) -> Mission | None:
    """The mission of a planned group, with a possible interceptor if none is assigned; None while values are unknown."""
    foe = plan.interceptor or interceptor
    roles = plan.group.roles
    roles += [(foe, INTERCEPT)] if foe else []
    fliers = [flier for piece, role in roles if (flier := flier_of(referee, piece, role))]
    if len(fliers) < len(roles):
        return None
    lead = fliers[0]._replace(worth=plan.value, shots=plan.shots, fire_rule=plan.fire_rule)
    return Mission((lead, *fliers[1:]), plan.target)


def mark_used(referee: IraqWarReferee, pieces: Sequence[Piece]) -> None:
    """[5.2(6), 5.5(10), 5.7(2)] Move the units that took part and remain to their Used boxes."""
    flown = {piece.id: piece for piece in pieces}  # insisted on, one may fly in two groups
    units = [(referee.piece(piece.id), notation.side_of(piece)) for piece in flown.values()]
    moves = [(piece, state.used_box(side)) for piece, side in units if piece.place == state.available_box(side)]
    referee.move_all(moves, "5.2(6)", "used")
