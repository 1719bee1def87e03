"""Whole sessions as documents, and documents of strangers."""

from __future__ import annotations

import copy
import json
import signal
import time
from collections.abc import Callable
from typing import Any

import pytest

from companion.core.errors import BadData, Unreadable
from companion.core.resolver import Answers
from companion.session.controller import SessionController
from companion.session.doctor import check_rules
from companion.session.store import Archive
from companion.session.transfer import VERSION, bundle, read_document, restore

Document = dict[str, Any]


@pytest.fixture
def session(archive: Archive, tiny_game: str) -> SessionController:
    archive.record_facts("tiny", {"strength:Red": "2", "depth:north": "4"})
    session = SessionController.create(archive, "tiny", seed="7", name="mine")
    session.do("march", Answers([("unit", "Red"), ("to", "ford")], dice=[6]))
    session.do("fight", Answers([("unit", "Red"), ("go on", "no")], dice=[1, 2]))
    session.do("search")
    session.undo()
    session.amend(2, 3, "4")
    session.adjust([("mood", "high")], "seen")
    session.note("a note")
    session.begin("march")
    session.adjust([("supply", "6")], "seen at the question")
    return session


@pytest.fixture
def document(session: SessionController) -> Document:
    return json.loads(json.dumps(bundle(session.archive, session.info)))


def test_export_and_import_agree(session: SessionController, document: Document, tmp_path: object) -> None:
    with Archive.open(session.archive.path + "2") as other:
        again = SessionController.open(other, restore(other, json.dumps(document)))
        assert again.info.name == "mine" and again.info.seed == "7"
        assert again.position == session.position and again.history.entries == session.history.entries
        assert again.pending and session.pending and again.pending.describe() == session.pending.describe()
        assert again.settings == session.settings and again.history.notes == session.history.notes
        assert other.printed("tiny") == {}
        assert restore(other, json.dumps(document).encode()).name == "mine-2"
        assert restore(other, json.dumps(document), "third").name == "third"
        with pytest.raises(Unreadable, match="already"):
            restore(other, json.dumps(document), "third")


@pytest.mark.parametrize(
    ("total", "taken"), [(1.5, True), (-0.5, True), (float("nan"), False), (float("inf"), False), (1e300, False)]
)
def test_final_score_may_be_a_fraction(session: SessionController, document: Document, total: float, taken: bool) -> None:
    """Half points are counted in some games: the bundle of a game that is over comes back."""
    row(document, "done")[3]["result"] = {"over": "it is over", "turn": 3, "total": total, "verdict": "won"}
    if not taken:
        with pytest.raises(BadData, match="fraction"):
            restore(session.archive, json.dumps(document))
        return
    again = SessionController.open(session.archive, restore(session.archive, json.dumps(document)))
    assert again.position == session.position


@pytest.mark.parametrize(("worth", "taken"), [(-63.25, True), (float("nan"), False)])
def test_stored_rollouts_are_imported(session: SessionController, document: Document, worth: float, taken: bool) -> None:
    """A decision is stored with what each candidate was worth, in fractions of points."""
    reply = row(document, "reply")
    thought = {"key": "wager", "kind": "think", "value": [0, 16, [worth, 0.0]], "source": "weighed"}
    document["rows"].insert(document["rows"].index(reply) + 1, [reply[0] + 1, "reply", reply[2], thought, reply[4]])
    for item in document["rows"][reply[0] + 1 :]:
        item[0] += 1
    if taken:
        assert restore(session.archive, json.dumps(document)).name == "mine-2"
        return
    with pytest.raises(BadData, match="fraction"):
        restore(session.archive, json.dumps(document))


def test_bundle_from_before_adjustments_during_actions(session: SessionController, document: Document) -> None:
    document["rows"] = [item for item in document["rows"] if item[1] != "adjusted"]
    document["version"] = 1
    again = SessionController.open(session.archive, restore(session.archive, json.dumps(document)))
    assert again.pending and again.pending.key == "unit" and again.position.track("supply") != 6


def test_contents_of_a_bundle(session: SessionController, document: Document) -> None:
    assert document["printed"] == {"strength:Red": "2"}
    assert document["session"]["game"] == "tiny" and "id" not in document["session"]
    assert set(document["made_by"]) == {"companion", "schema", "python", "sqlite", "system"}
    assert session.archive.path not in json.dumps(document)


def row(document: Document, kind: str) -> list[Any]:
    return next(item for item in document["rows"] if item[1] == kind)


def adjust_entry(document: Document) -> dict[str, Any]:
    return next(item[3] for item in document["rows"] if item[1] == "entry" and item[3]["action"] == "adjust")


SPOILT: list[tuple[Callable[[Document], object], str]] = [
    (lambda d: d.update(format="x"), "of an unknown kind or version"),
    (lambda d: d.update(version=VERSION + 1), "of an unknown kind or version"),
    (lambda d: d.update(version=0), "of an unknown kind or version"),
    (lambda d: d.update(version=True), "version: of a wrong type"),
    (lambda d: d.update(more=1), "more: unknown key"),
    (lambda d: d.pop("rows"), "rows: is missing"),
    (lambda d: d["session"].update(game="chess"), "the game 'chess' is not installed"),
    (lambda d: d["session"].update(game=["tiny"]), "session.game: of a wrong type"),
    (lambda d: d["session"].update(options={"a": 1}), "session.options: must be texts"),
    (lambda d: d["session"].update(cheat="x"), "session.cheat: unknown key"),
    (lambda d: d["rows"].append(7), "must be a number, a kind, an entry, a body and a time"),
    (lambda d: d["rows"].pop(2), "rows.3: is numbered 4"),
    (lambda d: row(d, "note").__setitem__(1, "spell"), "unknown kind"),
    (lambda d: row(d, "entry")[3].pop("action"), "action: is missing"),
    (lambda d: row(d, "reply")[3].update(value=1.5), "holds a fraction"),
    (lambda d: row(d, "reply").__setitem__(2, 77), "action 77, which it never opened"),
    (lambda d: row(d, "done")[3]["events"].append({"kind": "spell"}), "unknown event"),
    (lambda d: row(d, "done")[3]["events"].append("x"), "unknown event"),
    (lambda d: row(d, "done")[3]["events"].append({"kind": "track", "track": "x", "was": 0, "now": "1"}), "now: of a wrong"),
    (lambda d: row(d, "done")[3]["events"].append({"kind": "said", "text": "x", "loud": 1}), "unknown key"),
    (lambda d: row(d, "done")[3]["events"].append({"kind": "moved", "id": "x", "was": "a", "now": "b"}), "never made"),
    (lambda d: row(d, "done")[3]["events"][0].update(now=[1]), "now: of a wrong type"),
    (lambda d: row(d, "done")[3]["events"][-1].update(because="x"), "because: of a wrong type"),
    (lambda d: row(d, "done")[3]["events"][-1].update(because=[1]), "a value of a wrong type"),
    (lambda d: row(d, "done")[3]["events"].append({"kind": "flag", "flag": "x", "was": None, "now": [1]}), "a wrong type"),
    (lambda d: row(d, "reply")[3].update(anyway="x"), "anyway: of a wrong type"),
    (lambda d: row(d, "change")[3].update(take=["1"]), "must be numbers of entries"),
    (lambda d: row(d, "change")[3].update(give=[55]), "is inconsistent"),
    (lambda d: row(d, "adjusted")[3].pop("at"), "at: is missing"),
    (lambda d: row(d, "adjusted")[3].update(action="march"), "action: is not an adjustment"),
    (lambda d: row(d, "adjusted")[3].update(why=["x"]), "why: of a wrong type"),
    (lambda d: row(d, "adjusted")[3].update(changes=[["supply"]]), "changes: must be pairs of texts"),
    (lambda d: row(d, "adjusted")[3].update(changes=[["supply", 3]]), "changes: must be pairs of texts"),
    (lambda d: row(d, "adjusted")[3]["events"].append({"kind": "spell"}), "unknown event"),
    (lambda d: row(d, "adjusted")[3]["events"][0].update(now="6"), "now: of a wrong type"),
    (lambda d: row(d, "adjusted").__setitem__(2, 77), "action 77, which it never opened"),
    (lambda d: adjust_entry(d)["args"].update(changes="all"), "changes: must be pairs of texts"),
    (lambda d: adjust_entry(d)["args"].pop("why"), "why: must be a text"),
    (lambda d: row(d, "reply")[3].update(kind="adjusted"), "kind: is not a reply"),
    (lambda d: row(d, "setting")[3].update(dice=3), "must be texts"),
    (lambda d: d.update(rows=[]), "no action in force"),
    (lambda d: row(d, "note")[3].update(text=[[[[[[[[[[1]]]]]]]]]]), "nested too deeply"),
]


@pytest.mark.parametrize(("spoil", "words"), SPOILT)
def test_modified_bundles_are_refused(
    document: Document, session: SessionController, spoil: Callable[[Document], object], words: str
) -> None:
    spoilt = copy.deepcopy(document)
    spoil(spoilt)
    with pytest.raises(BadData) as caught:
        restore(session.archive, json.dumps(spoilt))
    assert words in str(caught.value)
    assert len(session.archive.sessions()) == 1


@pytest.mark.parametrize("text", ["", "[]", "3", "null", "{", "[" * 100_000, b"\xff", '{"rows": NaN}', '"' + "x" * 50_000_001])
def test_files_that_are_no_bundle(archive: Archive, tiny_game: str, text: str | bytes) -> None:
    with pytest.raises(BadData) as caught:
        restore(archive, text)
    assert caught.value.exit_code == 4 and archive.sessions() == []


def test_control_characters_are_not_imported(session: SessionController, document: Document) -> None:
    row(document, "note")[3]["text"] = "\x1b[2Jboo"
    row(document, "done")[3]["events"][0]["why"] = "a\x07b"
    document["session"]["name"] = "\x1b]0;x\x07"
    made = restore(session.archive, json.dumps(document))
    text = json.dumps([made, [item.body for item in session.archive.rows(made.id)]])
    assert "u001b" not in text and "u0007" not in text
    assert SessionController.open(session.archive, made).history.notes[0].text == "[2Jboo"


# -- whether it fits the game ------------------------------------------------------------------------------------------


def test_played_log_fits_its_game(session: SessionController, document: Document) -> None:
    again = SessionController.open(session.archive, restore(session.archive, json.dumps(document)))

    assert check_rules(again) == (4, ())
    assert check_rules(again).text == "4 actions fit the rules"


def test_events_that_do_not_follow_are_reported(session: SessionController, document: Document) -> None:
    """Another die, a question that nobody asks, a track that no game has: played on from, but not in silence."""
    force = {entry.number for entry in session.history.in_force}
    toll = next(item for item in document["rows"] if item[1] == "reply" and item[3]["key"] == "toll" and item[2] in force)
    toll[3]["value"] = [6]
    fought = next(item for item in document["rows"] if item[1] == "reply" and item[3]["key"] == "fight" and item[2] in force)
    fought[3]["key"] = "joust"
    ended = next(item for item in document["rows"] if item[1] == "done" and item[2] == 1)
    ended[3]["events"].append({"kind": "track", "track": "morale", "was": 0, "now": 1})
    found = check_rules(SessionController.open(session.archive, restore(session.archive, json.dumps(document))))

    assert found.text == "1 action fits the rules, 3 do not"
    assert [why for _, _, why in found.mismatches] == [
        "the game has no track 'morale'",
        "has another outcome by these rules",
        "asks 'Attack of Red' where it used to ask 'joust'",
    ]


@pytest.mark.parametrize(
    ("about", "words"),
    [
        ({"scenario": "noon"}, "session.options.scenario: tiny has no 'noon'"),
        ({"options": {"weapons": "many"}}, "session.options.weapons: tiny has no such option"),
        ({"options": {"length": "endless"}}, "session.options.length: tiny has no 'endless'"),
        ({"seed": "7" * 1_000_000}, "session.seed: is too long"),
    ],
    ids=str,
)
def test_bundle_of_another_game_is_refused(session: SessionController, document: Document, about: Document, words: str) -> None:
    document["session"].update(about)

    with pytest.raises(BadData, match=words):
        restore(session.archive, json.dumps(document))
    assert len(session.archive.sessions()) == 1


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timer signals")
def test_ctrl_c_is_noticed_while_the_document_is_parsed() -> None:
    """The decoder is one call of a second for a long session; its times are those of the processor.

    The signal is noted and not raised: where it comes in a callback of the garbage collector, an exception would be lost.
    """
    text = '{"rows": [' + ", ".join(['[1, "note", 1, {"text": "tea"}, "t"]'] * 100_000) + "]}"
    before = time.process_time()
    json.loads(text)
    whole = time.process_time() - before

    handled = 0.0

    def note(*_: object) -> None:
        nonlocal handled
        handled = time.process_time()

    def noticed() -> float:
        """Seconds between the signal's due time and its handler."""
        start = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, whole / 4)
        with pytest.raises(BadData):
            read_document(text)
        return handled - start - whole / 4

    handler = signal.signal(signal.SIGPROF, note)
    try:
        assert min(noticed() for _ in range(3)) < whole / 4
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, handler)
