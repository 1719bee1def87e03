"""How much the bot of the solo card game beats "play the lowest card that is enough", over seeded deals.

    python -m tests.measures.cards_bot [DEALS [PLAYOUTS]]
    python -m tests.measures.cards_bot scores [DEALS]
    python -m tests.measures.cards_bot seconds [DEALS]

The second writes ``scores`` of bot.toml: what 1, 2, ... 99 games of a hundred do not reach, where Enter is pressed throughout.
The third says what the bot's decisions cost in processor time, at the table's number of shuffles.

In the first, three players get the same shuffles and the same luck:

- lowest: against a Target the weakest card that is enough (a Disarm card first of all, Support before the others), never
  declines, never looks, gives up what has the least force;
- priorities: what Enter suggests, without playouts and without Recon;
- bot: at every decision the choice of ``companion bot``, with PLAYOUTS shuffles for each (1500 at the table), Recon included.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from random import Random
from statistics import mean, median, stdev
from time import process_time
from typing import NamedTuple

from companion.games.fallujahcards.bot.deciding import decided
from companion.games.fallujahcards.bot.estimate import Spot, options, suggestion
from companion.games.fallujahcards.bot.hands import hands_of
from companion.games.fallujahcards.bot.policy import PASS, Policy, policy_of
from companion.games.fallujahcards.words.cards import kind_of
from companion.session.tables import load

TABLES = load("fallujahcards")
TOLD = TABLES.bot["playouts"]

Choice = Callable[[Spot], int]


class Players(NamedTuple):
    """What each player scored in one deal."""

    lowest: int
    priorities: int
    bot: int


def full_deck(policy: Policy) -> list[int]:
    """All 92 cards."""
    types = TABLES.charts["types"]
    cards = TABLES.counters["card"]
    return [policy.model.code[kind_of(card["type"], card.get("force", 0), types)] for card in cards for _ in range(card["count"])]


def lowest(policy: Policy) -> Choice:
    """The plain player that the bot is measured against."""
    model = policy.model

    def worth(card: int) -> tuple[int, bool, bool]:
        kind = model.kinds[card]
        return kind.force, kind.disarms != "no", kind.destroys or kind.disarms == "always"

    def choice(spot: Spot) -> int:
        if spot.phase == "Recon":
            return PASS
        if spot.phase == "Regroup":
            return min(spot.hand, key=worth)
        return min((card for card in options(spot, model) if card != PASS), key=worth, default=PASS)

    return choice


def with_playouts(policy: Policy, runs: int) -> Choice:
    """The bot."""
    hands = hands_of(TABLES, policy.model)

    return lambda spot: decided(spot, policy, hands, TOLD, runs, lambda progress: None).option


def deal(policy: Policy, choice: Choice, order: list[int], luck: list[float]) -> int:
    """The final score of one player in one deal."""
    model = policy.model
    limits = model.limits
    unseen, known, hand, strokes = order[:], [], [], luck[:]
    score = limits.base

    def spot(phase: str, target: int = PASS) -> Spot:
        return Spot(phase, target, tuple(sorted(hand)), tuple(known), tuple(sorted(unseen)))

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
            chosen = choice(spot("Destroy" if model.kinds[target].settled == "Destroy" else "Disarm", target))
            score += model.points(target, chosen)
            if chosen != PASS:
                hand.remove(chosen)
        else:
            hand.append(target)
        while model.scout in hand and len(known) < min(limits.seen, len(known) + len(unseen)):
            if choice(spot("Recon")) == PASS:
                break
            hand.remove(model.scout)
            while unseen and len(known) < limits.seen:
                known.append(unseen.pop())
        while len(hand) > limits.hand:
            hand.remove(choice(spot("Regroup")))
    return score


def dealt(policy: Policy, name: str) -> tuple[list[int], list[float]]:
    """The deck and the luck of a deal."""
    random = Random(name)
    order = full_deck(policy)
    order.sort(key=lambda _: random.random())
    return order, [random.random() for _ in range(order.count(policy.model.setback))]


def plain(number: int) -> int:
    """The score of who presses Enter throughout, in a deal that no bot was tuned on."""
    policy = policy_of(TABLES, "all", "hand")
    return deal(policy, lambda spot: suggestion(spot, policy, TOLD["at_once"]), *dealt(policy, f"scores {number}"))


def scores(deals: int = 4000) -> None:
    """Print the scores that 1, 2, ... 99 games of a hundred do not reach."""
    with ProcessPoolExecutor() as pool:
        found = sorted(pool.map(plain, range(deals), chunksize=20))
    print(f"plain = {[found[deals * part // 100] for part in range(1, 100)]}")


def seconds(deals: int = 1) -> None:
    """Print what the decisions of the bot cost in some deals, the solution of the whole deck first."""
    policy = policy_of(TABLES, "all", "hand")
    start = process_time()
    bot, spent = with_playouts(policy, TOLD["runs"]), list[float]()
    print(f"once: {process_time() - start:.2f} s of processor time")

    def choice(spot: Spot) -> int:
        start = process_time()
        option = bot(spot)
        spent.append(process_time() - start)
        return option

    for number in range(deals):
        deal(policy, choice, *dealt(policy, f"deal {number}"))
        print(f"{len(spent)} decisions: median {median(spent):.2f} s, the longest {max(spent):.2f} s", flush=True)


def one_deal(number: int, runs: int) -> Players:
    """All three players in the deal of that number."""
    policy = policy_of(TABLES, "all", "hand")
    order, luck = dealt(policy, f"deal {number}")

    def priorities(spot: Spot) -> int:
        return PASS if spot.phase == "Recon" else suggestion(spot, policy, TOLD["at_once"])

    players = lowest(policy), priorities, with_playouts(policy, runs)
    return Players(*(deal(policy, player, order, luck) for player in players))


def line(name: str, scores: list[int], base: list[int]) -> str:
    """Mean and spread of a player, and the paired lead over another with its standard error."""
    leads = [mine - other for mine, other in zip(scores, base, strict=True)]
    error = stdev(leads) / len(leads) ** 0.5
    won = sum(lead > 0 for lead in leads) / len(leads)
    lead = f"lead {mean(leads):+6.2f} (+-{error:.2f}), better in {won:.0%} of the deals" if any(leads) else ""
    return f"{name:<11} mean {mean(scores):6.2f}  spread {stdev(scores):5.2f}  {min(scores)}..{max(scores)}  {lead}".rstrip()


def main(deals: int = 1000, runs: int = 200) -> None:
    """Play and print."""
    with ProcessPoolExecutor() as pool:
        found = list(pool.map(one_deal, range(deals), [runs] * deals, chunksize=10))
    print(f"{deals} deals; the bot with {runs} playouts for each decision")
    for name in Players._fields:
        print(line(name, [getattr(one, name) for one in found], [one.lowest for one in found]))


if __name__ == "__main__":
    if sys.argv[1:2] == ["scores"]:
        scores(*map(int, sys.argv[2:3]))
    elif sys.argv[1:2] == ["seconds"]:
        seconds(*map(int, sys.argv[2:3]))
    else:
        main(*map(int, sys.argv[1:3]))
