"""[13.5] Retreats."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.position import Piece
from companion.core.requests import Choice
from companion.games.iraqwar2003.names import IRAQ, SIDE_TITLES
from companion.games.iraqwar2003.referee import IraqWar
from companion.games.iraqwar2003.rules.r13_losses import here, lose_step, remove

_RETREATS = (
    Choice("all", "all of them retreat"),
    Choice("none", "there is no hex to go to: a strength step each, where they stand"),
    Choice("off", "they cannot help leaving the board: removed"),
)
_STAYS = Choice("stays", "in the city it ignores the retreat")
_EACH = Choice("each", "not all alike")


async def retreat(game: IraqWar, ids: Sequence[str], side: str, in_city: bool) -> list[str]:
    """[13.5] The ids of the units that have left the hex. The hexes are the player's: he is told in which order they count."""
    left = here(game, ids)
    if in_city and await _stays(game, left, side):
        game.say("In a city the retreat is ignored.", "13.5(8)")
        return []
    game.say(
        f"{game.names(left)} {'retreats' if len(left) == 1 else 'retreat'} by 1 hex.",
        "13.5(2)",
        "first: a hex without water, enemy or enemy zone of control [13.5(3)]; friends in it cancel the zone [13.5(4)]",
        "then: nearer to the own supply source",
        "then: below the stacking limit; else a hex further, until it fits [13.5(5)]",
        "flying units retreat like all others [12.5(4)]; no movement points are spent [13.5(1)]",
        tone="board",
    )
    choices = [*_RETREATS, *([_EACH] if len(left) > 1 else [])]
    how = await game.choose("retreat", f"{SIDE_TITLES[side]} retreat", "13.5(2)", choices, "all")
    moved: list[str] = []
    for piece in left:
        one = how
        if how == _EACH.value:
            ways = (*_RETREATS, *([_STAYS] if in_city else []))
            one = await game.choose("one", f"{piece.name} retreats", "13.5(8)" if in_city else "13.5(6)", ways, "all")
        moved += [piece.id] if _retreat_one(game, piece, one) else []
    return moved


async def _stays(game: IraqWar, left: Sequence[Piece], side: str) -> bool:
    """[13.5(8)] Whether who is in a city ignores the retreat; our opponent gives no city up."""
    if side == IRAQ and game.computer_plays_iraq:
        return True
    return await game.confirm("ignore", f"{game.names(left)} in a city: ignore the retreat", "13.5(8)", suggest=True)


def _retreat_one(game: IraqWar, piece: Piece, how: str) -> bool:
    if how == "none":
        lose_step(game, piece, "13.5(6)", "no hex to retreat to")
        return False
    if how == "off":
        remove(game, piece, "13.5(7)", "retreats off the board")
    return how != _STAYS.value
