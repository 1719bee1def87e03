"""A look at the map: as text, as a picture and as data, from the shell and at the table."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET

import pytest

from companion.cli.shell.completion import complete
from companion.cli.shell.completion_values import lookup
from companion.core.game import Game
from companion.core.map import Map, Space
from companion.views.lines import row_count
from companion.views.map_text import map_lines
from tests.cli.conftest import Run
from tests.support import tiny


def test_without_a_session_nothing_stands_on_the_map(run: Run) -> None:
    run("map", "tiny", "tell", "camp marsh; paths ford steep")

    assert run("map", "tiny").stdout.splitlines() == [
        "The Ford   m marsh   . unknown   - steep",
        "camp m ------------------ ford .",
        "Nothing known of: hill-1, hill-2",
        "The session in use is not of tiny: no pieces shown",
    ]
    assert json.loads(run("map", "tiny", "--format", "json").stdout)["session"] is None


def test_with_a_session_it_shows_who_stands_there(begun: Run) -> None:
    assert begun("map", "tiny").stdout.splitlines()[1:3] == ["camp .", " U3"]
    assert begun("map", "tiny", "cam").stdout.splitlines()[3:5] == ["camp: nothing is known of it", "  Ours  Red, 2 x Blue"]


def test_as_data_and_as_a_picture(begun: Run) -> None:
    begun("map", "tiny", "tell", "camp marsh; paths ford steep")
    data = json.loads(begun("map", "tiny", "camp", "--json").stdout)

    assert list(data)[2:] == ["game", "session", "title", "shape", "place", "sides", "signs", "notes", "spaces"]
    assert (data["session"], data["place"]) == ("monday", "camp")
    assert [space["space"] for space in data["spaces"]] == ["camp", "ford"]
    assert data["spaces"][0]["stacks"] == [{"side": "ours", "letter": "U", "names": ["Red", "Blue", "Blue"]}]
    assert data["spaces"][0]["neighbours"] == [{"space": "ford", "how": "steep", "source": "told"}]
    assert ET.fromstring(begun("map", "tiny", "--format", "svg").stdout).tag.endswith("svg")


@pytest.mark.parametrize(("words", "said"), [(("moon",), "no space 'moon'"), (("--format", "png"), "no form 'png'")])
def test_what_the_map_does_not_have_is_a_message(begun: Run, words: tuple[str, ...], said: str) -> None:
    result = begun("map", "tiny", *words, code=2)

    assert said in result.stderr
    assert "You can name:" in result.stderr


def test_a_space_of_the_map_of_which_nothing_is_known_yet(begun: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game can name it, the map does not show it: what tells it is the cure."""
    from tests.support.tiny_map import TinyMap

    monkeypatch.setattr(TinyMap, "build", lambda *_: Map("The Ford", "areas", (Space("camp"),)))

    assert "nothing is known of hill-1. Enter it like this: companion map tiny tell" in " ".join(
        begun("map", "tiny", "hill-1", code=2).stderr.replace("\n", ".").split()
    )


def test_a_game_without_a_map_says_so(begun: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiny.Tiny, "make_map", Game.make_map)

    assert "The Ford has no map" in begun("map", "tiny", code=2).stderr


def test_completion_offers_spaces_and_forms(only_tiny: str) -> None:
    def offered(*words: str) -> list[str]:
        return [line.partition("\t")[0] for line in complete(["fish", *words], lookup)]

    assert offered("map", "tiny", "h") == ["hill-1", "hill-2"]
    assert offered("map", "tiny", "--format", "") == ["text", "svg", "json"]
    assert offered("report", "--format", "") == ["md", "html", "bbcode", "json"]


def test_a_map_takes_no_more_than_the_screen() -> None:
    map = Map("A Plain", "grid", (Space(f"{x}-{y}", cell=(x, y)) for x in range(20) for y in range(20)))

    for rows in range(14, 60):
        assert row_count(map_lines(map, "3-3", 80, rows), 80) <= rows
