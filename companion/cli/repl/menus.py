"""The menus that start a session, as numbered lists, and the forms of printed facts. They need a terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from companion.cli.repl.prompt import Prompt, command_of
from companion.cli.shell.archives import load_games
from companion.cli.shell.bar import BAR
from companion.cli.shell.output import error_lines, height, width, write
from companion.cli.shell.process import colour_column, is_plain, setting
from companion.cli.shell.screen import read_pager_key, show_pages
from companion.core.errors import CompanionError, Unreadable
from companion.core.game import Fact, Game, Option
from companion.core.notation import Notation
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

RULES, HANDS = "rules", "dice"
"""Lines of the set-up menu that lead to a menu of their own."""

_PUBLISHED = "published"

HAND_TEXTS = {
    ("computer", "computer"): "Companion rolls and draws",
    ("physical", "physical"): "I roll and draw on the table",
    ("physical", "computer"): "I roll, Companion draws",
    ("computer", "physical"): "Companion rolls, I draw",
}
"""Who rolls dice and who draws, in words."""

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
            _run_key(command, [*lines, Line(_MENU_HELP, "dim")])
            continue
        try:
            return _parse_choice(answer, choices) if answer else suggest
        except Unreadable as error:
            write(error_lines(error))


_MENU_HELP = "Type a number, or first letters. Enter: the one in brackets. - one question back, /quit"


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
        write(lines)
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
    with BAR.paused():
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


def choose_way(running: Sequence[RunningGame]) -> tuple[str, str] | RunningGame:
    """Ask how to begin.

    Returns:
        A running game to go on with; or `PRACTICE` or `OWN_SET`, and the game if it was chosen too: without a running game
        the games to practise are listed at once.
    """
    own_set = Choice(OWN_SET, "Play with the set on your table")
    if not running:
        games = [Choice(game.id, game.title) for game in load_games()[0]]
        note = "To try one you need no set: its components are made up, and there is nothing to copy"
        chosen = choose("Which game would you like to try?", [*games, own_set], games[0].value, [note])
        return (OWN_SET, "") if chosen == OWN_SET else (PRACTICE, chosen)
    practice = Choice(PRACTICE, "Try a game without its set, with made-up components")
    choices = [*(item.choice for item in running), practice, own_set]
    chosen = choose("What would you like to do?", choices, choices[0].value)
    return next((item for item in running if item.choice.value == chosen), (chosen, ""))


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


def choose_setup(game: Game, options: Mapping[str, str] | None, hands: tuple[str, str] | None, suggest: str = "") -> str:
    """Ask for a scenario, which begins the game; `RULES` or `HANDS` if the player wants to change those first.

    Args:
        options: The options as chosen so far; None if they are fixed.
        hands: Who rolls and who draws; None if that is fixed.
        suggest: The scenario that Enter takes; by default the first.
    """
    scenarios = [Choice(item.id, item.title) for item in game.scenarios.values()]
    choices = list(scenarios) if len(scenarios) > 1 else [Choice(scenarios[0].value, f"Begin: {scenarios[0].label}")]
    if options is not None and game.options:
        choices.append(Choice(RULES, f"Rules: {_rules_text(game, options)}"))
    if hands is not None:
        text = HAND_TEXTS[hands] if game.has_dice else _without_dice(HAND_TEXTS[hands])
        choices.append(Choice(HANDS, f"Dice: {text}" if game.has_dice else f"Draws: {text}"))
    what = "begin with which scenario?" if len(scenarios) > 1 else "begin?"
    changes = " and ".join(choice.label.partition(":")[0].casefold() for choice in choices[len(scenarios) :])
    notes = [f"Enter begins; {changes} can be changed before that"] if changes else []
    return choose(f"{game.title}: {what}", choices, suggest or scenarios[0].value, notes)


def _rules_text(game: Game, options: Mapping[str, str]) -> str:
    if game.alone and game.alone.items() <= options.items():
        return game.alone_text
    return _options_text(options) or "as published"


def choose_options(game: Game, chosen: Mapping[str, str]) -> dict[str, str]:
    """Ask for options until the player goes on with Enter; return them added to those chosen already."""
    options = dict(chosen)
    while True:
        name = choose("Which option do you change?", _option_choices(game, options), _PUBLISHED, [_option_counts(game)])
        if name == _PUBLISHED:
            return options
        with suppress(StepBack):
            options[name] = _choose_value(game, game.options[name], options.get(name, game.options[name].default))


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
    ways = list(HAND_TEXTS) if game.has_dice else [("computer", "computer"), ("computer", "physical")]
    choices = [Choice(f"{dice}/{draws}", HAND_TEXTS[dice, draws]) for dice, draws in ways]
    if not game.has_dice:
        choices = [Choice(choice.value, _without_dice(choice.label)) for choice in choices]
    prompt = f"Who {'rolls and ' if game.has_dice else ''}draws?"
    dice, draws = choose(prompt, choices, choices[0].value, ["You can change it at any time"]).split("/")
    return dice, draws


def _without_dice(text: str) -> str:
    """Who draws, in a game without dice."""
    return "Companion draws" if text == HAND_TEXTS["computer", "computer"] else "I draw on the table"


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


TYPE_VALUES, USE_SAMPLES = "type", "samples"
"""What to do about values of the player's set that are missing."""

_VALUES_PER_MINUTE = 5


def choose_values(game: Game, missing: int) -> str:
    """Ask whether to type the missing values of the player's set now, or to begin with sample values."""
    minutes = plural(max(1, round(missing / _VALUES_PER_MINUTE)), "minute")
    choices = [
        Choice(TYPE_VALUES, f"Type my {plural(missing, 'value')} now, about {minutes}"),
        Choice(USE_SAMPLES, "Begin with sample values; those without one are asked when a rule needs them"),
    ]
    notes = ["Sample values are not the published ones; each line of 'On the table' with them says (sample)"]
    return choose(f"{game.title}: {plural(missing, 'value')} of your set missing", choices, TYPE_VALUES, notes)


def ask_fact(fact: Fact, key: str, known: str) -> str:
    """Ask for the value of a printed fact; "" leaves it as it is.

    Raises:
        StepBack, KeyboardInterrupt, EOFError: The value before this one; leave.
    """
    hint = known or f"like {fact.notation.example}"
    return _ask_text(
        f"{key} ({hint}; Enter leaves it) > ", f"As printed on your set, like {fact.notation.example}", fact.notation
    )


def confirm_anyway() -> bool:
    """Ask whether to record a fact that contradicts others. Raises as `ask_fact`."""
    typed = _ask_text("Record it anyway? (y/N) > ", "y: your components say so. n or Enter: not, and it is asked for again")
    return typed.casefold() in ("y", "yes", "1")


def ask_more_keys(fact: Fact) -> str:
    """Ask for another key of a fact with an open list; "" ends the list. Raises as `ask_fact`."""
    return _ask_text(f"{fact.title} - name of another one (Enter: no more) > ", "The name as printed. Enter: no more of them")


def _ask_text(prompt: str, help_text: str, notation: Notation | None = None) -> str:
    while True:
        typed = clean(_ask(prompt))
        if (command := command_of(typed)) is not None:
            _run_key(command, [Line(help_text)])
            continue
        try:
            if typed and notation:
                notation(typed)
            return typed
        except Unreadable as error:
            write(error_lines(error))
