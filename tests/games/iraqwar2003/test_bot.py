"""The planner for Iraq: what it proposes, why, and that its answers run through the same procedures as a player's."""

from __future__ import annotations

import pytest

from companion.core.candidates import read_priorities
from companion.core.errors import BadData, Unreadable
from companion.core.events import Said
from companion.games.iraqwar2003.ai.planner_iraq import DEED_MEASURES
from companion.games.iraqwar2003.ai.valuation import MEASURES
from tests.games.iraqwar2003.field import attack, mark, operations, place, said, send, war
from tests.support.table import Table


def suggested(table: Table, key: str) -> object:
    return next(request.suggest for request in table.asked if request.key == key)


def propose(table: Table, *answers: str) -> list[str]:
    """The lines of `bot`; the position does not change."""
    before = table.position
    table.play(table.game.bot, answers)
    assert table.position == before
    return [event.text for event in table.events if isinstance(event, Said)]


def test_it_says_that_its_priorities_are_not_of_the_rulebook() -> None:
    """[4.2] They are called our own."""
    assert propose(war())[0] == "The rulebook has no solitaire opponent: these priorities are ours."
    assert war().game.has_bot


@pytest.mark.parametrize(("lost", "source"), [(0, "radio"), (1, "die"), (3, "die")])
def test_11_1_radio_or_die(lost: int, source: str) -> None:
    """[11.1] The higher expectation: 4 Radios against 3 1/2, 3 against 3 1/2."""
    table = war(iraq="bot")
    mark(table, "damaged", 0, *(f"comm radio {number}" for number in range(1, lost + 1)))
    table.do("supply", accept=True)
    table.do("end")
    assert any(line.endswith("by the die." if source == "die" else "by its Radio boxes.") for line in propose(table))
    table.do("supply", accept=True, dice=[3] if source == "die" else [])
    assert suggested(table, "source") == source
    assert said(table, "the most command points on average")


def test_5_2_2_it_intercepts_the_most_valuable_target_and_says_what_it_passed_over() -> None:
    """[5.2(2), 5.4.1, 15.2] A B-52 is 2 VP: the stronger interceptor goes where the fire is weaker: against one shot of 2,
    by which 1/9 is shot down, 1/4 + 1/2 * 1/9 - 1/9 = 19 % more; and none against stealth.
    """
    table = war(iraq="bot")
    table.do(
        "facility", "target=radio 1", "group=B-1", "target=north radar 1", "group=B-52", "target=radio 2", "group=B-2",
        "target=done", dice=[6] * 7, accept=True,
    )  # fmt: skip
    assert suggested(table, "intercept") == "1 MiG-25, 2 MiG-23"
    assert said(table, "MiG-23 meets group 2 (B-52): +")
    assert said(table, "target safe 22 %, B-52 lost 19 %, MiG-23 lost 0 %")
    assert said(table, "out: MiG-23 meets group 1 (B-1) -")
    assert place(table, "MiG-23") == "iraq used"


def test_5_2_2_it_does_not_throw_units_away() -> None:
    """[5.2(2)] Against an F-15 as escort the interceptors would be lost more often than they help: none flies."""
    table = war(iraq="bot")
    table.do("facility", "target=radio 1", "group=A-10+F-15", "target=done", dice=[6, 6], accept=True)
    assert suggested(table, "intercept") == "none"


def test_5_8_it_keeps_to_air_fields_and_radars() -> None:
    """[5.8.2(1), 5.4.1(2)] One Air Field, one interceptor; no Radar, none."""
    table = war(iraq="bot")
    mark(table, "damaged", 0, "base airfield 1", "base airfield 2")
    table.do("facility", "target=radio 1", "group=B-1", "target=radio 2", "group=B-52", "target=done", dice=[6] * 5, accept=True)
    assert suggested(table, "intercept") == "1 MiG-23"
    table = war(iraq="bot")
    mark(table, "damaged", 0, "central radar 1", "central radar 2")
    table.do("facility", "target=radio 1", "group=B-1", "target=done", dice=[6, 6], accept=True)
    assert "intercept" not in [request.key for request in table.asked]


def test_5_1_it_supports_where_the_chart_says_that_it_helps() -> None:
    """[5.1] Su-25 2 columns: 6 against 4 from 1-1 to below; it would rather do that than nothing."""
    table = operations(iraq="bot")
    attack(table, "1/3ID, 2/3ID", "11D", "with=all", "counter=Su-25", dice=[6, 5])
    assert suggested(table, "counter") == "Su-25"
    assert said(table, "Su-25: +")
    assert said(table, "out: Su-20 -")


def test_it_can_be_overruled() -> None:
    """[5.2(2)] Its proposal is only what Enter gives; the player may answer otherwise."""
    table = war(iraq="bot")
    table.do("facility", "target=radio 1", "group=B-1", "target=done", "intercept=none", dice=[6, 6], accept=True)
    assert place(table, "MiG-23") == "iraq available"


def test_11_2_it_spends_points_by_priorities() -> None:
    """[11.2] VP at stake first, then by urgency; no attack below 1-1; what is left over is named with its reason."""
    table = operations("iraq", iraq="bot")
    mark(table, "disrupted", True, "SRG1")
    table.do("control", "control=Najaf coalition")
    table.position = table.position.changed(tracks={**table.position.tracks, "cp": 3})
    lines = propose(table, "deeds=attack 51M 1-2, attack Med 3-1, recover SRG1, retake SF1 Najaf, block PA1, road PA2, move SRG2")
    assert [line for line in lines if "next of" in line] == [
        "SF1 retakes Najaf (next of 3 CP).",
        "Med attacks at 3-1 (next of 2 CP).",
        "SRG1 recovers (next of 1 CP).",
    ]
    assert "Iraq does not spend on it: PA1 blocks the way; no command point is left." in lines


def test_13_3_2_1_it_weighs_its_support_against_what_has_been_declared() -> None:
    """[13.3(2-1), 5.3.1(2)] 3 against 4 is 1-2 with or without a Su-25; with an A-10 declared it is 3-1, and the Su-25 makes it
    1-1; the MiG-23 comes with it for the A-10, and against an F-15, which fires first, only the cheapest interceptor.
    """
    for support, counter in (("none", "none"), ("A-10", "Su-25+MiG-23"), ("A-10+F-15", "Su-25+MiG-25")):
        table = operations(iraq="bot")
        attack(table, "173", "51M", f"support={support}", "counter=none", dice=[3])
        assert suggested(table, "counter") == counter


def test_5_1_1_it_intercepts_ground_support_alone_where_it_cannot_support() -> None:
    """[5.1(1), 5.3.1(2), 5.4.1(1)] With the Su-20 and the Su-25 gone the MiG-23 goes for the A-10;
    with one Air Field too, since a quarter of 2 VP and of the columns is more than the Su-25 helps;
    no unit intercepts a white silhouette.
    """
    table = operations(iraq="bot")
    send(table, "removed", "Su-20", "Su-25")
    attack(table, "173", "51M", "support=A-10", "counter=none", dice=[3])
    assert suggested(table, "counter") == "intercept MiG-23"
    assert said(table, "intercept MiG-23: +")
    table = operations(iraq="bot")
    mark(table, "damaged", 1, "base airfield 1", "base airfield 2")
    attack(table, "173", "51M", "support=A-10", "counter=none", dice=[3])
    assert suggested(table, "counter") == "intercept MiG-23"
    assert said(table, " Su-25 -")
    table = operations(iraq="bot", facts={"air:F-117": "0-2-3 stealth"})
    attack(table, "1/3ID, 2/3ID", "11D", "with=all", "support=F-117", "counter=none", dice=[3])
    assert "+" not in str(suggested(table, "counter"))


def test_11_2_it_moves_only_units_that_can_act() -> None:
    """[7.3.1(1), 12.1(6)] Disrupted and moved units are passed over."""
    table = operations("iraq", iraq="bot")
    mark(table, "disrupted", True, "Med")
    mark(table, "moved", True, "51M")
    lines = propose(table, "deeds=attack Med 10-1, attack 51M 10-1, block PA1")
    assert "PA1 blocks the way (next of 6 CP)." in lines
    assert "Iraq does not spend on it: Med attacks at 10-1; Med is disrupted: it may not move or attack." in lines
    assert any("nothing to do that is worth" in line for line in propose(table, "deeds=none"))
    for text in ("attack", "dance Med", "attack Nobody 3-1", "attack Med Paris"):
        with pytest.raises(Unreadable):
            propose(table, f"deeds={text}")


def test_the_priorities_are_data_and_are_checked() -> None:
    """[11.1] Each names a measure that exists; a wrong one is refused with its place."""
    tables = war().game.tables
    assert read_priorities(tables.bot, "spend", DEED_MEASURES)
    for decision in ("source", "intercept", "raid", "support"):
        assert read_priorities(tables.bot, decision, MEASURES)
    with pytest.raises(BadData, match="unknown measure"):
        read_priorities({"source": [{"measure": "luck", "keep": "highest", "text": "x"}]}, "source", MEASURES)
