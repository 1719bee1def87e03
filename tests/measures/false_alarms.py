"""Measure how often a review and a drill are wrong, on decisions whose true losses are known.

    python -m tests.measures.false_alarms [--scale SHARE] [--seed S] [--write]

The figures of the worlds are drawn at random instead of played: every alternative has luck of its own in a world, and all share
the rest of it. A world is worth the chance to win where its playout ends (``valued``), or whether the game was won (``played
out``). What the alternatives are worth has a closed form. The figures go through the functions that the review uses.

It takes about a minute. ``--write`` updates the tables of ``companion/docs/review.md``.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import NormalDist
from typing import NamedTuple

from companion.core.exercises import is_right_loss, separates
from companion.core.review import (
    CERTAIN,
    INACCURACY,
    LEVELS,
    Estimate,
    accuracy_of,
    certain_after_choice,
    cross_fitted_losses,
    grade_of,
)
from companion.core.rollouts import mean_with_error

PAGE = Path(__file__).parents[2] / "companion" / "docs" / "review.md"
NORMAL = NormalDist()
ALTERNATIVES = (2, 4, 8)
LOSSES = (0.02, 0.04, 0.10, 0.20)
"""True losses of the taken answer among four alternatives, of which the others are equal."""
DECISIONS = {"quick": 6000, "normal": 3000, "deep": 1000}
CHOOSING_WORLDS, CHECKING_WORLDS = 8, 64
"""Worlds in which the best answer of an exercise of a set is chosen, and those that measure it, as `tests.measures.exercises`."""


class Kind(NamedTuple):
    """A kind of decision.

    ``chance``: to win with the best alternative. ``own``, ``common``: the standard deviation of the luck of an alternative and of
    the rest of the world, beside what is left to the end, which is 1 where a chance counts. ``is_rare``: luck is little, but
    every alternative except the first gains 5 % and loses 50 % in one world of ten.
    """

    title: str
    is_valued: bool
    chance: float
    own: float
    common: float
    is_rare: bool = False

    def values(self, luck: random.Random, losses: Sequence[float], worlds: int) -> list[list[float]]:
        """The value of alternatives with these true losses, each in every world."""
        if self.is_rare:
            return [
                [
                    self.chance - loss + luck.gauss(0, 0.02) + (0.05 - 0.5 * (luck.random() < 0.1)) * (row > 0)
                    for _ in range(worlds)
                ]
                for row, loss in enumerate(losses)
            ]
        spread = (self.own**2 + self.common**2 + self.is_valued) ** 0.5
        means = [NORMAL.inv_cdf(self.chance - loss) * spread for loss in losses]
        rest = [luck.gauss(0, self.common) for _ in range(worlds)]
        if self.is_valued:
            return [[NORMAL.cdf(mean + luck.gauss(0, self.own) + world) for world in rest] for mean in means]
        return [[float(mean + luck.gauss(0, self.own) + world > 0) for world in rest] for mean in means]


KINDS = (
    Kind("valued, even game", True, 0.5, 0.6, 0.6),
    Kind("valued, 90 % to win", True, 0.9, 0.6, 0.6),
    Kind("played out, even game", False, 0.5, 0.5, 0.87),
    Kind("played out, 90 % to win", False, 0.9, 0.5, 0.87),
    Kind("valued, rare disasters", True, 0.5, 0.0, 0.0, is_rare=True),
)


def loss_of(values: Sequence[Sequence[float]], taken: int = 0) -> Estimate:
    """The loss of the taken alternative as the review estimates it."""
    return cross_fitted_losses(values, taken, [values])[1][0]


def is_alarm(loss: Estimate) -> bool:
    """True if the review calls it an inaccuracy or worse."""
    return grade_of(loss) not in ("good", "within error")


def share_text(count: int, of: int) -> str:
    """A share in per cent with its standard error.

    >>> share_text(30, 1000), share_text(0, 1000)
    ('3.0 +-0.5', '0.0')
    """
    if not of:
        return "-"
    share = count / of
    error = (share * (1 - share) / of) ** 0.5
    return f"{100 * share:.1f} +-{100 * error:.1f}" if error >= 0.0005 else f"{100 * share:.1f}"


def alarms(kind: Kind, losses: Sequence[float], level: str, luck: random.Random, count: int) -> str:
    """The share of decisions that are called an inaccuracy or worse, the first alternative taken."""
    worlds = LEVELS[level].worlds
    return share_text(sum(is_alarm(loss_of(kind.values(luck, losses, worlds))) for _ in range(count)), count)


def alarm_rows(seed: str, scale: float) -> list[list[str]]:
    """Rows of false alarms and of true losses found, by kind of decision and level."""
    rows = []
    for kind in KINDS:
        for level, usual in DECISIONS.items():
            luck, count = random.Random(f"{seed}/{kind.title}/{level}"), max(10, round(usual * scale))
            equal = [alarms(kind, [0.0] * number, level, luck, count) for number in ALTERNATIVES]
            lost = [alarms(kind, [loss, 0.0, 0.0, 0.0], level, luck, count) for loss in LOSSES]
            rows.append([kind.title, f"`{level}`", *equal, *lost])
    return rows


class Player(NamedTuple):
    """A player: how often the best of four alternatives is taken, and how far the others are behind it on average."""

    title: str
    best: float
    behind: float


PLAYERS = (Player("never errs", 1.0, 0.15), Player("errs 1 in 10", 0.9, 0.15), Player("errs 1 in 2", 0.5, 0.15))


def accuracy_rows(seed: str, scale: float) -> list[list[str]]:
    """Rows of the accuracy by level beside the true one, by player and kind of decision."""
    rows = []
    for player in PLAYERS:
        for kind in (KINDS[0], KINDS[2]):
            cells, true = [], list[float]()
            for level, usual in DECISIONS.items():
                luck, found, count = (
                    random.Random(f"{seed}/{player}/{kind}/{level}"),
                    list[float](),
                    max(20, round(usual * scale)),
                )
                for _ in range(count):
                    losses = [0.0, *(min(luck.expovariate(1 / player.behind), 0.45) for _ in range(3))]
                    taken = 0 if luck.random() < player.best else 1 + luck.randrange(3)
                    found.append(accuracy_of(loss_of(kind.values(luck, losses, LEVELS[level].worlds), taken)))
                    true.append(accuracy_of(Estimate(losses[taken])))
                mean, error = mean_with_error(found)
                cells.append(f"{mean:.1f} +-{error:.1f}")
            rows.append([player.title, kind.title.partition(",")[0], f"{sum(true) / len(true):.1f}", *cells])
    return rows


def behind(values: Sequence[Sequence[float]], best: int) -> list[Estimate]:
    return [Estimate.of([one - two for one, two in zip(values[best], row, strict=True)]) for row in values]


def best_of(values: Sequence[Sequence[float]]) -> int:
    return max(range(len(values)), key=lambda index: sum(values[index]))


def own_answers(kind: Kind, losses: Sequence[float], level: str, luck: random.Random) -> list[tuple[float, bool]] | None:
    """True losses of the answers of an own mistake, and whether each is called right; None if it is not called a mistake."""
    values = kind.values(luck, losses, LEVELS[level].worlds)
    loss = loss_of(values)
    if not is_alarm(loss):
        return None
    found = [is_right_loss(one, certain_after_choice(len(losses))) for one in behind(values, best_of(values))]
    return list(zip(losses, [is_right_loss(loss), *found[1:]], strict=True))


def set_answers(kind: Kind, losses: Sequence[float], luck: random.Random) -> list[tuple[float, bool]] | None:
    """The same of an exercise of a set; None if it is not kept in the set."""
    first = kind.values(luck, losses, CHOOSING_WORLDS)
    best = best_of(first)
    order = [best, *(index for index in range(len(losses)) if index != best)]
    if not separates([behind(first, best)[index] for index in order]):
        return None
    measured = behind(kind.values(luck, losses, CHECKING_WORLDS), best)
    if not separates([measured[index] for index in order]):
        return None
    return [(losses[index], is_right_loss(measured[index])) for index in order]


def drill_rows(seed: str, scale: float) -> list[list[str]]:
    """Rows of wrong verdicts of a drill, by where an exercise is from."""
    rows = []
    sources: list[tuple[str, Callable[[Kind, Sequence[float], random.Random], list[tuple[float, bool]] | None]]] = [
        *(
            (f"own mistakes, `{level}`", lambda kind, losses, luck, level=level: own_answers(kind, losses, level, luck))
            for level in LEVELS
        ),
        ("the set", set_answers),
    ]
    for title, answers in sources:
        luck = random.Random(f"{seed}/{title}")
        right, wrong = [0, 0], {0.05: [0, 0], 0.10: [0, 0], 0.20: [0, 0]}
        for _ in range(max(20, round(4000 * scale))):
            kind = luck.choice((KINDS[0], KINDS[2]))
            losses = [luck.choice((0.1, 0.2)), 0.0, 0.0, luck.choice(list(wrong))]
            for loss, is_right in answers(kind, losses, luck) or ():
                count = wrong[loss] if loss else right
                count[1] += 1
                count[0] += is_right if loss else not is_right
        rows.append([title, share_text(*right), *(share_text(*count) for count in wrong.values())])
    return rows


def table(head: Sequence[str], rows: Sequence[Sequence[str]], words: int) -> str:
    """A Markdown table; its first columns hold words, the others figures."""
    rule = ["---" if index < words else "---:" for index in range(len(head))]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *rows))


def tables(seed: str, scale: float) -> dict[str, str]:
    """The tables of the page by the name of their place."""
    equal = [f"{number} equal" for number in ALTERNATIVES]
    lost = [f"{100 * loss:.0f} % lost" for loss in LOSSES]
    return {
        "alarms": table(("worlds are", "level", *equal, *lost), alarm_rows(seed, scale), 2),
        "accuracies": table(("player", "worlds are", "true", *(f"`{level}`" for level in LEVELS)), accuracy_rows(seed, scale), 2),
        "verdicts": table(
            ("exercise of", "right, called wrong", "5 % lost, called right", "10 % lost", "20 % lost"), drill_rows(seed, scale), 1
        ),
    }


def with_tables(page: str, found: dict[str, str]) -> str:
    """The page with new tables."""
    for name, text in found.items():
        page = re.sub(
            rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", lambda mark, text=text: f"{mark[1]}{text}\n{mark[2]}", page, flags=re.S
        )
    return page


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=1.0, help="Share of the usual number of decisions.")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    found = tables(given.seed, given.scale)
    print(f"Called an inaccuracy (from {100 * INACCURACY:.0f} %, {CERTAIN:g} standard errors) or worse, %")
    print("\n\n".join(found.values()))
    if given.write:
        PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8"), found), encoding="utf-8")


if __name__ == "__main__":
    main()
