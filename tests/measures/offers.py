"""Try every offered answer on a copy of the position; count refusals and questions with a single answer.

    python -m tests.measures.offers [GAME] [SEEDS] [TURNS]

A line for each refusal, the commonest first: the procedure, the question and the answer, why, how often.
"""

from __future__ import annotations

import sys
from collections import Counter

from companion.games import GAMES
from tests.support.offers import played


def measured(game: str, seeds: int, turns: int) -> None:
    """Print the refusals of some random games."""
    refusals: Counter[tuple[str, str, str]] = Counter()
    singles: Counter[str] = Counter()
    dead: Counter[str] = Counter()
    questions = 0
    for seed in range(seeds):
        player = played(game, seed, turns)
        refusals, singles, dead = refusals + player.refusals, singles + player.singles, dead + player.unanswerable
        questions += player.questions
    write = sys.stdout.write
    for (name, answer, fault), many in refusals.most_common(60):
        write(f"  {many:4} {name} {answer[:60]}: {fault[:150]}\n")
    write(f"  one answer: {dict(singles.most_common(30))}\n  no answer: {dict(dead.most_common(30))}\n")
    total = f"{refusals.total()} offers refused, {singles.total()} questions with one answer, {dead.total()} with none"
    write(f"{game}: {questions} questions, {total}\n")


def main() -> None:
    """Run from the command line."""
    words = sys.argv[1:]
    for game in [words[0]] if words else GAMES:
        measured(game, int(words[1]) if len(words) > 1 else 4, int(words[2]) if len(words) > 2 else 60)


if __name__ == "__main__":
    main()
