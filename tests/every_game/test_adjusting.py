"""What every game must bear of corrections: whatever is set, the views show it and the rules go on, or it is refused."""

from __future__ import annotations

import tomllib
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from companion.cli.shell.status import status_lines
from companion.core.answering import Answers
from companion.core.boardfix import board_fix
from companion.core.errors import CompanionError, Unreadable
from companion.core.events import Event, FlagSet, PieceFlipped, PieceMade, PieceMarked, PieceMoved, TrackMoved, apply
from companion.core.game import Game
from companion.core.position import Held, Piece, Position, Value
from companion.games import make_game
from companion.session.adjusting import corrected
from companion.session.desk import Desk
from companion.session.standing import load_game
from companion.session.store import Archive
from companion.session.tables import load
from companion.views.lines import plain
from companion.views.log import log_lines, why_lines
from companion.views.parts import shown
from companion.views.report.as_data import report_data
from companion.views.report.as_md import report_md
from companion.views.report.document import document
from companion.views.report.telling import told
from tests.every_game.conftest import SMALL
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
    report = told("x", game, history, desk.options)
    report_md(document(report))
    report_data(report)
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


def refused(game: Game, position: Position, what: str, value: str) -> Unreadable:
    options = {name: option.default for name, option in game.options.items()} | {"scenario": next(iter(game.scenarios))}
    with pytest.raises(Unreadable) as caught:
        corrected(game, options, position, [(what, value)], "x")
    return caught.value


def position_of(game: Game, turns: int = 6) -> Position:
    player = RandomPlayer(game.id, next(iter(game.scenarios)), 3)
    for _ in range(turns):
        player.turn()
    return player.position


def each_kind(position: Position) -> list[Piece]:
    return [position.of_kind(kind)[0] for kind in dict.fromkeys(piece.kind for piece in position.pieces.values())]


def test_what_the_game_does_not_have_is_refused_with_what_it_has(game: Game) -> None:
    """A place, a face, a mark, a value of a mark, a flag, a value of a flag, a kind: each refusal has a cure."""
    position, words = position_of(game), game.vocabulary
    for piece in each_kind(position):
        places = not words.whole or game.own_place
        assert places or refused(game, position, piece.id, "no such place").cure
        assert refused(game, position, f"{piece.id}.face", "no such side").cure.startswith("It has: front")
        assert not words.whole or refused(game, position, f"{piece.id}.no such mark", "yes").cure
        for mark in game.mark_names(piece):
            told = refused(game, position, f"{piece.id}.{mark}", "zz zz")
            assert told.cure
    if words.whole:
        assert refused(game, position, "flag:no such flag", "yes").cure
        assert refused(game, position, "new:no such kind:x", "anywhere").cure
    for flag in words.flags.exact:
        if not words.form(flag).free and not words.form(flag).set:
            assert "It can be: " in refused(game, position, f"flag:{flag}", "zz zz").cure


def test_each_side_and_each_mark_that_a_piece_has_is_taken(game: Game) -> None:
    """By the name of the side, and by what the screen calls it; each value that a mark may have."""
    position = position_of(game)
    options = {name: option.default for name, option in game.options.items()} | {"scenario": next(iter(game.scenarios))}

    def now(piece: Piece, what: str, value: str) -> Piece:
        return corrected(game, options, position, [(what, value)], "x")[0].position.pieces[piece.id]

    for piece in each_kind(position):
        for face in game.corrections.face_names(piece):
            for text in (face, game.face_title(piece, face), game.face_title(piece, face).upper()):
                assert now(piece, f"{piece.id}.face", text).face == face
        for mark, values in game.mark_names(piece).items():
            for value in values:
                assert now(piece, f"{piece.id}.{mark}", "yes" if value is True else str(value)).mark(mark) == value
            assert now(piece, f"{piece.id}.{mark}", "none").mark(mark) is None


def test_every_track_has_bounds(game: Game) -> None:
    """A number that no marker can show would break the banner and the charts."""
    for track in game.tracks.values():
        if game.id not in SMALL:
            assert track.low is not None and track.high is not None, track.id
            assert abs(track.low) < 1000 and abs(track.high) < 1000
        if track.high is not None:
            assert refused(game, position_of(game, 0), f"track:{track.id}", str(track.high + 1)).cure


NEW = {
    "fallujah2004": [
        ("unit:USMC 9/9 inf bn 4(2)2/2(2)2", "recruit", {"type": "infantry", "back fire": 2}),
        ("strike:air 3", "available", {"type": "air", "fire": 3}),
        ("leader", "recruit", {"edge": 1}),
        ("opfor:militia 1(1)", "reaction cup", {"type": "militia", "contact": 1}),
        ("event:intel", "reaction cup", {"event": "intel"}),
        ("node:IED Factory", "node cup", {"node": "ied_factory"}),
        ("concealed", "3-8", {}),
        ("marker", "3-8", {"marker": "bridge"}),
    ],
    "phantomfury": [
        ("insurgent:G2/M3", "2-R", {}),
        ("insurgent:Guerillas 2", "2-R", {}),
        ("suspect", "2-R", {}),
        ("suspect:2/1/R", "suspects cup", {}),
        ("squad:99 5", "company box", {"number": 99, "cf": 5}),
        ("tank", "armour box", {"cf": 8}),
        ("iif", "iraqi box", {"cf": 4}),
        ("control:Activated Zone", "box 5", {}),
        ("marker:Fanaticism", "box 5", {}),
        ("element:1", "2-C", None),
    ],
    "fallujahcards": [
        ("infantry:Grunts", "hand", {"type": "G"}),
        ("infantry:Rangers G5", "hand", {"type": "G", "force": 5}),
        ("other:House rule", "hand", {}),
    ],
    "iraqwar2003": [
        ("unit:us 9/9ID 6-5-8/4-3-8 div:3ID", "map", {"nation": "us", "division": "3ID", "back move": 8}),
        ("air:us F-99 5-2-4", "coalition available", {"nation": "us", "values": "5-2-4"}),
        ("roads:1321", "roads", {}),
        ("marker", "iraq used", {}),
        ("palace:dummy", "palace", {"palace": "dummy"}),
    ],
    "lzalbany": [
        ("wounded", "albany", {"side": "US"}),
        ("wounded:W1", "albany", {"side": "US"}),
        ("unit:A/2-7 9 inf 2-3/1-2", "to come", {"side": "US", "company": "A/2-7", "group": "ab27", "fire": 2}),
        ("officer:A/2-7 xo officer", "to come", {"side": "US", "type": "officer"}),
        ("flare:Flare 1", "flare track", {}),
    ],
}
"""What is written on a counter, where it goes, and what the rules must then read on it."""


@pytest.mark.parametrize(
    ("of", "what", "place", "values"), [(of, *row) for of, rows in NEW.items() for row in rows], ids=lambda one: str(one)[:40]
)
def test_a_new_piece_is_made_by_the_game_in_its_own_notation(
    of: str, what: str, place: str, values: dict[str, Value] | None
) -> None:
    """What is added by hand has all the values that the rules read, and goes by the rules like any other."""
    game = make_game(of, load(of))
    position = position_of(game, 2)
    options = {name: option.default for name, option in game.options.items()} | {"scenario": next(iter(game.scenarios))}
    referee, _ = corrected(game, options, position, [(f"new:{what}", f'"{place}"')], "one more")
    made = next(event for event in referee.events if isinstance(event, PieceMade))
    assert made.place == place and made.name
    assert values is None or {key: made.values.get(key) for key in values} == values
    like = next((piece for piece in position.of_kind(made.piece)), None)
    lacking = set(like.values) - set(made.values) if like else set()
    assert lacking <= {"back fire", "back contact", "back move", "turn", "values", "squad"}


def test_a_piece_that_cannot_be_read_is_refused_with_an_example(game: Game) -> None:
    for kind in sorted(game.vocabulary.kinds.exact - {"other", "concealed", "marker", "wounded", "leader", "roads"}):
        assert refused(game, position_of(game, 0), f"new:{kind}:%%%", "x").cure


WORDS = ("yes", "no", "none", "0", "1", "2", "7", "99", "-1", "zz", "%%%", "back", "reduced", "usmc", "disrupted", "a b c")
PLACES = ("3-8", "3-99", "14-C", "2-R", "99-C", "box 5", "box 99", "street z", "map", "hand", "albany", "z9", "zz", '"zz"')
SETS = {"fallujah2004", "iraqwar2003", "lzalbany"}


class Meddler:
    """Somebody who sets anything to anything, at any question and between actions, looks at everything, and plays on."""

    def __init__(self, archive: Archive, game_id: str, seed: int) -> None:
        self.dice = Random(seed)
        if game_id in SETS:
            path = Path(__file__).parent.parent / "games" / game_id / "scripts" / "made_up_set.toml"
            archive.tell(game_id, tomllib.loads(path.read_text(encoding="utf-8"))["facts"])
        scenarios = list(load_game(game_id).scenarios)
        scenario = scenarios[-1] if game_id == "phantomfury" else scenarios[seed % len(scenarios)]
        options = {"map": "practice"} if game_id == "lzalbany" else {}
        self.desk = Desk.create(
            archive, game_id, scenario=scenario, options=options, seed=str(seed), answers=Answers(accept=True), anyway=True
        )
        self.taken = self.refused = 0

    def change(self) -> tuple[str, str]:
        """Something to be set: to what there is, or to what there is not."""
        game, position, dice = self.desk.game, self.desk.position, self.dice
        words, pieces = game.vocabulary, list(position.pieces.values())
        piece = dice.choice(pieces) if pieces else Piece("zz", "zz", "zz", "zz")
        places = [*PLACES, *game.places, *position.places()]
        sort = dice.choice(("face", "mark", "place", "new", "track", "flag", "fact", "word"))
        if sort == "face":
            return f"{piece.id}.face", dice.choice([*words.faces.exact, *WORDS])
        if sort == "mark":
            values = [str(value) for many in game.mark_names(piece).values() for value in many]
            return f"{piece.id}.{dice.choice([*sorted(words.marks.exact), 'zz'])}", dice.choice([*values, *WORDS, piece.name])
        if sort == "place":
            return dice.choice([piece.id, f"{piece.name}@{piece.place}", piece.name]), dice.choice(places)
        if sort == "new":
            kind = dice.choice([*sorted(words.kinds.exact), "zz"])
            texts = [row[0].partition(":")[2] for row in NEW.get(game.id, ())]
            return f"new:{kind}:{dice.choice(['', piece.name, *texts, *WORDS])}", dice.choice(places)
        if sort == "track" and game.tracks:
            track = dice.choice(list(game.tracks.values()))
            low, high = track.low or 0, track.high or 99
            return f"track:{track.id}", str(dice.choice((low - 1, low, high, high + 1, dice.randint(low, high), 10**30)))
        if sort == "flag":
            flag = dice.choice([*sorted(words.flags.exact), *position.flags, "zz"])
            return f"flag:{flag}", dice.choice([*words.form(flag).words, *WORDS])
        if sort == "fact" and game.facts:
            fact = dice.choice(list(game.facts))
            tails = [
                *fact.keys,
                *(flag.partition(":")[2] for flag in position.flags if flag.startswith(f"{fact.id}:")),
                "3-8",
                "zz",
            ]
            return f"fact:{fact.id}" + ("" if fact.single else f":{dice.choice(tails)}"), fact.notation.example
        return dice.choice((piece.name, f"control {dice.choice(WORDS)}", "zone 5 control")), dice.choice(WORDS)

    def meddle(self) -> None:
        """One adjustment; whatever comes of it, everything can be looked at."""
        try:
            self.desk.adjust([self.change()], "meddling")
            self.taken += 1
        except CompanionError:
            self.refused += 1
            return
        for track in self.desk.game.tracks.values():
            now = self.desk.position.track(track.id)
            assert (track.low is None or now >= track.low) and (track.high is None or now <= track.high), track.id
        plain(status_lines(self.desk))
        if self.dice.random() < 0.1:
            look(self.desk)

    def play(self) -> None:
        """Something that a player does next; a refusal is one, and so is a question that stays open."""
        desk, dice = self.desk, self.dice
        try:
            if desk.pending and dice.random() < 0.1:
                desk.abort()
            elif desk.pending:
                desk.answer(Answers(accept=dice.random() < 0.7), anyway=dice.random() < 0.5)
                desk.odds()
            else:
                desk.do(dice.choice(list(desk.game.actions)).id, Answers(accept=dice.random() < 0.5), anyway=dice.random() < 0.3)
        except CompanionError:
            if desk.pending and dice.random() < 0.3:
                with suppress(CompanionError):
                    desk.abort()


def meddled(archive: Archive, game_id: str, seed: int, many: int) -> Meddler:
    meddler = Meddler(archive, game_id, seed)
    for number in range(many):
        meddler.meddle()
        if number % 2:
            meddler.play()
    look(meddler.desk)
    again = Desk.open(archive, meddler.desk.info)
    assert again.position == meddler.desk.position
    return meddler


def test_whatever_is_set_everything_goes_on(game: Game, archive: Archive) -> None:
    """Things set to anything, at any question and between actions: each is taken or refused, and nothing falls over."""
    meddler = meddled(archive, game.id, 1, 40)
    assert meddler.taken and meddler.refused


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 12))
def test_ten_thousand_adjustments(game: Game, archive: Archive, seed: int) -> None:
    meddled(archive, game.id, seed, 200)
