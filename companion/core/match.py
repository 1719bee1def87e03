"""Games played without people, rollouts from any decision point, and advice."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial

from companion.core import policies, procedures
from companion.core.candidates import Candidate
from companion.core.errors import CompanionError, Illegal, Unreadable, add_context
from companion.core.events import Said, fast_new
from companion.core.game import Game
from companion.core.hints import Any
from companion.core.history import Reply, without_unrevealed
from companion.core.named_tuple import NamedTuple
from companion.core.plans import TurnPlan
from companion.core.policies import DecisionContext, Policy, RandomStream, random_reply
from companion.core.position import Position
from companion.core.procedures import FORCED, AnyEffect, KnownFacts, ProcedureRun, ResolvedReply, RuleFunction, Source
from companion.core.referee import Referee
from companion.core.request import NONE_WORDS
from companion.core.requests import AnyRequest, Printed
from companion.core.rerun import RerunCache
from companion.core.resolver import ReplyResolver
from companion.core.rollouts import (
    LEVELS,
    NORMAL,
    DecisionStats,
    Outcome,
    Prior,
    RolloutComparison,
    RolloutDecision,
    Spread,
    in_turn,
    level_of,
)
from companion.core.sealed import unsealed
from companion.core.text import plural
from companion.core.values import Json, ReplyValue

MAX_REFUSALS = 40
"""Refused answers in a row after which an action is given up, and given up actions in a row after which a game is stuck."""
MAX_REFUSALS_KEPT = 3  # Refused answers of a game that are kept with their reasons
OPENING = 2  # Actions of an opening: the set-up and the first action

TRIED: Source = "tried"
"""Reply source: a candidate that is being compared."""

_MADE_UP: Source = "typed"
"""Reply source: a made-up value for a printed fact that is not recorded."""

_SETTINGS = {"dice": "physical", "draws": "physical"}


class StuckGame(CompanionError):
    """A game that does not end: a fault of the rules or of a policy."""

    kind = "stuck"


class PlannedAction(NamedTuple):
    """An action with answers to some of its questions, by key. Each is used once; the policy gives the other answers."""

    action: str
    answers: Mapping[str, Json] = {}


class DecisionPoint(NamedTuple):
    """A point of a game from which it can be played on.

    ``start`` is the position before the current action, ``procedure`` makes that action's procedure (None between two actions),
    and ``replies`` are its replies and results of effects so far. ``seat`` took the action ("" if unknown). ``part`` is the seat
    whose part of a sealed question is decided; the replies hold no part of that question, whoever has answered.
    """

    game: Game
    options: Mapping[str, str]
    facts: Mapping[str, str]
    start: Position
    procedure: RuleFunction | None = None
    replies: Sequence[Reply] = ()
    seat: str = ""
    anyway: bool = False
    part: str = ""


class PlayedAction(NamedTuple):
    """A completed action with its replies and results of effects."""

    action: str
    replies: tuple[Reply, ...]


class CachedSetup(NamedTuple):
    """A set-up without decisions and chance: the same wherever the same game, options and facts are played."""

    game: Game
    options: Mapping[str, str]
    facts: Mapping[str, str]
    position: Position
    replies: tuple[Reply, ...]
    decisions: int


_SET_UPS: dict[str, CachedSetup] = {}  # The last such set-up of each game, by id
_FIXED_SOURCES = ("remembered", "rulebook", "sample", FORCED)  # Reply sources that are neither decisions nor chance


class Match:
    """A game played by policies. Without an initial position ``begin`` sets up.

    ``think`` is the playouts per candidate at the normal level, by seat; without any the first candidate is taken.
    ``decisions`` counts decisions, rolls and draws so far, ``refused`` answers of policies that the rules refused, of which
    ``refusals`` are the first. ``planned`` has the answers of plans as ``ACTION KEY``, and whether that question ever came.
    ``story`` has the completed actions if ``keep`` is set, ``opening`` the first two: the set-up and the first action, or if play
    goes on from a position, two actions from there.
    """

    def __init__(
        self,
        game: Game,
        options: Mapping[str, str],
        seats: Mapping[str, Policy],
        luck: RandomStream,
        facts: Mapping[str, str],
        position: Position | None = None,
        think: Mapping[str, int] | None = None,
        keep: bool = False,
    ) -> None:
        self.game = game
        self.players = game.players
        self.options = options
        self.seats = seats
        self.luck = luck
        self.think = think
        self.position = position if position is not None else Position()
        self.decisions = self.actions = self.refused = 0
        self.refusals: list[policies.RefusedAnswer] = []
        self.planned: dict[str, bool] = {}
        self.story: list[PlayedAction] | None = [] if keep else None
        self.opening: tuple[PlayedAction, ...] = ()
        self._recorded_facts = facts
        self._resolver = ReplyResolver(game, lambda: facts, _SETTINGS, "")
        self._runs = {action.id: action.run for action in game.actions}
        self._policy_luck = luck.substream("policies")
        self.rerun: RerunCache | None = None  # set where one action is run again and again
        self._fact_cache: dict[str, ResolvedReply] = {}
        self._facts: Mapping[str, str] | None = None
        self._given_up: list[str] = []

    def begin(self) -> None:
        """Set up. Raises StuckGame: the set-up does not end."""
        cached, empty = _SET_UPS.get(self.game.id), not (self.actions or self.position.pieces or self.position.flags)
        if (
            empty
            and cached
            and cached.game is self.game
            and cached.facts is self._recorded_facts
            and cached.options == self.options
        ):
            self.actions += 1
            self.luck.restart(self.actions)
            self._complete("setup", cached.position, cached.replies, cached.decisions)
            return
        run = self.run_action(self.game.setup, "setup")
        if run is None:
            raise StuckGame("the set-up was given up")
        if empty and not self._resolver.new_facts and all(reply.source in _FIXED_SOURCES for reply in run.kept):
            result = self.position, tuple(run.kept), run.decisions
            _SET_UPS[self.game.id] = CachedSetup(self.game, dict(self.options), self._recorded_facts, *result)

    def _complete(self, action: str, position: Position, replies: tuple[Reply, ...], decisions: int) -> None:
        self.decisions += decisions
        self.position = position
        if len(self.opening) < OPENING:
            self.opening += (PlayedAction(action, replies),)
        if self.story is not None:
            self.story.append(PlayedAction(action, replies))

    @property
    def can_run_again(self) -> bool:
        """True if no action has been completed, and none has recorded a fact or drawn a random number."""
        return not (self.decisions or self._resolver.new_facts or self.luck.is_used or self._policy_luck.is_used)

    @property
    def over(self) -> str:
        """Why the game is over, or ""."""
        return self.players.over(self.position)

    def play(self, until: Callable[[Position], bool] = lambda position: False) -> bool:
        """Play to the end, or until a condition holds between two actions; return False if the game was stopped early.

        Raises StuckGame: the rules refuse everything that the policies try.
        """
        while not self.over and not until(self.position):
            if self.actions >= self.players.max_actions or not self.act():
                return False
        return True

    def act(self) -> bool:
        """Play one action; return False if the policy takes none."""
        acting = self.players.acting_seat(self.position)
        point = partial(DecisionPoint, self.game, self.options, start=self.position, seat=acting)
        chosen = self.seats[acting].act(self.context(acting, None, None, lambda: point(facts=self.facts()), self.position))
        if not chosen:
            return False
        action, plan = (chosen.action, chosen) if isinstance(chosen, PlannedAction) else (chosen, None)
        procedure = self._runs.get(action) if isinstance(action, str) else None
        if procedure is None:
            raise policies.unknown_action(self.seats[acting], acting, action, self._runs)
        completed = self.run_action(procedure, action, plan=plan)
        if plan and completed:
            asked = {reply.key for reply in completed.kept}
            self.planned |= {name: key in asked for key in plan.answers if not self.planned.get(name := f"{action} {key}")}
        self._given_up = [] if completed else [*self._given_up, action]
        if len(self._given_up) > MAX_REFUSALS:
            raise StuckGame(f"'{action}' was given up, after {plural(MAX_REFUSALS, 'other action')}")
        return True

    def run_action(
        self,
        procedure: RuleFunction,
        action: str,
        replies: Iterable[Reply] = (),
        plan: PlannedAction | None = None,
        acting: str = "",
        anyway: bool = False,
    ) -> ActionRun | None:
        """Run an action; return None if it was refused or given up, which leaves no trace.

        Its first replies and results of effects, and a plan of answers to some of its questions, may be given. The acting seat
        takes it unless ``acting`` names another.
        """
        run = self.new_run(procedure, replies, plan, acting, anyway, action)
        try:
            if not run.follow():
                return None
        except Exception as fault:
            add_context(fault, action=action)
            raise
        self._complete(action, run.run.referee.position, tuple(run.kept), run.decisions)
        return run

    def new_run(
        self,
        procedure: RuleFunction,
        replies: Iterable[Reply] = (),
        plan: PlannedAction | None = None,
        acting: str = "",
        anyway: bool = False,
        action: str = "",
    ) -> ActionRun:
        """An action that is about to begin, with the arguments of `run_action`."""
        self.actions += 1
        self.luck.restart(self.luck_label(action))
        return ActionRun(self, procedure, acting or self.players.acting_seat(self.position), replies, plan, anyway)

    def luck_label(self, action: str) -> int | str:
        """What the luck of the next action depends on besides the seed: its number."""
        return self.actions

    def random_reply(self, request: AnyRequest, referee: Referee, replies: Sequence[Reply]) -> ReplyValue:
        """Roll or draw; ``replies`` are the replies of the action so far."""
        return random_reply(request, self.luck.randbelow)

    def pass_roll(self, request: AnyRequest, referee: Referee, replies: Sequence[Reply]) -> None:
        """Called at a roll or draw whose result is given."""

    def run_effect(self, effect: AnyEffect) -> ResolvedReply:
        """The result of an effect; lookups of facts are cached until more are recorded."""
        if not isinstance(effect, KnownFacts):
            reply = self._resolver.run_effect(effect)
            if reply.new_fact:
                self._update_cache(*reply.new_fact)
            return reply
        cached = self._fact_cache.get(effect.fact)
        if cached is None:
            cached = self._fact_cache[effect.fact] = self._resolver.run_effect(effect)
        return cached

    def set_made_up_fact(self, fact: str, value: str | None) -> None:
        """Set a made-up value of a printed fact; None removes it."""
        if value is None:
            self._resolver.new_facts.pop(fact, None)
        else:
            self._resolver.new_facts[fact] = value
        self._fact_cache.clear()
        self._facts = None

    def _update_cache(self, fact: str, value: str) -> None:
        """Update cached facts after a new one is recorded."""
        for kind, reply in self._fact_cache.items():
            if fact.startswith(f"{kind}:") and reply.value.get(key := fact[len(kind) + 1 :]) != value:
                self._fact_cache[kind] = reply._replace(value={**reply.value, key: value})
        if self._facts is not None and self._facts.get(fact) != value:
            self._facts = None

    def facts(self) -> Mapping[str, str]:
        """All known facts."""
        if self._facts is None:
            self._facts = self._resolver.known_facts()
        return self._facts

    def continue_from(self, point: DecisionPoint, candidate: Any) -> None:
        """Take a candidate (an action or a reply) at a decision point, and complete the action. Raises StuckGame: refused."""
        if point.procedure is None:
            plan = candidate if isinstance(candidate, PlannedAction) else PlannedAction(candidate)
            taken = self.run_action(self._runs[plan.action], plan.action, plan=plan, acting=point.seat)
        else:
            reply = candidate if isinstance(candidate, Reply) else Reply("", "", candidate, TRIED, seat=point.part)
            taken = self.run_action(point.procedure, "", [*point.replies, reply], acting=point.seat, anyway=point.anyway)
        if not taken:
            raise StuckGame("the candidate is refused")

    def follow(self, seat: str, plan: TurnPlan) -> None:
        """Play on until a seat plans anew (`Players.plan_period`), the seat by a plan."""
        usual, period = self.seats[seat], self.players.plan_period(self.position)
        self.seats = {**self.seats, seat: plan.make_policy()}
        self.play(lambda position: self.players.plan_period(position) != period)
        self.seats = {**self.seats, seat: usual}

    def context(
        self,
        seat: str,
        referee: Any,
        request: AnyRequest | None,
        decision_point: Callable[[], DecisionPoint],
        position: Position | None = None,
    ) -> DecisionContext:
        """What the policy of a seat is asked, about a request or the next action."""

        def weigh(candidates: Sequence[Any], names: Sequence[str], values: Sequence[float]) -> DecisionStats:
            point = decision_point()
            label = f"{self.luck.seed}/{self.actions}/{len(point.replies)}"
            return compare_by_rollouts(point, seat, candidates, names, budget, label, values=values)

        level = LEVELS.get(self.seats[seat].level) or level_of(self.options, seat)
        budget = (self.think or {}).get(seat, 0) * level.times
        randbelow = self._policy_luck.randbelow
        context = DecisionContext(self.game, self.options, seat, referee, request, randbelow, weigh, position, self.facts)
        context.given_up, context.playouts, context.level = self._given_up, budget, level
        return context


class ActionRun:
    """A running action."""

    def __init__(
        self,
        match: Match,
        procedure: RuleFunction,
        acting: str,
        replies: Iterable[Reply],
        plan: PlannedAction | None,
        anyway: bool,
    ) -> None:
        self.match = match
        self.anyway = anyway
        self.procedure = procedure
        self.acting = acting
        self.queue = deque(replies)
        self.answers = dict(plan.answers) if plan else {}
        self.kept: list[Reply] = []
        self.decisions = 0
        self.refusal = ""  # why the last answer was refused
        self.answer: Any = None  # the last answer of a policy, and the method that gave it
        self.method = "reply"
        self.rerun = match.rerun
        self.run: ProcedureRun[Any]

    def follow(self) -> bool:
        """Run to the end; return False if the action was refused or given up."""
        return self._begin() and self._go_on()

    def resume(self, match: Match, replies: Iterable[Reply]) -> bool:
        """Go on with further replies where `follow` was interrupted at a question, as if the action had run again with them.

        ``match`` is a new one in the same position.
        """
        self.match, self.rerun = match, match.rerun
        self.queue.extend(replies)
        if self.rerun is not None:
            self.rerun.go_to(self.kept, self.queue, self._beyond)
        return self._go_on()

    def _go_on(self) -> bool:
        refused = 0
        while (request := self.run.request) is not None:
            mark, fresh, reply = len(self.kept), not self.queue, None
            try:
                reply = self._reply(request, refused) if fresh else self._given(request)
                self._keep(reply)
                if reply.seat:
                    self.run.turn_to(reply.seat)
                self.run.send(unsealed(reply.value), reply.anyway)
            except (Illegal, Unreadable) as refusal:
                self.refusal = refusal.message  # not the error, whose traceback would make a reference cycle
                refused += 1
                if refused > MAX_REFUSALS or (reply is not None and reply.source == TRIED):
                    return False
                if reply is not None and not self._rewind(mark, reply):
                    return False
            else:
                if fresh:
                    refused = 0
        return True

    def _given(self, request: AnyRequest) -> Reply:
        if request.chance_setting:
            self.match.pass_roll(request, self.run.referee, self.kept)
        return self.queue.popleft()

    def _rewind(self, mark: int, refused: Reply) -> bool:
        """Return to the question whose answer was refused; a made-up fact is forgotten."""
        if refused.source == _MADE_UP:
            self.match.set_made_up_fact(refused.key, None)
        self.queue = deque([*self.kept[:mark], *self.queue])
        self.kept = []
        return self._begin()

    def _begin(self) -> bool:
        match = self.match
        referee = match.game.new_referee(match.position, match.options)
        referee.quiet = True
        if self.rerun is not None:
            referee.rerun = self.rerun
            self.rerun.go_to(self.kept, self.queue, self._beyond)
        try:
            self.run = ProcedureRun(referee, self.procedure(referee), self._settle, self.anyway)
        except (Illegal, Unreadable):
            return False
        return True

    def _settle(self, effect: AnyEffect) -> ReplyValue:
        if not effect.stored:
            return effect.default_result()
        if self.queue:
            reply = self.queue.popleft()
        else:
            resolved = self._decide(effect) if isinstance(effect, RolloutDecision) else self.match.run_effect(effect)
            reply = fast_new(Reply, (effect.key, effect.kind, resolved.value, resolved.source, False, effect.rule, (), "", 0))
        self._keep(reply)
        return reply.value

    def _keep(self, reply: Reply) -> None:
        self.kept.append(reply)
        if self.rerun is not None:
            self.rerun.pass_reply(reply)

    def _beyond(self) -> object:
        """What the rest of the action depends on besides the referee and given replies."""
        match = self.match
        return match.luck.state, match._policy_luck.state, match._resolver.new_facts.copy()

    def _decide(self, effect: RolloutDecision) -> ReplyValue:
        match = self.match
        if match.think is None:
            return effect.resolve({})
        label = f"{match.luck.seed}/{match.actions}/{len(self.kept)}"
        return decide_by_rollouts(self._point(), effect, match.think.get(effect.seat, 0), label)

    def _point(self, request: AnyRequest | None = None) -> DecisionPoint:
        """The point that the action has reached; `request`: the question that is decided, None at a decision by rollouts."""
        match = self.match
        replies, part = self.kept, ""
        if request is not None and request.sealed is not None:  # no peeking: the other seats answer anew in rollouts
            replies, part = without_unrevealed(self.kept), request.seat
        point = DecisionPoint(match.game, match.options, match.facts(), match.position, self.procedure, tuple(replies))
        return point._replace(seat=self.acting, anyway=self.anyway, part=part)

    def _reply(self, request: AnyRequest, refused: int) -> Reply:
        if request.chance_setting:
            self.decisions += not refused
            value, source = self.match.random_reply(request, self.run.referee, self.kept), "computer"
        elif not refused and (only := request.forced_reply()) is not None:
            value, source = request.check(only), FORCED
        else:
            self.decisions += not refused
            value, source = self._chosen_reply(request, refused)
        seat, left = request.sealed.place_of(request.seat) if request.sealed else ("", 0)
        return fast_new(Reply, (request.key, request.kind, value, source, False, request.rule, (), seat, left))

    def _chosen_reply(self, request: AnyRequest, refused: int) -> tuple[ReplyValue, Source]:
        match = self.match
        if isinstance(request, Printed):
            return self._printed_value(request)
        seat = match.players.asked_seat(request, self.acting)
        policy = match.seats[seat]
        if request.key in self.answers and not refused and not policy.revises_plans:
            self.answer, self.method = self.answers.pop(request.key), "act"
            return request.check(self.answer), "scripted"
        context = match.context(seat, self.run.referee, request, partial(self._point, request))
        context.planned, context.refusal = self.answers, self.refusal
        if refused == 1 and policy.counts_refusals and type(policy) is not Policy:
            match.refused += 1
            if len(match.refusals) < MAX_REFUSALS_KEPT:
                match.refusals.append(policies.refused_answer(policy, self.method, seat, request.key, self.answer, self.refusal))
        self.answer, self.method = None, "reply"
        self.answer = policy.reply_after_refusal(context, refused) if refused else policy.reply(context)
        if match.game.is_from_outside and policy.counts_refusals:  # a wrong answer would fail somewhere in the rules
            return request.check(self.answer), "scripted"
        return self.answer, "scripted"

    def _printed_value(self, request: Printed) -> tuple[ReplyValue, Source]:
        match = self.match
        known_reply = match._resolver.automatic_reply(request, 0)
        if known_reply:
            return known_reply.value, known_reply.source
        value = request.check(match.players.made_up_fact(request, match._policy_luck.randbelow))
        match.set_made_up_fact(request.fact, value)
        return value, _MADE_UP


def with_cups_by_name(position: Position, cups: Collection[str]) -> Position:
    """The position with the counters of its cups in the order of their names.

    A random draw takes a counter by its number in the cup, so worlds of the same seed would otherwise depend on an order that no
    player knows. Counters of the same name keep their order: a draw that is given by name takes the same one as in play.
    """
    hidden = [piece for piece in position.pieces.values() if piece.place in cups]
    ordered = sorted(hidden, key=lambda piece: piece.name)
    if ordered == hidden:
        return position
    rest = {id: piece for id, piece in position.pieces.items() if piece.place not in cups}
    return position.changed(pieces={**rest, **{piece.id: piece for piece in ordered}})


def compare_by_rollouts(
    point: DecisionPoint,
    seat: str,
    candidates: Sequence[Any],
    names: Sequence[str],
    budget: int,
    label: str,
    watch: procedures.ProgressCallback = procedures.ignore_progress,
    values: Sequence[float] = (),
    spread: Spread = in_turn,
    horizon: int | None = None,
) -> DecisionStats:
    """Compare candidates (actions, planned actions, plans of a turn or replies; the first is the default) by rollouts for a seat.

    The budget is the average number of playouts per candidate, ``values`` are the candidates' in VP by the seat's priorities,
    ``spread`` runs the playouts, ``horizon`` are the turns of one (None: as usual). The label of the sampled worlds is never that
    of the session's own dice.
    """
    players = point.game.players
    options = players.rollout_options(point.options)
    known = with_cups_by_name(point.start, point.game.cups)

    def play(candidate: int, world: int) -> Outcome:
        luck = RandomStream(f"think/{label}/{world}")
        start = players.sample_hidden(known, seat, luck.randbelow)
        seats = {name: players.rollout_policy(name) for name in players.seats}
        match = Match(point.game, point.options, seats, luck, point.facts, start)
        chosen = candidates[candidate]
        if isinstance(chosen, TurnPlan):
            match.options = options
            match.follow(seat, chosen)
        else:
            match.continue_from(point, chosen)
            match.options = options
        cut = players.turn(point.start) + (players.horizon if horizon is None else horizon)
        match.play(lambda position: players.turn(position) >= cut)
        return Outcome(players.value(match.position, options, seat), players.win(match.position, options, seat))

    if not budget:
        return DecisionStats(0)
    prior = Prior([value * players.prior_scale for value in values], players.prior_worlds)
    alike = 1 if any(isinstance(candidate, TurnPlan) for candidate in candidates) else 2  # plans often lead to the same actions
    stats = RolloutComparison(play, names, budget, watch, prior, spread, alike).run()
    return stats.relative_to(players.rollout_baseline(point.start, options, seat))


def decide_by_rollouts(
    point: DecisionPoint,
    think: RolloutDecision,
    budget: int,
    label: str,
    watch: procedures.ProgressCallback = procedures.ignore_progress,
    spread: Spread = in_turn,
) -> ReplyValue:
    """Decide for an automated side; return the reply to store. The level multiplies the budget."""
    level = level_of(point.options, think.seat)
    if level.slips:
        number = RandomStream(f"slip/{label}").randbelow
        slips = number(100) < level.slips and len(think.names) > 1
        return think.to_reply(DecisionStats(1 + number(len(think.names) - 1) if slips else 0))
    tried = [Reply(think.key, think.kind, [choice], TRIED) for choice in range(len(think.names))]
    worlds = budget * level.times
    tried_in = (think.names, worlds, label, watch, think.values, spread, think.horizon)
    return think.to_reply(compare_by_rollouts(point, think.seat, tried, *tried_in))


class AdvisedMove(NamedTuple):
    """Advice with its reasons, and the input that carries it out ("" if there is nothing to do).

    ``plan`` is the same as data, at a question with the answer alone and without an action; ``candidates`` are what was compared,
    the advised one first, none if the advice rests on no comparison.
    """

    said: Said
    input_text: str = ""
    plan: PlannedAction | None = None
    candidates: tuple[Candidate[PlannedAction], ...] = ()


SEEN = "Nothing to decide: it can be seen on the table"


def recommend_for(
    point: DecisionPoint,
    referee: Any,
    request: AnyRequest | None,
    budget: int | None,
    label: str,
    watch: procedures.ProgressCallback,
    spread: Spread = in_turn,
) -> AdvisedMove | None:
    """What the game's adviser would do at a decision point; None if there is none for the deciding seat.

    ``request`` is None between two actions, ``budget`` None for the usual playouts. ``label`` is never that of the session's own
    dice.
    """
    players = point.game.players
    acting = players.acting_seat(point.start)
    seat = players.asked_seat(request, acting) if request is not None else acting
    if not (name := players.adviser(seat)):
        return None
    if request is None and (over := players.over(point.start)):
        return AdvisedMove(Said(f"Nothing more to do: {over}", ""))
    if request is not None and request.chance_setting:
        return AdvisedMove(Said("Nothing to decide: go on", request.rule))
    if isinstance(request, Printed):
        return AdvisedMove(Said(SEEN, request.rule))
    usual = players.default_playouts(point.options) if players.advice_playouts is None else players.advice_playouts
    playouts = usual if budget is None else budget

    def weigh(candidates: Sequence[Any], names: Sequence[str], values: Sequence[float]) -> DecisionStats:
        return compare_by_rollouts(point, seat, candidates, names, playouts, label, watch, values, spread)

    randbelow = RandomStream(f"advice/{label}").randbelow
    context = DecisionContext(point.game, point.options, seat, referee, request, randbelow, weigh, facts=lambda: point.facts)
    context.playouts, context.on_progress, context.is_advising, context.level = playouts, watch, True, LEVELS[NORMAL]
    policy = players.policy(seat, name)
    if request is None:
        chosen = policy.act(context)
        plan = planned_action(chosen)
        text, rules = plan_to_input(plan), {action.id: action.rule for action in point.game.actions}
        if text and plan.action not in rules:
            raise policies.unknown_action(policy, seat, plan.action, rules)
        said = Said(text or "Nothing more", rules.get(plan.action, ""), tuple(context.reasons))
        return AdvisedMove(said, text, plan if text else None, compared_plans(context, planned_action, plan))
    if policy.is_visible_on_table(context):
        return AdvisedMove(Said(SEEN, request.rule))
    if not policy.has_advice(context):
        return None
    side = f" for the {request.asked_side}" if request.asked_side else ""
    reply = policy.reply(context)
    text = request.to_input(reply)
    title = request.display(reply).removeprefix(text).strip()  # a title begins with the name that is typed
    shown = f"{text} ({title})" if title else text
    said = Said(f"Advice{side}: {shown}", request.rule, tuple(context.reasons))

    def answered(decision: Any) -> PlannedAction:
        return PlannedAction("", {request.key: request.check(decision)})

    plan = PlannedAction("", {request.key: reply})
    return AdvisedMove(said, text, plan, compared_plans(context, answered, plan))


def planned_action(chosen: Any) -> PlannedAction:
    """What a policy chose as a planned action."""
    return chosen if isinstance(chosen, PlannedAction) else PlannedAction(chosen)


def compared_plans(
    context: DecisionContext[Any], to_plan: Callable[[Any], PlannedAction], advised: PlannedAction
) -> tuple[Candidate[PlannedAction], ...]:
    """The candidates of an advice as plans, without those that cannot be given; none if the advised one is not the first."""
    candidates: list[Candidate[PlannedAction]] = []
    for candidate in context.candidates:
        with suppress(CompanionError):
            candidates.append(candidate._replace(decision=to_plan(candidate.decision)))
    return tuple(candidates) if candidates and candidates[0].decision == advised else ()


def plan_to_input(plan: PlannedAction) -> str:
    """Format a planned action as input. No full stop follows: it would be read as part of the last answer."""
    return " ".join([plan.action, *(f"{key}={_answer(value)}" for key, value in plan.answers.items())])


def _answer(value: ReplyValue) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = (", ".join(map(str, value)) or NONE_WORDS[0]) if isinstance(value, list | tuple) else str(value)
    mark = '"' if "'" in text else "'"  # a Section may bear a prime: 14-2'
    return f"{mark}{text}{mark}" if " " in text or "'" in text else text
