"""The slash commands of the loop: at every prompt, by unique prefix, none of them an action of the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from companion.cli.prompt import Prompt
from companion.cli.status import status_lines
from companion.cli.words import reply_number, whole
from companion.core.errors import Unreadable
from companion.core.words import one_of
from companion.views.catalog import find_rules
from companion.views.lines import Line, table
from companion.views.log import log_lines, why_lines
from companion.views.odds import odds_lines

if TYPE_CHECKING:
    from companion.cli.loop import Loop

_LAST = 5


class Leave(Exception):
    """The player leaves the loop."""


class Meta(NamedTuple):
    """A slash command: what it does, one line of help, what it takes."""

    run: Callable[[Loop, str], None]
    help: str
    takes: str = ""


def run_meta(loop: Loop, text: str) -> None:
    """Carry out a slash command, by unique prefix of its name.

    Raises:
        Unreadable: there is no such command, or it takes something else.
        Leave: the player leaves.
    """
    name, _, rest = text.strip().partition(" ")
    chosen = one_of(name, list(METAS), "command", cure="/help lists them") if name else "help"
    METAS[chosen].run(loop, rest.strip())


def _undo(loop: Loop, rest: str) -> None:
    word, _, number = rest.partition(" ")
    if word == "to":
        loop.show_step(loop.desk.undo_to(whole(number.strip(), "entry")))
    else:
        loop.show_step(loop.desk.undo(whole(rest, "number of entries") if rest else 1))


def _redo(loop: Loop, _: str) -> None:
    loop.show_step(loop.desk.redo())


def _back(loop: Loop, _: str) -> None:
    loop.show_step(loop.desk.undo_reply())


def _abort(loop: Loop, _: str) -> None:
    loop.show_step(loop.desk.abort())


def _amend(loop: Loop, rest: str) -> None:
    reply, _, value = rest.partition(" ")
    entry, number = reply_number(reply)
    loop.show_step(loop.desk.amend(entry, number, value.strip()))


def _rule(loop: Loop, rest: str) -> None:
    from companion.cli.lists import rule_lines

    pending = loop.desk.pending
    words = rest or (pending.rule if pending else "")
    if not words:
        raise Unreadable("which rule?", cure="/rule NUMBER or /rule WORDS")
    loop.page(rule_lines(loop.desk.game, find_rules(loop.desk.game, words), words))


def _why(loop: Loop, rest: str) -> None:
    history = loop.desk.history
    entry = history.find(whole(rest, "entry") if rest else history.force[-1])
    loop.page(why_lines(loop.desk.game, history, entry._replace(events=loop.desk.events_of(entry.number))))


def _odds(loop: Loop, rest: str) -> None:
    if not rest:
        loop.page(odds_lines(loop.desk.odds()))
        return
    from companion.cli.inquiry import Inquiry, situation_odds
    from companion.cli.loop import split

    name, *words = split(rest)
    inquiry = Inquiry(loop.desk.game, loop.desk.archive, words, loop.ask_request, loop.desk)
    loop.page(odds_lines(situation_odds(inquiry, name)))


def _bot(loop: Loop, rest: str) -> None:
    from companion.cli.inquiry import Inquiry, advice, bot_lines
    from companion.cli.loop import split

    inquiry = Inquiry(loop.desk.game, loop.desk.archive, split(rest), loop.ask_request, loop.desk)
    loop.page(bot_lines(loop.desk, advice(loop.desk, inquiry)))


def _note(loop: Loop, rest: str) -> None:
    text = rest or loop.ask(Prompt("What? > ")).strip()
    if not text:
        raise Unreadable("nothing to note", cure="/note TEXT")
    loop.desk.note(text)
    loop.tell([Line("Noted", "dim")])


def _adjust(loop: Loop, rest: str) -> None:
    from companion.cli.loop import split

    words = split(rest)
    if len(words) < 2:
        raise Unreadable("adjust what, to what?", cure="/adjust WHAT VALUE because ...")
    why = " ".join(words[2:]).removeprefix("because").strip() or loop.ask(Prompt("Why? > ")).strip()
    if not why:
        raise Unreadable("an adjustment needs its reason", cure="/adjust WHAT VALUE because ...")
    loop.show_step(loop.desk.adjust([(words[0], words[1])], why))


def _show(loop: Loop, rest: str) -> None:
    from companion.cli.table import shown

    loop.page(shown(loop.desk, rest or "overview").lines())


def _log(loop: Loop, rest: str) -> None:
    last = whole(rest, "number of entries") if rest else _LAST
    open_events = loop.desk.events_of(loop.desk.pending_entry) if loop.desk.pending else ()
    loop.page(log_lines(loop.desk.game, loop.desk.history, last=last, under_way=open_events))


def _hands(loop: Loop, rest: str, what: str) -> None:
    if rest:
        hand = one_of(rest, ("computer", "physical"), f"hand for {what}")
        loop.desk.setting(**{what: hand})
    loop.tell([Line(f"{what}: {loop.desk.settings[what]}", "dim")])


def _dice(loop: Loop, rest: str) -> None:
    _hands(loop, rest, "dice")


def _draws(loop: Loop, rest: str) -> None:
    _hands(loop, rest, "draws")


def _audit(loop: Loop, _: str) -> None:
    from companion.cli.audit import WHY
    from companion.views.board import setup_lines

    loop.page(setup_lines(loop.desk.game, loop.desk.position))
    changes = loop.differences(loop.desk) if loop.differences else []
    if changes:
        loop.show_step(loop.desk.adjust(changes, WHY, action="audit"))


def _status(loop: Loop, _: str) -> None:
    loop.page(status_lines(loop.desk))


def _help(loop: Loop, _: str) -> None:
    rows = table([(f"/{name} {meta.takes}".rstrip(), meta.help) for name, meta in METAS.items()], indent="  ")
    keys = "Names and answers by their first letters; TAB completes; ? lists what is legal now; Enter takes what stands in []"
    loop.page([Line("An action of the game, or an answer to its question; besides:"), *rows, Line(keys, "dim")])


def _quit(loop: Loop, _: str) -> None:
    raise Leave


METAS: dict[str, Meta] = {
    "undo": Meta(_undo, "take back the last entry, N entries, or all after an entry", "[N | to ENTRY]"),
    "redo": Meta(_redo, "bring back what was undone"),
    "back": Meta(_back, "take back the last reply that was given by hand"),
    "rule": Meta(_rule, "the rule that asks, or any rule", "[NUMBER | WORDS]"),
    "why": Meta(_why, "the last entry with every reason", "[ENTRY]"),
    "odds": Meta(_odds, "the exact chances of what is asked, or of a situation", "[SITUATION ...]"),
    "bot": Meta(_bot, "what the opponent would do, and why"),
    "note": Meta(_note, "write something down", "TEXT"),
    "adjust": Meta(_adjust, "set anything to what lies on the table", "WHAT VALUE because ..."),
    "show": Meta(_show, "tracks, places, a piece, cups, score ...", "[WHAT]"),
    "log": Meta(_log, "the last entries", "[N]"),
    "status": Meta(_status, "where play is"),
    "abort": Meta(_abort, "take back the entry that is open"),
    "amend": Meta(_amend, "change an old reply", "ENTRY.REPLY VALUE"),
    "dice": Meta(_dice, "who rolls", "computer|physical"),
    "draws": Meta(_draws, "who draws", "computer|physical"),
    "audit": Meta(_audit, "compare the table with what should be there"),
    "help": Meta(_help, "this list"),
    "quit": Meta(_quit, "leave; everything is saved"),
}
"""In the order in which /help lists them."""
