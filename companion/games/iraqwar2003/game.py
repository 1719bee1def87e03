"""Description of Iraq War 2003: actions, situations, banner and texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from companion.core.events import Event, PieceMade, PieceMoved, TrackMoved
from companion.core.game import Banner, Fact, Field, Game, Score, TrackEnds, action, situation
from companion.core.hints import TYPE_CHECKING
from companion.core.position import Piece, Position, Value
from companion.games.iraqwar2003 import notation, rules, state
from companion.games.iraqwar2003.referee import IraqWarReferee, boxes, counter_text, intact, used_up
from companion.games.iraqwar2003.rules import r04_sequence

if TYPE_CHECKING:
    from companion.core.policies import Players
    from companion.core.requests import AnyRequest, Odds
    from companion.games.iraqwar2003.ai.planner import Planner
    from companion.games.iraqwar2003.corrections import IraqWarCorrections
    from companion.games.iraqwar2003.map import IraqWarMap

_ROSTER_OF_TYPE = {"carrier": "carriers", "naval": "naval"}

_MARKED = {
    state.DISRUPTED: ("is DISRUPTED", "recovers", "are DISRUPTED", "recover"),
    state.OUT_OF_SUPPLY: ("is OUT OF SUPPLY", "is in supply again", "are OUT OF SUPPLY", "are in supply again"),
    state.MOVED: ("is done for this turn", "can act again", "are done for this turn", "can act again"),
    state.DAMAGED: ("gets a damaged marker", "loses its damaged marker", "get damaged markers", "lose their damaged markers"),
}
"""What a mark means when it is set or removed, for one piece and for several."""
_DROP = r04_sequence.optional_action(state.PARATROOPS, state.COALITION, "16.2", r04_sequence.drop_obstacle)
_RAIL = r04_sequence.optional_action(state.RAILWAY, state.IRAQ, "16.7", r04_sequence.railway_obstacle)
_ARRIVE = r04_sequence.optional_action(state.REINFORCEMENTS, state.COALITION, "16.8", r04_sequence.reinforcement_obstacle)
_TURNED = {
    (state.UNIT, "front"): "at full strength",
    (state.UNIT, "reduced"): "REDUCED",
    (state.PALACE, "front"): "face up",
    (state.PALACE, "back"): "face down",
}


class IraqWarGame(Game[IraqWarReferee]):
    """Iraq War 2003 (Simulation Journal, English rules 1.2)."""

    id = "iraqwar2003"
    value_names = (
        *("nation", "attack", "defence", "move", "steps", "back attack", "back defence", "back move"),  # of ground units
        *("artillery", "range", "back artillery", "anti_air", "turn", "division", "big", "fly", "para", "white"),
        *("type", "box", "fire", "sector", "site"),  # of air units and boxes
    )

    def make_corrections(self) -> IraqWarCorrections:
        from companion.games.iraqwar2003.corrections import IraqWarCorrections

        return IraqWarCorrections(self)

    def make_map(self) -> IraqWarMap:
        from companion.games.iraqwar2003.map import IraqWarMap

        return IraqWarMap(self)

    def make_players(self) -> Players:
        from companion.games.iraqwar2003.ai.policies import IraqWarPlayers

        return IraqWarPlayers(self)

    def acting_seats(self, position: Position) -> Sequence[str]:
        """[4.0] The current player; before the set-up both."""
        return (state.current_side(position),) if position.flag(state.SIDE) else tuple(self.seats)

    @cached_property
    def facts(self) -> Sequence[Fact]:
        from companion.games.iraqwar2003.facts import FACTS

        return FACTS

    def referee(self, position: Position, options: Mapping[str, str]) -> IraqWarReferee:
        return IraqWarReferee(position, options, self.tables.charts, self.tables.bot, self._make_planner)

    def _make_planner(self, referee: IraqWarReferee) -> Planner:
        from companion.games.iraqwar2003.ai.planner import Planner

        return Planner(referee)

    def why_not(self, request: AnyRequest, name: str) -> tuple[str, str] | None:
        from companion.games.iraqwar2003.exclusions import why_not

        assert isinstance(request.referee, IraqWarReferee)
        return why_not(self, request.referee, request, name)

    async def setup(self, referee: IraqWarReferee) -> None:
        """[3.0] Game preparation."""
        await rules.r03_turn.set_up(referee, self.tables.game["scenario_data"], self.tables.counters)

    @action("facility", "Facility Bombing Phase, all groups", rule="6.2", when=r04_sequence.up_to_phase(state.FACILITY, "4.1(1)"))
    async def facility_phase(self, referee: IraqWarReferee) -> None:
        await rules.r06_bombing.facility_phase(referee)

    @action("bomb", "Ground Bombing Phase: units and roads", rule="7.1", when=r04_sequence.up_to_phase(state.BOMBING, "4.1(2)"))
    async def bombing_phase(self, referee: IraqWarReferee) -> None:
        await rules.r06_bombing.ground_phase(referee)

    @action(
        "supply",
        "Supply Check Phase; Iraq gets its command points",
        rule="10.0(1)",
        when=r04_sequence.up_to_phase(state.SUPPLY, "4.1(3)"),
        ends=True,
    )
    async def supply_phase(self, referee: IraqWarReferee) -> None:
        await rules.r03_turn.supply_phase(referee)

    @action("move", "move a unit or stack, and attack", rule="12.1", when=r04_sequence.can_pay("4.1(4)"))
    async def move(self, referee: IraqWarReferee) -> None:
        await rules.r04_operations.operate(referee)

    @action("recover", "recover from disruption", rule="7.3.3", when=r04_sequence.no_recovery_obstacle)
    async def recover(self, referee: IraqWarReferee) -> None:
        await rules.r04_operations.recover(referee)

    @action("road", "destroy or repair the roads of a hex", rule="14.1", when=r04_sequence.can_pay("14.1"))
    async def road_work(self, referee: IraqWarReferee) -> None:
        await rules.r12_movement.road_work(referee)

    @action("drop", "paratroop drop (option)", rule="16.2", when=_DROP)
    async def paratroop_drop(self, referee: IraqWarReferee) -> None:
        await rules.r04_operations.paratroop_drop(referee)

    @action("rail", "railroad transport (option)", rule="16.7", when=_RAIL)
    async def rail_transport(self, referee: IraqWarReferee) -> None:
        await rules.r04_operations.rail_transport(referee)

    @action("reinforce", "reinforcements arrive (option)", rule="16.8", when=_ARRIVE)
    async def reinforce(self, referee: IraqWarReferee) -> None:
        await rules.r16_options.reinforce(referee)

    @action(
        "end",
        "end the player turn; after the Iraqi one, the turn",
        rule="4.3",
        when=r04_sequence.in_operation_phase("4.1(3)"),
        ends=True,
    )
    async def end_player_turn(self, referee: IraqWarReferee) -> None:
        await rules.r03_turn.end_player_turn(referee)

    @action("control", "a VP city or port changes hands", rule="15.2")
    async def change_control(self, referee: IraqWarReferee) -> None:
        await rules.r15_victory.change_control(referee)

    @action("units", "enter ground units as printed on their counters", rule="2.2")
    async def enter_units(self, referee: IraqWarReferee) -> None:
        await rules.r03_turn.enter_units(referee)

    @action("loss", "record a loss that happened on the board", rule="13.4.1")
    async def record_loss(self, referee: IraqWarReferee) -> None:
        await rules.r13_results.record_loss(referee)

    @action("stack", "check the stacking of a hex", rule="8.1", alone=True, look=True)
    async def check_stack(self, referee: IraqWarReferee) -> None:
        await rules.r08_map.check_hex(referee)

    @action("cost", "cost of a path, hex by hex", rule="12.2", alone=True, look=True)
    async def look_up_cost(self, referee: IraqWarReferee) -> None:
        await rules.r12_movement.look_up_cost(referee)

    @action("battle", "resolve a described combat", rule="13.1", alone=True, usual=False)
    async def described_combat(self, referee: IraqWarReferee) -> None:
        from companion.games.iraqwar2003.odds import described_combat

        await described_combat(referee)

    def default_action(self, position: Position) -> str:
        """[4.1] The next action: one in each phase before Operations; there units move while any can, then the turn ends."""
        phase = state.current_phase(position)
        if phase == state.OPERATIONS:
            return "move" if r04_sequence.undisrupted_units(position) else "" if r04_sequence.units_to_act(position) else "end"
        return {state.FACILITY: "facility", state.BOMBING: "bomb", state.SUPPLY: "supply"}[phase]

    @situation("mission", "an air mission from take-off to bombs", rule="5.2")
    async def mission_odds(self, referee: IraqWarReferee) -> Odds:
        from companion.games.iraqwar2003.odds import mission_odds_of

        return await mission_odds_of(referee)

    @situation("target", "the best target of an air group among those named", rule="5.7")
    async def target_odds(self, referee: IraqWarReferee) -> Odds:
        from companion.games.iraqwar2003.odds import best_target

        return await best_target(referee)

    @situation("combat", "a ground combat, with or without air support", rule="13.4")
    async def combat_odds(self, referee: IraqWarReferee) -> Odds:
        from companion.games.iraqwar2003.odds import combat_odds_of

        return await combat_odds_of(referee)

    @situation("cp", "command points: Radio against the die", rule="11.1")
    async def command_point_odds(self, referee: IraqWarReferee) -> Odds:
        from companion.games.iraqwar2003.odds import cp_odds_of

        return await cp_odds_of(referee)

    @property
    def has_bot(self) -> bool:
        return True

    async def bot(self, referee: IraqWarReferee) -> None:
        """Say what Companion would do for Iraq now, and why."""
        await referee.planner.say_proposal()

    # -- texts ---------------------------------------------------------------------------------------------------------

    def banner(self, position: Position, options: Mapping[str, str]) -> Banner:
        side_title = state.SIDE_TITLES[state.current_side(position)]
        phase_title = r04_sequence.PHASE_TITLES[state.current_phase(position)]
        score = rules.r15_victory.count_points(position, self.tables.charts)
        needed = self.tables.charts["victory"].number("needed", "vp")
        fields = [
            Field("vp", "VP", f"{score.total} of {needed}", score.total, {"needed": needed}),
            Field("cp", "CP", str(position.track("cp"))),
        ]
        sites = ((notation.RADIO, "radio", "Radio"), (notation.AIRFIELD, "air_fields", "Air Fields"))
        fields += [Field(key, title, _left(position, kind)) for kind, key, title in sites]
        radar = {sector: _left(position, notation.RADAR, sector) for sector in notation.SECTORS}
        counts = {sector: int(intact_text) for sector, intact_text in radar.items() if intact_text.isdecimal()}
        fields.append(Field("radar", "Radar N/C/S", "/".join(radar.values()), numbers=counts))
        for box, title in state.SIDE_TITLES.items():
            ready = sum(piece.kind == state.AIR for piece in position.at(state.available_box(box)))
            used = len(position.at(state.used_box(box)))
            air_text = f"{ready} ready, {used} used"
            fields.append(Field(f"{box}_air", f"{title} air", air_text, numbers={"ready": ready, "used": used}))
        stage = f"Turn {position.track('turn')}, {side_title} player, {phase_title} Phase"
        return Banner("After the last turn" if self.over(position) else stage, tuple(fields), _reminders(position))

    def score(self, position: Position, options: Mapping[str, str]) -> Score:
        """[15.2] Victory points if the game ended now."""
        return rules.r15_victory.count_points(position, self.tables.charts)

    def over(self, position: Position) -> str:
        return str(position.flag(state.OVER) or "")

    def track_ends(self, track: str, position: Position, facts: Mapping[str, str]) -> TrackEnds:
        """[2.1.5(1), 11.1, 15.2] The boxes of the Turn Track, the most command points, and one turn in Kuwait for each turn."""
        ends = super().track_ends(track, position, facts)
        if track == "turn":
            return TrackEnds(1, int(facts["turns"]) if facts.get("turns", "").isdecimal() else None)
        if track == "kuwait":
            return ends._replace(high=position.track("turn"))
        return ends._replace(high=rules.r04_sequence.most_command_points(position)) if track == "cp" else ends

    def flag_title(self, flag: str) -> str:
        if flag.startswith(state.CONTROL):
            return f"Control of {flag.removeprefix(state.CONTROL)}"
        return {state.STORM: "Sand storm (Weather marker)"}.get(flag, "")

    def face_title(self, piece: Piece, face: str) -> str:
        if piece.kind == state.UNIT:
            return {"front": "full strength side", "reduced": "reduced side"}.get(face, face)
        return {"front": "front", "back": "back"}.get(face, face)

    def mark_title(self, mark: str) -> str:
        return "damaged on turn" if mark == state.DAMAGED else mark

    def side(self, piece: Piece) -> str:
        return notation.side_of(piece) if piece.values.get("nation") else ""

    def is_narrated(self, event: Event) -> bool:
        """[3.0] False for units that are set up, which are listed by region, for printed boxes, and for counts of 0."""
        if isinstance(event, PieceMade):
            return event.piece != state.BOX and (event.rule != "3.0" or event.place == state.OFF_MAP)
        if isinstance(event, TrackMoved):
            return event.was != event.now
        return not isinstance(event, PieceMoved) or event.rule != "3.0"

    def mark_sentence(self, names: str, count: int, mark: str, value: Value) -> str:
        if mark not in _MARKED:
            return super().mark_sentence(names, count, mark, value)
        on, off = _MARKED[mark][:2] if count == 1 else _MARKED[mark][2:]
        when = "" if isinstance(value, bool) else f" (turn {value})"
        return f"{names} {off}" if value is None or value is False else f"{names} {on}{when}"

    def flip_sentence(self, names: str, count: int, piece: Piece, face: str) -> str:
        shown = _TURNED.get((piece.kind, face), self.face_title(piece, face))
        return f"{names} {'is' if count == 1 else 'are'} {shown}"

    def track_sentence(self, track: str, was: int, now: int) -> str:
        return f"Turn {now}" if track == "turn" else super().track_sentence(track, was, now)

    def piece_title(self, piece: Piece) -> str:
        return f"{piece.name} ({counter_text(piece)})" if piece.kind == state.UNIT else piece.name

    def place_title(self, place: str) -> str:
        return f"hex {place}" if state.is_hex(place) else super().place_title(place)

    def contradictions(self, facts: Mapping[str, str]) -> list[str]:
        from companion.games.iraqwar2003.facts import contradictions

        return list(contradictions(facts))

    def printed_key(self, piece: Piece, is_new: bool) -> str:
        if not is_new or piece.kind not in (state.AIR, state.PALACE):
            return ""
        if piece.kind == state.PALACE:
            return f"palace:{piece.values.get('palace')}"
        kind, nation = str(piece.values.get("type")), piece.values.get("nation")
        return f"roster:{_ROSTER_OF_TYPE.get(kind, nation)}"

    # -- corrections ---------------------------------------------------------------------------------------------------

    def mark_names(self, piece: Piece) -> Mapping[str, tuple[Value, ...]]:
        if piece.kind == state.UNIT:
            return dict.fromkeys((state.DISRUPTED, state.OUT_OF_SUPPLY, state.MOVED), (True,))
        return {state.DAMAGED: tuple(range(1, 41))} if piece.kind == state.BOX else {}


def _left(position: Position, kind: str, sector: str = "") -> str:
    """The number of undamaged boxes of a kind, ``?`` before the display is entered."""
    candidates = [piece for piece in boxes(position, kind) if sector in ("", notation.sector_of(piece))]
    return str(len(intact(candidates))) if candidates else "?"


def _reminders(position: Position) -> tuple[str, ...]:
    """Reminders for the banner."""
    reminders = []
    if position.flag(state.STORM):
        reminders.append("Sand storm: 4 or more grounds all air units of a phase or combat segment [16.6(3)]")
    roads = [piece.name for piece in position.at(state.ROADS)]
    if roads:
        reminders.append(f"Destroyed roads: {', '.join(roads)} [14.2]")
    fields = boxes(position, notation.AIRFIELD)
    if fields and not intact(fields):
        reminders.append("No air field is left: Iraq can use no air unit [5.8.2(2)]")
    elif fields and used_up(position) >= len(intact(fields)):
        reminders.append("Iraq has used all its air fields this turn [5.8.2(1)]")
    return tuple(reminders)
