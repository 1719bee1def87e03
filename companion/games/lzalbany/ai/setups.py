"""The styles in which a side is set up, and which of them is best for a roster and a map.

A style replaces weights of the set-up. Which one is best for a known roster and map was found by whole games
(``python -m tests.measures.albany setups``) and is kept in ``ai.toml``; for others it is chosen by playouts of whole games.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from companion.core.position import Position
from companion.games.lzalbany import state

if TYPE_CHECKING:
    from companion.games.lzalbany.referee import AlbanyReferee

_GROUND = (state.terrain_flag(""), state.edge_flag(""), state.next_flag(""), state.start_flag(""))


def setup_digest(position: Position) -> str:
    """A digest of all counters with their strengths and of the map, the same in every session and position with them."""
    strengths = ("fire", "melee", "back fire", "back melee")
    counters = (
        f"{piece.name} {state.type_of(piece)} {[piece.number(strength) for strength in strengths]}"
        for piece in position.pieces.values()
        if piece.kind in (state.UNIT, state.OFFICER) and piece.place != state.OUT
    )
    ground = (f"{flag}={value}" for flag, value in position.flags.items() if flag.startswith(_GROUND))
    return blake2b("\n".join([*sorted(counters), *sorted(ground)]).encode(), digest_size=6).hexdigest()


def style_names(ai: Mapping[str, Any], side: state.Side) -> Sequence[str]:
    """The styles of a side; the first is the usual one."""
    return list(ai["styles"][side.casefold()])


def found_style(ai: Mapping[str, Any], side: state.Side, position: Position) -> str | None:
    """The best style of a side for the roster and map; None if it has not been searched."""
    found: Mapping[str, str] = ai["setups"].get(setup_digest(position), {})
    return found.get(side.casefold())


def style_of(referee: AlbanyReferee, side: state.Side) -> str:
    """The style of a side: the chosen one, the best one that was found, or the usual one."""
    ai, position = referee.data.ai, referee.position
    chosen = position.flag(state.style_flag(side)) or found_style(ai, side, position)
    names = style_names(ai, side)
    return str(chosen) if chosen in names else names[0]


def style_weights(referee: AlbanyReferee, side: state.Side) -> Mapping[str, float]:
    """The weights of the set-up that the style of a side replaces."""
    weights: Mapping[str, float] = referee.data.ai["styles"][side.casefold()][style_of(referee, side)]
    return weights
