"""[12.0, 19.0, 22.0] NetWar: J-2 ISR and J-5 InfoWar."""

from __future__ import annotations

from functools import partial

from companion.core.dice import summed_rolls
from companion.core.errors import Impossible, Unreadable
from companion.core.notation import Notation
from companion.core.requests import Choice, Number, Roll, Text
from companion.core.text import plural, split_list
from companion.games.fallujah2004.names import ASIDE, CONCEALED, RECRUIT
from companion.games.fallujah2004.odds.netwar import infowar_chances, isr_chances
from companion.games.fallujah2004.pieces import lies_concealed
from companion.games.fallujah2004.referee import Fallujah, concealed_at
from companion.games.fallujah2004.rules import r20_nodes as nodes
from companion.games.fallujah2004.rules.r16_combat import choose_markers, put_back, unsupported
from companion.games.fallujah2004.words import spaces


def _markers(game: Fallujah) -> int:
    held = len(game.netwar())
    if not held:
        raise Impossible("no NetWar marker is in the Available box", rule="22.0", cure="Recruit some: j1")
    return held


def _targets_notation(names: spaces.Names, held: int) -> Notation:
    def read(text: str) -> str:
        parts = split_list(text)
        if len(parts) == 1:
            parts = [word for word in text.split() if spaces.grid(word)] or parts
        targets = [spaces.read_space(part, names, bases=False) for part in parts]
        if not 1 <= len(targets) <= held:
            raise Unreadable(
                f"{plural(len(targets), 'marker')} placed, {held} available", rule="12.1", cure="Name a space for each marker"
            )
        return ", ".join(targets)

    return Notation("spaces", "3-8, 3-8, 4-6", read)


async def isr(game: Fallujah) -> None:
    """[12.0] J-2: NetWar markers on concealed Nodes; 3 to 6 reveals. No reaction is picked for that [14.4]."""
    held = _markers(game)
    if not any(lies_concealed(piece) for piece in game.position.of_kind(CONCEALED)):
        raise Impossible("no concealed Node is on the map", rule="12.1")
    game.begin_operation("J-2 ISR", "12.0")
    targets = await _targets(game, held)
    markers = await choose_markers(game, len(targets))
    shown = ", ".join(game.title(space) for space in targets)
    looks = await look(game, len(targets), shown)
    for space, marker, (face, sees) in zip(targets, markers, looks, strict=True):
        put_back(game, marker, RECRUIT, "12.2", "used")
        if not sees:
            game.say(f"ISR at {game.title(space)}: {face}, the Node stays concealed.", "12.1")
        elif concealed_at(game.position, space):
            game.say(f"ISR at {game.title(space)}: {face}, the Node is revealed.", "12.1")
            await nodes.reveal(game, space, "20.2(b)")
        else:
            game.say(f"ISR at {game.title(space)}: {face}, but nothing is concealed there any more.", "12.1")
    game.end_operation()


async def _targets(game: Fallujah, held: int) -> list[str]:
    """[12.1] A space with a concealed Node for each marker that is placed."""
    names = await game.place_names()
    able = [space for space in nodes.node_spaces(game) if concealed_at(game.position, space) and not unsupported(game, space)]
    known = [Choice(space, game.title(space)) for space in able]
    prompt = f"On which Nodes do you place NetWar? Up to {plural(held, 'marker')}, a space for each"
    request = Text("nodes", prompt, "12.1", _targets_notation(names, held), known)
    request.odds = lambda: isr_chances(partial(look, game), held)
    targets = (await request).split(", ")
    for space in dict.fromkeys(targets):
        await game.ground(space, "12.1")
        nodes.open_space(game, space)
        if not nodes.has_node(game, space):
            game.forbid(f"no Node lies at {game.title(space)}", "12.1", "Name spaces with a concealed Node")
        elif unsupported(game, space):
            game.forbid(f"Iraqi units are at {game.title(space)}: no NetWar is used there", "31.0", "Name other spaces")
        elif not concealed_at(game.position, space):
            text = f"the Node at {game.title(space)} lies face up already"
            game.forbid(text, "12.1", "Name spaces with a concealed Node")
    return targets


async def look(game: Fallujah, markers: int, where: str = "") -> tuple[tuple[int, bool], ...]:
    """[12.1] One die for each NetWar marker: the face, and whether it reveals the Node.

    For odds only the number of those that do counts, as it is where the markers lie on one Node.
    """
    chart = game.chart("netwar")

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


async def gains(game: Fallujah, markers: int) -> tuple[tuple[int, int], ...]:
    """[19.0] All dice of an InfoWar together: each face with the OPs that it brings."""
    chart = game.chart("netwar")
    faces = await Roll(
        "infowar",
        lambda: f"InfoWar: {plural(markers, 'die', 'dice')} together",
        "19.0",
        markers,
        outcomes=lambda: summed_rolls(markers, lambda face: chart.number(face, "infowar")),
    )
    return tuple((face, chart.number(face, "infowar")) for face in faces)


async def infowar(game: Fallujah) -> None:
    """[19.0] J-5: commit NetWar markers, roll them all together, move the OPs by the sum."""
    held = _markers(game)
    game.begin_operation("J-5 InfoWar", "19.0")
    request = Number("markers", "How many NetWar markers do you commit?", "19.0", 1, held)
    request.odds = lambda: infowar_chances(partial(gains, game), held)
    markers = await choose_markers(game, await request)
    brought = await gains(game, len(markers))
    for piece in markers:
        if game.option("intel_infowar") == "aside":
            game.move(piece.id, ASIDE, "19.0", "used for InfoWar")
        else:
            put_back(game, piece, ASIDE, "19.0", "used for InfoWar")
    total = sum(gain for _, gain in brought)
    shown = " ".join(str(face) for face, _ in brought)
    game.say(f"InfoWar: {shown}. OPs {total:+d}.", "19.0", *(f"{face}: {gain:+d}" for face, gain in brought))
    game.shift_track("ops", total, "19.0", "InfoWar")
    game.end_operation()
