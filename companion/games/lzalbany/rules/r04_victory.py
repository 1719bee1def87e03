"""[4.0] Who wins: control of LZ Albany, the wounded left, and the count."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.charts import Chart
from companion.core.game import Score
from companion.core.position import Position
from companion.games.lzalbany.names import (
    COUNTED,
    DEAD,
    FRONT,
    NVA,
    NVA_VP,
    OFFICER,
    OVER,
    RETREAT,
    SIDES,
    UNIT,
    US,
    US_VP,
    WOUNDED,
    points_flag,
)
from companion.games.lzalbany.referee import RETREAT_AT, WIN_AT, LzAlbany
from companion.games.lzalbany.words.areas import ALBANY, is_area
from companion.games.lzalbany.words.counters import side_of, strength


def control(position: Position, by_melee: bool) -> str:
    """[4.1C] The side with more combat strength in LZ Albany; "" where they are equal (ruling C-28)."""
    order = ("melee", "fire") if by_melee else ("fire", "melee")
    for what in order:
        sums = [sum(strength(p, what) for p in position.at(ALBANY) if p.kind == UNIT and side_of(p) == side) for side in SIDES]
        if sums[0] != sums[1]:
            return SIDES[0] if sums[0] > sums[1] else SIDES[1]
    return ""


def fallen(position: Position, side: str) -> int:
    """[4.3] Officers of a side that are casualties."""
    return sum(side_of(p) == side and (p.place == DEAD or p.face != FRONT) for p in position.of_kind(OFFICER))


def _at_the_end(position: Position, chart: Chart, by_melee: bool) -> dict[str, int]:
    """Items that only the end of the game scores, with how often; the US may come to its points for the NVA retreat by them
    (ruling C-64).
    """
    items: dict[str, int] = {}
    holder = control(position, by_melee)
    if holder:
        items[f"{holder.casefold()} albany"] = 1
    left = sum(is_area(p.place) for p in position.of_kind(WOUNDED))
    if left:
        items["wounded left"] = left
    us = position.track(US_VP) + items.get("us albany", 0) * chart.number("us albany", "points")
    if us >= RETREAT_AT and not position.flag(RETREAT):
        items["retreat"] = 1
    return items


def count(position: Position, chart: Chart, options: Mapping[str, str]) -> Score:
    """[4.1] Every item of both schedules, as if the game ended now; NVA points count below zero."""
    ended = bool(position.flag(COUNTED) or position.flag(OVER))
    more = {} if ended else _at_the_end(position, chart, options.get("control") == "melee")
    items: list[tuple[str, int, str]] = []
    sums = {US: 0, NVA: 0}
    for item in chart.rows:
        scored = position.flag(points_flag(item))
        points = (scored if isinstance(scored, int) else 0) + more.get(item, 0) * chart.number(item, "points")
        side = chart.text(item, "side")
        if points:
            items.append((f"{side}: {chart.text(item, 'title')}", points if side == US else -points, chart.cite(item)))
            sums[side] += points
    for side, track in ((US, US_VP), (NVA, NVA_VP)):
        off = position.track(track) - (
            sums[side] - sum(more.get(i, 0) * chart.number(i, "points") for i in more if chart.text(i, "side") == side)
        )
        if off:
            items.append((f"{side}: corrections", off if side == US else -off, "4.1"))
            sums[side] += off
    verdict = _verdict(position, sums, options.get("control") == "melee")
    return Score(tuple(items), sums[US] - sums[NVA], verdict, "4.1", (f"US {sums[US]}, NVA {sums[NVA]}.",))


def _verdict(position: Position, sums: Mapping[str, int], by_melee: bool) -> str:
    told = f"US {sums[US]}, NVA {sums[NVA]}"
    if sums[NVA] >= WIN_AT:
        return f"NVA victory at once ({told})"
    if sums[US] != sums[NVA]:
        return f"{'US' if sums[US] > sums[NVA] else 'NVA'} victory ({told})"
    holder = control(position, by_melee)
    if holder:
        return f"{holder} victory by control of LZ Albany ({told})"
    lost = {side: fallen(position, side) for side in SIDES}
    if lost[US] != lost[NVA]:
        return f"{'US' if lost[US] < lost[NVA] else 'NVA'} victory by fewer officer casualties ({told})"
    return f"Draw ({told})"


def final_count(game: LzAlbany) -> None:
    """[4.1, 4.3] The end of turn 10: what only the end scores, then the winner."""
    chart = game.chart("victory")
    for item, times in _at_the_end(game.position, chart, game.option("control") == "melee").items():
        if item != "retreat":
            game.award(item, chart.text(item, "title"), times)
    game.set_flag(COUNTED, True, "4.1")
    score = count(game.position, chart, game.options)
    game.finish("turn 10 is over", "3.8")
    lost = {side: fallen(game.position, side) for side in SIDES}
    game.say(
        f"{score.verdict}.",
        "4.3",
        *(f"{label}: {abs(points)}" for label, points, _ in score.items),
        f"officer casualties: US {lost[US]}, NVA {lost[NVA]}",
    )
