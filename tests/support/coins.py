"""A made-up game of coins for two, whose every value is known exactly.

In each turn the seat to act chooses a coin; a die decides what its side gains or loses. After the last turn the side ahead has
won.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from companion.core.game import Action, Banner, Field, Game, Score, Tables
from companion.core.policies import DecisionContext, GameResult, Players, Policy
from companion.core.position import Position
from companion.core.procedures import Procedure
from companion.core.referee import Referee
from companion.core.requests import Choice
from companion.core.values import ReplyValue

TURNS = 8
SEATS = ("heads", "tails")
COINS: Mapping[str, tuple[int, int, int]] = {"fair": (4, 1, -1), "good": (3, 1, -1), "rash": (6, 2, -1), "bad": (5, 1, -2)}
"""Coin -> the lowest face that gains, what it gains, what the others lose."""
USUAL = "good"


def gain(coin: str, face: int) -> int:
    """What a face of the die brings the side that tosses."""
    lowest, gained, lost = COINS[coin]
    return gained if face >= lowest else lost


def sign(turn: int) -> int:
    """1 where the first seat acts, else -1."""
    return 1 if turn % 2 == 0 else -1


@cache
def expected(turn: int, lead: int, of: str) -> float:
    """The expectation of the first seat before the choice of a turn, if both always take the usual coin: `vp` or `win`."""
    if turn == TURNS:
        return float(lead) if of == "vp" else (lead > 0) + (lead == 0) / 2
    return after_choice(turn, lead, USUAL, of)


def after_choice(turn: int, lead: int, coin: str, of: str) -> float:
    """The expectation after the choice of a coin, before the die."""
    return sum(expected(turn + 1, lead + sign(turn) * gain(coin, face), of) for face in range(1, 7)) / 6


class Table(Referee):
    """The referee of the coins."""

    async def set_up(self) -> None:
        """[1]"""
        self.set_track("lead", 0, "1", "set-up")
        self.set_track("turn", 0, "1", "set-up")

    async def toss(self) -> None:
        """[2]"""
        turn = self.position.track("turn")
        with self.acting_as(SEATS[turn % 2]):
            coin = await self.choose("coin", "Which coin", "2", tuple(Choice(name, name) for name in COINS))
            (face,) = await self.roll("die", "The die", "2")
        self.shift_track("lead", sign(turn) * gain(coin, face), "2", f"the {coin} coin")
        self.shift_track("turn", 1, "2", "the next turn")


class CoinPlayers(Players):
    """Both take the usual coin in playouts. ``drift``: the value of an unfinished position is too high by so much a turn."""

    seats_alternate = True
    horizon = Players.END
    score_spread = 3.0
    drift = 0.0
    knows_win = True

    def acting_seat(self, position: Position) -> str:
        return SEATS[position.track("turn") % 2]

    def outcome(self, position: Position, options: Mapping[str, str]) -> GameResult:
        lead = position.track("lead")
        return GameResult(SEATS[0] if lead > 0 else SEATS[1] if lead < 0 else "draw", lead)

    def value(self, position: Position, options: Mapping[str, str], seat: str) -> float:
        turn = position.track("turn")
        value = expected(turn, position.track("lead"), "vp") + self.drift * turn * (turn < TURNS)
        return value if seat == SEATS[0] else -value

    def win(self, position: Position, options: Mapping[str, str], seat: str) -> float | None:
        if not self.knows_win and not self.over(position):
            return None
        win = expected(position.track("turn"), position.track("lead"), "win")
        return win if seat == SEATS[0] else 1 - win

    def rollout_policy(self, seat: str) -> Policy:
        return Taking(self, lambda turn: USUAL)


class Taking(Policy):
    """Takes the coin that a function of the turn names."""

    def __init__(self, players: Players, coin: Callable[[int], str]) -> None:
        super().__init__(players)
        self._coin = coin

    def reply(self, context: DecisionContext) -> ReplyValue:
        return self._coin(context.position.track("turn"))


def make_game() -> Coins:
    """The game without tables."""
    tracks = {name: {"title": name, "low": -99, "high": 99, "rule": "1"} for name in ("lead", "turn")}
    head = {"seats": list(SEATS), "title": "Coins", "edition": "1", "tracks": tracks, "scenarios": {}}
    return Coins(Tables(head, {}, {}, {}, {}, {}, {}))


class Coins(Game):
    """The game."""

    id = "coins"

    def make_players(self) -> CoinPlayers:
        return CoinPlayers(self)

    def referee(self, position: Position, options: Mapping[str, str]) -> Table:
        return Table(position, options, self.tables.charts)

    def setup(self, referee: Table) -> Procedure[None]:
        return referee.set_up()

    @property
    def actions(self) -> Sequence[Action]:
        return (Action("toss", "Toss a coin", "2", Table.toss),)

    def banner(self, position: Position, options: Mapping[str, str]) -> Banner:
        return Banner(f"Turn {position.track('turn')}", (Field("lead", "Lead", str(position.track("lead"))),))

    def score(self, position: Position, options: Mapping[str, str]) -> Score:
        """[3]"""
        lead = position.track("lead")
        return Score((("Lead", lead, "3"),), lead, SEATS[lead < 0] if lead else "draw", "3")

    def over(self, position: Position) -> str:
        """[3]"""
        return "the last turn is over" if position.track("turn") >= TURNS else ""
