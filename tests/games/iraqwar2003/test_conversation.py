"""Texts at the table: the set-up list, examples, what is lost by an answer; advice on orders can be carried out."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

import pytest

from companion.cli.repl.loop import Loop
from companion.cli.shell.shared import status_lines
from companion.core.events import Said
from companion.core.requests import Text
from companion.core.resolver import Answers
from companion.games.iraqwar2003.ai import policies
from companion.games.iraqwar2003.rules.r08_map import stacking_faults
from companion.games.iraqwar2003.state import is_hex, units_in, units_on_map
from companion.session.controller import Result, SessionController
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
    path = str(tmp_path / "archive.sqlite3")
    with Archive.open(path) as archive:
        install_practice_set(archive, load_game("iraqwar2003"))
    words = ("new", "iraqwar2003", "--scenario", "war", "--dice", "computer", "--draws", "computer")
    screen = Screen(*words, rows=24, columns=80, tiny=False, COMPANION_DB=path)
    screen.wait("-- more:")
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
    game = load_game("iraqwar2003")
    install_practice_set(archive, game)
    scenario, options = practice_defaults(game, {})
    session = SessionController.create(archive, game.id, scenario, options, dice="physical", draws="physical", seed="3")
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


# -- examples and defaults -------------------------------------------------------------------------------------------------


def said(session: SessionController, result: Result) -> list[str]:
    """The lines that a result shows."""
    return [line.text for line in play_lines(session, result)]


def example(session: SessionController) -> str:
    """The example under the open question."""
    pending = session.pending
    assert isinstance(pending, Text) and pending.expects() == f"Type it like this: {pending.example}"
    return pending.example


@pytest.mark.parametrize("known", ["", "front"])
def test_the_example_of_a_target_is_a_target_with_a_group_that_can_be_given(archive: Archive, known: str) -> None:
    """[5.2(1), 6.2, 7.1] At every group of both phases, with a map and without."""
    session = begun(archive, known, dice="computer")
    for action, count in (("facility", 5), ("bomb", 2)):
        session.do(action)
        for number in range(1, count + 1):
            text = example(session)
            assert " by " in text
            session.answer(Answers(plain=[text]))
            for _ in range(3):  # where the target is, whether the anti-air unit is near, in which sector
                if session.pending and session.pending.key in ("where", "aa_unit", "sector"):
                    session.answer(Answers([(session.pending.key, str(session.pending.suggest))]))
            assert session.pending and f"What is target {number + 1}?" in session.pending.prompt
        session.answer(Answers(plain=["done"], accept=True))


def test_the_iraqi_example_is_one_bomber(archive: Archive) -> None:
    """[7.1, 5.8.2(1)] An Iraqi player's example is carried out too."""
    session = begun(archive, "front", dice="computer", iraq="player")
    session.do("supply", Answers(accept=True))
    session.do("end", Answers(accept=True))
    session.do("bomb")
    session.answer(Answers(plain=[example(session)]))
    assert session.pending and "What is target 2?" in session.pending.prompt


@pytest.mark.parametrize("known", ["", "front"])
def test_the_example_of_an_order_can_be_carried_out(archive: Archive, known: str) -> None:
    """[12.1] A unit with a path, or on a known map with the last hex of one."""
    session = supplied(archive, known, dice="computer")
    seq = session.history.seq
    session.do("move")
    text = example(session)
    assert " > " in text
    session.answer(Answers(plain=[text], accept=True))
    assert session.history.seq > seq


@pytest.mark.parametrize("word", ["cancel", "abort"])
def test_a_word_that_gives_up_an_action_needs_no_slash(archive: Archive, word: str) -> None:
    """At a question for a target, which is no name of a target."""
    session = begun(archive, "front")
    shown: list[str] = []
    lines = iter(["facility", word])
    with suppress(StopIteration):
        Loop(session, lambda prompt: next(lines), lambda rows: shown.extend(row.text for row in rows)).play(greet=False)
    assert session.pending is None and "no facility box" not in " ".join(shown)


@pytest.mark.parametrize(
    "text", ["radio 1 by B-1+F-15, base airfield 2 by B-2, done", "radio 1/B-1+F-15, base airfield 2/B-2, 0"]
)
def test_a_slash_is_short_for_by_and_0_for_done(archive: Archive, text: str) -> None:
    """[5.2(1)] The number pad suffices for a group; 0 is none everywhere."""
    session = begun(archive, "front", dice="computer")
    session.do("facility", Answers(plain=[text]))
    assert session.pending is None or session.pending.key == "intercept"
    assert [reply.value for reply in session.history.in_force[-1].replies if reply.key == "target"] == [
        "comm radio 1 by B-1+F-15, base airfield 2 by B-2, done"
    ]


def test_a_part_of_several_targets_that_is_wrong_is_named(archive: Archive) -> None:
    """[7.1] The refusal offers no semicolon in the middle of a list."""
    session = begun(archive, "front")
    shown: list[str] = []
    lines = iter(["bomb", "51M by F-15, 6A by CV-63, done"])
    with suppress(StopIteration):
        Loop(session, lambda prompt: next(lines), lambda rows: shown.extend(row.text for row in rows)).play(greet=False)
    assert "no enemy unit '6A'" in shown and not any("One answer at a time" in line for line in shown)


def test_a_bombing_phase_that_is_skipped_is_said(archive: Archive) -> None:
    """[4.1(1), 4.1(2)] By done, by the next phase, or by the supply check; not where a group flew or none could fly."""
    session = begun(archive, "front", dice="computer")
    text = "No group bombs in the Facility Bombing Phase. To send one after all: undo."
    assert text in said(session, session.do("facility", Answers(plain=["done"])))
    assert text.replace("Facility", "Ground") in said(session, session.do("supply", Answers(accept=True)))
    session.undo()
    assert not [
        line for line in said(session, session.do("bomb", Answers(plain=["11D by B-2, done"], accept=True))) if "No group" in line
    ]
    assert not [line for line in said(session, session.do("supply", Answers(accept=True))) if "No group" in line]
    session.undo(3)
    both = "No group bombs in the Facility Bombing and Ground Bombing Phases. To send one after all: undo."
    assert both in said(session, session.do("supply", Answers(accept=True)))


def test_several_bombings_are_rolled_in_one_line(archive: Archive) -> None:
    """[5.7(1)] Each die is a reply of its own."""
    session = begun(archive, "front", destroyed=["base airfield"])
    shown: list[str] = []
    lines = iter(["bomb", "51M/B-2,11D/F-117,0", "45"])
    with suppress(StopIteration):
        Loop(session, lambda prompt: next(lines), lambda rows: shown.extend(row.text for row in rows)).play(greet=False)
    assert [reply.value for reply in session.history.in_force[-1].replies if reply.key == "bomb"] == [[4], [5]]
    assert "Type 1 die of 1 to 6, or all 2, such as 3 5" in shown


# -- nothing is said twice -------------------------------------------------------------------------------------------------


def test_a_supply_check_names_the_exceptions(archive: Archive) -> None:
    """[10.0] Those that are out of supply, not those that are in it."""
    session = begun(archive, "front", dice="computer")
    lines = said(session, session.do("supply", Answers(accept=True)))
    assert "In supply: all 10 Coalition units." in lines
    assert not [line for line in lines if "1/3ID" in line]


def test_a_move_of_companions_side_is_told_once(archive: Archive) -> None:
    """[12.1(3)] Where from, which way and where to, in the list for the table alone."""
    session = practice(archive)
    session.setting(think="0")
    for action in ("supply", "end", "bomb", "supply", "move"):
        result = session.do(action, Answers(accept=True))
    lines = said(session, result)
    moved = [line for line in lines if "-> hex" in line]
    assert len(moved) == 1 and ": by " in moved[0]
    name = moved[0].partition(":")[0].removeprefix("On the table ")
    assert [
        line for line in lines if name in line and "CP" not in line and "command points" not in line and " MP" not in line
    ] == moved
    assert not [line for line in lines if line.startswith(("Move ", "units:"))]


# -- what is the player's --------------------------------------------------------------------------------------------------


def test_a_decision_of_the_player_in_companions_turn_is_set_apart(archive: Archive) -> None:
    """[5.4] An interception in the Iraqi player turn begins with "Yours:"; in the own turn nothing does."""
    session = practice(archive)
    session.setting(think="0")
    session.do("supply", Answers(accept=True))
    session.do("end", Answers(accept=True))
    session.do("bomb")
    assert session.pending and session.pending.prompt.startswith("Yours: Which Coalition units intercept which groups?")
    session.answer(Answers(accept=True))
    for action in ("supply", "end", "facility"):
        session.do(action, Answers(accept=action != "facility"))
    assert session.pending and session.pending.prompt.startswith("What is target 1?")


def test_minus_after_the_odds_of_an_attack_sends_nothing(archive: Archive) -> None:
    """[5.3.1(1)] One question back: no air unit is chosen, and no combat is fought."""
    session = supplied(archive, known="unit", destroyed=["base airfield"])
    lines = iter(["1/3 > 2331 > 51M", "*", "-"])
    with suppress(StopIteration):
        Loop(session, lambda prompt: next(lines), lambda rows: None).play(greet=False)
    entry = session.history.in_force[-1]
    assert not [reply for reply in entry.replies if reply.key in ("support", "combat")]
    assert session.pending is None or session.pending.key != "combat"
