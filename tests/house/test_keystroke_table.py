"""The tables of keys in the page of the loop: what is counted today, by the loop itself and at a terminal."""

from __future__ import annotations

import pytest

from companion.games import GAMES
from tests.measures.prompts import HEAD, MARKS, counts, written
from tests.support.conversations import Conversation, conversations, hold


@pytest.mark.slow
def test_page_shows_current_keystroke_counts() -> None:
    """After a prompt is changed: ``python -m tests.measures.prompts --write``."""
    table = written().partition("\n\n")[0]

    assert table.splitlines()[0] == MARKS[0]
    assert table.splitlines()[1:] == [*HEAD.splitlines(), *counts()]


TALKS = [(game, conversation) for game in sorted(GAMES) for conversation in conversations(game)]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "conversation"), TALKS, ids=[f"{game}: {item.title}" for game, item in TALKS])
def test_a_conversation_at_a_terminal_keeps_its_limits(game: str, conversation: Conversation) -> None:
    """No more prompts, keys and rows of a screen than stated; the page shows nothing less."""
    pytest.importorskip("pexpect")
    pytest.importorskip("pyte")
    count = hold(conversation)
    most = dict(zip(("prompts", "keys", "rows"), conversation.at_most, strict=True))

    assert {name: getattr(count, name) for name in most if getattr(count, name) > most[name]} == {}, count.typed
    assert f"| {conversation.title} |" in written()


def test_every_game_has_a_conversation_of_its_first_ten_minutes() -> None:
    assert {
        game for game, item in TALKS if item.title.startswith("first ten minutes") and item.start.startswith("companion ")
    } == set(GAMES)
