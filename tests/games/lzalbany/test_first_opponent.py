"""The opponent of before, which others are measured against: its lists of priorities, as they were."""

from __future__ import annotations

from companion.games.lzalbany.first.first_advice import (
    combat_advice,
    dustoff_advice,
    flare_advice,
    hit_advice,
    landing_advice,
    lift_advice,
    moves_advice,
    retreat_advice,
    target_advice,
    unit_target_advice,
    weapon_advice,
)
from companion.games.lzalbany.rules.r06_movement import Movers
from companion.games.lzalbany.rules.r08_hits import Target
from tests.games.lzalbany.field import Field


def test_it_fires_where_it_pays() -> None:
    """[7.3] Reduced units first; no fire that costs more than it brings."""
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7", "co/A/2-7")
    field.put("e2", "1/1/1/33", hits=3)
    field.put("d1", "2/1/1/33", "3/1/1/33")

    target = target_advice(field.referee, "US", ["d1", "e2"], "fire", "d2")
    assert target is not None
    assert (target.choice, target.name) == ("e2", "e2")
    assert [one.name for one in target.passed] == ["d1"]
    lone = Field()
    lone.put("e1", "4/A/2-7", hits=3)
    lone.put("d1", "1/1/1/33", "2/1/1/33", "3/1/1/33")
    held = combat_advice(lone.referee, "US", "ab27", ["e1"])
    assert held is not None
    assert held.choice == "done"


def test_it_seeks_melees_with_good_odds_only() -> None:
    """[7.2]"""
    field = Field()
    field.put("e2", "1/1/1/33", "2/1/1/33", "3/1/1/33")
    field.put("d2", "1/A/2-7")
    movers = Movers(field.referee, "NVA", "33").all
    assert moves_advice(field.referee, "NVA", movers).choice == "1/1/1/33 2/1/1/33 3/1/1/33 > d2"
    field.put("d2", "2/A/2-7", "3/A/2-7", "co/A/2-7")
    assert "> d2" not in moves_advice(field.referee, "NVA", Movers(field.referee, "NVA", "33").all).choice


def test_it_leaves_a_hopeless_melee() -> None:
    """[7.2(4)] At worse than one to two."""
    field = Field()
    field.put("e2", "4/A/2-7", "1/1/1/33", "2/1/1/33", "3/1/1/33")
    away = retreat_advice(field.referee, "US", "e2")
    assert away is not None
    assert away.choice.startswith("4/A/2-7 > ")
    stay = retreat_advice(field.referee, "NVA", "e2")
    assert stay is not None
    assert stay.choice == "none"


def test_hits_are_placed_with_reasons() -> None:
    """[8.1] The enemy where it scores, one's own where it does not."""
    field = Field()
    targets = [Target("NVA", name="fresh"), Target("NVA", hits=2, name="shaken"), Target("NVA", hits=1, name="hit")]
    first, own = hit_advice(field.referee, "first_hit", targets), hit_advice(field.referee, "hit", targets)
    assert first is not None
    assert own is not None
    assert (first.name, own.name) == ("shaken", "hit")
    assert first.because[0] == "the hit scores most: shaken"


def test_its_support() -> None:
    """[7.5, 7.6, 7.7, 6.3, 6.4, 11.2] Targets, weapons, Dust Off, flares."""
    field = Field()
    field.put("e2", "1/1/1/33", "2/1/1/33", "3/1/1/33")
    field.put("b5", "1/6/8/66", hits=3)
    field.put("d2", "1/A/2-7")
    game = field.referee
    units = [field.piece(name) for name in ("1/1/1/33", "1/6/8/66")]
    choices = {
        "artillery": target_advice(game, "US", ["e2", "b5"], "artillery"),
        "gunship": unit_target_advice(game, units),
        "weapon": weapon_advice(game, "e2"),
        "other weapon": weapon_advice(game, "b5"),
        "flare": flare_advice(game),
    }
    assert {key: advice.name for key, advice in choices.items() if advice} == {
        "artillery": "b5",
        "gunship": "1/6/8/66",
        "weapon": "napalm",
        "other weapon": "bombs",
        "flare": "e2",
    }
    field.wounded("albany", "1/C/2-7")
    field.wounded("albany", "2/C/2-7")
    field.wounded("d1", "3/C/2-7")
    field.put("airlift", "1/B/1-5", "2/B/1-5", "3/B/1-5")
    game = field.referee
    out, landing = dustoff_advice(game, ["evacuate", "airlift"]), landing_advice(game, ["albany", "d1"])
    assert out is not None
    assert landing is not None
    assert (out.choice, landing.choice) == ("evacuate", "albany")
    assert lift_advice(game, game.position.at("airlift")).choice == "1/B/1-5 2/B/1-5 3/B/1-5 > albany"
