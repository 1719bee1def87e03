"""What a turn brought, on one screen: figures, losses, what stands elsewhere now, and what comes next; and how a game ended."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from companion.core.errors import Impossible
from companion.core.events import TrackMoved
from companion.core.game import Game
from companion.core.history import Entry, History
from companion.core.map import Map
from companion.core.position import Piece, Position
from companion.core.words import plural
from companion.session.advance import Result
from companion.session.state import SessionState
from companion.views.banner import game_over_lines
from companion.views.lines import BLANK, Line
from companion.views.map_text import known_map
from companion.views.odds import score_lines
from companion.views.phrases import counted_names, value_text
from companion.views.status_bar import change_text, field_values, truncate

_TURN = "turn"
_LONGEST = 300
"""Characters of a row of names; of more the rest is cut."""
_FIGURE = 60
"""Characters of a figure with what it was."""
_AFTERWARDS = (
    ("companion log", "what was done; and why: companion why N"),
    ("companion bot", "how it was played, where the game has an adviser"),
    ("companion report > FILE", "the whole game as a document"),
)


class TurnEntries(NamedTuple):
    """The entries of one turn; of a game without turns, one entry.

    Attributes:
        turn: its number; None where the game has no turns.
        numbers: of its entries in force.
    """

    turn: int | None
    numbers: tuple[int, ...]


def turns_played(game: Game, history: History) -> list[TurnEntries]:
    """The play so far by turns, without the set-up; an entry belongs to the turn in which it was begun."""
    if _TURN not in game.tracks:
        return [TurnEntries(None, (number,)) for number in history.force[1:]]
    found: list[tuple[int, list[int]]] = []
    turn = 0
    for entry in history.in_force:
        if entry.number != history.force[0]:
            if not found or found[-1][0] != turn:
                found.append((turn, []))
            found[-1][1].append(entry.number)
        turn = _turn_after(entry, turn)
    return [TurnEntries(turn, tuple(numbers)) for turn, numbers in found]


def _turn_after(entry: Entry, turn: int) -> int:
    """The turn after an entry."""
    return next(
        (event.now for event in reversed(entry.events or ()) if isinstance(event, TrackMoved) and event.track == _TURN), turn
    )


def turn_ended_by(game: Game, history: History, number: int) -> TurnEntries | None:
    """The turn that an entry has ended; None where it has ended none, or was all of it, so that its own lines say as much."""
    if _TURN not in game.tracks or _turn_after(history.entries[number], -1) < 0:
        return None
    spell = _last_turn(game, history)
    ended = spell is not None and spell.numbers[-1] == number and _turn_after(history.entries[number], 0) != spell.turn
    return spell if ended else None


def _last_turn(game: Game, history: History) -> TurnEntries | None:
    """The turn that was played last; None where it was a single action, so that its own lines say as much."""
    last = next(reversed(turns_played(game, history)), None)
    return last if last and last.turn is not None and len(last.numbers) > 1 else None


def turn_lines(
    game: Game, history: History, options: Mapping[str, str], spell: TurnEntries, map: Map | None = None
) -> list[Line]:
    """What the entries of a turn brought.

    Args:
        game, history, options: of the session.
        spell: the turn.
        map: as it is known; only to tell whose a piece is, and what lies on the map.
    """
    before, after = history.position(before=spell.numbers[0]), _position_after(history, spell)
    head = f"{game.track_title(_TURN)} {spell.turn}" if spell.turn is not None else f"Action {spell.numbers[0]}"
    lines = [Line(f"{head}: {plural(len(spell.numbers), 'action')}", "title")]
    lines += _field_lines(game, before, after, options)
    lines += _piece_lines(game, before, after, map)
    lines += _flag_lines(game, before, after)
    return lines if len(lines) > 1 else [*lines, Line("Nothing stands otherwise than before", "dim", "", "  ")]


def _position_after(history: History, spell: TurnEntries) -> Position:
    """The position at the end of a turn."""
    later = [number for number in history.force if number > spell.numbers[-1]]
    return history.position(before=later[0]) if later else history.position()


def _field_lines(game: Game, before: Position, after: Position, options: Mapping[str, str]) -> list[Line]:
    """Each figure that has changed, with what it was."""
    was = field_values(game.banner(before, options))
    fields = [field for field in game.banner(after, options).fields if field.value != was.get(field.key, field.value)]
    told = [truncate(f"{field.label} {change_text(was[field.key], field.value)}".strip(), _FIGURE) for field in fields]
    return [Line(" | ".join(told), "changed", "", "  figures  ")] if told else []


# -- pieces -------------------------------------------------------------------------------------------------------------


class _PieceChange(NamedTuple):
    """What became of a piece: a heading, whose it is, and in words."""

    heading: str
    tone: str
    text: str


def _piece_lines(game: Game, before: Position, after: Position, map: Map | None) -> list[Line]:
    """What came onto the map, left it, moved on it or is worse off, each by side."""
    sides = _sides(map, before, after)
    spaces = set(map.spaces) if map else set[str]()
    found: dict[tuple[str, str], list[str]] = {}
    for piece_id in {**before.pieces, **after.pieces}:
        change = _piece_change(game, before.pieces.get(piece_id), after.pieces.get(piece_id), spaces, sides)
        if change:
            found.setdefault((change.heading, change.tone), []).append(change.text)
    order = ("left", "placed", "moved", "turned", "marked", "boxes")
    return [
        Line(truncate(counted_names(texts), _LONGEST), tone, "", f"  {heading:<7}  ")
        for (heading, tone), texts in sorted(found.items(), key=lambda item: order.index(item[0][0]))
    ]


def _sides(map: Map | None, before: Position, after: Position) -> dict[str, int]:
    """Name of a piece -> the place of its side among those of the map, the player's own first."""
    if map is None:
        return {}
    order = list(map.sides)
    stacks = [stack for space in map.spaces.values() for stack in space.stacks if stack.side in order]
    kinds = {name: order.index(stack.side) for stack in stacks for name in stack.names}
    pieces = [*before.pieces.values(), *after.pieces.values()]
    known = {piece.kind: kinds[piece.name] for piece in pieces if piece.name in kinds}
    return {**{piece.name: known[piece.kind] for piece in pieces if piece.kind in known}, **kinds}


def _piece_change(
    game: Game, old: Piece | None, new: Piece | None, spaces: Collection[str], sides: Mapping[str, int]
) -> _PieceChange | None:
    """What became of a piece, in words; None where nothing did that shows on the table."""
    piece = new or old
    assert piece is not None  # it is in one of the positions
    was, now = (one is not None and _is_on_map(game, one.place, spaces) for one in (old, new))
    if was and not now:
        tone = {0: "loss", 1: "gain"}.get(sides.get(piece.name, -1), "")
        return _PieceChange("left", tone, _move_text(game, old, new))
    if now and not was:
        return _PieceChange("placed", "", f"{piece.name} on {game.place_title(piece.place)}")
    if old is None or new is None:
        return None
    if old.place != new.place:
        if now:
            return _PieceChange("moved", "", _move_text(game, old, new))
        return None if _is_hidden(game, old, new) else _PieceChange("boxes", "dim", _move_text(game, old, new))
    if now and old.face != new.face:
        return _PieceChange("turned", "", f"{piece.name} to its {game.face_title(new, new.face)}")
    marks = _mark_text(game, old, new) if now else ""
    return _PieceChange("marked", "", f"{piece.name} {marks}") if marks else None


def _move_text(game: Game, old: Piece | None, new: Piece | None) -> str:
    """A piece with where it lay and where it lies."""
    name = next(one.name for one in (new, old) if one is not None)
    places = [game.place_title(one.place) for one in (old, new) if one is not None]
    return f"{name} {' > '.join(places)}"


def _is_hidden(game: Game, old: Piece, new: Piece) -> bool:
    """Whether nobody checks a change: into a cup or out of it, or among what is out of the game."""
    return not {old.place, new.place}.isdisjoint(game.cups) or {old.place, new.place} <= {*game.unchecked_places}


def _is_on_map(game: Game, place: str, spaces: Collection[str]) -> bool:
    """Whether a place is one of the map: those that the player names are."""
    return place in spaces or place not in game.places


def _mark_text(game: Game, old: Piece, new: Piece) -> str:
    """The marks that a piece has otherwise, in words."""
    changed = [
        mark
        for mark in sorted({**old.marks, **new.marks})
        if old.marks.get(mark) != new.marks.get(mark) and game.mark_title(mark)
    ]
    told = [
        game.mark_title(mark) if new.marks.get(mark) is True else f"{game.mark_title(mark)} {value_text(new.marks.get(mark))}"
        for mark in changed
    ]
    return ", ".join(told)


def _flag_lines(game: Game, before: Position, after: Position) -> list[Line]:
    """What holds for the game as a whole otherwise than before."""
    told = [
        f"{game.flag_title(flag)}: {value_text(after.flags.get(flag))}"
        for flag in sorted({**before.flags, **after.flags})
        if game.flag_title(flag) and before.flags.get(flag) != after.flags.get(flag)
    ]
    return [Line(truncate("; ".join(told), _LONGEST), "", "", "  now      ")] if told else []


# -- what comes next ----------------------------------------------------------------------------------------------------


def next_lines(game: Game, position: Position, options: Mapping[str, str]) -> list[Line]:
    """Where play is now, what must not be forgotten, and the usual action."""
    banner = game.banner(position, options)
    usual = game.default_action(position)
    lines = [Line(f"{banner.stage}{f'; Enter: {usual}' if usual else ''}", "title", "", "  next     ")] if banner.stage else []
    return lines + [Line(text, "reminder", "", "  * ") for text in banner.reminders]


def game_end_lines(game: Game, position: Position, options: Mapping[str, str]) -> list[Line]:
    """How the game ended: the count by item, the level of victory, and what can be looked at now."""
    rows = [Line(f"{command}: {what}", "dim", "", "  ") for command, what in _AFTERWARDS]
    return [*score_lines(game.score(position, options)), BLANK, Line("What can be looked at now:"), *rows]


def summary_lines(
    game: Game, history: History, options: Mapping[str, str], spell: TurnEntries, position: Position, map: Map | None
) -> Sequence[Line]:
    """The whole of it: what the turn brought, and after the last one the end of the game or what comes next."""
    if spell.numbers[-1] != history.force[-1]:
        return turn_lines(game, history, options, spell, map)
    ended = game.over(position)
    over = [BLANK, *game_over_lines(game, position, options)[:1], BLANK]
    after = [*over, *game_end_lines(game, position, options)] if ended else next_lines(game, position, options)
    return [*turn_lines(game, history, options, spell, map), *after]


def find_turn(desk: SessionState, turn: int | None = None) -> TurnEntries:
    """The turn of that number, or the last that was played. Raises Impossible: there is none, or not that one."""
    played = turns_played(desk.game, desk.history)
    found = [one for one in played if turn is None or one.turn == turn]
    if not found:
        known = ", ".join(str(one.turn) for one in played if one.turn is not None)
        what = f"turn {turn} was not played" if played else "nothing was played yet"
        raise Impossible(what, cure=f"You can name: {known}" if known else "See what can be done: companion status")
    return found[-1]


def session_summary(desk: SessionState, spell: TurnEntries) -> list[Line]:
    """What a turn of a session brought, as ``summary_of`` says it."""
    return list(summary_lines(desk.game, desk.history, desk.options, spell, desk.position, _map(desk, desk.position)))


def _map(desk: SessionState, position: Position) -> Map | None:
    """The map as it is known, with what stands on it; None where the game has none."""
    game = desk.game
    known = (desk.log.facts(), desk.archive.inferred_facts(game.id)) if game.map_in else ()
    return known_map(game, position, desk.options, *known) if known else None


def turn_end_lines(desk: SessionState, result: Result) -> list[Line]:
    """What a turn brought that a call has ended, and the count where the game has ended with it; nothing otherwise."""
    entry = desk.history.entries.get(result.entry)
    if not result.done or result.fix or entry is None or entry.number not in desk.history.force:
        return []
    game, lines = desk.game, list[Line]()
    over = bool(game.over(result.after)) and not game.over(result.before)
    spell = _last_turn(game, desk.history) if over else turn_ended_by(game, desk.history, entry.number)
    if spell:
        lines += [BLANK, *turn_lines(game, desk.history, desk.options, spell, _map(desk, result.after))]
    if over:
        lines += [BLANK, *game_end_lines(game, result.after, desk.options)]
    return lines
