"""A game that is over, read again: the order in which the deck came, and the decisions that were taken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from companion.core.events import Event, FlagSet, PieceMoved, apply
from companion.core.game import Game
from companion.core.position import Position
from companion.games.fallujahcards.bot.estimate import DecisionPoint, options
from companion.games.fallujahcards.bot.policy import PASS
from companion.games.fallujahcards.referee import CardReferee
from companion.games.fallujahcards.state import CASUALTY, DECK, DISCARD, ELIMINATION, HAND, PHASE, TARGET, TOP, type_of

Story = Sequence[Sequence[Event]]


class PlayedDecision(NamedTuple):
    """A decision that was taken.

    Attributes:
        position: in which it was due.
        spot: what could be known there.
        option: what was chosen.
    """

    position: Position
    spot: DecisionPoint
    option: int


def deck_order(story: Iterable[Sequence[Event]], start: Position) -> list[str]:
    """The names of all cards in the order in which they left the deck; none where that cannot be told: not every card came
    off the deck once, as the rules take it.
    """
    ways = (TARGET, TOP, HAND, DISCARD)
    moved = [event for events in story for event in events if isinstance(event, PieceMoved) and DECK in (event.was, event.now)]
    if any(event.was != DECK or event.now not in ways for event in moved):
        return []
    if sorted(event.id for event in moved) != sorted(card.id for card in start.at(DECK)):
        return []
    return [start.pieces[event.id].name for event in moved]


def played_decisions(game: Game, chosen: Mapping[str, str], story: Story) -> Iterator[PlayedDecision]:
    """Every decision between choices that differ, in order."""
    position = Position()
    for events in story:
        for at, event in enumerate(events):
            referee = _deciding(game, position, chosen, event)
            if referee is not None and (met := _met(referee, event, events[at + 1 :])) is not None:
                yield met
            position = apply(position, event)


def _deciding(game: Game, position: Position, chosen: Mapping[str, str], event: Event) -> CardReferee | None:
    """The referee where an event may be what a decision led to."""
    moved = isinstance(event, PieceMoved) and event.was in (TARGET, HAND)
    if not moved and not (isinstance(event, FlagSet) and event.flag == PHASE and event.was == "Recon"):
        return None
    referee = game.referee(position, chosen)
    assert isinstance(referee, CardReferee)
    return referee


def _met(referee: CardReferee, event: Event, later: Sequence[Event]) -> PlayedDecision | None:
    spot = referee.decision_point()
    option = _chosen(referee, spot.phase, event, later) if spot is not None else None
    if spot is None or option is None or len(options(spot, referee.priorities().model)) == 1:
        return None
    return PlayedDecision(referee.position, spot, option)


def _chosen(referee: CardReferee, phase: str, event: Event, later: Sequence[Event]) -> int | None:
    """The choice that an event shows, or None where it shows none."""
    if isinstance(event, FlagSet):
        return PASS if len(referee.known_cards) < min(referee.limits.seen, referee.left) else None
    assert isinstance(event, PieceMoved)
    way = event.was, event.now
    if phase in ("Destroy", "Disarm"):
        return PASS if way == (TARGET, CASUALTY) else _played(referee, later) if way == (TARGET, ELIMINATION) else None
    return _code(referee, event.id) if way == (HAND, DISCARD) else None


def _played(referee: CardReferee, later: Sequence[Event]) -> int | None:
    """The card that goes with a Target."""
    ids = [event.id for event in later if isinstance(event, PieceMoved) and (event.was, event.now) == (HAND, ELIMINATION)]
    return _code(referee, ids[0]) if ids else None


def _code(referee: CardReferee, card: str) -> int | None:
    found = referee.codes([referee.piece(card)], referee.priorities().model) if type_of(referee.piece(card)) else ()
    return found[0] if found else None
