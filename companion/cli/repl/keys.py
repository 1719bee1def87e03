"""Keys typed while what was done elsewhere is shown: kept off the screen, and no answer to a question that came meanwhile."""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from companion.cli.repl.prompt import KeysUntilPause

_LONGEST = 3.0
"""Seconds after which a key that is held down is not waited for any more."""
_CODES = r"\x1b(?:\[[\d;?]*[A-Za-z~]|O[A-Z])?"


@contextmanager
def hold_keys() -> Iterator[KeysUntilPause]:
    """Switch echo and line editing of the terminal off; the caller reads what was typed."""
    import re

    try:
        import termios
        import tty
    except ImportError:  # Windows, which shows no key before it is read
        from companion.cli.shell import windows

        yield lambda seconds: re.sub(_CODES, "", _type_ahead() + windows.read_until_pause(seconds, _LONGEST))
        return

    file = sys.stdin.fileno()
    before = termios.tcgetattr(file)
    tty.setcbreak(file, termios.TCSANOW)  # TCSAFLUSH would drop what was typed
    try:
        yield lambda seconds: re.sub(_CODES, "", _type_ahead() + _read_until_pause(file, seconds))
    finally:
        with suppress(termios.error):
            termios.tcsetattr(file, termios.TCSANOW, before)


def _type_ahead() -> str:
    """Take the keys that prompt_toolkit has read and not used."""
    if "prompt_toolkit" not in sys.modules:
        return ""
    from prompt_toolkit.application.current import get_app_session
    from prompt_toolkit.input.typeahead import get_typeahead

    return "".join(press.data for press in get_typeahead(get_app_session().input))


def _read_until_pause(file: int, seconds: float) -> str:
    """Read keys until there are none for so many seconds."""
    keys, end = b"", time.monotonic() + _LONGEST
    while time.monotonic() < end and select.select([file], [], [], seconds)[0]:
        try:
            data = os.read(file, 1024)
        except OSError:
            break
        if not data:
            break
        keys += data
    return keys.decode("utf-8", "replace")
