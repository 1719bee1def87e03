"""[The Deck, Turn Sequence] The set-up, and a turn phase by phase."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from companion.core.position import Piece
from companion.core.requests import Choice, Choose
from companion.core.text import plural
from companion.games.fallujahcards import state
from companion.games.fallujahcards.ai.valuation import score_rank
from companion.games.fallujahcards.odds import decision_odds
from companion.games.fallujahcards.referee import CardReferee


async def set_up(referee: CardReferee) -> None:
    """[The Deck] All cards shuffled; the hand is empty (ruling C-4)."""
    for card in referee.tables.counters["card"]:
        title = referee.chart("types").text(card["type"], "title")
        values = {"type": card["type"], **({"force": card["force"]} if "force" in card else {})}
        for _ in range(card["count"]):
            referee.make(title.casefold(), card["name"], state.DECK, "The Deck", values=values)
    referee.set_track("turn", 0, "Turn Sequence", "")
    referee.instruct(f"Shuffle the deck of {len(referee.position.pieces)} cards. The hand is empty.", "The Deck")


async def tactics(referee: CardReferee, target: Piece) -> None:
    """[Tactics] Insurgent Tactics cost a card at random; American Tactics bring the top two cards."""
    kind = referee.kind(target)
    if not state.type_of(target):
        referee.say(f"{target.name} is not a card of the list: settle it as you see fit.", "Tactics", tone="warning")
        referee.move(target.id, state.DISCARD, "Tactics")
    if kind.settled != "Tactics":
        return
    referee.phase("Tactics")
    if kind.american:
        await _reinforced(referee)
    else:
        referee.move(target.id, state.DISCARD, "Tactics")
        await _set_back(referee)


async def _set_back(referee: CardReferee) -> None:
    """[Tactics] A random card of the whole hand, however large it is (rulings C-9, C-10)."""
    if not referee.hand:
        referee.say("The hand is empty: no card is lost with it.", "Tactics")
        return
    lost = referee.hand[0]
    if len(referee.hand) > 1:
        lost = await referee.drawn("lost", "A card at random from the hand is lost", "Tactics", state.HAND)
    referee.move(lost.id, state.DISCARD, "Tactics", "lost at random")


async def _reinforced(referee: CardReferee) -> None:
    """[Tactics] Drawn cards only change places (ruling C-8); fewer where the deck ends (ruling C-6)."""
    count = referee.limits.drawn
    if referee.left < count:
        referee.say(f"Only {plural(referee.left, 'card is', 'cards are')} left of the {count} to be drawn.", "Tactics")
    for number in range(1, min(count, referee.left) + 1):
        card = await referee.next_card("drawn", f"Card {number} of {count} that American Tactics draws", "Tactics")
        place, side = (state.HAND, state.AMERICAN) if referee.kind(card).american else (state.DISCARD, state.INSURGENCY)
        referee.move(card.id, place, "Tactics", f"drawn, {side}")


def asset(referee: CardReferee, target: Piece) -> None:
    """[Asset] An American Target joins the hand; American Tactics too, unless ruling C-7 is switched."""
    kind = referee.kind(target)
    if not kind.american:
        return
    if kind.settled == "Tactics" and referee.option("american_tactics") == "discard":
        referee.move(target.id, state.DISCARD, "Tactics", "American Tactics are discarded (ruling C-7)")
    else:
        referee.move(target.id, state.HAND, "Asset")


_VERBS: Mapping[state.StoppingPhase, tuple[str, str, str]] = {
    "Destroy": ("destroy", "destroyed", "no card in the hand can destroy it"),
    "Disarm": ("disarm", "neutralized", "no card in the hand can neutralize it"),
}


async def stop_target(referee: CardReferee, target: Piece, phase: state.StoppingPhase) -> None:
    """[Destroy, Disarm] One card of sufficient force and the Target are both eliminated; otherwise the Target is a casualty."""
    key, done, unable = _VERBS[phase]
    kind, title = referee.kind(target), state.card_title(target)
    if kind.settled != phase:
        referee.skip_question(key, lambda: f"the Target is {title}", phase)
        return
    referee.phase(phase)
    hand = referee.hand
    able = [card for card in hand if state.stops(referee.kind(card), kind)]
    before = referee.score
    if not able:
        referee.skip_question(key, lambda: f"{title}: {unable}; the hand holds {CardReferee.list_cards(hand)}", phase)
    card = await _played(referee, target, phase, able) if able else None
    reasons = [_reason(referee, held, target) for held in hand]
    if card is None:
        referee.move(target.id, state.CASUALTY, phase)
        why = "declined" if able else unable
        referee.say(f"{title} is a casualty, {why}: score {before} -> {referee.score}.", phase, *reasons)
        return
    referee.move(target.id, state.ELIMINATION, phase)
    referee.move(card.id, state.ELIMINATION, phase)
    referee.say(f"{title} {done} with {state.card_title(card)}: score {before} -> {referee.score}.", phase, *reasons)


async def _played(referee: CardReferee, target: Piece, phase: state.StoppingPhase, able: list[Piece]) -> Piece | None:
    """[Destroy, Disarm] Ask which card the player commits; None if the player declines (rulings C-11, C-14)."""
    counts = referee.option("elimination") != "insurgents"
    force = target.number("force")

    def hint(card: Piece) -> str:
        return f"{referee.described(card)}: score {force + (card.number('force') if counts else 0):+d}"

    prompt = f"{target.name} {referee.described(target)}: play a card against it"
    decline = Choice(state.DECLINE, state.DECLINE, f"to the Casualty Pile: score {-force:+d}")
    name = await _card_question(referee, _VERBS[phase][0], prompt, phase, able, hint, decline)
    if name == state.DECLINE:
        return None
    card = referee.held(name)
    if card not in able:
        referee.forbid(_too_weak(referee, card, target), phase, f"Play {', '.join(held.name for held in able)}, or decline")
    return card


def _card_question(
    referee: CardReferee,
    key: str,
    prompt: str,
    phase: state.Phase,
    able: Sequence[Piece],
    hint: Callable[[Piece], str],
    none: Choice | None = None,
) -> Choose:
    """The question for a card of the hand, with a suggestion and odds; `none`: the choice to play none."""
    choices = [*referee.choices(able, hint), *([none] if none else [])]
    refused = referee.choices([card for card in referee.hand if card not in able], referee.described)
    otherwise = none.value if none else referee.hand[0].name
    request = Choose(key, prompt, phase, choices, lambda: referee.suggested_card(otherwise), refused, "card in the hand")
    request.odds = lambda: decision_odds(referee)
    return request


def _reason(referee: CardReferee, card: Piece, target: Piece) -> str:
    """[Destroy, Disarm] Why a card of the hand stops a Target or not."""
    kind, against = referee.kind(card), referee.kind(target)
    if not state.stops(kind, against):
        return _too_weak(referee, card, target)
    comparison = "whatever its force" if kind.disarms == "always" else f"force {kind.force} against {against.force}"
    return f"{state.card_title(card)} is enough: {comparison}"


def _too_weak(referee: CardReferee, card: Piece, target: Piece) -> str:
    """[Destroy, Disarm] Why a card cannot stop a Target (rulings C-12, C-13)."""
    kind, against = referee.kind(card), referee.kind(target)
    fights = kind.destroys if against.settled == "Destroy" else kind.disarms == "force"
    if fights:
        return f"{state.card_title(card)} is too weak for {state.card_title(target)}: force {kind.force} against {against.force}"
    title = referee.chart("types").text(state.type_of(card), "title") if state.type_of(card) else card.kind
    does = "do not" if title.endswith("s") else "does not"
    verb = "destroy" if against.settled == "Destroy" else "disarm"
    return f"{state.card_title(card)} cannot stop {state.card_title(target)}: {title} {does} {verb}"


async def recon(referee: CardReferee) -> None:
    """[Recon] Any number of Recon cards, each to see the next five cards (rulings C-15, C-16)."""
    while _has_scout(referee):
        referee.phase("Recon")
        scouts = [card for card in referee.hand if referee.kind(card).looks]
        count = min(referee.limits.seen, referee.left)
        prompt, no = f"Play a Recon card to see the next {plural(count, 'card')}", Choice(state.NO, state.NO)
        request = _card_question(referee, "recon", prompt, "Recon", scouts, referee.described, no)
        request.implied_reply = state.NO if len(referee.known_cards) >= count else None
        name = await request
        if name == state.NO:
            return
        card = referee.held(name)
        if card not in scouts:
            referee.forbid(f"{state.card_title(card)} is no Recon card", "Recon", f"Play {scouts[0].name}, or say no")
        referee.move(card.id, state.DISCARD, "Recon", "played")
        await _look(referee, count)


def _has_scout(referee: CardReferee) -> bool:
    """True if a Recon card can be played; otherwise the reason is recorded."""
    if not any(referee.kind(card).looks for card in referee.hand):
        referee.skip_question("recon", "no Recon card is in the hand", "Recon")
    elif not referee.left:
        referee.skip_question("recon", "the deck is empty: there is nothing to look at", "Recon")
    else:
        return True
    return False


async def _look(referee: CardReferee, count: int) -> None:
    for number in range(len(referee.known_cards) + 1, count + 1):
        card = await referee.drawn("seen", f"Card {number} of {count}, from the top of the deck", "Recon", state.DECK)
        referee.move(card.id, state.TOP, "Recon", f"number {number}")
    referee.say(f"The next cards, in order: {referee.list_cards(referee.known_cards)}.", "Recon")


async def regroup(referee: CardReferee) -> None:
    """[Regroup] The player chooses the cards to discard (ruling C-17)."""
    limit, size = referee.limits.hand, len(referee.hand)
    if size <= limit:
        referee.skip_question("discard", lambda: f"the hand holds {plural(size, 'card')}, and {limit} may stay", "Regroup")
    while len(referee.hand) > limit:
        referee.phase("Regroup")
        over = len(referee.hand) - limit
        what = "one" if over == 1 else f"the first of {over}"
        prompt = f"{plural(len(referee.hand), 'card')} in the hand, {limit} may stay: discard {what}"
        request = _card_question(referee, "discard", prompt, "Regroup", referee.hand, referee.described)
        request.is_repeatable = over > 1
        referee.move(referee.held(await request).id, state.DISCARD, "Regroup")


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
    """[Search] The top card of the deck is the Target, or one that a correction has turned up already."""
    if lying := referee.position.at(state.TARGET):
        referee.phase("Search")
        referee.say(f"{state.card_title(lying[0])} lies face up: it is the Target.", "Search")
        return lying[0]
    referee.phase("Search")
    card = await referee.next_card("card", "Turn up the top card of the deck", "Search")
    title = referee.chart("types").text(state.type_of(card), "title") if state.type_of(card) else "no card of the list"
    force = f", force {card.number('force')}" if card.number("force") else ""
    referee.move(card.id, state.TARGET, "Search", f"{title}{force}" + (", as Recon has seen" if card.place == state.TOP else ""))
    return referee.piece(card.id)
