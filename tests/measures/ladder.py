"""Rank the policies of a game by pairs of games on common luck, tested sequentially; keep the results and the ladder.

    python -m tests.measures.ladder GAME [--pair FIRST SECOND] [--scenario S] [--option K=V] [--think N|usual|tenth] [--seed S]
        [--test 0.5,0.55] [--pairs N] [--budget SECONDS] [--jobs N|all | --cluster tcp://HOST:8786] [--shard 1/4] [--out FILE]
    python -m tests.measures.ladder GAME --merge FILE FILE ...
    python -m tests.measures.ladder [GAME] [--write]

Without ``--pair`` every policy of `random`, `plain`, `easy`, `normal` and `hard` meets the next weaker one that the game has.

In a game for two, three games are played on the same luck: the first policy on either side against the second, and the second
against itself. The first two are a mirrored pair, won by the policy with more VP in both games together; each of them beside
the third compares the policies in one seat against the same opponent. In a game for one both policies play the same deals, and
the one that wins, or has more VP if both win or both lose, wins the pair. A drawn pair counts half.

A pairing is played until a generalised sequential probability ratio test of the pairs decides between the two shares of
``--test``, or until the pairs or the seconds are used up. Its results are in ``tests/measures/ladder/GAME.json``; the same
command continues there, after Ctrl-C too. Results of other rules, planners or tables are played again from the start, unless
``--extend`` adds to them. A shard plays a fixed part of ``--pairs`` without a test, into a file of its own; ``--merge`` joins the
files. The rating is Elo by maximum likelihood with `normal` (else the strongest policy) at 0. ``--write`` updates the pages.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from companion import __version__
from companion.cli.commands.simulate import parse_shard
from companion.core.game import Game
from companion.core.policies import PLAIN, RANDOM
from companion.core.rollouts import LEVELS
from companion.core.statistics import wilson
from companion.games import GAMES
from companion.session.files import replacing
from companion.session.simulation import ERROR, Series, SimulatedGame, make_series, mirrored_series, shard_numbers
from companion.session.state import load_game
from companion.session.worker_pool import cluster, cores, in_order, in_process, processes
from tests.support.pages import DOCS, ROOT
from tests.support.paired import Encounter, Rating, Test, ratings

FOLDER = ROOT / "tests" / "measures" / "ladder"
ENTRANTS = (RANDOM, PLAIN, *LEVELS)
"""The policies of a ladder, weakest first."""
ANCHOR = "normal"
DEFAULT_PAIRS = 400
BOTH = "both"
"""The subject of mirrored pairs; the others are seats."""
_SAVE_SECONDS = 5.0


class Pair(NamedTuple):
    """The games on one luck.

    Attributes:
        number: Of the luck, from 1.
        games: Result and score of each game; the score is None if it failed.
        times: Processor seconds and decisions of the first and of the second policy.
    """

    number: int
    games: tuple[tuple[str, float | None], ...]
    times: tuple[tuple[float, int], ...]


FAST = (RANDOM, PLAIN, *(name for name, level in LEVELS.items() if not level.times))
"""Policies that play no rollouts."""


class Pairing:
    """Two policies of a game in one set-up, and the pairs that they have played.

    Attributes:
        think, usual: Worlds a candidate at the normal level, and as many as a session takes.
        code: What the results depend on, as `code_of`.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.game: str = data["game"]
        self.first: str = data["first"]
        self.second: str = data["second"]
        self.scenario: str = data["scenario"]
        self.options: dict[str, str] = dict(data["options"])
        self.think: int = data["think"]
        self.usual: int = data["usual"]
        self.seed: str = data["seed"]
        self.code: str = data["code"]
        self.test = Test(*data["test"])
        self.pairs: dict[int, Pair] = {}
        for number, games, times in data["pairs"]:
            self.add(Pair(number, tuple(map(tuple, games)), tuple(map(tuple, times))))

    @classmethod
    def begin(
        cls,
        game: str,
        first: str,
        second: str,
        scenario: str = "",
        options: Mapping[str, str] = {},
        think: tuple[int, int] = (0, 0),
        seed: str = "1",
        test: Sequence[float] = Test(),
    ) -> Pairing:
        """Return a pairing without pairs."""
        head = {"game": game, "first": first, "second": second, "scenario": scenario, "options": options, "seed": seed}
        return cls({**head, "think": think[0], "usual": think[1], "code": code_of(game), "test": test, "pairs": []})

    def add(self, pair: Pair) -> None:
        self.pairs[pair.number] = pair

    @property
    def key(self) -> tuple[Any, ...]:
        """What a pairing is found by in a file."""
        return self.first, self.second, self.scenario, tuple(self.options.items()), self.think, self.seed

    def data(self) -> dict[str, Any]:
        """Return everything as JSON data, with the pairs in order."""
        head = {name: value for name, value in vars(self).items() if name not in ("pairs", "test")}
        return {**head, "test": list(self.test), "pairs": [self.pairs[number] for number in sorted(self.pairs)]}

    @property
    def set_up(self) -> str:
        """The scenario and options in words."""
        return ", ".join([self.scenario, *(f"{key}={value}" for key, value in self.options.items())])

    def series(self) -> Series:
        """Return the games that are played on each luck."""
        game = load_game(self.game)
        make = partial(make_series, game, self.scenario, self.options, seed=self.seed, think=self.think)
        seats = game.players.seats
        lone = [make(policies=dict.fromkeys(seats, name)) for name in (self.first, self.second)]
        if len(seats) == 1:
            return mirrored_series(*lone)
        a, b = seats
        straight, swapped = make(policies={a: self.first, b: self.second}), make(policies={a: self.second, b: self.first})
        return mirrored_series(straight, swapped, lone[1])

    @property
    def subjects(self) -> tuple[str, ...]:
        """What is compared: both seats at once and each seat; the player alone in a game for one."""
        seats = load_game(self.game).players.seats
        return (BOTH, *seats) if len(seats) > 1 else seats

    def margins(self, subject: str) -> list[float]:
        """Return the first policy's margin of each pair without failures, in VP and in order."""
        seats = load_game(self.game).players.seats
        # scores are those of the first seat: first policy there, first policy in the other seat, second policy in both
        terms = {BOTH: (0, 1), seats[0]: (0, len(seats)), **({seats[1]: (2, 1)} if len(seats) > 1 else {})}
        plus, minus = terms[subject] if len(seats) > 1 else (0, 1)
        scores = [[score for _, score in self.pairs[number].games] for number in sorted(self.pairs)]
        return [row[plus] - row[minus] for row in scores if None not in row]  # type: ignore[operator]

    def encounter(self, subject: str) -> Encounter:
        if self.subjects[0] == subject:
            won = [self._won(pair) for pair in self.pairs.values() if None not in (score for _, score in pair.games)]
        else:
            won = [points(margin) for margin in self.margins(subject)]
        return Encounter(self.first, self.second, sum(won), len(won))

    def _won(self, pair: Pair) -> float:
        """Return the points of a pair without failures. In a game for one a won game is better than a lost one with more VP."""
        players, (one, other) = load_game(self.game).players, pair.games[:2]
        if len(players.seats) > 1:
            return points(one[1] - other[1])  # type: ignore[operator]
        worths = [(players.won(result, players.seats[0]) or 0.0, score) for result, score in (one, other)]
        return (worths[0] > worths[1]) + (worths[0] == worths[1]) / 2

    def decision(self) -> str:
        """Return what the test has decided, as `Test.decide`, by the pairs in order up to the first gap."""
        decided, counts = "", Counter[float]()
        for number in range(1, len(self.pairs) + 1):
            if number not in self.pairs:
                break
            if None not in (score for _, score in self.pairs[number].games):
                counts[self._won(self.pairs[number])] += 1
                decided = self.test.decide(counts)
            if decided:
                break
        return decided


def points(margin: float) -> float:
    """Return the points of a pair: 1, 0, or 1/2 for a draw."""
    return (margin > 0) + (margin == 0) / 2


@cache
def code_of(game: str) -> str:
    """Return the version of Companion and a hash of what a game's policies depend on: rules, planners, tables and rollouts.

    Comments, docstrings and layout do not change it.
    """
    package = ROOT / "companion"
    modules = [*(package / "games" / game).rglob("*.py")]
    modules += [package / "core" / f"{name}.py" for name in ("match", "rollouts", "policies", "candidates", "plans", "fit")]
    digest = sha256()
    for path in sorted(path for path in modules if path.exists()):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            body = getattr(node, "body", None)
            if isinstance(body, list):
                node.body = [part for part in body if not _is_text(part)]  # type: ignore[attr-defined]
        digest.update(ast.dump(tree).encode())
    for path in sorted((ROOT / "tables" / game).rglob("*.toml")):
        if path.name not in ("report.toml", "rules.toml", "rulings.toml"):
            digest.update(path.read_bytes())
    return f"{__version__} {digest.hexdigest()[:8]}"


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


# -- the file of a game ------------------------------------------------------------------------------------------------


def read(path: Path) -> list[Pairing]:
    """Return the pairings of a file; none if there is no file."""
    return [Pairing(data) for data in json.loads(path.read_text(encoding="utf-8"))] if path.exists() else []


def save(path: Path, pairings: Iterable[Pairing]) -> None:
    """Write the pairings of a game, a line for each pair."""
    parts = []
    for pairing in sorted(pairings, key=lambda one: json.dumps(one.key)):
        data = pairing.data()
        rows = ",\n".join(json.dumps(row) for row in data.pop("pairs"))
        parts.append(f'{json.dumps(data)[:-1]}, "pairs": [\n{rows}\n]}}')
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(str(path)) as beside:
        Path(beside).write_text("[\n" + ",\n".join(parts) + "\n]\n", encoding="utf-8")


def path_of(game: str, shard: tuple[int, int] = (1, 1)) -> Path:
    return FOLDER / (f"{game}.json" if shard == (1, 1) else f"{game}.{shard[0]}-of-{shard[1]}.json")


def merge(pairings: Iterable[Pairing]) -> list[Pairing]:
    """Join pairings of the same key; raise ValueError if they are of different code."""
    merged: dict[tuple[Any, ...], Pairing] = {}
    for one in pairings:
        known = merged.setdefault(one.key, one)
        if known.code != one.code:
            raise ValueError(f"{one.first} against {one.second}: one file is of {known.code}, another of {one.code}")
        known.pairs |= one.pairs
    return list(merged.values())


# -- play --------------------------------------------------------------------------------------------------------------


class Run(NamedTuple):
    """How pairs are played.

    Attributes:
        pairs: At most so many in all.
        budget: Seconds for a pairing.
    """

    pairs: int = DEFAULT_PAIRS
    budget: float = 1e9
    jobs: int = 1
    address: str = ""
    shard: tuple[int, int] = (1, 1)


def play(pairing: Pairing, run: Run, save_all: Any = lambda: None) -> str:
    """Play the pairs that are missing; return what the test decides, "" for nothing. Ctrl-C keeps those that are complete."""
    series, sharded = pairing.series(), run.shard != (1, 1)
    decided = "" if sharded else pairing.decision()
    each = len(series.variants)
    numbers = shard_numbers(run.pairs * each, run.shard, each)
    missing = [number for number in numbers if (number - 1) // each + 1 not in pairing.pairs]
    if decided or not missing:
        return decided
    rows, begun, saved = in_order(_batches(series, missing, run), missing), monotonic(), monotonic()
    try:
        for pair in _paired(rows, each, pairing):
            pairing.add(pair)
            decided = "" if sharded else pairing.decision()
            if monotonic() - saved > _SAVE_SECONDS:
                save_all()
                saved = monotonic()
            if decided or monotonic() - begun > run.budget:
                break
    finally:
        rows.close()  # type: ignore[attr-defined]
        save_all()
    return decided


def _batches(series: Series, missing: Sequence[int], run: Run) -> Iterator[Sequence[SimulatedGame]]:
    if run.address:
        return cluster(series, missing, run.address)
    return processes(series, missing, run.jobs) if run.jobs > 1 else in_process(series, missing)


def _paired(batches: Iterable[Sequence[SimulatedGame]], each: int, pairing: Pairing) -> Iterator[Pair]:
    """Yield the games of each luck together."""
    held: list[SimulatedGame] = []
    for rows in batches:
        for row in rows:
            held.append(row)
            if row.result == ERROR:
                sys.stderr.write(f"{pairing.first} against {pairing.second}, luck {(row.number - 1) // each + 1}: {row.error}\n")
            if len(held) == each:
                games = tuple((one.result, one.score) for one in held)
                yield Pair((held[0].number - 1) // each + 1, games, tuple(_times(held, (pairing.first, pairing.second))))
                held = []


def _times(games: Sequence[SimulatedGame], policies: Sequence[str]) -> Iterator[tuple[float, int]]:
    for policy in policies:
        times = [time for game in games for time in game.times if time.policy == policy]
        yield round(sum(time.seconds for time in times), 3), sum(time.decisions for time in times)


def entrants(game: Game) -> list[str]:
    """Return the policies of the ladder that every seat has."""
    players = game.players
    return [name for name in ENTRANTS if all(name in players.policies(seat) for seat in players.seats)]


# -- tables ------------------------------------------------------------------------------------------------------------


PAIRS_HEAD = (
    "| game, set-up | policies | pairs | pairs won | margin, VP a game | by seat | think | s a decision | test |\n"
    "|---|---|---:|---|---|---|---:|---|---|"
)


def pair_row(pairing: Pairing) -> str:
    """Return the row of a pairing in the table of pairs."""
    subjects = pairing.subjects
    main = pairing.encounter(subjects[0])
    margins = pairing.margins(subjects[0])
    games = len(subjects) - 1 or 1
    seats = "; ".join(f"{seat} {_share(pairing.encounter(seat))}" for seat in subjects[1:])
    think = f"{pairing.think} of {pairing.usual}" if pairing.think != pairing.usual else str(pairing.think)
    cells = (
        f"`{pairing.game}`, {pairing.set_up}",
        f"`{pairing.first}` over `{pairing.second}`",
        str(main.pairs),
        _share(main),
        _mean([margin / games for margin in margins]),
        seats,
        think,
        " and ".join(_seconds(pairing, index) for index in (0, 1)),
        _decided(pairing),
    )
    return f"| {' | '.join(cells)} |"


def _share(encounter: Encounter) -> str:
    low, high = wilson(encounter.points, encounter.pairs)
    return f"{100 * encounter.points / max(encounter.pairs, 1):.0f} % ({100 * low:.0f} to {100 * high:.0f})"


def _mean(values: Sequence[float]) -> str:
    count = len(values)
    mean = sum(values) / count
    error = (sum((value - mean) ** 2 for value in values) / max(count - 1, 1) / count) ** 0.5
    return f"{mean:+.1f} +- {1.96 * error:.1f}"


def _seconds(pairing: Pairing, index: int) -> str:
    seconds = sum(pair.times[index][0] for pair in pairing.pairs.values())
    decisions = sum(pair.times[index][1] for pair in pairing.pairs.values())
    return f"{seconds / max(decisions, 1):.2g}"


def _decided(pairing: Pairing) -> str:
    low, high = (f"{100 * share:.0f} %" for share in pairing.test[:2])
    return {"high": f"at least {high}", "low": f"at most {low}", "": f"open ({low} or {high})"}[pairing.decision()]


def ladder_rows(pairings: Sequence[Pairing]) -> Iterator[tuple[str, str, dict[str, Rating]]]:
    """Yield game with set-up, subject and ratings, for pairings of one game."""
    for set_up in dict.fromkeys(one.set_up for one in pairings):
        group = [one for one in pairings if one.set_up == set_up]
        for subject in group[0].subjects:
            met = [one.encounter(subject) for one in group]
            names = {name for one in met for name in (one.first, one.second)}
            anchor = ANCHOR if ANCHOR in names else max(names, key=lambda name: (*ENTRANTS, name).index(name))
            yield f"`{group[0].game}`, {set_up}", subject, ratings(met, anchor)


LADDER_HEAD = f"| game, set-up | seat | {' | '.join(f'`{name}`' for name in ENTRANTS)} |\n|---|---|{'---|' * len(ENTRANTS)}"


def rating_text(rating: Rating | None) -> str:
    """Return a rating as a cell of a table.

    >>> rating_text(Rating(120.4, 80.2, 160.6)), rating_text(Rating(-600, None, -350.2)), rating_text(None)
    ('+120 (+80 to +161)', 'below -350', '')
    """
    if rating is None:
        return ""
    if rating.low is None or rating.high is None:
        return f"below {rating.high:+.0f}" if rating.low is None else f"above {rating.low:+.0f}"
    return f"{rating.elo:+.0f} ({rating.low:+.0f} to {rating.high:+.0f})" if rating.low != rating.high else "0"


def ladder_lines(games: Iterable[str]) -> list[str]:
    """Return the ladders of all games."""
    lines = [LADDER_HEAD]
    for game in games:
        for title, subject, rated in ladder_rows(read(path_of(game))):
            cells = [rating_text(rated.get(name)) for name in ENTRANTS]
            lines.append(f"| {title} | {'' if subject == BOTH else subject} | {' | '.join(cells)} |")
    return lines


def pages_part() -> str:
    """Return both tables of all games, as in ``companion/docs/opponents.md``."""
    games = sorted(GAMES)
    pairs = [pair_row(one) for game in games for one in sorted(read(path_of(game)), key=_rung) if one.pairs]
    return "\n".join([*ladder_lines(games), "", PAIRS_HEAD, *pairs])


def _rung(pairing: Pairing) -> tuple[Any, ...]:
    """The order of pairings in the table: by set-up, from the weakest policies to the strongest."""
    order = [*ENTRANTS, pairing.second, pairing.first]
    return pairing.set_up, order.index(pairing.second), order.index(pairing.first)


def readme_part() -> str:
    """Return the ladder of each game in its first set-up, as in the README."""
    lines = [f"| | {' | '.join(f'`{name}`' for name in ENTRANTS)} |", f"|---|{'---|' * len(ENTRANTS)}"]
    for game in sorted(GAMES):
        for title, _, rated in [*ladder_rows(read(path_of(game)))][:1]:
            cells = [rating_text(rated.get(name)) for name in ENTRANTS]
            lines.append(f"| {title.partition(',')[0]} | {' | '.join(cells)} |")
    return "\n".join(lines)


# -- the command -------------------------------------------------------------------------------------------------------


def main(words: Sequence[str] | None = None) -> int:
    given = _parser().parse_args(words)
    if given.merge:
        save(given.out or path_of(given.game), merge([one for name in given.merge for one in read(Path(name))]))
    elif given.game:
        try:
            _measure(given)
        except KeyboardInterrupt:
            sys.stderr.write("stopped: the same command continues\n")
            return 130
    if given.write:
        from tests.support.pages import renew

        for page in (DOCS / "opponents.md", ROOT / "README.md"):
            renew(page)
    sys.stdout.write(pages_part() + "\n" if not given.game else "")
    return 0


def _measure(given: argparse.Namespace) -> None:
    """Play the pairings that were asked for, one after the other."""
    game, shard = load_game(given.game), parse_shard(given.shard)
    path = given.out or path_of(game.id, shard)
    pairings = read(path)
    names = entrants(game)
    options = {**game.players.practice_options(), **dict(word.split("=", 1) for word in given.option)}
    named = given.scenario or options.pop("scenario", "")
    options.pop("scenario", None)
    scenario = make_series(game, named, options, {}, given.seed).options["scenario"]
    usual = game.players.default_playouts({**options, "scenario": scenario})
    chosen = int(given.think) if given.think.isdecimal() else {"usual": usual, "tenth": -(-usual // 10)}[given.think]
    run = Run(given.pairs, given.budget, cores() if given.jobs == "all" else int(given.jobs), given.cluster, shard)
    test = [*map(float, given.test.split(",")), given.error]
    for first, second in given.pair or [*zip(names[1:], names, strict=False)]:
        compares = any(name not in FAST for name in (first, second))
        think = (chosen, usual) if compares else (0, 0)
        pairing = Pairing.begin(game.id, first, second, scenario, options, think, given.seed, test)
        pairings, pairing = _resumed(pairings, pairing, given.extend)
        play(pairing, run, partial(save, path, pairings))
        if pairing.pairs:
            sys.stdout.write(pair_row(pairing) + "\n")
            sys.stdout.flush()


def _resumed(pairings: list[Pairing], wanted: Pairing, extend: bool) -> tuple[list[Pairing], Pairing]:
    """Return the pairings with the wanted one among them, and that: as it was, or from the start if the code has changed."""
    others = [one for one in pairings if one.key != wanted.key]
    known = next((one for one in pairings if one.key == wanted.key), None)
    if known and (known.code == wanted.code or extend):
        known.test, known.code = wanted.test, wanted.code
        return [*others, known], known
    if known:
        sys.stderr.write(f"{wanted.first} against {wanted.second}: the code has changed, played from the start\n")
    return [*others, wanted], wanted


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="")
    parser.add_argument("--pair", nargs=2, action="append", metavar=("FIRST", "SECOND"))
    parser.add_argument("--scenario", default="")
    parser.add_argument("--option", action="append", default=[], metavar="K=V")
    parser.add_argument("--think", default="usual")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--test", default="0.5,0.55", help="shares of pairs between which the test decides")
    parser.add_argument("--error", type=float, default=0.05)
    parser.add_argument("--pairs", type=int, default=DEFAULT_PAIRS)
    parser.add_argument("--budget", type=float, default=1e9)
    parser.add_argument("--jobs", default="1")
    parser.add_argument("--cluster", default="")
    parser.add_argument("--shard", default="")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--merge", nargs="+", default=[], metavar="FILE")
    parser.add_argument("--extend", action="store_true", help="add to results of other code")
    parser.add_argument("--write", action="store_true")
    return parser


if __name__ == "__main__":
    sys.exit(main())
