"""The solo card game as the rest of the program sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from companion.core.game import Banner, Field, Game, Score, Tables, TrackEnds, action, situation
from companion.core.hints import TYPE_CHECKING
from companion.core.position import Piece, Position, Value
from companion.core.vocabulary import PLAYER
from companion.games.fallujahcards import state
from companion.games.fallujahcards.rules.r1_scoring import count, is_over

if TYPE_CHECKING:
    from companion.core.requests import AnyRequest, Odds
    from companion.games.fallujahcards.ai.policies import CardPlayers
    from companion.games.fallujahcards.ai.solver import HandValues
    from companion.games.fallujahcards.ai.valuation import Priorities
    from companion.games.fallujahcards.corrections import CardCorrections
    from companion.games.fallujahcards.map import CardMap
    from companion.games.fallujahcards.referee import CardReferee
    from companion.games.fallujahcards.state import Kind


class CardGame(Game):
    """FALLUJAH, the solo card game."""

    id = "fallujahcards"
    value_names = ("force", "type")
    has_dice = False
    over_cure = "If your deck is not: companion adjust CARD deck"
    pieces_noun = "cards"

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables)
        self._limits = state.limits(tables.game)
        self._policies: dict[tuple[str, str], Priorities] = {}
        self._hands: dict[Priorities, HandValues] = {}
        self._kinds: dict[tuple[Value, Value], Kind] = {}

    def make_corrections(self) -> CardCorrections:
        from companion.games.fallujahcards.corrections import CardCorrections

        return CardCorrections(self)

    def make_map(self) -> CardMap:
        from companion.games.fallujahcards.map import CardMap

        return CardMap(self)

    def make_players(self) -> CardPlayers:
        from companion.games.fallujahcards.ai.policies import CardPlayers

        return CardPlayers(self)

    def why_not(self, request: AnyRequest, name: str) -> tuple[str, str] | None:
        """[Asset, The Piles] Cards are played and discarded from the hand, which only American cards come into."""
        from companion.core.exclusions import find

        assert request.referee is not None
        cards = find(name, self, request.referee.position).pieces if request.kind == "choose" else ()
        if not cards or any(card.place == state.HAND for card in cards):
            return None
        if state.type_of(cards[0]) in state.THEIRS:
            return f"{cards[0].name} is an Insurgency card, and only American cards come into the hand", "Asset"
        places = dict.fromkeys(card.place for card in cards)
        text = f"{cards[0].name} is not in the hand, but in: {', '.join(map(self.place_title, places))}"
        return text, "The Piles" if set(places) <= set(state.PILES) else request.rule

    def referee(self, position: Position, options: Mapping[str, str]) -> CardReferee:
        from companion.games.fallujahcards.referee import CardReferee

        priorities, hand_values = partial(self.priorities, options), partial(self.hand_values, options)
        return CardReferee(position, options, self.tables, priorities, hand_values, self._limits, self._kinds)

    def priorities(self, options: Mapping[str, str]) -> Priorities:
        """The bot's priorities under the rulings in force."""
        from companion.games.fallujahcards.ai.valuation import read_priorities

        rulings = (options.get("elimination", "all"), options.get("american_tactics", "hand"))
        if rulings not in self._policies:
            self._policies[rulings] = read_priorities(self.tables, *rulings)
        return self._policies[rulings]

    def hand_values(self, options: Mapping[str, str]) -> HandValues:
        """The values of whole hands under the rulings in force, by the proportions of the whole deck."""
        from companion.games.fallujahcards.ai.solver import solve_hands

        policy = self.priorities(options)
        if policy not in self._hands:
            self._hands[policy] = solve_hands(self.tables, policy.model)
        return self._hands[policy]

    async def setup(self, referee: CardReferee) -> None:
        """[The Deck] Shuffle the deck."""
        from companion.games.fallujahcards.rules.r3_turn import set_up

        await set_up(referee)

    @action("turn", "turn up the next card and play the turn", rule="Turn Sequence", ends=True)
    async def turn(self, referee: CardReferee) -> None:
        from companion.games.fallujahcards.rules.r3_turn import turn

        await turn(referee)

    def default_action(self, position: Position) -> str:
        """[Turn Sequence] The only action."""
        return "turn"

    @situation("next", "the next card by type, from what the deck holds", rule="Search")
    async def next_card_odds(self, referee: CardReferee) -> Odds:
        from companion.games.fallujahcards.odds import next_odds

        return await next_odds(referee)

    @situation("decision", "each choice of the open question", rule="Scoring")
    async def choice_odds(self, referee: CardReferee) -> Odds:
        from companion.games.fallujahcards.odds import decision

        return await decision(referee)

    # -- texts -------------------------------------------------------------------------------------------------

    def banner(self, position: Position, options: Mapping[str, str]) -> Banner:
        """The turn and phase, score, piles, hand, and the cards left, each by its force."""
        phase = position.flag(state.PHASE)
        stage = f"Turn {position.track('turn')}" + (f", {phase} Phase" if phase else "")
        if is_over(position):
            stage = "The game is over"
        left = position.at(state.DECK) + position.at(state.TOP)
        hand = position.at(state.HAND)
        fields = [
            Field("score", "Score", str(count(position, options, self._limits).total)),
            Field("casualties", "Casualties", str(len(position.at(state.CASUALTY)))),
            Field("eliminated", "Eliminated", str(len(position.at(state.ELIMINATION)))),
            Field("discarded", "Discarded", str(len(position.at(state.DISCARD)))),
            Field("hand", f"Hand {len(hand)}:", ", ".join(state.card_title(card) for card in hand) or "empty", len(hand)),
        ]
        forces: dict[str, list[int]] = {}
        for card in left:
            forces.setdefault(state.type_of(card), []).append(card.number("force"))
        for side, types in ((state.INSURGENCY, state.THEIRS), (state.AMERICAN, state.MINE)):
            size = sum(len(forces.get(letter, ())) for letter in types)
            cards = ", ".join(_left(self._type_title(letter), forces[letter]) for letter in types if letter in forces)
            label = f"{side} left {size}, by force:" if size else f"{side} left"
            fields.append(Field(f"{side.casefold()}_left", label, cards or "0", size))
        seen = [state.card_title(card) for card in position.at(state.TOP)]
        reminders = (f"Next, as Recon has seen: {', '.join(seen)} [Recon]",) if seen else ()
        return Banner(stage, tuple(fields), reminders)

    def _type_title(self, letter: str) -> str:
        """The title of a type of cards, without the side."""
        return self.tables.charts["types"].text(letter, "title").rpartition(" ")[2]

    def score(self, position: Position, options: Mapping[str, str]) -> Score:
        """[Scoring] The score if the game ended now."""
        return count(position, options, self._limits)

    def track_ends(self, track: str, position: Position, facts: Mapping[str, str]) -> TrackEnds:
        """[Search] Each turn turns up a card, so that there are at most as many as cards."""
        return TrackEnds(0, len(position.pieces))

    def over(self, position: Position) -> str:
        return "the deck is used up" if is_over(position) else ""

    def pile_title(self, place: str) -> str:
        """[Search, Recon] The title of the deck, which includes the cards on top that Recon has shown."""
        return self.place_title(state.DECK) if place in (state.DECK, state.TOP) else ""

    def track_sentence(self, track: str, was: int, now: int) -> str:
        return f"Turn {now}" if track == "turn" else super().track_sentence(track, was, now)

    def side(self, piece: Piece) -> str:
        return PLAYER if state.type_of(piece) in state.MINE else state.INSURGENCY if state.type_of(piece) else ""

    def piece_title(self, piece: Piece) -> str:
        return state.card_title(piece)


def _left(title: str, forces: Sequence[int]) -> str:
    """The cards of a type by their forces (``Insurgents 5543``), or by their number if they have none (``Tactics x8``)."""
    return f"{title} " + ("".join(map(str, sorted(forces, reverse=True))) if any(forces) else f"x{len(forces)}")
