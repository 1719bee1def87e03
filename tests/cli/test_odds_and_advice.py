"""Odds and advice are answered by the same engine as actions: what is told in passing, and when it is remembered."""

from __future__ import annotations

import sys

import pytest

from companion.cli.repl.loop import Loop
from companion.cli.shell.screen import show_pages
from companion.core.procedures import ProgressCallback
from companion.core.request import LongOdds, Odds, Sections
from companion.session.controller import SessionController
from companion.session.state import SessionState
from companion.session.store import Archive
from companion.views.lines import Line
from tests.cli.conftest import Run
from tests.cli.test_loop import Typist
from tests.support.commands import companion


def told() -> dict[str, str]:
    with Archive.open() as archive:
        return dict(archive.printed("tiny"))


def test_a_known_fact_can_be_told_anew(run: Run) -> None:
    """As in an action: the answer by its key comes before what is remembered."""
    run("odds", "tiny", "attack", "strength:Red=2")
    assert told() == {"strength:Red": "2"}
    assert "2 hits" in run("odds", "tiny", "attack").stdout
    assert "3 hits" in run("odds", "tiny", "attack", "strength:Red=3").stdout
    assert told() == {"strength:Red": "3"}


def test_nothing_is_remembered_of_what_fails(run: Run) -> None:
    """A word that nobody asked for keeps the fact that was told beside it from being stored."""
    failed = run("odds", "tiny", "attack", "strength:Red=2", "bogus=1", code=2)
    assert "not asked for: bogus=1" in failed.stderr and "Asked: strength:Red" in failed.stderr
    assert told() == {}


def test_a_fact_in_a_notation_that_has_changed_is_asked_again(run: Run) -> None:
    """What was remembered and no longer reads is a question, and can be cured in passing."""
    with Archive.open() as archive:
        archive.record_facts("tiny", {"strength:Red": "enormous"})
    assert "strength:Red" in run("odds", "tiny", "attack", code=3).stdout
    assert "1 hits" in run("odds", "tiny", "attack", "strength:Red=1").stdout
    assert told() == {"strength:Red": "1"}


@pytest.mark.parametrize("name", ["advise", "hint"])
def test_the_adviser_is_found_by_the_names_that_players_try(name: str) -> None:
    companion("new", "fallujahcards", "--seed", "1")
    assert companion(name).out == companion("bot").out != ""


def test_lines_that_take_long_are_made_when_the_others_are_on_the_screen() -> None:
    """By pages too; and not at all for a player who stops before."""
    happened: list[str] = []

    def later() -> list[Line]:
        happened.append("made")
        return [Line("last")]

    def tell(page: list[Line]) -> None:
        happened.extend(line.text for line in page)

    first = [Line(f"{number}") for number in range(3)]
    show_pages(first, 2, 80, tell, lambda prompt: "", later)
    assert happened == ["0", "1", "2", "made", "last"]
    happened.clear()
    assert show_pages(first, 2, 80, tell, lambda prompt: "q", later) == ""
    assert happened == ["0", "1"]


def test_ctrl_c_in_odds_that_take_long_comes_back_to_the_question(
    tiny_game: str, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first figures stay on the screen, and the open question can be answered next."""

    def interrupted(watch: ProgressCallback) -> Sections:
        raise KeyboardInterrupt

    odds = LongOdds.of(Odds("Shown at once", "2", (("Who wins", (("Red", 1.0),)),)), interrupted)
    monkeypatch.setattr(SessionState, "odds", lambda session: odds)
    session = SessionController.create(archive, "tiny", scenario="day", seed="7")
    typist = Typist(["march r; ford", "fight blue", "*", "n"])
    Loop(session, typist.ask, typist.tell, lambda: (0, 80)).play()

    assert "Shown at once" in typist.text and "Nothing done" in typist.text
    assert typist.prompts[-3:-1] == ["[no] > ", "[no] > "], "the question stays open"
    assert session.pending is None, "and takes the answer behind it"


@pytest.mark.slow
def test_first_figures_come_before_the_look_ahead_and_ctrl_c_ends_it_with_130() -> None:
    """In a real terminal, a battle of eight against eight of Fallujah 2004; the interrupt leaves no traceback."""
    pexpect = pytest.importorskip("pexpect")
    ours, theirs = "firepower=3/2,3/2,4/2,4/2,4,2,2,1", "opfor=2(2),2(2),2(2),2(2),3(2),3(2),1(1),1(1)"
    words = ["-m", "companion", "odds", "fallujah2004", "battle", "contact=4", ours, theirs]
    terminal = pexpect.spawn(sys.executable, words, encoding="utf-8", dimensions=(60, 80), timeout=60)
    terminal.expect_exact("less often.")
    shown = terminal.before
    terminal.send("\x03")
    terminal.expect(pexpect.EOF)
    shown += terminal.before
    terminal.close()

    assert terminal.exitstatus == 130
    assert "Coalition wins" in shown and "look ahead" not in shown and "Traceback" not in shown
