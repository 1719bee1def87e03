"""Running actions: what answers what, what is kept, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.core.dice import branch_seed, seeded_draw, seeded_number
from companion.core.errors import (
    Ambiguous,
    BadData,
    CompanionError,
    Illegal,
    Impossible,
    QuestionPending,
    SessionMoved,
    Unreadable,
)
from companion.core.events import PieceMoved, Said, TrackMoved, fold
from companion.core.history import History
from companion.core.requests import Allot, Choose, Request
from companion.core.resolver import Answers
from companion.session.controller import SessionController, play_single_action
from companion.session.store import Archive
from companion.views.result import result_data
from tests.support import tiny
from tests.support.processes import in_child, meet

MARCH = Answers([("unit", "Red"), ("to", "ford")])


@pytest.fixture
def session(archive: Archive, tiny_game: str) -> SessionController:
    return SessionController.create(archive, "tiny", seed="7")


@pytest.fixture
def physical(archive: Archive, tiny_game: str) -> SessionController:
    return SessionController.create(archive, "tiny", seed="7", dice="physical", draws="physical")


def replies(session: SessionController, number: int = 0) -> list[tuple[str, object, str]]:
    entry = session.history.entries[number or max(session.history.entries)]
    return [(reply.key, reply.value, reply.source) for reply in entry.replies]


def kept(session: SessionController) -> int:
    return len(session.archive.rows(session.info.id))


def same_as_stored(session: SessionController) -> None:
    """A session opened again is in the same state."""
    again = SessionController.open(session.archive, session.info.name)
    assert again.position == session.position
    assert list(again.position.pieces) == list(session.position.pieces)
    assert (again.pending and again.pending.describe()) == (session.pending and session.pending.describe())
    assert again.history.force == session.history.force
    assert again.history.entries == session.history.entries
    assert again.pending_entry == session.pending_entry


class TestCreate:
    def test_runs_the_set_up_as_entry_1(self, session: SessionController) -> None:
        assert session.info.name == "tiny-1" and session.archive.last() == session.info
        assert session.history.entries[1].action == "setup"
        assert session.position.tracks == {"supply": 8, "mood": 1, "turn": 0}
        assert (
            session.opening
            and session.opening.done
            and session.opening.events[-1] == Said("The game begins", "1.0", ("everything is in its place",))
        )
        same_as_stored(session)

    def test_options_by_prefix_with_defaults(self, archive: Archive, tiny_game: str) -> None:
        session = SessionController.create(archive, "ti", "day", {"len": "lo", "player": "A\x1b[1mB"}, name=" my\tgame ")
        assert session.options == {"scenario": "day", "length": "long", "player": "A [1mB", "ford_cost": "one"}
        assert session.info.name == "my game"
        assert SessionController.open(archive).options == session.options

    def test_option_of_a_ruling(self, archive: Archive, tiny_game: str) -> None:
        session = SessionController.create(archive, "tiny", options={"ford_cost": "two"})
        session.do("march", MARCH)
        assert session.position.track("supply") == 6

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            ({"game_id": "chess"}, "no game 'chess'"),
            ({"scenario": "dawn"}, "no scenario 'dawn'"),
            ({"options": {"lenght": "long"}}, "no option 'lenght'"),
            ({"options": {"length": "endless"}}, "no choice for 'length' 'endless'"),
            ({"dice": "loaded"}, "no way to roll 'loaded'"),
        ],
    )
    def test_unknown_words(self, archive: Archive, tiny_game: str, change: dict[str, object], words: str) -> None:
        with pytest.raises(Unreadable, match=words) as caught:
            SessionController.create(archive, **{"game_id": "tiny", **change})  # type: ignore[arg-type]
        assert caught.value.cure.startswith(("You can name: ", "Did you mean length?"))
        assert archive.sessions() == []

    def test_taken_name_is_refused(self, archive: Archive, session: SessionController) -> None:
        with pytest.raises(Unreadable, match="already"):
            SessionController.create(archive, "tiny", name="tiny-1")

    def test_set_up_with_a_question(self, archive: Archive, tiny_game: str) -> None:
        session = SessionController.create(archive, "tiny", "night")
        assert session.pending and session.pending.key == "lamps" and session.opening and not session.opening.done
        same_as_stored(session)
        session.answer(Answers([("lamps", "3")]))
        assert session.position.track("supply") == 2

    def test_set_up_with_answers(self, archive: Archive, tiny_game: str) -> None:
        assert SessionController.create(archive, "tiny", "night", answers=Answers(accept=True)).position.track("supply") == 4

    def test_missing_seed_is_random(self, archive: Archive, tiny_game: str) -> None:
        assert len({SessionController.create(archive, "tiny").info.seed for _ in range(4)}) == 4


class TestDo:
    def test_answers_by_key_with_scripted_dice(self, session: SessionController) -> None:
        step = session.do("mar", Answers([("to", "ford"), ("unit", "Red")], dice=[6]))
        assert step.done and step.entry == 2 and step.pending is None and step.fix == ()
        assert step.before == fold(session.history.entries[1].events or ())
        assert step.after == session.position
        assert step.events[0] == TrackMoved("supply", 8, 7, "1.1", "march")
        assert PieceMoved("red#1", "camp", "ford", "2.1", "march") in step.events
        assert replies(session) == [("unit", ["red#1"], "scripted"), ("to", "ford", "scripted"), ("toll", [6], "scripted")]
        same_as_stored(session)

    def test_without_dice_companion_rolls(self, session: SessionController) -> None:
        session.do("march", MARCH)
        assert replies(session)[-1][2] == "computer"

    def test_dice_by_key(self, physical: SessionController) -> None:
        physical.do("march", Answers([*MARCH.keyed, ("toll", "4")]))
        assert replies(physical)[-1] == ("toll", [4], "scripted")

    def test_plain_answers_go_to_the_next_questions(self, physical: SessionController) -> None:
        physical.do("march", Answers(plain=["Red", "ford", "5"]))
        assert replies(physical) == [("unit", ["red#1"], "scripted"), ("to", "ford", "scripted"), ("toll", [5], "scripted")]

    def test_plain_answer_is_not_used_for_a_roll(self, session: SessionController) -> None:
        session.do("march", Answers(plain=["Red", "ford"]))
        assert replies(session)[-1][2] == "computer"

    def test_the_same_key_in_order(self, session: SessionController) -> None:
        answers = Answers([("unit", "Red"), ("strength:Red", "2"), ("go on", "yes"), ("go on", "no")], dice=[1, 1, 2, 2])
        assert session.do("fight", answers).done
        assert [reply[1] for reply in replies(session) if reply[0] == "go on"] == [True, False]

    def test_answers_can_be_used_again(self, session: SessionController) -> None:
        answers = Answers([("unit", "Red"), ("to", "ford")], dice=[1])
        session.do("march", answers)
        session.do("march", answers)
        assert answers.unused() == ["unit=Red", "to=ford", "1 die"]

    def test_unanswered_question_is_pending(self, session: SessionController) -> None:
        step = session.do("march", Answers([("unit", "Red")]))
        assert not step.done and step.pending and step.pending.key == "to" and session.pending_entry == 2
        same_as_stored(session)

    def test_suggestion_is_not_accepted_automatically(self, session: SessionController) -> None:
        step = session.do("fight", Answers([("unit", "Blue")], dice=[1, 1]))
        assert step.pending and step.pending.key == "go on"
        assert session.answer(Answers(accept=True)).done
        assert ("go on", False, "suggested") in replies(session)

    def test_accept_rolls_and_draws_for_the_player(self, physical: SessionController) -> None:
        assert physical.do("search", Answers(accept=True)).done
        assert [reply[2] for reply in replies(physical)] == ["computer", "computer", "remembered"]

    def test_nothing_open_is_a_refusal(self, session: SessionController) -> None:
        with pytest.raises(Unreadable, match="no question is open"):
            session.answer(Answers(plain=["x"]))
        with pytest.raises(Unreadable, match="no question is open"):
            session.reply("x")

    def test_open_action_is_named(self, session: SessionController) -> None:
        session.begin("march")
        with pytest.raises(QuestionPending, match="Which unit") as caught:
            session.do("rest")
        assert caught.value.exit_code == 3 and "companion answer" in caught.value.cure

    def test_the_position_of_an_open_entry(self, physical: SessionController) -> None:
        physical.do("march", MARCH)
        assert physical.position.track("supply") == 7 and physical.committed_position.track("supply") == 8
        assert [type(event).__name__ for event in physical.events_of(2)] == ["TrackMoved", "PieceMoved"]

    def test_events_since_the_previous_question(self, physical: SessionController) -> None:
        physical.do("march", MARCH)
        again = SessionController.open(physical.archive)
        step = again.reply("6")
        assert [type(event).__name__ for event in step.events] == ["PieceMarked", "TrackMoved"]
        assert step.before.track("turn") == 0 and step.before.track("supply") == 7


class TestRefusals:
    """Whatever is refused leaves nothing behind."""

    @pytest.mark.parametrize(
        ("action", "answers", "words"),
        [
            ("dance", Answers(), "no action 'dance'"),
            ("march", Answers([("unit", "Green")]), "no such thing 'Green'"),
            ("march", Answers([("unit", "Red"), ("to", "ford")], dice=[7]), "a d6 shows no 7"),
            ("fight", Answers([("unit", "Blue")], dice=[3]), "2 dice needed, and 1 die is left"),
            ("march", Answers([("unit", "Red"), ("too", "ford")]), "not asked for: too=ford"),
            ("rest", Answers(dice=[1, 2], draws=["Gold"], plain=["hm"]), "not asked for: 'hm', 2 dice, draw Gold"),
            ("search", Answers(draws=["Silver"]), "no counter in the cup 'Silver'"),
            ("fight", Answers([("unit", "Red"), ("strength:Red", "9")]), "9 is outside 1 to 3"),
            ("fight", Answers([("unit", "Blue"), ("strength:Blue", "3")], dice=[1, 1]), "3 dice needed, and 2 dice are left"),
        ],
    )
    def test_unreadable(self, session: SessionController, action: str, answers: Answers, words: str) -> None:
        before = kept(session)
        with pytest.raises(Unreadable, match=words) as caught:
            session.do(action, answers)
        assert caught.value.exit_code == 2
        assert kept(session) == before and session.pending is None
        assert session.archive.printed("tiny") == {}
        session.do("rest")

    def test_refusal_names_the_question(self, session: SessionController) -> None:
        with pytest.raises(Unreadable) as caught:
            session.do("march", Answers([("unit", "Red"), ("to", "ford"), ("via", "hill")], dice=[1]))
        assert "Asked: unit, to, toll" in caught.value.cure

    def test_an_answer_left_over_after_a_roll_is_noted(self, session: SessionController) -> None:
        """A refusal would tell the roll, and the action could be repeated with it known."""
        result = session.do("march", Answers([("unit", "Red"), ("to", "ford"), ("via", "hill")]))
        assert result.done and result.notes == ("not asked for, and not used: via=hill",)

    def test_an_answer_refused_after_a_roll_leaves_its_question_open(self, session: SessionController) -> None:
        """[3.2] What was rolled is recorded; the answers that follow can be given."""
        result = session.do("fight", Answers([("unit", "Blue"), ("strength:Blue", "2"), ("go on", "perhaps")]))
        assert result.pending and result.pending.key == "go on" and "'perhaps' is neither yes nor no" in result.notes[0]
        assert not session.answer(Answers(plain=["no"])).notes

    def test_an_unknown_key_is_refused_before_the_first_question(
        self, session: SessionController, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A game that lists the keys of its questions refuses others whatever the rolls would be."""
        monkeypatch.setattr(session.game, "question_keys", frozenset({"unit", "to", "toll"}))
        before = kept(session)
        with pytest.raises(Unreadable, match="not asked for: tool=1") as caught:
            session.do("march", Answers([("unit", "Red"), ("to", "ford"), ("tool", "1")]))
        assert caught.value.cure.startswith("Did you mean toll=?") and kept(session) == before

    def test_ambiguous_action(self, session: SessionController) -> None:
        with pytest.raises(Ambiguous, match="fight, fire"):
            session.do("fi")

    def test_action_is_found_by_the_first_words_of_its_title(self, archive: Archive) -> None:
        session = SessionController.create(archive, "fallujah2004", "vigilant", seed="1")
        assert session.do("first order").entry
        assert session.history.open_entry and session.history.open_entry.action == "buy"
        session.abort()
        with pytest.raises(Unreadable, match="no action 'of'"):
            session.do("of")

    def test_out_of_sequence(self, session: SessionController) -> None:
        with pytest.raises(Illegal, match=r"it is not dark .2.4.. Wait"):
            session.do("fire", Answers([("fires", "1")]))
        step = session.do("fire", Answers([("fires", "1")]), anyway=True)
        assert step.events[0] == Said("Out of sequence, recorded anyway: it is not dark", "2.4", (), "warning")
        assert session.history.entries[2].anyway
        same_as_stored(session)

    def test_out_of_sequence_and_open(self, session: SessionController) -> None:
        session.begin("fire", anyway=True)
        same_as_stored(session)
        step = SessionController.open(session.archive).reply("2")
        assert [event.text for event in step.events if isinstance(event, Said)] == ["2 fires"]

    def test_needless_anyway_is_not_noted(self, session: SessionController) -> None:
        session.do("march", Answers([("unit", "Red"), ("to", "ford")], dice=[1]), anyway=True)
        entry = session.history.entries[2]
        assert not entry.anyway and not any(reply.anyway for reply in entry.replies)

    def test_against_the_rules(self, session: SessionController) -> None:
        session.adjust([("supply", "0")], "test")
        session.do("march", Answers([("unit", "Red")]))
        before = kept(session)
        with pytest.raises(Illegal, match=r"no supply left .1.1.. Rest first") as caught:
            session.answer(Answers([("to", "ford")], dice=[1]))
        assert caught.value.exit_code == 1 and kept(session) == before
        assert session.pending and session.pending.key == "to"
        with pytest.raises(Illegal):
            session.reply("ford")
        step = session.reply("ford", anyway=True)
        assert step.events[0] == Said("Recorded anyway: there is no supply left", "1.1", (), "warning")
        assert [reply.anyway for reply in session.history.entries[3].replies] == [False, True, False]
        assert session.position.track("supply") == -1
        same_as_stored(session)

    def test_against_the_rules_from_the_start(self, session: SessionController) -> None:
        session.adjust([("mood", "high")], "test")
        before = kept(session)
        with pytest.raises(Illegal, match="nobody wants"):
            session.do("stop")
        assert kept(session) == before
        assert session.do("stop", anyway=True).events[0] == Said("Recorded anyway: nobody wants to stop", "1.2", (), "warning")
        assert session.history.entries[3].anyway

    def test_impossible_answer_cannot_be_insisted_on(self, session: SessionController, monkeypatch: pytest.MonkeyPatch) -> None:
        """Whoever is told that they may insist must not get the same refusal for it: at the start, and at an answer."""

        async def never(referee: tiny.Ford) -> None:
            if not await referee.confirm("sure", "Sure", "1.1"):
                raise Illegal("only the sure may", rule="1.1")

        async def at_once(referee: tiny.Ford) -> None:
            raise Illegal("nobody may", rule="1.1")

        monkeypatch.setattr(tiny.Ford, "rest", never)
        monkeypatch.setattr(tiny.Ford, "stop", at_once)
        for anyway in (False, True):
            with pytest.raises(Impossible, match="nobody may"):
                session.do("stop", anyway=anyway)
            with pytest.raises(Impossible, match="only the sure may"):
                session.do("rest", Answers(plain=["no"]), anyway)
        assert session.history.next_number == 2

    def test_answer_to_an_unasked_question_cannot_be_insisted_on(
        self, session: SessionController, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def unasked(referee: tiny.Ford) -> None:
            referee.skip_question("toll", "there is no toll", "1.1")

        monkeypatch.setattr(tiny.Ford, "rest", unasked)
        with pytest.raises(Impossible, match="there is no toll"):
            session.do("rest", Answers([("toll", "1")]), anyway=True)

    def test_equivalent_answer_to_a_skipped_question_is_accepted(
        self, session: SessionController, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def unasked(referee: tiny.Ford) -> None:
            referee.skip_question("toll", "there is no toll", "1.1", equivalent=("none",))
            referee.say("On they go.", "1.1")

        monkeypatch.setattr(tiny.Ford, "rest", unasked)
        assert session.do("rest", Answers([("toll", "none")])).done
        with pytest.raises(Impossible, match="there is no toll") as caught:
            session.do("rest", Answers([("toll", "1")]))
        assert caught.value.cure == "Where the table shows otherwise: adjust"

    def test_when_the_game_is_over(self, session: SessionController) -> None:
        session.do("stop")
        with pytest.raises(Illegal, match="the game is over: the last turn is done"):
            session.do("rest")
        assert session.do("rest", anyway=True).done
        assert session.do("duel", Answers(plain=["1"])).done

    def test_impossible_draw(self, session: SessionController) -> None:
        for _ in range(2):
            session.do("search", Answers(draws=["gold"], dice=[1]))
        before = kept(session)
        with pytest.raises(Illegal, match=r"the cup has no more Gold") as caught:
            session.do("search", Answers(draws=["gold"], dice=[1]))
        assert caught.value.rule == "2.3" and kept(session) == before
        session.do("search", Answers(draws=["gold"], dice=[1]), anyway=True)
        assert session.history.entries[4].replies[0].anyway
        assert len([piece for piece in session.position.at("out") if piece.name == "Gold"]) == 3
        assert len(session.position.at("bag")) == 3
        same_as_stored(session)

    def test_insisted_draw_is_kept_when_the_session_is_reopened(self, physical: SessionController) -> None:
        for _ in range(2):
            physical.do("search", Answers(draws=["gold"], dice=[1]))
        physical.do("search", Answers(draws=["gold"]), anyway=True)
        again = SessionController.open(physical.archive)
        assert again.broken == "" and again.pending and again.pending.key == "luck"

    def test_empty_cup_is_a_question(self, session: SessionController) -> None:
        for _ in range(5):
            session.do("search")
        assert session.begin("search").pending
        with pytest.raises(Illegal, match="the cup is empty"):
            session.reply("")
        assert session.reply("Stone", anyway=True).done

    def test_error_in_the_rules_leaves_the_session_intact(
        self, session: SessionController, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        session.begin("march")
        monkeypatch.setattr(tiny.Ford, "shift_track", lambda *_: 1 // 0)
        session.reply("Red")
        with pytest.raises(ZeroDivisionError):
            session.reply("ford")
        assert session.pending and session.pending.key == "to"
        monkeypatch.undo()


class TestReply:
    def test_empty_answer_takes_the_default(self, physical: SessionController) -> None:
        physical.begin("fight")
        physical.reply("Blue")
        assert replies(physical)[-1] == ("strength:Blue", "2", "rulebook")
        physical.reply("")
        assert replies(physical)[-1][2] == "computer"
        physical.reply("")
        assert replies(physical)[-2:] == [("go on", False, "suggested"), ("weather", "fair", "sample")]

    def test_empty_answer_without_a_default(self, session: SessionController) -> None:
        session.begin("march")
        with pytest.raises(Unreadable, match="no answer yet: ") as caught:
            session.reply("  ")
        assert caught.value.cure.startswith("Type ")  # who is asked types an answer, and adds no key

    def test_typed_dice(self, physical: SessionController) -> None:
        physical.begin("fight")
        physical.reply("Blue")
        with pytest.raises(Unreadable, match="1 die given, 2 needed"):
            physical.reply("3")
        physical.reply("35")
        assert replies(physical)[-1] == ("fight", [3, 5], "typed")

    def test_mistyped_word_causes_no_second_run(self, session: SessionController, monkeypatch: pytest.MonkeyPatch) -> None:
        session.begin("march")
        live = session.running_entry()
        with pytest.raises(Unreadable):
            session.reply("Green")
        assert session.running_entry() is live

    def test_every_reply_is_on_the_disk_when_the_call_returns(self, physical: SessionController) -> None:
        physical.begin("march")
        for number, text in enumerate(("Red", "ford", "3"), 1):
            physical.reply(text)
            assert len(SessionController.open(physical.archive).history.entries[2].replies) == number

    def test_settings(self, physical: SessionController) -> None:
        physical.setting(dice="comp")
        assert physical.settings == {"dice": "computer", "draws": "physical", "think": "usual"}
        assert physical.do("march", MARCH).done
        assert SessionController.open(physical.archive).settings == physical.settings
        with pytest.raises(Unreadable):
            physical.setting(draws="loaded")

    def test_setting_changed_at_an_open_roll(self, physical: SessionController) -> None:
        physical.do("march", MARCH)
        physical.setting(dice="computer")
        assert physical.pending and physical.pending.key == "toll"
        assert physical.answer().done


class TestPrinted:
    def test_asked_once_then_remembered(self, session: SessionController) -> None:
        session.do("fight", Answers([("unit", "Red"), ("strength:Red", "1"), ("go on", "no")], dice=[1]))
        assert ("strength:Red", "1", "typed") in replies(session)
        assert session.archive.printed("tiny") == {"strength:Red": "1"}
        session.do("fight", Answers([("unit", "Red"), ("go on", "no")], dice=[1]))
        assert ("strength:Red", "1", "remembered") in replies(session)

    def test_for_every_session(self, session: SessionController) -> None:
        session.archive.record_facts("tiny", {"strength:Red": "3"})
        other = SessionController.create(session.archive, "tiny")
        assert other.do("fight", Answers([("unit", "Red")], dice=[1, 1, 1])).pending

    def test_told_before_shipped_before_sample(self, session: SessionController) -> None:
        session.archive.record_facts("tiny", {"strength:Blue": "1"})
        session.do("fight", Answers([("unit", "Blue"), ("go on", "no"), ("weather", "foul")], dice=[1]))
        assert replies(session)[1] == ("strength:Blue", "1", "remembered")
        assert replies(session)[-1] == ("weather", "foul", "typed")
        session.do("fight", Answers([("unit", "Blue"), ("go on", "no")], dice=[1]))
        assert replies(session)[-1] == ("weather", "foul", "remembered")
        assert session.samples() == []

    def test_samples_are_known(self, session: SessionController) -> None:
        session.do("fight", Answers([("unit", "Blue"), ("go on", "no")], dice=[1, 1]))
        assert [reply.key for reply in session.samples()] == ["weather"]
        session.undo()
        assert session.samples() == []

    def test_known_facts_of_a_kind(self, session: SessionController) -> None:
        session.archive.record_facts("tiny", {"strength:Red": "3", "weather": "foul"})
        session.do("search", Answers(dice=[1]))
        assert replies(session)[-1] == ("known strength", {"Red": "3"}, "remembered")
        same_as_stored(session)

    def test_value_in_an_old_notation_is_asked_again(self, session: SessionController) -> None:
        session.archive.record_facts("tiny", {"strength:Red": "mighty"})
        assert session.do("fight", Answers([("unit", "Red")])).pending

    def test_fact_recorded_by_another_process_at_an_open_question(self, session: SessionController) -> None:
        session.do("fight", Answers([("unit", "Red")]))
        session.archive.record_facts("tiny", {"strength:Red": "1"})
        step = session.answer()
        assert step.pending and step.pending.key == "go on"

    def test_failed_call_records_no_fact(self, session: SessionController) -> None:
        with pytest.raises(Unreadable):
            session.do("fight", Answers([("unit", "Red"), ("strength:Red", "2")], dice=[1, 1, 1]))
        assert session.archive.printed("tiny") == {}


class TestSeed:
    def rolls(self, session: SessionController) -> list[object]:
        return [reply.value for entry in session.history.in_force for reply in entry.replies if reply.is_random]

    def play(self, session: SessionController) -> list[object]:
        for _ in range(3):
            session.do("march", MARCH)
            session.do("search")
        return self.rolls(session)

    def test_the_same_seed_gives_the_same_game(self, archive: Archive, tiny_game: str) -> None:
        first, second, third = (SessionController.create(archive, "tiny", seed=seed) for seed in ("a", "a", "b"))
        told = [self.play(session) for session in (first, second, third)]
        assert told[0] == told[1] != told[2]
        assert first.position == second.position

    def test_each_roll_and_draw_has_a_place_of_its_own(self, session: SessionController) -> None:
        self.play(session)
        answers = Answers([("unit", "Blue"), ("go on", "yes"), ("go on", "no")])
        session.do("fight", answers)
        found = [(reply.kind, reply.value) for entry in session.history.in_force for reply in entry.replies if reply.is_random]
        assert len(found) == 11
        for index, (kind, value) in enumerate(found):
            if kind == "roll":
                assert value == [1 + seeded_number("7", index, die, 6) for die in range(len(value))]
        assert found[1] == ("draw", seeded_draw({"Gold": 2, "Stone": 3}, "7", 1))

    def test_reopening_in_an_action_changes_no_die(self, archive: Archive, tiny_game: str) -> None:
        told = []
        for name in ("straight", "again"):
            session = SessionController.create(archive, "tiny", seed="5", name=name)
            session.do("search")
            session.do("fight", Answers([("unit", "Blue")]))
            for text in ("yes", "yes"):
                session = SessionController.open(archive, name) if name == "again" else session
                session.reply(text)
            told.append(self.rolls(session))
        assert told[0] == told[1] and len(told[0]) == 5

    def test_undo_gives_no_new_die(self, session: SessionController) -> None:
        before = self.play(session)
        session.undo(4)
        session.do("rest")
        for _ in range(2):
            session.do("march", MARCH)
            session.do("search")
        assert self.rolls(session) == before

    def test_typed_roll_uses_its_place(self, session: SessionController) -> None:
        before = self.play(session)
        session.undo(6)
        session.do("march", Answers(MARCH.keyed, dice=[1]))
        session.do("search")
        assert self.rolls(session)[1:] == before[1:3]


class TestTwoControllers:
    def test_second_writer_is_refused_and_updated(self, session: SessionController) -> None:
        session.begin("march")
        other = SessionController.open(session.archive)
        session.reply("Red")
        with pytest.raises(SessionMoved) as caught:
            other.reply("Red")
        assert caught.value.exit_code == 1
        assert other.pending and other.pending.key == "to"
        same_as_stored(other)
        other.reply("ford")

    @pytest.mark.parametrize(
        "work",
        [
            lambda session: session.do("rest"),
            lambda session: session.undo(),
            lambda session: session.note("x"),
            lambda session: session.adjust([("mood", "high")], "x"),
            lambda session: session.setting(dice="physical"),
            lambda session: session.amend(2, 2, "camp"),
        ],
    )
    def test_with_everything_that_writes(self, session: SessionController, work: Callable[[SessionController], object]) -> None:
        session.do("march", MARCH)
        other = SessionController.open(session.archive)
        other.note("first")
        with pytest.raises(SessionMoved):
            work(session)
        assert session.history.notes[-1].text == "first"
        work(session)
        same_as_stored(session)

    def test_two_processes_answer_the_same_question(self, session: SessionController, tmp_path: Path) -> None:
        path = session.archive.path
        for turn in range(8):
            session.begin("march")

            def answer(unit: str, turn: int = turn) -> list[str]:
                with Archive.open(path) as archive:
                    mine = SessionController.open(archive)
                    assert mine.pending and mine.pending.key == "unit"
                    meet(tmp_path, f"turn {turn}", 2)
                    try:
                        mine.reply(unit)
                    except SessionMoved:
                        assert mine.pending.key == "to"
                        return ["told"]
                    return ["won"]

            told = in_child(lambda: answer("Red"), lambda: answer("Blue"))
            assert sorted(told) == ["told", "won"]
            session.refresh()
            (reply,) = session.history.in_force[-1].replies
            assert reply.value == (["red#1"] if told[0] == "won" else ["blue#2"])
            session.abort()


class TestBroken:
    """The rules have changed under an open entry."""

    @pytest.fixture
    def opened(self, session: SessionController) -> SessionController:
        session.do("march", Answers([("unit", "Red")]))
        return session

    def change(self, monkeypatch: pytest.MonkeyPatch, run: Callable[[tiny.Ford], object]) -> None:
        monkeypatch.setattr(tiny.Ford, "march", run)

    def broken(self, opened: SessionController) -> SessionController:
        again = SessionController.open(opened.archive)
        assert again.pending is None and again.pending_entry == 2
        assert again.position == opened.committed_position
        adjust = lambda: again.adjust([("mood", "high")], "x")  # noqa: E731
        for work in (lambda: again.do("rest"), again.answer, lambda: again.reply("x"), adjust):
            with pytest.raises(BadData, match="action 2 "):
                work()
        return again

    def test_changed_question(self, opened: SessionController, monkeypatch: pytest.MonkeyPatch) -> None:
        async def march(ford: tiny.Ford) -> None:
            await ford.number("speed", "How fast", "2.1", 1, 3)

        self.change(monkeypatch, march)
        again = self.broken(opened)
        assert again.broken.startswith("action 2 asks 'How fast' where it used to ask 'unit'; take the action back")
        step = again.undo()
        assert step.pending is None and again.broken == "" and step.fix == ()
        assert again.do("rest").done
        same_as_stored(again)

    def test_changed_question_can_be_aborted(self, opened: SessionController, monkeypatch: pytest.MonkeyPatch) -> None:
        async def march(ford: tiny.Ford) -> None:
            return None

        self.change(monkeypatch, march)
        again = self.broken(opened)
        assert again.broken.startswith("action 2 no longer asks 'unit'")
        again.abort()
        assert again.broken == ""

    def test_stored_answer_no_longer_fits(self, opened: SessionController, monkeypatch: pytest.MonkeyPatch) -> None:
        async def march(ford: tiny.Ford) -> None:
            await ford.pick("unit", "Which unit", "2.1", ford.units()[1:], 1, 1)

        self.change(monkeypatch, march)
        assert self.broken(opened).broken.startswith("action 2 no longer takes the answer to 'unit'")

    def test_stored_single_choice_is_now_a_list(self, opened: SessionController, monkeypatch: pytest.MonkeyPatch) -> None:
        def asking(ask: Callable[[tiny.Ford], Request[Any]]) -> None:
            async def march(ford: tiny.Ford) -> None:
                ford.say(f"It is {await ask(ford)}.", "2.1")
                await ford.number("speed", "How fast", "2.1", 1, 3)

            self.change(monkeypatch, march)

        opened.abort()
        asking(lambda ford: Choose("unit", "Which unit", "2.1", ford.units()))
        opened.do("march", Answers([("unit", "Red")]))
        asking(lambda ford: Allot("unit", "Which", "2.1", lambda: [(one, 2) for one in ford.units()], 2, lambda: ["red#1"]))
        again = SessionController.open(opened.archive)
        assert (again.broken, again.pending and again.pending.key) == ("", "speed")
        assert again.reply("2").done

    def test_rules_now_refuse_the_answer(self, opened: SessionController, monkeypatch: pytest.MonkeyPatch) -> None:
        async def march(ford: tiny.Ford) -> None:
            await ford.pick("unit", "Which unit", "2.1", ford.units(), 1, 1)
            ford.forbid("nobody marches", "2.1")

        self.change(monkeypatch, march)
        assert self.broken(opened).broken.startswith("action 2 refuses the answer to 'unit': nobody marches")

    def test_nothing_left_to_ask(self, opened: SessionController, monkeypatch: pytest.MonkeyPatch) -> None:
        async def march(ford: tiny.Ford) -> None:
            await ford.pick("unit", "Which unit", "2.1", ford.units(), 1, 1)

        self.change(monkeypatch, march)
        assert self.broken(opened).broken.startswith("action 2 has nothing left to ask")

    def test_the_rules_fail(self, opened: SessionController, monkeypatch: pytest.MonkeyPatch) -> None:
        async def march(ford: tiny.Ford) -> None:
            raise ZeroDivisionError("oh")

        self.change(monkeypatch, march)
        assert "fails in its rules: ZeroDivisionError: oh" in self.broken(opened).broken

    def test_removed_action(self, opened: SessionController, monkeypatch: pytest.MonkeyPatch) -> None:
        actions = [action for action in opened.game.actions if action.id != "march"]
        monkeypatch.setattr(tiny.Tiny, "actions", actions)
        assert "no action 'march' any more" in self.broken(opened).broken

    def test_complete_entry_is_never_run_again(self, opened: SessionController, monkeypatch: pytest.MonkeyPatch) -> None:
        opened.answer(Answers([("to", "ford")], dice=[2]))
        self.change(monkeypatch, lambda ford: pytest.fail("run again"))
        again = SessionController.open(opened.archive)
        assert again.position == opened.position and again.pending is None and again.broken == ""


class TestTheRest:
    def test_notes_belong_to_the_last_entry(self, session: SessionController) -> None:
        session.do("rest")
        session.note("a \x1b[31mred\x07 note ")
        assert [(note.entry, note.text) for note in session.history.notes if note.entry == 2] == [(2, "a  [31mred  note")]
        with pytest.raises(Unreadable, match="empty"):
            session.note(" \n")

    def test_branch(self, session: SessionController) -> None:
        session.begin("march")
        copy = SessionController.open(session.archive, session.branch("try"))
        assert copy.info.name == "try" and copy.info.parent == session.info.id
        assert copy.position == session.position and copy.pending_entry == 2
        copy.reply("Red")
        assert session.pending and session.pending.key == "unit"
        assert SessionController.open(session.archive).info.name == "try"
        assert [reply.value for reply in copy.history.entries[2].replies] == [["red#1"]]

    def test_branch_keeps_old_dice_and_rolls_new_ones(self, session: SessionController) -> None:
        """What is tried in a branch says nothing about what the session itself will roll."""

        def rolled(of: SessionController) -> list[object]:
            return [reply.value for entry in of.history.in_force for reply in entry.replies if reply.is_random]

        for _ in range(4):
            session.do("duel", Answers([("mine", "1")]))
        lying = rolled(session)
        tried = []
        for name in ("try", "again"):
            copy = SessionController.open(session.archive, session.branch(name))
            assert rolled(copy) == lying
            for _ in range(8):
                copy.do("duel", Answers([("mine", "1")]))
            tried.append(rolled(copy)[4:])
        for _ in range(8):
            session.do("duel", Answers([("mine", "1")]))
        assert rolled(session)[:4] == lying
        assert rolled(session)[4:] == [[1 + seeded_number("7", index, 0, 6)] for index in range(4, 12)]
        assert tried[0] == [[1 + seeded_number(branch_seed("7", "try"), index, 0, 6)] for index in range(4, 12)]
        assert rolled(session)[4:] != tried[0] != tried[1] != rolled(session)[4:]

    def test_odds_of_the_open_question(self, session: SessionController) -> None:
        with pytest.raises(Unreadable, match="no question"):
            session.odds()
        session.begin("fight")
        with pytest.raises(Illegal, match="no odds here"):
            session.odds()
        session.answer(Answers([("unit", "Blue")], dice=[1, 1]))
        assert session.odds().sections[0][1][0] == ("0 hits", pytest.approx(4 / 9))

    def test_open_by_name(self, session: SessionController) -> None:
        SessionController.create(session.archive, "tiny", name="other")
        assert SessionController.open(session.archive, "tin").info == session.info
        with pytest.raises(Unreadable):
            SessionController.open(session.archive, "nothing")

    def test_session_of_a_missing_game(self, session: SessionController, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("COMPANION_TABLES")
        with pytest.raises(CompanionError, match="no tables for the game 'tiny'"):
            SessionController.open(session.archive)

    def test_history_matches_the_rows(self, session: SessionController) -> None:
        session.do("march", MARCH)
        session.undo()
        again = History(session.archive.rows(session.info.id))
        assert again.changes == session.history.changes and again.redos == session.history.redos


class TestQuick:
    def test_needs_no_session(self, archive: Archive, tiny_game: str) -> None:
        session, step = play_single_action(archive, "tiny", "duel", Answers([("mine", "2")], dice=[5, 5]))
        assert step.done and [event.text for event in step.events if isinstance(event, Said)] == ["2 hits"]
        assert session.info.name == "quick-1" and archive.last() is None
        assert session.position.pieces == {}
        same_as_stored(session)

    def test_question_is_left_open(self, archive: Archive, tiny_game: str) -> None:
        session, step = play_single_action(archive, "tiny", "duel", dice="physical")
        assert step.pending and step.pending.key == "mine"
        same_as_stored(session)
        assert SessionController.open(archive, "quick-1").answer(Answers(plain=["1", "3"])).done

    @pytest.mark.parametrize(
        ("action", "answers", "words"),
        [("march", None, "'march' needs a session"), ("duel", Answers(plain=["9"]), "9 is outside"), ("x", None, "no action")],
    )
    def test_nothing_is_stored_if_it_fails(
        self, archive: Archive, tiny_game: str, action: str, answers: Answers | None, words: str
    ) -> None:
        with pytest.raises(CompanionError, match=words):
            play_single_action(archive, "tiny", action, answers)
        assert archive.sessions() == []

    def test_it_does_not_become_the_last_used(self, session: SessionController) -> None:
        made, _ = play_single_action(session.archive, "tiny", "duel", Answers(plain=["1"]))
        assert session.archive.session() == session.info
        assert made.info.flags == "quick"


def test_quick_run_may_replace_a_remembered_fact(archive: Archive, tiny_game: str) -> None:
    """A script that brings a printed fact along works a second time, and what it says then counts from there on."""
    session = SessionController.create(archive, tiny_game, seed="7")
    for strength in ("3", "3", "1"):
        session.do("fight", Answers([("unit", "Blue"), ("strength:Blue", strength)], accept=True))
        assert archive.printed(tiny_game)["strength:Blue"] == strength
        assert replies(session)[1][:2] == ("strength:Blue", strength)


class TestALook:
    """What only says what lies on the table is no action that could be taken back."""

    def test_it_leaves_no_entry_and_undo_goes_past_it(self, session: SessionController) -> None:
        session.do("rest")
        looked = session.do("peek")
        assert [event.text for event in looked.events if isinstance(event, Said)] == ["3 in camp"]
        assert (looked.done, session.history.next_number) == (True, 3)
        assert result_data(session, looked)["entry"] == 2  # the next action gets 3
        session.undo()
        session.do("peek")
        session.redo()
        assert [entry.action for entry in session.history.in_force] == ["setup", "rest"]

    def test_one_that_asks_is_out_of_force_when_it_is_done(self, archive: Archive, tiny_game: str) -> None:
        session = SessionController.create(archive, "tiny", "night")
        session.reply("")
        session.do("rest")
        session.do("peek")
        assert session.reply("yes").done
        again = SessionController.open(archive)
        for one in (session, again):
            assert [entry.action for entry in one.history.in_force] == ["setup", "rest"]
            assert one.position == session.committed_position
        again.undo()
        assert [entry.action for entry in again.history.in_force] == ["setup"]
