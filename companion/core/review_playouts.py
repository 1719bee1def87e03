"""The review of a game by playouts: what each point was worth, and what else could have been decided.

Every action is run again from its replies. It is cut where luck follows a decision or the other way round, and each cut is played
on by the rollout policies in the same sampled worlds. A world has luck of its own for each action of each turn, so neighbouring
points differ by what lies between them and hardly by luck.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import closing

from companion.core.digests import PositionDigests
from companion.core.history import Reply
from companion.core.match import Match, with_cups_by_name
from companion.core.named_tuple import NamedTuple
from companion.core.policies import RandomStream
from companion.core.position import Position
from companion.core.referee import Referee
from companion.core.requests import AnyRequest
from companion.core.review import (
    Alternative,
    Estimate,
    GameReview,
    GraphPoint,
    Part,
    ReviewedDecision,
    Step,
    Worth,
    cross_fitted_losses,
)
from companion.core.review_walk import ActionReplay, ActionWalk, Comparison, PlayedEntry, Probe, ReviewOption, ReviewScope
from companion.core.rollouts import Outcome, Spread, in_turn
from companion.core.text import plural

CORRECTED = "corrected by hand"
AGAINST_RULES = "recorded against the rules"
RULES_CHANGED = "today's rules play it differently"

_MOST_ENDS = 100_000  # kept in memory while a game is reviewed

_DIGITS = 6  # of figures in a world, which are kept in the archive
_SHOWN_REASONS = 2
_TIE = 1e-3  # How much a VP counts beside a whole chance to win, so that VP decide between equal chances


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


class _KnownEnds:
    """How playouts end from the points between two actions that earlier ones came to.

    Playouts in the same world often come to the same position: by what was decided differently, or from the next point of the
    game. From there they are one and the same, since the luck of a world depends on the turn and the actions begun in it. A point
    is kept as a digest, with the number of actions from there to the end.
    """

    def __init__(self) -> None:
        self._ends: dict[tuple[Hashable, ...], tuple[Outcome, int]] = {}
        self.digests = PositionDigests()

    def find(self, point: tuple[Hashable, ...], actions_left: int) -> tuple[Outcome, int] | None:
        """How it ends from a point, and after how many actions; None if that is not known."""
        known = self._ends.get(point)
        return known if known is not None and known[1] < actions_left else None

    def add(self, points: Mapping[tuple[Hashable, ...], int], outcome: Outcome, actions: int) -> None:
        """Keep how a playout ended after a number of actions; ``points`` are those it came to, with the actions before each."""
        if len(self._ends) + len(points) > _MOST_ENDS:
            self._ends.clear()
        self._ends.update({point: (outcome, actions - before) for point, before in points.items()})


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
        self._points = dict[tuple[Hashable, ...], int]()
        self._further = 0

    def luck_label(self, action: str) -> int | str:
        turn, action, self._first = self.players.turn(self.position), action or self._first, ""
        if turn != self._turn:
            self._turn, self._begun = turn, {}
        self._begun[action] = self._begun.get(action, 0) + 1
        return f"{turn}/{action}/{self._begun[action]}"

    def pass_roll(self, request: AnyRequest, referee: Referee, replies: Sequence[Reply]) -> None:
        self.random_reply(request, referee, replies)

    def play_on(self, last: int, ends: _KnownEnds) -> Outcome | None:
        """Play to the beginning of a turn, or to a point from which the end is known: return it then."""
        found = list[tuple[Outcome, int]]()

        def is_known(position: Position) -> bool:
            if self.players.turn(position) >= last:
                return True
            try:
                point = self._point(last, ends.digests.of(position))
            except TypeError:  # a policy remembers what cannot be compared
                return False
            known = ends.find(point, self.players.max_actions - self.actions)
            if known is None:
                self._points[point] = self.actions
                return False
            found.append(known)
            return True

        if not self.play(is_known):
            self._points.clear()  # stopped early, which depends on the number of actions
        end, self._further = found[0] if found else (None, 0)
        return end

    def keep_end(self, end: Outcome, ends: _KnownEnds) -> None:
        """Keep how it ended for other playouts that come to the same points."""
        ends.add(self._points, end, self.actions + self._further)

    def _point(self, last: int, position: bytes) -> tuple[Hashable, ...]:
        """All that the rest of the match depends on, between two actions."""
        begun = tuple(sorted(self._begun.items())) if self.players.turn(self.position) == self._turn else ()
        memories = tuple([policy.memory(self.position) for policy in self.seats.values()])
        luck = self.luck.seed, begun, self._policy_luck.state
        return last, position, luck, memories, tuple(self._given_up), tuple(self._resolver.new_facts.items())


_REFUSED = Outcome(float("nan"))


class Reviewer:
    """Reviews the actions of one game.

    Args:
        label: Of the sampled worlds; never that of the session's own dice.
        spread: Runs the playouts.
        tick: Called after every playout; what it raises ends the review.

    Attributes:
        share: How much of the action in review is done, from 0 to 1.
    """

    def __init__(self, scope: ReviewScope, label: str, spread: Spread = in_turn, tick: Callable[[], None] = lambda: None) -> None:
        self.scope = scope
        self.game, self.options, self.facts, self.level = scope[:4]
        self.players = scope.game.players
        self.seats = tuple(self.players.seats)
        self._label = label
        self._spread = spread
        self._tick = tick
        self._rollout_options = self.players.rollout_options(self.options)
        self._horizon = self.players.review_horizon
        self._ends = _KnownEnds()
        self.share = 0.0

    @property
    def ends_later(self) -> bool:
        """True if the playouts of a later turn end later; not if all last to the end of the game."""
        return self._horizon < self.players.END

    # -- the worth of points ---------------------------------------------------------------------------------------

    def worth(self, position: Position, turn: int, begun: Mapping[str, int]) -> Worth:
        """What a position between two actions is worth, with playouts that end as those of a turn do."""
        if self.players.over(position):
            return self._known_worth(position)
        found = self._play_out([Probe(self.scope.point(position), begun)], turn)[0]
        return found if found.vp else self._known_worth(position)

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

    def _play_out(self, probes: Sequence[Probe], turn: int, is_action: bool = False) -> list[Worth]:
        """Play each point on in every world, to the cut of a turn. A point that cannot be played on has no figures.

        ``is_action``: these are the points of the action in review, so they count for `share`.
        """
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
                end = match.play_on(last, self._ends)
            except Exception:  # whatever the rules do on a table that they do not foresee
                return _REFUSED
            if end is None:
                end = self._outcome(match.position)
            match.keep_end(end, self._ends)
            return end

        tasks = [(number, world) for number in range(len(probes)) for world in range(worlds)]
        outcomes: list[list[Outcome]] = [[] for _ in probes]
        with closing(self._spread(play, tasks)) as results:
            for (number, _), outcome in zip(tasks, results, strict=True):
                outcomes[number].append(outcome)
                if is_action:
                    self.share += 1 / len(tasks)
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
            replay = ActionReplay(self.scope, entry)
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
        walk = ActionWalk(self.scope, entry)
        worths = self._play_out(walk.probes, turn, is_action=True)
        cuts = [Cut(*cut[:4], worths[cut.probe]) for cut in walk.cuts]
        if walk.is_closed:  # what follows the action belongs to the next one
            cuts.append(Cut(*walk.closing, self.worth(entry.after, turn, entry.begun_after)))
        self.share = 0.0
        if any(not cut.worth.vp for cut in cuts):
            return ReviewedEntry(turn, start, skipped=RULES_CHANGED)
        decisions = [self._decision(entry, turn, comparison, worths) for comparison in walk.comparisons]
        return ReviewedEntry(turn, start, tuple(cuts), tuple([one for one in decisions if one]))

    def _decision(
        self, entry: PlayedEntry, turn: int, comparison: Comparison, worths: Sequence[Worth]
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


def _reason(best: ReviewOption, taken: Alternative, worlds: int) -> str:
    """Why the best option is better than the taken one, in one sentence.

    >>> lucky, dull = ReviewOption("north", 0, reasons=("the road is open",)), ReviewOption("south", 1)
    >>> _reason(lucky, Alternative("west", Estimate(1), None, Estimate(1.2, 0.5), None), 16)
    'north is ahead by 1.2 VP (+-0.5) in 16 worlds: the road is open'
    >>> _reason(dull, Alternative("west", Estimate(1), None, Estimate(-0.5, 0.8), Estimate(0.3, 0.2)), 6)
    'south is ahead by 30 % to win (+-20), behind by 0.5 VP (+-0.8) in 6 worlds'
    """
    loss, win = taken.loss, taken.win_loss
    parts = [f"{_side(win.mean)} by {100 * abs(win.mean):.0f} % to win (+-{100 * win.error:.0f})"] if win is not None else []
    by_vp = f"{abs(loss.mean):.1f} VP (+-{loss.error:.1f})"
    same = win is not None and _side(win.mean) == _side(loss.mean)
    apart = f"{parts[0]} and {by_vp}" if same else ", ".join([*parts, f"{_side(loss.mean)} by {by_vp}"])
    because = f": {'; '.join(best.reasons[:_SHOWN_REASONS])}" if best.reasons else ""
    return f"{best.text} is {apart} in {plural(worlds, 'world')}{because}"


def _side(gap: float) -> str:
    return "ahead" if gap >= 0 else "behind"


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
        players.vp_per_win,
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
