"""The actions of a session at the prompt: their names and numbers, what a line names, and which are open."""

from __future__ import annotations

from companion.core.requests import AnyRequest, Choice
from companion.core.text import labels, matching_names
from companion.session.controller import SessionController
from companion.views.lines import Line, packed_rows


def is_automatic(session: SessionController, request: AnyRequest) -> bool:
    """True if Companion rolls or draws by the settings of the session."""
    return bool(request.chance_setting) and session.settings[request.chance_setting] == "computer"


def action_names(session: SessionController) -> list[str]:
    """The names of all actions."""
    return [action.id for action in session.game.actions]


def action_numbers(session: SessionController) -> dict[str, str]:
    """The number of each action in the list, by its name."""
    names = action_names(session)
    return dict(zip(names, labels([(name,) for name in names]), strict=True))


def usual_action(session: SessionController) -> str:
    """The action that Enter takes now, or ""."""
    game, position = session.game, session.position
    usual = game.table_action(position)
    return usual if usual and not game.obstacle_to(usual, position) else ""


def split_action(session: SessionController, text: str) -> tuple[str, str]:
    """Split a line into the action, by number or the longest name that fits, and the answers.

    An action that is only described has to be named in full.
    """
    words = text.split() or [""]
    for count in range(len(words), 0, -1):
        name, rest = " ".join(words[:count]), " ".join(words[count:])
        names = session.game.action_names(name)
        if name in names or (matching_names(name, names) and (count > 1 or not name.isdecimal())):
            return name, rest
    by_number = {number: name for name, number in action_numbers(session).items()}
    return by_number.get(words[0], words[0]), " ".join(words[1:])


def split_title(session: SessionController, text: str) -> tuple[str, str]:
    """Split a line into the action whose title has its first words, and the answers; else into its first word and the rest.

    Raises Ambiguous: several titles have them.
    """
    words = text.split()
    for count in range(len(words), 0, -1):
        if action := session.game.action_by_title(" ".join(words[:count]), session.position):
            return action, " ".join(words[count:])
    return words[0], " ".join(words[1:])


def open_action_lines(session: SessionController, columns: int) -> list[Line]:
    """The open actions in rows for so many columns, without those that only resolve something described."""
    numbers = action_numbers(session)
    others = {item.id for item in session.game.actions if item.alone or not item.usual} - {usual_action(session)}
    parts = [
        f"{numbers[choice.value]} {choice.value}: {choice.label.partition(' [')[0].partition(':')[0]}"
        for choice in action_choices(session)
        if not choice.hint and choice.value not in others
    ]
    return [Line(row, "dim", "", "  ") for row in packed_rows(parts, columns - 2)]


def action_choices(session: SessionController) -> list[Choice]:
    """The actions, those that are possible first."""
    is_over = bool(session.game.over(session.position))
    choices = []
    for action in session.game.actions:
        obstacle = action.obstacle(session.position)
        why = obstacle.text if obstacle else "the game is over" if is_over and action.usual else ""
        choices.append(Choice(action.id, f"{action.title} [{action.rule}]", f"not now: {why}" if why else ""))
    return sorted(choices, key=lambda choice: bool(choice.hint))


def action_list_lines(session: SessionController) -> list[Line]:
    """All actions: those that are open with their titles, then the others with the reason."""
    numbers = action_numbers(session)
    number_width = max(map(len, numbers.values()))
    rows, impossible = [], dict[str, list[str]]()
    for choice in action_choices(session):
        if choice.hint:
            impossible.setdefault(choice.hint_text, []).append(choice.value)
        else:
            lead = f"  {numbers[choice.value].rjust(number_width)}  {choice.value.ljust(12)} "
            rows.append(Line(choice.label, "", "", lead))
    rows += [Line(f"{', '.join(actions)}: {why}", "dim", "", "  ") for why, actions in impossible.items()]
    return rows
