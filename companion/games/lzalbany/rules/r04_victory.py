"""[4.0] Victory: points, control of LZ Albany, the result."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.charts import Chart
from companion.core.errors import Unreadable
from companion.core.game import Score
from companion.core.hints import TYPE_CHECKING
from companion.core.position import Position
from companion.games.lzalbany import state
from companion.games.lzalbany.areas import ALBANY, is_area

if TYPE_CHECKING:
    from companion.games.lzalbany.referee import AlbanyReferee

RETREAT_AT, WIN_AT = 30, 35
"""[5.2E, 4.2] US points at which the NVA retreats; NVA points that win."""
LAST_TURN = 10
MOST_HANDICAP = 99
"""VP that the option ``handicap`` gives at most."""


def air_casualty_points(referee: AlbanyReferee) -> int:
    """[4.1B] What a damaged gunship or Dust Off scores for the NVA (ruling C-19)."""
    return 0 if referee.option("air_casualty") == "never" else referee.data.hit_values.item("air")


def columbus_points(referee: AlbanyReferee) -> int:
    """[4.1B] What a melee begun by the NVA in LZ Columbus scores: only the first one does (ruling C-20)."""
    return 0 if referee.position.flag(state.points_flag("columbus")) else referee.data.hit_values.item("columbus")


def control(position: Position, by_melee: bool) -> str:
    """[4.1C] The side with more combat strength in LZ Albany; "" if equal (ruling C-28)."""
    order = ("melee", "fire") if by_melee else ("fire", "melee")
    for what in order:
        sums = [
            sum(state.strength(p, what) for p in position.at(ALBANY) if p.kind == state.UNIT and state.side_of(p) == side)
            for side in state.SIDES
        ]
        if sums[0] != sums[1]:
            return state.SIDES[0] if sums[0] > sums[1] else state.SIDES[1]
    return ""


def officer_casualties(position: Position, side: state.Side) -> int:
    """[4.3] The wounded and dead officers of a side."""
    own = [officer for officer in position.of_kind(state.OFFICER) if state.side_of(officer) == side]
    return sum(officer.place in (state.DEAD, state.ELIMINATED) or officer.face != state.FRONT for officer in own)


def _final_items(position: Position, chart: Chart, by_melee: bool) -> dict[str, int]:
    """Items that only the end of the game scores, with how often; they can score the NVA retreat too (ruling C-64)."""
    items: dict[str, int] = {}
    holder = control(position, by_melee)
    if holder:
        items[f"{holder.casefold()} albany"] = 1
    left = sum(is_area(p.place) for p in position.of_kind(state.WOUNDED))
    if left:
        items["wounded left"] = left
    us = position.track(state.US_VP) + items.get("us albany", 0) * chart.number("us albany", "points")
    if us >= RETREAT_AT and not position.flag(state.RETREAT):
        items["retreat"] = 1
    return items


def handicap(options: Mapping[str, str]) -> int:
    """VP that the option adds to the US, or takes from it, when the score is counted. Raises Unreadable: no whole number."""
    text = options.get("handicap", "0")
    try:
        points = int(text)
    except ValueError:
        points = MOST_HANDICAP + 1
    if abs(points) > MOST_HANDICAP:
        cure = f"Give a number from -{MOST_HANDICAP} to {MOST_HANDICAP}: --option handicap=15"
        raise Unreadable(f"the handicap '{text}' is no such number of VP", cure=cure)
    return points


def count(position: Position, chart: Chart, options: Mapping[str, str]) -> Score:
    """[4.1] The score of both schedules if the game ended now; NVA points count as negative."""
    ended = bool(position.flag(state.COUNTED) or position.flag(state.OVER))
    final = {} if ended else _final_items(position, chart, options.get("control") == "melee")
    items: list[tuple[str, int, str]] = []
    sums = {state.US: 0, state.NVA: 0}
    final_sums = {state.US: 0, state.NVA: 0}
    for item in chart.rows:
        scored = position.flag(state.points_flag(item))
        extra = final.get(item, 0) * chart.number(item, "points")
        points = (scored if isinstance(scored, int) else 0) + extra
        side = state.US if chart.text(item, "side") == state.US else state.NVA
        final_sums[side] += extra
        if points:
            items.append((f"{side}: {chart.text(item, 'title')}", points if side == state.US else -points, chart.cite(item)))
            sums[side] += points
    for side, track in ((state.US, state.US_VP), (state.NVA, state.NVA_VP)):
        corrections = position.track(track) - (sums[side] - final_sums[side])
        if corrections:
            items.append((f"{side}: corrections", corrections if side == state.US else -corrections, "4.1"))
            sums[side] += corrections
    us, nva, by_melee = sums[state.US], sums[state.NVA], options.get("control") == "melee"
    verdict = _verdict(position, us, nva, by_melee)
    notes: tuple[str, ...] = (f"US {us}, NVA {nva}.",)
    given = handicap(options)
    if not given:
        return Score(tuple(items), us - nva, verdict, "4.1", notes)
    items.append((f"{state.US if given > 0 else state.NVA}: handicap, agreed and no rule of the game", given, ""))
    with_handicap = _decided(position, us + max(given, 0), nva + max(-given, 0), by_melee)
    return Score(
        tuple(items), us - nva + given, f"{with_handicap} with the handicap", "4.1", (*notes, f"By the rules: {verdict}.")
    )


def _verdict(position: Position, us: int, nva: int, by_melee: bool) -> str:
    if nva >= WIN_AT:
        return f"NVA victory at once (US {us}, NVA {nva})"
    return _decided(position, us, nva, by_melee)


def _decided(position: Position, us: int, nva: int, by_melee: bool) -> str:
    """[4.1, 4.3] The winner by points, then control, then officer casualties."""
    points = f"US {us}, NVA {nva}"
    if us != nva:
        return f"{'US' if us > nva else 'NVA'} victory ({points})"
    holder = control(position, by_melee)
    if holder:
        return f"{holder} victory by control of LZ Albany ({points})"
    us_casualties, nva_casualties = (officer_casualties(position, side) for side in state.SIDES)
    if us_casualties != nva_casualties:
        return f"{'US' if us_casualties < nva_casualties else 'NVA'} victory by fewer officer casualties ({points})"
    return f"Draw ({points})"


def final_count(referee: AlbanyReferee) -> None:
    """[4.1, 4.3] Score the end of turn 10 and name the winner."""
    chart = referee.chart("victory")
    for item, times in _final_items(referee.position, chart, referee.option("control") == "melee").items():
        if item != "retreat":
            referee.award(item, chart.text(item, "title"), times)
    referee.set_flag(state.COUNTED, True, "4.1")
    score = count(referee.position, chart, referee.options)
    referee.finish(f"turn {LAST_TURN} is over", "3.8")
    us, nva = (officer_casualties(referee.position, side) for side in state.SIDES)
    items = [f"{label}: {abs(points)}" for label, points, _ in score.items]
    items += score.notes[1:]
    is_tied = score.total == 0
    referee.say(f"{score.verdict}.", "4.3" if is_tied else "4.1", *items, f"officer casualties: US {us}, NVA {nva}")
