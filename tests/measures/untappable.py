"""Questions of random games whose answers cannot be tapped on the page of ``companion host``, by kind and key.

    python -m tests.measures.untappable [GAME] [SEEDS] [TURNS]

``none``: nothing to tap, the answer has to be typed. ``some``: a free text that takes more than the answers to tap.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

from companion.core.errors import CompanionError
from companion.core.requests import AnyRequest, Text
from companion.games import GAMES
from companion.views.screen.question import shown_question
from tests.support.players import seat


class Tapping:
    """Mixin for a random player that counts the questions by what can be tapped."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self.rows: Counter[tuple[str, str, str, str]] = Counter()
        self.questions = 0
        super().__init__(*args, **options)

    def on_question(self, procedure: Any, request: AnyRequest, replies: list[Any], results: list[Any]) -> None:
        if request.forced_reply() is not None:
            return
        self.questions += 1
        asked = shown_question(request, "1.1")
        if not (asked.choices or asked.words or asked.number or asked.dice or asked.draws):
            self.rows["none", request.kind, request.key.partition(":")[0], _example(request)] += 1
        elif isinstance(request, Text) and asked.text and asked.text.between is None and not asked.words:
            self.rows["some", request.kind, request.key.partition(":")[0], request.notation.example] += 1


def _example(request: Any) -> str:
    return str(getattr(request, "example", ""))[:60]


def tappable(game: str, seeds: int, turns: int) -> tuple[int, Counter[tuple[str, str, str, str]]]:
    """Play random games; return the number of questions, and those that cannot be tapped, or not in full."""
    rows: Counter[tuple[str, str, str, str]] = Counter()
    questions = 0
    for seed in range(seeds):
        player: Any = seat(game, seed, Tapping)
        for _ in range(turns):
            try:
                if not player.turn():
                    break
            except CompanionError:
                break
        rows += player.rows
        questions += player.questions
    return questions, rows


def main() -> None:
    """Run from the command line."""
    words = sys.argv[1:]
    for game in [words[0]] if words else GAMES:
        questions, rows = tappable(game, int(words[1]) if len(words) > 1 else 4, int(words[2]) if len(words) > 2 else 60)
        untapped = sum(count for (how, *_), count in rows.items() if how == "none")
        sys.stdout.write(f"{game}: {questions} questions, {untapped} with nothing to tap\n")
        for (how, kind, key, example), count in sorted(rows.items(), key=lambda row: (row[0][0], -row[1])):
            sys.stdout.write(f"  {how} {count:5} {kind:8} {key:14} {example}\n")


if __name__ == "__main__":
    main()
