"""Loading and checking ``tables/<game>/``."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.core.errors import BadData, Unreadable
from companion.games import GAMES
from companion.session import files, tables
from companion.session.table_checks import examine_tables
from tests.support import tiny
from tests.support.commands import companion

ROOT = Path(__file__).parents[2]

Broken = Callable[[str, str, str], list[str]]


@pytest.fixture
def copied(tmp_path: Path, tiny_game: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The tables of the made-up game, to be spoilt."""
    folder = tmp_path / "tables"
    shutil.copytree(tiny.TABLES, folder)
    monkeypatch.setenv("COMPANION_TABLES", str(folder))
    return folder / "tiny"


@pytest.fixture
def broken(copied: Path) -> Broken:
    def spoil(name: str, old: str, new: str) -> list[str]:
        file = copied / name
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new, 1))
        return tables.check("tiny")

    return spoil


@pytest.mark.parametrize("game", sorted(GAMES))
def test_tables_of_every_game_have_no_faults(game: str) -> None:
    assert tables.check(game) == []
    loaded = tables.load(game)
    assert loaded.rules and loaded.game["scenarios"]
    for chart in loaded.charts.values():
        assert chart.rule in loaded.rules


def test_loading_gives_values(tiny_game: str) -> None:
    loaded = tables.load(tiny_game)
    assert loaded.charts["find"].number(5, "supply") == 1
    assert loaded.rules["2.1"].see == ("1.1",)
    assert loaded.rules["1.0"].reason == "Introduction only."
    assert [(clause.key, clause.tests, bool(clause.left)) for clause in loaded.rules["1.1"].clauses] == [
        ("ford", ("test_1_1_the_ford",), False),
        ("stores", (), True),
    ]
    assert loaded.rulings["T-1"].choices == ("one", "two")
    assert loaded.counters["counter"][1]["count"] == 3
    assert len(loaded.bot) == 0
    assert list(loaded.charts) == ["find"]
    with pytest.raises(Unreadable, match="no chart 'x'"):
        loaded.charts["x"]


def test_a_game_without_tables(tiny_game: str) -> None:
    for name in ("nothing", "../tiny"):
        with pytest.raises(BadData, match="no tables") as caught:
            tables.load(name)
        assert caught.value.exit_code == 4


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        ("game.toml", 'title = "The Ford"', 'titel = "x"', "game.toml: titel: unknown key"),
        ("game.toml", 'title = "The Ford"', 'titel = "x"', "game.toml: title: is missing"),
        ("game.toml", "high = 20", "high = -9", "game.toml: tracks.supply: low -3 is above high -9"),
        ("game.toml", "high = 20", 'high = "20"', "game.toml: tracks.supply.high: must be a whole number, not '20'"),
        ("game.toml", 'names = ["low", ', "names = [", "game.toml: tracks.mood.names: 2 names do not fit 0 to 2"),
        ("game.toml", 'rule = "1.1"', "", "game.toml: tracks.supply.rule: is missing"),
        ("game.toml", 'rule = "1.1"', 'rule = "9.9"', "game.toml: tracks.supply.rule: there is no rule 9.9 in rules.toml"),
        ("game.toml", 'rule = "1.1"', "rule = 1.1", "game.toml: tracks.supply.rule: a rule number is quoted text, not 1.1"),
        ("game.toml", 'camp = "Camp"', "camp = 3", "game.toml: places.camp: a title is text, not 3"),
        ("game.toml", 'default = "short"', 'default = "tall"', "game.toml: options.length.default: must be one of the choices"),
        ("game.toml", 'choices = ["short", "long"]', 'choices = ["short"]', "options.length.choices: a choice needs two"),
        ("game.toml", 'cups = ["bag"]', 'cups = "bag"', "game.toml: cups: must be a list"),
        (
            "game.toml",
            "low = -3",
            'low = -3\nopen = ["top"]',
            "game.toml: tracks.supply.open: must name bounds of the track, not 'top'",
        ),
        (
            "game.toml",
            "[options.length]",
            '[practice]\nlength = "long"\n[options]\nlength = 3\n[other]',
            "game.toml: options.length: is no table",
        ),
        (
            "game.toml",
            "[options.length]",
            '[practice]\nlength = "long"\n[options]\nlength = 3\n[other]',
            "game.toml: practice.length: there is no 'long'",
        ),
        ("rules.toml", 'handling = "none"', 'handling = "maybe"', "rules.toml: rule 1.0.handling: 'maybe' is none of"),
        ("rules.toml", 'reason = "Introduction only."', "", "rules.toml: rule 1.0.reason: is missing"),
        ("rules.toml", 'number = "1.2"', 'number = "1.1"', "rules.toml: rule 1.1: there twice"),
        ("rules.toml", 'see = ["1.1"]', 'see = ["7.7"]', "rules.toml: rule 2.1.see: there is no rule 7.7"),
        ("rules.toml", 'gist = "Three levels."', "", "rules.toml: rule 1.2.gist: is missing"),
        ("rules.toml", 'rulings = ["T-1"]', 'rulings = ["T-2"]', "rules.toml: rule 1.1.rulings: there is no ruling 'T-2'"),
        ("rules.toml", 'number = "1.2"', "number = 1.2", "rules.toml: rule no. 3 of the file.number: must be text, not 1.2"),
        ("rules.toml", "says =", "sais =", "rules.toml: rule 1.1.clauses.ford.sais: unknown key"),
        ("rules.toml", "says =", "sais =", "rules.toml: rule 1.1.clauses.ford.says: is missing"),
        ("rules.toml", "ford =", "Ford =", "rules.toml: rule 1.1.clauses.Ford: the name of a clause is one lower-case word"),
        (
            "rules.toml",
            'test = "test_1_1_the_ford"',
            "test = 3",
            "rules.toml: rule 1.1.clauses.ford.test: must be text or a list, not 3",
        ),
        (
            "rules.toml",
            ', test = "test_1_1_the_ford"',
            "",
            "rules.toml: rule 1.1.clauses.ford: needs either a test, or what is left to the player",
        ),
        ("rulings.toml", 'rules = ["1.1"]', 'rules = ["8.8"]', "rulings.toml: ruling T-1.rules: there is no rule 8.8"),
        ("rulings.toml", 'rules = ["1.1"]', "rules = []", "rulings.toml: ruling T-1.rules: is empty"),
        ("rulings.toml", '["one", "two"]', '["one"]', "rulings.toml: ruling T-1.choices: a switch needs two"),
        ("rulings.toml", ", two =", ", too =", "rulings.toml: ruling T-1.meaning.two: is missing"),
        ("rulings.toml", ", two =", ", too =", "rulings.toml: ruling T-1.meaning.too: there is no such choice"),
        ("rulings.toml", 'option = "ford_cost"', "", "rulings.toml: ruling T-1.choices: without an option"),
        ("counters.toml", "count = 2", "count = -2", "counters.toml: counter no. 1.count: must be a whole number from 0, not -2"),
        ("counters.toml", "count = 2", "count = true", "counters.toml: counter no. 1.count: must be a whole number"),
        ("counters.toml", "count = 2", 'rule = "6.6"', "counters.toml: counter no. 1.rule: there is no rule 6.6"),
        ("charts/find.toml", '"4-5"', '"5"', "charts/find.toml: rows: nothing for 4 to 4"),
        ("charts/find.toml", '"4-5"', '"3-5"', "charts/find.toml: rows.3-5: overlaps"),
        ("charts/find.toml", '"6" = [2]', "", "charts/find.toml: rows: nothing for 6 and above"),
        ("charts/find.toml", "= [2]", '= ["2"]', "charts/find.toml: rows.6: supply cannot be '2'"),
        ("charts/find.toml", "= [2]", "= [2, 3]", "charts/find.toml: rows.6: 2 of 1 cell"),
        ("charts/find.toml", 'rule = "2.3"', "", "charts/find.toml: 'rule' is missing"),
        ("charts/find.toml", 'rule = "2.3"', 'rule = "5.5"', "charts/find.toml: rule: there is no rule 5.5"),
        ("charts/find.toml", 'source = "none"', 'sauce = "none"', "charts/find.toml: unknown key 'sauce'"),
        ("charts/find.toml", "[columns]", "columns = 3\n[colums]", "charts/find.toml: 'columns' is missing or is no table"),
        ("charts/find.toml", 'die = "1d6"', 'die = "1d6', "charts/find.toml: syntax: "),
        ("charts/find.toml", 'die = "1d6"', 'die = "1d6"\nnames = ["a"]', "needs exactly one of 'die', 'scale' and 'names'"),
        ("charts/find.toml", 'die = "1d6"', "names = 3", "charts/find.toml: file: is not a valid chart"),
    ],
)
def test_each_fault_is_named(broken: Broken, name: str, old: str, new: str, fault: str) -> None:
    faults = broken(name, old, new)
    assert any(fault in line for line in faults), faults


def test_syntax_fault_names_the_line(broken: Broken) -> None:
    assert "at line 9" in broken("charts/find.toml", "[rows]", "rows]")[0]


def test_all_faults_of_all_files_at_once(copied: Path, broken: Broken) -> None:
    broken("game.toml", "high = 20", "high = -9")
    broken("rulings.toml", 'rules = ["1.1"]', 'rules = ["8.8"]')
    (copied / "extra.toml").write_text("")
    (copied / "charts" / "second.toml").write_bytes(b"\xff")
    faults = broken("charts/find.toml", '"6" = [2]', "")
    assert len(faults) == 5, faults
    with pytest.raises(BadData, match="have 5 faults") as caught:
        tables.load("tiny")
    assert list(caught.value.faults) == faults


def test_missing_files_are_named(copied: Path) -> None:
    (copied / "game.toml").unlink()
    assert "game.toml: file: is missing" in tables.check("tiny")
    (copied / "rules.toml").unlink()
    assert "rules.toml: file: is missing" in tables.check("tiny")


class TestCache:
    """What was found without fault is not read again, and never trusted when anything has changed."""

    @pytest.fixture(autouse=True)
    def own_cache(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("COMPANION_CACHE", str(tmp_path / "cache"))

    def cache(self) -> Path:
        (file,) = Path(os.environ["COMPANION_CACHE"]).iterdir()
        return file

    def test_is_read_instead_of_the_files(self, copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        first = tables.load("tiny")
        monkeypatch.setattr("companion.session.table_checks.examine_tables", lambda folder: pytest.fail("read again"))
        second = tables.load("tiny")
        for part in ("game", "charts", "rules", "rulings", "counters", "bot"):
            assert dict(getattr(first, part)) == dict(getattr(second, part))

    def test_is_dropped_when_a_file_changes(self, copied: Path, broken: Broken) -> None:
        tables.load("tiny")
        broken("rules.toml", "A march costs one.", "A march costs two.")
        assert tables.load("tiny").rules["1.1"].gist == "A march costs two."

    def test_is_dropped_when_a_file_comes_or_goes(self, copied: Path) -> None:
        tables.load("tiny")
        shutil.copy(copied / "charts" / "find.toml", copied / "charts" / "found.toml")
        assert set(tables.load("tiny").charts) == {"find", "found"}

    def test_never_hides_a_fault(self, copied: Path, broken: Broken) -> None:
        tables.load("tiny")
        broken("charts/find.toml", "= [2]", '= ["2"]')
        for _ in range(2):
            with pytest.raises(BadData, match="a fault"):
                tables.load("tiny")

    @pytest.mark.parametrize("spoil", [lambda text: b"", lambda text: text[:-20], lambda text: b"x" + text])
    def test_damaged_cache_is_ignored(self, copied: Path, spoil: Callable[[bytes], bytes]) -> None:
        tables.load("tiny")
        good = self.cache().read_bytes()
        self.cache().write_bytes(spoil(good))
        assert tables.load("tiny").charts["find"].number(6, "supply") == 2
        assert self.cache().read_bytes() == good

    def test_damaged_part_of_the_cache_is_ignored(self, copied: Path) -> None:
        tables.load("tiny")
        lines = self.cache().read_bytes().split(b"\n")
        self.cache().write_bytes(b"\n".join(b"{" if at == 3 else line for at, line in enumerate(lines)))
        assert tables.load("tiny").charts["find"].number(6, "supply") == 2

    def test_unwritable_cache_is_ignored(self, copied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "file").write_text("")
        monkeypatch.setenv("COMPANION_CACHE", str(tmp_path / "file" / "below"))
        assert tables.load("tiny").charts["find"].number(6, "supply") == 2


def test_a_chart_is_built_once(tiny_game: str) -> None:
    charts = tables.load(tiny_game).charts
    assert charts["find"] is charts["find"]
    assert "find" in charts and "x" not in charts and len(charts) == 1


def test_examine_gives_the_parts(tiny_game: str) -> None:
    parts, faults = examine_tables(files.game_folder(tiny_game))
    assert set(parts) == set(tables.PARTS) and not faults


def test_tables_of_the_checkout_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMPANION_TABLES", raising=False)
    assert os.path.isdir(os.path.join(files.tables_dir(), next(iter(GAMES))))


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        ("game.toml", "ops = 65", 'ops = "many"', "scenario_data.vigilant_resolve.ops: must be a whole number, not 'many'"),
        ("game.toml", "nodes_on_map = ", "nodes_on_map = true # ", "setup.nodes_on_map: must be a whole number, not True"),
        ("ai.toml", "balance = ", 'balance = "even" # ', "buy.balance: must be a whole number, not 'even'"),
    ],
)
def test_value_of_another_type_than_shipped_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, old: str, new: str, fault: str
) -> None:
    """Only the game's rules read such values, and they would fail there."""
    shutil.copytree(ROOT / "tables" / "fallujah2004", tmp_path / "fallujah2004")
    path = tmp_path / "fallujah2004" / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    monkeypatch.setenv("COMPANION_TABLES", str(tmp_path))
    checked = companion("tables", "check", "fallujah2004")
    assert checked.code == 4 and f"{name}: {fault}" in " ".join((checked.out + checked.err).split())
    assert companion("new", "fallujah2004", "--seed", "1").code == 4


def test_value_of_another_type_in_another_scenario_is_a_fault(copied: Path) -> None:
    with (copied / "game.toml").open("a", encoding="utf-8") as file:
        file.write('\n[scenario_data.day]\nops = 3\n[scenario_data.night]\nops = "many"\n')
    faults = examine_tables(str(copied))[1]
    assert "game.toml: scenario_data.night.ops: must be a whole number, not 'many'" in faults


def test_faults_of_a_catalogue_of_messages_are_listed(copied: Path) -> None:
    """With file, id and key; a sound one is read."""
    file = copied / "messages.toml"
    file.write_text(
        '[march]\ntext = "{unit} marches {how}"\nuse = ["line"]\nfields = { how = ["fast", "*"] }\n[fast]\ntext = "fast"\n'
    )
    assert tables.check("tiny") == []
    assert dict(tables.load("tiny").messages)["fast"] == {"text": "fast"}

    file.write_text(
        '[march]\ntext = "{unit marches"\n[halt]\nwords = "it halts"\n[rest]\ntext = "{a}"\nfields = { a = ["none"] }\n'
    )
    assert tables.check("tiny") == [
        "messages.toml: march.text: a brace without a field in '{unit marches'; a brace of the text is doubled",
        "messages.toml: halt.words: unknown key",
        "messages.toml: halt.text: is missing",
        "messages.toml: rest.fields.a: there is no message 'none'",
    ]


def test_a_game_with_a_catalogue_speaks_by_messages(copied: Path) -> None:
    """Lines, reasons and questions of a game from elsewhere: by what its author has listed."""
    (copied / "messages.toml").write_text('[rest]\ntext = "march"\nuse = ["reason"]\n', encoding="utf-8")
    companion("new", "tiny")
    event = companion("do", "march", "red", "ford", "--dice", "1", "--json").json["events"][0]

    assert event["messages"] == {"why": {"id": "tiny.rest", "arguments": {}}}
    listed = companion("games", "tiny", "--messages", "--json").json
    assert (listed["game"], listed["templates"]) == (
        "tiny",
        [{"id": "tiny.rest", "text": "march", "uses": ["reason"], "fields": []}],
    )
