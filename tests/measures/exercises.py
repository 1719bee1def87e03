"""The exercises of a game: positions of planners' games where alternatives differ, checked by deep rollouts.

    python -m tests.measures.exercises GAME [--count N] [--worlds N] [--seconds S] [--seed S] [--again] [--write]

Games of planners and of plain players are played, one after the other. At decisions drawn at random the adviser names its
candidates; of a question with few answers all are taken. They are compared in a few worlds. If the best is ahead enough there,
all are played on in other worlds, which give the figures that are kept. An exercise is kept only where an answer is wrong
(`is_right_loss`): worse than the best by more than two standard errors, one by more than three (`is_clear`), and no other answer
is better than the best by two. Of exercises that ask the same in the same turn (`question_of`) the set has one.

``--write`` adds to ``tables/GAME/exercises.json``, so that the command can be repeated with another seed, until the set has
``--count`` exercises. Without it the figures are printed only. ``--again`` plays the kept exercises on in fresh worlds first, and
drops those whose wrong answers are not two errors worse there too.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

from companion.core.errors import CompanionError
from companion.core.exercises import ACTION, TOLERANCE, Exercise, ExerciseSet, exercise_id, separates, set_data
from companion.core.match import DecisionPoint, Match, StuckGame, compare_by_rollouts, plan_to_input, recommend_for
from companion.core.policies import RandomStream
from companion.core.procedures import Enough, ignore_progress
from companion.core.requests import AnyRequest, Choose, Confirm, Printed
from companion.core.review import Alternative, Estimate, ReviewedDecision, share_of_loss
from companion.core.rollouts import Outcome
from companion.core.text import plural
from companion.session.entry import SETUP
from companion.session.exercises import open_exercise, read_answer, set_file
from companion.session.facts import practice_facts
from companion.session.files import replacing
from companion.session.simulation import make_series
from companion.session.state import load_game

FIRST_WORLDS = 3, 8, 24
"""Worlds after which a decision is left where no answer seems to cost anything; in all of the last the best is chosen."""
HOPEFUL = 1.5
"""Standard errors that an answer must be behind in these worlds, so that it is compared in many."""
CLEAR = 3.0
"""Standard errors that one answer must be behind the best. Of those that are 2 behind, several were not in fresh worlds."""
MOST_ALTERNATIVES = 5
MOST_ANSWERS = 8
"""Answers of a question up to which all are alternatives."""
MOST_REPLIES = 80
SEEN_PER_CENT = {ACTION: 20}
"""The share of the decisions of a game that are looked at, where it is not the usual one."""
USUAL_PER_CENT = 30
MOST_OF_A_KEY = 0.4
"""Share of a set that may ask one question."""
PER_GAME = 3


class Played(NamedTuple):
    """How games are played from which exercises are taken: policies by seat (under "" for every other one), and options."""

    policies: Mapping[str, str]
    options: Mapping[str, str] = {}


PLAYED: Mapping[str, tuple[Played, ...]] = {
    "fallujah2004": (Played({"": "planner"}), Played({"": "easy"}), Played({"": "plain"})),
    "fallujahcards": (Played({"": "bot"}), Played({"": "easy"}), Played({"": "plain"})),
    "iraqwar2003": (Played({"": "bot"}, {"opponent": "proposes"}),),
    "lzalbany": (
        Played({"": "bot"}),
        Played({"": "easy"}),
        Played({"us": "bot", "nva": "plain"}),
        Played({"us": "plain", "nva": "bot"}),
    ),
    "phantomfury": (Played({"": "planner"}), Played({"": "plain"}), Played({"": "easy"}), Played({"": "random"})),
}
"""In Iraq War 2003 the planner decides within the rules for a seat that Companion plays; here it answers a person's questions."""


class Found(NamedTuple):
    """A decision with its possible alternatives: the answer, its name, what is typed, and why."""

    point: DecisionPoint
    seat: str
    request: AnyRequest | None
    turn: int
    answers: tuple[tuple[Any, str, str, tuple[str, ...]], ...]
    label: str


class WatchedMatch(Match):
    """A game that shows each decision of a person before it is taken."""

    look: Callable[[str, Any, AnyRequest | None, Callable[[], DecisionPoint]], None]

    def context(self, seat: str, referee: Any, request: Any, decision_point: Any, position: Any = None) -> Any:
        if request is None or not (request.chance_setting or request.sealed or isinstance(request, Printed)):
            self.look(seat, referee, request, decision_point)
        return super().context(seat, referee, request, decision_point, position)


def watched_match(game: Any, played: Played, seed: str) -> WatchedMatch:
    """Return a game that is not yet begun."""
    scenario = played.options.get("scenario", "")
    given = {key: value for key, value in played.options.items() if key != "scenario"}
    policies = played.policies if not given else {"": "plain"}  # a series refuses options that contradict its policies
    options = make_series(game, scenario, given, policies, "exercises").options
    players = game.players
    seats = {seat: players.policy(seat, played.policies.get(seat) or played.policies[""]) for seat in players.seats}
    think = dict.fromkeys(players.seats, 0)
    return WatchedMatch(game, options, seats, RandomStream(seed), practice_facts(game), think=think)


def found_decision(seat: str, referee: Any, request: AnyRequest | None, point: DecisionPoint, label: str) -> Found | None:
    """Return a decision with its alternatives; None if there are none."""
    if len(point.replies) > MOST_REPLIES or point.procedure == point.game.setup:
        return None
    referee = referee or point.game.new_referee(point.start, point.options)
    advised = recommend_for(point, referee, request, 0, label, ignore_progress)
    answers: list[tuple[Any, str, str, tuple[str, ...]]] = []
    for candidate in spread_out(advised.candidates if advised else ()):
        plan = candidate.decision
        if request is None:
            answers.append((plan, candidate.name, plan_to_input(plan), candidate.reasons))
        else:
            value = plan.answers[request.key]
            answers.append((value, candidate.name, request.to_input(value), candidate.reasons))
    if isinstance(request, Choose | Confirm) and len(choices := request.legal_choices()) <= MOST_ANSWERS:
        for choice in choices:
            value = request.read(choice.value)
            if all(value != answer for answer, *_ in answers):
                answers.append((value, choice.label, request.to_input(value), ()))
    texts = {answer[2] for answer in answers}
    if len(texts) < 2 or len(texts) < len(answers):
        return None
    players = point.game.players
    return Found(point, seat, request, players.turn(point.start), tuple(answers), label)


def spread_out(candidates: Sequence[Any]) -> Sequence[Any]:
    """Return the best two of many candidates and others down to the last, since the best ones are often alike.

    >>> spread_out(range(4)), spread_out(range(21))
    (range(0, 4), [0, 1, 7, 13, 20])
    """
    if len(candidates) <= MOST_ALTERNATIVES:
        return candidates
    last, others = len(candidates) - 1, MOST_ALTERNATIVES - 2
    return [*candidates[:2], *[candidates[1 + (last - 1) * part // others] for part in range(1, others + 1)]]


def playouts(found: Found, label: str) -> Callable[[int, int], Outcome]:
    """Return what plays on from an alternative in a world, as comparisons of the game's own planners do."""
    plays: list[Any] = []

    def take(play: Any, tasks: Any) -> Iterator[Outcome]:
        plays.append(play)
        raise Enough
        yield

    answers, names = [answer for answer, *_ in found.answers], [name for _, name, *_ in found.answers]
    horizon = found.point.game.players.review_horizon
    compare_by_rollouts(found.point, found.seat, answers, names, 1, label, spread=take, horizon=horizon)
    return plays[0]


def played_on(found: Found, kept: Sequence[int], worlds: Sequence[int], label: str) -> dict[int, list[Outcome]]:
    """Return how alternatives went in the same worlds, without those that the rules refuse."""
    play = playouts(found, label)
    outcomes: dict[int, list[Outcome]] = {}
    for index in kept:
        with suppress(StuckGame):
            outcomes[index] = [play(index, world) for world in worlds]
    return outcomes


def alternatives_of(found: Found, outcomes: Mapping[int, Sequence[Outcome]], best: int) -> list[Alternative]:
    """Return the alternatives, the given best one first, the others by their value."""
    wins = found.point.game.players.knows_win(found.point.options) and all(
        one.win is not None for row in outcomes.values() for one in row
    )

    def values(index: int) -> list[float]:
        return [one.value for one in outcomes[index]]

    def chances(index: int) -> list[float]:
        return [one.win or 0.0 for one in outcomes[index]]

    def behind(of: Callable[[int], list[float]], index: int) -> Estimate:
        return Estimate.of([one - two for one, two in zip(of(best), of(index), strict=True)])

    order = sorted(outcomes, key=lambda index: (index != best, -sum(values(index))))
    return [
        Alternative(
            found.answers[index][2],
            Estimate.of(values(index)),
            Estimate.of(chances(index)) if wins else None,
            behind(values, index),
            behind(chances, index) if wins else None,
        )
        for index in order
    ]


def losses_of(alternatives: Sequence[Alternative], vp_per_win: float) -> list[Estimate]:
    """Return what each alternative costs as a share of a whole chance to win."""
    return [share_of_loss(one, vp_per_win) for one in alternatives]


def best_of(found: Found, outcomes: Mapping[int, Sequence[Outcome]]) -> int:
    """Return the alternative with the best mean: of chances to win where they are known, else of VP."""
    wins = found.point.game.players.knows_win(found.point.options)

    def worth(index: int) -> tuple[float, float]:
        row = outcomes[index]
        chance = sum([one.win or 0.0 for one in row]) if wins else 0.0
        return round(chance, 9), sum([one.value for one in row])

    return max(outcomes, key=worth)


def checked_exercise(found: Found, worlds: int, vp_per_win: float) -> Exercise | None:
    """Return an exercise if its alternatives differ in worlds in which the best was not chosen, else None."""
    first: dict[int, list[Outcome]] = {index: [] for index in range(len(found.answers))}
    for begin, end in pairwise([0, *FIRST_WORLDS]):
        more = played_on(found, list(first), range(begin, end), f"{found.label}/first")
        first = {index: [*first[index], *row] for index, row in more.items()}
        if len(first) < 2 or not _may_differ(found, first, vp_per_win, 1.0 if end < FIRST_WORLDS[-1] else HOPEFUL):
            return None
    best = best_of(found, first)
    outcomes = played_on(found, list(first), range(worlds), f"{found.label}/checked")
    if len(outcomes) < len(first):
        return None
    alternatives = proven(found, outcomes, best, vp_per_win, is_new=True)
    if not alternatives:
        return None
    point, request = found.point, found.request
    action = _action_of(found)
    key, kind, rule = (request.key, request.kind, request.rule) if request else (ACTION, ACTION, "")
    reasons = next(answer[3] for answer in found.answers if answer[2] == alternatives[0].text)
    decision = ReviewedDecision(
        *(0, len(point.replies) + 1 if request else 0, found.turn, found.seat, key, kind, rule, ""),
        *("", alternatives[0].text, Estimate(0.0), None, tuple(alternatives), "; ".join(reasons)),
    )
    name = exercise_id(found.seat, point.start, action, point.replies, point.options)
    replies = tuple(point.replies)
    return Exercise(name, point.options, point.facts, point.start, action, replies, decision, vp_per_win, point.anyway)


def proven(
    found: Found, outcomes: Mapping[int, Sequence[Outcome]], best: int, vp_per_win: float, *, is_new: bool
) -> list[Alternative]:
    """Return the alternatives with their figures if these make an exercise, else none."""
    alternatives = alternatives_of(found, outcomes, best)
    losses = losses_of(alternatives, vp_per_win)
    if not separates(losses) or (is_new and not is_clear(losses)):
        return []
    if not is_to_the_end(found.point.game) and not any(loss.error for loss in losses):
        return []  # without a die on the way only the valuation tells the answers apart
    return alternatives


def found_again(game: Any, exercise: Exercise) -> Found | None:
    """Return the decision of an exercise with its answers; None if the adviser names one of them no longer."""
    decision, label = exercise.decision, f"exercises/again/{exercise.id}"
    session = open_exercise(game, exercise)
    request = session.pending
    run = next((action.run for action in game.actions if action.id == exercise.action), None)
    seat = decision.seat if request is None else ""
    start = (game, exercise.options, exercise.facts, exercise.position, run, exercise.replies)
    point = DecisionPoint(*start, seat=seat, anyway=exercise.anyway)
    if request is not None:
        values = [read_answer(request, one.text) for one in decision.alternatives]
    else:
        referee = game.new_referee(exercise.position, exercise.options)
        advised = recommend_for(point, referee, None, 0, label, ignore_progress)
        plans = {plan_to_input(one.decision): one.decision for one in (advised.candidates if advised else ())}
        values = [plans.get(one.text) for one in decision.alternatives]
    if any(value is None for value in values):
        return None
    answers = [(value, one.text, one.text, ()) for value, one in zip(values, decision.alternatives, strict=True)]
    return Found(point, decision.seat, request, decision.turn, tuple(answers), label)


def checked_again(game: Any, exercise: Exercise, worlds: int) -> Exercise | None:
    """Return an exercise with the figures of fresh worlds; None if it does not hold there."""
    found = found_again(game, exercise)
    if found is None:
        return None
    outcomes = played_on(found, range(len(found.answers)), range(worlds), found.label)
    if len(outcomes) < len(found.answers):
        return None
    alternatives = proven(found, outcomes, 0, exercise.vp_per_win, is_new=False)
    return exercise._replace(decision=exercise.decision._replace(alternatives=tuple(alternatives))) if alternatives else None


def is_clear(losses: Sequence[Estimate]) -> bool:
    """True if one answer is behind the best by so many errors that chance alone hardly explains it.

    >>> is_clear([Estimate(0), Estimate(0.1, 0.04)]), is_clear([Estimate(0), Estimate(0.1, 0.03)])
    (False, True)
    """
    return any(loss.mean >= max(TOLERANCE, CLEAR * loss.error) for loss in losses)


def is_to_the_end(game: Any) -> bool:
    """True if playouts last to the end of the game."""
    return bool(game.players.review_horizon >= game.players.END)


def _may_differ(found: Found, outcomes: Mapping[int, Sequence[Outcome]], vp_per_win: float, errors: float) -> bool:
    """True if an answer seems to cost enough to be wrong, by so many standard errors."""
    losses = losses_of(alternatives_of(found, outcomes, best_of(found, outcomes)), vp_per_win)
    return any(loss.mean >= TOLERANCE + errors * loss.error for loss in losses)


def _action_of(found: Found) -> str:
    """Return the id of the running action; "" between two."""
    if found.request is None:
        return ""
    procedure = found.point.procedure
    return next((action.id for action in found.point.game.actions if action.run is procedure), SETUP)


def question_of(seat: str, turn: int, key: str, answers: Iterable[str]) -> tuple[str, int, str, frozenset[str]]:
    """Return what two exercises have in common that differ only in pieces that hardly matter."""
    return seat, turn, key, frozenset(answers)


def question_of_exercise(exercise: Exercise) -> tuple[str, int, str, frozenset[str]]:
    decision = exercise.decision
    return question_of(decision.seat, decision.turn, decision.key, [one.text for one in decision.alternatives])


def exercises(game: Any, count: int, worlds: int, seed: str, seconds: float, known: Sequence[Exercise]) -> Iterator[Exercise]:
    """Yield exercises until there are so many, or the processor time is over."""
    until = process_time() + seconds
    random = RandomStream(f"exercises/{seed}")
    vp_per_win = game.players.vp_per_win
    ids, keys = {one.id for one in known}, Counter(one.decision.key for one in known)
    asked = {question_of_exercise(one) for one in known}
    number, tried = 0, 0
    while process_time() < until and len(ids) < count:
        number += 1
        played = PLAYED[game.id][number % len(PLAYED[game.id])]
        match = watched_match(game, played, f"exercises/{seed}/{number}")
        found: list[Found] = []

        def look(seat: str, referee: Any, request: Any, decision_point: Any, match: Any = match, found: Any = found) -> None:
            key = request.key if request else ACTION
            seen = sum(key == (one.request.key if one.request else ACTION) for one in found)
            if random.randbelow(100) >= SEEN_PER_CENT.get(key, USUAL_PER_CENT) or seen >= 2 * PER_GAME:
                return
            if keys[key] >= MOST_OF_A_KEY * count:
                return
            label = f"exercises/{seed}/{match.luck.seed}/{match.actions}/{len(found)}"
            with suppress(CompanionError):
                one = found_decision(seat, referee, request, decision_point(), label)
                if one:
                    found.append(one)

        match.look = look
        with suppress(CompanionError):
            match.begin()
            match.play()
        kept = 0
        while found and kept < PER_GAME and process_time() < until and len(ids) < count:
            one = found.pop(random.randbelow(len(found)))
            key = one.request.key if one.request else ACTION
            question = question_of(one.seat, one.turn, key, [answer[2] for answer in one.answers])
            if keys[key] >= MOST_OF_A_KEY * count or question in asked:
                continue
            tried += 1
            try:
                exercise = checked_exercise(one, worlds, vp_per_win)
            except (CompanionError, KeyError) as fault:  # a piece of the answer is another one where what is hidden is dealt anew
                print(f"{game.id}: {type(fault).__name__} {fault}", file=sys.stderr)
                continue
            if exercise and exercise.id not in ids:
                kept += 1
                ids.add(exercise.id)
                keys[key] += 1
                asked |= {question, question_of_exercise(exercise)}
                yield exercise
    print(f"{game.id}: {number} games, {tried} decisions compared", file=sys.stderr)


def read_set(game: Any) -> list[Exercise]:
    """Return the exercises that are kept already, one of each question."""
    path = Path(set_file(game.id))
    if not path.exists():
        return []
    read = ExerciseSet(json.loads(path.read_text(encoding="utf-8")), practice_facts(game), game.players.vp_per_win, path.name)
    return list({question_of_exercise(one): one for one in map(read.exercise, read.ids)}.values())


def write_set(game: Any, kept: Sequence[Exercise]) -> None:
    """Write the set, a line an exercise."""
    data = set_data(kept, practice_facts(game))
    rows = {name: [json.dumps(row, separators=(",", ":")) for row in data[name]] for name in ("bases", "exercises")}
    parts = ["".join([json.dumps(name), ": [\n", ",\n".join(lines), "\n]"]) for name, lines in rows.items()]
    text = "".join(["{", ",\n".join(parts), "}\n"])
    with replacing(set_file(game.id)) as path:
        Path(path).write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--worlds", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    game = load_game(given.game)
    kept = read_set(game)
    if given.again:
        again = [checked_again(game, one, given.worlds) for one in kept]
        kept = [one for one in again if one]
        print(f"{game.id}: {len(kept)} of {plural(len(again), 'exercise')} hold in fresh worlds", flush=True)
        if given.write:
            write_set(game, kept)
    for exercise in exercises(game, given.count, given.worlds, given.seed, given.seconds, kept):
        kept.append(exercise)
        decision = exercise.decision
        shown = "; ".join(
            f"{one.text} {exercise.loss(one).mean:.1%} (+-{exercise.loss(one).error:.1%})" for one in decision.alternatives
        )
        print(f"{len(kept)}: {exercise.id} turn {decision.turn} {decision.seat} {decision.key}: {shown}", flush=True)
        if given.write:
            write_set(game, kept)
    print(f"{game.id}: {plural(len(kept), 'exercise')}")


if __name__ == "__main__":
    main()
