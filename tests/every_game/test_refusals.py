"""What exists in the game is never refused as a typing error: the answer is acceptance, a rule, or that it is not in play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from companion.core.errors import CompanionError, Excluded, Illegal
from companion.core.game import Game
from companion.core.requests import AnyRequest, Draw, Pick, Text
from companion.testing.fixtures import Sit

PROBED = 2  # Times that a question is probed by default
KINDS = ("choose", "pick", "text", "draw")
FREE = {  # Texts in a notation of their own, which takes more than names
    "fallujah2004": ("described",)
}


WITHOUT_REASON: dict[str, tuple[str, ...]] = {}
"""By game: the questions where something of the game may be refused without a reason of its own."""
LEAST = {"fallujah2004": 0.9, "phantomfury": 0.9, "fallujahcards": 0.9, "iraqwar2003": 1.0, "lzalbany": 0.9}
"""By game: the least share of refusals that say what excludes the thing that was named."""


class Naming:
    """Mixin for a random player: types each piece, place and action of the game at each question that names answer.

    ``faults``: what was refused otherwise than by a rule, by question and text.
    """

    probed = PROBED

    def __init__(self, *args: Any, **options: Any) -> None:
        self.faults: Counter[tuple[str, str, str]] = Counter()
        self.typed = 0
        self.times: Counter[str] = Counter()
        super().__init__(*args, **options)

    def on_question(self: Any, procedure: Any, request: AnyRequest, replies: list[Any], results: list[Any]) -> None:
        self.times[request.key] += 1
        if request.kind not in KINDS or self.times[request.key] > self.probed or request.forced_reply() is not None:
            return
        name = getattr(procedure, "where", "setup").rpartition(":")[2]
        for text in self.things(request):
            self.typed += 1
            fault = self.fault_of(procedure, request, replies, results, text)
            if fault:
                self.faults[f"{name} {request.key}", text, fault] += 1

    def things(self: Any, request: AnyRequest) -> Iterator[str]:
        """The names of all pieces, places and actions that are not offered."""
        position = request.referee.position
        offered = {name for choice in request.legal_choices() for name in (choice.value, choice.label)}
        names = dict.fromkeys(piece.name for piece in position.pieces.values())
        names |= dict.fromkeys((*self.game.places, *self.game.player_named_places(position), *position.occupied_places()))
        names |= dict.fromkeys(action.id for action in self.game.actions)
        return (name for name in names if name not in offered)

    def fault_of(self: Any, procedure: Any, request: AnyRequest, replies: list[Any], results: list[Any], text: str) -> str:
        """Why the refusal of a text cites no rule; "" if it does, or if the text is accepted."""
        try:
            reply = self.resolver.parse_reply(request, text, 0, "typed", False)
        except CompanionError as error:
            return refusal_fault(error)
        if isinstance(request, Draw | Text) or (isinstance(request, Pick) and request.high > 1):
            return ""
        run = self._start(procedure, list(results), [])
        try:
            for value in replies:
                run.send(value)
            run.send(reply.value)
        except CompanionError as error:
            return refusal_fault(error)
        finally:
            run.close()
        return ""


def refusal_fault(error: CompanionError) -> str:
    """Why an error is no refusal by a rule; "" if it is one."""
    if isinstance(error, Illegal) and (error.rule or "not in play" in error.message):
        return ""
    return f"{type(error).__name__}: {error}"


def faults_in(sit: Sit, game: Game, seed: int, turns: int, probed: int) -> list[tuple[str, str, str]]:
    player: Any = sit(seed, Naming)
    player.probed = probed
    for _ in range(turns):
        player.turn()
        if game.over(player.position):
            break
    return sorted(player.faults)


def test_what_exists_is_refused_by_a_rule(game: Game, sit: Sit, effort: tuple[int, int]) -> None:
    """A short random game."""
    assert faults_in(sit, game, 1, effort[1], PROBED) == []


class Reasons(Naming):
    """Mixin for a random player: counts the refusals of each question, and those without a reason of their own.

    An action named at a question is left out: that the question comes first is the only reason there can be.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        self.refused: Counter[str] = Counter()
        self.without: Counter[str] = Counter()
        self.own_rule = 0  # refusals that cite another rule than that of the question
        super().__init__(*args, **options)

    def fault_of(self: Any, procedure: Any, request: AnyRequest, replies: list[Any], results: list[Any], text: str) -> str:
        try:
            self.resolver.parse_reply(request, text, 0, "typed", False)
        except CompanionError as error:
            if "a question is open that comes first" not in error.message:
                self.refused[request.key] += 1
                self.without[request.key] += "be chosen here" in error.message
                self.own_rule += error.rule != request.rule
        return ""


def test_a_refusal_says_what_excludes_the_thing(game: Game, sit: Sit, effort: tuple[int, int]) -> None:
    """A share of the refusals has a reason of its own, and the questions that lack one are listed."""
    refused: Counter[str] = Counter()
    without: Counter[str] = Counter()
    own_rule = 0
    for seed in range(effort[0]):
        player: Any = sit(seed, Reasons)
        for _ in range(effort[1]):
            player.turn()
            if game.over(player.position):
                break
        refused += player.refused
        without += player.without
        own_rule += player.own_rule
    count = max(refused.total(), 1)
    share = 1 - without.total() / count
    print(f"{game.id}: {share:.1%} of {count} refusals say what excludes, {own_rule / count:.1%} by a rule other than that of")
    print(f"the question; without: {dict(without)}")
    assert share >= LEAST.get(game.id, 0)
    assert game.id not in LEAST or sorted(set(without) - set(WITHOUT_REASON.get(game.id, ()))) == []


@pytest.mark.long
@pytest.mark.parametrize("seed", range(12))
def test_what_exists_is_refused_by_a_rule_in_long_games(game: Game, sit: Sit, seed: int) -> None:
    assert faults_in(sit, game, seed, 200, 20) == []


def named_actions(cure: str, game: Game) -> list[str]:
    """The actions that a cure tells the player to type: ``Go on with: fire, move or end``."""
    _, colon, typed = cure.partition(": ")
    words = [part.strip().partition(" ")[0] for part in typed.replace(" or ", ", ").split(",")] if colon else []
    return [word for word in words if any(action.id == word for action in game.actions)]


def cure_of(player: Any, action: str) -> str | None:
    """The cure of the refusal of an action, or None if it is open."""
    chosen = next(item for item in player.game.actions if item.id == action)
    if obstacle := chosen.obstacle(player.position):
        return obstacle.cure
    try:
        player._start(chosen.run, [], []).close()
    except CompanionError as error:
        return error.cure
    return None


def leads_on(player: Any, action: str, tried: tuple[str, ...] = ()) -> bool:
    """True if an action is open, or its cure names one that leads on."""
    cure = cure_of(player, action)
    named = [name for name in named_actions(cure or "", player.game) if name not in (*tried, action)]
    return cure is None or any(leads_on(player, name, (*tried, action)) for name in named)


def useless_cures(player: Any) -> Iterator[tuple[str, str]]:
    """The actions refused now whose cure names only actions that lead nowhere, each with the cure."""
    for action in player.game.actions:
        cure = cure_of(player, action.id) or ""
        named = named_actions(cure, player.game)
        if named and not any(leads_on(player, name) for name in named):
            yield action.id, cure


def test_the_cure_of_a_refused_action_can_be_typed(game: Game, sit: Sit, effort: tuple[int, int]) -> None:
    """Of the actions that a cure names one at least is open in that very position, or names one that is."""
    faults: set[tuple[str, str]] = set()
    for seed in range(2):
        player: Any = sit(seed)
        for _ in range(effort[1]):
            if game.over(player.position):
                break
            faults |= set(useless_cures(player))
            player.turn()
    assert sorted(faults) == []


class Curing(Naming):
    """Mixin for a random player: types the names that the refusal of a name offers in its place."""

    def fault_of(self: Any, procedure: Any, request: AnyRequest, replies: list[Any], results: list[Any], text: str) -> str:
        if isinstance(request, Text | Draw):
            return ""
        try:
            self.resolver.parse_reply(request, text, 0, "typed", False)
        except CompanionError as error:
            names = [choice.name for choice in request.legal_choices() if choice.name in error.cure]
            return "; ".join(f"'{name}' of '{error.cure}' is refused" for name in names if not self.takes(request, name))
        return ""

    def takes(self: Any, request: AnyRequest, name: str) -> bool:
        if isinstance(request, Pick) and request.low > 1:
            return any(name in (choice.value, choice.label) for choice in request.choices)
        try:
            self.resolver.parse_reply(request, name, 0, "typed", False)
        except CompanionError:
            return False
        return True


def test_the_names_offered_in_a_refusal_can_be_typed(game: Game, sit: Sit, effort: tuple[int, int]) -> None:
    player: Any = sit(2, Curing)
    for _ in range(effort[1]):
        player.turn()
        if game.over(player.position):
            break
    assert sorted(player.faults) == []


class Miscounting(Naming):
    """Mixin for a random player: names what is offered, too few of it, too many, or one twice."""

    def things(self: Any, request: AnyRequest) -> Iterator[str]:
        names = [choice.label for choice in request.legal_choices()] if isinstance(request, Pick) else []
        yield from (*names, ", ".join(names), *(f"{name}, {name}" for name in names[:2])) if names else ()

    def fault_of(self: Any, procedure: Any, request: AnyRequest, replies: list[Any], results: list[Any], text: str) -> str:
        try:
            self.resolver.parse_reply(request, text, 0, "typed", False)
        except Excluded as error:
            return str(error)
        except CompanionError:
            return ""
        return ""


def test_what_is_offered_is_never_refused_as_excluded(game: Game, sit: Sit, effort: tuple[int, int]) -> None:
    """Too few or too many of the offered things are a wrong number, and no reason is given against any of them."""
    player: Any = sit(3, Miscounting)
    for _ in range(effort[1]):
        player.turn()
        if game.over(player.position):
            break
    assert sorted(player.faults) == []
