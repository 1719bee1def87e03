"""The board-fix list: what to move, flip, place and set on the table to get from one position to another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from companion.core.events import Event, PieceMoved
from companion.core.game import Game
from companion.core.position import NO_PIECE, FlagValue, Piece, Position

_Line = tuple[str, str, str]
"""The name of a piece, and its line for one such piece and for several ("{}": their name)."""


def _merged(lines: Iterable[_Line]) -> list[str]:
    """Merge equal lines about pieces of the same name into one with a number."""
    counts = Counter(lines)  # in order of first appearance
    return [
        one.replace("{}", name) if count == 1 else several.replace("{}", f"{count} x {name}")
        for (name, one, several), count in counts.items()
    ]


def _shown(value: FlagValue, pieces: Mapping[str, Piece]) -> str:
    """A value in words; a piece by its name."""
    if isinstance(value, tuple):
        return ", ".join(_shown(member, pieces) for member in value)
    if isinstance(value, str) and value in pieces:
        return pieces[value].name
    return {True: "yes", False: "no", None: "none"}.get(value, str(value)) if isinstance(value, bool | None) else str(value)


def board_fix(
    before: Position, after: Position, game: Game, lost: Sequence[Event] = (), gained: Sequence[Event] = ()
) -> list[str]:
    """The instructions for the table: the map and its boxes, then cups, then tracks. Empty if nothing differs.

    The events taken back and brought back tell the order of cards in a pile.
    """
    on_map: list[_Line] = []
    in_cups: list[_Line] = []
    piled, lines = _piled(before, after, game, lost, gained)
    for piece_id in {**before.pieces, **after.pieces}:
        old, new = before.pieces.get(piece_id), after.pieces.get(piece_id)
        if old and new:
            pile = game.pile_title(old.place)
            if piece_id in piled or (pile and pile == game.pile_title(new.place)):
                old = old._replace(place=new.place)
        in_cup = new is not None and new.place in (*game.cups, *game.unchecked_places)
        (in_cups if in_cup else on_map).extend(_piece_lines(old, new, game, after.pieces))
    lines += [*_merged(on_map), *_merged(in_cups)]
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
    pairs = enumerate(zip(lost, gained, strict=False))
    unchanged = next((index for index, (old, new) in pairs if old != new), min(len(lost), len(gained)))
    lost, gained = lost[unchanged:], gained[unchanged:]
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


def _off_pile(piled: Position, gone: Position, game: Game, events: Iterable[Event]) -> dict[str, list[str]]:
    """The pieces of each pile in one position and not in the other, in the order they came off it."""
    cards_by_pile: dict[str, dict[str, None]] = {}
    for event in events:
        if isinstance(event, PieceMoved) and event.id in piled.pieces and event.id in gone.pieces:
            pile = game.pile_title(event.was)
            before, after = game.pile_title(piled.pieces[event.id].place), game.pile_title(gone.pieces[event.id].place)
            if pile and game.pile_title(event.now) != pile == before != after:
                cards_by_pile.setdefault(pile, {})[event.id] = None
    return {pile: list(cards) for pile, cards in cards_by_pile.items()}


def _piece_lines(old: Piece | None, new: Piece | None, game: Game, pieces: Mapping[str, Piece]) -> list[_Line]:
    if old == new:
        return []
    own = game.piece_fix_lines(old, new)
    if own is not None:
        name = (new or old or NO_PIECE).name
        return [(name, text, text) for text in own]
    if new is None:
        assert old is not None
        removal = f"Take {{}} off {game.place_title(old.place)}"
        return [(old.name, removal, removal)]
    place = game.place_title(new.place)
    if old is None:
        return [(new.name, f"Put {{}} in {place}", f"Put {{}} in {place}")]
    texts: list[str] = []
    if old.place != new.place:
        texts.append(f"Move {{}} from {game.place_title(old.place)} to {place}")
    if old.face != new.face:
        texts.append(f"Turn {{}} to its {game.face_title(new, new.face)} ({place})")
    lines = [(new.name, text, text) for text in texts]
    for mark in sorted({**old.marks, **new.marks}):
        now = new.mark(mark)
        if old.mark(mark) != now and game.mark_sentence(new.name, 1, mark, now):
            value = pieces[now].name if isinstance(now, str) and now in pieces else now
            lines.append((new.name, game.mark_sentence("{}", 1, mark, value), game.mark_sentence("{}", 2, mark, value)))
    return lines
