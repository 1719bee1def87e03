"""The one table of colours: what each tone means, and how each theme shows it.

The sixteen colours by name and nothing finer: those a terminal maps to the palette that its owner has chosen and can read.
Nothing hangs on a colour alone; every meaning stands in words or signs too.
"""

from __future__ import annotations

from collections.abc import Mapping

AUTO = "auto"
"""The theme of whoever has chosen none: that of the ground which the terminal tells, else one that can be read on either."""

EITHER = "either"
"""The column of what can be read on a dark and on a light ground."""

_COLUMNS = (EITHER, "dark", "light", "colour-blind", "mono")

_TABLE: dict[str, tuple[str, tuple[str, ...]]] = {
    "": ("what has no weight of its own", ("", "", "", "", "")),
    "title": ("where one is: a heading, what is going on", ("bold",) * 5),
    "question": (
        "what waits for an answer",
        ("bold brightblue", "bold brightcyan", "bold blue", "bold brightblue", "bold underline"),
    ),
    "key": ("what is to be typed", ("bold",) * 5),
    "board": ("what a hand does on the table", ("brightblue", "brightcyan", "blue", "brightblue", "")),
    "track": ("figures as they stand", ("brightblue", "brightcyan", "blue", "brightblue", "")),
    "changed": ("a figure that has just changed", ("bold brightblue", "bold brightcyan", "bold blue", "bold brightblue", "bold")),
    "won": ("the verdict is the player's", ("bold green", "bold brightgreen", "bold green", "bold brightblue", "bold")),
    "lost": ("the verdict is the other side's", ("bold brightred", "bold brightred", "bold red", "bold reverse", "bold reverse")),
    "gain": ("something good for the player", ("green", "brightgreen", "green", "brightblue", "")),
    "loss": ("something bad for the player", ("brightred", "brightred", "red", "bold", "bold")),
    "reminder": ("what must not be forgotten", ("magenta", "brightyellow", "magenta", "magenta", "underline")),
    "warning": ("what may spoil a game", ("bold magenta", "bold brightyellow", "bold magenta", "bold magenta", "bold underline")),
    "error": ("what was not done, and why", ("brightred", "brightred", "red", "bold", "bold")),
    "dim": ("bookkeeping and explanations", ("dim",) * 5),
    "rule": ("the rule that says so", ("dim",) * 5),
    "gone": ("what was taken back", ("dim strike",) * 5),
    "first": (
        "the player's own side, or the first of two",
        ("bold brightblue", "bold brightblue", "bold blue", "bold brightblue", "bold"),
    ),
    "second": (
        "the enemy, or the second of two",
        ("bold brightred", "bold brightred", "bold red", "bold underline", "bold underline"),
    ),
    "third": ("a third side", ("bold green", "bold brightgreen", "bold green", "bold green", "underline")),
    "fourth": ("a fourth side", ("bold magenta", "bold brightmagenta", "bold magenta", "bold magenta", "italic")),
    "fifth": ("a fifth side", ("bold", "bold brightcyan", "bold", "bold", "dim")),
    "foot": ("what stays at the foot of the screen", ("reverse",) * 5),
}

MEANINGS: Mapping[str, str] = {tone: row[0] for tone, row in _TABLE.items()}
"""Tone -> what it says to the player. Whatever is shown has one of these."""

THEMES = (AUTO, *_COLUMNS[1:])
"""What a player can choose from."""

ATTRIBUTES: Mapping[str, str] = {"bold": "1", "dim": "2", "italic": "3", "underline": "4", "reverse": "7", "strike": "9"}
"""What is no colour, and how a terminal is told."""

_CODES = {
    **ATTRIBUTES,
    **{
        f"{bright}{colour}": f"{tens}{ones}"
        for bright, tens in (("", 3), ("bright", 9))
        for ones, colour in enumerate(("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"))
    },
}
"""Word -> how a terminal is told."""


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
"""Ground -> the colours of a picture, which has no palette of its reader's: of a dark one what differs from a light one's."""


DEFAULT_COLOURS = "bg:default fg:default"
"""For prompt_toolkit: the terminal's own colours, where it would choose some of its own."""


def theme_column(theme: str, ground: str = "") -> str:
    """The column of the table that a theme means.

    Args:
        theme: one of THEMES.
        ground: what the terminal says of its colours, as ``15;0``: ink and ground; "" where it says nothing.
    """
    if theme != AUTO:
        return theme
    paper = ground.rpartition(";")[2]
    if not paper.isdecimal():
        return EITHER
    return "light" if int(paper) in (7, *range(9, 16)) else "dark"


def style_words(tone: str, column: str) -> str:
    """How a tone is shown, in words: ``bold brightblue``; "" for nothing."""
    return _TABLE[tone][1][_COLUMNS.index(column)]


def ansi_code(tone: str, column: str) -> str:
    """The same as a terminal is told it: ``1;94``."""
    return ";".join(_CODES[word] for word in style_words(tone, column).split())


def for_prompt(tone: str, column: str) -> str:
    """The same as prompt_toolkit and questionary are told it: ``bold ansibrightblue``."""
    return " ".join(word if word in ATTRIBUTES else f"ansi{word}" for word in style_words(tone, column).split())


def for_rich(tone: str, column: str) -> str:
    """The same as rich is told it: ``bold bright_blue``."""
    return style_words(tone, column).replace("bright", "bright_") or "none"
