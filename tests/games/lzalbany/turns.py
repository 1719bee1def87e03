"""Turns that are typed and counted: the set-up, and a chit of the ambush, by two players and against our opponent."""

from __future__ import annotations

from collections.abc import Callable

from companion.core.resolver import Answers
from companion.session.controller import SessionController
from companion.session.store import Archive
from tests.games.lzalbany.player import AREAS, TOLD
from tests.support.turns import Turn

_SOLO = {"nva": "companion", "opponent": "acts", "answer_fire": "always"}


def ambush(**options: str) -> Callable[[Archive], SessionController]:
    """Turn 1 on the practice map, everybody where he is proposed, dice by Companion and draws by hand."""

    def start(archive: Archive) -> SessionController:
        known = options if "opponent" in _options() else {key: value for key, value in options.items() if key in ("nva", "us")}
        desk = SessionController.create(
            archive, "lzalbany", "battle", {"map": "practice", **known}, draws="physical", seed="ia drang"
        )
        for _ in range(2):
            desk.do("next", Answers(accept=True))
        return desk

    return start


def _options() -> tuple[str, ...]:
    from companion.games import make_game
    from companion.session.tables import load

    return tuple(make_game("lzalbany", load("lzalbany")).options)


def _set_up(archive: Archive) -> SessionController:
    known = _SOLO if "opponent" in _options() else {"nva": "companion"}
    return SessionController.create(
        archive, "lzalbany", "battle", {"map": "practice", **known}, draws="physical", seed="ia drang"
    )


def told_map(**options: str) -> Callable[[Archive], SessionController]:
    """Turn 1 on a map of one's own, told whole but for who sees whom."""

    def start(archive: Archive) -> SessionController:
        circles = {f"start:{name}": area["start"] for name, area in AREAS.items() if area["start"]}
        archive.record_facts("lzalbany", {**TOLD, **circles, **{f"choi:nva-{face}": "none" for face in range(1, 7)}})
        desk = SessionController.create(
            archive, "lzalbany", "battle", {"map": "own", **options}, draws="physical", seed="ia drang"
        )
        for _ in range(2):
            desk.do("next", Answers(accept=True))
        return desk

    return start


def second_turn(**options: str) -> Callable[[Archive], SessionController]:
    """The Action Phase of turn 2 on the practice map, all before it as it is proposed; Companion rolls and draws."""

    def start(archive: Archive) -> SessionController:
        desk = SessionController.create(archive, "lzalbany", "battle", {"map": "practice", **options}, seed="ia drang")
        while desk.position.track("turn") < 2 or desk.position.flag("phase") != "action":
            desk.do("next", Answers(accept=True))
        return desk

    return start


def first_game(archive: Archive) -> SessionController:
    """Turn 1 as `companion new` offers it: the NVA played by Companion, all other choices untouched, chits drawn at the table."""
    desk = SessionController.create(
        archive, "lzalbany", "battle", {"map": "practice", "nva": "companion"}, draws="physical", seed="ia drang"
    )
    for _ in range(2):
        desk.do("next", Answers(accept=True))
    return desk


TURNS: tuple[Turn, ...] = (
    Turn("Set-up against our opponent", _set_up, ("deploy",), {}, (5, 11)),
    Turn("NVA Fire, two players", ambush(), ("chit",), {"chit": ("NVA Fire/Move",), "group": ("33",)}, (5, 24), True),
    Turn("NVA chit of our opponent", ambush(**_SOLO), ("chit",), {"chit": ("NVA Fire/Move",)}, (3, 20)),
    Turn("Action Phase of turn 1, against our opponent", first_game, ("next",) * 4, {}, (20, 30)),
    Turn("Turn 2, 12 chits, two players", second_turn(), ("next",) * 12, {}, (60, 120), True, (130, 178)),
    Turn("Turn 2, 12 chits, against our opponent", second_turn(**_SOLO), ("next",) * 12, {}, (60, 120)),
)
if "placing" in _options():  # what an older program does not understand
    TURNS += (
        Turn("NVA Fire, two players, action with the group", ambush(), ("nva f",), {"group": ("33 fire",)}, (3, 10)),
        Turn("NVA Fire, two players, in one line", ambush(), ("nva f 33 f mortar b3 d2",), {}, (1, 24)),
        Turn("NVA chits of our opponent, four, own map", told_map(**_SOLO), ("nva f",) * 4, {}, (12, 40)),
        Turn("NVA chits of our opponent, four", ambush(**_SOLO), ("nva f",) * 4, {}, (9, 29)),
        Turn(
            "NVA chits of our opponent, four, hits as suggested",
            ambush(**_SOLO, placing="suggested"),
            ("nva f",) * 4,
            {},
            (4, 24),
        ),
    )
