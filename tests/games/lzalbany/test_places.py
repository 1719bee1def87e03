"""[2.2] Places: the boxes are listed, the areas are the owner's own. A slip in a name is seen, a new area is not refused."""

from __future__ import annotations

import pytest

from companion.core.errors import RuleFault, Unreadable
from companion.core.position import Position
from companion.session.adjust import apply_changes
from tests.games.lzalbany.field import Field


def adjusted(field: Field, *changes: tuple[str, str]) -> Position:
    return apply_changes(field.game, field.options, field.position, changes, "as on the table")[0].position


def place_of(name: str, position: Position) -> str:
    return next(piece.place for piece in position.pieces.values() if piece.name == name)


@pytest.mark.parametrize("change", [("1/A/2-7", "z9"), ("new:unit:A/2-7 9 inf 2-3/1-2", "z9"), ("1/A/2-7", '"evacuatd"')])
def test_an_unknown_area_is_refused_with_a_cure(change: tuple[str, str]) -> None:
    """[2.2] Be it an area or a box that is misspelt."""
    with pytest.raises(Unreadable, match="the game has no place") as caught:
        adjusted(Field(), change)

    place = change[1].strip('"')
    assert f"flag:named:{place} yes" in caught.value.cure


def test_an_entered_area_is_accepted() -> None:
    """[2.2] An empty area, a box by a prefix of its name, and an area entered with the same correction."""
    field = Field()

    assert place_of("1/A/2-7", adjusted(field, ("1/A/2-7", "a5"))) == "a5"
    assert place_of("1/A/2-7", adjusted(field, ("1/A/2-7", "evac"))) == "evacuated"
    assert place_of("1/A/2-7", adjusted(field, ("flag:named:z9", "yes"), ("1/A/2-7", "z9"))) == "z9"
    with pytest.raises(Unreadable, match="no place 'z9'"):
        adjusted(field, ("1/A/2-7", "z9"), ("flag:named:z9", "yes"))


def test_an_area_that_was_named_once_stays_known() -> None:
    """[2.2] On a map that is not entered: an area named by an order is announced once, also after its counter has left."""
    field = Field(map="own")
    field.do("arrange", "where=1/A/2-7 > q7")
    assert field.says("q7 is a new name on your map")
    field.do("arrange", "where=1/A/2-7 > albany; 2/A/2-7 > q7")
    assert not field.says("new to Companion")
    field.do("arrange", "where=2/A/2-7 > albany")

    assert place_of("1/A/2-7", adjusted(field, ("1/A/2-7", "q7"))) == "q7"


def test_a_slip_in_the_rules_is_seen_on_trial() -> None:
    """[2.2] A procedure that moves a counter to a box or an area that there is not."""
    field = Field()
    piece = field.piece("1/A/2-7").id
    referee = field.game.new_referee(field.position, field.options, trial=True)

    referee.move(piece, "a5", "2.2")
    with pytest.raises(RuleFault, match="no place 'elimnated'"):
        referee.move(piece, "elimnated", "8.2")
