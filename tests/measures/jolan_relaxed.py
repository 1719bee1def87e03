"""Bound the turns that `jolan` of Phantom Fury needs if the insurgents do less: can its map be won in the turns allowed?

    python -m tests.measures.jolan_relaxed [GAMES] [--relax dummies,streets,infiltration | none]

The relaxed problem keeps the map, the Movement Points, stacking, Fire, the Assaults and Flooding of the rules, and the forces
with the turns in which they come. Every Suspect is a Dummy, streets are harmless, and nothing is infiltrated; ``--relax`` names
some of these only, which shows what costs how many Zones. From below: a Zone is entered in the turn after one beside it has been
taken [14.2] at the earliest, so each step away from the start Zones takes a turn, and no turn brings more Zones than there are
squads on the map [14.1.1]. From above: games of the planner in that world, with the dice of Fire as they fall.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest import mock

from companion.core.graph import distances
from companion.core.match import Match
from companion.core.policies import RandomStream
from companion.core.rollouts import mean_with_error
from companion.games import make_game
from companion.games.phantomfury import state
from companion.games.phantomfury.ai.policies import PlannerPolicy
from companion.games.phantomfury.rules import r11_shots, r14_reorganisation
from companion.session.facts import practice_facts
from companion.session.simulation import make_series
from companion.session.tables import load

GAME, SCENARIO, SEED = "phantomfury", "jolan", "relaxed"
DUMMIES, STREETS, INFILTRATION = RELAXATIONS = ("dummies", "streets", "infiltration")


def relaxed_game(relaxed: Collection[str] = RELAXATIONS) -> Any:
    """The game; with ``dummies`` on a chart of Activation on which every entry is a Dummy."""
    tables = load(GAME)
    if DUMMIES not in relaxed:
        return make_game(GAME, tables)
    chart = tables.charts["activation"]
    rows = {row: ("dummy",) * len(cells) for row, cells in chart.rows.items()}
    return make_game(GAME, tables._replace(charts={**tables.charts, "activation": chart._replace(rows=rows, read={})}))


async def _harmless(street: r11_shots.Street) -> tuple[bool, bool, tuple[int, ...]]:
    return False, False, ()


@contextmanager
def relaxed_rules(relaxed: Collection[str] = RELAXATIONS) -> Iterator[None]:
    """Streets without Sniper Attacks, and no Infiltration, if they are named."""
    r11_shots.crossing_results.cache_clear()
    with ExitStack() as stack:
        if STREETS in relaxed:
            stack.enter_context(mock.patch.object(r11_shots, "in_street", _harmless))
        if INFILTRATION in relaxed:
            stack.enter_context(mock.patch.object(r14_reorganisation, "way_in", lambda referee, zone, held: ("", [])))
        yield
    r11_shots.crossing_results.cache_clear()


def make_match(game: Any, number: int) -> Match:
    """A game of the planner, not yet begun."""
    series = make_series(game, SCENARIO, {}, {}, SEED)
    policy = PlannerPolicy(game.players, game.players.valuation)
    return Match(game, series.options, {"player": policy}, RandomStream(f"{SEED}/{number}"), practice_facts(game))


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
    parser.add_argument("--relax", default=",".join(RELAXATIONS))
    arguments = parser.parse_args()
    relaxed = [name for name in RELAXATIONS if name in arguments.relax.split(",")]
    game, zones = relaxed_game(relaxed), []
    sys.stdout.write(f"at least {lower_bound(game)} turns; relaxed: {', '.join(relaxed) or 'nothing'}\n")
    with relaxed_rules(relaxed):
        for number in range(arguments.games):
            match = make_match(game, number)
            match.begin()
            match.play()
            zones.append(float(len(r14_reorganisation.lost_zones(match.position))))
            turn, points = game.players.turn(match.position), match.position.track("vp")
            sys.stdout.write(f"game {number}: {zones[-1]:.0f} Zones left after turn {turn}, {points} VP\n")
            sys.stdout.flush()
    mean, error = mean_with_error(zones)
    sys.stdout.write(f"{mean:.1f} +- {1.96 * error:.1f} Zones left, won {zones.count(0.0)} of {len(zones)}\n")


if __name__ == "__main__":
    main()
