"""[7.0] Victory: the score, the level, the end of the game."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.charts import Chart
from companion.core.game import Score
from companion.core.position import Position
from companion.core.text import plural
from companion.games.phantomfury.notation.zones import MOSQUE
from companion.games.phantomfury.referee import FuryReferee, last_turn
from companion.games.phantomfury.state import OVER, TALLY, WINNER, ZONES, enemies_in, is_controlled


def _zones(left: list[str]) -> str:
    return plural(len(left), "Zone is", "Zones are")


def lost_zones(position: Position) -> list[str]:
    """The Zones that are not under USMC Control [7.1]."""
    return [zone for zone in position.members(ZONES) if not is_controlled(position, zone)]


def only_empty_mosque(position: Position) -> bool:
    """[7.1] True if only Zone 26 is left and it is empty."""
    return lost_zones(position) == [MOSQUE] and not enemies_in(position, MOSQUE)


def end_of_turn(referee: FuryReferee) -> None:
    """[7.1, 7.2] End the game if all Zones are taken or the last turn is over; otherwise begin the next turn."""
    left = lost_zones(referee.position)
    rest = referee.last_turn - referee.turn
    if not left:
        if rest:
            referee.points("turn_left", "7.2.1", f"{plural(rest, 'turn')} not played", rest)
        finish(referee, "every Zone is under USMC Control", "usmc")
    elif rest > 0:
        referee.say(f"Turn {referee.turn} ends: {_zones(left)} left to the insurgents.", "7.2", f"Zones {', '.join(left)}")
        referee.set_track("phase", 0, "8.0", "")
        referee.shift_track("turn", 1, "8.0", "")
    elif only_empty_mosque(referee.position):
        referee.points("mosque_left", "7.1", "Zone 26 is empty and not under Control")
        finish(referee, "the last turn is over; only Zone 26 is left, and it is empty", "usmc")
    else:
        referee.say(f"{_zones(left)} not under USMC Control: {', '.join(left)}.", "7.1")
        finish(referee, "the last turn is over", "insurgents")


def finish(referee: FuryReferee, why: str, winner: str) -> None:
    """End the game."""
    referee.set_flag(OVER, why, "7.0")
    referee.set_flag(WINNER, winner, "7.0")
    verdict = level(referee.charts, referee.position.track("vp"), winner)
    rows = [f"{label}: {value:+d} [{rule}]" for label, value, rule in itemised_score(referee.position, referee.charts).items]
    referee.say(
        f"THE GAME ENDS: {why}. {verdict} at {referee.position.track('vp')} VP.", "7.2.2" if winner == "usmc" else "7.1", *rows
    )


def level(charts: Mapping[str, Chart], vp: int, winner: str) -> str:
    """[7.2.2] The level of victory: major, minor, bitter, or the insurgents' victory."""
    return "Insurgent victory" if winner == "insurgents" else charts["victory"].text(vp, "level")


def itemised_score(position: Position, charts: Mapping[str, Chart]) -> Score:
    """[7.2.1] The score itemised, with the verdict: final, or as if the last turn ended now."""
    chart = charts["points"]
    items = []
    for item in chart.rows:
        tally = position.flag(TALLY + item)
        if isinstance(tally, int) and tally:
            items.append(
                (f"{chart.text(item, 'title')} x{tally}", tally * chart.number(item, "vp"), chart.cites.get(item, chart.rule))
            )
    vp = position.track("vp")
    apart = vp - sum(points for _, points, _ in items)
    if apart:
        items.append(("manual corrections", apart, "7.2.1"))
    left = lost_zones(position)
    winner = str(position.flag(WINNER) or "")
    now = winner or ("usmc" if not left or only_empty_mosque(position) else "insurgents")
    notes = []
    if left:
        notes.append(f"{_zones(left)} not under USMC Control{': ' + ', '.join(left) if len(left) <= 12 else ''}.")
    if not winner:
        rest = (last_turn(position) - position.track("turn")) * chart.number("turn_left", "vp")
        notes.append(f"The level is what it would be if the last turn ended now; all Zones taken this turn bring {rest:+d}.")
    return Score(tuple(items), vp, level(charts, vp, now), "7.2.2", tuple(notes))
