"""What the choice among plans of a turn gains in Phantom Fury, from turn starts of the planner's own games.

    python -m tests.measures.turn_plans [SCENARIO] [--games N] [--worlds N] [--file FILE]

Every plan is played to the end of the game in the same worlds. All worlds but one choose a plan, with the prior of the planner,
and the world left out judges it; each world is left out once. The file keeps the turn starts, and a later run adds games.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from companion.core.match import Match, with_cups_by_name
from companion.core.policies import RandomStream
from companion.games.phantomfury.ai.plans import useful
from companion.games.phantomfury.ai.policies import QuickPlannerPolicy
from companion.session.simulation import make_match, make_series
from companion.session.state import load_game

SEED = "e1"
Outcomes = dict[str, list[tuple[float, float]]]
"""The value and the chance to win of each world, by plan; the usual one first."""


def outcomes(match: Match, worlds: int, label: str) -> Outcomes:
    """Play every plan of the turn that begins to the end of the game."""
    game, players = match.game, match.game.players
    known = with_cups_by_name(match.position, game.cups)
    found: Outcomes = {}
    for appetite in useful(game.new_referee(match.position, match.options), players._appetites):  # type: ignore[attr-defined]
        for world in range(worlds):
            luck = RandomStream(f"{label}/{world}")
            start = players.sample_hidden(known, "player", luck.randbelow)
            played = Match(game, match.options, {"player": players.rollout_policy("player")}, luck, match.facts(), start)
            played.follow("player", players._plan(appetite))  # type: ignore[attr-defined]
            played.play()
            value = players.value(played.position, match.options, "player")
            found.setdefault(appetite.id, []).append((value, players.win(played.position, match.options, "player") or 0.0))
    return found


def gain(found: Outcomes, prior: float, weight: float) -> tuple[float, float]:
    """What the plan chosen by all worlds but one gains in that one over the usual plan, in VP and in wins."""
    usual, worlds = next(iter(found)), len(next(iter(found.values())))

    def chosen(left_out: int) -> str:
        def total(plan: str) -> float:
            others = sum(value for world, (value, _) in enumerate(found[plan]) if world != left_out)
            return round(others + (prior * weight if plan != usual else 0.0), 6)

        return max(found, key=total)

    pairs = [(found[chosen(world)][world], found[usual][world]) for world in range(worlds)]
    return mean(one[0] - other[0] for one, other in pairs), mean(one[1] - other[1] for one, other in pairs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scenario", nargs="?", default="practice_small")
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--worlds", type=int, default=6)
    parser.add_argument("--file", type=Path, default=None)
    given = parser.parse_args()
    game: Any = load_game("phantomfury")
    lines = given.file.read_text(encoding="utf-8").splitlines() if given.file and given.file.exists() else []
    rows: list[tuple[int, Outcomes]] = [tuple(json.loads(line)) for line in lines]
    first = 1 + max((number for number, _ in rows), default=-1)
    for number in range(first, first + given.games):
        match = make_match(make_series(game, given.scenario, {}, {}, SEED), number)
        match.seats = {"player": QuickPlannerPolicy(game.players, game.players.valuation)}
        match.begin()
        while not match.over:
            turn = game.players.turn(match.position)
            rows.append((number, outcomes(match, given.worlds, f"{SEED}/{given.scenario}/{number}/{turn}")))
            match.play(lambda position, turn=turn: game.players.turn(position) > turn)  # type: ignore[misc]
        if given.file:
            given.file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    constants = game.players.valuation.constants
    gains = [gain(found, constants.search_other_plan, constants.search_prior_worlds) for _, found in rows]
    for name, values, unit in (("value", [vp for vp, _ in gains], "VP"), ("wins", [100 * won for _, won in gains], "%")):
        error = 1.96 * stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0
        sys.stdout.write(f"{name}: {mean(values):+.1f} +- {error:.1f} {unit} a turn, of {len(values)} turn starts\n")


if __name__ == "__main__":
    main()
