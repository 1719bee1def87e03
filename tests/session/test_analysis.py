"""What was computed about the entries of a session is found again as long as nothing has changed that it depends on."""

from __future__ import annotations

import json
import multiprocessing
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.cli.repl.following import Follower
from companion.core.errors import BadData, CompanionError
from companion.core.review_playouts import ReviewedEntry
from companion.session import analysis, database, review
from companion.session.analysis import AnalysisCache
from companion.session.controller import Answers, SessionController
from companion.session.inquiry import SessionViewer
from companion.session.state import SessionState
from companion.session.store import Archive
from tests.session.test_damaged_rows import odd_json
from tests.support.commands import companion
from tests.support.kept_review import decision, keep_review
from tests.support.reviewed import reviewed_game

FORK = multiprocessing.get_context("fork")


@pytest.fixture
def session(archive: Archive, tiny_game: str) -> SessionController:
    made = SessionController.create(archive, "tiny", seed="7", name="april")
    made.do("march", Answers([("unit", "Red"), ("to", "ford")], dice=[6]))
    made.do("search", Answers(draws=["Gold"], dice=[6]))
    made.do("rest")
    return made


def story(session: SessionState) -> list[list[Any]]:
    """The result of each entry in force, as a computation from scratch has it: it depends on all of the play before."""
    told: list[list[Any]] = []
    for entry in session.history.in_force:
        told.append([entry.number, [[reply.key, reply.value] for reply in entry.replies], len(told) and hash(str(told[-1]))])
    return told


def computed(session: SessionState, level: str = "normal", write: bool = True, parts: tuple[object, ...] = ()) -> list[int]:
    """The entries in force whose result was not found and is computed; what was found is that of a computation."""
    cache, missing = AnalysisCache(session, "review", level, parts), []
    for entry, result in zip(session.history.in_force, story(session), strict=True):
        key = cache.pass_entry(entry)
        if (found := cache.find(key)) is None:
            missing.append(entry.number)
            cache.add(key, entry.number, result)
            assert cache.find(key) == result
        else:
            assert found == result
    if write:
        cache.write()
    return missing


def test_each_entry_is_computed_once(session: SessionController) -> None:
    assert computed(session) == [1, 2, 3, 4]
    assert computed(session) == []
    session.do("rest")
    assert computed(SessionState.open(session.archive)) == [5]


def test_redo_finds_the_results_from_before_the_undo(session: SessionController) -> None:
    computed(session)
    session.undo(2)
    session.do("search", Answers(draws=["Stone"]))
    assert computed(session) == [5]
    session.undo(1)
    session.redo()
    assert computed(session) == []


def test_what_was_amended_is_computed_again(session: SessionController) -> None:
    computed(session)
    session.amend(2, 3, "2")
    assert computed(session) == session.history.force[1:]


def test_kinds_levels_and_parts_are_kept_apart(session: SessionController) -> None:
    computed(session)
    assert len(computed(session, "deep")) == len(computed(session, parts=(64,))) == 4
    other = AnalysisCache(session, "luck", "normal")
    assert [other.find(other.pass_entry(entry)) for entry in session.history.in_force] == [None] * 4


def test_another_printed_fact_makes_another_key(session: SessionController) -> None:
    computed(session)
    assert companion("printed", "tiny", "set", "depth:north", "4").code == 0
    assert len(computed(session)) == 4


@pytest.mark.parametrize("what", ["program", "rules", "tables"])
def test_other_rules_make_another_key(
    session: SessionController, what: str, monkeypatch: pytest.MonkeyPatch, tmp_path: os.PathLike[str]
) -> None:
    computed(session)
    file = os.path.join(tmp_path, "changed")
    with open(file, "w", encoding="utf-8") as out:
        out.write("changed")
    if what == "program":
        monkeypatch.setattr(analysis, "__version__", "99")
    elif what == "rules":
        monkeypatch.setattr(analysis, "_files", lambda module: [file])
    else:
        monkeypatch.setattr(analysis, "_table_files", lambda game_id: [file])
    assert len(computed(session)) == 4


def test_rules_and_tables_are_read(session: SessionController) -> None:
    rules = list(analysis._files(__import__("sys").modules[session.game.package]))
    tables = analysis._table_files("tiny")
    assert [os.path.basename(path) for path in rules] == ["tiny.py"]
    assert "game.toml" in {os.path.basename(path) for path in tables}


def test_a_crash_between_computing_and_writing_loses_only_that(session: SessionController) -> None:
    computed(session, write=False)
    assert computed(session) == [1, 2, 3, 4]


def test_ctrl_c_while_writing_keeps_it_for_the_next_call(session: SessionController, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = AnalysisCache(session, "review", "normal")
    entry = session.history.in_force[0]
    key = cache.pass_entry(entry)
    cache.add(key, entry.number, 1)

    def interrupted(path: str, was: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(database, "check_in_place", interrupted)
        cache.write()
    assert session.archive._read("SELECT * FROM analysis") == []
    cache.write()
    assert session.archive._read("SELECT entry, key, data FROM analysis") == [(1, key, "1")]


@pytest.mark.parametrize("text", ["", "{", "[" * 50_000, "1 2", "\x00", b"\xff", "9" * 5_000])
def test_a_damaged_row_is_computed_again(session: SessionController, text: str | bytes) -> None:
    computed(session)
    with closing(sqlite3.connect(session.archive.path, isolation_level=None)) as raw:
        raw.execute("UPDATE analysis SET data = CAST(? AS TEXT) WHERE entry = 2", (text,))
    assert computed(session) == [2]
    assert computed(session) == []


def test_texts_of_a_foreign_archive_move_no_cursor(session: SessionController) -> None:
    cache = AnalysisCache(session, "review", "normal")
    key = cache.pass_entry(session.history.in_force[0])
    cache.add(key, 1, {"a\x1b[2J": ["one\ntwo « three", "\x9b31m", 1, 0.5, None, True]})
    cache.write()
    reading = AnalysisCache(session, "review", "normal")
    assert reading.find(reading.pass_entry(session.history.in_force[0])) == {
        "a [2J": ["one\ntwo « three", " 31m", 1, 0.5, None, True]
    }


def test_a_result_that_is_too_large_is_not_kept(session: SessionController, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.core.limits.ANALYSIS", 2)
    computed(session)
    assert session.archive._read("SELECT * FROM analysis") == []


def test_an_archive_in_memory_keeps_results(tiny_game: str) -> None:
    with Archive(database.IN_MEMORY, database.connect(database.IN_MEMORY)) as archive:
        session = SessionController.create(archive, "tiny", seed="7")
        assert (computed(session), computed(session)) == ([1], [])


@contextmanager
def locked(path: str) -> Iterator[None]:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


def test_an_archive_that_is_locked_or_cannot_be_written_is_no_error(
    session: SessionController, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = session.archive.path
    with locked(path):
        session.archive._db.execute("PRAGMA busy_timeout = 50")
        computed(session)
    session.archive._db.execute("PRAGMA query_only = ON")
    computed(session)
    with Archive(path, database.connect_read_only(path)) as follower:
        assert computed(SessionState.open(follower, "april")) == [1, 2, 3, 4]
    session.archive._db.execute("PRAGMA query_only = OFF")
    session.archive._db.execute(f"PRAGMA max_page_count = {session.archive._read('PRAGMA page_count')[0][0]}")
    cache = AnalysisCache(session, "review", "normal")
    for entry in session.history.in_force:
        cache.add(cache.pass_entry(entry), entry.number, "x" * 100_000)
    cache.write()
    assert session.archive._read("SELECT * FROM analysis") == []
    session.archive._db.execute("PRAGMA max_page_count = 1000000")
    cache.write()
    assert len(session.archive._read("SELECT * FROM analysis")) == 4


def test_a_table_that_cannot_be_read_is_no_error(session: SessionController) -> None:
    session.archive._db.execute("DROP TABLE analysis")
    assert computed(session) == [1, 2, 3, 4]


def _compute_in_child(path: str, barrier: Any) -> None:
    with Archive.open(path) as archive:
        session = SessionState.open(archive)
        barrier.wait()
        for level in ("quick", "normal", "deep") * 5:
            archive._db.execute("DELETE FROM analysis WHERE level = ?", (level,))
            computed(session, level)


def test_two_processes_write_at_once(session: SessionController) -> None:
    """Whatever the other has written or deleted in between: what is found is right, and play goes on."""
    barrier = FORK.Barrier(3)
    children = [FORK.Process(target=_compute_in_child, args=(session.archive.path, barrier)) for _ in range(2)]
    for child in children:
        child.start()
    barrier.wait()
    for _ in range(10):
        session.do("rest")
    for child in children:
        child.join(60)
    assert [child.exitcode for child in children] == [0, 0]
    assert computed(session, "deep")[-10:] == session.history.force[-10:]
    assert companion("doctor").code == 0


def test_a_follower_is_not_woken_by_results(session: SessionController) -> None:
    """A review writes every few seconds; `watch` draws nothing again, and neither does the prompt of the session."""
    follower = Follower(session)
    with closing(SessionViewer(session.archive.path, "april")) as viewer, Archive.open(session.archive.path) as other:
        reviewing = SessionController.open(other, "april")
        assert viewer.poll() is not None
        computed(reviewing)
        assert viewer.poll() is None and not follower.poll()
        reviewing.do("rest")
        assert viewer.poll() is not None and follower.poll()


def test_a_branch_has_the_results_of_its_original(session: SessionController) -> None:
    computed(session)
    with Archive.open(session.archive.path) as archive:
        copy = archive.branch(session.info)
        assert computed(SessionState.open(archive, copy)) == []


def test_backup_keeps_it_and_bundle_does_not(session: SessionController, tmp_path: os.PathLike[str]) -> None:
    computed(session)
    copy, document = os.path.join(tmp_path, "copy.sqlite3"), os.path.join(tmp_path, "document.json")
    assert companion("backup", copy).code == companion("bundle", document).code == 0
    with Archive.open(copy) as archive:
        assert computed(SessionState.open(archive, "april")) == []
    other = os.path.join(tmp_path, "other.sqlite3")
    assert companion("bundle", "--restore", document, "--db", other).code == 0
    with Archive.open(other) as archive:
        assert computed(SessionState.open(archive, "april")) == [1, 2, 3, 4]


def test_doctor_drops_damaged_rows(session: SessionController, tmp_path: os.PathLike[str]) -> None:
    """They are no damage to the game; what is rescued does without."""
    computed(session)
    rescued = os.path.join(tmp_path, "rescued.sqlite3")
    with closing(sqlite3.connect(session.archive.path, isolation_level=None)) as raw:
        raw.execute("UPDATE analysis SET data = '{', session_id = 99 WHERE entry = 2")
    assert companion("doctor").code == companion("doctor", "--repair", rescued).code == 0
    with Archive.open(rescued) as archive:
        assert archive._read("SELECT * FROM analysis") == []
    session.archive._db.execute("DROP TABLE analysis")
    assert "The table 'analysis' is missing" in companion("doctor").out


def test_a_lost_archive_is_no_error(session: SessionController) -> None:
    cache = AnalysisCache(session, "review", "normal")
    entry = session.history.in_force[0]
    cache.add(cache.pass_entry(entry), entry.number, 1)
    os.rename(session.archive.path, session.archive.path + ".away")
    with pytest.raises(BadData):
        session.archive.require_in_place()
    cache.write()


MOVES = st.lists(
    st.sampled_from(["march", "rest", "search", "fight", "reply", "undo", "redo", "amend", "adjust", "compute", "fact"]),
    min_size=5,
    max_size=25,
)


@pytest.mark.slow
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moves=MOVES, chance=st.randoms(use_true_random=False))
def test_what_is_found_is_what_would_be_computed(tiny_game: str, moves: list[str], chance: Random) -> None:
    """Whatever was undone, redone and amended in between; what was computed last is found, unless a printed fact has changed."""
    with Archive(database.IN_MEMORY, database.connect(database.IN_MEMORY)) as archive:
        session = SessionController.create(archive, "tiny", seed="7")
        for move in moves:
            with suppress(CompanionError):
                _make(session, move, chance)
        computed(session)
        force = list(session.history.force)
        assert computed(SessionState.open(archive)) == []
        with suppress(CompanionError):
            session.undo(2)
            session.redo()
            assert session.history.force != force or computed(session) == []


def _make(session: SessionController, move: str, chance: Random) -> None:
    if move == "march":
        session.do(
            "march", Answers([("unit", chance.choice(["Red", "Blue"])), ("to", chance.choice(["ford", "camp"]))], dice=[6])
        )
    elif move in ("rest", "search", "fight"):
        answers = {"rest": Answers(), "search": Answers(draws=["Gold"], dice=[3]), "fight": Answers([("unit", "Blue")])}
        session.do(move, answers[move])
    elif move == "reply":
        session.answer(Answers(accept=True))
    elif move == "undo":
        session.undo(chance.randint(1, 3))
    elif move == "redo":
        session.redo()
    elif move == "amend":
        session.amend(chance.choice(session.history.force), chance.randint(1, 3), chance.choice(["1", "2", "ford", "Red"]))
    elif move == "adjust":
        session.adjust([("supply", str(chance.randint(0, 9)))], "seen")
    elif move == "fact":
        session.archive.record_facts("tiny", {"depth:north": str(chance.randint(1, 4))})
    else:
        computed(session, write=chance.random() < 0.7)


def test_a_kept_review_reads_as_it_was() -> None:
    for one in reviewed_game().decisions:
        whole = ReviewedEntry(one.turn, None, (), (one,))
        data = json.loads(json.dumps(review._data(whole, 25.0)))
        assert review._read(one.entry, data, 6) == whole


def test_a_damaged_review_is_made_again(session: SessionController) -> None:
    """Whatever was replaced in its JSON: no command fails, and figures that are not there for each world are computed again."""
    first = review.session_review(session, "quick")
    archive = session.archive
    rows = archive._read("SELECT entry, data FROM analysis WHERE kind = 'review'")
    assert len(rows) == 3
    for seed in range(40):
        chance = Random(seed)
        entry, data = chance.choice(rows)
        damaged = json.loads(data)
        damaged["decisions"] = [review._decision_data(chance.choice(reviewed_game().decisions), 25.0)]
        odd = json.dumps(odd_json(damaged, chance))
        archive._write(lambda values=(odd, entry): archive._db.execute("UPDATE analysis SET data = ? WHERE entry = ?", values))
        review.session_review(session, "quick").accuracies()
        archive._write(lambda values=(data, entry): archive._db.execute("UPDATE analysis SET data = ? WHERE entry = ?", values))
    assert review.session_review(session, "quick") == first


def test_the_progress_of_a_review_moves_within_an_action(session: SessionController) -> None:
    shown: list[tuple[int, int]] = []
    session.watch = lambda progress: shown.append((progress.done, progress.total))
    review.session_review(session, "quick")

    done = [now for now, _ in shown]
    assert all(total == 300 for _, total in shown) and done[-1] == 300  # three actions
    assert done == sorted(done) and sum(now % 100 > 0 for now in done) > 6


def test_a_review_of_a_seat_uses_that_of_all(session: SessionController) -> None:
    """And leaves it in the archive: of each action one review of a level is kept."""
    decisions = [
        one._replace(entry=2, turn=0, seat=seat)
        for one, seat in zip(reviewed_game().decisions, ("player", "other"), strict=False)
    ]
    played = list(review.played_entries(session))
    whole = review._Kept(session, "quick", "", 3)
    whole.keep(played[0], ReviewedEntry(0, None, (), tuple(decisions)))
    whole.write()
    one_seat = review._Kept(session, "quick", "player", 3)
    found = one_seat.known(played[0])
    assert found is not None and found.decisions == (decisions[0],) and one_seat.known(played[1]) is None
    one_seat.keep(played[1], ReviewedEntry(0, None, (), (decisions[0],)))
    one_seat.write()
    assert [kept.known(played[1]) is None for kept in (one_seat, review._Kept(session, "quick", "", 3))] == [False, True]


def test_a_branch_is_reviewed_in_its_own_worlds(session: SessionController) -> None:
    """Points of one game are compared in common worlds, which follow from the seed."""
    review.session_review(session, "quick")
    with Archive.open(session.archive.path) as archive:
        copy = SessionState.open(archive, archive.branch(session.info))
        kept = review._Kept(copy, "quick", "", 3)
        assert [kept.known(entry) for entry in review.played_entries(copy)] == [None] * 3


class TestReviewedDecisions:
    """The view of decisions has the figures of a review beside them."""

    def rows(self, session: SessionController, columns: str = "entry, reply, level, loss", where: str = "1") -> list[Any]:
        with closing(sqlite3.connect(session.archive.path)) as raw:
            return raw.execute(f"SELECT {columns} FROM v_decisions WHERE {where}").fetchall()

    def test_without_a_review_they_are_null(self, session: SessionController) -> None:
        assert self.rows(session) == [(2, 1, None, None), (2, 2, None, None)]

    def test_figures_of_an_answer_and_of_an_action(self, session: SessionController) -> None:
        no_win = decision(1, 1.0, win_loss=None)
        keep_review(session, "normal", {2: [decision(0, 3.0), no_win], 4: [decision(0, 2.0)]})
        figures = "entry, reply, key, kind, value, loss, loss_error, win_loss, win_loss_error, grade, best"
        assert self.rows(session, figures) == [
            (2, 0, "action", "action", "march", 3.0, 0.5, 0.3, 0.05, "blunder", "b"),
            (2, 1, "unit", "pick", "Red", 1.0, 0.5, None, None, "good", "b"),
            (2, 2, "to", "text", "ford", None, None, None, None, None, None),
            (4, 0, "action", "action", "rest", 2.0, 0.5, 0.2, 0.05, "good", "b"),
        ]
        ((source, rule, anyway, in_force, at),) = self.rows(session, "source, rule, anyway, in_force, at", "entry = 4")
        assert (source, rule, anyway, in_force, at[:2]) == (None, "4.1", 0, 1, "20")

    def test_decisions_of_companion_are_not_shown(self, session: SessionController) -> None:
        keep_review(session, "normal", {4: [decision(0, 2.0, by_person=False)]})
        assert self.rows(session, where="entry = 4") == []

    def test_the_deepest_level_counts(self, session: SessionController) -> None:
        for level, loss in (("deep", 3.0), ("quick", 1.0), ("normal", 2.0)):
            keep_review(session, level, {2: [decision(1, loss)]})
        assert self.rows(session, where="level IS NOT NULL") == [(2, 1, "deep", 3.0)]
        session.archive._write(lambda: session.archive._db.execute("DELETE FROM analysis WHERE level = 'deep'"))
        assert self.rows(session, where="level IS NOT NULL") == [(2, 1, "normal", 2.0)]
        keep_review(session, "normal", {2: [decision(2, 4.0)]})
        assert self.rows(session) == [(2, 1, "quick", 1.0), (2, 2, "normal", 4.0)]

    def test_what_was_undone_has_none_until_it_is_redone(self, session: SessionController) -> None:
        keep_review(session, "normal", {2: [decision(0, 3.0), decision(1, 1.0)]})
        before = self.rows(session)
        session.undo(3)
        assert self.rows(session) == [(2, 1, None, None), (2, 2, None, None)]
        session.redo()
        assert self.rows(session) == before

    def test_a_branch_has_its_own(self, session: SessionController) -> None:
        keep_review(session, "normal", {2: [decision(1, 1.0)]})
        with Archive.open(session.archive.path) as archive:
            archive.branch(session.info, "other")
        session.archive._write(lambda: session.archive._db.execute("DELETE FROM analysis WHERE session_id = 1"))
        assert self.rows(session, "session, loss", "reply = 1") == [("april", None), ("other", 1.0)]

    @pytest.mark.parametrize(
        "data",
        ["", "{", "[1]", '{"decisions": 1}', '{"decisions": [1, "x", null, [], {}, {"reply": "1"}, {"reply": 1, "loss": "x"}]}'],
    )
    def test_damaged_data_is_left_out(self, session: SessionController, data: str) -> None:
        values = (session.info.id, data)
        session.archive._write(
            lambda: session.archive._db.execute("INSERT INTO analysis VALUES (?, 'review', 2, 'deep', 'k', ?)", values)
        )
        assert [row[:2] for row in self.rows(session)] == [(2, 1), (2, 2)]
        assert [row[3] for row in self.rows(session)] == [None, None]
