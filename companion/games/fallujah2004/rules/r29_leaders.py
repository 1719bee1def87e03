"""[29.1] Leaders appear after battles won."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.dice import summed_rolls
from companion.core.position import Piece
from companion.core.requests import Choice
from companion.games.fallujah2004.referee import FallujahReferee
from companion.games.fallujah2004.state import LEADER, LEADING, RECRUIT, WITH


async def leader_check(referee: FallujahReferee, force: Sequence[Piece]) -> None:
    """[29.1] After a battle won: 2 or 12 on two dice brings a leader."""
    roll = await referee.roll(
        "leader_check", "Leader check, two dice: a leader joins on 2 or 12", "29.1", 2, outcomes=lambda: summed_rolls(2, int)
    )
    total = sum(roll)
    if referee.chart("leader").text(total, "leader") != "leader":
        referee.say(f"Leader check: {total}. No leader.", "29.1")
        return
    free = [piece for piece in referee.position.at(RECRUIT) if piece.kind == LEADER]
    if not free or not force:
        referee.say(f"Leader check: {total}, but no leader is left to recruit.", "29.1", "ruling C-40")
        return
    referee.say(f"Leader check: {total}. A leader appears.", "29.1")
    leader = free[0]
    if len(free) > 1:
        name = await referee.choose(
            "which_leader", "Which leader?", "29.1", [Choice(one.name, one.name) for one in free], free[0].name
        )
        leader = next(one for one in free if one.name == name)
    choices = [Choice(piece.name, piece.name) for piece in force]
    chosen = choices[0].value
    if len(choices) > 1:
        chosen = await referee.choose("leader", f"{leader.name} appears. Which unit does it join?", "29.1", choices)
    unit = next(piece for piece in force if piece.name == chosen)
    referee.say(f"{leader.name} joins {unit.name}.", "29.1")
    referee.mark(leader.id, WITH, unit.id, "29.1")
    referee.move(leader.id, LEADING, "29.1")
