"""The board-fix list: what to move, flip, place and set on the table to get from one position to another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from companion.core.events import Event, PieceMoved
from companion.core.game import Game
from companion.core.position import NO_PIECE, FlagValue, Piece, Position, Value

_Maker = Callable[[str, int], str]
"""Makes a line from the names and the number of pieces."""


def _grouped(lines: list[tuple[str, str, _Maker]]) -> list[str]:
    """Merge equal lines about pieces of the same name into one with a number."""
    counts: dict[tuple[str, str], int] = {}
    makers: dict[tuple[str, str], _Maker] = {}
    for name, group, maker in lines:
        counts[(name, group)] = counts.get((name, group), 0) + 1
        makers.setdefault((name, group), maker)
    return [makers[key](key[0] if count == 1 else f"{count} x {key[0]}", count) for key, count in counts.items()]


def _shown(value: FlagValue, pieces: Mapping[str, Piece]) -> str:
    """A value in words; a piece by its name."""
    if isinstance(value, tuple):
        return ", ".join(_shown(one, pieces) for one in value)
    if isinstance(value, str) and value in pieces:
        return pieces[value].name
    return {True: "yes", False: "no", None: "none"}.get(value, str(value)) if isinstance(value, bool | None) else str(value)


def board_fix(
    before: Position, after: Position, game: Game, lost: Sequence[Event] = (), gained: Sequence[Event] = ()
) -> list[str]:
    """The instructions for the table: the map and its boxes, then cups, then tracks. Empty if nothing differs.

    The events taken back and brought back tell the order of cards in a pile.
    """
    on_map: list[tuple[str, str, _Maker]] = []
    in_cups: list[tuple[str, str, _Maker]] = []
    piled, lines = _piled(before, after, game, lost, gained)
    for piece_id in {**before.pieces, **after.pieces}:
        old, new = before.pieces.get(piece_id), after.pieces.get(piece_id)
        if (
            old
            and new
            and (piece_id in piled or (game.pile_title(old.place) and game.pile_title(old.place) == game.pile_title(new.place)))
        ):
            old = old._replace(place=new.place)
        kept = new is not None and new.place in (*game.cups, *game.unchecked_places)
        (in_cups if kept else on_map).extend(_piece_lines(old, new, game, after.pieces))
    lines += [*_grouped(on_map), *_grouped(in_cups)]
    for track in sorted({**before.tracks, **after.tracks}):
        was, now = before.track(track), after.track(track)
        if was != now and game.marker_title(track):
            lines.append(f"Set {game.marker_title(track)} from {game.track(track, was)} to {game.track(track, now)}")
    for flag in sorted({**before.flags, **after.flags}):
        title = game.flag_title(flag)
        if title and before.flags.get(flag) != after.flags.get(flag):
            lines.append(f"{title}: from {_shown(before.flags.get(flag), {})} to {_shown(after.flags.get(flag), {})}")
    return lines


def _piled(
    before: Position, after: Position, game: Game, lost: Sequence[Event], gained: Sequence[Event]
) -> tuple[set[str], list[str]]:
    """The pieces that return to or leave a pile whose order is known (play goes straight back or forward), and their lines."""
    same = next(
        (index for index, (one, two) in enumerate(zip(lost, gained, strict=False)) if one != two), min(len(lost), len(gained))
    )
    lost, gained = lost[same:], gained[same:]
    if lost and gained:
        return set(), []
    back = _off_pile(after, before, game, lost)
    lines = []
    for pile, cards in back.items():
        order = ", in this order from the top" if len(cards) > 1 else ""
        lines.append(f"Put back on top of the {pile}{order}: {', '.join(after.pieces[card].name for card in cards)}")
    forth = _off_pile(before, after, game, gained)
    for pile, cards in forth.items():
        goes = [f"{after.pieces[card].name} to {game.place_title(after.pieces[card].place)}" for card in cards]
        lines.append(f"Take off the top of the {pile}{', one after the other' if len(cards) > 1 else ''}: {', '.join(goes)}")
    return {card for cards in (*back.values(), *forth.values()) for card in cards}, lines


def _off_pile(there: Position, gone: Position, game: Game, events: Iterable[Event]) -> dict[str, list[str]]:
    """The pieces of each pile in one position and not in the other, in the order they came off it."""
    cards_by_pile: dict[str, dict[str, None]] = {}
    for event in events:
        if not isinstance(event, PieceMoved) or event.id not in there.pieces or event.id not in gone.pieces:
            continue
        pile = game.pile_title(event.was)
        if pile and game.pile_title(event.now) != pile == game.pile_title(there.pieces[event.id].place) != game.pile_title(
            gone.pieces[event.id].place
        ):
            cards_by_pile.setdefault(pile, {})[event.id] = None
    return {pile: list(cards) for pile, cards in cards_by_pile.items()}


def _piece_lines(old: Piece | None, new: Piece | None, game: Game, pieces: Mapping[str, Piece]) -> list[tuple[str, str, _Maker]]:
    if old == new:
        return []
    own = game.piece_fix_lines(old, new)
    if own is not None:
        name = (new or old or NO_PIECE).name
        return [(name, text, lambda name, many, text=text: text.replace("{}", name)) for text in own]  # type: ignore[misc]
    if new is None:
        assert old is not None
        there = game.place_title(old.place)
        return [(old.name, f"take {there}", lambda name, many: f"Take {name} off {there}")]
    place = game.place_title(new.place)
    if old is None:
        return [(new.name, f"put {place}", lambda name, many: f"Put {name} in {place}")]
    lines: list[tuple[str, str, _Maker]] = []
    if old.place != new.place:
        origin = game.place_title(old.place)
        lines.append((new.name, f"move {origin} {place}", lambda name, many: f"Move {name} from {origin} to {place}"))
    if old.face != new.face:
        side = game.face_title(new, new.face)
        lines.append((new.name, f"turn {side} {place}", lambda name, many: f"Turn {name} to its {side} ({place})"))
    for mark in sorted({**old.marks, **new.marks}):
        now = new.mark(mark)
        if old.mark(mark) != now and game.mark_sentence(new.name, 1, mark, now):
            face = pieces[now].name if isinstance(now, str) and now in pieces else now
            lines.append((new.name, f"mark {mark} {face}", partial(_marked, game, mark, face)))
    return lines


def _marked(game: Game, mark: str, value: Value, names: str, count: int) -> str:
    return game.mark_sentence(names, count, mark, value)
