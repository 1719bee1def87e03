"""What there is to look up: games with their scenarios and options, the rule register, charts, printed facts."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from companion.core.charts import Chart
from companion.core.errors import Unreadable
from companion.core.game import Fact, Game
from companion.core.register import Clause, Rule
from companion.core.words import clean, normalised, plural
from companion.session.facts import list_facts, missing_facts
from companion.views.lines import BLANK, WIDTH, Line, aligned_columns, table_lines


def _section(title: str, rows: Sequence[Sequence[str]]) -> list[Line]:
    return [BLANK, Line(title, "title"), *table_lines(rows, indent="  ")] if rows else []


def _option_section(game: Game) -> list[Line]:
    lines = [BLANK, Line("Options (new --option NAME=CHOICE; the first or marked choice is the default)", "title")]
    for option in game.options.values():
        choices = " | ".join(f"*{choice}" if choice == option.default else choice for choice in option.choices) or "any text"
        lines.append(Line(f"{option.title}: {choices}", "", option.rule, f"  {option.id}  "))
        ruling = game.tables.rulings.get(option.ruling)
        if ruling:
            lines += [Line(f"{choice}: {text}", "dim", "", "    ") for choice, text in ruling.meaning.items()]
    return lines if game.options else []


def _missing_rows(game: Game, counts: Mapping[str, int]) -> list[tuple[str, str]]:
    rows = [(key, f"{count} - {fact.title}") for key, count in counts.items() for fact in game.facts if fact.id == key]
    return [*rows, *((fact.id, f"as they come up - {fact.title}") for fact in game.facts if is_open_ended(fact))]


def game_lines(game: Game, counts: Mapping[str, int]) -> list[Line]:
    """Everything that a game offers. ``counts``: how many values of each printed fact are still to be copied."""
    lines = [Line(f"{game.title} ({game.id})", "title"), Line(game.edition, "dim")]
    lines += _section("Scenarios", [(item.id, f"{item.title} [{item.rule}]") for item in game.scenarios.values()])
    lines += _option_section(game)
    lines += _section("Actions", [(item.id, f"{item.title} [{item.rule}]") for item in game.actions])
    lines += _section("Odds of", [(item.id, f"{item.title} [{item.rule}]") for item in game.situations])
    lines += _section("Charts", [(item.id, f"{item.title} [{item.rule}]") for item in game.tables.charts.values()])
    lines += _section("Still to be copied from your set", _missing_rows(game, counts))
    switched = sum(bool(item.option) for item in game.tables.rulings.values())
    rulings = plural(len(game.tables.rulings), "ruling")
    told = f"{len(game.tables.rules)} rules in the register, {rulings}, of them options: {switched}"
    return [*lines, BLANK, Line(told)]


def game_data(game: Game, counts: Mapping[str, int]) -> dict[str, Any]:
    """The same as plain data."""
    return {
        "game": game.id,
        "title": game.title,
        "edition": game.edition,
        "scenarios": [dict(item._asdict()) for item in game.scenarios.values()],
        "options": [{**item._asdict(), "choices": list(item.choices)} for item in game.options.values()],
        "actions": [{"id": item.id, "title": item.title, "rule": item.rule} for item in game.actions],
        "situations": [{"id": item.id, "title": item.title, "rule": item.rule} for item in game.situations],
        "charts": [{"id": item.id, "title": item.title, "rule": item.rule} for item in game.tables.charts.values()],
        "missing": dict(counts),
        "rulings": [{**item._asdict(), "meaning": dict(item.meaning)} for item in game.tables.rulings.values()],
    }


def find_rules(game: Game, words: str) -> list[Rule]:
    """The rules that a number, a title or some words mean: the rule itself with its cases, else every rule with all the words.

    Raises:
        Unreadable: there is none.
    """
    rules = game.tables.rules
    called = [key for key in rules if normalised(key) == normalised(words)] or [
        key for key, rule in rules.items() if normalised(rule.title) == normalised(words)
    ]
    if called:
        return [rules[key] for one in called for key in (one, *(key for key in rules if _is_case_of(one, key)))]
    number = words.strip()
    found = [rule for key, rule in rules.items() if _is_case_of(number, key)]
    if not found:
        wanted = normalised(words).split()
        found = [rule for rule in rules.values() if wanted and all(word in _search_text(rule) for word in wanted)]
    if not found:
        raise Unreadable(
            f"no rule of {game.title} is numbered or speaks of '{clean(words)}'", cure=f"See: companion rule {game.id}"
        )
    return found


def _is_case_of(number: str, key: str) -> bool:
    """Whether a rule number is a case of another: 16.8(2) of 16.8, 16.8 of 16 and of 16.0."""
    if key == number:
        return False
    stem = number.removesuffix(".0")
    return key.startswith((stem + ".", stem + "(")) if stem else False


def _search_text(rule: Rule) -> str:
    return normalised(" ".join([rule.title, rule.gist, rule.errata, *(clause.says for clause in rule.clauses)]))


def _clause_line(clause: Clause) -> Line:
    return Line(f"{clause.says} Left to you: {clause.left}" if clause.left else clause.says, "", "", "  - ")


def rule_lines(game: Game, rule: Rule) -> list[Line]:
    """One entry of the register, whole."""
    lines = [Line(rule.title, "title", "", f"{rule.number}  "), Line(rule.gist), *map(_clause_line, rule.clauses)]
    handled = f"Handled: {rule.handling}" + (f" - {rule.reason}" if rule.reason else "")
    lines.append(Line(handled, "track"))
    if rule.errata:
        lines.append(Line(f"Errata: {rule.errata}", "reminder"))
    for ruling_id in rule.rulings or [key for key, item in game.tables.rulings.items() if rule.number in item.rules]:
        ruling = game.tables.rulings.get(ruling_id)
        if ruling:
            lines.append(Line(f"{ruling.question} {ruling.answer}", "board", "", f"Ruling {ruling.id}: "))
    if rule.see:
        lines.append(Line(f"See also {', '.join(rule.see)}", "dim"))
    return lines


def rule_search_lines(game: Game, rules: list[Rule], text: str) -> list[Line]:
    """One rule whole and its cases below it; a search or the register as a list."""
    if not text or rules[0].number != text.strip():
        return [*rule_lines(game, rules[0])] if text and len(rules) == 1 else rule_list_lines(rules)
    lines = rule_lines(game, rules[0])
    return [*lines, BLANK, *rule_list_lines(rules[1:])] if rules[1:] else lines


def code_lines(rules: Sequence[Rule], code: Mapping[str, Sequence[str]]) -> list[Line]:
    """Where rules are carried out, one a line; of one that no function carries out, how it is handled. Behind it the tests of
    its clauses.

    ``code``: rule number -> ``module:function`` of each function.
    """
    told = {
        rule.number: [
            *(code.get(rule.number) or [f"{rule.title} ({rule.handling})"]),
            *(f"{clause.key}: {test}" for clause in rule.clauses for test in clause.tests),
        ]
        for rule in rules
    }
    return table_lines([("" if at else number, one) for number, names in told.items() for at, one in enumerate(names)])


def rule_data(game: Game, rule: Rule) -> dict[str, Any]:
    """One entry of the register as plain data."""
    rulings = rule.rulings or [key for key, item in game.tables.rulings.items() if rule.number in item.rules]
    clauses = [clause._asdict() for clause in rule.clauses]
    return {**rule._asdict(), "see": list(rule.see), "rulings": list(rulings), "clauses": clauses}


def rule_list_lines(rules: Sequence[Rule]) -> list[Line]:
    """Number and title, one a line."""
    return table_lines([(rule.number, f"{rule.title} ({rule.handling})") for rule in rules])


def chart_lines(chart: Chart) -> list[Line]:
    """A chart as a table, or row by row where it is too wide for one."""
    head = f" ({chart.dice})" if chart.dice else ""
    lines = [Line(f"{chart.title}{head}", "title", chart.rule)]
    rows = [[str(chart.dice or "row"), *chart.columns], *([key, *map(_cell, cells)] for key, cells in chart.rows.items())]
    texts = aligned_columns(rows)
    if max(map(len, texts)) < WIDTH:
        lines += [Line(text, "" if number else "title") for number, text in enumerate(texts)]
    else:
        for key in chart.rows:
            lines += _row_lines(chart, key)
    return [*lines, Line(chart.note, "dim")] if chart.note else lines


def _cell(cell: Any) -> str:
    return {True: "yes", False: "no"}[cell] if isinstance(cell, bool) else str(cell)


def _row_lines(chart: Chart, key: str) -> list[Line]:
    cells = dict(zip(chart.columns, chart.rows[key], strict=True))
    title = [str(cells.pop("title"))] if "title" in cells else []
    told = ", ".join([*title, *(f"{name} {_cell(cell)}" for name, cell in cells.items())])
    return [Line(told, "", chart.cites.get(key, ""), f"  {key}  ")]


def chart_row_lines(chart: Chart, key: str, rolled: str) -> list[Line]:
    """What a chart says for a number that was rolled or named."""
    row = chart.row(key)
    return [Line(f"{chart.title}: {rolled}", "title", chart.cite(key)), *_row_lines(chart, row)]


def chart_data(chart: Chart) -> dict[str, Any]:
    """A chart as plain data: each row by its key, each cell by its column."""
    return {
        "chart": chart.id,
        "title": chart.title,
        "rule": chart.rule,
        "source": chart.source,
        "die": str(chart.dice) if chart.dice else None,
        "rows": [{"row": key, "result": dict(zip(chart.columns, cells, strict=True))} for key, cells in chart.rows.items()],
    }


def fact_lines(game: Game, told: Mapping[str, str], learnt: Collection[str] = ()) -> list[Line]:
    """Every printed fact: what is known, and what is still to be copied.

    Args:
        game: whose they are.
        told: what is known, by full key.
        learnt: the keys of what nobody told, since play has shown it.
    """
    lines: list[Line] = []
    known = list_facts(game, told, learnt)
    for fact in game.facts:
        lines.append(Line(fact.title, "title", fact.rule))
        notes = {"told": "", "learnt": " (learnt from play)", "rulebook": " (from the rulebook)", "missing": "-"}
        lines += table_lines(
            [(item.key, item.value + notes[item.source]) for item in known if item.fact.id == fact.id], indent="  "
        )
        if is_open_ended(fact):
            lines.append(Line(f"{fact.id}:NAME, asked as they come up, like this: {fact.notation.example}", "dim", "", "  "))
    return lines or [Line("Nothing need be copied for this game", "dim")]


def is_open_ended(fact: Fact) -> bool:
    """Whether nobody can say in advance which ones there are."""
    return not fact.all_keys()


def missing_counts(game: Game, told: Mapping[str, str]) -> dict[str, int]:
    """How many values of each kind of fact nobody has told yet, of the kinds whose list is known."""
    counts: dict[str, int] = {}
    for item in missing_facts(game, told):
        counts[item.fact.id] = counts.get(item.fact.id, 0) + 1
    return counts
