"""Games without people: a series, its games, each a function of the series and its number alone, and their file."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import lru_cache, partial
from time import process_time
from typing import Any, NamedTuple

from companion import __version__
from companion.core import limits
from companion.core.errors import CompanionError, Unreadable
from companion.core.game import Game
from companion.core.match import Match, PlannedAction, PlayedAction, plan_to_input
from companion.core.overrides import FixedAnswer, FixedAnswers, FixedAnswersPolicy
from companion.core.policies import DecisionContext, Policy, RandomStream, RefusedAnswer
from companion.core.position import Position
from companion.core.sealed import unsealed
from companion.core.text import clean, pick_name
from companion.session.advance import Result
from companion.session.controller import SessionController
from companion.session.entry import RunningEntry
from companion.session.facts import practice_facts
from companion.session.game_start import Start, check_fixed
from companion.session.state import LogBatch, SessionLog, fill_options, load_game, resolve_ids
from companion.session.store import Archive, Session

MAX_GAMES = limits.GAMES

ERROR, UNFINISHED = "error", "unfinished"
"""The results of a game that failed, and of one that was stopped short of its end."""

_MAX_FAULT = 200
"""Characters kept of an error."""
_MAX_OPENING = 1_000
"""Characters kept of the opening answers."""


class OwnPolicy(NamedTuple):
    """A policy from outside, on top of a policy of the game.

    Attributes:
        label: What it is called.
        make: Returns it for one game, given what makes the policy below it.
        identity: What tells it from another one with the same label.
        source: How it is named on the command line; "" if it cannot be.
    """

    label: str
    make: Callable[[Callable[[], Policy]], Policy]
    identity: str = ""
    source: str = ""


class Series(NamedTuple):
    """The games of one set-up, policies and seed.

    Attributes:
        options: Every option with its choice; the scenario under ``scenario``.
        policies: The policy of each seat.
        seed: Seed of all games; each adds its number.
        think: Rollouts per candidate; 0 for none.
        given: The options that were asked for; the others follow from the game and the policies.
        description: Everything but the seed, with the version of Companion, in one line.
        variants: Series that are played one after the other on the same luck; () for this one alone. Games 1 to the number of
            variants have the luck of game 1, and so on.
        own: Policies from outside by seat, each on top of that of `policies`.
        fixed: Answers that are given where their question is asked, in order.
        start: The position that is played on from; None for the set-up.
    """

    game: str
    options: Mapping[str, str]
    policies: Mapping[str, str]
    seed: str
    think: int = 0
    given: tuple[tuple[str, str], ...] = ()
    description: str = ""
    version: str = __version__
    variants: tuple[Series, ...] = ()
    own: Mapping[str, OwnPolicy] = {}
    fixed: tuple[FixedAnswer, ...] = ()
    start: Start | None = None

    @property
    def names(self) -> dict[str, str]:
        """What plays each seat."""
        return {seat: self.own[seat].label if seat in self.own else name for seat, name in self.policies.items()}

    def variant(self, number: int) -> tuple[Series, int]:
        """Return the series that a game is played by, and the number of its luck."""
        if not self.variants:
            return self, number
        luck, index = divmod(number - 1, len(self.variants))
        return self.variants[index], luck + 1


class PolicyTime(NamedTuple):
    """Processor seconds and decisions of a policy in a seat; the seconds include the rules' work before each decision."""

    seat: str
    policy: str
    seconds: float
    decisions: int


class SimulatedGame(NamedTuple):
    """The result of one game.

    Attributes:
        result: As in ``Players.outcome``; ``error`` or ``unfinished``.
        score: In VP; None if the game failed.
        turns: The turn in which it ended.
        decisions: The number of replies by policies or chance.
        seconds: Processor time; this and `times` alone differ between runs.
        tracks: The game's tracks at the end.
        refused: The number of answers of policies that the rules refused; others replaced them.
        times: The time that each seat took; not kept in files.
        opening: The answers of the policies in the set-up and the first action, as they are typed.
        unused: Each fixed answer that was not used, with the reason.
        refusals: The first refused answers of policies, each with policy, reason, file and line; not kept in files.
        planned: The answers of planned actions, as ``ACTION KEY``, and whether that question ever came; not kept in files.
    """

    number: int
    result: str
    score: float | None
    turns: int
    decisions: int
    seconds: float
    tracks: tuple[int, ...] = ()
    error: str = ""
    refused: int = 0
    times: tuple[PolicyTime, ...] = ()
    opening: str = ""
    unused: tuple[str, ...] = ()
    refusals: tuple[str, ...] = ()
    planned: tuple[tuple[str, bool], ...] = ()


class TimedPolicy:
    """A policy with a clock: processor seconds since the last decision of any seat, and decisions."""

    def __init__(self, policy: Policy, seat: str, name: str, clock: list[float]) -> None:
        self._policy = policy
        self._seat, self._name = seat, name
        self._clock = clock
        self.seconds, self.decisions = 0.0, 0

    @property
    def counts_refusals(self) -> bool:
        return self._policy.counts_refusals and type(self._policy) is not Policy

    def __getattr__(self, name: str) -> Any:
        return getattr(self._policy, name)

    def act(self, context: DecisionContext) -> Any:
        action = self._policy.act(context)
        self._stop()
        return action

    def reply(self, context: DecisionContext) -> Any:
        answer = self._policy.reply(context)
        self._stop()
        return answer

    def _stop(self) -> None:
        # an opponent may decide inside the rules before its policy is asked, so that time is the seat's too
        now = process_time()
        self.seconds += now - self._clock[0]
        self.decisions += 1
        self._clock[0] = now

    @property
    def time(self) -> PolicyTime:
        return PolicyTime(self._seat, self._name, self.seconds, self.decisions)


@lru_cache(maxsize=4)
def _load_with_facts(game_id: str) -> tuple[Game, Mapping[str, str]]:
    """Return a game with the facts of its made-up set."""
    game = load_game(game_id)
    return game, practice_facts(game)


def make_series(
    game: Game,
    scenario: str,
    given: Mapping[str, str],
    policies: Mapping[str, str],
    seed: str,
    think: int = 0,
    *,
    is_mirrored: bool = False,
    own: Mapping[str, OwnPolicy] | None = None,
    fixed: Sequence[FixedAnswer] = (),
    start: Start | None = None,
) -> Series:
    """Return a series with all defaults filled in: those that the game's players use for practice.

    Args:
        scenario, given: The scenario and options, by unique prefix.
        policies: By seat, both by unique prefix; under "" for every other seat.
        is_mirrored: Play every game again on the same luck with the policies of the two seats swapped.
        own: Policies from outside, by seat.
        fixed: Answers that are given where their question is asked, in order.
        start: The position that is played on from, with its scenario and options.

    Raises:
        Unreadable: There is no such scenario, option, seat, policy or question, an option contradicts a policy, the seed is too
            long, a game without two seats is mirrored, or a position has other options.
    """
    own = own or {}
    if is_mirrored:
        straight = make_series(game, scenario, given, policies, seed, think, own=own, fixed=fixed, start=start)
        if len(straight.policies) != 2:
            raise Unreadable(f"{game.title} has no two sides to swap", cure="Leave out --mirrored")
        opposite = dict(zip(straight.policies, [*straight.policies][::-1], strict=True))
        swapped = {seat: straight.policies[other] for seat, other in opposite.items()}
        swapped_own = {opposite[seat]: policy for seat, policy in own.items()}
        return mirrored_series(
            straight, make_series(game, scenario, given, swapped, seed, think, own=swapped_own, fixed=fixed, start=start)
        )
    players = game.players
    chosen_policies = _policies(game, policies)
    fixed_answers = tuple(fixed)
    check_fixed(game, fixed_answers)
    seed = limits.limit_length(clean(seed), limits.SEED, "seed")
    if start is not None:
        if scenario or given:
            raise Unreadable("a position of a session has its scenario and options", cure="Leave out --scenario and --option")
        options = start.options_of(game, chosen_policies)
        series = Series(game.id, options, chosen_policies, seed, think, (), own=own, fixed=fixed_answers, start=start)
        return series._replace(description=_describe(game, series))
    defaults = dict(players.practice_options())
    scenario = scenario or defaults.get("scenario", "")
    defaults.pop("scenario", None)
    defaults |= players.options_for_policies(chosen_policies)
    chosen_options = resolve_ids(given, list(game.options), "option")
    options = fill_options(game, scenario, {**defaults, **chosen_options})
    by_policy = fill_options(game, scenario, defaults)
    for seat, policy in chosen_policies.items():
        if options.get(seat) != by_policy.get(seat):
            what = f"the policy of '{seat}' is {policy}, and the option {seat}={options[seat]} contradicts it"
            raise Unreadable(what, cure=f"Give only the policy: --policy {seat}=POLICY")
    chosen = tuple(chosen_options.items())
    series = Series(game.id, options, chosen_policies, seed, think, chosen, own=own, fixed=fixed_answers)
    return series._replace(description=_describe(game, series))


def mirrored_series(straight: Series, *others: Series) -> Series:
    """Return the series that plays several on the same luck."""
    return straight._replace(description=f"mirrored: {straight.description}", variants=(straight, *others))


def _policies(game: Game, given: Mapping[str, str]) -> dict[str, str]:
    """Return the policy of each seat: as given, else the default."""
    players = game.players
    named = resolve_ids({seat: name for seat, name in given.items() if seat}, players.seats, "seat")
    chosen = {}
    for seat in players.seats:
        names = list(players.policies(seat))
        name = named.get(seat, given.get("", ""))
        chosen[seat] = pick_name(name, names, f"policy of '{seat}'") if name else names[0]
    return chosen


def _describe(game: Game, series: Series) -> str:
    defaults = game.default_options()
    options = [f"{key}={value}" for key, value in series.options.items() if key != "scenario" and value != defaults[key]]
    seats = [f"{seat}: {_describe_policy(series, seat)}" for seat in series.policies]
    think = [f"think {series.think}"] if series.think else []
    start = [f"from {series.start.label} ({series.start.identity})"] if series.start else []
    fixed = [f"set {answer.typed}" for answer in series.fixed]
    what = f"{game.id} {series.options['scenario']}"
    return "; ".join([what, *start, *seats, *options, *fixed, *think, f"Companion {series.version}"])


def _describe_policy(series: Series, seat: str) -> str:
    own = series.own.get(seat)
    if own is None:
        return series.policies[seat]
    return " ".join([own.label, *([f"({own.identity})"] if own.identity else []), "on", series.policies[seat]])


def make_match(
    series: Series, number: int, keep: bool = False, own: Mapping[str, Policy] | None = None, fixed: FixedAnswers | None = None
) -> Match:
    """Return a game of the series, not yet begun.

    Args:
        keep: Keep its actions and replies too.
        own: Policies that replace those of the series, by seat.
        fixed: The fixed answers of this game, to see later what became of them; by default those of the series.
    """
    game, facts = _load_with_facts(series.game)
    facts = series.start.facts if series.start else facts
    players, clock, names = game.players, [process_time()], series.names
    fixed = fixed or (FixedAnswers(series.fixed) if series.fixed else None)
    seats: dict[str, Any] = {}
    for seat, name in series.policies.items():
        make = partial(players.policy, seat, name)
        policy = own[seat] if own and seat in own else series.own[seat].make(make) if seat in series.own else make()
        policy = FixedAnswersPolicy(policy, fixed) if fixed else policy
        seats[seat] = TimedPolicy(policy, seat, names[seat], clock)
    think = dict.fromkeys(players.seats, series.think)
    return Match(game, series.options, seats, RandomStream(f"{series.seed}/{number}"), facts, think=think, keep=keep)


def play_game(series: Series, number: int, own: Mapping[str, Policy] | None = None) -> SimulatedGame:
    """Play one game of the series. An error becomes its result, so that the series goes on."""
    begun = process_time()
    played, luck = series.variant(number)
    fixed = FixedAnswers(played.fixed) if played.fixed else None
    try:
        match = make_match(played, luck, own=own, fixed=fixed)
    except Exception as fault:
        return SimulatedGame(number, ERROR, None, 0, 0, process_time() - begun, (), describe_fault(fault))
    row = _result_row(match, number, play_out(match, played.start))
    given = len(played.start.replies) if played.start else 0
    row = row._replace(opening=opening_text(match.opening, given), unused=tuple(fixed.unused()) if fixed else ())
    times = tuple(policy.time for policy in match.seats.values() if isinstance(policy, TimedPolicy))
    notes = tuple(map(describe_refusal, match.refusals)), tuple(match.planned.items())
    return row._replace(seconds=round(process_time() - begun, 6), times=times, refusals=notes[0], planned=notes[1])


def play_out(match: Match, start: Start | None = None) -> str:
    """Play a game to its end, from the set-up or from a position; return its error, or ""."""
    from companion.session.entry import reject_unawaited

    try:
        with reject_unawaited() if match.game.is_from_outside else nullcontext():
            if start is None:
                match.begin()
            else:
                start.begin(match)
            match.play()
    except Exception as fault:
        return describe_fault(fault)
    return ""


def _result_row(match: Match, number: int, fault: str) -> SimulatedGame:
    position, players = match.position, match.players
    tracks = tuple(position.track(track) for track in match.game.tracks)
    result, score = ERROR, None
    if not fault:
        try:
            outcome = players.outcome(position, match.options)
            result, score = (outcome.result if match.over else UNFINISHED), float(outcome.score)
        except Exception as error:
            fault = describe_fault(error)
    return SimulatedGame(number, result, score, players.turn(position), match.decisions, 0.0, tracks, fault, match.refused)


def opening_text(opening: Sequence[PlayedAction], given: int = 0) -> str:
    """Return the first answer of the policies to each question of some actions, as it is typed.

    Args:
        given: The number of replies of the first action that were there before.
    """
    texts, keys = [], set[str]()
    for index, (action, replies) in enumerate(opening):
        answers: dict[str, Any] = {}
        for reply in replies[0 if index else given :]:
            if reply.source == "scripted" and reply.key not in keys:
                keys.add(reply.key)
                answers[reply.key] = unsealed(reply.value)
        texts += [plan_to_input(PlannedAction(action, answers))] if answers else []
    return clean("; ".join(texts))[:_MAX_OPENING]


def describe_refusal(refused: RefusedAnswer) -> str:
    """Return a refused answer in one line, with policy, reason, file and line."""
    file, line = refused.place
    answer = f"{refused.key}={refused.answer}" if refused.answer else refused.key
    who, place = f"{refused.policy} of '{refused.seat}'", f" ({os.path.basename(file)} line {line})"
    return f"{who}: {clean(f'{answer}: {refused.reason}')[: _MAX_FAULT - len(place)]}{place}"


def describe_fault(fault: Exception) -> str:
    """Return an error of a game in one line."""
    if isinstance(fault, CompanionError):
        return clean(str(fault))[:_MAX_FAULT]
    from companion.session.plugins import describe_context, describe_error, error_origin

    origin = error_origin(fault)
    place = f" ({os.path.basename(origin.file)} line {origin.line}){describe_context(fault)}" if origin.game else ""
    return f"{describe_error(fault)[: _MAX_FAULT - len(place)]}{place}"


_GC_THRESHOLD = 25_000
"""Allocations between two runs of the garbage collector; games make hardly any reference cycles."""


@contextmanager
def rare_garbage_collection() -> Iterator[None]:
    """Run the garbage collector less often meanwhile."""
    before = gc.get_threshold()
    if 0 < before[0] < _GC_THRESHOLD:
        gc.set_threshold(_GC_THRESHOLD, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def play_games(series: Series, numbers: Sequence[int]) -> list[SimulatedGame]:
    """Play several games of a series; raise Unreadable if another version of Companion made it."""
    if series.version != __version__:
        what = f"a worker has Companion {__version__}, and the series is played by {series.version}"
        raise Unreadable(what, cure="Install the same Companion on every machine")
    from companion.session.stalls import limited_rules

    with rare_garbage_collection(), limited_rules():
        return [play_game(series, number) for number in numbers]


def shard_numbers(games: int, shard: tuple[int, int] = (1, 1), variants: int = 1) -> Sequence[int]:
    """Return the numbers of a shard's games: of shard 3 of 10 these are 3, 13, 23 and so on.

    Games on the same luck stay together: of shard 2 of 2 with 2 variants these are 3, 4, 7, 8 and so on.
    """
    if variants == 1:
        return range(shard[0], games + 1, shard[1])
    lucks = range(shard[0] - 1, -(-games // variants), shard[1])
    return [number for luck in lucks for number in range(luck * variants + 1, min((luck + 1) * variants, games) + 1)]


class ReplayedGame(NamedTuple):
    """A simulated game stored as a session, which ends with the game or before the action that failed (`fault`)."""

    session: SessionController
    result: Result
    fault: str


def replay_as_session(
    archive: Archive, series: Series, index: int, name: str = "", own: Mapping[str, Policy] | None = None
) -> ReplayedGame:
    """Play a game of a series again and store it as a session, which becomes the last used one.

    Args:
        own: Policies that replace those of the series, by seat.

    Raises:
        Unreadable: The game fails before it is set up, or the name is taken.
    """
    assert series.start is None, "its log would begin in the middle of a game"
    match = make_match(series, index, keep=True, own=own)
    fault = play_out(match)
    if not match.story:
        raise Unreadable(f"game {index} fails in its set-up: {fault}", cure="Try another game")
    game = load_game(series.game)
    seed = f"{series.seed}/{index}"[-limits.SEED :]
    name = limits.limit_length(clean(name), limits.NAME, "name")
    info = Session(0, name, game.id, series.options["scenario"], series.options, seed)
    session = SessionController(SessionLog(archive, info, game.vocabulary.sets), game)
    session.log.commit(_log_rows(session, match.story))
    return ReplayedGame(session, Result(Position(), session.position, (), None, len(match.story), True), fault)


def _log_rows(session: SessionController, story: list[PlayedAction]) -> LogBatch:
    """Return the log rows of a game."""
    batch = session.log.new_batch()
    batch.add("setting", 0, {"dice": "computer", "draws": "computer"})
    position, index = Position(), 0
    for number, action in enumerate(story, 1):
        running = RunningEntry(session.game, session.options, position, number, action.action, index, stored=action.replies)
        while running.stored:
            reply = running.stored.popleft()
            # a simulated game draws from an empty cup what it might have held; in a log that is a reply that was insisted on
            running.replay(reply._replace(anyway=reply.is_random and bool(running.mismatch(reply))))
        batch.entry(number, action.action, {})
        batch.replies(number, running.replies)
        batch.complete(number, running.referee.events, session.game_result(running.position))
        position, index = running.position, running.next_roll
    return batch
