"""Measure the luck of a whole game that was not weighed before, as a multiple of the time that its bots took to play it.

python -m tests.measures.luck [GAME [SCENARIO [SEED]]]
"""

from __future__ import annotations

import os
import sys
import tempfile
from time import process_time

from companion.core.policies import BOT, PLANNER
from companion.session.luck import session_luck
from companion.session.simulation import make_series, replay_as_session
from companion.session.state import load_game
from companion.session.store import Archive

LIMIT = 4.0
"""How many times as long as the play of the game the luck may take."""


def main() -> None:
    game_id, scenario, seed = (*sys.argv[1:], *("fallujah2004", "campaign", "luck")[len(sys.argv) - 1 :])
    game = load_game(game_id)
    names = game.players.policies(game.players.seats[0])
    policy = next(name for name in (BOT, PLANNER) if name in names)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["COMPANION_DB"] = os.path.join(folder, "games.sqlite3")
        os.environ["COMPANION_CACHE"] = os.path.join(folder, "cache")
        with Archive.open() as archive:
            began = process_time()
            session = replay_as_session(archive, make_series(game, scenario, {}, {"": policy}, seed), 1).session
            played = process_time()
            rolls = len(session_luck(session).rolls)
            weighed = process_time()
    play, luck = played - began, weighed - played
    sys.stdout.write(f"{game_id} {scenario}: {rolls} rolls weighed in {luck:.2f} s, the game played in {play:.2f} s: ")
    sys.stdout.write(f"{luck / play:.2f} times (limit {LIMIT})\n")


if __name__ == "__main__":
    main()
