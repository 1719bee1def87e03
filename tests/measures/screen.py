"""The time that the fragments of the page take after an answer, by game: ``python -m tests.measures.screen [LOOKS]``."""

from __future__ import annotations

import sys
from statistics import median
from time import process_time

from companion.games import GAMES
from companion.views.screen.state import Screen, screen_data
from tests.support.fuzzing.player import in_memory
from tests.support.page import Tapper, practice_session

PARTS = ("figures", "happened_html", "table_html", "map", "speech")


def measure(game: str, looks: int) -> str:
    """One line: milliseconds of processor of a whole state, the largest, and the median of its parts."""
    whole: list[float] = []
    parts: dict[str, list[float]] = {part: [] for part in PARTS}
    with in_memory() as archive:
        session = practice_session(archive, game, "1")
        player = Tapper(session, 1)
        size = 0
        while looks and player.step():
            looks -= 1
            session.position, session.pending  # noqa: B018  the session itself is up to date
            start = process_time()
            state = screen_data(session, "all")
            whole.append(process_time() - start)
            size = max(size, sum(map(len, state.values())))
            screen = Screen(session)
            for part in PARTS:
                start = process_time()
                getattr(screen, part)
                parts[part].append(process_time() - start)
    shown = ", ".join(f"{part.removesuffix('_html')} {1000 * median(times):.1f}" for part, times in parts.items())
    return f"{game:14} {1000 * median(whole):6.1f} ms, at most {1000 * max(whole):.0f} ms, {size / 1024:.0f} kB; {shown}"


def main(arguments: list[str]) -> None:
    for game in GAMES:
        print(measure(game, int(arguments[0]) if arguments else 60))


if __name__ == "__main__":
    main(sys.argv[1:])
