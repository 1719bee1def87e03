"""The fragments of the page: nothing unescaped, each role its own, and the panes of every game."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from companion.core.errors import Unreadable
from companion.games import GAMES
from companion.session.controller import SessionController
from companion.session.state import load_game
from companion.session.store import Archive
from companion.views.screen.roles import ALL, WATCH
from companion.views.screen.state import screen_data
from companion.views.screen.views import LOG_ENTRIES, log_view, map_view, notes_view, odds_view, rules_view
from tests.support.fuzzing.player import in_memory
from tests.support.page import Tapper, parsed, practice_session
from tests.support.page_screens import QUESTIONS, session_at
from tests.support.phones import parts_of

HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>&amp;\x1b[31m"
CONTROLS = (
    "data-value",
    "data-toggle",
    "data-send",
    "data-die",
    "data-computer",
    "data-action",
    "data-undo",
    "data-redo",
    "data-undo-to",
)


@pytest.fixture
def albany() -> Iterator[SessionController]:
    with in_memory() as archive:
        yield practice_session(archive, "lzalbany", "1", players="<b>Ann</b>, O'Neill & Co", nva="player", us="player")


def test_names_and_notes_are_shown_as_text(albany: SessionController) -> None:
    albany.note(HOSTILE)
    Tapper(albany, 1).step()
    fragments = [*screen_data(albany, ALL).values(), log_view(albany, ALL), notes_view(albany)]

    assert "&lt;b&gt;Ann" in "".join(fragments)
    assert "&lt;script&gt;alert(1)" in fragments[-1]
    for html in fragments:
        parsed(html)  # raises if a tag or attribute got in that the page does not have
        assert "<script" not in html and "\x1b" not in html


def test_a_watcher_and_the_other_seat_have_no_controls(albany: SessionController) -> None:
    player = Tapper(albany, 1)
    while albany.pending is None:
        player.step()
    for role in (WATCH, ()):
        state = screen_data(albany, role)
        found = [name for html in state.values() for name in CONTROLS if name in html]

        assert found == [] and state["watch"]
    mine = [seat for seat in albany.game.seats if "data-question" in screen_data(albany, seat)["question"]]
    others = [seat for seat in albany.game.seats if seat not in mine]

    assert mine
    assert all("data-value" not in screen_data(albany, seat)["question"] for seat in others)
    assert all("data-value" not in screen_data(albany, seat)["map"] for seat in others)


@pytest.mark.parametrize("game", GAMES)
def test_every_pane_is_well_formed(game: str) -> None:
    with in_memory() as archive:
        session = practice_session(archive, game, "1")
        Tapper(session, 1).step()
        rule = next(iter(session.game.tables.rules))
        panes = [log_view(session, ALL), log_view(session, WATCH, "1"), rules_view(session, ""), rules_view(session, rule)]
        panes += [odds_view(session), notes_view(session), map_view(session, ALL)]
        for html in panes:
            parsed(html)
        for situation in session.game.situations[:2]:
            parsed(odds_view(session, situation.id))

        assert "data-undo-to" not in panes[1]
        if "<svg" in panes[-1]:
            ElementTree.fromstring(panes[-1])
        with pytest.raises(Unreadable):
            rules_view(session, "no such words anywhere")
        with pytest.raises(Unreadable):
            log_view(session, ALL, "x")


@pytest.mark.parametrize("game", GAMES)
def test_printed_values_are_tapped_together(game: str) -> None:
    """The example of each printed value can be made of the words that the page offers for it."""
    for fact in load_game(game).facts:
        notation = fact.notation
        between = notation.between
        if notation.words and between is None:
            assert notation.example in notation.words, fact.id
        elif notation.words:
            parts = parts_of(notation.example, notation.words) if not between else notation.example.split(between)
            assert parts and set(parts).issubset({*notation.words, "Jolan"}), fact.id  # names of spaces are an open set


def test_page_does_not_say_how_to_type() -> None:
    """[16.3] What the terminal says about typing is not in the prompt of the page, nor read aloud."""
    title, key = QUESTIONS["fallujah2004"]
    with session_at("fallujah2004", title, key) as (db, name), Archive.open_existing(db) as archive:
        session = SessionController.open(archive, name)
        page = screen_data(session, ALL)
        assert session.pending is not None and session.pending.prompt.endswith("(two on one: 2 x NAME)")
        assert "take the 2 hits?" in page["question"] and "take the 2 hits?" in page["speak"]
        assert "NAME" not in page["question"] + page["speak"]


def test_ticks_of_the_checklist_last(albany: SessionController) -> None:
    """The id of a thing to do stays the same while play goes on, as long as it is listed."""
    player = Tapper(albany, 3)
    before: dict[str, str] = {}
    for _ in range(12):
        player.step()
        boxes = parsed(screen_data(albany, ALL)["table"]).find("data-check")
        now = {box.attributes["data-check"]: box.name for box in boxes}

        assert all(now[id] == text for id, text in before.items() if id in now)
        before |= now
    assert before


def test_the_log_comes_in_pieces(albany: SessionController) -> None:
    for number in range(LOG_ENTRIES + 5):
        albany.adjust([("us_vp", str(number + 1))], "as on the table")
    newest = parsed(log_view(albany, ALL))
    (earlier,) = newest.find("data-log")
    oldest = parsed(log_view(albany, ALL, earlier.attributes["data-log"]))
    numbers = [int(item.attributes["data-entry"]) for page in (newest, oldest) for item in page.find("data-entry")]

    assert numbers == list(reversed(albany.history.force))
    assert all(item.text.startswith("Undo to here: takes back") for item in newest.find("data-undo-to"))
