"""The summary of a turn and the end of a game."""

from __future__ import annotations

from itertools import pairwise

import pytest

from companion.core.resolver import Answers
from companion.games import GAMES
from companion.session.controller import SessionController
from companion.session.state import SessionState
from companion.session.store import Archive
from companion.views.lines import line_texts, plain_text
from companion.views.result import session_summary, turn_end_lines, turn_ended_by, turn_lines, turns_played
from tests.support.commands import companion


def accept() -> Answers:
    """Return the suggested answer."""
    return Answers(accept=True)


@pytest.fixture
def played(archive: Archive) -> SessionState:
    """A whole game of random play, with several actions in a turn."""
    companion("printed", "lzalbany", "import", "practice")
    companion("new", "--replay", "lzalbany/3/1", "--policy", "random", "--name", "whole")
    return SessionState.open(archive, "whole")


def test_every_entry_is_in_one_turn_and_turns_are_ordered(played: SessionState) -> None:
    result = turns_played(played.game, played.history)

    assert [number for item in result for number in item.numbers] == played.history.force[1:]
    assert [item.turn for item in result] == sorted({item.turn for item in result if item.turn is not None})
    assert turn_ended_by(played.game, played.history, result[-1].numbers[0]) is None


def test_summary_matches_the_positions_before_and_after(played: SessionState) -> None:
    """Compared with the positions before and after the turn."""
    result = turns_played(played.game, played.history)
    for item, later in pairwise(result):
        text = plain_text(turn_lines(played.game, played.history, played.options, item), 400)
        before = played.history.position(before=item.numbers[0])
        after = played.history.position(before=later.numbers[0])
        for track in ("us_vp", "nva_vp"):
            title = played.game.track_title(track)
            if before.track(track) != after.track(track):
                assert f"{title} {before.track(track)} -> {after.track(track)}" in text
        gone = [
            piece.name
            for piece in before.pieces.values()
            if piece.place[:1] in "abcdefgh" and len(piece.place) == 2 and after.pieces[piece.id].place == "eliminated"
        ]
        assert all(name in text.partition("left")[2] for name in gone)


def test_last_turn_ends_with_score_and_next_commands(played: SessionState) -> None:
    spell = turns_played(played.game, played.history)[-1]
    output = line_texts(session_summary(played, spell))
    score = played.game.score(played.position, played.options)

    assert output[0].startswith(f"Turn {spell.turn}: {len(spell.numbers)} actions")
    assert score.verdict in output
    for label, points, _ in score.items:
        assert any(f"{points:+d}" in line and label in line for line in output)
    assert any("companion report" in line for line in output)


@pytest.fixture
def day(tiny_game: str, archive: Archive) -> SessionController:
    return SessionController.create(archive, "tiny", "day", seed="7")


def test_end_of_game_includes_the_last_turn(played: SessionState, archive: Archive) -> None:
    session = SessionController.open(archive, "whole")
    session.undo(1)
    result = session.do("next")
    output = line_texts(turn_end_lines(session, result))

    assert session.game.over(session.position)
    assert output[1].startswith("Turn 10: ")
    assert output.index("What can be looked at now:") > 1


def test_ended_turn_is_summarised(played: SessionState, archive: Archive) -> None:
    session = SessionController.open(archive, "whole")
    while session.position.track("turn") > 8:
        session.undo(1)
    ended: list[str] = []
    while session.position.track("turn") == 8:
        assert ended == []
        ended = line_texts(turn_end_lines(session, session.do("next", accept())))

    assert ended[1].startswith("Turn 8: ")


def test_turn_of_one_action_has_no_summary(day: SessionController) -> None:
    result = day.do("rest")

    assert result.done
    assert turn_end_lines(day, result) == []
    assert [item.numbers for item in turns_played(day.game, day.history)] == [(2,)]


def test_end_of_game_is_shown_once(day: SessionController) -> None:
    day.adjust([("mood", "0")], "so that nobody minds")
    result = day.do("stop")
    output = line_texts(turn_end_lines(day, result))

    assert any("in total" in line for line in output)
    assert "What can be looked at now:" in output
    assert turn_end_lines(day, day.do("peek")) == []


def test_undo_shows_no_summary(day: SessionController) -> None:
    day.adjust([("mood", "0")], "so that nobody minds")
    day.do("stop")

    assert turn_end_lines(day, day.undo(1)) == []


def test_summary_command_takes_a_turn(tiny_game: str) -> None:
    companion("new", "tiny", "--scenario", "day", "--seed", "7")
    assert "nothing was played yet" in companion("summary").err
    companion("do", "march", "red", "ford", "--dice", "1")
    companion("do", "rest")

    first = companion("summary", "0").out
    assert "Red Camp > Ford" in first
    assert "Supply 8 -> 7" in first
    assert companion("summary", "--json").json["turn"] == 1
    assert "You can name: 0, 1" in companion("summary", "9").err


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_summary(game: str) -> None:
    companion("printed", game, "import", "practice")
    companion("new", "--replay", f"{game}/5/1", "--policy", "random", "--name", "played")
    result = companion("summary", "--session", "played")

    assert result.code == 0, result.err
    assert max(map(len, result.out.splitlines())) <= 80


def test_prompt_shows_the_summary_before_the_banner(day: SessionController) -> None:
    from companion.cli.repl.loop import Loop

    day.adjust([("mood", "0")], "so that nobody minds")
    output: list[str] = []
    loop = Loop(day, lambda prompt: "", lambda lines: output.extend(line_texts(lines)))
    loop.show(day.do("stop"))

    count = output.index("What can be looked at now:")
    banner = [line.startswith("The game is over") for line in output].index(True)
    assert 0 < count < banner
    assert "  /log: what was done; and why: /why N" in output


def test_set_up_ends_no_turn(day: SessionController) -> None:
    """Even if it sets the turn track and no action follows."""
    assert turn_ended_by(day.game, day.history, day.history.force[0]) is None
