"""What the captain answers in the middle of an action."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from companion.core.policies import DecisionContext
from companion.core.position import Piece
from companion.core.rollouts import in_three
from companion.core.text import plural
from companion.games.phantomfury.captain.calls import mission_options, reinforcement_options
from companion.games.phantomfury.captain.estimates import doom, harm
from companion.games.phantomfury.captain.fights import assault_options, fire_options
from companion.games.phantomfury.captain.moves import forward_options, move_options, post_options
from companion.games.phantomfury.captain.sight import FEW, Option, Sight, best
from companion.games.phantomfury.captain.tanks import duties, tank_goal, tank_options, use
from companion.games.phantomfury.notation.counters import cf_of, short
from companion.games.phantomfury.referee import ASSAULT, MOVEMENT
from companion.games.phantomfury.rules.r13_assault import targets_of
from companion.games.phantomfury.rules.r13_combat import assault_type
from companion.games.phantomfury.rules.r13_scenes import scene_of
from companion.games.phantomfury.state import AMMO, ASSAULTED, CAAT, EXPLOSIVES, MOVED, REDUCED, SUSPECT, TANK


def reply(context: DecisionContext, sight: Sight) -> Any:
    """The answer to a question; None for what it suggests."""
    assert context.request is not None
    how = _HOW.get(context.request.key)
    if how:
        return how(context, sight)
    return _planned(context, sight) if context.request.key in _PLANNED else None


def _planned(context: DecisionContext, sight: Sight) -> Any:
    """What the best plan of the phase answers, where somebody else has begun the action."""
    request = context.request
    assert request is not None
    legal = {choice.value for choice in request.legal_choices()}
    for one in best(_OF[request.rule.partition(".")[0]](sight)):
        answer = one.plan.answers.get(request.key)
        if answer and (request.key in _SEVERAL or answer in legal):
            context.explain(f"{one.name}: {one.value:+.1f} VP by our valuation", one.why)
            return answer
    return None


def _unit(sight: Sight, flag: str) -> Piece | None:
    """The unit that is under way: the last that was noted."""
    name = (sight.referee.members(flag) or ("",))[-1]
    return next((one for one in (*sight.squads, *sight.referee.tanks()) if short(one) == name), None)


def _to(context: DecisionContext, sight: Sight) -> Any:
    """[12.0] Where to: an M1A1 by what it covers, a squad by what it can do there."""
    unit = _unit(sight, MOVED)
    if unit is None:
        return None
    legal = [one.value for one in context.request.legal_choices()]  # type: ignore[union-attr]
    if unit.kind == TANK:
        goal = tank_goal(sight, unit, legal)
        _tell_streets(context, sight, unit, goal, legal)
        return goal
    options = [
        one for one in best([*forward_options(sight, unit), *post_options(sight, unit)]) if one.plan.answers["to"] in legal
    ]
    if not options:
        return None
    first, *others = options[:FEW]
    told = f"{first.name}: {first.value:+.1f} VP by our valuation; {sight.stake}"
    context.explain(*in_three((), told, first.why, [(one.name, one.value - first.value) for one in others]))
    return first.plan.answers["to"]


def _loss(context: DecisionContext, sight: Sight) -> str:
    """[5.1.1.2] The CAAT takes it: both cost 2 VP, and a squad that is reduced floods and fires worse."""
    squad = _struck(context, sight)
    if squad:
        fighter = sight.referee.fighter(squad)
        fate = "eliminated" if squad.face == REDUCED else "reduced"
        caat, itself = harm(fighter, "CAAT lost"), sight.toll(doom(fighter, fate))
        told = f"its CAAT: {-caat:+.1f} VP [7.2.1]; it has {_arms(squad)}"
        why = f"{squad.name} would be {fate} [5.1.1.1]: {-harm(fighter, fate):+.1f} VP, and what it does"
        context.explain(*in_three((), told, f"{why} in {plural(sight.turns, 'turn')}", [(squad.name, caat - itself)]))
    return "caat"


def _struck(context: DecisionContext, sight: Sight) -> Piece | None:
    """Whose Step Loss it is: the squad that the question names, else the one that moves or Assaults."""
    assert context.request is not None
    named = next((one for one in sight.squads if context.request.prompt.startswith(f"{one.name} ")), None)
    flag = {MOVEMENT: MOVED, ASSAULT: ASSAULTED}.get(sight.phase, "")
    squad = named or (_unit(sight, flag) if flag else None)
    return squad if squad and squad.mark(CAAT) else None


def _arms(squad: Piece) -> str:
    """What a CAAT has left."""
    shots = squad.mark(AMMO)
    ammo = [plural(shots, "shot")] if isinstance(shots, int) else []
    left = [*ammo, *(["its Explosives"] if squad.mark(EXPLOSIVES) else [])]
    return " and ".join(left) or "nothing left"


def _explosives(context: DecisionContext, sight: Sight) -> bool | None:
    """[13.7.1] Once a game: where they make a great difference against a unit."""
    squad = _unit(sight, ASSAULTED)
    units = [one for one in targets_of(sight.referee, squad) if one.kind != SUSPECT] if squad else []
    if not squad or not units:
        return None
    target = max(units, key=cf_of)
    now, kind = scene_of(sight.referee, squad, [target]), assault_type(squad.place, target.place)
    bare, armed = (sight.estimates.assault(sight.referee, now, kind, use) for use in (False, True))
    context.explain(f"Location cleared {bare.good:.0%} without, {armed.good:.0%} with explosives [13.7.1]")
    return 3 * (armed.good - bare.good) + sight.toll(bare) - sight.toll(armed) > 0.5


def _section(context: DecisionContext, sight: Sight) -> str | None:
    """[10.2] Where an M1A1 enters."""
    legal = [one.value for one in context.request.legal_choices()]  # type: ignore[union-attr]
    tank = next(iter(sight.referee.position.of_kind(TANK)))
    goal = max(legal, key=lambda one: use(sight, one, tank)) if legal else None
    _tell_streets(context, sight, tank, goal, legal)
    return goal


def _tell_streets(context: DecisionContext, sight: Sight, tank: Piece, goal: str | None, typed: Sequence[str]) -> None:
    """What an M1A1 does in the street that it goes to, and what it would do in the best others."""
    if goal is None:
        return
    worth = use(sight, goal, tank)
    others = {one: use(sight, one, tank) - worth for one in typed if one in sight.referee.town.sections and one != goal}
    passed = [(f"street {one}", others[one]) for one in sorted(others, key=lambda one: -others[one])[: FEW - 1]]
    told = f"street {goal}: {worth:+.1f} VP by our valuation"
    context.explain(*in_three((), told, duties(sight, goal), passed))


_SEVERAL = ("zones", "units")
_PLANNED = ("mission", "zones", "units", "zone", "unit", "squad", "target")
_OF: dict[str, Callable[[Sight], Iterable[Option]]] = {
    "9": mission_options,
    "10": reinforcement_options,
    "11": fire_options,
    "12": lambda sight: [*tank_options(sight), *move_options(sight)],
    "13": assault_options,
}
"""What can be done in a phase, by the chapter of the rule that asks."""

_HOW = {"to": _to, "loss": _loss, "explosives": _explosives, "section": _section}
