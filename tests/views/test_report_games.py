"""How the reports of the games tell what happened: both sides, once, and decisive only what decides."""

from __future__ import annotations

import pytest

from companion.core.events import Event, PieceFlipped, PieceMoved, Said
from companion.core.policies import RANDOM
from companion.core.position import Piece, Position
from companion.games import GAMES
from companion.games.iraqwar2003.state import control_flag
from companion.session.simulation import make_series, replay_as_session
from companion.session.state import load_game
from companion.session.store import Archive
from companion.views.report.document import Paragraph, document
from companion.views.report.report import build_report
from companion.views.report.story import entry_sentences, sentence_templates

BOOK_KEEPING = {"ops", "cp", "turn", "phase", "operations", "flares", "uav", "ah1w", "fa18", "kuwait", "sahaf"}
"""Tracks on which points are spent or turns are counted."""


def told(game_id: str, events: list[Event], *pieces: Piece) -> list[str]:
    game = load_game(game_id)
    sentences, _ = entry_sentences(game, sentence_templates(game), events, Position(pieces={piece.id: piece for piece in pieces}))
    return [sentence.text for sentence in sentences if sentence.text]


def unit(name: str, nation: str, face: str = "front") -> Piece:
    return Piece(name, "unit", name, "hex 1014", face, {"nation": nation})


def test_moves_and_attacks_of_iraq_are_told() -> None:
    fight = Said("Attack 7 against 4 is 1-1; no shift: column 1-1.", "13.3", ("SF6: 7", "51M: 4, halved: 2", "terrain -1"))
    texts = told(
        "iraqwar2003",
        [
            PieceMoved("SF6", "hex 1014", "hex 1220", "12.1(3)", "moves"),
            fight,
            Said("Air combat at 51M: CV-63 4, MiG-23 3.", "5.5"),
        ],
        unit("SF6", "iraq"),
        unit("51M", "us"),
    )

    assert texts == [
        "SF6 moves from hex 1014 to hex 1220.",
        "SF6 against 51M: Attack 7 against 4 is 1-1; no shift: column 1-1.",
        "Air combat at 51M: CV-63 4, MiG-23 3.",
    ]


def test_an_american_loss_is_told_once_with_its_points() -> None:
    events = [PieceFlipped("2/3ID", "front", "reduced", "13.4.1", "combat result"), Said("2/3ID is REDUCED: -2 VP.", "15.2")]

    assert told("iraqwar2003", events, unit("2/3ID", "us")) == ["2/3ID is REDUCED: -2 VP."]
    assert told("iraqwar2003", [PieceFlipped("6A", "front", "reduced")], unit("6A", "iraq")) == ["6A is reduced."]


def test_holders_in_the_score_are_names() -> None:
    flags = {control_flag("Basra"): "coalition", control_flag("Irbil"): "kdp"}
    labels = [label for label, *_ in load_game("iraqwar2003").score(Position(flags=flags), {}).items]

    assert {"Basra (Coalition)", "Irbil (KDP)", "Air units removed"} <= set(labels)


@pytest.mark.parametrize("rule", ["7.3(4)", "7.3(5)", "7.2(3)", "7.4(3)", "6.3"])
def test_the_dice_of_every_fire_are_told(rule: str) -> None:
    assert told("lzalbany", [Said("2 6, hits on 6. 1 HIT on e2.", rule)]) == ["2 6, hits on 6. 1 HIT on e2."]


@pytest.mark.parametrize("game_id", GAMES)
def test_book_keeping_is_never_decisive(game_id: str) -> None:
    assert not BOOK_KEEPING & set(load_game(game_id).tables.report.get("decisive", ()))


@pytest.mark.parametrize("game_id", GAMES)
def test_no_paragraph_of_a_story_says_the_same_twice(archive: Archive, game_id: str) -> None:
    session = replay_as_session(archive, make_series(load_game(game_id), "", {}, {"": RANDOM}, "story"), 1).session
    blocks = document(build_report("x", session.game, session.history, session.options))
    texts = [run for block in blocks if isinstance(block, Paragraph) for run in block.runs]

    assert len(texts) > 5
    for run in texts:
        word = run.text.partition(" ")[0]
        assert not (word.isalpha() and word.islower()), run.text
        assert "decisive" not in run.text.casefold() or run.style == "strong"
        for text in run.text.split(". "):
            reduced = text.removesuffix(" is reduced")
            if text != reduced:
                assert f"{reduced} is REDUCED" not in run.text and f"{reduced} is removed" not in run.text
