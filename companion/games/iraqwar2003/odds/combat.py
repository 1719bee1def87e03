"""Exact odds of ground combats, from the procedures that fly their support and resolve them [13.3, 13.4]."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from companion.core.odds import distribution
from companion.core.requests import Odds
from companion.games.iraqwar2003.odds.air import flown_odds
from companion.games.iraqwar2003.odds.paper import Paper, on_paper
from companion.games.iraqwar2003.referee import IraqWar
from companion.games.iraqwar2003.rules.r05_air_combat import Mission
from companion.games.iraqwar2003.rules.r13_ratio import Clash
from companion.games.iraqwar2003.rules.r13_results import Aftermath, Attack, Foretell, clash_of, fight
from companion.games.iraqwar2003.words.results import LADDER, UNKNOWN


class Prospect(NamedTuple):
    """A combat that lies ahead.

    Attributes:
        attack: who fights whom.
        told: what is known of the Combat Results Chart.
        mission: the air support that has been declared so far.
        clash: the values, where they are not those of the units themselves.
    """

    attack: Attack
    told: Mapping[str, str]
    mission: Mission | None = None
    clash: Clash | None = None


def shifts(mission: Mission | None) -> dict[int, float]:
    """[13.3(2)] The columns that air support brings in the end, each with its chance."""
    found: dict[int, float] = {}
    for flown, chance in flown_odds(mission).items() if mission else ():
        found[flown.shift] = found.get(flown.shift, 0.0) + chance
    return found or {0: 1.0}


def fought(game: IraqWar, ahead: Prospect, shift: int) -> dict[Aftermath, float]:
    """[13.4] What the combat comes to with so many columns of support, each with its chance."""
    clash = ahead.clash or clash_of(game, ahead.attack)
    return distribution(lambda: fight(Paper(game, ahead.told), ahead.attack, clash, shift), on_paper)


def combat_results(game: IraqWar, ahead: Prospect) -> dict[Aftermath, float]:
    """[13.3, 13.4] The same with the air support that has been declared."""
    found: dict[Aftermath, float] = {}
    for shift, chance in shifts(ahead.mission).items():
        for end, more in fought(game, ahead, shift).items():
            found[end] = found.get(end, 0.0) + chance * more
    return found


def columns_ahead(game: IraqWar, ahead: Prospect) -> list[str]:
    """The columns that may come up, so that only these need be known."""
    clash = ahead.clash or clash_of(game, ahead.attack)
    return list(dict.fromkeys(clash.column(shift) for shift in shifts(ahead.mission)))


def mean_column(game: IraqWar, ahead: Prospect) -> float:
    """Where on the chart the combat stands on average."""
    clash = ahead.clash or clash_of(game, ahead.attack)
    return sum(share * LADDER.index(clash.column(shift)) for shift, share in shifts(ahead.mission).items())


def chance(results: Mapping[Aftermath, float], holds: Callable[[Aftermath], float]) -> float:
    """The chance that something holds, or the mean of a number."""
    return sum((share * holds(end) for end, share in results.items()), 0.0)


def _told(ends: Mapping[Aftermath, float]) -> tuple[tuple[str, float], ...]:
    """The results of the chart, each with its chance."""
    found: dict[str, float] = {}
    for end, share in ends.items():
        found[end.result] = found.get(end.result, 0.0) + share
    return tuple((text if text != UNKNOWN else "not told yet", found[text]) for text in sorted(found))


def combat_odds(game: IraqWar, ahead: Prospect, ways: Mapping[str, Mission], first: str = "without support") -> Odds:
    """[13.4] Each result, and P(defender destroyed or retreats), as things stand and with each further support."""
    sections, means = [], []
    columns: list[str] = []
    for title, mission in {first: ahead.mission, **ways}.items():
        one = ahead._replace(mission=mission)
        ends = combat_results(game, one)
        columns += columns_ahead(game, one)
        rows = (
            ("defender destroyed", chance(ends, lambda end: end.destroyed)),
            ("defender retreats", chance(ends, lambda end: end.emptied and not end.destroyed)),
            ("defender destroyed or retreats", chance(ends, lambda end: end.emptied)),
            ("attacker retreats", chance(ends, lambda end: end.withdrew)),
        )
        sections += [(f"{title}: what it comes to", rows), (f"{title}: results", _told(ends))]
        means.append((f"strength steps lost by the defender ({title})", chance(ends, lambda end: end.lost)))
        means.append((f"strength steps lost by the attacker ({title})", chance(ends, lambda end: end.paid)))
    notes = (f"Columns that may come up: {', '.join(dict.fromkeys(columns))}.",)
    return Odds("Ground combat", "13.4", tuple(sections), tuple(means), notes)


def at_the_die(game: IraqWar, attack: Attack, told: Mapping[str, str]) -> Foretell:
    """[13.4] What works out the odds of a combat as it stands, its column settled."""

    def odds(clash: Clash, shift: int) -> Odds:
        settled = clash._replace(left=clash.left - shift)
        return combat_odds(game, Prospect(attack, told, None, settled), {}, "as it stands")

    return odds
