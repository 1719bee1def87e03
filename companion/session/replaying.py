"""A game of a series as a session: played once more, and written into the archive action by action with every reply."""

from __future__ import annotations

from typing import NamedTuple

from companion.core import limits
from companion.core.errors import Unreadable
from companion.core.match import Deed
from companion.core.position import Position
from companion.core.words import clean
from companion.session.desk import SessionController
from companion.session.entry import RunningEntry
from companion.session.ledger import LogBatch, SessionLog
from companion.session.outcome import Result
from companion.session.simulating import Series, make_match, play_out
from companion.session.standing import load_game
from companion.session.store import Archive, Session


class ReplayedGame(NamedTuple):
    """A game that has become a session.

    Attributes:
        desk: the session, at the end of the game, or before the action that failed.
        result: as of the last action.
        fault: what went wrong in the game; "" for nothing.
    """

    desk: SessionController
    result: Result
    fault: str


def replay_as_session(archive: Archive, series: Series, index: int, name: str = "") -> ReplayedGame:
    """Stores the game of that number as a session, which becomes the last used.

    Raises:
        Unreadable: the game fails before it is set up, or the name is taken.
    """
    match = make_match(series, index, keep=True)
    fault = play_out(match)
    if not match.story:
        raise Unreadable(f"game {index} fails in its set-up: {fault}", cure="Try another one")
    game = load_game(series.game)
    seed = f"{series.seed}/{index}"[-limits.SEED :]
    info = Session(
        0, limits.within(clean(name), limits.NAME, "name"), game.id, series.options["scenario"], series.options, seed, "", ""
    )
    desk = SessionController(SessionLog(archive, info, game.vocabulary.sets), game)
    desk.log.commit(_written(desk, match.story))
    return ReplayedGame(desk, Result(Position(), desk.position, (), None, len(match.story), True), fault)


def _written(desk: SessionController, story: list[Deed]) -> LogBatch:
    """The rows of a log in which all of this was done."""
    draft = desk.log.new_batch()
    draft.add("setting", 0, {"dice": "computer", "draws": "computer"})
    position, index = Position(), 0
    for number, deed in enumerate(story, 1):
        under = RunningEntry(desk.game, desk.options, position, number, deed.action, index, stored=deed.replies)
        while under.stored:
            reply = under.stored.popleft()
            # of an empty cup a game that nobody watches draws what it might have held; a log says that of an insistent player
            under.replay(reply._replace(anyway=reply.random and bool(under.mismatch(reply))))
        draft.entry(number, deed.action, {})
        draft.replies(number, under.replies)
        draft.complete(number, under.referee.events, desk.game_result(under.position))
        position, index = under.position, under.next_roll
    return draft
