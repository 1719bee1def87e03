"""The review of a game by playouts: what each point was worth, and what else could have been decided.

Every action is run again from its replies. It is cut where luck follows a decision or the other way round, and each cut is played
on by the rollout policies in the same sampled worlds. A world has luck of its own for each action of each turn, so neighbouring
points differ by what lies between them and hardly by luck.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress

from companion.core.candidates import Candidate
from companion.core.errors import CompanionError
from companion.core.game import Game
from companion.core.hints import Any
from companion.core.history import EFFECT_KINDS, Reply
from companion.core.match import SEEN, TRIED, DecisionPoint, Match, PlannedAction, plan_to_input, recommend_for, with_cups_by_name
from companion.core.named_tuple import NamedTuple
from companion.core.policies import RandomStream
from companion.core.position import Position
from companion.core.procedures import AnyEffect, ProcedureRun, RuleFunction, ignore_progress
from companion.core.referee import Referee
from companion.core.requests import AnyRequest, Choose, Confirm, Printed
from companion.core.review import (
    VP_PER_WIN,
    Alternative,
    Estimate,
    GameReview,
    GraphPoint,
    Level,
    Part,
    ReviewedDecision,
    Step,
    Worth,
    cross_fitted_losses,
)
from companion.core.rollouts import Outcome, RolloutDecision, Spread, in_turn
from companion.core.sealed import unsealed
from companion.core.text import plural
from companion.core.values import ReplyValue

ACTION = "action"
"""Key and kind of the choice of an action, which answers no question."""
PLAYER, COMPANION = "player", "companion"
"""Who rolls or draws."""

CORRECTED = "corrected by hand"
AGAINST_RULES = "recorded against the rules"
RULES_CHANGED = "today's rules play it differently"

_DECIDED = ("typed", "scripted", "suggested", "priorities", "playouts")  # Sources of replies that somebody decided
_DIGITS = 6  # of figures in a world, which are kept in the archive
_SHOWN_ROLLS = 3
_SHOWN_REASONS = 2
_TIE = 1e-3  # How much a VP counts beside a whole chance to win, so that VP decide between equal chances


class PlayedEntry(NamedTuple):
    """An action as it was played.

    ``begun`` says how often each action was begun before in the same turn. ``after`` is the position that it led to, for an open
    action the one so far. ``procedure`` is None for a correction by hand.
    """

    number: int
    begun: Mapping[str, int]
    action: str
    before: Position
    after: Position
    replies: tuple[Reply, ...]
    procedure: RuleFunction | None
    anyway: bool = False
    is_open: bool = False

    @property
    def begun_after(self) -> Mapping[str, int]:
        """``begun`` of an action after this one in the same turn."""
        return {**self.begun, self.action: self.begun.get(self.action, 0) + 1}


class Cut(NamedTuple):
    """A point within or after an action, and what lies between it and the one before: a part of the result, and whose it is.

    ``reply`` is the number of replies so far.
    """

    reply: int
    part: Part
    who: str
    text: str
    worth: Worth


class ReviewedEntry(NamedTuple):
    """The review of an action.

    ``start`` is what the position before it is worth if that was estimated anew, as in a new turn. ``skipped`` says why it was
    not reviewed, or is ""; then it has no cuts.
    """

    turn: int
    start: Worth | None = None
    cuts: tuple[Cut, ...] = ()
    decisions: tuple[ReviewedDecision, ...] = ()
    skipped: str = ""


class _Probe(NamedTuple):
    """A point that is played on: with a candidate taken there, or as it is.

    ``action`` is the one that the point is in, ``begun`` as in `PlayedEntry`.
    """

    point: DecisionPoint
    begun: Mapping[str, int]
    action: str = ""
    candidate: Any = None


class _ParallelMatch(Match):
    """A match whose luck depends on the turn, the action and how often that was begun in the turn.

    Rolls and draws that are given use up as many random numbers as those that are made. So games that differ in one decision or
    roll have the same luck wherever both do the same, from whatever point they are played on.
    """

    def begin_with(self, turn: int, begun: Mapping[str, int], action: str) -> None:
        """Set how often each action was begun in a turn, and the action that the first run is of."""
        self._turn = turn
        self._begun = dict(begun)
        self._first = action

    def luck_label(self, action: str) -> int | str:
        turn, action, self._first = self.players.turn(self.position), action or self._first, ""
        if turn != self._turn:
            self._turn, self._begun = turn, {}
        self._begun[action] = self._begun.get(action, 0) + 1
        return f"{turn}/{action}/{self._begun[action]}"

    def pass_roll(self, request: AnyRequest, referee: Referee, replies: Sequence[Reply]) -> None:
        self.random_reply(request, referee, replies)


class _PlannedCut(NamedTuple):
    """A cut before its playouts."""

    reply: int
    part: Part
    who: str
    text: str
    probe: int


class _Option(NamedTuple):
    """A candidate of a decision before its playouts."""

    text: str
    probe: int
    plan: str = ""
    reasons: tuple[str, ...] = ()


class _Comparison(NamedTuple):
    """A decision before its playouts; the taken option is the first."""

    reply: int
    seat: str
    key: str
    kind: str
    rule: str
    prompt: str
    options: tuple[_Option, ...]
    by_person: bool


_REFUSED = Outcome(float("nan"))


class Reviewer:
    """Reviews the actions of one game.

    Args:
        facts: The printed facts that are known.
        label: Of the sampled worlds; never that of the session's own dice.
        spread: Runs the playouts.
        tick: Called after every playout; what it raises ends the review.
        is_compared: Says whether the alternatives of a seat's decisions are wanted.
        compares_companion: Also compare decisions by rollouts of seats that Companion plays.
    """

    def __init__(
        self,
        game: Game,
        options: Mapping[str, str],
        facts: Mapping[str, str],
        level: Level,
        label: str,
        spread: Spread = in_turn,
        tick: Callable[[], None] = lambda: None,
        is_compared: Callable[[str], bool] = lambda seat: True,
        compares_companion: bool = False,
    ) -> None:
        self.game = game
        self.players = game.players
        self.options = options
        self.facts = facts
        self.level = level
        self.is_compared = is_compared
        self.compares_companion = compares_companion
        self.seats = tuple(self.players.seats)
        self._label = label
        self._spread = spread
        self._tick = tick
        self._rollout_options = self.players.rollout_options(options)
        self._horizon = self.players.review_horizon

    @property
    def ends_later(self) -> bool:
        """True if the playouts of a later turn end later; not if all last to the end of the game."""
        return self._horizon < self.players.END

    # -- the worth of points ---------------------------------------------------------------------------------------

    def worth(self, position: Position, turn: int, begun: Mapping[str, int]) -> Worth:
        """What a position between two actions is worth, with playouts that end as those of a turn do."""
        if self.players.over(position):
            return self._known_worth(position)
        found = self._play_out([_Probe(self.point(position), begun)], turn)[0]
        return found if found.vp else self._known_worth(position)

    def point(self, position: Position) -> DecisionPoint:
        """The point between two actions."""
        return DecisionPoint(self.game, self.options, self.facts, position, seat=self.players.acting_seat(position))

    def _known_worth(self, position: Position) -> Worth:
        """A position as it stands, the same in every world: the end of the game, or where it cannot be played on."""
        return _worth([self._outcome(position)] * self.level.worlds)

    def _outcome(self, position: Position) -> Outcome:
        first, options = self.seats[0], self._rollout_options
        if self.players.over(position):
            value = self.players.outcome(position, options).score
        else:
            value = self.players.value(position, options, first)
        return Outcome(value, self.players.win(position, options, first))

    def _play_out(self, probes: Sequence[_Probe], turn: int) -> list[Worth]:
        """Play each point on in every world, to the cut of a turn. A point that cannot be played on has no figures."""
        last, worlds = turn + self._horizon, self.level.worlds

        def play(number: int, world: int) -> Outcome:
            point, begun, action, candidate = probes[number]
            luck = RandomStream(f"{self._label}/{world}")
            start = with_cups_by_name(point.start, self.game.cups)
            seats = {name: self.players.rollout_policy(name) for name in self.seats}
            match = _ParallelMatch(self.game, self.options, seats, luck, self.facts, start)
            match.begin_with(turn, begun, action)
            try:
                if candidate is not None:
                    match.continue_from(point, candidate)
                elif point.procedure is not None:
                    taken = match.run_action(point.procedure, "", point.replies, acting=point.seat, anyway=point.anyway)
                    if taken is None:
                        return _REFUSED
                match.options = self._rollout_options
                match.play(lambda position: self.players.turn(position) >= last)
            except Exception:  # whatever the rules do on a table that they do not foresee
                return _REFUSED
            return self._outcome(match.position)

        tasks = [(number, world) for number in range(len(probes)) for world in range(worlds)]
        outcomes: list[list[Outcome]] = [[] for _ in probes]
        with closing(self._spread(play, tasks)) as results:
            for (number, _), outcome in zip(tasks, results, strict=True):
                outcomes[number].append(outcome)
                self._tick()
        return [_worth(row) for row in outcomes]

    # -- one action ------------------------------------------------------------------------------------------------

    def fault(self, entry: PlayedEntry) -> str:
        """Why an action cannot be reviewed, or ""."""
        if entry.procedure is None or any(reply.is_adjustment for reply in entry.replies):
            return CORRECTED
        if entry.anyway or any(reply.anyway for reply in entry.replies):
            return AGAINST_RULES
        try:
            replay = _Replay(self, entry)
            while replay.replies:
                replay.send()
        except Exception:  # today's rules may fail in any way on an old action
            return RULES_CHANGED
        same = entry.is_open or (replay.request is None and replay.position == entry.after)
        return "" if same else RULES_CHANGED

    def review(self, entry: PlayedEntry, start: Worth | None = None) -> ReviewedEntry:
        """Review an action; ``start`` is kept with it."""
        turn = self.players.turn(entry.before)
        if fault := self.fault(entry):
            return ReviewedEntry(turn, start, skipped=fault)
        walk = _Walk(self, entry)
        worths = self._play_out(walk.probes, turn)
        cuts = [Cut(*cut[:4], worths[cut.probe]) for cut in walk.cuts]
        if walk.is_closed:  # what follows the action belongs to the next one
            cuts.append(Cut(*walk.closing, self.worth(entry.after, turn, entry.begun_after)))
        if any(not cut.worth.vp for cut in cuts):
            return ReviewedEntry(turn, start, skipped=RULES_CHANGED)
        decisions = [self._decision(entry, turn, comparison, worths) for comparison in walk.comparisons]
        return ReviewedEntry(turn, start, tuple(cuts), tuple([one for one in decisions if one]))

    def _decision(
        self, entry: PlayedEntry, turn: int, comparison: _Comparison, worths: Sequence[Worth]
    ) -> ReviewedDecision | None:
        """The decision with the figures of its options; None if fewer than two can be played on."""
        options = [option for option in comparison.options if worths[option.probe].vp]
        if len(options) < 2 or options[0] is not comparison.options[0]:
            return None
        rows = [self._seen_by(comparison.seat, worths[option.probe]) for option in options]
        has_win = all(row.win for row in rows)
        criterion = [[win + _TIE * vp for win, vp in zip(row.win, row.vp, strict=True)] if has_win else row.vp for row in rows]
        measures = [[row.vp for row in rows], *([[row.win for row in rows]] if has_win else [])]
        best, losses = cross_fitted_losses(criterion, 0, measures)
        alternatives = [
            Alternative(
                option.text,
                row.vp_estimate,
                row.win_estimate if has_win else None,
                Estimate.of([one - two for one, two in zip(rows[best].vp, row.vp, strict=True)]),
                Estimate.of([one - two for one, two in zip(rows[best].win, row.win, strict=True)]) if has_win else None,
                option is options[0],
                option.plan,
            )
            for option, row in zip(options, rows, strict=True)
        ]
        means = [sum(row) for row in criterion]
        order = sorted(range(len(options)), key=lambda index: (index != best, -means[index], index))
        loss, win_loss = losses[0], losses[1] if has_win else None
        return ReviewedDecision(
            entry.number,
            comparison.reply,
            turn,
            *comparison[1:6],
            options[0].text,
            options[best].text,
            loss,
            win_loss,
            tuple([alternatives[index] for index in order]),
            _reason(options[best], alternatives[0], self.level.worlds) if best else "",
            comparison.by_person,
        )

    def _seen_by(self, seat: str, worth: Worth) -> Worth:
        """The figures of the first seat as those of a seat."""
        if seat == self.seats[0]:
            return worth
        return Worth(tuple([-vp for vp in worth.vp]), tuple([1 - win for win in worth.win]))


def _worth(outcomes: Sequence[Outcome]) -> Worth:
    if any(outcome.value != outcome.value for outcome in outcomes):  # refused
        return Worth(())
    wins = [outcome.win for outcome in outcomes if outcome.win is not None]
    vp = tuple([round(outcome.value, _DIGITS) for outcome in outcomes])
    return Worth(vp, tuple([round(win, _DIGITS) for win in wins]) if len(wins) == len(outcomes) else ())


def _reason(best: _Option, taken: Alternative, worlds: int) -> str:
    """Why the best option is better than the taken one, in one sentence."""
    ahead = f"ahead by {taken.loss.mean:.1f} VP (+-{taken.loss.error:.1f})"
    if taken.win_loss is not None:
        ahead += f" and {100 * taken.win_loss.mean:.0f} % (+-{100 * taken.win_loss.error:.0f}) to win"
    because = f": {'; '.join(best.reasons[:_SHOWN_REASONS])}" if best.reasons else ""
    return f"{best.text} is {ahead} in {plural(worlds, 'world')}{because}"


class _Replay:
    """An action that is run again from its replies, one at a time."""

    def __init__(self, reviewer: Reviewer, entry: PlayedEntry) -> None:
        assert entry.procedure is not None
        self.replies = deque(entry.replies)
        self.thought: list[tuple[int, RolloutDecision]] = []  # decisions by rollouts with the places of their replies
        self._count = len(entry.replies)
        referee = reviewer.game.new_referee(entry.before, reviewer.options)
        self._run = ProcedureRun(referee, entry.procedure(referee), self._settle, entry.anyway)

    @property
    def place(self) -> int:
        """The place of the next reply."""
        return self._count - len(self.replies)

    @property
    def request(self) -> AnyRequest | None:
        return self._run.request

    @property
    def referee(self) -> Any:
        return self._run.referee

    @property
    def position(self) -> Position:
        return self._run.referee.position

    def _settle(self, effect: AnyEffect) -> Any:
        if not effect.stored:
            return effect.default_result()
        if not self.replies or self.replies[0].kind not in EFFECT_KINDS:
            raise ValueError("the action has no such result")
        if isinstance(effect, RolloutDecision):
            self.thought.append((self.place, effect))
        return effect.check(self.replies.popleft().value)

    def send(self) -> None:
        """Give the next reply; the results of effects after it follow."""
        if self._run.request is None:
            raise ValueError("the action asks nothing more")
        reply = self.replies.popleft()
        self._run.turn_to(reply.seat)
        self._run.send(self._run.request.check(unsealed(reply.value)))

    def close(self) -> None:
        self._run.close()


class _Walk:
    """Goes through an action, and plans the cuts and comparisons.

    Attributes:
        probes: What is to be played on.
        cuts, comparisons: With the numbers of their probes.
        closing: Reply, part, who and text of the cut at the end of the action, if it is complete and has one (`is_closed`).
    """

    def __init__(self, reviewer: Reviewer, entry: PlayedEntry) -> None:
        self._reviewer = reviewer
        self._players = reviewer.players
        self._entry = entry
        self._acting = reviewer.players.acting_seat(entry.before)
        self._known: dict[int, int] = {}  # probes by number of replies
        self._group: tuple[Part, str] | None = None
        self._texts: list[str] = []
        self.probes: list[_Probe] = []
        self.cuts: list[_PlannedCut] = []
        self.comparisons: list[_Comparison] = []
        self.closing: tuple[int, Part, str, str] = (0, "rest", "", "")
        self.is_closed = False
        self._go()

    def _go(self) -> None:
        entry, replay = self._entry, _Replay(self._reviewer, self._entry)
        by_computer = self._players.is_computer_turn(entry.before, self._reviewer.options)
        planned, thought = self._begin_action(by_computer), 0
        while True:
            for place, effect in replay.thought[thought:]:
                self._enter(place, "decisions", effect.seat, effect.names[effect.from_reply(entry.replies[place].value).choice])
                self._compare_thought(place, effect)
            thought = len(replay.thought)
            if not replay.replies:
                break
            place, reply, request = replay.place, replay.replies[0], replay.request
            assert request is not None
            if reply.is_random:
                self._enter(place, "luck", PLAYER if reply.is_from_player else COMPANION, _rolled(reply))
            elif reply.source in _DECIDED and not isinstance(request, Printed):
                seat = self._players.asked_seat(request, self._acting)
                is_open = place >= planned and reply.is_from_player and not reply.seat  # else compared with the action
                compared = is_open and self._reviewer.is_compared(seat)
                found = self._options(place, reply, request, replay.referee, compared)
                if found is not None:
                    self._enter(place, "decisions", seat, f"{request.key}={request.to_input(reply.value)}")
                    if len(found) > 1:
                        head = place + 1, seat, request.key, request.kind, request.rule, str(request.prompt)
                        self.comparisons.append(_Comparison(*head, found, by_person=True))
            replay.send()
        self._end(len(entry.replies))
        replay.close()

    def _end(self, place: int) -> None:
        if self._group is None:
            return
        if self._entry.is_open:
            self._cut(place)
        else:
            self.closing, self.is_closed = (place, *self._group, self._text()), True

    def _enter(self, place: int, part: Part, who: str, text: str) -> None:
        """Note a decision or a roll as the reply of that place; cut before it if something else comes before."""
        if self._group is not None and self._group != (part, who):
            self._cut(place)
        self._group = part, who
        self._texts += [text] if text else []

    def _cut(self, place: int) -> None:
        assert self._group is not None
        self.cuts.append(_PlannedCut(place, *self._group, self._text(), self._probe(place)))
        self._texts = []

    def _text(self) -> str:
        part = self._group[0] if self._group else "rest"
        if part != "luck":
            return " ".join(self._texts)
        more = len(self._texts) - _SHOWN_ROLLS
        return "; ".join([*self._texts[:_SHOWN_ROLLS], *([f"{more} more"] if more > 0 else [])])

    # -- probes ------------------------------------------------------------------------------------------------------

    def _point(self, place: int) -> DecisionPoint:
        """The point of the action after so many replies."""
        reviewer, entry = self._reviewer, self._entry
        point = DecisionPoint(reviewer.game, reviewer.options, reviewer.facts, entry.before, entry.procedure)
        return point._replace(replies=entry.replies[:place], seat=self._acting)

    def _probe(self, place: int) -> int:
        """The number of the probe after so many replies."""
        if place not in self._known:
            self._known[place] = self._add(self._point(place))
        return self._known[place]

    def _add(self, point: DecisionPoint, candidate: Any = None) -> int:
        action = "" if point.procedure is None else self._entry.action
        self.probes.append(_Probe(point, self._entry.begun, action, candidate))
        return len(self.probes) - 1

    # -- decisions ---------------------------------------------------------------------------------------------------

    def _begin_action(self, by_computer: bool) -> int:
        """Note the choice of the action if there was one; return the number of replies that are compared with it."""
        entry, reviewer = self._entry, self._reviewer
        first = next((place for place, reply in enumerate(entry.replies) if reply.is_random), len(entry.replies))
        if not self._is_choice():
            return 0
        self._enter(0, "decisions", self._acting, entry.action)
        if by_computer or not reviewer.is_compared(self._acting):
            return 0
        point = reviewer.point(entry.before)
        referee = reviewer.game.new_referee(entry.before, reviewer.options)
        try:
            advised = recommend_for(point, referee, None, 0, f"review/{entry.number}", ignore_progress)
        except CompanionError:
            return 0
        if advised is None or advised.plan is None:
            return 0
        candidates = advised.candidates or (Candidate(advised.plan, advised.input_text, reasons=advised.said.because),)
        end = self._own_end(first)
        own = entry.replies[:end]
        taken = " ".join([entry.action, *(_typed(reply) for reply in own if reply.source in _DECIDED)])
        options = [_Option(taken, self._probe(end))]
        for candidate in candidates:
            if len(options) == reviewer.level.alternatives:
                break
            if not _is_same(candidate.decision, entry.action, own):
                probe = self._add(point, candidate.decision)
                options.append(_Option(plan_to_input(candidate.decision), probe, candidate.plan, candidate.reasons))
        if len(options) < 2:
            return 0
        self.comparisons.append(_Comparison(0, self._acting, ACTION, ACTION, "", "", tuple(options), by_person=True))
        return end

    def _is_choice(self) -> bool:
        """True if another usual action was open."""
        action, position = self._entry.action, self._entry.before
        usual = [one for one in self._reviewer.game.actions if one.usual and not one.look and one.id != action]
        return any(one.obstacle(position) is None for one in usual)

    def _own_end(self, first: int) -> int:
        """The number of replies before the first roll and before the first decision of another seat."""
        replay = _Replay(self._reviewer, self._entry)
        try:
            while replay.place < first and replay.replies and replay.request is not None and not replay.thought:
                reply = replay.replies[0]
                if reply.source in _DECIDED and self._players.asked_seat(replay.request, self._acting) != self._acting:
                    break
                replay.send()
            place = min([replay.place, first, *(place for place, _ in replay.thought)])
        finally:
            replay.close()
        return place

    def _compare_thought(self, place: int, effect: RolloutDecision) -> None:
        """Compare the candidates of a decision by rollouts, if that is wanted."""
        reviewer, reply = self._reviewer, self._entry.replies[place]
        if not (reviewer.compares_companion and reviewer.is_compared(effect.seat)):
            return
        taken, point = effect.from_reply(reply.value).choice, self._point(place)
        options = [_Option(effect.names[taken], self._probe(place + 1))]
        for number in [number for number in range(len(effect.names)) if number != taken][: reviewer.level.alternatives - 1]:
            tried = Reply(effect.key, effect.kind, [number], TRIED)
            options.append(_Option(effect.names[number], self._add(point, tried)))
        head = place + 1, effect.seat, effect.key, effect.kind, effect.rule, ""
        self.comparisons.append(_Comparison(*head, tuple(options), by_person=False))

    def _options(self, place: int, reply: Reply, request: AnyRequest, referee: Any, compared: bool) -> tuple[_Option, ...] | None:
        """The options of an answer, the taken one first, alone if the others are not compared; None if nothing was decided."""
        reviewer = self._reviewer
        taken = _Option(_shown(request, reply.value), self._probe(place + 1) if compared else -1)
        if not compared:
            return (taken,)
        point = self._point(place)
        try:
            advised = recommend_for(point, referee, request, 0, f"review/{self._entry.number}/{place}", ignore_progress)
        except CompanionError:
            advised = None
        if advised is not None and advised.said.text == SEEN:
            return None
        candidates: dict[str, tuple[ReplyValue, Candidate[PlannedAction] | None]] = {}
        for one in advised.candidates if advised else ():
            for value in one.decision.answers.values():
                candidates[_key(value)] = value, one
        if isinstance(request, Choose | Confirm):
            choices = request.legal_choices()
            if len(choices) <= reviewer.level.alternatives:
                for choice in choices:
                    with suppress(CompanionError):
                        value = request.read(choice.value)
                        candidates.setdefault(_key(value), (value, None))
        candidates.pop(_key(reply.value), None)
        options = [taken]
        for value, candidate in list(candidates.values())[: reviewer.level.alternatives - 1]:
            probe = self._add(point, value)
            plan, reasons = ("", ()) if candidate is None else (candidate.plan, candidate.reasons)
            options.append(_Option(_shown(request, value), probe, plan, reasons))
        return tuple(options)


def _key(value: ReplyValue) -> str:
    return repr(list(value) if isinstance(value, tuple) else value)


def _shown(request: AnyRequest, value: ReplyValue) -> str:
    """An answer as it is typed, with its title."""
    text = request.to_input(value)
    title = request.display(value).removeprefix(text).strip()
    return f"{text} ({title})" if title else text


def _typed(reply: Reply) -> str:
    return plan_to_input(PlannedAction("", {reply.key: reply.value})).strip()


def _rolled(reply: Reply) -> str:
    value = unsealed(reply.value)
    return f"{reply.question}: {', '.join(map(str, value)) if isinstance(value, list | tuple) else value}"


def _is_same(plan: PlannedAction, action: str, replies: Sequence[Reply]) -> bool:
    """True if what was done is what a plan says."""
    given = {reply.key: _key(reply.value) for reply in reversed(replies)}
    return plan.action == action and all(given.get(key) == _key(value) for key, value in plan.answers.items())


# -- the whole game ----------------------------------------------------------------------------------------------------


def review_game(
    reviewer: Reviewer,
    level: str,
    entries: Sequence[PlayedEntry],
    known: Callable[[PlayedEntry], ReviewedEntry | None] = lambda entry: None,
    keep: Callable[[PlayedEntry, ReviewedEntry], None] = lambda entry, reviewed: None,
) -> GameReview:
    """The review of a game, from its actions after the set-up (at least one), in order.

    ``known`` returns what was kept of an action by an earlier review, ``keep`` is given what was found anew.
    """
    players, points, steps = reviewer.players, list[GraphPoint](), list[Step]()
    decisions, skipped = list[ReviewedDecision](), dict[str, int]()
    start: Worth | None = None
    now, turn, segment = Worth(()), -1, 0
    jump: tuple[Part, int] = ("rest", 0)  # what the next start differs by, and the number of the action that did it
    for entry in entries:
        is_later = players.turn(entry.before) != turn and reviewer.ends_later
        is_anew = start is None or is_later or jump[0] != "rest"
        turn = players.turn(entry.before)
        reviewed = known(entry)
        if reviewed is None or (is_anew and reviewed.start is None):
            reviewed = reviewer.review(entry, reviewer.worth(entry.before, turn, entry.begun) if is_anew else None)
            keep(entry, reviewed)
        if is_anew:
            assert reviewed.start is not None
            if start is None:
                start = reviewed.start
            else:
                steps.append(_jump(jump, entry.number, turn, now, reviewed.start))
            now = reviewed.start
            segment += jump[0] == "corrections"
            if not points or points[-1].segment != segment:
                points.append(GraphPoint(jump[1], turn, segment, "", now.vp_estimate, now.win_estimate))
            jump = "rest", 0
        if reviewed.skipped:
            skipped[reviewed.skipped] = skipped.get(reviewed.skipped, 0) + 1
            jump = "corrections" if reviewed.skipped == CORRECTED else "not reviewed", entry.number
        for cut in reviewed.cuts:
            steps.append(Step(entry.number, cut.reply, turn, cut.part, cut.who, cut.text, cut.worth.minus(now)))
            now = cut.worth
        if reviewed.cuts:
            text = reviewed.cuts[0].text
            points.append(GraphPoint(entry.number, turn, segment, text, now.vp_estimate, now.win_estimate))
        decisions += reviewed.decisions
    last = entries[-1]
    if jump[0] != "rest":
        end = reviewer.worth(last.after, turn, last.begun_after)
        steps.append(_jump(jump, last.number, turn, now, end))
        segment += jump[0] == "corrections"
        points.append(GraphPoint(last.number, turn, segment, "", end.vp_estimate, end.win_estimate))
        now = end
    assert start is not None
    is_won = all(step.change.win for step in steps) and bool(start.win)
    return GameReview(
        level,
        reviewer.seats,
        "win" if is_won else "VP",
        VP_PER_WIN * players.score_spread,
        bool(players.over(last.after)),
        tuple(points),
        tuple(steps),
        tuple(decisions),
        skipped,
        start,
        now,
    )


def _jump(jump: tuple[Part, int], entry: int, turn: int, before: Worth, after: Worth) -> Step:
    """A step from a point to another estimate of it, or to the one after an action without a review."""
    return Step(jump[1] or entry, 0, turn, jump[0], "", "", after.minus(before))
