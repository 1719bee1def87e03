"""A solo opponent for the Iraqi side, which the rulebook does not have. Its priorities are ours (bot.toml)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from companion.core.advice import Advice, advise, read_priorities
from companion.core.errors import Unreadable
from companion.core.game import Tables
from companion.core.notation import Notation
from companion.core.position import Piece
from companion.core.requests import Choice
from companion.core.words import clean, one_of, split_list
from companion.games.iraqwar2003.odds.chances import Clash, Gain, combat_results, interception_gain, summary
from companion.games.iraqwar2003.referee import IraqWar, boxes, intact, on_map, radar_works
from companion.games.iraqwar2003.rules.r05_air_groups import Group
from companion.games.iraqwar2003.rules.r05_plans import Plan
from companion.games.iraqwar2003.words.counters import AirValues, steps_left
from companion.games.iraqwar2003.words.results import LADDER, UNKNOWN, column

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


def propose_source(game: IraqWar, tables: Tables, radios: int) -> str:
    """[11.1] ``radio`` or ``die``."""
    found = game.position.flag("saddam") == "found"
    candidates = [Source("die", 35, False), *([] if found else [Source("radio", 10 * radios, True)])]
    priorities = read_priorities(tables.bot, "source", SOURCE_MEASURES)
    advice = advise(candidates, priorities, SOURCE_MEASURES, lambda source: source.name)
    say_advice(game, f"command points ({radios} Radio against 3 1/2 on average)", advice, "11.1")
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


async def propose_interception(game: IraqWar, tables: Tables, plans: Sequence[Plan]) -> str:
    """[5.2(2)] Which groups to intercept with what, in the notation of the question; ``none``."""
    priorities = read_priorities(tables.bot, "intercept", SORTIE_MEASURES)
    chosen: list[Sortie] = []
    while True:
        candidates = await _sorties(game, tables, plans, chosen)
        advice = advise(candidates, priorities, SORTIE_MEASURES, lambda one: one.title)
        say_advice(game, "interception", advice, "5.2(2)")
        if advice.choice.piece is None:
            break
        chosen.append(advice.choice)
    parts = [f"{one.number} {one.piece.name}" for one in sorted(chosen, key=lambda one: one.number) if one.piece]
    return ", ".join(parts) or "none"


async def _sorties(game: IraqWar, tables: Tables, plans: Sequence[Plan], chosen: Sequence[Sortie]) -> list[Sortie]:
    stay = Sortie(0, None, Gain(0.0, 0.0, 0.0, 0.0), 0, "nobody")
    if game.airfields_left() <= len(chosen):
        return [stay]
    ready = [piece for piece in game.air_units("iraq") if piece.id not in {one.piece.id for one in chosen if one.piece}]
    known: dict[str, AirValues] = {piece.name: await game.air_values(piece) for piece in ready}
    found = []
    for number, plan in enumerate(plans, 1):
        lead = plan.group.lead
        met = any(one.number == number for one in chosen)
        if lead is None or met or (plan.sectors and not any(radar_works(game.position, sector) for sector in plan.sectors)):
            continue
        for piece in plan.group.pieces:
            known[piece.name] = await game.air_values(piece)
        if known[lead.name].stealth:
            continue
        for piece in ready:
            gain = interception_gain(plan, known, piece.name) if known[piece.name].air else None
            if gain:
                found.append(Sortie(number, piece, gain, _worth(game, tables, plan), _sortie_title(number, plan, piece, gain)))
    return [*found, stay]


def _sortie_title(number: int, plan: Plan, piece: Piece, gain: Gain) -> str:
    saved, killed, lost = (round(100 * share) for share in (gain.stopped, gain.kills, gain.risk))
    return f"{piece.name} at {number} {plan.group.title} (saves {saved} %, shoots down {killed} %, is lost {lost} %)"


def _worth(game: IraqWar, tables: Tables, plan: Plan) -> int:
    kind = str(game.piece(plan.id).values.get("box")) if plan.kind == "box" else plan.kind
    return int(tables.bot["worth"].get(kind, 0))


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


async def propose_support(game: IraqWar, tables: Tables, clash: Clash, ready: Sequence[Piece], active: Group | None) -> str:
    """[5.1(2)] The unit to support a combat with, or ``none``: what it changes is read from the chart where it is told."""
    defends = game.side == "coalition"
    options = [Sally(None, Help(), 0, "no support")]
    for piece in ready if game.airfields_left() else ():
        values = await game.air_values(piece)
        if values.support:
            change = _support_help(clash, -values.support if defends else values.support)
            options.append(Sally(piece, change, values.support, f"{piece.name} ({values.support} columns: {change})"))
    priorities = read_priorities(tables.bot, "support", SALLY_MEASURES)
    advice = advise(options, priorities, SALLY_MEASURES, lambda one: one.title)
    met = f" against {active.title}" if active else ""
    say_advice(game, f"ground support{met}", advice, "5.1")
    return advice.choice.piece.name if advice.choice.piece else "none"


def _support_help(clash: Clash, shift: int) -> Help:
    """What a shift helps its side; nothing where the column stays the same."""
    before, after = combat_results(clash), combat_results(clash._replace(shift=clash.shift + shift))
    if UNKNOWN in before or UNKNOWN in after:
        places = [LADDER.index(column(clash.attack, clash.defence, one)) for one in (clash.shift, clash.shift + shift)]
        return Help(columns=abs(places[1] - places[0]))
    was, now = summary(clash, before), summary(clash, after)
    sign = 1 if shift > 0 else -1
    return Help(
        round(100 * sign * (now["leaves"] - was["leaves"])), round(100 * sign * (now["defender loses"] - was["defender loses"]))
    )


# -- spending command points ---------------------------------------------------------------------------------------------


class Deed(NamedTuple):
    """Something that an Iraqi unit could do, as the player told it."""

    kind: str
    unit: str
    column: str
    place: str
    points: int
    urgency: int
    able: bool

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
    unit = one_of(words[1], units, "Iraqi unit")
    odds, place = "", ""
    for word in words[2:]:
        if word in LADDER:
            odds = word
        else:
            place = one_of(word, places, "column or VP place")
    return " ".join(filter(None, [kind, unit, odds, place]))


def deeds_notation(units: Sequence[str], places: Sequence[str]) -> Notation:
    """``attack 6A 3-1 Najaf, recover RG1, block SF2``: what units could do; a column or a VP place behind it."""

    def read(text: str) -> str:
        if clean(text).casefold() in ("none", "-", ""):
            return "none"
        return ", ".join(_read_deed(part, units, places) for part in split_list(text))

    example = f"attack {units[0]} 3-1, retake {units[-1]} {places[-1]}" if units else "none"
    return Notation("what Iraqi units could do", example, read)


def _deed(game: IraqWar, tables: Tables, text: str, pieces: Sequence[Piece]) -> Deed:
    words = text.split(" ")
    kind = words.pop(0)
    piece = next(one for one in sorted(pieces, key=lambda one: -len(one.name)) if " ".join(words).startswith(one.name))
    rest = " ".join(words)[len(piece.name) :].split()
    odds = next((word for word in rest if word in LADDER), "")
    place = " ".join(word for word in rest if word not in LADDER)
    points = _at_stake(game, kind, place)
    fit = bool(piece.mark("disrupted")) and not piece.mark("oos") if kind in ("recover",) else not piece.mark("disrupted")
    able = fit and not piece.mark("moved") and steps_left(piece) > 0
    return Deed(kind, piece.name, odds, place, points, int(tables.bot["urgency"][kind]), able)


def _at_stake(game: IraqWar, kind: str, place: str) -> int:
    """[15.2] Victory points that a deed takes from the Coalition, or, by who stays in its way, keeps from it."""
    if not place:
        return 2 if kind == "kuwait" else 0
    held = game.position.flag(f"control:{place}", "iraq") != "iraq"
    return game.chart("places").number(place, "vp") if held == (kind in ("retake", "attack")) else 0


async def propose_spending(game: IraqWar, tables: Tables) -> None:
    """[11.2] How to spend the command points, from what the player says is possible on the board."""
    pieces = on_map(game.position, "iraq")
    places = list(game.chart("places").rows)
    points = game.position.track("cp")
    prompt = f"What could Iraqi units do: {', '.join(KINDS)}, each with its unit, then odds column or VP place"
    notation = deeds_notation([piece.name for piece in pieces], places)
    text = await game.text("deeds", prompt, "11.2", notation, [Choice("none", "nothing of that kind")])
    left = [_deed(game, tables, part, pieces) for part in split_list(text)] if text != "none" else []
    priorities = read_priorities(tables.bot, "spend", DEED_MEASURES)
    if not left:
        game.say(f"{OURS.capitalize()}: nothing that is worth a command point; {points} CP stay unspent.", "11.2")
    while left and points:
        advice = advise(left, priorities, DEED_MEASURES, lambda deed: deed.title)
        if not advice.choice.able:
            break
        say_advice(game, f"next of {points} CP", advice, "11.2")
        points -= 1
        left = [deed for deed in left if deed.unit != advice.choice.unit]
    for deed in left:
        why = "no command point is left" if deed.able else "the unit cannot do it now"
        game.say(f"Not done: {deed.title} ({why}).", "11.3")


async def propose(game: IraqWar, tables: Tables) -> None:
    """What our opponent would do for Iraq now: command points by radio or die, or how to spend them."""
    game.say("The priorities of this opponent are ours; the rulebook has none.", "4.2", tone="reminder")
    if game.side == "iraq" and game.phase == "operations":
        await propose_spending(game, tables)
        return
    there = boxes(game.position, "radio")
    if game.side == "iraq" and there:
        from companion.games.iraqwar2003.rules.r04_turn import radios_that_count

        propose_source(game, tables, radios_that_count(game))
        return
    fields = len(intact(boxes(game.position, "airfield")))
    ready = game.names(game.air_units("iraq"))
    game.say(f"Nothing to decide now: it is asked when groups are placed. Ready: {ready}; {fields} Air Fields.", "5.2(2)")
