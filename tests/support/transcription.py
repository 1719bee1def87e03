"""Writes a position reached in play into a fresh session by corrections and facts alone, and plays on with the same replies.

A difference in what is asked, said or scored shows something that the program knows and the table does not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import zip_longest
from typing import Any, NamedTuple

from companion.core.errors import CompanionError, Illegal
from companion.core.events import Event, FlagSet, PieceMade, encode
from companion.core.game import Game
from companion.core.position import FlagValue, Piece, Position, Value
from companion.core.requests import AnyRequest, Printed
from companion.core.resolver import ReplyResolver
from companion.session.adjust import apply_changes, find_piece
from companion.testing.player import RandomPlayer
from companion.views.data import banner_data, score_data

SETTINGS = {"dice": "physical", "draws": "physical"}
Ids = dict[str, str]
"""The id of a piece in the transcription -> its id in the game that was played."""


class Table(NamedTuple):
    """What a game lacks of a description of its table.

    Attributes:
        aside: Places out of play; any piece can lie in one of them.
        unwritten: Flags that are not written, because pieces and tracks on the table show the same.
        unwritten_marks: The same for marks.
        described: The text of a new piece, where its name is not enough.
    """

    aside: tuple[str, ...]
    unwritten: tuple[str, ...] = ()
    unwritten_marks: tuple[str, ...] = ()
    described: Callable[[Piece], str] = lambda piece: piece.name


class Transcript(NamedTuple):
    """A transcription: the position, the ids of its pieces, and what was typed."""

    position: Position
    ids: Ids
    changes: tuple[tuple[str, str], ...]


def _word(value: FlagValue) -> str:
    if isinstance(value, tuple):
        return ",".join(value) or "none"
    return "none" if value is None else "yes" if value is True else "no" if value is False else str(value)


class Transcriber:
    """Writes a position over that of a fresh session, one correction after another."""

    def __init__(self, game: Game, options: Mapping[str, str], table: Table, start: Position, goal: Position) -> None:
        self.game, self.options, self.table = game, options, table
        self.position, self.goal = start, goal
        self.ids: Ids = {}
        self.changes: list[tuple[str, str]] = []

    def change(self, what: str, value: str) -> Sequence[Event]:
        referee, _ = apply_changes(self.game, self.options, self.position, [(what, value)], "as on the table")
        self.position = referee.position
        self.changes.append((what, value))
        return referee.events

    def write(self) -> Transcript:
        self._flags()
        for track, value in self.goal.tracks.items():
            if self.position.track(track) != value:
                self.change(f"track:{track}", str(value))
        self._pieces()
        return Transcript(self.position, self.ids, tuple(self.changes))

    def _flags(self) -> None:
        words, goal = self.game.vocabulary, self.goal.flags
        for flag in dict.fromkeys([*goal, *self.position.flags]):
            if flag in self.table.unwritten or self.position.flags.get(flag) == goal.get(flag):
                continue
            fact = words.flag_type(flag).fact
            what = f"fact:{fact}:{flag.partition(':')[2]}" if fact and flag in goal else f"flag:{flag}"
            self.change(what, _word(goal.get(flag)))

    def _pieces(self) -> None:
        """Take every piece off the table, then lay them out in order of arrival; what lies aside may be missing."""
        spare = list(self.position.pieces.values())
        pairs: list[tuple[Piece, str]] = []
        for piece in sorted(self.goal.pieces.values(), key=lambda piece: piece.place in self.table.aside):
            same = [other for other in spare if self._is_same(other, piece)]
            found = next((other for other in same if other.place == piece.place), same[0] if same else None)
            if found is not None:
                spare.remove(found)
                self.ids[found.id] = piece.id
                pairs.append((piece, found.id))
            else:
                pairs.append((piece, ""))
        for piece in list(self.position.pieces.values()):
            if piece.place not in self.table.aside:
                self._put_aside(piece.id)
        laid: list[tuple[Piece, str]] = []
        for piece, mine in pairs:
            try:
                own = mine or self._new(piece)
                laid.append((piece, own))
                self._lay(own, piece)
            except Illegal:  # the place follows from a mark, such as the unit that a leader is with
                if piece.marks or piece.place in self.table.aside:
                    continue
                raise
        for piece, mine in laid:  # marks may name other pieces
            self._mark(mine, piece)
            self._lay(mine, piece)

    def _put_aside(self, what: str) -> Sequence[Event]:
        """Put a piece in the first place aside where its kind can lie. Raises what `change` raises for the last one."""
        for place in self.table.aside[:-1]:
            with suppress(Illegal):
                return self.change(what, f'"{place}"')
        return self.change(what, f'"{self.table.aside[-1]}"')

    def _is_same(self, one: Piece, other: Piece) -> bool:
        return (one.kind, one.name) == (other.kind, other.name) and self._values(one.values) == dict(other.values)

    def _values(self, values: Mapping[str, Value]) -> dict[str, Value]:
        return {name: self.ids.get(str(value), value) for name, value in values.items()}

    def _new(self, piece: Piece) -> str:
        text = self.table.described(piece)
        events = self._put_aside(f"new:{piece.kind}:{text}")
        made = next(event for event in events if isinstance(event, PieceMade))
        self.ids[made.id] = piece.id
        assert self._is_same(self.position.pieces[made.id], piece), f"new:{piece.kind}:{text} makes another than {piece}"
        return made.id

    def _lay(self, mine: str, piece: Piece) -> None:
        if self.position.pieces[mine].face != piece.face:
            self.change(f"{self._name(mine)}.face", piece.face)
        if self.position.pieces[mine].place != piece.place:
            self.change(self._name(mine), piece.place)
        where = self.position.pieces[mine].place
        assert where == piece.place, f"{piece.name} {piece.place} is {where}"

    def _mark(self, mine: str, piece: Piece) -> None:
        theirs = {old: new for new, old in self.ids.items()}
        held = self.position.pieces[mine].marks
        for mark in [*(mark for mark in held if mark not in piece.marks), *piece.marks]:
            value = piece.marks.get(mark)
            wanted = theirs.get(str(value), value)
            if held.get(mark) != wanted and mark not in self.table.unwritten_marks:
                self.change(f"{self._name(mine)}.{mark}", _word(wanted))

    def _name(self, mine: str) -> str:
        """What is typed for a piece: its name and place where that means it, else its id."""
        piece = self.position.pieces[mine]
        for text in (piece.name, f"{piece.name}@{piece.place}"):
            with suppress(CompanionError):
                if find_piece(self.game, self.position, text).id == mine and text != piece.name:
                    return text
        return mine


# -- playing on --------------------------------------------------------------------------------------------------------


def translated(value: Any, ids: Ids) -> Any:
    """Plain data with the ids of the transcription replaced by those of the game that was played."""
    if isinstance(value, str):
        return re.sub(r"[^\s,;'\"]+#\d+", lambda match: ids.get(match[0], match[0]), value) if "#" in value else value
    if isinstance(value, Mapping):
        return {translated(key, ids): translated(item, ids) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [translated(item, ids) for item in value]
    return value


def question(request: AnyRequest | None) -> Any:
    """All that a question shows, as plain data."""
    if request is None:
        return None
    choices = [choice.data("") for choice in getattr(request, "choices", ())]
    body = {name: getattr(request, name, None) for name in ("kind", "key", "prompt", "rule", "suggest", "low", "high", "seat")}
    return {**body, "default": request.default_reply, "choices": choices, "expects": request.expects()}


def outlook(game: Game, options: Mapping[str, str], position: Position) -> dict[str, Any]:
    """What is shown between two actions: score, banner, end, and what stands against each action."""
    obstacles = {action.id: game.obstacle_to(action.id, position) for action in game.actions}
    return {
        "score": score_data(game.score(position, options)),
        "banner": banner_data(game, position, options),
        "over": game.over(position),
        "default action": game.default_action(position),
        **{f"action {action}": obstacle and tuple(obstacle) for action, obstacle in obstacles.items()},
    }


def first_difference(one: Any, other: Any, where: str = "") -> str:
    """Where two plain data differ first, and how; "" if they are the same."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for key in dict.fromkeys([*one, *other]):
            if found := first_difference(one.get(key), other.get(key), f"{where} {key}"):
                return found
        return ""
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        if len(one) == len(other):
            pairs = zip(one, other, strict=True)
            return next(filter(None, (first_difference(mine, yours, where) for mine, yours in pairs)), "")
        return f"{where.strip()}: {list(one)} / {list(other)}"
    return "" if one == other else f"{where.strip()}: {one!r} / {other!r}"


class Sequel(NamedTuple):
    """An action that was played after the position."""

    procedure: Any
    replies: Sequence[Any]
    results: Sequence[Any]


def play_on(
    player: RandomPlayer,
    facts: Mapping[str, str],
    position: Position,
    ids: Ids,
    sequels: Sequence[Sequel],
    unwritten: Sequence[str] = (),
) -> Iterator[Any]:
    """Play actions again from a position; yield what is shown, without changes of ``unwritten`` flags.

    ``ids`` may grow meanwhile, as pieces are made.
    """
    player.facts, player.resolver.new_facts = dict(facts), {}
    player.position = position
    yield translated(outlook(player.game, player.options, position), ids)
    for sequel in sequels:
        try:
            run = player._start(sequel.procedure, [], [])
            for reply in sequel.replies:
                yield translated(question(run.request), ids)
                if (request := run.request) is None:
                    return
                value = request.check(translated(reply, {old: new for new, old in ids.items()}))
                if isinstance(request, Printed):
                    player.facts[request.fact] = value
                run.send(value)
        except CompanionError as refusal:
            yield {"refused": refusal.message}
            return
        yield translated(question(run.request), ids)
        player.position = run.referee.position
        shown = (event for event in run.referee.events if not (isinstance(event, FlagSet) and event.flag in unwritten))
        for event in shown:
            yield event if isinstance(event, PieceMade) else {"event": translated(encode(event), ids)}
        yield translated(outlook(player.game, player.options, player.position), ids)


def difference(
    player: RandomPlayer,
    facts: Mapping[str, str],
    goal: Position,
    position: Position,
    ids: Ids,
    sequels: Sequence[Sequel],
    unwritten: Sequence[str] = (),
) -> str:
    """The first difference between play from two positions; "" if there is none. ``ids`` are those of the second."""
    ids = dict(ids)
    one, other = type(player).__new__(type(player)), type(player).__new__(type(player))
    for copy in (one, other):
        copy.__dict__.update(player.__dict__, resolver=ReplyResolver(player.game, partial(getattr, copy, "facts"), SETTINGS, ""))
    played, transcribed = (
        play_on(one, facts, goal, {}, sequels, unwritten),
        play_on(other, facts, position, ids, sequels, unwritten),
    )
    for step, (mine, yours) in enumerate(zip_longest(played, transcribed)):
        if found := first_difference(*paired(mine, yours, ids), f"step {step}"):
            return found
    return ""


def paired(mine: Any, yours: Any, ids: Ids) -> tuple[Any, Any]:
    """Two things shown as plain data, by the ids of the first one; add the id of a piece that both make to `ids`."""
    if isinstance(mine, PieceMade) and isinstance(yours, PieceMade):
        ids[yours.id] = mine.id
    # an id of the first may be one of the second too, for another piece: only the second is translated
    return (
        encode(mine) if isinstance(mine, PieceMade) else mine,
        translated(encode(yours), ids) if isinstance(yours, PieceMade) else yours,
    )


# -- the smallest difference -------------------------------------------------------------------------------------------


def renamed(position: Position, ids: Ids) -> Position:
    """A position with the ids of the game that was played."""
    pieces = [
        piece._replace(id=ids.get(piece.id, piece.id), marks=translated(piece.marks, ids), values=translated(piece.values, ids))
        for piece in position.pieces.values()
    ]
    return Position(position.tracks, {piece.id: piece for piece in pieces}, position.flags)


def mixed(goal: Position, other: Position, names: Sequence[str]) -> Position:
    """The played position with some flags, tracks and pieces as in the other one."""
    flags, tracks, pieces = dict(goal.flags), dict(goal.tracks), dict(goal.pieces)
    for name in names:
        kind, _, key = name.partition(" ")
        table: dict[str, Any] = {"flag": flags, "track": tracks, "piece": pieces}[kind]
        theirs: Mapping[str, Any] = {"flag": other.flags, "track": other.tracks, "piece": other.pieces}[kind]
        table.pop(key, None)
        if key in theirs:
            table[key] = theirs[key]
    return Position(tracks, pieces, flags)


def smallest(goal: Position, other: Position, differs: Callable[[Position], str]) -> tuple[list[str], str]:
    """The fewest flags, tracks and pieces of the other position that still make a difference, and that difference."""
    names = [f"flag {flag}" for flag in {**goal.flags, **other.flags} if goal.flags.get(flag) != other.flags.get(flag)]
    names += [f"track {track}" for track in goal.tracks if goal.tracks[track] != other.tracks.get(track)]
    names += [f"piece {piece}" for piece in {**goal.pieces, **other.pieces} if goal.pieces.get(piece) != other.pieces.get(piece)]
    found, size = differs(mixed(goal, other, names)), max(1, len(names) // 2)
    while found and names:
        for first in range(0, len(names), size):
            fewer = names[:first] + names[first + size :]
            if still := differs(mixed(goal, other, fewer)):
                names, found = fewer, still
                break
        else:
            if size == 1:
                break
            size = max(1, size // 2)
    return names, found
