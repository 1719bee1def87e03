"""Each rule has one text: whatever a chart is changed to, the table and the odds follow it alike."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from companion.games.fallujah2004.rules import r14_reaction
from companion.games.fallujah2004.rules.r14_reaction import Step
from tests.games.fallujah2004.field import HARMLESS, Field
from tests.games.fallujah2004.test_odds import row
from tests.games.fallujah2004.test_odds_j3 import field_with
from tests.support.checkout import ROOT

CLOSE = pytest.approx
Changed = Callable[..., Field]


@pytest.fixture
def changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Changed:
    """A field over tables in which some lines of one chart read otherwise."""

    def change(chart: str, *lines: tuple[str, str]) -> Field:
        shutil.copytree(ROOT / "tables" / "fallujah2004", tmp_path / "fallujah2004")
        path = tmp_path / "fallujah2004" / "charts" / f"{chart}.toml"
        text = path.read_text(encoding="utf-8")
        for old, new in lines:
            assert text.count(old) == 1
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")
        monkeypatch.setenv("COMPANION_TABLES", str(tmp_path))
        return Field()

    return change


def test_12_1_isr(changed: Changed) -> None:
    """[12.1] A 2 that reveals, in J-2 and in its odds."""
    field = changed("netwar", ('"2" = ["-", 0]', '"2" = ["reveal", 0]'))
    field.put("available", "NetWar")
    field.do("j2", "nodes=3-8", dice=[2], draws=["C2"])

    assert field.says("2, the Node is revealed", "12.1")
    assert row(field.odds("isr", "markers=2"), "revealed") == CLOSE(1 - (1 / 6) ** 2)


def test_19_0_infowar(changed: Changed) -> None:
    """[19.0] A 1 that brings nine OPs, in J-5 and in its odds."""
    field = changed("netwar", ('"1" = ["-", -1]', '"1" = ["-", 9]'))
    field.put("available", "NetWar")
    before = field.ops
    field.do("j5", "markers=1", dice=[1])

    assert field.ops == before - 1 + 9
    assert row(field.odds("infowar", "markers=1"), "+9") == CLOSE(1 / 6)


def test_16_1_the_edge_on_equal_totals(changed: Changed) -> None:
    """[16.1(2), 16.5] Ties in Urban that are the Coalition's, in a battle and in the odds of the Edge."""
    field = changed("terrain", ('urban = [1, true, false, "opfor"]', 'urban = [1, true, false, "coalition"]'))
    field.battle("2-9", "3/1", [HARMLESS], "move_on=no", dice=[1, 4, 1, 3, 3])

    assert field.says("a tie in urban. Coalition fires first", "16.1(2)")
    assert row(field.odds("edge", "coalition=2", "opfor=2", "terrain=urban"), "Coalition") == CLOSE(21 / 36)


def test_16_5_conditions_that_double_hits(changed: Changed) -> None:
    """[16.5] Hits doubled in Urban: one takes two units on the table; and on paper the battle of one against two is won with
    the first hit of the side that hits first.
    """
    field = changed("terrain", ('urban = [1, true, false, "opfor"]', 'urban = [2, true, false, "opfor"]'))
    field.battle("2-9", "3/1", [HARMLESS, "Militia 1(1)"], "move_on=no", dice=[6, 1, 1, 3, 3])
    assert field.kia == 2

    odds = field.odds("battle", "contact=9", "firepower=3", "opfor=6(0),6(0)", "terrain=urban")
    assert row(odds, "Coalition wins") == CLOSE(1 / 2)


def test_14_5_the_strength_of_a_mob(changed: Changed) -> None:
    """[14.5] A mob whose 6 is a strength of 6, on the table and on paper."""
    field = changed("mob_attack", ('"6" = [0]', '"6" = [6]'))
    field.battle("2-9", "3/1", ["Mob Attack"], "move_on=no", dice=[6, 6, 6, 1, 3, 3])
    assert field.says("6: it hits on", "14.5")

    odds = field.odds("battle", "contact=0", "firepower=3", "opfor=mob", "terrain=urban")
    e, p, q = 15 / 36, 0.5, sum(strength / 6 for strength in range(1, 7)) / 6
    won, lost = e * p + (1 - e) * (1 - q) * p, e * q * (1 - p) + (1 - e) * q
    assert row(odds, "Coalition wins") == CLOSE(won / (won + lost))


def test_14_3_an_event_goes_back_before_its_extra_picks(monkeypatch: pytest.MonkeyPatch) -> None:
    """[14.3, 14.5] The other order of steps: an Ambush may pick itself again, at the table and in the odds of a J-3 (C-18)."""

    def back_first(due: int, extra: int, carried_out: bool, events: Sequence[str]) -> Step:
        return Step.GO_BACK if carried_out and not due else steps(due, extra, carried_out, events)

    steps = r14_reaction.next_step
    monkeypatch.setattr(r14_reaction, "next_step", back_first)
    cup = "Ambush", "Media Wars", "Militia 1(1)"
    field = field_with(*cup, morale=1)
    field.j3("3/1", "3-9", "move_on=no", draws=["Ambush", "Media Wars", "Ambush", "Militia 1(1)"], dice=[1, 6, 1, 1, 3, 3])
    assert len(field.named("Ambush", field.position)) == 1 + 1, "one of them is out of play"

    # Militia among the two picks: 2/3. Ambush, then Media Wars: the extra pick is the Militia, or Ambush, which picks one of
    # three until it is not itself. Media Wars, then Ambush: one of three from the start.
    of_three = 1 / 2
    met = 2 / 3 + 1 / 6 * (1 + of_three) / 2 + 1 / 6 * of_three
    odds = field_with(*cup, morale=1).odds("j3", "to=3-9", "force=3/1")
    assert dict(odds.sections[0][1])["1"] == CLOSE(met)


def test_14_3_no_extra_picks(monkeypatch: pytest.MonkeyPatch) -> None:
    """[14.3] Steps without extra picks: none is asked for at the table, and none is in the odds of a J-3."""

    def no_extra(due: int, extra: int, carried_out: bool, events: Sequence[str]) -> Step:
        return steps(due, 0, carried_out, events)

    steps = r14_reaction.next_step
    monkeypatch.setattr(r14_reaction, "next_step", no_extra)
    cup = "Ambush", "Media Wars", "Militia 1(1)"
    field = field_with(*cup, morale=1)
    field.j3("3/1", "3-9", draws=["Ambush", "Media Wars"], dice=[1])
    assert field.asked_for("draw") == ["pick", "pick"]

    odds = field_with(*cup, morale=1).odds("j3", "to=3-9", "force=3/1")
    assert dict(odds.sections[0][1])["1"] == CLOSE(2 / 3)
