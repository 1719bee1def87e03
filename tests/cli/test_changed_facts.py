"""A running session follows what is told anew of the components, as an entry that undo takes back."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.session.controller import SessionController
from companion.session.store import Archive
from tests.support.commands import companion


def ground() -> object:
    with Archive.open() as archive:
        return SessionController.open(archive).position.flag("space:3-8")


@pytest.fixture(autouse=True)
def begun() -> None:
    assert companion("printed", "fallujah2004", "import", "practice").code == 0
    assert companion("new", "fallujah2004", "--seed", "1").code == 0


def test_a_line_of_the_map_reaches_the_session_and_undo_takes_it_back() -> None:
    before = ground()
    done = companion("map", "fallujah2004", "tell", "3-8 open msr")

    assert done.code == 0, done.err
    assert "Session fallujah2004-1 is updated" in done.out and "its Node" in done.out
    assert ground() == "open msr" != before
    companion("undo")
    assert ground() == before


def test_so_does_a_printed_fact_and_a_file(tmp_path: Path) -> None:
    companion("printed", "fallujah2004", "set", "space:3-8", "open")
    assert ground() == "open"
    path = tmp_path / "map.csv"
    path.write_text("space,ground\n3-8,urban msr\n")
    assert "is updated" in companion("map", "fallujah2004", "import", str(path)).out
    assert ground() == "urban msr"


def test_what_the_session_has_never_heard_of_is_looked_up_when_it_is_needed() -> None:
    assert "is updated" not in companion("printed", "fallujah2004", "set", "nodes:c2", "4").out


def test_a_session_of_another_game_is_let_be() -> None:
    companion("new", "lzalbany", "--option", "map=practice", "--seed", "1")
    assert "is updated" not in companion("map", "fallujah2004", "tell", "3-8 open").out


def test_what_is_told_once_more_reaches_a_session_that_goes_by_another_value() -> None:
    companion("map", "fallujah2004", "tell", "3-8 open msr")
    companion("undo")
    again = companion("map", "fallujah2004", "tell", "3-8 open msr")
    assert "Nothing new" in again.out and "is updated" in again.out
    assert ground() == "open msr"


def test_the_session_that_is_named_follows() -> None:
    companion("new", "fallujah2004", "--seed", "2", "--name", "other")
    done = companion("map", "fallujah2004", "tell", "3-8 open msr", "--session", "fallujah2004-1")
    assert "Session fallujah2004-1 is updated" in done.out, done.err
    assert ground() != "open msr"
