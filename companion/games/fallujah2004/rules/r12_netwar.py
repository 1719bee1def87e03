"""[12.0, 19.0, 22.0] NetWar: J-2 ISR and J-5 InfoWar."""

from __future__ import annotations

from companion.core.dice import summed_rolls
from companion.core.errors import Impossible, Unreadable
from companion.core.notation import Notation
from companion.core.odds import distribution, distribution_of, mean, probability_of
from companion.core.requests import Choice, Number, Odds, Roll, Text
from companion.core.text import plural, split_list
from companion.games.fallujah2004 import notation
from companion.games.fallujah2004.referee import FallujahReferee, concealed_at
from companion.games.fallujah2004.rules import r20_nodes as nodes
from companion.games.fallujah2004.rules.r16_combat import choose_markers, put_back, unsupported
from companion.games.fallujah2004.state import ASIDE, CONCEALED, RECRUIT, lies_concealed


def isr_chance(referee: FallujahReferee, markers: int) -> float:
    """[12.1] The chance that NetWar markers on one Node reveal it."""
    return probability_of(distribution(lambda: roll_isr(referee, markers)), lambda looks: any(sees for _, sees in looks))


def infowar_totals(referee: FallujahReferee, markers: int) -> dict[int, float]:
    """[19.0] The distribution of the OPs that markers bring, without the OP that the operation costs."""
    return distribution_of(distribution(lambda: roll_infowar(referee, markers)), lambda brought: sum(gain for _, gain in brought))


def isr_chances(referee: FallujahReferee, available: int) -> Odds:
    """[12.1] The chance to reveal a Node, for each number of markers."""
    rows = tuple((f"with {plural(markers, 'marker')}", isr_chance(referee, markers)) for markers in range(1, available + 1))
    return Odds("J-2 ISR: NetWar markers on one Node", "12.1", (("The Node is revealed", rows),))


def infowar_chances(referee: FallujahReferee, available: int) -> Odds:
    """[19.0] The OPs that each number of markers brings, compared with the OP that the operation costs."""
    totals = {markers: infowar_totals(referee, markers) for markers in range(1, available + 1)}
    pays = tuple(
        (f"with {plural(count, 'marker')}", probability_of(total, lambda gain: gain > 1)) for count, total in totals.items()
    )
    means = tuple((f"OPs with {plural(count, 'marker')}, less the one spent", mean(total) - 1) for count, total in totals.items())
    return Odds("J-5 InfoWar", "19.0", (("It brings more than the OP that it costs", pays),), means)


def _markers(referee: FallujahReferee) -> int:
    held = len(referee.netwar())
    if not held:
        raise Impossible("no NetWar marker is in the Available box", rule="22.0", cure="Recruit some: j1")
    return held


def _targets_notation(names: notation.SpaceNames, held: int) -> Notation:
    def read(text: str) -> str:
        parts = split_list(text)
        if len(parts) == 1:
            parts = [word for word in text.split() if notation.grid_name(word)] or parts
        targets = [notation.read_space(part, names, bases=False) for part in parts]
        if not 1 <= len(targets) <= held:
            raise Unreadable(
                f"{plural(len(targets), 'marker')} placed, {held} available", rule="12.1", cure="Name a space for each marker"
            )
        return ", ".join(targets)

    return Notation("spaces", "3-8, 3-8, 4-6", read)


async def isr(referee: FallujahReferee) -> None:
    """[12.0] J-2: NetWar markers on concealed Nodes; 3 to 6 reveals. No reaction is picked for that [14.4]."""
    held = _markers(referee)
    if not any(lies_concealed(piece) for piece in referee.position.of_kind(CONCEALED)):
        raise Impossible("no concealed Node is on the map", rule="12.1")
    referee.begin_operation("J-2 ISR", "12.0")
    targets = await _targets(referee, held)
    markers = await choose_markers(referee, len(targets))
    shown = ", ".join(referee.title(space) for space in targets)
    looks = await roll_isr(referee, len(targets), shown)
    for space, marker, (face, sees) in zip(targets, markers, looks, strict=True):
        put_back(referee, marker, RECRUIT, "12.2", "used")
        if not sees:
            referee.say(f"ISR at {referee.title(space)}: {face}, the Node stays concealed.", "12.1")
        elif concealed_at(referee.position, space):
            referee.say(f"ISR at {referee.title(space)}: {face}, the Node is revealed.", "12.1")
            await nodes.reveal(referee, space, "20.2(b)")
        else:
            referee.say(f"ISR at {referee.title(space)}: {face}, but nothing is concealed there any more.", "12.1")
    referee.end_operation()


async def _targets(referee: FallujahReferee, held: int) -> list[str]:
    """[12.1] A space with a concealed Node for each marker that is placed."""
    names = await referee.place_names()
    able = [
        space for space in nodes.node_spaces(referee) if concealed_at(referee.position, space) and not unsupported(referee, space)
    ]
    known = [Choice(space, referee.title(space)) for space in able]
    prompt = f"On which Nodes do you place NetWar? Up to {plural(held, 'marker')}, a space for each"
    request = Text("nodes", prompt, "12.1", _targets_notation(names, held), known)
    request.odds = lambda: isr_chances(referee, held)
    targets = (await request).split(", ")
    for space in dict.fromkeys(targets):
        await referee.ground(space, "12.1")
        nodes.open_space(referee, space)
        if not nodes.has_node(referee, space):
            referee.forbid(f"no Node lies at {referee.title(space)}", "12.1", "Name spaces with a concealed Node")
        elif unsupported(referee, space):
            referee.forbid(f"Iraqi units are at {referee.title(space)}: no NetWar is used there", "31.0", "Name other spaces")
        elif not concealed_at(referee.position, space):
            text = f"the Node at {referee.title(space)} lies face up already"
            referee.forbid(text, "12.1", "Name spaces with a concealed Node")
    return targets


async def roll_isr(referee: FallujahReferee, markers: int, where: str = "") -> tuple[tuple[int, bool], ...]:
    """[12.1] One die for each NetWar marker: the face, and whether it reveals the Node.

    For odds only the number of those that do counts, as it is where the markers lie on one Node.
    """
    chart = referee.chart("netwar")

    def reveals(face: int) -> bool:
        return chart.text(face, "isr") == "reveal"

    faces = await Roll(
        "isr",
        lambda: f"ISR, one die each: {where}",
        "12.1",
        markers,
        outcomes=lambda: summed_rolls(markers, lambda face: int(reveals(face))),
    )
    return tuple((face, reveals(face)) for face in faces)


async def roll_infowar(referee: FallujahReferee, markers: int) -> tuple[tuple[int, int], ...]:
    """[19.0] All dice of an InfoWar together: each face with the OPs that it brings."""
    chart = referee.chart("netwar")
    faces = await Roll(
        "infowar",
        lambda: f"InfoWar: {plural(markers, 'die', 'dice')} together",
        "19.0",
        markers,
        outcomes=lambda: summed_rolls(markers, lambda face: chart.number(face, "infowar")),
    )
    return tuple((face, chart.number(face, "infowar")) for face in faces)


async def infowar(referee: FallujahReferee) -> None:
    """[19.0] J-5: commit NetWar markers, roll them all together, move the OPs by the sum."""
    held = _markers(referee)
    referee.begin_operation("J-5 InfoWar", "19.0")
    request = Number("markers", "How many NetWar markers do you commit?", "19.0", 1, held)
    request.odds = lambda: infowar_chances(referee, held)
    markers = await choose_markers(referee, await request)
    brought = await roll_infowar(referee, len(markers))
    for piece in markers:
        if referee.option("intel_infowar") == "aside":
            referee.move(piece.id, ASIDE, "19.0", "used for InfoWar")
        else:
            put_back(referee, piece, ASIDE, "19.0", "used for InfoWar")
    total = sum(gain for _, gain in brought)
    shown = " ".join(str(face) for face, _ in brought)
    referee.say(f"InfoWar: {shown}. OPs {total:+d}.", "19.0", *(f"{face}: {gain:+d}" for face, gain in brought))
    referee.shift_track("ops", total, "19.0", "InfoWar")
    referee.end_operation()
