"""LZ Albany: the best set-ups, the handicap that makes a game even, and changed constants against the old ones.

    python -m tests.measures.albany setups [--places P,P] [--games N] [--write]
    python -m tests.measures.albany handicap [--places P,P] [--games N]
    python -m tests.measures.albany old [--places P,P] [--games N] [--against POLICY]

The opponent plays both sides of whole games by its priorities, candidates in the same worlds. ``setups`` compares the styles of
each side (``[styles]`` of ai.toml) by sequential halving, N games for each on average, the US first, the NVA against the style
found; ``--write`` keeps the best in ``[setups]``, by the digest of roster and map. ``handicap`` is the mean score of the US.

``old`` plays mirrored pairs against the constants and set-ups of before (``OLD``), or with ``--against`` against ``rush``,
``dice`` (most net dice fire) or ``stationary``, which decide the rest by those of before. It prints the pairs won, the margin of
a pair, and the mean score of the US when the opponent plays it and when its rival does.

Each game is appended to ``FOLDER/NAME.jsonl`` (``--folder``), and a later run goes on from there.
"""

from __future__ import annotations

import json
import re
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import sqrt
from pathlib import Path
from time import monotonic
from typing import Any

from companion.core.match import Match, StuckGame
from companion.core.policies import Policy, RandomStream
from companion.core.position import Position
from companion.games.lzalbany import state
from companion.games.lzalbany.ai.setups import setup_digest
from companion.games.lzalbany.game import AlbanyGame
from companion.games.lzalbany.referee import AlbanyReferee, GameData
from companion.session.facts import practice_facts
from companion.session.simulation import make_series
from companion.session.state import load_game

PLACES = {
    "practice": ("practice", "practice"),
    "valley": ("practice", "valley"),
    "sample": ("sample", "practice"),
    "sample-valley": ("sample", "valley"),
}
"""Roster and map by name; the roster ``sample`` is the one of a session with Enter."""
OLD: Mapping[state.Side, Mapping[str, float]] = {
    "US": {"begun_melee": 0.0, "friends": 0.0, "melee": 0.8},
    "NVA": {"begun_melee": 0.0, "friends": 0.0, "melee": 0.8},
}
"""The constants of before 2026-11-29 where they were others; the style of the set-up was the one without weights of its own."""
OLD_STYLES: Mapping[state.Side, str] = {"US": "near LZ Albany", "NVA": "near the enemy"}
AI_FILE = Path(__file__).parents[2] / "tables" / "lzalbany" / "ai.toml"


class Arm:
    """How a side is played: changed constants, a style of the set-up (\"\": as usual), and a policy other than the opponent."""

    def __init__(self, constants: Mapping[str, float] | None = None, style: str = "", policy: Policy | None = None) -> None:
        self.constants = constants or {}
        self.style = style
        self.policy = policy


class Table:
    """Plays games with a roster and on a map."""

    def __init__(self, place: str) -> None:
        self.place = place
        roster, ground = PLACES[place]
        game = load_game("lzalbany")
        assert isinstance(game, AlbanyGame)
        self.game = game
        facts = practice_facts(game)
        is_practice = roster == "practice"
        self.facts = {key: value for key, value in facts.items() if is_practice or not key.startswith(("roster:", "gunship"))}
        self.ground = ground
        referee = game.new_referee(Position(), self.options({}))
        assert isinstance(referee, AlbanyReferee)
        self.data: GameData = referee.data

    def options(self, arms: Mapping[state.Side, Arm]) -> Mapping[str, str]:
        """The options of a game; the opponent decides inside the rules for a side without a policy of its own."""
        names = {side.casefold(): "plain" if side in arms and arms[side].policy else "bot" for side in state.SIDES}
        return make_series(self.game, "", {"map": self.ground}, names, "measure", 0).options

    def begun(self, seed: str, arms: Mapping[state.Side, Arm]) -> Match:
        """A game after the set-up of counters and map, before the forces are placed."""
        shared: Mapping[str, float] = self.data.ai["weights"]
        for side in state.SIDES:
            self.data.side_weights[side] = {**shared, **self.data.ai["sides"][side.casefold()], **arms[side].constants}
        self.data.valuations, self.data.shared_values = None, {}
        seats = {side.casefold(): arms[side].policy or self.game.players.policy(side.casefold(), "bot") for side in state.SIDES}
        match = Match(self.game, self.options(arms), seats, RandomStream(seed), self.facts)
        match.begin()
        styles = {state.style_flag(side): arms[side].style for side in state.SIDES if arms[side].style}
        match.position = match.position.changed(flags={**match.position.flags, **styles})
        return match

    def score(self, seed: str, us: Arm, nva: Arm) -> float | None:
        """The score of the US in a whole game; None if it was stuck."""
        match = self.begun(seed, {"US": us, "NVA": nva})
        try:
            match.play()
        except StuckGame as fault:
            sys.stderr.write(f"{self.place} {seed}: {fault}\n")
            return None
        return self.game.players.outcome(match.position, match.options).score

    def digest(self) -> str:
        return setup_digest(self.begun("digest", {"US": Arm(), "NVA": Arm()}).position)


class Store:
    """The scores of games by key, kept in a file so that a later run goes on."""

    def __init__(self, folder: str, name: str, budget: float) -> None:
        self.path = Path(folder) / f"{name}.jsonl"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        lines = self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
        self.rows: dict[str, float | None] = dict(map(json.loads, lines))
        self.until = monotonic() + budget

    def get(self, key: str, play: Callable[[], float | None]) -> float | None:
        """The score of a game. Raises TimeoutError: it is not known, and the time is over."""
        if key not in self.rows:
            if monotonic() > self.until:
                raise TimeoutError
            self.rows[key] = play()
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps([key, self.rows[key]]) + "\n")
        return self.rows[key]


def mean_and_half(values: Sequence[float]) -> tuple[float, float]:
    """The mean and the half-width of its 95 % interval.

    >>> mean_and_half([1, 3])
    (2.0, 1.96)
    """
    count = len(values)
    mean = sum(values) / count
    spread = sum((value - mean) ** 2 for value in values) / max(1, count - 1)
    return mean, 1.96 * sqrt(spread / count)


def best_style(table: Table, side: state.Side, other: Arm, store: Store, games: int) -> str:
    """The best style of a side against the other side, by sequential halving."""
    names, sign = list(table.data.ai["styles"][side.casefold()]), 1 if side == "US" else -1
    scores: dict[str, list[float]] = {name: [] for name in names}
    remaining, budget = names, games * len(names)
    rounds = max(1, (len(names) - 1).bit_length())
    first = 0
    for _ in range(rounds):
        last = first + budget // (rounds * len(remaining))
        for number in range(first, last):
            for name in remaining:
                arms = (Arm(style=name), other) if side == "US" else (other, Arm(style=name))
                key = f"{table.place} {side} {name} against {other.style} {number}"
                score = store.get(key, lambda arms=arms, number=number: table.score(f"setups/{number}", *arms))  # type: ignore[misc]
                scores[name].append(sign * (score or 0.0))
        first = last
        ranked = sorted(remaining, key=lambda name: -sum(scores[name]))
        for name in ranked:
            behind = [one - best for one, best in zip(scores[name], scores[ranked[0]], strict=True)]
            mean, half = mean_and_half(behind)
            sys.stdout.write(f"| {table.place} | {side} | {name} | {len(behind)} | {mean:+.1f} +- {half:.1f} |\n")
        remaining = ranked[: (len(remaining) + 1) // 2]
    return remaining[0]


def setups(told: Namespace, place: str) -> None:
    """Search the set-ups of both sides for a roster and map."""
    table, store = Table(place), Store(told.folder, "setups", told.budget)
    us = best_style(table, "US", Arm(), store, told.games)
    nva = best_style(table, "NVA", Arm(style=us), store, told.games)
    line = f'{table.digest()} = {{ us = "{us}", nva = "{nva}" }} # roster {PLACES[place][0]}, map {PLACES[place][1]}'
    sys.stdout.write(line + "\n")
    if told.write:
        text = AI_FILE.read_text(encoding="utf-8")
        text = re.sub(rf'^"?{table.digest()}.*\n', "", text, flags=re.MULTILINE)
        AI_FILE.write_text(
            re.sub(r"^\[setups\]\n", f'[setups]\n"{line[:12]}"{line[12:]}\n', text, flags=re.MULTILINE), encoding="utf-8"
        )


def handicap(told: Namespace, place: str) -> None:
    """The mean score of the US, bot against bot."""
    table, store = Table(place), Store(told.folder, "handicap", told.budget)
    scores: list[float] = []
    for number in range(told.games):
        score = store.get(f"{place} {number}", lambda number=number: table.score(f"handicap/{number}", Arm(), Arm()))  # type: ignore[misc]
        scores += [] if score is None else [score]
    mean, half = mean_and_half(scores)
    won = sum(score > 0 for score in scores)
    sys.stdout.write(f"| {place} | {len(scores)} | {mean:+.1f} +- {half:.1f} | {won} | {round(-mean)} |\n")


def pairs(told: Namespace, place: str) -> Iterator[tuple[float, float]]:
    """The scores of the US of mirrored pairs: played by the opponent, and by its rival."""
    table, store = Table(place), Store(told.folder, told.against or "old", told.budget)
    policies = rivals(table)
    rival: dict[state.Side, Arm] = {
        side: Arm(OLD[side], OLD_STYLES[side], policies[told.against](side) if told.against else None) for side in state.SIDES
    }
    for number in range(told.games):
        seed = f"{told.against or 'old'}/{place}/{number}"
        try:
            one = store.get(f"{place} us {number}", lambda seed=seed: table.score(seed, Arm(), rival["NVA"]))  # type: ignore[misc]
            other = store.get(f"{place} nva {number}", lambda seed=seed: table.score(seed, rival["US"], Arm()))  # type: ignore[misc]
        except TimeoutError:
            return
        if one is not None and other is not None:
            yield one, other


def rivals(table: Table) -> Mapping[str, Callable[[state.Side], Policy]]:
    """Simple opponents by name."""
    from tests.games.lzalbany.rivals import MostDicePolicy, RushPolicy
    from tests.measures.strength import StationaryPolicy

    players = table.game.players
    return {
        "stationary": lambda side: StationaryPolicy(players),
        "rush": lambda side: RushPolicy(players),
        "dice": lambda side: MostDicePolicy(players),
    }


def old(told: Namespace, place: str) -> None:
    """Mirrored pairs against the constants of before, or a simple opponent."""
    played = list(pairs(told, place))
    margins = [one - other for one, other in played]
    won = sum((margin > 0) + (margin == 0) / 2 for margin in margins)
    mean, half = mean_and_half(margins)
    us, nva = (sum(column) / len(played) for column in zip(*played, strict=True))
    share = f"{won:g} of {len(margins)} ({100 * won / len(margins):.0f} %)"
    sys.stdout.write(f"| {place} | {told.against or 'old'} | {share} | {mean:+.1f} +- {half:.1f} | {us:+.1f} | {nva:+.1f} |\n")


def main(words: Any = None) -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("setups", "handicap", "old"))
    parser.add_argument("--places", default=",".join(PLACES))
    parser.add_argument("--games", type=int, default=16)
    parser.add_argument("--against", default="", choices=("", "rush", "dice", "stationary"))
    parser.add_argument("--folder", default="measures")
    parser.add_argument("--budget", type=float, default=600.0, help="seconds after which no new game begins")
    parser.add_argument("--write", action="store_true")
    told = parser.parse_args(words)
    for place in told.places.split(","):
        try:
            {"setups": setups, "handicap": handicap, "old": old}[told.what](told, place)
        except TimeoutError:
            sys.stdout.write(f"{place}: the time is over; the same command goes on\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
