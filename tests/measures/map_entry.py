"""Count the keystrokes that enter the whole map of Phantom Fury: a made-up town of 61 Zones in the shortest notation.

    python -m tests.measures.map_entry [--seed N] [--further SHARE] [--show]

The town is generated from the seed: rows of Blocks of one to three Zones with streets around them, Locations, symbols, Egress
Routes, target symbols. It is no copy of the printed map. Every border of two Zones has a street Section, and a share of the
streets between Blocks (``--further``) has one more. Each Zone is typed on one line, followed by the Sections that Companion does
not infer, until its map equals the town. The script counts characters, with an Enter a line, and compares them with the same map
in whole words, every Section named.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, pairwise
from random import Random
from typing import Any, NamedTuple

from companion.games.phantomfury.facts import read_line
from companion.games.phantomfury.notation import Section, Zone, read_zone
from companion.games.phantomfury.town import Town, build_town, map_facts

write = sys.stdout.write
ZONES = 61
LOOK = 15
"""Estimated seconds to read what is printed on a Zone."""
ROWS = (9, 10, 11, 11, 11, 9)
SHAPES = (
    *(("c.12r^", 12), ("c.12r", 6), ("c.1r^", 5), ("og.c.12r^", 4), ("c.12", 3), ("c.12r^ 22'", 5), ("c.12r^ 11'", 5)),
    *(("c.12r^ 11' 22'", 3), ("c.1.2r^", 3), ("og.1r", 2), ("c.12r^ 11'1''", 1), ("og.c12r", 2)),
)
"""Locations with their arrows and symbols, and how common they are."""
FURTHER, TARGETS = 0.06, 0.06


class Place(NamedTuple):
    """The place of a Zone: its row, and its left and right edges in half Zones."""

    row: int
    left: int
    right: int


class Cell(NamedTuple):
    """The place of a Section: the Zones around it, and its edge of the map."""

    zones: frozenset[str]
    edge: str = ""


class Built(NamedTuple):
    """A town: its Zones, its Sections, and the pairs of adjacent Sections by index."""

    zones: dict[str, Zone]
    sections: list[Section]
    next: set[frozenset[int]]


# -- the town ----------------------------------------------------------------------------------------------------------


def build(seed: int, further: float = FURTHER) -> Built:
    """Generate a town; ``further`` is the share of streets between Blocks with an additional Section."""
    chance = Random(f"town {seed}")
    while (town := _drawn(chance, further)) is None:
        pass
    return town


def _drawn(chance: Random, further: float) -> Built | None:
    """Generate a town; None if two of its Sections would be between the same Zones and thus ambiguous."""
    places, blocks = _laid_out(chance)
    beside = {
        name: [other for block in blocks if name in block for other in block if _touch(block, name, other)] for name in places
    }
    gaps = [(left[-1], right[0]) for left, right in pairwise(blocks) if places[left[-1]].row == places[right[0]].row]
    streets = [_street(row, places, beside, gaps) for row in range(len(ROWS) + 1)]
    between = [gap for gap in gaps if chance.random() < further]
    cells = [cell for street in streets for cell in street] + [Cell(frozenset(gap)) for gap in between]
    if len(set(cells)) < len(cells):
        return None
    near = _near([cell.zones for cell in cells], beside)
    zones = {name: _zone(name, places, beside, near, cells, chance) for name in places}
    printed = [_section(cell, chance) for cell in cells]
    return Built(zones, printed, _meeting(cells, streets, gaps, between))


def _laid_out(chance: Random) -> tuple[dict[str, Place], list[list[str]]]:
    """Zones by number, row by row, in Blocks."""
    places: dict[str, Place] = {}
    blocks: list[list[str]] = []
    number = 1
    for row, many in enumerate(ROWS):
        left, x = many, chance.choice((0, 1))
        while left:
            size = min(left, chance.choice((1, 2, 2, 3, 3)))
            block = [str(number + at) for at in range(size)]
            for name in block:
                places[name] = Place(row, x, x + 2)
                x += 2
            blocks.append(block)
            number, left, x = number + size, left - size, x + 1
    return places, blocks


def _touch(block: Sequence[str], one: str, other: str) -> bool:
    return abs(block.index(one) - block.index(other)) == 1


def _street(row: int, places: dict[str, Place], beside: dict[str, list[str]], gaps: list[tuple[str, str]]) -> list[Cell]:
    """The Sections of the street above a row, from west to east; a new one starts where its neighbours change."""
    edge = "north" if row == 0 else "south" if row == len(ROWS) else ""
    found: list[Cell] = []
    for x in range(max(place.right for place in places.values()) + 1):
        around = {name for name, at in places.items() if at.row in (row - 1, row) and at.left <= x <= at.right}
        around |= {name for gap in gaps if around & set(gap) and x in (places[gap[0]].right, places[gap[1]].left) for name in gap}
        open_to = len(around) > 1 and (edge or any(other not in beside[one] for one, other in combinations(around, 2)))
        if open_to and not any(cell.zones >= around for cell in found[-1:]):
            found = found[:-1] if found and found[-1].zones < around else found
            found.append(Cell(frozenset(around), edge))
    return found


def _near(groups: Iterable[frozenset[str]], beside: Mapping[str, Sequence[str]]) -> dict[str, set[str]]:
    near: dict[str, set[str]] = {name: set() for name in beside}
    for group in groups:
        for one in group:
            near[one] |= group - {one, *beside[one]}
    return near


def _zone(
    name: str,
    places: dict[str, Place],
    beside: dict[str, list[str]],
    near: dict[str, set[str]],
    cells: list[Cell],
    chance: Random,
) -> Zone:
    shapes, weights = zip(*SHAPES, strict=True)
    zone = read_zone(chance.choices(shapes, weights)[0])
    around = [*beside[name], *near[name]]
    below = sorted((one for one in around if places[one].row > places[name].row), key=int)
    level = sorted((one for one in around if places[one].row == places[name].row), key=int)
    chance.shuffle(below)
    routes = tuple([*below, *level][: chance.choice((2, 2, 3))]) or tuple(level[:2])
    last = places[name].row == len(ROWS) - 1
    fire = (str((int(name) + 25) % ZONES + 1),) if chance.random() < TARGETS else ()
    edges = tuple(edge for edge in ("north", "south") if any(name in cell.zones for cell in cells if cell.edge == edge))
    return zone._replace(
        adjacent=tuple(sorted(beside[name], key=int)),
        egress=("exit",) if last else routes,
        fire=fire,
        black=places[name].row == 0,
        edges=edges,
    )


def _section(cell: Cell, chance: Random) -> Section:
    far = [str(one) for one in range(1, ZONES + 1) if str(one) not in cell.zones]
    fire = tuple(sorted(chance.sample(far, 2), key=int)) if chance.random() < TARGETS else ()
    return Section(tuple(sorted(cell.zones, key=int)), (), fire, cell.edge == "north", cell.edge == "south")


def _meeting(
    cells: list[Cell], streets: list[list[Cell]], gaps: list[tuple[str, str]], between: list[tuple[str, str]]
) -> set[frozenset[int]]:
    """Pairs of adjacent Sections: successive ones of a street, and those at the ends of a street between two Blocks."""
    found = {frozenset((cells.index(one), cells.index(other))) for street in streets for one, other in pairwise(street)}
    for gap in gaps:
        mouths = [cells.index(cell) for street in streets for cell in street if cell.zones > set(gap) or cell.zones == set(gap)]
        if gap in between:
            found |= {frozenset((cells.index(Cell(frozenset(gap))), at)) for at in mouths}
        else:
            rows = [next(row for row, street in enumerate(streets) if cells[at] in street) for at in mouths]
            found |= {
                frozenset((a, b)) for (a, one), (b, other) in combinations(zip(mouths, rows, strict=True), 2) if one != other
            }
    return found


# -- typed -------------------------------------------------------------------------------------------------------------


def typed(town: Built) -> tuple[list[str], list[str]]:
    """The lines that enter a town: one for each Zone, then the Sections that Companion does not infer."""
    facts: dict[str, str] = {}
    lines: list[str] = []
    near = _near((frozenset(one.zones) for one in town.sections), {name: zone.adjacent for name, zone in town.zones.items()})
    told: set[frozenset[str]] = set()
    known: dict[tuple[object, ...], str] = {}
    for name, zone in town.zones.items():
        line = _line(name, zone, near[name], told, known)
        key, value = read_line(line, facts)
        facts[key] = value
        lines.append(line)
        told |= {frozenset((name, other)) for other in near[name]}
    more: list[str] = []
    for line in _corrections(town, facts):
        key, value = read_line(line, facts)
        facts[key] = value
        more.append(line)
    wrong = differences(town, facts)
    assert not wrong, wrong
    return lines, more


def _line(name: str, zone: Zone, near: set[str], told: set[frozenset[str]], known: dict[tuple[object, ...], str]) -> str:
    """The shortest line for a Zone: Locations by reference to an equal Zone, no border and no street entered before."""
    shape = (zone.locations, zone.arrows, zone.doors, zone.roofs)
    full = _shape(zone)
    like = known.setdefault(shape, name)
    words = [name, f"={like}" if like != name and len(like) + 1 < len(full) else full]
    back = [other for other in zone.adjacent if frozenset((name, other)) in told]
    ahead = [other for other in zone.adjacent if other not in back]
    words += [f"a{' '.join(zone.adjacent)}"] if ahead else []
    told |= {frozenset((name, other)) for other in zone.adjacent}
    rest = [other for other in sorted(near - set(zone.egress), key=int) if frozenset((name, other)) not in told]
    words += [f"n{_ranges(rest)}"] if rest else []
    words += [f"f{' '.join(zone.fire)}"] if zone.fire else []
    words += ["x" if zone.egress == ("exit",) else f"e{' '.join(zone.egress)}"]
    words += [edge[:2] for edge in zone.edges]
    return " ".join([*words, *(["bla"] if zone.black else [])])


def _shape(zone: Zone) -> str:
    """The text of the Locations in ``SHAPES``."""
    return next(text for text, _ in SHAPES if read_zone(text)[:4] == zone[:4])


def _ranges(names: Sequence[str]) -> str:
    """``13-15`` for 13 14 15."""
    runs: list[list[int]] = []
    for number in map(int, names):
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return " ".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else " ".join(map(str, run)) for run in runs)


def _corrections(town: Built, facts: dict[str, str]) -> list[str]:
    """The lines for Sections that are not inferred from the Zones, and for target symbols in Sections."""
    lines = []
    made = _by_sides(_known(facts))
    for section in town.sections:
        key = frozenset(section.zones), section.north, section.south
        if key not in made:
            lines.append("/".join(section.zones) + (" north" if section.north else " south" if section.south else ""))
        if section.fire:
            name = made.get(key, "/".join(section.zones[:2]))
            lines.append(f"{name} fire {' '.join(section.fire)}")
    return lines


def _known(facts: dict[str, str]) -> Town:
    return build_town(*map_facts(facts))


def _by_sides(town: Town) -> dict[tuple[frozenset[str], bool, bool], str]:
    return {(frozenset(one.zones), one.north, one.south): name for name, one in town.sections.items()}


def differences(town: Built, facts: dict[str, str]) -> list[str]:
    """Differences between Companion's map and the town."""
    known, found = _known(facts), []
    for name, zone in town.zones.items():
        have = known.zones[name]
        same = (have.locations, have.arrows, have.adjacent, have.egress, have.fire, have.black)
        if same != (zone.locations, zone.arrows, zone.adjacent, zone.egress, zone.fire, zone.black):
            found.append(f"Zone {name}: {have} for {zone}")
    made = _by_sides(known)
    want = {(frozenset(one.zones), one.north, one.south): one for one in town.sections}
    found += [f"no Section of {sorted(key[0], key=int)}" for key in want if key not in made]
    found += [f"a Section of {sorted(key[0], key=int)} too many: {made[key]}" for key in made if key not in want]
    at = [made.get((frozenset(one.zones), one.north, one.south), "") for one in town.sections]
    for one, other in combinations(range(len(at)), 2):
        meet = at[one] in known.sections and at[other] in known.sections[at[one]].next
        if meet != (frozenset((one, other)) in town.next) and at[one] and at[other]:
            found.append(f"{at[one]} and {at[other]}: next is {meet}")
    return found


def in_words(town: Built) -> int:
    """The keystrokes of the same map in whole words, with every Section, its Zones and neighbours."""
    names = {at: f"s{at}" for at in range(len(town.sections))}
    keys = 0
    for name, zone in town.zones.items():
        at = tuple(names[number] for number, one in enumerate(town.sections) if name in one.zones)
        keys += len(f"zone:{name} {zone._replace(streets=at, edges=())}") + 1
    for number, one in enumerate(town.sections):
        beside = tuple(names[other] for pair in town.next if number in pair for other in pair if other != number)
        keys += len(f"section:{names[number]} {one._replace(next=beside)}") + 1
    return keys


def main() -> None:
    """Run from the command line."""
    words = ArgumentParser(prog="python -m tests.measures.map_entry")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--further", type=float, default=FURTHER)
    words.add_argument("--show", action="store_true")
    arguments: Any = words.parse_args()
    town = build(arguments.seed, arguments.further)
    lines, more = typed(town)
    if arguments.show:
        write("".join(f"{line}\n" for line in (*lines, *more)))
    write(summary(town, lines, more))


def summary(town: Built, lines: Sequence[str], more: Sequence[str]) -> str:
    """The report of the counts."""
    keys, further = (sum(len(line) + 1 for line in some) for some in (lines, more))
    minutes = ((keys + further) / 3 + ZONES * LOOK) / 60
    return (
        f"{ZONES} Zones, {len(town.sections)} Street Sections: {(keys + further) / ZONES:.1f} keys a Zone with Enter\n"
        f"{len(lines)} lines of Zones, {keys} keys; {len(more)} lines more on the streets, {further} keys\n"
        f"in whole words, every Section named and told: {in_words(town) / ZONES:.1f} keys a Zone\n"
        f"at 3 keys a second, and {LOOK} seconds to look at each Zone: {minutes:.0f} minutes\n"
    )


if __name__ == "__main__":
    main()
