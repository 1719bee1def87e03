"""The colour table: what each tone means, and how each theme shows it.

Only the sixteen named colours are used, which a terminal maps to its owner's palette. No meaning depends on colour alone.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.hints import Literal

AUTO = "auto"
"""Theme chosen by the background colour of the terminal."""

EITHER = "either"
"""Theme column that is readable on dark and light backgrounds."""

COLUMNS = (EITHER, "dark", "light", "colour-blind", "mono")
"""Columns of the table: every theme besides `AUTO`, and `EITHER`."""

Tone = Literal[
    "", "title", "question", "key", "board", "track", "changed", "won", "lost", "gain", "loss", "reminder", "warning", "error",
    "dim", "rule", "gone", "first", "second", "third", "fourth", "fifth", "foot",
]  # fmt: skip
"""What a line or a part of it means; the theme decides how it looks."""

_BLUE = ("brightblue", "brightcyan", "blue", "brightblue", "")
_BOLD_BLUE = ("bold brightblue", "bold brightcyan", "bold blue", "bold brightblue", "bold")

_TABLE: dict[Tone, tuple[str, tuple[str, ...]]] = {
    "": ("plain text", ("",) * 5),
    "title": ("a heading, or what is going on", ("bold",) * 5),
    "question": ("a question for you", (*_BOLD_BLUE[:4], "bold underline")),
    "key": ("what you can type", ("bold",) * 5),
    "board": ("what to do on the table", _BLUE),
    "track": ("figures", _BLUE),
    "changed": ("a figure that has just changed", _BOLD_BLUE),
    "won": ("your victory", ("bold green", "bold brightgreen", "bold green", "bold brightblue", "bold")),
    "lost": ("your defeat", ("bold brightred", "bold brightred", "bold red", "bold reverse", "bold reverse")),
    "gain": ("something good for you", ("green", "brightgreen", "green", "brightblue", "")),
    "loss": ("something bad for you", ("brightred", "brightred", "red", "bold", "bold")),
    "reminder": ("what you must not forget", ("magenta", "brightyellow", "magenta", "magenta", "underline")),
    "warning": ("what may spoil a game", ("bold magenta", "bold brightyellow", "bold magenta", "bold magenta", "bold underline")),
    "error": ("what was not done, and why", ("brightred", "brightred", "red", "bold", "bold")),
    "dim": ("bookkeeping and explanations", ("dim",) * 5),
    "rule": ("the number of a rule", ("dim",) * 5),
    "gone": ("what was undone", ("dim strike",) * 5),
    "first": ("your side, or the first of two", ("bold brightblue", "bold brightblue", "bold blue", "bold brightblue", "bold")),
    "second": ("the enemy, or the second of two", (*("bold brightred",) * 2, "bold red", *("bold underline",) * 2)),
    "third": ("a third side", ("bold green", "bold brightgreen", "bold green", "bold green", "underline")),
    "fourth": ("a fourth side", ("bold magenta", "bold brightmagenta", "bold magenta", "bold magenta", "italic")),
    "fifth": ("a fifth side", ("bold", "bold brightcyan", "bold", "bold", "dim")),
    "foot": ("the status bar", ("reverse",) * 5),
}
"""Tone -> its meaning, and its style in each column of `COLUMNS`."""

MEANINGS: Mapping[Tone, str] = {tone: row[0] for tone, row in _TABLE.items()}
"""Tone -> its meaning for the player."""

_BY_NAME: Mapping[str, Tone] = {tone: tone for tone in MEANINGS}

ATTRIBUTES: Mapping[str, str] = {"bold": "1", "dim": "2", "italic": "3", "underline": "4", "reverse": "7", "strike": "9"}
"""Text attribute -> ANSI code."""

_CODES = {
    **ATTRIBUTES,
    **{
        f"{bright}{colour}": f"{tens}{ones}"
        for bright, tens in (("", 3), ("bright", 9))
        for ones, colour in enumerate(("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"))
    },
}
"""Style word -> ANSI code."""

PALETTE: Mapping[str, Mapping[str, str]] = {
    "light": {
        "ink": "#1b1b1b",
        "paper": "#ffffff",
        "space": "#f3f0e6",
        "edge": "#85857a",
        "faint": "#6a6a62",
        "water": "#2f7fd0",
        "way": "#b06a00",
        "letter": "#ffffff",
        "none": "#5a5a5a",
        "first": "#1f5fbf",
        "second": "#b3261e",
        "third": "#23713a",
        "fourth": "#7a2f8f",
        "fifth": "#0f6f78",
    },
    "dark": {
        "ink": "#ececec",
        "paper": "#16181c",
        "space": "#262a31",
        "edge": "#7b828e",
        "faint": "#9aa1ad",
        "water": "#2f7fd0",
        "way": "#b06a00",
        "line1": "#6aa5ff",
        "line2": "#ff8078",
    },
}
"""Background -> colours of SVG pictures. "dark" has only those that differ from "light"."""

CODE_COLOURS = ("\x1b[97;40m", "\x1b[0m")
"""What stands before and after each row of a code to scan: white on black in every theme, or a camera cannot read it."""

DEFAULT_COLOURS = "bg:default fg:default"
"""prompt_toolkit style for the terminal's own colours."""


def theme_column(theme: str, ground: str = "") -> str:
    """Return the table column of a theme.

    Args:
        theme: `AUTO`, or a column of the table.
        ground: Value of `COLORFGBG`, such as `15;0` (foreground; background), or "".
    """
    if theme != AUTO:
        return theme
    paper = ground.rpartition(";")[2]
    if not paper.isdecimal():
        return EITHER
    return "light" if int(paper) in (7, *range(9, 16)) else "dark"


def tone_named(name: str) -> Tone:
    """Return the tone with that name; the neutral one if it is unknown."""
    return _BY_NAME.get(name, "")


def style_words(tone: Tone, column: str) -> str:
    """Return the style of a tone, such as `bold brightblue`."""
    return _TABLE[tone][1][COLUMNS.index(column)]


def ansi_code(tone: Tone, column: str) -> str:
    """Return the ANSI code of a tone, such as `1;94`."""
    return ";".join(_CODES[word] for word in style_words(tone, column).split())


def for_prompt(tone: str, column: str) -> str:
    """Return the style of a tone for prompt_toolkit and questionary, such as `bold ansibrightblue`."""
    return " ".join(word if word in ATTRIBUTES else f"ansi{word}" for word in style_words(tone_named(tone), column).split())


def for_rich(tone: str, column: str) -> str:
    """Return the style of a tone for rich, such as `bold bright_blue`."""
    return style_words(tone_named(tone), column).replace("bright", "bright_") or "none"
