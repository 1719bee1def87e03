"""A prompt, as the loop hands it to whoever asks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from companion.core.requests import Choice
from companion.views.lines import Line


class Prompt(NamedTuple):
    """What stands before the cursor, and what TAB may offer there.

    Attributes:
        text: shown before the cursor.
        choices: worked out only when TAB is pressed.
        first_word: whether the choices are for the first word only.
        further: what may stand behind words, the first of which is an action or a slash command, or behind a key with its ``=``;
            worked out when TAB is pressed.
        foot: what stays at the foot of the screen while the prompt waits, worked out at each paint from rows and columns.
        begun: what stands in the line already: typed at another prompt that it did not answer.
        page: whether it stands below a full screen, where a key goes on.
    """

    text: str
    choices: Callable[[], Sequence[Choice]] = list
    first_word: bool = False
    further: Callable[[str], Sequence[Choice]] = lambda line: ()
    foot: Callable[[int, int], Sequence[Line]] | None = None
    begun: str = ""
    page: bool = False


Ask = Callable[[Prompt], str]
"""Shows a prompt and returns what was typed. Raises EOFError at the end, KeyboardInterrupt on Ctrl-C."""

Tell = Callable[[Sequence[Line]], None]
"""Shows lines."""
