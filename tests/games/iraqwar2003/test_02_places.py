"""[2.1.1] Places of ground combat units: a hex by its printed digits, or somewhere on the map."""

from __future__ import annotations

import pytest

from companion.core.errors import CompanionError, Illegal, Unreadable
from companion.core.resolver import Answers
from companion.games.iraqwar2003.referee import units_on_map_of
from companion.games.iraqwar2003.state import split_place, units_in
from companion.session.controller import SessionController
from companion.session.store import Archive
from companion.views.board import overview_lines
from tests.games.iraqwar2003.field import FACTS, operations, place


@pytest.fixture
def session(archive: Archive) -> SessionController:
    archive.record_facts("iraqwar2003", FACTS)
    return SessionController.create(archive, "iraqwar2003", dice="physical", draws="physical", seed="1")


def where(session: SessionController, name: str) -> str:
    return next(piece.place for piece in session.position.pieces.values() if piece.name == name)


def test_2_1_1_a_unit_has_a_hex_or_stands_somewhere_on_the_map(session: SessionController) -> None:
    """[2.1.1(1): hexes]"""
    before = [piece.name for piece in units_on_map_of(session.position)]
    session.adjust([("1/3ID", "2231"), ("11D", "2332"), ("2/3ID", "2231")], "as they stand")
    assert (where(session, "1/3ID"), where(session, "11D"), where(session, "51M")) == ("2231", "2332", "map")
    assert [piece.name for piece in units_in(session.position, "2231")] == ["1/3ID", "2/3ID"]
    assert sorted(piece.name for piece in units_on_map_of(session.position)) == sorted(before)
    assert any("hex 2231" in str(line) for line in overview_lines(session))
    session.adjust([("1/3ID", "?")], "not visible")
    assert where(session, "1/3ID") == "map" and not units_in(session.position, "map")
    session.undo()
    assert where(session, "1/3ID") == "2231"


@pytest.mark.parametrize("text", ["231", "22310", "22 31", "2231a"])
def test_2_1_1_invalid_hexes_are_refused_with_the_cure(session: SessionController, text: str) -> None:
    with pytest.raises(Unreadable, match="the game has no place"):
        session.adjust([("1/3ID", text)], "a slip")
    assert where(session, "1/3ID") == "map"


def test_2_1_1_only_ground_units_stand_in_hexes(session: SessionController) -> None:
    for what in ("B-1", "comm radio 1", "new:roads:1321"):
        with pytest.raises(Illegal, match=r"2\.1\.1\(1\)"):
            session.adjust([(what, "1321")], "a slip")


def test_2_1_1_a_place_can_follow_a_unit_wherever_one_is_named(session: SessionController) -> None:
    session.adjust([("new:unit:us 3/9ID 6-5-8 art:4@2", "3241")], "one more")
    assert where(session, "3/9ID") == "3241"
    session.do("units", Answers([("units", "us 9/9ID 6-5-8/4-3-8 div:9ID @2231, iraq 6A 3-4-4/2-2-4 big art:2@1")]))
    assert (where(session, "9/9ID"), where(session, "6A")) == ("2231", "map")
    session.do("stack", Answers([("units", "1/3ID @2230, 2/3ID, 6A@?")]))


def test_2_1_1_a_unit_is_named_with_its_hex_in_passing() -> None:
    table = operations()
    table.do("move", "units=1/3ID @2230, 2/3ID @2230", "way=stay", "attack=11D @2331", "orientation:low=1421",
             "side:2230-2331=none", "terrain=plain", "with=1/3ID, 2/3ID", "support=none", "counter=none",
             dice=[3], accept=True)  # fmt: skip
    assert place(table, "1/3ID") == "2230" and place(table, "3/3ID") == "map"
    assert place(table, "11D") in ("2331", "removed")


@pytest.mark.parametrize(
    ("text", "split"),
    [
        ("1/3ID @2231", ("1/3ID", "2231")),
        ("1/3ID@?", ("1/3ID", "map")),
        ("us Gun 2-1-8 art:3@2", ("us Gun 2-1-8 art:3@2", "")),
        ("us Gun 2-1-8 art:3@2 @0807", ("us Gun 2-1-8 art:3@2", "0807")),
        ("us Gun 2-1-8 art:3@2@0807", ("us Gun 2-1-8 art:3@2", "0807")),
        ("51M", ("51M", "")),
    ],
)
def test_2_2_9_the_range_of_artillery_is_not_read_as_a_place(text: str, split: tuple[str, str]) -> None:
    assert split_place(text) == split


@pytest.mark.parametrize("text", ["1/3ID @231", "1/3ID @", "@2231", "1/3ID @Najaf"])
def test_2_1_1_invalid_places_are_unreadable(text: str) -> None:
    with pytest.raises(Unreadable) as fault:
        split_place(text)
    assert fault.value.cure


def test_2_1_1_a_bad_place_is_a_refusal_at_the_table(session: SessionController) -> None:
    with pytest.raises(CompanionError):
        session.do("stack", Answers([("units", "1/3ID @12")]))
