"""The value of each choice, exact or by playouts, and the choice of the bot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from companion.core.candidates import Candidate
from companion.core.procedures import Progress
from companion.core.values import JsonObject
from companion.games.fallujahcards.ai.features import PASS, Cards, DecisionPoint, hand_without, is_small, options
from companion.games.fallujahcards.ai.solver import HandValues
from companion.games.fallujahcards.ai.valuation import KnownCardsPlay, PerfectPlay, Priorities, Valuation

Option = Candidate[int]
"""A card, or PASS, with the points that it leads to from here on.

Measures: ``lead`` over the baseline, the bot's own choice without playouts; ``lead_error``, the standard error of the lead from
the same shuffles for both; ``baseline``, 1 for the baseline itself.
"""


def valued_option(option: int, value: float, error: float, lead: float, lead_error: float, is_baseline: bool) -> Option:
    """An option with its measures."""
    measures = {"lead": lead, "lead_error": lead_error, "baseline": is_baseline}
    return Candidate(option, str(option), value, error, measures=measures)


def is_clear(spot: DecisionPoint, hands: HandValues, ahead: float) -> bool:
    """True if a choice is that many points ahead of all others by what hands are worth, no card being known."""
    if spot.known or spot.phase == "Recon":
        return False
    left, model = len(spot.deck), hands.model
    worth = []
    for option in options(spot, model):
        points = 0 if spot.phase == "Regroup" else model.points(spot.target, option)
        worth.append(points + hands.hand(spot.hand if option == PASS else hand_without(spot.hand, option), left))
    best, *others = sorted(worth, reverse=True)
    return all(best - one >= ahead for one in others)


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
    """What a choice is worth as far as the known cards go."""
    if spot.phase == "Regroup":
        return plan.regroup(hand_without(spot.hand, option), 0)
    return plan.stop(spot.target, option, spot.hand, 0)


def _worked_out(plan: PerfectPlay, spot: DecisionPoint, option: int) -> float:
    """What a choice is worth to the end of the deck."""
    if spot.phase == "Regroup":
        return plan.regroup(hand_without(spot.hand, option), spot.known, spot.deck)
    if spot.phase == "Recon":
        ahead = plan.regroup if option == PASS else plan.look
        return ahead(spot.hand, spot.known, spot.deck)
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
        from random import Random  # only where somebody asks for odds

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
        """Play on for that many shuffles more."""
        unseen = list(self.spot.deck)
        chance = self._random.random
        strokes = (*unseen, *self.spot.known).count(self.model.setback)
        chosen = [self.options[at] for at in self._open]
        sums, base = [self._sums[at] for at in self._open], chosen.index(self.reference)
        gained = [self._gained(option) for option in chosen]
        for count in range(self.count, self.count + times):
            unseen.sort(key=lambda _: chance())
            luck = [chance() for _ in range(strokes)]
            whole = count < self._full
            if self._apart:
                points = self._one_by_one(chosen, unseen, luck, whole)
            else:
                found = self._hands.play([hand for _, hand in gained], unseen[:], luck, whole)
                points = [one + more for (one, _), more in zip(gained, found, strict=True)]
            for total, mine in zip(sums, points, strict=True):
                total.add(mine, mine - points[base], whole)
        self.count += times

    def drop(self, behind: float) -> bool:
        """Leave out what is behind the reference by that many standard errors; whether anything is left to be compared."""
        found = zip(range(len(self.options)), self.estimates(), strict=True)
        near = {
            at for at, one in found if one.measures["baseline"] or one.measures["lead"] > -behind * one.measures["lead_error"]
        }
        self._open = [at for at in self._open if at in near]
        return len(self._open) > 1

    def estimates(self) -> list[Option]:
        """What has come out so far."""
        base = self._sums[self.options.index(self.reference)]
        mean = base.total / base.whole
        found = []
        for option, one in zip(self.options, self._sums, strict=True):
            lead = one.ahead / one.count
            errors = _error(one.whole, one.total, one.squares), _error(one.count, one.ahead, one.ahead_squares)
            found.append(valued_option(option, mean + lead, errors[0], lead, errors[1], option == self.reference))
        return found

    def _gained(self, option: int) -> tuple[int, Cards]:
        """The points of a choice, and the hand after it."""
        spot, model = self.spot, self.model
        points = model.points(spot.target, option) if spot.phase in ("Destroy", "Disarm") else 0
        return points, spot.hand if option == PASS else hand_without(spot.hand, option)

    def _one_by_one(self, chosen: Sequence[int], unseen: Sequence[int], luck: Sequence[float], whole: bool) -> list[int]:
        """One shuffle with known cards: each choice is played alone as far as any of them sees, then all together."""
        spot = self.spot
        looked = spot.phase == "Recon" and any(option != PASS for option in chosen)
        far = len(unseen) - max(0, min(self.model.limits.seen - len(spot.known), len(unseen))) * looked
        points, hands = [], []
        for option in chosen:
            deck, left = list(unseen), list(luck)
            gained, hand = self._seen(option, deck, left)
            more, hand = self._hands.follow(hand, deck, left, far) if len(deck) > far else (0, hand)
            points.append(gained + more)
            hands.append(hand)
        found = self._hands.play(hands, deck, left, whole)
        return [one + more for one, more in zip(points, found, strict=True)]

    def _seen(self, option: int, deck: list[int], luck: list[float]) -> tuple[int, Cards]:
        """A choice, and the cards that are known or come to be by it: the points, and the hand."""
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
        points = at = 0
        self._regroup(plan, hand, at)
        while at < len(known):
            card = known[at]
            at += 1
            if card == model.setback:
                if hand:
                    del hand[int(luck.pop() * len(hand))]
            elif card == model.reinforcement:
                came = [*known[at : at + model.limits.drawn]]
                at += len(came)
                came += [deck.pop() for _ in range(min(model.limits.drawn - len(came), len(deck)))]
                hand += [held for held in came if held >= model.first_american]
                hand += [card] if model.keeps_tactics else []
            elif model.is_target(card):
                now = tuple(sorted(hand))
                chosen = max(model.options(card, now), key=partial(self._stopped, plan, card, now, at))
                points += model.points(card, chosen)
                if chosen != PASS:
                    hand.remove(chosen)
            else:
                hand.append(card)
            self._regroup(plan, hand, at)
        return points

    @staticmethod
    def _stopped(plan: KnownCardsPlay, target: int, hand: Cards, at: int, option: int) -> float:
        return plan.stop(target, option, hand, at)

    def _regroup(self, plan: KnownCardsPlay, hand: list[int], at: int) -> None:
        while len(hand) > self.model.limits.hand:
            now = tuple(sorted(hand))
            hand.remove(max(set(now), key=lambda card: plan.regroup(hand_without(now, card), at)))


class _Sums:
    """Sums over the shuffles of one choice: points of the `whole` games played to their end, leads of all `count`."""

    __slots__ = ("ahead", "ahead_squares", "count", "squares", "total", "whole")

    def __init__(self) -> None:
        self.count = self.whole = self.total = self.squares = self.ahead = self.ahead_squares = 0

    def add(self, points: int, ahead: int, whole: bool) -> None:
        """One shuffle more."""
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
    spot: DecisionPoint, policy: Priorities, hands: HandValues, told: JsonObject, budget: int, watch: Watch
) -> BotDecision:
    """The choice at a decision point, by `told` (``playouts`` of ai.toml) and up to `budget` shuffles each; 0: priorities."""
    if not budget or len(options(spot, policy.model)) == 1:
        return BotDecision(None, suggestion(spot, policy, told["at_once"]), (), 0)
    near, own = hand_values_for(spot, hands, told)
    estimates, runs = evaluate(spot, near, told, budget, own, watch)
    chosen = choose(estimates, float(told["lead"]))
    return BotDecision(chosen, chosen.decision, estimates, runs)


def hand_values_for(spot: DecisionPoint, hands: HandValues, told: JsonObject) -> tuple[HandValues, int]:
    """Hand values by the cards unseen here and their choice; by the whole deck if the choice is exact, clear or Recon's."""
    small = is_small(spot, hands.model, told["exact"], told["exact_look"])
    plain = small or (spot.phase == "Recon" and not spot.known) or is_clear(spot, hands, told["clear"])
    near = hands if plain else hands.against(spot.deck, told["ahead"])
    return near, suggestion(spot, near, told["at_once"])


def evaluate(
    spot: DecisionPoint, hands: HandValues, told: JsonObject, budget: int, reference: int, watch: Watch
) -> tuple[list[Option], int]:
    """The value of each choice and the most shuffles used (0: exact); inferior choices leave the growing batches early."""
    if is_small(spot, hands.model, told["exact"], told["exact_look"]):
        return exact(spot, hands, reference), 0
    playouts = Playouts(spot, hands, reference, told["full"])
    batch = told["batch"]
    while playouts.count < budget:
        watch(Progress(playouts.count, budget, "Scoring"))
        playouts.run(min(batch, budget - playouts.count))
        if not playouts.drop(told["behind"]):
            break
        batch = playouts.count
    watch(Progress(budget, budget, "Scoring"))
    return playouts.estimates(), playouts.count


def choose(estimates: Sequence[Option], lead: float) -> Option:
    """The best choice if its lead over the baseline is that many standard errors; else the baseline."""
    best = max(estimates, key=lambda one: one.value)
    is_ahead = best.measures["lead"] > 1e-9 and best.measures["lead"] >= lead * best.measures["lead_error"]
    return best if is_ahead else baseline(estimates)


def baseline(estimates: Sequence[Option]) -> Option:
    """The choice that the leads are measured against."""
    return next(one for one in estimates if one.measures["baseline"])
