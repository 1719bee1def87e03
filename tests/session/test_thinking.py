"""An opponent that plays on to decide, in a session: what is stored, what is never looked at, and what the player is told."""

from __future__ import annotations

import itertools
import os
import signal

import pytest

from companion.core import match
from companion.core.errors import Unreadable
from companion.core.history import Reply
from companion.core.procedures import Enough, Progress, ignore_progress
from companion.core.resolver import Answers
from companion.core.rollouts import Outcome
from companion.games import GAMES
from companion.session import thinking
from companion.session.controller import SessionController
from companion.session.store import Archive
from companion.session.thinking import limited, on_cores
from companion.views.log import entry_lines
from tests.support.labels import written


@pytest.fixture
def rival_game(tiny_game: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setitem(GAMES, "tiny", "tests.support.tiny_rival")
    return tiny_game


def thought(session: SessionController) -> Reply:
    return next(reply for reply in session.history.in_force[-1].replies if reply.kind == "think")


def test_better_candidate_is_chosen_and_stored(rival_game: str, archive: Archive) -> None:
    session = SessionController.create(archive, rival_game, seed="7")
    result = session.do("wager")

    stored = thought(session)
    assert (stored.source, stored.value[0]) == ("playouts", 2)
    assert [row[0] for row in stored.value[1:]] == ["keep", "double", "take"]
    told = next(event for event in result.events if getattr(event, "text", "").startswith("The rival: take"))
    assert len(told.because) == 3 and "take: +10.0 VP" in told.because[0] and "out: keep -2.0" in told.because[2]


def test_why_shows_candidates_and_no_raw_numbers(rival_game: str, archive: Archive) -> None:
    session = SessionController.create(archive, rival_game, seed="7")
    session.do("wager")
    (told,) = [
        line.text for line in entry_lines(session.game, session.history.in_force[-1], "", {}, True) if "take: " in line.text
    ]
    assert told == "take: +10.0 VP (+-0.0) by 20 playouts, points and prospects"
    assert "think" not in " ".join(line.text for line in entry_lines(session.game, session.history.in_force[-1], "", {}, True))


def test_rollouts_run_once(rival_game: str, archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    session = SessionController.create(archive, rival_game, seed="7")
    session.do("wager")
    before = session.position
    monkeypatch.setattr(match, "compare_by_rollouts", lambda *_: 1 / 0)
    session.undo()
    session.redo()
    assert SessionController.open(archive, session.info).position == before
    archive.branch(session.info, "copy")


def test_seconds_of_the_level_end_a_decision_of_usual_playouts(
    rival_game: str, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clock that jumps by 0.3 s at each look: a normal decision ends after a second, one of so many worlds plays them all."""
    now = itertools.count(0.0, 0.3)
    monkeypatch.setattr(thinking, "monotonic", lambda: next(now))
    played = {}
    for think in ("usual", "16"):
        session = SessionController.create(archive, rival_game, seed="7", think=think)
        session.do("wager")
        played[think] = sum(row[5] for row in thought(session).value[1:])
    assert played == {"usual": 3, "16": 48}


def test_first_interrupt_takes_the_best_so_far_and_the_second_interrupts() -> None:
    progress = Progress(1, 2, "")
    with limited(ignore_progress, None) as watch:
        watch(progress)
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(Enough):
            watch(progress)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot copy a process")


@needs_fork
@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_cores_change_nothing_but_the_time(rival_game: str, archive: Archive, jobs: int) -> None:
    session = SessionController.create(archive, rival_game, seed="7", think="16")
    session.jobs = lambda: jobs
    session.do("wager")
    alone = SessionController.create(archive, rival_game, seed="7", think="16")
    alone.do("wager")
    assert thought(session).value == thought(alone).value


@needs_fork
def test_error_of_a_playout_on_another_core_is_raised_here() -> None:
    def play(candidate: int, world: int) -> Outcome:
        return Outcome(1 / world)

    outcomes = on_cores(2)(play, [(0, 2), (0, 1), (0, 0)])
    assert [next(outcomes).value, next(outcomes).value] == [0.5, 1.0]
    with pytest.raises(ZeroDivisionError):
        next(outcomes)


@needs_fork
def test_copies_of_the_process_end_with_the_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where it ends early: none is left to be waited for."""
    copies: list[int] = []
    fork = os.fork

    def counted() -> int:
        if copy := fork():
            copies.append(copy)
        return copy

    monkeypatch.setattr(os, "fork", counted)
    outcomes = on_cores(2)(lambda candidate, world: Outcome(world), [(0, world) for world in range(1000)])
    assert next(outcomes) == Outcome(0)
    outcomes.close()
    assert copies
    for copy in copies:
        with pytest.raises(ChildProcessError):
            os.waitpid(copy, os.WNOHANG)


def test_another_handler_keeps_the_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    try:
        with limited(ignore_progress, None) as watch:
            signal.raise_signal(signal.SIGINT)
            watch(Progress(1, 2, ""))
        assert heard == [signal.SIGINT]
    finally:
        signal.signal(signal.SIGINT, before)


def test_the_same_session_gives_the_same_advice(rival_game: str, archive: Archive) -> None:
    rows = []
    for name in ("one", "two"):
        session = SessionController.create(archive, rival_game, seed="7", name=name)
        session.do("wager")
        rows.append(thought(session).value)
    assert rows[0] == rows[1]


def test_think_0_runs_no_rollouts(rival_game: str, archive: Archive) -> None:
    session = SessionController.create(archive, rival_game, seed="7", think="0")
    session.do("wager")
    assert (thought(session).value, thought(session).source) == ([0], "priorities")
    session.setting(think="usual")
    session.do("wager")
    assert thought(session).source == "playouts"


@pytest.mark.parametrize("text", ["-1", "many", "1000000", "1.5", "²"])
def test_invalid_number_of_playouts_is_refused(rival_game: str, archive: Archive, text: str) -> None:
    with pytest.raises(Unreadable, match="not a number of playouts"):
        SessionController.create(archive, rival_game, think=text)


def test_rollouts_use_no_future_dice(rival_game: str, archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every die and draw of a session has a label of its own: none of them is asked for while the opponent thinks."""
    labels: list[str] = []

    session = SessionController.create(archive, rival_game, seed="7")
    with written(labels, monkeypatch):
        session.do("wager")
    assert any(label.startswith("think/7/") for label in labels)
    coming = {f"7/{index}/{part}" for index in range(200) for part in range(10)}
    assert not coming.intersection(labels)


def test_choice_does_not_depend_on_the_seed(rival_game: str, archive: Archive) -> None:
    for seed in "abcdefgh":
        session = SessionController.create(archive, rival_game, seed=seed, name=f"seed {seed}")
        session.do("wager")
        assert thought(session).value[0] == 2


def test_adviser_explains_its_choice(rival_game: str, archive: Archive) -> None:
    session = SessionController.create(archive, rival_game, seed="7")
    said = session.counsel()
    assert said is not None and said.text == "rest" and said.rule == "1.1"
    assert said.because[-1] == "supply counts" and "ahead of what the priorities say (stop)" in said.because[1]
    quick = session.counsel("0")
    assert quick is not None and quick.text == "stop"
    assert session.position == SessionController.open(archive, session.info).position and session.history.next_number == 2
    session.do("rest", Answers(accept=True))


def test_easy_opponent_makes_errors(rival_game: str, archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    """About a third of its decisions; a hard one looks four times as far."""
    chosen = []
    for number in range(60):
        session = SessionController.create(archive, rival_game, options={"level": "easy"}, seed=str(number), name=f"n{number}")
        session.do("wager")
        chosen.append(thought(session).value[0])
    assert 10 <= sum(map(bool, chosen)) <= 32 and set(chosen) == {0, 1, 2}
    session = SessionController.create(archive, rival_game, options={"level": "hard"}, seed="7", name="hard")
    session.do("wager")
    assert max(row[5] for row in thought(session).value[1:]) >= 16
