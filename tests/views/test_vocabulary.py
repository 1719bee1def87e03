"""Every id that a game uses has a title in its vocabulary."""

from __future__ import annotations

from typing import Any

import pytest

from companion import api
from companion.core.events import FlagSet, PieceFlipped, PieceMade, PieceMarked, PieceMoved, TrackMoved
from companion.core.requests import AnyRequest
from companion.core.vocabulary import NameSet
from companion.games import GAMES
from companion.session.state import load_game
from companion.testing.fixtures import seated
from companion.views.vocabulary import vocabulary_data, vocabulary_of

TURNS = 40


class Asked:
    """Notes the keys of the questions."""

    keys: set[str]

    def on_question(self, procedure: Any, request: AnyRequest, replies: list[Any], results: list[Any]) -> None:
        self.keys.add(request.key)


@pytest.mark.parametrize("name", GAMES)
def test_every_id_of_random_games_is_in_the_vocabulary(name: str) -> None:
    game = load_game(name)
    vocabulary = vocabulary_of(game)
    player: Any = seated(game, 1, type("Asked", (Asked,), {"keys": set()}))
    actions = set()
    for _ in range(TURNS):
        actions.add(player.turn())
    used: dict[str, set[str]] = {what: set() for what in ("tracks", "places", "kinds", "faces", "marks", "flags")}
    for event in player.events:
        if isinstance(event, TrackMoved):
            used["tracks"].add(event.track)
        elif isinstance(event, PieceMade):
            used["places"].add(event.place)
            used["kinds"].add(event.piece)
            used["faces"].add(event.face)
        elif isinstance(event, PieceMoved):
            used["places"].add(event.now)
        elif isinstance(event, PieceFlipped):
            used["faces"].add(event.now)
        elif isinstance(event, PieceMarked):
            used["marks"].add(event.mark)
        elif isinstance(event, FlagSet):
            used["flags"].add(event.flag)
    used["places"] -= set(game.player_named_places(player.position))

    titles = vocabulary._asdict()
    unknown = {what: {id for id in ids if id not in NameSet(titles[what])} for what, ids in used.items()}
    assert not any(unknown.values()), unknown
    assert used["places"] and used["tracks"] and player.keys
    assert actions - {""} <= set(vocabulary.actions)
    assert {key for key in player.keys if key.isidentifier()} <= set(vocabulary.questions)
    assert list(game.seats) == list(vocabulary.seats)


@pytest.mark.parametrize("name", GAMES)
def test_every_id_has_a_title(name: str) -> None:
    data = vocabulary_data(load_game(name))

    assert [entry for what, entries in data.items() if what != "cups" for entry in entries if not entry["title"]] == []
    assert all(track["low"] is None or track["high"] is None or track["low"] <= track["high"] for track in data["tracks"])


def test_a_program_gets_the_vocabulary() -> None:
    vocabulary = api.vocabulary("lzalbany")

    assert vocabulary.tracks["flares"].high == 8 and vocabulary.places["pool"] == "chit pool"
    assert vocabulary.questions["return_fire"] == "Return fire" and "pool" in vocabulary.cups
