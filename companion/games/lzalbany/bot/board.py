"""The board as our opponent weighs it: who threatens whom with what, as things stand or as they would after a move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.core.map import space_distances
from companion.core.position import Piece
from companion.games.lzalbany.bot.blows import Dice, Man, Stack, man_of
from companion.games.lzalbany.bot.worth import LAST_TURN, Worth
from companion.games.lzalbany.names import NVA, OFFICER, SIDES, UNIT, US, WOUNDED
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules.r06_stacking import Aim
from companion.games.lzalbany.words.areas import ALBANY, COLUMBUS, FAR, JUNGLE, TRANSITION
from companion.games.lzalbany.words.counters import enemy, healthy, is_artillery, is_infantry

BOXES = 2


def board_of(game: LzAlbany) -> Board:
    """The board as it stands; the last one is kept while nothing changes."""
    seen = game.book.seen
    key = game.position.pieces, game.position.flags, game.position.tracks, game.lit
    if seen is None or any(one is not other for one, other in zip(seen[0], key, strict=True)):
        dice = seen[1].dice if seen is not None and seen[1].dice.rules == game.rules else None
        seen = game.book.seen = key, Board(game, dice)
    board: Board = seen[1]
    board.game = game
    return board


class Board:
    """Everybody in the areas, and what they can do to each other in VP.

    Args:
        game: the table; it is looked at once, and moves are tried on the board alone.
        dice: what was counted before by the same rules.
    """

    def __init__(self, game: LzAlbany, dice: Dice | None = None) -> None:
        self.game = game
        self.map = game.map
        self.worth = Worth(game)
        self.dice = dice or Dice(game)
        self.night = game.night
        self.stacks: dict[tuple[str, str], Stack] = {}
        for side in SIDES:
            for area in dict.fromkeys(p.place for p in game.on_map(side, UNIT, OFFICER, WOUNDED)):
                self.stacks[side, area] = self._stack(game.pieces(area, side))
        self._acts = {group: self._weight(group) for side in SIDES for group in game.book.groups[side]}
        self._far: dict[str, dict[str, int]] = {}
        self._empty = Stack(self.worth, (), ())
        self._changed: dict[tuple[Stack, tuple[str, ...], bool], Stack] = {}
        self._threats: dict[tuple[object, ...], float] = {}
        self._places: dict[tuple[Stack, str, str], float] = {}
        self._jungle = {area: self.map.terrain(area) == JUNGLE for area in self.map.known()}

    def _stack(self, pieces: Sequence[Piece]) -> Stack:
        men = [man_of(p) for p in pieces]
        officers = [m for m in men if m.piece.kind == OFFICER and healthy(m.piece)]
        units = [m for m in men if m.piece.kind == UNIT]
        return Stack(self.worth, units, officers, [m for m in men if m not in officers and m not in units])

    def _weight(self, group: str) -> float:
        """How often a group will act this turn and the next, as far as that counts."""
        ahead = self.worth.ahead
        now = max(0, BOXES - self.game.used_boxes(group)) if self.game.phase in ("action", "event") else BOXES
        later = BOXES if self.worth.turn < LAST_TURN else 0
        if self.worth.turn == 1 and group not in self.game.book.groups[NVA]:
            now = 0
        return ahead["now"] * now + ahead["next"] * later

    # -- who stands where --------------------------------------------------------------------------------------

    def stack(self, side: str, area: str) -> Stack:
        return self.stacks.get((side, area), self._empty)

    def units(self, side: str, area: str) -> tuple[Man, ...]:
        return self.stacks.get((side, area), self._empty).units

    def held(self, side: str) -> list[str]:
        """Areas with platoons of a side."""
        return [area for (whose, area), stack in self.stacks.items() if whose == side and stack.units]

    def shifted(self, side: str, men: Sequence[Man], origin: str, goal: str) -> dict[tuple[str, str], Stack]:
        """The two stacks that are other ones when these go; to be put into ``stacks``."""
        if origin == goal:
            return {}
        here, there = self.stack(side, origin), self.stack(side, goal)
        return {(side, origin): self._other(here, men, False), (side, goal): self._other(there, men, True)}

    def _other(self, stack: Stack, men: Sequence[Man], more: bool) -> Stack:
        """A stack with these, or without them; the same one whenever it is asked for."""
        key = stack, tuple([m.piece.id for m in men]), more
        if key not in self._changed:
            self._changed[key] = stack.joined(men) if more else stack.without(men)
        return self._changed[key]

    def put(self, changed: dict[tuple[str, str], Stack]) -> dict[tuple[str, str], Stack]:
        """Other stacks in their areas; returns what brings the old ones back."""
        old = {key: self.stack(*key) for key in changed}
        self.stacks.update(changed)
        return old

    def distance(self, side: str, area: str) -> int:
        """Moves to the nearest platoon of a side as it stood when first asked."""
        if side not in self._far:
            held = [one for one in self.held(side) if one not in (COLUMBUS, TRANSITION)]
            self._far[side] = dict(space_distances(self.map.told.links, held))
        return self._far[side].get(area, FAR)

    # -- fights ------------------------------------------------------------------------------------------------

    def aim(self, side: str, origin: str, goal: str) -> Aim:
        """Fire of a side from an area at another."""
        enemies = len(self.units(enemy(side), goal))
        return Aim(enemies, self._jungle.get(goal, False), self.night and self.game.dark(origin, goal))

    def fire(self, side: str, group: str, origin: str, goal: str) -> float:
        """What fire of a group brings, less what the answer costs."""
        mine, theirs = self.stack(side, origin), self.stack(enemy(side), goal)
        dice = self.dice.fire(mine.fire(group), self.aim(side, origin, goal))
        if not dice:
            return 0.0
        answer = self.dice.fire(theirs.fire(), self.aim(enemy(side), goal, origin))
        return theirs.blow(dice) - mine.blow(answer) * max(0.4, 1 - 0.05 * dice)

    def melee(self, side: str, group: str, area: str) -> float:
        """What a round of melee brings that a group of a side begins in an area where both are."""
        return self.clash(self.stack(side, area), self.stack(enemy(side), area), group, area, side)

    def clash(self, mine: Stack, theirs: Stack, group: str, area: str, side: str) -> float:
        """The same for two stacks that meet in an area."""
        dark = self.night and self.game.dark(area)
        dice = self.dice.melee(mine.close(group), len(theirs.units), dark)
        guns_only = area == COLUMBUS and all(is_artillery(m.piece) for m in theirs.units)
        answer = 0 if guns_only else self.dice.melee(theirs.close(), len(mine.units), dark)
        found = 0.5 if dark and side == US else 1.0
        return found * (theirs.blow(dice) - mine.blow(answer))

    def disputed(self, area: str) -> bool:
        return area != TRANSITION and bool(self.units(US, area)) and bool(self.units(NVA, area))

    def targets(self, side: str, area: str) -> list[str]:
        """Areas next door with enemies who can be fired at."""
        theirs, stacks, empty = enemy(side), self.stacks, self._empty
        return [
            there
            for there in self.map.beside(area)
            if stacks.get((theirs, there), empty).units and not stacks.get((side, there), empty).units
        ]

    # -- what a board is worth ---------------------------------------------------------------------------------

    def threat(self, side: str, area: str) -> float:
        """What the platoons of a side in an area can do to the enemy with their next actions, in VP."""
        stack = self.stack(side, area)
        if not stack.units or area == TRANSITION:
            return 0.0
        facing = self.stack(enemy(side), area)
        near = [(there, self.stack(enemy(side), there)) for there in self.targets(side, area)]
        key = stack, facing, area, *near
        if key not in self._threats:
            self._threats[key] = self._threat(side, area, stack, [there for there, _ in near])
        return self._threats[key]

    def _threat(self, side: str, area: str, stack: Stack, near: Sequence[str]) -> float:
        if self.disputed(area):
            return sum(self._acts.get(group, 0.0) * max(0.0, self.melee(side, group, area)) for group in stack.groups)
        total = 0.0
        for group in stack.groups:
            weight = self._acts.get(group, 0.0)
            if weight and near:
                total += weight * max(0.0, *(self._best(side, group, area, there, stack) for there in near))
        return total

    def _best(self, side: str, group: str, area: str, there: str, stack: Stack) -> float:
        """The better of fire at an area and a melee there."""
        shot = self.fire(side, group, area, there)
        going = [m for m in stack.units if m.group == group and m.fire]
        if not going:
            return shot
        charge = self._charge(stack, group, going[:3])
        return max(shot, self.worth.ahead["melee"] * self.clash(charge, self.stack(enemy(side), there), group, there, side))

    def _charge(self, stack: Stack, group: str, going: Sequence[Man]) -> Stack:
        """Those of a stack who would go into a melee together."""
        key = stack, (group,), True
        if key not in self._changed:
            self._changed[key] = Stack(self.worth, going, [m for m in stack.officers if m.group in (group, "")])
        return self._changed[key]

    def part(self, side: str, areas: Iterable[str]) -> float:
        """What stands in some areas and next to them is worth to a side."""
        near = dict.fromkeys(areas)
        for area in list(near):
            near.update(dict.fromkeys(self.map.beside(area)))
        foe, other = self.worth.ahead["foe"], enemy(side)
        total = 0.0
        for area in near:
            if (side, area) in self.stacks:
                total += self.threat(side, area) + self.place(side, area)
            if (other, area) in self.stacks:
                total -= foe * self.threat(other, area) + self.place(other, area)
        return total + (self.albany(side) if ALBANY in near else 0.0)

    def albany(self, side: str) -> float:
        """[4.1C] What holding LZ Albany is worth now: the more, the nearer the end is."""
        strength = [sum(m.fire for m in self.units(one, ALBANY)) for one in (side, enemy(side))]
        sign = (strength[0] > strength[1]) - (strength[0] < strength[1])
        return sign * float(self.worth.told["albany"]) * (0.25 + 0.075 * self.worth.turn)

    def place(self, side: str, area: str) -> float:
        """What is said for and against an area by itself: too high a stack, wounded without a guard, the way to the enemy."""
        stack = self.stack(side, area)
        key = stack, side, area
        if key not in self._places:
            self._places[key] = self._place(side, area, stack)
        return self._places[key]

    def _place(self, side: str, area: str, stack: Stack) -> float:
        value = 0.0
        if side == US and stack.wounded and not stack.units and self.distance(NVA, area) <= 2:
            value -= 0.8 * len(stack.wounded)
        if stack.officers and not stack.units:
            value -= 0.3 * len(stack.officers)
        if not stack.units or area in (COLUMBUS, TRANSITION):
            return value
        value -= 2.0 * max(0, len(stack.units) - self.game.book.stacking.limit)
        if side == NVA:
            far = self.distance(US, area)
            soldiers = sum(is_infantry(m.piece) for m in stack.units)
            value -= self.worth.ahead["close"] * min(max(far, 1) - 1, 6) * soldiers
            value -= 0.3 * (len(stack.units) - soldiers) if far <= 1 else 0.0
        return value
