"""How much a player types for the rulebook's game turn 3, all Zone facts known: through the loop of ``companion play``."""

from __future__ import annotations

from companion.cli.repl.loop import Loop
from companion.cli.repl.prompt import Prompt
from companion.session.controller import SessionController
from companion.session.store import Archive
from companion.testing.table import session_at
from tests.games.phantomfury.test_turn_3 import start

PLAYER = ("mi uav; 15,16", "r 12,m1; 3", "f 1; 15", "? y", "f 4; 16", "f 8; 14-R", "mo m1", "? s", "mo 12; 14-C", "a 12", "e")
"""What the player types besides dice and draws; behind ``?`` at a question after a roll."""


def played(archive: Archive, dice: str) -> tuple[int, int, SessionController]:
    """(prompts, keystrokes, the desk) of the turn; with ``physical`` every die and draw is typed too."""
    board = start()
    session = session_at(archive, "phantomfury", "practice", board.position, seed="keys")
    session.setting(dice, dice)
    # Companion's dice bring Martyrs to two Locations of Zone 15, so that the target must be named whole
    lines = [line.replace("f 1; 15", "f 1; 15-1") for line in PLAYER] if dice == "computer" else list(PLAYER)
    rolls = ["2", "7", "1", "6", "4", "5", "3", "1", "0", "2", "5", "1", "8", "4 0", "6", "4"]
    draws = ["G1/M1", "G3/M2", "G3/M2", "2/1/R", *["Activated Zone", "2/1/R", "1/2/R"] * 3]
    typed: list[str] = []

    def ask(prompt: Prompt) -> str:
        pending = session.pending
        if pending is None and not lines:
            raise EOFError
        if pending is not None and pending.kind == "roll":
            typed.append(rolls.pop(0))
        elif pending is not None and pending.kind == "draw":
            typed.append(draws.pop(0))
        else:
            is_answer = bool(lines) and lines[0].startswith("? ")
            typed.append("" if pending is not None and not is_answer else lines.pop(0).removeprefix("? "))
        return typed[-1]

    Loop(session, ask, lambda shown: None).play(greet=False)
    assert not lines and (dice == "computer" or not rolls + draws)
    return len(typed), sum(len(line) + 1 for line in typed), session


def test_8_0_turn_3_with_the_players_own_dice(archive: Archive) -> None:
    """[8.0] Every die and draw typed: the turn of the rulebook, to the last counter."""
    prompts, keys, session = played(archive, "physical")

    assert session.position.track("turn") == 4 and session.position.track("vp") == 0
    assert prompts <= 42 and keys <= 220
    print(f"physical: {prompts} prompts, {keys} keystrokes")


def test_8_0_turn_3_with_companions_dice(archive: Archive) -> None:
    """[8.0] Companion rolls and draws: ten lines or so."""
    prompts, keys, session = played(archive, "computer")

    assert session.position.track("turn") == 4
    assert prompts <= 14 and keys <= 90
    print(f"computer: {prompts} prompts, {keys} keystrokes")
