"""FALLUJAH: the solo card game (Warp Spawn Games, print and play).

Rules and the functions that carry them out, below this folder:
Scoring  score:count, turn:turn
The Deck  game:CardGame.setup
The Piles  score:force_in
Turn Sequence  turn:turn
Search  turn:search
Tactics  turn:tactics, turn:_reinforced, turn:_set_back
Asset  turn:asset
Destroy  kinds:stops, turn:stop, turn:_played
Disarm  kinds:stops, turn:stop, turn:_played
Recon  turn:recon
Regroup  turn:regroup
(Written by python -m tests.support.rule_map --write)
"""

from __future__ import annotations

from companion.core.game import Game, Tables
from companion.games.fallujahcards.game import CardGame


def make(tables: Tables) -> Game:
    """The game over its tables."""
    return CardGame(tables)
