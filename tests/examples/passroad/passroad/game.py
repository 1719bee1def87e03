"""The game as one value: its words, its actions, its questions of chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from companion.core.game import Action, Banner, Field, Game, Obstacle, Score, Situation
from companion.core.position import Piece, Position, Value
from companion.core.procedures import Procedure

from . import attacks, dawn, ending, laying, orders, situations
from .land import Land
from .referee import REDUCED, Pass

if TYPE_CHECKING:
    from companion.core.map import GameMap
    from companion.core.policies import Players


class PassRoad(Game):
    """The Pass Road."""

    id = "passroad"

    @cached_property
    def land(self) -> Land:
        """[1.1] The map."""
        return Land(self.tables.game["setup"])

    def make_map(self) -> GameMap:
        from passroad.atlas import PassRoadMap

        return PassRoadMap(self)

    def make_players(self) -> Players:
        from passroad.players import PassRoadPlayers

        return PassRoadPlayers(self)

    def referee(self, position: Position, options: Mapping[str, str]) -> Pass:
        return Pass(position, options, self.tables.charts, self.land, self.tables)

    def setup(self, referee: Pass) -> Procedure[None]:
        return laying.set_up(referee)

    @cached_property
    def _actions(self) -> tuple[Action, ...]:
        return (
            Action("dawn", "the Dawn: a chit, and the bands", "4.1", dawn.dawn, self._at_dawn),
            Action("march", "march to another area", "6.2", orders.march, self._march),
            Action("attack", "attack bands in an adjacent area", "6.5", attacks.attack, self._attack),
            Action("rest", "rest and make camp", "6.8", orders.rest, self._order),
            Action("scout", "scout an adjacent area", "6.9", orders.scout, self._order),
        )

    @property
    def actions(self) -> Sequence[Action]:
        return self._actions

    # -- what stands against them ------------------------------------------------------------------------------

    def _at_dawn(self, position: Position) -> Obstacle | None:
        """[3.2] Once a turn."""
        return Obstacle("the dawn of this turn is over", "3.2", "Give the column its order") if position.flag("order") else None

    def _order(self, position: Position) -> Obstacle | None:
        """[3.2] Only after the dawn."""
        return None if position.flag("order") else Obstacle("the dawn comes first", "3.2", "Carry it out: companion do dawn")

    def _march(self, position: Position) -> Obstacle | None:
        """[6.2] Not where bands bar every way."""
        found = self._order(position)
        if found or orders.ways(self.referee(position, {})):
            return found
        return Obstacle("bands bar every way", "6.2", "Attack, rest or scout")

    def _attack(self, position: Position) -> Obstacle | None:
        """[6.1, 6.5] With stores and companies, where bands are near."""
        found = self._order(position)
        game = self.referee(position, {})
        if found:
            return found
        if not game.track("stores"):
            return Obstacle("a column without stores does not attack", "6.1", "March, rest or scout")
        if len(game.companies) < 2:
            return Obstacle("one company stays with the wagons, and there is no other", "6.5")
        return None if attacks.targets(game) else Obstacle("no bands are adjacent", "6.5")

    def default_action(self, position: Position) -> str:
        return "" if position.flag("order") else "dawn"

    @property
    def situations(self) -> Sequence[Situation]:
        return situations.SITUATIONS

    # -- the words ---------------------------------------------------------------------------------------------

    def banner(self, position: Position, options: Mapping[str, str]) -> Banner:
        part = "order" if position.flag("order") else "Dawn"
        game = self.referee(position, options)
        figures = (
            Field("column", "Column", game.title(game.here) + (", in camp" if game.camp else "")),
            Field("strength", "Strength", str(sum(map(game.strength, game.companies)))),
            Field("wagons", "Wagons", str(len(game.wagons))),
            *(Field(name, self.track_title(name), self.track(name, game.track(name))) for name in ("stores", "fatigue", "snow")),
            Field("resolve", "Resolve", str(game.track("resolve"))),
        )
        turn = min(position.track("turn"), ending.TURNS)
        return Banner(f"Turn {turn} of {ending.TURNS}, {part}", figures)

    def score(self, position: Position, options: Mapping[str, str]) -> Score:
        """[8.2]"""
        return ending.counted(position)

    def over(self, position: Position) -> str:
        """[8.1]"""
        return ending.ended(position)

    def place_title(self, place: str) -> str:
        return self.places.get(place, place)

    def piece_title(self, piece: Piece) -> str:
        strength = piece.number("strength")
        return f"{piece.name} ({strength - (piece.face == REDUCED)})" if strength else piece.name

    def flag_title(self, flag: str) -> str:
        return {"camp": "The column is in camp", "scouted": "Scouted"}.get(flag, "")

    def side(self, piece: Piece) -> str:
        return {"company": "player", "wagon": "player", "band": "bands"}.get(piece.kind, "")

    def mark_names(self, piece: Piece) -> Mapping[str, tuple[Value, ...]]:
        return {}
