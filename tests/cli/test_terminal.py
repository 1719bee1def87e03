"""``companion play`` in a real terminal."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

pexpect = pytest.importorskip("pexpect")

ROOT = Path(__file__).parents[2]
_CODES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


class Terminal:
    """The program in a terminal of 24 by 80; by default with the made-up game as its only one."""

    def __init__(self, *words: str, module: str = "tests.support.with_tiny", **env: str) -> None:
        coloured = {
            name: value for name, value in os.environ.items() if name != "NO_COLOR"
        }  # whoever runs the tests may want none
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", module, *words],
            cwd=str(ROOT),
            env={**coloured, "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1", **env},
            encoding="utf-8",
            dimensions=(24, 80),
            timeout=60,
        )
        self.child.delaybeforesend = 0.02
        self.seen = ""

    def wait(self, text: str) -> Any:
        self.child.expect_exact(text)
        self.seen += self.child.before + self.child.after
        return self

    def type(self, text: str, end: str = "\r") -> Any:
        self.child.send(text + end)
        return self

    def end(self) -> str:
        """Wait for its end; everything it wrote, without the codes of the terminal."""
        self.child.expect(pexpect.EOF)
        self.seen += self.child.before
        self.child.close()
        return _CODES.sub("", self.seen)


@pytest.mark.slow
def test_from_nothing_to_a_first_entry_and_back_the_next_day() -> None:
    first = Terminal()
    first.wait("Which game").type("2").wait("which scenario").type("").wait("of your set missing").type("2").wait("action >")
    first.type("ma\t").wait("Which unit").type("r").wait("Where to").type("ford")
    first.wait("action >").type("fi\tgh", "").type("\t blue").wait("Another round").wait("[no] >").type("\x03", "").wait(
        "Keep it for later"
    )
    text = first.type("k").end()
    second = Terminal()
    second.wait("Go on with The Ford").wait("tiny-1, 20").type("").wait("Another round").wait("[no] >").type("n")
    second.wait("action >").type("\x1b[A\x1b[A", "").wait("fi")
    second.type("\x15/undo").wait("On the table:").wait("action >")
    later = second.type("\x04", "").end()

    assert re.search(r"-> Red: Camp -> Ford[^\n]* 2\.1\r?\n", text)  # the session has a seed of its own, and a six hits
    assert "Saved: session tiny-1" in text
    assert first.child.exitstatus == second.child.exitstatus == 0
    assert "-> " in later
    assert f"\x1b[1;94m? Another round\x1b[0m\x1b[2m{'2.2':>65}\x1b[0m" in second.seen


@pytest.mark.slow
def test_do_asks_for_what_is_left_over_on_a_terminal() -> None:
    Terminal("new", "tiny", "--scenario", "day").wait("action >").type("/quit").end()
    asks = Terminal("do", "fight", "blue", NO_COLOR="1")
    text = asks.wait("[no] >").type("").end()

    assert asks.child.exitstatus == 0
    assert "The weather is fair [2.2]" in text
    assert "\x1b[94m" not in asks.seen


def test_printed_facts_are_filled_in_one_sitting() -> None:
    sitting = Terminal("printed", "tiny", "fill")
    sitting.wait("strength:Blue").type("3").wait("another one").type("Red").wait("Red (").type("9").wait("outside").type(
        "\x15" + "1"
    )
    sitting.wait("another one").type("").wait("weather").type("").wait("depth:north").type("4").wait("depth:south").type("")
    sitting.end()
    listed = Terminal("printed", "tiny").end()

    assert re.search(r"strength:Red +1", listed)
    assert re.search(r"strength:Blue +3", listed)
    assert re.search(r"depth:north +4", listed)
    assert re.search(r"depth:south +-", listed)


@pytest.mark.slow
def test_the_audit_takes_what_is_marked() -> None:
    Terminal("new", "tiny", "--scenario", "day", "--json").end()
    audit = Terminal("audit")
    audit.wait("[all right] audit >").type("supply 5")
    text = audit.end()

    assert "Set Supply from 8 to 5" in text


def test_odds_ask_for_what_is_missing() -> None:
    odds = Terminal("odds", "tiny", "round")
    text = odds.wait("My strength").type("9").wait("outside 1 to 3").wait(">").type("1").end()

    assert "33.3 %" in text


@pytest.mark.slow
def test_what_is_longer_than_the_screen_is_paged_as_at_the_table() -> None:
    """With whatever pager and settings the player has; Space goes on to the end, q stops, and a short text asks nothing."""
    whole = Terminal("games", "tiny", PAGER="false", LESS="-R")
    text = whole.wait("-- more: Space or Enter, q stops --").type(" ", "").end()
    stopped = Terminal("games", "tiny").wait("-- more").type("q", "").end()

    assert "8 rules in the register" in text
    assert "8 rules in the register" not in stopped
    assert "-- more" not in Terminal("games").end()


@pytest.mark.slow
def test_ctrl_c_leaves_a_menu_with_130() -> None:
    menu = Terminal("new", "tiny")
    menu.wait("which scenario").wait("[1] >").type("\x03", "").end()

    assert menu.child.exitstatus == 130


@pytest.mark.slow
def test_a_key_of_the_grammar_at_a_pager_answers_nothing_behind_it() -> None:
    """`-` and its Enter leave the pages: the Enter does not take the usual action or answer."""
    table = Terminal("new", "tiny", "--scenario", "day").wait("action >").type("march r; ford").wait("action >")
    table.type("fight blue").wait("Another round").wait("[no] >").type("/help table").wait("-- more").type("-")
    text = table.wait("[no] >").type("/status").wait("Another round").type("/quit").end()

    assert "Another round" in text.rpartition("/status")[2]
