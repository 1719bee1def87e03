"""The advice of the bot with its numbers, and the end of a game."""

from __future__ import annotations

from tests.support.gallery import Shot

_DEALT = (
    "new fallujahcards --seed cards --name patrol",
    "do turn --accept",
    "do turn --accept",
    "do turn --accept",
    "do turn --accept",
)

SHOTS = (
    Shot("advice", "The adviser's recommendation", _DEALT, "play", (("", "action >"), ("\r", "> "), ("/bot", "Advice"))),
    Shot(
        "end",
        "The end of a game: the score by item, and what to look at next",
        ("new --replay fallujahcards/7/3", "undo"),
        "play",
        (("", "action >"), ("\r", "The final score is")),
    ),
)
