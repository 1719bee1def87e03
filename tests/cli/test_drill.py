"""``companion drill``: for programs, and at a real terminal by number keys."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from freezegun import freeze_time

from companion.core.exercises import Exercise
from companion.session.exercises import exercise_set
from companion.session.state import load_game
from tests.support.commands import companion

CARDS = "fallujahcards"


@pytest.fixture(autouse=True)
def _own_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DB", str(tmp_path / "games.sqlite3"))


def exercise(id: str) -> Exercise:
    found = exercise_set(load_game(CARDS))
    assert found is not None
    return found.exercise(id)


def first() -> tuple[str, str, str]:
    """The id of the next exercise, and the numbers of a right and of a wrong answer."""
    (listed,) = companion("drill", CARDS, "--count", "1", "--brief", "--json").json["exercises"]
    known = exercise(listed["id"])
    by_text = {one.text: one for one in known.decision.alternatives}
    right = {known.is_right(by_text[answer["text"]]): answer["number"] for answer in listed["answers"]}
    return listed["id"], right[True], right[False]


def test_a_program_lists_and_answers() -> None:
    listed = companion("drill", CARDS, "--count", "3", "--json").json
    assert len(listed["exercises"]) == 3
    assert listed["due"] == 0
    assert "vp" not in str(listed["exercises"][0]["answers"])
    assert listed["exercises"][0]["position"]["places"]

    id, right, wrong = first()
    (result,) = companion("drill", CARDS, "--answer", f"{id}={wrong}", "--json").json["results"]
    known = exercise(id)
    taken = next(one for one in result["alternatives"] if one["number"] == wrong)
    loss = next(one.loss for one in known.decision.alternatives if one.text == taken["text"])
    assert (result["right"], result["best"]) == (False, known.best.text)
    assert (result["loss"], result["loss_error"]) == (taken["loss"], taken["loss_error"]) == tuple(loss)

    assert companion("drill", CARDS, "--answer", f"{id}={right}", "--json").json["results"][0]["right"]
    (row,) = companion("drill", CARDS, "--stats", "--json").json["statistics"]
    assert (row["answers"], row["right"]) == (2, 0.5)


def test_what_was_wrong_is_due_the_next_day() -> None:
    with freeze_time("2026-11-01 20:00") as clock:
        id, _, wrong = first()
        companion("drill", CARDS, "--answer", f"{id}={wrong}")
        assert first()[0] != id
        clock.tick(86_400)
        listed = companion("drill", CARDS, "--count", "1", "--brief", "--json").json
        assert (listed["due"], listed["exercises"][0]["id"], listed["exercises"][0]["due"]) == (1, id, True)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("drill", CARDS, "--answer", "nothing=1"), 2),
        (("drill", CARDS, "--answer", "x"), 2),
        (("drill", CARDS, "--own", "--shipped"), 2),
        (("drill", CARDS, "--count", "0"), 2),
        (("drill", CARDS, "--own"), 1),
        (("drill",), 2),
        (("drill", "none"), 2),
    ],
)
def test_what_cannot_be_done_is_refused(words: tuple[str, ...], code: int) -> None:
    assert companion(*words).code == code


def test_an_answer_that_is_none_keeps_nothing() -> None:
    id, right, _ = first()
    refused = companion("drill", CARDS, "--answer", f"{id}={right}", "--answer", f"{id}=99")
    assert refused.code == 2
    assert "Type one of: " in refused.err
    assert companion("drill", CARDS, "--stats", "--json").json["statistics"] == []


def test_without_a_terminal_each_exercise_says_how_it_is_answered() -> None:
    shown = companion("drill", CARDS, "--count", "1").out
    command = re.search(r"companion (drill \S+ --answer \S+)", shown)
    assert command
    assert companion(*command[1].split()).code == 0


def test_the_game_of_the_session_in_use_is_taken() -> None:
    companion("new", CARDS, "--seed", "7")
    assert companion("drill", "--brief", "--json").json["game"] == CARDS


def test_nothing_is_written_to_the_archive(tmp_path: Path) -> None:
    id, right, _ = first()
    companion("drill", CARDS, "--answer", f"{id}={right}")
    assert os.listdir(tmp_path) == ["games.sqlite3.drill"]


@pytest.mark.slow
def test_a_drill_by_number_keys(tmp_path: Path) -> None:
    """Digits, the keys beside them and Enter suffice; Ctrl-C ends and keeps what was answered."""
    pytest.importorskip("pexpect")
    from tests.cli.test_terminal import Terminal

    _, _, wrong = first()
    terminal = Terminal("drill", CARDS, "--count", "3", module="companion", NO_COLOR="1")
    terminal.wait("Exercise 1 of 3").wait(">").type("99").wait("none of the answers").type("").wait("Type a number")
    terminal.type("+").wait("-- more").type("q", "").wait(">").type("*").wait(">").type(wrong).wait("Wrong: ").wait(
        "Enter: the next one"
    )
    terminal.type("").wait("Exercise 2 of 3").wait(">").type("\x03", "")
    text = terminal.end()
    assert terminal.child.exitstatus == 0
    assert "0 of 1 answer right" in text
    assert "The next one is due tomorrow" in text
    (row,) = companion("drill", CARDS, "--stats", "--json").json["statistics"]
    assert row["answers"] == 1
