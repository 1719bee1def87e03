"""[35.0] Several players: whose operation it is."""

from __future__ import annotations

from companion.core.requests import Choice
from companion.core.text import split_list
from companion.games.fallujah2004 import names
from companion.games.fallujah2004.referee import Fallujah


async def who_commands(game: Fallujah) -> None:
    """[35.0] With several players: whose operation this is; they alternate unless told otherwise."""
    players = split_list(named) if (named := game.option("players")) else []
    if len(players) < 2:
        return
    last = game.position.flag(names.PLAYER)
    following = players[(players.index(last) + 1) % len(players)] if last in players else players[0]
    player = await game.choose("player", "Whose operation is it?", "35.0", [Choice(name, name) for name in players], following)
    game.set_flag(names.PLAYER, player, "35.0")
