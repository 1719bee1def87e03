"""What the bot would do, and what it passes over."""

from __future__ import annotations

from companion.games.fallujahcards.bot.choices import POLICY, close_call, estimated, labels, method, preferred
from companion.games.fallujahcards.referee import Patrol


async def bot(game: Patrol) -> None:
    """Says what the bot would choose now, with every candidate that it passed over."""
    spot = game.spot()
    if spot is None:
        game.say("Nothing is to be decided now: turn up the next card.", "Turn Sequence")
        return
    estimates, runs = await estimated(game, spot)
    chosen = preferred(game, estimates)
    label = labels(game, spot, chosen.option)[0]
    text = label[0].upper() + label[1:]
    reasons = [method(spot, runs)]
    for one in sorted(estimates, key=lambda one: -one.mean):
        error = f" (+-{one.error:.1f})" if runs else ""
        behind = "" if one.option == chosen.option else f", {one.mean - chosen.mean:+.2f}"
        reasons += [f"{name}: {game.score + one.mean:.2f}{error}{behind}" for name in labels(game, spot, one.option)]
    reasons += [close_call(game, spot, estimates, chosen), POLICY] if runs else []
    game.say(f"{text}: expected final score {game.score + chosen.mean:.1f}.", spot.phase, *reasons)
