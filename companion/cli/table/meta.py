"""The slash commands of the loop: at every prompt, by unique prefix, none of them an action of the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from companion.cli.shell.arguments import amendments, split, whole
from companion.cli.shell.status import status_lines
from companion.cli.table.menus import AUDITED
from companion.cli.table.prompt import Ask, Prompt, Tell
from companion.core.errors import Unreadable
from companion.core.requests import Choice, Request
from companion.core.words import one_of
from companion.session.desk import Desk, Result
from companion.views.board import setup_lines
from companion.views.lines import Line, table
from companion.views.log import log_lines, why_lines
from companion.views.odds import odds_lines
from companion.views.parts import shown
from companion.views.reference import find_rules, found_lines

_LAST = 5


class Leave(Exception):
    """The player leaves."""


class Playing(Protocol):
    """What a slash command needs of the loop that it is typed in."""

    desk: Desk
    ask: Ask
    tell: Tell
    differences: Callable[[Desk], list[tuple[str, str]]] | None

    def show(self, result: Result | None) -> None: ...

    def page(self, lines: Sequence[Line]) -> None: ...

    def ask_request(self, request: Request[Any]) -> str: ...


class Meta(NamedTuple):
    """A slash command: what it does, one line of help, what it takes."""

    run: Callable[[Playing, str], None]
    help: str
    takes: str = ""


def run_meta(play: Playing, text: str) -> None:
    """Carry out a slash command, by unique prefix of its name.

    Raises:
        Unreadable: there is no such command, or it takes something else.
        Leave: the player leaves.
    """
    name, _, rest = text.strip().partition(" ")
    chosen = one_of(name, [*METAS, *_ALSO], "command") if name else "help"
    METAS[_ALSO.get(chosen, chosen)].run(play, rest.strip())


def _undo(play: Playing, rest: str) -> None:
    word, _, number = rest.partition(" ")
    if word == "to":
        play.show(play.desk.undo_to(whole(number.strip(), "entry")))
    else:
        play.show(play.desk.undo(whole(rest, "number of entries") if rest else 1))


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
    play.page(found_lines(play.desk.game, find_rules(play.desk.game, words), words))


def _why(play: Playing, rest: str) -> None:
    history = play.desk.history
    entry = history.find(whole(rest, "entry") if rest else history.force[-1])
    play.page(why_lines(play.desk.game, history, entry._replace(events=play.desk.events_of(entry.number))))


def _odds(play: Playing, rest: str) -> None:
    if not rest:
        play.page(odds_lines(play.desk.odds()))
        return
    from companion.cli.table.inquiry import Inquiry, situation_odds

    name, *words = split(rest)
    inquiry = Inquiry(play.desk.game, play.desk.archive, words, play.ask_request, play.desk)
    play.page(odds_lines(situation_odds(inquiry, name)))


def _bot(play: Playing, rest: str) -> None:
    from companion.cli.table.inquiry import Inquiry, advice, bot_lines

    inquiry = Inquiry(play.desk.game, play.desk.archive, split(rest), play.ask_request, play.desk)
    play.page(bot_lines(play.desk, advice(play.desk, inquiry)))


def _note(play: Playing, rest: str) -> None:
    text = rest or play.ask(Prompt("What? > ")).strip()
    if not text:
        raise Unreadable("nothing to note", cure="/note TEXT")
    play.desk.note(text)
    play.tell([Line("Noted", "dim")])


def _adjust(play: Playing, rest: str) -> None:
    words = split(rest)
    if len(words) < 2:
        raise Unreadable("adjust what, to what?", cure="/adjust WHAT VALUE because ...")
    why = " ".join(words[2:]).removeprefix("because").strip() or play.ask(Prompt("Why? > ")).strip()
    if not why:
        raise Unreadable("an adjustment needs its reason", cure="/adjust WHAT VALUE because ...")
    play.show(play.desk.adjust([(words[0], words[1])], why))


def _show(play: Playing, rest: str) -> None:
    play.page(shown(play.desk, rest or "overview").lines())


def _log(play: Playing, rest: str) -> None:
    last = whole(rest, "number of entries") if rest else _LAST
    open_events = play.desk.events_of(play.desk.pending_entry) if play.desk.pending else ()
    play.page(log_lines(play.desk.game, play.desk.history, last=last, under_way=open_events))


def _hands(play: Playing, rest: str, what: str) -> None:
    if rest:
        hand = one_of(rest, ("computer", "physical"), f"hand for {what}")
        play.desk.setting(**{what: hand})
    play.tell([Line(f"{what}: {play.desk.settings[what]}", "dim")])


def _dice(play: Playing, rest: str) -> None:
    _hands(play, rest, "dice")


def _draws(play: Playing, rest: str) -> None:
    _hands(play, rest, "draws")


def _audit(play: Playing, _: str) -> None:
    play.page(setup_lines(play.desk.game, play.desk.position))
    changes = play.differences(play.desk) if play.differences else []
    if changes:
        play.show(play.desk.adjust(changes, AUDITED, action="audit"))


def _status(play: Playing, _: str) -> None:
    play.page(status_lines(play.desk))


def _bundle(play: Playing, rest: str) -> None:
    if not rest:
        raise Unreadable("a bundle needs a file", cure="/bundle FILE")
    from companion.cli.shell.files import write_new
    from companion.session.transfer import bundle

    play.tell([Line(f"Written: {write_new(rest, bundle(play.desk.archive, play.desk.info))}", "dim")])


def _help(play: Playing, _: str) -> None:
    rows = table([(f"/{name} {meta.takes}".rstrip(), meta.help) for name, meta in METAS.items()], indent="  ")
    keys = "First letters do; TAB completes; ? lists what is legal; Enter takes what is in []"
    play.page([Line("An action of the game, or an answer to its question; besides:"), *rows, Line(keys, "dim")])


def _quit(play: Playing, _: str) -> None:
    raise Leave


METAS: dict[str, Meta] = {
    "undo": Meta(_undo, "take back the last entry, N entries, or all after an entry", "[N | to ENTRY]"),
    "redo": Meta(_redo, "bring back what was undone"),
    "back": Meta(_back, "take back the last reply that was given by hand"),
    "rule": Meta(_rule, "the rule that asks, or any rule", "[NUMBER | WORDS]"),
    "why": Meta(_why, "the last entry with every reason", "[ENTRY]"),
    "odds": Meta(_odds, "exact chances of what is asked, or of ...", "[SITUATION ...]"),
    "bot": Meta(_bot, "what the opponent would do, and why"),
    "note": Meta(_note, "write something down", "TEXT"),
    "adjust": Meta(_adjust, "set anything to what lies on the table", "WHAT VALUE because ..."),
    "show": Meta(_show, "tracks, places, a piece, cups, score ...", "[WHAT]"),
    "log": Meta(_log, "the last entries", "[N]"),
    "status": Meta(_status, "where play is"),
    "abort": Meta(_abort, "take back the entry that is open"),
    "amend": Meta(_amend, "change an old reply", "ENTRY.REPLY VALUE[, ...]"),
    "dice": Meta(_dice, "who rolls", "computer|physical"),
    "draws": Meta(_draws, "who draws", "computer|physical"),
    "audit": Meta(_audit, "compare the table with what should be there"),
    "bundle": Meta(_bundle, "write the whole session to a file", "FILE"),
    "help": Meta(_help, "this list"),
    "quit": Meta(_quit, "leave; everything is saved"),
}
"""In the order in which /help lists them."""

_ALSO = {"exit": "quit", "save": "quit"}
"""Other names for them, which no list shows; everything is saved at every moment, so who saves wants to leave."""


def meta_choices() -> list[Choice]:
    """The slash commands, for completion."""
    return [Choice(f"/{name}", meta.help) for name, meta in METAS.items()]
