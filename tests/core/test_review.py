"""The review of a game whose every value is known: it adds up, finds what is wrong, and its errors are right."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist

import pytest

from companion.core.history import Reply
from companion.core.match import Match
from companion.core.policies import RandomStream
from companion.core.position import Position
from companion.core.review import BLUNDER, LEVELS, Estimate, GameReview, Level, ReviewedDecision, accuracy_of
from companion.core.review_playouts import ReviewedEntry, Reviewer, _KnownEnds, review_game
from companion.core.review_walk import PlayedEntry, ReviewScope
from tests.support.coins import (
    COINS,
    SEATS,
    TURNS,
    USUAL,
    CoinPlayers,
    Coins,
    Taking,
    after_choice,
    expected,
    gain,
    make_game,
    sign,
)

NAMES = tuple(COINS)
_LUCK = "luck", "companion"


def played(game: Coins, coins: Sequence[str], seed: str) -> list[PlayedEntry]:
    """The actions of a game with these coins."""
    seats = {seat: Taking(game.players, coins.__getitem__) for seat in SEATS}
    match = Match(game, {}, seats, RandomStream(seed), {}, keep=True)
    match.begin()
    entries = []
    while not match.over:
        before = match.position
        assert match.act() and match.story
        replies = match.story[-1].replies
        entries.append(PlayedEntry(len(match.story), {}, "toss", before, match.position, replies, game.actions[0].run))
    return entries


def random_coins(seed: str) -> list[str]:
    luck = RandomStream(f"coins/{seed}")
    return [NAMES[luck.randbelow(len(NAMES))] for _ in range(TURNS)]


def reviewed(game: Coins, entries: Sequence[PlayedEntry], seed: str, worlds: int = 32, *, compares: bool = True) -> GameReview:
    return review_game(Reviewer(ReviewScope(game, {}, {}, Level(worlds, 8), lambda seat: compares), seed), "normal", entries)


def exact_shares(entries: Sequence[PlayedEntry], of: str) -> dict[tuple[str, str], float]:
    """What luck and the decisions of each seat brought the first seat, in closed form."""
    shares: dict[tuple[str, str], float] = {("start", ""): expected(0, 0, of)}
    for turn, entry in enumerate(entries):
        coin, face = entry.replies[0].value, entry.replies[1].value[0]
        lead = entry.before.track("lead")
        chosen = after_choice(turn, lead, coin, of)
        rolled = expected(turn + 1, lead + sign(turn) * gain(coin, face), of)
        for key, change in (
            (("decisions", SEATS[turn % 2]), chosen - expected(turn, lead, of)),
            (("luck", "companion"), rolled - chosen),
        ):
            shares[key] = shares.get(key, 0.0) + change
    return shares


def sums_of(review: GameReview) -> dict[tuple[str, str], tuple[Estimate, Estimate | None]]:
    return {(share.part, share.who): (share.vp, share.win) for share in review.shares()}


@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_parts_add_up_to_the_result_and_are_those_of_the_closed_form(seed: str) -> None:
    game = make_game()
    entries = played(game, random_coins(seed), seed)
    review = reviewed(game, entries, seed, 150, compares=False)
    lead = entries[-1].after.track("lead")
    shares = sums_of(review)
    assert review.unit == "win" and review.is_over and not review.skipped
    assert sum(vp.mean for vp, _ in shares.values()) == pytest.approx(lead)
    assert sum(win.mean for _, win in shares.values() if win) == pytest.approx(expected(TURNS, lead, "win"))
    for of, place in (("vp", 0), ("win", 1)):
        exact = exact_shares(entries, of)
        assert shares.keys() == exact.keys()
        for key, value in exact.items():
            found = shares[key][place]
            assert found is not None and abs(found.mean - value) <= 4 * found.error + 1e-9, (of, key, value, found)


@pytest.mark.slow
def test_errors_are_neither_too_small_nor_too_large() -> None:
    """Over many reviews the deviations from the closed form are one standard error in the root of the mean square."""
    game, squares, total = make_game(), 0.0, 0
    for number in range(30):
        seed = f"errors {number}"
        entries = played(game, random_coins(seed), seed)
        shares, exact = sums_of(reviewed(game, entries, seed, 16, compares=False)), exact_shares(entries, "vp")
        for key in exact:
            if shares[key][0].error:
                squares += ((shares[key][0].mean - exact[key]) / shares[key][0].error) ** 2
                total += 1
    assert total > 70 and 0.75 < (squares / total) ** 0.5 < 1.35


def test_luck_of_the_worlds_cancels_between_neighbouring_points() -> None:
    """Without wrong decisions their part is 0 in every world; the error of the luck is that of the start alone."""
    game = make_game()
    review = reviewed(game, played(game, ["good"] * TURNS, "right"), "right")
    shares = sums_of(review)
    assert [shares["decisions", seat] for seat in SEATS] == [(Estimate(0.0), Estimate(0.0))] * 2
    assert shares[_LUCK][0].error == pytest.approx(shares["start", ""][0].error)
    assert {review.grade(decision) for decision in review.decisions} <= {"good", "within error"}


@pytest.mark.parametrize("turn", [0, 3, 6])
def test_planted_blunder_is_the_worst_decision_and_costs_what_it_costs(turn: int) -> None:
    game = make_game()
    coins = ["good"] * TURNS
    coins[turn] = "bad"
    luck = (played(game, coins, f"even {number}") for number in range(1000))
    entries = next(entries for entries in luck if abs(entries[turn].before.track("lead")) <= 1)
    review = reviewed(game, entries, "blunder", 100)
    worst = max(review.decisions, key=lambda one: review.share_of_loss(one).mean)
    assert (worst.entry, worst.seat, worst.key, worst.rule) == (entries[turn].number, SEATS[turn % 2], "coin", "2")
    assert worst.taken == "bad" and {one.text for one in worst.alternatives} == set(COINS)
    lead = entries[turn].before.track("lead")
    for of, loss in (("vp", worst.loss), ("win", worst.win_loss)):
        values = {coin: after_choice(turn, lead, coin, of) * sign(turn) for coin in COINS}
        assert loss is not None
        assert loss.mean == pytest.approx(
            max(values.values()) - values["bad"], abs=4 * loss.error + (0.0 if of == "vp" else 0.02)
        )
    assert worst.best in worst.reason and f"{worst.alternatives[0].loss.mean:.1f}" == "0.0"


def test_decisions_of_a_seat_alone_are_compared() -> None:
    game = make_game()
    entries = played(game, ["bad"] * TURNS, "seat")
    review = review_game(Reviewer(ReviewScope(game, {}, {}, Level(8, 8), lambda seat: seat == "tails"), "seat"), "quick", entries)
    assert {decision.seat for decision in review.decisions} == {"tails"} and len(review.decisions) == TURNS // 2
    assert {step.who for step in review.steps if step.part == "decisions"} == set(SEATS)  # the sum needs both


@pytest.mark.parametrize("drift", [0.0, 1.5])
def test_short_playouts_leave_a_rest_that_is_the_fault_of_the_valuation(drift: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """With playouts of a turn the rest is 0 for an exact value; a value that is too high by so much a turn is all in it."""
    monkeypatch.setattr(CoinPlayers, "horizon", 1)
    monkeypatch.setattr(CoinPlayers, "drift", drift)
    game = make_game()
    entries = played(game, random_coins("drift"), "drift")
    shares, exact = sums_of(reviewed(game, entries, "drift", 150, compares=False)), exact_shares(entries, "vp")
    start = drift  # the playouts from the start end after the first turn
    rest = shares["rest", ""][0]
    # the last turn ends with the game, whose value is exact: all that was too much is taken back
    assert rest.mean == pytest.approx(-start, abs=4 * rest.error + 1e-9) if drift else abs(rest.mean) <= 4 * rest.error + 1e-9
    assert shares["start", ""][0].mean == pytest.approx(exact["start", ""] + start, abs=0.4)


def test_without_chances_to_win_it_is_about_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CoinPlayers, "horizon", 1)
    monkeypatch.setattr(CoinPlayers, "knows_win", False)
    game = make_game()
    review = reviewed(game, played(game, ["bad"] * TURNS, "points"), "points")
    assert review.unit == "VP" and review.mistakes()
    worst = review.mistakes()[0]
    assert review.share_of_loss(worst).mean == pytest.approx(worst.loss.mean / review.vp_per_win)


def test_correction_begins_a_segment_and_is_a_part_of_its_own() -> None:
    game = make_game()
    entries = played(game, ["good"] * TURNS, "segment")
    before = entries[4].before
    put = Position({**before.tracks, "lead": before.track("lead") + 3}, before.pieces, before.flags)
    seats = {seat: Taking(game.players, lambda turn: "good") for seat in SEATS}
    match = Match(game, {}, seats, RandomStream("segment"), {}, put, keep=True)
    later = []
    while not match.over:
        was = match.position
        assert match.act() and match.story
        later.append(
            PlayedEntry(10 + len(match.story), {}, "toss", was, match.position, match.story[-1].replies, game.actions[0].run)
        )
    adjust = PlayedEntry(10, {}, "adjust", before, put, (), None)
    review = reviewed(game, [*entries[:4], adjust, *later], "segment", 64)
    corrections = [step for step in review.steps if step.part == "corrections"]
    assert [(step.entry, step.change.vp_estimate.mean) for step in corrections] == [(10, pytest.approx(3.0))]
    assert sorted({point.segment for point in review.points}) == [0, 1] and review.skipped == {"corrected by hand": 1}
    assert sum(vp.mean for vp, _ in sums_of(review).values()) == pytest.approx(later[-1].after.track("lead"))


def test_action_that_the_rules_play_differently_now_is_skipped_and_named() -> None:
    game = make_game()
    entries = played(game, ["good"] * TURNS, "changed")
    coin, die = entries[2].replies
    entries[2] = entries[2]._replace(replies=(coin, die._replace(value=[1 if die.value[0] > 2 else 6])))
    review = reviewed(game, entries, "changed", 8)
    assert review.skipped == {"today's rules play it differently": 1}
    assert [step.entry for step in review.steps if step.part == "not reviewed"] == [entries[2].number]
    assert sum(vp.mean for vp, _ in sums_of(review).values()) == pytest.approx(entries[-1].after.track("lead"))


def test_roll_by_hand_is_luck_of_the_player() -> None:
    game = make_game()
    entries = [
        entry._replace(replies=tuple(reply._replace(source="typed") if reply.is_random else reply for reply in entry.replies))
        for entry in played(game, ["good"] * TURNS, "hand")
    ]
    assert ("luck", "player") in sums_of(reviewed(game, entries, "hand", 8))


def test_open_action_is_reviewed_as_far_as_it_has_come() -> None:
    game = make_game()
    entries = played(game, ["bad"] * TURNS, "open")[:3]
    last = entries[-1]
    entries[-1] = last._replace(replies=last.replies[:1], after=last.before, is_open=True)
    review = reviewed(game, entries, "open", 64)
    assert not review.is_over and review.steps[-1].part == "decisions" and review.decisions[-1].taken == "bad"


def test_same_seed_gives_the_same_review() -> None:
    game = make_game()
    entries = played(game, random_coins("same"), "same")
    assert reviewed(game, entries, "same", 8) == reviewed(game, entries, "same", 8) != reviewed(game, entries, "other", 8)


def test_what_is_kept_is_not_computed_again() -> None:
    game = make_game()
    entries = played(game, random_coins("kept"), "kept")
    kept: dict[int, ReviewedEntry] = {}
    asked: list[int] = []

    def keep(entry: PlayedEntry, found: ReviewedEntry) -> None:
        kept[entry.number] = found

    whole = review_game(Reviewer(ReviewScope(game, {}, {}, Level(8, 8)), "kept"), "normal", entries, keep=keep)
    idle = Reviewer(ReviewScope(game, {}, {}, Level(8, 8)), "kept", tick=lambda: asked.append(1))
    again = review_game(idle, "normal", entries, lambda entry: kept[entry.number])
    assert again == whole and not asked


def take_usual(turn: int) -> str:
    return USUAL


class Moody(Taking):
    """Remembers something."""

    def __init__(self, players: CoinPlayers, mood: object) -> None:
        super().__init__(players, take_usual)
        self._mood = mood


@pytest.mark.parametrize(("mood", "shares"), [("same", True), (None, False), ([], False)])
def test_playout_ends_where_an_earlier_one_came_to_the_same_point(
    monkeypatch: pytest.MonkeyPatch, mood: object, shares: bool
) -> None:
    """The review is the same with fewer actions; of policies that remember something of their own all are played."""
    game = make_game()
    entries = played(game, random_coins("shared"), "shared")
    act, acted = Match.act, list[Match]()

    def counted(match: Match) -> bool:
        acted.append(match)
        return act(match)

    def made(players: CoinPlayers, seat: str) -> Moody:
        return Moody(players, object() if mood is None else mood)

    monkeypatch.setattr(Match, "act", counted)
    monkeypatch.setattr(CoinPlayers, "rollout_policy", made)
    review, fewer = reviewed(game, entries, "shared", 8), len(acted)
    monkeypatch.setattr(_KnownEnds, "find", lambda ends, point, left: None)
    acted.clear()
    assert reviewed(game, entries, "shared", 8) == review
    assert (fewer < len(acted) / 2) if shares else fewer == len(acted)


def test_loss_of_an_equal_choice_is_not_found_by_luck() -> None:
    """Choosing the best by luck and measuring its lead by the same luck would find a loss in every decision."""
    game = make_game()
    losses = []
    for number in range(30):
        entries = played(game, ["fair"] * TURNS, f"bias {number}")[:1]
        review = reviewed(game, entries, f"bias {number}", 8)
        decision = review.decisions[0]
        best = after_choice(0, 0, "good", "vp") - after_choice(0, 0, "fair", "vp")
        losses.append(decision.loss.mean - best)
    mean = sum(losses) / len(losses)
    error = (sum((loss - mean) ** 2 for loss in losses) / (len(losses) - 1) / len(losses)) ** 0.5
    assert mean <= NormalDist().inv_cdf(0.999) * error  # below: the worse half of the worlds may choose a worse coin


def test_levels_look_closer_one_after_the_other() -> None:
    worlds = [level.worlds for level in LEVELS.values()]
    assert worlds == sorted(worlds) and len(set(worlds)) == 3 and list(LEVELS) == ["quick", "normal", "deep"]


def test_accuracy_halves_with_each_blunder() -> None:
    assert accuracy_of(Estimate(3 * BLUNDER)) == pytest.approx(12.5) and accuracy_of(Estimate(1e9)) == 0.0


def test_decisions_say_what_was_asked() -> None:
    game = make_game()
    decision: ReviewedDecision = reviewed(game, played(game, ["bad"] * TURNS, "asked"), "asked", 8).decisions[0]
    assert (decision.reply, decision.kind, decision.prompt, decision.by_person) == (1, "choose", "Which coin", True)
    assert isinstance(played(game, ["bad"] * TURNS, "asked")[0].replies[0], Reply)
