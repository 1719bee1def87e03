"""Reference: games with scenarios and options, the rule register, charts, printed values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from companion.core.charts import Chart
from companion.core.errors import Unreadable
from companion.core.game import Action, Clause, Fact, Game, Rule, Scenario, Situation
from companion.core.hints import Any
from companion.core.text import clean, normalised, plural
from companion.core.values import JsonDict
from companion.session.facts import list_facts, missing_facts
from companion.views.data import seats_data
from companion.views.lines import BLANK, WIDTH, Line, aligned_columns, table_lines
from companion.views.vocabulary import vocabulary_data


def _section(title: str, rows: Sequence[Sequence[str]]) -> list[Line]:
    return [BLANK, Line(title, "title"), *table_lines(rows, indent="  ")] if rows else []


def _title_section(title: str, items: Iterable[Scenario | Action | Situation | Chart]) -> list[Line]:
    return _section(title, [(item.id, f"{item.title} [{item.rule}]") for item in items])


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
    """Return the contents of a game. `counts`: values still to be copied from the components, by fact."""
    lines = [Line(f"{game.title} ({game.id})", "title"), Line(game.edition, "dim")]
    lines += _title_section("Scenarios", game.scenarios.values())
    lines += _option_section(game)
    lines += _title_section("Actions", game.actions)
    lines += _title_section("Odds of", game.situations)
    lines += _title_section("Charts", game.tables.charts.values())
    lines += _section("Still to be copied from your set", _missing_rows(game, counts))
    switched = sum(bool(item.option) for item in game.tables.rulings.values())
    rulings = plural(len(game.tables.rulings), "ruling")
    summary = f"{len(game.tables.rules)} rules in the register, {rulings}, of them options: {switched}"
    return [*lines, BLANK, Line(summary)]


def game_data(game: Game, counts: Mapping[str, int]) -> JsonDict:
    """Return the contents of a game as JSON data."""
    return {
        "game": game.id,
        "title": game.title,
        "edition": game.edition,
        "seats": seats_data(game, game.default_options()),
        "scenarios": [dict(item._asdict()) for item in game.scenarios.values()],
        "options": [{**item._asdict(), "choices": list(item.choices)} for item in game.options.values()],
        "actions": [_title_data(item) for item in game.actions],
        "situations": [_title_data(item) for item in game.situations],
        "charts": [_title_data(item) for item in game.tables.charts.values()],
        "vocabulary": vocabulary_data(game),
        "missing": dict(counts),
        "rulings": [{**item._asdict(), "meaning": dict(item.meaning)} for item in game.tables.rulings.values()],
    }


def _title_data(item: Action | Situation | Chart) -> JsonDict:
    return {"id": item.id, "title": item.title, "rule": item.rule}


def find_rules(game: Game, words: str) -> list[Rule]:
    """Return the rule with a number or title and its cases, or all rules with all the words.

    Raises:
        Unreadable: There is none.
    """
    rules, text = game.tables.rules, normalised(words)
    named = [number for number in rules if normalised(number) == text]
    named = named or [number for number in rules if _with_dots(number) == _with_dots(words.strip())]
    named = named or [number for number, rule in rules.items() if normalised(rule.title) == text]
    numbers = [key for number in named for key in (number, *_cases_of(number, rules))] or _cases_of(words.strip(), rules)
    if not numbers:
        terms = text.split()
        numbers = [number for number, rule in rules.items() if terms and all(term in _search_text(rule) for term in terms)]
    if not numbers:
        raise Unreadable(f"no rule of {game.title} has '{clean(words)}' as number or text", cure=f"See: companion rule {game.id}")
    return [rules[number] for number in numbers]


def _with_dots(number: str) -> str:
    """The form in which numbers of rules are compared if none is typed as printed: ``12.1.6`` for ``12.1(6)``."""
    return number.casefold().replace("(", ".").replace(")", "")


def _cases_of(number: str, numbers: Iterable[str]) -> list[str]:
    return [key for key in numbers if _is_case_of(number, key)]


def _is_case_of(number: str, key: str) -> bool:
    """True if a rule is a case of another, such as 16.8(2) of 16.8 or 16.8 of 16."""
    if key == number:
        return False
    stem = number.removesuffix(".0")
    return key.startswith((stem + ".", stem + "(")) if stem else False


def _search_text(rule: Rule) -> str:
    return normalised(" ".join([rule.title, rule.gist, rule.errata, *(clause.says for clause in rule.clauses)]))


def _clause_line(clause: Clause) -> Line:
    return Line(f"{clause.says} Left to you: {clause.left}" if clause.left else clause.says, "", "", "  - ")


def rule_lines(game: Game, rule: Rule) -> list[Line]:
    """Return an entry of the rule register."""
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
    """Return a rule with a list of its cases, or a list of search results."""
    if not text or rules[0].number != text.strip():
        return [*rule_lines(game, rules[0])] if text and len(rules) == 1 else rule_list_lines(rules)
    lines = rule_lines(game, rules[0])
    return [*lines, BLANK, *rule_list_lines(rules[1:])] if rules[1:] else lines


def code_lines(rules: Sequence[Rule], code: Mapping[str, Sequence[str]]) -> list[Line]:
    """Return the functions and tests of rules. `code`: rule number -> `module:function` of each function."""
    texts = {
        rule.number: [
            *(code.get(rule.number) or [f"{rule.title} ({rule.handling})"]),
            *(f"{clause.key}: {test}" for clause in rule.clauses for test in clause.tests),
        ]
        for rule in rules
    }
    return table_lines([("" if index else number, text) for number, names in texts.items() for index, text in enumerate(names)])


def rule_data(game: Game, rule: Rule) -> JsonDict:
    """Return an entry of the rule register as JSON data."""
    rulings = rule.rulings or [key for key, item in game.tables.rulings.items() if rule.number in item.rules]
    clauses = [clause._asdict() for clause in rule.clauses]
    return {**rule._asdict(), "see": list(rule.see), "rulings": list(rulings), "clauses": clauses}


def rule_list_lines(rules: Sequence[Rule]) -> list[Line]:
    """Return number and title of rules."""
    return table_lines([(rule.number, f"{rule.title} ({rule.handling})") for rule in rules])


def chart_lines(chart: Chart) -> list[Line]:
    """Return a chart as a table, or row by row if it is too wide."""
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
    text = ", ".join([*title, *(f"{name} {_cell(cell)}" for name, cell in cells.items())])
    return [Line(text, "", chart.cites.get(key, ""), f"  {key}  ")]


def chart_row_lines(chart: Chart, key: str, rolled: str) -> list[Line]:
    """Return the row of a chart for a roll or name."""
    row = chart.row(key)
    return [Line(f"{chart.title}: {rolled}", "title", chart.cite(key)), *_row_lines(chart, row)]


def chart_data(chart: Chart) -> JsonDict:
    """Return a chart as JSON data."""
    return {
        "chart": chart.id,
        "title": chart.title,
        "rule": chart.rule,
        "source": chart.source,
        "die": str(chart.dice) if chart.dice else None,
        "rows": [{"row": key, "result": dict(zip(chart.columns, cells, strict=True))} for key, cells in chart.rows.items()],
    }


_FACT_NOTES = {"told": "", "learnt": " (learnt from play)", "rulebook": " (from the rulebook)", "missing": "-"}


def fact_lines(game: Game, known: Mapping[str, str], learnt: Collection[str] = ()) -> list[Line]:
    """Return every printed value, known or missing.

    Args:
        game: The game.
        known: Known values by key.
        learnt: Keys of values inferred from play.
    """
    lines: list[Line] = []
    items = list_facts(game, known, learnt)
    for fact in game.facts:
        lines.append(Line(fact.title, "title", fact.rule))
        rows = [(item.key, item.value + _FACT_NOTES[item.source]) for item in items if item.fact.id == fact.id]
        lines += table_lines(rows, indent="  ")
        if is_open_ended(fact):
            lines.append(Line(f"{fact.id}:NAME, asked as they come up, like this: {fact.notation.example}", "dim", "", "  "))
    return lines or [Line("This game needs no values from your set", "dim")]


def is_open_ended(fact: Fact) -> bool:
    """True if the names of a kind of printed value are not known in advance."""
    return not fact.all_keys()


def missing_counts(game: Game, known: Mapping[str, str]) -> dict[str, int]:
    """Return the number of missing values by fact, for facts with a fixed list."""
    return dict(Counter(item.fact.id for item in missing_facts(game, known)))
