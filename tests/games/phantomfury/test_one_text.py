"""Each rule is written once: what the odds say is what the table plays, and both read the same charts."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest

from companion.core.errors import Illegal
from companion.core.requests import Odds
from companion.games.phantomfury.rules.r13_assault import descents, targets_odds, targets_of, ways_out
from tests.games.phantomfury.board import Board
from tests.support.checkout import ROOT


def tables_with(folder: Path, chart: str, row: str, instead: str) -> None:
    """A copy of the tables in which one row of a chart reads otherwise."""
    copytree(ROOT / "tables", folder)
    path = folder / "phantomfury" / "charts" / f"{chart}.toml"
    text = path.read_text(encoding="utf-8")
    assert row in text
    path.write_text(text.replace(row, instead), encoding="utf-8")


def row(odds: Odds, section: int, label: str) -> float:
    return dict(odds.sections[section][1]).get(label, 0.0)


def facing(phase: int, squad: str = "14-C", **options: str) -> Board:
    """Squad 7 (CF 5) at a given place; Zones 2 to 4 under USMC Control, the others around Activated."""
    board = Board(**options)
    board.set(phase=phase)
    board.ours("2", "3", "4")
    board.zone("13", "14", "15", "16", "23", "24", "25", "26")
    board.squad(7, squad)
    return board


def fire(board: Board) -> tuple[float, bool]:
    chance = row(board.odds("fire", "cf=5", "enemy=g2"), 0, "hit")
    board.enemy("15-1", "G2/M2")
    board.do("fire", "unit=7", "target=15-1", dice=[4])
    return chance, board.says(": miss")


def assault(board: Board) -> tuple[float, bool]:
    chance = row(board.odds("assault", "enemy=m4", "cf=5"), 0, "clear")
    board.enemy("14-1", "G3/M4", martyrs=True)
    board.do("assault", "squad=7", accept=True, dice=[5, 9])
    return chance, board.says(": miss; Martyrs")


def activation(board: Board) -> tuple[float, bool]:
    chance = row(board.odds("assault", "enemy=s", "cf=5"), 1, "Pinned")
    plain = board.referee.chart("activation").text(3, "normal") == "dummy"
    board.enemy("14-1")
    board.do("assault", "squad=7", accept=True, dice=[3] if plain else [3, 5])
    return chance, board.says("a Dummy")


def entry(board: Board) -> tuple[float, bool]:
    chance = row(board.odds("entry", "enemies=m4", "location=OG", "cf=5"), 0, "unharmed")
    board.enemy("16-1", "G3/M4", martyrs=True)
    board.squad(7, "4-C")
    board.do("move", "unit=7", "to=16-OG", dice=[2, 6], accept=True)
    return chance, board.says("No effect")


def regroup(board: Board) -> tuple[float, bool]:
    chance = row(board.odds("regroup", "cf=5", "at=courtyard"), 0, "by the end of turn 1")
    board.squad(7, "3-C", pinned=True)
    board.enemy("15-1")
    board.squad(12, "2-C")
    board.squad(1, "4-C")
    board.do("end", dice=[4])
    return chance, board.says("No longer Pinned")


def mission(board: Board) -> tuple[float, bool]:
    chance = row(board.odds("mission", "mission=uav", "times=1"), 0, "1 succeed")
    board.do("mission", "mission=uav", "zones=15 16", dice=[5] if chance > 0.5 else [5, 0])
    return chance, board.says("It comes")


def event(board: Board) -> tuple[float, bool]:
    chance = row(board.odds("assault", "enemy=m4", "cf=5"), 1, "eliminated")
    board.enemy("14-1", "G3/M4", martyrs=True)
    board.do("assault", "squad=7", accept=True, dice=[5, 0, 4])
    return chance, board.at("squad-7") == "out of the game"


@pytest.mark.parametrize(
    ("play", "phase", "squad", "chart", "line", "instead", "before", "after"),
    [
        (fire, 2, "3-C", "fire_modifiers", 'Location R", 1]', 'Location R", 3]', (0.5, False), (0.3, True)),
        (regroup, 4, "3-C", "regrouping", '["Courtyard", 1]', '["Courtyard", 3]', (0.5, True), (0.3, False)),
        (mission, 0, "12-C", "missions", 'report", 8, 4', 'report", 2, 4', (0.9, True), (0.3, False)),
        (entry, 3, "4-C", "defence_modifiers", 'Ground", -1]', 'Ground", -3]', (0.4, True), (0.2, False)),
    ],
)
def test_a_chart_changes_odds_and_play(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    play: object,
    phase: int,
    squad: str,
    chart: str,
    line: str,
    instead: str,
    before: tuple[float, bool],
    after: tuple[float, bool],
) -> None:
    """[9.3, 11.2.1, 12.7.2, 14.3.4] One cell is changed in a copy of the tables: the table and the odds both follow."""
    assert callable(play)
    chance, seen = play(facing(phase, squad))
    assert (pytest.approx(chance), seen) == before
    tables_with(tmp_path / "tables", chart, line, instead)
    monkeypatch.setenv("COMPANION_TABLES", str(tmp_path / "tables"))
    chance, seen = play(facing(phase, squad))
    assert (pytest.approx(chance), seen) == after


@pytest.mark.parametrize(
    ("play", "chart", "line", "instead"),
    [
        (assault, "assault_modifiers", '["against Martyrs", 1, 0]', '["against Martyrs", -1, 0]'),
        (activation, "activation", '"1-5" = ["dummy"', '"1-5" = ["ied"'),
        (event, "insurgent_events", '"4-5" = ["bomber"', '"4-5" = ["confusion"'),
    ],
)
def test_a_chart_changes_assaults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, play: object, chart: str, line: str, instead: str
) -> None:
    """[5.3.3, 13.4.3, 13.4.4] The odds of an Assault move with the chart, and so does the Assault."""
    assert callable(play)
    chance, seen = play(facing(4))
    tables_with(tmp_path / "tables", chart, line, instead)
    monkeypatch.setenv("COMPANION_TABLES", str(tmp_path / "tables"))
    changed_chance, changed_result = play(facing(4))
    assert abs(chance - changed_chance) > 0.001
    assert seen != changed_result


# -- the ways out ------------------------------------------------------------------------------------------------------


def flooding(*enemies: str) -> Board:
    """Squad 1, reduced to CF 5, is about to Assault Guerillas at 14-2 from the roof; these are below."""
    board = facing(4)
    board.change("squad-7", place="company box")
    board.squad(1, "14-R", "reduced")
    board.enemy("14-2", "G1/M1")
    for where in enemies:
        board.enemy(where, "G2/M2")
    return board


def flood_odds(board: Board) -> Odds:
    """The odds beside the question whether the squad floods."""
    board.do("assault", "squad=1", "target=14-2", "flood=no", accept=True, dice=[1, 9])
    request = next(question for question in board.asked if question.key == "flood")
    assert request.odds is not None
    return request.odds()


def cleared(board: Board) -> float:
    return row(flood_odds(board), 0, "cleared")


def described(*words: str) -> float:
    return row(Board().odds("flood", "enemies=1:g2", "cf=5", f"with={','.join(['reduced', *words])}"), 0, "cleared")


def test_13_6_2_the_odds_of_flooding_know_the_egress_routes() -> None:
    """[13.4.8, 13.6.2, 13.6.5] Open routes, and routes that an M1A1 closes: as if described so."""
    board = flooding("14-1")
    assert cleared(board) == pytest.approx(described(), abs=1e-9)
    board = flooding("14-1")
    board.change("m1a1", place="street v")
    assert cleared(board) == pytest.approx(described("trapped"), abs=1e-9)
    assert described() - described("trapped") > 0.2


def test_13_6_2_routes_fill_up() -> None:
    """[13.6.2.2, 13.6.2.4] Room for one unit in Zone 24, none in 25: the first gets out, the second does not."""
    board = flooding("14-1", "14-2'")
    for where in ("24-C", "24-1", "24-2", "24-2'", "25-C", "25-1", "25-2", "25-R"):
        board.enemy(where)
    assert ways_out(board.referee, "14", 3) == (1.0, 0.0)


def test_13_6_2_1_the_marker_decides_which_enemies_escape() -> None:
    """[13.6.2.1, 5.3.2.2] Only 24-R is free, and one Suspect marker in four names R: each way out has that chance."""
    board = flooding("14-1")
    for where in ("24-C", "24-1", "24-2", "24-2'", "25-C", "25-1", "25-2", "25-R"):
        board.enemy(where)
    for number, piece in enumerate(board.position.at("suspects cup")):
        board.change(piece.id, name="2/1/R" if number % 4 == 0 else "2/1")
    held = board.position.at("suspects cup")
    share = sum(piece.name == "2/1/R" for piece in held) / len(held)
    assert 0 < share < 1
    assert ways_out(board.referee, "14", 1) == (pytest.approx(share),)
    mixed = share * described() + (1 - share) * described("trapped")
    assert cleared(board) == pytest.approx(mixed, abs=1e-9)


def test_13_6_2_unknown_ways_out_count_as_open() -> None:
    """[13.6.2] The routes lead to a Zone that is not entered: odds ask no question about it."""
    board = flooding("14-1")
    flags = {name: value for name, value in board.position.flags.items() if name != "zone:24"}
    board.position = board.position.changed(flags=flags)
    assert ways_out(board.referee, "14", 1) == (1.0,)


# -- what the table plays ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("hero", "cf"), [("Silver Star", 6), ("Medal of Honor", 7)])
def test_5_1_5_3_a_hero_in_a_real_assault(hero: str, cf: int) -> None:
    """[5.1.5.3] A Silver Star is worth 1 and a Medal of Honor 2, for the die as for the list of units."""
    board = facing(4)
    board.squad(7, "14-C", hero=hero)
    board.enemy("14-1", "G3/M4", martyrs=True)
    board.do("assault", "squad=7", accept=True, dice=[cf - 1, 9])
    assert board.says(f"({cf - 1}+1 = {cf}, CF {cf}): HIT")
    assert board.referee.cf(board.position.pieces["squad-7"]) == cf


@pytest.mark.parametrize(
    ("face", "ours", "option", "allowed"),
    [
        ("front", False, "barred", False),
        ("reduced", False, "barred", False),
        ("reduced", True, "barred", True),
        ("front", False, "allowed", True),
    ],
)
def test_12_4_3_leaving_a_zone_of_the_insurgents_by_assault(face: str, ours: bool, option: str, allowed: bool) -> None:
    """[12.4.3: assault] Only a reduced squad may, and only into a Zone under USMC Control, as on the move; by a switch others
    may (C-78).
    """
    board = facing(4, assault_out=option)
    board.squad(7, "14-R", face)
    board.enemy("14-1")
    board.enemy("15-R")
    if ours:
        board.zone("15", ours=True)
    if allowed:
        board.do("assault", "squad=7", "target=15-R", accept=True, dice=[2])
        assert board.at("squad-7") == "15-R"
    else:
        with pytest.raises(Illegal, match=r"12\.4\.3"):
            board.do("assault", "squad=7", "target=15-R")


def test_13_4_3_an_empty_cup_weakens_no_unit() -> None:
    """[13.4.3: cup] USMC sniper with no counter of CF 1 in the cup: the unit keeps its CF, and its die counts so (C-57)."""
    board = facing(4)
    board.enemy("14-1", "G2/M2")
    for piece in board.position.at("insurgents cup"):
        board.change(piece.id, place="beside the map")
    board.do("assault", "squad=7", accept=True, dice=[0, 2, 5])
    assert board.says("2, hit on 0-2: HIT")
    assert board.position.pieces["squad-7"].face == "reduced"


def test_14_3_4_a_street_with_an_m1a1_can_be_asked_for() -> None:
    """[14.3.4] Nothing is added there."""
    assert row(Board().odds("regroup", "cf=5", "at=covered"), 0, "by the end of turn 1") == pytest.approx(0.6)


def test_13_4_7_2_the_odds_at_a_target_include_mandatory_flooding() -> None:
    """[13.4.7.2] From the roof a full squad commits itself to the whole chain, and /odds shows it beside the Assault."""
    board = facing(4)
    board.change("squad-7", place="company box")
    board.squad(1, "14-R")
    board.enemy("14-2", "G1/M1")
    board.enemy("14-1", "G2/M2")
    game = board.referee
    squad = game.piece("squad-1")
    able = targets_of(game, squad)
    heads = [head for head, _ in targets_odds(game, squad, able, descents(game, squad, able)).sections]
    assert heads == ["14-2, top-down", "14-2, top-down, and Flooding: Zone 14"]
