"""Measure the openings of Fallujah 2004 by whole games of the planner, each opening on the same luck.

    python -m tests.measures.fallujah_openings [SCENARIO] [--games N] [--seed s] [--only a,b]

Prints for each opening of ``ai.toml`` the mean score and the difference to the first one, with standard errors.
"""

from __future__ import annotations

import argparse

from companion.core.policies import PLANNER
from companion.core.rollouts import mean_with_error
from companion.core.vocabulary import PLAYER
from companion.games import make_game
from companion.games.fallujah2004.ai.policies import FallujahPlayers, Planner
from companion.games.fallujah2004.ai.valuation import Valuation, read_valuation
from companion.session.simulation import make_series, play_game
from companion.session.tables import load


def main() -> None:
    game = make_game("fallujah2004", load("fallujah2004"))
    players, usual = game.players, read_valuation(game.tables.bot)
    assert isinstance(players, FallujahPlayers)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenario", nargs="?", default="vigilant_resolve", choices=list(game.scenarios))
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", default="openings")
    parser.add_argument("--only", default=",".join(opening.id for opening in usual.openings))
    given = parser.parse_args()
    series = make_series(game, given.scenario, {}, {PLAYER: PLANNER}, given.seed)
    scores: dict[str, list[float]] = {}
    for opening in [opening for opening in usual.openings if opening.id in given.only.split(",")]:
        planner = Planner(players, players.known_map, players.forecasts, Valuation(usual.constants, (opening,)))
        rows = [play_game(series, number, {PLAYER: planner}) for number in range(1, given.games + 1)]
        scores[opening.id] = [row.score for row in rows if row.score is not None]
        pairs = zip(scores[opening.id], next(iter(scores.values())), strict=True)
        mean, lead = mean_with_error(scores[opening.id]), mean_with_error([score - first for score, first in pairs])
        print(f"{opening.id:12} {mean[0]:6.1f} +- {mean[1]:.1f}   {lead[0]:+6.1f} +- {lead[1]:.1f}", flush=True)


if __name__ == "__main__":
    main()
