"""The game description of LZ Albany: actions, situations, banner and titles."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache

from companion.core.game import Banner, Fact, Field, Game, Obstacle, Score, Tables, action, situation
from companion.core.hints import TYPE_CHECKING, cast
from companion.core.position import Piece, Position, Value
from companion.core.text import matching_names, plural
from companion.games.lzalbany import state

if TYPE_CHECKING:
    from companion.core.requests import AnyRequest, Odds
    from companion.games.lzalbany.ai.planner import Planner
    from companion.games.lzalbany.ai.policies import AlbanyPlayers
    from companion.games.lzalbany.areas import AlbanyMap
    from companion.games.lzalbany.corrections import AlbanyCorrections
    from companion.games.lzalbany.referee import AlbanyReferee, GameData

_GROUP_NAMES = {"ab15": "AB/1-5", "ab27": "AB/2-7", "cd27": "CD/2-7", "33": "33", "66": "66", "66hq": "66-HQ"}
_PHASES: dict[state.Phase, str] = {
    "deploy": "Set-up",
    "reinforcement": "Reinforcement Phase",
    "event": "Event Phase",
    "action": "Action Phase",
    "rally": "Rally Phase",
    "administrative": "Administrative Phase",
    "over": "The game is over",
}

_MARK_REMOVED = {
    state.HITS: ("loses its hit markers", "lose their hit markers"),
    state.INCIDENT: ("loses its marker", "lose their markers"),
    state.ACTS: ("can act again", "can act again"),
}
"""What removing a mark does, for one counter and for several."""
_TIMES: dict[Value, str] = {1: "once", 2: "twice"}
_MAY_NOT = {state.NO_FIRE: "not fire", state.NO_MOVE: "not move", state.NOTHING: "neither fire nor move"}


def _in_phase(phase: state.Phase, rule: str) -> Callable[[Position], Obstacle | None]:
    def check(position: Position) -> Obstacle | None:
        current = state.phase_of(position)
        return None if current == phase else _wrong_phase(current, rule)

    return check


@cache
def _wrong_phase(current: state.Phase | None, rule: str) -> Obstacle:
    phase = _PHASES[current] if current else "time before the game"
    return Obstacle(f"this is the {phase}", rule, "Go on with: next")


def _is_set_up(position: Position) -> Obstacle | None:
    return None if position.flag(state.PHASE) else Obstacle("no game is set up", "3.2", "Begin one: companion new lzalbany")


class AlbanyGame(Game["AlbanyReferee"]):
    """LZ Albany: Ia Drang Valley, 17-18 November 1965."""

    id = "lzalbany"
    value_names = ("fire", "melee", "back fire", "back melee", "turn", "chit", "side", "company", "group", "type", "senior")
    named_place_flag = state.NAMED_AREA

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables)
        self._data: GameData | None = None

    def referee(self, position: Position, options: Mapping[str, str]) -> AlbanyReferee:
        from companion.games.lzalbany.referee import AlbanyReferee, GameData

        if self._data is None:
            self._data = GameData(self.tables, self.planner)
        return AlbanyReferee(position, options, self._data)

    @staticmethod
    def planner(referee: AlbanyReferee, side: state.Side) -> Planner:
        """The opponent of a side, also for options of old sessions that name former opponents."""
        from companion.games.lzalbany.ai.planner import Planner

        return Planner(referee, side)

    def make_corrections(self) -> AlbanyCorrections:
        from companion.games.lzalbany.corrections import AlbanyCorrections

        return AlbanyCorrections(self)

    def make_map(self) -> AlbanyMap:
        from companion.games.lzalbany.areas import AlbanyMap

        return AlbanyMap(self)

    def make_players(self) -> AlbanyPlayers:
        from companion.games.lzalbany.ai.policies import AlbanyPlayers

        return AlbanyPlayers(self)

    def why_not(self, request: AnyRequest, name: str) -> tuple[str, str] | None:
        """Why a thing of the game cannot be chosen at a question, with the rule."""
        from companion.games.lzalbany.exclusions import why_not

        return why_not(self, cast("AlbanyReferee", request.referee), request, name)

    @property
    def facts(self) -> Sequence[Fact]:
        from companion.games.lzalbany.notation import FACTS

        return FACTS

    async def setup(self, referee: AlbanyReferee) -> None:
        """[3.2] The set-up."""
        from companion.games.lzalbany.rules.r03_turn import set_up

        await set_up(referee)

    def default_action(self, position: Position) -> str:
        """[3.3] The next phase or chit."""
        return "next" if position.flag(state.PHASE) not in (None, "over") else ""

    def action_hint(self, text: str) -> str:
        """[3.6, 5.2] When units fire, move and fight."""
        if not matching_names(text, ("fire", "move", "melee", "attack", "shoot")):
            return ""
        return (
            "Your units fire or move when a Fire/Move chit of your side is drawn: next draws it in the Action Phase. "
            "Odds of a fire: /odds fire; a fight that you only describe: firefight, brawl"
        )

    @action("next", "go on: the next phase, or the next chit", rule="3.3", when=_is_set_up, ends=True)
    async def next_action(self, referee: AlbanyReferee) -> None:
        from companion.games.lzalbany.rules.r03_turn import go_on

        await go_on(referee)

    @action("deploy", "place the forces of the set-up", rule="3.2", when=_in_phase("deploy", "3.2"))
    async def deploy_action(self, referee: AlbanyReferee) -> None:
        from companion.games.lzalbany.rules.r03_turn import deploy

        await deploy(referee)

    @action("reinforce", "Reinforcement Phase", rule="3.4", when=_in_phase("reinforcement", "3.4"), ends=True)
    async def reinforce_action(self, referee: AlbanyReferee) -> None:
        from companion.games.lzalbany.rules.r03_turn import reinforce

        await reinforce(referee)

    @action("event", "Event Phase", rule="3.5", when=_in_phase("event", "3.5"), ends=True)
    async def event_action(self, referee: AlbanyReferee) -> None:
        from companion.games.lzalbany.rules.r03_turn import event_phase

        await event_phase(referee)

    @action("chit", "Action Phase: draw the next chit and play it", rule="3.6", when=_in_phase("action", "3.6"))
    async def chit_action(self, referee: AlbanyReferee) -> None:
        from companion.games.lzalbany.rules.r05_chits import draw_chit

        await draw_chit(referee)

    @action("rally", "Rally Phase", rule="3.7", when=_in_phase("rally", "3.7"), ends=True)
    async def rally_action(self, referee: AlbanyReferee) -> None:
        from companion.games.lzalbany.rules.r03_turn import rally_phase

        await rally_phase(referee)

    @action("admin", "Administrative Phase", rule="3.8", when=_in_phase("administrative", "3.8"), ends=True)
    async def admin_action(self, referee: AlbanyReferee) -> None:
        from companion.games.lzalbany.rules.r03_turn import administrative

        await administrative(referee)

    @action("arrange", "say where counters are on your board", rule="2.2", when=_is_set_up, usual=False)
    async def arrange_action(self, referee: AlbanyReferee) -> None:
        from companion.games.lzalbany.rules.r02_map import arrange

        await arrange(referee)

    @action("strength", "another strength for a counter, or a new one", rule="2.4", when=_is_set_up, usual=False)
    async def strength_action(self, referee: AlbanyReferee) -> None:
        from companion.games.lzalbany.rules.r02_map import counter

        await counter(referee)

    @action("firefight", "ranged fire that is only described", rule="7.3", alone=True, usual=False)
    async def firefight_action(self, referee: AlbanyReferee) -> None:
        from companion.games.lzalbany.situations import firefight

        await firefight(referee)

    @action("brawl", "a melee that is only described", rule="7.2", alone=True, usual=False)
    async def brawl_action(self, referee: AlbanyReferee) -> None:
        from companion.games.lzalbany.situations import brawl

        await brawl(referee)

    @situation("fire", "ranged infantry fire with its return fire", rule="7.3")
    async def fire_situation(self, referee: AlbanyReferee) -> Odds:
        from companion.games.lzalbany.situations import fire_situation

        return await fire_situation(referee)

    @situation("melee", "one round of melee", rule="7.2")
    async def melee_situation(self, referee: AlbanyReferee) -> Odds:
        from companion.games.lzalbany.situations import melee_situation

        return await melee_situation(referee)

    @situation("mortar", "mortar fire", rule="7.4")
    async def mortar_situation(self, referee: AlbanyReferee) -> Odds:
        from companion.games.lzalbany.situations import mortar_situation

        return await mortar_situation(referee)

    @situation("artillery", "one artillery platoon, off target included", rule="7.5")
    async def artillery_situation(self, referee: AlbanyReferee) -> Odds:
        from companion.games.lzalbany.situations import artillery_situation

        return await artillery_situation(referee)

    @situation("gunship", "a gunship, damage included", rule="7.6")
    async def gunship_situation(self, referee: AlbanyReferee) -> Odds:
        from companion.games.lzalbany.situations import gunship_situation

        return await gunship_situation(referee)

    @situation("bombs", "the Skyraider's bombs", rule="7.7A")
    async def bombs_situation(self, referee: AlbanyReferee) -> Odds:
        from companion.games.lzalbany.situations import bombs_situation

        return await bombs_situation(referee)

    @situation("rally", "a Rally Phase of one side", rule="9.0")
    async def rally_situation(self, referee: AlbanyReferee) -> Odds:
        from companion.games.lzalbany.situations import rally_situation

        return await rally_situation(referee)

    @property
    def has_bot(self) -> bool:
        return True

    async def bot(self, referee: AlbanyReferee) -> None:
        """What the opponent would do with the next Fire/Move chit of either side."""
        from companion.games.lzalbany.ai.planner import explain

        await explain(referee)

    def banner(self, position: Position, options: Mapping[str, str]) -> Banner:
        """[2.3] Turn and phase, points, pool, group tracks and reminders."""
        turn = position.track(state.TURN)
        night = state.is_night(self.tables.charts["turns"], turn)
        phase = state.phase_of(position)
        stage = f"Turn {turn}{' (night)' if night else ''}, {_PHASES[phase] if phase else 'no game'}"
        acted = [f"{name} {used}" for group, name in _GROUP_NAMES.items() if (used := self._chits(position, group))]
        fields = [
            Field("us_vp", "US VP", str(position.track(state.US_VP))),
            Field("nva_vp", "NVA VP", str(position.track(state.NVA_VP))),
            Field("pool", "Pool", plural(position.count(state.POOL), "chit"), position.count(state.POOL)),
            Field("groups", "Acted", ", ".join(acted) or "nobody"),
        ]
        if options.get("handicap", "0") != "0":
            from companion.games.lzalbany.rules.r04_victory import handicap

            given = handicap(options)
            side = state.US if given > 0 else state.NVA
            fields.append(Field("handicap", "Handicap", f"{side} +{abs(given)} at the end", given))
        if night:
            fields.append(Field("flares", "Flares", str(position.track(state.FLARES))))
        return Banner(stage, tuple(fields), self._reminders(position))

    @staticmethod
    def _chits(position: Position, group: str) -> str:
        return " + ".join(action for action in (state.FIRE, state.MOVE) for _ in position.at(state.track_box(group, action)))

    def _reminders(self, position: Position) -> tuple[str, ...]:
        reminders: list[str] = []
        if position.flag(state.RETREAT):
            reminders.append("The NVA retreats: Moves only, towards a map edge [5.2E]")
        if position.at(state.VISIBILITY_BOX):
            reminders.append("Visibility is out: no air strikes [5.6]")
        reminders += [f"{side} holds Adrenaline [5.3]" for side in state.SIDES if position.at(state.adrenaline_box(side))]
        units = [unit for unit in position.of_kind(state.UNIT) if unit.marks.get(state.INCIDENT)]
        if marked := [f"{unit.name} {unit.marks[state.INCIDENT]}" for unit in units]:
            reminders.append(f"Incident markers on {', '.join(marked)} [3.5]")
        return tuple(reminders)

    def score(self, position: Position, options: Mapping[str, str]) -> Score:
        """[4.1] The points of both sides if the game ended now."""
        from companion.games.lzalbany.rules.r04_victory import count

        return count(position, self.tables.charts["victory"], options)

    def over(self, position: Position) -> str:
        return str(position.flag(state.OVER) or "")

    def player_named_places(self, position: Position) -> Collection[str]:
        """[2.2] The areas that were described or named, or hold a counter."""
        from companion.games.lzalbany.areas import AreaMap

        return AreaMap(position).areas()

    def contradictions(self, facts: Mapping[str, str]) -> list[str]:
        """Map facts that cannot be true together (6.2, 6.5, 7.4, 7.8)."""
        from companion.games.lzalbany.areas import contradictions

        return contradictions(facts)

    def flag_title(self, flag: str) -> str:
        return {state.RETREAT: "NVA retreat"}.get(flag, "")

    def face_title(self, piece: Piece, face: str) -> str:
        return "front" if face == state.FRONT else f"{face} side"

    def printed_key(self, piece: Piece, is_new: bool) -> str:
        return f"roster:{piece.values['company']}" if is_new and "company" in piece.values else ""

    def side(self, piece: Piece) -> str:
        return str(piece.values.get("side") or "").casefold()

    def mark_sentence(self, names: str, count: int, mark: str, value: Value) -> str:
        """[8.2, 3.5, 10.1] Hits, incident markers, and activations of officers."""
        if mark not in (state.HITS, state.INCIDENT, state.ACTS) or (mark == state.HITS and not isinstance(value, int | None)):
            return super().mark_sentence(names, count, mark, value)
        if value is None or value is False:
            return f"{names} {_MARK_REMOVED[mark][count > 1]}"
        have = "has" if count == 1 else "have"
        if mark == state.HITS:
            hits = plural(value, "hit") if isinstance(value, int) else f"hits {value}"
            return f"{names} now {have} {hits}" + ("" if count == 1 else " each")
        if mark == state.INCIDENT:
            return f"{names} may {_MAY_NOT.get(str(value), str(value))} this turn"
        return f"{names} {have} acted {_TIMES.get(value, f'{value} times')} this turn"

    def flip_sentence(self, names: str, count: int, piece: Piece, face: str) -> str:
        shown = {state.FRONT: "at full strength", state.REDUCED_SIDE: "REDUCED", state.WOUNDED_SIDE: "WOUNDED"}
        if piece.kind == state.OFFICER:
            shown[state.FRONT] = "unwounded"
        return f"{names} {'is' if count == 1 else 'are'} {shown.get(face, self.face_title(piece, face))}"

    def track_sentence(self, track: str, was: int, now: int) -> str:
        return f"Turn {now}" if track == state.TURN else super().track_sentence(track, was, now)

    def piece_title(self, piece: Piece) -> str:
        if piece.kind == state.UNIT:
            side = "" if piece.face == state.FRONT else "back "
            return f"{piece.name} {piece.number(f'{side}fire')}-{piece.number(f'{side}melee')}"
        return piece.name

    def mark_names(self, piece: Piece) -> Mapping[str, tuple[Value, ...]]:
        """The marks that a correction can set."""
        if piece.kind == state.UNIT:
            return {state.HITS: (1, 2), state.INCIDENT: state.INCIDENTS}
        return {state.ACTS: (1, 2)} if piece.kind == state.OFFICER else {}
