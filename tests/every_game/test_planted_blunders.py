"""A blunder that any player would call one is found as the worst decision among those around it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from companion.core.candidates import Candidate
from companion.core.game import Game
from companion.core.match import Match
from companion.core.policies import PLAIN, PLANNER, DecisionContext, Policy
from companion.core.review import GameReview, Level
from companion.core.review_playouts import Reviewer, review_game
from companion.core.review_walk import PlayedEntry, ReviewScope
from companion.session.simulation import make_match, make_series
from companion.session.state import load_game

pytestmark = pytest.mark.slow

AROUND = 3
"""Actions before and after the blunder that are reviewed."""


SEARCHED = 60
"""Decisions of the seat among which the occasion is looked for."""
POLICIES = {"fallujah2004": PLANNER, "fallujahcards": "bot", "iraqwar2003": "bot"}
VALUED = ("fallujah2004", "iraqwar2003")
"""Games whose planner values the candidates of an action in VP that tell a blunder."""
ANSWERED = {"fallujahcards": 30}
"""Games where the worst answer to a question is planted, and how many actions are searched for it."""


class Answering(Policy):
    """Plays as another policy, but gives another answer to a question of an action, both by number."""

    def __init__(self, policy: Policy, entry: int, key: str, taken: str, answer: str, match: list[Match]) -> None:
        super().__init__(policy.players)
        self.policy = policy
        self.planted = entry, key, taken, answer
        self.match = match
        self.is_done = False

    def act(self, context: DecisionContext) -> Any:
        return self.policy.act(context)

    def reply(self, context: DecisionContext) -> Any:
        request, chosen = context.request, self.policy.reply(context)
        assert request is not None
        entry, key, taken, answer = self.planted
        number = len(self.match[0].story or ()) if self.match else 0
        if not self.is_done and (number, request.key) == (entry, key) and request.to_input(chosen) == taken:
            self.is_done = True
            return request.read(answer)
        return chosen

    def reply_after_refusal(self, context: DecisionContext, times: int) -> Any:
        return self.policy.reply_after_refusal(context, times)


class Planting(Policy):
    """Plays as another policy, but takes what that values least in the decision of a number.

    Attributes:
        gaps: By how much the best candidate of each decision exceeds the worst, in VP by the planner's own values.
    """

    def __init__(self, policy: Policy, planted: int = -1) -> None:
        super().__init__(policy.players)
        self.policy = policy
        self.planted = planted
        self.gaps: list[float] = []
        self.is_done = False

    def _chosen(self, chosen: Any, candidates: Sequence[Candidate[Any]]) -> Any:
        worst = min(candidates, key=lambda one: one.value, default=None)
        if worst is None or len(self.gaps) >= SEARCHED:
            return chosen
        self.gaps.append(max(one.value for one in candidates) - worst.value)
        if len(self.gaps) - 1 != self.planted:
            return chosen
        self.is_done = True
        return worst.decision

    def act(self, context: DecisionContext) -> Any:
        context.is_advising = True  # then it tells its candidates
        return self._chosen(self.policy.act(context), context.candidates)

    def reply(self, context: DecisionContext) -> Any:
        assert context.request is not None
        context.is_advising = True
        return context.request.check(self._chosen(self.policy.reply(context), context.candidates))

    def reply_after_refusal(self, context: DecisionContext, times: int) -> Any:
        return self.policy.reply_after_refusal(context, times)


def new_match(game: Game, seat: str, planting: Policy) -> Match:
    """A game that is set up."""
    series = make_series(game, "", {}, {seat: PLAIN}, "planted")  # a person, so that every decision is asked
    match = make_match(series, 1, keep=True, own={seat: planting})
    match.begin()
    return match


def entries_around(match: Match, planting: Planting | Answering, most: int = 1_000) -> tuple[list[PlayedEntry], int]:
    """Play until some actions after the blunder, or so many; return the actions around it, and the number of its own."""
    game, entries, planted, turn, begun = match.game, list[PlayedEntry](), 0, -1, dict[str, int]()
    runs = {action.id: action.run for action in game.actions}
    while not match.over and len(entries) < most and not (planted and len(entries) >= planted + AROUND):
        before = match.position
        if game.players.turn(before) != turn:
            turn, begun = game.players.turn(before), {}
        assert match.act() and match.story
        done = match.story[-1]
        number = len(entries) + 1
        entries.append(PlayedEntry(number, dict(begun), done.action, before, match.position, done.replies, runs[done.action]))
        begun[done.action] = begun.get(done.action, 0) + 1
        planted = planted or (number if planting.is_done else 0)
    return entries[max(0, planted - 1 - AROUND) :], planted


def reviewed(match: Match, entries: list[PlayedEntry], label: str) -> GameReview:
    return review_game(Reviewer(ReviewScope(match.game, match.options, match.facts(), Level(12, 6)), label), "quick", entries)


def check_worst(review: GameReview, seat: str, planted: int) -> None:
    own = [one for one in review.decisions if one.seat == seat]
    worst = max(own, key=lambda one: review.share_of_loss(one).mean)
    found = [(one.entry, one.taken, review.share_of_loss(one), one.loss) for one in own]
    loss = review.share_of_loss(worst)
    surely = loss.mean > 2 * loss.error or worst.loss.mean > 2 * worst.loss.error  # a lost game is lost by VP
    assert worst.entry == planted and surely, found
    assert worst.best != worst.taken and worst.reason.startswith(worst.best)


@pytest.mark.parametrize("game_id", VALUED)
def test_blunder_by_the_values_of_the_planner_is_the_worst_decision(game_id: str) -> None:
    """The planner's own values name the occasion and the blunder; the review finds it by playing on."""
    game = load_game(game_id)
    seat = game.players.seats[0]
    searching = Planting(game.players.policy(seat, POLICIES[game_id]))
    match = new_match(game, seat, searching)
    while not match.over and len(searching.gaps) < SEARCHED and match.act():
        pass
    planting = Planting(game.players.policy(seat, POLICIES[game_id]), searching.gaps.index(max(searching.gaps)))
    match = new_match(game, seat, planting)
    entries, planted = entries_around(match, planting)
    check_worst(reviewed(match, entries, "planted"), seat, planted)


@pytest.mark.parametrize("game_id", ANSWERED)
def test_blunder_of_some_worlds_is_the_worst_decision_in_others(game_id: str) -> None:
    """An answer that is surely bad in some worlds is given instead; the review finds it in other worlds."""
    game = load_game(game_id)
    seat = game.players.seats[0]
    policy = game.players.policy(seat, POLICIES[game_id])
    nothing = Planting(policy)
    match = new_match(game, seat, nothing)
    entries, _ = entries_around(match, nothing, ANSWERED[game_id])
    answers = [
        (review_loss.mean - 2 * review_loss.error, decision, other)
        for decision in reviewed(match, entries, "some worlds").decisions
        if decision.reply and decision.seat == seat
        for other in decision.alternatives
        for review_loss in [other.win_loss or other.loss]
        if not other.is_taken
    ]
    _, decision, other = max(answers, key=lambda one: one[0])
    running: list[Match] = []
    taken, answer = (text.split(" (")[0] for text in (decision.taken, other.text))
    planting = Answering(policy, decision.entry, decision.key, taken, answer, running)
    match = new_match(game, seat, planting)
    running.append(match)
    entries, planted = entries_around(match, planting)
    check_worst(reviewed(match, entries, "other worlds"), seat, planted)
