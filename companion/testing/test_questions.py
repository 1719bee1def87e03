"""Contract tests of questions: every offer is accepted, the number pad suffices, lines fit the screen, seats are named."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from companion.cli.repl.loop import Loop
from companion.cli.repl.prompt import Prompt
from companion.core.game import Game
from companion.session.controller import SessionController
from companion.session.store import Archive
from companion.testing.fixtures import Sit, Start
from companion.testing.player import Hand, Trying
from companion.views.lines import Line, layout, terminal_rows

LONG_SEEDS, LONG_TURNS = 40, 200


def holds(game: Game, sit: Sit, seeds: int, turns: int) -> None:
    questions = 0
    for seed in range(seeds):
        player: Any = sit(seed, Trying)
        for _ in range(turns):
            player.turn()
            if game.over(player.position):
                break
        assert not player.refusals
        assert not player.singles
        assert not player.unanswerable
        questions += player.questions
    if not questions:
        pytest.skip("nothing is asked")


def test_every_answer_that_is_offered_can_be_given(game: Game, sit: Sit, effort: tuple[int, int]) -> None:
    """No offered answer is refused, and no question has a single legal answer."""
    holds(game, sit, *effort)


@pytest.mark.long
def test_every_answer_that_is_offered_can_be_given_at_length(game: Game, sit: Sit) -> None:
    holds(game, sit, LONG_SEEDS, LONG_TURNS)


def test_every_question_of_play_can_be_answered_with_one_hand(starts: list[Start], archive: Archive) -> None:
    """The number pad suffices except for free descriptions of the table."""
    for number, start in enumerate(starts[:2]):
        hand = Hand(start(archive), number, 40)
        Loop(hand.desk, hand.ask, lambda lines: None, lambda: (24, 80)).play(greet=False)
        assert hand.stuck == []
        assert hand.keys


LOOKS = ("/show", "/status", "/log", "/why", "/odds", "/audit", "?", "/help", "/rule", "/show score", "/summary", "/map")
"""What is looked at between the answers, in turn."""
ROOM = 12  # Columns that a prompt leaves for what is typed


class _Looker(Hand):
    """Runs a query before each of the first answers, and collects every row that is wider than the screen."""

    def __init__(self, desk: SessionController, seed: int, columns: int) -> None:
        super().__init__(desk, seed, 12)
        self.columns = columns
        self.looks = list(LOOKS)
        self.too_long: list[str] = []
        self._looked = False

    def tell(self, lines: Sequence[Line]) -> None:
        for line in lines:
            self._hold([*layout(line, self.columns), *terminal_rows(line, self.columns)], self.columns)

    def ask(self, prompt: Prompt) -> str:
        self._hold([prompt.text], self.columns - (0 if prompt.page else ROOM))
        if prompt.status_bar:
            self._hold([line.text for line in prompt.status_bar(24, self.columns)], self.columns - 1)
        self._looked = bool(self.looks) and not self._looked and not prompt.page
        return self.looks.pop(0) if self._looked else super().ask(prompt)

    def _hold(self, rows: Sequence[str], most: int) -> None:
        self.too_long += [row for row in rows if len(row) > most]


def test_every_line_of_random_play_fits_the_screen(starts: list[Start], archive: Archive) -> None:
    for number, start in enumerate(starts[:3]):
        looker = _Looker(start(archive), number, 40 if number % 2 else 80)
        Loop(looker.desk, looker.ask, looker.tell, lambda looker=looker: (24, looker.columns)).play()  # type: ignore[misc]
        assert looker.too_long == []


def test_each_prompt_says_who_decides_by_name(game: Game, starts: list[Start], archive: Archive) -> None:
    """In games with two seats the prompt begins with the player's name if names are set."""
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
    """The options of a session except its scenario."""
    return {name: value for name, value in desk.options.items() if name in desk.game.options}


def test_the_pieces_of_each_seat_are_known_as_its_own(game: Game, starts: list[Start], archive: Archive) -> None:
    desks = [start(archive) for start in starts]
    pieces = [piece for desk in desks for piece in desk.position.pieces.values()]
    if not pieces or len(game.players.seats) < 2:
        pytest.skip("nobody's pieces can be another's")
    assert set(game.players.seats) <= {game.side(piece) for piece in pieces}
