"""No byte of an answer that is not revealed, nor of what a seat may not know, is in anything that is shown."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.game import Game
from companion.core.policies import Players
from companion.session.controller import SessionController
from companion.session.store import Archive
from tests.support.ambush import AmbushGame
from tests.support.commands import companion
from tests.support.served import served

SECRET, LATER = "48271", "61843"

READING = (
    ("status",),
    ("show",),
    ("show", "score"),
    ("show", "tracks"),
    ("log",),
    ("log", "--undone"),
    ("log", "--grep", SECRET),
    ("log", "--grep", "stake"),
    ("why",),
    ("summary",),
    ("report",),
    ("report", "--full"),
    ("stats",),
    ("luck",),
    ("watch",),
    ("bot",),
    ("odds",),
    ("sessions",),
    ("doctor",),
    ("redo",),
    ("note", "a note"),
)
"""Commands that show something of a session, or refuse to."""


@pytest.fixture
def session(archive: Archive, ambush_game: str) -> SessionController:
    session = SessionController.create(archive, ambush_game, seed="7")
    session.do("orders")
    companion("answer", "order=ford", "order=hill")
    return session


def outputs(words: tuple[str, ...]) -> Iterator[str]:
    for more in ((), ("--json",)):
        result = companion(*words, *more)
        assert result.code != 70, result.err
        yield result.out + result.err


@pytest.mark.parametrize("seat", ["red", pytest.param("blue", marks=pytest.mark.slow)])
def test_no_command_shows_a_part(session: SessionController, seat: str) -> None:
    companion("do", "stakes")
    given = companion("answer", SECRET, "--seat", seat, "--json")
    assert given.code == 3 and SECRET not in given.out + given.err
    other = "blue" if seat == "red" else "red"
    for words in READING:
        for text in outputs(words):
            assert SECRET not in text.replace(f"--grep {SECRET}", ""), words
    for words in (("status",), ("log",), ("log", "--undone"), ("why",), ("show",)):
        for text in outputs((*words, "--seat", other)):
            assert SECRET not in text, words
    assert SECRET in companion("log", "--seat", seat).out  # it knows its own
    for wrong in (
        ("answer", LATER, "--seat", seat),
        ("answer", "x", "--seat", other),
        ("do", "orders"),
        ("answer", "--at", "9.9"),
    ):
        result = companion(*wrong)
        assert result.code != 0 and SECRET not in result.out + result.err
    amended = companion("amend", "3.1", LATER, "--json")
    assert amended.code == 3 and SECRET not in amended.out and LATER not in amended.out
    taken = companion("undo", "--reply", "--seat", seat, "--json")
    assert taken.code == 3 and not {SECRET, LATER} & set(taken.out.split())
    companion("answer", SECRET, "--seat", seat)
    revealed = companion("answer", "5", "--seat", other, "--json")
    assert revealed.code == 0 and SECRET in revealed.out and SECRET in companion("log").out
    assert LATER not in companion("log", "--undone").out + companion("log", "--undone", "--json").out


def test_no_view_of_the_archive_shows_a_part(session: SessionController, archive: Archive) -> None:
    companion("do", "stakes")
    companion("answer", SECRET, "--seat", "blue")
    views = [row[0] for row in archive._db.execute("SELECT name FROM sqlite_master WHERE type = 'view'")]
    assert "v_replies" in views
    for view in views:
        assert SECRET not in str(archive._db.execute(f"SELECT * FROM {view}").fetchall()), view


def test_a_bundle_holds_the_parts_and_goes_on_elsewhere(
    session: SessionController, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    companion("do", "stakes")
    companion("answer", SECRET, "--seat", "blue")
    file = tmp_path / "session.json"
    assert companion("bundle", str(file)).code == 0
    monkeypatch.setenv("COMPANION_DB", str(tmp_path / "elsewhere.db"))
    restored = companion("bundle", "--restore", str(file))
    assert restored.code == 0, restored.err
    assert SECRET not in companion("log").out + companion("status", "--seat", "red", "--json").out
    assert f"Red stakes 3, Blue {SECRET}" in companion("answer", "3", "--seat", "red").out
    document = json.loads(file.read_text())
    *_, row = (row for row in document["rows"] if isinstance(row[3], dict) and row[3].get("left"))
    del row[3]["part"]
    file.write_text(json.dumps(document))
    refused = companion("bundle", "--restore", str(file))
    assert refused.code == 4 and "part: belongs to a seat" in refused.err


def test_serve(session: SessionController) -> None:
    with served() as client:
        ask = client.ask
        ask(do="follow", seat="blue")
        at = ask(do="begin", action="stakes")["pending"]["at"]
        ask(do="answer", at=at, value=int(SECRET), seat="red")
        again = ask(do="answer", at=at, value=int(SECRET), seat="red")
        assert again["exit"] == 3 and again["repeated"]
        for fields in ({"do": "status"}, {"do": "log"}, {"do": "log", "undone": True}, {"do": "legal"}):
            assert SECRET not in json.dumps([ask(**fields), ask(**fields, seat="blue")])
        waiting, asked = ask(do="status", seat="red")["pending"], ask(do="status", seat="blue")["pending"]
        assert waiting["kind"] == "sealed" and waiting["sealed"] == {"seats": ["red", "blue"], "open": ["blue"]}
        assert (asked["kind"], asked["seat"], asked["at"][:2]) == ("number", "blue", at[:2])
        done = ask(do="answer", at=at, value=5, seat="blue")
        assert done["exit"] == 0 and SECRET in json.dumps(done)
        assert SECRET not in json.dumps(client.notices)


def test_a_seat_does_not_see_hidden_gold_and_scouts(session: SessionController) -> None:
    """[3] [4] Red's gold and its scouts, wherever they are named."""
    assert companion("do", "scout", "scout=Owl", "to=hill").code == 0
    for words in (("status",), ("show",), ("show", "places"), ("log",), ("log", "--undone"), ("why",), ("show", "tracks")):
        mine, theirs = "".join(outputs((*words, "--seat", "red"))), "".join(outputs((*words, "--seat", "blue")))
        assert "Owl" not in theirs and "owl#" not in theirs and "red_gold" not in theirs, words
        assert "Hare" not in mine and "hare#" not in mine and "blue_gold" not in mine, words
    assert "Owl steals to the hill" in companion("log", "--seat", "red").out
    assert "A scout of Red's moves" in companion("log", "--seat", "blue").out
    undone = companion("undo", "--seat", "blue", "--json")
    assert undone.code == 0 and "Owl" not in undone.out and json.loads(undone.out)["fix"] == []
    assert "Owl" in companion("redo", "--seat", "red", "--json").out


def test_of_a_question_to_another_seat_only_that_it_is_asked_is_seen(session: SessionController) -> None:
    """[4] Its choices are Red's scouts."""
    companion("do", "scout")
    seen = json.loads(companion("status", "--seat", "blue", "--json").out)["pending"]
    assert (seen["kind"], seen["seat"], seen["choices"], seen["prompt"]) == ("sealed", "red", [], "Red decides")
    assert "Owl" in json.dumps(json.loads(companion("status", "--seat", "red", "--json").out)["pending"])


def test_advice_and_odds_of_a_seat_rest_on_what_it_sees(session: SessionController) -> None:
    """[3] [4] Red's gold is no part of Blue's odds; rollouts know the whole table, and so their advice is refused."""
    companion("do", "stakes", "stake=10", "stake=99999")
    assert "1 gold" in companion("odds", "ambush", "rob", "--seat", "blue").out
    assert "99990 gold" in companion("odds", "ambush", "rob", "--seat", "red").out
    assert companion("odds", "ambush", "rob").out == companion("odds", "ambush", "rob", "--seat", "red").out
    companion("do", "scout")
    for seat, told in (("blue", "Red decides"), ("red", "no odds here")):
        assert told in companion("odds", "--seat", seat).err
        refused = companion("bot", "--seat", seat)
        assert refused.code == 1 and "this seat sees only a part" in refused.err
    with served() as client:
        for fields in ({"do": "bot", "seat": "red"}, {"do": "odds", "seat": "blue"}):
            assert client.ask(**fields)["exit"] == 1
        (section,) = client.ask(do="odds", game="ambush", situation="rob", seat="blue")["sections"]
        assert section["chances"] == [{"label": "1 gold", "chance": 1.0}]


def test_advice_of_a_sealed_question_is_for_the_part_of_the_seat(
    session: SessionController, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[3] In a game that hides nothing else; it knows no other part, and there is none after the answer."""
    monkeypatch.setattr(AmbushGame, "visible", Game.visible)
    monkeypatch.setattr(Players, "adviser", lambda players, seat: "plain")
    companion("do", "stakes")
    companion("answer", SECRET, "--seat", "red")
    assert "Still asked, unseen: Blue" in companion("bot", "--seat", "red").err
    advised = companion("bot", "--seat", "blue", "--json")
    assert advised.code == 0 and SECRET not in advised.out


def test_without_a_seat_everything_but_open_parts_is_seen(session: SessionController) -> None:
    companion("do", "scout", "scout=Owl", "to=hill")
    assert "Owl steals to the hill" in companion("log").out and "red_gold" in companion("status", "--json").out


def test_there_is_no_such_seat(session: SessionController) -> None:
    result = companion("status", "--seat", "green")
    assert result.code == 2 and "red, blue" in result.err.replace("\n", " ")
