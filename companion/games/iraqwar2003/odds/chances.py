"""Exact odds of Iraq War 2003, from the procedures that resolve it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.core.dice import summed
from companion.core.odds import distribution
from companion.core.requests import Odds, Roll
from companion.games.iraqwar2003.rules.r05_air_combat import (
    FLYING,
    REMOVED,
    Flier,
    Flown,
    Mission,
    air_combat,
    anti_air,
    bombing_value,
    fly,
)
from companion.games.iraqwar2003.words.counters import AirValues
from companion.games.iraqwar2003.words.results import UNKNOWN, Result, column, read_result

if TYPE_CHECKING:
    from companion.games.iraqwar2003.rules.r05_plans import Plan

_ASSUMED = "Each side fires at the target that the rules suggest: escorts at the interceptor, interceptors at the bomber."


def flown_odds(mission: Mission) -> dict[Flown, float]:
    """Every end of a mission with its chance."""
    return distribution(lambda: fly(mission))


def _share(results: Mapping[Flown, float], holds: Callable[[Flown], bool]) -> float:
    return sum((chance for flown, chance in results.items() if holds(flown)), 0.0)


def mission_odds(mission: Mission) -> Odds:
    """[5.2] The mission end to end: P(hit), and what becomes of each unit."""
    results = flown_odds(mission)
    lead = mission.fliers[0]
    goal = "the target is hit" if lead.role == "bombing" else "the support arrives"
    rows = [
        (goal, _share(results, lambda flown: flown.done)),
        ("the unit gets through to the target", _share(results, lambda flown: flown.fates[0] == FLYING)),
    ]
    fates = []
    for number, flier in enumerate(mission.fliers):
        removed = _share(results, lambda flown, at=number: flown.fates[at] == REMOVED)  # type: ignore[misc]
        driven = _share(results, lambda flown, at=number: flown.fates[at] not in (FLYING, REMOVED))  # type: ignore[misc]
        fates.append((f"{flier.name}: removed from the game", removed))
        fates.append((f"{flier.name}: hit and sent to the Used box", driven))
    cost = sum((chance for name, chance in fates if name.endswith("removed from the game")), 0.0)
    western = sum(
        (chance for (name, chance), flier in zip(fates[::2], mission.fliers, strict=True) if flier.side == "coalition"), 0.0
    )
    means = (("units removed, of both sides", cost), ("VP lost to the Coalition", -2 * western))
    return Odds(
        f"Mission against {mission.what}", "5.2", (("Mission", tuple(rows)), ("Losses", tuple(fates))), means, (_ASSUMED,)
    )


def _mission(name: str, values: AirValues, shots: Sequence[int], city: bool, what: str, others: Sequence[Flier] = ()) -> Mission:
    lead = Flier(name, "coalition", "bombing", values.air, values.stealth)
    return Mission((lead, *others), tuple(shots), bombing_value(values.bombing, city), what)


def group_odds(known: Sequence[tuple[str, AirValues]], shots: Sequence[int], city: bool, what: str) -> Odds:
    """[5.7] Which of the bombers that are ready would hit, alone and not intercepted, the best first."""
    hits, losses = [], []
    for name, values in known:
        results = flown_odds(_mission(name, values, shots, city, what))
        hits.append((name, _share(results, lambda flown: flown.done)))
        losses.append((name, _share(results, lambda flown: flown.fates[0] == REMOVED)))
    hits.sort(key=lambda row: -row[1])
    fire = f"Anti-air fire: {', '.join(map(str, shots)) or 'none'}; alone, not intercepted."
    note = () if known else ("No values of the units that are ready have been told yet.",)
    return Odds(f"Bombing {what}", "5.7(1)", (("Hits the target", tuple(hits)), ("Is removed", tuple(losses))), (), (fire, *note))


def plan_mission(plan: Plan, known: Mapping[str, AirValues], interceptor: str = "") -> Mission | None:
    """A planned mission on paper; None where values are not known."""
    lead, escort = plan.group.lead, plan.group.other
    names = [piece.name for piece in (lead, escort) if piece] + ([interceptor] if interceptor else [])
    if lead is None or any(name not in known for name in names):
        return None
    nation = str(lead.values.get("nation"))
    side = "iraq" if nation == "iraq" else "coalition"
    foe = "coalition" if side == "iraq" else "iraq"
    fliers = [Flier(lead.name, side, "bombing", known[lead.name].air, known[lead.name].stealth)]
    if escort:
        fliers.append(Flier(escort.name, side, "escort", known[escort.name].air, known[escort.name].stealth))
    if interceptor:
        fliers.append(Flier(interceptor, foe, "intercept", known[interceptor].air, known[interceptor].stealth))
    return Mission(tuple(fliers), plan.shots, plan.value, plan.target)


class Gain(NamedTuple):
    """What an interception changes.

    Attributes:
        stopped: by how much it lowers the chance that the target is hit.
        kills: the chance that the unit on the mission is removed, over that without it.
        risk: the chance that the interceptor is removed.
        hit: the chance that the target is hit all the same.
    """

    stopped: float
    kills: float
    risk: float
    hit: float


def interception_gain(plan: Plan, known: Mapping[str, AirValues], interceptor: str) -> Gain | None:
    """What one interceptor changes for one group; None where values are not known."""
    bare, met = plan_mission(plan, known), plan_mission(plan, known, interceptor)
    if bare is None or met is None:
        return None
    before, after = flown_odds(bare), flown_odds(met)
    hit = _share(after, lambda flown: flown.done)
    kills = _share(after, lambda flown: flown.fates[0] == REMOVED) - _share(before, lambda flown: flown.fates[0] == REMOVED)
    risk = _share(after, lambda flown: flown.fates[-1] == REMOVED)
    return Gain(_share(before, lambda flown: flown.done) - hit, kills, risk, hit)


def interception_odds(plans: Sequence[Plan], known: Mapping[str, AirValues], names: Sequence[str]) -> Odds:
    """[5.4] Each group without interception, and with each interceptor whose values are known."""
    sections = []
    for number, plan in enumerate(plans, 1):
        bare = plan_mission(plan, known)
        if bare is None:
            continue
        rows = [("not intercepted: the target is hit", _share(flown_odds(bare), lambda flown: flown.done))]
        for name in () if bare.fliers[0].stealth else names:
            gain = interception_gain(plan, known, name)
            if gain:
                rows.append((f"{name}: the target is hit all the same", gain.hit))
                rows.append((f"{name} is removed", gain.risk))
        sections.append((f"{number} {plan.group.title} on {plan.target}", tuple(rows)))
    return Odds("Interception", "5.4", tuple(sections), (), (_ASSUMED,))


# -- ground combat -----------------------------------------------------------------------------------------------------


class Clash(NamedTuple):
    """A ground combat on paper.

    Attributes:
        attack, defence: combat values after all halving. shift: without air support, positive for the attacker.
        attack_steps, defence_steps: strength steps of each side.
        attack_city, defence_city: that side may ignore a retreat [13.5(8)].
        cells: the six results by column.
    """

    attack: int
    defence: int
    shift: int
    attack_steps: int
    defence_steps: int
    attack_city: bool
    defence_city: bool
    cells: Mapping[str, Sequence[str]]


class Support(NamedTuple):
    """Air support on paper: who flies, at whom anti-air fire goes, and what each support is worth if it arrives."""

    fliers: tuple[Flier, ...] = ()
    shots: Mapping[str, tuple[int, ...]] = {}
    worth: Mapping[str, int] = {}


async def support_shift(support: Support) -> int:
    """[13.3(2)] Columns for the attacker by the air support that arrives; the difference where both have some."""
    fates = await air_combat(support.fliers) if len(support.fliers) > 1 else {one.name: FLYING for one in support.fliers}
    total = 0
    for flier in support.fliers:
        if flier.role == "support" and fates[flier.name] == FLYING:
            arrived = await anti_air(flier, support.shots.get(flier.name, ()))
            total += support.worth.get(flier.name, 0) if arrived == FLYING else 0
    return total


async def _combat(clash: Clash, support: Support) -> str:
    shift = clash.shift + await support_shift(support)
    cells = clash.cells[column(clash.attack, clash.defence, shift)]
    roll = await Roll("combat", "", "13.4", outcomes=lambda: summed(1, int))
    return cells[roll[0] - 1]


def needed_columns(clash: Clash, supports: Sequence[Support]) -> list[str]:
    """The columns that may come up, so that only these need be known."""
    wanted: list[str] = []
    for support in supports:
        for shift in distribution(lambda one=support: support_shift(one)):  # type: ignore[misc]
            wanted.append(column(clash.attack, clash.defence, clash.shift + shift))
    return list(dict.fromkeys(wanted))


def combat_results(clash: Clash, support: Support = Support()) -> dict[str, float]:  # noqa: B008 - a constant, as a tuple is
    """Each result of the chart with its chance; ``?`` for cells that are not known."""
    return distribution(lambda: _combat(clash, support))


def summary(clash: Clash, results: Mapping[str, float]) -> dict[str, float]:
    """What the results come to: defender destroyed, leaves the hex, attacker loses."""
    found = dict.fromkeys(("destroyed", "retreats", "leaves", "defender loses", "attacker loses", "attacker retreats"), 0.0)
    for text, chance in results.items():
        if text == UNKNOWN:
            continue
        result: Result = read_result(text)
        gone = result.defender.steps >= clash.defence_steps
        away = result.defender.retreat and not clash.defence_city and not gone
        found["destroyed"] += chance * gone
        found["retreats"] += chance * away
        found["leaves"] += chance * (gone or away)
        found["defender loses"] += chance * min(result.defender.steps, clash.defence_steps)
        found["attacker loses"] += chance * min(result.attacker.steps, clash.attack_steps)
        found["attacker retreats"] += chance * (result.attacker.retreat and not clash.attack_city)
    return found


def combat_odds(clash: Clash, supports: Mapping[str, Support]) -> Odds:
    """[13.4] Each result, and P(defender destroyed or retreats), for each way to be supported."""
    sections, means = [], []
    for title, support in supports.items():
        results = combat_results(clash, support)
        told = summary(clash, results)
        rows = [
            ("defender destroyed", told["destroyed"]),
            ("defender retreats", told["retreats"]),
            ("defender destroyed or retreats", told["leaves"]),
            ("attacker retreats", told["attacker retreats"]),
        ]
        sections.append((f"{title}: what it comes to", tuple(rows)))
        shown = sorted(results.items(), key=lambda row: row[0])
        sections.append(
            (f"{title}: results", tuple((text if text != UNKNOWN else "not told yet", chance) for text, chance in shown))
        )
        means.append((f"strength steps lost by the defender ({title})", told["defender loses"]))
        means.append((f"strength steps lost by the attacker ({title})", told["attacker loses"]))
    columns = ", ".join(needed_columns(clash, list(supports.values())))
    return Odds("Ground combat", "13.4", tuple(sections), tuple(means), (f"Columns that may come up: {columns}.",))


# -- command points ----------------------------------------------------------------------------------------------------


def cp_odds(radios: int) -> Odds:
    """[11.1] The die against the undestroyed Radio boxes."""

    async def rolled() -> int:
        roll = await Roll("cp", "", "11.1(2)", outcomes=lambda: summed(1, int))
        return roll[0]

    faces = distribution(rolled)
    rows = (
        ("the die brings more than Radio", sum((chance for face, chance in faces.items() if face > radios), 0.0)),
        ("the same", faces.get(radios, 0.0)),
        ("less", sum((chance for face, chance in faces.items() if face < radios), 0.0)),
    )
    mean = sum(face * chance for face, chance in faces.items())
    return Odds("Command points", "11.1", (("Die against Radio", rows),), (("by Radio", float(radios)), ("by the die", mean)))
