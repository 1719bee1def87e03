"""The ends of each track, as rulebook, components and scenario print them; what none of them prints is open."""

from __future__ import annotations

import json

import pytest

from companion.core.position import Position
from companion.games import GAMES
from companion.session.database import practice_path
from companion.session.state import SessionState, load_game
from companion.session.store import Archive
from tests.support.commands import companion

ENDS: dict[str, dict[str, tuple[int | None, int | None]]] = {
    "fallujah2004": {
        "ops": (0, None),  # 8.1: the game ends at 0; no highest value is printed
        "kia": (None, None),  # 21.2: negative on the reverse side of the marker
        "morale": (0, 3),  # 9.1: Low to Fanatic
        "operations": (0, None),
    },
    "phantomfury": {
        "turn": (1, 5),  # 7.0: sixteen; the corner for practice has five
        "phase": (0, 5),  # 8.0
        "vp": (None, None),  # 7.0: negative on the reverse side of the markers
        "uav": (0, 4),  # 9.3
        "ah1w": (0, 2),
        "fa18": (0, 1),
    },
    "fallujahcards": {"turn": (0, 92)},  # one card at least each turn
    "iraqwar2003": {
        "turn": (1, 12),  # the boxes of the Turn Track, a printed fact
        "cp": (0, 6),  # 11.1: the die, or the Radio boxes
        "kuwait": (0, 1),  # 15.2: once each turn
        "sahaf": (0, None),  # 16.1(6)
    },
    "lzalbany": {"turn": (1, 10), "us_vp": (0, None), "nva_vp": (0, None), "flares": (0, 8)},  # 3.1, 4.1, 11.2
}


@pytest.mark.parametrize("game_id", GAMES)
def test_the_ends_of_each_track_are_those_of_the_game_in_play(game_id: str) -> None:
    companion("practice", game_id, "--seed", "1")
    with Archive.open_existing(practice_path("")) as archive:
        session = SessionState.open(archive)
        facts = session.log.facts()
        ends = {track: tuple(session.game.track_ends(track, session.position, facts)) for track in session.game.tracks}
    assert ends == ENDS[game_id]


def test_without_its_printed_number_of_boxes_the_turn_track_is_open() -> None:
    assert tuple(load_game("iraqwar2003").track_ends("turn", Position(), {})) == (1, None)


@pytest.mark.parametrize(
    ("game_id", "track", "value", "cure"),
    [
        ("fallujah2004", "ops", "-5", "It can be: 0 or more. Like this: companion adjust ops 65"),
        ("phantomfury", "turn", "6", "It can be: 1 to 5. Like this: companion adjust turn 1"),
        ("iraqwar2003", "cp", "7", "It can be: 0 to 6. Like this: companion adjust cp 0"),
    ],
)
def test_a_script_is_refused_and_can_insist(game_id: str, track: str, value: str, cure: str) -> None:
    companion("practice", game_id, "--seed", "1")
    refused = companion("adjust", track, value)
    assert refused.code == 1 and "if it lies so on the table: --anyway" in " ".join(refused.err.split())
    assert cure in " ".join(refused.err.split())

    assert companion("adjust", track, value, "--anyway", "--json").code in (0, 3)
    assert json.loads(companion("show", track, "--json").out)["tracks"] == {track: int(value)}


def test_an_end_that_is_not_printed_is_named() -> None:
    companion("practice", "fallujah2004", "--seed", "1")

    assert "* the rules name no highest value of OPs, so 100 is not checked" in companion("adjust", "ops", "100").out
    assert "* the rules name no lowest value of KIA, so -5 is not checked" in companion("adjust", "kia", "-5").out


@pytest.mark.parametrize(
    ("game_id", "track", "names"),
    [
        ("fallujah2004", "morale", "Low, Medium, High, Fanatic"),
        ("phantomfury", "phase", "Support, USMC Reinforcements, Fire Combat, Movement, Assault, Reorganisation"),
    ],
)
def test_values_with_names_are_named_and_taken(game_id: str, track: str, names: str) -> None:
    companion("practice", game_id, "--seed", "1")

    assert f"It can be: {names}. Like this: companion adjust {track} " in " ".join(companion("adjust", track, "9").err.split())
    assert names in " ".join(companion("show", track).out.split())
    for name in names.split(", ")[::-1]:
        assert name in companion("adjust", track, name).out and name in companion("show", track).out
