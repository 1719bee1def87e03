"""[Turn Sequence] A turn, phase by phase, in the rulebook's order."""

from __future__ import annotations

from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Odds
from companion.core.words import plural
from companion.games.fallujahcards.estimate import suggestion
from companion.games.fallujahcards.kinds import (
    AMERICAN,
    CASUALTY,
    DISCARD,
    ELIMINATION,
    HAND,
    TARGET,
    TOP,
    code,
    stops,
    titled,
    type_of,
)
from companion.games.fallujahcards.model import PASS
from companion.games.fallujahcards.referee import Patrol

DECLINE, NO = "decline", "no"
_VERBS = {
    "Destroy": ("destroy", "destroyed", "no card in the hand can destroy it"),
    "Disarm": ("disarm", "neutralized", "no card in the hand can neutralize it"),
}


async def turn(game: Patrol) -> None:
    """[Turn Sequence] Search to Regroup; after the last card of the deck the game is over [Scoring]."""
    game.shift("turn", 1, "Turn Sequence", "")
    target = await search(game)
    await tactics(game, target)
    asset(game, target)
    await stop(game, target, "Destroy")
    await stop(game, target, "Disarm")
    await recon(game)
    await regroup(game)
    game.phase(None)
    if not game.left:
        game.say(f"The deck is used up: the game ends with a score of {game.score}.", "Scoring")


async def search(game: Patrol) -> Piece:
    """[Search] The top card of the deck is the Target."""
    game.phase("Search")
    card = await game.next_card("card", "Turn up the top card of the deck", "Search")
    title = game.chart("types").text(type_of(card), "title") if type_of(card) else "no card of the list"
    force = f", force {card.number('force')}" if card.number("force") else ""
    game.move(card.id, TARGET, "Search", f"{title}{force}" + (", as Recon has seen" if card.place == TOP else ""))
    return game.piece(card.id)


async def tactics(game: Patrol, target: Piece) -> None:
    """[Tactics] Insurgent Tactics cost a card at random; American Tactics bring the top two cards."""
    kind = game.kind(target)
    if not type_of(target):
        game.say(f"{target.name} is no card of the list: settle it as you see fit.", "Tactics", tone="warning")
        game.move(target.id, DISCARD, "Tactics")
    if kind.settled != "Tactics":
        return
    game.phase("Tactics")
    if kind.american:
        await _reinforced(game)
    else:
        game.move(target.id, DISCARD, "Tactics")
        await _set_back(game)


async def _set_back(game: Patrol) -> None:
    """[Tactics] A random card of the whole hand, however large it is (rulings C-9, C-10)."""
    if not game.hand:
        game.say("The hand is empty: no card is lost with it.", "Tactics")
        return
    lost = game.hand[0]
    if len(game.hand) > 1:
        lost = await game.drawn("lost", "A card at random from the hand is lost", "Tactics", HAND)
    game.move(lost.id, DISCARD, "Tactics", "lost at random")


async def _reinforced(game: Patrol) -> None:
    """[Tactics] Drawn cards only change places (ruling C-8); fewer where the deck ends (ruling C-6)."""
    many = game.limits.drawn
    if game.left < many:
        game.say(f"The deck holds {plural(game.left, 'card')} for the {many} to be drawn.", "Tactics")
    for number in range(1, min(many, game.left) + 1):
        card = await game.next_card("drawn", f"Card {number} of {many} that American Tactics draws", "Tactics")
        american = game.kind(card).american
        game.move(card.id, HAND if american else DISCARD, "Tactics", f"drawn, {AMERICAN if american else 'Insurgency'}")


def asset(game: Patrol, target: Piece) -> None:
    """[Asset] An American Target joins the hand; American Tactics too, unless ruling C-7 is switched."""
    kind = game.kind(target)
    if not kind.american:
        return
    if kind.settled == "Tactics" and game.option("american_tactics") == "discard":
        game.move(target.id, DISCARD, "Tactics", "American Tactics are discarded (ruling C-7)")
    else:
        game.move(target.id, HAND, "Asset")


# -- Destroy and Disarm ------------------------------------------------------------------------------------------------


async def stop(game: Patrol, target: Piece, phase: str) -> None:
    """[Destroy, Disarm] A single card of enough force takes the Target with it; otherwise it is a casualty."""
    key, done, unable = _VERBS[phase]
    kind = game.kind(target)
    if kind.settled != phase:
        game.skip(key, f"the Target is {titled(target)}", phase)
        return
    game.phase(phase)
    able = [card for card in game.hand if stops(game.kind(card), kind)]
    reasons = [_reason(game, card, target) for card in game.hand]
    before = game.score
    if not able:
        game.skip(key, f"{titled(target)}: {unable}; there is {game.listed(game.hand)}", phase)
    card = await _played(game, target, phase, able) if able else None
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
        _suggested(game, DECLINE),
        game.choices(refused, code),
        "card in the hand",
    )
    request.odds = lambda: _odds(game)
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
    return f"{titled(card)} cannot stop {titled(target)}: {title} does not {_VERBS[against.settled][0]}"


# -- Recon and Regroup -------------------------------------------------------------------------------------------------


async def recon(game: Patrol) -> None:
    """[Recon] Any number of Recon cards, each to see the next five cards (rulings C-15, C-16)."""
    while _can_look(game):
        game.phase("Recon")
        scouts = [card for card in game.hand if game.kind(card).looks]
        many = min(game.limits.seen, game.left)
        request = Choose(
            "recon",
            f"Play a Recon card to see the next {plural(many, 'card')}",
            "Recon",
            [*game.choices(scouts, code), Choice(NO, NO)],
            _suggested(game, NO),
            game.choices([card for card in game.hand if card not in scouts], code),
            "card in the hand",
        )
        request.odds = lambda: _odds(game)
        name = await request
        if name == NO:
            return
        card = game.held(name)
        if card not in scouts:
            game.forbid(f"{titled(card)} is no Recon card", "Recon", f"Play {scouts[0].name}, or say no")
        game.move(card.id, DISCARD, "Recon", "played")
        await _look(game, many)


def _can_look(game: Patrol) -> bool:
    """Whether a Recon card can show anything; if not, why not."""
    if not any(game.kind(card).looks for card in game.hand):
        game.skip("recon", "no Recon card is in the hand", "Recon")
    elif not game.left:
        game.skip("recon", "the deck is empty: there is nothing to look at", "Recon")
    elif len(game.seen) >= min(game.limits.seen, game.left):
        game.skip("recon", f"the next {plural(len(game.seen), 'card')} are known already", "Recon")
    else:
        return True
    return False


async def _look(game: Patrol, many: int) -> None:
    for number in range(len(game.seen) + 1, many + 1):
        card = await game.drawn("seen", f"Card {number} of {many}, from the top of the deck", "Recon", "deck")
        game.move(card.id, TOP, "Recon", f"number {number}")
    game.say(f"Next come, in this order: {game.listed(game.seen)}.", "Recon")


async def regroup(game: Patrol) -> None:
    """[Regroup] The player chooses what goes (ruling C-17)."""
    most = game.limits.hand
    if len(game.hand) <= most:
        game.skip("discard", f"the hand holds {plural(len(game.hand), 'card')}, and {most} may stay", "Regroup")
    while len(game.hand) > most:
        game.phase("Regroup")
        over = len(game.hand) - most
        request = Choose(
            "discard",
            f"{len(game.hand)} cards in the hand, {most} may stay: discard " + ("one" if over == 1 else f"the first of {over}"),
            "Regroup",
            game.choices(game.hand, code),
            _suggested(game, game.hand[0].name),
            (),
            "card in the hand",
        )
        request.odds = lambda: _odds(game)
        game.move(game.held(await request).id, DISCARD, "Regroup")


# -- advice ------------------------------------------------------------------------------------------------------------


def _suggested(game: Patrol, otherwise: str) -> str:
    """The name of the card that the priorities choose; ``otherwise`` where they play none."""
    spot = game.spot()
    option = PASS if spot is None else suggestion(spot, game.policy(), game.tables.bot["playouts"]["at_once"])
    names = game.named(option) if option != PASS else []
    return names[0].name if names else otherwise


def _odds(game: Patrol) -> Odds:
    from companion.games.fallujahcards.advice import decision_odds

    return decision_odds(game)
