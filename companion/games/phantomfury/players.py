"""Policies of Phantom Fury and the valuation of outcomes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.core.game import Game
from companion.core.policies import PLAIN, PLANNER, RANDOM, DecisionContext, GameResult, Players, Policy, RandomPolicy
from companion.core.position import Position
from companion.games.phantomfury.captain.estimates import Estimates
from companion.games.phantomfury.captain.planner import Planner
from companion.games.phantomfury.captain.worth import worth

WEIGHTS = {"mission": 1, "reinforce": 3, "fire": 5, "move": 8, "assault": 8, "end": 2}
"""Relative frequency of actions of a random player."""
TRIES = 30
"""Actions tried before the turn is ended."""


class _Persistent(Policy):
    """Takes any open action except those that just led to nothing."""

    def __init__(self, players: Players) -> None:
        super().__init__(players)
        self._seen: Position | None = None
        self._tried: set[str] = set()

    def act(self, context: DecisionContext) -> str:
        if context.position is not self._seen:
            self._seen, self._tried = context.position, set()
        some = (self.players.random_action(context) for _ in range(TRIES))
        action = next((action_id for action_id in some if action_id not in self._tried), "end")
        self._tried = self._tried | {action} if action not in self._tried else set()
        return action


class Plain(_Persistent):
    """Takes any action and every suggestion."""


class Anyone(_Persistent, RandomPolicy):
    """Takes any action and any answer."""


class PhantomFuryPlayers(Players):
    """The player against insurgents run by the rules."""

    max_actions = 4_000
    playouts = 8
    slip_percent = 14

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.estimates = Estimates()

    def policies(self, seat: str) -> Mapping[str, Callable[[], Policy]]:
        return {PLANNER: lambda: Planner(self, self.estimates), PLAIN: lambda: Plain(self), RANDOM: lambda: Anyone(self)}

    def rollout_policy(self, seat: str) -> Policy:
        return Planner(self, self.estimates)

    def action_weight(self, action: str) -> int:
        return WEIGHTS.get(action, 0)

    def outcome(self, position: Position, options: Mapping[str, str]) -> GameResult:
        """[7.2.2] The level of victory (as if the last turn ended now) and the Victory Points."""
        score = self.game.score(position, options)
        return GameResult(score.verdict.casefold(), score.total)

    def value(self, position: Position, options: Mapping[str, str], seat: str) -> float:
        return worth(position)

    def rollout_baseline(self, position: Position, options: Mapping[str, str], seat: str) -> float:
        """The value subtracted in explanations, so that they show changes."""
        return worth(position)
