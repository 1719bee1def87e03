"""The referee of Fallujah 2004."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NoReturn

from companion.core.errors import Impossible
from companion.core.game import Obstacle
from companion.core.notation import Notation
from companion.core.position import Piece, Position
from companion.core.referee import Referee
from companion.core.requests import Choice
from companion.core.text import plural
from companion.games.fallujah2004 import notation, state

_OF_THE_MAP = ("space:", "bridge:")


def is_first_scenario(position: Position) -> bool:
    """True if the rules of scenario 1 (Vigilant Resolve) hold now [23.5, 31.0]; without a session they do."""
    return position.flag(state.BATTLE) != 2


def units(position: Position) -> list[Piece]:
    """Every Coalition combat unit of the game, wherever it is."""
    return position.of_kind(state.UNIT)


def unit_words(position: Position) -> set[str]:
    """The names of all units, whole and by their last word, as ``usmc 1/8`` and ``1/8``, in lower case."""
    return {word for piece in units(position) for word in (piece.name.casefold(), piece.name.casefold().split()[-1])}


def deployed(position: Position) -> list[Piece]:
    """The Coalition units on the map and in bases."""
    return list(position.cached_from_pieces(_deployed))


def _deployed(position: Position) -> list[Piece]:
    return [piece for piece in units(position) if piece.place in notation.IN_PLAY]


def ground_at(position: Position, space: str) -> notation.Ground | None:
    """What is printed on a space; None if it is not known."""
    told = position.flag(state.space_flag(space))
    return notation.read_ground(told) if isinstance(told, str) else None


def holy_spaces(position: Position, held_by: Callable[[Piece], bool]) -> list[str]:
    """The Mosque and Objective spaces with such a Coalition unit in them."""
    places = {piece.place for piece in deployed(position) if notation.on_map(piece.place) and held_by(piece)}
    return [place for place in places if (ground := ground_at(position, place)) and ground.holy]


def all_known(position: Position) -> bool:
    """True if the ground is known in every space with a Coalition unit."""
    return all(ground_at(position, piece.place) for piece in deployed(position) if notation.on_map(piece.place))


def nodes_at(position: Position, place: str) -> list[Piece]:
    """Revealed Nodes in a space; a Downed Helicopter counts as one [14.7]."""
    return [piece for piece in position.at(place) if state.is_node(piece)]


def open_nodes(position: Position) -> list[Piece]:
    """All Nodes that lie face up."""
    return [*position.of_kind(state.NODE), *filter(state.is_helicopter_down, position.of_kind(state.EVENT))]


def _left(position: Position) -> Iterator[bool]:
    """Of each Node, whether it is still on the map."""
    for piece in position.of_kind(state.CONCEALED):
        yield state.lies_concealed(piece)
    for piece in open_nodes(position):
        yield notation.on_map(piece.place)


def blown_bridges(position: Position) -> list[str]:
    """The spaces whose bridge is blown [14.7]."""
    return sorted(piece.place for piece in position.of_kind(state.MARKER) if notation.on_map(piece.place))


def concealed_at(position: Position, place: str) -> list[Piece]:
    """Concealed Nodes in a space [20.2]."""
    return [piece for piece in position.at(place) if piece.kind == state.CONCEALED]


class FallujahReferee(Referee):
    """Carries out the procedures; `moving` and `points`: the moving force [8.3] and its movement points after a battle [14.1]."""

    moving_force: Sequence[Piece] = ()
    points_left: int = 0

    # -- what is where -----------------------------------------------------------------------------------------

    @property
    def ops(self) -> int:
        return self.position.track("ops")

    @property
    def morale(self) -> str:
        """``low`` to ``fanatic`` [9.1]."""
        return notation.MORALE[self.position.track("morale")]

    @property
    def first_scenario(self) -> bool:
        return is_first_scenario(self.position)

    def units_at(self, place: str) -> list[Piece]:
        return [piece for piece in self.position.at(place) if piece.kind == state.UNIT]

    def available(self, *types: str) -> list[Piece]:
        """The strikes of some types in the Available box [23.1]."""
        return [piece for piece in self.position.at(state.AVAILABLE) if state.type_of(piece) in types]

    def netwar(self) -> list[Piece]:
        """The markers in the Available box that serve as NetWar [22.0]."""
        return [piece for piece in self.position.at(state.AVAILABLE) if state.is_netwar(piece)]

    def title(self, place: str) -> str:
        """A place as the player reads it: ``3-8 Jolan``, ``North Base``."""
        if place in notation.BASES:
            return place.title()
        name = self.position.flag(state.name_flag(place))
        return f"{place} {name}" if name else place

    def location(self, piece: Piece) -> str:
        """The place of a piece, for a message."""
        return (
            f"at {self.title(piece.place)}"
            if notation.on_map(piece.place) or piece.place in notation.BASES
            else f"in '{piece.place}'"
        )

    def unit_class(self, piece: Piece) -> str:
        """``light``, ``heavy`` or ``helicopter`` [4.2]."""
        return self.chart("unit_classes").text(state.type_of(piece), "class")

    def leaders_with(self, pieces: Iterable[Piece]) -> list[Piece]:
        """Leaders that are part of these units [29.1]."""
        ids = {piece.id for piece in pieces}
        return [piece for piece in self.position.of_kind(state.LEADER) if piece.marks.get(state.WITH) in ids]

    # -- money and time ----------------------------------------------------------------------------------------

    def check(self, fault: Obstacle | None) -> None:
        """Refuse for a reason, if there is one. Raises Illegal, unless the player insists."""
        if fault:
            self.forbid(fault.text, fault.rule, fault.cure)

    def pay(self, cost: int, rule: str, what: str) -> None:
        """Spend OPs that must be there [8.1]."""
        if cost > self.ops:
            self.forbid(f"{what} costs {plural(cost, 'OP')}, and {self.ops} are left", rule, "Spend less, or end the game: end")
        self.shift_track("ops", -cost, rule, what)

    def begin_operation(self, name: str, rule: str, cost: int = 1) -> None:
        """[8.1, 10.3] Begin a turn: spend the OP of one operation; the first one ends the set-up."""
        if self.position.flag(state.STAGE) == "set-up":
            self.set_flag(state.STAGE, "play", "8.1")
            self.say("The set-up is over: play begins.", "8.1")
        self.pay(cost, "8.1", name)
        self.shift_track("operations", 1, rule, name)

    def end_operation(self) -> None:
        """[8.1] The ends of a game that are checked when an operation is complete (ruling C-4)."""
        if self.ops <= 0:
            self.finish(f"the OPs index is {'below' if self.ops else 'at'} zero", "8.1(a)")
        elif not any(_left(self.position)):
            self.say(
                "Every Node on the map is captured or eliminated: end the game (end), or play on.", "8.1(b)", tone="reminder"
            )

    def nodes_left(self) -> int:
        """Nodes on the map, concealed, revealed and not yet visited; a Downed Helicopter counts (ruling C-17)."""
        return sum(_left(self.position))

    def finish(self, reason: str, rule: str) -> None:
        """End the game; the count of victory follows."""
        self.set_flag(state.OVER, reason, rule)
        self.set_flag(state.STAGE, "over", rule)
        self.say(f"THE GAME ENDS: {reason}.", rule)

    # -- KIA ---------------------------------------------------------------------------------------------------

    def kia(self, by: int, rule: str, why: str) -> None:
        """[21.1] Move the KIA index, below zero too [21.2], and credit the player who conducts the operation [35.0]."""
        self.shift_track("kia", by, rule, why)
        self.credit("kia", by)

    def credit(self, what: str, by: int) -> None:
        """[35.0] The share of one player, where several play."""
        player = self.position.flag(state.PLAYER)
        if player:
            key = f"{what} of {player}"
            was = self.position.flag(key)
            self.set_flag(key, (was if isinstance(was, int) else 0) + by, "35.0")

    # -- the map as the owner tells it -------------------------------------------------------------------------

    async def printed(self, fact: str, prompt: str, rule: str, notation: Notation, fallback: str | None = None) -> str:
        """[3.1, 7.2] A printed fact; one of the map that is told now must go with the rest of it. Raises Illegal."""
        if not fact.startswith(_OF_THE_MAP):
            return await super().printed(fact, prompt, rule, notation, fallback)
        from companion.games.fallujah2004.facts import contradictions

        told = {
            f"{kind}:{key}": value for kind in ("space", "bridge") for key, value in (await self.known_facts(kind, "3.1")).items()
        }
        value = await super().printed(fact, prompt, rule, notation, fallback)
        before = contradictions(told)
        for fault in contradictions({**told, fact: value}) if fact not in told else ():
            if fault not in before:
                text, _, of = fault.rpartition(" [")
                self.forbid(text, of.removesuffix("]"), "Enter the other one again first")
        return value

    async def ground(self, space: str, rule: str, may_lack: bool = False) -> notation.Ground:
        """What is printed on a space; asked once, then remembered.

        Raises:
            Illegal: the owner has said that the map has no such space, unless ``may_lack``.
        """
        known = self.position.flag(state.space_flag(space))
        if not isinstance(known, str):
            prompt = f"What is printed at {space}? Such as: mosque msr Jolan (none: there is no such space)"
            known = await self.printed(f"space:{space}", prompt, rule, notation.GROUND)
            self.learn_space(space, known, rule)
        ground = notation.read_ground(known)
        if ground.terrain == notation.NO_SPACE and not may_lack:
            self.no_space(space)
        return ground

    def no_space(self, space: str) -> NoReturn:
        """Refuses what would go where the owner has said that the map has no space."""
        cure = f'If it has: companion adjust fact:space:{space} "urban NAME" --why TEXT'
        raise Impossible(f"the map has no space {space}", rule="3.1", cure=cure)

    def learn_space(self, space: str, told: str, rule: str) -> None:
        """Record what is printed on a space, and its name."""
        self.set_flag(state.space_flag(space), told, rule)
        if name := notation.read_ground(told).name:
            self.set_flag(state.name_flag(space), name, rule)

    async def place_names(self) -> notation.SpaceNames:
        """The meanings of names that a player types: the known spaces, and the units, which are not spaces."""
        told = await self.known_facts("space", "3.1")
        flags = self.position.flags

        def found() -> dict[str, str]:
            by_name = {notation.read_ground(value).name: key for key, value in told.items() if notation.grid_name(key)}
            heads = [flag for flag in flags if flag.startswith(state.NAME)]
            by_name |= {str(flags[flag]): flag.removeprefix(state.NAME) for flag in heads}
            by_name.pop("", None)
            return by_name

        def lacks(space: str) -> bool:
            return flags.get(state.space_flag(space), told.get(space)) == notation.NO_SPACE

        return notation.SpaceNames(found, lambda: unit_words(self.position), lacks)

    async def space(self, key: str, prompt: str, rule: str, bases: bool = False, suggest: str | None = None) -> str:
        """A space named by the player."""
        names = await self.place_names()
        spaces = Notation("space", "3-8", lambda text: notation.read_space(text, names, bases))
        known = [Choice(place, self.title(place)) for place in self._known_places(bases)]
        return await self.text(key, prompt, rule, spaces, known, suggest)

    async def choose_space(self, prompt: str, rule: str, places: Sequence[str]) -> str:
        """Ask for one of some spaces."""
        return await self.choose("at", prompt, rule, [Choice(place, self.title(place)) for place in places])

    def _known_places(self, bases: bool) -> list[str]:
        seen = {piece.place for piece in self.position.pieces.values() if notation.on_map(piece.place)}
        seen |= {flag.removeprefix(state.SPACE) for flag in self.position.flags if flag.startswith(state.SPACE)}
        return sorted(seen, key=lambda place: [int(part) for part in place.split("-")]) + (list(notation.BASES) if bases else [])

    # -- naming units ------------------------------------------------------------------------------------------

    def unit_choices(self, pieces: Sequence[Piece]) -> list[Choice]:
        """Units to choose from, each with its values and its place."""
        return [Choice(piece.name, piece.name, partial(self._state, piece)) for piece in pieces]

    @staticmethod
    def name_choices(pieces: Iterable[Piece]) -> list[Choice]:
        """Pieces to choose from by name alone."""
        return [Choice(piece.name, piece.name) for piece in pieces]

    def _state(self, piece: Piece) -> str:
        return f"{state.side_of(piece)}{' reduced' if piece.face == state.REDUCED else ''}, {self.title(piece.place)}"

    def by_name(self, names: Iterable[str], pieces: Sequence[Piece]) -> list[Piece]:
        """The pieces with these names, each piece once."""
        left = list(pieces)
        found: list[Piece] = []
        for name in names:
            piece = next(piece for piece in left if piece.name == name)
            left.remove(piece)
            found.append(piece)
        return found
