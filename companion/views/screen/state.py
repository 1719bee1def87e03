"""The fragments of the page's state: one call makes all that a screen shows after an answer."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from typing import NamedTuple
from weakref import WeakKeyDictionary

from companion.core.errors import CompanionError
from companion.core.game import Banner
from companion.core.map import Map
from companion.core.requests import AnyRequest
from companion.core.text import clean, plural
from companion.session.corrections import last_asked
from companion.session.seat_view import shared_view, whole_session
from companion.session.state import SessionState
from companion.views.banner import answered_lines, game_over_lines
from companion.views.dashboard import field_values
from companion.views.lines import Line, named_value_text, truncate
from companion.views.map_text import last_moved_space, session_map
from companion.views.question import prompt_line, waiting_line
from companion.views.screen.happened import Happened, happened, short_title
from companion.views.screen.lines import lines_html, rule_numbers, spoken
from companion.views.screen.map import NO_TARGETS, tap_map, targets_of
from companion.views.screen.question import shown_question
from companion.views.screen.roles import Role, decider_title, is_mine, seats_of_role
from companion.views.screen.templates import fragment
from companion.views.screen.watch import watch_fragment

_MAX_TEXT = 160  # most characters of what an undo takes back


def screen_data(session: SessionState, role: Role) -> dict[str, str]:
    """Return the fragments of a role's page: `speak` as plain text, the others as HTML.

    Args:
        session: The session.
        role: The seats that it answers for; `WATCH` sees all and has no controls, `ALL` answers for every seat.
    """
    screen = screen_of(session)
    mine, plays = is_mine(session, role), bool(seats_of_role(session, role))
    return {
        "top": screen.top(mine),
        "question": screen.question(mine, plays),
        "happened": screen.happened_html,
        "table": screen.table_html,
        "map": screen.map_html(mine),
        "speak": screen.speech,
        "watch": "" if plays else screen.watch_html,
    }


_SCREENS: WeakKeyDictionary[SessionState, tuple[tuple[int, object], Screen]] = WeakKeyDictionary()
"""The last screen of each session, with what it depends on."""


def screen_of(session: SessionState) -> Screen:
    """Return the screen of a session; the last one if nothing has changed since."""
    session = shared_view(session)
    stamp = session.history.seq, session.archive.fact_revision(session.game.id)
    cached = _SCREENS.get(session)
    if cached is None or cached[0] != stamp:
        cached = _SCREENS[session] = (stamp, Screen(session))
    return cached[1]


class Figure(NamedTuple):
    """A figure of the banner; `was` is its value before the last action if it has changed."""

    label: str
    value: str
    title: str
    was: str


class Screen:
    """A session as its pages show it. What several roles see is made once."""

    def __init__(self, session: SessionState) -> None:
        self._session = session
        self._maps: dict[bool, str] = {}

    @cached_property
    def banner(self) -> Banner:
        """Stage, figures and reminders."""
        return self._session.game.banner(self._session.position, self._session.options)

    @cached_property
    def over(self) -> list[Line]:
        """Reason and verdict once the game is over."""
        return game_over_lines(self._session.game, self._session.position, self._session.options)

    @cached_property
    def figures(self) -> list[Figure]:
        """The figures of the banner."""
        session, game, history = self._session, self._session.game, self._session.history
        last = history.force[-1] if history.force else 0
        before = field_values(game.banner(history.position(before=last), session.options)) if last > 1 else {}
        facts, figures = session.log.facts(), []
        for field in self.banner.fields:
            was = before.get(field.key, field.value)
            changed = was if was != field.value else ""
            title = field.label
            if field.key in game.tracks:
                ends = game.track_ends(field.key, session.position, facts)
                title = f"{game.track_title(field.key) or field.label}, {ends}"
            figures.append(Figure(field.label, field.value, f"{title}; was {changed}" if changed else title, changed))
        return figures

    def top(self, mine: bool) -> str:
        """Return stage, whose decision it is, figures and reminders."""
        stage = self.over[0].text if self.over else self.banner.stage or self._session.game.title
        title = decider_title(self._session)
        whose = f"You decide: {title}" if title and mine else f"{title} decides" if title else "You decide" if mine else ""
        reminders = self.banner.reminders
        body = {"stage": stage, "whose": "" if self.over else whose, "mine": mine, "figures": self.figures}
        return fragment("top", {**body, "reminders": reminders})

    # -- the question and the actions ------------------------------------------------------------------------------

    def question(self, mine: bool, plays: bool) -> str:
        """Return the open question or the actions, and what can be taken back."""
        session = self._session
        back = self._back if plays else ""
        if session.broken:
            return lines_html([Line(session.broken, "error")]) + back
        request = session.pending
        if not mine or (request is not None and request.waits_for):
            return self._waiting(request) + back
        return (self._question if request else self._actions) + back

    @cached_property
    def _question(self) -> str:
        session = self._session
        request, entry = session.pending, session.history.open_entry
        assert request is not None and entry is not None
        answered = lines_html(answered_lines(entry, request, session.position))
        return answered + fragment("question", shown_question(request, session.question_number))

    def _waiting(self, request: AnyRequest | None) -> str:
        """Return what another seat decides, without its choices."""
        if request is None and (self.over or not decider_title(self._session)):
            return ""
        line = prompt_line(request, to_tap=True) if request else Line("the next action")
        title = decider_title(self._session) or "The player"
        dice = waiting_line(request).text if request and request.waits_for else ""
        return fragment("waiting", {"title": title, "prompt": clean(line.text), "rules": rule_numbers(line.rule), "dice": dice})

    @cached_property
    def _actions(self) -> str:
        """The actions: those that can be begun, the usual one first; the others with the reason."""
        from companion.session.inquiry import action_states

        game = self._session.game
        usual = "" if self.over else game.table_action(self._session.position)
        states = list(action_states(whole_session(self._session)))
        possible = [state.action for state in states if state.obstacle is None]
        others = [
            {"title": state.action.title, "why": state.obstacle.text, "rules": rule_numbers(state.obstacle.rule)}
            for state in states
            if state.obstacle
        ]
        possible.sort(key=lambda action: action.id != usual)
        title = "Still possible" if self.over else "Your action"
        return fragment("actions", {"title": title, "possible": possible, "others": others, "usual": usual})

    @cached_property
    def _back(self) -> str:
        """The buttons that take back and restore, each with what that is."""
        history = self._session.history
        texts = {"reply": self._last_answer(), "entry": "", "redo": ""}
        with suppress(CompanionError):  # nothing to take back
            texts["entry"] = self._entry_titles(history.plan_undo(1).take) or "the last correction"
        with suppress(CompanionError):
            texts["redo"] = self._entry_titles(history.plan_redo().give) or "the last correction"
        return fragment("back", {key: truncate(clean(text), _MAX_TEXT) for key, text in texts.items()})

    def _last_answer(self) -> str:
        """Return the last answer of the player in the last entry, and how many rolls go with it; "" without one."""
        index = last_asked(self._session) if self._session.history.force else None
        if index is None:
            return ""
        replies = self._session.history.in_force[-1].replies[index:]
        rolls = sum(reply.is_random for reply in replies[1:])
        text = f"{replies[0].question} = {named_value_text(replies[0].value, self._session.position.pieces)}"
        return f"{text} and {plural(rolls, 'roll')}" if rolls else text

    def _entry_titles(self, numbers: Sequence[int]) -> str:
        """Return entries by number and title."""
        game, entries = self._session.game, self._session.history.entries
        return ", ".join(f"{number} {short_title(game, entries[number])}" for number in numbers)

    # -- what happened, the table, the map, the voice, the watcher ----------------------------------------------------

    @cached_property
    def _happened(self) -> Happened:
        return happened(self._session)

    @cached_property
    def happened_html(self) -> str:
        """The lines of the last actions."""
        return lines_html([*self._happened.lines, *self.over])

    @cached_property
    def table_html(self) -> str:
        """What to do on the table."""
        return fragment("table", self._happened.lists)

    @cached_property
    def map(self) -> Map | None:
        """The map as far as known; None without one."""
        map = session_map(self._session, self._session.position)
        return map if map and map.spaces else None

    def map_html(self, mine: bool) -> str:
        """Return the map, with the choices of the open question if it is `mine`; "" without one."""
        if self.map is None:
            return ""
        if mine not in self._maps:
            targets = targets_of(self._session.pending, self.map) if mine else NO_TARGETS
            self._maps[mine] = tap_map(self.map, targets, last_moved_space(self._session, self.map))
        return self._maps[mine]

    @cached_property
    def speech(self) -> str:
        """What happened and what is asked, to be read aloud."""
        request = self._session.pending
        asked = [prompt_line(request, to_tap=True)] if request else []
        return spoken([*(line for line in self._happened.new if line.tone != "dim"), *self.over, *asked])

    @cached_property
    def watch_html(self) -> str:
        """What only the watcher's page shows."""
        figures = fragment("big", {"stage": self.banner.stage or self._session.game.title, "figures": self.figures})
        return figures + watch_fragment(self._session, {field.key for field in self.banner.fields})
