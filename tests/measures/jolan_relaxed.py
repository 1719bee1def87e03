"""Bound the turns that `jolan` of Phantom Fury needs if the insurgents do nothing: can its map be won in the turns allowed?

    python -m tests.measures.jolan_relaxed [GAMES]

The relaxed problem keeps the map, the Movement Points, stacking, Fire, the Assaults and Flooding of the rules, and the forces
with the turns in which they come. Every Suspect is a Dummy, streets are harmless, and nothing is infiltrated. From below: a Zone
is entered in the turn after one beside it has been taken [14.2] at the earliest, so each step away from the start Zones takes a
turn, and no turn brings more Zones than there are squads on the map [14.1.1]. From above: games of a planner in that world that
never gives up, with the dice of Fire as they fall.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest import mock

from companion.core.graph import distances
from companion.core.match import Match
from companion.core.policies import RandomStream
from companion.games import make_game
from companion.games.phantomfury import state
from companion.games.phantomfury.ai.policies import QuickPlannerPolicy
from companion.games.phantomfury.ai.valuation import Valuation
from companion.games.phantomfury.rules import r11_shots, r14_reorganisation
from companion.session.facts import practice_facts
from companion.session.simulation import make_series
from companion.session.tables import load

GAME, SCENARIO, SEED = "phantomfury", "jolan", "relaxed"
NEVER = 1e6  # Zones a turn up to which the planner hopes for victory


def relaxed_game() -> Any:
    """The game with a chart of Activation on which every entry is a Dummy."""
    tables = load(GAME)
    chart = tables.charts["activation"]
    rows = {row: ("dummy",) * len(cells) for row, cells in chart.rows.items()}
    return make_game(GAME, tables._replace(charts={**tables.charts, "activation": chart._replace(rows=rows, read={})}))


async def _harmless(street: r11_shots.Street) -> tuple[bool, bool, tuple[int, ...]]:
    return False, False, ()


@contextmanager
def relaxed_rules() -> Iterator[None]:
    """Streets without Sniper Attacks, and no Infiltration."""
    r11_shots.crossing_results.cache_clear()
    with ExitStack() as stack:
        stack.enter_context(mock.patch.object(r11_shots, "in_street", _harmless))
        stack.enter_context(mock.patch.object(r14_reorganisation, "way_in", lambda referee, zone, held: ("", [])))
        yield
    r11_shots.crossing_results.cache_clear()


def make_match(game: Any, number: int) -> Match:
    """A game of the planner, not yet begun."""
    series = make_series(game, SCENARIO, {}, {}, SEED)
    constants = game.players.valuation.constants._replace(game_full_hope=NEVER, game_no_hope=2 * NEVER)
    policy = QuickPlannerPolicy(game.players, Valuation(constants))
    luck = RandomStream(f"{SEED}/{number}")
    return Match(game, series.options, {"player": policy}, luck, practice_facts(game))


def lower_bound(game: Any) -> int:
    """The turns that victory takes at least: by the distance from the start Zones, and by the number of squads."""
    match = make_match(game, 0)
    match.begin()
    referee = game.new_referee(match.position, match.options)
    start = match.position.members(state.START_ZONES)
    away = distances(start, referee.town.around)
    farthest = max(away[zone] for zone in referee.zones())
    head = game.tables.game["scenario_data"][SCENARIO]
    squads, left, turn = len(referee.squads()), len(referee.zones()) - len(start), 1  # all start Zones are taken in turn 1
    while left > 0:
        turn += 1
        squads += head["company"] * (turn == 2) + head["battalion_squads"] * (turn == head["battalion"])
        left -= squads
    return max(1 + farthest, turn)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="?", type=int, default=4)
    arguments = parser.parse_args()
    game = relaxed_game()
    sys.stdout.write(f"at least {lower_bound(game)} turns\n")
    with relaxed_rules():
        for number in range(arguments.games):
            match = make_match(game, number)
            match.begin()
            match.play()
            left = r14_reorganisation.lost_zones(match.position)
            turn = game.players.turn(match.position)
            sys.stdout.write(f"game {number}: {len(left)} Zones left after turn {turn} {' '.join(left)}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
