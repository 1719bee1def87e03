"""Games that the planners play from fixed seeds: how they end, and the values of the candidates.

    python -m tests.support.planner_games [--write]

A planner decides by many small numbers that no rule states. These games change when one of them changes, so a change that was
not meant is noticed. After a change that was meant, write the file anew and say so in the commit.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from companion.core.candidates import Candidate
from companion.core.errors import CompanionError
from companion.core.policies import DecisionContext, RandomPolicy
from companion.core.rollouts import DecisionStats
from companion.core.values import ReplyValue
from companion.session.simulation import make_series, play_game
from companion.session.state import load_game

FILE = Path(__file__).with_suffix(".json")
ADVICE = "advice"
"""Random play; now and then the adviser of the seat is asked before a decision."""
ADVICE_EVERY = 3
"""One decision of so many is put to the adviser."""
FIGURE = re.compile(r"\d+(?:\.\d+)?")


class Games(NamedTuple):
    """A series of games.

    Attributes:
        policy: The policy of every seat, or `ADVICE`.
        count: The number of games.
        scenario: Its id; empty for that of practice.
        options: Options that differ from those of practice.
        playouts: Rollouts per candidate.
        others: The policies of single seats, by seat.
    """

    policy: str
    count: int
    scenario: str = ""
    options: Mapping[str, str] = {}
    playouts: int = 0
    others: Mapping[str, str] = {}

    def __str__(self) -> str:
        changed = [f"{key}={value}" for key, value in {**self.options, **self.others}.items()]
        rollouts = [f"{self.playouts} playouts"] if self.playouts else []
        return " ".join([self.scenario or "default", self.policy, *changed, *rollouts])


SERIES: dict[str, tuple[Games, ...]] = {
    "fallujah2004": (
        Games("planner", 5, "vigilant_resolve"),
        Games("planner", 3, "phantom_fury"),
        Games("planner", 2, "campaign"),
        Games("planner", 2, "phantom_fury", {"networked": "on", "interdiction": "on", "level": "easy"}),
        Games("plain", 3, "phantom_fury"),
        Games("random", 3, "phantom_fury"),
        Games(ADVICE, 4, "phantom_fury", {"networked": "on", "interdiction": "on"}),
        Games(ADVICE, 2, "vigilant_resolve"),
        Games(ADVICE, 1, "vigilant_resolve", playouts=8),
    ),
    "fallujahcards": (
        Games("bot", 2),
        Games("plain", 2),
        Games("random", 2),
        Games(ADVICE, 2),
        Games(ADVICE, 1, playouts=40),
        Games("bot", 1, playouts=40),
    ),
    "iraqwar2003": (
        Games("bot", 2),
        Games("bot", 2, options={"recommended": "on", "mountains": "on", "reinforcements": "on", "level": "easy"}),
        Games("plain", 2),
        Games("random", 2),
        Games(ADVICE, 2),
        Games(ADVICE, 2, options={"opponent": "proposes"}, others={"iraq": "bot"}),
        Games(ADVICE, 1, options={"opponent": "proposes"}, others={"coalition": "bot"}),
    ),
    "lzalbany": (
        Games("bot", 8),
        Games("easy", 2),
        Games("bot", 3, options={"map": "valley"}),
        Games("random", 3),
        Games(ADVICE, 3),
        Games(ADVICE, 2, options={"opponent": "proposes"}, others={"nva": "bot"}),
    ),
    "phantomfury": (
        Games("planner", 6, "practice"),
        Games("planner", 8, "practice_small"),
        Games("planner", 1, "jolan", {"variant": "on"}),
        Games("plain", 3, "practice"),
        Games("random", 3, "practice"),
        Games(ADVICE, 3, "practice"),
        Games(ADVICE, 1, "practice_small", playouts=8),
    ),
}

Series = dict[str, Any]


class AdvisedRandom(RandomPolicy):
    """Plays at random, and asks the adviser of the seat now and then without following it.

    Attributes:
        advice: The recommended decisions, each with the figures of its reasons.
    """

    def __init__(self, players: Any) -> None:
        super().__init__(players)
        self.advice: list[list[str]] = []
        self._asked = 0

    def act(self, context: DecisionContext[Any]) -> str:
        self._ask(context)
        return super().act(context)

    def reply(self, context: DecisionContext[Any]) -> ReplyValue:
        self._ask(context)
        return super().reply(context)

    def _ask(self, context: DecisionContext[Any]) -> None:
        self._asked += 1
        name = self.players.adviser(context.seat)
        if self._asked % ADVICE_EVERY or not name:
            return
        number = random.Random(self._asked)
        advised = DecisionContext[Any](
            context.game,
            context.options,
            context.seat,
            context.referee,
            context.request,
            number.randrange,
            lambda candidates, names, times: DecisionStats(context.compare_by_rollouts(candidates, names)),
            facts=lambda: context.facts,
        )
        advised.playouts = context.playouts
        advised.is_advising = True
        policy = self.players.policy(context.seat, name)
        with suppress(CompanionError):
            if context.request is None:
                decision: object = policy.act(advised)
            elif context.request.chance_setting or not policy.has_advice(advised):
                return
            else:
                decision = policy.reply(advised)
            self.advice.append([str(decision), *FIGURE.findall(" ".join([*advised.reasons, *context.reasons]))])


@contextmanager
def candidate_values() -> Iterator[set[tuple[float, ...]]]:
    """Collect the value, error and measures of every `Candidate` that is made, to four decimals."""
    values: set[tuple[float, ...]] = set()
    create = Candidate.__new__

    def recording(cls: type[Candidate[Any]], *args: Any, **named: Any) -> Candidate[Any]:
        candidate = create(cls, *args, **named)
        figures = (candidate.value, candidate.error, *(candidate.measures[name] for name in sorted(candidate.measures)))
        values.add(tuple(round(float(figure), 4) + 0.0 for figure in figures))
        return candidate

    Candidate.__new__ = recording
    try:
        yield values
    finally:
        Candidate.__new__ = create


def played(game_id: str, games: Games) -> Series:
    """Play a series.

    Returns:
        ``games``: result, score, turns, decisions and tracks of each; ``candidates``: the number of different values of
        candidates; ``values``: a digest of them and of the advice.
    """
    game = load_game(game_id)
    policy = "random" if games.policy == ADVICE else games.policy
    series = make_series(game, games.scenario, games.options, {"": policy, **games.others}, "planner games", games.playouts)
    adviser = AdvisedRandom(game.players)
    advised = [seat for seat in game.players.seats if games.policy == ADVICE and seat not in games.others]
    own = dict.fromkeys(advised, adviser)
    with candidate_values() as values:
        ends = [play_game(series, number, own) for number in range(1, games.count + 1)]
    digest = hashlib.sha256(json.dumps([sorted(values), adviser.advice]).encode()).hexdigest()[:16]
    rows = [[end.result, end.score, end.turns, end.decisions, *end.tracks, *filter(None, [end.error])] for end in ends]
    return {"games": rows, "advice": len(adviser.advice), "candidates": len(values), "values": digest}


def main(arguments: list[str]) -> None:
    every = {f"{game_id} {games}": played(game_id, games) for game_id, series in SERIES.items() for games in series}
    lines = []
    for name, series in every.items():
        rows = ",\n      ".join(map(json.dumps, series.pop("games")))
        lines.append(f'  {json.dumps(name)}: {{\n    "games": [\n      {rows}\n    ],\n    {json.dumps(series)[1:-1]}\n  }}')
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    if "--write" in arguments:
        FILE.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main(sys.argv[1:])
