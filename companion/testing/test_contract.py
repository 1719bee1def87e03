"""Contract tests of any game: its data, its declarations, random play, undo and the log."""

from __future__ import annotations

import gc
import json
from collections import Counter
from typing import Any

import pytest

from companion.core.board_fix import board_fix
from companion.core.errors import CompanionError
from companion.core.events import PieceMade, PieceMoved, TrackMoved, decode, encode, fold
from companion.core.game import Game
from companion.core.position import Position
from companion.core.referee import Referee
from companion.core.request import AnyRequest, Request
from companion.games import GAMES
from companion.session import plugins, tables
from companion.session.controller import Answers, SessionController
from companion.session.facts import practice_faults
from companion.session.rule_checks import misspelt_names
from companion.session.store import Archive
from companion.testing.player import RandomPlayer

SEEDS = [
    *range(3),
    *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 5)),
    *(pytest.param(seed, marks=pytest.mark.long) for seed in range(5, 40)),
]
CAP = 400  # Maximum number of actions of a random game


class Citing(RandomPlayer):
    """A random player that looks up the rule that each question cites."""

    def answer(self, request: AnyRequest) -> Any:
        assert request.rule in self.game.tables.rules, f"'{request.key}' cites [{request.rule}], which is in no register"
        return super().answer(request)


def played(game: Game, seed: int) -> RandomPlayer:
    scenarios = list(game.scenarios)
    player = Citing(game.id, scenarios[seed % len(scenarios)], seed)
    for _ in range(CAP):
        player.turn()
    return player


def test_the_data_loads_without_fault(game: Game) -> None:
    """Every file of a game passes every check of the loader."""
    faults = tables.check(game.id) if game.id in GAMES else plugins.check_plugin(game.id)
    assert faults == [], "as `companion games ID --check` lists"
    assert practice_faults(game) == [], "practice.toml"


def test_the_rules_name_only_what_the_game_declares(game: Game) -> None:
    """Tracks, flags, places, kinds, faces, marks, charts, options and rules that the source names exist."""
    assert misspelt_names(game) == [], "names in the source that game.toml, charts/ or rules.toml do not declare"


def test_every_citation_of_the_game_value_exists(game: Game) -> None:
    """Tracks, scenarios, options, actions, situations and facts cite rules that the register lists."""
    cited = [
        *((f"the track '{track.id}'", track.rule) for track in game.tracks.values()),
        *((f"the scenario '{scenario.id}'", scenario.rule) for scenario in game.scenarios.values()),
        *((f"the option '{option.id}'", option.rule) for option in game.options.values() if option.rule),
        *((f"the action '{action.id}'", action.rule) for action in game.actions),
        *((f"the situation '{situation.id}'", situation.rule) for situation in game.situations),
        *((f"the kind of fact '{fact.id}'", fact.rule) for fact in game.facts),
    ]
    unknown = [f"{what} cites {rule}" for what, rule in cited if rule not in game.tables.rules]
    assert unknown == [], "rules that rules.toml does not list"


def test_ids_are_unique_and_typeable(game: Game) -> None:
    """Actions, situations and facts have ids that one word can type, each once."""
    for ids in ([action.id for action in game.actions], [situation.id for situation in game.situations]):
        assert [name for name in ids if ids.count(name) > 1] == [], "ids that two actions or two situations have"
        wrong = [name for name in ids if not name or " " in name or "=" in name or name.startswith("/")]
        assert wrong == [], "ids that cannot be typed as one word"


def test_places_have_titles_of_their_own(game: Game) -> None:
    """Two places of the same title cannot be told apart by the player."""
    places: dict[str, list[str]] = {}
    for place, title in game.places.items():
        places.setdefault(title.casefold(), []).append(place)
    alike = [f"{title}: {', '.join(ids)}" for title, ids in places.items() if len(ids) > 1]
    assert alike == [], "titles of two places or more"


def test_a_game_declares_its_names(game: Game) -> None:
    """Undeclared kinds, places, marks, faces and flags are refused in trials and corrections."""
    assert game.vocabulary.is_complete or not game.places, "game.toml declares places: declare `kinds` too, if only as {}"
    assert game.vocabulary.event_fault(TrackMoved("no such track", 0, 1))
    assert not game.vocabulary.is_complete or game.vocabulary.event_fault(PieceMade("x#1", "no such kind", "X", "nowhere"))
    assert not game.vocabulary.is_complete or game.event_fault(PieceMoved("x#1", "nowhere", "no such place"), Position())


@pytest.mark.parametrize("seed", SEEDS)
def test_random_games_end_or_reach_the_cap(game: Game, seed: int) -> None:
    """Random play raises only refusals and keeps the invariants of position, replay, events, board fix and citations."""
    player = played(game, seed)
    position = player.position

    for track in game.tracks.values():
        value = position.track(track.id)
        assert track.low is None or value >= track.low, f"the track '{track.id}' is at {value}, below its bound"
        assert track.high is None or value <= track.high, f"the track '{track.id}' is at {value}, above its bound"
    made = [event.id for event in player.events if isinstance(event, PieceMade)]
    assert [piece for piece, count in Counter(made).items() if count > 1] == [], "pieces that were made twice"
    assert set(made) ^ set(position.pieces) == set(), "pieces that were not made, or have gone"
    assert sum(len(pieces) for pieces in position.places().values()) == len(made), "pieces that lie in no place"
    assert game.score(position, player.options).verdict, "score() returns no verdict"
    banner = game.banner(position, player.options)
    assert banner.stage or banner.fields, "banner() shows nothing"
    assert player.folded() == position, "the events do not lead to the position: a rule changes it without the referee"
    assert player.replayed() == position, "the same replies lead elsewhere: a rule uses chance or state besides the referee"
    assert sorted(set(position.tracks) - set(game.tracks)) == [], "tracks that game.toml does not declare"
    cited = {event.rule: event for event in player.events}
    unknown = [f"{rule}: {event}" for rule, event in cited.items() if rule not in game.tables.rules]
    assert unknown == [], "events with rules that rules.toml does not list"
    for event in player.events:
        assert decode(json.loads(json.dumps(encode(event)))) == event
    start = fold(player.transcripts[0][3])
    assert bool(board_fix(start, position, game)) or start.tracks == position.tracks


def test_a_finished_action_leaves_no_reference_cycles(game: Game) -> None:
    """A request that refers to itself would keep its referee alive until the next garbage collection."""
    player = RandomPlayer(game.id, next(iter(game.scenarios)), 1)
    player.trial = False
    gc.collect()
    gc.freeze()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        for _ in range(60):
            player.turn()
        gc.collect()
        left = {type(item).__name__ for item in gc.garbage if isinstance(item, Referee | Request | Position)}
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.unfreeze()
        gc.enable()
    assert not left


@pytest.mark.parametrize("seed", [1])
def test_random_play_is_no_idle_play(game: Game, seed: int) -> None:
    """Most actions that the random player tries are carried out."""
    player = played(game, seed)
    assert len(player.transcripts) > 5 or game.over(player.position), Counter(type(event).__name__ for event in player.events)


def test_undo_to_the_start_gives_the_set_up_and_redo_brings_it_back(game: Game, archive: Archive) -> None:
    session = SessionController.create(archive, game.id, seed="contract")
    start = session.position
    for action in game.actions:
        if action.obstacle(session.position) is None and not session.pending and not action.alone:
            try:
                session.do(action.id, Answers(accept=True))
            except CompanionError:
                continue  # a refusal
    far = session.position
    taken = len(session.history.force) - 1
    if taken:
        session.undo(taken)
        assert session.position == start
        session.redo()
        assert session.position == far


def test_the_log_alone_rebuilds_the_game(game: Game, archive: Archive) -> None:
    """A second controller that only reads the archive has the same position and question."""
    session = SessionController.create(archive, game.id, seed="contract")
    for action in game.actions:
        if not session.pending and action.obstacle(session.position) is None and not action.alone:
            try:
                session.begin(action.id)
            except CompanionError:
                continue  # a refusal
    again = SessionController.open(archive)

    assert again.position == session.position
    assert (again.pending and again.pending.describe()) == (session.pending and session.pending.describe())


def test_the_set_up_is_shown_in_the_words_of_the_table(game: Game) -> None:
    """Every place, track and face has a title, so that a board-fix list can be read."""
    player = RandomPlayer(game.id, next(iter(game.scenarios)), 0)
    lines = board_fix(Position(), player.position, game)
    assert lines, "the set-up puts nothing on the table"
    assert [line for line in lines if "#" in line] == [], "lines with the id of a piece: its name or title is missing"
