"""Whole games by a player who does anything that is allowed: nothing breaks, and what must always hold, holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from companion.core.events import Event, PieceFlipped, PieceMade, PieceMoved, TrackMoved
from companion.core.position import Piece, Position
from companion.core.requests import Pick, Request, Text
from companion.games.fallujah2004.referee import Fallujah
from companion.games.fallujah2004.words.spaces import BASES, on_map
from tests.games.fallujah2004.field import FACTS, SPACES
from tests.support.random_player import RandomPlayer

GAMES = 30
TURNS = 70
MAP = [space for space, text in SPACES.items() if text != "none"]
BOXES = {
    "recruit", "available", "eliminated", "hvt box", "captured", "in play", "node cup", "reaction cup", "node pile",
    "unopened", "out", "aside", "off", "leading", "kept",
}  # fmt: skip
"""Where a piece may be between actions, besides the map and the Bases. The battle display is not among them."""


class Wild(RandomPlayer):
    """Answers at random, but with forces of one space and moves over spaces that there are."""

    def __init__(self, seed: int, scenario: str, **options: str) -> None:
        super().__init__("fallujah2004", scenario, seed, **options)
        self.rich = bool(seed % 2)

    def play(self, procedure: Any) -> bool:
        self.facts = self.facts or dict(FACTS)
        return super().play(procedure)

    def step(self, number: int) -> None:
        """One action: in every other game first OPs in plenty; then an army, then mostly offensives."""
        action = {one.id: one for one in self.game.actions}
        if number == 0 and self.rich:
            self.play(rich)
        elif number < 7:
            self.play(action["buy"].run)
        elif self.random.random() < 0.6 and not self.game.over(self.position):
            self.play(action[self.random.choice(["j3", "j3", "j3", "networked"])].run)
        else:
            self.turn()

    def answer(self, request: Request[Any]) -> Any:
        if isinstance(request, Pick) and request.key == "force":
            return self.force(request)
        return super().answer(request)

    def force(self, request: Pick) -> Any:
        """Some units of one place."""
        offered = {choice.value for choice in request.choices}
        places: dict[str, list[str]] = {}
        for piece in self.position.of_kind("unit"):
            if piece.name in offered:
                places.setdefault(piece.place, []).append(piece.name)
        here = self.random.choice(list(places.values()))
        return request.check(self.random.sample(here, self.random.randint(1, min(4, len(here)))))

    def text(self, request: Text) -> str:
        if request.key == "to":
            return request.notation.read(self.path())
        if request.key == "nodes":
            return request.notation.read(", ".join(self.random.choices(MAP, k=self.random.randint(1, 3))))
        if request.key == "refuge":
            return request.notation.read(self.random.choice([*BASES, *MAP, "none"]))
        if request.key == "buy":
            names = [choice.value for choice in request.known]
            return request.notation.read(", ".join(self.random.sample(names, min(len(names), self.random.randint(1, 5)))))
        return super().text(request)

    def path(self) -> str:
        if self.random.random() < 0.1:
            return self.random.choice(BASES)
        way = " ".join(self.random.choices(MAP, k=self.random.choice([1, 1, 1, 2, 2, 3])))
        return f"water {way}" if self.random.random() < 0.1 else way

    def made_up(self, fact: str, example: str) -> str:
        if fact.startswith("space:"):
            return self.random.choice(["none", "urban", "open", "mosque", "objective msr"])
        return super().made_up(fact, example)


async def rich(game: Fallujah) -> None:
    """So many OPs that a game goes on for long."""
    game.shift("ops", 60, "10.4", "test")


def strength(piece: Piece) -> int:
    """The strength steps of a unit that is in play."""
    if not (on_map(piece.place) or piece.place in BASES):
        return 0
    return 1 if piece.face == "reduced" else piece.number("steps")


def kia_of(events: Sequence[Event], before: Position) -> int:
    """What the KIA index must have changed by: OPFOR units eliminated less Coalition strength steps lost."""
    pieces = {**before.pieces, **{e.id: Piece(e.id, e.piece, e.name, e.place) for e in events if isinstance(e, PieceMade)}}
    killed = sum(isinstance(e, PieceMoved) and e.why == "eliminated" and pieces[e.id].kind in ("opfor", "event") for e in events)
    lost = sum(isinstance(e, PieceFlipped) and e.now == "reduced" for e in events)
    lost += sum(isinstance(e, PieceMoved) and e.now == "eliminated" and pieces[e.id].kind == "unit" for e in events)
    return killed - lost


def assert_sound(player: Wild, before: Position, events: Sequence[Event]) -> None:
    """What holds after every action."""
    position, game = player.position, player.game
    pieces = list(position.pieces.values())
    made = [e.id for e in events if isinstance(e, PieceMade)]

    assert set(position.pieces) == {*before.pieces, *made}, "pieces are conserved"
    was = Counter(piece.kind for piece in before.pieces.values())
    was.update(e.piece for e in events if isinstance(e, PieceMade))
    assert Counter(piece.kind for piece in pieces) == was, "no piece becomes another"
    astray = [piece for piece in pieces if not (on_map(piece.place) or piece.place in BASES or piece.place in BOXES)]
    assert astray == [], "every piece is where pieces can be"
    left = [
        p for p in pieces if on_map(p.place) and (p.kind == "opfor" or p.values.get("event") not in (None, "downed_helicopter"))
    ]
    assert left == [], "OPFOR units leave the map with the battle"
    assert 0 <= position.track("morale") <= 3
    revealed = sum(piece.kind == "node" and piece.place != "node cup" for piece in pieces)
    assert sum(piece.kind == "concealed" and piece.place == "off" for piece in pieces) == revealed, "a Node is revealed once"
    for leader in position.of_kind("leader"):
        unit = position.pieces.get(str(leader.marks.get("with", "")))
        assert (leader.place == "leading") == (unit is not None), "a leader is with a unit or in a box"
        assert unit is None or strength(unit), "a leader's unit is in play"
    assert all(piece.face == "front" or piece.number("steps") == 2 for piece in pieces if piece.kind == "unit")
    set_anew = any(isinstance(e, TrackMoved) and e.track == "kia" and e.why == "start of the scenario" for e in events)
    if not set_anew and position.track("operations"):
        assert position.track("kia") - before.track("kia") == kia_of(events, before), "KIA counts losses and nothing else"
    score = game.score(position, player.options)
    assert score.total == sum(points for _, points, _ in score.items)
    assert game.banner(position, player.options).fields
    if game.over(position):
        assert position.flag("stage") == "over"
    elif position.flag("stage") == "play":
        assert position.track("ops") > 0, "no game goes on without OPs"


@pytest.mark.parametrize("seed", range(GAMES))
def test_a_whole_game_at_random(seed: int) -> None:
    """Thirty games over all scenarios, options and switches."""
    scenario = ("vigilant_resolve", "phantom_fury", "campaign")[seed % 3]
    switches = {
        "joint": "on" if seed % 2 else "off",
        "networked": "on",
        "interdiction": "on",
        "players": "Anna, Ben" if seed % 4 == 0 else "",
        "returns": ("at_once", "after_picks")[seed % 5 % 2],
        "netwar": ("per_round", "per_battle")[seed % 7 % 2],
        "civilians": ("by_terrain", "any_terrain")[seed % 11 % 2],
        "campaign_morale": ("high", "carried")[seed // 3 % 2],
        "node_denies_control": ("no", "yes")[seed // 6 % 2],
        "fob_surcharge": ("included", "extra")[seed // 4 % 2],
    }
    player = Wild(seed, scenario, **switches)
    for number in range(TURNS):
        before, count = player.position, len(player.events)
        player.step(number)
        assert_sound(player, before, player.events[count:])


def test_random_games_are_no_idle_games() -> None:
    """Most actions are carried out, battles are fought, Nodes captured, events met."""
    rules: Counter[str] = Counter()
    ended = 0
    for seed in range(6):
        player = Wild(seed, "vigilant_resolve", networked="on", interdiction="on")
        for number in range(TURNS):
            player.step(number)
        rules.update(event.rule for event in player.events)
        ended += bool(player.game.over(player.position))

    assert ended
    for rule in ("16.1(2)", "16.1(4b)", "16.1(6)", "16.7", "20.3", "14.5", "14.7", "16.3", "21.1(a)", "13.1", "11.1"):
        assert rules[rule], rule
