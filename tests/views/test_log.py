"""The log: parts of it by time and words, new entries, and undone ones."""

from __future__ import annotations

import pytest
from freezegun import freeze_time

from companion.core.errors import Unreadable
from companion.session.controller import Answers, SessionController
from companion.session.store import Archive, utc_now
from companion.views.lines import line_texts
from companion.views.log import ShownLog, entries_containing, entries_since, log_data, log_lines, new_log_lines
from tests.support.commands import companion

pytestmark = pytest.mark.usefixtures("tiny_game")


@pytest.fixture
def session(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> SessionController:
    """A session set up at 20:00, with actions at 21:00 and at noon of the next day."""
    with freeze_time("2026-03-01 20:00") as clock:
        session = SessionController.create(archive, "tiny", seed="7")
        clock.move_to("2026-03-01 21:00")
        session.do("march", Answers(plain=["red", "ford"], dice=[2]))
        clock.move_to("2026-03-02 12:00")
        session.do("rest")
        session.note("the Bridge is gone")
    return session


@freeze_time("2026-03-02 13:00")
@pytest.mark.parametrize(
    ("when", "found"),
    [
        ("2", {2, 3}), ("9", set()), ("2026-03-02", {3}), ("2026-03-01 20:30", {2, 3}), ("11:59", {3}), ("12:01", set()),
        ("90m", {3}), ("16h", {2, 3}), ("2d", {1, 2, 3}), ("2026-03-02T12:00:00Z", {3}),
    ],
)  # fmt: skip
def test_entries_since_a_moment(session: SessionController, when: str, found: set[int]) -> None:
    assert entries_since(session.history, when, utc_now()) == found


@pytest.mark.parametrize("when", ["soon", "2026-13-01", "h", "9999999d", "25:00", ""])
def test_unreadable_moment_is_refused(session: SessionController, when: str) -> None:
    with pytest.raises(Unreadable, match="neither a time nor an action") as fault:
        entries_since(session.history, when, utc_now())
    assert "90m" in fault.value.cure


def test_entries_containing_words(session: SessionController) -> None:
    assert entries_containing(session.game, session.history, "BRIDGE") == {3}
    assert entries_containing(session.game, session.history, "ford") == {2}
    assert entries_containing(session.game, session.history, "[2.1]") == {2}
    assert entries_containing(session.game, session.history, "nowhere") == set()


def test_new_entries_are_shown_once(session: SessionController) -> None:
    output = ShownLog.of(session.history)
    assert new_log_lines(session.game, session.history, output) == ([], output)
    session.do("rest")
    session.note("dull")
    lines, output = new_log_lines(session.game, session.history, output)

    assert line_texts(lines)[0].split()[:3] == ["4", "rest", "-"] and line_texts(lines)[-1] == "     note: dull"
    session.undo()
    lines, output = new_log_lines(session.game, session.history, output)
    assert line_texts(lines) == ["  ~  undone: 4"]
    session.do("march", Answers(plain=["blue", "ford"], dice=[2]))
    assert new_log_lines(session.game, session.history, output, "nowhere")[0] == []
    assert "Blue" in line_texts(new_log_lines(session.game, session.history, output, "blue")[0])[1]


def test_undo_past_a_roll_is_marked(tiny_game: str) -> None:
    """Only an undo of an action with dice is marked in the log."""
    for line in (f"new {tiny_game} --seed 1", "do rest", "undo", "do march unit=Red to=ford", "undo"):
        assert companion(*line.split()).code == 0, line
    changes = [line for line in companion("log", "--undone").out.splitlines() if line.startswith("  ~")]

    assert changes == ["  ~  undone: 2", "  ~  undone: 3 (past a roll)"]


class Unsearched(list[int]):
    """Numbers that nobody may search through."""

    def __contains__(self, number: object) -> bool:
        raise AssertionError("a long log is searched through for each of its actions")


def test_the_time_of_a_log_grows_with_its_length_alone(session: SessionController) -> None:
    """Actions in force are found without going through all of them: 10,000 would take 25 times as long as 2,000."""
    session.undo(1)
    history = session.history
    texts = line_texts(log_lines(session.game, history, undone=True))
    history.force = Unsearched(history.force)
    assert line_texts(log_lines(session.game, history, undone=True)) == texts
    assert [entry["entry"] for entry in log_data(history)["entries"]] == [1, 2]
    assert entries_containing(session.game, history, "ford") == {2}
    assert history.status(3) == "taken back" and history.status(2) == "in force" and not history.is_in_force(0)
