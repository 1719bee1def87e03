"""Texts at the table: the set-up list, examples, what is lost by an answer; advice on orders can be carried out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.cli.repl.loop import Loop
from companion.cli.shell.shared import status_lines
from companion.core.events import Said
from companion.core.resolver import Answers
from companion.games.iraqwar2003.ai import policies
from companion.games.iraqwar2003.rules.r08_map import stacking_faults
from companion.games.iraqwar2003.state import is_hex, units_in, units_on_map
from companion.session.controller import SessionController
from companion.session.facts import install_practice_set, practice_defaults
from companion.session.state import load_game
from companion.session.store import Archive
from companion.views.dashboard import dashboard, snapshot
from companion.views.lines import Line, plain_text, row_count
from companion.views.map_text import last_moved_space, map_lines, session_map
from companion.views.result import play_lines
from tests.games.iraqwar2003.starts import begun, supplied
from tests.support.screen import Screen


def test_advice_on_orders_plays_them_in_their_normal_form(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    """[4.1(4), 13.2] An order that attacks a hex is normalised before it is tried; as typed, it would name the hex as a unit."""
    tried: list[str] = []
    best = policies._best

    def spy(context, ranking, action):  # type: ignore[no-untyped-def]
        tried.append(action("1/3ID > 2230 2331 > 2430"))
        return best(context, ranking, action)

    monkeypatch.setattr(policies, "_best", spy)
    session = supplied(archive, known="unit")
    session.do("move", Answers())
    assert session.counsel("0") is not None
    assert tried and tried[0].endswith("> 51M")


def practice(archive: Archive) -> SessionController:
    """A practice game, as `companion practice iraqwar2003` begins it."""
    game = load_game("iraqwar2003")
    install_practice_set(archive, game)
    scenario, options = practice_defaults(game, {})
    return SessionController.create(archive, game.id, scenario, options, dice="computer", draws="computer", seed="desert")


def opening(session: SessionController) -> list[str]:
    """The lines of a new session."""
    assert session.opening is not None
    return [line.text for line in play_lines(session, session.opening)]


def test_the_practice_set_up_keeps_the_stacking_limits(archive: Archive) -> None:
    """[3.0, 8.1] No hex of the made-up set-up holds units that do not stack, and nothing warns of it."""
    session = practice(archive)
    for place in {piece.place for piece in units_on_map(session.position) if is_hex(piece.place)}:
        assert stacking_faults(units_in(session.position, place)) == [], place
    assert not [event for event in session.opening.events if isinstance(event, Said) and event.tone == "warning"]


def test_the_set_up_list_goes_by_region_and_names_each_unit_once(archive: Archive) -> None:
    """[3.0] Iraq first; a line for each region, its hexes from north to south; no line for a unit, and no "as entered"."""
    session = practice(archive)
    lines = opening(session)
    begun = [line for line in lines if line.startswith("Set up the")]
    titles = [line.partition(".")[0].partition(" ground units in ")[2] for line in begun]
    assert titles == [
        "the North air sector",
        "the Central air sector",
        "the South air sector",
        "the Kurd Northern Control area",
        "the Kurd Southern Control area",
        "Kuwait",
    ]
    hexes = [re.findall(r"[.;] (\d{4})[ :]", line) for line in begun]
    assert all(rows == sorted(rows, key=lambda number: number[2:]) for rows in hexes)
    named = [name for line in begun for part in re.findall(r": ([^;]+?)(?:;|\.$)", line) for name in part.split(", ")]
    assert sorted(named) == sorted(piece.name for piece in units_on_map(session.position))
    assert not [line for line in lines if "as entered" in line or "aa 1" in line]
    assert row_count([Line(line, "board", "3.0", "  -> ") for line in lines], 80) < 36  # 75 lines in the order of names before


def test_the_set_up_of_units_without_hexes_is_listed_as_in_the_rulebook(archive: Archive) -> None:
    """[3.0] An owner's set whose hexes are not entered: one line for each side says where its units start."""
    session = SessionController.create(archive, "iraqwar2003", dice="computer", draws="computer", seed="desert")
    begun = [line for line in opening(session) if line.startswith("Set up the")]
    assert len(begun) == 2 and "3rd Corps: 11th Division: An Nasiriyah (2332)" in begun[0] and "Kuwait City (3241)" in begun[1]


def test_a_set_up_list_longer_than_the_screen_is_shown_by_pages(tmp_path: Path) -> None:
    """[3.0] At a terminal of 24 rows the list stops at the first page."""
    screen = Screen(
        "practice", "iraqwar2003", "--seed", "desert", rows=24, columns=80, tiny=False, COMPANION_DB=str(tmp_path / "a")
    )
    screen.wait("Which rules?").type("").wait("Who rolls and draws?").type("").wait("-- more:")
    assert "Turn 1, Coalition" not in screen.text
    screen.type(" ", "").wait("[facility] action >")
    screen.child.close()


def test_the_targets_told_so_far_are_named_before_the_next_one(archive: Archive) -> None:
    """[6.2] After a break, the status says what was told in the open action."""
    session = begun(archive)
    session.do("facility", Answers())
    session.answer(Answers(plain=["north radar 1 by B-2"]))

    assert "So far: target 1 = north radar 1 by B-2\n? What is target 2?" in plain_text(status_lines(session))


def test_the_map_without_a_hex_shows_where_the_last_move_was(archive: Archive) -> None:
    """[12.0] After the set-up the busiest part, then the part around the unit that moved last."""
    install_practice_set(archive, load_game("iraqwar2003"))
    scenario, options = practice_defaults(load_game("iraqwar2003"), {})
    session = SessionController.create(archive, "iraqwar2003", scenario, options, seed="3")
    map = session_map(session, session.position)
    assert map and last_moved_space(session, map) == "" and not any("1109" in line.lead for line in map_lines(map))

    session.adjust([("1/3ID", "1109")], "moved by hand")
    map = session_map(session, session.position)
    assert map and last_moved_space(session, map) == "1109"
    lines, typed = list[Line](), iter(["/map", "/quit"])
    Loop(session, lambda prompt: next(typed), lines.extend).play()
    assert any("1109" in line.lead for line in lines)
    assert any("1109" in row.text for row in dashboard(snapshot(session), 80, 24).body)


def test_dice_told_before_an_amend_are_kept_where_the_same_unit_bombs(archive: Archive) -> None:
    """[5.5, 5.7] The amended die misses, so that a MiG fires back; the dice of the bombers are kept behind that question."""
    session = begun(archive)
    session.do("facility", Answers(plain=["done"]))
    session.do("bomb", Answers(plain=["51M by F-15+F-16", "6A by CV-63", "done"], dice=[4, 2, 5, 3]))
    number = session.history.force[-1]
    assert session.pending is None and [reply.key for reply in session.history.find(number).replies][-4:] == [
        *("air", "air_hit", "bomb", "bomb")
    ]
    air = len(session.history.find(number).replies) - 3

    result = session.amend(number, air, "5")
    assert result.pending and result.pending.prompt.startswith("MiG-23 fires at CV-63")
    assert result.notes[-1] == "old answers, kept for when the same question comes: air hit 2; bomb 5; bomb 3"
    result = session.answer(Answers(dice=[6]))
    assert [(prompt.partition(":")[0], text) for prompt, text in result.taken] == [
        ("F-15 bombs 51M", "5"),
        ("CV-63 bombs 6A", "3"),
    ]
    assert result.done and "Taken - F-15 bombs 51M: hits on 1-2: 5" in plain_text(play_lines(session, result))
