"""[13.4.1] Strength steps that are lost, and units that are removed."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.position import Piece
from companion.core.requests import Choice, Choose
from companion.core.words import plural
from companion.games.iraqwar2003.bot.stands import least_missed
from companion.games.iraqwar2003.names import IRAQ, REMOVED, SIDE_TITLES
from companion.games.iraqwar2003.referee import IraqWar, on_map
from companion.games.iraqwar2003.rules.r05_display import shot_down
from companion.games.iraqwar2003.words.counters import is_western, printed_side, steps_left
from companion.games.iraqwar2003.words.places import is_on_map


def here(game: IraqWar, ids: Sequence[str]) -> list[Piece]:
    """Those still on the map, as they are now."""
    return [now for piece in ids if is_on_map(now := game.piece(piece))]


async def lose_steps(game: IraqWar, ids: Sequence[str], steps: int, side: str) -> None:
    """[13.4.1] The owner spreads the losses over the units as he likes."""
    for number in range(1, steps + 1):
        left = here(game, ids)
        if not left:
            game.say(f"Nobody is left to lose {plural(steps - number + 1, 'more strength step')}.", "13.4.1")
            return
        everything = sum(map(steps_left, left)) <= steps - number + 1
        piece = left[0]
        if len(left) > 1 and not everything and game.computer_plays(side):
            piece = least_missed(left) if side == IRAQ and game.option("opponent") else _cheapest(left)
        elif len(left) > 1 and not everything:
            prompt = f"Which {SIDE_TITLES[side]} unit loses strength step {number} of {steps}?"
            request = Choose("loss", prompt, "13.4.1", game.unit_choices(left), _cheapest(left).name)
            name = await game.of_side(side, request)
            piece = next(one for one in left if one.name == name)
        lose_step(game, piece, "13.4.1", "combat result")


def _cheapest(pieces: Sequence[Piece]) -> Piece:
    """What is suggested: a unit that is only reduced before one that would be removed; of these one that has been reduced before
    one that costs its victory points whole [15.2]; then the weakest.
    """

    def worth(piece: Piece) -> tuple[bool, bool, int]:
        side, last = printed_side(piece), steps_left(piece) == 1
        return last, last and is_western(piece) and piece.face != "reduced", side.attack + side.defence

    return min(pieces, key=worth)


def lose_step(game: IraqWar, piece: Piece, rule: str, why: str) -> None:
    """[13.4.1] Onto the reduced side; off the map from there, or where there is none."""
    now = game.piece(piece.id)
    if steps_left(now) > 1:
        game.flip(piece.id, "reduced", rule, why)
        if is_western(now):
            game.say(f"{piece.name} is REDUCED: {game.points('reduced')}.", "15.2")
        return
    remove(game, now, rule, why)


def remove(game: IraqWar, piece: Piece, rule: str, why: str) -> None:
    """A ground unit leaves the game."""
    game.move(piece.id, REMOVED, rule, why)
    if is_western(piece):
        game.say(f"{piece.name} is ELIMINATED: {game.points('removed')} in all.", "15.2")


async def record_loss(game: IraqWar) -> None:
    """[13.4.1, 15.2] A loss that Companion has not seen: a strength step, a unit, an air unit."""
    units = on_map(game.position)
    planes = [piece for side in SIDE_TITLES for piece in game.air_units(side, "any") if piece.place != REMOVED]
    choices = [*game.unit_choices(units), *game.air_choices(planes)]
    if not choices:
        game.forbid("Companion knows of no unit that could be lost", "13.4.1", "Enter units first: units")
        return
    name = await game.choose("unit", "Which unit is hit?", "13.4.1", choices)
    piece = next(one for one in [*units, *planes] if one.name == name)
    if piece in planes:
        shot_down(game, piece, "15.2", "recorded by hand")
        return
    what = await game.choose(
        "what", "What does it lose?", "13.4.1", [Choice("step", "a strength step"), Choice("unit", "the unit")], "step"
    )
    (lose_step if what == "step" else remove)(game, piece, "13.4.1", "recorded by hand")
