"""[4.0] What stands against an action by the sequence of play; the player may insist."""

from __future__ import annotations

from collections.abc import Callable

from companion.core.game import Obstacle
from companion.core.position import Piece, Position
from companion.games.iraqwar2003 import names
from companion.games.iraqwar2003.referee import reinforcements_due, rule_on
from companion.games.iraqwar2003.rules.r04_actions import beyond_recovery, can_act
from companion.games.iraqwar2003.words.counters import IRAQI, TURKISH, nation

PHASE_TITLES = dict(zip(names.PHASES, ("Facility Bombing", "Ground Bombing", "Supply Check", "Operation"), strict=True))
Check = Callable[[Position], Obstacle | None]


def until(phase: str, rule: str) -> Check:
    """Allowed up to that phase of a player turn: what stands before it is passed over."""

    def check(position: Position) -> Obstacle | None:
        now = str(position.flag(names.PHASE, names.FACILITY))
        if phase == names.FACILITY and position.flag(names.SIDE) == names.IRAQ:
            return Obstacle("only the Coalition bombs facilities", "4.2(1)", "Iraq goes on with: bomb, or supply")
        if names.PHASES.index(now) <= names.PHASES.index(phase):
            return None
        return Obstacle(f"the {PHASE_TITLES[phase]} Phase is over", rule, f"Now is the {PHASE_TITLES[now]} Phase")

    return check


def operations(rule: str) -> Check:
    """[4.1(4)] In the Operation Phase, after the Supply Check."""

    def check(position: Position) -> Obstacle | None:
        if position.flag(names.PHASE) == names.OPERATIONS:
            return None
        return Obstacle("this belongs to the Operation Phase, and the Supply Check comes first", rule, "Check supply: supply")

    return check


def acting(rule: str) -> Check:
    """[4.1(4), 11.3] In the Operation Phase, while Iraq has a command point or a unit that needs none [16.10(1)]."""

    def check(position: Position) -> Obstacle | None:
        return operations(rule)(position) or unpaid(position)

    return check


def unpaid(position: Position) -> Obstacle | None:
    """[11.3] Whether Iraq has nothing left to act with: no command point, and no Turkish unit that could."""
    if position.flag(names.SIDE) != names.IRAQ or position.track("cp"):
        return None
    turks = position.cached_from_pieces(_turks)
    if any(not piece.mark(names.MOVED) for piece in turks) or (rule_on(position, names.TURKEY) and not turks):
        return None
    return Obstacle("no command point is left", "11.3", "They come in the Iraqi supply phase: end")


def _turks(position: Position) -> list[Piece]:
    """The Turkish unit, once it is entered [16.10(2)]."""
    return [piece for piece in position.pieces.values() if piece.values.get("nation") == TURKISH]


def optional(option: str, side: str, rule: str, further: Check) -> Check:
    """An optional rule that must be in force, for one side, in the Operation Phase; and what ``further`` looks at."""

    def check(position: Position) -> Obstacle | None:
        if not rule_on(position, option):
            return Obstacle(
                f"the option {option} is off in this game", rule, f"A new one: companion new ... --option {option}=on"
            )
        if position.flag(names.SIDE) != side:
            return Obstacle(f"it is not the {names.SIDE_TITLES[side]} player turn", rule)
        return operations(rule)(position) or further(position)

    return check


def dropped(position: Position) -> Obstacle | None:
    """[16.2(1)] There is one drop a game."""
    if position.flag(names.DROPPED):
        return Obstacle("the paratroop drop has been made; there is one a game", "16.2(1)", "Move as usual")
    return None


def railway_used(position: Position) -> Obstacle | None:
    """[16.7(1), 16.7(2)] One unit a turn uses the railroad, before all others move."""
    if position.flag(names.RAIL):
        return Obstacle("one unit a turn uses the railroad, and one has", "16.7(1)", "Move as usual")
    if any(piece.mark(names.MOVED) and nation(piece) == IRAQI for piece in position.of_kind(names.UNIT)):
        return Obstacle("railroad transport comes first in the Operation Phase", "16.7(2)", "Move as usual")
    return unpaid(position)


def too_late(position: Position) -> Obstacle | None:
    """[16.8(1)] Reinforcements arrive on their turn, before anybody moves."""
    if any(piece.mark(names.MOVED) for piece in position.of_kind(names.UNIT)):
        return Obstacle("reinforcements come first in the Operation Phase", "16.8(1)", "Put them on the board and answer y")
    if not reinforcements_due(position):
        text = f"no reinforcement is due on turn {position.track('turn')}"
        return Obstacle(text, "16.8(1)", "Enter the units as printed, turn:4 behind them: units")
    return None


def nobody_disrupted(position: Position) -> Obstacle | None:
    """[7.3.3] Somebody must be there who can recover, and whose turn it is."""
    against = acting("7.3.3")(position)
    if against or any(not beyond_recovery(position, piece) for piece in can_act(position) if piece.marks):
        return against
    text = "no unit can recover: none of the current player's is disrupted, in supply and not done yet"
    return Obstacle(text, "7.3.3", "Correct the board: adjust 51M.disrupted yes")
