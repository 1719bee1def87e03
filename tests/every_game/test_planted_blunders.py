"""A blunder that any player would call one is found as the worst decision among those around it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import pytest

from companion.core.candidates import Candidate
from companion.core.errors import CompanionError
from companion.core.game import Game
from companion.core.match import Match, PlannedAction, StuckGame, planned_action
from companion.core.policies import BOT, PLAIN, PLANNER, DecisionContext, Policy, RandomStream
from companion.core.review import CERTAIN, GameReview, Level, ReviewedDecision
from companion.core.review_playouts import Reviewer, review_game
from companion.core.review_walk import PlayedEntry, ReviewScope
from companion.session.simulation import make_match, make_series
from companion.session.state import load_game

pytestmark = pytest.mark.slow

AROUND = 3
"""Actions before and after the blunder that are reviewed."""


SEARCHED = 60
"""Decisions of the seat among which the occasion is looked for."""
POLICIES = {"fallujah2004": PLANNER, "fallujahcards": BOT, "iraqwar2003": BOT}
VALUED = ("fallujah2004", "iraqwar2003")
"""Games whose planner values the candidates of an action in VP that tell a blunder."""
ANSWERED = {"fallujahcards": 30}
"""Games where the worst answer to a question is planted, and how many actions are searched for it."""


class Folly(NamedTuple):
    """What no player would do, and where it is looked for.

    ``policy`` is what decides otherwise, ``keys`` are the questions to which any answer is given, ``action`` is one that gives up
    the rest of the turn, ``actions`` how many are searched.
    """

    policy: str
    keys: Collection[str]
    action: str
    actions: int


FOLLIES = {
    ("phantomfury", "player"): Folly(PLANNER, ("to",), "end", 30),  # a squad goes anywhere; the turn is passed up
    ("lzalbany", "us"): Folly(BOT, ("moves",), "", 30),  # units march anywhere
    ("lzalbany", "nva"): Folly(BOT, ("moves", "combat", "retreat", "group"), "", 80),  # they fire at anything or nothing, too
}
RIVALS = {"lzalbany": BOT}
"""Who plays the other seat, if not its usual policy."""
TRIED_ANSWERS, WORLDS = 2, 6
"""Answers that are tried at a question, and the worlds in which each is compared with that of the policy."""


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


class Fool(Policy):
    """Plays as another policy, and compares follies with its decisions by playouts; or commits one, in a decision of a number.

    Attributes:
        found: By how much each folly is surely behind in VP, the number of the decision, and what it is.
    """

    def __init__(self, policy: Policy, folly: Folly, planted: tuple[int, Any] | None = None) -> None:
        super().__init__(policy.players)
        self.policy = policy
        self.folly = folly
        self.planted = planted
        self.found: list[tuple[float, int, Any]] = []
        self.number = 0
        self.is_done = False
        self._luck = RandomStream("follies")  # not that of the policy, which decides the same if a folly is committed

    def act(self, context: DecisionContext) -> Any:
        chosen = planned_action(self.policy.act(context.aside()))
        follies = [PlannedAction(self.folly.action)] if self.folly.action not in ("", chosen.action) else []
        kept = {key: value for key, value in chosen.answers.items() if key not in self.folly.keys}
        return self._decided(context, PlannedAction(chosen.action, kept), follies)

    def reply(self, context: DecisionContext) -> Any:
        request = context.request
        assert request is not None
        chosen = request.check(self.policy.reply(context.aside()))
        if request.key not in self.folly.keys:
            return chosen
        random = context.aside()
        random.randbelow = self._luck.randbelow
        tried = []
        for _ in range(TRIED_ANSWERS if self.planted is None else 0):
            with suppress(CompanionError):
                tried.append(request.check(self.players.random_reply(random)))
        return self._decided(context, chosen, [answer for answer in tried if answer != chosen])

    def _decided(self, context: DecisionContext, chosen: Any, follies: Sequence[Any]) -> Any:
        self.number += 1
        if self.planted is not None:
            number, folly = self.planted
            self.is_done = self.is_done or number == self.number
            return folly if number == self.number else chosen
        for folly in follies:
            with suppress(StuckGame):  # the rules refuse it
                _, row = context._weigh([chosen, folly], ("usual", "folly"), ()).rows
                self.found.append((-row.lead - 2 * row.lead_error, self.number, folly))
        return chosen

    def reply_after_refusal(self, context: DecisionContext, times: int) -> Any:
        return self.policy.reply_after_refusal(context, times)


def new_match(game: Game, seat: str, planting: Policy) -> Match:
    """A game that is set up."""
    others = {other: RIVALS[game.id] for other in game.players.seats if other != seat and game.id in RIVALS}
    series = make_series(game, "", {}, {**others, seat: PLAIN}, "planted")  # a person, so that every decision is asked
    match = make_match(series, 1, keep=True, own={seat: planting})
    if isinstance(planting, Fool):
        match.think = {seat: WORLDS}
    match.begin()
    return match


def entries_around(match: Match, planting: Planting | Answering | Fool, most: int = 1_000) -> tuple[list[PlayedEntry], int]:
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
    return review_game(Reviewer(ReviewScope(match.game, match.options, match.facts(), Level(24, 6)), label), "quick", entries)


def check_worst(review: GameReview, seat: str, planted: int) -> ReviewedDecision:
    """The worst decision of a seat, of those whose loss is surely none of luck, is in the planted action."""
    own = [one for one in review.decisions if one.seat == seat]
    # a lost game is lost by VP
    surely = [one for one in own if any(loss.mean > CERTAIN * loss.error for loss in (review.share_of_loss(one), one.loss))]
    worst = max(surely, key=lambda one: review.share_of_loss(one).mean)
    assert worst.entry == planted, [(one.entry, one.taken, review.share_of_loss(one), one.loss) for one in own]
    assert worst.best != worst.taken and worst.reason.startswith(worst.best)
    return worst


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


@pytest.mark.parametrize(("game_id", "seat"), FOLLIES)
def test_what_no_player_would_do_is_the_worst_decision(game_id: str, seat: str) -> None:
    """The folly that is surely worst in some worlds is committed; the review finds it in other worlds."""
    game, folly = load_game(game_id), FOLLIES[game_id, seat]
    searching = Fool(game.players.policy(seat, folly.policy), folly)
    match = new_match(game, seat, searching)
    for _ in range(folly.actions):
        if match.over or not match.act():
            break
    behind, number, planted = max(searching.found, key=lambda one: one[0])
    assert behind > 0
    fool = Fool(game.players.policy(seat, folly.policy), folly, (number, planted))
    match = new_match(game, seat, fool)
    entries, entry = entries_around(match, fool)
    worst = check_worst(reviewed(match, entries, "other worlds"), seat, entry)
    assert worst.taken.split(" (")[0] == (planted.action if isinstance(planted, PlannedAction) else planted)
