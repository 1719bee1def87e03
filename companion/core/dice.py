"""Dice and cups: expressions such as ``2d6+1``, seeded rolls and draws, exact distributions."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from math import prod

from companion.core.errors import Unreadable
from companion.core.named_tuple import NamedTuple
from companion.core.position import Piece, Position
from companion.core.text import clean


class Dice(NamedTuple):
    """A number of dice of the same kind, and a number added to their sum."""

    number: int
    sides: int
    plus: int = 0

    def __str__(self) -> str:
        return f"{self.number}d{self.sides}" + (f"{self.plus:+d}" if self.plus else "")


def parse_dice(text: str) -> Dice:
    """Parse ``2d6+1``, ``d10`` or ``3d6-2``: 1 to 100 dice of 2 to 100 sides. Raises Unreadable.

    >>> parse_dice("2d6 + 1"), str(parse_dice("D10"))
    (Dice(number=2, sides=6, plus=1), '1d10')
    """
    plain = text.replace(" ", "").casefold()
    head, _, tail = plain.partition("d")
    sides, sign, plus = tail.partition("-" if "-" in tail and "+" not in tail else "+")
    try:
        dice = Dice(int(head or "1"), int(sides), int(sign + plus) if sign else 0)
    except ValueError:
        raise Unreadable(f"'{clean(text)}' is not a roll", cure="Type them like this: 2d6+1") from None
    if not (1 <= dice.number <= 100 and 2 <= dice.sides <= 100 and abs(dice.plus) <= 1000):
        raise Unreadable(f"'{clean(text)}' is out of range", cure="1 to 100 dice of 2 to 100 sides")
    return dice


def seeded_number(seed: str, index: int, part: int, size: int) -> int:
    """A number from 0 to size-1 from the session's seed and the index among the random replies in force.

    It depends on nothing else, so that taking a roll back never earns a new one.

    >>> [seeded_number("table", index, 0, 6) + 1 for index in range(10)]
    [5, 6, 1, 3, 3, 3, 5, 5, 5, 3]
    """
    from random import Random

    return int(Random(f"{seed}/{index}/{part}").random() * size)


def branch_seed(seed: str, name: str) -> str:
    """The seed of a branch, from the old seed and the name of the branch; other names give other dice."""
    from hashlib import sha256
    from json import dumps

    return sha256(dumps([seed, name]).encode()).hexdigest()[:12]


class RollOutcome(NamedTuple):
    """A set of rolls that a rule does not distinguish: an example, and the number of such rolls."""

    faces: tuple[int, ...]
    weight: int


@lru_cache(maxsize=4096)
def pool_outcomes(rows: tuple[tuple[tuple[int, ...], ...], ...], lowest: int) -> tuple[RollOutcome, ...]:
    """The distinct outcomes of a pool of dice.

    ``rows`` hold for each die and each of its faces what that face adds to the counts. Dice are added one by one and equal sums
    merged, so the work grows with the number of distinct outcomes, not of rolls.

    >>> hits_on_3 = ((0,), (0,), (1,))
    >>> pool_outcomes((hits_on_3, hits_on_3), lowest=1)  # two dice of three sides
    (RollOutcome(faces=(1, 1), weight=4), RollOutcome(faces=(1, 3), weight=4), RollOutcome(faces=(3, 3), weight=1))
    """
    outcomes: dict[tuple[int, ...], RollOutcome] = {(): RollOutcome((), 1)}
    for row in rows:
        grown: dict[tuple[int, ...], RollOutcome] = {}
        faces: dict[tuple[int, ...], tuple[int, int]] = {}
        for face, added in enumerate(row, lowest):
            first, count = faces.get(added, (face, 0))
            faces[added] = (first, count + 1)
        for counts, outcome in outcomes.items():
            for added, (face, count) in faces.items():
                total = added if not counts else tuple(map(sum, zip(counts, added, strict=True)))
                previous = grown.get(total)
                weight = outcome.weight * count
                faces_so_far = previous.faces if previous else (*outcome.faces, face)
                grown[total] = RollOutcome(faces_so_far, weight + (previous.weight if previous else 0))
        outcomes = grown
    return tuple(outcomes.values())


def ordered_rolls(count: int, sides: int, lowest: int) -> tuple[RollOutcome, ...]:
    """Every order of faces, each with weight 1."""
    return tuple(RollOutcome(roll, 1) for roll in product(range(lowest, lowest + sides), repeat=count))


def grouped_rolls(count: int, sides: int, lowest: int, read: Callable[[tuple[int, ...]], Hashable]) -> tuple[RollOutcome, ...]:
    """Rolls merged by what a rule reads from the whole roll. Every order is visited: for few dice only.

    >>> [(max(roll.faces), roll.weight) for roll in grouped_rolls(2, 6, 1, max)]
    [(1, 1), (2, 3), (3, 5), (4, 7), (5, 9), (6, 11)]
    """
    outcomes: dict[Hashable, RollOutcome] = {}
    for roll in ordered_rolls(count, sides, lowest):
        previous = outcomes.get(read(roll.faces))
        outcomes[read(roll.faces)] = previous._replace(weight=previous.weight + 1) if previous else roll
    return tuple(outcomes.values())


def summed_rolls(count: int, worth: Callable[[int], int], sides: int = 6) -> tuple[RollOutcome, ...]:
    """Rolls merged by the sum of the values of their faces.

    >>> [roll.weight for roll in summed_rolls(2, lambda face: int(face == 6))]  # no six, one, two
    [25, 10, 1]
    """
    row = tuple((worth(face),) for face in range(1, sides + 1))
    return pool_outcomes((row,) * count, 1)


def total_odds(dice: Dice) -> dict[int, int]:
    """The number of rolls that make each total.

    >>> total_odds(parse_dice("2d3+1"))
    {3: 1, 4: 2, 5: 3, 6: 2, 7: 1}
    """
    row = tuple((face,) for face in range(1, dice.sides + 1))
    return {sum(roll.faces) + dice.plus: roll.weight for roll in pool_outcomes((row,) * dice.number, 1)}


def faces_text(faces: Sequence[int]) -> str:
    """Faces as text: ``3 5 2``."""
    return " ".join(str(face) for face in faces)


def parse_faces(text: str) -> list[int]:
    """Parse dice rolled by the player: ``3,5,2``, ``3 5 2`` or single digits ``352``; one die of two digits ends with a comma.

    Raises Unreadable.

    >>> parse_faces("3,5,2"), parse_faces("352"), parse_faces("12,")
    ([3, 5, 2], [3, 5, 2], [12])
    """
    parts = text.replace(",", " ").split()
    if len(parts) == 1 and "," not in text and len(parts[0]) > 1:
        parts = list(parts[0])
    try:
        if parts and all(len(part) < 4 for part in parts):
            return [int(part) for part in parts]
        raise ValueError
    except ValueError:
        raise Unreadable(f"'{clean(text)}' is not a roll", cure="Type them like this: --dice 3,5,2") from None


def cup_contents(position: Position, cup: str) -> dict[str, int]:
    """The number of counters of each name in a cup, in alphabetical order so that the order reveals nothing."""
    return count_by_name(position.at(cup))


def count_by_name(counters: Iterable[Piece]) -> dict[str, int]:
    """The number of counters of each name, in alphabetical order."""
    return dict(Counter(sorted([piece.name for piece in counters])))


def seeded_draw(counts: Mapping[str, int], seed: str, index: int) -> str:
    """The name that Companion draws; all counters are equally likely.

    >>> [seeded_draw({"blue": 2, "red": 1}, "table", index) for index in range(5)]
    ['red', 'red', 'blue', 'blue', 'blue']
    """
    return nth_counter(counts, seeded_number(seed, index, 0, sum(counts.values())))


def nth_counter(counts: Mapping[str, int], number: int) -> str:
    """The name of a counter by its index among all."""
    for name, count in counts.items():
        number -= count
        if number < 0:
            return name
    raise ValueError("an empty cup was drawn from")


def draw_odds(counts: Mapping[str, int], draws: int) -> dict[str, float]:
    """For each name the chance that it is among ``draws`` counters drawn without replacement.

    >>> draw_odds({"blue": 2, "red": 3}, draws=2)
    {'blue': 0.7, 'red': 0.9}
    """
    total = sum(counts.values())
    odds: dict[str, float] = {}
    for name, count in counts.items():
        others = [(total - count - drawn) / (total - drawn) for drawn in range(min(draws, total))]
        odds[name] = 1.0 - prod(others)
    return odds
