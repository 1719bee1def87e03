"""Screening: constants at random levels, decisions repeated with another candidate, single changes until a test decides."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.match import Match
from companion.core.policies import RandomStream
from companion.games import make_game
from companion.session.tables import load
from tests.measures import screening
from tests.measures.screening import (
    CHANGE,
    CONSTANTS,
    DECISIONS,
    Setting,
    Study,
    change_decision,
    changed_game,
    constants,
    decision_values,
    decisions,
    drawn_levels,
    main_effects,
    measure,
    shown,
)
from tests.support.paired import Test
from tests.support.regression import Effect
from tests.support.tiny_rival import TinyRival

NAMES = ("melee", "friends", "hope", "dead")
TRUTH = {"melee": 2.0, "friends": -1.0, "hope": 0.5, "dead": 0.0}


def setting(kind: str, seed: str = "s") -> Setting:
    policies = (("coalition", "bot"), ("iraq", "plain"))
    return Setting("iraqwar2003", "", (), "coalition", policies, seed, kind)


def test_known_effects_are_recovered_within_their_errors() -> None:
    """Forty studies of 60 lucks: each luck adds 10 VP of its own to both games, which must cancel; 95 % of the intervals hold."""
    random, inside = Random(1), 0
    for study in range(40):
        one, rows = setting(CONSTANTS, str(study)), {}
        for number in range(1, 61):
            effect = sum(TRUTH[name] * level for name, level in zip(NAMES, drawn_levels(one, number, 4), strict=True))
            luck = random.gauss(0, 10)
            rows[number] = [luck + effect + random.gauss(0, 2), luck - effect + random.gauss(0, 2)]
        found = dict(main_effects(one, NAMES, rows))
        inside += sum(abs(effect.value - TRUTH[name]) < 2 * effect.error for name, effect in found.items())
        assert all(effect.error < 0.35 for effect in found.values())

    assert inside / 160 > 0.90


def test_main_effects_come_in_order_and_leave_failures_out() -> None:
    one = setting(CONSTANTS)
    rows: dict[int, list[float]] = {
        number: [3 * levels[1] + 0.01 * (number % 3), -3 * levels[1]]
        for number in range(1, 40)
        for levels in [drawn_levels(one, number, 4)]
    }
    found = main_effects(one, NAMES, {**rows, 40: []})

    assert found[0][0] == "friends" and found[0][1].value == pytest.approx(3, abs=0.01)
    with pytest.raises(ValueError, match="4 rows for 5 weights"):
        main_effects(one, NAMES, {number: rows[number] for number in range(1, 5)})


@pytest.mark.parametrize("better", [0.0, 0.2])
def test_a_change_that_is_none_is_seldom_taken(better: float) -> None:
    """Margins of luck alone: at most about one of twenty is called at least 60 %; one that wins 70 % is nearly always."""
    test, random, taken = Test(0.5, 0.6), Random(f"x{better}"), 0
    test_decide = lru_cache(maxsize=None)(lambda *counts: Test.decide(test, dict(counts)))

    class Cached(Test):
        def decide(self, counts: Any) -> str:
            return str(test_decide(*sorted(counts.items())))

    cached = Cached(*test)
    for _ in range(120):
        decided, rows = "", {}
        while not decided:
            start = len(rows)
            rows |= {number: [float(random.random() < 0.5 + better), 0.5] for number in range(start + 1, start + 41)}
            decided, margins = change_decision(rows, cached)
        assert len(margins) > start
        taken += decided == "high"

    assert taken <= 13 if not better else taken >= 110  # 5 % of 120 and three standard errors


def test_another_candidate_is_worth_what_it_gives(tiny_game: str) -> None:
    """[2.2] Of the rival's choices the third takes two supplies for certain; the first takes none."""
    supplies = []
    for forced in ((-1, 0), (0, 2), (1, 2)):
        game = TinyRival(load(tiny_game))
        match = Match(game, game.default_options(), {"player": game.players.policy("player", "plain")}, RandomStream("x"), {})
        match.think = {"player": 1}
        match.run_action(game.setup, "setup")
        with decisions("player", forced) as seen:
            match.run_action(match._runs["wager"], "wager")
        assert seen.found == [("wager", 3)]
        supplies.append(match.position.track("supply"))

    assert supplies[1] - supplies[0] == 2 and supplies[2] == supplies[0]


def test_values_of_decisions_by_kind() -> None:
    rows: dict[int, list[Any]] = {1: [5, 3, "group", 1], 2: [4, 4, "group", 2], 3: [1, 4, "action", 1], 4: []}

    found = decision_values(rows)
    assert [(kind, count, effect.value) for kind, count, effect in found] == [
        ("all", 3, pytest.approx(-1 / 3)),
        ("group", 2, 1.0),
        ("action", 1, -3.0),
    ]
    assert found[1][2] == Effect(1.0, 1.0)


def test_changed_game_has_other_numbers_and_the_game_has_not() -> None:
    known = constants(load("lzalbany").bot, ("hits",))
    assert known["hits.officer"] == 1.2 and isinstance(known["hits.us"], list)
    changed = changed_game("lzalbany", {"hits.officer": 2.4})

    assert changed.tables.bot["hits"]["officer"] == 2.4 and changed.tables.bot["hits"]["dead"] == 0.6
    assert make_game("lzalbany", load("lzalbany")).tables.bot["hits"]["officer"] == 1.2


@pytest.mark.slow
@pytest.mark.parametrize("kind", [CONSTANTS, DECISIONS, CHANGE])
def test_a_study_goes_on_where_it_was(tmp_path: Path, kind: str) -> None:
    """One luck, then two more, are the same as three at once; other code begins anew."""
    who, changes = (("player", "planner"),), (("zone.base", 3.0),)
    one = Setting("phantomfury", "practice_small", (), "player", who, "s", kind, ("zone",), 0.5, changes)
    test, parts, whole = Test(0.01, 0.99, 1e-9), tmp_path / "parts.json", tmp_path / "whole.json"
    for games in (1, 3):
        measure(Study(parts, one), one, games, 1e9, 1, test)
    measure(Study(whole, one), one, 3, 1e9, 1, test)

    assert Study(parts, one).rows == Study(whole, one).rows and len(Study(parts, one).rows) == 3
    assert all(Study(parts, one).rows.values()) and len(shown(one, Study(parts, one).rows, test)) >= 4
    (study,) = json.loads(parts.read_text())
    parts.write_text(json.dumps([{**study, "code": "other"}]))
    assert Study(parts, one).rows == {}


@pytest.mark.parametrize("path", sorted(screening.FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_kept_studies_are_readable(path: Path) -> None:
    for study in json.loads(path.read_text(encoding="utf-8")):
        assert study["setting"]["game"] == path.stem and study["rows"]
