"""Our opponent over ground combats: who supports, who comes with it to intercept, weighed by what the combat then comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.core.position import Piece
from companion.games.iraqwar2003.bot.interceptors import kill_worth, plane_worth
from companion.games.iraqwar2003.bot.weighing import Option, choose, constant, say_verdict, slipped
from companion.games.iraqwar2003.land import land_of
from companion.games.iraqwar2003.notation import UNKNOWN_RESULT, is_western, side_of, steps_left
from companion.games.iraqwar2003.odds import CombatForecast, expected, fate_chance, flown_odds
from companion.games.iraqwar2003.referee import IraqWarReferee
from companion.games.iraqwar2003.rules.r05_air_combat import SHOT_DOWN, AirGroup, Mission
from companion.games.iraqwar2003.rules.r13_results import Attack, CombatResult
from companion.games.iraqwar2003.state import IRAQ, NONE, WHO, other


class Sally(NamedTuple):
    """A way to fly over a combat: the group as it is typed, and all the air units there then; None where nobody flies."""

    text: str
    mission: Mission | None


class Stakes(NamedTuple):
    """What a combat is about, in victory points for our opponent's side.

    Attributes:
        ours: whether our opponent's side attacks.
        steps: a strength step of the enemy. own: one of its own.
        hex: the hex of the defenders.
    """

    ours: bool
    steps: float
    ask_own: float
    hex: float

    def value(self, end: CombatResult) -> float:
        """What an end of the combat is worth."""
        theirs, own = (end.lost, end.paid) if self.ours else (end.paid, end.lost)
        return self.steps * theirs - self.ask_own * own + (self.hex if self.ours else -self.hex) * end.emptied


def stakes_of(game: IraqWarReferee, attack: Attack, side: str) -> Stakes:
    """[15.2] What a combat is about for a side: the enemy's losses, its own, and the hex."""
    attackers = [game.piece(one) for one in attack.attackers]
    defenders = [game.piece(one) for one in attack.defenders]
    ours = side_of(attackers[0]) == side
    enemies, own = (defenders, attackers) if ours else (attackers, defenders)
    losses = [_step_worth(game, pieces) for pieces in (enemies, own)]
    place = land_of(game.position).place(attack.hex) if attack.hex else ""
    chart = game.chart("places")
    worth = chart.number(place, "vp") if place in chart.rows else 0
    return Stakes(ours, losses[0], losses[1], constant(game, "hex") + constant(game, "place") * worth)


def _step_worth(game: IraqWarReferee, pieces: Sequence[Piece]) -> float:
    """[15.2] What a strength step of some units is worth on average: a western unit is 4 VP in all, 2 of which a reduced one has
    cost already.
    """
    if not is_western(pieces[0]):
        return constant(game, "strength_step" if side_of(pieces[0]) == IRAQ else "kurdish_step")
    points = game.chart("victory")
    removed, reduced = points.number("removed", "vp"), points.number("reduced", "vp")
    left = sum(reduced - removed if one.face == "reduced" else -removed for one in pieces)
    return left / sum(map(steps_left, pieces))


def combat_worth(ahead: CombatForecast, mission: Mission | None, stakes: Stakes) -> float | None:
    """[13.4] What a combat comes to with that air support, in victory points; None where the chart is not told."""
    ends: Mapping[CombatResult, float] = ahead.ends(mission)
    if any(end.result == UNKNOWN_RESULT for end in ends):
        return None
    return expected(ends, stakes.value)


async def propose_sally(
    game: IraqWarReferee,
    attack: Attack,
    ahead: CombatForecast,
    ways: Sequence[Sally],
    active: AirGroup | None,
    title: str,
    side: str = IRAQ,
) -> str:
    """[5.1, 5.3.1(2)] The group to send to a combat, as it is typed; ``none``.

    Args:
        ways: what may be sent; the first is nobody.
        active: the group of the enemy that is there already.
    """
    stakes = stakes_of(game, attack, side)
    bare = combat_worth(ahead, ways[0].mission, stakes)
    options = [_sally_option(game, ahead, stakes, bare, (ways[0], way), side) for way in ways]
    verdict = choose(game, "support", options)
    if side == IRAQ:
        verdict = await slipped(game, "support", "5.1", side, verdict, options)
    met = f" against {active.title}" if active else ""
    sent = verdict.choice.name.replace("intercept ", "interceptor ")
    say_verdict(game, f"{WHO[side]} sends {sent} to {title}{met}.", "5.1", *verdict.lines)
    return verdict.choice.answer


def _sally_option(
    game: IraqWarReferee, ahead: CombatForecast, stakes: Stakes, bare: float | None, change_of: tuple[Sally, Sally], side: str
) -> Option:
    """What a way to fly is worth. ``change_of``: how it was before, and that way."""
    before, way = change_of
    if way.text == NONE or way.mission is None:
        return Option("nobody", NONE, does=False)
    now = combat_worth(ahead, way.mission, stakes)
    if now is None or bare is None:
        columns = abs(ahead.mean_column(way.mission) - ahead.mean_column(before.mission))
        change, detail = constant(game, "column") * columns, f"shift {columns:.1f} on a chart that is not entered yet"
    else:
        change, detail = now - bare, f"the combat {now - bare:+.2f}"
    killed = _loss(game, way.mission, other(side)) - _loss(game, before.mission, other(side))
    risk = _loss(game, way.mission, side)
    columns_sent = sum(abs(flier.worth) for flier in way.mission.fliers if flier.side == side)
    detail += f", enemy planes {killed:+.2f}, own {-risk:+.2f}"
    return Option(way.text, way.text, change + killed - risk, detail, risk, cost=columns_sent)


def _loss(game: IraqWarReferee, mission: Mission | None, side: str) -> float:
    """What the air units of one side over a combat are expected to lose it."""
    if mission is None:
        return 0.0
    flown, worth = flown_odds(mission), plane_worth if side == IRAQ else kill_worth
    own = ((number, flier) for number, flier in enumerate(mission.fliers) if flier.side == side)
    return sum(fate_chance(flown, SHOT_DOWN, number) * worth(game, game.piece(flier.id)) for number, flier in own)
