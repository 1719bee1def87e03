"""The rules of the game, each as a player would try it: what is typed and rolled, and what then lies on the table."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from companion.testing.table import Table


def table(**options: str) -> Table:
    """The game as it is set up."""
    return Table("skeleton", "summer", None, **options)


def test_1_the_set_up() -> None:
    """[1]"""
    boat = table()
    assert [boat.track(name) for name in ("fuel", "crates", "way", "turn")] == [5, 6, 0, 0]
    assert boat.names_at("cup") == ["Calm", "Calm", "Calm", "Storm", "Storm", "Wind", "Wind"]


def test_2_the_coast_is_half_as_far() -> None:
    """[2] Rounded up, and no weather is met there."""
    boat = table()
    boat.do("sail", "course=coast", dice=[5])
    assert (boat.track("way"), boat.track("fuel"), boat.track("turn")) == (3, 4, 1)


def test_2_without_fuel_nobody_sails() -> None:
    """[2: fuel]"""
    boat = table()
    for _ in range(5):
        boat.do("sail", "course=coast", dice=[1])
    with pytest.raises(Illegal, match="the tanks are empty"):
        boat.do("sail")


def test_3_the_weather_of_the_open_sea() -> None:
    """[3] The counter lies beside the cup from then on."""
    boat = table()
    boat.do("sail", "course=sea", dice=[4], draws=["Wind"])
    assert boat.names_at("drawn") == ["Wind"]
    assert boat.said == ["The weather: Wind [3]"]


def test_3_the_counter_may_go_back_at_once() -> None:
    """[3]"""
    boat = table(weather_back="back")
    boat.do("sail", "course=sea", dice=[4], draws=["Wind"])
    assert boat.names_at("drawn") == [] and len(boat.names_at("cup")) == 7


@pytest.mark.parametrize(("face", "left"), [(1, 6), (3, 5), (6, 3)])
def test_4_a_storm_takes_crates(face: int, left: int) -> None:
    """[4]"""
    boat = table()
    boat.do("sail", "course=sea", dice=[2, face], draws=["Storm"])
    assert boat.track("crates") == left


def test_4_the_odds_are_those_of_the_chart() -> None:
    """[4] Against the six faces, counted by hand."""
    ((_, rows),) = table().odds("storm").sections
    assert [(label, round(chance * 6)) for label, chance in rows] == [("0 lost", 2), ("1 lost", 3), ("3 lost", 1)]


def test_5_two_barrels_a_day() -> None:
    """[5]"""
    boat = table()
    boat.do("wait")
    assert (boat.track("fuel"), boat.track("turn")) == (7, 1)


def test_6_the_end() -> None:
    """[6] What has arrived counts."""
    boat = table()
    for draw in ("Calm", "Wind"):
        boat.do("sail", "course=sea", dice=[6], draws=[draw])
    assert boat.game.over(boat.position) == "the boat is at the island"
    assert boat.game.score(boat.position, boat.options).total == 6
