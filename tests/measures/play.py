"""Time the loop at the prompt, in wall-clock time.

    python -m tests.measures.play [GAME]

Prints the time from a typed answer to the next prompt, drawn by prompt_toolkit, beside the commit; and what it takes to
resume a session of 2,000 entries over an empty one. How fast whole games go is told by ``whole_games``.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import Any

from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from companion.cli.repl.loop import Loop
from companion.cli.repl.prompt import Prompt
from companion.cli.repl.terminal import Terminal
from companion.cli.shell.output import write
from companion.cli.shell.shared import status_lines
from companion.core.errors import Unreadable
from companion.games import make_game
from companion.session.controller import SessionController
from companion.session.store import Archive
from companion.session.tables import load
from companion.views.lines import Line
from tests.measures.startup import fill
from tests.support import with_tiny

ENTRIES = 2000
ANSWERS = 300


class Clock:
    """Plays at a terminal of its own: types an answer at each prompt, and takes the time until the next one is drawn."""

    def __init__(self, archive: Archive, action: str, terminal: Terminal, type_in: Callable[[str], None]) -> None:
        self.action = action
        self.terminal = terminal
        self.type_in = type_in
        self.times: list[float] = []
        self.commits = 0.0
        self.begun = 0.0
        append = archive.append

        def timed(*args: Any, **kwargs: Any) -> None:
            start = time.perf_counter()
            append(*args, **kwargs)
            self.commits += time.perf_counter() - start

        archive.append = timed  # type: ignore[method-assign]
        terminal.session.app.after_render += self._drawn

    def _drawn(self, _: object) -> None:
        if self.begun:
            self.times.append(time.perf_counter() - self.begun - self.commits)
            self.begun = 0.0

    def ask(self, prompt: Prompt) -> str:
        if len(self.times) >= ANSWERS:
            raise EOFError
        offers = [] if "[" in prompt.text else list(prompt.choices())
        answer = self.action if prompt.first_word else offers[0].value if offers else "" if "[" in prompt.text else "1"
        self.type_in(("y" if prompt.text.startswith("Record") else answer) + "\r")
        typed = self.terminal.ask(prompt)
        self.commits = 0.0
        self.begun = time.perf_counter()
        return typed


def latency(archive: Archive, session: SessionController) -> list[float]:
    """Play by bare Enter or the first legal choice; the times from each answer to the next prompt, without the commit."""
    out = sys.stdout
    with open(os.devnull, "w", encoding="utf-8") as sink, create_pipe_input() as keys:
        screen = Vt100_Output(sink, lambda: Size(rows=40, columns=80))
        with create_app_session(input=keys, output=screen):
            terminal = Terminal(archive.path)
            clock = Clock(archive, session.game.actions[0].id, terminal, keys.send_text)

            def tell(lines: Sequence[Line]) -> None:
                sys.stdout = sink
                write(lines)
                sys.stdout = out

            Loop(session, clock.ask, tell, lambda: (40, 80)).play()
    return sorted(1000 * taken for taken in clock.times)


def best(call: Callable[[], object]) -> float:
    """The shortest of several runs, in milliseconds."""
    times = []
    for _ in range(7):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return 1000 * min(times)


def quick_start(archive: Archive, game: str) -> str:
    """The first scenario whose set-up bare Enters complete: others ask what only an owner of the game can tell."""
    for scenario in make_game(game, load(game)).scenarios:
        session = SessionController.create(archive, game, scenario, seed="1", name=f"try {scenario}")
        try:
            while session.pending is not None:
                session.reply("")
        except Unreadable:
            continue
        return scenario
    raise SystemExit(f"no scenario of {game} begins on bare Enters")


def main() -> None:
    game = sys.argv[1] if len(sys.argv) > 1 else "tiny"
    if game == "tiny":
        with_tiny.register()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["COMPANION_CACHE"] = os.path.join(folder, "cache")
        with Archive.open(os.path.join(folder, "archive.sqlite3")) as archive:
            scenario = quick_start(archive, game)
            session = SessionController.create(archive, game, scenario, seed="1", name="play")
            ordered = latency(archive, session)
            sys.stdout.write(
                f"answer to prompt beside the commit: median {statistics.median(ordered):.2f} ms,"
                f" 95 of 100 within {ordered[int(len(ordered) * 0.95)]:.2f} ms (limit 5)\n"
            )
            empty = SessionController.create(archive, game, scenario, seed="1", name="empty")
            full = SessionController.create(archive, game, scenario, seed="1", name="full")
            for one in (empty, full):
                while one.pending is not None:
                    one.reply("")
            fill(full, archive, ENTRIES)
            least = best(lambda: status_lines(SessionController.open(archive, empty.info)))
            most = best(lambda: status_lines(SessionController.open(archive, full.info)))
            sys.stdout.write(
                f"resume of {ENTRIES} entries: {most - least:.0f} ms more than the {least:.0f} ms of none (limit 200)\n"
            )


if __name__ == "__main__":
    main()
