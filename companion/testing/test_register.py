"""Contract tests of the rule register: procedures and tests cite what it says is handled."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from companion.core.game import Game
from companion.core.rule_map import cited_rules
from companion.games import GAMES
from companion.session.files import game_folder
from companion.session.plugins import tables_folder
from companion.testing.citations import Citation, ClauseTold, clauses_told, in_source, in_tables
from companion.views.reference import find_rules

HANDLED = ("automated", "asked")


def _source(game: Game) -> list[Citation]:
    module = import_module(game.package)
    file = Path(module.__file__ or "")
    return in_source(file.parent if hasattr(module, "__path__") else file, game.tables.rules)


def _data(game: Game) -> list[Citation]:
    return in_tables(Path(game_folder(game.id) if game.id in GAMES else tables_folder(game.id)))


def _tests(game: Game, own_tests: Path) -> list[Citation]:
    return in_source(own_tests, game.tables.rules, lenient=True)


def _handled(game: Game) -> list[str]:
    return [number for number, rule in game.tables.rules.items() if rule.handling in HANDLED]


def test_every_rule_that_is_handled_is_cited_by_the_game(game: Game) -> None:
    """A procedure, chart or event cites every rule that is automated or asked."""
    cited = {citation.rule for citation in [*_source(game), *_data(game)]}
    uncited = [number for number in _handled(game) if number not in cited]
    assert not uncited, f"rules that no procedure, chart or event cites: {', '.join(uncited)}"


def test_every_rule_that_is_handled_is_cited_by_a_test(game: Game, own_tests: Path) -> None:
    cited = {citation.rule for citation in _tests(game, own_tests)}
    uncited = [number for number in _handled(game) if number not in cited]
    assert not uncited, f"rules that no test cites: {', '.join(uncited)}"


def test_every_citation_exists(game: Game) -> None:
    everywhere = [*_source(game), *_data(game)]
    unknown = [citation for citation in everywhere if citation.rule not in game.tables.rules]
    assert unknown == [], "citations of rules that rules.toml does not list"


def test_every_citation_of_a_test_exists(game: Game, own_tests: Path) -> None:
    unknown = [citation for citation in _tests(game, own_tests) if citation.rule not in game.tables.rules]
    assert unknown == [], "citations of rules that rules.toml does not list"


def test_a_rule_is_found_by_its_number_with_dots_for_brackets(game: Game) -> None:
    """``12.1.6`` finds 12.1(6), unless that is the number of another rule."""
    rules = game.tables.rules
    for number in rules:
        dotted = number.replace("(", ".").replace(")", "")
        assert find_rules(game, dotted)[0].number == (dotted if dotted in rules else number)


def test_every_ruling_and_its_rules_name_each_other(game: Game) -> None:
    rules, rulings = game.tables.rules, game.tables.rulings
    forth = {(number, ruling.id) for ruling in rulings.values() for number in ruling.rules}
    back = {(number, ruling) for number, rule in rules.items() for ruling in rule.rulings}
    assert forth - back == set(), "(rule, ruling): the ruling names the rule, whose `rulings` in rules.toml lacks it"
    assert back - forth == set(), "(rule, ruling): the rule names the ruling, whose `rules` in rulings.toml lack it"


def test_every_switch_is_tested_in_every_position(game: Game, own_tests: Path) -> None:
    """The tests name every option of a ruling and each choice other than the default."""
    tests = "\n".join(path.read_text(encoding="utf-8") for path in own_tests.rglob("*.py"))
    switches = [(ruling.option, choice) for ruling in game.tables.rulings.values() for choice in ruling.choices[1:]]
    untested = [switch for switch in switches if switch[0] not in tests or f'"{switch[1]}"' not in tests]
    assert untested == [], "(option, choice) that no test names"


def test_every_clause_is_named_by_its_tests(game: Game, own_tests: Path) -> None:
    """Clauses and the tests that name them agree."""
    rules = game.tables.rules
    told = set(clauses_told(own_tests, rules))
    written = {
        ClauseTold(rule.number, clause.key, test) for rule in rules.values() for clause in rule.clauses for test in clause.tests
    }
    assert sorted(written - told) == [], "clauses in rules.toml whose test does not name them, as in [2: fuel]"
    assert sorted(told - written) == [], "clauses that a test names, and rules.toml does not list with it"


def test_a_condition_is_a_clause(game: Game) -> None:
    """A handled rule whose gist names a condition or exception has clauses."""
    conditions = re.compile(r"\b(unless|except|only|may not|cannot|instead)\b")
    rules = [game.tables.rules[number] for number in _handled(game)]
    bare = [rule.number for rule in rules if conditions.search(rule.gist) and not rule.clauses]
    assert not bare, f"rules whose gist names a condition (unless, except, only ...), without [rule.clauses]: {', '.join(bare)}"


def test_a_rule_that_nothing_handles_says_why(game: Game) -> None:
    """``none`` needs a reason, and no other handling has one."""
    wrong = [rule.number for rule in game.tables.rules.values() if bool(rule.reason) != (rule.handling == "none")]
    assert wrong == [], "rules with handling `none` and no `reason`, or with a reason and another handling"


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("a hit [16.8]", ["16.8"]),
        ("[14.5, 14.7] both", ["14.5", "14.7"]),
        ("[10.1(1) - 10.1(4)]", ["10.1(1)", "10.1(4)"]),
        ("[Search]", ["Search"]),
        ("[16.8: engineer, bridge] unless", ["16.8", "16.8"]),
        ("a list [1, 2], a key [ops], a [word]", []),
    ],
)
def test_what_counts_as_a_citation(text: str, cited: list[str]) -> None:
    """Text in brackets is a citation only if every part is a rule or looks like one."""
    assert list(cited_rules(text, ["Search"])) == cited


def test_every_gist_is_a_sentence_of_its_own(game: Game) -> None:
    """A gist states the rule: it is no heading, no question and no continuation."""
    rules = game.tables.rules.values()
    short = [rule.number for rule in rules if "eading" in rule.gist or len(rule.gist.split()) < 4]
    assert short == [], "rules whose gist is a heading, or shorter than four words"
    continued = [rule.number for rule in rules if rule.gist.split(" ")[0] in ("And", "Is", "Are", "Does", "Then,")]
    assert continued == [], "rules whose gist is a question or a continuation"
    vague = [rule.number for rule in rules if "eading" in rule.reason or "follow" in rule.reason]
    assert vague == [], "rules whose reason only points elsewhere"
