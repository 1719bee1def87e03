"""How the opponent sets up: the style found for a roster and a map, or one chosen by whole games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from companion.core.match import Match
from companion.core.policies import RandomStream
from companion.core.rollouts import LEVELS
from companion.games.lzalbany.ai import setups
from companion.games.lzalbany.ai.planner import Planner
from companion.session.facts import practice_facts
from tests.games.lzalbany.field import Field
from tests.games.lzalbany.test_players import GAME, PLAYERS

TABLES = GAME.tables.bot


def begun(facts: Mapping[str, str], think: int, **options: str) -> Match:
    """A game after its set-up, both sides placed by the opponent."""
    chosen = {**GAME.default_options(""), "map": "practice", "us": "companion", "nva": "companion", **options}
    seats = {seat: PLAYERS.policy(seat, "bot") for seat in PLAYERS.seats}
    match = Match(GAME, chosen, seats, RandomStream("styles"), facts, think=dict.fromkeys(seats, think), keep=True)
    match.begin()
    match.act()
    return match


def thoughts(match: Match) -> list[Any]:
    assert match.story
    return [reply.value for reply in match.story[-1].replies if reply.kind == "think"]


def placed(match: Match, side: str) -> dict[str, str]:
    return {piece.name: piece.place for piece in match.position.of_kind("unit") if piece.values["side"] == side}


def test_the_digest_is_of_counters_and_ground_only() -> None:
    """Hits, moves and points do not change it; a strength or a terrain does."""
    field = Field()
    digest = setups.setup_digest(field.position)

    field.put("d2", "1/A/2-7", hits=2)
    field.set(us_vp=7)
    assert setups.setup_digest(field.position) == digest
    field.change("1/A/2-7", values={**field.piece("1/A/2-7").values, "fire": 4})
    assert setups.setup_digest(field.position) != digest
    other = Field(map="valley")
    assert setups.setup_digest(other.position) != digest


def test_every_set_up_found_names_styles() -> None:
    for found in TABLES["setups"].values():
        for side, style in found.items():
            assert style in TABLES["styles"][side]


def test_the_style_found_is_taken_without_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    field = Field()
    found = {setups.setup_digest(field.position): {"us": "far back", "nva": "massed"}}
    monkeypatch.setitem(field.referee.data.ai["setups"], *found.popitem())

    assert not Planner(field.referee, "US").set_up().rivals
    assert setups.style_of(field.referee, "US") == "far back"
    assert setups.style_of(field.referee, "NVA") == "massed"


def test_a_style_moves_the_us_back_from_lz_albany(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = practice_facts(GAME)  # the sample roster fills every start area
    digest = setups.setup_digest(begun(facts, 0).position)
    monkeypatch.setitem(TABLES["setups"], digest, {"us": "near LZ Albany", "nva": "near the enemy"})
    near = begun(facts, 1)
    monkeypatch.setitem(TABLES["setups"], digest, {"us": "far back", "nva": "near the enemy"})
    back = begun(facts, 1)
    assert not thoughts(near) and not thoughts(back)
    graph = Field().referee.map

    def distance(position: Any) -> int:
        units = [piece for piece in position.of_kind("unit") if piece.values["side"] == "US" and piece.number("turn") == 1]
        return sum(graph.distance(piece.place, "albany") for piece in units)

    assert distance(back.position) > distance(near.position)


@pytest.mark.slow
def test_an_unknown_roster_is_set_up_by_whole_games() -> None:
    """All styles are played on to the end; the choice is stored, and kept on the position if it is not the usual one."""
    facts = {**practice_facts(GAME), "roster:B/1-5": "1 inf 2-3/1-2"}

    match = begun(facts, 1)
    for side, (choice, *rows) in zip(("us", "nva"), thoughts(match), strict=True):
        names = list(TABLES["styles"][side])
        assert sorted(row[0] for row in rows) == sorted(names)
        assert all(row[8] is not None for row in rows)  # the chance to win is known of finished games only
        assert match.position.flag(f"style:{side}") == (names[choice] if choice else None)
    again = begun(facts, 1)
    assert thoughts(again) == thoughts(match)
    assert placed(again, "US") == placed(match, "US")


def test_easy_takes_the_usual_style() -> None:
    """An easy opponent errs in moves, never in its set-up."""
    assert LEVELS["easy"].slips
    match = begun({}, 1, us="easy", nva="easy")

    assert not [key for key in match.position.flags if key.startswith("style:")]
