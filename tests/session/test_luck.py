"""The luck of whole sessions: it adds up to the result, and what cannot be weighed is told."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence

import pytest

from companion.core.events import fold
from companion.core.history import Reply
from companion.core.luck import MAX_BRANCHES, Branch, RecordedRun, RollLuck, StopPoint, expected_value, run_to_next_roll
from companion.core.match import DecisionPoint
from companion.core.odds import merge
from companion.core.policies import RANDOM
from companion.core.position import Position
from companion.core.requests import Choice, Choose
from companion.games import GAMES
from companion.session.controller import Answers, SessionController
from companion.session.entry import SETUP
from companion.session.luck import _entry_start, _Weigher, decision_losses, luck_by_entry, session_luck
from companion.session.simulation import make_series, replay_as_session
from companion.session.state import load_game
from companion.session.store import Archive
from companion.views.lines import plain_text
from companion.views.luck import ROLL_COLUMNS, luck_lines, luck_sentence
from tests.support.commands import companion
from tests.support.tiny import Ford, hit_odds


@pytest.fixture
def session(archive: Archive, tiny_game: str) -> SessionController:
    made = SessionController.create(archive, "tiny", seed="7", name="april")
    made.do("search", Answers(draws=["Gold"], dice=[6]))
    made.do("march", Answers([("unit", "Red"), ("to", "camp")], dice=[6]))
    made.do("search", Answers(draws=["Stone"]))
    return made


def test_luck_and_decisions_sum_to_the_result(session: SessionController) -> None:
    found = session_luck(session)

    assert [roll.key for roll in found.rolls] == ["luck", "toll", "luck"]
    assert found.start_score + found.total.luck + found.rest == found.current_score == session.position.track("supply")
    assert not found.skipped


def test_a_roll_is_worth_what_the_chart_says(session: SessionController) -> None:
    """Against the chart, face by face."""
    chart = session.game.tables.charts["find"]
    brings = [chart.number(face, "supply") for face in range(1, 7)]
    first, toll, _ = session_luck(session).rolls

    assert (first.expected, first.actual) == (pytest.approx(sum(brings) / 6), brings[5])
    assert first.vp.variance == pytest.approx(sum((one - sum(brings) / 6) ** 2 for one in brings) / 6)
    assert (first.by_player, first.faces, first.entry, first.unit) == (True, (6,), 2, "VP")
    assert not toll.vp.matters


def test_a_roll_has_the_number_of_its_answer(session: SessionController) -> None:
    """The numbers that `amend` takes: entry, and answer counted from 1."""
    for roll in session_luck(session).rolls:
        reply = session.history.entries[roll.entry].replies[roll.reply - 1]
        assert (reply.key, reply.kind, tuple(reply.value)) == (roll.key, "roll", roll.faces)
    rows = companion("luck", "--json").json["rolls"]
    assert [(row["entry"], row["reply"]) for row in rows] == [(roll.entry, roll.reply) for roll in session_luck(session).rolls]


def test_important_rolls_are_ordered_by_entry(session: SessionController) -> None:
    assert {entry: [roll.key for roll in rolls] for entry, rolls in luck_by_entry(session).items()} == {2: ["luck"], 4: ["luck"]}


def test_corrected_and_insisted_entries_are_left_out_and_counted(session: SessionController) -> None:
    session.adjust([("supply", "0")], "lost")
    session.do("march", Answers([("unit", "Red"), ("to", "ford")], dice=[6]), anyway=True)
    found = session_luck(session)

    assert list(found.skipped.values()) == [1]
    assert "Left out, and counted as all else: 1: its action was" in plain_text(luck_lines(session.game, found), 200)
    assert found.start_score + found.total.luck + found.rest == found.current_score


def test_time_limit_is_no_error(session: SessionController) -> None:
    found = session_luck(session, seconds=0)

    assert (found.rolls, sum(found.skipped.values())) == ((), 3)
    assert "Luck: no roll could be measured." in companion("luck", "--seconds", "0").out
    assert "No roll that could be followed" in companion("luck", "--seconds", "0", "--details").out


def test_open_entry_counts_so_far(session: SessionController) -> None:
    session.do("fight", Answers([("unit", "Blue")], dice=[5, 6]))

    assert session.pending is not None
    assert [roll.key for roll in session_luck(session).rolls][-1] == "fight"


@pytest.mark.parametrize("game_id", [game for game in GAMES if load_game(game).has_dice])
def test_every_roll_of_a_game_can_be_weighed(archive: Archive, game_id: str) -> None:
    """What could not in half a second is left out for want of time, and for nothing else."""
    session = replay_as_session(archive, make_series(load_game(game_id), "", {}, {"": RANDOM}, "luck"), 1).session
    found = session_luck(session, seconds=0.5)

    assert found.rolls
    assert set(found.skipped) <= {"no time was left"}
    assert found.start_score + found.total.luck + found.rest == pytest.approx(found.current_score)
    for roll in found.rolls:
        assert sum(roll.vp.chances.values()) == pytest.approx(1)
        assert min(roll.vp.chances) - 1e-9 <= roll.vp.actual <= max(roll.vp.chances) + 1e-9


def _followed(point: DecisionPoint, replies: Sequence[Reply], runs: int) -> list[Branch]:
    """The branches from a point of an action, each run from its beginning."""
    branches = [Branch(1.0, run_to_next_roll(point, replies))]
    while 0 < (count := sum(len(end.request.weighted_replies()) for _, end in branches if end.request)) <= runs:
        runs -= count
        branches = [
            next_branch
            for chance, end in branches
            for next_branch in (_each(point, end, chance) if end.request else [Branch(chance, end)])
        ]
    return branches


def _each(point: DecisionPoint, end: StopPoint, chance: float) -> list[Branch]:
    request = end.request
    assert request is not None
    return [
        Branch(chance * share, run_to_next_roll(point, (*end.replies, Reply(request.key, request.kind, value, "tried"))))
        for value, share in request.weighted_replies()
    ]


@pytest.mark.parametrize("rolls", [5, pytest.param(12, marks=pytest.mark.long)])
@pytest.mark.parametrize("game_id", [game for game in GAMES if load_game(game).has_dice])
def test_luck_with_shared_runs_is_that_of_separate_runs(archive: Archive, game_id: str, rolls: int) -> None:
    """Running every outcome of a roll from the beginning of its action gives the same values; `rolls` are compared."""
    game = load_game(game_id)
    names = game.players.policies(game.players.seats[0])
    policy = next(name for name in ("bot", "planner") if name in names)
    session = replay_as_session(archive, make_series(game, "", {}, {"": policy}, "luck"), 1).session
    weigher = _Weigher(session, 1_000.0, MAX_BRANCHES)
    compared = 0
    position = Position()
    for entry in session.history.in_force:
        point = _entry_start(session, entry, position)
        assert point is not None or entry.action == SETUP
        recorded = RecordedRun(point) if point and any(reply.kind == "roll" for reply in entry.replies) else None
        for index, reply in enumerate(entry.replies):
            if recorded is None or point is None or reply.kind != "roll" or compared == rolls:
                continue
            start = run_to_next_roll(point, entry.replies[:index])
            assert start.request is not None
            outcomes = start.request.weighted_replies()
            if len(outcomes) > 40:
                continue
            compared += 1
            each = MAX_BRANCHES // len(outcomes)
            ends = [_followed(point, (*entry.replies[:index], reply._replace(value=value)), each) for value, _ in outcomes]
            actual = _followed(point, entry.replies[: index + 1], each)
            shares = [chance for _, chance in outcomes]
            valuations = weigher.score, weigher.value
            for valuation, luck in zip(valuations, recorded.roll_luck(index, valuations), strict=True):
                chances = merge(zip((expected_value(branches, valuation) for branches in ends), shares, strict=True))
                assert luck == RollLuck(valuation(start.position), chances, expected_value(actual, valuation))
        position = fold(entry.events or (), position)
    assert compared >= 5


def test_rows_for_a_spreadsheet(session: SessionController) -> None:
    rows = list(csv.DictReader(io.StringIO(companion("luck", "--csv").out)))
    told = companion("luck", "--json").json

    assert list(rows[0]) == ["session", *ROLL_COLUMNS]
    assert [row["key"] for row in rows] == [roll["key"] for roll in told["rolls"]] == ["luck", "toll", "luck"]
    assert told["start"] + told["luck"] + told["rest"] == told["now"]


def test_the_screen_is_eighty_columns_wide(session: SessionController) -> None:
    out = companion("luck", "--details").out

    assert all(len(row) <= 80 for row in (out + companion("luck").out).splitlines())
    assert "standard errors" in out
    assert companion("luck", "--seconds", "soon").code == 2


def test_the_first_screen_is_one_sentence_without_statistics(session: SessionController) -> None:
    out = companion("luck").out

    assert re.search(r"^Luck: a little lucky \(\+0\.7 VP over 3 rolls\)\.$", out, re.M)
    assert not re.search(r"standard error|\+-|\bp\b|\bfair\b|multinomial|chi-square", out)
    assert companion("luck", "--json").json["said"] in out
    assert "companion luck --details" in out


@pytest.mark.parametrize(
    ("face", "rolls", "said"),
    [
        (4, 1, "about even"),
        (5, 1, "a little lucky"),
        (2, 1, "a little unlucky"),
        (6, 1, "lucky"),
        (1, 1, "unlucky"),
        (1, 9, "very unlucky"),
    ],
)
def test_luck_is_graded_by_how_much_such_rolls_vary(session: SessionController, face: int, rolls: int, said: str) -> None:
    roll = RollLuck(0.0, dict.fromkeys(map(float, range(1, 7)), 1 / 6), float(face))
    result = session_luck(session)

    assert luck_sentence(session.game, result._replace(rolls=(result.rolls[0]._replace(vp=roll),) * rolls)).startswith(
        f"Luck: {said} ("
    )


async def _wager(ford: Ford) -> None:
    """[2.2] A sure two, or a die less two."""
    way = Choose("way", "Which way?", "2.2", (Choice("sure", "sure"), Choice("bold", "bold")))
    way.odds = lambda: hit_odds(1)
    if await way == "sure":
        ford.shift_track("supply", 2, "2.2", "sure")
    else:
        (face,) = await ford.roll("bold", "How it goes", "2.2")
        ford.shift_track("supply", face - 2, "2.2", "bold")


def test_loss_of_a_decision(archive: Archive, tiny_game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against the closed form: a sure two and 3.5 less two."""
    monkeypatch.setattr(Ford, "rest", _wager)
    session = SessionController.create(archive, "tiny", seed="7", name="april")
    session.do("rest", Answers([("way", "bold")], dice=[6]))
    session.do("rest", Answers([("way", "sure")]))

    (one,) = decision_losses(session)
    assert (one.entry, one.reply, one.taken, one.best, one.given) == (2, 1, "bold", "sure", pytest.approx(0.5))
    assert "0.5 VP in 1 decision" in companion("luck", "--decisions").out
    assert companion("luck", "--decisions", "--json").json["decisions"][0]["best"] == "sure"


def test_the_second_time_nothing_is_weighed_again(session: SessionController, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was weighed is kept beside the log: the same result without playing on, also for the part before a new action."""
    first = session_luck(session)
    session.do("search", Answers(draws=["Gold"]))
    longer = session_luck(session)
    assert longer.rolls[:3] == first.rolls

    def weighed(*rest: object) -> None:
        raise AssertionError("it is weighed again")

    monkeypatch.setattr("companion.core.luck.RecordedRun.roll_luck", weighed)
    assert session_luck(session) == longer
    session.undo(1)
    assert session_luck(session) == first


def test_what_was_weighed_may_be_lost(session: SessionController) -> None:
    """A damaged row of the cache only means that it is weighed again."""
    first = session_luck(session)
    archive = session.archive
    kept = archive._read("SELECT data FROM analysis WHERE kind = 'luck' ORDER BY entry")
    assert len(kept) == 3
    odd = (0, None, 99, [], "x", {}, [[[1, 2, 3]], {}], [[[0, [0, [], 0], [0, [], 0]]], {}], [[[9, [0, [], 0], [0, [], 0]]], {}])
    endless = kept[0][0].replace("[8.0,", "[1e999,", 1)
    assert endless != kept[0][0]
    for text in ("", "nonsense", "[" * 50_000, kept[1][0].replace("[", "[[", 2), endless, *map(json.dumps, odd)):
        archive._write(lambda text=text: archive._db.execute("UPDATE analysis SET data = ?", (text,)))
        assert session_luck(session) == first
    assert archive._read("SELECT data FROM analysis WHERE kind = 'luck' ORDER BY entry") == kept
