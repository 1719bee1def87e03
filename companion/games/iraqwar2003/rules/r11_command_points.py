"""[11.0] Iraqi command points: receiving and spending."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.dice import summed_rolls
from companion.core.position import Piece
from companion.games.iraqwar2003.notation import IRAQI, RADIO, nation
from companion.games.iraqwar2003.referee import IraqWarReferee, boxes, intact
from companion.games.iraqwar2003.state import DAMAGED, FOUND, SADDAM

DIE = "die"
"""The method besides the Radio boxes."""


def sources(referee: IraqWarReferee) -> tuple[str, ...]:
    """[11.1, 16.1(4)] The available methods; only the die once Saddam Hussein is found."""
    return (DIE,) if referee.position.flag(SADDAM) == FOUND else (RADIO, DIE)


def radio_points(referee: IraqWarReferee) -> int:
    """[11.1(1), 6.1.1(3), 6.4(3)] Undestroyed Radio boxes; one destroyed this turn still counts (ruling C-2, switchable)."""
    radios = boxes(referee.position, RADIO)
    return len(intact(radios)) + (0 if loses_radio_at_once(referee) else len(_destroyed_this_turn(referee, radios)))


def loses_radio_at_once(referee: IraqWarReferee) -> bool:
    """[6.4(3)] Whether a destroyed Radio box stops counting this turn (ruling C-2)."""
    return referee.option("radio_loss") == "at_once"


def _destroyed_this_turn(referee: IraqWarReferee, radios: Sequence[Piece]) -> list[Piece]:
    return [box for box in radios if box.mark(DAMAGED) == referee.turn]


async def receive_command_points(referee: IraqWarReferee, source: str) -> None:
    """[11.1] Receive points by Radio or die; points left from the last turn are lost [11.3]."""
    if source not in sources(referee):
        referee.forbid("Saddam Hussein is gone: command points come by the die only", "16.1(4)", "Roll")
    if source == RADIO:
        points = radio_points(referee)
        radios = boxes(referee.position, RADIO)
        late = [] if points == len(intact(radios)) else _destroyed_this_turn(referee, radios)
        text = f"destroyed this turn, and still counted: {referee.piece_names(late)} (ruling C-2)"
        referee.say(f"Iraq gets {points} CP for its Radio boxes.", "11.1(1)", *([text] if late else []))
    else:
        points = (
            await referee.roll(
                "cp", "Command points for Iraq: one for each pip", "11.1(2)", outcomes=lambda: summed_rolls(1, int)
            )
        )[0]
        referee.say(f"Iraq gets {points} CP by the die.", "11.1(2)")
    referee.set_track("cp", points, "11.1", "command points received")


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
    return [piece for piece in pieces if nation(piece) == IRAQI]
