"""The description of the game: its actions, odds, figures and end."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.game import Banner, Field, Game, Obstacle, Score, action, situation
from companion.core.position import Position
from companion.core.procedures import Procedure
from companion.core.referee import Referee
from companion.core.requests import Odds
from companion.skeleton.rules import DAYS, ISLAND, TANKS, sail, set_up, storm_odds, wait


def full_tanks(position: Position) -> Obstacle | None:
    """[5] The boat cannot wait with full tanks."""
    return Obstacle("the tanks are full", "5", "Sail") if position.track("fuel") >= TANKS else None


class SupplyBoat(Game[Referee]):
    """The Supply Boat."""

    id = "skeleton"

    def referee(self, position: Position, options: Mapping[str, str]) -> Referee:
        return Referee(position, options, self.tables.charts)

    def setup(self, referee: Referee) -> Procedure[None]:
        return set_up(referee)

    @action("sail", "Sail for a day", rule="2")
    def sail(self, referee: Referee) -> Procedure[None]:
        return sail(referee)

    @action("wait", "Wait for fuel", rule="5", when=full_tanks)
    def wait(self, referee: Referee) -> Procedure[None]:
        return wait(referee)

    @situation("storm", "Crates that a storm costs", rule="4")
    def storm(self, referee: Referee) -> Procedure[Odds]:
        return storm_odds(referee)

    def default_action(self, position: Position) -> str:
        return "sail" if position.track("fuel") else "wait"

    def banner(self, position: Position, options: Mapping[str, str]) -> Banner:
        fields = tuple(Field(name, self.track_title(name), str(position.track(name))) for name in ("fuel", "crates", "way"))
        return Banner(f"Day {position.track('turn')} of {DAYS}", fields)

    def score(self, position: Position, options: Mapping[str, str]) -> Score:
        """[6] Crates count at the island only."""
        crates = position.track("crates") if position.track("way") >= ISLAND else 0
        return Score((("Crates at the island", crates, "6"),), crates, "won" if crates >= 3 else "lost", "6")

    def over(self, position: Position) -> str:
        """[6] At the island, without crates, or after the last day."""
        if position.track("way") >= ISLAND:
            return "the boat is at the island"
        if not position.track("crates"):
            return "every crate is lost"
        return "the last day is over" if position.track("turn") >= DAYS else ""
