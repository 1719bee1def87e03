"""What the check of a game finds in its rules, and the time limit of a rule that neither asks nor ends."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.core.errors import BadData, Illegal, RuleFault
from companion.core.game import Game
from companion.core.odds import distribution
from companion.core.position import Position
from companion.core.procedures import ProcedureRun
from companion.core.referee import Referee
from companion.core.requests import Confirm
from companion.session import plugins, rule_checks
from companion.session.controller import SessionController
from companion.session.rule_checks import misspelt_names, one_way_neighbours, rule_faults
from companion.session.stalls import limited_rules
from companion.session.state import load_game
from companion.session.store import Archive
from companion.testing.plugin import check_rules
from tests.support.commands import companion
from tests.support.pages import DOCS, groups, put_down

Write = Callable[..., Game]
END_OF_SAILING = "    end_day(referee)\n\n\nasync def choose"


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Writes the template as a game, with a text of one of its files replaced, and loads it."""
    monkeypatch.setenv("COMPANION_GAMES", str(tmp_path / "games"))

    def harbour(old: str = "", new: str = "", file: str = "rules.py") -> Game:
        for name in [name for name in sys.modules if name.startswith(plugins.PLUGIN_PACKAGE)]:
            del sys.modules[name]
        folder = Path(plugins.write_game("harbour", own=True)[0])
        text = (folder / file).read_text()
        assert old in text
        (folder / file).write_text(text.replace(old, new, 1))
        return load_game("harbour")

    return harbour


@pytest.fixture
def ford(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Writes the game of the reference for authors, and returns its folder."""
    monkeypatch.setenv("COMPANION_GAMES", str(tmp_path / "games"))
    for shown in (shown for group in groups(DOCS / "authors.md") for shown in group if " games/" in shown.command):
        put_down(shown)
    return tmp_path / "games" / "ford"


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('position.track("fuel")', 'position.track("fule")', "the game has no track 'fule'; it has 'fuel'"),
        ('position.at("drawn")', 'position.at("darwn")', "the game has no place 'darwn'; it has 'drawn'"),
        ('option("weather_back")', 'option("whether_back")', "the game has no option 'whether_back'; it has 'weather_back'"),
        ('make("weather"', 'make("wether"', "the game has no kind of piece 'wether'; it has 'weather'"),
        ('face="back"', 'face="bakc"', "the game has no face 'bakc'; it has 'back'"),
        ('chart("storm")', 'chart("strom")', "the game has no chart 'strom'; it has 'storm'"),
        ('"the tanks are empty", "2"', '"the tanks are empty", "22"', "the game has no rule '22'"),
    ],
)
def test_misspelt_name_in_the_source_is_found_where_no_game_comes(write: Write, old: str, new: str, fault: str) -> None:
    """A track or place that is read is 0 or empty if it is misspelt, and no error."""
    game = write(old, new)
    source = (Path(plugins.find_plugins().games["harbour"].origin) / "rules.py").read_text().splitlines()
    line = next(number for number, text in enumerate(source, 1) if new in text)
    assert misspelt_names(game) == [f"rules.py line {line}: {fault}"]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('"2", choices)', '"2", choices, suggest="sae")', "the question 'course' suggests what it does not offer: 'sae' is not"),
        ('Choice("coast",', 'Choice("sea",', "the question 'course' offers 'sea' twice: Which course [2], in the action 'sail'"),
        ("await referee.roll(", "[6] or referee.roll(", ""),
        (
            "    end_day(referee)\n\n\nasync def choose",
            "    [][1]\n\n\nasync def choose",
            "IndexError: list index out of range, ",
        ),
    ],
)
def test_games_for_trial_find_what_fails(write: Write, old: str, new: str, fault: str) -> None:
    faults = rule_faults(write(old, new))
    assert (len(faults) == 1 and fault in faults[0] and faults[0].startswith("rules.py line ")) if fault else faults == []


def test_a_roll_that_is_not_awaited_is_found(write: Write) -> None:
    (fault,) = rule_faults(write('    (face,) = await referee.roll("miles"', '    face = 1\n    referee.roll("miles"'))
    assert "a request was used without await: write 'await referee.roll(...)'" in fault and fault.startswith("rules.py line ")


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("return Score(", "return (", "'score' returns no Score: "),
        ('return "sail" if', 'return "sial" if', "the default action 'sial' does not exist: sail, wait"),
        ('return Banner(f"Day', 'return [][0](f"Day', "IndexError: list index out of range"),
    ],
)
def test_what_the_game_shows_is_tried(write: Write, old: str, new: str, fault: str) -> None:
    (found,) = rule_faults(write(old, new, "game.py"))
    assert found.startswith("game.py line ") and fault in found


def test_fault_in_the_odds_of_a_situation_is_found(write: Write) -> None:
    (found,) = rule_faults(write('return Odds("A storm", "4", ', 'return ("A storm", "4", '))
    assert "returns no Odds: " in found and found.startswith("game.py line ")


@pytest.mark.parametrize(
    ("old", "new", "checked", "simulated"),
    [
        (
            'PlannedAction("end")',
            'PlannedAction("ende")',
            "the policy Captain of 'player' takes an unknown action 'ende': move, fire, end",
            "the policy Captain of 'player' takes an unknown action 'ende': move, fire, end (players.py line ",
        ),
        (
            '{"target": target.id, ',
            '{"target": target.name, ',
            "the policy Captain of 'player' gives an answer that is refused: target=Fox: 'Fox' is not an answer",
            "! Captain of 'player': target=Fox: 'Fox' is not an answer to 'Fire at which band' (players.py line ",
        ),
        (
            '{"squad": squad.id',
            '{"squat": squad.id',
            "the policy Captain plans 'move' with an answer to 'squat', a question that never came",
            "! planned actions 'move' answer the question 'squat', which never came",
        ),
        (
            "class FordPlayers",
            '    def reply(self, context):\n        return "Atlantis"\n\n\nclass FordPlayers',
            "the policy Captain of 'player' gives an answer that is refused: target=Atlantis: ",
            "! Captain of 'player': target=Atlantis: 'Atlantis' is not an answer to 'Fire at which band' (players.py line ",
        ),
    ],
)
def test_fault_of_a_policy_is_named_with_its_place(ford: Path, old: str, new: str, checked: str, simulated: str) -> None:
    path = ford / "players.py"
    text = path.read_text().replace(old, new, 1)
    if "Atlantis" in new:  # the policy is only asked what its plan leaves open
        text = text.replace('{"target": target.id, "squads": [squad.id for squad in able]}', "{}")
    path.write_text(text)
    faults = rule_faults(load_game("ford"))
    assert [fault for fault in faults if checked in fault and fault.startswith("players.py line ")], faults
    done = companion("simulate", "ford", "--games", "2", "--policy", "player=bot", "--seed", "1")
    assert simulated in " ".join(done.out.split())


@pytest.mark.parametrize(
    ("file", "old", "new", "fault"),
    [
        ("rules.py", 'await referee.choose("to"', 'referee.choose("to"', "without await: write 'await referee.choose(...)'"),
        ("rules.py", "referee.piece(await request)", "referee.piece(request)", "without await: write 'await Choose(...)'"),
        ("rules.py", "await shoot(", "shoot(", "'shoot' was called without await: write 'await shoot(...)'"),
        ("rules.py", "await referee.roll", "referee.roll", "a request was used without await: write 'await referee.roll(...)'"),
        ("rules.py", '"4.1", "cup", tuple', '"4.1", "town", tuple', "'chit' draws from 'town', which is not among the `cups`"),
        ("rules.py", "    squad = ", "    print(1)\n    squad = ", "print() does not belong in a game: a rule says something"),
        ("game.py", "def banner", "def show", "the class Ford has no banner(position, options)"),
        ("game.py", "def score", "def count", "the class Ford has no score(position, options)"),
        ("game.py", "def referee", "def umpire", "the class Ford has no referee(position, options)"),
        ("game.py", "def over", "def ended", "the class Ford has no over(position), so the game never ends"),
        ("game.py", "str(loot), loot", "loot, loot", "Field(key, label, value, number) whose value is no text: 0"),
        ("game.py", '"5.2"), ("Loot"', '), ("Loot"', "with an item that is not (label, points, rule): ('Bands lost', 0)"),
        ("game.py", "return rules.ended(position)", "return None", "'over' returns no text, empty while the game goes on: None"),
        ("drawing.py", "PRINTED, cell, ", "PRINTED, (0, 0), ", "makes a map with 'camp' and 'hill' in the same cell (0, 0)"),
        ("tables/ai.toml", '"lowest"', '"least"', "ai.toml: march 2: keep: 'least' is none of true, false, highest, lowest"),
        ("tables/ai.toml", "# [4.2]", "marhc = 1\n# [4.2]", "ai.toml: marhc: nothing reads this section"),
    ],
)
def test_mistake_of_an_author_is_one_fault_with_its_place(ford: Path, file: str, old: str, new: str, fault: str) -> None:
    path = ford / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    done = companion("games", "ford", "--check")
    lines = " ".join(done.err.split()).split("ford/")[1:]
    assert len(lines) == 1 and fault in lines[0] and lines[0].startswith(Path(file).name), done.err
    assert done.code == BadData.exit_code and ("line " in lines[0] or "toml" in file)


def test_advice_to_take_an_unknown_action_is_a_fault_of_the_policy(ford: Path) -> None:
    path = ford / "players.py"
    path.write_text(path.read_text().replace('PlannedAction("end"), "end the turn"', 'PlannedAction("ende"), "end", 9.0'))
    companion("new", "ford")
    said = " ".join(companion("bot").err.split())
    assert "a fault in the rules of ford: the policy Captain of 'player' takes an unknown action 'ende'" in said
    assert "players.py line " in said


def test_mistake_of_an_author_is_no_fault_of_companion_at_the_table(ford: Path) -> None:
    """A field whose value is a number, which fails where the banner is shown."""
    path = ford / "game.py"
    path.write_text(path.read_text().replace("str(loot), loot", "loot, loot"))
    done = companion("new", "ford")
    assert "a fault in the rules of ford: 'banner' returns Field(key, label, value, number) whose value is no text" in done.err
    assert "ford/game.py line " in " ".join(done.err.split()).replace("/ ", "/")


def test_neighbours_one_way_are_found(ford: Path) -> None:
    assert one_way_neighbours(load_game("ford")) == []
    for name in [name for name in sys.modules if name.startswith(plugins.PLUGIN_PACKAGE)]:
        del sys.modules[name]
    path = ford / "areas.py"
    path.write_text(path.read_text().replace('("hill", "ford", "town")', '("ford", "town")'))
    assert one_way_neighbours(load_game("ford")) == ["areas.py: AREAS: 'hill' names 'mill', and not the other way"]


def test_contract_tests_tell_a_fault_of_the_rules_once(write: Write) -> None:
    write()
    check_rules("harbour")
    write_again = Path(plugins.find_plugins().games["harbour"].origin) / "rules.py"
    changed = write_again.read_text().replace('"turn", 1, ', '"turns", 1, ')  # of another size than the cached bytecode's source
    write_again.write_text(changed)
    for name in [name for name in sys.modules if name.startswith(plugins.PLUGIN_PACKAGE)]:
        del sys.modules[name]
    with pytest.raises(pytest.UsageError, match=r"rules\.py line \d+: the game has no track 'turns'"):
        check_rules("harbour")


needs_timer = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no interval timers")


async def endless(referee: Referee) -> bool:
    if await Confirm("go", "Go on", "1"):
        while True:
            pass
    return True


@needs_timer
def test_a_rule_that_computes_on_and_on_is_ended() -> None:
    with limited_rules(0.05), pytest.raises(RuleFault, match=r"computes for over 0\.05 s") as ended:
        ProcedureRun(Referee(Position(), {}, {}), endless(Referee(Position(), {}, {}))).send(True)
    assert ended.traceback[-2].name == "endless" and ended.value.__notes__ == ["after the question 'go'"]
    assert signal.getsignal(signal.SIGVTALRM) is signal.SIG_DFL and signal.getitimer(signal.ITIMER_VIRTUAL)[0] == 0


@needs_timer
def test_a_rule_that_computes_on_and_on_is_ended_in_odds() -> None:
    with limited_rules(0.05), pytest.raises(RuleFault, match="computes for over"):
        distribution(lambda: endless(Referee(Position(), {}, {})), lambda request: True)


@needs_timer
def test_many_questions_that_take_long_together_are_no_fault() -> None:
    async def patient() -> int:
        return sum([await Confirm("go", "Go on", "1") and sum(range(20_000)) for _ in range(400)])

    with limited_rules(0.05):
        run = ProcedureRun(Referee(Position(), {}, {}), patient())
        while run.request:
            run.send(True)
    assert run.result == 400 * sum(range(20_000))


@needs_timer
def test_check_ends_a_rule_that_does_not(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule_checks, "RULE_SECONDS", 0.1)
    game = write(END_OF_SAILING, "    while True:\n        pass\n\n\nasync def choose")
    (fault,) = rule_faults(game)
    assert fault.startswith("rules.py line ") and "the rule computes for over 0.1 s" in fault


def test_odds_of_rolls_without_end_are_a_fault(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each roll would else lead to six more paths, until memory is short."""
    monkeypatch.setattr("companion.core.odds.PATH_ROLLS", 20)
    monkeypatch.setattr("companion.core.referee.ACTION_QUESTIONS", 20)
    roll = '(face,) = await referee.roll("storm", "The storm", "4")'
    faults = rule_faults(write(roll, f"while True:\n        {roll}"))
    assert faults and all(fault.startswith("rules.py line ") and "is one of more than 20 " in fault for fault in faults), faults


def test_an_action_that_the_player_insists_on_may_have_nothing_to_ask(write: Write, tmp_path: Path) -> None:
    """It is refused by its obstacle; the rules need not foresee it."""
    write("choices = (", "choices = () if referee.position.track('fuel') > 4 else (")
    game = Path(plugins.find_plugins().games["harbour"].origin) / "game.py"
    text = game.read_text().replace('rule="2")', 'rule="2", when=lambda position: Obstacle("the harbour is closed", "2"))')
    game.write_text(text)
    for name in [name for name in sys.modules if name.startswith(plugins.PLUGIN_PACKAGE)]:
        del sys.modules[name]
    with Archive.open(str(tmp_path / "archive.sqlite3")) as archive:
        session = SessionController.create(archive, "harbour", seed="1")
        for anyway in (False, True):
            with pytest.raises(Illegal, match="the harbour is closed"):
                session.do("sail", anyway=anyway)
