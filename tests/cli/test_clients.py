"""Other programs, as an outsider would write them: they know the protocol and nothing else."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from companion.api import messages
from companion.session.store import Archive
from tests.examples import german
from tests.examples.player import Companion, Player

EXAMPLES = Path(__file__).parents[1] / "examples"
CLIENTS = ["player.py", "follower.py", "screen.py", "german.py"]
LONGEST = 150


@pytest.mark.parametrize("name", CLIENTS)
def test_a_client_is_short_and_needs_nothing_of_ours(name: str) -> None:
    text = (EXAMPLES / name).read_text()
    nodes = list(ast.walk(ast.parse(text)))
    names = [one.name for node in nodes if isinstance(node, ast.Import) for one in node.names]
    names += [str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)]

    assert len(text.splitlines()) <= LONGEST
    assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names


@pytest.mark.slow
def test_a_client_plays_two_games_whole(tmp_path: Path) -> None:
    """In one process, one after the other, and each to its end."""
    run = subprocess.run(
        [sys.executable, EXAMPLES / "player.py"], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120
    )

    assert (run.returncode, run.stderr) == (0, "")
    told = run.stdout.splitlines()
    assert [line.partition(":")[0] for line in told] == ["fallujahcards", "phantomfury"]
    assert "not over" not in run.stdout
    with Archive.open_existing(str(tmp_path / "clients-practice.sqlite3")) as archive:
        assert [session.game for session in archive.sessions()] == ["fallujahcards", "phantomfury"]


@pytest.mark.slow
def test_a_client_follows_what_another_plays(tmp_path: Path) -> None:
    """It is told where the session is, every line of what is played in it by another process, and its end."""
    file = str(tmp_path / "followed-practice.sqlite3")
    companion = Companion()
    player = Player(companion, "fallujahcards", file, seed=2)
    command = [sys.executable, EXAMPLES / "follower.py", player.now["session"], file]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as follower:
        assert follower.stdout and follower.stderr
        first = follower.stdout.readline()
        said: list[str] = []
        while not player.now["over"]:
            player.play(most=1)
            said += [line["text"] for line in player.now["lines"]]
        told = follower.stdout.read().splitlines()
        assert (follower.wait(60), follower.stderr.read(), companion.close()) == (0, "", 0)

    assert first == f"{player.now['session']}: Turn 0\n"
    assert told[-1] == f"Over: {player.now['over']}"
    assert [line for line in told if line in said] == said


def test_a_client_speaks_german(tmp_path: Path) -> None:
    """By the ids of the messages alone: a whole game without an English sentence, and its templates are in the catalogue."""
    english = set(messages("fallujahcards")) | set(messages())
    assert set(german.GERMAN["texts"]) <= english

    said = [line for document in german.documents(3, str(tmp_path / "deutsch.sqlite3")) for line in german.shown(document)]

    assert said[:4] == ["Stapel: 92 Karten", "Zug 0", "Den Stapel von 92 Karten mischen. Die Hand ist leer.", "Zug 1"]
    assert any(line.startswith("? Eine Aufklärungskarte spielen, um ") for line in said)
    assert any(" ist ein Verlust, keine Karte der Hand kann sie zerstören: Punkte " in line for line in said)
    words = {word for line in said for word in line.split()}
    assert not words & {"the", "is", "are", "score", "force", "card", "cards", "Turn", "lost"}


def test_a_client_that_does_not_know_an_id_shows_english() -> None:
    document = {
        "lines": [
            {"text": "Turn 3", "messages": {"text": {"id": "fallujahcards.newer", "arguments": {"now": "3"}}}},
            {
                "text": "Something: played",
                "messages": {
                    "text": {
                        "id": "companion.with_reason",
                        "arguments": {
                            "text": {"text": "Something", "id": "companion.newer", "arguments": {}},
                            "why": {"text": "played", "id": "fallujahcards.recon_3", "arguments": {}},
                        },
                    }
                },
            },
        ],
        "because": ["x", "declined"],
        "messages": {"because.1": {"id": "fallujahcards.stop_target", "arguments": {}}},
    }

    shown = german.translated(document)

    assert [line["text"] for line in shown["lines"]] == ["Turn 3", "Something: gespielt"]
    assert shown["because"] == ["x", "freiwillig"]
