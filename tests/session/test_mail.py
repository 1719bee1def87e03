"""Play by mail: one file goes back and forth between two archives, and each hand-over is verified."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.errors import CompanionError
from companion.core.policies import random_reply
from companion.session.controller import SessionController
from companion.session.store import Archive
from companion.session.trusted import ConsentPending
from tests.support.commands import companion
from tests.support.trusted import PRACTICE, begin, play_to_roll, verified

Document = dict[str, Any]


class Mail:
    """Two players with an archive each, and the file that they send each other."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self._monkeypatch = monkeypatch
        self._sent = 0

    def at(self, player: str) -> None:
        """From now on the commands are those of a player."""
        self._monkeypatch.setenv("COMPANION_DB", os.fspath(self.folder / f"{player}.sqlite3"))

    def archive(self, player: str) -> Archive:
        return Archive.open(os.fspath(self.folder / f"{player}.sqlite3")).close_on_collection()

    def session(self, player: str) -> SessionController:
        return SessionController.open(self.archive(player))

    def bundle(self, player: str) -> Path:
        self.at(player)
        self._sent += 1
        path = self.folder / f"mail{self._sent}.json"
        result = companion("bundle", os.fspath(path))
        assert result.code == 0 and "Row " in result.out and "hash " in result.out
        return path

    def restore(self, player: str, path: Path, *words: str, code: int = 0) -> Document:
        self.at(player)
        result = companion("bundle", "--restore", os.fspath(path), *words, "--json")
        assert result.code == code, result.out + result.err
        return dict(result.json)

    def send(self, source: str, target: str) -> Document:
        return self.restore(target, self.bundle(source))


@pytest.fixture
def mail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Mail:
    """A session in which the first roll waits, sent to the other player."""
    mail = Mail(tmp_path, monkeypatch)
    play_to_roll(begin(mail.archive("ann"), name="duel"), Random(3), shares=False)
    return mail


def play_on(session: SessionController, numbers: Random) -> None:
    """Play at random until a roll waits."""
    play_to_roll(session, numbers, rolls=0)


def changed(path: Path, change: Callable[[list[list[Any]]], None]) -> Path:
    """Return a copy of a file with a changed log, its rows numbered anew."""
    document = json.loads(path.read_text())
    change(document["rows"])
    for number, row in enumerate(document["rows"], 1):
        row[0] = number
    copy = path.with_name(f"changed-{path.name}")
    copy.write_text(json.dumps(document))
    return copy


def test_a_roll_by_mail(mail: Mail) -> None:
    """The side that reaches a roll commits, the other side adds its share when it restores the file, and the first side rolls."""
    first = mail.send("ann", "bob")
    assert (first["here"], first["seat"], first["waits_for"]) == (0, "nva", ["us"])
    assert not any(verified(mail.session("bob")).rolls)
    back = mail.send("bob", "ann")
    assert (back["added"], back["unproven"]) == (1, None)
    rolled = verified(mail.session("ann"))
    assert (len(rolled.rolls), rolled.misfit, rolled.rolls[0].by) == (1, None, "us")


def test_a_game_back_and_forth(mail: Mail) -> None:
    """Both play on and come to rolls; each hand-over is verified, and both have the same log in the end."""
    numbers = Random(5)
    mail.send("ann", "bob")
    for turn in range(10):
        here, there = ("ann", "bob") if turn % 2 else ("bob", "ann")
        assert mail.send(here, there)["unproven"] is None  # with the share, or what was rolled and played
        assert mail.send(there, here)["unproven"] is None
        session = mail.session(there)
        if not session.waits_for:
            play_on(session, numbers)
        session = mail.session(here)
        if not session.waits_for and session.history.seq >= mail.session(there).history.seq:
            play_on(session, numbers)
        for source, target in ((there, here), (here, there)):
            path = mail.bundle(source)
            mail.restore(target, path)
    results = [verified(mail.session(player)) for player in ("ann", "bob")]
    assert [result.misfit for result in results] == [None, None]
    assert len(results[0].rolls) >= 5


def test_what_is_new_is_shown(mail: Mail) -> None:
    path = mail.bundle("ann")
    mail.at("bob")
    text = companion("bundle", "--restore", os.fspath(path)).out
    assert "NVA is played with this archive" in text and "waits for US: companion bundle FILE" in text
    mail.send("bob", "ann")
    play_on(mail.session("ann"), Random(1))
    path = mail.bundle("ann")
    mail.at("bob")
    text = companion("bundle", "--restore", os.fspath(path)).out
    assert "new rows after row" in text and "Elsewhere - " in text and "recomputed, and all fit" in text
    again = companion("bundle", "--restore", os.fspath(path)).out
    assert "the file is older" in again or "nothing is new" in again


def test_an_older_file_changes_nothing(mail: Mail) -> None:
    old = mail.bundle("ann")
    mail.restore("bob", old)
    before = mail.session("bob").history.seq
    again = mail.restore("bob", old)
    assert (again["added"], again["here"] > again["rows"], mail.session("bob").history.seq) == (0, True, before)
    assert "the file is older" in companion("bundle", "--restore", os.fspath(old)).out


@pytest.fixture
def answered(mail: Mail) -> tuple[Mail, Path]:
    """The roll is made at ann's, who has played on; bob has given his share, and gets the file."""
    mail.send("ann", "bob")
    mail.send("bob", "ann")
    play_on(mail.session("ann"), Random(1))
    return mail, mail.bundle("ann")


Rows = list[list[Any]]


def _place(rows: Rows, where: Callable[[list[Any]], bool]) -> int:
    """Return the place of the last row of which that is true."""
    return max(place for place, row in enumerate(rows) if where(row))


def _step(rows: Rows, step: str) -> int:
    """Return the place of a step of the first roll."""
    return next(place for place, row in enumerate(rows) if row[3].get("step") == step)


def _die(rows: Rows) -> int:
    """Change the first trusted roll, which is new to the other side; return the number of its row."""
    place = next(place for place, row in enumerate(rows) if row[1] == "reply" and row[3]["source"] == "trusted")
    rows[place][3]["value"] = [rows[place][3]["value"][0] % 6 + 1]
    return place + 1


def _answer(rows: Rows) -> int:
    """Change an answer that both have."""
    place = next(place for place, row in enumerate(rows) if row[1] == "reply" and row[3]["source"] == "typed")
    rows[place][3]["value"] = "another"
    return place + 1


def _reveal_dropped(rows: Rows) -> int:
    place = _step(rows, "reveal")
    del rows[place]
    return place + 1


def _share_dropped(rows: Rows) -> int:
    place = _step(rows, "share")
    del rows[place]
    return place + 1


def _old_rows_swapped(rows: Rows) -> int:
    """Two events of the set-up that are not the same."""
    place = next(
        place for place in range(2, len(rows)) if rows[place][1] == rows[place + 1][1] and rows[place][3] != rows[place + 1][3]
    )
    rows[place], rows[place + 1] = rows[place + 1], rows[place]
    return place + 1


def _action_before_its_entry(rows: Rows) -> int:
    place = _place(rows[: _step(rows, "commit")], lambda row: row[1] == "entry")
    rows[place], rows[place + 1] = rows[place + 1], rows[place]
    return place + 1


def _new_rows_swapped(rows: Rows) -> int:
    place = _step(rows, "reveal")
    rows[place], rows[place + 1] = rows[place + 1], rows[place]
    return place + 1


def _share(rows: Rows) -> int:
    rows[_step(rows, "share")][3]["value"] = "5" * 64
    return _step(rows, "share") + 1


def _commit(rows: Rows) -> int:
    rows[_step(rows, "commit")][3]["value"] = "5" * 64
    return _step(rows, "commit") + 1


DIFFERS, MISFIT = "the file differs from duel from row {}", "row {} of the file does not fit"


@pytest.mark.parametrize(
    ("change", "message", "values"),
    [
        (_answer, DIFFERS, "in the file value another"),
        (_old_rows_swapped, DIFFERS, "in the file"),
        (_action_before_its_entry, "inconsistent at row {}", "which it never opened"),
        (_share, DIFFERS, "in the file value 5555"),
        (_commit, DIFFERS, "in the file value 5555"),
        (_share_dropped, DIFFERS, "here a row 'trust' (share)"),
        (_die, MISFIT, "the dice are not what the nonces give (in the file"),
        (_reveal_dropped, MISFIT, "never revealed"),
        (_new_rows_swapped, MISFIT, "never revealed"),
    ],
)
def test_a_changed_file_is_refused(answered: tuple[Mail, Path], change: Callable[[Rows], int], message: str, values: str) -> None:
    """Changed, dropped or reordered, among the rows that both have or the new ones: the row is named, and nothing is kept."""
    mail, path = answered
    before = mail.session("bob").history.seq
    numbers: list[int] = []
    copy = changed(path, lambda rows: numbers.append(change(rows)))
    mail.at("bob")
    result = companion("bundle", "--restore", os.fspath(copy))
    error = " ".join(result.err.split())
    assert result.code == 4 and "Nothing of it is taken over" in error, error
    assert message.format(numbers[0]) in error and values in error, error
    assert mail.session("bob").history.seq == before
    assert mail.restore("bob", path)["added"]


def test_a_share_in_my_name(mail: Mail) -> None:
    """A side that gives the other's share itself could try until it likes the dice; its log fits, and is refused all the same."""
    mail.send("ann", "bob")
    session = mail.session("ann")
    session.share(session.question_number, "nva", "5" * 64)
    play_on(session, Random(1))
    assert verified(session).misfit is None
    path, before = mail.bundle("ann"), mail.session("bob").history.seq
    mail.at("bob")
    refused = companion("bundle", "--restore", os.fspath(path))
    assert refused.code == 4 and mail.session("bob").history.seq == before
    assert "the file differs from duel" in refused.err  # bob has given another share
    mail.at("eve")
    mail.restore("eve", mail.bundle("bob"), "--seat", "us")


def test_a_share_in_my_name_before_i_gave_one(mail: Mail) -> None:
    numbers, session = Random(1), mail.session("ann")
    with suppress(ConsentPending):
        session.abort()
    mail.send("ann", "bob")
    mail.at("bob")
    companion("consent", "no")
    mail.send("bob", "ann")  # with bob's share: the roll is made
    session = mail.session("ann")
    play_on(session, numbers)
    at = session.question_number
    session.share(at, "nva", "5" * 64)
    path, before = mail.bundle("ann"), mail.session("bob").history.seq
    mail.at("bob")
    refused = companion("bundle", "--restore", os.fspath(path))
    assert refused.code == 4 and f"question {at}: a share of NVA that was not written here" in " ".join(refused.err.split())
    assert mail.session("bob").history.seq == before
    mail.at("eve")
    told = companion("bundle", "--restore", os.fspath(path))
    assert told.code == 0 and "of NVA were written elsewhere" in told.out


def test_a_second_try_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who goes back to a copy of the archive to commit again, after the share has come, is found by the other side's log."""
    mail = Mail(tmp_path, monkeypatch)
    steps = play_to_roll(begin(mail.archive("trial")), Random(3), shares=False)
    numbers, session = Random(3), begin(mail.archive("ann"), name="duel")
    play_to_roll(session, numbers, shares=False, steps=steps - 1)
    kept, same = session.history.seq, Random()
    same.setstate(numbers.getstate())
    mail.at("ann")
    assert companion("backup", os.fspath(tmp_path / "kept.sqlite3")).code == 0
    play_to_roll(session, numbers, shares=False)
    mail.send("ann", "bob")
    mail.send("bob", "ann")
    again = mail.session("kept")
    play_to_roll(again, same, shares=False)
    assert again.question_number in mail.session("bob").history.trust.shares
    path = mail.bundle("kept")
    mail.at("bob")
    refused = companion("bundle", "--restore", os.fspath(path))
    error = " ".join(refused.err.split())
    assert refused.code == 4 and "the file differs from duel from row" in error
    assert int(error.partition("from row ")[2].split()[0]) > kept


def test_consent_by_mail(answered: tuple[Mail, Path]) -> None:
    """An undo across a roll is asked in the file, and allowed at the other machine for the seat that is played there."""
    mail, _ = answered
    with pytest.raises(ConsentPending):
        mail.session("ann").undo()
    mail.send("ann", "bob")
    assert companion("consent", "yes").code in (0, 3)
    mail.send("bob", "ann")
    assert verified(mail.session("ann")).misfit is None


def test_the_seat_is_chosen_once(mail: Mail) -> None:
    path = mail.bundle("ann")
    mail.at("eve")
    assert companion("bundle", "--restore", os.fspath(path), "--seat", "us").code == 0
    refused = companion("bundle", "--restore", os.fspath(path), "--seat", "nva")
    assert refused.code == 2 and "US is played with this archive" in refused.err
    refused = companion("bundle", os.fspath(mail.folder / "x.json"), "--seat", "us")
    assert refused.code == 2 and "belongs to --restore" in refused.err


def play(session: SessionController, numbers: Random, steps: int) -> None:
    """Take so many steps at random, some of which may be refused; all dice are the computer's."""
    for _ in range(steps):
        with suppress(CompanionError):
            if session.pending is None:
                session.do(numbers.choice([item.id for item in session.game.actions if item.usual and not item.look]))
            else:
                session.reply(session.pending.to_input(random_reply(session.pending, numbers.randrange)))


def test_the_game_is_as_if_it_had_never_been_handed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """LZ Albany, played on at both sides in turn, with an undo: the same rows as in one archive, but for their times."""
    mail = Mail(tmp_path, monkeypatch)
    steps = [Random(9).randrange(8, 25) for _ in range(8)]
    for player in ("ann", "alone"):
        SessionController.create(mail.archive(player), "lzalbany", "", PRACTICE, name="duel", seed="7")
    mail.send("ann", "bob")
    numbers, same, players = Random(2), Random(2), ("bob", "ann")
    for number, count in enumerate(steps):
        here, there = players[number % 2], players[(number + 1) % 2]
        for player, source in ((here, numbers), ("alone", same)):
            session = mail.session(player)
            play(session, source, count)
            with suppress(CompanionError):
                session.undo() if number == 4 else session.note("over")
        document = mail.send(here, there)
        assert (document["added"] > 0, document["misfits"]) == (True, [])
    logs = [[(row.kind, row.entry, row.body) for row in mail.archive(player).rows(1)] for player in ("ann", "bob", "alone")]
    assert logs[0] == logs[1] == logs[2] and len(logs[0]) > 100
    sessions = [mail.session(player) for player in ("ann", "bob", "alone")]
    assert sessions[0].position == sessions[1].position == sessions[2].position
    assert len({row.kind for row in mail.archive("ann").rows(1)} & {"change", "note"}) == 2
    assert mail.restore("ann", mail.bundle("bob"))["head"] == mail.restore("bob", mail.bundle("ann"))["head"]


def test_other_dice_by_mail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without trusted dice the rules are replayed, and dice are named as not provable."""
    mail, numbers = Mail(tmp_path, monkeypatch), Random(2)
    session = SessionController.create(mail.archive("ann"), "lzalbany", "", PRACTICE, name="duel")
    mail.send("ann", "bob")
    play(session, numbers, 60)
    there = mail.send("ann", "bob")
    assert (there["session"], there["added"] > 0, there["misfits"]) == ("duel", True, [])
    assert there["rolled"] > 0
    mail.session("bob").note("your turn")
    assert mail.send("bob", "ann")["added"] == 1
    mail.session("ann").note("one")
    mail.session("bob").note("another")
    path = mail.bundle("bob")
    mail.at("ann")
    refused = companion("bundle", "--restore", os.fspath(path))
    assert refused.code == 4 and "here text one, in the file text another" in " ".join(refused.err.split())


def test_two_that_are_not_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another session of the same name gets a free one; one of another game is stored as such; each is said."""
    mail = Mail(tmp_path, monkeypatch)
    for player in ("ann", "bob"):
        SessionController.create(mail.archive(player), "lzalbany", "", PRACTICE, name="duel")
    path = mail.bundle("ann")
    mail.at("bob")
    result = companion("bundle", "--restore", os.fspath(path))
    assert result.code == 0 and "In use: duel-2, new with" in result.out and "duel is another session here" in result.out
    SessionController.create(mail.archive("ann"), "fallujahcards", seed="7", name="duel-2")
    assert mail.send("ann", "bob")["game"] == "fallujahcards"
    assert [item.game for item in mail.archive("bob").sessions()] == ["lzalbany", "lzalbany", "fallujahcards"]


def test_a_branch_does_not_take_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has the same beginning, and it is the session itself that goes on."""
    mail = Mail(tmp_path, monkeypatch)
    SessionController.create(mail.archive("ann"), "lzalbany", "", PRACTICE, name="duel")
    mail.send("ann", "bob")
    mail.session("bob").branch("aside")
    mail.session("ann").note("your turn")
    assert mail.send("ann", "bob")["session"] == "duel"


def test_ctrl_c_while_a_file_is_taken(answered: tuple[Mail, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """In the middle of its rows: none is kept, and the session in use stays."""
    mail, path = answered
    SessionController.create(mail.archive("bob"), "fallujahcards", seed="7", name="other")
    before, insert = mail.archive("bob").session("duel"), Archive._insert
    rows = mail.archive("bob").rows(before.id)

    def interrupted(archive: Archive, session_id: int, rows: Any) -> None:
        insert(archive, session_id, rows[:2])
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Archive, "_insert", interrupted)
        mail.at("bob")
        assert companion("bundle", "--restore", os.fspath(path)).code == 130
    assert mail.archive("bob").rows(before.id) == rows and mail.session("bob").info.name == "other"
    assert mail.restore("bob", path)["session"] == "duel"


_KILLED = """
import os, signal, sys
from companion.session.mail import receive
from companion.session.store import Archive
archive, left = Archive.open(sys.argv[1]), int(sys.argv[3])

def count(sql):
    global left
    if sql.startswith(("INSERT", "COMMIT", "DELETE")):
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)

archive._db.set_trace_callback(count)
receive(archive, open(sys.argv[2]).read())
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="kills a process")
@pytest.mark.parametrize("point", [0, 2, 5, 30])
def test_kill_while_a_file_is_taken(answered: tuple[Mail, Path], point: int) -> None:
    """All of the new rows are there or none, and taking the file again goes on."""
    mail, path = answered
    before = mail.session("bob").history.seq
    file = os.fspath(mail.folder / "bob.sqlite3")
    words = [sys.executable, "-c", _KILLED, file, os.fspath(path), str(point)]
    assert subprocess.run(words, check=False, timeout=60).returncode in (0, -9)
    assert mail.session("bob").history.seq in (before, *range(len(json.loads(path.read_text())["rows"]), 10_000))
    mail.restore("bob", path)
    assert verified(mail.session("bob")).misfit is None and mail.session("bob").waits_for == ("us",)
