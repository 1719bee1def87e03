"""Turns that are typed and counted: the set-up, and a chit of the ambush, by two players and against our opponent."""

from __future__ import annotations

from collections.abc import Callable

from companion.core.answering import Answers
from companion.session.desk import Desk
from companion.session.store import Archive
from tests.support.turns import Turn

_SOLO = {"nva": "companion", "opponent": "at_once", "answer_fire": "always"}


def ambush(**options: str) -> Callable[[Archive], Desk]:
    """Turn 1 on the practice map, everybody where he is proposed, dice by Companion and draws by hand."""

    def start(archive: Archive) -> Desk:
        known = options if "opponent" in _options() else {key: value for key, value in options.items() if key in ("nva", "us")}
        desk = Desk.create(archive, "lzalbany", "battle", {"map": "practice", **known}, draws="physical", seed="ia drang")
        for _ in range(2):
            desk.do("next", Answers(accept=True))
        return desk

    return start


def _options() -> tuple[str, ...]:
    from companion.games import make_game
    from companion.session.tables import load

    return tuple(make_game("lzalbany", load("lzalbany")).options)


def _set_up(archive: Archive) -> Desk:
    known = _SOLO if "opponent" in _options() else {"nva": "companion"}
    return Desk.create(archive, "lzalbany", "battle", {"map": "practice", **known}, draws="physical", seed="ia drang")


TURNS = (
    Turn("Set-up against our opponent", _set_up, ("deploy",), {}, (5, 11)),
    Turn("NVA Fire, two players", ambush(), ("chit",), {"chit": ("NVA Fire/Move",), "group": ("33",)}, (6, 23)),
    Turn("NVA chit of our opponent", ambush(**_SOLO), ("chit",), {"chit": ("NVA Fire/Move",)}, (3, 20)),
)
