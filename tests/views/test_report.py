"""The report of a session, and its Markdown."""

from __future__ import annotations

import re
from time import process_time

import pytest
from freezegun import freeze_time

from companion.core.errors import Unreadable
from companion.core.events import Event, PieceFlipped, PieceMoved, Said
from companion.core.history import Note
from companion.session.controller import Answers, SessionController
from companion.session.store import Archive
from companion.views.log import event_lines
from companion.views.report.document import document
from companion.views.report.render import escape_markdown, report_data, report_md
from companion.views.report.report import ChangedOption, Extent, Report, build_report, setting_text
from companion.views.report.story import entry_sentences, sentence_templates
from tests.support.rolled import rolled

TEMPLATES = [
    {"on": "moved", "to": "out", "text": "{names} {is/are} found.", "weight": 2, "loss": "Bag"},
    {"on": "moved", "kind": "unit", "text": "{names} {marches/march} from {from} to {to}."},
    {"on": "said", "rule": "2.2", "text": "{text}"},
]

pytestmark = pytest.mark.usefixtures("tiny_game")


def report_of(session: SessionController, *extent: object, **kwargs: object) -> Report:
    return build_report(session.info.name, session.game, session.history, session.options, Extent(*extent), **kwargs)  # type: ignore[arg-type]


def report(session: SessionController, *extent: object) -> str:
    return report_md(document(report_of(session, *extent)))


@pytest.fixture
def session(archive: Archive) -> SessionController:
    return SessionController.create(archive, "tiny", seed="7")


def set_templates(session: SessionController, **tables: object) -> None:
    """Give the game templates for its reports."""
    session.game.tables = session.game.tables._replace(report=tables)


def test_head_has_playing_time_and_dice(archive: Archive) -> None:
    """Ten minutes on one day and five on the next are 15 minutes of play."""
    with freeze_time("2026-03-01 20:00") as clock:
        session = SessionController.create(archive, "tiny", seed="7")
        clock.tick(600)
        session.do("fight", Answers(plain=["blue"], dice=[5, 1], accept=True))
        clock.move_to("2026-03-02 19:00")
        session.do("scout", Answers(plain=["left"]))
        clock.tick(300)
        session.do("rest")
        session.undo()
    result = report(SessionController.open(archive))

    assert "Played 2026-03-01 to 2026-03-02, 0 h 15 min at the table." in result
    assert "1 die by Companion" in result and "2 dice by the players, 3.00 on average." in result
    assert "1 action undone and left out here." in result
    assert "**The game is still under way.**" in result


def test_result_is_first_set_up_and_log_last(session: SessionController) -> None:
    session.do("rest")
    session.undo()
    session.do("rest")
    session.do("fight", Answers(plain=["blue"], accept=True))
    rows = report(session).splitlines()

    assert [row for row in rows if row.startswith(("**1", "**2", "**3"))] == ["**1. rest - Rest**", "**2. fight - Fight**"]
    order = ["## Score if the game ended now", "## How it went", "## The story", "## The set-up", "## The log"]
    assert [row for row in rows if row.startswith("## ")] == order
    assert any(row.endswith("; 2 printed values") for row in rows)
    assert "## The log" not in report(session, 0, 0, True) and "## The set-up" not in report(session, 0, 0, True)
    assert report(session, 0, 0, False, True).count("\n") > len(rows)


def test_events_use_the_templates_of_the_game(session: SessionController) -> None:
    set_templates(session, sentence=TEMPLATES)
    session.do("march", Answers(plain=["red", "ford"], dice=[2]))
    session.do("march", Answers(plain=["red", "camp"], dice=[2]))
    session.do("search", Answers(draws=["gold"], dice=[1]))
    session.do("fight", Answers(plain=["blue"], dice=[5, 1], accept=True))
    result = report(session, 0, 0, True)

    for text in ("Red marches from Camp to Ford.", "Gold is found.", "1 hits. The weather is fair.", "**Supply 8 to 7.**"):
        assert text in result
    assert report_data(report_of(session))["chapters"][2]["losses"] == {"Bag": 1}


def test_moves_of_a_piece_in_one_action_are_joined(session: SessionController) -> None:
    set_templates(session, sentence=TEMPLATES)
    red, blue = (piece.id for piece in list(session.position.of_kind("unit"))[:2])
    way = [PieceMoved(item, was, now) for was, now in (("camp", "ford"), ("ford", "far bank")) for item in (red, blue)]
    (clause,), after = entry_sentences(session.game, sentence_templates(session.game), way, session.position)

    assert [piece.name for piece in after.at("far bank")] == ["Red", "Blue"]
    assert clause.text == "Red and Blue march from Camp to Far bank."


FIGHT = [
    {"on": "moved", "to": "out", "text": "{names} {is/are} lost.", "loss": "Camp"},
    {"on": "flipped", "text": "{names} {is/are} hurt.", "loss": "Camp"},
    {"on": "said", "contains": "in Kuwait", "skip": True},
    {"on": "said", "text": "{opponents}{text}"},
]


def told(session: SessionController, *events: Event) -> tuple[list[str], int]:
    """The sentences of some events, and the steps lost."""
    set_templates(session, sentence=FIGHT)
    sentences, _ = entry_sentences(session.game, sentence_templates(session.game), events, session.position)
    return [sentence.text for sentence in sentences if sentence.text], sum(
        lost for sentence in sentences for _, lost in sentence.losses
    )


def test_losses_are_told_between_the_sentences_where_they_happen(session: SessionController) -> None:
    red, blue = (piece.id for piece in list(session.position.of_kind("unit"))[:2])
    texts, lost = told(
        session, Said("one fires"), PieceMoved(red, "camp", "out"), Said("the other fires"), PieceMoved(blue, "camp", "out")
    )

    assert texts == ["One fires.", "Red is lost.", "The other fires.", "Blue is lost."]
    assert lost == 2


def test_a_piece_reduced_and_then_lost_is_told_once_and_counted_twice(session: SessionController) -> None:
    red, blue = (piece.id for piece in list(session.position.of_kind("unit"))[:2])
    events = [PieceFlipped(red, "front", "weak"), PieceFlipped(blue, "front", "weak"), PieceMoved(red, "camp", "out")]

    assert told(session, *events) == (["Blue is hurt.", "Red is lost."], 3)


def test_lines_of_a_game_can_be_left_out(session: SessionController) -> None:
    assert told(session, Said("No unit is in Kuwait."), Said("Rain.")) == (["Rain."], 0)


def test_a_fight_names_both_sides(session: SessionController, monkeypatch: pytest.MonkeyPatch) -> None:
    sides = {"Red": "us", "Blue": "nva"}
    monkeypatch.setattr(type(session.game), "side", lambda self, piece: sides.get(piece.name, ""))

    assert told(session, Said("2 against 1.", because=("Red: 2", "Blue: 1", "rain -1")))[0] == ["Red against Blue: 2 against 1."]
    assert told(session, Said("2 against 1.", because=("Red: 2",)))[0] == ["2 against 1."]


def test_only_the_score_and_the_named_tracks_are_decisive(session: SessionController) -> None:
    for _ in range(3):
        session.do("rest")
    set_templates(session, sentence=TEMPLATES)
    assert report_of(session).moments
    assert not [item for item in report_of(session).moments if "Supply" in item.text]

    set_templates(session, sentence=TEMPLATES, decisive=["supply"])
    moments = [item.text for item in report_of(session).moments]
    assert "Supply 8 to 9" in moments
    text = report(session, 0, 0, True)
    for moment in moments:
        assert text.count(moment) == 1


def test_short_texts_of_neighbouring_actions_share_a_paragraph(session: SessionController) -> None:
    set_templates(session, sentence=TEMPLATES, chapters={"track": "turn", "each": 10})
    for _ in range(8):  # so that no change of the score is a large one
        session.do("rest")
    session.do("march", Answers(plain=["red", "ford"], dice=[2]))
    session.do("march", Answers(plain=["red", "camp"], dice=[2]))

    assert "\nRed marches from Camp to Ford. Red marches from Ford to Camp.\n" in report(session, 0, 0, True)


def test_settings_are_told_without_the_list_of_their_choices() -> None:
    assert setting_text("Who plays Iraq: a player or Companion (not part of the rulebook)", "bot") == "Who plays Iraq: bot"
    assert ChangedOption("x", "Is it so?", "It is.", "C-1").text == "Is it so? It is. (ruling C-1)"


def test_counters_drawn_from_one_cup_are_one_line_of_the_log(session: SessionController) -> None:
    one, two, *_ = (piece.id for piece in session.position.pieces.values() if piece.name == "Stone" and piece.place == "bag")
    lines = event_lines(
        session.game,
        [PieceMoved(one, "bag", "camp", "1.0"), PieceMoved(two, "bag", "ford", "1.0")],
        dict(session.position.pieces),
    )

    assert [line.text for line in lines] == ["2 x Stone: Bag -> Camp, Ford (one each)"]


def test_lightest_sentences_are_left_out(session: SessionController) -> None:
    set_templates(
        session, sentence=TEMPLATES, chapters={"track": "turn", "first": True, "each": 10, "most": 2, "title": "Turns {value}"}
    )
    for _ in range(2):
        session.do("march", Answers(plain=["red", "ford"], dice=[2]))
        session.do("march", Answers(plain=["red", "camp"], dice=[2]))
    session.do("search", Answers(draws=["gold"], dice=[1]))
    brief, full = report(session, 0, 0, True), report(session, 0, 0, False, True)

    assert "Gold is found." in brief and brief.count("marches") == 1
    assert full.partition("## The log")[0].count("marches") == 4


def test_notes_and_corrections_are_in_place(session: SessionController) -> None:
    session.note("go for the ford")
    session.do("rest")
    session.note("that was *dull*")
    session.adjust([("supply", "3")], "a slip")
    session.do("rest")
    rows = report(session, 0, 0, True).splitlines()
    index = rows.index

    assert (
        index("## The story")
        < index("> go for the ford")
        < index("### Turn 0")
        < index("> that was \\*dull*")
        < index("### Turn 1")
    )
    assert "Corrected: Supply = 3 (a slip)." in rows
    assert "1 correction, shown where it was made." in rows


def test_largest_swings_and_rarest_rolls_are_decisive(session: SessionController) -> None:
    for _ in range(3):
        session.do("rest")
    session.do("search", Answers(draws=["stone"], dice=[6]))
    session.do("rest")
    unlikely, certain = rolled("the_search", 5.0, {1.875: 0.96, 5.0: 0.04}), rolled("x", 1.0, {1.0: 1.0})
    report = report_of(session, rolls={5: [unlikely], 2: [certain]})
    result = {moment.entry: moment.text for moment in report.moments}

    assert "the score went from 11 to 13" in [item.text for item in report.moments if item.entry == 5]
    assert {item.entry for item in report_of(session, 1, 1).moments} <= result.keys()
    assert result[5] == "against the odds: the search: 5 VP, 2.0 to be expected"
    assert "Decisive: against the odds" in report_md(document(report))


def test_rolls_are_compared_with_their_average(session: SessionController) -> None:
    """The table has a row per action with its rolls added up, JSON has each roll."""
    session.do("rest")
    session.do("rest")
    first, second = rolled("a", 3.0, {0.0: 0.5, 3.0: 0.5}), rolled("b", -1.0, {-1.0: 0.5, 1.5: 0.5})
    rolls = {2: [first, second], 3: [rolled("c", 0.0, {-1.0: 0.5, 0.0: 0.5})]}
    text = report_md(document(report_of(session, rolls=rolls)))
    rows = [[cell.strip() for cell in row.split("|")[2:-1]] for row in text.splitlines() if re.search(r"[+-]\d\.\d \|", row)]

    assert rows[0] == ["2", "+1.8", "+2.0", "+0.2"] and rows[1] == ["1", "-0.5", "+0.0", "+0.5"]
    assert [cell.strip("*") for cell in rows[2]] == ["3", "+1.2", "+2.0", "+0.8"] and len(rows) == 3
    data = report_data(report_of(session, rolls=rolls))["rolls"]
    assert [(item["entry"], item["title"], item["actual"]) for item in data] == [(2, "a", 3.0), (2, "b", -1.0), (3, "c", 0.0)]
    assert "+1.2" not in report_md(document(report_of(session)))


def test_changed_options_and_rulings_are_named(archive: Archive) -> None:
    plain = report_of(SessionController.create(archive, "tiny", seed="7")).head
    changed = report_of(SessionController.create(archive, "tiny", options={"ford_cost": "two", "length": "long"}, seed="7")).head

    assert plain.changed_options == ()
    assert [(item.id, bool(item.ruling)) for item in changed.changed_options] == [("length", False), ("ford_cost", True)]


def test_report_of_some_turns(session: SessionController) -> None:
    for _ in range(4):
        session.do("rest")
    headings = re.findall("^### (Turn .)$", report(session, 1, 2, True), re.M)

    assert headings == ["Turn 1", "Turn 2"]
    with pytest.raises(Unreadable, match="no turn 9") as fault:
        report_of(session, 9, 9)
    assert fault.value.cure == "It has 0 to 3"


def test_open_action_is_left_out_and_named(session: SessionController) -> None:
    session.do("rest")
    session.do("fight")

    assert "The action fight waits for an answer and is not included." in report(session)


def test_markdown_is_escaped_only_where_needed() -> None:
    plain = "Edge: Coalition 5+1* = 6, 3*, ford_cost -> lost [16.1(2)]; 3 < 4 | 5, C&C"
    assert escape_markdown(plain) == plain
    assert [escape_markdown(text) for text in ("*a*", "_a_", "`a`", "<b>", "[a](b)", "# a", "> a", "1. a", "- a", "&amp;")] == [
        "\\*a*", "\\_a_", "\\`a\\`", "\\<b>", "[a\\](b)", "\\# a", "\\> a", "1\\. a", "\\- a", "\\&amp;",
    ]  # fmt: skip


KEYS = {
    "": "session game head options samples plans chapters moments rolls entries notes changes position over score",
    "head": "title scenario edition played players differs dice stage pending undone corrected",
    "played": "first last minutes",
    "chapters": "first last title scenes tracks losses",
    "scenes": "entry story notes count",
    "tracks": "track was now",
    "moments": "entry chapter text",
}


def test_data_has_the_promised_keys(session: SessionController) -> None:
    """Removing a key would need a new protocol number."""
    session.do("rest")
    session.do("search", Answers(draws=["stone"], dice=[6]))
    data = report_data(report_of(session))
    chapter = data["chapters"][1]
    result = {
        "": data, "head": data["head"], "played": data["head"]["played"], "chapters": chapter,
        "scenes": chapter["scenes"][0], "tracks": chapter["tracks"][0], "moments": data["moments"][0],
    }  # fmt: skip

    assert {name: " ".join(part) for name, part in result.items()} == KEYS


def test_time_of_a_report_is_proportional_to_its_notes(session: SessionController) -> None:
    """Eight times the notes may take three times eight as long; what is quadratic takes sixty-four times as long."""
    history = session.history
    seconds: dict[int, float] = {}
    for count in (5_000, 40_000):
        history.notes[:] = [Note(history.force[0], f"note {number}", "") for number in range(count)]
        before = process_time()
        report = build_report("april", session.game, history, session.options)
        seconds[count] = process_time() - before
        assert len(report.plans) == count
    assert seconds[40_000] < 24 * max(seconds[5_000], 0.01)
