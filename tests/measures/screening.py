"""Find what matters in a planner: its constants, its decisions, and single changes, measured by whole games on common luck.

    python -m tests.measures.screening GAME constants [--only weights,hits] [--spread 0.5]
    python -m tests.measures.screening GAME decisions
    python -m tests.measures.screening GAME change --set weights.melee=0.4 [--set ...] [--test 0.5,0.6]
        with [--seat SEAT] [--policy NAME] [--against NAME] [--scenario S] [--option K=V] [--seed S] [--games N]
        [--budget SECONDS] [--jobs N] [--out FILE]

``constants`` draws each number of ``ai.toml`` at three levels (less, as it is, more) at random for each luck, and plays it with
the levels and with the opposite ones; the main effects are those of a regression of half the difference. ``decisions`` repeats a
game with another candidate than the first at one decision drawn at random, and shows by kind of decision what the first is worth
over another. ``change`` plays with and without other numbers until a sequential test of the pairs won decides.

The policy of one seat is measured, by default the first seat's best without rollouts, against `plain`. Constants of a game are
those of both sides: an opponent that uses them too is changed with it. All figures are VP of the seat, with 95 % intervals; of
20 effects that are none, one looks like one. Results are kept in ``tests/measures/screening/GAME.json``, where the same command
goes on.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from multiprocessing import get_context
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, NamedTuple
from unittest import mock

from companion.core import match as matches
from companion.core.fit import FIT
from companion.core.game import Game
from companion.core.history import Reply
from companion.core.match import Match
from companion.core.plans import TurnPlan
from companion.core.policies import PLAIN, RandomStream
from companion.core.rollouts import DecisionStats
from companion.core.text import plural
from companion.games import make_game
from companion.session.facts import practice_facts
from companion.session.files import replacing
from companion.session.simulation import describe_fault, make_series, play_out
from companion.session.state import load_game
from companion.session.tables import load
from tests.measures.fit import policies_by_default
from tests.measures.ladder import code_of, points
from tests.support.pages import ROOT
from tests.support.paired import Test
from tests.support.regression import Effect, least_squares

FOLDER = ROOT / "tests" / "measures" / "screening"
LEVELS = (-1, 0, 1)
CONSTANTS, DECISIONS, CHANGE = "constants", "decisions", "change"
_SAVE_SECONDS = 5.0


class Setting(NamedTuple):
    """What is played: the policy of a seat against another, in a set-up.

    Attributes:
        game: Its id.
        policies: By seat.
        changes: Constants and their new values.
        spread: How much less and more the outer levels are, as a share.
    """

    game: str
    scenario: str
    options: tuple[tuple[str, str], ...]
    seat: str
    policies: tuple[tuple[str, str], ...]
    seed: str
    kind: str
    only: tuple[str, ...] = ()
    spread: float = 0.5
    changes: tuple[tuple[str, float], ...] = ()


# -- games with other constants ----------------------------------------------------------------------------------------


def constants(data: Mapping[str, Any], only: Sequence[str] = ()) -> dict[str, Any]:
    """Return the numbers of ``ai.toml`` other than 0 by dotted name; a list of numbers is one constant.

    >>> constants({"worth": {"op": 1.5, "steps": [1, 2], "on": True, "none": 0}, "words": {"a": "b"}, "fit": {"win": {"x": 1.0}}})
    {'worth.op': 1.5, 'worth.steps': [1, 2]}
    """
    found = {
        f"{table}.{name}": value
        for table, items in data.items()
        if table != FIT and isinstance(items, Mapping)
        for name, value in items.items()
        if _is_number(value) or (isinstance(value, list) and value and all(map(_is_number, value)) and any(value))
    }
    return {name: value for name, value in found.items() if value and (not only or name.startswith(tuple(only)))}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def scaled(value: Any, factor: float) -> Any:
    """Return a constant times a factor; whole numbers stay whole and change by at least 1.

    >>> scaled(1.5, 0.5), scaled(3, 1.1), scaled([2, 4.0], 2), scaled(3, 1.0)
    (0.75, 4, [4, 8.0], 3)
    """
    if isinstance(value, list):
        return [scaled(part, factor) for part in value]
    if factor == 1 or not value:
        return value
    if not isinstance(value, int):
        return value * factor
    whole = round(value * factor)
    return whole if whole != value else value + (1 if factor > 1 else -1)


def changed_game(name: str, values: Mapping[str, Any]) -> Game:
    """Return a game whose planners have other constants."""
    tables = load(name)
    data = {table: dict(items) if isinstance(items, Mapping) else items for table, items in tables.bot.items()}
    for constant, value in values.items():
        table, _, key = constant.partition(".")
        data[table][key] = value
    return make_game(name, tables._replace(bot=data))


def outcome(setting: Setting, game: Game, number: int, think: int = 0) -> float:
    """Play a game on a luck; return the seat's score in VP. Raises ValueError: the game fails."""
    series = _series(setting)
    players = game.players
    seats = {seat: players.policy(seat, name) for seat, name in series.policies.items()}
    budget = dict.fromkeys(players.seats, think)
    match = Match(game, series.options, seats, RandomStream(f"{setting.seed}/{number}"), _facts(setting.game), think=budget)
    if fault := play_out(match):
        raise ValueError(fault)
    score = float(players.outcome(match.position, series.options).score)
    return score if setting.seat == players.seats[0] else -score


@lru_cache(maxsize=2)
def _series(setting: Setting) -> Any:
    return make_series(load_game(setting.game), setting.scenario, dict(setting.options), dict(setting.policies), setting.seed)


@lru_cache(maxsize=2)
def _facts(game: str) -> Mapping[str, str]:
    return practice_facts(load_game(game))


@lru_cache(maxsize=2)
def _changed(setting: Setting) -> tuple[Game, Game]:
    """Return the game as it is, and with the changes."""
    return load_game(setting.game), changed_game(setting.game, dict(setting.changes))


# -- one luck of each kind ---------------------------------------------------------------------------------------------


def drawn_levels(setting: Setting, number: int, count: int) -> list[int]:
    """Return the level of each constant for a luck."""
    random = Random(f"{setting.seed}/{number}/levels")
    return [random.choice(LEVELS) for _ in range(count)]


def play_constants(setting: Setting, number: int) -> list[float]:
    """Return the scores with the levels of a luck, and with the opposite ones."""
    known = constants(load(setting.game).bot, setting.only)
    levels = drawn_levels(setting, number, len(known))
    scores = []
    for sign in (1, -1):
        values = {
            name: scaled(value, 1 + sign * level * setting.spread)
            for (name, value), level in zip(known.items(), levels, strict=True)
        }
        scores.append(outcome(setting, changed_game(setting.game, values), number))
    return scores


def play_change(setting: Setting, number: int) -> list[float]:
    """Return the scores with the changes and without."""
    plain, changed = _changed(setting)
    return [outcome(setting, game, number) for game in (changed, plain)]


class Decisions:
    """The decisions of a seat in a game, of which one may be forced: its number from 0, and the index of the candidate."""

    def __init__(self, seat: str, forced: tuple[int, int] = (-1, 0)) -> None:
        self.seat = seat
        self.forced = forced
        self.found: list[tuple[str, int]] = []

    def compare(self, point: Any, seat: str, candidates: Sequence[Any], *rest: Any, **named: Any) -> DecisionStats:
        """Stand in for `compare_by_rollouts`: the first candidate, or the forced one."""
        if seat != self.seat:
            return DecisionStats(0)
        self.found.append((_kind(candidates[0]), len(candidates)))
        number, index = self.forced
        return DecisionStats(index if number == len(self.found) - 1 else 0)


def _kind(candidate: Any) -> str:
    if isinstance(candidate, TurnPlan):
        return "plan"
    if isinstance(candidate, Reply):
        return candidate.key.removeprefix("think ") or "answer"
    return "action"


@contextmanager
def decisions(seat: str, forced: tuple[int, int] = (-1, 0)) -> Iterator[Decisions]:
    """Count the decisions that rollouts would compare, and take the first candidate of each but the forced one."""
    seen = Decisions(seat, forced)
    with mock.patch.object(matches, "compare_by_rollouts", seen.compare):
        yield seen


def play_decision(setting: Setting, number: int) -> list[Any]:
    """Return the score of the first candidates, that with one other, the kind of that decision and the index taken.

    Without a decision that is compared it is [].
    """
    game = load_game(setting.game)
    with decisions(setting.seat) as seen:
        usual = outcome(setting, game, number, think=1)
    if not seen.found:
        return []
    random = Random(f"{setting.seed}/{number}/decision")
    place = random.randrange(len(seen.found))
    kind, count = seen.found[place]
    index = 1 + random.randrange(count - 1)
    with decisions(setting.seat, (place, index)):
        other = outcome(setting, game, number, think=1)
    return [usual, other, kind, index]


_PLAY = {CONSTANTS: play_constants, DECISIONS: play_decision, CHANGE: play_change}


def play(setting: Setting, number: int) -> tuple[int, list[Any]]:
    """Play the games on a luck; a failure is reported, and gives []."""
    try:
        return number, _PLAY[setting.kind](setting, number)
    except Exception as fault:
        sys.stderr.write(f"luck {number}: {describe_fault(fault)}\n")
        return number, []


# -- results -----------------------------------------------------------------------------------------------------------


Rows = Mapping[int, Sequence[Any]]
"""The results by luck; an empty one failed."""


def main_effects(setting: Setting, names: Sequence[str], rows: Rows) -> list[tuple[str, Effect]]:
    """Return the effect of one level more of each constant, the largest for its error first.

    Raises:
        ValueError: There are fewer games than constants.
    """
    good = [number for number in sorted(rows) if rows[number]]
    table = [[float(level) for level in drawn_levels(setting, number, len(names))] for number in good]
    # the two games of a luck have opposite levels, so that half their difference has the effects and not the luck
    halves = [(rows[number][0] - rows[number][1]) / 2 for number in good]
    effects = least_squares(table, halves)[1:]
    return sorted(zip(names, effects, strict=True), key=lambda item: -abs(item[1].value) / (item[1].error or 1))


def decision_values(rows: Rows) -> list[tuple[str, int, Effect]]:
    """Return kind, number, and what the first candidate is worth over another; all kinds together first."""
    good = [row for row in rows.values() if row]
    kinds = ["all", *(kind for kind, _ in Counter(row[2] for row in good).most_common())]
    result = []
    for kind in kinds:
        gains = [row[0] - row[1] for row in good if kind in ("all", row[2])]
        result.append((kind, len(gains), mean_effect(gains)))
    return result


def mean_effect(values: Sequence[float]) -> Effect:
    """Return the mean with its standard error.

    >>> mean_effect([1, 3])
    Effect(value=2.0, error=1.0)
    """
    count = len(values)
    mean = sum(values) / count
    return Effect(mean, (sum((value - mean) ** 2 for value in values) / max(count - 1, 1) / count) ** 0.5)


def change_decision(rows: Rows, test: Test) -> tuple[str, list[float]]:
    """Return what the test decides by the pairs in order up to the first gap, and their margins."""
    counts, margins, decided = Counter[float](), [], ""
    for number in range(1, len(rows) + 1):
        if number not in rows or decided:
            break
        if rows[number]:
            margins.append(rows[number][0] - rows[number][1])
            counts[points(margins[-1])] += 1
            decided = test.decide(counts)
    return decided, margins


def shown(setting: Setting, rows: Rows, test: Test) -> list[str]:
    """Return the table of a study."""
    failed = sum(not row for row in rows.values())
    head = f"{setting.seat} {dict(setting.policies)[setting.seat]}, {plural(len(rows) - failed, 'luck', 'lucks')}"
    lines = [f"{setting.game}: {head}" + (f", {failed} without a result" if failed else "")]
    if not any(rows.values()):
        return lines
    if setting.kind == CONSTANTS:
        names = list(constants(load(setting.game).bot, setting.only))
        lines += [f"| constant, {100 * setting.spread:.0f} % more | VP |", "|---|---|"]
        try:
            lines += [f"| {name} | {_figure(effect)} |" for name, effect in main_effects(setting, names, rows)]
        except ValueError as fault:
            lines.append(f"too few: {fault}")
    elif setting.kind == DECISIONS:
        lines += ["| decision | trials | the first over another, VP |", "|---|---:|---|"]
        lines += [f"| {kind} | {count} | {_figure(effect)} |" for kind, count, effect in decision_values(rows)]
    else:
        decided, margins = change_decision(rows, test)
        won = 100 * sum(map(points, margins)) / len(margins)
        low, high = (f"{100 * share:.0f} %" for share in test[:2])
        said = {"high": f"at least {high}", "low": f"at most {low}", "": f"open ({low} or {high})"}[decided]
        changes = ", ".join(f"{name} = {value:g}" for name, value in setting.changes)
        lines += ["| change | pairs | pairs won | VP a game | test |", "|---|---:|---:|---|---|"]
        lines.append(f"| {changes} | {len(margins)} | {won:.0f} % | {_figure(mean_effect(margins))} | {said} |")
    return lines


def _figure(effect: Effect) -> str:
    return f"{effect.value:+.2f} +- {1.96 * effect.error:.2f}"


class Study:
    """The results of a setting, in the file of its game."""

    def __init__(self, path: Path, setting: Setting) -> None:
        self._path = path
        self._studies: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
        key = json.loads(json.dumps(setting._asdict()))
        code = code_of(setting.game)
        known = next((study for study in self._studies if study["setting"] == key and study["code"] == code), None)
        if known is None:
            self._studies = [study for study in self._studies if study["setting"] != key]  # other code: from the start
            known = {"setting": key, "code": code, "rows": {}}
            self._studies.append(known)
        self._rows: dict[str, list[Any]] = known["rows"]

    @property
    def rows(self) -> dict[int, list[Any]]:
        return {int(number): row for number, row in self._rows.items()}

    def add(self, number: int, row: list[Any]) -> None:
        self._rows[str(number)] = row

    def save(self) -> None:
        """Write the file, a line for each luck."""
        parts = []
        for study in self._studies:
            numbers = sorted(study["rows"], key=int)
            rows = ",\n".join(f'"{number}": {json.dumps(study["rows"][number])}' for number in numbers)
            head = json.dumps({name: value for name, value in study.items() if name != "rows"})
            parts.append(f'{head[:-1]}, "rows": {{\n{rows}\n}}}}')
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(str(self._path)) as beside:
            Path(beside).write_text("[\n" + ",\n".join(parts) + "\n]\n", encoding="utf-8")


def measure(study: Study, setting: Setting, games: int, budget: float, jobs: int, test: Test) -> None:
    """Play what is missing, in the order of the lucks; Ctrl-C keeps what is done."""
    if setting.kind == CHANGE and change_decision(study.rows, test)[0]:
        return
    known = study.rows
    numbers, begun, saved = [number for number in range(1, games + 1) if number not in known], monotonic(), monotonic()
    try:
        with get_context("spawn").Pool(jobs) as pool:
            for number, row in pool.imap(partial(play, setting), numbers):
                study.add(number, row)
                if monotonic() - saved > _SAVE_SECONDS:
                    study.save()
                    saved = monotonic()
                if monotonic() - begun > budget or (setting.kind == CHANGE and change_decision(study.rows, test)[0]):
                    break
    finally:
        study.save()


def main(words: Sequence[str] | None = None) -> int:
    given = _parser().parse_args(words)
    game = load_game(given.game)
    seat = given.seat or game.players.seats[0]
    policies = dict.fromkeys(game.players.seats, given.against) | {seat: given.policy or policies_by_default(game, seat)[0]}
    setting = Setting(
        game.id,
        given.scenario,
        tuple(tuple(word.split("=", 1)) for word in given.option),  # type: ignore[misc]
        seat,
        tuple(policies.items()),
        given.seed,
        given.kind,
        tuple(part for part in given.only.split(",") if part),
        given.spread,
        tuple((name, float(value)) for name, value in (word.split("=", 1) for word in given.set)),
    )
    low, high = map(float, given.test.split(","))
    test = Test(low, high)
    study = Study(given.out or FOLDER / f"{game.id}.json", setting)
    try:
        measure(study, setting, given.games, given.budget, given.jobs, test)
    except KeyboardInterrupt:
        sys.stderr.write("stopped: the same command continues\n")
        return 130
    finally:
        sys.stdout.write("\n".join(shown(setting, study.rows, test)) + "\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("kind", choices=tuple(_PLAY))
    parser.add_argument("--only", default="", help="constants whose names begin so")
    parser.add_argument("--spread", type=float, default=0.5)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=NUMBER")
    parser.add_argument("--test", default="0.5,0.6", help="shares of pairs between which the test of a change decides")
    parser.add_argument("--seat", default="")
    parser.add_argument("--policy", default="")
    parser.add_argument("--against", default=PLAIN)
    parser.add_argument("--scenario", default="")
    parser.add_argument("--option", action="append", default=[], metavar="K=V")
    parser.add_argument("--seed", default="screening")
    parser.add_argument("--games", type=int, default=400, help="lucks, of two games each")
    parser.add_argument("--budget", type=float, default=1e9)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path)
    return parser


if __name__ == "__main__":
    sys.exit(main())
