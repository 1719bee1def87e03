"""The captain's policy: phase by phase what is worth the most, as long as it is worth more than doing nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from companion.core.match import PlannedAction
from companion.core.policies import DecisionContext, Players, Policy
from companion.core.rollouts import in_three
from companion.games.phantomfury.captain.calls import mission_options, reinforcement_options
from companion.games.phantomfury.captain.estimates import Estimates
from companion.games.phantomfury.captain.fights import assault_options, fire_options
from companion.games.phantomfury.captain.moves import WORTHWHILE, advances, move_options
from companion.games.phantomfury.captain.replies import reply
from companion.games.phantomfury.captain.sight import FEW, Option, Sight, best
from companion.games.phantomfury.captain.tanks import gain_of_moving, tank_options
from companion.games.phantomfury.notation.counters import short
from companion.games.phantomfury.referee import ASSAULT, FIRE, MOVEMENT, REINFORCEMENTS, SUPPORT

PATIENCE = 6
"""Plans that the rules refused in one position, after which the turn is ended."""

END = Option(0.0, PlannedAction("end"), "end the turn", "nothing else is worth its risk")


def firing(sight: Sight) -> Iterator[Option]:
    """[11.3] Shots, less what their units could do by moving instead: each Zone is left to the squad that can do most in it."""
    shots = list(fire_options(sight))
    tanks = {short(one): gain_of_moving(sight, one) for one in sight.referee.tanks()} if shots else {}
    instead = {**tanks, **_advancing(sight)} if shots else {}
    for one in shots:
        other = instead.get(one.plan.answers["unit"], 0.0)
        yield one._replace(value=one.value - max(other, 0.0))


def _advancing(sight: Sight) -> dict[str, float]:
    """The worth of the advance of each squad, if each Zone is entered by one [12.2.1.1]."""
    every = [(value, short(one), zone) for one in sight.squads for zone, value in advances(sight, one).items()]
    found: dict[str, float] = {}
    taken: set[str] = set()
    for value, name, zone in sorted(every, key=lambda one: -one[0]):
        if name not in found and zone not in taken:
            found[name] = value
            taken.add(zone)
    return found


def moving(sight: Sight) -> Iterator[Option]:
    """[12.0] M1A1s first, since they cover the squads [11.4.2.2]."""
    tanks = list(tank_options(sight))
    yield from tanks or move_options(sight)


STAGES: tuple[tuple[int, float, Callable[[Sight], Iterator[Option]]], ...] = (
    (SUPPORT, 0.3, mission_options),
    (REINFORCEMENTS, 0.0, reinforcement_options),
    (FIRE, 0.01, firing),
    (MOVEMENT, WORTHWHILE, moving),
    (ASSAULT, 0.0, assault_options),
)
"""The phases in which there is something to decide, each with the worth above which something is done [8.0]."""


def anything(context: DecisionContext, sight: Sight, refused: Sequence[PlannedAction]) -> Option:
    """Anything of the phases to come, each phase as likely as the other, however little it is worth: who slips may hurry on to a
    later phase, or end the turn.
    """
    phases = [
        [one for one in options(sight) if one.plan not in refused] for number, _, options in STAGES if sight.phase <= number
    ]
    some = [*filter(None, phases), [END]]
    phase = some[context.randbelow(len(some))]
    return phase[context.randbelow(len(phase))]


class Planner(Policy):
    """Plays the captain."""

    def __init__(self, players: Players, estimates: Estimates) -> None:
        super().__init__(players)
        self.estimates = estimates
        self._seen: Any = None
        self._refused: list[PlannedAction] = []

    def act(self, context: DecisionContext) -> Any:
        refused = self._again(context)
        if len(refused) > PATIENCE:
            return PlannedAction("end") if len(refused) < 2 * PATIENCE else self.players.random_action(context)
        sight = Sight(context.referee, self.estimates)
        options = self._options(sight, refused) or [END]
        slip = context.slips(options[0].name)
        chosen = anything(context, sight, refused) if slip else self._chosen(context, options[:FEW], sight.stake)
        refused.append(chosen.plan)
        return chosen.plan

    def _again(self, context: DecisionContext) -> list[PlannedAction]:
        """The plans that were tried in this very position, and have led nowhere."""
        if self._seen is not context.position:
            self._seen, self._refused = context.position, []
        return self._refused

    def _options(self, sight: Sight, refused: list[PlannedAction]) -> list[Option]:
        """What can be done in the first phase in which something is worth doing."""
        for number, least, options in STAGES:
            if sight.phase <= number:
                found = [one for one in options(sight) if one.value > least and one.plan not in refused]
                if found:
                    return best(found)
        return []

    def _chosen(self, context: DecisionContext, options: list[Option], stake: str) -> Option:
        """The first, unless playing on shows another one to be better; with the reasons."""
        before = len(context.reasons)
        chosen = options[context.choose_by_rollouts([one.plan for one in options], [one.name for one in options])]
        told = f"{chosen.name}: {chosen.value:+.1f} VP by our valuation; {stake}"
        passed = [(one.name, one.value - chosen.value) for one in options if one is not chosen]
        context.reasons[before:] = in_three(context.reasons[before:], told, chosen.why, passed, against_now=True)
        return chosen

    def reply(self, context: DecisionContext) -> Any:
        found = reply(context, Sight(context.referee, self.estimates))
        assert context.request is not None
        return super().reply(context) if found is None else context.request.check(found)
