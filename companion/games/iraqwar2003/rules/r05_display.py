"""The air war on the table: what happens is said, and units go where it sends them [5.5 - 5.7]."""

from __future__ import annotations

from companion.games.iraqwar2003.referee import IraqWar
from companion.games.iraqwar2003.rules.r05_air_combat import FLYING, REMOVED, Display, Flier
from companion.games.iraqwar2003.words.counters import is_western


class TableDisplay(Display):
    """Says each shot, and moves who was hit."""

    def __init__(self, game: IraqWar) -> None:
        self.game = game

    def shot(self, shooter: str, target: Flier, value: int, first: int, second: int, fate: str, rule: str) -> None:
        if fate == FLYING:
            self.game.say(f"{shooter} at {target.name}: {first} against {value}, no effect.", rule)
            return
        removed = fate == REMOVED
        what = "removed from the game" if removed else "sent to the Used box"
        sub = "5.6(2)" if rule.startswith(("5.6", "7.2", "16.4")) else "5.5(6)"
        self.game.say(f"{shooter} at {target.name}: {first} against {value} hits, then {second}: {what}.", sub)
        strike(self.game, target, removed)

    def bombed(self, what: str, value: int, face: int, hit: bool) -> None:
        self.game.say(f"{what}: {face} against {value}, {'hit' if hit else 'missed'}.", "5.7(1)")


def strike(game: IraqWar, target: Flier, removed: bool) -> None:
    """[5.5(6), 5.6(2)] A flier that was hit leaves: out of the game, or into the Used box; a removed Iraqi unit leaves a
    damaged marker in the Used box, so that its Air Field counts as used [5.8.2(1)].
    """
    if not target.id:
        return
    piece = game.piece(target.id)
    if not removed:
        game.move(piece.id, f"{target.side} used", "5.5(6)", "hit")
        return
    if piece.place == "removed":
        return
    game.move(piece.id, "removed", "5.5(6)", "shot down")
    if target.side == "iraq":
        game.make("marker", "Damaged marker", "iraq used", "5.8.2(1)", "its air field has been used this turn")
    elif is_western(piece) and piece.values.get("type") != "naval":
        game.say(f"{piece.name} is lost: -2 VP.", "15.2")
