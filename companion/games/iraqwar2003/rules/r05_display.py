"""[5.5 - 5.7] The air war on the table: what happens is said, and units go where it sends them."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.position import Piece
from companion.core.words import plural
from companion.games.iraqwar2003 import names
from companion.games.iraqwar2003.names import IRAQ, SIDE_TITLES
from companion.games.iraqwar2003.referee import IraqWar
from companion.games.iraqwar2003.rules.r05_air_combat import (
    BOMBING,
    FLYING,
    REMOVED,
    SUPPORT,
    Display,
    Flier,
    Mission,
    at,
    hits_on,
)
from companion.games.iraqwar2003.words.counters import counts_for_victory, side_of


class TableDisplay(Display):
    """Says each shot, and moves who was hit."""

    def __init__(self, game: IraqWar) -> None:
        self.game = game

    def combat(self, mission: Mission) -> None:
        there = ", ".join(f"{one.name} {one.air}" for one in mission.fliers)
        where = "at" if mission.fliers[0].role == BOMBING else "over"
        self.game.say(f"Air combat {where} {mission.what}: {there}.", "5.5")

    def shot(self, shooter: str, target: Flier, value: int, first: int, second: int, fate: str, rule: str) -> None:
        rolled = f"{at(shooter, target.name)}: {first}, {hits_on(value)}"
        if fate == FLYING:
            self.game.say(f"{rolled}. MISS.", rule)
            return
        removed = fate == REMOVED
        what = f"{target.name} is SHOT DOWN" if removed else f"{target.name} goes to the Used box"
        self.game.say(f"{rolled}. HIT; second die {second}: {what}.", rule)
        strike(self.game, target, removed, rule)

    def decides(self, shooter: Flier) -> bool:
        return self.game.computer_plays(shooter.side)

    def untouchable(self, flier: Flier) -> None:
        self.game.say(f"{flier.name} is stealthy: no anti-air fire at it.", "5.6.1(1)")

    async def bombed(self, mission: Mission, value: int, face: int, hit: bool) -> None:
        what = f"{mission.fliers[0].name} bombs {mission.what}"
        self.game.say(f"{what}: {face}, {hits_on(value)}. {'HIT' if hit else 'MISS'}.", "5.7(1)")

    def supported(self, mission: Mission, fates: Mapping[str, str], shift: int) -> None:
        there = [flier for flier in mission.fliers if flier.role == SUPPORT]
        rows = [
            f"{one.name} gives {plural(abs(one.worth), 'column')} to the {SIDE_TITLES[one.side]} side"
            if fates[one.name] == FLYING
            else f"{one.name} was hit and gives none [13.3(2-3)]"
            for one in there
        ]
        if rows:
            columns = f"{plural(abs(shift), 'column')} to the {'attacker' if shift > 0 else 'defender'}"
            text = columns if shift else "no column for anybody"
            self.game.say(f"Air support: {text}.", "13.3(2-1)" if len(rows) > 1 else "13.3(2)", *rows)


def strike(game: IraqWar, target: Flier, removed: bool, rule: str) -> None:
    """[5.5(6), 5.6(2)] An air unit that was hit leaves: out of the game, or into the Used box. Paratroops stay where they are."""
    piece = game.piece(target.id)
    if piece.kind != names.AIR or piece.place == names.REMOVED:
        return
    if not removed:
        game.move(piece.id, names.used(target.side), rule, "hit")
        return
    shot_down(game, piece, rule, "shot down")


def shot_down(game: IraqWar, piece: Piece, rule: str, why: str) -> None:
    """[5.8.2(1), 15.2] An air unit leaves the game; an Iraqi one leaves a damaged marker in the Used box, so that its Air Field
    counts as used.
    """
    game.move(piece.id, names.REMOVED, rule, why)
    if side_of(piece) == IRAQ:
        game.make(names.MARKER, "Damaged marker", names.used(IRAQ), "5.8.2(1)", "its air field has been used this turn")
    elif counts_for_victory(piece):
        game.say(f"The Coalition loses {piece.name}: {game.points('air')}.", "15.2")
