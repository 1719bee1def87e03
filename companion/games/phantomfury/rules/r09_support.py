"""[9.0] The Support Phase: Missions until one fails, then the Reaction of the insurgents [9.4]."""

from __future__ import annotations

from companion.core.errors import NoEligiblePiece, Unreadable
from companion.core.notation import Notation
from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Pick, Text
from companion.core.text import die_range, plural
from companion.games.phantomfury.names import INSURGENTS_CUP, MISSIONS, SUPPORT_OVER, SUSPECT, SUSPECTS_CUP
from companion.games.phantomfury.odds.chances import next_mission_odds
from companion.games.phantomfury.pieces import controlled, fortified, marker_of
from companion.games.phantomfury.referee import SUPPORT, Fury
from companion.games.phantomfury.rules.r05_losses import eliminate_enemy
from companion.games.phantomfury.rules.r05_suspects import activate_suspect, activate_zone, suspects_in
from companion.games.phantomfury.rules.r09_missions import call_up
from companion.games.phantomfury.rules.r09_reaction import react, ruin
from companion.games.phantomfury.words.counters import GUERILLAS, MARTYRS, cf_of, enemy_text, kind_of
from companion.games.phantomfury.words.zones import CLOSED, MOSQUE, read_zone_number


async def mission(referee: Fury) -> None:
    """[9.1] Call up one Mission."""
    referee.begin(SUPPORT)
    if referee.position.flag(SUPPORT_OVER):
        referee.forbid("the Support Phase of this turn ended with the insurgents' Reaction", "9.1", "Wait for the next turn")
    which = await ask_mission(referee)
    referee.pin(which)
    targets = await _targets(referee, which)
    title, most = referee.chart("missions").text(which, "title"), referee.chart("missions").number(which, "success_to")
    face, comes = await call_up(referee, which)
    if not comes:
        referee.say(f"{title}: {face}, needs {die_range(0, most)}. Postponed: the insurgents react.", "9.1")
        referee.set_flag(SUPPORT_OVER, True, "9.1")
        await react(referee)
        return
    referee.say(f"{title}: {face}, needs {die_range(0, most)}. It comes.", "9.1")
    referee.shift_track(which, 1, "9.2.1", "a successful Mission")
    await {"uav": _uav, "ah1w": _ah1w, "fa18": _fa18}[which](referee, targets)


async def ask_mission(referee: Fury) -> str:
    """[9.2] Ask for a Mission; one that is used up or has no legal Zone is refused."""
    chart = referee.chart("missions")
    barred = {name: why for name in MISSIONS if (why := unavailable(referee, name)) is not None}
    choices = [
        Choice(name, chart.text(name, "title"), f"0-{chart.number(name, 'success_to')}, {missions_left(referee, name)} left")
        for name in MISSIONS
        if name not in barred
    ]
    if not choices and not referee.anyway:
        each = [((name, chart.text(name, "title")), barred[name]) for name in MISSIONS]
        used = not any(missions_left(referee, name) for name in MISSIONS)
        text = "every Mission has been used up" if used else "; ".join(dict.fromkeys(why for why, _ in barred.values()))
        raise NoEligiblePiece(text, "mission", each, rule="9.2", cure="Go on with: reinforce, fire, move, assault or end")
    others = [Choice(name, chart.text(name, "title")) for name in barred]
    request = Choose("mission", "Which Mission?", "9.3", choices or others, None, others if choices else (), "Mission")
    request.odds = lambda: next_mission_odds(referee, tuple(choice.value for choice in choices or others))
    request.has_quick_odds = True
    which = await request
    if which in barred:
        referee.forbid(*barred[which], "Call up another one")
    return which


def missions_left(referee: Fury, which: str) -> int:
    """[9.2.1] The number of Missions of a kind that can still succeed."""
    return referee.chart("missions").number(which, "max") - referee.position.track(which)


def unavailable(referee: Fury, which: str) -> tuple[str, str] | None:
    """[9.2, 9.3] Why a Mission cannot be called up: (why, rule)."""
    title, maximum = referee.chart("missions").text(which, "title"), referee.chart("missions").number(which, "max")
    if missions_left(referee, which) <= 0:
        return f"{title} has been used up ({maximum} of {maximum})", "9.2"
    somewhere = any(unfit(referee, which, zone) is None for zone in referee.zones())
    return None if somewhere else (f"{_NOWHERE[which]}: no {title}", "9.3")


_NOWHERE = {
    "uav": "USMC units are in every Zone of the insurgents",
    "ah1w": "no Zone of the insurgents without USMC units holds an enemy",
    "fa18": "no Zone of the insurgents is far enough from the USMC units",
}


# -- targets -----------------------------------------------------------------------------------------------------------


def _read_zones(many: int) -> Notation:
    def read(text: str) -> str:
        zones = list(dict.fromkeys(read_zone_number(word) for word in text.replace(",", " ").split()))
        if not 1 <= len(zones) <= many:
            raise Unreadable(f"{plural(len(zones), 'Zone')} named, 1 to {many} wanted", rule="9.3")
        return ",".join(zones)

    return Notation("Zones", "15,16" if many > 1 else "15", read)


async def _targets(referee: Fury, which: str) -> list[str]:
    """Ask for the Zones of a Mission and check each [9.3]."""
    for zone in _held(referee) if which == "fa18" else ():
        await referee.around(zone, "9.3")
    maximum = 2 if which == "uav" else 1
    prompt = "Which Zone, or which two Adjacent or Neighbouring to each other?" if maximum == 2 else "Which Zone?"
    request = Text("zones", prompt, "9.3", _read_zones(maximum), _candidates(referee, which))
    request.odds = lambda: next_mission_odds(referee, (which,))
    zones = (await request).split(",")
    for zone in zones:
        referee.need_zone(zone)
        if which == "fa18" and zone != CLOSED:
            await referee.around(zone, "9.3")
        refusal = unfit(referee, which, zone)
        if refusal:
            referee.forbid(*refusal, "Choose another Zone")
    if len(zones) == 2 and zones[1] not in await referee.around(zones[0], "9.3"):
        referee.forbid(
            f"Zones {zones[0]} and {zones[1]} are neither Adjacent nor Neighbouring to each other", "9.3", "Choose two that are"
        )
    return zones


def _candidates(referee: Fury, which: str) -> list[Choice]:
    """The Zones that a Mission can go to."""
    return [Choice(zone, _contents(referee, zone)) for zone in referee.zones() if unfit(referee, which, zone) is None]


def _contents(referee: Fury, zone: str) -> str:
    held = ", ".join(enemy_text(piece) for piece in referee.enemies_in(zone))
    return held or ("clear" if marker_of(referee.position, zone) else "not Activated")


def unfit(referee: Fury, which: str, zone: str) -> tuple[str, str] | None:
    """[9.3] Why a Mission cannot go to a Zone, as far as the map is entered: (why, rule). The Zone must be under insurgent
    Control, clear of USMC units, and meet the conditions of the Mission.
    """
    if zone == CLOSED:
        return f"nobody Controls Zone {zone}", "4.1.4"
    if controlled(referee.position, zone):
        return f"Zone {zone} is under USMC Control", "9.3"
    if referee.usmc_units_in(zone):
        return f"{referee.usmc_units_in(zone)[0].name} is in Zone {zone}", "9.3"
    if which != "uav" and zone == MOSQUE:
        return "no air strike on Zone 26, the mosque", "9.3"
    if which == "ah1w" and not referee.enemies_in(zone):
        return f"Zone {zone} holds no Insurgents unit and no Suspect", "9.3"
    if which == "fa18":
        for occupied in _held(referee):
            if zone in referee.town.around(occupied) or occupied in referee.town.around(zone):
                return f"{referee.usmc_units_in(occupied)[0].name} is in Zone {occupied}, too close to Zone {zone}", "9.3"
    return None


def _held(referee: Fury) -> list[str]:
    """The Zones with USMC units, in numerical order."""
    return sorted(referee.usmc_zones() - {""}, key=int)


# -- effects -----------------------------------------------------------------------------------------------------------


async def _uav(referee: Fury, zones: list[str]) -> None:
    """[9.3] Activate the Zones, then the Suspects of the Normal ones; on IED/Sniper the marker stays."""
    for zone in zones:
        await activate_zone(referee, zone, "9.3")
    for zone in zones:
        if fortified(referee.position, zone):
            referee.say(f"Zone {zone} is Fortified: its Suspects stay as they are.", "9.3")
            continue
        for suspect in suspects_in(referee, zone):
            await activate_suspect(referee, suspect, zone, "keep")


async def _ah1w(referee: Fury, zones: list[str]) -> None:
    """[9.3] Remove up to two counters of one Zone; the hardest ones are suggested."""
    enemies = referee.enemies_in(zones[0])
    choices = [Choice(counter.place, f"{counter.place} {enemy_text(counter)}") for counter in enemies]
    worst = (MARTYRS, SUSPECT, GUERILLAS) if fortified(referee.position, zones[0]) else (MARTYRS, GUERILLAS, SUSPECT)
    both = [
        counter.place for counter in sorted(enemies, key=lambda counter: (worst.index(kind_of(counter)), -cf_of(counter)))[:2]
    ]
    chosen = await Pick("remove", "Which are removed? Two at most", "9.3", choices, 1, 2, both) if enemies else ()
    for piece in enemies:
        if piece.place in chosen:
            _remove(referee, piece, "AH-1W", referee.option("air_vp") == "both")


def _remove(referee: Fury, piece: Piece, by: str, counts: bool) -> None:
    """Remove one enemy counter by an air strike (ruling C-2 on Victory Points)."""
    if piece.kind != SUSPECT and counts:
        eliminate_enemy(referee, piece, "9.3", by)
        return
    referee.say(f"The {by} removes {enemy_text(piece)} at {piece.place}.", "9.3")
    referee.move(piece.id, SUSPECTS_CUP if piece.kind == SUSPECT else INSURGENTS_CUP, "9.3", by)
    referee.flip(piece.id, "front", "9.3")


async def _fa18(referee: Fury, zones: list[str]) -> None:
    """[9.3, 4.1.6] Activate the Zone, eliminate everything in it, and make it Ruins."""
    zone = zones[0]
    await activate_zone(referee, zone, "9.3")
    for piece in referee.enemies_in(zone):
        _remove(referee, piece, "F/A-18", referee.option("air_vp") != "none")
    ruin(referee, zone, "9.3")
