"""Whole games of the made-up game: what becomes of an answer that the rules refuse."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Mapping
from typing import Any
from weakref import ReferenceType, ref

import pytest

from companion.core.game import Action, Game, Obstacle
from companion.core.history import Reply
from companion.core.match import MAX_REFUSALS, DecisionPoint, Match, with_cups_by_name
from companion.core.policies import PLAIN, DecisionContext, Players, Policy, RandomStream
from companion.core.position import Piece, Position
from companion.core.referee import Referee
from companion.core.requests import Choice
from companion.core.rollouts import DecisionStats, RolloutDecision
from companion.games import make_game
from companion.session.facts import practice_facts
from companion.session.tables import load
from tests.support.tiny import STRENGTH


@pytest.fixture
def game(tiny_game: str) -> Game:
    return make_game(tiny_game, load(tiny_game))


class Marcher(Policy):
    """Names the first unit, and the ford; what else it would say where that is refused."""

    def __init__(self, players: Players) -> None:
        super().__init__(players)
        self.times: list[int] = []

    def reply(self, context: DecisionContext) -> Any:
        assert context.request is not None
        return [context.request.legal_choices()[0].value] if context.request.key == "unit" else "ford"

    def reply_after_refusal(self, context: DecisionContext, times: int) -> Any:
        self.times.append(times)
        return "camp"


def carried(game: Game, procedure: Any, policy: Policy) -> Match:
    match = Match(game, {"scenario": "day"}, {"player": policy}, RandomStream("x"), {})
    match.begin()
    match.position = match.position.changed(tracks={"supply": 0, "turn": 1})
    match.decisions = 0
    match.run_action(procedure, "march")
    return match


@pytest.mark.parametrize(("game_id", "again"), [("iraqwar2003", True), ("phantomfury", False)])
def test_set_up_without_questions_runs_once(game_id: str, again: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same with the same options and facts, whatever the seed; one in which somebody decides, or dice fall, never."""
    played = make_game(game_id, load(game_id))
    facts, players = practice_facts(played), played.players
    usual = {key: option.default for key, option in played.options.items()} | {"scenario": next(iter(played.scenarios))}
    usual |= players.practice_options()

    def begun(seed: str, told: Mapping[str, str] = facts, **options: str) -> Match:
        seats = {seat: players.policy(seat, PLAIN) for seat in players.seats}
        match = Match(played, usual | options, seats, RandomStream(seed), told, keep=True)
        match.begin()
        return match

    carried: list[str] = []
    usual_way = Match.run_action
    monkeypatch.setattr(Match, "run_action", lambda self, *args: (carried.append(args[1]), usual_way(self, *args))[1])
    first, second = begun("a"), begun("b")
    assert len(carried) == (1 if again else 2)
    assert (second.position is first.position) == again
    assert (second.actions, second.luck._label) == (first.actions, first.luck._label) == (1, 1)
    if again:
        assert second.story == first.story and second.decisions == first.decisions
        assert begun("a", dict(facts)).position is not first.position and len(carried) == 2
        assert begun("a", opponent="acts").position is not first.position and len(carried) == 3
        second.position = second.position.with_flag("mine", True)
        second.begin()
        assert len(carried) == 4


def test_action_is_given_up_after_repeated_refusals(game: Game) -> None:
    march = next(action.run for action in game.actions if action.id == "march")
    marcher = Marcher(game.players)
    match = carried(game, march, marcher)
    assert marcher.times == list(range(1, MAX_REFUSALS + 1))
    assert match.position.track("turn") == 1 and match.decisions == 0


def test_facts_are_known_after_they_are_told(game: Game) -> None:
    seen: list[Any] = []

    async def march(referee: Any) -> None:
        seen.append(await referee.known_facts("ground", "2.1"))
        await referee.record_fact("ground:ford", "deep", "2.1")
        seen.append(await referee.known_facts("ground", "2.1"))
        await referee.record_fact("groundwater:ford", "none", "2.1")
        await referee.record_fact("ground:ford", "shallow", "2.1")
        seen.append(await referee.known_facts("ground", "2.1"))

    match = Match(game, {"scenario": "day"}, {"player": Policy(game.players)}, RandomStream("x"), {"ground:camp": "dry"})
    match.begin()
    before = match.facts()
    assert match.run_action(march, "march")
    assert seen == [{"camp": "dry"}, {"camp": "dry", "ford": "deep"}, {"camp": "dry", "ford": "shallow"}]
    assert before == {"ground:camp": "dry"}
    assert match.facts() == {"ground:camp": "dry", "ground:ford": "shallow", "groundwater:ford": "none"}


@pytest.mark.parametrize("refused", [False, True])
def test_finished_action_leaves_no_reference_cycles(game: Game, refused: bool) -> None:
    seen: list[ReferenceType[Any]] = []

    async def march(referee: Any) -> None:
        seen.append(ref(referee))
        await referee.confirm("ready", "Ready", "2.1", suggest=True)
        if refused:
            referee.forbid("not there", "2.1")

    collected = gc.isenabled()
    gc.disable()
    try:
        carried(game, march, Policy(game.players))
        assert seen and not [one for one in seen if one() is not None]
    finally:
        if collected:
            gc.enable()


def test_answer_after_a_refusal_counts_once(game: Game) -> None:
    async def march(referee: Any) -> None:
        await referee.confirm("ready", "Ready", "2.1", suggest=True)
        to = await referee.choose("to", "Where to", "2.1", [Choice("camp", "Camp"), Choice("ford", "Ford")])
        if to != "camp":
            referee.forbid("not there", "2.1")
        referee.shift_track("turn", 1, "1.3", "marched")

    marcher = Marcher(game.players)
    match = carried(game, march, marcher)
    assert marcher.times == [1]
    assert match.position.track("turn") == 2 and match.decisions == 2


def test_refused_printed_fact_is_not_stored(game: Game) -> None:
    values = iter("1123")

    class Own(Players):
        def made_up_fact(self, request: Any, number: Any) -> str:
            return next(values)

    async def fight(referee: Referee) -> None:
        if await referee.printed("strength:Red", "Strength of Red", "2.2", STRENGTH) == "1":
            referee.forbid("Red is not so weak", "2.2")
        referee.shift_track(
            "turn", int(await referee.printed("strength:Red", "Strength of Red", "2.2", STRENGTH)), "1.3", "fought"
        )

    game.players = Own(game)
    assert carried(game, fight, Policy(game.players)).position.track("turn") == 3


def test_refused_action_is_retried_last(game: Game) -> None:
    """Where one action after another is given up, a game would be taken to be stuck although another action is open."""
    tried: list[str] = []

    class Anyone(Policy):
        def act(self, context: DecisionContext) -> str:
            tried.append(self.players.random_action(context))
            return tried[-1]

        def reply(self, context: DecisionContext) -> Any:
            return self.players.random_reply(context)

    async def refused(referee: Referee) -> None:
        referee.forbid("nobody can", "1.3")

    for number in range(20):
        match = Match(
            game, {"scenario": "day", "length": "short"}, {"player": Anyone(game.players)}, RandomStream(f"x{number}"), {}
        )
        match.begin()
        match._runs = {action: refused if action not in ("rest", "stop") else run for action, run in match._runs.items()}
        tried.clear()
        while not tried or tried[-1] not in ("rest", "stop"):
            match.act()
        assert len(set(tried)) == len(tried)


def test_random_numbers_are_fair_and_seeded_per_action() -> None:
    luck, again = RandomStream("fair"), RandomStream("fair")
    counts = [0] * 6
    for action in range(3000):
        luck.restart(action)
        again.restart(action)
        rolled = [luck.randbelow(6) for _ in range(8)]
        for face in rolled:
            counts[face] += 1
        assert again.randbelow(6) == rolled[0]
    assert sum((count - 4000) ** 2 / 4000 for count in counts) < 20.5  # chi square, 5 degrees of freedom: 1 in 1000
    luck.restart(7)
    many = [luck.randbelow(2) for _ in range(2000)]  # more than one hash holds
    assert 900 < sum(many) < 1100 and many[:500] != many[500:1000]


def test_random_action_follows_the_weights(game: Game) -> None:
    open_to = {"march": None, "rest": None, "rally": None}
    made = [
        Action(name, name, "1", game.actions[0].run, lambda _, name=name: None if name in open_to else Obstacle("no", "1"))
        for name in ("march", "closed", "rest", "rally")
    ]

    class Some(Players):
        def action_weight(self, action: str) -> int:
            return 3 if action == "rest" else 1

    class Three(type(game)):  # type: ignore[misc]
        actions = tuple(made)

    own = game.__new__(Three)
    own.__dict__.update(game.__dict__)
    luck = RandomStream("any")
    at = DecisionContext(own, {}, "player", None, None, luck.randbelow, lambda *_: DecisionStats(0), Position())
    counts = Counter(Some(own).random_action(at) for _ in range(5000))
    assert set(counts) == set(open_to) and abs(counts["rest"] - 3000) < 150 and abs(counts["march"] - 1000) < 120
    at.given_up = ["rest", "rally"]
    assert {Some(own).random_action(at) for _ in range(50)} == {"march"}
    at.given_up = list(open_to)
    assert {Some(own).random_action(at) for _ in range(50)} == set(open_to)
    open_to.clear()
    assert Some(own).random_action(at) == ""


async def thoughtless(referee: Any) -> None:
    """[2.2] The rules refuse more than three; whoever insists makes the rival think."""
    if referee.position.track("supply") == 7:
        referee.forbid("not with seven", "2.2")
    many = await referee.number("many", "How many", "2.2", 1, 6)
    if many > 3:
        referee.forbid("too many", "2.2")
    thought = await RolloutDecision("wager", "2.2", "player", ("keep", "take"))
    referee.set_track("supply", thought.choice, "2.2", "")
    referee.set_track("turn", 99, "2.2", "")


@pytest.mark.parametrize("supply", [1, 7])
def test_continuing_an_insisted_action_insists(game: Game, supply: int) -> None:
    """An opponent that thinks after an answer out of bounds, or in an action out of bounds, plays on from it as it was given."""
    start = Position({"supply": supply, "turn": 1})
    told = (Reply("many", "number", 5, "typed", anyway=True),)
    match = Match(game, {"scenario": "day"}, {"player": Policy(game.players)}, RandomStream("x"), {}, start)
    point = DecisionPoint(game, {"scenario": "day"}, {}, start, thoughtless, told, anyway=supply == 7)
    match.continue_from(point, Reply("wager", "think", [1], "tried"))
    assert match.position.tracks == {"supply": 1, "turn": 99}


async def thinking_at_once(referee: Referee) -> None:
    """[2.2] The rival thinks before anything is asked."""
    thought = await RolloutDecision("wager", "2.2", "player", ("keep", "take"))
    referee.set_track("supply", thought.choice, "2.2", "")
    referee.set_track("turn", 99, "2.2", "")


def test_an_action_may_begin_with_a_decision_by_rollouts(game: Game) -> None:
    """It ended in an AttributeError, since the point of the decision was taken from a run that was not there yet."""
    match = Match(game, {"scenario": "day"}, {"player": Policy(game.players)}, RandomStream("x"), {}, Position({"turn": 1}))
    match.think = {"player": 2}

    assert match.run_action(thinking_at_once, "wager")
    assert match.position.track("turn") == 99


def test_cup_in_the_order_of_names_keeps_that_of_counters_of_a_name() -> None:
    """A draw that is given by name must take the counter that play took, since later answers may name it by its id."""
    pieces = [Piece(*one) for one in (("m#12", "unit", "m", "cup"), ("a#1", "unit", "a", "cup"), ("m#3", "unit", "m", "cup"))]
    position = Position({}, {piece.id: piece for piece in pieces}, {})
    assert list(with_cups_by_name(position, {"cup"}).pieces) == ["a#1", "m#12", "m#3"]
    assert list(with_cups_by_name(position, {"other"}).pieces) == [piece.id for piece in pieces]
