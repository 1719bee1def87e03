"""A question has its number: an answer that comes too late is not taken for an answer to the next question."""

from __future__ import annotations

import json

import pytest

from companion.cli.shell import archives
from companion.core.errors import SessionMoved
from companion.session.controller import Answers, SessionController
from companion.session.store import Archive
from tests.cli.conftest import Run


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch):
    """Whatever is run from then on is run in the terminal of that name."""
    return lambda name: monkeypatch.setattr(archives, "_terminal_name", lambda: name)


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
        "the question has changed since you were shown one; now it is question 2.5: Attack of Blue [2.2]"
    )
    assert "companion answer --at 2.5 ..." in refused.stderr
    assert fighting("log").stdout == before


def test_who_has_been_told_the_question_may_answer_it(fighting: Run, window) -> None:
    window("B")
    fighting("answer", "--dice", "3,4", code=1)

    fighting("answer", "--dice", "5,6", code=3)
    window("A")
    assert "now it is question 2.6: Another round" in fighting("answer", "no", code=1).stderr


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

    assert "now it is question 2.6: Another round" in fighting("answer", "fight=3,4", code=1).stderr
    assert "not asked for: fight=3,4" in fighting("answer", "fight=3,4", code=2).stderr


def step(run: Run, *words: str, code: int = 3) -> dict:
    return json.loads(run(*words, "--json", code=code).stdout)


def test_a_repeated_answer_has_no_second_effect_and_tells_what_the_first_did(fighting: Run) -> None:
    first = step(fighting, "answer", "--at", "2.5", "--dice", "3,4")
    log = fighting("log").stdout
    again = step(fighting, "answer", "--at", "2.5", "--dice", "3,4")
    step(fighting, "answer", "--at", "2.6", "no", "--accept", code=0)
    at_last = step(fighting, "answer", "--at", "2.5", "--dice", "3,4", code=0)

    assert (first.pop("repeated"), again.pop("repeated")) == (False, True)
    assert first == again
    assert (at_last["repeated"], at_last["events"], at_last["pending"]) == (True, first["events"], None)
    assert log in fighting("log").stdout.replace(" (open)", "") or log.splitlines()[1:-1]


@pytest.mark.parametrize(
    ("at", "words"),
    [
        ("2.5", ["--dice", "4,3"]),
        ("2.5", ["--dice", "3,4", "no"]),
        ("2.5", []),
        ("2.4", ["no"]),
        ("2.7", ["no"]),
        ("3.1", ["--accept"]),
        ("2.0", ["--accept"]),
        ("1.1", ["--accept"]),
    ],
)
def test_any_other_answer_to_a_question_that_is_not_open_is_stale(fighting: Run, at: str, words: list[str]) -> None:
    step(fighting, "answer", "--at", "2.5", "--dice", "3,4")
    log = fighting("log").stdout
    refused = step(fighting, "answer", "--at", at, *words, code=1)

    assert (refused["error"]["kind"], refused["error"]["kept"], refused["exit"]) == ("stale", "nothing", 1)
    assert refused["error"]["message"] == f"question {at} is not open any more; now it is question 2.6: Another round"
    assert refused["pending"] == step(fighting, "status", code=0)["pending"]
    assert fighting("log").stdout == log


def test_the_answers_of_a_look_and_of_a_set_up_are_taken_once_too(run: Run) -> None:
    step(run, "new", "tiny", "--scenario", "night")
    for at, words in (("1.1", ["lamps=2"]), ("2.1", ["yes"])):
        if at == "2.1":
            step(run, "do", "peek")
        first = step(run, "answer", "--at", at, *words, code=0)
        again = step(run, "answer", "--at", at, *words, code=0)

        assert {**first, "repeated": True} == again
        assert step(run, "answer", "--at", at, "0", code=1)["error"]["kind"] == "stale"


def test_an_answer_that_was_taken_back_is_stale(fighting: Run) -> None:
    step(fighting, "answer", "--at", "2.5", "--dice", "3,4")
    fighting("undo", "--reply", code=3)
    back = step(fighting, "status", code=0)["pending"]
    refused = step(fighting, "answer", "--at", "2.5", "--dice", "3,4", code=1)

    assert (refused["error"]["kind"], refused["pending"]["at"], back["at"]) == ("stale", "3.5", "3.5")


def test_what_is_no_number_of_a_question_is_not_understood(fighting: Run) -> None:
    for word in ("8", "x", "2.x", "2.5.1", "-1.2"):
        assert "is not the number of a question" in fighting("answer", f"--at={word}", "no", code=2).stderr


def test_what_is_noted_beside_a_question_does_not_change_its_number(fighting: Run, window) -> None:
    window("C")
    fighting("note", "the cat")
    window("A")

    fighting("answer", "--at", "2.5", "--accept")


def test_the_number_is_shown_with_the_question(fighting: Run) -> None:
    assert fighting("status").stdout.endswith("Go on with: companion answer fight=N,N or --accept (question 2.5)\n")
    assert fighting("answer", code=3).stdout.endswith("Go on with: companion answer fight=N,N or --accept (question 2.5)\n")


def test_a_terminal_that_was_shown_nothing_is_believed(fighting: Run, window) -> None:
    """A script whose every command runs in a process of its own goes on as before."""
    window("another script")

    fighting("answer", "--accept")


def test_of_all_terminals_only_the_last_are_remembered(fighting: Run) -> None:
    with Archive.open() as archive:
        for number in range(100):
            archive.show(1, f"process {number}", "2.5")

        assert [archive.shown(1, f"process {number}") for number in (0, 99)] == ["", "2.5"]
        assert len(archive._shown()) == 64


@pytest.mark.parametrize(("faces", "repeated"), [([3, 4], True), ([4, 3], False)])
def test_of_two_who_answer_at_once_one_is_taken(fighting: Run, faces: list[int], repeated: bool) -> None:
    """Both have read the session before either answers; a note in between hinders nobody."""
    with Archive.open() as mine, Archive.open() as theirs, Archive.open() as third:
        quick, late = SessionController.open(mine), SessionController.open(theirs)
        assert quick.question_number == late.question_number == "2.5"
        SessionController.open(third).note("the cat")
        assert not quick.answer(Answers(dice=[3, 4]), at="2.5").repeated
        if repeated:
            assert late.answer(Answers(dice=faces), at="2.5").repeated
        else:
            with pytest.raises(SessionMoved, match=r"now it is question 2\.6"):
                late.answer(Answers(dice=faces), at="2.5")
        assert late.history.seq == SessionController.open(third).history.seq
