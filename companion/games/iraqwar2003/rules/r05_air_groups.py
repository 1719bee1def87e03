"""[5.1 - 5.4, 5.8] Air groups: how they are named, what may be assigned to which mission, and what they will meet there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.core.errors import Unreadable
from companion.core.game import Obstacle
from companion.core.notation import Notation
from companion.core.position import Piece
from companion.core.words import clean, pick_name
from companion.games.iraqwar2003.names import COALITION, GROUNDED, IRAQ, NONE, REMOVED, available, is_none, used
from companion.games.iraqwar2003.referee import IraqWar, boxes, intact, radar_works
from companion.games.iraqwar2003.rules.r05_air_combat import BOMBING, ESCORT, INTERCEPT, SUPPORT, Flier, Mission
from companion.games.iraqwar2003.words.counters import AirValues, is_naval, side_of
from companion.games.iraqwar2003.words.sites import AIRFIELD

_USED = frozenset((used(COALITION), used(IRAQ)))
_RULE_OF_ROLE = {BOMBING: "5.3(4)", SUPPORT: "5.3(3)", ESCORT: "5.3(1)", INTERCEPT: "5.3(2)"}
_VALUE_OF_ROLE = {BOMBING: "bombing", SUPPORT: "support", ESCORT: "air", INTERCEPT: "air"}
_WORD_OF_VALUE = {"bombing": "bombing value", "support": "ground support value", "air": "air combat value"}


class Group(NamedTuple):
    """An air group: the unit on the mission or None, and the escort or interceptor or None [5.1.1(2)]."""

    lead: Piece | None = None
    other: Piece | None = None
    role: str = BOMBING
    other_role: str = ESCORT

    @property
    def pieces(self) -> list[Piece]:
        return [piece for piece in (self.lead, self.other) if piece]

    @property
    def title(self) -> str:
        return "+".join(piece.name for piece in self.pieces)


class Plan(NamedTuple):
    """[5.2(1)] One group on its target, with all that it will meet there.

    Attributes:
        kind: ``box``, ``palace``, ``unit``, ``road`` or ``drop``. id: of the piece, or the hex. target: in words.
        shots: firepower of each anti-air shot at it. fire_rule: by which rule.
        value: the bombing value as it counts there. city: it was halved.
        sectors: air sectors of the target; () where it does not matter.
        interceptor: who intercepts it, or None.
    """

    group: Group
    kind: str
    id: str
    target: str
    shots: tuple[int, ...] = ()
    fire_rule: str = "5.6(1)"
    value: int = 0
    city: bool = False
    sectors: tuple[str, ...] = ()
    interceptor: Piece | None = None

    @property
    def lead(self) -> Piece:
        """The unit on the mission."""
        assert self.group.lead
        return self.group.lead


# -- naming groups -----------------------------------------------------------------------------------------------------


def group_notation(names: Sequence[str], example: str, words: Sequence[str] = ()) -> Notation:
    """``B-1+F-15``: the unit on the mission, then its escort or interceptor; ``none``; and a word before a single unit."""

    def read(text: str) -> str:
        plain = clean(text)
        if is_none(plain) or plain.casefold() == "done":
            return NONE
        word, _, rest = plain.partition(" ")
        lead = next((known for known in words if rest and len(word) > 1 and known.startswith(word.casefold())), "")
        parts = [pick_name(part.strip(), names, "air unit") for part in (rest if lead else plain).split("+")]
        if len(parts) > 2 or len(set(parts)) != len(parts) or (lead and len(parts) > 1):
            raise Unreadable("a group has one unit on a mission and at most one more", rule="5.1.1(2)", cure=f"Like: {example}")
        return f"{lead} {parts[0]}" if lead else "+".join(parts)

    return Notation("air group", example, read)


# -- what is allowed ---------------------------------------------------------------------------------------------------


async def check_unit(game: IraqWar, piece: Piece, role: str, facility: bool = False) -> AirValues:
    """[5.3] Whether a unit may be given that role; its values are asked for if they are not known.

    Args:
        facility: the mission is facility bombing, the only one for a naval unit.
    """
    for check in (_spent, _naval, _grounded):
        game.heed(check(game, piece, role, facility))
    values = await game.air_values(piece)
    game.heed(_without_value(piece, role, values))
    game.pin(piece.id)
    return values


def ready_for(game: IraqWar, side: str, role: str, facility: bool = False, but: Sequence[Piece] = ()) -> list[Piece]:
    """[5.3] The units of a side that may be given that role now, by what is known of them; without those named already."""
    known, key = game.position.cache_for(game.options), (ready_for, side, role, facility)
    if key not in known:
        there = [piece for piece in game.air_units(side) if not _away(piece)]
        known[key] = [piece for piece in there if not barred(game, piece, role, facility)]
    named = [piece.id for piece in but]
    return [piece for piece in known[key] if piece.id not in named] if named else list(known[key])


def barred(game: IraqWar, piece: Piece, role: str, facility: bool = False) -> Obstacle | None:
    """[5.3] What stands against giving a unit that role, by what is known of it: unknown values may be any."""
    against = _spent(game, piece, role, facility) or _naval(game, piece, role, facility) or _grounded(game, piece, role, facility)
    if against or not (values := game.known_values(piece)):
        return against
    return _without_value(piece, role, values)


def _away(piece: Piece) -> bool:
    """[2.1.4, 5.5(6)] Whether a unit is in none of the boxes from which it could fly."""
    return piece.place == REMOVED or (piece.place in _USED and piece.place == used(side_of(piece)))


def _spent(game: IraqWar, piece: Piece, role: str, facility: bool) -> Obstacle | None:
    """[2.1.4, 2.5.4(2), 5.5(6)] Removed, or used already."""
    if not _away(piece):
        return None
    if piece.place == REMOVED:
        return Obstacle(f"{piece.name} has been removed from the game", "5.5(6)", "Name another")
    if is_naval(piece):
        text = f"{piece.name} has fired its cruise missiles; each ship does so once a game"
        return Obstacle(text, "2.5.4(2)", "Name another")
    return Obstacle(f"{piece.name} has been used this turn", "2.1.4", "It comes back at the end of the turn")


def _naval(game: IraqWar, piece: Piece, role: str, facility: bool) -> Obstacle | None:
    """[2.5.4(1)] A ship bombs facilities."""
    if not is_naval(piece) or (role == BOMBING and facility):
        return None
    return Obstacle(f"{piece.name} is a naval unit: it bombs facilities and nothing else", "2.5.4(1)", "Name an air unit")


def _grounded(game: IraqWar, piece: Piece, role: str, facility: bool) -> Obstacle | None:
    """[16.6(3)] The storm grounds all but ships (ruling C-24), and does not touch a drop's escort (ruling C-45)."""
    if is_naval(piece) or not game.position.flag(GROUNDED):
        return None
    return Obstacle("the sand storm grounds all air units now", "16.6(3)", "Naval units still fire")


def _without_value(piece: Piece, role: str, values: AirValues) -> Obstacle | None:
    """[5.3] A unit without the value that its role asks for."""
    what = _VALUE_OF_ROLE[role]
    if getattr(values, what):
        return None
    text = f"{piece.name} ({values}) has no {_WORD_OF_VALUE[what]}, so it cannot be on {role}"
    return Obstacle(text, _RULE_OF_ROLE[role], "Name another")


def without_airfields(game: IraqWar, many: int) -> Obstacle | None:
    """[5.8.2, 5.4.1(3)] Iraq uses at most as many air units a turn as it has undamaged Air Fields.

    Args:
        many: units named in this operation, none of which is in the Used box yet.
    """
    fields = boxes(game.position, AIRFIELD)
    left = game.airfields_left()
    if fields and not intact(fields):
        return Obstacle("every Air Field is destroyed: Iraq can perform no air operation", "5.8.2(2)", "Play on without")
    if many > left:
        text = f"{many} air units named, and the Air Fields allow {left} more this turn"
        return Obstacle(text, "5.8.2(1)", "Name fewer")
    return None


def unseen(game: IraqWar, lead: Piece) -> Obstacle | None:
    """[5.4.1(1)] A white silhouette, as far as values are known, is not intercepted."""
    values = game.known_values(lead)
    if values and values.stealth:
        return Obstacle(f"{lead.name} has a white silhouette: it cannot be intercepted", "5.4.1(1)", "Name none")
    return None


def without_radar(game: IraqWar, sectors: Sequence[str]) -> Obstacle | None:
    """[5.4.1(2), 5.8.1(3)] Iraq intercepts only where a Radar of the sector, or of either sector of a border hex, works."""
    if not sectors or any(radar_works(game.position, sector) for sector in sectors):
        return None
    text = f"both Radars of the sector ({' and '.join(sectors)}) are destroyed: Iraq cannot intercept there"
    return Obstacle(text, "5.4.1(2)", "Name none")


def not_to_be_intercepted(game: IraqWar, plan: Plan, foe: str) -> Obstacle | None:
    """[5.4.1] What stands against intercepting a group, whoever flies."""
    return unseen(game, plan.lead) or (without_radar(game, plan.sectors) if foe == IRAQ else None)


# -- as they fight -----------------------------------------------------------------------------------------------------


def flier_of(game: IraqWar, piece: Piece, role: str) -> Flier | None:
    """A unit as it fights; None while its values are not known."""
    values = game.known_values(piece)
    return Flier(piece.name, side_of(piece), role, values.air, values.stealth, id=piece.id) if values else None


def mission_of(game: IraqWar, plan: Plan, interceptor: Piece | None = None) -> Mission | None:
    """A planned mission with all that it meets; None while values are not known.

    Args:
        interceptor: who might intercept it, where nobody has been named yet.
    """
    foe = plan.interceptor or interceptor
    roles = ((plan.lead, plan.group.role), (plan.group.other, plan.group.other_role), (foe, INTERCEPT))
    fliers = [flier_of(game, piece, role) for piece, role in roles if piece]
    known = [flier for flier in fliers if flier]
    if len(known) < len(fliers):
        return None
    lead = known[0]._replace(worth=plan.value, shots=plan.shots, fire_rule=plan.fire_rule)
    return Mission((lead, *known[1:]), plan.target)


def spend(game: IraqWar, pieces: Sequence[Piece]) -> None:
    """[5.2(6), 5.5(10), 5.7(2)] Everything that took part and is still there goes to its Used box."""
    flown = {piece.id: piece for piece in pieces}  # insisted on, one may fly in two groups
    there = [(game.piece(piece.id), side_of(piece)) for piece in flown.values()]
    game.move_all([(piece, used(side)) for piece, side in there if piece.place == available(side)], "5.2(6)", "used")
