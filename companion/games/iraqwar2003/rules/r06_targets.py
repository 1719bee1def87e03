"""[6.2, 7.1] Naming the targets of bombing, each with its group behind it where a hurried hand types both at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.core.notation import Notation
from companion.core.position import Piece
from companion.core.requests import Choice
from companion.core.words import clean, fitting, one_of
from companion.games.iraqwar2003.referee import IraqWar, boxes, intact, on_map, other
from companion.games.iraqwar2003.rules.r05_air_groups import group_notation
from companion.games.iraqwar2003.rules.r05_plans import Plan
from companion.games.iraqwar2003.words.counters import looks_like_unit, nation, read_unit, side_of
from companion.games.iraqwar2003.words.sites import PALACE

BY = " by "
"""What stands between a target and its group: ``radio 1 by B-1+F-15``."""
MARKER = "palace marker"
_NO_MORE = ("done", "none", "-", "")


class Target(NamedTuple):
    """What is bombed.

    Attributes:
        kind: ``box``, ``palace``, ``unit`` or ``road``. id: of its piece, or the name of the hex.
        group: the group that was typed with it, "" where it is still to be asked for.
    """

    kind: str
    id: str
    title: str
    group: str = ""


def _split(text: str) -> tuple[str, str]:
    head, _, tail = text.partition(BY)
    return head, tail


def _read_group(tail: str, side: str, game: IraqWar) -> str:
    """The group behind a target, in its normal form."""
    if not tail:
        return ""
    pool = [piece.name for piece in game.air_units(side, "any")]
    return BY + group_notation(pool, "B-1+F-15").read(tail)


# -- facilities --------------------------------------------------------------------------------------------------------


async def facility_target(game: IraqWar, plans: Sequence[Plan], palace_found: bool) -> Target | None:
    """[6.2] The facility box that the next group goes for; None when all groups are placed."""
    offered = [piece.name for piece in intact(boxes(game.position)) if palace_found or piece.values.get("site") != PALACE]
    others = [piece.name for piece in boxes(game.position) if piece.name not in offered]
    if game.on("palace"):
        (offered if palace_found and not _palace_planned(plans) else others).append(MARKER)

    def read(text: str) -> str:
        head, tail = _split(clean(text))
        if head.casefold() in _NO_MORE:
            return "done"
        names = others if not fitting(head, offered) and fitting(head, others) else offered
        return one_of(head, names, "facility box") + _read_group(tail, "coalition", game)

    known = [Choice("done", "no more groups"), *(Choice(name, name) for name in offered)]
    text = await game.text(
        "target", _prompt(plans, "a box"), "6.2", Notation("target", "radio 1 by B-1+F-15", read), known, "done"
    )
    name, group = _split(text)
    if name == "done":
        return None
    if name == MARKER:
        _check_palace(game, plans, palace_found)
        return Target("palace", "", "a palace marker", group)
    box = next(piece for piece in boxes(game.position) if piece.name == name)
    if box.mark("damaged") is not None:
        game.forbid(f"{box.name} is destroyed already; a second hit does nothing more", "6.4", "Bomb another box")
    if box.values.get("site") == PALACE and not palace_found:
        game.forbid("there is no word of where Saddam Hussein is", "16.1", "Bomb something else")
    return Target("box", box.id, box.name, group)


def _check_palace(game: IraqWar, plans: Sequence[Plan], palace_found: bool) -> None:
    if not palace_found:
        game.forbid("there is no word of where Saddam Hussein is", "16.1", "Bomb something else")
    elif _palace_planned(plans):
        game.forbid("only one palace marker may be bombed a turn", "16.1(1)", "Bomb something else")


def _palace_planned(plans: Sequence[Plan]) -> bool:
    return any(plan.kind == "palace" for plan in plans)


def _prompt(plans: Sequence[Plan], what: str) -> str:
    return f"Target {len(plans) + 1}: {what}, with its group behind 'by' if you like (Enter: no more)"


# -- units and roads -----------------------------------------------------------------------------------------------------


async def ground_target(game: IraqWar, plans: Sequence[Plan], side: str) -> Target | None:
    """[7.1(1), 7.1(2)] An enemy ground unit, or the roads of a hex; None when all groups are placed."""
    enemies = on_map(game.position, other(side))
    names = [piece.name for piece in enemies]
    example = "us 1/3ID 6-5-8/4-3-8" if side == "iraq" else "iraq 6A 3-4-4/2-2-4"
    cure = f"Or: road 1722, or a new unit as on its counter: {example}"

    def read(text: str) -> str:
        head, tail = _split(clean(text))
        if head.casefold() in _NO_MORE:
            return "done"
        group = _read_group(tail, side, game)
        word, _, rest = head.partition(" ")
        if word.casefold() in ("road", "roads") and rest.strip():
            return f"road {rest.strip()[:30]}{group}"
        if looks_like_unit(head):
            return f"{read_unit(head)}{group}"
        return one_of(head, names, "enemy unit", cure=cure) + group

    known = [Choice("done", "no more groups"), *game.unit_choices(enemies), Choice("road 1722", "the roads of a hex")]
    text = await game.text(
        "target", _prompt(plans, "a unit, or road and hex"), "7.1", Notation("target", example, read), known, "done"
    )
    name, group = _split(text)
    if name == "done":
        return None
    if name.startswith("road "):
        return Target("road", name[5:], f"the roads of {name[5:]}", group)
    piece = next((piece for piece in enemies if piece.name == name), None)
    if piece is None:
        piece = await game.enter(read_unit(name))
    _check_victim(game, piece, side)
    return Target("unit", piece.id, piece.name, group)


def _check_victim(game: IraqWar, piece: Piece, side: str) -> None:
    if side_of(piece) == side:
        game.forbid(f"{piece.name} is one of their own units", "7.0", "Name an enemy unit")
    if side == "coalition" and nation(piece) == "turkey":
        game.forbid("the Coalition cannot bomb the Turkish unit", "16.10(6)", "Name an Iraqi unit")
    if piece.mark("disrupted"):
        game.say(f"{piece.name} is disrupted already: a hit does nothing more.", "7.3.2", tone="reminder")
