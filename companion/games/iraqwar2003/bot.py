"""A solo opponent for the Iraqi side, which the rulebook does not have. Its priorities are ours (bot.toml)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from companion.core.advice import Advice, advise, read_priorities
from companion.core.errors import Unreadable
from companion.core.notation import Notation
from companion.core.odds import mean
from companion.core.position import Piece
from companion.core.requests import Choice
from companion.core.words import clean, one_of, split_list
from companion.games.iraqwar2003.names import BOMBING, BOX, IRAQ, MOVED, NONE, OPERATIONS, control_flag, is_none
from companion.games.iraqwar2003.odds.air import Gain, done, fate, flown_odds, interception_gain
from companion.games.iraqwar2003.odds.combat import Outlook, chance
from companion.games.iraqwar2003.odds.command import received
from companion.games.iraqwar2003.referee import IraqWar, boxes, intact, on_map
from companion.games.iraqwar2003.rules.r04_actions import beyond_recovery, unfit
from companion.games.iraqwar2003.rules.r05_air_combat import REMOVED, Mission
from companion.games.iraqwar2003.rules.r05_air_groups import Group, Plan, mission_of, not_to_be_intercepted, without_airfields
from companion.games.iraqwar2003.rules.r11_command_points import DIE, radios_that_count, sources
from companion.games.iraqwar2003.words.counters import TURKISH, nation, printed_side
from companion.games.iraqwar2003.words.results import LADDER, UNKNOWN
from companion.games.iraqwar2003.words.sites import AIRFIELD, RADIO, kind_of

OURS = "our solo opponent"
KINDS = ("attack", "retake", "recover", "block", "kuwait", "road", "repair", "move")
"""What an Iraqi unit may be able to do, as the player tells it."""


def say_advice(game: IraqWar, what: str, advice: Advice[Any], rule: str) -> None:
    """One line with the reasons below it; whose priorities they are is said too."""
    game.say(f"{OURS.capitalize()}: {what}: {advice.name}.", rule, *advice.lines())


# -- radio or die --------------------------------------------------------------------------------------------------------


class Source(NamedTuple):
    """A way to get command points: the expected number, in tenths, and whether it is certain."""

    name: str
    tenths: int
    certain: bool


SOURCE_MEASURES: Mapping[str, Callable[[Source], int | bool]] = {
    "expected": lambda source: source.tenths,
    "certain": lambda source: source.certain,
}


def propose_source(game: IraqWar) -> str:
    """[11.1] ``radio`` or ``die``."""
    points = {source: mean(received(game, source)) for source in sources(game)}
    candidates = [Source(source, round(10 * points[source]), source == RADIO) for source in sorted(points)]
    priorities = read_priorities(game.priorities, "source", SOURCE_MEASURES)
    advice = advise(candidates, priorities, SOURCE_MEASURES, lambda source: source.name)
    say_advice(game, f"command points ({radios_that_count(game)} Radio against {points[DIE]:g} on average)", advice, "11.1")
    return advice.choice.name


# -- interception --------------------------------------------------------------------------------------------------------


class Sortie(NamedTuple):
    """An interception that is possible; ``piece`` None: nobody flies. ``worth``: of the target, from bot.toml."""

    number: int
    piece: Piece | None
    gain: Gain
    worth: int
    title: str


SORTIE_MEASURES: Mapping[str, Callable[[Sortie], int | bool]] = {
    "worth_it": lambda one: one.piece is None or one.gain.stopped + one.gain.kills >= one.gain.risk > -1,
    "flies": lambda one: one.piece is not None,
    "target": lambda one: one.worth,
    "stopped": lambda one: round(100 * one.gain.stopped),
    "kills": lambda one: round(100 * one.gain.kills),
    "risk": lambda one: round(100 * one.gain.risk),
}


async def propose_interception(game: IraqWar, plans: Sequence[Plan]) -> str:
    """[5.2(2)] Which groups to intercept with what, in the notation of the question; ``none``."""
    priorities = read_priorities(game.priorities, "intercept", SORTIE_MEASURES)
    for piece in [
        *(game.air_units(IRAQ) if game.airfields_left() else ()),
        *(one for plan in plans for one in plan.group.pieces),
    ]:
        await game.air_values(piece)
    chosen: list[Sortie] = []
    while True:
        advice = advise(_sorties(game, plans, chosen), priorities, SORTIE_MEASURES, lambda one: one.title)
        say_advice(game, "interception", advice, "5.2(2)")
        if advice.choice.piece is None:
            break
        chosen.append(advice.choice)
    parts = [f"{one.number} {one.piece.name}" for one in sorted(chosen, key=lambda one: one.number) if one.piece]
    return ", ".join(parts) or NONE


def _sorties(game: IraqWar, plans: Sequence[Plan], chosen: Sequence[Sortie]) -> list[Sortie]:
    """What may still be intercepted, and by whom, beside what has been chosen; and nothing."""
    stay = Sortie(0, None, Gain(), 0, "nobody")
    if without_airfields(game, len(chosen) + 1):
        return [stay]
    taken = {one.piece.id for one in chosen if one.piece}
    met = {one.number for one in chosen}
    found = []
    for number, plan in enumerate(plans, 1):
        if number in met or not_to_be_intercepted(game, plan, IRAQ):
            continue
        for piece in game.air_units(IRAQ):
            values = game.known_values(piece)
            gain = interception_gain(game, plan, piece) if values and values.air and piece.id not in taken else None
            if gain:
                found.append(Sortie(number, piece, gain, _worth(game, plan), _sortie_title(number, plan, piece, gain)))
    return [*found, stay]


def _sortie_title(number: int, plan: Plan, piece: Piece, gain: Gain) -> str:
    saved, killed, lost = (round(100 * share) for share in (gain.stopped, gain.kills, gain.risk))
    return f"{piece.name} at {number} {plan.group.title} (saves {saved} %, shoots down {killed} %, is lost {lost} %)"


def _worth(game: IraqWar, plan: Plan) -> int:
    kind = kind_of(game.piece(plan.id)) if plan.kind == BOX else plan.kind
    return int(game.priorities["worth"].get(kind, 0))


# -- bombing -------------------------------------------------------------------------------------------------------------


class Raid(NamedTuple):
    """A bombing that is possible.

    Attributes:
        order: ``1/3ID by Su-20``, as it is typed; ``done`` for none.
        attack: value of the unit that a hit would disrupt [7.3.1(1)].
        hit: the chance of that in hundredths. risk: that the bomber is removed.
    """

    order: str
    attack: int = 0
    hit: int = 0
    risk: int = 0

    @property
    def flies(self) -> bool:
        return self.order != "done"

    @property
    def title(self) -> str:
        return f"{self.order} (hits in {self.hit} %, is lost in {self.risk} %)" if self.flies else "no more"


RAID_MEASURES: Mapping[str, Callable[[Raid], int | bool]] = {
    "worth_it": lambda one: one.hit >= one.risk,
    "flies": lambda one: one.flies,
    "attack": lambda one: one.attack,
    "hit": lambda one: one.hit,
    "risk": lambda one: one.risk,
}


async def propose_bombing(game: IraqWar, targets: Sequence[Plan], ready: Sequence[Piece]) -> str:
    """[5.1(2), 7.0] The next unit to bomb and with what, in the notation of the question; ``done``.

    Args:
        targets: a plan without a group for each. ready: who may bomb.
    """
    raids = [Raid("done")]
    for piece in ready if targets else ():
        bombing = (await game.air_values(piece)).bombing
        raids += [_raid(game, plan, piece, bombing) for plan in targets if bombing]
    priorities = read_priorities(game.priorities, "raid", RAID_MEASURES)
    advice = advise(raids, priorities, RAID_MEASURES, lambda one: one.title)
    say_advice(game, "bombing", advice, "5.1(2)")
    return advice.choice.order


def _raid(game: IraqWar, plan: Plan, piece: Piece, bombing: int) -> Raid:
    mission = mission_of(game, plan._replace(group=Group(piece), value=bombing))
    assert mission
    results = flown_odds(mission)
    hit, risk = round(100 * done(results)), round(100 * fate(results, REMOVED))
    return Raid(f"{plan.target} by {piece.name}", printed_side(game.piece(plan.id)).attack, hit, risk)


# -- ground support ------------------------------------------------------------------------------------------------------


class Help(NamedTuple):
    """What a shift of columns changes for its side: the chance that the defender leaves his hex, and the strength steps
    that he is expected to lose, both in hundredths; where the chart is not told, only the columns that change.
    """

    hex: int = 0
    steps: int = 0
    columns: int = 0

    def __str__(self) -> str:
        if self.columns:
            return f"{self.columns} columns, by a chart not told yet"
        return f"{self.hex} % of the hex and {self.steps / 100:.2f} strength steps"


class Sally(NamedTuple):
    """A ground support that is possible; ``piece`` None: none. ``value``: its ground support value."""

    piece: Piece | None
    help: Help
    value: int
    title: str


SALLY_MEASURES: Mapping[str, Callable[[Sally], int | bool]] = {
    "helps": lambda one: one.piece is None or any(one.help),
    "flies": lambda one: one.piece is not None,
    "hex": lambda one: one.help.hex + 100 * one.help.columns,
    "steps": lambda one: one.help.steps,
    "value": lambda one: one.value,
}


def propose_support(
    game: IraqWar, ahead: Outlook, declared: Mission | None, ways: Sequence[tuple[Piece, Mission]], active: Group | None
) -> str:
    """[5.1(2)] The unit to support a combat with, or ``none``: what it changes is read from the chart where it is told.

    Args:
        ahead: the combat.
        declared: the air units over it so far.
        ways: those over it with each unit that could be added.
    """
    sign = 1 if game.side == IRAQ else -1
    options = [Sally(None, Help(), 0, "no support")]
    for piece, mission in ways:
        worth = next(abs(flier.worth) for flier in mission.fliers if flier.id == piece.id)
        change = _support_help(ahead, declared, mission, sign)
        options.append(Sally(piece, change, worth, f"{piece.name} ({worth} columns: {change})"))
    priorities = read_priorities(game.priorities, "support", SALLY_MEASURES)
    advice = advise(options, priorities, SALLY_MEASURES, lambda one: one.title)
    met = f" against {active.title}" if active else ""
    say_advice(game, f"ground support{met}", advice, "5.1")
    return advice.choice.piece.name if advice.choice.piece else NONE


def _support_help(ahead: Outlook, before: Mission | None, after: Mission, sign: int) -> Help:
    """What more support helps its side, the attacker's where ``sign`` is 1; nothing where the columns stay the same."""
    was, now = ahead.ends(before), ahead.ends(after)
    if any(end.result == UNKNOWN for end in (*was, *now)):
        return Help(columns=round(abs(ahead.mean_column(after) - ahead.mean_column(before))))
    hexes = chance(now, lambda end: end.emptied) - chance(was, lambda end: end.emptied)
    steps = chance(now, lambda end: end.lost) - chance(was, lambda end: end.lost)
    return Help(round(100 * sign * hexes), round(100 * sign * steps))


class Guard(NamedTuple):
    """An interception over a ground combat that is possible; ``piece`` None: none.

    Attributes:
        gain: what it helps its side, in hundredths of the hex and of strength steps, and by shooting the supporter down.
        risk: the chance that it is removed, in hundredths.
    """

    piece: Piece | None
    gain: int
    risk: int
    title: str


GUARD_MEASURES: Mapping[str, Callable[[Guard], int | bool]] = {
    "worth_it": lambda one: one.piece is None or one.gain >= max(one.risk, 1),
    "flies": lambda one: one.piece is not None,
    "gain": lambda one: one.gain - one.risk,
}


def propose_guard(game: IraqWar, ahead: Outlook, bare: Mission, ways: Sequence[tuple[Piece, Mission]]) -> str:
    """[5.1(1), 5.3.1(2)] The unit that intercepts the support of a combat, or ``none``.

    Args:
        bare: the air units over it without an interceptor. ways: with each that could come.
    """
    sign = 1 if game.side == IRAQ else -1
    options = [Guard(None, 0, 0, "nobody")]
    for piece, mission in ways:
        change, flown = _support_help(ahead, bare, mission, sign), flown_odds(mission)
        at = next(number for number, flier in enumerate(mission.fliers) if flier.id == piece.id)
        kills = fate(flown, REMOVED) - fate(flown_odds(bare), REMOVED)
        gain, risk = change.hex + change.steps + 100 * change.columns + round(100 * kills), round(100 * fate(flown, REMOVED, at))
        options.append(Guard(piece, gain, risk, f"{piece.name} ({change}, shoots down {kills:.0%}, is lost {risk} %)"))
    priorities = read_priorities(game.priorities, "guard", GUARD_MEASURES)
    advice = advise(options, priorities, GUARD_MEASURES, lambda one: one.title)
    say_advice(game, "interception over the combat", advice, "5.1(1)")
    return advice.choice.piece.name if advice.choice.piece else NONE


# -- spending command points ---------------------------------------------------------------------------------------------


class Deed(NamedTuple):
    """Something that an Iraqi unit could do, as the player told it.

    Attributes:
        points: victory points at stake. free: it needs no command point [16.10(1)].
        against: why it is not to be done, "" where it may be.
    """

    kind: str
    unit: str
    column: str
    place: str
    points: int
    urgency: int
    free: bool = False
    against: str = ""

    @property
    def able(self) -> bool:
        return not self.against

    @property
    def title(self) -> str:
        return " ".join(filter(None, [self.kind, self.unit, self.column, self.place]))


DEED_MEASURES: Mapping[str, Callable[[Deed], int | bool]] = {
    "able": lambda deed: deed.able,
    "points": lambda deed: deed.points,
    "hopeless": lambda deed: deed.kind == "attack" and LADDER.index(deed.column or LADDER[0]) < LADDER.index("1-1"),
    "urgency": lambda deed: deed.urgency,
    "column": lambda deed: LADDER.index(deed.column) if deed.column else 0,
}


def _read_deed(text: str, units: Sequence[str], places: Sequence[str]) -> str:
    words = clean(text).split()
    kind = one_of(words[0], KINDS, "deed", cure=f"Each begins with one of {', '.join(KINDS)}") if words else ""
    if len(words) < 2:
        raise Unreadable(f"'{clean(text)}' names no unit", rule="11.2", cure="Type: attack 6A 3-1, retake SF1 Najaf")
    many = next((many for many in range(len(words), 1, -1) if " ".join(words[1:many]) in units), 2)
    unit = one_of(" ".join(words[1:many]), units, "Iraqi unit")
    odds = next((word for word in words[many:] if word in LADDER), "")
    rest = " ".join(word for word in words[many:] if word not in LADDER)
    place = one_of(rest, places, "column or VP place") if rest else ""
    return " ".join(filter(None, [kind, unit, odds, place]))


def deeds_notation(units: Sequence[str], places: Sequence[str]) -> Notation:
    """``attack 6A 3-1 Najaf, recover RG1, block SF2``: what units could do; a column or a VP place behind it."""

    def read(text: str) -> str:
        if is_none(clean(text)):
            return NONE
        return ", ".join(_read_deed(part, units, places) for part in split_list(text))

    example = f"attack {units[0]} 3-1, retake {units[-1]} {places[-1]}" if units else NONE
    return Notation("what Iraqi units could do", example, read)


def _deed(game: IraqWar, text: str, pieces: Sequence[Piece]) -> Deed:
    words = text.split(" ")
    kind = words.pop(0)
    piece = next(one for one in sorted(pieces, key=lambda one: -len(one.name)) if " ".join(words).startswith(one.name))
    rest = " ".join(words)[len(piece.name) :].split()
    odds = next((word for word in rest if word in LADDER), "")
    place = " ".join(word for word in rest if word not in LADDER)
    against = beyond_recovery(game.position, piece) if kind == "recover" else unfit(piece)
    late = "the unit has acted this turn" if piece.mark(MOVED) else ""
    held = game.position.flag(control_flag(place), IRAQ) == IRAQ
    idle = f"{place} is not lost" if kind == "retake" and place and held else ""
    why = late or (against.text if against else idle)
    turkish = nation(piece) == TURKISH
    points = 0 if turkish else _at_stake(game, kind, place)
    return Deed(kind, piece.name, odds, place, points, int(game.priorities["urgency"][kind]), turkish, why)


def _at_stake(game: IraqWar, kind: str, place: str) -> int:
    """[15.2] Victory points that a deed takes from the Coalition, or, by who stays in its way, keeps from it."""
    if not place:
        return -game.chart("victory").number("kuwait", "vp") if kind == "kuwait" else 0
    held = game.position.flag(control_flag(place), IRAQ) != IRAQ
    return game.chart("places").number(place, "vp") if held == (kind in ("retake", "attack")) else 0


def _beside(deed: Deed, done: Deed) -> Deed:
    """[15.2] A deed when another is done: the same place, and Kuwait, count once."""
    same = (deed.place == done.place) if deed.place or done.place else deed.kind == done.kind == "kuwait"
    return deed._replace(points=0) if same and done.points else deed


async def propose_spending(game: IraqWar) -> None:
    """[11.2] How to spend the command points, from what the player says is possible on the board."""
    pieces = on_map(game.position, IRAQ)
    places = list(game.chart("places").rows)
    points = game.position.track("cp")
    prompt = f"What could Iraqi units do: {', '.join(KINDS)}, each with its unit, then odds column or VP place"
    notation = deeds_notation([piece.name for piece in pieces], places)
    text = await game.text("deeds", prompt, "11.2", notation, [Choice(NONE, "nothing of that kind")])
    left = [_deed(game, part, pieces) for part in split_list(text)] if text != NONE else []
    priorities = read_priorities(game.priorities, "spend", DEED_MEASURES)
    if not left:
        game.say(f"{OURS.capitalize()}: nothing that is worth a command point; {points} CP stay unspent.", "11.2")
    while paid := [deed for deed in left if deed.able and (points or deed.free)]:
        advice = advise(paid, priorities, DEED_MEASURES, lambda deed: deed.title)
        done = advice.choice
        say_advice(game, "free of CP" if done.free else f"next of {points} CP", advice, "16.10(1)" if done.free else "11.2")
        points -= not done.free
        left = [_beside(deed, done) for deed in left if deed.unit != done.unit]
    for deed in left:
        game.say(f"Not done: {deed.title} ({deed.against or 'no command point is left'}).", "11.3")


async def propose(game: IraqWar) -> None:
    """What our opponent would do for Iraq now: command points by radio or die, or how to spend them."""
    game.say("The priorities of this opponent are ours; the rulebook has none.", "4.2", tone="reminder")
    if game.side == IRAQ and game.phase == OPERATIONS:
        await propose_spending(game)
        return
    if game.side == IRAQ and game.phase == BOMBING:
        game.say("What to bomb is proposed target by target: bomb.", "7.1")
    if game.side == IRAQ and boxes(game.position, RADIO):
        propose_source(game)
        return
    fields = len(intact(boxes(game.position, AIRFIELD)))
    ready = game.names(game.air_units(IRAQ))
    game.say(f"Nothing to decide now: it is asked when groups are placed. Ready: {ready}; {fields} Air Fields.", "5.2(2)")
