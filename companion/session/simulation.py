"""Games without people: what is played, and one game of it, which is a function of that and of its number alone."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from time import process_time
from typing import NamedTuple

from companion import __version__
from companion.core import limits
from companion.core.errors import CompanionError, Unreadable
from companion.core.game import Game
from companion.core.match import Match, PlayedAction
from companion.core.policies import Policy, RandomStream
from companion.core.position import Position
from companion.core.text import clean, pick_name
from companion.session.advance import Result
from companion.session.controller import SessionController
from companion.session.entry import RunningEntry
from companion.session.facts import practice_facts
from companion.session.log import LogBatch, SessionLog
from companion.session.state import fill_options, load_game, resolve_ids
from companion.session.store import Archive, Session

MAX_GAMES = limits.GAMES
"""Games of a series."""

ERROR, UNFINISHED = "error", "unfinished"
"""The results of a game that failed, and of one that was stopped short of its end."""

_LONGEST = 200
"""Characters of what is kept of a fault."""


class Series(NamedTuple):
    """What is played again and again.

    Attributes:
        game: its id.
        options: every option with its choice, the scenario under ``scenario``.
        policies: by seat.
        seed: of which each game takes its luck by its number.
        think: playouts a candidate for the decisions that Companion weighs; 0: by its priorities alone.
        given: the options that were asked for; the others follow from the game and the policies.
        told: all of it but the seed in one line, with the Companion that plays.
        version: of the Companion that plays.
    """

    game: str
    options: Mapping[str, str]
    policies: Mapping[str, str]
    seed: str
    think: int = 0
    given: tuple[tuple[str, str], ...] = ()
    description: str = ""
    version: str = __version__


class SimulatedGame(NamedTuple):
    """What came of a game.

    Attributes:
        number: its own in the series, from 1.
        result: as ``Players.outcome`` has it; ``error``, or ``unfinished``.
        score: in VP; None of a game that failed.
        turns: the turn in which it ended.
        decisions: replies that somebody decided, or chance.
        seconds: of the processor; the one thing in here that is not the same each time.
        tracks: each track of the game at the end, in its order.
        error: what went wrong; "" for nothing.
    """

    number: int
    result: str
    score: float | None
    turns: int
    decisions: int
    seconds: float
    tracks: tuple[int, ...] = ()
    error: str = ""


@lru_cache(maxsize=4)
def _known(game_id: str) -> tuple[Game, Mapping[str, str]]:
    """A game with what its made-up set tells."""
    game = load_game(game_id)
    return game, practice_facts(game)


def make_series(
    game: Game, scenario: str, given: Mapping[str, str], policies: Mapping[str, str], seed: str, think: int = 0
) -> Series:
    """A series, checked and filled in: what is not given is as the game's players have it for practice.

    Args:
        scenario, given: the scenario and options, by unique prefix.
        policies: by seat, both by unique prefix; under "" for every seat that is not named.

    Raises:
        Unreadable: the game has no such scenario, option, seat or policy, an option says otherwise than a policy who plays, or
            the seed is too long.
    """
    players = game.players
    chosen = _policies(game, policies)
    usual = dict(players.practice_options())
    practised = usual.pop("scenario", "")
    scenario = scenario or practised
    own = resolve_ids(given, list(game.options), "option")
    follows = {**usual, **players.options_for_policies(chosen)}
    options = fill_options(game, scenario, {**follows, **own})
    _agreed(chosen, options, fill_options(game, scenario, follows))
    series = Series(game.id, options, chosen, limits.limit_length(clean(seed), limits.SEED, "seed"), think, tuple(own.items()))
    return series._replace(description=_told(game, series))


def _agreed(policies: Mapping[str, str], options: Mapping[str, str], follows: Mapping[str, str]) -> None:
    """Raises Unreadable: an option of a seat says otherwise than its policy who plays it: the rows would be of neither."""
    for seat, policy in policies.items():
        if options.get(seat) != follows.get(seat):
            raise Unreadable(
                f"the policy of '{seat}' is {policy}, and the option {seat}={options[seat]} says otherwise",
                cure=f"Say by the policy alone who plays: --policy {seat}=POLICY",
            )


def _policies(game: Game, given: Mapping[str, str]) -> dict[str, str]:
    """The policy of each seat: as it was given, else the usual one."""
    players = game.players
    named = resolve_ids({seat: name for seat, name in given.items() if seat}, players.seats, "seat")
    found = {}
    for seat in players.seats:
        known = list(players.policies(seat))
        name = named.get(seat, given.get("", ""))
        found[seat] = pick_name(name, known, f"policy of '{seat}'") if name else known[0]
    return found


def _told(game: Game, series: Series) -> str:
    defaults = {key: option.default for key, option in game.options.items()}
    options = [f"{key}={value}" for key, value in series.options.items() if key != "scenario" and value != defaults[key]]
    seats = [f"{seat}: {name}" for seat, name in series.policies.items()]
    think = [f"think {series.think}"] if series.think else []
    return "; ".join([f"{game.id} {series.options['scenario']}", *seats, *options, *think, f"Companion {series.version}"])


def make_match(series: Series, number: int, keep: bool = False, own: Mapping[str, Policy] | None = None) -> Match:
    """The game of that number, not yet begun. ``keep``: its story too; ``own``: who plays a seat instead of its policy."""
    game, facts = _known(series.game)
    players = game.players
    seats = {seat: players.policy(seat, name) for seat, name in series.policies.items()} | dict(own or {})
    think = dict.fromkeys(players.seats, series.think)
    return Match(game, series.options, seats, RandomStream(f"{series.seed}/{number}"), facts, think=think, keep=keep)


def play_game(series: Series, number: int, own: Mapping[str, Policy] | None = None) -> SimulatedGame:
    """What comes of the game of that number. A fault in it is its result, so that it stops no other.

    ``own``: who plays a seat instead of its policy.
    """
    begun = process_time()
    try:
        match = make_match(series, number, own=own)
    except Exception as fault:
        return SimulatedGame(number, ERROR, None, 0, 0, process_time() - begun, (), describe_fault(fault))
    row = _ended(match, number, play_out(match))
    return row._replace(seconds=round(process_time() - begun, 6))


def play_out(match: Match) -> str:
    """Play a game from its beginning to its end; what went wrong, "" for nothing."""
    try:
        match.begin()
        match.play()
    except Exception as fault:
        return describe_fault(fault)
    return ""


def _ended(match: Match, number: int, fault: str) -> SimulatedGame:
    position, players = match.position, match.players
    tracks = tuple(position.track(track) for track in match.game.tracks)
    result, score = ERROR, None
    if not fault:
        try:
            found = players.outcome(position, match.options)
            result, score = (found.result if match.over else UNFINISHED), float(found.score)
        except Exception as wrong:
            fault = describe_fault(wrong)
    return SimulatedGame(number, result, score, players.turn(position), match.decisions, 0.0, tracks, fault)


def describe_fault(fault: Exception) -> str:
    """A fault of a game in one line."""
    text = str(fault) if isinstance(fault, CompanionError) else f"{type(fault).__name__}: {fault}"
    return clean(text)[:_LONGEST]


_SELDOM = 25_000
"""Objects made and not yet given back after which circles of them are looked for; in a game's course there are hardly any."""


@contextmanager
def rare_garbage_collection() -> Iterator[None]:
    """While it lasts, what lies about in circles is looked for less often: nearly all that a game makes goes without."""
    before = gc.get_threshold()
    if 0 < before[0] < _SELDOM:
        gc.set_threshold(_SELDOM, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def play_games(series: Series, numbers: Sequence[int]) -> list[SimulatedGame]:
    """Several games of a series, wherever this is carried out.

    Raises:
        Unreadable: another Companion is at work here than where the series was made.
    """
    if series.version != __version__:
        raise Unreadable(
            f"a worker has Companion {__version__}, and the series is played by {series.version}",
            cure="Install the same Companion on every machine",
        )
    with rare_garbage_collection():
        return [play_game(series, number) for number in numbers]


def shard_numbers(games: int, shard: tuple[int, int] = (1, 1)) -> range:
    """The numbers of a shard's games: of shard 3 of 10 these are 3, 13, 23 and so on."""
    return range(shard[0], games + 1, shard[1])


def row_columns(game: Game) -> tuple[str, ...]:
    """What is kept of each game in a file."""
    return ("index", "seed", "result", "score", "turns", "decisions", "seconds", *game.tracks, "series", "error")


def row_cells(series: Series, row: SimulatedGame, width: int) -> list[int | float | str | None]:
    """A row in the order of ``row_columns``, with as many columns; what a game that failed has not is empty."""
    score = None if row.score is None else int(row.score) if row.score.is_integer() else row.score
    head: list[int | float | str | None] = [row.number, series.seed, row.result, score, row.turns, row.decisions, row.seconds]
    tracks = [*row.tracks, *[None] * (width - len(head) - len(row.tracks) - 2)]
    return [*head, *tracks, series.description, row.error]


_FARTHEST = 1e9
"""As far from 0 as no figure of a game is."""


def parse_row(cells: Sequence[str | int | float | None]) -> SimulatedGame:
    """The row that such cells hold, without its tracks. Raises ValueError: they hold none."""
    index, _, result, score, turns, decisions, seconds, *_, error = cells
    number = None if score in (None, "") else float(str(score))
    plain = (int(str(turns)), int(str(decisions)), float(str(seconds)))
    if not all(abs(figure) <= _FARTHEST for figure in (*plain, number or 0)):  # so is what is no number
        raise ValueError
    return SimulatedGame(int(str(index)), str(result), number, *plain, (), str(error or ""))


MAX_FAULTS = 10
"""Games that failed of which the number and the fault are kept."""


class Tally:
    """The count.

    Attributes:
        games: how many there are; ``failed`` of them.
        results: how often each result came, without those that failed.
        scores, turns: how often each value came.
        decisions, seconds: of all of them together.
        faults: the first that failed.
    """

    def __init__(self) -> None:
        self.games = self.failed = self.decisions = 0
        self.seconds = 0.0
        self.results: Counter[str] = Counter()
        self.scores: Counter[float] = Counter()
        self.turns: Counter[float] = Counter()
        self.faults: list[SimulatedGame] = []

    def add(self, rows: Iterable[SimulatedGame]) -> None:
        """Count some more games in."""
        for row in rows:
            self.games += 1
            self.decisions += row.decisions
            self.seconds += row.seconds
            if row.result == ERROR:
                self._failed(row)
                continue
            self.results[row.result] += 1
            self.turns[row.turns] += 1
            if row.score is not None:
                self.scores[row.score] += 1

    def _failed(self, row: SimulatedGame) -> None:
        self.failed += 1
        if len(self.faults) < MAX_FAULTS:
            self.faults.append(row)

    @property
    def completed(self) -> int:
        """How many did not fail."""
        return self.games - self.failed


class ReplayedGame(NamedTuple):
    """A game that has become a session.

    Attributes:
        desk: the session, at the end of the game, or before the action that failed.
        result: as of the last action.
        fault: what went wrong in the game; "" for nothing.
    """

    session: SessionController
    result: Result
    fault: str


def replay_as_session(archive: Archive, series: Series, index: int, name: str = "") -> ReplayedGame:
    """Stores the game of that number as a session, which becomes the last used.

    Raises:
        Unreadable: the game fails before it is set up, or the name is taken.
    """
    match = make_match(series, index, keep=True)
    fault = play_out(match)
    if not match.story:
        raise Unreadable(f"game {index} fails in its set-up: {fault}", cure="Try another one")
    game = load_game(series.game)
    seed = f"{series.seed}/{index}"[-limits.SEED :]
    info = Session(
        0,
        limits.limit_length(clean(name), limits.NAME, "name"),
        game.id,
        series.options["scenario"],
        series.options,
        seed,
        "",
        "",
    )
    session = SessionController(SessionLog(archive, info, game.vocabulary.sets), game)
    session.log.commit(_written(session, match.story))
    return ReplayedGame(session, Result(Position(), session.position, (), None, len(match.story), True), fault)


def _written(session: SessionController, story: list[PlayedAction]) -> LogBatch:
    """The rows of a log in which all of this was done."""
    batch = session.log.new_batch()
    batch.add("setting", 0, {"dice": "computer", "draws": "computer"})
    position, index = Position(), 0
    for number, deed in enumerate(story, 1):
        running = RunningEntry(session.game, session.options, position, number, deed.action, index, stored=deed.replies)
        while running.stored:
            reply = running.stored.popleft()
            # of an empty cup a game that nobody watches draws what it might have held; a log says that of an insistent player
            running.replay(reply._replace(anyway=reply.is_random and bool(running.mismatch(reply))))
        batch.entry(number, deed.action, {})
        batch.replies(number, running.replies)
        batch.complete(number, running.referee.events, session.game_result(running.position))
        position, index = running.position, running.next_roll
    return batch
