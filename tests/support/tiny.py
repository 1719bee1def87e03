"""A small made-up game with one of everything: tracks, a cup, dice, units, printed facts, refusals, odds."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from companion.core.dice import RollOutcome, cup_contents, summed_rolls
from companion.core.errors import Illegal
from companion.core.game import Action, Banner, Fact, Field, Game, Obstacle, Score, Situation, Tables
from companion.core.notation import fixed_words, free_text, whole_number
from companion.core.odds import distribution
from companion.core.position import Piece, Position, Value
from companion.core.procedures import Procedure
from companion.core.referee import Referee
from companion.core.requests import Choice, Confirm, Odds

if TYPE_CHECKING:
    from companion.core.map import GameMap

SPACES = ("camp", "ford", "hill-1", "hill-2")
TABLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tables")

STRENGTH = whole_number("strength", 1, 3)
PATH = fixed_words("path", ("easy", "steep"))
LAST = {"short": 30, "long": 60}


def _fives(strength: int) -> tuple[RollOutcome, ...]:
    return summed_rolls(strength, lambda face: int(face >= 5))


class Ford(Referee):
    """The referee of the ford."""

    def units(self) -> list[Choice]:
        return [Choice(piece.id, piece.name) for piece in self.position.of_kind("unit") if piece.place != "out"]

    def turn(self) -> None:
        self.shift_track("turn", 1, "1.3", "an action was done")

    async def set_up(self) -> None:
        """[1.0]"""
        night = self.option("scenario") == "night"
        self.set_track("supply", 5 if night else 8, "1.1", "set-up")
        self.set_track("mood", 1, "1.2", "set-up")
        self.set_track("turn", 0, "1.3", "set-up")
        self.set_flag("night", True if night else None, "2.4")
        for name in ("Red", "Blue", "Blue"):
            self.make("unit", name, "camp", "1.0")
        for item in ("Gold", "Gold", "Stone", "Stone", "Stone"):
            self.make("find", item, "bag", "1.0", face="back")
        if night:
            lamps = await self.number("lamps", "How many lamps", "2.4", 0, 3, suggest=1)
            self.shift_track("supply", -lamps, "2.4", "lamps")
        self.say("The game begins", "1.0", "everything is in its place")

    async def march(self) -> None:
        """[2.1]"""
        (unit,) = await self.pick("unit", "Which unit", "2.1", self.units(), 1, 1)
        to = await self.text("to", "Where to", "2.1", free_text("place", "ford"))
        if self.position.track("supply") <= 0:
            self.forbid("there is no supply left", "1.1", "Rest first")
        self.shift_track("supply", -2 if to == "ford" and self.option("ford_cost") == "two" else -1, "1.1", "march")
        self.move(unit, to, "2.1", "march")
        toll = await self.roll("toll", "Toll of the water", "2.1")
        if toll[0] == 6:
            self.mark(unit, "hits", self.piece(unit).marks.get("hits") or 1, "2.1", "a six")
        self.turn()

    async def roam(self) -> None:
        """[2.1] Red goes to a space; the path there is learnt, and asked for where nobody knows it."""
        (red,) = [piece for piece in self.position.of_kind("unit") if piece.name == "Red"]
        to = await self.text("to", "Where to", "2.1", fixed_words("space", SPACES))
        pair = "/".join(sorted((red.place, to)))
        if pair not in await self.known_facts("path", "2.1"):
            await self.infer_fact(f"path:{pair}", await self.text("how", "How is the path", "2.1", PATH), "2.1")
        self.move(red.id, to, "2.1", "roaming")

    async def fight(self) -> None:
        """[2.2]"""
        (unit,) = await self.pick("unit", "Which unit", "2.2", self.units(), 1, 1)
        name = self.piece(unit).name
        strength = int(await self.printed(f"strength:{name}", f"Strength of {name}", "2.2", STRENGTH))
        rounds = 0
        while True:
            rounds += 1
            dice = await self.roll("fight", f"Attack of {name}", "2.2", strength, outcomes=lambda: _fives(strength))
            hits = sum(face >= 5 for face in dice)
            self.say(f"{hits} hits", "2.2", *(f"{face}" for face in dice))
            self.set_track("mood", min(2, max(0, self.position.track("mood") + (1 if hits else -1))), "1.2", "the fight")
            if rounds == 3:
                break
            go_on = Confirm("go on", "Another round", "2.2", suggest=False)
            go_on.odds = lambda: hit_odds(strength)
            if not await go_on:
                break
        weather = await self.printed("weather", "The weather", "2.2", fixed_words("weather", ("fair", "foul")), fallback="fair")
        self.say(f"The weather is {weather}", "2.2")
        self.flip(unit, "back" if self.piece(unit).face == "front" else "front", "2.2")
        self.turn()

    async def search(self) -> None:
        """[2.3]"""
        name = await self.draw("find", "Draw out of the bag", "2.3", "bag", ("Gold", "Stone"))
        there = [piece for piece in self.position.at("bag") if piece.name == name]
        if there:
            self.move(there[0].id, "out", "2.3")
        else:
            self.make("find", name, "out", "2.3", "drawn on the table")
        roll = await self.roll("luck", "What it brings", "2.3")
        self.shift_track(
            "supply", min(self.chart("find").number(roll[0], "supply"), 20 - self.position.track("supply")), "2.3", name
        )
        known = await self.known_facts("strength", "2.2")
        self.say(f"{len(known)} strengths are known", "2.2")
        self.turn()

    async def scout(self) -> None:
        """[2.3] One look, and a second where supply is low; who is in a low mood has to be lucky as well."""
        seen = sum(await self.roll("look", "What the scouts see", "2.3"))
        if self.position.track("supply") < 5:
            seen += sum(await self.roll("look again", "What they see at second sight", "2.3"))
        way = await self.choose("way", "Which way", "2.3", (Choice("left", "left"), Choice("right", "right")))
        if self.position.track("mood") == 0:
            seen += sum(await self.roll("luck", "Whether they come back", "1.2"))
        self.say(f"{seen} seen on the {way}", "2.3")
        self.turn()

    async def rest(self) -> None:
        """[1.1]"""
        self.shift_track("supply", min(1, 20 - self.position.track("supply")), "1.1", "rest")
        self.turn()

    async def peek(self) -> None:
        """[1.3] Says what lies on the table; at night only with a lamp."""
        if self.position.flag("night"):
            await self.confirm("lamp", "Light a lamp", "1.3")
        self.say(f"{len(self.position.at('camp'))} in camp", "1.3")

    async def fire(self) -> None:
        """[2.4] Only at night."""
        count = await self.number("fires", "How many fires", "2.4", 1, 3)
        self.say(f"{count} fires", "2.4")
        self.turn()

    async def stop(self) -> None:
        """[1.3] Refused from the start while the mood is high."""
        if self.position.track("mood") == 2:
            self.forbid("nobody wants to stop", "1.2")
        self.set_track("turn", LAST[self.option("length")], "1.3", "stopped")

    async def duel(self) -> None:
        """[2.2] Needs no session."""
        mine = await self.number("mine", "My strength", "2.2", 1, 3)
        dice = await self.roll("fight", "Attack", "2.2", mine)
        self.say(f"{sum(face >= 5 for face in dice)} hits", "2.2")


async def _one_round(strength: int) -> int:
    referee = Referee(Position(), {}, {})
    dice = await referee.roll("fight", "Attack", "2.2", strength, outcomes=lambda: _fives(strength))
    return sum(face >= 5 for face in dice)


def hit_odds(strength: int) -> Odds:
    """[2.2] Hits of one round."""
    lines = tuple((f"{hits} hits", chance) for hits, chance in sorted(distribution(lambda: _one_round(strength)).items()))
    return Odds("One round", "2.2", (("Hits", lines),))


async def _ask_odds(referee: Ford) -> Odds:
    return hit_odds(await referee.number("mine", "My strength", "2.2", 1, 3))


async def _known_odds(referee: Ford) -> Odds:
    """[2.2] By what is printed on the counter."""
    return hit_odds(int(await referee.printed("strength:Red", "Strength of Red", "2.2", STRENGTH)))


async def _bag_odds(referee: Ford) -> Odds:
    counts = cup_contents(referee.position, "bag")
    if not counts:
        raise Illegal("the bag is empty", rule="2.3")
    total = sum(counts.values())
    return Odds("The next draw", "2.3", (("Drawn", tuple((name, count / total) for name, count in counts.items())),))


class Tiny(Game):
    """The game."""

    id = "tiny"

    def make_map(self) -> GameMap | None:
        from tests.support.tiny_map import TinyMap

        return TinyMap(self)

    def referee(self, position: Position, options: Mapping[str, str]) -> Ford:
        return Ford(position, options, self.tables.charts)

    def setup(self, referee: Ford) -> Procedure[None]:
        return referee.set_up()

    @property
    def actions(self) -> Sequence[Action]:
        def dark(position: Position) -> Obstacle | None:
            return None if position.flag("night") else Obstacle("it is not dark", "2.4", "Wait for the night")

        return (
            Action("march", "March", "2.1", Ford.march),
            Action("fight", "Fight", "2.2", Ford.fight),
            Action("search", "Search", "2.3", Ford.search),
            Action("scout", "Scout", "2.3", Ford.scout),
            Action("rest", "Rest", "1.1", Ford.rest),
            Action("fire", "Light fires", "2.4", Ford.fire, obstacle=dark),
            Action("stop", "Stop", "1.3", Ford.stop, ends=True),
            Action("duel", "Duel", "2.2", Ford.duel, alone=True, usual=False),
            Action("peek", "Look around", "1.3", Ford.peek, usual=False, look=True),
            Action("roam", "Roam", "2.1", Ford.roam),
        )

    @property
    def situations(self) -> Sequence[Situation]:
        return (
            Situation("round", "One round of a fight", "2.2", _ask_odds),
            Situation("attack", "One round of Red", "2.2", _known_odds),
            Situation("bag", "The next draw", "2.3", _bag_odds),
        )

    @property
    def facts(self) -> Sequence[Fact]:
        return (
            Fact("strength", "Strength of a unit, on its counter", "2.2", STRENGTH, rulebook_values={"Blue": "2"}),
            Fact("weather", "The weather box", "2.2", fixed_words("weather", ("fair", "foul")), single=True),
            Fact("depth", "Depth at the ford", "2.1", whole_number("depth", 1, 9), keys=("north", "south")),
            Fact("ground", "Ground of a space", "2.1", fixed_words("ground", ("plain", "marsh"))),
            Fact("path", "The path between two spaces", "2.1", PATH),
        )

    def contradictions(self, facts: Mapping[str, str]) -> list[str]:
        """[2.1] No path leads through the marsh to a hill."""
        hills = [key for key in facts if key.startswith("path:") and facts.get(f"ground:{key[5:].split('/')[0]}") == "marsh"]
        return [f"{key} leads out of the marsh up a hill [2.1]" for key in hills if "/hill" in key]

    def banner(self, position: Position, options: Mapping[str, str]) -> Banner:
        return Banner("turn", (Field("supply", "Supply", str(position.track("supply"))),))

    def score(self, position: Position, options: Mapping[str, str]) -> Score:
        supply = position.track("supply")
        return Score((("Supply", supply, "1.1"),), supply, "good" if supply > 4 else "bad", "1.3")

    def over(self, position: Position) -> str:
        return "the last turn is done" if position.track("turn") >= 30 else ""

    def flag_title(self, flag: str) -> str:
        return {"night": "Night"}.get(flag, "")

    def mark_names(self, piece: Piece) -> Mapping[str, tuple[Value, ...]]:
        return {"hits": (1, 2), "tired": (True,)} if piece.kind == "unit" else {}


def make(tables: Tables) -> Tiny:
    """The game over its tables."""
    return Tiny(tables)
