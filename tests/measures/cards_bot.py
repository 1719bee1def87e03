"""How much the bot of the solo card game beats "play the lowest card that is enough", over seeded deals.

    python -m tests.measures.cards_bot [DEALS [PLAYOUTS]] [--out FILE] [--jobs N]
    python -m tests.measures.cards_bot scores [DEALS]
    python -m tests.measures.cards_bot seconds [DEALS]

The second writes ``scores`` of ai.toml: what 1, 2, ... 99 games of a hundred do not reach, where Enter is pressed throughout.
The third says what the bot's decisions cost in processor time, at the table's number of shuffles.

In the first, four players get the same shuffles and the same luck:

- lowest: against a Target the weakest card that is enough (a Disarm card first of all, Support before the others), never
  declines, never looks, gives up what has the least force;
- priorities: what Enter suggests, without playouts and without Recon;
- solved: what the solution of the whole deck says at once, looking where the hand is too large;
- bot: at every decision the choice of ``companion bot``, with PLAYOUTS shuffles for each (1500 at the table), Recon included.

Deals differ by some twenty points, players by one or two: the last line says what the bot would come to over very many deals, by
what ``solved`` comes to over ``WIDE`` others (a control variate). With FILE, a game is written there as soon as it is over, and a
measure that was cut off goes on where it stopped.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from csv import reader, writer
from functools import cache, partial
from math import hypot
from os import cpu_count
from pathlib import Path
from random import Random
from statistics import fmean, linear_regression, mean, median, stdev
from time import process_time
from typing import NamedTuple

from companion.games.fallujahcards.ai.features import PASS, DecisionPoint, options
from companion.games.fallujahcards.ai.planner import decide, suggestion
from companion.games.fallujahcards.ai.solver import HandValues, solve_hands
from companion.games.fallujahcards.ai.valuation import Priorities, read_priorities
from companion.games.fallujahcards.state import kind_of
from companion.session.tables import load

TABLES = load("fallujahcards")
TOLD = TABLES.bot["playouts"]

WIDE = 20_000
"""Deals that only the players without playouts play."""

Choice = Callable[[DecisionPoint], int]


class Players(NamedTuple):
    """What each player scored in one deal."""

    lowest: int
    priorities: int
    solved: int
    bot: int


def full_deck(policy: Priorities) -> list[int]:
    """All 92 cards."""
    types = TABLES.charts["types"]
    cards = TABLES.counters["card"]
    return [policy.model.code[kind_of(card["type"], card.get("force", 0), types)] for card in cards for _ in range(card["count"])]


def lowest(policy: Priorities) -> Choice:
    """The plain player that the bot is measured against."""
    model = policy.model

    def worth(card: int) -> tuple[int, bool, bool]:
        kind = model.kinds[card]
        return kind.force, kind.disarms != "no", kind.destroys or kind.disarms == "always"

    def choice(point: DecisionPoint) -> int:
        if point.phase == "Recon":
            return PASS
        if point.phase == "Regroup":
            return min(point.hand, key=worth)
        return min((card for card in options(point, model) if card != PASS), key=worth, default=PASS)

    return choice


@cache
def printed() -> tuple[Priorities, HandValues]:
    """The priorities under the rulings that are usual, and what whole hands are worth by the whole deck."""
    policy = read_priorities(TABLES, "all", "hand")
    return policy, solve_hands(TABLES, policy.model)


def with_playouts(runs: int) -> Choice:
    """The bot."""
    policy, hands = printed()

    return lambda point: decide(point, policy, hands, TOLD, runs, lambda progress: None).option


def deal(policy: Priorities, choice: Choice, order: list[int], luck: list[float]) -> int:
    """The final score of one player in one deal."""
    model = policy.model
    limits = model.limits
    unseen, known, hand, strokes = order[:], [], [], luck[:]
    score = limits.base

    def point(phase: str, target: int = PASS) -> DecisionPoint:
        return DecisionPoint(phase, target, tuple(sorted(hand)), tuple(known), tuple(sorted(unseen)))

    def next_card() -> int:
        return known.pop(0) if known else unseen.pop()

    while known or unseen:
        target = next_card()
        if target == model.setback:
            stroke = strokes.pop()
            if hand:
                del hand[int(stroke * len(hand))]
        elif target == model.reinforcement:
            drawn = [next_card() for _ in range(min(limits.drawn, len(known) + len(unseen)))]
            hand += [card for card in drawn if card >= model.first_american] + ([target] if model.keeps_tactics else [])
        elif model.is_target(target):
            chosen = choice(point("Destroy" if model.kinds[target].settled == "Destroy" else "Disarm", target))
            score += model.points(target, chosen)
            if chosen != PASS:
                hand.remove(chosen)
        else:
            hand.append(target)
        while model.scout in hand and len(known) < min(limits.seen, len(known) + len(unseen)):
            if choice(point("Recon")) == PASS:
                break
            hand.remove(model.scout)
            while unseen and len(known) < limits.seen:
                known.append(unseen.pop())
        while len(hand) > limits.hand:
            hand.remove(choice(point("Regroup")))
    return score


def dealt(policy: Priorities, name: str) -> tuple[list[int], list[float]]:
    """The deck and the luck of a deal."""
    random = Random(name)
    order = full_deck(policy)
    order.sort(key=lambda _: random.random())
    return order, [random.random() for _ in range(order.count(policy.model.setback))]


def plain(number: int) -> int:
    """The score of who presses Enter throughout, in a deal that no bot was tuned on."""
    policy, _ = printed()
    return deal(policy, lambda point: suggestion(point, policy, TOLD["at_once"]), *dealt(policy, f"scores {number}"))


def scores(deals: int = 4000) -> None:
    """Print the scores that 1, 2, ... 99 games of a hundred do not reach."""
    with ProcessPoolExecutor() as pool:
        found = sorted(pool.map(plain, range(deals), chunksize=20))
    print(f"plain = {[found[deals * part // 100] for part in range(1, 100)]}")


def seconds(deals: int = 1) -> None:
    """Print what the decisions of the bot cost in some deals, the solution of the whole deck first."""
    start = process_time()
    policy, _ = printed()
    bot, spent = with_playouts(TOLD["runs"]), list[float]()
    print(f"once: {process_time() - start:.2f} s of processor time")

    def choice(point: DecisionPoint) -> int:
        start = process_time()
        option = bot(point)
        spent.append(process_time() - start)
        return option

    for number in range(deals):
        deal(policy, choice, *dealt(policy, f"deal {number}"))
        told = f"{sum(spent) / (number + 1):.1f} s a deal, median {median(spent):.3f} s, the longest {max(spent):.2f} s"
        print(f"{len(spent)} decisions: {told}", flush=True)


def quick(name: str) -> tuple[int, int, int]:
    """The players without playouts in a deal of that name."""
    policy, hands = printed()
    order, luck = dealt(policy, name)

    def priorities(point: DecisionPoint) -> int:
        return PASS if point.phase == "Recon" else suggestion(point, policy, TOLD["at_once"])

    def solved(point: DecisionPoint) -> int:
        return suggestion(point, hands, TOLD["at_once"])

    lowest_score, priorities_score, solved_score = (
        deal(policy, choice, order, luck) for choice in (lowest(policy), priorities, solved)
    )
    return lowest_score, priorities_score, solved_score


def one_deal(number: int, runs: int) -> tuple[int, ...]:
    """All players in the deal of that number."""
    name = f"deal {number}"
    policy, _ = printed()
    return *quick(name), deal(policy, with_playouts(runs), *dealt(policy, name))


def one_wide(number: int) -> tuple[int, ...]:
    """The players without playouts in a deal that the bot does not play."""
    return quick(f"wide {number}")


def played(deals: int, runs: int, jobs: int, out: Path | None) -> Iterator[Players]:
    """Every deal, in no order; those that the file holds are not played again."""
    for scores in _rows(partial(one_deal, runs=runs), deals, str(runs), jobs, out):
        yield Players(*scores)


def wide(deals: int, jobs: int, out: Path | None) -> Iterator[Players]:
    """The deals that the bot does not play, likewise."""
    for scores in _rows(one_wide, deals, "wide", jobs, out):
        yield Players(*scores, 0)


def _rows(task: Callable[[int], tuple[int, ...]], many: int, kind: str, jobs: int, out: Path | None) -> Iterator[tuple[int, ...]]:
    """What a task says of 0, 1, 2, ...: out of the file first, then anew, and into it."""
    done = {number: scores for number, scores in _held(out, kind) if number < many} if out else {}
    yield from done.values()
    left = [number for number in range(many) if number not in done]
    with ProcessPoolExecutor(jobs) as pool:
        for number, scores in zip(left, pool.map(task, left, chunksize=100 if kind == "wide" else 1), strict=True):
            if out:
                with out.open("a", newline="") as file:
                    writer(file, lineterminator="\n").writerow((number, kind, *scores))
            yield scores


def _held(out: Path, kind: str) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The rows of one kind in a file, by their numbers. The last one of a measure that was cut off may be half a row: it is
    ended, and does not count.
    """
    text = out.read_text() if out.exists() else ""
    if text and not text.endswith("\n"):
        with out.open("a") as file:
            file.write(",\n")
    for row in reader(text.splitlines()[: text.count("\n")]):
        if row[1] == kind and row[-1]:
            yield int(row[0]), tuple(map(int, row[2:]))


def adjusted(scores: list[int], others: list[int], wide: list[int]) -> tuple[float, float]:
    """What a mean would be over very many deals, and its standard error, from a figure that goes with the scores.

    Args:
        others: that figure in each deal; ``wide``: in very many others.
    """
    slope, _ = linear_regression(others, scores)
    known = fmean(wide)
    left = [score - slope * (other - known) for score, other in zip(scores, others, strict=True)]
    return fmean(left), hypot(stdev(left) / len(left) ** 0.5, slope * stdev(wide) / len(wide) ** 0.5)


def line(name: str, scores: list[int], base: list[int]) -> str:
    """Mean and spread of a player, and the paired lead over another with its standard error."""
    leads = [mine - other for mine, other in zip(scores, base, strict=True)]
    error = stdev(leads) / len(leads) ** 0.5
    won = sum(lead > 0 for lead in leads) / len(leads)
    lead = f"lead {mean(leads):+6.2f} (+-{error:.2f}), better in {won:.0%} of the deals" if any(leads) else ""
    return f"{name:<11} mean {mean(scores):6.2f}  spread {stdev(scores):5.2f}  {min(scores)}..{max(scores)}  {lead}".rstrip()


def main(deals: int, runs: int, jobs: int, out: Path | None) -> None:
    """Play and print."""
    found = list(played(deals, runs, jobs, out))
    print(f"{len(found)} deals; the bot with {runs} playouts for each decision")
    for name in Players._fields:
        print(line(name, [getattr(one, name) for one in found], [one.lowest for one in found]))
    many = list(wide(WIDE, jobs, out))
    print(f"{WIDE} other deals, which the bot does not play")
    for name in Players._fields[:-1]:
        print(line(name, [getattr(one, name) for one in many], [one.lowest for one in many]))
    middle, error = adjusted([one.bot for one in found], [one.solved for one in found], [one.solved for one in many])
    print(f"bot over very many deals: {middle:.2f}, between {middle - 1.96 * error:.2f} and {middle + 1.96 * error:.2f} by 95 %")


def told() -> None:
    """What the command line asks for."""
    words = ArgumentParser()
    words.add_argument("deals", type=int, nargs="?", default=1000)
    words.add_argument("runs", type=int, nargs="?", default=200)
    words.add_argument("--jobs", type=int, default=cpu_count())
    words.add_argument("--out", type=Path, metavar="FILE")
    main(**vars(words.parse_args()))


if __name__ == "__main__":
    if sys.argv[1:2] == ["scores"]:
        scores(*map(int, sys.argv[2:3]))
    elif sys.argv[1:2] == ["seconds"]:
        seconds(*map(int, sys.argv[2:3]))
    else:
        told()
