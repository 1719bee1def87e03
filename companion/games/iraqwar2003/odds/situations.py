"""What can be asked of chance in Iraq War 2003: each answered by the procedures that roll it."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.errors import Impossible, Unreadable
from companion.core.notation import Notation
from companion.core.requests import Choice, Odds
from companion.core.words import clean, fitting, one_of, split_list
from companion.games.iraqwar2003.odds.chances import Support, combat_odds, cp_odds, flown_odds, mission_odds, needed_columns
from companion.games.iraqwar2003.odds.described import clash
from companion.games.iraqwar2003.referee import IraqWar, boxes, intact
from companion.games.iraqwar2003.rules.r05_air_combat import Flier, Mission, bombing_value
from companion.games.iraqwar2003.words.counters import AirValues, read_air
from companion.games.iraqwar2003.words.results import COLUMN, UNKNOWN

_CURE = "Type values like 5-2-4 or 0-0-5 stealth, or the name of a unit"


def _read_flier(text: str, names: Sequence[str]) -> str:
    plain = clean(text)
    if plain.casefold() in ("none", "-", ""):
        return "none"
    try:
        return str(read_air(plain))
    except Unreadable:
        found = fitting(plain, names)
        return one_of(plain, names, "air unit", cure=_CURE) if found else plain[:40]


async def ask_flier(game: IraqWar, key: str, prompt: str, rule: str, optional: bool = True) -> tuple[str, AirValues] | None:
    """A unit by its values or by its name, whose values are looked up; None for none."""
    names = [piece.name for piece in game.position.of_kind("air")]
    notation = Notation("air unit", "5-2-4", lambda text: _read_flier(text, names))
    text = await game.text(key, prompt, rule, notation, [Choice(name, name) for name in names], "none" if optional else None)
    if text == "none":
        if not optional:
            raise Impossible("there is no mission without a unit", rule=rule, cure=_CURE)
        return None
    try:
        return key, read_air(text)
    except Unreadable:
        piece = next((one for one in game.position.of_kind("air") if one.name == text), None)
        if piece is not None:
            return text, await game.air_values(piece)
        from companion.games.iraqwar2003.words.counters import AIR

        told = await game.printed(f"air:{text}", f"{text}: air combat-ground support-bombing", "2.3", AIR)
        return text, read_air(told)


def read_shots(text: str) -> str:
    """``3 2``: the firepower of each anti-air shot; ``none``.

    Raises:
        Unreadable: not numbers from 1 to 6.
    """
    plain = clean(text).replace(",", " ")
    if plain.casefold() in ("none", "-", "", "0"):
        return "none"
    if not all(part.isdecimal() and 1 <= int(part) <= 6 for part in plain.split()):
        raise Unreadable(f"'{plain}' are no anti-air firepowers", rule="6.3(4)", cure="Type one number a shot: 3 2, or none")
    return " ".join(plain.split())


SHOTS = Notation("anti-air firepowers", "3 2", read_shots)


def shots_of(text: str) -> tuple[int, ...]:
    """What ``read_shots`` has read, as numbers."""
    return () if text == "none" else tuple(map(int, text.split()))


async def mission_odds_of(game: IraqWar) -> Odds:
    """[5.2] A mission from take-off to bombs: interception, anti-air fire, bombing."""
    lead = await ask_flier(game, "bomber", "Bombing unit: values, or its name", "5.3(4)", optional=False)
    assert lead
    escort = await ask_flier(game, "escort", "Escort (Enter: none)", "5.3(1)")
    foe = await ask_flier(game, "interceptor", "Interceptor (Enter: none)", "5.3(2)")
    shots = shots_of(await game.text("aa", "Anti-air firepower of each shot (Enter: none)", "5.6", SHOTS, (), "none"))
    city = await game.confirm("city", "A hex of Baghdad, Basra or Mosul (bombing halved)", "5.7(3)", suggest=False)
    name, values = lead
    return mission_odds(Mission(_fliers(name, values, escort, foe), shots, bombing_value(values.bombing, city), "the target"))


def _fliers(
    name: str, values: AirValues, escort: tuple[str, AirValues] | None, foe: tuple[str, AirValues] | None
) -> tuple[Flier, ...]:
    """The group with its interceptor; nobody meets a white silhouette [5.4.1(1)]."""
    found = [Flier(name, "coalition", "bombing", values.air, values.stealth)]
    for one, side, role in ((escort, "coalition", "escort"), (foe, "iraq", "intercept")):
        if one and not (role == "intercept" and values.stealth):
            found.append(Flier(one[0], side, role, one[1].air, one[1].stealth))
    return tuple(found)


def _read_targets(text: str) -> str:
    found = []
    for part in split_list(clean(text)):
        name, _, rest = part.partition(":")
        words = rest.split()
        city = "halved" in words
        shots = read_shots(" ".join(word for word in words if word != "halved"))
        if not name.strip():
            raise Unreadable(f"'{part}' has no name", rule="5.7", cure="Type: radio: 3 2, SRG 1: halved")
        found.append(f"{name.strip()}: {shots}{' halved' if city else ''}")
    if not 1 <= len(found) <= 12:
        raise Unreadable(f"{len(found)} targets named, 1 to 12 needed", rule="5.7")
    return ", ".join(found)


TARGETS = Notation("targets", "radio: 3 2, SRG 1: halved, 6A: none", _read_targets)


async def best_target(game: IraqWar) -> Odds:
    """[5.7] P(hit) and P(loss) of one air group against each target named, the best first."""
    lead = await ask_flier(game, "bomber", "Bombing unit: values, or its name", "5.3(4)", optional=False)
    assert lead
    name, values = lead
    escort = await ask_flier(game, "escort", "Escort (Enter: none)", "5.3(1)")
    foe = await ask_flier(game, "interceptor", "Interceptor that may come (Enter: none)", "5.3(2)")
    named = await _named_targets(game)
    rows, losses = [], []
    fliers = _fliers(name, values, escort, foe)
    for title, shots, city in named:
        results = flown_odds(Mission(fliers, shots, bombing_value(values.bombing, city), title))
        rows.append((title, sum((chance for flown, chance in results.items() if flown.done), 0.0)))
        losses.append((title, sum((chance for flown, chance in results.items() if flown.fates[0] == "removed"), 0.0)))
    order = sorted(range(len(rows)), key=lambda at: (-rows[at][1], losses[at][1]))
    sections = (
        ("Hits the target, the best first", tuple(rows[at] for at in order)),
        ("Is removed on the way", tuple(losses[at] for at in order)),
    )
    note = f"Best: {rows[order[0]][0]}. What a hit there is worth is yours to judge."
    met = f"Intercepted by {foe[0]}." if len(fliers) > 1 and foe else "Not intercepted."
    group = f"{name}+{escort[0]}" if escort else name
    return Odds(f"Targets for {group} ({values})", "5.7", sections, (), (note, met))


async def _named_targets(game: IraqWar) -> list[tuple[str, tuple[int, ...], bool]]:
    """Targets with anti-air fire and halving; in a session whose display is told, its whole boxes are suggested."""
    whole = intact(boxes(game.position))
    sites = dict.fromkeys(str(box.values.get("site")) for box in whole)
    parts = [f"{site}: {' '.join(map(str, game.aa_shots(site))) or 'none'}" for site in sites]
    prompt = "Targets as NAME: AA firepowers, halved in the three cities"
    text = await game.text("targets", prompt, "5.7", TARGETS, (), ", ".join(parts) or None)
    found = []
    for part in split_list(text):
        title, _, rest = part.partition(": ")
        words = rest.split()
        found.append((title, shots_of(" ".join(word for word in words if word != "halved")), "halved" in words))
    return found


async def combat_odds_of(game: IraqWar) -> Odds:
    """[13.4] A described combat, without air support and with some; columns of the chart that are not told are asked."""
    found, _ = await clash(game, True)
    support = await game.number("support", "Ground support value of your air unit (0: none)", "13.3(2)", 0, 9, 0)
    shots = shots_of(await game.text("aa", "Anti-air fire at it", "13.3(2-2)", SHOTS, (), "none")) if support else ()
    ways = {"without support": Support()}
    if support:
        flier = Flier("support", "coalition", "support", 0)
        ways["with support"] = Support((flier,), {"support": shots}, {"support": support})
    cells = dict(found.cells)
    for name in needed_columns(found, list(ways.values())):
        if UNKNOWN in cells[name]:
            told = await game.printed(f"crt:{name}", f"Combat Results Chart, column {name}: six results", "13.4", COLUMN)
            cells[name] = told.split(", ")
    return combat_odds(found._replace(cells=cells), ways)


async def cp_odds_of(game: IraqWar) -> Odds:
    """[11.1] Expected command points: Radio against the die."""
    from companion.games.iraqwar2003.rules.r04_turn import radios_that_count

    there = boxes(game.position, "radio")
    suggest = radios_that_count(game) if there else None
    radios = await game.number("radio", "Undestroyed Radio boxes", "11.1(1)", 0, 30, suggest)
    return cp_odds(radios)
