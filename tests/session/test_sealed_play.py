"""Sealed questions at one terminal, by policies and rollouts, and after a process was killed between two parts."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from typing import Any

import pytest

from companion.cli.repl.loop import Loop
from companion.cli.repl.prompt import Prompt
from companion.core.history import Reply
from companion.core.match import Match
from companion.core.policies import Policy, RandomPolicy, RandomStream
from companion.core.resolver import Answers
from companion.session.controller import SessionController
from companion.session.state import load_game
from companion.session.store import Archive
from companion.views.lines import Line, plain_text

SECRET = "48271"


@pytest.fixture
def session(archive: Archive, ambush_game: str) -> SessionController:
    return SessionController.create(archive, ambush_game, seed="7")


class Typist:
    """Types lines; keeps the prompts and what was shown."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.prompts: list[Prompt] = []
        self.shown: list[Line] = []

    def ask(self, prompt: Prompt) -> str:
        self.prompts.append(prompt)
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)

    def tell(self, lines: Sequence[Line]) -> None:
        self.shown += lines


def test_one_terminal_asks_seat_by_seat_and_shows_nothing_that_was_typed(session: SessionController) -> None:
    typist = Typist("stakes", f"{SECRET}x", SECRET, "/log", "/undo", "stakes", SECRET)
    Loop(session, typist.ask, typist.tell).play()
    shown = plain_text(typist.shown, 200)
    assert SECRET not in shown and "that is no answer" in shown
    assert "Only Red looks now" in shown and "Only Blue looks now" in shown
    secret = [prompt.text for prompt in typist.prompts if prompt.secret]
    assert secret[:3] == ["Red, unseen > ", "Red, unseen > ", "Blue, unseen > "]
    assert not typist.prompts[0].secret


def test_the_reveal_is_shown_at_one_terminal(session: SessionController) -> None:
    typist = Typist("stakes", SECRET, "5")
    Loop(session, typist.ask, typist.tell).play()
    assert f"Red stakes {SECRET}, Blue 5" in plain_text(typist.shown, 200)


def test_random_policies_play_whole_games(ambush_game: str) -> None:
    game = load_game(ambush_game)
    seats = {seat: RandomPolicy(game.players) for seat in game.seats}
    match = Match(game, game.default_options(), seats, RandomStream("1"), {}, keep=True)
    match.begin()
    assert match.play()
    again = Match(game, game.default_options(), seats, RandomStream("1"), {}, keep=True)
    again.begin()
    again.play()
    assert again.story == match.story and any(reply.seat for action in match.story or () for reply in action.replies)


def test_no_peeking_in_rollouts(session: SessionController) -> None:
    """From Blue's part the rollouts go on without Red's, whatever Red has answered."""
    game, results = session.game, []
    for stake in ("10", SECRET):
        session.begin("stakes")
        session.answer(Answers(plain=[stake]), seat="red")
        running = session.running_entry()
        assert running is not None
        point = running.decision_point(session.pending_for("blue"))
        assert point.part == "blue" and not [reply for reply in point.replies if reply.seat]
        match = Match(
            game, game.default_options(), {seat: RandomPolicy(game.players) for seat in game.seats}, RandomStream("x"), {}
        )
        match.position = point.start
        match.continue_from(point, Reply("stake", "number", 7, "tried", seat="blue"))
        results.append(dict(match.position.tracks))
        assert match.position.track("blue_gold") == 99_993
        session.undo()
    assert results[0] == results[1]


def test_a_complete_question_answered_in_another_order_is_played_on_from_its_replies(session: SessionController) -> None:
    session.begin("stakes")
    session.answer(Answers(plain=["9"]), seat="blue")
    session.answer(Answers(plain=["4"]), seat="red")
    entry = session.history.in_force[-1]
    game = session.game
    match = Match(game, game.default_options(), {seat: Policy(game.players) for seat in game.seats}, RandomStream("x"), {})
    match.position = session.history.position(before=entry.number)
    run = next(action.run for action in game.actions if action.id == "stakes")
    assert match.run_action(run, "stakes", entry.replies)
    assert match.position == session.position


def _answers_until_killed(path: str, write: int) -> None:
    """Answer parts of stakes in alternating orders, and acknowledge each."""
    with Archive.open(path) as archive:
        session = SessionController.open(archive)
        while True:
            if session.pending is None:
                if session.position.track("turn") > 5:
                    session.undo(5)
                session.begin("stakes")
            for seat in ("red", "blue") if session.history.seq % 2 else ("blue", "red"):
                if session.pending is not None and session.pending_for(seat):
                    session.answer(Answers(plain=["5"]), seat=seat)
                    number = session.history.force[-1]
                    given = sorted(reply.seat for reply in session.history.entries[number].replies)
                    os.write(write, f"{number} {','.join(given)}\n".encode())


@pytest.mark.parametrize("kills", [4, pytest.param(60, marks=pytest.mark.slow)])
def test_killed_between_parts(kills: int, session: SessionController, archive: Archive) -> None:
    """What was acknowledged is there, sealed, and play goes on with the seat that is left."""
    for number in range(kills):
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                _answers_until_killed(archive.path, write)
            finally:
                os._exit(1)
        os.close(write)
        told = os.read(read, 20)
        time.sleep(0.003 * (number % 7))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        with os.fdopen(read, "rb") as pipe:
            told += pipe.read()
        last = told.decode().rpartition("\n")[0].splitlines()[-1]
        entry, given = last.split()
        again: Any = SessionController.open(archive)
        replies = again.history.entries[int(entry)].replies
        assert set(given.split(",")) <= {reply.seat for reply in replies}
        if again.pending is not None and again.history.open_entry.replies:
            (reply,) = again.history.open_entry.replies
            assert str(reply.value) == "sealed" and again.pending_for(reply.seat) is None
