"""The figures of a review: what each decision cost, what luck brought, and how both add up to the result.

A review plays on from many points of a game in the same sampled worlds (`core.review_playouts`). The value of a point is the mean
over the worlds. Between two points in sequence there is either luck (a roll or a draw) or a decision, so the differences add up
to the result: exactly in each world, and so in the mean.

VP and chances to win are those of the first seat, except where a decision is looked at: there they are those of the seat that
decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from companion.core.hints import Literal
from companion.core.named_tuple import NamedTuple
from companion.core.rollouts import mean_with_error

Grade = Literal["good", "within error", "inaccuracy", "mistake", "blunder"]
Part = Literal["start", "luck", "decisions", "corrections", "not reviewed", "rest"]
PARTS: tuple[Part, ...] = ("start", "luck", "decisions", "corrections", "not reviewed", "rest")
"""What the result is made of, in the order of display.

``start`` is the expectation after the set-up, ``corrections`` what the player changed by hand, ``not reviewed`` actions that
today's rules do not replay, and ``rest`` what changed because playouts end a turn later from the next turn on.
"""
Roller = Literal["player", "companion"]

INACCURACY, MISTAKE, BLUNDER = 0.05, 0.10, 0.15
"""Losses of the chance to win from which a decision has that grade."""
VP_PER_WIN = 2.5
"""What a whole chance to win is worth, in standard deviations of the final score: the slope of a normal distribution's middle."""
CERTAIN = 2.0
"""Standard errors that a loss must exceed; a smaller one is ``within error``."""
ALLOWANCE = 0.75
"""Standard errors that the loss of a decision is reduced by in its accuracy."""
KEY_MOMENTS = 10


class Level(NamedTuple):
    """How closely a review looks: sampled worlds per point, and the most alternatives of a decision."""

    worlds: int
    alternatives: int


LEVELS: Mapping[str, Level] = {"quick": Level(6, 4), "normal": Level(16, 8), "deep": Level(64, 12)}
QUICK, NORMAL = "quick", "normal"


class Estimate(NamedTuple):
    """A mean and its standard error.

    That of few worlds is itself uncertain, so `of` widens it (`error_factor`): twice the error covers as often as it does with
    many worlds.
    """

    mean: float
    error: float = 0.0

    @classmethod
    def of(cls, values: Sequence[float]) -> Estimate:
        mean, error = mean_with_error(values)
        return cls(mean, error * error_factor(len(values)))


def error_factor(worlds: int) -> float:
    """What the standard error of so many worlds is multiplied by.

    It is Student's quantile that lies where 2 does in a normal distribution, divided by 2, by the Cornish-Fisher expansion.

    >>> [round(error_factor(level.worlds), 2) for level in LEVELS.values()]
    [1.32, 1.09, 1.02]
    """
    if worlds < 2:
        return 1.0
    freedom = worlds - 1
    return 1 + 1.25 / freedom + 1.53125 / freedom**2 + 1.4296875 / freedom**3 + 0.9216 / freedom**4


class Worth(NamedTuple):
    """What a point is worth in each sampled world: VP, and the chance to win (none if it is not known in every world)."""

    vp: tuple[float, ...]
    win: tuple[float, ...] = ()

    def minus(self, other: Worth) -> Worth:
        """The difference, world by world."""
        vp = tuple([one - two for one, two in zip(self.vp, other.vp, strict=True)])
        known = bool(self.win and other.win)
        return Worth(vp, tuple([one - two for one, two in zip(self.win, other.win, strict=True)]) if known else ())

    def plus(self, other: Worth) -> Worth:
        """The sum, world by world."""
        vp = tuple([one + two for one, two in zip(self.vp, other.vp, strict=True)])
        known = bool(self.win and other.win)
        return Worth(vp, tuple([one + two for one, two in zip(self.win, other.win, strict=True)]) if known else ())

    @property
    def vp_estimate(self) -> Estimate:
        return Estimate.of(self.vp)

    @property
    def win_estimate(self) -> Estimate | None:
        return Estimate.of(self.win) if self.win else None


class Alternative(NamedTuple):
    """What could have been done: as it is typed, and its value for the seat that decides.

    ``loss`` is how far it is behind the best one in the same worlds. ``plan``: what the planner would do with it.
    """

    text: str
    vp: Estimate
    win: Estimate | None
    loss: Estimate
    win_loss: Estimate | None
    is_taken: bool = False
    plan: str = ""


class ReviewedDecision(NamedTuple):
    """A decision and its alternatives.

    Attributes:
        entry, reply: The numbers that ``amend`` takes; reply 0 is the choice of the action.
        key, kind, rule, prompt: Of the question; ``action`` for the choice of the action, which has no prompt.
        taken, best: As they are typed. They are equal if nothing better was found.
        loss, win_loss: What the best alternative exceeds the taken one by. The best is chosen in one half of the worlds and
            measured in the other, so that a lucky alternative does not look better than it is; it may be below 0.
        alternatives: The best first, the taken one among them.
        reason: Why the best is better, in one sentence; "" if nothing better was found.
        by_person: False for a decision of an opponent that Companion plays.
    """

    entry: int
    reply: int
    turn: int
    seat: str
    key: str
    kind: str
    rule: str
    prompt: str
    taken: str
    best: str
    loss: Estimate
    win_loss: Estimate | None
    alternatives: tuple[Alternative, ...]
    reason: str = ""
    by_person: bool = True


class Step(NamedTuple):
    """What happened between two points of the graph: luck, a decision, or one of the other parts.

    ``who`` is the seat that decided, or who rolled or drew (`Roller`). ``reply`` is the last reply of the step, 0 for the choice
    of the action or for a whole entry. ``change`` is for the first seat.
    """

    entry: int
    reply: int
    turn: int
    part: Part
    who: str
    text: str
    change: Worth


class GraphPoint(NamedTuple):
    """A point of the graph, after an entry: the expectation of the first seat.

    ``segment`` counts from 0 and grows where the board was corrected by hand. ``text`` is what was done.
    """

    entry: int
    turn: int
    segment: int
    text: str
    vp: Estimate
    win: Estimate | None


class Share(NamedTuple):
    """A part of the result: for decisions and luck, of each seat or roller (``who``)."""

    part: Part
    who: str
    vp: Estimate
    win: Estimate | None


class Moment(NamedTuple):
    """A moment at which the game changed most: a decision or luck, with the reason in one sentence."""

    entry: int
    reply: int
    turn: int
    part: Part
    who: str
    text: str
    reason: str
    vp: Estimate
    win: Estimate | None


class Accuracy(NamedTuple):
    """The decisions of a seat: how many, their mean accuracy (0 to 100) with its standard error, and how many of each grade."""

    seat: str
    decisions: int
    mean: float
    error: float
    grades: Mapping[Grade, int]


class KindLoss(NamedTuple):
    """The decisions of a seat at one kind of question (``key``): how many, how many mistakes of any grade, and what all lost."""

    seat: str
    key: str
    decisions: int
    mistakes: int
    loss: Estimate
    win_loss: Estimate | None


class GameReview(NamedTuple):
    """The review of a game.

    Attributes:
        level: Its name, see `LEVELS`.
        seats: In the order of the rulebook; figures are those of the first.
        unit: ``win`` if chances to win are shown, else ``VP``.
        vp_per_win: VP that count like a whole chance to win, for grades where no chance to win is known.
        is_over: False for an unfinished game, where the result is the present expectation.
        points: The graph; the first is the start.
        steps: Every step, in order.
        decisions: Every decision that had alternatives, in order.
        skipped: Reason -> number of actions that were not reviewed.
    """

    level: str
    seats: tuple[str, ...]
    unit: Literal["win", "VP"]
    vp_per_win: float
    is_over: bool
    points: tuple[GraphPoint, ...]
    steps: tuple[Step, ...]
    decisions: tuple[ReviewedDecision, ...]
    skipped: Mapping[str, int]
    start: Worth
    result: Worth

    def share_of_loss(self, decision: ReviewedDecision | Alternative | KindLoss) -> Estimate:
        """The loss of a decision, an alternative or a kind as a share of a chance to win, from VP if no chance is known."""
        return share_of_loss(decision, self.vp_per_win, in_vp=self.unit == "VP")

    def grade(self, decision: ReviewedDecision | Alternative) -> Grade:
        """The grade of a decision or an alternative, by its loss. A loss within its error is none."""
        return grade_of(self.share_of_loss(decision))

    def is_within_error(self, decision: ReviewedDecision, alternative: Alternative) -> bool:
        """True if an alternative of a decision is behind the best one by no more than luck explains."""
        loss = self.share_of_loss(alternative)
        return loss.mean < certain_after_choice(len(decision.alternatives)) * loss.error

    def accuracies(self, *, by_person: bool = True) -> tuple[Accuracy, ...]:
        """The accuracy of each seat that has decisions, those of persons or those of Companion."""
        rows = []
        for seat in self.seats:
            decisions = [one for one in self.decisions if one.seat == seat and one.by_person == by_person]
            if decisions:
                grades: dict[Grade, int] = {}
                for decision in decisions:
                    grade = self.grade(decision)
                    grades[grade] = grades.get(grade, 0) + 1
                mean, error = mean_with_error([accuracy_of(self.share_of_loss(decision)) for decision in decisions])
                rows.append(Accuracy(seat, len(decisions), mean, error, grades))
        return tuple(rows)

    def losses_by_kind(self, *, by_person: bool = True) -> tuple[KindLoss, ...]:
        """What the decisions at each kind of question lost, the greatest loss first."""
        kinds: dict[tuple[str, str], list[ReviewedDecision]] = {}
        for decision in self.decisions:
            if decision.by_person == by_person:
                kinds.setdefault((decision.seat, decision.key), []).append(decision)
        rows = []
        for (seat, key), decisions in kinds.items():
            wins = [one.win_loss for one in decisions if one.win_loss is not None]
            mistakes = sum(self.grade(one) not in ("good", "within error") for one in decisions)
            win_loss = _total(wins) if len(wins) == len(decisions) else None
            rows.append(KindLoss(seat, key, len(decisions), mistakes, _total([one.loss for one in decisions]), win_loss))
        return tuple(sorted(rows, key=lambda row: -self.share_of_loss(row).mean))

    def shares(self) -> tuple[Share, ...]:
        """The parts of the result; their sum is the result, in the order of `PARTS`."""
        sums: dict[tuple[Part, str], Worth] = {("start", ""): self.start}
        for step in self.steps:
            key = (step.part, step.who)
            sums[key] = sums[key].plus(step.change) if key in sums else step.change
        ordered = sorted(sums.items(), key=lambda item: (PARTS.index(item[0][0]), item[0][1]))
        return tuple([Share(part, who, worth.vp_estimate, worth.win_estimate) for (part, who), worth in ordered])

    def moments(self, count: int = KEY_MOMENTS) -> tuple[Moment, ...]:
        """The moments at which the game changed most, the greatest change first."""
        steps = [step for step in self.steps if step.part in ("luck", "decisions")]

        def size(step: Step) -> float:
            win = step.change.win_estimate
            change = win if self.unit == "win" and win is not None else step.change.vp_estimate
            return max(0.0, abs(change.mean) - change.error)  # what is surely there

        ranked = [step for step in sorted(steps, key=lambda step: -size(step)) if size(step) > 0][:count]
        return tuple(
            [Moment(*step[:6], self._reason(step), step.change.vp_estimate, step.change.win_estimate) for step in ranked]
        )

    def _reason(self, step: Step) -> str:
        """The reason of the worst decision of a step, if there is one."""
        if step.part != "decisions":
            return ""
        made = [one for one in self.decisions if one.entry == step.entry and one.seat == step.who and one.reply <= step.reply]
        return max(made, key=lambda one: self.share_of_loss(one).mean).reason if made else ""

    def mistakes(self, *, seat: str = "", by_person: bool = True) -> tuple[ReviewedDecision, ...]:
        """The inaccuracies, mistakes and blunders, of a seat or all, the worst first."""
        found = [
            one
            for one in self.decisions
            if one.by_person == by_person and seat in ("", one.seat) and self.grade(one) not in ("good", "within error")
        ]
        return tuple(sorted(found, key=lambda one: -self.share_of_loss(one).mean))


def _total(estimates: Iterable[Estimate]) -> Estimate:
    """The sum of independent estimates.

    >>> _total([Estimate(2.0, 0.3), Estimate(-1.0, 0.4)])
    Estimate(mean=1.0, error=0.5)
    """
    known = list(estimates)
    return Estimate(sum(one.mean for one in known), sum(one.error**2 for one in known) ** 0.5)


def share_of_loss(decision: ReviewedDecision | Alternative | KindLoss, vp_per_win: float, *, in_vp: bool = False) -> Estimate:
    """The loss as a share of a whole chance to win; from VP if no chance to win is known, or with ``in_vp``."""
    if decision.win_loss is not None and not in_vp:
        return decision.win_loss
    return Estimate(decision.loss.mean / vp_per_win, decision.loss.error / vp_per_win)


def certain_after_choice(alternatives: int) -> float:
    """Standard errors that an alternative must be behind the best of so many by, if the best was chosen in the same worlds.

    The best of many equal figures with errors is ahead of each by luck, so that as many comparisons share the probability that
    one alone exceeds `CERTAIN` (Bonferroni).

    >>> [round(certain_after_choice(count), 1) for count in (2, 4, 8, 12)]
    [2.0, 2.4, 2.7, 2.9]
    """
    from statistics import NormalDist

    normal = NormalDist()
    return -normal.inv_cdf(normal.cdf(-CERTAIN) / max(1, alternatives - 1))


def grade_of(loss: Estimate, certain: float = CERTAIN) -> Grade:
    """The grade of a loss of the chance to win. A loss of less than ``certain`` standard errors is within error.

    >>> [grade_of(Estimate(loss, 0.01)) for loss in (0.0, 0.07, 0.12, 0.3)], grade_of(Estimate(0.3, 0.2))
    (['good', 'inaccuracy', 'mistake', 'blunder'], 'within error')
    """
    if loss.mean < INACCURACY:
        return "good"
    if loss.mean < certain * loss.error:
        return "within error"
    return "inaccuracy" if loss.mean < MISTAKE else "mistake" if loss.mean < BLUNDER else "blunder"


def accuracy_of(loss: Estimate) -> float:
    """The accuracy of a decision from 0 to 100: 100 without a loss, 50 with that of a blunder, 25 with twice that.

    The loss counts less most of its standard error (`ALLOWANCE`), so that the scatter of the worlds alone makes no decision look
    bad.

    >>> [accuracy_of(Estimate(loss)) for loss in (-0.1, 0.0, BLUNDER, 2 * BLUNDER)], accuracy_of(Estimate(0.15, 0.2))
    ([100.0, 100.0, 50.0, 25.0], 100.0)
    """
    halvings = max(0.0, loss.mean - ALLOWANCE * loss.error) / BLUNDER
    return 100.0 / 2.0**halvings if halvings < 1000 else 0.0


def cross_fitted_losses(
    criterion: Sequence[Sequence[float]], taken: int, measures: Sequence[Sequence[Sequence[float]]]
) -> tuple[int, list[Estimate]]:
    """The best of several candidates, and by how much it exceeds the taken one in each measure, without the bias of choosing.

    ``criterion`` and each measure hold the value of each candidate in each world. The best by the mean criterion in the worlds
    with an even number is measured in those with an odd one, and the other way round.

    >>> values = [[1, 1, 1, 1], [3, 2, 3, 2]]
    >>> cross_fitted_losses(values, 0, [values])
    (1, [Estimate(mean=1.5, error=0.47664153817166893)])
    """
    worlds = range(len(criterion[taken]))

    def best(of: Iterable[int]) -> int:
        chosen = list(of)
        sums = [round(sum([row[world] for world in chosen]), 9) for row in criterion]
        return max(range(len(criterion)), key=lambda index: (sums[index], index == taken))

    even, odd = best(worlds[::2]), best(worlds[1::2])
    measured = [odd if world % 2 == 0 else even for world in worlds]
    losses = [[rows[measured[world]][world] - rows[taken][world] for world in worlds] for rows in measures]
    return best(worlds), [Estimate.of(row) for row in losses]
