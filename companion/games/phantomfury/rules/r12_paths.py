"""[12.2 - 12.5] Paths of squads, orders of movement, and stacking at the end of movement."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache

from companion.core.errors import Unreadable
from companion.core.graph import distances
from companion.core.named_tuple import NamedTuple
from companion.core.notation import Notation
from companion.core.position import Piece
from companion.core.text import clean
from companion.games.phantomfury import state
from companion.games.phantomfury.notation import CLOSED, MOSQUE, read_location, read_street
from companion.games.phantomfury.referee import MOVEMENT, RUINED, FuryReferee
from companion.games.phantomfury.rules import r11_shots
from companion.games.phantomfury.town import Town, read_place

CAPACITY = 4
"""[5.1.1] The Movement Capacity of a squad."""
DETACH = "+"
RECOVER = "recover"
WITHDRAW = "withdraw"


class Leg(NamedTuple):
    """One part of an order: a place, and whether the Security Element is detached there."""

    where: str
    detach: bool = False


def steps_from(referee: FuryReferee, where: str) -> Sequence[str]:
    """The places one Movement Point away that still exist [4.1.6, 12.3.1, 12.5.4]."""
    neighbours = referee.town.steps(where)
    if not referee.position.has_group(state.in_zone, state.RUBBLE):
        return neighbours
    ruins = referee.cached("ruins", referee.ruins)
    return [place for place in neighbours if state.zone_of(place) not in ruins or state.location_of(place) not in RUINED]


def no_step(referee: FuryReferee, squad: Piece, origin: str, target: str) -> tuple[str, str] | None:
    """[12.2 - 12.4] Why a squad cannot step from one place to the next: (why, rule)."""
    section = state.section_of(target)
    if section:
        waiting = [piece for piece in referee.at_section(section) if state.is_squad(piece) and piece.id != squad.id]
        if waiting:
            return f"{waiting[0].name} is in street {section} already", "12.2.3.2"
    if referee.position.has_group(state.enemy_place, target):
        return f"{target} is occupied by the enemy", "12.3.1"
    return no_entry(referee, squad, origin, target)


def no_entry(referee: FuryReferee, squad: Piece, origin: str, target: str) -> tuple[str, str] | None:
    """[5.1.6.1, 12.2.1.1, 12.3.2.2, 12.4.2] Why a squad cannot enter another Zone: (why, rule)."""
    position, zone, came = referee.position, state.zone_of(target), state.zone_of(origin)
    if came and zone != came and (element := state.element_of(position, squad)):
        return f"the Security Element of {squad.name} is in Zone {state.zone_of(element.place)}", "12.3.2.2"
    if not zone or (zone == came and zone != MOSQUE):
        return None
    if zone not in (MOSQUE, CLOSED) and state.is_controlled(position, zone):
        return None
    others = [other for other in referee.squads_in(zone) if other.id != squad.id]
    in_mosque = zone == MOSQUE and squad.kind == state.IIF and not state.is_controlled(position, zone)
    if in_mosque and any(other.place == target for other in others):
        return f"each Location of Zone 26 holds one IIF squad; {target} is taken", "5.1.6.1"  # also on the way inside
    if zone == came:
        return None
    if zone == CLOSED:
        return "no unit may enter Zone 27", "12.4.2"
    if zone == MOSQUE and squad.kind != state.IIF:
        return "no USMC squad may enter Zone 26", "12.4.2"
    if not state.is_controlled(position, zone):
        if squad.kind == state.IIF and zone != MOSQUE:
            return f"IIF squads do not enter Zone {zone} of the insurgents", "5.1.6.1"
        if others and zone != MOSQUE:
            return f"{others[0].name} is in Zone {zone}; a Zone of the insurgents holds one squad", "12.2.1.1"
    return None


def no_exit(referee: FuryReferee, squad: Piece, start: str, target: str) -> tuple[str, str] | None:
    """[12.1.2, 12.4.3] Why a squad cannot leave a Zone of the insurgents for another, which must be ours and beside it."""
    zone, goal = state.zone_of(start), state.zone_of(target)
    if not zone or not goal or zone == goal or referee.is_controlled(zone):
        return None
    if not referee.enemies_in(zone):
        return f"Zone {zone} is clear of enemies: {squad.name} must remain there", "12.1.2"
    if squad.face != state.REDUCED or not referee.is_controlled(goal) or goal not in referee.town.around(zone):
        text = f"only a reduced squad leaves Zone {zone} of the insurgents, for a Zone under USMC Control next to it"
        return text, "12.4.3"
    return None


def no_return(referee: FuryReferee, squad: Piece, left: str, target: str) -> tuple[str, str] | None:
    """[12.4.3] Why a squad that left a Location of the insurgents ("" for none) to take cover cannot go to a place."""
    zone = state.zone_of(left)
    if zone and zone == state.zone_of(target):
        return f"{squad.name} left Zone {zone} to take cover, and does not come back", "12.4.3"
    return no_exit(referee, squad, left, target)


def shortest(referee: FuryReferee, squad: Piece, start: str, goal: str, home: str = "") -> list[str]:
    """The way with the fewest Movement Points, then the least danger, without the start; empty if there is none. ``home``: the
    Zone that the squad came from, if the start is a street.
    """
    return _path_back(_search(referee, squad, start, home or state.zone_of(start), goal), start, goal)


def ways(referee: FuryReferee, squad: Piece) -> dict[str, list[str]]:
    """[12.3 - 12.5] The places where a squad that has not moved can end its movement, each with the shortest way."""
    start = squad.place
    before = _search(referee, squad, start, state.zone_of(start), most=CAPACITY)
    goals = [where for where in before if state.zone_of(where) and no_exit(referee, squad, start, where) is None]
    return {where: _path_back(before, start, where) for where in goals}


def _search(referee: FuryReferee, squad: Piece, start: str, home: str, goal: str = "", most: int | None = None) -> dict[str, str]:
    """The previous place on the way to each place, up to a goal or a number of Movement Points."""
    # Not core.graph.cheapest: a cost is a pair (Movement Points, danger), and whether a step is legal, the dearest question here,
    # is asked only for a step that may improve on what is already found.
    best: dict[str, tuple[int, float]] = {start: (0, 0)}
    before: dict[str, str] = {}
    edge = [start]
    while edge:
        edge.sort(key=lambda place: best[place])
        spot = edge.pop(0)
        if spot == goal:
            break
        if best[spot][0] == most:
            continue
        steps, risked = best[spot]
        for neighbour in steps_from(referee, spot):
            if neighbour in best and best[neighbour] <= (steps + 1, risked):
                continue  # whatever the danger, this way there is no better
            if _is_illegal_step(referee, squad, home, spot, neighbour):
                continue
            cost = steps + 1, risked + danger(referee, neighbour)
            if neighbour not in best or cost < best[neighbour]:
                best[neighbour], before[neighbour] = cost, spot
                edge.append(neighbour)
    return before


def _is_illegal_step(referee: FuryReferee, squad: Piece, home: str, origin: str, target: str) -> bool:
    """True if a step is illegal for a squad that came from Zone ``home``."""
    if state.zone_of(origin) == state.zone_of(target) != MOSQUE:  # within a Zone only enemies bar; between streets, no step
        return not state.zone_of(origin) or referee.position.has_group(state.enemy_place, target)
    return no_step(referee, squad, origin, target) is not None or _is_detour(referee, home, origin, target)


def _path_back(before: Mapping[str, str], start: str, goal: str) -> list[str]:
    """The way from a start to a goal, from the previous place of each."""
    if goal not in before or goal == start:
        return []
    way = [goal]
    while before.get(way[-1], start) != start:
        way.append(before[way[-1]])
    return way[::-1]


def _is_detour(referee: FuryReferee, home: str, origin: str, target: str) -> bool:
    """[12.4.3, 12.5.1] True if a step leaves a Zone of the insurgents entered on the way, or returns to the Zone of departure."""
    zone, goal = state.zone_of(origin), state.zone_of(target)
    if zone and zone not in (home, goal) and not referee.is_controlled(zone):
        return True
    # A return is possible through another Zone, into a Zone under USMC Control; a street leads to Neighbouring Zones only.
    return bool(goal) and goal == home != zone and not (zone and referee.is_controlled(home))


def danger(referee: FuryReferee, where: str) -> float:
    """The risk at a place: in a street of a hit (a Step Loss twice); in a Courtyard or Open Ground the number of enemies."""
    return referee.cached(("danger", where), lambda: _danger(referee, where))


def _danger(referee: FuryReferee, where: str) -> float:
    section = state.section_of(where)
    if section and section in referee.town.sections:
        results = r11_shots.crossing_results(r11_shots.street_at(referee, section))
        return sum(chance * (2 * loss + pinned) for (loss, pinned), chance in results.items())
    return len(referee.enemies_in(state.zone_of(where))) if r11_shots.draws_fire(referee, where) else 0


def reachable(referee: FuryReferee, squad: Piece, left: int = CAPACITY) -> dict[str, int]:
    """The places where a squad with so many Movement Points left can end its movement, each with its cost."""
    return dict(referee.cached(("reachable", squad.id, left), lambda: _reachable(referee, squad, left)))


def _reachable(referee: FuryReferee, squad: Piece, left: int) -> dict[str, int]:
    seen = {squad.place: 0}
    for where in (edge := [squad.place]):
        cost, zone = seen[where] + 1, state.zone_of(where)
        if cost > left:
            break
        for neighbour in steps_from(referee, where):
            if neighbour not in seen and not _is_closed_step(referee, squad, zone, where, neighbour):
                seen[neighbour] = cost
                edge.append(neighbour)
    return {where: cost for where, cost in seen.items() if cost and state.zone_of(where)}


def _is_closed_step(referee: FuryReferee, squad: Piece, zone: str, origin: str, target: str) -> bool:
    """True if a squad cannot take a step from a place in Zone ``zone``."""
    goal = state.zone_of(target)
    if zone == goal != MOSQUE:  # most steps by far
        return not zone or referee.position.has_group(state.enemy_place, target)
    if _is_illegal_step(referee, squad, state.zone_of(squad.place), origin, target):
        return True
    return zone != goal and no_exit(referee, squad, squad.place, target) is not None


def approach_costs(town: Town, zone: str, ours: Collection[str]) -> dict[str, int]:
    """The Movement Points from every place to a Zone, through streets and Zones under USMC Control; occupation is ignored."""

    def steps(where: str) -> list[str]:
        return [other for other in town.steps(where) if not state.zone_of(other) or state.zone_of(other) in ours]

    starts = [state.place(zone, location) for location in town.zones[zone].locations] if zone in town.zones else []
    return distances(starts, steps)


def order_text(legs: Sequence[Leg]) -> str:
    """An order as it is typed."""
    return ",".join(leg.where + (DETACH if leg.detach else "") for leg in legs)


def order_notation(town: Town, start: str, offered: Sequence[str]) -> Notation:
    """The notation of an order: places separated by commas; within a Zone the Location alone; ``+`` detaches the Element.

    A refusal names what is offered.
    """

    def read(text: str) -> str:
        words = clean(text).casefold().replace(",", " ").split() or [""]
        last = words[-1]
        try:
            if words[0] in _UNITS:
                raise Unreadable(f"'{clean(text)}' is a unit, not a place", rule="4.2")
            if _is_street(last) and last not in town.sections and not any(last in zone.streets for zone in town.zones.values()):
                raise Unreadable(f"there is no place '{last}' here", rule="4.2")
            return order_text(read_order(text, start))
        except Unreadable as error:
            more = ", ..." if len(offered) > _NAMED else ""
            error.cure = f"You can name: {', '.join(offered[:_NAMED])}{more}" if offered else error.cure
            raise

    return Notation("way", "14-C+,1", read)


_UNITS = ("squad", "iif", "m1a1", "security")
"""The words with which the names of units begin; no Street Section has such a name."""
_NAMED = 8
"""Most places that a refusal names."""


@lru_cache(maxsize=4096)
def _is_street(word: str) -> bool:
    """True if a word can only be a Street Section."""
    try:
        read_location(word)
    except Unreadable:
        with suppress(Unreadable):
            return bool(read_street(word)) and not _keyword(word)
    return False


def _keyword(word: str) -> str:
    """``recover`` or ``withdraw`` for a word that abbreviates it; otherwise ""."""
    return next((keyword for keyword in (RECOVER, WITHDRAW) if len(word) > 2 and keyword.startswith(word.casefold())), "")


def read_order(text: str, zone: str) -> list[Leg]:
    """Read an order. Raises Unreadable."""
    plain = clean(text)
    legs: list[Leg] = []
    current, named = zone, False
    for word in plain.replace(",", " ").split():
        if word.casefold() == state.STREET.strip():
            named = True
            continue
        if named or _is_street(word):
            legs.append(Leg(state.street(read_street(word))))
            named = False
            continue
        if _keyword(word):
            legs.append(Leg(_keyword(word)))
            continue
        detach = word.endswith(DETACH)
        if not current and "-" not in word:  # ``c`` is a Courtyard or a Street Section
            text = f"'{clean(word)}' names no Zone, and a squad that starts in a street does not move to another Street Section"
            raise Unreadable(text, rule="12.5.4", cure="Type Zone and Location: 14-C")
        where = read_place(word.rstrip(DETACH), current)
        current = state.zone_of(where)
        legs.append(Leg(where, detach))
    if not legs:
        raise Unreadable("no way is named", rule="12.1.1", cure="Type where to: 14-C, or 14-C+,1 to detach on the way")
    if state.section_of(legs[-1].where):
        cure = f"Name where it goes on to: {legs[-1].where} 14-C"
        raise Unreadable("no squad may choose to end its movement in a street", rule="12.2.3.1", cure=cure)
    if len(legs) > 1 and any(leg.where in (RECOVER, WITHDRAW) for leg in legs):
        raise Unreadable("'recover' and 'withdraw' stand alone", rule="12.3.2.3")
    return legs


class Occupant(NamedTuple):
    """A squad that counts for stacking, what it occupies, and whether it can still move."""

    squad: Piece
    where: str
    free: bool


class MovementEnd(NamedTuple):
    """The best possible end of the Movement Phase: squads too many in a Location, those that find none, those that must move."""

    over: int
    stuck: tuple[Piece, ...]
    movers: tuple[Piece, ...]


def settled_squad(referee: FuryReferee, squad: Piece, where: str) -> Piece | None:
    """[12.2.2] A squad in a Location under USMC Control that cannot move any more, so that no other may end there."""
    halted = (piece for piece in referee.squads() if referee.no_movement(piece))
    held = referee.cached("held", lambda: _by_place(halted)).get(where)
    if not held or not _is_limited(referee, where):
        return None
    return next((piece for piece in held if piece.id != squad.id), None)


def _by_place(squads: Iterable[Piece]) -> dict[str, list[Piece]]:
    by_place: dict[str, list[Piece]] = {}
    for squad in squads:
        by_place.setdefault(squad.place, []).append(squad)
    return by_place


def crowding(referee: FuryReferee, squad: Piece, goal: str) -> tuple[str, str, str] | None:
    """[12.2.2] Why a squad may not end at a place, so that fewer squads stay together: (why, rule, cure)."""
    other = settled_squad(referee, squad, goal) if goal != squad.place else None
    if other:
        return f"{other.name} is at {goal} and moves no more this turn; a Location holds one squad", "12.2.2", "Stop elsewhere"
    where = _occupied(referee, goal)
    if where not in _others(referee, squad) and not _others_share(referee, squad):
        return None
    now = referee.cached(("ends", squad.id, where), lambda: _ends(referee, squad, where))
    if not now.over:
        return None
    best = referee.cached(("ends", squad.id), lambda: _ends(referee, squad))
    if now.over <= best.over:
        return None
    at_goal = [post.squad for post in _posts(referee) if post.squad.place == goal and post.squad.id != squad.id]
    stuck = [piece for piece in now.stuck if piece.id != squad.id] or at_goal
    first = [piece for piece in best.movers if piece.id != squad.id]
    cure = f"First make room with {referee.piece_names(first)}, or stop elsewhere" if first else "Stop elsewhere"
    return f"with {squad.name} at {goal}, {referee.piece_names(stuck)} could not be alone in a Location any more", "12.2.2", cure


def open_to(referee: FuryReferee, squad: Piece, goals: Iterable[str]) -> list[str]:
    """[12.2.2] The goals at which a squad may end its movement."""
    return [goal for goal in goals if crowding(referee, squad, goal) is None]


def end_movement(referee: FuryReferee) -> None:
    """[12.2.2] Check stacking as Movement ends, without squads brought back from a street or unable to part (ruling C-67)."""
    if referee.position.track("phase") > MOVEMENT:
        return
    for squad in referee.squads():
        if state.section_of(squad.place) and not referee.no_movement(squad):
            text = f"{squad.name} has not moved out of {squad.place}; a squad may not choose to stay in a street."
            referee.say(text, "12.2.3.1", tone="reminder")
    limited = _by_place(squad for squad in referee.squads() if _is_limited(referee, squad.place))
    shared = {where: squads for where, squads in limited.items() if len(squads) > 1}
    back = referee.members(state.BROUGHT_BACK)
    movers = _ends(referee).movers if shared else ()
    for where, squads in shared.items():
        who, able = referee.piece_names(squads), [squad for squad in squads if squad in movers]
        if sum(state.short(squad) not in back for squad in squads) <= 1:
            referee.say(f"{who} stay together in {where}: one came back with casualties.", "12.5.3")
        elif able:
            moves = [f"move {squad.name}" for squad in able]
            cure = f"Move on: {', '.join(moves) if len(able) < len(squads) else ' or '.join(moves)}"
            referee.forbid(f"{who} end the Movement Phase in {where}; a Location holds one squad", "12.2.2", cure)
        else:
            referee.say(f"{who} stay together in {where}: none of them can make room any more.", "12.2.2", tone="warning")


def _occupied(referee: FuryReferee, where: str) -> str:
    """[12.2.1.1, 12.2.2] What a squad occupies: its Location, or in a Zone of the insurgents the whole Zone."""
    zone = state.zone_of(where)
    return where if zone in ("", MOSQUE) or referee.is_controlled(zone) else zone


def _is_limited(referee: FuryReferee, where: str) -> bool:
    """True for a Location under USMC Control."""
    zone = state.zone_of(where)
    return bool(zone) and referee.is_controlled(zone)


def _posts(referee: FuryReferee) -> list[Occupant]:
    """The squads that count, without those brought back from a street [12.5.3]."""

    def look() -> list[Occupant]:
        back = referee.members(state.BROUGHT_BACK)
        squads = [squad for squad in referee.squads() if state.short(squad) not in back] if back else referee.squads()
        return [Occupant(squad, _occupied(referee, squad.place), referee.no_movement(squad) is None) for squad in squads]

    return referee.cached("posts", look)


def _others(referee: FuryReferee, squad: Piece) -> set[str]:
    return referee.cached(("others", squad.id), lambda: {leg.where for leg in _posts(referee) if leg.squad.id != squad.id})


def _others_share(referee: FuryReferee, squad: Piece) -> bool:
    """True if any of the other squads are together."""

    def look() -> bool:
        posts = _posts(referee)
        return len(_others(referee, squad)) < len(posts) - any(post.squad.id == squad.id for post in posts)

    return referee.cached(("shared", squad.id), look)


def _ends(referee: FuryReferee, squad: Piece | None = None, goal: str = "") -> MovementEnd:
    """The best end of the Movement Phase, if this squad is still to move and ends at a goal ("": free choice)."""
    mover = squad.id if squad else ""
    owner: dict[str, Piece | None] = {}
    over = 0
    free: list[tuple[Piece, str]] = []
    for piece, stands, may in _posts(referee):
        where, able = (goal or stands, not goal) if piece.id == mover else (stands, may)
        if able:
            free.append((piece, where))
        else:
            over += where in owner and _is_limited(referee, where)
            owner[where] = None
    waiting = [piece for piece, where in free if owner.setdefault(where, piece) is not piece and _is_limited(referee, where)]
    stuck = tuple([piece for piece in waiting if not _placed(referee, piece, owner, set())])
    ends = {piece.id: where for where, piece in owner.items() if piece is not None}
    movers = tuple([piece for piece, where in free if ends.get(piece.id, where) != where])
    return MovementEnd(over + len(stuck), stuck, movers)


def _placed(referee: FuryReferee, squad: Piece, owner: dict[str, Piece | None], seen: set[str]) -> bool:
    """Find a squad a place of its own, moving others if necessary; updates ``owner``. Returns whether it succeeded."""
    for where in referee.cached(("goals", squad.id), lambda: _goals(referee, squad)):
        if where in seen:
            continue
        seen.add(where)
        holder = owner.get(where, squad)
        if holder is squad or (holder is not None and _placed(referee, holder, owner, seen)):
            owner[where] = squad
            return True
    return False


def _goals(referee: FuryReferee, squad: Piece) -> list[str]:
    """What a squad can occupy at the end: its place and those it can reach, except beside a squad that was brought back."""
    back = referee.members(state.BROUGHT_BACK)
    shut = {_occupied(referee, squad.place) for squad in referee.squads() if state.short(squad) in back} if back else ()
    ways = [where for where in dict.fromkeys(_occupied(referee, spot) for spot in reachable(referee, squad)) if where not in shut]
    return [_occupied(referee, squad.place), *ways]
