"""Odds of situations other than a battle in progress, each by the procedure that rolls it."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.dice import cup_contents, draw_odds
from companion.core.errors import Impossible
from companion.core.odds import distribution, mean, probability_of
from companion.core.position import Piece
from companion.core.requests import Choice, Odds, Pick
from companion.core.text import plural
from companion.games.fallujah2004.notation import TERRAINS
from companion.games.fallujah2004.odds.battles import battle_odds
from companion.games.fallujah2004.odds.offensive import OffensivePlan, going_in_odds
from companion.games.fallujah2004.referee import FallujahReferee, deployed
from companion.games.fallujah2004.rules.r08_forces import force_fault
from companion.games.fallujah2004.rules.r09_morale import holy_occupied, level_after, picks, roll_morale
from companion.games.fallujah2004.rules.r12_netwar import infowar_totals, isr_chance
from companion.games.fallujah2004.rules.r13_movement import known_routes, roll_infiltration
from companion.games.fallujah2004.rules.r16_battle import Battle, BattleHost, Fighter, tactical_edge
from companion.games.fallujah2004.rules.r16_combat import ask_response, conditions, describe, fob_bonus
from companion.games.fallujah2004.state import REACTION_CUP, fights, is_fob


async def tactical_edge_odds(referee: FallujahReferee) -> Odds:
    """[16.1(2)] The odds of the Tactical Edge, given both bonuses."""
    ours = await referee.number("coalition", "What does the Coalition add? (contact, leader, NetWar, FOB)", "16.1(2)", 0, 15)
    theirs = await referee.number("opfor", "What does OPFOR add? (contact, Node, event)", "16.1(2)", 0, 15)
    terrain = await referee.choose("terrain", "Terrain", "16.5", [Choice(word, word) for word in TERRAINS], "urban")
    stage = BattleHost(referee, conditions(referee, terrain))
    battle = Battle((Fighter(0, ours),), (Fighter(0, theirs),))
    first = probability_of(distribution(lambda: tactical_edge(stage, battle)), lambda after: after.firing == "coalition")
    return Odds("Tactical Edge", "16.1(2)", (("Who fires first", (("Coalition", first), ("OPFOR", 1.0 - first))),))


async def morale_odds(referee: FallujahReferee) -> Odds:
    """[9.2] The odds that a morale check lowers or raises OPFOR morale."""
    held = await referee.number(
        "held", "How many Mosque and Objective spaces hold Coalition units?", "9.2", 0, 20, holy_occupied(referee)
    )
    falls = probability_of(distribution(lambda: roll_morale(held)), lambda result: result[1] < 0)
    rows = (_way(referee, "lowered", -1), falls), (_way(referee, "raised", 1), 1.0 - falls)
    return Odds("Morale check", "9.2", (("OPFOR morale is", rows),))


def _way(referee: FallujahReferee, word: str, by: int) -> str:
    """[9.2] What a result does; nothing, where the level of the session can go no further."""
    level = referee.position.tracks.get("morale")
    stuck = level is not None and level_after(level, by) == level
    return f"not {word}: it is {referee.morale} already" if stuck else word


async def isr_odds(referee: FallujahReferee) -> Odds:
    """[12.1] The odds that NetWar markers on one Node reveal it."""
    markers = await referee.number("markers", "How many NetWar markers go on the Node?", "12.1", 1, 12, 1)
    found = isr_chance(referee, markers)
    return Odds("J-2 ISR", "12.1", (("The Node", (("revealed", found), ("stays concealed", 1.0 - found))),))


async def infowar_odds(referee: FallujahReferee) -> Odds:
    """[19.0] The OPs that an InfoWar brings."""
    markers = await referee.number("markers", "How many NetWar markers do you commit?", "19.0", 1, 12, 1)
    totals = infowar_totals(referee, markers)
    rows = tuple((f"{total:+d}", chance) for total, chance in totals.items())
    return Odds("J-5 InfoWar", "19.0", (("OPs", rows),), (("OPs, before the one that the operation costs", mean(totals)),))


async def infiltration_odds(referee: FallujahReferee) -> Odds:
    """[27.1] The odds that SOF pass a number of Node spaces."""
    contact = await referee.number("contact", "What is the lowest contact in the SOF force?", "27.1", 0, 9)
    spaces = await referee.number("spaces", "How many Node spaces does it pass?", "27.1", 1, 6, 1)
    passes = probability_of(distribution(lambda: roll_infiltration(contact)), lambda result: result[1]) ** spaces
    return Odds("SOF infiltration", "27.1", (("The force", (("passes", passes), ("is stopped", 1.0 - passes))),))


async def draw_odds_of(referee: FallujahReferee) -> Odds:
    """[14.1] The odds of the next reaction, given the content of the Reaction cup."""
    counts = cup_contents(referee.position, REACTION_CUP)
    if not counts:
        raise Impossible(
            "the Reaction cup is empty, or no session is in play", rule="14.1", cure="Start one: companion new fallujah2004"
        )
    number = await referee.number("picks", "How many counters are drawn?", "14.1", 1, 12, picks(referee))
    total = sum(counts.values())
    units = sum(fights(piece) for piece in referee.position.at(REACTION_CUP))
    fight = draw_odds({"unit": units, "event": total - units}, number)["unit"]
    return Odds(
        "Next reaction",
        "14.1",
        (
            ("The next counter is", tuple((name, count / total) for name, count in counts.items())),
            (f"At least one among {plural(number, 'draw')}", tuple(draw_odds(counts, number).items())),
            ("Among them", (("at least one combat unit", fight), ("no combat unit", 1.0 - fight))),
        ),
        (("combat units", min(number, total) * units / total),),
        ("Extra draws of Ambush, Martyrs and an Arms Cache are not counted.",),
    )


async def offensive_odds_of(referee: FallujahReferee) -> Odds:
    """[10.1] The odds of a J-3 into a space before it begins: reaction, battle, costs."""
    movers = [piece for piece in deployed(referee.position) if not is_fob(piece)]
    if not movers:
        raise Impossible("no Coalition unit is on the map or in a base", rule="8.3", cure="Recruit some first: j1")
    space = await referee.space("to", "Into which space?", "13.0")
    force = await _who_goes(referee, space, [piece for piece in movers if piece.place != space] or movers)
    terrain = (await referee.ground(space, "16.5")).terrain
    bonus = await fob_bonus(referee, space)
    plan = OffensivePlan(space, terrain, tuple(piece.id for piece in force), bonus, await referee.known_facts("stand", "9.3(2)"))
    return going_in_odds(referee, plan, f"J-3 into {referee.title(space)}: {referee.piece_names(force)}")


async def _who_goes(referee: FallujahReferee, space: str, movers: Sequence[Piece]) -> list[Piece]:
    """[8.3] The force: those of the nearest space, if there is one; otherwise it is asked."""
    known = await known_routes(referee)
    starts = dict.fromkeys(piece.place for piece in movers)
    near = [start for start in starts if known.may_be_joined(start, space)] or list(starts)
    found = [piece.name for piece in movers if piece.place == near[0]]
    request = Pick("force", "Which units go in?", "8.3", referee.unit_choices(movers), 1, suggest=found)
    request.implied_reply = found if len(near) == 1 and len(found) == 1 else None
    force = referee.by_name(await request, movers)
    referee.check(force_fault(referee, force))
    return force


async def battle_odds_of(referee: FallujahReferee) -> Odds:
    """[16.1] A described battle to its end."""
    scene, battle, by = await describe(referee)
    stand = await ask_response(referee, "What does the OPFOR Morale Chart print here?", "9.3(2)", "stand") == "stand"
    loss = await referee.number("node_loss", "How many OPs does the Node cost if the battle is lost?", "17.0", 0, 9, 0)
    odds = battle_odds(BattleHost(referee, scene, stand), battle, loss)
    return odds._replace(notes=(*odds.notes, f"Collateral Damage as in {by} (scenario=...).")) if by else odds
