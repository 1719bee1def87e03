"""[4.1] One Zone at a time: a form for what is printed on it, with what is already known in every field."""

from __future__ import annotations

from companion.core.charts import Chart
from companion.core.notation import Notation
from companion.core.requests import Number, Text
from companion.games.phantomfury.names import TOLD_SECTION, TOLD_ZONE, ZONES
from companion.games.phantomfury.referee import Fury
from companion.games.phantomfury.words.town import Town, contradictions
from companion.games.phantomfury.words.zones import CHAINS, SECTION, Section, Zone, read_section, read_zone, told_zones

NONE = "none"
_FIELDS = (
    ("door", "Locations with the entry symbol", "4.2.2"),
    ("roof", "Locations with the roof symbol", "4.2.2"),
    ("adjacent", "Zones that share a border", "4.1.1"),
    ("streets", "Street Sections at its sides, by names of your own", "4.3.1.1"),
    ("fire", "Zones below a target symbol", "4.1.2.1"),
    ("egress", "Egress Routes from left to right, or exit", "4.1.7"),
    ("block", "the other Zones of its Block, if you like", "4.4"),
)
_ATTRIBUTES = {"door": "doors", "roof": "roofs"}


def _field(name: str, locations: str) -> Notation:
    """A field of the form: read as that part of a whole Zone."""

    def read(text: str) -> str:
        if text.strip().casefold() in ("", NONE, "-"):
            return NONE
        zone = read_zone(f"{locations}; {name} {text}")
        return " ".join(getattr(zone, _ATTRIBUTES.get(name, name)))

    return Notation(name, {"door": "C", "roof": "R", "egress": "24 25"}.get(name, "15 16"), read)


async def fill_zone(game: Fury) -> None:
    """Fill in one Zone; a bare Enter keeps what is known. What contradicts other Zones is refused unless insisted on."""
    number = str(await Number("zone", "Which Zone", "4.1", 1, 61))
    told = told_zones(await game.known("zone", "4.1"))
    sections = {name: read_section(text) for name, text in (await game.known("section", "4.3")).items()}
    old = told.get(number)
    hints = _stated(game, number)
    locations = await Text(
        "locations",
        f"Zone {number}: Locations with their arrows, C-1-2-R 1-1'",
        "4.2.1",
        CHAINS,
        suggest=str(old).split(";", maxsplit=1)[0] if old else hints.get("locations"),
    )
    text = locations
    for name, what, rule in _FIELDS:
        known = " ".join(getattr(old, _ATTRIBUTES.get(name, name))) if old else hints.get(name, "")
        value = await Text(name, what, rule, _field(name, locations), suggest=known or NONE)
        text += f"; {name} {value}" if value != NONE else ""
    black = await game.confirm("black", "A black circle", "6.2", bool(old and old.black))
    text += "; black" if black else ""
    zone = read_zone(text)
    _check(game, {**told, number: zone}, told, sections)
    await game.tell(f"zone:{number}", str(zone), "4.1")
    if game.position.flag(ZONES) and not game.option("scenario").startswith("practice"):
        game.set_flag(TOLD_ZONE + number, str(zone), "4.1", "told")
    game.say(f"Zone {number}: {zone}", "4.1")
    for name in zone.streets:
        await _fill_section(game, name, {**told, number: zone}, sections)


async def _fill_section(game: Fury, name: str, zones: dict[str, Zone], sections: dict[str, Section]) -> None:
    """A Street Section that has not been told yet."""
    if name in sections:
        return
    beside = " ".join(sorted((number for number, zone in zones.items() if name in zone.streets), key=int))
    text = await Text(
        "section", f"Street Section {name}: Zones around it; next; fire; north or south edge", "4.3", SECTION, suggest=beside
    )
    found = {**sections, name: read_section(text)}
    before = set(contradictions(zones, sections))
    for what, rule in contradictions(zones, found):
        if (what, rule) not in before:
            game.forbid(what, rule, "Correct one of the two")
    sections[name] = found[name]
    await game.tell(f"section:{name}", text, "4.3")
    if game.position.flag(ZONES) and not game.option("scenario").startswith("practice"):
        game.set_flag(TOLD_SECTION + name, text, "4.3", "told")


def _check(game: Fury, new: dict[str, Zone], old: dict[str, Zone], sections: dict[str, Section]) -> None:
    before = set(contradictions(old, sections))
    for what, rule in contradictions(new, sections):
        if (what, rule) not in before:
            game.forbid(what, rule, "Correct one of the two")


def _stated(game: Fury, number: str) -> dict[str, str]:
    """What the rulebook's own text and examples state of a Zone."""
    chart = game.chart("stated")
    if number not in chart.rows:
        return {}
    return {name: chart.text(number, name) for name in ("locations", "adjacent", "egress") if chart.text(number, name) != "-"}


def disagreements(chart: Chart, town: Town) -> list[tuple[str, str]]:
    """Where told Zones lack what the rulebook's examples state of them: (what, rule). What more they have is no fault."""
    found = []
    for number in chart.rows:
        zone = town.zones.get(number)
        if zone is None:
            continue
        near = town.near(number) if zone.streets and town.sections.keys() >= set(zone.streets) else None
        told = (("locations", zone.locations), ("adjacent", zone.adjacent), ("near", near), ("egress", zone.egress[:1]))
        for name, have in told:
            stated = chart.text(number, name).split()
            if have is None or stated in ([], ["-"]):
                continue
            if stated[0] == "no":
                wrong = [word for word in stated[1:] if word in have]
            else:
                wrong = [word for word in stated if word not in have]
            if wrong:
                rule = chart.cites.get(number, chart.rule)
                found.append((f"Zone {number}, {name}: the rulebook's examples say {' '.join(stated)}", rule))
    return found
