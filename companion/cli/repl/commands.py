"""The slash commands of the loop: at every prompt, by unique prefix, none of them an action of the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple, Protocol

from companion.cli.repl.audit import AUDITED, ask_differences, audit_lines, differences
from companion.cli.repl.completion import of_situation, place_choices
from companion.cli.repl.prompt import Prompt, Tell
from companion.cli.shell.arguments import amendments, split, whole
from companion.cli.shell.status import status_lines
from companion.core.errors import Unreadable
from companion.core.request import AnyRequest
from companion.core.requests import Choice
from companion.core.text import normalised, pick_name
from companion.games import GAMES
from companion.session.adjust import parse_changes
from companion.session.controller import Result, SessionController
from companion.session.files import help_topics
from companion.session.plugins import LOADED_PLUGINS
from companion.session.state import ROLL_MODES
from companion.views.board import PARTS, show
from companion.views.lines import Line, table_lines
from companion.views.log import log_lines, why_lines
from companion.views.odds import odds_lines
from companion.views.phrases import value_text
from companion.views.reference import find_rules, rule_search_lines

if TYPE_CHECKING:
    from companion.core.map import Map

_LAST = 5
_DO = ("do", "1")
"""What behind ``/bot`` has its advice carried out, with letters and on the number pad."""


class Leave(Exception):
    """The player leaves."""


class Playing(Protocol):
    """What a slash command needs of the loop that it is typed in."""

    desk: SessionController
    tell: Tell
    ahead: str
    size: Callable[[], tuple[int, int]]

    def ask(self, prompt: Prompt) -> str: ...

    def show(self, result: Result | None) -> None: ...

    def page(self, lines: Sequence[Line]) -> None: ...

    def ask_request(self, request: AnyRequest) -> str: ...

    def tour(self) -> None: ...


class Meta(NamedTuple):
    """A slash command: what it does, one line of help, what it takes, and what of that TAB can offer behind words of it."""

    run: Callable[[Playing, str], None]
    help: str
    takes: str = ""
    further: Callable[[SessionController, str], Sequence[Choice]] = lambda desk, words: ()


def run_meta(play: Playing, text: str) -> None:
    """Carry out a slash command, by unique prefix of its name.

    Raises:
        Unreadable: there is no such command, or it takes something else.
        Leave: the player leaves.
    """
    name, _, rest = text.strip().partition(" ")
    if name:
        METAS[_meta(name)].run(play, rest.strip())
    else:
        play.page(_numbered())


def _meta(name: str) -> str:
    """The full name of a slash command, which may be told by its number. Raises Unreadable: there is none."""
    if name.isdecimal() and 1 <= int(name) <= len(METAS):
        return list(METAS)[int(name) - 1]
    chosen = pick_name(name, [*METAS, *_ALSO], "command")
    return _ALSO.get(chosen, chosen)


def _numbered() -> list[Line]:
    """The slash commands with their numbers, for who has one hand on the number pad."""
    numbered = [f"{number} {name}" for number, name in enumerate(METAS, 1)]
    return [Line(f"{'   '.join(numbered)}"), Line("/ and a number, such as /5; /help says what they do", "dim")]


def meta_further(play: Playing, line: str) -> Sequence[Choice]:
    """What a slash command takes behind the words of a line, for completion."""
    name, _, words = line.partition(" ")
    try:
        return METAS[_meta(name)].further(play.desk, words.strip())
    except Unreadable:
        return ()


def _undo(play: Playing, rest: str) -> None:
    word, _, number = rest.partition(" ")
    if word == "to":
        play.show(play.desk.undo_to(whole(number.strip(), "entry")))
    else:
        play.show(play.desk.undo(whole(rest, "number of actions") if rest else 1))


def _redo(play: Playing, _: str) -> None:
    play.show(play.desk.redo())


def _back(play: Playing, _: str) -> None:
    play.show(play.desk.undo_reply())


def _abort(play: Playing, _: str) -> None:
    play.show(play.desk.abort())


def _amend(play: Playing, rest: str) -> None:
    reply, _, value = rest.partition(" ")
    (at, text), *also = amendments(reply, value)
    play.show(play.desk.amend(*at, text, also=dict(also)))


def _rule(play: Playing, rest: str) -> None:
    pending = play.desk.pending
    words = rest or (pending.rule if pending else "")
    if not words:
        raise Unreadable("which rule?", cure="/rule NUMBER or /rule WORDS")
    play.page(rule_search_lines(play.desk.game, find_rules(play.desk.game, words), words))


def _why(play: Playing, rest: str) -> None:
    history = play.desk.history
    entry = history.find(whole(rest, "entry") if rest else history.force[-1])
    play.page(why_lines(play.desk.game, history, entry._replace(events=play.desk.events_of(entry.number))))


def _odds(play: Playing, rest: str) -> None:
    if not rest:
        if play.desk.pending is None and (names := [item.id for item in play.desk.game.situations]):
            raise Unreadable("no question is open", cure=f"Ask for a situation, such as /odds {names[0]}: {', '.join(names)}")
        play.page(odds_lines(play.desk.odds()))
        return
    from companion.cli.repl.inquiry import inquiry
    from companion.session.inquiry import situation_odds

    name, *words = split(rest)
    with inquiry(play.desk.game, play.desk.archive, words, play.ask_request, play.desk) as asked:
        found = situation_odds(asked, name)
    play.page(odds_lines(found))


def _bot(play: Playing, rest: str) -> None:
    from companion.cli.repl.inquiry import bot_lines, inquiry
    from companion.session.inquiry import advice

    if rest in _DO:
        found = play.desk.advised()
        if found is None or not found.input_text:
            raise Unreadable("there is no advice here that could be carried out", cure="See what is said: /bot")
        play.page(bot_lines(play.desk, [found.said]))
        play.ahead = play.ahead or found.input_text
        return
    with inquiry(play.desk.game, play.desk.archive, split(rest), play.ask_request, play.desk) as asked:
        events = advice(play.desk, asked)
    play.page(bot_lines(play.desk, events))


def _note(play: Playing, rest: str) -> None:
    text = rest or play.ask(Prompt("What? > ")).strip()
    if not text:
        raise Unreadable("nothing to note", cure="/note TEXT")
    play.desk.note(text)
    play.tell([Line("Noted", "dim")])


def _adjust(play: Playing, rest: str) -> None:
    told, because, why = rest.partition(" because ")
    words = split(told)
    if len(words) < 2:
        raise Unreadable("adjust what, to what?", cure="/adjust WHAT VALUE because ...")
    if not because:
        words, why = words[:2], " ".join(words[2:])
    why = why.strip() or play.ask(Prompt("Why? > ")).strip()
    if not why:
        raise Unreadable("an adjustment needs its reason", cure="/adjust WHAT VALUE because ...")
    desk = play.desk
    play.show(desk.adjust(parse_changes(desk.game, desk.options, desk.position, words), why))


def _show(play: Playing, rest: str) -> None:
    play.page(show(play.desk, rest or "overview").lines())


def _log(play: Playing, rest: str) -> None:
    words = ("all", "undone")
    part = pick_name(rest, words, "part of the log") if rest and not rest.isdecimal() else ""
    last = 0 if part else whole(rest, "number of actions") if rest else _LAST
    open_events = play.desk.events_of(play.desk.pending_entry) if play.desk.pending else ()
    play.page(log_lines(play.desk.game, play.desk.history, part == "undone", last, open_events))


def _summary(play: Playing, rest: str) -> None:
    from companion.views.summary import find_turn, session_summary

    play.page(session_summary(play.desk, find_turn(play.desk, whole(rest, "turn") if rest else None)))


def _map(play: Playing, rest: str) -> None:
    from companion.views.map_text import SCREEN_ROWS, find_space, map_lines

    desk, (verb, _, line) = play.desk, rest.partition(" ")
    if verb == "tell":
        _tell_map(play, line)
        return
    map, (rows, columns) = _drawn(desk), play.size()
    place = find_space(map, rest, desk.game) if rest else ""
    play.page(map_lines(map, place, columns, max(rows - 2, 4) if rows else SCREEN_ROWS))


def _tell_map(play: Playing, line: str) -> None:
    """Tell of a space; the session follows at once."""
    from companion.cli.shell.afterwards import echo
    from companion.session.controller import update_open_session
    from companion.session.facts import take_over
    from companion.session.map_facts import from_typed, geography_of

    desk, geography = play.desk, geography_of(play.desk.game)
    if not line.strip():
        raise Unreadable("enter which line?", cure=f"/map tell {geography.example}")
    read = from_typed(desk.game, line, desk.archive.printed(desk.game.id))
    new = take_over(desk.archive, desk.game, read, "what you entered")
    play.tell([Line(text) for text in echo(desk.game, new)] or [Line("Nothing new: all of it was known", "dim")])
    followed = update_open_session(desk, read)
    if followed and followed.result:
        play.show(followed.result)
    elif followed:
        play.tell([Line(followed.fault, "reminder", "", "* ")])


def _drawn(desk: SessionController) -> Map:
    from companion.views.map_text import known_map

    facts, learnt = desk.archive.printed(desk.game.id), desk.archive.inferred_facts(desk.game.id)
    return known_map(desk.game, desk.position, desk.options, facts, learnt)


def _hands(play: Playing, rest: str, what: str) -> None:
    if rest:
        hand = pick_name(rest, ROLL_MODES, f"way for {what}")
        play.desk.setting(**{what: hand})
    play.tell([Line(f"{what}: {play.desk.settings[what]}", "dim")])


def _dice(play: Playing, rest: str) -> None:
    _hands(play, rest, "dice")


def _draws(play: Playing, rest: str) -> None:
    _hands(play, rest, "draws")


def _think(play: Playing, rest: str) -> None:
    if rest:
        play.desk.setting(think=rest)
    play.tell([Line(f"think: {play.desk.settings['think']}", "dim")])


def _audit(play: Playing, rest: str) -> None:
    if not rest:
        play.page(audit_lines(play.desk))
        rest = play.ahead or ask_differences(play.ask)
        play.ahead = ""
    if rest.startswith("/"):
        play.ahead = rest
    elif rest:
        play.show(play.desk.adjust(differences(play.desk, rest), AUDITED, action="audit"))
    else:
        play.tell([Line("Everything is as it should be", "dim")])


def _status(play: Playing, _: str) -> None:
    play.page(status_lines(play.desk))


def _bundle(play: Playing, rest: str) -> None:
    if not rest:
        raise Unreadable("a bundle needs a file", cure="/bundle FILE")
    from companion.cli.shell.files import write_new
    from companion.session.transfer import bundle

    play.tell([Line(f"Written: {write_new(rest, bundle(play.desk.archive, play.desk.info))}", "dim")])


def _help(play: Playing, rest: str) -> None:
    if rest:
        from companion.cli.shell.output import colours
        from companion.cli.shell.topic import page_lines

        play.page(page_lines(pick_name(rest, list(help_topics()), "page"), play.size()[1], not colours()))
        return
    rows = table_lines([_helped(list(alike)) for _, alike in groupby(METAS.items(), _alike)], indent="  ")
    keys = "First letters do; TAB and ? list. Number pad: - back, + list, * odds, . undo, /"
    play.page([Line("An action, or an answer to its question (Enter: what is in []); besides:"), *rows, Line(keys, "dim")])


def _alike(one: tuple[str, Meta]) -> str:
    """What puts commands in a row on one line of help: that they are of a sort, or take the same."""
    rows = (("status", "summary"), ("tour", "help", "quit"))
    return next((row[0] for row in rows if one[0] in row), one[1].takes or one[0])


def _helped(alike: Sequence[tuple[str, Meta]]) -> tuple[str, str]:
    """Commands in a row that take the same, as one line: the screen holds 24."""
    names = " ".join(f"/{name}" for name, _ in alike)
    return f"{names} {alike[0][1].takes}".rstrip(), ", ".join(meta.help for _, meta in alike)


def _tour(play: Playing, _: str) -> None:
    play.tour()


def _quit(play: Playing, _: str) -> None:
    raise Leave


# -- what TAB offers behind them ---------------------------------------------------------------------------------------


def _only(offered: Callable[[SessionController], Sequence[Choice]]) -> Callable[[SessionController, str], Sequence[Choice]]:
    """What a command takes as its first words, and nothing behind them."""
    return lambda desk, words: () if words else offered(desk)


def _rules(desk: SessionController) -> list[Choice]:
    return [Choice(number, number, rule.title) for number, rule in desk.game.tables.rules.items()]


def _entries(desk: SessionController) -> list[Choice]:
    return [Choice(str(number), str(number), desk.history.entries[number].action) for number in reversed(desk.history.force)]


def _back_to(desk: SessionController, words: str) -> list[Choice]:
    """How far undo goes: to an action, by its number."""
    return _entries(desk) if words == "to" else [] if words else [Choice("to", "to", "an action, by its number")]


def _replies(desk: SessionController) -> list[Choice]:
    """The answers that were given by hand, the last first."""
    by_hand = [
        Choice(f"{entry.number}.{place}", f"{entry.number}.{place}", f"{reply.key} = {value_text(reply.value)}")
        for entry in desk.history.in_force
        for place, reply in enumerate(entry.replies, 1)
        if reply.is_from_player and not reply.is_adjustment
    ]
    return by_hand[::-1]


def _tracks(desk: SessionController) -> list[Choice]:
    return [Choice(track, desk.game.track_title(track)) for track in desk.game.tracks if desk.game.track_title(track)]


def _things(desk: SessionController) -> list[Choice]:
    """The tracks and the pieces."""
    pieces = desk.position.pieces.values()
    return [*_tracks(desk), *(Choice(piece.name, piece.name, desk.game.place_title(piece.place)) for piece in pieces)]


def _corrections(desk: SessionController, words: str) -> list[Choice]:
    """What can be put right; behind a piece where it can be put."""
    if not words:
        return _things(desk)
    named = any(normalised(piece.name) == normalised(words) for piece in desk.position.pieces.values())
    return place_choices(desk) if named else []


def _pages(desk: SessionController) -> list[Choice]:
    return [Choice(topic, topic, title) for topic, title in help_topics().items()]


def _parts(desk: SessionController) -> list[Choice]:
    return [*(Choice(part, part) for part in PARTS), *place_choices(desk), *_things(desk)]


def _spaces(desk: SessionController) -> list[Choice]:
    return [Choice(space.name, space.title or space.name) for space in (_drawn(desk).spaces.values() if desk.game.map_in else ())]


def _map_words(desk: SessionController, words: str) -> list[Choice]:
    """A space, or what tells of one."""
    if words or not desk.game.map_in:
        return _spaces(desk) if words == "tell" else []
    return [*_spaces(desk), Choice("tell", "tell", "what is printed on it")]


def _words(*words: str) -> Callable[[SessionController, str], Sequence[Choice]]:
    """One of some words."""
    return _only(lambda desk: [Choice(word, word) for word in words])


METAS: dict[str, Meta] = {
    "undo": Meta(_undo, "take back the last action, N, or all after one", "[N | to ACTION]", _back_to),
    "redo": Meta(_redo, "bring back what was undone"),
    "back": Meta(_back, "take back the last answer by hand"),
    "rule": Meta(_rule, "the rule that asks, or any rule", "[NUMBER | WORDS]", _only(_rules)),
    "why": Meta(_why, "the last action with every reason", "[ACTION]", _only(_entries)),
    "odds": Meta(_odds, "exact chances of what is asked, or of ...", "[SITUATION ...]", of_situation),
    "bot": Meta(_bot, "what the bot would do, and why; or do it", "[do]", _words("do")),
    "note": Meta(_note, "write something down", "TEXT"),
    "adjust": Meta(_adjust, "set anything to what lies on the table", "WHAT VALUE because ...", _corrections),
    "show": Meta(_show, "tracks, places, a piece, cups, score ...", "[WHAT]", _only(_parts)),
    "log": Meta(_log, "the last actions", "[N | all | undone]", _words("all", "undone")),
    "map": Meta(_map, "the map, what is around a space, or enter it", "[SPACE | tell LINE]", _map_words),
    "status": Meta(_status, "where play is"),
    "summary": Meta(_summary, "what a turn brought"),
    "abort": Meta(_abort, "take back the action that is open"),
    "amend": Meta(_amend, "change answer M of action N", "N.M VALUE[, ...]", _only(_replies)),
    "dice": Meta(_dice, "who rolls", "computer|physical", _words(*ROLL_MODES)),
    "draws": Meta(_draws, "who draws", "computer|physical", _words(*ROLL_MODES)),
    "think": Meta(_think, "playouts by which an opponent decides", "N | usual", _words("usual")),
    "audit": Meta(_audit, "compare the table with what should be there", "[WHAT VALUE, ...]", _corrections),
    "bundle": Meta(_bundle, "write the whole session to a file", "FILE"),
    "tour": Meta(_tour, "a word on each thing, for one turn"),
    "help": Meta(_help, "this list or a page", "[TOPIC]", _only(_pages)),
    "quit": Meta(_quit, "leave; everything is saved"),
}
"""In the order in which /help lists them."""

KEYPAD = {"-": "back", "*": "odds", ".": "undo"}
"""Keys of the number pad that are commands where the question does not take them for an answer; after a slash always."""

_ALSO = {"exit": "quit", "save": "quit", **KEYPAD}
"""Other names for them, which no list shows; everything is saved at every moment, so who saves wants to leave."""

_ELSEWHERE = {"undo --reply": "back", "undo [--reply]": "back", "log --undone": "log undone"}
"""What takes another word at the table than in the shell."""


def at_table(text: str) -> str:
    """A text with each command of the shell as it is typed at the table: ``companion undo`` is ``/undo`` there. Every cure names
    it in the shell's form.
    """
    if "companion " not in text:
        return text
    import re

    names, games = ("|".join(map(re.escape, words)) for words in ([*_ELSEWHERE, *METAS], ["GAME", *GAMES, *LOADED_PLUGINS]))
    return re.sub(
        rf"\bcompanion ({names})(?!\w)( (?:{games})(?!\w))?", lambda found: f"/{_ELSEWHERE.get(found[1], found[1])}", text
    )


def meta_choices() -> list[Choice]:
    """The slash commands, for completion."""
    return [Choice(f"/{name}", meta.help) for name, meta in METAS.items()]
