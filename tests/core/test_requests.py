"""How answers are read."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.errors import Unreadable
from companion.core.notation import Notation, free_text
from companion.core.policies import random_reply
from companion.core.request import Request
from companion.core.requests import Allot, Choice, Choose, Confirm, Draw, Number, Pick, Printed, Roll, Text


@pytest.mark.parametrize(("text", "read"), [("1", "1"), ("12", "12"), ("Squad 4", "4"), ("4", "4"), ("3", "3")])
def test_excluded_choice_is_not_read_as_a_list_number(text: str, read: str) -> None:
    """Units 12 and 4 can act, 1 and 3 cannot: 1 is neither the beginning of 12 nor the first of the list."""
    request = Choose(
        "unit",
        "Who",
        "1.0",
        [Choice("12", "Squad 12"), Choice("4", "Squad 4")],
        None,
        [Choice("1", "Squad 1"), Choice("3", "Squad 3")],
    )

    assert request.read(text) == read
    with pytest.raises(Unreadable, match="no answer '2'"):
        request.read("2")


def test_bounds_of_a_pick_count_what_is_offered() -> None:
    """P19: `high` was that of the rule, so that a program picked more than there was."""
    choices = [Choice("a", "A"), Choice("b", "B"), Choice("b2", "B")]
    data = Pick("unit", "Which", "1", choices, low=0, high=12).describe()

    assert (data["low"], data["high"], len(data["choices"])) == (0, 3, 3)


def test_excluded_choices_are_computed_only_when_named() -> None:
    looked: list[str] = []

    def others() -> list[Choice]:
        looked.append("others")
        return [Choice("12", "Squad 12")]

    request = Choose("unit", "Which unit", "12.1", [Choice("1", "Squad 1")], "1", others)
    assert [choice.value for choice in request.legal_choices()] == ["1"] and random_reply(
        request, lambda below: 0
    ) == request.check("1") == "1"
    assert not looked
    assert request.read("12") == request.check("12") == "12" and looked


def test_choices_of_a_text_are_computed_only_when_read() -> None:
    looked: list[str] = []

    def known() -> list[Choice]:
        looked.append("known")
        return [Choice("1M", "1M"), Choice("2D", "2D")]

    request = Text("unit", "Which unit", "12.1", Notation("unit", "1M", lambda text: text), known)
    assert request.check("2D") == "2D" and not looked
    assert [choice.value for choice in request.legal_choices()] == ["1M", "2D"] == [choice.name for choice in request.known]
    assert looked == ["known"]


def test_number_names_a_piece_named_by_a_number() -> None:
    """Of units 12 and 4, 2 is neither; what has no number in its name gets the first that is free."""
    numbered = Pick("units", "Which", "1.0", [Choice("12", "Squad 12"), Choice("4", "Squad 4"), Choice("m1", "Tank")])

    assert numbered.read("4, m1, 12") == ["4", "m1", "12"]
    assert numbered.labels() == ("12", "4", "1") and numbered.read("1") == ["m1"]
    with pytest.raises(Unreadable, match="no such thing '2'"):
        numbered.read("2")
    assert Pick("things", "Which", "1.0", [Choice("red", "red"), Choice("blue", "blue")]).read("2") == ["blue"]


def test_unlisted_items_can_be_named() -> None:
    """The procedure says why not; a name that is in neither list is a slip of the pen."""
    besides = [Choice("Charlie", "Charlie")]
    force = Pick("force", "Which", "8.3", [Choice("Alpha", "Alpha"), Choice("Bravo", "Bravo")], 1, others=besides)

    assert force.read("charlie") == ["Charlie"]
    assert force.read("1, ch") == ["Alpha", "Charlie"]
    assert [choice.value for choice in force.legal_choices()] == ["Alpha", "Bravo"]
    assert force.read("all") == ["Alpha", "Bravo"]
    with pytest.raises(Unreadable):
        force.read("delta")


def test_names_can_be_separated_by_spaces() -> None:
    """Each takes as many words as fit; a word that fits nothing is no name, and with commas a blank separates nothing."""
    force = Pick("k", "Which", "1", [Choice(name, name) for name in ("USMC 3/1", "USMC CEB", "A Tank", "C Tank")])

    assert force.read("3/1 ceb") == ["USMC 3/1", "USMC CEB"]
    assert force.read("c tank 3/1 a tank") == ["C Tank", "USMC 3/1", "A Tank"]
    for text in ("3/1 2-9", "3/1 tank", "3/1 ceb, a tank"):
        with pytest.raises(Unreadable):
            force.read(text)


def test_all_and_none_are_offered_if_legal() -> None:
    """Not all where the things cannot go together or are too many, not none where some are needed."""
    things = [Choice("Alpha", "Alpha"), Choice("Bravo", "Bravo")]

    assert Pick("k", "Which", "1", things).expects().endswith(". Or: all, none")
    assert Pick("k", "Which", "1", things, 1).expects() == "Names or numbers, commas between. Or: all"
    assert (
        Pick("k", "Which", "1", [*things, Choice("b2", "Bravo")], 1).expects().startswith("Names or numbers, commas between (2 x")
    )
    assert Pick("k", "Which", "1", things, 0, 1).expects() == "Type one of them, or none"
    assert Pick("k", "Which", "1", things, 1, 1).expects() == "Type one of them"
    assert "type" not in Pick("k", "Which", "1", things, 1, whole=False).expects()


def test_forced_answer_is_not_asked_and_can_be_contradicted() -> None:
    """The board is the truth: who says otherwise is believed."""
    held = Number("held", "Spaces held", "6.1", 0, 20)
    assert held.forced_reply() is None
    held.implied_reply = 3

    assert held.forced_reply() == 3
    assert held.read("4") == 4


def test_messages_name_pieces() -> None:
    """Nobody types its id."""
    choose = Choose("node", "Which", "33.0", [Choice("c2#7", "C2"), Choice("cache#9", "Arms Cache")])

    with pytest.raises(Unreadable) as fault:
        choose.read("zzz")
    assert "C2" in str(fault.value) and "#" not in str(fault.value) + choose.expects()


def test_hits_are_distributed_in_one_answer() -> None:
    """Commas or blanks between, a number of times, labels, names of two words; each as often as it can take one; a name alone."""
    rows = [(Choice("2/A", "2/A", "unhit"), 4), (Choice("1/A", "1/A"), 1), (Choice("HQ 7", "HQ 7"), 2)]
    hits = Allot("hit", "Who", "8.1", lambda: rows, 3, lambda: ["HQ 7", "2/A", "HQ 7"], [Choice("co/A", "co/A")])

    for text in ("2/A 2/A 1/A", "2/a, 2/a, 1/a", "2 x 2/A, 1/A", "1 1 2", "1, 2/A, 2", "1+1+2"):
        assert hits.result(hits.read(text)) == ("2/A", "2/A", "1/A")
    assert hits.result(hits.read("HQ 7")) == hits.result(hits.check("HQ 7")) == ("HQ 7",)
    assert hits.result(hits.read("hq, co/A")) == ("HQ 7", "co/A")
    assert hits.result(hits.check(hits.suggest)) == ("HQ 7", "2/A", "HQ 7")
    assert [(row.label, row.hint) for row in hits.legal_choices()] == [("2/A", "unhit"), ("1/A", ""), ("HQ 7", "2 there")]
    for wrong, why in (
        ("1/A 1/A", "twice"),
        ("3 x HQ 7", "more often"),
        ("4 x 2/A", "more often"),
        ("2/A 9/A", "no such thing '2/A 9/A'"),
    ):
        with pytest.raises(Unreadable, match=why):
            hits.read(wrong)


def test_piece_that_takes_two_hits_is_named_twice() -> None:
    """As the question says, ``2 x NAME``: also where the name is in no other, and the list tells more than the name."""
    rows = [(Choice("S1", "S1 4(3), then 3(2)"), 2), (Choice("2Tk", "2Tk 5(2), then 3(2)"), 2)]
    hits = Allot("hit", "Who", "16.3", lambda: rows, 2, lambda: ["S1", "S1"])

    for text in ("2 x S1", "S1, S1", "2x s1", "2 x 1"):
        assert hits.result(hits.read(text)) == ("S1", "S1")
    with pytest.raises(Unreadable, match="more often than the 2 there"):
        hits.read("3 x S1")


ASKED: list[tuple[Request[Any], Any, str]] = [
    (Choose("base", "Where", "1", [Choice("north base", "North Base"), Choice("c2#7", "C2")]), "c2#7", "C2"),
    (
        Choose("group", "Meets", "1", [Choice("1 MiG", "MiG meets B-52 (95, 1 CAP)"), Choice("none", "nobody")]),
        "1 MiG",
        "MiG meets B-52 (95, 1 CAP)",
    ),
    (Confirm("netwar", "Commit?", "1"), True, "yes"),
    (Number("held", "How many", "1", 0, 20), 3, "3"),
    (
        Pick("strikes", "Which", "1", [Choice(f"air#{one}", "Air Strike (3)") for one in "123"]),
        ["air#1", "air#2"],
        "2 x Air Strike (3)",
    ),
    (Pick("strikes", "Which", "1", [Choice("a", "A"), Choice("b", "B, the other")]), ["b", "a"], "b, a"),
    (Pick("strikes", "Which", "1", [Choice("a", "A")]), [], "none"),
    (Text("to", "Where", "1", free_text("spaces", "3-8 3-9")), "3-8 3-9", "3-8 3-9"),
]


@pytest.mark.parametrize(("request_", "reply", "text"), ASKED)
def test_displayed_reply_can_be_typed(request_: Request[Any], reply: Any, text: str) -> None:
    """By what the question shows, where that is read as the same; else by name."""
    assert request_.to_input(reply) == text
    assert request_.display(request_.read(text)) == request_.display(reply)


def test_a_random_reply_is_found_by_the_base_class_of_a_request() -> None:
    class Target(Choose):
        """A plug-in's own kind of choice."""

    assert random_reply(Target("target", "Which", "1", [Choice("a", "A")]), lambda _: 0) == "a"
    with pytest.raises(TypeError, match="Request"):
        random_reply(Request("what", "What", "1"), lambda _: 0)


def test_a_text_is_read_without_control_characters() -> None:
    """As a screen and a bundle have it: a name of the player's own is the same wherever it comes back from."""
    own = Notation("place", "b3", lambda text: text)
    for request in (Text("at", "Where?", "1", own), Printed("place:1", "Which?", "1", own)):
        assert request.read("\x1b[2Jx\n") == request.check("\x1b[2Jx\n") == "[2Jx"


@pytest.mark.parametrize(
    ("text", "rolls"),
    [("5 8 2", ["5", "8", "2"]), ("582", ["5", "8", "2"]), ("5,8", ["5", "8"]), ("5", []), ("5 8 2 1", []), ("5 x", [])],
)
def test_dice_of_several_rolls_can_be_typed_together(text: str, rolls: list[str]) -> None:
    """As many as the question announces, each a roll of its own."""
    roll = Roll("k", "Die", "1.0", sides=10, lowest=0)
    assert roll.read_sequence(text) == []
    roll.remaining = 3
    assert roll.read_sequence(text) == rolls
    assert "or all 3, such as" in roll.expects()


def test_rolls_of_two_dice_are_cut_in_pairs() -> None:
    roll = Roll("k", "Dice", "1.0", 2)
    roll.remaining = 2
    assert roll.read_sequence("35 26".replace(" ", "")) == ["3 5", "2 6"] and roll.read_sequence("352") == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Red, Blue", ["Red", "Blue"]),
        ("1+2", ["Blue", "Red"]),
        ("2 1", ["Red", "Blue"]),
        ("red; red", ["Red", "Red"]),
        ("red blue red", []),
        ("red, grey", []),
        ("red", []),
    ],
)
def test_counters_of_several_draws_can_be_typed_together(text: str, names: list[str]) -> None:
    """By name or by number in the list; what is not in the cup any more is refused at its own draw."""
    draw = Draw("k", "Counter", "1.0", "cup", {"Red": 2, "Blue": 1})
    draw.remaining = 2
    assert draw.read_sequence(text) == names
    assert draw.expects().endswith("or all 2 with commas between")
