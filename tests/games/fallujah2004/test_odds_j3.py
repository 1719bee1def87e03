"""[10.1] The odds of a J-3 in advance, against direct calculation."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import pytest

from companion.core.errors import Illegal, Impossible, Unreadable
from companion.core.procedures import Progress, ResolvedReply
from companion.core.request import Odds
from companion.games.fallujah2004.referee import FallujahReferee
from tests.games.fallujah2004.field import Field

BREAK_OFF = {
    f"stand:{morale}:{terrain}": "break-off" for morale in ("low", "medium", "high", "fanatic") for terrain in ("urban", "mosque")
}
"""Every battle is one round."""


def field_with(*cup: str, morale: int = 0, facts: Mapping[str, str] | None = None, **options: str) -> Field:
    """A Reaction cup of these counters and no others; 3/1 (3(3), then 2(2)) stands at 3-10."""
    field = Field(facts={**BREAK_OFF, **(facts or {})}, **options)

    async def fill(game: FallujahReferee) -> None:
        wanted = list(cup)
        for piece in game.position.at("reaction cup"):
            if piece.name in wanted:
                wanted.remove(piece.name)
            else:
                game.move(piece.id, "out", "3.4")
        assert not wanted

    field.play(fill)
    field.set(morale=morale)
    field.put("3-10", "3/1")
    return field


def part(odds: Odds, heading: str) -> dict[str, float]:
    return next(dict(rows) for title, rows in odds.sections if title == heading)


def one_round(lead: int, fire: int) -> tuple[float, float]:
    """3/1 against one OPFOR unit in a city: the chances that it is hit, and that OPFOR loses its unit, in one round.

    ``lead``: what the Coalition adds to its die more than OPFOR; ``fire``: OPFOR's firepower. Worked out face by face.
    """
    hit = kill = 0
    for ours, theirs, shot, back in product(range(1, 7), repeat=4):
        first = ours + lead > theirs  # a tie is OPFOR's
        hurt = back <= fire
        aim = 3 if first or not hurt else 2
        killed = shot <= aim
        hurt = hurt and not (first and killed)
        hit, kill = hit + hurt, kill + killed
    return hit / 6**4, kill / 6**4


def test_10_1_one_pick_of_three() -> None:
    """[14.1(3), 16.1] Two Militia 1(1) and a Deception, one pick: a battle of one round in two thirds of the cases."""
    odds = field_with("Militia 1(1)", "Militia 1(1)", "Deception").odds("j3", "to=3-9", "force=3/1")
    hit, kill = one_round(3 - 1, 1)
    assert part(odds, "OPFOR units met") == {"0": pytest.approx(1 / 3), "1": pytest.approx(2 / 3)}
    assert odds.notes[0].startswith("At low morale OPFOR breaks off in urban;")
    assert len(odds.notes) == 2, "no Node is known to lie there"
    assert part(odds, "The force")["wins its battle"] == pytest.approx(2 / 3)
    assert part(odds, "The force")["meets no unit"] == pytest.approx(1 / 3)
    assert part(odds, "Strength steps lost")["1"] == pytest.approx(2 / 3 * hit)
    assert dict(odds.means)["KIA change"] == pytest.approx(2 / 3 * (kill - hit))
    assert dict(odds.means)["strength steps lost"] == pytest.approx(2 / 3 * hit)


@pytest.mark.parametrize(("returns", "again"), [("at_once", True), ("after_picks", False)])
def test_14_3_an_ambush_picks_once_more_and_leads(returns: str, again: bool) -> None:
    """[14.5, 16.1(2c)] Two picks out of Ambush, Media Wars and a Militia: an Ambush brings the third, or Media Wars once more if
    that has gone back before it (ruling C-18).
    """
    odds = field_with("Ambush", "Media Wars", "Militia 1(1)", morale=1, returns=returns).odds("j3", "to=3-9", "force=3/1")
    # Ambush and Militia (1/3): the extra pick is Media Wars. Media Wars and Militia (1/3): no Ambush. Ambush and Media Wars
    # (1/3): the extra pick is the Militia, or, where Media Wars was picked first (1/6), one of the two.
    meeting = 1 / 3 + 1 / 3 + (1 / 6 + 1 / 12 if again else 1 / 3)
    media = 1 / 3 + 1 / 3 + 1 / 3 + (1 / 12 if again else 0)
    assert part(odds, "OPFOR units met")["1"] == pytest.approx(meeting)
    hit, kill = one_round(3 - 1, 1)
    hit_in_ambush, kill_in_ambush = one_round(3 - 1 - 1, 1)
    with_ambush = meeting - 1 / 3
    assert dict(odds.means)["strength steps lost"] == pytest.approx(with_ambush * hit_in_ambush + hit / 3)
    assert dict(odds.means)["KIA change"] == pytest.approx(with_ambush * (kill_in_ambush - hit_in_ambush) + (kill - hit) / 3)
    assert dict(odds.means)["OPs, without the one that it costs"] == pytest.approx(media * -0.5)


def test_14_5_ambush_and_martyrs_pick_each_other() -> None:
    """[14.3] A chain that need not end is followed as far as it matters (ruling C-18)."""
    odds = field_with("Ambush", "Martyrs", "Deception").odds("j3", "to=3-9", "force=3/1")
    assert part(odds, "The force")["meets no unit"] == pytest.approx(1.0)


def test_20_1_a_concealed_node() -> None:
    """[14.1(2), 17.0] One of two in the cup: a Strongpoint takes the only hit off; C2 adds to OPFOR's Edge, and brings 3 OPs."""
    field = field_with("Militia 1(1)", "Militia 1(1)")

    async def two(game: FallujahReferee) -> None:
        kept = {"Strongpoint", "C2"}
        for piece in game.position.at("node cup"):
            if piece.name in kept:
                kept.remove(piece.name)
            else:
                game.move(piece.id, "out", "3.4")

    field.play(two)
    odds = field.odds("j3", "to=3-8", "force=3/1")
    hit, kill = one_round(3 - 1 - 1, 1)
    unharmed = 1 / 6  # against the Strongpoint no hit of one unit counts, so OPFOR always fires, and hits on a 1
    assert dict(odds.means)["strength steps lost"] == pytest.approx(hit / 2 + unharmed / 2)
    assert dict(odds.means)["KIA change"] == pytest.approx((kill - hit) / 2 - unharmed / 2)
    assert dict(odds.means)["OPs, without the one that it costs"] == pytest.approx(3 / 2)
    assert odds.notes[-1] == "The Node there is any that is still concealed."


def test_20_1_an_ied_factory_before_the_picks() -> None:
    """[20.1, 21.1] One die for the unit: 6 is a hit, which counts for KIA and weakens who goes on."""
    field = field_with("Deception", "Deception")
    field.node("3-8", "ied_factory")
    odds = field.odds("j3", "to=3-8", "force=3/1")
    assert dict(odds.means)["strength steps lost"] == 0, "it lies face up: its die was rolled when it was revealed"

    field = field_with("Deception", "Deception")

    async def only(game: FallujahReferee) -> None:
        for piece in game.position.at("node cup"):
            if piece.name != "IED Factory":
                game.move(piece.id, "out", "3.4")

    field.play(only)
    odds = field.odds("j3", "to=3-8", "force=3/1")
    assert dict(odds.means)["strength steps lost"] == pytest.approx(1 / 6)
    assert dict(odds.means)["KIA change"] == pytest.approx(-1 / 6)
    assert dict(odds.means)["OPs, without the one that it costs"] == pytest.approx(2)


def test_14_1_1_with_boots_on_the_ground_there_is_no_reaction() -> None:
    field = field_with("Militia 1(1)")
    field.put("3-9", "1/8")
    odds = field.odds("j3", "to=3-9", "force=3/1")
    assert odds.rule == "14.1(1)"


def test_16_1_3a_support_is_weighed_beside_none() -> None:
    """[12.3] A strike that always hits kills the only OPFOR unit in any round that the Coalition fires first."""
    field = field_with("Militia 1(1)")
    field.put("available", "Air Strike (6)", "NetWar")
    odds = field.odds("j3", "to=3-9", "force=3/1")
    means = dict(odds.means)
    assert means["KIA change, all support"] > means["KIA change"]
    assert means["strength steps lost, all support"] == pytest.approx(1 / 6 * 6 / 36), "OPFOR is first if its die is 3 higher"


def test_8_3_the_only_unit_that_can_enter_is_reported() -> None:
    """[10.1] A single unit is nearest; where several are, they are asked for. Nothing on the table changes."""
    field = field_with("Militia 1(1)")
    before = field.position
    odds = field.odds("j3", "to=3-9")
    assert odds.title == "J-3 into 3-9: USMC 3/1"
    assert [request.forced_reply() for request in field.asked if request.key == "force"] == [["USMC 3/1"]]
    field.put("3-10", "1/8")
    field.odds("j3", "to=3-9", "force=1/8")
    assert field.position.at("reaction cup") == before.at("reaction cup")
    field.put("5-9", "3/5")
    with pytest.raises(Illegal, match="start in one space"):
        field.odds("j3", "to=3-9", "force=1/8, 3/5")


def test_8_3_without_units_there_are_no_such_odds() -> None:
    with pytest.raises(Impossible, match="no Coalition unit"):
        Field().odds("j3", "to=3-9")


def test_16_1_4c_a_battle_in_which_nobody_can_hit_is_lost_without_loss() -> None:
    """[16.8, 17.0] A single unit never hits at a Strongpoint, and a Militia of 0(0) never hits it."""
    field = field_with("Militia 0(0)", facts=dict.fromkeys(BREAK_OFF, "stand"))
    field.node("3-8", "strongpoint")
    odds = field.odds("j3", "to=3-8", "force=3/1")
    assert part(odds, "The force")["wins its battle"] == 0
    assert dict(odds.means)["strength steps lost"] == 0


def test_progress_is_reported_up_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """With support the battles are solved twice, and the progress never falls."""
    seen: list[float] = []

    def resolve(progress: Progress, facts: Mapping[str, str]) -> ResolvedReply:
        seen.append(progress.done / progress.total)
        return ResolvedReply(None, "remembered")

    monkeypatch.setattr(Progress, "resolve", resolve)
    field = field_with("Militia 1(1)", "Militia 1(1)", "Deception")
    field.put("available", "Air Strike (6)")
    field.odds("j3", "to=3-9", "force=3/1")
    assert seen == sorted(seen)
    assert seen[0] == 0.0 and seen[-1] == 1.0


def test_a_path_leads_into_its_last_space() -> None:
    """[13.0] What the planner plans for a J-3 can be asked, too."""
    field = field_with("Militia 1(1)")
    for path in ("3-9 3-8", "water 3-9 3-8", "west_base 3-8"):
        assert field.odds("j3", f"to={path}", "force=3/1") == field.odds("j3", "to=3-8", "force=3/1")
    for path in ("3-9 3-99", "nowhere 3-8", "nowhere"):
        with pytest.raises(Unreadable, match=r"3-99|nowhere"):
            field.odds("j3", f"to={path}", "force=3/1")
