"""The review of a session: its actions in force, by playouts (`core.review_playouts`), kept in the archive."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf, isfinite
from time import monotonic
from typing import Any

from companion.core.errors import Impossible, Unreadable
from companion.core.events import fold
from companion.core.history import ADJUST_ACTIONS, Entry
from companion.core.procedures import InferFact, KnownFacts, Progress, RecordFact
from companion.core.requests import Printed
from companion.core.review import (
    LEVELS,
    NORMAL,
    PARTS,
    Alternative,
    Estimate,
    GameReview,
    ReviewedDecision,
    Worth,
    grade_of,
    share_of_loss,
)
from companion.core.review_playouts import Cut, ReviewedEntry, Reviewer, review_game
from companion.core.review_walk import PlayedEntry, ReviewScope
from companion.core.text import clean, pick_name
from companion.core.values import Json, JsonDict
from companion.session.analysis import AnalysisCache
from companion.session.simulation import rare_garbage_collection
from companion.session.state import SessionState
from companion.session.thinking import on_cores

_TOLD = (Printed.kind, RecordFact.kind, InferFact.kind)
KIND = "review"
"""Of the results in the archive."""
WRITE_SECONDS = 3.0
"""Seconds after which what was found is written to the archive."""
_PARTS = 100  # of an action, in the progress


def session_review(
    session: SessionState, level: str = NORMAL, *, first: int = 0, last: int = 0, seat: str = "", jobs: int = 1
) -> GameReview:
    """Return the review of a session.

    What is found is kept in the archive, so that an interrupted review goes on where it ended. ``session.watch`` is called with
    the progress, in hundredths of an action.

    Args:
        level: Of `LEVELS`.
        first, last: Turns, the first and last that are reviewed; 0: without a limit.
        seat: Only the alternatives of its decisions are compared; "" for those of every seat.

    Raises:
        Impossible: Nothing was played, or nothing in those turns.
        Unreadable: There is no such level or seat.
    """
    name = pick_name(level, list(LEVELS), "level")
    seats = session.game.players.seats
    if seat and seat not in seats:
        raise Unreadable(f"{session.game.title} has no seat '{clean(seat)}'", cure=f"Seats: {', '.join(seats)}")
    turn, played = session.game.players.turn, list(played_entries(session))
    if not played:
        raise Impossible(f"nothing was played yet in session {session.info.name}", cure="Begin: companion do ACTION")
    entries = [entry for entry in played if first <= turn(entry.before) <= (last or turn(entry.before))]
    if not entries:
        turns = [turn(entry.before) for entry in played]
        wanted = f"{first} to {last}" if first and last and first != last else f"{first or last}"
        raise Impossible(f"turn {wanted} was not played", cure=f"It has {min(turns)} to {max(turns)}")
    kept = _Kept(session, name, seat, len(entries))
    scope = ReviewScope(session.game, session.options, known_facts(session), LEVELS[name], lambda decides: seat in ("", decides))
    reviewer = Reviewer(scope, f"review/{session.info.seed}", on_cores(jobs), lambda: kept.show(reviewer.share))
    try:
        with rare_garbage_collection():
            return review_game(reviewer, name, entries, kept.known, kept.keep)
    finally:
        kept.write()


def known_facts(session: SessionState) -> dict[str, str]:
    """Return the printed facts by full key: those of the archive, and what else the actions in force were played with.

    A replayed game of `simulate` was played with made-up facts that the archive does not keep.
    """
    facts: dict[str, str] = {}
    for entry in session.history.in_force:
        for reply in entry.replies:
            kind, value = reply.kind, reply.value
            if kind == KnownFacts.kind and isinstance(value, Mapping):
                name = reply.key.removeprefix(f"{kind} ")
                facts.update({f"{name}:{key}": text for key, text in value.items() if isinstance(text, str)})
            elif kind in _TOLD and isinstance(value, str) and reply.source != "sample":
                facts[reply.key.removeprefix(f"{kind} ")] = value
    return {**facts, **session.log.facts()}


def review_cache(session: SessionState, level: str, seat: str = "") -> AnalysisCache:
    """Return what the archive keeps of a review; ``seat``: of one that compares only its decisions."""
    return AnalysisCache(session, KIND, level, (*LEVELS[level], seat, session.info.seed))


class _Kept:
    """What the archive holds of a review."""

    def __init__(self, session: SessionState, level: str, seat: str, total: int) -> None:
        self._session = session
        self._total = total
        self._done = 0
        self._vp_per_win = session.game.players.vp_per_win
        self._worlds = LEVELS[level].worlds
        self._seat = seat
        # a review of every seat has all that one of a single seat has
        self._caches = [review_cache(session, level, of) for of in dict.fromkeys(("", seat))]
        self._keys = {entry.number: [cache.pass_entry(entry) for cache in self._caches] for entry in session.history.in_force}
        self._written = monotonic()

    def show(self, share: float = 0.0) -> None:
        """Report the progress. `share`: how much of the next action is done."""
        done = self._done + min(share, 1.0)
        self._session.watch(Progress(round(_PARTS * done), _PARTS * self._total, ""))

    def known(self, entry: PlayedEntry) -> ReviewedEntry | None:
        for cache, key in zip(self._caches, self._keys[entry.number], strict=True):
            if found := _read(entry.number, cache.find(key), self._worlds):
                self._done += 1
                return found._replace(decisions=tuple([one for one in found.decisions if self._seat in ("", one.seat)]))
        return None

    def keep(self, entry: PlayedEntry, reviewed: ReviewedEntry) -> None:
        self._done += 1
        self._caches[-1].add(self._keys[entry.number][-1], entry.number, _data(reviewed, self._vp_per_win))
        if monotonic() - self._written > WRITE_SECONDS:
            self.write()
        self.show()

    def write(self) -> None:
        self._caches[-1].write()
        self._written = monotonic()


def closest_level(session: SessionState) -> str:
    """Return the closest level of a review that takes no longer than a quick one, by what is kept of each."""
    kept = session.archive.analysis_levels(session.info.id, KIND)
    entries = session.history.in_force
    most, closest = inf, NORMAL
    for name, level in LEVELS.items():  # from quick to deep
        cache = review_cache(session, name)
        known = sum(cache.find(cache.pass_entry(entry)) is not None for entry in entries) if name in kept else 0
        # the set-up is never reviewed
        playouts = (len(entries) - 1 - known) * level.worlds * level.alternatives
        if playouts <= most:
            closest = name
            most = min(most, playouts)
    return closest


def kept_decisions(session: SessionState) -> Iterator[tuple[Entry, ReviewedDecision]]:
    """Yield the decisions of persons in the actions in force, those of each action by the closest review that is kept of it."""
    kept = session.archive.analysis_levels(session.info.id, KIND)
    levels = sorted(kept & LEVELS.keys(), key=lambda level: -LEVELS[level].worlds)
    seats = ("", *session.game.players.seats)
    caches = {level: [review_cache(session, level, seat) for seat in seats] for level in levels}
    for entry in session.history.in_force if caches else ():
        kept_data = {level: [cache.find(cache.pass_entry(entry)) for cache in caches[level]] for level in levels}
        reviews = [[_read(entry.number, data, LEVELS[level].worlds) for data in kept_data[level]] for level in levels]
        closest: Sequence[ReviewedEntry | None] = next((found for found in reviews if any(found)), ())
        made = {decision.reply: decision for reviewed in closest if reviewed for decision in reviewed.decisions}
        for decision in made.values():
            if decision.by_person:
                yield entry, decision


def played_entries(session: SessionState) -> Iterator[PlayedEntry]:
    """Yield the actions in force after the set-up."""
    force = session.history.force
    position = session.history.position(force[1]) if len(force) > 1 else session.position
    runs = {action.id: action.run for action in session.game.actions}
    turn, begun = -1, dict[str, int]()
    for entry in session.history.in_force[1:]:
        if session.game.players.turn(position) != turn:
            turn, begun = session.game.players.turn(position), {}
        after = session.position if entry.is_open else fold(entry.events or (), position)
        procedure = None if entry.action in ADJUST_ACTIONS else runs.get(entry.action)
        yield PlayedEntry(
            entry.number, dict(begun), entry.action, position, after, entry.replies, procedure, entry.anyway, entry.is_open
        )
        begun[entry.action] = begun.get(entry.action, 0) + 1
        position = after


# -- as data -----------------------------------------------------------------------------------------------------------


def _data(reviewed: ReviewedEntry, vp_per_win: float) -> JsonDict:
    """The review of an action as it is kept."""
    return {
        "turn": reviewed.turn,
        "start": _worth_data(reviewed.start) if reviewed.start else None,
        "cuts": [[cut.reply, cut.part, cut.who, *_worth_data(cut.worth), cut.text] for cut in reviewed.cuts],
        "decisions": [_decision_data(decision, vp_per_win) for decision in reviewed.decisions],
        "skipped": reviewed.skipped,
    }


def _decision_data(decision: ReviewedDecision, vp_per_win: float) -> JsonDict:
    plain: JsonDict = {
        key: getattr(decision, key)
        for key in ("reply", "seat", "key", "kind", "rule", "prompt", "taken", "best", "reason", "by_person")
    }
    alternatives = [
        [one.text, *map(_estimate_data, (one.vp, one.win, one.loss, one.win_loss)), one.is_taken, one.plan]
        for one in decision.alternatives
    ]
    return {
        **plain,
        "loss": _estimate_data(decision.loss),
        "win_loss": _estimate_data(decision.win_loss),
        "grade": grade_of(share_of_loss(decision, vp_per_win)),
        "alternatives": alternatives,
    }


def _worth_data(worth: Worth) -> list[Json]:
    return [list(figures) for figures in worth]


def _estimate_data(estimate: Estimate | None) -> Json:
    return list(estimate) if estimate is not None else None


def _read(number: int, data: Json | None, worlds: int) -> ReviewedEntry | None:
    """Read what was kept of an action; None if it cannot be read, or not every figure is there for each world."""
    if not isinstance(data, dict):
        return None
    try:
        cuts = [_cut(*row) for row in data["cuts"]]
        turn = int(data["turn"])
        decisions = [_decision(number, turn, row) for row in data["decisions"]]
        start = _worth(*data["start"]) if data["start"] is not None else None
        worths = [cut.worth for cut in cuts] + ([start] if start else [])
        if any(len(worth.vp) != worlds or len(worth.win) not in (0, worlds) for worth in worths):
            return None
        return ReviewedEntry(turn, start, tuple(cuts), tuple(decisions), str(data["skipped"]))
    except (KeyError, OverflowError, TypeError, ValueError):
        return None


def _cut(reply: int, part: Any, who: str, vp: Sequence[float], win: Sequence[float], text: str) -> Cut:
    if part not in PARTS:
        raise ValueError(part)
    return Cut(int(reply), part, str(who), str(text), _worth(vp, win))


def _worth(vp: Sequence[float], win: Sequence[float]) -> Worth:
    return Worth(tuple([_finite(figure) for figure in vp]), tuple([_finite(figure) for figure in win]))


def _estimate(figures: Sequence[float]) -> Estimate:
    mean, error = figures
    return Estimate(_finite(mean), _finite(error))


def _finite(figure: float) -> float:
    if not isfinite(figure):
        raise ValueError(figure)
    return float(figure)


def _known_estimate(figures: Sequence[float] | None) -> Estimate | None:
    return None if figures is None else _estimate(figures)


def _decision(number: int, turn: int, row: Mapping[str, Any]) -> ReviewedDecision:
    alternatives = [
        Alternative(
            str(text), _estimate(vp), _known_estimate(win), _estimate(loss), _known_estimate(win_loss), bool(is_taken), str(plan)
        )
        for text, vp, win, loss, win_loss, is_taken, plan in row["alternatives"]
    ]
    seat, key, kind, rule, prompt, taken, best = (
        str(row[name]) for name in ("seat", "key", "kind", "rule", "prompt", "taken", "best")
    )
    losses = _estimate(row["loss"]), _known_estimate(row["win_loss"])
    head = number, int(row["reply"]), turn, seat, key, kind, rule, prompt, taken, best
    return ReviewedDecision(*head, *losses, tuple(alternatives), str(row["reason"]), bool(row["by_person"]))
