"""What each choice is worth, in the words of the table."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.errors import Impossible
from companion.core.procedures import Progress
from companion.core.text import plural
from companion.games.fallujahcards.bot.deciding import Decided, choose, considered, own
from companion.games.fallujahcards.bot.estimate import Estimate, Playouts, Spot, exact, is_small
from companion.games.fallujahcards.bot.policy import PASS
from companion.games.fallujahcards.names import TARGET
from companion.games.fallujahcards.referee import Patrol
from companion.games.fallujahcards.words.cards import code, titled

MOST_RUNS = 1_000_000
POLICY = (
    "Playouts go by what whole hands are worth, solved backwards against the unseen cards; seen cards are looked ahead through; "
    "no further Recon card is played. Best play scores more: these read low."
)


def due(game: Patrol) -> Spot:
    """The decision that the game waits for."""
    spot = game.spot()
    if spot is None:
        raise Impossible("nothing is to be decided now", rule="Turn Sequence", cure="Go on: turn")
    return spot


def at_once(game: Patrol) -> tuple[Spot, list[Estimate], int]:
    """The decision that is due, the worth of each choice, and the number of playouts that a prompt can wait for; 0: exact."""
    spot, runs = due(game), game.tables.bot["playouts"]["runs"]
    playouts = _playouts(game, spot, runs)
    if isinstance(playouts, list):
        return spot, playouts, 0
    playouts.run(runs)
    return spot, playouts.estimates(), runs


async def estimated(game: Patrol, spot: Spot) -> tuple[list[Estimate], int]:
    """The worth of each choice, and the number of playouts that it comes from; 0: it is exact."""
    told = game.tables.bot["playouts"]
    runs = await game.number("runs", "How many shuffles of the deck?", "Scoring", 2, MOST_RUNS, told["runs"])
    playouts = _playouts(game, spot, runs)
    if isinstance(playouts, list):
        return playouts, 0
    while playouts.count < runs:
        playouts.run(min(told["chunk"], runs - playouts.count))
        await Progress(playouts.count, runs, "Scoring")
    return playouts.estimates(), runs


def _playouts(game: Patrol, spot: Spot, runs: int) -> Playouts | list[Estimate]:
    """Playouts of a decision, all of them to the end; where few cards are unseen, the exact worth of each choice instead."""
    told = game.tables.bot["playouts"]
    near, own_choice = considered(spot, game.hands(), told)
    if is_small(spot, near.model, told["exact"], told["exact_look"]):
        return exact(spot, near, own_choice)
    return Playouts(spot, near, own_choice, runs)


def labels(game: Patrol, spot: Spot, option: int) -> list[str]:
    """The choice in words: one for each card name that it stands for."""
    if option == PASS:
        targets = game.position.at(TARGET)
        return [f"decline ({titled(targets[-1])} is a casualty)" if spot.phase in _STOPPING and targets else "do not look"]
    verb = {"Recon": "look with", "Regroup": "discard"}.get(spot.phase, "play")
    return [f"{verb} {card.name} ({code(card)})" for card in game.named(option)]


_STOPPING = ("Destroy", "Disarm")


def method(spot: Spot, runs: int, most: str = "") -> str:
    """Where the numbers come from; ``most``: before the number of shuffles, where not every choice had all of them."""
    if not runs:
        return f"Exact: best play over every order of the {plural(len(spot.deck), 'unseen card')}."
    told = f"From {most}{runs} shuffles of the {len(spot.deck)} unseen cards"
    return f"{told}, the same for every choice; +- is one standard error."


def close_call(game: Patrol, spot: Spot, estimates: Sequence[Estimate], chosen: Estimate) -> str:
    """How sure the best choice is, against what the worth of hands alone would do."""
    first, best = own(estimates), max(estimates, key=lambda one: one.mean)
    if best.own:
        return "The worth of hands alone says the same as the playouts."
    name = labels(game, spot, first.option)[0]
    sure = "" if chosen.option == best.option else ": too close to tell"
    return f"The worth of hands alone says: {name}; the best is ahead of that by {best.lead:.2f} (+-{best.lead_error:.2f}){sure}."


def preferred(game: Patrol, estimates: Sequence[Estimate]) -> Estimate:
    """The choice that the bot makes: the best, but its own without playouts where the lead could be chance."""
    return choose(estimates, float(game.tables.bot["playouts"]["lead"]))


def reasons(game: Patrol, spot: Spot, found: Decided) -> list[str]:
    """Why the bot chooses so: the worth of its choice, what decided, and what it passed over and by how much."""
    name = labels(game, spot, found.option)[0]
    if found.chosen is None:
        return [f"{name}: what the priorities say"]
    error = f" (+-{found.chosen.error:.1f})" if found.runs else ""
    return [
        f"{name}: expected final score {game.score + found.chosen.mean:.1f}{error}. {method(spot, found.runs, 'up to ')}",
        *([close_call(game, spot, found.estimates, found.chosen)] if found.runs else []),
        f"Passed over: {'; '.join(_passed(game, spot, found))}",
    ]


def _passed(game: Patrol, spot: Spot, found: Decided) -> list[str]:
    """The other choices, the best first, each with how far it is behind; the error is that of the lead over the bot's own."""
    assert found.chosen is not None
    others = sorted((one for one in found.estimates if one.option != found.option), key=lambda one: -one.mean)
    told = []
    for one in others:
        error = f" (+-{one.lead_error or found.chosen.lead_error:.1f})" if found.runs else ""
        told.append(f"{labels(game, spot, one.option)[0]} {one.mean - found.chosen.mean:+.1f}{error}")
    return told
