"""The tiny game with a rival played by Companion and an adviser for the player."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from companion.core.game import Action, Option, Tables
from companion.core.match import PlannedAction
from companion.core.policies import PLAIN, PLANNER, PLAYER, DecisionContext, GameResult, Players, Policy
from companion.core.position import Position
from companion.core.rollouts import RolloutDecision
from tests.support.tiny import Ford, Tiny

WAGERS = ("keep", "double", "take")
"""The rival's choices: nothing; win or lose one supply by a die; two supplies for certain."""


async def wager(game: Ford) -> None:
    """[2.2] The rival's decision; its priorities say keep."""
    thought = await RolloutDecision("wager", "2.2", PLAYER, WAGERS)
    chosen = WAGERS[thought.choice]
    if chosen == "double":
        (face,) = await game.roll("luck", "Luck", "2.2")
        game.shift_track("supply", 1 if face > 3 else -1, "2.2", "a wager")
    elif chosen == "take":
        game.shift_track("supply", 2, "2.2", "taken")
    game.say(f"The rival: {chosen}.", "2.2", *thought.explain())
    game.turn()


async def parley(game: Ford) -> None:
    """[2.2] The player answers, then the rival decides."""
    await game.number("offer", "How much do you offer", "2.2", 1, 6)
    await wager(game)


class Careful(Policy):
    """Compares stopping with a rest by rollouts."""

    def act(self, context: DecisionContext) -> str | PlannedAction:
        plans = [PlannedAction("stop"), PlannedAction("rest")]
        chosen = context.compare_by_rollouts(plans, ["stop", "rest"])
        context.explain("supply counts")
        return plans[chosen]


class RivalPlayers(Players):
    """Players of the game; the result is the supply."""

    playouts = 16

    def policies(self, seat: str) -> Mapping[str, Callable[[], Policy]]:
        return {PLAIN: lambda: Policy(self), PLANNER: lambda: Careful(self)}

    def turn(self, position: Position) -> int:
        return position.track("turn")

    def outcome(self, position: Position, options: Mapping[str, str]) -> GameResult:
        return GameResult("ended", position.track("supply"))


class TinyRival(Tiny):
    """The tiny game with the rival's action."""

    def make_players(self) -> Players:
        return RivalPlayers(self)

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables)
        self.options["level"] = Option("level", "How well the rival plays", "2.2", ("normal", "easy", "hard"), "normal")

    @property
    def actions(self) -> Sequence[Action]:
        own = Action("wager", "Wager", "2.2", wager), Action("parley", "Parley", "2.2", parley)
        return (*own, *(action for action in super().actions if action.id in ("stop", "rest")))


def make(tables: Tables) -> TinyRival:
    """Make the game from its tables."""
    return TinyRival(tables)
