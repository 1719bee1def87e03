"""[15.0] Victory points, itemised, with the most that can still be reached."""

from __future__ import annotations

from companion.core.game import Score, Tables
from companion.core.position import Piece, Position
from companion.games.iraqwar2003.referee import IraqWar, rule_on
from companion.games.iraqwar2003.words.counters import is_western

NEEDED = 20
"""[15.1] Victory points with which the Coalition wins."""
LOST_STEP, LOST_UNIT, LOST_AIR, IN_KUWAIT = -2, -4, -2, -2
SADDAM, SAHAF = 5, -1


def _losses(position: Position) -> list[tuple[str, int, str]]:
    """[15.2] American and British losses: a unit that stands reduced -2, a removed one -4 in all (ruling C-11)."""
    units = [piece for piece in position.of_kind("unit") if is_western(piece)]
    removed = [piece for piece in units if piece.place == "removed"]
    reduced = [piece for piece in units if piece.place != "removed" and piece.face == "reduced"]
    planes = [piece for piece in position.of_kind("air") if piece.place == "removed" and counts(piece)]
    found = []
    for pieces, points, what in (
        (reduced, LOST_STEP, "reduced"),
        (removed, LOST_UNIT, "removed"),
        (planes, LOST_AIR, "air units removed"),
    ):
        names = ", ".join(piece.name for piece in pieces)
        kind = what if pieces is planes else f"American and British units {what}"
        found.append((f"{kind}{f': {names}' if names else ''}", points * len(pieces), "15.2"))
    return found


def counts(piece: Piece) -> bool:
    """[15.2, 2.4] An American or British air unit; carriers count, ships that fire missiles do not (ruling C-12)."""
    return is_western(piece) and piece.values.get("type") != "naval"


def count(position: Position, tables: Tables) -> Score:
    """[15.2] The victory points as the game stands, the verdict, and what is still possible."""
    chart = tables.charts["places"]
    items: list[tuple[str, int, str]] = []
    held = 0
    for place in chart.rows:
        if position.flag(f"control:{place}", "iraq") != "iraq":
            items.append((f"{place} ({position.flag(f'control:{place}')})", chart.number(place, "vp"), "15.2"))
            held += chart.number(place, "vp")
    bonus = sum(flag.startswith("kurdish bonus:") for flag in position.flags)
    items.append(("Held by the Kurds at the end of turn 2", bonus, "15.2"))
    against = [*_losses(position), ("Turns with Iraqi units in Kuwait", IN_KUWAIT * position.track("kuwait"), "15.2")]
    found = position.flag("saddam") == "found"
    if rule_on(position, "palace"):
        items.append(("Saddam Hussein found", SADDAM * found, "16.1(4)"))
        against.append(("Press conferences of the minister", SAHAF * position.track("sahaf"), "16.1(6)"))
    items += against
    total = sum(points for _, points, _ in items)
    most = sum(chart.number(place, "vp") for place in chart.rows) + sum(points for _, points, _ in against)
    most += bonus if _bonus_decided(position) else 3
    most += SADDAM if found or _may_be_found(position) else 0
    verdict = "the Coalition wins" if total >= NEEDED else "Iraq wins"
    short = f"{NEEDED - total} more are needed" if total < NEEDED else f"{total - NEEDED} to spare"
    notes = (f"The most that the Coalition can still reach: {most}", *(["Iraq cannot lose any more"] if most < NEEDED else []))
    return Score(tuple(items), total, f"{total} of {NEEDED} VP: {verdict} ({short})", "15.1", notes)


def _bonus_decided(position: Position) -> bool:
    return position.track("turn") > 2


def _may_be_found(position: Position) -> bool:
    return any(piece.values.get("palace") == "saddam" for piece in position.at("palace"))


async def final_count(game: IraqWar, tables: Tables, last: int) -> None:
    """[15.1, 15.2] After the last turn: control is looked over once more, then the count is announced."""
    from companion.games.iraqwar2003.rules.r15_control import apply_changes, changes_notation, holder

    places = list(game.chart("places").rows)
    held = ", ".join(place for place in places if holder(game, place) != "iraq") or "none"
    prompt = f"Last look at the board: not held by Iraq are {held}. What differs (Enter: nothing)"
    apply_changes(game, await game.text("control", prompt, "15.2", changes_notation(places), (), "none"))
    game.set_flag("over", f"turn {last}, the last, is done", "15.1")
    score = count(game.position, tables)
    rows = [f"{label}: {points:+d} [{rule}]" for label, points, rule in score.items]
    game.say(f"Victory points: {score.total}. {score.verdict}.", "15.1", *rows)
