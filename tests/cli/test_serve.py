"""Many commands in one process: lines of JSON in, lines of JSON out."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from companion import __version__
from companion.cli.serve import server as serving
from companion.cli.serve.requests import FORMS
from companion.cli.serve.server import MAX_LINE, Inbox, Lines, Outbox
from companion.cli.shell.app import runner
from companion.session.controller import Answers, SessionController
from companion.session.store import Archive
from tests.cli.conftest import Run
from tests.support.served import Client, elsewhere, served, started

HEAD = {"id", "exit", "companion", "protocol"}


def plain(document: Any) -> dict[str, Any]:
    """A document without what differs from call to call."""
    return {key: value for key, value in document.items() if key not in ("id", "exit")}


# -- lines -------------------------------------------------------------------------------------------------------------


def cut(chunks: list[bytes], most: int = 10) -> list[bytes | None]:
    lines = Lines(most)
    return [line for chunk in [*chunks, b""] for line in lines.split(chunk)]


@pytest.mark.parametrize(
    ("chunks", "expected"),
    [
        ([], []),
        ([b"a\nb\n"], [b"a", b"b"]),
        ([b"a", b"b\n", b"c"], [b"ab", b"c"]),
        ([b"\n\n"], [b"", b""]),
        ([b"0123456789\n"], [b"0123456789"]),
        ([b"01234567890\nb\n"], [None, b"b"]),
        ([b"0123456", b"789012345", b"6789", b"x\nb\n"], [None, b"b"]),
        ([b"01234567890123"], [None]),
        ([b"a\n0123456789012345", b"67\nb"], [b"a", None, b"b"]),
    ],
)
def test_lines_are_cut_and_a_long_one_is_skipped_to_its_end(chunks: list[bytes], expected: list[bytes | None]) -> None:
    assert cut(chunks) == expected


def test_the_end_of_the_input_ends_it(only_tiny: str) -> None:
    read, write = os.pipe()
    os.write(write, b'{"id":1,"argv":["--version"]}\n{"id":2,"hello":{}}')
    os.close(write)
    out = io.BytesIO()

    assert serving.serve(Inbox(read), Outbox(out), runner()) == 0

    os.close(read)
    first, second = map(json.loads, out.getvalue().splitlines())
    assert first == {"id": 1, "exit": 0, "companion": __version__, "protocol": 1}
    assert second["games"] == ["tiny"]


# -- what is no request ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("xx", None),
        ("[]", None),
        ("3", None),
        ("{}", None),
        ('{"id": 4}', 4),
        ('{"id": 4, "argv": "status"}', 4),
        ('{"id": 4, "argv": [1]}', 4),
        ('{"id": 4, "argv": ["status"], "do": "status"}', 4),
        ('{"id": 4, "do": "dance"}', 4),
        ('{"id": 4, "do": ["status"]}', 4),
        ('{"id": 4, "hello": 1}', 4),
        ('{"id": [4], "argv": ["status"]}', None),
        ('{"id": true, "argv": ["status"]}', None),
        ('{"id": NaN, "argv": ["status"]}', None),
        ('{"id": 4, "argv": ["note", "\\ud800"]}', 4),
        ('{"id": 4, "argv": ["--db", "a\\u0000b", "status"]}', 4),
        ('{"id": 4, "do": "begin"}', 4),
        ('{"id": 4, "do": "answer", "dice": [true]}', 4),
        ('{"id": 4, "do": "answer", "dice": "3"}', 4),
        ('{"id": 4, "do": "answer", "values": {"a=b": 1}}', 4),
        ('{"id": 4, "do": "answer", "anyway": "yes"}', 4),
        ('{"id": 4, "do": "answer", "value": {}}', 4),
        ('{"id": 4, "do": "answer", "value": "-x"}', 4),
        ('{"id": 4, "do": "note", "text": ["a"]}', 4),
        ('{"id": 1e999, "do": "note"}', None),
        ("[" * 100_000, None),
        (b"\xff\xfe", None),
        (b"\x00", None),
        ("9" * 10_000, None),
        (None, None),
    ],
)
def test_what_is_no_request_is_told_and_the_next_is_answered(only_tiny: str, line: Any, number: Any) -> None:
    with served() as client:
        answer = client.line(line)

        assert set(answer) >= HEAD | {"error"}
        assert (answer["id"], answer["exit"], answer["error"]["kind"]) == (number, 2, "unreadable")
        assert client("--version")["exit"] == 0


def test_empty_line_is_answered(only_tiny: str) -> None:
    """A client that counts lines must not wait for ever."""
    with served() as client:
        client.server.answer(b" \r")

        assert [answer["error"]["kind"] for answer in client.answers] == ["unreadable"]


@pytest.mark.parametrize("text", ["--help", "-h", "--json", "- the bridge was blown", "-5 VP for me"])
def test_text_that_begins_with_a_dash_is_text(only_tiny: str, text: str) -> None:
    with served() as client:
        client.ask(do="new", game="tiny", seed="1")
        answer = client.ask(do="note", text=text)
        assert answer["exit"] == 0 and answer["note"] == text
        assert client.ask(do="begin", action=text)["error"]["message"].startswith("no action")
        assert client.ask(do="undo", count=text)["exit"] == 2


def test_how_long_a_line_may_be_is_told(only_tiny: str) -> None:
    with served() as client:
        assert client.ask(hello={})["most"] == MAX_LINE
        assert f"{MAX_LINE:,}" in client.line(None)["error"]["message"]


# -- the handshake -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("asked", [{"hello": {"protocol": [1]}}, {"hello": {"protocol": [7, 1]}}, {"hello": {}, "new": 1}])
def test_hello(only_tiny: str, asked: dict[str, Any]) -> None:
    with served() as client:
        told = client.ask(**asked)

    assert (told["exit"], told["companion"], told["protocol"]) == (0, __version__, 1)
    assert (told["supported"], told["games"]) == ([1], ["tiny"])
    assert {"begin", "answer", "follow"} <= set(told["requests"])


@pytest.mark.parametrize(
    "asked", [{"hello": {"protocol": [2, 3]}}, {"hello": {"protocol": []}}, {"argv": ["status"], "protocol": 2}]
)
def test_a_protocol_that_is_not_spoken(only_tiny: str, asked: dict[str, Any]) -> None:
    with served() as client:
        told = client.ask(**asked)

    assert (told["exit"], told["error"]["kind"], told["supported"]) == (2, "unsupported", [1])


# -- commands ----------------------------------------------------------------------------------------------------------


LOOKS = [
    *("status", "show", "show score", "log", "log --undone", "why", "audit", "games", "games tiny", "sessions", "chart tiny"),
    *("rule tiny 2.1", "printed tiny", "map tiny", "report", "luck", "stats", "summary", "bundle", "doctor", "config"),
    *(
        "tables check",
        "completions bash",
        "--version",
        "status --session mon",
        "-h",
        "undo --help",
        "undo 99",
        "answer x",
        "redo",
    ),
    *("nothing", "status --nothing", "undo x", "undo 0", "--session none status", "odds tiny round 1", "log --follow"),
    *(
        "note -x",
        "note",
        "new",
        "chart",
        "undo --to x",
        "watch",
        "simulate tiny --games 2 --seed 1 --jobs 1",
        "practice",
        "--help",
    ),
]


@pytest.mark.parametrize("words", LOOKS)
def test_a_look_is_what_the_shell_prints(begun: Run, words: str) -> None:
    """Every command: the very document, with messages as there, and its exit code."""
    from tests.support.commands import companion

    given = words.split()
    with_json = [*given, "--json"] if not {"-h", "--help"} & {*given} else given
    printed = companion(*with_json)
    with served() as client:
        first, again = (client.ask(argv=given, messages=True) for _ in range(2))

    document = json.loads(printed.out) if printed.out.startswith("{") else {"text": printed.out}
    expected = {**document, "companion": __version__, "protocol": 1}
    for answer in (first, again):
        assert answer["exit"] == printed.code
        for told in (answer, expected):
            told.pop("id", None), told.pop("exit", None), told.pop("decisions", None), told.pop("results", None)
            told.pop("times", None)  # processor time differs
        assert {key: value for key, value in answer.items() if key != "seconds"} == {
            key: value for key, value in expected.items() if key != "seconds"
        }


def test_a_game_in_it_is_the_game_of_the_shell(run: Run, tmp_path: Path) -> None:
    """Another game of the same seed, played by one process a command, prints the same documents."""
    script = ["new tiny --seed 7 --name monday --dice physical --draws physical", "do march red", "answer ford", "undo --reply"]
    script += ["redo", "answer ford", "status", "do fight", "undo", "do search --dice 2 --draw gold", "amend 3.1 stone", "answer"]
    script += ["adjust supply 3 --why x", "note y", "log", "branch b", "do march", "status", "use monday", "do march blue camp"]
    with served() as client:
        for words in script:
            answer = client(*words.split(), "--db", str(tmp_path / "served.sqlite3"))
            with elsewhere():
                other = json.loads(run(*words.split(), "--json", code=answer["exit"]).stdout)

            assert timeless(plain(answer)) == timeless(plain(other)), words


def timeless(document: Any) -> str:
    return re.sub(r"\d{4}-\d\d-\d\dT[\d:]*Z", "WHEN", json.dumps(document))


@pytest.mark.parametrize("words", ["play", "serve --stdio", "printed tiny import -", "map tiny import -", "bundle --restore -"])
def test_what_wants_a_terminal_or_the_input_is_refused(begun: Run, words: str) -> None:
    with served() as client:
        answer = client(*words.split())

    assert (answer["exit"] in (2, 4), answer["error"]["kind"]) == (True, "unreadable")


def test_a_fault_of_ours_ends_nothing(begun: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMPANION_DEBUG", raising=False)
    with served() as client:
        client("status")
        with monkeypatch.context() as patch:
            patch.setattr("companion.views.data.position_data", lambda *_: 1 / 0)
            broken = client("status")

        assert (broken["exit"], broken["error"]["kind"]) == (70, "fault")
        assert client("status")["exit"] == 0


def test_two_sessions_in_one_process(begun: Run) -> None:
    begun("new", "tiny", "--seed", "8", "--name", "tuesday")
    with served() as client:
        first = client("do", "fight", "--session", "monday")
        second = client("do", "scout", "--session", "tuesday")

        assert (first["session"], second["session"]) == ("monday", "tuesday")
        assert client("status", "--session", "monday")["pending"] == first["pending"]
        assert client("status", "--session", "tuesday")["pending"] == second["pending"]


# -- fields ------------------------------------------------------------------------------------------------------------


def test_a_game_by_fields(only_tiny: str) -> None:
    with served() as client:
        begun = client.ask(do="new", game="tiny", seed=7, name="monday", options={}, unknown="is let be")
        asked = client.ask(do="begin", session="monday", action="march", values={"unit": "red"})
        told = client.ask(do="answer", session="monday", key=asked["pending"]["key"], value="ford")
        back = client.ask(do="undo", session="monday", reply=True)

        assert (begun["exit"], asked["exit"], told["exit"], back["exit"]) == (0, 3, 0, 3)
        assert back["pending"]["key"] == asked["pending"]["key"]
        assert client.ask(do="sessions")["sessions"][0]["name"] == "monday"
        assert client.ask(do="redo", session="monday")["exit"] == 0


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"do": "begin", "action": "fight", "dice": [3, 12]}, ["do", "fight", "--dice=3,12,"]),
        ({"do": "answer", "value": True}, ["answer", "yes"]),
        ({"do": "answer", "value": 4, "at": "12.3"}, ["answer", "--at=12.3", "4"]),
        ({"do": "answer", "value": ["a", "b"], "key": "k"}, ["answer", "k=a,b"]),
        ({"do": "answer", "value": [5], "key": "k"}, ["answer", "k=5,"]),
        ({"do": "answer", "value": []}, ["answer", "none"]),
        ({"do": "answer", "value": "a=b", "at": "1.1"}, ["answer", "--at=1.1", "asked=a=b"]),
        ({"do": "answer", "values": {"a": 1, "b": False}, "accept": True}, ["answer", "a=1", "b=no", "--accept"]),
        ({"do": "answer", "draw": ["x", "y"], "brief": False}, ["answer", "--draw=x", "--draw=y"]),
        ({"do": "undo", "count": 2, "session": "-x"}, ["undo", "2", "--session=-x"]),
        ({"do": "new", "game": "g", "options": {"a": "b"}}, ["new", "g", "--option=a=b"]),
        ({"do": "log", "last": 3, "at": None}, ["log", "--last=3"]),
        ({"do": "follow", "session": "s"}, ["status", "--session=s"]),
        ({"do": "review"}, ["review", "--level=quick", "--from=7", "--to=7"]),
        ({"do": "review", "from": 0, "level": "deep"}, ["review", "--level=deep", "--from=0"]),
        ({"do": "review", "to": 2, "seat": "us"}, ["review", "--level=quick", "--to=2", "--seat=us"]),
    ],
)
def test_fields_are_put_into_the_words_of_the_shell(fields: dict[str, Any], words: list[str]) -> None:
    from companion.cli.serve.requests import parse_request

    assert parse_request(fields, lambda _: "asked", lambda _: 7).words == words


# -- what others do ----------------------------------------------------------------------------------------------------


def play(name: str, *replies: str) -> None:
    """Another process plays on."""
    with Archive.open() as archive:
        session = SessionController.open(archive, name)
        session.do("search", Answers(dice=[2], draws=["gold"]))


def heard(client: Client) -> list[Any]:
    client.server.poll()
    told, client.notices = client.notices, []
    return told


def test_what_others_do_is_told(begun: Run) -> None:
    with served() as client:
        client("status")
        assert heard(client) == []
        play("monday")
        (told,) = heard(client)
        now = client("status")

        assert told["notice"] == "played" and "id" not in told
        assert (told["session"], told["entry"], told["done"]) == ("monday", 2, True)
        assert told["events"] and told["lines"] and told["fix"] == []
        assert {key: told[key] for key in ("pending", "legal", "banner")} == {
            key: now[key] for key in ("pending", "legal", "banner")
        }
        assert heard(client) == []


def test_what_is_told_comes_before_the_answer(begun: Run) -> None:
    with served() as client:
        client("status")
        play("monday")
        answer = client("status")

        assert [one["entry"] for one in client.notices] == [2] == [answer["entry"]]


def test_what_others_take_back_is_told_with_what_to_put_right(begun: Run) -> None:
    play("monday")
    with served() as client:
        client("status")
        with elsewhere():
            begun("undo")
        (told,) = heard(client)

    assert told["events"] == [] and told["fix"]


def test_an_entry_under_way_is_told_bit_by_bit(begun: Run) -> None:
    with served() as client:
        client("status")
        with elsewhere():
            begun("do", "march", "red", code=3)
        (first,) = heard(client)
        with elsewhere():
            begun("note", "hello")
        (second,) = heard(client)

        assert first["done"] is False and first["pending"]
        assert second["notes"] == ["hello"] and second["events"] == []


def test_what_a_client_does_itself_is_no_news(begun: Run) -> None:
    with served() as client:
        for words in (
            "do march red",
            "undo",
            "redo",
            "undo",
            "do search --dice 2 --draw gold",
            "note x",
            "adjust supply 3 --why y",
        ):
            assert client(*words.split())["exit"] in (0, 3), words
        client("new", "tiny", "--name", "tuesday")
        client("do", "march", "red")
        client("status", "--session", "monday")

        assert heard(client) == []


def test_a_session_that_is_not_followed_is_not_told(begun: Run) -> None:
    with served() as client:
        assert client.ask(do="unfollow", session="monday")["session"] == "monday"
        play("monday")
        assert heard(client) == []
        client.ask(do="follow", session="monday")
        play("monday")

        assert [one["entry"] for one in heard(client)] == [3]


def test_a_session_of_this_client_is_followed_from_the_start(begun: Run) -> None:
    with served() as client:
        client("new", "tiny", "--name", "tuesday")
        play("tuesday")

        assert [one["session"] for one in heard(client)] == ["tuesday"]


def test_an_archive_that_is_replaced_is_opened_anew(begun: Run, tmp_path: Path) -> None:
    with served() as client:
        client("note", "old")
        for file in tmp_path.glob("archive.sqlite3*"):
            file.unlink()
        gone = client("status")
        with elsewhere():
            begun("new", "tiny", "--name", "anew")

        assert gone["error"]["kind"] == "unreadable"
        assert client("status")["session"] == "anew"


def test_facts_that_others_tell_count_at_once(begun: Run) -> None:
    with served() as client:
        before = client("printed", "tiny")
        with elsewhere():
            begun("printed", "tiny", "set", "weather", "foul")

        assert client("printed", "tiny") != before


# -- the process -------------------------------------------------------------------------------------------------------


def test_a_process_of_its_own() -> None:
    server = started()
    out, err = server.communicate('{"id":1,"argv":["--version"]}\nxx\n{"id":2,"argv":["sessions"]}\n', timeout=20)

    assert (server.returncode, err) == (0, "")
    assert [json.loads(line)["id"] for line in out.splitlines()] == [1, None, 2]


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals there")
def test_ctrl_c_and_a_reader_that_has_gone_end_it_without_a_word() -> None:
    stopped, left = started(), started()
    for server in (stopped, left):
        assert server.stdin and server.stdout
        server.stdin.write('{"id":1,"argv":["--version"]}\n')
        assert json.loads(server.stdout.readline())["id"] == 1
    stopped.send_signal(signal.SIGINT)
    assert left.stdin and left.stdout and left.stderr
    left.stdout.close()
    left.stdin.write('{"id":2,"argv":["--version"]}\n')
    left.stdin.flush()

    assert (stopped.wait(20), left.wait(20)) == (130, 74)
    assert stopped.communicate()[1] == ""
    assert left.stderr.read() == ""
    left.stdin.close(), left.stderr.close()


def test_no_document_has_the_keys_of_an_answer() -> None:
    """``id`` is the request's; ``exit`` and ``error`` mean the same everywhere."""
    from companion.cli.shell import schema

    told = schema.read_shapes(schema.protocol_page())
    tops = {one for printed in told.commands.values() for one in printed} - {"unspoken"}

    assert [one for one in sorted(tops) if {"id", "exit", "error"} & {*told.schemas[one]["properties"]}] == []


ODD_TEXTS = (
    *("--help", "-h", "--", "-", "", " ", "=", "a=b", "\x1b[2J", "\u202ex", "a\nb", "\0"),
    *("x" * 100_000, "9" * 5_000, "[" * 5_000),
)


@pytest.mark.parametrize("name", FORMS)
def test_odd_text_in_any_field_is_answered_and_is_no_option(
    only_tiny: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No field can show a help text, stop the server, or bring control characters into an answer."""
    monkeypatch.chdir(tmp_path)  # a name of an archive makes one
    usual = {"game": "tiny", "action": "rest", "text": "x", "situation": "x"}
    usual |= {"nonce": "1" * 64, "at": "1.1", "seat": "player", "allow": "yes", "changes": {"dust": 1}}
    with served() as client:
        client.ask(do="new", game="tiny", seed="1")
        for field in (*FORMS[name].fields, *(["value"] if name == "answer" else [])):
            for text in ODD_TEXTS:
                needed = {key: usual[key] for key in FORMS[name].needed}
                answer = client.ask(do=name, **{**needed, field: text})
                assert answer["exit"] in (0, 1, 2, 3, 4), (field, text[:20], answer)
                assert "help" not in answer and "Usage" not in json.dumps(answer), (field, text[:20])
                assert not set(json.dumps(answer, ensure_ascii=False)) & set("\x1b\u202e\0"), (field, text[:20])
        assert client("--version")["exit"] == 0


def test_the_legal_request_prints_the_actions(begun: Run) -> None:
    """By its name it was the word of a command that does not exist."""
    with served() as client:
        told = client.ask(do="legal", brief=True)

    assert [way["action"] for way in told["legal"]][:2] == ["march", "fight"]


def test_a_picture_of_the_map_comes_in_the_document(begun: Run) -> None:
    """P16: with --json implied, the picture was dropped."""
    with served() as client:
        by_words, by_fields = client("map", "tiny", "--format", "svg"), client.ask(do="map", game="tiny", format="svg")
        plain = client.ask(do="map", game="tiny", space="ford")

    assert by_words["svg"].startswith("<svg") and by_fields["svg"] == by_words["svg"]
    assert plain["place"] == "ford" and "svg" not in plain


def test_texts_have_messages_if_the_client_asks(begun: Run) -> None:
    """From that request on, until it says otherwise: also in errors."""
    with served() as client:
        silent = client("undo", "99")
        spoken = client.ask(argv=["undo", "99"], messages=True)
        still = client("undo", "99")
        refused = client.ask(argv=["status"], messages="yes")
        ended = client.ask(argv=["undo", "99"], messages=False)

    assert "messages" not in silent["error"] and silent == {**ended, "id": silent["id"]}
    assert spoken["error"]["messages"]["message"]["id"].startswith("companion.")
    assert {key: value for key, value in spoken["error"].items() if key != "messages"} == silent["error"]
    assert still["error"] == spoken["error"]
    assert refused["error"]["message"] == "'messages' is neither true nor false"


def test_an_adjustment_by_fields(begun: Run) -> None:
    """A negative number is a value, and text that looks like an option is none."""
    with served() as client:
        done = client.ask(do="adjust", changes={"supply": -2, "Red": "ford"}, why="counted", brief=True)
        refused = client.ask(do="adjust", changes={"supply": "--db=other.sqlite3"}, why="counted")

    assert done["exit"] == 0 and done["fix"] == ["Move Red from Camp to Ford", "Set Supply from 8 to -2"]
    assert refused["exit"] == 2 and refused["error"]["kind"] == "unreadable"


def test_a_review_is_of_the_last_turn_unless_the_fields_say_otherwise(begun: Run) -> None:
    with served() as client:
        nothing = client.ask(do="review")
        for _ in range(2):
            client.ask(do="begin", action="rest", accept=True)
        last = client.ask(do="review")
        whole = client.ask(do="review", **{"from": 0})
        printed = client("review", "--level", "quick")

    assert nothing["exit"] == 1 and last["exit"] == whole["exit"] == 0
    assert plain(whole) == plain(printed) and last["level"] == "quick"
    turns = [{point["turn"] for point in document["points"]} for document in (last, whole)]
    assert turns[0] == {max(turns[1])}
