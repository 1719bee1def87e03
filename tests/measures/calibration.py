"""Measure whether chances to win are right: what is called 70 % should be won in 70 of 100 games.

    python -m tests.measures.calibration GAME [K=V] --last TURN --games N [--policy SEAT=NAME,NAME] [--budget SECONDS]
        [--seed S] [--reviewed N] [--level LEVEL] [--write]
    python -m tests.measures.calibration [GAME] [--write]

The games are fresh: no fit has seen them. The named policies play to a turn drawn at random below ``--last`` (in one game of four
to none), each seat's best one without rollouts plays on to the end, and `Players.win` of the first seat is noted at the end of
each turn. So a chance is that of equal players, and positions of all chances occur. The phases are thirds of the turns up to
``--last``. K=V is one set-up, such as `scenario=practice`; without any it is the one for practice.

In the tables of reliability a game counts once in a decile: with its first position there, which is as good as any other if the
chance is right, and games are independent, so that the intervals are Wilson's. The Brier score is of all positions, beside that
of a forecast that calls each position of a phase by the share won in it; the interval of the difference is by jackknife over
games.

``--reviewed N`` also measures the chances that a review of ``--level`` (normal) shows, at one random position of each of the
first N games.

The results are in ``tests/measures/calibration/GAME.json``, and the same command continues there; after a change of the fitted
chance they begin anew. Without new games the script prints the tables and the spread of the score; ``--write`` writes the tables
into ``companion/docs/review.md``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from math import sqrt
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, NamedTuple

from companion.core.fit import WIN
from companion.core.match import Match
from companion.core.position import Position
from companion.core.review import LEVELS, NORMAL, Level
from companion.core.review_playouts import Reviewer
from companion.core.review_walk import ReviewScope
from companion.core.rollouts import mean_with_error
from companion.core.statistics import Z95, wilson
from companion.games import GAMES
from companion.session.files import replacing
from companion.session.simulation import describe_fault
from companion.session.state import load_game
from tests.measures.fit import ENOUGH, ERRORS, FEW, NEAR, Source, play, policies_by_default, third_of
from tests.support.pages import DOCS, ROOT

FOLDER = ROOT / "tests" / "measures" / "calibration"
PHASES = ("early", "middle", "late")
ALL_PHASES = range(len(PHASES))
DECILES = 10
SAVE_SECONDS = 20.0


class Cell(NamedTuple):
    """The positions of a game in one phase and decile: the first chance, their number, and the sums of chances and of squares."""

    phase: int
    decile: int
    first: float
    positions: int
    chances: float
    squares: float


class Forecasts(NamedTuple):
    """The chances of a game, and how it ended for the first seat.

    Attributes:
        is_usual: The usual policies played from the start.
        cells: In the order in which they were entered.
        reviewed: The phase of a position, and its chance in a review; None if it was not measured.
    """

    number: int
    won: float
    score: float
    is_usual: bool
    cells: tuple[Cell, ...]
    reviewed: tuple[int, float] | None = None

    @classmethod
    def of(cls, number: int, won: float, score: float, is_usual: bool, chances: Iterable[tuple[int, float]]) -> Forecasts:
        """Those of the chances in order, each with its phase."""
        cells: dict[tuple[int, int], list[float]] = {}
        for phase, chance in chances:
            cell = cells.setdefault((phase, decile_of(chance)), [chance, 0, 0.0, 0.0])
            cell[1] += 1
            cell[2] += chance
            cell[3] += chance * chance
        rows = [Cell(*key, round(cell[0], 4), int(cell[1]), round(cell[2], 4), round(cell[3], 4)) for key, cell in cells.items()]
        return cls(number, won, score, is_usual, tuple(rows))

    @classmethod
    def read(cls, row: Sequence[Any]) -> Forecasts:
        number, won, score, is_usual, cells, reviewed = row
        return cls(number, won, score, is_usual, tuple(Cell(*cell) for cell in cells), tuple(reviewed) if reviewed else None)


def decile_of(chance: float) -> int:
    return min(int(chance * DECILES), DECILES - 1)


# -- what the games say ------------------------------------------------------------------------------------------------


class Bin(NamedTuple):
    """The games that had a position in a decile: the mean chance, and the share that was won, from `low` to `high` with 95 %."""

    decile: int
    games: int
    called: float
    won: float
    low: float
    high: float

    @classmethod
    def of(cls, decile: int, pairs: Sequence[tuple[float, float]]) -> Bin:
        games = len(pairs)
        called, won = (sum(column) / games for column in zip(*pairs, strict=True))
        return cls(decile, games, called, won, *wilson(won * games, games))

    @property
    def is_near(self) -> bool:
        """True if the share that was won may be near the chance."""
        error = sqrt(self.called * (1 - self.called) / self.games)
        return self.games < FEW or abs(self.won - self.called) <= NEAR + ERRORS * error


def bins(pairs: Iterable[tuple[int, float, float]]) -> dict[int, Bin]:
    """Return the bins of triples of a decile, a chance and a result."""
    parts: dict[int, list[tuple[float, float]]] = {}
    for decile, chance, won in pairs:
        parts.setdefault(decile, []).append((chance, won))
    return {decile: Bin.of(decile, part) for decile, part in sorted(parts.items())}


def reliability(games: Sequence[Forecasts], phase: int | None = None) -> dict[int, Bin]:
    """Return the bins of all positions or of a phase; a game counts in a decile with its first position there."""
    found = []
    for game in games:
        entered: set[int] = set()
        for cell in game.cells:
            if phase in (None, cell.phase) and cell.decile not in entered:
                entered.add(cell.decile)
                found.append((cell.decile, cell.first, game.won))
    return bins(found)


class Brier(NamedTuple):
    """The Brier score of the chances, and that of calling each position of a phase by the share won in it."""

    positions: int
    chance: float
    base: float


class _Sums(NamedTuple):
    """Sums over the positions of a phase: their number, of results, of squared results, and of squared errors of the chances."""

    positions: float
    won: float
    squares: float
    errors: float

    def minus(self, other: _Sums) -> _Sums:
        return _Sums(*[one - two for one, two in zip(self, other, strict=True)])

    @property
    def base(self) -> float:
        """The squared errors of calling each position by the share won."""
        return self.squares - self.won**2 / self.positions if self.positions > 0.5 else 0.0


def _sums(game: Forecasts, phase: int) -> _Sums:
    cells, won = [cell for cell in game.cells if cell.phase == phase], game.won
    count = sum([cell.positions for cell in cells])
    errors = sum([cell.squares - 2 * won * cell.chances for cell in cells]) + won * won * count
    return _Sums(count, won * count, won * won * count, errors)


def _total(rows: Sequence[_Sums]) -> _Sums:
    return _Sums(*[sum(column) for column in zip(*rows, strict=True)])


def _brier(totals: Sequence[_Sums]) -> Brier:
    positions = sum([one.positions for one in totals])
    errors, base = sum([one.errors for one in totals]), sum([one.base for one in totals])
    return Brier(int(positions), errors / max(positions, 1), base / max(positions, 1))


def brier(games: Sequence[Forecasts], phases: Sequence[int] = ALL_PHASES) -> Brier:
    """Return the Brier scores of the positions of some phases."""
    return _brier([_total([_sums(game, phase) for game in games]) for phase in phases])


def gain(games: Sequence[Forecasts], phases: Sequence[int] = ALL_PHASES) -> tuple[float, float]:
    """Return the 95 % interval by which the Brier score of the chances is lower than the base rate's, by jackknife over games."""
    rows = {phase: [_sums(game, phase) for game in games] for phase in phases}
    totals = {phase: _total(part) for phase, part in rows.items()}

    def gained(found: Brier) -> float:
        return found.base - found.chance

    middle, count = gained(_brier([*totals.values()])), len(games)
    without = [gained(_brier([totals[phase].minus(rows[phase][index]) for phase in phases])) for index in range(count)]
    mean = sum(without) / count
    error = sqrt((count - 1) / count * sum([(one - mean) ** 2 for one in without]))
    return middle - Z95 * error, middle + Z95 * error


def bias(games: Sequence[Forecasts]) -> tuple[float, float]:
    """Return by how much results exceed chances, with the standard error; a game counts once, with the mean of its cells.

    The error is at least that of results that have these chances: few games may all end alike.
    """
    chances = [sum([cell.first for cell in game.cells]) / len(game.cells) for game in games]
    mean, error = mean_with_error([game.won - chance for game, chance in zip(games, chances, strict=True)])
    return mean, max(error, sqrt(sum([chance * (1 - chance) for chance in chances])) / len(games))


def faults(games: Sequence[Forecasts]) -> list[str]:
    """Return what speaks against the chances of a set-up; nothing if they are calibrated."""
    tables = [("all", reliability(games)), *((name, reliability(games, phase)) for phase, name in enumerate(PHASES))]
    found = [
        f"{name}: called {percent(one.called)} %, won {percent(one.won)} % of {one.games} games"
        for name, table in tables
        for one in table.values()
        if not one.is_near
    ]
    more, error = bias(games)
    if abs(more) > ERRORS * error:
        found.append(f"won {100 * more:+.0f} points more than called")
    for phase, name in enumerate(PHASES):  # a phase whose games all ended alike judges nothing
        if brier(games, [phase]).base > 0 and gain(games, [phase])[1] < 0:
            found.append(f"{name}: worse than the base rate")
    return found


def verdict(set_ups: Iterable[Sequence[Forecasts]]) -> list[str]:
    """Return what speaks against showing the chances of a game: faults of a set-up, too few games, no gain over all."""
    parts = [*set_ups]
    games = [one for part in parts for one in part]
    found = [fault for part in parts for fault in faults(part)]
    found += [] if len(games) >= ENOUGH else [f"{len(games)} games judge, {ENOUGH} are needed"]
    return found + ([] if games and gain(games)[0] > 0 else ["not surely better than the base rate of each phase"])


def spread(games: Sequence[Forecasts]) -> tuple[float, float, int]:
    """Return the standard deviation of the final score of the usual policies with its error, and the number of games."""
    scores = [game.score for game in games if game.is_usual]
    if len(scores) < 3:
        return 0.0, 0.0, len(scores)
    deviation = mean_with_error(scores)[1] * sqrt(len(scores))
    return deviation, deviation / sqrt(2 * (len(scores) - 1)), len(scores)


# -- text --------------------------------------------------------------------------------------------------------------


def percent(share: float) -> str:
    return f"{100 * share:.0f}"


def bin_text(one: Bin | None) -> str:
    return f"{percent(one.called)}: {percent(one.won)} ({percent(one.low)} to {percent(one.high)}; {one.games})" if one else ""


RELIABILITY_HEAD = "| game, set-up | decile | all | early | middle | late |\n|---|---|---|---|---|---|"
BRIER_HEAD = (
    "| game, set-up | games | won | less called | Brier score | base rate | gain | early | middle | late | |\n"
    "|---|---:|---|---|---|---|---|---|---|---|---|"
)
REVIEWED_HEAD = "| game, set-up | games | Brier score | base rate | called: won (95 %; games) |\n|---|---:|---|---|---|"


def reliability_rows(place: str, games: Sequence[Forecasts]) -> list[str]:
    """Return the table of reliability of a set-up, a row for each decile."""
    tables = [reliability(games), *(reliability(games, phase) for phase in range(len(PHASES)))]
    rows = []
    for decile in tables[0]:
        cells = " | ".join(bin_text(table.get(decile)) for table in tables)
        rows.append(f"| {place} | {10 * decile} to {10 * decile + 10} % | {cells} |")
    return rows


def brier_row(place: str, games: Sequence[Forecasts]) -> str:
    """Return the Brier scores of a set-up as a row."""
    total, (low, high) = brier(games), gain(games)
    won, error = mean_with_error([game.won for game in games])
    more, uncertain = bias(games)
    parts = [brier(games, [phase]) for phase in range(len(PHASES))]
    phases = " | ".join(f"{part.chance:.3f} of {part.base:.3f}" if part.positions else "" for part in parts)
    found = "; ".join(faults(games)) or "calibrated"
    return (
        f"| {place} | {len(games)} | {percent(won)} % +- {percent(error)} | {100 * more:+.0f} +- {percent(uncertain)} | "
        f"{total.chance:.4f} | {total.base:.4f} | {low:+.4f} to {high:+.4f} | {phases} | {found} |"
    )


def reviewed_row(place: str, games: Sequence[Forecasts]) -> str:
    """Return the chances of reviews of a set-up as a row; "" if there are none. Each is of another game. Quintiles suffice."""
    rows = [(game.reviewed[1], game.won) for game in games if game.reviewed is not None]
    if not rows:
        return ""
    base = sum([won for _, won in rows]) / len(rows)
    score, always = (
        sum([(chance - won) ** 2 for chance, won in of]) / len(rows) for of in (rows, [(base, won) for _, won in rows])
    )
    cells = "; ".join(bin_text(one) for one in bins((decile_of(chance) // 2, chance, won) for chance, won in rows).values())
    return f"| {place} | {len(rows)} | {score:.3f} | {always:.3f} | {cells} |"


# -- the games that are kept -------------------------------------------------------------------------------------------


class Kept:
    """The games of a set-up in the file of a game; they are lost if the fitted chance has changed."""

    def __init__(self, key: str, data: Mapping[str, Any]) -> None:
        self.key = key
        self.about = {name: value for name, value in data.items() if name != "games"}
        self.games = {row[0]: Forecasts.read(row) for row in data.get("games", ())}

    def with_chances(self) -> list[Forecasts]:
        """The games in which chances were noted: a game may end before the usual policies play."""
        return [game for game in self.games.values() if game.cells]

    def text(self) -> str:
        rows = ",\n".join(json.dumps(list(self.games[number])) for number in sorted(self.games))
        return f'{json.dumps(self.key)}: {json.dumps(self.about)[:-1]}, "games": [\n{rows}\n]}}'


def path_of(game: str) -> Path:
    return FOLDER / f"{game}.json"


def read(path: Path) -> dict[str, Kept]:
    """Return the set-ups of a file; none if there is no file."""
    data = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return {key: Kept(key, value) for key, value in data.items()}


def save(path: Path, kept: Iterable[Kept]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(str(path)) as beside:
        Path(beside).write_text("{\n" + ",\n".join(one.text() for one in kept) + "\n}\n", encoding="utf-8")


# -- play --------------------------------------------------------------------------------------------------------------


class _Noted(NamedTuple):
    """The end of a turn."""

    chance: float | None
    position: Position
    options: Mapping[str, str]


def review_chance(match: Match, noted: _Noted, level: Level, label: str) -> float | None:
    """Return the chance of the first seat that a review of this level shows; None if it is not known."""
    reviewer = Reviewer(ReviewScope(match.game, noted.options, match.facts(), level), label)
    win = reviewer.worth(noted.position, match.players.turn(noted.position), {}).win_estimate
    return None if win is None else round(win.mean, 4)


def measure(source: Source, number: int, level: Level | None = None) -> Forecasts | None:
    """Play a game, and note its chances; that of a review at one of its positions if there is a level. None if it fails.

    Where no chance to win is known only the score is kept.
    """
    seat = load_game(source.game).players.seats[0]

    def note(match: Match) -> _Noted:
        return _Noted(match.players.win(match.position, match.options, seat), match.position, match.options)

    try:
        noted, match, is_usual = play(source, number, note)
    except Exception as fault:
        sys.stderr.write(f"game {number}: {describe_fault(fault)}\n")
        return None
    result = match.players.outcome(match.position, match.options)
    won = match.players.won(result.result, seat)
    chances = [(third_of(turn, source.last), one.chance) for turn, one in noted if one.chance is not None]
    if won is None or len(chances) < len(noted):
        return Forecasts(number, won or 0.0, result.score, is_usual, ())
    forecasts = Forecasts.of(number, won, result.score, is_usual, chances)
    if level is None or not noted:
        return forecasts
    index = Random(f"{source.seed}/{number}/reviewed").randrange(len(noted))
    chance = review_chance(match, noted[index][1], level, f"{source.seed}/{number}/reviewed")
    return forecasts if chance is None else forecasts._replace(reviewed=(chances[index][0], chance))


def fit_of(game: str) -> str:
    """Return the fitted chance of a game as text, on which kept results depend."""
    return repr(load_game(game).players.fitted(WIN))


def run(source: Source, games: int, budget: float, reviewed: int = 0, level: Level = LEVELS[NORMAL]) -> Kept:
    """Add games to those that are kept until the number or the seconds are used up, and save them."""
    path, (key,) = path_of(source.game), source.set_ups
    files = read(path)
    about = {
        "policies": [list(one) for one in source.policies],
        "seed": source.seed,
        "last": source.last,
        "fit": fit_of(source.game),
    }
    about = json.loads(json.dumps(about))
    kept = files.get(key)
    if kept is None or kept.about != about:
        kept = files[key] = Kept(key, about)
    begun = saved = monotonic()
    for number in range(1, games + 1):
        known = kept.games.get(number)
        looks = number <= reviewed and not (known and (known.reviewed or not known.cells))
        if known and not looks:
            continue
        if (one := measure(source, number, level if looks else None)) is not None:
            kept.games[number] = one
        if monotonic() - saved > SAVE_SECONDS:
            save(path, files.values())
            saved = monotonic()
        if monotonic() - begun > budget:
            break
    save(path, files.values())
    return kept


# -- the command -------------------------------------------------------------------------------------------------------


def pages_part() -> str:
    """Return the tables of all games, as in ``companion/docs/review.md``."""
    kept = [(game, key, one.with_chances()) for game in sorted(GAMES) for key, one in sorted(read(path_of(game)).items())]
    places = [(f"`{game}`, {key.partition('=')[2]}", games) for game, key, games in kept if games]
    reviewed = [row for place, games in places if (row := reviewed_row(place, games))]
    return "\n".join(
        [
            BRIER_HEAD,
            *(brier_row(*one) for one in places),
            "",
            RELIABILITY_HEAD,
            *chain.from_iterable(reliability_rows(*one) for one in places),
            *(["", REVIEWED_HEAD, *reviewed] if reviewed else []),
        ]
    )


def report(game: str) -> None:
    """Print the tables of a game and the spread of its score."""
    for key, kept in read(path_of(game)).items():
        games = kept.with_chances()
        deviation, error, usual = spread([*kept.games.values()])
        lines = [key]
        if games:
            lines += [BRIER_HEAD, brier_row(key, games), "", RELIABILITY_HEAD, *reliability_rows(key, games)]
        lines += ["", REVIEWED_HEAD, row] if (row := reviewed_row(key, games)) else []
        lines += [
            "",
            f"standard deviation of the score: {deviation:.1f} +- {error:.1f} VP in {usual} games of the usual policies",
        ]
        sys.stdout.write("\n".join(lines) + "\n\n")


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", choices=sorted(GAMES))
    parser.add_argument("set_up", nargs="?", metavar="K=V", default="")
    parser.add_argument("--last", type=int, default=0, metavar="TURN")
    parser.add_argument("--policy", action="append", default=[], metavar="SEAT=NAME,NAME")
    parser.add_argument("--games", type=int, default=0)
    parser.add_argument("--budget", type=float, default=1e9)
    parser.add_argument("--seed", default="calibration")
    parser.add_argument("--reviewed", type=int, default=0)
    parser.add_argument("--level", choices=LEVELS, default=NORMAL)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args(words)
    if given.game and given.games:
        if not given.last:
            parser.error("--last is needed to play games")
        game = load_game(given.game)
        named = dict(word.split("=", 1) for word in given.policy)
        policies = tuple(
            (seat, tuple(named[seat].split(",")) if seat in named else tuple(policies_by_default(game, seat)))
            for seat in game.players.seats
        )
        usual = next((f"{key}={value}" for key, value in game.players.practice_options().items()), "")
        source = Source(game.id, (given.set_up or usual,), (), policies, given.seed, given.last)
        run(source, given.games, given.budget, given.reviewed, LEVELS[given.level])
    for name in [given.game] if given.game else sorted(GAMES):
        report(name)
    if given.write:
        from tests.support.pages import renew

        renew(DOCS / "review.md")


if __name__ == "__main__":
    main()
