"""Where our opponent's units go: stack by stack, by its list of priorities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from companion.core.advice import Advice, Passed
from companion.core.position import Piece
from companion.games.lzalbany.first.first_view import Field, Option, melee_dice, weigh
from companion.games.lzalbany.names import OFFICER, UNIT
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules.r05_retreat import flees, must_go, way_out
from companion.games.lzalbany.rules.r06_ways import leaders_of, led_along
from companion.games.lzalbany.words.areas import title
from companion.games.lzalbany.words.counters import healthy, hits_on, is_senior, may_move
from companion.games.lzalbany.words.orders import NONE


class Moves(NamedTuple):
    """A plan: the orders with their reasons, units that go, melees with good odds, and the dice in those."""

    advice: Advice[Any]
    moving: int
    assaults: int
    dice: int


def _lots(game: LzAlbany, movers: Sequence[Piece]) -> list[tuple[str, list[Piece], list[Piece]]]:
    """Units that may move, three at a time, with the officers and wounded who go along with the first lot."""
    lots: list[tuple[str, list[Piece], list[Piece]]] = []
    for area in dict.fromkeys(p.place for p in movers):
        here = [p for p in movers if p.place == area]
        units = [p for p in here if p.kind == UNIT and may_move(p)]
        others = [p for p in here if p.kind != UNIT and not (p.kind == OFFICER and is_senior(p) and healthy(p))]
        led = [p for p in units if hits_on(p) and _led(game, p, others)]
        units = [*led, *(p for p in units if not hits_on(p))]
        if not units:
            continue
        most = game.book.stacking.limit
        rest = [p for p in units[most:] if not (hits_on(p) and led_along(game))]
        lots += [(area, units[:most], others)]
        lots += [(area, rest[at : at + most], []) for at in range(0, len(rest), most)]
    return lots


def _led(game: LzAlbany, unit: Piece, others: Sequence[Piece]) -> bool:
    """[6.2A, 10.3] Whether a hit unit may go: with an officer who goes along, or where that is enough one in its area."""
    leaders = leaders_of(game, unit)
    return any(officer in others for officer in leaders) if led_along(game) else bool(leaders)


def plan_moves(game: LzAlbany, side: str, movers: Sequence[Piece]) -> Moves:
    """The opponent's plan for everybody who may move."""
    if flees(game, side):
        text = way_out(game, movers) or NONE
        leaving = Advice[Any](text, text, ("the NVA retreats: everybody by the shortest way [5.2E]",), ())
        return Moves(leaving, len(must_go(game, movers)), 0, 0)
    field = Field(game, side)
    parts: list[str] = []
    because: list[str] = []
    passed: list[Passed] = []
    moving = assaults = dice = 0
    for area, units, others in _lots(game, movers):
        officers = sum(p.kind == OFFICER and healthy(p) for p in others)
        goals = [area, *field.goals(area)]
        options = [Option(title(goal), goal, field.facts(area, goal, units, officers)) for goal in goals]
        advice = weigh(game, f"{side.casefold()}_move", options)
        assert advice is not None
        goal = advice.choice.value
        who = ", ".join(p.name for p in units)
        because += [f"{who} in {title(area)} -> {advice.name}", *(f"  {line}" for line in advice.because)]
        passed += [Passed(f"{who} -> {one.name}", one.why) for one in advice.passed]
        if goal == area:
            continue
        field.coming[goal] = field.coming.get(goal, 0) + len(units)
        field.coming[area] = field.coming.get(area, 0) - len(units)
        moving += len(units)
        if advice.choice.facts["assault"]:
            assaults += 1
            dice += melee_dice(game, side, goal, units, officers)[0]
        parts.append(f"{' '.join(p.name for p in (*units, *others))} > {goal}")
    text = "; ".join(parts) or NONE
    return Moves(Advice(text, text, tuple(because), tuple(passed)), moving, assaults, dice)
