"""A prompt: what the loop asks for, and what completion may offer there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from companion.core.requests import Choice
from companion.views.lines import Line


class Prompt(NamedTuple):
    """A prompt of the loop. Everything that is a function is called only when it is needed.

    Attributes:
        text: Shown before the cursor.
        choices: Completions.
        first_word: The choices are for the first word only.
        further: Completions after some words, the first of them an action or a slash command, or after a key with `=`.
        status_bar: Lines at the foot of the screen for a number of rows and columns.
        page: The prompt of the pager, where one key goes on.
    """

    text: str
    choices: Callable[[], Sequence[Choice]] = list
    first_word: bool = False
    further: Callable[[str], Sequence[Choice]] = lambda line: ()
    status_bar: Callable[[int, int], Sequence[Line]] | None = None
    page: bool = False


Ask = Callable[[Prompt], str]
"""Shows a prompt and returns what was typed. Raises EOFError at the end, KeyboardInterrupt on Ctrl-C."""

Tell = Callable[[Sequence[Line]], None]
"""Shows lines."""
