"""[35.0] Several players: whose operation it is."""

from __future__ import annotations

from companion.core.requests import Choice
from companion.core.text import split_list
from companion.games.fallujah2004 import state
from companion.games.fallujah2004.referee import FallujahReferee


async def who_commands(referee: FallujahReferee) -> None:
    """[35.0] With several players: whose operation this is; they alternate unless told otherwise."""
    players = split_list(named) if (named := referee.option("players")) else []
    if len(players) < 2:
        return
    last = referee.position.flag(state.PLAYER)
    following = players[(players.index(last) + 1) % len(players)] if last in players else players[0]
    player = await referee.choose("player", "Whose operation is it?", "35.0", [Choice(name, name) for name in players], following)
    referee.set_flag(state.PLAYER, player, "35.0")
