"""A game with the player's own set while values of it are missing."""

from __future__ import annotations

import re

import pytest

from companion.cli.commands import start
from companion.cli.commands.start import offer_values
from companion.cli.commands.your_set import missing_off_map
from companion.cli.repl.loop import Loop
from companion.games import GAMES
from companion.session.controller import SessionController
from companion.session.database import practice_path
from companion.session.facts import install_practice_set
from companion.session.state import load_game
from companion.session.store import Archive
from companion.views.lines import plain_text
from companion.views.result import play_lines
from tests.cli.test_loop import Typist
from tests.cli.test_menus import Chooser

FALLUJAH = load_game("fallujah2004")


def test_missing_values_are_offered_before_the_set_up(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Typed values are stored at once, `-` goes one back and out of the form, and Ctrl-D leaves it without losing any."""
    keys = ["1", "-", "1", "?", "maybe", "stand", "*", "-", "break-off", "/quit", "2"]
    chooser = Chooser(monkeypatch, *keys)
    offer_values(FALLUJAH, archive)
    told = capsys.readouterr().out

    assert not chooser.typed and archive.printed("fallujah2004") == {"stand:low:open": "break-off"}
    assert told.count("48 values of your set missing") == 2 and "Type my 48 values now, about 10 minutes" in told
    assert "Type my 47 values now" in told and "There are no odds here" in told and "no OPFOR response 'maybe'" in told


@pytest.mark.parametrize("game_id", ["fallujah2004", "fallujahcards"])
def test_nothing_is_offered_when_nothing_is_missing(game_id: str, archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game(game_id)
    install_practice_set(archive, game)
    assert missing_off_map(game, archive) == []
    Chooser(monkeypatch)
    offer_values(game, archive)


@pytest.mark.parametrize("game_id", [game for game in GAMES if game != "fallujahcards"])
def test_sample_counters_are_marked_in_what_is_placed(game_id: str, archive: Archive) -> None:
    """Lines that place them say so; with the player's own values none does."""
    scenario = next(iter(load_game(game_id).scenarios))
    for is_known in (False, True):
        if is_known:
            install_practice_set(archive, load_game(game_id))
        session = SessionController.create(archive, game_id, scenario, seed="1")
        assert session.opening
        lines = plain_text(play_lines(session, session.opening), 500).splitlines()
        marked = [line for line in lines if "(sample)" in line]
        assert bool(marked) == bool(session.samples()) and (marked or is_known)
        assert all("-> " in line for line in marked)
        lots = {"fallujah2004": "Jihadists", "phantomfury": "G1", "lzalbany": "1/A/2-7", "iraqwar2003": "F-15"}[game_id]
        unmarked = [line for line in lines if re.search(rf"-> .*{re.escape(lots)}", line) and line not in marked]
        assert is_known or not unmarked


def test_a_sample_counter_is_marked_when_it_is_drawn_or_moved(archive: Archive) -> None:
    session = SessionController.create(archive, "fallujah2004", "vigilant", seed="1")
    typist = Typist(["buy 3/1, 2 air; north"])
    Loop(session, typist.ask, typist.tell).play()

    assert "2 x Air Strike (3): Recruit box -> Available box (sample): recruited" in typist.text
    assert "USMC 3/1: Recruit box -> North Base (sample): recruited" in typist.text


def test_a_misspelt_name_keeps_the_rest_of_the_line(archive: Archive) -> None:
    """The refusal shows the whole line with the similar name, which Enter then carries out."""
    session = SessionController.create(archive, "fallujah2004", "vigilant", seed="1")
    typist = Typist(["buy 3/1, 3/5, CEB, 2 air at=north", ""])
    Loop(session, typist.ask, typist.tell).play()

    assert "Did you mean USMC 1 CE? Enter does: buy 3/1, 3/5, USMC 1 CE, 2 air at=north" in typist.text
    placed = {piece.name: piece.place for piece in session.position.pieces.values()}
    assert [placed[f"USMC {name}"] for name in ("3/1", "3/5", "1 CE")] == ["north base"] * 3


@pytest.mark.parametrize("game_id", GAMES)
def test_practice_places_nothing_and_marks_no_samples(
    game_id: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Everything is made up there, and no components lie on a table."""
    practice = Archive.open(practice_path(""))
    monkeypatch.setattr(start, "on_terminal", lambda: True)
    Chooser(monkeypatch, "")
    code = start.start_practice(practice, game_id, "", {}, "1") if game_id != "phantomfury" else 3
    told = capsys.readouterr().out
    practice.close()

    assert code in (0, 3)
    assert "(sample)" not in told and "sample values" not in told
    if code == 0:
        assert "All is set up for you" in told and "On the table" not in told
        assert len(told.splitlines()) < 30  # the menu and the first screen
