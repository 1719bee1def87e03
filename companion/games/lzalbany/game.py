"""LZ Albany as the rest of the program sees it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from companion.core.game import Action, Banner, Field, Game, Obstacle, Score, Situation, Tables
from companion.core.position import Piece, Position, Value
from companion.core.text import plural
from companion.games.lzalbany.names import (
    ACTS,
    FIRE,
    FLARES,
    FRONT,
    HITS,
    INCIDENT,
    INCIDENTS,
    MOVE,
    NAMED_AREA,
    NO_FIRE,
    NO_MOVE,
    NOTHING,
    NVA_VP,
    OFFICER,
    OVER,
    PHASE,
    POOL,
    REDUCED_SIDE,
    RETREAT,
    SIDES,
    TURN,
    UNIT,
    US_VP,
    VISIBILITY_BOX,
    WOUNDED_SIDE,
    held_box,
    track_box,
)

if TYPE_CHECKING:
    from companion.core.advice import Advice
    from companion.games.lzalbany.referee import Book, LzAlbany

_GROUPS = {"ab15": "AB/1-5", "ab27": "AB/2-7", "cd27": "CD/2-7", "33": "33", "66": "66", "66hq": "66-HQ"}
"""The unit groups as the banner writes them."""
_PHASES = {
    "deploy": "Set-up",
    "reinforcement": "Reinforcement Phase",
    "event": "Event Phase",
    "action": "Action Phase",
    "rally": "Rally Phase",
    "administrative": "Administrative Phase",
    "over": "The game is over",
}

_ONE = {
    HITS: "loses its hit markers",
    INCIDENT: "loses its marker",
    ACTS: "can act again",
    "have": "now has",
    "acted": "has acted",
}
"""What becomes of a counter whose mark comes off, and the verbs of one that bears it."""
_MANY = {
    HITS: "lose their hit markers",
    INCIDENT: "lose their markers",
    ACTS: "can act again",
    "have": "now have",
    "acted": "have acted",
}
_OFTEN: dict[Value, str] = {1: "once", 2: "twice"}
_MAY_NOT = {NO_FIRE: "not fire", NO_MOVE: "not move", NOTHING: "neither fire nor move"}


def _in_phase(phase: str, rule: str) -> Callable[[Position], Obstacle | None]:
    """An action that belongs to one phase."""

    def check(position: Position) -> Obstacle | None:
        now = str(position.flag(PHASE) or "")
        return None if now == phase else _wrong_phase(now, rule)

    return check


@cache
def _wrong_phase(now: str, rule: str) -> Obstacle:
    return Obstacle(f"this is the {_PHASES.get(now, 'time before the game')}", rule, "Go on with: next")


def _under_way(position: Position) -> Obstacle | None:
    return None if position.flag(PHASE) else Obstacle("no game is set up", "3.2", "Begin one: companion new lzalbany")


class AlbanyGame(Game):
    """LZ Albany: Ia Drang Valley, 17-18 November 1965."""

    id = "lzalbany"
    facts_in = "words.facts"
    by_hand = "byhand"
    named_place_flag = NAMED_AREA
    map_in = "geography"
    players_in = "players"

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables)
        self._book: Book | None = None
        self._actions = self._all_actions()

    def referee(self, position: Position, options: Mapping[str, str]) -> LzAlbany:
        from companion.games.lzalbany.referee import Book, LzAlbany

        if self._book is None:
            self._book = Book(self.tables, self._advise)
        return LzAlbany(position, options, self._book)

    @staticmethod
    def _advise(opponent: str, decision: str, game: LzAlbany, side: str, *about: Any) -> Advice[Any] | None:
        from companion.games.lzalbany.bot import advice

        found: Advice[Any] | None = getattr(advice, f"{decision}_advice")(game, side, *about)
        return found

    async def setup(self, referee: LzAlbany) -> None:
        """[3.2] The set-up."""
        from companion.games.lzalbany.rules.r03_setup import set_up

        await set_up(referee)

    @property
    def actions(self) -> Sequence[Action]:
        return self._actions

    def default_action(self, position: Position) -> str:
        """[3.3] On to the next phase or chit; what a phase asks, it asks then."""
        return "next" if position.flag(PHASE) else ""

    def _all_actions(self) -> tuple[Action, ...]:
        run = self.procedure
        return (
            Action("next", "go on: the next phase, or the next chit", "3.3", run("rules.r03_turn:go_on"), _under_way),
            Action("deploy", "place the forces of the set-up", "3.2", run("rules.r03_setup:deploy"), _in_phase("deploy", "3.2")),
            Action(
                "reinforce", "Reinforcement Phase", "3.4", run("rules.r03_setup:reinforce"), _in_phase("reinforcement", "3.4")
            ),
            Action("event", "Event Phase", "3.5", run("rules.r03_events:event_phase"), _in_phase("event", "3.5")),
            Action(
                "chit",
                "Action Phase: draw the next chit and play it",
                "3.6",
                run("rules.r05_chits:draw_chit"),
                _in_phase("action", "3.6"),
            ),
            Action("rally", "Rally Phase", "3.7", run("rules.r09_rally:rally_phase"), _in_phase("rally", "3.7")),
            Action(
                "admin", "Administrative Phase", "3.8", run("rules.r03_turn:administrative"), _in_phase("administrative", "3.8")
            ),
            Action(
                "arrange", "say where counters are on your board", "2.2", run("rules.r02_board:arrange"), _under_way, usual=False
            ),
            Action(
                "strength",
                "another strength for a counter, or a new one",
                "2.4",
                run("rules.r02_board:counter"),
                _under_way,
                usual=False,
            ),
            Action(
                "firefight", "ranged fire that is only described", "7.3", run("odds.fights:firefight"), alone=True, usual=False
            ),
            Action("brawl", "a melee that is only described", "7.2", run("odds.fights:brawl"), alone=True, usual=False),
        )

    @property
    def situations(self) -> Sequence[Situation]:
        run = self.procedure
        return (
            Situation("fire", "ranged infantry fire with its return fire", "7.3", run("odds.situations:fire_situation")),
            Situation("melee", "one round of melee", "7.2", run("odds.situations:melee_situation")),
            Situation("mortar", "mortar fire", "7.4", run("odds.situations:mortar_situation")),
            Situation(
                "artillery", "one artillery platoon, off target included", "7.5", run("odds.situations:artillery_situation")
            ),
            Situation("gunship", "a gunship, damage included", "7.6", run("odds.situations:gunship_situation")),
            Situation("bombs", "the Skyraider's bombs", "7.7A", run("odds.situations:bombs_situation")),
            Situation("rally", "a Rally Phase of one side", "9.0", run("odds.situations:rally_situation")),
        )

    @property
    def has_bot(self) -> bool:
        return True

    async def bot(self, referee: LzAlbany) -> None:
        """What our opponent would do with the next Fire/Move chit of either side."""
        from companion.games.lzalbany.bot.advice import propose

        await propose(referee)

    # -- the words ---------------------------------------------------------------------------------------------

    def banner(self, position: Position, options: Mapping[str, str]) -> Banner:
        """[2.3] Turn and phase, points, pool, group tracks, and what must not be forgotten."""
        turn = position.track(TURN)
        night = turn >= 9
        stage = f"Turn {turn}{' (night)' if night else ''}, {_PHASES.get(str(position.flag('phase')), 'no game')}"
        acted = [f"{short} {used}" for group, short in _GROUPS.items() if (used := self._chits(position, group))]
        fields = [
            Field("us_vp", "US VP", str(position.track(US_VP))),
            Field("nva_vp", "NVA VP", str(position.track(NVA_VP))),
            Field("pool", "Pool", plural(position.count(POOL), "chit"), position.count(POOL)),
            Field("groups", "Acted", ", ".join(acted) or "nobody"),
        ]
        if night:
            fields.append(Field("flares", "Flares", str(position.track(FLARES))))
        return Banner(stage, tuple(fields), self._reminders(position))

    @staticmethod
    def _chits(position: Position, group: str) -> str:
        """What a group has used its chits for this turn, in words; "" where it has none on its track."""
        return " + ".join(action for action in (FIRE, MOVE) for _ in position.at(track_box(group, action)))

    def _reminders(self, position: Position) -> tuple[str, ...]:
        told: list[str] = []
        if position.flag(RETREAT):
            told.append("The NVA retreats: Moves only, towards a map edge [5.2E]")
        if position.at(VISIBILITY_BOX):
            told.append("Visibility is out: no air strikes [5.6]")
        told += [f"{side} holds Adrenaline [5.3]" for side in SIDES if position.at(held_box(side))]
        marked = [f"{piece.name} {piece.marks[INCIDENT]}" for piece in position.of_kind(UNIT) if piece.marks.get(INCIDENT)]
        if marked:
            told.append(f"Incident markers on {', '.join(marked)} [3.5]")
        return tuple(told)

    def score(self, position: Position, options: Mapping[str, str]) -> Score:
        """[4.1] The points of both sides if the game ended now."""
        from companion.games.lzalbany.rules.r04_victory import count

        return count(position, self.tables.charts["victory"], options)

    def over(self, position: Position) -> str:
        return str(position.flag(OVER) or "")

    def player_named_places(self, position: Position) -> Collection[str]:
        """[2.2] The areas that were told or named, or hold a counter."""
        from companion.games.lzalbany.words.areas import Map

        return Map(position).known()

    def contradictions(self, facts: Mapping[str, str]) -> list[str]:
        """What the map cannot be (6.2, 6.5, 7.4, 7.8)."""
        from companion.games.lzalbany.words.telling import contradictions

        return contradictions(facts)

    def flag_title(self, flag: str) -> str:
        return {RETREAT: "NVA retreat"}.get(flag, "")

    def face_title(self, piece: Piece, face: str) -> str:
        return {FRONT: "front", REDUCED_SIDE: "reduced side", WOUNDED_SIDE: "wounded side"}.get(face, f"{face} side")

    def side(self, piece: Piece) -> str:
        return str(piece.values.get("side") or "").casefold()

    def mark_sentence(self, names: str, many: int, mark: str, value: Value) -> str:
        """[8.2, 3.5, 10.1] Hits, incident markers, and how often an officer has acted by himself."""
        if mark not in (HITS, INCIDENT, ACTS):
            return super().mark_sentence(names, many, mark, value)
        verb = _ONE if many == 1 else _MANY
        if mark not in (HITS, INCIDENT, ACTS) or (mark == HITS and not isinstance(value, int | None)):
            return super().mark_sentence(names, many, mark, value)
        if value is None or value is False:
            return f"{names} {verb[mark]}"
        if mark == HITS:
            hits = plural(value, "hit") if isinstance(value, int) else f"hits {value}"
            return f"{names} {verb['have']} {hits}" + ("" if many == 1 else " each")
        if mark == INCIDENT:
            return f"{names} may {_MAY_NOT.get(str(value), str(value))} this turn"
        return f"{names} {verb['acted']} {_OFTEN.get(value, f'{value} times')} this turn"

    def flip_sentence(self, names: str, many: int, piece: Piece, face: str) -> str:
        shown = {FRONT: "at full strength", REDUCED_SIDE: "REDUCED", WOUNDED_SIDE: "WOUNDED"}
        if piece.kind == OFFICER:
            shown[FRONT] = "unwounded"
        return f"{names} {'is' if many == 1 else 'are'} {shown.get(face, self.face_title(piece, face))}"

    def track_sentence(self, track: str, was: int, now: int) -> str:
        return f"Turn {now}" if track == TURN else super().track_sentence(track, was, now)

    def piece_title(self, piece: Piece) -> str:
        if piece.kind == UNIT:
            side = "" if piece.face == FRONT else "back "
            return f"{piece.name} {piece.number(f'{side}fire')}-{piece.number(f'{side}melee')}"
        return piece.name

    # -- corrections -------------------------------------------------------------------------------------------

    def mark_names(self, piece: Piece) -> Mapping[str, tuple[Value, ...]]:
        """Hits and incident markers on units; how often an officer has acted."""
        if piece.kind == UNIT:
            return {HITS: (1, 2), INCIDENT: INCIDENTS}
        return {ACTS: (1, 2)} if piece.kind == OFFICER else {}
