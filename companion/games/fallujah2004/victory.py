"""[6.0] How to win: the count, itemised; the campaign [30.2] and several players [35.0]."""

from __future__ import annotations

from companion.core.game import Score, Tables
from companion.core.position import Position
from companion.core.requests import Choice
from companion.games.fallujah2004.counters import is_ground
from companion.games.fallujah2004.nodes import node_kind
from companion.games.fallujah2004.referee import Fallujah, deployed, on_map
from companion.games.fallujah2004.spaces import read_ground


def held_by_ground(position: Position) -> int:
    """Objective and Mosque spaces with a ground unit in them [6.1] (ruling C-9)."""
    places = {piece.place for piece in deployed(position) if on_map(piece.place) and is_ground(piece)}
    held = 0
    for place in places:
        told = position.flag(f"space:{place}")
        held += isinstance(told, str) and read_ground(told).terrain in ("objective", "mosque")
    return held


def contested(position: Position, place: str) -> bool:
    """Whether a Node denies control of a space, where the switch says that it does (ruling C-10)."""
    return any(piece.place == place and piece.kind in ("node", "concealed") for piece in position.pieces.values())


def count(position: Position, tables: Tables, nodes_deny: bool) -> Score:
    """[6.1] The victory points as the game stands, and the degree of victory [6.3]."""
    chart = tables.charts["nodes"]
    items: list[tuple[str, int, str]] = []
    said = position.flag("holy held")
    places = said if isinstance(said, int) else _held(position, nodes_deny)
    items.append(("Objective and Mosque spaces occupied", places, "6.1"))
    captured = [piece for piece in position.at("captured") if piece.kind == "node"]
    for kind in dict.fromkeys(node_kind(piece) for piece in captured):
        many = sum(node_kind(piece) == kind for piece in captured)
        items.append((f"{many} x {chart.text(kind, 'title')} captured", many * chart.number(kind, "vp"), "20.3"))
    items.append(("KIA index", position.track("kia"), "21.0"))
    items.append(("MSR cleared", 5 if position.flag("msr cleared") is True else 0, "6.2"))
    helicopters = [piece for piece in position.of_kind("event") if piece.values.get("event") == "downed_helicopter"]
    picked = [piece for piece in helicopters if on_map(piece.place) or piece.place in ("captured", "out")]
    for piece in picked:  # one that interdiction has destroyed is not secured (ruling C-66)
        secured = piece.place == "captured"
        items.append((f"Downed Helicopter {'secured' if secured else 'not secured'}", 2 if secured else -2, "14.7"))
    for piece in position.at("hvt box"):
        items.append((f"{piece.name} eliminated", piece.number("contact"), "6.1"))
    left = sum(
        (piece.kind == "concealed" and piece.place not in ("node pile", "off")) or (piece.kind == "node" and on_map(piece.place))
        for piece in position.pieces.values()
    )
    items.append(("Nodes left on the map", -left, "6.1"))
    total = sum(points for _, points, _ in items)
    notes = ["The MSR has not been judged; it is asked at the end."] if position.flag("msr cleared") is None else []
    return Score(tuple(items), total, degree(tables, total), "6.3", (*notes, *_players(position)))


def _held(position: Position, nodes_deny: bool) -> int:
    if not nodes_deny:
        return held_by_ground(position)
    places = {piece.place for piece in deployed(position) if on_map(piece.place) and is_ground(piece)}
    return sum(
        read_ground(str(position.flag(f"space:{place}", "open"))).terrain in ("objective", "mosque")
        and not contested(position, place)
        for place in places
    )


def degree(tables: Tables, total: int) -> str:
    """[6.3] The degree of victory."""
    return tables.charts["victory"].text(total, "degree")


def _players(position: Position) -> list[str]:
    """[35.0] What each player captured and the KIA of his operations."""
    named = sorted({flag.partition(" of ")[2] for flag in position.flags if flag.startswith(("nodes of ", "kia of "))})
    return [
        f"{name}: {position.flag(f'nodes of {name}', 0)} Nodes captured, KIA {position.flag(f'kia of {name}', 0)}"
        for name in named
    ]


async def final_count(game: Fallujah, tables: Tables) -> None:
    """[6.1, 6.2] What only the board shows is asked; then the count is announced."""
    position = game.position
    if position.flag("msr cleared") is None:
        cleared = await game.confirm(
            "msr", "Do ground units hold every MSR space from the Main Bridge to the Cloverleaf", "6.2", suggest=False
        )
        game.set_flag("msr cleared", cleared, "6.2")
    suggest = min(_held(position, game.option("node_denies_control") == "yes"), 20)
    held = await game.number("held", "Objective and Mosque spaces with a Coalition ground unit", "6.1", 0, 20, suggest)
    game.set_flag("holy held", held, "6.1")
    score = count(game.position, tables, game.option("node_denies_control") == "yes")
    game.say(
        f"Victory points: {score.total}, {score.verdict}.",
        "6.3",
        *(f"{label}: {points:+d} [{rule}]" for label, points, rule in score.items),
    )
    for note in score.notes:
        game.say(note, "35.0")
    if game.option("scenario") == "campaign":
        campaign_verdict(game, tables, score.total)


def campaign_verdict(game: Fallujah, tables: Tables, total: int) -> None:
    """[30.2, 30.2(5)] Whether the campaign is won, lost, or goes on with the second battle (ruling C-34)."""
    won = tables.charts["victory"].text(total, "campaign") == "win"
    if won:
        game.set_flag("campaign", "won", "30.2" if game.first_scenario else "30.2(5)")
        game.say("The battle is won, and with it the campaign.", "30.2" if game.first_scenario else "30.2(5)")
    elif game.first_scenario:
        game.say("The first battle is not won: set up the second with: second", "30.2", tone="reminder")
    else:
        game.say("The second battle is not won: the campaign is lost.", "30.2(5)")


async def declare_end(game: Fallujah, tables: Tables) -> None:
    """[8.1(b)] The player declares the end, once every Node on the map is captured or eliminated; or when the first order
    of battle has taken every OP, so that no operation can be begun [8.1(a)].
    """
    left = game.nodes_left()
    if game.ops <= 0:
        game.finish("the OPs index is at zero", "8.1(a)")
        await final_count(game, tables)
        return
    if left:
        game.forbid(f"{left} Nodes are still on the map and {game.ops} OPs are left", "8.1(b)", "Play on")
    game.finish(
        "every Node is captured or eliminated and the player declares the end" if not left else "declared by the player", "8.1(b)"
    )
    await final_count(game, tables)


async def who_commands(game: Fallujah) -> None:
    """[35.0] With several players: whose operation this is; they alternate unless told otherwise."""
    players = [name.strip() for name in game.option("players").split(",") if name.strip()]
    if len(players) < 2:
        return
    last = game.position.flag("player")
    following = players[(players.index(last) + 1) % len(players)] if last in players else players[0]
    player = await game.choose("player", "Whose operation is it", "35.0", [Choice(name, name) for name in players], following)
    game.set_flag("player", player, "35.0")
