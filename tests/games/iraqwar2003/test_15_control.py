"""[15.2] A unit holds the VP place in its hex, whatever way it came there; what a slip of the pen took is given back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.core.events import Said
from companion.core.resolver import Answers
from companion.games.iraqwar2003.rules.r15_control import controller_of
from companion.session.controller import SessionController
from companion.session.store import Archive
from tests.games.iraqwar2003.field import FACTS, attack, mark, operations, place, put, war
from tests.games.iraqwar2003.ground import placed
from tests.support.table import Table

NO_AIR = ("support=none", "counter=none")


def holder(table: Table | SessionController, name: str) -> str:
    """Who controls a VP place."""
    return str(table.position.flag(f"control:{name}") or "iraq")


# -- hexes told in an answer -------------------------------------------------------------------------------------------


def told(action: str, *answers: str, disrupted: str = "") -> Table:
    """Nasiriyah after an action in which the hex of 1/3ID is told."""
    table = placed(stand={"1/3ID": "?"})
    mark(table, "disrupted", True, *filter(None, [disrupted]))
    table.do(action, *answers, accept=True)
    return table


def told_at_the_supply_check() -> Table:
    table = war()
    table.do("supply", "oos=1/3ID @2332", accept=True)
    return table


def told_of_a_target() -> Table:
    table = operations()
    put(table, **{"flag_control:Nasiriyah": "coalition"})
    attack(table, "1/3ID", "11D @2332", "terrain=major_city", dice=[1])
    return table


def told_by_rail() -> Table:
    table = placed("iraq", {"rail:2332-2432": "yes"}, {"11D": "?"}, railway="on")
    put(table, **{"flag_control:Nasiriyah": "coalition"})
    table.do("rail", "unit=11D @2332", "to=2432", accept=True)
    return table


@pytest.mark.parametrize(
    ("play", "side"),
    [
        (told_at_the_supply_check, "coalition"),
        (lambda: told("move", "units=1/3ID @2332", "way=stay", "attack=none"), "coalition"),
        (lambda: told("move", "units=1/3ID @2332 > 2333", "attack=none"), "coalition"),
        (lambda: told("move", "units=1/3ID @2332, 2/3ID @2332", "way=stay", "attack=none"), "coalition"),
        (lambda: told("recover", "units=1/3ID @2332", disrupted="1/3ID"), "coalition"),
        (lambda: told("road", "unit=1/3ID @2332"), "coalition"),
        (lambda: told("units", "units=us 9/9ID 6-5-8/4-3-8 @2332"), "coalition"),
        (lambda: war({"at:1/3ID": "2332"}), "coalition"),
        (told_of_a_target, "iraq"),
        (told_by_rail, "iraq"),
    ],
    ids=["supply", "stay", "move", "stack", "recover", "road", "units", "set-up", "target", "rail"],
)
def test_15_2_a_hex_told_in_passing_gives_its_place(play: Callable[[], Table], side: str) -> None:
    """[2.1.1(1), 15.2] Wherever units are named with their hexes."""
    assert holder(play(), "Nasiriyah") == side


# -- hexes reached by play ---------------------------------------------------------------------------------------------

BESIDE = {"1/3ID": "2231", "11D": "2331"}


def retreated() -> Table:
    table = placed(facts={"hex:2330": "port, Umm Qasr"}, stand=BESIDE)
    put(table, **{"flag_control:Umm Qasr": "coalition"})
    table.do("move", "units=1/3ID", "way=stay", "attack=11D", *NO_AIR, "advance=none", dice=[6], accept=True)
    return table


def advanced() -> Table:
    table = placed(facts={"hex:2331": "port, Umm Qasr"}, stand=BESIDE)
    table.do("move", "units=1/3ID", "way=stay", "attack=11D", *NO_AIR, "advance=1/3ID", dice=[6], accept=True)
    return table


def dropped(start: str) -> Table:
    table = placed(facts={"hex:2231": "port, Umm Qasr"}, stand={"173": start}, paratroops="on")
    table.do("drop", "unit=173", "escort=none", "intercept=none", "hex=2231", accept=True)
    assert place(table, "173") == "2231"
    return table


@pytest.mark.parametrize(
    ("play", "side"),
    [(retreated, "iraq"), (advanced, "coalition"), (lambda: dropped("3241"), "coalition"), (lambda: dropped("?"), "coalition")],
    ids=["retreat", "advance", "drop", "drop from an unknown hex"],
)
def test_15_2_a_hex_reached_by_play_gives_its_place(play: Callable[[], Table], side: str) -> None:
    """[13.5, 13.6, 16.2, 15.2] Umm Qasr, where a unit ends."""
    assert holder(play(), "Umm Qasr") == side


@pytest.mark.parametrize("leaves", ["retreats", "is removed"])
def test_10_0_3_a_hex_that_was_told_is_controlled_after_its_unit_left(leaves: str) -> None:
    """[10.0(3)] As if the unit had entered it by play."""
    table = placed(stand={**BESIDE, "11D": "?"}, facts={"area:kuwait": "2331"})
    die = 6 if leaves == "retreats" else 5
    table.do("move", "units=1/3ID", "way=stay", "attack=11D @2331", *NO_AIR, dice=[die], accept=True)
    if leaves == "is removed":
        assert place(table, "11D") == "2331"
        table.do("loss", "unit=11D", "what=unit")
    assert place(table, "11D") != "2331" and controller_of(table.position, "2331") == "iraq"


# -- corrections -------------------------------------------------------------------------------------------------------


@pytest.fixture
def session(archive: Archive) -> SessionController:
    archive.record_facts("iraqwar2003", FACTS)
    return SessionController.create(archive, "iraqwar2003", dice="physical", draws="physical", seed="1")


def lines(session: SessionController, *changes: tuple[str, str]) -> list[str]:
    """What a correction says."""
    return [event.text for event in session.adjust(list(changes), "seen").events if isinstance(event, Said)]


KEPT = 'The Coalition holds {0}, though no unit is there (if no unit ever was: adjust "control {0}" iraq).'
SLIPS: dict[str, tuple[str, list[tuple[str, str]], tuple[str, str]]] = {
    "a unit": ("Basra", [("1/3ID", "3135")], ("1/3ID", "3136")),
    "a unit taken off": ("Basra", [("1/3ID", "3135")], ("1/3ID", "?")),
    "a new counter": ("Basra", [("new:unit:us 9/9ID 6-5-8", "3135")], ("9/9ID", "3136")),
    "a hex": ("Najaf", [("1/3ID", "2228"), ("fact:hex:2228", "major city, Najaf")], ("fact:hex:2228", "plain")),
    "another hex": ("Najaf", [("1/3ID", "2228"), ("fact:hex:2228", "major city, Najaf")], ("fact:hex:2228", "city, Hillah")),
}


@pytest.mark.parametrize(("name", "slip", "correction"), SLIPS.values(), ids=SLIPS)
def test_15_2_a_corrected_slip_says_how_to_give_the_place_back(
    session: SessionController, name: str, slip: list[tuple[str, str]], correction: tuple[str, str]
) -> None:
    """The place stays with those who held it, as after a march through it, and the cure is typed."""
    for change in slip:
        assert KEPT.format(name) not in lines(session, change)
    assert holder(session, name) == "coalition"
    assert KEPT.format(name) in lines(session, correction)
    assert lines(session, (f"control {name}", "iraq")) == []
    assert holder(session, name) == "iraq"


def test_15_2_an_audit_gives_the_place_as_an_adjustment_does(session: SessionController) -> None:
    session.adjust([("1/3ID", "3135")], "seen", "audit")
    assert holder(session, "Basra") == "coalition"


def test_15_2_a_corrected_slip_gives_the_place_to_the_units_that_are_there(session: SessionController) -> None:
    """[12.1(4)] Enemies are in one hex by a slip only, and those who stay hold it."""
    lines(session, ("51M", "3135"))
    lines(session, ("1/3ID", "3135"))
    assert holder(session, "Basra") == "coalition"
    assert not any("though no unit" in text for text in lines(session, ("1/3ID", "3136")))
    assert holder(session, "Basra") == "iraq"


def test_15_2_a_holder_that_was_typed_stays_when_enemies_leave_one_by_one(session: SessionController) -> None:
    lines(session, ("51M", "3135"))
    lines(session, ("SF1", "3135"))
    lines(session, ("control Basra", "coalition"))
    assert lines(session, ("51M", "3136")) == lines(session, ("SF1", "3136")) == []
    assert holder(session, "Basra") == "coalition"


def test_15_2_a_hex_told_again_in_an_answer_says_how_to_give_the_place_back(session: SessionController) -> None:
    session.do("supply", Answers([("oos", "1/3ID @3135")], accept=True))
    assert holder(session, "Basra") == "coalition"
    session.adjust([("flag:phase", "bombing")], "again")
    said = session.do("supply", Answers([("orientation:low", "1421"), ("oos", "1/3ID @3136")], accept=True)).events
    assert KEPT.format("Basra") in [event.text for event in said if isinstance(event, Said)]


def test_15_2_a_place_that_is_typed_with_the_correction_is_not_spoken_of(session: SessionController) -> None:
    lines(session, ("1/3ID", "3135"))
    assert lines(session, ("1/3ID", "3136"), ("control Basra", "kdp")) == []
    assert lines(session, ("KDP1", "1107")) == lines(session, ("KDP1", "1108")) == []
