"""Two seats answer, take back and restore parts of sealed questions, with a new process at any moment."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule, run_state_machine_as_test

from companion.core.errors import CompanionError
from companion.core.resolver import Answers, TypedValue
from companion.session.controller import SessionController
from companion.session.store import Archive
from companion.views.data import session_data
from companion.views.lines import plain_text
from companion.views.log import log_data, log_lines, why_lines

SEATS = st.sampled_from(["red", "blue"])
STAKES = st.integers(20_000, 99_999)


def _moves(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [event for event in body.get("events", ()) if event["kind"] == "track"]


class Hands(RuleBasedStateMachine):
    """A session of two seats, and the stakes in their closed fists, which come from the rows of the log alone."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.mkdtemp()
        self.archive = Archive.open(os.path.join(self.folder, "a.db"))
        self.archive._db.execute("PRAGMA synchronous = OFF")  # what is tested here is not the disk
        self.told: list[str] = []

    def teardown(self) -> None:
        self.archive.close()
        shutil.rmtree(self.folder)

    @initialize()
    def begin_session(self) -> None:
        self.session = SessionController.create(self.archive, "ambush", seed="1")

    def fists(self) -> dict[str, int]:
        """The parts of the open question, as they are stored."""
        number = self.session.pending_entry
        rows = [row.body for row in self.archive.rows(self.session.info.id) if row.kind == "reply" and row.entry == number]
        return {body["seat"]: body.get("part", body["value"]) for body in rows}

    def hidden(self) -> set[str]:
        """Every stake that was never revealed, of entries taken back too."""
        groups: dict[int, list[dict[str, Any]]] = {}
        for row in self.archive.rows(self.session.info.id):
            if row.kind == "reply" and row.body.get("seat"):
                groups.setdefault(row.entry, []).append(dict(row.body))
        values = [{str(body.get("part", body["value"])) for body in group} for group in groups.values()]
        shown = {value for group, both in zip(groups.values(), values, strict=True) if len(group) == 2 for value in both}
        hidden = {value for group, one in zip(groups.values(), values, strict=True) if len(group) == 1 for value in one}
        gold = {str(event["now"]) for row in self.archive.rows(self.session.info.id) for event in _moves(row.body)}
        return hidden - shown - gold  # a stake may be all the gold that is left

    @property
    def is_open(self) -> bool:
        return self.session.pending is not None

    @precondition(lambda self: not self.is_open and self.session.position.track("turn") < 8)
    @rule()
    def close_fists(self) -> None:
        self.session.begin("stakes")

    @precondition(lambda self: self.is_open)
    @rule(seat=SEATS, stake=STAKES, named=st.booleans())
    def stake(self, seat: str, stake: int, named: bool) -> None:
        fists, at = self.fists(), self.session.question_number
        stake = min(stake, self.session.position.track(f"{seat}_gold"))
        try:
            result = self.session.answer(Answers(plain=[TypedValue.of(stake)]), at=at if named else "", seat=seat)
        except CompanionError as error:
            assert seat in fists and not set(map(str, fists.values())) & set(str(error).split())
            return
        self.told.append(json.dumps(str(result.notes)))
        if seat in fists:
            assert result.repeated and fists[seat] == stake
        elif fists:
            both = {**fists, seat: stake}
            assert f"Red stakes {both['red']}, Blue {both['blue']}" in str(result.events)
        else:
            assert not result.events and self.fists() == {seat: stake}

    @precondition(lambda self: self.is_open)
    @rule(seat=SEATS)
    def take_back(self, seat: str) -> None:
        fists = self.fists()
        try:
            self.session.undo_reply(seat)
        except CompanionError:
            assert fists and seat not in fists
            return
        if fists:
            assert self.fists() == {other: stake for other, stake in fists.items() if other != seat}

    @rule()
    def take_back_last(self) -> None:
        if len(self.session.history.force) > 1:
            self.session.undo_reply()

    @rule()
    def undo(self) -> None:
        if len(self.session.history.force) > 1:
            self.session.undo()

    @rule()
    def redo(self) -> None:
        if self.session.history.redos:
            self.session.redo()

    @precondition(lambda self: self.fists())
    @rule(stake=STAKES)
    def amend(self, stake: int) -> None:
        (seat,) = self.fists()
        stake = min(stake, self.session.position.track(f"{seat}_gold"))
        self.session.amend(self.session.pending_entry, 1, str(stake))
        assert self.fists() == {seat: stake}

    @rule()
    def new_process(self) -> None:
        self.session = SessionController.open(self.archive, self.session.info.name)

    @invariant()
    def stored_and_shown_are_the_same(self) -> None:
        again = SessionController.open(self.archive, self.session.info.name)
        assert session_data(again) == session_data(self.session)

    @invariant()
    def nothing_shows_a_closed_fist(self) -> None:
        session, game, history = self.session, self.session.game, self.session.history
        texts = [json.dumps(session_data(session)), json.dumps(log_data(history, undone=True)), str(history.entries), *self.told]
        lines = log_lines(game, history, undone=True)
        lines += [line for entry in history.entries.values() for line in why_lines(game, history, entry)]
        texts.append(plain_text(lines, 200))
        for value in self.hidden():
            assert not any(value in text for text in texts), value


@pytest.mark.parametrize("examples", [2, pytest.param(20, marks=pytest.mark.slow), pytest.param(200, marks=pytest.mark.long)])
def test_hands(examples: int, ambush_game: str) -> None:
    run_state_machine_as_test(
        Hands,
        settings=settings(
            max_examples=examples, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck), database=None
        ),
    )
