"""FALLUJAH: the solo card game (Warp Spawn Games, print and play).

Rules and the functions that carry them out, below this folder:
Scoring  rules.r1_scoring:count, rules.r3_turn:turn
The Deck  rules.r2_deck:set_up
The Piles  rules.r1_scoring:force_in
Turn Sequence  rules.r3_turn:turn
Search  rules.r3_turn:search
Tactics  rules.r4_tactics:tactics, rules.r4_tactics:_reinforced, rules.r4_tactics:_set_back
Asset  rules.r4_tactics:asset
Destroy  rules.r5_destroy:stop, rules.r5_destroy:_played, rules.r5_destroy:_reason
Disarm  rules.r5_destroy:stop, rules.r5_destroy:_played, rules.r5_destroy:_reason
Recon  rules.r6_recon:recon
Regroup  rules.r7_regroup:regroup
(Written by python -m tests.support.rule_map --write)
"""

from __future__ import annotations

from companion.core.game import Game, Tables
from companion.games.fallujahcards.game import CardGame


def make(tables: Tables) -> Game:
    """The game over its tables."""
    return CardGame(tables)
