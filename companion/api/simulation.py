"""Whole games without people, by policies of the game or by one of your own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.api.archive import loaded_game
from companion.api.values import Answer, Strategy, View, question_of, text_of
from companion.core import game as core
from companion.core.errors import Unreadable
from companion.core.game import Game
from companion.core.policies import DecisionContext, Policy
from companion.core.statistics import Spread, summarise, wilson
from companion.core.text import pick_name

if TYPE_CHECKING:
    from companion.core.policies import Policy
    from companion.session.simulation import Series


class Played(NamedTuple):
    """What came of one game.

    Attributes:
        number: its own in the series, from 1.
        result: as the game has it; ``unfinished`` where it was stopped, ``error`` where it failed.
        score: in VP; None of a game that failed.
        turns: the turn in which it ended; ``decisions``: answers that somebody decided, or chance.
        error: what went wrong; "" for nothing.
    """

    number: int
    result: str
    score: float | None
    turns: int
    decisions: int
    error: str = ""


class Simulation(NamedTuple):
    """What came of many games.

    Attributes:
        game: its id; ``policies``: who played, by seat; ``seed``: of the series: the same seed, the same games.
        played: each game, in order.
    """

    game: str
    policies: Mapping[str, str]
    seed: str
    played: tuple[Played, ...]

    @property
    def results(self) -> Mapping[str, int]:
        """How often each result came, the most frequent first."""
        return dict(Counter(one.result for one in self.played).most_common())

    def share(self, result: str) -> tuple[float, float, float]:
        """The share of a result, with its 95 % interval (Wilson's): share, from, to."""
        many = self.results.get(result, 0)
        return many / len(self.played), *wilson(many, len(self.played))

    @property
    def scores(self) -> Spread:
        """The scores: ``mean`` with its standard ``error``, ``least``, ``lower`` quartile, ``median``, ``upper``, ``greatest``.

        Raises:
            Unreadable: no game has a score.
        """
        counts = Counter(one.score for one in self.played if one.score is not None)
        if not counts:
            raise Unreadable("no game came to a score", cure="Look at the error of the games that were played")
        return summarise(counts)


Who = str | Strategy
"""Who plays a seat: a policy of the game by its name, or a strategy."""


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
) -> Simulation:
    """Plays whole games without people, with the made-up set where a game needs one.

    Args:
        game, scenario: by unique prefix; without a scenario that of practice.
        games: how many, up to a million.
        options: choices by option.
        policies: by seat, or one for every seat; the usual ones without it.
        seed: a game depends on it and on its number alone; by chance without it.
        think: playouts a candidate for decisions that Companion weighs; 0: by priorities alone.
        jobs: processes; with a strategy of your own, which stays in this one, 1.

    >>> from companion.api import games
    >>> run = simulate(games()[2], 2, seed=1)
    >>> len(run.played), sum(run.results.values()), run == simulate(games()[2], 2, seed=1)
    (2, 2, True)

    Raises:
        Unreadable: there is no such game, scenario, option, seat or policy, or too many games, jobs or playouts.
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
    series = make_series(loaded, scenario, chosen, names, str(seed) or random_seed(), think)
    own = _own(loaded, strategies)
    players = {**series.policies, **dict.fromkeys(own, "own")}
    return Simulation(loaded.id, players, series.seed, tuple(_played(series, shard_numbers(games), own, jobs)))


def _own(game: core.Game, strategies: Mapping[str, Strategy]) -> dict[str, Policy]:
    """The strategies as policies, by seat."""
    if not strategies:
        return {}
    return policies_of(game, strategies)


def _played(series: Series, numbers: range, own: Mapping[str, Policy], jobs: int) -> Iterable[Played]:
    from companion.session.simulation import play_game, rare_garbage_collection

    if jobs > 1:
        from companion.session.worker_pool import processes

        rows = sorted(row for part in processes(series, numbers, jobs) for row in part)
    else:
        with rare_garbage_collection():
            rows = [play_game(series, number, own) for number in numbers]
    return [Played(row.number, row.result, row.score, row.turns, row.decisions, row.error) for row in rows]


class StrategyPolicy(Policy):
    """Asked as any policy is; what the strategy leaves open is as usual."""

    def __init__(self, game: Game, strategy: Strategy) -> None:
        super().__init__(game.players)
        self.strategy = strategy

    def _view(self, context: DecisionContext) -> View:
        free = (
            ()
            if context.request
            else tuple(one.id for one in context.game.actions if context.game.obstacle_to(one.id, context.position) is None)
        )
        asked = question_of(context.request, "", words=False) if context.request else None
        return View(context.seat, context.position, asked, free, context.randbelow)

    def act(self, context: DecisionContext) -> str:
        said = self.strategy(self._view(context))
        return (
            super().act(context) if said is None else pick_name(text_of(said), [one.id for one in context.game.actions], "action")
        )

    def reply(self, context: DecisionContext) -> Any:
        assert context.request is not None
        said = self.strategy(self._view(context))
        return super().reply(context) if said is None else context.request.read(text_of(said))


def policies_of(game: Game, strategies: Mapping[str, Strategy]) -> dict[str, Policy]:
    """The strategies by their seat, each by unique prefix; one under "" for every seat that is not named. Raises Unreadable."""
    seats = {pick_name(seat, game.players.seats, "seat"): who for seat, who in strategies.items() if seat}
    everywhere = strategies.get("")
    return {seat: StrategyPolicy(game, who) for seat in game.players.seats if (who := seats.get(seat, everywhere)) is not None}
