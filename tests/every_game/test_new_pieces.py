"""What is written on a new piece is read in each game's own notation, and every track of ours has bounds."""

from __future__ import annotations

import pytest

from companion.core.errors import Unreadable
from companion.core.events import PieceMade
from companion.core.game import Game
from companion.core.position import Value
from companion.games import make_game
from companion.session.adjust import apply_changes
from companion.session.tables import load
from companion.testing.test_corrections import position_of
from tests.every_game.conftest import SMALL
from tests.every_game.new_pieces import NEW


def test_every_track_has_bounds(game: Game) -> None:
    """Those of the small games need none."""
    for track in game.tracks.values() if game.id not in SMALL else ():
        assert track.low is not None and track.high is not None, track.id
        assert abs(track.low) < 1000 and abs(track.high) < 1000


@pytest.mark.parametrize(
    ("of", "what", "place", "values"), [(of, *row) for of, rows in NEW.items() for row in rows], ids=lambda one: str(one)[:40]
)
def test_new_pieces_use_the_notation_of_the_game(of: str, what: str, place: str, values: dict[str, Value] | None) -> None:
    """What is added by hand has all the values that the rules read, and goes by the rules like any other."""
    game = make_game(of, load(of))
    position = position_of(game, 2)
    options = {name: option.default for name, option in game.options.items()} | {"scenario": next(iter(game.scenarios))}
    referee, _ = apply_changes(game, options, position, [(f"new:{what}", f'"{place}"')], "one more")
    made = next(event for event in referee.events if isinstance(event, PieceMade))
    assert made.place == place and made.name
    assert values is None or {key: made.values.get(key) for key in values} == values
    like = next((piece for piece in position.of_kind(made.piece)), None)
    lacking = set(like.values) - set(made.values) if like else set()
    assert lacking <= {"back fire", "back contact", "back move", "turn", "values", "squad"}


NAMED_BY_THE_PLAYER = {"fallujah2004": ("leader",), "fallujahcards": ("other",), "lzalbany": ("wounded",)}
"""By game: kinds whose name is whatever the player types."""


@pytest.mark.parametrize("of", NEW)
def test_a_text_that_is_no_counter_is_refused(of: str) -> None:
    """No text is ignored: it names a counter of the kind, becomes the name of the new one, or is refused."""
    game = make_game(of, load(of))
    position = position_of(game, 2)
    options = {name: option.default for name, option in game.options.items()} | {"scenario": next(iter(game.scenarios))}
    for kind, place in {what.partition(":")[0]: place for what, place, _ in NEW[of]}.items():
        change = (f"new:{kind}:Zzqqx", f'"{place}"')
        if kind in NAMED_BY_THE_PLAYER.get(of, ()):
            referee, _ = apply_changes(game, options, position, [change], "one more")
            assert [event.name for event in referee.events if isinstance(event, PieceMade)] == ["Zzqqx"]
        else:
            with pytest.raises(Unreadable, match="Zzqqx"):
                apply_changes(game, options, position, [change], "one more")


@pytest.mark.parametrize(("of", "kind", "name"), [("fallujah2004", "leader", "Leader A"), ("lzalbany", "flare", "Flare 1")])
def test_a_counter_of_which_there_is_one_is_not_made_again(of: str, kind: str, name: str) -> None:
    """[4.0] [11.2] Each leader and each flare exists once."""
    game = make_game(of, load(of))
    position = position_of(game, 2)
    options = {name: option.default for name, option in game.options.items()} | {"scenario": next(iter(game.scenarios))}
    place = next(piece.place for piece in position.pieces.values() if piece.name == name)

    with pytest.raises(Unreadable, match=f"{name} is in the game already"):
        apply_changes(game, options, position, [(f"new:{kind}:{name}", f'"{place}"')], "one more")
