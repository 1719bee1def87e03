"""Games that the planners play from fixed seeds, and how they end: ``python -m tests.support.planner_games --write``.

A planner decides by many small numbers that no rule states. These games change when one of them changes, so a change that was
not meant is noticed. After a change that was meant, write the file anew and say so in the commit.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from companion.session.simulation import make_series, play_game
from companion.session.state import load_game

FILE = Path(__file__).with_suffix(".json")
SERIES = {
    "fallujah2004": [("vigilant_resolve", "planner", 5), ("phantom_fury", "planner", 3), ("campaign", "planner", 2)],
    "fallujahcards": [("", "bot", 2)],
    "iraqwar2003": [("", "bot", 2)],
    "lzalbany": [("", "bot", 8)],
    "phantomfury": [("practice", "planner", 6), ("practice_small", "planner", 8)],
}
"""Per game: scenario, policy of every seat, number of games."""

Row = list[object]


def played(game_id: str) -> dict[str, list[Row]]:
    """Result, score, turns, decisions and tracks of each game of a series, by scenario and policy."""
    game = load_game(game_id)
    rows: dict[str, list[Row]] = {}
    for scenario, policy, games in SERIES[game_id]:
        series = make_series(game, scenario, {}, {"": policy}, "planner games")
        ends = [play_game(series, number) for number in range(1, games + 1)]
        rows[f"{scenario or 'default'} {policy}"] = [
            [end.result, end.score, end.turns, end.decisions, *end.tracks] for end in ends
        ]
    return rows


def flat(rows: dict[str, dict[str, list[Row]]]) -> dict[str, list[Row]]:
    """The series of all games, by ``game scenario policy``."""
    return {f"{game_id} {name}": ends for game_id, series in rows.items() for name, ends in series.items()}


def main(arguments: list[str]) -> None:
    rows = {game_id: played(game_id) for game_id in SERIES}
    lines = [
        f"  {json.dumps(name)}: [\n    " + ",\n    ".join(map(json.dumps, ends)) + "\n  ]" for name, ends in flat(rows).items()
    ]
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    if "--write" in arguments:
        FILE.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main(sys.argv[1:])
