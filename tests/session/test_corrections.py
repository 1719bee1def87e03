"""Undo, redo, abort, taking one reply back, amend: what is in force, what is on the table, what is said."""

from __future__ import annotations

import pytest

from companion.core.dice import seeded_number
from companion.core.errors import Illegal, Unreadable
from companion.core.events import Said
from companion.core.history import Change, Reply
from companion.core.resolver import Answers
from companion.session.controller import SessionController
from companion.session.store import Archive
from tests.session.test_controller import MARCH, replies, same_as_stored
from tests.support import tiny


@pytest.fixture
def session(archive: Archive, tiny_game: str) -> SessionController:
    return SessionController.create(archive, "tiny", seed="7")


@pytest.fixture
def physical(archive: Archive, tiny_game: str) -> SessionController:
    return SessionController.create(archive, "tiny", seed="7", dice="physical", draws="physical")


def march(session: SessionController, unit: str = "Red", to: str = "ford", toll: int = 6) -> None:
    session.do("march", Answers([("unit", unit), ("to", to)], dice=[toll]))


class TestUndo:
    def test_undo_lists_board_fixes(self, session: SessionController) -> None:
        march(session)
        before = session.position
        step = session.undo()
        assert step.before == before and step.after == session.position == session.committed_position
        assert step.fix == ("Move Red from Ford to Camp", "Red: no hits", "Set Supply from 7 to 8", "Set Turn from 1 to 0")
        assert step.notes == ("you have seen the dice that you take back",) and step.pending is None and step.done
        assert session.history.status(2) == "taken back"
        assert session.archive.rows(session.info.id)[-1].body["past_roll"] is True
        same_as_stored(session)

    def test_undo_without_a_roll_has_no_note(self, session: SessionController) -> None:
        session.do("rest")
        assert session.undo().notes == ()

    def test_undo_of_several_and_to_an_entry(self, session: SessionController) -> None:
        for _ in range(4):
            session.do("rest")
        session.undo(2)
        assert session.history.force == [1, 2, 3]
        session.undo_to(1)
        assert session.history.force == [1]
        with pytest.raises(Illegal, match="nothing to take back"):
            session.undo()
        with pytest.raises(Illegal):
            session.undo_to(1)
        with pytest.raises(Illegal, match="no action 99"):
            session.undo_to(99)
        same_as_stored(session)

    def test_undo_takes_the_open_entry_first(self, session: SessionController) -> None:
        session.do("rest")
        session.begin("march")
        step = session.undo()
        assert session.history.force == [1, 2] and step.pending is None and step.fix == ()
        same_as_stored(session)

    def test_open_set_up_cannot_be_undone(self, archive: Archive, tiny_game: str) -> None:
        session = SessionController.create(archive, "tiny", "night")
        for work in (session.undo, session.abort, session.undo_reply):
            with pytest.raises(Illegal):
                work()
        assert session.pending and session.pending.key == "lamps"

    def test_undo_of_a_reply_of_the_set_up(self, archive: Archive, tiny_game: str) -> None:
        session = SessionController.create(archive, "tiny", "night", answers=Answers(plain=["3"]))
        step = session.undo_reply()
        assert step.pending and step.pending.key == "lamps" and session.committed_position.pieces == {}
        session.reply("1")
        assert session.position.track("supply") == 4
        same_as_stored(session)
        with pytest.raises(Illegal):
            session.undo()


class TestRedo:
    def test_redo_restores_undone_entries(self, session: SessionController) -> None:
        march(session)
        before = session.position
        session.undo()
        step = session.redo()
        assert session.position == before and "Move Red from Camp to Ford" in step.fix and step.notes == ()
        assert session.history.status(2) == "in force"
        with pytest.raises(Illegal, match="nothing to bring back"):
            session.redo()
        same_as_stored(session)

    def test_redo_restores_an_open_entry_at_its_question(self, session: SessionController) -> None:
        session.do("march", Answers([("unit", "Red")]))
        session.undo()
        step = session.redo()
        assert step.pending and step.pending.key == "to" and not step.done
        same_as_stored(session)

    def test_step_by_step(self, session: SessionController) -> None:
        for _ in range(3):
            session.do("rest")
        for _ in range(3):
            session.undo()
        for count in (2, 3, 4):
            session.redo()
            assert len(session.history.force) == count

    def test_no_redo_after_a_new_entry(self, session: SessionController) -> None:
        session.do("rest")
        session.undo()
        session.do("rest")
        with pytest.raises(Illegal, match="nothing to bring back"):
            session.redo()


class TestAbort:
    def test_abort_undoes_the_open_entry(self, physical: SessionController) -> None:
        physical.do("march", MARCH)
        step = physical.abort()
        assert step.pending is None and "Move Red from Ford to Camp" in step.fix
        assert physical.history.force == [1]
        assert physical.redo().pending
        same_as_stored(physical)

    def test_abort_without_an_open_entry(self, session: SessionController) -> None:
        with pytest.raises(Illegal, match="nothing is under way"):
            session.abort()


class TestOneReply:
    def test_undo_reply_of_the_open_entry(self, physical: SessionController) -> None:
        physical.do("march", MARCH)
        step = physical.undo_reply()
        assert step.pending and step.pending.key == "to" and step.entry == 3
        assert step.fix == ("Move Red from Ford to Camp", "Set Supply from 7 to 8")
        assert physical.history.force == [1, 3] and physical.history.entries[3].copy_of == 2
        assert physical.history.changes[-1] == Change((2,), (3,), "reply")
        same_as_stored(physical)
        physical.reply("far")
        physical.reply("2")
        assert physical.position.pieces["red#1"].place == "far"

    def test_undo_replies_until_the_entry_itself(self, physical: SessionController) -> None:
        physical.do("march", MARCH)
        keys = []
        while physical.pending:
            physical.undo_reply()
            keys.append(physical.pending and physical.pending.key)
        assert keys == ["to", "unit", None]
        for key in ("unit", "to", "toll"):
            physical.redo()
            assert physical.pending and physical.pending.key == key
        same_as_stored(physical)

    def test_undo_reply_of_the_last_complete_entry(self, physical: SessionController) -> None:
        march(physical)
        step = physical.undo_reply()
        assert step.pending and step.pending.key == "toll"
        assert step.notes == ("you have seen the dice that you take back",)
        assert "Red: no hits" in step.fix
        same_as_stored(physical)

    def test_undo_reply_keeps_the_later_dice(self, session: SessionController) -> None:
        session.do("march", MARCH)
        rolled = replies(session)[-1]
        session.undo_reply()
        assert session.pending and session.pending.key == "to"
        session.reply("ford")
        assert replies(session)[-1] == rolled

    def test_undo_reply_of_an_entry_without_replies(self, session: SessionController) -> None:
        session.do("search")
        step = session.undo_reply()
        assert session.history.force == [1] and step.notes
        same_as_stored(session)

    def test_insisted_entry_keeps_its_warning(self, session: SessionController) -> None:
        session.do("fire", Answers([("fires", "2")]), anyway=True)
        session.undo_reply()
        warnings = [event for event in session.events_of(3) if isinstance(event, Said) and event.tone == "warning"]
        assert len(warnings) == 1 and session.history.entries[3].anyway


class TestAmend:
    def test_a_mistyped_die(self, session: SessionController) -> None:
        march(session, toll=6)
        session.do("rest")
        step = session.amend(2, 3, "5")
        assert step.fix == ("Red: no hits",) and step.notes == () and step.done
        assert session.history.force == [1, 4, 5]
        assert [session.history.entries[number].copy_of for number in (4, 5)] == [2, 3]
        assert replies(session, 4)[-1] == ("toll", [5], "typed")
        same_as_stored(session)

    def test_amend_swaps_two_answers(self, session: SessionController) -> None:
        session.setting(dice="physical")
        march(session, toll=6)
        session.do("rest")
        step = session.amend(2, 2, "camp", also={(2, 3): "1"})
        assert step.notes == () and step.done
        assert replies(session, 4)[1:] == [("to", "camp", "typed"), ("toll", [1], "typed")]
        same_as_stored(session)

    def test_invalid_amend_changes_nothing(self, session: SessionController) -> None:
        march(session, toll=6)
        before = session.archive.rows(session.info.id)
        with pytest.raises(Unreadable):
            session.amend(2, 2, "camp", also={(2, 3): "9"})
        with pytest.raises(Illegal, match=r"no 2\.7"):
            session.amend(2, 2, "camp", also={(2, 7): "1"})
        assert session.archive.rows(session.info.id) == before

    def test_undo_takes_the_amend_back(self, session: SessionController) -> None:
        march(session)
        session.do("rest")
        before = session.position
        session.amend(2, 2, "camp")
        step = session.undo()
        assert session.position == before and session.history.force == [1, 2, 3]
        assert "Move Red from Camp to Ford" in step.fix
        same_as_stored(session)

    def test_undo_and_redo_an_amend_repeatedly(self, session: SessionController) -> None:
        march(session)
        session.do("rest")
        before = session.position
        session.amend(2, 2, "camp")
        after = session.position
        for _ in range(4):
            session.undo()
            assert session.history.force == [1, 2, 3] and session.position == before
            assert session.history.changes[-1].how == "unamend"
            same_as_stored(session)
            session.redo()
            assert session.history.force == [1, 4, 5] and session.position == after
            same_as_stored(session)
            session = SessionController.open(session.archive, session.info)
        with pytest.raises(Illegal, match="nothing to bring back"):
            session.redo()

    def test_undo_past_the_amend_and_redo(self, session: SessionController) -> None:
        march(session)
        session.do("rest")
        session.amend(2, 2, "camp")
        ways = []
        for _ in range(3):
            session.undo()
            ways.append(session.history.force)
        assert ways == [[1, 2, 3], [1, 2], [1]]
        for force in ([1, 2], [1, 2, 3], [1, 4, 5]):
            session.redo()
            assert session.history.force == force
        session.undo()
        assert session.history.force == [1, 2, 3]

    def test_amend_of_an_amend(self, session: SessionController) -> None:
        march(session)
        session.amend(2, 2, "camp")
        session.amend(3, 3, "1")
        for _ in range(2):
            for force in ([1, 3], [1, 2]):
                session.undo()
                assert session.history.force == force
            for force in ([1, 3], [1, 4]):
                session.redo()
                assert session.history.force == force
            same_as_stored(session)

    def test_undo_and_redo_after_an_amend(self, session: SessionController) -> None:
        march(session)
        session.do("rest")
        session.amend(2, 2, "camp")
        session.undo_to(4)
        assert session.history.force == [1, 4]
        session.undo()
        assert session.history.force == [1]
        session.redo()
        session.redo()
        session.undo(2)
        assert session.history.force == [1]
        session.redo()
        session.undo()
        assert session.history.force == [1, 2, 3]
        same_as_stored(session)

    def test_undo_after_new_entries_takes_entries(self, session: SessionController) -> None:
        march(session)
        session.amend(2, 2, "camp")
        session.undo()
        session.redo()
        session.note("hm")
        session.do("rest")
        session.undo()
        session.undo()
        assert session.history.force == [1]
        same_as_stored(session)

    def test_undo_takes_the_continued_amended_entry(self, physical: SessionController) -> None:
        physical.do("march", Answers([("unit", "Red"), ("to", "ford")]))
        physical.amend(2, 2, "camp")
        physical.reply("3")
        assert physical.history.force == [1, 3]
        physical.undo()
        assert physical.history.force == [1]
        same_as_stored(physical)

    def test_later_rolls_keep_their_value(self, session: SessionController) -> None:
        march(session)
        session.do("search")
        session.do("march", Answers([("unit", "Blue"), ("to", "far bank")]))
        rolled = [reply.value for entry in session.history.in_force[2:] for reply in entry.replies if reply.is_random]
        session.amend(2, 3, "1")
        assert [reply.value for entry in session.history.in_force[2:] for reply in entry.replies if reply.is_random] == rolled
        same_as_stored(session)

    def test_the_open_entry_stays_at_its_question(self, physical: SessionController) -> None:
        march(physical)
        physical.do("march", Answers([("unit", "Blue"), ("to", "camp")]))
        step = physical.amend(2, 2, "far bank")
        assert step.pending and step.pending.key == "toll" and not step.done and step.notes == ()
        assert physical.pending_entry == 5
        same_as_stored(physical)
        step = physical.amend(5, 1, "Red")
        assert step.pending and step.pending.key == "toll" and step.notes == ()
        assert physical.position.pieces["red#1"].place == "camp"

    def test_amend_that_adds_a_question(self, session: SessionController) -> None:
        session.do("fight", Answers([("unit", "Blue"), ("go on", "no")], dice=[1, 1]))
        session.do("rest")
        step = session.amend(2, 4, "yes")
        assert step.pending and step.pending.key == "go on"
        assert session.history.force == [1, 4] and session.history.status(3) == "taken back"
        assert step.notes == ("amend stopped: action 2 'fight' now asks 'Another round'",)
        same_as_stored(session)
        session.undo()
        assert session.history.force == [1, 2, 3]

    def test_new_roll_uses_its_own_place(self, session: SessionController) -> None:
        session.do("search")
        session.do("fight", Answers([("unit", "Blue"), ("go on", "no")]))
        session.amend(3, 4, "yes")
        rolls = [reply.value for entry in session.history.in_force for reply in entry.replies if reply.kind == "roll"]
        assert rolls[-2:] == [[1 + seeded_number("7", index, die, 6) for die in range(2)] for index in (2, 3)]

    def test_refused_action_leaves_no_events(self, session: SessionController, monkeypatch: pytest.MonkeyPatch) -> None:
        async def rest(ford: tiny.Ford) -> None:
            strict = await ford.confirm("strict", "Strictly", "1.1")
            await ford.number("hours", "How long", "1.1", 1, 9)
            ford.say("It begins", "1.1")
            if strict:
                ford.forbid("not now", "1.1")

        monkeypatch.setattr(tiny.Ford, "rest", rest)
        session.do("rest", Answers(plain=["no", "3"]))
        step = session.amend(2, 1, "yes")
        assert step.pending and step.pending.key == "hours" and step.events == ()

    def test_amend_that_drops_a_question(self, session: SessionController) -> None:
        answers = Answers([("unit", "Blue"), ("go on", "yes"), ("go on", "no")], dice=[1, 1, 5, 5])
        session.do("fight", answers)
        session.do("rest")
        step = session.amend(2, 4, "no")
        assert step.done and session.history.force == [1, 4, 5]
        assert step.notes == ("action 2 'fight' no longer asks for 2 answers: fight, go on",)
        same_as_stored(session)

    def test_a_later_reply_that_no_longer_fits(self, session: SessionController) -> None:
        march(session, "Red", "ford")
        march(session, "Red", "far bank")
        session.do("rest")
        step = session.amend(2, 2, "out")
        assert step.pending and step.pending.key == "unit"
        assert step.notes[0].startswith("amend stopped: action 3 'march' no longer takes the answer to 'unit'")
        assert session.history.force == [1, 5, 6] and session.history.entries[6].replies == ()
        same_as_stored(session)
        session.reply("Blue")

    def test_a_later_reply_that_the_rules_refuse(self, session: SessionController) -> None:
        session.adjust([("supply", "1")], "x")
        session.do("rest")
        march(session)
        march(session)
        assert session.amend(4, 3, "1").notes == ()
        session.do("search", Answers(draws=["Gold"], dice=[6]))
        march(session)
        march(session)
        number = session.history.force[-3]
        step = session.amend(number, 2, "1")
        assert step.pending and step.pending.key == "to"
        assert "refuses the answer to 'to': there is no supply left" in step.notes[0]
        same_as_stored(session)

    def test_impossible_later_draw(self, session: SessionController) -> None:
        for _ in range(3):
            session.do("search", Answers(draws=["Stone"], dice=[1]))
        session.do("search", Answers(draws=["Gold"], dice=[1]))
        session.do("search", Answers(draws=["Gold"], dice=[1]))
        step = session.amend(2, 1, "Gold")
        assert step.notes == (
            "amend stopped: action 6 'search' no longer finds Gold in the cup",
            "old answers, kept for when the same question comes: find Gold; luck 1",
        )
        assert step.pending and step.pending.key == "find"
        same_as_stored(session)

    def test_draw_not_in_the_cup_is_insisted_on(self, session: SessionController) -> None:
        for _ in range(2):
            session.do("search", Answers(draws=["Gold"], dice=[1]))
        session.do("search", Answers(draws=["Stone"], dice=[1]))
        with pytest.raises(Illegal):
            session.amend(4, 1, "Gold")
        session.amend(4, 1, "Gold", anyway=True)
        assert session.history.in_force[-1].replies[0] == Reply("find", "draw", "Gold", "typed", True, "2.3")
        same_as_stored(session)

    def test_amend_stops_before_an_illegal_action(self, session: SessionController, monkeypatch: pytest.MonkeyPatch) -> None:
        march(session)
        session.do("rest")
        monkeypatch.setattr(tiny.Tiny, "over", lambda self, position: "it has" if position.track("turn") else "")
        step = session.amend(2, 3, "1")
        assert step.notes == ("amend stopped: action 3 'rest' cannot be done now: the game is over: it has",)
        assert session.history.force == [1, 4] and step.pending is None

    def test_adjustments_are_repeated_on_the_new_position(self, session: SessionController) -> None:
        march(session, toll=6)
        session.adjust([("supply", "3"), ("Red.hits", "2")], "seen")
        session.amend(2, 3, "1")
        assert session.position.track("supply") == 3 and session.position.pieces["red#1"].marks == {"hits": 2}
        assert session.history.in_force[-1].action == "adjust"
        same_as_stored(session)

    def test_adjustment_that_cannot_be_repeated(self, session: SessionController) -> None:
        march(session, to="ford")
        session.adjust([("Red@ford", "camp")], "seen")
        step = session.amend(2, 2, "camp")
        assert step.notes[0].startswith("amend stopped: action 3 'adjust' cannot be done now: no piece in that place 'Red'")
        assert session.history.force == [1, 4]
        same_as_stored(session)

    def test_amend_of_a_printed_fact_records_it(self, session: SessionController) -> None:
        session.do("fight", Answers([("unit", "Red"), ("strength:Red", "2"), ("go on", "no")], dice=[1, 1]))
        step = session.amend(2, 2, "1")
        assert session.archive.printed("tiny") == {"strength:Red": "1"}
        assert step.pending and step.pending.key == "fight"
        same_as_stored(session)

    @pytest.mark.parametrize(
        ("entry", "reply", "words"),
        [
            (9, 1, "no action 9"),
            (2, 0, "action 2 has 3 answers, and no 2.0"),
            (2, 4, "no 2.4"),
            (1, 1, "action 1 has no answers"),
        ],
    )
    def test_amend_of_a_missing_reply(self, session: SessionController, entry: int, reply: int, words: str) -> None:
        march(session)
        with pytest.raises(Illegal, match=words):
            session.amend(entry, reply, "1")

    def test_amend_of_an_undone_entry(self, session: SessionController) -> None:
        march(session)
        session.undo()
        with pytest.raises(Illegal, match="action 2 is itself taken back"):
            session.amend(2, 1, "Blue")

    def test_amend_to_an_unreadable_answer(self, session: SessionController) -> None:
        march(session)
        rows = session.archive.rows(session.info.id)
        with pytest.raises(Unreadable, match="a d6 shows no 9"):
            session.amend(2, 3, "9")
        assert session.archive.rows(session.info.id) == rows and session.history.force == [1, 2]

    def test_a_reply_is_read_as_typed(self, session: SessionController) -> None:
        march(session)
        session.amend(2, 1, "blue")
        assert replies(session)[0] == ("unit", ["blue#2"], "typed")

    def test_forced_reply_cannot_be_amended(self, session: SessionController) -> None:
        session.do("search")
        rows = session.archive.rows(session.info.id)
        with pytest.raises(Illegal, match="no question was asked for 'known strength'"):
            session.amend(2, 3, "yes")
        assert session.archive.rows(session.info.id) == rows

    def test_open_entry_reads_current_facts(self, physical: SessionController) -> None:
        physical.archive.record_facts("tiny", {"strength:Red": "3"})
        physical.do("fight", Answers([("unit", "Blue")]))
        step = physical.amend(2, 1, "Red")
        assert step.pending and step.pending.describe()["count"] == 3 and step.notes == ()
        assert replies(physical)[1] == ("strength:Red", "3", "remembered")
        same_as_stored(physical)

    def test_open_roll_stays_open_after_a_change_of_settings(self, physical: SessionController) -> None:
        physical.do("march", MARCH)
        physical.setting(dice="computer")
        step = physical.amend(2, 2, "camp")
        assert step.pending and step.pending.key == "toll"
        same_as_stored(physical)


class TestAmendAndMoreRolls:
    """A later entry needs a roll that it did not need before: Companion's own is rolled, the player's is asked for."""

    @pytest.fixture
    def scouted(self, session: SessionController) -> SessionController:
        """Entry 3 brings supply to 5, so that entry 4 needs one look; with a 1 it would need two."""
        session.adjust([("supply", "3")], "seen")
        session.do("search", Answers(draws=["Gold"], dice=[6]))
        assert session.position.track("supply") == 5
        session.do("scout", Answers([("way", "left")]))
        session.do("duel", Answers([("mine", "2")]))
        return session

    def of(self, session: SessionController, number: int) -> list[tuple[str, object, str]]:
        return replies(session, session.history.in_force[number].number)

    def test_added_roll_is_rolled_in_its_place(self, scouted: SessionController) -> None:
        look, way = self.of(scouted, 3)
        duel = self.of(scouted, 4)
        step = scouted.amend(3, 2, "1")
        assert step.notes == () and step.pending is None and scouted.position.track("supply") < 5
        assert self.of(scouted, 3) == [look, ("look again", [1 + seeded_number("7", 3, 0, 6)], "computer"), way]
        assert self.of(scouted, 4) == duel
        said = [event.text for event in scouted.events_of(scouted.history.force[3]) if isinstance(event, Said)]
        assert said == [f"{look[1][0] + 1 + seeded_number('7', 3, 0, 6)} seen on the left"]  # type: ignore[index]
        same_as_stored(scouted)
        scouted.do("march", MARCH)
        assert self.of(scouted, 5)[-1] == ("toll", [1 + seeded_number("7", 5, 0, 6)], "computer")

    def test_undo_takes_it_back_with_the_amend(self, scouted: SessionController) -> None:
        before, position = scouted.history.force, scouted.position
        scouted.amend(3, 2, "1")
        assert scouted.history.random_index() == 5
        scouted.undo()
        assert (scouted.history.force, scouted.position) == (before, position) and scouted.history.random_index() == 4
        scouted.redo()
        assert len(self.of(scouted, 3)) == 3
        same_as_stored(scouted)

    def test_added_physical_roll_is_asked(self, scouted: SessionController) -> None:
        scouted.setting(dice="physical")
        step = scouted.amend(3, 2, "1")
        assert step.pending and step.pending.key == "look again"
        assert step.notes == (
            "amend stopped: action 4 'scout' asks 'What they see at second sight' where it used to ask 'way'",
            "old answers, kept for when the same question comes: way left",
        )
        assert len(scouted.history.force) == 4
        same_as_stored(scouted)
        step = scouted.reply("2")
        assert step.done and step.taken == (("Which way", "left"),)  # the same question as before the amend
        assert self.of(scouted, 3)[1:] == [("look again", [2], "typed"), ("way", "left", "scripted")]
        same_as_stored(scouted)

    def test_an_old_answer_can_be_taken_back_and_given_otherwise(self, scouted: SessionController) -> None:
        scouted.setting(dice="physical")
        scouted.amend(3, 2, "1")
        scouted.answer(Answers(dice=[2], keyed=[("way", "right")]))
        assert self.of(scouted, 3)[1:] == [("look again", [2], "scripted"), ("way", "right", "scripted")]
        scouted.undo()
        scouted.redo()
        scouted.undo_reply()
        assert scouted.pending and scouted.pending.key == "way"
        scouted.reply("left")
        assert self.of(scouted, 3)[-1] == ("way", "left", "typed")
        same_as_stored(scouted)

    def test_added_roll_after_the_last_answer(self, session: SessionController) -> None:
        session.do("fight", Answers([("unit", "Blue"), ("go on", "no")], dice=[1, 6]))
        session.do("scout", Answers([("way", "left")]))
        session.do("rest")
        scouted = self.of(session, 2)
        step = session.amend(2, 3, "1 1")
        assert step.notes == () and step.done and session.position.track("mood") == 0
        assert self.of(session, 2) == [*scouted, ("luck", [1 + seeded_number("7", 2, 0, 6)], "computer")]
        assert len(session.history.force) == 4
        same_as_stored(session)

    def test_added_physical_roll_after_the_last_answer(self, physical: SessionController) -> None:
        physical.do("fight", Answers([("unit", "Blue"), ("go on", "no")], dice=[1, 6]))
        physical.do("scout", Answers([("way", "left")], dice=[3]))
        physical.do("rest")
        step = physical.amend(2, 3, "1 1")
        assert step.notes == ("amend stopped: action 3 'scout' now asks 'Whether they come back'",)
        assert step.pending and step.pending.key == "luck" and len(physical.history.force) == 3
        same_as_stored(physical)

    def test_added_roll_before_the_open_question(self, session: SessionController) -> None:
        session.adjust([("supply", "3")], "seen")
        session.do("search", Answers(draws=["Gold"], dice=[6]))
        look = session.begin("scout") and self.of(session, 3)
        step = session.amend(3, 2, "1")
        assert step.pending and step.pending.key == "way" and step.notes == ()
        assert self.of(session, 3) == [*look, ("look again", [1 + seeded_number("7", 3, 0, 6)], "computer")]
        same_as_stored(session)

    def test_with_one_roll_less_the_later_answer_is_kept(self, scouted: SessionController) -> None:
        scouted.amend(3, 2, "1")
        number = scouted.history.force[2]
        step = scouted.amend(number, 2, "6")
        assert step.notes == () and step.pending is None
        kept = [reply for entry in scouted.history.in_force for reply in entry.replies]
        assert ("way", "left") in [(reply.key, reply.value) for reply in kept]
        same_as_stored(scouted)
        scouted.undo()
        assert len(self.of(scouted, 3)) == 3

    def test_added_roll_may_be_refused_by_the_rules(self, session: SessionController, monkeypatch: pytest.MonkeyPatch) -> None:
        async def rest(ford: tiny.Ford) -> None:
            if ford.position.track("supply") < 5:
                await ford.roll("hunger", "Hunger", "1.1")
                ford.forbid("nobody lives on that", "1.1")
            await ford.confirm("fire", "With a fire", "1.1")

        monkeypatch.setattr(tiny.Ford, "rest", rest)
        session.adjust([("supply", "3")], "seen")
        session.do("search", Answers(draws=["Gold"], dice=[6]))
        session.do("rest", Answers(plain=["yes"]))
        step = session.amend(3, 2, "1")
        assert step.notes == (
            "amend stopped: action 4 'rest' is refused: nobody lives on that",
            "old answers, kept for when the same question comes: fire yes",
        )
        assert step.pending and step.pending.key == "hunger" and self.of(session, 3) == []
        same_as_stored(session)
