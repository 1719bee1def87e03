"""Games from outside: of the user's folder and of installed distributions; what is wrong with one ends nothing else."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core.errors import BadData, Illegal
from companion.core.requests import AnyRequest
from companion.session import plugins, simulation
from companion.session.plugins import game_files
from companion.session.state import load_game
from companion.testing.player import RandomPlayer
from companion.testing.plugin import check_game
from companion.testing.table import Table
from tests.support.commands import companion

Put = Callable[..., Path]


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The user's folder, empty."""
    folder = tmp_path / "games"
    folder.mkdir()
    monkeypatch.setenv("COMPANION_GAMES", str(folder))
    monkeypatch.setenv("COMPANION_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(plugins, "LOADED_PLUGINS", {})
    simulation._load_with_facts.cache_clear()
    yield folder
    for name in [name for name in sys.modules if name.startswith(plugins.PLUGIN_PACKAGE)]:
        del sys.modules[name]


Change = Callable[[str], str]


def same(text: str) -> str:
    return text


@pytest.fixture
def put(games: Path) -> Put:
    """Puts the game that ``companion game new`` writes into the user's folder, with its source or its data changed."""

    def one(name: str = "harbour", change: Change = same, head: str = "api = 1\n") -> Path:
        for path, text in game_files(name, own=True):
            file = games / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text.replace("api = 1\n", head) if path == "tables/game.toml" else change(text))
        return games / name

    return one


def test_game_in_the_user_folder_is_played(put: Put) -> None:
    """Listed, begun by a prefix, played, taken back, reported, simulated, checked."""
    put()
    assert [game["id"] for game in companion("games", "--json").json["games"]][-1] == "harbour"
    assert companion("new", "harb", "--seed", "1").code == 0
    assert companion("do", "sail", "coast").code == 0
    assert companion("status", "--json").json["position"]["tracks"]["turn"] == 1
    assert "-> Set Day from 1 to 0" in companion("undo").out
    assert companion("redo").code == 0
    assert "# " in companion("report").out
    assert companion("simulate", "harbour", "--games", "3", "--seed", "1", "--json").json["games"] == 3
    assert companion("tables", "check", "harbour").out == companion("games", "harbour", "--check").out == "harbour: no fault\n"
    assert companion("--complete", "companion", "chart", "har").out.split() == ["harbour"]
    assert companion("doctor").code == 0


def test_single_file_game(games: Path) -> None:
    shutil.copytree(Path(plugins.__file__).parents[1] / "skeleton" / "tables", games / "tables" / "boat")
    source = "from companion.skeleton.game import SupplyBoat\n\n\nclass Boat(SupplyBoat):\n    id = 'boat'\n\n\nmake = Boat\n"
    (games / "boat.py").write_text(source)

    assert load_game("boat").title == "The Supply Boat"


def test_folder_is_shown_and_may_be_missing(games: Path) -> None:
    games.rmdir()
    assert companion("games", "--path").out == f"{games}\n"
    assert companion("games", "--json").json["faults"] == {}


def breaks(text: str) -> Callable[[str], str]:
    return lambda source: source.replace("def make(", f"{text}\n\n\ndef make(")


BAD: dict[str, tuple[Callable[[str], str], str]] = {
    "no import": (breaks("import there_is_none"), "cannot be loaded: ModuleNotFoundError: No module named 'there_is_none'"),
    "grammar": (breaks("def ("), "cannot be loaded: SyntaxError: invalid syntax"),
    "leaves": (breaks("raise SystemExit"), "cannot be loaded: SystemExit"),
    "make fails": (lambda text: text.replace("return SupplyBoat(tables)", "return 1 / 0"), "ZeroDivisionError: division by zero"),
    "no make": (lambda text: text.replace("def make(", "def made("), "has no make(tables)"),
    "no game": (lambda text: text.replace("return SupplyBoat(tables)", "return 7"), "returns int, not a Game"),
    "another id": (lambda text: text.replace('    id = "', '    id = "x'), "calls itself 'xbad', and is declared as 'bad'"),
}


@pytest.mark.parametrize("sort", BAD)
def test_bad_game_is_one_line_and_others_load(put: Put, sort: str) -> None:
    """Its place, what is wrong, and the cure; the others are listed and played."""
    home = put("bad", BAD[sort][0])
    put()
    told = companion("games", "--json").json

    assert [game["id"] for game in told["games"]][-1] == "harbour"
    assert list(told["faults"]) == ["bad"]
    line = told["faults"]["bad"]
    assert line.startswith(f"{home}: ") and BAD[sort][1] in line and line.endswith(". Correct it, or move it out of that folder")
    assert "Traceback" not in companion("games").err
    assert companion("new", "harbour").code == 0
    failed = companion("new", "bad")
    assert failed.code == 4 and BAD[sort][1] in " ".join(failed.err.split())
    assert companion("games", "bad", "--check").code == 4


@pytest.mark.parametrize(
    ("head", "told"),
    [
        ("api = 2\nlater = 1\n", "game.toml: api: 2 is newer than this Companion, which knows 1: update Companion"),
        ("", "game.toml: api: is missing: write api = 1"),
        ('api = "1"\n', "game.toml: api: must be a whole number, not '1'"),
    ],
)
def test_interface_version_is_checked_before_import(put: Put, head: str, told: str) -> None:
    """A newer one is refused with the cure, and by nothing else that it may bring."""
    put("bad", breaks("raise SystemExit"), head)
    with pytest.raises(BadData) as refused:
        load_game("bad")

    assert list(refused.value.faults) == [told]
    assert told in companion("games", "--json").json["faults"]["bad"]
    assert companion("tables", "check", "bad", "--json").json["error"]["faults"] == [f"bad/{told}"]


def test_missing_and_faulty_tables(put: Put) -> None:
    home = put("bad")
    (home / "tables" / "rules.toml").write_text("= nothing")
    faults = companion("games", "--json").json["faults"]
    assert faults["bad"].startswith(f"{home}: the tables of bad have ")
    shutil.rmtree(home / "tables")
    assert f"there are no tables: {home / 'tables'} is missing" in companion("games", "--json").json["faults"]["bad"]


def test_taken_id_is_refused_with_a_reason(put: Put) -> None:
    """The game of Companion is meant as before."""
    home = put("lzalbany")
    put("Loud")
    faults = companion("games", "--json").json["faults"]

    assert len(faults) == 2
    assert faults[f"lzalbany ({home})"].startswith(f"{home}: the id 'lzalbany' is taken by a game of Companion")
    assert "the id 'Loud' must be one lower-case word" in " ".join(faults.values())
    assert not load_game("lzalbany").title.startswith("The Supply Boat")


def test_output_of_a_game_stays_out_of_documents(put: Put) -> None:
    put(change=breaks("import sys\nsys.stdout.write('hello')"))
    found = companion("games", "--json")

    assert [game["id"] for game in found.json["games"]][-1] == "harbour"
    assert "hello" in found.err


# -- installed ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def installed(put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A distribution with a game, as pip leaves it."""
    site = tmp_path / "site"
    site.mkdir()
    shutil.move(put("quay"), site / "its_quay")
    about = site / "quay_game-1.2.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: quay-game\nVersion: 1.2\n")
    (about / "entry_points.txt").write_text("[companion.games]\nquay = its_quay\n")
    monkeypatch.syspath_prepend(site)
    yield site
    for name in [name for name in sys.modules if name.startswith("its_quay")]:
        del sys.modules[name]


def test_an_installed_game_is_found_by_its_entry_point(installed: Path) -> None:
    assert companion("new", "quay", "--seed", "1").code == 0
    assert companion("do", "sail", "coast").code == 0
    assert [game["id"] for game in companion("games", "--json").json["games"]][-1] == "quay"


def test_bad_installed_game_names_its_distribution(installed: Path) -> None:
    (installed / "its_quay" / "__init__.py").write_text("import there_is_none")
    told = companion("games", "--json").json["faults"]["quay"]

    assert told.startswith("quay-game 1.2: the game 'quay' cannot be loaded: ModuleNotFoundError")
    assert told.endswith(f"({installed / 'its_quay' / '__init__.py'} line 1). Update it, or: pip uninstall quay-game")


def test_entry_points_are_read_once_until_something_is_installed(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was found is kept from one command to the next; a distribution that goes away changes its folder."""
    read: list[int] = []
    declared = plugins._read_entry_points
    monkeypatch.setattr(plugins, "_read_entry_points", lambda: read.append(1) or declared())
    assert list(plugins.find_plugins().games) == list(plugins.find_plugins().games) == ["quay"]
    assert len(read) == 1

    shutil.rmtree(installed / "quay_game-1.2.dist-info")
    assert list(plugins.find_plugins().games) == []
    assert len(read) == 2


def test_user_folder_precedes_installed_games(installed: Path, put: Put) -> None:
    """Whoever changes a game has both."""
    mine = put("quay")
    there = plugins.find_plugins()

    assert there.games["quay"].origin == str(mine)
    assert [fault.message for fault in there.faults.values()] == [f"quay-game 1.2: the id 'quay' is taken by {mine}"]


@pytest.mark.parametrize("content", [b"[companion.games]\nx\n", b"[companion.games]\n\xff = y\n"], ids=["no value", "no text"])
def test_damaged_distribution_does_not_hide_other_games(installed: Path, content: bytes) -> None:
    damaged = installed / "aaa-1.0.dist-info"
    damaged.mkdir()
    (damaged / "METADATA").write_text("Metadata-Version: 2.1\nName: aaa\nVersion: 1.0\n")
    (damaged / "entry_points.txt").write_bytes(content)
    assert [game["id"] for game in companion("games", "--json").json["games"]][-1] == "quay"
    assert companion("new", "quay", "--seed", "1").code == 0


def test_an_entry_point_must_name_a_module(installed: Path) -> None:
    (installed / "quay_game-1.2.dist-info" / "entry_points.txt").write_text("[companion.games]\nquay = its_quay:make\n")

    (fault,) = plugins.find_plugins().faults.values()
    assert fault.message == "quay-game 1.2: the entry point 'quay' must name a module, not 'its_quay:make'"


def test_plug_ins_can_be_disabled(installed: Path, put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    put()
    monkeypatch.setenv("COMPANION_GAMES", "none")
    assert plugins.find_plugins() == ({}, {})


@pytest.mark.parametrize(
    "command", ["new lzalbany --option map=practice", "status", "chart lza", "tables check lzalbany", "sessions"]
)
def test_built_in_games_load_no_plug_ins(installed: Path, command: str) -> None:
    """Neither the folder nor entry points are looked at, nor what reads them loaded."""
    companion("new", "lzalbany", "--option", "map=practice", "--seed", "1")
    program = (
        "import atexit, os, sys\n"
        "sys.argv[0] = 'companion'\n"
        "heavy = ('importlib.metadata', 'its_quay')\n"
        "def look(*left): sys.stderr.write(' '.join(name for name in heavy if name in sys.modules)); sys.stderr.flush()\n"
        "atexit.register(look)\n"
        "leave = os._exit\n"
        "os._exit = lambda code: (look(), leave(code))\n"
        "from companion.cli.shell.main import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *command.split()], check=False, capture_output=True, text=True, timeout=60
    )

    assert (done.returncode, done.stderr) == (0, "")


# -- a game that is gone, or fails -------------------------------------------------------------------------------------


def test_session_of_a_removed_game_is_no_error(put: Put) -> None:
    """It says what is missing and how to have it again; sessions, stats, doctor and every other session go on."""
    home = put()
    companion("new", "harbour", "--seed", "1", "--name", "monday")
    companion("do", "sail", "coast")
    document = companion("bundle").out
    shutil.move(home, home.parent.parent / "away")
    for name in [name for name in sys.modules if name.startswith(plugins.PLUGIN_PACKAGE)]:
        del sys.modules[name]

    for words in ("status", "log", "undo", "report", "do sail", "status --json"):
        gone = companion(*words.split())
        assert gone.code == 4, words
        assert "session 'monday' is of the game 'harbour', which is not installed" in gone.err
        assert "Install that game again: the session is kept" in " ".join(gone.err.split())
    assert "monday" in companion("sessions").out
    assert companion("stats").code == 0
    found = companion("doctor", "--json")
    assert [one["what"] for one in found.json["findings"]] == ["Its game 'harbour' is not here"]
    (home.parent / "bundle.json").write_text(document)
    assert "the game 'harbour' is not installed" in companion("bundle", "--restore", str(home.parent / "bundle.json")).err
    assert companion("new", "lzalbany", "--option", "map=practice").code == 0
    assert companion("status").code == 0
    shutil.move(home.parent.parent / "away", home)
    assert companion("status", "--session", "monday").code == 0


def test_error_in_the_rules_names_file_and_contact(put: Put) -> None:
    """And says truly what was kept: the action is not, what was done before it is."""
    home = put(change=lambda text: text.replace('"5", "from the harbour"', '"5", {}[2]'))
    companion("new", "harbour", "--seed", "1")
    companion("do", "sail", "coast")
    line = next(at for at, text in enumerate((home / "rules.py").read_text().splitlines(), 1) if "{}[2]" in text)
    failed = companion("do", "wait")
    said = "".join(failed.err.split())

    assert failed.code == 70
    assert f"afaultintherulesofharbour:KeyError:2({home}/rules.pyline{line})" in said
    assert f"Whatwasdonebeforeitissaved:seecompanionstatus.Pleasereportittotheauthorof{home}" in said
    assert json.loads(companion("status", "--json").out)["position"]["tracks"]["turn"] == 1
    assert [entry["action"] for entry in companion("log", "--json").json["entries"]] == ["setup", "sail"]


LOOP = "while True:\n        "
SAID = 'referee.say("The cup is empty: every counter goes back", "3")'
IN_RULES: dict[str, tuple[str, str, str]] = {
    "no choices": (
        'Choose("course", "Which course", "2", choices)',
        'Choose("course", "Which course", "2", ())',
        "the question 'course' has no choices: Which course [2] ",
    ),
    "lazy choices": (
        'Choose("course", "Which course", "2", choices)',
        'Choose("course", "Which course", "2", lambda: ())',
        "the question 'course' has no choices: Which course [2] ",
    ),
    "chart": ('referee.chart("storm")', 'referee.chart("strom")', "the game has no chart 'strom': storm "),
    "column": ('chart.number(face, "lost")', 'chart.number(face, "lots")', "the chart 'storm' has no column 'lots': "),
    "row": ('chart.number(face, "lost")', 'chart.number(7, "lost")', "the chart 'storm': the "),
    "cup": ('"3", "cup", tuple(WEATHER))', '"3", "cpu", tuple(WEATHER))', "the game has no cup 'cpu' "),
    "empty cup": (
        '"3", "cup", tuple(WEATHER))',
        '"3", "drawn", ())',
        "the question 'weather' draws from 'drawn', which is empty: ",
    ),
    "endless lines": (
        "    end_day(referee)\n\n\nasync def choose",
        f"    {LOOP}{SAID}\n\n\nasync def choose",
        "the action does not end: ",
    ),
    "endless events": (
        "    end_day(referee)\n\n\nasync def choose",
        f"    {LOOP}end_day(referee)\n\n\nasync def choose",
        "the action does not end: ",
    ),
    "endless rolls": (
        '(face,) = await referee.roll("storm", "The storm", "4")',
        'while True:\n        (face,) = await referee.roll("storm", "The storm", "4")',
        "the question 'storm' is one of more than 20 of an action: The storm [4] ",
    ),
    "track": ('"turn", 1, "1", "a day passes"', '"trun", 1, "1", "a day passes"', "the game has no track 'trun' "),
    "place": ('"drawn", "3", "drawn"', '"darwn", "3", "drawn"', "the game has no place 'darwn' "),
    "mark": (
        'referee.say(f"The weather: {name}", "3")',
        'referee.mark(drawn.id if drawn else "", "wet", True, "3")',
        "the game has no mark 'wet' ",
    ),
    "piece": (
        'referee.say(f"The weather: {name}", "3")',
        'referee.flip("storm#99", "back", "3")',
        "there is no piece 'storm#99' ",
    ),
    "flag that is cleared": (
        'referee.say(f"The weather: {name}", "3")',
        'referee.set_flag("gale", None, "3")',
        "the game has no flag 'gale' ",
    ),
    "look-ups": (
        'name = await referee.draw("weather"',
        'while True:\n        await referee.known_facts("depth", "3")\n    name = await referee.draw("weather"',
        "'known depth' is one of more than 20 of an action [3] ",
    ),
    "no sides": ('"The storm", "4")', '"The storm", "4", sides=0)', "the question 'storm' rolls 1 d0: The storm [4] "),
}
SEED = "5"


def stormy(text: str) -> str:
    """Every counter is a storm, so that every rule is needed on the open sea."""
    return text.replace('{"Calm": 3, "Wind": 2, "Storm": 2}', '{"Storm": 7}')


@pytest.mark.parametrize("fault", IN_RULES)
def test_fault_in_the_rules_is_told_to_their_author(put: Put, monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    """With question, file and line, in play and in simulations; never as a mistake of the player."""
    monkeypatch.setattr("companion.core.referee.ACTION_CHANGES", 200)  # a set-up makes a dozen
    monkeypatch.setattr("companion.core.referee.ACTION_QUESTIONS", 20)
    old, new, what = IN_RULES[fault]

    def change(text: str) -> str:
        return stormy(text.replace(old, new))

    home = put("harbour", change)
    assert new in (home / "rules.py").read_text()
    assert companion("new", "harbour", "--seed", SEED).code == 0
    failed = companion("do", "sail", *(["sea"] if "choices" not in fault else []))
    told = " ".join(failed.err.split())
    assert failed.code == 70 and f"a fault in the rules of harbour: {what}" in told, told
    assert "rules.py line " in told and "to the author of" in told
    assert companion("undo").code in (0, 1) and companion("status").code == 0
    series = companion("simulate", "harbour", "--games", "2", "--seed", "1", "--policy", "random", "--json").json
    errors = [failure["error"] for failure in series["failures"]]
    assert errors and all(error.startswith(what.strip()) and "(rules.py line " in error for error in errors), errors
    assert all("in the action '" in error for error in [*errors, *([told] if fault != "lazy choices" else [])])
    checked = " ".join(companion("games", "harbour", "--check").err.split())
    lines = (home / "rules.py").read_text().splitlines()
    assert f"harbour/rules.py line {told.partition('rules.py line ')[2].partition(')')[0]}: " in checked, (checked, lines)


def test_set_up_action_and_obstacle_of_a_wrong_type_are_told_to_their_author(put: Put) -> None:
    home = put(change=lambda text: text.replace("async def set_up", "def set_up"))

    def failed(*words: str) -> str:
        return " ".join(companion(*words).err.split())

    where, plain = f"({home}/game.py line ", "is no 'async def': it returned None"
    assert f"a fault in the rules of harbour: 'setup' {plain} {where}" in failed("new", "harbour")
    (home / "rules.py").write_text((home / "rules.py").read_text().replace("def set_up", "async def set_up"))
    text = (home / "game.py").read_text().replace('return Obstacle("the', 'return "full" if True else ("the')
    (home / "game.py").write_text(text.replace("return sail(referee)", "return None"))
    for name in [name for name in sys.modules if name.startswith(plugins.PLUGIN_PACKAGE)]:
        del sys.modules[name]
    assert companion("new", "harbour").code == 0
    assert f"a fault in the rules of harbour: 'sail' {plain} {where}" in failed("do", "sail")
    assert f"a fault in the rules of harbour: what stands against 'wait' is no Obstacle: 'full' {where}" in failed("do", "wait")


def test_check_looks_at_the_made_up_set_and_the_policies(put: Put) -> None:
    home = put()
    (home / "tables" / "practice.toml").write_text('format = 1\ngame = "harbour"\n[facts]\n"depth:north" = "3"\n')
    checked = companion("games", "harbour", "--check")
    assert checked.code == 4 and "practice.toml" in checked.err and "depth:north" in checked.err
    (home / "tables" / "practice.toml").unlink()
    text = (home / "game.py").read_text()
    (home / "game.py").write_text(text + "\n    def make_players(self):\n        return there_are_none\n")
    for name in [name for name in sys.modules if name.startswith(plugins.PLUGIN_PACKAGE)]:
        del sys.modules[name]
    checked = companion("games", "harbour", "--check")
    assert checked.code == 4 and "NameError: name 'there_are_none' is not defined" in checked.err


def test_misspelt_cup_in_the_tables_is_a_fault(put: Put) -> None:
    home = put()
    path = home / "tables" / "game.toml"
    path.write_text(path.read_text().replace('cups = ["cup"]', 'cups = ["cpu"]'))
    checked = companion("games", "harbour", "--check")
    assert checked.code == 4 and "cups: there is no place 'cpu'" in checked.err


def test_refused_answers_of_a_policy_are_counted(put: Put) -> None:
    """Another answer replaces a refused one, so that the games of a faulty policy look like games of it."""
    policy = """
    def make_players(self):
        from companion.core.policies import Players, Policy

        class Coast(Policy):
            def reply(self, context):
                return context.request.check("cosat") if context.request.key == "course" else super().reply(context)

        class Boats(Players):
            def policies(self, seat):
                return {"coast": lambda: Coast(self), **super().policies(seat)}

        return Boats(self)
"""
    home = put()
    (home / "game.py").write_text((home / "game.py").read_text() + policy)
    simulated = companion("simulate", "harbour", "--games", "3", "--seed", "1", "--policy", "coast")
    assert simulated.code == 0 and "answers of the policies; others replaced them" in simulated.out
    for name, refused in (("coast", True), ("random", False), ("plain", False)):
        body = companion("simulate", "harbour", "--games", "3", "--seed", "1", "--policy", name, "--json").json
        assert (body["refused"] > 0) == refused and body["failed"] == 0


def test_fault_in_the_tables_is_one_error_of_the_contract_tests(put: Put) -> None:
    """Each of them would else fail with a traceback of its own."""
    put("bad", lambda text: text.replace('handling = "automated"', 'handling = "automatic"'))
    with pytest.raises(pytest.UsageError, match=r"rules\.toml: rule 1\.handling: 'automatic' is none of automated"):
        check_game("bad")
    with pytest.raises(pytest.UsageError, match="no game 'nothing'"):
        check_game("nothing")
    put()
    check_game("harbour")


def test_fault_in_random_play_names_the_action(tiny_game: str) -> None:
    class Failing(RandomPlayer):
        def on_question(self, procedure: Any, request: AnyRequest, replies: list[Any], results: list[Any]) -> None:
            assert self.position.pieces == {}, request.key

    player = Failing("tiny", "day", 1)
    with pytest.raises(AssertionError) as failed:
        for _ in range(20):
            player.turn()
    assert any(note.startswith("action '") and note.endswith("of tiny, scenario 'day'") for note in failed.value.__notes__)


def test_table_of_the_author_refuses_an_action_out_of_sequence(tiny_game: str) -> None:
    table = Table("tiny", "day")
    with pytest.raises(Illegal, match="it is not dark"):
        table.do("fire")
    table.do("fire", "fires=2", anyway=True)
