"""Old games go on: what an earlier version of the program left is opened, shown, mended and played on by this one.

Each folder beside this file holds what ``make.py`` made with the version of that name, and what that version believed. There is
one of every schema, of every version of an event and of every version of a bundle since the first that was given out.
"""

from __future__ import annotations

import gzip
import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from companion.core.events import EVENT_TYPES, VERSIONS
from companion.core.history import ROW_SCHEMAS
from companion.session import transfer
from companion.session.database import SCHEMA
from tests.archives.make import GAMES, MAKERS, TRUSTED_GAME, other, reply, tidy
from tests.support.commands import companion
from tests.support.processes import in_child

HERE = Path(__file__).parent
MENDED = HERE / "d023937" / "phantomfury-question"
"""Its open action answers a question as the rules, mended since, do not allow any more."""
ALL = sorted(path.with_name(path.name.removesuffix(".sqlite3.gz")) for path in HERE.glob("*/*.sqlite3.gz"))
TRUSTED = [stem for stem in ALL if stem.name.endswith("-trusted")]
"""With trusted dice, so that nothing is taken back without the other seat."""
STEMS = [stem for stem in ALL if stem != MENDED and stem not in TRUSTED]
RENAMED: Mapping[str, Mapping[str, str]] = {}
"""By game: places, marks, flags and faces that have another name today than in an old archive, old name to new."""
FORMATS = ("md", "json")
OLDEST = "266895b"
OLDEST_SCHEMA, OLDEST_BUNDLE = 3, 2
"""What the oldest version wrote."""
OFTEN = ("fallujah2004-question", "phantomfury-question", "fallujahcards-over", "iraqwar2003-middle", "lzalbany-middle")
"""Of the later versions, those that are looked at each time, as are the oldest ones; the others with the long tests."""

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


def _often(stem: Path) -> bool:
    return stem.name in OFTEN or (stem.parent.name == OLDEST and not stem.name.endswith("over"))


def _chosen(stems: Iterable[Path], often: Callable[[Path], bool] = _often) -> list[Any]:
    return [
        pytest.param(stem, id=f"{stem.parent.name}/{stem.name}", marks=() if often(stem) else pytest.mark.long) for stem in stems
    ]


@pytest.fixture(params=_chosen(STEMS))
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
def test_old_session_has_its_position(expected: Json) -> None:
    """The same session, position and question."""
    status = said("status")

    assert (status["game"], status["entry"]) == (expected["game"], expected["entry"])
    assert expected["options"].items() <= status["options"].items()
    assert comparable(tidy(status["position"])) == expected["head"]
    assert bool(status.get("over")) == expected["over"]
    pending = status.get("pending")
    assert (pending and {key: pending[key] for key in ("kind", "key", "rule")}) == expected["pending"]


@pytest.mark.parametrize("stem", [MENDED], ids=["mended"], indirect=True)
@pytest.mark.usefixtures("old")
def test_open_action_that_no_longer_fits_is_named_and_undone(expected: Json) -> None:
    """What is complete stands as it was played; of the open action the question is named, and the way out."""
    result = companion("status")
    assert f"action {expected['entry']} refuses the answer to 'unit'" in " ".join(result.out.split())
    assert "companion undo" in " ".join(result.out.split())
    assert len(said("log")["entries"]) == expected["entries"]
    assert companion("undo").code == 0
    status = said("status")
    assert (status["entry"], status["broken"]) == (expected["entry"] - 1, "")


@pytest.mark.usefixtures("old")
def test_old_session_is_shown_and_explained(expected: Json, tmp_path: Path) -> None:
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
def test_old_entries_are_undone_and_redone(expected: Json) -> None:
    """As that version took them back and brought them again; then to the set-up and all the way here."""
    assert now_at("undo", str(expected["back"])) == expected["undone"]
    assert now_at("redo") == expected["head"]
    far = len([one for one in said("log")["entries"] if one["status"] == "in force"]) - 1
    said("undo", str(far))
    assert now_at("redo") == expected["head"]


@pytest.mark.usefixtures("old")
def test_old_reply_is_amended() -> None:
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
def test_old_session_is_continued(expected: Json) -> None:
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
def test_old_session_is_adjusted(expected: Json) -> None:
    """A track of it is set by hand, and stands where it was put."""
    track, value = GAMES[expected["game"]].adjust
    was = expected["head"]["tracks"][track]
    wanted = int(value) if was != int(value) else int(value) - 1

    assert now_at("adjust", track, str(wanted), "--why", "it lies there")["tracks"][track] == wanted


@pytest.mark.parametrize("stem", TRUSTED, ids=[f"{stem.parent.name}/{stem.name}" for stem in TRUSTED], indirect=True)
@pytest.mark.usefixtures("old")
def test_old_trusted_dice_are_verified_and_rolled_on(expected: Json) -> None:
    """Every roll is recomputed, and the one that waits is made by the share."""
    rolls = said("verify")["rolls"]
    assert len(rolls) >= 8
    assert comparable(tidy(said("status")["position"])) == expected["head"]
    said("share", "ab" * 32)
    assert len(said("verify")["rolls"]) == len(rolls) + 1


def test_old_bundle_is_restored(stem: Path, expected: Json, tmp_path: Path) -> None:
    """The same session comes out of the document."""
    document = tmp_path / "bundle.json"
    document.write_bytes(unpacked(stem.with_name(stem.name + ".bundle.json.gz")))
    assert companion("bundle", "--restore", os.fspath(document)).code == 0

    assert now_at("status") == expected["head"]
    assert now_at("undo", str(expected["back"])) == expected["undone"]


class TestWhereNothingMayBeWritten:
    """It is shown as it is, and not a byte of it changes: whoever reads has no right to write."""

    @pytest.mark.parametrize("stem", _chosen(STEMS, lambda stem: stem.name == "phantomfury-middle"), indirect=True)
    def test_read_only_archive_is_shown_unchanged(self, stem: Path, expected: Json, public: Path, tmp_path: Path) -> None:
        path, writable = public / "old.sqlite3", tmp_path / "writable.sqlite3"
        for copy in (path, writable):
            copy.write_bytes(content := unpacked(stem.with_name(stem.name + ".sqlite3.gz")))
        path.chmod(0o444)
        public.chmod(0o555)

        def look(path: Path = path) -> list[str]:
            os.environ.update(COMPANION_DB=os.fspath(path), COMPANION_CACHE="")
            shown = [companion(*words).code for words in (["show"], ["log"], ["sessions"], ["stats"], ["report"])]
            refused = companion("undo")
            return [json.dumps(now_at("status")), str(shown), f"{refused.code} {refused.err}"]

        with patch.dict(os.environ):
            look(writable)  # imports all that is needed: another user may not be able to read the interpreter's folder
        position, shown, refused = in_child(look, nobody=True)

        assert json.loads(position) == json.loads(json.dumps(expected["head"]))
        assert shown == str([0, 0, 0, 0, 0])
        assert refused.startswith("4 ") and "is read-only" in refused
        assert path.read_bytes() == content
        assert os.listdir(public) == ["old.sqlite3"]


class TestThereIsOneOfEach:
    """Whoever raises a number makes a set of archives with the version that he raised it in: see ``make.py``."""

    @pytest.fixture
    def bundles(self) -> list[Json]:
        return [json.loads(unpacked(stem.with_name(stem.name + ".bundle.json.gz"))) for stem in ALL]

    @pytest.fixture
    def schemas(self, tmp_path: Path) -> dict[int, set[str]]:
        """By schema, what there is: game and kind."""
        found: dict[int, set[str]] = {}
        for stem in ALL:
            path = tmp_path / "one.sqlite3"
            path.write_bytes(unpacked(stem.with_name(stem.name + ".sqlite3.gz")))
            connection = sqlite3.connect(path)
            found.setdefault(connection.execute("PRAGMA user_version").fetchone()[0], set()).add(stem.name)
            connection.close()
        return found

    def test_schema(self, schemas: dict[int, set[str]]) -> None:
        assert set(schemas) == set(range(OLDEST_SCHEMA, SCHEMA + 1))

    @pytest.mark.parametrize("schema", [OLDEST_SCHEMA, SCHEMA])
    def test_every_game_in_every_state(self, schema: int, schemas: dict[int, set[str]]) -> None:
        """Of the schema that was first given out, and of today's."""
        trusted = {f"{TRUSTED_GAME}-trusted"} if schema == SCHEMA else set()
        assert schemas[schema] == {f"{game}-{kind}" for game in GAMES for kind in (*MAKERS, "over")} | trusted

    def test_version_of_a_bundle(self, bundles: list[Json]) -> None:
        assert {one["version"] for one in bundles} == set(range(OLDEST_BUNDLE, transfer.VERSION + 1))

    def test_version_of_an_event(self, bundles: list[Json]) -> None:
        bodies = [body for one in bundles for _, _, _, body, _ in one["rows"]]
        found = {(event["kind"], event.get("v", 1)) for body in bodies for event in body.get("events", ())}
        assert found == {(kind, number) for kind in EVENT_TYPES for number in range(1, VERSIONS.get(kind, 1) + 1)}

    def test_kind_of_a_row(self, bundles: list[Json]) -> None:
        assert {kind for one in bundles for _, kind, *_ in one["rows"]} == set(ROW_SCHEMAS)
