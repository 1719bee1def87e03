"""Measure the speed of whole games without people.

    python -m tests.measures.whole_games [GAME] [--on CHECKOUT] [--policy NAME] [--games N] [--rounds N] [--memory N] [--layers]

A line for each game and policy (``random`` and ``plain``, or the one that is named, in every seat that has it): the decisions
of a second of one core, dice and draws among them and refused answers not; how much quicker that is than an older checkout
(``--on``: its ``companion`` plays the same games, by turns with this one, and the median of the rounds is told); how many games
two processes play in the time of one. ``--memory``: besides, the memory of a process after a tenth of so many games, and after
all of them. A round is a process of its own that plays ``--games`` games, after a few that do not count.

``--layers`` instead: what bounds the speed. The share of the processor's time by layer, and how fast play would be if the rules
of the game, or all but they, took no time; and for a busy machine the turns of a bare loop that a decision takes.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Mapping
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

ROOT = str(Path(__file__).resolve().parents[2])
WARM = 3
"""Games played before the clock starts, to fill caches."""
write = sys.stdout.write


class Block(NamedTuple):
    """The games and decisions of a process, its processor seconds and its wall-clock seconds."""

    games: int
    decisions: int
    seconds: float
    wall: float

    @property
    def rate(self) -> float:
        return self.decisions / self.seconds


def match_of(game: Any, policy: str, seed: str) -> Any:
    """A game on the set of practice, not yet begun; a seat that has no such policy takes its usual one."""
    from companion.core.match import Match
    from companion.core.policies import RandomStream

    players = game.players
    named = {seat: policy if policy in players.policies(seat) else next(iter(players.policies(seat))) for seat in players.seats}
    options = {key: option.default for key, option in game.options.items()} | {"scenario": next(iter(game.scenarios))}
    options |= {**players.practice_options(), **players.options_for_policies(named)}
    return Match(
        game, options, {seat: players.policy(seat, name) for seat, name in named.items()}, RandomStream(seed), _facts(game)
    )


@cache
def _facts(game: Any) -> Mapping[str, str]:
    """The facts of the practice set, read once."""
    from companion.session.facts import practice_facts

    return practice_facts(game)


def decisions(game: Any, policy: str, first: int, games: int) -> int:
    """Play games as a worker of the simulator does; the number of decisions."""
    from companion.session import simulation

    found = 0
    with getattr(simulation, "rare_garbage_collection", nullcontext)():  # an older checkout has none
        for number in range(first, first + games):
            match = match_of(game, policy, f"speed/{number}")
            match.begin()
            match.play()
            found += match.decisions
    return found


def block(game_id: str, policy: str, first: int, games: int) -> Block:
    """Play a block in this process."""
    from companion.games import make_game
    from companion.session.tables import load

    game = make_game(game_id, load(game_id))
    decisions(game, policy, 0, WARM)
    wall, start = time.perf_counter(), time.process_time()
    made = decisions(game, policy, first, games)
    return Block(games, made, time.process_time() - start, time.perf_counter() - wall)


def begun(checkout: str, game_id: str, policy: str, first: int, games: int) -> subprocess.Popen[str]:
    """A process that plays a block with the ``companion`` of a checkout."""
    word = [
        sys.executable,
        str(Path(__file__).resolve()),
        game_id,
        "--block",
        str(first),
        "--policy",
        policy,
        "--games",
        str(games),
    ]
    return subprocess.Popen(word, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": checkout})


def done(process: subprocess.Popen[str]) -> Block:
    """Wait for a process and read its block."""
    told, _ = process.communicate()
    if process.returncode:
        raise SystemExit(process.returncode)
    games, made, seconds, wall = told.split()
    return Block(int(games), int(made), float(seconds), float(wall))


def line(said: Any, game_id: str, policy: str) -> None:
    """Print the line of a game and a policy. A round plays the same games here, in CHECKOUT and in two processes."""
    here, ratios, gains = [], [], []
    for number in range(said.rounds):
        work = (game_id, policy, WARM + number * said.games, said.games)
        here.append(done(begun(ROOT, *work)))
        if said.on:
            ratios.append(here[-1].rate / done(begun(said.on, *work)).rate)
        pair = [done(process) for process in [begun(ROOT, *work), begun(ROOT, *work)]]
        gains.append(2 * here[-1].wall / max(one.wall for one in pair))
    rates = [one.rate for one in here]
    games, made, seconds = (sum(column) for column in list(zip(*here, strict=True))[:3])
    write(
        f"{game_id:14} {policy:8} {max(rates):8,.0f} decisions a second (at least 10,000), median {statistics.median(rates):,.0f}"
    )
    write(f"; {1000 * seconds / games:.1f} ms a game, {made / games:.0f} in it")
    write(f"; {statistics.median(ratios):.2f} times {said.on}" if ratios else "")
    write(f"; two processes {statistics.median(gains):.2f}, at best {max(gains):.2f} times one (at least 1.8)\n")
    sys.stdout.flush()


def memory(game_id: str, policy: str, games: int) -> None:
    """Print the memory of this process after a tenth of the games and after all."""
    from companion.games import make_game
    from companion.session.tables import load

    game = make_game(game_id, load(game_id))
    marks = [max(games // 10, 1), games]
    played, told = 0, []
    for mark in marks:
        decisions(game, policy, played, mark - played)
        played = mark
        told.append(f"{_resident():.1f} MB after {mark:,} games")
    write(f"{game_id:14} {policy:8} {', '.join(told)}\n")
    sys.stdout.flush()


LAYERS = {
    "rules": ("games/",),
    "policies": ("/ai/", "core/policies"),
    "positions": ("core/position", "core/events", "core/referee"),
    "questions": ("core/request", "core/notation", "core/text", "core/vocabulary"),
    "running": ("core/match", "core/procedures", "core/resolver", "core/history", "core/game"),
}
"""The layers of a decision and the modules of each; a later one wins. The rest is ``other``."""


def layer_of(path: str) -> str:
    """The layer of a module."""
    found = [layer for layer, names in LAYERS.items() if any(name in path for name in names)]
    return found[-1] if found else "other"


def bare_loop(turns: int) -> float:
    """Processor seconds of a loop that only adds."""
    start, total = time.process_time(), 0
    for number in range(turns):
        total += number & 7
    return time.process_time() - start


def layers(game_id: str, policy: str, games: int) -> None:
    """Print the shares of the layers: which module runs at each tick of the processor's clock."""
    import signal

    from companion.games import make_game
    from companion.session.tables import load

    game = make_game(game_id, load(game_id))
    decisions(game, policy, 0, WARM)
    start = time.process_time()
    rate = decisions(game, policy, WARM, games) / (time.process_time() - start)
    ticks: Counter[str] = Counter()
    signal.signal(signal.SIGPROF, lambda number, frame: ticks.update([layer_of(frame.f_code.co_filename if frame else "")]))
    signal.setitimer(signal.ITIMER_PROF, 0.001, 0.001)
    decisions(game, policy, WARM, games)
    signal.setitimer(signal.ITIMER_PROF, 0)
    rules, total = ticks["rules"], ticks.total()
    shares = ", ".join(f"{layer} {count / total:.0%}" for layer, count in ticks.most_common())
    loop = 1_000_000 / min(bare_loop(1_000_000) for _ in range(3))
    write(f"{game_id:14} {policy:8} {rate:6,.0f} decisions a second, {loop / rate:,.0f} turns of a bare loop each: {shares}")
    write(f"; {rate * total / (total - rules):,.0f} without the rules, {rate * total / max(rules, 1):,.0f} with nothing else\n")
    sys.stdout.flush()


def _resident() -> float:
    """The memory that this process holds now, in MB; where the system does not say, the most that it has held."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
    except OSError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def main() -> None:
    """Run from the command line."""
    words = ArgumentParser(prog="python -m tests.measures.whole_games")
    words.add_argument("game", nargs="?")
    words.add_argument("--on", metavar="CHECKOUT")
    words.add_argument("--policy")
    words.add_argument("--games", type=int, default=20)
    words.add_argument("--rounds", type=int, default=5)
    words.add_argument("--memory", type=int)
    words.add_argument("--layers", action="store_true")
    words.add_argument("--block", type=int)
    said: Any = words.parse_args()
    if said.block is not None:
        write(" ".join(map(str, block(said.game, said.policy, said.block, said.games))))
        return
    from companion.games import GAMES

    for game_id in [said.game] if said.game else GAMES:
        for policy in [said.policy] if said.policy else ["random", "plain"]:
            if said.layers:
                layers(game_id, policy, said.games)
                continue
            line(said, game_id, policy)
            if said.memory:
                memory(game_id, policy, said.memory)


if __name__ == "__main__":
    main()
