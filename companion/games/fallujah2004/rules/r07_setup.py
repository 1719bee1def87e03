"""[7.0] How to set up the game, and [30.2] the second battle of the campaign."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from companion.core.notation import read_counter_lots, whole_number
from companion.core.text import plural
from companion.core.values import JsonObject
from companion.games.fallujah2004 import names
from companion.games.fallujah2004.referee import Fallujah
from companion.games.fallujah2004.words import spaces
from companion.games.fallujah2004.words.counters import OPFOR_LOTS, STRIKE_LOTS, read_insurgent, read_unit, unit_values
from companion.games.fallujah2004.words.facts import COUNT, EVENT_KINDS, NODE_KINDS, OPFOR_KINDS, STRIKE_KINDS

STRIKE_NAMES = {"air": "Air Strike", "soa": "SOA Airstrike", "artillery": "Artillery Strike", "netwar": "NetWar"}


class Sample:
    """Our sample of the counters, used where the owner has not told the real mix (counters.toml)."""

    def __init__(self, counters: JsonObject) -> None:
        self._counters = counters

    def count(self, cup: str, kind: str) -> str:
        """How many counters of a kind the sample puts into a cup."""
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
        from companion.games.fallujah2004.words.counters import SHORT

        return [
            f"{unit['nation']} {unit['name']} {SHORT[unit['type']]} {unit['size']} {unit['front']}/{unit['back']}"
            for unit in self._counters["unit"]
        ]


async def set_up(game: Fallujah, sample: Sample, scenario: Mapping[str, int], first: bool) -> None:
    """[7.1, 30.1] Deploy both sides for the first battle that is played."""
    await deploy_opfor(game, sample)
    await deploy_coalition(game, sample)
    for option in ("networked", "interdiction"):
        game.set_flag(names.option_flag(option), game.option(option) or "off", "7.0")
    game.set_flag(names.BATTLE, 1 if first else 2, "7.0")
    if game.option("scenario") == "campaign":
        game.set_flag(names.CAMPAIGN, "open", "30.0")
    start(game, scenario["ops"], scenario["morale"])


class Cites(NamedTuple):
    """The rules by which a battle's indexes are set."""

    ops: str = "7.1(2)"
    kia: str = "7.1(2)"
    morale: str = "7.1(1)"


_FIRST = Cites()


def start(game: Fallujah, ops: int, morale: int, rules: Cites = _FIRST) -> None:
    """Set the indexes, and open the buying of the first order of battle [7.1(2)]."""
    game.set_track("ops", ops, rules.ops, "start of the scenario")
    game.set_track("kia", 0, rules.kia, "start of the scenario")
    game.set_track("morale", morale, rules.morale, "start of the scenario")
    game.set_track("operations", 0, rules.ops, "start of the scenario")
    game.set_flag(names.STAGE, "set-up", rules.ops)
    game.say("Buy the first order of battle (buy), then give the first operation (j1 to j5).", "7.1(2)", tone="reminder")


def _words(kind: str) -> str:
    """A kind of counter as it is printed."""
    return kind.upper() if kind in ("hvt", "c2") else kind.replace("_", " ").title().replace("Ied", "IED")


async def deploy_opfor(game: Fallujah, sample: Sample) -> None:
    """[7.1(1)] Both cups filled; one concealed Node for each Objective and Mosque space.

    A concealed Node has no identity here until it is revealed: what it is, is drawn then from all Nodes not yet seen,
    which is the same chance, and nobody can peek [8.4].
    """
    charts = game.charts
    for kind in OPFOR_KINDS:
        lots = await game.printed(
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
                game.make(
                    "opfor",
                    f"{title} {read}",
                    names.REACTION_CUP,
                    "7.1(1)",
                    values={"type": kind, "fire": read.fire, "contact": read.contact},
                )
    for kind in EVENT_KINDS:
        many = await game.printed(
            f"events:{kind}", f"How many {_words(kind)} markers are there?", "4.7", COUNT, sample.count("reaction", kind)
        )
        for _ in range(int(many)):
            game.make(names.EVENT, charts["events"].text(kind, "title"), names.REACTION_CUP, "7.1(1)", values={"event": kind})
    total = 0
    for kind in NODE_KINDS:
        many = await game.printed(
            f"nodes:{kind}", f"How many {_words(kind)} Nodes are there?", "4.5", COUNT, sample.count("nodes", kind)
        )
        total += int(many)
        for _ in range(int(many)):
            game.make(names.NODE, charts["nodes"].text(kind, "title"), names.NODE_CUP, "7.1(1)", values={"node": kind})
    game.say(
        "Keep the two misprinted Blow Bridges Nodes out of the Node cup; they serve as Bridge Blown markers.",
        "4.0",
        tone="reminder",
    )
    for _ in range(2):
        game.make(names.MARKER, "Bridge Blown", names.OFF, "4.8", values={"marker": "bridge"})
    for _ in range(total):
        game.make(names.CONCEALED, "concealed Node", names.NODE_PILE, "7.1(1)")
    await place_nodes(game)


async def place_nodes(game: Fallujah) -> None:
    """[7.1(1)] Twenty concealed Nodes, one in each Objective and Mosque space.

    Spaces that the owner has told are named; the others get theirs when they are first visited.
    """
    wanted = 20
    told = await game.known_facts("space", "7.1(1)")
    for space, text in told.items():
        game.learn_space(space, text, "3.1")
    holy = [space for space, text in told.items() if spaces.read_ground(text).holy]
    pile = game.position.at(names.NODE_PILE)
    if len(pile) < wanted:
        text = f"Your set has {plural(len(pile), 'Node')}, and {wanted} lie on the map: the last spaces go without."
        game.say(text, "7.1(1)", "enter the counters again: companion printed", tone="warning")
    if more := holy[wanted:]:
        text = f"{len(holy)} Objective and Mosque spaces are entered, the map has {wanted}: no Node for {', '.join(more)}."
        game.say(text, "7.1(1)", "enter a space again: companion printed", tone="warning")
    for number, token in enumerate(pile[:wanted]):
        place = holy[number] if number < len(holy) else names.UNOPENED
        game.move(token.id, place, "7.1(1)")
        if place != names.UNOPENED:
            game.mark(token.id, names.FIRST, place, "7.1(1)")
    game.instruct(f"Place one concealed Node in each Objective and Mosque space, {min(wanted, len(pile))} in all.", "7.1(1)")


async def deploy_coalition(game: Fallujah, sample: Sample) -> None:
    """[7.1(2)] Every Coalition counter into the Recruit box."""
    own = await game.known_facts("unit", "7.1(2)")
    roster: Iterable[str] = own.values() or sample.units()
    if not own:
        game.say("The roster of Coalition units is our sample. Enter your own: companion printed", "4.2", tone="warning")
    for text in roster:
        unit = read_unit(text)
        game.make(names.UNIT, unit.title, names.RECRUIT, "7.1(2)", values=unit_values(unit))
    for kind in STRIKE_KINDS:
        lots = await game.printed(
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
                game.make(names.STRIKE, name, names.RECRUIT, "7.1(2)", values={"type": kind, "fire": fire})
    leaders = await game.printed(
        "leaders", "How many Coalition leaders are there?", "29.0", whole_number("number of leaders", 0, 20), sample.leaders
    )
    for number in range(int(leaders)):
        game.make(names.LEADER, f"Leader {'ABCDEFGHIJKLMNOPQRST'[number]}", names.RECRUIT, "7.1(2)", values={"edge": 1})


async def second_battle(game: Fallujah, ops: int, morale: int) -> None:
    """[30.2] The first battle was not won: set up Phantom Fury with what carries over."""
    kia = game.position.track("kia")
    survivors = {
        piece.id for piece in game.position.of_kind(names.LEADER) if piece.place not in (names.RECRUIT, names.ELIMINATED)
    }
    _clear(game, survivors)
    for piece in list(game.position.pieces.values()):
        _carry_over(game, piece.id, survivors)
    game.say(f"Starting OPs: {ops} with the KIA index of {kia:+d} makes {ops + kia}.", "30.2(3)")
    await place_nodes(game)
    game.set_flag(names.BATTLE, 2, "30.2")
    for flag in (names.OVER, names.MSR_CLEARED, names.HOLY_HELD, names.QUARTERS):
        game.set_flag(flag, None, "30.2")
    for flag in [flag for flag in game.position.flags if flag.startswith(names.SHARES)]:
        game.set_flag(flag, None, "30.2(4)")
    if game.position.flag(names.UPRISING):
        game.set_flag(names.UPRISING, None, "30.2(2)", "its marker is in the Reaction cup again (ruling C-65)")
    start(game, ops + kia, morale, Cites("30.2(3)", "30.2(4)", "30.2(2)"))


def _clear(game: Fallujah, survivors: Collection[str]) -> None:
    """[30.2(1), 30.2(2)] What the player does with the counters of the first battle, in a few lines."""
    game.say("Clear the map: all units and strikes go to the Recruit box, at full strength.", "30.2(1)")
    if survivors:
        kept = ", ".join(sorted(game.piece(leader).name for leader in survivors))
        game.say(f"Set aside {kept}: the leaders who survived join units as these are recruited.", "30.2(1)")
    gone = ", ".join(piece.name for piece in game.position.at(names.HVT_BOX))
    first = f"Leave out what was eliminated ({gone}); all other" if gone else "All"
    text = f"{first} OPFOR units and all events go to the Reaction cup, all Nodes to those to be placed; take off the markers."
    game.say(text, "30.2(2)")


def _carry_over(game: Fallujah, piece_id: str, survivors: set[str]) -> None:
    """[30.2(1), 30.2(2)] Where one piece goes between the battles."""
    piece = game.piece(piece_id)
    for mark in list(piece.marks):
        game.mark(piece.id, mark, None, "30.2(1)", names.CLEARED)
    if piece.kind in (names.UNIT, names.STRIKE):
        game.flip(piece.id, names.FULL, "30.2(1)", names.CLEARED)
        game.move(piece.id, names.RECRUIT, "30.2(1)", names.CLEARED)
    elif piece.kind == names.LEADER:
        game.move(piece.id, names.KEPT if piece.id in survivors else names.RECRUIT, "30.2(1)", names.CLEARED)
    elif piece.kind == names.OPFOR:
        game.move(piece.id, names.OUT if piece.place == names.HVT_BOX else names.REACTION_CUP, "30.2(2)", names.CLEARED)
    elif piece.kind == names.EVENT:
        game.move(piece.id, names.REACTION_CUP, "30.2(2)", names.CLEARED)
    elif piece.kind == names.NODE:
        game.move(piece.id, names.NODE_CUP, "30.2(2)", names.CLEARED)
    elif piece.kind == names.CONCEALED:
        game.move(piece.id, names.NODE_PILE, "30.2(2)", names.CLEARED)
    elif piece.kind == names.MARKER:
        game.move(piece.id, names.OFF, "30.2(2)", names.CLEARED)
