"""What NetWar markers and engineers can do instead of an offensive [12.0, 18.4, 18.5], by what it is likely to bring in VP."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.core.match import PlannedAction
from companion.core.text import plural
from companion.games.fallujah2004 import state
from companion.games.fallujah2004.playing.offers import Offer, forces
from companion.games.fallujah2004.playing.scout import Scout
from companion.games.fallujah2004.playing.worth import OP, REFIT, STRIKE, prize
from companion.games.fallujah2004.referee import concealed_at, deployed
from companion.games.fallujah2004.rules.r18_logistics import bridges, fob_cost, sites
from companion.games.fallujah2004.state import is_engineer, is_fob, lies_concealed

_NEAR_A_BRIDGE = 0.2
"""VP of a repaired bridge for each Node on the map, on either bank: a guess of ours, by which it is hardly ever repaired."""


def works(scout: Scout, offensives: Sequence[Offer]) -> Iterator[Offer]:
    """Everything of the kind; ``offensives``: what else could be done, for what is learnt serves those alone."""
    yield from isr(scout, offensives)
    yield from building(scout)
    for space in bridges(scout.referee):
        gain = _NEAR_A_BRIDGE * len(scout.nodes)
        why = "units on the ground cross again [13.3]"
        yield Offer(
            gain, PlannedAction("j4", {"kind": "bridge", "at": space}), f"J-4: repair {scout.referee.title(space)}", why, "18.4"
        )


def isr(scout: Scout, offensives: Sequence[Offer]) -> Iterator[Offer]:
    """[12.1] A look at the concealed Node that would be attacked next: worth what is gained by going elsewhere where it turns
    out to be a bad one, and by knowing that it is a good one.
    """
    game = scout.referee
    markers = game.netwar()
    aims = [one for one in offensives if one.goal and one.goal.going and concealed_at(game.position, one.goal.way[-1])]
    if not markers or not aims or not any(lies_concealed(piece) for piece in game.position.of_kind(state.CONCEALED)):
        return
    aim = max(aims, key=lambda one: one.value)
    assert aim.goal is not None
    space = aim.goal.way[-1]
    instead = max((one.value for one in offensives if one.goal and one.goal.way[-1] != space), default=0.0)
    chance = sum(game.chart("netwar").text(face, "isr") == "reveal" for face in range(1, 7)) / 6
    gain = chance * _better(scout, aim, max(instead, 0.0))
    where = game.title(space)
    why = f"revealed with {chance:.0%}; to know it changes what is done next by {gain / chance:.2f} VP on average [12.1]"
    yield Offer(gain - STRIKE["netwar"], PlannedAction("j2", {"nodes": space}), f"J-2 at {where}", why, "12.0")


def _better(scout: Scout, aim: Offer, instead: float) -> float:
    """How much more is to be had on average by who knows the Node and can do something else, than by who does not."""
    goal = aim.goal
    assert goal is not None and goal.going is not None
    left, chart = scout.referee.position.at(state.NODE_CUP), scout.referee.chart("nodes")
    won, average = goal.going.ahead.win, goal.going.prize
    total = 0.0
    for piece in left:
        one = prize(chart, [piece])
        value = aim.value + won * (one.won - average.won) - (1 - won) * (one.lost - average.lost)
        total += max(value, instead)
    return max(0.0, total / len(left) - max(aim.value, instead)) if left else 0.0


def building(scout: Scout) -> Iterator[Offer]:
    """[18.5, 28.2] An FOB where an engineer stands: the edge that it gives to who fights beside it, and refit on the spot;
    against the OPs that it takes more than another operation.
    """
    game = scout.referee
    spare = any(is_fob(piece) for piece in game.position.at(state.RECRUIT))
    for space in sites(game) if spare and fob_cost(game) < game.ops else []:
        units = game.units_at(space)
        edge = sum(_edge(scout, space, node) for node in scout.nodes if node in (space, *scout.ways.near(space, scout.blown)))
        reduced = sum(piece.face == state.REDUCED for piece in units)
        value = edge + REFIT * reduced - OP * (fob_cost(game) - 1)
        why = f"Tactical Edge beside it brings {edge:+.1f} VP, refit of {plural(reduced, 'unit')} {REFIT * reduced:+.1f}; "
        why += f"it costs {plural(fob_cost(game), 'OP')} [28.2]"
        yield Offer(value, PlannedAction("j4", {"kind": "fob", "at": space}), f"J-4: an FOB at {game.title(space)}", why, "18.5")


def _edge(scout: Scout, space: str, node: str) -> float:
    """What one more on the Tactical Edge is worth to the force at a space against a Node beside it."""
    here = [piece for piece in deployed(scout.referee.position) if piece.place == space and not is_fob(piece)]
    force = next(forces(here), [one for one in here if is_engineer(one)])
    return scout.going(force, node, fob=True).value - scout.going(force, node).value
