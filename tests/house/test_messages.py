"""The catalogues of messages are those of the source, and their ids stay."""

from __future__ import annotations

import copy

import pytest

from companion.core.messages import entry_faults
from companion.games import GAMES
from companion.session.messages import common_entries
from tests.support.messages import COMMAND, entries_of, path_of, read, written

CARDS = "fallujahcards"


@pytest.mark.parametrize("game", ["", *GAMES], ids=lambda game: game or "program")
def test_a_catalogue_is_that_of_the_source(game: str) -> None:
    assert path_of(game).read_text(encoding="utf-8") == written(game), f"out of date: {COMMAND}"


def test_the_catalogue_of_the_program_has_no_faults() -> None:
    """Those of the games are checked with their tables."""
    entries = common_entries()

    assert [fault for id, body in entries.items() for fault in entry_faults(id, body, entries)] == []


def test_an_id_stays_when_the_words_change() -> None:
    """The words are changed to what they were, and their fields have names of before."""
    now = read(CARDS)
    before = copy.deepcopy(now)
    before["stop_target_3"]["text"] = "{card} is lost, {why}: the score goes from {before} to {score}."
    before["stop_target_3"]["fields"] = {"why": now["stop_target_3"]["fields"]["why"]}
    before["set_up"] = {**now["set_up"], "text": "Mix the deck of {cards} cards."}

    renewed = entries_of(CARDS, before)

    assert set(renewed) == set(now)
    assert renewed["stop_target_3"]["text"] == now["stop_target_3"]["text"].replace("{title}", "{card}")
    assert renewed["set_up"]["text"] == now["set_up"]["text"].replace("{pieces}", "{cards}")


def test_an_id_is_not_used_again() -> None:
    """Of a text that is gone, while its entry is still there: a new text gets another."""
    now = read(CARDS)
    before = {**copy.deepcopy(now), "gone": {"text": "Something else was said here.", "use": ["line"], "at": ["nowhere.at_all"]}}
    del before["look_2"]

    renewed = entries_of(CARDS, before)

    assert "gone" not in renewed
    assert renewed["look_2"]["text"] == now["look_2"]["text"]
