"""Fallujah 2004 as the rest of the program sees it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from companion.core.dice import cup_contents
from companion.core.events import Event, Said
from companion.core.game import Action, Banner, Field, Game, Obstacle, Score, Situation
from companion.core.position import Piece, Position, Value
from companion.core.procedures import Named
from companion.core.text import signed
from companion.core.vocabulary import PLAYER
from companion.games.fallujah2004 import names
from companion.games.fallujah2004.pieces import fights, is_netwar, lies_concealed, lies_open
from companion.games.fallujah2004.words.spaces import IN_PLAY

if TYPE_CHECKING:
    from companion.games.fallujah2004.referee import Fallujah

_REDUCED = names.REDUCED


class _Operation(Named):
    """A procedure that is an operation; where it ends the game, the count of victory follows at once [8.1, 10.4]."""

    __slots__ = ()

    async def _run(self, referee: Fallujah) -> None:
        from companion.games.fallujah2004.rules.r35_players import who_commands

        await who_commands(referee)
        await super()._run(referee)
        if referee.position.flag(names.OVER):
            from companion.games.fallujah2004.rules.r06_victory import final_count

            await final_count(referee)


def _in_setup(position: Position) -> Obstacle | None:
    if position.flag(names.STAGE) == "set-up":
        return None
    return Obstacle("the first order of battle is bought before the first operation", "7.1(2)", "Recruit with j1")


def _operation(position: Position) -> Obstacle | None:
    if position.flag(names.STAGE) == "set-up" and not any(
        piece.place == names.AVAILABLE or piece.place.endswith("base") for piece in position.pieces.values()
    ):
        return Obstacle("you have bought nothing yet; the first operation ends the set-up", "7.1(2)", "Buy first: buy 3/1, 2 air")
    return None


def _second(position: Position) -> Obstacle | None:
    if not position.flag(names.CAMPAIGN):
        return Obstacle(
            "only the campaign has a second battle", "30.0", "Start one: companion new fallujah2004 --scenario campaign"
        )
    if position.flag(names.CAMPAIGN) == "won":
        return Obstacle("the campaign is won", "30.2", "Start another")
    if position.flag(names.BATTLE) == 1 and position.flag(names.OVER):
        return None
    if position.flag(names.OVER):
        return Obstacle("the second battle was not won: the campaign is lost", "30.2(5)", "Start another")
    return Obstacle("the second battle follows the end of the first", "30.2", "Play the first to its end")


def _lies(piece: Piece, other: Piece) -> str:
    """Where a concealed Node is on the table; ``other`` is the same one at another time, which may know its space."""
    space = piece.marks.get(names.FIRST) or other.marks.get(names.FIRST)
    return str(space) if piece.place == names.UNOPENED and space else piece.place


class FallujahGame(Game):
    """Fallujah 2004: City Fighting in Iraq."""

    id = "fallujah2004"
    facts_in = "words.facts"
    by_hand = "byhand"
    map_in = "geography"
    players_in = "players"

    def referee(self, position: Position, options: Mapping[str, str]) -> Fallujah:
        from companion.games.fallujah2004.referee import Fallujah

        return Fallujah(position, options, self.tables.charts)

    async def setup(self, referee: Fallujah) -> None:
        """[7.0] The scenario's set-up."""
        from companion.games.fallujah2004.rules.r07_setup import Sample, set_up

        chosen = referee.option("scenario")
        first = chosen != "phantom_fury"
        data = self.tables.game["scenario_data"]["vigilant_resolve" if first else "phantom_fury"]
        await set_up(referee, Sample(self.tables.counters), data, first)

    async def _second_battle(self, referee: Fallujah) -> None:
        from companion.games.fallujah2004.rules.r07_setup import second_battle

        data = self.tables.game["scenario_data"]["second_battle"]
        carried = referee.option("campaign_morale") == "carried"
        await second_battle(referee, data["ops"], referee.position.track("morale") if carried else data["morale"])

    @cached_property
    def actions(self) -> Sequence[Action]:
        def operation(where: str) -> Named:
            return _Operation(self.procedure(where).package, where)

        offensive = operation("rules.r10_operations:offensive")
        networked = operation("rules.r10_operations:networked")
        interdict = operation("rules.r10_operations:interdict")
        described = self.procedure("rules.r16_described:described_battle")
        return (
            Action("j1", "Recruiting", "11.0", operation("rules.r11_recruiting:recruit"), _operation),
            Action("j2", "ISR: NetWar markers look at concealed Nodes", "12.0", operation("rules.r12_netwar:isr"), _operation),
            Action("j3", "Offensive: move a force, reaction, combat, capture", "10.1", offensive, _operation),
            Action("j4", "Logistics: refit, bridge repair, FOB", "18.0", operation("rules.r18_logistics:logistics"), _operation),
            Action("j5", "InfoWar: NetWar markers for OPs", "19.0", operation("rules.r12_netwar:infowar"), _operation),
            Action("buy", "buy the first order of battle", "7.1(2)", self.procedure("rules.r11_recruiting:buy"), _in_setup),
            Action("networked", "Offensive of several forces (option)", "32.0", networked, self._needs("networked")),
            Action("interdict", "Air strikes on a revealed Node (option)", "33.0", interdict, self._needs("interdiction")),
            Action("end", "declare the end and count victory", "8.1(b)", self.procedure("rules.r06_victory:declare_end")),
            Action("second", "set up the second battle of the campaign", "30.2", self._second_battle, _second, usual=False),
            Action("battle", "resolve a battle that is only described", "16.0", described, alone=True, usual=False),
        )

    def default_action(self, position: Position) -> str:
        """[7.1(2)] [30.2] The first order of battle while nothing is bought; the second battle after the first."""
        if _operation(position):
            return "buy"
        return "" if _second(position) else "second"

    def _needs(self, option: str) -> Callable[[Position], Obstacle | None]:
        """An optional rule is played only where the session has it on; the set-up writes that on the position."""

        def check(position: Position) -> Obstacle | None:
            if position.flag(names.option_flag(option)) == "on":
                return _operation(position)
            rule, title = self.options[option].rule, self.options[option].title.partition(":")[0]
            return Obstacle(
                f"this game is played without {title}", rule, f"A new one: companion new {self.id} --option {option}=on"
            )

        return check

    @property
    def situations(self) -> Sequence[Situation]:
        return (
            Situation("battle", "a battle to its end", "16.1", self.procedure("odds.situations:battle_odds_of")),
            Situation("j3", "a J-3: reaction, battle, costs", "10.1", self.procedure("odds.situations:offensive_odds_of")),
            Situation("edge", "the Tactical Edge", "16.1(2)", self.procedure("odds.situations:tactical_edge_odds")),
            Situation("morale", "a morale check", "9.2", self.procedure("odds.situations:morale_odds")),
            Situation("isr", "J-2 ISR on one Node", "12.1", self.procedure("odds.situations:isr_odds")),
            Situation("infowar", "J-5 InfoWar", "19.0", self.procedure("odds.situations:infowar_odds")),
            Situation("infiltration", "SOF through Node spaces", "27.1", self.procedure("odds.situations:infiltration_odds")),
            Situation("draw", "the next reaction, by what the cup holds", "14.1", self.procedure("odds.situations:draw_odds_of")),
        )

    def contradictions(self, facts: Mapping[str, str]) -> list[str]:
        """[3.1, 13.0, 14.7] What the map cannot be."""
        from companion.games.fallujah2004.words import contradictions

        return contradictions.contradictions(facts)

    # -- the words ---------------------------------------------------------------------------------------------

    def banner(self, position: Position, options: Mapping[str, str]) -> Banner:
        """Stage, tracks, cups, what is in hand."""
        stage = {"set-up": "Set-up", "over": "The game is over"}.get(str(position.flag(names.STAGE)), "Operations")
        if options.get("scenario") == "campaign":
            stage += ", first battle" if position.flag(names.BATTLE) == 1 else ", second battle"
        available = position.at(names.AVAILABLE)
        netwar = sum(is_netwar(piece) for piece in available)
        strikes, morale = len(available) - netwar, position.track("morale")
        cup = cup_contents(position, names.REACTION_CUP)
        concealed = sum(lies_concealed(piece) for piece in position.of_kind(names.CONCEALED))
        revealed = sum(lies_open(piece) for piece in position.of_kind(names.NODE))
        captured = sum(piece.kind == names.NODE for piece in position.at(names.CAPTURED))
        fields = (
            Field("ops", "OPs", str(position.track("ops"))),
            Field("kia", "KIA", signed(position.track("kia"))),
            Field("morale", "Morale", self.track("morale", morale), morale),
            Field("operations", "Operations", str(position.track("operations"))),
            Field(
                "nodes",
                "Nodes",
                f"{concealed} concealed, {f'{revealed} revealed, ' if revealed else ''}{captured} captured",
                numbers={"concealed": concealed, "revealed": revealed, "captured": captured},
            ),
            Field("reaction_cup", "Reaction cup", str(sum(cup.values()))),
            Field("strikes", "Strikes", f"{strikes}, NetWar {netwar}", numbers={"strikes": strikes, "netwar": netwar}),
        )
        reminders = []
        if position.flag(names.UPRISING):
            reminders.append("Uprising Elsewhere: combat units cost double [14.5]")
        if position.at(names.KEPT):
            reminders.append(f"Kept leaders to assign: {', '.join(piece.name for piece in position.at(names.KEPT))} [30.2(1)]")
        return Banner(stage, fields, tuple(reminders))

    def score(self, position: Position, options: Mapping[str, str]) -> Score:
        """[6.1] The victory points if the game ended now."""
        from companion.games.fallujah2004.rules.r06_victory import count

        return count(position, self.tables.charts, options.get("node_denies_control") == "yes")

    def over(self, position: Position) -> str:
        return str(position.flag(names.OVER) or "")

    def track(self, track: str, value: int) -> str:
        """[21.0] KIA goes both ways, and has its sign wherever it stands."""
        return signed(value) if track == "kia" else super().track(track, value)

    def flag_title(self, flag: str) -> str:
        return {names.UPRISING: "Uprising Elsewhere in the Events in Play box", names.MSR_CLEARED: "MSR cleared"}.get(flag, "")

    def place_title(self, place: str) -> str:
        return self.places.get(place, place)

    def face_title(self, piece: Piece, face: str) -> str:
        return {names.FULL: "full-strength side", names.REDUCED: "reduced side"}.get(face, face)

    def mark_title(self, mark: str) -> str:
        return "" if mark == "first" else mark

    def mark_sentence(self, names: str, many: int, mark: str, value: Value) -> str:
        """[29.0] A leader is with a unit; what a helicopter did first is Companion's own."""
        if mark != "with":
            return super().mark_sentence(names, many, mark, value)
        return f"{names} {'is' if many == 1 else 'are'} with {value or 'no unit'}"

    def flip_sentence(self, names: str, many: int, piece: Piece, face: str) -> str:
        """[16.3, 18.0] A unit loses its strength step, or gets it back."""
        return f"{names} {'is' if many == 1 else 'are'} {'REDUCED' if face == _REDUCED else 'at full strength'}"

    def piece_fix_lines(self, old: Piece | None, new: Piece | None) -> list[str] | None:
        """Nodes: one that was placed at the start lies in its space before Companion hears of the space, and turning one
        up takes it, in our books, out of those that nobody has seen.
        """
        if old is None or new is None or (old.place == new.place and old.kind != names.CONCEALED):
            return None
        if old.kind == names.NODE and new.place == names.NODE_CUP:
            return [f"Turn {{}} face down again ({self.place_title(old.place)})"]
        if old.kind == names.NODE and old.place == names.NODE_CUP:
            return [f"Place {{}} face up in {self.place_title(new.place)}"]
        if old.kind != names.CONCEALED:
            return None
        was, now = _lies(old, new), _lies(new, old)
        if was == now:
            return []
        if now == names.OFF:
            return [f"Turn up the concealed Node in {self.place_title(was)}"]
        if was == names.OFF:
            return [f"A concealed Node lies in {self.place_title(now)} again"]
        return [f"Move {{}} from {self.place_title(was)} to {self.place_title(now)}"]

    def is_narrated(self, event: Event) -> bool:
        """[30.2] What goes back where between the battles is said in a few lines."""
        return isinstance(event, Said) or event.why != names.CLEARED

    def side(self, piece: Piece) -> str:
        return PLAYER if piece.kind == names.UNIT else names.OPFOR if fights(piece) else ""

    def piece_title(self, piece: Piece) -> str:
        if piece.kind == names.UNIT:
            from companion.games.fallujah2004.pieces import side_of

            return f"{piece.name} {side_of(piece)}" + (" reduced" if piece.face == names.REDUCED else "")
        return piece.name

    # -- corrections -------------------------------------------------------------------------------------------

    def mark_names(self, piece: Piece) -> Mapping[str, tuple[Value, ...]]:
        """A leader's unit is the only mark that a player may need to correct."""
        return {names.WITH: ()} if piece.kind == names.LEADER else {}

    def place_fault(self, place: str, position: Position) -> str:
        return "" if place in self.places or place in IN_PLAY else f"the map has no space {place}"
