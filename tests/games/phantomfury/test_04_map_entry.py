"""Telling the map: the form of one Zone, a file of many, and what cannot be on one map."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.core.errors import Illegal, Unreadable
from companion.games.phantomfury.notation import read_zone
from tests.games.phantomfury.board import ZONES, Board, Practice
from tests.support.commands import companion
from tests.support.table import Table


class Blank(Table):
    """A table without a session, as the form may be filled in before any game."""

    def set_up(self) -> None:
        """Nothing is set up."""


class Accepted(Table):
    """A table set up with every suggestion."""

    def set_up(self) -> None:
        self.play(self.game.setup, accept=True)


def test_4_1_the_form_fills_one_zone_and_remembers_it_with_its_streets() -> None:
    """[4.1, 4.2.1, 4.3] One Zone, then the Street Section that it names first; the second time everything is suggested."""
    table = Blank("phantomfury", "jolan")
    table.do(
        "zone", "zone=3", "locations=C-1-2-R", "door=C", "roof=R", "streets=b", "egress=14 15", "section=3 14 15", accept=True
    )

    assert table.facts["zone:3"] == "C-1-2-R; door C; roof R; adjacent 2 4; streets b; egress 14 15"
    assert table.facts["section:b"] == "3 14 15"
    table.do("zone", "zone=3", accept=True)
    assert table.facts["zone:3"].endswith("egress 14 15")
    assert "section" not in table.asked_for("text")


def test_4_1_1_the_form_refuses_what_contradicts_another_zone() -> None:
    """[4.1.1] Adjacent works both ways; insisted on, it is recorded with a warning."""
    table = Blank("phantomfury", "jolan", {"zone:15": "C-1; door C; adjacent 14"})
    answers = ("zone=16", "locations=C-1", "adjacent=15")
    with pytest.raises(Illegal, match="names 15 as Adjacent, but 15 does not name 16"):
        table.do("zone", *answers, accept=True)
    assert table.asked_for()[-1] == "adjacent", "there, and not at the last question, where nothing could put it right"

    table.do("zone", *answers, accept=True, anyway=True)
    assert table.facts["zone:16"].startswith("C-1; adjacent 15")
    assert any(line.startswith("Recorded anyway") for line in table.said)


def test_4_1_7_a_street_section_that_contradicts_the_map_is_not_suggested() -> None:
    """[4.1.7] [4.3.1.1] The Zones that name it are suggested, unless an Egress Route of one of them leads to a Zone that would
    then lie nowhere near.
    """
    for egress, suggested in (("13", "1 13"), ("14", None)):
        table = Blank("phantomfury", "jolan", {"zone:13": "C-1; door C; streets a2"})
        table.do("zone", "zone=1", "locations=C-1", "streets=a2", f"egress={egress}", "section=1 13 14", accept=True)

        assert next(request for request in table.asked if request.key == "section").suggest == suggested
        assert table.facts["section:a2"] == "1 13 14"


def test_6_2_no_question_for_a_tenth_black_circle() -> None:
    """[6.2] Nine Zones have one, and neither the Mosque nor the Zone that is closed: yes would be refused."""
    nine = {f"zone:{number}": "C-1; door C; black" for number in range(1, 10)}
    table = Blank("phantomfury", "jolan", nine)
    table.do("zone", "zone=31", "locations=C-1", accept=True)
    assert "black" not in table.asked_for()
    table.facts["zone:9"] = "C-1; door C"
    table.do("zone", "zone=31", "locations=C-1", "black=yes", accept=True)
    assert table.facts["zone:31"] == "C-1; black"


def test_4_1_a_field_of_the_form_that_names_the_zone_itself_is_refused_there() -> None:
    """Not at the last question, where no answer could put it right."""
    table = Blank("phantomfury", "jolan")
    with pytest.raises(Unreadable, match="Zone 5 cannot name itself: fire"):
        table.do("zone", "zone=5", "locations=C-1", "fire=5", accept=True)
    assert table.asked_for()[-1] == "fire"


FILE = """game = "phantomfury"
[facts]
"zone:2" = "C-1-2-R 2-2'; door C; roof R; adjacent 3; streets b; egress 14"
"zone:3" = "C-1-2-R; door C; roof R; adjacent {adjacent}; streets b c; egress 14"
"section:b" = "{b}"
"section:c" = "3 4 16"
"""


def test_4_1_a_file_is_checked_both_ways_and_against_the_rulebook(tmp_path: Path) -> None:
    """[4.1.1] All contradictions at once, nothing taken over; --anyway takes it over; an export is a form of all 61."""
    path = tmp_path / "zones.toml"
    path.write_text(FILE.format(adjacent="4", b="2 3 14"))
    refused = companion("printed", "phantomfury", "import", str(path))
    assert refused.code == 4
    assert "Zone 2 names 3 as Adjacent, but 3 does not name 2 [4.1.1]" in refused.err
    assert "Zone 3, adjacent: the rulebook's examples say 2 4" in refused.err
    assert "Zone 2, near: the rulebook's examples say 14 15" in refused.err
    assert "zone:2" not in companion("printed", "phantomfury", "--json").json["facts"]

    path.write_text(FILE.format(adjacent="2 4", b="2 3 14 15"))
    assert companion("printed", "phantomfury", "import", str(path)).code == 0
    form = companion("printed", "phantomfury", "export").out
    assert form.count('# "zone:') == 59 and form.count('\n"zone:') == 2

    path.write_text(FILE.format(adjacent="4", b="2 3 14 15"))
    assert companion("printed", "phantomfury", "import", str(path), "--anyway").code == 0
    assert "adjacent 4" in companion("printed", "phantomfury", "--json").json["facts"]["zone:3"]


# -- obsolete notations ------------------------------------------------------------------------------------------------


def test_4_1_a_zone_entered_in_an_old_way_is_asked_for_when_it_comes_up() -> None:
    """[4.1, 5.3.2.1] In a session of before: the reason and the cure are said, the Zone is asked, and its Suspects are placed."""
    board = Board({"zone:14": "counts"}, seed="told")
    board.facts["zone:14"] = "counts"
    board.do("mission", "mission=uav", "zones=14,15", f"zone:14={ZONES['14']}", dice=[3], accept=True)

    assert board.says("Zone 14 was entered as 'counts'")
    assert board.says("companion adjust new:suspect 14-1")
    assert board.asked_for("draw").count("suspect") == 4
    assert read_zone(str(board.position.flag("zone:14"))) == read_zone(ZONES["14"])
    assert board.facts["zone:14"] == board.position.flag("zone:14")


def test_4_1_facts_entered_in_an_old_way_are_named_at_the_set_up() -> None:
    """[4.1, 4.1.2] A new session leaves them out and says so; the form and a single Zone refuse them."""
    facts = {f"zone:{number}": "C-1-2-R; door C; egress exit; black" for number in range(1, 10)}
    table = Accepted("phantomfury", "jolan", {**facts, "zone:40": "counts"}, seed="old")

    assert "zone:40" not in table.position.flags
    assert "Zone 40 was entered as 'counts'" in " ".join(table.said)


def test_4_1_4_the_zones_at_a_glance_move_nothing() -> None:
    """[4.1.4] Control, nature, markers and who is where, one line a Zone."""
    field = Practice(turn=3)
    field.strong("15")
    field.enemy("15-R", "G2/M2")
    field.squad(4, "15-C", cf=6, pinned=True)
    field.marker("Fanaticism", "15")
    before = field.position
    field.do("look")

    assert "Zone 15, Fortified, insurgents, Fanaticism: Guerillas CF 2 at R; Squad 4 (CF 6) Pinned at C [4.1.4]" in field.said
    assert field.position == before
