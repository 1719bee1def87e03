"""[7.3] Ranged infantry fire: strength, jungle, hits, return fire, advance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.core.position import Piece
from companion.core.requests import Choice, Confirm, Number, Odds, Pick, Text
from companion.core.text import plural
from companion.games.lzalbany.odds.ends import PLACED, Part, Told, chosen_odds, join_odds, play, play_out, settled
from companion.games.lzalbany.odds.paper import Paper, on_paper
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules import r02_map as ground
from companion.games.lzalbany.rules.r06_stacking import NO_POOL, Aim, Force, Pool, fire_pools, pool_at, unit_dice
from companion.games.lzalbany.rules.r07_melee import can_join, joining
from companion.games.lzalbany.rules.r08_hits import ANYBODY, NO_OFFICER, OWNERS
from companion.games.lzalbany.rules.r08_placing import officer_check, room, take_hits
from companion.games.lzalbany.words.areas import JUNGLE, TRANSITION, title
from companion.games.lzalbany.words.counters import enemy, healthy, is_infantry, may_fire, strength
from companion.games.lzalbany.words.decisions import volley_text

AIMED_TURN = 1
"""The turn on which fire may be aimed at officers [7.3(4)]."""


class Fire(NamedTuple):
    """[7.3(1)] One combat of infantry.

    Attributes:
        side: who fires; area: from where; targets: the areas, the primary one first.
        units: who fires; helpers: officers activated with them; used: units of the area that have fired before.
    """

    side: str
    area: str
    targets: tuple[str, ...]
    units: Sequence[Piece]
    helpers: Sequence[Piece] = ()
    used: int = 0


def ranged_targets(game: LzAlbany, side: str, area: str) -> list[str]:
    """[7.3, 7.2A, 7.3(4)] Adjacent undisputed areas, as far as is known, with enemy platoons, on turn 1 with officers alone too,
    and with no platoon of one's own.
    """
    foe, where = enemy(side), game.map
    return [
        place
        for place in game.held(foe)
        if place not in (area, TRANSITION)
        and where.adjacent(area, place) is not False
        and (game.turn == AIMED_TURN or game.stack(place, foe))
        and not game.stack(place, side)
    ]


def force_of(game: LzAlbany, side: str, area: str, units: Sequence[Piece], officers: int) -> Force:
    """Who fires from an area."""
    return Force(tuple(strength(p, "fire") for p in units), officers, game.stack(area, side))


def aim_at(game: LzAlbany, side: str, place: str, dark: bool) -> Aim:
    """What dice of a side at an area depend on there; terrain that nobody has told counts as open."""
    return Aim(game.stack(place, enemy(side)), game.map.terrain(place) == JUNGLE, dark)


def in_vain(game: LzAlbany, fire: Fire) -> bool:
    """[7.3(2), 7.3(3), 11.1B] Whether no die is left for an area, whoever helps; one that nobody has told of counts as open."""
    (place,) = fire.targets
    seniors = sum(can_join(game, officer) for officer in game.officers(fire.area, fire.side))
    force = force_of(game, fire.side, fire.area, fire.units, len(fire.helpers) + seniors)
    return not pool_at(game.rules, force, aim_at(game, fire.side, place, game.dark(fire.area, place)), fire.used).dice


async def infantry_fire(
    game: LzAlbany, side: str, area: str, units: Sequence[Piece], helpers: Sequence[Piece], used: int, target: str = ""
) -> int:
    """[7.3(1)] All activated infantry of one area at one or more adjacent areas, asked for where none was named; returns how many
    units fired.
    """
    fires = {place: Fire(side, area, (place,), units, helpers, used) for place in ranged_targets(game, side, area)}
    text = target or await _targets(game, side, area, units, fires)
    chosen = tuple(text.split(", "))
    await _legal(game, side, area, chosen)
    for place in chosen if len(chosen) == 1 else ():
        if place in fires and in_vain(game, fires[place]):
            game.forbid(f"no die is left for fire at {title(place)}", "7.3(3)", "Fire elsewhere, or not at all")
    await ground.learn_beside(game, [(area, place) for place in chosen], "7.3")
    fires_on, stack = Fire(side, area, chosen, units, helpers, used), game.stack(area, side)
    volleys = await prepare(game, fires_on)
    await play(game, volleys.parts)
    fired = min(len(units), game.rules.may_fire(stack, used))
    await _advance(game, fires_on._replace(helpers=[game.piece(officer) for officer in volleys.helpers]), fired)
    return fired


async def _targets(game: LzAlbany, side: str, area: str, units: Sequence[Piece], fires: Mapping[str, Fire]) -> str:
    """[7.3(1)] At which areas an area fires; ``fires``: what is known to be in reach."""
    known = [place for place, fire in fires.items() if not in_vain(game, fire)]
    request = Text(
        "target",
        f"{side}: at which areas does {title(area)} fire? ({game.piece_names(units)}; of several the primary one first)",
        "7.3(1)",
        ground.areas_notation(game),
        game.area_choices(known, enemy(side)),
        known[0] if known else None,
    )
    request.odds = lambda: chosen_odds(
        f"Fire from {title(area)}", "7.3", {place: fire_odds(game, fires[place]) for place in known}
    )
    request.has_quick_odds = True
    return await game.decide(request, side, "target", known, "fire", area, auto=False)


async def prepare(game: LzAlbany, fire: Fire) -> Volleys:
    """[7.3(2), 7.3(3)] What is fired, in order: at each target, then from each target in return."""
    able = min(len(fire.units), game.rules.may_fire(game.stack(fire.area, fire.side), fire.used))
    helpers = (*fire.helpers, *await joining(game, fire.side, fire.area, able - len(fire.helpers)))
    force = force_of(game, fire.side, fire.area, fire.units, len(helpers))
    shares = await _shares(game, fire, force)
    for place in fire.targets:
        await ground.terrain_of(game, place, "7.3(3)")
    aims = [aim_at(game, fire.side, place, game.dark(fire.area, place)) for place in fire.targets]
    pools = fire_pools(game.rules, force, aims, shares, fire.used)
    shots = [
        Shot(fire.side, fire.area, place, pool, place == fire.targets[0], "fire", "7.3(4)")
        for place, pool in zip(fire.targets, pools, strict=True)
    ]
    answers = [Answer(enemy(fire.side), place, fire.area) for place in fire.targets]
    return Volleys(tuple(shots), tuple(answers), tuple(officer.id for officer in helpers))


async def _legal(game: LzAlbany, side: str, area: str, targets: Sequence[str]) -> None:
    for place in targets:
        if not game.present(place, enemy(side)):
            game.forbid(f"no enemy is in {title(place)}", "7.3(1)", "Choose another target")
        elif game.turn != AIMED_TURN and not game.stack(place, enemy(side)):
            game.forbid(f"only officers are in {title(place)}; they are aimed at on turn 1", "7.3(4)", "Choose another target")
        if game.disputed(place):
            game.forbid(f"{title(place)} is disputed, and nobody fires into it", "7.2A", "Choose another target")
        elif game.units(place, side):
            game.forbid(f"the {side} itself has units in {title(place)}", "7.3(1)", "Choose another target")
        adjacent = game.map.adjacent(area, place)
        if adjacent is False:
            game.forbid(f"{title(place)} is not next to {title(area)}", "7.3", "Infantry fires at adjacent areas")


async def _shares(game: LzAlbany, fire: Fire, force: Force) -> list[int]:
    """[7.3(2)] How the dice are divided over several areas; the last one gets the rest."""
    left = sum(unit_dice(game.rules, force, fire.used)[0])
    shares: list[int] = []
    for number, place in enumerate(fire.targets[:-1]):
        fair = left // (len(fire.targets) - number)
        request = Number("dice", f"How many of {plural(left, 'die', 'dice')} go to {title(place)}?", "7.3(2)", 0, 40, fair)
        request.odds = lambda: fire_odds(game, fire, "Fire divided evenly")
        many = await game.put(fire.side, request)
        if many > left:
            game.forbid(f"{plural(many, 'die', 'dice')} at {title(place)}, and there are {left}", "7.3(2)", f"At most {left}")
        shares.append(min(many, left))
        left -= shares[-1]
    return shares


class Fired(NamedTuple):
    """What a volley did: whether it scored, and the hits that found a target."""

    scored: bool
    hits: int


class Shot(NamedTuple):
    """One roll of infantry fire: who, from where to where, with which dice, and whether the firer places the first hit."""

    side: str
    origin: str
    place: str
    pool: Pool
    primary: bool
    key: str
    rule: str

    @property
    def parts(self) -> tuple[Part, ...]:
        return self.fire, self.check

    async def fire(self, game: LzAlbany, told: Told = ()) -> Fired:
        """[7.3(4)] Dice at the area; the firer places the first hit in the primary one, the owner all others."""
        dice, victims = self.pool.dice, game.pieces(self.place, enemy(self.side))
        head = f"The {self.side} fires from {title(self.origin)} at {title(self.place)}"
        game.say(f"{head} with {plural(dice, 'die', 'dice')}.", "7.3(2)", *self.pool.because)
        asked = f"The {self.side} fires at {title(self.place)}: hits on 6"
        faces = await game.volley(self.key, asked, self.rule, dice, room(victims))
        hits = game.count(faces)
        if dice:
            game.say(volley_text("", faces, hits, title(self.place)), self.rule)
        if not hits:
            return Fired(False, 0)
        aimed = game.turn == AIMED_TURN
        first = (ANYBODY if aimed else NO_OFFICER) if self.primary else (OWNERS,) if aimed else ()
        return Fired(True, await take_hits(game, self.side, victims, hits, self.rule, "infantry fire", first))

    async def check(self, game: LzAlbany, told: Told) -> None:
        """[7.3(4), 10.4] Any hit, applied or not, brings one officer there into danger (ruling C-11)."""
        if told[-1].scored and game.option("fire_casualties") != "off":
            await officer_check(game, self.place, (enemy(self.side),), "7.3(4)")


def answering(game: LzAlbany, side: str, area: str) -> list[Piece]:
    """[7.3(5)] Infantry of a side in an area that may return fire."""
    return [piece for piece in game.units(area, side) if is_infantry(piece) and may_fire(piece) and strength(piece, "fire")]


def answer_pool(game: LzAlbany, side: str, origin: str, place: str) -> Pool:
    """[7.3(5)] The dice of a side that returns fire from an area at another."""
    force = force_of(game, side, origin, answering(game, side, origin), len(game.officers(origin, side)))
    return pool_at(game.rules, force, aim_at(game, side, place, game.dark(origin, place)))


class Answer(NamedTuple):
    """[7.3(5)] The survivors of a target area fire back at the firing area."""

    side: str
    origin: str
    place: str

    @property
    def parts(self) -> tuple[Part, ...]:
        return self.fire, self.check

    async def fire(self, game: LzAlbany, told: Told = ()) -> Fired:
        """[7.3(5)] If they can and will."""
        units = answering(game, self.side, self.origin)
        if not units or not game.present(self.place, enemy(self.side)):
            return Fired(False, 0)
        if not answer_pool(game, self.side, self.origin, self.place).dice:
            game.say(f"The {self.side} in {title(self.origin)} has no dice to return fire.", "7.3(5)")
            game.skip_question("return", "there are no dice for it", "7.3(5)", as_good=("yes", "no"))
            return Fired(False, 0)
        asked = f"{self.side} in {title(self.origin)}: return fire at {title(self.place)}? ({game.piece_names(units)})"
        if game.option("answer_fire") == "always":
            game.skip_question("return", "it is always given in this session", "7.3(5)", as_good=("yes",))
        elif not await game.decide(Confirm("return", asked, "7.3(5)", True), self.side, "answer", auto=True):
            return Fired(False, 0)
        await ground.terrain_of(game, self.place, "7.3(3)")
        return await self._shot(answer_pool(game, self.side, self.origin, self.place)).fire(game)

    async def check(self, game: LzAlbany, told: Told) -> None:
        """[7.3(5), 10.4] As for the fire that is answered."""
        await self._shot(NO_POOL).check(game, told)

    def _shot(self, pool: Pool) -> Shot:
        return Shot(self.side, self.origin, self.place, pool, True, "return_fire", "7.3(5)")


async def _advance(game: LzAlbany, fire: Fire, fired: int) -> None:
    """[7.3(6)] Those who have fired, the strongest where not all could, and the officers who took part, into a primary area that
    is empty of enemy platoons.
    """
    side, area, primary = fire.side, fire.area, fire.targets[0]
    units = sorted(fire.units, key=lambda piece: -strength(piece, "fire"))[:fired]
    ready = [game.piece(p.id) for p in (*units, *fire.helpers)]
    ready = [p for p in ready if p.place == area and healthy(p)]
    if game.stack(primary, enemy(side)) or not ready:
        return
    choices = [Choice(piece.name, piece.name) for piece in ready]
    request = Pick(
        "advance", f"{title(primary)} is empty of the enemy. Who of the {side} advances into it?", "7.3(6)", choices, suggest=()
    )
    names = await game.decide(request, side, "advance", primary, ready, auto=True)
    moved = [piece for piece in ready if piece.name in names]
    for piece in moved:
        game.move(piece.id, primary, "7.3(6)", "advance")


class Volleys(NamedTuple):
    """[7.3(4), 7.3(5)] The fire at each target area, and then what comes back from each; and the officers who take part."""

    shots: tuple[Shot, ...]
    answers: tuple[Answer, ...]
    helpers: tuple[str, ...]

    @property
    def parts(self) -> tuple[Part, ...]:
        """All of it, in order."""
        first = [part for shot in self.shots for part in shot.parts]
        return (*first, *(part for answer in self.answers for part in answer.parts))


def fire_odds(game: LzAlbany, fire: Fire, head: str = "") -> Odds:
    """Fire and its answer, the checks of officers included. Where several areas are fired at the dice are divided evenly, and
    each area stands for itself.
    """
    paper = on_paper(game, (fire.area, *fire.targets))
    volleys = settled(prepare(paper, fire))
    parts = [_pair_odds(paper, shot, answer) for shot, answer in zip(volleys.shots, volleys.answers, strict=True)]
    return parts[0]._replace(title=head or parts[0].title) if len(parts) == 1 else join_odds(head, "7.3", parts)


def _pair_odds(paper: Paper, shot: Shot, answer: Answer) -> Odds:
    """A shot at one area and what comes back from there."""
    ends = play_out(on_paper(paper, (shot.origin, shot.place)), *shot.parts, *answer.parts)
    sections = (
        (f"Hits ({plural(shot.pool.dice, 'die', 'dice')})", ends.numbers()),
        ("Target", (*ends.fates(paper.pieces(shot.place, answer.side)), ("no platoon left there", ends.cleared(answer.side)))),
        ("Hits by return fire", ends.numbers(part=2)),
        ("Firing side", ends.fates(paper.pieces(shot.origin, shot.side))),
    )
    means = (("hits", ends.mean()), ("hits by return fire", ends.mean(part=2)))
    return Odds(title(shot.place), "7.3", sections, means, (PLACED, *shot.pool.because))
