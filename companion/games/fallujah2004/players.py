"""Who plays Fallujah 2004 without people [35.0]: the player, and the policies that decide for him."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.core.game import Game
from companion.core.policies import PLAIN, PLANNER, RANDOM, DecisionContext, GameResult, Players, Policy, RandBelow, RandomPolicy
from companion.core.position import Position
from companion.core.requests import Printed
from companion.games.fallujah2004 import state
from companion.games.fallujah2004.playing import wild
from companion.games.fallujah2004.playing.paper import Paper
from companion.games.fallujah2004.playing.plain import Plain
from companion.games.fallujah2004.playing.planner import Planner
from companion.games.fallujah2004.playing.ways import Known, Ways
from companion.games.fallujah2004.playing.worth import standing

_SECOND = "second"
_BATTLES_APART = 1_000
"""[30.2] More turns than a battle has: those of the second battle are counted on from here."""
_OFTEN = {"j3": 5, "networked": 2, "buy": 2, "end": 1}


class FallujahPlayers(Players):
    """The player of Fallujah 2004. A turn is an operation [8.1]; nothing is hidden that chance does not decide later: what a
    concealed Node is, is drawn when it is turned up [7.1(1)].
    """

    playouts = 24
    slip_percent = 18

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._known = Known()
        self._paper = Paper(game.tables.charts)

    def policies(self, seat: str) -> Mapping[str, Callable[[], Policy]]:
        return {
            PLANNER: lambda: Planner(self, self.ways, self._paper),
            PLAIN: lambda: Plain(self, self.ways),
            RANDOM: lambda: RandomPolicy(self),
        }

    def rollout_policy(self, seat: str) -> Policy:
        return self.policy(seat, PLANNER)

    def practice_options(self) -> Mapping[str, str]:
        """[7.0] The first scenario; the made-up set brings the rest."""
        return {"scenario": next(iter(self.game.scenarios))}

    def ways(self, context: DecisionContext) -> Ways:
        """The map as it is known where something is asked."""
        return self._known.ways(context.position, context.facts)

    def turn(self, position: Position) -> int:
        """[8.1, 10.0] The operations that were carried out; those of the second battle of a campaign follow on."""
        second = position.flag(state.CAMPAIGN) is not None and position.flag(state.BATTLE) == 2
        return position.track("operations") + (_BATTLES_APART if second else 0)

    def over(self, position: Position) -> str:
        """[30.2] A campaign goes on after a first battle that is not won."""
        over = self.game.over(position)
        return "" if over and self.game.default_action(position) == _SECOND else over

    def outcome(self, position: Position, options: Mapping[str, str]) -> GameResult:
        """[6.3] The degree of victory, and the VP."""
        score = self.game.score(position, options)
        return GameResult(score.verdict, score.total)

    def value(self, position: Position, options: Mapping[str, str], seat: str) -> float:
        score = self.outcome(position, options).score
        return score if self.over(position) else standing(position, score)

    def rollout_baseline(self, position: Position, options: Mapping[str, str], seat: str) -> float:
        """What is told is what an operation brings, as where nobody played on."""
        return self.value(position, options, seat)

    # -- any answer --------------------------------------------------------------------------------------------

    def action_weight(self, action: str) -> int:
        return _OFTEN.get(action, 1)

    def random_action(self, context: DecisionContext) -> str:
        """[30.2] Any operation; between the battles of a campaign the second one."""
        between = context.game.over(context.position) and context.game.default_action(context.position) == _SECOND
        return _SECOND if between else super().random_action(context)

    def random_reply(self, context: DecisionContext) -> Any:
        assert context.request is not None
        moving = context.referee.moving_force
        start = moving[0].place if moving else ""
        return wild.answer(context.request, context.position, start, lambda: self.ways(context), context.randbelow)

    def made_up_fact(self, request: Printed, number: RandBelow) -> str:
        return wild.printed(request, number)
