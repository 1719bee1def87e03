"""[15.0, 16.0] Combat on the table: who and what is in a battle, and the Stage on which it is told and carried out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, cast

from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Confirm
from companion.core.text import die_range, plural
from companion.games.fallujah2004 import pieces
from companion.games.fallujah2004.names import EVENT, HVT_BOX, REACTION_CUP, RECRUIT
from companion.games.fallujah2004.odds.battles import Commitment, LookAhead, continuation_odds, hit_odds, netwar_odds, strike_odds
from companion.games.fallujah2004.referee import Fallujah, deployed, nodes_at
from companion.games.fallujah2004.rules import r16_battle as rounds
from companion.games.fallujah2004.rules import r20_nodes as nodes
from companion.games.fallujah2004.rules.r09_morale import stands
from companion.games.fallujah2004.rules.r13_routes import known_routes, learn_apart, learn_joined
from companion.games.fallujah2004.rules.r16_stage import Battle, Fighter, OddsOf, Part, Scene, Side, Stage, Strike, Support
from companion.games.fallujah2004.rules.r16_withdrawal import cornered, withdraw
from companion.games.fallujah2004.words.counters import MOB
from companion.games.fallujah2004.words.spaces import on_map


class Circumstances(NamedTuple):
    """What the reaction brought on this battle [14.5]."""

    ambush: bool = False
    civilians: bool = False
    martyrs: bool = False


def fighter(game: Fallujah, piece: Piece) -> Fighter:
    """A Coalition unit as it enters a battle; helicopters fight like the rest [24.4]."""
    side = pieces.side_of(piece)
    return Fighter(
        side.fire,
        side.contact,
        pieces.steps_left(piece),
        piece.number("back fire"),
        piece.number("back contact"),
        pieces.is_engineer(piece),
        bool(game.leaders_with([piece])),
        "",
        piece.id,
        piece.name,
    )


def insurgent(piece: Piece) -> Fighter:
    """An OPFOR counter as it enters a battle; a Mob Attack has contact 0 and its strength is rolled [14.5]."""
    kind = MOB if pieces.is_mob(piece) else pieces.type_of(piece)
    return Fighter(piece.number("fire"), piece.number("contact"), kind=kind, id=piece.id, name=piece.name)


def opfor_at(game: Fallujah, space: str) -> list[Piece]:
    """OPFOR combat units in a space; Nodes neither fire nor are hit [16.4]."""
    return [piece for piece in game.position.at(space) if pieces.fights(piece)]


def collateral_here(game: Fallujah, terrain: str, first: bool) -> bool:
    """[23.5] Whether Collateral Damage costs OPs in this terrain; ``first``: in scenario 1."""
    return bool(game.chart("terrain").cell(terrain, "collateral_s1" if first else "collateral_s2"))


async def fob_bonus(game: Fallujah, space: str) -> bool:
    """[28.2] A Forward Operations Base in the space or in an adjacent one: asked where that is not known, and remembered."""
    if any(pieces.is_fob(piece) for piece in game.units_at(space)):
        return True
    elsewhere = [piece.place for piece in deployed(game.position) if pieces.is_fob(piece) and on_map(piece.place)]
    if not elsewhere:
        return False
    known = await known_routes(game)
    near = [place for place in elsewhere if known.joined(space, place)]
    open_ones = [place for place in elsewhere if known.open(space, place)]
    where = ", ".join(game.title(place) for place in near or open_ones or elsewhere)
    request = Confirm("fob", f"Is {game.title(space)} adjacent to the FOB at {where}?", "28.2")
    request.implied_reply = True if near else None if open_ones else False
    adjacent = await request
    if not adjacent:
        await learn_apart(game, space, near or open_ones)
    elif len(open_ones) == 1 and not near:
        await learn_joined(game, known, space, open_ones[0])
    return adjacent


class Aloud(Stage):
    """A battle that is told: each result in words, its KIA and OPs on the tracks."""

    def __init__(self, game: Fallujah, scene: Scene, stand: bool = True) -> None:
        super().__init__(game, scene, stand)
        self.game = game

    def loss_ops(self) -> int:
        """[17.0] The OPs that losing the battle costs."""
        return 0

    def _paper(self) -> Stage:
        return Stage(self.game, self.scene, self.stand)

    def odds(self, battle: Battle, part: Part) -> OddsOf:
        shown = netwar_odds if part is rounds.tactical_edge else strike_odds
        return Commitment(self._paper(), battle, self.loss_ops(), shown)

    def spared(self, battle: Battle, hits: int) -> tuple[int, ...]:
        """[16.3] The least loss, unless it throws away a battle that another could win."""
        return LookAhead(self._paper(), battle, worth=0.01).spared(battle, hits)

    def hit_odds(self, battle: Battle, hits: int) -> OddsOf:
        return Commitment(self._paper(), battle, hits, hit_odds)

    async def stay(self, battle: Battle) -> Battle:
        """[16.1(4c)] The player decides; /odds shows what either leads to."""
        choices = [Choice("continue", "continue"), Choice("withdraw", "withdraw")]
        request = Choose("continue", "OPFOR stands. Do you fight on or withdraw?", "16.1(4c)", choices)
        odds = request.odds = Commitment(self._paper(), battle, self.loss_ops(), continuation_odds)
        request.has_quick_odds = True
        if await self.cornered(battle):
            request.implied_reply = "continue"
            self.game.say("No Coalition unit and no base is adjacent: the force fights on.", "16.7")
        return battle if await request == "continue" else await self.withdraw(battle, odds)

    async def cornered(self, battle: Battle) -> bool:
        """[16.7] Whether it is known that nobody can withdraw."""
        return False

    async def withdraw(self, battle: Battle, odds: OddsOf) -> Battle:
        """[16.7] The battle without those who leave it; ``odds`` shows what staying leads to."""
        return battle._replace(coalition=())

    def edge(self, battle: Battle, roll: Sequence[int], coalition: int, opfor: int, winner: Side) -> None:
        if self.game.quiet:
            return
        scene = self.scene
        lead = max(battle.coalition, key=lambda fighter: fighter.contact)
        theirs = max(battle.opfor, key=lambda fighter: fighter.contact)
        parts = [str(lead.contact), *(["1 leader"] if any(f.leader for f in battle.coalition) else [])]
        parts += (["1 NetWar"] if battle.netwar else []) + (["1 FOB"] if scene.fob else [])
        enemy = [str(theirs.contact), *(["1 Node"] if scene.node_edge else [])]
        enemy += ["1 event"] if scene.event_edge and battle.opening else []
        totals = coalition + roll[0], opfor + roll[1]
        tie = f", a tie in {scene.terrain}" if totals[0] == totals[1] else ""
        self.game.say(
            f"Tactical Edge: Coalition {'+'.join(parts)}+{roll[0]} = {totals[0]}, "
            f"OPFOR {'+'.join(enemy)}+{roll[1]} = {totals[1]}{tie}. {_SIDES[winner]} fires first.",
            "16.1(2)",
            f"the Coalition leads with {lead.name or 'its best'}, contact {lead.contact}",
            f"OPFOR leads with {theirs.name or 'its best'}, contact {theirs.contact}",
            *([f"equal totals in {scene.terrain} go to {_SIDES[scene.tie]} (Terrain Effects Chart)"] if tie else []),
        )

    def mob(self, fighter: Fighter, face: int, strength: int) -> None:
        self.game.say(
            f"{fighter.name} rolls {face}: this round it {f'hits on {die_range(1, strength)}' if strength else 'hits nobody'}.",
            "14.5",
        )

    def committed(self, strikes: Sequence[Strike]) -> None:
        self.game.say(f"You commit {', '.join(strike.name for strike in strikes)}.", "16.1(3a)")

    def fired(
        self, side: Side, firers: Sequence[Fighter | Strike], faces: Sequence[int], raw: int, hits: int, battle: Battle
    ) -> None:
        if self.game.quiet:
            return
        verdicts = [(one, face, "HIT" if face <= one.fire else "miss") for one, face in zip(firers, faces, strict=True)]
        shots = ", ".join(f"{one.name} {face} {verdict}" for one, face, verdict in verdicts)
        text = f"{_SIDES[side]} fires: {shots}. {plural(raw, 'hit')}"
        because = [f"{one.name}: {face}, needs {die_range(1, one.fire, 6)}, {verdict}" for one, face, verdict in verdicts]
        rule = "16.2"
        engineer = any(one.engineer for one in battle.coalition)
        if side == "coalition" and raw:
            changes = []
            if self.scene.strongpoint and engineer:
                because.append("an engineer fires too, so the Strongpoint gives nothing [26.0]")
            elif self.scene.strongpoint:
                changes.append("the Strongpoint takes 1 off")
                rule = "16.8"
            if self.scene.factor > 1:
                changes.append("doubled in the open")
                rule = "16.5"
            text += f", {' and '.join(changes)}: {hits}" if changes else ""
        self.game.say(text + ".", rule, *because)

    def opfor_lost(self, fighter: Fighter) -> None:
        self.game.kia(1, "21.1", f"{fighter.name} eliminated")

    def coalition_hit(self, fighter: Fighter, left: Fighter | None) -> None:
        self.game.kia(-1, "21.1", f"{fighter.name} {'reduced' if left else 'eliminated'}")

    def collateral(self, count: int, ops: int) -> None:
        if ops:
            self.game.shift_track("ops", -ops, "23.5", f"Collateral Damage: {plural(count, 'die', 'dice')} of 6")
        else:
            self.game.say("A die of 6: no Collateral Damage in this terrain and scenario.", "23.5")

    def response(self) -> str:
        """What decides OPFOR's response, as the words begin that tell it."""
        return ""

    def ended(self, battle: Battle) -> None:
        assert battle.verdict
        text, rule, *because = _ENDS[battle.verdict]
        self.game.say((self.response() if battle.verdict == "broke off" else "") + text, rule, *because)


_SIDES = {"coalition": "Coalition", "opfor": "OPFOR"}
_ENDS = {
    "won": ("WON. No OPFOR unit is left.", "16.1(6)", "one side is gone [16.1(4a)]"),
    "lost": ("LOST. No unit of the force is left.", "16.1(6)", "one side is gone [16.1(4a)]"),
    "broke off": ("OPFOR breaks off. WON.", "16.1(4b)"),
    "withdrew": ("LOST. The whole force has withdrawn.", "16.7"),
}


class OnTable(Aloud):
    """A battle on the table: the units and strikes are pieces, and the Morale Chart is the owner's."""

    def __init__(self, game: Fallujah, space: str, scene: Scene, stand: bool, martyrs: bool) -> None:
        super().__init__(game, scene, stand)
        self.space = space
        self.martyrs = martyrs
        self.netwar_used = False

    def loss_ops(self) -> int:
        chart = self.game.chart("nodes")
        return -sum(chart.number(pieces.node_of(piece), "loss_ops") for piece in nodes_at(self.game.position, self.space))

    def support(self, battle: Battle) -> Support:
        """[12.3] One NetWar marker a round, or a battle if that is the switch (ruling C-21)."""
        offered = support(self.game, self.space)
        return offered._replace(netwar=False) if self.netwar_used and self.game.option("netwar") == "per_battle" else offered

    def response(self) -> str:
        return "Martyrs: " if self.martyrs else f"Morale {self.game.morale}, {self.scene.terrain}: "

    async def commit_netwar(self) -> None:
        (self._marker,) = await choose_markers(self.game, 1)

    async def stands(self, battle: Battle) -> bool:
        """[9.3(2), 14.5] By the Morale Chart, or Martyrs."""
        stand = self.martyrs or await stands(self.game, self.scene.terrain)
        if stand:
            self.game.say(f"{self.response()}OPFOR stands.", "16.1(4b)")
        return stand

    async def cornered(self, battle: Battle) -> bool:
        return await cornered(self.game, self.space, [self.game.piece(one.id) for one in battle.coalition])

    async def withdraw(self, battle: Battle, odds: OddsOf) -> Battle:
        gone = await withdraw(self.game, self.space, [self.game.piece(one.id) for one in battle.coalition], odds)
        return battle._replace(coalition=tuple(one for one in battle.coalition if one.id not in gone))

    def opfor_lost(self, fighter: Fighter) -> None:
        self.game.move(fighter.id, HVT_BOX if fighter.kind == "hvt" else REACTION_CUP, "16.3", "eliminated")
        super().opfor_lost(fighter)

    def coalition_hit(self, fighter: Fighter, left: Fighter | None) -> None:
        nodes.hit_unit(self.game, self.game.piece(fighter.id), "16.3", "hit")

    def spent(self, strikes: Sequence[Strike], netwar: bool) -> None:
        for strike in strikes:
            self.game.move(strike.id, RECRUIT, "23.1", "used")
        if netwar:
            self.netwar_used = True
            put_back(self.game, self._marker, RECRUIT, "16.1(3d)", "used")

    def ended(self, battle: Battle) -> None:
        super().ended(battle)
        return_opfor(self.game, self.space)


async def choose_markers(game: Fallujah, count: int) -> list[Piece]:
    """[14.5, 22.0] Which markers serve as NetWar: where both kinds are there, Intel goes back to its cup and NetWar does not."""
    held = game.netwar()
    intel = [piece for piece in held if piece.kind == EVENT]
    printed = [piece for piece in held if piece not in intel]
    low, high = max(0, count - len(printed)), min(count, len(intel))
    many = high
    if low < high and count == 1:
        prompt = "Spend an Intel marker? It goes back to the Reaction cup. (no: a printed NetWar marker)"
        many = int(await game.confirm("intel", prompt, "22.0", suggest=True))
    elif low < high:
        prompt = f"How many of the {count} are Intel markers? They go back to the Reaction cup."
        many = await game.number("intel", prompt, "22.0", low, high, high)
    return [*intel[:many], *printed[: count - many]]


def put_back(game: Fallujah, netwar: Piece, box: str, rule: str, why: str) -> None:
    """A used NetWar marker leaves for a box [22.0]; an Intel marker that served as one returns to its cup [14.5]."""
    intel = netwar.kind == EVENT
    game.move(netwar.id, REACTION_CUP if intel else box, "14.5" if intel else rule, why)


def unsupported(game: Fallujah, space: str) -> bool:
    """[31.0] Whether neither Fire Support nor NetWar is used in a space, for Iraqi units are there."""
    return game.option("joint") == "on" and game.first_scenario and any(map(pieces.is_iraqi, game.units_at(space)))


def support(game: Fallujah, space: str) -> Support:
    """What may be committed in this space [16.1(2c), 16.1(3a)]."""
    if unsupported(game, space):
        return Support()
    strikes = tuple(
        Strike(piece.number("fire"), pieces.type_of(piece) == pieces.SOA, piece.id, piece.name)
        for piece in game.available(pieces.AIR_STRIKE, pieces.SOA, pieces.ARTILLERY)
    )
    return Support(strikes, bool(game.netwar()))


def return_opfor(game: Fallujah, space: str) -> None:
    """[16.3] Surviving OPFOR units go back into the Reaction cup."""
    for piece in opfor_at(game, space):
        game.move(piece.id, REACTION_CUP, "16.3", "survived")


def scene(
    game: Fallujah,
    terrain: str,
    *,
    strongpoint: bool = False,
    fob: bool = False,
    node_edge: int = 0,
    ambush: bool = False,
    civilians: bool = False,
    first: bool | None = None,
) -> Scene:
    """[16.1(1)] What holds for as long as a battle lasts, by the Terrain Effects Chart and what is there; ``first``: whether it
    is fought in scenario 1, where no session says so.
    """
    chart = game.chart("terrain")
    anywhere = civilians and game.option("civilians") == "any_terrain"
    return Scene(
        terrain,
        cast(Side, chart.text(terrain, "tie")),
        chart.number(terrain, "hits_factor"),
        strongpoint,
        fob,
        node_edge,
        int(ambush),
        civilians,
        int(anywhere or collateral_here(game, terrain, game.first_scenario if first is None else first)),
    )


async def fight(game: Fallujah, space: str, force: Sequence[Piece], events: Circumstances) -> Battle:
    """[16.1(1), 16.1(5)] Everything face up on the Battle display, then round after round to the verdict."""
    terrain = (await game.ground(space, "16.5")).terrain
    bonus = await fob_bonus(game, space)
    begun = opening(game, space, terrain, force, events, bonus, await game.known_facts("stand", "9.3(2)"))
    enemy = ", ".join(one.name for one in begun.battle.opfor)
    game.say(f"Battle at {game.title(space)} ({terrain}): {game.piece_names(force)} against {enemy}.", "16.1(1)")
    return await rounds.fight(OnTable(game, space, begun.scene, begun.stand, events.martyrs), begun.battle)


class Opening(NamedTuple):
    """How a battle begins: where, whether OPFOR stands after each round as far as the Morale Chart has been told, and who."""

    scene: Scene
    stand: bool
    battle: Battle


def opening(
    game: Fallujah, space: str, terrain: str, force: Sequence[Piece], events: Circumstances, fob: bool, chart: Mapping[str, str]
) -> Opening:
    """[16.1(1)] Who and what is in a battle; ``chart``: what has been told of the Morale Chart, by level and terrain."""
    here = scene(
        game,
        terrain,
        strongpoint=nodes.is_strongpoint(game, space),
        fob=fob,
        node_edge=nodes.edge(game, space),
        ambush=events.ambush,
        civilians=events.civilians,
    )
    fighters = tuple(fighter(game, game.piece(piece.id)) for piece in force)
    enemies = tuple(insurgent(piece) for piece in opfor_at(game, space))
    stand = events.martyrs or chart.get(f"{game.morale}:{terrain}") != "break-off"
    return Opening(here, stand, Battle(fighters, enemies))
