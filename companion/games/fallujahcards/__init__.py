"""FALLUJAH: the solo card game (Warp Spawn Games, print and play).

Rules and the functions that carry them out, by the module below this folder:
rules.r1_scoring  Scoring: count, total, players:Own.outcome; The Piles: forces_in
rules.r2_deck  The Deck: set_up
rules.r3_turn  Turn Sequence: turn; Search: search
rules.r4_tactics  Tactics: tactics, _reinforced, _set_back; Asset: asset
rules.r5_destroy  Destroy, Disarm: stop, _played, _reason
rules.r6_recon  Recon: recon
rules.r7_regroup  Regroup: regroup
byhand  Card List: Own.new_piece
(Written by python -m tests.support.rule_map --write)
"""

from __future__ import annotations

from companion.core.game import Game, Tables
from companion.games.fallujahcards.game import CardGame


def make(tables: Tables) -> Game:
    """The game over its tables."""
    return CardGame(tables)
