"""The description of the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from companion.core.candidates import read_priorities
from companion.core.corrections import Corrections
from companion.core.game import Banner, Field, Game, Score, Tables, action, situation
from companion.core.position import Piece, Position
from companion.core.procedures import Procedure
from companion.core.referee import Referee
from companion.core.requests import Odds

from . import rules

if TYPE_CHECKING:
    from companion.core.map import GameMap
    from companion.core.policies import Players


class FerryCorrections(Corrections[Referee]):
    """A chit lies in the cup, and nothing else does."""

    cups: ClassVar = {"cup": (("chit",), "1.2")}


class Ferry(Game[Referee]):
    """The Ferry."""

    id = "ferry"
    value_names = ("strength",)

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables)
        self.attack = read_priorities(tables.bot, "attack", ("landing", "hopeless", "assault", "difference", "far"))

    def make_map(self) -> GameMap:
        from .drawing import FerryMap

        return FerryMap(self)

    def make_players(self) -> Players:
        from .players import FerryPlayers

        return FerryPlayers(self)

    def make_corrections(self) -> Corrections[Referee]:
        return FerryCorrections(self)

    def referee(self, position: Position, options: Mapping[str, str]) -> Referee:
        return Referee(position, options, self.tables.charts)

    def setup(self, referee: Referee) -> Procedure[None]:
        return rules.set_up(referee)

    @action("move", "Move a company", rule="2.2", when=rules.no_mover)
    def move(self, referee: Referee) -> Procedure[None]:
        return rules.move(referee)

    @action("dig", "Dig in", rule="2.3", when=rules.no_digger)
    def dig(self, referee: Referee) -> Procedure[None]:
        return rules.dig(referee)

    @action("strike", "Strike at the enemy", rule="3.1", when=rules.no_target)
    def strike(self, referee: Referee) -> Procedure[None]:
        return rules.strike(referee)

    @action("end", "End the turn", rule="4.1", ends=True)
    def end(self, referee: Referee) -> Procedure[None]:
        return rules.end_turn(referee, self.attack)

    @situation("strike", "Strike of all that can", rule="3.2")
    def strike_odds(self, referee: Referee) -> Procedure[Odds]:
        return rules.strike_odds(referee)

    @situation("crossing", "Each load of the ferry", rule="4.2")
    def ferry_odds(self, referee: Referee) -> Procedure[Odds]:
        return rules.ferry_odds(referee)

    def default_action(self, position: Position) -> str:
        return "" if rules.ready(position) else "end"

    def banner(self, position: Position, options: Mapping[str, str]) -> Banner:
        fields = [
            Field(name, name.capitalize(), str(position.track(name)), position.track(name))
            for name in ("waiting", "across", "drowned")
        ]
        return Banner(f"Turn {position.track('turn')} of {rules.TURNS}", tuple(fields))

    def score(self, position: Position, options: Mapping[str, str]) -> Score:
        """[6.2]"""
        across, drowned = position.track("across"), position.track("drowned")
        lost = sum(piece.kind == "company" for piece in position.at("lost"))
        total = across - drowned - lost
        parts = (("Groups across", across, "6.2"), ("Groups drowned", -drowned, "6.2"), ("Companies lost", -lost, "6.2"))
        return Score(parts, total, "won" if total >= rules.WINS else "lost", "6.2")

    def over(self, position: Position) -> str:
        return rules.ended(position)

    def side(self, piece: Piece) -> str:
        return {"company": "player", "enemy": "enemy"}.get(piece.kind, "")

    def piece_title(self, piece: Piece) -> str:
        return piece.name if piece.kind == "chit" else f"{piece.name} ({rules.strength(piece)})"

    def mark_title(self, mark: str) -> str:
        return {"done": "acted", "dug": "dug in", "assaults": "assaulting"}.get(mark, mark)
