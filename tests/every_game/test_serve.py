"""The server gives the same documents as the command line, in every game, and all of them fit the schema."""

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
from tests.support.random_client import RandomClient
from tests.support.served import elsewhere, served

CALLS = 4_000
"""Calls a game in the long test; the quick test makes SHARE."""
SHARE = 60
STEPS = 10
WHEN = re.compile(r"\d{4}-\d\d-\d\dT[\d:]*Z")


def comparable(document: Any) -> str:
    """A document as text, without times, id and exit code."""
    body = {key: value for key, value in document.items() if key not in ("id", "exit")}
    return WHEN.sub("WHEN", json.dumps(body))


def play_by_server_and_commands(game: str, folder: Path, count: int) -> int:
    """Play a game by the server and by commands, and compare the documents; the number of calls that succeeded."""
    files = str(folder / "served-practice.sqlite3"), str(folder / "shell-practice.sqlite3")
    done = 0
    with served() as client:
        caller = RandomClient(client, game, files[0], 1)
        with elsewhere():
            assert companion("practice", game, "--seed", "1", "--db", files[1]).code in (0, 3)
            assert companion(*new_game_command(game), "--db", files[1]).code in (0, 3)
        words = ["status"]
        for _ in range(count):
            with elsewhere():
                printed = companion(*words, "--db", files[1], "--json")
            answer = client(*words, "--db", files[0])
            assert comparable(answer) == comparable(printed.json), words
            assert answer["exit"] == printed.code
            done += "error" not in answer
            if "legal" in answer:
                caller.now = answer
            words = words_of(caller)
    return done


def new_game_command(game: str) -> list[str]:
    """The command line that begins the same game as the random client."""
    scenario, options = practice_defaults(load_game(game), {})
    chosen = [word for key, value in options.items() for word in ("--option", f"{key}={value}")]
    return ["new", game, *(["--scenario", scenario] if scenario else []), *chosen, "--seed", "1", "--think", "0"]


def words_of(caller: RandomClient) -> list[str]:
    """A command line that continues the game or sometimes undoes or reads."""
    chance, question = caller.chance, caller.now["pending"]
    if chance.random() < 0.2:
        return chance.choice([["undo", "--reply"], ["undo"], ["redo"], ["log", "--last", "2"], ["why"], ["show", "score"]])
    if not question:
        free = [way["action"] for way in caller.now["legal"] if way["possible"]]
        return ["do", chance.choice(free)] if free else ["undo"]
    reply_fields = caller.reply_fields(question)
    if "accept" in reply_fields:
        return ["answer", "--accept"]
    if "dice" in reply_fields:
        return ["answer", "--dice", "".join(f"{face}," for face in reply_fields["dice"])]
    value = reply_fields["value"]
    return [
        "answer",
        "--at",
        question["at"],
        f"{question['key']}={','.join(value) or 'none' if isinstance(value, list) else value}",
    ]


@pytest.mark.parametrize("game", GAMES)
def test_server_and_commands_give_the_same_documents(game: str, tmp_path: Path) -> None:
    assert play_by_server_and_commands(game, tmp_path, STEPS) > STEPS / 3


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_server_and_commands_give_the_same_documents_in_a_long_game(game: str, tmp_path: Path) -> None:
    assert play_by_server_and_commands(game, tmp_path, 300) > 100


def called(game: str, folder: Path, count: int) -> RandomClient:
    """Call the server at random; every document is checked against the schema."""
    with served() as client:
        caller = RandomClient(client, game, str(folder / "client-practice.sqlite3"), 1)
        for _ in range(count):
            caller.call()
    return caller


@pytest.mark.parametrize("game", GAMES)
def test_random_calls_return_valid_documents(game: str, tmp_path: Path) -> None:
    assert called(game, tmp_path, SHARE).kinds["done"] > SHARE / 3


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_many_random_calls_return_valid_documents(game: str, tmp_path: Path) -> None:
    kinds = called(game, tmp_path, CALLS).kinds

    assert sum(kinds.values()) == CALLS and kinds["done"] > CALLS / 3
