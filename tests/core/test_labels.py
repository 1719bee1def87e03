"""The label beside an item selects that item, whatever the items are called."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.dice import seeded_draw
from companion.core.errors import Ambiguous, Unreadable
from companion.core.notation import Notation
from companion.core.request import Request
from companion.core.requests import Choice, Choose, Draw, Pick, Text
from companion.core.text import no_match, normalised
from companion.views.lines import plain_text
from companion.views.question import choice_lines

WORD = st.sampled_from(
    ["1", "2", "3", "12", "3/5", "1/8", "1-2", "USMC", "a", "b", "Air", "Air Strike", "2 air", "x", "CEB", "n°4"]
)
NAME = st.lists(WORD, min_size=1, max_size=2).map(" ".join)
NAMES = st.lists(NAME, min_size=1, max_size=14, unique=True)


def choices(names: list[str]) -> list[Choice]:
    return [Choice(name, name) for name in names]


@settings(deadline=None)
@given(NAMES, st.data(), st.sampled_from([",", ", ", " , "]))
def test_any_labels_of_a_list_select_exactly_those_items(names: list[str], data: st.DataObject, between: str) -> None:
    request = Pick("k", "Which", "1.0", choices(names))
    beside = dict(zip(request.labels(), names, strict=True))
    typed = data.draw(st.lists(st.sampled_from(sorted(beside)), min_size=1, unique=True))

    assert request.read(between.join(typed)) == [beside[label] for label in typed]
    assert request.read(" ".join(typed)) == [beside[label] for label in typed]
    assert request.read("+".join(typed)) == [beside[label] for label in typed]


@settings(deadline=None)
@given(NAMES, st.lists(NAME, max_size=5, unique=True))
def test_a_label_alone_selects_its_item(names: list[str], others: list[str]) -> None:
    besides = [name for name in others if name not in names]
    choose = Choose("k", "Which", "1.0", choices(names), None, choices(besides))
    draw = Draw("k", "What", "1.0", "cup", dict.fromkeys(names, 1), besides)

    for request in (choose, draw):
        assert len(set(request.labels())) == len(names)
        assert [request.read(label) for label in request.labels()] == [choice.value for choice in request.legal_choices()]
        assert sorted(choice.value for choice in request.legal_choices()) == sorted(names)
        assert not set(request.labels()) & set(besides)


@settings(deadline=None)
@given(st.lists(st.sampled_from(["Air Strike", "Artillery", "NetWar"]), min_size=1, max_size=9), st.data())
def test_label_of_equal_items_takes_the_next_one(kinds: list[str], data: st.DataObject) -> None:
    things = [Choice(f"{kind} #{number}", kind) for number, kind in enumerate(kinds)]
    request = Pick("k", "Which", "1.0", things)
    label, row = data.draw(st.sampled_from(list(zip(request.labels(), request.legal_choices(), strict=True))))
    alike = [choice.value for choice in things if choice.label == row.label]

    assert request.read(", ".join([label] * len(alike))) == alike
    assert request.read(f"{len(alike)} {row.label}") == alike
    with pytest.raises(Unreadable, match="is named"):
        request.read(", ".join([label] * (len(alike) + 1)))


@settings(deadline=None)
@given(NAMES, NAME)
def test_typed_text_is_a_label_name_or_unique_prefix(names: list[str], typed: str) -> None:
    """Nothing that fits two things is taken silently, and nothing that fits none."""
    request = Choose("k", "Which", "1.0", choices(names))
    label = typed.casefold() in request.labels()
    exact = [name for name in names if name == typed]
    folded = [name for name in names if normalised(name) == normalised(typed)]
    try:
        found = request.read(typed)
    except Ambiguous as fault:
        assert not exact
        assert len(fault.matches) > 1
        assert list(fault.matches) == [name for name in names if name in fault.matches], "in the order of the list"
    except Unreadable:
        assert not folded
    else:
        assert label or [found] == exact or [found] == folded or normalised(typed).split()[0] in normalised(found)


@pytest.mark.parametrize(
    ("names", "shown"),
    [(["USMC 3/5", "USMC 1/8"], ["1  USMC 3/5", "2  USMC 1/8"]), (["4", "5"], ["4", "5"]), (["4", "M1A1"], ["4  4", "1  M1A1"])],
)
def test_hint_of_an_item_is_shown(names: list[str], shown: list[str]) -> None:
    request: Request[object] = Choose("k", "Which", "1.0", choices(names))  # type: ignore[assignment]

    assert [line.strip() for line in plain_text(choice_lines(request), 80).splitlines()] == shown


def test_labels_can_be_typed_on_the_number_pad() -> None:
    for names in (["4", "M1A1", "Squad 12"], ["USMC 3/5", "CEB"], ["Squad 4", "Squad 5"]):
        assert all(set(label) <= set("0123456789") for label in Choose("k", "Which", "1.0", choices(names)).labels())


def test_numbers_in_a_free_text_select_known_names() -> None:
    """As long as the list is on the screen. What the notation itself reads is no number of the list."""

    def read(text: str) -> str:
        if text.isdecimal() and text not in ("1", "3"):
            raise Unreadable("no space")
        return text

    place = Text("k", "Where", "1.0", Notation("a space", "3-8", read), choices(["3-8", "North Base"]))
    strength = Text("k", "Strength", "1.0", Notation("a strength", "3", str), choices(["3", "4"]))

    assert place.labels() == ("2", "4")
    with pytest.raises(Unreadable):  # the list was not shown
        place.read("4")
    place.is_list_hidden = False
    assert [place.read(text) for text in ("4", "2+4", "3-8", "1")] == ["North Base", "3-8, North Base", "3-8", "1"]
    assert place.list_numbers("2") == ["2"] and place.list_numbers("3-8") == place.list_numbers("1") == []
    strength.is_list_hidden = False
    assert strength.labels() == () and strength.read("2") == "2" and strength.list_numbers("3") == []


def test_four_is_squad_four_and_not_the_fourth() -> None:
    """Squads 1, 2, 3 and 5 are left in the container: nobody who types 4 means Squad 5, and 5 is Squad 5."""
    draw = Draw("k", "Which", "6.3", "container", {f"Squad {number}": 1 for number in (1, 2, 3, 5, 6)}, ["Squad 4"])

    assert draw.read("5") == "Squad 5"
    assert draw.read("4") == "Squad 4"
    assert Pick("k", "Which", "1.0", choices(["Squad 1", "Squad 5"])).read("1, 5") == ["Squad 1", "Squad 5"]
    with pytest.raises(Unreadable):
        Choose("k", "Which", "1.0", choices(["Squad 1", "Squad 5"])).read("2")


@pytest.mark.parametrize("typed", ["a, a", "alpha, Alpha", "1,1", "2 alpha"])
def test_item_named_twice_is_reported(typed: str) -> None:
    with pytest.raises(Unreadable, match="Alpha is named twice"):
        Pick("k", "Which", "1.0", choices(["Alpha", "Bravo"])).read(typed)


def test_empty_addition_leaves_no_brackets() -> None:
    request: Request[object] = Choose(
        "k", "Which", "1.0", [Choice("red", "Red", lambda: ""), Choice("blue", "Blue", lambda: "far")]
    )  # type: ignore[assignment]

    assert plain_text(choice_lines(request), 80).split() == ["1", "Red", "2", "Blue", "(far)"]


def test_draw_lists_its_contents_by_number() -> None:
    """Squad 2 before Squad 10; what a seed draws goes by the order of the counts all the same."""
    cup = {"Squad 1": 1, "Squad 10": 1, "Squad 2": 1}
    draw = Draw("k", "What", "1.0", "cup", cup)

    assert [choice.value for choice in draw.legal_choices()] == ["Squad 1", "Squad 2", "Squad 10"]
    assert [draw.seeded_reply("seed", index) for index in range(8)] == [seeded_draw(cup, "seed", index) for index in range(8)]


def test_a_number_is_not_taken_for_a_misspelt_name() -> None:
    error = no_match("12", "counter", ["Squad 1", "Squad 21"])

    assert error.cure == "You can name: Squad 1, Squad 21"
