"""The second screen (watch) at any size."""

from __future__ import annotations

import re
from copy import copy

import pytest

from companion.games import GAMES
from companion.session.state import SessionState
from companion.session.store import Archive
from companion.views.dashboard import (
    ScreenRow,
    Snapshot,
    clip,
    dashboard,
    large_bands,
    large_letters,
    large_width,
    side_by_side,
    snapshot,
    with_odds,
)
from companion.views.lines import truncate
from tests.support.commands import companion

_CODES = re.compile(r"\x1b\[[0-9;]*m")
SIZES = [(40, 12), (60, 16), (80, 24), (100, 24), (120, 40), (200, 60), (24, 6), (10, 3)]


def session_snapshot(name: str = "") -> Snapshot:
    """Return a snapshot of a session with odds."""
    with Archive.open_existing() as archive:
        return with_odds(snapshot(SessionState.open(archive, name)))


def text(view: Snapshot, width: int, height: int, big: bool = False) -> str:
    return "\n".join(row.text for row in dashboard(view, width, height, "", big).rows(height))


@pytest.fixture(params=list(GAMES))
def begun(request: pytest.FixtureRequest) -> Snapshot:
    """A snapshot of each game after its set-up, or at its first question."""
    companion("printed", request.param, "import", "practice")
    companion("new", request.param, "--seed", "3", "--accept")
    return session_snapshot()


@pytest.mark.parametrize("big", [False, True])
def test_fits_every_screen_size_with_question_and_figures(begun: Snapshot, big: bool) -> None:
    for width, height in SIZES:
        result = dashboard(begun, width, height, "dark", big).rows(height)
        assert len(result) <= max(height, 6), (width, height)
        assert max(len(row.text) for row in result) <= max(width, 24), (width, height)
        assert [_CODES.sub("", row.shown).rstrip() for row in result] == [row.text.rstrip() for row in result]
    small = text(begun, 40, 12)
    expected = "Your action" if begun.pending is None else begun.pending.prompt.split()[0]
    assert expected in small
    for field in begun.banner.fields[:3]:
        assert f"{field.label} {field.value}".strip()[:30] in small


def test_a_large_screen_shows_every_panel(begun: Snapshot) -> None:
    whole = text(begun, 200, 60)

    assert "-- Last ---" in whole
    assert all(f"-- {title} ---" in whole for title in ("Cups",) if any(begun.position.count(cup) for cup in begun.game.cups))
    rows = whole.splitlines()
    last = next(number for number, row in enumerate(rows) if "-- Last ---" in row)
    assert begun.map is None or any(begun.map.title[-20:] in row for row in rows[:last])  # the map stands on top


@pytest.fixture
def tiny(tiny_game: str) -> str:
    companion("new", "tiny", "--scenario", "day", "--seed", "7", "--name", "monday")
    return "monday"


def test_tracks_are_bars_or_names(tiny: str) -> None:
    rows = text(session_snapshot(), 80, 24).splitlines()
    supply = next(row for row in rows if row.startswith("Supply  "))
    mood = next(row for row in rows if row.startswith("Mood "))

    assert re.fullmatch(r"Supply +8 #{19}\.{21} -3\.\.20", supply)  # 11 of 23 of forty
    assert mood.split() == ["Mood", "low", "[middling]", "high"]
    assert "Mood    [middling] 2 of 3" in text(session_snapshot(), 30, 16)


def test_on_24_rows_tracks_and_map_come_first_and_the_rest_can_be_scrolled(begun: Snapshot) -> None:
    board = dashboard(begun, 80, 24)
    whole = [row.text for row in (*board.pinned, *board.body)]
    first = whole[:24]

    assert len(board.pinned) <= 12
    assert begun.map is None or any(row.startswith(begun.map.title.partition(":")[0]) for row in first[2:])
    assert any(row.startswith("-- Last ---") for row in whole)
    assert board.rows(24, 5) == [*board.pinned, *board.body[5:]][:24]


def test_tracks_have_the_ends_of_the_game_in_play_and_their_whole_names(begun: Snapshot) -> None:
    for width in (40, 80, 120):
        board = dashboard(begun, width, 40)
        rows = [row.text for row in board.body]
        for track in begun.game.tracks.values():
            ends = begun.ends[track.id]
            if ends.high is not None and not track.names:
                row = next(number for number, row in enumerate(rows) if row.startswith(track.title))
                assert f" {ends.low}..{ends.high}" in f"{rows[row]} {rows[row + 1]}"


def test_a_title_that_is_too_long_has_a_row_of_its_own(tiny: str) -> None:
    view = session_snapshot()
    game = copy(view.game)
    game.tracks = {**game.tracks, "supply": game.tracks["supply"]._replace(title="Supply of everything at the ford")}
    rows = text(view._replace(game=game), 50, 40).splitlines()

    at = rows.index("Supply of everything at the ford")
    assert re.fullmatch(r" +8 #+\.+ -3\.\.20", rows[at + 1])


@pytest.mark.parametrize("width", [36, 40, 44, 48])
def test_a_bar_leaves_room_for_the_ends(tiny: str, width: int) -> None:
    """The bar fills the room beside title, value and bounds."""
    row = next(line for line in text(session_snapshot(tiny), width, 40).splitlines() if line.startswith("Supply  "))

    assert row.rstrip().endswith(" -3..20")
    assert width - 1 <= len(row.rstrip()) <= width


def test_changed_figures_show_their_old_value(tiny: str) -> None:
    companion("do", "march", "red", "ford", "--dice", "1")

    assert "8 -> 7" in text(session_snapshot(), 40, 12)
    shown = "".join(row.shown for row in dashboard(session_snapshot(), 80, 24, "dark").pinned)
    assert "\x1b[1;96m" in shown


def test_question_with_odds(tiny: str) -> None:
    companion("do", "fight", "blue", "--dice", "5,5")
    result = session_snapshot()
    whole = text(result, 80, 24)

    assert "Another round" in whole
    assert " %" in whole
    assert "Another round" in text(result, 40, 12)
    assert "Another round" in text(result, 24, 6)


def test_finished_game_shows_the_result(tiny: str) -> None:
    companion("do", "rest", "--anyway")
    companion("adjust", "mood", "0", "--why", "so that nobody minds")
    companion("do", "stop")

    assert "The game is over" in text(session_snapshot(), 40, 12)


def test_large_letters_have_five_rows_and_the_stated_width() -> None:
    for word in ("0123456789", "AZ+-/.", "x", ""):
        shape = large_letters(word)
        assert len(shape) == 5
        assert max(map(len, shape)) <= large_width(word)
    assert large_letters("1") == ["  ##", "####", "  ##", "  ##", "######"]
    assert [[label for label, _ in band] for band in large_bands([("a", "11"), ("b", "22"), ("c", "33")], 40)] == [
        ["a", "b"],
        ["c"],
    ]


def test_rows_are_truncated_clipped_and_joined() -> None:
    assert truncate("a long text", 8) == "a lon..."
    assert [row.text for row in clip([ScreenRow("a", "a"), ScreenRow("b", "b"), ScreenRow("c", "c")], 2, 10)] == ["a", "b ..."]
    assert [row.text for row in side_by_side([ScreenRow("a", "a")], [ScreenRow("b", "b"), ScreenRow("c", "c")], 3)] == [
        "a    b",
        "     c",
    ]
