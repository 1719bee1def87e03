"""Commands that correct: undo, redo, amend, adjust, audit. Each ends with the list of changes to make on the board."""

from __future__ import annotations

from collections.abc import Sequence

from companion.cli.commands.results import anyway_hint, finish
from companion.cli.repl.prompt import Prompt, command_of
from companion.cli.shell import catalog
from companion.cli.shell.archives import open_session, seat_of
from companion.cli.shell.arguments import amendments, pairs, plain_words
from companion.cli.shell.output import on_terminal, show, write
from companion.cli.shell.shared import ADJUST_REASON, AUDIT_REASON, adjust_examples, audit_lines, parse_differences
from companion.core.errors import Unreadable
from companion.session.adjust import parse_changes
from companion.session.controller import SessionController
from companion.views.board import setup_lines
from companion.views.data import session_data
from companion.views.lines import Line


@catalog.UNDO
def undo(count: int, to: int, reply: bool, seat: str, brief: bool, session: str, db: str, json: bool) -> int:
    """Take back actions, or one answer. Nothing is deleted: redo restores it, and log --undone shows it.

    Where several seats answer unseen, --reply --seat takes back that seat's answer only.

    Example: companion undo 2
    """
    if to and reply:
        raise Unreadable("--to and --reply exclude each other", cure="Use one of them")
    controller = open_session(db, session)
    seat = seat_of(controller, seat)
    result = controller.undo_reply(seat) if reply else controller.undo_to(to) if to else controller.undo(count)
    return finish(controller, result, json, is_named=bool(session), asks=False, brief=brief, seat=seat)


@catalog.REDO
def redo(seat: str, brief: bool, session: str, db: str, json: bool) -> int:
    """Restore what the last undo took back.

    Example: companion redo
    """
    controller = open_session(db, session)
    seat = seat_of(controller, seat)
    return finish(controller, controller.redo(), json, is_named=bool(session), asks=False, brief=brief, seat=seat)


@catalog.AMEND
def amend(reply: str, value: Sequence[str], anyway: bool, brief: bool, session: str, db: str, json: bool) -> int:
    """Change an old answer, or several, and replay the later ones as far as they still fit.

    Example: companion amend 2.2 south

    Two answers at once: companion amend 2.1 "3/1, 1/8", 2.2 north
    """
    controller = open_session(db, session)
    (number, text), *others = amendments(reply, " ".join(plain_words(value)))
    with anyway_hint():
        result = controller.amend(*number, text, anyway, dict(others))
    return finish(controller, result, json, is_named=bool(session), asks=False, brief=brief)


@catalog.ADJUST
def adjust(words: Sequence[str], why: str, anyway: bool, brief: bool, session: str, db: str, json: bool) -> int:
    """Set tracks and pieces to what lies on the table. Several pairs are recorded together.

    Example: companion adjust morale High --why "forgot to move it"
    """
    plain, controller = plain_words(words), open_session(db, session)
    if len(plain) < 2:
        raise Unreadable("adjust what, to what?", cure=f'{adjust_examples(controller)}; behind it: --why "forgotten"')
    changes = parse_changes(controller.game, controller.options, controller.position, plain)
    with anyway_hint():
        result = controller.adjust(changes, why.strip() or ADJUST_REASON, anyway=anyway)
    return finish(controller, result, json, is_named=bool(session), asks=False, brief=brief)


@catalog.AUDIT
def audit(words: Sequence[str], anyway: bool, brief: bool, session: str, db: str, json: bool) -> int:
    """Compare the table with the recorded position; differences are recorded as one adjustment.

    Example: companion audit ops=60
    """
    keyed, others = pairs(plain_words(words))
    if others:
        raise Unreadable(f"'{others[0]}' has no value", cure="Like this: companion audit WHAT=VALUE")
    with anyway_hint():
        return _compare(open_session(db, session), keyed, anyway, json, brief)


def _compare(controller: SessionController, differences: Sequence[tuple[str, str]], anyway: bool, json: bool, brief: bool) -> int:
    """Show the recorded position, or adjust it to the differences given or asked for; return the exit code."""
    if not differences:
        if json or not on_terminal():
            hint = Line("Different? companion audit WHAT=VALUE ...", "dim")
            lines = [*setup_lines(controller), hint]
            show(json, lambda: session_data(controller, brief), lambda: lines)
            return 0
        from companion.cli.repl.terminal import Terminal

        write(audit_lines(controller))
        typed = Terminal().ask(Prompt("[all right] audit > ")).strip()
        if command_of(typed) is not None:
            write([Line("Nothing done", "dim")])
            return 0
        differences = parse_differences(controller, typed)
    if not differences:
        write([Line("Everything is as it should be")])
        return 0
    return finish(controller, controller.adjust(list(differences), AUDIT_REASON, "audit", anyway), json, brief=brief)
