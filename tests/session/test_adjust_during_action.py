"""Adjust while a question is open: the table is the truth in the middle of an action too."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import Any

import pytest

from companion.core.errors import Illegal, Unreadable
from companion.core.events import Said, TrackMoved
from companion.core.history import Reply
from companion.core.requests import Choice
from companion.core.resolver import Answers
from companion.session.controller import SessionController
from companion.session.store import Archive
from companion.session.transfer import bundle, restore
from companion.views.lines import plain_text
from companion.views.log import log_data, log_lines, why_lines
from companion.views.report.document import document
from companion.views.report.render import report_data, report_md
from companion.views.report.report import build_report
from tests.session.test_controller import MARCH, replies, same_as_stored
from tests.support import tiny

SEEN = "seen on the table"


@pytest.fixture
def session(archive: Archive, tiny_game: str) -> SessionController:
    return SessionController.create(archive, "tiny", seed="7")


@pytest.fixture
def physical(archive: Archive, tiny_game: str) -> SessionController:
    return SessionController.create(archive, "tiny", seed="7", dice="physical", draws="physical")


def kinds(session: SessionController) -> list[str]:
    return [row.kind for row in session.archive.rows(session.info.id)]


class Resting:
    """What ``rest`` does instead, so that a question can be put where it is wanted."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch

    def __call__(self, procedure: Any) -> None:
        self._monkeypatch.setattr(tiny.Ford, "rest", procedure)


@pytest.fixture
def resting(monkeypatch: pytest.MonkeyPatch) -> Resting:
    return Resting(monkeypatch)


class TestAtTheQuestion:
    def test_question_stays_and_the_action_uses_the_new_position(self, physical: SessionController) -> None:
        physical.do("march", MARCH)
        before = physical.position
        step = physical.adjust([("supply", "3")], SEEN)
        assert step.events == (TrackMoved("supply", 7, 3, "", SEEN),)
        assert step.before == before and step.after == physical.position and step.after.track("supply") == 3
        assert step.pending and step.pending.key == "toll" and step.pending is physical.pending and not step.done
        assert step.entry == 2 and step.fix == ("Set Supply from 7 to 3",)
        assert physical.committed_position.track("supply") == 8 and kinds(physical)[-1] == "adjusted"
        same_as_stored(physical)
        physical.reply("1")
        assert physical.committed_position.track("supply") == 3 and physical.committed_position.pieces["red#1"].place == "ford"
        same_as_stored(physical)

    def test_action_uses_the_change_from_its_start(self, session: SessionController, resting: Resting) -> None:
        """What the action has read before its question is read again from the table as it is, where its answers still fit; where
        they do not, it goes on from the last change.
        """

        async def rest(ford: tiny.Ford) -> None:
            many = ford.position.track("supply")
            hours = await ford.number("hours", "How long", "1.1", 1, many)
            if await ford.confirm("fire", "With a fire", "1.1"):
                ford.say(f"{hours} of {many}", "1.1")

        resting(rest)
        session.do("rest", Answers(plain=["3"]))
        session.adjust([("supply", "4")], SEEN)
        assert replies(session, 2)[-1][0] == "adjust" and session.events_of(2)[0] == TrackMoved("supply", 8, 4, "", SEEN)
        session.adjust([("supply", "2")], SEEN)
        assert "first" not in session.history.entries[2].replies[-1].value
        step = session.reply("yes")
        assert step.events == (Said("3 of 4", "1.1"),) and session.committed_position.track("supply") == 2
        same_as_stored(session)

    def test_change_is_between_past_and_later_events(self, physical: SessionController) -> None:
        physical.do("march", Answers([("unit", "Red")]))
        physical.adjust([("supply", "3")], SEEN)
        physical.reply("ford")
        physical.adjust([("supply", "9")], SEEN)
        physical.reply("6")
        moves = [(event.was, event.now) for event in physical.events_of(2) if isinstance(event, TrackMoved)]
        assert moves == [(8, 3), (3, 2), (2, 9), (0, 1)]
        assert [reply[0] for reply in replies(physical)] == ["unit", "adjust", "to", "adjust", "toll"]

    def test_choices_follow_the_new_position(self, session: SessionController) -> None:
        session.begin("march")
        assert session.pending and [choice.value for choice in session.pending.legal_choices()] == ["red#1", "blue#2"]
        step = session.adjust([("Red", "out"), ("new:unit:Green", "camp")], SEEN)
        assert step.pending and [choice.label for choice in step.pending.legal_choices()] == ["Blue", "Green"]
        session.reply("Green")
        same_as_stored(session)

    def test_earlier_answers_are_not_asked_again(self, physical: SessionController) -> None:
        """The unit had marched when the player saw that it is out of play: the answer to the first question stands."""
        physical.do("march", Answers([("unit", "Red")]))
        physical.adjust([("Red", "out")], SEEN)
        assert physical.pending and physical.pending.key == "to"
        same_as_stored(physical)
        physical.reply("ford")
        physical.adjust([("Red", "out")], SEEN)
        same_as_stored(physical)
        physical.reply("1")
        assert physical.committed_position.pieces["red#1"].place == "out"

    def test_cup_has_the_new_contents(self, physical: SessionController) -> None:
        physical.begin("search")
        physical.adjust([("gold#4", "out"), ("gold#5", "out")], SEEN)
        with pytest.raises(Illegal, match="the cup has no more Gold"):
            physical.reply("Gold")
        physical.reply("Stone")
        same_as_stored(physical)

    def test_only_new_lines_are_shown(self, session: SessionController, resting: Resting) -> None:
        """Nothing happens between the answer and the next question, though something was said before it."""

        async def rest(ford: tiny.Ford) -> None:
            ford.say("It begins", "1.1")
            await ford.number("hours", "How long", "1.1", 1, 9)
            await ford.confirm("fire", "With a fire", "1.1")

        resting(rest)
        session.do("rest", Answers(plain=["3"]))
        step = session.adjust([("supply", "3")], SEEN)
        assert step.pending and step.pending.key == "fire" and step.events == (TrackMoved("supply", 8, 3, "", SEEN),)
        assert session.events_of(2) == (*step.events, Said("It begins", "1.1"))
        same_as_stored(session)

    def test_open_roll_stays_open(self, physical: SessionController) -> None:
        physical.do("march", MARCH)
        physical.setting(dice="computer")
        step = physical.adjust([("supply", "3")], SEEN)
        assert step.pending and step.pending.key == "toll"

    def test_several_changes_at_one_question_apply_in_order(self, physical: SessionController) -> None:
        physical.do("march", MARCH)
        for value in ("3", "1", "5"):
            physical.adjust([("supply", value)], SEEN)
            same_as_stored(physical)
        physical.adjust([("new:unit:Green", "camp")], SEEN)
        physical.adjust([("Green.hits", "2")], SEEN, "audit")
        physical.reply("1")
        assert physical.committed_position.track("supply") == 5 and physical.committed_position.pieces["green#9"].marks == {
            "hits": 2
        }
        assert [reply[0] for reply in replies(physical)][2:] == ["adjust", "adjust", "adjust", "adjust", "audit", "toll"]
        same_as_stored(physical)

    def test_the_question_of_the_set_up(self, archive: Archive, tiny_game: str) -> None:
        session = SessionController.create(archive, "tiny", "night")
        session.adjust([("supply", "12")], "there are more crates in this box")
        same_as_stored(session)
        session.reply("2")
        assert session.committed_position.track("supply") == 10

    def test_lines_before_the_question_are_shown_again(self, session: SessionController, resting: Resting) -> None:
        async def rest(ford: tiny.Ford) -> None:
            ford.shift_track("supply", 1, "1.1", "rest")
            ford.say(f"{ford.position.track('supply')} left", "1.1")
            most = max(1, ford.position.track("supply"))
            await ford.number("hours", "How long", "1.1", 1, most)

        resting(rest)
        session.begin("rest")
        step = session.adjust([("supply", "3")], SEEN)
        assert step.events == (TrackMoved("supply", 9, 3, "", SEEN), Said("3 left", "1.1"))
        assert step.pending and step.pending.describe()["high"] == 3
        assert [event.text for event in session.events_of(2) if isinstance(event, Said)] == ["3 left"]
        same_as_stored(session)

    def test_out_of_sequence_is_reported_once(self, session: SessionController) -> None:
        session.begin("fire", anyway=True)
        session.adjust([("flag:night", "yes")], SEEN)
        session.adjust([("supply", "2")], SEEN)
        same_as_stored(session)
        session.reply("2")
        said = [event.text for event in session.events_of(2) if isinstance(event, Said)]
        assert said == ["Out of sequence, recorded anyway: it is not dark", "2 fires"]

    def test_rolled_dice_stay(self, session: SessionController) -> None:
        session.do("fight", Answers([("unit", "Blue")]))
        rolled = replies(session)
        session.adjust([("supply", "2")], SEEN)
        assert replies(session)[:-1] == rolled
        session.reply("yes")
        other = SessionController.create(session.archive, "tiny", seed="7", name="other")
        other.do("fight", Answers([("unit", "Blue"), ("go on", "yes")]))
        assert [reply for reply in replies(session) if reply[0] == "fight"] == [r for r in replies(other, 2) if r[0] == "fight"]

    def test_insisted_answer_is_not_asked_again(self, physical: SessionController) -> None:
        physical.adjust([("supply", "0")], SEEN)
        physical.do("march", MARCH, anyway=True)
        physical.adjust([("supply", "4")], SEEN)
        same_as_stored(physical)
        physical.reply("1")
        assert [reply.anyway for reply in physical.history.entries[3].replies] == [False, True, False, False]


class TestWhatItLeadsTo:
    @pytest.fixture(autouse=True)
    def procedure(self, session: SessionController, resting: Resting) -> None:
        async def rest(ford: tiny.Ford) -> None:
            await ford.number("hours", "How long", "1.1", 1, 9)
            supply = ford.position.track("supply")
            if supply == 0:
                ford.forbid("there is nothing to eat", "1.1")
            if supply == 1:
                raise LookupError("a hole in the rules")
            if supply == 2:
                ford.say("Too hungry to be asked", "1.1")
                return
            if supply == 3:
                await ford.roll("rats", "Rats", "1.1")
            await ford.choose("meal", "What to eat", "1.1", [Choice(f"{supply} beans", "beans"), Choice("bread", "bread")])

        resting(rest)
        session.do("rest", Answers([("hours", "2")]))

    def test_new_position_gives_other_choices(self, session: SessionController) -> None:
        step = session.adjust([("supply", "5")], SEEN)
        assert step.pending and step.pending.legal_choices()[0].value == "5 beans"

    @pytest.mark.parametrize(
        ("value", "words"),
        [
            (
                "0",
                r"action 2 'rest' does not go on with that: there is nothing to eat \[1\.1\]\. Take back its last answer or all",
            ),
            ("1", "does not go on with that: LookupError: a hole in the rules"),
        ],
    )
    def test_change_that_blocks_the_action_is_refused(self, session: SessionController, value: str, words: str) -> None:
        rows, position = session.archive.rows(session.info.id), session.position
        with pytest.raises(Illegal, match=words):
            session.adjust([("supply", value)], SEEN)
        assert session.archive.rows(session.info.id) == rows and session.position == position
        assert session.pending and session.pending.key == "meal"
        same_as_stored(session)
        session.adjust([("supply", "5")], SEEN)
        assert session.reply("5 beans").done
        same_as_stored(session)

    def test_change_can_complete_the_action(self, session: SessionController) -> None:
        step = session.adjust([("supply", "2")], SEEN)
        assert step.done and step.pending is None and session.pending is None
        assert step.events == (TrackMoved("supply", 8, 2, "", SEEN), Said("Too hungry to be asked", "1.1"))
        same_as_stored(session)
        step = session.undo_reply()
        assert step.pending and step.pending.key == "meal" and session.position.track("supply") == 8
        same_as_stored(session)

    def test_forced_replies_follow(self, session: SessionController) -> None:
        step = session.adjust([("supply", "3")], SEEN)
        assert step.pending and step.pending.key == "meal"
        assert [(reply[0], reply[2]) for reply in replies(session)] == [
            ("hours", "scripted"),
            ("adjust", "typed"),
            ("rats", "computer"),
        ]
        same_as_stored(session)
        session.undo_reply()
        assert [reply[0] for reply in replies(session)] == ["hours"] and session.position.track("supply") == 8

    def test_physical_roll_is_asked(self, session: SessionController) -> None:
        session.setting(dice="physical")
        step = session.adjust([("supply", "3")], SEEN)
        assert step.pending and step.pending.key == "rats"
        same_as_stored(session)


class TestRefusals:
    @pytest.mark.parametrize(
        ("what", "value", "why", "words"),
        [
            ("supply", "99", SEEN, "Supply cannot stand at 99"),
            ("supply", "7", SEEN, "nothing would change"),
            ("moon", "7", SEEN, "no track or piece 'moon'"),
            ("supply", "3", " ", "needs a reason"),
        ],
    )
    def test_nothing_is_kept(self, physical: SessionController, what: str, value: str, why: str, words: str) -> None:
        physical.do("march", MARCH)
        rows = physical.archive.rows(physical.info.id)
        with pytest.raises(Unreadable, match=words):
            physical.adjust([(what, value)], why)
        assert physical.archive.rows(physical.info.id) == rows
        assert physical.pending and physical.pending.key == "toll"
        physical.reply("2")


class TestTakenBack:
    def test_change_is_undone_in_one_step(self, physical: SessionController) -> None:
        physical.do("march", MARCH)
        before = physical.position
        physical.adjust([("supply", "3"), ("Red", "camp")], SEEN)
        after = physical.position
        step = physical.undo_reply()
        assert step.fix == ("Move Red from Camp to Ford", "Set Supply from 3 to 7") and step.notes == ()
        assert step.pending and step.pending.key == "toll" and physical.position == before
        same_as_stored(physical)
        physical.redo()
        assert physical.position == after and physical.pending and physical.pending.key == "toll"
        same_as_stored(physical)
        physical.undo_reply()
        physical.undo_reply()
        assert physical.pending and physical.pending.key == "to"

    def test_change_survives_undo_of_a_later_reply(self, physical: SessionController) -> None:
        physical.do("march", Answers([("unit", "Red")]))
        physical.adjust([("supply", "3")], SEEN)
        physical.reply("ford")
        physical.undo_reply()
        assert physical.pending and physical.pending.key == "to" and physical.position.track("supply") == 3
        assert [reply[0] for reply in replies(physical)] == ["unit", "adjust"]
        same_as_stored(physical)

    def test_change_is_undone_with_its_entry(self, physical: SessionController) -> None:
        before = physical.position
        physical.do("march", MARCH)
        physical.adjust([("supply", "3")], SEEN)
        step = physical.undo()
        assert physical.position == before and "Set Supply from 3 to 8" in step.fix
        same_as_stored(physical)
        physical.redo()
        assert physical.position.track("supply") == 3 and physical.pending
        same_as_stored(physical)
        physical.abort()
        assert physical.position == before

    def test_change_in_a_complete_entry_is_undone(self, physical: SessionController) -> None:
        physical.do("march", MARCH)
        physical.adjust([("supply", "3")], SEEN)
        physical.reply("6")
        physical.undo_reply()
        physical.undo_reply()
        assert physical.pending and physical.pending.key == "toll" and physical.position.track("supply") == 7
        same_as_stored(physical)

    def test_change_discards_the_redo(self, physical: SessionController) -> None:
        physical.do("march", MARCH)
        physical.undo_reply()
        physical.adjust([("supply", "3")], SEEN)
        with pytest.raises(Illegal, match="nothing to bring back"):
            physical.redo()


class TestAmended:
    @pytest.fixture
    def marched(self, physical: SessionController) -> SessionController:
        """unit, adjust at 'to', to, adjust at 'toll', toll."""
        physical.do("march", Answers([("unit", "Red")]))
        physical.adjust([("supply", "5")], SEEN)
        physical.reply("ford")
        physical.adjust([("Red.hits", "2"), ("mood", "high")], SEEN)
        physical.reply("1")
        physical.do("rest")
        return physical

    @pytest.mark.parametrize(("reply", "text"), [(3, "far bank"), (5, "6")])
    def test_change_survives_an_amend(self, marched: SessionController, reply: int, text: str) -> None:
        step = marched.amend(2, reply, text)
        assert step.done and step.notes == ()
        assert marched.position.track("supply") == 5 and marched.position.track("mood") == 2
        assert marched.position.pieces["red#1"].marks == {"hits": 2}
        assert [reply[0] for reply in replies(marched, 4)] == ["unit", "adjust", "to", "adjust", "toll"]
        same_as_stored(marched)

    def test_change_is_applied_to_the_amended_position(self, marched: SessionController) -> None:
        marched.amend(2, 2, "9")
        moves = [(event.was, event.now) for event in marched.events_of(4) if isinstance(event, TrackMoved)]
        assert moves == [(8, 9), (1, 2), (9, 8), (0, 1)] and marched.position.track("supply") == 9
        assert marched.history.entries[4].replies[1].value == {
            "changes": [["supply", "9"]],
            "why": SEEN,
            "at": "to",
            "first": True,
        }
        same_as_stored(marched)

    def test_amend_of_an_earlier_entry(self, physical: SessionController) -> None:
        physical.do("march", Answers(plain=["Red", "ford", "1"]))
        physical.do("march", Answers(plain=["Red", "camp"]))
        physical.adjust([("Red.hits", "2"), ("supply", "2")], SEEN)
        step = physical.amend(2, 3, "6")
        assert step.pending and step.pending.key == "toll" and step.notes == ()
        assert physical.position.track("supply") == 2 and physical.position.pieces["red#1"].marks == {"hits": 2}
        same_as_stored(physical)
        physical.reply("1")
        assert physical.committed_position.track("supply") == 2

    def test_change_without_effect_stays_in_the_log(self, physical: SessionController) -> None:
        physical.do("march", Answers(plain=["Red", "ford", "1"]))
        physical.begin("march")
        physical.adjust([("Red.hits", "1")], SEEN)
        physical.amend(2, 3, "6")
        assert replies(physical)[0][0] == "adjust" and physical.history.entries[5].replies[0].events == ()
        same_as_stored(physical)
        physical.amend(4, 3, "1")
        assert physical.position.pieces["red#1"].marks == {"hits": 1}
        same_as_stored(physical)

    def test_amend_stops_at_a_meaningless_change(self, physical: SessionController) -> None:
        physical.do("march", Answers(plain=["Red", "ford", "1"]))
        physical.begin("march")
        physical.adjust([("Red@ford", "camp")], SEEN)
        step = physical.amend(2, 2, "far bank")
        assert step.notes[0].startswith(
            "amend stopped: action 3 'march' cannot be adjusted as before: no piece in that place 'Red'"
        )
        assert step.pending and step.pending.key == "unit"
        same_as_stored(physical)

    def test_amend_stops_at_a_refused_change(self, session: SessionController, resting: Resting) -> None:
        async def rest(ford: tiny.Ford) -> None:
            hours = await ford.number("hours", "How long", "1.1", 1, 9)
            if ford.position.track("supply") < hours:
                ford.forbid("there is not enough for so long", "1.1")
            await ford.confirm("fire", "With a fire", "1.1")

        resting(rest)
        session.do("rest", Answers([("hours", "2")]))
        session.adjust([("supply", "4")], SEEN)
        step = session.amend(2, 1, "6")
        told = "amend stopped: action 2 'rest' does not go on with that: there is not enough for so long [1.1]"
        assert step.notes == (told,) and step.pending and step.pending.key == "fire"
        same_as_stored(session)

    def test_change_at_a_dropped_question_becomes_an_entry(self, session: SessionController) -> None:
        session.do("fight", Answers([("unit", "Blue"), ("go on", "yes")], dice=[1, 1, 1, 1]))
        session.adjust([("supply", "3")], SEEN, "audit")
        session.reply("no")
        session.do("rest")
        step = session.amend(2, 4, "no")
        assert step.notes == (
            "action 2 'fight' no longer asks for 2 answers: fight, go on",
            "action 2 'fight' no longer asks 'go on': the adjustment made there is now an action of its own",
        )
        made = session.history.in_force[2]
        assert (made.action, made.args, made.copy_of) == ("audit", {"changes": [["supply", "3"]], "why": SEEN}, 2)
        assert session.position.track("supply") == 4 and session.history.force == [1, 4, 5, 6]
        same_as_stored(session)
        session.undo()
        assert session.history.force == [1, 2, 3] and session.position.track("supply") == 4

    def test_new_fact_is_looked_up_before_the_change(self, session: SessionController) -> None:
        """At the very question, though a printed value is needed before it that was not needed before."""
        session.archive.record_facts("tiny", {"strength:Red": "1"})
        session.setting(dice="physical")
        session.do("fight", Answers([("unit", "Blue")]))
        session.adjust([("supply", "3")], SEEN)
        session.reply("1 1")
        step = session.amend(2, 1, "Red")
        assert [reply[0] for reply in replies(session)] == ["unit", "strength:Red", "adjust"]
        assert step.pending and step.pending.key == "fight" and "no longer takes the answer to 'fight'" in step.notes[0]
        same_as_stored(session)

    @pytest.mark.parametrize(("text", "words"), [("99", "cannot stand at 99"), (" ", "needs a value"), ("x", "not a value of")])
    def test_amend_to_an_impossible_value(self, marched: SessionController, text: str, words: str) -> None:
        rows = marched.archive.rows(marched.info.id)
        with pytest.raises(Unreadable, match=words):
            marched.amend(2, 2, text)
        assert marched.archive.rows(marched.info.id) == rows

    def test_amend_of_several_changes_is_refused(self, marched: SessionController) -> None:
        with pytest.raises(Illegal, match="several things"):
            marched.amend(2, 4, "3")

    def test_amend_to_a_value_that_blocks_the_action(self, session: SessionController, resting: Resting) -> None:
        async def rest(ford: tiny.Ford) -> None:
            if ford.position.track("supply") == 1:
                ford.forbid("not with that", "1.1")
            await ford.number("hours", "How long", "1.1", 1, 9)

        resting(rest)
        session.begin("rest")
        session.adjust([("supply", "3")], SEEN)
        with pytest.raises(Illegal, match="does not go on with that: not with that"):
            session.amend(2, 1, "1")
        same_as_stored(session)


class TestElsewhere:
    @pytest.fixture
    def adjusted(self, physical: SessionController) -> SessionController:
        physical.do("march", MARCH)
        physical.adjust([("supply", "3"), ("Red.hits", "2")], SEEN)
        return physical

    def test_log_row_holds_the_change(self, adjusted: SessionController) -> None:
        row = adjusted.archive.rows(adjusted.info.id)[-1]
        assert (row.kind, row.entry) == ("adjusted", 2)
        assert {key: row.body[key] for key in ("action", "changes", "why", "at")} == {
            "action": "adjust",
            "changes": [["supply", "3"], ["Red.hits", "2"]],
            "why": SEEN,
            "at": "toll",
        }
        assert [event["kind"] for event in row.body["events"]] == ["track", "marked"]
        reply = adjusted.history.entries[2].replies[-1]
        assert reply == Reply("adjust", "adjusted", reply.value, "typed", events=reply.events)
        assert reply.is_from_player and not reply.is_random

    def test_a_branch(self, adjusted: SessionController) -> None:
        copy = SessionController.open(adjusted.archive, adjusted.branch("try"))
        assert copy.position == adjusted.position and copy.pending and copy.pending.key == "toll"
        copy.undo_reply()
        assert copy.position.track("supply") == 7 and adjusted.position.track("supply") == 3

    def test_a_bundle(self, adjusted: SessionController) -> None:
        again = SessionController.open(
            adjusted.archive, restore(adjusted.archive, json.dumps(bundle(adjusted.archive, adjusted.info)))
        )
        assert again.position == adjusted.position and again.history.entries == adjusted.history.entries
        assert again.pending and again.pending.key == "toll"

    def test_a_note_beside_it(self, adjusted: SessionController) -> None:
        adjusted.note("the cat")
        same_as_stored(adjusted)

    def test_stale_session_is_refused(self, adjusted: SessionController) -> None:
        other = SessionController.open(adjusted.archive)
        adjusted.adjust([("supply", "4")], SEEN)
        with pytest.raises(Exception, match="moved on"):
            other.adjust([("supply", "5")], SEEN)
        assert other.position.track("supply") == 4
        same_as_stored(other)

    def test_in_log_and_why(self, adjusted: SessionController) -> None:
        history, game = adjusted.history, adjusted.game
        under_way = adjusted.events_of(2)
        text = plain_text(log_lines(game, history, under_way=under_way), 100)
        assert "2.3 adjust supply = 3, Red.hits = 2: seen on the table" in text
        assert "Supply 7 -> 3: seen on the table" in text and "Red: hits 2: seen on the table" in text
        adjusted.reply("1")
        text = plain_text(why_lines(game, history, history.entries[2]), 100)
        assert "2.3 adjust supply = 3, Red.hits = 2: seen on the table" in text and "2.4 toll = 1 (you)" in text
        assert "Supply 7 -> 3: seen on the table" in text

    def test_in_report_and_data(self, adjusted: SessionController) -> None:
        adjusted.reply("1")
        report = build_report("mine", adjusted.game, adjusted.history, adjusted.options)
        text = report_md(document(report))
        assert "to ford (you); adjust supply = 3, Red.hits = 2 (you: seen on the table); toll 1 (you)" in text
        assert "Supply 7 -> 3: seen on the table" in text
        for data in (report_data(report), log_data(adjusted.history)):
            body = json.loads(json.dumps(data))["entries"][-1]["replies"][2]
            assert body == {
                "key": "adjust",
                "kind": "adjusted",
                "source": "typed",
                "value": {"changes": [["supply", "3"], ["Red.hits", "2"]], "why": SEEN, "at": "toll"},
            }

    def test_in_the_views_of_the_archive(self, adjusted: SessionController) -> None:
        adjusted.reply("1")
        adjusted.adjust([("supply", "6")], "between entries", "audit")
        adjusted.begin("march")
        adjusted.adjust([("supply", "2")], SEEN)
        adjusted.undo()
        with closing(sqlite3.connect(adjusted.archive.path)) as other:
            entries = other.execute("SELECT entry, adjusted FROM v_entries").fetchall()
            tracks = other.execute("SELECT entry, value FROM v_tracks WHERE track = 'supply'").fetchall()
            made = other.execute("SELECT entry, action, what, value, why, question, in_force FROM v_adjustments").fetchall()
        assert [entry for entry, told in entries if told] == [2, 4]
        first = {"action": "adjust", "changes": [["supply", "3"], ["Red.hits", "2"]], "why": SEEN}
        assert json.loads(entries[1][1]) == [first]
        assert tracks == [(1, 8), (2, 3), (3, 6)]
        assert made == [
            (2, "adjust", "supply", "3", SEEN, "toll", 1),
            (2, "adjust", "Red.hits", "2", SEEN, "toll", 1),
            (3, "audit", "supply", "6", "between entries", None, 1),
            (4, "adjust", "supply", "2", SEEN, "unit", 0),
        ]
