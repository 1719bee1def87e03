"""[5.2E] The NVA retreat: who must leave, which way, and what becomes of Adrenaline."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from tests.games.lzalbany.field import Field


def leaving(**options: str) -> Field:
    field = Field(**options)
    field.flag(retreat=True)
    return field


def suggested(field: Field, key: str) -> object:
    return next(request.suggest for request in field.asked if request.key == key)


def test_5_2_e_every_platoon_that_can_leave_must() -> None:
    """[5.2E: all] Left out, none at all, or one of three: refused, unless the player insists; officers may stay."""
    field = leaving()
    field.put("c4", "1/6/8/66", "2/6/8/66", "co/6/8/66")
    field.put("a3", "3/6/8/66")

    for orders in ("none", "1/6 2/6 > c5", "1/6 > c5; 3/6 > off"):
        with pytest.raises(Illegal, match=r"the NVA retreats, and no order is given to .*\[5.2E\]"):
            field.go("66", f"moves={orders}")
    field.go("66", "moves=1/6 2/6 > c5; 3/6 > off")
    assert [field.at(name) for name in ("1/6/8/66", "2/6/8/66", "3/6/8/66", "co/6/8/66")] == ["c5", "c5", "left", "c4"]
    field.go("66", "moves=none", anyway=True)
    assert field.says("Recorded anyway: the NVA retreats")


def test_5_2_e_the_default_order_leaves_the_map() -> None:
    """The answer that is suggested obeys: by the shortest way, past the enemy, off the map at its edge."""
    field = leaving()
    field.put("c4", "1/6/8/66", "co/6/8/66")
    field.put("c4", "2/6/8/66", hits=2)
    field.put("b3", "1/7/8/66")
    field.put("a3", "1/A/2-7")
    field.put("a5", "3/6/8/66")

    field.go("66", accept=True)

    assert field.at("3/6/8/66") == "left"
    assert [field.at(name) for name in ("1/6/8/66", "2/6/8/66", "co/6/8/66")] == ["c5"] * 3
    assert field.at("1/7/8/66") == "a4"


def test_5_2_e_units_that_cannot_leave_may_stay() -> None:
    """[6.2A, 3.5, 7.2] [5.2E: hindered] Hit with no officer (ruling C-54), with a No Move marker, in a melee."""
    field = leaving()
    field.put("c4", "1/6/8/66", hits=1)
    field.put("b3", "2/6/8/66")
    field.change("2/6/8/66", marks={"incident": "no move"})
    field.put("d4", "3/6/8/66", "1/A/2-7")

    field.go("66", "moves=none", "retreat=none", "retreat=none", dice=[1] * 6)
    field.put("c4", "co/6/8/66")
    with pytest.raises(Illegal, match=r"no order is given to 1/6/8/66 \[5.2E\]"):
        field.go("66", "moves=none", "retreat=none", "retreat=none", dice=[1] * 6)


def test_5_2_e_the_us_never_retreats_so() -> None:
    field = leaving()
    field.put("d2", "1/A/2-7")

    field.go("ab27", "moves=none")
    assert field.at("1/A/2-7") == "d2"


def test_5_2_e_units_at_the_edge_leave_the_map() -> None:
    """[5.2E: beyond] Not into the Transition Area, nor from there into LZ Columbus; from there off the map too (ruling C-57)."""
    field = leaving()
    field.put("g3", "1/6/8/66")
    with pytest.raises(Illegal, match=r"the NVA leaves the map from g3 \[5.2E\]"):
        field.go("66", "moves=1/6 > transition")
    field.put("transition", "1/6/8/66")
    field.put("columbus", "1/A/1-5")
    for goal in ("columbus", "g3"):
        with pytest.raises(Illegal, match=r"the NVA leaves the map from Transition Area \[5.2E\]"):
            field.go("66", f"moves=1/6 > {goal}")
    field.go("66", "moves=1/6 > off")
    assert field.at("1/6/8/66") == "left"


def test_5_2_e_from_lz_columbus_to_the_east_edge() -> None:
    field = leaving()
    field.put("columbus", "1/6/8/66")

    with pytest.raises(Illegal, match=r"LZ Columbus is not at the map edge \[5.2E\]"):
        field.go("66", "moves=1/6 > off")
    field.go("66", accept=True)
    assert field.at("1/6/8/66").startswith("g")


def test_5_2_e_an_unknown_edge_is_asked_for() -> None:
    """On a map of one's own a way to an area at the map edge is none that is refused."""
    field = leaving(map="own")
    terrain = {"terrain:a1": "jungle", "edge:a1": "edge", "terrain:b1": "jungle"}
    near = {"next:b1": "a1, c1, b0", "next:b0": "b1, c0", "next:a1": "b1"}
    field.flag(**terrain, **near)
    field.put("b1", "1/6/8/66")

    field.go("66", "moves=1/6 > b0", "area:b0=jungle edge")
    assert field.at("1/6/8/66") == "b0"
    field.put("b1", "1/6/8/66")
    field.flag(**{"edge:b0": None})
    with pytest.raises(Illegal, match=r"b0 is not nearer to a map edge than b1 \[5.2E\]"):
        field.go("66", "moves=1/6 > b0")


@pytest.mark.parametrize(("box", "there"), [("pool", "out"), ("box nva adrenaline", "box nva adrenaline")])
def test_5_2_e_adrenaline_leaves_the_pool_or_does_not_return(box: str, there: str) -> None:
    """[5.2E: adrenaline] What lies in its box may still be played this turn (ruling C-65)."""
    field = Field()
    field.set(us_vp=29)
    field.change("NVA Adrenaline", place=box)
    field.play(_award)

    assert field.at("NVA Adrenaline") == there
    field.flag(phase="administrative")
    field.do("admin")
    assert field.at("NVA Adrenaline") == "out"


async def _award(game: object) -> None:
    game.award("nva reduced", "test")  # type: ignore[attr-defined]


def test_5_2_e_a_chit_that_was_drawn_before_is_not_bound() -> None:
    """[5.3] The thirtieth point comes by return fire between the two actions of Adrenaline (ruling C-65)."""
    # [5.2E: drawn]
    field = Field(turn=4)
    field.set(us_vp=29)
    field.put("d2", "1/1/1/33", hits=2)
    field.put("e2", "1/A/2-7", "2/A/2-7")
    field.put("c5", "2/1/1/33")
    field.pool("NVA Fire/Move", "NVA Fire/Move", "Visibility")
    field.box("33")
    field.change("NVA Adrenaline", place="box nva adrenaline")

    answers = ("adrenaline=yes", "combat=d2", "target=e2", "return=yes", "second=fire", "combat=done")
    field.do("chit", "group=33", "action=fire", *answers, dice=[1, 1, 6, 1, 1, 1], draws=["NVA Fire/Move"])
    assert field.referee.nva_retreats
    field.put("c4", "1/6/8/66")
    with pytest.raises(Illegal, match=r"the NVA retreats: its chits are Moves \[5.2E\]"):
        field.do("chit", "group=66", "action=fire", draws=["NVA Fire/Move"])
