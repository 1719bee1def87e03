"""What a report says of the session as a whole: who, when, by which options, with what luck, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from companion.core.errors import CompanionError
from companion.core.events import Said
from companion.core.game import Game, Score
from companion.core.history import History
from companion.core.words import plural, split_list
from companion.views.banner import sample_keys

_BREAK_SECONDS = 3600.0
"""Seconds between two rows of the log from which on the table stood empty."""


class ChangedOption(NamedTuple):
    """An option or a ruling that is not as published. ``ruling``: its number, "" for an option."""

    id: str
    title: str
    value: str
    ruling: str


class PlayTime(NamedTuple):
    """First and last day as ISO dates, and the minutes that the players sat at the table."""

    first: str
    last: str
    minutes: int

    @property
    def text(self) -> str:
        """In a sentence."""
        days = self.first if self.first == self.last else f"{self.first} to {self.last}"
        return f"Played {days}, {self.minutes // 60} h {self.minutes % 60:02} min at the table."


class ReportHead(NamedTuple):
    """All of it.

    Attributes:
        title: the game; ``scenario``: its title; ``edition``: what was published.
        when: None for a log without times.
        players: as they were named.
        dice: how many there were, and what they showed.
        samples: the kinds of printed facts for which samples of ours were used, in words.
        warnings: what the set-up warned of.
        over: why the game is over; "" while it goes on.
        stage: where play is, while it goes on; ``pending``: the action that waits for an answer, "" for none.
        score: the count, as if the game ended now; None where it cannot be counted.
        undone: how many actions were taken back; ``corrected``: how often something was put right by hand.
    """

    session: str
    title: str
    scenario: str
    edition: str
    play_time: PlayTime | None
    players: tuple[str, ...]
    changed_options: tuple[ChangedOption, ...]
    dice: str
    samples: tuple[str, ...]
    warnings: tuple[str, ...]
    over: str
    stage: str
    pending: str
    score: Score | None
    undone: int
    corrected: int


def report_head(name: str, game: Game, history: History, options: Mapping[str, str]) -> ReportHead:
    """The head of a session. ``options``: as chosen, the scenario among them."""
    position = history.position()
    scenario = options.get("scenario", "")
    over = game.over(position)
    opened = history.open_entry
    return ReportHead(
        name,
        game.title,
        game.scenarios[scenario].title if scenario in game.scenarios else scenario,
        game.edition,
        play_time(history),
        tuple(split_list(options.get("players", ""))),
        tuple(changed_options(game, options)),
        dice_summary(history),
        tuple(sample_titles(game, sample_keys(history.in_force))),
        tuple(event.text for event in history.in_force[0].events or () if isinstance(event, Said) and event.tone == "warning"),
        over,
        "" if over else game.banner(position, options).stage,
        opened.action if opened else "",
        _score(game, history, options),
        len(_undone_entries(history)),
        sum(_corrections(history)),
    )


def _score(game: Game, history: History, options: Mapping[str, str]) -> Score | None:
    try:
        return game.score(history.position(), options)
    except CompanionError:
        return None


def _undone_entries(history: History) -> list[int]:
    """The entries that are out of force; not those that another replaces, nor what only looked at the table."""
    replaced = {entry.copy_of for entry in history.entries.values()}
    looks = {number for change in history.changes if change.how == "look" for number in change.take}
    return [number for number in history.entries if number not in history.force and number not in replaced | looks]


def _corrections(history: History) -> list[int]:
    own = [entry.action in ("adjust", "audit") for entry in history.in_force]
    return [*own, *(reply.adjusted for entry in history.in_force for reply in entry.replies)]


def changed_options(game: Game, options: Mapping[str, str]) -> list[ChangedOption]:
    """The options and rulings that are not as published; who plays is told otherwise."""
    found = []
    for key, option in game.options.items():
        value = options.get(key, option.default)
        if value != option.default and key != "players":
            ruling = game.tables.rulings.get(option.ruling)
            meaning = ruling.meaning.get(value, value) if ruling else value
            found.append(ChangedOption(key, option.title, meaning, option.ruling))
    return found


def sample_titles(game: Game, keys: Sequence[str]) -> list[str]:
    """The kinds of printed facts of some keys, each with how many of them: ``Weather``, ``Squads (4)``."""
    counts: dict[str, int] = {}
    for key in keys:
        fact = game.fact(key)
        title = fact.title if fact else key
        counts[title] = counts.get(title, 0) + 1
    return [title if count == 1 else f"{title} ({count})" for title, count in counts.items()]


def play_time(history: History) -> PlayTime | None:
    """When it was played, and how long the players sat at it; None for a log without times."""
    from datetime import datetime

    times = [datetime.fromisoformat(at) for at in history.times if at]
    if not times:
        return None
    gaps = [(later - earlier).total_seconds() for earlier, later in pairwise(times)]
    minutes = round(sum(gap for gap in gaps if 0 < gap < _BREAK_SECONDS) / 60)
    return PlayTime(times[0].date().isoformat(), times[-1].date().isoformat(), minutes)


def dice_summary(history: History) -> str:
    """How many dice and draws there were, by whom, and what the dice showed on average."""
    replies = [reply for entry in history.in_force for reply in entry.replies if reply.random]
    told = []
    for who, own in (("Companion", False), ("the players", True)):
        faces = [face for reply in replies if reply.kind == "roll" and reply.by_hand == own for face in reply.value]
        draws = sum(reply.kind == "draw" and reply.by_hand == own for reply in replies)
        if faces:
            told.append(f"{plural(len(faces), 'die', 'dice')} by {who}, {sum(faces) / len(faces):.2f} on average")
        if draws:
            told.append(f"{plural(draws, 'draw')} by {who}")
    return f"{'; '.join(told)}." if told else ""
