"""[13.4 - 13.6] The effects of a combat: strength steps, retreats, advances; and losses recorded by hand."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.position import Piece
from companion.core.requests import Choice
from companion.core.words import plural
from companion.games.iraqwar2003.referee import SIDE_TITLES, IraqWar
from companion.games.iraqwar2003.rules.r08_stacking import check_stack
from companion.games.iraqwar2003.rules.r15_control import ask_taken
from companion.games.iraqwar2003.rules.r15_victory import counts
from companion.games.iraqwar2003.words.counters import is_western, printed_side, side_of, steps_left


def lose_step(game: IraqWar, piece: Piece, rule: str, why: str) -> None:
    """[13.4.1] Onto the reduced side; off the map from there, or where there is none."""
    now = game.piece(piece.id)
    if steps_left(now) > 1:
        game.flip(piece.id, "reduced", rule, why)
        if is_western(now):
            game.say(f"{piece.name} is reduced: -2 VP.", "15.2")
        return
    remove(game, now, rule, why)


def remove(game: IraqWar, piece: Piece, rule: str, why: str) -> None:
    """A ground unit leaves the game."""
    game.move(piece.id, "removed", rule, why)
    if is_western(piece):
        game.say(f"{piece.name} is removed: -4 VP in all.", "15.2")


def here(game: IraqWar, pieces: Sequence[Piece]) -> list[Piece]:
    """Those still on the map, as they are now."""
    return [now for piece in pieces if (now := game.piece(piece.id)).place == "map"]


async def lose_steps(game: IraqWar, pieces: Sequence[Piece], steps: int, side: str) -> None:
    """[13.4.1] The owner spreads the losses over the units as he likes."""
    for number in range(1, steps + 1):
        left = here(game, pieces)
        if not left:
            game.say(f"Nobody is left to take {plural(steps - number + 1, 'more strength step')}.", "13.4.1")
            return
        everything = sum(map(steps_left, left)) <= steps - number + 1
        piece = left[0]
        if len(left) > 1 and not everything:
            prompt = f"{SIDE_TITLES[side]} strength step {number} of {steps}: which unit"
            name = await game.choose("loss", prompt, "13.4.1", game.unit_choices(left), _cheapest(left).name)
            piece = next(one for one in left if one.name == name)
        lose_step(game, piece, "13.4.1", "combat result")


def _cheapest(pieces: Sequence[Piece]) -> Piece:
    """What is suggested: a unit that is only reduced before one that would be removed, the weakest first."""

    def worth(piece: Piece) -> tuple[bool, int]:
        side = printed_side(piece)
        return steps_left(piece) == 1, side.attack + side.defence

    return min(pieces, key=worth)


async def retreat(game: IraqWar, pieces: Sequence[Piece], side: str, in_city: bool) -> list[str]:
    """[13.5] The ids of the units that have left the hex. The hexes are the player's: he is told in which order they count."""
    left = here(game, pieces)
    if not left:
        return []
    if in_city and await game.confirm("ignore", f"{game.names(left)} in a city: ignore the retreat", "13.5(8)", suggest=True):
        game.say("In a city the retreat is ignored.", "13.5(8)")
        return []
    game.say(
        f"{game.names(left)} retreat 1 hex.",
        "13.5(2)",
        "first: a hex without water, enemy or enemy zone of control [13.5(3)]; friends in it cancel the zone [13.5(4)]",
        "then: nearer to the own supply source",
        "then: below the stacking limit; else a hex further, until it fits [13.5(5)]",
        "flying units retreat like all others [12.5(4)]",
        tone="board",
    )
    moved: list[str] = []
    choices = [
        Choice("all", "all of them retreat"),
        Choice("none", "there is no hex to go to: a strength step each, where they stand"),
        Choice("off", "they cannot help leaving the board: removed"),
        *([Choice("each", "not all alike")] if len(left) > 1 else []),
    ]
    how = await game.choose("retreat", f"{SIDE_TITLES[side]} retreat", "13.5(2)", choices, "all")
    for piece in left:
        one = how
        if how == "each":
            one = await game.choose("one", f"{piece.name} retreats", "13.5(6)", choices[:3], "all")
        moved += [piece.id] if _retreat_one(game, piece, one) else []
    return moved


def _retreat_one(game: IraqWar, piece: Piece, how: str) -> bool:
    if how == "none":
        lose_step(game, piece, "13.5(6)", "no hex to retreat to")
        return False
    if how == "off":
        remove(game, piece, "13.5(7)", "retreats off the board")
    return True


async def advance(game: IraqWar, attackers: Sequence[Piece]) -> None:
    """[13.6] Into the empty hex, as many of the attackers as wish."""
    units = here(game, attackers)
    if not units:
        return
    names = await game.pick(
        "advance",
        "The hex is empty: who advances (zones of control do not matter)",
        "13.6(1)",
        game.unit_choices(units),
        suggest=[],
    )
    gone = [piece for piece in units if piece.name in names]
    if gone:
        game.say(f"{game.names(gone)} advance into the hex.", "13.6", tone="board")
        await check_stack(game, gone)
        await ask_taken(game, side_of(gone[0]))


async def record_loss(game: IraqWar) -> None:
    """[13.4.1, 15.2] A loss that Companion has not seen: a strength step, a unit, an air unit."""
    units = [piece for piece in game.position.of_kind("unit") if piece.place == "map"]
    planes = [piece for piece in game.position.of_kind("air") if piece.place != "removed"]
    choices = [*game.unit_choices(units), *game.air_choices(planes)]
    if not choices:
        game.forbid("no unit is known that could be lost", "13.4.1", "Enter units first: units")
        return
    name = await game.choose("unit", "Which unit", "13.4.1", choices)
    piece = next(one for one in [*units, *planes] if one.name == name)
    if piece.kind == "air":
        game.move(piece.id, "removed", "15.2", "recorded by hand")
        game.say(f"{piece.name} is removed{' (-2 VP)' if counts(piece) else ''}.", "15.2")
        return
    what = await game.choose(
        "what", "What is lost", "13.4.1", [Choice("step", "a strength step"), Choice("unit", "the unit")], "step"
    )
    if what == "step":
        lose_step(game, piece, "13.4.1", "recorded by hand")
    else:
        remove(game, piece, "13.4.1", "recorded by hand")
