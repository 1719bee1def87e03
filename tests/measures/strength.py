"""Measure the strength of opponents and advisers by whole games in pairs, policy against policy.

    python -m tests.measures.strength [GAME] [--pairs N] [--seeds a,b] [--think N] [--jobs N] [--only WORDS] [--write]
    python -m tests.measures.strength [GAME] --rates FOLDER [--games N,N] [--seeds a] [--jobs N] [--only WORDS] [--write]

Two policies of a game for two sides meet in mirrored pairs: the same luck, the seats swapped; the pair is the unit, and its
margin is the sum of both games' margins for the first policy. Policies of a solitaire seat are compared on the same luck.
The interval is 95 % of the mean of the pairs, the test the exact sign test over the pairs that are not drawn. A winner is
confirmed on the second seed. After an inconclusive result play more pairs, never another seed. ``--write`` updates the table of
the game in ``companion/docs/strength.md`` after each row, so that an interrupted run can continue with the remaining rows
(``--only``). Levels are compared by ``tests.measures.ladder``.

``--rates`` measures how often each policy wins each solitaire scenario, at each level, by ``companion simulate``. The folder
holds the rows of the games played; an interrupted or longer run continues from them.
"""

from __future__ import annotations

import argparse
import csv
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import comb, sqrt
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

from companion.core.policies import PLAIN, PLANNER, PLAYER, RANDOM, DecisionContext, Policy
from companion.core.requests import Choose
from companion.core.statistics import wilson
from companion.games import make_game
from companion.session.simulation import Series, SimulatedGame, make_series, play_game
from companion.session.tables import load

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DOCS = os.path.join(ROOT, "companion", "docs")
PAIRS = 400


STATIONARY = "stationary"


class StationaryPolicy(Policy):
    """A stationary player of LZ Albany, as a baseline: it takes what is suggested and always fires.

    It activates the group whose fire is worth most, and moves only where the retreat requires it [5.2E].
    """

    def reply(self, context: DecisionContext) -> Any:
        request = context.request
        if isinstance(request, Choose) and request.key in ("group", "action", "second"):
            fires = [choice.value for choice in request.legal_choices() if choice.value.endswith("fire")]
            if fires:
                return request.check(max(fires, key=lambda value: self._fire_value(context, value)))
        return super().reply(context)

    @staticmethod
    def _fire_value(context: DecisionContext, value: str) -> float:
        referee = context.referee
        group, _, _ = value.rpartition(" ")
        return float(referee.data.planner(referee, context.seat.upper()).fire_plan(group).value) if group else 0.0


class Side(NamedTuple):
    """The policies of the seats of a game, and its options."""

    policies: Mapping[str, str]
    options: Mapping[str, str] = {}


class Arm(NamedTuple):
    """A comparison.

    Attributes:
        game, title: The game, and the comparison in words.
        one, other: The two games of a pair.
        seats: The seat of the first policy in each game; () if both games are of the same seat, and the margin is the score
            of ``one`` minus that of ``other``.
        signs: The factor of the score for each seat.
    """

    game: str
    title: str
    one: Side
    other: Side
    seats: tuple[str, ...] = ()
    signs: Mapping[str, int] = {}


def mirrored(game: str, title: str, first: str, second: str, signs: Mapping[str, int], **options: str) -> Arm:
    """Two policies of a game for two, seats swapped."""
    (a, b) = signs
    return Arm(game, title, Side({a: first, b: second}, options), Side({a: second, b: first}, options), (a, b), signs)


def alike(game: str, title: str, seat: str, first: str, second: str, others: Mapping[str, str], **options: str) -> Arm:
    """Two policies of one seat against the same opponents."""
    return Arm(game, title, Side({**others, seat: first}, options), Side({**others, seat: second}, options))


def arms() -> Iterator[Arm]:
    """All comparisons."""
    albany = {"us": 1, "nva": -1}
    for place in ("practice", "valley"):
        for second in (STATIONARY, RANDOM):
            yield mirrored("lzalbany", f"`bot` against `{second}`, map `{place}`", "bot", second, albany, map=place)
    yield alike("iraqwar2003", "Iraq: `plain` less `bot`, against `plain`", "iraq", PLAIN, "bot", {"coalition": PLAIN})
    for other, iraq in ((PLAIN, PLAIN), (RANDOM, PLAIN), (PLAIN, "bot")):
        title = f"Coalition: `bot` less `{other}`, against `{iraq}`"
        yield alike("iraqwar2003", title, "coalition", "bot", other, {"iraq": iraq})
    yield alike("fallujahcards", "`bot` less `plain`", PLAYER, "bot", PLAIN, {})
    for game in ("fallujah2004", "phantomfury"):
        for scenario in make_game(game, load(game)).scenarios:
            yield alike(game, f"`planner` less `random`, `{scenario}`", PLAYER, "planner", RANDOM, {}, scenario=scenario)


@cache
def _series(game: str, side: tuple[tuple[str, str], ...], given: tuple[tuple[str, str], ...], seed: str, think: int) -> Series:
    options = dict(given)
    return make_series(make_game(game, load(game)), options.pop("scenario", ""), options, dict(side), seed, think)


def played(game: str, side: Side, seed: str, number: int, think: int) -> SimulatedGame:
    """Play one game, a function of the arguments. A failed game is reported on stderr and its pair is dropped."""
    names = {seat: PLAIN if name == STATIONARY else name for seat, name in side.policies.items()}
    series = _series(game, tuple(names.items()), tuple(side.options.items()), seed, think)
    players = make_game(game, load(game)).players
    own = {seat: StationaryPolicy(players) for seat, name in side.policies.items() if name == STATIONARY}
    row = play_game(series, number, own)
    if row.score is None:
        sys.stderr.write(f"{series.description}; game {number} of seed {seed}: {row.error}\n")
    return row


class Pair(NamedTuple):
    """The two games of a pair, and the margin of the first policy."""

    one: SimulatedGame
    other: SimulatedGame
    margin: float


def _pair(task: tuple[Arm, str, int, int]) -> Pair | None:
    arm, seed, number, think = task
    one, other = (played(arm.game, side, seed, number, think) for side in (arm.one, arm.other))
    if one.score is None or other.score is None:
        return None
    signs = [arm.signs[seat] for seat in arm.seats] or [1, -1]
    return Pair(one, other, signs[0] * one.score + signs[1] * other.score)


class Sums(NamedTuple):
    """Statistics of pairs: number, share won (draws count half), mean margin, its 95 % half-width, and sign-test p-value."""

    pairs: int
    won: float
    mean: float
    half: float
    luck: float


def summed(margins: Sequence[float]) -> Sums:
    """The summary of pairs.

    >>> summed([1, 1, 1, -1, 0, 2]).won
    0.75
    """
    count = len(margins)
    won, lost = sum(one > 0 for one in margins), sum(one < 0 for one in margins)
    mean = sum(margins) / count
    spread = sum((one - mean) ** 2 for one in margins) / max(1, count - 1)
    return Sums(count, (won + (count - won - lost) / 2) / count, mean, 1.96 * sqrt(spread / count), sign_test(won, lost))


def sign_test(won: int, lost: int) -> float:
    """The exact two-sided probability that a fair coin splits at least as unevenly.

    >>> sign_test(8, 0), sign_test(5, 5)
    (0.0078125, 1.0)
    """
    count, least = won + lost, min(won, lost)
    return min(1.0, 2 * sum(comb(count, few) for few in range(least + 1)) / 2**count)


def measured(arm: Arm, seeds: Sequence[str], pairs: int, think: int, jobs: int) -> Iterator[tuple[str, list[Pair]]]:
    """The pairs of each seed."""
    for seed in seeds:
        tasks = [(arm, seed, number, think) for number in range(1, pairs + 1)]
        if jobs == 1:
            yield seed, [pair for pair in map(_pair, tasks) if pair]
            continue
        with get_context("spawn").Pool(jobs) as pool:
            yield seed, [pair for pair in pool.map(_pair, tasks, chunksize=max(1, pairs // (8 * jobs))) if pair]


def row(title: str, seed: str, pairs: Sequence[Pair], think: int) -> str:
    """A line of the table of comparisons."""
    found = summed([one.margin for one in pairs])
    seconds = sum(one.one.seconds + one.other.seconds for one in pairs) / len(pairs) / 2
    return (
        f"| {title} | {think} | {seed} | {found.pairs} | {100 * found.won:.1f} % | {found.mean:+.1f} +- {found.half:.1f}"
        f" | {found.luck:.1g} | {seconds:.2f} |"
    )


def results(arm: Arm, seed: str, pairs: Sequence[Pair]) -> Iterator[str]:
    """Rows of the results of each side with Wilson intervals and the mean score."""
    for side, games in ((arm.one, [pair.one for pair in pairs]), (arm.other, [pair.other for pair in pairs])):
        who = ", ".join(f"{seat} `{policy}`" for seat, policy in side.policies.items())
        where = "".join(f", `{value}`" for value in side.options.values())
        mean = summed([game.score or 0 for game in games])
        ends = []
        for result in sorted({game.result for game in games}):
            count = sum(game.result == result for game in games)
            low, high = wilson(count, len(games))
            ends.append(f"{result} {100 * count / len(games):.1f} % ({100 * low:.0f} to {100 * high:.0f})")
        yield f"| {who}{where} | {seed} | {len(games)} | {mean.mean:.1f} +- {mean.half:.1f} | {'; '.join(ends)} |"


class Rate(NamedTuple):
    """A row of the win rates of a game for one.

    Attributes:
        policy, level, think: The policy, its level and its playouts.
    """

    game: str
    scenario: str
    policy: str
    level: str = "normal"
    think: int = 0

    @property
    def name(self) -> str:
        return f"{self.game}-{self.scenario}-{self.policy}-{self.level}-{self.think}"


WON = {
    "fallujah2004": ("Tactical Victory", "Operational Victory", "Decisive Victory"),
    "phantomfury": ("major victory", "minor victory", "bitter victory"),
}
"""[6.3 with ruling C-34; 7.2.2] The results of a game for one by which the player has won."""
PLAYED_ON = 4
"""Playouts a candidate at normal level; ``hard`` takes four times as many. More would take hours a row."""


def rates() -> Iterator[Rate]:
    """Every solitaire scenario with every policy, the planner at every level; quick rows first."""
    scenarios = [(game, scenario) for game in WON for scenario in make_game(game, load(game)).scenarios]
    for policy in (RANDOM, PLAIN, PLANNER):
        yield from (Rate(game, scenario, policy) for game, scenario in scenarios)
    yield from (Rate(game, scenario, PLANNER, "easy") for game, scenario in scenarios)
    for level in ("normal", "hard"):
        yield from (Rate(game, scenario, PLANNER, level, PLAYED_ON) for game, scenario in scenarios)


def rate(one: Rate, seed: str, games: int, jobs: int, folder: str) -> str:
    """Play the games that are missing in the file of a rate; its table row."""
    path = os.path.join(folder, f"{one.name}-{seed}.csv")
    words = ["simulate", one.game, "--scenario", one.scenario, "--policy", one.policy, "--seed", seed, "--out", path]
    words += ["--games", str(games), "--jobs", str(jobs), "--think", str(one.think)]
    words += ["--option", f"level={one.level}"] if one.level != "normal" else []
    subprocess.run([sys.executable, "-m", "companion", *words], check=True, stdout=subprocess.DEVNULL)
    with open(path, encoding="utf-8", newline="") as file:
        found = [(row["result"], float(row["score"])) for row in csv.DictReader(file) if row["score"]]
    return rate_line(one, seed, found)


def rate_line(one: Rate, seed: str, found: Sequence[tuple[str, float]]) -> str:
    """A line of the table of win rates, by the results and scores of games."""
    mean = summed([score for _, score in found])
    level = "" if one.policy != PLANNER else f"`{one.level}`"
    won = share(sum(result in WON[one.game] for result, _ in found), len(found))
    ends = "; ".join(f"{result} {share(count, len(found))}" for result, count in counted(result for result, _ in found))
    head = f"| `{one.scenario}` | `{one.policy}` | {level} | {one.think} | {seed} | {len(found)} | {won}"
    return f"{head} | {mean.mean:.1f} +- {mean.half:.1f} | {ends} |"


def counted(names: Iterable[str]) -> list[tuple[str, int]]:
    """Counts of names, sorted by name."""
    some = list(names)
    return [(name, some.count(name)) for name in sorted(set(some))]


def share(count: int, many: int) -> str:
    """A share with Wilson's interval of 95 %.

    >>> share(5, 10)
    '50.0 % (23.7 to 76.3)'
    """
    low, high = wilson(count, many)
    return f"{100 * count / many:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


RATES = "| scenario | policy | level | think | seed | games | won | score, VP | results |\n|---|---|---|---|---|---|---|---|---|"
HEAD = "| what | think | seed | pairs | pairs won | margin a pair, VP | by luck | s a game |\n|---|---|---|---|---|---|---|---|"
ENDS = "| who plays | seed | games | score, VP | results |\n|---|---|---|---|---|"


def merged(old: str, head: str, new: Iterable[str]) -> list[str]:
    """The rows of a table, with new rows in place of those of the same name and seed.

    >>> merged("| a |\\n|---|\\n| x | 1 | 7 | old |\\n| y | 1 | 7 | old |", "| a |\\n|---|", ["| x | 1 | 7 | new |"])
    ['| x | 1 | 7 | new |', '| y | 1 | 7 | old |']
    """
    found: dict[tuple[str, ...], str] = {}
    for line in [*old.partition(head)[2].partition("\n\n")[0].strip().splitlines(), *new]:
        cells = [cell.strip() for cell in line.split("|")[1:]]
        found[tuple(cells[: {HEAD: 3, RATES: 5}.get(head, 2)])] = line
    return list(found.values())


def write(game: str, part: str, tables: Mapping[str, Iterable[str]]) -> None:
    """Write rows into the tables of a game, by table head, between the marks of ``strength`` or ``rates``."""
    path = Path(DOCS) / "strength.md"
    page = path.read_text(encoding="utf-8")
    begin, end = f"<!-- {game} {part} -->", f"<!-- /{game} {part} -->"
    old = page.partition(begin)[2].partition(end)[0]
    text = "\n\n".join("\n".join([head, *merged(old, head, lines)]) for head, lines in tables.items())
    changed = re.sub(f"{begin}.*?{end}", lambda _: f"{begin}\n{text}\n{end}", page, flags=re.S)
    path.write_text(changed, encoding="utf-8")
    if part == "rates":
        _retell()


def _retell() -> None:
    """Update the table of levels in the page on opponents."""
    from tests.support.pages import renew

    renew(Path(DOCS) / "opponents.md")


def measure_rates(told: argparse.Namespace, seed: str) -> None:
    """Measure every row with the first number of games, then with the next; each row is written at once."""
    os.makedirs(told.rates, exist_ok=True)
    for games in map(int, told.games.split(",")):
        for one in (some for some in rates() if some.game.startswith(told.game) and told.only in some.name):
            line = rate(one, seed, games, told.jobs, told.rates)
            sys.stdout.write(f"{one.game} {line}\n")
            sys.stdout.flush()
            if told.write:
                write(one.game, "rates", {RATES: [line]})


def main(words: Any = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="")
    parser.add_argument("--pairs", type=int, default=PAIRS)
    parser.add_argument("--seeds", default="7,8")
    parser.add_argument("--think", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="arms whose title holds these words")
    parser.add_argument("--rates", default="", metavar="FOLDER")
    parser.add_argument("--games", default="100,1000", help="of a rate: first so many of each row, then so many")
    parser.add_argument("--write", action="store_true")
    told = parser.parse_args(words)
    seeds = told.seeds.split(",")
    if told.rates:
        measure_rates(told, seeds[0])
        return
    compared = list(arms())
    for game in dict.fromkeys(arm.game for arm in compared):
        if not game.startswith(told.game):
            continue
        ends: list[str] = []
        sys.stdout.write(f"\n{game}\n{HEAD}\n")
        for arm in (one for one in compared if one.game == game and told.only in one.title):
            for seed, pairs in measured(arm, seeds, told.pairs, told.think, told.jobs):
                line, shown = row(arm.title, seed, pairs, told.think), list(results(arm, seed, pairs))
                ends += shown
                sys.stdout.write(line + "\n")
                sys.stdout.flush()
                if told.write:
                    write(game, "strength", {HEAD: [line], ENDS: shown})
        sys.stdout.write("\n" + "\n".join([ENDS, *dict.fromkeys(ends)]) + "\n")


if __name__ == "__main__":
    main()
