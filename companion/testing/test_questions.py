"""Contract tests of questions: every offer is accepted, the number pad suffices, lines fit the screen, seats are named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from companion.cli.repl.loop import Loop
from companion.cli.repl.prompt import Prompt
from companion.core.game import Game
from companion.core.requests import AnyRequest, Roll
from companion.session.controller import SessionController
from companion.session.store import Archive
from companion.testing.fixtures import Sit, Start
from companion.testing.player import Hand, Trying, is_readable
from companion.views.lines import Line, layout, terminal_rows

STUCK = "keys of questions at which no typed answer was accepted (`action`: no action)"
PROBED = 2  # Times that a question is probed before it is only answered


def assert_offers_are_accepted(game: Game, sit: Sit, seeds: int, turns: int) -> None:
    questions = 0
    for seed in range(seeds):
        player: Any = sit(seed, Trying)
        for _ in range(turns):
            player.turn()
            if game.over(player.position):
                break
        assert not player.refusals, "offered answers that were refused"
        assert not player.singles, "questions with a single legal answer: make it the forced reply"
        assert not player.unanswerable, "questions without a legal answer"
        assert not player.misread, "offered answers that are read as something else when they are typed"
        questions += player.questions
    if not questions:
        pytest.skip("nothing is asked")


def test_every_answer_that_is_offered_can_be_given(game: Game, sit: Sit, effort: tuple[int, int]) -> None:
    """No offered answer is refused, and no question has a single legal answer."""
    assert_offers_are_accepted(game, sit, *effort)


@pytest.mark.long
def test_every_answer_that_is_offered_can_be_given_at_length(game: Game, sit: Sit) -> None:
    assert_offers_are_accepted(game, sit, seeds=40, turns=200)


def _type_in(hand: Hand) -> None:
    """Play at a prompt until the hand stops."""
    Loop(hand.session, hand.ask, lambda lines: None, lambda: (24, 80)).play(greet=False)


def test_every_question_of_play_can_be_answered_with_one_hand(starts: list[Start], archive: Archive) -> None:
    """The number pad suffices except for free descriptions of the table."""
    for number, start in enumerate(starts[:2]):
        hand = Hand(start(archive), number, 40)
        _type_in(hand)
        assert hand.stuck == [], STUCK
        assert hand.keys


class _Grammarian(Hand):
    """Types each key of the grammar, and a line with a word too many, at each question before it is answered.

    ``changed``: what was typed that changed something, with the key of its question. ``tried``: the number of such lines.
    """

    def __init__(self, session: SessionController, seed: int) -> None:
        super().__init__(session, seed, 100)
        self.changed: list[tuple[str, str]] = []
        self.tried = 0
        self._probes: list[str] = []
        self._probed: tuple[object, str] = (None, "")
        self._seen: set[object] = set()
        self._probed_keys: Counter[str] = Counter()

    def ask(self, prompt: Prompt) -> str:
        request, question = self.session.pending, (self.session.history.seq, self.session.question_number)
        if self._probed[1] and question != self._probed[0]:
            self.changed.append((request.key if request else "", self._probed[1]))
        self._probed = (None, "")
        if prompt.page or "anyway" in prompt.text or self._is_second_enter:
            return super().ask(prompt)
        if request is not None and question not in self._seen:
            self._seen.add(question)
            self._probed_keys[request.key] += 1
            if self._probed_keys[request.key] <= PROBED:
                self._probes = ["?", "*", "/status", "companion status", *_too_many_words(request)]
        if request is not None and self._probes:
            self._probed = (question, self._probes.pop(0))
            self.tried += 1
            return self._probed[1]
        return super().ask(prompt)


def _too_many_words(request: AnyRequest) -> list[str]:
    """An answer with a word behind it that means nothing, if the question does not take any text."""
    if isinstance(request, Roll):
        return [f"{' '.join(['1'] * request.count)} zzqx"]
    names = [choice.name for choice in request.legal_choices()[:1]] or ["1"]
    lines = [f"{names[0]} zzqx", f"{names[0]} 9(9)"]
    return [line for line in lines if not is_readable(request, line)]


def test_the_grammar_holds_at_every_question(starts: list[Start], archive: Archive) -> None:
    """A reserved key is never an answer, a look changes nothing, a line with a word too many is refused and nothing is kept."""
    for number, start in enumerate(starts[:2]):
        typist = _Grammarian(start(archive), number)
        _type_in(typist)
        assert typist.stuck == [], STUCK
        assert typist.changed == [], "questions, each with a line that must change nothing there and did"
        assert typist.tried >= 6


class _Reverser(Hand):
    """Goes one question back after every third answer; ``lost``: the questions from which that led further back."""

    def __init__(self, session: SessionController, seed: int) -> None:
        super().__init__(session, seed, 120)
        self.lost: list[str] = []
        self._answered: int | None = None  # answers before the step back; None if none was taken

    def ask(self, prompt: Prompt) -> str:
        request, history = self.session.pending, self.session.history
        if prompt.page or "anyway" in prompt.text or self._is_second_enter or request is None:
            self._answered = None if request is None else self._answered
            return super().ask(prompt)
        entry = history.in_force[-1]
        settings = {"roll": self.session.settings["dice"], "draw": self.session.settings["draws"]}
        answered = sum(reply.is_from_player or settings.get(reply.kind) == "physical" for reply in entry.replies)
        if self._answered is not None:
            if answered != max(self._answered - 1, 0):
                self.lost.append(request.key)
            self._answered = None
        elif answered and self.chance.random() < 0.3:
            self._answered = answered
            return "-"
        return super().ask(prompt)


def test_back_takes_back_exactly_one_question(starts: list[Start], archive: Archive) -> None:
    for number, start in enumerate(starts[:2]):
        reverser = _Reverser(start(archive), number)
        _type_in(reverser)
        assert reverser.lost == [], "questions from which `-` led back more than one question"


class _Undoer(Hand):
    """Types `.` now and then, then `/redo`; ``wrong``: the questions where that took back another action or lost something."""

    def __init__(self, session: SessionController, seed: int) -> None:
        super().__init__(session, seed, 120)
        self.wrong: list[str] = []
        self.undone = 0
        self._before: tuple[str, list[int], object] | None = None  # question, actions in force, and position before the undo
        self._is_taken_back = False

    def ask(self, prompt: Prompt) -> str:
        request, history = self.session.pending, self.session.history
        numbers = list(history.force)
        if prompt.page or "anyway" in prompt.text or self._is_second_enter:
            return super().ask(prompt)
        if self._before and not self._is_taken_back:
            if numbers != self._before[1][:-1]:
                self.wrong.append(f"{self._before[0]}: undo leads to {numbers}")
            self._is_taken_back = True
            return "/redo"
        if self._before:
            if (numbers, self.session.position) != self._before[1:]:
                self.wrong.append(f"{self._before[0]}: redo leads elsewhere")
            self._before, self._is_taken_back = None, False
        elif len(numbers) > 1 and self.chance.random() < 0.4:
            self.undone += 1
            self._before = (request.key if request else "action", numbers, self.session.position)
            return "."
        return super().ask(prompt)


def test_a_point_takes_back_the_last_action_and_redo_restores_it(starts: list[Start], archive: Archive) -> None:
    undone = 0
    for number, start in enumerate(starts[:4]):
        undoer = _Undoer(start(archive), number)
        _type_in(undoer)
        assert undoer.wrong == [], "questions or actions before which `.` and /redo led elsewhere"
        undone += undoer.undone
    assert undone or not starts


QUERIES = ("/show", "/status", "/log", "/why", "/odds", "/audit", "?", "/help", "/rule", "/show score", "/summary", "/map")
ROOM = 12  # Columns that a prompt leaves for what is typed


class _Looker(Hand):
    """Runs a query before each of the first answers, and collects every row that is wider than the screen."""

    def __init__(self, session: SessionController, seed: int, columns: int) -> None:
        super().__init__(session, seed, 12)
        self.columns = columns
        self.looks = list(QUERIES)
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
        Loop(looker.session, looker.ask, looker.tell, lambda looker=looker: (24, looker.columns)).play()  # type: ignore[misc]
        assert looker.too_long == [], f"rows wider than the {looker.columns} columns of the screen"


def test_each_prompt_says_who_decides_by_name(game: Game, starts: list[Start], archive: Archive) -> None:
    """In games with two seats the prompt begins with the player's name if names are set."""
    seats = game.players.seats
    if len(seats) < 2 or not starts:
        pytest.skip("the game has one seat")
    assert "players" in game.options
    for players in ("Ann, Bob", ""):
        begun = starts[0](archive).options
        options = {**{name: value for name, value in begun.items() if name in game.options}, "players": players}
        session = SessionController.create(archive, game.id, options=options, seed="3", think="0")
        prompts: list[tuple[str, str]] = []

        def ask(prompt: Prompt, session: SessionController = session, prompts: list[tuple[str, str]] = prompts) -> str:
            asked = session.pending
            prompts.append((prompt.text, (asked.seat or asked.asked_side).casefold() if asked else ""))
            if len(prompts) > 30:
                raise EOFError
            return "" if asked or session.game.table_action(session.position) else "next"

        Loop(session, ask, lambda lines: None).play(greet=False)
        for text, seat in prompts:
            named = "Ann" if text.startswith("Ann ") else "Bob" if text.startswith("Bob ") else ""
            assert named == (players and dict(zip(seats, ("Ann", "Bob"), strict=True)).get(seat, named))


def test_the_pieces_of_each_seat_are_known_as_its_own(game: Game, starts: list[Start], archive: Archive) -> None:
    sessions = [start(archive) for start in starts[:2]]
    pieces = [piece for session in sessions for piece in session.position.pieces.values()]
    if not pieces or len(game.players.seats) < 2:
        pytest.skip("the game has one seat or no pieces")
    assert set(game.players.seats) <= {game.side(piece) for piece in pieces}
