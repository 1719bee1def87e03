"""[3.3, 3.8] The turn: which phase comes next, and the Administrative Phase."""

from __future__ import annotations

from companion.core.errors import Impossible
from companion.core.text import plural
from companion.games.lzalbany.names import ACTS, BOXES, CHIT, FLARE, FLARES_USED, NVA_VP, OFFICER, OUT, PHASE, POOL, TURN
from companion.games.lzalbany.referee import WIN_AT, LzAlbany
from companion.games.lzalbany.rules.r02_map import load_map
from companion.games.lzalbany.rules.r03_events import clear_incidents, event_phase
from companion.games.lzalbany.rules.r03_setup import deploy, reinforce
from companion.games.lzalbany.rules.r04_victory import final_count
from companion.games.lzalbany.rules.r05_chits import draw_chit, end_of_action_phase
from companion.games.lzalbany.rules.r09_rally import rally_phase
from companion.games.lzalbany.words.areas import is_area

LAST_TURN = 10


async def go_on(game: LzAlbany) -> None:
    """[3.3] Whatever comes next: a phase, or in the Action Phase the next chit."""
    phases = {
        "deploy": deploy,
        "reinforcement": reinforce,
        "event": event_phase,
        "action": _chit,
        "rally": rally_phase,
        "administrative": administrative,
    }
    if game.phase not in phases:
        raise Impossible(
            "no phase comes next: the game is over", rule="3.3", cure="If it is not: companion adjust flag:phase event"
        )
    await phases[game.phase](game)


async def _chit(game: LzAlbany) -> None:
    if game.position.at(POOL):
        await draw_chit(game)
    else:
        await end_of_action_phase(game)


async def administrative(game: LzAlbany) -> None:
    """[3.8] Victory, flares, chits back, turn marker on; after turn 10 the end."""
    if game.position.track(NVA_VP) >= WIN_AT:
        game.finish("the NVA has 35 VP and wins", "4.2")
        return
    if game.turn >= LAST_TURN:
        final_count(game)
        return
    burnt = [p for p in game.position.of_kind(FLARE) if is_area(p.place)]
    for flare in burnt:
        game.move(flare.id, FLARES_USED, "3.8", "flares come off")
    clear_incidents(game)
    for officer in game.position.of_kind(OFFICER):
        game.mark(officer.id, ACTS, None, "3.8", "new turn")
    _chits_back(game)
    game.shift_track(TURN, 1, "3.8", "next turn")
    game.say(f"Turn {game.turn} begins{': night' if game.night else ''}.", "3.8")
    if game.option("map") == "own":
        await load_map(game)
    game.set_flag(PHASE, "reinforcement", "3.8")


def _chits_back(game: LzAlbany) -> None:
    """[3.8, 5.1] Every chit that is in play goes back; the NVA's Adrenaline not once it retreats [5.2E]."""
    played = [p for p in game.position.of_kind(CHIT) if p.place.startswith(BOXES)]
    for chit in sorted(played, key=lambda piece: piece.place):
        if game.retreat and chit.name == "NVA Adrenaline":
            game.move(chit.id, OUT, "5.2E", "NVA retreat")
        else:
            game.move(chit.id, POOL, "3.8", "back to the pool")
    game.say(f"The played chits go back: {plural(game.position.count(POOL), 'chit')} in the pool.", "3.8")
