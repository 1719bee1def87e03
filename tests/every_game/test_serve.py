"""Every game by the server: what it answers is what the shell prints, and no document is off the schema."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from companion.games import GAMES
from companion.session.facts import practice_defaults
from companion.session.state import load_game
from tests.support.commands import companion
from tests.support.served import elsewhere, served
from tests.support.stranger import Stranger

CALLS = 4_000
"""Of each game; the share of a quick run is SHARE of them."""
SHARE = 60
STEPS = 10
WHEN = re.compile(r"\d{4}-\d\d-\d\dT[\d:]*Z")


def alike(document: Any) -> str:
    """A document without the times in it and without what comes before it."""
    body = {key: value for key, value in document.items() if key not in ("id", "exit")}
    return WHEN.sub("WHEN", json.dumps(body))


def both_ways(game: str, folder: Path, count: int) -> int:
    """Plays a game by the server and by one process a command, which must say the same; how often something was done."""
    files = str(folder / "served-practice.sqlite3"), str(folder / "shell-practice.sqlite3")
    done = 0
    with served() as client:
        stranger = Stranger(client, game, files[0], 1)
        with elsewhere():
            assert companion("practice", game, "--seed", "1", "--db", files[1]).code in (0, 3)
            assert companion(*begun(game), "--db", files[1]).code in (0, 3)
        words = ["status"]
        for _ in range(count):
            with elsewhere():
                printed = companion(*words, "--db", files[1], "--json")
            answer = client(*words, "--db", files[0])
            assert alike(answer) == alike(printed.json), words
            assert answer["exit"] == printed.code
            done += "error" not in answer
            if "legal" in answer:
                stranger.now = answer
            words = words_of(stranger)
    return done


def begun(game: str) -> list[str]:
    """The command line of the game that a stranger begins."""
    scenario, options = practice_defaults(load_game(game), {})
    chosen = [word for key, value in options.items() for word in ("--option", f"{key}={value}")]
    return ["new", game, *(["--scenario", scenario] if scenario else []), *chosen, "--seed", "1", "--think", "0"]


def words_of(stranger: Stranger) -> list[str]:
    """A command line that goes on with the game, or now and then takes something back or looks at it."""
    chance, asked = stranger.chance, stranger.now["pending"]
    if chance.random() < 0.2:
        return chance.choice([["undo", "--reply"], ["undo"], ["redo"], ["log", "--last", "2"], ["why"], ["show", "score"]])
    if not asked:
        free = [way["action"] for way in stranger.now["legal"] if way["possible"]]
        return ["do", chance.choice(free)] if free else ["undo"]
    said = stranger.said(asked)
    if "accept" in said:
        return ["answer", "--accept"]
    if "dice" in said:
        return ["answer", "--dice", "".join(f"{face}," for face in said["dice"])]
    value = said["value"]
    return ["answer", "--at", asked["at"], f"{asked['key']}={','.join(value) or 'none' if isinstance(value, list) else value}"]


@pytest.mark.parametrize("game", GAMES)
def test_the_quick_way_says_what_the_slow_one_does(game: str, tmp_path: Path) -> None:
    assert both_ways(game, tmp_path, STEPS) > STEPS / 3


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_the_quick_way_says_so_all_along(game: str, tmp_path: Path) -> None:
    assert both_ways(game, tmp_path, 300) > 100


def called(game: str, folder: Path, count: int) -> Stranger:
    """Calls the server so often; every document is held against the schema."""
    with served() as client:
        stranger = Stranger(client, game, str(folder / "stranger-practice.sqlite3"), 1)
        for _ in range(count):
            stranger.call()
    return stranger


@pytest.mark.parametrize("game", GAMES)
def test_a_stranger_finds_no_document_off_the_schema(game: str, tmp_path: Path) -> None:
    assert called(game, tmp_path, SHARE).kinds["done"] > SHARE / 3


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_a_stranger_finds_none_in_twenty_thousand_calls(game: str, tmp_path: Path) -> None:
    """So many over all games."""
    kinds = called(game, tmp_path, CALLS).kinds

    assert sum(kinds.values()) == CALLS and kinds["done"] > CALLS / 3
