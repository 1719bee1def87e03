"""A part of the log: by time, by words, and what has come since."""

from __future__ import annotations

import pytest
from freezegun import freeze_time

from companion.core.errors import Unreadable
from companion.session.controller import Answers, SessionController
from companion.session.store import Archive, utc_now
from companion.views.lines import line_texts
from companion.views.log import ShownLog, entries_containing, entries_since, new_log_lines

pytestmark = pytest.mark.usefixtures("tiny_game")


@pytest.fixture
def desk(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> SessionController:
    """Set up on the first evening at eight, one action at nine, one on the next day at noon."""
    with freeze_time("2026-03-01 20:00") as clock:
        desk = SessionController.create(archive, "tiny", seed="7")
        clock.move_to("2026-03-01 21:00")
        desk.do("march", Answers(plain=["red", "ford"], dice=[2]))
        clock.move_to("2026-03-02 12:00")
        desk.do("rest")
        desk.note("the Bridge is gone")
    return desk


@freeze_time("2026-03-02 13:00")
@pytest.mark.parametrize(
    ("when", "found"),
    [
        ("2", {2, 3}), ("9", set()), ("2026-03-02", {3}), ("2026-03-01 20:30", {2, 3}), ("11:59", {3}), ("12:01", set()),
        ("90m", {3}), ("16h", {2, 3}), ("2d", {1, 2, 3}), ("2026-03-02T12:00:00Z", {3}),
    ],
)  # fmt: skip
def test_from_a_moment_on(desk: SessionController, when: str, found: set[int]) -> None:
    assert entries_since(desk.history, when, utc_now()) == found


@pytest.mark.parametrize("when", ["soon", "2026-13-01", "h", "9999999d", "25:00", ""])
def test_what_is_no_moment_is_refused(desk: SessionController, when: str) -> None:
    with pytest.raises(Unreadable, match="neither a time nor an action") as fault:
        entries_since(desk.history, when, utc_now())
    assert "90m" in fault.value.cure


def test_with_some_words_in_it(desk: SessionController) -> None:
    assert entries_containing(desk.game, desk.history, "BRIDGE") == {3}
    assert entries_containing(desk.game, desk.history, "ford") == {2}
    assert entries_containing(desk.game, desk.history, "[2.1]") == {2}
    assert entries_containing(desk.game, desk.history, "nowhere") == set()


def test_what_has_come_since_is_told_once(desk: SessionController) -> None:
    told = ShownLog.of(desk.history)
    assert new_log_lines(desk.game, desk.history, told) == ([], told)
    desk.do("rest")
    desk.note("dull")
    lines, told = new_log_lines(desk.game, desk.history, told)

    assert line_texts(lines)[0].split()[:3] == ["4", "rest", "-"] and line_texts(lines)[-1] == "     note: dull"
    desk.undo()
    lines, told = new_log_lines(desk.game, desk.history, told)
    assert line_texts(lines) == ["  ~  undone: 4"]
    desk.do("march", Answers(plain=["blue", "ford"], dice=[2]))
    assert new_log_lines(desk.game, desk.history, told, "nowhere")[0] == []
    assert "Blue" in line_texts(new_log_lines(desk.game, desk.history, told, "blue")[0])[1]
