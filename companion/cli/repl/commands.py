"""The slash commands of the prompt. They work at every prompt, by unique prefix."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from companion.cli.repl.prompt import KEY_HELP, KEYS, Prompt, command_of, place_choices, shell_command_of, situation_choices
from companion.cli.shell import shared
from companion.cli.shell.arguments import amendments, parse_action_number, parse_positive, split
from companion.core.errors import CompanionError, Unreadable
from companion.core.requests import Choice
from companion.core.text import clean, normalised, pick_name
from companion.games import GAMES
from companion.session.adjust import check_adjustment, parse_changes
from companion.session.controller import SessionController, update_open_session
from companion.session.files import SETTINGS, help_topics
from companion.session.plugins import LOADED_PLUGINS
from companion.session.state import ROLL_MODES
from companion.views.board import PARTS, show
from companion.views.lines import Line, table_lines, value_text
from companion.views.log import log_lines, why_lines
from companion.views.question import odds_lines
from companion.views.reference import find_rules, rule_search_lines

if TYPE_CHECKING:
    from companion.cli.repl.loop import Loop
    from companion.core.map import Map
    from companion.core.request import Odds

_DEFAULT_LOG = 5


class Leave(Exception):
    """The player leaves."""


Run = Callable[["Loop", str], None]
Choices = Callable[[SessionController, str], Sequence[Choice]]


class SlashCommand(NamedTuple):
    """A slash command.

    Attributes:
        run: Called with the loop and the words after the command.
        help: One line.
        takes: What it takes, for the help.
        further: Completions after some words.
    """

    run: Run
    help: str
    takes: str
    further: Choices


SLASH_COMMANDS: dict[str, SlashCommand] = {}
"""In the order of /help."""

_ALIASES = {"exit": "quit", "save": "quit", "advise": "bot", "hint": "bot", "cancel": "abort", **KEYS}
"""Other names, which no list shows. Everything is always saved, so that a player who saves wants to leave."""


def _command(name: str, help: str, takes: str = "", further: Choices = lambda session, words: ()) -> Callable[[Run], Run]:
    """Register a slash command."""

    def register(run: Run) -> Run:
        SLASH_COMMANDS[name] = SlashCommand(run, help, takes, further)
        return run

    return register


def run_command(repl: Loop, text: str) -> None:
    """Run a slash command, by unique prefix or number.

    Raises:
        Unreadable: There is no such command, or it takes something else.
        Leave: The player leaves.
    """
    if text.casefold().split() == ["help", "me"]:
        text = "hint"
    name, _, rest = text.strip().partition(" ")
    if not name:
        repl.page([*repl.legal_lines(), *_numbered_lines()])
        return
    full, words = _full_name(name), rest.split()
    if words and words[0] == repl.session.game.id and full not in ("help", "note"):
        words = words[1:]  # typed as in the shell: companion rule GAME 16.5
    command = SLASH_COMMANDS[full]
    if words == ["--help"]:
        repl.tell([Line(f"/{full} {command.takes}".strip(), "title"), Line(command.help)])
    else:
        command.run(repl, rest.strip() if words == rest.split() else " ".join(words))


def run_shell_command(repl: Loop, text: str) -> None:
    """Run a command that is typed as in the shell, without the name of the program: `undo --reply`.

    Raises:
        Unreadable: It has no counterpart at the table.
        Leave: The player leaves.
    """
    for shell, name in _OTHER_WORDS.items():
        text = name if text == shell else text
    name = text.partition(" ")[0]
    if name not in SLASH_COMMANDS and name not in _ALIASES:
        cure = "Leave with /quit, everything is saved; or type it in a second terminal"
        raise Unreadable(f"'companion {clean(name)}' is a command of the shell, not of the table", cure=cure)
    run_command(repl, text)


def _full_name(name: str) -> str:
    """The name of a command by prefix, alias or number. Raises Unreadable: there is none."""
    if name.isdecimal() and 1 <= int(name) <= len(SLASH_COMMANDS):
        return list(SLASH_COMMANDS)[int(name) - 1]
    chosen = pick_name(name, [*SLASH_COMMANDS, *_ALIASES], "command")
    return _ALIASES.get(chosen, chosen)


_RELATIVE = ("undo", "redo", "back", "abort", "bot")
"""Commands that mean what was done last, or what is asked now."""


def is_independent(text: str) -> bool:
    """True if a line is a command that means the same whatever was done elsewhere meanwhile."""
    command = command_of(text)
    name = (shell_command_of(text) or "") if command is None else command
    try:
        return bool(name) and _full_name(name.partition(" ")[0]) not in _RELATIVE
    except CompanionError:
        return command is not None  # its error says so


def _numbered_lines() -> list[Line]:
    """The slash commands with their numbers, for players who use only the number pad."""
    numbered = [f"{number} {name}" for number, name in enumerate(SLASH_COMMANDS, 1)]
    return [Line(f"{'   '.join(numbered)}"), Line("/ and a number, such as /5; /help says what they do", "dim")]


def further_choices(repl: Loop, line: str) -> Sequence[Choice]:
    """Completions after the words of a slash command."""
    name, _, words = line.partition(" ")
    try:
        return SLASH_COMMANDS[_full_name(name)].further(repl.session, words.strip())
    except Unreadable:
        return ()


def command_choices() -> list[Choice]:
    """The slash commands, for completion."""
    return [Choice(f"/{name}", command.help) for name, command in SLASH_COMMANDS.items()]


_OTHER_WORDS = {"undo --reply": "back", "undo [--reply]": "back", "log --undone": "log undone", "back": "back"}
"""Commands of the shell that have another name at the prompt."""


def as_slash_commands(text: str) -> str:
    """Replace commands of the shell in a message by slash commands: `companion undo` by `/undo`."""
    if "companion " not in text:
        return text
    import re

    names = "|".join(map(re.escape, [*_OTHER_WORDS, *SLASH_COMMANDS]))
    games = "|".join(map(re.escape, ["GAME", *GAMES, *LOADED_PLUGINS]))
    command = rf"\bcompanion ({names})(?!\w)( (?:{games})(?!\w))?"
    return re.sub(command, lambda match: f"/{_OTHER_WORDS.get(match[1], match[1])}", text)


# -- completions ---------------------------------------------------------------------------------------------------------


def _first_word(choices: Callable[[SessionController], Sequence[Choice]]) -> Choices:
    """Completions of the first word only."""
    return lambda session, words: () if words else choices(session)


def _fixed(*words: str) -> Choices:
    return _first_word(lambda session: [Choice(word, word) for word in words])


def _rule_choices(session: SessionController) -> list[Choice]:
    return [Choice(number, number, rule.title) for number, rule in session.game.tables.rules.items()]


def _entry_choices(session: SessionController) -> list[Choice]:
    history = session.history
    return [Choice(str(number), str(number), history.entries[number].action) for number in reversed(history.force)]


def _review_choices(session: SessionController) -> list[Choice]:
    return [Choice("details", "details", "all of it"), *_entry_choices(session)]


def _undo_choices(session: SessionController, words: str) -> list[Choice]:
    return _entry_choices(session) if words == "to" else [] if words else [Choice("to", "to", "an action, by its number")]


def _reply_choices(session: SessionController) -> list[Choice]:
    """The player's answers, the last one first."""
    choices = [
        Choice(f"{entry.number}.{number}", f"{entry.number}.{number}", f"{reply.key} = {value_text(reply.value)}")
        for entry in session.history.in_force
        for number, reply in enumerate(entry.replies, 1)
        if reply.is_from_player and not reply.is_adjustment
    ]
    return choices[::-1]


def _track_and_piece_choices(session: SessionController) -> list[Choice]:
    game, pieces = session.game, session.position.pieces.values()
    tracks = [Choice(track, game.track_title(track)) for track in game.tracks if game.track_title(track)]
    return [*tracks, *(Choice(piece.name, piece.name, game.place_title(piece.place)) for piece in pieces)]


def _adjust_choices(session: SessionController, words: str) -> list[Choice]:
    """Tracks and pieces; after a piece, the places."""
    if not words:
        return _track_and_piece_choices(session)
    is_piece = any(normalised(piece.name) == normalised(words) for piece in session.position.pieces.values())
    return place_choices(session) if is_piece else []


def _page_choices(session: SessionController) -> list[Choice]:
    return [Choice(topic, topic, title) for topic, title in help_topics().items()]


def _show_choices(session: SessionController) -> list[Choice]:
    return [*(Choice(part, part) for part in PARTS), *place_choices(session), *_track_and_piece_choices(session)]


def _space_choices(session: SessionController) -> list[Choice]:
    spaces = _known_map(session).spaces.values() if session.game.map else ()
    return [Choice(space.name, space.title or space.name) for space in spaces]


def _map_choices(session: SessionController, words: str) -> list[Choice]:
    if words or not session.game.map:
        return _space_choices(session) if words == "tell" else []
    return [*_space_choices(session), Choice("tell", "tell", "what is printed on it")]


# -- commands ------------------------------------------------------------------------------------------------------------


@_command("undo", "take back the last action, N, or all after one", "[N | to ACTION]", _undo_choices)
def _undo(repl: Loop, rest: str) -> None:
    word, _, number = rest.partition(" ")
    if word == "to":
        repl.show(repl.session.undo_to(parse_positive(number.strip(), "entry")))
    else:
        repl.show(repl.session.undo(parse_positive(rest, "number of actions") if rest else 1))


@_command("redo", "restore what was undone")
def _redo(repl: Loop, _: str) -> None:
    repl.show(repl.session.redo())


@_command("back", "one question back")
def _back(repl: Loop, _: str) -> None:
    repl.show(repl.session.undo_reply())


@_command("rule", "the rule that asks, or any rule", "[NUMBER | WORDS]", _first_word(_rule_choices))
def _rule(repl: Loop, rest: str) -> None:
    game, pending = repl.session.game, repl.session.pending
    words = rest or (pending.rule if pending else "")
    rules = find_rules(game, words) if words else list(game.tables.rules.values())
    repl.page(rule_search_lines(game, rules, words))


@_command("why", "the last action with every reason", "[ACTION]", _first_word(_entry_choices))
def _why(repl: Loop, rest: str) -> None:
    session = repl.session
    entry = session.history.find(parse_action_number(rest) if rest else session.history.force[-1])
    repl.page(why_lines(session.game, session.history, entry._replace(events=session.events_of(entry.number))))


@_command("review", "the review", "[ACTION | details]", _first_word(_review_choices))
def _review(repl: Loop, rest: str) -> None:
    from companion.cli.shell.output import width
    from companion.views.review import action_lines, review_lines

    # refused before a long review
    entry = parse_action_number(rest) if rest[:1].isdecimal() else 0
    if entry:
        repl.session.history.find(entry)
    details = bool(rest) and not entry and bool(pick_name(rest.lstrip("-"), ("details",), "part of the review"))
    about = shared.reviewed(repl.session)
    if entry:
        repl.page(action_lines(about, entry, width()))
        return
    worst = [f"; all answers to the worst: /review {one.entry}" for one in about.review.mistakes()[:1]]
    more = [] if details else [Line(f"More: /review details{''.join(worst)}", "dim")]
    repl.page([*review_lines(about, details=details, columns=width()), *more])


@_command("odds", "exact odds of the question, or of ...", "[SITUATION ...]", situation_choices)
def _odds(repl: Loop, rest: str) -> None:
    session = repl.session
    if not rest:
        if session.pending is None and (names := [item.id for item in session.game.situations]):
            raise Unreadable("no question is open", cure=f"Ask for a situation, such as /odds {names[0]}: {', '.join(names)}")
        _show_odds(repl, session.odds())
        return
    from companion.session.inquiry import situation_odds

    name, *words = split(rest)
    _show_odds(repl, situation_odds(shared.inquiry(session.game, session.archive, words, repl.ask_request, session), name))


def _show_odds(repl: Loop, odds: Odds) -> None:
    repl.page(odds_lines(odds), later=shared.later_odds(odds))


@_command("bot", "what the opponent would do, and why; or do it", "[do]", _fixed("do"))
def _bot(repl: Loop, rest: str) -> None:
    from companion.session.inquiry import advice

    session = repl.session
    if rest in ("do", "1"):  # 1 can be typed on the number pad
        advised = session.advised()
        if advised is None or not advised.input_text:
            raise Unreadable("there is no advice here that can be carried out", cure="See the advice: /bot")
        repl.page(shared.advice_lines(session, [advised.said]))
        repl.next_line = repl.next_line or advised.input_text
        return
    asking = shared.inquiry(session.game, session.archive, split(rest), repl.ask_request, session)
    repl.page(shared.advice_lines(session, advice(session, asking).events))


@_command("note", "write a note into the log", "TEXT")
def _note(repl: Loop, rest: str) -> None:
    text = rest or repl.ask_line(Prompt("What? > "), "The text of the note")
    if text is None:
        return
    if not text:
        raise Unreadable("nothing to note", cure="/note TEXT")
    repl.session.note(text)
    repl.tell([Line("Noted", "dim")])


@_command("adjust", "set anything to what lies on the table", "WHAT VALUE because ...", _adjust_choices)
def _adjust(repl: Loop, rest: str) -> None:
    changes, because, why = rest.partition(" because ")
    words = split(changes)
    if len(words) < 2:
        raise Unreadable("adjust what, to what?", cure=f"{shared.adjust_examples(repl.session)}; behind it: because REASON")
    if not because:
        words, why = words[:2], " ".join(words[2:])
    session = repl.session
    pairs = parse_changes(session.game, session.options, session.position, words)
    insists = repl.insist(lambda anyway: check_adjustment(session, pairs, anyway))
    if insists is None:
        return
    typed = why.strip() or repl.ask_line(Prompt(f"Why? [{shared.ADJUST_REASON}] > "), "The reason, for the log")
    if typed is not None:
        repl.show(session.adjust(pairs, typed or shared.ADJUST_REASON, anyway=insists))


@_command("show", "tracks, places, a piece, cups, score ...", "[WHAT]", _first_word(_show_choices))
def _show(repl: Loop, rest: str) -> None:
    repl.page(show(repl.session, rest or "overview").lines())


@_command("log", "the last actions", "[N | all | undone]", _fixed("all", "undone"))
def _log(repl: Loop, rest: str) -> None:
    session = repl.session
    part = pick_name(rest, ("all", "undone"), "part of the log") if rest and not rest.isdecimal() else ""
    count = 0 if part else parse_positive(rest, "number of actions") if rest else _DEFAULT_LOG
    open_events = session.events_of(session.pending_entry) if session.pending else ()
    repl.page(log_lines(session.game, session.history, part == "undone", count, open_events))


@_command("map", "the map, one space, or enter it", "[SPACE | tell LINE]", _map_choices)
def _map(repl: Loop, rest: str) -> None:
    from companion.views import map_text

    session, (verb, _, line) = repl.session, rest.partition(" ")
    if verb == "tell":
        _tell_map(repl, line)
        return
    map, (rows, columns) = _known_map(session), repl.size()
    known = session.archive.printed(session.game.id)
    space = map_text.find_space(map, rest, session.game, known) if rest else ""
    height, around = max(rows - 2, 4) if rows else map_text.SCREEN_ROWS, map_text.last_moved_space(session, map)
    repl.page(map_text.map_lines(map, space, columns, height, around))


def _tell_map(repl: Loop, line: str) -> None:
    """Store what is printed on a space, and update the session."""
    from companion.session.facts import Contradiction, example_line, from_typed, geography_of, take_over

    session, geography = repl.session, geography_of(repl.session.game)
    known = session.archive.printed(session.game.id)
    if not line.strip():
        raise Unreadable("enter which line?", cure=f"/map tell {example_line(geography, known)}")
    facts = from_typed(session.game, line, known)
    name = "what you entered"
    told = repl.insist(lambda anyway: (take_over(session.archive, session.game, facts, name, anyway), anyway), Contradiction)
    if told is None:
        return
    new, insists = told
    texts = shared.understood_texts(session.game, new)
    repl.tell([Line(text) for text in texts] or [Line("Nothing new: all of it was known", "dim")])
    update = update_open_session(session, facts, anyway=insists)
    if update and update.result:
        repl.show(update.result)
    elif update:
        repl.tell([Line(update.fault, "reminder", "", "* ")])


def _known_map(session: SessionController) -> Map:
    from companion.views.map_text import known_map

    game, archive = session.game, session.archive
    return known_map(game, session.position, session.options, archive.printed(game.id), archive.inferred_facts(game.id))


@_command("status", "where play is")
def _status(repl: Loop, _: str) -> None:
    repl.page(shared.status_lines(repl.session))


@_command("summary", "summary of a turn")
def _summary(repl: Loop, rest: str) -> None:
    from companion.views.result import find_turn, session_summary

    turn = parse_positive(rest, "turn") if rest else None
    repl.page(session_summary(repl.session, find_turn(repl.session, turn)))


@_command("verify", "check dice")
def _verify(repl: Loop, _: str) -> None:
    from companion.session.verify import require_trusted, verify
    from companion.views.trusted import verification_lines

    session = repl.session
    rows, name = session.archive.rows(session.info.id), f"session {session.info.name}"
    require_trusted(rows, name, session.game.id)
    repl.page(verification_lines(verify(session.game, session.options, rows), session.info.name))


@_command("abort", "take back the open action")
def _abort(repl: Loop, _: str) -> None:
    repl.show(repl.session.abort())


@_command("consent", "allow a change", "yes|no", _fixed("yes", "no"))
def _consent(repl: Loop, rest: str) -> None:
    from companion.session.trusted import own_seat
    from companion.views.trusted import consent_lines

    session = repl.session
    if rest:
        repl.show(session.consent(own_seat(session), pick_name(rest, ("yes", "no"), "answer") == "yes"))
    else:
        repl.tell(consent_lines(session) or [Line("Nothing waits for consent", "dim")])


@_command("amend", "change answer M of action N", "N.M VALUE[, ...]", _first_word(_reply_choices))
def _amend(repl: Loop, rest: str) -> None:
    reply, _, value = rest.partition(" ")
    (number, text), *others = amendments(reply, value)
    repl.show(repl.insist(lambda anyway: repl.session.amend(*number, text, anyway, dict(others))))


@_command("dice", "who rolls", "computer|physical", _fixed(*ROLL_MODES))
def _dice(repl: Loop, rest: str) -> None:
    _change_setting(repl, "dice", pick_name(rest, ROLL_MODES, "way for dice") if rest else "")


@_command("draws", "who draws", "computer|physical", _fixed(*ROLL_MODES))
def _draws(repl: Loop, rest: str) -> None:
    _change_setting(repl, "draws", pick_name(rest, ROLL_MODES, "way for draws") if rest else "")


@_command("think", "playouts of an opponent per candidate", "N | usual", _fixed("usual"))
def _think(repl: Loop, rest: str) -> None:
    _change_setting(repl, "think", rest)


def _change_setting(repl: Loop, key: str, value: str) -> None:
    """Change a setting of the session if there is a value, and show it."""
    if value:
        repl.session.setting(**{key: value})
    repl.tell([Line(f"{key}: {repl.session.settings[key]}", "dim")])


@_command("pace", "where the opponent's part of a turn stops", "action | line | never", _fixed(*SETTINGS["pace"].values))
def _pace(repl: Loop, rest: str) -> None:
    if rest:
        repl.pace = pick_name(rest, SETTINGS["pace"].values, "pace")
    meaning = {
        "action": "Enter begins each action of the opponent",
        "line": "the opponent's actions stop at each line",
        "never": "what only needs Enter in the opponent's part of a turn goes on by itself",
    }[repl.pace]
    repl.tell([Line(f"pace {repl.pace}: {meaning}. For every session: companion config pace {repl.pace}", "dim")])


@_command("audit", "compare the table with the record", "[WHAT VALUE, ...]", _adjust_choices)
def _audit(repl: Loop, rest: str) -> None:
    if not rest:
        repl.page(shared.audit_lines(repl.session))
        if repl.next_line or (typed := repl.ask_line(Prompt("[all right] audit > "), shared.AUDIT_HELP)) is None:
            return
        rest = typed
    if rest:
        changes = shared.parse_differences(repl.session, rest)
        repl.show(repl.insist(lambda anyway: repl.session.adjust(changes, shared.AUDIT_REASON, "audit", anyway)))
    else:
        repl.tell([Line("Everything is as it should be", "dim")])


@_command("bundle", "write the whole session to a file", "FILE")
def _bundle(repl: Loop, rest: str) -> None:
    if not rest:
        raise Unreadable("a bundle needs a file", cure="/bundle FILE")
    from companion.cli.shell.files import write_new
    from companion.session.transfer import bundle
    from companion.session.verify import head_of
    from companion.views.trusted import head_line

    document = bundle(repl.session.archive, repl.session.info)
    repl.tell([Line(f"Written: {write_new(rest, document)}", "dim"), head_line(len(document["rows"]), head_of(document["rows"]))])


@_command("answers", "all that can be answered here, or done")
def _answers(repl: Loop, _: str) -> None:
    repl.page(repl.legal_lines())


@_command("tour", "explain each thing as it comes up")
def _tour(repl: Loop, _: str) -> None:
    repl.start_tour()


@_command("help", "this list or a page", "[TOPIC]", _first_word(_page_choices))
def _help(repl: Loop, rest: str) -> None:
    if rest:
        from companion.cli.shell.output import colours
        from companion.cli.shell.screen import help_page_lines

        repl.page(help_page_lines(pick_name(rest, list(help_topics()), "page"), repl.size()[1], quoted=not colours()))
        return
    listed = [item for item in SLASH_COMMANDS.items() if item[0] != KEYS["?"]]  # the last line names that key
    rows = table_lines([_help_row(list(group)) for _, group in groupby(listed, _help_group)], indent="  ")
    repl.page([Line("An action, or an answer to its question (Enter: what is in []); besides:"), *rows, Line(KEY_HELP, "dim")])


@_command("quit", "leave; everything is saved")
def _quit(repl: Loop, _: str) -> None:
    raise Leave


_SHARED_ROWS = (
    *(("redo", "back"), ("why", "review"), ("status", "summary", "verify")),
    *(("abort", "consent"), ("tour", "help", "quit")),
)


def _help_group(item: tuple[str, SlashCommand]) -> str:
    """Commands with the same group share a line of help, because the screen has 24 rows."""
    name, command = item
    return next((row[0] for row in _SHARED_ROWS if name in row), command.takes or name)


def _help_row(items: Sequence[tuple[str, SlashCommand]]) -> tuple[str, str]:
    names = " ".join(f"/{name}" for name, _ in items)
    return f"{names} {items[0][1].takes}".rstrip(), ", ".join(command.help for _, command in items)
