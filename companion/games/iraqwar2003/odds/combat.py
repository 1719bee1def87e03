"""Exact odds of ground combats, from the procedures that fly their support and resolve them [13.3, 13.4]."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.core.odds import distribution, merge
from companion.core.requests import Odds
from companion.games.iraqwar2003.names import NONE
from companion.games.iraqwar2003.odds.air import flown_odds
from companion.games.iraqwar2003.odds.paper import Paper, on_paper
from companion.games.iraqwar2003.referee import IraqWar
from companion.games.iraqwar2003.rules.r05_air_combat import Mission
from companion.games.iraqwar2003.rules.r13_ratio import Clash
from companion.games.iraqwar2003.rules.r13_results import Aftermath, Attack, Foretell, clash_of, fight
from companion.games.iraqwar2003.words.results import LADDER, UNKNOWN


def shifts(mission: Mission | None) -> dict[int, float]:
    """[13.3(2)] The columns that air support brings in the end, each with its chance."""
    return merge((flown.shift, chance) for flown, chance in flown_odds(mission).items()) if mission else {0: 1.0}


class Outlook:
    """A combat that lies ahead, as things stand now; what it comes to in each column is worked out once.

    Args:
        game: where it is fought.
        attack: who fights whom.
        told: what is known of the Combat Results Chart.
        clash: the values, where they are not those of the units themselves.
    """

    def __init__(self, game: IraqWar, attack: Attack, told: Mapping[str, str], clash: Clash | None = None) -> None:
        self.attack = attack
        self.paper = Paper(game, told)
        self.clash = clash or clash_of(game, attack)
        self._ends: dict[str, dict[Aftermath, float]] = {}

    def columns(self, mission: Mission | None) -> dict[str, float]:
        """[13.3] The columns that may come up with that air support, each with its chance."""
        return merge((self.clash.column(shift), share) for shift, share in shifts(mission).items())

    def ends(self, mission: Mission | None) -> dict[Aftermath, float]:
        """[13.4] What the combat comes to with that air support, each with its chance."""
        columns = self.columns(mission).items()
        return merge((end, share * more) for column, share in columns for end, more in self._in(column).items())

    def _in(self, column: str) -> dict[Aftermath, float]:
        if column not in self._ends:
            shift = next(shift for shift in range(-2 * len(LADDER), 2 * len(LADDER)) if self.clash.column(shift) == column)
            self._ends[column] = distribution(lambda: fight(self.paper.again(), self.attack, self.clash, shift), on_paper)
        return self._ends[column]

    def mean_column(self, mission: Mission | None) -> float:
        """Where on the chart the combat stands on average."""
        return sum(share * LADDER.index(name) for name, share in self.columns(mission).items())


def chance(results: Mapping[Aftermath, float], holds: Callable[[Aftermath], float]) -> float:
    """The chance that something holds, or the mean of a number."""
    return sum((share * holds(end) for end, share in results.items()), 0.0)


WITHOUT = "without support"
"""How the odds call a combat to which the side that is asked sends nobody."""

_POLICY = (
    "Both sides do as is suggested: a loss reduces a unit before it removes one, the weakest first; who must retreat can, and "
    "who is in a city stays."
)


def _told(ends: Mapping[Aftermath, float]) -> tuple[tuple[str, float], ...]:
    """The results of the chart, each with its chance."""
    found = merge((end.result, share) for end, share in ends.items())
    return tuple((text if text != UNKNOWN else "not told yet", found[text]) for text in sorted(found))


def combat_odds(ahead: Outlook, ways: Mapping[str, Mission | None], notes: tuple[str, ...] = ()) -> Odds:
    """[13.4] Each result, and P(defender destroyed or retreats), with the air support of each way. ``notes``: what they leave
    out.
    """
    sections, means, beside = [], [], []
    for title, mission in ways.items():
        ends = ahead.ends(mission)
        rows = (
            ("defender destroyed", chance(ends, lambda end: end.destroyed)),
            ("defender retreats", chance(ends, lambda end: end.emptied and not end.destroyed)),
            ("defender destroyed or retreats", chance(ends, lambda end: end.emptied)),
            ("attacker retreats", chance(ends, lambda end: end.withdrew)),
        )
        sections += [(f"{title}: what it comes to", rows), (f"{title}: results", _told(ends))]
        if all(end.result != UNKNOWN for end in ends):
            beside.append((NONE if title == WITHOUT else title.removeprefix("with "), f"{rows[2][1]:.0%} driven out"))
        means.append((f"strength steps lost by the defender ({title})", chance(ends, lambda end: end.lost)))
        means.append((f"strength steps lost by the attacker ({title})", chance(ends, lambda end: end.paid)))
    columns = dict.fromkeys(name for mission in ways.values() for name in ahead.columns(mission))
    notes = (f"Columns that may come up: {', '.join(columns)}.", *notes, _POLICY)
    return Odds("Ground combat", "13.4", tuple(sections), tuple(means), notes, tuple(beside))


def at_the_die(game: IraqWar, attack: Attack, told: Mapping[str, str]) -> Foretell:
    """[13.4] What works out the odds of a combat as it stands, its column settled."""

    def odds(clash: Clash, shift: int) -> Odds:
        settled = clash._replace(left=clash.left - shift)
        return combat_odds(Outlook(game, attack, told, settled), {"as it stands": None})

    return odds
