"""[8.2, 8.3, 29.1] Stacking, the force that operates together, and the leaders who join it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from companion.core.dice import summed_rolls
from companion.core.errors import Impossible
from companion.core.game import Obstacle
from companion.core.hints import Literal
from companion.core.position import Piece
from companion.core.requests import Choice, Pick
from companion.core.text import plural
from companion.games.fallujah2004 import state
from companion.games.fallujah2004.referee import FallujahReferee, units

StackGroup = Literal["battalions", "companies and platoons", "Forward Operations Bases", "helicopters"]
LIMITS: dict[StackGroup, int] = {"battalions": 2, "companies and platoons": 2, "Forward Operations Bases": 1, "helicopters": 2}
"""[8.2] The number of units of each group that may end their movement in one space."""


def stack_group(piece: Piece) -> StackGroup:
    """The stacking limit that a unit counts against [8.2]."""
    if state.is_fob(piece):
        return "Forward Operations Bases"
    if state.is_helicopter(piece):
        return "helicopters"
    return "battalions" if state.is_battalion(piece) else "companies and platoons"


def stacking_faults(pieces: Sequence[Piece]) -> list[str]:
    """[8.2] The limits that a stack breaks; [] if it is legal."""
    counts = {group: sum(stack_group(piece) == group for piece in pieces) for group in LIMITS}
    return [f"{counts[group]} {group}, limit {limit}" for group, limit in LIMITS.items() if counts[group] > limit]


def stack_fault(referee: FallujahReferee, space: str, more: Sequence[Piece]) -> Obstacle | None:
    """[8.2] Why units cannot end their movement in a space with those already there; bases have no limit."""
    stack = {piece.id: piece for piece in [*referee.units_at(space), *more]}
    faults = stacking_faults(list(stack.values())) if state.on_map(space) else []
    text = f"too many units in {referee.title(space)}: {'; '.join(faults)}"
    return Obstacle(text, "8.2", "Leave some behind") if faults else None


def _lifters(force: Sequence[Piece]) -> tuple[int, int]:
    """[24.6] The number of lifts for any light unit, and for SOF only."""
    transports = sum(state.type_of(piece) == state.TRANSPORT for piece in force)
    return transports, sum(state.type_of(piece) == state.SOF_HELICOPTER for piece in force)


def rider_fault(referee: FallujahReferee, piece: Piece) -> str:
    """[24.3, 24.5] Why helicopters do not carry a unit: ``is heavy``; "" if they do."""
    if state.is_iraqi(piece):
        return "is Iraqi"
    unit_class = referee.unit_class(piece)
    return "" if unit_class == "light" else "is heavy" if unit_class == "heavy" else "is a helicopter"


def airmobile_faults(referee: FallujahReferee, force: Sequence[Piece]) -> list[str]:
    """[24.3, 24.5, 24.6] Why a force of helicopters and ground units cannot move by air; [] if it can."""
    riders = [piece for piece in force if not state.is_helicopter(piece)]
    faults = [f"{piece.name} {fault}" for piece in riders if (fault := rider_fault(referee, piece))]
    any_light, sof_only = _lifters(force)
    sof = sum(state.is_sof(piece) for piece in riders)
    needed = len(riders) - min(sof, sof_only)
    if needed > any_light:
        faults.append(f"{plural(len(riders), 'unit')} to carry, room for {any_light} and {sof_only} SOF more")
    return faults


async def choose_force(
    referee: FallujahReferee, movers: Sequence[Piece], fault: Callable[[Sequence[Piece]], Obstacle | None] = lambda force: None
) -> list[Piece]:
    """[8.3] Ask which units operate together; `fault`: why a force cannot, besides the rules for every force."""

    def fault_of(force: Sequence[Piece]) -> Obstacle | None:
        return force_fault(referee, force) or fault(force)

    barred = {piece.id for piece in movers if fault([piece])}
    able = [piece for piece in movers if piece.id not in barred]

    def others() -> list[Choice]:
        offered = {piece.id for piece in able}
        return referee.unit_choices([piece for piece in units(referee.position) if piece.id not in offered])

    whole = bool(able) and not fault_of(able)
    choices = referee.unit_choices(able)
    request = Pick("force", "Which units form the force?", "8.3", choices, 1, others=others, whole=whole)
    request.table_default = lambda: [piece.name for piece in _usual_force(able, fault_of)]
    force = referee.by_name(await request, units(referee.position))
    if absent := next((piece for piece in force if piece not in movers), None):
        if state.is_fob(absent):
            raise Impossible("an FOB does not move", rule="28.1", cure=request.expects())
        has_moved = absent.place in state.UNIT_PLACES
        where = "has moved in this operation" if has_moved else f"is {referee.location(absent)}"
        raise Impossible(f"{absent.name} {where}", rule="32.0(3)" if has_moved else "8.3", cure=request.expects())
    referee.check(fault_of(force))
    return force


def _usual_force(able: Sequence[Piece], fault_of: Callable[[Sequence[Piece]], Obstacle | None]) -> Sequence[Piece]:
    """The largest force of one place that may be in one space: from each place its units in order, ground units first."""
    ordered = sorted(able, key=state.is_helicopter)
    forces: list[list[Piece]] = []
    for place in dict.fromkeys(piece.place for piece in ordered):
        force: list[Piece] = []
        for unit in ordered:
            if unit.place == place and not (stacking_faults([*force, unit]) or fault_of([*force, unit])):
                force.append(unit)
        forces.append(force)
    return max(forces, key=len, default=[])


def force_fault(referee: FallujahReferee, force: Sequence[Piece]) -> Obstacle | None:
    """[8.3, 24.3, 31.0] Why these units cannot form one force; None if they can."""
    starts = sorted({referee.title(piece.place) for piece in force})
    if len(starts) > 1:
        text = f"the units of a force start in one space, not in {' and '.join(starts)}"
        return Obstacle(text, "8.3", "Name units of one space")
    if referee.option("joint") == "on" and referee.first_scenario and len({state.is_iraqi(piece) for piece in force}) > 1:
        text = "in Vigilant Resolve Iraqi units do not operate with US or British units"
        return Obstacle(text, "31.0", "Form two forces")
    if any(state.is_helicopter(piece) for piece in force) and (faults := airmobile_faults(referee, force)):
        return Obstacle(f"this force cannot move by air: {'; '.join(faults)}", "24.5", "See capacities: /rule 24.6")
    return None


def largest_stack(units: Iterable[Piece]) -> list[Piece]:
    """[8.2] The first units, as many as may be in one space."""
    stack: list[Piece] = []
    for unit in units:
        group = stack_group(unit)
        if sum(stack_group(piece) == group for piece in stack) < LIMITS[group]:
            stack.append(unit)
    return stack


async def leader_check(referee: FallujahReferee, force: Sequence[Piece]) -> None:
    """[29.1] After a battle won: 2 or 12 on two dice brings a leader."""
    roll = await referee.roll(
        "leader_check", "Leader check, two dice: a leader joins on 2 or 12", "29.1", 2, outcomes=lambda: summed_rolls(2, int)
    )
    total = sum(roll)
    if referee.chart("leader").text(total, "leader") != "leader":
        referee.say(f"Leader check: {total}. No leader.", "29.1")
        return
    free = [piece for piece in referee.position.at(state.RECRUIT) if piece.kind == state.LEADER]
    if not free or not force:
        referee.say(f"Leader check: {total}, but no leader is left to recruit.", "29.1", "ruling C-40")
        return
    referee.say(f"Leader check: {total}. A leader appears.", "29.1")
    leader = free[0]
    if len(free) > 1:
        name = await referee.choose("which_leader", "Which leader?", "29.1", referee.name_choices(free), leader.name)
        leader = next(piece for piece in free if piece.name == name)
    unit = force[0]
    if len(force) > 1:
        prompt = f"{leader.name} appears. Which unit does it join?"
        name = await referee.choose("leader", prompt, "29.1", referee.name_choices(force))
        unit = next(piece for piece in force if piece.name == name)
    referee.say(f"{leader.name} joins {unit.name}.", "29.1")
    referee.mark(leader.id, state.WITH, unit.id, "29.1")
    referee.move(leader.id, state.LEADING, "29.1")
