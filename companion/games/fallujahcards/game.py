"""The solo card game as the rest of the program sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from companion.core.game import Action, Banner, Field, Game, Score, Situation, Tables
from companion.core.position import Piece, Position, Value
from companion.core.procedures import Procedure
from companion.core.vocabulary import PLAYER
from companion.games.fallujahcards.names import (
    AMERICAN,
    CASUALTY,
    DECK,
    DISCARD,
    ELIMINATION,
    HAND,
    INSURGENCY,
    MINE,
    PHASE,
    THEIRS,
    TOP,
)
from companion.games.fallujahcards.rules.r1_scoring import count, ended
from companion.games.fallujahcards.words.cards import limits, titled, type_of

if TYPE_CHECKING:
    from companion.games.fallujahcards.bot.hands import Hands
    from companion.games.fallujahcards.bot.policy import Policy
    from companion.games.fallujahcards.referee import Patrol
    from companion.games.fallujahcards.words.cards import Kind


class CardGame(Game):
    """FALLUJAH, the solo card game."""

    id = "fallujahcards"
    has_dice = False
    pieces_noun = "cards"
    by_hand = "byhand"
    map_in = "geography"
    players_in = "players"

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables)
        self._limits = limits(tables.game)
        self._policies: dict[tuple[str, str], Policy] = {}
        self._hands: dict[Policy, Hands] = {}
        self._kinds: dict[tuple[Value, Value], Kind] = {}
        self._turn = Action(
            "turn", "turn up the next card and play the turn", "Turn Sequence", self.procedure("rules.r3_turn:turn")
        )

    def referee(self, position: Position, options: Mapping[str, str]) -> Patrol:
        from companion.games.fallujahcards.referee import Patrol

        return Patrol(
            position, options, self.tables, lambda: self.policy(options), lambda: self.hands(options), self._limits, self._kinds
        )

    def policy(self, options: Mapping[str, str]) -> Policy:
        """The bot's priorities under the rulings in force."""
        from companion.games.fallujahcards.bot.policy import policy_of

        rulings = (options.get("elimination", "all"), options.get("american_tactics", "hand"))
        if rulings not in self._policies:
            self._policies[rulings] = policy_of(self.tables, *rulings)
        return self._policies[rulings]

    def hands(self, options: Mapping[str, str]) -> Hands:
        """What whole hands are worth under the rulings in force, by the proportions of the whole deck."""
        from companion.games.fallujahcards.bot.hands import hands_of

        policy = self.policy(options)
        if policy not in self._hands:
            self._hands[policy] = hands_of(self.tables, policy.model)
        return self._hands[policy]

    def setup(self, referee: Patrol) -> Procedure[None]:
        return self.procedure("rules.r2_deck:set_up")(referee)

    @property
    def actions(self) -> Sequence[Action]:
        return (self._turn,)

    def default_action(self, position: Position) -> str:
        """[Turn Sequence] The game has one action."""
        return self._turn.id

    @property
    def situations(self) -> Sequence[Situation]:
        return (
            Situation("next", "the next card by type, from what the deck holds", "Search", self.procedure("odds:next_odds")),
            Situation("decision", "each choice of the open question", "Scoring", self.procedure("odds:decision")),
        )

    # -- the words ---------------------------------------------------------------------------------------------

    def banner(self, position: Position, options: Mapping[str, str]) -> Banner:
        """Turn and phase, score and piles, the hand, and every card that is left: one digit a card, its force."""
        phase = position.flag(PHASE)
        stage = f"Turn {position.track('turn')}" + (f", {phase} Phase" if phase else "")
        if ended(position):
            stage = "The game is over"
        left = position.at(DECK) + position.at(TOP)
        hand = position.at(HAND)
        fields = [
            Field("score", "Score", str(count(position, options, self._limits).total)),
            Field("casualties", "Casualties", str(len(position.at(CASUALTY)))),
            Field("eliminated", "Eliminated", str(len(position.at(ELIMINATION)))),
            Field("discarded", "Discarded", str(len(position.at(DISCARD)))),
            Field("hand", f"Hand {len(hand)}:", ", ".join(titled(card) for card in hand) or "empty", len(hand)),
        ]
        forces: dict[str, list[int]] = {}
        for card in left:
            forces.setdefault(type_of(card), []).append(card.number("force"))
        for side, types in ((INSURGENCY, THEIRS), (AMERICAN, MINE)):
            many = sum(len(forces.get(one, ())) for one in types)
            cards = " ".join(_left(one, forces[one]) for one in types if one in forces)
            label = f"{side} left {many}, by force:" if many else f"{side} left"
            fields.append(Field(f"{side.casefold()}_left", label, cards or "0", many))
        seen = [titled(card) for card in position.at(TOP)]
        reminders = (f"Next, as Recon has seen: {', '.join(seen)} [Recon]",) if seen else ()
        return Banner(stage, tuple(fields), reminders)

    def score(self, position: Position, options: Mapping[str, str]) -> Score:
        """[Scoring] The score if the game ended now."""
        return count(position, options, self._limits)

    def over(self, position: Position) -> str:
        return "the deck is used up" if ended(position) else ""

    def pile_title(self, place: str) -> str:
        """[Search, Recon] The deck, of which the cards that Recon has seen are the top ones."""
        return self.place_title(DECK) if place in (DECK, TOP) else ""

    def track_sentence(self, track: str, was: int, now: int) -> str:
        return f"Turn {now}" if track == "turn" else super().track_sentence(track, was, now)

    def side(self, piece: Piece) -> str:
        return PLAYER if type_of(piece) in MINE else INSURGENCY if type_of(piece) else ""

    def piece_title(self, piece: Piece) -> str:
        return titled(piece)


def _left(letter: str, forces: Sequence[int]) -> str:
    """The cards of a type: ``I5543`` by their forces, ``N8`` by their number where they have none."""
    return letter + ("".join(str(force) for force in sorted(forces, reverse=True)) if any(forces) else str(len(forces)))
