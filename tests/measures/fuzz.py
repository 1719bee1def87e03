"""Fuzz all games: random play through the session controller, checked after every call. Can be resumed.

    python -m tests.measures.fuzz --out FILE [--game GAME] [--decisions N] [--jobs N]
    python -m tests.measures.fuzz --out FILE --table | --again
    python -m tests.measures.fuzz --seed GAME/NUMBER

Without more it plays until there are 1,000,000 accepted decisions in all, and of each game 100,000 and 300 games to their end.
Each session is a row of FILE, an SQLite database, as soon as it is done; Ctrl-C or TERM ends it after the session in hand, and
even a killed run has lost no more than that one. Started once more with the same FILE, it goes on where it stopped. ``--table``
prints what was reached, ``--again`` plays once more every seed that found a fault, ``--seed`` one of them, call by call.

A decision is an action that was begun or an answer given by hand, where it was accepted; corrections do not count. A game is
played to its end where its own rules say so and no adjustment has brought that about. A session is a function of its seed, and
each prints its seed when it finds something; but of one in sixteen, whose archive is a file and in which other processes join.

What is played: every scenario, option and ruling, by chance; dice and draws by Companion or by hand; the made-up set told, in
part or not at all; each seat by a player, or by Companion where the game can. At each call one of: an answer that the game's
own random player would give, typed by value, by name or by the label beside it; one that is offered; one near it; garbage; a
bare Enter; answers brought along; any action, also out of sequence and insisted on; undo, undo N, --to and --reply, redo,
abort, amend, adjust (between actions and within), a printed fact told anew or forgotten, settings, notes, a branch, leaving and
coming back, a second window, a second process. Of a hundred calls seven do not go on with the game. In three sessions of ten
nothing is adjusted, insisted on or told anew; in one of sixteen an opponent plays on before it decides, and that one is short. A
session ends with its game, after 2,500 calls, or where again and again nothing can be answered: that is not counted as an end.

What is looked at after **each** call that was accepted: the rows that have come, read back from the archive, have no gap; folded
on what was there before they give the same force, redos, settings, position and open replies as the session has; after an undo or
redo the position after the last entry is the very one that it was before, and the question at the same place the same; each
piece was made once and none is gone; each track is within its bounds; the result matches the session. After **each** call
that was refused: it was one of our refusals, its text is short and clean, no row was written, position and question are the same.
No call may take more than 20 s of the processor.

By chance, one of so many calls: what the command prints, 12; status, the question with all its answers, foot, second screen,
JSON document of the step and count of victory, 160; log, why, all of show, 1,000; a complete entry run again from its replies to
the same events, 12 entries; in a session in which nothing was adjusted every offered answer (8 at the most) tried on a copy, 100
questions. The whole log is read and folded again by another session object at 64 entries, 128 and so on, at each reopening and at
the end of each session; the report in all its forms and the bundle of one session in 16, at its end. Undo and redo are compared
to the letter, with the order of the pieces and the whole question, at one call in fifty.
"""

from __future__ import annotations

import gc
import json
import signal
import sqlite3
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from typing import Any

from companion.games import GAMES
from companion.session.state import load_game
from tests.support.fuzzing.player import CAP, Fuzzer, Tally

ALL, EACH, GAMES_EACH = 1_000_000, 100_000, 300
"""What a whole run reaches: decisions in all, decisions of each game, games of each to their end."""

write = sys.stdout.write

_TABLE = """
CREATE TABLE IF NOT EXISTS sessions (
    seed TEXT PRIMARY KEY, game TEXT, number INTEGER, decisions INTEGER, calls INTEGER, refused INTEGER, corrections INTEGER,
    ended INTEGER, adjusted INTEGER, seconds REAL, kinds TEXT, looks TEXT, fault TEXT, told TEXT
)
"""


class Book:
    """What has been played, in a file."""

    def __init__(self, path: str) -> None:
        self._db = sqlite3.connect(path, isolation_level=None, timeout=30)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute(_TABLE)

    def keep(self, done: Tally) -> None:
        fault = (done.fault.kind, done.fault.told) if done.fault else ("", "")
        number = int(done.seed.partition("/")[2])
        figures = (done.decisions, done.calls, done.refused, done.corrections, done.ended, done.adjusted, done.seconds)
        told = (json.dumps(done.kinds), json.dumps(done.looks))
        self._db.execute(
            f"INSERT OR REPLACE INTO sessions VALUES ({', '.join('?' * 14)})",
            (done.seed, done.game, number, *figures, *told, *fault),
        )

    def sums(self) -> dict[str, tuple[Any, ...]]:
        """By game: sessions, to the end, through an adjustment, decisions, calls, refused, corrections, faults, seconds, next."""
        rows = self._db.execute(
            "SELECT game, count(*), sum(ended), sum(adjusted), sum(decisions), sum(calls), sum(refused), sum(corrections),"
            " sum(fault <> ''), sum(seconds), max(number) + 1 FROM sessions GROUP BY game"
        )
        found = {row[0]: row[1:] for row in rows}
        return {game: found.get(game, (0,) * 10) for game in GAMES}

    def counted(self, column: str) -> Counter[str]:
        found: Counter[str] = Counter()
        for (text,) in self._db.execute(f"SELECT {column} FROM sessions"):
            found.update(json.loads(text))
        return found

    def faults(self) -> list[tuple[str, int, str]]:
        """Each kind of fault, how often, and a seed that shows it."""
        return self._db.execute(
            "SELECT fault, count(*), seed, min(calls) FROM sessions WHERE fault <> '' GROUP BY fault ORDER BY 2 DESC"
        ).fetchall()

    def faulty(self) -> list[str]:
        return [seed for (seed,) in self._db.execute("SELECT seed FROM sessions WHERE fault <> '' ORDER BY game, number")]


def table(book: Book) -> None:
    """What was reached."""
    names = (
        "game",
        "sessions",
        "to the end",
        "by adjusting",
        "decisions",
        "calls",
        "refused",
        "corrections",
        "faults",
        "calls/s",
    )
    write("".join(f"{name:>14}" for name in names) + "\n")
    total = [0.0] * 9
    for game, row in book.sums().items():
        sums = [value or 0 for value in row[:9]]
        total = [one + other for one, other in zip(total, sums, strict=True)]
        write(_row(game, sums))
    write(_row("all", total))
    write("calls: " + _listed(book.counted("kinds")) + "\nchecks at a rate: " + _listed(book.counted("looks")) + "\n")
    for fault, many, seed, _ in book.faults():
        write(f"{many:6} x {fault}   --seed {seed}\n")


def _row(name: str, sums: list[Any]) -> str:
    rate = sums[4] / sums[8] if sums[8] else 0
    return f"{name:>14}" + "".join(f"{round(value):14,}" for value in (*sums[:8], rate)) + "\n"


def _listed(found: Counter[str]) -> str:
    return ", ".join(f"{name} {many:,}" for name, many in found.most_common())


class Course:
    """Which seeds are played next."""

    def __init__(self, book: Book, only: str, decisions: int) -> None:
        self.games = [only] if only else list(GAMES)
        self.decisions = decisions
        sums = book.sums()
        self.reached = {game: [sums[game][3] or 0, sums[game][1] or 0] for game in self.games}
        self.next = {game: sums[game][9] or 0 for game in self.games}

    def took(self, done: Tally) -> None:
        self.reached[done.game][0] += done.decisions
        self.reached[done.game][1] += done.ended

    def seeds(self) -> Iterator[str]:
        """The game that is furthest behind goes first, until everything is reached."""
        while True:
            each = min(EACH, self.decisions // len(self.games))
            behind = {game: min(one[0] / max(each, 1), one[1] / GAMES_EACH) for game, one in self.reached.items()}
            lacking = sum(one[0] for one in self.reached.values()) < self.decisions
            whole = self.decisions >= ALL // len(GAMES)
            late = [game for game in self.games if behind[game] < 1 and whole]
            if not late and not lacking:
                return
            game = min(late or self.games, key=lambda one: behind[one] if late else self.reached[one][0])
            yield f"{game}/{self.next[game]}"
            self.next[game] += 1


def session(seed: str, cap: int = CAP) -> Tally:
    """One session, in whatever process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return Fuzzer(seed, cap).run()


def unhurried() -> None:
    """What is loaded stays loaded, and what a session leaves behind is small: to look for garbage seldom saves a tenth."""
    for game in GAMES:
        load_game(game)
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def told(book: Book, done: Tally) -> None:
    book.keep(done)
    if done.fault:
        write(f"{done.seed}: {done.fault.kind}\n")
        sys.stdout.flush()


def play(book: Book, seeds: Iterator[str], course: Course | None, jobs: int) -> None:
    """Play seeds, each kept as soon as it is done, until they end or somebody says stop."""
    stop: list[int] = []
    unhurried()
    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, lambda number, frame: stop.append(number))
    if jobs == 1:
        for seed in seeds:
            done = Fuzzer(seed).run()
            told(book, done)
            if course:
                course.took(done)
            if stop:
                return
        return
    with ProcessPoolExecutor(jobs) as pool:
        flying = {pool.submit(session, seed) for _, seed in zip(range(jobs), seeds, strict=False)}
        while flying:
            landed, flying = wait(flying, return_when=FIRST_COMPLETED)
            for future in landed:
                done = future.result()
                told(book, done)
                if course:
                    course.took(done)
                if not stop and (seed := next(seeds, "")):
                    flying.add(pool.submit(session, seed))


def shown(seed: str) -> int:
    """One seed, call by call."""
    done = Fuzzer(seed, say=lambda text: write(text + "\n") and None).run()
    write(f"{done.decisions} decisions, {done.calls} calls, {done.refused} refused, {done.seconds:.1f} s\n")
    write(done.fault.told + "\n" if done.fault else "no fault\n")
    return int(done.fault is not None)


def main() -> int:
    """As the command line says."""
    words = ArgumentParser(prog="python -m tests.measures.fuzz")
    words.add_argument("--out", default="fuzz.sqlite3", metavar="FILE")
    words.add_argument("--game", default="", choices=("", *GAMES))
    words.add_argument("--decisions", type=int, default=ALL)
    words.add_argument("--jobs", type=int, default=1)
    words.add_argument("--seed", metavar="GAME/NUMBER")
    words.add_argument("--table", action="store_true")
    words.add_argument("--again", action="store_true")
    said: Any = words.parse_args()
    if said.seed:
        return shown(said.seed)
    book = Book(said.out)
    if said.again:
        play(book, iter(book.faulty()), None, said.jobs)
    elif not said.table:
        course = Course(book, said.game, said.decisions)
        play(book, course.seeds(), course, said.jobs)
    table(book)
    return int(bool(book.faults()))


if __name__ == "__main__":
    raise SystemExit(main())
