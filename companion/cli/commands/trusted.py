"""Commands on trusted dice: share, consent, verify."""

from __future__ import annotations

import os

from companion.cli.commands.results import finish
from companion.cli.shell import catalog
from companion.cli.shell.archives import open_session, view_session
from companion.cli.shell.bar import BAR
from companion.cli.shell.output import show
from companion.cli.shell.process import no_garbage_collection
from companion.core.text import pick_name
from companion.session.verify import Verification
from companion.views.trusted import verification_data, verification_lines

MISFIT = 4
"""Exit code: the dice of the log do not fit."""


@catalog.SHARE
def share(nonce: str, at: str, seat: str, brief: bool, session: str, db: str, json: bool) -> int:
    """Send the share of a seat for a trusted roll, as the page of the other player does by itself.

    Whoever hosts must not do it for the other seat: its own copy would show that it sent no such share.

    Example: companion share
    5d2c8f0b97e1a46350c9d71e6b82f4a3085b6ed9c17f24a06e93bd581c4f7a20
    --at 3.2 --seat nva
    """
    controller = open_session(db, session)
    sender = seat or next(iter(controller.waits_for), "")
    result = controller.share(at or controller.question_number, sender, nonce.strip())
    return finish(controller, result, json, is_named=bool(session), asks=False, brief=brief)


@catalog.CONSENT
def consent(allow: str, seat: str, brief: bool, session: str, db: str, json: bool) -> int:
    """Allow or refuse an undo, redo or amend that reaches over a trusted roll; once allowed, it is carried out.

    Example: companion consent yes
    """
    from companion.session.shares import take_part
    from companion.session.trusted import own_seat

    controller = open_session(db, session)
    result = controller.consent(seat or own_seat(controller), pick_name(allow, ("yes", "no"), "answer") == "yes")
    part = take_part(controller)  # by mail: what a file brought has waited for this answer
    result = result if part is None or result.fix else part
    return finish(controller, result, json, is_named=bool(session), asks=False, brief=brief)


@catalog.VERIFY
def verify(what: str, db: str, json: bool) -> int:
    """Recompute every roll and draw of a session with trusted dice, and replay it by the rules.

    Exit code 4 and the first place that does not fit, if there is one. A file of `bundle` is verified without storing it.

    Example: companion verify
    """
    is_file = os.path.isfile(what) or os.sep in what or what.endswith(".json")
    with no_garbage_collection():
        name, result = _verify_file(what) if is_file else _verify_session(db, what)
    show(json, lambda: {"session": name, **verification_data(result)}, lambda: verification_lines(result, name))
    return MISFIT if result.misfit else 0


def _verify_session(db: str, name: str) -> tuple[str, Verification]:
    from companion.session.verify import require_trusted
    from companion.session.verify import verify as verify_rows

    state = view_session(db, name)
    rows = state.archive.rows(state.info.id)
    require_trusted(rows, f"session {state.info.name}", state.game.id)
    return state.info.name, verify_rows(state.game, state.options, rows, BAR.show)


def _verify_file(path: str) -> tuple[str, Verification]:
    from companion.cli.shell.files import read_text
    from companion.session.transfer import MAX_BYTES, read_session
    from companion.session.verify import require_trusted
    from companion.session.verify import verify as verify_rows

    name, game, options, rows = read_session(read_text(path, MAX_BYTES))
    require_trusted(rows, "the session in the file", game.id)
    return name, verify_rows(game, options, rows, BAR.show)
