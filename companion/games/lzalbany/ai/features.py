"""Cached features of a position: stacks as dice and hits see them, distances, and the dice of each side.

Moves are tried on the stacks alone, without a new position.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

from companion.core.position import Piece, Position, Value, cached_by_values
from companion.games.lzalbany import state
from companion.games.lzalbany.areas import ALBANY, COLUMBUS, FAR, OFF_GRID, TRANSITION, is_area
from companion.games.lzalbany.rules import r07_melee, r08_hits
from companion.games.lzalbany.rules.r04_victory import LAST_TURN

if TYPE_CHECKING:
    from companion.games.lzalbany.referee import AlbanyReferee

_CACHE_SIZE = 50_000
"""Pieces, and counters and stacks, that are kept."""


class CounterFeatures(NamedTuple):
    """A platoon, officer or wounded marker: `fire` is 0 if it cannot fire at adjacent areas, `group` "" for a senior officer.

    `piece` is the counter, perhaps as it was at another place: no value depends on that.
    """

    piece: Piece
    target: r08_hits.Target
    fire: int
    melee: int
    group: str


def _counter_features(piece: Piece) -> CounterFeatures:
    fire = state.strength(piece, "fire") if state.is_infantry(piece) and state.may_fire(piece) else 0
    group = "" if state.is_senior(piece) else state.group_of(piece)
    return CounterFeatures(piece, r08_hits.target_of(piece), fire, state.strength(piece, "melee"), group)


@cached_by_values
def _printed_values(piece: Piece) -> tuple[tuple[str, Value], ...]:
    return tuple(piece.values.items())


def _counter_key(piece: Piece) -> tuple[object, ...]:
    """All that features of a counter are read from: everything but its place and its other marks."""
    marks = piece.marks.get(state.HITS), piece.marks.get(state.INCIDENT)
    return (*piece[:3], piece.face, _printed_values(piece), *marks)


class Stack:
    """The counters of a side in an area, as they are or might be; `wounded` counters must be carried."""

    def __init__(
        self,
        units: Sequence[CounterFeatures] = (),
        officers: Sequence[CounterFeatures] = (),
        wounded: Sequence[CounterFeatures] = (),
    ) -> None:
        self.units = tuple(units)
        self.officers = tuple(officers)
        self.wounded = tuple(wounded)
        self._fire_forces: dict[str, r07_melee.Force] = {}
        self._melee_forces: dict[str, r07_melee.Force] = {}

    def joined(self, counters: Sequence[CounterFeatures]) -> Stack:
        """The stack with further counters."""
        units = [c for c in counters if c.piece.kind == state.UNIT]
        officers = [c for c in counters if c.piece.kind == state.OFFICER and state.is_unwounded(c.piece)]
        others = [c for c in counters if c not in units and c not in officers]
        return Stack((*self.units, *units), (*self.officers, *officers), (*self.wounded, *others))

    def without(self, counters: Sequence[CounterFeatures]) -> Stack:
        """The stack without some counters."""
        ids = {counter.piece.id for counter in counters}
        parts = ([c for c in part if c.piece.id not in ids] for part in self._parts)
        return Stack(*parts)

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """The groups of its platoons."""
        return tuple(dict.fromkeys(unit.group for unit in self.units))

    def is_alike(self, other: Stack, limit: int) -> bool:
        """True if all values of both stacks are equal; never if the order of their counters might matter to one.

        It might if a group has more platoons than the limit of a melee, or where numbers of three groups or officers are added.
        """
        if self is other:
            return True
        if len(self.units) > limit or len(self.groups) > 2 or len(self.officers) > 2:
            return False
        return all(set(map(id, own)) == set(map(id, others)) for own, others in zip(self._parts, other._parts, strict=True))

    @property
    def _parts(self) -> tuple[tuple[CounterFeatures, ...], ...]:
        return self.units, self.officers, self.wounded

    def fire_force(self, group: str = "") -> r07_melee.Force:
        """[7.3(2)] Its infantry, of one group or, in return fire, all of it."""
        if group not in self._fire_forces:
            strengths = tuple([unit.fire for unit in self.units if unit.fire and (not group or unit.group == group)])
            self._fire_forces[group] = r07_melee.Force(strengths, self._helpers(group), len(self.units))
        return self._fire_forces[group]

    def melee_force(self, group: str = "") -> r07_melee.Force:
        """[7.2(1), 7.2(2)] Its platoons in a melee, of one group or, in defence, all of them."""
        if group not in self._melee_forces:
            strengths = tuple([unit.melee for unit in self.units if not group or unit.group == group])
            self._melee_forces[group] = r07_melee.Force(strengths, self._helpers(group), len(self.units))
        return self._melee_forces[group]

    def _helpers(self, group: str) -> int:
        return sum(not group or officer.group in (group, "") for officer in self.officers)


class StackCache:
    """Counters and stacks read before.

    There is one object for counters that differ only in what no value depends on (see `_counter_key`), and one stack of the same
    counters in the same order. So values that are kept by stack are found again in other positions, games played on included.
    """

    def __init__(self) -> None:
        self.empty = Stack()
        self._by_piece: dict[int, tuple[Piece, CounterFeatures]] = {}  # each value keeps its piece, and so the key, alive
        self._by_pieces: dict[tuple[int, ...], Stack] = {}
        self._counters: dict[tuple[object, ...], CounterFeatures] = {}
        self._stacks: dict[tuple[tuple[int, ...], ...], Stack] = {((), (), ()): self.empty}
        self._changed: dict[tuple[Stack, tuple[int, ...], bool], Stack] = {}
        self._charges: dict[tuple[Stack, str], Stack] = {}

    def __len__(self) -> int:
        return len(self._counters) + len(self._stacks) + len(self._changed)

    def forget_pieces(self) -> None:
        """Forget the pieces if they are many; not the counters and stacks that they were read as."""
        if len(self._by_piece) + len(self._by_pieces) > _CACHE_SIZE:
            self._by_piece.clear()
            self._by_pieces.clear()

    def counter(self, piece: Piece) -> CounterFeatures:
        """The features of a piece."""
        known = self._by_piece.get(id(piece))
        if known is None:
            key = _counter_key(piece)
            counter = self._counters.get(key)
            if counter is None:
                counter = self._counters[key] = _counter_features(piece)
            known = self._by_piece[id(piece)] = piece, counter
        return known[1]

    def stack(self, pieces: Sequence[Piece]) -> Stack:
        """The stack of the pieces of a side in an area."""
        key = tuple([id(piece) for piece in pieces])
        known = self._by_pieces.get(key)
        if known is None:
            counters = [self.counter(piece) for piece in pieces]
            known = self._by_pieces[key] = self.changed(self.empty, counters, True)
        return known

    def changed(self, stack: Stack, counters: Sequence[CounterFeatures], joined: bool) -> Stack:
        """The stack with or without some counters."""
        key = stack, tuple([id(counter) for counter in counters]), joined
        known = self._changed.get(key)
        if known is None:
            known = self._changed[key] = self._same(stack.joined(counters) if joined else stack.without(counters))
        return known

    def charge(self, stack: Stack, group: str, units: Sequence[CounterFeatures]) -> Stack:
        """The units and officers of a stack that would start a melee together: always the same units of a group."""
        key = stack, group
        known = self._charges.get(key)
        if known is None:
            officers = [officer for officer in stack.officers if officer.group in (group, "")]
            known = self._charges[key] = self._same(Stack(units, officers))
        return known

    def _same(self, stack: Stack) -> Stack:
        key = tuple([tuple([id(counter) for counter in part]) for part in (stack.units, stack.officers, stack.wounded)])
        return self._stacks.setdefault(key, stack)


def _stack_cache(referee: AlbanyReferee) -> StackCache:
    """The cache that all positions of the game share; a new one when it has grown large."""
    cache = referee.data.stacks
    if cache is None or len(cache) > _CACHE_SIZE:
        cache = referee.data.stacks = StackCache()
        referee.data.shared_values.clear()
    cache.forget_pieces()
    return cache


class Features:
    """The stacks of a position by side and area, read once."""

    def __init__(self, referee: AlbanyReferee) -> None:
        self.referee = referee
        self.map = referee.map
        self.dice_rules = referee.dice_rules
        self.night = referee.night
        self.cache = _stack_cache(referee)
        self.stacks: dict[state.Side, dict[str, Stack]] = {}
        for side in state.SIDES:
            areas = dict.fromkeys([p.place for p in referee.on_map(side, state.UNIT, state.OFFICER, state.WOUNDED)])
            self.stacks[side] = {area: self.cache.stack(referee.pieces(area, side)) for area in areas}
        self._fronts: dict[state.Side, frozenset[str]] = {}
        self._empty = self.cache.empty
        self.jungle = self.map.graph.jungle

    def counter(self, piece: Piece) -> CounterFeatures:
        """The features of a piece."""
        return self.cache.counter(piece)

    def stack(self, side: state.Side, area: str) -> Stack:
        return self.stacks[side].get(area, self._empty)

    def units(self, side: state.Side, area: str) -> tuple[CounterFeatures, ...]:
        return self.stacks[side].get(area, self._empty).units

    def held(self, side: state.Side) -> list[str]:
        """Areas with platoons of a side."""
        return [area for area, stack in self.stacks[side].items() if stack.units]

    def shifted(self, side: state.Side, counters: Sequence[CounterFeatures], origin: str, goal: str) -> dict[str, Stack]:
        """The two stacks of a side that change if counters move, for `put`."""
        if origin == goal:
            return {}
        return {
            origin: self.cache.changed(self.stack(side, origin), counters, False),
            goal: self.cache.changed(self.stack(side, goal), counters, True),
        }

    def put(self, side: state.Side, changed: Mapping[str, Stack]) -> dict[str, Stack]:
        """Replace stacks of a side; returns the previous ones for undoing it."""
        stacks, empty = self.stacks[side], self._empty
        old = {area: stacks.get(area, empty) for area in changed}
        stacks.update(changed)
        return old

    def restore(self, side: state.Side, stacks: Mapping[str, Stack]) -> None:
        """Replace all stacks of a side."""
        self.stacks[side].clear()
        self.stacks[side].update(stacks)

    def is_disputed(self, area: str) -> bool:
        """[7.2] True if both sides have platoons in an area."""
        return area != TRANSITION and bool(self.units(state.US, area)) and bool(self.units(state.NVA, area))

    def front(self, side: state.Side) -> frozenset[str]:
        """Areas with platoons of a side, by the position at the first call."""
        if side not in self._fronts:
            self._fronts[side] = frozenset(self.held(side))
        return self._fronts[side]

    def distance(self, side: state.Side, area: str) -> int:
        """Moves to the nearest platoon of a side, by the position at the first call."""
        return self.map.graph.distances_from(self.front(side).difference(OFF_GRID)).get(area, FAR)

    def targets(self, side: state.Side, area: str) -> list[str]:
        """[7.3] Adjacent areas with enemy platoons that can be fired at."""
        own, foes, empty, targets = self.stacks[side], self.stacks[state.enemy(side)], self._empty, []
        for place in self.map.neighbours(area):
            if place in foes and foes[place].units and not own.get(place, empty).units:
                targets.append(place)
        return targets

    def is_dark(self, *areas: str) -> bool:
        """[11.1, 11.2] True if night affects an attack."""
        return self.night and self.referee.is_dark(*areas)

    def aim(self, side: state.Side, origin: str, goal: str) -> r07_melee.Aim:
        """[7.3] The conditions of fire of a side from an area at another."""
        return r07_melee.Aim(len(self.units(state.enemy(side), goal)), goal in self.jungle, self.is_dark(origin, goal))

    def fire_dice(self, side: state.Side, group: str, origin: str, goal: str) -> int:
        """[7.3(2)] The dice of a group, or with "" of all infantry in return."""
        return r07_melee.pool_at(self.dice_rules, self.stack(side, origin).fire_force(group), self.aim(side, origin, goal)).dice

    def melee_dice(self, attacker: Stack, defender: Stack, group: str, area: str) -> tuple[int, int]:
        """[7.2(1), 7.2(2), 7.2B] The dice of a group of the attacker and of the defender in a melee."""
        pool, dark = partial(r07_melee.melee_pool, self.dice_rules), self.is_dark(area)
        attack = pool(attacker.melee_force(group), len(defender.units), dark).dice
        if not r07_melee.answers_in_melee(area, [unit.piece for unit in defender.units]):
            return attack, 0
        return attack, pool(defender.melee_force(), len(attacker.units), dark).dice


def plain_features(position: Position, side: state.Side) -> dict[str, float]:
    """Plain figures of a position between two turns, from the view of a side, for fitted values."""
    turns = float(LAST_TURN + 1 - position.track(state.TURN))
    figures: dict[str, float] = {"turns": turns, "retreat": float(bool(position.flag(state.RETREAT)))}
    own_vp, foe_vp = state.vp_track(side), state.vp_track(state.enemy(side))
    figures["lead"] = float(position.track(own_vp) - position.track(foe_vp))
    figures["own vp"] = float(position.track(own_vp))
    counts = dict.fromkeys(_FIGURES, 0.0)
    for kind in (state.UNIT, state.OFFICER, state.WOUNDED):
        for piece in position.of_kind(kind):
            place = piece.place
            own = state.side_of(piece) == side
            if place in (state.TO_COME, state.AIRLIFT, COLUMBUS):
                if kind == state.UNIT:
                    counts["own fire to come" if own else "foe fire to come"] += piece.number("fire")
            elif is_area(place):
                name = _figure(piece)
                counts[f"own {name}" if own else f"foe {name}"] += 1
                if kind == state.UNIT:
                    fire = state.strength(piece, "fire")
                    counts["own fire" if own else "foe fire"] += fire
                    if place == ALBANY:
                        counts["own in albany" if own else "foe in albany"] += fire
    figures.update(counts)
    figures["own fire x turns"] = counts["own fire"] * turns
    figures["foe fire x turns"] = counts["foe fire"] * turns
    return figures


_KINDS = ("fresh", "hit", "hit twice", "reduced", "officers", "wounded")
_FIGURES = tuple(f"{who} {what}" for who in ("own", "foe") for what in (*_KINDS, "fire", "in albany", "fire to come"))


def _figure(piece: Piece) -> str:
    if piece.kind == state.OFFICER and state.is_unwounded(piece):
        return "officers"
    return _KINDS[min(state.hits_on(piece), state.REDUCED)] if piece.kind == state.UNIT else "wounded"
