"""What Enter takes is accepted and has an effect, or nothing else that could be chosen there would have one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from companion.core.errors import CompanionError, Illegal
from companion.core.events import Event, FlagSet, PieceMarked, PieceMoved, Said, TrackMoved
from companion.core.game import Game
from companion.core.policies import random_reply
from companion.core.requests import AnyRequest, Printed
from companion.testing.fixtures import seated
from companion.testing.player import offered

GAMES_PLAYED = 20
ALTERNATIVES = 8
"""The most other answers that are tried at a question."""
Spending = Callable[[Event], bool]


def _is_flag(event: Event, *names: str) -> bool:
    return isinstance(event, FlagSet) and event.flag in names


def _is_talk(event: Event) -> bool:
    """True for a line that is said, except the cost of a way [12.1(2)]: on an unknown map it stands for the movement."""
    return isinstance(event, Said) and event.rule != "12.1(2)"


SPENT: Mapping[str, Spending] = {
    "fallujah2004": lambda event: isinstance(event, TrackMoved) and event.track in ("ops", "operations"),
    "phantomfury": lambda event: (
        _is_flag(event, "moved", "assaulted") or (isinstance(event, TrackMoved) and event.track == "phase")
    ),
    "fallujahcards": lambda event: isinstance(event, PieceMoved) and (event.was, event.now) == ("hand", "discard"),
    "iraqwar2003": lambda event: (
        (isinstance(event, PieceMarked) and event.mark == "moved") or (isinstance(event, TrackMoved) and event.track == "cp")
    ),
    "lzalbany": lambda event: (
        (isinstance(event, PieceMoved) and event.now.startswith("box "))
        or (isinstance(event, PieceMarked) and event.mark == "acts")
        or (isinstance(event, FlagSet) and event.flag != "phase")
    ),
}
"""For each game the events that only use something up: markers of having acted, points, chits."""
FREE = {("lzalbany", "officers"), ("lzalbany", "retreat"), ("iraqwar2003", "stacked")}
"""Questions at which "none" uses nothing up: officers and units that may stay, and what only the player can see."""


class Entered(NamedTuple):
    """An action played by Enter from its first question with a suggestion.

    Attributes:
        suggested: The number of replies before each question with a suggestion, and the question.
        replies: All replies.
        has_effect: It rolled, did more than use something up, or came to a question that must be answered.
        refusal: Why the rules refused what Enter takes, or "".
    """

    suggested: list[tuple[int, AnyRequest]]
    replies: list[Any]
    has_effect: bool
    refusal: str = ""


def entered(player: Any, procedure: Any, typed: list[Any]) -> Entered:
    """Play an action: the typed replies, then Enter; questions before the first suggestion are answered at random."""
    suggested: list[tuple[int, AnyRequest]] = []
    replies: list[Any] = []
    is_spent = SPENT.get(player.game.id, lambda event: False)
    try:
        run = player._start(procedure, [], [])
    except Illegal:
        return Entered([], [], True)
    try:
        has_rolled = False
        while (request := run.request) is not None:
            value: Any = None
            if len(replies) < len(typed):
                value = typed[len(replies)]
            elif (forced := request.forced_reply()) is not None:
                value = request.check(forced)
            elif request.chance_setting:
                has_rolled = has_rolled or bool(suggested or typed)
                value = random_reply(request, player.number)
            elif isinstance(request, Printed):
                value = player.printed(request)
            elif request.suggest is not None:
                suggested.append((len(replies), request))
                value = request.check(request.suggest)
            elif suggested or typed:
                return Entered(suggested, replies, True)
            try:
                value = player.answer(request) if value is None else value
                run.send(value)
            except CompanionError as error:
                is_suggested = bool(suggested) and suggested[-1][0] == len(replies)
                return Entered(suggested, replies, not is_suggested, str(error) if is_suggested else "")
            replies.append(value)
        effects = [event for event in run.referee.events if not is_spent(event) and not _is_talk(event)]
        return Entered(suggested, replies, has_rolled or bool(effects))
    finally:
        run.close()


def wasted(player: Any, action: Any) -> Iterator[tuple[str, str, str]]:
    """Refused or useless suggestions of an action: the question, the suggestion, and what would be accepted instead."""
    by_enter = entered(player, action.run, [])
    if by_enter.refusal:
        yield action.id, by_enter.suggested[-1][1].key, by_enter.refusal
    elif not by_enter.has_effect:
        for count, request in by_enter.suggested:
            if (player.game.id, request.key) in FREE:
                continue
            for value in [value for value in offered(request) if value != request.suggest][:ALTERNATIVES]:
                try:
                    other = entered(player, action.run, [*by_enter.replies[:count], request.check(value)])
                except CompanionError:
                    continue
                if other.has_effect:
                    yield action.id, f"{request.key}={request.display(request.suggest)}", f"instead {request.display(value)}"
                    return


def faults_in(game: Game, seed: int, turns: int) -> set[tuple[str, str, str]]:
    """The refused and useless suggestions of a random game with the practice set."""
    player = seated(game, seed)
    faults: set[tuple[str, str, str]] = set()
    for _ in range(turns):
        if game.over(player.position):
            break
        for action in game.actions:
            if not action.look and not action.alone and action.obstacle(player.position) is None:
                faults |= set(wasted(player, action))
        player.turn()
    return faults


def test_a_suggestion_is_accepted_and_has_an_effect(game: Game, effort: tuple[int, int]) -> None:
    """At each open action of a few positions of 20 random games."""
    assert sorted(set().union(*(faults_in(game, seed, effort[1] // 4) for seed in range(GAMES_PLAYED)))) == []
