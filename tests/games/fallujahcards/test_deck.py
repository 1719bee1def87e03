"""The cards and what the rules make of each."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.games import make_game
from companion.games.fallujahcards.state import Kind, kind_of, stops
from companion.session.tables import load
from tests.games.fallujahcards.dealt import Dealt

TABLES = load("fallujahcards")
TYPES = TABLES.charts["types"]
TOTALS = {
    "N": (8, 8, 0),
    "I": (7, 14, 40),
    "P": (5, 10, 30),
    "X": (5, 10, 30),
    "T": (8, 8, 0),
    "G": (5, 10, 30),
    "A": (5, 10, 30),
    "S": (9, 10, 30),
    "R": (7, 7, 0),
    "D": (5, 5, 0),
}


def kind(letter: str, force: int = 0) -> Kind:
    return kind_of(letter, force, TYPES)


def test_t1_totals_of_the_deck() -> None:
    """[Card List, The Deck] 64 names, 92 cards: 42 of force 100 on one side, 50 of force 90 on the other.
    [The Deck: sides] [Card List: dash]
    """
    cards = Dealt().position.at("deck")
    names, counts, forces = Counter(), Counter(), Counter()
    for card in {card.name: card for card in cards}.values():
        names[card.values["type"]] += 1
    for card in cards:
        counts[card.values["type"]] += 1
        forces[card.values["type"]] += card.number("force")

    assert {letter: (names[letter], counts[letter], forces[letter]) for letter in TOTALS} == TOTALS
    assert (sum(names.values()), len(cards), sum(forces.values())) == (64, 92, 190)
    assert sum(counts[letter] for letter in "NIPX") == 42
    assert sum(forces[letter] for letter in "NIPX") == 100
    assert sum(counts[letter] for letter in "TGASRD") == 50
    assert sum(forces[letter] for letter in "TGASRD") == 90


def test_names_have_unique_prefixes() -> None:
    """[Card List] No card's name is another's beginning, so that a prefix can always be unique; Humvee is typed in full."""
    names = [card["name"].casefold() for card in TABLES.counters["card"]]

    assert len(set(names)) == 64
    assert [(name, longer) for name in names for longer in names if name != longer and longer.startswith(name)] == []


def test_forces_are_those_of_the_card_list() -> None:
    """[Card List] A few that are easy to misread: where names and notes ran together."""
    cards = {card["name"]: card for card in TABLES.counters["card"]}

    assert (cards["Sniper Team"]["force"], cards["Sniper Team"]["count"]) == (2, 2)
    assert cards["Forward Air Controller"]["force"] == 4
    assert cards["Fire Support Team"]["force"] == cards["AC-130 Slayer"]["force"] == 5
    assert cards["Mortars"]["force"] == cards["Forward Observer"]["force"] == 1
    assert cards["M1 Abrams Tank"]["note"] == "120mm Main Gun"
    assert "force" not in cards["Robot"]


@pytest.mark.parametrize(
    ("letter", "force", "destroys_3", "disarms_3"),
    [
        ("G", 3, True, True),
        ("G", 2, False, False),
        ("A", 5, True, True),
        ("A", 2, False, False),
        ("S", 3, True, False),
        ("S", 5, True, False),
        ("D", 0, False, True),
        ("R", 0, False, False),
        ("T", 0, False, False),
    ],
)
def test_cards_that_stop_each_target(letter: str, force: int, destroys_3: bool, disarms_3: bool) -> None:
    """[Destroy, Disarm] By force; Support does not disarm, a Disarm card always does (rulings C-12, C-13).
    [Destroy: types] [Disarm: force]
    """
    card = kind(letter, force)

    assert stops(card, kind("I", 3)) == stops(card, kind("P", 3)) == destroys_3
    assert stops(card, kind("X", 3)) == disarms_3
    assert not stops(card, kind("N"))


def test_infantry_and_armor_are_worth_the_same_to_the_bot() -> None:
    """The rules cannot tell them apart, so the priorities must not."""
    assert TABLES.bot["keep"]["G"] == TABLES.bot["keep"]["A"]
    assert kind("G", 4) == kind("A", 4)


def test_the_set_up_is_a_full_deck_and_an_empty_hand() -> None:
    """[The Deck] Ruling C-4: nothing is dealt. [The Deck: hand]"""
    table = Dealt()

    assert {place: len(cards) for place, cards in table.position.places().items()} == {"deck": 92}
    assert table.score.total == 100
    assert make_game("fallujahcards", TABLES).over(table.position) == ""
