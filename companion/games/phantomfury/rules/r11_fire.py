"""[11.0] The Fire Combat Phase: one unit fires at one target."""

from __future__ import annotations

from functools import partial

from companion.core.errors import Impossible
from companion.core.odds import distribution, merge
from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Confirm, Number, Odds
from companion.games.phantomfury import odds, state
from companion.games.phantomfury.referee import FIRE, FuryReferee
from companion.games.phantomfury.rules import r03_basics, r11_shots, r12_paths, r13_assault


def shot_at(referee: FuryReferee, firer: Piece, target: Piece, ammo: bool) -> r11_shots.Shot:
    """The shot, from the position."""
    zone = state.zone_of(target.place)
    cf = firer.number("cf") if firer.kind == state.TANK else referee.cf(firer) + (r11_shots.AMMO_BONUS if ammo else 0)
    fury = firer.kind == state.SQUAD and referee.near_fury(state.zone_of(firer.place))
    return r11_shots.Shot(cf, state.kind_of(target), state.location_of(target.place) == "R", referee.is_fortified(zone), fury)


async def zones_in_range(referee: FuryReferee, firer: Piece) -> tuple[str, ...]:
    """[11.1, 4.1.2.1, 4.3.1.2] The Zones in range: around the unit, and along lines of fire from either end (ruling C-72)."""
    section = state.section_of(firer.place)
    if section:
        printed = await referee.section(section, "11.1")
        return printed.beside
    zone = state.zone_of(firer.place)
    around = await referee.around(zone, "11.1")
    back = [name for name, printed in referee.town.zones.items() if zone in printed.fire]
    return tuple(dict.fromkeys([*around, *referee.town.zones[zone].fire, *back]))


def cannot_fire(referee: FuryReferee, firer: Piece) -> tuple[str, str] | None:
    """Why a unit cannot fire at all: (why, rule)."""
    if firer.mark(state.PINNED):
        return f"{firer.name} is Pinned", "11.5"
    if firer.mark(state.FIRED):
        return f"{firer.name} has Fired", "11.3"
    if firer.kind == state.TANK:
        return (f"{firer.name} is in Open Ground, not in a street", "11.1.3") if state.zone_of(firer.place) else None
    if state.section_of(firer.place):
        return f"{firer.name} is in the street", "11.1"
    zone = state.zone_of(firer.place)
    if referee.is_controlled(zone):
        return None
    return f"{firer.name} is in Zone {zone}, which is not under USMC Control", "11.1"


async def fire(referee: FuryReferee) -> None:
    """[11.1, 11.2] One unit fires at one target."""
    referee.begin(FIRE)
    if not referee.enemies():
        cure = "If one is there: companion adjust new:suspect PLACE"
        raise Impossible("no Suspect and no Insurgents unit is on the map", rule="11.1", cure=cure)
    units = [*referee.squads(), *referee.tanks()]
    ranges = {unit.id: await zones_in_range(referee, unit) for unit in units if cannot_fire(referee, unit) is None}

    def barred(unit: Piece) -> tuple[str, str] | None:
        refusal = cannot_fire(referee, unit) or no_targets(referee, unit, ranges[unit.id])
        if refusal or unit.kind == state.TANK:
            return refusal
        crowding = r12_paths.crowding(referee, unit, unit.place)  # it would stay with other squads [12.2.2, 11.3]
        return crowding[:2] if crowding else None

    firer = await referee.ask_unit("unit", "Who fires?", "11.1", units, barred)
    target = await ask_target(referee, firer)
    ammo = await ask_ammo(referee, firer, target)
    shot = shot_at(referee, firer, target, ammo)
    referee.mark(firer.id, state.FIRED, True, "11.3")
    if ammo:
        left = int(firer.mark(state.AMMO, 0) or 0) - 1
        referee.mark(firer.id, state.AMMO, left or None, "11.1.2.1", "one shot of the CAAT")
    lines = r11_shots.fire_modifiers(referee, shot)
    faces = r03_basics.hit_faces(shot.cf - r03_basics.total(lines))
    prompt = f"{firer.name} fires at {state.enemy_text(target)}, {target.place}: it hits on {faces}"
    face, hit = await r11_shots.shoot(referee, shot, prompt)
    result = r03_basics.result_text(face, lines, shot.cf)
    text = f"{firer.name} fires at {state.enemy_text(target)} at {target.place}: {result}"
    because = [f"{value:+d} {label}" for label, value in lines] + ([f"+{r11_shots.AMMO_BONUS} CF: CAAT Ammo"] if ammo else [])
    if not hit:
        nine = ", a 9 always misses" if face == 9 else ""
        referee.say(f"{text}: miss{nine}.", "11.2.4" if face == 9 else "11.2.3", *because)
        return
    referee.say(f"{text}: HIT.", "11.2.2", *because)
    if target.kind != state.SUSPECT:
        r03_basics.eliminate_enemy(referee, target, "11.2.2", "Fire Combat")
        return
    await expose(referee, firer, target)


async def expose(referee: FuryReferee, firer: Piece, target: Piece) -> None:
    """[11.2.2, 11.4.1] Activate a Suspect that was hit; a Sniper may answer a squad, never an M1A1 (ruling C-44)."""
    zone = state.zone_of(target.place)
    result = await r03_basics.activate_suspect(referee, target, zone, "shot")
    if result != state.AMBUSH:
        return
    if draws_sniper(firer):  # the target counts, so it is removed afterwards
        await r11_shots.attack(referee, referee.piece(firer.id), [zone], "11.4.1")
    else:
        referee.say("No Sniper Attack after an M1A1 has fired.", "11.4.1")
    referee.move(target.id, state.SUSPECTS_CUP, "5.3.5", "Activated")


def draws_sniper(firer: Piece) -> bool:
    """[11.4.1] True if a Sniper may answer the fire of a unit."""
    return firer.kind != state.TANK


def no_target(referee: FuryReferee, firer: Piece, target: Piece, zones: tuple[str, ...]) -> tuple[str, str] | None:
    """Why a unit cannot fire at a counter: (why, rule)."""
    zone = state.zone_of(target.place)
    if zone == state.zone_of(firer.place):
        return "a unit does not fire within its own Zone", "11.1.1"
    if zone not in zones:
        return f"Zone {zone} is neither Adjacent nor Neighbouring to {firer.name}", "11.1"
    if referee.usmc_units_in(zone):
        return f"{referee.usmc_units_in(zone)[0].name} is in Zone {zone}", "11.1"
    if firer.kind == state.TANK and state.location_of(target.place) == "R":
        return "an M1A1 cannot fire at a Rooftop", "11.1.3"
    return None


def targets_of(referee: FuryReferee, firer: Piece, zones: tuple[str, ...]) -> list[Piece]:
    """The counters that a unit can fire at."""
    return [enemy for enemy in referee.enemies() if no_target(referee, firer, enemy, zones) is None]


def no_targets(referee: FuryReferee, firer: Piece, zones: tuple[str, ...]) -> tuple[str, str] | None:
    """Why a unit has no target: (why, rule)."""
    return None if targets_of(referee, firer, zones) else (f"{firer.name} at {firer.place} has no target", "11.1")


async def ask_target(referee: FuryReferee, firer: Piece) -> Piece:
    """Ask for the target; any counter can be named, an illegal one is refused by its rule."""
    zones = await zones_in_range(referee, firer)
    everyone = referee.enemies()
    refused = {piece.place: why for piece in everyone if (why := no_target(referee, firer, piece, zones)) is not None}
    able = [piece for piece in everyone if piece.place not in refused] or everyone  # insisted on: aimless
    others = [Choice(piece.place, state.enemy_text(piece)) for piece in everyone if piece not in able]
    choices = [Choice(piece.place, state.enemy_text(piece), partial(_chance, referee, firer, piece)) for piece in able]
    request = Choose("target", f"{firer.name} fires at which target?", "11.1", choices, None, others, "target")
    request.odds = lambda: targets_odds(referee, firer, able)
    request.why_not = partial(why_no_target, referee, firer, zones)
    answer = await request
    if answer in refused:
        referee.forbid(*refused[answer])
    return next(piece for piece in everyone if piece.place == answer)


def why_no_target(referee: FuryReferee, firer: Piece, zones: tuple[str, ...], name: str) -> tuple[str, str] | None:
    """[11.1] Why a named Location or counter is no target of a unit: (why, rule); None if the name is of neither."""

    def fault(where: str) -> tuple[str, str] | None:
        enemy = referee.enemy_at(where)
        return no_target(referee, firer, enemy, zones) if enemy else None

    return r03_basics.why_no_enemy(referee, name, "11.1", fault)


def _chance(referee: FuryReferee, firer: Piece, target: Piece) -> str:
    """The hint beside a target: the chance that the shot takes effect."""
    return f"{hit_chance(referee, shot_at(referee, firer, target, False)):.0%} to hit"


def no_ammo(firer: Piece) -> tuple[str, str] | None:
    """[11.1.2] Why a unit cannot use CAAT Ammo: (why, rule)."""
    if not firer.mark(state.CAAT) or not firer.mark(state.AMMO):
        return f"{firer.name} has no CAAT with Ammo", "11.1.2"
    if state.location_of(firer.place) not in ("OG", "C", "R"):
        return f"{firer.name} is at {firer.place}; a CAAT fires from OG, C or R", "11.1.2"
    return None


async def ask_ammo(referee: FuryReferee, firer: Piece, target: Piece) -> bool:
    """[11.1.2] Ask whether the CAAT adds its bonus: from OG, C or R, while there is Ammo."""
    if refusal := no_ammo(firer):
        referee.skip_question("caat", *refusal)
        return False
    bare, with_ammo = shot_at(referee, firer, target, False), shot_at(referee, firer, target, True)
    without, armed = hit_chance(referee, bare), hit_chance(referee, with_ammo)
    prompt = f"Use CAAT Ammo? {firer.mark('ammo')} left; {without:.0%} without, {armed:.0%} with"
    request = Confirm("caat", prompt, "11.1.2", armed > without)
    rows = (("without", without), ("with Ammo", armed))
    request.odds = lambda: Odds("CAAT Ammo", "11.1.2.1", (("The shot takes effect", rows),))
    return await request


def targets_odds(referee: FuryReferee, firer: Piece, able: list[Piece]) -> Odds:
    """Odds for each target, without and with Ammo; for Suspects also what happens to them and to the firing squad."""
    hits: list[tuple[str, float]] = []
    after: dict[tuple[tuple[tuple[str, float], ...], str], list[str]] = {}
    for piece in able:
        for use in (False, True) if firer.mark(state.AMMO) else (False,):
            how = ", with CAAT Ammo" if use else ""
            chance = hit_chance(referee, shot_at(referee, firer, piece, use))
            hits.append((f"{piece.place} {state.enemy_text(piece)}{how}", chance))
            if piece.kind == state.SUSPECT:
                after.setdefault((_after(referee, firer, piece, use), how), []).append(piece.place)
    answers = [(f"A Suspect at {', '.join(places)}{how}", chances) for (chances, how), places in after.items()]
    return Odds(f"Fire of {firer.name}", "11.2.1", (("The shot takes effect", tuple(hits)), *answers))


def _after(referee: FuryReferee, firer: Piece, target: Piece, ammo: bool) -> tuple[tuple[str, float], ...]:
    """[5.3.3, 11.4.1] The distribution of what a Suspect becomes, then of what the firing squad suffers."""

    async def play() -> tuple[str, str]:
        table = referee.hypothetical()
        if not (await r11_shots.shoot(table, shot_at(table, firer, target, ammo), ""))[1]:
            return "not hit", ""
        await expose(table, firer, target)
        enemy = table.enemy_at(target.place)
        remains = state.enemy_text(enemy).partition(" CF")[0] if enemy else "no enemy there"
        return remains, _sniper_text(firer, table.piece(firer.id))

    results = distribution(play)
    fates = merge((fate, chance) for (_, fate), chance in results.items() if fate)
    return (*merge((what, chance) for (what, _), chance in results.items()).items(), *fates.items())


def _sniper_text(before: Piece, after: Piece) -> str:
    """What a Sniper did to a squad, in words; "" for nothing."""
    lost = after.face != before.face or after.mark(state.CAAT) != before.mark(state.CAAT) or after.place != before.place
    pinned = bool(after.mark(state.PINNED)) and not before.mark(state.PINNED)
    return f"{before.name} suffers: {r11_shots.crossing_text(lost, pinned)}" if lost or pinned else ""


def hit_chance(referee: FuryReferee, shot: r11_shots.Shot) -> float:
    """[11.2] The chance that a shot takes effect."""

    async def play() -> bool:
        return (await r11_shots.shoot(referee, shot, ""))[1]

    return distribution(play).get(True, 0.0)


def _suspect_sections(referee: FuryReferee, shot: r11_shots.Shot, hit: float, around: int) -> tuple[tuple[str, odds.Rows], ...]:
    """[5.3.3, 11.4.1] What a Suspect is once it is hit, and what a squad suffers from its Sniper."""
    if shot.target != state.SUSPECT:
        return ()
    kinds = distribution(lambda: r03_basics.roll_activation(referee, "the Suspect", shot.strong))
    kind_rows = odds.labelled_rows(kinds, lambda result: "a Sniper" if result[1] == state.AMBUSH else str(result[1]).title())
    ambush = hit * dict(kind_rows).get("a Sniper", 0.0)
    snipers = distribution(lambda: r11_shots.roll_sniper("the squad", around))
    back = odds.labelled_rows(snipers, lambda result: r11_shots.crossing_text(result[2], result[1]))
    fates = tuple((what, ambush * chance) for what, chance in back if what != "unharmed")
    return ("The Suspect is", tuple((what, hit * chance) for what, chance in kind_rows)), ("A squad that fires suffers", fates)


async def odds_of_fire(referee: FuryReferee) -> Odds:
    """[11.2] One shot; for a Suspect also what it is, and what its Sniper does."""
    cf = await Number("cf", "CF of the firer, with CAAT Ammo if used", "11.2.2", 1, 12)
    enemy = await r13_assault.ask_enemy("11.2.1")
    roof = await Confirm("roof", "On a Rooftop", "11.2.1", False)
    words = await r13_assault.ask_extras("11.2.1")
    around = 0
    if enemy.kind == state.SUSPECT:
        around = await Number("around", "Enemies around the squad that fires, this one too (a Sniper)", "11.4.1.1", 0, 20, 1)
    shot = r11_shots.Shot(cf, enemy.kind, roof, "fortified" in words or "mosque" in words, "fury" in words)
    hit = hit_chance(referee, shot)
    notes = (f"Modifiers: {r03_basics.modifiers_text(r11_shots.fire_modifiers(referee, shot))}.",)
    sections = (("The shot is a", (("hit", hit), ("no effect", 1 - hit))), *_suspect_sections(referee, shot, hit, around))
    return Odds("Fire Combat", "11.2", sections, (), notes)
