"""[8.0] Stacking limits."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.position import Piece
from companion.core.text import plural
from companion.games.iraqwar2003.notation import BRITISH, IRAQI, NATION_TITLES, US, divisions_of, nation, side_of
from companion.games.iraqwar2003.referee import IraqWarReferee, units_on_map_of
from companion.games.iraqwar2003.state import COALITION, MAP, NONE, REMOVED, hex_of, units_in

LIMIT = 3


def stacking_size(piece: Piece) -> int:
    """[8.1(2)] 2 for an Iraqi unit of division scale, else 1; reduced units count in full [8.2(3)]."""
    return 2 if nation(piece) == IRAQI and piece.values.get("big") else 1


def stacking_faults(pieces: Sequence[Piece]) -> list[tuple[str, str]]:
    """All stacking violations of units in one hex, each with its rule; only ground units count [8.2(4)]."""
    if len(pieces) < 2:
        return []
    faults = []
    total = sum(map(stacking_size, pieces))
    if total > LIMIT:
        counted = ", ".join(f"{piece.name} {stacking_size(piece)}" for piece in pieces)
        faults.append((f"{plural(total, 'unit')} in a hex ({counted}), and {LIMIT} is the limit", "8.1"))
    nations = list(dict.fromkeys(map(nation, pieces)))
    if len(nations) > 1:
        names = " and ".join(NATION_TITLES[name] for name in nations)
        faults.append((f"units of {names} do not stack", "8.1(3)"))
    divisions = divisions_of(pieces)
    western = {US, BRITISH} & set(nations)
    if western and len(divisions) > 1:
        faults.append((f"units of {' and '.join(divisions)} do not stack", "8.1(1)"))
    return faults


async def check_stack(referee: IraqWarReferee, pieces: Sequence[Piece]) -> None:
    """[8.2] Check the stack at the end of a movement; excess units are refused, or removed if the player insists [8.2
    Penalty].
    """
    for text, rule in stacking_faults(pieces):
        referee.forbid(text, rule, "End the movement elsewhere")
    remaining, prompt = list(pieces), "Too many units: which ones does their owner remove?"
    while stacking_faults(remaining) and (removed := await referee.pick_units("excess", prompt, "8.2 Penalty", remaining)):
        for piece in removed:
            referee.move(piece.id, REMOVED, "8.2 Penalty", "over the stacking limit")
        remaining = [piece for piece in remaining if piece not in removed]


async def ask_stack(referee: IraqWarReferee, movers: Sequence[Piece]) -> None:
    """[8.2(1)] Ask who else is in the end hex, unless hexes are known; limits do not apply on the way [8.2(2)]."""
    side, number = referee.side, hex_of(movers)
    ids = {mover.id for mover in movers}
    in_hex = [piece for piece in units_in(referee.position, number) if piece.id not in ids and side_of(piece) == side]
    others = (
        [piece for piece in referee.position.at(MAP) if side_of(piece) == side]
        if number
        else units_on_map_of(referee.position, side)
    )
    candidates = [piece for piece in others if piece.id not in ids and not stacking_faults([*movers, *in_hex, piece])]
    if candidates:
        await _ask_others(referee, movers, in_hex, candidates)
        return
    beside = f"with {referee.piece_names(in_hex)} there, none" if in_hex else "none"
    as_good = (NONE, *([referee.piece_names(in_hex)] if in_hex else []))
    referee.skip_question(
        "stacked", f"{beside} of the others may be there too", "8.1", "End the movement elsewhere", as_good=as_good
    )
    await check_stack(referee, [*movers, *in_hex])
    if not number:
        referee.say("No other unit may be in the hex where they end.", "8.2(1)", tone="reminder")


async def _ask_others(
    referee: IraqWarReferee, movers: Sequence[Piece], in_hex: Sequence[Piece], candidates: Sequence[Piece]
) -> None:
    """[8.2(1), 12.1(4)] Ask for units in the hex whose position is unknown."""
    side = referee.side
    others = await referee.ask_units(
        "stacked", "Which other units of yours are in the hex where they end?", "8.2(1)", candidates, side, suggest=NONE
    )
    for piece in others:
        if side_of(piece) != side:
            referee.forbid(f"{piece.name} is an enemy: its hex is not entered", "12.1(4)", "Name units of the same side")
    together = [*(referee.piece(mover.id) for mover in movers), *in_hex, *others]
    if number := hex_of(together):
        together = [referee.place_at(piece, number) for piece in together]
    await check_stack(referee, together)


async def check_hex(referee: IraqWarReferee) -> None:
    """[8.1] Look up whether some units may stack."""
    units = await referee.ask_units(
        "units", "Which units are in the hex?", "8.1", units_on_map_of(referee.position), COALITION, 1
    )
    wrong = stacking_faults(units)
    for text, rule in wrong:
        referee.say(f"Not allowed: {text}.", rule, tone="warning")
    if not wrong:
        referee.say(f"{referee.piece_names(units)} may stack: {sum(map(stacking_size, units))} of {LIMIT}.", "8.1")
