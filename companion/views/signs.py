"""The signs of a map: of its sides, of what stands there, of the ground, and of what joins two spaces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from companion.core.map import Map, Space, Stack

UNKNOWN_SIGN = "."
"""For a space of which nothing is known but that it is there."""
SIDE_TONES = ("first", "second", "third", "fourth", "fifth")
"""The tones of a map's sides in their order."""
_MARKS = ("", "*", "'", '"', "^")
"""What stands before the letters of each side where two sides have a letter in common, so that nobody needs the colours."""
_STROKES = "=~:+%&"


def side_tone(map: Map, side: str) -> str:
    """The tone of a side."""
    return SIDE_TONES[list(map.sides).index(side) % len(SIDE_TONES)] if side in map.sides else ""


def side_marks(map: Map) -> dict[str, str]:
    """What stands before the letters of each side."""
    letters: dict[str, set[str]] = {side: set() for side in map.sides}
    for space in map.spaces.values():
        for stack in space.stacks:
            letters.setdefault(stack.side, set()).add(stack.letter)
    alike = len(set().union(*letters.values())) < sum(len(some) for some in letters.values())
    return {side: _MARKS[place % len(_MARKS)] if alike else "" for place, side in enumerate(letters)}


def link_kinds(map: Map) -> dict[str, str]:
    """The kind of each way in which spaces are joined: that way itself, or its first word where there are too many to be told
    apart.
    """
    hows = list(dict.fromkeys(link.how for link in map.links))
    many = len(hows) > len(_STROKES)
    return {how: how.partition(" ")[0] if many else how for how in hows}


def link_strokes(map: Map) -> dict[str, str]:
    """What each kind of link is drawn with; "" for the usual one, which shows where it runs: ``- | / \\``."""
    kind_of = link_kinds(map)
    count = Counter(kind_of[link.how] for link in map.links)
    usual = "" if "" in count else max(count, key=lambda kind: count[kind], default="")
    signs = {meaning: sign for sign, meaning in map.signs.items() if len(sign) == 1}
    free = iter(stroke for stroke in _STROKES if stroke not in map.signs)
    return {kind: signs.get(kind) or ("" if kind == usual else next(free, "")) for kind in count}


def stack_text(stack: Stack, marks: Mapping[str, str]) -> str:
    """A stack in two or three characters: its letter, and how many there are of it."""
    many = len(stack.names)
    times = "x" if stack.letter[-1:].isdecimal() else ""
    return f"{marks.get(stack.side, '')}{stack.letter}{f'{times}{many}' if many > 1 else ''}"


def ground_sign(space: Space) -> str:
    """What stands for the ground of a space: its sign, or how the word for its ground begins."""
    return space.sign or space.ground[:1] or ("" if space.source else UNKNOWN_SIGN)


def sign_meanings(map: Map, space: Space) -> list[tuple[str, str]]:
    """What the sign of a space means; each of its characters, where only those mean something."""
    sign = ground_sign(space)
    if sign not in map.signs and all(char in map.signs for char in sign):
        return [(char, map.signs[char]) for char in sign]
    return [(sign, map.signs.get(sign, space.ground))]
