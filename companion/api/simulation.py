"""Simulate whole games, played by policies of the game or by your own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.api.archive import loaded_game
from companion.api.session import Session
from companion.api.strategies import own_policies, with_base
from companion.api.values import Answer, Keyed, Strategy, text_of
from companion.core.errors import Unreadable
from companion.core.statistics import Spread, summarise, wilson
from companion.session.state import MAX_PLAYOUTS

if TYPE_CHECKING:
    from companion.session.simulation import Series, SimulatedGame


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
        opening: The answers of the policies in the set-up and the first action, as they are typed.
        unused: Each of the fixed answers that was not used, with the reason.
    """

    number: int
    result: str
    score: float | None
    turns: int
    decisions: int
    error: str = ""
    refused: int = 0
    opening: str = ""
    unused: tuple[str, ...] = ()


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

    def frame(self) -> Any:
        """Return the games as a ``pandas.DataFrame``: a row per game, with its number as index.

        Raises:
            Unreadable: pandas is not installed.
        """
        from importlib import import_module

        try:
            pandas = import_module("pandas")
        except ImportError:
            what = "a frame needs pandas, which is not installed"
            raise Unreadable(what, cure='pip install "tabletop-companion[frame]"') from None
        rows = [{**game._asdict(), "unused": " | ".join(game.unused)} for game in self.played]
        return pandas.DataFrame(rows, columns=list(Played._fields)).set_index("number")


Who = str | Strategy
"""Who plays a seat: the name of a policy, a strategy, or the name of one in a file."""


def simulate(
    game: str,
    games: int = 100,
    *,
    scenario: str = "",
    options: Mapping[str, Answer] | None = None,
    policies: Mapping[str, Who] | Who | None = None,
    seed: str | int = "",
    think: int | str = 0,
    jobs: int = 1,
    otherwise: Mapping[str, str] | str = "",
    base: Mapping[str, str] | str = "",
    start: Session | None = None,
    entry: int = 0,
    answers: Keyed = (),
) -> Simulation:
    """Simulate whole games, with the made-up set if a game needs one.

    Args:
        game: By unique prefix.
        scenario: By unique prefix; that for practice by default.
        games: How many, up to a million.
        options: Choices by option.
        policies: By seat, or one for every seat; the game's default ones otherwise. A strategy is a function, or the name of one
            in a file: ``"my.py:strategy"``.
        seed: A game depends only on it and on its own number. Random by default.
        think: Rollouts per candidate; 0 for none; ``"usual"`` for as many as in a session.
        jobs: Processes; 1 with a function, any number with one in a file.
        base: The policy that decides where a strategy returns None: by seat, or one for every strategy; by default the seat's
            usual one.
        otherwise: The earlier name of ``base``.
        start: A session whose current position is played on from, with its scenario and options. It is not changed. What the
            seat that decides next cannot know is dealt anew in each game, and the dice are not those of the session.
        entry: Play on from the position after this action of ``start``.
        answers: Answers that are given where their question is asked: each once, in order. The key can name the seat: ``us.buy``.

    >>> from companion.api import games
    >>> run = simulate(games()[2], 2, seed=1)
    >>> len(run.played), sum(run.results.values()), run == simulate(games()[2], 2, seed=1)
    (2, 2, True)

    Raises:
        Unreadable: There is no such game, scenario, option, seat, policy, question or file, or too many games, jobs or rollouts.
        Impossible: Nothing can be played from there.
    """
    from companion.session.controller import random_seed
    from companion.session.game_start import parse_fixed, start_of
    from companion.session.simulation import MAX_GAMES, make_series, shard_numbers
    from companion.session.state import USUAL
    from companion.session.worker_pool import MAX_JOBS

    loaded = loaded_game(game)
    if start is not None and start.game != loaded.id:
        raise Unreadable(f"the session is one of {start.game}, not of {loaded.id}", cure=f'simulate("{start.game}", start=...)')
    chosen = {key: text_of(value) for key, value in (options or {}).items()}
    played = start.options if start is not None else chosen
    worlds = loaded.players.default_playouts(played) if think == USUAL else think
    _check_bounds(("games", games, 1, MAX_GAMES), ("jobs", jobs, 1, MAX_JOBS), ("playouts", worlds, 0, MAX_PLAYOUTS))
    if base and otherwise:
        raise Unreadable("base and otherwise are two names of one argument", cure="Give base alone")
    names, own = own_policies(loaded, policies if isinstance(policies, Mapping) else {"": policies} if policies else {})
    if jobs != 1 and not all(policy.source for policy in own.values()):
        raise Unreadable("a function is played in one process", cure='Leave jobs out, or put it into a file: "my.py:strategy"')
    below = base or otherwise
    names = with_base(loaded, names, own, below if isinstance(below, Mapping) else {"": below} if below else {})
    pairs = answers.items() if isinstance(answers, Mapping) else answers
    series = make_series(
        loaded,
        scenario,
        chosen,
        names,
        str(seed) or random_seed(),
        int(worlds),
        own=own,
        fixed=parse_fixed([(key, text_of(value)) for key, value in pairs], loaded),
        start=start_of(start._controller, entry) if start is not None else None,
    )
    return Simulation(loaded.id, series.names, series.seed, tuple(_played(series, shard_numbers(games), jobs)))


def _check_bounds(*bounds: tuple[str, int | str, int, int]) -> None:
    for what, number, low, most in bounds:
        if not isinstance(number, int) or not low <= number <= most:
            raise Unreadable(f"{number} {what} cannot be played", cure=f"Give {low} to {most:,}")


def _played(series: Series, numbers: Sequence[int], jobs: int) -> Iterable[Played]:
    from companion.session.simulation import play_game, rare_garbage_collection

    if jobs > 1:
        from companion.session.worker_pool import processes

        rows = sorted((row for part in processes(series, numbers, jobs) for row in part), key=lambda row: row.number)
    else:
        with rare_garbage_collection():
            rows = [play_game(series, number) for number in numbers]
    return [_played_of(row) for row in rows]


def _played_of(row: SimulatedGame) -> Played:
    head = row.number, row.result, row.score, row.turns, row.decisions, row.error
    return Played(*head, row.refused, row.opening, row.unused)
