"""Who plays a game without people: its seats, and the policies that decide for them.

A policy answers what is put to its seat, and says what it does next. It sees what the referee holds; what is drawn or rolled
is never its business. Each game derives its own ``Players`` and fills in what is below.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, NamedTuple

from companion.core.errors import Unreadable
from companion.core.position import Position
from companion.core.procedures import ProgressCallback, RefereeT, ignore_progress
from companion.core.request import AnyRequest
from companion.core.requests import Allot, Choose, Confirm, Draw, Number, Pick, Printed, Roll, Text
from companion.core.rollouts import level_of
from companion.core.text import clean, split_list
from companion.core.values import ReplyValue
from companion.core.vocabulary import PLAYER

if TYPE_CHECKING:
    from companion.core.events import Event, Said
    from companion.core.game import Action, Game
    from companion.core.rollouts import DecisionStats

RANDOM, PLAIN, BOT, PLANNER = "random", "plain", "bot", "planner"


class DecisionContext(Generic[RefereeT]):
    """What a policy is asked, and what it may look at.

    Attributes:
        game: the game; ``options``: of this play of it.
        seat: for whom it decides.
        referee: on the position as it is now.
        request: the question; None where the next action is wanted.
        facts: what the owner has told, by full key.
        number: gives a whole number from 0 up to but without another, by chance: the policy's own, not that of the dice.
        given_up: actions that were given up since the last one that was carried out: the rules refused whatever was tried.
        reasons: why it decides so, a line each, for whoever asks for advice; what is weighed tells its own.
        budget: playouts a candidate, for a policy that plays on by itself; 0: its priorities alone.
        watch: is shown how far such a policy has come.
        steady: it advises, and so never slips, whatever the level.
    """

    __slots__ = (
        "_facts",
        "_position",
        "_referee",
        "_weigh",
        "game",
        "given_up",
        "is_advising",
        "on_progress",
        "options",
        "playouts",
        "randbelow",
        "reasons",
        "request",
        "seat",
    )

    def __init__(
        self,
        game: Game,
        options: Mapping[str, str],
        seat: str,
        referee: RefereeT | None,
        request: AnyRequest | None,
        number: RandBelow,
        weigh: Callable[[Sequence[Any], Sequence[str], int], DecisionStats],
        position: Position | None = None,
        facts: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        """
        Args:
            weigh: plays on from candidates, with their names, for so many times the usual budget.
            position: where no referee is at work, to be opened for who asks for one.
        """
        self.game = game
        self.options = options
        self.seat = seat
        self.request = request
        self.randbelow = number
        self.reasons: list[str] = []
        self.given_up: Collection[str] = ()
        self.playouts = 0
        self.is_advising = False
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
        """Why it decides so."""
        self.reasons += lines

    def compare_by_rollouts(self, candidates: Sequence[Any], names: Sequence[str], times: int = 1) -> int:
        """The number of the candidate to take, by playing on from each: actions, plans (``Plan``), or answers to the question.

        Args:
            candidates: the first is what the priorities say; it is taken where nobody plays on.
            names: the candidates in words.
            times: the usual budget.
        """
        if len(candidates) < 2:
            return 0
        thought = self._weigh(candidates, names, times)
        self.reasons += thought.explain()
        return thought.choice

    def slips(self, best: str) -> bool:
        """Whether it does anything that comes to hand instead of what it holds best, by the level of play."""
        level = level_of(self.options)
        if not level.slips or self.is_advising or self.randbelow(100) >= self.game.players.slip_percent:
            return False
        self.explain(f"it slips: {best} is what it holds best")
        return True

    def choose_by_rollouts(self, candidates: Sequence[Any], names: Sequence[str]) -> int:
        """As ``weigh``, with the budget that goes with the level of play; who advises does so as usual at any level."""
        return self.compare_by_rollouts(candidates, names, 1 if self.is_advising else level_of(self.options).times)


class Policy:
    """Decides for a seat. This one takes what Enter gives: what is suggested, else the first answer that there is."""

    def __init__(self, players: Players) -> None:
        self.players = players

    def act(self, context: DecisionContext) -> str:
        """The id of the action to take now; "" to end the game here."""
        return context.game.default_action(context.position) or self.players.random_action(context)

    def reply(self, context: DecisionContext) -> ReplyValue:
        """The answer to the question, as its ``check`` accepts it."""
        assert context.request is not None
        if context.request.suggest is not None:
            return context.request.check(context.request.suggest)
        return self.players.plain_reply(context)

    def has_advice(self, context: DecisionContext) -> bool:
        """Whether there is more to its answer than chance, so that it can be told as advice."""
        return True

    def is_visible_on_table(self, context: DecisionContext) -> bool:
        """Whether what is asked lies open on the table, so that nobody decides it."""
        return False

    def reply_after_refusal(self, context: DecisionContext, times: int) -> ReplyValue:
        """Another answer, where the rules refused so many."""
        return self.players.random_reply(context)


class AdvisedPolicy(Policy):
    """Answers as the game's opponent would in the place of a player whom the rules ask; what that has no answer to, as Enter
    does.
    """

    def has_advice(self, context: DecisionContext) -> bool:
        request = context.request
        return request is None or request.suggest is not None or (request.advice is not None and request.advice() is not None)

    def reply(self, context: DecisionContext) -> ReplyValue:
        assert context.request is not None
        advice = context.request.advice() if context.request.advice else None
        if advice is None:
            return super().reply(context)
        told = len(context.reasons)
        options = [(advice.choice, advice.name), *advice.rivals]
        choice, _ = options[context.compare_by_rollouts([one for one, _ in options], [name for _, name in options])]
        if len(context.reasons) == told:
            context.explain(*advice.lines())
        return context.request.check(choice)


class RandomPolicy(Policy):
    """Takes any action that is open, and any answer that the question allows."""

    def act(self, context: DecisionContext) -> str:
        return self.players.random_action(context)

    def reply(self, context: DecisionContext) -> ReplyValue:
        return self.players.random_reply(context)


class GameResult(NamedTuple):
    """How a game ended: the result in one or two words (``us``, ``nva``, ``draw``, ``won``, ``lost``), and its score in VP."""

    result: str
    score: float


class Players:
    """How a game is played without people.

    Attributes:
        seats: who decides, in the order of the rulebook.
        turns: whether a position says which of several acts.
        most: actions after which a game that has not ended is stopped.
        horizon: turns that a playout goes on for; the cut falls at the end of a turn.
        think: playouts a candidate by default.
        think_for_advice: the same where a player asks for advice; None: as many.
        slips: of a hundred actions of an easy planner, those that are anything that comes to hand.
    """

    seats: tuple[str, ...] = (PLAYER,)
    seats_alternate: bool = False
    max_actions: int = 2_000
    horizon: int = 1
    playouts: int = 0
    advice_playouts: int | None = None
    slip_percent: int = 0

    def __init__(self, game: Game) -> None:
        self.game = game

    # -- policies ----------------------------------------------------------------------------------------------

    def policies(self, seat: str) -> Mapping[str, Callable[[], Policy]]:
        """Every policy of a seat by name; the first is the usual one."""
        return {PLAIN: lambda: Policy(self), RANDOM: lambda: RandomPolicy(self)}

    def policy(self, seat: str, name: str) -> Policy:
        """Raises Unreadable: the game has no such seat, or the seat no such policy."""
        if seat not in self.seats:
            raise Unreadable(f"{self.game.title} has no seat '{clean(seat)}'", cure=f"Seats: {', '.join(self.seats)}")
        known = self.policies(seat)
        if name not in known:
            raise Unreadable(f"the seat '{seat}' has no policy '{clean(name)}'", cure=f"Policies: {', '.join(known)}")
        return known[name]()

    def adviser(self, seat: str) -> str:
        """The policy that advises the player of a seat, by name; "" where none does."""
        return PLANNER if PLANNER in self.policies(seat) else ""

    def default_playouts(self, options: Mapping[str, str]) -> int:
        """Playouts a candidate for the opponent of a session with these options, where nobody said how many; the level multiplies
        them.
        """
        return self.playouts

    def advises_between(self, position: Position, options: Mapping[str, str]) -> bool:
        """Whether the adviser speaks between two actions too, in a game whose opponent gives advice of its own."""
        return False

    def options_for_policies(self, policies: Mapping[str, str]) -> Mapping[str, str]:
        """The options of a game that is played by these policies, by seat, where they differ from the usual ones."""
        return {}

    def practice_options(self) -> Mapping[str, str]:
        """Scenario and options that need nothing from the owner's set, or what the package brings along."""
        return dict(self.game.practice or {})

    def rollout_policy(self, seat: str) -> Policy:
        """Who plays a seat where Companion plays on to weigh a decision: the quickest that plays sensibly."""
        return Policy(self)

    def rollout_options(self, options: Mapping[str, str]) -> Mapping[str, str]:
        """The options of play from the next action on, where Companion plays on to weigh a decision."""
        return options

    # -- where play is -----------------------------------------------------------------------------------------

    def acting_seat(self, position: Position) -> str:
        """The seat that says what is done next."""
        return self.seats[0]

    def asked_seat(self, request: AnyRequest, acting: str) -> str:
        """The seat that a question is put to."""
        named = request.seat or request.asked_side
        if not named:
            return acting
        seat = named.casefold()
        return seat if seat in self.seats else acting

    def player_name(self, options: Mapping[str, str], position: Position, request: AnyRequest | None) -> str:
        """The name of who decides, where each seat was given one (``players``); "" where nobody was, or nothing says who it is.

        Args:
            options, position: of the session.
            request: the question that is open; None where an action is to be chosen.
        """
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
        """Why play has come to its end, or ""; a game may go on after what ends a session's turns, as a campaign does."""
        return self.game.over(position)

    def outcome(self, position: Position, options: Mapping[str, str]) -> GameResult:
        """How it stands, or how it ended."""
        score = self.game.score(position, options)
        return GameResult(score.verdict, score.total)

    def value(self, position: Position, options: Mapping[str, str], seat: str) -> float:
        """What a position is worth to a seat, in VP: the score of a game that is over, a valuation of ours of one that is not."""
        return self.outcome(position, options).score

    def rollout_baseline(self, position: Position, options: Mapping[str, str], seat: str) -> float:
        """What is taken off the values that playing on is told with: the value of the position as it stands, for a game whose
        valuation counts all that is still to come. Nothing is decided by it.
        """
        return 0.0

    def sample_hidden(self, position: Position, seat: str, number: RandBelow) -> Position:
        """The position as it might be, for all that the seat can know: what is hidden from it is dealt anew."""
        return position

    def review(
        self, story: Iterable[Sequence[Event]], options: Mapping[str, str], budget: int | None, watch: ProgressCallback
    ) -> Said | None:
        """What is said of a game that is over to whoever asks for advice; None: nothing.

        Args:
            story: the events of every entry, in order.
            budget: playouts a candidate; None: as many as one can wait for.
            watch: is shown how far it has come.
        """
        return None

    # -- any answer --------------------------------------------------------------------------------------------

    def action_weight(self, action: str) -> int:
        """How often a random player takes an action, beside others; 0: never."""
        return 1

    def random_action(self, context: DecisionContext) -> str:
        """An action that nothing stands against, by chance; "" where there is none."""
        position, left, given_up = context.position, self._drawn_from, ""
        while left:  # the others are not looked at as soon as one is open
            one = left[context.randbelow(len(left))]
            if one.obstacle(position) is None:
                if one.id not in context.given_up:
                    return one.id
                given_up = given_up or one.id
            left = [other for other in left if other is not one]
        return given_up

    @cached_property
    def _drawn_from(self) -> list[Action]:
        """What a random player may do, each as many times as it is to be taken."""
        usual = [one for one in self.game.actions if one.usual and not one.look]
        return [one for one in usual for _ in range(self.action_weight(one.id))]

    def random_reply(self, context: DecisionContext) -> ReplyValue:
        """Some answer that the question accepts."""
        assert context.request is not None
        return random_reply(context.request, context.randbelow)

    def plain_reply(self, context: DecisionContext) -> ReplyValue:
        """The answer of somebody who would press Enter at a question that suggests nothing."""
        return self.random_reply(context)

    def made_up_fact(self, request: Printed, number: RandBelow) -> str:
        """A value for a printed fact that nobody has told."""
        return str(random_reply(request, number))


_ENOUGH = 1 << 64
"""What is left of a hash must be no less than this, so that every number is as likely as another."""


class RandomStream:
    """Dice and draws of whole games: a function of a seed alone, begun anew at each action, so that games which differ in one
    decision meet the same luck afterwards. The numbers are taken off a hash as off a pack of cards, since few actions need many.
    """

    __slots__ = ("_hash", "_label", "_left", "_taken", "seed")

    def __init__(self, seed: str) -> None:
        from hashlib import blake2b

        self._hash = blake2b
        self.seed = seed
        self.restart(0)

    def substream(self, name: str) -> RandomStream:
        """Luck of its own, for what is no dice and no draws."""
        return RandomStream(f"{self.seed}/{name}")

    def restart(self, action: int) -> None:
        """Luck from the action of that number on."""
        self._label = action
        self._taken = self._left = 0

    def randbelow(self, below: int) -> int:
        """A whole number from 0 up to but without another."""
        left = self._left
        if left < _ENOUGH:
            label = f"{self.seed}/{self._label}/{self._taken}"
            left = int.from_bytes(self._hash(label.encode()).digest(), "big")
            self._taken += 1
        self._left, found = divmod(left, below)
        return found


RandBelow = Callable[[int], int]
"""Gives a whole number from 0 up to but without what it is given."""


def _one(request: Choose, number: RandBelow) -> str:
    choices = request.choices
    return choices[number(len(choices))].value


def _number(request: Number, number: RandBelow) -> int:
    return request.low + number(min(request.high - request.low, 6) + 1)


def _yes_or_no(request: Confirm, number: RandBelow) -> bool:
    return number(2) == 1


def _several(request: Pick, number: RandBelow) -> list[str]:
    left = [choice.value for choice in request.choices]
    most = min(request.high, len(left), request.low + 3)
    return request.check([left.pop(number(len(left))) for _ in range(request.low + number(most - request.low + 1))])


def _text(request: Text, number: RandBelow) -> str:
    known = request.legal_choices()
    if known and number(10):
        return request.check(known[number(len(known))].value)
    return request.check(str(request.suggest or request.notation.example))


def _printed(request: Printed, number: RandBelow) -> str:
    words = request.notation.choices
    return request.check(words[number(len(words))] if words else request.notation.example)


def _faces(request: Roll, number: RandBelow) -> list[int]:
    return [request.lowest + number(request.sides) for _ in range(request.count)]


_OF: dict[type, Callable[[Any, RandBelow], Any]] = {
    Choose: _one,
    Number: _number,
    Confirm: _yes_or_no,
    Pick: _several,
    Allot: _several,
    Text: _text,
    Printed: _printed,
    Roll: _faces,
    Draw: Draw.random_counter,
}


def random_reply(request: AnyRequest, number: RandBelow) -> ReplyValue:
    """An answer that the request accepts."""
    return _OF[type(request)](request, number)
