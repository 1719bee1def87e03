"""The two seats of Iraq War 2003, and who may sit there when nobody does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from companion.core.match import Plan
from companion.core.players import BOT, PLAIN, RANDOM, Advised, AnyAnswer, Asked, Outcome, Players, Policy
from companion.core.position import Position
from companion.core.procedures import Run
from companion.core.thinking import HARD, LEVEL, LEVELS
from companion.games.iraqwar2003.coalition import campaign
from companion.games.iraqwar2003.coalition.plain import Advancing
from companion.games.iraqwar2003.names import COALITION, IRAQ, OPERATIONS, PHASE, SIDE
from companion.games.iraqwar2003.rules.r04_actions import fit_to_act
from companion.games.iraqwar2003.rules.r15_victory import count
from companion.games.iraqwar2003.wild import wild
from companion.games.iraqwar2003.words.land import land_of
from companion.games.iraqwar2003.worth import coalition_worth

T = TypeVar("T")
_DEEDS = ("move", "road", "drop", "rail")
_WEIGHTS = {"move": 12, "recover": 3, "facility": 4, "bomb": 4, "supply": 2, "end": 1, "control": 0, "units": 0, "loss": 0}
"""How often a random player takes an action; what only tells of the table is none."""


class Passive(Policy):
    """Goes through the phases, takes what is suggested, and moves nobody."""

    def act(self, at: Asked) -> str:
        usual = at.game.usual(at.position)
        return "end" if usual in ("move", "") else usual


class Proposed(Advised):
    """Companion's own player of a side: its proposals are what is suggested; to the player of a side it says what it would do."""

    def advises(self, at: Asked) -> bool:
        return at.request is not None and (at.request.advice is not None or bool(_orders(at)))

    def act(self, at: Asked) -> Any:
        usual = at.game.usual(at.position) or "end"
        found = _orders(at) if usual == "move" else []
        if not found:
            return usual
        best = _weighed(at, found, [Plan("move", {"units": one.text}) for one in found[: campaign.TRIED]])
        return "end" if best.answers["units"] == campaign.DONE else best

    def reply(self, at: Asked) -> Any:
        assert at.request is not None
        found = _orders(at) if at.request.advice is None else []
        if not found:
            return super().reply(at)
        return at.request.check(_weighed(at, found, [one.text for one in found[: campaign.TRIED]]))


def _weighed(at: Asked, found: Sequence[campaign.Course], tried: Sequence[T]) -> T:
    """The best of some orders, with its reasons."""
    told = len(at.reasons)
    best = tried[at.weigh(tried, [one.text for one in found[: len(tried)]])]
    if len(at.reasons) == told:
        at.explain(*campaign.reasons(found))
    return best


def _orders(at: Asked) -> list[campaign.Course]:
    """[4.1(4)] What we would order for the player of the Coalition, the best first, worked out on a table of its own; nothing
    where something else is asked, or our opponent plays that side itself.
    """
    request = at.request
    if at.seat != COALITION or at.options.get(COALITION) == BOT or (request and (request.key, request.rule) != _WHO_ACTS):
        return []
    table: Any = at.game.opened(at.position, at.options)
    run = Run(table, campaign.orders(table), lambda effect: effect.given(at.facts).value)
    if run.request is not None:
        run.close()
    return run.result or []


_WHO_ACTS = ("units", "12.1(1)")
"""The question who acts next: its key, and its rule."""


class Own(Players):
    """How Iraq War 2003 is played without people."""

    seats = (COALITION, IRAQ)
    turns = True
    most = 4_000
    horizon = 2
    think_for_advice = 8

    def policies(self, seat: str) -> Mapping[str, Callable[[], Policy]]:
        plain = {COALITION: Advancing, IRAQ: Passive}[seat]
        return {PLAIN: lambda: plain(self), RANDOM: lambda: AnyAnswer(self), BOT: lambda: Proposed(self)}

    def chosen(self, policies: Mapping[str, str]) -> Mapping[str, str]:
        ours = {seat: "bot" for seat, policy in policies.items() if policy == BOT}
        return {**ours, "opponent": "acts"} if ours else {}

    def rollout(self, seat: str) -> Policy:
        return self.policies(seat)[PLAIN]()

    def rollout_options(self, options: Mapping[str, str]) -> Mapping[str, str]:
        return {**options, COALITION: "player", IRAQ: "player"}

    def practice(self) -> Mapping[str, str]:
        return {"scenario": "war"}

    def acting(self, position: Position) -> str:
        return str(position.flag(SIDE, COALITION))

    def adviser(self, seat: str) -> str:
        return BOT

    def usual_think(self, options: Mapping[str, str]) -> int:
        """By its priorities alone; at the hard level it plays on as often as for advice."""
        hard = options.get(LEVEL) == HARD
        return self.think_for_advice // LEVELS[HARD].times if hard else self.think

    def advises_between(self, position: Position, options: Mapping[str, str]) -> bool:
        ours = self.acting(position) == COALITION and options.get(COALITION) != BOT
        return ours and position.flag(PHASE) == OPERATIONS and bool(land_of(position).how)

    def outcome(self, position: Position, options: Mapping[str, str]) -> Outcome:
        score = count(position, self.game.tables.charts)
        needed = self.game.tables.charts["victory"].number("needed", "vp")
        return Outcome(COALITION if score.total >= needed else IRAQ, score.total)

    def value(self, position: Position, options: Mapping[str, str], seat: str) -> float:
        expected = coalition_worth(position, self.game.tables.charts)
        return expected if seat == COALITION else -expected

    def weight(self, action: str) -> int:
        return _WEIGHTS.get(action, 1)

    def any_action(self, at: Asked) -> str:
        """Nothing is tried of which nobody is left to do it."""
        found = super().any_action(at)
        return "end" if found in _DEEDS and not fit_to_act(at.position) else found

    def anything(self, at: Asked) -> Any:
        assert at.request is not None
        return wild(at.position, at.request, at.number)
