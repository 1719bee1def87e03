"""A made-up duel whose every value is known exactly: equal and unequal alternatives, dice of both sides, hidden draws.

In each round the seat to act chooses a plan, a die decides it, and a token of the weather is drawn from a bag without being put
back. Then the other seat chooses an answer, and a die decides that. After the last round the side ahead has won.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from companion.core.game import Action, Banner, Field, Game, Score, Tables
from companion.core.match import Match
from companion.core.policies import DecisionContext, GameResult, Players, Policy, RandomStream
from companion.core.position import Position
from companion.core.procedures import Procedure
from companion.core.referee import Referee
from companion.core.requests import Choice
from companion.core.review_walk import PlayedEntry
from companion.core.values import ReplyValue

ROUNDS = 6
SUNS = 3
"""Tokens in the bag that gain; as many others do not."""
SEATS = ("north", "south")
PLANS: Mapping[str, tuple[int, ...]] = {
    "low": (1, 1, 1, 0, 0, 0),
    "high": (0, 0, 0, 1, 1, 1),
    "odd": (1, 0, 1, 0, 1, 0),
    "even": (0, 1, 0, 1, 0, 1),
    "slow": (1, 1, 0, 0, 0, 0),
    "mad": (2, 0, 0, -1, -1, -1),
}
"""Plan -> what each face of the die gains; the first four are equal."""
EQUAL_PLANS = ("low", "high", "odd", "even")
ANSWERS: Mapping[str, tuple[int, ...]] = {
    "strike": (-1, 0, 0, 0, 1, 1),
    "shield": (0, 0, 0, 0, 0, 0),
    "leap": (-1, -1, 0, 0, 0, 2),
}
"""Answer -> what each face of the die takes back."""
_TIE = 1e-3


def sign(turn: int) -> int:
    """1 where the first seat acts, else -1."""
    return 1 if turn % 2 == 0 else -1


def _worth(values: Mapping[str, float]) -> float:
    return values["win"] + _TIE * values["vp"]


@cache
def expected(turn: int, lead: int, suns: int) -> Mapping[str, float]:
    """The expectation of the first seat before a round, if both play best: of ``vp`` and ``win``."""
    if turn == ROUNDS:
        return {"vp": float(lead), "win": (lead > 0) + (lead == 0) / 2}
    return after_plan(turn, lead, suns, best_plan(turn, lead, suns))


@cache
def best_plan(turn: int, lead: int, suns: int) -> str:
    """The best plan; the first of equal ones."""
    return max(PLANS, key=lambda plan: round(sign(turn) * _worth(after_plan(turn, lead, suns, plan)), 12))


@cache
def best_answer(turn: int, lead: int, suns: int) -> str:
    """The best answer; the first of equal ones."""
    return max(ANSWERS, key=lambda answer: round(-sign(turn) * _worth(after_answer(turn, lead, suns, answer)), 12))


def _mean(values: Sequence[Mapping[str, float]], weights: Sequence[float]) -> Mapping[str, float]:
    return {of: sum(weight * value[of] for weight, value in zip(weights, values, strict=True)) for of in ("vp", "win")}


@cache
def after_plan(turn: int, lead: int, suns: int, plan: str) -> Mapping[str, float]:
    """The expectation after a plan was chosen, before its die."""
    return _mean([after_die(turn, lead + sign(turn) * gain, suns) for gain in PLANS[plan]], [1 / 6] * 6)


@cache
def after_die(turn: int, lead: int, suns: int) -> Mapping[str, float]:
    """The expectation after the die of the plan, before the draw; ``suns`` are in the bag."""
    left = 2 * SUNS - turn
    sunny = after_draw(turn, lead + sign(turn), suns - 1) if suns else {"vp": 0.0, "win": 0.0}
    rainy = after_draw(turn, lead, suns) if left > suns else {"vp": 0.0, "win": 0.0}
    return _mean([sunny, rainy], [suns / left, 1 - suns / left])


def after_draw(turn: int, lead: int, suns: int) -> Mapping[str, float]:
    """The expectation after the draw, before the answer."""
    return after_answer(turn, lead, suns, best_answer(turn, lead, suns))


@cache
def after_answer(turn: int, lead: int, suns: int, answer: str) -> Mapping[str, float]:
    """The expectation after an answer was chosen, before its die."""
    return _mean([expected(turn + 1, lead - sign(turn) * taken, suns) for taken in ANSWERS[answer]], [1 / 6] * 6)


class Ground(Referee):
    """The referee of the duel."""

    async def set_up(self) -> None:
        """[1]"""
        self.set_track("lead", 0, "1", "set-up")
        self.set_track("turn", 0, "1", "set-up")
        self.make_all("token", [(name, "bag", {}) for name in ("rain", "sun") for _ in range(SUNS)], "1")

    async def fight(self) -> None:
        """[2]"""
        turn = self.position.track("turn")
        with self.acting_as(SEATS[turn % 2]):
            plan = await self.choose("plan", "Which plan", "2", tuple(Choice(name, name) for name in PLANS))
            (face,) = await self.roll("die", "The die of the plan", "2")
        self.shift_track("lead", sign(turn) * PLANS[plan][face - 1], "2", f"plan {plan}")
        weather = await self.draw("weather", "The weather", "2", "bag")
        token = next(piece for piece in self.position.at("bag") if piece.name == weather)
        self.move(token.id, "out", "2", "drawn")
        self.shift_track("lead", sign(turn) * (weather == "sun"), "2", weather)
        with self.acting_as(SEATS[1 - turn % 2]):
            answer = await self.choose("answer", "Which answer", "3", tuple(Choice(name, name) for name in ANSWERS))
            (face,) = await self.roll("back", "The die of the answer", "3")
        self.shift_track("lead", -sign(turn) * ANSWERS[answer][face - 1], "3", f"answer {answer}")
        self.shift_track("turn", 1, "3", "the next round")


def state(position: Position) -> tuple[int, int, int]:
    """Turn, lead, and the suns in the bag."""
    suns = sum(piece.name == "sun" for piece in position.at("bag"))
    return position.track("turn"), position.track("lead"), suns


class DuelPlayers(Players):
    """Both play best in playouts. ``horizon``: 1 ends them with the round, where the exact value is known."""

    seats_alternate = True
    horizon = Players.END
    score_spread = 2.0

    def acting_seat(self, position: Position) -> str:
        return SEATS[position.track("turn") % 2]

    def outcome(self, position: Position, options: Mapping[str, str]) -> GameResult:
        lead = position.track("lead")
        return GameResult(SEATS[0] if lead > 0 else SEATS[1] if lead < 0 else "draw", lead)

    def value(self, position: Position, options: Mapping[str, str], seat: str) -> float:
        return sign(SEATS.index(seat)) * expected(*state(position))["vp"]

    def win(self, position: Position, options: Mapping[str, str], seat: str) -> float | None:
        win = expected(*state(position))["win"]
        return win if seat == SEATS[0] else 1 - win

    def rollout_policy(self, seat: str) -> Policy:
        return Deciding(self)


class Deciding(Policy):
    """Plays best, but where a function of the question and the turn names another choice."""

    def __init__(self, players: Players, other: Callable[[str, int], str] = lambda key, turn: "") -> None:
        super().__init__(players)
        self._other = other

    def reply(self, context: DecisionContext) -> ReplyValue:
        assert context.request is not None
        turn, lead, suns = state(context.position)
        best = best_plan if context.request.key == "plan" else best_answer
        return self._other(context.request.key, turn) or best(turn, lead, suns)


def make_game() -> Duel:
    """The game without tables."""
    tracks = {name: {"title": name, "low": -99, "high": 99, "rule": "1"} for name in ("lead", "turn")}
    places = {"bag": "Bag", "out": "Drawn tokens"}
    head = {"seats": list(SEATS), "title": "Duel", "edition": "1", "tracks": tracks, "scenarios": {}, "places": places}
    return Duel(Tables({**head, "cups": ["bag"]}, {}, {}, {}, {}, {}, {}))


class Duel(Game):
    """The game."""

    id = "duel"

    def make_players(self) -> DuelPlayers:
        return DuelPlayers(self)

    def referee(self, position: Position, options: Mapping[str, str]) -> Ground:
        return Ground(position, options, self.tables.charts)

    def setup(self, referee: Ground) -> Procedure[None]:
        return referee.set_up()

    @property
    def actions(self) -> Sequence[Action]:
        return (Action("fight", "Fight a round", "2", Ground.fight),)

    def banner(self, position: Position, options: Mapping[str, str]) -> Banner:
        return Banner(f"Round {position.track('turn')}", (Field("lead", "Lead", str(position.track("lead"))),))

    def score(self, position: Position, options: Mapping[str, str]) -> Score:
        """[4]"""
        lead = position.track("lead")
        return Score((("Lead", lead, "4"),), lead, SEATS[lead < 0] if lead else "draw", "4")

    def over(self, position: Position) -> str:
        """[4]"""
        return "the last round is over" if position.track("turn") >= ROUNDS else ""


def played(game: Duel, seed: str, other: Callable[[str, int], str] = lambda key, turn: "") -> list[PlayedEntry]:
    """The actions of a game in which both play best, but where ``other`` names something else."""
    match = Match(game, {}, {seat: Deciding(game.players, other) for seat in SEATS}, RandomStream(seed), {}, keep=True)
    match.begin()
    entries = []
    while not match.over:
        before = match.position
        assert match.act() and match.story
        replies = match.story[-1].replies
        entries.append(PlayedEntry(len(match.story), {}, "fight", before, match.position, replies, game.actions[0].run))
    return entries


class ExactStep(NamedTuple):
    """A step of a round: its part, who decided or rolled, what was asked, and the expectations before and after it."""

    part: str
    who: str
    key: str
    before: Mapping[str, float]
    after: Mapping[str, float]

    def change(self, of: str) -> float:
        return self.after[of] - self.before[of]


def exact_steps(entry: PlayedEntry) -> list[ExactStep]:
    """What a round was made of, in closed form: plan, die and draw, answer, die."""
    turn, lead, suns = state(entry.before)
    plan, face, weather, answer, back = [reply.value for reply in entry.replies]
    values = [expected(turn, lead, suns), after_plan(turn, lead, suns, plan)]
    lead, suns = lead + sign(turn) * (PLANS[plan][face[0] - 1] + (weather == "sun")), suns - (weather == "sun")
    values += [after_draw(turn, lead, suns), after_answer(turn, lead, suns, answer)]
    values.append(expected(turn + 1, lead - sign(turn) * ANSWERS[answer][back[0] - 1], suns))
    acting, other = SEATS[turn % 2], SEATS[1 - turn % 2]
    heads = (
        ("decisions", acting, "plan"),
        ("luck", "companion", "die"),
        ("decisions", other, "answer"),
        ("luck", "companion", "back"),
    )
    return [ExactStep(*head, *around) for head, around in zip(heads, pairwise(values), strict=True)]


def exact_loss(entry: PlayedEntry, key: str, of: str = "win") -> float:
    """What a decision of a round cost the seat that took it, against the best."""
    step = next(step for step in exact_steps(entry) if step.key == key)
    return -sign(SEATS.index(step.who)) * step.change(of)
