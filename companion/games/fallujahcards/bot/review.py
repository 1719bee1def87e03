"""What is said of a game that is over: how its score compares, the bot with the same cards, and what cost most."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from companion.core.events import Event, Said, fold
from companion.core.game import Game
from companion.core.policies import RandomStream
from companion.core.position import Position
from companion.core.procedures import ProcedureRun, Progress
from companion.core.request import AnyRequest
from companion.core.requests import Draw
from companion.games.fallujahcards.bot.choices import labels
from companion.games.fallujahcards.bot.deciding import Watch, decide, evaluate
from companion.games.fallujahcards.bot.estimate import Estimate
from companion.games.fallujahcards.bot.ranks import score_rank
from companion.games.fallujahcards.bot.story import PlayedDecision, deck_order, played_decisions
from companion.games.fallujahcards.referee import CardReferee
from companion.games.fallujahcards.state import DECK


class DecisionLoss(NamedTuple):
    """What a decision cost: the best choice, with its lead over what was chosen."""

    met: PlayedDecision
    best: Estimate


class _Bar:
    """Whoever waits sees one count for all the parts of a review."""

    def __init__(self, watch: Watch, total: int) -> None:
        self._watch = watch
        self._total = total
        self._done = 0

    def more(self) -> None:
        self._done = min(self._done + 1, self._total)
        self._watch(Progress(self._done, self._total, "Scoring"))


def review_game(
    game: Game, story: Iterable[Sequence[Event]], options: Mapping[str, str], budget: int | None, watch: Watch
) -> Said | None:
    """The review; its numbers are ``review`` of bot.toml.

    Args:
        story: the events of every entry, in order.
        budget: shuffles for each choice of the bot; None: as many as one can wait for.
        watch: is shown how far it has come.
    """
    told, entries = game.tables.bot["review"], [list(events) for events in story]
    start, end = fold(entries[0]), fold([event for events in entries for event in events])
    met = list(played_decisions(game, options, entries))
    cards = deck_order(entries[1:], start)
    bar = _Bar(watch, len(met) + told["looked_into"] + (len(cards) or 1))
    many = told["runs"] if budget is None else budget
    costs = _costs(game, options, met, told, bar)
    score = game.score(end, options).total
    bot = f"the bot, with the same cards, {_same_cards(game, options, start, cards, many, bar)}" if cards else ""
    watch(Progress(1, 1, "Scoring"))
    because = [
        score_rank(score, game.tables.bot["scores"], options),
        _how(many) if cards else "Not every card came off the deck by the rules: the bot cannot be dealt the same.",
        *_most(game, options, costs[: told["shown"]], told),
    ]
    return Said(f"You score {score}{'; ' + bot if bot else ''}.", "Scoring", tuple(filter(None, because)), "")


def _how(runs: int) -> str:
    by = f"{runs} shuffles a decision" if runs else "its priorities alone"
    return f"The bot decides by {by}, and knows no more than you did; what Insurgent Tactics cost it is drawn again."


# -- the same cards ----------------------------------------------------------------------------------------------------


def _same_cards(game: Game, options: Mapping[str, str], start: Position, cards: Sequence[str], budget: int, bar: _Bar) -> int:
    """What the bot scores where the deck comes in this order, by the procedures themselves."""
    left, number, position = list(cards), RandomStream("review").randbelow, start
    turn = game.actions[0].run
    while not game.over(position):
        referee = game.new_referee(position, options)
        run = ProcedureRun(referee, turn(referee))
        while run.request is not None:
            run.send(_answer(referee, run.request, left, number, budget))
        position = referee.position
        bar.more()
    return game.score(position, options).total


def _answer(game: Any, request: AnyRequest, left: list[str], number: Callable[[int], int], budget: int) -> Any:
    if isinstance(request, Draw):
        return request.read(left.pop(0) if request.cup == DECK else game.hand[number(len(game.hand))].name)
    only, spot = request.forced_reply(), game.decision_point()
    if only is not None or spot is None:
        return request.check(only if only is not None else request.suggest)
    found = decide(
        spot, game.priorities(), game.hand_values(), {**game.tables.bot["playouts"], "ahead": 0}, budget, lambda progress: None
    )
    return request.check(game.answer_of(spot, found.option))


# -- what cost most ----------------------------------------------------------------------------------------------------


def _costs(
    game: Game, options: Mapping[str, str], met: Sequence[PlayedDecision], told: Mapping[str, Any], bar: _Bar
) -> list[DecisionLoss]:
    """The decisions that surely cost something, the dearest first: all are glanced at, the dearest looked into."""
    glanced = [_cost(game, options, one, told["glance"], bar) for one in met]
    dearest = sorted(glanced, key=lambda cost: -cost.best.lead)[: told["looked_into"]]
    looked_into = [_cost(game, options, cost.met, told["look"], bar) for cost in dearest]
    sure = [cost for cost in looked_into if cost.best.lead > max(1e-9, told["sure"] * cost.best.lead_error)]
    return sorted(sure, key=lambda cost: -cost.best.lead)


def _cost(game: Game, options: Mapping[str, str], met: PlayedDecision, runs: int, bar: _Bar) -> DecisionLoss:
    referee = game.referee(met.position, options)
    assert isinstance(referee, CardReferee)
    told = game.tables.bot["playouts"]
    estimates, _ = evaluate(met.spot, referee.hand_values(), told, runs, met.option, lambda progress: None)
    bar.more()
    return DecisionLoss(met, max(estimates, key=lambda one: one.lead))


def _most(game: Game, options: Mapping[str, str], costs: Sequence[DecisionLoss], told: Mapping[str, Any]) -> list[str]:
    lines = []
    for met, best in costs:
        referee = game.referee(met.position, options)
        assert isinstance(referee, CardReferee)
        mine, better = (labels(referee, met.spot, option)[0] for option in (met.option, best.option))
        error = f" (+-{best.lead_error:.1f})" if best.lead_error else ""
        lines.append(f"Turn {met.position.track('turn')}, {met.spot.phase}: {mine}; better: {better}, {best.lead:+.1f}{error}")
    if not lines:
        return ["No decision can be shown to have cost anything."]
    return [f"What cost most, by {told['look']} shuffles of what was unseen then:", *lines]
