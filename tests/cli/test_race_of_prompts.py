"""Prompts of several processes answer the same questions at random: each is answered once, and whoever was late is told."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.cli.repl.loop import Loop
from companion.cli.repl.prompt import Interrupted, Prompt
from companion.session.controller import SessionController
from companion.session.store import Archive
from companion.views.lines import Line
from tests.support.commands import companion
from tests.support.processes import in_child, meet

LINES = ("yes", "no", "fight blue", "rest")


class Racer:
    """Types at a prompt without waiting for the others, until the log is long enough.

    Attributes:
        entered: The lines that were entered.
        refused: How many of them were not sent.
        halves: The lines that were interrupted while they were typed.
    """

    def __init__(self, session: SessionController, seed: str, rows: int) -> None:
        self.session = session
        self.random = random.Random(seed)
        self.rows = rows
        self.entered = self.refused = self.halves = 0
        self.errors: list[str] = []

    def ask(self, prompt: Prompt) -> str:
        if prompt.has_news is None:  # a question within a command
            return ""
        if self.session.history.seq > self.rows:
            raise EOFError
        pending = self.session.pending
        line = "fight blue" if pending is None else self.random.choice(("yes", "no"))
        if pending is None and self.random.random() < 0.2:
            line = self.random.choice(("rest", "/undo", "/note here"))
        for _ in range(self.random.randrange(3)):
            if prompt.has_news():
                self.halves += 1
                raise Interrupted(line[:1])
        self.entered += not line.startswith("/")
        return line

    def tell(self, lines: Sequence[Line]) -> None:
        for line in lines:
            if line.lead == "Not sent - " and line.text.partition(":")[0] in LINES:
                self.refused += 1
            if "fault" in line.text or "Traceback" in line.text:
                self.errors.append(line.text)


def race(folder: Path, processes: int, rows: int, name: str = "race") -> tuple[int, int, int, SessionController]:
    """Play; return how many lines were entered and how many of them refused, how many were interrupted, and the session."""
    with Archive.open() as archive:
        SessionController.create(archive, "tiny", "day", seed="7", name=name)

    def run(number: int) -> list[str]:
        with Archive.open() as archive:
            session = SessionController.open(archive)
            racer = Racer(session, f"racer {number}", rows)
            meet(folder, name, processes)
            Loop(session, racer.ask, racer.tell).play()
            return [json.dumps([racer.entered, racer.refused, racer.halves, racer.errors])]

    told = [json.loads(text) for text in in_child(*(lambda number=number: run(number) for number in range(processes)))]
    assert [errors for *_, errors in told if errors] == []
    entered, refused, halves = (sum(item[place] for item in told) for place in range(3))
    return entered, refused, halves, SessionController.open(Archive.open())


def check(entered: int, refused: int, session: SessionController) -> None:
    """Each line that was entered is in the log once, or was said not to be sent."""
    hidden = {row.entry for row in session.archive.rows(session.info.id) if row.kind == "entry" and row.body.get("hidden")}
    rows = [row for row in session.archive.rows(session.info.id) if row.entry not in hidden]
    actions = sum(row.kind == "entry" for row in rows) - 1  # the set-up
    # the first answer of an action comes in the line of the action
    answers = sum(row.kind == "reply" and row.body["source"] == "typed" and row.body["key"] != "unit" for row in rows)
    assert actions + answers == entered - refused
    session.archive.close()
    assert companion("doctor").code == 0


def test_two_prompts_race(tiny_game: str, tmp_path: Path) -> None:
    entered, refused, _, session = race(tmp_path, 2, 60)

    check(entered, refused, session)


@pytest.mark.slow
@pytest.mark.parametrize("processes", [2, 3, 5])
def test_many_prompts_race(tiny_game: str, tmp_path: Path, processes: int) -> None:
    late = 0
    for number in range(4):
        entered, refused, halves, session = race(tmp_path, processes, 120, f"race-{number}")

        check(entered, refused, session)
        late += refused + halves
    assert late > 0
