"""A session by the interface in Python: the same rules, the same log, the same errors as at the table."""

from __future__ import annotations

import gc
import sqlite3
from pathlib import Path

import pytest

from companion import api
from companion.session import database
from companion.session.controller import Answers, SessionController
from companion.session.store import Archive
from tests.support.commands import companion


def test_action_runs_as_far_as_its_answers(session: api.Session) -> None:
    done = session.do("march", "Red")

    assert (done.entry, done.complete, done.over) == (2, False, "")
    assert done.question == session.question
    assert done.question and (done.question.key, done.question.at, done.question.suggested) == ("to", "2.2", None)
    done = session.answer("ford", dice=3)
    assert (done.complete, done.question, session.question) == (True, None, None)
    assert (done.lines[0].text, done.lines[0].rule) == ("Supply 8 -> 7: march", "1.1")
    assert session.position.at("ford")[0].name == "Red"


def test_answers_by_key_order_and_plain_value(session: api.Session) -> None:
    assert session.do("march", unit="Red", to="ford", dice="3").complete
    assert session.do("march", ["Red"], "hill-1", dice=[4]).complete
    assert session.do(
        "fight", answers={"unit": "Red", "strength:Red": 2, "go on": False, "weather": "fair"}, dice=[1, 1]
    ).complete
    assert session.position.pieces["red#1"].place == "hill-1"


def test_repeated_key_is_answered_by_pairs(session: api.Session) -> None:
    twice = [("strength:Red", 1), ("go on", True), ("go on", False)]
    done = session.do("fight", "Red", answers=twice, dice=(1, 6), weather="foul")

    assert done.complete
    assert "The weather is foul" in [line.text for line in done.lines]


def test_draws_and_dice_from_the_table(shelf: api.Archive) -> None:
    session = shelf.begin("tiny", dice="physical", draws="physical")
    asked = session.do("search").question
    assert asked and (asked.kind, [choice.value for choice in asked.choices]) == ("draw", ["Gold", "Stone"])
    rolled = session.answer("Gold").question
    assert rolled and (rolled.kind, rolled.dice, rolled.sides, rolled.lowest) == ("roll", 1, 6, 1)
    assert session.answer([3]).complete
    session.setting(dice="computer")
    assert session.do("search", draws="Stone").complete


def test_list_is_no_answer_to_a_draw(shelf: api.Archive) -> None:
    session = shelf.begin("tiny", draws="physical")
    asked = session.do("search").question
    assert asked and asked.kind == "draw"
    with pytest.raises(api.Unreadable):
        session.answer(["Gold", "Stone"], at=asked.at)
    assert session.answer("Gold", at=asked.at).question != asked


def test_same_seed_gives_the_same_game_as_the_controller(shelf: api.Archive) -> None:
    one, other = (shelf.begin("tiny", seed="table") for _ in range(2))
    lines = [session.do("scout", "left").lines for session in (one, other)]

    assert lines[0] == lines[1]
    with Archive.open() as archive:
        controller = SessionController.create(archive, "tiny", seed="table")
        controller.do("scout", Answers(plain=["left"]))
        assert controller.position == one.position


def test_every_action_has_its_obstacle(session: api.Session) -> None:
    barred = {action.id: (action.why, action.cure) for action in session.actions if action.why}

    assert barred == {"fire": ("it is not dark", "Wait for the night")}
    assert [action.id for action in session.legal] == [action.id for action in session.actions if action.id != "fire"]
    session.do("march")
    assert session.legal == ()


def test_stale_and_repeated_answers_are_refused(session: api.Session) -> None:
    first = session.do("march").question
    assert first
    session.answer("Red", at=first.at)
    assert session.answer("Red", at=first.at).repeated
    with pytest.raises(api.SessionMoved) as late:
        session.answer("Blue", at=first.at)

    assert "2.2: Where to" in late.value.message
    assert session.question and session.question.at == "2.2"
    session.answer("ford", at="2.2")
    assert session.answer("ford", at="2.2").repeated
    with pytest.raises(api.SessionMoved):
        session.answer("hill-1", at="2.2")
    assert session.position.track("turn") == 1


def test_refused_call_changes_nothing(session: api.Session) -> None:
    before = session.position
    with pytest.raises(api.Illegal) as no:
        session.do("fire")
    with pytest.raises(api.Unreadable) as slip:
        session.do("march", "Red", "ford", too="much", dice=3)

    assert (no.value.rule, no.value.cure) == ("2.4", "Wait for the night")
    assert "too=much" in slip.value.message
    assert session.position == before and session.question is None
    assert session.do("fire", 2, anyway=True).complete


def test_corrections_return_board_fixes(session: api.Session) -> None:
    session.do("march", "Red", "ford", dice=3)
    session.do("rest")

    assert session.undo().fix == ("Set Supply from 8 to 7", "Set Turn from 2 to 1")
    assert session.redo().fix
    assert session.undo_to(1).fix
    assert session.redo().entry == 3
    assert "hill-1" in " ".join(session.amend("2.2", "hill-1").fix)
    assert session.adjust({"supply": 3, "Red": "camp"}, why="seen").fix == (
        "Move Red from hill-1 to Camp",
        "Set Supply from 8 to 3",
    )
    with pytest.raises(api.Unreadable):
        session.amend("2", "x")


def test_undo_of_one_reply(session: api.Session) -> None:
    session.do("march", "Red")
    asked = session.undo_answer().question

    assert asked and asked.key == "unit"


def test_note_and_branch(shelf: api.Archive, session: api.Session) -> None:
    session.do("rest")
    session.note("a plan")
    copy = session.branch("trial")
    copy.do("rest")

    assert shelf.sessions == ("tiny-1", "trial")
    assert (session.position.track("turn"), copy.position.track("turn")) == (1, 2)
    assert "a plan" in session.report()


def test_odds_of_question_position_and_nothing(shelf: api.Archive, session: api.Session) -> None:
    """Two dice that hit on 5 and 6: 4/9, 4/9, 1/9."""
    session.do("fight", "Blue", dice=[1, 2])
    asked = dict(session.odds().sections[0][1])
    bag = dict(session.odds("bag").sections[0][1])
    described = dict(api.odds("tiny", "round", mine=2).sections[0][1])

    assert asked == pytest.approx({"0 hits": 4 / 9, "1 hits": 4 / 9, "2 hits": 1 / 9})
    assert bag == pytest.approx({"Gold": 2 / 5, "Stone": 3 / 5})
    assert described == pytest.approx(asked)
    assert dict(shelf.odds("tiny", "bag").sections[0][1]) == bag
    with pytest.raises(api.QuestionPending):
        api.odds("tiny", "round")
    with pytest.raises(api.Unreadable):
        api.odds("tiny", "nothing")


def test_report_in_each_format(session: api.Session) -> None:
    session.do("rest")
    texts = {form: session.report(form) for form in ("md", "html", "bbcode")}

    assert texts["md"].startswith("# ") and "<html" in texts["html"] and "[b]" in texts["bbcode"]
    assert len(session.report(brief=True)) < len(texts["md"])
    with pytest.raises(api.Unreadable):
        session.report("doc")


def test_command_line_and_program_share_an_archive(tiny_game: str, tmp_path: Path) -> None:
    with api.open_archive() as archive:
        session = archive.begin("tiny", "night", lamps=2, name="shared")
        assert (session.options["scenario"], session.position.track("supply")) == ("night", 3)
        companion("do", "rest")
        with pytest.raises(api.SessionMoved):
            session.do("rest")
        assert session.position.track("turn") == 1
        assert session.do("rest").entry == 3
        assert archive.session("sha").position == session.position
    assert archive.path == str(tmp_path / "archive.sqlite3")


def test_session_of_existing_and_missing_archive(tiny_game: str, tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite3"
    with api.open_archive(path) as archive:
        with pytest.raises(api.Unreadable):
            archive.session()
        archive.begin("tiny", name="kept")
    with api.open_archive(path) as archive:
        assert (archive.sessions, archive.session().opening) == (("kept",), None)


def test_practice_asks_no_printed_facts(tmp_path: Path) -> None:
    """It lies beside the archive of games with a set, and holds the made-up set."""
    with api.open_archive(tmp_path / "a.sqlite3", practice=True) as archive:
        session = archive.begin("lzalbany", seed=1)

        assert archive.path.endswith("a-practice.sqlite3")
        assert session.name == "made-up-1" and session.legal


def test_wrong_kind_of_answer_is_reported(session: api.Session) -> None:
    with pytest.raises(api.Unreadable):
        session.do("march", 3.5)  # type: ignore[arg-type]
    with pytest.raises(api.Unreadable):
        session.do("rest", dice="x")
    with pytest.raises(api.Unreadable):
        session.do("nothing at all")


@pytest.mark.parametrize("text", ["", " ", "\x00", "x" * 5000, "-1", "9" * 30, "٣", "12.3", "a=b", ",", "\u202e"])
def test_any_text_is_accepted_or_refused(session: api.Session, shelf: api.Archive, text: str) -> None:
    """No other error than ours for any text; a wrong type is a TypeError, as anywhere."""
    calls = [
        lambda: session.do(text),
        lambda: session.do("march", text, dice=text),
        lambda: session.do("march", unit=text),
        lambda: session.do("search", draws=[text]),
        lambda: session.answer(text, at=text),
        lambda: session.amend(text, text),
        lambda: session.adjust({text: text}, why=text),
        lambda: session.odds(text or "x"),
        lambda: session.report(text),
        lambda: session.setting(dice=text or "x"),
        lambda: shelf.session(text or "x"),
        lambda: shelf.begin(text),
        lambda: shelf.begin("tiny", text or "x"),
        lambda: shelf.odds("tiny", text),
        lambda: api.game(text),
    ]
    for call in calls:
        before = session.position, session.question
        try:
            call()
        except api.CompanionError:
            assert (session.position, session.question) == before


def test_closed_archive_raises(session: api.Session, shelf: api.Archive) -> None:
    shelf.close()
    for call in (lambda: session.do("rest"), shelf.session, lambda: shelf.sessions):
        with pytest.raises(api.BadData):
            call()


def test_game_and_its_names(tiny_game: str) -> None:
    tiny = api.game("tin")

    assert "tiny" in api.games()
    assert (tiny.id, tiny.options["ford_cost"], tiny.policies) == ("tiny", ("one", "two"), {"player": ("plain", "random")})
    assert tiny.actions["march"] == "March" and tiny.situations["bag"] == "The next draw"


@pytest.mark.parametrize("path", [":memory:", "kept.sqlite3"])
def test_archive_is_closed_with_its_last_session(
    path: str, tmp_path: Path, tiny_game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python 3.13 complains of a connection that is not; until then the session goes on."""
    monkeypatch.chdir(tmp_path)
    opened: list[sqlite3.Connection] = []
    real = database.connect
    monkeypatch.setattr(database, "connect", lambda *words: opened.append(real(*words)) or opened[-1])
    session = api.open_archive(path).begin("tiny", seed=7)
    gc.collect()
    session.do("march", "Red", "ford", dice=3)
    del session
    gc.collect()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        opened[0].execute("SELECT 1")


def test_an_option_given_as_an_answer_is_told_where_it_goes() -> None:
    """P20: `map=` was refused as not asked for, without a cure."""
    with api.open_archive(api.MEMORY, practice=True) as archive:
        with pytest.raises(api.Unreadable) as refused:
            archive.begin("lzalbany", map="practice")
        assert refused.value.cure == 'Give it so: options={"map": "practice"}'
        assert archive.begin("lzalbany", options={"map": "practice"}).options["map"] == "practice"


def test_a_text_has_a_message() -> None:
    """Its template is in the catalogue, and filled with its arguments it is the text."""
    line = "Shuffle the deck of 92 cards. The hand is empty."
    found = api.message("fallujahcards", line)

    assert found == api.Message("fallujahcards.set_up", line, {"pieces": "92"})
    assert api.messages("fallujahcards")[found.id] == "Shuffle the deck of {pieces} cards. The hand is empty."
    assert api.message("fallujahcards", "nothing of the kind") is None
    with api.open_archive(api.MEMORY) as archive, pytest.raises(api.CompanionError) as error:
        archive.session("nowhere")
    refusal = api.message("fallujahcards", error.value.message)
    assert refusal and refusal.id in api.messages()
