"""Exercises: what was answered, when it is asked again, and own mistakes that are still in force."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from freezegun import freeze_time

from companion.core.exercises import INTERVALS, read_decision
from companion.core.values import JsonDict
from companion.session.controller import Answers, SessionController
from companion.session.exercises import Drill, DrillMemory, own_exercises, today
from companion.session.review import review_cache
from companion.session.state import load_game
from companion.session.store import Archive
from tests.support.processes import in_child

CARDS = "fallujahcards"


@pytest.fixture
def drill(tmp_path: Path) -> Drill:
    """The set of the card game, of which nothing was answered."""
    return Drill(load_game(CARDS), (), DrillMemory(str(tmp_path / "games.sqlite3")))


def answer(drill: Drill, id: str, right: bool) -> None:
    exercise = drill.exercise(id)
    drill.answer(exercise, next(one for one in exercise.decision.alternatives if exercise.is_right(one) == right))


def reopened(drill: Drill) -> Drill:
    return Drill(drill.game, (), DrillMemory(drill.memory.path.removesuffix(".drill")))


def test_a_wrong_answer_comes_again_at_growing_intervals(drill: Drill) -> None:
    first, second, *others = drill.ids
    with freeze_time("2026-11-01 20:00") as clock:
        answer(drill, first, right=False)
        answer(drill, second, right=True)
        assert drill.due(today()) == []
        assert drill.new() == others
        waited = []
        for _ in range(len(INTERVALS) + 1):
            days = 0
            while reopened(drill).due(today()) != [first]:
                clock.tick(86_400)
                days += 1
            waited.append(days)
            answer(drill, first, right=True)
        assert waited == [*INTERVALS, INTERVALS[-1]]


def test_a_wrong_answer_begins_anew(drill: Drill) -> None:
    id = drill.ids[0]
    with freeze_time("2026-11-01 20:00") as clock:
        for right in (False, True, True, False):
            answer(drill, id, right)
            clock.tick(10 * 86_400)
        assert reopened(drill).progress()[id] == (0, today() - 10 + INTERVALS[0], True)
        assert drill.next_due() == today() - 10 + INTERVALS[0]


def test_a_right_answer_before_its_day_changes_nothing(drill: Drill) -> None:
    id = drill.ids[0]
    with freeze_time("2026-11-01 20:00"):
        answer(drill, id, right=False)
        answer(drill, id, right=True)
        assert drill.progress()[id].due == today() + INTERVALS[0]


def test_the_statistics_are_those_of_the_answers(drill: Drill) -> None:
    first = drill.exercise(drill.ids[0])
    with freeze_time("2026-11-01 20:00"):
        answer(drill, first.id, right=False)
    with freeze_time("2026-11-03 20:00"):
        answer(drill, first.id, right=True)
        answer(drill, first.id, right=False)
        (row,) = reopened(drill).statistics(today() + 1)
    wrong = next(one for one in first.decision.alternatives if not first.is_right(one))
    right = next(one for one in first.decision.alternatives if first.is_right(one))
    assert (row.key, row.answers, row.due) == (first.decision.key, 3, 1)
    assert row.right == pytest.approx(1 / 3)
    assert row.cost == pytest.approx((2 * first.loss(wrong).mean + max(0.0, first.loss(right).mean)) / 3, abs=1e-4)


def test_a_damaged_line_costs_that_line_only(drill: Drill) -> None:
    first, second, *_ = drill.ids
    answer(drill, first, right=False)
    with open(drill.memory.path, "ab") as file:
        file.write(b'["fallujahcards","x"]\n\xff\xfe\n[[[[\n{"a":1}\n["fallujahcards",1,2,3,4,5]\nnull\n["fallujahc')
    answer(drill, second, right=True)  # after a line that was cut off
    assert [attempt.exercise for attempt in reopened(drill).attempts] == [first, second]


def test_a_file_that_cannot_be_written_costs_the_memory_only(tmp_path: Path) -> None:
    os.mkdir(tmp_path / "games.sqlite3.drill")
    drill = Drill(load_game(CARDS), (), DrillMemory(str(tmp_path / "games.sqlite3")))
    answer(drill, drill.ids[0], right=True)
    assert drill.memory.fault
    assert reopened(drill).attempts == []


def test_the_folder_of_a_first_answer_is_made(tmp_path: Path) -> None:
    drill = Drill(load_game(CARDS), (), DrillMemory(str(tmp_path / "new" / "folder" / "games.sqlite3")))
    answer(drill, drill.ids[0], right=True)
    assert not drill.memory.fault
    assert [attempt.exercise for attempt in reopened(drill).attempts] == drill.ids[:1]


def test_two_processes_answer_at_once(drill: Drill) -> None:
    ids = drill.ids

    def work(number: int) -> Iterator[str]:
        for id in ids[number::2]:
            answer(drill, id, right=False)
            yield id

    answered = in_child(lambda: list(work(0)), lambda: list(work(1)))
    assert sorted(answered) == sorted(ids) == sorted(attempt.exercise for attempt in reopened(drill).attempts)


# -- own mistakes ----------------------------------------------------------------------------------------------------------


def decision(reply: int, grade: str, taken: str, other: str, key: str = "to", kind: str = "text") -> JsonDict:
    """A decision of a person as a review keeps it; the other answer is better by 4 VP."""
    loss = [4.0, 0.5]
    rows = [[other, [5.0, 0.1], None, [0.0, 0.0], None, False, ""], [taken, [1.0, 0.1], None, loss, None, True, ""]]
    about = {"reply": reply, "seat": "player", "key": key, "kind": kind, "rule": "2.1", "prompt": "", "taken": taken}
    figures = {"best": other, "loss": loss, "win_loss": None, "grade": grade, "reason": f"{other} is nearer"}
    return {**about, **figures, "by_person": True, "alternatives": rows}


def kept(*decisions: JsonDict) -> JsonDict:
    """The review of an action as it is kept."""
    return {"turn": 1, "start": None, "cuts": [], "decisions": list(decisions), "skipped": ""}


@pytest.fixture
def reviewed(archive: Archive, tiny_game: str) -> SessionController:
    """A session of the made-up game whose second answer of a march was a blunder, by a review that is kept."""
    session = SessionController.create(archive, "tiny", seed="7", name="april")
    session.do("march", Answers([("unit", "Red"), ("to", "ford")], dice=[6]))
    session.do("rest")
    keep(session)
    return session


def keep(session: SessionController) -> None:
    cache = review_cache(session, "normal")
    for entry in session.history.in_force:
        key = cache.pass_entry(entry)
        if entry.action == "march":
            place = next(place for place, reply in enumerate(entry.replies) if reply.key == "to")
            made = (
                decision(place + 1, "blunder", "ford", "hill"),
                {**decision(place, "good", "Red", "Blue", "unit"), "loss": [0.1, 0.1]},
            )
            cache.add(key, entry.number, kept(*made))
    cache.write()


def own(session: SessionController) -> Drill:
    return Drill(session.game, [session], DrillMemory(session.archive.path), uses_set=False)


def test_a_mistake_of_a_review_is_an_exercise(reviewed: SessionController) -> None:
    drill = own(reviewed)
    (id,) = drill.ids
    exercise = drill.exercise(id)
    opened = drill.open(exercise)

    assert exercise.source == "april"
    assert exercise.decision.taken == "ford"
    assert opened.pending is not None
    assert (opened.pending.key, opened.position) == ("to", reviewed.history.position(before=2))
    assert not exercise.is_right(exercise.decision.alternatives[1])
    assert opened.info.id == 0  # nothing is stored


def test_a_mistake_that_was_undone_is_dropped(reviewed: SessionController) -> None:
    assert len(own(reviewed).ids) == 1
    reviewed.undo(2)
    assert own(reviewed).ids == []
    reviewed.redo()
    assert len(own(reviewed).ids) == 1


def test_a_mistake_that_was_amended_is_dropped(reviewed: SessionController) -> None:
    number = next(place for place, reply in enumerate(reviewed.history.in_force[1].replies, 1) if reply.key == "to")
    reviewed.amend(2, number, "hill")
    assert own(reviewed).ids == []


def test_a_mistake_at_a_question_that_the_rules_no_longer_ask_is_dropped(reviewed: SessionController) -> None:
    cache = review_cache(reviewed, "normal")
    for entry in reviewed.history.in_force:
        key = cache.pass_entry(entry)
        if entry.action == "march":
            gone = decision(1, "blunder", "ford", "hill", "elsewhere")
            cache.add(key, entry.number, kept(gone))
    cache.write()
    assert own(reviewed).ids == []


def test_the_deepest_review_counts(reviewed: SessionController) -> None:
    cache = review_cache(reviewed, "deep")
    for entry in reviewed.history.in_force:
        key = cache.pass_entry(entry)
        if entry.action == "march":
            cache.add(key, entry.number, kept())
    cache.write()
    assert list(own_exercises(reviewed)) == []


def test_a_decision_without_its_parts_is_damaged() -> None:
    with pytest.raises(KeyError):
        read_decision({"grade": "blunder"})
