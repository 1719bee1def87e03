"""TAB in a shell, where a force is put together: what is legal, and nothing else."""

from __future__ import annotations

from companion.cli.shell.completion import complete
from companion.cli.shell.completion_values import lookup
from companion.session.store import Archive
from tests.games.fallujah2004.starts import landed


def words(*request: str) -> list[str]:
    """The values that TAB offers, without their labels."""
    return [line.partition("\t")[0] for line in complete(["zsh", *request], lookup)]


def test_a_force_and_its_way_are_offered_as_far_as_they_are_legal(archive: Archive) -> None:
    """[10.1] The units on the map and not those in the reserve; behind a comma those that are left; then spaces to enter."""
    landed(archive, unknown=["space:2-9"], third_unit="2-10")

    assert words("do", "j3", "force=") == ["force=USMC 3/1", "force=USMC CEB", "force=USMC 3/5"]
    assert words("do", "j3", "USMC 3/1,") == ["USMC 3/1,USMC CEB", "USMC 3/1,USMC 3/5"]
    assert words("do", "j3", "force=usmc 3/1, usmc c") == ["force=usmc 3/1, USMC CEB"]
    assert words("do", "j3", "force=USMC 3/1,USMC CEB,USMC 3/5,") == []
    assert words("do", "j3", "force=USMC 3/1", "to=n") == ["to=north base"]


def test_the_odds_of_a_battle_ask_for_its_keys_in_order(archive: Archive) -> None:
    landed(archive, unknown=["space:2-9"], third_unit="2-10")

    assert words("odds", "fallujah2004", "battle", "") == ["contact="]
    assert words("odds", "fallujah2004", "battle", "contact=3", "f") == ["firepower="]
