"""Section 6, second part: the attack."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.core.odds import distribution
from companion.core.position import Piece
from companion.core.requests import Confirm, Odds

from .orders import arrive, order_begins, order_ends
from .raids import loss
from .referee import HILLS, SPENT, Drm, Pass, pairs

MOST = 2
"""[6.6] What a difference of strength counts at most."""


class Blow(NamedTuple):
    """[6.5] A row of the Attack Chart."""

    losses: int
    fatigue: int
    bands: str

    @property
    def told(self) -> str:
        parts = [f"{self.losses} loss"] * bool(self.losses) + ["fatigue"] * bool(self.fatigue)
        return ", ".join([f"the bands {self.bands}" if self.bands in ("stay", "fall back") else self.bands, *parts])


def against(game: Pass, strength: int, bands: int, ground: str, pioneers: bool) -> Drm:
    """[6.6] What the strengths and the ground count."""
    row = game.chart("ground").number(ground, "against")
    return Drm((("strength", max(-MOST, min(MOST, strength - bands))), (ground, -max(0, row - pioneers))))


def modifiers(game: Pass, area: str, companies: Sequence[Piece]) -> Drm:
    """[6.6] Of an attack by these companies."""
    strength = sum(map(game.strength, companies))
    bands = sum(map(game.strength, game.bands_at(area)))
    pioneers = any(piece.name == "Pioneers" for piece in companies)
    more = (
        ("snow", -int(game.track("snow") >= 2)),
        ("a worn column", -int(game.track("fatigue") >= 3)),
        ("scouted", int(game.scouted(area))),
    )
    return Drm((*against(game, strength, bands, game.land.ground(area), pioneers), *more))


async def struck(game: Pass, drm: Drm) -> Blow:
    """[6.5] The roll on the Attack Chart."""
    one, other = await game.roll("attack", "The attack", "6.5", 2, outcomes=pairs)
    total, chart = one + other + drm.total, game.chart("attack")
    blow = Blow(chart.number(total, "losses"), chart.number(total, "fatigue"), chart.text(total, "bands"))
    game.say(lambda: f"Attack: {one}+{other} {drm.total:+d} = {total} -> {blow.told}", "6.5", *drm.lines())
    return blow


def attack_odds(game: Pass, title: str, drm: Drm) -> Odds:
    """[6.5] The rows of the chart with their chances, by the very roll."""
    chances = distribution(lambda: struck(game, drm))
    lines = tuple((blow.told, chance) for blow, chance in chances.items())
    won = sum(chance for blow, chance in chances.items() if blow.bands != "stay")
    lost = sum(blow.losses * chance for blow, chance in chances.items())
    sections = (("Result", lines), ("In all", (("the area is cleared", won),)))
    return Odds(title, "6.5", sections, (("losses", lost),), (f"DRM {drm.total:+d}", *drm.lines()))


def targets(game: Pass) -> list[str]:
    """[6.5] The adjacent areas with bands."""
    return [area for area in game.land.next[game.here] if game.bands_at(area)]


async def attack(game: Pass) -> None:
    """[6.5] Bands in an adjacent area are attacked."""
    area = await game.choose("area", "Which area is attacked?", "6.5", game.area_choices(targets(game)))
    everybody, most = game.choices(game.companies), len(game.companies) - 1
    usual = [one.value for one in everybody[:most]]
    chosen = await game.pick("companies", "Who attacks? One stays with the wagons", "6.5", everybody, 1, most, suggest=usual)
    companies = [game.piece(one) for one in chosen]
    drm = modifiers(game, area, companies)
    sure = Confirm("sure", f"Attack the {game.title(area)} at DRM {drm.total:+d}?", "6.5", suggest=True)
    sure.odds = lambda: attack_odds(aside(game), f"An attack on the {game.title(area)}", drm)
    if not await sure:
        game.say("The attack is called off", "6.5")
        return
    order_begins(game)
    await fought(game, area, companies, await struck(game, drm))
    await follow_up(game, area)
    await order_ends(game)


def aside(game: Pass) -> Pass:
    """The same table, to ask what would be: nothing that happens there is kept."""
    other = Pass(game.position, game.options, game.charts, game.land, game.tables)
    other.quiet = True
    return other


async def fought(game: Pass, area: str, companies: list[Piece], blow: Blow) -> None:
    """[6.5] What the row says."""
    for _ in range(blow.losses):
        await loss(game, companies)
    game.shift_track("fatigue", blow.fatigue, "6.5", "thrown back")
    if blow.bands == "stay":
        return
    many = {"fall back": 0, "one scattered": 1, "all scattered": len(game.bands_at(area))}[blow.bands]
    for number, band in enumerate(game.bands_at(area)):
        if number < many:
            game.scatter(band, "6.5", "scattered")
        else:
            game.move(band.id, HILLS, "6.5", "falls back")


async def follow_up(game: Pass, area: str) -> None:
    """[6.7] Into the area that was cleared."""
    spent = game.track("fatigue") >= SPENT
    if game.bands_at(area) or area not in game.land.road[game.here]:
        return
    if spent or game.rockfall.place == area:
        game.say("Nobody follows up", "6.7", "the column is spent" if spent else "rocks bar the road")
        return
    if await game.confirm("follow", f"Follow up to the {game.title(area)}?", "6.7", suggest=True):
        game.shift_track("fatigue", 1, "6.7", "following up")
        arrive(game, area)
