"""Exact odds: the outcomes of the rules' procedures on a hypothetical position, and how they are presented."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import prod

from companion.core.hints import TYPE_CHECKING, Any, TypeVar
from companion.core.named_tuple import NamedTuple
from companion.core.odds import Continued, Rounds, distribution
from companion.core.position import Piece, Position
from companion.core.procedures import Procedure
from companion.core.requests import Odds
from companion.core.text import plural
from companion.games.lzalbany import state
from companion.games.lzalbany.areas import is_area
from companion.games.lzalbany.rules import r08_hits
from companion.games.lzalbany.state import DEAD, ELIMINATED, OFFICER, REDUCED, UNIT, US, WOUNDED, Side

if TYPE_CHECKING:
    from companion.games.lzalbany.referee import AlbanyReferee

PLACED = "Assumes that hits go where Companion thinks best."
FEW = 6
"""Up to so many areas, odds under artillery or from the air are shown beside the choices at once."""

R = TypeVar("R")
Rows = tuple[tuple[str, float], ...]
Section = tuple[str, Rows]
Results = tuple[Any, ...]
"""What the parts of a fight returned so far."""
Part = Callable[["AlbanyReferee", Results], Procedure[Any]]
"""A part of a fight, such as one volley with its hits; it gets what the earlier parts returned."""
Fates = tuple[r08_hits.Target | None, ...]


class Outcomes(NamedTuple):
    """The possible outcomes of a fight: the probability of each combination of what the counters become and the parts return."""

    before: tuple[r08_hits.Target, ...]
    chances: Mapping[tuple[Fates, Results], float]

    def numbers(self, field: str = "hits", part: int = 0) -> Rows:
        """The distribution of a number that a part returned in a field."""
        counts: dict[int, float] = {}
        for (_, results), chance in self.chances.items():
            number = getattr(results[part], field)
            counts[number] = counts.get(number, 0.0) + chance
        return tuple((str(number), counts[number]) for number in sorted(counts))

    def mean(self, field: str = "hits", part: int = 0) -> float:
        """The expected number, or the probability of a condition."""
        return sum(float(getattr(results[part], field)) * chance for (_, results), chance in self.chances.items())

    def most(self, field: str) -> int:
        """The highest number."""
        return max(int(getattr(results[0], field)) for _, results in self.chances)

    def fates(self, pieces: Iterable[Piece]) -> Rows:
        """For each counter the chances to be eliminated and, if at full strength, to be reduced at least."""
        wanted = {piece.id for piece in pieces}
        rows: list[tuple[str, float]] = []
        for index, target in enumerate(self.before):
            if target.id not in wanted:
                continue
            fates: dict[r08_hits.Target | None, float] = {}
            for (after, _), chance in self.chances.items():
                fates[after[index]] = fates.get(after[index], 0.0) + chance
            rows += [(f"{target.name} {what}", chance) for what, chance in _fate_rows(target, fates)]
        return tuple(row for row in rows if row[1])

    def harmed(self, pieces: Iterable[Piece]) -> float:
        """The probability that at least one of some counters is hit."""
        wanted = {piece.id for piece in pieces}
        places = [index for index, target in enumerate(self.before) if target.id in wanted]
        return sum(chance for (after, _), chance in self.chances.items() if any(after[i] != self.before[i] for i in places))

    def cleared(self, side: Side) -> float:
        """The probability that no platoon of a side is left."""
        own = [index for index, target in enumerate(self.before) if target.side == side]
        return sum(chance for (after, _), chance in self.chances.items() if all(_is_gone(after[index]) for index in own))


def _is_gone(target: r08_hits.Target | None) -> bool:
    """True if no platoon is left of a counter; a wounded marker is none [8.2]."""
    return target is None or target.kind != UNIT


def _fate_rows(target: r08_hits.Target, fates: Mapping[r08_hits.Target | None, float]) -> list[tuple[str, float]]:
    if target.kind == OFFICER:
        return [("is a casualty", 1.0 - fates.get(target, 0.0))]
    if target.kind != UNIT:
        return [("is destroyed", fates.get(None, 0.0))]
    rows = [("eliminated", sum(chance for fate, chance in fates.items() if _is_gone(fate)))]
    if target.hits < REDUCED:
        reduced = sum(chance for fate, chance in fates.items() if fate is None or fate.hits >= REDUCED)
        rows.insert(0, ("reduced or worse", reduced))
    return rows


def settled(procedure: Procedure[R]) -> R:
    """The result of a procedure without dice if every question gets the suggested answer."""
    results: dict[R, float] = distribution(lambda: procedure)
    (result,) = results
    return result


async def play(referee: AlbanyReferee, parts: Iterable[Part]) -> None:
    """Play a fight at the table, part by part."""
    results: Results = ()
    for part in parts:
        results = (*results, await part(referee, results))


class _State:
    __slots__ = ("_hash", "_key", "position", "results")

    def __init__(self, position: Position, results: Results) -> None:
        self.position = position
        self.results = results
        self._key = results, tuple((p.id, p.place, p.face, *p.marks.items()) for p in position.pieces.values())
        self._hash = hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _State) and self._key == other._key

    def __hash__(self) -> int:
        return self._hash


def enumerate_outcomes(start: AlbanyReferee, *parts: Part) -> Outcomes:
    """The outcomes of a fight that is played part by part on a hypothetical position."""

    def from_state(part: Part) -> Callable[[_State], Procedure[Continued]]:
        async def go(state: _State) -> Continued:
            referee = start.hypothetical(state.position)
            result = await part(referee, state.results)
            return Continued(_State(referee.position, (*state.results, result)))

        return go

    before = tuple(r08_hits.target_of(piece) for piece in start.position.pieces.values())
    chances: dict[tuple[Fates, Results], float] = {}
    for (after, _), chance in Rounds(*map(from_state, parts)).one_round(_State(start.position, ())).items():
        end = tuple(_fate(start.position, after.position, target) for target in before), after.results
        chances[end] = chances.get(end, 0.0) + chance
    return Outcomes(before, chances)


def _fate(start: Position, position: Position, before: r08_hits.Target) -> r08_hits.Target | None:
    piece = position.pieces[before.id]
    if piece is start.pieces[before.id]:
        return before
    if piece.place == ELIMINATED and before.side == US:
        markers = [p for p in position.of_kind(WOUNDED) if p.name == f"W:{before.name}" and is_area(p.place)]
        return r08_hits.target_of(markers[0]) if markers else None
    return None if piece.place in (ELIMINATED, DEAD) else r08_hits.target_of(piece)


def attack_odds(title: str, rule: str, side: Side, outcomes: Outcomes, area: Sequence[Piece], *more: Section) -> Odds:
    """The odds of an attack of a side without an answer; further sections come first, empty ones are left out."""
    dice = outcomes.most("dice")
    head = f"Hits ({plural(dice, 'die', 'dice')})" if dice else "Hits"
    own = [piece for piece in area if state.side_of(piece) == side]
    targets = [piece for piece in area if piece not in own]
    sections = (
        *more,
        (head, outcomes.numbers()),
        ("Target", outcomes.fates(targets)),
        ("Own side there", by_side(own, [outcomes])),
    )
    shown = tuple(section for section in sections if section[1])
    return Odds(title, rule, shown, (("hits", outcomes.mean()),), (PLACED,))


def by_side(pieces: Iterable[Piece], effects: Sequence[Outcomes]) -> Rows:
    """For counters that are not aimed at: whether one of a side is hit by any of several effects, and their fates."""
    pieces = list(pieces)
    rows: list[tuple[str, float]] = []
    for side in state.SIDES:
        own = [piece for piece in pieces if state.side_of(piece) == side]
        if own:
            spared = prod(1 - outcomes.harmed(own) for outcomes in effects)
            rows.append((f"{'an' if side == state.NVA else 'a'} {side} counter is hit", 1 - spared))
    return *rows, *(row for outcomes in effects for row in outcomes.fates(pieces))


def choice_odds(title: str, rule: str, parts: Mapping[str, Odds]) -> Odds:
    """The odds of each choice, by its value; the expected hits are shown beside the choice."""
    beside = tuple((value, _summary(odds)) for value, odds in parts.items())
    return join_odds(title, rule, list(parts.values()))._replace(beside=beside)


def _summary(odds: Odds) -> str:
    texts = zip(odds.means, ("{:.1f} hits expected", "{:.1f} in return"), strict=False)
    return ", ".join(text.format(mean) for (_, mean), text in texts)


def join_odds(title: str, rule: str, parts: Sequence[Odds]) -> Odds:
    """Several odds under one title."""
    if not parts:
        return Odds(title, rule, (), (), ("Nothing of the kind is possible now.",))
    sections = tuple((f"{part.title}: {head}", rows) for part in parts for head, rows in part.sections)
    means = tuple((f"{part.title}: {label}", value) for part in parts for label, value in part.means)
    return Odds(title, rule, sections, means, tuple(dict.fromkeys(note for part in parts for note in part.notes[:1])))
