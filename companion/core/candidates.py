"""Rank the candidates of a decision and explain the choice.

A planner lists what can be done as `Candidate` objects, each with its value in VP for the side that decides. `rank` orders
them, by value or by a list of priorities from ``ai.toml``, and returns a `Recommendation` that states the choice, what
decided, and what was passed over. Rollouts of the best candidates may change the choice (`Recommendation.after`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from companion.core.errors import BadData
from companion.core.fit import FIT
from companion.core.hints import TYPE_CHECKING, Any, Generic, Literal, TypeVar
from companion.core.named_tuple import NamedTuple
from companion.core.text import plural, signed
from companion.core.values import JsonObject

if TYPE_CHECKING:
    from companion.core.rollouts import CandidateStats, DecisionStats

C = TypeVar("C")
D = TypeVar("D")
R = TypeVar("R")

Keep = Literal["true", "false", "highest", "lowest"]
KEEPS: tuple[Keep, ...] = ("true", "false", "highest", "lowest")
PLAYOUTS = "playouts"  # The measure of how many rollouts a value comes from
GAP_ERROR = "gap_error"  # Of the standard error of the value's difference to that of the best
WIN, WIN_ERROR = "win", "win_error"  # Of the chance to win, from 0 to 1, and its standard error
WIN_GAP, WIN_GAP_ERROR = "win_gap", "win_gap_error"  # Of its difference to that of the best
SHOWN = 4  # Candidates passed over that an explanation names


class Candidate(NamedTuple, Generic[D]):
    """A legal decision (action, plan or answer) and its value in VP for the side that decides, relative to the others.

    ``error`` is the standard error of the value, 0 without sampling; ``reasons`` are what the value rests on, most important
    first; ``measures`` are further figures for priorities, by name: a risk, a cost. ``plan`` says what is done in the rest of the
    turn, if the candidate is a plan.
    """

    decision: D
    name: str
    value: float = 0.0
    error: float = 0.0
    reasons: tuple[str, ...] = ()
    measures: Mapping[str, float] = {}
    plan: str = ""


class Recommendation(NamedTuple, Generic[D]):
    """The result of ranking: the best candidate, and the others in the order of their rank.

    ``decided`` are the criteria that decided, in words (empty: the value), ``rivals`` how many of the others are worth a rollout,
    ``stats`` the rollouts that decided, and ``intended`` the recommendation that a deliberate mistake of a weak level departs
    from.
    """

    best: Candidate[D]
    others: tuple[Candidate[D], ...] = ()
    decided: tuple[str, ...] = ()
    rivals: int = 0
    stats: DecisionStats | None = None
    intended: Recommendation[D] | None = None

    @property
    def compared(self) -> tuple[Candidate[D], ...]:
        """The best candidate and its rivals, for rollouts."""
        return (self.best, *self.others[: self.rivals])

    def with_rivals(self, count: int, within: float = float("inf")) -> Recommendation[D]:
        """The same with the next best candidates, at most `within` VP behind the best, as rivals."""
        near = sum(self.best.value - other.value <= within for other in self.others[:count])
        return self._replace(rivals=near)

    def valued(self) -> tuple[Candidate[D], ...]:
        """The candidates, the best first; those that were played on with the value of their rollouts (measure ``playouts``)."""
        candidates = (self.best, *self.others)
        if not self.stats:
            return candidates
        rows = list(self.stats.rows)
        rows.insert(0, rows.pop(self.stats.choice))  # as `after` orders the candidates
        best = rows[0].mean
        played = [
            candidate._replace(
                value=row.mean if row.gap is None else best + row.gap,  # of as many playouts as both have
                error=row.error,
                measures={**candidate.measures, **_rollout_measures(self.stats, row)},
            )
            for candidate, row in zip(candidates, rows, strict=False)
        ]
        return (*played, *candidates[len(rows) :])

    def convert(self, function: Callable[[D], R]) -> Recommendation[R]:
        """The same with every decision converted, as into the reply that states it."""
        best, *others = [Candidate(function(candidate.decision), *candidate[1:]) for candidate in (self.best, *self.others)]
        return Recommendation(best, tuple(others), self.decided, self.rivals, self.stats)

    def after(self, stats: DecisionStats) -> Recommendation[D]:
        """The choice after rollouts of the candidates of `compared`, or after a deliberate mistake of a weak level."""
        chosen = self.compared[stats.choice]
        others = tuple([candidate for candidate in (self.best, *self.others) if candidate is not chosen])
        if stats.rows:
            return Recommendation(chosen, others, self.decided, self.rivals, stats)
        if not stats.choice:
            return self
        return Recommendation(chosen, others, intended=self)

    def lines(self, *, source: str = "our estimate", rule: str = "", digits: int = 1, shown: int = SHOWN) -> tuple[str, ...]:
        """Explain the choice in at most three lines: the value, what decided, what was passed over and by how much.

        ``source`` says where the values come from; at most ``shown`` candidates passed over are named.

        >>> north, south = Candidate(1, "north", 2.0, reasons=("70% to win",)), Candidate(2, "south", 1.5)
        >>> rank([south, north]).lines(rule="16.1")
        ('north: +2.0 VP by our estimate [16.1]', '70% to win', 'out: south -0.5')
        """
        if self.stats:
            rollouts, decided, *out = self.stats.explain()
            return (rollouts, "; ".join((decided, *self.best.reasons)), *out)
        if self.intended:
            first, *rest = self.intended.lines(source=source, rule=rule, digits=digits, shown=shown)
            return (f"it slips: {self.intended.best.name} is what it values most", first, *rest[-1:])
        cited = f" [{rule}]" if rule else ""
        error = f" (+-{self.best.error:.{digits}f})" if self.best.error else ""
        value = f"{self.best.name}: {signed(self.best.value, digits)} VP{error} by {source}{cited}"
        why = "; ".join((*self.decided, *self.best.reasons))
        return tuple(line for line in (value, why, self.passed_over(digits=digits, shown=shown)) if line)

    def brief(self) -> tuple[str, ...]:
        """`lines`; only the reasons for a choice without alternatives and without a value."""
        return self.lines() if self.others or self.best.value else self.best.reasons

    def passed_over(self, *, digits: int = 1, shown: int = SHOWN) -> str:
        """The candidates passed over and how far each is behind, in one line; empty if there are none."""
        if not self.others:
            return ""
        named = [f"{other.name} {signed(other.value - self.best.value, digits)}" for other in self.others[:shown]]
        more = [f"{len(self.others) - shown} more"] if len(self.others) > shown else []
        return f"out: {'; '.join([*named, *more])}"


def _rollout_measures(stats: DecisionStats, row: CandidateStats) -> dict[str, float]:
    """The measures of a candidate that was played on."""
    measures = {PLAYOUTS: float(row.playouts), GAP_ERROR: stats.gap_of(row)[1]}
    if row.win is not None:
        measures |= {WIN: row.win, WIN_ERROR: row.win_error}
    if row.win_gap is not None:
        measures |= {WIN_GAP: row.win_gap, WIN_GAP_ERROR: row.win_gap_error}
    return measures


def describe_gap(
    gap: float, gap_error: float = 0.0, playouts: int = 0, win_gap: float | None = None, win_gap_error: float = 0.0
) -> str:
    """Why a candidate is passed over: its gap to the chosen one in VP and, if given, in chance to win, and what decided.

    >>> describe_gap(-1.2, 0.5, 64, -0.04, 0.02)
    'behind by 1.2 VP (+-0.5) and 4 % (+-2) to win in 64 worlds'
    >>> describe_gap(0.3, 0.5, 8)
    "ahead by 0.3 VP (+-0.5) in 8 worlds: the planner's own values decided"
    >>> describe_gap(-0.5)
    'behind by 0.5 VP'
    """
    error = f" (+-{gap_error:.1f})" if playouts > 1 else ""
    if is_alike(playouts, gap, gap_error):
        return f"the same came of both in {plural(playouts, 'world')}"
    side = "ahead" if gap > 0 else "behind"
    text = f"{side} by {abs(gap):.1f} VP{error}"
    if not gap:
        text = "as good in VP"
    if win_gap is not None:
        same = gap == 0 or (win_gap > 0) == (gap > 0)
        chance = f"{abs(100 * win_gap):.0f} % (+-{100 * win_gap_error:.0f})"
        text += f" and {chance} to win" if same and gap else f", {'ahead' if win_gap > 0 else 'behind'} by {chance} to win"
    if playouts:
        text += f" in {plural(playouts, 'world')}"
    if gap >= 0:
        return f"{text}: the planner's own values decided"
    return f"{text}, within the error" if abs(gap) < gap_error - 1e-6 else text


def is_alike(playouts: int, gap: float, gap_error: float) -> bool:
    """True if a candidate that was played on went as the chosen one did in every world."""
    return gap == gap_error == 0 and playouts > 1


def gap_to(best: Candidate[Any], other: Candidate[Any]) -> float | None:
    """The difference of a candidate's value to the best one's; None if only the best was played on."""
    played = PLAYOUTS in other.measures or PLAYOUTS not in best.measures
    return round(other.value - best.value, 9) if played else None


def describe_second(candidates: Sequence[Candidate[Any]]) -> str:
    """Why the second best of an advice is passed over, the advised candidate first; "" without another.

    Second best is the highest value of the candidates that were played on longest, except those that lead to the same.

    >>> describe_second([Candidate(1, "north", 2.0), Candidate(2, "south", 1.5), Candidate(3, "west", 0.5)])
    'south is passed over: behind by 0.5 VP'
    """
    if len(candidates) < 2:
        return ""
    best, *others = candidates

    def rank_of(other: Candidate[Any]) -> tuple[bool, bool, int, float]:
        playouts, gap = int(other.measures.get(PLAYOUTS, 0)), gap_to(best, other)
        alike = is_alike(playouts, gap or 0.0, other.measures.get(GAP_ERROR, 0.0))
        return gap is not None, not alike, playouts, other.value

    second = max(others, key=rank_of)
    measures, gap = second.measures, gap_to(best, second)
    if gap is None:
        return f"{second.name} is passed over: the planner's own values decided"
    playouts, chance = int(measures.get(PLAYOUTS, 0)), measures.get(WIN_GAP)
    reason = describe_gap(gap, measures.get(GAP_ERROR, 0.0), playouts, chance, measures.get(WIN_GAP_ERROR, 0.0))
    return f"{second.name} is passed over: {reason}"


class Priority(NamedTuple):
    """A criterion of a list of priorities: candidates with a true, false, highest or lowest measure stay. The text says it."""

    measure: str
    keep: Keep
    text: str


Measure = Callable[[Candidate[D]], float]
"""Returns the figure that a priority compares."""


def read_constants(constants: type[C], data: JsonObject, table: str = "") -> C:
    """Read the constants of ``ai.toml`` into a NamedTuple with fields named ``table_key``; lists become tuples.

    Weights of fitted values are left out. ``table``: read this table only, into fields named by its keys. Raises BadData, which
    lists every missing or unknown constant.

    >>> class Fire(NamedTuple):
    ...     hit: float
    ...     dice: tuple[int, ...]
    >>> read_constants(Fire, {"fire": {"hit": 0.5, "dice": [1, 2]}, "words": {"fire": "fires"}}, "fire")
    Fire(hit=0.5, dice=(1, 2))
    """
    tables = {"": data.get(table, {})} if table else {f"{name}_": items for name, items in data.items() if name != FIT}
    values: dict[str, Any] = {
        f"{prefix}{key}": tuple(value) if isinstance(value, list) else value
        for prefix, items in tables.items()
        for key, value in items.items()
    }
    where = f"ai.toml: {table}." if table else "ai.toml: "
    fields = constants.__annotations__
    faults = [f"{where}{name}: missing" for name in fields if name not in values]
    faults += [f"{where}{name}: unknown" for name in values if name not in fields]
    if faults:
        raise BadData("the constants of the planner cannot be used", faults=faults)
    return constants(**values)


def read_priorities(data: JsonObject, decision: str, measures: Iterable[str]) -> tuple[Priority, ...]:
    """Read the priorities of a decision from ``ai.toml``: ``[[decision]]`` tables with measure, keep and text.

    Only the named measures are allowed. Raises BadData, which lists every fault.
    """
    faults: list[str] = []
    priorities: list[Priority] = []
    names = set(measures)
    for number, item in enumerate(data.get(decision, ()), 1):
        where = f"ai.toml: {decision} {number}"
        if set(item) != {"measure", "keep", "text"}:
            faults.append(f"{where}: has {', '.join(sorted(item))}; needs measure, keep and text")
            continue
        if item["measure"] not in names:
            faults.append(f"{where}: measure: unknown measure '{item['measure']}'")
        if item["keep"] not in KEEPS:
            faults.append(f"{where}: keep: '{item['keep']}' is none of {', '.join(KEEPS)}")
        priorities.append(Priority(item["measure"], item["keep"], item["text"]))
    if not priorities and not faults:
        faults.append(f"ai.toml: {decision}: no priority")
    if faults:
        raise BadData(f"the priorities of '{decision}' cannot be used", faults=faults)
    return tuple(priorities)


def rank(
    candidates: Iterable[Candidate[D]], priorities: Sequence[Priority] = (), measures: Mapping[str, Measure[D]] | None = None
) -> Recommendation[D]:
    """Rank candidates by value, or choose by priorities and rank the rest by value.

    Each priority removes candidates until one is left; a priority that would remove all of them is skipped. Equal
    candidates keep the order in which they were given. ``measures`` are the functions that the priorities name; by default
    ``Candidate.measures``. Raises ValueError: there are no candidates.

    >>> rank([Candidate("a", "a", 1.0), Candidate("b", "b", 3.0)]).best.name
    'b'
    >>> cheap = Priority("cost", "lowest", "the cheapest")
    >>> rank([Candidate("a", "a", 1.0, measures={"cost": 1}), Candidate("b", "b", 3.0, measures={"cost": 2})], [cheap])
    ... # doctest: +ELLIPSIS
    Recommendation(best=Candidate(decision='a', ...), others=(Candidate(decision='b', ...),), decided=('the cheapest',), ...)
    """
    ranked = sorted(candidates, key=lambda candidate: -candidate.value)
    if not ranked:
        raise ValueError("no candidates to rank")
    if not priorities:
        return Recommendation(ranked[0], tuple(ranked[1:]))
    left, decided = list(candidates) if isinstance(candidates, Sequence) else ranked, ""
    for priority in priorities:
        if len(left) == 1:
            break
        kept = _kept(left, priority, measures or {})
        if kept and len(kept) < len(left):
            left, decided = kept, priority.text
    best = left[0]
    others = tuple([candidate for candidate in ranked if candidate is not best])
    return Recommendation(best, others, (decided,) if decided else ())


def _kept(candidates: Sequence[Candidate[D]], priority: Priority, measures: Mapping[str, Measure[D]]) -> list[Candidate[D]]:
    """The candidates that a priority keeps."""
    measure = measures.get(priority.measure) or (lambda candidate: candidate.measures[priority.measure])
    values = [measure(candidate) for candidate in candidates]
    if priority.keep in ("true", "false"):
        return [c for c, value in zip(candidates, values, strict=True) if bool(value) == (priority.keep == "true")]
    extreme = max(values) if priority.keep == "highest" else min(values)
    return [c for c, value in zip(candidates, values, strict=True) if value == extreme]
