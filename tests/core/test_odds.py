"""The enumerator, against closed forms: ways through a procedure, rounds to their end, parts of rounds."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from companion.core.dice import summed_rolls
from companion.core.odds import (
    Continued,
    DirectPart,
    Finished,
    Rounds,
    RoundsMean,
    RoundsMeans,
    distribution,
    paths,
    round_outcomes,
)
from companion.core.position import Piece
from companion.core.requests import Confirm, Draw, Roll

CLOSE = pytest.approx


async def coin(chances: int) -> bool:
    """Whether a die shows that much or less."""
    roll = await Roll("coin", "", "1", outcomes=lambda: summed_rolls(1, lambda face: int(face <= chances)))
    return roll[0] <= chances


def test_each_outcome_once() -> None:
    """Two dice that are told apart by nothing: 36 ways; merged by their sum: 11 results."""

    async def play() -> int:
        return sum(await Roll("a", "", "1")) + sum(await Roll("b", "", "1"))

    assert sum(1 for _ in paths(play)) == 36
    assert distribution(play)[7] == CLOSE(6 / 36)


def test_draws_by_what_is_in_the_cup() -> None:
    """A counter is drawn as often as it is there; the second draw knows the first."""

    async def play() -> tuple[str, str]:
        first = await Draw("a", "", "1", "cup", {"Gold": 2, "Stone": 3})
        rest = Counter({"Gold": 2, "Stone": 3}) - Counter([first])
        return first, await Draw("b", "", "1", "cup", dict(rest))

    assert distribution(play)["Gold", "Stone"] == CLOSE(2 / 5 * 3 / 4)


def test_a_policy_answers_the_rest() -> None:
    """What chance does not decide is the policy's; a question without suggestion needs one."""

    async def play() -> bool:
        return await Confirm("more", "", "1")

    with pytest.raises(ValueError, match="'more' has no suggested answer"):
        distribution(play)
    assert distribution(play, lambda request: request.key == "more") == {True: 1.0}


def test_a_round_repeated_at_a_cost_and_at_none() -> None:
    """A die: 1 or 2 ends it, 3 begins anew at a cost of 1, 4 at one of 2, 5 and 6 anew at none. The costs are those of a
    series of dice of four faces that ends with one of two.
    """

    async def play(state: str) -> Continued | Finished:
        face = sum(await Roll("die", "", "1"))
        return Finished("end") if face < 3 else Continued(state, face - 2 if face < 5 else 0)

    found = round_outcomes("here", play)
    series = [0.5, 0.5 / 4]
    for cost in range(2, 30):
        series.append((series[cost - 1] + series[cost - 2]) / 4)

    for cost in range(30):
        assert found["end", cost] == CLOSE(series[cost])
    assert sum(found.values()) == CLOSE(1)


def test_rounds_that_never_end() -> None:
    """A circle is refused, and so are rounds that lead nowhere, at a cost or at none."""

    async def circle(state: int) -> Continued:
        return Continued((state + 1) % 3)

    async def idle(state: int) -> Continued:
        return Continued(state, state)

    with pytest.raises(ValueError, match="circular"):
        round_outcomes(0, circle)
    for cost in (0, 1):
        with pytest.raises(ValueError, match="never end"):
            round_outcomes(cost, idle)


class Duel:
    """Two who take turns to shoot in a round; counts how often each part is carried out."""

    def __init__(self) -> None:
        self.carried_out: Counter[tuple[str, int]] = Counter()

    async def first(self, lives: int) -> int:
        self.carried_out["first", lives] += 1
        return -1 if await coin(1) else lives

    async def second(self, lives: int) -> int:
        self.carried_out["second", lives] += 1
        return lives - 1 if await coin(2) else lives

    @staticmethod
    def judge(lives: int) -> Continued | Finished:
        return Finished("won") if lives < 0 else Finished("lost") if lives == 0 else Continued(lives)


def test_parts_of_a_round() -> None:
    """With p and q the chances of a shot: won p/(p + (1-p)q) against one life; against more, life by life."""
    duel = Duel()
    rounds = Rounds(duel.first, duel.second, judge=duel.judge)
    p, q = 1 / 6, 2 / 6
    survived = (1 - p) * q / (p + (1 - p) * q)

    assert rounds.outcomes(3)["lost", 0] == CLOSE(survived**3)
    assert rounds.outcomes(1)["won", 0] == CLOSE(1 - survived)
    assert rounds.one_round(2) == {("won", 0): CLOSE(p), (1, 0): CLOSE((1 - p) * q), (2, 0): CLOSE((1 - p) * (1 - q))}
    assert rounds.outcomes(1, part=1)["lost", 0] == CLOSE(q + (1 - q) * survived), "from the second part on"
    assert set(duel.carried_out.values()) == {2}, "each part once for each state: a way for each of two outcomes"


def test_repeated_part() -> None:
    """It is worked out once for both: a shot of 1/6 against one life, two of them in a round."""
    duel = Duel()
    rounds = Rounds(duel.first, duel.first, judge=duel.judge)

    assert rounds.one_round(1) == {("won", 0): CLOSE(1 - (5 / 6) ** 2), (1, 0): CLOSE((5 / 6) ** 2)}
    assert duel.carried_out == {("first", 1): 2}


class SecondShot(DirectPart[int]):
    """The second shot of a `Duel`, its chances given."""

    def outcomes(self, lives: int) -> list[tuple[int, float]]:
        return [(lives - 1, 1 / 3), (lives, 2 / 3)]


def test_chance_of_a_result_alone() -> None:
    """It equals that of the whole distribution, whether a part gives its outcomes or is played, and from any part."""
    duel = Duel()
    whole = Rounds(duel.first, duel.second, judge=duel.judge)
    chance = RoundsMean(duel.first, SecondShot(), judge=duel.judge, worth=lambda result: result == "lost")
    for lives, part in product(range(1, 5), range(2)):
        assert chance.mean(lives, part) == CLOSE(whole.outcomes(lives, part)["lost", 0])


def test_several_means_in_one_pass() -> None:
    """They equal the means of the distribution, costs included, and each part is played once for each state."""

    async def shot(lives: int) -> Continued | Finished:
        played[lives] += 1
        (face,) = await Roll("shot", "Shot", "1")  # a 6 ends it; a 5 costs a life and 2, a 4 costs 1
        return Finished("won") if face == 6 else Continued(lives - (face == 5), {5: 2, 4: 1}.get(face, 0))

    def judge(state: Continued | Finished) -> Continued | Finished:
        return state if isinstance(state, Finished) or state.state else Finished("lost", state.cost)

    played: Counter[int] = Counter()
    ends = Rounds(shot, judge=judge).outcomes(3)
    played.clear()

    means = RoundsMeans(shot, judge=judge, worths=lambda result: (result == "won", 0.0), cost_worths=(0.0, 1.0)).means(3)

    won = sum(chance for (result, _), chance in ends.items() if result == "won")
    assert means == (CLOSE(won), CLOSE(sum(cost * chance for (_, cost), chance in ends.items())))
    assert set(played.values()) == {6}, "once for each of six faces"


@pytest.mark.parametrize(("after", "message"), [(1, "circular"), (0, "never end")])
def test_chance_without_end(after: int, message: str) -> None:
    """Rounds that lead from one state to another and back, or nowhere, are refused."""

    async def go(state: int) -> Continued:
        return Continued(after - state if after else state)

    with pytest.raises(ValueError, match=message):
        RoundsMean(go, worth=bool).mean(0)


def test_a_result_for_rounds_that_never_end() -> None:
    """From 2 with 1/2 to an end, with 1/4 each to 1, which rounds never leave, and to 2 again: a third is endless."""

    def judge(state: int) -> Continued | Finished:
        return Continued(state) if state else Finished("end")

    class Go(DirectPart[int]):
        def outcomes(self, state: int) -> list[tuple[int, float]]:
            return [(1, 1.0)] if state == 1 else [(0, 1 / 2), (1, 1 / 4), (2, 1 / 4)]

    rounds = Rounds(Go(), judge=judge, endless=lambda state: f"stays {state}")
    assert rounds.outcomes(2) == {("end", 0): CLOSE(2 / 3), ("stays 1", 0): CLOSE(1 / 3)}
    assert RoundsMean(Go(), judge=judge, endless=str, worth=lambda result: result == "1").mean(2) == CLOSE(1 / 3)


def test_equal_states_are_merged() -> None:
    """The judge says which state to go on with, and what it cost: two lives that are lost with 1/2 a round, each round that
    does not end it costs 1 and the end 2.
    """

    async def play(state: tuple[int, int]) -> tuple[int, int]:
        return (state[1], state[0] - 1) if await coin(3) else state

    def judge(state: tuple[int, int]) -> Continued | Finished:
        low, high = sorted(state)
        return Finished("done", high) if low <= 0 else Continued((low, high), 1)

    found = Rounds(play, judge=judge).outcomes((2, 2))

    for number in range(2, 30):
        assert found["done", number - 1 + 2] == CLOSE((number - 1) * 0.5**number)
    assert sum(found.values()) == CLOSE(1)


def test_random_draw_is_uniform_over_the_cup() -> None:
    lying = [Piece(f"p{n}", "unit", name, "cup") for n, name in enumerate(("Gold", "Stone", "Gold", "Iron"))]
    draw = Draw("a", "", "1", "cup", lying, ("Lead",))
    assert draw.contents == {"Gold": 2, "Iron": 1, "Stone": 1} == dict(draw.contents) and draw.others == ("Lead",)
    assert sorted(draw.random_counter(lambda below, n=n: n) for n in range(4)) == ["Gold", "Gold", "Iron", "Stone"]
    assert sorted(Draw("a", "", "1", "", {"Gold": 2, "Iron": 1}).random_counter(lambda below, n=n: n) for n in range(3)) == [
        "Gold",
        "Gold",
        "Iron",
    ]
    assert Draw("a", "", "1", "cup", [], ("Lead",)).random_counter(lambda below: below - 1) == "Lead"
