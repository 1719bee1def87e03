"""A long session of simulated games with a made-up review: for the size and the speed of what is shown of a review."""

from __future__ import annotations

from random import Random

from companion.core.hints import Literal
from companion.core.review import Alternative, Estimate, GameReview, GraphPoint, Part, ReviewedDecision, Step, Worth
from companion.session.controller import SessionController
from companion.session.simulation import make_series, replay_as_session
from companion.session.state import load_game
from companion.session.store import Archive

_WORLDS = 8


def long_session(archive: Archive, game: str, entries: int) -> SessionController:
    """Simulated games, one after the other in one session until it has at least so many actions."""
    series = make_series(load_game(game), "", {}, {"": "plain"}, "long")
    session = replay_as_session(archive, series, 1, f"long {game}").session
    number, index = len(session.history.in_force), 1
    batch = session.log.new_batch()
    while number < entries:
        index += 1
        played = replay_as_session(archive, series, index, f"game {index}").session.history.in_force
        for entry in played[: entries - number]:
            number += 1
            batch.entry(number, entry.action, {})
            batch.replies(number, list(entry.replies))
            batch.complete(number, list(entry.events or ()), {})
    session.log.commit(batch)
    return session


def made_up_review(session: SessionController, decisions: int, unit: Literal["win", "VP"] = "win") -> GameReview:
    """A review of a session with a point and two or three steps an action, and so many decisions of six alternatives each."""
    random = Random(1)
    seats = tuple(session.game.players.seats)
    entries = list(session.history.in_force)
    per_turn = max(len(entries) // 60, 1)
    values = [_worth(random, 0.5, unit)]
    points = [GraphPoint(0, 1, 0, "set up", values[0].vp_estimate, values[0].win_estimate)]
    steps: list[Step] = []
    made: list[ReviewedDecision] = []
    level = 0.5
    for index, entry in enumerate(entries):
        turn = 1 + index // per_turn
        parts: list[tuple[Part, str]] = [("decisions", seats[index % len(seats)]), ("luck", ("player", "companion")[index % 2])]
        for reply, (part, who) in enumerate(parts):
            level = min(max(level + random.gauss(0, 0.02), 0.02), 0.98)
            values.append(_worth(random, level, unit))
            steps.append(Step(entry.number, reply, turn, part, who, f"{entry.action} {index % 40}", values[-1].minus(values[-2])))
        last = values[-1]
        points.append(GraphPoint(entry.number, turn, 0, entry.action, last.vp_estimate, last.win_estimate))
        if index * decisions // len(entries) > len(made) - 1 and len(made) < decisions:
            made.append(_decision(random, entry.number, turn, seats[index % len(seats)], unit))
    head = ("normal", seats, unit, 10.0, True)
    return GameReview(*head, tuple(points), tuple(steps), tuple(made), {}, values[0], values[-1])


def _worth(random: Random, level: float, unit: str) -> Worth:
    wins = tuple([level + random.gauss(0, 0.05) for _ in range(_WORLDS)])
    return Worth(tuple([20 * win - 10 for win in wins]), wins if unit == "win" else ())


def _decision(random: Random, entry: int, turn: int, seat: str, unit: str) -> ReviewedDecision:
    losses = sorted(abs(random.gauss(0, 0.06)) for _ in range(5))
    taken = random.randrange(6)
    rows = [
        Alternative(
            f"unit {random.randrange(60)} to {random.randrange(20)}-{random.randrange(20)}",
            Estimate(5 - 20 * loss, 0.4),
            Estimate(0.6 - loss, 0.02) if unit == "win" else None,
            Estimate(20 * loss, 0.4),
            Estimate(loss, 0.02) if unit == "win" else None,
            place == taken,
        )
        for place, loss in enumerate([0.0, *losses])
    ]
    best, chosen = rows[0], rows[taken]
    about = (entry, 0, turn, seat, "action", "action", "", "", chosen.text, best.text, chosen.loss, chosen.win_loss)
    reason = f"{best.text} holds the road, and {random.randrange(9)} of its neighbours cannot fire" if taken else ""
    return ReviewedDecision(*about, tuple(rows), reason)
