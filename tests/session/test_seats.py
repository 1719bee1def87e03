"""Who plays each seat, and from which seats a decision can be given."""

from __future__ import annotations

import pytest

from companion import api
from companion.session.seats import Seat, open_to, seats_of
from companion.session.state import load_game


def test_seats_have_titles_players_and_controllers() -> None:
    game = load_game("lzalbany")

    assert seats_of(game, {"players": "Ann, Bob", "nva": "companion"}) == (
        Seat("us", "US", "Ann", "player"),
        Seat("nva", "NVA", "Bob", "companion"),
    )
    assert seats_of(game, {"players": "Ann"})[0].player == ""
    assert seats_of(load_game("fallujah2004"), {"players": "Ann, Bob, Cid"}) == (
        Seat("player", "Player", "Ann, Bob, Cid", "player"),
    )


@pytest.mark.parametrize(
    ("us", "nva", "deciding", "expected"),
    [
        ("player", "player", ["nva"], ("nva",)),
        ("player", "player", ["us", "nva"], ("us", "nva")),
        ("companion", "player", ["us"], ("nva",)),
        ("companion", "player", ["us", "nva"], ("nva",)),
        ("companion", "companion", ["us"], ("us", "nva")),
    ],
)
def test_a_decision_of_companions_seat_is_given_from_those_of_people(
    us: str, nva: str, deciding: list[str], expected: tuple[str, ...]
) -> None:
    """An opponent that proposes needs a person's Enter; if Companion plays both, anybody gives it."""
    assert open_to(load_game("lzalbany"), {"us": us, "nva": nva}, deciding) == expected


def test_a_program_sees_the_seats() -> None:
    session = api.open_archive(":memory:", practice=True).begin("iraqwar2003", seed=1, scenario="war")

    assert [(seat.id, seat.title) for seat in session.seats] == [("coalition", "Coalition"), ("iraq", "Iraq")]
    assert {action.seat for action in session.legal} == {"coalition"}
    assert api.game("lzalbany").seats == {"us": "US", "nva": "NVA"}
    question = api.open_archive(":memory:").begin("fallujahcards", draws="physical").do("turn").question
    assert question and question.seat == "player"
