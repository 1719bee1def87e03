"""A small made-up game of two seats: sealed orders and stakes, and scouts and gold that the other side does not see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.game import Action, Banner, Field, Game, Score, Situation, Tables
from companion.core.position import Position
from companion.core.procedures import Procedure
from companion.core.referee import Referee
from companion.core.requests import Choice, Choose, Number, Odds

SEATS = ("red", "blue")
PLACES = (Choice("ford", "Ford"), Choice("hill", "Hill"), Choice("wood", "Wood"))
NAMES = {"red": ("Fox", "Owl"), "blue": ("Elk", "Hare")}


class Ambush(Referee):
    """The referee of the ambush."""

    def turn(self) -> None:
        self.shift_track("turn", 1, "1", "a turn passes")

    async def set_up(self) -> None:
        """[1]"""
        self.set_track("turn", 0, "1", "set-up")
        self.set_track("score", 0, "5", "set-up")
        for seat in SEATS:
            self.set_track(f"{seat}_gold", 100_000, "3", "set-up")
            for name in NAMES[seat]:
                self.make("scout", name, "wood", "1", values={"side": seat}, face="back")

    async def orders(self) -> None:
        """[2]"""
        orders = await self.sealed({seat: Choose("order", "Where do you go", "2", PLACES) for seat in SEATS})
        self.say(f"Red goes to the {orders['red']}, Blue to the {orders['blue']}", "2")
        if orders["red"] == orders["blue"]:
            (face,) = await self.roll("fight", "Fight", "2")
            self.shift_track("score", 1 if face > 3 else -1, "2", f"a {face}")
        self.turn()

    async def stakes(self) -> None:
        """[3]"""
        gold = {seat: self.position.track(f"{seat}_gold") for seat in SEATS}
        stakes = await self.sealed({seat: Number("stake", "How much do you stake", "3", 0, gold[seat]) for seat in SEATS})
        for seat in SEATS:
            self.shift_track(f"{seat}_gold", -stakes[seat], "3", "the stake")
        self.say(f"Red stakes {stakes['red']}, Blue {stakes['blue']}", "3")
        self.shift_track("score", (stakes["red"] > stakes["blue"]) - (stakes["red"] < stakes["blue"]), "3", "the higher stake")
        self.turn()

    async def scout(self) -> None:
        """[4]"""
        own = [Choice(piece.id, piece.name) for piece in self.position.having("side", "red")]
        (scout,) = await self.pick("scout", "Which scout", "4", own, 1, 1)
        to = await self.choose("to", "Where to", "4", PLACES)
        self.say_to(["red"], f"{self.piece(scout).name} steals to the {to}", "4")
        self.say("A scout of Red's moves", "4")
        self.move(scout, to, "4", "unseen")

    async def rob(self) -> Odds:
        """[3]"""
        gold = max(self.position.track(f"{seat}_gold") for seat in SEATS)
        return Odds("A robbery", "3", (("Taken", ((f"{gold} gold", 1.0),)),))


class AmbushGame(Game):
    """The game."""

    id = "ambush"

    def referee(self, position: Position, options: Mapping[str, str]) -> Ambush:
        return Ambush(position, options, self.tables.charts)

    def setup(self, referee: Ambush) -> Procedure[None]:
        return referee.set_up()

    @property
    def actions(self) -> Sequence[Action]:
        return (
            Action("orders", "Write orders", "2", Ambush.orders),
            Action("stakes", "Stake gold", "3", Ambush.stakes),
            Action("scout", "Move a scout", "4", Ambush.scout),
        )

    @property
    def situations(self) -> Sequence[Situation]:
        return (Situation("rob", "Rob the richest", "3", Ambush.rob),)

    def acting_seats(self, position: Position) -> Sequence[str]:
        return ("red",)

    def visible(self, position: Position, seat: str) -> Position:
        """[3] [4] Without the other side's gold and its scouts that lie face down."""
        hidden = {piece.id for piece in position.of_kind("scout") if piece.face == "back" and piece.values["side"] != seat}
        return position.without(tracks={f"{other}_gold" for other in SEATS if other != seat}, pieces=hidden)

    def banner(self, position: Position, options: Mapping[str, str]) -> Banner:
        gold = [f"{seat.title()} {position.track(f'{seat}_gold')}" for seat in SEATS if f"{seat}_gold" in position.tracks]
        return Banner(f"Turn {position.track('turn')}", (Field("gold", "Gold", ", ".join(gold)),))

    def score(self, position: Position, options: Mapping[str, str]) -> Score:
        score = position.track("score")
        return Score((("Orders and stakes", score, "5"),), score, "red" if score > 0 else "blue" if score else "draw", "5")

    def over(self, position: Position) -> str:
        """[5]"""
        return "eight turns are over" if position.track("turn") >= 8 else ""


def make(tables: Tables) -> AmbushGame:
    """The game over its tables."""
    return AmbushGame(tables)
