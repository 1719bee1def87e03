"""[Search, Scoring] Odds of the next card, and the value of each choice."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.candidates import GAP_ERROR, Recommendation
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
    "Playouts decide by the values of whole hands against the unseen cards, and look ahead through seen cards; they play no "
    "further Recon card. Best play scores more, so these scores are low."
)


def decision_due(referee: CardReferee) -> DecisionPoint:
    """The pending decision. Raises Impossible if there is none."""
    spot = referee.decision_point()
    if spot is None:
        raise Impossible("nothing is to be decided now", rule="Turn Sequence", cure="Go on: turn")
    return spot


def _playouts(referee: CardReferee, spot: DecisionPoint, runs: int) -> Playouts | list[Option]:
    """Playouts of a decision, all of them to the end; if few cards are unseen, the exact value of each choice instead."""
    settings = referee.tables.bot["playouts"]
    near, own_choice = hand_values_for(spot, referee.hand_values(), settings)
    if is_small(spot, near.model, settings["exact"], settings["exact_look"]):
        return exact(spot, near, own_choice)
    return Playouts(spot, near, own_choice, runs)


def labels(referee: CardReferee, spot: DecisionPoint, option: int) -> list[str]:
    """The choice in words, once for each card name."""
    if option == PASS:
        targets = referee.position.at(TARGET)
        return [f"decline ({card_title(targets[-1])} is a casualty)" if spot.phase in _STOPPING and targets else "do not look"]
    verb = {"Recon": "look with", "Regroup": "discard"}.get(spot.phase, "play")
    return [f"{verb} {card.name} ({card_code(card)})" for card in referee.cards_of(option)]


_STOPPING = ("Destroy", "Disarm")


def method(spot: DecisionPoint, runs: int, most: str = "") -> str:
    """How the estimates were made; `most` goes before the number of shuffles if not every choice had all of them."""
    if not runs:
        return f"Exact: best play over every order of the {plural(len(spot.deck), 'unseen card')}."
    source = f"From {most}{runs} shuffles of the {len(spot.deck)} unseen cards"
    return f"{source}, the same for every choice; +- is one standard error."


def close_call(referee: CardReferee, spot: DecisionPoint, estimates: Sequence[Option], chosen: Option) -> str:
    """How certain the best choice is, compared with the choice by hand values alone."""
    first, best = baseline(estimates), max(estimates, key=lambda estimate: estimate.value)
    if best.measures["baseline"]:
        return "Hand values alone recommend the same as the playouts."
    name, lead, error = labels(referee, spot, first.decision)[0], best.measures["lead"], best.measures["lead_error"]
    unsure = "" if chosen.decision == best.decision else ": too close to tell"
    return f"Hand values alone recommend: {name}; the best is ahead of that by {lead:.2f} (+-{error:.2f}){unsure}."


def reasons(referee: CardReferee, spot: DecisionPoint, decision: BotDecision) -> list[str]:
    """The reasons for the bot's choice: its value, how it was decided, and the choices passed over with their deficits."""
    name, chosen = labels(referee, spot, decision.option)[0], decision.chosen
    if chosen is None:
        return [f"{name}: by the priorities"]
    error = f" (+-{chosen.error:.1f})" if decision.runs else ""
    passed = []
    others = (estimate for estimate in decision.estimates if estimate.decision != decision.option)
    for other in sorted(others, key=lambda estimate: -estimate.value):
        margin = f" (+-{gap_error(other, chosen):.1f})" if decision.runs else ""
        passed.append(f"{labels(referee, spot, other.decision)[0]} {other.value - chosen.value:+.1f}{margin}")
    return [
        f"{name}: expected final score {referee.score + chosen.value:.1f}{error}. {method(spot, decision.runs, 'up to ')}",
        *([close_call(referee, spot, decision.estimates, chosen)] if decision.runs else []),
        f"Passed over: {'; '.join(passed)}",
    ]


def gap_error(option: Option, chosen: Option) -> float:
    """The standard error of the difference of a choice to the chosen one, of which one is the baseline or nearly as good."""
    return 0.0 if option is chosen else option.measures["lead_error"] or chosen.measures["lead_error"]


def ranking(referee: CardReferee, spot: DecisionPoint, decision: BotDecision) -> Recommendation[int]:
    """The choices that the bot compared, its own first, by expected final score."""

    def named(option: Option) -> Option:
        name, value = labels(referee, spot, option.decision)[0], referee.score + option.value
        more = {GAP_ERROR: gap_error(option, decision.chosen) if decision.chosen else 0.0}
        return option._replace(name=name, value=value, measures={**option.measures, **more})

    ranked = sorted(decision.estimates, key=lambda option: (option is not decision.chosen, -option.value))
    best, *others = map(named, ranked)
    return Recommendation(best, tuple(others))


Row = tuple[str, float]


async def next_odds(referee: CardReferee) -> Odds:
    """[Search] The exact chances of the next card by type, and the cards that Recon has shown, in order."""
    if not referee.left:
        raise Impossible(
            "the deck is empty, or no session is in play", rule="Search", cure="Start one: companion new fallujahcards"
        )
    known = referee.known_cards
    notes = [f"The next cards, in order: {referee.list_cards(known)}."] if known else []
    unseen = referee.position.at(DECK)
    if not unseen:
        return Odds("The next card", "Search", (), (), tuple(notes))
    which = f"The card after the {plural(len(known), 'known one')} is" if known else "The next card is"
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
    counts = {letter: sum(type_of(card) == letter for card in cards) for letter in TYPES}
    return tuple((f"{letter} {types.text(letter, 'title')}", count / len(cards)) for letter, count in counts.items() if count)


def _by_force(referee: CardReferee, cards: Sequence[Piece]) -> tuple[Row, ...]:
    """Each force of a Target that is left, with its chance; the strongest first."""
    forces = [card.number("force") for card in cards if referee.kind(card).settled in ("Destroy", "Disarm")]
    return tuple((str(force), forces.count(force) / len(cards)) for force in sorted(set(forces), reverse=True))


def _by_use(referee: CardReferee, cards: Sequence[Piece]) -> tuple[Row, ...]:
    """The chances of an American card, a Target that the hand can stop, one that it cannot stop, and Insurgent Tactics."""
    uses = "American", "a Target that the hand can stop", "a Target that it cannot stop", "Insurgent Tactics"
    counts = dict.fromkeys(uses, 0)
    american, able, unable, setback = uses
    hand = [referee.kind(card) for card in referee.hand]
    for card in cards:
        kind = referee.kind(card)
        if kind.american:
            counts[american] += 1
        elif kind.settled == "Tactics":
            counts[setback] += 1
        else:
            counts[able if any(stops(held, kind) for held in hand) else unable] += 1
    return tuple((label, count / len(cards)) for label, count in counts.items())


def decision_odds(referee: CardReferee) -> Odds:
    """[Scoring] The expected final score of each choice, with the number of playouts suited to a prompt."""
    spot, runs = decision_due(referee), referee.tables.bot["playouts"]["runs"]
    playouts = _playouts(referee, spot, runs)
    if isinstance(playouts, list):
        return _shown(referee, spot, playouts, 0)
    playouts.run(runs)
    return _shown(referee, spot, playouts.estimates(), runs)


async def decision(referee: CardReferee) -> Odds:
    """[Scoring] The expected final score of each choice, with the number of playouts that the player asks for."""
    spot, settings = decision_due(referee), referee.tables.bot["playouts"]
    runs = await referee.number("runs", "How many shuffles of the deck?", "Scoring", 2, MOST_RUNS, settings["runs"])
    playouts = _playouts(referee, spot, runs)
    if isinstance(playouts, list):
        return _shown(referee, spot, playouts, 0)
    while playouts.count < runs:
        playouts.run(min(settings["chunk"], runs - playouts.count))
        await Progress(playouts.count, runs, "Scoring")
    return _shown(referee, spot, playouts.estimates(), runs)


def _shown(referee: CardReferee, spot: DecisionPoint, estimates: Sequence[Option], runs: int) -> Odds:
    """The odds from the estimates of the choices; `runs`: the number of playouts, 0 if they are exact."""
    rows: list[Row] = []
    for estimate in sorted(estimates, key=lambda estimate: -estimate.value):
        error, score = f" (+-{estimate.error:.1f})" if runs else "", referee.score + estimate.value
        rows += [(f"{label}: expected final score{error}", score) for label in labels(referee, spot, estimate.decision)]
    chosen = choose(estimates, float(referee.tables.bot["playouts"]["lead"]))
    notes = [method(spot, runs)]
    if runs:
        notes += [POLICY, close_call(referee, spot, estimates, chosen)]
    if referee.known_cards:
        notes.append(f"Known, in this order: {referee.list_cards(referee.known_cards)}.")
    if referee.position.at(DECK):
        notes.append("What the next card may be: /odds next")
    return Odds(f"{spot.phase}: what each choice leads to", spot.phase, (), tuple(rows), tuple(filter(None, notes)))
