"""The rules of the Ferry, in the order of the rulebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from companion.core.candidates import Candidate, Priority, Recommendation, rank
from companion.core.dice import RollOutcome, summed_rolls
from companion.core.game import Obstacle
from companion.core.odds import distribution
from companion.core.position import Piece, Position
from companion.core.procedures import GameOver
from companion.core.referee import Referee
from companion.core.requests import Choice, Choose, Odds, Pick

from .areas import AREAS, FAR, near, title

TURNS = 10
GROUPS = 24
WINS = 16
COMPANIES = {  # Name -> (strength, area)
    "Ahrens": (3, "station"),
    "Brandt": (3, "station"),
    "Conrad": (2, "brickworks"),
    "Dietz": (2, "farm"),
    "Ernst": (1, "church"),
    "Falk": (2, "market"),
    "Gerke": (1, "landing"),
}
ENEMIES = {
    "1st Rifles": (3, "forest"),
    "2nd Rifles": (3, "forest"),
    "3rd Rifles": (3, "highway"),
    "Tanks": (5, "highway"),
    "Scouts": (2, "causeway"),
    "Guards": (4, "reserve"),
    "4th Rifles": (3, "reserve"),
}
CHITS = {"Rifles": 4, "Armour": 3, "Assault": 2, "Shelling": 3, "Ice": 2, "Lull": 2}
ARMOUR = ("Tanks", "Scouts")
RESERVES = {3: ("Guards", "highway"), 5: ("4th Rifles", "forest")}  # Turn -> who comes where
LOADS = {"light": 2, "full": 3, "overload": 4}
ASSAULT = {
    "repelled": "repelled, the attackers lose a step",
    "held": "no effect",
    "shaken": "the defenders lose a step",
    "driven": "the defenders are driven out",
}
FERRY = {"across": "all across", "back": "one group turns back", "swamped": "all but one drown"}
LIMIT = 2

# -- 1. The pieces -----------------------------------------------------------------------------------------------


async def set_up(referee: Referee) -> None:
    """[1.2]"""
    for track, value in (("turn", 1), ("waiting", GROUPS), ("across", 0), ("drowned", 0)):
        referee.set_track(track, value, "1.2", "set-up")
    for kind, units in (("company", COMPANIES), ("enemy", ENEMIES)):
        for name, (full, area) in units.items():
            referee.make(kind, name, area, "1.2", values={"strength": full})
    for name, count in CHITS.items():
        for _ in range(count):
            referee.make("chit", name, "cup", "1.2", face="back")


def strength(piece: Piece) -> int:
    """[1.3]"""
    full = piece.number("strength")
    return max(1, full // 2) if piece.face == "reduced" else full


def units(position: Position, area: str, kind: str) -> list[Piece]:
    """[1.2] The companies or the enemy units in an area."""
    return [piece for piece in position.at(area) if piece.kind == kind]


def in_play(position: Position, kind: str) -> list[Piece]:
    """[1.1] The companies or the enemy units on the map."""
    return [piece for piece in position.of_kind(kind) if piece.place in AREAS]


def choices(pieces: Sequence[Piece]) -> tuple[Choice, ...]:
    """Pieces as choices."""
    return tuple(Choice(piece.id, piece.name, title(piece.place)) for piece in pieces)


# -- 2. Your acts ------------------------------------------------------------------------------------------------


def ready(position: Position) -> list[Piece]:
    """[2.1] The companies that may act."""
    return [piece for piece in in_play(position, "company") if not piece.mark("done")]


def ways(position: Position, company: Piece) -> list[str]:
    """[2.2] Where a company can move."""
    return [
        area
        for area in near(company.place)
        if not units(position, area, "enemy") and len(units(position, area, "company")) < LIMIT
    ]


def movers(position: Position) -> list[Piece]:
    """[2.2] The companies that can move."""
    return [piece for piece in ready(position) if ways(position, piece)]


def diggers(position: Position) -> list[Piece]:
    """[2.3] The companies that can dig in."""
    return [piece for piece in ready(position) if not piece.mark("dug")]


async def move(referee: Referee) -> None:
    """[2.2]"""
    company = referee.piece(await referee.choose("unit", "Which company moves", "2.2", choices(movers(referee.position))))
    areas = [Choice(area, title(area)) for area in ways(referee.position, company)]
    area = await referee.choose("to", "Where to", "2.2", areas)
    referee.move(company.id, area, "2.2", "moves")
    leave(referee, company)
    referee.mark(company.id, "done", True, "2.1")


def leave(referee: Referee, company: Piece) -> None:
    """[2.2] A company that leaves its holes is not dug in."""
    if company.mark("dug"):
        referee.mark(company.id, "dug", None, "2.2")


async def dig(referee: Referee) -> None:
    """[2.3]"""
    company = await referee.choose("unit", "Which company digs in", "2.3", choices(diggers(referee.position)))
    referee.mark(company, "dug", True, "2.3")
    referee.mark(company, "done", True, "2.1")


# -- 3. Assault --------------------------------------------------------------------------------------------------


def targets(position: Position) -> list[str]:
    """[3.1] The areas with enemies beside ready companies."""
    beside = {area for company in ready(position) for area in near(company.place)}
    return [area for area in AREAS if area in beside and units(position, area, "enemy")]


def strikers(position: Position, area: str) -> list[Piece]:
    """[3.1] The ready companies beside an area."""
    return [company for company in ready(position) if area in near(company.place)]


def difference(referee: Referee, attackers: Sequence[Piece], area: str, kind: str) -> int:
    """[3.2] The difference of an assault on the units of a kind in an area."""
    defenders = units(referee.position, area, kind)
    terrain = referee.chart("terrain").number(AREAS[area][1], "defence")
    dug = any(piece.mark("dug") for piece in defenders)
    return sum(map(strength, attackers)) - sum(map(strength, defenders)) - terrain - dug


def two_dice() -> tuple[RollOutcome, ...]:
    """[3.2] Only the sum counts."""
    return summed_rolls(2, lambda face: face)


async def roll_assault(referee: Referee, by: int) -> str:
    """[3.2] The result of an assault at a difference."""
    faces = await referee.roll("assault", f"Assault at {by:+d}", "3.2", 2, outcomes=two_dice)
    return referee.chart("assault").text(sum(faces) + by, "result")


def chances(referee: Referee, by: int) -> dict[str, float]:
    """[3.2] The chance of each result."""
    return distribution(lambda: roll_assault(referee.hypothetical(), by))


def lines(results: Mapping[str, float], words: Mapping[str, str]) -> tuple[tuple[str, float], ...]:
    """Results as lines of odds."""
    return tuple((text, results.get(name, 0.0)) for name, text in words.items())


async def strike(referee: Referee) -> None:
    """[3.1]"""
    areas = targets(referee.position)
    request = Choose("target", "Strike at which area", "3.1", [Choice(area, title(area)) for area in areas])
    request.odds = partial(strike_odds_at, referee)
    request.has_quick_odds = True
    area = await request
    able = strikers(referee.position, area)
    chosen = await Pick("units", "Which companies strike", "3.1", choices(able), low=1, suggest=[unit.id for unit in able])
    attackers = [referee.piece(unit) for unit in chosen]
    by = difference(referee, attackers, area, "enemy")
    result = await roll_assault(referee, by)
    referee.say(f"Strike of {referee.piece_names(attackers)} at {title(area)}: {ASSAULT[result]}", "3.2")
    for attacker in attackers:
        referee.mark(attacker.id, "done", True, "2.1")
    if result == "repelled":
        await lose(referee, attackers, "one")
    elif result in ("shaken", "driven"):
        await lose(referee, units(referee.position, area, "enemy"), referee.option("losses"))
    if result == "driven":
        for enemy in units(referee.position, area, "enemy"):
            drive_back(referee, enemy)


def strike_odds_at(referee: Referee) -> Odds:
    """[3.2] The chances of all that can strike, at each area."""
    rows, beside = [], []
    for area in targets(referee.position):
        by = difference(referee, strikers(referee.position, area), area, "enemy")
        results = chances(referee, by)
        rows.append((f"{title(area)} at {by:+d}", lines(results, ASSAULT)))
        beside.append((area, f"{results.get('shaken', 0.0) + results.get('driven', 0.0):.0%}"))
    return Odds("All companies that can strike", "3.2", tuple(rows), beside=tuple(beside))


async def strike_odds(referee: Referee) -> Odds:
    """[3.2] For `companion odds ferry strike`."""
    if not targets(referee.position):
        referee.forbid("no enemy is beside a ready company", "3.1", "Move closer")
    return strike_odds_at(referee)


async def lose(referee: Referee, pieces: Sequence[Piece], how: str) -> None:
    """[3.3] One of the units loses a step, or each."""
    if how == "each" or not pieces:
        victims = [piece.id for piece in pieces]
    elif pieces[0].kind == "company":
        victims = [await referee.choose("loss", "Which company loses a step", "3.3", choices(pieces), suggest=pieces[0].id)]
    else:
        victims = [max(pieces, key=strength).id]
    for victim in victims:
        if referee.piece(victim).face == "reduced":
            leave(referee, referee.piece(victim))
            referee.move(victim, "lost", "3.3", "loses its last step")
        else:
            referee.flip(victim, "reduced", "3.3", "loses a step")


def exits(position: Position, area: str) -> list[str]:
    """[3.4] Where companies retreat to."""
    return [other for other in near(area) if not units(position, other, "enemy")]


async def retreat(referee: Referee, company: Piece) -> None:
    """[3.4]"""
    areas = exits(referee.position, company.place)
    leave(referee, company)
    if not areas:
        referee.move(company.id, "lost", "3.4", "has no way out")
        return
    offered = [Choice(area, title(area)) for area in areas]
    to = await referee.choose(
        "retreat", f"Where does {company.name} retreat", "3.4", offered, suggest=min(areas, key=FAR.__getitem__)
    )
    referee.move(company.id, to, "3.4", "retreats")


def drive_back(referee: Referee, enemy: Piece) -> None:
    """[3.4] An enemy retreats away from the Landing."""
    areas = [area for area in near(enemy.place) if not units(referee.position, area, "company")]
    to = max(areas, key=FAR.__getitem__) if areas else "lost"
    referee.move(enemy.id, to, "3.4", "retreats" if areas else "has no way out")


# -- 4. The ferry ------------------------------------------------------------------------------------------------


def loads(position: Position) -> list[str]:
    """[4.1, 4.4] The loads that the ferry can take."""
    if position.flag("damage"):
        return ["light"]
    waiting = position.track("waiting")
    return [name for name, load in LOADS.items() if name == "light" or load <= waiting]


async def cross(referee: Referee) -> None:
    """[4.1]"""
    request = Choose(
        "load",
        "Load of the ferry",
        "4.1",
        [Choice(name, name, f"{LOADS[name]} groups") for name in loads(referee.position)],
        suggest="light",
    )
    request.odds = partial(load_odds, referee)
    request.has_quick_odds = True
    name = await request
    load = min(LOADS[name], referee.position.track("waiting"))
    result = await roll_ferry(referee, load)
    over, drowned = outcome(result, load)
    referee.say(f"The ferry with {load}: {FERRY[result]}", "4.2")
    referee.shift_track("waiting", -over - drowned, "4.2", "aboard")
    referee.shift_track("across", over, "4.2", "across")
    if drowned:
        referee.shift_track("drowned", drowned, "4.2", "swamped")
    if referee.position.flag("ice"):
        referee.set_flag("ice", None, "4.3", "the ice has drifted past")
    if referee.position.flag("damage"):
        referee.set_flag("damage", None, "4.4", "repaired")


async def roll_ferry(referee: Referee, load: int) -> str:
    """[4.2, 4.3]"""
    (face,) = await referee.roll("ferry", "The ferry", "4.2")
    return referee.chart("ferry").text(face + load - 2 + bool(referee.position.flag("ice")), "result")


def outcome(result: str, load: int) -> tuple[int, int]:
    """[4.2] How many groups are across, and how many drown."""
    return {"across": (load, 0), "back": (load - 1, 0), "swamped": (1, load - 1)}[result]


def load_odds(referee: Referee) -> Odds:
    """[4.2] The chances of each load that can be taken."""
    rows, beside, means = [], [], []
    for name in loads(referee.position):
        load = min(LOADS[name], referee.position.track("waiting"))
        results = ferry_chances(referee, load)
        rows.append((f"{name.capitalize()}: {load} groups", lines(results, FERRY)))
        gain = worth(results, load)
        means.append((f"Points, {name}", gain))
        beside.append((name, f"{gain:+.2f} points"))
    return Odds("The ferry", "4.2", tuple(rows), tuple(means), beside=tuple(beside))


def ferry_chances(referee: Referee, load: int) -> dict[str, float]:
    """[4.2]"""
    return distribution(lambda: roll_ferry(referee.hypothetical(), load))


def worth(results: Mapping[str, float], load: int) -> float:
    """[6.2] The points to be expected of a crossing."""
    return sum(chance * (over - drowned) for result, chance in results.items() for over, drowned in [outcome(result, load)])


async def ferry_odds(referee: Referee) -> Odds:
    """[4.2] For `companion odds ferry ferry`."""
    return load_odds(referee)


# -- 5. The enemy ------------------------------------------------------------------------------------------------


async def end_turn(referee: Referee, priorities: Sequence[Priority]) -> None:
    """[4.1, 5.1]"""
    await cross(referee)
    if referee.position.track("waiting"):
        for _ in range(2):
            await draw_chit(referee, priorities)
    turn = referee.position.track("turn")
    if turn in RESERVES:
        name, area = RESERVES[turn]
        for piece in referee.position.at("reserve"):
            if piece.name == name:
                referee.move(piece.id, area, "5.6", "comes from the reserve")
    referee.mark_all([piece for piece in referee.position.of_kind("company") if piece.mark("done")], "done", None, "5.7")
    referee.shift_track("turn", 1, "5.7", "the turn ends")


async def draw_chit(referee: Referee, priorities: Sequence[Priority]) -> None:
    """[5.1, 5.2]"""
    if not referee.position.at("cup"):
        referee.move_all([(piece, "cup") for piece in referee.position.at("drawn")], "5.1", "the cup is empty")
    name = await referee.draw("chit", "The chit of the enemy", "5.1", "cup", tuple(CHITS))
    if drawn := next((piece for piece in referee.position.at("cup") if piece.name == name), None):
        referee.move(drawn.id, "drawn", "5.1", "drawn")
    referee.say(f"Chit: {name}", "5.1")
    if name == "Shelling":
        await shell(referee)
    elif name == "Ice":
        referee.set_flag("ice", True, "4.3", "ice on the river")
    elif name != "Lull":
        await act(referee, name, priorities)


async def shell(referee: Referee) -> None:
    """[5.5]"""
    (face,) = await referee.roll("shelling", "Shelling", "5.5")
    chart = referee.chart("shelling")
    referee.say(chart.text(face, "told"), "5.5")
    lost = min(chart.number(face, "lost"), referee.position.track("waiting"))
    if lost:
        referee.shift_track("waiting", -lost, "5.5", "hit on the quay")
        referee.shift_track("drowned", lost, "5.5", "hit on the quay")
    if chart.cell(face, "damage"):
        referee.set_flag("damage", True, "4.4", "splinters")


def called(position: Position, chit: str) -> list[Piece]:
    """[5.2] The enemy units that a chit calls, the nearest to the Landing first."""
    able = [piece for piece in in_play(position, "enemy") if chit == "Assault" or (piece.name in ARMOUR) == (chit == "Armour")]
    return sorted(able, key=lambda piece: FAR[piece.place])


async def act(referee: Referee, chit: str, priorities: Sequence[Priority]) -> None:
    """[5.2, 5.3]"""
    waiting = [piece.id for piece in called(referee.position, chit)]
    while waiting:
        leader = referee.piece(waiting[0])
        if leader.place not in AREAS:  # A leader before has lost its last step
            waiting.remove(leader.id)
            continue
        others = [referee.piece(unit) for unit in waiting]
        chosen = plans(referee, leader, others, priorities)
        what, area = chosen.best.decision
        referee.say(f"{leader.name}: {chosen.best.name}", "5.3", *chosen.decided)
        if what == "assault":
            attackers = beside(others, leader, area)
            await assault(referee, attackers, area)
            waiting = [unit for unit in waiting if unit not in {piece.id for piece in attackers}]
        else:
            if what == "march":
                march(referee, leader, area)
            waiting.remove(leader.id)


def beside(others: Sequence[Piece], leader: Piece, area: str) -> list[Piece]:
    """[5.3] The leader and who joins its assault."""
    return [leader, *(piece for piece in others if piece.id != leader.id and area in near(piece.place))]


def plans(
    referee: Referee, leader: Piece, others: Sequence[Piece], priorities: Sequence[Priority]
) -> Recommendation[tuple[str, str]]:
    """[5.3] What an acting unit does, by the priorities in ai.toml."""
    position = referee.position
    found = [Candidate(("stay", leader.place), "stays", measures=measured(leader.place, False, 0))]
    for area in near(leader.place):
        if units(position, area, "company"):
            by = difference(referee, beside(others, leader, area), area, "company")
            found.append(Candidate(("assault", area), f"assaults {title(area)}", measures=measured(area, True, by)))
        elif len(units(position, area, "enemy")) < LIMIT:
            found.append(Candidate(("march", area), f"to {title(area)}", measures=measured(area, False, 0)))
    return rank(found, priorities)


def measured(area: str, assault: bool, by: int) -> dict[str, float]:
    """[5.3] What the priorities compare."""
    return {
        "landing": area == "landing" and not assault,
        "hopeless": assault and by < -2,
        "assault": assault,
        "difference": by,
        "far": FAR[area],
    }


def march(referee: Referee, enemy: Piece, area: str) -> None:
    """[5.3] An enemy at the Landing ends the game."""
    referee.move(enemy.id, area, "5.3", "marches")
    if area == "landing":
        raise GameOver


async def assault(referee: Referee, attackers: Sequence[Piece], area: str) -> None:
    """[5.3, 5.4]"""
    leader = attackers[0]
    by = difference(referee, attackers, area, "company")
    referee.set_flag("target", area, "5.3", "assaulted")
    referee.mark_all(attackers, "assaults", True, "5.3")
    if exits(referee.position, area) and await stance(referee, by, area) == "back":
        for company in units(referee.position, area, "company"):
            await retreat(referee, company)
    else:
        result = await roll_assault(referee, by)
        referee.say(f"Assault of {referee.piece_names(attackers)} on {title(area)}: {ASSAULT[result]}", "3.2")
        if result == "repelled":
            await lose(referee, [leader], "one")
        elif result in ("shaken", "driven"):
            await lose(referee, units(referee.position, area, "company"), referee.option("losses"))
        if result == "driven":
            for company in units(referee.position, area, "company"):
                await retreat(referee, company)
    for attacker in attackers:
        referee.mark(attacker.id, "assaults", None, "5.3")
    referee.set_flag("target", None, "5.3", "over")
    if not units(referee.position, area, "company"):
        referee.move(leader.id, area, "3.5", "enters")
        if area == "landing":
            raise GameOver


async def stance(referee: Referee, by: int, area: str) -> str:
    """[5.4] Stand, or fall back?"""
    request = Choose(
        "stance",
        f"Assault on {title(area)} at {by:+d}",
        "5.4",
        (Choice("stand", "stand"), Choice("back", "fall back")),
        suggest="stand",
    )
    request.odds = lambda: Odds("If you stand", "3.2", ((f"Assault at {by:+d}", lines(chances(referee, by), ASSAULT)),))
    return await request


# -- 6. The end --------------------------------------------------------------------------------------------------


def no_mover(position: Position) -> Obstacle | None:
    """[2.1, 2.2]"""
    return None if movers(position) else Obstacle("no company can move", "2.2", "End the turn: companion do end")


def no_digger(position: Position) -> Obstacle | None:
    """[2.1, 2.3]"""
    return None if diggers(position) else Obstacle("no ready company can dig in", "2.3", "End the turn: companion do end")


def no_target(position: Position) -> Obstacle | None:
    """[3.1]"""
    return None if targets(position) else Obstacle("no enemy is beside a ready company", "3.1", "Move closer")


def ended(position: Position) -> str:
    """[6.1]"""
    if units(position, "landing", "enemy"):
        return "an enemy stands at the Landing"
    if position.track("turn") > TURNS:
        return "the last turn is over"
    return "" if position.track("waiting") or not position.track("turn") else "nobody waits"
