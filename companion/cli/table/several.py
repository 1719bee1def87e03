"""Several answers in one line: for the question that is open, and for those that come after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.cli.shell.arguments import split, spoken
from companion.core.answering import Answers, understood
from companion.core.requests import Choose, Printed, Request, Roll, Text


def several(asked: Request[Any] | None, text: str, waiting: Answers | None) -> tuple[str, Answers | None]:
    """What answers the open question, and the rest for those that come next: as many words as the question understands, or of
    a list at a question that is asked again, ``1+3`` or ``a, c``, the first.

    Args:
        asked: the open question.
        text: what was typed, which is no answer as a whole.
        waiting: what still waits for its question from a line before.

    Returns:
        The answer and what then waits; "" where the line is none of this.
    """
    values = asked.one_by_one(text) if isinstance(asked, Choose) else []
    if asked and values:
        return values[0], _before(Answers([(asked.key, value) for value in values[1:]]), waiting)
    said = spoken(split(text))
    many = 0 if asked is None or isinstance(asked, Text | Printed) else understood(asked, said.plain)
    if not 0 < many < len(said.plain) or (isinstance(asked, Roll) and said.plain[many].isdecimal()):
        return "", None  # dice too many are a slip
    first: Sequence[str] = said.plain[:many]
    del said.plain[:many]
    return " ".join(first), _before(said, waiting)


def _before(said: Answers, waiting: Answers | None) -> Answers:
    """What was said now, before what waits already."""
    old = waiting or Answers()
    said.plain, said.keyed = said.plain + old.plain, said.keyed + old.keyed
    said.dice, said.draws = said.dice + old.dice, said.draws + old.draws
    said.spoken = said.spoken or old.spoken
    return said
