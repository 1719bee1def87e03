"""What each choice is worth, in the words of the table."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.errors import Impossible
from companion.core.procedures import Progress
from companion.core.text import plural
from companion.games.fallujahcards.bot.deciding import BotDecision, baseline, choose, hand_values_for
from companion.games.fallujahcards.bot.estimate import DecisionPoint, Estimate, Playouts, exact, is_small
from companion.games.fallujahcards.bot.policy import PASS
from companion.games.fallujahcards.referee import CardReferee
from companion.games.fallujahcards.state import TARGET, card_code, card_title

MOST_RUNS = 1_000_000
POLICY = (
    "Playouts go by what whole hands are worth, solved backwards against the unseen cards; seen cards are looked ahead through; "
    "no further Recon card is played. Best play scores more: these read low."
)


def decision_due(referee: CardReferee) -> DecisionPoint:
    """The decision that the game waits for."""
    spot = referee.decision_point()
    if spot is None:
        raise Impossible("nothing is to be decided now", rule="Turn Sequence", cure="Go on: turn")
    return spot


def prompt_estimates(referee: CardReferee) -> tuple[DecisionPoint, list[Estimate], int]:
    """The decision that is due, the worth of each choice, and the number of playouts that a prompt can wait for; 0: exact."""
    spot, runs = decision_due(referee), referee.tables.bot["playouts"]["runs"]
    playouts = _playouts(referee, spot, runs)
    if isinstance(playouts, list):
        return spot, playouts, 0
    playouts.run(runs)
    return spot, playouts.estimates(), runs


async def estimates_by_runs(referee: CardReferee, spot: DecisionPoint) -> tuple[list[Estimate], int]:
    """The worth of each choice, and the number of playouts that it comes from; 0: it is exact."""
    told = referee.tables.bot["playouts"]
    runs = await referee.number("runs", "How many shuffles of the deck?", "Scoring", 2, MOST_RUNS, told["runs"])
    playouts = _playouts(referee, spot, runs)
    if isinstance(playouts, list):
        return playouts, 0
    while playouts.count < runs:
        playouts.run(min(told["chunk"], runs - playouts.count))
        await Progress(playouts.count, runs, "Scoring")
    return playouts.estimates(), runs


def _playouts(referee: CardReferee, spot: DecisionPoint, runs: int) -> Playouts | list[Estimate]:
    """Playouts of a decision, all of them to the end; where few cards are unseen, the exact worth of each choice instead."""
    told = referee.tables.bot["playouts"]
    near, own_choice = hand_values_for(spot, referee.hand_values(), told)
    if is_small(spot, near.model, told["exact"], told["exact_look"]):
        return exact(spot, near, own_choice)
    return Playouts(spot, near, own_choice, runs)


def labels(referee: CardReferee, spot: DecisionPoint, option: int) -> list[str]:
    """The choice in words: one for each card name that it stands for."""
    if option == PASS:
        targets = referee.position.at(TARGET)
        return [f"decline ({card_title(targets[-1])} is a casualty)" if spot.phase in _STOPPING and targets else "do not look"]
    verb = {"Recon": "look with", "Regroup": "discard"}.get(spot.phase, "play")
    return [f"{verb} {card.name} ({card_code(card)})" for card in referee.cards_of(option)]


_STOPPING = ("Destroy", "Disarm")


def method(spot: DecisionPoint, runs: int, most: str = "") -> str:
    """Where the numbers come from; ``most``: before the number of shuffles, where not every choice had all of them."""
    if not runs:
        return f"Exact: best play over every order of the {plural(len(spot.deck), 'unseen card')}."
    told = f"From {most}{runs} shuffles of the {len(spot.deck)} unseen cards"
    return f"{told}, the same for every choice; +- is one standard error."


def close_call(referee: CardReferee, spot: DecisionPoint, estimates: Sequence[Estimate], chosen: Estimate) -> str:
    """How sure the best choice is, against what the worth of hands alone would do."""
    first, best = baseline(estimates), max(estimates, key=lambda one: one.mean)
    if best.is_baseline:
        return "The worth of hands alone says the same as the playouts."
    name = labels(referee, spot, first.option)[0]
    sure = "" if chosen.option == best.option else ": too close to tell"
    return f"The worth of hands alone says: {name}; the best is ahead of that by {best.lead:.2f} (+-{best.lead_error:.2f}){sure}."


def bot_choice(referee: CardReferee, estimates: Sequence[Estimate]) -> Estimate:
    """The choice that the bot makes: the best, but its own without playouts where the lead could be chance."""
    return choose(estimates, float(referee.tables.bot["playouts"]["lead"]))


def reasons(referee: CardReferee, spot: DecisionPoint, found: BotDecision) -> list[str]:
    """Why the bot chooses so: the worth of its choice, what decided, and what it passed over and by how much."""
    name = labels(referee, spot, found.option)[0]
    if found.chosen is None:
        return [f"{name}: what the priorities say"]
    error = f" (+-{found.chosen.error:.1f})" if found.runs else ""
    return [
        f"{name}: expected final score {referee.score + found.chosen.mean:.1f}{error}. {method(spot, found.runs, 'up to ')}",
        *([close_call(referee, spot, found.estimates, found.chosen)] if found.runs else []),
        f"Passed over: {'; '.join(_passed(referee, spot, found))}",
    ]


def _passed(referee: CardReferee, spot: DecisionPoint, found: BotDecision) -> list[str]:
    """The other choices, the best first, each with how far it is behind; the error is that of the lead over the bot's own."""
    assert found.chosen is not None
    others = sorted((one for one in found.estimates if one.option != found.option), key=lambda one: -one.mean)
    told = []
    for one in others:
        error = f" (+-{one.lead_error or found.chosen.lead_error:.1f})" if found.runs else ""
        told.append(f"{labels(referee, spot, one.option)[0]} {one.mean - found.chosen.mean:+.1f}{error}")
    return told
