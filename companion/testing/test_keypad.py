"""One hand on the number pad: digits, point, signs and Enter play every game."""

from __future__ import annotations

from companion.cli.repl.loop import Loop
from companion.session.store import Archive
from companion.testing.fixtures import Start
from companion.testing.hand import Hand


def test_every_question_of_play_can_be_answered_with_one_hand(starts: list[Start], archive: Archive) -> None:
    """From wherever play begins; only what describes a table of its own takes letters."""
    for number, start in enumerate(starts[:2]):
        hand = Hand(start(archive), number, 40)
        Loop(hand.desk, hand.ask, lambda lines: None, lambda: (24, 80)).play(greet=False)
        assert hand.stuck == []
        assert hand.keys
