"""[13.5] Retreats: into the hexes that the rule puts first, as far as the map and the units are told, else as the player sees."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Confirm
from companion.games.iraqwar2003.bot.stands import shelter
from companion.games.iraqwar2003.names import MAP, SIDE_TITLES
from companion.games.iraqwar2003.referee import IraqWar
from companion.games.iraqwar2003.rules.r08_stacking import faults
from companion.games.iraqwar2003.rules.r09_zones import Retreat, retreat_hexes
from companion.games.iraqwar2003.rules.r13_losses import here, lose_step, remove
from companion.games.iraqwar2003.rules.r15_control import enter_hexes
from companion.games.iraqwar2003.words.counters import side_of
from companion.games.iraqwar2003.words.land import land_of
from companion.games.iraqwar2003.words.places import hex_of, is_hex, units_in

_ALL = Choice("all", "all of them retreat")
_NOWHERE = Choice("none", "no hex to go to: each loses a strength step where it stands")
_OFF = Choice("off", "forced off the board: removed")
_STAYS = Choice("stays", "it ignores the retreat in the city")
_EACH = Choice("each", "not all alike")


async def retreat(game: IraqWar, ids: Sequence[str], side: str, in_city: bool) -> list[str]:
    """[13.5] The ids of the units that have left the hex. Where it is told in which hexes everybody stands, the rule's order
    gives the hexes; else they are the player's, who is told in which order they count.
    """
    left = here(game, ids)
    if in_city and await _stays(game, left, side):
        game.say(f"{game.piece_names(left)} {'ignores' if len(left) == 1 else 'ignore'} the retreat in the city.", "13.5(8)")
        return []
    game.say(
        f"{game.piece_names(left)} {'retreats' if len(left) == 1 else 'retreat'} 1 hex.",
        "13.5(2)",
        "first: a hex without water, enemy or enemy zone of control [13.5(3)]; friends in it cancel the zone [13.5(4)]",
        "then: nearer to the own supply source",
        "then: below the stacking limit; else a hex further, until it fits [13.5(5)]",
        "flying units retreat like all others [12.5(4)]; no movement points are spent [13.5(1)]",
        tone="board",
    )
    how = await _how(game, left, side, len(left) > 1)
    moved: list[str] = []
    for piece in left:
        one = how
        if how == _EACH.value:
            one = await _each(game, piece, in_city)
        moved += [piece.id] if await _retreat_one(game, piece, one) else []
    return moved


async def _stays(game: IraqWar, left: Sequence[Piece], side: str) -> bool:
    """[13.5(8)] Whether who is in a city ignores the retreat; our opponent gives no city up."""
    if game.computer_plays(side):
        return True
    request = Confirm("ignore", f"{game.piece_names(left)} in a city: ignore the retreat?", "13.5(8)", suggest=True)
    return await game.of_side(side, request)


async def _how(game: IraqWar, left: Sequence[Piece], side: str, several: bool) -> str:
    """[13.5(2)] Where they retreat to: a hex, ``all`` into one that is not told, ``none``, ``off``, or ``each`` another way. What
    the rule leaves no choice of is said; of hexes alike the owner chooses (ruling C-54), and our opponent takes the first.
    """
    start = hex_of(left)
    found = _found(game, left, start)
    if found and _certain(game, found, side):
        if not found.hexes:
            game.skip_question("retreat", f"every hex around {start} is closed to them", "13.5(6)", as_good=(_NOWHERE.value,))
            return _NOWHERE.value
        only = _chosen(game, left, found.first, side)
        why = "it comes first" if len(found.first) == 1 else f"one of {', '.join(found.first)}"
        game.skip_question("retreat", f"the way is to {only}, {why}", "13.5(2)", as_good=(only, _ALL.value))
        return only
    more = [_EACH] if several else []
    request = Choose(
        "retreat", f"Where do the {SIDE_TITLES[side]} units retreat?", "13.5(2)", [*_ways(found), *more], _first(found)
    )
    return await game.of_side(side, request)


def _found(game: IraqWar, left: Sequence[Piece], start: str) -> Retreat | None:
    """The hexes around them in the order of the rule; None where the map does not tell."""
    return retreat_hexes(game.position, left, start) if start and land_of(game.position).how else None


def _certain(game: IraqWar, found: Retreat, side: str) -> bool:
    """Whether nobody need be asked: all that counts is told, and one hex comes first, none is left, or our opponent chooses."""
    land = land_of(game.position)
    printed = all(land.ground(number).ground for number in found.first)  # what is told of lies on the map
    return found.sure and printed and (len(found.first) < 2 or game.computer_plays(side))


def _chosen(game: IraqWar, left: Sequence[Piece], first: Sequence[str], side: str) -> str:
    """Of hexes alike that which our opponent chooses, where it plays the side."""
    return shelter(game, left, first) if game.computer_plays(side) and game.option("opponent") else first[0]


def _ways(found: Retreat | None) -> list[Choice]:
    """What a retreat may come to: the hexes that come first, or, where not all is told, all that may be open."""
    if not found:
        return [_ALL, _NOWHERE, _OFF]
    numbers = found.first if found.sure else found.hexes
    hexes = [Choice(number, number, "comes first" if number in found.first else "") for number in numbers]
    return [*hexes, *([] if found.sure and numbers else [_ALL, _NOWHERE]), _OFF]


def _first(found: Retreat | None) -> str:
    return _ways(found)[0].value


async def _each(game: IraqWar, piece: Piece, in_city: bool) -> str:
    """[13.5] How one of several retreats."""
    found = _found(game, [game.piece(piece.id)], piece.place if is_hex(piece.place) else "")
    ways = [*_ways(found), *([_NOWHERE] if found and found.sure and found.hexes else []), *([_STAYS] if in_city else [])]
    request = Choose("one", f"Where does {piece.name} retreat?", "13.5(8)" if in_city else "13.5(6)", ways, _first(found))
    return await game.of_side(side_of(piece), request)


async def _retreat_one(game: IraqWar, piece: Piece, how: str) -> bool:
    """Whether the unit has left its hex."""
    if how == _NOWHERE.value:
        lose_step(game, piece, "13.5(6)", "no hex to retreat to")
        return False
    if how == _OFF.value:
        remove(game, piece, "13.5(7)", "retreats off the board")
    elif is_hex(how):
        return await _fitted(game, piece, how)
    elif how == _ALL.value:
        game.move(piece.id, MAP, "13.5", "retreats")
    return how != _STAYS.value


async def _fitted(game: IraqWar, piece: Piece, number: str) -> bool:
    """[13.5(5)] Into a hex, and from one that is full a hex further, until the unit fits; where it never does, it loses a
    strength step in the hex where it began (ruling C-22).
    """
    start, way = piece.place, [number]
    while faults([piece, *_friends(game, piece, way[-1])]):
        found = retreat_hexes(game.position, [piece], way[-1])
        open_to = [one for one in found.hexes if one not in (start, *way)]
        if not open_to:
            lose_step(game, piece, "13.5(6)", f"no room from {start} on")
            return False
        first = [one for one in found.first if one in open_to] or open_to[:1]
        bot = game.computer_plays(side_of(piece))
        way.append(first[0] if bot else await _further(game, piece, way[-1], first))
    game.move(piece.id, way[-1], "13.5(5)" if len(way) > 1 else "13.5(2)", "retreats")
    enter_hexes(game, piece, way)
    return True


def _friends(game: IraqWar, piece: Piece, number: str) -> list[Piece]:
    """Those in a hex with whom a unit would stack."""
    return [one for one in units_in(game.position, number) if one.id != piece.id and side_of(one) == side_of(piece)]


async def _further(game: IraqWar, piece: Piece, full: str, hexes: Sequence[str]) -> str:
    """[13.5(5)] The next hex, where the one before is full: the owner's choice among those alike."""
    prompt = f"{full} is full. Where does {piece.name} go on to?"
    choices = [Choice(number, number) for number in hexes]
    return await game.of_side(side_of(piece), Choose("further", prompt, "13.5(5)", choices, hexes[0]))
