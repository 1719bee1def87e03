"""The loop on a real screen: what the player sees, whatever the size, and whatever is typed when."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("pexpect")
pytest.importorskip("pyte")

from tests.support.screen import Screen

MORE = "-- more: Space or Enter, q stops --"
Begin = Callable[..., Screen]


@pytest.fixture
def begin() -> Iterator[Begin]:
    """Begins a session, and plays it at a terminal of some size."""
    begun: list[Screen] = []

    def one(rows: int = 24, columns: int = 80, dice: str = "computer", **env: str) -> Screen:
        Screen("new", "tiny", "--scenario", "day", "--seed", "7", "--dice", dice, "--json").end()
        begun.append(Screen("play", rows=rows, columns=columns, **env).wait("action >"))
        return begun[-1]

    yield one
    for screen in begun:
        screen.child.close(force=True)


@pytest.mark.parametrize(("rows", "columns"), [(24, 80), (12, 40), (40, 120)])
def test_the_foot_is_at_the_foot_and_nothing_of_it_stays_behind(begin: Begin, rows: int, columns: int) -> None:
    screen = begin(rows, columns)
    screen.type("rest").wait("8 -> 9").type("fight blue").wait("Another round", "[no] >")

    assert screen.rows[-1] == "Supply 9"
    assert screen.rows[-2] == "turn | ? Another round"
    screen.type("n").at("[?] action >").type("/quit")
    whole = screen.end()
    assert "turn | ? Another round" not in whole
    assert screen.glass.broken == []


@pytest.mark.slow
def test_a_new_size_in_the_middle_of_an_answer_loses_nothing_of_it(begin: Begin) -> None:
    screen = begin()
    screen.type("fight blue").wait("[no] >").type("ye", end="").wait("[no] > ye")
    for rows, columns in ((24, 40), (12, 40), (30, 120), (24, 80)):
        screen.resize(rows, columns).wait("[no] > ye", "Supply 8")
        assert screen.text.count("turn | ?") == 1
        assert screen.rows[-1] == "Supply 8"
    screen.type("s").wait("Another round").type("no").wait("action >")

    assert "[no] > yes" in screen.whole


@pytest.mark.slow
def test_space_and_enter_go_on_q_stops_and_the_transcript_is_unbroken(begin: Begin) -> None:
    screen = begin(12, 80)
    screen.type("/help").wait(MORE).type(" ", "").wait("/note", MORE).type("\r", "").at("[?] action >")
    whole = screen.whole
    screen.type("/help").wait(MORE).type("q", "").at("[?] action >")

    assert "leave; everything is saved" in whole
    assert MORE not in screen.whole
    assert screen.whole.count("leave; everything is saved") == 1


@pytest.mark.slow
def test_what_is_typed_at_a_full_screen_answers_nothing(begin: Begin) -> None:
    screen = begin(12, 80)
    screen.type("fight blue").wait("[no] >").type("/help").wait(MORE)
    screen.type("yes").wait("Not taken: 'yes', typed while this was shown", "[no] >", gone=MORE)

    assert screen.text.count("Another round") <= 2


@pytest.mark.slow
def test_a_command_typed_at_a_full_screen_is_carried_out(begin: Begin) -> None:
    screen = begin(12, 80)
    screen.type("/help").wait(MORE).type("/note rain").wait("Noted", "action >")


@pytest.mark.slow
@pytest.mark.parametrize("key", ["\x03", "\x04"])
def test_ctrl_c_and_ctrl_d_leave_any_prompt_in_order(begin: Begin, key: str) -> None:
    """At a full screen, a yes or no, a reason, a question and the action prompt."""
    screen = begin(12, 80)
    screen.type("/help").wait(MORE).type(key, "").wait("action >", gone=MORE)
    screen.type("fire").wait("Record it anyway?").type(key, "").wait("Nothing done", "action >")
    screen.type("/adjust supply 3").wait("Why?").type(key, "").wait("action >")
    screen.type("fight blue").wait("[no] >").type(key, "")
    if key == "\x03":
        screen.wait("Keep it for later and leave (k)").type(key, "")
    whole = screen.end()

    assert "Saved: session tiny-1" in whole
    assert "Traceback" not in whole
    assert screen.child.exitstatus == 0


@pytest.mark.slow
def test_tab_says_what_it_offers_and_a_grey_line_what_was_typed_before(begin: Begin) -> None:
    screen = begin()
    screen.type("march red t\t", end="").wait("march red to=").type("fo\t", end="").wait("to=Ford")
    screen.type("").wait("Camp -> Ford").at("[?] action >")
    screen.type("/adjust \t", end="").wait("Red", "Supply").type("\x03", end="").at("[?] action >")
    screen.type("mar", end="").at("[?] action > march red to=Ford")
    grey = screen.glass.buffer[screen.glass.cursor.y][len("[?] action > march")]
    assert grey.fg != screen.glass.buffer[screen.glass.cursor.y][len("[?] action > ")].fg
    screen.type("\x1b[C", end="").type("").wait("> march red to=Ford")


@pytest.mark.slow
def test_a_terminal_that_never_says_where_its_cursor_is_has_a_foot_too(begin: Begin) -> None:
    screen = begin(PROMPT_TOOLKIT_NO_CPR="1")

    assert screen.foot(2) == ["turn", "Supply 8"]


@pytest.mark.slow
def test_without_colours_the_foot_says_the_same(begin: Begin) -> None:
    screen = begin(NO_COLOR="1")

    assert screen.foot(2) == ["turn", "Supply 8"]
    assert all(cell.fg == "default" for row in screen.glass.buffer.values() for cell in row.values())


@pytest.mark.slow
def test_a_plain_loop_draws_nothing_anew_and_says_all_there_is(begin: Begin) -> None:
    """For a terminal that is read aloud: no foot, no colour, no code but the text itself."""
    begin().type("/quit").end()
    screen = Screen("--plain", "play", NO_COLOR="1")
    raw: list[str] = []
    feed = screen.stream.feed
    screen.stream.feed = lambda data: (raw.append(data), feed(data))[1]  # type: ignore[method-assign]
    screen.wait("Supply 8").at("[?] action >").type("rest").wait("Supply 9").at("[?] action >").type("/quit")
    screen.end()

    assert "\x1b" not in "".join(raw)
    assert screen.child.exitstatus == 0


def test_who_wants_no_pause_gets_none(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('pause = "off"\n')
    whole = Screen("games", "tiny", rows=12, COMPANION_CONFIG=str(tmp_path / "config.toml")).end()

    assert MORE not in whole
    assert "8 rules in the register" in whole


@pytest.mark.slow
def test_a_shell_command_longer_than_the_screen_says_what_it_did_not_run() -> None:
    screen = Screen("games", "tiny", rows=12).wait(MORE)
    whole = screen.type("companion status").end()

    assert "Not run: companion status" in whole


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("tmux"), reason="tmux is not installed: no terminal that breaks its rows anew")
def test_a_terminal_that_breaks_its_rows_anew_keeps_no_ghost_of_the_foot(begin: Begin, tmp_path: Path) -> None:
    """tmux, as most terminals do, lays old rows out to a new width."""
    begin().type("/quit").end()

    def tmux(*words: str) -> str:
        done = subprocess.run(
            ["tmux", "-L", tmp_path.name, "-f", "/dev/null", *words], capture_output=True, text=True, check=True
        )
        return done.stdout

    def waits(text: str) -> str:
        for _ in range(300):
            if text in (shown := tmux("capture-pane", "-p")):
                return shown
            time.sleep(0.2)
        raise AssertionError(shown)

    import sys

    tmux("new-session", "-d", "-x", "100", "-y", "24", f"{sys.executable} -m tests.support.with_tiny play")
    try:
        tmux("set", "-g", "status", "off")
        waits("Supply 8\n")
        tmux("send-keys", "fight blue", "Enter")
        waits("Another round")
        tmux("send-keys", "y" * 70)
        for columns in ("60", "40", "30", "90"):
            tmux("resize-window", "-x", columns, "-y", "24")
            time.sleep(1)
        shown = waits("turn | ? Another round")
        assert shown.count("turn | ? Another round") == 1
        assert shown.count("y" * 70) == 1
    finally:
        tmux("kill-server")


@pytest.mark.slow
def test_the_keys_of_the_first_battle_mean_the_same_from_the_menu_on(tmp_path: Path) -> None:
    """From `companion` to a physical draw: `?` and `-` in menus, hidden lists, whole lines, back, a second Enter, a reason."""
    names = ("COMPANION_DB", "COMPANION_CONFIG", "XDG_DATA_HOME", "COMPANION_CACHE")
    screen = Screen(tiny=False, **{name: str(tmp_path / name) for name in names}).wait("Which game", "[1] >")
    screen.type("?").wait("Enter: the one in brackets", "[1] >").type("").wait("which scenario", "[1] >")
    screen.type("-").wait("Which game").type("").wait("which scenario").type("5").wait("Who rolls and draws")
    screen.type("2").wait("Dice: I roll and draw on the table").type("").wait("All is set up for you", "[buy] action >")
    screen.type("buy 3/1, 3/5, CEB, 2 air; north").wait("recruited").type("off 3/1, CEB; 2-11").wait("Draw 1 of 2", "[draw] >")
    screen.type("2").wait("no list with number 2 is on the screen")
    screen.type("jihadists 9(9)").wait("no counter in the cup 'jihadists 9(9)'")
    screen.type("fedayeen 6").wait("no counter in the cup 'fedayeen 6'")
    screen.type("jihadists 3(2)").wait("Draw 2 of 2").type("militia").wait("Tactical Edge").type("").wait(
        "Enter again: Companion rolls"
    )
    screen.type("").wait("Which Fire Support").type("-").wait("take back").type("-").wait("Draw 2 of 2").type("-").wait(
        "Draw 1 of 2"
    )
    screen.type(".").wait("On the table:", "action >").type("9").wait("9 is end, which ends a phase or turn", "action >")
    screen.type("j1").wait("recruit").type(".").wait("action >")
    screen.type("/adjust 3/1 3-12").wait("Why? [moved by hand]").type("-").wait("Nothing done", "action >")
    screen.type("/quit").end()
    again = Screen(tiny=False, **{name: str(tmp_path / name) for name in names})
    again.wait("Go on with Fallujah 2004, ", "(made-up-1, 20", "made-up set").type("\x03", "").end()
