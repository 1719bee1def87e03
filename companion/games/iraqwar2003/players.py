"""The two seats of Iraq War 2003, and who may sit there when nobody does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.core.players import BOT, PLAIN, RANDOM, Advised, AnyAnswer, Asked, Outcome, Players, Policy
from companion.core.position import Position
from companion.games.iraqwar2003.coalition.plain import Advancing
from companion.games.iraqwar2003.names import COALITION, IRAQ, SIDE
from companion.games.iraqwar2003.rules.r04_actions import fit_to_act
from companion.games.iraqwar2003.rules.r15_victory import count
from companion.games.iraqwar2003.wild import wild
from companion.games.iraqwar2003.worth import coalition_worth

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
        return at.request is not None and at.request.advice is not None

    def act(self, at: Asked) -> str:
        return at.game.usual(at.position) or "end"


class Own(Players):
    """How Iraq War 2003 is played without people."""

    seats = (COALITION, IRAQ)
    turns = True
    most = 4_000
    horizon = 2

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
