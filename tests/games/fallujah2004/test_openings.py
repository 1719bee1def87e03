"""[7.1(2)] The planner's openings: compositions of the first order of battle, and how it chooses among them."""

from __future__ import annotations

import pytest

from companion.core.errors import BadData
from companion.core.policies import PLANNER
from companion.games.fallujah2004 import state
from companion.games.fallujah2004.ai.openings import read_openings
from companion.games.fallujah2004.ai.operations import army, first_orders
from companion.games.fallujah2004.referee import deployed
from tests.games.fallujah2004.test_planner import carried_out, scouted
from tests.games.fallujah2004.test_policies import game, match


@pytest.mark.parametrize("scenario", ["vigilant_resolve", "phantom_fury"])
def test_every_opening_can_be_bought_and_leaves_ops(scenario: str) -> None:
    """[7.1(2), 11.1] The rules accept each order at the price that the planner names, and operations can follow."""
    played = match(PLANNER, scenario, "c")
    offers = first_orders(scouted(played, played.position))
    assert 8 <= len(offers) <= 16
    for offer in offers:
        after = carried_out(played, played.position, offer)
        assert f"for {played.position.track('ops') - after.track('ops')} of" in offer.name
        assert after.track("ops") >= 20 and len(deployed(after)) > 5


def test_the_opening_that_won_most_is_chosen() -> None:
    """The candidates are in the order of their measured values, and the planner buys the first."""
    played = match(PLANNER, "vigilant_resolve", "c")
    offers = first_orders(scouted(played, played.position))
    assert [offer.value for offer in offers] == sorted((offer.value for offer in offers), reverse=True)
    played.act()
    bought = {piece.name for piece in deployed(played.position)}
    names = str(offers[0].decision.plan.answers["buy"]).split(", ")
    assert bought == {name for name in names if " x " not in name and "Strike" not in name and name != "NetWar"}
    assert not first_orders(scouted(played, played.position))


def test_a_preferred_type_is_bought_first_and_one_of_factor_zero_never() -> None:
    """[11.1] Factors of the quality by type; helicopters only if they are preferred."""
    played = match(PLANNER, "vigilant_resolve", "c")
    features = scouted(played, played.position)

    def types(**prefer: float) -> list[str]:
        units = army(features, 12, prefer)
        return ["iraqi" if state.is_iraqi(unit) else state.type_of(unit) for unit in units]

    assert types(armor=9.0)[:3] == ["armor"] * 3
    assert "iraqi" in types() and "iraqi" not in types(iraqi=0.0)
    assert "helicopter_gunship" in types(helicopter_gunship=9.0) and "helicopter_gunship" not in types()


@pytest.mark.parametrize("fault", ["unknown", "missing", "none"])
def test_a_faulty_opening_is_refused(fault: str) -> None:
    """ai.toml: every opening has all keys and no others, and there is at least one."""
    opening = dict(next(iter(game().tables.bot["opening"].values())))
    if fault == "unknown":
        opening["colour"] = "red"
    if fault == "missing":
        del opening["army"]
    with pytest.raises(BadData):
        read_openings({"opening": {} if fault == "none" else {"first": opening}})
