"""The questions that begin a session, each a numbered list as at the table; and the forms of printed facts. Only ever asked at a
terminal: nothing is asked under a pipe.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.cli.shell.archives import load_games
from companion.cli.shell.output import fault_lines, height, width, write
from companion.cli.shell.pager import at_a_key, paged
from companion.cli.shell.preferences import column, plain, preferred
from companion.core.errors import Unreadable
from companion.core.game import Fact, Game, Option
from companion.core.requests import Choice
from companion.core.text import clean, matching_names, plural
from companion.views.lines import Line, cited, table_lines
from companion.views.status_bar import truncate

if TYPE_CHECKING:
    from companion.cli.repl.terminal import Terminal

PRACTICE, OWN, ANOTHER = "try", "play", "another"
"""The ways to begin: without a set, with one's own, or without one in another game than the one that is under way."""

_PUBLISHED, _OPTIONS = "published", "options"


def choose(prompt: str, choices: Sequence[Choice], suggest: str, notes: Sequence[str] = ()) -> str:
    """The value of what is chosen from a list, by number or by the beginning of a word; Enter takes what is suggested.

    Args:
        prompt: the question.
        choices: what there is; a single one is not asked for.
        suggest: the value that Enter gives.
        notes: lines below the list.

    Raises:
        KeyboardInterrupt, EOFError: the player leaves.
    """
    if len(choices) == 1:
        return choices[0].value
    rows = [
        (f"{number:>2}", choice.label, f"({choice.hint_text})" if choice.hint_text else "")
        for number, choice in enumerate(choices, 1)
    ]
    listed = table_lines(rows if any(row[2] for row in rows) else [row[:2] for row in rows], indent="  ")
    shown = [Line(prompt, "question", "", "? "), *listed, *(Line(note, "dim", "", "    ") for note in notes)]
    if preferred("menus") == "arrows" and not plain():
        return _with_arrows(shown, choices, suggest)
    begun = paged(shown, max(height() - 1, 0), width(), write, at_a_key)
    usual = next(number for number, choice in enumerate(choices, 1) if choice.value == suggest)
    while True:
        typed = _typed(f"[{usual}] > ", choices, begun).strip()
        try:
            return _meant(typed, choices) if typed else suggest
        except Unreadable as fault:
            write(fault_lines(fault))
            begun = ""


def _with_arrows(shown: Sequence[Line], choices: Sequence[Choice], suggest: str) -> str:
    """The same by the arrows, for whoever wants it so (``companion config menus arrows``)."""
    import questionary

    write([shown[0], *shown[len(choices) + 1 :]])
    rows = [questionary.Choice(truncate(f"{one.label} {one.hint_text}".strip(), width() - 8), one.value) for one in choices]
    return str(_asked("select", "", choices=rows, default=suggest, instruction=" ", qmark=""))


def _meant(typed: str, choices: Sequence[Choice]) -> str:
    """The value of the choice beside a number, or of the one that begins so. Raises Unreadable: there is no such choice."""
    if typed.isdecimal():
        if not 1 <= int(typed) <= len(choices):
            raise Unreadable(f"{clean(typed)} is not in the list", cure=f"Type 1 to {len(choices)}, or Enter")
        return choices[int(typed) - 1].value
    found = [choice.value for choice in choices if matching_names(typed, (choice.value, choice.label))]
    if len(found) != 1:
        what = "fits several" if found else "fits nothing here"
        raise Unreadable(f"'{clean(typed)}' {what}", cure=f"Type 1 to {len(choices)}, or Enter")
    return found[0]


def _typed(text: str, choices: Sequence[Choice] = (), begun: str = "") -> str:
    """What is typed at a prompt, with the choices behind TAB."""
    from companion.cli.repl.prompt import Prompt

    return _terminal().ask(Prompt(text, lambda: choices, begun=begun))


def _terminal() -> Terminal:
    from companion.cli.repl.terminal import Terminal

    return Terminal()


def choose_way(practised: str) -> str:
    """Whether to try a game without a set, or to play with one's own. ``practised``: the session that goes on, if any."""
    untried = "Try a game without its set: ours is made up, and asks nothing"
    first = f"Go on with the practice game {practised}" if practised else untried
    more = [Choice(ANOTHER, untried.replace("a game", "another game"))] if practised else []
    choices = [Choice(PRACTICE, first), Choice(OWN, "Play with the set on your table"), *more]
    return choose("What would you like to do?", choices, PRACTICE)


def choose_game(lacking: Callable[[Game], int] | None) -> str:
    """A game from the list; with only one there is nothing to ask.

    Args:
        lacking: how many values its owner must still copy from the set; None where it is a made-up one.
    """
    games, _ = load_games()
    choices = [Choice(game.id, game.title, _effort(lacking(game)) if lacking else "") for game in games]
    notes = [f"In brackets: how many values {_WHEN}"] if lacking and any(map(lacking, games)) else []
    return choose("Which game?", choices, choices[0].value, notes)


_WHEN = (
    "stand only on your set. Each is asked once, when a rule first needs it, and kept for every game; for most of them a sample"
    " of ours stands in until you copy them: companion printed GAME fill"
)


def _effort(lacking: int) -> str:
    return plural(lacking, "value") if lacking else "none"


def choose_scenario(game: Game, suggest: str = "") -> str:
    """A scenario from the list; a single one is not asked for. ``suggest``: what Enter takes, if not the first."""
    choices = [Choice(item.id, item.title) for item in game.scenarios.values()]
    return choose(f"{game.title}: which scenario?", choices, suggest or choices[0].value)


def choose_options(game: Game, chosen: Mapping[str, str]) -> dict[str, str]:
    """What the player wants otherwise than it is published, on top of what is chosen already. Enter goes on at once."""
    options = dict(chosen)
    if not game.options:
        return options
    said = _of_options(game)
    alone = game.alone_text if game.alone and game.alone.items() <= options.items() else ""
    as_published = Choice(_PUBLISHED, alone or (f"Play with {_told(options)}" if options else "Play as published"))
    name = choose("Which rules?", [as_published, Choice(_OPTIONS, said)], _PUBLISHED)
    while name != _PUBLISHED:
        name = choose("Which option do you change?", _listed(game, options), _PUBLISHED)
        if name != _PUBLISHED:
            options[name] = _other(game, game.options[name], options.get(name, game.options[name].default))
    return options


def _of_options(game: Game) -> str:
    """How many options there are, by where they come from."""
    ruled = sum(bool(item.ruling) for item in game.options.values())
    own = sum(not item.rule for item in game.options.values())
    parts = [
        f"{plural(len(game.options) - ruled - own, 'option')} of the rules",
        f"{plural(ruled, 'ruling')} where they are silent",
        f"{own} on how we play",
    ]
    return ", ".join(part for part, many in zip(parts, (len(game.options) - ruled - own, ruled, own), strict=True) if many)


def _told(options: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in options.items())


def _listed(game: Game, chosen: Mapping[str, str]) -> list[Choice]:
    """To go on, then the options of the rules, then what we have ruled and can be switched; each with what it is now."""
    items = sorted(game.options.values(), key=lambda item: bool(item.ruling))
    rows = [
        Choice(item.id, f"{item.id} {chosen.get(item.id, item.default) or 'none'}: {cited(item.title, item.rule)}")
        for item in items
    ]
    return [Choice(_PUBLISHED, f"Go on with {_told(chosen) or 'the rules as published'}"), *rows]


_OURS = "In no rulebook: what each choice does, and how often who wins by it, stands in companion help opponents."


def changes(game: Game, item: Option) -> list[str]:
    """What an option changes: the rule that it brings in, or the question that we had to settle and what each choice means; of
    what is in no rulebook, where it is told.
    """
    ruling = game.tables.rulings.get(item.ruling)
    if ruling:
        return [ruling.answer, *(f"{word}: {ruling.meaning[word]}" for word in item.choices if word in ruling.meaning)]
    rule = game.tables.rules.get(item.rule)
    return [rule.gist] if rule else [_OURS]


def _other(game: Game, item: Option, now: str) -> str:
    """Another choice of an option, by what each would change."""
    write([Line(item.title, "title", item.rule), *(Line(text, "", "", "    ") for text in changes(game, item))])
    if not item.choices:
        return _typed(f"[{now or 'none'}] > ").strip() or now
    others = [word for word in item.choices if word != now]
    return choose(
        f"{item.id} is {now}", [Choice(word, word, "as it is" if word == now else "") for word in [*others, now]], others[0]
    )


def choose_hands(game: Game) -> tuple[str, str]:
    """Who rolls the dice and who draws the counters by default: (dice, draws)."""
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
    name = choose(
        f"Who {'rolls and ' if game.has_dice else ''}draws?", choices, "companion", ["You can change it at any single one"]
    )
    return ways[name][:2]


def _asked(kind: str, text: str, **more: Any) -> Any:
    """The answer to a question of one of questionary's kinds. Ctrl-C leaves the command."""
    import questionary

    from companion.views.theme import for_prompt

    tones = {"question": "question", "pointer": "question", "highlighted": "question", "answer": "key", "instruction": "dim"}
    style = questionary.Style([(place, for_prompt(tone, column())) for place, tone in tones.items()])
    answer = getattr(questionary, kind)(text, style=style, **more).ask()
    if answer is None:
        raise KeyboardInterrupt
    return answer


def ask_fact(fact: Fact, key: str, known: str) -> str:
    """The value of a printed fact as typed; "" leaves it as it is."""

    def valid(text: str) -> bool | str:
        if not text.strip():
            return True
        try:
            fact.notation(text)
        except Unreadable as fault:
            return str(fault)
        return True

    example = known or f"like {fact.notation.example}"
    return str(_asked("text", f"{key} ({example}; Enter leaves it):", validate=valid)).strip()


def more_keys(fact: Fact) -> str:
    """One more key of a fact whose list is open; "" when there are no more."""
    return str(_asked("text", f"{fact.title} - name of another one (Enter: no more):")).strip()
