"""The loop at the table, driven by a script of typed lines instead of a terminal."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.cli.repl.commands import SLASH_COMMANDS, command_choices
from companion.cli.repl.loop import Loop
from companion.cli.repl.prompt import Prompt, completions
from companion.cli.shell.arguments import parse_line, split
from companion.cli.shell.screen import MORE
from companion.core.errors import BadData
from companion.core.game import Game
from companion.core.match import PlannedAction, plan_to_input
from companion.core.requests import Choice
from companion.games import GAMES
from companion.session.controller import Answers, SessionController
from companion.session.facts import install_practice_set, practice_defaults
from companion.session.state import load_game
from companion.session.store import Archive
from companion.views.banner import session_status_lines
from companion.views.lines import Line, plain_text, row_count
from tests.games.iraqwar2003.starts import supplied
from tests.support import tiny
from tests.support.reviewed import reviewed_game

CTRL_C, CTRL_D = "^C", "^D"


class Typist:
    """Types a script and keeps what was asked and shown."""

    def __init__(self, lines: Sequence[str | Callable[[], object]]) -> None:
        self.lines = list(lines)
        self.prompts: list[str] = []
        self.offers: list[list[str]] = []
        self.further: list[Callable[[str], Sequence[Choice]]] = []
        self.feet: list[list[str]] = []
        self.shown: list[Line] = []
        self.asked: list[Prompt] = []

    def ask(self, prompt: Prompt) -> str:
        self.prompts.append(prompt.text)
        self.asked.append(prompt)
        self.further.append(prompt.further)
        self.feet.append([line.text for line in prompt.status_bar(24, 80)] if prompt.status_bar else [])
        self.offers.append([choice.value for choice in prompt.choices()])
        line = self.lines.pop(0) if self.lines else CTRL_D
        if not isinstance(line, str):  # what happens elsewhere meanwhile
            line()
            return self.ask(prompt)
        if line == CTRL_C:
            raise KeyboardInterrupt
        if line == CTRL_D:
            raise EOFError
        return line

    def tell(self, lines: Sequence[Line]) -> None:
        self.shown += lines

    @property
    def text(self) -> str:
        return plain_text(self.shown, 200)


Play = Callable[..., tuple[Typist, SessionController]]


@pytest.fixture
def play(tiny_game: str, archive: Archive) -> Play:
    def one(*lines: str | Callable[[], object], size: tuple[int, int] = (0, 80), **how: Any) -> tuple[Typist, SessionController]:
        session = SessionController.create(archive, "tiny", how.pop("scenario", "day"), seed="7", **how)
        typist = Typist(lines)
        Loop(session, typist.ask, typist.tell, lambda: size).play()
        return typist, session

    return one


def test_it_begins_with_where_play_is_and_ends_saved(play: Play) -> None:
    typist, _ = play()

    assert typist.text.splitlines()[:3] == ["Session tiny-1 - The Ford - By day", "turn", "Supply 8"]
    assert typist.text.splitlines()[-1] == "Saved: session tiny-1. Back with: companion play"


def test_an_action_asks_its_questions_one_by_one(play: Play) -> None:
    typist, session = play("mar", "r", "ford", dice="physical")

    assert typist.prompts == ["[?] action > ", "> ", "> ", "[roll] > "]
    assert typist.offers[1][0] == "red#1"
    assert [session.position.pieces[name].place for name in ("red#1", "blue#2")] == ["ford", "camp"]


def test_a_question_may_be_answered_with_those_behind_it(play: Play) -> None:
    """A semicolon separates the answers, and each is echoed where it is taken."""
    typist, session = play("mar", "r; ford", dice="physical")

    assert typist.prompts == ["[?] action > ", "> ", "[roll] > "]
    assert session.position.pieces["red#1"].place == "ford"
    assert "Taken - Which unit: r\nTaken - Where to: ford" in typist.text


KINDS = {
    "march": "pick",
    "march red": "text",
    "march red; ford": "roll",
    "fight": "pick",
    "fight red": "printed",
    "fight red strength:Red=3": "roll",
    "fight red strength:Red=3 --dice 5,5,5": "confirm",
    "search": "draw",
    "fire": "number",
    "roam": "text",
    "scout --dice 3": "choose",
}
"""What is typed, and the kind of the question that it comes to with one's own dice and draws."""


@pytest.mark.parametrize("leave", [(CTRL_D,), (CTRL_C, "", CTRL_D), (CTRL_C, "k"), (CTRL_C, CTRL_C), (CTRL_C, CTRL_D)], ids=str)
@pytest.mark.parametrize("line", KINDS)
def test_ctrl_c_and_ctrl_d_keep_the_question_whatever_its_kind(
    play: Play, archive: Archive, line: str, leave: Sequence[str]
) -> None:
    options = {"scenario": "night"} if line == "fire" else {}
    typist, session = play(line, *leave, dice="physical", draws="physical", **options)

    assert session.pending is not None and session.pending.kind == KINDS[line]
    assert typist.text.splitlines()[-1].startswith("Saved: session")
    assert typist.lines == []
    again = SessionController.open(archive)
    assert again.pending is not None
    assert (again.pending.key, again.position) == (session.pending.key, session.position)


def test_several_actions_stand_in_one_line(play: Play) -> None:
    """Each begins when the one before is done; at a question, or where the rules say no, the rest is not done."""
    typist, session = play("rest & march red; ford & rest", "4", "rest & nonsense & rest", dice="physical")

    assert "Not done: rest" in typist.text
    assert session.position.track("supply") == 8 + 1 - 1 + 1
    assert [entry.action for entry in session.history.entries.values()] == ["setup", "rest", "march", "rest"]
    assert typist.text.count("Not done: rest") == 2


def test_dice_too_many_are_a_slip_and_no_dice_of_the_next_roll(play: Play) -> None:
    typist, session = play("fight red", "2", "4 4 4 4 4 4", dice="physical")

    assert "6 dice given" in typist.text
    assert session.pending is not None and session.pending.key == "fight"


def test_a_roll_takes_no_number_that_was_typed_before_it_was_asked_for(play: Play) -> None:
    typist, session = play("fight red strength:Red=2; 1 1", dice="physical")

    assert "Not taken: '1 1': this question was not on the screen when you typed it" in typist.text
    assert session.pending is not None and session.pending.key == "fight"


def test_words_of_which_the_first_means_nothing_are_refused_whole(play: Play) -> None:
    typist, session = play("mar", "xyz ford", dice="physical")

    assert "no such thing 'xyz ford'" in typist.text
    assert session.pending is not None and session.pending.key == "unit"


def test_an_action_may_bring_its_answers_along(play: Play) -> None:
    typist, session = play("march red to='the old ford'", "fight blue 'go on=no'")

    assert session.position.pieces["red#1"].place == "the old ford"
    assert session.history.next_number == 4
    assert "Red: Camp -> the old ford: march [2.1]" in typist.text


def test_answers_left_over_keep_nothing(play: Play) -> None:
    typist, session = play("rest more", "march " + "red ford", "fight red, blau")

    assert "not asked for: 'more'" in typist.text
    assert "no such thing 'red ford'\n  One answer at a time; several like this: march red; ford\n" in typist.text
    assert "no such thing 'blau'" in typist.text
    assert session.history.next_number == 2


def test_enter_takes_the_suggestion_that_the_prompt_shows(play: Play) -> None:
    typist, session = play("fight blue", "")

    assert typist.prompts[1] == "[no] > "
    assert session.pending is None


def test_enter_lets_companion_roll_and_digits_are_mine(play: Play) -> None:
    typist, session = play("fight blue", "", "", "y", "66", "n", dice="physical")
    replies = [reply for reply in session.history.entries[2].replies if reply.kind == "roll"]

    assert [reply.source for reply in replies] == ["computer", "typed"]
    assert replies[1].value == [6, 6]
    assert "Enter again: Companion rolls. Or: Type 2 dice of 1 to 6" in typist.text
    assert typist.text.splitlines().count("Companion rolls") == 1


def test_enter_lets_companion_draw_and_a_name_is_mine(play: Play) -> None:
    _, session = play("search", "go", "search", "", "", draws="physical")
    found = [session.history.entries[number].replies[0] for number in (2, 3)]

    assert (found[0].value, found[0].source) == ("Gold", "typed")
    assert found[1].source == "computer"


def test_a_typing_error_says_what_is_needed_and_asks_again(play: Play) -> None:
    typist, session = play("fight blue", "maybe")

    assert "'maybe' is neither yes nor no [2.2]" in typist.text
    assert session.pending is not None
    assert typist.text.count("? Another round") == 1


def test_the_answers_of_a_line() -> None:
    """Semicolons separate them; the value of a key goes on to the next key."""
    answers = parse_line("3/1, 2 air; ford at=north base space:2-8=urban msr; last")

    assert answers.plain == ["3/1, 2 air", "ford", "last"]
    assert answers.keyed == [("at", "north base"), ("space:2-8", "urban msr")]


@pytest.mark.parametrize(
    "line",
    [
        "march red; the old ford",
        "march red to=the old ford",
        "march unit=red to=the old ford",
        "march unit=red; the old ford",
        "march to=the old ford unit=red",
        "march red; 'the old ford'",
    ],
)
def test_a_line_answers_several_questions_in_order_or_by_key(play: Play, line: str) -> None:
    typist, _ = play(line)

    assert "Red: Camp -> the old ford: march [2.1]" in typist.text


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("march gren ford", "no such thing 'gren ford'"),
        ("march red, gren, blue; ford", "no such thing 'gren'"),
        ("march unit=gren ford", "no such thing 'gren ford'"),
        ("rest now and then", "not asked for: 'now and then'"),
        ("march red --anyway", "no such option: --anyway"),
    ],
)
def test_a_line_is_read_once_and_its_own_fault_is_told(play: Play, line: str, message: str) -> None:
    typist, session = play(line)

    assert message in typist.text
    assert len(session.history.force) == 1


def test_a_value_of_several_words_needs_no_quotes(play: Play) -> None:
    typist, _ = play("march red to=the old ford")

    assert "Red: Camp -> the old ford: march [2.1]" in typist.text


def test_question_mark_lists_what_is_legal_now(play: Play) -> None:
    typist, _ = play("?", "march", "?")
    lines = typist.text.splitlines()

    assert "   1  march        March [2.1]" in lines
    assert "  fire: not now: it is not dark" in lines
    assert lines.index("   1  march        March [2.1]") < lines.index("  fire: not now: it is not dark")
    assert sum(line.startswith("    1  Red") for line in lines) == 2


def test_when_the_game_is_over_question_mark_says_so(play: Play) -> None:
    typist, _ = play("stop", "?")

    assert "The game is over: the last turn is done" in typist.text
    assert ": not now: the game is over" in typist.text
    assert "march        March" not in typist.text
    assert "  8  duel         Duel [2.2]\n" in typist.text


def test_the_end_is_told_once(play: Play) -> None:
    """Not as the banner's stage too, nor with the count and again above the prompt; a look says all of it."""
    typist, session = play("stop")
    verdict = session.game.score(session.position, session.options).verdict

    assert sum(line.startswith("The game is over") for line in typist.text.splitlines()) == 1
    assert typist.text.splitlines().count(verdict) == 1
    told = [line.text for line in session_status_lines(session.game, session.position, session.options, None, False)]
    assert sum(line.startswith("The game is over") for line in told) == 1 and told.count(verdict) == 1


def test_something_ambiguous_becomes_a_menu_that_a_number_picks(play: Play) -> None:
    typist, session = play("f", "1", "red", "2")

    assert "'f' could be:\n   1  fight  Fight [2.2]\n   2  fire   Light fires" in typist.text
    assert session.history.entries[2].action == "fight"
    assert session.history.entries[2].replies[1].value == "2"


def test_the_menu_puts_the_picked_word_into_the_line(play: Play) -> None:
    typist, session = play("/s supply", "1", "/adjust m 2 because of rain", "2")

    assert "Supply  8" in typist.text
    assert session.position.track("mood") in (1, 2)


def test_a_menu_is_forgotten_when_something_else_is_typed(play: Play) -> None:
    _, session = play("f", "rest", "1")

    assert [session.history.entries[number].action for number in (2, 3)] == ["rest", "march"]


def test_what_the_rules_refuse_can_be_recorded_anyway(play: Play) -> None:
    typist, session = play("fire", "n", "fire", "y", "2")

    assert typist.prompts[1] == "Record it anyway? (y/N) "
    assert "! Out of sequence, recorded anyway: it is not dark [2.4]" in typist.text
    assert session.history.entries[2].anyway


def test_what_is_typed_instead_of_a_yes_or_no_is_the_next_line(play: Play) -> None:
    typist, session = play("fire", "/note too early", "fire", "n")

    assert [note.text for note in session.history.notes] == ["too early"]
    assert typist.prompts == [
        "[?] action > ",
        "Record it anyway? (y/N) ",
        "[?] action > ",
        "Record it anyway? (y/N) ",
        "[?] action > ",
    ]


def test_taking_back_what_moved_nothing_says_so(play: Play) -> None:
    typist, _ = play("fight", "/abort")

    assert "Nothing to move" in typist.text


def test_the_odds_of_a_draw_are_what_the_cup_holds(play: Play) -> None:
    typist, _ = play("search", "/odds", draws="physical")

    shown = [row.split("#")[0].split() for row in typist.text.splitlines() if "%" in row]
    assert shown == [["Gold", "40.0", "%"], ["Stone", "60.0", "%"]]


def test_a_refused_reply_can_be_recorded_anyway(play: Play) -> None:
    typist, session = play("search", "gold", "search", "gold", "search --draw gold", "y", draws="physical")

    assert "the cup has no more Gold" in typist.text
    assert session.history.entries[4].replies[0].anyway


def test_undo_redo_and_back_end_with_the_board_fix_list(play: Play) -> None:
    typist, session = play("march red; ford", "/undo", "/redo", "/back", dice="computer")

    fixed = "On the table:\n  -> Move Red from Ford to Camp\n  -> Set Supply from 7 to 8\n  -> Set Turn from 1 to 0"
    assert fixed in typist.text
    assert "  -> Move Red from Camp to Ford" in typist.text
    assert session.pending is not None
    assert session.pending.key == "to"


def test_undo_of_many_and_to_an_entry(play: Play) -> None:
    _, session = play("rest", "rest", "rest", "/undo 2", "/redo", "/undo to 2")

    assert session.history.force == [1, 2]


def test_the_slash_commands_work_at_a_question_too(play: Play) -> None:
    typist, session = play("fight blue", "/rule", "/odds", "/note windy", "/show supply", "/why", "/log 1", "/dice p", "/status")

    assert "2.2  Fight" in typist.text
    assert "  0 hits   44.4 %" in typist.text
    assert session.history.notes[0].text == "windy"
    assert "Supply  8" in typist.text
    assert "dice: physical" in typist.text
    assert session.settings["dice"] == "physical"
    assert session.pending is not None


def test_an_action_is_named_by_one_of_its_answers_too(play: Play) -> None:
    whole, answer = (play("rest", f"/why {number}")[0].text.split("/why")[-1] for number in ("2", "2.1"))
    typist, _ = play("rest", "/review 2.1", "/review 2.x", "/review zzz")

    assert whole.partition("\n")[2].rpartition("session")[0] == answer.partition("\n")[2].rpartition("session")[0] != ""
    assert "Action 2 had no decision with alternatives to compare" in typist.text
    assert "'2.x' is no entry" in typist.text and "no part of the review 'zzz'" in typist.text


def test_the_worst_decision_of_a_review_is_one_line_away(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.session.review.session_review", lambda *_, **__: reviewed_game())
    typist, _ = play(*["rest"] * 3, "/review", "", "", "", "/review 4", "", "")

    assert "More: /review details; all answers to the worst: /review 4" in " ".join(typist.text.split())
    assert "8-66-A" in typist.text.rpartition("/review 4")[2]


def test_slash_commands_by_prefix_and_what_they_need(play: Play) -> None:
    typist, _ = play(
        "/x", "/rule", "/rule 2.1", "/ru ford zzz", "/note", "", "/adj supply", "/odds", "/odds ro", "2", "/bot", "/amend x 1"
    )
    text = typist.text

    assert "no command 'x'" in text
    assert text.index("1.1  ") < text.index("2.2  ")  # all rules, since no question is open
    assert "2.1  March" in text
    assert "no rule of The Ford has 'ford zzz' as number or text" in text
    assert "nothing to note" in text
    assert "adjust what, to what?" in text
    assert "no question is open" in text
    assert "On average" not in text
    assert "  2 hits   11.1 %" in text
    assert "no opponent that gives advice" in text
    assert "'x' is not an answer of the log" in text


def test_adjust_asks_for_its_reason(play: Play) -> None:
    typist, _ = play("/adjust supply 3", "the cat", "/adjust supply -2 because of the dog", "/adjust supply 4", "")

    assert "Supply 8 -> 3: the cat" in typist.text
    assert "Supply 3 -> -2: of the dog" in typist.text
    assert "Supply -2 -> 4: moved by hand" in typist.text


def test_a_resumed_session_says_what_its_open_action_was_told(play: Play) -> None:
    """At the table and in the status; questions asked several times are numbered."""
    typist, session = play("march", "red", CTRL_D)
    assert "So far" not in typist.text
    again = Typist([])
    Loop(SessionController.open(session.archive, session.info), again.ask, again.tell).play()
    assert "So far: unit = Red\n? Where to" in again.text

    typist, _ = play("fight blue", "3 4", "y", "1 1", "/status", dice="physical")
    assert "So far: unit = Blue; fight 1 = 3 4; go on 1 = yes; fight 2 = 1 1\n? Another round" in typist.text


@pytest.mark.parametrize(("typed", "ops"), [("", 65), ("n", 65), ("-", 65), ("y", -3)])
def test_a_value_beyond_the_end_of_a_track_is_asked_about_before_the_reason(archive: Archive, typed: str, ops: int) -> None:
    session = SessionController.create(archive, "fallujah2004", seed="7")
    typist = Typist(["/adjust ops -3", typed, *(["the dog"] if ops < 0 else [])])
    Loop(session, typist.ask, typist.tell).play()

    assert "OPs cannot stand at -3 [5.0]\n  It can be: 0 or more. Like this: /adjust ops 65" in typist.text
    assert typist.prompts[1] == "Record it anyway? (y/N) " and ("Why? [moved by hand] > " in typist.prompts) is (ops < 0)
    assert session.position.track("ops") == ops


def test_refusals_of_an_adjustment_show_lines_of_the_session(play: Play) -> None:
    typist, _ = play("/adjust", "/adjust supply 99", "/adjust mood fine")

    assert "Like this: /adjust supply 8, or /adjust Red Camp; behind it: because REASON" in typist.text
    assert "It can be: -3 to 20. Like this: /adjust supply 8" in typist.text
    assert "It can be: low, middling, high. Like this: /adjust mood middling" in typist.text


def test_commands_and_keys_work_where_a_reason_is_asked_for(play: Play) -> None:
    typist, session = play("rest", "/adjust supply 3", "/note rain", "/adjust supply 3", "-", "/adjust supply 3", "?", "*", ".")

    assert [note.text for note in session.history.notes] == ["rain"]
    assert session.position.track("supply") == 8 and session.history.force == [1]
    assert "Supply 8 -> 3" not in typist.text and "Supply 9 -> 3" not in typist.text
    assert "The reason, for the log" in typist.text and "There are no odds here" in typist.text


def test_commands_of_the_shell_work_at_the_table(play: Play) -> None:
    typist, session = play(
        "companion do rest",
        "companion undo",
        "companion rule tiny 2.1",
        "companion undo --help",
        "companion stats",
        "/redo --help",
    )

    assert session.history.force == [1]
    assert "2.1  March" in typist.text
    assert "/undo [N | to ACTION]" in typist.text and "/redo\nrestore what was undone" in typist.text
    assert "'companion stats' is a command of the shell, not of the table" in typist.text


def test_a_number_of_a_list_that_is_not_shown_is_refused(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.views.question._MAX_ROWS", 1)
    typist, session = play("search", "2", "?", "2", draws="physical")

    assert "'2': no list with number 2 is on the screen" in typist.text
    assert session.history.entries[2].replies[0].value == "Stone"


def test_back_takes_back_one_question_whoever_answered_it(play: Play) -> None:
    """A roll that Enter left to Companion was a question; the answer typed before it stays."""
    _, session = play("march", "red", "ford", "", "", "-", dice="physical")
    assert session.pending is not None and session.pending.key == "toll"


def test_the_number_of_an_action_that_ends_a_phase_asks_for_a_second_enter(play: Play) -> None:
    typist, session = play("7", "rest", "7", "")

    assert "7 is stop, which ends a phase or turn. Enter again does it; or type its name" in typist.text
    assert [entry.action for entry in session.history.in_force] == ["setup", "rest", "stop"]


def test_adjust_and_audit_at_a_question_which_is_then_asked_again(tiny_game: str, archive: Archive) -> None:
    session = SessionController.create(archive, "tiny", seed="7", dice="physical")
    typist = Typist(
        ["march red; ford", "/adjust supply 3 because of the dog", "/audit", "red.hits 2", "/back", "/adj moon 3 x", "2"]
    )
    Loop(session, typist.ask, typist.tell).play()

    assert "Supply 7 -> 3: of the dog" in typist.text
    assert "-> Set Supply from 7 to 3" in typist.text
    assert "no track or piece 'moon'" in typist.text
    assert typist.text.count("? Toll of the water") == 4
    assert [reply.key for reply in session.history.in_force[-1].replies] == ["unit", "to", "adjust", "toll"]
    assert session.pending is None and session.position.track("supply") == 3 and session.position.pieces["red#1"].marks == {}


def test_an_adjustment_from_which_the_question_cannot_be_asked(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    async def rest(ford: tiny.Ford) -> None:
        if ford.position.track("supply") == 1:
            ford.forbid("not with that", "1.1")
        await ford.confirm("fire", "With a fire", "1.1")

    monkeypatch.setattr(tiny.Ford, "rest", rest)
    typist, session = play("rest", "/adjust supply 1 because of rain")

    assert "action 2 'rest' does not go on with that: not with that [1.1]" in typist.text
    assert session.pending is not None and session.position.track("supply") == 8


def test_amend_in_the_loop(play: Play) -> None:
    """What the hands have to do comes first, then how it came to that."""
    typist, session = play("march red; ford", "/amend 2.3 6")

    assert session.position.pieces["red#1"].marks == {"hits": 1}
    shown = typist.text.rpartition("On the table:\n")[2]
    assert shown.startswith("  -> Red: hits 1\n") and "Camp -> Ford" in shown


def test_two_answers_are_amended_at_once(play: Play) -> None:
    """Named in the wrong order, neither fits where the other stays."""
    typist, session = play("march red; ford", "rest", "/amend 2.2 camp, 2.3 1")

    assert not session.position.pieces["red#1"].marks
    assert [reply.value for reply in session.history.entries[4].replies] == [["red#1"], "camp", [1]]
    assert "amend stopped" not in typist.text


def test_the_audit_takes_in_one_line_what_differs(play: Play) -> None:
    typist, session = play("/audit", "supply 2, Red the old ford, blue#2.hits=1")

    assert "Camp: Red, 2 x Blue" in typist.text
    assert "Bag: 5\n" in typist.text
    assert "-> Set Supply from 8 to 2" in typist.text
    assert session.position.pieces["red#1"].place == "the old ford"
    assert session.history.force == [1, 2]


def test_at_the_audit_enter_is_all_right_and_a_slash_is_a_command(play: Play) -> None:
    typist, session = play("/audit", "", "/audit", "/note it rains", "/audit", "suply 2", "/audit supply 3")

    assert "Everything is as it should be" in typist.text
    assert [note.text for note in session.history.notes] == ["it rains"]
    assert "no track or piece 'suply'" in typist.text
    assert session.position.track("supply") == 3


def test_help_lists_every_slash_command(play: Play) -> None:
    typist, _ = play("/help")

    assert [name for name in SLASH_COMMANDS if f"/{name}" not in typist.text] == ["answers"]
    assert row_count(typist.shown[4:], 80) <= 24


def test_ctrl_c_at_a_question_keeps_it_or_takes_its_entry_back(play: Play) -> None:
    kept, kept_session = play("fight blue", CTRL_C, "k")
    taken, taken_session = play("fight blue", CTRL_C, "t", name="b")
    on, on_session = play("fight blue", CTRL_C, "", "no", name="c")
    done, done_session = play("fight blue", CTRL_C, "/quit", "rest", name="d")

    assert kept_session.pending is not None
    assert taken_session.pending is None
    assert taken_session.history.status(2) == "taken back"
    assert on_session.history.status(2) == "in force"
    assert on.prompts[2].startswith("Keep it for later")
    assert done.prompts[3:] == [] and done_session.pending is not None
    assert "-> Set Mood" in taken.text
    assert kept.text.endswith("companion play")


def test_ctrl_c_elsewhere_only_hints(play: Play) -> None:
    typist, session = play(CTRL_C, "rest", "fire", CTRL_C)

    assert "Ctrl-D or /quit leaves" in typist.text
    assert "Nothing done" in typist.text
    assert session.history.next_number == 3


def test_quit_leaves_a_question_pending(play: Play) -> None:
    _, session = play("fight blue", "/quit", "no")

    assert session.pending is not None


def test_another_window_playing_on_is_told_and_read(tiny_game: str, archive: Archive) -> None:
    session = SessionController.create(archive, "tiny", seed="7")
    other = SessionController.open(archive, session.info)
    other.do("march", Answers(plain=["red", "ford"]))
    typist = Typist(["rest", "rest"])
    Loop(session, typist.ask, typist.tell).play()

    assert "the session has moved on" in typist.text
    assert [entry.action for entry in session.history.in_force] == ["setup", "march", "rest"]


def test_a_fault_in_the_rules_does_not_end_the_evening(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(referee: tiny.Ford) -> None:
        raise ZeroDivisionError("by nothing")

    monkeypatch.setattr(tiny.Ford, "rest", broken)
    typist, session = play("rest", "march red; ford")

    assert "a fault in Companion itself: ZeroDivisionError" in typist.text
    assert session.history.next_number == 3


@pytest.fixture
def chatty(monkeypatch: pytest.MonkeyPatch) -> None:
    """To rest takes sixty lines."""

    async def rest(referee: tiny.Ford) -> None:
        for number in range(60):
            referee.say(f"reason {number}", "1.1", tone="board" if number == 7 else "")

    monkeypatch.setattr(tiny.Ford, "rest", rest)


@pytest.mark.usefixtures("chatty")
def test_a_long_result_shows_its_end_and_why_its_head_a_screen_at_a_time(play: Play) -> None:
    """Nothing is asked for the result itself, which stands in the scroll-back whole."""
    typist, _ = play("rest", "/why", "", "", "", size=(20, 80))
    result, _, why = typist.text.partition("have scrolled off the screen: /why shows them")

    assert [number for number in range(60) if f"reason {number} [1.1]" not in result] == []
    assert [number for number in range(60) if f"reason {number} [1.1]" not in why] == []
    assert typist.prompts == ["[?] action > ", "[?] action > ", MORE, MORE, MORE, "[?] action > "]


def test_what_is_to_be_put_right_on_the_board_is_paged(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing shows it again."""

    async def raised(referee: tiny.Ford) -> None:
        for number in range(40):
            referee.make(f"new#{number}", "unit", f"New {number}", "camp", "1.1", "")

    monkeypatch.setattr(tiny.Ford, "rest", raised)
    typist, _ = play("rest", "/undo", "", "", "", size=(20, 80))

    assert typist.prompts.count(MORE) == 2
    assert all(f"New {number}" in typist.text for number in range(40))


@pytest.mark.usefixtures("chatty")
def test_what_is_typed_where_more_is_offered_is_no_answer(play: Play) -> None:
    """A command is carried out; anything else is dropped, and said so: it could answer a question that is not on the screen."""
    typist, session = play("rest", "/why", "/note seen enough", "/why", "rest", "/why", "Q", size=(20, 80))

    assert [note.text for note in session.history.notes] == ["seen enough"]
    assert typist.prompts.count(MORE) == 3
    assert "Not taken: 'rest', typed while this was shown. Type it again" in typist.text
    assert [entry.action for entry in session.history.in_force] == ["setup", "rest"]


def test_what_is_typed_for_a_yes_or_no_runs_at_once(play: Play) -> None:
    typist, session = play("fire", "march red", "/quit", scenario="day")

    assert typist.prompts == ["[?] action > ", "Record it anyway? (y/N) ", "> "]
    assert session.pending is not None and session.pending.key == "to"


def test_a_session_whose_open_entry_is_broken_can_be_mended(
    tiny_game: str, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = SessionController.create(archive, "tiny", seed="7")
    session.do("fight", Answers(plain=["blue"]))

    async def changed(referee: tiny.Ford) -> None:
        await referee.number("height", "How high", "2.2", 1, 9)

    monkeypatch.setattr(tiny.Ford, "fight", changed)
    typist = Typist(["rest", "/log", "/undo", "rest"])
    session = SessionController.open(archive, session.info)
    Loop(session, typist.ask, typist.tell).play()

    assert "asks 'How high' where it used to ask 'unit'" in typist.text
    assert [entry.action for entry in session.history.in_force] == ["setup", "rest"]


def test_a_line_that_skips_a_question_keeps_the_rest_until_it_is_asked_for(play: Play) -> None:
    """Strength has no default, another round has one: both are asked, and the weather is what was typed at first."""
    _, session = play("fight red weather=foul", "2", "")

    replies = {reply.key: (reply.value, reply.source) for reply in session.history.entries[2].replies}
    assert replies["strength:Red"] == ("2", "typed")
    assert replies["go on"] == (False, "suggested")
    assert replies["weather"] == ("foul", "typed")
    assert session.pending is None


def test_what_was_never_asked_for_is_told_in_the_end(play: Play) -> None:
    typist, session = play("fight red wether=foul", "2", "")

    assert "Not asked for: wether=foul" in typist.text
    assert session.history.open_entry is None


def test_what_was_never_asked_for_costs_no_answer_of_a_later_line(play: Play) -> None:
    """Nothing has happened before the roll is typed; it completes the entry, and is kept."""
    typist, session = play("/dice physical", "scout way=left bogus=1", "3")

    assert "Not asked for: bogus=1" in typist.text
    assert session.history.open_entry is None
    assert [reply.value for reply in session.history.entries[2].replies][:2] == [[3], "left"]


def test_a_wrong_last_word_keeps_those_before_it(play: Play) -> None:
    typist, session = play("fight red strength:Red=9 weather=foul", "/status", "2", "no")

    assert "9 is outside 1 to 3" in typist.text
    assert "The answers before it are kept" in typist.text
    replies = {reply.key: reply.value for reply in session.history.entries[2].replies}
    assert len(replies["unit"]) == 1
    assert replies["strength:Red"] == "2"
    assert replies["weather"] == "foul"


def test_what_is_refused_in_the_midst_of_a_line_keeps_what_was_before(play: Play) -> None:
    """Without supply nobody marches: the unit stays chosen, the question where to is open again and takes an answer."""
    typist, session = play("/adjust supply 0 because rain", "march red; ford", "ford", "y")

    assert "there is no supply left" in typist.text
    assert "The answers before it are kept" in typist.text
    assert typist.text.count("? Where to") == 1
    assert session.history.open_entry is None
    assert session.position.pieces["red#1"].place == "ford"
    assert session.position.track("supply") == -1


def test_accept_and_dice_are_taken_in_the_loop(play: Play) -> None:
    _, session = play("/dice physical", "fight red strength:Red=2 --dice 5,1 --dice 66 'go on=yes' --accept")

    faces = [reply.value for reply in session.history.entries[2].replies if reply.kind == "roll"]
    assert faces[:2] == [[5, 1], [6, 6]]
    assert session.history.open_entry is None


@pytest.mark.parametrize("word", ["quit", "exit", "save", "q"])
def test_who_types_a_command_without_its_slash_is_understood(play: Play, word: str) -> None:
    typist, session = play("fight red", word, "2")

    assert typist.text.count("Saved: session") == 1
    assert session.history.entries[2].replies[-1].key == "unit"


def test_undo_without_a_slash_takes_back(play: Play) -> None:
    typist, session = play("rest", "undo", "help")

    assert session.history.in_force[-1].action == "setup"
    assert "/adjust WHAT VALUE" in typist.text


@pytest.mark.parametrize("word", ["why", "log", "rule 2.1", "status", "note a dry ford", "show camp"])
def test_a_look_without_its_slash_is_understood_at_a_question_and_between_actions(play: Play, word: str) -> None:
    for before in ("rest", "fight red"):
        plain, _ = play(before, word, "/abort", name=f"without, {before}")
        slashed, _ = play(before, f"/{word}", "/abort", name=f"with it, {before}")

        assert plain.text.replace("without, ", "with it, ") == slashed.text


def test_the_answer_to_a_later_question_waits_under_its_key(play: Play) -> None:
    """Whoever rolls on the table types ``scout way=right`` and the dice when they are asked for."""
    _, session = play("/dice physical", "scout way=right", "3")

    replies = {reply.key: reply.value for reply in session.history.entries[2].replies}
    assert replies["look"] == [3]
    assert replies["way"] == "right"


class Leaver(Typist):
    """A player whose archive is removed or replaced while he plays."""

    def play(self, archive: Archive) -> None:
        """Play until the loop ends, which reports that the archive is gone."""
        loop = Loop(SessionController.create(archive, "tiny", "day", seed="7"), self.ask, self.tell)
        with pytest.raises(BadData, match="moved, removed or replaced"):
            loop.play()


@pytest.mark.parametrize("ending", ["scout right", "rest"])
def test_an_archive_that_is_gone_is_told_and_the_session_can_be_saved(
    tiny_game: str, archive: Archive, tmp_path: Path, ending: str
) -> None:
    """SQLite goes on writing into a file that has been removed: nothing more is acknowledged, and what there is can be saved."""
    file = tmp_path / "rescued.json"
    typist = Leaver(["scout left", lambda: os.unlink(archive.path), ending, f"/bundle {file}"])
    typist.play(archive)

    assert "was moved, removed or replaced while it was open; nothing of this is kept" in typist.text
    assert [row[1] for row in json.loads(file.read_text())["rows"]].count("entry") == 2


def test_an_archive_that_was_replaced_is_not_written_into(tiny_game: str, archive: Archive, tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite3"
    with Archive.open(os.fspath(other)):
        pass
    typist = Leaver(["scout left", lambda: os.replace(other, archive.path), "scout right"])
    typist.play(archive)

    assert "nothing of this is kept" in typist.text


@pytest.mark.parametrize("goodbye", ["/quit", CTRL_D])
def test_leaving_a_session_whose_archive_is_gone_offers_to_rescue_it(
    tiny_game: str, archive: Archive, tmp_path: Path, goodbye: str
) -> None:
    rescued = tmp_path / "rescued.json"
    typist = Leaver(["scout left", lambda: os.unlink(archive.path), goodbye, f"/bundle {rescued}", goodbye])
    typist.play(archive)
    assert "/bundle FILE saves what this window knows" in typist.text and "Saved: session" not in typist.text
    assert [row[1] for row in json.loads(rescued.read_text(encoding="utf-8"))["rows"]].count("entry") == 2


def test_a_bare_enter_takes_the_usual_action(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiny.Tiny, "default_action", lambda game, position: "rest")
    typist, session = play("", "stop", "", dice="physical")

    assert typist.prompts == ["[rest] action > ", "[rest] action > ", "[?] action > ", "[?] action > "]
    assert [entry.action for entry in session.history.in_force] == ["setup", "rest", "stop"]


def test_without_a_usual_action_a_bare_enter_does_nothing(play: Play) -> None:
    typist, session = play("", " ")

    assert typist.prompts == ["[?] action > "] * 3
    assert len(session.history.force) == 1


def test_a_card_that_companion_draws_is_told_with_its_action_only(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    """With Companion's draws a wrong word would decide which card is turned up."""
    monkeypatch.setattr(tiny.Tiny, "default_action", lambda game, position: "search")
    typist, session = play("gold", "search gold")

    assert "'gold' is not taken: Companion draws" in typist.text
    assert "If you did it on the table: search gold; or always: /draws physical" in typist.text
    entry = session.history.entries[2]
    assert entry.action == "search" and (entry.replies[0].key, entry.replies[0].value) == ("find", "Gold")


def test_what_answers_the_usual_action_begins_it(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name of a card is the turn with it; a slip of the pen begins nothing."""
    monkeypatch.setattr(tiny.Tiny, "default_action", lambda game, position: "search")
    typist, session = play("gold", "gild", draws="physical")

    assert next((reply.key, reply.value) for reply in session.history.entries[2].replies) == ("find", "Gold")
    assert "no action 'gild'" in typist.text
    assert typist.offers[0][-2:] == ["Gold", "Stone"]
    assert session.history.next_number == 3


def test_the_keypad_alone_will_do(play: Play) -> None:
    """Numbers for actions and answers, commands by number, and the signs for what is done most beside them."""
    typist, session = play("5", ".", "/2", "2", "1", "*", "2", "-", "2", "2", "/", "/21")

    assert [entry.action for entry in session.history.in_force] == ["setup", "rest", "fight"]
    assert [change.how for change in session.history.changes] == ["undo", "redo", "reply"]
    assert session.pending is None
    assert "1 undo   2 redo   3 back" in typist.text
    assert "no odds here" in typist.text


def test_a_number_of_an_action_is_the_same_whatever_is_barred(play: Play) -> None:
    typist, session = play("?", "6", "y", "2", scenario="day")

    assert session.history.entries[2].action == "fire"
    assert "  7  stop         Stop [1.3]" in typist.text


def test_a_key_of_the_grammar_is_no_answer_to_a_list(play: Play) -> None:
    """None and all have words of their own."""
    typist, session = play("fight", "+", "*", "0", "-")

    assert "3 named, 1 needed" in typist.text and "0 named, 1 needed" in typist.text
    assert "* is the odds; all of a list is all or +" in typist.text
    assert "- is one question back; none of a list is none or 0" in typist.text
    assert [change.how for change in session.history.changes] == ["undo"]


def test_the_last_answer_may_move_nothing_and_the_action_much(play: Play) -> None:
    typist, _ = play("scout left", "march red; ford", "fight blue", "n")
    again, _ = play("peek", "duel 1", name="b")

    assert "Nothing to move" not in typist.text
    assert "Nothing to move" not in again.text


def test_cures_are_typed_where_they_are_read(play: Play) -> None:
    """In the loop with a slash, in the shell with the program's name; what only the shell has keeps its form."""
    typist, _ = play("/odds", "rest", "/abort", "/undo 9", "/redo")

    assert "Ask for a situation, such as /odds round: round, attack, bag" in typist.text
    assert "To take a complete action back: /undo" in typist.text
    assert "See: /log" in typist.text and "see: /log undone" in typist.text
    assert "companion " not in typist.text.replace("Back with: companion play", "")


def test_the_log_shows_all_of_it_and_what_was_undone(play: Play) -> None:
    typist, _ = play(*["rest"] * 7, "/undo", "/log all", "/log undone", "/log")

    assert typist.text.count("1  Set-up") == 2
    assert typist.text.count("x  8  rest") == 1


def test_tab_goes_on_behind_the_first_word(play: Play) -> None:
    """What an action asks first, and what a slash command takes."""
    typist, _ = play("scout left", "fire")
    action, question = typist.further[0], typist.further[-1]

    assert [choice.label for choice in action("mar")] == ["Red", "Blue", "unit="]
    assert [choice.value for choice in action("2")][:2] == ["red#1", "blue#2"]
    assert action("zzz") == ()
    assert {"score", "Camp"} <= {choice.value for choice in question("/sh")}
    assert [choice.value for choice in question("/dice")] == ["computer", "physical"]
    assert [choice.value for choice in question("/od")] == ["round", "attack", "bag"]
    assert "2.1" in [choice.value for choice in question("/rule")]
    assert [(choice.value, choice.hint_text) for choice in question("/amend")] == [("2.2", "way = left")]
    assert question("/zzz") == ()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("ma", ["march"]),
        ("march ", ["Red", "Blue", "unit="]),
        ("march r", ["Red"]),
        ("march red; ", ["Camp", "Ford", "Far bank", "Bag", "Out of play", "to="]),
        ("march red; fo", ["Ford"]),
        ("march red to=f", ["Ford", "Far bank"]),
        ("march unit=red to=", ["Camp", "Ford", "Far bank", "Bag", "Out of play"]),
        ("march red; t", ["to="]),
        ("/sc", []),
        ("/odds ro", ["round"]),
        ("/odds round ", ["mine="]),
        ("/adjust re", ["Red"]),
        ("/adjust red fo", ["Ford"]),
        ("/undo ", ["to"]),
        ("/undo to ", ["1"]),
        ("/show sc", ["score"]),
        ("/rule 2", ["2.1", "2.2", "2.3", "2.4"]),
        ("nonsense ", []),
    ],
)
def test_tab_offers_any_word_of_any_line(play: Play, line: str, offered: list[str]) -> None:
    """Only what can be meant there, by the name that is typed, each with a word on what it is."""
    typist, _ = play()
    found = completions(line, typist.asked[0], command_choices())

    assert [offer.value for offer in found] == offered
    assert all(line.lower().endswith(line[len(line) - offer.length :].lower()) for offer in found)


def test_tab_in_a_list_offers_what_is_not_named_yet(play: Play) -> None:
    further = {"roam": [Choice("a#1", "Alpha"), Choice("b#2", "Bravo")]}.get
    prompt = Prompt("", list, True, lambda line: further(line.partition(" ")[0]) or ())

    assert [offer.value for offer in completions("roam alpha, ", prompt, [])] == ["Bravo"]
    assert [offer.value for offer in completions("roam all=alpha,", prompt, [])] == ["Bravo"]
    assert [offer.value for offer in completions("roam alpha, b", prompt, [])] == ["Bravo"]


def test_the_foot_of_the_screen_says_where_play_is_and_what_was_before(play: Play) -> None:
    """As it is while a prompt waits, the first included; none where the size is not known."""
    typist, _ = play("/adjust supply 5 because rain", "rest", "fight red", size=(24, 80))
    unknown, _ = play("march", name="c")

    assert typist.feet == [
        ["turn", "Supply 8"],
        ["turn", "Supply 8 -> 5"],
        ["turn", "Supply 5 -> 6"],
        ["turn | ? Strength of Red", "Supply 6"],
    ]
    assert unknown.feet == [[], []]


def test_after_a_long_action_what_came_to_lie_where_stands_in_few_lines(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    async def busy(referee: tiny.Ford) -> None:
        for number in range(30):
            referee.say(f"reason {number}", "1.1")
        for piece in referee.position.of_kind("unit"):
            referee.move(piece.id, "ford", "2.1", f"because of {piece.id}")

    monkeypatch.setattr(tiny.Ford, "rest", busy)
    long, _ = play("rest", "", size=(20, 80))
    high, _ = play("rest", "", size=(50, 80), name="b")

    assert "New places, in all:\n  Ford: Red, 2 x Blue" in long.text
    assert "in all:" not in high.text


def test_a_game_without_a_map_says_so(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiny.Tiny, "make_map", Game.make_map)
    typist, _ = play("/map", "/map ford")

    assert typist.text.count("The Ford has no map") == 2
    assert typist.further[0]("/map") == []


def test_the_map_at_the_table(play: Play) -> None:
    """Whole, and around a space that TAB offers; no more than the screen holds."""
    typist, _ = play("/map", "/m camp", "/map moon", size=(24, 80))

    assert typist.text.count(" U3") == 2
    assert "  Ours  Red, 2 x Blue" in typist.text
    assert "no space 'moon'" in typist.text
    assert "camp" in [choice.value for choice in typist.further[0]("/map")]


def test_the_map_is_told_at_the_table(play: Play) -> None:
    typist, _ = play("/map tell camp marsh | ford plain", "/map tell camp sea", "/map tell camp marsh", "/map tell")

    assert "ground:camp = marsh\nground:ford = plain\n" in typist.text
    assert "no ground 'sea'" in typist.text
    assert "Nothing new" in typist.text
    assert "enter which line?" in typist.text


def test_the_tour_says_each_thing_once_when_it_comes_up(play: Play) -> None:
    typist, _ = play("/tour", "fight blue", "/dice physical", "2", "no", "rest", "", "rest", "rest", "/tour", "fight red; 2", "")
    said = [line.text for line in typist.shown if line.lead == "  > "]

    assert said[0].startswith("An action: its number")
    assert any(line.startswith("A question: answer with the number") for line in said)
    assert any(line.lead == "  > Next: " and line.text.startswith("Enter takes") for line in typist.shown)
    assert sum(line.startswith("That was the tour") for line in said) in (1, 2)
    first = said[: next(at for at, line in enumerate(said) if line.startswith("That was the tour")) + 1]
    assert len(first) == len(set(first))
    assert any(line.startswith("Each line says what happened") for line in first)
    assert any(line.startswith("A slip?") for line in first)


@pytest.mark.parametrize("game_id", GAMES)
def test_the_next_key_of_the_tour_can_be_typed_in_every_game(game_id: str, archive: Archive) -> None:
    """In a practice game, 14 prompts long: nothing is refused, and something is resolved."""
    install_practice_set(archive, load_game(game_id))
    scenario, options = practice_defaults(load_game(game_id), {})
    scenario = scenario or next(iter(load_game(game_id).scenarios))
    session = SessionController.create(archive, game_id, scenario, options, "computer", "computer", seed="tour")
    typist = Typist([])

    def ask(prompt: Prompt) -> str:
        hints = [line.text for line in typist.shown if line.lead == "  > Next: "]
        if prompt.page or len(typist.prompts) == 14:
            return "" if prompt.page else typist.ask(prompt)
        hint = hints[-1] if hints else ""
        assert hint or not typist.prompts
        example = re.match(r"type (?:it like this: )?(.*?)(?: or .*)?\. \? lists", hint)
        action = next((choice.value for choice in prompt.choices() if not choice.hint), "")
        key = "" if hint.startswith("Enter") else example[1] if example else action
        typist.lines = [key if hints else "/tour"]
        return typist.ask(prompt)

    Loop(session, ask, typist.tell, lambda: (24, 80)).play()
    assert [line.text for line in typist.shown if line.tone == "error"] == []
    assert len(session.history.force) > 2


def test_enter_at_a_question_without_a_suggestion_lists_the_answers(play: Play) -> None:
    typist, session = play("march", "", "1", CTRL_D, dice="physical")

    assert typist.text.count("? Which unit") == 2 and "no answer yet" not in typist.text
    assert session.pending and session.pending.key == "to"


def test_the_adviser_is_found_by_the_words_a_player_types(archive: Archive) -> None:
    """At a question and between actions, with and without a slash."""
    session = SessionController.create(archive, "fallujah2004", "vigilant", seed="1")
    for word in ("advise", "hint", "/advise", "help me", "bot"):
        typist = Typist([word])
        Loop(session, typist.ask, typist.tell).play()
        assert "NetWar for J-5" in typist.text, word


def test_an_unknown_action_is_refused_with_the_open_ones_in_words(play: Play) -> None:
    typist, session = play("fly", "fly", "cancel", size=(24, 80))

    assert typist.text.count("no action 'fly'\n  These are open:") == 2
    assert "march: " in typist.text.partition("no action 'fly'")[2]
    assert "there is no open action" in typist.text.casefold() or "nothing" in typist.text.casefold()
    assert len(session.history.force) == 1


def test_what_is_typed_at_a_yes_or_no_or_a_reason_runs_at_once(play: Play) -> None:
    """Nothing of it is glued to the next line, and the question that it left is said to be not done."""
    typist, session = play("/adjust red ford", "/note seen", "/log")

    assert "Nothing done\nNoted" in typist.text and "note: seen" in typist.text
    assert session.position.pieces["red#1"].place == "camp"


def test_a_new_session_is_told_of_the_tour_and_an_old_one_is_not(play: Play, archive: Archive) -> None:
    typist, session = play("rest", "rest", "rest")
    again = Typist([])
    Loop(session, again.ask, again.tell).play()

    assert typist.text.count("New here? /tour") == 1
    assert "New here?" not in again.text


def test_review_shows_what_decisions_cost(play: Play) -> None:
    """The short form, and of a review that is stopped what is kept."""
    typist, session = play("rest", "fight blue", "n", "/review")

    assert "It adds up" in typist.text and "Your decisions" in typist.text
    assert "More: /review details" in typist.text
    assert "What was reviewed" in play("rest", "/review --details")[0].text
    assert "Action 2 had no decision" in play("rest", "/review 2")[0].text
    assert "the log has no action 99" in play("rest", "/review 99")[0].text
    assert "no part of the review 'zzz'" in play("rest", "/review zzz")[0].text
    assert session.history.force == [1, 2, 3]


def test_a_stopped_review_says_that_it_goes_on(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("companion.session.review.session_review", stopped)
    typist, _ = play("rest", "/review", "/log 1")

    assert "stopped: what was computed is kept" in typist.text and "rest" in typist.text


def test_the_summary_of_a_turn_is_told_at_the_table(play: Play) -> None:
    typist, _ = play("/summary", "fight blue", "n", "/summary", "/summary 7")

    assert "nothing was played yet" in typist.text
    assert "Action 2" in typist.text or "Turn" in typist.text
    assert "turn 7 was not played" in typist.text


def test_a_page_of_help_can_be_read_at_the_table(play: Play) -> None:
    typist, _ = play("/help corr", "/help nonsense", "/help l")

    assert "Correcting anything: undo, amend, adjust, audit" in typist.text
    assert "no page 'nonsense'" in typist.text.casefold()


def test_enter_where_no_action_is_usual_lists_those_that_are_open(play: Play) -> None:
    """Nothing is done, and nothing recorded."""
    typist, session = play("", "")

    assert typist.text.count("   1  march        March [2.1]") == 2
    assert session.pending is None and len(session.history.in_force) == 1


def test_on_a_screen_the_open_actions_are_listed_until_it_is_turned_off(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    listed, _ = play("rest", "/status", size=(24, 80))
    assert listed.text.count("  1 march: March | 2 fight: Fight | 3 search: Search") == 2
    monkeypatch.setattr("companion.cli.repl.loop.setting", lambda key: "off")
    bare, _ = play("rest", size=(24, 80), name="b")
    assert "1 march: March" not in bare.text


def test_an_advised_place_with_a_prime_is_typed_so_that_it_is_read_again() -> None:
    """Two of them are not taken for quotes around what stands between."""
    plan = PlannedAction("move", {"unit": "5", "way": ["14-2'", "14-3'"], "to": "3-1'"})
    assert split(plan_to_input(plan)) == ["move", "unit=5", "way=14-2', 14-3'", "to=3-1'"]


def test_advice_is_carried_out_at_a_word(tiny_game: str, archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if what is told had been typed; where there is no advice, nothing happens."""
    monkeypatch.setitem(GAMES, "tiny", "tests.support.tiny_rival")
    for word in ("do", "1"):
        session = SessionController.create(archive, tiny_game, seed="7", name=f"at {word}")
        typist = Typist([f"/bot {word}", ""])
        Loop(session, typist.ask, typist.tell).play()
        assert session.history.in_force[-1].action == "rest" and "rest [1.1]" in typist.text

    monkeypatch.setitem(GAMES, "tiny", "tests.support.tiny")
    session = SessionController.create(archive, tiny_game, seed="7", name="alone")
    typist = Typist(["/bot do"])
    Loop(session, typist.ask, typist.tell).play()
    assert len(session.history.in_force) == 1 and "there is no advice here that can be carried out" in typist.text


def opponents_turn(archive: Archive, pace: str, *lines: str, size: tuple[int, int] = (0, 80)) -> tuple[Typist, SessionController]:
    """Iraq War 2003 from the end of the Coalition's first turn on: Companion plays Iraq, and rolls."""
    session = supplied(archive, known="unit", dice="computer")
    typist = Typist((f"/pace {pace}", "end", *lines))
    Loop(session, typist.ask, typist.tell, lambda: size).play()
    return typist, session


def test_at_the_pace_never_only_a_decision_of_the_player_stops_the_opponents_turn(archive: Archive) -> None:
    """Which groups are intercepted is the Coalition's question."""
    flowing, _ = opponents_turn(archive, "never")

    assert flowing.prompts == ["[move] action > ", "[move] action > ", "[none] > "]
    assert re.search(r"(?m)^What is target 1\?.*: KDP1 by MiG-23$", flowing.text)
    assert "Which Coalition units intercept which groups?" in flowing.text
    assert opponents_turn(archive, "action")[0].prompts == ["[move] action > ", "[move] action > ", "[bomb] action > "]


def test_what_was_undone_at_the_pace_never_is_not_done_again(archive: Archive) -> None:
    typist, session = opponents_turn(archive, "never", ".", "/note what now")

    assert typist.prompts[2:] == ["[none] > ", "[bomb] action > ", "[bomb] action > "]
    assert [note.text for note in session.history.notes] == ["what now"]


def test_at_the_pace_line_each_line_of_the_opponent_waits(archive: Archive) -> None:
    shown, _ = opponents_turn(archive, "line", "", "", "", "", "none", *[""] * 40, size=(24, 80))

    assert shown.prompts.count(MORE) >= 3
    assert "pace line: the opponent's actions stop at each line. For every session: companion config pace line" in shown.text
