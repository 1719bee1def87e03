"""The plans of a turn: the planner with other appetites, which replace some of its constants."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from companion.core.errors import BadData
from companion.core.hints import Any
from companion.core.named_tuple import NamedTuple
from companion.core.values import JsonObject
from companion.games.phantomfury import state
from companion.games.phantomfury.ai.valuation import Constants
from companion.games.phantomfury.referee import FuryReferee
from companion.games.phantomfury.rules import r06_entry, r09_support

KEYS = ("id", "title", "needs")
NEEDS = ("", "tank", "mission", "battalion")


class Appetite(NamedTuple):
    """A way to value the same position: ``title`` says what it leads to, ``needs`` what it takes to differ from the usual one."""

    id: str
    title: str
    needs: str
    constants: Constants


def read_appetites(bot: JsonObject, constants: Constants) -> tuple[Appetite, ...]:
    """Read the ``[[plan]]`` tables of ``ai.toml``, the usual one first. Raises BadData, which lists every fault."""
    faults: list[str] = []
    appetites: list[Appetite] = []
    for number, plan in enumerate(bot["plan"], 1):
        changes = dict(_changes(plan))
        faults += [f"ai.toml: plan {number}: {name}: unknown" for name in changes if name not in Constants._fields]
        faults += [f"ai.toml: plan {number}: {key}: missing" for key in KEYS[:2] if key not in plan]
        if plan.get("needs", "") not in NEEDS:
            faults.append(f"ai.toml: plan {number}: needs: '{plan['needs']}' is none of {', '.join(NEEDS[1:])}")
        if not faults:
            appetites.append(Appetite(plan["id"], plan["title"], plan.get("needs", ""), constants._replace(**changes)))
    if faults:
        raise BadData("the plans of a turn cannot be used", faults=faults)
    return tuple(appetites)


def _changes(plan: JsonObject) -> Iterator[tuple[str, Any]]:
    """The constants that a plan replaces, by their fields."""
    for table, values in plan.items():
        if table not in KEYS:
            yield from ((f"{table}_{key}", value) for key, value in values.items())


def useful(referee: FuryReferee, appetites: Sequence[Appetite]) -> list[Appetite]:
    """The appetites that can lead to another turn than the usual one."""
    tests: dict[str, Callable[[], bool]] = {
        "": lambda: True,
        "tank": lambda: bool(referee.tanks()),
        "mission": partial(_has_missions, referee),
        "battalion": partial(_has_battalion, referee),
    }
    met = {need: tests[need]() for need in {appetite.needs for appetite in appetites}}
    return [appetite for appetite in appetites if met[appetite.needs]]


def _has_missions(referee: FuryReferee) -> bool:
    return not referee.position.flag(state.SUPPORT_OVER) and any(
        r09_support.missions_left(referee, name) for name in state.MISSIONS
    )


def _has_battalion(referee: FuryReferee) -> bool:
    waiting = referee.position.at(state.BATTALION)
    return any(r06_entry.cannot_come(referee, unit, 0) is None for unit in waiting)
