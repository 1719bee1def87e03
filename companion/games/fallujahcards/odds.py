"""What the deck may bring, and what each choice is worth."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.errors import Impossible
from companion.core.position import Piece
from companion.core.requests import Odds
from companion.core.text import plural
from companion.games.fallujahcards.bot.choices import POLICY, at_once, close_call, due, estimated, labels, method, preferred
from companion.games.fallujahcards.bot.estimate import Estimate, Spot
from companion.games.fallujahcards.names import DECK, TYPES
from companion.games.fallujahcards.referee import Patrol
from companion.games.fallujahcards.words.cards import stops, type_of

Row = tuple[str, float]


# -- the next card -----------------------------------------------------------------------------------------------------


async def next_odds(game: Patrol) -> Odds:
    """[Search] The next card by type, exactly; the cards that Recon has seen, in their order."""
    if not game.left:
        raise Impossible(
            "the deck is empty, or no session is in play", rule="Search", cure="Start one: companion new fallujahcards"
        )
    notes = [f"Next come, in this order: {game.listed(game.seen)}."] if game.seen else []
    unseen = game.position.at(DECK)
    if not unseen:
        return Odds("The next card", "Search", (), (), tuple(notes))
    which = "The next card is" if not game.seen else f"The card after the {plural(len(game.seen), 'known one')} is"
    sections = (
        (which, _by_type(game, unseen)),
        ("It is", _by_use(game, unseen)),
        ("It has to be stopped, with force", _by_force(game, unseen)),
    )
    mean = sum(card.number("force") for card in unseen if game.kind(card).settled in ("Destroy", "Disarm")) / len(unseen)
    return Odds("The next card", "Search", sections, (("force of a Target to be stopped", mean),), tuple(notes))


def _by_type(game: Patrol, cards: Sequence[Piece]) -> tuple[Row, ...]:
    """Each type that is left, with its chance."""
    types = game.chart("types")
    found = {letter: sum(type_of(card) == letter for card in cards) for letter in TYPES}
    return tuple((f"{letter} {types.text(letter, 'title')}", many / len(cards)) for letter, many in found.items() if many)


def _by_force(game: Patrol, cards: Sequence[Piece]) -> tuple[Row, ...]:
    """Each force of a Target that is left, with its chance; the strongest first."""
    forces = [card.number("force") for card in cards if game.kind(card).settled in ("Destroy", "Disarm")]
    return tuple((str(force), forces.count(force) / len(cards)) for force in sorted(set(forces), reverse=True))


def _by_use(game: Patrol, cards: Sequence[Piece]) -> tuple[Row, ...]:
    """American, a Target that the hand stops, one that it does not, or a setback."""
    counts = dict.fromkeys(("American", "a Target that the hand can stop", "a Target that it cannot stop", "Tactics"), 0)
    american, able, unable, setback = counts
    hand = [game.kind(card) for card in game.hand]
    for card in cards:
        kind = game.kind(card)
        if kind.american:
            counts[american] += 1
        elif kind.settled == "Tactics":
            counts[setback] += 1
        else:
            counts[able if any(stops(held, kind) for held in hand) else unable] += 1
    names = {setback: "Insurgent Tactics"}
    return tuple((names.get(label, label), many / len(cards)) for label, many in counts.items())


# -- the choices -------------------------------------------------------------------------------------------------------


def decision_odds(game: Patrol) -> Odds:
    """[Scoring] The expected final score of each choice, with the number of playouts that a prompt can wait for."""
    return _shown(game, *at_once(game))


async def decision(game: Patrol) -> Odds:
    """[Scoring] The same with any number of playouts; where few cards are left and it is exact, the number is of no account."""
    spot = due(game)
    estimates, runs = await estimated(game, spot)
    return _shown(game, spot, estimates, runs)


def _shown(game: Patrol, spot: Spot, estimates: Sequence[Estimate], runs: int) -> Odds:
    rows: list[Row] = []
    for one in sorted(estimates, key=lambda one: -one.mean):
        error = f" (+-{one.error:.1f})" if runs else ""
        rows += [(f"{label}: expected final score{error}", game.score + one.mean) for label in labels(game, spot, one.option)]
    chosen = preferred(game, estimates)
    notes = [method(spot, runs)]
    if runs:
        notes += [POLICY, close_call(game, spot, estimates, chosen)]
    if game.seen:
        notes.append(f"Known, in this order: {game.listed(game.seen)}.")
    if game.position.at(DECK):
        notes.append("What the next card may be: /odds next")
    return Odds(f"{spot.phase}: what each choice leads to", spot.phase, (), tuple(rows), tuple(filter(None, notes)))
