"""Policies: who plays a game without people. Each game derives its own `Players`.

A policy says what its seat does next and answers the questions put to it. Dice and draws never depend on it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from copy import copy
from functools import cached_property, partial

from companion.core.errors import RuleFault, Unreadable
from companion.core.fit import DEFAULT_SPREAD, FIT, SPREAD, WIN, FittedValue
from companion.core.hints import TYPE_CHECKING, Any, Generic, TypeVar
from companion.core.named_tuple import NamedTuple
from companion.core.position import Position
from companion.core.procedures import ProgressCallback, RefereeT, ignore_progress
from companion.core.requests import Allot, AnyRequest, Choose, Confirm, Draw, Number, Pick, Printed, Roll, Text
from companion.core.review import VP_PER_WIN
from companion.core.rollouts import LEVELS, DecisionStats, Level, level_of
from companion.core.text import clean, split_list
from companion.core.values import ReplyValue
from companion.core.vocabulary import PLAYER

if TYPE_CHECKING:
    from companion.core.candidates import Candidate, Recommendation
    from companion.core.events import Event, Said
    from companion.core.game import Action, Game

D = TypeVar("D")
RANDOM, PLAIN, BOT, PLANNER = "random", "plain", "bot", "planner"
RandBelow = Callable[[int], int]  # Returns a random number from 0 up to but excluding its argument


class DecisionContext(Generic[RefereeT]):
    """What a policy is asked, and what it may look at. ``request`` is None where the next action is wanted.

    ``randbelow`` is independent of the dice. ``given_up`` are the actions given up since the last completed one, because the
    rules refused every attempt. ``reasons`` say why the policy decides so, one line each. ``candidates`` are what an advising
    policy compared, the best first; their decisions are actions, planned actions or answers. ``playouts`` per candidate at the
    level of play and ``on_progress`` are for a policy that runs rollouts of its own. An advising policy never slips, whatever the
    level. ``weigh`` runs rollouts from candidates with names and with their values by the priorities. Without a referee at work,
    one is made from the position on demand. ``planned`` are the answers left of the plan of the current action, by key;
    ``refusal`` is why the rules refused the last answer that they refused in this action.
    """

    def __init__(
        self,
        game: Game,
        options: Mapping[str, str],
        seat: str,
        referee: RefereeT | None,
        request: AnyRequest | None,
        randbelow: RandBelow,
        weigh: Callable[[Sequence[Any], Sequence[str], Sequence[float]], DecisionStats],
        position: Position | None = None,
        facts: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        self.game = game
        self.options = options
        self.seat = seat
        self.request = request
        self.randbelow = randbelow
        self.reasons: list[str] = []
        self.candidates: tuple[Candidate[Any], ...] = ()
        self.given_up: Collection[str] = ()
        self.playouts = 0
        self.level: Level = level_of(options)
        self.is_advising = False
        self.planned: dict[str, Any] = {}
        self.refusal = ""
        self.on_progress: ProgressCallback = ignore_progress
        self._weigh = weigh
        self._referee: RefereeT | None = referee
        self._position = position
        self._facts = facts

    @property
    def facts(self) -> Mapping[str, str]:
        return self._facts()

    @property
    def referee(self) -> RefereeT:
        if self._referee is None:
            assert self._position is not None
            self._referee = self.game.new_referee(self._position, self.options)
        return self._referee

    @property
    def position(self) -> Position:
        return self.referee.position if self._position is None else self._position

    def explain(self, *lines: str) -> None:
        """Add reasons."""
        self.reasons += lines

    def consider(self, ranking: Recommendation[D], action: Callable[[D], Any] = lambda decision: decision) -> None:
        """Set the candidates of an advice. ``action`` converts a decision into the action, planned action or answer."""
        if self.is_advising and (ranking.others or ranking.best.value):  # else nothing was compared
            self.candidates = tuple([one._replace(decision=action(one.decision)) for one in ranking.valued()])

    def aside(self) -> DecisionContext[RefereeT]:
        """The same without playouts, where explanations and candidates are set aside."""
        aside: DecisionContext[RefereeT] = copy(self)
        aside.reasons, aside.candidates, aside.playouts = [], (), 0
        aside._weigh = lambda candidates, names, values: DecisionStats(0)
        return aside

    def compare_by_rollouts(self, candidates: Sequence[Any], names: Sequence[str]) -> int:
        """Return the index of the best candidate by rollouts, and explain it. Without rollouts the first is taken."""
        if len(candidates) < 2:
            return 0
        stats = self._weigh(candidates, names, ())
        self.reasons += stats.explain()
        return stats.choice

    def slips(self, best: str) -> bool:
        """True if the policy makes a mistake on purpose, by the level of play; ``best`` is what it would have done."""
        if not self.level.slips or self.is_advising or self.randbelow(100) >= self.game.players.slip_percent:
            return False
        self.explain(f"it slips: {best} is what it values most")
        return True

    def compare(self, ranking: Recommendation[D], action: Callable[[D], Any] = lambda decision: decision) -> Recommendation[D]:
        """Choose by rollouts among the candidates of a recommendation that are worth one.

        ``action`` converts a decision into the action, planned action, plan of a turn or answer.
        """
        compared = ranking.compared
        if len(compared) < 2:
            return ranking
        actions, names = [action(candidate.decision) for candidate in compared], [candidate.name for candidate in compared]
        return ranking.after(self._weigh(actions, names, [candidate.value for candidate in compared]))

    def choose(self, ranking: Recommendation[D], action: Callable[[D], Any] = lambda decision: decision) -> Recommendation[D]:
        """`compare`, with the candidates of an advice set."""
        chosen = self.compare(ranking, action)
        self.consider(chosen, action)
        return chosen


class Policy:
    """Decides for a seat. This one takes the suggestion, else the plain reply."""

    counts_refusals = True
    """False if it answers at random, so that refused answers are expected and not counted."""
    revises_plans = False
    """True if it is asked the questions, too, that the plan of an action answers."""
    level: str = ""
    """The name of its level of play; "" for that of the session."""

    def __init__(self, players: Players) -> None:
        self.players = players

    def title_and_place(self, method: str) -> tuple[str, tuple[str, int]]:
        """The name of this policy for its author, and file and line of one of its methods."""
        code = getattr(type(self), method).__code__
        return type(self).__name__, (code.co_filename, code.co_firstlineno)

    def act(self, context: DecisionContext) -> str:
        """Return the id of the next action; "" to end the game."""
        return context.game.default_action(context.position) or self.players.random_action(context)

    def reply(self, context: DecisionContext) -> ReplyValue:
        """Return the answer to the question, as its ``check`` accepts it."""
        assert context.request is not None
        if context.request.suggest is not None:
            return context.request.check(context.request.suggest)
        return self.players.plain_reply(context)

    def has_advice(self, context: DecisionContext) -> bool:
        """True if its answer rests on more than chance and can be given as advice."""
        return True

    def is_visible_on_table(self, context: DecisionContext) -> bool:
        """True if the answer is visible on the table, so that nothing is decided."""
        return False

    def reply_after_refusal(self, context: DecisionContext, times: int) -> ReplyValue:
        """Return another answer after the rules refused ``times`` answers."""
        return self.players.random_reply(context)

    def memory(self, position: Position) -> Hashable:
        """What decisions from a position on depend on besides the position; playouts that agree in it go on alike.

        By default all attributes, so that a policy with an object of its own which is not compared by value agrees with no other.
        Raises TypeError: one of them cannot be compared.
        """
        attributes = tuple(vars(self).items())
        hash(attributes)
        return attributes


class RefusedAnswer(NamedTuple):
    """An answer of a policy that the rules refused.

    Attributes:
        seat, policy: The seat, and the name of the class.
        key: The question.
        answer: As the policy gave it; "" if it gave none that can be read.
        reason: Of the refusal.
        place: File and line of the method that gave it.
    """

    seat: str
    policy: str
    key: str
    answer: str
    reason: str
    place: tuple[str, int]


def refused_answer(policy: Policy, method: str, seat: str, key: str, answer: Any, reason: str) -> RefusedAnswer:
    """Describe a refused answer, given by a method of a policy; ``answer`` is None if it could not be read."""
    title, place = policy.title_and_place(method)
    return RefusedAnswer(seat, title, key, "" if answer is None else str(answer), reason, place)


def unknown_action(policy: Policy, seat: str, action: object, known: Iterable[str]) -> RuleFault:
    """The fault of a policy that takes an action which the game does not have."""
    title, place = policy.title_and_place("act")
    return RuleFault(f"the policy {title} of '{seat}' takes an unknown action {action!r}: {', '.join(known)}", place)


class AdvisedPolicy(Policy):
    """Answers with the advice of the request, as the game's opponent would; else with the suggestion."""

    def has_advice(self, context: DecisionContext) -> bool:
        request = context.request
        return request is None or request.suggest is not None or (request.advice is not None and request.advice() is not None)

    def reply(self, context: DecisionContext) -> ReplyValue:
        assert context.request is not None
        advice = context.request.advice() if context.request.advice else None
        if advice is None:
            return super().reply(context)
        advice = context.choose(advice)
        context.explain(*advice.brief())
        return context.request.check(advice.best.decision)


class RandomPolicy(Policy):
    """Takes any open action and any possible answer."""

    counts_refusals = False

    def act(self, context: DecisionContext) -> str:
        return self.players.random_action(context)

    def reply(self, context: DecisionContext) -> ReplyValue:
        return self.players.random_reply(context)


def _at_level(make: Callable[[], Policy], level: str) -> Policy:
    policy = make()
    policy.level = level
    return policy


class GameResult(NamedTuple):
    """How a game ended: the result in one or two words (``us``, ``nva``, ``draw``, ``won``, ``lost``), and the score in VP."""

    result: str
    score: float


class Players:
    """The seats of a game, in the order of the rulebook, and the policies that can play them.

    ``seats`` are those of the game's tables unless a derived class names others. ``seats_alternate`` is True if the position says
    which seat acts. An unfinished game is stopped after ``max_actions``. A playout lasts ``horizon`` turns; `END`: to the end of
    the game. ``playouts`` are per candidate at the normal level, ``advice_playouts`` the same for advice (None: as many). A
    planner's own values count in a comparison like ``prior_worlds`` playouts, their differences multiplied by ``prior_scale``.
    ``slip_percent`` is the percentage of actions in which an easy planner makes a mistake. ``winning_results`` are those of
    `outcome` that the player of a solitaire game has won with; without any, nobody wins. ``table_options`` are the options
    besides those of the seats that change no rule.
    """

    END = 10_000

    seats_alternate: bool = False
    max_actions: int = 2_000
    horizon: int = 1
    playouts: int = 0
    advice_playouts: int | None = None
    prior_worlds: float = 4.0
    prior_scale: float = 1.0
    slip_percent: int = 0
    winning_results: Collection[str] = ()
    table_options: Collection[str] = ("players", "opponent", "level")

    def __init__(self, game: Game) -> None:
        self.game = game

    @cached_property
    def score_spread(self) -> float:
        """The standard deviation of the final score in usual games, in VP."""
        return float(self.game.tables.bot.get(FIT, {}).get(SPREAD, DEFAULT_SPREAD))

    @property
    def vp_per_win(self) -> float:
        """The VP that count like a whole chance to win, where no chance to win is known."""
        return VP_PER_WIN * self.score_spread

    @property
    def review_horizon(self) -> int:
        """The turns that a playout of a review lasts."""
        return self.horizon

    @cached_property
    def seats(self) -> tuple[str, ...]:
        """The seats in the order of the rulebook."""
        return tuple(self.game.tables.game.get("seats", (PLAYER,)))

    def policies(self, seat: str) -> Mapping[str, Callable[[], Policy]]:
        """The policies of a seat by name; the first is the usual one."""
        return {PLAIN: lambda: Policy(self), RANDOM: lambda: RandomPolicy(self)}

    @staticmethod
    def levels(make: Callable[[], Policy]) -> Mapping[str, Callable[[], Policy]]:
        """A policy at each level of play, by the name of the level."""
        return {level: partial(_at_level, make, level) for level in LEVELS}

    def policy(self, seat: str, name: str) -> Policy:
        """The policy of a seat by name. Raises Unreadable: there is no such seat or policy."""
        if seat not in self.seats:
            raise Unreadable(f"{self.game.title} has no seat '{clean(seat)}'", cure=f"Seats: {', '.join(self.seats)}")
        policies = self.policies(seat)
        if name not in policies:
            raise Unreadable(f"the seat '{seat}' has no policy '{clean(name)}'", cure=f"Policies: {', '.join(policies)}")
        return policies[name]()

    def adviser(self, seat: str) -> str:
        """The name of the policy that advises the player of a seat; "" if there is none."""
        return PLANNER if PLANNER in self.policies(seat) else ""

    def default_playouts(self, options: Mapping[str, str]) -> int:
        """Playouts per candidate in a session with these options; the level multiplies them."""
        return self.playouts

    def advises_between(self, position: Position, options: Mapping[str, str]) -> bool:
        """True if the adviser also advises between two actions, in a game whose opponent gives advice of its own."""
        return False

    def options_for_policies(self, policies: Mapping[str, str]) -> Mapping[str, str]:
        """Options that differ from the usual ones when these policies (by seat) play."""
        return {}

    def practice_options(self) -> Mapping[str, str]:
        """Scenario and options that need nothing from the owner's set."""
        return dict(self.game.practice or {})

    def rollout_policy(self, seat: str) -> Policy:
        """The policy of a seat in rollouts: the fastest one that plays sensibly."""
        return Policy(self)

    def rollout_options(self, options: Mapping[str, str]) -> Mapping[str, str]:
        """The options of play in rollouts, from the next action on."""
        return options

    def plan_period(self, position: Position) -> object:
        """What changes where a seat plans anew: the turn, unless a game plans more often."""
        return self.turn(position)

    def acting_seat(self, position: Position) -> str:
        """The seat that takes the next action; the first of several."""
        return self.game.acting_seats(position)[0]

    def is_computer_turn(self, position: Position, options: Mapping[str, str]) -> bool:
        """True if a seat that Companion plays takes the next action."""
        return self.seats_alternate and self.is_computer(self.acting_seat(position), options)

    def is_computer(self, seat: str, options: Mapping[str, str]) -> bool:
        """True if Companion plays a seat, by the option of that name."""
        return options.get(seat, PLAYER) != PLAYER

    def asked_seat(self, request: AnyRequest, acting: str) -> str:
        """The seat that a question is put to."""
        seat = (request.seat or request.asked_side).casefold()
        return seat if seat in self.seats else acting

    def player_name(self, options: Mapping[str, str], position: Position, request: AnyRequest | None) -> str:
        """The name of the player who decides (without a request: who acts) if the ``players`` option names them; else ""."""
        named = split_list(options.get("players", ""))
        if len(self.seats) < 2 or len(named) != len(self.seats):
            return ""
        acting = self.acting_seat(position) if self.seats_alternate else ""
        seat = self.asked_seat(request, acting) if request else acting
        return named[self.seats.index(seat)] if seat in self.seats else ""

    def turn(self, position: Position) -> int:
        """The number of the turn."""
        return position.track("turn")

    def over(self, position: Position) -> str:
        """Why play has ended, or "". A campaign goes on after the end of a session's turns."""
        return self.game.over(position)

    def outcome(self, position: Position, options: Mapping[str, str]) -> GameResult:
        """The result, final or so far."""
        score = self.game.score(position, options)
        return GameResult(score.verdict, score.total)

    def value(self, position: Position, options: Mapping[str, str], seat: str) -> float:
        """The value of a position to a seat in VP: the score if the game is over, else an estimate."""
        return self.outcome(position, options).score

    def win(self, position: Position, options: Mapping[str, str], seat: str) -> float | None:
        """The chance of a seat to win: 0, 1 or 0.5 (a draw) after the end; None if nobody wins, or nothing is known of it.

        Before the end it is the fitted chance, if `knows_win` is true.
        """
        if self.over(position):
            return self.won(self.outcome(position, options).result, seat)
        fitted = self.fitted(WIN)
        if fitted is None or not self.knows_win(options):
            return None
        chance = fitted.value(self.features(position, options, self.seats[0]))
        return chance if seat == self.seats[0] else 1 - chance

    def knows_win(self, options: Mapping[str, str]) -> bool:
        """True if the chance to win is known before the end: one was fitted on games of the same scenario and rules."""
        fitted = self.fitted(WIN)
        if fitted is None or not fitted.is_for(options):
            return False
        covered = fitted.covered_options
        return all(options.get(option, usual) == usual for option, usual in self._usual_rules if option not in covered)

    @cached_property
    def _usual_rules(self) -> tuple[tuple[str, str], ...]:
        """The options that change rules, with their defaults."""
        others = (*self.seats, *self.table_options)
        return tuple([(option.id, option.default) for option in self.game.options.values() if option.id not in others])

    def features(self, position: Position, options: Mapping[str, str], seat: str) -> Mapping[str, float]:
        """Plain figures of a position between two turns, from the view of a seat.

        Values are fitted on those of the first seat.
        """
        return {}

    def fitted(self, kind: str) -> FittedValue | None:
        """The fitted value of positions to the first seat: ``score`` or ``win``; None if there is none."""
        if kind not in self._fitted:
            self._fitted[kind] = FittedValue.read(self.game.tables.bot, kind)
        return self._fitted[kind]

    @cached_property
    def _fitted(self) -> dict[str, FittedValue | None]:
        return {}

    def won(self, result: str, seat: str) -> float | None:
        """1.0 if a seat has won with a result of `outcome`, 0.0 if it has lost, 0.5 for a draw; None if nobody wins."""
        if len(self.seats) > 1:
            return 1.0 if result == seat else 0.0 if result in self.seats else 0.5
        return float(result in self.winning_results) if self.winning_results else None

    def rollout_baseline(self, position: Position, options: Mapping[str, str], seat: str) -> float:
        """Subtracted from the values shown for rollouts, where the valuation counts everything still to come. Decides nothing."""
        return 0.0

    def sample_hidden(self, position: Position, seat: str, number: RandBelow) -> Position:
        """A position that the seat cannot tell from this one: hidden information is dealt anew."""
        return position

    def review(
        self, story: Iterable[Sequence[Event]], options: Mapping[str, str], budget: int | None, watch: ProgressCallback
    ) -> Said | None:
        """A review of a finished game, from the events of every entry, for a player who asks for advice; or None.

        The budget is in playouts per candidate; None: as many as a player would wait for.
        """
        return None

    def action_weight(self, action: str) -> int:
        """How often a random player takes an action, relative to others; 0: never."""
        return 1

    def random_action(self, context: DecisionContext) -> str:
        """A random open action; "" if there is none."""
        position, left, given_up = context.position, self._weighted_actions, ""
        while left:  # stops at the first open action, since obstacles take time
            action = left[context.randbelow(len(left))]
            if action.obstacle(position) is None:
                if action.id not in context.given_up:
                    return action.id
                given_up = given_up or action.id
            left = [other for other in left if other is not action]
        return given_up

    @cached_property
    def _weighted_actions(self) -> list[Action]:
        """The actions of a random player, each repeated by its weight."""
        usual = [action for action in self.game.actions if action.usual and not action.look]
        return [action for action in usual for _ in range(self.action_weight(action.id))]

    def random_reply(self, context: DecisionContext) -> ReplyValue:
        """A random possible answer."""
        assert context.request is not None
        return random_reply(context.request, context.randbelow)

    def plain_reply(self, context: DecisionContext) -> ReplyValue:
        """The answer of a player who presses Enter at a question without a suggestion."""
        return self.random_reply(context)

    def made_up_fact(self, request: Printed, number: RandBelow) -> str:
        """A value for a printed fact that is not recorded."""
        return str(random_reply(request, number))


_MIN_REST = 1 << 64  # Minimum rest of a hash, so that all numbers are equally likely


class RandomStream:
    """Random numbers for the dice and draws of whole games: a function of the seed alone.

    The stream restarts at each action, so that games that differ in one decision have the same luck afterwards.
    """

    __slots__ = ("_hash", "_label", "_left", "_taken", "seed")

    def __init__(self, seed: str) -> None:
        from hashlib import blake2b

        self._hash = blake2b
        self.seed = seed
        self.restart(0)

    def substream(self, name: str) -> RandomStream:
        """An independent stream, for anything but dice and draws."""
        return RandomStream(f"{self.seed}/{name}")

    def restart(self, action: int | str) -> None:
        """Restart at the action of that number or label."""
        self._label: int | str = action
        self._taken = self._left = 0

    @property
    def is_used(self) -> bool:
        """True if a number has been drawn since the last restart."""
        return self._taken > 0

    @property
    def state(self) -> tuple[int | str, int, int]:
        """What the next numbers depend on besides the seed."""
        return self._label, self._taken, self._left

    def randbelow(self, below: int) -> int:
        """A random number from 0 up to but excluding the argument."""
        left = self._left
        if left < _MIN_REST:
            label = f"{self.seed}/{self._label}/{self._taken}"
            left = int.from_bytes(self._hash(label.encode()).digest(), "big")
            self._taken += 1
        self._left, number = divmod(left, below)
        return number


def _random_pick(request: Pick, randbelow: RandBelow) -> list[str]:
    left = [choice.value for choice in request.choices]
    most = min(request.high, len(left), request.low + 3)
    return request.check([left.pop(randbelow(len(left))) for _ in range(request.low + randbelow(most - request.low + 1))])


def _random_text(request: Text, randbelow: RandBelow) -> str:
    choices = request.legal_choices()
    if choices and randbelow(10):
        return request.check(choices[randbelow(len(choices))].value)
    return request.check(str(request.suggest or request.notation.example))


def _random_printed(request: Printed, randbelow: RandBelow) -> str:
    words = request.notation.choices
    return request.check(words[randbelow(len(words))] if words else request.notation.example)


_RANDOM_REPLIES: dict[type, Callable[[Any, RandBelow], ReplyValue]] = {
    Choose: lambda request, randbelow: request.choices[randbelow(len(request.choices))].value,
    Number: lambda request, randbelow: request.low + randbelow(min(request.high - request.low, 6) + 1),
    Confirm: lambda request, randbelow: randbelow(2) == 1,
    Pick: _random_pick,
    Allot: _random_pick,
    Text: _random_text,
    Printed: _random_printed,
    Roll: lambda request, randbelow: [request.lowest + randbelow(request.sides) for _ in range(request.count)],
    Draw: Draw.random_counter,
}


def random_reply(request: AnyRequest, randbelow: RandBelow) -> ReplyValue:
    """A random reply that the request accepts. Raises TypeError: its class derives from none of those above."""
    for kind in type(request).__mro__:  # a plug-in may derive its own requests
        if kind in _RANDOM_REPLIES:
            return _RANDOM_REPLIES[kind](request, randbelow)
    raise TypeError(f"no random replies for {type(request).__name__}")
