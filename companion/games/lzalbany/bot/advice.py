"""A solo opponent for either side. The rulebook has none: what it goes by is ours (``bot.toml``), not the publisher's.

Each decision weighs its candidates in VP; a function ``<decision>_advice`` gives the best with what was passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from companion.core.advice import Advice
from companion.core.position import Piece
from companion.core.text import plural
from companion.games.lzalbany.bot import support
from companion.games.lzalbany.bot.blows import Man, man_of
from companion.games.lzalbany.bot.board import Board, board_of
from companion.games.lzalbany.bot.deploy import places_for
from companion.games.lzalbany.bot.plans import fires_of, mortar_shot, mortar_worth, mortars_of, movers_of, moves_of, shots
from companion.games.lzalbany.names import FIRE, MOVE, OFFICER, SIDES, UNIT
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules.r05_retreat import flees
from companion.games.lzalbany.rules.r06_ways import room_in
from companion.games.lzalbany.rules.r08_hits import Target
from companion.games.lzalbany.words.areas import COLUMBUS, title
from companion.games.lzalbany.words.counters import enemy, is_artillery, is_senior, needs_carrying
from companion.games.lzalbany.words.orders import NONE

_SHOWN = 4
_SENIOR = 0.4
_NEAR = 2.0
"""VP behind the best from which on a candidate is not played on from."""


class Plan(NamedTuple):
    """What a Fire/Move chit is to be used for."""

    group: str
    action: str


class Option(NamedTuple):
    """A candidate: what it is worth in VP, its name, what it stands for, and why."""

    value: float
    name: str
    choice: Any
    why: tuple[str, ...] = ()


def best_of(options: Iterable[Option], rivals: int = 0) -> Advice[Any] | None:
    """The candidate of most worth, with what was passed over and by how much; the first of equals. ``rivals``: how many others
    are worth playing on from, where they are near enough.
    """
    ranked = sorted(options, key=lambda one: -one.value)
    if not ranked:
        return None
    best, others = ranked[0], ranked[1:]
    because = [f"{best.name}: {best.value:+.1f} VP" + (f" ({'; '.join(best.why)})" if best.why else "")]
    if others:
        worse = ", ".join(f"{one.name} {one.value - best.value:+.1f}" for one in others[:_SHOWN])
        more = len(others) - _SHOWN
        because.append(f"worse, in VP: {worse}" + (f", and {more} more" if more > 0 else ""))
    near = [one for one in others[:rivals] if best.value - one.value <= _NEAR]
    return Advice(best.choice, best.name, tuple(because), (), _pairs(near), _pairs(others))


def _pairs(options: Iterable[Option]) -> tuple[tuple[Any, str], ...]:
    return tuple((one.choice, one.name) for one in options)


def said(choice: Any, name: str, *because: str) -> Advice[Any]:
    """Advice without alternatives."""
    return Advice(choice, name, because, ())


# -- which group, and how ------------------------------------------------------------------------------------------------


def _options(game: LzAlbany, side: str, groups: Sequence[str]) -> list[Option]:
    found = []
    for group in groups:
        moves = moves_of(game, side, movers_of(game, side, group))
        close = sum(max(0.0, board_of(game).melee(side, group, area)) for area in _close(game, group))
        found.append(Option(moves.value + close, f"{game.group_title(group)} move", Plan(group, MOVE), moves.because[:3]))
        if not flees(game, side):
            fires = fires_of(game, side, group)
            found.insert(-1, Option(fires.value, f"{game.group_title(group)} fire", Plan(group, FIRE), fires.shots[:3]))
    return found


def _close(game: LzAlbany, group: str) -> list[str]:
    return sorted({p.place for p in game.group(group) if p.kind == UNIT and game.disputed(p.place)})


def group_advice(game: LzAlbany, side: str, groups: Sequence[str]) -> Advice[Any] | None:
    """Which group acts, and how, of those with an open box."""
    return best_of(_options(game, side, groups), 1)


def adrenaline_advice(game: LzAlbany, side: str, group: str) -> Advice[Any]:
    """[5.3] Played where two actions bring most; kept while another group with an open box has more to win by it."""
    value = _most(game, side, group)
    waiting = [one for one in game.book.groups[side] if one != group and game.used_boxes(one) < 2 and game.group(one)]
    others = [(_most(game, side, one), one) for one in waiting]
    best, whose = max(others, default=(0.0, ""))
    wanted = value > board_of(game).worth.told["edge"] and value >= 0.9 * best
    why = f"a second action of {game.group_title(group)} brings {value:+.1f} VP"
    other = (f"{game.group_title(whose)} may still act twice for {best:+.1f} VP",) if whose else ()
    return said(wanted, "yes" if wanted else "no", why, *other)


def _most(game: LzAlbany, side: str, group: str) -> float:
    return max((option.value for option in _options(game, side, [group])), default=0.0)


# -- fire ----------------------------------------------------------------------------------------------------------------


def combat_advice(game: LzAlbany, side: str, group: str, values: Sequence[str]) -> Advice[Any] | None:
    """The next combat of a Fire activation; ``done`` when nothing is worth the answer."""
    board, options = board_of(game), []
    for value in values:
        kind, _, area = value.rpartition(" ")
        if kind == "mortar":
            worth, at = mortar_shot(game, side, area, mortars_of(game, group).get(area, []))
            if at:
                options.append(Option(worth, f"mortar {title(area)}", value, (f"at {title(at)}",)))
        elif not kind and (best := shots(board, side, group, area)):
            shot = best[0]
            options.append(Option(shot.value, title(area), value, (_dice(shot.target, shot.dice, shot.answer),)))
    close = [value for value in values if value.startswith("melee ")]
    if any(option.value > 0 for option in options):
        return best_of([*options, _CEASE] if not close else options)
    return best_of([_melee(board, side, group, close[0])] if close else [_CEASE, *options])


_CEASE = Option(0.0, "done", "done", ("no fire is worth the answer",))


def _melee(board: Board, side: str, group: str, value: str) -> Option:
    area = value.rpartition(" ")[2]
    return Option(board.melee(side, group, area), f"melee {title(area)}", value, ("it must be fought",))


def _dice(target: str, dice: int, answer: int) -> str:
    return f"{plural(dice, 'die', 'dice')} at {title(target)}, {answer} in return"


def aim_advice(game: LzAlbany, side: str, group: str, value: str) -> Advice[Any] | None:
    """The target that makes an area, or its mortars, worth firing with; None for what has none."""
    kind, _, area = value.rpartition(" ")
    if kind == "mortar":
        at = mortar_shot(game, side, area, mortars_of(game, group).get(area, []))[1]
    else:
        at = next((shot.target for shot in shots(board_of(game), side, group, area)), "") if not kind else ""
    return said(at, title(at)) if at else None


def target_advice(game: LzAlbany, side: str, areas: Sequence[str], weapon: str, origin: str = "") -> Advice[Any] | None:
    """The area that a weapon is aimed at; nothing where none is worth it."""
    board = board_of(game)
    if weapon == "fire":
        groups = board.stack(side, origin).groups
        group = max(groups, key=lambda one: len(board.stack(side, origin).fire(one).strengths), default="")
        found = [shot for shot in shots(board, side, group, origin) if shot.target in areas]
        options = [Option(s.value, title(s.target), s.target, (_dice(s.target, s.dice, s.answer),)) for s in found]
    elif weapon == "mortar":
        options = [Option(mortar_worth(board, side, area, 2), title(area), area) for area in areas]
    else:
        options = [Option(support.area_worth(game, side, area, weapon), title(area), area) for area in areas]
    if weapon in ("mortar", "artillery", "skyraider"):
        options = [option for option in options if option.value > 0]
    return best_of(options, 1 if weapon == "skyraider" else 0) or said(NONE, NONE, "no target is worth it")


def hit_advice(game: LzAlbany, side: str, key: str, targets: Sequence[Target]) -> Advice[Any] | None:
    """Who takes a hit: by ``first_hit`` the enemy, by ``hit`` one's own."""
    worth = board_of(game).worth
    sign = 1 if key == "first_hit" else -1
    return best_of(Option(sign * (worth.hit(one) + _chief(game, one)), one.name, one) for one in targets)


def _chief(game: LzAlbany, target: Target) -> float:
    """What a senior officer is worth beyond another: he helps whomever he is with [9.2, 10.1]."""
    senior = target.kind == OFFICER and target.id and is_senior(game.piece(target.id))
    return _SENIOR if senior and not target.hits else 0.0


def answer_advice(game: LzAlbany, side: str) -> Advice[Any]:
    """Return fire costs nothing."""
    return said(True, "yes", "return fire costs nothing")


def advance_advice(game: LzAlbany, side: str, area: str, ready: Sequence[Piece]) -> Advice[Any] | None:
    """Whoever stands better there than where he is."""
    units = [p for p in ready if p.kind == UNIT][: room_in(game, area, side)]
    going = [man_of(p) for p in (*units, *(p for p in ready if p.kind == OFFICER))]
    gain = shift_gain(board_of(game), side, going, ready[0].place, area) if units else 0.0
    names = [m.piece.name for m in going]
    stay = Option(0.0, NONE, [], ("nobody stands better there",))
    return best_of([stay, Option(gain, ", ".join(names), names)] if units else [stay])


def shift_gain(board: Board, side: str, men: Sequence[Man], origin: str, goal: str) -> float:
    """What it gains to have these in another area."""
    before = board.part(side, (origin, goal))
    old = board.put(board.shifted(side, men, origin, goal))
    gain = board.part(side, (origin, goal)) - before
    board.put(old)
    return gain


def retreat_advice(game: LzAlbany, side: str, area: str) -> Advice[Any] | None:
    """Stay in a melee or leave it, and where to."""
    board = board_of(game)
    movable = [p for p in game.pieces(area, side) if not is_artillery(p)]
    units = [p for p in movable if p.kind == UNIT]
    going = movable if units else [p for p in movable if not needs_carrying(p)]
    stay = _stay(board, side, area)
    options = [Option(0.0, "stay", NONE, (f"the next rounds bring {stay:+.1f} VP",))]
    for there in () if area == COLUMBUS else board.map.beside(area):
        if board.units(enemy(side), there):
            continue
        gain = shift_gain(board, side, [man_of(p) for p in going], area, there) - stay
        gain -= 0.5 * max(0, len(units) - room_in(game, there, side))
        options.append(Option(gain, f"to {title(there)}", f"{' '.join(p.name for p in going)} > {there}"))
    return best_of(options)


def _stay(board: Board, side: str, area: str) -> float:
    """What the next round of a melee costs that the enemy begins; what it brings stands in the board's worth."""
    theirs = board.stack(enemy(side), area)
    return -max(0.0, *(board.melee(enemy(side), group, area) for group in theirs.groups)) if theirs.units else 0.0


def moves_advice(game: LzAlbany, side: str, movers: Sequence[Piece]) -> Advice[Any]:
    """Orders for everybody who may move."""
    moves = moves_of(game, side, movers)
    if not moves.ways:
        return said(moves.text, moves.text, *(moves.because or ("nobody: +0.0 VP (nobody stands better elsewhere)",)))
    because = (f"{moves.ways}: {moves.value:+.1f} VP", "; ".join(moves.because), f"worse, in VP: nobody {-moves.value:+.1f}")
    return said(moves.text, moves.ways, *because)


# -- placing and rallying ------------------------------------------------------------------------------------------------


def deploy_advice(game: LzAlbany, side: str, company: str, waiting: Sequence[Piece]) -> Advice[Any] | None:
    """Where a company begins."""
    text, because = places_for(game, side, company, waiting)
    return said(text, text, *because) if text else None


def rally_advice(game: LzAlbany, side: str, able: Sequence[Piece]) -> Advice[Any] | None:
    """Whom an officer rallies."""
    worth = board_of(game).worth
    return best_of(
        Option(worth.lost(m.target) - worth.lost(m.target._replace(hits=m.target.hits - 1)), m.piece.name, m.piece)
        for m in map(man_of, able)
    )


# -- support of the US ---------------------------------------------------------------------------------------------------


def unit_target_advice(game: LzAlbany, side: str, units: Sequence[Piece]) -> Advice[Any] | None:
    """The unit that a gunship attacks, if any is worth the danger."""
    options = [Option(value, p.name, p, (why,)) for p in units for value, why in [support.gunship_worth(game, p)]]
    return best_of([Option(0.0, NONE, _NOBODY), *options])


class _Nobody(NamedTuple):
    name: str = NONE


_NOBODY = _Nobody()


def weapon_advice(game: LzAlbany, side: str, area: str) -> Advice[Any] | None:
    """Bombs or napalm."""
    return best_of(Option(value, word, word) for word, value in support.weapons(game, area).items())


def dustoff_advice(game: LzAlbany, side: str, choices: Sequence[str]) -> Advice[Any] | None:
    """Evacuate or airlift."""
    return best_of(Option(support.dustoff_worth(game, word), word, word) for word in (*choices, NONE))


def landing_advice(game: LzAlbany, side: str, areas: Sequence[str]) -> Advice[Any] | None:
    """Where Dust Off lands for wounded."""
    return best_of(Option(support.landing_worth(game, area), title(area), area) for area in areas)


def lift_advice(game: LzAlbany, side: str, waiting: Sequence[Piece]) -> Advice[Any]:
    """Which area reinforcements fly to, and who."""
    options = [Option(value, title(area), text) for value, area, text in support.lifts(game, waiting)]
    return best_of([*options, Option(0.0, NONE, NONE)]) or said(NONE, NONE)


def flare_advice(game: LzAlbany, side: str) -> Advice[Any]:
    """A flare where the light lets fire pay."""
    return best_of([*(Option(v, title(a), a) for v, a in support.flares(game)), Option(0.2, NONE, NONE)]) or said(NONE, NONE)


# -- at the prompt -------------------------------------------------------------------------------------------------------


async def propose(game: LzAlbany) -> None:
    """Say what the opponent would do with the next Fire/Move chit of each side, with its reasons."""
    if not any(game.group(group) for side in SIDES for group in game.book.groups[side]):
        game.say("Nobody is on the map yet, and no start areas have been entered.", "3.2")
        return
    for side in SIDES:
        open_to = [g for g in game.book.groups[side] if game.used_boxes(g) < 2 and game.group(g)]
        advice = group_advice(game, side, open_to) if open_to else None
        if advice is None:
            game.say(f"The {side} has no group that can act.", "5.2")
            continue
        game.say(f"The {side} would let {advice.name}.", "5.2A", *advice.lines())
        if advice.choice.action == MOVE:
            moves = moves_advice(game, side, movers_of(game, side, advice.choice.group))
            game.say(f"The {side} would move {moves.choice}.", "6.2", *moves.lines())
        else:
            for line in fires_of(game, side, advice.choice.group).shots:
                game.say(f"The {side} counts on {line} VP.", "7.3(1)")
