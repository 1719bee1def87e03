"""Odds of the next card, and the value of each choice in words."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.errors import Impossible
from companion.core.position import Piece
from companion.core.procedures import Progress
from companion.core.requests import Odds
from companion.core.text import plural
from companion.games.fallujahcards.ai.features import PASS, DecisionPoint, is_small
from companion.games.fallujahcards.ai.planner import BotDecision, Option, Playouts, baseline, choose, exact, hand_values_for
from companion.games.fallujahcards.referee import CardReferee
from companion.games.fallujahcards.state import DECK, TARGET, TYPES, card_code, card_title, stops, type_of

MOST_RUNS = 1_000_000

POLICY = (
    "Playouts go by what whole hands are worth, solved backwards against the unseen cards; seen cards are looked ahead through; "
    "no further Recon card is played. Best play scores more: these read low."
)


def decision_due(referee: CardReferee) -> DecisionPoint:
    """The pending decision. Raises Impossible if there is none."""
    spot = referee.decision_point()
    if spot is None:
        raise Impossible("nothing is to be decided now", rule="Turn Sequence", cure="Go on: turn")
    return spot


def prompt_estimates(referee: CardReferee) -> tuple[DecisionPoint, list[Option], int]:
    """The decision that is due, the worth of each choice, and the number of playouts that a prompt can wait for; 0: exact."""
    spot, runs = decision_due(referee), referee.tables.bot["playouts"]["runs"]
    playouts = _playouts(referee, spot, runs)
    if isinstance(playouts, list):
        return spot, playouts, 0
    playouts.run(runs)
    return spot, playouts.estimates(), runs


async def estimates_by_runs(referee: CardReferee, spot: DecisionPoint) -> tuple[list[Option], int]:
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


def _playouts(referee: CardReferee, spot: DecisionPoint, runs: int) -> Playouts | list[Option]:
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


def close_call(referee: CardReferee, spot: DecisionPoint, estimates: Sequence[Option], chosen: Option) -> str:
    """How sure the best choice is, against what the worth of hands alone would do."""
    first, best = baseline(estimates), max(estimates, key=lambda one: one.value)
    if best.measures["baseline"]:
        return "The worth of hands alone says the same as the playouts."
    name, lead, error = labels(referee, spot, first.decision)[0], best.measures["lead"], best.measures["lead_error"]
    sure = "" if chosen.decision == best.decision else ": too close to tell"
    return f"The worth of hands alone says: {name}; the best is ahead of that by {lead:.2f} (+-{error:.2f}){sure}."


def bot_choice(referee: CardReferee, estimates: Sequence[Option]) -> Option:
    """The bot's choice: the best, or the baseline if the lead could be chance."""
    return choose(estimates, float(referee.tables.bot["playouts"]["lead"]))


def reasons(referee: CardReferee, spot: DecisionPoint, found: BotDecision) -> list[str]:
    """Why the bot chooses so: the worth of its choice, what decided, and what it passed over and by how much."""
    name = labels(referee, spot, found.option)[0]
    if found.chosen is None:
        return [f"{name}: what the priorities say"]
    error = f" (+-{found.chosen.error:.1f})" if found.runs else ""
    return [
        f"{name}: expected final score {referee.score + found.chosen.value:.1f}{error}. {method(spot, found.runs, 'up to ')}",
        *([close_call(referee, spot, found.estimates, found.chosen)] if found.runs else []),
        f"Passed over: {'; '.join(_passed(referee, spot, found))}",
    ]


def _passed(referee: CardReferee, spot: DecisionPoint, found: BotDecision) -> list[str]:
    """The other choices, the best first, each with how far it is behind; the error is that of the lead over the bot's own."""
    assert found.chosen is not None
    others = sorted((one for one in found.estimates if one.decision != found.option), key=lambda one: -one.value)
    told = []
    for one in others:
        error = f" (+-{one.measures['lead_error'] or found.chosen.measures['lead_error']:.1f})" if found.runs else ""
        told.append(f"{labels(referee, spot, one.decision)[0]} {one.value - found.chosen.value:+.1f}{error}")
    return told


Row = tuple[str, float]


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


def decision_odds(referee: CardReferee) -> Odds:
    """[Scoring] The expected final score of each choice, with the number of playouts that a prompt can wait for."""
    return _shown(referee, *prompt_estimates(referee))


async def decision(referee: CardReferee) -> Odds:
    """[Scoring] The same with any number of playouts; where few cards are left and it is exact, the number is of no account."""
    spot = decision_due(referee)
    estimates, runs = await estimates_by_runs(referee, spot)
    return _shown(referee, spot, estimates, runs)


def _shown(referee: CardReferee, spot: DecisionPoint, estimates: Sequence[Option], runs: int) -> Odds:
    rows: list[Row] = []
    for one in sorted(estimates, key=lambda one: -one.value):
        error = f" (+-{one.error:.1f})" if runs else ""
        rows += [
            (f"{label}: expected final score{error}", referee.score + one.value) for label in labels(referee, spot, one.decision)
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
