"""The bot's policy, the seat of the game, and the review of a game that is over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from companion.core.events import Event, FlagSet, PieceMoved, Said, apply, fold
from companion.core.game import Game
from companion.core.policies import BOT, DecisionContext, GameResult, Players, Policy, RandomStream
from companion.core.position import Position
from companion.core.procedures import ProcedureRun, Progress
from companion.core.request import AnyRequest
from companion.core.requests import Draw
from companion.games.fallujahcards.ai.features import PASS, DecisionPoint, options
from companion.games.fallujahcards.ai.planner import Option, Watch, decide, evaluate
from companion.games.fallujahcards.ai.valuation import score_rank
from companion.games.fallujahcards.odds import labels, reasons
from companion.games.fallujahcards.referee import CardReferee
from companion.games.fallujahcards.rules.r1_scoring import is_over
from companion.games.fallujahcards.state import CASUALTY, DECK, DISCARD, ELIMINATION, HAND, PHASE, TARGET, TOP, type_of

Story = Sequence[Sequence[Event]]


class PlayedDecision(NamedTuple):
    """A decision taken: its position, what the player could know (`spot`), and the choice."""

    position: Position
    spot: DecisionPoint
    option: int


def deck_order(story: Iterable[Sequence[Event]], start: Position) -> list[str]:
    """The names of all cards in the order in which they left the deck; none if not every card came off it by the rules."""
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
    """The card that was played against a Target."""
    ids = [event.id for event in later if isinstance(event, PieceMoved) and (event.was, event.now) == (HAND, ELIMINATION)]
    return _code(referee, ids[0]) if ids else None


def _code(referee: CardReferee, card: str) -> int | None:
    found = referee.codes([referee.piece(card)], referee.priorities().model) if type_of(referee.piece(card)) else ()
    return found[0] if found else None


class DecisionLoss(NamedTuple):
    """What a decision cost: the best choice, with its lead over what was chosen."""

    met: PlayedDecision
    best: Option


class _Bar:
    """Whoever waits sees one count for all the parts of a review."""

    def __init__(self, watch: Watch, total: int) -> None:
        self._watch = watch
        self._total = total
        self._done = 0

    def more(self) -> None:
        self._done = min(self._done + 1, self._total)
        self._watch(Progress(self._done, self._total, "Scoring"))


def review_game(
    game: Game, story: Iterable[Sequence[Event]], options: Mapping[str, str], budget: int | None, watch: Watch
) -> Said | None:
    """Review a game from the events of its entries in order; `budget`: shuffles for each choice, None for the default."""
    told, entries = game.tables.bot["review"], [list(events) for events in story]
    start, end = fold(entries[0]), fold([event for events in entries for event in events])
    met = list(played_decisions(game, options, entries))
    cards = deck_order(entries[1:], start)
    bar = _Bar(watch, len(met) + told["looked_into"] + (len(cards) or 1))
    many = told["runs"] if budget is None else budget
    costs = _costs(game, options, met, told, bar)
    score = game.score(end, options).total
    bot = f"the bot, with the same cards, {_same_cards(game, options, start, cards, many, bar)}" if cards else ""
    watch(Progress(1, 1, "Scoring"))
    because = [
        score_rank(score, game.tables.bot["scores"], options),
        _how(many) if cards else "Not every card came off the deck by the rules: the bot cannot be dealt the same.",
        *_most(game, options, costs[: told["shown"]], told),
    ]
    return Said(f"You score {score}{'; ' + bot if bot else ''}.", "Scoring", tuple(filter(None, because)), "")


def _how(runs: int) -> str:
    by = f"{runs} shuffles a decision" if runs else "its priorities alone"
    return f"The bot decides by {by}, and knows no more than you did; what Insurgent Tactics cost it is drawn again."


def _same_cards(game: Game, options: Mapping[str, str], start: Position, cards: Sequence[str], budget: int, bar: _Bar) -> int:
    """What the bot scores where the deck comes in this order, by the procedures themselves."""
    left, number, position = list(cards), RandomStream("review").randbelow, start
    turn = game.actions[0].run
    while not game.over(position):
        referee = game.new_referee(position, options)
        run = ProcedureRun(referee, turn(referee))
        while run.request is not None:
            run.send(_answer(referee, run.request, left, number, budget))
        position = referee.position
        bar.more()
    return game.score(position, options).total


def _answer(game: Any, request: AnyRequest, left: list[str], number: Callable[[int], int], budget: int) -> Any:
    if isinstance(request, Draw):
        return request.read(left.pop(0) if request.cup == DECK else game.hand[number(len(game.hand))].name)
    only, spot = request.forced_reply(), game.decision_point()
    if only is not None or spot is None:
        return request.check(only if only is not None else request.suggest)
    found = decide(
        spot, game.priorities(), game.hand_values(), {**game.tables.bot["playouts"], "ahead": 0}, budget, lambda progress: None
    )
    return request.check(game.answer_of(spot, found.option))


def _costs(
    game: Game, options: Mapping[str, str], met: Sequence[PlayedDecision], told: Mapping[str, Any], bar: _Bar
) -> list[DecisionLoss]:
    """The decisions that surely cost something, the dearest first: all are glanced at, the dearest looked into."""
    glanced = [_cost(game, options, one, told["glance"], bar) for one in met]
    dearest = sorted(glanced, key=lambda cost: -cost.best.measures["lead"])[: told["looked_into"]]
    looked_into = [_cost(game, options, cost.met, told["look"], bar) for cost in dearest]
    sure = [
        cost for cost in looked_into if cost.best.measures["lead"] > max(1e-9, told["sure"] * cost.best.measures["lead_error"])
    ]
    return sorted(sure, key=lambda cost: -cost.best.measures["lead"])


def _cost(game: Game, options: Mapping[str, str], met: PlayedDecision, runs: int, bar: _Bar) -> DecisionLoss:
    referee = game.referee(met.position, options)
    assert isinstance(referee, CardReferee)
    told = game.tables.bot["playouts"]
    estimates, _ = evaluate(met.spot, referee.hand_values(), told, runs, met.option, lambda progress: None)
    bar.more()
    return DecisionLoss(met, max(estimates, key=lambda one: one.measures["lead"]))


def _most(game: Game, options: Mapping[str, str], costs: Sequence[DecisionLoss], told: Mapping[str, Any]) -> list[str]:
    lines = []
    for met, best in costs:
        referee = game.referee(met.position, options)
        assert isinstance(referee, CardReferee)
        mine, better = (labels(referee, met.spot, option)[0] for option in (met.option, best.decision))
        error = f" (+-{best.measures['lead_error']:.1f})" if best.measures["lead_error"] else ""
        lines.append(
            f"Turn {met.position.track('turn')}, {met.spot.phase}: {mine}; better: {better}, {best.measures['lead']:+.1f}{error}"
        )
    if not lines:
        return ["No decision can be shown to have cost anything."]
    return [f"What cost most, by {told['look']} shuffles of what was unseen then:", *lines]


DECISIONS = ("destroy", "disarm", "recon", "discard")
"""The questions of the four decisions, by their keys."""


class BotPolicy(Policy):
    """Decides by playouts, exactly where few cards are unseen, or by priorities without a budget; never sees the deck's order."""

    def reply(self, context: DecisionContext) -> Any:
        request, game = context.request, context.referee
        assert request is not None
        spot = game.decision_point() if request.key in DECISIONS else None
        if spot is None:
            return super().reply(context)
        found = decide(
            spot, game.priorities(), game.hand_values(), game.tables.bot["playouts"], context.playouts, context.on_progress
        )
        context.explain(*reasons(game, spot, found))
        return request.check(game.answer_of(spot, found.option))


class CardPlayers(Players):
    """The one seat of the game."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.playouts = int(game.tables.bot["playouts"]["runs"])

    def policies(self, seat: str) -> Mapping[str, Callable[[], Policy]]:
        return {**super().policies(seat), BOT: lambda: BotPolicy(self)}

    def adviser(self, seat: str) -> str:
        return BOT

    def outcome(self, position: Position, options: Mapping[str, str]) -> GameResult:
        """[Scoring] Nobody wins or loses: the deck is used up, or not yet."""
        return GameResult("played out" if is_over(position) else "unfinished", self.game.score(position, options).total)

    def value(self, position: Position, options: Mapping[str, str], seat: str) -> float:
        """The score, and what the hand is worth by the priorities while cards are left."""
        game = self.game.referee(position, options)
        assert isinstance(game, CardReferee)
        policy, left = game.priorities(), position.count(DECK) + position.count(TOP)
        return game.score + policy.hand(game.codes(position.at(HAND), policy.model), left)

    def review(
        self, story: Iterable[Sequence[Event]], options: Mapping[str, str], budget: int | None, watch: Callable[[Progress], None]
    ) -> Said | None:
        return review_game(self.game, story, options, budget, watch)
