"""Strategies: functions of your own as policies, and where they are loaded from a file."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from hashlib import sha256
from typing import Any, NamedTuple, cast

from companion.api.maps import known_map
from companion.api.values import Candidate, ProgramAnswer, Strategy, View, candidates_of, question_of, text_of
from companion.core import overrides
from companion.core.errors import Illegal, Unreadable
from companion.core.game import Game
from companion.core.match import PlannedAction
from companion.core.policies import DecisionContext, Policy
from companion.core.request import Odds, complete_odds
from companion.core.resolver import Answers
from companion.core.text import clean, pick_name
from companion.session.simulation import OwnPolicy

OWN = "own"
"""The name of a policy that a program gives as a function."""
_SUFFIX = ".py"

MakePolicy = Callable[[], Policy]


class StrategyPolicy(overrides.OverridingPolicy):
    """A strategy as a policy; what the strategy leaves open is decided by the policy below it.

    Args:
        strategy: The function; a class is called once for each game, and its object must be callable.
        make_base: Makes the policy below.
    """

    def __init__(self, strategy: Strategy | type, make_base: MakePolicy) -> None:
        super().__init__(make_base())
        self._make_base = make_base
        self._strategy = cast("Strategy", strategy() if isinstance(strategy, type) else strategy)

    def _view(self, context: DecisionContext) -> View:
        game, position, request = context.game, context.position, context.request
        free = () if request else tuple(one.id for one in game.actions if game.obstacle_to(one.id, position) is None)
        asked = question_of(request, "", context.seat, words=False) if request else None
        seen = game.visible(position, context.seat)
        look = partial(known_map, game, seen, context.options, context.facts)
        compare, ask = partial(self._candidates, context), partial(_odds, context)
        return View(context.seat, seen, asked, free, context.randbelow, look, compare, ask)

    def _candidates(self, context: DecisionContext) -> tuple[Candidate, ...]:
        # by a policy of its own: the one that plays follows the plans that it has made
        return candidates_of(overrides.candidates_of(self._make_base(), context))

    def act(self, context: DecisionContext) -> Any:
        said = self._strategy(self._view(context))
        if said is None:
            return self.base.act(context)
        actions = [action.id for action in context.game.actions]
        if not isinstance(said, Candidate):
            return pick_name(text_of(said), actions, "action")
        answers = {key: list(value) if isinstance(value, tuple) else value for key, value in said.answers.items()}
        return PlannedAction(pick_name(said.action, actions, "action"), answers)

    def override(self, context: DecisionContext) -> Any:
        request = context.request
        assert request is not None
        said = self._strategy(self._view(context))
        if said is None:
            return overrides.BASE_DECIDES
        if not isinstance(said, Candidate):
            return request.read(text_of(said))
        if request.key not in said.answers:
            raise Unreadable(f"a candidate of another decision, not of the question '{request.key}'", cure="Leave it open: None")
        return ProgramAnswer.of(said.answers[request.key]).to_reply(request)


def _odds(context: DecisionContext, situation: str, answers: Answers) -> Odds:
    from companion.session.inquiry import odds_on_table

    if situation:
        position = context.game.visible(context.position, context.seat)
        return complete_odds(odds_on_table(context.game, position, context.options, context.facts, situation, answers))
    if context.request is None or context.request.odds is None:
        raise Illegal("no odds here: no question is open that has any", cure="Name a situation: view.odds('...')")
    return complete_odds(context.request.odds())


class StrategyFile(NamedTuple):
    """A strategy in a file of Python, loaded by each process that plays.

    Attributes:
        path: The file, absolute.
        name: The function in it.
        digest: A hash of the file, so that every process loads the same text.
    """

    path: str
    name: str
    digest: str

    @classmethod
    def read(cls, text: str) -> StrategyFile:
        """Return the strategy that ``FILE.py:FUNCTION`` names.

        Raises:
            Unreadable: There is no such file, it cannot be loaded, or it has no such function.
        """
        path, colon, name = text.rpartition(":")
        if not (colon and path.endswith(_SUFFIX) and name.isidentifier()):
            raise Unreadable(f"'{clean(text)}' names no strategy", cure="Give the file and the function: my.py:strategy")
        file = os.path.abspath(path)
        strategy = cls(file, name, _digest(file))
        strategy.load()
        return strategy

    @property
    def label(self) -> str:
        """What it is called: the name of the file and of the function."""
        return f"{clean(os.path.basename(self.path))}:{self.name}"

    def load(self) -> Strategy:
        """Load the file, once in a process, and return the function.

        Raises:
            Unreadable: The file is missing, has changed, cannot be loaded, or has no such function.
        """
        if _digest(self.path) != self.digest:
            raise Unreadable(f"{clean(self.path)} is not the file that the run began with", cure="Begin the run again")
        names = _load(self.path, self.digest)
        if not callable(names.get(self.name)):
            public = [name for name, value in names.items() if callable(value) and value.__module__ == names["__name__"]]
            cure = f"It has: {', '.join(public)}" if public else f"Define it: def {self.name}(view): ..."
            raise Unreadable(f"{clean(self.path)} has no function '{self.name}'", cure=cure)
        return cast("Strategy", names[self.name])

    def make(self, make_base: MakePolicy) -> Policy:
        """Return the strategy as a policy on top of another one."""
        return StrategyPolicy(self.load(), make_base)

    @property
    def policy(self) -> OwnPolicy:
        """The strategy as a policy of a series."""
        return OwnPolicy(self.label, self.make, self.digest, f"{self.path}:{self.name}")


def _digest(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return sha256(file.read()).hexdigest()[:12]
    except OSError as fault:
        raise Unreadable(f"{clean(path)} cannot be read: {fault.strerror}", cure="Name a file: my.py:strategy") from None


@lru_cache(maxsize=16)
def _load(path: str, digest: str) -> Mapping[str, Any]:
    """Run a file as a module of its own; return its names."""
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location(f"companion_strategy_{digest}", path)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # as dataclasses and pickle look it up
    try:
        spec.loader.exec_module(module)
    except Exception as fault:  # it is the user's code: any error can come from it
        from traceback import extract_tb

        lines = [frame.lineno for frame in extract_tb(fault.__traceback__) if frame.filename == path]
        line = fault.lineno if isinstance(fault, SyntaxError) else lines[-1] if lines else None
        where = f" (line {line})" if line else ""
        what = f"{clean(path)} cannot be loaded: {type(fault).__name__}: {clean(str(fault))[:150]}{where}"
        raise Unreadable(what, cure="Correct the file") from None
    return vars(module)


def own_policies(game: Game, given: Mapping[str, str | Strategy]) -> tuple[dict[str, str], dict[str, OwnPolicy]]:
    """Split who plays the seats into names of policies and strategies, both by seat; a name under "" is for every other seat.

    Raises:
        Unreadable: There is no such seat, or a file of a strategy cannot be used.
    """
    by_seat = seats_of(game, given)
    own = {
        seat: OwnPolicy(OWN, partial(StrategyPolicy, who)) if not isinstance(who, str) else StrategyFile.read(who).policy
        for seat, who in by_seat.items()
        if not isinstance(who, str) or is_file(who)
    }
    return {seat: who for seat, who in by_seat.items() if isinstance(who, str) and seat not in own}, own


def is_file(name: str) -> bool:
    """True if the name of a policy is that of a strategy in a file."""
    return name.endswith(_SUFFIX) or f"{_SUFFIX}:" in name


def with_base(game: Game, names: Mapping[str, str], own: Mapping[str, OwnPolicy], base: Mapping[str, str]) -> dict[str, str]:
    """Return the policies by seat with those below the strategies; under "" for every strategy.

    Raises:
        Unreadable: There is no such seat, or no strategy plays it.
    """
    if base and not own:
        raise Unreadable("a base is the policy below a strategy, and no strategy plays", cure="Give one: us=my.py:strategy")
    below = seats_of(game, base)
    for seat in base:
        if seat and (named := pick_name(seat, game.players.seats, "seat")) not in own:
            cure = f"Give the policy itself: {named}={clean(base[seat])}"
            raise Unreadable(f"no strategy plays '{named}', so nothing is below it", cure=cure)
    return {**names, **{seat: name for seat, name in below.items() if seat in own}}


def seats_of(game: Game, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is given by seat, by unique prefix; what is under "" is for every other seat.

    Raises:
        Unreadable: There is no such seat.
    """
    named = {pick_name(seat, game.players.seats, "seat"): value for seat, value in given.items() if seat}
    return {seat: named[seat] if seat in named else given[""] for seat in game.players.seats if seat in named or "" in given}
