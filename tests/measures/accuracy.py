"""Measure the accuracy that the review gives the policies of a game: a stronger one should have the higher accuracy.

    python -m tests.measures.accuracy GAME [--policies NAME,NAME] [--games N] [--option KEY=VALUE] [--seat SEAT] [--level LEVEL]
        [--think WORLDS] [--turns TURN] [--seconds S] [--write]
    python -m tests.measures.accuracy [--write]

Every game is played by a policy in the seat that is measured and by the usual one in the other seats, then reviewed, with
``--turns`` only up to the end of that turn. The loss of every decision of the seat is kept in
``tests/measures/accuracy/GAME.json``, and the same command continues there. Without GAME the table of what is kept is printed;
``--write`` writes it into ``companion/docs/review.md``.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

from companion.core.match import Match
from companion.core.review import LEVELS, QUICK, Estimate, accuracy_of, grade_of
from companion.core.review_playouts import Reviewer, review_game
from companion.core.review_walk import PlayedEntry, ReviewScope
from companion.core.rollouts import mean_with_error
from companion.games import GAMES
from companion.session.files import replacing
from companion.session.simulation import make_match, make_series, rare_garbage_collection
from companion.session.state import load_game

FOLDER = Path(__file__).with_suffix("")
SEED = "accuracy"

Losses = Sequence[Sequence[float]]
"""Mean and standard error of the loss of each decision of a game, as shares of a whole chance to win."""


class Series(NamedTuple):
    """What the games of several policies have in common; ``turns`` and ``think`` are 0 for no limit and no playouts."""

    game: str
    options: tuple[str, ...]
    seat: str
    level: str
    think: int
    turns: int

    @property
    def key(self) -> str:
        """How it is named in the file of its game."""
        return json.dumps([list(self.options), *self[2:]])

    @classmethod
    def read(cls, game: str, key: str) -> Series:
        options, *rest = json.loads(key)
        return cls(game, tuple(options), *rest)


def played_entries(match: Match, last: int) -> list[PlayedEntry]:
    """Play a game to its end, or to the end of a turn if ``last`` is not 0, and return its actions after the set-up."""
    turn_of = match.players.turn
    runs = {action.id: action.run for action in match.game.actions}
    entries, turn, begun = list[PlayedEntry](), -1, dict[str, int]()
    match.begin()
    while not match.over and not (last and turn_of(match.position) > last):
        before, count = match.position, len(match.story or ())
        if turn_of(before) != turn:
            turn, begun = turn_of(before), {}
        if not match.act():
            break
        for number, done in enumerate((match.story or ())[count:], count + 1):
            action = done.action
            entries.append(PlayedEntry(number, dict(begun), action, before, match.position, done.replies, runs[action]))
            begun[action] = begun.get(action, 0) + 1
    return entries


def losses_of(series: Series, policy: str, number: int) -> Losses:
    """Play and review a game; a policy plays the seat."""
    game = load_game(series.game)
    options = dict(option.split("=", 1) for option in series.options)
    games = make_series(game, options.pop("scenario", ""), options, {series.seat: policy}, SEED, series.think)
    with rare_garbage_collection():
        match = make_match(games, number, keep=True)
        entries = played_entries(match, series.turns)
        known = match.options, match.facts(), LEVELS[series.level]
        scope = ReviewScope(game, *known, is_compared=lambda decides: decides == series.seat, compares_companion=True)
        review = review_game(Reviewer(scope, f"{SEED}/{number}"), series.level, entries)
    losses = [review.share_of_loss(one) for one in review.decisions if one.seat == series.seat]
    return [[round(loss.mean, 4), round(loss.error, 4)] for loss in losses]


class Found(NamedTuple):
    """Means over games with their standard errors: accuracy, loss of a decision in per cent, and mistakes of any grade a game."""

    accuracy: tuple[float, float]
    loss: tuple[float, float]
    mistakes: tuple[float, float]

    @classmethod
    def of(cls, games: Sequence[Losses]) -> Found:
        rows = [[Estimate(*loss) for loss in losses] for losses in games if losses]
        mistakes = [sum(grade_of(loss) not in ("good", "within error") for loss in row) for row in rows]
        return cls(
            mean_with_error([sum(accuracy_of(loss) for loss in row) / len(row) for row in rows]),
            mean_with_error([100 * sum(loss.mean for loss in row) / len(row) for row in rows]),
            mean_with_error(mistakes),
        )


# -- what is kept --------------------------------------------------------------------------------------------------------


def read(game: str) -> dict[str, dict[str, dict[str, Losses]]]:
    """What is kept of a game: series -> policy -> number of the game -> losses."""
    path = FOLDER / f"{game}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def save(game: str, kept: Mapping[str, Mapping[str, Mapping[str, Losses]]]) -> None:
    """Write what is kept of a game, a line a game."""
    FOLDER.mkdir(exist_ok=True)
    parts = []
    for key, policies in kept.items():
        rows = []
        for policy, games in policies.items():
            lines = [f"  {json.dumps(number)}: {json.dumps(losses, separators=(',', ':'))}" for number, losses in games.items()]
            rows.append(f" {json.dumps(policy)}: {{\n" + ",\n".join(lines) + "\n }")
        parts.append(f"{json.dumps(key)}: {{\n" + ",\n".join(rows) + "\n}")
    with replacing(str(FOLDER / f"{game}.json")) as beside:
        Path(beside).write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


def pages_part() -> str:
    """The table of all games, as in ``companion/docs/review.md``."""
    rows = ["| game, set-up | seat | policy | games | decisions | accuracy | loss a decision | mistakes a game |"]
    rows.append("|---|---|---|---:|---:|---|---|---|")
    for game in GAMES:
        for key, policies in read(game).items():
            series = Series.read(game, key)
            place = ", ".join([f"`{game}`", *(option.partition("=")[2] for option in series.options)])
            place += f", to turn {series.turns}" if series.turns else ""
            for policy, games in policies.items():
                found = Found.of([*games.values()])
                decisions = sum(len(losses) for losses in games.values())
                counts = f"{series.seat} | `{policy}` | {len(games)} | {decisions}"
                accuracy, loss, mistakes = found
                cells = f"{accuracy[0]:.1f} +- {accuracy[1]:.1f} | {loss[0]:.2f} % +- {loss[1]:.2f}"
                rows.append(f"| {place} | {counts} | {cells} | {mistakes[0]:.2f} +- {mistakes[1]:.2f} |")
    return "\n".join(rows)


def measure(series: Series, policies: Sequence[str], count: int, seconds: float) -> None:
    """Play what is missing of so many games of each policy, and begin none after so many seconds of processor time (0: any)."""
    kept = read(series.game)
    of_series = kept.setdefault(series.key, {})
    began = process_time()
    for number in range(1, count + 1):
        for policy in policies:
            games = of_series.setdefault(policy, {})
            if str(number) in games or (seconds and process_time() - began > seconds):
                continue
            games[str(number)] = losses_of(series, policy, number)
            save(series.game, kept)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?")
    parser.add_argument("--policies", default="easy,normal,hard")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("--seat", default="")
    parser.add_argument("--level", default=QUICK, choices=list(LEVELS))
    parser.add_argument("--think", type=int, default=0)
    parser.add_argument("--turns", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=0.0)
    parser.add_argument("--write", action="store_true")
    given: Any = parser.parse_args()
    if given.game:
        seat = given.seat or load_game(given.game).players.seats[0]
        series = Series(given.game, tuple(given.option), seat, given.level, given.think, given.turns)
        measure(series, given.policies.split(","), given.games, given.seconds)
    print(pages_part())
    if given.write:
        from tests.support.pages import DOCS, renew

        renew(DOCS / "review.md")


if __name__ == "__main__":
    main()
