"""[The Deck, Turn Sequence] The set-up, and a turn phase by phase."""

from __future__ import annotations

from companion.core.errors import Impossible
from companion.core.position import Piece
from companion.core.requests import Choice, Choose
from companion.core.text import plural
from companion.games.fallujahcards.ai.valuation import score_rank
from companion.games.fallujahcards.odds import decision_odds
from companion.games.fallujahcards.referee import CardReferee
from companion.games.fallujahcards.state import (
    AMERICAN,
    CASUALTY,
    DECK,
    DECLINE,
    DISCARD,
    ELIMINATION,
    HAND,
    NO,
    TARGET,
    TOP,
    card_code,
    card_title,
    stops,
    type_of,
)


async def set_up(referee: CardReferee) -> None:
    """[The Deck] All cards shuffled; the hand is empty (ruling C-4)."""
    for card in referee.tables.counters["card"]:
        title = referee.chart("types").text(card["type"], "title")
        values = {"type": card["type"], **({"force": card["force"]} if "force" in card else {})}
        for _ in range(card["count"]):
            referee.make(title.casefold(), card["name"], DECK, "The Deck", values=values)
    referee.set_track("turn", 0, "Turn Sequence", "")
    referee.instruct(f"Shuffle the deck of {len(referee.position.pieces)} cards. The hand is empty.", "The Deck")


async def tactics(referee: CardReferee, target: Piece) -> None:
    """[Tactics] Insurgent Tactics cost a card at random; American Tactics bring the top two cards."""
    kind = referee.kind(target)
    if not type_of(target):
        referee.say(f"{target.name} is not a card of the list: settle it as you see fit.", "Tactics", tone="warning")
        referee.move(target.id, DISCARD, "Tactics")
    if kind.settled != "Tactics":
        return
    referee.phase("Tactics")
    if kind.american:
        await _reinforced(referee)
    else:
        referee.move(target.id, DISCARD, "Tactics")
        await _set_back(referee)


async def _set_back(referee: CardReferee) -> None:
    """[Tactics] A random card of the whole hand, however large it is (rulings C-9, C-10)."""
    if not referee.hand:
        referee.say("The hand is empty: no card is lost with it.", "Tactics")
        return
    lost = referee.hand[0]
    if len(referee.hand) > 1:
        lost = await referee.drawn("lost", "A card at random from the hand is lost", "Tactics", HAND)
    referee.move(lost.id, DISCARD, "Tactics", "lost at random")


async def _reinforced(referee: CardReferee) -> None:
    """[Tactics] Drawn cards only change places (ruling C-8); fewer where the deck ends (ruling C-6)."""
    many = referee.limits.drawn
    if referee.left < many:
        referee.say(f"The deck holds {plural(referee.left, 'card')} for the {many} to be drawn.", "Tactics")
    for number in range(1, min(many, referee.left) + 1):
        card = await referee.next_card("drawn", f"Card {number} of {many} that American Tactics draws", "Tactics")
        american = referee.kind(card).american
        referee.move(card.id, HAND if american else DISCARD, "Tactics", f"drawn, {AMERICAN if american else 'Insurgency'}")


def asset(referee: CardReferee, target: Piece) -> None:
    """[Asset] An American Target joins the hand; American Tactics too, unless ruling C-7 is switched."""
    kind = referee.kind(target)
    if not kind.american:
        return
    if kind.settled == "Tactics" and referee.option("american_tactics") == "discard":
        referee.move(target.id, DISCARD, "Tactics", "American Tactics are discarded (ruling C-7)")
    else:
        referee.move(target.id, HAND, "Asset")


_VERBS = {
    "Destroy": ("destroy", "destroyed", "no card in the hand can destroy it"),
    "Disarm": ("disarm", "neutralized", "no card in the hand can neutralize it"),
}


async def stop_target(referee: CardReferee, target: Piece, phase: str) -> None:
    """[Destroy, Disarm] A single card of enough force takes the Target with it; otherwise it is a casualty."""
    key, done, unable = _VERBS[phase]
    kind = referee.kind(target)
    if kind.settled != phase:
        referee.skip_question(key, lambda: f"the Target is {card_title(target)}", phase)
        return
    referee.phase(phase)
    hand = referee.hand
    able = [card for card in hand if stops(referee.kind(card), kind)]
    before = referee.score
    if not able:
        referee.skip_question(key, lambda: f"{card_title(target)}: {unable}; there is {CardReferee.list_cards(hand)}", phase)
    card = await _played(referee, target, phase, able) if able else None
    reasons = [_reason(referee, held, target) for held in hand]
    if card is None:
        referee.move(target.id, CASUALTY, phase)
        why = "declined" if able else unable
        referee.say(f"{card_title(target)} is a casualty, {why}: score {before} -> {referee.score}.", phase, *reasons)
        return
    referee.move(target.id, ELIMINATION, phase)
    referee.move(card.id, ELIMINATION, phase)
    referee.say(f"{card_title(target)} {done} with {card_title(card)}: score {before} -> {referee.score}.", phase, *reasons)


async def _played(referee: CardReferee, target: Piece, phase: str, able: list[Piece]) -> Piece | None:
    """[Destroy, Disarm] The card that the player commits, or None (rulings C-11, C-14)."""
    counts = referee.option("elimination") != "insurgents"
    force = target.number("force")

    def hint(card: Piece) -> str:
        return f"{card_code(card)}: score {force + (card.number('force') if counts else 0):+d}"

    refused = [card for card in referee.hand if card not in able]
    request = Choose(
        _VERBS[phase][0],
        f"{card_title(target)}: play a card against it",
        phase,
        [*referee.choices(able, hint), Choice(DECLINE, DECLINE, f"to the Casualty Pile: score {-force:+d}")],
        lambda: referee.suggested_card(DECLINE),
        referee.choices(refused, card_code),
        "card in the hand",
    )
    request.odds = lambda: decision_odds(referee)
    name = await request
    if name == DECLINE:
        return None
    card = referee.held(name)
    if card not in able:
        referee.forbid(_too_weak(referee, card, target), phase, f"Play {', '.join(one.name for one in able)}, or decline")
    return card


def _reason(referee: CardReferee, card: Piece, target: Piece) -> str:
    """[Destroy, Disarm] What speaks for or against a card of the hand, in one phrase."""
    kind, against = referee.kind(card), referee.kind(target)
    if not stops(kind, against):
        return _too_weak(referee, card, target)
    enough = "whatever its force" if kind.disarms == "always" else f"force {kind.force} against {against.force}"
    return f"{card_title(card)} is enough: {enough}"


def _too_weak(referee: CardReferee, card: Piece, target: Piece) -> str:
    """[Destroy, Disarm] Why a card cannot stop a Target (rulings C-12, C-13)."""
    kind, against = referee.kind(card), referee.kind(target)
    fights = kind.destroys if against.settled == "Destroy" else kind.disarms == "force"
    if fights:
        return f"{card_title(card)} is too weak for {card_title(target)}: force {kind.force} against {against.force}"
    title = referee.chart("types").text(type_of(card), "title") if type_of(card) else card.kind
    does = "do not" if title.endswith("s") else "does not"
    return f"{card_title(card)} cannot stop {card_title(target)}: {title} {does} {_VERBS[against.settled][0]}"


async def recon(referee: CardReferee) -> None:
    """[Recon] Any number of Recon cards, each to see the next five cards (rulings C-15, C-16)."""
    while _has_scout(referee):
        referee.phase("Recon")
        scouts = [card for card in referee.hand if referee.kind(card).looks]
        many = min(referee.limits.seen, referee.left)
        request = Choose(
            "recon",
            f"Play a Recon card to see the next {plural(many, 'card')}",
            "Recon",
            [*referee.choices(scouts, card_code), Choice(NO, NO)],
            lambda: referee.suggested_card(NO),
            referee.choices([card for card in referee.hand if card not in scouts], card_code),
            "card in the hand",
        )
        request.odds = lambda: decision_odds(referee)
        request.implied_reply = NO if len(referee.known_cards) >= many else None
        name = await request
        if name == NO:
            return
        card = referee.held(name)
        if card not in scouts:
            referee.forbid(f"{card_title(card)} is no Recon card", "Recon", f"Play {scouts[0].name}, or say no")
        referee.move(card.id, DISCARD, "Recon", "played")
        await _look(referee, many)


def _has_scout(referee: CardReferee) -> bool:
    """True if a Recon card can be played; if not, why not. One that shows nothing new can, and nobody is asked for it."""
    if not any(referee.kind(card).looks for card in referee.hand):
        referee.skip_question("recon", "no Recon card is in the hand", "Recon")
    elif not referee.left:
        referee.skip_question("recon", "the deck is empty: there is nothing to look at", "Recon")
    else:
        return True
    return False


async def _look(referee: CardReferee, many: int) -> None:
    for number in range(len(referee.known_cards) + 1, many + 1):
        card = await referee.drawn("seen", f"Card {number} of {many}, from the top of the deck", "Recon", DECK)
        referee.move(card.id, TOP, "Recon", f"number {number}")
    referee.say(f"Next come, in this order: {referee.list_cards(referee.known_cards)}.", "Recon")


async def regroup(referee: CardReferee) -> None:
    """[Regroup] The player chooses what goes (ruling C-17)."""
    most = referee.limits.hand
    many = len(referee.hand)
    if many <= most:
        referee.skip_question("discard", lambda: f"the hand holds {plural(many, 'card')}, and {most} may stay", "Regroup")
    while len(referee.hand) > most:
        referee.phase("Regroup")
        over = len(referee.hand) - most
        request = Choose(
            "discard",
            f"{plural(len(referee.hand), 'card')} in the hand, {most} may stay: discard "
            + ("one" if over == 1 else f"the first of {over}"),
            "Regroup",
            referee.choices(referee.hand, card_code),
            lambda: referee.suggested_card(referee.hand[0].name),
            (),
            "card in the hand",
        )
        request.odds = lambda: decision_odds(referee)
        request.is_repeatable = over > 1
        referee.move(referee.held(await request).id, DISCARD, "Regroup")


async def turn(referee: CardReferee) -> None:
    """[Turn Sequence] Search to Regroup; after the last card of the deck the game is over [Scoring]."""
    referee.shift_track("turn", 1, "Turn Sequence", "")
    target = await search(referee)
    await tactics(referee, target)
    asset(referee, target)
    await stop_target(referee, target, "Destroy")
    await stop_target(referee, target, "Disarm")
    await recon(referee)
    await regroup(referee)
    referee.phase(None)
    if not referee.left:
        referee.say(f"The deck is used up: the game ends with a score of {referee.score}.", "Scoring")
        rank = score_rank(referee.score, referee.tables.bot["scores"], referee.options)
        referee.say(f"{rank} The bot with the same cards, and what cost most: companion bot".strip(), "Scoring", tone="reminder")


async def search(referee: CardReferee) -> Piece:
    """[Search] The top card of the deck is the Target."""
    if not referee.left:
        raise Impossible("the deck is used up", rule="Search", cure="If yours is not: companion adjust CARD deck")
    referee.phase("Search")
    card = await referee.next_card("card", "Turn up the top card of the deck", "Search")
    title = referee.chart("types").text(type_of(card), "title") if type_of(card) else "no card of the list"
    force = f", force {card.number('force')}" if card.number("force") else ""
    referee.move(card.id, TARGET, "Search", f"{title}{force}" + (", as Recon has seen" if card.place == TOP else ""))
    return referee.piece(card.id)
