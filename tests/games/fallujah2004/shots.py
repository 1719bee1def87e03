"""The screens of the first minutes and of a battle."""

from __future__ import annotations

from tests.support.gallery import Shot

_NEW = (
    "printed fallujah2004 import practice",
    "new fallujah2004 --scenario vigilant --name april --seed fallujah",
    "do buy 'buy=3/1, 3/5, 1/8, CEB, 36C, 2 air' at=north",
)
_MOVED = (*_NEW, "do j3 force=3/1,CEB to=2-11")
_AT_PROMPT = ("", "action >")

SHOTS = (
    Shot("first", "The first start", (), "", (("", "Which game"), ("6", "Which game"))),
    Shot("action", "The prompt between two actions, with the status bar", _NEW, "play", (_AT_PROMPT, ("?", "/help says"))),
    Shot("menu", "Completion with TAB", _NEW, "play", (_AT_PROMPT, ("j3 force=\t", "3(3)3"))),
    Shot("question", "An open question, and the status bar", _MOVED, "play", (("", "[none] >"),)),
    Shot("odds", "The odds of a decision", _MOVED, "play", (("", "[none] >"), ("/odds", "On average"))),
    Shot(
        "result",
        "The result of a battle, and what to do on the table",
        _MOVED,
        "play",
        (("", "[none] >"), ("\r", "[USMC CEB] >"), ("\r", "On the table")),
    ),
    Shot("pager", "A long text in the pager", _NEW, "play", (_AT_PROMPT, ("/show places", "-- more"))),
    Shot("watch", "A second terminal: companion watch", _MOVED, "watch", (("", "Fire Support"),)),
)
