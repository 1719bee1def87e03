"""Measure the accuracy that the review gives the policies of a game: a stronger one should have the higher accuracy.

    python -m tests.measures.accuracy phantomfury --policies easy,normal,hard --games 20 --option scenario=practice_small

Every game is played by a policy in the seat that is measured and by the usual one in the other seats, then reviewed. Games are
kept in ``tests/measures/accuracy``, and a later run continues them. Printed: mean accuracy and mean loss of a decision, with the
standard error over games.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from time import process_time
from typing import Any

from companion.core.review import LEVELS, GameReview
from companion.core.review_playouts import Reviewer, review_game
from companion.core.review_walk import ReviewScope
from companion.core.rollouts import mean_with_error
from companion.session import database
from companion.session.review import played_entries
from companion.session.simulation import make_series, replay_as_session
from companion.session.state import load_game
from companion.session.store import Archive

FOLDER = Path(__file__).parent / "accuracy"
SEED = "accuracy"


def review_of(game_id: str, scenario: str, options: dict[str, str], policy: str, seat: str, number: int, args: Any) -> GameReview:
    """Play and review a game; a policy plays the seat."""
    game = load_game(game_id)
    series = make_series(game, scenario, options, {seat: policy}, SEED, args.think)
    with Archive(database.IN_MEMORY, database.connect(database.IN_MEMORY)) as archive:
        session = replay_as_session(archive, series, number).session
        entries = [one for one in played_entries(session) if not args.turns or game.players.turn(one.before) <= args.turns]
        known = session.options, session.log.facts(), LEVELS[args.level]
        scope = ReviewScope(game, *known, is_compared=lambda decides: decides == seat, compares_companion=True)
        return review_game(Reviewer(scope, f"accuracy/{number}"), args.level, entries)


def row_of(review: GameReview, seat: str) -> dict[str, Any]:
    """The figures of a game that are kept."""
    accuracies = [*review.accuracies(by_person=True), *review.accuracies(by_person=False)]
    decisions = sum(one.decisions for one in accuracies if one.seat == seat)
    total = sum(one.mean * one.decisions for one in accuracies if one.seat == seat)
    losses = [review.share_of_loss(one).mean for one in review.decisions if one.seat == seat]
    mistakes = len(review.mistakes(seat=seat)) + len(review.mistakes(seat=seat, by_person=False))
    return {
        "decisions": decisions,
        "accuracy": round(total / max(1, decisions), 2),
        "loss": round(100 * sum(losses) / max(1, len(losses)), 3),
        "mistakes": mistakes,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--policies", default="easy,normal,hard")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("--seat", default="")
    parser.add_argument("--level", default="quick", choices=list(LEVELS))
    parser.add_argument("--think", type=int, default=0)
    parser.add_argument("--turns", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=0.0, help="Begin no game after so many seconds of processor time.")
    args = parser.parse_args()
    options = dict(option.split("=", 1) for option in args.option)
    scenario = options.pop("scenario", "")
    seat = args.seat or load_game(args.game).players.seats[0]
    FOLDER.mkdir(exist_ok=True)
    file = FOLDER / f"{args.game}.json"
    kept: dict[str, dict[str, Any]] = json.loads(file.read_text()) if file.exists() else {}
    began = process_time()
    head = " ".join([scenario or "default", *args.option, seat, args.level, f"think={args.think}", f"turns={args.turns}"])
    for number in range(1, args.games + 1):
        for policy in args.policies.split(","):
            games = kept.setdefault(f"{head} {policy}", {})
            if str(number) in games or (args.seconds and process_time() - began > args.seconds):
                continue
            games[str(number)] = row_of(review_of(args.game, scenario, options, policy, seat, number, args), seat)
            file.write_text(json.dumps(kept, indent=1) + "\n")
    for policy in args.policies.split(","):
        rows = list(kept.get(f"{head} {policy}", {}).values())
        accuracy, error = mean_with_error([row["accuracy"] for row in rows])
        loss, loss_error = mean_with_error([row["loss"] for row in rows])
        mistakes, mistakes_error = mean_with_error([row["mistakes"] for row in rows])
        found = f"accuracy {accuracy:.1f} +- {error:.1f}  loss {loss:.2f} +- {loss_error:.2f} %"
        print(f"{args.game} {policy:8} {len(rows):3} games  {found}  mistakes a game {mistakes:.1f} +- {mistakes_error:.1f}")


if __name__ == "__main__":
    main()
