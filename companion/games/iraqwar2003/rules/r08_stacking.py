"""[8.0] Stacking: at most three ground units in a hex, with what counts double and what never goes together."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.position import Piece
from companion.core.words import plural
from companion.games.iraqwar2003.notation import BRITISH, IRAQI, NATION_TITLES, US, divisions_of, nation, side_of
from companion.games.iraqwar2003.referee import IraqWarReferee, units_on_map_of
from companion.games.iraqwar2003.state import COALITION, MAP, NONE, REMOVED, hex_of, units_in

LIMIT = 3


def stacking_size(piece: Piece) -> int:
    """[8.1(2)] An Iraqi unit of division scale counts as two; reduced units count in full [8.2(3)]."""
    return 2 if nation(piece) == IRAQI and piece.values.get("big") else 1


def stacking_faults(pieces: Sequence[Piece]) -> list[tuple[str, str]]:
    """Everything that is wrong with these units in one hex, each with its rule; only ground units count [8.2(4)]."""
    if len(pieces) < 2:
        return []
    found = []
    total = sum(map(stacking_size, pieces))
    if total > LIMIT:
        counted = ", ".join(f"{piece.name} {stacking_size(piece)}" for piece in pieces)
        found.append((f"{plural(total, 'unit')} in a hex ({counted}), and {LIMIT} is the limit", "8.1"))
    nations = list(dict.fromkeys(map(nation, pieces)))
    if len(nations) > 1:
        names = " and ".join(NATION_TITLES[name] for name in nations)
        found.append((f"units of {names} do not stack", "8.1(3)"))
    divisions = divisions_of(pieces)
    western = {US, BRITISH} & set(nations)
    if western and len(divisions) > 1:
        found.append((f"units of {' and '.join(divisions)} do not stack", "8.1(1)"))
    return found


async def check_stack(game: IraqWarReferee, pieces: Sequence[Piece]) -> None:
    """[8.2] The end of a movement: what is too much is refused, or removed where the board says that it is so, until the limits
    are met [8.2 Penalty] or the player insists on the rest.
    """
    for text, rule in stacking_faults(pieces):
        game.forbid(text, rule, "End the movement elsewhere")
    left, prompt = list(pieces), "Too many units: which ones does their owner remove?"
    while stacking_faults(left) and (gone := await game.pick_units("excess", prompt, "8.2 Penalty", left)):
        for piece in gone:
            game.move(piece.id, REMOVED, "8.2 Penalty", "over the stacking limit")
        left = [piece for piece in left if piece not in gone]


async def ask_stack(game: IraqWarReferee, movers: Sequence[Piece]) -> None:
    """[8.2(1)] Who else is in the hex where the movement ends; on the way nothing counts [8.2(2)]. Whose hex is told need not be
    named, and who is named stands in the same one.
    """
    side, number = game.side, hex_of(movers)
    ids = {mover.id for mover in movers}
    there = [piece for piece in units_in(game.position, number) if piece.id not in ids and side_of(piece) == side]
    others = (
        [piece for piece in game.position.at(MAP) if side_of(piece) == side] if number else units_on_map_of(game.position, side)
    )
    rest = [piece for piece in others if piece.id not in ids and not stacking_faults([*movers, *there, piece])]
    if rest:
        await _ask_others(game, movers, there, rest)
        return
    beside = f"with {game.piece_names(there)} there, none" if there else "none"
    as_good = (NONE, *([game.piece_names(there)] if there else []))
    game.skip_question(
        "stacked", f"{beside} of the others may be there too", "8.1", "End the movement elsewhere", as_good=as_good
    )
    await check_stack(game, [*movers, *there])
    if not number:
        game.say("Nobody else may be in the hex where they end.", "8.2(1)", tone="reminder")


async def _ask_others(game: IraqWarReferee, movers: Sequence[Piece], there: Sequence[Piece], rest: Sequence[Piece]) -> None:
    """[8.2(1), 12.1(4)] Those in the hex of whom nobody has told where they stand."""
    side = game.side
    others = await game.ask_units(
        "stacked", "Which other units of yours are in the hex where they end?", "8.2(1)", rest, side, suggest=NONE
    )
    for piece in others:
        if side_of(piece) != side:
            game.forbid(f"{piece.name} is an enemy: its hex is not entered", "12.1(4)", "Name units of the same side")
    together = [*(game.piece(mover.id) for mover in movers), *there, *others]
    if number := hex_of(together):
        together = [game.place_at(piece, number) for piece in together]
    await check_stack(game, together)


async def check_hex(game: IraqWarReferee) -> None:
    """[8.1] A look-up: whether some units may be in one hex."""
    units = await game.ask_units("units", "Which units are in the hex?", "8.1", units_on_map_of(game.position), COALITION, 1)
    wrong = stacking_faults(units)
    for text, rule in wrong:
        game.say(f"Not allowed: {text}.", rule, tone="warning")
    if not wrong:
        game.say(f"{game.piece_names(units)} may stack: {sum(map(stacking_size, units))} of {LIMIT}.", "8.1")
