"""The report: what a reader of an after-action report finds, and no backslash where none is needed."""

from __future__ import annotations

import pytest
from freezegun import freeze_time

from companion.session.desk import Answers, Desk
from companion.session.store import Archive
from companion.views.report import markdown, report_md


def report(desk: Desk) -> str:
    return report_md(desk.info.name, desk.game, desk.history, desk.options)


@pytest.mark.usefixtures("tiny_game")
def test_it_begins_with_when_it_was_played_and_what_the_dice_did(archive: Archive) -> None:
    """Ten minutes on the first day, a night, and five on the next day are a quarter of an hour at the table."""
    with freeze_time("2026-03-01 20:00") as clock:
        desk = Desk.create(archive, "tiny", seed="7")
        clock.tick(600)
        desk.do("fight", Answers(plain=["blue"], dice=[5, 1], accept=True))
        clock.move_to("2026-03-02 19:00")
        desk.do("scout", Answers(plain=["left"]))
        clock.tick(300)
        desk.do("rest")
        desk.undo()
    (shown,) = (row for row in report(Desk.open(archive)).splitlines() if row.startswith("Session"))

    assert "Played 2026-03-01 to 2026-03-02, 0 h 15 min at the table." in shown
    assert "1 die by Companion" in shown and "2 dice by the players, 3.00 on average." in shown


@pytest.mark.usefixtures("tiny_game")
def test_the_set_up_comes_last_and_the_actions_are_counted(archive: Archive) -> None:
    desk = Desk.create(archive, "tiny", seed="7")
    desk.do("rest")
    desk.undo()
    desk.do("rest")
    desk.do("fight", Answers(plain=["blue"], accept=True))
    rows = report(desk).splitlines()

    assert [row for row in rows if row.startswith(("**1", "**2", "**3"))] == ["**1. rest - Rest**", "**2. fight - Fight**"]
    assert rows.index("## The count if it ended now") < rows.index("## The play") < rows.index("## The set-up")
    assert any(row.endswith("; 2 printed values") for row in rows)


@pytest.mark.usefixtures("tiny_game")
def test_turns_of_several_actions_have_a_heading(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk.create(archive, "tiny", seed="7")
    for _ in range(2):
        desk.do("rest")
    for _ in range(5):
        desk.adjust([("supply", str(desk.position.track("supply") + 1))], "seen")
    headings = [row for row in report(desk).splitlines() if row.startswith("### ")]

    assert headings == ["### Turn 0", "### Turn 1", "### Turn 2"]


def test_a_backslash_stands_only_where_markdown_would_take_the_text_for_markup() -> None:
    plain = "Edge: Coalition 5+1* = 6, ford_cost -> lost [16.1(2)]; 3 < 4 | 5, C&C"
    assert markdown(plain) == plain
    assert [markdown(text) for text in ("*a*", "_a_", "`a`", "<b>", "[a](b)", "# a", "> a", "1. a", "- a", "&amp;")] == [
        "\\*a*", "\\_a_", "\\`a`", "\\<b>", "[a\\](b)", "\\# a", "\\> a", "1\\. a", "\\- a", "\\&amp;",
    ]  # fmt: skip
