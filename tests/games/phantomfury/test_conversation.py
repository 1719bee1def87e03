"""The conversation at the table: draws and dice typed together, suggestions, examples, labels of figures."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from companion.cli.repl.loop import Loop
from companion.cli.repl.prompt import Prompt
from companion.core.resolver import Answers
from companion.session.controller import SessionController
from companion.session.store import Archive
from companion.views.lines import Line

SET_UP = ("", "2/1/R, 1/2/R, 2/R/1, 1/R/2", "5 8 2 1", "G1/M1", "4 1 2 6")
"""The set-up of the corner up to the squads drawn; the numbers of the last line are those of squads."""


def typed_at(session: SessionController, key: str) -> list[object]:
    """The values in force of all answers to a question in the set-up."""
    return [reply.value for reply in session.history.in_force[0].replies if reply.key == key]


def corner(archive: Archive, dice: str = "physical", draws: str = "physical", seed: str = "corner") -> SessionController:
    """The corner of the practice map, before its first question."""
    return SessionController.create(archive, "phantomfury", "practice_small", {}, dice, draws, seed=seed)


class Typist:
    """Types lines at the prompts of a session; ``asked``: the key of each question, ``text``: all that was shown."""

    def __init__(self, session: SessionController) -> None:
        self.session = session
        self.asked: list[str] = []
        self.shown: list[str] = []
        self._lines: list[str] = []

    @property
    def text(self) -> str:
        return "\n".join(self.shown)

    def type(self, *lines: str) -> Typist:
        self._lines = list(lines)
        Loop(self.session, self._ask, self._tell, lambda: (24, 80)).play(greet=False)
        return self

    def _ask(self, prompt: Prompt) -> str:
        if not self._lines:
            raise EOFError
        self.asked.append(self.session.pending.key if self.session.pending else "action")
        return self._lines.pop(0)

    def _tell(self, lines: Sequence[Line]) -> None:
        self.shown += [line.text for line in lines]


def test_draws_and_dice_of_a_kind_are_typed_in_one_line(archive: Archive) -> None:
    """[6.1 - 6.3] The set-up of the corner takes seven prompts, and each answer is in the log under its own question."""
    session = corner(archive)
    typist = Typist(session).type(*SET_UP, "", "")

    assert session.pending is None and len(typist.asked) == 7
    assert typed_at(session, "suspect") == ["2/1/R", "1/2/R", "2/R/1", "1/R/2"]
    assert typed_at(session, "activate") == [[5], [8], [2], [1]]
    assert typed_at(session, "squad") == ["Squad 4", "Squad 1", "Squad 2", "Squad 6"]
    assert "in this order: 2/1/R, 1/2/R, 2/R/1, 1/R/2" in typist.text


def test_the_same_answers_one_by_one_lead_to_the_same_position(archive: Archive) -> None:
    """[6.1 - 6.3] Ids of questions and order of rolls do not depend on how many are typed together."""
    one_line, one_by_one = corner(archive), corner(archive)
    Typist(one_line).type(*SET_UP, "", "")
    single = ["", "2/1/R", "1/2/R", "2/R/1", "1/R/2", "5", "8", "G1/M1", "2", "1", "4", "1", "2", "6", "", ""]
    Typist(one_by_one).type(*single)

    assert one_line.position == one_by_one.position
    keys = [[reply.key for reply in session.history.in_force[0].replies] for session in (one_line, one_by_one)]
    assert keys[0] == keys[1]


@pytest.mark.parametrize("line", ["1/2/R, zzqx", "2/1/R 9(9)", ", ".join(["2/1/R"] * 5), "1/2/R, "])
def test_a_line_of_draws_with_a_wrong_name_or_too_many_is_refused(archive: Archive, line: str) -> None:
    session = corner(archive)
    Typist(session).type("", line)
    assert typed_at(session, "suspect") == []


def test_behind_a_refused_draw_nothing_is_kept_unseen(archive: Archive) -> None:
    """[6.3] A squad cannot be drawn twice: those before it are kept, those behind it are named and dropped."""
    session = corner(archive)
    typist = Typist(session).type(*SET_UP[:-1], "4 4 2 6")

    assert "The answers before it are kept, those behind it are not: Squad 2, Squad 6" in typist.text
    Typist(session).type("1")
    assert typed_at(session, "squad") == ["Squad 4", "Squad 1"]


def test_back_takes_back_one_of_the_dice_typed_together(archive: Archive) -> None:
    """[5.3.3] And the dice behind it are not used for it."""
    session = corner(archive)
    Typist(session).type(*SET_UP[:3], "-")
    assert session.pending is not None and session.pending.key == "activate"
    Typist(session).type("7")
    assert typed_at(session, "activate") == [[5], [7]]


def test_each_of_several_draws_says_which_it_is(archive: Archive) -> None:
    """[5.3.2] First and second Suspect of a Zone, and what comes behind."""
    session, prompts = corner(archive), []
    session.answer(Answers([("strong_points", "2")]))
    while session.pending is not None and session.pending.key == "suspect":
        prompts.append(session.pending.prompt)
        session.answer(Answers([("suspect", "")]))

    assert prompts == [
        "Suspect marker 1 of 2 for Zone 2 (then Zone 2, 3, 3)",
        "Suspect marker 2 of 2 for Zone 2 (then Zone 3, 3)",
        "Suspect marker 1 of 2 for Zone 3 (then Zone 3)",
        "Suspect marker 2 of 2 for Zone 3",
    ]


@pytest.mark.parametrize(
    ("typed", "cure"),
    [
        ("move 4 2-1", "One answer at a time; several like this: move 4; 2-1"),
        ("mi uav 14,15", "One answer at a time; several like this: mission uav; 14,15"),
        ("move 3 14", "You can name: 1, 4"),
    ],
)
def test_the_cure_of_a_line_without_semicolons_can_be_typed(archive: Archive, typed: str, cure: str) -> None:
    """[12.1.1] Only if each part answers its question."""
    session = corner(archive)
    typist = Typist(session).type(*SET_UP, "", "", typed)
    assert cure in typist.text
    assert session.pending is None
    if "like this" in cure:
        Typist(session).type(cure.partition("this: ")[2])
        assert len(session.history.in_force) == 2
