"""[16.1] Presidential Palace bombing: intelligence, the eight markers, the minister."""

from __future__ import annotations

from companion.games.iraqwar2003.names import ASIDE, COALITION, FOUND, PALACE, SADDAM
from companion.games.iraqwar2003.referee import IraqWar, on_map
from companion.games.iraqwar2003.words.counters import US, nation
from companion.games.iraqwar2003.words.land import BAGHDAD
from companion.games.iraqwar2003.words.places import is_hex

MARKERS = ("Sadam Husein", "I.M. Sahaf", "Dummy")


async def intelligence(game: IraqWar) -> bool:
    """[16.1] At the start of each Facility Bombing Phase: a 5 or 6 tells where Saddam Hussein may be."""
    if not game.on(PALACE) or not game.position.at(PALACE):
        return False
    face, word = await game.die("intelligence", "Intelligence on Saddam: on 5-6 you may bomb a palace this turn", "16.1")
    found = word == "found"
    game.say(f"Intelligence: {face}, needs 5-6. The palace {'may be bombed' if found else 'is off limits'} this turn.", "16.1")
    return found


async def uncover(game: IraqWar) -> None:
    """[16.1(3)] A hit: the back of the marker that was bombed is looked at."""
    name = await game.draw("marker", "Which palace marker was hit?", "16.1(3)", PALACE, MARKERS, "marker", "palace")
    piece = next((one for one in game.position.at(PALACE) if one.name == name), None)
    if name == MARKERS[0]:
        game.set_flag(SADDAM, FOUND, "16.1(4)")
        game.say(f"SADDAM HUSSEIN is hit: {game.points('saddam')}. From now on Iraq rolls for its command points.", "16.1(4)")
    elif name == MARKERS[1]:
        await _minister(game)
        return
    else:
        game.say("It was a dummy.", "16.1(5)")
    if piece:
        game.move(piece.id, ASIDE, "16.1(3)", "bombed")


async def _minister(game: IraqWar) -> None:
    """[16.1(6)] Minister Sahaf speaks; his marker goes back among the others (ruling C-26)."""
    if await _americans(game):
        game.say("Americans are in Baghdad: nobody believes the minister, no VP lost. Shuffle his marker back in.", "16.1(6)")
        return
    game.shift_track("sahaf", 1, "16.1(6)", "the minister's press conference")
    game.say(f"Minister Sahaf holds a press conference: {game.points('sahaf')}. Shuffle his marker back in.", "16.1(6)")


async def _americans(game: IraqWar) -> bool:
    """[16.1(6)] Whether an American ground unit is in Baghdad: said where it is told in which hexes they stand."""
    units = [piece for piece in on_map(game.position, COALITION) if nation(piece) == US]
    there = [piece for piece in units if piece.place in BAGHDAD]
    if there or (units and all(is_hex(piece.place) for piece in units)):
        game.skip_question(
            "americans", f"in Baghdad stand {game.piece_names(there)}", "16.1(6)", as_good=("yes",) if there else ("no",)
        )
        return bool(there)
    return await game.confirm("americans", "Is an American ground unit in either hex of Baghdad?", "16.1(6)", suggest=False)
