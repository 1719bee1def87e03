"""The texts of the program have none of the faults that a script can find."""

from __future__ import annotations

import pytest

from companion.games import GAMES
from tests.support import texts


@pytest.mark.parametrize("part", texts.PARTS)
def test_modules_and_tables_have_no_faults(part: str) -> None:
    assert texts.source_faults(part) == []


@pytest.mark.parametrize("part", GAMES)
def test_games_print_no_faults(part: str) -> None:
    """Results, questions and refusals of random games."""
    assert texts.played_faults(part) == []


@pytest.mark.parametrize(
    ("kind", "text", "fault"),
    [
        ("text", "there are no odds for '{request.key}'", "shown request key"),
        ("text", "lost_at of the squad", "inner key"),
        ("text", "{} hits", "a number without plural()"),
        ("played", "HVT 3(4) <=3", "a relation instead of dice"),
        ("played", "Air support: 1 columns for the attacker.", "1 with a plural"),
        ("played", "11D takes 2 hit.", "many with a singular"),
        ("played", "unit(s) lost", "singular and plural in brackets"),
        ("played", "Squad 5: fired yes: has Fired", "a mark with its value"),
        ("played", "1/A/2-7: hits off", "a mark with its value"),
        ("played", "The force moves on..", "doubled or misplaced signs"),
        ("prompt", "Which units form the force", "a question that does not ask"),
        ("gist", "Heading.", "no sentence"),
        ("gist", "And never with a squad.", "no subject"),
        ("ruling", "One, drawn at random", "no end"),
    ],
)
def test_a_fault_is_found(kind: str, text: str, fault: str) -> None:
    assert f"{fault}: {text}" in texts.faults_in([texts.Line("", text, kind)], texts.FAULTS)


def test_names_of_sides_have_a_capital_letter() -> None:
    fault = texts.sides_fault(["Red Force", "Blue"])
    assert fault.find("the blue units") == "blue"
    assert not fault.find("the Blue units") and not fault.find("Add side=blue or type 'blue'")
