"""What a review says of its errors is true: on a duel whose values are known exactly, and on decisions drawn at random."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from statistics import NormalDist

import pytest

from companion.core.exercises import Exercise, is_right_loss
from companion.core.position import Position
from companion.core.review import (
    CERTAIN,
    LEVELS,
    Alternative,
    Estimate,
    GameReview,
    Level,
    ReviewedDecision,
    certain_after_choice,
    cross_fitted_losses,
    error_factor,
)
from companion.core.review_playouts import Reviewer, review_game
from companion.core.review_walk import PlayedEntry, ReviewScope
from companion.core.rollouts import mean_with_error
from tests.measures.false_alarms import KINDS, PAGE, is_alarm, loss_of, own_answers, set_answers, tables, with_tables
from tests.support import duel
from tests.support.duel import ANSWERS, EQUAL_PLANS, PLANS, ROUNDS, SEATS, DuelPlayers, exact_loss, exact_steps, make_game, played

SURE = NormalDist().inv_cdf(0.9999)


def reviewed(entries: Sequence[PlayedEntry], label: str, worlds: int, *, compares: bool = False) -> GameReview:
    scope = ReviewScope(make_game(), {}, {}, Level(worlds, len(PLANS)), lambda seat: compares)
    return review_game(Reviewer(scope, label), "normal", entries)


def at_random(seed: str) -> Callable[[str, int], str]:
    """Choices of a player who decides at random."""
    luck = random.Random(seed)
    return lambda key, turn: luck.choice(list(PLANS if key == "plan" else ANSWERS))


def random_game(seed: str) -> list[PlayedEntry]:
    return played(make_game(), seed, at_random(seed))


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Playouts end with the round, where the exact value is known."""
    monkeypatch.setattr(DuelPlayers, "horizon", 1)


# -- errors ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("worlds", "quantile"), [(6, 2.6487), (12, 2.2549), (16, 2.1812), (64, 2.0405)])
def test_two_errors_are_the_quantile_of_student(worlds: int, quantile: float) -> None:
    """Against tables: the quantile of Student's t that lies where 2 does in a normal distribution."""
    assert CERTAIN * error_factor(worlds) == pytest.approx(quantile, abs=0.0005)


def test_error_of_few_worlds_covers_as_often_as_it_says() -> None:
    luck, count = random.Random("coverage"), 4000
    covered = sum(
        abs(found.mean) <= 2 * found.error for found in (Estimate.of([luck.gauss(0, 1) for _ in range(6)]) for _ in range(count))
    )
    normal = NormalDist()
    assert covered / count == pytest.approx(normal.cdf(2) - normal.cdf(-2), abs=0.012)  # 0.90 if the error were not widened


@pytest.mark.slow
@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("worlds", [6, 16])
def test_errors_of_steps_and_parts_cover_the_closed_form(worlds: int) -> None:
    """Luck and decisions, of each step and of their sums. Without the widened error 0.88 of the steps with 6 worlds."""
    steps, parts = list[float](), list[float]()
    for number in range(80 if worlds == 6 else 40):
        entries = random_game(f"cover {number}")
        review = reviewed(entries, f"cover {number}", worlds)
        exact = [step for entry in entries for step in exact_steps(entry)]
        found = [step for step in review.steps if step.part in ("luck", "decisions")]
        assert [(step.part, step.who) for step in found] == [(step.part, step.who) for step in exact]
        for one, step in zip(found, exact, strict=True):
            win = one.change.win_estimate
            assert win is not None
            if win.error:
                steps.append((win.mean - step.change("win")) / win.error)
        for share in review.shares():
            value = sum(step.change("vp") for step in exact if (step.part, step.who) == (share.part, share.who))
            if share.part in ("luck", "decisions") and share.vp.error:
                parts.append((share.vp.mean - value) / share.vp.error)
    for deviations, least in ((steps, 0.915), (parts, 0.92)):
        assert len(deviations) > 100
        assert sum(abs(one) <= 2 for one in deviations) / len(deviations) > least
        assert sum(abs(one) <= 1 for one in deviations) / len(deviations) > 0.65
        assert abs(sum(deviations)) / len(deviations) < 0.2


# -- luck and decisions ------------------------------------------------------------------------------------------------


def test_parts_of_a_duel_are_those_of_the_closed_form() -> None:
    """With hidden draws, dice of both sides, and decisions of both in one action; of VP and chances to win."""
    entries = random_game("parts")
    review = reviewed(entries, "parts", 80)
    exact = [step for entry in entries for step in exact_steps(entry)]
    lead = entries[-1].after.track("lead")
    assert sum(share.vp.mean for share in review.shares()) == pytest.approx(lead)
    for share in review.shares():
        for of, found in (("vp", share.vp), ("win", share.win)):
            value = sum(step.change(of) for step in exact if (step.part, step.who) == (share.part, share.who))
            value += duel.expected(0, 0, duel.SUNS)[of] if share.part == "start" else 0
            assert found is not None and abs(found.mean - value) <= 4 * found.error + 1e-9, (
                share.part,
                share.who,
                of,
                found,
                value,
            )


@pytest.mark.usefixtures("short")
def test_luck_has_mean_zero_and_perfect_play_costs_nothing() -> None:
    """Over many games, by who rolled: every other round is rolled by hand."""
    luck: dict[str, list[float]] = {"player": [], "companion": []}
    for number in range(60):
        entries = [
            entry._replace(replies=tuple(one._replace(source="typed") if one.is_random else one for one in entry.replies))
            if index % 2
            else entry
            for index, entry in enumerate(played(make_game(), f"luck {number}"))
        ]
        for share in reviewed(entries, f"luck {number}", 4).shares():
            if share.part == "luck":
                luck[share.who].append(share.vp.mean)
            elif share.part == "decisions":
                assert abs(share.vp.mean) < 1e-9  # the playouts decide in the same way, so no world differs
    for values in luck.values():
        mean, error = mean_with_error(values)
        assert len(values) == 60 and 0.1 < error < 0.6 and abs(mean) < SURE * error


@pytest.mark.usefixtures("short")
def test_decisions_among_equals_cost_nothing_on_average() -> None:
    """Another plan than the planner's, and as good: their sum is luck of the worlds, within its error."""
    changes = []
    for number in range(40):
        luck = random.Random(f"equal {number}")

        def other(key: str, turn: int, luck: random.Random = luck) -> str:
            return luck.choice(EQUAL_PLANS) if key == "plan" else ""

        entries = played(make_game(), f"equal {number}", other)
        review = reviewed(entries, f"equal {number}", 8)
        for step in review.steps:
            entry = next(entry for entry in entries if entry.number == step.entry)
            if step.part == "decisions" and step.reply == 1 and abs(exact_loss(entry, "plan", "vp")) < 1e-9:
                changes.append(step.change.vp_estimate.mean * duel.sign(SEATS.index(step.who)))
    mean, error = mean_with_error(changes)
    assert len(changes) > 100 and error > 0 and abs(mean) < SURE * error


def test_decision_is_not_charged_with_the_roll_after_it() -> None:
    """What a plan costs is the same whatever its die and the draw brought, and what they brought is luck."""
    games: dict[int, list[PlayedEntry]] = {}
    for number in range(200):
        entries = played(make_game(), f"die {number}", lambda key, turn: "mad" if key == "plan" else "")
        games.setdefault(PLANS["mad"][entries[0].replies[1].value[0] - 1], entries)
        if {2, -1} <= games.keys():
            break
    lucky, unlucky = (reviewed(games[gain][:1], "die", 48, compares=True) for gain in (2, -1))
    plans = [next(one for one in review.decisions if one.key == "plan") for review in (lucky, unlucky)]
    assert plans[0].win_loss == plans[1].win_loss and plans[0].loss == plans[1].loss and plans[0].loss.mean > 0
    first, second = (next(step for step in review.steps if step.part == "luck") for review in (lucky, unlucky))
    assert first.change.vp_estimate.mean > second.change.vp_estimate.mean + 1


@pytest.mark.usefixtures("short")
def test_loss_of_a_duel_is_that_of_the_closed_form() -> None:
    entries = played(make_game(), "lost", lambda key, turn: "mad" if key == "plan" and turn < 2 else "")[:2]
    review = reviewed(entries, "lost", 200, compares=True)
    lost = [one for one in review.decisions if one.taken == "mad"]
    assert len(lost) == 2
    for decision, entry in zip(lost, entries, strict=True):
        loss, exact = decision.win_loss, exact_loss(entry, "plan")
        assert loss is not None and exact > 0.05 and abs(loss.mean - exact) < 3.5 * loss.error


# -- verdicts ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("level", "alternatives"), [("quick", 4), ("quick", 8), ("normal", 8)])
def test_equal_alternatives_are_seldom_called_a_mistake(level: str, alternatives: int) -> None:
    """In an even game with much luck, where most are called so: 7 % at level quick if the error is not widened."""
    luck, count = random.Random(f"equal {level} {alternatives}"), 1500 if level == "quick" else 700
    values = (KINDS[0].values(luck, [0.0] * alternatives, LEVELS[level].worlds) for _ in range(count))
    assert 0 < sum(is_alarm(loss_of(row)) for row in values) / count < 0.055


def test_loss_is_not_biased_by_the_choice_of_the_best() -> None:
    """Among equal alternatives it is 0 on average; their greatest mean is not."""
    luck, worlds = random.Random("bias"), LEVELS["quick"].worlds
    rows = [KINDS[0].values(luck, [0.0] * 4, worlds) for _ in range(3000)]
    mean, error = mean_with_error([loss_of(row).mean for row in rows])
    assert abs(mean) < SURE * error
    naive, naive_error = mean_with_error([max(sum(one) for one in row) / worlds - sum(row[0]) / worlds for row in rows])
    assert naive > 10 * naive_error


def test_taken_alternative_wins_a_tie() -> None:
    values = [[0.5, 1.0, 0.5, 1.0]] * 3
    assert cross_fitted_losses(values, 1, [values]) == (1, [Estimate(0.0, 0.0)])


def test_best_of_many_in_the_same_worlds_must_be_further_ahead() -> None:
    """Of equal alternatives of an own mistake few are called wrong; with two errors it would be more than 8 % of them."""
    luck, wrong, simply, count = random.Random("own"), 0, 0, 0
    worlds = LEVELS["normal"].worlds
    for _ in range(1000):
        values = KINDS[0].values(luck, [0.0] * 8, worlds)
        best = max(values, key=sum)
        losses = [Estimate.of([one - two for one, two in zip(best, row, strict=True)]) for row in values if row is not best]
        count += len(losses)
        wrong += sum(not is_right_loss(loss, certain_after_choice(len(values))) for loss in losses)
        simply += sum(not is_right_loss(loss) for loss in losses)
    assert wrong / count < 0.05 and simply / count > 0.08


def own_exercise(source: str, loss: Estimate) -> Exercise:
    """An exercise with a best answer, one that was taken, and six others, all but the best with the same loss."""
    nothing = Estimate(0.0)
    rows = [Alternative(f"answer {number}", nothing, None, loss if number else nothing, None, number == 1) for number in range(8)]
    decision = ReviewedDecision(1, 1, 1, "north", "plan", "choose", "2", "", "answer 1", "answer 0", loss, None, tuple(rows))
    return Exercise("one", {}, {}, Position(), "fight", (), decision, 1.0, source=source)


def test_own_exercise_allows_for_the_choice_of_its_best_answer() -> None:
    """What was taken is wrong by two errors; another one has to be further behind, but not in an exercise of the set."""
    own, of_set = own_exercise("my game", Estimate(0.12, 0.05)), own_exercise("", Estimate(0.12, 0.05))
    best, taken, other = own.decision.alternatives[:3]
    assert own.is_right(best) and not own.is_right(taken) and own.is_right(other) and own.is_as_good(other)
    assert own.grade(taken) == "mistake" and own.grade(other) == "within error"
    assert not of_set.is_right(of_set.decision.alternatives[2])
    assert not own_exercise("my game", Estimate(0.15, 0.05)).is_right(other._replace(loss=Estimate(0.15, 0.05)))


@pytest.mark.parametrize("source", ["own", "set"])
def test_verdicts_of_a_drill_are_right(source: str) -> None:
    """Answers as good as the best are called right, those that cost a fifth of the win wrong."""
    luck, right, wrong = random.Random(source), list[bool](), list[bool]()
    for _ in range(400):
        losses = [0.2, 0.0, 0.0, 0.2]
        found = own_answers(KINDS[0], losses, "normal", luck) if source == "own" else set_answers(KINDS[0], losses, luck)
        for loss, is_right in found or ():
            (wrong if loss else right).append(is_right)
    assert len(right) > 200 and sum(right) / len(right) > 0.95
    assert len(wrong) > 200 and sum(wrong) / len(wrong) < (0.25 if source == "own" else 0.03)


@pytest.mark.slow
@pytest.mark.usefixtures("short")
def test_perfect_play_of_a_duel_is_seldom_called_a_mistake() -> None:
    alarms = decisions = 0
    for number in range(80):
        review = reviewed(played(make_game(), f"perfect {number}"), f"perfect {number}", 6, compares=True)
        decisions += len(review.decisions)
        alarms += len(review.mistakes())
    assert decisions == 80 * 2 * ROUNDS and alarms / decisions < 0.04


# -- the page --------------------------------------------------------------------------------------------------------------


def test_page_has_the_tables_of_the_measure() -> None:
    page = PAGE.read_text(encoding="utf-8")
    found = tables("1", 0.005)
    renewed = with_tables(page, found)
    for name, text in found.items():
        assert text in renewed
        rows = page.partition(f"<!-- {name} -->\n")[2].partition(f"<!-- /{name} -->")[0].strip().split("\n")
        heads = [row.split("|")[1:3] for row in text.split("\n")]
        assert [row.split("|")[1] for row in rows] == [head[0] for head in heads]
