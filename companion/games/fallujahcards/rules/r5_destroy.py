"""[Destroy, Disarm] A card of the hand against the Target."""

from __future__ import annotations

from companion.core.position import Piece
from companion.core.requests import Choice, Choose
from companion.games.fallujahcards.names import CASUALTY, DECLINE, ELIMINATION
from companion.games.fallujahcards.odds import decision_odds
from companion.games.fallujahcards.referee import Patrol
from companion.games.fallujahcards.words.cards import code, stops, titled, type_of

_VERBS = {
    "Destroy": ("destroy", "destroyed", "no card in the hand can destroy it"),
    "Disarm": ("disarm", "neutralized", "no card in the hand can neutralize it"),
}


async def stop(game: Patrol, target: Piece, phase: str) -> None:
    """[Destroy, Disarm] A single card of enough force takes the Target with it; otherwise it is a casualty."""
    key, done, unable = _VERBS[phase]
    kind = game.kind(target)
    if kind.settled != phase:
        game.skip_question(key, lambda: f"the Target is {titled(target)}", phase)
        return
    game.phase(phase)
    hand = game.hand
    able = [card for card in hand if stops(game.kind(card), kind)]
    before = game.score
    if not able:
        game.skip_question(key, lambda: f"{titled(target)}: {unable}; there is {Patrol.listed(hand)}", phase)
    card = await _played(game, target, phase, able) if able else None
    reasons = [_reason(game, held, target) for held in hand]
    if card is None:
        game.move(target.id, CASUALTY, phase)
        why = "declined" if able else unable
        game.say(f"{titled(target)} is a casualty, {why}: score {before} -> {game.score}.", phase, *reasons)
        return
    game.move(target.id, ELIMINATION, phase)
    game.move(card.id, ELIMINATION, phase)
    game.say(f"{titled(target)} {done} with {titled(card)}: score {before} -> {game.score}.", phase, *reasons)


async def _played(game: Patrol, target: Piece, phase: str, able: list[Piece]) -> Piece | None:
    """[Destroy, Disarm] The card that the player commits, or None (rulings C-11, C-14)."""
    counts = game.option("elimination") != "insurgents"
    force = target.number("force")

    def hint(card: Piece) -> str:
        return f"{code(card)}: score {force + (card.number('force') if counts else 0):+d}"

    refused = [card for card in game.hand if card not in able]
    request = Choose(
        _VERBS[phase][0],
        f"{titled(target)}: play a card against it",
        phase,
        [*game.choices(able, hint), Choice(DECLINE, DECLINE, f"to the Casualty Pile: score {-force:+d}")],
        lambda: game.suggested(DECLINE),
        game.choices(refused, code),
        "card in the hand",
    )
    request.odds = lambda: decision_odds(game)
    name = await request
    if name == DECLINE:
        return None
    card = game.held(name)
    if card not in able:
        game.forbid(_too_weak(game, card, target), phase, f"Play {', '.join(one.name for one in able)}, or decline")
    return card


def _reason(game: Patrol, card: Piece, target: Piece) -> str:
    """[Destroy, Disarm] What speaks for or against a card of the hand, in one phrase."""
    kind, against = game.kind(card), game.kind(target)
    if not stops(kind, against):
        return _too_weak(game, card, target)
    enough = "whatever its force" if kind.disarms == "always" else f"force {kind.force} against {against.force}"
    return f"{titled(card)} is enough: {enough}"


def _too_weak(game: Patrol, card: Piece, target: Piece) -> str:
    """[Destroy, Disarm] Why a card cannot stop a Target (rulings C-12, C-13)."""
    kind, against = game.kind(card), game.kind(target)
    fights = kind.destroys if against.settled == "Destroy" else kind.disarms == "force"
    if fights:
        return f"{titled(card)} is too weak for {titled(target)}: force {kind.force} against {against.force}"
    title = game.chart("types").text(type_of(card), "title") if type_of(card) else card.kind
    does = "do not" if title.endswith("s") else "does not"
    return f"{titled(card)} cannot stop {titled(target)}: {title} {does} {_VERBS[against.settled][0]}"
