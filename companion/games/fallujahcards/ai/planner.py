"""The value of each choice, exact or by playouts, and the choice of the bot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from companion.core.candidates import PLAYOUTS, Candidate
from companion.core.named_tuple import NamedTuple
from companion.core.procedures import Enough, Progress, Thinking
from companion.core.values import JsonObject
from companion.games.fallujahcards.ai.features import PASS, Cards, DecisionPoint, hand_without, is_small, options
from companion.games.fallujahcards.ai.solver import HandValues
from companion.games.fallujahcards.ai.valuation import KnownCardsPlay, PerfectPlay, Priorities, Valuation

Option = Candidate[int]
"""A card, or PASS, with the expected points from here to the end.

Measures: ``lead`` over the baseline, the bot's own choice without playouts; ``lead_error``, the standard error of the lead from
the same shuffles for both; ``baseline``, 1 for the baseline itself; ``playouts``, its shuffles, 0 if the value is exact.
"""


def valued_option(
    option: int, value: float, error: float, lead: float, lead_error: float, is_baseline: bool, shuffles: int = 0
) -> Option:
    """An option with its measures."""
    measures = {"lead": lead, "lead_error": lead_error, "baseline": is_baseline, PLAYOUTS: shuffles}
    return Candidate(option, str(option), value, error, measures=measures)


def is_clear(spot: DecisionPoint, hands: HandValues, ahead: float) -> bool:
    """True if a choice is that many points ahead of all others by the values of hands; False if cards are known."""
    if spot.known or spot.phase == "Recon":
        return False
    left, model = len(spot.deck), hands.model
    values = []
    for option in options(spot, model):
        points = 0 if spot.phase == "Regroup" else model.points(spot.target, option)
        values.append(points + hands.hand(spot.hand if option == PASS else hand_without(spot.hand, option), left))
    best, *others = sorted(values, reverse=True)
    return all(best - other >= ahead for other in others)


def suggestion(spot: DecisionPoint, judge: Valuation, at_once: int) -> int:
    """A valuation's choice, with best use of known cards; exact where at most `at_once` cards are unseen."""
    left = len(spot.known) + len(spot.deck)
    model = judge.model
    if len(spot.deck) <= at_once:
        return max(options(spot, model), key=partial(_worked_out, PerfectPlay(model), spot))
    if spot.phase == "Recon":
        return model.scout if model.scout in spot.hand and len(spot.hand) > model.limits.hand else PASS
    if spot.known:
        return max(options(spot, model), key=partial(_foreseen, KnownCardsPlay(judge, spot.known, left - len(spot.known)), spot))
    if spot.phase == "Regroup":
        return judge.drop(spot.hand, left)
    return judge.stop(spot.target, spot.hand, left)


def _foreseen(plan: KnownCardsPlay, spot: DecisionPoint, option: int) -> float:
    """The value of a choice, played through the known cards."""
    if spot.phase == "Regroup":
        return plan.regroup(hand_without(spot.hand, option), 0)
    return plan.stop(spot.target, option, spot.hand, 0)


def _worked_out(plan: PerfectPlay, spot: DecisionPoint, option: int) -> float:
    """The value of a choice with perfect play to the end of the deck."""
    if spot.phase == "Regroup":
        return plan.regroup(hand_without(spot.hand, option), spot.known, spot.deck)
    if spot.phase == "Recon":
        value_of = plan.regroup if option == PASS else plan.look
        return value_of(spot.hand, spot.known, spot.deck)
    return plan.stop(spot.target, option, spot.hand, spot.known, spot.deck)


def exact(spot: DecisionPoint, judge: Valuation, reference: int) -> list[Option]:
    """Every choice with the best play that follows, over every order of the unseen cards."""
    plan = PerfectPlay(judge.model)
    values = {option: _worked_out(plan, spot, option) for option in options(spot, judge.model)}
    base = values[reference]
    return [valued_option(option, value, 0.0, value - base, 0.0, option == reference) for option, value in values.items()]


class Playouts:
    """Plays the rest of the game from a decision, each shuffle for every choice; after `full` shuffles only for the leads.

    Whole-hand values decide after the choice; Recon cards are not played again.
    """

    def __init__(self, spot: DecisionPoint, hands: HandValues, reference: int, full: int) -> None:
        from random import Random  # only playouts need it

        self.spot = spot
        self.model = hands.model
        self.reference = reference
        self.options = options(spot, hands.model)
        self.count = 0
        self._full = full
        # "Spot" is the former name of the class: the text is the seed, and decides every shuffle
        self._random = Random(repr(spot).replace("DecisionPoint(", "Spot(", 1))
        self._hands = hands
        self._apart = bool(spot.known) or spot.phase == "Recon"
        self._plan = KnownCardsPlay(hands, spot.known, len(spot.deck))
        self._open = list(range(len(self.options)))
        self._sums = [_Sums() for _ in self.options]

    def run(self, times: int) -> None:
        """Play that many further shuffles."""
        unseen = list(self.spot.deck)
        chance = self._random.random
        losses = (*unseen, *self.spot.known).count(self.model.setback)
        compared = [self.options[index] for index in self._open]
        sums, base = [self._sums[index] for index in self._open], compared.index(self.reference)
        gained = [self._gained(option) for option in compared]
        for count in range(self.count, self.count + times):
            unseen.sort(key=lambda _: chance())
            luck = [chance() for _ in range(losses)]
            whole = count < self._full
            if self._apart:
                points = self._one_by_one(compared, unseen, luck, whole)
            else:
                later = self._hands.play([hand for _, hand in gained], unseen[:], luck, whole)
                points = [now + more for (now, _), more in zip(gained, later, strict=True)]
            for total, score in zip(sums, points, strict=True):
                total.add(score, score - points[base], whole)
        self.count += times

    def drop(self, behind: float) -> bool:
        """Drop the choices that are that many standard errors behind the reference; True if others are left to compare."""
        estimates = self.estimates()

        def is_near(option: Option) -> bool:
            measures = option.measures
            return bool(measures["baseline"]) or measures["lead"] > -behind * measures["lead_error"]

        self._open = [index for index in self._open if is_near(estimates[index])]
        return len(self._open) > 1

    def estimates(self) -> list[Option]:
        """The estimates so far, one for each choice."""
        base = self._sums[self.options.index(self.reference)]
        mean = base.total / base.whole
        estimates = []
        for option, sums in zip(self.options, self._sums, strict=True):
            lead = sums.ahead / sums.count
            error = _error(sums.whole, sums.total, sums.squares)
            lead_error = _error(sums.count, sums.ahead, sums.ahead_squares)
            estimates.append(valued_option(option, mean + lead, error, lead, lead_error, option == self.reference, sums.count))
        return estimates

    def _gained(self, option: int) -> tuple[int, Cards]:
        """The points of a choice, and the hand after it."""
        spot, model = self.spot, self.model
        points = model.points(spot.target, option) if spot.phase in ("Destroy", "Disarm") else 0
        return points, spot.hand if option == PASS else hand_without(spot.hand, option)

    def _one_by_one(self, compared: Sequence[int], unseen: Sequence[int], luck: Sequence[float], whole: bool) -> list[int]:
        """The points of one shuffle with known cards: choices are played apart while cards are seen, then together."""
        spot = self.spot
        looked = spot.phase == "Recon" and any(option != PASS for option in compared)
        far = len(unseen) - max(0, min(self.model.limits.seen - len(spot.known), len(unseen))) * looked
        points, hands = [], []
        for option in compared:
            deck, left = list(unseen), list(luck)
            gained, hand = self._seen(option, deck, left)
            more, hand = self._hands.follow(hand, deck, left, far) if len(deck) > far else (0, hand)
            points.append(gained + more)
            hands.append(hand)
        later = self._hands.play(hands, deck, left, whole)
        return [now + more for now, more in zip(points, later, strict=True)]

    def _seen(self, option: int, deck: list[int], luck: list[float]) -> tuple[int, Cards]:
        """The points of a choice and of the cards known after it, and the hand then."""
        spot, plan = self.spot, self._plan
        points, now = self._gained(option)
        hand, known = list(now), list(spot.known)
        if spot.phase == "Recon" and option != PASS:
            while deck and len(known) < self.model.limits.seen:
                known.append(deck.pop())
            plan = KnownCardsPlay(self._hands, known, len(deck))
        if known:
            points += self._foreseen(plan, known, deck, hand, luck)
        return points, tuple(sorted(hand))

    def _foreseen(self, plan: KnownCardsPlay, known: Sequence[int], deck: list[int], hand: list[int], luck: list[float]) -> int:
        """Play the known cards by the plan; the hand is changed, the points are returned."""
        model = self.model
        points = index = 0
        self._regroup(plan, hand, index)
        while index < len(known):
            card = known[index]
            index += 1
            if card == model.setback:
                if hand:
                    del hand[int(luck.pop() * len(hand))]
            elif card == model.reinforcement:
                drawn = [*known[index : index + model.limits.drawn]]
                index += len(drawn)
                drawn += [deck.pop() for _ in range(min(model.limits.drawn - len(drawn), len(deck)))]
                hand += [held for held in drawn if held >= model.first_american]
                hand += [card] if model.keeps_tactics else []
            elif model.is_target(card):
                now = tuple(sorted(hand))
                values = {option: plan.stop(card, option, now, index) for option in model.options(card, now)}
                chosen = max(values, key=lambda option: values[option])
                points += model.points(card, chosen)
                if chosen != PASS:
                    hand.remove(chosen)
            else:
                hand.append(card)
            self._regroup(plan, hand, index)
        return points

    def _regroup(self, plan: KnownCardsPlay, hand: list[int], index: int) -> None:
        while len(hand) > self.model.limits.hand:
            now = tuple(sorted(hand))
            hand.remove(max(set(now), key=lambda card: plan.regroup(hand_without(now, card), index)))


class _Sums:
    """Sums over the shuffles of one choice: points of the `whole` games played to their end, leads of all `count`."""

    __slots__ = ("ahead", "ahead_squares", "count", "squares", "total", "whole")

    def __init__(self) -> None:
        self.count = self.whole = self.total = self.squares = self.ahead = self.ahead_squares = 0

    def add(self, points: int, ahead: int, whole: bool) -> None:
        """Add the result of a shuffle."""
        self.count += 1
        self.ahead += ahead
        self.ahead_squares += ahead * ahead
        if whole:
            self.whole += 1
            self.total += points
            self.squares += points * points


def _error(count: int, total: int, squares: int) -> float:
    """The standard error of a mean."""
    if count < 2:
        return 0.0
    mean = total / count
    return float((max(squares / count - mean * mean, 0.0) / (count - 1)) ** 0.5)


Watch = Callable[[Progress], None]


class BotDecision(NamedTuple):
    """The bot's choice (None: by fixed priorities), its card or PASS, the estimates, and their shuffles (0: exact)."""

    chosen: Option | None
    option: int
    estimates: Sequence[Option]
    runs: int


def decide(
    spot: DecisionPoint, priorities: Priorities, hands: HandValues, settings: JsonObject, budget: int, watch: Watch
) -> BotDecision:
    """The choice at a decision point, by ``playouts`` of ai.toml and up to `budget` shuffles each; by priorities for 0."""
    if not budget or len(options(spot, priorities.model)) == 1:
        return BotDecision(None, suggestion(spot, priorities, settings["at_once"]), (), 0)
    near, own_choice = hand_values_for(spot, hands, settings)
    estimates, runs = evaluate(spot, near, settings, budget, own_choice, watch)
    chosen = choose(estimates, float(settings["lead"]))
    return BotDecision(chosen, chosen.decision, estimates, runs)


def hand_values_for(spot: DecisionPoint, hands: HandValues, settings: JsonObject) -> tuple[HandValues, int]:
    """Hand values by the cards unseen here, and their choice; by the whole deck if the choice is exact, clear or Recon's."""
    small = is_small(spot, hands.model, settings["exact"], settings["exact_look"])
    by_whole_deck = small or (spot.phase == "Recon" and not spot.known) or is_clear(spot, hands, settings["clear"])
    near = hands if by_whole_deck else hands.against(spot.deck, settings["ahead"])
    return near, suggestion(spot, near, settings["at_once"])


def evaluate(
    spot: DecisionPoint, hands: HandValues, settings: JsonObject, budget: int, reference: int, watch: Watch
) -> tuple[list[Option], int]:
    """The value of each choice and the most shuffles used (0: exact); inferior choices leave the growing batches early."""
    if is_small(spot, hands.model, settings["exact"], settings["exact_look"]):
        return exact(spot, hands, reference), 0
    playouts = Playouts(spot, hands, reference, settings["full"])
    batch = settings["batch"]
    with suppress(Enough):
        while playouts.count < budget:
            if playouts.count:
                watch(Thinking(playouts.count, budget, "Scoring"))
            playouts.run(min(batch, budget - playouts.count))
            if not playouts.drop(settings["behind"]):
                break
            batch = playouts.count
        watch(Thinking(budget, budget, "Scoring"))
    return playouts.estimates(), playouts.count


def choose(estimates: Sequence[Option], lead: float) -> Option:
    """The best choice if its lead over the baseline is that many standard errors; otherwise the baseline."""
    best = max(estimates, key=lambda estimate: estimate.value)
    is_ahead = best.measures["lead"] > 1e-9 and best.measures["lead"] >= lead * best.measures["lead_error"]
    return best if is_ahead else baseline(estimates)


def baseline(estimates: Sequence[Option]) -> Option:
    """The choice that the leads are measured against."""
    return next(estimate for estimate in estimates if estimate.measures["baseline"])
