"""A player of LZ Albany who answers at random what a player could: orders to adjacent areas, with the map told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
"""The practice map as one who owns it would tell it."""


class Captain(RandomPlayer):
    """Places the forces, and sends some of them where they can go."""

    def text(self, request: Text) -> str:
        orders = orders_of(request.notation)
        if orders and orders.pieces and self.number(5):
            return random_orders(request.suggest, orders, AreaMap(self.position), self.number)
        if request.key == "flares":
            return self.random.choice(["none", *AREAS])
        return super().text(request)

    def turn(self) -> str:
        """The next chit or phase mostly; what puts the board right is rare."""
        usual = next(action for action in self.game.actions if action.id == "next")
        if self.number(10) and not self.game.over(self.position) and usual.obstacle(self.position) is None:
            return usual.id if self.play(usual.run) else ""
        return super().turn()


class Orderly(Captain):
    """One who goes by the rules alone: nothing on the board is put right by hand."""

    def turn(self) -> str:
        usual = next(action for action in self.game.actions if action.id == "next")
        return usual.id if usual.obstacle(self.position) is None and self.play(usual.run) else ""


def sit(seed: int, *ways: type, **chosen: str) -> RandomPlayer:
    """A player for that seed: on either map, against themselves, or one side played by our opponent; or what is chosen,
    and then by the rules alone.
    """
    scenarios = list(make_game("lzalbany", _TABLES).scenarios)
    options = {"map": "own" if seed % 3 == 0 else "practice", "nva": "companion" if seed % 2 else "player"}
    if seed % 5 == 4:
        options |= {"nva": "player", "us": "companion"}
    options |= {"scenario": scenarios[seed % len(scenarios)], **chosen}
    kind: Any = type("Player", (*ways, Orderly if chosen else Captain), {"TOLD": TOLD})
    player: RandomPlayer = kind("lzalbany", options.pop("scenario"), seed, **options)
    return player
