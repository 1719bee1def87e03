"""What the game is to the rest of the program: its actions, its odds, its words, its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.game import Action, Banner, Field, Game, Obstacle, Score, Situation
from companion.core.position import Position
from companion.core.procedures import Procedure
from companion.skeleton.sailing import FAR, LAST, Boat, storm_odds


def full(position: Position) -> Obstacle | None:
    """[5] Nobody waits with full tanks."""
    return Obstacle("the tanks are full", "5", "Sail") if position.track("fuel") >= 8 else None


class Voyage(Game):
    """The game."""

    id = "skeleton"

    def referee(self, position: Position, options: Mapping[str, str]) -> Boat:
        return Boat(position, options, self.tables.charts)

    def setup(self, referee: Boat) -> Procedure[None]:
        return referee.set_up()

    @property
    def actions(self) -> Sequence[Action]:
        return (Action("sail", "Sail for a day", "2", Boat.sail), Action("wait", "Wait for fuel", "5", Boat.wait, full))

    @property
    def situations(self) -> Sequence[Situation]:
        return (Situation("storm", "Crates that a storm costs", "4", storm_odds),)

    def default_action(self, position: Position) -> str:
        return "sail" if position.track("fuel") else "wait"

    def banner(self, position: Position, options: Mapping[str, str]) -> Banner:
        fields = tuple(Field(name, self.track_title(name), str(position.track(name))) for name in ("fuel", "crates", "way"))
        return Banner(f"Day {position.track('turn')} of {LAST}", fields)

    def score(self, position: Position, options: Mapping[str, str]) -> Score:
        """[6] What arrives counts."""
        crates = position.track("crates") if position.track("way") >= FAR else 0
        return Score((("Crates at the island", crates, "6"),), crates, "won" if crates >= 3 else "lost", "6")

    def over(self, position: Position) -> str:
        """[6] On the island, without a crate, or at the end of the last day."""
        if position.track("way") >= FAR:
            return "the boat is at the island"
        if not position.track("crates"):
            return "every crate is lost"
        return "the last day is over" if position.track("turn") >= LAST else ""
