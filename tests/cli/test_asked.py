"""A question has its number: an answer that comes too late is not taken for an answer to the next question."""

from __future__ import annotations

import json

import pytest

from companion.cli.shell import asked
from companion.session.store import Archive
from tests.cli.conftest import Run


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch):
    """Whatever is run from then on is run in the terminal of that name."""
    return lambda name: monkeypatch.setattr(asked, "terminal", lambda: name)


@pytest.fixture
def fighting(run: Run, window) -> Run:
    """Two windows see the same roll of two dice; in ``A`` it is answered, and the next question comes."""
    run("new", "tiny", "--dice", "physical", "--name", "monday")
    window("A")
    run("do", "fight", "blue", code=3)
    window("B")
    assert "? Attack of Blue" in run("status").stdout
    window("A")
    run("answer", "--dice", "3,4", "go on=yes", code=3)
    return run


@pytest.mark.parametrize("late", [("--dice", "3,4"), ("--accept",), ("3 4",), ("strikes=none", "--dice", "3,4")], ids=str)
def test_a_late_answer_without_key_is_refused_and_told_the_question(fighting: Run, window, late: tuple[str, ...]) -> None:
    before = fighting("log").stdout
    window("B")
    refused = fighting("answer", *late, code=1)

    assert refused.stderr.startswith(
        "the question has changed since you were shown one; now it is question 8: Attack of Blue [2.2]"
    )
    assert "companion answer --at 8 ..." in refused.stderr
    assert fighting("log").stdout == before


def test_who_has_been_told_the_question_may_answer_it(fighting: Run, window) -> None:
    window("B")
    fighting("answer", "--dice", "3,4", code=1)

    fighting("answer", "--dice", "5,6", code=3)
    window("A")
    assert "now it is question 9: Another round" in fighting("answer", "no", code=1).stderr


@pytest.mark.parametrize(
    "look", [("status",), ("answer",), ("undo", "--reply"), ("adjust", "supply", "3", "--why", "x")], ids=str
)
def test_every_command_that_shows_the_question_counts(fighting: Run, window, look: tuple[str, ...]) -> None:
    window("B")
    fighting(*look, code=0 if look == ("status",) else 3)

    fighting("answer", "--accept")


def test_an_answer_by_key_needs_no_terminal(fighting: Run, window) -> None:
    window("B")
    fighting("answer", "fight=1,2", code=3)
    window("A")

    assert "now it is question 9: Another round" in fighting("answer", "fight=3,4", code=1).stderr
    assert "not asked for: fight=3,4" in fighting("answer", "fight=3,4", code=2).stderr


def test_an_answer_to_a_numbered_question_is_taken_once(fighting: Run) -> None:
    number = json.loads(fighting("answer", "--json", code=3).stdout)["pending"]["at"]
    fighting("answer", "--at", str(number), "--dice", "3,4", code=3)
    log = fighting("log").stdout
    again = json.loads(fighting("answer", "--at", str(number), "--dice", "3,4", "--json", code=1).stdout)

    assert again["error"]["kind"] == "moved"
    assert again["error"]["message"] == f"question {number} is not open any more; now it is question 9: Another round"
    assert fighting("log").stdout == log
    fighting("answer", "--at", "9", "no", "--accept")
    assert "not open any more, and no other is" in fighting("answer", "--at", "9", "no", code=1).stderr


def test_what_is_noted_beside_a_question_does_not_change_its_number(fighting: Run, window) -> None:
    window("C")
    fighting("note", "the cat")
    window("A")

    fighting("answer", "--at", "8", "--accept")


def test_the_number_is_shown_with_the_question(fighting: Run) -> None:
    assert fighting("status").stdout.endswith("Go on with: companion answer fight=N,N or --accept (question 8)\n")
    assert fighting("answer", code=3).stdout.endswith("Go on with: companion answer fight=N,N or --accept (question 8)\n")


def test_a_terminal_that_was_shown_nothing_is_believed(fighting: Run, window) -> None:
    """A script whose every command runs in a process of its own goes on as before."""
    window("another script")

    fighting("answer", "--accept")


def test_of_all_terminals_only_the_last_are_remembered(fighting: Run) -> None:
    with Archive.open() as archive:
        for number in range(100):
            archive.show(1, f"process {number}", 8)

        assert [archive.shown(1, f"process {number}") for number in (0, 99)] == [0, 8]
        assert len(archive._shown()) == 64
