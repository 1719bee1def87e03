"""The rulebook's example of a whole turn: game turn 3, phase by phase, with its dice [8.0]."""

from __future__ import annotations

from typing import Any

from companion.core.events import Event
from tests.games.phantomfury.board import Board


class Turn(Board):
    """A board that keeps what a player was asked: every question that is no die and no draw."""

    def play(self, *args: Any, **more: Any) -> list[Event]:
        events = super().play(*args, **more)
        self.questions = [*getattr(self, "questions", []), *self.asked_for("choose", "confirm", "number", "pick", "text")]
        return events


def start() -> Turn:
    """The start of turn 3: Zones 2, 3 and 4 are taken, 14, 15 and 16 Activated, Guerillas in 13."""
    board = Turn()
    board.ours("2", "3", "4")
    board.zone("13", "14", "15", "16")
    board.squad(1, "3-R", caat=True)
    board.squad(8, "2-R")
    board.squad(4, "4-R")
    board.enemy("13-1", "G2/M2")
    for where in ("14-R", "14-1", "15-1", "15-2", "16-1", "16-2"):
        board.enemy(where)
    return board


def support(board: Board) -> None:
    """[9.3] The UAV finds one unit in Zone 15 and one in Zone 16."""
    board.do("mission", "mission=uav", "zones=15,16", dice=[2, 7, 1, 6, 4], draws=["G1/M1", "G3/M2"])

    assert board.track("uav") == 1
    assert board.enemies("15") == ["1 guerillas 1"]
    assert board.enemies("16") == ["1 guerillas 3"]


def reinforcements(board: Board) -> None:
    """[10.1, 10.2] Squad 12 comes into Zone 3, the M1A1 into the street on the north edge."""
    board.do("reinforce", "units=12,m1", "zone=3", accept=True)

    assert board.at("squad-12") == "3-C"
    assert board.at("m1a1") == "street n"
    assert board.track("vp") == 0


def fire(board: Board) -> None:
    """[11.1.2.1, 11.2.2, 11.4.1] Two units are shot; a Suspect goes, and its Sniper Pins squad 8 by 2 against 3."""
    board.do("fire", "unit=1", "target=15-1", "caat=yes", dice=[5])
    assert board.says("(5+1 = 6, CF 8): HIT")
    board.do("fire", "unit=4", "target=16-1", accept=True, dice=[3])
    assert board.says("(3+1 = 4, CF 6): HIT")
    board.do("fire", "unit=8", "target=14-R", dice=[1, 0, 2])

    assert board.says("2, hits on 0-3")
    assert board.mark(8, "pinned")
    assert board.position.pieces["squad-8"].face == "front"
    assert board.mark(1, "ammo") == 3
    assert board.enemies("14") == ["1 suspect"]
    assert board.track("vp") == 2


def movement(board: Board) -> None:
    """[12.6.1, 11.4.2.2, 12.7.3] The M1A1 with MC 3 covers the street: no die; in the Courtyard no Suspect is Activated."""
    board.do("move", "unit=m1", "to=s", dice=[5])
    assert board.says("Movement Capacity 3")
    board.do("move", "unit=12", "to=14-C", dice=[1])

    assert board.at("squad-12") == "14-C"
    assert board.says("no Sniper Attack (an M1A1 covers it)")
    assert board.says("1, quiet on 0-5. It keeps quiet")


def assault(board: Board) -> None:
    """[13.3, 13.4.3, 13.6.2.1] Drugged Fighters: hit, they go on as CF 2, and retreat to Zone 24."""
    board.do("assault", "squad=12", accept=True, dice=[8, 4, 0, 6], draws=["G3/M2", "2/1/R"])

    assert board.says("(4+1 = 5, CF 5): HIT")
    assert board.says("Drugged Fighters")
    assert board.position.pieces["squad-12"].face == "reduced"
    assert board.enemies("24") == ["2 guerillas 2"]
    assert board.at("squad-12") == "14-1"


def reorganisation(board: Board) -> None:
    """[14.1.1, 14.2, 14.3.4, 7.2.1] Zone 14 is taken; 23, 24 and 25 are Activated; squad 8 regroups; +2 and -2 points."""
    zones = ["Activated Zone", "2/1/R", "1/2/R"]
    board.do("end", dice=[4], draws=zones * 3)

    assert board.controlled("14")
    assert not board.controlled("15") and not board.controlled("16")
    for zone in ("23", "24", "25"):
        assert [piece.kind for piece in board.position.at(f"box {zone}")] == ["control"]
    assert board.enemies("23") == ["1 suspect", "2 suspect"]
    assert board.enemies("24") == ["1 suspect", "2 guerillas 2", "2' suspect"]
    assert not board.mark(8, "pinned") and not board.mark(1, "fired")
    assert board.track("vp") == 0
    assert board.track("turn") == 4


def test_8_0_game_turn_3() -> None:
    """[13.4.3: drugged] [8.0] The phases one after the other, on one board; the player is asked little."""
    board = start()
    for phase in (support, reinforcements, fire, movement, assault, reorganisation):
        phase(board)
    assert len(board.questions) <= 22, board.questions
