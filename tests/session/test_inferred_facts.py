"""What play has shown of the map is remembered as learnt, and forgotten with the entry that showed it."""

from __future__ import annotations

import pytest

from companion.core.resolver import Answers
from companion.session.controller import SessionController
from companion.session.store import Archive


@pytest.fixture
def session(archive: Archive, tiny_game: str) -> SessionController:
    return SessionController.create(archive, "tiny", seed="7")


def told(archive: Archive) -> tuple[dict[str, str], set[str]]:
    return archive.printed("tiny"), archive.inferred_facts("tiny")


def roam(session: SessionController, *keyed: tuple[str, str]) -> None:
    session.do("roam", Answers(list(keyed)))


PATH = "path:camp/ford"


class TestLearnt:
    def test_inferred_fact_is_stored(self, session: SessionController, archive: Archive) -> None:
        roam(session, ("to", "ford"), ("how", "steep"))
        assert told(archive) == ({PATH: "steep"}, {PATH})
        (lesson,) = [reply for reply in session.history.in_force[-1].replies if reply.kind == "learn"]
        assert (lesson.key, lesson.value, lesson.source) == (f"learn {PATH}", "steep", "learnt")
        assert archive._read("SELECT key, value, source FROM v_printed") == [(PATH, "steep", "learnt")]

    def test_undo_retracts_and_redo_restores(self, session: SessionController, archive: Archive) -> None:
        roam(session, ("to", "ford"), ("how", "steep"))
        session.undo()
        assert told(archive) == ({}, set())
        session.redo()
        assert told(archive) == ({PATH: "steep"}, {PATH})

    def test_undo_reply_retracts(self, session: SessionController, archive: Archive) -> None:
        roam(session, ("to", "ford"), ("how", "steep"))
        session.undo_reply()
        assert told(archive) == ({}, set())
        session.answer(Answers([("how", "easy")]))
        assert told(archive) == ({PATH: "easy"}, {PATH})

    def test_amend_infers_again(self, session: SessionController, archive: Archive) -> None:
        roam(session, ("to", "ford"), ("how", "steep"))
        entry = session.history.force[-1]
        session.amend(entry, [reply.key for reply in session.history.entries[entry].replies].index("how") + 1, "easy")
        assert told(archive) == ({PATH: "easy"}, {PATH})
        session.undo()  # the entry stands as it was before it was amended
        assert told(archive) == ({PATH: "steep"}, {PATH})

    def test_undo_keeps_a_told_fact(self, session: SessionController, archive: Archive) -> None:
        roam(session, ("to", "ford"), ("how", "steep"))
        archive.record_facts("tiny", {PATH: "steep"})
        assert told(archive) == ({PATH: "steep"}, set())
        session.undo()
        assert told(archive) == ({PATH: "steep"}, set())

    def test_undo_restores_the_earlier_told_fact(self, session: SessionController, archive: Archive) -> None:
        archive.record_facts("tiny", {PATH: "easy"})
        archive.record_facts("tiny", {PATH: ""})
        roam(session, ("to", "ford"), ("how", "steep"))
        session.undo()
        assert told(archive) == ({}, set())

    def test_undo_to_the_start_retracts_all(self, session: SessionController, archive: Archive) -> None:
        roam(session, ("to", "ford"), ("how", "steep"))
        roam(session, ("to", "hill-1"), ("how", "easy"))
        assert told(archive)[1] == {PATH, "path:ford/hill-1"}
        session.undo(2)
        assert told(archive) == ({}, set())
        session.redo()
        assert told(archive)[1] == {PATH, "path:ford/hill-1"}

    def test_told_fact_overrides_the_inferred_one(self, session: SessionController, archive: Archive) -> None:
        roam(session, ("to", "ford"), ("how", "steep"))
        archive.record_facts("tiny", {PATH: "easy"})
        session.undo()
        session.redo()
        assert told(archive) == ({PATH: "easy"}, set())

    def test_fact_told_at_the_open_question_is_not_overridden(self, session: SessionController, archive: Archive) -> None:
        roam(session, ("to", "ford"))
        archive.record_facts("tiny", {PATH: "easy"})
        session.answer(Answers([("how", "steep")]))
        assert told(archive) == ({PATH: "easy"}, set())

    def test_undo_in_a_branch_keeps_facts_of_the_session(self, session: SessionController, archive: Archive) -> None:
        roam(session, ("to", "ford"), ("how", "steep"))
        branch = SessionController.open(archive, archive.branch(session.info))
        branch.undo()
        assert told(archive) == ({PATH: "steep"}, {PATH})
        session.undo()
        assert told(archive) == ({}, set())

    def test_two_sessions_infer_different_facts(self, session: SessionController, archive: Archive, tiny_game: str) -> None:
        roam(session, ("to", "ford"), ("how", "steep"))
        session.undo()
        other = SessionController.create(archive, "tiny", seed="8")
        roam(other, ("to", "ford"), ("how", "easy"))
        session.redo()
        session.undo()
        assert told(archive) == ({PATH: "easy"}, {PATH})
