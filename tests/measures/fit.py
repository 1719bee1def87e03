"""Fit the value of a position on played games, and compare it with the planner's own on games that were not used.

    python -m tests.measures.fit GAME [K=V ...] [--policy SEAT=NAME,NAME] [--option K=V] [--games N] [--budget SECONDS] [--seed S]
        [--last TURN] [--features NAME,NAME] [--penalty N] [--thin N] [--jobs N] [--rows FILE] [--kind score|win]
        [--write | --write-all]

Each K=V, such as `scenario=practice`, is a set-up that takes its turn; without any it is the one for practice. Games are played
by the named policies, one drawn at random for each game; by default a seat's best one without rollouts. With ``--last`` the named
policies play only to a turn drawn at random below it (in one game of four to none), then each seat's best one plays to the end:
so positions of all chances occur, and a chance is always that of equal players. At the end of each turn of the best ones
`Players.features` of the first seat and its `Players.value` are recorded. Seven games of ten fit a ridge regression of the final
score and a logistic regression of winning, the other three judge: correlation with the final score, Brier score, and the share
won among positions by their predicted chance, with Wilson intervals in which a game counts once.

``--features``: the fit uses these alone; a few robust ones need fewer games, and a smaller ``--penalty`` of the chance (10).
``--thin``: of each third of ``--last`` (without it of the whole game) that many positions drawn at random count, so that neither
long games nor the long end of games decides the fit.
``--rows`` keeps the recorded games, and a later run adds to them. ``--write`` writes the weights into ``ai.toml``, for the
set-ups that were played: of the score only if it correlates better than the planner's value, of winning only if it is calibrated
in each set-up, and better than the planner's value turned into a chance. What is no better is removed. The interval of a
difference is by bootstrap over games. ``--write-all`` writes a chance that is fitted on all games;
`tests.measures.calibration` judges it by fresh ones, and a test refuses a chance that it does not find calibrated.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from itertools import chain
from math import sqrt
from multiprocessing import get_context
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, NamedTuple

from companion.core.fit import SCORE, WIN
from companion.core.game import Game
from companion.core.match import Match
from companion.core.policies import BOT, PLAIN, PLANNER
from companion.core.rollouts import NORMAL
from companion.core.statistics import wilson
from companion.core.text import split_list
from companion.session.simulation import Series, describe_fault, make_match, make_series
from companion.session.state import load_game
from tests.support.pages import ROOT
from tests.support.regression import Linear, correlation, logistic_ridge, ridge

PENALTIES = (1.0, 10.0, 100.0, 1000.0)
HELD_OUT = (0, 3, 6)
"""The last digits of the games that judge."""
NEAR = 0.05
"""How far the share of a calibrated bin may be from the predicted one, besides its interval."""
ERRORS = 2.81
"""Standard errors that a bin may be off beyond that: with ten bins one of twenty calibrated fits is rejected."""
FEW = 10
"""Games below which a bin proves nothing."""
ENOUGH = 60
"""Games that must judge before a chance is called calibrated."""
_DRAWS = 200


class Recorded(NamedTuple):
    """The end of a turn of a game.

    Attributes:
        value: The planner's value of the position to the first seat.
        score, won: The value of the end, which is the final score if the game is not worth less when lost, and whether the
            first seat won; None where nobody does.
        set_up: As ``K=V``; "" for that for practice.
    """

    game: int
    turn: int
    features: Mapping[str, float]
    value: float
    score: float
    won: float | None
    set_up: str = ""


def policies_by_default(game: Game, seat: str) -> list[str]:
    """Return the seat's best policy: without rollouts it decides by priorities."""
    known = game.players.policies(seat)
    return [next(name for name in (NORMAL, PLANNER, BOT, PLAIN) if name in known)]


@cache
def _series(
    game: str, set_up: str, options: tuple[tuple[str, str], ...], policies: tuple[tuple[str, str], ...], seed: str
) -> Series:
    given = dict([*options, *([tuple(set_up.split("=", 1))] if set_up else [])])
    return make_series(load_game(game), given.pop("scenario", ""), given, dict(policies), seed)


class Source(NamedTuple):
    """The games that are recorded: the set-ups take turns, and of each seat one policy of several is drawn for each game.

    ``last``: the policies are replaced by the usual ones at a turn before it; 0: they play on.
    """

    game: str
    set_ups: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    policies: tuple[tuple[str, tuple[str, ...]], ...]
    seed: str
    last: int = 0


class Played(NamedTuple):
    """A game of a source: what was noted at the end of each turn of the policies that count, its number first, and the match.

    ``is_usual``: the usual policies played from the start.
    """

    noted: list[tuple[int, Any]]
    match: Match
    is_usual: bool


def play(source: Source, number: int, note: Callable[[Match], Any], *, is_fitted: bool = True) -> Played:
    """Play a game and note something at the end of each turn of the policies that count, with the game's fits or without any."""
    random = Random(f"{source.seed}/{number}/policies")
    policies = tuple((seat, random.choice(names)) for seat, names in source.policies)
    set_up = source.set_ups[number % len(source.set_ups)]
    until = random.randrange(source.last) if source.last and random.randrange(4) else 0
    match = make_match(_series(source.game, set_up, source.options, policies, source.seed), number)
    players, counts, noted = match.players, not source.last, []
    if not is_fitted:
        players._fitted.update({SCORE: None, WIN: None})
    match.begin()
    turn = players.turn(match.position)
    while not match.over and match.actions < players.max_actions:
        if not counts and turn >= until:
            take_usual_policies(match, source, set_up, number)
            counts = True
        if not match.act():
            break
        if not match.over and (now := players.turn(match.position)) != turn:
            turn = now
            if counts:
                noted.append((turn, note(match)))
    return Played(noted, match, not until)


def record(source: Source, number: int) -> list[Recorded]:
    """Play a game and return the end of each of its turns; [] if it fails."""

    def note(match: Match) -> tuple[Mapping[str, float], float]:
        at = match.position, match.options, match.players.seats[0]
        return dict(match.players.features(*at)), match.players.value(*at)

    try:
        noted, match, _ = play(source, number, note, is_fitted=False)  # the planner's own value is compared, not an earlier fit
        players, seat = match.players, match.players.seats[0]
        result = players.outcome(match.position, match.options)
        score = players.value(match.position, match.options, seat)
    except Exception as fault:
        sys.stderr.write(f"game {number}: {describe_fault(fault)}\n")
        return []
    won, set_up = players.won(result.result, seat), source.set_ups[number % len(source.set_ups)]
    return [Recorded(number, turn, features, value, score, won, set_up) for turn, (features, value) in noted]


def take_usual_policies(match: Match, source: Source, set_up: str, number: int) -> None:
    """Replace the policies of a game by each seat's best one without rollouts."""
    usual = tuple((seat, policies_by_default(match.game, seat)[0]) for seat in match.players.seats)
    other = make_match(_series(source.game, set_up, source.options, usual, source.seed), number)
    match.seats, match.options = other.seats, other.options


class Fit(NamedTuple):
    """The features in order, and the fit to them."""

    names: tuple[str, ...]
    linear: Linear

    def row(self, features: Mapping[str, float]) -> list[float]:
        return [features[name] for name in self.names]

    def value(self, one: Recorded) -> float:
        return self.linear.value(self.row(one.features))

    def chance(self, one: Recorded) -> float:
        return self.linear.chance(self.row(one.features))


def split(rows: Sequence[Recorded]) -> tuple[list[Recorded], list[Recorded]]:
    """Return the rows of the games that fit and of those that judge."""
    return [one for one in rows if one.game % 10 not in HELD_OUT], [one for one in rows if one.game % 10 in HELD_OUT]


def thinned(rows: Sequence[Recorded], most: int, last: int = 0) -> list[Recorded]:
    """Return at most so many positions of each game, drawn at random; of each third of the turns to ``last`` if that is given."""
    random = Random("thinned")
    parts: dict[tuple[int, int], list[Recorded]] = {}
    for one in rows:
        parts.setdefault((one.game, third_of(one.turn, last)), []).append(one)
    return [one for part in parts.values() for one in (random.sample(part, most) if len(part) > most else part)]


def third_of(turn: int, last: int) -> int:
    """Return the phase of a turn: the third of the turns to ``last``; 0 without it.

    >>> [third_of(turn, 60) for turn in (1, 20, 21, 60, 90)], third_of(30, 0)
    ([0, 0, 1, 2, 2], 0)
    """
    return min(3 * (turn - 1) // last, 2) if last else 0


def fit_score(rows: Sequence[Recorded], names: Sequence[str]) -> Fit:
    """Return the ridge regression whose penalty predicts every third game best from the others."""
    table, targets = [[one.features[name] for name in names] for one in rows], [one.score for one in rows]
    inner, outer = ([index for index, one in enumerate(rows) if (one.game % 3 == 0) is held] for held in (False, True))

    def error(penalty: float) -> float:
        fitted = ridge([table[index] for index in inner], [targets[index] for index in inner], penalty)
        return sum((fitted.value(table[index]) - targets[index]) ** 2 for index in outer)

    best = min(PENALTIES, key=error) if inner and outer else PENALTIES[0]
    return Fit(tuple(names), ridge(table, targets, best))


def fit_win(rows: Sequence[Recorded], names: Sequence[str], penalty: float = 10.0) -> Fit:
    """Return the logistic regression of winning."""
    table = [[one.features[name] for name in names] for one in rows]
    return Fit(tuple(names), logistic_ridge(table, [one.won or 0.0 for one in rows], penalty))


def feature_names(rows: Sequence[Recorded]) -> list[str]:
    """Return the features that are not constant."""
    return [name for name in rows[0].features if len({one.features[name] for one in rows}) > 1]


def brier(rows: Sequence[Recorded], chance: Callable[[Recorded], float]) -> float:
    return sum((chance(one) - (one.won or 0.0)) ** 2 for one in rows) / len(rows)


def interval(rows: Sequence[Recorded], figure: Callable[[Sequence[Recorded]], float]) -> tuple[float, float]:
    """Return the 95 % interval of a figure by bootstrap over games."""
    by_game: dict[int, list[Recorded]] = {}
    for one in rows:
        by_game.setdefault(one.game, []).append(one)
    random, games = Random("bootstrap"), list(by_game.values())
    figures = sorted(figure([*chain(*random.choices(games, k=len(games)))]) for _ in range(_DRAWS))
    return figures[int(0.025 * _DRAWS)], figures[int(0.975 * _DRAWS) - 1]


class Bin(NamedTuple):
    """Positions by their predicted chance.

    Attributes:
        predicted, won: The mean chance, and the share that was won, from `low` to `high` with 95 %.
    """

    positions: int
    games: int
    predicted: float
    won: float
    low: float
    high: float

    @property
    def is_near(self) -> bool:
        """True if the share that was won may be near the predicted one."""
        error = sqrt(self.predicted * (1 - self.predicted) / self.games)
        return self.games < FEW or abs(self.won - self.predicted) <= NEAR + ERRORS * error


def reliability(rows: Sequence[Recorded], chance: Callable[[Recorded], float], bins: int = 10) -> list[Bin]:
    """Return the shares won by tenths of the predicted chance. Positions of a game are not independent: a game counts once."""
    parts: dict[int, list[Recorded]] = {}
    for one in rows:
        parts.setdefault(min(int(chance(one) * bins), bins - 1), []).append(one)
    result = []
    for index in sorted(parts):
        part = parts[index]
        games, won = len({one.game for one in part}), sum(one.won or 0.0 for one in part) / len(part)
        predicted = sum(map(chance, part)) / len(part)
        result.append(Bin(len(part), games, predicted, won, *wilson(won * games, games)))
    return result


def set_ups(rows: Sequence[Recorded]) -> list[str]:
    return sorted({one.set_up for one in rows})


def bin_row(place: str, one: Bin) -> str:
    """Return a bin as a row of the table of reliability."""
    predicted, won, low, high = (f"{100 * share:.0f}" for share in (one.predicted, one.won, one.low, one.high))
    return f"| {place} | {predicted} % | {won} % ({low} to {high}) | {one.positions} | {one.games} |"


class Judgement(NamedTuple):
    """What the games that were not used say of the fits.

    Attributes:
        is_better: Whether the fit of the score, and that of winning, should be used.
    """

    lines: tuple[str, ...]
    is_better: Mapping[str, bool]
    fits: Mapping[str, Fit]


def judge(rows: Sequence[Recorded], only: Sequence[str] = (), penalty: float = 10.0) -> Judgement:
    """Fit on seven games of ten, and judge by the others. ``only``: the features to use; all by default."""
    fitting, judging = split(rows)
    names = [name for name in feature_names(fitting) if not only or name in only]
    score = fit_score(fitting, names)
    fits = {SCORE: score}

    def gain(some: Sequence[Recorded]) -> float:
        scores = [one.score for one in some]
        return correlation([score.value(one) for one in some], scores) - correlation([one.value for one in some], scores)

    scores = [one.score for one in judging]
    own, fitted = correlation([one.value for one in judging], scores), correlation([score.value(one) for one in judging], scores)
    low, high = interval(judging, gain)
    many = len({one.game for one in fitting}), len({one.game for one in judging})
    lines = [
        f"{len(names)} features; {len(fitting)} positions of {many[0]} games fit, {len(judging)} of {many[1]} judge",
        f"correlation with the final score: planner's value {own:.3f}, fitted {fitted:.3f}; gain {low:+.3f} to {high:+.3f}",
    ]
    is_better = {SCORE: low > 0, WIN: False}
    results = {one.won for one in rows}
    if None in results or len(results) < 2:
        return Judgement((*lines, "no chance to win: nobody wins, or always the same"), is_better, fits)
    win = fits[WIN] = fit_win(fitting, names, penalty)
    as_rows = [one._replace(features={"value": one.value}) for one in fitting]
    own_win = fit_win(as_rows, ["value"])

    def own_chance(one: Recorded) -> float:
        return own_win.linear.chance([one.value])

    def worse(some: Sequence[Recorded]) -> float:
        return brier(some, own_chance) - brier(some, win.chance)

    base = sum(one.won or 0.0 for one in fitting) / len(fitting)
    low, high = interval(judging, worse)
    tables = {place: reliability([one for one in judging if one.set_up == place], win.chance) for place in set_ups(judging)}
    lines += [
        f"Brier score: always {base:.2f} {brier(judging, lambda one: base):.4f}, planner's value"
        f" {brier(judging, own_chance):.4f}, fitted {brier(judging, win.chance):.4f}; gain {low:+.4f} to {high:+.4f}",
        "| set-up | predicted | won (95 %) | positions | games |",
        "|---|---|---|---:|---:|",
        *(bin_row(place, one) for place, table in tables.items() for one in table),
    ]
    is_near = all(one.is_near for table in tables.values() for one in table)
    is_calibrated = is_near and many[1] >= ENOUGH
    if is_near:
        lines.append("calibrated" if is_calibrated else f"NOT known to be calibrated: {many[1]} games judge, {ENOUGH} are needed")
    else:
        lines.append(f"NOT calibrated: a bin is more than {100 * NEAR:.0f} points off")
    is_better[WIN] = is_calibrated and low > 0
    return Judgement(tuple(lines), is_better, fits)


def toml_part(kind: str, fit: Fit, places: Sequence[str], note: str) -> str:
    """Return a fit as a table of ``ai.toml``."""
    covers = [place for place in places if place]
    numbers = [("intercept", fit.linear.intercept), *zip(fit.names, fit.linear.weights, strict=True)]
    head = [f"[fit.{kind}]  # {note}", *([f"covers = {json.dumps(covers)}"] if covers else [])]
    return "\n".join([*head, *(f"{name} = {float(f'{number:.5g}')!r}" for name, number in numbers), ""])


def with_fits(text: str, parts: Mapping[str, str]) -> str:
    """Return an ``ai.toml`` with fitted tables, in place of those it has; an empty part removes one."""
    for kind, part in parts.items():
        text = re.sub(rf"\n*^\[fit\.{kind}\].*?(?=^\[|\Z)", "\n\n", text, flags=re.M | re.S).rstrip("\n") + "\n"
        text += f"\n{part}" if part else ""
    return text


def recorded(source: Source, games: int, budget: float, jobs: int, path: Path | None) -> list[Recorded]:
    """Return the games of a source: those of the file, and more until the number or the seconds are used up."""
    known: dict[int, list[Recorded]] = {}
    head = json.dumps([*source])
    if path and path.exists():
        first, *lines = path.read_text(encoding="utf-8").splitlines()
        if first != head:
            raise SystemExit(f"{path} is of other games: {first}")
        known = {number: [Recorded(*row) for row in rows] for number, rows in map(json.loads, lines)}
    numbers, begun = [number for number in range(1, games + 1) if number not in known], monotonic()
    with get_context("spawn").Pool(jobs) as pool, open(path or os.devnull, "a", encoding="utf-8") as file:
        if not known:
            file.write(head + "\n")
        for number, rows in zip(numbers, pool.imap(partial(record, source), numbers), strict=True):
            known[number] = rows
            file.write(json.dumps([number, rows]) + "\n")
            file.flush()
            if monotonic() - begun > budget:
                break
    return [one for number in sorted(known) for one in known[number]]


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("set_up", nargs="*", metavar="K=V")
    parser.add_argument("--policy", action="append", default=[], metavar="SEAT=NAME,NAME")
    parser.add_argument("--option", action="append", default=[], metavar="K=V")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--budget", type=float, default=1e9)
    parser.add_argument("--seed", default="fit")
    parser.add_argument("--last", type=int, default=0, metavar="TURN")
    parser.add_argument("--features", default="", metavar="NAME,NAME")
    parser.add_argument("--penalty", type=float, default=10.0)
    parser.add_argument("--thin", type=int, default=0, metavar="POSITIONS")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--rows", type=Path)
    parser.add_argument("--kind", choices=(SCORE, WIN), help="write only this")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--write-all", action="store_true")
    given = parser.parse_args(words)
    game = load_game(given.game)
    named: dict[str, Any] = dict(word.split("=", 1) for word in given.policy)
    policies = tuple(
        (seat, tuple(named[seat].split(",")) if seat in named else tuple(policies_by_default(game, seat)))
        for seat in game.players.seats
    )
    options = tuple(tuple(word.split("=", 1)) for word in given.option)
    practice = [f"{key}={value}" for key, value in game.players.practice_options().items()][:1]
    source = Source(game.id, tuple(given.set_up or practice or [""]), options, policies, given.seed, given.last)  # type: ignore[arg-type]
    rows = recorded(source, given.games, given.budget, given.jobs, given.rows)
    if not rows or not rows[0].features:
        raise SystemExit(f"{game.id} has no features")
    rows = thinned(rows, given.thin, given.last) if given.thin else rows
    found = judge(rows, split_list(given.features), given.penalty)
    sys.stdout.write("\n".join(found.lines) + "\n")
    games = len({one.game for one in rows})
    note = f"by tests.measures.fit on {games} games"
    path = ROOT / "tables" / game.id / "ai.toml"
    if given.write_all:
        part = toml_part(WIN, fit_win(rows, found.fits[WIN].names, given.penalty), source.set_ups, note)
        path.write_text(with_fits(path.read_text(encoding="utf-8"), {WIN: part}), encoding="utf-8")
    if given.write:
        parts = {
            kind: toml_part(kind, found.fits[kind], source.set_ups, note) if better else ""
            for kind, better in found.is_better.items()
            if given.kind in (None, kind)
        }
        path.write_text(with_fits(path.read_text(encoding="utf-8"), parts), encoding="utf-8")
        sys.stdout.write(f"written: {', '.join(kind for kind, part in parts.items() if part) or 'nothing is better'}\n")


if __name__ == "__main__":
    main()
