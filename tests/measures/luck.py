"""Measure the luck of a whole game that was not weighed before: seconds of processor time, and multiples of fixed work.

    python -m tests.measures.luck [GAME [SCENARIO [SEED]]] [--parts]

The aim is 3 s for a campaign on an idle machine. Other processes take caches and memory bandwidth, which more than doubles the
seconds; so the time is also given in bare loops of 10 million turns, measured between the rolls, and as a multiple of the time
that the bots took to play the game. With ``--parts``: the shares of the parts, by a profiler, which more than doubles the time.

On two cores with five other processes a campaign of 431 rolls took 4.6 to 6.4 bare loops, which is 2.2 to 3.1 s. What bounds
it are the 4,770 runs of outcomes, of which 1,138 end where they go on as an earlier one: 51 % rules and checkpoints, 21 %
forecasts of battles, 8 % values of positions.
"""

from __future__ import annotations

import cProfile
import os
import pstats
import sys
import tempfile
from collections.abc import Sequence
from statistics import median
from time import process_time

from companion.core.policies import BOT, PLANNER
from companion.core.procedures import Progress
from companion.session.controller import SessionController
from companion.session.luck import session_luck
from companion.session.simulation import make_series, replay_as_session
from companion.session.state import load_game
from companion.session.store import Archive

LIMIT = 3.0
"""Seconds that the luck of a campaign may take on an idle machine."""
IDLE_LOOP = 0.48
"""Seconds of 10 million turns of a bare loop on an idle machine."""
TURNS = 300_000
ROLLS_PER_LOOP = 20

PARTS = {
    "rolls of each entry, run once": ("luck.py", "_recorded_run"),
    "outcomes, run from a checkpoint": ("luck.py", "run"),
    "outcomes, run on from the roll": ("luck.py", "resume"),
    "  of both: answers of the policy": ("match.py", "_chosen_reply"),
    "    of these: forecasts of battles": ("valuation.py", "forecast"),
    "  of both: rules, and checkpoints": ("procedures.py", "_advance"),
    "values of positions": ("luck.py", "expected_value"),
    "outcomes of requests": ("request.py", "weighted_replies"),
}
"""The functions whose cumulated time is the share of a part; those that are indented are contained in others."""


def bare_loop() -> float:
    """The seconds of 10 million turns of a bare loop, extrapolated."""
    began, total = process_time(), 0
    for number in range(TURNS):
        total += number
    return (process_time() - began) * 10_000_000 / TURNS


def weigh(session: SessionController) -> tuple[int, float, float]:
    """Weigh the rolls: their number, the seconds, and those of a bare loop meanwhile."""
    loops, spent = [bare_loop()], 0.0

    def watch(progress: Progress) -> None:
        nonlocal spent
        if progress.done % ROLLS_PER_LOOP == 0:
            began = process_time()
            loops.append(bare_loop())
            spent += process_time() - began

    session.watch = watch
    began = process_time()
    rolls = len(session_luck(session, 1e9).rolls)
    return rolls, process_time() - began - spent, median(loops)


def write_parts(profile: cProfile.Profile) -> None:
    """Print the share of each part."""
    times = {(os.path.basename(file), name): times[3] for (file, _, name), times in pstats.Stats(profile).stats.items()}  # type: ignore[attr-defined]
    whole = times["luck.py", "session_luck"]
    for part, function in PARTS.items():
        sys.stdout.write(f"  {part:<36} {times.get(function, 0.0) / whole:4.0%}\n")


def main(arguments: Sequence[str]) -> None:
    """Print the seconds, or with ``--parts`` the shares."""
    words = [word for word in arguments if word != "--parts"]
    game_id, scenario, seed = (*words, *("fallujah2004", "campaign", "luck")[len(words) :])
    game = load_game(game_id)
    names = game.players.policies(game.players.seats[0])
    policy = next(name for name in (BOT, PLANNER) if name in names)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["COMPANION_DB"] = os.path.join(folder, "games.sqlite3")
        os.environ["COMPANION_CACHE"] = os.path.join(folder, "cache")
        with Archive.open() as archive:
            began = process_time()
            session = replay_as_session(archive, make_series(game, scenario, {}, {"": policy}, seed), 1).session
            play = process_time() - began
            if "--parts" in arguments:
                with cProfile.Profile() as profile:
                    session_luck(session, 1e9)
                write_parts(profile)
                return
            rolls, luck, loop = weigh(session)
            began = process_time()
            session_luck(session)
            again = process_time() - began
    sys.stdout.write(f"{game_id} {scenario}: {rolls} rolls weighed in {luck:.2f} s, and {again:.2f} s the second time\n")
    sys.stdout.write(f"{luck / play:.2f} times the play of the game ({play:.2f} s)\n")
    idle = luck / loop * IDLE_LOOP
    sys.stdout.write(f"{luck / loop:.1f} bare loops of {loop:.2f} s: {idle:.2f} s at {IDLE_LOOP} s a loop (limit {LIMIT})\n")


if __name__ == "__main__":
    main(sys.argv[1:])
