"""[3.0, 4.1.3, 5.0] The ten-sided die, 0 to 9; counters: losses, Insurgents units, Activation of Zones and Suspects."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache, partial
from itertools import groupby

from companion.core.dice import RollOutcome
from companion.core.hints import Literal, cast
from companion.core.odds import merge
from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Draw, LazyText, Odds, Roll
from companion.core.text import die_range
from companion.games.phantomfury import state
from companion.games.phantomfury.notation import CLOSED, MOSQUE
from companion.games.phantomfury.referee import FuryReferee

FACES = range(10)
LossTaker = Literal["squad", "caat"]
OnAmbush = Literal["keep", "dummy", "shot"]
Lines = tuple[tuple[str, int], ...]
"""Modifiers, each with its label."""


@lru_cache(maxsize=1024)
def _merged_outcomes(results: tuple[Hashable, ...]) -> tuple[RollOutcome, ...]:
    """The outcomes of a die, faces with equal results merged."""
    return tuple(RollOutcome((results.index(result),), results.count(result)) for result in dict.fromkeys(results))


async def d10(
    key: str,
    prompt: LazyText,
    rule: str,
    read: Callable[[int], Hashable],
    names: Callable[[], Sequence[str]] | None = None,
    remaining: int = 1,
) -> int:
    """Roll one die. Odds merge faces for which ``read`` is equal; ``names`` are the faces' results in words, for odds to show."""
    roll = Roll(key, prompt, rule, sides=10, lowest=0, outcomes=lambda: _merged_outcomes(tuple(map(read, FACES))))
    roll.remaining = remaining
    if names is not None:
        roll.odds = partial(_odds, prompt, rule, names)
    return (await roll)[0]


def _odds(prompt: LazyText, rule: str, names: Callable[[], Sequence[str]]) -> Odds:
    """Odds of the results of a die."""
    chances = merge((name, 1 / len(FACES)) for name in names())
    title = prompt if isinstance(prompt, str) else prompt()
    return Odds(title.partition(": ")[0], rule, (("The result is", tuple(sorted(chances.items(), key=lambda item: -item[1]))),))


def chart_column(referee: FuryReferee, chart: str, column: str) -> tuple[str, ...]:
    """The entries of a chart column, by face."""
    return referee.cached_chart((chart, column), lambda: tuple(referee.chart(chart).text(face, column) for face in FACES))


async def on_chart(
    referee: FuryReferee, chart: str, column: str, key: str, prompt: LazyText, rule: str, remaining: int = 1
) -> tuple[int, str]:
    """Roll one die on a chart. Returns the face and the entry of the column.

    A plain prompt is followed by what each face brings; a lazy one says that itself.
    """
    results = chart_column(referee, chart, column)
    named = "title" if "title" in referee.chart(chart).columns else column

    def names() -> tuple[str, ...]:
        return chart_column(referee, chart, named)

    question = (lambda: f"{prompt}: {faces_text(names())}") if isinstance(prompt, str) else prompt
    face = await d10(key, question, rule, results.__getitem__, names, remaining)
    return face, results[face]


def faces_text(results: Sequence[str]) -> str:
    """What each face brings: ``0 IED/Sniper, 1-4 Dummy, 5-9 Guerillas``; ``results`` are in the order of the faces."""
    texts: list[str] = []
    for result, group in groupby(FACES, lambda face: results[face]):
        faces = list(group)
        texts.append(f"{die_range(faces[0], faces[-1])} {result}")
    return ", ".join(texts)


def modifiers(referee: FuryReferee, chart: str, column: str, *applies: str) -> Lines:
    """The modifiers of the chart rows that apply."""

    def read() -> Lines:
        table = referee.chart(chart)
        lines = ((table.text(row, "when"), table.number(row, column)) for row in table.rows if row in applies)
        return tuple(line for line in lines if line[1])

    return referee.cached_chart((chart, column, applies), read)


def total(lines: Lines) -> int:
    """The sum of modifiers."""
    return sum([value for _, value in lines]) if lines else 0


def modifiers_text(lines: Lines) -> str:
    """Modifiers in words: ``+1 against Martyrs, -1 Top-Down``."""
    return ", ".join(f"{value:+d} {label}" for label, value in lines) or "none"


def die_text(face: int, lines: Lines) -> str:
    """A die with its modifiers: ``5+1-1 = 5``."""
    return f"{face}{''.join(f'{value:+d}' for _, value in lines)}" + (f" = {face + total(lines)}" if lines else "")


def result_text(face: int, lines: Lines, cf: int, verb: str = "hits", top: int = 8) -> str:
    """A die with the faces that succeed: ``5, hits on 0-4 (5+1 = 6, CF 5)``; ``top``: the highest face that can."""
    reckoned = f" ({die_text(face, lines)}, CF {cf})" if lines else ""
    return f"{face}, {verb} on {die_range(0, cf - total(lines), top)}{reckoned}"


def hit_faces(need: int) -> str:
    """[11.2.4, 13.4.2] The faces that hit, in words: ``0-5``; at most 8, since an unmodified 9 never hits."""
    return die_range(0, need, 8)


def hits(face: int, modifier: int, cf: int) -> bool:
    """[11.2.2, 11.2.4, 13.4.2] True if the final result is at most the CF and the die is not an unmodified 9."""
    return face != 9 and face + modifier <= cf


def pin(referee: FuryReferee, squad: Piece, rule: str, why: str) -> None:
    """[11.5] Pin a squad; a Fired marker is replaced. Pinning it again changes nothing."""
    if referee.piece(squad.id).mark(state.PINNED):
        referee.say(f"{squad.name} is Pinned already.", "11.5")
        return
    referee.mark(squad.id, state.FIRED, None, "11.5")
    referee.mark(squad.id, state.PINNED, True, rule, why)
    referee.say(f"{squad.name} is PINNED.", "11.5", why)


async def ask_loss(caat: bool, cheap: bool, name: str = "The squad") -> LossTaker:
    """[5.1.1.2] Ask whether the squad or its CAAT takes a Step Loss; ``cheap``: the CAAT is suggested."""
    if not caat:
        return "squad"
    choices = [Choice("squad", "the squad"), Choice("caat", "its CAAT")]
    prompt = f"{name} takes a Step Loss: itself or its CAAT?"
    answer = await Choose("loss", prompt, "5.1.1.2", choices, "caat" if cheap else "squad")
    return "caat" if answer == "caat" else "squad"


async def step_loss(referee: FuryReferee, squad: Piece, rule: str, why: str) -> str:
    """Apply a Step Loss to a squad or its CAAT. Returns ``squad``, ``caat``, or ``lost`` for an eliminated squad."""
    squad = referee.piece(squad.id)
    who = await ask_loss(bool(squad.mark(state.CAAT)), squad.face == state.REDUCED or state.spent(squad), squad.name)
    return apply_loss(referee, squad, who, rule, why)


def apply_loss(referee: FuryReferee, squad: Piece, who: LossTaker, rule: str, why: str) -> str:
    """[5.1.1.1, 5.1.4.3] Apply a Step Loss to the squad or the CAAT that was chosen."""
    squad = referee.piece(squad.id)
    if who == "caat":
        referee.say(f"{squad.name} LOSES its CAAT.", "5.1.4.3", why)
        remove_caat(referee, squad, "5.1.4.3")
        referee.points(scored_item("CAAT lost", squad.kind == state.IIF), "7.2.1", "CAAT support eliminated")
        return "caat"
    if squad.face == state.REDUCED:
        eliminate(referee, squad, rule, why)
        return "lost"
    referee.flip(squad.id, state.REDUCED, "5.1.1.1", why)
    referee.say(f"{squad.name} takes a STEP LOSS: CF {referee.cf(squad)}.", "5.1.1.1", why)
    if item := scored_item("reduced", squad.kind == state.IIF):
        referee.points(item, "7.2.1", f"{squad.name} reduced")
    return "squad"


def scored_item(loss: str, iif: bool) -> str:
    """[7.2.1] The item of the chart of points for a loss: ``reduced``, ``CAAT lost``, ``eliminated``; "" if it scores nothing."""
    reduced = "" if iif else "squad_reduced"
    items = {"reduced": reduced, "CAAT lost": "caat_eliminated", "eliminated": f"{state.IIF if iif else state.SQUAD}_eliminated"}
    return items.get(loss, "")


def loss_points(referee: FuryReferee, loss: str, iif: bool) -> int:
    """[7.2.1] The Victory Points that a loss costs."""
    item = scored_item(loss, iif)
    return -referee.item_points(item) if item else 0


def remove_caat(referee: FuryReferee, squad: Piece, rule: str) -> None:
    """Remove a CAAT with its Ammo and Explosives markers from the map [5.1.4.3]."""
    for mark in (state.CAAT, state.AMMO, state.EXPLOSIVES):
        referee.mark(squad.id, mark, None, rule)


def eliminate(referee: FuryReferee, squad: Piece, rule: str, why: str) -> None:
    """[5.1.1.1] Remove a squad from the game with its CAAT (no Victory Points) and its Hero [5.1.4.3, 5.1.5.1]."""
    remove_from_map(referee, squad, rule, why)
    referee.say(f"{squad.name} is ELIMINATED.", "5.1.1.1", why)
    referee.points(scored_item("eliminated", squad.kind == state.IIF), "7.2.1", f"{squad.name} eliminated")


def remove_from_map(referee: FuryReferee, squad: Piece, rule: str, why: str) -> None:
    """Remove a squad permanently, with everything stacked with it."""
    remove_caat(referee, squad, rule)
    for mark in (state.HERO, state.FIRED, state.PINNED):
        referee.mark(squad.id, mark, None, rule)
    referee.move(squad.id, state.OUT, rule, why)


def eliminate_enemy(referee: FuryReferee, unit: Piece, rule: str, why: str) -> None:
    """[5.2.1] Return an Insurgents unit to its cup; Guerillas score a Victory Point [7.2.1]."""
    text, where = state.enemy_text(unit), unit.place
    guerillas = state.kind_of(unit) == state.GUERILLAS
    referee.move(unit.id, state.INSURGENTS_CUP, "5.2.1", "eliminated")
    referee.flip(unit.id, "front", "5.2.1")
    referee.say(f"{text} at {where} ELIMINATED.", rule, why)
    if guerillas:
        referee.points("guerillas_eliminated", "7.2.1", "Guerillas eliminated")


async def swap(referee: FuryReferee, unit: Piece, cf: int, rule: str, why: str) -> Piece:
    """[13.4.3] Replace a unit by one of its type with another CF from the cup, if there is one (ruling C-57)."""
    kind = state.kind_of(unit)
    names = [name for name in referee.cup(state.INSURGENTS_CUP) if state.sides(name)[kind] == cf]
    if not names:
        referee.say(f"The cup has no {kind.title()} of CF {cf}: {state.enemy_text(unit)} stays.", rule, why)
        return unit
    name = names[0]
    if len(names) > 1:
        choices = [Choice(counter, counter) for counter in names]
        name = await Choose("counter", f"Which counter with {kind.title()} CF {cf}?", rule, choices, names[0])
    new = referee.take_from(state.INSURGENTS_CUP, name, unit.place, rule, why)
    referee.flip(new.id, unit.face, rule)
    referee.move(unit.id, state.INSURGENTS_CUP, rule, "replaced")
    referee.flip(unit.id, "front", rule)
    new = referee.piece(new.id)
    referee.say(f"{state.enemy_text(unit)} at {unit.place} is replaced by CF {state.cf_of(new)} ({name}).", rule, why)
    return new


def free_location(referee: FuryReferee, zone: str, marker: str) -> str:
    """[5.3.2.2, 5.3.2.3] The Location that a Suspect marker assigns; "" if none of its Locations is free."""
    existing = referee.locations(zone)
    places = [state.place(zone, location) for location in state.priorities(marker) if location in existing]
    return next((where for where in places if is_free(referee, where)), "")


def is_free(referee: FuryReferee, where: str) -> bool:
    """True if neither an enemy nor a unit of the player is in a Location."""
    return referee.enemy_at(where) is None and not any(state.is_ours(piece) for piece in referee.position.at(where))


def why_no_enemy(
    referee: FuryReferee, name: str, rule: str, fault: Callable[[str], tuple[str, str] | None]
) -> tuple[str, str] | None:
    """Why a named Location, or a counter, is no target: (why, rule); None if the name is of neither.

    Args:
        fault: Why the enemy at a Location is no target.
    """
    where = name.upper()
    if state.zone_of(where):
        return fault(where) if referee.enemy_at(where) else (f"no Suspect and no Insurgents unit is at {where}", rule)
    named = [piece for piece in referee.position.pieces.values() if piece.name.casefold() == name.casefold()]
    if any(map(state.is_ours, named)):
        return f"{named[0].name} is a unit of yours", rule
    targets = [piece.place for piece in named if state.enemy_place(piece) and state.on_map(piece)]
    reasons = [fault(where) for where in targets]
    if targets and None in reasons:
        return f"a target is named by its Location, such as {targets[reasons.index(None)]}", rule
    return reasons[0] if reasons else None


def then_text(series: Sequence[str], what: str = "") -> str:
    """What follows the first of a series of rolls or draws: `` (then 2-R, 3-1)``; "" for a single one."""
    return f" (then {what}{', '.join(series[1:])})" if len(series) > 1 else ""


async def draw_marker(referee: FuryReferee, zone: str, rule: str, series: Sequence[str] = ()) -> Piece:
    """Draw a Suspect marker for a Zone; it stays in the cup until it is placed [6.1.3].

    Args:
        series: If Zones are Activated, the Zone of this marker and of those that follow.
    """

    def prompt() -> str:
        count = suspects_placed(zone)
        left = next((index for index, other in enumerate(series) if other != zone), len(series))
        which = f" {count - left + 1} of {count}" if series else ""
        return f"Suspect marker{which} for Zone {zone}{then_text(series, 'Zone ')}"

    draw = Draw("suspect", prompt, rule, state.SUSPECTS_CUP, referee.cup(state.SUSPECTS_CUP), thing="marker")
    draw.remaining = max(min(len(series), referee.position.count(state.SUSPECTS_CUP)), 1)
    name = await draw
    held = next((piece for piece in referee.position.at(state.SUSPECTS_CUP) if piece.name == name), None)
    return held or referee.take_from(state.SUSPECTS_CUP, name, state.SUSPECTS_CUP, rule)


async def place_suspect(referee: FuryReferee, zone: str, rule: str, series: Sequence[str] = ()) -> bool:
    """[5.3.2] Draw and place a Suspect marker. Returns False if there is no room and it goes back."""
    if not referee.cup(state.SUSPECTS_CUP):
        referee.say(f"No Suspect marker is left for Zone {zone}.", "5.3.2")
        return False
    marker = await draw_marker(referee, zone, rule, series)
    where = free_location(referee, zone, marker.name)
    if not where:
        referee.say(f"Suspect {marker.name}: no free Location for it in Zone {zone}; it goes back.", "5.3.2.3")
        return False
    referee.move(marker.id, where, "5.3.2.2", "a Suspect, by its marker")
    return True


def suspects_placed(zone: str) -> int:
    """[5.3.2.1] The number of Suspects that the Activation of a Zone places."""
    return 3 if zone == MOSQUE else 2


async def place_suspects(referee: FuryReferee, zones: Sequence[str]) -> None:
    """[5.3.2.1] Draw and place the Suspects of the first Zone; the others follow."""
    series = [zone for zone in zones for _ in range(suspects_placed(zone))]
    for index in range(suspects_placed(zones[0])):
        await place_suspect(referee, zones[0], "5.3.2.1", series[index:])


async def activate_zones(referee: FuryReferee, zones: Sequence[str], rule: str, ahead: Sequence[str] = ()) -> None:
    """[4.1.3] Draw the nature of Zones and place their Suspects, once a game; ``ahead``: those to be Activated afterwards."""
    due = [zone for zone in dict.fromkeys([*zones, *ahead]) if zone != CLOSED and referee.marker_of(zone) is None]
    for index, zone in enumerate(due):
        if zone in zones:
            await _activate_zone(referee, due[index:], rule)


async def _activate_zone(referee: FuryReferee, zones: Sequence[str], rule: str) -> None:
    """[4.1.3, 4.1.5] Activate the first Zone; the others follow."""
    zone, series = zones[0], [zone for zone in zones if zone != MOSQUE]
    await referee.zone(zone, rule)
    if zone == MOSQUE:
        referee.make(state.CONTROL, state.STRONG, state.box(zone), "4.1.5", "the mosque is Fortified")
    elif not referee.cup(state.ZONES_CUP):
        referee.make(state.CONTROL, state.PLAIN, state.box(zone), "4.1.3", "no marker is left in the cup: Normal")
    else:
        cup = referee.cup(state.ZONES_CUP)
        prompt = f"Activation of Zone {zone}{then_text(series)}"
        draw = Draw("nature", prompt, "4.1.3", state.ZONES_CUP, cup, thing="marker")
        draw.remaining = min(len(series), sum(cup.values()))
        name = await draw
        nature = "Fortified: no Flooding" if name == state.STRONG else "Normal"
        referee.take_from(state.ZONES_CUP, name, state.box(zone), "4.1.3", nature)
    await place_suspects(referee, zones)


async def roll_activation(
    referee: FuryReferee, text: str, strong: bool, ambush: str = "IED/Sniper", series: Sequence[str] = ()
) -> tuple[int, state.EnemyKind]:
    """[5.3.3, 5.3.4] Roll for a Suspect: (face, what it is).

    Args:
        ambush: What an IED/Sniper is here, in words.
        series: The Location of this Suspect and of those that are Activated next.
    """
    rule, column = "5.3.4" if strong else "5.3.3", _nature_column(strong)

    def prompt() -> str:
        titles = [ambush if result == state.AMBUSH else result.title() for result in chart_column(referee, "activation", column)]
        return f"Activate {text}{then_text(series)}: {faces_text(titles)}"

    face, result = await on_chart(referee, "activation", column, "activate", prompt, rule, max(len(series), 1))
    return face, cast(state.EnemyKind, result)


def activation_chances(referee: FuryReferee, strong: bool) -> dict[str, float]:
    """[5.3.3, 5.3.4] The chance of each result for a Suspect."""
    results = chart_column(referee, "activation", _nature_column(strong))
    return {result: results.count(result) / len(FACES) for result in dict.fromkeys(results)}


def _nature_column(strong: bool) -> str:
    """The column of the chart for a Normal or a Fortified Zone."""
    return "fortified" if strong else "normal"


_AMBUSHES: dict[OnAmbush, str] = {"keep": "IED/Sniper (it stays)", "dummy": "Dummy", "shot": "Sniper"}


async def activate_suspect(
    referee: FuryReferee, suspect: Piece, zone: str, ambush: OnAmbush, series: Sequence[str] = ()
) -> state.EnemyKind:
    """[5.3.3 - 5.3.5] Activate one Suspect on the map. Returns the result.

    ``ambush``: on IED/Sniper ``keep`` leaves the marker, ``dummy`` removes it, ``shot`` leaves it for the Sniper [11.4.1.1].
    ``series``: the Location of this Suspect and of those that are Activated next.
    """
    strong = referee.is_fortified(zone)
    where = suspect.place
    face, result = await roll_activation(referee, f"the Suspect at {where}", strong, _AMBUSHES[ambush], series)
    rule = "5.3.4" if strong else "5.3.3"
    if result == state.AMBUSH and ambush == "keep":
        referee.say(f"Suspect at {where}: {face}, IED/Sniper: the marker stays.", "9.3")
        return result
    if result == state.AMBUSH and ambush == "dummy":
        referee.say(f"Suspect at {where}: {face}, a Dummy in a start Zone.", "6.2")
        result = state.DUMMY
    elif result == state.AMBUSH:
        referee.say(f"Suspect at {where}: {face}, IED/Sniper.", rule)
    elif result == state.DUMMY:
        referee.say(f"Suspect at {where}: {face}, a Dummy.", rule)
    if result == state.AMBUSH and ambush == "shot":
        return result
    referee.move(suspect.id, state.SUSPECTS_CUP, "5.3.5", "Activated")
    if result in (state.DUMMY, state.AMBUSH):
        return result
    if not referee.cup(state.INSURGENTS_CUP):
        referee.say(f"Suspect at {where}: {face}, but no Insurgents counter is left.", rule)
        return state.DUMMY
    prompt, cup = f"Insurgents unit for {where} ({result.title()} side)", referee.cup(state.INSURGENTS_CUP)
    name = await Draw("insurgent", prompt, rule, state.INSURGENTS_CUP, cup)
    place_insurgent(referee, name, result, where, rule, f"Suspect at {where}: {face}, ")
    return result


def place_insurgent(referee: FuryReferee, name: str, kind: state.EnemyKind, where: str, rule: str, lead: str) -> Piece:
    """Place a drawn Insurgents unit on its Guerillas or Martyrs side."""
    piece = referee.take_from(state.INSURGENTS_CUP, name, where, rule, kind.title())
    referee.flip(piece.id, "front" if kind == state.GUERILLAS else kind, rule)
    piece = referee.piece(piece.id)
    referee.say(f"{lead}{state.enemy_text(piece)} ({name}) at {where}.", rule)
    return piece


def suspects_in(referee: FuryReferee, zone: str) -> list[Piece]:
    """The Suspects in a Zone, in the order of its Locations."""
    printed = referee.town.zones.get(zone)
    order = {state.place(zone, location): index for index, location in enumerate(printed.locations)} if printed else {}
    suspects = [piece for piece in referee.enemies_in(zone) if piece.kind == state.SUSPECT]
    return sorted(suspects, key=lambda piece: order.get(piece.place, 99))
