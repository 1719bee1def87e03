"""What a simulated game begins with: the position of a session that it plays on from, and fixed answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from companion.core.errors import Impossible, Unreadable
from companion.core.game import Game
from companion.core.history import Reply
from companion.core.match import Match, StuckGame, with_cups_by_name
from companion.core.overrides import FixedAnswer
from companion.core.position import Position
from companion.core.text import clean, pick_name, similar_names
from companion.core.vocabulary import PLAYER
from companion.session.state import SessionState

_OPPONENT = "opponent"
"""The option that says what Companion decides for a side that it plays."""


class Start(NamedTuple):
    """A position of a session, from which a game is played on.

    Attributes:
        label: The session and its action, ``SESSION@ENTRY``.
        identity: A hash of everything below.
        options, facts: Of the session.
        position: Before the open action.
        seat: The seat that decides next; what is hidden from it is dealt anew in each game.
        action: The open action; "" between two actions.
        replies: Those of the open action so far.
        anyway: The open action was insisted on.
    """

    label: str
    identity: str
    options: Mapping[str, str]
    facts: Mapping[str, str]
    position: Position
    seat: str
    action: str = ""
    replies: Sequence[Reply] = ()
    anyway: bool = False

    def options_of(self, game: Game, policies: Mapping[str, str]) -> dict[str, str]:
        """Return the options of the session as they are with these policies in the seats."""
        usual = game.default_options()
        ours = {seat: PLAYER for seat in game.players.seats if seat in game.options}
        ours |= {_OPPONENT: usual[_OPPONENT]} if _OPPONENT in game.options else {}
        return {**self.options, **ours, **game.players.options_for_policies(policies)}

    def begin(self, match: Match) -> None:
        """Put a game that has not begun into this position, and finish the open action.

        Raises:
            StuckGame: The open action cannot go on.
        """
        hidden = match.luck.substream("hidden").randbelow
        match.position = match.players.sample_hidden(with_cups_by_name(self.position, match.game.cups), self.seat, hidden)
        if not self.action:
            return
        run = match.game.setup if self.action == "setup" else {one.id: one.run for one in match.game.actions}[self.action]
        options, match.options = match.options, self.options  # the action began with them
        acting = match.players.acting_seat(match.position)
        finished = match.run_action(run, self.action, self.replies, acting=acting, anyway=self.anyway)
        match.options = options
        if finished is None:
            raise StuckGame(f"the open action '{self.action}' of the session cannot go on")


def start_of(session: SessionState, entry: int = 0) -> Start:
    """Return the position of a session: the current one, or that after an action.

    Raises:
        Impossible: The action is not in force, or nothing can be played from there.
    """
    running = session.running_entry() if not entry else None
    if entry and not session.history.is_in_force(entry):
        session.history.find(entry)
        raise Impossible(f"action {entry} is itself taken back", cure="See: companion log --undone")
    if entry and entry == session.pending_entry:
        raise Impossible(f"action {entry} is not complete yet", cure=f"Leave it out: --from {session.info.name}")
    if session.broken:
        raise Impossible(session.broken, cure="Take the action back: companion undo")
    game, options = session.game, session.options
    if running is None:
        number = entry or (session.history.force[-1] if session.history.force else 0)
        position = session.history.position(before=number + 1)
        seat, action, anyway = game.players.acting_seat(position), "", False
        replies: tuple[Reply, ...] = ()
    else:
        number, request = running.number, running.request
        if any(reply.is_adjustment for reply in running.replies):
            cure = f"Answer the open question first, or give an earlier action: --from {session.info.name}@{number - 1}"
            raise Impossible("the table was adjusted within the open action, which cannot be played on from", cure=cure)
        position = running.start
        acting = game.players.acting_seat(position)
        seat = game.players.asked_seat(request, acting) if request is not None else acting
        action, anyway = running.action, running.anyway
        replies = tuple(running.decision_point(request).replies)
    if over := game.players.over(position):
        raise Impossible(f"the game is over: {over}", cure=f"Give an earlier action: --from {session.info.name}@ACTION")
    facts = dict(session.log.facts())
    tables = (position.tracks, position.flags, position.pieces, options, facts)
    parts = [*(sorted(table.items()) for table in tables), seat, action, replies, anyway]
    identity = sha256(repr(parts).encode()).hexdigest()[:12]
    return Start(f"{session.info.name}@{number}", identity, dict(options), facts, position, seat, action, replies, anyway)


def parse_fixed(words: Iterable[tuple[str, str]], game: Game) -> tuple[FixedAnswer, ...]:
    """Return fixed answers, given by key or by ``SEAT.KEY``."""
    answers = []
    for key, text in words:
        seat, dot, rest = key.partition(".")
        is_of_seat = bool(dot) and seat in game.players.seats
        answers.append(FixedAnswer(rest, clean(text), seat) if is_of_seat else FixedAnswer(key, clean(text)))
    return tuple(answers)


def check_fixed(game: Game, fixed: Iterable[FixedAnswer]) -> None:
    """Raise Unreadable for an answer whose key no question of the game has, or whose seat does not exist."""
    for answer in fixed:
        if answer.seat:
            pick_name(answer.seat, game.players.seats, "seat")
        if not answer.key or not game.is_question_key(answer.key):
            near = similar_names(answer.key, game.question_keys)
            cure = f"Did you mean {' or '.join(near)}?" if near else "The key of a question is shown where it is asked"
            raise Unreadable(f"{game.title} has no question '{clean(answer.key)}'", cure=cure)
