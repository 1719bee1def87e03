"""Simulate whole games, played by policies of the game or by your own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from companion.api.archive import loaded_game
from companion.api.maps import known_map
from companion.api.values import Answer, Strategy, View, question_of, text_of
from companion.core.errors import Unreadable
from companion.core.game import Game
from companion.core.policies import DecisionContext, Policy
from companion.core.statistics import Spread, summarise, wilson
from companion.core.text import pick_name

if TYPE_CHECKING:
    from companion.session.simulation import Series


class Played(NamedTuple):
    """The result of one game.

    Attributes:
        number: Its number in the series, from 1.
        result: As the game names it; ``unfinished`` if it was stopped, ``error`` if it failed.
        score: In VP; None if the game failed.
        turns: The turn in which it ended.
        decisions: The number of replies by policies or chance.
        error: What went wrong, or "".
        refused: The number of answers of policies that the rules refused; other answers replaced them.
    """

    number: int
    result: str
    score: float | None
    turns: int
    decisions: int
    error: str = ""
    refused: int = 0


class Simulation(NamedTuple):
    """The results of many games.

    Attributes:
        game: The id of the game.
        policies: Who played, by seat.
        seed: The seed of the series; the same seed gives the same games.
        played: Each game, in order.
    """

    game: str
    policies: Mapping[str, str]
    seed: str
    played: tuple[Played, ...]

    @property
    def results(self) -> Mapping[str, int]:
        """How often each result occurred, most frequent first."""
        return dict(Counter(game.result for game in self.played).most_common())

    def share(self, result: str) -> tuple[float, float, float]:
        """Return the share of a result with its 95 % interval (Wilson's): share, lower, upper."""
        many = self.results.get(result, 0)
        return many / len(self.played), *wilson(many, len(self.played))

    @property
    def scores(self) -> Spread:
        """The scores: ``mean`` with its standard ``error``, ``least``, ``lower`` quartile, ``median``, ``upper``, ``greatest``.

        Raises:
            Unreadable: No game has a score.
        """
        counts = Counter(game.score for game in self.played if game.score is not None)
        if not counts:
            raise Unreadable("no game came to a score", cure="Look at the error of the games that were played")
        return summarise(counts)


T = TypeVar("T")

Who = str | Strategy
"""Who plays a seat: the name of a policy, or a strategy."""


def simulate(
    game: str,
    games: int = 100,
    *,
    scenario: str = "",
    options: Mapping[str, Answer] | None = None,
    policies: Mapping[str, Who] | Who | None = None,
    seed: str | int = "",
    think: int = 0,
    jobs: int = 1,
    otherwise: Mapping[str, str] | str = "",
) -> Simulation:
    """Simulate whole games, with the made-up set if a game needs one.

    Args:
        game: By unique prefix.
        scenario: By unique prefix; that for practice by default.
        games: How many, up to a million.
        options: Choices by option.
        policies: By seat, or one for every seat; the game's default ones otherwise.
        seed: A game depends only on it and on its own number. Random by default.
        think: Rollouts per candidate; 0 for none.
        jobs: Processes; 1 with a strategy of your own.
        otherwise: The policy that decides where a strategy returns None: by seat, or one for every seat; by default the seat's
            usual one.

    >>> from companion.api import games
    >>> run = simulate(games()[2], 2, seed=1)
    >>> len(run.played), sum(run.results.values()), run == simulate(games()[2], 2, seed=1)
    (2, 2, True)

    Raises:
        Unreadable: There is no such game, scenario, option, seat or policy, or too many games, jobs or rollouts.
    """
    from companion.session.controller import random_seed
    from companion.session.simulation import MAX_GAMES, make_series, shard_numbers
    from companion.session.state import MAX_PLAYOUTS
    from companion.session.worker_pool import MAX_JOBS

    for what, number, low, most in (
        ("games", games, 1, MAX_GAMES),
        ("jobs", jobs, 1, MAX_JOBS),
        ("playouts", think, 0, MAX_PLAYOUTS),
    ):
        if not low <= number <= most:
            raise Unreadable(f"{number} {what} cannot be played", cure=f"Give {low} to {most:,}")
    loaded = loaded_game(game)
    named = dict(policies) if isinstance(policies, Mapping) else {"": policies} if policies is not None else {}
    names = {seat: who for seat, who in named.items() if isinstance(who, str)}
    strategies = {seat: who for seat, who in named.items() if not isinstance(who, str)}
    if strategies and jobs != 1:
        raise Unreadable("a strategy of your own is played in one process", cure="Leave jobs out")
    chosen = {key: text_of(value) for key, value in (options or {}).items()}
    own_seats = {seat: who for seat, who in _seats_of(loaded, named).items() if not isinstance(who, str)}
    below = _seats_of(loaded, otherwise if isinstance(otherwise, Mapping) else {"": otherwise} if otherwise else {})
    names |= {seat: name for seat, name in below.items() if seat in own_seats}
    series = make_series(loaded, scenario, chosen, names, str(seed) or random_seed(), think)
    players = loaded.players
    own = {seat: StrategyPolicy(who, players.policy(seat, series.policies[seat])) for seat, who in own_seats.items()}
    by_seat = {**series.policies, **dict.fromkeys(own, "own")}
    return Simulation(loaded.id, by_seat, series.seed, tuple(_played(series, shard_numbers(games), own, jobs)))


def _played(series: Series, numbers: Sequence[int], own: Mapping[str, Policy], jobs: int) -> Iterable[Played]:
    from companion.session.simulation import play_game, rare_garbage_collection

    if jobs > 1:
        from companion.session.worker_pool import processes

        rows = sorted(row for part in processes(series, numbers, jobs) for row in part)
    else:
        with rare_garbage_collection():
            rows = [play_game(series, number, own) for number in numbers]
    return [Played(row.number, row.result, row.score, row.turns, row.decisions, row.error, row.refused) for row in rows]


class StrategyPolicy(Policy):
    """A strategy as a policy; what the strategy leaves open is decided by another one."""

    def __init__(self, strategy: Strategy, otherwise: Policy) -> None:
        super().__init__(otherwise.players)
        self.strategy = strategy
        self.otherwise = otherwise

    def _view(self, context: DecisionContext) -> View:
        free = (
            ()
            if context.request
            else tuple(
                action.id for action in context.game.actions if context.game.obstacle_to(action.id, context.position) is None
            )
        )
        asked = question_of(context.request, "", context.seat, words=False) if context.request else None
        table = context.position, context.options
        look = partial(known_map, context.game, *table, context.facts)
        seen = context.game.visible(context.position, context.seat)
        return View(context.seat, seen, asked, free, context.randbelow, look)

    def act(self, context: DecisionContext) -> str:
        said = self.strategy(self._view(context))
        return (
            self.otherwise.act(context)
            if said is None
            else pick_name(text_of(said), [action.id for action in context.game.actions], "action")
        )

    def reply(self, context: DecisionContext) -> Any:
        assert context.request is not None
        said = self.strategy(self._view(context))
        return self.otherwise.reply(context) if said is None else context.request.read(text_of(said))

    def reply_after_refusal(self, context: DecisionContext, times: int) -> Any:
        return self.otherwise.reply_after_refusal(context, times)


def _seats_of(game: Game, given: Mapping[str, T]) -> dict[str, T]:
    """Return what is given by seat, by unique prefix; what is under "" is for every other seat.

    Raises:
        Unreadable: There is no such seat.
    """
    named = {pick_name(seat, game.players.seats, "seat"): value for seat, value in given.items() if seat}
    return {seat: named[seat] if seat in named else given[""] for seat in game.players.seats if seat in named or "" in given}
