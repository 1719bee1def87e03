"""[18.0] J-4 Logistics: refit, bridges, Forward Operations Bases."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from tests.games.fallujah2004.field import Field


def test_18_3_a_refit_at_a_base() -> None:
    """[18.0, 18.1, 18.2, 18.3, 18.3(a)] One OP in all turns every reduced unit of one Base to its full side (C-6, C-47)."""
    # [18.1: reduced] [18.2: place]
    field = Field()
    field.put("north base", "3/1", "3/5", "A Tank")
    field.put("south base", "1/8")
    field.reduce("3/1", "3/5", "1/8")
    field.set(kia=-3)
    field.do("j4", "kind=refit", "at=north base")

    assert [field.face(name) for name in ("3/1", "3/5", "1/8")] == ["front", "front", "reduced"]
    assert (field.ops, field.kia, field.track("operations")) == (64, -3, 1)
    assert field.says("Refit at North Base: USMC 3/1, USMC 3/5", "18.3(a)")


@pytest.mark.parametrize("host", ["FOB 1", "1 AT"])
def test_18_3_b_refit_in_the_field(host: str) -> None:
    """[28.2] [18.3(b): host] Beside an FOB or an Amtrac, on the map."""
    field = Field()
    field.put("3-9", "3/1", host)
    field.put("3-10", "3/5")
    field.reduce("3/1", "3/5")
    field.do("j4", "kind=refit")

    assert (field.face("3/1"), field.face("3/5")) == ("front", "reduced")
    assert field.says("Refit at 3-9", "18.3(b)")


def test_18_3_a_reduced_amtrac_refits_itself() -> None:
    """[18.3: itself] It is its own host."""
    field = Field()
    field.put("3-9", "1 AT")
    field.reduce("1 AT")
    field.do("j4", "kind=refit")

    assert field.face("1 AT") == "front"


def test_18_3_nowhere_to_refit() -> None:
    """[18.3] [18.1: reduced] [18.3(b): host] A reduced unit alone on the map cannot refit, and no OP is spent."""
    field = Field()
    field.put("3-9", "3/1")
    field.reduce("3/1")
    with pytest.raises(Illegal, match="no reduced unit"):
        field.do("j4", "kind=refit")
    assert field.ops == 65


def test_18_3_eliminated_units_do_not_come_back() -> None:
    """[11.2] [18.3: eliminated] Only what is reduced and in play."""
    field = Field()
    field.put("eliminated", "3/1")
    field.reduce("3/1")
    with pytest.raises(Illegal):
        field.do("j4", "kind=refit")


def test_18_4_an_engineer_repairs_a_bridge() -> None:
    """[18.4, 26.0] With an engineer in the space of the bridge: one OP in all, and the marker is off the map."""
    field = Field()
    field.put("1-7", "Bridge Blown", "1 CE")
    field.do("j4", "kind=bridge")

    assert field.ops == 64
    assert [piece.place for piece in field.position.of_kind("marker")] == ["off", "off"]


def test_18_4_an_armored_engineer_is_one() -> None:
    """[26.0] [18.4: engineer] Ruling C-28."""
    field = Field()
    field.put("1-7", "Bridge Blown", "9 Arm")
    field.do("j4", "kind=bridge")

    assert field.ops == 64


def test_18_4_no_engineer_no_repair() -> None:
    """[18.4] Another unit will not do, nor an engineer elsewhere; without a blown bridge there is nothing to do."""
    # [18.4: engineer] [26.0: builds]
    field = Field()
    with pytest.raises(Illegal, match="no bridge is blown"):
        field.do("j4", "kind=bridge")
    field.put("1-7", "Bridge Blown", "3/1")
    field.put("1-8", "1 CE")
    with pytest.raises(Illegal, match="no engineer"):
        field.do("j4", "kind=bridge")


def test_18_4_one_marker_an_operation() -> None:
    """[18.4: one] Two bridges are two operations."""
    field = Field()
    field.put("1-7", "1 CE")

    async def blow(game: object) -> None:
        for marker, place in zip(game.position.of_kind("marker"), ("1-7", "1-6"), strict=True):  # type: ignore[attr-defined]
            game.move(marker.id, place, "14.7")  # type: ignore[attr-defined]

    field.play(blow)
    field.do("j4", "kind=bridge", "at=1-7")

    assert sorted(piece.place for piece in field.position.of_kind("marker")) == ["1-6", "off"]


@pytest.mark.parametrize(("switch", "cost"), [("included", 3), ("extra", 4)])
def test_18_5_an_engineer_builds_an_fob(switch: str, cost: int) -> None:
    """[26.0, 28.0] [18.5: engineer] 3 OPs in all, or 1 and 3 by the switch (ruling C-6)."""
    field = Field(fob_surcharge=switch)
    field.put("3-9", "1 CE")
    field.do("j4", "kind=fob")

    assert (field.place("FOB 1"), 65 - field.ops, field.track("operations")) == ("3-9", cost, 1)


def test_18_0_the_last_op_ends_the_game() -> None:
    """[18.0, 8.1(a)] A J-4 is an operation like any other: it is finished, then the game is over."""
    field = Field()
    field.put("3-9", "1 CE")
    field.set(ops=3)
    field.do("j4", "kind=fob", "msr=no", "held=0")

    assert field.place("FOB 1") == "3-9"
    assert field.game.over(field.position)


def test_18_5_uprising_does_not_double_it() -> None:
    """[18.5] An FOB is not recruited (ruling C-29)."""
    field = Field()
    field.put("in play", "Uprising Elsewhere")
    field.put("3-9", "1 CE")
    field.do("j4", "kind=fob")

    assert field.ops == 62


def test_18_0_an_impossible_j4_is_refused_at_once() -> None:
    """[18.0, 18.3, 18.4, 18.5] The refusal names all three reasons; a named kind is refused with its own reason."""
    field = Field()
    with pytest.raises(Illegal, match=r"no reduced unit .*; no bridge is blown; no engineer is on the map"):
        field.do("j4")
    field.put("3-9", "1 CE")
    with pytest.raises(Illegal, match="no bridge is blown"):
        field.do("j4", "kind=bridge")


def test_18_0_only_possible_kinds_are_offered() -> None:
    """[18.0] An engineer, and nothing to refit or repair: the FOB is not asked for."""
    field = Field()
    field.put("3-9", "1 CE")
    field.do("j4")

    assert field.place("FOB 1") == "3-9"
    assert all(request.forced_reply() is not None for request in field.asked)


def test_18_4_only_a_bridge_with_an_engineer_is_asked_for() -> None:
    """[18.4] Both are blown, and he stands at one."""
    field = Field()
    field.put("1-7", "Bridge Blown", "1 CE")
    field.put("1-6", "Bridge Blown")
    field.do("j4", "kind=bridge")

    assert [request.forced_reply() for request in field.asked if request.key == "at"] == ["1-7"]


def test_18_5_a_space_with_an_fob_is_no_site() -> None:
    """[8.2] [18.5: second] Of two engineers the one beside the FOB is not asked about."""
    field = Field()
    field.put("3-9", "1 CE", "FOB 1")
    field.put("3-10", "9 Arm")
    field.do("j4", "kind=fob")

    assert field.place("FOB 2") == "3-10"


def test_18_5_where_no_fob_can_be_built() -> None:
    """[18.5, 8.2] No engineer on the map, no second FOB in a space, no counter left, too few OPs."""
    # [18.5: engineer, second] [26.0: builds]
    field = Field()
    field.put("north base", "1 CE")
    with pytest.raises(Illegal, match="no engineer"):
        field.do("j4", "kind=fob")
    field.put("3-9", "1 CE", "FOB 1")
    with pytest.raises(Illegal, match="an FOB is in the space of USMC 1 CE already"):
        field.do("j4", "kind=fob")
    field.put("3-10", "FOB 2")
    with pytest.raises(Illegal, match="no FOB counter"):
        field.do("j4", "kind=fob")
    field.put("recruit", "FOB 1")
    field.set(ops=2)
    with pytest.raises(Illegal, match="costs 3 OPs"):
        field.do("j4", "kind=fob")
    assert field.ops == 2
