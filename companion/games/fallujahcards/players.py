"""Who plays the card game without people."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from companion.core.events import Event, Said
from companion.core.game import Game
from companion.core.policies import BOT, DecisionContext, GameResult, Players, Policy
from companion.core.position import Position
from companion.core.procedures import Progress
from companion.games.fallujahcards.bot.choices import reasons
from companion.games.fallujahcards.bot.deciding import decide
from companion.games.fallujahcards.bot.review import review_game
from companion.games.fallujahcards.referee import CardReferee
from companion.games.fallujahcards.rules.r1_scoring import is_over
from companion.games.fallujahcards.state import DECK, HAND, TOP

DECISIONS = ("destroy", "disarm", "recon", "discard")
"""The questions of the four decisions, by their keys."""


class BotPolicy(Policy):
    """Decides by playouts, or exactly where few cards are unseen; without a budget by its priorities. It sees the hand, the
    cards that Recon has shown, and which cards are unseen, but never their order.
    """

    def reply(self, context: DecisionContext) -> Any:
        request, game = context.request, context.referee
        assert request is not None
        spot = game.decision_point() if request.key in DECISIONS else None
        if spot is None:
            return super().reply(context)
        found = decide(
            spot, game.priorities(), game.hand_values(), game.tables.bot["playouts"], context.playouts, context.on_progress
        )
        context.explain(*reasons(game, spot, found))
        return request.check(game.answer_of(spot, found.option))


class CardPlayers(Players):
    """The one seat of the game."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.playouts = int(game.tables.bot["playouts"]["runs"])

    def policies(self, seat: str) -> Mapping[str, Callable[[], Policy]]:
        return {**super().policies(seat), BOT: lambda: BotPolicy(self)}

    def adviser(self, seat: str) -> str:
        return BOT

    def outcome(self, position: Position, options: Mapping[str, str]) -> GameResult:
        """[Scoring] Nobody wins or loses: the deck is used up, or not yet."""
        return GameResult("played out" if is_over(position) else "unfinished", self.game.score(position, options).total)

    def value(self, position: Position, options: Mapping[str, str], seat: str) -> float:
        """The score, and what the hand is worth by the priorities while cards are left."""
        game = self.game.referee(position, options)
        assert isinstance(game, CardReferee)
        policy, left = game.priorities(), position.count(DECK) + position.count(TOP)
        return game.score + policy.hand(game.codes(position.at(HAND), policy.model), left)

    def review(
        self, story: Iterable[Sequence[Event]], options: Mapping[str, str], budget: int | None, watch: Callable[[Progress], None]
    ) -> Said | None:
        return review_game(self.game, story, options, budget, watch)
