"""[8.2, 8.3] Stacking, and the force that operates together."""

from collections.abc import Sequence

from companion.core.errors import Impossible
from companion.core.position import Piece
from companion.games.fallujah2004.pieces import is_battalion, is_fob, is_helicopter, is_iraqi
from companion.games.fallujah2004.referee import Fallujah, deployed
from companion.games.fallujah2004.words.spaces import on_map

LIMITS = {"battalions": 2, "companies and platoons": 2, "Forward Operations Bases": 1, "helicopters": 2}
"""[8.2] What may end its movement in one space."""


def stack_group(piece: Piece) -> str:
    """The stacking limit that a unit counts against [8.2]."""
    if is_fob(piece):
        return "Forward Operations Bases"
    if is_helicopter(piece):
        return "helicopters"
    return "battalions" if is_battalion(piece) else "companies and platoons"


def stacking_faults(pieces: Sequence[Piece]) -> list[str]:
    """The limits that a stack breaks; none where it is legal [8.2]."""
    counts = {group: sum(stack_group(piece) == group for piece in pieces) for group in LIMITS}
    return [f"{counts[group]} {group}, limit {limit}" for group, limit in LIMITS.items() if counts[group] > limit]


def check_stacking(game: Fallujah, space: str) -> None:
    """[8.2] The limits at the end of movement; bases have none."""
    faults = stacking_faults(game.units_at(space)) if on_map(space) else []
    if faults:
        game.forbid(f"too many units in {game.title(space)}: {'; '.join(faults)}", "8.2", "Leave some behind")


async def choose_force(game: Fallujah, besides: Sequence[str] = ()) -> list[Piece]:
    """[8.3] The units that operate together; all start in one space. FOBs never move [28.1].

    ``besides``: the ids of units that have moved in this operation already [32.0].
    """
    movers = [piece for piece in deployed(game.position) if not is_fob(piece) and piece.id not in besides]
    if not movers:
        raise Impossible("no Coalition unit is on the map or in a base", rule="8.3", cure="Recruit some first: j1")
    names = await game.pick("force", "Which units form the force", "8.3", game.unit_choices(movers), low=1)
    force = game.by_name(names, movers)
    check_force(game, force)
    return force


def check_force(game: Fallujah, force: Sequence[Piece]) -> None:
    """[8.3, 24.3, 31.0] Whether these units may form one force."""
    starts = sorted({game.title(piece.place) for piece in force})
    if len(starts) > 1:
        game.forbid(f"the units of a force start in one space, not in {' and '.join(starts)}", "8.3", "Name units of one space")
    if game.option("joint") == "on" and game.first_scenario:
        nations = {is_iraqi(piece) for piece in force}
        if len(nations) > 1:
            game.forbid("in Vigilant Resolve Iraqi units do not operate with US or British units", "31.0", "Form two forces")
