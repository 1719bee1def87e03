"""Fallujah 2004 as described to the rest of the program: actions, situations, texts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence

from companion.core.dice import cup_contents
from companion.core.events import Event, Said
from companion.core.game import Banner, Fact, Field, Game, Obstacle, Score, TrackEnds, action, situation
from companion.core.hints import TYPE_CHECKING, ClassVar, cast
from companion.core.position import Piece, Position, Value
from companion.core.procedures import until_game_over
from companion.core.text import signed
from companion.core.vocabulary import PLAYER
from companion.games.fallujah2004 import state

if TYPE_CHECKING:
    from companion.core.requests import AnyRequest, Odds
    from companion.games.fallujah2004.ai.policies import FallujahPlayers
    from companion.games.fallujah2004.corrections import FallujahCorrections
    from companion.games.fallujah2004.map import FallujahMap
    from companion.games.fallujah2004.referee import FallujahReferee


def _setup_fault(position: Position) -> Obstacle | None:
    if state.is_set_up(position):
        return None
    return Obstacle("the first order of battle is bought before the first operation", "7.1(2)", "Recruit with j1")


def _operation_fault(position: Position) -> Obstacle | None:
    if state.is_set_up(position) and not any(map(position.at, (state.AVAILABLE, *state.BASES))):
        return Obstacle("you have bought nothing yet; the first operation ends the set-up", "7.1(2)", "Buy first: buy 3/1, 2 air")
    return None


def _second_fault(position: Position) -> Obstacle | None:
    if not position.flag(state.CAMPAIGN):
        cure = "Start one: companion new fallujah2004 --scenario campaign"
        return Obstacle("only the campaign has a second battle", "30.0", cure)
    if position.flag(state.CAMPAIGN) == "won":
        return Obstacle("the campaign is won", "30.2", "Start another")
    if position.flag(state.BATTLE) == 1 and position.flag(state.OVER):
        return None
    if position.flag(state.OVER):
        return Obstacle("the second battle was not won: the campaign is lost", "30.2(5)", "Start another")
    return Obstacle("the second battle follows the end of the first", "30.2", "Play the first to its end")


def _option_fault(option: str, title: str, rule: str) -> Callable[[Position], Obstacle | None]:
    """The check of an operation by an optional rule; the set-up writes the options of the session on the position."""

    def check(position: Position) -> Obstacle | None:
        if position.flag(state.option_flag(option)) == "on":
            return _operation_fault(position)
        cure = f"A new one: companion new fallujah2004 --option {option}=on"
        return Obstacle(f"this game is played without {title}", rule, cure)

    return check


_networked_fault = _option_fault("networked", "Networked Operations", "32.0")
_interdiction_fault = _option_fault("interdiction", "Interdiction", "33.0")


def _place_on_table(piece: Piece, other: Piece) -> str:
    """The place of a concealed Node; `other`: the same one at another time, which may have the mark of its space."""
    space = piece.marks.get(state.FIRST) or other.marks.get(state.FIRST)
    return str(space) if piece.place == state.UNOPENED and space else piece.place


async def _operate(referee: FallujahReferee, operation: Callable[[FallujahReferee], Awaitable[None]]) -> None:
    """Carry out an operation; count victory at once where it ends the game [8.1, 10.4]."""
    if referee.option("players"):  # otherwise TAB at the first question need not import the scenarios
        from companion.games.fallujah2004.rules.r06_scenarios import who_commands

        await who_commands(referee)
    await until_game_over(operation, referee)  # type: ignore[arg-type]
    if referee.position.flag(state.OVER):
        from companion.games.fallujah2004.rules.r06_scenarios import final_count

        await final_count(referee)


class FallujahGame(Game):
    """Fallujah 2004: City Fighting in Iraq."""

    id = "fallujah2004"
    value_names = (
        "contact",
        "fire",
        "move",
        "steps",
        "back contact",
        "back fire",
        "back move",
        "type",
        "event",
        "node",
        "marker",
        "nation",
        "size",
        "edge",
    )

    def why_not(self, request: AnyRequest, name: str) -> tuple[str, str] | None:
        from companion.games.fallujah2004.exclusions import why_not

        return why_not(self, cast("FallujahReferee", request.referee), request, name)

    def referee(self, position: Position, options: Mapping[str, str]) -> FallujahReferee:
        from companion.games.fallujah2004.referee import FallujahReferee

        referee = FallujahReferee(position, options, self.tables.charts)
        referee.place_titles = self.places
        return referee

    def make_corrections(self) -> FallujahCorrections:
        from companion.games.fallujah2004.corrections import FallujahCorrections

        return FallujahCorrections(self)

    def make_map(self) -> FallujahMap:
        from companion.games.fallujah2004.map import FallujahMap

        return FallujahMap(self)

    def make_players(self) -> FallujahPlayers:
        from companion.games.fallujah2004.ai.policies import FallujahPlayers

        return FallujahPlayers(self)

    @property
    def facts(self) -> Sequence[Fact]:
        from companion.games.fallujah2004.facts import FACTS

        return FACTS

    async def setup(self, referee: FallujahReferee) -> None:
        """[7.0] The scenario's set-up."""
        from companion.games.fallujah2004.rules.r06_scenarios import Sample, set_up

        chosen = referee.option("scenario")
        first = chosen != "phantom_fury"
        data = self.tables.game["scenario_data"]["vigilant_resolve" if first else "phantom_fury"]
        await set_up(referee, Sample(self.tables.counters), data, first)

    def contradictions(self, facts: Mapping[str, str]) -> list[str]:
        """[3.1, 13.0, 14.7] The contradictions among facts of the map."""
        from companion.games.fallujah2004.facts import contradictions

        return contradictions(facts)

    # -- actions -----------------------------------------------------------------------------------------------

    whole_map_facts: ClassVar[Mapping[str, str]] = {f"route:{state.ALL_ROUTES}": state.NO_ROUTE}

    @action("j1", "Recruiting", rule="11.0", when=_operation_fault)
    async def j1(self, referee: FallujahReferee) -> None:
        from companion.games.fallujah2004.rules.r11_recruiting import recruit

        await _operate(referee, recruit)

    @action("j2", "ISR: NetWar markers look at concealed Nodes", rule="12.0", when=_operation_fault)
    async def j2(self, referee: FallujahReferee) -> None:
        from companion.games.fallujah2004.rules.r10_operations import isr

        await _operate(referee, isr)

    @action("j3", "Offensive: move a force, reaction, combat, capture", rule="10.1", when=_operation_fault)
    async def j3(self, referee: FallujahReferee) -> None:
        from companion.games.fallujah2004.rules.r10_operations import offensive

        await _operate(referee, offensive)

    @action("j4", "Logistics: refit, bridge repair, FOB", rule="18.0", when=_operation_fault)
    async def j4(self, referee: FallujahReferee) -> None:
        from companion.games.fallujah2004.rules.r10_operations import logistics

        await _operate(referee, logistics)

    @action("j5", "InfoWar: NetWar markers for OPs", rule="19.0", when=_operation_fault)
    async def j5(self, referee: FallujahReferee) -> None:
        from companion.games.fallujah2004.rules.r10_operations import infowar

        await _operate(referee, infowar)

    @action("buy", "buy the first order of battle", rule="7.1(2)", when=_setup_fault)
    async def buy(self, referee: FallujahReferee) -> None:
        from companion.games.fallujah2004.rules.r11_recruiting import buy

        await buy(referee)

    @action("networked", "Offensive of several forces (option)", rule="32.0", when=_networked_fault)
    async def networked(self, referee: FallujahReferee) -> None:
        from companion.games.fallujah2004.rules.r10_operations import networked

        await _operate(referee, networked)

    @action("interdict", "Air strikes on a revealed Node (option)", rule="33.0", when=_interdiction_fault)
    async def interdict(self, referee: FallujahReferee) -> None:
        from companion.games.fallujah2004.rules.r10_operations import interdict

        await _operate(referee, interdict)

    @action("end", "declare the end and count victory", rule="8.1(b)", ends=True)
    async def end(self, referee: FallujahReferee) -> None:
        from companion.games.fallujah2004.rules.r06_scenarios import declare_end

        await declare_end(referee)

    @action("second", "set up the second battle of the campaign", rule="30.2", when=_second_fault, usual=False)
    async def second(self, referee: FallujahReferee) -> None:
        from companion.games.fallujah2004.rules.r06_scenarios import second_battle

        data = self.tables.game["scenario_data"]["second_battle"]
        carried = referee.option("campaign_morale") == "carried"
        await second_battle(referee, data["ops"], referee.position.track("morale") if carried else data["morale"])

    @action("battle", "resolve a battle that is only described", rule="16.0", alone=True, usual=False)
    async def battle(self, referee: FallujahReferee) -> None:
        from companion.games.fallujah2004.rules.r16_described import described_battle

        await described_battle(referee)

    def default_action(self, position: Position) -> str:
        """[7.1(2), 30.2] The first order of battle while nothing is bought; the second battle after the first."""
        if _operation_fault(position):
            return "buy"
        return "" if _second_fault(position) else "second"

    def table_action(self, position: Position) -> str:
        """[8.1, 10.1] An offensive while units and Nodes are on the map, and recruiting while no unit is."""
        usual = self.default_action(position)
        if usual or position.flag(state.OVER) or position.track("ops") < 1:
            return usual
        from companion.games.fallujah2004.referee import deployed, is_node_on_map

        if not is_node_on_map(position):
            return ""
        return "j3" if any(not state.is_fob(piece) for piece in deployed(position)) else "j1"

    # -- odds --------------------------------------------------------------------------------------------------

    @situation("battle", "a battle to its end", rule="16.1")
    async def battle_odds(self, referee: FallujahReferee) -> Odds:
        from companion.games.fallujah2004.odds import battle_odds_of

        return await battle_odds_of(referee)

    @situation("j3", "a J-3: reaction, battle, costs", rule="10.1")
    async def offensive_odds(self, referee: FallujahReferee) -> Odds:
        from companion.games.fallujah2004.odds import offensive_odds_of

        return await offensive_odds_of(referee)

    @situation("edge", "the Tactical Edge", rule="16.1(2)")
    async def edge_odds(self, referee: FallujahReferee) -> Odds:
        from companion.games.fallujah2004.odds import tactical_edge_odds

        return await tactical_edge_odds(referee)

    @situation("morale", "a morale check", rule="9.2")
    async def morale_odds(self, referee: FallujahReferee) -> Odds:
        from companion.games.fallujah2004.odds import morale_odds

        return await morale_odds(referee)

    @situation("isr", "J-2 ISR on one Node", rule="12.1")
    async def isr_odds(self, referee: FallujahReferee) -> Odds:
        from companion.games.fallujah2004.odds import isr_odds

        return await isr_odds(referee)

    @situation("infowar", "J-5 InfoWar", rule="19.0")
    async def infowar_odds(self, referee: FallujahReferee) -> Odds:
        from companion.games.fallujah2004.odds import infowar_odds

        return await infowar_odds(referee)

    @situation("infiltration", "SOF through Node spaces", rule="27.1")
    async def infiltration_odds(self, referee: FallujahReferee) -> Odds:
        from companion.games.fallujah2004.odds import infiltration_odds

        return await infiltration_odds(referee)

    @situation("draw", "the next reaction, by what the cup holds", rule="14.1")
    async def draw_odds(self, referee: FallujahReferee) -> Odds:
        from companion.games.fallujah2004.odds import draw_odds_of

        return await draw_odds_of(referee)

    # -- texts -------------------------------------------------------------------------------------------------

    def banner(self, position: Position, options: Mapping[str, str]) -> Banner:
        """The stage, tracks, Nodes, cup and strikes."""
        stage = "The game is over" if position.flag(state.OVER) else "Set-up" if state.is_set_up(position) else "Operations"
        if options.get("scenario") == "campaign":
            stage += ", first battle" if position.flag(state.BATTLE) == 1 else ", second battle"
        available = position.at(state.AVAILABLE)
        netwar = sum(state.is_netwar(piece) for piece in available)
        strikes, morale = len(available) - netwar, position.track("morale")
        cup = cup_contents(position, state.REACTION_CUP)
        concealed = sum(state.lies_concealed(piece) for piece in position.of_kind(state.CONCEALED))
        revealed = sum(state.lies_open(piece) for piece in position.of_kind(state.NODE))
        captured = sum(piece.kind == state.NODE for piece in position.at(state.CAPTURED))
        nodes = f"{concealed} concealed, {f'{revealed} revealed, ' if revealed else ''}{captured} captured"
        fields = (
            Field("ops", "OPs", str(position.track("ops"))),
            Field("kia", "KIA", signed(position.track("kia"))),
            Field("morale", "Morale", self.track("morale", morale), morale),
            Field("operations", "Operations", str(position.track("operations"))),
            Field("nodes", "Nodes", nodes, numbers={"concealed": concealed, "revealed": revealed, "captured": captured}),
            Field("reaction_cup", "Reaction cup", str(sum(cup.values()))),
            Field("strikes", "Strikes", f"{strikes}, NetWar {netwar}", numbers={"strikes": strikes, "netwar": netwar}),
        )
        reminders = []
        if state.is_uprising(position):
            reminders.append("Uprising Elsewhere: combat units cost double [14.5]")
        if kept := [piece.name for piece in position.at(state.KEPT)]:
            reminders.append(f"Kept leaders to assign: {', '.join(kept)} [30.2(1)]")
        return Banner(stage, fields, tuple(reminders))

    def score(self, position: Position, options: Mapping[str, str]) -> Score:
        """[6.1] The victory points if the game ended now."""
        from companion.games.fallujah2004.rules.r06_scenarios import count

        known = position.cache_for(options)
        score: Score | None = known.get(count)
        if score is None:
            score = known[count] = count(position, self.tables.charts, options.get("node_denies_control") == "yes")
        return score

    def over(self, position: Position) -> str:
        return str(position.flag(state.OVER) or "")

    def track(self, track: str, value: int) -> str:
        """[21.0] The value of a track; KIA always has its sign."""
        return signed(value) if track == "kia" else super().track(track, value)

    def track_ends(self, track: str, position: Position, facts: Mapping[str, str]) -> TrackEnds:
        """[8.1, 10.4] The game ends at 0 OPs; only an event takes the index lower."""
        ends = super().track_ends(track, position, facts)
        return ends._replace(low=0) if track == "ops" else ends

    def flag_title(self, flag: str) -> str:
        return "MSR cleared" if flag == state.MSR_CLEARED else ""

    def place_title(self, place: str) -> str:
        return self.places.get(place, place)

    def face_title(self, piece: Piece, face: str) -> str:
        return {state.FULL: "full-strength side", state.REDUCED: "reduced side"}.get(face, face)

    def mark_title(self, mark: str) -> str:
        return "" if mark == "first" else mark

    def mark_sentence(self, names: str, count: int, mark: str, value: Value) -> str:
        """[29.0] The sentence for a leader who joins or leaves a unit."""
        if mark != "with":
            return super().mark_sentence(names, count, mark, value)
        return f"{names} {'is' if count == 1 else 'are'} with {value or 'no unit'}"

    def flip_sentence(self, names: str, count: int, piece: Piece, face: str) -> str:
        """[16.3, 18.0] The sentence for a unit that is reduced or refitted."""
        return f"{names} {'is' if count == 1 else 'are'} {'REDUCED' if face == state.REDUCED else 'at full strength'}"

    def piece_fix_lines(self, old: Piece | None, new: Piece | None) -> list[str] | None:
        """The lines to restore Nodes on the table; a Node that is placed or revealed leaves those not yet revealed."""
        if old is None or new is None or (old.place == new.place and old.kind != state.CONCEALED):
            return None
        if old.kind == state.NODE and new.place == state.NODE_CUP:
            return [f"Turn {{}} face down again ({self.place_title(old.place)})"]
        if old.kind == state.NODE and old.place == state.NODE_CUP:
            return [f"Place {{}} face up in {self.place_title(new.place)}"]
        if old.kind != state.CONCEALED:
            return None
        was, now = _place_on_table(old, new), _place_on_table(new, old)
        if was == now:
            return []
        if now == state.OFF:
            return [f"Turn up the concealed Node in {self.place_title(was)}"]
        if was == state.OFF:
            return [f"A concealed Node lies in {self.place_title(now)} again"]
        return [f"Move {{}} from {self.place_title(was)} to {self.place_title(now)}"]

    def is_narrated(self, event: Event) -> bool:
        """[30.2] False for the moves between the battles, which a few lines sum up."""
        return isinstance(event, Said) or event.why != state.CLEARED

    def printed_key(self, piece: Piece, is_new: bool) -> str:
        counted = {state.EVENT: ("events", "event"), state.NODE: ("nodes", "node")} if is_new else {}
        kinds = {state.OPFOR: ("opfor", "type"), state.STRIKE: ("strikes", "type"), **counted}
        if piece.kind in kinds:
            fact, value = kinds[piece.kind]
            return f"{fact}:{piece.values.get(value)}"
        return piece.kind if piece.kind == state.UNIT else "leaders" if piece.kind == state.LEADER and is_new else ""

    def side(self, piece: Piece) -> str:
        return PLAYER if piece.kind == state.UNIT else state.OPFOR if state.fights(piece) else ""

    def piece_title(self, piece: Piece) -> str:
        if piece.kind == state.UNIT:
            from companion.games.fallujah2004.notation import side_of

            return f"{piece.name} {side_of(piece)}" + (" reduced" if piece.face == state.REDUCED else "")
        return piece.name

    # -- corrections -------------------------------------------------------------------------------------------

    def mark_names(self, piece: Piece) -> Mapping[str, tuple[Value, ...]]:
        """A leader's unit is the only mark that a player may need to correct."""
        return {state.WITH: ()} if piece.kind == state.LEADER else {}

    def place_fault(self, place: str, position: Position) -> str:
        return "" if place in self.places or place in state.UNIT_PLACES else f"the map has no space {place}"
