"""The command line's contract: what each command prints and leaves with, as text and as JSON."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from companion import __version__, api
from companion.cli.shell.output import PROTOCOL
from companion.core.request import Odds
from companion.games import GAMES
from companion.session.controller import SessionController
from companion.session.store import Archive
from companion.views.data import pending_data
from companion.views.messages import WITH_REASON
from tests.cli.conftest import Run
from tests.support import tiny
from tests.support.commands import companion


def data(run: Run, *words: str, code: int = 0) -> dict:
    """The one JSON document of a command, which begins with who wrote it, in which form."""
    body = json.loads(run(*words, "--json", code=code).stdout)
    assert list(body)[:2] == ["companion", "protocol"]
    assert (body.pop("companion"), body.pop("protocol")) == (__version__, PROTOCOL)
    return body


def test_a_new_session_is_set_up_and_in_use(run: Run) -> None:
    out = run("new", "ti", "--scenario", "day", "--name", "monday").stdout

    assert "Session monday - The Ford - By day" in out
    assert "Supply 0 -> 8: set-up [1.1]" in out
    assert run("sessions").stdout.split()[:2] == ["*", "monday"]


def test_without_a_scenario_the_first_is_taken_under_a_pipe(run: Run) -> None:
    assert data(run, "new", "tiny")["options"]["scenario"] == "day"


def test_the_set_up_may_ask_and_take_answers(run: Run) -> None:
    pending = data(run, "new", "tiny", "--scenario", "night", "--name", "a", code=3)
    done = data(run, "new", "tiny", "--scenario", "night", "--name", "b", "lamps=2")

    assert pending["pending"]["key"] == "lamps"
    assert pending["done"] is False
    assert (done["pending"], done["position"]["tracks"]["supply"]) == (None, 3)


def test_status_tells_where_play_is(begun: Run) -> None:
    body = data(begun, "status")

    assert begun("status").stdout.splitlines() == ["Session monday - The Ford - By day", "turn", "Supply 8"]
    assert body["session"] == "monday"
    assert body["banner"]["fields"] == [{"key": "supply", "label": "Supply", "shown": "8", "number": 8, "numbers": {}}]
    assert [piece["name"] for piece in body["position"]["places"]["camp"]] == ["Red", "Blue", "Blue"]
    assert body["pending"] is None


def test_no_command_without_a_terminal_is_the_status(begun: Run) -> None:
    assert begun().stdout == begun("status").stdout
    assert begun("--json").stdout == begun("status", "--json").stdout


def test_the_common_options_may_stand_before_the_command(begun: Run, tmp_path: Path) -> None:
    other = str(tmp_path / "other.sqlite3")

    assert "there is no archive" in begun("--db", other, "status", code=2).stderr
    assert begun("--session", "mon", "status").stdout == begun("status", "--session=monday").stdout


def test_do_takes_answers_by_key_in_order_and_plain(begun: Run) -> None:
    begun("do", "march", "unit=red", "to=ford", "--dice", "3")
    begun("do", "mar", "blue", "hill", "--dice", "6")
    fight = data(begun, "do", "fight", "red", "strength:Red=1", "go on=yes", "go on=no", "--dice", "5,2")

    assert fight["done"]
    assert fight["entry"] == 4
    assert [event["text"] for event in fight["events"] if event["kind"] == "said"] == ["1 hits", "0 hits", "The weather is fair"]
    assert "Blue: hits 1: a six [2.1]" in begun("log").stdout


def test_what_a_step_prints_as_json(begun: Run) -> None:
    body = data(begun, "do", "march", "red", "ford", "--dice", "1")

    assert list(body) == list(data(begun, "status"))
    assert (body["game"], body["banner"]["fields"][0]["number"]) == ("tiny", 7)
    assert api.messages()[WITH_REASON] == "{text}: {why}"
    first = body["lines"][0]["messages"]["text"]
    assert (first["id"], first["arguments"]["text"]["text"]) == (WITH_REASON, "Supply 8 -> 7")
    assert [{**line, "messages": 0} for line in body["lines"]] == [
        {"messages": 0, **line}
        for line in (
            {"text": "Supply 8 -> 7: march", "tone": "track", "rule": "1.1"},
            {"text": "Red: Camp -> Ford: march", "tone": "", "rule": "2.1"},
            {"text": "Turn 0 -> 1: an action was done", "tone": "track", "rule": "1.3"},
        )
    ]
    assert body["events"][0] == {"kind": "track", "track": "supply", "was": 8, "now": 7, "rule": "1.1", "why": "march"}
    assert body["events"][1]["name"] == "Red"


def test_what_can_be_begun_and_why_not_the_rest(begun: Run) -> None:
    """Another program draws its buttons by this: what it calls possible is begun, and what it bars is refused so."""
    free = by_action(data(begun, "status"))
    asked = data(begun, "do", "fight", "blue", code=3)

    assert [action for action, way in free.items() if not way["possible"]] == ["fire"]
    assert free["fire"]["against"] == {"why": "it is not dark", "rule": "2.4", "cure": "Wait for the night"}
    assert asked["pending"] and asked["legal"] == []
    begun("answer", "no", "--accept")
    over = by_action(data(begun, "do", "stop"))
    assert over["rest"]["against"]["why"] == "the game is over: the last turn is done"


_OF_THE_OPEN_ONE = ("at", "seat", "open_to", "waits_for")
"""Fields of an open question that the first question of an action does not have."""


def test_what_an_action_can_be_given(begun: Run) -> None:
    """What it asks first, as it is asked then; nothing is rolled or kept to find it out."""
    legal = by_action(data(begun, "status"))
    asked = data(begun, "do", "march", code=3)["pending"]

    assert legal["march"]["arguments"] == [{key: value for key, value in asked.items() if key not in _OF_THE_OPEN_ONE}]
    assert [one["value"] for one in asked["choices"]] == ["red#1", "blue#2", "blue#3"]
    assert legal["search"]["arguments"][0]["kind"] == "draw"
    assert legal["rest"]["arguments"] == []


def test_the_odds_of_a_glance_stand_beside_the_choices_unless_it_is_brief(begun: Run) -> None:
    begun("do", "fight", "blue", "--dice", "1,1", code=3)
    with Archive.open() as archive:
        session = SessionController.open(archive)
        assert session.pending
        session.pending.has_quick_odds, session.pending.odds = (
            True,
            lambda: Odds("Round", "2.2", (), beside=(("yes", "3.1 % won"),)),
        )
        told, brief = pending_data(session), pending_data(session, brief=True)

    assert told and brief
    assert [choice.pop("odds", "") for choice in told["choices"]] == ["3.1 % won", ""]
    assert told == brief


def by_action(body: dict) -> dict:
    """What can be begun, by the ids of the actions."""
    return {way["action"]: way for way in body["legal"]}


def test_a_left_over_question_is_left_pending_with_code_3(begun: Run) -> None:
    first = begun("do", "fight", "blue", "--dice", "1,1", code=3)
    body = data(begun, "answer", code=3)

    assert "? Another round [2.2]" in first.stdout
    assert 'companion answer "go on=..." or --accept (question 2.4)' in first.stdout
    assert body["pending"] == {
        "kind": "confirm",
        "key": "go on",
        "prompt": "Another round",
        "rule": "2.2",
        "whose": "",
        "choices": [
            {"value": "yes", "label": "yes", "hint": "", "beside": "1"},
            {"value": "no", "label": "no", "hint": "", "beside": "2"},
        ],
        "suggest": False,
        "hint": "",
        "expects": "Type yes or no",
        "enter": "",
        "at": "2.4",
        "seat": "player",
        "open_to": ["player"],
        "waits_for": [],
    }


def test_answer_goes_on_with_the_question(begun: Run) -> None:
    begun("do", "fight", "blue", "--dice", "1,1", code=3)

    assert data(begun, "answer", "yes", "no", "--dice", "6,6")["done"]


def test_accept_takes_what_is_suggested(begun: Run) -> None:
    assert data(begun, "do", "fight", "blue", "--accept")["done"]


def test_do_refuses_while_a_question_is_open(begun: Run) -> None:
    begun("do", "fight", "blue", code=3)

    assert "a question is open: Another round [2.2]" in begun("do", "rest", code=3).stderr


def test_the_rules_say_no_with_code_1_and_anyway_records_it(begun: Run) -> None:
    refused = begun("do", "fire", "2", code=1)
    done = begun("do", "fire", "2", "--anyway")

    assert refused.stderr.splitlines()[0] == "it is not dark [2.4]"
    assert "--anyway" in refused.stderr
    assert done.stdout.startswith("! Out of sequence, recorded anyway: it is not dark [2.4]")


def test_a_counter_that_the_cup_cannot_hold_is_a_question(begun: Run) -> None:
    for _ in range(2):
        begun("do", "search", "--draw", "gold")

    assert "the cup has no more Gold" in begun("do", "search", "--draw", "gold", code=1).stderr
    assert "Gold -> Out of play: drawn on the table [2.3]" in begun("do", "search", "--draw", "gold", "--anyway").stdout


def test_physical_dice_and_draws_are_asked_for(run: Run) -> None:
    run("new", "tiny", "--dice", "physical", "--draws", "physical")
    asked = data(run, "do", "search", code=3)["pending"]

    assert asked["kind"] == "draw"
    assert [(one["value"], one["many"]) for one in asked["choices"]] == [("Gold", 2), ("Stone", 3)]
    assert data(run, "answer", "--draw", "stone", code=3)["pending"]["kind"] == "roll"
    assert data(run, "answer", "--dice", "6")["done"]


def test_show_any_part_of_the_table(begun: Run) -> None:
    assert "Supply  8" in begun("show", "tracks").stdout
    assert begun("show", "cups").stdout == "Bag: 5 hidden: 2 x Gold, 3 x Stone\n"
    assert begun("show", "camp").stdout == "Camp: Red, 2 x Blue\n"
    assert begun("show", "mood").stdout == "Mood  middling  (low, middling, high)\n"
    assert "If the game ended now" in begun("show", "score").stdout
    assert "strength:Blue  2 (from the rulebook)" in begun("show", "facts").stdout
    assert "ford_cost" in begun("show", "options").stdout
    assert "ford_cost = one: A march costs one everywhere." in begun("show", "rulings").stdout
    assert len(data(begun, "show", "blue")["pieces"]) == 2
    assert set(data(begun, "show", "supply", "score")) == {"session", "tracks", "score"}
    assert data(begun, "show", "cups") == {
        "session": "monday",
        "cups": {"bag": [{"name": "Gold", "many": 2}, {"name": "Stone", "many": 3}]},
    }
    assert "Places" in begun("show", "setup").stdout
    assert begun("show", "flags").stdout == "nothing to note\n"
    assert set(data(begun, "show", "pieces")["places"]) == {"camp"}
    assert {key: set(part) for key, part in data(begun, "show", "places").items() if key != "session"} == {
        "places": {"camp"},
        "cups": {"bag"},
    }
    assert "Camp  3" in begun("show").stdout
    assert "nothing on the table is called 'zzz'" in begun("show", "zzz", code=2).stderr


def test_the_log_numbers_replies_and_names_their_sources(begun: Run) -> None:
    begun("do", "march", "red", "ford")
    begun("do", "fight", "blue", "--accept")
    out = begun("log").stdout

    assert "   2  march - March [2.1]" in out
    assert "     2.1 unit = Red (you) [2.1]" in out
    assert "     3.2 strength:Blue = 2 (rulebook) [2.2]" in out
    assert "(SAMPLE)" in out
    assert [entry["entry"] for entry in data(begun, "log", "--last", "1")["entries"]] == [3]


def test_undone_entries_stay_in_the_log_marked(begun: Run) -> None:
    begun("do", "rest")
    begun("undo")

    assert "rest" not in begun("log").stdout
    assert "x  2  rest - Rest [1.1]" in begun("log", "--undone").stdout
    assert data(begun, "log", "--undone")["changes"] == [{"take": [2], "give": [], "how": "undo"}]


def test_an_undo_past_a_roll_is_marked_in_the_log(begun: Run) -> None:
    begun("do", "march", "red", "ford")
    out = begun("undo").stdout

    assert "you have seen the dice that you take back" in out
    assert "-> Move Red from Ford to Camp" in out
    assert "undone: 2 (past a roll)" in begun("log", "--undone").stdout


def test_why_shows_the_layer_below(begun: Run) -> None:
    begun("do", "fight", "blue", "go on=no", "--dice", "5,1")
    out = begun("why").stdout

    assert "     1 hits [2.2]" in out
    assert "         - 5" in out
    assert data(begun, "why", "1")["action"] == "setup"
    assert {event.get("name") for event in data(begun, "log")["entries"][-1]["events"]} <= {None, "Red", "Blue"}
    assert "the log has no action 9" in begun("why", "9", code=1).stderr


def test_undo_redo_and_their_board_fix(begun: Run) -> None:
    begun("do", "march", "red", "ford", "--dice", "1")
    begun("do", "rest")
    both = data(begun, "undo", "2")
    back = data(begun, "redo")

    assert back["fix"] == ["Move Red from Camp to Ford", "Set Turn from 0 to 2"]
    assert both["fix"] == ["Move Red from Ford to Camp", "Set Turn from 2 to 0"]
    assert back["position"]["tracks"]["turn"] == 2
    assert "nothing to bring back" in begun("redo", code=1).stderr
    assert data(begun, "undo", "--to", "2")["position"]["tracks"]["turn"] == 1


def test_undo_of_one_reply_asks_it_again(begun: Run) -> None:
    begun("do", "march", "red", "ford", "--dice", "1")
    body = data(begun, "undo", "--reply", code=3)

    assert body["pending"]["key"] == "toll"
    assert "--to and --reply" in begun("undo", "--to", "1", "--reply", code=2).stderr


def test_amend_changes_an_old_reply(begun: Run) -> None:
    begun("do", "march", "red", "ford", "--dice", "1")
    begun("do", "rest")
    body = data(begun, "amend", "2.3", "6")

    assert body["fix"] == ["Red: hits 1"]
    assert body["position"]["tracks"]["turn"] == 2
    assert "is not an answer of the log" in begun("amend", "2", "6", code=2).stderr
    assert "and no 4.9" in begun("amend", "4.9", "6", code=1).stderr


def test_adjust_sets_what_lies_on_the_table(begun: Run) -> None:
    body = data(begun, "adjust", "supply", "-2", "red", "ford", "--why", "the cat")

    assert body["position"]["tracks"]["supply"] == -2
    assert body["fix"] == ["Move Red from Camp to Ford", "Set Supply from 8 to -2"]
    assert "Adjust: the cat" in begun("log").stdout
    assert "Supply -2 -> 2: moved by hand" in begun("adjust", "supply", "2").stdout
    refused = begun("adjust", "supply", "--why", "x", code=2).stderr
    assert "adjust what, to what?" in refused and "Like this: companion adjust supply 2, or companion adjust Red Ford" in refused
    assert "no such option: --whyy" in begun("adjust", "supply", "2", "--whyy", "x", code=2).stderr


def test_adjust_and_audit_while_a_question_is_open(begun: Run) -> None:
    begun("do", "march", "unit=red", code=3)
    body = data(begun, "adjust", "supply", "3", "--why", "the cat", code=3)

    assert body["pending"]["key"] == "to" and not body["done"]
    assert body["fix"] == ["Set Supply from 8 to 3"] and body["position"]["tracks"]["supply"] == 3
    assert data(begun, "audit", "red.hits=2", code=3)["pending"]["key"] == "to"
    assert "2.2 adjust supply = 3: the cat" in begun("log").stdout
    assert data(begun, "answer", "ford")["position"]["tracks"]["supply"] == 2
    body = data(begun, "undo", "--reply", code=3)
    assert body["position"]["tracks"]["supply"] == 3
    body = data(begun, "undo", "--reply", code=3)
    assert body["position"]["tracks"]["supply"] == 3 and body["fix"] == ["Red: no hits"]
    assert data(begun, "undo", "--reply", code=3)["position"]["tracks"]["supply"] == 8


def test_audit_prints_what_should_be_there_and_takes_differences(begun: Run) -> None:
    assert "Camp: Red, 2 x Blue" in begun("audit").stdout
    assert data(begun, "audit")["position"]["tracks"]["supply"] == 8
    assert data(begun, "audit", "supply=3", "red.hits=2")["fix"] == ["Red: hits 2", "Set Supply from 8 to 3"]
    assert "has no value" in begun("audit", "supply", code=2).stderr


def test_notes_stand_in_the_log(begun: Run) -> None:
    assert begun("note", "the", "bridge", "is", "gone").stdout == "Noted beside action 1\n"
    assert "note: the bridge is gone" in begun("log").stdout
    assert data(begun, "note", "two")["note"] == "two"


def test_branch_use_and_sessions(begun: Run) -> None:
    begun("branch", "trial")
    begun("do", "rest")
    begun("use", "mon")
    names = data(begun, "sessions")["sessions"]

    assert data(begun, "status")["entry"] == 1
    assert data(begun, "status", "--session", "trial")["entry"] == 2
    assert {(item["name"], item["in_use"]) for item in names} == {("monday", True), ("trial", False)}
    assert "no session 'zz'" in begun("use", "zz", code=2).stderr


def test_report_as_markdown_and_as_data(begun: Run) -> None:
    begun("do", "fight", "blue", "--accept")
    begun("note", "<b>bold</b> [link](x)")
    out = begun("report").stdout
    body = data(begun, "report")

    assert out.startswith("# The Ford: By day\n")
    assert "**Played with Companion's sample values instead of the published ones:** The weather box." in out
    assert "\\<b>bold\\</b> [link\\](x)" in out
    assert "| **Total** | **8** | 1.3 |" in out
    assert body["score"]["verdict"] == "good"
    assert body == data(begun, "report", "--format", "json")
    assert "no format 'pdf'" in begun("report", "--format", "pdf", code=2).stderr


def test_bundle_goes_out_and_comes_back(begun: Run, tmp_path: Path) -> None:
    path = tmp_path / "bundle.json"
    begun("do", "rest")
    begun("bundle", str(path))
    restored = data(begun, "bundle", str(path), "--restore")
    assert (restored["fit"], restored["misfits"]) == (2, [])
    assert restored["session"] == "monday"
    begun("do", "rest")
    assert "monday: the file is older" in begun("bundle", str(path), "--restore").stdout
    begun("undo")
    elsewhere = str(tmp_path / "other.sqlite3")
    assert begun("bundle", str(path), "--restore", "--db", elsewhere).stdout.startswith("In use: monday, new with 5 rows\n")

    assert json.loads(path.read_text())["session"]["name"] == "monday"
    assert data(begun, "status")["session"] == "monday"
    assert data(begun, "status", "--db", elsewhere)["entry"] == 2
    assert "exists already" in begun("bundle", str(path), code=2).stderr
    assert json.loads(begun("bundle").stdout)["format"]
    path.write_text("{}")
    assert "not a session of Companion" in begun("bundle", str(path), "--restore", code=4).stderr


def test_games_lists_and_describes(run: Run) -> None:
    out = run("games", "tiny").stdout

    assert data(run, "games")["games"][0]["scenarios"] == ["day", "night"]
    assert "tiny  The Ford: day, night" in run("games").stdout
    assert "    two: A march to the ford costs two." in out
    assert "depth     2 - Depth at the ford" in out
    assert data(run, "games", "tiny")["missing"] == {"weather": 1, "depth": 2}


def test_rules_by_number_prefix_and_words(run: Run) -> None:
    assert run("rule", "tiny", "2.1").stdout.startswith("2.1  March\n")
    assert "  - Through the ford it costs what the option says.\n" in run("rule", "tiny", "1.1").stdout
    assert "free. Left to you: nothing on the table" in " ".join(run("rule", "tiny", "1.1").stdout.split())
    assert "ford: test_1_1_the_ford\n" in run("rule", "tiny", "1.1", "--code").stdout
    assert [rule["number"] for rule in data(run, "rule", "tiny", "2")["rules"]] == ["2.1", "2.2", "2.3", "2.4"]
    assert run("rule", "tiny", "counter", "bag").stdout.startswith("2.3  Search\n")
    assert len(data(run, "rule", "tiny")["rules"]) == 8
    assert "no rule of The Ford" in run("rule", "tiny", "9.9", code=2).stderr


def test_rule_and_map_without_a_game_are_of_the_session_in_use(run: Run) -> None:
    assert "which game? No session is in use" in run("rule", code=2).stderr
    assert "no game '2.1'" in run("rule", "2.1", code=2).stderr
    assert "which game? No session is in use" in run("map", code=2).stderr
    run("new", "tiny")
    assert run("rule", "2.1").stdout.startswith("2.1  March\n")
    assert run("rule", "counter", "bag").stdout.startswith("2.3  Search\n")
    assert run("rule").stdout == run("rule", "tiny").stdout
    assert run("map").stdout == run("map", "tiny").stdout != ""
    assert run("map", "tell", "2-11", "open", code=2).stderr == run("map", "tiny", "tell", "2-11", "open", code=2).stderr
    assert "no game 'nowhere'" in run("map", "nowhere", code=2).stderr
    assert "no game '9.9'" in run("rule", "9.9", code=2).stderr


def test_charts_whole_looked_up_and_rolled(run: Run) -> None:
    assert run("chart", "tiny").stdout == "find  What is found [2.3]\n"
    assert "4-5  1" in run("chart", "tiny", "find").stdout
    assert data(run, "chart", "tiny", "find", "--on", "6")["result"] == {"supply": 2}
    rolled = data(run, "chart", "tiny", "find", "--roll")
    assert rolled["row"] in ("1-3", "4-5", "6")
    assert "no row for 7" in run("chart", "tiny", "find", "--on", "7", code=2).stderr
    assert "no chart 'zz'" in run("chart", "tiny", "zz", code=2).stderr


def test_roll_any_dice(run: Run) -> None:
    body = data(run, "roll", "3d6+1")

    assert len(body["faces"]) == 3
    assert body["total"] == sum(body["faces"]) + 1
    assert "is not a roll" in run("roll", "x", code=2).stderr


def test_odds_come_from_the_rules(run: Run) -> None:
    body = data(run, "odds", "tiny", "round", "mine=1")

    assert body["sections"][0]["chances"][1] == {"label": "1 hits", "chance": pytest.approx(1 / 3)}
    assert " 33.3 %  ########" in run("odds", "tiny", "ro", "1").stdout
    assert data(run, "odds", "tiny", "round", code=3)["pending"]["key"] == "mine"
    assert "not asked for: x=1" in run("odds", "tiny", "round", "mine=1", "x=1", code=2).stderr
    assert "outside 1 to 3" in run("odds", "tiny", "round", "mine=4", code=2).stderr
    assert "odds of what" in run("odds", "tiny", code=2).stderr
    assert "no situation 'zz'" in run("odds", "tiny", "zz", code=2).stderr


def test_odds_look_at_the_table_of_the_session_in_use(begun: Run) -> None:
    whole = data(begun, "odds", "tiny", "bag")
    begun("do", "search", "--draw", "gold")
    less = data(begun, "odds", "tiny", "bag")

    assert [line["chance"] for line in whole["sections"][0]["chances"]] == pytest.approx([2 / 5, 3 / 5])
    assert [line["chance"] for line in less["sections"][0]["chances"]] == pytest.approx([1 / 4, 3 / 4])
    begun("new", "tiny", "--name", "tuesday")
    assert data(begun, "odds", "tiny", "bag", "--session", "monday") == less
    assert data(begun, "odds", "tiny", "bag") == whole
    assert "no session 'x'" in begun("odds", "tiny", "bag", "--session", "x", code=2).stderr


def test_odds_without_a_session_have_an_empty_table(run: Run) -> None:
    assert "the bag is empty" in run("odds", "tiny", "bag", code=1).stderr


def test_a_game_without_advice_says_so(begun: Run) -> None:
    assert "no opponent that gives advice" in begun("bot", code=2).stderr


def test_an_action_that_stands_alone_needs_no_session(run: Run) -> None:
    alone = run("do", "duel", "mine=2", "--dice", "5,5")
    asks = run("do", "duel", code=3)

    assert alone.stdout == "2 hits [2.2]\n"
    assert "companion answer --session quick-2 mine=..." in asks.stdout
    assert "no session" in run("do", "rest", code=2).stderr
    assert "needs a session" in run("do", "rest", "--game", "tiny", code=1).stderr
    assert "exclude each other" in run("do", "duel", "--game", "tiny", "--session", "quick-2", code=2).stderr
    assert data(run, "answer", "--session", "quick-2", "1", "--dice", "5")["session"] == "quick-2"


def test_printed_facts_from_first_to_last(begun: Run, tmp_path: Path) -> None:
    path = tmp_path / "facts.toml"

    assert "depth:north" in begun("printed", "tiny", "fill", code=3).stdout
    assert data(begun, "printed", "tiny")["missing"] == ["weather", "depth:north", "depth:south"]
    begun("printed", "tiny", "set", "depth:n", "4")
    begun("printed", "tiny", "set", "weather", "foul")
    begun("printed", "tiny", "export", str(path))
    begun("printed", "tiny", "forget", "depth:north")
    assert data(begun, "printed", "tiny")["facts"] == {"weather": "foul"}
    assert data(begun, "printed", "tiny", "import", str(path))["facts"] == {"depth:north": "4"}
    assert begun("printed", "tiny", "export").stdout == path.read_text()
    assert "The weather is foul" in begun("do", "fight", "blue", "--accept").stdout
    assert "samples" not in begun("status").stdout


def test_tables_check_names_the_games_without_fault(run: Run) -> None:
    assert run("tables", "check").stdout == "tiny: no fault\n"
    assert data(run, "tables", "check", "tiny") == {"games": ["tiny"], "faults": []}
    assert "tables cannot 'mend'" in run("tables", "mend", code=2).stderr


def test_the_game_is_over_and_says_so(begun: Run) -> None:
    out = begun("do", "stop").stdout

    assert "The game is over: the last turn is done" in out
    assert "the game is over" in begun("do", "rest", code=1).stderr
    assert data(begun, "status")["over"] == "the last turn is done"
    begun("do", "duel", "1")


def test_a_rule_says_which_functions_carry_it_out(begun: Run) -> None:
    """They are found in the source of the game's package."""
    document = data(begun, "rule", "tiny", "1.1")["rules"][0]

    assert document["code"]
    assert all(name.startswith("tests.support.tiny:") for name in document["code"])
    assert begun("rule", "tiny", "1.1", "--code").stdout.splitlines()[0] == f"1.1  {document['code'][0]}"


@pytest.mark.parametrize("words", [("export",), ("forget", "weather"), ("fill",), ("list",)])
def test_anyway_is_no_word_of_a_printed_fact(
    begun: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    """It is refused where it means nothing: neither stored with a value nor taken for the name of a file."""
    monkeypatch.chdir(tmp_path)
    begun("printed", "tiny", "set", "weather", "fair")

    assert "to printed ... set and import" in begun("printed", "tiny", *words, "--anyway", code=2).stderr
    assert data(begun, "printed", "tiny")["facts"] == {"weather": "fair"}
    assert list(tmp_path.glob("anyway")) == []


def test_anyway_takes_over_a_file_of_facts(begun: Run, tmp_path: Path) -> None:
    path = tmp_path / "facts.toml"
    begun("printed", "tiny", "set", "depth:north", "4")
    begun("printed", "tiny", "export", str(path))
    begun("printed", "tiny", "forget", "depth:north")

    assert data(begun, "printed", "tiny", "import", str(path), "--anyway")["facts"] == {"depth:north": "4"}


def test_the_version_is_told_in_both_lanes(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--version").stdout == f"Companion {__version__}\n"
    assert companion("--version").out == run("--version").stdout
    assert companion("--version", "--json").json == {"companion": __version__, "protocol": PROTOCOL}


def test_commands_go_by_unique_prefix(begun: Run) -> None:
    assert begun("sho", "supply").stdout == begun("show", "supply").stdout
    assert begun("statu").stdout == begun("status").stdout
    assert "'s' could be show, share, status" in begun("s", code=2).stderr


@pytest.mark.parametrize(
    ("words", "meant"),
    [(["sesions"], "sessions"), (["new", "tinny"], "tiny"), (["odds", "tiny", "atack"], "attack"), (["do", "marhc"], "march")],
    ids=str,
)
def test_a_slip_of_the_fingers_is_asked_back(begun: Run, words: list[str], meant: str) -> None:
    assert f"Did you mean {meant}?" in begun(*words, code=2).stderr


def test_the_last_entries_of_the_log(begun: Run) -> None:
    begun("do", "rest")

    assert begun("log", "1").stdout == begun("log", "--last", "1").stdout
    assert "Set-up" not in begun("log", "1").stdout
    assert [entry["entry"] for entry in data(begun, "log", "1")["entries"]] == [2]


def test_odds_without_a_game_are_those_of_the_open_question(begun: Run) -> None:
    assert "no question is open" in begun("odds", code=2).stderr
    begun("do", "fight", "blue", "--dice", "1,1", code=3)

    assert begun("odds").stdout.startswith("One round [2.2]\n")
    assert data(begun, "odds", "--session", "mon")["sections"][0]["title"] == "Hits"


def test_a_rule_by_its_heading_in_any_case(run: Run) -> None:
    rules = [rule["number"] for rule in data(run, "rule", "tiny", "mArCh")["rules"]]

    assert rules == ["2.1"]


def test_bad_tables_of_one_game_leave_the_others_alone(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(tiny.TABLES, tmp_path / "tables")
    shutil.copytree(tmp_path / "tables" / "tiny", tmp_path / "tables" / "spoilt")
    (tmp_path / "tables" / "spoilt" / "rules.toml").write_text("= nothing")
    monkeypatch.setenv("COMPANION_TABLES", str(tmp_path / "tables"))
    monkeypatch.delitem(GAMES, "tiny")
    monkeypatch.setitem(GAMES, "spoilt", "tests.support.tiny")
    monkeypatch.setitem(GAMES, "tiny", "tests.support.tiny")

    told = " ".join(run("games").stdout.split())
    assert "! the tables of spoilt have 10 faults: rules.toml: syntax: Invalid statement" in told
    assert "See: companion tables check spoilt" in told
    assert [game["id"] for game in data(run, "games")["games"]] == ["tiny"]
    assert list(data(run, "games")["faults"]) == ["spoilt"]
    assert run("do", "duel", "1", "--dice", "5").stdout.startswith("1 hits")


def test_the_refusal_of_one_of_many_answers_names_those_that_fit(begun: Run) -> None:
    before = begun("log").stdout
    refused = begun("do", "fight", "blue", "go on=yes", "go on=perhaps", "--dice", "5,2,5,2", code=2).stderr

    assert refused.splitlines()[-1].endswith("Those before it fit: unit, 2 x fight, go on; nothing is kept")
    assert begun("log").stdout == before


def test_a_script_of_completion_as_json(run: Run) -> None:
    assert data(run, "completions", "bash")["script"] == run("completions", "bash").stdout
