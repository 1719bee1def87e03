"""[6.0] How to win: the count, itemised; the campaign [30.2] and several players [35.0]."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.charts import Chart
from companion.core.game import Score
from companion.core.position import Position
from companion.core.requests import Confirm, Number
from companion.core.text import plural
from companion.games.fallujah2004 import state
from companion.games.fallujah2004.notation import SPACES, on_map
from companion.games.fallujah2004.referee import (
    FallujahReferee,
    all_known,
    concealed_at,
    deployed,
    ground_at,
    holy_spaces,
    nodes_at,
)
from companion.games.fallujah2004.rules.r11_recruiting import recruitable, unit_cost, whole_ops
from companion.games.fallujah2004.state import (
    AIR_STRIKE,
    SOA,
    is_fob,
    is_ground,
    is_helicopter_down,
    lies_concealed,
    lies_open,
    node_of,
)


def holy_held(position: Position, nodes_deny: bool) -> int:
    """Objective and Mosque spaces with a ground unit in them [6.1] (ruling C-9), without those where a Node denies control
    if the switch says that it does (ruling C-10).
    """
    return sum(not (nodes_deny and contested(position, place)) for place in holy_spaces(position, is_ground))


def contested(position: Position, place: str) -> bool:
    """True if a Node lies in a space; a Downed Helicopter counts as one [14.7]."""
    return bool(nodes_at(position, place) or concealed_at(position, place))


NODE_LEFT_VP = 1
"""[6.1] VP lost for each Node left on the map."""


def node_vp(chart: Chart, kind: str) -> int:
    """[6.1, 20.3] The VP of a captured Node."""
    return chart.number(kind, "vp")


def count(position: Position, charts: Mapping[str, Chart], nodes_deny: bool) -> Score:
    """[6.1] The victory points as the game stands, and the degree of victory [6.3]."""
    chart = charts["nodes"]
    items: list[tuple[str, int, str]] = []
    said = position.flag(state.HOLY_HELD)
    places = said if isinstance(said, int) else holy_held(position, nodes_deny)
    items.append(("Objective and Mosque spaces occupied", places, "6.1"))
    captured = [piece for piece in position.at(state.CAPTURED) if piece.kind == state.NODE]
    for kind in dict.fromkeys(node_of(piece) for piece in captured if node_of(piece) in chart.rows):
        many = sum(node_of(piece) == kind for piece in captured)
        items.append((f"{many} x {chart.text(kind, 'title')} captured", many * node_vp(chart, kind), "20.3"))
    items.append(("KIA index", position.track("kia"), "21.0"))
    items.append(("MSR cleared", 5 if position.flag(state.MSR_CLEARED) is True else 0, "6.2"))
    helicopters = [piece for piece in position.of_kind(state.EVENT) if is_helicopter_down(piece)]
    picked = [piece for piece in helicopters if on_map(piece.place) or piece.place in (state.CAPTURED, state.OUT)]
    for piece in picked:  # one that interdiction has destroyed is not secured (ruling C-66)
        secured = piece.place == state.CAPTURED
        items.append((f"Downed Helicopter {'secured' if secured else 'not secured'}", 2 if secured else -2, "14.7"))
    for piece in position.at(state.HVT_BOX):
        items.append((f"{piece.name} eliminated", piece.number("contact"), "6.1"))
    left = sum(lies_concealed(piece) for piece in position.of_kind(state.CONCEALED))
    left += sum(lies_open(piece) for piece in position.of_kind(state.NODE))
    items.append(("Nodes left on the map", -NODE_LEFT_VP * left, "6.1"))
    total = sum(points for _, points, _ in items)
    notes = ["The MSR has not been judged; it is asked at the end."] if position.flag(state.MSR_CLEARED) is None else []
    return Score(tuple(items), total, degree(charts, total), "6.3", (*notes, *_players(position)))


def degree(charts: Mapping[str, Chart], total: int) -> str:
    """[6.3] The degree of victory."""
    return charts["victory"].text(total, "degree")


def _players(position: Position) -> list[str]:
    """[35.0] The Nodes captured by each player and the KIA of his operations."""
    named = sorted({flag.partition(" of ")[2] for flag in position.flags if flag.startswith(state.SHARES)})
    return [
        f"{name}: Nodes captured {position.flag(f'nodes of {name}', 0)}, KIA {position.flag(f'kia of {name}', 0)}"
        for name in named
    ]


def empty_msr(position: Position, nodes_deny: bool = False) -> list[str]:
    """[6.2] The known MSR spaces without a ground unit, or with a Node if Nodes deny control."""
    told = [flag.removeprefix(state.SPACE) for flag in position.flags if flag.startswith(state.SPACE)]
    msr = [space for space in told if (ground := ground_at(position, space)) and "msr" in ground.features]
    held_by = {piece.place for piece in deployed(position) if is_ground(piece)}
    return [space for space in msr if space not in held_by or (nodes_deny and contested(position, space))]


async def final_count(referee: FallujahReferee) -> None:
    """[6.1, 6.2] What only the board shows is asked, the MSR only where the map has not been told whole; then the count is
    announced.
    """
    position = referee.position
    deny = referee.option("node_denies_control") == "yes"
    alone = " and no Node" if deny else ""
    if position.flag(state.MSR_CLEARED) is None:
        prompt = f"Do ground units{', with no Node beside them,' if deny else ''} hold every MSR space"
        request = Confirm("msr", f"{prompt} from the Main Bridge to the Cloverleaf?", "6.2", False)
        bridge = (await referee.known_facts("bridge", "6.2")).get("main")
        empty = bridge and not any(map(is_ground, referee.units_at(bridge)))
        whole = all(ground_at(position, space) for space in SPACES)
        request.implied_reply = False if empty or empty_msr(position, deny) else True if whole else None
        cleared = await request
        referee.set_flag(state.MSR_CLEARED, cleared, "6.2")
    suggest = min(holy_held(position, deny), 20)
    places = Number("held", f"Objective and Mosque spaces with a Coalition ground unit{alone}", "6.1", 0, 20, suggest)
    places.implied_reply = suggest if all_known(position) else None
    occupied = await places
    referee.set_flag(state.HOLY_HELD, occupied, "6.1")
    score = count(referee.position, referee.charts, deny)
    referee.say(
        f"Victory points: {score.total}, {score.verdict}.",
        "6.3",
        *(f"{label}: {points:+d} [{rule}]" for label, points, rule in score.items),
    )
    for note in score.notes:
        referee.say(note, "35.0")
    if referee.option("scenario") == "campaign":
        campaign_verdict(referee, score.total)


def campaign_verdict(referee: FallujahReferee, total: int) -> None:
    """[30.2, 30.2(5)] Record that the campaign is won or lost, or goes on with the second battle (ruling C-34)."""
    won = referee.chart("victory").text(total, "campaign") == "win"
    if won:
        referee.set_flag(state.CAMPAIGN, "won", "30.2" if referee.first_scenario else "30.2(5)")
        referee.say("WON: the battle, and with it the campaign.", "30.2" if referee.first_scenario else "30.2(5)")
    elif referee.first_scenario:
        referee.say("The first battle is not won. Set up the second: second", "30.2", tone="reminder")
    else:
        referee.say("LOST: the second battle is not won, and so the campaign is lost.", "30.2(5)")


async def declare_end(referee: FallujahReferee) -> None:
    """[8.1(b)] The player declares the end, once every Node on the map is captured or eliminated; or when the first order
    of battle has taken every OP, so that no operation can be begun [8.1(a)], or none can be carried out (ruling C-75).
    """
    left = referee.nodes_left()
    if referee.ops <= 0:
        referee.finish(f"the OPs index is {'below' if referee.ops else 'at'} zero", "8.1(a)")
        await final_count(referee)
        return
    if left and stranded(referee):
        referee.finish(f"no operation can be carried out with the {plural(referee.ops, 'OP')} left", "8.1(a)")
        await final_count(referee)
        return
    if left:
        ops = plural(referee.ops, "OP is", "OPs are")
        referee.forbid(f"{plural(left, 'Node is', 'Nodes are')} still on the map and {ops} left", "8.1(b)", "Play on")
    referee.finish(
        "every Node is captured or eliminated and the player declares the end" if not left else "declared by the player", "8.1(b)"
    )
    await final_count(referee)


def stranded(referee: FallujahReferee) -> bool:
    """[8.1] True if OPs are left with which nothing can be done: nobody can move, no NetWar marker is there, no strike that could
    interdict, and nothing for sale is within means (ruling C-75).
    """
    if any(not is_fob(piece) for piece in deployed(referee.position)) or referee.netwar():
        return False
    if referee.position.flag(state.option_flag("interdiction")) == "on" and referee.available(AIR_STRIKE, SOA):
        return False
    return all(whole_ops(unit_cost(referee, piece)[0]) > referee.ops - 1 for piece in recruitable(referee))
