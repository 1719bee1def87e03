"""Exact odds of air operations, from the procedure that flies them [5.2]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from companion.core.odds import distribution, probability_of, suggested_policy
from companion.core.position import Piece
from companion.core.request import Request
from companion.core.requests import Odds
from companion.games.iraqwar2003.names import COALITION
from companion.games.iraqwar2003.referee import IraqWar
from companion.games.iraqwar2003.rules.r05_air_combat import (
    BOMBING,
    ESCORT,
    FLYING,
    INTERCEPT,
    REMOVED,
    USED,
    Flown,
    Mission,
    bombing_value,
    fly,
)
from companion.games.iraqwar2003.rules.r05_air_groups import Group, Plan, mission_of, unseen

_ASSUMED = "Each side fires at the target that the rules suggest: escorts at the interceptor, interceptors at the bomber."


@lru_cache(maxsize=256)
def flown_odds(mission: Mission, at_escort: bool = False) -> Mapping[Flown, float]:
    """Every end of a mission with its chance. ``at_escort``: the interceptor fires at the escort."""
    escorts = {flier.name for flier in mission.fliers if flier.role == ESCORT}

    async def play() -> Flown:
        return (await fly([mission]))[0]

    def aim(request: Request[Any]) -> Any:
        names = [choice.value for choice in request.legal_choices() if choice.value in escorts]
        return names[0] if at_escort and names else suggested_policy(request)

    return distribution(play, aim)


def done(results: Mapping[Flown, float]) -> float:
    """The chance that the target is hit, or the support arrives."""
    return probability_of(results, lambda flown: flown.done)


def fate(results: Mapping[Flown, float], what: str, at: int = 0) -> float:
    """The chance that one of the fliers, the first unless said, has that fate."""
    return probability_of(results, lambda flown: flown.fates[at] == what)


def mission_odds(mission: Mission, free: Sequence[str] = ()) -> Odds:
    """[5.2] The mission end to end: P(hit), and what becomes of each unit. ``free``: who is lost without a victory point."""
    results = flown_odds(mission)
    goal = "the target is hit" if mission.fliers[0].role == BOMBING else "the support arrives"
    rows = ((goal, done(results)), ("the unit gets through to the target", fate(results, FLYING)))
    fates: list[tuple[str, float]] = []
    lost: list[float] = []
    dear = 0.0
    for number, flier in enumerate(mission.fliers):
        removed = fate(results, REMOVED, number)
        lost.append(removed)
        dear += removed if flier.side == COALITION and flier.name not in free else 0
        fates.append((f"{flier.name}: removed from the game", removed))
        fates.append((f"{flier.name}: hit and sent to the Used box", fate(results, USED, number)))
    sections = [("Mission", rows), ("Losses", tuple(fates))]
    if {ESCORT, INTERCEPT} <= {flier.role for flier in mission.fliers}:
        instead = flown_odds(mission, True)
        spared = (goal, done(instead)), (f"{mission.fliers[0].name}: removed from the game", fate(instead, REMOVED))
        sections.insert(1, ("If the interceptor fires at the escort", spared))
    counts = any(flier.side == COALITION and flier.name not in free for flier in mission.fliers)
    vp = (("VP lost to the Coalition", -2 * dear),) if counts else ()
    means = (("units removed, of both sides", sum(lost)), *vp)
    return Odds(f"Mission against {mission.what}", "5.2", tuple(sections), means, (_ASSUMED,))


class _Alone(NamedTuple):
    """A bomber that nobody escorts or intercepts: the chances that it hits, and that it is removed."""

    name: str
    hit: float
    lost: float


def _alone(game: IraqWar, plan: Plan, ready: Sequence[Piece]) -> list[_Alone]:
    """[5.7] The bombers that are ready on a target, as far as their values are known, the best first."""
    found = []
    for piece in ready:
        values = game.known_values(piece)
        if not values or not values.bombing:
            continue
        mission = mission_of(game, plan._replace(group=Group(piece), value=bombing_value(values.bombing, plan.city)))
        assert mission
        results = flown_odds(mission)
        found.append(_Alone(piece.name, done(results), fate(results, REMOVED)))
    return sorted(found, key=lambda one: -one.hit)


def _untold(game: IraqWar, ready: Sequence[Piece]) -> tuple[str, ...]:
    names = ", ".join(piece.name for piece in ready if not game.known_values(piece))
    return (f"Values not told yet: {names}.",) if names else ()


def group_odds(game: IraqWar, plan: Plan, ready: Sequence[Piece]) -> Odds:
    """[5.7] Which of the bombers that are ready would hit, alone and not intercepted, the best first."""
    rows = _alone(game, plan, ready)
    fire = f"Anti-air fire: {', '.join(map(str, plan.shots)) or 'none'}; alone, not intercepted."
    sections = (
        ("Hits the target", tuple((one.name, one.hit) for one in rows)),
        ("Is removed", tuple((one.name, one.lost) for one in rows)),
    )
    beside = tuple((one.name, f"hits {one.hit:.0%}") for one in rows)
    return Odds(f"Bombing {plan.target}", "5.7(1)", sections, (), (fire, *_untold(game, ready)), beside)


def target_odds(game: IraqWar, kinds: Sequence[Plan], ready: Sequence[Piece]) -> Odds:
    """[5.7] The same on each kind of target, so that target and group are named together; units that hit alike share a line.

    Args:
        kinds: a plan without a group for each.
    """
    sections, losses = [], []
    for plan in kinds:
        alike: dict[float, list[str]] = {}
        rows = _alone(game, plan, ready)
        for one in rows:
            alike.setdefault(one.hit, []).append(one.name)
        fire = f"anti-air fire {' '.join(map(str, plan.shots))}" if plan.shots else "no anti-air fire"
        sections.append((f"Hits {plan.target} ({fire})", tuple((", ".join(units), hit) for hit, units in alike.items())))
        losses.append((plan.target, max((one.lost for one in rows), default=0.0)))
    down = ("Is removed on the way, unless it is a white silhouette", tuple(row for row in losses if row[1]))
    notes = ("Alone, not intercepted: an interceptor, or an anti-air unit near the target, lowers them.", *_untold(game, ready))
    return Odds("Bombing, by target and unit", "5.7(1)", tuple(one for one in (*sections, down) if one[1]), (), notes)


class Gain(NamedTuple):
    """What an interception changes.

    Attributes:
        stopped: by how much it lowers the chance that the target is hit.
        kills: the chance that the unit on the mission is removed, over that without it.
        risk: the chance that the interceptor is removed.
        hit: the chance that the target is hit all the same.
    """

    stopped: float = 0.0
    kills: float = 0.0
    risk: float = 0.0
    hit: float = 0.0


def interception_gain(game: IraqWar, plan: Plan, interceptor: Piece) -> Gain | None:
    """What one interceptor changes for one group; None where values are not known."""
    bare, met = mission_of(game, plan), mission_of(game, plan, interceptor)
    if bare is None or met is None:
        return None
    before, after = flown_odds(bare), flown_odds(met)
    hit = done(after)
    return Gain(done(before) - hit, fate(after, REMOVED) - fate(before, REMOVED), fate(after, REMOVED, -1), hit)


def interception_odds(game: IraqWar, plans: Sequence[Plan], able: Sequence[Piece]) -> Odds:
    """[5.4] Each group without interception, and with each interceptor whose values are known."""
    sections = []
    for number, plan in enumerate(plans, 1):
        bare = mission_of(game, plan)
        if bare is None:
            continue
        goal = "the target is hit" if plan.group.role == BOMBING else "the unit gets through"
        rows = [(f"not intercepted: {goal}", done(flown_odds(bare)))]
        for piece in () if unseen(game, plan.lead) else able:
            gain = interception_gain(game, plan, piece)
            if gain:
                rows += [(f"{piece.name}: {goal} all the same", gain.hit), (f"{piece.name} is removed", gain.risk)]
        sections.append((f"{number} {plan.group.title} on {plan.target}", tuple(rows)))
    return Odds("Interception", "5.4", tuple(sections), (), (_ASSUMED,))
