"""[9.0] The Support Phase: Missions until one fails, and the insurgents' Reaction to that one."""

from __future__ import annotations

from companion.core.errors import Impossible, Unreadable
from companion.core.notation import Notation
from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Pick, Text
from companion.games.phantomfury.names import INSURGENTS_CUP, MISSIONS, SUPPORT_OVER, SUSPECT, SUSPECTS_CUP
from companion.games.phantomfury.odds.chances import next_mission_odds
from companion.games.phantomfury.referee import SUPPORT, Fury, controlled, fortified, marker_of
from companion.games.phantomfury.rules.r05_losses import eliminate_enemy
from companion.games.phantomfury.rules.r05_suspects import activate_suspect, activate_zone, suspects_in
from companion.games.phantomfury.rules.r09_missions import call_up
from companion.games.phantomfury.rules.r09_reaction import react, ruin
from companion.games.phantomfury.words.counters import enemy_text
from companion.games.phantomfury.words.town import zone_of
from companion.games.phantomfury.words.zones import MOSQUE, read_zone_number


async def mission(game: Fury) -> None:
    """[9.1] Call up one Mission."""
    game.begin(SUPPORT)
    if game.position.flag(SUPPORT_OVER):
        game.forbid("the Support Phase of this turn ended with the insurgents' Reaction", "9.1", "Wait for the next turn")
    which = await ask_mission(game)
    targets = await _targets(game, which)
    title, most = game.chart("missions").text(which, "title"), game.chart("missions").number(which, "success_to")
    face, comes = await call_up(game, which)
    if not comes:
        game.say(f"{title}: {face} > {most}, postponed; the insurgents react.", "9.1")
        game.set_flag(SUPPORT_OVER, True, "9.1")
        await react(game)
        return
    game.say(f"{title}: {face} <= {most}, it comes.", "9.1")
    game.shift(which, 1, "9.2.1", "a successful Mission")
    await {"uav": _uav, "ah1w": _ah1w, "fa18": _fa18}[which](game, targets)


async def ask_mission(game: Fury) -> str:
    """[9.2] Which Mission; one that is used up is refused."""
    chart = game.chart("missions")
    left = {name: chart.number(name, "max") - game.position.track(name) for name in MISSIONS}
    choices = [
        Choice(name, chart.text(name, "title"), f"0-{chart.number(name, 'success_to')}, {left[name]} left")
        for name in MISSIONS
        if left[name] > 0
    ]
    if not choices and not game.anyway:
        raise Impossible("every Mission has been used up", rule="9.2", cure="Go on with: reinforce, fire, move, assault or end")
    used = [Choice(name, chart.text(name, "title"), "used up") for name in MISSIONS if left[name] <= 0]
    request = Choose("mission", "Which Mission", "9.3", choices, None, used, "Mission")
    request.odds = lambda: next_mission_odds(game, tuple(MISSIONS))
    which = await request
    if left[which] <= 0:
        many = chart.number(which, "max")
        game.forbid(f"{chart.text(which, 'title')} has been used up ({many} of {many})", "9.2", "Call up another one")
    return which


# -- targets -----------------------------------------------------------------------------------------------------------


def _read_zones(many: int) -> Notation:
    def read(text: str) -> str:
        zones = list(dict.fromkeys(read_zone_number(word) for word in text.replace(",", " ").split()))
        if not 1 <= len(zones) <= many:
            raise Unreadable(f"{len(zones)} Zones named, 1 to {many} wanted", rule="9.3")
        return ",".join(zones)

    return Notation("Zones", "15,16" if many > 1 else "15", read)


async def _targets(game: Fury, which: str) -> list[str]:
    """The Zones of the Mission, each allowed by its description [9.3]."""
    many = 2 if which == "uav" else 1
    prompt = "Which two Zones, Adjacent or Neighbouring to each other" if many == 2 else "Which Zone"
    zones = (await Text("zones", prompt, "9.3", _read_zones(many), _candidates(game, which))).split(",")
    for zone in zones:
        game.need_zone(zone)
        await _check(game, which, zone)
    if len(zones) == 2 and zones[1] not in await game.around(zones[0], "9.3"):
        game.forbid(
            f"Zones {zones[0]} and {zones[1]} are neither Adjacent nor Neighbouring to each other", "9.3", "Choose two that are"
        )
    return zones


def _candidates(game: Fury, which: str) -> list[Choice]:
    ours = game.usmc_zones()
    zones = [one for one in game.zones() if one not in ours and not controlled(game.position, one)]
    if which != "uav":
        zones = [one for one in zones if one != MOSQUE]
    held = {zone_of(one.place) for one in game.enemies()}
    if which == "ah1w":
        zones = [one for one in zones if one in held]
    return [Choice(one, _contents(game, one) if one in held else _empty(game, one)) for one in zones]


def _contents(game: Fury, zone: str) -> str:
    return ", ".join(enemy_text(piece) for piece in game.enemies_in(zone))


def _empty(game: Fury, zone: str) -> str:
    return "clear" if marker_of(game.position, zone) else "not Activated"


async def _check(game: Fury, which: str, zone: str) -> None:
    """[9.3] Under insurgent Control, clear of USMC units, and what else the Mission asks of its Zone."""
    if controlled(game.position, zone):
        game.forbid(f"Zone {zone} is under USMC Control", "9.3", "Choose one of the insurgents' Zones")
    if game.usmc_units_in(zone):
        game.forbid(f"{game.usmc_units_in(zone)[0].name} is in Zone {zone}", "9.3", "Choose a Zone without USMC units")
    if which != "uav" and zone == MOSQUE:
        game.forbid("no air strike on Zone 26, the mosque", "9.3")
    if which == "ah1w" and not game.enemies_in(zone) and game.tracked(zone):
        game.forbid(f"Zone {zone} holds no Insurgents unit and no Suspect", "9.3")
    if which == "fa18":
        for other in await game.around(zone, "9.3"):
            if game.usmc_units_in(other):
                game.forbid(f"{game.usmc_units_in(other)[0].name} is in Zone {other}, too close to Zone {zone}", "9.3")


# -- effects -----------------------------------------------------------------------------------------------------------


async def _uav(game: Fury, zones: list[str]) -> None:
    """[9.3] Activate the Zones, then the Suspects of the Normal ones; an IED/Sniper result leaves the marker."""
    for zone in zones:
        await activate_zone(game, zone, "9.3")
    for zone in zones:
        if fortified(game.position, zone):
            game.say(f"Zone {zone} is Fortified: its Suspects stay as they are.", "9.3")
            continue
        for suspect in suspects_in(game, zone):
            await activate_suspect(game, suspect, zone, "keep")


async def _ah1w(game: Fury, zones: list[str]) -> None:
    """[9.3] Up to two counters of one Zone are removed."""
    found = game.enemies_in(zones[0])
    chosen = [one.place for one in found]
    if len(found) > 2:
        choices = [Choice(one.place, enemy_text(one)) for one in found]
        chosen = list(await Pick("remove", "Which two are removed", "9.3", choices, 1, 2, [one.place for one in found[:2]]))
    for piece in found:
        if piece.place in chosen:
            _remove(game, piece, "AH-1W", game.option("air_vp") == "both")


def _remove(game: Fury, piece: Piece, by: str, counts: bool) -> None:
    """Take one enemy counter off by an air strike (ruling C-2 on Victory Points)."""
    if piece.kind != SUSPECT and counts:
        eliminate_enemy(game, piece, "9.3", by)
        return
    game.say(f"{enemy_text(piece)} at {piece.place} removed by the {by}.", "9.3")
    game.move(piece.id, SUSPECTS_CUP if piece.kind == SUSPECT else INSURGENTS_CUP, "9.3", by)
    game.flip(piece.id, "front", "9.3")


async def _fa18(game: Fury, zones: list[str]) -> None:
    """[9.3, 4.1.6] The Zone is Activated, everything in it eliminated, and it lies in Ruins."""
    zone = zones[0]
    await activate_zone(game, zone, "9.3")
    for piece in game.enemies_in(zone):
        _remove(game, piece, "F/A-18", game.option("air_vp") != "none")
    ruin(game, zone, "9.3")
