"""[15.0] Victory points, itemised, with the most that can still be reached."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.charts import Chart
from companion.core.game import Score
from companion.core.position import FlagReader, Position
from companion.games.iraqwar2003.names import AIR, BONUS, FOUND, IRAQ, NONE, OVER, PALACE, REMOVED, SADDAM, UNIT, control_flag
from companion.games.iraqwar2003.referee import IraqWar, rule_on
from companion.games.iraqwar2003.rules.r15_control import BONUS_PLACES, apply_changes, changes_notation, holder
from companion.games.iraqwar2003.words.counters import counts_for_victory, is_western

Item = tuple[str, int, str]


def _losses(position: Position, points: Chart) -> list[Item]:
    """[15.2] American and British losses: a unit that stands reduced -2, a removed one -4 in all (ruling C-11)."""
    units = [piece for piece in position.of_kind(UNIT) if is_western(piece)]
    lost = {
        "reduced": [piece for piece in units if piece.place != REMOVED and piece.face == "reduced"],
        "removed": [piece for piece in units if piece.place == REMOVED],
        "air": [piece for piece in position.at(REMOVED) if piece.kind == AIR and counts_for_victory(piece)],
    }
    found = []
    for row, pieces in lost.items():
        names = ", ".join(piece.name for piece in pieces)
        kind = "air units removed" if row == "air" else f"American and British units {row}"
        found.append((f"{kind}{f': {names}' if names else ''}", points.number(row, "vp") * len(pieces), points.cite(row)))
    return found


def _bonuses(position: Position) -> int:
    return sum(flag.startswith(BONUS) for flag in position.flags)


_BONUSES = FlagReader(_bonuses, (BONUS,))
"""[15.2] Places that the Kurds held at the end of turn 2."""


def count(position: Position, charts: Mapping[str, Chart]) -> Score:
    """[15.2] The victory points as the game stands, the verdict, and what is still possible."""
    places, points = charts["places"], charts["victory"]

    def scored(label: str, row: str, many: int) -> Item:
        return label, points.number(row, "vp") * many, points.cite(row)

    held = [
        (f"{place} ({who})", places.number(place, "vp"), "15.2")
        for place in places.rows
        if (who := position.flag(control_flag(place), IRAQ)) != IRAQ
    ]
    bonus = scored("Held by the Kurds at the end of turn 2", "kurds", position.cached_from_flags(_BONUSES))
    against = [*_losses(position, points), scored("Turns with Iraqi units in Kuwait", "kuwait", position.track("kuwait"))]
    saddam = scored("Saddam Hussein found", "saddam", int(position.flag(SADDAM) == FOUND))
    if rule_on(position, PALACE):
        against.append(scored("Press conferences of the minister", "sahaf", position.track("sahaf")))
    items = [*held, bonus, *([saddam] if rule_on(position, PALACE) else []), *against]
    total = sum(gained for _, gained, _ in items)
    most = sum(places.number(place, "vp") for place in places.rows) + sum(gained for _, gained, _ in against)
    most += bonus[1] if position.track("turn") > 2 else points.number("kurds", "vp") * len(BONUS_PLACES)
    most += points.number("saddam", "vp") if _may_be_found(position) else saddam[1]
    needed = points.number("needed", "vp")
    verdict = "the Coalition wins" if total >= needed else "Iraq wins"
    verdict += "" if position.flag(OVER) else " if the game ended now"
    missing = needed - total
    short = f"{missing} more {'is' if missing == 1 else 'are'} needed" if missing > 0 else f"{-missing} to spare"
    notes = (f"The most that the Coalition can still reach: {most}", *(["Iraq cannot lose any more"] if most < needed else []))
    notes = () if position.flag(OVER) else notes
    return Score(tuple(items), total, f"{total} of {needed} VP: {verdict} ({short})", points.cite("needed"), notes)


def _may_be_found(position: Position) -> bool:
    return any(piece.values.get("palace") == "saddam" for piece in position.at(PALACE))


async def final_count(game: IraqWar, last: int) -> None:
    """[15.1, 15.2] After the last turn: control is looked over once more, then the count is announced."""
    places = list(game.chart("places").rows)
    held = ", ".join(place for place in places if holder(game, place) != IRAQ) or NONE
    prompt = f"Final check. Lost to Iraq: {held}. What is wrong with that?"
    apply_changes(game, await game.text("control", prompt, "15.2", changes_notation(places), (), NONE))
    game.set_flag(OVER, f"turn {last} was the last", "15.1")
    score = count(game.position, game.charts)
    rows = [f"{label}: {points:+d} [{rule}]" for label, points, rule in score.items]
    game.say(f"GAME OVER. {score.verdict}.", "15.1", *rows)
