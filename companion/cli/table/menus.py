"""Menus for a terminal: game, scenario, options, printed facts. Nobody is asked under a pipe."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.cli.shell.opening import load_games
from companion.cli.shell.output import width
from companion.core.errors import Unreadable
from companion.core.game import Fact, Game

_PUBLISHED = "Play as published"
_FRAME = 8
"""Columns that a menu takes before an entry."""


def _asked(kind: str, text: str, choices: Sequence[tuple[str, Any]] = (), **more: Any) -> Any:
    """The answer to a question of one of questionary's kinds, with its choices as (title, value), each with a key of its own; one
    without a value is a heading. Ctrl-C leaves the command.
    """
    import questionary

    if choices:
        room = width() - _FRAME
        more["choices"] = [
            questionary.Separator(f"-- {title}") if value is None else questionary.Choice(_cut(title, room), value)
            for title, value in choices
        ]
        more |= {"use_shortcuts": True, "instruction": "(its key or the arrows, then Enter)"}
    answer = getattr(questionary, kind)(text, **more).ask()
    if answer is None:
        raise KeyboardInterrupt
    return answer


def _cut(text: str, room: int) -> str:
    """A text of at most so many characters, of a longer one its end, where the value stands."""
    if len(text) <= room:
        return text
    head, colon, value = text.rpartition(": ")
    return f"{head[: max(room - len(value) - 5, 4)].rstrip()}...: {value}" if colon else f"{text[: room - 3]}..."


def choose_game(lacking: Callable[[Game], int]) -> str:
    """A game from the list, each with how much must be typed in from the owner's set; with only one there is nothing to ask."""
    games, _ = load_games()
    if len(games) == 1:
        return games[0].id
    return str(_asked("select", "Which game?", [(f"{game.title}: {_effort(game, lacking(game))}", game.id) for game in games]))


def _effort(game: Game, lacking: int) -> str:
    if not lacking:
        return "nothing to type in"
    return f"{lacking} values to type in" + ("" if game.practice is None else ", none to practise")


def choose_scenario(game: Game, practice: bool = True) -> tuple[str, dict[str, str]]:
    """A scenario from the list, with the options that go with it: those of the game's practice are offered too, on request."""
    scenarios: list[tuple[str, tuple[str, dict[str, str]]]] = [(item.title, (item.id, {})) for item in game.scenarios.values()]
    options = {key: value for key, value in (game.practice or {}).items() if key != "scenario"}
    if options and practice:
        said = ", ".join(f"{key} {value}" for key, value in options.items())
        scenarios.append((f"To practise, nothing to type in: {said}", (next(iter(game.scenarios)), options)))
    if len(scenarios) == 1:
        return scenarios[0][1]
    found: tuple[str, dict[str, str]] = _asked("select", f"{game.title}: which scenario?", scenarios)
    return found


def choose_options(game: Game, chosen: Mapping[str, str]) -> dict[str, str]:
    """What the player wants otherwise than it is published, on top of what is chosen already. Enter goes on."""
    options = dict(chosen)
    while game.options:
        name = str(_asked("select", "Options (Enter goes on):", _options(game, options)))
        if name == _PUBLISHED:
            break
        options[name] = _other(game, name, options.get(name, game.options[name].default))
    return options


def _options(game: Game, chosen: Mapping[str, str]) -> list[tuple[str, str | None]]:
    """The entries of the menu: to go on, then the options of the rules, then what we have ruled and can be switched."""
    said = ", ".join(f"{name} {value}" for name, value in chosen.items())
    found: list[tuple[str, str | None]] = [(f"Play with: {said}" if said else _PUBLISHED, _PUBLISHED)]
    for heading, ruled in (("of the rules", False), ("rulings of ours, where the rules are silent", True)):
        items = [item for item in game.options.values() if bool(item.ruling) == ruled]
        found += [(heading, None)] if items else []
        found += [(f"{item.title}: {chosen.get(item.id, item.default) or 'none'}", item.id) for item in items]
    return found


def _other(game: Game, name: str, now: str) -> str:
    """Another choice of an option: what is off goes on, of others one is picked."""
    item = game.options[name]
    if not item.choices:
        return str(_asked("text", f"{item.title}:", default=now)).strip()
    others = [word for word in item.choices if word != now]
    if set(item.choices) == {"off", "on"}:
        return others[0]
    meaning = game.tables.rulings[item.ruling].meaning if item.ruling in game.tables.rulings else {}
    choices = [(f"{word} - {meaning[word]}" if word in meaning else word, word) for word in [*others, now]]
    return str(_asked("select", item.title, choices))


def choose_hands(game: Game) -> tuple[str, str]:
    """Who rolls the dice and who draws the counters by default: (dice, draws)."""
    if not game.rolls:
        choices = [("Companion draws", ("computer", "computer")), ("I draw on the table", ("computer", "physical"))]
    else:
        choices = [
            ("Companion rolls and draws", ("computer", "computer")),
            ("I roll and draw on the table", ("physical", "physical")),
            ("I roll, Companion draws", ("physical", "computer")),
            ("Companion rolls, I draw", ("computer", "physical")),
        ]
    dice, draws = _asked("select", f"Who {'rolls and ' if game.rolls else ''}draws? (each single one can be otherwise)", choices)
    return str(dice), str(draws)


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
