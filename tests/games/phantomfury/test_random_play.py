"""Whole games at random on the practice maps, with what must always hold, and an owner's map entered as it comes up."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from companion.core.events import Said
from companion.core.position import Position
from companion.games.phantomfury.referee import last_turn
from companion.games.phantomfury.rules.r14_reorganisation import end_game, lost_zones
from companion.games.phantomfury.state import is_controlled, location_of, section_of, zone_of
from tests.games.phantomfury.player import FuryPlayer, MapPlayer

TURNS = 220


def check(position: Position) -> None:
    """Check the invariants of a position."""
    enemies: Counter[str] = Counter()
    squads_in: Counter[str] = Counter()
    for piece in position.pieces.values():
        if piece.kind in ("insurgent", "suspect"):
            assert piece.place in ("insurgents cup", "suspects cup", "out of the game") or location_of(piece.place), piece
            enemies[piece.place] += bool(zone_of(piece.place))
        if piece.kind in ("squad", "iif") and zone_of(piece.place):
            squads_in[zone_of(piece.place)] += 1
            assert not any(enemy.kind in ("insurgent", "suspect") for enemy in position.at(piece.place)), piece
            assert zone_of(piece.place) != "26" or piece.kind == "iif"
        if piece.kind == "squad" and not zone_of(piece.place) and not section_of(piece.place):
            assert not piece.marks, piece
        if piece.kind == "tank" and zone_of(piece.place):
            assert location_of(piece.place) == "OG"
    assert max(enemies.values(), default=0) <= 1  # [12.2.1.2]
    zones_with_enemies = {zone_of(place) for place, count in enemies.items() if count}
    for zone in position.members("zones"):
        markers = position.at(f"box {zone}")
        assert len([piece for piece in markers if piece.kind == "control"]) <= 1, zone  # [4.1.3]
        if is_controlled(position, zone):
            assert zone not in zones_with_enemies, zone  # [13.6.3, 14.4.1]
            assert "Fanaticism" not in [piece.name for piece in markers], zone  # [13.4.3.3]
        elements = [piece for piece in position.of_kind("element") if zone_of(piece.place) == zone]
        if any(piece.name == "No Insurgents Event" for piece in markers):
            assert elements, zone  # [13.6.4]
    for zone, count in squads_in.items():
        assert count == 1 or is_controlled(position, zone) or zone == "26", zone  # [12.2.1.1]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(24))
def test_random_games_keep_invariants(seed: int) -> None:
    """[12.2.1.1, 12.2.1.2, 5.3.2.3, 7.2.1] One squad a Zone and one enemy a Location of the insurgents, nothing lost, the
    count itemised; the same game when replayed from its replies.
    """
    scenario = ["practice", "practice_small"][seed % 2]
    options = {"variant": ["off", "on"][seed // 2 % 2], "hbied": ["one", "each"][seed // 4 % 2]}
    player = FuryPlayer("phantomfury", scenario, seed, **options)
    kinds = Counter(piece.kind for piece in player.position.pieces.values())
    for _ in range(TURNS):
        player.turn()
        check(player.position)
    kinds_at_end = Counter(piece.kind for piece in player.position.pieces.values())

    assert {kind: kinds_at_end[kind] for kind in ("squad", "iif", "tank", "suspect", "insurgent")} == {
        kind: kinds[kind] for kind in ("squad", "iif", "tank", "suspect", "insurgent")
    }
    score = player.game.score(player.position, player.options)
    assert sum(points for _, points, _ in score.items) == score.total == player.position.track("vp")
    assert "manual corrections" not in [label for label, _, _ in score.items]
    assert player.folded() == player.position
    assert player.replayed() == player.position


def test_random_games_get_somewhere() -> None:
    """[8.0, 14.1.1] Games end, Zones are taken, and every kind of action is carried out."""
    lines: Counter[str] = Counter()
    over = 0
    for seed in (1, 3, 5, 7):
        player = FuryPlayer("phantomfury", "practice_small", seed)
        for _ in range(TURNS):
            player.turn()
        over += bool(player.game.over(player.position))
        for event in player.events:
            if isinstance(event, Said):
                lines[event.rule] += 1

    assert over == 4
    assert lines["13.4.2"] > 3
    assert len(lines) > 15


@pytest.mark.parametrize("seed", range(4))
def test_a_map_entered_as_it_comes_up(seed: int) -> None:
    """[4.1, 6.2, 6.3] Sixty Zones of which nothing is known at first."""
    player = MapPlayer("phantomfury", "jolan", seed)
    for _ in range(40):
        player.turn()

    assert player.position.members("start") == ("2", "3", "4", "12", "17", "18", "19", "20", "21")
    assert len(player.position.members("zones")) == 60
    assert player.folded() == player.position


def ended_now(player: FuryPlayer, position: Position) -> Position:
    """The position after the end of the game, with nothing else done: in the last turn if Zones are left."""
    if lost_zones(position):
        position = position.with_track("turn", last_turn(position))
    referee = player.game.new_referee(position, player.options, True)
    end_game(referee)
    return referee.position


@pytest.mark.parametrize("scenario", ["practice_small", "practice"])
def test_7_2_1_the_running_score_is_the_score_if_the_game_ended_now(scenario: str) -> None:
    """[7.1, 7.2.1] At every position of a random game, and with all Zones or all but an empty Zone 26 taken."""
    for seed in range(3):
        player = FuryPlayer("phantomfury", scenario, seed)
        for _ in range(60):
            player.turn()
            for position in (player.position, *map(partial(taken, player), ((), ("26",), ("26", "3")))):
                running, final = (player.game.score(now, player.options) for now in (position, ended_now(player, position)))
                if not player.game.over(position):
                    assert (running.items, running.total, running.verdict) == (final.items, final.total, final.verdict)


def taken(player: FuryPlayer, left: tuple[str, ...]) -> Position:
    """The position with all Zones but some under USMC Control, and no enemy on the map."""
    referee = player.game.new_referee(player.position, player.options, True)
    for enemy in referee.enemies():
        referee.move(enemy.id, "suspects cup" if enemy.kind == "suspect" else "insurgents cup", "5.3.5")
    for zone in [zone for zone in referee.zones() if zone not in left]:
        referee.take_control(zone, "14.1.1", "x")
    return referee.position
