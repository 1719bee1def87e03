"""What all sessions came to: counted by hand for a few, with dates that stand still."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from pathlib import Path

import pytest
from freezegun import freeze_time

from companion.core.history import LogRow
from companion.core.statistics import trend
from companion.session.controller import Answers, SessionController
from companion.session.stats import played_tables, sql_script
from companion.session.store import Archive
from tests.support.commands import companion
from tests.support.connections import connected


def played(archive: Archive, name: str, rests: int, **options: str) -> None:
    """A game of the made-up game that ends with a supply of 8 and one more for each rest; two minutes an action, and a night."""
    with freeze_time("2026-03-01 20:00:00") as clock:
        session = SessionController.create(archive, "tiny", seed="7", name=name, options=options)
        for _ in range(rests):
            clock.tick(120)
            session.do("rest")
        clock.tick(36_000)
        session.do("march", Answers([("unit", "Red"), ("to", "camp")], dice=[6]))
        clock.tick(120)
        session.do("stop")


@pytest.fixture
def few(archive: Archive, tiny_game: str) -> Archive:
    played(archive, "one", 1)
    played(archive, "two", 3, length="long")
    played(archive, "three", 2)
    SessionController.create(archive, "tiny", seed="7", name="four")
    return archive


def test_sessions_are_counted(few: Archive) -> None:
    found = played_tables(few.path)

    (game,) = found["games"].data()
    assert (game["sessions"], game["finished"]) == (4, 3)
    assert [row["score"] for row in found["scores"].data()] == [8, 9, 10]
    assert found["options"].rows == (("tiny", "length", "long", 1, 10.0), ("tiny", "length", "short", 2, 8.5))
    assert {row["session"]: row["at_table"] for row in found["sessions"].data()} == {
        "one": 240,
        "two": 480,
        "three": 360,
        "four": 0,
    }


def test_clock_that_is_set_back_counts_as_no_time(archive: Archive, tiny_game: str) -> None:
    with freeze_time("2026-03-01 20:00:00") as clock:
        session = SessionController.create(archive, "tiny", seed="7", name="one")
        for seconds in (60, -7200, 60):
            clock.tick(seconds)
            session.do("rest")
        session.do("march", Answers([("unit", "Red")]))
        clock.tick(-3600)
        session.answer(Answers([("to", "camp")], dice=[6]))
    assert archive._read("SELECT at_table FROM v_sessions") == [(120,)]
    assert archive._read("SELECT min(seconds) FROM v_replies") == [(0,)]
    assert archive.wrong_summaries() == []
    assert "0 h 02 min" in companion("report").out


def test_pauses_are_not_playing_time(few: Archive) -> None:
    found = {row["session"]: row for row in played_tables(few.path)["scores"].data()}

    assert found["one"]["at_table"] == 240
    assert found["one"]["turns"] == 30
    assert found["one"]["ended"] == "2026-03-02T06:04:00Z"


def dice_counted(archive: Archive) -> dict[str, int]:
    """Who rolled -> the dice that the statistics count."""
    counts: Counter[str] = Counter()
    for _, who, _, dice in played_tables(archive.path)["dice"].rows:
        counts[who] += dice
    return dict(counts)


def march(session: SessionController, face: int) -> None:
    red = next(piece for piece in session.position.pieces.values() if piece.name == "Red")
    session.do("march", Answers([("unit", "Red"), ("to", "ford" if red.place == "camp" else "camp")], dice=[face]))


def test_a_roll_counts_once_whatever_branches_copy_it(archive: Archive, tiny_game: str) -> None:
    original = SessionController.create(archive, "tiny", seed="7", name="original")
    march(original, 6)
    branch = SessionController.open(archive, original.branch("branch"))
    march(branch, 5)
    of_branch = SessionController.open(archive, branch.branch("of-branch"))
    archive.use(of_branch.info)
    SessionController.open(archive, original.branch("second"))
    march(of_branch, 4)
    march(original, 3)
    tables = played_tables(archive.path)

    assert sorted(face for *_, face, dice in tables["dice"].rows for _ in range(dice)) == [3, 4, 5, 6]
    (game,) = tables["games"].data()
    assert (game["sessions"], game["finished"]) == (1, 0)
    assert len(tables["sessions"].rows) == 4


def test_a_roll_taken_back_where_it_was_made_counts_in_the_branch(archive: Archive, tiny_game: str) -> None:
    original = SessionController.create(archive, "tiny", seed="7", name="original")
    march(original, 6)
    branch = SessionController.open(archive, original.branch("branch"))
    original.undo()
    assert dice_counted(archive) == {"player": 1}

    branch.undo()
    assert dice_counted(archive) == {}


def test_a_corrected_action_of_a_branch_adds_no_roll(archive: Archive, tiny_game: str) -> None:
    original = SessionController.create(archive, "tiny", seed="7", name="original")
    march(original, 6)
    branch = SessionController.open(archive, original.branch("branch"))
    for face in ("5", "4"):
        entry = branch.history.in_force[-1]
        number = next(n for n, reply in enumerate(entry.replies, 1) if reply.kind == "roll")
        branch.amend(entry.number, number, face)

    assert [row[2:] for row in played_tables(archive.path)["dice"].rows] == [(6, 1)]


def test_dice_that_select_one_of_several_are_counted_apart(archive: Archive, tiny_game: str) -> None:
    """Those of the questions that a game declares, in a game alone as in one with branches; others stay."""
    sessions = [SessionController.create(archive, "tiny", seed="7", name=name) for name in ("alone", "original")]
    for session in sessions:
        march(session, 6)
    (key,) = {reply.key for entry in sessions[0].history.in_force for reply in entry.replies if reply.kind == "roll"}
    SessionController.open(archive, sessions[1].branch("branch"))

    def counted(apart: dict[str, list[str]]) -> list[tuple[int, int]]:
        return [row[2:] for row in played_tables(archive.path, apart=apart)["dice"].rows]

    assert counted({}) == counted({"tiny": ["another"]}) == counted({"lzalbany": [key]}) == [(6, 2)]
    assert counted({"tiny": [key]}) == []


def test_of_a_game_and_its_branches_one_result_counts(few: Archive) -> None:
    SessionController.open(few, SessionController.open(few, "one").branch("copy"))
    tried = SessionController.open(few, SessionController.open(few, "four").branch("tried"))
    march(tried, 6)
    tried.do("stop")

    assert {row["session"] for row in played_tables(few.path)["scores"].data()} == {"one", "two", "three", "tried"}
    assert played_tables(few.path)["games"].data()[0]["sessions"] == 4
    assert companion("stats").out.startswith("4 games, 4 finished. 2 branches not counted.\n")
    assert "2 branches not counted" in companion("stats", "--details").out


def test_results_have_shares(few: Archive) -> None:
    out = companion("stats", "tiny", "--details").out

    assert "4 games, 3 finished" in out
    assert "100.0 %  44 to 100 %" in out
    assert "1 unfinished" in out
    assert all(len(row) <= 80 for row in out.splitlines())


def test_the_first_screen_has_no_statistics(few: Archive) -> None:
    out = companion("stats").out

    assert out.startswith("4 games, 3 finished.\n")
    assert re.search(r"^  tiny +4 +3 +0\.3 +9\.0 +10 +10$", out, re.M)
    assert re.search(r"^  rolled in, by +dice +1 +2 +3 +4 +5 +6 +mean\n  tiny, you +3 +0 +0 +0 +0 +0 +3 +6\.00\n", out, re.M)
    assert "too few dice to judge" in out
    assert not re.search(r"\+-|95 %|samples|\bp\b", out)
    assert all(len(row) <= 80 for row in out.splitlines())


def test_practice_games_are_found_and_never_mixed_with_the_own(archive: Archive, tiny_game: str) -> None:
    assert companion("practice", "tiny", "--seed", "3").code == 0
    alone = companion("stats")
    assert alone.out.startswith("1 practice game, none finished.\n")
    assert companion("stats", "--json").json["made_up"] is True

    SessionController.create(archive, "tiny", seed="7", name="own")
    both = companion("stats").out
    assert both.startswith("1 game, none finished.\n")
    assert "practice games are not counted here: companion stats --practice" in both
    assert companion("stats", "--practice").out == alone.out
    assert [row["session"] for row in companion("stats", "--json").json["tables"]["sessions"]] == ["own"]


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("stats", "1 practice game"),
        ("luck", "Luck: "),
        ("report --brief", "## The story"),
        ("log", "march"),
        ("summary", "Turn "),
        ("status", "Session made-up-1"),
    ],
)
def test_while_only_practice_games_exist_they_are_found(tiny_game: str, command: str, shown: str) -> None:
    assert companion("practice", "tiny", "--seed", "3").code == 0
    assert companion("do", "march", "red", "ford", "--dice", "6").code == 0
    found = companion(*command.split())

    assert (found.code, found.err) == (0, "")
    assert shown in found.out


def test_one_game_alone(few: Archive) -> None:
    assert companion("stats", "lzalbany").code == 1
    assert "no game of lzalbany was played yet" in companion("stats", "lzalbany").err


def test_printed_queries_run(few: Archive) -> None:
    with connected(few.path) as db:
        db.executescript(companion("stats", "tiny", "--sql").out)

    assert companion("stats", "--sql").out == sql_script()


def test_rows_for_a_spreadsheet_and_for_programs(few: Archive) -> None:
    rows = list(csv.DictReader(io.StringIO(companion("stats", "--csv").out)))
    data = companion("stats", "--json").json

    assert [row["session"] for row in rows] == [row["session"] for row in data["tables"]["sessions"]]
    assert data["scores"]["tiny"]["mean"] == 9
    assert [(one["who"], sum(one["counts"])) for one in data["dice"]] == [("player", 3)]


def test_comparison_with_simulated_games(few: Archive, tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    file.write_text("series,result,score\n" + "tiny day; player: random,good,4\ntiny day; player: random,good,12\n" * 5)
    told = companion("stats", "tiny", "--against", str(file), "--json").json["scores"]["tiny"]["simulated"]

    assert (told["games"], told["mean"], told["difference"], told["below"]) == (10, 8, 1, 0.5)
    assert "Your mean differs by +1.0" in companion("stats", "tiny", "--against", str(file)).out
    assert companion("stats", "--against", str(file)).code == 2
    assert companion("stats", "tiny", "--against", str(tmp_path / "none.db")).code == 2
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    assert companion("stats", "tiny", "--against", str(tmp_path / "other.csv")).code == 4


def test_sessions_of_newer_versions_are_reported_and_not_counted(few: Archive) -> None:
    one = few.session("one")
    last = few.rows(one.id)[-1].seq
    few.append(one.id, last, [LogRow(last + 1, "dream", 0, {"text": "x"}, "2026-03-03T00:00:00Z")])

    assert "written by a newer Companion: one" in companion("stats").out
    assert companion("luck", "one").code == 4


def test_a_plot_of_the_scores(few: Archive) -> None:
    assert "Scores of tiny" in companion("stats", "--plot").out


def test_no_archive_at_all(tiny_game: str) -> None:
    assert companion("stats").code == 2


def test_a_trend_has_its_error() -> None:
    """Worked out by hand: residues of 0.1, -0.3, 0.3 and -0.1."""
    assert trend([1, 2, 2, 3]) == (pytest.approx(0.6), pytest.approx((0.2 / 2 / 5) ** 0.5))
