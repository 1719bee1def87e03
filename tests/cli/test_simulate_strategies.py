"""``companion simulate`` with strategies in files, fixed answers, and games that go on from a session."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.support.commands import companion
from tests.support.served import served

RESTS = "def strategy(view):\n    return 'rest' if view.position.track('turn') < 4 else None\n"


@pytest.fixture
def rests(tmp_path: Path) -> Path:
    (file := tmp_path / "my.py").write_text(RESTS, encoding="utf-8")
    return file


def test_the_command_plays_a_strategy_and_fixed_answers(run: Run, rests: Path, tmp_path: Path) -> None:
    words = ("simulate", "tiny", "--seed", "s", "--games", "3", "--policy", f"{rests}:strategy", "--base", "random")
    out = ("--out", str(tmp_path / "x.csv"))
    shown = run(*words, "--set", "to=ford", "--set", "find=x", *out).stdout
    assert "player: my.py:strategy (" in shown and "on random; set to=ford; set find=x" in " ".join(shown.split())
    assert "Set to=ford: in " in shown and "! 3 games: not asked" in shown

    text = (tmp_path / "x.csv").read_text()
    refused = run(*words, *out, code=4).stderr
    assert "its games are: tiny day; player: my.py:strategy" in " ".join(refused.split())
    rests.write_text(f"{RESTS}# another text\n", encoding="utf-8")
    run(*words, "--set", "to=ford", "--set", "find=x", *out, code=4)
    assert (tmp_path / "x.csv").read_text() == text


def test_a_game_of_a_strategy_becomes_a_session(run: Run, rests: Path) -> None:
    words = ("--policy", f"{rests}:strategy", "--base", "random", "--set", "to=ford")
    shown = run("new", "--replay", "tiny/s/2", *words).stdout
    assert "on random; set to=ford" in " ".join(shown.split())
    assert "is for a simulated game" in run("new", "tiny", "--set", "to=ford", code=2).stderr


def test_the_command_goes_on_from_a_session(run: Run, tmp_path: Path) -> None:
    run("new", "tiny", "--seed", "1", "--name", "april")
    run("do", "rest")
    run("do", "rest")
    shown = run("simulate", "--from", "april@2", "--seed", "s", "--games", "2", "--policy", "random").stdout
    assert "tiny day; from april@2 (" in shown
    assert (
        run("simulate", "tiny", "--from", "april@2", "--seed", "s", "--games", "2", "--policy", "random").stdout[:60]
        == shown[:60]
    )
    assert "has its scenario and options" in run("simulate", "--from", "april", "--scenario", "night", code=2).stderr
    assert "Name one: companion simulate GAME" in run("simulate", code=2).stderr
    out = ("--seed", "s", "--games", "2", "--policy", "random", "--out", str(tmp_path / "x.db"))
    run("simulate", "--from", "april@2", *out)
    run("simulate", "--from", "april", *out, code=4)
    run("simulate", "tiny", *out, code=4)


def test_mirrored_games_swap_a_strategy(tmp_path: Path) -> None:
    """With its base: so that two games of a pair have the same two players on both sides."""
    (file := tmp_path / "none.py").write_text("def none(view):\n    return None\n", encoding="utf-8")
    words = ("simulate", "lzalbany", "--seed", "m", "--mirrored", "--json", "--games", "2", "--policy", "nva=random")
    own = companion(*words, "--policy", f"us={file}:none", "--base", "us=plain").json
    usual = companion(*words, "--policy", "us=plain").json

    assert own["results"] == usual["results"] and own["strength"]["margin"] == usual["strength"]["margin"]
    assert own["strength"]["first"] == "none.py:none" and own["base"] == {"us": "plain"}


def test_a_client_of_a_server_cannot_run_a_file(only_tiny: str, rests: Path) -> None:
    """It may be another program, on another machine."""
    with served() as client:
        answer = client("simulate", "tiny", "--games", "1", "--policy", f"{rests}:strategy")
        played = client("simulate", "tiny", "--games", "1", "--policy", "random")

    assert answer["exit"] == 2 and "cannot run a file" in str(answer["error"])
    assert not played.get("exit") and "error" not in played
