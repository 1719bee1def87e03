"""A review of a short game for two, made by hand: for tests of what is shown of a review."""

from __future__ import annotations

from companion.core.hints import Literal
from companion.core.review import NORMAL, Alternative, Estimate, GameReview, GraphPoint, Part, ReviewedDecision, Step, Worth

SEATS = ("us", "nva")
VP_PER_WIN = 10.0
_WORLDS = (1.0, -1.0, 0.5, -0.5, -1.5, 1.5, 0.0, 0.0)
"""How far each world is from the mean, in standard errors of the point; the sum is 0."""

# entry, reply, turn, part, who, what was done, VP and chance to win after it, how far they vary; the first is the start
_CHAIN: tuple[tuple[int, int, int, Part, str, str, float, float, float], ...] = (
    (0, 0, 0, "start", "", "set up", 1.0, 0.52, 0.10),
    (1, 0, 1, "decisions", "us", "deploy 2", 1.1, 0.53, 0.10),
    (1, 2, 1, "luck", "player", "event roll 2", 1.6, 0.56, 0.10),
    (2, 0, 1, "decisions", "us", "chit 1-7-B", 1.4, 0.55, 0.09),
    (3, 0, 1, "decisions", "nva", "chit 8-66", 1.9, 0.60, 0.09),
    (3, 3, 1, "luck", "companion", "draw reserve", 1.3, 0.54, 0.09),
    (4, 0, 2, "rest", "", "turn 2 begins", 1.4, 0.55, 0.08),
    (4, 2, 2, "decisions", "us", "target 8-66-B", -0.8, 0.33, 0.08),
    (4, 4, 2, "luck", "player", "firefight 6 5", 1.2, 0.51, 0.08),
    (5, 1, 2, "corrections", "", "adjust 1-7-B disrupted", 0.7, 0.46, 0.07),
    (6, 2, 2, "luck", "companion", "firefight 1 1", 2.2, 0.63, 0.06),
    (7, 0, 3, "rest", "", "turn 3 begins", 2.3, 0.64, 0.05),
    (7, 1, 3, "decisions", "us", "retreat 2-5-A", 1.2, 0.51, 0.05),
    (8, 3, 3, "decisions", "us", "advance 1-7-A", 1.0, 0.49, 0.04),
    (9, 0, 3, "not reviewed", "", "strength 1-7-C", 1.1, 0.50, 0.03),
    (10, 2, 3, "luck", "player", "brawl 6 6", 3.4, 0.81, 0.02),
    (11, 0, 3, "decisions", "nva", "withdraw", 4.0, 0.90, 0.01),
    (12, 0, 3, "luck", "companion", "rally 1", 5.0, 1.0, 0.0),
)
_DONE = ("set up", "deploy", "chit", "chit", "firefight", "rally", "firefight", "retreat", "advance", "strength", "brawl")
_CORRECTED = 5  # the entry that begins the second segment


def reviewed_game(unit: Literal["win", "VP"] = "win") -> GameReview:
    """A review of a game of two seats that the first won by 5 VP: 13 points, two segments, and all parts of the result.

    The player is ``us``, Companion is ``nva``. Decision 4.2 is a blunder, 7.1 a mistake, 2.0 an inaccuracy of 0.06, 8.3 within
    error, 1.0 good and 3.0 one of Companion. With the unit ``VP`` no chance to win is known.
    """
    values = [_worth(place, *row[6:], unit=unit) for place, row in enumerate(_CHAIN)]
    steps = [Step(*row[:6], after.minus(before)) for row, before, after in zip(_CHAIN[1:], values, values[1:], strict=False)]
    points: dict[int, GraphPoint] = {}
    for row, worth in zip(_CHAIN, values, strict=True):
        entry, turn = row[0], row[2]
        done = _DONE[entry] if entry < len(_DONE) else row[5]
        points[entry] = GraphPoint(entry, turn, int(entry >= _CORRECTED), done, worth.vp_estimate, worth.win_estimate)
    skipped = {"an answer against the rules": 1}
    head = (NORMAL, SEATS, unit, VP_PER_WIN, True)
    return GameReview(*head, tuple(points.values()), tuple(steps), _decisions(unit), skipped, values[0], values[-1])


def _worth(place: int, vp: float, win: float, spread: float, unit: str) -> Worth:
    """What a point is worth in each world; other worlds are the lucky ones at each place."""
    shifts = [spread * shift for shift in (*_WORLDS[place % 8 :], *_WORLDS[: place % 8])]
    wins = tuple([win + shift for shift in shifts]) if unit == "win" else ()
    return Worth(tuple([vp + VP_PER_WIN * shift for shift in shifts]), wins)


def _decisions(unit: str) -> tuple[ReviewedDecision, ...]:
    def decision(
        number: tuple[int, int, int], seat: str, key: str, rule: str, losses: dict[str, tuple[float, float]], reason: str = ""
    ) -> ReviewedDecision:
        """A decision whose first alternative is the best and whose last one was taken; the losses are chances to win."""
        rows = []
        for text, (loss, error) in losses.items():
            win_loss = Estimate(loss, error)
            vp_loss = Estimate(loss * VP_PER_WIN, error * VP_PER_WIN)
            wins = (Estimate(0.6 - loss, 0.03), win_loss) if unit == "win" else (None, None)
            is_taken = text == list(losses)[-1]
            row = Alternative(text, Estimate(2.0 - vp_loss.mean, 0.3), wins[0], vp_loss, wins[1], is_taken)
            rows.append(row)
        taken, best = rows[-1], rows[0]
        kind = "choose" if number[1] else "action"
        prompt = f"{key.capitalize()}?" if number[1] else ""
        about = (*number, seat, key, kind, rule, prompt, taken.text, best.text, taken.loss, taken.win_loss)
        return ReviewedDecision(*about, tuple(rows), reason, seat == "us")

    aimed = "8-66-C is disrupted already and would have been eliminated by one more hit"
    held = "2-5-A in the woods holds the way to the landing zone for another turn"
    return (
        decision((1, 0, 1), "us", "action", "", {"deploy": (0.0, 0.0), "event": (0.04, 0.01), "deploy 2": (0.01, 0.01)}),
        decision((2, 0, 1), "us", "action", "", {"chit 2-7-A": (0.0, 0.0), "chit 1-7-B": (0.06, 0.02)}, "2-7-A can fire first"),
        decision((3, 0, 1), "nva", "action", "", {"rally": (0.0, 0.0), "chit 8-66": (0.11, 0.02)}, "a rally comes first"),
        decision(
            (4, 2, 2),
            "us",
            "target",
            "10.2",
            {"8-66-C": (0.0, 0.0), "8-66-A": (0.08, 0.02), "8-66-D": (0.13, 0.03), "8-66-B": (0.22, 0.03)},
            aimed,
        ),
        decision((7, 1, 3), "us", "retreat", "11.4", {"stay": (0.0, 0.0), "retreat": (0.12, 0.02)}, held),
        decision((8, 3, 3), "us", "advance", "11.6", {"1-7-C": (0.0, 0.0), "1-7-A": (0.06, 0.05)}),
    )
