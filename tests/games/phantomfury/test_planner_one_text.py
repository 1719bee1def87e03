"""The planner's numbers are those of the rules: change a chart, an entered fact or a ruling, and they follow."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from companion.games.phantomfury.ai import planner
from companion.games.phantomfury.ai.features import Features
from companion.games.phantomfury.ai.valuation import Valuation, read_valuation_constants, strength
from companion.games.phantomfury.rules.r03_basics import activation_chances, loss_points
from companion.games.phantomfury.rules.r11_shots import Street
from companion.games.phantomfury.rules.r13_assault import scene_of
from companion.games.phantomfury.rules.r13_combat import NORMAL
from companion.games.phantomfury.state import Fighter
from tests.games.phantomfury.board import ZONES, Board
from tests.games.phantomfury.test_one_text import tables_with
from tests.support.checkout import ROOT

AI = ROOT / "companion" / "games" / "phantomfury" / "ai"


def features_of(board: Board) -> Features:
    """The features of a board, by a valuation with empty caches."""
    return Features(board.referee, Valuation(read_valuation_constants(board.game.tables.bot)))


def facing(facts: Mapping[str, str] | None = None, phase: int = 2, **options: str) -> Board:
    """Squad 7 (CF 5) in Zone 3 and squad 8 in Zone 14; a Suspect and Guerillas in Zone 15, Martyrs in Zone 14."""
    board = Board(facts, **options)
    board.set(phase=phase)
    board.ours("2", "3", "4")
    board.zone("14", "15", "16", "24")
    board.enemy("15-1")
    board.enemy("15-2", "G2/M3")
    board.enemy("14-1", "G2/M3", martyrs=True)
    board.squad(7, "3-C")
    board.squad(8, "14-C", caat=True)
    return board


# -- charts ------------------------------------------------------------------------------------------------------------


def reduction(board: Board) -> float:
    features = features_of(board)
    return features.valuation.harm(features.referee, Fighter(5), "reduced")


def crossing(board: Board) -> float:
    features = features_of(board)
    return features.valuation.crossing(features.referee, Fighter(5), Street(2, 0)).cost


def suspect_hit(board: Board) -> float:
    features = features_of(board)
    suspect = next(enemy for enemy in board.referee.enemies("suspect"))
    return planner._hit_value(features, features.squads[0], suspect)


def guerillas_hit(board: Board) -> float:
    features = features_of(board)
    return planner._hit_value(features, features.squads[0], board.referee.enemies("guerillas")[0])


def shot(board: Board) -> float:
    return max(candidate.value for candidate in planner.fire_candidates(features_of(board)))


def mission(board: Board) -> float:
    features = features_of(board)
    return features.valuation.mission(features.referee, "uav")


def way_in(board: Board) -> float:
    features, squad = features_of(board), board.named("Squad 7")
    return planner.risk_of(features, squad, ["15-C"]).cost


def assault(board: Board) -> float:
    features = features_of(board)
    return max(candidate.value for candidate in planner.assault_candidates(features))


def battalion(board: Board) -> float:
    board.set(turn=9)
    board.change(board.named("Squad 6").id, place="battalion box")
    reasons = [text for item in planner.reinforcement_candidates(features_of(board)) for text in item.reasons]
    return float(next(text for text in reasons if "VP" in text).split()[2])


@pytest.mark.parametrize(
    ("number", "chart", "line", "instead", "change"),
    [
        (reduction, "points", 'reduced", -2]', 'reduced", -4]', 2.0),
        (crossing, "points", 'reduced", -2]', 'reduced", -4]', 0.3 * 2),
        (guerillas_hit, "points", 'Guerillas eliminated", 1]', 'Guerillas eliminated", 3]', 2.0),
        (battalion, "points", 'squads used", -2]', 'squads used", -3]', 1.0),
        (mission, "missions", 'report", 8, 4', 'report", 2, 4', -0.6),
        (suspect_hit, "activation", '"1-5" = ["dummy"', '"1-5" = ["guerillas"', None),
        (shot, "fire_modifiers", 'Location R", 1]', 'Location R", 3]', None),
        (way_in, "defence_modifiers", '["Fanaticism", -1]', '["Fanaticism", -3]', None),
        (assault, "assault_modifiers", '["against Martyrs", 1, 0]', '["against Martyrs", -1, 0]', None),
    ],
)
def test_a_chart_changes_the_planner(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    number: Callable[[Board], float],
    chart: str,
    line: str,
    instead: str,
    change: float | None,
) -> None:
    """[5.3.3, 7.2.1, 9.3, 11.2.1, 12.7.2, 13.4.4] One cell is changed in a copy of the tables."""

    def board() -> Board:
        made = facing()
        made.marker("Fanaticism", "15")
        return made

    before = number(board())
    tables_with(tmp_path / "tables", chart, line, instead)
    monkeypatch.setenv("COMPANION_TABLES", str(tmp_path / "tables"))
    after = number(board())
    assert after != pytest.approx(before)
    if change is not None:
        assert after - before == pytest.approx(change)


def test_a_hit_on_a_suspect_is_weighed_by_the_chart() -> None:
    """[5.3.3, 5.3.4] The chances of an Activation add up to 1, and are those of the printed tables."""
    referee = facing().referee
    assert activation_chances(referee, False) == {"ied": 0.1, "dummy": 0.5, "guerillas": 0.3, "martyrs": 0.1}
    assert activation_chances(referee, True) == {"dummy": 0.1, "martyrs": 0.7, "ied": 0.2}


# -- entered facts -----------------------------------------------------------------------------------------------------


def test_an_entered_map_changes_the_planner() -> None:
    """[4.1.7, 13.6.2] Without Egress Routes Guerillas find no way out of a Zone."""
    closed = {"zone:15": ZONES["15"].replace("egress 14", "egress none")}
    assert planner._way_out(features_of(facing()), "15") == 1.0
    assert planner._way_out(features_of(facing(closed)), "15") == 0.0


def test_an_entered_line_of_fire_changes_the_planner() -> None:
    """[4.1.2.1, 11.1] A Zone farther away can be fired at along a line of fire."""
    aimed = {"zone:3": ZONES["3"] + "; fire 24"}
    targets = []
    for facts in ({}, aimed):
        board = facing(facts)
        board.enemy("24-1", "G2/M3")
        board.squad(8, "company box")
        board.squad(1, "15-R")  # no unit fires into Zone 15 then, and Zone 14 holds Martyrs only
        targets.append({item.decision.answers["target"] for item in planner.fire_candidates(features_of(board))})
    assert targets[0] == {"14-1"} and targets[1] == {"24-1"}


def test_a_changed_counter_changes_the_planner() -> None:
    """[5.1.1, 11.2.2] The CF of a squad that was entered is the one that fires."""
    values = []
    for cf in (4, 6):
        board = facing()
        board.squad(7, "3-C", cf=cf)
        values.append(shot(board))
    assert values[0] < values[1]


# -- rulings -----------------------------------------------------------------------------------------------------------


def test_a_ruling_changes_the_odds_of_explosives() -> None:
    """[13.7.1] Ruling C-13: explosives take the modifiers from both dice."""
    chances = []
    for choice in ("squad", "both"):
        features = features_of(facing(explosives_drm=choice))
        features.referee.put_marker("Fanaticism", "14", "13.4.3.3", "")
        squad, target = features.referee.squads_in("14")[0], features.referee.enemies_in("14")[0]
        scene = scene_of(features.referee, squad, [target])
        chances.append(features.valuation.assault(features.referee, scene, NORMAL, True).loss)
    assert chances[0] > chances[1]


def test_the_variant_changes_the_cost_of_the_battalion() -> None:
    """[15.0] Battalion squads are free in the Historical Variant."""
    texts = []
    for variant in ("off", "on"):
        board = facing(phase=1, variant=variant)
        board.set(turn=9)
        board.change(board.named("Squad 6").id, place="battalion box")
        texts.append(
            next(item.reasons[0] for item in planner.reinforcement_candidates(features_of(board)) if "Squad 6" in item.name)
        )
    assert texts[0].startswith("it costs 2 VP") and texts[1].startswith("one squad more")


def test_a_ruling_changes_which_assaults_are_weighed() -> None:
    """[12.4.3] Ruling C-78: by the switch a full squad may Assault out of a Zone of the insurgents."""
    targets = []
    for choice in ("barred", "allowed"):
        board = facing(phase=4, assault_out=choice)
        board.enemy("15-R")
        board.squad(8, "14-R")
        targets.append({str(item.decision.answers["target"]) for item in planner.assault_candidates(features_of(board))})
    assert targets[1] - targets[0] == {"15-R"}


def test_a_ruling_changes_which_zones_lie_open() -> None:
    """[14.4.2] Ruling C-68: of two streets between two Zones one watched Section is enough, or both must be watched."""
    gaps = []
    for choice in ("one", "all"):
        more = {"section:z": "4 16", "zone:4": ZONES["4"].replace("streets n t", "streets n t z")}
        board = facing({**more, "zone:16": ZONES["16"].replace("streets t x", "streets t x z")}, watched=choice)
        board.enemy("16-1")
        gaps.append(features_of(board).gaps("4"))
    assert gaps[0] < gaps[1]


# -- the modules -------------------------------------------------------------------------------------------------------

ALLOWED = {
    0,
    1,
    2,  # halves, squares, the second unit of a pair
    0.5,  # a pace is reckoned to the middle of a turn
    9,  # a Zone without a known distance is far away
}
"""Numbers that modules of the planner may contain besides sizes of caches and settings of policies, with the reason."""
SIZES = {"features.py": {256}, "policies.py": {3, 5, 8, 14, 30, 4000}, "valuation.py": {3, 8, 512, 16384}}
"""Sizes of caches, numbers of tries, weights of random actions."""


@pytest.mark.parametrize("path", sorted(AI.glob("*.py")), ids=lambda path: path.name)
def test_the_planner_reads_no_chart_and_computes_no_chance(path: Path) -> None:
    """What a rule says comes from a function of rules/ or from the odds; what we guess comes from ai.toml."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    numbers = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and type(node.value) in (int, float)}

    assert not modules & {"companion.core.odds", "companion.core.charts", "companion.games.phantomfury.rules.r03_die"}
    assert not attributes & {"chart", "charts", "chart_column", "cached_chart"}
    assert numbers <= ALLOWED | SIZES.get(path.name, set())


def test_enemies_before_an_activation_are_those_that_it_places() -> None:
    """[5.3.2.1] Two Suspects, three in Zone 26."""
    position = facing().position
    assert strength(position, "13") == (2, 0) and strength(position, "26") == (0, 3)


def test_losses_cost_the_points_of_the_procedure() -> None:
    """[7.2.1] A Step Loss that is carried out moves the Victory Points by what the planner expects."""
    board = facing()
    referee = board.referee
    assert [loss_points(referee, loss, False) for loss in ("reduced", "CAAT lost", "eliminated", "Pinned")] == [2, 2, 5, 0]
    assert [loss_points(referee, loss, True) for loss in ("reduced", "eliminated")] == [0, 2]
