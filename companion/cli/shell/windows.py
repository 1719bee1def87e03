"""The console of Windows: escape sequences have to be switched on, and single keys are read by `msvcrt`."""

from __future__ import annotations

import time
from functools import cache
from importlib import import_module

from companion.core.hints import Any

_STDOUT = -11
_ESCAPES = 4
"""ENABLE_VIRTUAL_TERMINAL_PROCESSING: the console carries escape sequences out instead of printing them."""
_POLL = 0.02
"""Seconds between two looks for a key; the console cannot wait for one and for the time."""
_PREFIXES = ("\0", "\xe0")
_CODES = {"H": "[A", "P": "[B", "M": "[C", "K": "[D", "G": "[H", "O": "[F", "I": "[5~", "Q": "[6~"}
"""What follows the prefix of arrows and other keys -> what a terminal sends after Escape."""
_CTRL_C, _BACKSPACE, _TERMINAL_BACKSPACE = "\x03", "\b", "\x7f"


@cache
def enable_escapes() -> bool:
    """Let the console carry out escape sequences; return False if it cannot, as before Windows 10."""
    ctypes: Any = import_module("ctypes")
    kernel = ctypes.windll.kernel32
    console = kernel.GetStdHandle(_STDOUT)
    mode = ctypes.c_ulong()
    if not kernel.GetConsoleMode(console, ctypes.byref(mode)):
        return False
    return bool(mode.value & _ESCAPES or kernel.SetConsoleMode(console, mode.value | _ESCAPES))


def read_key(seconds: float) -> str:
    """Return the next key as a terminal of another system sends it, or "" after so many seconds.

    Raises KeyboardInterrupt: it is Ctrl-C.
    """
    console: Any = import_module("msvcrt")
    end = time.monotonic() + seconds
    while not console.kbhit():
        if time.monotonic() >= end:
            return ""
        time.sleep(_POLL)
    key: str = console.getwch()
    if key in _PREFIXES:
        code = _CODES.get(console.getwch(), "")
        return f"\x1b{code}" if code else ""
    if key == _CTRL_C:
        raise KeyboardInterrupt
    return _TERMINAL_BACKSPACE if key == _BACKSPACE else key


def read_until_pause(seconds: float, longest: float) -> str:
    """Return the keys that are typed until there are none for so many seconds, for `longest` seconds at most."""
    keys, end = "", time.monotonic() + longest
    while time.monotonic() < end and (key := read_key(seconds)):
        keys += key
    return keys
