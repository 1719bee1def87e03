"""Exact odds: what the procedures of the rules, played out on paper, leave of everybody. No rule stands here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from companion.core.odds import Continued, Rounds, distribution
from companion.core.position import Piece, Position
from companion.core.procedures import AnyProcedure, Procedure
from companion.core.requests import Odds
from companion.core.text import plural
from companion.games.lzalbany.names import DEAD, ELIMINATED, OFFICER, UNIT, US, WOUNDED
from companion.games.lzalbany.odds.paper import Paper
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules.r08_hits import REDUCED, Target
from companion.games.lzalbany.words.areas import is_area
from companion.games.lzalbany.words.counters import target_of

PLACED = "Assumes that hits go where Companion thinks best."

R = TypeVar("R")
Rows = tuple[tuple[str, float], ...]
Section = tuple[str, Rows]
Told = tuple[Any, ...]
"""What the parts of a fight returned."""
Part = Callable[[LzAlbany, Told], AnyProcedure]
"""A part of a fight, such as one volley with its hits; it sees what the earlier ones returned. What several ways lead to is
worked out once.
"""
After = tuple[Target | None, ...]


class Ends(NamedTuple):
    """How a fight may end.

    Attributes:
        before: everybody in its areas.
        chances: what becomes of each of them and what the parts returned, with its probability.
    """

    before: tuple[Target, ...]
    chances: Mapping[tuple[After, Told], float]

    def numbers(self, field: str = "hits", part: int = 0) -> Rows:
        """The distribution of a number that a part returned in a field of that name."""
        counts: dict[int, float] = {}
        for (_, told), chance in self.chances.items():
            number = getattr(told[part], field)
            counts[number] = counts.get(number, 0.0) + chance
        return tuple((str(number), counts[number]) for number in sorted(counts))

    def mean(self, field: str = "hits", part: int = 0) -> float:
        """The expected number, or the chance of something that is so or not."""
        return sum(float(getattr(told[part], field)) * chance for (_, told), chance in self.chances.items())

    def most(self, field: str) -> int:
        """The highest number."""
        return max(int(getattr(told[0], field)) for _, told in self.chances)

    def fates(self, pieces: Iterable[Piece]) -> Rows:
        """For each counter the chances to be eliminated and, where it is whole, to be reduced at least."""
        wanted = {piece.id for piece in pieces}
        rows: list[tuple[str, float]] = []
        for at, target in enumerate(self.before):
            if target.id not in wanted:
                continue
            fates: dict[Target | None, float] = {}
            for (after, _), chance in self.chances.items():
                fates[after[at]] = fates.get(after[at], 0.0) + chance
            rows += [(f"{target.name} {what}", chance) for what, chance in _fate_rows(target, fates)]
        return tuple(row for row in rows if row[1])

    def cleared(self, side: str) -> float:
        """The probability that no platoon of a side is left."""
        ours = [at for at, target in enumerate(self.before) if target.side == side]
        return sum(chance for (after, _), chance in self.chances.items() if all(_gone(after[at]) for at in ours))


def _gone(target: Target | None) -> bool:
    """Whether no platoon is left of a counter; a US unit that has become a wounded marker is none [8.2]."""
    return target is None or target.kind != UNIT


def _fate_rows(target: Target, fates: Mapping[Target | None, float]) -> list[tuple[str, float]]:
    if target.kind == OFFICER:
        return [("is a casualty", 1.0 - fates.get(target, 0.0))]
    if target.kind != UNIT:
        return [("is destroyed", fates.get(None, 0.0))]
    rows = [("eliminated", sum(chance for fate, chance in fates.items() if _gone(fate)))]
    if target.hits < REDUCED:
        down = sum(chance for fate, chance in fates.items() if fate is None or fate.hits >= REDUCED)
        rows.insert(0, ("reduced or worse", down))
    return rows


def settled(procedure: Procedure[R]) -> R:
    """What a procedure without dice returns when everything is answered as it suggests."""
    results: dict[Any, float] = distribution(lambda: procedure)
    (result,) = results
    return result  # type: ignore[no-any-return]


async def play(game: LzAlbany, parts: Iterable[Part]) -> None:
    """A fight at the table, part by part."""
    told: Told = ()
    for part in parts:
        told = (*told, await part(game, told))


class _Stand:
    """How things stand after some parts; alike stands are one."""

    __slots__ = ("_hash", "_key", "position", "told")

    def __init__(self, position: Position, told: Told) -> None:
        self.position = position
        self.told = told
        self._key = told, tuple((p.id, p.place, p.face, *p.marks.items()) for p in position.pieces.values())
        self._hash = hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Stand) and self._key == other._key

    def __hash__(self) -> int:
        return self._hash


def play_out(start: Paper, *parts: Part) -> Ends:
    """The ends of a fight that is played part by part on paper."""

    def from_stand(part: Part) -> Callable[[_Stand], Procedure[Continued]]:
        async def go(stand: _Stand) -> Continued:
            paper = start.again(stand.position)
            more = await part(paper, stand.told)
            return Continued(_Stand(paper.position, (*stand.told, more)))

        return go

    before = tuple(target_of(piece) for piece in start.position.pieces.values())
    chances: dict[tuple[After, Told], float] = {}
    for (stand, _), chance in Rounds(*map(from_stand, parts)).one_round(_Stand(start.position, ())).items():
        end = tuple(_fate(start.position, stand.position, target) for target in before), stand.told
        chances[end] = chances.get(end, 0.0) + chance
    return Ends(before, chances)


def _fate(start: Position, position: Position, before: Target) -> Target | None:
    """What a counter has become."""
    piece = position.pieces[before.id]
    if piece is start.pieces[before.id]:
        return before
    if piece.place == ELIMINATED and before.side == US:
        marks = [p for p in position.of_kind(WOUNDED) if p.name == f"W:{before.name}" and is_area(p.place)]
        return target_of(marks[0]) if marks else None
    return None if piece.place in (ELIMINATED, DEAD) else target_of(piece)


def support_odds(title: str, rule: str, ends: Ends, there: Iterable[Piece], *more: Section) -> Odds:
    """An attack that nobody answers, with further sections before its own; those without a line are left out."""
    dice = ends.most("dice")
    head = f"Hits ({plural(dice, 'die', 'dice')})" if dice else "Hits"
    sections = (*more, (head, ends.numbers()), ("Target", ends.fates(there)))
    shown = tuple(section for section in sections if section[1])
    return Odds(title, rule, shown, (("hits", ends.mean()),), (PLACED,))


def chosen_odds(title: str, rule: str, parts: Mapping[str, Odds]) -> Odds:
    """The odds of each choice, by its value, under one title; beside the choice stand the hits that are to be expected."""
    beside = tuple((value, _gist(one)) for value, one in parts.items())
    return join_odds(title, rule, list(parts.values()))._replace(beside=beside)


FEW = 6
"""So many areas are looked at in a glance under artillery or from the air, where a miss falls elsewhere."""


def _gist(odds: Odds) -> str:
    """The hits of an attack on average, and those of the answer."""
    return ", ".join(f"{mean:.1f} {word}" for (_, mean), word in zip(odds.means, ("hits", "in return"), strict=False))


def join_odds(title: str, rule: str, parts: Sequence[Odds]) -> Odds:
    """Several odds under one title."""
    if not parts:
        return Odds(title, rule, (), (), ("Nothing of the kind is possible now.",))
    sections = tuple((f"{part.title}: {head}", rows) for part in parts for head, rows in part.sections)
    means = tuple((f"{part.title}: {label}", value) for part in parts for label, value in part.means)
    return Odds(title, rule, sections, means, tuple(dict.fromkeys(note for part in parts for note in part.notes[:1])))
