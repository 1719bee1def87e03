"""[7.0] How to set up the game, and [30.2] the second battle of the campaign."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from companion.core.notation import read_counter_lots, whole_number
from companion.core.text import plural
from companion.core.values import JsonObject
from companion.games.fallujah2004 import notation, state
from companion.games.fallujah2004.facts import COUNT, EVENT_KINDS, NODE_KINDS, OPFOR_KINDS, STRIKE_KINDS
from companion.games.fallujah2004.notation import OPFOR_LOTS, STRIKE_LOTS, read_insurgent, read_unit, unit_values
from companion.games.fallujah2004.referee import FallujahReferee

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
        from companion.games.fallujah2004.notation import SHORT

        return [
            f"{unit['nation']} {unit['name']} {SHORT[unit['type']]} {unit['size']} {unit['front']}/{unit['back']}"
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
    referee.say("Buy the first order of battle (buy), then give the first operation (j1 to j5).", "7.1(2)", tone="reminder")


def _words(kind: str) -> str:
    """A kind of counter as it is printed."""
    return kind.upper() if kind in ("hvt", "c2") else kind.replace("_", " ").title().replace("Ied", "IED")


async def deploy_opfor(referee: FallujahReferee, sample: Sample) -> None:
    """[7.1(1)] Both cups filled; one concealed Node for each Objective and Mosque space.

    A concealed Node has no identity here until it is revealed: what it is, is drawn then from all Nodes not yet seen,
    which is the same chance, and nobody can peek [8.4].
    """
    charts = referee.charts
    for kind in OPFOR_KINDS:
        lots = await referee.printed(
            f"opfor:{kind}",
            f"What is printed on the {_words(kind)} counters, and on how many?",
            "4.6",
            OPFOR_LOTS,
            sample.opfor(kind),
        )
        for values, count in read_counter_lots(lots):
            read = read_insurgent(values)
            title = _words(kind)
            for _ in range(count):
                referee.make(
                    "opfor",
                    f"{title} {read}",
                    state.REACTION_CUP,
                    "7.1(1)",
                    values={"type": kind, "fire": read.fire, "contact": read.contact},
                )
    for kind in EVENT_KINDS:
        many = await referee.printed(
            f"events:{kind}", f"How many {_words(kind)} markers are there?", "4.7", COUNT, sample.count("reaction", kind)
        )
        for _ in range(int(many)):
            referee.make(state.EVENT, charts["events"].text(kind, "title"), state.REACTION_CUP, "7.1(1)", values={"event": kind})
    total = 0
    for kind in NODE_KINDS:
        many = await referee.printed(
            f"nodes:{kind}", f"How many {_words(kind)} Nodes are there?", "4.5", COUNT, sample.count("nodes", kind)
        )
        total += int(many)
        for _ in range(int(many)):
            referee.make(state.NODE, charts["nodes"].text(kind, "title"), state.NODE_CUP, "7.1(1)", values={"node": kind})
    referee.say(
        "Keep the two misprinted Blow Bridges Nodes out of the Node cup; they serve as Bridge Blown markers.",
        "4.0",
        tone="reminder",
    )
    for _ in range(2):
        referee.make(state.MARKER, "Bridge Blown", state.OFF, "4.8", values={"marker": "bridge"})
    for _ in range(total):
        referee.make(state.CONCEALED, "concealed Node", state.NODE_PILE, "7.1(1)")
    await place_nodes(referee)


async def place_nodes(referee: FallujahReferee) -> None:
    """[7.1(1)] Twenty concealed Nodes, one in each Objective and Mosque space.

    Spaces that the owner has told are named; the others get theirs when they are first visited.
    """
    wanted = 20
    told = await referee.known_facts("space", "7.1(1)")
    for space, text in told.items():
        referee.learn_space(space, text, "3.1")
    holy = [space for space, text in told.items() if notation.read_ground(text).holy]
    pile = referee.position.at(state.NODE_PILE)
    if len(pile) < wanted:
        text = f"Your set has {plural(len(pile), 'Node')}, and {wanted} lie on the map: the last spaces go without."
        referee.say(text, "7.1(1)", "enter the counters again: companion printed", tone="warning")
    if more := holy[wanted:]:
        text = f"{len(holy)} Objective and Mosque spaces are entered, the map has {wanted}: no Node for {', '.join(more)}."
        referee.say(text, "7.1(1)", "enter a space again: companion printed", tone="warning")
    for number, token in enumerate(pile[:wanted]):
        place = holy[number] if number < len(holy) else state.UNOPENED
        referee.move(token.id, place, "7.1(1)")
        if place != state.UNOPENED:
            referee.mark(token.id, state.FIRST, place, "7.1(1)")
    referee.instruct(f"Place one concealed Node in each Objective and Mosque space, {min(wanted, len(pile))} in all.", "7.1(1)")


async def deploy_coalition(referee: FallujahReferee, sample: Sample) -> None:
    """[7.1(2)] Every Coalition counter into the Recruit box."""
    own = await referee.known_facts("unit", "7.1(2)")
    roster: Iterable[str] = own.values() or sample.units()
    if not own:
        referee.say("The roster of Coalition units is our sample. Enter your own: companion printed", "4.2", tone="warning")
    for text in roster:
        unit = read_unit(text)
        referee.make(state.UNIT, unit.title, state.RECRUIT, "7.1(2)", values=unit_values(unit))
    for kind in STRIKE_KINDS:
        lots = await referee.printed(
            f"strikes:{kind}",
            f"What firepower is printed on the {STRIKE_NAMES[kind]} counters, and on how many?",
            "4.3",
            STRIKE_LOTS,
            sample.strikes(kind),
        )
        for values, number in read_counter_lots(lots):
            fire = int(values.strip("() ") or 0)
            name = f"{STRIKE_NAMES[kind]} ({fire})" if fire else STRIKE_NAMES[kind]
            for _ in range(number):
                referee.make(state.STRIKE, name, state.RECRUIT, "7.1(2)", values={"type": kind, "fire": fire})
    leaders = await referee.printed(
        "leaders", "How many Coalition leaders are there?", "29.0", whole_number("number of leaders", 0, 20), sample.leaders
    )
    for number in range(int(leaders)):
        referee.make(state.LEADER, f"Leader {'ABCDEFGHIJKLMNOPQRST'[number]}", state.RECRUIT, "7.1(2)", values={"edge": 1})


async def second_battle(referee: FallujahReferee, ops: int, morale: int) -> None:
    """[30.2] Set up Phantom Fury with what carries over from a first battle that was not won."""
    kia = referee.position.track("kia")
    survivors = {
        piece.id for piece in referee.position.of_kind(state.LEADER) if piece.place not in (state.RECRUIT, state.ELIMINATED)
    }
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
    if referee.position.flag(state.UPRISING):
        referee.set_flag(state.UPRISING, None, "30.2(2)", "its marker is in the Reaction cup again (ruling C-65)")
    start(referee, ops + kia, morale, RuleCitations("30.2(3)", "30.2(4)", "30.2(2)"))


def _clear(referee: FallujahReferee, survivors: Collection[str]) -> None:
    """[30.2(1), 30.2(2)] Say in a few lines what the player does with the counters of the first battle."""
    referee.say("Clear the map: all units and strikes go to the Recruit box, at full strength.", "30.2(1)")
    if survivors:
        kept = ", ".join(sorted(referee.piece(leader).name for leader in survivors))
        referee.say(f"Set aside {kept}: the leaders who survived join units as these are recruited.", "30.2(1)")
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
