"""A list at a question for one thing, where the same is asked again."""

from __future__ import annotations

from companion.cli.repl.prompt import split_answers
from companion.core.requests import Choice, Choose


def guns(again: bool = True) -> Choose:
    request = Choose("combat", "From where at what?", "7.3", [Choice(f"e2 > {to}", f"e2 > {to}") for to in ("d2", "e1", "f2")])
    request.is_repeatable = again
    return request


def test_labels_are_those_of_the_list_that_was_shown() -> None:
    """The next question counts its choices anew; what was meant by 3 is meant all the same."""
    assert guns().read_sequence("1; 3") == guns().read_sequence("e2 > d2; e2 > f2") == ["e2 > d2", "e2 > f2"]
    first, following = split_answers(guns(), "3; 1")
    assert first == "e2 > f2"
    assert following.keyed == [("combat", "e2 > d2")]


def test_what_is_no_list_of_them_is_none() -> None:
    assert (
        guns().read_sequence("1")
        == guns().read_sequence("1; 9")
        == guns().read_sequence("1; 1")
        == guns(again=False).read_sequence("1; 3")
        == []
    )
