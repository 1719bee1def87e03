"""Two prompts and other commands on one session at once, in real terminals."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest

pytest.importorskip("pexpect")
pytest.importorskip("pyte")

from tests.support.commands import companion
from tests.support.screen import Screen

Open = Callable[..., Screen]


@pytest.fixture
def play(tiny_game: str) -> Iterator[Open]:
    """Opens `companion play` in a terminal of its own; closed at the end of the test."""
    companion("new", "tiny", "--scenario", "day", "--seed", "7", "--name", "monday")
    opened: list[Screen] = []

    def one(rows: int = 24, columns: int = 80, **env: str) -> Screen:
        opened.append(Screen("play", rows=rows, columns=columns, **env))
        return opened[-1].wait("Session monday").at("[?] action >")

    yield one
    for screen in opened:
        screen.child.close(force=True)


def whole(screen: Screen) -> str:
    """All that a screen has shown, as one line."""
    return re.sub(r"\s+", " ", screen.whole)


def healthy() -> bool:
    return companion("doctor").code == 0


def test_a_change_elsewhere_comes_above_the_prompt(play: Open) -> None:
    """A note keeps the half line in place; an answer of another process takes it away and says so."""
    screen = play()
    screen.type("march r").at(">").type("fo", "").see("> fo")
    companion("note", "well done")
    screen.see("Elsewhere - note: well done").at("> fo")
    companion("answer", "hill-1")
    screen.see("Elsewhere - Where to: hill-1").see("Red: Camp -> hill-1").see("Not sent - fo: ").at("[?] action >")
    screen.type("/quit", "\r").end()

    assert screen.child.exitstatus == 0
    assert healthy()


@pytest.mark.slow
@pytest.mark.parametrize("env", [{}, {"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=["xterm", "NO_COLOR", "dumb"])
@pytest.mark.parametrize("columns", [40, 80, 200])
def test_each_prompt_shows_what_the_other_did(play: Open, columns: int, env: dict[str, str]) -> None:
    first, second = play(columns=columns, **env), play(columns=columns, **env)
    first.type("march r").at(">")
    second.see("Elsewhere - march").see("Where to").at(">").type("ford")
    second.at("[?] action >")
    first.see("Elsewhere - Where to: ford").at("[?] action >").type("/undo").see("On the table:").at("[?] action >")
    second.see("Elsewhere - undone: action 2 march").see("Move Red from Ford to Camp").at("[?] action >")
    for screen in (first, second):
        screen.type("/quit").end()
        assert screen.child.exitstatus == 0
        assert screen.glass.broken == []
        assert "Traceback" not in screen.whole
    assert healthy()


@pytest.mark.slow
@pytest.mark.parametrize("columns", [40, 90])
def test_ctrl_c_while_a_change_is_shown(play: Open, columns: int) -> None:
    """At any moment it is the Ctrl-C of a prompt, or repeats what was shown; nothing is lost."""
    screen = play(columns=columns)
    for number in range(12):
        companion("do", "rest") if number % 3 else companion("undo") if number else companion("do", "rest")
        screen.type("\x03", "")
    companion("note", "the end")
    screen.see("Elsewhere - note: the end").at("[?] action >").type("/quit").end()

    assert screen.child.exitstatus == 0
    assert "Traceback" not in screen.whole and "fault" not in screen.whole
    assert healthy()


@pytest.mark.slow
def test_two_prompts_answer_at_the_same_moment(play: Open) -> None:
    """Each question is answered once, and the one who was late is told; a script of commands answers beside them."""
    first, second = play(rows=60), play(rows=60)
    for number in range(6):
        action = f"march {'red' if number % 2 else 'blue'}"
        first.type(action).at(">")
        second.see("Where to").at(">")
        first.type("ford")
        second.type("hill-1")
        for screen in (first, second):
            screen.at("[?] action >")
        companion("note", f"march {number}")
        for screen in (first, second):
            screen.see(f"march {number}").at("[?] action >")
    for screen in (first, second):
        screen.type("/quit").end()
    log = companion("log", "--json").json
    shown = whole(first) + whole(second)

    assert shown.count("Not sent - ") == 6
    assert len([entry for entry in log["entries"] if entry["action"] == "march"]) == 6
    assert "Traceback" not in shown
    assert healthy()
