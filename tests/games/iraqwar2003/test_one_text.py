"""One text of each rule: a cell that is changed in a copy of the charts changes play and odds alike."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest

from companion.session.files import tables_dir
from tests.games.iraqwar2003.field import asked, attack, operations, place, put, said, unit, war
from tests.games.iraqwar2003.test_odds import near, offered, section


@pytest.fixture
def change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    """Changes one line of a chart in a copy of all tables, which are then those of the test."""

    def edit(chart: str, old: str, new: str) -> None:
        copytree(tables_dir(), tmp_path / "tables")
        path = tmp_path / "tables" / "iraqwar2003" / "charts" / f"{chart}.toml"
        text = path.read_text()
        assert text.count(f"\n{old}\n") == 1
        path.write_text(text.replace(f"\n{old}\n", f"\n{new}\n"))
        monkeypatch.setenv("COMPANION_TABLES", str(tmp_path / "tables"))

    return edit


def test_13_4_1_a_retreat_that_is_none(change) -> None:  # type: ignore[no-untyped-def]
    """[13.4(1)] 6 against 2 in column 3-1: four of its results empty the hex, DR among them; without the retreat three do."""
    for share, asks in ((4 / 6, True), (3 / 6, False)):
        table = operations()
        attack(table, "1/3ID", "SF1", dice=[3])
        odds = offered(table, "combat")
        assert section(odds, "as it stands: outcome")["defender destroyed or retreats"] == near(share)
        table = operations()
        attack(table, "1/3ID", "SF1", dice=[4])
        assert ("retreat" in asked(table)) is asks
        if asks:
            change("results", "R = [0, true]", "R = [0, false]")


def test_13_4_7_a_loss_of_two(change) -> None:  # type: ignore[no-untyped-def]
    """[13.4(7)] A1 in column 1-1 removes RCT1, whose two steps it then costs, and the means of the odds say so."""
    # Clauses: [13.4(7): one]
    for steps, where in ((1, "map"), (2, "removed")):
        table = operations()
        attack(table, "RCT1", "SRG1", dice=[5])
        means = dict(offered(table, "combat").means)
        # column 1-1: A2R, A1R, A1, A1 D1, -, DR
        assert means["strength steps lost by the attacker (as it stands)"] == near((2 + 1 + steps + steps) / 6)
        table = operations()
        attack(table, "RCT1", "SRG1", dice=[3])
        assert place(table, "RCT1") == where
        if steps == 1:
            change("results", "1 = [1, false]", "1 = [2, false]")


def test_7_2_2_more_anti_air_fire(change) -> None:  # type: ignore[no-untyped-def]
    """[7.2(2)] Fire of 2 at a Su-20 that bombs Americans; of 4 in the copy: a 3 then hits, and the odds of the group fall."""
    western = '"Iraqi bombers and ground support, by the American or British units there"'
    for fire in (2, 4):
        table = operations()
        table.do("end")
        # the Su-20 bombs with 2
        table.do(
            "bomb",
            "target=1/3ID",
            "where=open",
            "group=Su-20",
            "target=done",
            "intercept=none",
            dice=[3, 6] if fire == 2 else [3, 5],
        )
        assert section(offered(table, "group"), "Hits")["Su-25"] == near((1 - fire / 6) / 6)
        assert said(table, "3, hits on 1-2. MISS") is (fire == 2)
        if fire == 2:
            change("anti_air", f"western = [2, {western}]", f"western = [4, {western}]")


def test_12_2_2_a_broader_river(change) -> None:  # type: ignore[no-untyped-def]
    """[12.2(2)] The look-up and the move pay what the chart says."""
    for cost in ("2", "4"):
        table = operations()
        table.do("cost", "move=8", "fly=no", "way=river")
        assert said(table, f"The way costs {cost} MP")
        table.do("move", "units=1/3ID", "way=river", accept=True)
        assert said(table, f"1/3ID: {cost} of 8 MP")
        if cost == "2":
            change("movement", 'river = ["+1", "a minor river, not along a road"]', 'river = ["+3", "a minor river"]')


def test_15_2_dearer_losses(change) -> None:  # type: ignore[no-untyped-def]
    """[15.2] What is said when a unit is reduced is what the count takes off."""
    for points in (-2, -3):
        table = operations()
        attack(table, "RCT1", "SRG1", dice=[3])
        assert unit(table, "RCT1").face == "reduced"
        assert said(table, f"RCT1 is REDUCED: {points} VP.")
        score = table.game.score(table.position, table.options)
        assert next(gained for label, gained, _ in score.items if "reduced" in label) == points
        if points == -2:
            what = '"each American or British ground unit that stands reduced"'
            change("victory", f"reduced = [-2, {what}]", f"reduced = [-3, {what}]")


def test_16_6_3_worse_visibility(change) -> None:  # type: ignore[no-untyped-def]
    """[16.6(3)] A 3 lets air units fly; in the copy it grounds them."""
    for grounded in (False, True):
        table = war(sand_storms="on", seed="weather")
        put(table, flag_storm=True)
        table.do("bomb", "target=done", dice=[3])
        assert said(table, "stay on the ground") is grounded
        if not grounded:
            change("die", '3 = ["-", "clear", "fly"]', '3 = ["-", "clear", "grounded"]')
