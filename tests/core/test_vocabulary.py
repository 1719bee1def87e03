"""The names that a game declares: what it does not know is a fault on trial, and refused to a correction."""

from __future__ import annotations

import pytest

from companion.core.errors import RuleFault, Unreadable
from companion.core.events import Event, FlagSet, PieceFlipped, PieceMade, PieceMarked, PieceMoved, Said, TrackMoved
from companion.core.position import Position
from companion.core.referee import Referee
from companion.core.vocabulary import Vocabulary
from companion.session.adjust import apply_changes
from companion.session.state import load_game
from tests.support.table import game_of

HEAD = {
    "tracks": {"ops": {}},
    "places": {"camp": "Camp", "zone *": "a Zone"},
    "kinds": {"unit": "a unit"},
    "faces": {"back": "its other side"},
    "marks": {"hits": "hits taken"},
    "flags": {"stage": "where play is", "moved": {"set": True, "text": "who has moved"}, "ground:*": "what is known of a space"},
}


@pytest.mark.parametrize(
    ("event", "fault"),
    [
        (TrackMoved("ops", 0, 1), ""),
        (TrackMoved("opps", 0, 1), "no track 'opps'"),
        (PieceMade("a#1", "unit", "A", "camp"), ""),
        (PieceMade("a#1", "unti", "A", "camp"), "no kind of piece 'unti'"),
        (PieceMade("a#1", "unit", "A", "cmap"), "no place 'cmap'"),
        (PieceMade("a#1", "unit", "A", "camp", "side"), "no face 'side'"),
        (PieceMoved("a#1", "camp", "zone 27"), ""),
        (PieceMoved("a#1", "camp", "zone "), "no place 'zone '"),
        (PieceMoved("a#1", "camp", "zon 27"), "no place 'zon 27'"),
        (PieceFlipped("a#1", "back", "front"), ""),
        (PieceFlipped("a#1", "front", "reduced"), "no face 'reduced'"),
        (PieceMarked("a#1", "hits", None, 1), ""),
        (PieceMarked("a#1", "hit", None, 1), "no mark 'hit'"),
        (FlagSet("stage", None, "play"), ""),
        (FlagSet("ground:3-8", None, "urban"), ""),
        (FlagSet("stag", None, "play"), "no flag 'stag'"),
        (FlagSet("moved", None, ("a#1",)), ""),
        (FlagSet("moved", ("a#1",), None), ""),
        (FlagSet("moved", None, "a#1"), "'moved' is a set"),
        (FlagSet("stage", None, ("play",)), "'stage' is no set"),
        (Said("a line"), ""),
    ],
)
def test_undeclared_names_in_events_raise(event: Event, fault: str) -> None:
    found = Vocabulary(HEAD).event_fault(event)

    assert fault in found if fault else found == ""


def test_game_without_declared_kinds_checks_only_tracks() -> None:
    vocabulary = Vocabulary({"tracks": {"ops": {}}})

    assert vocabulary.event_fault(PieceMade("a#1", "anything", "A", "anywhere")) == ""
    assert vocabulary.event_fault(TrackMoved("x", 0, 1)) == "the game has no track 'x'"


def test_strict_referee_raises_at_the_faulty_call() -> None:
    referee = Referee(Position(), {}, {})
    vocabulary = Vocabulary(HEAD)
    referee.event_check = lambda event, position: vocabulary.event_fault(event)

    with pytest.raises(RuleFault, match="no place 'cmap'"):
        referee.make("unit", "A", "cmap", "1.0")


def test_the_referee_keeps_the_bounds_of_a_track() -> None:
    """A marker stops at the end of its track; a track that there is not is a fault of the rules."""
    referee = Referee(Position({"mood": 1}), {}, {})
    referee.bounds = {"mood": (0, 2), "supply": (None, None)}
    referee.shift_track("mood", 5, "1.2", "up")
    assert referee.position.track("mood") == 2
    referee.shift_track("mood", -9, "1.2", "down")
    assert referee.position.track("mood") == 0
    referee.shift_track("mood", -1, "1.2", "down")
    assert [(event.was, event.now) for event in referee.events if isinstance(event, TrackMoved)] == [(1, 2), (2, 0)]
    referee.set_track("supply", -40, "1.1", "none left")
    assert referee.position.track("supply") == -40
    with pytest.raises(RuleFault, match="no track 'moood'"):
        referee.set_track("moood", 1, "1.2", "slip")


def test_members_of_a_set() -> None:
    referee = Referee(Position(), {}, {})
    for member in ("a#1", "b#2", "a#1"):
        referee.add_member("moved", member, "2.1")
    assert referee.members("moved") == ("a#1", "b#2") and len(referee.events) == 2
    referee.set_flag("moved", None, "2.1")
    assert referee.members("moved") == () and "moved" not in referee.position.flags


@pytest.mark.usefixtures("tiny_game")
def test_correction_accepts_only_known_names() -> None:
    """What the game does not have cannot be on its table."""
    game = game_of("tiny")
    options = {name: option.default for name, option in game.options.items()} | {"scenario": "day"}
    with pytest.raises(Unreadable, match="no kind of piece 'spell'"):
        apply_changes(game, options, Position(), [("new:spell:Fire", "camp")], "seen")
    with pytest.raises(Unreadable, match="no place 'moon'"):
        apply_changes(game, options, Position(), [("new:unit:Green", '"moon"')], "seen")
    referee, _ = apply_changes(game, options, Position(), [("new:unit:Green", "far bank")], "seen")
    assert [piece.place for piece in referee.position.pieces.values()] == ["far bank"]
    set_, _ = apply_changes(game, options, Position(), [("flag:tired", "Red, Blue")], "seen")
    assert set_.position.members("tired") == ("Red", "Blue")
    assert apply_changes(game, options, set_.position, [("flag:tired", "none")], "seen")[0].position.members("tired") == ()


@pytest.mark.parametrize("trial", [True, False], ids=["trial", "play"])
def test_flag_that_is_not_declared_is_neither_set_nor_cleared(tiny_game: str, trial: bool) -> None:
    game = load_game("tiny")
    referee = game.new_referee(Position(), game.default_options(), trial=trial)
    referee.set_flag("night", None, "2.4")
    referee.set_flags({"night": None}, "2.4")
    for asked in (referee, referee.hypothetical()):
        for value in (None, True):
            with pytest.raises(RuleFault, match="no flag 'nigth'"):
                asked.set_flag("nigth", value, "2.4")
            with pytest.raises(RuleFault, match="no flag 'nigth'"):
                asked.set_flags({"night": value, "nigth": value}, "2.4")
