"""Which opening of Fallujah 2004 wins most in vigilant_resolve? GAMES of each, by as many processes as JOBS."""

import sys
from math import sqrt
from statistics import mean, stdev

from companion import api

GAME = {"game": "fallujah2004", "scenario": "vigilant_resolve", "seed": "openings"}


def find_openings():
    """Return what the planner compares before its first operation, the best in its own opinion first."""
    openings = []

    def strategy(view):
        if not openings:
            openings.extend(view.candidates)

    api.simulate(**GAME, games=1, policies=strategy, base="planner")
    return openings


def with_interval(values):  # half of the 95 % interval behind the mean
    return f"{mean(values):5.1f} +-{1.96 * stdev(values) / sqrt(len(values)):4.1f}"


def main(games=100, jobs=1):
    usual = []
    for opening in find_openings():
        run = api.simulate(**GAME, games=games, policies="planner", answers=opening.answers, jobs=jobs)
        scores = [game.score for game in run.played]
        usual = usual or scores  # game 3 has the same luck in every run, so differences are compared
        figures = [[100 * game.result.endswith(end) for game in run.played] for end in ("Victory", "Decisive Victory")]
        figures.append([new - old for new, old in zip(scores, usual, strict=True)])
        print(*map(with_interval, figures), opening.name.partition(":")[0], sep="   ", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
