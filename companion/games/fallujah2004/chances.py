"""Exact odds of Fallujah 2004, from the procedures that resolve it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.core.odds import Ended, Onward, distribution, settle, suggested
from companion.core.referee import Referee
from companion.core.requests import Odds, Pick, Request
from companion.games.fallujah2004.battle import Battle, Display, Support, fight_round

_SILENT = Display()
_NO_SUPPORT = Support()


def _opening(netwar: bool, strikes: int) -> Callable[[Request[Any]], Any]:
    """The policy of a round in which NetWar and the first strikes are committed; else what is suggested."""

    def answer(request: Request[Any]) -> Any:
        if request.key == "netwar":
            return netwar
        if isinstance(request, Pick) and request.key == "strikes":
            return [choice.value for choice in request.choices][:strikes]
        return suggested(request)

    return answer


def battle_results(
    referee: Referee, battle: Battle, stands: bool, support: Support = _NO_SUPPORT
) -> dict[tuple[tuple[str, int, int], int], float]:
    """The distribution of ((outcome, strength steps lost, OPFOR units eliminated), OPs lost to Collateral Damage).

    Outcomes: ``won``, ``broke off`` (OPFOR leaves; won too), ``lost``. All of ``support`` is committed in the first
    round; hits are placed as suggested; the Coalition never withdraws.
    """
    start = battle.plain()
    steps = sum(fighter.steps for fighter in start.coalition)
    many = len(start.opfor)

    async def play(state: tuple[Battle, Support]) -> Onward | Ended:
        done = await fight_round(referee, state[0], state[1], _SILENT)
        after = done.battle.plain()
        lost = steps - sum(fighter.steps for fighter in after.coalition)
        killed = many - len(after.opfor)
        if not after.opfor:
            return Ended(("won", lost, killed), done.ops)
        if not after.coalition:
            return Ended(("lost", lost, killed), done.ops)
        if not stands:
            return Ended(("broke off", lost, killed), done.ops)
        return Onward((after, _NO_SUPPORT), done.ops)

    return settle((start, support), play, _opening(support.netwar, len(support.strikes)))


def commitment_odds(referee: Referee, battle: Battle, support: Support) -> Odds:
    """What committing everything that is offered changes, against committing nothing; OPFOR is taken to stand."""
    bare = battle_odds(referee, battle, True)
    full = battle_odds(referee, battle, True, support)
    rows = (("with nothing committed", bare.sections[0][1][0][1]), ("with all of it committed", full.sections[0][1][0][1]))
    offered = [strike.name for strike in support.strikes] + (["NetWar"] if support.netwar else [])
    means = tuple((f"{label}, nothing committed", value) for label, value in bare.means)
    means += tuple((f"{label}, all committed", value) for label, value in full.means)
    return Odds(
        "The battle to its end, with and without support",
        "16.1(3a)",
        (("The Coalition wins", rows),),
        means,
        (f"All of it: {', '.join(offered)}, in this round only.", *bare.notes[:2]),
    )


def one_round(referee: Referee, battle: Battle, support: Support = _NO_SUPPORT) -> dict[tuple[int, int], float]:
    """The distribution of (strength steps lost, OPFOR units eliminated) of a single round."""
    start = battle.plain()
    steps = sum(fighter.steps for fighter in start.coalition)

    async def play() -> tuple[int, int]:
        done = await fight_round(referee, start, support, _SILENT)
        return steps - sum(fighter.steps for fighter in done.battle.coalition), len(start.opfor) - len(done.battle.opfor)

    return distribution(play, _opening(support.netwar, len(support.strikes)))


def _margins(results: Mapping[Any, float], value: Callable[[Any], int]) -> tuple[tuple[str, float], ...]:
    counts: dict[int, float] = {}
    for result, chance in results.items():
        counts[value(result)] = counts.get(value(result), 0.0) + chance
    return tuple((str(number), counts[number]) for number in sorted(counts) if counts[number] > 5e-5)


def battle_odds(referee: Referee, battle: Battle, stands: bool, support: Support = _NO_SUPPORT, loss_ops: int = 0) -> Odds:
    """The battle to its end: win, KIA change, strength steps lost, OPs lost.

    Args:
        loss_ops: OPs that a lost battle costs by the Nodes of the space, from 0.
    """
    results = battle_results(referee, battle, stands, support)
    outcome: dict[str, float] = {"won": 0.0, "broke off": 0.0, "lost": 0.0}
    for ((verdict, _, _), _), chance in results.items():
        outcome[verdict] += chance

    def ops_lost(result: Any) -> int:
        (verdict, _, _), collateral = result
        return int(collateral) + (loss_ops if verdict == "lost" else 0)

    mean_lost = sum(result[0][1] * chance for result, chance in results.items())
    mean_kia = sum((result[0][2] - result[0][1]) * chance for result, chance in results.items())
    return Odds(
        "Battle to the end",
        "16.1",
        (
            (
                "Outcome",
                (
                    ("Coalition wins", outcome["won"] + outcome["broke off"]),
                    *((("of these, OPFOR breaks off", outcome["broke off"]),) if outcome["broke off"] else ()),
                    ("Coalition is wiped out", outcome["lost"]),
                ),
            ),
            ("KIA index changes by", _margins(results, lambda result: int(result[0][2] - result[0][1]))),
            ("Strength steps lost", _margins(results, lambda result: int(result[0][1]))),
            ("OPs lost", _margins(results, ops_lost)),
        ),
        (
            ("KIA change", mean_kia),
            ("strength steps lost", mean_lost),
            ("OPs lost", sum(ops_lost(result) * chance for result, chance in results.items())),
        ),
        (
            f"OPFOR is taken to {'stand' if stands else 'break off'} after each round.",
            "Hits on the Coalition are placed where the least firepower is lost; it never withdraws.",
            *(("All support offered is committed in the first round.",) if support.strikes or support.netwar else ()),
        ),
    )


def next_round(referee: Referee, battle: Battle) -> tuple[tuple[str, tuple[tuple[str, float], ...]], ...]:
    """Sections on what one more round brings, before the player may decide again; no support committed."""
    results = one_round(referee, battle)
    return (
        ("In the next round: strength steps lost", _margins(results, lambda result: int(result[0]))),
        ("In the next round: OPFOR units eliminated", _margins(results, lambda result: int(result[1]))),
    )
