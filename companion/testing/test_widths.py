"""No line that play shows is cut or broken inside a word, on a screen of 80 columns and on one of 40."""

from __future__ import annotations

from collections.abc import Sequence

from companion.cli.repl.loop import Loop
from companion.cli.repl.prompt import Prompt
from companion.session.controller import SessionController
from companion.session.store import Archive
from companion.testing.fixtures import Start
from companion.testing.hand import Hand
from companion.views.lines import Line, layout, terminal_rows

LOOKS = ("/show", "/status", "/log", "/why", "/odds", "/audit", "?", "/help", "/rule", "/show score", "/summary", "/map")
"""What is looked at between the answers, in turn."""
ROOM = 12
"""Columns that a prompt leaves for what is typed."""


class _Looker(Hand):
    """Looks at something before each of his first answers, and keeps every row that is longer than his screen is wide."""

    def __init__(self, desk: SessionController, seed: int, columns: int) -> None:
        super().__init__(desk, seed, 12)
        self.columns = columns
        self.looks = list(LOOKS)
        self.too_long: list[str] = []
        self._looked = False

    def tell(self, lines: Sequence[Line]) -> None:
        for line in lines:
            self._hold([*layout(line, self.columns), *terminal_rows(line, self.columns)], self.columns)

    def ask(self, prompt: Prompt) -> str:
        self._hold([prompt.text], self.columns - (0 if prompt.page else ROOM))
        if prompt.status_bar:
            self._hold([line.text for line in prompt.status_bar(24, self.columns)], self.columns - 1)
        self._looked = bool(self.looks) and not self._looked and not prompt.page
        return self.looks.pop(0) if self._looked else super().ask(prompt)

    def _hold(self, rows: Sequence[str], most: int) -> None:
        self.too_long += [row for row in rows if len(row) > most]


def test_every_line_of_random_play_fits_the_screen(starts: list[Start], archive: Archive) -> None:
    for number, start in enumerate(starts[:3]):
        looker = _Looker(start(archive), number, 40 if number % 2 else 80)
        Loop(looker.desk, looker.ask, looker.tell, lambda looker=looker: (24, looker.columns)).play()  # type: ignore[misc]

        assert looker.too_long == []
