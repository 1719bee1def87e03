"""The texts of the program have none of the faults that a script can find."""

from __future__ import annotations

import pytest

from companion.games import GAMES
from tests.support import voice


@pytest.mark.parametrize("part", voice.PARTS)
def test_texts_have_no_faults(part: str) -> None:
    """Modules and tables have no faults but the listed ones, and no listed fault has gone."""
    listed = [line for line in voice.known(part) if not line.startswith("in play, ")]
    assert voice.still_wrong(part) == listed, f"put it right, or: python -m tests.support.voice {part} --write"


@pytest.mark.parametrize("part", GAMES)
def test_play_prints_no_faults(part: str) -> None:
    """What random games say, ask and refuse."""
    assert [line for line in voice.played_wrong(part) if line not in voice.known(part)] == []


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
    assert f"{fault}: {text}" in voice.wrong([voice.Line("", text, kind)], voice.FAULTS)


def test_sides_are_names() -> None:
    fault = voice.sides_fault(["Red Force", "Blue"])
    assert fault.found("the blue units") == "blue"
    assert not fault.found("the Blue units") and not fault.found("Add side=blue or type 'blue'")
