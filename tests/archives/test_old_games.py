"""Old games go on: what an earlier version of the program left is opened, shown, mended and played on by this one.

Each folder beside this file holds what ``make.py`` made with the version of that name, and what that version believed.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.archives.make import other, reply, tidy
from tests.support.commands import companion

HERE = Path(__file__).parent
STEMS = sorted(path.with_name(path.name.removesuffix(".sqlite3.gz")) for path in HERE.glob("*/*.sqlite3.gz"))
RENAMED: Mapping[str, Mapping[str, str]] = {}
"""By game: places, marks, flags and faces that have another name today than in an old archive, old name to new."""
FORMATS = ("md", "json")

Json = dict[str, Any]


def unpacked(path: Path) -> bytes:
    return gzip.decompress(path.read_bytes())


def comparable(position: Json, game: str = "") -> Json:
    """A position as nested plain data; a flag that is a set of words, however it is kept, as the sorted words."""
    now = RENAMED.get(game, {})
    flags = {now.get(name, name): _words(value) for name, value in position["flags"].items() if value not in (None, "", [])}
    places = {now.get(place, place): [_piece(one, now) for one in pieces] for place, pieces in position["places"].items()}
    return {"tracks": position["tracks"], "flags": flags, "places": places}


def _words(value: Any) -> Any:
    words = value.split() if isinstance(value, str) else value
    return sorted(str(word) for word in words) if isinstance(words, list | tuple) else value


def _piece(piece: list[Any], now: Mapping[str, str]) -> list[Any]:
    name, kind, face, values, marks = piece
    return [name, kind, now.get(face, face), values, {now.get(mark, mark): value for mark, value in marks.items()}]


def said(*argv: str, codes: tuple[int, ...] = (0, 3)) -> Json:
    result = companion(*argv, "--json")
    assert result.code in codes, f"{argv}: {result.code}\n{result.out[-2000:]}{result.err}"
    document: Json = result.json
    return document


def now_at(*argv: str) -> Json:
    """Where the session stands after a command, in a form that can be compared."""
    return comparable(tidy(said(*argv)["position"]))


@pytest.fixture(params=STEMS, ids=lambda stem: f"{stem.parent.name}/{stem.name}")
def stem(request: pytest.FixtureRequest) -> Path:
    chosen: Path = request.param
    return chosen


@pytest.fixture
def expected(stem: Path) -> Json:
    """What the version that made the archive believed of it."""
    document: Json = json.loads(unpacked(stem.with_name(stem.name + ".expected.json.gz")))
    for key in ("head", "undone"):
        document[key] = comparable(document[key], document["game"])
    return document


@pytest.fixture
def old(stem: Path, own_files: None) -> None:
    """The archive of that version, in use."""
    Path(os.environ["COMPANION_DB"]).write_bytes(unpacked(stem.with_name(stem.name + ".sqlite3.gz")))


@pytest.mark.usefixtures("old")
def test_it_stands_where_it_stood(expected: Json) -> None:
    """The same session, position and question."""
    status = said("status")

    assert (status["game"], status["entry"]) == (expected["game"], expected["entry"])
    assert expected["options"].items() <= status["options"].items()
    assert comparable(tidy(status["position"])) == expected["head"]
    assert bool(status.get("over")) == expected["over"]
    pending = status.get("pending")
    assert (pending and {key: pending[key] for key in ("kind", "key", "rule")}) == expected["pending"]


@pytest.mark.usefixtures("old")
def test_it_is_shown_and_explained(expected: Json, tmp_path: Path) -> None:
    """The table, the log with what was taken back, the reasons of any entry, and every kind of report."""
    assert companion("show").code == 0
    assert companion("show", "score").code == 0
    log = said("log", "--undone")["entries"]
    assert len(said("log")["entries"]) == expected["entries"]
    for entry in log[:: max(1, len(log) // 5)]:
        assert companion("why", str(entry["entry"])).code == 0, entry["entry"]
    for form in FORMATS:
        assert len(companion("report", "--format", form).out) > 500, form
    assert companion("bundle", os.fspath(tmp_path / "again.json")).code == 0


@pytest.mark.usefixtures("old")
def test_entries_are_taken_back_and_brought_again(expected: Json) -> None:
    """As that version took them back and brought them again; then to the set-up and all the way here."""
    assert now_at("undo", str(expected["back"])) == expected["undone"]
    assert now_at("redo") == expected["head"]
    far = len([one for one in said("log")["entries"] if one["status"] == "in force"]) - 1
    said("undo", str(far))
    assert now_at("redo") == expected["head"]


@pytest.mark.usefixtures("old")
def test_an_old_reply_is_amended() -> None:
    """One of the last dice, where there are any, was another: what came after it is played again."""
    tried = []
    for entry in reversed(said("log")["entries"]):
        for number, one in enumerate(entry["replies"], 1):
            if one["kind"] == "roll" and entry["status"] == "in force":
                where = f"{entry['entry']}.{number}"
                result = companion("amend", where, other(one["value"], "roll"), "--json")
                tried.append((where, result.code, result.err))
                assert result.code in (0, 1, 3), result.err
                if result.code != 1:
                    return
    assert not tried, tried


@pytest.mark.usefixtures("old")
def test_it_is_played_on(expected: Json) -> None:
    """The open question is answered, or a next entry is begun; what is over says so."""
    from random import Random

    dice = Random(1)
    for _ in range(60):
        pending = said("status").get("pending")
        if pending:
            answered = companion("answer", f"{pending['key']}={reply(pending, dice)}", "--json")
            assert answered.code in (0, 1, 2, 3), answered.err
            if answered.code in (0, 3):
                return
        else:
            action = dice.choice(said("games", expected["game"])["actions"])["id"]
            begun = companion("do", action, "--json")
            assert begun.code in (0, 1, 3), begun.err
            if begun.code in (0, 3):
                return
    assert expected["over"], "nothing could be played"


@pytest.mark.usefixtures("old")
def test_something_on_its_table_is_put_right(expected: Json) -> None:
    """A track of it is set by hand, and stands where it was put."""
    from tests.archives.make import GAMES

    track, value = GAMES[expected["game"]].adjust
    was = expected["head"]["tracks"][track]
    wanted = int(value) if was != int(value) else int(value) - 1

    assert now_at("adjust", track, str(wanted), "--why", "it lies there")["tracks"][track] == wanted


def test_its_bundle_is_restored(stem: Path, expected: Json, tmp_path: Path) -> None:
    """The same session comes out of the document."""
    document = tmp_path / "bundle.json"
    document.write_bytes(unpacked(stem.with_name(stem.name + ".bundle.json.gz")))
    assert companion("bundle", "--restore", os.fspath(document)).code == 0

    assert now_at("status") == expected["head"]
    assert now_at("undo", str(expected["back"])) == expected["undone"]
