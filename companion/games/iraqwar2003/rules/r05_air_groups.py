"""[5.1 - 5.4] Air groups: how they are named, and what may be assigned to which mission."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.core.errors import Unreadable
from companion.core.notation import Notation
from companion.core.position import Piece
from companion.core.words import clean, one_of
from companion.games.iraqwar2003.referee import IraqWar, boxes, radar_works
from companion.games.iraqwar2003.rules.r05_air_combat import Flier
from companion.games.iraqwar2003.words.counters import AirValues

RULE_OF_ROLE = {"bombing": "5.3(4)", "support": "5.3(3)", "escort": "5.3(1)", "intercept": "5.3(2)"}
_VALUE_OF_ROLE = {"bombing": "bombing", "support": "support", "escort": "air", "intercept": "air"}
_WORD_OF_VALUE = {"bombing": "bombing value", "support": "ground support value", "air": "air combat value"}


class Group(NamedTuple):
    """An air group: the unit on the mission or None, and the escort or interceptor or None [5.1.1(2)]."""

    lead: Piece | None
    other: Piece | None
    role: str
    other_role: str

    @property
    def pieces(self) -> list[Piece]:
        return [piece for piece in (self.lead, self.other) if piece]

    @property
    def title(self) -> str:
        return "+".join(piece.name for piece in self.pieces)


def group_notation(names: Sequence[str], example: str, words: Sequence[str] = ()) -> Notation:
    """``B-1+F-15``: the unit on the mission, then its escort or interceptor; ``none``; and a word before a single unit."""

    def read(text: str) -> str:
        plain = clean(text)
        if plain.casefold() in ("none", "-", "done", ""):
            return "none"
        word, _, rest = plain.partition(" ")
        lead = next((known for known in words if rest and len(word) > 1 and known.startswith(word.casefold())), "")
        parts = [one_of(part.strip(), names, "air unit") for part in (rest if lead else plain).split("+")]
        if len(parts) > 2 or len(set(parts)) != len(parts) or (lead and len(parts) > 1):
            raise Unreadable("a group has one unit on a mission and at most one more", rule="5.1.1(2)", cure=f"Like: {example}")
        return f"{lead} {parts[0]}" if lead else "+".join(parts)

    return Notation("air group", example, read)


async def check_unit(game: IraqWar, piece: Piece, role: str, facility: bool = False) -> AirValues:
    """[5.3] Whether a unit may be given that role; its values are asked for if they are not known.

    Args:
        facility: the mission is facility bombing, the only one for a naval unit.
    """
    naval = piece.values.get("type") == "naval"
    if piece.place == "removed":
        game.forbid(f"{piece.name} has been removed from the game", "5.5(6)", "Name another")
    elif piece.place.endswith(" used") and naval:
        game.forbid(f"{piece.name} has fired its cruise missiles; each ship does so once a game", "2.5.4(2)", "Name another")
    elif piece.place.endswith(" used"):
        game.forbid(f"{piece.name} has been used this turn", "2.1.4", "It comes back at the end of the turn")
    if naval and (role != "bombing" or not facility):
        game.forbid(f"{piece.name} is a naval unit: it bombs facilities and nothing else", "2.5.4(1)", "Name an air unit")
    if not naval and game.position.flag("grounded"):
        game.forbid("the sand storm grounds all air units now", "16.6(3)", "Naval units still fire")
    values = await game.air_values(piece)
    what = _VALUE_OF_ROLE[role]
    if getattr(values, what) < 1:
        rule = RULE_OF_ROLE[role]
        game.forbid(f"{piece.name} ({values}) has no {_WORD_OF_VALUE[what]}, so it cannot be on {role}", rule, "Name another")
    return values


def check_airfields(game: IraqWar, pieces: Sequence[Piece], already: int = 0) -> None:
    """[5.8.2, 5.4.1(3)] Iraq uses at most as many air units a turn as it has undamaged Air Fields.

    Args:
        already: units named in this operation that are not in the Used box yet.
    """
    fields = boxes(game.position, "airfield")
    left = game.airfields_left() - already
    if fields and all(field.mark("damaged") is not None for field in fields):
        game.forbid("every Air Field is destroyed: Iraq can perform no air operation", "5.8.2(2)", "Play on without")
    elif len(pieces) > left:
        text = f"{len(pieces)} air units named, and the Air Fields allow {max(left, 0)} more this turn"
        game.forbid(text, "5.8.2(1)", "Name fewer")


def check_sector(game: IraqWar, sectors: Sequence[str]) -> None:
    """[5.4.1(2), 5.8.1(3)] Iraq intercepts only where a Radar of the sector, or of either sector of a border hex, works."""
    if sectors and not any(radar_works(game.position, sector) for sector in sectors):
        where = " and ".join(sectors)
        game.forbid(f"both Radars of the sector ({where}) are destroyed: Iraq cannot intercept there", "5.4.1(2)", "Name none")


def as_flier(piece: Piece, values: AirValues, role: str, side: str) -> Flier:
    """The unit as it fights."""
    return Flier(piece.name, side, role, values.air, values.stealth, piece.id)
