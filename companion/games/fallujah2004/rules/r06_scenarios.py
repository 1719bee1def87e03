"""[6.0, 7.0, 30.0, 35.0] The set-up of the scenarios, victory, the campaign, several players."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from companion.core.charts import Chart
from companion.core.game import Score
from companion.core.named_tuple import NamedTuple
from companion.core.notation import read_counter_lots
from companion.core.position import FlagReader, Piece, Position, Value
from companion.core.requests import Choice, Confirm, Number
from companion.core.text import plural, split_list
from companion.core.values import JsonObject
from companion.games.fallujah2004 import notation, state
from companion.games.fallujah2004.facts import COUNT, EVENT_KINDS, HOLY, LEADER_COUNT, NODE_KINDS, OPFOR_KINDS, STRIKE_KINDS
from companion.games.fallujah2004.referee import (
    FallujahReferee,
    all_known,
    concealed_at,
    deployed,
    ground_at,
    ground_held,
    holy_spaces,
    nodes_at,
)
from companion.games.fallujah2004.rules import r11_recruiting

STRIKE_NAMES = {"air": "Air Strike", "soa": "SOA Airstrike", "artillery": "Artillery Strike", "netwar": "NetWar"}


class Sample:
    """The sample counters, used where the owner's set is not known (counters.toml)."""

    def __init__(self, counters: JsonObject) -> None:
        self._counters = counters

    def count(self, cup: str, kind: str) -> str:
        """The number of counters of a kind that the sample puts into a cup."""
        return str(sum(lot["count"] for lot in self._counters["counter"] if lot["cup"] == cup and lot["kind"] == kind))

    def opfor(self, kind: str) -> str:
        return ", ".join(f"{lot['values']} x{lot['count']}" for lot in self._counters["counter"] if lot["kind"] == kind)

    def strikes(self, kind: str) -> str:
        return ", ".join(f"{lot['values']} x{lot['count']}".strip() for lot in self._counters["strike"] if lot["kind"] == kind)

    @property
    def leaders(self) -> str:
        return str(self._counters["leaders"]["count"])

    def units(self) -> list[str]:
        """The sample roster in the notation of units."""
        return [
            f"{unit['nation']} {unit['name']} {notation.SHORT[unit['type']]} {unit['size']} {unit['front']}/{unit['back']}"
            for unit in self._counters["unit"]
        ]


async def set_up(referee: FallujahReferee, sample: Sample, scenario: Mapping[str, int], first: bool) -> None:
    """[7.1, 30.1] Deploy both sides for the first battle that is played."""
    await deploy_opfor(referee, sample)
    await deploy_coalition(referee, sample)
    for option in ("networked", "interdiction"):
        referee.set_flag(state.option_flag(option), referee.option(option) or "off", "7.0")
    referee.set_flag(state.BATTLE, 1 if first else 2, "7.0")
    if referee.option("scenario") == "campaign":
        referee.set_flag(state.CAMPAIGN, "open", "30.0")
    start(referee, scenario["ops"], scenario["morale"])


class RuleCitations(NamedTuple):
    """The rules cited when the indexes of a battle are set."""

    ops: str = "7.1(2)"
    kia: str = "7.1(2)"
    morale: str = "7.1(1)"


_FIRST = RuleCitations()


def start(referee: FallujahReferee, ops: int, morale: int, rules: RuleCitations = _FIRST) -> None:
    """Set the indexes and begin the purchase of the first order of battle [7.1(2)]."""
    referee.set_track("ops", ops, rules.ops, "start of the scenario")
    referee.set_track("kia", 0, rules.kia, "start of the scenario")
    referee.set_track("morale", morale, rules.morale, "start of the scenario")
    referee.set_track("operations", 0, rules.ops, "start of the scenario")
    referee.set_flag(state.STAGE, "set-up", rules.ops)
    referee.say(
        "On a unit 3(2)4 is fire 3, contact 2, move 4; on an OPFOR counter 3(2) is fire 3, contact 2.", "4.2", tone="reminder"
    )
    referee.say("Buy the first order of battle (buy), then give the first operation (j1 to j5).", "7.1(2)", tone="reminder")


def _printed_name(kind: str) -> str:
    """The name of a kind of counter as it is printed."""
    return kind.upper() if kind in ("hvt", "c2") else kind.replace("_", " ").title().replace("Ied", "IED")


async def deploy_opfor(referee: FallujahReferee, sample: Sample) -> None:
    """[7.1(1)] Fill both cups; one concealed Node for each Objective and Mosque space."""
    # A concealed Node has no identity until it is revealed: it is drawn then from all Nodes not yet seen, which gives the
    # same chances, and nothing can be peeked at [8.4].
    charts = referee.charts
    for kind in OPFOR_KINDS:
        title = _printed_name(kind)
        prompt = f"What is printed on the {title} counters, and on how many?"
        lots = await referee.printed(f"opfor:{kind}", prompt, "4.6", notation.OPFOR_LOTS, sample.opfor(kind))
        for text, count in read_counter_lots(lots):
            insurgent = notation.read_insurgent(text)
            values: dict[str, Value] = {"type": kind, "fire": insurgent.fire, "contact": insurgent.contact}
            for _ in range(count):
                referee.make(state.OPFOR, f"{title} {insurgent}", state.REACTION_CUP, "7.1(1)", values=values)
    for kind in EVENT_KINDS:
        prompt, title = f"How many {_printed_name(kind)} markers are there?", charts["events"].text(kind, "title")
        number = await referee.printed(f"events:{kind}", prompt, "4.7", COUNT, sample.count("reaction", kind))
        for _ in range(int(number)):
            referee.make(state.EVENT, title, state.REACTION_CUP, "7.1(1)", values={"event": kind})
    total = 0
    for kind in NODE_KINDS:
        prompt, title = f"How many {_printed_name(kind)} Nodes are there?", charts["nodes"].text(kind, "title")
        number = await referee.printed(f"nodes:{kind}", prompt, "4.5", COUNT, sample.count("nodes", kind))
        total += int(number)
        for _ in range(int(number)):
            referee.make(state.NODE, title, state.NODE_CUP, "7.1(1)", values={"node": kind})
    text = "Keep the two misprinted Blow Bridges Nodes out of the Node cup; they serve as Bridge Blown markers."
    referee.say(text, "4.0", tone="reminder")
    for _ in range(2):
        referee.make(state.MARKER, "Bridge Blown", state.OFF, "4.8", values={"marker": "bridge"})
    for _ in range(total):
        referee.make(state.CONCEALED, "concealed Node", state.NODE_PILE, "7.1(1)")
    await place_nodes(referee)


async def place_nodes(referee: FallujahReferee) -> None:
    """[7.1(1)] Place a concealed Node in each Objective and Mosque space; unknown spaces get theirs at the first visit."""
    spaces = await referee.known_facts("space", "7.1(1)")
    for space, text in spaces.items():
        referee.learn_space(space, text, "3.1")
    holy = [space for space, text in spaces.items() if notation.read_ground(text).holy]
    pile = referee.position.at(state.NODE_PILE)
    if len(pile) < HOLY:
        text = f"Your set has {plural(len(pile), 'Node')}, and {HOLY} lie on the map: the last spaces go without."
        referee.say(text, "7.1(1)", "enter the counters again: companion printed fallujah2004", tone="warning")
    if more := holy[HOLY:]:
        text = f"{len(holy)} Objective and Mosque spaces are entered, the map has {HOLY}: no Node for {', '.join(more)}."
        referee.say(text, "7.1(1)", "enter a space again: companion printed fallujah2004", tone="warning")
    for number, token in enumerate(pile[:HOLY]):
        place = holy[number] if number < len(holy) else state.UNOPENED
        referee.move(token.id, place, "7.1(1)")
        if place != state.UNOPENED:
            referee.mark(token.id, state.FIRST, place, "7.1(1)")
    referee.instruct(f"Place one concealed Node in each Objective and Mosque space, {min(HOLY, len(pile))} in all.", "7.1(1)")


async def deploy_coalition(referee: FallujahReferee, sample: Sample) -> None:
    """[7.1(2)] Put every Coalition counter into the Recruit box."""
    entered = await referee.known_facts("unit", "7.1(2)")
    roster: Iterable[str] = entered.values() or sample.units()
    if not entered:
        text = "The roster of Coalition units is our sample. Enter your own: companion printed fallujah2004"
        referee.say(text, "4.2", tone="warning")
    for text in roster:
        unit = notation.read_unit(text)
        referee.make(state.UNIT, unit.title, state.RECRUIT, "7.1(2)", values=notation.unit_values(unit))
    for kind in STRIKE_KINDS:
        prompt = f"What firepower is printed on the {STRIKE_NAMES[kind]} counters, and on how many?"
        lots = await referee.printed(f"strikes:{kind}", prompt, "4.3", notation.STRIKE_LOTS, sample.strikes(kind))
        for values, number in read_counter_lots(lots):
            fire = int(values.strip("() ") or 0)
            name = f"{STRIKE_NAMES[kind]} ({fire})" if fire else STRIKE_NAMES[kind]
            for _ in range(number):
                referee.make(state.STRIKE, name, state.RECRUIT, "7.1(2)", values={"type": kind, "fire": fire})
    leaders = await referee.printed("leaders", "How many Coalition leaders are there?", "29.0", LEADER_COUNT, sample.leaders)
    for number in range(int(leaders)):
        referee.make(state.LEADER, f"Leader {'ABCDEFGHIJKLMNOPQRST'[number]}", state.RECRUIT, "7.1(2)", values={"edge": 1})


async def second_battle(referee: FallujahReferee, ops: int, morale: int) -> None:
    """[30.2] Set up Phantom Fury with what carries over from a first battle that was not won."""
    kia, leaders = referee.position.track("kia"), referee.position.of_kind(state.LEADER)
    survivors = {piece.id for piece in leaders if piece.place not in (state.RECRUIT, state.ELIMINATED)}
    _clear(referee, survivors)
    for piece in list(referee.position.pieces.values()):
        _carry_over(referee, piece.id, survivors)
    referee.say(f"Starting OPs: {ops} with the KIA index of {kia:+d} makes {ops + kia}.", "30.2(3)")
    await place_nodes(referee)
    referee.set_flag(state.BATTLE, 2, "30.2")
    for flag in (state.OVER, state.MSR_CLEARED, state.HOLY_HELD, state.QUARTERS):
        referee.set_flag(flag, None, "30.2")
    for flag in [flag for flag in referee.position.flags if flag.startswith(state.SHARES)]:
        referee.set_flag(flag, None, "30.2(4)")
    start(referee, ops + kia, morale, RuleCitations("30.2(3)", "30.2(4)", "30.2(2)"))


def _clear(referee: FallujahReferee, survivors: Collection[str]) -> None:
    """[30.2(1), 30.2(2)] Tell the player what to do with the counters of the first battle."""
    referee.say("Clear the map: all units and strikes go to the Recruit box, at full strength.", "30.2(1)")
    if survivors:
        kept = ", ".join(sorted(referee.piece(leader).name for leader in survivors))
        referee.say(f"Set aside {kept}: the surviving leaders join units as these are recruited.", "30.2(1)")
    gone = ", ".join(piece.name for piece in referee.position.at(state.HVT_BOX))
    first = f"Leave out what was eliminated ({gone}); all other" if gone else "All"
    text = f"{first} OPFOR units and all events go to the Reaction cup, all Nodes to those to be placed; take off the markers."
    referee.say(text, "30.2(2)")


def _carry_over(referee: FallujahReferee, piece_id: str, survivors: set[str]) -> None:
    """[30.2(1), 30.2(2)] Move one piece to its place between the battles."""
    piece = referee.piece(piece_id)
    for mark in list(piece.marks):
        referee.mark(piece.id, mark, None, "30.2(1)", state.CLEARED)
    if piece.kind in (state.UNIT, state.STRIKE):
        referee.flip(piece.id, state.FULL, "30.2(1)", state.CLEARED)
        referee.move(piece.id, state.RECRUIT, "30.2(1)", state.CLEARED)
    elif piece.kind == state.LEADER:
        referee.move(piece.id, state.KEPT if piece.id in survivors else state.RECRUIT, "30.2(1)", state.CLEARED)
    elif piece.kind == state.OPFOR:
        referee.move(piece.id, state.OUT if piece.place == state.HVT_BOX else state.REACTION_CUP, "30.2(2)", state.CLEARED)
    elif piece.kind == state.EVENT:
        referee.move(piece.id, state.REACTION_CUP, "30.2(2)", state.CLEARED)
    elif piece.kind == state.NODE:
        referee.move(piece.id, state.NODE_CUP, "30.2(2)", state.CLEARED)
    elif piece.kind == state.CONCEALED:
        referee.move(piece.id, state.NODE_PILE, "30.2(2)", state.CLEARED)
    elif piece.kind == state.MARKER:
        referee.move(piece.id, state.OFF, "30.2(2)", state.CLEARED)


def holy_held(position: Position, nodes_deny: bool) -> int:
    """[6.1] The number of Objective and Mosque spaces held (ruling C-9)."""
    return sum(not denied(position, place, nodes_deny) for place in holy_spaces(position, ground_held(position)))


def denied(position: Position, place: str, nodes_deny: bool) -> bool:
    """[5.0] True if an OPFOR unit denies control of a space, or by a switch a Node (ruling C-10)."""
    return position.cached_from_place(place, _fighters) or (nodes_deny and contested(position, place))


def _fighters(pieces: Iterable[Piece]) -> bool:
    return any(map(state.fights, pieces))


def contested(position: Position, place: str) -> bool:
    """True if a Node lies in a space; a Downed Helicopter counts as one [14.7]."""
    return bool(nodes_at(position, place) or concealed_at(position, place))


NODE_LEFT_VP = 1
"""[6.1] VP lost for each Node left on the map."""


def node_vp(chart: Chart, kind: str) -> int:
    """[6.1, 20.3] The VP of a captured Node."""
    return chart.number(kind, "vp")


def count(position: Position, charts: Mapping[str, Chart], nodes_deny: bool) -> Score:
    """[6.1] The victory points if the game ended now, and the degree of victory [6.3]."""
    chart = charts["nodes"]
    answer = position.flag(state.HOLY_HELD)
    places = answer if isinstance(answer, int) else min(holy_held(position, nodes_deny), HOLY)
    cleared = position.flag(state.MSR_CLEARED)
    if cleared is None:
        cleared = judged_msr(position, nodes_deny)
    items = [("Objective and Mosque spaces occupied", places, "6.1")]
    for kind, number in position.cached_from_place(state.CAPTURED, _captured).items():
        if kind not in chart.rows:
            continue
        items.append((f"{number} x {chart.text(kind, 'title')} captured", number * node_vp(chart, kind), "20.3"))
    items.append(("KIA index", position.track("kia"), "21.0"))
    items.append(("MSR cleared", 5 if cleared is True else 0, "6.2"))
    for piece in position.cached_from_kind(state.EVENT, _crashed):
        secured = piece.place == state.CAPTURED
        items.append((f"Downed Helicopter {'secured' if secured else 'not secured'}", 2 if secured else -2, "14.7"))
    for piece in position.at(state.HVT_BOX):
        items.append((f"{piece.name} eliminated", piece.number("contact"), "6.1"))
    left = position.cached_from_kind(state.CONCEALED, _lying_concealed) + position.cached_from_kind(state.NODE, _lying_open)
    items.append(("Nodes left on the map", -NODE_LEFT_VP * left, "6.1"))
    total = sum(points for _, points, _ in items)
    notes = ["The MSR has not been judged; it is asked at the end."] if cleared is None else []
    return Score(tuple(items), total, degree(charts, total), "6.3", (*notes, *_players(position)))


def _captured(pieces: Iterable[Piece]) -> Mapping[str, int]:
    """[20.3] The number of Nodes of each kind."""
    return Counter(state.node_of(piece) for piece in pieces if piece.kind == state.NODE)


def _crashed(pieces: Iterable[Piece]) -> list[Piece]:
    """[14.7] The helicopters that went down; one that interdiction has destroyed is not secured (ruling C-66)."""
    helicopters = filter(state.is_helicopter_down, pieces)
    return [piece for piece in helicopters if state.on_map(piece.place) or piece.place in (state.CAPTURED, state.OUT)]


def _lying_concealed(pieces: Iterable[Piece]) -> int:
    return sum(map(state.lies_concealed, pieces))


def _lying_open(pieces: Iterable[Piece]) -> int:
    return sum(map(state.lies_open, pieces))


def degree(charts: Mapping[str, Chart], total: int) -> str:
    """[6.3] The degree of victory."""
    return charts["victory"].text(total, "degree")


def _players(position: Position) -> list[str]:
    """[35.0] The Nodes captured and the KIA of each player's operations."""
    named = position.cached_from_flags(_SHARING)
    return [
        f"{name}: Nodes captured {position.flag(f'nodes of {name}', 0)}, KIA {position.flag(f'kia of {name}', 0)}"
        for name in named
    ]


def _sharing(position: Position) -> list[str]:
    """[35.0] The players whose shares are counted."""
    return sorted({flag.partition(" of ")[2] for flag in position.flags if flag.startswith(state.SHARES)})


_SHARING = FlagReader(_sharing, state.SHARES)


def _msr_spaces(position: Position) -> list[str]:
    """[6.2] The known MSR spaces."""
    spaces = [flag.removeprefix(state.SPACE) for flag in position.flags if flag.startswith(state.SPACE)]
    return [space for space in spaces if (ground := ground_at(position, space)) and "msr" in ground.features]


_MSR = FlagReader(_msr_spaces, (state.SPACE,))


def empty_msr(position: Position, nodes_deny: bool = False) -> list[str]:
    """[6.2] The known MSR spaces without a ground unit, or with what denies control."""
    msr = position.cached_from_flags(_MSR)
    held = ground_held(position)
    return [space for space in msr if space not in held or denied(position, space, nodes_deny)]


def judged_msr(position: Position, nodes_deny: bool) -> bool | None:
    """[6.2] Whether ground units hold every MSR space, as far as the known map shows it; None if it does not."""
    if empty_msr(position, nodes_deny):
        return False
    return True if all(ground_at(position, space) for space in state.SPACES) else None


async def final_count(referee: FallujahReferee) -> None:
    """[6.1, 6.2] Ask for control of the MSR and the spaces held if they are not known, and announce the count."""
    position = referee.position
    deny = referee.option("node_denies_control") == "yes"
    if position.flag(state.MSR_CLEARED) is None:
        prompt = f"Do ground units{', with no Node beside them,' if deny else ''} hold every MSR space"
        request = Confirm("msr", f"{prompt} from the Main Bridge to the Cloverleaf?", "6.2", False)
        bridge = (await referee.known_facts("bridge", "6.2")).get("main")
        bridge_is_empty = bridge and not any(map(state.is_ground, referee.units_at(bridge)))
        request.implied_reply = False if bridge_is_empty else judged_msr(position, deny)
        referee.set_flag(state.MSR_CLEARED, await request, "6.2")
    suggest = min(holy_held(position, deny), HOLY)
    prompt = f"Objective and Mosque spaces with a Coalition ground unit{' and no Node' if deny else ''}"
    places = Number("held", prompt, "6.1", 0, HOLY, suggest)
    places.implied_reply = suggest if all_known(position) else None
    referee.set_flag(state.HOLY_HELD, await places, "6.1")
    score = count(referee.position, referee.charts, deny)
    items = (f"{label}: {points:+d} [{rule}]" for label, points, rule in score.items)
    referee.say(f"Victory points: {score.total}, {score.verdict}.", "6.3", *items)
    for note in score.notes:
        referee.say(note, "35.0")
    if referee.option("scenario") == "campaign":
        campaign_verdict(referee, score.total)


def campaign_verdict(referee: FallujahReferee, total: int) -> None:
    """[30.2, 30.2(5)] Record that the campaign is won or lost, or goes on with the second battle (ruling C-34)."""
    if referee.chart("victory").text(total, "campaign") == "win":
        rule = "30.2" if referee.first_scenario else "30.2(5)"
        referee.set_flag(state.CAMPAIGN, "won", rule)
        referee.say("WON: the battle, and with it the campaign.", rule)
    elif referee.first_scenario:
        referee.say("The first battle is not won. Set up the second: second", "30.2", tone="reminder")
    else:
        referee.say("LOST: the second battle is not won, and so the campaign is lost.", "30.2(5)")


async def declare_end(referee: FallujahReferee) -> None:
    """[8.1] End the game: no Node is left on the map [8.1(b)], or no OP [8.1(a)], or no useful operation (ruling C-75)."""
    left = referee.nodes_left()
    if referee.ops <= 0:
        referee.finish(f"the OPs index is {'below' if referee.ops else 'at'} zero", "8.1(a)")
    elif left and stranded(referee):
        referee.finish(f"no operation can be carried out with the {plural(referee.ops, 'OP')} left", "8.1(a)")
    elif left:
        ops = plural(referee.ops, "OP is", "OPs are")
        referee.forbid(f"{plural(left, 'Node is', 'Nodes are')} still on the map and {ops} left", "8.1(b)", "Play on")
        referee.finish("declared by the player", "8.1(b)")
    else:
        referee.finish("every Node is captured or eliminated and the player declares the end", "8.1(b)")
    await final_count(referee)


def stranded(referee: FallujahReferee) -> bool:
    """[8.1] True if the OPs left cannot be used: no move, NetWar, Interdiction or affordable purchase (ruling C-75)."""
    if any(not state.is_fob(piece) for piece in deployed(referee.position)) or referee.netwar():
        return False
    if referee.position.flag(state.option_flag("interdiction")) == "on":
        from companion.games.fallujah2004.rules.r10_operations import interdiction_fault

        if not interdiction_fault(referee):
            return False
    return all(
        r11_recruiting.whole_ops(r11_recruiting.unit_cost(referee, piece)[0]) > referee.ops - 1
        for piece in r11_recruiting.recruitable(referee)
    )


async def who_commands(referee: FallujahReferee) -> None:
    """[35.0] Ask which of several players commands the operation; they usually alternate."""
    players = split_list(referee.option("players") or "")
    if len(players) < 2:
        return
    last = referee.position.flag(state.PLAYER)
    following = players[(players.index(last) + 1) % len(players)] if last in players else players[0]
    player = await referee.choose("player", "Whose operation is it?", "35.0", [Choice(name, name) for name in players], following)
    referee.set_flag(state.PLAYER, player, "35.0")
