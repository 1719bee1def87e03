"""The menus that start a session, as numbered lists, and the forms of printed facts. They need a terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from companion.cli.repl.prompt import Prompt, command_of
from companion.cli.shell.archives import load_games
from companion.cli.shell.output import error_lines, height, width, write
from companion.cli.shell.process import colour_column, is_plain, setting
from companion.cli.shell.screen import read_pager_key, show_pages
from companion.core.errors import CompanionError, Unreadable
from companion.core.game import Fact, Game, Option
from companion.core.requests import Choice
from companion.core.text import clean, matching_names, plural
from companion.session.database import is_practice_path
from companion.session.state import SessionState
from companion.session.store import Archive, Session
from companion.views.lines import Line, cited, table_lines, truncate

if TYPE_CHECKING:
    from companion.cli.repl.terminal import Terminal

PRACTICE, OWN_SET = "try", "play"
"""Ways to begin: practise, or play with the set."""

_PUBLISHED, _OPTIONS = "published", "options"

T = TypeVar("T")


class StepBack(Exception):
    """The player wants the question before this one."""


def choose(prompt: str, choices: Sequence[Choice], suggest: str, notes: Sequence[str] = ()) -> str:
    """Ask for a choice by number or first letters; return its value.

    Args:
        prompt: The question.
        choices: The choices; a single one is taken without asking.
        suggest: The value that Enter gives.
        notes: Lines below the list.

    Raises:
        StepBack: The player wants the question before this one.
        KeyboardInterrupt, EOFError: The player leaves.
    """
    if len(choices) == 1:
        return choices[0].value
    hints = [f"({choice.hint_text})" if choice.hint_text else "" for choice in choices]
    columns = [[f"{number:>2}" for number in range(1, len(choices) + 1)], [choice.label for choice in choices]]
    listed = table_lines(list(zip(*columns, *([hints] if any(hints) else []), strict=True)), indent="  ")
    lines = [Line(prompt, "question", "", "? "), *listed, *(Line(note, "dim", "", "    ") for note in notes)]
    if setting("menus") == "arrows" and not is_plain():
        return _choose_with_arrows(lines, choices, suggest)
    typed = show_pages(lines, max(height() - 1, 0), width(), write, read_pager_key)
    default = next(number for number, choice in enumerate(choices, 1) if choice.value == suggest)
    while True:
        answer = clean(typed or _ask(f"[{default}] > ", choices))
        typed = ""
        if (command := command_of(answer)) is not None:
            _run_key(command, lines)
            continue
        try:
            return _parse_choice(answer, choices) if answer else suggest
        except Unreadable as error:
            write(error_lines(error))


def _run_key(command: str, lines: Sequence[Line]) -> None:
    """Carry out what a key or a slash command means before a game has begun.

    Raises:
        StepBack, KeyboardInterrupt: One question back; leave.
    """
    if command == "back":
        raise StepBack
    if command in ("quit", "exit", "q"):
        raise KeyboardInterrupt
    if command in ("answers", "help"):
        write([*lines, Line("Type a number, or first letters. Enter: the one in brackets. - one question back, /quit", "dim")])
    else:
        refusals = {"undo": "There is nothing to undo yet", "odds": "There are no odds here"}
        write([Line(refusals.get(command, "Commands come with the game; here: - back, ? list, /quit"), "dim")])


def ask_in_order(questions: Sequence[Callable[[], None]]) -> None:
    """Ask questions in order; `-` at one asks the one before it again.

    Raises:
        StepBack: `-` at the first one.
    """
    index = 0
    while index < len(questions):
        try:
            questions[index]()
        except StepBack:
            if index == 0:
                raise
            index -= 1
        else:
            index += 1


def ask_until_done(question: Callable[[], T]) -> T:
    """Ask a question before which there is none."""
    while True:
        try:
            return question()
        except StepBack:
            write([Line("This is the first question. /quit leaves", "dim")])


def _choose_with_arrows(lines: Sequence[Line], choices: Sequence[Choice], suggest: str) -> str:
    """Ask with the arrow keys (`companion config menus arrows`)."""
    import questionary

    write([lines[0], *lines[len(choices) + 1 :]])
    texts = [truncate(f"{choice.label} {choice.hint_text}".strip(), width() - 8) for choice in choices]
    rows = [questionary.Choice(text, choice.value) for text, choice in zip(texts, choices, strict=True)]
    question = questionary.select("", choices=rows, default=suggest, instruction=" ", qmark="", style=_questionary_style())
    return str(_answer_or_leave(question.ask()))


def _parse_choice(typed: str, choices: Sequence[Choice]) -> str:
    """The value of a choice by number or first letters. Raises Unreadable: there is no such choice."""
    if typed.isdecimal():
        if not 1 <= int(typed) <= len(choices):
            raise Unreadable(f"{clean(typed)} is not in the list", cure=f"Type 1 to {len(choices)}, or Enter")
        return choices[int(typed) - 1].value
    values = [choice.value for choice in choices if matching_names(typed, (choice.value, choice.label))]
    if len(values) != 1:
        what = "fits several" if values else "fits nothing here"
        raise Unreadable(f"'{clean(typed)}' {what}", cure=f"Type 1 to {len(choices)}, or Enter")
    return values[0]


def _ask(text: str, choices: Sequence[Choice] = ()) -> str:
    return _terminal().ask(Prompt(text, lambda: choices))


def _terminal() -> Terminal:
    from companion.cli.repl.terminal import Terminal

    return Terminal()


# -- starting a session --------------------------------------------------------------------------------------------------


class RunningGame(NamedTuple):
    """A session that can go on: its name, game and place, when it was last played (UTC), and if its set is made up."""

    name: str
    text: str
    played: str
    made_up: bool

    @property
    def choice(self) -> Choice:
        """The session as a line of a menu."""
        more = ", made-up set" if self.made_up else ""
        return Choice(f"go on {self.name}", f"Go on with {self.text}", f"{self.name}, {self.played[:16].replace('T', ' ')}{more}")


_MOST_RUNNING = 6
"""The running games that a menu offers; `companion sessions` lists all."""


def running_games(archives: Sequence[Archive], game: str = "") -> list[RunningGame]:
    """The sessions that can go on, the last played first. `game`: only those of this game."""
    candidates: list[tuple[str, Archive, Session]] = []
    for archive in archives:
        times = archive.times_played()
        sessions = [item for item in archive.sessions() if "quick" not in item.flags and game in ("", item.game)]
        candidates += [(times.get(item.id, item.created), archive, item) for item in sessions]
    candidates.sort(key=lambda item: (item[0], item[2].id), reverse=True)
    running: list[RunningGame] = []
    for played, archive, info in candidates[: 2 * _MOST_RUNNING]:
        with suppress(CompanionError):  # of a plug-in that is gone
            state = SessionState.open(archive, info)
            if not state.game.over(state.position) and len(running) < _MOST_RUNNING:
                stage = state.game.banner(state.position, state.options).stage
                text = f"{state.game.title.partition(':')[0]}, {stage}"
                running.append(RunningGame(info.name, text, played, is_practice_path(archive.path)))
    return running


def choose_way(running: Sequence[RunningGame]) -> str | RunningGame:
    """Ask how to begin: a running game to go on with, or `PRACTICE` or `OWN_SET` for a new one."""
    practice = "Try a game without its set: with made-up components, nothing to copy"
    new = [Choice(PRACTICE, practice), Choice(OWN_SET, "Play with the set on your table")]
    choices = [*(item.choice for item in running), *new]
    chosen = choose("What would you like to do?", choices, choices[0].value)
    return next((item for item in running if item.choice.value == chosen), chosen)


def choose_running(running: Sequence[RunningGame], game: str) -> RunningGame | None:
    """Ask whether to go on with a practice game; None for a new one."""
    new = Choice(PRACTICE, "Begin anew" if game else "Practise another game")
    chosen = choose("Go on, or begin anew?", [*(item.choice for item in running), new], running[0].choice.value)
    return next((item for item in running if item.choice.value == chosen), None)


def choose_game(missing: Callable[[Game], int] | None) -> str:
    """Ask for a game.

    Args:
        missing: The number of values that must still be copied from the set; None for practice.
    """
    games, _ = load_games()
    choices = [Choice(game.id, game.title, _count(missing(game)) if missing else "") for game in games]
    notes = [_MISSING_NOTE] if missing and any(map(missing, games)) else []
    return choose("Which game?", choices, choices[0].value, notes)


_MISSING_NOTE = (
    "In brackets: how many values are printed only on your set. Each is asked once, when a rule first needs it, and kept"
    " for every game; most have a sample value until you copy them: companion printed GAME fill"
)


def _count(missing: int) -> str:
    return plural(missing, "value") if missing else "none"


def choose_scenario(game: Game, suggest: str = "") -> str:
    """Ask for a scenario. `suggest`: what Enter takes; by default the first."""
    choices = [Choice(item.id, item.title) for item in game.scenarios.values()]
    return choose(f"{game.title}: which scenario?", choices, suggest or choices[0].value)


def choose_options(game: Game, chosen: Mapping[str, str]) -> dict[str, str]:
    """Ask for options until the player goes on with Enter; return them added to those chosen already."""
    options = dict(chosen)
    if not game.options:
        return options
    solitaire = game.alone_text if game.alone and game.alone.items() <= options.items() else ""
    default = f"Play with {_options_text(options)}" if options else "Play as published"
    choices = [Choice(_PUBLISHED, solitaire or default), Choice(_OPTIONS, _option_counts(game))]
    name = choose("Which rules?", choices, _PUBLISHED)
    while name != _PUBLISHED:
        name = choose("Which option do you change?", _option_choices(game, options), _PUBLISHED)
        with suppress(StepBack):
            if name != _PUBLISHED:
                options[name] = _choose_value(game, game.options[name], options.get(name, game.options[name].default))
    return options


def _option_counts(game: Game) -> str:
    """The number of options of the rules, of rulings, and of our own."""
    rulings = sum(bool(item.ruling) for item in game.options.values())
    own = sum(not item.rule for item in game.options.values())
    published = len(game.options) - rulings - own
    parts = [
        (published, f"{plural(published, 'option')} of the rules"),
        (rulings, f"{plural(rulings, 'ruling')} where they are silent"),
        (own, f"{own} on how we play"),
    ]
    return ", ".join(text for count, text in parts if count)


def _options_text(options: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in options.items())


def _option_choices(game: Game, chosen: Mapping[str, str]) -> list[Choice]:
    """To go on; then the options of the rules, then our rulings, each with its value."""
    items = sorted(game.options.values(), key=lambda item: bool(item.ruling))
    values = {item.id: chosen.get(item.id, item.default) or "none" for item in items}
    rows = [Choice(item.id, f"{item.id} {values[item.id]}: {cited(item.title, item.rule)}") for item in items]
    return [Choice(_PUBLISHED, f"Go on with {_options_text(chosen) or 'the rules as published'}"), *rows]


_OWN_OPTION = "Not in the rulebook. What each choice does, and who wins how often with it: companion help opponents"


def option_explanation(game: Game, item: Option) -> list[str]:
    """The rule that an option adds, or the ruling with the meaning of each choice."""
    ruling = game.tables.rulings.get(item.ruling)
    if ruling:
        return [ruling.answer, *(f"{word}: {ruling.meaning[word]}" for word in item.choices if word in ruling.meaning)]
    rule = game.tables.rules.get(item.rule)
    return [rule.gist] if rule else [_OWN_OPTION]


def _choose_value(game: Game, item: Option, current: str) -> str:
    """Ask for another value of an option, and explain them."""
    write([Line(item.title, "title", item.rule), *(Line(text, "", "", "    ") for text in option_explanation(game, item))])
    if not item.choices:
        typed = clean(_ask(f"[{current or 'none'}] > "))
        if (command := command_of(typed)) is not None:
            _run_key(command, [Line(item.title, "title", item.rule)])
            return current
        return typed or current
    others = [word for word in item.choices if word != current]
    choices = [Choice(word, word, "as it is" if word == current else "") for word in [*others, current]]
    return choose(f"{item.id} is {current}", choices, others[0])


def choose_hands(game: Game) -> tuple[str, str]:
    """Ask who rolls and who draws by default; return the values of dice and draws."""
    ways = {
        "companion": ("computer", "computer", "Companion rolls and draws"),
        "table": ("physical", "physical", "I roll and draw on the table"),
        "dice": ("physical", "computer", "I roll, Companion draws"),
        "counters": ("computer", "physical", "Companion rolls, I draw"),
    }
    if not game.has_dice:
        ways = {
            "companion": ("computer", "computer", "Companion draws"),
            "table": ("computer", "physical", "I draw on the table"),
        }
    choices = [Choice(name, way[2]) for name, way in ways.items()]
    prompt = f"Who {'rolls and ' if game.has_dice else ''}draws?"
    return ways[choose(prompt, choices, "companion", ["You can change it at any time"])][:2]


# -- forms ---------------------------------------------------------------------------------------------------------------


def _questionary_style() -> Any:
    import questionary

    from companion.views.theme import for_prompt

    tones = {"question": "question", "pointer": "question", "highlighted": "question", "answer": "key", "instruction": "dim"}
    column = colour_column()
    return questionary.Style([(name, for_prompt(tone, column)) for name, tone in tones.items()])


def _answer_or_leave(answer: Any) -> Any:
    """The answer of questionary; it returns None after Ctrl-C."""
    if answer is None:
        raise KeyboardInterrupt
    return answer


def _ask_text(text: str, validate: Callable[[str], bool | str] | None = None) -> str:
    import questionary

    return str(_answer_or_leave(questionary.text(text, style=_questionary_style(), validate=validate).ask())).strip()


def ask_fact(fact: Fact, key: str, known: str) -> str:
    """Ask for the value of a printed fact; "" leaves it as it is."""

    def validate(text: str) -> bool | str:
        if not text.strip():
            return True
        try:
            fact.notation(text)
        except Unreadable as error:
            return str(error)
        return True

    example = known or f"like {fact.notation.example}"
    return _ask_text(f"{key} ({example}; Enter leaves it):", validate)


def ask_more_keys(fact: Fact) -> str:
    """Ask for another key of a fact with an open list; "" ends the list."""
    return _ask_text(f"{fact.title} - name of another one (Enter: no more):")
