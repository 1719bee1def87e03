"""Contract tests of corrections: at any question and between actions, views show them and play goes on, or they are refused."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from companion.cli.shell.shared import adjust_examples, status_lines
from companion.core.board_fix import board_fix
from companion.core.errors import CompanionError, Illegal, Impossible, Unreadable
from companion.core.events import Event, FlagSet, PieceFlipped, PieceMade, PieceMarked, PieceMoved, TrackMoved, apply
from companion.core.game import Game, TrackEnds
from companion.core.history import Reply
from companion.core.position import FlagValue, Piece, Position, Value
from companion.core.procedures import ResolvedReply
from companion.core.requests import AnyRequest, Confirm, Number, Roll
from companion.core.resolver import Answers
from companion.session.adjust import adjustment_reply, apply_changes, parse_changes
from companion.session.controller import SessionController
from companion.session.corrections import question_at
from companion.session.entry import ReplyMismatch, RunningEntry
from companion.session.inquiry import example_replies
from companion.session.store import Archive
from companion.testing.fixtures import Begun
from companion.testing.player import PATIENCE, RandomPlayer
from companion.testing.table import session_at
from companion.views.board import show
from companion.views.lines import plain_text
from companion.views.log import log_lines, why_lines
from companion.views.report.document import document
from companion.views.report.render import report_data, report_md
from companion.views.report.report import build_report

ODD: tuple[Value, ...] = ("no such word", 7, -1, True, "none", "")  # Values that other programs may have stored


def look(session: SessionController) -> None:
    """Render every view of a session."""
    game, history = session.game, session.history
    plain_text(status_lines(session))
    for part in ("overview", "cups", "facts", "score", "pieces", "tracks", "flags", "options", "places"):
        view = show(session, part)
        plain_text(view.lines())
        view.data()
    plain_text(log_lines(game, history))
    for entry in history.in_force:
        plain_text(why_lines(game, history, entry._replace(events=session.events_of(entry.number))))
    report = build_report("x", game, history, session.options)
    report_md(document(report))
    report_data(report)
    for piece in session.position.pieces.values():
        game.face_title(piece, piece.face)


def strange(session: SessionController) -> list[Event]:
    """One event of each kind with a word that the game does not declare, for each kind of piece."""
    position = session.position
    events: list[Event] = []
    for kind in dict.fromkeys(piece.kind for piece in position.pieces.values()):
        pieces = [piece for piece in position.of_kind(kind) if piece.place not in session.game.cups] or position.of_kind(kind)
        first, last = pieces[0], pieces[-1]
        events += [
            PieceFlipped(first.id, first.face, "no such face"),
            PieceMarked(first.id, "no such mark", None, 3),
            PieceMoved(last.id, last.place, "no such place"),
            PieceMade(f"odd-{kind}#999", kind, "nameless", first.place, "no such face"),
        ]
        events += [PieceMarked(first.id, mark, None, value) for mark in session.game.mark_names(first) for value in ODD]
    events += [TrackMoved(track, position.track(track), value) for track in session.game.tracks for value in (10**30, -(10**30))]
    flags = [flag for flag in dict.fromkeys([*position.flags, *sorted(session.game.vocabulary.flags.exact)]) if ":" not in flag]
    values: tuple[FlagValue, ...] = (*ODD, ("a", "b"))
    events += [FlagSet(flag, position.flags.get(flag), value) for value in values for flag in flags]
    return [*events, PieceMade("odd#1000", "no such kind", "Odd", "no such place")]


def test_a_view_shows_whatever_is_stored(game: Game, archive: Archive) -> None:
    """Every view accepts undeclared words that an older version stored; otherwise the whole log would be lost."""
    player = RandomPlayer(game.id, next(iter(game.scenarios)), 1)
    for _ in range(12):
        player.turn()
    session = session_at(archive, game.id, next(iter(game.scenarios)), player.position)
    look(session)
    for event in strange(session):
        before = session.position
        batch = session.log.new_batch()
        number = session.history.next_number
        batch.entry(number, "adjust", {"changes": [], "why": "x"})
        batch.complete(number, [event])
        session.log.commit(batch)
        assert session.position == apply(before, event)
        board_fix(before, session.position, game)
        board_fix(session.position, before, game)
        plain_text(status_lines(session))
        game.score(session.position, session.options)
    look(session)


def refused(game: Game, position: Position, what: str, value: str) -> Unreadable:
    with pytest.raises(Unreadable) as caught:
        apply_changes(game, game.default_options(), position, [(what, value)], "x")
    return caught.value


def position_of(game: Game, turns: int = 6) -> Position:
    player = RandomPlayer(game.id, next(iter(game.scenarios)), 3)
    for _ in range(turns):
        player.turn()
    return player.position


def each_kind(position: Position) -> list[Piece]:
    return [position.of_kind(kind)[0] for kind in dict.fromkeys(piece.kind for piece in position.pieces.values())]


def test_what_the_game_does_not_have_is_refused_with_what_it_has(game: Game) -> None:
    """Undeclared places, faces, marks, flags, values and kinds are refused, each with a cure."""
    position, words = position_of(game), game.vocabulary
    for piece in each_kind(position):
        places = not words.is_complete or game.named_place_flag
        assert places or refused(game, position, piece.id, "no such place").cure
        assert refused(game, position, f"{piece.id}.face", "no such side").cure.startswith("It has: front")
        assert not words.is_complete or refused(game, position, f"{piece.id}.no such mark", "yes").cure
        for mark in game.mark_names(piece):
            assert refused(game, position, f"{piece.id}.{mark}", "zz zz").cure
    if words.is_complete:
        assert refused(game, position, "flag:no such flag", "yes").cure
        assert refused(game, position, "new:no such kind:x", "anywhere").cure
    for flag in words.flags.exact:
        if not words.flag_type(flag).free and not words.flag_type(flag).set:
            assert "It can be: " in refused(game, position, f"flag:{flag}", "zz zz").cure


def test_each_side_and_each_mark_that_a_piece_has_is_taken(game: Game) -> None:
    """Faces are accepted by name and by title, marks with each of their values."""
    position = position_of(game)

    def now(piece: Piece, what: str, value: str) -> Piece:
        return apply_changes(game, game.default_options(), position, [(what, value)], "x")[0].position.pieces[piece.id]

    for piece in each_kind(position):
        for face in game.corrections.face_names(piece):
            for text in (face, game.face_title(piece, face), game.face_title(piece, face).upper()):
                assert now(piece, f"{piece.id}.face", text).face == face
        for mark, values in game.mark_names(piece).items():
            for value in values:
                assert now(piece, f"{piece.id}.{mark}", "yes" if value is True else str(value)).mark(mark) == value
            assert now(piece, f"{piece.id}.{mark}", "none").mark(mark) is None


def test_no_track_goes_beyond_its_bounds(game: Game) -> None:
    """A number outside the track would break the banner and the charts."""
    for track in game.tracks.values():
        if track.high is not None:
            assert refused(game, position_of(game, 0), f"track:{track.id}", str(track.high + 1)).cure


def test_a_value_beyond_the_ends_of_a_track_is_taken_only_if_insisted_on(begun: Begun) -> None:
    """The ends are those of the game that is played; what is recorded can go further."""
    session = begun(1)
    for track in session.game.tracks.values():
        ends = session.game.track_ends(track.id, session.position, session.log.facts())
        assert TrackEnds(track.low, track.high).allow(session.position.track(track.id))
        for end, number in ((ends.low, (ends.low or 0) - 1), (ends.high, (ends.high or 0) + 1)):
            if end is None or not TrackEnds(track.low, track.high).allow(number):
                continue
            changes = [(f"track:{track.id}", str(number))]
            with pytest.raises(Illegal) as caught:
                session.adjust(changes, "x")
            assert not isinstance(caught.value, Impossible) and "Like this: companion adjust" in caught.value.cure
            assert session.adjust(changes, "x", anyway=True).after.track(track.id) == number
            session.undo()


def test_each_example_of_an_adjustment_can_be_applied(begun: Begun) -> None:
    session = begun(1)
    game, position = session.game, session.position
    examples = adjust_examples(session).removeprefix("Like this: ").split(", or ")
    for track in game.tracks.values():
        examples.append(refused(game, position, f"track:{track.id}", "zz").cure.partition("Like this: ")[2])
    for example in filter(None, examples):
        words = shlex.split(example)[2:]
        apply_changes(game, session.options, position, parse_changes(game, session.options, position, words), "x")


def test_a_piece_that_cannot_be_read_is_refused_with_an_example(game: Game) -> None:
    for kind in sorted(game.vocabulary.kinds.exact - {"other", "concealed", "marker", "wounded", "leader", "roads"}):
        assert refused(game, position_of(game, 0), f"new:{kind}:%%%", "x").cure


WORDS = ("yes", "no", "none", "0", "1", "2", "7", "99", "-1", "zz", "%%%", "back", "reduced", "a b c")
PLACES = ("1", "3-8", "3-99", "box 99", "map", "hand", "z9", "zz", '"zz"')


class Meddler:
    """Makes random corrections at questions and between actions, renders every view, and plays on."""

    def __init__(self, session: SessionController, seed: int, new: Sequence[tuple[str, str]]) -> None:
        self.dice = Random(seed)
        self.session = session
        self.texts = [text.partition(":")[2] for text, _ in new]
        self.places = [*PLACES, *(place for _, place in new)]
        self.taken = self.refused = 0

    def change(self) -> tuple[str, str]:
        """A random change to an existing or missing thing."""
        game, position, dice = self.session.game, self.session.position, self.dice
        words, pieces = game.vocabulary, list(position.pieces.values())
        piece = dice.choice(pieces) if pieces else Piece("zz", "zz", "zz", "zz")
        places = [*self.places, *game.places, *position.places()]
        sort = dice.choice(("face", "mark", "place", "new", "track", "flag", "fact", "word"))
        if sort == "face":
            return f"{piece.id}.face", dice.choice([*words.faces.exact, *WORDS])
        if sort == "mark":
            values = [str(value) for allowed in game.mark_names(piece).values() for value in allowed]
            return f"{piece.id}.{dice.choice([*sorted(words.marks.exact), 'zz'])}", dice.choice([*values, *WORDS, piece.name])
        if sort == "place":
            return dice.choice([piece.id, f"{piece.name}@{piece.place}", piece.name]), dice.choice(places)
        if sort == "new":
            kind = dice.choice([*sorted(words.kinds.exact), "zz"])
            return f"new:{kind}:{dice.choice(['', piece.name, *self.texts, *WORDS])}", dice.choice(places)
        if sort == "track" and game.tracks:
            track = dice.choice(list(game.tracks.values()))
            low, high = track.low or 0, track.high or 99
            return f"track:{track.id}", str(dice.choice((low - 1, low, high, high + 1, dice.randint(low, high), 10**30)))
        if sort == "flag":
            flag = dice.choice([*sorted(words.flags.exact), *position.flags, "zz"])
            return f"flag:{flag}", dice.choice([*words.flag_type(flag).words, *WORDS])
        if sort == "fact" and game.facts:
            fact = dice.choice(list(game.facts))
            held = [flag.partition(":")[2] for flag in position.flags if flag.startswith(f"{fact.id}:")]
            tail = dice.choice([*fact.keys, *held, "3-8", "zz"])
            return f"fact:{fact.id}" + ("" if fact.single else f":{tail}"), fact.notation.example
        return dice.choice((piece.name, f"control {dice.choice(WORDS)}", "zone 5 control")), dice.choice(WORDS)

    def meddle(self) -> None:
        """Make one correction and render every view."""
        try:
            self.session.adjust([self.change()], "meddling")
            self.taken += 1
        except CompanionError:
            self.refused += 1
            return
        for track in self.session.game.tracks.values():
            now = self.session.position.track(track.id)
            assert (track.low is None or now >= track.low) and (track.high is None or now <= track.high), track.id
        plain_text(status_lines(self.session))
        if self.dice.random() < 0.1:
            look(self.session)

    def play(self) -> None:
        """Play on; refusals and open questions are allowed."""
        session, dice = self.session, self.dice
        try:
            if session.pending and dice.random() < 0.1:
                session.abort()
            elif session.pending:
                session.answer(Answers(accept=dice.random() < 0.7), anyway=dice.random() < 0.5)
                session.odds()
            else:
                action = dice.choice(list(session.game.actions))
                session.do(action.id, Answers(accept=dice.random() < 0.5), anyway=dice.random() < 0.3)
        except CompanionError:
            if session.pending and dice.random() < 0.3:
                with suppress(CompanionError):
                    session.abort()


def meddled(session: SessionController, seed: int, new: Sequence[tuple[str, str]], count: int) -> Meddler:
    meddler = Meddler(session, seed, new)
    for number in range(10 * count):
        if number >= count and meddler.taken:  # a game with few names is asked for many that it does not have
            break
        meddler.meddle()
        if number % 2:
            meddler.play()
    look(session)
    assert SessionController.open(session.archive, session.info).position == session.position
    return meddler


def test_whatever_is_set_everything_goes_on(begun: Begun, new_pieces: Sequence[tuple[str, str]]) -> None:
    """Each random correction is accepted or refused, and play goes on."""
    meddler = meddled(begun(1), 1, new_pieces, 40)
    assert meddler.taken and meddler.refused


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 12))
def test_ten_thousand_adjustments(begun: Begun, new_pieces: Sequence[tuple[str, str]], seed: int) -> None:
    meddled(begun(seed), seed, new_pieces, 200)


def other_answers(request: AnyRequest, value: object) -> list[str]:
    """Other answers that the question of a reply may take."""
    if isinstance(request, Roll):
        faces = request.lowest, request.lowest + request.sides - 1
        return [" ".join([str(face)] * request.count) for face in faces]
    if isinstance(request, Number):
        return [str(request.low), str(request.high)]
    if isinstance(request, Confirm):
        return ["no" if value else "yes"]
    return [choice.value for choice in request.legal_choices()[:3]]


def test_an_amend_loses_no_answer_without_a_word(begun: Begun) -> None:
    """Each later answer of the amended action is kept, waits for its question, or is named as not asked for any more."""
    session, amended = begun(1), 0
    for action in [action.id for action in session.game.actions if not action.alone] * 2:
        with suppress(CompanionError):
            session.do(action, Answers(accept=True))
            while session.pending:
                session.answer(Answers(plain=example_replies(session.pending)[:1], accept=True))
        if session.pending:
            session.abort()
    for entry in session.history.in_force[-6:]:
        for place, reply in enumerate(entry.replies, 1):
            if not (reply.is_from_player or reply.is_random) or amended > 25:
                continue
            request = question_at(session, entry.number, place)
            for text in other_answers(request, reply.value) if request else ():
                try:
                    result = session.amend(entry.number, place, text)
                except CompanionError:
                    continue
                amended += 1
                new = Counter((reply.key, repr(reply.value)) for reply in session.history.entries[result.entry].replies[place:])
                told = " ".join(result.notes)
                for old in entry.replies[place:]:
                    new[old.key, repr(old.value)] -= 1
                    assert not old.is_from_player or new[old.key, repr(old.value)] >= 0 or old.question in told, (old, told)
                session.undo()
    assert amended, session.history.in_force


def seen(under: RunningEntry, dice: Random) -> Reply | None:
    """A random difference between the table and the position; None if there is none."""
    game, position = under.game, under.position
    tracks = [track for track in game.tracks.values() if track.high is not None]
    if tracks and dice.random() < 0.6:
        track = dice.choice(tracks)
        change = (f"track:{track.id}", str(dice.randint(track.low or 0, track.high or 0)))
    elif not position.pieces:
        return None
    else:
        piece = dice.choice(list(position.pieces.values()))
        change = (piece.id, f'"{dice.choice(list(position.places()))}"')
    try:
        referee, _ = apply_changes(game, under.options, position, [change], "seen")
    except Illegal:  # the position contradicts it
        return None
    assert under.request is not None
    return adjustment_reply([change], "seen", "adjust", under.request.key, referee.events) if referee.events else None


def again(under: RunningEntry) -> RunningEntry:
    """The same entry, replayed from its replies."""
    what = under.number, under.action, under.index
    other = RunningEntry(under.game, under.options, under.start, *what, False, under.resolver, under.replies)
    other.replay_stored()
    return other


def assert_replays(entry: RunningEntry) -> None:
    other = again(entry)
    assert entry.referee.events == other.referee.events
    assert entry.position == other.position and list(entry.position.pieces) == list(other.position.pieces)
    assert (entry.request and entry.request.describe()) == (other.request and other.request.describe())


@pytest.mark.parametrize("seed", range(3))
def test_what_is_put_right_at_any_question_stays_right(game: Game, seed: int) -> None:
    """After a correction at a question the position is as the player says, also after a replay, or nothing changes."""
    player, dice = RandomPlayer(game.id, list(game.scenarios)[seed % len(game.scenarios)], seed), Random(seed)
    put = 0
    for _ in range(60):
        open_to = [action.id for action in game.actions if action.obstacle(player.position) is None and not action.alone]
        if not open_to or game.over(player.position):
            break
        put += act(player, dice, dice.choice(open_to))
    assert put or not player.transcripts[1:]


def act(player: RandomPlayer, dice: Random, action: str) -> int:
    """Play an action to its end or give it up; return the number of corrections."""
    put = refused = 0
    try:
        under = RunningEntry(player.game, player.options, player.position, 2, action, 0, resolver=player.resolver)
    except CompanionError:
        return 0
    while under.request is not None:
        if dice.random() < 0.15 and (reply := seen(under, dice)):
            before, asked = under.position, under.request
            wanted, _ = apply_changes(player.game, player.options, before, [tuple(reply.value["changes"][0])], "seen")
            try:
                at = under.adjust(reply)
                put += 1
                assert under.referee.events[at : at + len(reply.events)] == wanted.events
                if under.request and (under.request.key, under.request.kind) == (asked.key, asked.kind):
                    assert under.position == wanted.position or len(under.referee.events) > at + len(reply.events)
            except ReplyMismatch:
                assert under.position == before and under.request.describe() == asked.describe()
            assert_replays(under)
            continue
        try:
            answer: Any = player.answer(under.request)
            under.send(ResolvedReply(answer, "typed", anyway=bool(under.request.conflict(answer))))
            refused = 0
        except CompanionError:
            refused += 1
            under = again(under)
            if refused > PATIENCE:
                return put
    assert_replays(under)
    player.position = under.position
    return put
