"""A screen of another author, which takes all its words from the vocabulary of the game, shows and plays each game."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion.games import GAMES
from companion.session.state import load_game
from tests.examples import screen as example
from tests.support.random_client import RandomClient
from tests.support.served import served

SOURCE = Path(str(example.__file__)).read_text()
STEPS = 12
MOST_LINES = 80


@pytest.mark.parametrize("name", GAMES)
def test_it_is_short_and_knows_no_game(name: str) -> None:
    game = load_game(name)

    assert len(SOURCE.splitlines()) <= MOST_LINES
    assert not [word for word in (game.id, game.title, *game.seats.values()) if word in SOURCE]


@pytest.mark.parametrize("name", GAMES)
def test_screen_of_the_vocabulary(name: str, tmp_path: Path) -> None:
    """Everything is shown by its title, and play goes on by what is advised, suggested or offered."""
    dice, played = random.Random(3), 0
    with served() as client:
        file = RandomClient(client, name, str(tmp_path / "screen-practice.sqlite3"), 3).archive
        screen = example.Screen(client.ask, db=file)
        for _ in range(STEPS):
            assert_all_in_words(screen)
            if screen.now["over"]:
                break
            question = screen.now["pending"]
            refused = screen.play("")
            if refused and question:  # nothing is advised or suggested
                refused = screen.play(some_answer(question, dice))
            played += not refused
    assert played > STEPS / 2


def some_answer(question: example.Document, dice: random.Random) -> str:
    """An offered answer, else the example, as it is typed."""
    return str(dice.choice(question["choices"])["value"] if question["choices"] else question["example"])


def assert_all_in_words(screen: example.Screen) -> None:
    """No id of the documents is without a title, but spaces that players name, and keys that are names of pieces."""
    lines, now = list(screen.lines()), screen.now
    pieces = [piece for lying in now["position"]["places"].values() for piece in lying]
    used = {
        "kinds": {piece["kind"] for piece in pieces},
        "faces": {piece["face"] for piece in pieces},
        "marks": {mark for piece in pieces for mark in piece.get("marks", ())},
        "actions": {way["action"] for way in now["legal"]},
        "seats": {now["pending"]["seat"]} if now["pending"] else set(),
    }

    for track in screen.words["tracks"]:
        assert sum(line.startswith(f"{track['title']}: ") for line in lines)
    for what, names in used.items():
        titles = {entry["title"] for entry in screen.words[what]}
        assert not [name for name in names if not any(title in screen.title(what, name) for title in titles)], what
    assert all(any(piece["name"] in line for line in lines) for piece in pieces)
