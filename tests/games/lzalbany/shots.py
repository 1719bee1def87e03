"""The map of a turn against Companion, made up by us."""

from __future__ import annotations

from tests.support.gallery import Shot

_NEW = "new lzalbany --option map=practice --option nva=companion --option opponent=acts --seed albany --name albany --accept"

SHOTS = (
    Shot(
        "summary",
        "The summary of a turn",
        (_NEW, *("do next --accept",) * 8),
        "play",
        (("", "action >"), ("/summary 1", "figures")),
    ),
    Shot("map", "The map", (_NEW, "do next --accept"), "play", (("", "action >"), ("/map", "NVA: "))),
)
