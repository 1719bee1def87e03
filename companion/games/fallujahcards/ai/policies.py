"""The bot's policy, the seat of the game, and the review of a game that is over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from companion.core.events import Event, FlagSet, PieceMoved, Said, apply, fold
from companion.core.game import Game
from companion.core.policies import BOT, DecisionContext, GameResult, Players, Policy, RandomStream
from companion.core.position import Position
from companion.core.procedures import ProcedureRun, Progress
from companion.core.requests import AnyRequest, Draw
from companion.core.values import ReplyValue
from companion.games.fallujahcards.ai.features import PASS, DecisionPoint, options
from companion.games.fallujahcards.ai.planner import Option, Watch, decide, evaluate
from companion.games.fallujahcards.ai.valuation import score_rank
from companion.games.fallujahcards.odds import labels, ranking, reasons
from companion.games.fallujahcards.referee import CardReferee
from companion.games.fallujahcards.rules.r1_scoring import is_over
from companion.games.fallujahcards.state import CASUALTY, DECK, DISCARD, ELIMINATION, HAND, PHASE, TARGET, TOP, type_of

Story = Sequence[Sequence[Event]]


class PlayedDecision(NamedTuple):
    """A decision that the player took: its position, what the player could know (`spot`), and the choice."""

    position: Position
    spot: DecisionPoint
    option: int


def deck_order(story: Iterable[Sequence[Event]], start: Position) -> list[str]:
    """The names of all cards in the order in which they left the deck; [] if a card left it other than by the rules."""
    moved = [event for events in story for event in events if isinstance(event, PieceMoved) and DECK in (event.was, event.now)]
    if any(event.was != DECK or event.now not in (TARGET, TOP, HAND, DISCARD) for event in moved):
        return []
    if sorted(event.id for event in moved) != sorted(card.id for card in start.at(DECK)):
        return []
    return [start.pieces[event.id].name for event in moved]


def played_decisions(game: Game, chosen: Mapping[str, str], story: Story) -> Iterator[PlayedDecision]:
    """Every decision between choices that differ, in order."""
    position = Position()
    for events in story:
        for index, event in enumerate(events):
            referee = _deciding(game, position, chosen, event)
            if referee is not None and (decision := _decision_of(referee, event, events[index + 1 :])) is not None:
                yield decision
            position = apply(position, event)


def _deciding(game: Game, position: Position, chosen: Mapping[str, str], event: Event) -> CardReferee | None:
    """The referee before an event that a decision may have led to; None for other events."""
    moved = isinstance(event, PieceMoved) and event.was in (TARGET, HAND)
    if not moved and not (isinstance(event, FlagSet) and event.flag == PHASE and event.was == "Recon"):
        return None
    return _referee(game, position, chosen)


def _referee(game: Game, position: Position, options: Mapping[str, str]) -> CardReferee:
    referee = game.referee(position, options)
    assert isinstance(referee, CardReferee)
    return referee


def _decision_of(referee: CardReferee, event: Event, later: Sequence[Event]) -> PlayedDecision | None:
    spot = referee.decision_point()
    option = _chosen(referee, spot.phase, event, later) if spot is not None else None
    if spot is None or option is None or len(options(spot, referee.priorities().model)) == 1:
        return None
    return PlayedDecision(referee.position, spot, option)


def _chosen(referee: CardReferee, phase: str, event: Event, later: Sequence[Event]) -> int | None:
    """The choice that an event shows; None if it shows none."""
    if isinstance(event, FlagSet):
        return PASS if len(referee.known_cards) < min(referee.limits.seen, referee.left) else None
    assert isinstance(event, PieceMoved)
    move = event.was, event.now
    if phase not in ("Destroy", "Disarm"):
        return _code(referee, event.id) if move == (HAND, DISCARD) else None
    if move == (TARGET, ELIMINATION):
        return _played(referee, later)
    return PASS if move == (TARGET, CASUALTY) else None


def _played(referee: CardReferee, later: Sequence[Event]) -> int | None:
    """The card that was played against a Target."""
    ids = [event.id for event in later if isinstance(event, PieceMoved) and (event.was, event.now) == (HAND, ELIMINATION)]
    return _code(referee, ids[0]) if ids else None


def _code(referee: CardReferee, card: str) -> int | None:
    codes = referee.codes([referee.piece(card)], referee.priorities().model) if type_of(referee.piece(card)) else ()
    return codes[0] if codes else None


class DecisionLoss(NamedTuple):
    """The loss by a decision: the best choice, with its lead over the player's."""

    played: PlayedDecision
    best: Option


class _ProgressBar:
    """Reports the progress of all parts of a review as one count."""

    def __init__(self, watch: Watch, total: int) -> None:
        self._watch = watch
        self._total = total
        self._done = 0

    def advance(self) -> None:
        self._done = min(self._done + 1, self._total)
        self._watch(Progress(self._done, self._total, "Scoring"))


def review_game(
    game: Game, story: Iterable[Sequence[Event]], options: Mapping[str, str], budget: int | None, watch: Watch
) -> Said | None:
    """Review a game from the events of its entries in order; `budget`: shuffles for each choice, None for the default."""
    settings, entries = game.tables.bot["review"], [list(events) for events in story]
    start, end = fold(entries[0]), fold([event for events in entries for event in events])
    decisions = list(played_decisions(game, options, entries))
    cards = deck_order(entries[1:], start)
    bar = _ProgressBar(watch, len(decisions) + settings["looked_into"] + (len(cards) or 1))
    runs = settings["runs"] if budget is None else budget
    losses = _losses(game, options, decisions, settings, bar)
    score = game.score(end, options).total
    bot = f"; the bot, with the same cards, {_bot_score(game, options, start, cards, runs, bar)}" if cards else ""
    watch(Progress(1, 1, "Scoring"))
    reasons = [
        score_rank(score, game.tables.bot["scores"], options),
        _bot_method(runs) if cards else "The bot cannot play the same deck: not every card left it by the rules.",
        *_worst_decisions(game, options, losses[: settings["shown"]], settings),
    ]
    return Said(f"You score {score}{bot}.", "Scoring", tuple(filter(None, reasons)), "")


def _bot_method(runs: int) -> str:
    method = f"{runs} shuffles a decision" if runs else "its priorities alone"
    return f"The bot decides by {method}, and sees no more than you did; its losses by Insurgent Tactics are drawn again."


def _bot_score(
    game: Game, options: Mapping[str, str], start: Position, cards: Sequence[str], budget: int, bar: _ProgressBar
) -> int:
    """The bot's score with the deck in this order, played by the game's own procedures."""
    left, randbelow, position = list(cards), RandomStream("review").randbelow, start
    turn = game.actions[0].run
    while not game.over(position):
        referee = game.new_referee(position, options)
        run = ProcedureRun(referee, turn(referee))
        while run.request is not None:
            run.send(_bot_answer(referee, run.request, left, randbelow, budget))
        position = referee.position
        bar.advance()
    return game.score(position, options).total


def _bot_answer(
    referee: CardReferee, request: AnyRequest, left: list[str], randbelow: Callable[[int], int], budget: int
) -> ReplyValue:
    if isinstance(request, Draw):
        return request.read(left.pop(0) if request.cup == DECK else referee.hand[randbelow(len(referee.hand))].name)
    forced, spot = request.forced_reply(), referee.decision_point()
    if forced is not None or spot is None:
        return request.check(forced if forced is not None else request.suggest)
    settings = {**referee.tables.bot["playouts"], "ahead": 0}
    decision = decide(spot, referee.priorities(), referee.hand_values(), settings, budget, lambda progress: None)
    return request.check(referee.answer_of(spot, decision.option))


def _losses(
    game: Game, options: Mapping[str, str], decisions: Sequence[PlayedDecision], settings: Mapping[str, Any], bar: _ProgressBar
) -> list[DecisionLoss]:
    """The significant losses, the largest first: all decisions are valued quickly, the most costly ones thoroughly."""
    quick = [_loss(game, options, decision, settings["glance"], bar) for decision in decisions]
    largest = sorted(quick, key=_lead, reverse=True)[: settings["looked_into"]]
    thorough = [_loss(game, options, loss.played, settings["look"], bar) for loss in largest]
    significant = [loss for loss in thorough if _lead(loss) > max(1e-9, settings["sure"] * loss.best.measures["lead_error"])]
    return sorted(significant, key=_lead, reverse=True)


def _lead(loss: DecisionLoss) -> float:
    return loss.best.measures["lead"]


def _loss(game: Game, options: Mapping[str, str], played: PlayedDecision, runs: int, bar: _ProgressBar) -> DecisionLoss:
    hand_values, settings = _referee(game, played.position, options).hand_values(), game.tables.bot["playouts"]
    estimates, _ = evaluate(played.spot, hand_values, settings, runs, played.option, lambda progress: None)
    bar.advance()
    return DecisionLoss(played, max(estimates, key=lambda estimate: estimate.measures["lead"]))


def _worst_decisions(
    game: Game, options: Mapping[str, str], losses: Sequence[DecisionLoss], settings: Mapping[str, Any]
) -> list[str]:
    lines = []
    for (position, spot, option), best in losses:
        referee = _referee(game, position, options)
        mine, better = labels(referee, spot, option)[0], labels(referee, spot, best.decision)[0]
        error = f" (+-{best.measures['lead_error']:.1f})" if best.measures["lead_error"] else ""
        turn = f"Turn {position.track('turn')}, {spot.phase}"
        lines.append(f"{turn}: {mine}; better: {better}, {best.measures['lead']:+.1f}{error}")
    if not lines:
        return ["No decision can be shown to have cost points."]
    return [f"The costliest decisions, by {settings['look']} shuffles of the cards unseen then:", *lines]


DECISIONS = ("destroy", "disarm", "recon", "discard")
"""The keys of the questions that are decisions."""


class BotPolicy(Policy):
    """Decides by playouts, exactly if few cards are unseen, or by priorities without a budget; never sees the deck's order."""

    def reply(self, context: DecisionContext) -> Any:
        request, referee = context.request, context.referee
        assert request is not None
        spot = referee.decision_point() if request.key in DECISIONS else None
        if spot is None:
            return super().reply(context)
        priorities, hand_values, settings = referee.priorities(), referee.hand_values(), referee.tables.bot["playouts"]
        decision = decide(spot, priorities, hand_values, settings, context.playouts, context.on_progress)
        others = [option for option in options(spot, priorities.model) if option != decision.option]
        if others and context.slips(labels(referee, spot, decision.option)[0]):
            return request.check(referee.answer_of(spot, others[context.randbelow(len(others))]))
        context.explain(*reasons(referee, spot, decision))
        if decision.chosen:
            context.consider(ranking(referee, spot, decision), lambda option: referee.answer_of(spot, option))
        return request.check(referee.answer_of(spot, decision.option))


class CardPlayers(Players):
    """The one seat of the game."""

    slip_percent = 20
    horizon = Players.END

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.playouts = int(game.tables.bot["playouts"]["runs"])

    def policies(self, seat: str) -> Mapping[str, Callable[[], Policy]]:
        return {**super().policies(seat), BOT: lambda: BotPolicy(self), **self.levels(lambda: BotPolicy(self))}

    def adviser(self, seat: str) -> str:
        return BOT

    def outcome(self, position: Position, options: Mapping[str, str]) -> GameResult:
        """[Scoring] The score, and whether the deck is used up; a game is neither won nor lost."""
        return GameResult("played out" if is_over(position) else "unfinished", self.game.score(position, options).total)

    def value(self, position: Position, options: Mapping[str, str], seat: str) -> float:
        """The score, and the value of the hand by the priorities while cards are left."""
        referee = _referee(self.game, position, options)
        priorities = referee.priorities()
        return referee.score + priorities.hand(referee.codes(referee.hand, priorities.model), referee.left)

    def review(
        self, story: Iterable[Sequence[Event]], options: Mapping[str, str], budget: int | None, watch: Callable[[Progress], None]
    ) -> Said | None:
        return review_game(self.game, story, options, budget, watch)
