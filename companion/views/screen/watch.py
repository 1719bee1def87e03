"""The big picture for a tablet in the middle of the table: tracks as bars, and the score."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from companion.core.errors import CompanionError
from companion.core.game import Track
from companion.session.state import SessionState
from companion.views.banner import score_lines
from companion.views.lines import Line
from companion.views.screen.lines import shown_line
from companion.views.screen.templates import fragment

_MAX_RANGE = 100  # widest range of a track that is drawn as a bar


class Bar(NamedTuple):
    """A track; `full` is None where it has no bar."""

    title: str
    value: str
    filled: int
    full: int | None
    ends: str


def watch_fragment(session: SessionState, shown: Collection[str]) -> str:
    """Return the tracks that are bars or not among the figures `shown`, and the score as if the game ended now."""
    tracks = [track for track in session.game.tracks.values() if track.title]
    bars = [(track.id, _bar(session, track)) for track in tracks]
    lines = _score_lines(session)
    verdict = next((line.text for line in reversed(lines) if line.tone == "title"), "")
    title = f"{'Score' if session.game.over(session.position) else 'Score now'}: {verdict}"
    view = {"tracks": [bar for id, bar in bars if bar.full is not None or id not in shown], "score_title": title}
    return fragment("watch", {**view, "score": [shown_line(line) for line in lines]})


def _bar(session: SessionState, track: Track) -> Bar:
    game, position = session.game, session.position
    ends, value = game.track_ends(track.id, position, session.log.facts()), position.track(track.id)
    text = game.track(track.id, value)
    if track.names or ends.low is None or ends.high is None or not 0 < ends.high - ends.low <= _MAX_RANGE:
        return Bar(track.title, text, 0, None, "")
    return Bar(track.title, text, min(max(value, ends.low), ends.high) - ends.low, ends.high - ends.low, str(ends))


def _score_lines(session: SessionState) -> list[Line]:
    """Return the score; nothing if a chart has no row for what is on the table."""
    try:
        return score_lines(session.game.score(session.position, session.options))
    except CompanionError:
        return []
