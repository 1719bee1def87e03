"""What the deck may bring, what each choice is worth, and what the bot would do."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.effects import Progress
from companion.core.errors import Impossible
from companion.core.position import Piece
from companion.core.requests import Odds
from companion.core.words import plural
from companion.games.fallujahcards.estimate import Estimate, Playouts, Spot, exact, is_small, suggestion
from companion.games.fallujahcards.kinds import DECK, TARGET, TYPES, code, stops, titled, type_of
from companion.games.fallujahcards.model import PASS
from companion.games.fallujahcards.referee import Patrol

MOST_RUNS = 1_000_000
_POLICY = (
    "Playouts play by the bot's priorities: the card that gains most over what it is worth in the hand, the least worth is "
    "given up; seen cards are looked ahead through; no further Recon card is played."
)

Row = tuple[str, float]


# -- the next card -----------------------------------------------------------------------------------------------------


async def next_odds(game: Patrol) -> Odds:
    """[Search] The next card by type, exactly; the cards that Recon has seen, in their order."""
    if not game.left:
        raise Impossible("the deck is empty, or no session is in play", rule="Search", cure="Start one: new fallujahcards")
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


def _due(game: Patrol) -> Spot:
    spot = game.spot()
    if spot is None:
        raise Impossible("nothing is to be decided now", rule="Turn Sequence", cure="Go on: turn")
    return spot


def _preferred(game: Patrol, spot: Spot) -> int:
    return suggestion(spot, game.policy(), game.tables.bot["playouts"]["at_once"])


def _exact(game: Patrol, spot: Spot) -> bool:
    told = game.tables.bot["playouts"]
    return is_small(spot, game.policy().model, told["exact"], told["exact_look"])


def decision_odds(game: Patrol) -> Odds:
    """[Scoring] The expected final score of each choice, with the number of playouts that a prompt can wait for."""
    spot = _due(game)
    if _exact(game, spot):
        return _shown(game, spot, exact(spot, game.policy(), _preferred(game, spot)), 0)
    playouts = Playouts(spot, game.policy(), _preferred(game, spot))
    playouts.run(game.tables.bot["playouts"]["runs"])
    return _shown(game, spot, playouts.estimates(), playouts.count)


async def decision(game: Patrol) -> Odds:
    """[Scoring] The same with any number of playouts; where few cards are left and it is exact, the number is of no account."""
    spot = _due(game)
    estimates, runs = await estimated(game, spot)
    return _shown(game, spot, estimates, runs)


async def estimated(game: Patrol, spot: Spot) -> tuple[list[Estimate], int]:
    """The worth of each choice, and the number of playouts that it comes from; 0: it is exact."""
    told = game.tables.bot["playouts"]
    runs = await game.number("runs", "How many shuffles of the deck", "Scoring", 2, MOST_RUNS, told["runs"])
    if _exact(game, spot):
        return exact(spot, game.policy(), _preferred(game, spot)), 0
    playouts = Playouts(spot, game.policy(), _preferred(game, spot))
    while playouts.count < runs:
        playouts.run(min(told["chunk"], runs - playouts.count))
        await Progress(playouts.count, runs, "Scoring")
    return playouts.estimates(), runs


def _labels(game: Patrol, spot: Spot, option: int) -> list[str]:
    """The choice in words: one for each card name that it stands for."""
    if option == PASS:
        targets = game.position.at(TARGET)
        return [f"decline ({titled(targets[-1])} is a casualty)" if spot.phase in _STOPPING and targets else "do not look"]
    verb = {"Recon": "look with", "Regroup": "discard"}.get(spot.phase, "play")
    return [f"{verb} {card.name} ({code(card)})" for card in game.named(option)]


_STOPPING = ("Destroy", "Disarm")


def _shown(game: Patrol, spot: Spot, estimates: Sequence[Estimate], runs: int) -> Odds:
    rows: list[Row] = []
    for one in sorted(estimates, key=lambda one: -one.mean):
        error = f" (+-{one.error:.1f})" if runs else ""
        rows += [(f"{label}: expected final score{error}", game.score + one.mean) for label in _labels(game, spot, one.option)]
    unseen = game.position.at(DECK)
    section = (("The next card is" if not spot.known else "The first unseen card is", _by_type(game, unseen)),) if unseen else ()
    chosen = preferred(game, estimates)
    notes = [_method(spot, runs)]
    if runs:
        notes += [_POLICY, _close_call(game, spot, estimates, chosen)]
    if game.seen:
        notes.append(f"Known, in this order: {game.listed(game.seen)}.")
    return Odds(f"{spot.phase}: what each choice leads to", spot.phase, section, tuple(rows), tuple(filter(None, notes)))


def _method(spot: Spot, runs: int) -> str:
    if not runs:
        return f"Exact: best play over every order of the {plural(len(spot.deck), 'unseen card')}."
    return f"From {runs} shuffles of the {len(spot.deck)} unseen cards, the same for every choice; +- is one standard error."


def _close_call(game: Patrol, spot: Spot, estimates: Sequence[Estimate], chosen: Estimate) -> str:
    """How sure the best choice is, against what the priorities alone would do."""
    own, best = _own(estimates), max(estimates, key=lambda one: one.mean)
    if best.own:
        return "The priorities alone would choose the same as the playouts."
    name = _labels(game, spot, own.option)[0]
    sure = "" if chosen.option == best.option else ": too close to tell"
    return f"The priorities alone would {name}; the best is ahead of that by {best.lead:.2f} (+-{best.lead_error:.2f}){sure}."


def preferred(game: Patrol, estimates: Sequence[Estimate]) -> Estimate:
    """The choice that the bot makes: the best, but its priorities' own where the lead could be chance."""
    return choose(estimates, float(game.tables.bot["playouts"]["lead"]))


def choose(estimates: Sequence[Estimate], lead: float) -> Estimate:
    """The best choice, if it is ahead of the priorities' own by that many standard errors; else the priorities' own."""
    best = max(estimates, key=lambda one: one.mean)
    return best if best.lead > 1e-9 and best.lead >= lead * best.lead_error else _own(estimates)


def _own(estimates: Sequence[Estimate]) -> Estimate:
    return next(one for one in estimates if one.own)


# -- the bot -----------------------------------------------------------------------------------------------------------


async def bot(game: Patrol) -> None:
    """Says what the bot would choose now, with every candidate that it passed over."""
    spot = game.spot()
    if spot is None:
        game.say("Nothing is to be decided now: turn up the next card.", "Turn Sequence")
        return
    estimates, runs = await estimated(game, spot)
    chosen = preferred(game, estimates)
    label = _labels(game, spot, chosen.option)[0]
    text = label[0].upper() + label[1:]
    reasons = [_method(spot, runs)]
    for one in sorted(estimates, key=lambda one: -one.mean):
        error = f" (+-{one.error:.1f})" if runs else ""
        behind = "" if one.option == chosen.option else f", {one.mean - chosen.mean:+.2f}"
        reasons += [f"{name}: {game.score + one.mean:.2f}{error}{behind}" for name in _labels(game, spot, one.option)]
    reasons += [_close_call(game, spot, estimates, chosen), _POLICY] if runs else []
    game.say(f"{text}: expected final score {game.score + chosen.mean:.1f}.", spot.phase, *reasons)
