"""The made-up game with a rival whom Companion plays, and an adviser of its player."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from companion.core.game import Action, Option, Tables
from companion.core.match import PlannedAction
from companion.core.policies import PLAIN, PLANNER, PLAYER, DecisionContext, GameResult, Players, Policy
from companion.core.position import Position
from companion.core.rollouts import RolloutDecision
from tests.support.tiny import Ford, Tiny

WAGERS = ("keep", "double", "take")
"""What the rival can do: nothing; one supply against three eyes of a die; two supplies at once."""


async def wager(game: Ford) -> None:
    """[2.2] The rival's own decision: its priorities keep what there is."""
    thought = await RolloutDecision("wager", "2.2", PLAYER, WAGERS)
    chosen = WAGERS[thought.choice]
    if chosen == "double":
        (face,) = await game.roll("luck", "Luck", "2.2")
        game.shift_track("supply", 1 if face > 3 else -1, "2.2", "a wager")
    elif chosen == "take":
        game.shift_track("supply", 2, "2.2", "taken")
    game.say(f"The rival: {chosen}.", "2.2", *thought.explain())
    game.turn()


class Careful(Policy):
    """Weighs a rest against a search."""

    def act(self, context: DecisionContext) -> str | PlannedAction:
        plans = [PlannedAction("stop"), PlannedAction("rest")]
        chosen = context.compare_by_rollouts(plans, ["stop", "rest"])
        context.explain("supply counts")
        return plans[chosen]


class GamblerPlayers(Players):
    """Supply is what counts."""

    playouts = 16

    def policies(self, seat: str) -> Mapping[str, Callable[[], Policy]]:
        return {PLAIN: lambda: Policy(self), PLANNER: lambda: Careful(self)}

    def turn(self, position: Position) -> int:
        return position.track("turn")

    def outcome(self, position: Position, options: Mapping[str, str]) -> GameResult:
        return GameResult("ended", position.track("supply"))


class Gambler(Tiny):
    """The game."""

    def make_players(self) -> Players:
        return GamblerPlayers(self)

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables)
        self.options["level"] = Option("level", "How well the rival plays", "2.2", ("normal", "easy", "hard"), "normal")

    @property
    def actions(self) -> Sequence[Action]:
        return (Action("wager", "Wager", "2.2", wager), *(one for one in super().actions if one.id in ("stop", "rest")))


def make(tables: Tables) -> Gambler:
    """The game over its tables."""
    return Gambler(tables)
