"""[6.0] How to win: the count, itemised; the campaign [30.2] and several players [35.0]."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.charts import Chart
from companion.core.game import Score
from companion.core.position import Position
from companion.core.requests import Confirm, Number
from companion.core.text import plural
from companion.games.fallujah2004 import names
from companion.games.fallujah2004.pieces import (
    AIR_STRIKE,
    SOA,
    is_fob,
    is_ground,
    is_helicopter_down,
    lies_concealed,
    lies_open,
    node_of,
)
from companion.games.fallujah2004.referee import Fallujah, all_told, concealed_at, deployed, ground_at, holy_spaces, nodes_at
from companion.games.fallujah2004.rules.r11_recruiting import recruitable, unit_cost, whole
from companion.games.fallujah2004.words.spaces import SPACES, on_map


def held(position: Position, nodes_deny: bool) -> int:
    """Objective and Mosque spaces with a ground unit in them [6.1] (ruling C-9), without those where a Node denies control
    if the switch says that it does (ruling C-10).
    """
    return sum(not (nodes_deny and contested(position, place)) for place in holy_spaces(position, is_ground))


def contested(position: Position, place: str) -> bool:
    """Whether a Node lies in a space; a Downed Helicopter counts as one [14.7]."""
    return bool(nodes_at(position, place) or concealed_at(position, place))


def count(position: Position, charts: Mapping[str, Chart], nodes_deny: bool) -> Score:
    """[6.1] The victory points as the game stands, and the degree of victory [6.3]."""
    chart = charts["nodes"]
    items: list[tuple[str, int, str]] = []
    said = position.flag(names.HOLY_HELD)
    places = said if isinstance(said, int) else held(position, nodes_deny)
    items.append(("Objective and Mosque spaces occupied", places, "6.1"))
    captured = [piece for piece in position.at(names.CAPTURED) if piece.kind == names.NODE]
    for kind in dict.fromkeys(node_of(piece) for piece in captured if node_of(piece) in chart.rows):
        many = sum(node_of(piece) == kind for piece in captured)
        items.append((f"{many} x {chart.text(kind, 'title')} captured", many * chart.number(kind, "vp"), "20.3"))
    items.append(("KIA index", position.track("kia"), "21.0"))
    items.append(("MSR cleared", 5 if position.flag(names.MSR_CLEARED) is True else 0, "6.2"))
    helicopters = [piece for piece in position.of_kind(names.EVENT) if is_helicopter_down(piece)]
    picked = [piece for piece in helicopters if on_map(piece.place) or piece.place in (names.CAPTURED, names.OUT)]
    for piece in picked:  # one that interdiction has destroyed is not secured (ruling C-66)
        secured = piece.place == names.CAPTURED
        items.append((f"Downed Helicopter {'secured' if secured else 'not secured'}", 2 if secured else -2, "14.7"))
    for piece in position.at(names.HVT_BOX):
        items.append((f"{piece.name} eliminated", piece.number("contact"), "6.1"))
    left = sum(lies_concealed(piece) for piece in position.of_kind(names.CONCEALED))
    left += sum(lies_open(piece) for piece in position.of_kind(names.NODE))
    items.append(("Nodes left on the map", -left, "6.1"))
    total = sum(points for _, points, _ in items)
    notes = ["The MSR has not been judged; it is asked at the end."] if position.flag(names.MSR_CLEARED) is None else []
    return Score(tuple(items), total, degree(charts, total), "6.3", (*notes, *_players(position)))


def degree(charts: Mapping[str, Chart], total: int) -> str:
    """[6.3] The degree of victory."""
    return charts["victory"].text(total, "degree")


def _players(position: Position) -> list[str]:
    """[35.0] What each player captured and the KIA of his operations."""
    named = sorted({flag.partition(" of ")[2] for flag in position.flags if flag.startswith(names.SHARES)})
    return [
        f"{name}: Nodes captured {position.flag(f'nodes of {name}', 0)}, KIA {position.flag(f'kia of {name}', 0)}"
        for name in named
    ]


def empty_msr(position: Position, nodes_deny: bool = False) -> list[str]:
    """[6.2] The MSR spaces, of those that have been told, in which no ground unit is, or a Node if that denies control."""
    told = [flag.removeprefix(names.SPACE) for flag in position.flags if flag.startswith(names.SPACE)]
    msr = [space for space in told if (ground := ground_at(position, space)) and "msr" in ground.features]
    held_by = {piece.place for piece in deployed(position) if is_ground(piece)}
    return [space for space in msr if space not in held_by or (nodes_deny and contested(position, space))]


async def final_count(game: Fallujah) -> None:
    """[6.1, 6.2] What only the board shows is asked, the MSR only where the map has not been told whole; then the count is
    announced.
    """
    position = game.position
    deny = game.option("node_denies_control") == "yes"
    alone = " and no Node" if deny else ""
    if position.flag(names.MSR_CLEARED) is None:
        prompt = f"Do ground units{', with no Node beside them,' if deny else ''} hold every MSR space"
        request = Confirm("msr", f"{prompt} from the Main Bridge to the Cloverleaf?", "6.2", False)
        bridge = (await game.known_facts("bridge", "6.2")).get("main")
        empty = bridge and not any(map(is_ground, game.units_at(bridge)))
        whole = all(ground_at(position, space) for space in SPACES)
        request.implied_reply = False if empty or empty_msr(position, deny) else True if whole else None
        cleared = await request
        game.set_flag(names.MSR_CLEARED, cleared, "6.2")
    suggest = min(held(position, deny), 20)
    places = Number("held", f"Objective and Mosque spaces with a Coalition ground unit{alone}", "6.1", 0, 20, suggest)
    places.implied_reply = suggest if all_told(position) else None
    occupied = await places
    game.set_flag(names.HOLY_HELD, occupied, "6.1")
    score = count(game.position, game.charts, deny)
    game.say(
        f"Victory points: {score.total}, {score.verdict}.",
        "6.3",
        *(f"{label}: {points:+d} [{rule}]" for label, points, rule in score.items),
    )
    for note in score.notes:
        game.say(note, "35.0")
    if game.option("scenario") == "campaign":
        campaign_verdict(game, score.total)


def campaign_verdict(game: Fallujah, total: int) -> None:
    """[30.2, 30.2(5)] Whether the campaign is won, lost, or goes on with the second battle (ruling C-34)."""
    won = game.chart("victory").text(total, "campaign") == "win"
    if won:
        game.set_flag(names.CAMPAIGN, "won", "30.2" if game.first_scenario else "30.2(5)")
        game.say("WON: the battle, and with it the campaign.", "30.2" if game.first_scenario else "30.2(5)")
    elif game.first_scenario:
        game.say("The first battle is not won. Set up the second: second", "30.2", tone="reminder")
    else:
        game.say("LOST: the second battle is not won, and so the campaign is lost.", "30.2(5)")


async def declare_end(game: Fallujah) -> None:
    """[8.1(b)] The player declares the end, once every Node on the map is captured or eliminated; or when the first order
    of battle has taken every OP, so that no operation can be begun [8.1(a)], or none can be carried out (ruling C-75).
    """
    left = game.nodes_left()
    if game.ops <= 0:
        game.finish(f"the OPs index is {'below' if game.ops else 'at'} zero", "8.1(a)")
        await final_count(game)
        return
    if left and stranded(game):
        game.finish(f"no operation can be carried out with the {plural(game.ops, 'OP')} left", "8.1(a)")
        await final_count(game)
        return
    if left:
        ops = plural(game.ops, "OP is", "OPs are")
        game.forbid(f"{plural(left, 'Node is', 'Nodes are')} still on the map and {ops} left", "8.1(b)", "Play on")
    game.finish(
        "every Node is captured or eliminated and the player declares the end" if not left else "declared by the player", "8.1(b)"
    )
    await final_count(game)


def stranded(game: Fallujah) -> bool:
    """[8.1] Whether OPs are left with which nothing can be done: nobody can move, no NetWar marker is there, no strike that could
    interdict, and nothing for sale is within means (ruling C-75).
    """
    if any(not is_fob(piece) for piece in deployed(game.position)) or game.netwar():
        return False
    if game.position.flag(names.option_flag("interdiction")) == "on" and game.available(AIR_STRIKE, SOA):
        return False
    return all(whole(unit_cost(game, piece)[0]) > game.ops - 1 for piece in recruitable(game))
