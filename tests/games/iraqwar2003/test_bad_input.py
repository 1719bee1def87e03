"""Bad input as the player types it: a message with the rule number, the exit code, and --anyway where the board says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import Result, companion

SET = Path(__file__).parent / "scripts" / "made_up_set.toml"


@pytest.fixture
def session() -> None:
    """A game whose display and counters are known."""
    assert companion("printed", "iraqwar2003", "import", str(SET)).code == 0
    assert companion("new", "iraqwar2003", "--seed", "1").code == 0


def faulty(code: int, text: str, *argv: str) -> Result:
    """Run a command that must fail with an exit code and a text."""
    result = companion(*argv)
    said = " ".join((result.out + result.err).split())
    assert (result.code, text in said) == (code, True), said
    return result


@pytest.mark.usefixtures("session")
def test_what_the_rules_refuse() -> None:
    """[5.3(1), 5.4.1(2), 2.5.4(2), 5.8.2(1), 11.3, 8.1] Exit 1 with the rule; the same with --anyway is recorded."""
    faulty(1, "[5.3(1)]", "do", "facility", "target=radio 1 by B-1+B-52", "target=done")
    companion("adjust", "central radar 1.damaged", "1", "--why", "test")
    companion("adjust", "central radar 2.damaged", "1", "--why", "test")
    words = ("do", "facility", "target=radio 1 by B-1", "target=done", "--dice", "6,6")
    faulty(1, "both Radars of the sector (central) are destroyed", *words, "intercept=MiG-23")
    assert companion(*words, "intercept=none").code == 0
    companion("adjust", "flag:phase", "facility", "--why", "test")
    assert companion("do", "facility", "target=radio 2 by DDG-1", "target=done", "--dice", "6").code == 0
    companion("adjust", "flag:phase", "facility", "--why", "test")
    faulty(1, "each ship does so once a game [2.5.4(2)]", "do", "facility", "target=radio 2 by DDG-1", "target=done")
    companion("do", "supply", "oos=none")
    faulty(1, "4 units in a hex", "do", "move", "units=1/3ID", "way=plain", "stacked=2/3ID, 3/3ID, DivArty", "attack=none")
    result = companion("do", "move", "units=1/3ID", "way=plain", "stacked=2/3ID, 3/3ID, DivArty", "excess=none", "attack=none",
                       "--anyway")  # fmt: skip
    assert result.code == 0
    assert "Recorded anyway: 4 units in a hex" in " ".join(result.out.split())


@pytest.mark.usefixtures("session")
def test_sorties_and_command_points() -> None:
    """[5.8.2(1), 11.3] A sortie more than there are Air Fields, and an attack without a command point."""
    companion("do", "facility", "target=radio 1 by B-1", "target=radio 2 by B-52", "target=radio 3 by F-15", "target=done",
              "intercept=1 MiG-23, 2 MiG-25, 3 Su-25")  # fmt: skip
    faulty(1, "[5.8.2(1)]", "do", "bomb", "target=11D by F-16", "where=open", "target=done", "intercept=Su-20", "--dice", "6")
    companion("do", "supply", "oos=none")
    companion("do", "end")
    companion("do", "supply", "oos=none", "source=die", "--dice", "1")
    faulty(1, "[11.3]", "do", "move", "units=SRG1, SRG2", "way=stay", "attack=1/3ID")
    companion("do", "move", "units=SRG1", "way=stay", "attack=none")
    faulty(1, "[11.3]", "do", "move", "units=SRG2", "way=stay", "attack=1/3ID")
    assert companion("do", "move", "units=SRG2", "way=stay", "attack=none", "--anyway").code == 0


@pytest.mark.usefixtures("session")
@pytest.mark.parametrize(
    ("text", "argv"),
    [
        ("no air unit 'B-99'", ("target=radio 1", "group=B-99")),
        ("could be", ("target=radar 1",)),
        ("no facility box", ("target=death star",)),
        ("not asked for: colour=red", ("target=done", "colour=red")),
    ],
)
def test_what_cannot_be_read(text: str, argv: tuple[str, ...]) -> None:
    """[5.1.1(2), 6.2] Exit 2, and nothing is kept; a group that the rules do not know is refused by its rule."""
    faulty(2, text, "do", "facility", *argv)
    faulty(1, "one unit on a mission", "do", "facility", "target=radio 1", "group=B-1+F-15+F-16")
    assert "Facility Bombing Phase" in companion("status").out


@pytest.mark.usefixtures("session")
def test_invalid_dice() -> None:
    """[5.7(1)] A seven, and too few dice."""
    faulty(2, "a d6 shows no 7", "do", "facility", "target=radio 1 by B-1", "target=done", "intercept=none", "--dice", "7,1")
    faulty(2, "not asked for", "do", "facility", "target=done", "--dice", "1")


@pytest.mark.usefixtures("session")
def test_out_of_sequence() -> None:
    """[4.1(4), 4.1(1), 16.2] Warned, and recorded if the player insists."""
    faulty(1, "the Supply Check comes first [4.1(4)]", "do", "move")
    faulty(1, "the option paratroops is off", "do", "drop")
    companion("do", "bomb", "target=done")
    faulty(1, "the Facility Bombing Phase is over [4.1(1)]", "do", "facility", "target=done")
    result = companion("do", "facility", "target=done", "--anyway")
    assert result.code == 0
    assert "Out of sequence, recorded anyway" in result.out


@pytest.mark.usefixtures("session")
def test_odds_from_the_shell() -> None:
    """[5.2, 13.4, 11.1] One line each; missing answers end with exit code 3."""
    faulty(0, "83.3 %", "odds", "iraqwar2003", "mission", "bomber=0-0-5")
    faulty(0, "Best: 6A", "odds", "iraqwar2003", "target", "bomber=B-1", "targets=radio: 3, 6A: none")
    faulty(0, "defender destroyed or retreats", "odds", "iraqwar2003", "combat", "attack=6", "defence=4")
    faulty(0, "by the die", "odds", "iraqwar2003", "cp")
    faulty(3, "bomber", "odds", "iraqwar2003", "mission")


@pytest.mark.usefixtures("session")
def test_look_ups_need_no_session_of_their_own() -> None:
    """[12.2, 13.1(5)] The cost of a path and a described combat, with the known chart."""
    faulty(0, "The way costs 5 MP; 1 of 6 are left.", "do", "cost", "move=6", "fly=no", "way=from zoc, road zoc")
    faulty(0, "column 1-1", "do", "battle", "attack=6", "defence=4", "left=0", "shift=0", "--dice", "6")
