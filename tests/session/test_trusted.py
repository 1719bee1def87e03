"""Sessions with trusted dice: a roll waits for the other seat's share, and nobody can decide it alone."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.errors import BadData, Impossible, SessionMoved, Unreadable
from companion.core.resolver import Answers
from companion.core.trusted import NumberStream, chance_reply, commitment
from companion.session.controller import SessionController
from companion.session.shares import WrongShare
from companion.session.store import Archive
from companion.session.trusted import ConsentPending, open_ask
from companion.views.data import pending_data
from tests.support.trusted import begin, give_share, play_to_roll, verified

SHARE = "ab" * 32


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive.open(os.fspath(tmp_path / "games.sqlite3")).close_on_collection()


@pytest.fixture
def session(archive: Archive) -> SessionController:
    """A session in which the first roll waits."""
    session = begin(archive)
    play_to_roll(session, Random(3), shares=False)
    return session


def rows_of(session: SessionController) -> list[tuple[str, str]]:
    return [(row.kind, str(row.body.get("step", ""))) for row in session.archive.rows(session.info.id)]


class TestBeginning:
    def test_two_players_are_needed(self, archive: Archive) -> None:
        with pytest.raises(Unreadable, match="Companion plays NVA") as refusal:
            begin(archive, options={"map": "practice", "nva": "companion"})
        assert refusal.value.cure == "Let a player have it: --option nva=player"
        with pytest.raises(Unreadable, match="has one seat"):
            begin(archive, "fallujah2004")
        assert archive.sessions() == []

    def test_draws_are_trusted_too(self, archive: Archive) -> None:
        with pytest.raises(Unreadable, match="draws are trusted too"):
            begin(archive, draws="physical")
        assert begin(archive).settings["draws"] == "trusted"

    def test_the_seat_at_the_host(self, archive: Archive) -> None:
        session = begin(archive, seat="nva")
        play_to_roll(session, Random(1), shares=False)
        assert session.waits_for == ("us",)
        with pytest.raises(Unreadable, match="trusted dice"):
            SessionController.create(archive, "lzalbany", seat="us")

    def test_who_rolls_stays(self, session: SessionController) -> None:
        for setting in ({"dice": "computer"}, {"draws": "physical"}):
            with pytest.raises(Impossible, match="stay so"):
                session.setting(**setting)
        session.setting(think="0")
        other = SessionController.open(session.archive, session.branch("aside"))
        assert (other.settings["dice"], other.is_trusted, other.waits_for) == ("computer", False, ())
        assert other.answer(Answers(accept=True)).events


class TestRoll:
    def test_it_waits_visibly_with_a_commitment(self, session: SessionController) -> None:
        at = session.question_number
        assert session.pending is not None and session.waits_for == ("nva",)
        assert rows_of(session)[-1] == ("trust", "commit")
        assert session.history.trust.commits[at]["of"] == {"kind": "roll", "count": 1, "sides": 6, "lowest": 1}
        pending = pending_data(session)
        assert pending is not None and (pending["waits_for"], pending["enter"]) == (["nva"], "")

    def test_the_nonce_is_neither_in_the_log_nor_in_a_document(self, session: SessionController) -> None:
        from companion.session.transfer import bundle
        from companion.views.data import session_data

        (value,) = (row[0] for row in session.archive._read("SELECT value FROM state WHERE key LIKE 'nonce %'"))
        assert commitment(value, session.settings["uid"], session.question_number) in str(bundle(session.archive, session.info))
        assert value not in str(bundle(session.archive, session.info)) + str(session_data(session))

    def test_nobody_types_rolls_or_leaves_it_to_companion(self, session: SessionController) -> None:
        """By no way that answers a question; the roll stays open, and nothing is written."""
        at, before = session.question_number, rows_of(session)
        for answers in (Answers(dice=[6]), Answers(plain=["6"]), Answers(keyed=[(session.pending.key, "6")])):
            with pytest.raises(Impossible, match="nobody types or rolls them alone"):
                session.answer(answers, anyway=True)
        for text in ("6", ""):
            with pytest.raises(Impossible):
                session.reply(text, anyway=True)
        assert session.answer(Answers(accept=True)).pending is session.pending
        with pytest.raises(Impossible, match="under way"):
            session.adjust([("flares", "1")], "it lies so")
        assert (session.question_number, rows_of(session)) == (at, before)

    def test_the_share_makes_the_roll_and_play_goes_on_at_once(self, session: SessionController) -> None:
        at, trust, uid = session.question_number, session.history.trust, session.settings["uid"]
        key, head = f"{uid} {at}", session.history.seq
        nonce = session.archive.secret(key)
        session.share(at, "nva", SHARE)
        rows = session.archive.rows(session.info.id, head)
        assert [(row.kind, row.body.get("step")) for row in rows[:3]] == [
            ("trust", "share"),
            ("trust", "reveal"),
            ("reply", None),
        ]
        expected = chance_reply(trust.commits[at]["of"], NumberStream(nonce, {"nva": SHARE}, uid, at))
        assert (rows[2].body["value"], rows[2].body["source"]) == (expected, "trusted")
        assert session.archive.secret(key) == ""  # it is in the log now
        assert verified(session).misfit is None

    def test_a_draw_too(self, archive: Archive) -> None:
        session = begin(archive)
        play_to_roll(session, Random(2), rolls=40)
        kinds = {roll.of["kind"] for roll in verified(session).rolls}
        assert kinds == {"roll", "draw"} and verified(session).misfit is None

    def test_a_share_sent_again_does_nothing(self, session: SessionController) -> None:
        at = session.question_number
        session.share(at, "nva", SHARE)
        before = rows_of(session)
        assert session.share(at, "nva", SHARE).repeated
        with pytest.raises(WrongShare, match="another share"):
            session.share(at, "nva", "cd" * 32)
        assert rows_of(session) == before

    @pytest.mark.parametrize("share", [("", "nva", SHARE), ("9.9", "nva", SHARE)])
    def test_a_share_for_another_question_is_stale(self, session: SessionController, share: tuple[str, str, str]) -> None:
        with pytest.raises(SessionMoved, match="waits for no share"):
            session.share(*share)

    def test_a_share_of_another_seat_or_none(self, session: SessionController) -> None:
        at, before = session.question_number, rows_of(session)
        with pytest.raises(WrongShare, match="no share of us"):
            session.share(at, "us", SHARE)
        for nonce in ("", "6", SHARE.upper(), SHARE + "0"):
            with pytest.raises(Unreadable, match="64 hexadecimal"):
                session.share(at, "nva", nonce)
        assert rows_of(session) == before

    def test_without_trusted_dice_there_is_no_share(self, archive: Archive) -> None:
        with pytest.raises(Unreadable, match="no trusted dice"):
            SessionController.create(archive, "lzalbany", "", {"map": "practice"}).share("1.1", "nva", SHARE)


class TestHost:
    def test_it_is_restarted_between_commitment_and_share(self, session: SessionController) -> None:
        """Another process with the archive reveals."""
        again = SessionController.open(Archive.open(session.archive.path), session.info)
        again.share(again.question_number, "nva", SHARE)
        assert verified(again).misfit is None

    def test_two_processes_commit_once(self, archive: Archive) -> None:
        """Both have come to the same roll: the second writes nothing."""
        steps = play_to_roll(begin(archive), Random(3), shares=False)
        one, numbers = begin(archive), Random(3)
        play_to_roll(one, numbers, shares=False, steps=steps - 1)
        two, same = SessionController.open(Archive.open(archive.path), one.info), Random()
        same.setstate(numbers.getstate())
        assert one.question_number and not one.waits_for
        play_to_roll(one, numbers, shares=False)
        play_to_roll(two, same, shares=False)
        assert one.waits_for == two.waits_for == ("nva",) and one.question_number == two.question_number
        assert sum(row.body.get("step") == "commit" for row in two.archive.rows(two.info.id)) == 1

    def test_a_second_commitment_is_impossible_in_the_file(self, session: SessionController) -> None:
        batch = session.log.new_batch()
        batch.trust(session.pending_entry, session.question_number, "commit", "us", "0" * 64, of={"kind": "roll"})
        with pytest.raises(BadData):
            session.log.commit(batch)

    def test_shares_of_two_processes_at_once_roll_once(self, session: SessionController) -> None:
        at = session.question_number
        other = SessionController.open(Archive.open(session.archive.path), session.info)
        assert other.question_number == at
        session.share(at, "nva", SHARE)
        with pytest.raises(WrongShare):
            other.share(at, "nva", "cd" * 32)
        assert sum(row.body.get("step") == "reveal" for row in session.archive.rows(session.info.id)) == 1

    def test_a_nonce_that_is_not_in_the_archive(self, session: SessionController) -> None:
        session.archive._write(lambda: session.archive._db.execute("DELETE FROM state WHERE key LIKE 'nonce %'"))
        before = rows_of(session)
        with pytest.raises(BadData, match="not in this archive"):
            session.share(session.question_number, "nva", SHARE)
        assert rows_of(session) == before

    @pytest.mark.slow
    @pytest.mark.skipif(sys.platform == "win32", reason="kills a process")
    def test_kill_at_each_write(self, tmp_path: Path) -> None:
        """At each statement of a commitment and of a share: all of a transaction is there, or none, and play goes on."""
        steps = play_to_roll(begin(Archive.open(os.fspath(tmp_path / "trial.sqlite3"))), Random(3), shares=False)
        before, numbers = os.fspath(tmp_path / "before.sqlite3"), Random(3)
        with Archive.open(before) as archive:
            play_to_roll(begin(archive), numbers, shares=False, steps=steps - 1)
        outcomes, is_killed = [], True
        for point in itertools.count():
            path = os.fspath(tmp_path / f"{point}.sqlite3")
            shutil.copy(before, path)
            is_killed = killed_at(point, path, numbers.getstate())
            with Archive.open(path) as archive:
                session = SessionController.open(archive)
                outcomes.append(tuple(step for kind, step in rows_of(session) if kind == "trust"))
                assert session.waits_for == (("nva",) if outcomes[-1] == ("commit",) else ())
                assert verified(session).misfit is None
                play_to_roll(session, Random(3), shares=False)
                give_share(session, Random(4))
                assert verified(session).misfit is None
            if not is_killed:
                break
        steps_seen = list(dict.fromkeys(outcomes))  # in this order: nothing is lost again later
        assert steps_seen == [(), ("commit",), ("commit", "share", "reveal")]
        assert outcomes == sorted(outcomes, key=steps_seen.index) and len(outcomes) > 10


def killed_at(point: int, path: str, numbers: Any) -> bool:
    """Make the last step to a trusted roll and send its share in a process that is killed at a statement; False if it ended.

    Args:
        point: The number of the statement before which it is killed. Those of triggers are one with theirs.
    """
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) in (0, -signal.SIGKILL)
        return os.WIFSIGNALED(status)
    try:
        session, left, last = SessionController.open(Archive.open(path)), point, ""

        def count(sql: str) -> None:
            nonlocal left, last
            left, last = left - (sql != last), sql
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

        same = Random()
        same.setstate(numbers)
        session.archive._db.set_trace_callback(count)
        play_to_roll(session, same, shares=False)
        give_share(session, same)
        os._exit(0)
    finally:
        os._exit(1)


class TestConsent:
    @pytest.fixture
    def rolled(self, archive: Archive) -> SessionController:
        """A session in which several rolls are made and another one waits."""
        session = begin(archive)
        play_to_roll(session, Random(2), rolls=8)
        return session

    def test_undo_across_a_roll_asks_the_other_seat(self, rolled: SessionController) -> None:
        force, at = list(rolled.history.force), rolled.question_number
        with pytest.raises(ConsentPending, match="NVA is asked first") as asked:
            rolled.undo()
        assert asked.value.exit_code == 3
        assert (rolled.history.force, rolled.question_number) == (force, at)
        with pytest.raises(ConsentPending):
            rolled.undo()  # asked once
        assert sum(step == "ask" for _, step in rows_of(rolled)) == 1
        result = rolled.consent("nva", True)
        assert result.fix is not None and rolled.history.force == force[:-1]
        assert open_ask(rolled) is None and verified(rolled).misfit is None

    def test_refused(self, rolled: SessionController) -> None:
        force = list(rolled.history.force)
        with pytest.raises(ConsentPending):
            rolled.undo()
        rolled.consent("nva", False)
        assert rolled.history.force == force and open_ask(rolled) is None
        with pytest.raises(Unreadable, match="nothing waits"):
            rolled.consent("nva", True)
        assert verified(rolled).misfit is None

    def test_nobody_allows_what_it_asks_itself(self, rolled: SessionController) -> None:
        with pytest.raises(ConsentPending):
            rolled.undo()
        with pytest.raises(Unreadable, match="us is not asked"):
            rolled.consent("us", True)

    def test_the_other_seat_asks_too(self, rolled: SessionController) -> None:
        rolled.seat = "nva"
        with pytest.raises(ConsentPending, match="US is asked first"):
            rolled.undo()
        rolled.consent("us", True)
        assert verified(rolled).misfit is None

    def test_play_that_goes_on_makes_it_void(self, rolled: SessionController) -> None:
        with pytest.raises(ConsentPending):
            rolled.undo()
        give_share(rolled, Random(9))
        with pytest.raises(Unreadable, match="nothing waits"):
            rolled.consent("nva", True)
        assert verified(rolled).misfit is None

    def test_redo_and_an_undo_to_a_point(self, rolled: SessionController) -> None:
        force = list(rolled.history.force)
        with pytest.raises(ConsentPending):
            rolled.undo_to(force[1])
        rolled.consent("nva", True)
        with pytest.raises(ConsentPending, match="asked first"):
            rolled.redo()
        rolled.consent("nva", True)
        assert rolled.history.force == force and verified(rolled).misfit is None
        give_share(rolled, Random(9))  # the roll that waited waits again, with its first commitment
        assert verified(rolled).misfit is None

    def test_abort_of_an_action_whose_roll_waits(self, session: SessionController) -> None:
        """A commitment that is left behind could be a roll that the host did not like."""
        with pytest.raises(ConsentPending):
            session.abort()
        session.consent("nva", True)
        play_to_roll(session, Random(8), rolls=2)
        assert verified(session).misfit is None

    def test_amend_across_a_roll(self, rolled: SessionController) -> None:
        """Whoever knows the dice would answer otherwise, even if they stay: the other seat is asked."""
        entry = next(
            entry
            for entry in reversed(rolled.history.in_force)
            if entry.has_random_reply and any(reply.is_from_player for reply in entry.replies[:-1])
        )
        place = next(number for number, reply in enumerate(entry.replies, 1) if reply.is_from_player)
        with pytest.raises(ConsentPending):
            rolled.amend(entry.number, place, str(entry.replies[place - 1].value))
            other = next(iter(_other_answers(rolled, entry.number, place)))
            rolled.amend(entry.number, place, other)
        rolled.consent("nva", True)
        assert verified(rolled).misfit is None

    def test_a_trusted_roll_cannot_be_amended(self, rolled: SessionController) -> None:
        entry = next(entry for entry in rolled.history.in_force if entry.has_random_reply)
        place = next(number for number, reply in enumerate(entry.replies, 1) if reply.source == "trusted")
        with pytest.raises(Impossible, match="nobody types"):
            rolled.amend(entry.number, place, "6")

    def test_without_a_roll_nobody_is_asked(self, archive: Archive) -> None:
        session = begin(archive)
        session.do("deploy")
        session.undo()
        session.redo()
        assert verified(session).misfit is None


def _other_answers(session: SessionController, number: int, place: int) -> list[str]:
    from companion.session.corrections import question_at

    request = question_at(session, number, place)
    assert request is not None
    old = str(session.history.entries[number].replies[place - 1].value)
    return [choice.value for choice in request.legal_choices() if choice.value != old]
