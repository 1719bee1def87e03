"""[3.0, 9.0] The turn: set-up, reinforcements, Event Phase, the sequence of phases, and rally."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from operator import attrgetter

from companion.core.errors import Impossible
from companion.core.hints import TYPE_CHECKING
from companion.core.named_tuple import NamedTuple
from companion.core.position import FlagReader, FlagValue, Piece, Position, Value
from companion.core.requests import Choice, Choose, Odds, Roll
from companion.core.text import plural
from companion.games.lzalbany import notation, odds, state
from companion.games.lzalbany.areas import ALBANY, COLUMBUS, SAWGRASS, TRANSITION, is_area, title
from companion.games.lzalbany.rules import r02_map, r04_victory, r05_chits, r06_movement, r07_melee, r08_hits

if TYPE_CHECKING:
    from companion.games.lzalbany.referee import AlbanyReferee

FLARE_COUNT = 8
FLOWN = ("A/1-5", "B/1-5")
"""[3.2D] Companies that arrive in LZ Columbus or by airlift."""
SAWGRASS_COMPANY, DOT = "B/2-7", "dot"
_NAMES = (
    "A counter is named by its label and its company: 1/A/2-7 is counter 1 of A/2-7, mtr a mortar, at an anti-tank platoon, "
    "co the company's officer."
)


async def set_up(referee: AlbanyReferee) -> None:
    """[3.2] Put everything into its box; the first action asks where the forces are placed."""
    given = r04_victory.handicap(referee.options)
    referee.set_track(state.TURN, 1, "3.2A", "set-up")
    for track in (state.US_VP, state.NVA_VP):
        referee.set_track(track, 0, "3.2A", "set-up")
    referee.set_track(state.FLARES, FLARE_COUNT, "3.2A", "set-up")
    for number in range(1, FLARE_COUNT + 1):
        referee.make(state.FLARE, f"Flare {number}", state.FLARE_TRACK, "3.2A")
    make_chits(referee)
    await make_counters(referee)
    await r02_map.load_map(referee)
    referee.enter_phase("deploy", "3.2")
    referee.say(_NAMES, "2.4", tone="reminder")
    if given:
        who, against = (state.US, state.NVA) if given > 0 else (state.NVA, state.US)
        points = f"{abs(given)} VP when the score is counted, against the {against}"
        referee.say(f"Handicap: the {who} gets {points}. The VP of the game and its milestones stay as the rules say.", "")
    referee.say("Now place the forces: deploy, or next.", "3.2", tone="reminder")


def make_chits(referee: AlbanyReferee) -> None:
    """[3.2B, 5.1] Make all action chits: those of turn 1 in the pool, the others on the Turn Track."""
    chart = referee.chart("chits")
    for chit in chart.rows:
        for turn_column, count_column in (("turn", "count"), ("later", "more")):
            turn = chart.number(chit, turn_column)
            for _ in range(chart.number(chit, count_column)):
                values: dict[str, Value] = {"side": chart.text(chit, "side"), "turn": turn, "chit": chit}
                place = state.POOL if turn == 1 else state.TO_COME
                referee.make(state.CHIT, chart.text(chit, "title"), place, "3.2B", values=values)


async def make_counters(referee: AlbanyReferee) -> None:
    """[2.4] Make the platoons and officers, as entered by the owner or of the sample roster."""
    chart = referee.chart("organisations")
    samples = {lot["company"]: lot["counters"] for lot in referee.data.counters["roster"]}
    for company in notation.COMPANIES:
        prompt = f"Which counters has {company}?"
        roster = await referee.printed(f"roster:{company}", prompt, "2.4", notation.COMPANY, samples[company])
        side, group, turn = chart.text(company, "side"), chart.text(company, "group"), chart.number(company, "turn")
        for counter in notation.read_company(roster):
            values = notation.values_of(counter, company, side, group)
            arrives = 2 if company == "NVA senior" and counter.label.casefold() not in ("man", "an", "a") else turn
            kind = state.OFFICER if counter.type == state.OFFICER else state.UNIT
            place = state.TO_PLACE if arrives == 1 else state.TO_COME
            referee.make(kind, counter.name(company), place, chart.cite(company), values={**values, "turn": arrives})


async def deploy(referee: AlbanyReferee) -> None:
    """[3.2C, 3.2E] Both sides place their starting forces."""
    await _place_all(referee)
    referee.enter_phase("event", "3.3")
    referee.say("Turn 1 begins with the ambush: the US has no Event Phase and no Rally Phase.", "3.3")


async def reinforce(referee: AlbanyReferee) -> None:
    """[3.4] Add chits to the pool and units to the map."""
    chart = referee.chart("organisations")
    chits = [p for p in referee.position.at(state.TO_COME) if p.kind == state.CHIT and p.number("turn") <= referee.turn]
    chits = [p for p in chits if not _is_withheld(referee, p)]
    for chit in chits:
        referee.move(chit.id, state.POOL, "5.1", f"turn {referee.turn}")
    arrivals = [p for p in referee.position.at(state.TO_COME) if "company" in p.values and p.number("turn") <= referee.turn]
    for piece in arrivals:
        referee.move(piece.id, state.TO_PLACE, chart.cite(state.company_of(piece)), f"turn {referee.turn}")
    if not chits and not arrivals:
        referee.say(f"No reinforcements on turn {referee.turn}.", "3.4")
    await _place_all(referee)
    referee.enter_phase("event", "3.4")


def _is_withheld(referee: AlbanyReferee, chit: Piece) -> bool:
    """[5.2E] True for the NVA's Adrenaline once the NVA retreats."""
    return referee.nva_retreats and chit.name == state.NVA_ADRENALINE


async def _place_all(referee: AlbanyReferee) -> None:
    chart, without_style = referee.chart("organisations"), set(state.SIDES if referee.phase == "deploy" else ())
    for company in notation.COMPANIES:
        waiting = [p for p in referee.position.at(state.TO_PLACE) if state.company_of(p) == company]
        if not waiting:
            continue
        side, rule = state.side_of(waiting[0]), chart.cite(company)
        if company == "US artillery":
            _place(referee, [notation.Order(piece, COLUMBUS) for piece in waiting], rule)
            continue
        with referee.side_acts(side):
            if side in without_style:
                without_style.remove(side)
                await referee.choose_style(side)
            await _place_company(referee, company, waiting, side, rule)


async def _place_company(referee: AlbanyReferee, company: str, waiting: Sequence[Piece], side: state.Side, rule: str) -> None:
    held = _without_room(referee, side, company, waiting)
    if held:
        for piece in held:
            referee.move(piece.id, state.TO_COME, rule, "no room")
        referee.say(f"No start area has room for {referee.piece_names(held)} of {company}: next turn, if there is.", rule)
        waiting = [piece for piece in waiting if piece not in held]
        if not waiting:
            return
    is_flown = company in FLOWN
    names = (f"{column}{row}" for row in range(3, 10) for column in "bcdef")
    free = [area for area in names if not referee.unit_count(area, state.enemy(side))]
    home = _orders_filling({area: r06_movement.room_in(referee, area, side) for area in free}, waiting) or "b3"
    reader = r02_map.orders_for(referee, waiting, *((state.AIRLIFT,) if is_flown else ()), home=home)
    first, _, later = referee.chart("organisations").text(company, "where").partition("; on turn 2 ")
    where = later if later and referee.turn > 1 else first
    where = where if where.startswith(("by ", "in ")) else f"to {where}"
    count = f"{plural(len(waiting), 'counter')}: " if len(waiting) > 1 else ""

    def prompt() -> str:
        room = free_start_areas(referee, side, company, waiting) if not (is_flown or choices()) else {}
        rooms = f". Room for units: {', '.join(f'{area} {units}' for area, units in room.items() if units)}" if room else ""
        return f"Where does {company} go, {where}? {count}{referee.piece_names(waiting)}{rooms}"

    suggest = COLUMBUS if is_flown else _orders_filling(free_start_areas(referee, side, company, waiting), waiting)

    def choices() -> list[Choice]:
        return [Choice(place, place) for place in _whole_company_places(referee, side, company, waiting)]

    key = company.casefold().replace(" ", "-")
    request = notation.OrderRequest(key, prompt, rule, reader.notation, choices, suggest)
    text = await referee.decide(request, side, "deploy", lambda planner: planner.deploy(company, waiting), auto=False)
    orders = reader.read(text)
    ordered = {order.piece.id for order in orders}
    left = [piece for piece in waiting if piece.id not in ordered]
    if left:
        missing = f"{referee.piece_names(left)} of {company} {'has' if len(left) == 1 else 'have'} no area yet"
        placed = Counter(order.to for order in orders if order.piece.kind == state.UNIT)
        free_areas = free_start_areas(referee, side, company, left)
        rooms = {area: max(0, room - placed[area]) for area, room in free_areas.items()}
        add = COLUMBUS if is_flown else _orders_filling(rooms, left) or home
        referee.forbid(missing, rule, f"Add: ; {add if '>' in add else f'rest > {add}'}")
    await _check_places(referee, company, side, _start_kind(side, waiting), orders, rule)
    r06_movement.check_stacks(referee, side, orders, rule)
    _place(referee, orders, rule)


def _without_room(referee: AlbanyReferee, side: state.Side, company: str, waiting: Sequence[Piece]) -> list[Piece]:
    """[3.2, 6.1] The counters that fit into none of their areas and wait (ruling D-11); none while areas may be unknown."""
    if company in FLOWN or not referee.map.is_complete():
        return []
    room = free_start_areas(referee, side, company, waiting)
    units = [piece for piece in waiting if piece.kind == state.UNIT]
    return units[sum(room.values()) :] if room else list(waiting)


def _whole_company_places(referee: AlbanyReferee, side: state.Side, company: str, waiting: Sequence[Piece]) -> list[str]:
    """[3.2, 6.1] The places where a whole company can begin, as far as the map is known."""
    if company in FLOWN:
        return [COLUMBUS, state.AIRLIFT]
    units = sum(piece.kind == state.UNIT for piece in waiting)
    return [area for area, room in free_start_areas(referee, side, company, waiting).items() if room >= units]


async def _check_places(
    referee: AlbanyReferee, company: str, side: state.Side, start: str, orders: Sequence[notation.Order], rule: str
) -> None:
    """[3.2C, 3.2D, 3.2E, 3.2F] Check the areas of a company against its rule and the known map; no enemies (ruling C-62)."""
    starts, dots = _start_areas(referee, start), _start_areas(referee, DOT)
    for area in dict.fromkeys(order.to for order in orders):
        where = title(area) if is_area(area) else area
        if company in FLOWN:
            if area not in (COLUMBUS, state.AIRLIFT):
                text = f"{company} arrives in LZ Columbus or by airlift, not in {where}"
                referee.forbid(text, rule, f"Name {COLUMBUS} or {state.AIRLIFT}")
            continue
        if area in (COLUMBUS, TRANSITION):
            referee.forbid(f"{company} may not start in {where}", rule, "Name another area")
        elif company == SAWGRASS_COMPANY:
            if await r02_map.terrain_of(referee, area, "3.2D") != SAWGRASS:
                referee.forbid(f"{where} is not sawgrass, and {company} arrives in sawgrass", rule, "Name another area")
            elif dots and area not in dots:
                referee.forbid(f"{where} has no green dot", rule, _start_cure(referee, area, dots, DOT))
        elif starts and area not in starts:
            referee.forbid(f"{company} may not start in {where}", rule, _start_cure(referee, area, starts, start))
        if referee.unit_count(area, state.enemy(side)):
            referee.forbid(f"enemies are in {where}", rule, "Name another area")


def _start_cure(referee: AlbanyReferee, area: str, starts: Sequence[str], start: str) -> str:
    more = "" if referee.option("map") != "own" else f"; if it has one: companion map lzalbany tell {area} start {start}"
    return f"It can go to {', '.join(starts)}{more}"


def _place(referee: AlbanyReferee, orders: Sequence[notation.Order], rule: str) -> None:
    for area in dict.fromkeys(order.to for order in orders):
        r02_map.announce_new_area(referee, area)
        for piece in [order.piece for order in orders if order.to == area]:
            referee.move(piece.id, area, rule)


def _start_kind(side: state.Side, waiting: Sequence[Piece]) -> str:
    return "us1" if side == state.US else "nva2" if waiting[0].number("turn") == 2 else "nva1"


def _areas_by_start(position: Position) -> dict[FlagValue, list[str]]:
    """[3.2] The areas of each start circle."""
    areas: dict[FlagValue, list[str]] = {}
    for flag, start in position.flags.items():
        if flag.startswith(_START):
            areas.setdefault(start, []).append(flag.removeprefix(_START))
    return areas


_START = state.start_flag("")
_AREAS_BY_START = FlagReader(_areas_by_start, (_START,))


def _start_areas(referee: AlbanyReferee, start: str) -> list[str]:
    return referee.position.cached_from_flags(_AREAS_BY_START).get(start, [])


def free_start_areas(referee: AlbanyReferee, side: state.Side, company: str, waiting: Sequence[Piece]) -> dict[str, int]:
    """[3.2, 6.1] The known start areas without enemies, with the number of units that fit."""
    starts = _sawgrass_areas(referee) if company == SAWGRASS_COMPANY else _start_areas(referee, _start_kind(side, waiting))
    return {area: r06_movement.room_in(referee, area, side) for area in starts if not referee.units(area, state.enemy(side))}


def _orders_filling(room: Mapping[str, int], waiting: Sequence[Piece]) -> str | None:
    parts: list[str] = []
    left = [piece for piece in waiting if piece.kind == state.UNIT]
    officers = [piece for piece in waiting if piece.kind != state.UNIT]
    for area in room:
        taken, left = left[: room[area]], left[room[area] :]
        group = taken + (officers if taken or (not left and not parts) else [])
        officers = [] if group else officers
        if group:
            parts.append(f"{' '.join(piece.name for piece in group)} > {area}")
    if left or officers or not parts:
        return None
    return "; ".join(parts) if len(parts) > 1 else parts[0].rpartition("> ")[2]


def _sawgrass_areas(referee: AlbanyReferee) -> list[str]:
    """[3.2D] Areas for B/2-7, with a dot if dots are known."""
    area_map = referee.map
    candidates = _start_areas(referee, DOT) or area_map.areas()
    sawgrass = (a for a in candidates if area_map.terrain(a) == SAWGRASS and not referee.unit_count(a, state.NVA))
    free = [area for area in sawgrass if r06_movement.room_in(referee, area, state.US)]

    def danger(area: str) -> int:
        return sum(bool(referee.units(place, state.NVA)) for place in area_map.neighbours(area))

    free.sort(key=lambda area: (danger(area), area_map.distance(area, ALBANY)))
    first = free[:1]

    def apart(area: str) -> tuple[bool, int, int]:
        return danger(area) > danger(first[0]), area_map.distance(first[0], area), danger(area)

    return first + sorted(free[1:], key=apart)


_CHITS = (
    "Each Fire/Move chit drawn from the pool lets one group of its side fire or move; a group has two a turn. "
    "On turn 1 all chits are those of the NVA."
)
_NO_EFFECT = "The event affects nobody."


async def event_phase(referee: AlbanyReferee) -> None:
    """[3.5] Each player has one event; the US none on turn 1 [3.3]."""
    for side in state.SIDES:
        if side == state.US and not referee.chart("turns").cell(str(referee.turn), "us_event"):
            referee.say("Turn 1: the US has no Event Phase.", "3.3")
            continue
        with referee.side_acts(side):
            await _event(referee, side)
    referee.enter_phase("action", "3.5")
    if referee.turn == 1:
        referee.say(_CHITS, "3.6", tone="reminder")


async def _event(referee: AlbanyReferee, side: state.Side) -> None:
    """[3.5] One side picks an area that the enemy occupies and rolls (ruling C-9)."""
    areas = referee.held_areas(state.enemy(side))
    if not areas:
        referee.say(f"The {side} has no event: no enemy is on the map.", "3.5")
        return
    choices = referee.area_choices(areas, state.enemy(side))
    request = Choose("event_area", f"{side} event: in which enemy area?", "3.5", choices, areas[0])
    request.why_not = partial(_why_no_event, referee, side)
    area = await referee.decide(request, side, "target", lambda planner: planner.event_area(areas), auto=False)
    (face,) = await Roll("choi_oi", f"{side} event in {title(area)}: roll on the Choi Oi Table", "3.5")
    fallback = "none" if referee.option("map") != "own" else None
    prompt = f"What does a {side} roll of {face} do on the Choi Oi Table? ({', '.join(notation.EFFECT_KINDS)}: words)"
    text = await referee.printed(f"choi:{side.casefold()}-{face}", prompt, "3.5", notation.EFFECT, fallback)
    effect = notation.read_effect(text)
    referee.say(f"{side} event in {title(area)}: die {face}, {effect.words}.", "3.5")
    await take_effect(referee, side, area, effect)


def _why_no_event(referee: AlbanyReferee, side: state.Side, name: str) -> tuple[str, str] | None:
    """[3.5] Why a side has no event in an area that is named, with the rule."""
    area = referee.area_called(name)
    return (f"no {state.enemy(side)} platoon or unwounded officer is in {title(area)}", "3.5") if area else None


async def take_effect(referee: AlbanyReferee, side: state.Side, area: str, effect: notation.Effect) -> None:
    """[3.5] Apply a result to the enemy in the area."""
    foe = state.enemy(side)
    if effect.kind == "none":
        return
    if effect.kind == "other":
        referee.instruct(f"Do this by hand: {effect.text}", "3.5")
    elif effect.kind == "casualty" and referee.pieces(area, foe, state.OFFICER):
        await r08_hits.officer_check(referee, area, (foe,), "3.5")
    elif effect.kind == "move":
        await _extra_move(referee, foe, area)
    else:
        units = await _affected_units(referee, side, area, effect)
        if not units:
            referee.say(_NO_EFFECT, "3.5")
        for unit in units:
            await _affect(referee, side, unit, effect)


async def _affected_units(referee: AlbanyReferee, side: state.Side, area: str, effect: notation.Effect) -> list[Piece]:
    units = referee.units(area, state.enemy(side)) if effect.kind != "casualty" else []
    if effect.kind == "rally":
        units = [p for p in units if can_rally(p)]
    if effect.scope == "area" or len(units) <= 1:
        return units
    choices = [Choice(p.name, p.name) for p in units]
    best = max(units, key=lambda p: (p.number("fire") + p.number("melee"), p.name))
    if referee.is_computer(side):
        return [best]
    request = Choose("event_unit", f"Which unit in {title(area)} does the event strike?", "3.5", choices, best.name)
    request.why_not = partial(_why_not_struck, referee, state.enemy(side), area)
    name = await referee.for_side(side, request)
    return [p for p in units if p.name == name]


def _why_not_struck(referee: AlbanyReferee, foe: state.Side, area: str, name: str) -> tuple[str, str] | None:
    """[3.5, 9.0] Why an event does not strike a counter that is named, with the rule."""
    piece = referee.counter_called(name, foe)
    if piece is None or not is_area(piece.place):
        return None
    if state.side_of(piece) != foe or piece.kind != state.UNIT:
        return f"{piece.name} is no {foe} platoon, and the event strikes one", "3.5"
    if piece.place != area:
        return f"{piece.name} is in {title(piece.place)}, and the event is in {title(area)}", "3.5"
    obstacle = _rally_obstacle(piece)
    return (f"{piece.name} {obstacle[0]}", obstacle[1]) if obstacle else None


async def _affect(referee: AlbanyReferee, side: state.Side, unit: Piece, effect: notation.Effect) -> None:
    if effect.kind in notation.EFFECT_MARKERS:
        referee.mark(unit.id, state.INCIDENT, notation.EFFECT_MARKERS[effect.kind], "3.5", "event")
    elif effect.kind == "hit":
        await r08_hits.take_hits(referee, side, [unit], effect.number, "3.5", "event")
    else:
        left = max(0, state.hits_on(unit) - effect.number)
        referee.mark(unit.id, state.HITS, left or None, "3.5", "event")


async def _extra_move(referee: AlbanyReferee, side: state.Side, area: str) -> None:
    """[3.5] An extra move of the units in the area by their owner; melees follow at once (ruling C-31)."""
    movers = referee.pieces(area, side)
    can_go = r06_movement.must_retreat(referee, movers) or referee.officers(area, side)
    if referee.is_disputed(area) or r02_map.cannot_leave(referee, side, area) or not can_go:
        referee.skip_question("event_moves", "nobody there can move", "3.5", equivalent=(notation.NONE,))
        referee.say(_NO_EFFECT, "3.5")
        return
    reader = r02_map.orders_for(referee, movers, *((r02_map.OFF_MAP,) if r06_movement.is_retreating(referee, side) else ()))
    prompt = f"Extra move of {side} units in {title(area)}: who goes where?"
    moves = partial(r06_movement.move_choices, referee, side, reader)
    request = notation.OrderRequest("event_moves", prompt, "3.5", reader.notation, moves, notation.NONE)
    text = await referee.decide(request, side, "moves", lambda planner: planner.moves(movers), auto=False)
    orders = reader.read(text)
    await r06_movement.check_orders(referee, side, orders)
    await r06_movement.carry_out(referee, orders, ())
    await r07_melee.melees(referee, side, [referee.piece(order.piece.id) for order in orders])


async def go_on(referee: AlbanyReferee) -> None:
    """[3.3] The next phase, or in the Action Phase the next chit."""
    phases = {
        "deploy": deploy,
        "reinforcement": reinforce,
        "event": event_phase,
        "action": r05_chits.draw_chit if referee.position.at(state.POOL) else r05_chits.end_of_action_phase,
        "rally": rally_phase,
        "administrative": administrative,
    }
    if referee.phase not in phases:
        cure = "If it is not: companion adjust flag:phase event"
        raise Impossible("no phase comes next: the game is over", rule="3.3", cure=cure)
    await phases[referee.phase](referee)


async def administrative(referee: AlbanyReferee) -> None:
    """[3.8] Victory, flares, chits and the turn marker; the game ends after the last turn."""
    if referee.nva_has_won:
        referee.finish_nva_victory()
        return
    if referee.turn >= r04_victory.LAST_TURN:
        r04_victory.final_count(referee)
        return
    burnt = [p for p in referee.position.of_kind(state.FLARE) if is_area(p.place)]
    for flare in burnt:
        referee.move(flare.id, state.FLARES_USED, "3.8", "flares come off")
    for unit in [p for p in referee.position.of_kind(state.UNIT) if p.marks.get(state.INCIDENT)]:
        referee.mark(unit.id, state.INCIDENT, None, "3.8", "end of the turn")  # ruling D-1
    for officer in referee.position.of_kind(state.OFFICER):
        referee.mark(officer.id, state.ACTS, None, "3.8", "new turn")
    _return_chits(referee)
    referee.shift_track(state.TURN, 1, "3.8", "next turn")
    referee.say(f"Turn {referee.turn} begins{': night' if referee.night else ''}.", "3.8")
    if referee.option("map") == "own":
        await r02_map.load_map(referee)
    referee.enter_phase("reinforcement", "3.8")


def _return_chits(referee: AlbanyReferee) -> None:
    """[3.8, 5.1] Every chit in play returns to the pool, except the NVA's Adrenaline in the retreat [5.2E]."""
    played = [p for p in referee.position.of_kind(state.CHIT) if p.place.startswith(state.BOXES)]
    for chit in sorted(played, key=lambda piece: piece.place):
        if _is_withheld(referee, chit):
            referee.move(chit.id, state.OUT, "5.2E", "NVA retreat")
        else:
            referee.move(chit.id, state.POOL, "3.8", "back to the pool")
    referee.say(f"The played chits go back: {plural(referee.position.count(state.POOL), 'chit')} in the pool.", "3.8")


async def rally_phase(referee: AlbanyReferee) -> None:
    """[3.7] Both sides rally; the US not on turn 1."""
    for side in state.SIDES:
        if side == state.US and not referee.chart("turns").cell(str(referee.turn), "us_rally"):
            referee.say("Turn 1: the US has no Rally Phase.", "3.3")
            continue
        await rally(referee, side)
    referee.enter_phase("administrative", "3.7")


def can_rally(unit: Piece) -> bool:
    """[9.0, 8.3] True for a unit with one or two hits; reduced units do not rally."""
    return not _rally_obstacle(unit)


def _rally_obstacle(unit: Piece) -> tuple[str, str] | None:
    """[9.0, 8.3] Why a unit does not rally, with the rule; None if it can."""
    if not state.hits_on(unit):
        return "has no hits, and does not rally", "9.0"
    return ("is reduced, and does not rally", "8.3") if state.hits_on(unit) >= state.REDUCED else None


def hit_units(referee: AlbanyReferee, side: state.Side) -> list[Piece]:
    """[9.0] The units of a side that can rally."""
    return [p for p in referee.on_map(side, state.UNIT) if can_rally(p)]


class RallyResult(NamedTuple):
    """How many hits were removed."""

    hits: int


async def rally(referee: AlbanyReferee, side: state.Side) -> RallyResult:
    """[9.1, 9.2] Rally one side; a unit helped by an officer does not roll (ruling C-23), but two officers can help one unit."""
    helped: list[str] = []
    officers = [officer for officer in referee.on_map(side, state.OFFICER) if state.is_unwounded(officer)]
    for officer in sorted(officers, key=state.is_senior):
        units, company = referee.units(officer.place, side), state.company_of(officer)
        near = [p for p in units if state.is_senior(officer) or state.company_of(p) == company]  # [10.3]
        able = [p for p in near if can_rally(p)]
        unit = await _choose_unit(referee, side, officer, able, [p for p in near if p not in able])
        if unit is None:
            continue
        helped.append(unit.id)
        _recover(referee, unit, "9.2", f"{officer.name} rallies {unit.name}")
    rolling = [p for p in hit_units(referee, side) if p.id not in helped]
    if not rolling:
        referee.say(f"No {side} unit rolls to rally.", "9.1")
        return RallyResult(len(helped))
    dice = len(rolling)
    prompt = f"{side} rally, a die each, recovers on 6: {referee.piece_names(rolling)}"
    faces = await referee.volley("rally", prompt, "9.1", dice, dice, "rally", side=side)
    rolled = ", ".join(f"{piece.name} {face}" for piece, face in zip(rolling, faces, strict=True))
    referee.say(f"{side} rally, recovers on 6: {rolled}.{'' if referee.count(faces, 'rally') else ' Nobody recovers.'}", "9.1")
    for piece, face in zip(rolling, faces, strict=True):
        if referee.count((face,), "rally"):
            _recover(referee, piece, "9.1", f"{piece.name} rallies")
    return RallyResult(len(helped) + referee.count(faces, "rally"))


async def _choose_unit(
    referee: AlbanyReferee, side: state.Side, officer: Piece, able: Sequence[Piece], unable: Sequence[Piece]
) -> Piece | None:
    """The unit that an officer helps; asked if there are several, refused for a reduced unit [8.3]."""
    if not able:
        for unit in [p for p in unable if state.hits_on(p) == state.REDUCED]:
            text = f"{unit.name} is reduced and does not rally"
            referee.skip_question("rally_unit", text, "8.3", "Where your board shows otherwise: adjust")
        return None
    if len(able) == 1:
        return able[0]
    choices = [Choice(p.name, p.name, plural(state.hits_on(p), "hit")) for p in able]
    best = max(able, key=state.hits_on)
    others, prompt = [Choice(p.name, p.name) for p in unable], f"{side}: which unit does {officer.name} rally?"
    request = Choose("rally_unit", prompt, "9.2", [*choices, r02_map.NO_CHOICE], best.name, others, "hit unit")
    request.why_not = partial(_why_no_rally, referee, side, officer)
    name_of = attrgetter("name")
    name = await referee.decide(request, side, "rally", lambda planner: planner.rally(able), auto=True, value=name_of)
    if name == notation.NONE:
        return None
    unit = next(p for p in [*able, *unable] if p.name == name)
    if obstacle := _rally_obstacle(unit):
        referee.forbid(f"{name} {obstacle[0]}", obstacle[1], "Choose a unit with one or two hits")
        return None
    return unit


def _why_no_rally(referee: AlbanyReferee, side: state.Side, officer: Piece, name: str) -> tuple[str, str] | None:
    """[9.2, 10.3] Why an officer does not rally a counter, with the rule."""
    piece = referee.counter_called(name, side)
    if piece is None or not is_area(piece.place):
        return None
    if piece.kind != state.UNIT or state.side_of(piece) != side:
        return f"{piece.name} is no {side} platoon", "9.2"
    if piece.place != officer.place:
        return f"{piece.name} is in {title(piece.place)}, and {officer.name} rallies in {title(officer.place)}", "9.2"
    return f"{piece.name} does not belong to {state.company_of(officer)}, the company of {officer.name}", "9.2"


def _recover(referee: AlbanyReferee, unit: Piece, rule: str, text: str) -> None:
    left = state.hits_on(unit) - 1
    referee.mark(unit.id, state.HITS, left or None, rule, text)
    referee.say(f"{text}: {plural(left, 'hit')} left." if left else f"{text}: no hit left.", rule)


def rally_odds(referee: AlbanyReferee, side: state.Side) -> Odds:
    """The hits that a Rally Phase of one side removes."""
    outcomes = odds.enumerate_outcomes(referee.hypothetical(), lambda table, _: rally(table, side))
    return Odds("Rally", "9.0", (("Hits taken off", outcomes.numbers()),), (("hits taken off", outcomes.mean()),))
