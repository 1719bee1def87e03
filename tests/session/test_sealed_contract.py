"""The contract tests of hidden information hold for the made-up game, and fail for games that break them."""

from __future__ import annotations

import pytest

from companion.core.game import Game
from companion.core.position import Position
from companion.session.state import load_game
from companion.session.store import Archive
from companion.testing import fixtures
from companion.testing.fixtures import Start
from companion.testing.test_hidden import test_no_document_of_a_seat_names_what_it_does_not_see as no_document_names_it
from companion.testing.test_hidden import test_sealed_questions_are_answered_in_any_order as answered_in_any_order
from tests.support.ambush import Ambush, AmbushGame

starts = fixtures.starts


@pytest.fixture
def game(ambush_game: str) -> Game:
    return load_game(ambush_game)


def test_the_game_keeps_the_contract(game: Game, starts: list[Start], archive: Archive) -> None:
    no_document_names_it(game, starts, archive)
    answered_in_any_order(game, starts, archive)


def test_a_line_for_all_that_names_a_hidden_piece(
    game: Game, starts: list[Start], archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Ambush, "turn", lambda referee: referee.say('"fox#1" is there', "1"))
    with pytest.raises(AssertionError):
        no_document_names_it(game, starts, archive)


def test_a_refusal_after_the_reveal(game: Game, starts: list[Start], archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Ambush, "turn", lambda referee: referee.forbid("not so", "1"))
    with pytest.raises(AssertionError, match="refuses"):
        answered_in_any_order(game, starts, archive)


def test_a_game_that_hides_nothing_shows_everything(game: Game, archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(AmbushGame, "visible")
    position = Position({"red_gold": 3})
    assert not game.hides and game.visible(position, "blue") is position
