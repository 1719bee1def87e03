"""The referee of Fallujah 2004."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from companion.core.errors import Impossible
from companion.core.game import Obstacle
from companion.core.hints import NoReturn
from companion.core.notation import Notation
from companion.core.position import FlagReader, Piece, Position
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
    """The names of all units in lower case, in full and their last words: ``usmc 1/8`` and ``1/8``."""
    return {word for piece in units(position) for word in (piece.name.casefold(), piece.name.casefold().split()[-1])}


def deployed(position: Position) -> list[Piece]:
    """The Coalition units on the map and in bases."""
    return list(position.cached_from_kind(state.UNIT, _deployed))


def _deployed(pieces: Iterable[Piece]) -> list[Piece]:
    return [piece for piece in pieces if piece.place in state.UNIT_PLACES]


def ground_held(position: Position) -> frozenset[str]:
    """The places with a ground unit in them."""
    return position.cached_from_kind(state.UNIT, _ground_held)


def _ground_held(pieces: Iterable[Piece]) -> frozenset[str]:
    return frozenset(piece.place for piece in _deployed(pieces) if state.is_ground(piece))


def ground_at(position: Position, space: str) -> notation.Ground | None:
    """What is printed on a space; None if it is not known."""
    text = position.flag(state.space_flag(space))
    return notation.read_ground(text) if isinstance(text, str) else None


def holy_spaces(position: Position, places: Iterable[str]) -> frozenset[str]:
    """The Mosque and Objective spaces among some places."""
    return position.cached_from_flags(_HOLY).intersection(places)


def _holy(position: Position) -> frozenset[str]:
    return frozenset(space for space in state.SPACES if (ground := ground_at(position, space)) and ground.holy)


_HOLY = FlagReader(_holy, (state.SPACE,))


def all_known(position: Position) -> bool:
    """True if the ground is known in every space with a Coalition unit."""
    return all(ground_at(position, piece.place) for piece in deployed(position) if state.on_map(piece.place))


def nodes_at(position: Position, place: str) -> list[Piece]:
    """Revealed Nodes in a space; a Downed Helicopter counts as one [14.7]."""
    return list(position.cached_from_place(place, _nodes))


def _nodes(pieces: Iterable[Piece]) -> list[Piece]:
    return list(filter(state.is_node, pieces))


def open_nodes(position: Position) -> list[Piece]:
    """All Nodes that are face up, wherever they are."""
    return [*position.of_kind(state.NODE), *filter(state.is_helicopter_down, position.of_kind(state.EVENT))]


def _on_map(position: Position) -> Iterator[bool]:
    """Whether each Node is still on the map."""
    yield from map(state.lies_concealed, position.of_kind(state.CONCEALED))
    yield from (state.on_map(piece.place) for piece in open_nodes(position))


def is_node_on_map(position: Position) -> bool:
    """True if a Node, concealed or revealed, is still on the map."""
    return any(_on_map(position))


def blown_bridges(position: Position) -> list[str]:
    """The spaces whose bridge is blown [14.7]."""
    return sorted(piece.place for piece in position.of_kind(state.MARKER) if state.on_map(piece.place))


def concealed_at(position: Position, place: str) -> list[Piece]:
    """Concealed Nodes in a space [20.2]."""
    return list(position.cached_from_place(place, _concealed))


def _concealed(pieces: Iterable[Piece]) -> list[Piece]:
    return [piece for piece in pieces if piece.kind == state.CONCEALED]


class FallujahReferee(Referee):
    """The referee of Fallujah 2004.

    For suggestions it remembers the `moving_force` [8.3] and what it has left after a battle [14.1]: `points_left` movement
    points, and with `has_msr_point` one more if it keeps to the MSR [13.2].
    """

    moving_force: Sequence[Piece] = ()
    points_left: int = 0
    has_msr_point: bool = False
    place_titles: Mapping[str, str] = {}
    """The titles of the boxes, for messages."""

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
        if place in state.BASES:
            return place.title()
        name = self.position.flag(state.name_flag(place))
        return f"{place} {name}" if name else place

    def location(self, piece: Piece) -> str:
        """The place of a piece, for a message."""
        if piece.place in state.UNIT_PLACES:
            return f"at {self.title(piece.place)}"
        title = self.place_titles.get(piece.place, piece.place)
        return f"in the {title}" if title.endswith("box") else f"in '{title}'"

    def unit_class(self, piece: Piece) -> str:
        """``light``, ``heavy`` or ``helicopter`` [4.2]."""
        return self.chart("unit_classes").text(state.type_of(piece), "class")

    def leaders_with(self, pieces: Iterable[Piece]) -> list[Piece]:
        """[29.1] The leaders with these units."""
        ids = {piece.id for piece in pieces}
        return [piece for piece in self.position.of_kind(state.LEADER) if piece.marks.get(state.WITH) in ids]

    # -- money and time ----------------------------------------------------------------------------------------

    def check(self, fault: Obstacle | None) -> None:
        """Refuse for a fault, if there is one. Raises `Illegal` unless the player insists."""
        if fault:
            self.forbid(fault.text, fault.rule, fault.cure)

    def pay(self, cost: int, rule: str, what: str) -> None:
        """[8.1] Spend OPs. Raises `Illegal` if too few are left."""
        if cost > self.ops:
            self.forbid(f"{what} costs {plural(cost, 'OP')}, and {self.ops} are left", rule, "Spend less, or end the game: end")
        self.shift_track("ops", -cost, rule, what)

    def begin_operation(self, name: str, rule: str, cost: int = 1) -> None:
        """[8.1, 10.3] Begin an operation and spend its OP; the first one ends the set-up."""
        if self.position.flag(state.STAGE) == "set-up":
            is_first = state.is_set_up(self.position)
            self.set_flag(state.STAGE, "play", "8.1")
            if is_first:
                self.say("The set-up is over: play begins.", "8.1")
        self.pay(cost, "8.1", name)
        self.shift_track("operations", 1, rule, name)

    def end_operation(self) -> None:
        """[8.1] Check for the end of the game after an operation (ruling C-4)."""
        if self.ops <= 0:
            self.finish(f"the OPs index is {'below' if self.ops else 'at'} zero", "8.1(a)")
        elif not is_node_on_map(self.position):
            text = "Every Node on the map is captured or eliminated: end the game (end), or play on."
            self.say(text, "8.1(b)", tone="reminder")

    def nodes_left(self) -> int:
        """The number of Nodes on the map, concealed or revealed; a Downed Helicopter counts (ruling C-17)."""
        return sum(_on_map(self.position))

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
        """[35.0] Add to the share of the player who conducts the operation, if there are several players."""
        if player := self.position.flag(state.PLAYER):
            key = f"{what} of {player}"
            was = self.position.flag(key)
            self.set_flag(key, (was if isinstance(was, int) else 0) + by, "35.0")

    # -- the map as the player enters it -----------------------------------------------------------------------

    async def printed(self, fact: str, prompt: str, rule: str, notation: Notation, fallback: str | None = None) -> str:
        """[3.1, 7.2] A printed fact. Raises `Illegal` for a new fact of the map that contradicts the others."""
        if not fact.startswith(_OF_THE_MAP):
            return await super().printed(fact, prompt, rule, notation, fallback)
        from companion.games.fallujah2004.facts import contradictions

        known: dict[str, str] = {}
        for prefix in _OF_THE_MAP:
            facts = await self.known_facts(prefix.removesuffix(":"), "3.1")
            known |= {prefix + key: value for key, value in facts.items()}
        value = await super().printed(fact, prompt, rule, notation, fallback)
        before = contradictions(known)
        for fault in contradictions({**known, fact: value}) if fact not in known else ():
            if fault not in before:
                text, _, fault_rule = fault.rpartition(" [")
                self.forbid(text, fault_rule.removesuffix("]"), "Enter the other one again first")
        return value

    async def ground(self, space: str, rule: str, may_lack: bool = False) -> notation.Ground:
        """What is printed on a space; asked once. Raises `Illegal` if the map has no such space, unless `may_lack`."""
        text = self.position.flag(state.space_flag(space))
        if not isinstance(text, str):
            prompt = f"What is printed at {space}? Such as: mosque msr Jolan (none: there is no such space)"
            text = await self.printed(f"space:{space}", prompt, rule, notation.GROUND)
            self.learn_space(space, text, rule)
        ground = notation.read_ground(text)
        if ground.terrain == notation.NO_SPACE and not may_lack:
            self.no_space(space)
        return ground

    def no_space(self, space: str) -> NoReturn:
        """Refuse a crossing that was entered as no space."""
        cure = f'If it has: companion adjust fact:space:{space} "urban NAME" --why TEXT'
        raise Impossible(f"the map has no space {space}", rule="3.1", cure=cure)

    def learn_space(self, space: str, text: str, rule: str) -> None:
        """Record what is printed on a space, and its name; an Objective or Mosque has its Node from then on [7.1(1)]."""
        is_new = state.space_flag(space) not in self.position.flags
        self.set_flag(state.space_flag(space), text, rule)
        if is_new:
            self.place_first_node(space)
        if name := notation.read_ground(text).name:
            self.set_flag(state.name_flag(space), name, rule)

    def place_first_node(self, space: str) -> None:
        """[7.1(1)] Place the concealed Node of the set-up in an Objective or Mosque space, unless it has had its Node."""
        tokens, ground = self.position.of_kind(state.CONCEALED), ground_at(self.position, space)
        waiting = [token for token in tokens if token.place == state.UNOPENED]
        if ground and ground.holy and waiting and not any(token.marks.get(state.FIRST) == space for token in tokens):
            is_told = bool(concealed_at(self.position, space)) or any(map(state.lies_open, self.position.at(space)))
            self.mark(waiting[0].id, state.FIRST, space, "7.1(1)")
            self.move(waiting[0].id, state.NODE_PILE if is_told else space, "7.1(1)", "its Node from the set-up")

    async def place_names(self) -> notation.SpaceNames:
        """The names of the known spaces, and of the units, which are not spaces."""
        facts = await self.known_facts("space", "3.1")
        flags = self.position.flags

        def read_names() -> dict[str, str]:
            by_name = {notation.read_ground(value).name: key for key, value in facts.items() if notation.grid_name(key)}
            by_name |= {str(name): flag.removeprefix(state.NAME) for flag, name in flags.items() if flag.startswith(state.NAME)}
            by_name.pop("", None)
            return by_name

        def lacks(space: str) -> bool:
            return flags.get(state.space_flag(space), facts.get(space)) == notation.NO_SPACE

        return notation.SpaceNames(read_names, lambda: unit_words(self.position), lacks)

    async def space(self, key: str, prompt: str, rule: str, bases: bool = False, suggest: str | None = None) -> str:
        """Ask for a space by route and phase line or by name."""
        names = await self.place_names()
        words = (*state.SPACE_ORDER, *(state.BASES if bases else ()))
        spaces = Notation("space", "3-8", lambda text: notation.read_space(text, names, bases), words=words)
        return await self.text(key, prompt, rule, spaces, self.space_choices(bases), suggest)

    def space_choices(self, bases: bool = False) -> list[Choice]:
        """The known spaces to choose from."""
        return [Choice(place, self.title(place)) for place in self._known_places(bases)]

    async def choose_space(self, prompt: str, rule: str, places: Sequence[str]) -> str:
        """Ask for one of some spaces."""
        return await self.choose("at", prompt, rule, [Choice(place, self.title(place)) for place in places])

    def _known_places(self, bases: bool) -> list[str]:
        spaces = {piece.place for piece in self.position.pieces.values() if state.on_map(piece.place)}
        spaces |= {flag.removeprefix(state.SPACE) for flag in self.position.flags if flag.startswith(state.SPACE)}
        return sorted(spaces, key=notation.route_and_line) + (list(state.BASES) if bases else [])

    # -- naming units ------------------------------------------------------------------------------------------

    def unit_choices(self, pieces: Sequence[Piece]) -> list[Choice]:
        """Units to choose from, each with its values and its place."""
        return [Choice(piece.name, piece.name, partial(self._state, piece)) for piece in pieces]

    @staticmethod
    def name_choices(pieces: Iterable[Piece]) -> list[Choice]:
        """Pieces to choose from by name alone."""
        return [Choice(piece.name, piece.name) for piece in pieces]

    def _state(self, piece: Piece) -> str:
        reduced = "reduced: " if piece.face == state.REDUCED else ""
        return f"{reduced}{notation.side_of(piece).described()}, {self.title(piece.place)}"

    def by_name(self, names: Iterable[str], pieces: Sequence[Piece]) -> list[Piece]:
        """The pieces with these names, each piece once."""
        left, named = list(pieces), []
        for name in names:
            piece = next(piece for piece in left if piece.name == name)
            left.remove(piece)
            named.append(piece)
        return named
