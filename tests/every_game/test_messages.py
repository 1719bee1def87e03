"""Every text of a whole game has a message, which gives the text back: other languages rest on it."""

from __future__ import annotations

import pytest

from companion.core.policies import PLAIN, RANDOM
from companion.games import GAMES
from companion.session.messages import catalogue_of
from companion.session.state import load_game
from tests.support.spoken import Texts, texts_of


def without_message(name: str, texts: Texts) -> list[str]:
    """The texts that have no message, or one that is another text; a word alone is a title."""
    catalogue = catalogue_of(load_game(name))
    faults = []
    for use, counts in texts.items():
        for text in counts:
            found = catalogue.find(text, use)
            if found is None and " " in text:
                faults.append(f"{use}: {text}")
            elif found is not None and not catalogue.fill(found) == found.text == text:
                faults.append(f"{found.id} is not: {text}")
    return faults


@pytest.mark.parametrize("name", GAMES)
def test_every_text_of_a_game_has_a_message(name: str) -> None:
    """What is said with its details, the lines of changes, reasons and questions; a text without one needs the catalogue anew."""
    game = load_game(name)
    for policy in (RANDOM, PLAIN):
        texts = texts_of(game, policy, 0)
        assert set(texts) == {"line", "change", "detail", "reason", "prompt"}
        assert without_message(name, texts) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_refusals_have_messages_too(name: str) -> None:
    """What stands against actions and answers, and the cures, in more games; hardly any is made of parts that are not found."""
    game = load_game(name)
    for seed in range(1, 5):
        texts = texts_of(game, RANDOM, seed, refused=True)
        refusals = {use: texts.pop(use) for use in ("error", "cure")}
        assert without_message(name, texts) == []
        assert min(map(len, refusals.values())) > 10
        faults = without_message(name, refusals)
        assert not [fault for fault in faults if " is not: " in fault]
        assert len(faults) <= 0.02 * sum(map(len, refusals.values())), faults


def test_the_message_is_that_of_the_function_that_says_it() -> None:
    """Not of another with words alike: the card game says all its lines itself."""
    from tests.measures.messages import writers

    game = load_game("fallujahcards")
    with writers() as running:
        texts_of(game, RANDOM, 0)
    catalogue, entries = catalogue_of(game), game.tables.messages
    assert len(running) > 20
    for text, functions in running.items():
        found = catalogue.find(text, "line")
        assert found
        places = entries[found.id.partition(".")[2]]["at"]
        assert {place.rpartition(".")[2] for place in places} & functions, (text, found.id, places)
