"""The levels of the opponent: where an easy one slips, which side has which level, and that they differ."""

from __future__ import annotations

import pytest

from companion.core import match
from companion.core.events import Said
from companion.core.history import Reply
from companion.core.match import DecisionPoint, Match, decide_by_rollouts
from companion.core.procedures import ResolvedReply
from companion.core.resolver import Answers
from companion.core.rollouts import LEVELS, RolloutDecision
from companion.session.store import Archive
from tests.games.lzalbany.test_counsel import begun
from tests.games.lzalbany.test_players import PLAYERS, game


def decided(played: Match) -> list[Reply]:
    """The decisions of an opponent that had several candidates."""
    return [reply for deed in played.story or () for reply in deed.replies if reply.kind == "think"]


def margin(policy: str, opponent: str, seed: str, where: str = "practice") -> float:
    """[4.1] By how much one beats another from both seats, in VP."""
    first, second = (game(us, nva, seed, where, slips=True) for us, nva in ((policy, opponent), (opponent, policy)))
    return PLAYERS.outcome(first.position, first.options).score - PLAYERS.outcome(second.position, second.options).score


@pytest.mark.slow
def test_an_easy_opponent_slips_in_every_kind_of_decision() -> None:
    """[3.1] As often as its level says, within four standard errors: plans, targets, hits, retreats."""
    met = [reply for number in range(3) for reply in decided(game("easy", "easy", f"slips {number}", slips=True))]
    slipped = [reply for reply in met if reply.value[0]]
    share = LEVELS["easy"].slips / 100
    assert abs(len(slipped) - share * len(met)) < 4 * (share * (1 - share) * len(met)) ** 0.5
    assert {"think plan", "think target", "think hit", "think first_hit", "think retreat"} <= {slip.key for slip in slipped}


@pytest.mark.slow
def test_the_level_is_that_of_a_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    """[3.1] One side easy, the other as usual: that one never slips."""
    slips = {"us": 0, "nva": 0}

    def watched(point: DecisionPoint, think: RolloutDecision, budget: int, label: str) -> ResolvedReply:
        reply: ResolvedReply = decide_by_rollouts(point, think, budget, label)
        slips[think.seat] += bool(reply.value[0])
        return reply

    monkeypatch.setattr(match, "decide_by_rollouts", watched)
    game("easy", "bot", "one side", slips=True)
    assert slips["us"] > 5 and not slips["nva"]


def test_a_slip_is_reported(archive: Archive) -> None:
    """[3.1] The report says that the choice is a slip, and names the best candidate with its value."""
    session = begun(archive, level="easy")
    results = [session.do("next", Answers(accept=True)).events for _ in range(14)]
    decisions = [event for events in results for event in events if isinstance(event, Said) and event.text.startswith("The NVA ")]
    slips = [event for event in decisions if event.because and event.because[0].startswith("it slips: ")]
    assert 3 <= len(slips) < len(decisions) / 2
    assert all(" VP" in event.because[1] and len(event.because) <= 3 for event in slips)


@pytest.mark.slow
@pytest.mark.parametrize("where", ["practice", "valley"])
def test_an_easy_opponent_is_clearly_weaker(where: str) -> None:
    """Three pairs with seats swapped; how much weaker many pairs say (tests/measures)."""
    assert sum(margin("bot", "easy", f"level {number}", where) for number in range(3)) > 20
