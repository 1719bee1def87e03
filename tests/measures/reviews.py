"""Review a whole game of each game: how it adds up, and the processor time of one core.

    python -m tests.measures.reviews [GAME ...] [--level LEVEL] [--seed S] [--write]

A game is played by `POLICY` in the set-up for practice, and reviewed to the end. What is found is kept in
``tests/measures/reviews.json``; ``--write`` renews the table in ``companion/docs/review.md``. Without GAME the table of what is
kept is printed.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import process_time
from typing import Any

from companion.core.policies import PLAIN
from companion.core.review import LEVELS, QUICK, Estimate, GameReview, Part
from companion.core.review_playouts import Reviewer, review_game
from companion.core.review_walk import ReviewScope
from companion.games import GAMES
from companion.session import database
from companion.session.review import known_facts, played_entries
from companion.session.simulation import make_series, rare_garbage_collection, replay_as_session
from companion.session.state import load_game
from companion.session.store import Archive
from companion.views.review_page import review_page

FILE = Path(__file__).with_suffix(".json")


POLICY = "easy"
"""Plays every seat."""
OPTIONS: Mapping[str, Mapping[str, str]] = {"iraqwar2003": {"opponent": "proposes"}}
"""In Iraq War 2003 the planner decides inside the rules for a seat that Companion plays; here it answers a person's questions."""


def reviewed_game(game_id: str, level: str, seed: str) -> dict[str, Any]:
    """Play and review a game; return what is kept of it."""
    game = load_game(game_id)
    set_up = ", ".join(game.players.practice_options().values())
    options = {**game.players.practice_options(), **OPTIONS.get(game_id, {})}
    series = make_series(game, options.pop("scenario", ""), options, {"": PLAIN}, seed)  # persons, who are asked
    own = {seat: game.players.policy(seat, POLICY) for seat in game.players.seats}
    playouts = 0

    def count() -> None:
        nonlocal playouts
        playouts += 1

    with Archive(database.IN_MEMORY, database.connect(database.IN_MEMORY)) as archive:
        session = replay_as_session(archive, series, 1, own=own).session
        entries = list(played_entries(session))
        scope = ReviewScope(game, session.options, known_facts(session), LEVELS[level])
        began = process_time()
        with rare_garbage_collection():
            review = review_game(Reviewer(scope, f"reviews/{seed}", tick=count), level, entries)
        seconds = process_time() - began
        page = review_page(session, review)
    turns = {game.players.turn(entry.before) for entry in entries}
    return {
        "set-up": set_up,
        "level": level,
        "turns": len(turns),
        "actions": len(entries),
        "decisions": len(review.decisions),
        "mistakes": len(review.mistakes()),
        "skipped": sum(review.skipped.values()),
        "playouts": playouts,
        "seconds": round(seconds, 1),
        "page": round(len(page.encode()) / 1000),
        "unit": review.unit,
        **sums(review),
    }


def sums(review: GameReview) -> dict[str, Any]:
    """The parts of the result, each as a mean with its standard error."""
    shares = review.shares()

    def figures(part: Part) -> list[float]:
        rows = [share.win if review.unit == "win" else share.vp for share in shares if share.part == part]
        known = [row for row in rows if row is not None]
        return [round(sum(row.mean for row in known), 3), round(sum(row.error**2 for row in known) ** 0.5, 3)]

    end = review.result.win_estimate if review.unit == "win" else review.result.vp_estimate
    parts: dict[str, Part] = {"start": "start", "luck": "luck", "cost": "decisions", "rest": "rest"}
    return {**{name: figures(part) for name, part in parts.items()}, "result": [round(figure, 3) for figure in end or ()]}


def table(kept: Mapping[str, Mapping[str, Any]]) -> str:
    """The reviews as a table."""
    head = "| game, set-up | turns | actions | decisions | playouts | seconds | page | start | luck | decisions | rest | result |"
    rows = [head, "|---|" + "---:|" * 6 + "---|" * 5]
    for game_id in GAMES:
        if row := kept.get(game_id):
            place = f"`{game_id}`" + (f", {row['set-up']}" if row["set-up"] else "")
            counts = [str(row[key]) for key in ("turns", "actions", "decisions", "playouts")]
            parts = [figure(row[key], row["unit"]) for key in ("start", "luck", "cost", "rest", "result")]
            rows.append("| " + " | ".join([place, *counts, f"{row['seconds']:.0f}", f"{row['page']} kB", *parts]) + " |")
    return "\n".join(rows)


def figure(row: Sequence[float], unit: str) -> str:
    """A mean with its standard error as it is shown.

    >>> figure([0.25, 0.05], "win"), figure([-3.04, 0], "VP")
    ('25 % +- 5', '-3.0 VP')
    """
    value = Estimate(*row)
    scale, sign, digits = (100, " %", 0) if unit == "win" else (1, " VP", 1)
    error = f" +- {scale * value.error:.{digits}f}" if value.error else ""
    return f"{scale * value.mean:.{digits}f}{sign}{error}"


def read() -> dict[str, dict[str, Any]]:
    """What is kept, by game."""
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}


def pages_part() -> str:
    """The table as in ``companion/docs/review.md``."""
    return table(read())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--level", default=QUICK, choices=list(LEVELS))
    parser.add_argument("--seed", default="reviews")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    for game_id in given.games:
        row = reviewed_game(game_id, given.level, given.seed)
        kept = {**read(), game_id: row}
        FILE.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        print(json.dumps(row), flush=True)
    print(pages_part())
    if given.write:
        from tests.support.pages import DOCS, renew

        renew(DOCS / "review.md")


if __name__ == "__main__":
    main()
