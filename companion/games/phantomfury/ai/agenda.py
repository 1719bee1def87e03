"""The next action of the planner in rollouts: candidates are valued once a Phase, and again only for the unit that is next.

Ranking all units again after each action takes twice as long and plays no better.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence

from companion.core.match import PlannedAction
from companion.core.position import Piece
from companion.games.phantomfury import state
from companion.games.phantomfury.ai import planner
from companion.games.phantomfury.ai.features import Features
from companion.games.phantomfury.ai.planner import Move
from companion.games.phantomfury.referee import FIRE, MOVEMENT

Renew = Callable[[str], Move | None]
"""Returns the best candidate of a unit now; None if it has none any more."""


class LazyQueue:
    """The best candidate of each unit with its value when it was last computed, the highest last."""

    def __init__(self, candidates: Iterable[Move]) -> None:
        best: dict[str, float] = {}
        for candidate in candidates:
            unit = candidate.decision.answers["unit"]
            best[unit] = max(best.get(unit, candidate.value), candidate.value)
        self._units = sorted((value, unit) for unit, value in best.items())

    @property
    def values(self) -> tuple[tuple[float, str], ...]:
        """The values and units that are left."""
        return tuple(self._units)

    def take(self, least: float, renew: Renew) -> Move | None:
        """Remove and return the best candidate worth more than ``least``, valued as of now; None if there is none."""
        while self._units and self._units[-1][0] > least:
            _, unit = self._units.pop()
            move = renew(unit)
            if move is None or move.value <= least:
                continue
            if not self._units or move.value >= self._units[-1][0]:
                return move
            self._units.append((move.value, unit))
            self._units.sort()
        return None


class Agenda:
    """The actions of a turn, one after the other."""

    def __init__(self) -> None:
        self._turn = 0
        self._shots: LazyQueue | None = None
        self._forward: LazyQueue | None = None
        self._posts: LazyQueue | None = None
        self._instead: dict[str, float] = {}  # what each unit could gain by moving, as the Fire Combat Phase began
        self._entrants: dict[str, set[str]] = {}

    def memory(self, turn: int) -> Hashable:
        """What the next actions in a turn depend on besides the position."""
        if turn != self._turn:
            return None
        queues = [queue and queue.values for queue in (self._shots, self._forward, self._posts)]
        entrants = [(zone, frozenset(ids)) for zone, ids in self._entrants.items()]
        return (*queues, *self._instead.items(), *entrants)

    def next(self, features: Features, refused: Sequence[PlannedAction]) -> Move:
        """The best candidate of the first Phase in which something is worth doing; otherwise the end of the turn."""
        if features.referee.turn != self._turn:
            self.__init__()  # type: ignore[misc]
            self._turn = features.referee.turn
        for phase, least, candidates in planner.phases(features):
            if features.phase > phase:
                continue
            move: Move | None
            if phase == FIRE:
                move = self._shot(features, refused, least)
            elif phase == MOVEMENT:
                move = self._movement(features, refused, least)
            else:
                move = planner.best_of(candidates(features), refused, least)
            if move is not None:
                return move
        return planner.END

    def _shot(self, features: Features, refused: Sequence[PlannedAction], least: float) -> Move | None:
        if self._shots is None:
            self._entrants = features.all_entrants()
            shots = list(planner.fire_candidates(features))
            self._instead = planner.gains_of_moving(features) if shots else {}
            self._shots = LazyQueue(self._net(shot) for shot in shots)
        free = {squad.id for squad in features.squads if features.referee.no_movement(squad) is None}
        features.set_entrants({zone: ids & free for zone, ids in self._entrants.items()})

        def renew(name: str) -> Move | None:
            unit = _unit(features, name)
            shot = planner.best_shot(features, unit) if unit else None
            return self._net(shot) if shot and shot.decision not in refused else None

        return self._shots.take(least, renew)

    def _net(self, shot: Move) -> Move:
        return shot._replace(value=shot.value - max(self._instead.get(shot.decision.answers["unit"], 0.0), 0.0))

    def _movement(self, features: Features, refused: Sequence[PlannedAction], least: float) -> Move | None:
        if tank := planner.best_of(planner.tank_candidates(features), refused, least):
            return tank
        if self._forward is None:
            self._forward = LazyQueue(planner.for_free_squads(features, planner.forward_candidates))
        if move := self._forward.take(least, _renewing(features, planner.forward_candidates, refused, least)):
            return move
        if self._posts is None:
            self._posts = LazyQueue(planner.for_free_squads(features, planner.post_candidates))
        if move := self._posts.take(least, _renewing(features, planner.post_candidates, refused, least)):
            return move
        self._forward = self._posts = None  # moves may have opened ways for others
        return planner.best_of(planner.move_candidates(features), refused, least)


def _renewing(
    features: Features, candidates: Callable[[Features, Piece], Iterable[Move]], refused: Sequence[PlannedAction], least: float
) -> Renew:
    def renew(name: str) -> Move | None:
        squad = _unit(features, name)
        if squad is None or features.referee.no_movement(squad) is not None:
            return None
        return planner.best_of(candidates(features, squad), refused, least)

    return renew


def _unit(features: Features, name: str) -> Piece | None:
    return next((unit for unit in (*features.squads, *features.referee.tanks()) if state.short(unit) == name), None)
