"""What a second screen shows of a session: gathered once after each change of it, and laid out anew at each paint."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from companion.core.errors import CompanionError
from companion.core.game import Banner, Game
from companion.core.map import Map
from companion.core.position import Position
from companion.core.request import Odds, Request
from companion.session.standing import SessionState
from companion.views.banner import game_over_lines
from companion.views.foot import field_values
from companion.views.lines import Line
from companion.views.log import log_lines
from companion.views.map import known_map

_LAST_ENTRIES = 3


class Snapshot(NamedTuple):
    """A session as it stands, for whoever looks on.

    Attributes:
        name: of the session.
        position: as it stands, with the open entry as far as it is.
        before: the figures of the banner before the last entry, by key.
        banner: of the position.
        pending: the question that is open.
        broken: why the open entry cannot go on, or "".
        over: that the game is over, and the verdict; nothing while it goes on.
        usual: the action that is the usual one now, or "".
        last: the lines of the last entries, the newest at the end.
        map: as far as it is known; None where the game has none.
        odds: of the open question; None where it offers none, or they are not worked out yet.
    """

    name: str
    game: Game
    position: Position
    before: Mapping[str, str]
    banner: Banner
    pending: Request[Any] | None
    broken: str
    over: list[Line]
    usual: str
    last: list[Line]
    map: Map | None
    odds: Odds | None = None


def snapshot(desk: SessionState) -> Snapshot:
    """The session as it stands; the odds of its question are left to be worked out by ``with_odds``."""
    game, position, history = desk.game, desk.position, desk.history
    pending = desk.pending
    last = history.force[-1]
    under_way = desk.events_of(last) if pending else ()
    map = known_map(game, position, desk.options, desk.log.facts(), desk.archive.inferred_facts(game.id)) if game.map_in else None
    return Snapshot(
        desk.info.name,
        game,
        position,
        field_values(game.banner(history.position(before=last), desk.options)) if last > 1 else {},
        game.banner(position, desk.options),
        pending,
        desk.broken,
        game_over_lines(game, position, desk.options),
        "" if game.over(position) else game.usual(position),
        log_lines(game, history, last=_LAST_ENTRIES, under_way=under_way),
        map if map and map.spaces else None,
    )


def with_odds(found: Snapshot) -> Snapshot:
    """The same with the odds of its question, where it offers any."""
    if found.pending is None or found.pending.odds is None:
        return found
    try:
        return found._replace(odds=found.pending.odds())
    except CompanionError:  # they need something that nobody has told yet
        return found
