"""Whole games of random legal play keep the invariants of the position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from companion.core.events import Event, PieceFlipped, PieceMade, PieceMoved, TrackMoved
from companion.core.position import Piece, Position
from companion.games.fallujah2004.state import BASES, on_map
from tests.games.fallujah2004.player import FallujahPlayer
from tests.support.forbidden import faults_in, forbidden_of

GAMES = 8
LATER = [pytest.param(seed, marks=pytest.mark.long) for seed in range(GAMES, 60)]
TURNS = 70
BOXES = {
    "recruit", "available", "eliminated", "hvt box", "captured", "in play", "node cup", "reaction cup", "node pile",
    "unopened", "out", "aside", "off", "leading", "kept",
}  # fmt: skip
"""Where a piece may be between actions, besides the map and the Bases. The battle display is not among them."""


def strength(piece: Piece) -> int:
    """The strength steps of a unit that is in play."""
    if not (on_map(piece.place) or piece.place in BASES):
        return 0
    return 1 if piece.face == "reduced" else piece.number("steps")


def kia_of(events: Sequence[Event], before: Position) -> int:
    """The expected change of the KIA index: OPFOR units eliminated less Coalition strength steps lost."""
    pieces = {**before.pieces, **{e.id: Piece(e.id, e.piece, e.name, e.place) for e in events if isinstance(e, PieceMade)}}
    killed = sum(isinstance(e, PieceMoved) and e.why == "eliminated" and pieces[e.id].kind in ("opfor", "event") for e in events)
    steps = sum(isinstance(e, PieceFlipped) and e.now == "reduced" for e in events)
    steps += sum(isinstance(e, PieceMoved) and e.now == "eliminated" and pieces[e.id].kind == "unit" for e in events)
    return killed - steps


def assert_sound(player: FallujahPlayer, before: Position, events: Sequence[Event]) -> None:
    """Check the invariants of a position."""
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
    assert faults_in(player, forbidden_of("fallujah2004")) == []
    if game.over(position):
        assert position.flag("stage") == "over"
    elif position.flag("stage") == "play":
        assert position.track("ops") > 0, "no game goes on without OPs"


@pytest.mark.parametrize("seed", [*range(GAMES), *LATER])
def test_a_whole_game_at_random(seed: int) -> None:
    """Games over all scenarios, options and switches."""
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
        "movement_left": ("side_up", "at_start")[seed // 2 % 2],
        "noticed": ("apart", "ends")[seed // 5 % 2],
        "evacuation": ("transport", "any_lift")[seed // 7 % 2],
        "intel_infowar": ("returns", "aside")[seed // 8 % 2],
    }
    player = FallujahPlayer("fallujah2004", scenario, seed, **switches)
    for _ in range(TURNS):
        before, count = player.position, len(player.events)
        player.turn()
        assert_sound(player, before, player.events[count:])


def test_random_games_are_no_idle_games() -> None:
    """Most actions are carried out, battles are fought, Nodes captured, events met."""
    rules: Counter[str] = Counter()
    ended = 0
    for seed in range(3):
        player = FallujahPlayer("fallujah2004", "vigilant_resolve", seed, networked="on", interdiction="on")
        for _ in range(TURNS):
            player.turn()
        rules.update(event.rule for event in player.events)
        ended += bool(player.game.over(player.position))

    assert ended
    for rule in ("16.1(2)", "16.1(4b)", "16.1(6)", "16.7", "20.3", "14.5", "14.7", "16.3", "21.1(a)", "13.1", "11.1"):
        assert rules[rule], rule
