"""[13.0 - 13.2] The ground combat segment: the attacks are declared, supported, and resolved one by one."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Confirm
from companion.games.iraqwar2003.names import NONE, STORM
from companion.games.iraqwar2003.odds.combat import at_the_die
from companion.games.iraqwar2003.referee import IraqWar
from companion.games.iraqwar2003.rules.r13_declare import Moved, declare_attack
from companion.games.iraqwar2003.rules.r13_losses import here
from companion.games.iraqwar2003.rules.r13_results import Attack, resolve
from companion.games.iraqwar2003.rules.r13_support import air_support
from companion.games.iraqwar2003.rules.r16_options import lifted, visibility
from companion.games.iraqwar2003.words.land import land_of
from companion.games.iraqwar2003.words.places import is_hex

_HERE = Moved()


async def combat_segment(game: IraqWar, units: Sequence[Piece], in_city: bool | None = None, moved: Moved = _HERE) -> None:
    """[4.1(4-2), 13.1] Everything that the units that have just moved attack, in the order of 13.1; nobody need attack
    [13.2(4)], and nobody attacks twice [13.2(5)].

    Args:
        in_city: whether they stand in a city; None where only the player sees it. moved: how they came there.
    """
    if not await _in_the_storm(game, moved.target not in ("", NONE)):
        return
    attacks: list[Attack] = []
    free = list(units)
    while free and (attack := await declare_attack(game, free, attacks, moved)):
        told = land_of(game.position).is_city(attack.base) if attack.base else None
        attacks.append(attack._replace(home=in_city if told is None else told))
        free = [piece for piece in free if piece.id not in attack.attackers]
    if attacks:
        shifts = await air_support(game, attacks, await game.known_facts("crt", "13.4"))
        left = list(zip(attacks, shifts, strict=True))
        fled: list[str] = []
        while left:
            attack, shift = left.pop(await _next(game, [attack for attack, _ in left]))
            attack = await _joined(game, attack, fled)
            after = await resolve(game, attack, shift, at_the_die(game, attack, await game.known_facts("crt", "13.4")))
            fled += after.gone if after else ()
    lifted(game)


async def _joined(game: IraqWar, attack: Attack, fled: Sequence[str]) -> Attack:
    """[13.2(1)] An attack with those who have retreated, before the turn of this combat, into the hex that it strikes (ruling
    C-52).
    """
    pool = here(game, fled) if game.option("retreated") != "apart" else []
    joined = [piece for piece in pool if is_hex(attack.hex) and piece.place == attack.hex]
    pool = [piece for piece in pool if not (is_hex(attack.hex) and is_hex(piece.place))]
    prompt = "Which units that have retreated now stand in the hex attacked next?"
    joined += await game.pick_units("joined", prompt, "13.2(1)", pool) if pool else []
    return attack._replace(defenders=(*attack.defenders, *(piece.id for piece in joined)))


async def _in_the_storm(game: IraqWar, ordered: bool) -> bool:
    """[16.6(3)] The visibility of the segment, rolled before anybody decides to attack; False where it is rolled for attackers
    only and nobody wants to (ruling C-48). ``ordered``: whom they attack has been said.
    """
    asks = game.position.flag(STORM) and game.option("storm_die") == "attackers"
    request = Confirm("fight", "Does one of them attack, if the weather lets it?", "16.6(3)", False)
    if asks and not await game.own(game.side, request, ordered):
        game.skip_question("attack", "you said that none of them attacks", "16.6(3)", as_good=(NONE,))
        return False
    await visibility(game, "combat segment")
    return True


async def _next(game: IraqWar, attacks: Sequence[Attack]) -> int:
    """[13.1(5)] Which combat comes next: the current player's choice, where there are several."""
    if len(attacks) == 1:
        return 0
    names = [game.piece_names(game.piece(name) for name in attack.defenders) for attack in attacks]
    choices = [Choice(str(number), f"the attack on {name}") for number, name in enumerate(names, 1)]
    request = Choose("next", "Which combat do you resolve next?", "13.1(5)", choices, "1")
    game.decide(request, game.side, "1")
    return int(await request) - 1
