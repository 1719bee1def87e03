"""The review of a session and exercises by the interface in Python: the same figures as at the table."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion import api
from companion.core.review_playouts import Reviewer
from companion.session import database
from companion.session.review import session_review
from companion.session.store import Archive
from companion.views.review import review_data
from companion.views.review import session_review as worded
from tests.session.test_exercises import keep


@pytest.fixture
def played(session: api.Session) -> api.Session:
    """A session of a few actions, with a fight and a search, and one undone."""
    session.do("march", "Red", "ford", dice=6)
    session.do("fight", "Blue", accept=True)
    session.do("search", accept=True)
    session.do("rest")
    session.undo()
    return session


def test_review_adds_up(played: api.Session) -> None:
    before = played.position
    review = played.review("quick")

    assert sum(part.change.vp for part in review.parts) == pytest.approx(review.result.vp)
    assert (review.level, review.unit, review.over, review.undone) == ("quick", "VP", False, 1)
    assert review.parts[0].part == "start" and review.points[0].expected == review.parts[0].change
    assert review.points[-1].expected == review.result and 0 < len(review.moments) <= 10
    assert all(0 <= accuracy.mean <= 100 for accuracy in review.accuracies)
    assert sum(accuracy.decisions for accuracy in review.accuracies) == len(review.decisions) > 0
    assert played.position == before


def test_review_has_the_figures_of_the_command(played: api.Session) -> None:
    review = played.review("quick")
    controller = played._controller
    data = review_data(worded(controller, session_review(controller, "quick")))

    assert review.said == data["said"]
    figures = [[one.expected.vp, one.expected.win, one.loss, one.grade] for row in review.decisions for one in row.alternatives]
    rows = [row for decision in data["decisions"] for row in decision["alternatives"]]
    assert [figure[:3] for figure in figures] == [[row["vp"], row["win"], row["loss"]] for row in rows]
    for decision, row in zip(review.decisions, data["decisions"], strict=True):
        assert decision._replace(alternatives=())._asdict() == {**row, "alternatives": ()}
    assert [tuple(moment[:7]) for moment in review.moments] == [tuple(row.values())[:7] for row in data["moments"]]
    assert [part.title for part in review.parts] == [row["title"] for row in data["shares"]]


def test_review_is_kept_and_found_again(played: api.Session, monkeypatch: pytest.MonkeyPatch) -> None:
    review = played.review("quick")
    monkeypatch.setattr(Reviewer, "review", None)  # nothing is reviewed again
    assert played.review("quick") == review


def test_turns_and_seat_limit_a_review(played: api.Session) -> None:
    turn = max(point.turn for point in played.review("quick").points)
    assert played.review("quick", first=turn, last=turn, seat=played.seats[0].id).points[0].turn == turn
    with pytest.raises(api.Impossible) as refused:
        played.review("quick", first=90)
    assert (refused.value.message, refused.value.cure) == ("turn 90 was not played", f"It has 0 to {turn}")
    for wrong in ({"level": "slow"}, {"seat": "nobody"}, {"jobs": 0}):
        with pytest.raises(api.Unreadable):
            played.review(**{"level": "quick", **wrong})  # type: ignore[arg-type]


def test_nothing_to_review_before_the_first_action(session: api.Session) -> None:
    with pytest.raises(api.Impossible):
        session.review("quick")


def test_archive_that_cannot_be_written_is_reviewed(tiny_game: str, tmp_path: Path) -> None:
    path = os.fspath(tmp_path / "club.sqlite3")
    with api.open_archive(path) as archive:
        session = archive.begin("tiny", seed=1)
        session.do("search", accept=True)
        session.do("rest")
    with Archive(path, database.connect_read_only(path)) as store:
        review = api.Archive(store, practice=False).session().review("quick")
        assert review.points and not store.analysis_levels(1, "review")


def test_mistakes_of_a_review_are_exercises(played: api.Session) -> None:
    assert played.exercises() == ()
    keep(played._controller)  # of a review that found a blunder
    (exercise,) = played.exercises()

    assert (exercise.source, exercise.game, exercise.key) == (played.name, "tiny", "to")
    assert exercise.question and (exercise.question.key, exercise.question.kind) == ("to", exercise.kind)
    assert [(one.text, one.taken) for one in exercise.alternatives] == [("hill", False), ("ford", True)]
    assert exercise.right == ("hill",) and exercise.alternatives[1].grade == "blunder"
    assert not exercise.position.at("ford") and played.position.at("ford")


@pytest.mark.parametrize("game", ["fallujahcards", "lzalbany"])
def test_exercises_of_a_game_can_be_answered(game: str) -> None:
    exercises = api.exercises(game)

    assert len({one.id for one in exercises}) == len(exercises) > 0
    for exercise in exercises:
        assert (exercise.game, exercise.source, exercise.best) == (game, "", exercise.alternatives[0].text)
        assert exercise.best in exercise.right and len(exercise.right) < len(exercise.alternatives)
        assert (exercise.question is None) == (exercise.key == "action")
        if exercise.question:
            assert (exercise.question.key, exercise.question.seat) == (exercise.key, exercise.seat)
        assert exercise.position.pieces
        for one in exercise.alternatives:
            assert (one.text in exercise.right) >= (one.loss <= 0)


def test_game_without_exercises_has_none(tiny_game: str) -> None:
    assert api.exercises("tiny") == ()
