"""Assault, Flooding and Defensive Fire worked out anew from the rulebook, by brute force over every die.

Nothing here is shared with the program but the names of its Scene.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

Cup = tuple[tuple[str, int], ...]


class Side(NamedTuple):
    """Squad and circumstances as an Assault leaves them."""

    cf: int
    steps: int
    hero: int = 0
    element: bool = False
    caat: bool = False
    iif: bool = False
    pinned: bool = False
    fortified: bool = False
    mosque: bool = False
    fury: bool = False
    fanatic: bool = False
    kept: bool = False
    quiet: bool = False
    escape: bool = True

    @property
    def now(self) -> int:
        return self.cf - (self.steps == 1) + self.hero - self.element


Foe = tuple[str, int]
"""(``s``, 0) a Suspect, (``g``, CF) Guerillas, (``m``, CF) Martyrs."""

Result = tuple[bool, Side]
"""Whether the Location is empty, and the rest."""


def hurt(side: Side) -> Side:
    """A Step Loss: a full squad takes it itself, a reduced one sacrifices its CAAT."""
    if side.caat and side.steps == 1:
        return side._replace(caat=False)
    left = side.steps - 1
    return side._replace(steps=left, caat=side.caat and left > 0)


def mix(parts: Iterable[tuple[dict[Result, float], float]]) -> dict[Result, float]:
    total: dict[Result, float] = defaultdict(float)
    for results, share in parts:
        for result, chance in results.items():
            total[result] += chance * share
    return dict(total)


def against_unit(
    side: Side, foe: Foe, form: str, fresh: bool = False, explosives: bool = False, both: bool = False
) -> dict[Result, float]:
    """[13.4.2 - 13.4.7] Both dice, every Event."""
    results: dict[Result, float] = defaultdict(float)
    for us_die in range(10):
        for enemy_die in range(10):
            if (us_die == 0) == (enemy_die == 0):
                results[fought(side, foe, form, fresh, explosives, both, us_die, enemy_die, 0, False)] += 0.01
                continue
            for event in range(10):
                results[with_event(side, foe, form, fresh, explosives, both, us_die, enemy_die, event)] += 0.001
    return dict(results)


def with_event(
    side: Side, foe: Foe, form: str, fresh: bool, explosives: bool, both: bool, us_die: int, enemy_die: int, event: int
) -> Result:
    """[13.4.3] One Event."""
    kind, cf = foe
    extra, drugged = 0, False
    if enemy_die == 0 and side.quiet:  # [13.4.3.1]
        pass
    elif side.iif and side.mosque:
        if 5 <= event <= 7:
            return False, side
        extra, drugged = (2 if event <= 1 else 1 if event <= 4 else 0), event >= 8
    elif us_die == 0 and not side.iif:
        if event <= 1:
            side = side._replace(fury=True)
        elif event <= 4:
            side = side._replace(hero=min(side.hero + 1, 2))
        elif event <= 7:
            if cf == 1:
                return True, side
            foe = (kind, cf - 1)
        elif kind == "g" and cf > 1:
            foe = (kind, cf - 1)
    elif enemy_die == 0:
        if event <= 1:
            side = side._replace(fanatic=True)
        elif event <= 3:
            return False, side
        elif event <= 5:
            if kind == "m":
                return True, side._replace(steps=0, caat=False)
        else:
            drugged = True
    return fought(side, foe, form, fresh, explosives, both, us_die, enemy_die, extra, drugged)


def fought(
    side: Side,
    foe: Foe,
    form: str,
    fresh: bool,
    explosives: bool,
    both: bool,
    us_die: int,
    enemy_die: int,
    extra: int,
    drugged: bool,
) -> Result:
    """[13.4.4 - 13.4.7] Two dice and what follows."""
    kind, cf = foe
    turned = {"top-down": -1, "bottom-up": 1, "normal": 0}[form]
    plus = fresh + (kind == "m") + (kind == "g" and side.fortified) - (side.fury and not side.iif) + turned
    kill = us_die != 9 and (us_die <= 8 if explosives else us_die + plus <= side.now + extra)
    dies = kill and not drugged
    answer = 0 if explosives and both else (0 if dies else turned) - side.fanatic
    loss = enemy_die != 9 and enemy_die + answer <= cf
    after = hurt(side) if loss else side
    if dies:
        return True, after
    if kind == "m" or side.mosque or side.fanatic:
        return False, after
    if side.kept:
        return False, after._replace(quiet=True)
    return side.escape, after


def draws(cup: Cup) -> list[tuple[str, float]]:
    every = sum(count for _, count in cup)
    return [(name, count / every) for name, count in cup]


def value(name: str, kind: str) -> int:
    guerillas, martyrs = name.split("/")
    return int((guerillas if kind == "g" else martyrs)[1:])


def against_suspect(side: Side, form: str, cup: Cup, explosives: bool = False) -> dict[Result, float]:
    """[13.4.1, 5.3.3, 5.3.4, 13.5] Activated first. Nothing in ``cup`` may lack the counter of a CF lower by 1."""
    parts: list[tuple[dict[Result, float], float]] = []
    for face in range(10):
        kind = activation(face, side.fortified)
        if kind == "-":
            parts.append(({(True, side): 1.0}, 0.1))
        elif kind == "ied":
            for die in range(10):
                after = side._replace(pinned=True) if die <= side.now else hurt(side)
                parts.append(({(True, after): 1.0}, 0.01))
        else:
            for name, share in draws(cup):
                parts.append((against_unit(side, (kind, value(name, kind)), form, True, explosives), 0.1 * share))
    return mix(parts)


def activation(face: int, fortified: bool) -> str:
    if fortified:
        return "-" if face == 0 else "m" if face <= 7 else "ied"
    return "ied" if face == 0 else "-" if face <= 5 else "g" if face <= 8 else "m"


def flood(side: Side, foes: tuple[Foe, ...]) -> dict[tuple[bool, Side], float]:
    """[13.4.8] To its end, against units only: (Zone cleared, the rest)."""
    results: dict[tuple[bool, Side], float] = defaultdict(float)
    for (empty, after), chance in against_unit(side, foes[0], "top-down").items():
        if not empty:
            results[False, after] += chance
        elif len(foes) == 1:
            results[True, after] += chance
        elif after.steps and not after.pinned and after.now > 4:
            for end, share in flood(after, foes[1:]).items():
                results[end] += chance * share
        else:
            results[False, after] += chance
    return dict(results)


def enter(side: Side, foes: tuple[Foe, ...], plus: int, cup: Cup = ()) -> dict[Side, float]:
    """[12.7] Defensive Fire of units, then Suspects, one by one."""
    if not foes or not side.steps:
        return {side: 1.0}
    results: dict[Side, float] = defaultdict(float)
    for after, chance in one_enemy(side, foes[0], plus - side.fanatic, cup).items():
        for end, share in enter(after, foes[1:], plus, cup).items():
            results[end] += chance * share
    return dict(results)


def one_enemy(side: Side, foe: Foe, plus: int, cup: Cup) -> dict[Side, float]:
    kind, cf = foe
    results: dict[Side, float] = defaultdict(float)
    for die in range(10):
        if kind != "s":
            final = die + plus
            results[hurt(side) if final < cf else side._replace(pinned=True) if final == cf else side] += 0.1
        elif die <= side.now:
            results[side] += 0.1
        else:
            for after, share in woken(side, plus, cup).items():
                results[after] += 0.1 * share
    return dict(results)


def woken(side: Side, plus: int, cup: Cup) -> dict[Side, float]:
    results: dict[Side, float] = defaultdict(float)
    for face in range(10):
        kind = activation(face, side.fortified)
        if kind == "-":
            results[side] += 0.1
        elif kind == "ied":
            for die in range(10):
                results[side._replace(pinned=True) if die <= side.now else hurt(side)] += 0.01
        else:
            for name, share in draws(cup):
                for after, chance in one_enemy(side, (kind, value(name, kind)), plus, cup).items():
                    results[after] += 0.1 * share * chance
    return dict(results)
