"""Measure answers a second of ``companion serve``, without the commit, and of one process a command.

    python -m tests.measures.serve [GAME]... [--answers N] [--whole]

Each game is played with its made-up set, by what is suggested. The time of the server alone is the processor's, from the line
that it reads to the line that it writes, without what it spends in the transactions that it writes; documents are brief, but for
``--whole``. The median leaves out what an opponent thinks about. A command is a process of its own, timed by the clock.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from statistics import median
from typing import Any, TypeVar

from companion.cli.serve.server import Server
from companion.cli.shell.app import runner
from companion.games import GAMES
from companion.session.store import Archive

T = TypeVar("T")
ANSWERS = 200
COMMANDS = 5


class Stopwatch:
    """Seconds of the processor that calls took."""

    def __init__(self) -> None:
        self.each: list[float] = []

    @property
    def seconds(self) -> float:
        return sum(self.each)

    def run(self, work: Callable[[], T]) -> T:
        begun = time.process_time()
        try:
            return work()
        finally:
            self.each.append(time.process_time() - begun)


def timed_commits() -> Stopwatch:
    """Every transaction that an archive writes from now on is timed."""
    watch, write = Stopwatch(), Archive._write
    Archive._write = lambda self, work: watch.run(lambda: write(self, work))  # type: ignore[method-assign]
    return watch


def played(game: str, archive: str, answers: int, brief: bool, commits: Stopwatch) -> list[float]:
    """Answers so many questions, and begins what there is to begin; the seconds of each, beside what it committed."""
    lines: list[str] = []
    server, each, seed, where = Server(lines.append, runner()), [], 0, {"db": archive, "brief": brief}
    now: Any = None

    def asked(**fields: Any) -> Any:
        line, before = json.dumps({"id": 1, **fields, **where}).encode(), commits.seconds
        begun = time.process_time()
        server.answer(line)
        each.append(time.process_time() - begun - (commits.seconds - before))
        return json.loads(lines.pop())

    with server.open():
        while len(each) < answers:
            free = [way["action"] for way in now["legal"] if way["possible"]] if now else []
            if now is None or not (now["pending"] or free) or now["over"]:
                seed += 1
                now = asked(do="practice", game=game, seed=seed)
                each.pop()
                continue
            tries = said_to(now["pending"]) if now["pending"] else [{"do": "begin", "action": one} for one in free]
            took = next((found for said in tries if "error" not in (found := asked(**said))), None)
            now = took or asked(do="undo")
    return each


def said_to(asked: Any) -> list[dict[str, Any]]:
    """What is said to a question, in the order in which it is tried."""
    offered = [choice["value"] for choice in asked["choices"]]
    low = offered[: max(asked.get("low") or 1, 1)] if asked["kind"] == "pick" else None
    said = [{"accept": True}, *({"value": one} for one in ([low] if low else offered[:4] or [asked.get("example", "1")]))]
    return [{"do": "answer", "at": asked["at"], **one} for one in said]


def a_process_each(archive: str) -> float:
    """Seconds of a command that is a process of its own."""
    begun = time.perf_counter()
    for _ in range(COMMANDS):
        words = [sys.executable, "-m", "companion", "note", "x", "--db", archive, "--json"]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    return (time.perf_counter() - begun) / COMMANDS


def main() -> None:
    words = sys.argv[1:]
    brief = "--whole" not in words
    count = int(words[words.index("--answers") + 1]) if "--answers" in words else ANSWERS
    commits = timed_commits()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["COMPANION_CONFIG"] = os.path.join(folder, "config.toml")
        for game in [word for word in words if word in GAMES] or GAMES:
            archive = os.path.join(folder, f"{game}-practice.sqlite3")
            played(game, archive, 20, brief, commits)  # loads what is loaded once
            each = played(game, archive, count, brief, commits)
            mean, usual = sum(each) / len(each), median(each)
            alone = a_process_each(archive)
            spread = f"{usual * 1000:.2f} ms, mean {mean * 1000:.2f}, of {len(each)}"
            told = f"{1 / usual:.0f} answers a second beside the commit ({spread})"
            sys.stdout.write(f"{game}: {told}; a process each: {alone * 1000:.0f} ms, {alone / usual:.0f} times as long\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
