"""Combats that are only described: resolved with no session and no map, by the procedures of the table."""

from __future__ import annotations

from companion.core.requests import Odds
from companion.games.lzalbany.odds.described import DISPUTED, HERE, THERE, describe, described_fire
from companion.games.lzalbany.odds.ends import play
from companion.games.lzalbany.odds.paper import Described
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules.r07_infantry import fire_odds, prepare
from companion.games.lzalbany.rules.r07_melee import clash, melee_odds


async def brawl(game: LzAlbany) -> None:
    """[7.2] One round of a described melee."""
    fight = Described(game)
    side = await describe(game, fight, "7.2", (DISPUTED,))
    attackers = fight.pieces(DISPUTED, side)
    _expect(game, melee_odds(fight, side, DISPUTED, attackers, "Melee"))
    await clash(fight, side, DISPUTED, attackers)


async def firefight(game: LzAlbany) -> None:
    """[7.3] Described ranged fire and its return fire."""
    fight = Described(game)
    side = await describe(game, fight, "7.3", (HERE, THERE))
    fire = await described_fire(game, fight, side)
    _expect(game, fire_odds(fight, fire))
    volleys = await prepare(fight, fire)
    await play(fight, volleys.parts)


def _expect(game: LzAlbany, odds: Odds) -> None:
    """Say what it comes to on average."""
    game.say(f"On average: {', '.join(f'{value:.2f} {label}' for label, value in odds.means)}.", odds.rule)
