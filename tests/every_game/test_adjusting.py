"""What every game must bear of corrections: whatever is set, the views show it and the rules go on, or it is refused."""

from __future__ import annotations

import pytest

from companion.cli.shell.status import status_lines
from companion.core.boardfix import board_fix
from companion.core.events import Event, FlagSet, PieceFlipped, PieceMade, PieceMarked, PieceMoved, TrackMoved, apply
from companion.core.game import Game
from companion.core.position import Held
from companion.session.desk import Desk
from companion.session.store import Archive
from companion.views.lines import plain
from companion.views.log import log_lines, why_lines
from companion.views.parts import shown
from companion.views.report import report_data, report_md
from tests.support.laid_out import desk_at
from tests.support.random_player import RandomPlayer

ODD: tuple[Held, ...] = ("no such word", 7, -1, True, "none", "")
"""What an older version or another hand may have left in the log."""


def look(desk: Desk) -> None:
    """Every view of a session as it stands."""
    game, history = desk.game, desk.history
    plain(status_lines(desk))
    for part in ("overview", "cups", "facts", "score", "pieces", "tracks", "flags", "options", "places"):
        both = shown(desk, part)
        plain(both.lines())
        both.data()
    plain(log_lines(game, history))
    for entry in history.in_force:
        plain(why_lines(game, history, entry._replace(events=desk.events_of(entry.number))))
    report_md("x", game, history, desk.options)
    report_data("x", game, history, desk.options)
    for piece in desk.position.pieces.values():
        game.face_title(piece, piece.face)


def strange(desk: Desk) -> list[Event]:
    """One event of each sort with a word that the game does not have, for each kind of its pieces."""
    position, events = desk.position, []
    for kind in dict.fromkeys(piece.kind for piece in position.pieces.values()):
        at = [piece for piece in position.of_kind(kind) if piece.place not in desk.game.cups] or position.of_kind(kind)
        one, last = at[0], at[-1]
        events += [
            PieceFlipped(one.id, one.face, "no such face"),
            PieceMarked(one.id, "no such mark", None, 3),
            PieceMoved(last.id, last.place, "no such place"),
            PieceMade(f"odd-{kind}#999", kind, "nameless", one.place, "no such face"),
        ]
        events += [PieceMarked(one.id, mark, None, value) for mark in desk.game.mark_names(one) for value in ODD]
    events += [TrackMoved(track, position.track(track), value) for track in desk.game.tracks for value in (10**30, -(10**30))]
    flags = [flag for flag in dict.fromkeys([*position.flags, *sorted(desk.game.vocabulary.flags.exact)]) if ":" not in flag]
    events += [FlagSet(flag, position.flags.get(flag), value) for value in (*ODD, ("a", "b")) for flag in flags]
    return [*events, PieceMade("odd#1000", "no such kind", "Odd", "no such place")]


def test_a_view_shows_whatever_is_stored(game: Game, archive: Archive) -> None:
    """Log, why, report, show, banner, status and the board-fix list bear a face, mark, place, kind and value that the game does
    not have: an adjustment that was kept by an older version must not take the whole log with it.
    """
    player = RandomPlayer(game.id, next(iter(game.scenarios)), 1)
    for _ in range(12):
        player.turn()
    desk = desk_at(archive, game.id, next(iter(game.scenarios)), player.position)
    look(desk)
    for event in strange(desk):
        before = desk.position
        draft = desk.ledger.draft()
        number = desk.history.next_number
        draft.entry(number, "adjust", {"changes": [], "why": "x"})
        draft.done(number, [event])
        desk.ledger.commit(draft)
        assert desk.position == apply(before, event)
        board_fix(before, desk.position, game)
        board_fix(desk.position, before, game)
        plain(status_lines(desk))
        game.score(desk.position, desk.options)
    look(desk)
