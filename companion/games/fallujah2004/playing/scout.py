"""What an operation is likely to bring: battles against what the Reaction cup typically sends, and what is gained where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from companion.core.position import Piece
from companion.games.fallujah2004.notation import on_map
from companion.games.fallujah2004.odds.battles import Commitment
from companion.games.fallujah2004.playing.paper import Ahead, Paper
from companion.games.fallujah2004.playing.ways import Ways
from companion.games.fallujah2004.playing.worth import NOTHING, OP, STEP, Cup, Prize, cup_of, guess, late, prize, unseen
from companion.games.fallujah2004.referee import FallujahReferee, blown_bridges, concealed_at, deployed, nodes_at
from companion.games.fallujah2004.rules import r20_nodes as nodes
from companion.games.fallujah2004.rules.r09_morale import picks
from companion.games.fallujah2004.rules.r16_battle import ROUND, Battle, Conditions, Fighter, Step
from companion.games.fallujah2004.rules.r16_combat import conditions, fighter
from companion.games.fallujah2004.state import fights, is_fob, is_ground

_NEARLY = 0.1
"""A part of an OPFOR unit that is let go."""
_MET = 4
"""OPFOR units beyond which a battle is lost or won as with so many, as far as a plan goes."""


class Going(NamedTuple):
    """What going into a space is likely to bring, in VP, and how the battle goes on average."""

    value: float
    ahead: Ahead
    met: float
    prize: Prize


class Scout:
    """Looks at the table for the planner.

    Attributes:
        referee, ways, facts: what is known.
        nodes: spaces that are known to hold a Node.
        away: how far each place is from the nearest of them.
        blown: the spaces of blown bridges.
        late: how much of a VP it is to stand where that counts at the end.
    """

    def __init__(self, referee: FallujahReferee, ways: Ways, paper: Paper, facts: Mapping[str, str]) -> None:
        self.referee = referee
        self.ways = ways
        self.facts = facts
        self._paper = paper
        self._known: dict[object, Going] = {}

    @cached_property
    def nodes(self) -> list[str]:
        return nodes.node_spaces(self.referee)

    @cached_property
    def away(self) -> dict[str, int]:
        return self.ways.distances(self.nodes)

    @cached_property
    def blown(self) -> list[str]:
        return blown_bridges(self.referee.position)

    @cached_property
    def late(self) -> float:
        return late(self.referee.position)

    @cached_property
    def _by_fob(self) -> set[str]:
        """[28.2] The spaces with an FOB in them or beside them."""
        built = {piece.place for piece in deployed(self.referee.position) if is_fob(piece) and on_map(piece.place)}
        return built.union(*(self.ways.near(space) for space in built)) if built else set()

    @cached_property
    def _cup(self) -> Cup:
        return cup_of(self.referee.position)

    @cached_property
    def _unseen(self) -> Prize:
        return unseen(self.referee.chart("nodes"), self.referee.position)

    def prize(self, space: str) -> Prize:
        """What the Nodes of a space bring, as far as is known."""
        found = prize(self.referee.chart("nodes"), nodes_at(self.referee.position, space))
        if concealed_at(self.referee.position, space):
            return Prize(found.won + self._unseen.won, found.lost + self._unseen.lost)
        return found

    def reacts(self, space: str) -> bool:
        """[14.1(1)] Whether OPFOR reacts to those who come: not where units stand on the ground already and no Node lies."""
        return nodes.has_node(self.referee, space) or not any(map(is_ground, self.referee.units_at(space)))

    def going(self, force: Sequence[Piece], space: str, exact: bool = True, fob: bool = False) -> Going:
        """What it brings that a force goes into a space where OPFOR reacts; by a rough guess of the battle, or exact odds against
        typical units of the cup. ``fob``: as if an FOB were beside it, where none is.
        """
        fob = fob or space in self._by_fob
        fighters = tuple(sorted(fighter(self.referee, piece)._replace(id="", name="") for piece in force))
        terrain = self.ways.ground(space).terrain
        marks = nodes.node_edge(self.referee, space), nodes.is_strongpoint(self.referee, space), self.prize(space)
        key = fighters, terrain, marks, nodes.extra_picks(self.referee, space), exact, fob
        if key not in self._known:
            self._known[key] = self._gone(fighters, space, terrain, exact, fob)
        return self._known[key]

    def _gone(self, fighters: tuple[Fighter, ...], space: str, terrain: str, exact: bool, fob: bool) -> Going:
        game = self.referee
        here = conditions(
            game, terrain, strongpoint=nodes.is_strongpoint(game, space), node_edge=nodes.node_edge(game, space), fob=fob
        )
        stand = self.facts.get(f"stand:{game.morale}:{terrain}") != "break-off"
        met = self._cup.met(picks(game) + nodes.extra_picks(game, space))
        few, part = int(met), met - int(met)
        ends = [self._against(here, stand, fighters, many, exact) for many in ((few, few + 1) if part > _NEARLY else (few,))]
        found = Ahead(*(one + part * (other - one) for one, other in zip(ends[0], ends[-1], strict=True)))
        won = self.prize(space)
        return Going(self.worth(found, won), found, met, won)

    def _against(self, here: Conditions, stand: bool, fighters: tuple[Fighter, ...], met: int, exact: bool) -> Ahead:
        if not met:
            return Ahead(1.0, 0.0, 0.0, 0.0)
        battle = Battle(fighters, (self._cup.typical,) * min(met, _MET))
        return self._paper.ahead(here, stand, battle) if exact else guess(here, stand, battle)

    def worth(self, ahead: Ahead, won: Prize = NOTHING) -> float:
        """What a battle is worth in VP: KIA both ways, what strength steps are worth beyond that, OPs, the Nodes."""
        fought = ahead.killed * self._cup.kill - ahead.lost * (1 + STEP) - ahead.ops * OP
        return fought + ahead.win * won.won - (1 - ahead.win) * won.lost

    # -- within a battle ---------------------------------------------------------------------------------------

    def field(self) -> str:
        """Where the battle is that is fought now; "" where none is."""
        pieces = self.referee.position.pieces.values()
        return next((piece.place for piece in pieces if fights(piece) and on_map(piece.place)), "")

    def committed(self, decision: Commitment, netwar: bool = False, strikes: int = 0, part: Step = ROUND[0]) -> Ahead:
        """How the battle ends with this support; exact, save that nobody withdraws."""
        stage = decision.stage
        return self._paper.ahead(stage.conditions, stage.opfor_standing, decision.battle, netwar, strikes, part)

    def holds(self, space: str) -> float:
        """What it is worth that a ground unit stands in a space [6.1]."""
        return self.late if on_map(space) and self.ways.ground(space).holy else 0.0
