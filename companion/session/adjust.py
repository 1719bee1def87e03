"""Adjust: read what the player wants to set, by the names that are typed at the table, and apply it.

    ops 12                       a track, by id or title; a number, or the name of a value ("high")
    3/1 2-8                      a piece to a place, by id or by name ("3/1@2-7" if several have the name)
    3/1.face reduced             the side that is up, by id or as shown; also: 3/1 reduced
    3/1.hits 2                   a mark: one of its values, or none; a yes/no mark by its bare name
    flag:player Ann              a flag
    new:unit:USMC 5/1 ... recruit   a new piece, in the notation of its counter
    fact:space:3-11 urban Souk   a printed fact that was entered wrongly; the session follows
    "2-9"                        in quotation marks: this exact place, not a prefix

``track:`` and ``piece:`` in front settle ambiguities; a game may have words of its own. Pieces are moved, never deleted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from companion.core.board_fix import board_fix
from companion.core.errors import Ambiguous, CompanionError, Illegal, Impossible, Unreadable
from companion.core.events import Event, PieceMade, PieceMoved, TrackMoved
from companion.core.game import Game, Track, TrackEnds
from companion.core.history import ADJUST_ACTIONS, ADJUSTED, FIRST, Reply
from companion.core.position import Piece, Position
from companion.core.referee import Referee
from companion.core.resolver import Answers
from companion.core.text import clean, matching_names, no_match, normalised, pick_name, similar_names
from companion.core.vocabulary import ValueType
from companion.session.advance import Result, advance, begin_advance, commit
from companion.session.entry import ReplyMismatch
from companion.session.facts import full_key
from companion.session.state import SessionState

_NONE = ("none", "-", "no")

Change = tuple[str, str]
"""What to set, and the value."""


def apply_changes(
    game: Game, options: Mapping[str, str], position: Position, changes: Sequence[Change], why: str, anyway: bool = False
) -> tuple[Referee, list[str]]:
    """Apply changes in order, each to the position that the one before left. Return a referee with the events, and notes.

    Raises:
        Unreadable: A change cannot be read, or cannot exist on a table.
        Ambiguous: It could mean several things.
        Illegal: It contradicts what is on the table.
    """
    referee = game.new_referee(position, options)
    referee.anyway = anyway
    correction = _Adjustment(game, referee, why)
    referee.event_check = correction.check_event
    for what, value in changes:
        correction.apply(clean(what), clean(value))
    game.corrections.apply_consequences(referee, why)
    return referee, correction.notes


def facts_in_changes(game: Game, changes: Sequence[Change]) -> dict[str, str]:
    """Return the printed facts among the changes, by full key."""
    facts: dict[str, str] = {}
    for what, value in changes:
        key = _fact_key(game, clean(what))
        if key:
            full, fact = full_key(game, key)
            facts[full] = fact.notation(clean(value))
    return facts


def _fact_key(game: Game, what: str) -> str:
    """Return the key of the printed fact that a change sets, as typed; "" if it sets none."""
    head, colon, rest = what.partition(":")
    if colon and head == "flag":
        flag_type = game.vocabulary.flag_type(rest.strip())
        return f"{flag_type.fact}:{rest.partition(':')[2].strip()}" if flag_type.fact else ""
    return rest if colon and head == "fact" else ""


def adjustment_reply(
    changes: Sequence[Change], why: str, action: str, at: str, events: Sequence[Event], anyway: bool = False
) -> Reply:
    """Return an adjustment at the question with the key `at` as a reply of the open entry."""
    value = {"changes": [list(pair) for pair in changes], "why": why, "at": at, **({"anyway": True} if anyway else {})}
    return Reply(action, ADJUSTED, value, "typed", events=tuple(events))


def reapply(game: Game, options: Mapping[str, str], position: Position, reply: Reply) -> Reply:
    """Return an adjustment with its events on another position.

    Raises:
        Unreadable: It cannot be read there, or cannot exist there.
        Ambiguous: It could mean several things there.
        Illegal: It contradicts what is on the table there.
    """
    changes = [(str(what), str(value)) for what, value in reply.value["changes"]]
    referee, _ = apply_changes(game, options, position, changes, reply.value["why"], reply.value.get("anyway", False))
    value = {key: item for key, item in reply.value.items() if key != FIRST}
    return reply._replace(value=value, events=tuple(referee.events))


class _Adjustment:
    """Reads and applies changes."""

    def __init__(self, game: Game, referee: Referee, why: str) -> None:
        self.game = game
        self.referee = referee
        self.why = why
        self.notes: list[str] = []

    @property
    def position(self) -> Position:
        return self.referee.position

    def check_event(self, event: Event, position: Position) -> str:
        """Raise the player's error for an event that cannot happen on a table."""
        if fault := self.game.event_fault(event, position):
            raise Unreadable(fault, cure=self._cure(event))
        if isinstance(event, PieceMoved):
            self._check_cup(event.now, position.pieces[event.id].kind)
        elif isinstance(event, PieceMade):
            self._check_cup(event.place, event.piece)
        if objection := self.game.corrections.objection(event, position):
            raise Impossible(objection.text, rule=objection.rule, cure=objection.cure)
        return ""

    def _check_cup(self, place: str, kind: str) -> None:
        """Reject a piece in a cup from which it could not be drawn."""
        kinds, rule = self.game.corrections.cups.get(place, ((kind,), ""))
        if kind not in kinds:
            text = f"'{place}' holds only {' and '.join(kinds)}, and no {kind}"
            raise Impossible(text, rule=rule, cure="See: companion show cups")

    def _cure(self, event: Event) -> str:
        if self.game.named_place_flag and isinstance(event, PieceMoved | PieceMade):
            place = event.now if isinstance(event, PieceMoved) else event.place
            return f"See: companion show. Where your map has it, put this in front: flag:{self.game.named_place_flag}{place} yes"
        return f"What there is: companion show, companion games {self.game.id}"

    def apply(self, what: str, value: str) -> None:
        game, (head, colon, rest) = self.game, what.partition(":")
        if not what.strip():
            raise Unreadable("nothing to adjust is named", cure=f"What there is: companion show, companion games {game.id}")
        if key := _fact_key(game, what):
            self._fact(key, value)
        elif colon and head == "flag":
            self._flag(rest.strip(), value)
        elif colon and head == "new":
            self._new(rest, value)
        elif colon and head == "track":
            self._track(game.tracks[track_id(game, rest)], value)
        elif colon and head == "piece":
            self._piece(rest, value)
        elif game.corrections.apply_in_words(self.referee, what, value, self.why):
            return
        elif means_track(game, self.position, what):
            self._track(game.tracks[track_id(game, what)], value)
        else:
            self._piece(what, value)

    def _track(self, track: Track, value: str) -> None:
        if track.names and matching_names(value, track.names):
            number = (track.low or 0) + track.names.index(pick_name(value, track.names, f"value of {track.title}"))
        else:
            try:
                number = int(value)
            except ValueError:
                cure = _track_cure(self.game, track, self.position, self.game.track_ends(track.id, self.position, {}))
                raise Unreadable(f"'{value}' is not a value of {track.title}", rule=track.rule, cure=cure) from None
        if not TrackEnds(track.low, track.high).allow(number):
            bounds = TrackEnds(track.low, track.high)
            cure = f"Companion records {bounds}" if track.open else _track_cure(self.game, track, self.position, bounds)
            raise Unreadable(f"{track.title} cannot stand at {number}", rule=track.rule, cure=cure)
        self.referee.set_track(track.id, number, "", self.why)

    def _flag(self, name: str, value: str) -> None:
        if not name:
            raise Unreadable("a flag needs a name", cure="See what is set: companion show flags")
        words = self.game.vocabulary
        names = list(dict.fromkeys([*self.position.flags, *sorted(words.flags.exact)]))
        matches = matching_names(name, names)
        if len(matches) > 1:
            raise Ambiguous(name, matches)
        flag = matches[0] if matches else name
        if flag not in words.flags and words.is_complete:
            raise no_match(name, "flag", names)
        if not matches:
            self.notes.append(f"no flag '{name}' was set before; it is set now as it was typed")
        flag_type, members = words.flag_type(flag), None
        if flag_type.set:
            parts = [] if value.casefold() in _NONE else value.replace(",", " ").split()
            members = tuple(dict.fromkeys(self.game.corrections.read_member(flag, part, self.position) for part in parts)) or None
        self.referee.set_flag(flag, members if flag_type.set else flag_type.read(value, f"the flag '{flag}'"), "", self.why)

    def _fact(self, key: str, value: str) -> None:
        full, fact = full_key(self.game, key)
        kind, _, name = full.partition(":")
        stored = fact.notation(value)
        self.notes += filter(None, [self.game.fact_in_words(full, stored)])
        if not self.game.corrections.apply_fact(self.referee, kind, name, stored):
            self.notes.append(f"{full} is used from now on; what the set-up made of it stays as it is")

    def _piece(self, what: str, value: str) -> None:
        head, dot, tail = what.rpartition(".")
        if not dot or not head or self._is_piece(what):
            self._move(what, find_piece(self.game, self.position, what), value)
            return
        piece = find_piece(self.game, self.position, head)
        if normalised(tail) == "face":
            self._flip(piece, value)
            return
        marks = self.game.mark_names(piece)
        if not marks and self.game.vocabulary.is_complete:
            raise Unreadable(f"{piece.name} bears no marks", cure=f"Like this: {self._place_example(head, piece)}")
        if marks:
            tail = pick_name(tail, list(marks), f"mark for {piece.name}")
        else:
            self.notes.append(f"the game names no marks for {piece.name}; '{tail}' is set as it was typed")
        self._mark(piece, tail, value)

    def _is_piece(self, text: str) -> bool:
        """True if the whole text means a piece, whose name may have dots: ``I.M. Sahaf@palace``."""
        try:
            return bool(find_piece(self.game, self.position, text))
        except Ambiguous:
            return True
        except Unreadable:
            return False

    def _mark_type(self, piece: Piece, mark: str) -> ValueType:
        declared, values = self.game.vocabulary.mark_type(mark), self.game.mark_names(piece).get(mark, ())
        return declared if not declared.free or not values else ValueType.of_values(values, declared.text)

    def _mark(self, piece: Piece, mark: str, value: str) -> None:
        mark_type = self._mark_type(piece, mark)
        if mark_type.piece and value.casefold() not in _NONE:
            target = find_piece(self.game, self.position, value)
            if target.kind not in mark_type.piece:
                raise Unreadable(f"{piece.name}.{mark} cannot be {target.name}", cure=f"It can be: {mark_type.text}")
            self.referee.mark(piece.id, mark, target.id, "", self.why)
            return
        self.referee.mark(piece.id, mark, mark_type.read(value, f"{piece.name}.{mark}"), "", self.why)

    def _flip(self, piece: Piece, value: str) -> None:
        if not value:
            raise Unreadable("a face needs a name")
        faces = self._sides(piece, value)
        if len(faces) > 1:
            raise Ambiguous(value, faces)
        if not faces:
            names = ", ".join(dict.fromkeys(self.game.corrections.face_names(piece)))
            raise Unreadable(f"{piece.name} has no side '{value}'", cure=f"It has: {names}")
        self.referee.flip(piece.id, faces[0], "", self.why)

    def _sides(self, piece: Piece, text: str) -> list[str]:
        """Return the sides of a piece that a text may mean, by id or as shown."""
        names: dict[str, str] = {}
        for face in self.game.corrections.face_names(piece):
            names.setdefault(face, face)
            names.setdefault(self.game.face_title(piece, face), face)
        return list(dict.fromkeys(names[name] for name in matching_names(text, names)))

    def _move(self, what: str, piece: Piece, value: str) -> None:
        """Move a piece to a place; a bare word that is a mark or side and no place sets that instead."""
        if not value:
            raise Unreadable("a place needs a name", cure=f"Like this: {self._place_example(what, piece)}")
        exact = [mark for mark in self.game.mark_names(piece) if normalised(mark) == normalised(value)]
        place = None if exact else self._place(piece.kind, value)
        if place is None and (exact or value.partition(" ")[0] in self.game.mark_names(piece)):
            self._set_by_word(what, piece, value)
        elif place is None and len(self._sides(piece, value)) == 1 and self.game.vocabulary.is_complete:
            self._flip(piece, value)
        else:
            self.referee.move(piece.id, place or self._unlisted_place(what, piece, value), "", self.why)

    def _place(self, kind: str, text: str) -> str | None:
        """Return the place that a text means for a piece of a kind; None if it means none. Raises Ambiguous."""
        own = self.game.corrections.place_for(kind, text, self.position)
        return own or place_id(self.game, self.position, text)

    def _place_example(self, what: str, piece: Piece) -> str:
        return f"companion adjust {quoted(what)} {quoted(self.game.place_title(piece.place))}"

    def _set_by_word(self, what: str, piece: Piece, value: str) -> None:
        """Set a mark by its bare word: ``51M disrupted``, ``51M disrupted yes``."""
        mark, _, text = value.partition(" ")
        mark_type = self._mark_type(piece, mark.casefold())
        if not text and not mark_type.yes:
            values = self.game.mark_names(piece).get(mark.casefold(), ())
            example = f". Like this: companion adjust {quoted(f'{what}.{mark}')} {quoted(str(values[0]))}" if values else ""
            raise Unreadable(f"'{value}' needs a value", cure=f"{mark_type.expects()}{example}")
        self._mark(piece, mark.casefold(), text or "yes")

    def _unlisted_place(self, what: str, piece: Piece, value: str) -> str:
        """Return an unlisted, empty place if the game can have it."""
        words = self.game.vocabulary
        if words.is_complete and value not in words.places and not self.game.named_place_flag:
            raise self._no_place(what, piece, value)
        self.notes.append(f"nothing was in '{value}' before; taken as it was typed")
        return value[:80]

    def _no_place(self, what: str, piece: Piece, value: str) -> Unreadable:
        places = [*self.game.places, *self.position.places()]
        further = self.game.corrections.further_places(self.position)
        near = similar_names(value, list(dict.fromkeys([*places, *map(self.game.place_title, places), *further])))
        settings = [*self.game.mark_names(piece), *(["face"] if len(self.game.corrections.face_names(piece)) > 1 else [])]
        cure = f"Did you mean {' or '.join(near)}? " if near else ""
        cure += f"Besides a place there is: {', '.join(f'{what}.{setting}' for setting in settings)}" if settings else ""
        return Unreadable(f"the game has no place '{value}'", cure=cure or "See the places: companion show places")

    def _new(self, what: str, value: str) -> None:
        game, (kind, _, text) = self.game, what.partition(":")
        kinds = sorted(game.vocabulary.kinds.exact) or sorted({piece.kind for piece in self.position.pieces.values()})
        kind, text = clean(kind), clean(text).strip("\"'")
        if not kind or not value:
            like = next(iter(self.position.pieces.values()), None)
            example = f"companion adjust {quoted(f'new:{like.kind}:{like.name}')} {quoted(like.place)}" if like else ""
            raise Unreadable("a new piece needs a kind, a name and a place", cure=example and f"Like this: {example}")
        if kinds and game.vocabulary.is_complete:
            kind = pick_name(kind, kinds, "kind of piece")
        new = game.corrections.read_new_piece(kind, text, self.position)
        place = self._place(kind, value) or self._unlisted_place(new.name, Piece("", kind, new.name, ""), value)
        self.referee.make(kind, new.name[:80], place, "", self.why, new.values, new.face)


def parse_changes(game: Game, options: Mapping[str, str], position: Position, words: Sequence[str]) -> list[Change]:
    """Read typed words as pairs of what and value; if only that can be applied, as one thing and its value (the last word)."""
    pairs = list(zip(words[::2], words[1::2], strict=False))
    joined = [(" ".join(words[:-1]), words[-1])]
    if len(words) % 2:
        return joined
    for changes in (pairs, joined) if len(words) > 2 else ():
        with suppress(CompanionError):
            apply_changes(game, options, position, changes, "?")
            return changes
    return pairs


def quoted(name: str) -> str:
    """Return a name as it is typed in a line of several, in a shell too."""
    return name if name and set(name).isdisjoint(_SPECIAL) else f'"{name}"'


_SPECIAL = frozenset(" '();&|<>*?")
"""Characters with a meaning of their own in a shell, such as the apostrophe in the Location 2-2'."""


def _track_cure(game: Game, track: Track, position: Position, ends: TrackEnds) -> str:
    """Return what a track can be, with a line that can be typed."""
    now = position.track(track.id)
    number = now if ends.allow(now) else ends.low if ends.low is not None and now < ends.low else ends.high or 0
    example = f"companion adjust {track.id} {game.track(track.id, number).removeprefix('+')}"
    return f"It can be: {', '.join(track.names) or ends}. Like this: {example}"


def _check_ends(session: SessionState, referee: Referee) -> list[str]:
    """Return notes on tracks that were set towards an end that is not printed.

    Raises Illegal: a track was set beyond its ends.
    """
    game, facts, notes = session.game, session.log.facts(), []
    for event in referee.events:
        if not isinstance(event, TrackMoved):
            continue
        track, ends = game.tracks[event.track], game.track_ends(event.track, referee.position, facts)
        if not ends.allow(event.now):
            cure = _track_cure(game, track, session.position, ends)
            raise Illegal(f"{track.title} cannot stand at {event.now}", rule=track.rule, cure=cure)
        if track.on_table and (ends.high if event.now > event.was else ends.low) is None:
            end = "highest" if event.now > event.was else "lowest"
            notes.append(f"the rules name no {end} value of {track.title}, so {game.track(track.id, event.now)} is not checked")
    return notes


def _track_names(game: Game) -> dict[str, str]:
    names: dict[str, str] = {}
    for track in game.tracks.values():
        names.setdefault(track.id, track.id)
        names.setdefault(track.title, track.id)
    return names


def track_id(game: Game, text: str) -> str:
    """Return the track that a text means, by id or title.

    Raises:
        Unreadable, Ambiguous: None or several fit.
    """
    names = _track_names(game)
    ids = list(dict.fromkeys(names[name] for name in matching_names(text, names)))
    return ids[0] if len(ids) == 1 else names[pick_name(text, list(names), "track")]


def means_track(game: Game, position: Position, text: str) -> bool:
    """True if a text means a track. Full names come before prefixes.

    Raises:
        Ambiguous: It is a prefix of tracks and of pieces.
    """
    tracks = matching_names(text, _track_names(game))
    if not tracks:
        return False
    if any(normalised(name) == normalised(text) for name in tracks):
        return True
    pieces = matching_names(text.partition("@")[0], piece_names(position.pieces.values()))
    if any(normalised(name) == normalised(text) for name in pieces):
        return False
    if pieces:
        raise Ambiguous(text, [f"track:{name}" for name in tracks] + [f"piece:{name}" for name in pieces])
    return True


# -- pieces ------------------------------------------------------------------------------------------------------------


def piece_names(pieces: Iterable[Piece]) -> dict[str, list[Piece]]:
    """Group pieces by the name printed on them."""
    groups: dict[str, list[Piece]] = {}
    for piece in pieces:
        groups.setdefault(piece.name, []).append(piece)
    return groups


def _matching_pieces(game: Game, text: str, pool: Iterable[Piece]) -> Mapping[str, list[Piece]]:
    """Group the pieces that a text may mean by name, or else by the name on the screen."""
    pieces = list(pool)
    named = piece_names(pieces)
    matches = {name: named[name] for name in matching_names(text, named)}
    if matches or not text:
        return matches
    titled: dict[str, list[Piece]] = {}
    for piece in pieces:
        titled.setdefault(game.piece_title(piece), []).append(piece)
    return {name: titled[name] for name in matching_names(text, titled)}


def _split_place(game: Game, position: Position, text: str) -> tuple[str, list[Piece]]:
    """Return the name in ``NAME@PLACE``, and the pieces that it may mean."""
    if "@" not in text:
        return text, list(position.pieces.values())
    name, _, place_name = text.rpartition("@")
    place = place_id(game, position, place_name)
    if place is None:
        raise Unreadable(f"no piece is in '{place_name}'")
    return name, position.at(place)


def find_piece(game: Game, position: Position, text: str) -> Piece:
    """Return the piece that a text means: by id, by name or as shown, with ``@place`` if several have the name.

    Pieces in play come before others; of several equal pieces in one place it is the first.

    Raises:
        Unreadable: There is none.
        Ambiguous: Several differ.
    """
    if text in position.pieces:
        return position.pieces[text]
    name, pool = _split_place(game, position, text)
    matches = _matching_pieces(game, name, pool)
    pieces = [piece for group in matches.values() for piece in group]
    if not pieces:
        what = "piece in that place" if "@" in text else "track or piece"
        raise no_match(name, what, list(piece_names(pool)), "See: companion show")
    exact = [piece for piece in pieces if normalised(piece.name) == normalised(name)] or pieces
    playing = [piece for piece in exact if game.corrections.is_in_play(piece)] or exact
    return _first_of_equals(game, text, playing)


def _first_of_equals(game: Game, text: str, pieces: list[Piece]) -> Piece:
    """Return the first of several pieces that look the same in one place."""
    looks = [(game.piece_title(piece), piece.kind, piece.place, piece.face, dict(piece.marks)) for piece in pieces]
    if all(look == looks[0] for look in looks):
        return pieces[0]
    names = list(dict.fromkeys(piece.name for piece in pieces))
    if len(names) > 1:
        raise Ambiguous(text, names)
    places = list(dict.fromkeys(f"{piece.name}@{piece.place}" for piece in pieces))
    matches = places if len(places) > 1 else [piece.id for piece in pieces]
    raise Ambiguous(text, matches, f'Name one of them in full, like this: companion adjust "{matches[0]}" PLACE')


# -- places ------------------------------------------------------------------------------------------------------------


def place_names(game: Game, position: Position) -> dict[str, str]:
    """Return every known place by id and by its name on the table."""
    names: dict[str, str] = {}
    for place in (*game.places, *game.player_named_places(position), *position.places()):
        names.setdefault(place, place)
    for place in list(names):
        names.setdefault(game.place_title(place), place)
    return names


def place_id(game: Game, position: Position, text: str) -> str | None:
    """Return the place that a text means; None if it means none.

    Raises:
        Ambiguous: It is a prefix of several.
    """
    if len(text) > 2 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    names = place_names(game, position)
    ids = list(dict.fromkeys(names[name] for name in matching_names(text, names)))
    if own := game.corrections.find_place(text, position):
        return own
    if len(ids) > 1:
        raise Ambiguous(text, ids)
    return ids[0] if ids else None


def adjust(session: SessionState, changes: Sequence[tuple[str, str]], why: str, action: str, anyway: bool = False) -> Result:
    """Set what the player sees on the table: as an entry, or within the open one, whose question is asked again.

    Args:
        anyway: Set what the rules of the game refuse, and tracks beyond their ends.

    Raises:
        Unreadable: A change cannot be read or cannot exist, or there is no reason.
        Illegal: It sets a track beyond its ends, or the rules of the game refuse it.
        Impossible: It contradicts what is on the table, or the open entry cannot go on from there; nothing is kept.
        BadData: The open entry is broken.
    """
    if action not in ADJUST_ACTIONS:
        raise ValueError(action)
    reason = clean(why)[:500]
    if not reason:
        raise Unreadable("an adjustment needs a reason", cure="Say why")
    is_open = session.history.open_entry is not None
    before = session.asking_entry().position if is_open else session.committed_position
    referee, notes = apply_changes(session.game, session.options, before, changes, reason, anyway)
    notes += [] if anyway else _check_ends(session, referee)
    known_facts = session.log.facts()
    facts = {key: value for key, value in facts_in_changes(session.game, changes).items() if known_facts.get(key) != value}
    if not referee.events and not facts:
        raise Unreadable("nothing would change", cure="It has that value already")
    if is_open:
        if session.waits_for:
            what = f"the roll of question {session.question_number} is under way"
            raise Impossible(what, cure="Correct the table once its dice are there")
        request = session.asking_entry().request
        adjusted = adjustment_reply(changes, reason, action, request.key if request else "", referee.events, anyway)
        result = _adjust_open_entry(session, adjusted, referee.position, facts)
        return result._replace(notes=tuple(notes))
    fix = tuple(board_fix(before, referee.position, session.game))  # before the commit: it may fail
    number, batch = session.history.next_number, session.log.new_batch()
    batch.entry(number, action, {"changes": [list(pair) for pair in changes], "why": reason}, anyway)
    batch.complete(number, referee.events, session.game_result(referee.position))
    batch.facts = facts
    session.log.commit(batch)
    return Result(before, referee.position, tuple(referee.events), None, number, True, fix, tuple(notes))


def _adjust_open_entry(session: SessionState, adjusted: Reply, seen: Position, facts: Mapping[str, str]) -> Result:
    """Adjust within the open entry, and rework what led to the question.

    Args:
        seen: The table as the player sees it.
        facts: Printed facts that the adjustment sets.
    """
    step = begin_advance(session)
    running, asked = step.entry, step.entry.request
    assert asked is not None
    old_events = list(running.referee.events)
    if running.resolver:
        running.resolver.new_facts.update(facts)
    try:
        at = running.adjust(adjusted)
    except ReplyMismatch as misfit:
        raise Impossible(
            f"action {running.number} '{running.action}' {misfit}",
            cure="Take back its last answer or all of it, adjust and go on: companion undo --reply, companion undo",
        ) from None
    fix = tuple(board_fix(step.before, seen, session.game))
    same = running.request is not None and (running.request.key, running.request.kind) == (asked.key, asked.kind)
    result = commit(session, step) if same else advance(session, step, Answers())
    return result._replace(events=_new_events(old_events, running.referee.events, at, len(adjusted.events)), fix=fix)


def check_adjustment(session: SessionState, changes: Sequence[Change], anyway: bool) -> bool:
    """Return `anyway`, so that a refusal comes before the reason is asked for. Raises what `adjust` raises for changes."""
    referee, _ = apply_changes(session.game, session.options, session.position, changes, "?", anyway)
    if not anyway:
        _check_ends(session, referee)
    return anyway


def _new_events(old: Sequence[Event], new: Sequence[Event], at: int, count: int) -> tuple[Event, ...]:
    """Return the events to show after an entry was run again: the adjustment, and what differs from before."""
    others = [*new[:at], *new[at + count :]]
    first_new = len(old) if others[: len(old)] == old else at
    return (*new[at : at + count], *others[first_new:])
