"""Two players at one table: each prompt says who decides, by name."""

from __future__ import annotations

import pytest

from companion.cli.repl.loop import Loop
from companion.cli.repl.prompt import Prompt
from companion.core.game import Game
from companion.session.controller import SessionController
from companion.session.store import Archive
from companion.testing.fixtures import Start


def test_each_prompt_says_who_decides_by_name(game: Game, starts: list[Start], archive: Archive) -> None:
    """In every game with two seats; nothing stands there where nobody has told a name."""
    seats = game.players.seats
    if len(seats) < 2 or not starts:
        pytest.skip("nobody plays against another")
    assert "players" in game.options
    for players in ("Ann, Bob", ""):
        begun = starts[0](archive)
        desk = SessionController.create(archive, game.id, options={**_told(begun), "players": players}, seed="3", think="0")
        prompts: list[tuple[str, str]] = []

        def ask(prompt: Prompt, desk: SessionController = desk, prompts: list[tuple[str, str]] = prompts) -> str:
            asked = desk.pending
            prompts.append((prompt.text, (asked.seat or asked.asked_side).casefold() if asked else ""))
            if len(prompts) > 60:
                raise EOFError
            return "" if asked or desk.game.default_action(desk.position) else "next"

        Loop(desk, ask, lambda lines: None).play(greet=False)
        for text, seat in prompts:
            named = "Ann" if text.startswith("Ann ") else "Bob" if text.startswith("Bob ") else ""
            assert named == (players and dict(zip(seats, ("Ann", "Bob"), strict=True)).get(seat, named))


def _told(desk: SessionController) -> dict[str, str]:
    """The options of a session that are not its scenario."""
    return {name: value for name, value in desk.options.items() if name in desk.game.options}
