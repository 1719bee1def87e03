"""The seats of LZ Albany and the policies that decide for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from typing import TYPE_CHECKING, Any, cast

from companion.core.fit import SCORE
from companion.core.policies import BOT, AdvisedPolicy, DecisionContext, GameResult, Players, Policy, RandBelow, random_reply
from companion.core.position import Piece, Position
from companion.core.requests import Request, Text
from companion.core.rollouts import LEVELS
from companion.core.text import split_list
from companion.games.lzalbany import notation, state
from companion.games.lzalbany.areas import COLUMBUS, TRANSITION, AreaMap, is_area
from companion.games.lzalbany.rules.r04_victory import handicap

if TYPE_CHECKING:
    from companion.core.game import Game
    from companion.games.lzalbany.referee import AlbanyReferee

_OPTION_VALUES = {BOT: state.COMPANION, **{level: level for level in LEVELS}}
"""The policies of the opponent, with the option value by which it decides inside the rules."""


class AlbanyPlayers(Players):
    """The US and the NVA."""

    playouts = 8
    table_options = (*Players.table_options, "answer_fire", "placing")

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        prior = game.tables.bot["rollout"]["prior"]
        self.prior_worlds, self.prior_scale = float(prior["worlds"]), float(prior["scale"])

    def policies(self, seat: str) -> Mapping[str, Callable[[], Policy]]:
        """The usual policies and the opponent at its levels."""
        return {**super().policies(seat), BOT: lambda: AdvisedPolicy(self), **self.levels(lambda: AdvisedPolicy(self))}

    def adviser(self, seat: str) -> str:
        return BOT

    def options_for_policies(self, policies: Mapping[str, str]) -> Mapping[str, str]:
        # with proposals every decision of a policy is one of the simulated game, as in rows of before
        return {"opponent": "proposes", **{seat: _OPTION_VALUES.get(name, "player") for seat, name in policies.items()}}

    def rollout_policy(self, seat: str) -> Policy:
        return AdvisedPolicy(self)

    def rollout_options(self, options: Mapping[str, str]) -> Mapping[str, str]:
        """The opponent plays both sides."""
        return {**options, **dict.fromkeys(self.seats, _OPTION_VALUES[BOT])}

    def is_computer_turn(self, position: Position, options: Mapping[str, str]) -> bool:
        """[3.3, 5.0] True against the opponent: the next phase or chit needs no decision before it is there."""
        return bool(self.game.default_action(position)) and any(self.is_computer(seat, options) for seat in self.seats)

    def player_name(self, options: Mapping[str, str], position: Position, request: Request[Any] | None) -> str:
        """[3.3] The player who decides; between actions both, each with the side, since phases and chits concern both."""
        names = split_list(options.get("players", ""))
        if request is not None or len(names) != len(state.SIDES):
            return super().player_name(options, position, request)
        return ", ".join(f"{side} {name}" for side, name in zip(state.SIDES, names, strict=True))

    def outcome(self, position: Position, options: Mapping[str, str]) -> GameResult:
        """[4.1, 4.2, 4.3] The winner, and US points less NVA points."""
        score = self.game.score(position, options)
        side = score.verdict.partition(" ")[0]
        return GameResult(side.casefold() if side in state.SIDES else "draw", score.total)

    def features(self, position: Position, options: Mapping[str, str], seat: str) -> Mapping[str, float]:
        """Platoons by their state, officers, fire strength, points, turns left, and the planner's valuation."""
        from companion.games.lzalbany.ai.features import plain_features

        figures = plain_features(position, state.US if seat == self.seats[0] else state.NVA)
        standing = self._standing(position, options) * (1 if seat == self.seats[0] else -1)
        # what is still to come scatters like the root of the turns left
        figures["standing_by_certainty"] = standing / sqrt(max(figures["turns"], 1.0))
        return figures

    def value(self, position: Position, options: Mapping[str, str], seat: str) -> float:
        """The score of a finished game; otherwise the fitted one, or without a fit the planner's valuation."""
        if self.game.over(position):
            score = self.outcome(position, options).score
        elif (fitted := self.fitted(SCORE)) is not None:
            score = fitted.value(self.features(position, options, self.seats[0])) + handicap(options)
        else:
            score = self._standing(position, options)
        return score if seat == self.seats[0] else -score

    def _standing(self, position: Position, options: Mapping[str, str]) -> float:
        """The planner's valuation for the US in VP."""
        from companion.games.lzalbany.ai.features import Features
        from companion.games.lzalbany.ai.valuation import Valuation

        referee = cast("AlbanyReferee", self.game.new_referee(position, options))
        return Valuation(Features(referee)).standing()

    def random_reply(self, context: DecisionContext) -> Any:
        """Orders to areas within reach; otherwise any answer."""
        request = context.request
        assert request is not None
        orders = notation.orders_of(request.notation) if isinstance(request, Text) else None
        if orders is None or not orders.pieces:
            return random_reply(request, context.randbelow)
        assert isinstance(request, Text)
        return request.check(random_orders(request.suggest, orders, context.referee.map, context.randbelow))

    def plain_reply(self, context: DecisionContext) -> Any:
        """Units stay where they are; otherwise any answer."""
        request = context.request
        return request.check(notation.NONE) if request and request.key == "moves" else self.random_reply(context)


_SUGGESTED = 4
"""One of so many random answers is the suggested one, if there is one."""


def random_orders(suggest: str | None, orders: notation.Orders, area_map: AreaMap, randbelow: RandBelow) -> str:
    """Random placements or moves; sometimes the suggested ones."""
    is_placement = not any(is_area(piece.place) or piece.place == state.AIRLIFT for piece in orders.pieces)
    leaves_map = "off" in str(suggest)
    if suggest not in (None, notation.NONE) and (
        leaves_map or not randbelow(_SUGGESTED) or (is_placement and randbelow(_SUGGESTED))
    ):
        return str(suggest)
    chosen = (_random_placements if is_placement else _random_moves)(orders.pieces, area_map, randbelow)
    return orders.text(chosen)


def _random_placements(pieces: Sequence[Piece], area_map: AreaMap, randbelow: RandBelow) -> list[notation.Order]:
    known = area_map.areas()
    goals = [known[randbelow(len(known))] for _ in range(0, len(pieces), 3)]
    return [notation.Order(piece, goals[index // 3]) for index, piece in enumerate(pieces)]


def _random_moves(pieces: Sequence[Piece], area_map: AreaMap, randbelow: RandBelow) -> list[notation.Order]:
    orders: list[notation.Order] = []
    for place in dict.fromkeys(piece.place for piece in pieces):
        stack = [piece for piece in pieces if piece.place == place]
        goals = _exits(area_map, place)
        if goals and randbelow(3):
            goal = goals[randbelow(len(goals))]
            orders += [notation.Order(piece, goal) for piece in able_to_go([piece for piece in stack if randbelow(3)])]
    return orders


def _exits(area_map: AreaMap, place: str) -> Sequence[str]:
    if place == TRANSITION:
        return (COLUMBUS,)
    if place in (COLUMBUS, state.AIRLIFT):
        return area_map.east_edge()
    return area_map.neighbours(place)


def able_to_go(going: Sequence[Piece]) -> list[Piece]:
    """[6.2A] Those of a stack that can go together."""
    led = any(piece.kind == state.OFFICER and state.is_unwounded(piece) for piece in going)
    able = [p for p in going if p.kind == state.UNIT and state.may_move(p) and not state.is_artillery(p)]
    units = [p for p in able if led or not state.hits_on(p)]
    return [p for p in going if p in units or (p.kind != state.UNIT and (units or not state.needs_carrying(p)))]
