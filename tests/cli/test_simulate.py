"""``companion simulate``: what it shows, its files, what it refuses, and what is kept of a run that is cut off."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.cli.commands import simulate
from companion.core import match
from companion.core.match import Match
from companion.core.policies import Players
from companion.session import game_rows, worker_pool
from companion.session.simulation import Series, SimulatedGame
from companion.session.state import USUAL, load_game
from companion.views.lines import plain_text
from companion.views.statistics import simulation_lines
from tests.cli.conftest import Run
from tests.support import tiny
from tests.support.commands import companion
from tests.support.connections import connected
from tests.support.written_rows import rows, table


@pytest.mark.parametrize(("option", "think"), [("level=normal", 1), ("level=hard", 1)])
def test_the_usual_budget_is_that_of_the_level(option: str, think: int) -> None:
    """The playouts of the normal level, whatever the level: it multiplies them in play."""
    assert simulate.SeriesOptions("", [option], [], USUAL).series(load_game("iraqwar2003"), "x").think == think


GAME = ("simulate", "tiny", "--policy", "random", "--seed", "s/1")


def test_what_is_shown_at_the_end(run: Run) -> None:
    out = run(*GAME, "--games", "40").stdout

    assert out.startswith("40 games, seed s/1\ntiny day; player: random; Companion ")
    assert "Results\n  good  " in out and " 95 %: " in out
    assert "Score: mean " in out and "quartiles " in out and "######" in out
    assert "Length  " in out and "decisions a second and core" in out
    assert max(map(len, out.splitlines())) <= 80


def test_the_same_as_data(run: Run) -> None:
    body = json.loads(run(*GAME, "--games", "40", "--json").stdout)

    assert (body["game"], body["seed"], body["games"], body["failed"], body["stopped"]) == ("tiny", "s/1", 40, 0, False)
    assert body["policies"] == {"player": "random"} and body["options"]["scenario"] == "day"
    assert sum(one["games"] for one in body["results"]) == sum(one["many"] for one in body["histogram"]) == 40
    assert all(one["low"] <= one["share"] <= one["high"] for one in body["results"])
    assert body["score"]["least"] <= body["score"]["median"] <= body["score"]["greatest"]


def test_mirrored_pairs_go_on_in_a_file(tmp_path: Path) -> None:
    """In three parts, of which one was played before: the strength is that of the whole."""
    words = ("simulate", "lzalbany", "--policy", "us=plain", "--policy", "nva=random", "--seed", "m", "--mirrored", "--json")
    out = ("--games", "6", "--out", os.fspath(tmp_path / "x.csv"))
    for part in ("1/2", "2/2"):
        companion(*words, *out, "--shard", part)
    parts, whole = companion(*words, *out).json, companion(*words, "--games", "6").json

    assert parts["mirrored"] and parts["strength"] == whole["strength"] and parts["results"] == whole["results"]
    assert (whole["strength"]["first"], whole["strength"]["second"], whole["strength"]["units"]) == ("plain", "random", 3)
    assert {(one["seat"], one["policy"]) for one in whole["times"]} == {("", "plain"), ("", "random")}


def test_a_row_a_game_as_text_and_in_a_table(run: Run, tmp_path: Path) -> None:
    text, base = tmp_path / "x.csv", tmp_path / "x.db"
    run(*GAME, "--games", "9", "--out", str(text))
    run(*GAME, "--games", "9", "--out", str(base))

    head = text.read_text().splitlines()[0]
    assert head == "index,seed,result,score,turns,decisions,seconds,supply,mood,turn,refused,opening,unused,series,error"
    assert [row["index"] for row in rows(text)] == [str(number) for number in range(1, 10)]
    texts = [{key: f"{value:g}" if key == "score" else str(value) for key, value in row.items()} for row in table(base)]
    assert texts == rows(text)


@pytest.mark.parametrize("kind", ["csv", "db"])
def test_parts_one_after_the_other_make_the_same_file(run: Run, tmp_path: Path, kind: str) -> None:
    """In whatever order they are played, and though the last one is longer than the first."""
    whole, parts = tmp_path / f"whole.{kind}", tmp_path / f"parts.{kind}"
    run(*GAME, "--games", "20", "--out", str(whole))
    run(*GAME, "--games", "11", "--shard", "3/3", "--out", str(parts))
    for part in ("1/3", "2/3", "3/3"):
        run(*GAME, "--games", "20", "--shard", part, "--out", str(parts))

    read = rows if kind == "csv" else table
    assert read(whole) == read(parts)
    assert "20 of them read from" in run(*GAME, "--games", "20", "--out", str(parts)).stdout.replace("\n", " ")


@pytest.mark.parametrize("kind", ["csv", "db"])
def test_a_run_that_was_cut_off_goes_on(run: Run, tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C keeps what is done and says where it stopped; the same command plays the rest, and nothing twice."""
    played: list[int] = []

    def cut(series: Series, numbers: Iterator[int]) -> Iterator[list[SimulatedGame]]:
        for chunk in worker_pool.in_process(series, numbers):
            if len(played) == 5:
                raise KeyboardInterrupt
            played.append(chunk[0].number)
            yield chunk

    whole, parts = tmp_path / f"whole.{kind}", tmp_path / f"parts.{kind}"
    run(*GAME, "--games", "12", "--out", str(whole))
    monkeypatch.setattr(simulate, "in_process", cut)
    stopped = run(*GAME, "--games", "12", "--out", str(parts), code=130).stdout
    assert "! Stopped after 5 of 12 games; the same command goes on from there" in stopped
    played.clear()
    played.append(0)
    stopped = run(*GAME, "--games", "12", "--out", str(parts), code=130).stdout
    assert "Stopped after 9 of 12 games" in stopped and played == [0, 6, 7, 8, 9]
    monkeypatch.undo()
    monkeypatch.setitem(simulate.__dict__, "alone", worker_pool.in_process)
    with pytest.MonkeyPatch.context() as again:
        _only_tiny(again)
        run(*GAME, "--games", "12", "--out", str(parts))
    assert (rows if kind == "csv" else table)(whole) == (rows if kind == "csv" else table)(parts)


def _only_tiny(patch: pytest.MonkeyPatch) -> None:
    from companion.games import GAMES

    patch.setitem(GAMES, "tiny", "tests.support.tiny")
    patch.setenv("COMPANION_TABLES", tiny.TABLES)


def test_what_is_ahead_of_its_turn_is_kept_too(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers end in any order: what they have done is in the file though what comes before it is not."""

    def backwards(series: Series, numbers: Iterator[int]) -> Iterator[list[SimulatedGame]]:
        yield from list(worker_pool.in_process(series, numbers))[:3:-1]
        raise KeyboardInterrupt

    whole, parts = tmp_path / "whole.csv", tmp_path / "parts.csv"
    run(*GAME, "--games", "8", "--out", str(whole))
    with monkeypatch.context() as patch:
        patch.setattr(simulate, "in_process", backwards)
        run(*GAME, "--games", "8", "--out", str(parts), code=130)
    assert [row["index"] for row in rows(parts)] == ["5", "6", "7", "8"]
    run(*GAME, "--games", "8", "--out", str(parts))
    assert rows(whole) == rows(parts)


@pytest.mark.parametrize("left", [1, 30, 95, 170, 260])
def test_a_last_line_that_was_cut_off(run: Run, tmp_path: Path, left: int) -> None:
    """As by kill -9 or a full disk: the rows before it stay."""
    path = tmp_path / "x.csv"
    run(*GAME, "--games", "6", "--out", str(path))
    whole, text = rows(path), path.read_bytes()
    path.write_bytes(text[:left])
    run(*GAME, "--games", "6", "--out", str(path))

    assert rows(path) == whole


@pytest.mark.parametrize(
    "text", ["hello", "index,seed\n1,2\n", "\xff\x00", "index,seed,result,score,turns,decisions,seconds,x\n"]
)
@pytest.mark.parametrize("kind", ["csv", "db"])
def test_a_file_of_something_else_is_left_alone(run: Run, tmp_path: Path, text: str, kind: str) -> None:
    path = tmp_path / f"x.{kind}"
    path.write_text(text)
    said = " ".join(run(*GAME, "--games", "2", "--out", str(path), code=4).stderr.split())

    assert "belongs to something else" in said and "--out" in said
    assert path.read_text() == text


@pytest.mark.parametrize("kind", ["csv", "db"])
def test_the_rows_of_another_series_are_left_alone(run: Run, tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"x.{kind}"
    run(*GAME, "--games", "3", "--out", str(path))
    before = path.read_bytes()
    for other in (("--seed", "other"), ("--policy", "player=plain"), ("--option", "ford_cost=two"), ("--scenario", "night")):
        said = run("simulate", "tiny", "--policy", "random", "--seed", "s/1", *other, "--out", str(path), code=4).stderr
        assert "its games are: tiny day; player: random; Companion" in " ".join(said.split())
    assert path.read_bytes() == before


def test_a_row_that_is_none(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    run(*GAME, "--games", "3", "--out", str(path))
    text = path.read_text()
    for bad in (text.replace("\n2,", "\nx,"), text.replace("\n2,", "\n2,2,"), text.replace("\n2,", '\n"2,'), text + "\0\n"):
        path.write_text(bad)
        said = run(*GAME, "--games", "3", "--out", str(path), code=4).stderr
        assert "belongs to something else" in " ".join(said.split())
        assert path.read_text() == bad


def test_a_row_that_a_file_holds_twice_counts_once(run: Run, tmp_path: Path) -> None:
    """As two runs leave it that write the same games at the same time."""
    path = tmp_path / "x.csv"
    run(*GAME, "--games", "6", "--out", str(path))
    whole = rows(path)
    path.write_text(path.read_text() + "".join(path.read_text().splitlines(keepends=True)[3:5]))
    told = json.loads(run(*GAME, "--games", "7", "--out", str(path), "--json").stdout)

    assert told["games"] == sum(one["many"] for one in told["histogram"]) == 7
    assert rows(path)[:6] == whole and [row["index"] for row in rows(path)] == [str(number) for number in range(1, 8)]


@pytest.mark.usefixtures("only_tiny")
@pytest.mark.parametrize("kind", ["csv", "db"])
def test_two_runs_that_write_the_same_games_at_once_leave_each_once(tmp_path: Path, kind: str) -> None:
    """Both found the file empty."""
    path, game = tmp_path / f"x.{kind}", load_game("tiny")
    series = simulate.SeriesOptions("", [], ["random"], "").series(game, "s/1")
    played = [chunk[0] for chunk in worker_pool.in_process(series, range(1, 7))]
    one, other = (game_rows.open_rows(os.fspath(path), series, game_rows.row_columns(game)) for _ in range(2))
    for file, some in ((one, played[:4]), (other, played[:5]), (one, played[4:])):
        file.add(some)
        file.flush()
    one.close()
    other.close()

    again = game_rows.open_rows(os.fspath(path), series, game_rows.row_columns(game))
    assert {row.number for row in again.rows()} == set(range(1, 7))
    again.close()
    assert [int(row["index"]) for row in (rows if kind == "csv" else table)(path)] == list(range(1, 7))


@pytest.mark.parametrize("kind", ["csv", "db"])
def test_of_a_file_that_holds_more_those_that_are_asked_for_are_counted(run: Run, tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"x.{kind}"
    run(*GAME, "--games", "9", "--out", str(path))
    before = path.read_bytes()
    for words, games in (("--games", "4"), 4), (("--games", "9", "--shard", "2/3"), 3):
        told = json.loads(run(*GAME, *words, "--out", str(path), "--json").stdout)
        assert (told["wanted"], told["games"]) == (games, games) == (games, sum(one["many"] for one in told["histogram"]))
    assert path.read_bytes() == before


@pytest.mark.parametrize("column", ["score", "turns", "decisions", "seconds"])
@pytest.mark.parametrize("figure", ["nan", "inf", "-1e999", "1e300", "9" * 400])
@pytest.mark.parametrize("kind", ["csv", "db"])
def test_a_figure_that_is_none(run: Run, tmp_path: Path, column: str, figure: str, kind: str) -> None:
    """As somebody may have written it who put a file right by hand."""
    path = tmp_path / f"x.{kind}"
    run(*GAME, "--games", "3", "--out", str(path))
    if kind == "csv":
        first, *others = path.read_text().splitlines()
        cells = dict(zip(first.split(","), others[1].split(","), strict=True)) | {column: figure}
        path.write_text("\n".join([first, others[0], ",".join(cells.values()), others[2], ""]))
    else:
        with connected(path) as db:
            db.execute(f'UPDATE games SET {column} = ? WHERE "index" = 2', (figure,))
        db.close()

    assert "it has a row that is not a game" in " ".join(run(*GAME, "--games", "3", "--out", str(path), code=4).stderr.split())


def test_the_archive_of_the_sessions_takes_no_rows(run: Run, tmp_path: Path) -> None:
    run("new", "tiny", "--db", str(tmp_path / "mine.db"))

    said = run(*GAME, "--out", str(tmp_path / "mine.db"), code=4).stderr
    assert "it has the tables" in " ".join(said.split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--games", "0"), "'0' is no number of games Give 1 to 1,000,000"),
        (("--games", "1000000000"), "'1000000000' is no number of games Give 1 to 1,000,000"),
        (("--games", "-3"), "'-3' is no number of games"),
        (("--games", "many"), "'many' is no number of games"),
        (("--policy", "pilot=random"), "no seat 'pilot' You can name: player"),
        (("--policy", "player=genius"), "no policy of 'player' 'genius' You can name: plain, random"),
        (("--policy", "genius"), "no policy of 'player' 'genius'"),
        (("--policy", "=random"), "'=random' is not a policy"),
        (("--policy", "player="), "'player=' is not a policy"),
        (("--policy", "player=random", "--policy", "player=plain"), "the policy of 'player' is given twice"),
        (("--policy", "player=random", "--policy", "pl=plain"), "the seat 'player' is given twice Give it once"),
        (("--option", "ford_cost=two", "--option", "ford=one"), "the option 'ford_cost' is given twice Give it once"),
        (("--seed", "x" * 101), "the seed has 101 characters, at most 100 Shorten it"),
        (("--shard", "1/2"), "a shard is a part of the games of one seed Give every part the same seed: --seed S"),
        (("--scenario", "noon"), "no scenario 'noon'"),
        (("--option", "colour=red"), "no option 'colour'"),
        (("--shard", "11/10"), "'11/10' is not a shard Give part and parts: --shard 1/10 to --shard 10/10"),
        (("--shard", "0/10"), "'0/10' is not a shard"),
        (("--shard", "3"), "'3' is not a shard"),
        (("--jobs", "0"), "'0' is no number of jobs"),
        (("--jobs", "some"), "'some' is no number of jobs (or: all)"),
        (("--think", "-1"), "'-1' is not a number of playouts"),
        (("--jobs", "2", "--cluster", "tcp://127.0.0.1:1"), "--jobs and --cluster exclude each other"),
        (("--out", "x.txt"), "'x.txt' is not a name for the rows Its ending is the format: FILE.csv or FILE.db"),
        (("--out", "no/such/x.csv"), "no/such/x.csv cannot be written: No such file or directory"),
        (("--out", "no/such/x.db"), "no/such/x.db cannot be written: unable to open database file"),
        (("--mirrored", "--games", "3"), "3 games cannot be paired Give an even number: --games 20 plays ten pairs"),
        (("--mirrored",), "has no two sides to swap Leave out --mirrored"),
        (("--out", "folder.csv"), "folder.csv cannot be written: Is a directory"),
    ],
)
def test_bad_input(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.csv").mkdir()
    result = run("simulate", "tiny", *words, code=2)

    assert said in " ".join(result.stderr.split())
    assert result.stdout == ""


def test_a_disk_that_takes_no_more_keeps_what_it_took(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_rows, "_FLUSH_SECONDS", -1)
    path, write, left = tmp_path / "x.csv", game_rows.CsvFile._write, [4]

    def full(self: game_rows.CsvFile, waiting: list[game_rows.Cells]) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(28, "No space left on device")
        write(self, waiting)

    monkeypatch.setattr(game_rows.CsvFile, "_write", full)
    said = run(*GAME, "--games", "9", "--out", str(path), code=2).stderr

    assert "cannot be written: No space left on device" in " ".join(said.split())
    assert len(rows(path)) == 4


@pytest.mark.parametrize("seed", ["7", "a b", "x/y/3", "\x1b[31mred\x07", "ü" * 100, "-4", "s;--", "a\nb", "--games"])
def test_a_seed_of_any_text(run: Run, tmp_path: Path, seed: str) -> None:
    first = run("simulate", "tiny", f"--seed={seed}", "--games", "2", "--out", str(tmp_path / "x.csv")).stdout
    again = run("simulate", "tiny", f"--seed={seed}", "--games", "2", "--out", str(tmp_path / "x.csv")).stdout

    assert "\x1b" not in first and "\x07" not in first and "2 of them read from" in again.replace("\n", " ")
    assert all(row["seed"].isprintable() and len(row["seed"]) <= 100 for row in rows(tmp_path / "x.csv"))


@pytest.mark.parametrize(
    ("game", "words", "said"),
    [
        (
            "lzalbany",
            ("--policy", "us=bot", "--option", "us=player"),
            "the policy of 'us' is bot, and the option us=player contradicts",
        ),
        ("lzalbany", ("--option", "nva=v1"), "the policy of 'nva' is plain, and the option nva=v1 contradicts it"),
        ("iraqwar2003", ("--policy", "plain", "--option", "coal=bot"), "the policy of 'coalition' is plain, and the option"),
    ],
)
def test_an_option_that_says_otherwise_than_the_policy_who_plays(game: str, words: tuple[str, ...], said: str) -> None:
    """Its rows would be told to be of a policy that did not decide."""
    done = companion("simulate", game, "--games", "1", *words)

    assert (done.code, done.out) == (2, "") and said in " ".join(done.err.split())
    assert "Give only the policy: --policy" in " ".join(done.err.split())


def test_one_game_tells_no_error_of_the_mean(run: Run) -> None:
    assert "(+-" not in run(*GAME, "--games", "1").stdout
    assert "(+-" in run(*GAME, "--games", "2").stdout


def shown(rows: list[SimulatedGame], width: int = 80) -> list[str]:
    """What is told of such games at the end."""
    series, tally = simulate.SeriesOptions("", [], ["random"], "").series(load_game("tiny"), "s/1"), simulate.Tally()
    tally.add(rows)
    return plain_text(
        simulation_lines(simulate.SimulationRun(series, tally, len(rows), (1, 1), 0, "", False), width), width
    ).splitlines()


@pytest.mark.usefixtures("only_tiny")
def test_shares_are_of_the_games_that_did_not_fail() -> None:
    """Three of four: 30.1 % to 95.4 % by Wilson. All scores alike and below zero make one bin."""
    ended = [SimulatedGame(number, "won" if number < 4 else "lost", -5.0, 7, 10, 0.01) for number in range(1, 5)]
    lines = shown([*ended, SimulatedGame(5, "error", None, 0, 0, 0.0, (), "odd")])

    assert lines[4:6] == ["  won         3   75.0 %  95 %: 30.1 % to 95.4 %", "  lost        1   25.0 %  95 %: 4.6 % to 69.9 %"]
    assert lines[7:9] == [
        "Score: mean -5.00 (+-0.00); quartiles -5, -5, -5; from -5 to -5",
        "  -5        4  ##################################################",
    ]
    assert lines[10] == "Length  turns: 7.0 on average, 7 to 7; 8 decisions a game"
    assert "! 1 game failed" in lines and "  s/1/5  odd" in lines


@pytest.mark.usefixtures("only_tiny")
def test_the_histogram_fits_a_narrow_screen() -> None:
    """A bar stands beside its number; the longest takes what is left of the row."""
    bars = [
        line
        for line in shown([SimulatedGame(at, "won", at % 7 * at % 11, 7, 10, 0.01) for at in range(1, 60)], 40)
        if "#" in line
    ]

    assert max(map(len, bars)) == 40 and all(line.split("#")[0].strip() for line in bars)


@pytest.mark.parametrize("kind", ["csv", "db"])
def test_rows_behind_a_link_stay_there(run: Run, tmp_path: Path, kind: str) -> None:
    """Though they are put into their order, and whoever may read them still may."""
    real, link = tmp_path / f"real.{kind}", tmp_path / f"link.{kind}"
    run(*GAME, "--games", "8", "--shard", "2/2", "--out", str(real))
    real.chmod(0o640)
    link.symlink_to(real)
    run(*GAME, "--games", "8", "--out", str(link))

    assert link.is_symlink() and real.stat().st_mode & 0o777 == 0o640
    assert [int(row["index"]) for row in (rows if kind == "csv" else table)(real)] == list(range(1, 9))
    assert sorted(tmp_path.iterdir()) == [link, real]


def test_another_number_and_another_seed_are_another_luck(run: Run, tmp_path: Path) -> None:
    """Of forty games there are few alike, and game 3 of one seed is not game 3 of another."""
    for seed in "ab":
        run("simulate", "tiny", "--policy", "random", "--seed", seed, "--games", "40", "--out", str(tmp_path / f"{seed}.csv"))
    one, other = ([(row["score"], row["decisions"]) for row in rows(tmp_path / f"{seed}.csv")] for seed in "ab")

    assert len(set(one)) > 20 and sum(mine == theirs for mine, theirs in zip(one, other, strict=True)) < 10


def test_a_game_that_is_stopped_short_is_told_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """How it stood is no result, but its score counts."""
    monkeypatch.setattr(Players, "max_actions", 3)
    body = json.loads(run(*GAME, "--games", "5", "--json").stdout)

    assert {one["result"]: one["games"] for one in body["results"]} == {"good": 1, "unfinished": 4}  # one came to its end by then
    assert body["failed"] == 0 and sum(one["many"] for one in body["histogram"]) == 5


def test_without_a_seed_one_is_taken_and_told(run: Run) -> None:
    one, other = (json.loads(run("simulate", "tiny", "--games", "1", "--json").stdout)["seed"] for _ in range(2))

    assert one and other and one != other


@pytest.fixture
def odd(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every game fails as soon as its supply is at nine."""
    act = Match.act

    def broken(self: Match) -> bool:
        if self.position.track("supply") == 9:
            raise ZeroDivisionError("odd \x1b[31msupply")
        return act(self)

    monkeypatch.setattr(Match, "act", broken)


@pytest.mark.usefixtures("odd")
def test_a_game_that_fails_stops_no_other_and_can_be_looked_at(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    out = run(*GAME, "--games", "30", "--out", str(path)).stdout
    body = json.loads(run(*GAME, "--games", "30", "--json").stdout)
    failed = [row for row in rows(path) if row["error"]]

    assert 0 < len(failed) == body["failed"] < 30 and f"! {len(failed)} games failed" in out
    assert failed[0]["error"] == "ZeroDivisionError: odd  [31msupply" and failed[0]["score"] == ""
    number = failed[0]["index"]
    assert f"s/1/{number}" in out
    command = " ".join(out.partition("Look at the first: ")[2].split())
    assert command == f"companion new --replay tiny/s/1/{number} --scenario day --policy player=random"
    said = run(*command.split()[1:]).stdout
    assert "Session tiny-1 - The Ford - By day" in said
    assert "Here the game failed: ZeroDivisionError: odd  [31msupply" in said
    assert run("log").stdout.startswith("   1  Set-up")
    assert int(failed[0]["supply"]) == json.loads(run("status", "--json").stdout)["position"]["tracks"]["supply"]


def test_where_every_game_fails_nothing_is_done(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: tiny.Tiny, referee: Any) -> Any:
        raise RuntimeError("no set-up")

    monkeypatch.setattr(tiny.Tiny, "setup", broken)
    monkeypatch.setattr(match, "_SET_UPS", {})  # where it went well before it would not be done again
    out = run(*GAME, "--games", "30", code=70).stdout

    assert "! 30 games failed" in out and "and 20 more" in out
    assert "game 1 fails in its set-up: RuntimeError: no set-up" in run("new", "--replay", "tiny/s/1", code=2).stderr


def test_a_simulated_game_as_a_session(run: Run, tmp_path: Path) -> None:
    run(*GAME, "--games", "3", "--option", "ford_cost=two", "--out", str(tmp_path / "x.csv"))
    said = run("new", "--replay", "tiny/s/1/2", "--policy", "random", "--option", "ford_cost=two", "--name", "again").stdout
    row = rows(tmp_path / "x.csv")[1]
    tracks = json.loads(run("status", "--json").stdout)["position"]["tracks"]

    assert said.startswith("Session again - The Ford - By day\n") and "seed s/1, game 2" in " ".join(said.split())
    assert {name: str(value) for name, value in tracks.items()} == {name: row[name] for name in tracks}
    last = json.loads(run("log", "--json").stdout)["entries"][-1]["entry"]
    assert run("why", str(last)).stdout
    run("undo", str(last - 1))
    assert json.loads(run("redo", "--json").stdout)["position"]["tracks"] == tracks


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--replay", "tiny"), "'tiny' is not a simulated game Like this: --replay GAME/SEED/INDEX"),
        (("--replay", "tiny/s"), "'tiny/s' is not a simulated game"),
        (("--replay", "tiny/s/0"), "'0' is no number of a game"),
        (("--replay", "tiny/s/x"), "'x' is no number of a game"),
        (("--replay", "chess/s/1"), "no game 'chess'"),
        (("--replay", "tiny/s/1", "--seed", "5"), "has its own dice, draws and answers: no --seed Leave it out"),
        (("--replay", "tiny/s/1", "--dice", "physical"), "has its own dice, draws and answers: no --dice"),
        (("--replay", "tiny/s/1", "--draws", "physical"), "has its own dice, draws and answers: no --draws"),
        (("tiny", "units=Alpha", "--replay", "tiny/s/1"), "has its own dice, draws and answers: no KEY=VALUE"),
        (("tiny", "--policy", "random"), "--policy is for a simulated game"),
    ],
)
def test_a_replay_of_nothing(run: Run, words: tuple[str, ...], said: str) -> None:
    assert said in " ".join(run("new", *words, code=2).stderr.split())


class Terminal(io.StringIO):
    """A screen that keeps what was shown."""

    def isatty(self) -> bool:
        return True


def test_a_bar_on_a_terminal_and_none_in_a_pipe(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(*GAME, "--games", "5").stderr == ""
    screen = Terminal()
    with monkeypatch.context() as patch:
        patch.setenv("TERM", "xterm")
        patch.setattr("sys.stderr", screen)
        companion(*GAME, "--games", "5")
        assert screen.getvalue() == ""  # the runner has a stderr of its own
        with simulate._progress(5, simulate.Tally()) as told:
            told()
    assert "0/5" in screen.getvalue() and "a second" in screen.getvalue() and ":" in screen.getvalue()


def test_on_a_narrow_screen_the_bar_gets_shorter_and_no_number(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, tally, clock = Terminal(), simulate.Tally(), iter((0.0, 22.8))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr(simulate, "monotonic", lambda: next(clock))
    with simulate._progress(4000, tally) as told:
        tally.games = 1234
        told()
    shown = screen.getvalue()
    assert "1234/4000" in shown and "54.1 a second" in shown and "-:--:--" in shown and "…" not in shown


def test_tab_knows_seats_policies_and_files(only_tiny: str) -> None:
    def offered(*words: str) -> list[str]:
        return [line.partition("\t")[0] for line in companion("--complete", "zsh", "simulate", *words).out.splitlines()]

    assert offered("ti") == ["tiny"]
    assert offered("tiny", "--policy", "") == ["player=", "plain", "random"]
    assert offered("tiny", "--policy", "player=r") == ["player=random"]
    assert offered("tiny", "--jobs", "") == ["all"]
    assert offered("tiny", "--out", "") == [":files:"]
    assert "night" in offered("tiny", "--scenario", "")


@pytest.mark.slow
def test_two_processes_write_what_one_writes(tmp_path: Path) -> None:
    """Of a real game, since another process knows no made-up one."""
    words = ("simulate", "fallujahcards", "--policy", "random", "--seed", "7", "--games", "5")
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    assert companion(*words, "--out", os.fspath(one)).code == 0
    assert companion(*words, "--out", os.fspath(two), "--jobs", "2").code == 0

    assert rows(one) == rows(two)


def test_rows_that_cannot_be_read_again_are_no_fault_of_ours(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is opened and then a page of it fails."""
    path = os.fspath(tmp_path / "games.csv")
    run(*GAME, "--games", "2", "--out", path)

    def failing(*_: object, **__: object) -> Iterator[list[str]]:
        yield []
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(game_rows.csv, "reader", failing)
    said = run(*GAME, "--games", "4", "--out", path, code=4).stderr
    assert "games.csv cannot be read: Input/output error" in " ".join(said.split())
    assert "what is in the file stays" in said
