"""Odds and advice are answered by the same engine as actions: what is told in passing, and when it is remembered."""

from __future__ import annotations

import pytest

from companion.session.store import Archive
from tests.cli.conftest import Run
from tests.support.commands import companion


def told() -> dict[str, str]:
    with Archive.open() as archive:
        return dict(archive.printed("tiny"))


def test_a_known_fact_can_be_told_anew(run: Run) -> None:
    """As in an action: the answer by its key comes before what is remembered."""
    run("odds", "tiny", "attack", "strength:Red=2")
    assert told() == {"strength:Red": "2"}
    assert "2 hits" in run("odds", "tiny", "attack").stdout
    assert "3 hits" in run("odds", "tiny", "attack", "strength:Red=3").stdout
    assert told() == {"strength:Red": "3"}


def test_nothing_is_remembered_of_what_fails(run: Run) -> None:
    """A word that nobody asked for keeps the fact that was told beside it from being stored."""
    failed = run("odds", "tiny", "attack", "strength:Red=2", "bogus=1", code=2)
    assert "not asked for: bogus=1" in failed.stderr and "Asked: strength:Red" in failed.stderr
    assert told() == {}


def test_a_fact_in_a_notation_that_has_changed_is_asked_again(run: Run) -> None:
    """What was remembered and no longer reads is a question, and can be cured in passing."""
    with Archive.open() as archive:
        archive.record_facts("tiny", {"strength:Red": "enormous"})
    assert "strength:Red" in run("odds", "tiny", "attack", code=3).stdout
    assert "1 hits" in run("odds", "tiny", "attack", "strength:Red=1").stdout
    assert told() == {"strength:Red": "1"}


@pytest.mark.parametrize("name", ["advise", "hint"])
def test_the_adviser_is_found_by_the_names_that_players_try(name: str) -> None:
    companion("new", "fallujahcards", "--seed", "1")
    assert companion(name).out == companion("bot").out != ""
