"""Whole games without people on the made-up front: no question is left, and policies know the reachable hexes."""

from __future__ import annotations

from itertools import pairwise

import pytest

from companion.core.match import Match
from companion.core.notation import free_text
from companion.core.policies import PLAIN, RANDOM, RandomStream
from companion.core.position import Position
from companion.core.requests import Choice, Text
from companion.games.iraqwar2003.ai.features import Features
from companion.games.iraqwar2003.ai.policies import random_answer
from companion.games.iraqwar2003.ai.valuation import terrain_columns
from companion.games.iraqwar2003.facts import land_of
from companion.games.iraqwar2003.notation import STAY, Path, printed_side
from companion.games.iraqwar2003.referee import units_on_map_of
from companion.games.iraqwar2003.rules.r08_map import fits, path_features, stacking_faults
from companion.games.iraqwar2003.rules.r12_movement import MovementField, Mover, path_cost
from companion.games.iraqwar2003.state import COALITION, IRAQ, is_hex, units_in
from companion.session.facts import practice_facts
from tests.support.table import game_of

GAME = game_of("iraqwar2003")
FACTS = practice_facts(GAME)


def match(coalition: str, iraq: str, seed: str, **options: str) -> Match:
    """A game on the made-up front, set up."""
    chosen = {COALITION: coalition, IRAQ: iraq}
    players = GAME.players
    usual = {key: option.default for key, option in GAME.options.items()}
    every = {**usual, **players.practice_options(), **players.options_for_policies(chosen), **options}
    seats = {seat: players.policy(seat, name) for seat, name in chosen.items()}
    made = Match(GAME, every, seats, RandomStream(seed), FACTS, keep=True)
    made.begin()
    return made


def test_the_front_has_a_place_for_every_unit_of_the_rulebook() -> None:
    """[3.0] As many units of each army as the rulebook sets up, each in a hex of the front."""
    position = match(PLAIN, PLAIN, "a").position
    units = units_on_map_of(position)
    assert all(is_hex(piece.place) for piece in units)
    assert len(units_on_map_of(position, COALITION)) == 6 + 2 + 15 + 5 + 3
    assert len(units_on_map_of(position, IRAQ)) == 4 + 3 + 2 + 1 + 3 + 4 + 6 + 4 + 15 + 7
    land = land_of(position)
    assert 120 <= len([number for number in land.known_hexes if land.ground(number).ground != "sea"]) <= 170


@pytest.mark.parametrize("policy", [PLAIN, RANDOM])
def test_a_whole_game_on_the_front_needs_no_facts(policy: str) -> None:
    """[4.0, 15.1] To the end of the last turn: every printed value and the whole map are known."""
    played = match(policy, policy, "b")
    assert played.play()
    assert played.position.track("turn") == int(FACTS["turns"]) + 1
    replies = [reply for action in played.story or () for reply in action.replies]
    assert not {reply.key for reply in replies if reply.source == "typed" or reply.kind in ("tell", "learn")}


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["c", "d"])
def test_reachable_hexes_cost_what_their_paths_cost(seed: str) -> None:
    """[12.1 - 12.5] The path to every reachable hex is legal and costs the same; no hex adjacent to them is missing."""
    played = match(PLAIN, PLAIN, seed)
    played.play(lambda position: position.track("turn") == 5)
    position, chart = played.position, GAME.tables.charts["movement"]
    land = land_of(position)
    for side in (COALITION, IRAQ):
        field = MovementField(position, side, chart)
        for piece in units_on_map_of(position, side):
            mover = Mover(piece.name, printed_side(piece).move, bool(piece.values.get("fly")))
            reach = field.reach([piece])

            def price(path: tuple[str, ...]) -> tuple[int, bool]:
                path_words = path_features(position, [piece], piece.place, path, mover.fly)  # noqa: B023
                cost = path_cost(Path(path_words.start, path_words.hexes, piece.place, path), mover, chart)  # noqa: B023
                return cost.halves, bool(cost.faults or path_words.unknown)

            if not piece.mark("oos"):
                assert {number: price(reach.path(number)) for number in reach.spent if number != piece.place} == {
                    number: (spent, False) for number, spent in reach.spent.items() if number != piece.place
                }
                longer = {(*reach.path(number), near) for number in reach.spent for near in land.neighbours(number)}
                beyond = [path for path in longer if path[-1] not in reach.spent and len(set(path)) == len(path)]
                fit = [path for path in beyond if not price(path)[1] and path[-1] != piece.place]
                assert all(not fits(position, [piece], path[-1]) for path in fit)


def test_a_plain_coalition_takes_what_counts() -> None:
    """[15.2] It follows the roads to the cities against an Iraq that does not move."""
    played = match(PLAIN, PLAIN, "e")
    start = GAME.players.outcome(played.position, played.options).score
    played.play()
    assert GAME.players.outcome(played.position, played.options).score > start + 4


def test_a_random_player_orders_only_legal_stacks() -> None:
    """[8.1, 12.2(1)] Units move together and end in a hex only within the stacking limit; a swamp ends the path."""
    position = match(PLAIN, PLAIN, "stacks").position
    number, land = RandomStream("stacks").randbelow, land_of(position)
    names = [piece.name for piece in units_on_map_of(position)]
    pieces = {piece.name: piece for piece in units_on_map_of(position)}
    together, ended = 0, 0
    request = Text("units", "", "12.1(1)", free_text("order", ""), [Choice(name, name) for name in names])
    for _ in range(300):
        units, _, way = random_answer(position, request, number).partition(" > ")
        movers = [pieces[name] for name in units.split(", ")]
        path = way.split() if way != STAY else []
        inside = units_in(position, path[-1]) if path else []
        together += len(movers) > 1
        ended += bool(inside)

        assert not stacking_faults([*movers, *(piece for piece in inside if piece not in movers)])
        for start, end in pairwise([movers[0].place, *path]):
            assert end == path[-1] or land.road(start, end) or land.terrain(end) != "swamp"

    assert together > 20
    assert ended > 5


@pytest.mark.slow
def test_what_planners_keep_between_orders_is_what_a_fresh_position_gives() -> None:
    """[12.0, 13.0] Reach, attacks, distances, risks: through a random game, and again on copies of which nothing is kept."""
    played = match(RANDOM, RANDOM, "kept", recommended="on", turkey="on")

    def computed(position: Position) -> list[object]:
        answers: list[object] = []
        referee = GAME.new_referee(position, played.options)
        for side in (COALITION, IRAQ):
            features = Features(referee, side, terrain_columns(referee.priorities))
            for piece in units_on_map_of(position, side)[::2]:
                reach = features.reach([piece])
                answers += [list(reach.spent.items()), [reach.path(number) for number in reach.spent]]
                answers += [list(features.attacks([piece])), features.enemy_distance(piece.place)]
                answers.append(features.valuation.risk(piece.place, [piece]))
        return answers

    kept = []
    while played.position.track("turn") < 6 and played.act():
        kept.append((played.position, computed(played.position)))
    for position, answers in kept:
        assert computed(Position(dict(position.tracks), dict(position.pieces), dict(position.flags))) == answers
    assert len(kept) > 80
