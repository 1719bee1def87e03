"""What the captain answers in the middle of an action."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from companion.core.players import Asked
from companion.core.position import Piece
from companion.games.phantomfury.captain.calls import mission_options, reinforcement_options
from companion.games.phantomfury.captain.fights import assault_options, fire_options
from companion.games.phantomfury.captain.moves import forward_options, move_options, post_options
from companion.games.phantomfury.captain.sight import Option, Sight, best
from companion.games.phantomfury.captain.tanks import tank_goal, tank_options, use
from companion.games.phantomfury.names import ASSAULTED, MOVED, SUSPECT, TANK
from companion.games.phantomfury.rules.r13_assault import targets_of
from companion.games.phantomfury.rules.r13_muster import scene
from companion.games.phantomfury.rules.r13_scene import assault_type
from companion.games.phantomfury.words.counters import cf_of, short


def reply(at: Asked, sight: Sight) -> Any:
    """The answer to a question; None for what it suggests."""
    assert at.request is not None
    how = _HOW.get(at.request.key)
    if how:
        return how(at, sight)
    return _planned(at, sight) if at.request.key in _PLANNED else None


def _planned(at: Asked, sight: Sight) -> Any:
    """What the best plan of the phase answers, where somebody else has begun the action."""
    request = at.request
    assert request is not None
    legal = {choice.value for choice in request.legal()}
    for one in best(_OF[request.rule.partition(".")[0]](sight)):
        answer = one.plan.answers.get(request.key)
        if answer and (request.key in _SEVERAL or answer in legal):
            at.explain(f"{one.name}: {one.value:+.1f} VP by our valuation", one.why)
            return answer
    return None


def _unit(sight: Sight, flag: str) -> Piece | None:
    """The unit that is under way: the last that was noted."""
    name = (sight.game.members(flag) or ("",))[-1]
    return next((one for one in (*sight.squads, *sight.game.tanks()) if short(one) == name), None)


def _to(at: Asked, sight: Sight) -> Any:
    """[12.0] Where to: an M1A1 by what it covers, a squad by what it can do there."""
    unit = _unit(sight, MOVED)
    if unit is None:
        return None
    legal = [one.value for one in at.request.legal()]  # type: ignore[union-attr]
    if unit.kind == TANK:
        return tank_goal(sight, unit, legal)
    options = [
        one for one in best([*forward_options(sight, unit), *post_options(sight, unit)]) if one.plan.answers["to"] in legal
    ]
    return options[0].plan.answers["to"] if options else None


def _loss(at: Asked, sight: Sight) -> str:
    """[5.1.1.2] The CAAT takes it: both cost 2 VP, and a squad that is reduced floods and fires worse."""
    return "caat"


def _explosives(at: Asked, sight: Sight) -> bool | None:
    """[13.7.1] Once a game: where they make a great difference against a unit."""
    squad = _unit(sight, ASSAULTED)
    units = [one for one in targets_of(sight.game, squad) if one.kind != SUSPECT] if squad else []
    if not squad or not units:
        return None
    target = max(units, key=cf_of)
    now, kind = scene(sight.game, squad, [target]), assault_type(squad.place, target.place)
    bare, armed = (sight.estimates.assault(sight.game, now, kind, use) for use in (False, True))
    at.explain(f"Location cleared {bare.good:.0%} without, {armed.good:.0%} with explosives [13.7.1]")
    return 3 * (armed.good - bare.good) + sight.toll(bare) - sight.toll(armed) > 0.5


def _section(at: Asked, sight: Sight) -> str | None:
    """[10.2] Where an M1A1 enters."""
    legal = [one.value for one in at.request.legal()]  # type: ignore[union-attr]
    tank = next(iter(sight.game.position.of_kind(TANK)))
    return max(legal, key=lambda one: use(sight, one, tank)) if legal else None


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
