"""Measure start-up in instructions, as multiples of ``python -c pass``; valgrind must be on the path.

    python -m tests.measures.startup [GAME]

GAME is the game of the session that is looked at; without it, the first of the list, and the status of a session of each other.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress

from companion.core.errors import CompanionError, Unreadable
from companion.core.history import LogRow
from companion.games import GAMES
from companion.session.controller import SessionController
from companion.session.facts import practice_facts
from companion.session.store import Archive, utc_now

ENTRIES = 200
LIMITS = {
    "status": 3.85,
    "status --json": 4.8,
    "roll 2d6": 3.0,
    "note": 6.0,
    "rule": 6.0,
    "chart": 6.0,
    "sessions": 6.0,
    "--help": 1.25,
    "completion of a command": 1.15,
    "completion of an action": 3.7,
    "completion of an answer": 3.4,
    "completion of an answer that is asked for": 5.0,
}


def instructions(command: list[str], env: dict[str, str]) -> int:
    """How many instructions a process takes, without its caches being simulated."""
    tool = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    result = subprocess.run([*tool, *command], env=env, capture_output=True, text=True, check=False)
    found = re.search(r"I\s+refs:\s+([\d,]+)", result.stderr)
    if found is None:
        raise SystemExit(f"no count for {command}: {result.stderr[-400:]}")
    return int(found.group(1).replace(",", ""))


def fill(session: SessionController, archive: Archive, entries: int) -> None:
    """Bring a session to so many entries, each with a roll, a line and a move of a track."""
    rows: list[LogRow] = []
    seq = session.history.seq
    action = session.game.actions[0]
    track = next(iter(session.game.tracks))
    value = session.position.track(track)
    moved = {"kind": "track", "track": track, "was": value, "now": value, "rule": action.rule, "why": "as before"}
    for number in range(session.history.next_number, entries + 1):
        said = {"kind": "said", "text": "three against two", "rule": action.rule}
        reply = {"key": "roll", "kind": "roll", "value": [3, 5], "source": "computer", "rule": action.rule}
        for kind, body in (("entry", {"action": action.id, "args": {}}), ("reply", reply), ("done", {"events": [said, moved]})):
            rows.append(LogRow(seq + len(rows) + 1, kind, number, body, utc_now()))
    archive.append(session.info.id, seq, rows)


def begin(archive: Archive, game: str) -> SessionController:
    """Begin a session, with the printed values of practice games if its set-up asks for some."""
    session = SessionController.create(archive, game, seed="1")
    try:
        while session.pending is not None:
            session.reply("")
        return session
    except Unreadable:
        archive.record_facts(game, practice_facts(session.game))
    session = SessionController.create(archive, game, seed="1")
    while session.pending is not None:
        session.reply("")
    return session


def ask(archive: Archive) -> None:
    """Leave a question open in the session."""
    session = SessionController.open(archive)
    for action in session.game.actions:
        with suppress(CompanionError):
            if session.begin(action.id, anyway=True).pending:
                return


def main() -> None:
    game = sys.argv[1] if len(sys.argv) > 1 else next(iter(GAMES))
    with tempfile.TemporaryDirectory() as folder:
        os.environ["COMPANION_DB"] = os.path.join(folder, "archive.sqlite3")
        os.environ["COMPANION_CACHE"] = os.path.join(folder, "cache")
        with Archive.open() as archive:
            fill(begin(archive, game), archive, ENTRIES)
        run = [sys.executable, "-c", "from companion.cli.shell.main import main; main()"]
        env = {**os.environ, "PYTHONPYCACHEPREFIX": os.path.join(folder, "compiled")}
        env.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program is compiled once, and that is what is measured
        commands = {
            "status": ["status"],
            "status --json": ["status", "--json"],
            "roll 2d6": ["roll", "2d6"],
            "note": ["note", "a pause for tea"],
            "rule": ["rule", game, "1"],
            "chart": ["chart", game],
            "sessions": ["sessions"],
            "--help": ["--help"],
            "completion of a command": ["--complete", "bash", "companion st"],
            "completion of an action": ["--complete", "bash", "companion do m"],
            "completion of an answer": ["--complete", "bash", "companion answer y"],
        }
        compile_all(run, commands, env)
        base = instructions([sys.executable, "-c", "pass"], env)
        sys.stdout.write(f"python -c pass: {base / 1e6:.1f} million instructions\n")
        show(commands, lambda words: instructions([*run, *words], env) / base)
        with Archive.open() as archive:
            ask(archive)
        asked = {"completion of an answer that is asked for": commands["completion of an answer"]}
        compile_all(run, asked, env)
        show(asked, lambda words: instructions([*run, *words], env) / base)
        status = {name: commands[name] for name in ("status", "status --json")}
        for other in list(GAMES)[1:] if len(sys.argv) == 1 else ():
            sys.stdout.write(f"{other}\n")
            with Archive.open() as archive:
                fill(begin(archive, other), archive, ENTRIES)
            compile_all(run, status, env)
            show(status, lambda words: instructions([*run, *words], env) / base)


def compile_all(run: list[str], commands: dict[str, list[str]], env: dict[str, str]) -> None:
    """Run each command once, so that what is measured afterwards is compiled."""
    for words in commands.values():
        subprocess.run([*run, *words], env=env, stdout=subprocess.DEVNULL, check=False)


def show(commands: dict[str, list[str]], measured: Callable[[list[str]], float]) -> None:
    """A line for each command, beside what it may cost."""
    for name, words in commands.items():
        sys.stdout.write(f"{name}: {measured(words):.2f} (limit {LIMITS[name]})\n")


if __name__ == "__main__":
    main()
