"""The policies of Phantom Fury, and how its planner answers questions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

from companion.core.candidates import Candidate, Recommendation
from companion.core.fit import SCORE
from companion.core.game import Game
from companion.core.match import PlannedAction
from companion.core.plans import PlanningPolicy, TurnPlan
from companion.core.policies import PLAIN, PLANNER, RANDOM, DecisionContext, GameResult, Players, Policy, RandomPolicy
from companion.core.position import Piece, Position
from companion.core.request import AnyRequest
from companion.core.text import plural
from companion.games.phantomfury import state
from companion.games.phantomfury.ai import planner
from companion.games.phantomfury.ai.agenda import Agenda
from companion.games.phantomfury.ai.features import Features
from companion.games.phantomfury.ai.plans import Appetite, read_appetites, useful
from companion.games.phantomfury.ai.valuation import Valuation, plain_features, read_valuation_constants
from companion.games.phantomfury.referee import ASSAULT, MOVEMENT
from companion.games.phantomfury.rules import r13_assault, r13_combat

WEIGHTS = {"mission": 1, "reinforce": 3, "fire": 5, "move": 8, "assault": 8, "end": 2}
"""Relative frequency of actions of a random player."""
TRIES = 30
"""Actions tried before the turn is ended."""


class PersistentPolicy(Policy):
    """Takes every suggestion, and any open action except those that just led to nothing."""

    def __init__(self, players: Players) -> None:
        super().__init__(players)
        self._seen: Position | None = None
        self._tried: set[str] = set()

    def act(self, context: DecisionContext) -> str:
        if context.position is not self._seen:
            self._seen, self._tried = context.position, set()
        actions = (self.players.random_action(context) for _ in range(TRIES))
        action = next((action for action in actions if action not in self._tried), "end")
        self._tried = self._tried | {action} if action not in self._tried else set()
        return action


class AnythingPolicy(PersistentPolicy, RandomPolicy):
    """Takes any action and any answer."""


class PlannerPolicy(Policy):
    """Takes the best candidate of each Phase while it is worth more than doing nothing."""

    def __init__(self, players: Players, valuation: Valuation) -> None:
        super().__init__(players)
        self.valuation = valuation
        self._seen: Position | None = None
        self._refused: list[PlannedAction] = []

    def act(self, context: DecisionContext) -> Any:
        if self._seen is not context.position:
            self._seen, self._refused = context.position, []
        refused, patience = self._refused, self.valuation.constants.search_patience
        if len(refused) > patience:  # plans that were tried in this position and led nowhere
            refused.append(PlannedAction("end"))
            return refused[-1] if len(refused) <= 2 * patience else self.players.random_action(context)
        features = Features(context.referee, self.valuation)
        chosen = self.choose(context, features, refused)
        refused.append(chosen.decision)
        return chosen.decision

    def choose(self, context: DecisionContext, features: Features, refused: Sequence[PlannedAction]) -> planner.Move:
        """The next action, among all those that have not been refused."""
        recommendation = planner.recommend(features, refused)
        if context.slips(recommendation.best.name):
            return planner.random_candidate(features, refused, context.randbelow)
        return _choose(context, features, recommendation)

    def reply(self, context: DecisionContext) -> Any:
        assert context.request is not None
        answer = planned_reply(context, Features(context.referee, self.valuation), context.request)
        return super().reply(context) if answer is None else context.request.check(answer)


class QuickPlannerPolicy(PlannerPolicy):
    """The planner of rollouts: as `PlannerPolicy`, but it values the candidates of a Phase once, and explains nothing."""

    def __init__(self, players: Players, valuation: Valuation) -> None:
        super().__init__(players, valuation)
        self._agenda = Agenda()

    def choose(self, context: DecisionContext, features: Features, refused: Sequence[PlannedAction]) -> planner.Move:
        return self._agenda.next(features, refused)

    def memory(self, position: Position) -> Hashable:
        if self._seen is position and self._refused:
            return object()  # the same actions were refused to no other playout
        return self.valuation, self._agenda.memory(position.track("turn"))


def _choose(context: DecisionContext, features: Features, recommendation: Recommendation[PlannedAction]) -> planner.Move:
    """The best candidate, explained. Rollouts compare whole turns: single actions differ by less than they can tell."""
    context.consider(recommendation)
    context.explain(*recommendation.lines(source=f"{_SOURCE}; {features.stake}"))
    return recommendation.best


_SOURCE = "our valuation"


def planned_reply(context: DecisionContext, features: Features, request: AnyRequest) -> Any:
    """The answer to a question; None to take what it suggests."""
    if request.key == "to":
        return _goal(context, features, request)
    if request.key == "loss":
        return _loss(context, features, request)
    if request.key == "explosives":
        return _explosives(context, features)
    if request.key == "section":
        return _entry_section(context, features, request)
    return _from_plan(context, features, request) if request.key in _PLANNED else None


_PLANNED = ("mission", "zones", "units", "zone", "unit", "squad", "target")
_BY_CHAPTER: dict[str, Callable[[Features], Iterable[planner.Move]]] = {
    "9": planner.mission_candidates,
    "10": planner.reinforcement_candidates,
    "11": planner.fire_candidates,
    "12": lambda features: [*planner.tank_candidates(features), *planner.move_candidates(features)],
    "13": planner.assault_candidates,
}
"""The candidates of a question, by the chapter of its rule."""


def _from_plan(context: DecisionContext, features: Features, request: AnyRequest) -> Any:
    """The answer of the best candidate of the Phase, if another player began the action."""
    legal = {choice.value for choice in request.legal_choices()}
    candidates = _BY_CHAPTER.get(request.rule.partition(".")[0])  # a correction of the table belongs to no Phase
    recommendation = planner.best(candidates(features)) if candidates else None
    ranked: dict[Any, Candidate[Any]] = {}  # by the answer
    for candidate in (recommendation.best, *recommendation.others) if recommendation else ():
        answer = candidate.decision.answers.get(request.key)
        if answer and (request.key in ("zones", "units") or answer in legal):
            ranked.setdefault(str(answer), candidate._replace(decision=answer))
    if not ranked:
        return None
    best, *others = ranked.values()
    context.explain(f"{best.name}: {best.value:+.1f} VP by our valuation", "; ".join(best.reasons))
    context.consider(Recommendation(best, tuple(others)))
    return best.decision


def _active_unit(features: Features, flag: str) -> Piece | None:
    """The unit that carries out the action: the last one in a flag."""
    name = (features.referee.members(flag) or ("",))[-1]
    return next((unit for unit in (*features.squads, *features.referee.tanks()) if state.short(unit) == name), None)


def _goal(context: DecisionContext, features: Features, request: AnyRequest) -> Any:
    """[12.0] Where a unit moves to."""
    unit = _active_unit(features, state.MOVED)
    if unit is None:
        return None
    legal = [choice.value for choice in request.legal_choices()]
    if unit.kind == state.TANK:
        goal = planner.tank_goal(features, unit, legal)
        _explain_streets(context, features, unit, goal, legal)
        return goal
    recommendation = planner.best([*planner.forward_candidates(features, unit), *planner.post_candidates(features, unit)])
    ranked = (recommendation.best, *recommendation.others) if recommendation else ()
    candidates = [candidate for candidate in ranked if candidate.decision.answers["to"] in legal]
    if not candidates:
        return None
    first, *others = candidates
    chosen = Recommendation(first, tuple(others))
    context.explain(*chosen.lines(source=f"{_SOURCE}; {features.stake}"))
    context.consider(chosen, lambda plan: plan.answers["to"])
    return first.decision.answers["to"]


def _loss(context: DecisionContext, features: Features, request: AnyRequest) -> str:
    """[5.1.1.2] The CAAT takes the Step Loss: both cost the same points, and a reduced squad floods and fires worse."""
    squad = _struck_squad(features, request)
    if squad:
        referee, valuation = features.referee, features.valuation
        fighter = referee.fighter(squad)
        fate = "eliminated" if squad.face == state.REDUCED else "reduced"
        caat = valuation.harm(referee, fighter, "CAAT lost")
        itself = features.toll(valuation.certain(referee, fighter, fate))
        lost = f"{-valuation.harm(referee, fighter, fate):+.1f} VP, and what it does in {plural(features.turns, 'turn')}"
        why = f"{squad.name} would be {fate} [5.1.1.1]: {lost}"
        loss = Candidate("caat", "its CAAT", -caat, reasons=(f"it has {_munitions(squad)}", why))
        chosen = Recommendation(loss, (Candidate("squad", squad.name, -itself),))
        context.explain(*chosen.lines(source=_SOURCE, rule="7.2.1"))
        context.consider(chosen)
    return "caat"


def _struck_squad(features: Features, request: AnyRequest) -> Piece | None:
    """The squad with a CAAT that suffers a Step Loss: named in the question, or carrying out the action."""
    named = next((squad for squad in features.squads if request.prompt.startswith(f"{squad.name} ")), None)
    flag = {MOVEMENT: state.MOVED, ASSAULT: state.ASSAULTED}.get(features.phase, "")
    squad = named or (_active_unit(features, flag) if flag else None)
    return squad if squad and squad.mark(state.CAAT) else None


def _munitions(squad: Piece) -> str:
    """What the CAAT of a squad has left."""
    shots = squad.mark(state.AMMO)
    ammo = [plural(shots, "shot")] if isinstance(shots, int) else []
    left = [*ammo, *(["its Explosives"] if squad.mark(state.EXPLOSIVES) else [])]
    return " and ".join(left) or "nothing left"


def _explosives(context: DecisionContext, features: Features) -> bool | None:
    """[13.7.1] Whether explosives make enough difference against a unit."""
    referee, c = features.referee, features.constants
    squad = _active_unit(features, state.ASSAULTED)
    units = [enemy for enemy in r13_assault.targets_of(referee, squad) if enemy.kind != state.SUSPECT] if squad else []
    if not squad or not units:
        return None
    target = max(units, key=state.cf_of)
    now, kind = r13_assault.scene_of(referee, squad, [target]), r13_combat.assault_type(squad.place, target.place)
    bare, armed = (features.valuation.assault(referee, now, kind, use) for use in (False, True))
    context.explain(f"Location cleared {bare.good:.0%} without, {armed.good:.0%} with explosives [13.7.1]")
    gain = c.combat_explosives * (armed.good - bare.good) + features.toll(bare) - features.toll(armed)
    return gain > c.combat_explosives_least


def _entry_section(context: DecisionContext, features: Features, request: AnyRequest) -> str | None:
    """[10.2] The Street Section where an M1A1 enters."""
    legal: list[str] = [choice.value for choice in request.legal_choices()]
    tank = next(iter(features.referee.position.of_kind(state.TANK)))
    goal = max(legal, key=lambda name: planner.tank_value(features, name, tank)) if legal else None
    _explain_streets(context, features, tank, goal, legal)
    return goal


def _explain_streets(context: DecisionContext, features: Features, tank: Piece, goal: str | None, names: Sequence[str]) -> None:
    """Explain the value of the street that an M1A1 goes to, and of the best others."""
    if goal is None:
        return
    streets = [name for name in names if name in features.referee.town.sections and name != goal]
    others = [Candidate(name, f"street {name}", planner.tank_value(features, name, tank)) for name in streets]
    value, duties = planner.tank_value(features, goal, tank), planner.tank_duties(features, goal, tank)
    chosen = Candidate(goal, f"street {goal}", value, reasons=(duties,) if duties else ())
    ranked = Recommendation(chosen, tuple(sorted(others, key=lambda other: -other.value)))
    context.explain(*ranked.lines(source=_SOURCE))
    context.consider(ranked)


class PhantomFuryPlayers(Players):
    """The player against insurgents run by the rules."""

    max_actions = 4_000
    slip_percent = 14
    winning_results = ("major victory", "minor victory", "bitter victory")

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.horizon = self.valuation.constants.search_horizon
        self.prior_worlds = self.valuation.constants.search_prior_worlds

    @cached_property
    def valuation(self) -> Valuation:
        """The valuation, shared by all policies of the game."""
        return Valuation(read_valuation_constants(self.game.tables.bot))

    @cached_property
    def _appetites(self) -> tuple[Appetite, ...]:
        return read_appetites(self.game.tables.bot, self.valuation.constants)

    @cached_property
    def _valuations(self) -> Mapping[str, Valuation]:
        """The valuation of each appetite, by its id."""
        usual, *others = self._appetites
        return {usual.id: self.valuation} | {one.id: Valuation(one.constants, self.valuation) for one in others}

    def plans(self, context: DecisionContext) -> Sequence[TurnPlan]:
        """The plans of a turn; the first is the usual one."""
        first, *others = useful(context.referee, self._appetites) if context.playouts else self._appetites[:1]
        return (self._plan(first), *(self._plan(other, self.valuation.constants.search_other_plan) for other in others))

    def _plan(self, appetite: Appetite, prior: float = 0.0) -> TurnPlan:
        policy = partial(PlannerPolicy, self, self._valuations[appetite.id])
        return TurnPlan(appetite.id, appetite.title, policy, prior)

    def default_playouts(self, options: Mapping[str, str]) -> int:
        c, worlds = self.valuation.constants, {"practice_small": "small", "practice": "usual"}
        size = worlds.get(options.get("scenario", ""), "full")
        return {"small": c.search_worlds_small, "usual": c.search_worlds, "full": c.search_worlds_full}[size]

    def plain_reply(self, context: DecisionContext) -> Any:
        """An M1A1 stays; otherwise any answer."""
        request, referee = context.request, context.referee
        name = (referee.members(state.MOVED) or ("",))[-1] if request and request.key == "to" else ""
        tank = next((unit for unit in referee.tanks() if state.short(unit) == name), None) if name else None
        if request and tank:
            return request.check(state.section_of(tank.place) or tank.place)
        return self.random_reply(context)

    def policies(self, seat: str) -> Mapping[str, Callable[[], Policy]]:
        return {
            PLANNER: lambda: PlanningPolicy(self, self.plans),
            PLAIN: lambda: PersistentPolicy(self),
            RANDOM: lambda: AnythingPolicy(self),
            **self.levels(lambda: PlanningPolicy(self, self.plans)),
        }

    def rollout_policy(self, seat: str) -> Policy:
        return QuickPlannerPolicy(self, self.valuation)

    def action_weight(self, action: str) -> int:
        return WEIGHTS.get(action, 0)

    def outcome(self, position: Position, options: Mapping[str, str]) -> GameResult:
        """[7.2.2] The level of victory (as if the last turn ended now) and the Victory Points."""
        score = self.game.score(position, options)
        return GameResult(score.verdict.casefold(), score.total)

    def features(self, position: Position, options: Mapping[str, str], seat: str) -> Mapping[str, float]:
        """Plain figures of a position between two turns."""
        return plain_features(position)

    def value(self, position: Position, options: Mapping[str, str], seat: str) -> float:
        """The value that was fitted on whole games with these options; else the one by which the planner ranks actions."""
        fitted = self.fitted(SCORE)
        if fitted is None or self.over(position) or not fitted.is_for(options):
            return self.valuation.position(position)
        return fitted.value(self.features(position, options, seat))

    rollout_baseline = value  # subtracted in explanations, so that they show changes
