"""companion log: a part of it, as plots, and as it goes on."""

from __future__ import annotations

import json

import pytest

from companion.cli.commands.lookup import follow_log
from companion.session.inquiry import SessionViewer
from companion.session.state import SessionState
from companion.session.store import Archive
from tests.cli.conftest import Run


def test_a_part_of_it(begun: Run) -> None:
    begun("do", "rest")
    begun("do", "march", "red", "ford", "--dice", "2")
    begun("note", "the bridge")

    def found(*words: str) -> list[int]:
        return [entry["entry"] for entry in json.loads(begun("log", *words, "--json").stdout)["entries"]]

    assert found("--since", "2") == [2, 3] and found("--grep", "Ford") == [3] and found("--since", "1h", "--grep", "rest") == [2]
    assert found("--since", "2", "--last", "1") == [3]
    assert "march - March" in begun("log", "--grep", "bridge").stdout and "Set-up" not in begun("log", "--grep", "bridge").stdout
    assert "'soon' names neither a time nor an action" in begun("log", "--since", "soon", code=2).stderr


def test_as_plots(begun: Run) -> None:
    assert "Nothing has changed yet" in begun("log", "--plot").stdout
    begun("do", "rest")
    begun("do", "rest")
    (supply, *_) = json.loads(begun("log", "--plot", "--json").stdout)["plots"]

    assert (supply["title"], supply["low"], supply["high"]) == ("Supply", -3, 20)
    assert [value for _, value in supply["series"][0]["points"]] == [8, 9, 10]
    rows = begun("log", "--plot").stdout.splitlines()
    assert rows[0] == "Supply" and rows[1] == "20 |" and rows[8].startswith("-3 |") and max(map(len, rows)) <= 80


def test_it_goes_on_with_what_others_do(begun: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """Each action is told once; Ctrl-C is the end, and no fault."""
    with Archive.open_existing() as archive:
        session = SessionState.open(archive)
        assert session.history.entries
        todo = [("do", "rest"), ("note", "dull"), ("undo",), ()]

        def pause() -> None:
            words = todo.pop(0)
            if not words:
                raise KeyboardInterrupt
            begun(*words)

        onlooker = SessionViewer("", "monday")
        follow_log(onlooker, session, "", pause)
        onlooker.close()
    rows = capsys.readouterr().out.splitlines()

    assert [row.strip() for row in rows if "rest -" in row or "note:" in row or "~" in row] == [
        "2  rest - Rest [1.1]", "note: dull", "~  undone: 2",
    ]  # fmt: skip


def test_what_goes_on_is_no_document(begun: Run) -> None:
    told = begun("log", "--follow", "--json", code=2)

    assert "--since ACTION --json" in told.stderr
