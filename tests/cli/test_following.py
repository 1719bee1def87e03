"""The prompt beside other screens: what another process does is shown, and no line goes to a question it was not typed for."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.cli.repl.loop import Loop
from companion.cli.repl.prompt import Interrupted
from companion.session.controller import Answers, SessionController
from companion.session.store import Archive
from tests.cli.test_loop import CTRL_C, Typist


class Screens:
    """A session on two screens: a prompt that is typed at, and another process."""

    def __init__(self, path: str, **how: str) -> None:
        with Archive.open(path) as archive:
            SessionController.create(archive, "tiny", "day", seed="7", **how)  # type: ignore[arg-type]
        self.path = path
        self.typist = Typist([])

    def play(self, *lines: str | Callable[[], object]) -> str:
        """Type lines at the prompt, and return what it shows."""
        with Archive.open(self.path) as archive:
            self.typist = Typist(lines)
            session = SessionController.open(archive)
            Loop(session, self.typist.ask, self.typist.tell).play()
            return self.typist.text

    def other(self, call: Callable[[SessionController], object], typed: str | None = None) -> Callable[[], None]:
        """A change by another process, while the prompt waits with some text; None: just before a line is entered."""

        def change() -> None:
            with Archive.open(self.path) as archive:
                call(SessionController.open(archive))
            if typed is not None:
                raise Interrupted(typed)

        return change

    def history(self) -> list[str]:
        with Archive.open(self.path) as archive:
            return [entry.action for entry in SessionController.open(archive).history.in_force]


@pytest.fixture
def screens(tiny_game: str, tmp_path_factory: pytest.TempPathFactory) -> Screens:
    return Screens(str(tmp_path_factory.mktemp("screens") / "a.db"))


def march(session: SessionController) -> object:
    return session.do("march", Answers(plain=["red"]))


def to_ford(session: SessionController) -> object:
    return session.answer(Answers(plain=["ford"]))


def rest(session: SessionController) -> object:
    return session.do("rest")


def test_an_action_elsewhere_is_shown_and_half_a_word_is_not_sent(screens: Screens) -> None:
    text = screens.play(screens.other(march, "fi"), "ford")

    assert "Elsewhere - march - " in text and "Elsewhere - unit: Red" in text
    assert "? Where to" in text
    assert "Not sent - fi: the session has moved on: it was played elsewhere" in text
    assert screens.typist.asked[1].typed == ""
    assert screens.history() == ["setup", "march"]


@pytest.mark.parametrize("typed", [None, "for"])
def test_an_answer_elsewhere_refuses_the_one_typed_here(screens: Screens, typed: str | None) -> None:
    """With what the other answered, and what moves on the table; the line here answers nothing."""
    text = screens.play("fight blue", screens.other(lambda session: session.answer(Answers(plain=["no"])), typed), "yes")

    assert "Elsewhere - Another round: no" in text
    reason = "its question was answered elsewhere first" if typed is None else "for: its question was answered elsewhere first"
    assert f"Not sent - {'yes: ' if typed is None else ''}{reason}" in text
    assert screens.history() == ["setup", "fight"]


def test_what_moves_on_the_table_is_shown_as_after_an_answer_of_ones_own(screens: Screens) -> None:
    own = Screens(screens.path + "2", dice="physical")
    shown = own.play("march red", "ford", "3")
    elsewhere = screens.play("march red", screens.other(lambda session: session.answer(Answers(plain=["ford"])), ""))

    assert "Red: Camp -> Ford" in shown
    assert "Red: Camp -> Ford" in elsewhere.partition("Elsewhere - ")[2]


def test_a_bare_enter_is_no_answer_to_a_question_that_came_meanwhile(screens: Screens) -> None:
    text = screens.play("fight blue", screens.other(lambda session: session.answer(Answers(plain=["yes"]))), "")

    assert "Not sent - Enter: its question was answered elsewhere first" in text


@pytest.mark.parametrize("line", ["/undo", ".", "-", "/abort", "undo"])
def test_what_is_taken_back_is_never_what_another_did_unseen(screens: Screens, line: str) -> None:
    text = screens.play("rest", screens.other(rest), line)

    assert f"Not sent - {line}: the session has moved on" in text
    assert screens.history() == ["setup", "rest", "rest"]


@pytest.mark.parametrize("line", ["/status", "/note late", "/log", "/adjust supply 3 because seen"])
def test_a_command_that_means_the_same_is_run_behind_the_news(screens: Screens, line: str) -> None:
    text = screens.play("rest", screens.other(rest), line)

    assert "Elsewhere - rest" in text and "Not sent" not in text


def test_a_note_and_a_setting_keep_the_line(screens: Screens) -> None:
    """The line that was entered at the same moment is sent, and the one that was begun goes on at the next prompt."""
    text = screens.play(
        "march red",
        screens.other(lambda session: session.note("well done"), "fo"),
        screens.other(lambda session: session.setting(dice="physical")),
        "ford",
        "3",
    )

    assert text.count("Elsewhere - note: well done") == 1 and "Elsewhere - dice: physical" in text
    assert [prompt.typed for prompt in screens.typist.asked] == ["", "", "fo", "fo", "", ""]
    assert "Not sent" not in text
    assert screens.history() == ["setup", "march"]


def test_an_adjustment_at_the_same_question_keeps_the_line_for_another_enter(screens: Screens) -> None:
    def adjust(session: SessionController) -> object:
        return session.adjust([("supply", "3")], "seen")

    text = screens.play("march red", screens.other(adjust), "ford", "/quit")

    assert "Supply 7 -> 3" in text or "Supply 8 -> 3" in text
    assert "ford" in [prompt.typed for prompt in screens.typist.asked]
    assert "Elsewhere - Adjust" in text and "Not sent" not in text


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda session: session.undo(), "Elsewhere - undone: action 2 rest"),
        (lambda session: (session.undo(), session.do("rest")), "Elsewhere - undone: action 2 rest"),
        (lambda session: session.adjust([("supply", "3")], "seen"), "Elsewhere - Adjust"),
    ],
)
def test_corrections_elsewhere_bring_the_list_for_the_table(
    screens: Screens, change: Callable[[SessionController], object], told: str
) -> None:
    text = screens.play("rest", screens.other(change, "re"))

    assert told in text
    assert "Not sent - re" in text
    assert "Done: " not in text.partition(told)[2]


def test_an_abort_elsewhere_closes_the_question(screens: Screens) -> None:
    text = screens.play("march red", screens.other(lambda session: session.abort(), "ford"), "rest")

    assert "Elsewhere - aborted: action 2 march" in text
    assert "Not sent - ford: its question was taken back elsewhere" in text
    assert screens.history() == ["setup", "rest"]


def test_an_amended_answer_elsewhere_is_shown(screens: Screens) -> None:
    text = screens.play("march red; ford", screens.other(lambda session: session.amend(2, 2, "hill-1"), ""))

    assert "Elsewhere - amended: action 2 march" in text
    assert "Move Red from Ford to " in text or "Red: Ford -> " in text


def test_answers_to_later_questions_are_not_kept_across_a_change(screens: Screens) -> None:
    screens = Screens(screens.path + "2", dice="physical")
    text = screens.play("march red; ford; --dice 3", screens.other(lambda session: session.undo(), "x"))

    assert "Not sent - x" in text or screens.history() == ["setup"]


def test_take_it_back_at_ctrl_c_is_not_done_to_what_another_did(screens: Screens) -> None:
    def play_on(session: SessionController) -> None:
        to_ford(session)
        march(session)

    text = screens.play("march red", CTRL_C, screens.other(play_on), "t")

    assert "Not sent - /abort" in text
    assert screens.history() == ["setup", "march", "march"]


def test_another_session_in_use_is_told(screens: Screens) -> None:
    def begin(session: SessionController) -> None:
        SessionController.create(session.archive, "tiny", "day", name="tuesday")

    text = screens.play(screens.other(begin, "re"), "rest")

    assert "Elsewhere - tuesday is the session in use now; here you play tiny-1" in text
    assert screens.typist.asked[1].typed == "re"


def test_many_answers_elsewhere_take_a_few_lines(screens: Screens) -> None:
    def many(session: SessionController) -> None:
        for _ in range(30):
            session.do("rest")

    text = screens.play(screens.other(many, ""))

    assert text.count("Elsewhere - ") == 9
    assert "Elsewhere - 22 more answers and actions: companion log" in text or "22 more" in text


def test_the_change_is_read_between_two_commands_in_one_line(screens: Screens, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change between the parts of a line, when the prompt cannot look: the rest of the line is not done."""
    act, done = Loop._act, list[str]()

    def then_another(loop: Loop, text: str, entered: object) -> None:
        act(loop, text, entered)
        done.append(text)
        if len(done) == 1:
            screens.other(rest)()

    monkeypatch.setattr(Loop, "_act", then_another)
    text = screens.play("rest & march red; ford & rest")

    assert "Not sent - march red; ford" in text and "Not done: rest" in text
    assert screens.history() == ["setup", "rest", "rest"]


def test_the_log_is_whole_after_all_of_it(screens: Screens) -> None:
    screens.play("fight blue", screens.other(lambda session: session.answer(Answers(plain=["no"]))), "no", "rest")
    with Archive.open(screens.path) as archive:
        assert archive.wrong_summaries() == []
