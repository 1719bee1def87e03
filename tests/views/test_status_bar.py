"""The status bar at every width."""

from __future__ import annotations

import pytest

from companion.core.game import Banner, Field
from companion.core.requests import Confirm
from companion.views.dashboard import status_bar_lines
from companion.views.lines import layout

FIELDS = tuple(Field(key, title, value) for key, title, value in [
    ("ops", "OPs", "58"), ("kia", "KIA", "+1"), ("morale", "Morale", "Medium"), ("nodes", "Nodes", "20 concealed, 0 captured"),
    ("cup", "Reaction cup", "26"), ("strikes", "Strikes", "0, NetWar 0"),
])  # fmt: skip
BEFORE = {"ops": "59", "kia": "+1", "cup": "26"}
ASKED = Confirm("withdraw", "Do the units fight on or withdraw to where they came from", "16.7")


def shown(rows: int, columns: int, request: Confirm | None = ASKED) -> list[str]:
    return [line.text for line in status_bar_lines(Banner("Operation 1, battle", FIELDS), BEFORE, request, rows, columns)]


@pytest.mark.parametrize("columns", [20, 40, 60, 80, 120, 200])
@pytest.mark.parametrize("rows", [6, 12, 24, 60])
def test_no_row_is_wider_than_the_screen(rows: int, columns: int) -> None:
    lines = status_bar_lines(Banner("Operation 1, battle", FIELDS), BEFORE, ASKED, rows, columns)

    assert 1 <= len(lines) <= max(rows // 6, 1)
    assert all(len(layout(line, columns)) == 1 and len(line.text) < columns for line in lines)
    assert any("?" in line.text for line in lines)


def test_changed_field_shows_its_old_value() -> None:
    assert shown(24, 120)[1].startswith("OPs 59 -> 58 | KIA +1 | Morale Medium")


def test_changed_fields_stay_when_room_is_short() -> None:
    item = {"ops": "58", "strikes": "1, NetWar 0"}
    rows = [line.text for line in status_bar_lines(Banner("Operation 1", FIELDS), item, None, 12, 40)]

    assert rows == ["Operation 1", "OPs 58 | Strikes 1 -> 0, NetWar 0"]


def test_long_question_is_truncated_and_replaces_the_stage() -> None:
    assert shown(24, 40)[:2] == ["Operation 1, battle", "? Do the units fight on or withdraw..."]
    assert shown(12, 40)[0] == "? Do the units fight on or withdraw..."
    assert shown(24, 80)[0] == "Operation 1, battle | ? Do the units fight on or withdraw to where they came..."
    assert shown(24, 80, None)[0] == "Operation 1, battle"


def test_changed_words_come_first_in_a_truncated_field() -> None:
    groups = Field("groups", "Groups", "AB/1-5 -- AB/2-7 F- CD/2-7 -- 33 -- 66 --")
    was = {"groups": "AB/1-5 -- AB/2-7 -- CD/2-7 -- 33 -- 66 --"}
    rows = [[line.text for line in status_bar_lines(Banner("", (groups,)), was, None, 24, columns)] for columns in (80, 40)]

    assert rows == [["Groups AB/1-5 -- AB/2-7 -- -> F- CD/2-7 -- 33 -- 66 --"], ["Groups AB/2-7 -- -> F-; AB/1-5 -- AB..."]]


def test_commas_of_a_list_are_not_shown_behind_its_changed_words() -> None:
    cards = Field("left", "Left", "Tactics x8, Infantry 544332211, Armor 5544332211, Support 5544332211")
    was = {"left": "Tactics x8, Infantry 5544332211, Armor 5544332211, Support 5544332211"}
    (row,) = status_bar_lines(Banner("", (cards,)), was, None, 24, 60)
    assert row.text.startswith("Left Infantry 5544332211 -> 544332211; Tactics x8, ")
