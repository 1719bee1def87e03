"""The board is the truth: where counters are, and what is printed on them, as the player sees it."""

from __future__ import annotations

from companion.core.notation import Notation
from companion.core.requests import Choice, Text
from companion.games.lzalbany.names import FRONT, OFFICER, OUT, UNIT, WOUNDED
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules import r02_map as ground
from companion.games.lzalbany.words.areas import is_area, title
from companion.games.lzalbany.words.roster import COMPANIES, COUNTER, read_counter, values_of

_COMPANIES = tuple(Choice(company, company) for company in COMPANIES)


async def arrange(game: LzAlbany) -> None:
    """[2.2] Put counters where they are on the table; no rule of movement is asked."""
    pieces = [p for p in game.position.pieces.values() if p.kind in (UNIT, OFFICER, WOUNDED) and p.place != OUT]
    given = ground.orders_to(game, pieces)
    orders = given.read(await Text("where", "Who is where on your board?", "2.2", given.notation))
    for area in dict.fromkeys(order.to for order in orders):
        ground.say_new(game, area)
    for order in orders:
        game.move(order.piece.id, order.to, "2.2", "as on the board")
    for to in dict.fromkeys(order.to for order in orders):
        game.say(f"In {title(to)} now: {game.piece_names(o.piece for o in orders if o.to == to)}.", "2.2")


async def counter(game: LzAlbany) -> None:
    """[2.4] A counter with other strengths, or one that was not in the roster; it takes the place of its namesake."""
    company = await game.choose("company", "Which company does the counter belong to?", "2.4", _COMPANIES)
    told = read_counter(await game.text("counter", "What is printed on it? (label, kind, fire-melee/reduced)", "2.4", COUNTER))
    name = told.name(company)
    old = next((p for p in game.position.pieces.values() if p.name == name and p.place != OUT), None)
    chart = game.chart("organisations")
    if old:
        area = old.place
        game.move(old.id, OUT, "2.4", "replaced")
    else:
        area = await game.text("area", f"Which area is {name} in?", "2.2", _area_notation(game))
        ground.say_new(game, area)
    values = values_of(told, company, chart.text(company, "side"), chart.text(company, "group"))
    kind = OFFICER if told.kind == "officer" else UNIT
    new = game.make(kind, name, area, "2.4", values={**values, "turn": 1}, face=old.face if old else FRONT)
    for mark, value in (old.marks if old else {}).items():
        game.mark(new, mark, value, "2.4", "as before")
    where = title(area) if is_area(area) else area
    game.say(f"{name} is in {where}, with {told}.", "2.4")


def _area_notation(game: LzAlbany) -> Notation:
    return Notation("area", "b3", ground.place_reader(game))
