"""A fact of the tables reaches everything that is made of it: the play, the odds and the game in numbers."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from companion.session.files import tables_dir
from tests.games.fallujahcards.dealt import Dealt

SUPPORT = 'S = ["Support", "American", "Asset", true, "no"]'
HAND, TARGET = ["AC-130 Slayer", "Grunts"], ["Jihadists"]


def outlook() -> tuple[list[str], float, int]:
    """With a Support card of force 5 in the hand: what can be played against Jihadists, the chance at the next card that the
    hand stops it, and how many kinds of cards stop Jihadists in the game in numbers.
    """
    table = Dealt(hand=HAND, deck=TARGET)
    sections = dict(table.odds("next").sections)
    able = dict(sections["It is"]).get("a Target that the hand can stop", 0.0)
    table.turn(draws=TARGET, accept=True)
    asked = [choice.value for request in table.asked if request.key == "destroy" for choice in request.legal_choices()]
    model = table.game.priorities(table.options).model
    jihadists = next(number for number, kind in enumerate(model.kinds) if kind.settled == "Destroy" and kind.force == 4)
    return asked, able, sum(model.able[jihadists])


def test_uses_of_support_are_defined_in_one_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """[Destroy] Support that may not destroy any more: it is not offered, the odds know it, and so does the model."""
    before = outlook()
    folder = tmp_path / "tables"
    shutil.copytree(tables_dir(), folder)
    chart = folder / "fallujahcards" / "charts" / "types.toml"
    assert SUPPORT in chart.read_text()
    chart.write_text(chart.read_text().replace(SUPPORT, SUPPORT.replace("true", "false")))
    monkeypatch.setenv("COMPANION_TABLES", os.fspath(folder))
    after = outlook()

    assert before[:2] == (["AC-130 Slayer", "decline"], 1.0)
    assert after[:2] == ([], 0.0)
    assert after[2] == before[2] - 2  # Support of force 4 and of force 5


def support_value() -> float:
    """The planner's value of Support of force 5 alone in the hand, with ten cards left in the deck."""
    table = Dealt(hand=HAND, deck=TARGET)
    values = table.game.hand_values(table.options)
    model = values.model
    kind = next(
        kind
        for kind in model.kinds
        if kind
        == table.game.new_referee(table.position, table.options).kind(
            next(piece for piece in table.position.pieces.values() if piece.name == HAND[0])
        )
    )
    return values.hand((model.code[kind],), 10)


def test_a_chart_cell_changes_the_planners_value_of_a_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """[Destroy] Support that may not destroy any more is worth less in the hand."""
    before = support_value()
    folder = tmp_path / "tables"
    shutil.copytree(tables_dir(), folder)
    chart = folder / "fallujahcards" / "charts" / "types.toml"
    chart.write_text(chart.read_text().replace(SUPPORT, SUPPORT.replace("true", "false")))
    monkeypatch.setenv("COMPANION_TABLES", os.fspath(folder))
    assert support_value() < before - 1
