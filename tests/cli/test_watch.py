"""``companion watch`` in a real terminal: it follows what others do, fits any size, and leaves nothing behind."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("pexpect")
pytest.importorskip("pyte")

from companion.core.errors import BadData
from companion.session.controller import SessionController
from companion.session.database import practice_path
from companion.session.inquiry import SessionViewer
from companion.session.store import Archive
from tests.cli.conftest import Clock, Run
from tests.support.commands import companion
from tests.support.screen import Screen


@pytest.fixture
def tiny(tiny_game: str) -> str:
    companion("new", "tiny", "--scenario", "day", "--seed", "7", "--name", "monday")
    return "monday"


@pytest.fixture
def screens() -> Iterator[list[Screen]]:
    """The terminals of a test; closed at its end, whatever came of it."""
    opened: list[Screen] = []
    yield opened
    for one in opened:
        one.child.close(force=True)


def watching(screens: list[Screen], *words: str, rows: int = 24, columns: int = 80, **env: str) -> Screen:
    one = Screen("watch", *words, rows=rows, columns=columns, **env)
    screens.append(one)
    return one.wait("Supply")


@pytest.mark.parametrize(("rows", "columns"), [(12, 40), (24, 80), (40, 120)])
def test_it_follows_play_and_undo_of_another_process(tiny: str, screens: list[Screen], rows: int, columns: int) -> None:
    screen = watching(screens, rows=rows, columns=columns)
    screen.wait("Your action")
    companion("do", "march", "red", "ford", "--dice", "1")
    screen.wait("8 -> 7")
    companion("undo")
    screen.wait("Supply 8", gone="8 -> 7")
    companion("do", "fight", "blue")
    screen.wait("Another round", " %")
    screen.type("q", "").end()

    assert screen.child.exitstatus == 0
    assert screen.glass.broken == []


def test_it_fits_the_terminal_whenever_that_changes(tiny: str, screens: list[Screen]) -> None:
    screen = watching(screens, rows=24, columns=80)
    for rows, columns in ((12, 40), (40, 120), (6, 30), (24, 80)):
        screen.resize(rows, columns).wait("Your action", "Supply 8")
        assert len(screen.text.splitlines()) <= rows
    screen.type("b", "").wait("Supply", "######")
    screen.type("b", "").wait("Supply 8")


def test_keys_scroll_and_are_listed(tiny: str, screens: list[Screen]) -> None:
    """The last row names the keys; what does not fit is reached by them, and stays where it is while the session goes on."""
    for _ in range(3):
        companion("do", "rest")
    screen = watching(screens, rows=14, columns=80)
    screen.wait("q leaves", "? keys", "rows 1 to ")
    screen.type("?", "").wait("Any key goes back", "the next rows", gone="Supply")
    screen.type("x", "").wait("Supply", gone="Any key goes back")
    screen.type("G", "").wait("-- Cups ---", gone="-- Tracks ---")
    companion("do", "rest")
    screen.wait("11 -> 12", "-- Cups ---")
    screen.type("g", "").wait("-- Tracks ---", "rows 1 to ")
    screen.type("\x1b[B", "").wait("rows 2 to ", gone="-- Tracks ---").type("k", "").wait("rows 1 to ")
    screen.type(" ", "").wait(gone="rows 1 to ").type("\x1b[5~", "").wait("rows 1 to ")
    screen.resize(60, 80).wait("q leaves", gone="rows 1 to ")
    screen.type("q", "").end()


def test_it_follows_the_session_in_use_and_one_that_was_named_alone(tiny: str, screens: list[Screen]) -> None:
    free, bound = watching(screens), watching(screens, "--session", "monday")
    companion("new", "tiny", "--scenario", "night", "--seed", "1", "--name", "tuesday", "--accept")
    free.wait("tuesday")
    companion("do", "rest")
    free.wait("tuesday")
    companion("do", "march", "red", "ford", "--session", "monday", "--dice", "1")
    bound.wait("monday", "8 -> 7")

    assert "tuesday" not in bound.text


@pytest.mark.slow
def test_an_archive_that_is_moved_is_waited_for(tiny: str, screens: list[Screen]) -> None:
    path = Path(os.environ["COMPANION_DB"])
    screen = watching(screens)
    path.rename(path.with_name("elsewhere"))
    screen.wait("is gone", "q leaves")
    path.with_name("elsewhere").rename(path)
    screen.wait("Supply 8", gone="is gone")
    companion("do", "march", "red", "ford", "--dice", "1")
    screen.wait("8 -> 7")


def test_another_archive_in_its_place_is_shown(tiny: str, screens: list[Screen], tmp_path: Path) -> None:
    path = Path(os.environ["COMPANION_DB"])
    screen = watching(screens)
    companion("new", "tiny", "--scenario", "night", "--name", "other", "--accept", "--db", str(tmp_path / "second.sqlite3"))
    os.replace(tmp_path / "second.sqlite3", path)

    screen.wait("other")


@pytest.mark.parametrize("end", ["q", "\x03", "\x04"])
def test_it_ends_by_a_key_and_gives_the_terminal_back(tiny: str, screens: list[Screen], end: str) -> None:
    screen = watching(screens)
    raw: list[str] = []
    feed = screen.stream.feed
    screen.stream.feed = lambda data: (raw.append(data), feed(data))
    screen.type(end, "").end()

    assert screen.child.exitstatus in (0, 130)
    assert "\x1b[?1049l" in "".join(raw)
    assert "\x1b[?25h" in "".join(raw)


def test_whoever_ends_the_program_finds_the_terminal_as_it_was(tiny: str, screens: list[Screen]) -> None:
    screen = watching(screens)
    raw: list[str] = []
    feed = screen.stream.feed
    screen.stream.feed = lambda data: (raw.append(data), feed(data))
    screen.child.kill(15)
    screen.end()

    assert "\x1b[?1049l" in "".join(raw)


def test_nobody_waits_for_it(tiny: str, screens: list[Screen]) -> None:
    """Whoever wants the archive for himself alone gets it while somebody looks on, and afterwards."""
    watching(screens)
    path = os.environ["COMPANION_DB"]
    writer = sqlite3.connect(path, timeout=0, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("COMMIT")
    assert writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
    screens[0].type("q", "").end()
    writer.execute("PRAGMA locking_mode = EXCLUSIVE")
    writer.execute("BEGIN EXCLUSIVE")
    writer.execute("COMMIT")
    writer.close()


def test_it_can_write_nothing(tiny: str) -> None:
    onlooker = SessionViewer("", "")
    session = onlooker.poll()
    assert session is not None
    with pytest.raises(BadData, match="read-only"):
        session.archive.use(session.info)
    assert onlooker.poll() is None
    onlooker.close()


def test_it_looks_again_only_where_something_has_changed(tiny: str) -> None:
    onlooker = SessionViewer("", "")
    first = onlooker.poll()
    assert onlooker.poll() is None
    with Archive.open() as archive:
        archive.use(archive.session("monday"))
        assert onlooker.poll() is None
        SessionController.open(archive, "monday").note("tea")
    assert onlooker.poll() is first
    assert onlooker.poll() is None
    onlooker.close()


def test_an_archive_of_an_older_companion_is_not_touched(tiny: str) -> None:
    path = os.environ["COMPANION_DB"]
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 1")
    db.close()

    told = " ".join(companion("watch").err.split())
    assert told == f"{path} was written by an older Companion Bring it up to date: companion sessions"


def test_without_a_terminal_it_is_one_picture(begun: Run) -> None:
    begun("do", "rest")
    text = begun("watch").stdout

    assert "\x1b" not in text
    assert "Your action" in text
    assert max(map(len, text.splitlines())) <= 80
    assert '"position"' in begun("watch", "--json").stdout
    assert "######" in begun("watch", "--big").stdout


def test_a_game_of_practice_is_followed_where_it_was_played_last(clock: Clock, tiny: str) -> None:
    """The two archives stand beside each other; whoever looks on need not know that."""
    beside = practice_path("")
    clock()
    companion("new", "tiny", "--scenario", "day", "--name", "trial", "--db", beside)
    assert "trial" in companion("watch").out and "monday" in companion("watch", "--session", "monday").out

    clock()
    companion("do", "rest", "--session", "monday")
    assert "monday" in companion("watch").out and "trial" in companion("watch", "--db", beside).out


def test_there_is_nothing_to_follow_without_an_archive(run: Run) -> None:
    assert "archive" in run("watch", code=4).stderr


@pytest.mark.skipif(sys.platform == "win32", reason="rights are told otherwise there")
def test_a_plain_terminal_gets_one_picture(tiny: str, screens: list[Screen]) -> None:
    screen = Screen("watch", "--plain")
    screens.append(screen)

    assert "Your action" in screen.end()
