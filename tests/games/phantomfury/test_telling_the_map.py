"""Telling the map: the form of one Zone, a file of many, and what cannot be on one map."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.core.errors import Illegal
from tests.games.phantomfury.board import Practice
from tests.support.commands import companion
from tests.support.table import Table


class Blank(Table):
    """A table without a session, as the form may be filled in before any game."""

    def set_up(self) -> None:
        """Nothing is set up."""


def test_4_1_the_form_fills_one_zone_and_remembers_it_with_its_streets() -> None:
    """[4.1, 4.2.1, 4.3] One Zone, then the Street Section that it names first; the second time everything is suggested."""
    table = Blank("phantomfury", "jolan")
    table.do("zone", "zone=3", "locations=C-1-2-R", "door=C", "roof=R", "streets=b", "egress=14 15", "section=3 14", accept=True)

    assert table.facts["zone:3"] == "C-1-2-R; door C; roof R; adjacent 2 4; near 14 15 16; streets b; egress 14 15"
    assert table.facts["section:b"] == "3 14"
    table.do("zone", "zone=3", accept=True)
    assert table.facts["zone:3"].endswith("egress 14 15")
    assert "section" not in table.asked_for("text")


def test_4_1_1_the_form_refuses_what_contradicts_another_zone() -> None:
    """[4.1.1] Adjacent works both ways; insisted on, it is recorded with a warning."""
    table = Blank("phantomfury", "jolan", {"zone:15": "C-1; door C; adjacent 14"})
    answers = ("zone=16", "locations=C-1", "adjacent=15", "near=none")
    with pytest.raises(Illegal, match="names 15 as Adjacent, but 15 does not name 16"):
        table.do("zone", *answers, accept=True)

    table.do("zone", *answers, accept=True, anyway=True)
    assert table.facts["zone:16"].startswith("C-1; adjacent 15")
    assert any(line.startswith("Recorded anyway") for line in table.said)


def test_4_1_a_zone_can_be_left_to_counts() -> None:
    """[4.1] ``counts`` says that the owner wants to be asked."""
    table = Blank("phantomfury", "jolan")
    table.do("zone", "zone=40", "locations=counts")

    assert table.facts == {"zone:40": "counts"}


FILE = """game = "phantomfury"
[facts]
"zone:2" = "C-1-2-R 2-2'; door C; roof R; adjacent 3; near 14 15; egress 14"
"zone:3" = "C-1-2-R; door C; roof R; adjacent {adjacent}; near 14 15 16; egress 14"
"""


def test_4_1_a_file_is_checked_both_ways_and_against_the_rulebook(tmp_path: Path) -> None:
    """[4.1.1] All contradictions at once, nothing taken over; --anyway takes it over; an export is a form of all 61."""
    path = tmp_path / "zones.toml"
    path.write_text(FILE.format(adjacent="4"))
    refused = companion("printed", "phantomfury", "import", str(path))
    assert refused.code == 4
    assert "Zone 2 names 3 as Adjacent, but 3 does not name 2 [4.1.1]" in refused.err
    assert "Zone 3, adjacent: the rulebook's examples say 2 4" in refused.err
    assert "zone:2" not in companion("printed", "phantomfury", "--json").json["facts"]

    path.write_text(FILE.format(adjacent="2 4"))
    assert companion("printed", "phantomfury", "import", str(path)).code == 0
    form = companion("printed", "phantomfury", "export").out
    assert form.count('# "zone:') == 59 and form.count('\n"zone:') == 2

    path.write_text(FILE.format(adjacent="4"))
    assert companion("printed", "phantomfury", "import", str(path), "--anyway").code == 0
    assert "adjacent 4" in companion("printed", "phantomfury", "--json").json["facts"]["zone:3"]


# -- Zones that are not tracked ----------------------------------------------------------------------------------------


def test_11_4_1_1_counts_are_asked_around_an_untracked_zone() -> None:
    """[11.4.1.1] A squad in an untracked Zone: the player says how many enemies are around it."""
    field = Practice(turn=3)
    field.flag(**{"zone:14": "counts"})
    field.squad(4, "14-1", cf=6)
    field.do("mission", "mission=uav", "zones=22,32", "units=2", "suspects=1", dice=[9, 6, 3])

    assert field.asked_for("number") == ["units", "suspects"]
    assert field.named("Squad 4").mark("pinned")


def test_12_7_1_an_untracked_zone_is_entered_by_what_the_player_says() -> None:
    """[12.5.2, 12.7] The street's counts, then the defenders, each with its die."""
    field = Practice(turn=3)
    field.flag(**{"zone:14": "counts"})
    field.ours("3")
    field.squad(4, "3-C", cf=6)
    field.do("move", "unit=4", "to=14-C", "crosses=yes", "units=1", "suspects=2", "defenders=g2,s", dice=[5, 7, 2, 6])

    assert field.named("Squad 4").place == "14-C"
    assert field.named("Squad 4").mark("pinned")


def test_13_4_an_untracked_zone_is_assaulted_by_what_the_player_says() -> None:
    """[13.4, 13.4.8] From the roof against 2, then Flooding as long as the player names another enemy."""
    field = Practice(turn=3)
    field.flag(**{"zone:14": "counts"})
    field.squad(1, "14-R", cf=6)
    field.do("assault", "squad=1", "against=2:g2", "against=1:g1", "against=none", dice=[5, 8, 3, 9])

    assert field.named("Squad 1").place == "14-1"
    field.do("end", "clear=yes", accept=True)
    assert field.controlled("14")


def test_13_4_7_2_in_an_untracked_zone_a_squad_advances_or_stays_as_in_any_other() -> None:
    """[13.4.7.2, 13.4.8] One text: held, it stays where it is; Flooding stops with a Location that is still held."""
    field = Practice(turn=3)
    field.flag(**{"zone:14": "counts"})
    field.squad(1, "14-R", cf=6)
    field.do("assault", "squad=1", "against=2:g2", "against=1:m4", dice=[5, 8, 9, 9])

    assert field.says("Squad 1 (CF 6, 14-R) Assaults g2 at 14-2: Top-Down")
    assert field.says("Flooding: m4 at 14-1")
    assert field.says("Squad 1 stays at 14-2")
    assert field.named("Squad 1").place == "14-2"


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
