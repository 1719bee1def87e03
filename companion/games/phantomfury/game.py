"""The description of Phantom Fury: actions, situations, status, texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from companion.core.game import Banner, Fact, Field, Game, Obstacle, Score, TrackEnds, action, situation
from companion.core.hints import TYPE_CHECKING, cast
from companion.core.position import Piece, Position, Value
from companion.core.text import signed
from companion.core.vocabulary import FRONT, PLAYER
from companion.games.phantomfury import state
from companion.games.phantomfury.referee import PHASES, FuryReferee, last_turn, phase_title

if TYPE_CHECKING:
    from companion.core.request import AnyRequest, Odds
    from companion.games.phantomfury.ai.policies import PhantomFuryPlayers
    from companion.games.phantomfury.corrections import PhantomFuryCorrections
    from companion.games.phantomfury.map import PhantomFuryMap


def _until_phase(phase: int, rule: str) -> Callable[[Position], Obstacle | None]:
    """Return the check of an action that can be taken until a later Phase begins [8.0]."""

    def check(position: Position) -> Obstacle | None:
        if position.track("phase") <= phase:
            return None
        text = f"the {PHASES[phase]} Phase of this turn is over; this is the {phase_title(position)} Phase"
        return Obstacle(text, rule, "Go on, or: end")

    return check


def _no_support(position: Position) -> Obstacle | None:
    if position.flag(state.SUPPORT_OVER):
        return Obstacle("the Support Phase ended with the insurgents' Reaction", "9.1", "Wait for the next turn")
    return _until_phase(0, "8.0")(position)


def _no_reinforcements(position: Position) -> Obstacle | None:
    if position.track("turn") < 2:
        return Obstacle("Reinforcements come from turn 2 on", "10.1", "Go on with: fire, move, assault or end")
    return _until_phase(1, "8.0")(position)


class PhantomFuryGame(Game[FuryReferee]):
    """Phantom Fury: one player with a Marine company against insurgents run by the rules."""

    id = "phantomfury"
    value_names = ("cf", "number", "squad")
    die = (10, 0)

    def make_corrections(self) -> PhantomFuryCorrections:
        from companion.games.phantomfury.corrections import PhantomFuryCorrections

        return PhantomFuryCorrections(self)

    def why_not(self, request: AnyRequest, name: str) -> tuple[str, str] | None:
        from companion.games.phantomfury.exclusions import why_not

        return why_not(self, cast("FuryReferee", request.referee), request, name)

    def make_map(self) -> PhantomFuryMap:
        from companion.games.phantomfury.map import PhantomFuryMap

        return PhantomFuryMap(self)

    def make_players(self) -> PhantomFuryPlayers:
        from companion.games.phantomfury.ai.policies import PhantomFuryPlayers

        return PhantomFuryPlayers(self)

    @property
    def facts(self) -> Sequence[Fact]:
        from companion.games.phantomfury.facts import FACTS

        return FACTS

    def referee(self, position: Position, options: Mapping[str, str]) -> FuryReferee:
        return FuryReferee(position, options, self.tables.charts)

    async def setup(self, referee: FuryReferee) -> None:
        """[6.0] Set up the scenario."""
        from companion.games.phantomfury.rules.r06_entry import set_up

        head = self.tables.game["scenario_data"][referee.option("scenario")]
        await set_up(referee, head)

    @action("mission", "call up a support Mission", rule="9.0", when=_no_support)
    async def mission(self, referee: FuryReferee) -> None:
        from companion.games.phantomfury.rules.r09_support import mission

        await mission(referee)

    @action("reinforce", "commit Reinforcements", rule="10.0", when=_no_reinforcements)
    async def reinforce(self, referee: FuryReferee) -> None:
        from companion.games.phantomfury.rules.r06_entry import reinforce

        await reinforce(referee)

    @action("fire", "Fire Combat of one unit", rule="11.0", when=_until_phase(2, "8.0"))
    async def fire(self, referee: FuryReferee) -> None:
        from companion.games.phantomfury.rules.r11_fire import fire

        await fire(referee)

    @action("move", "move one squad or M1A1", rule="12.0", when=_until_phase(3, "8.0"))
    async def move(self, referee: FuryReferee) -> None:
        from companion.games.phantomfury.rules.r12_movement import move

        await move(referee)

    @action("assault", "Assault by one squad", rule="13.0", when=_until_phase(4, "8.0"))
    async def assault(self, referee: FuryReferee) -> None:
        from companion.games.phantomfury.rules.r13_assault import assault

        await assault(referee)

    @action("end", "Reorganisation, and the end of the turn", rule="14.0", ends=True)
    async def end_turn(self, referee: FuryReferee) -> None:
        from companion.games.phantomfury.rules.r14_reorganisation import end_turn

        await end_turn(referee)

    @action("look", "the Zones at a glance", rule="4.1.4", usual=False, look=True)
    async def look(self, referee: FuryReferee) -> None:
        from companion.games.phantomfury.map import look

        await look(referee)

    @action("set-control", "who Controls a Zone", rule="4.1.4", usual=False)
    async def set_control(self, referee: FuryReferee) -> None:
        from companion.games.phantomfury.map import control

        await control(referee)

    @action("set-suspect", "a Suspect marker lies there", rule="5.3.2", usual=False)
    async def set_suspect(self, referee: FuryReferee) -> None:
        from companion.games.phantomfury.map import suspect

        await suspect(referee)

    @action("set-activated", "a Zone is Activated now", rule="4.1.3", usual=False)
    async def set_activated(self, referee: FuryReferee) -> None:
        from companion.games.phantomfury.map import activate

        await activate(referee)

    @action("zone", "fill in one Zone of the map", rule="4.1", alone=True, usual=False)
    async def fill_zone(self, referee: FuryReferee) -> None:
        from companion.games.phantomfury.map import fill_zone

        await fill_zone(referee)

    @action("clash", "an Assault that is only described", rule="13.4", alone=True, usual=False)
    async def described_assault(self, referee: FuryReferee) -> None:
        from companion.games.phantomfury.rules.r13_assault import described_assault

        await described_assault(referee)

    @situation("fire", "Fire Combat", rule="11.2")
    async def odds_of_fire(self, referee: FuryReferee) -> Odds:
        from companion.games.phantomfury.rules.r11_fire import odds_of_fire

        return await odds_of_fire(referee)

    @situation("assault", "one Assault, with or without explosives", rule="13.4")
    async def odds_of_assault(self, referee: FuryReferee) -> Odds:
        from companion.games.phantomfury.rules.r13_assault import odds_of_assault

        return await odds_of_assault(referee)

    @situation("flood", "Flooding to its end", rule="13.4.8")
    async def odds_of_flood(self, referee: FuryReferee) -> Odds:
        from companion.games.phantomfury.rules.r13_assault import odds_of_flood

        return await odds_of_flood(referee)

    @situation("entry", "Defensive Fire on entering a Zone", rule="12.7")
    async def odds_of_entry(self, referee: FuryReferee) -> Odds:
        from companion.games.phantomfury.rules.r12_movement import odds_of_entry

        return await odds_of_entry(referee)

    @situation("crossing", "crossing a Street Section", rule="12.5.2")
    async def odds_of_crossing(self, referee: FuryReferee) -> Odds:
        from companion.games.phantomfury.rules.r12_movement import odds_of_crossing

        return await odds_of_crossing(referee)

    @situation("mission", "Missions in a row against the Reaction", rule="9.1")
    async def odds_of_mission(self, referee: FuryReferee) -> Odds:
        from companion.games.phantomfury.rules.r09_support import odds_of_mission

        return await odds_of_mission(referee)

    @situation("regroup", "regrouping a Pinned squad", rule="14.3.4")
    async def odds_of_regrouping(self, referee: FuryReferee) -> Odds:
        from companion.games.phantomfury.rules.r14_reorganisation import odds_of_regrouping

        return await odds_of_regrouping(referee)

    def default_action(self, position: Position) -> str:
        """[8.0] The first of move, assault, fire, reinforce and mission that can be begun, else the end of the turn.

        Moving comes first although it ends the Phases before it: it asks for the unit, so a bare Enter commits to nothing.
        """
        if self.over(position):
            return ""
        from companion.core.errors import CompanionError
        from companion.core.procedures import ProcedureRun

        actions = {item.id: item for item in self.actions}
        for name in ("move", "assault", "fire", "reinforce", "mission"):
            if actions[name].obstacle(position) is None:
                referee = self.referee(position, {}).hypothetical()
                with suppress(CompanionError):
                    ProcedureRun(referee, actions[name].run(referee)).close()
                    return name
        return "end"

    def contradictions(self, facts: Mapping[str, str]) -> list[str]:
        """[4.1] Contradictions between entered Zones, Street Sections and the rulebook's examples."""
        from companion.games.phantomfury.facts import contradictions
        from companion.games.phantomfury.map import disagreements
        from companion.games.phantomfury.town import build_town, map_facts

        zones, sections = map_facts(facts)
        faults = [*contradictions(zones, sections), *disagreements(self.tables.charts["stated"], build_town(zones, sections))]
        start = facts.get("start", "").split()
        odd = [number for number, zone in zones.items() if zone.black and start and number not in start]
        faults += [(f"Zone {number} has a black circle, and is not among the nine: {', '.join(start)}", "6.2") for number in odd]
        return [f"{text} [{rule}]" for text, rule in faults]

    def banner(self, position: Position, options: Mapping[str, str]) -> Banner:
        """The status: turn and Phase, points, Missions, Zones, cups, Pinned squads."""
        zones = position.members(state.ZONES)
        taken = sum(state.is_controlled(position, zone) for zone in zones)
        squads = [piece for kind in (state.SQUAD, state.IIF) for piece in position.of_kind(kind) if state.on_map(piece)]
        stage = f"Turn {position.track('turn')} of {last_turn(position)}, {phase_title(position)} Phase"
        flown = {track: position.track(track) for track in state.MISSIONS}
        cups = {cup.split()[0]: position.count(cup) for cup in (state.INSURGENTS_CUP, state.SUSPECTS_CUP, state.ZONES_CUP)}
        missions = ", ".join(f"{name} {flown[track]}/{self.tracks[track].high}" for track, name in state.MISSIONS.items())
        fields = (
            Field("vp", "VP", signed(position.track("vp"))),
            Field("zones", "Zones", f"{taken} of {len(zones)}", taken, {"all": len(zones)}),
            Field("missions", "Missions", missions, numbers=flown),
            Field("squads", "Squads", str(len(squads))),
            Field("cups", "Cups", ", ".join(f"{count} {name}" for name, count in cups.items()), numbers=cups),
        )
        pinned = [piece.name for piece in squads if piece.mark(state.PINNED)]
        reminders = [f"Pinned: {', '.join(pinned)}"] if pinned else []
        if position.flag(state.SUPPORT_OVER) and position.track("phase") == 0:
            reminders.append("The Support Phase is over [9.1]")
        return Banner("The game is over" if position.flag(state.OVER) else stage, fields, tuple(reminders))

    def score(self, position: Position, options: Mapping[str, str]) -> Score:
        """[7.2.1] The Victory Points, itemised."""
        from companion.games.phantomfury.rules.r14_reorganisation import itemised_score

        return itemised_score(position, self.tables.charts)

    def over(self, position: Position) -> str:
        return str(position.flag(state.OVER) or "")

    def place_title(self, place: str) -> str:
        if place.startswith(state.BOX):
            return f"the Control box of Zone {place[len(state.BOX) :]}"
        if place.startswith(state.STREET) or state.location_of(place):
            return place
        return self.places.get(place, place)

    def face_title(self, piece: Piece, face: str) -> str:
        if piece.kind == state.INSURGENT:
            return state.FACES.get(face, face).title() + " side"
        if piece.kind == state.CONTROL:
            return {FRONT: "Activated side", state.USMC: "USMC Control side"}.get(face, face)
        return {FRONT: "front", state.REDUCED: "reduced side", state.LATER: "0030 side"}.get(face, face)

    def mark_sentence(self, names: str, count: int, mark: str, value: Value) -> str:
        """[11.3, 5.1.4, 5.1.5] A sentence about a marker placed on or removed from units."""
        on = value is not None and value is not False
        return f"{names} {_marks(mark, value, 'is' if count == 1 else 'are', 'has' if count == 1 else 'have', on)}"

    def flip_sentence(self, names: str, count: int, piece: Piece, face: str) -> str:
        is_ = "is" if count == 1 else "are"
        if state.is_squad(piece):
            return f"{names} {is_} REDUCED" if face == state.REDUCED else f"{names} {is_} at full strength"
        return super().flip_sentence(names, count, piece, face)

    def piece_fix_lines(self, old: Piece | None, new: Piece | None) -> list[str] | None:
        """[4.1.6] Rubble lies on the Locations that it destroys."""
        if new is None or new.name != state.RUBBLE or not new.place.startswith(state.BOX) or (old and old.place == new.place):
            return None
        return [f"Put {{}} on 2, 2' and R of Zone {new.place[len(state.BOX) :]}"]

    def track(self, track: str, value: int) -> str:
        """[7.2.1] The value of a track; Victory Points are signed."""
        return signed(value) if track == "vp" else super().track(track, value)

    def track_ends(self, track: str, position: Position, facts: Mapping[str, str]) -> TrackEnds:
        """[7.0, 15.0] The last turn depends on the scenario and the variant."""
        ends = super().track_ends(track, position, facts)
        return ends._replace(high=last_turn(position)) if track == "turn" else ends

    def track_sentence(self, track: str, was: int, now: int) -> str:
        if track == "phase":
            return f"{self.track(track, now)} Phase"
        return f"Turn {now}" if track == "turn" else super().track_sentence(track, was, now)

    def printed_key(self, piece: Piece, is_new: bool) -> str:
        if piece.kind == state.SQUAD and is_new:
            return f"squad:{piece.values.get('number')}"
        if piece.kind == state.CONTROL:
            return "activated" if is_new and piece.name in (state.PLAIN, state.STRONG) else ""
        return {state.INSURGENT: "insurgents", state.SUSPECT: "suspects"}.get(piece.kind, "")

    def side(self, piece: Piece) -> str:
        return PLAYER if state.is_ours(piece) else piece.kind if piece.kind in (state.INSURGENT, state.SUSPECT) else ""

    def piece_title(self, piece: Piece) -> str:
        if state.is_squad(piece):
            hero = f", {piece.mark('hero')}" if piece.mark(state.HERO) else ""
            caat = f", CAAT ammo {piece.mark('ammo', 0)}" if piece.mark(state.CAAT) else ""
            return f"{piece.name} ({state.short(piece)}) CF {state.fighter(piece).now}{hero}{caat}"
        if piece.kind == state.INSURGENT and state.zone_of(piece.place):
            return f"{state.kind_of(piece).title()} CF {state.cf_of(piece)} ({piece.name})"
        if piece.kind == state.SUSPECT:
            return f"Suspect {piece.name}"
        if piece.kind == state.CONTROL:
            return f"{piece.name}{', USMC Control' if piece.face == 'usmc' else ''}"
        return piece.name

    def mark_names(self, piece: Piece) -> Mapping[str, tuple[Value, ...]]:
        if not state.is_squad(piece):
            return {state.FIRED: (True,)} if piece.kind == state.TANK else {}
        return {
            state.FIRED: (True,),
            state.PINNED: (True,),
            state.CAAT: (True,),
            state.AMMO: (1, 2, 3, 4),
            state.EXPLOSIVES: (True,),
            state.HERO: tuple(state.HEROES),
        }

    def place_fault(self, place: str, position: Position) -> str:
        from companion.games.phantomfury.corrections import place_fault

        return place_fault(place, position)


def _marks(mark: str, value: Value, are: str, have: str, on: bool) -> str:
    """The predicate for a marker that is placed or removed."""
    said = {
        state.FIRED: (f"{have} Fired", f"{are} ready to fire again"),
        state.PINNED: (f"{are} PINNED", f"{are} no longer Pinned"),
        state.CAAT: (f"{have} a CAAT", f"{have} no CAAT"),
        state.AMMO: (f"{have} CAAT Ammo {value}", f"{have} no CAAT Ammo"),
        state.EXPLOSIVES: (f"{have} Explosives", f"{have} no Explosives"),
        state.HERO: (f"{have} a Hero, {value}", f"{have} no Hero"),
    }
    return said[mark][not on] if mark in said else f"{have} {'' if on else 'no '}{mark}"
