"""A game from outside, from pip to its report: the distribution in ``tests/examples/passroad`` is installed and played as a user
does.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion import api
from tests.support.commands import Result, companion

ROOT = Path(__file__).parents[2]
PROJECT = ROOT / "tests" / "examples" / "passroad"
PIP = (sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index", "--target")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where it is installed: by pip, from a copy of the project, without a network."""
    folder = tmp_path_factory.mktemp("sixth")
    source, target = folder / "source", folder / "site"
    shutil.copytree(PROJECT, source, ignore=shutil.ignore_patterns("__pycache__"))
    subprocess.run([*PIP, str(target), str(source)], check=True, capture_output=True, timeout=120)
    return target


@pytest.fixture
def installed(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """This process finds it, as any process does whose Python it was installed for."""
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.setenv("COMPANION_GAMES", str(site / "nothing"))


def done(*words: str) -> Result:
    result = companion(*words)
    assert result.code in (0, 3), result.err
    return result


def test_separate_process_finds_the_installed_game(site: Path, tmp_path: Path) -> None:
    """In a process of its own, in any folder: nothing but pip has told Companion of it."""
    environment = {**os.environ, "PYTHONPATH": f"{site}{os.pathsep}{ROOT}", "COMPANION_DB": str(tmp_path / "a.sqlite3")}
    words = [sys.executable, "-m", "companion", "new", "passroad", "--seed", "1"]
    result = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    assert (result.returncode, result.stderr) == (0, "")
    assert "The Pass Road - Autumn" in result.stdout
    assert (site / "passroad" / "tables" / "game.toml").exists()


def test_installed_game_is_listed_without_faults(installed: None) -> None:
    assert re.search(r"^\s*passroad\s+The Pass Road", done("games").out, re.M)
    assert done("games", "passroad", "--check").out.strip() == "passroad: no fault"
    shown = done("games", "passroad").out
    assert "last_stores" in shown and "attack bands in an adjacent area" in shown


def test_installed_game_is_played_and_corrected(installed: None) -> None:
    """By the words of its own rules, with the player's dice and draws."""
    done("new", "passroad", "--dice", "physical", "--draws", "physical")
    done("do", "dawn", "--draw", "Stir")
    done("do", "march", "to=mill")
    assert "Turn 2 of 10, Dawn" in done("status").out
    undone = done("undo").out
    assert "Move Column from Mill to Depot" in undone and "Set Fatigue from tired to fresh" in undone
    done("redo")
    done("adjust", "Band A", "toll", "--why", "seen on the table")
    done("do", "dawn", "--draw", "Quiet")
    asked = done("do", "attack", "area=toll", "companies=Rifles, Guards, Pioneers")
    assert asked.code == 3 and "DRM +2" in asked.out
    assert "the area is cleared" in done("odds").out
    done("answer", "yes", "--dice", "4,4")
    done("answer", "no")
    assert "falls back" in done("log").out


def test_installed_game_has_map_odds_rules_and_charts(installed: None) -> None:
    done("new", "passroad", "--seed", "1")
    map_shown = done("map", "passroad").out
    assert "crags ^" in map_shown and "= road" in map_shown
    spaces = {space["space"]: space for space in done("map", "passroad", "--json").json["spaces"]}
    assert len(spaces) == 12 and spaces["saddle"]["ground"] == "height"
    odds = done("odds", "passroad", "attack", "strength=8", "bands=3", "ground=open", "--json").json
    chances = {row["label"]: row["chance"] for row in odds["sections"][1]["chances"]}
    assert chances["the area is cleared"] == pytest.approx(30 / 36)  # 5 and more, at +2
    assert "31.2 %" in done("odds", "passroad", "chit").out
    assert "Chosen companies against all bands of an adjacent area" in " ".join(done("rule", "passroad", "6.5").out.split())
    assert "Raid Chart" in done("chart", "passroad", "raid").out


def test_report_of_a_whole_game(installed: None) -> None:
    """A simulated game becomes a session, and the session a report in the game's own sentences."""
    done("new", "--replay", "passroad/1/1", "--policy", "bot")
    report = done("report").out
    assert "# The Pass Road: Autumn" in report
    assert re.search(r"The column marches from the \w+ to the \w+\.", report)
    assert "The dawn brings " in report and "**" in report


def test_program_plays_the_game_to_its_end(installed: None) -> None:
    """By what is legal and what is asked, and by nothing else; then everything is taken back."""
    with api.open_archive(api.MEMORY) as archive:
        session = archive.begin("passroad", "first_snow", seed=5)
        start, calls = session.position, 0
        while not session.over and calls < 400:
            calls += 1
            asked = session.question
            if asked:
                pick = [choice.value for choice in asked.choices[: asked.low]] if asked.kind == "pick" else None
                session.answer(pick or asked.choices[calls % len(asked.choices)].value, at=asked.at)
            else:
                legal = session.legal
                session.do(legal[calls % len(legal)].id)
        assert session.over
        session.undo_to(1)
        assert session.position == start


def test_simulate_compares_policies(installed: None) -> None:
    """The bot gets through where chance does not; and with playouts the planner says what it would do, and why."""
    won = {}
    for policy in ("bot", "random"):
        run = done("simulate", "passroad", "--games", "40", "--seed", "2", "--policy", policy, "--json").json
        assert run["failed"] == 0
        won[policy] = sum(result["share"] for result in run["results"] if result["result"] == "won")
    assert won["bot"] > 0.6 and won["random"] < 0.2
    done("new", "passroad", "--seed", "1")
    done("do", "dawn")
    assert "march" in done("bot", "--think", "4").out


def test_practice_needs_no_owned_set(installed: None) -> None:
    assert "The Pass Road" in done("practice", "passroad").out


def run_tests(site: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": f"{site}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "companion.testing.plugin", "-p", "no:cacheprovider", *words]
    return subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_own_tests_pass(site: Path) -> None:
    result = run_tests(site, "tests")

    assert result.returncode == 0, result.stdout


@pytest.mark.long
def test_contract_tests_pass(site: Path) -> None:
    """What every game of ours must pass, as its author would run it."""
    result = run_tests(site, "--pyargs", "companion.testing", "--game", "passroad")

    assert result.returncode == 0, result.stdout


def test_register_has_every_paragraph_of_the_rulebook() -> None:
    """Neither side has a paragraph that the other has not."""
    rules = re.findall(r"^\*\*(\d\.\d+) ", (PROJECT / "RULES.md").read_text(encoding="utf-8"), re.M)
    told = re.findall(r'^number = "(.*)"$', (PROJECT / "passroad" / "tables" / "rules.toml").read_text(encoding="utf-8"), re.M)

    assert rules == told
