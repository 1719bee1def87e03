"""Section 5, second part: the raid and the losses."""

from __future__ import annotations

from companion.core.position import Piece
from companion.core.requests import Choice

from .referee import COLUMN, HILLS, LOST, REDUCED, Drm, Pass, pairs

PRESSED = 2
"""[5.7] Stores that are the price."""


def modifiers(game: Pass, band: Piece) -> Drm:
    """[5.8] Of a raid by that band; ruling P-2: also bands that have acted count."""
    others = len([one for one in game.around if one.id != band.id])
    full = len([one for one in game.companies if one.face != REDUCED])
    return Drm(
        (
            (f"strength of {band.name}", game.strength(band)),
            ("cover", game.chart("ground").number(game.land.ground(band.place), "cover")),
            ("other bands", others),
            ("a worn column", int(game.track("fatigue") >= 3)),
            ("companies at full strength, by twos", -(full // 2)),
            ("in camp", -int(game.camp)),
            ("scouted", -int(game.scouted(band.place))),
        )
    )


async def raided(game: Pass, drm: Drm) -> str:
    """[5.7] The roll on the Raid Chart, and its result."""
    one, other = await game.roll("raid", "The raid", "5.7", 2, outcomes=pairs)
    result = game.chart("raid").text(one + other + drm.total, "result")
    game.say(lambda: f"Raid: {one}+{other} {drm.total:+d} = {one + other + drm.total} -> {result}", "5.7", *drm.lines())
    return result


async def raid(game: Pass, band: Piece) -> None:
    """[5.7] What comes of it."""
    result = await raided(game, modifiers(game, band))
    if result == "scattered":
        game.scatter(band, "5.7", "caught")
    elif result == "driven off":
        game.move(band.id, HILLS, "5.7", "driven off")
    elif result == "shots":
        game.shift_track("fatigue", 1, "5.7", "a night of shots")
    elif result == "pressed":
        await pressed(game)
    else:
        await broken_in(game)


async def pressed(game: Pass) -> None:
    """[5.7] A company or stores; ruling P-1: only what can be paid in full, unless the option says otherwise."""
    price = min(PRESSED, game.track("stores")) if game.option("last_stores") == "paid" else PRESSED
    offers = [Choice("company", "a company takes a loss")] if game.companies else []
    offers += [Choice("stores", f"{price} stores are given up")] if 0 < price <= game.track("stores") else []
    if not offers:
        await loss(game, [])
        return
    if await game.choose("price", "The column is pressed: what is the price?", "5.7", offers) == "stores":
        game.shift_track("stores", -price, "5.7", "given up")
    else:
        await loss(game, game.companies)


async def broken_in(game: Pass) -> None:
    """[5.7] A wagon, or two losses."""
    offers = [Choice("wagon", "a wagon is lost")] if game.wagons else []
    offers += [Choice("companies", "the companies take two losses")] if game.companies else []
    if not offers:
        return
    if await game.choose("price", "They are among the wagons: what is the price?", "5.7", offers) == "wagon":
        wagon_lost(game)
        return
    for _ in range(2):
        await loss(game, game.companies)


async def loss(game: Pass, among: list[Piece]) -> None:
    """[5.9] One loss, of a company that the player chooses; a wagon where there is none."""
    left = [piece for piece in among if game.piece(piece.id).place == COLUMN]
    if not left:
        wagon_lost(game)
        return
    shown = game.choices([game.piece(piece.id) for piece in left])
    chosen = game.piece(await game.choose("loss", "Which company takes the loss?", "5.9", shown))
    if chosen.face == REDUCED:
        game.move(chosen.id, LOST, "5.9", "lost")
    else:
        game.flip(chosen.id, REDUCED, "5.9", "a loss")


def wagon_lost(game: Pass) -> None:
    """[5.9] The hindmost."""
    if game.wagons:
        game.move(game.wagons[-1].id, LOST, "5.9", "lost")
