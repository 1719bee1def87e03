"""The conversation at the table: draws and dice typed together, suggestions, examples, labels of figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from companion.cli.repl.loop import Loop
from companion.cli.repl.prompt import Prompt
from companion.core.errors import Unreadable
from companion.core.events import Said
from companion.core.requests import AnyRequest, Text
from companion.core.resolver import Answers
from companion.session.controller import SessionController
from companion.session.store import Archive
from companion.views.lines import Line, row_count
from tests.support.offers import asked

SET_UP = ("", "2/1/R, 1/2/R, 2/R/1, 1/R/2", "5 8 2 1", "G1/M1", "4 1 2 6")
"""The set-up of the corner up to the squads drawn; the numbers of the last line are those of squads."""


def typed_at(session: SessionController, key: str) -> list[object]:
    """The values in force of all answers to a question in the set-up."""
    return [reply.value for reply in session.history.in_force[0].replies if reply.key == key]


def corner(archive: Archive, dice: str = "physical", draws: str = "physical", seed: str = "corner") -> SessionController:
    """The corner of the practice map, before its first question."""
    return SessionController.create(archive, "phantomfury", "practice_small", {}, dice, draws, seed=seed)


class Typist:
    """Types lines at the prompts of a session.

    ``asked``: the key of each question; ``text``: all that was shown; ``keys``: keystrokes with Enter; ``rows``: most rows of the
    screen between two prompts.
    """

    def __init__(self, session: SessionController) -> None:
        self.session = session
        self.asked: list[str] = []
        self.shown: list[str] = []
        self.keys = self.rows = 0
        self._lines: list[str] = []
        self._rows = 0

    @property
    def text(self) -> str:
        return "\n".join(self.shown)

    def type(self, *lines: str) -> Typist:
        self._lines = list(lines)
        Loop(self.session, self._ask, self._tell, lambda: (24, 80)).play(greet=False)
        return self

    def _ask(self, prompt: Prompt) -> str:
        self.rows, self._rows = max(self.rows, self._rows + 1), 0
        if not self._lines:
            raise EOFError
        self.keys += len(self._lines[0]) + 1
        self.asked.append(self.session.pending.key if self.session.pending else "action")
        return self._lines.pop(0)

    def _tell(self, lines: Sequence[Line]) -> None:
        self.shown += [line.text for line in lines]
        self._rows += row_count(lines, 80)


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


def test_the_first_minutes_lead_to_an_assault_in_ten_prompts_and_thirty_keys(archive: Archive) -> None:
    """With Companion's dice: the set-up by Enter, a move, an Assault; between two prompts less than 20 rows of 80 columns."""
    session = corner(archive, "computer", "computer", "first minutes")
    typist = Typist(session).type("", "", "", "", "6", "2-2", "5", "6")

    assert "Assaults" in typist.text and ("HIT" in typist.text or "miss" in typist.text)
    assert len(typist.asked) + 1 <= 10  # with the menu of `companion practice phantomfury`, where Enter begins
    assert typist.keys + 1 <= 30
    assert typist.rows < 20


def test_one_enter_too_many_at_a_die_of_your_own_costs_nothing(archive: Archive) -> None:
    """[6.3] The first Enter only asks; what Companion drew by a second one is one question back, and the dice before it stay."""
    session = corner(archive)
    typist = Typist(session).type(*SET_UP[:4], "")
    assert session.pending is not None and session.pending.key == "squad"
    assert "Enter again: Companion draws" in typist.text and typed_at(session, "squad") == []

    Typist(session).type("", "", "-")
    assert typed_at(session, "squad") == [] and typed_at(session, "activate") == [[5], [8], [2], [1]]


@pytest.mark.parametrize(
    ("lines", "key"), [(("-",), "squad"), (("", "", "move", "4", "-"), "unit"), (("", "", "mi", "uav", "-"), "mission")]
)
def test_minus_is_one_question_back_at_lists_and_free_texts(archive: Archive, lines: tuple[str, ...], key: str) -> None:
    """[6.3, 9.3, 12.1.1] Where several are named in an order, and where a place or Zones are typed."""
    session = corner(archive)
    Typist(session).type(*SET_UP, *lines)
    assert session.pending is not None and session.pending.key == key


def test_a_late_die_does_not_end_the_turn(archive: Archive) -> None:
    """[14.0] The number of `end` asks for a second Enter."""
    session = corner(archive)
    typist = Typist(session).type(*SET_UP, "", "", "6")
    assert session.position.track("turn") == 1 and "6 is end, which ends a phase or turn" in typist.text


def test_examples_are_among_the_answers_listed_above_them(archive: Archive) -> None:
    """[9.3, 12.1.1] Of Zones and of places; a list of numbers has no other numbers beside it."""
    session = corner(archive)
    typist = Typist(session).type(*SET_UP, "", "", "move", "4", "-", "-", "mi", "uav")
    assert "Type it like this: 2-1" in typist.text and "Type it like this: 14" in typist.text
    assert session.pending is not None and session.pending.labels() == ()
    Typist(session).type("14")
    assert session.pending.key == "mission"


def test_each_figure_has_a_label(archive: Archive) -> None:
    """[5.2, 5.3.3, 6.1.3, 9.1] What a die brings, and what the numbers on a counter are."""
    session = corner(archive)
    typist = Typist(session).type(*SET_UP[:3])
    said = [event.text for event in session.events_of(1) if isinstance(event, Said)]
    assert any(text.startswith("G1/M1 is an Insurgents unit: CF 1 as Guerillas, 1 as Martyrs.") for text in said)
    assert "Activate the Suspect at 2-1 (then 2-2, 3-1, 3-2): 0-5 Dummy, 6-8 Guerillas, 9 Martyrs" in typist.text
    Typist(session).type("G1/M1", "2 1", SET_UP[-1], "", "", "mi")
    assert session.pending is not None
    assert [choice.hint_text for choice in session.pending.legal_choices()] == ["comes on 0-8, 4 left", "comes on 0-4, 1 left"]


def test_a_target_number_has_one_notation_before_and_after_the_roll(archive: Archive) -> None:
    """[13.4.2] The faces that hit; the sum and the CF stand in brackets behind them."""
    session = corner(archive)
    typist = Typist(session).type(*SET_UP, "", "", "move 4; 2-1", "assault 4", "n")
    assert session.pending is not None
    dice = "roll the squad (hits on 0-5), then the Guerillas (hit on 0-1 if eliminated, 0 if not)"
    assert session.pending.prompt == f"Bottom-Up Assault: {dice}"
    typist = Typist(session).type("2 8")
    assert "Squad: 2, hits on 0-5 (2+1 = 3, CF 6): HIT; Guerillas: 8, hit on 0-1: miss." in typist.text


def test_every_example_of_random_games_is_among_the_answers_offered() -> None:
    """[9.3, 12.1.1] A place or Zone in another notation can be typed as the example shows it, and is legal there."""
    seen = Counter[str]()

    def on_question(procedure: object, request: AnyRequest, replies: list[object], results: list[object]) -> None:
        if isinstance(request, Text) and (names := [choice.name for choice in request.legal_choices()]):
            assert request.example in names and request.read(request.example) is not None
            seen[request.key] += 1

    for seed in range(10):
        player = asked("phantomfury", seed)
        player.on_question = on_question  # type: ignore[method-assign]
        for _ in range(30):
            player.turn()
    assert {"to", "zones"} <= set(seen)


def test_the_example_for_a_suspect_of_your_own_is_a_free_location(archive: Archive) -> None:
    """[5.3.2.3]"""
    session = corner(archive)
    Typist(session).type(*SET_UP, "", "", "set-suspect")
    request = session.pending
    assert isinstance(request, Text)
    example = request.example
    Typist(session).type(example, "1/2/R")
    assert session.pending is None
    assert any(piece.kind == "suspect" for piece in session.position.at(example))


@pytest.mark.parametrize(("typed", "what"), [("end", "there is no place 'end' here"), ("9", "'9' is not a Location")])
def test_a_refused_place_is_answered_with_those_that_are_offered(archive: Archive, typed: str, what: str) -> None:
    """[12.1.1] Neither Locations that the Zone does not have, nor a street that is not on the map."""
    session = corner(archive)
    typist = Typist(session).type(*SET_UP, "", "", "move", "1", typed)
    assert f"{what}\nYou can name: 3-1, 3-2, 3-R, C+" in typist.text


def test_a_line_of_several_draws_is_taken_by_its_key_too(archive: Archive) -> None:
    """[5.3.2] As a browser and `companion answer` send it; with one that cannot be drawn nothing is kept."""
    session = corner(archive)
    session.answer(Answers([("strong_points", "2")]))
    with pytest.raises(Unreadable):
        session.answer(Answers([("suspect", "2/1/R, zzqx")]))
    session.answer(Answers([("suspect", "2/1/R, 1/2/R, 2/R/1, 1/R/2")]))
    assert session.pending is not None and session.pending.key == "activate"
    session.answer(Answers([("activate", "5 2 2 1")]))
    assert typed_at(session, "suspect") == ["2/1/R", "1/2/R", "2/R/1", "1/R/2"]
    assert typed_at(session, "activate") == [[5], [2], [2], [1]]
