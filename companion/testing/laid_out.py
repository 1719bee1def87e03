"""A session that begins with a position as it is, for tests that need the middle of a game."""

from __future__ import annotations

from companion.core.events import Event, FlagSet, PieceMade, PieceMarked, TrackMoved
from companion.core.position import Position
from companion.session.controller import SessionController
from companion.session.entry import SETUP
from companion.session.log import SessionLog
from companion.session.state import load_game
from companion.session.store import Archive, Session


def made(position: Position) -> list[Event]:
    """Events that make a position out of nothing."""
    events: list[Event] = [TrackMoved(track, 0, value) for track, value in position.tracks.items()]
    events += [FlagSet(flag, None, value) for flag, value in position.flags.items()]
    for piece in position.pieces.values():
        events.append(PieceMade(piece.id, piece.kind, piece.name, piece.place, piece.face, piece.values))
        events += [PieceMarked(piece.id, mark, None, value) for mark, value in piece.marks.items()]
    return events


def desk_at(archive: Archive, game_id: str, scenario: str, position: Position, seed: str = "") -> SessionController:
    """A session whose set-up is that position."""
    game = load_game(game_id)
    options = {"scenario": scenario, **{key: option.default for key, option in game.options.items()}}
    info = Session(0, "laid-out", game_id, scenario, options, seed, "", "", 0, "")
    desk = SessionController(SessionLog(archive, info, game.vocabulary.sets), game)
    draft = desk.log.new_batch()
    draft.entry(1, SETUP, {})
    draft.complete(1, made(position))
    desk.log.commit(draft)
    assert desk.position == position
    return desk
