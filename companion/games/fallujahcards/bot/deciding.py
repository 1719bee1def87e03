"""The bot's decision: one and the same in whole games, as advice, and for the review of a game that is over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from companion.core.procedures import Progress
from companion.core.values import JsonObject
from companion.games.fallujahcards.bot.estimate import (
    DecisionPoint,
    Estimate,
    Playouts,
    exact,
    is_clear,
    is_small,
    options,
    suggestion,
)
from companion.games.fallujahcards.bot.hands import HandValues
from companion.games.fallujahcards.bot.policy import Priorities

Watch = Callable[[Progress], None]


class BotDecision(NamedTuple):
    """What the bot chooses.

    Attributes:
        chosen: its choice; None where it did not weigh, but took what its priorities say.
        option: the card, or PASS.
        estimates: of every choice; none where it did not weigh.
        runs: the most shuffles that any of them comes from; 0: they are exact.
    """

    chosen: Estimate | None
    option: int
    estimates: Sequence[Estimate]
    runs: int


def decide(
    spot: DecisionPoint, policy: Priorities, hands: HandValues, told: JsonObject, budget: int, watch: Watch
) -> BotDecision:
    """The choice at a spot, of which nothing is known but the spot itself.

    Args:
        policy: the priorities; ``hands``: what whole hands are worth by the proportions of a whole deck.
        told: the numbers of ``playouts`` in bot.toml.
        budget: shuffles for each choice at most; 0: the priorities alone.
        watch: is shown how far it has come.
    """
    if not budget or len(options(spot, policy.model)) == 1:
        return BotDecision(None, suggestion(spot, policy, told["at_once"]), (), 0)
    near, own = hand_values_for(spot, hands, told)
    estimates, runs = evaluate(spot, near, told, budget, own, watch)
    chosen = choose(estimates, float(told["lead"]))
    return BotDecision(chosen, chosen.option, estimates, runs)


def hand_values_for(spot: DecisionPoint, hands: HandValues, told: JsonObject) -> tuple[HandValues, int]:
    """What whole hands are worth with the cards that are unseen here, and the choice that this makes.

    By the whole deck, which is solved already, go what is exact anyway, what is clear, and Recon, where the choice hardly hangs
    on it.
    """
    small = is_small(spot, hands.model, told["exact"], told["exact_look"])
    plain = small or (spot.phase == "Recon" and not spot.known) or is_clear(spot, hands, told["clear"])
    near = hands if plain else hands.against(spot.deck, told["ahead"])
    return near, suggestion(spot, near, told["at_once"])


def evaluate(
    spot: DecisionPoint, hands: HandValues, told: JsonObject, budget: int, reference: int, watch: Watch
) -> tuple[list[Estimate], int]:
    """The worth of each choice, and the most shuffles that any comes from; 0: it is exact, few cards being unseen.

    The shuffles come in growing batches. What is behind the reference after one is left out of the next, and when nothing else
    is left, the reference stands.

    Args:
        hands: what playouts go by.
        reference: the choice that the others' leads are over.
    """
    if is_small(spot, hands.model, told["exact"], told["exact_look"]):
        return exact(spot, hands, reference), 0
    playouts = Playouts(spot, hands, reference, told["full"])
    batch = told["batch"]
    while playouts.count < budget:
        watch(Progress(playouts.count, budget, "Scoring"))
        playouts.run(min(batch, budget - playouts.count))
        if not playouts.drop(told["behind"]):
            break
        batch = playouts.count
    watch(Progress(budget, budget, "Scoring"))
    return playouts.estimates(), playouts.count


def choose(estimates: Sequence[Estimate], lead: float) -> Estimate:
    """The best choice, if it is ahead of the bot's own without playouts by that many standard errors; else that one."""
    best = max(estimates, key=lambda one: one.mean)
    return best if best.lead > 1e-9 and best.lead >= lead * best.lead_error else baseline(estimates)


def baseline(estimates: Sequence[Estimate]) -> Estimate:
    """What the bot chooses without playouts, or whatever the leads are over."""
    return next(one for one in estimates if one.is_baseline)
