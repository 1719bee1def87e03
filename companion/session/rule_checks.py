"""Faults in the rules of a game: names in its source that it does not declare, and what fails in games played for trial."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import redirect_stdout
from importlib import import_module
from io import StringIO
from time import process_time
from typing import Any, NamedTuple

from companion.core.errors import CompanionError, Illegal, RuleFault, Unreadable
from companion.core.game import Banner, Game, Score
from companion.core.history import Reply
from companion.core.map import Map
from companion.core.match import ActionRun, Match
from companion.core.policies import PLAIN, RANDOM, DecisionContext, Policy, RandomPolicy, RandomStream, random_reply
from companion.core.position import Position
from companion.core.procedures import ProcedureRun, start
from companion.core.referee import Referee
from companion.core.request import AnyRequest, Odds
from companion.core.requests import Draw, Selection
from companion.core.text import similar_names
from companion.core.values import ReplyValue
from companion.core.vocabulary import NameSet
from companion.session.author_faults import ReadTable, place_of
from companion.session.entry import reject_unawaited
from companion.session.facts import practice_facts
from companion.session.plugins import describe_context, describe_error, error_origin
from companion.session.stalls import limited_rules

SEEDS = 3  # Random games of each scenario that are played for trial, besides one by the suggested answers
SECONDS = 3.0  # Processor time after which no further game or action of them begins
RULE_SECONDS = 1.0  # Processor time of one rule, after which it counts as endless
LOOKS = 12  # Positions of each of these games at which banner, score and odds are computed
_FEWEST_AREAS = 4  # Keys of a table of neighbours
ANSWERS = 100  # Answers after which the questions of a situation are given up


class _Fault(NamedTuple):
    """A fault, with its file (relative to the game's folder) and line; "" and 0 if they are not known."""

    file: str
    line: int
    text: str
    context: str = ""

    def __str__(self) -> str:
        place = f"{self.file} line {self.line}" if self.line else self.file or "rules"
        return f"{place}: {self.text}{self.context}"


def rule_faults(game: Game) -> list[str]:
    """Return every fault in the rules of a game, each with file and line where they are known."""
    misspelt = [*_misspelt_names(game), *_printing(game), *_unended(game)]
    lines = {(fault.file, fault.line) for fault in misspelt}
    faults = [*misspelt, *(fault for fault in _trial_faults(game) if fault[:2] not in lines)]
    return list(map(str, faults or [*_policy_faults(game), *_unread_sections(game)]))


def _unread_sections(game: Game) -> list[_Fault]:
    """Sections of `ai.toml` that the game has not read, after all its policies have played."""
    table = game.tables.bot
    unread = table.unread if isinstance(table, ReadTable) else ()
    return [_Fault("ai.toml", 0, f"{name}: nothing reads this section") for name in unread]


def trial_faults(game: Game) -> list[str]:
    """Play a few games of each scenario; return what fails, each fault once, with file and line where they are known.

    Banner, score, obstacles, the map and the odds of every situation are computed on the way.
    """
    return list(map(str, _trial_faults(game)))


def misspelt_names(game: Game) -> list[str]:
    """Return the names in calls of a referee or position that the game does not declare, each with file and line.

    Only what is written as text in the call is looked at: a misspelt track or place that is read is 0 or empty, and no error.
    """
    return list(map(str, _misspelt_names(game)))


# -- names in the source -----------------------------------------------------------------------------------------------


class _Named(NamedTuple):
    """A parameter that takes a declared name: its place in a call, and what it names."""

    place: int
    keyword: str
    what: str


_WHAT = {
    "track": "track",
    "flag": "flag",
    "place": "place",
    "cup": "place",
    "kind": "kind of piece",
    "face": "face",
    "mark": "mark",
    "chart_id": "chart",
    "rule": "rule",
}
"""Parameters of the methods of a referee, with what they name."""

_OF_POSITION = {
    "track": [_Named(0, "name", "track")],
    "flag": [_Named(0, "name", "flag")],
    "members": [_Named(0, "flag", "flag")],
    "at": [_Named(0, "place", "place")],
    "count": [_Named(0, "place", "place")],
    "of_kind": [_Named(0, "kind", "kind of piece")],
}


def _of_referee() -> dict[str, list[_Named]]:
    from inspect import signature

    methods = {name: method for name, method in vars(Referee).items() if callable(method) and not name.startswith("_")}
    named = {
        name: [
            _Named(index, word, _WHAT[word]) for index, word in enumerate([*signature(method).parameters][1:]) if word in _WHAT
        ]
        for name, method in methods.items()
    }
    return {**named, "option": [_Named(0, "name", "option")]}


def _declared(game: Game) -> dict[str, Container[str]]:
    """The names that a game declares, by what they name; of what it does not declare nothing is checked."""
    vocabulary = game.vocabulary
    names: dict[str, Container[str]] = {
        "track": vocabulary.tracks,
        "chart": game.tables.charts,
        "rule": game.tables.rules,
        "option": {*game.options, "scenario"},
    }
    if vocabulary.is_complete:
        names |= {"place": vocabulary.places, "kind of piece": vocabulary.kinds, "face": vocabulary.faces}
        names |= {"mark": vocabulary.marks, "flag": vocabulary.flags}
    return names


def source_files(game: Game) -> list[str]:
    """Return the paths of the modules of a game."""
    module = import_module(game.package)
    path = module.__file__ or ""
    if not hasattr(module, "__path__"):
        return [path]
    found = []
    for folder, below, names in os.walk(os.path.dirname(path)):
        below[:] = sorted(name for name in below if name not in ("tests", "__pycache__"))
        found += [os.path.join(folder, name) for name in sorted(names) if name.endswith(".py")]
    return found


def _misspelt_names(game: Game) -> list[_Fault]:
    declared, methods = _declared(game), {"referee": _of_referee(), "position": _OF_POSITION}
    faults = []
    for path, tree in _trees(game):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                for named in methods.get(_receiver(node.func.value), {}).get(node.func.attr, ()):
                    name = _text_of(node, named)
                    if name and name not in declared.get(named.what, (name,)):
                        faults.append(
                            _Fault(_relative(game, path), node.lineno, _unknown(named.what, name, declared[named.what]))
                        )
    return sorted(faults)


def _trees(game: Game) -> Iterator[tuple[str, ast.Module]]:
    """The path and syntax tree of each module of a game."""
    for path in source_files(game):
        with open(path, encoding="utf-8") as file:
            yield path, ast.parse(file.read())


_CONSOLE = {"print": "a rule says something with referee.say(text, rule)", "input": "a rule asks with a request"}


def _printing(game: Game) -> Iterator[_Fault]:
    """Calls that use the terminal: a rule runs again and again, and in games that nobody watches."""
    for path, tree in _trees(game):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _CONSOLE:
                text = f"{node.func.id}() does not belong in a game: {_CONSOLE[node.func.id]}"
                yield _Fault(_relative(game, path), node.lineno, text)


def _unended(game: Game) -> Iterator[_Fault]:
    kind = type(game)
    if kind.over is Game.over:
        file, line = place_of(kind)
        yield _Fault(_relative(game, file), line, f"the class {kind.__name__} has no over(position), so the game never ends")


def _relative(game: Game, path: str) -> str:
    """The path of a file of the game, below the folder of its module."""
    return os.path.relpath(path, os.path.dirname(import_module(game.package).__file__ or "")).replace(os.sep, "/")


def _receiver(node: ast.expr) -> str:
    """``referee`` or ``position`` for the variable or attribute of that name."""
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name if name in ("referee", "position") else ""


def _text_of(call: ast.Call, named: _Named) -> str | None:
    """The text given for a parameter; None if it is computed or not given."""
    before = call.args[: named.place + 1]
    given = before[-1] if len(before) > named.place and not any(isinstance(item, ast.Starred) for item in before) else None
    given = next((item.value for item in call.keywords if item.arg == named.keyword), given)
    return given.value if isinstance(given, ast.Constant) and isinstance(given.value, str) else None


def _unknown(what: str, name: str, names: Container[str]) -> str:
    known = names.exact if isinstance(names, NameSet) else names
    similar = similar_names(name, known) if isinstance(known, Iterable) else ()
    return f"the game has no {what} '{name}'" + (f"; it has '{similar[0]}'" if similar else "")


# -- neighbours --------------------------------------------------------------------------------------------------------


def one_way_neighbours(game: Game) -> list[str]:
    """Return where a table of neighbours in a module of the game names one area at another, and not the other way round.

    Such a table is a dict at the top of a module, whose values are, or contain, tuples, lists or sets of its keys.
    """
    faults, seen = list[str](), list[object]()
    for path in source_files(game):
        module = next((module for module in list(sys.modules.values()) if getattr(module, "__file__", None) == path), None)
        for name, table in vars(module).items() if module else ():
            if not any(table is other for other in seen):  # it may be imported elsewhere
                seen.append(table)
                near = _neighbours_in(table)
                one_way = [(one, other) for one in near for other in sorted(near[one]) if one not in near[other]]
                where = f"{_relative(game, path)}: {name}"
                faults += [f"{where}: '{one}' names '{other}', and not the other way" for one, other in one_way]
    return faults


def _neighbours_in(table: object) -> dict[str, set[str]]:
    """The neighbours of each key of a table of neighbours; none if it is another table."""
    if not isinstance(table, dict) or len(table) < _FEWEST_AREAS:
        return {}
    near: dict[str, set[str]] = {}
    for key, value in table.items():
        for part in (value, *(value if isinstance(value, tuple | list) else ())):
            if isinstance(part, tuple | list | set | frozenset) and part and all(isinstance(x, str) and x in table for x in part):
                near[key] = set(part)
    return near if len(near) == len(table) else {}


# -- games for trial ---------------------------------------------------------------------------------------------------


def _trial_faults(game: Game) -> list[_Fault]:
    end, faults = process_time() + SECONDS, dict[tuple[str, int, str], _Fault]()
    players, options = game.players, {**game.default_options(), **game.players.practice_options()}
    for scenario in game.scenarios:
        for number in range(SEEDS + 1):
            if process_time() < end:
                trial = _Trial(players)
                seats = {seat: players.policy(seat, PLAIN) if number == 0 else trial for seat in players.seats}
                match = _TrialMatch(game, {**options, "scenario": scenario}, seats, _luck(scenario, number), practice_facts(game))
                trial.match = match
                if fault := _played(match, end):  # its text may name a piece: it is the same fault with another one
                    faults.setdefault((fault.file, fault.line, "" if fault.line else fault.text), fault)
    return list(faults.values())


def _luck(scenario: str, number: int | str) -> RandomStream:
    return RandomStream(f"check/{scenario}/{number}")


def _policy_faults(game: Game) -> list[_Fault]:
    """Play a game with each policy of each seat; return what fails, answers that the rules refused, and plans never asked for."""
    end, faults = process_time() + SECONDS, list[_Fault]()
    players, options = game.players, {**game.default_options(), **game.players.practice_options()}
    for scenario in game.scenarios:
        for seat in players.seats:
            for name in players.policies(seat):
                if name in (PLAIN, RANDOM) or process_time() > end:
                    continue
                seats = {other: players.policy(other, name if other == seat else PLAIN) for other in players.seats}
                match = _TrialMatch(game, {**options, "scenario": scenario}, seats, _luck(scenario, name), practice_facts(game))
                fault = _played(match, end)
                faults += [fault] if fault else _faults_of_policy(match, seats[seat])
    return list({fault[:3]: fault for fault in faults}.values())


def _faults_of_policy(match: Match, policy: Policy) -> Iterator[_Fault]:
    game = match.game
    for refused in match.refusals:
        answer = f"{refused.key}={refused.answer}" if refused.answer else refused.key
        text = f"the policy {refused.policy} of '{refused.seat}' gives an answer that is refused: {answer}: {refused.reason}"
        yield _Fault(_relative(game, refused.place[0]), refused.place[1], text)
    title, (file, line) = policy.title_and_place("act")
    for action, _, key in (planned.partition(" ") for planned, asked in match.planned.items() if not asked):
        text = f"the policy {title} plans '{action}' with an answer to '{key}', a question that never came in a game for trial"
        yield _Fault(_relative(game, file), line, text)


class _TrialMatch(Match):
    """A match that keeps its running action."""

    running: ActionRun

    def new_run(self, *args: Any, **named: Any) -> ActionRun:
        self.running = super().new_run(*args, **named)
        return self.running

    def random_reply(self, request: AnyRequest, referee: Referee, replies: Sequence[Reply]) -> ReplyValue:
        if isinstance(request, Draw) and request.cup not in self.game.cups:
            cups = ", ".join(self.game.cups) or "none"
            what = f"draws from '{request.cup}', which is not among the `cups` in game.toml: {cups}"
            raise RuleFault(request.named(what), self.running.run.place)
        return super().random_reply(request, referee, replies)


def _played(match: Match, end: float) -> _Fault | None:
    """Play one game until the given processor time; return what fails, or None."""
    game, looks = match.game, list[int]()

    def pause(position: Position) -> bool:
        if len(looks) < LOOKS:
            looks.append(0)
            _look(match, position)
        return process_time() > end

    try:
        with limited_rules(RULE_SECONDS), redirect_stdout(StringIO()), reject_unawaited():
            match.begin()
            _look(match, match.position)
            match.play(pause)
            _look(match, match.position)
    except CompanionError as fault:
        return _Fault("", 0, str(fault))
    except Exception as fault:
        origin = error_origin(fault)
        file = _relative(game, origin.file) if origin.game else os.path.basename(origin.file)
        return _Fault(file, origin.line, describe_error(fault), describe_context(fault))
    return None


class _Trial(RandomPolicy):
    """Answers at random, and checks each question that it is asked."""

    match: _TrialMatch

    def reply(self, context: DecisionContext) -> ReplyValue:
        assert context.request is not None
        if fault := question_fault(context.game, context.request):
            raise RuleFault(context.request.named(fault), self.match.running.run.place)
        return super().reply(context)


def question_fault(game: Game, request: AnyRequest) -> str:
    """What is wrong with a question, in words that follow its key; "" if nothing is."""
    if request.rule not in game.tables.rules:
        return f"cites the rule '{request.rule}', which rules.toml does not list"
    if not game.is_question_key(request.key):
        return "is not among the `questions` in game.toml"
    if isinstance(request, Selection):
        values = [choice.value for choice in request.choices]
        if twice := sorted({value for value in values if values.count(value) > 1}):
            return f"offers '{twice[0]}' twice"
    try:
        if request.default_reply is not None:
            request.check(request.default_reply)
    except Unreadable as refusal:
        return f"suggests what it does not offer: {refusal.message}"
    return ""


def _look(match: Match, position: Position) -> None:
    """Compute what is shown in a position. Raises RuleFault: it is of the wrong type."""
    game, options = match.game, match.options
    _check_type(game.banner, game.banner(position, options), Banner)
    _check_type(game.score, game.score(position, options), Score)
    _check_type(game.over, game.over(position), str)
    names = {action.id for action in game.actions}
    for name in names:
        game.obstacle_to(name, position)
    if (usual := game.default_action(position)) not in {"", *names}:
        raise RuleFault.of(game.default_action, f"the default action '{usual}' does not exist: {', '.join(sorted(names))}")
    if game.map is not None and (fault := map_fault(game.map.build(position, options, match.facts()))):
        raise RuleFault.of(game.map.build, f"'build' makes a map {fault}")
    for situation in game.situations:
        referee = game.new_referee(position, options)
        referee.quiet = True
        try:
            run = ProcedureRun(referee, start(situation.run, referee), lambda effect: match.run_effect(effect).value)
            result = _answered(run, RandomStream(situation.id))
        except Illegal:
            continue  # it has no odds in this position
        if result is not None:
            _check_type(getattr(situation.run, "args", (situation.run,))[0], result, Odds)  # the method, see Game.situations


def map_fault(map: Map) -> str:
    """What is wrong with a map, in words that follow "a map"; "" if nothing is."""
    cells: dict[tuple[int, int], str] = {}
    for space in map.spaces.values():
        if space.cell is not None and (other := cells.setdefault(space.cell, space.name)) != space.name:
            return f"with '{other}' and '{space.name}' in the same cell {space.cell}"
    for link in map.links:
        if missing := [name for name in (link.one, link.other) if name not in map.spaces]:
            return f"with a link from '{link.one}' to '{link.other}', and no space '{missing[0]}'"
    return ""


def _answered(run: ProcedureRun[Any], luck: RandomStream) -> Any:
    """Answer the questions of a situation; return its result, or None if it is refused."""
    for _ in range(ANSWERS):
        if run.request is None:
            return run.result
        forced = run.request.forced_reply()
        try:
            run.send(run.request.check(random_reply(run.request, luck.randbelow) if forced is None else forced))
        except (Illegal, Unreadable):
            return None
    return None


def _check_type(function: Callable[..., Any], value: object, kind: type) -> None:
    if not isinstance(value, kind):
        raise RuleFault.of(function, f"'{function.__name__}' returns no {kind.__name__}: {value!r}")
