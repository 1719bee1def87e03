"""Level ``hard``: what it compares beyond the usual candidates; and the figures that values are fitted on."""

from __future__ import annotations

import pytest

from companion.core.match import Match
from companion.core.policies import RandomStream
from companion.games.lzalbany.ai.features import plain_features
from companion.games.lzalbany.ai.planner import Planner
from companion.games.lzalbany.rules.r06_movement import Movers
from companion.session.facts import practice_facts
from tests.games.lzalbany.field import Field
from tests.games.lzalbany.test_players import GAME, PLAYERS


def ambush() -> Field:
    """A US stack in reach of two NVA stacks."""
    field = Field(3)
    field.put("d2", "1/A/2-7", "2/A/2-7", hits=2)
    field.put("c2", "1/6/8/66", "co/6/8/66")
    field.put("d1", "1/7/8/66", "2/7/8/66")
    return field


def test_hard_compares_several_sets_of_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """[6.2] The planner's own, a cautious one, one that keeps together, and staying; without a change the first alone."""
    field = ambush()
    data = field.referee.data
    monkeypatch.setitem(data.side_weights, "NVA", {**data.weights("NVA"), "begun_melee": 0.0})
    data.valuations = None
    planner, movers = Planner(field.referee, "NVA"), Movers(field.referee, "NVA", "66").all

    usual, thorough = planner.moves(movers), planner.moves(movers, thorough=True)

    assert not usual.others
    assert thorough.best.decision == usual.best.decision == "1/6/8/66 co/6/8/66 1/7/8/66 2/7/8/66 > d2"
    sets = [candidate.decision for candidate in thorough.others]
    assert "none" in sets and len(set(sets)) == len(sets) >= 2
    assert any("> d2" not in orders and orders != "none" for orders in sets)


def test_only_hard_plays_on_from_more_than_two() -> None:
    """[5.2A] Every group and action within the range; the usual level compares the best two."""
    compared = {}
    for level in ("normal", "hard"):
        options = {**GAME.default_options(""), "map": "practice", "us": level, "nva": "player"}
        match = Match(GAME, options, {}, RandomStream("x"), practice_facts(GAME), ambush().position)
        referee = GAME.new_referee(match.position, options)
        plan = referee._recommended(lambda planner: planner.group(["ab27", "cd27"]), "US", 1, str)  # type: ignore[attr-defined]
        compared[level] = len(plan.compared)

    assert compared["normal"] <= 2 < compared["hard"]


def test_features_of_both_sides_mirror_each_other() -> None:
    """What is the US's own is the NVA's foe's; fire strengths, hits, points and LZ Albany are counted."""
    field = ambush()
    field.put("albany", "3/6/8/66")
    field.set(us_vp=4, nva_vp=9)
    us, nva = (plain_features(field.position, side) for side in ("US", "NVA"))

    assert us["own hit twice"] == nva["foe hit twice"] == 2
    assert nva["own fresh"] == us["foe fresh"] == 4
    assert us["foe in albany"] == nva["own in albany"] == field.piece("3/6/8/66").number("fire")
    assert (us["lead"], nva["lead"], us["turns"]) == (-5, 5, 8)
    both = [PLAYERS.features(field.position, field.options, seat) for seat in PLAYERS.seats]
    assert us.items() <= both[0].items() and nva.items() <= both[1].items()
    assert both[0]["standing_by_certainty"] == -both[1]["standing_by_certainty"] != 0
    assert both[0]["standing_by_certainty"] == PLAYERS.value(field.position, field.options, "us") / 8**0.5
    swapped = {name.replace("own", "?").replace("foe", "own").replace("?", "foe"): value for name, value in nva.items()}
    assert {name: value for name, value in us.items() if name not in ("lead", "own vp")} == {
        name: value for name, value in swapped.items() if name not in ("lead", "foe vp")
    }
