"""Bad input as a player types it: what is wrong, by which rule, and the effect of ``--anyway``."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from companion.core.errors import CompanionError, Illegal
from companion.games.phantomfury.notation import read_zone
from tests.games.phantomfury.board import Practice
from tests.support.commands import companion

SCRIPTS = Path(__file__).parent / "scripts"


def scene() -> Practice:
    """Squads 8 (Zone 2, Pinned), 4 (Zone 3, Fired), 1 (Zone 4, ready) and 6 (Zone 14, of the insurgents, with a CAAT)."""
    table = Practice()
    table.ours("2", "3", "4")
    table.zone("13", "14", "15", "16", "25")
    table.squad(8, "2-C", cf=5, pinned=True)
    table.squad(4, "3-C", cf=6, fired=True)
    table.squad(1, "4-C", cf=6)
    table.squad(6, "14-1", cf=4, caat=True)
    table.change(table.named("M1A1 1").id, place="street b")
    table.enemy("14-2")
    table.enemy("13-1")
    table.enemy("25-1")
    return table


BAD = [
    ("mission", ["mission=uav", "zones=50,51"], "no Zone 50", "4.1"),
    ("mission", ["mission=uav", "zones=62"], "no Zone '62'", "4.1"),
    ("mission", ["mission=uav", "zones=13,27"], "neither side Controls Zone 27", "4.1.4"),
    ("mission", ["mission=artillery"], "artillery", ""),
    ("reinforce", ["units=99"], "99", ""),
    ("fire", ["unit=8"], "Pinned", "11.5"),
    ("fire", ["unit=4"], "Fired", "11.3"),
    ("fire", ["unit=6"], "not under USMC Control", "11.1"),
    ("fire", ["unit=1", "target=13-1"], "neither Adjacent nor Neighbouring", "11.1"),
    ("fire", ["unit=1", "target=16-2"], "16-2", ""),
    ("move", ["unit=8"], "Pinned", "11.5"),
    ("move", ["unit=4"], "Fired", "11.3"),
    ("move", ["unit=1", "to=4-2'"], "has no Location 2'", "4.2.1"),
    ("move", ["unit=1", "to=4-OG"], "has no Location OG", "4.2.1"),
    ("move", ["unit=1", "to=99-C"], "no Zone", "4.1"),
    ("move", ["unit=1", "to=4-attic"], "attic", "4.2.1"),
    ("move", ["unit=1", "to=16-1+"], "detached in C or R", "12.3.2.1"),
    ("move", ["unit=6", "to=14-2"], "occupied", "12.3.1"),
    ("assault", ["squad=8"], "Pinned", "11.5"),
    ("assault", ["squad=4"], "Fired", "11.3"),
    ("assault", ["squad=6", "target=14-C"], "empty", "13.0"),
    ("assault", ["squad=1"], "no enemy is Adjacent", "4.2.2"),
    ("mission", ["mission=fa18", "zones=14"], "is in Zone 14", "9.3"),
]


@pytest.mark.parametrize(("action", "answers", "message", "rule"), BAD, ids=[f"{one[0]} {' '.join(one[1])}" for one in BAD])
def test_refusals_cite_their_rule(action: str, answers: list[str], message: str, rule: str) -> None:
    """[4.1, 4.2.1, 9.3, 11.1, 11.3, 11.5, 12.3.1, 12.3.2.1, 13.0] Nothing is kept of an action that is refused."""
    table = scene()
    before = table.position
    with pytest.raises(CompanionError) as caught:
        table.do(action, *answers, dice=[0])

    assert message in str(caught.value)
    assert rule in ("", caught.value.rule)
    assert table.position == before


def test_an_m1a1_in_a_location() -> None:
    """[12.6.2] Streets and Open Ground only; --anyway does not make a tank climb stairs."""
    table = scene()
    for anyway in (False, True):
        with pytest.raises(CompanionError) as caught:
            table.do("move", "unit=m1", "to=14-1", dice=[0], anyway=anyway)
        assert caught.value.rule == "12.6.2"


def test_a_mission_used_up_and_insisted_on() -> None:
    """[9.2] Refused; recorded with a warning where the table says otherwise."""
    table = scene()
    table.set(uav=4)
    with pytest.raises(Illegal) as caught:
        table.do("mission", "mission=uav", "zones=32,41", dice=[9, 0])
    assert caught.value.rule == "9.2"
    table.do("mission", "mission=uav", "zones=32,41", dice=[9, 0], anyway=True)

    assert any("Recorded anyway" in line for line in table.said)


def test_the_board_is_the_truth() -> None:
    """[11.1, 11.5] A Pinned squad that moved all the same, and a shot out of a Zone of the insurgents."""
    table = scene()
    table.do("fire", "unit=6", "target=25-1", dice=[9], accept=True, anyway=True)

    assert any("Recorded anyway" in line for line in table.said)
    table.do("move", "unit=8", "to=2-1", anyway=True)

    assert table.named("Squad 8").place == "2-1"


# -- facts -------------------------------------------------------------------------------------------------------------


def test_contradictory_facts_are_not_imported(tmp_path: Path) -> None:
    """[4.1, 4.1.1, 4.1.2, 4.4] All contradictions are listed, each with its rule; --anyway takes them over."""
    assert companion("printed", "phantomfury", "import", str(SCRIPTS / "practice_map.toml")).code == 0
    bad = tmp_path / "bad.toml"
    bad.write_text('game = "phantomfury"\n[facts]\n"zone:13" = "C-1; door C; adjacent 14; streets a; egress 41"\n')
    refused = companion("printed", "phantomfury", "import", str(bad))

    assert refused.code == 4
    said = " ".join(refused.err.split())
    assert "Zone 13 names 14 as Adjacent, but 14 does not name 13 [4.1.1]" in said
    assert "Section d lies at Zone 13, but Zone 13 does not list it among its streets [4.3.1.1]" in said
    assert "Zone 13 has an Egress Route to 41" in said
    assert companion("printed", "phantomfury", "import", str(bad), "--anyway").code == 0


def test_the_form_of_all_61_zones(tmp_path: Path) -> None:
    """[4.1] The export has the entered Zones and a line to fill in for each other one, and can be imported."""
    companion("printed", "phantomfury", "import", str(SCRIPTS / "practice_map.toml"))
    out = tmp_path / "form.toml"
    assert companion("printed", "phantomfury", "export", str(out)).code == 0
    text = out.read_text()

    assert all(f'"zone:{number}" = ' in text for number in range(1, 62))
    facts = tomllib.loads(text)["facts"]
    assert read_zone(facts["zone:26"]) == read_zone("OG-C-1-2 1-1'; door C; streets g; egress exit")
    assert companion("printed", "phantomfury", "import", str(out)).code == 0


def test_a_zone_entered_in_passing_must_fit_the_others() -> None:
    """[4.1.1] A correction that contradicts a neighbouring Zone is refused by its rule, or recorded anyway."""
    companion("printed", "phantomfury", "set", "zone:2", "C-1-2-2'-R; adjacent 3; streets b; egress 14")
    refusal = companion("printed", "phantomfury", "set", "zone:62", "C-1")

    assert refusal.code != 0
    assert companion("printed", "phantomfury", "set", "zone:3", "C-5").code == 2
