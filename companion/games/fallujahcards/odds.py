"""What the deck may bring, and what each choice is worth."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.errors import Impossible
from companion.core.position import Piece
from companion.core.requests import Odds
from companion.core.text import plural
from companion.games.fallujahcards.bot.choices import (
    POLICY,
    bot_choice,
    close_call,
    decision_due,
    estimates_by_runs,
    labels,
    method,
    prompt_estimates,
)
from companion.games.fallujahcards.bot.estimate import DecisionPoint, Estimate
from companion.games.fallujahcards.referee import CardReferee
from companion.games.fallujahcards.state import DECK, TYPES, stops, type_of

Row = tuple[str, float]


# -- the next card -----------------------------------------------------------------------------------------------------


async def next_odds(referee: CardReferee) -> Odds:
    """[Search] The next card by type, exactly; the cards that Recon has seen, in their order."""
    if not referee.left:
        raise Impossible(
            "the deck is empty, or no session is in play", rule="Search", cure="Start one: companion new fallujahcards"
        )
    notes = [f"Next come, in this order: {referee.list_cards(referee.known_cards)}."] if referee.known_cards else []
    unseen = referee.position.at(DECK)
    if not unseen:
        return Odds("The next card", "Search", (), (), tuple(notes))
    which = (
        "The next card is"
        if not referee.known_cards
        else f"The card after the {plural(len(referee.known_cards), 'known one')} is"
    )
    sections = (
        (which, _by_type(referee, unseen)),
        ("It is", _by_use(referee, unseen)),
        ("It has to be stopped, with force", _by_force(referee, unseen)),
    )
    mean = sum(card.number("force") for card in unseen if referee.kind(card).settled in ("Destroy", "Disarm")) / len(unseen)
    return Odds("The next card", "Search", sections, (("force of a Target to be stopped", mean),), tuple(notes))


def _by_type(referee: CardReferee, cards: Sequence[Piece]) -> tuple[Row, ...]:
    """Each type that is left, with its chance."""
    types = referee.chart("types")
    found = {letter: sum(type_of(card) == letter for card in cards) for letter in TYPES}
    return tuple((f"{letter} {types.text(letter, 'title')}", many / len(cards)) for letter, many in found.items() if many)


def _by_force(referee: CardReferee, cards: Sequence[Piece]) -> tuple[Row, ...]:
    """Each force of a Target that is left, with its chance; the strongest first."""
    forces = [card.number("force") for card in cards if referee.kind(card).settled in ("Destroy", "Disarm")]
    return tuple((str(force), forces.count(force) / len(cards)) for force in sorted(set(forces), reverse=True))


def _by_use(referee: CardReferee, cards: Sequence[Piece]) -> tuple[Row, ...]:
    """American, a Target that the hand stops, one that it does not, or a setback."""
    counts = dict.fromkeys(("American", "a Target that the hand can stop", "a Target that it cannot stop", "Tactics"), 0)
    american, able, unable, setback = counts
    hand = [referee.kind(card) for card in referee.hand]
    for card in cards:
        kind = referee.kind(card)
        if kind.american:
            counts[american] += 1
        elif kind.settled == "Tactics":
            counts[setback] += 1
        else:
            counts[able if any(stops(held, kind) for held in hand) else unable] += 1
    names = {setback: "Insurgent Tactics"}
    return tuple((names.get(label, label), many / len(cards)) for label, many in counts.items())


# -- the choices -------------------------------------------------------------------------------------------------------


def decision_odds(referee: CardReferee) -> Odds:
    """[Scoring] The expected final score of each choice, with the number of playouts that a prompt can wait for."""
    return _shown(referee, *prompt_estimates(referee))


async def decision(referee: CardReferee) -> Odds:
    """[Scoring] The same with any number of playouts; where few cards are left and it is exact, the number is of no account."""
    spot = decision_due(referee)
    estimates, runs = await estimates_by_runs(referee, spot)
    return _shown(referee, spot, estimates, runs)


def _shown(referee: CardReferee, spot: DecisionPoint, estimates: Sequence[Estimate], runs: int) -> Odds:
    rows: list[Row] = []
    for one in sorted(estimates, key=lambda one: -one.mean):
        error = f" (+-{one.error:.1f})" if runs else ""
        rows += [
            (f"{label}: expected final score{error}", referee.score + one.mean) for label in labels(referee, spot, one.option)
        ]
    chosen = bot_choice(referee, estimates)
    notes = [method(spot, runs)]
    if runs:
        notes += [POLICY, close_call(referee, spot, estimates, chosen)]
    if referee.known_cards:
        notes.append(f"Known, in this order: {referee.list_cards(referee.known_cards)}.")
    if referee.position.at(DECK):
        notes.append("What the next card may be: /odds next")
    return Odds(f"{spot.phase}: what each choice leads to", spot.phase, (), tuple(rows), tuple(filter(None, notes)))
