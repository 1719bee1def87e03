"""[4.0, 11.0] Which units may act, the obstacles of each action in the sequence of play, and command points."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from companion.core.dice import summed_rolls
from companion.core.game import Obstacle
from companion.core.position import Piece, Position
from companion.games.iraqwar2003 import notation, state
from companion.games.iraqwar2003.referee import IraqWarReferee, boxes, intact, is_rule_on, reinforcements_due, units_on_map_of
from companion.games.iraqwar2003.state import Side


def units_to_act(position: Position) -> list[Piece]:
    """[11.2] Units of the current player that have not acted, and that Iraq can pay for."""
    return _paid_for(position, position.cached_from_pieces(_UNMOVED[state.current_side(position)]))


def undisrupted_units(position: Position) -> list[Piece]:
    """[7.3.1(1)] The same without disrupted units."""
    return _paid_for(position, position.cached_from_pieces(_FIT[state.current_side(position)]))


def _paid_for(position: Position, ready: Sequence[Piece]) -> list[Piece]:
    """[11.2] The units whose command point is available; only Iraqi units need one."""
    if position.track("cp") > 0 or state.current_side(position) == state.COALITION:
        return list(ready)
    return [piece for piece in ready if not notation.is_iraqi(piece)]


def _unmarked(pieces: Sequence[Piece], *marks: str) -> list[Piece]:
    """The units without any of these marks; most units have none at all."""
    return [piece for piece in pieces if not piece.marks or not any(map(piece.marks.get, marks))]


_UNMOVED: Mapping[str, Callable[[Position], list[Piece]]] = {
    state.COALITION: lambda position: _unmarked(units_on_map_of(position, state.COALITION), state.MOVED),
    state.IRAQ: lambda position: _unmarked(units_on_map_of(position, state.IRAQ), state.MOVED),
}
"""Units of a side that have not acted this player turn."""
_FIT: Mapping[str, Callable[[Position], list[Piece]]] = {
    state.COALITION: lambda position: _unmarked(units_on_map_of(position, state.COALITION), state.MOVED, state.DISRUPTED),
    state.IRAQ: lambda position: _unmarked(units_on_map_of(position, state.IRAQ), state.MOVED, state.DISRUPTED),
}
"""The same without disrupted units."""


def check_can_act(referee: IraqWarReferee, piece: Piece, doing: str) -> None:
    """[4.1(4-1), 12.1(6)] Check that a unit belongs to the current player and has not acted."""
    if notation.side_of(piece) != referee.side:
        cure = f"Name one of the {state.SIDE_TITLES[referee.side]} units"
        referee.forbid(f"{piece.name} belongs to the other player", "4.1(4-1)", cure)
    if piece.mark(state.MOVED):
        referee.forbid(f"{piece.name} has finished its actions this turn", "12.1(6)", f"It cannot {doing} again")


def disruption_obstacle(piece: Piece, consequence: str = "it may not move or attack", rule: str = "7.3.1(1)") -> Obstacle | None:
    """[7.3.1(1)] A disrupted unit neither moves nor attacks."""
    if not piece.mark(state.DISRUPTED):
        return None
    return Obstacle(f"{piece.name} is disrupted: {consequence}", rule, "It may recover: recover")


def recovery_obstacle(position: Position, piece: Piece) -> Obstacle | None:
    """[7.3.3, 16.4(6)] Only a disrupted unit in supply recovers, and never the anti-air unit."""
    if not piece.mark(state.DISRUPTED):
        return Obstacle(f"{piece.name} is not disrupted", "7.3.3", "Name a disrupted unit")
    if piece.mark(state.OUT_OF_SUPPLY):
        return Obstacle(f"{piece.name} is out of supply: it cannot recover", "7.3.3", "Open its supply line first")
    if piece.number("anti_air") and is_rule_on(position, state.ANTI_AIR_UNIT):
        return Obstacle(f"{piece.name}, the anti-air unit, never recovers", "16.4(6)", "Name another unit")
    return None


def recoverable_units(position: Position) -> list[Piece]:
    """[7.3.3] Disrupted units of the current player that can recover now."""
    return [piece for piece in units_to_act(position) if piece.marks and not recovery_obstacle(position, piece)]


def mark_moved(referee: IraqWarReferee, pieces: Sequence[Piece]) -> None:
    """[4.1(4-3)] Put the moved marker on units."""
    on_map_now = [now for piece in pieces if state.is_on_map(now := referee.piece(piece.id))]
    referee.mark_all(on_map_now, state.MOVED, True, "4.1(4-3)")


# -- [4.0] Obstacles by the sequence of play ---------------------------------------------------------------------------

PHASE_TITLES = dict(zip(state.PHASES, ("Facility Bombing", "Ground Bombing", "Supply Check", "Operation"), strict=True))
Check = Callable[[Position], Obstacle | None]


def up_to_phase(phase: state.Phase, rule: str) -> Check:
    """Allow an action up to a phase of the player turn; earlier phases are skipped."""

    def check(position: Position) -> Obstacle | None:
        now = state.current_phase(position)
        if phase == state.FACILITY and position.flag(state.SIDE) == state.IRAQ:
            is_before = state.PHASES.index(now) < state.PHASES.index(state.OPERATIONS)
            cure = "Iraq goes on with: bomb, or supply" if is_before else f"Now is the {PHASE_TITLES[now]} Phase"
            return Obstacle("only the Coalition bombs facilities", "4.2(1)", cure)
        if state.PHASES.index(now) <= state.PHASES.index(phase):
            return None
        return Obstacle(f"the {PHASE_TITLES[phase]} Phase is over", rule, f"Now is the {PHASE_TITLES[now]} Phase")

    return check


def in_operation_phase(rule: str) -> Check:
    """[4.1(4)] Allow an action in the Operation Phase."""

    def check(position: Position) -> Obstacle | None:
        if position.flag(state.PHASE) == state.OPERATIONS:
            return None
        return Obstacle("this belongs to the Operation Phase, and the Supply Check comes first", rule, "Check supply: supply")

    return check


def can_pay(rule: str) -> Check:
    """[4.1(4), 11.3] The same, while Iraq has a command point or a unit that needs none [16.10(1)]."""

    def check(position: Position) -> Obstacle | None:
        return in_operation_phase(rule)(position) or command_point_obstacle(position)

    return check


def command_point_obstacle(position: Position) -> Obstacle | None:
    """[11.3] Iraq has neither a command point nor a Turkish unit that can act."""
    if position.flag(state.SIDE) != state.IRAQ or position.track("cp"):
        return None
    turks = position.cached_from_pieces(_turks)
    if any(not piece.mark(state.MOVED) for piece in turks) or (is_rule_on(position, state.TURKEY) and not turks):
        return None
    done = f", and {turks[0].name}, which needs none, has acted" if turks and state.is_on_map(turks[0]) else ""
    return Obstacle(f"no command point is left{done}", "11.3", "They come in the Iraqi supply phase: end")


def _turks(position: Position) -> list[Piece]:
    """[16.10(2)] The Turkish unit, once entered."""
    return [piece for piece in position.pieces.values() if piece.values.get("nation") == notation.TURKISH]


def optional_action(option: str, side: Side, rule: str, further: Check) -> Check:
    """Allow an action of an optional rule for one side in the Operation Phase, subject to a further check."""

    def check(position: Position) -> Obstacle | None:
        if not is_rule_on(position, option):
            cure = f"Start a new one: companion new iraqwar2003 --option {option}=on"
            return Obstacle(f"the option {option} is off in this game", rule, cure)
        if position.flag(state.SIDE) != side:
            return Obstacle(f"it is not the {state.SIDE_TITLES[side]} player turn", rule)
        return in_operation_phase(rule)(position) or further(position)

    return check


def drop_obstacle(position: Position) -> Obstacle | None:
    """[16.2(1)] There is one drop per game."""
    if position.flag(state.DROPPED):
        return Obstacle("the paratroop drop has been made; there is one a game", "16.2(1)", "Move as usual")
    return None


def railway_obstacle(position: Position) -> Obstacle | None:
    """[16.7(1), 16.7(2)] One unit a turn uses the railroad, before others move."""
    if position.flag(state.RAIL):
        return Obstacle("one unit a turn uses the railroad, and one has", "16.7(1)", "Move as usual")
    if any(piece.mark(state.MOVED) for piece in units_on_map_of(position, state.IRAQ)):
        return Obstacle("railroad transport comes first in the Operation Phase", "16.7(2)", "Move as usual")
    return command_point_obstacle(position)


def reinforcement_obstacle(position: Position) -> Obstacle | None:
    """[16.8(1)] Reinforcements arrive on their turn, before others move."""
    if any(piece.mark(state.MOVED) for piece in position.of_kind(state.UNIT)):
        return Obstacle("reinforcements come first in the Operation Phase", "16.8(1)", "Put them on the board and answer y")
    if not reinforcements_due(position):
        text = f"no reinforcement is due on turn {position.track('turn')}"
        return Obstacle(text, "16.8(1)", "Enter the units as printed, turn:4 behind them: units")
    return None


def no_recovery_obstacle(position: Position) -> Obstacle | None:
    """[7.3.3] No unit of the current player can recover."""
    against = can_pay("7.3.3")(position)
    if against or recoverable_units(position):
        return against
    own = units_on_map_of(position, state.current_side(position))
    disrupted = [piece for piece in own if piece.mark(state.DISRUPTED)]
    if not disrupted:
        cure = f"Where the table shows otherwise: adjust {own[0].name}.disrupted yes" if own else ""
        return Obstacle("no unit of the current player is disrupted", "7.3.3", cure)
    reasons = [(piece, recovery_obstacle(position, piece)) for piece in disrupted]
    texts = [f"{reason.text} [{reason.rule}]" if reason else f"{piece.name} has acted [12.1(6)]" for piece, reason in reasons]
    mark = state.OUT_OF_SUPPLY if disrupted[0].mark(state.OUT_OF_SUPPLY) else state.MOVED
    cure = f"Where the table shows otherwise: adjust {disrupted[0].name}.{mark} no" if disrupted[0].mark(mark) else "Move others"
    return Obstacle(f"no unit can recover: {'; '.join(texts)}", "7.3.3", cure)


# -- [11.0] Command points ---------------------------------------------------------------------------------------------

DIE = "die"
_MOST_PIPS = 6
"""The method besides the Radio boxes."""


def sources(referee: IraqWarReferee) -> tuple[str, ...]:
    """[11.1, 16.1(4)] The available methods; only the die once Saddam Hussein is found."""
    return (DIE,) if referee.position.flag(state.SADDAM) == state.FOUND else (notation.RADIO, DIE)


def radio_points(referee: IraqWarReferee) -> int:
    """[11.1(1), 6.1.1(3), 6.4(3)] Undestroyed Radio boxes; one destroyed this turn still counts (ruling C-2, switchable)."""
    radios = boxes(referee.position, notation.RADIO)
    return len(intact(radios)) + (0 if loses_radio_at_once(referee) else len(_destroyed_this_turn(referee, radios)))


def loses_radio_at_once(referee: IraqWarReferee) -> bool:
    """[6.4(3)] Whether a destroyed Radio box stops counting this turn (ruling C-2)."""
    return referee.option("radio_loss") == "at_once"


def _destroyed_this_turn(referee: IraqWarReferee, radios: Sequence[Piece]) -> list[Piece]:
    return [box for box in radios if box.mark(state.DAMAGED) == referee.turn]


async def receive_command_points(referee: IraqWarReferee, source: str) -> None:
    """[11.1] Receive points by Radio or die; points left from the last turn are lost [11.3]."""
    if source not in sources(referee):
        referee.forbid("Saddam Hussein is gone: command points come by the die only", "16.1(4)", "Roll")
    if source == notation.RADIO:
        points = radio_points(referee)
        radios = boxes(referee.position, notation.RADIO)
        late = [] if points == len(intact(radios)) else _destroyed_this_turn(referee, radios)
        text = f"destroyed this turn, and still counted: {referee.piece_names(late)} (ruling C-2)"
        referee.say(f"Iraq gets {points} CP for its Radio boxes.", "11.1(1)", *([text] if late else []))
    else:
        prompt = "Command points for Iraq: one for each pip"
        (points,) = await referee.roll("cp", prompt, "11.1(2)", outcomes=lambda: summed_rolls(1, int))
        referee.say(f"Iraq gets {points} CP by the die.", "11.1(2)")
    referee.set_track("cp", points, "11.1", "command points received")


def most_command_points(position: Position) -> int:
    """[11.1] The most points that a turn can bring: one for each Radio box, or the pips of the die."""
    return max(len(boxes(position, notation.RADIO)), _MOST_PIPS)


def pay_command_points(referee: IraqWarReferee, pieces: Sequence[Piece], purpose: str, rule: str) -> None:
    """[11.2, 4.2(3)] Pay 1 CP per Iraqi unit (ruling C-29)."""
    check_command_points(referee, pieces, purpose)
    if not (needy := _paying_units(pieces)):
        return
    referee.shift_track("cp", -min(len(needy), referee.position.track("cp")), rule, f"{purpose} {referee.piece_names(needy)}")


def check_command_points(referee: IraqWarReferee, pieces: Sequence[Piece], purpose: str) -> None:
    """[11.3] Check that the points are available."""
    needy, available = _paying_units(pieces), referee.position.track("cp")
    if len(needy) > available:
        text = f"{purpose} {referee.piece_names(needy)} costs {len(needy)} CP, and Iraq has {available}"
        referee.forbid(text, "11.3", "Command points come in the Iraqi supply phase")


def _paying_units(pieces: Sequence[Piece]) -> list[Piece]:
    """[16.10(1)] Units that need a command point: not the Turkish unit."""
    return [piece for piece in pieces if notation.is_iraqi(piece)]
