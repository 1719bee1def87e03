"""Random players of LZ Albany with a known map."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.game import Action
from companion.core.requests import Text
from companion.games import make_game
from companion.games.lzalbany.ai.policies import random_orders
from companion.games.lzalbany.areas import AreaMap
from companion.games.lzalbany.notation import orders_of
from companion.session.tables import load
from companion.testing.player import RandomPlayer

_TABLES = load("lzalbany")
AREAS: Mapping[str, Mapping[str, str]] = {area["name"]: area for area in _TABLES.counters["area"]}
TOLD: dict[str, str] = {
    **{f"area:{name}": f"{area['terrain']} {area['edge']}".strip() for name, area in AREAS.items() if name != "albany"},
    **{f"next:{name}": area["next"] for name, area in AREAS.items()},
}
"""The practice map as printed facts."""


class AlbanyPlayer(RandomPlayer):
    """Orders counters to adjacent areas; draws the next chit or plays the next phase mostly, and makes corrections rarely."""

    TOLD = TOLD

    def text(self, request: Text) -> str:
        orders = orders_of(request.notation)
        if orders and orders.pieces and self.number(5):
            return random_orders(request.suggest, orders, AreaMap(self.position), self.number)
        if request.key == "flares":
            return self.random.choice(["none", *AREAS])
        return super().text(request)

    def turn(self) -> str:
        if self.number(10) and not self.game.over(self.position) and self.next_action().obstacle(self.position) is None:
            return self.play_next()
        return super().turn()

    def next_action(self) -> Action:
        return next(action for action in self.game.actions if action.id == "next")

    def play_next(self) -> str:
        action = self.next_action()
        return action.id if action.obstacle(self.position) is None and self.play(action.run) else ""


class LawfulPlayer(AlbanyPlayer):
    """Makes no corrections."""

    def turn(self) -> str:
        return self.play_next()


def player_for(seed: int, chosen: Mapping[str, str]) -> tuple[type[AlbanyPlayer], dict[str, str]]:
    """Either map, two players or one side played by Companion; with chosen options, a player without corrections."""
    scenarios = list(make_game("lzalbany", _TABLES).scenarios)
    options = {"map": "own" if seed % 3 == 0 else "practice", "nva": "companion" if seed % 2 else "player"}
    if seed % 5 == 4:
        options |= {"nva": "player", "us": "companion"}
    options |= {"scenario": scenarios[seed % len(scenarios)], **chosen}
    return LawfulPlayer if chosen else AlbanyPlayer, options
